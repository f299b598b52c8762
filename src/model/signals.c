/* From signal names to what they mean: "rod.position.x", "hinge.angle.rate", "strut.length", "energy.kinetic", "t".
 *
 * Names of elements may themselves contain dots (sub-assemblies: "left.arm"), so the longest prefix that names an
 * element wins and the rest is the quantity. */
#include "model/compile.h"
#include "model/ledger.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

typedef struct quantity {
    const char *name;
    signal_source source;
    const char *components; /* one letter each */
    carom_dimension dimension;
} quantity;

static const quantity body_quantities[] = {
    { "position", SIGNAL_POSITION, "xyz", { 1, 0, 0, 0 } },
    { "orientation", SIGNAL_ORIENTATION, "wxyz", { 0, 0, 0, 0 } },
    { "velocity", SIGNAL_VELOCITY, "xyz", { 1, 0, -1, 0 } },
    { "angular_velocity", SIGNAL_ANGULAR_VELOCITY, "xyz", { 0, 0, -1, 1 } },
    { "center", SIGNAL_CENTER, "xyz", { 1, 0, 0, 0 } },
    { "acceleration", SIGNAL_ACCELERATION, "xyz", { 1, 0, -2, 0 } },
    { "angular_acceleration", SIGNAL_ANGULAR_ACCELERATION, "xyz", { 0, 0, -2, 1 } },
    { "contact.force", SIGNAL_CONTACT_FORCE, "xyz", { 1, 1, -2, 0 } },
    { "contact.torque", SIGNAL_CONTACT_TORQUE, "xyz", { 2, 1, -2, 0 } },
};
enum { BODY_QUANTITIES = sizeof body_quantities / sizeof body_quantities[0] };

static const quantity joint_quantities[] = {
    { "force", SIGNAL_JOINT_FORCE, "xyz", { 1, 1, -2, 0 } },
    { "torque", SIGNAL_JOINT_TORQUE, "xyz", { 2, 1, -2, 0 } },
};
enum { JOINT_QUANTITIES = sizeof joint_quantities / sizeof joint_quantities[0] };

/* Matches "quantity.c" with c one of the components. A reaction alone ("force") is its magnitude. */
static bool match_quantity(const quantity *q, const char *rest, int index, signal_ref *out)
{
    size_t n = strlen(q->name);
    if (strncmp(rest, q->name, n) != 0) {
        return false;
    }
    bool reaction = q->source == SIGNAL_JOINT_FORCE || q->source == SIGNAL_JOINT_TORQUE ||
                    q->source == SIGNAL_CONTACT_FORCE || q->source == SIGNAL_CONTACT_TORQUE;
    if (rest[n] == '\0' && reaction) {
        *out = (signal_ref){ q->source, index, 3, q->dimension };
        return true;
    }
    if (rest[n] != '.' || rest[n + 1] == '\0' || rest[n + 2] != '\0') {
        return false;
    }
    const char *letter = strchr(q->components, rest[n + 1]);
    if (!letter) {
        return false;
    }
    *out = (signal_ref){ q->source, index, (int)(letter - q->components), q->dimension };
    return true;
}

static carom_dimension rate_of(carom_dimension dimension)
{
    dimension.time = (int8_t)(dimension.time - 1);
    return dimension;
}

/* "deformation.2", "deformation.2.rate": coordinates are counted from 1 and have the units of their kind, SI. */
static bool match_deformation(const model_body *b, const char *rest, int body, signal_ref *out)
{
    const carom_dimension none = { 0 };
    for (int k = 0; body_deforms(b) && k < body_coordinate_count(b); ++k) {
        char name[48];
        int n = snprintf(name, sizeof name, "deformation.%d", k + 1);
        if (strcmp(rest, name) == 0) {
            *out = (signal_ref){ SIGNAL_DEFORMATION, body, k, none };
            return true;
        }
        if (strncmp(rest, name, (size_t)n) == 0 && strcmp(rest + n, ".rate") == 0) {
            *out = (signal_ref){ SIGNAL_DEFORMATION_RATE, body, k, rate_of(none) };
            return true;
        }
    }
    return false;
}

static const quantity probe_quantities[] = {
    { "position", SIGNAL_PROBE_POSITION, "xyz", { 1, 0, 0, 0 } },
    { "velocity", SIGNAL_PROBE_VELOCITY, "xyz", { 1, 0, -1, 0 } },
    { "displacement", SIGNAL_PROBE_DISPLACEMENT, "xyz", { 1, 0, 0, 0 } },
};
enum { PROBE_QUANTITIES = sizeof probe_quantities / sizeof probe_quantities[0] };

static const body_probe *probes_of(const model_body *b, int *count)
{
    *count = 0;
    return b->type->probes ? b->type->probes(b->params, count) : NULL;
}

/* "tip.velocity.x" of a body with the probe "tip", "gauge.strain". */
static bool match_probe(const model_body *b, const char *rest, int body, signal_ref *out)
{
    int count;
    const body_probe *probes = probes_of(b, &count);
    for (int p = 0; p < count; ++p) {
        size_t n = strlen(probes[p].name);
        if (strncmp(rest, probes[p].name, n) != 0 || rest[n] != '.') {
            continue;
        }
        if (probes[p].gauge && strcmp(rest + n + 1, "strain") == 0) {
            *out = (signal_ref){ SIGNAL_PROBE_STRAIN, body, 3 * p, CAROM_DIM_NONE };
            return true;
        }
        for (int k = 0; k < PROBE_QUANTITIES; ++k) {
            if (match_quantity(&probe_quantities[k], rest + n + 1, body, out)) {
                out->component += 3 * p;
                return true;
            }
        }
    }
    return false;
}

static bool match_strain_energy(const model_body *b, const char *rest, int body, signal_ref *out)
{
    *out = (signal_ref){ SIGNAL_STRAIN_ENERGY, body, 0, CAROM_DIM_ENERGY };
    return b->type->strain_energy && strcmp(rest, "energy.strain") == 0;
}

static bool match_body(const carom_model *model, const char *rest, int body, signal_ref *out)
{
    for (int k = 0; k < BODY_QUANTITIES; ++k) {
        if (match_quantity(&body_quantities[k], rest, body, out)) {
            return true;
        }
    }
    const model_body *b = &model->bodies[body];
    return match_deformation(b, rest, body, out) || match_strain_energy(b, rest, body, out) ||
           match_probe(b, rest, body, out);
}

static bool match_coordinate(const joint_coordinate *c, const char *rest, int joint, int k, signal_ref *out)
{
    size_t n = strlen(c->name);
    carom_dimension dimension = c->angle ? (carom_dimension)CAROM_DIM_ANGLE : (carom_dimension)CAROM_DIM_LENGTH;
    if (strncmp(rest, c->name, n) != 0) {
        return false;
    }
    if (rest[n] == '\0') {
        *out = (signal_ref){ SIGNAL_COORDINATE, joint, k, dimension };
        return true;
    }
    if (strcmp(rest + n, ".rate") == 0) {
        *out = (signal_ref){ SIGNAL_COORDINATE_RATE, joint, k, rate_of(dimension) };
        return true;
    }
    if (strcmp(rest + n, ".drive") == 0) {
        *out = (signal_ref){ SIGNAL_DRIVER, joint, k,
                             c->angle ? (carom_dimension)CAROM_DIM_TORQUE : (carom_dimension)CAROM_DIM_FORCE };
        return true;
    }
    return false;
}

static bool match_joint(const carom_model *model, const char *rest, int joint, signal_ref *out)
{
    const carom_joint_type *type = model->joints[joint].type;
    for (int k = 0; k < type->coordinate_count; ++k) {
        if (match_coordinate(&type->coordinates[k], rest, joint, k, out)) {
            return true;
        }
    }
    for (int k = 0; k < JOINT_QUANTITIES; ++k) {
        if (match_quantity(&joint_quantities[k], rest, joint, out)) {
            return true;
        }
    }
    return false;
}

static bool match_measure(const carom_model *model, const char *rest, int force, signal_ref *out)
{
    const carom_force_type *type = model->forces[force].type;
    for (int k = 0; k < type->measure_count; ++k) {
        if (strcmp(rest, type->measures[k].name) == 0) {
            *out = (signal_ref){ SIGNAL_MEASURE, force, k, type->measures[k].dimension };
            return true;
        }
    }
    return false;
}

/* A torque where the element drives an angle. */
static carom_dimension effort_dimension(const carom_model *model, int joint, int coordinate)
{
    bool angle = joint >= 0 && model->joints[joint].type->coordinates[coordinate].angle;
    return angle ? (carom_dimension)CAROM_DIM_TORQUE : (carom_dimension)CAROM_DIM_FORCE;
}

/* What the element remembers. */
static bool match_integral(const carom_model *model, const char *rest, int force, signal_ref *out)
{
    const model_force *f = &model->forces[force];
    bool named = f->integral >= 0 && strcmp(rest, f->type->integral_name) == 0;
    if (named) {
        *out = (signal_ref){ SIGNAL_INTEGRAL, f->integral, 0, effort_dimension(model, f->joint, f->coordinate) };
    }
    return named;
}

static bool match_force(const carom_model *model, const char *rest, int force, signal_ref *out)
{
    if (strcmp(rest, "force") == 0) {
        const model_force *f = &model->forces[force];
        *out = (signal_ref){ SIGNAL_FORCE_VALUE, force, 0, effort_dimension(model, f->joint, f->coordinate) };
        return true;
    }
    return match_integral(model, rest, force, out) || match_measure(model, rest, force, out);
}

static bool match_input(const carom_model *model, const char *name, signal_ref *out)
{
    static const char prefix[] = "input.";
    bool is_input = strncmp(name, prefix, sizeof prefix - 1) == 0;
    int input = is_input ? carom_model_find_input(model, name + sizeof prefix - 1) : CAROM_NONE;
    if (input >= 0) {
        *out = (signal_ref){ SIGNAL_INPUT, input, 0, model->inputs[input].dimension };
    }
    return input >= 0;
}

static bool match_state(const carom_model *model, const char *name, signal_ref *out)
{
    static const char prefix[] = "state.";
    bool is_state = strncmp(name, prefix, sizeof prefix - 1) == 0;
    int found = is_state ? model_find_state(model, name + sizeof prefix - 1) : CAROM_NONE;
    if (found >= 0) {
        *out = (signal_ref){ SIGNAL_INTEGRAL, found, 0, model->integrals[found].dimension };
    }
    return found >= 0;
}

static bool match_event(const carom_model *model, const char *name, signal_ref *out)
{
    static const char prefix[] = "event.";
    bool is_event = strncmp(name, prefix, sizeof prefix - 1) == 0;
    for (int e = 0; is_event && e < model->event_count; ++e) {
        if (strcmp(model->events[e].name, name + sizeof prefix - 1) == 0) {
            *out = (signal_ref){ SIGNAL_EVENT, e, 0, CAROM_DIM_NONE };
            return true;
        }
    }
    return false;
}

static bool match_global(const char *name, signal_ref *out)
{
    if (strcmp(name, "t") == 0 || strcmp(name, "time") == 0) {
        *out = (signal_ref){ SIGNAL_TIME, 0, 0, CAROM_DIM_TIME };
        return true;
    }
    if (strcmp(name, "contact.count") == 0) {
        *out = (signal_ref){ SIGNAL_CONTACT, 0, CONTACT_COUNT, CAROM_DIM_NONE };
        return true;
    }
    if (strcmp(name, "contact.penetration") == 0) {
        *out = (signal_ref){ SIGNAL_CONTACT, 0, CONTACT_PENETRATION, CAROM_DIM_LENGTH };
        return true;
    }
    for (int k = 0; carom_ledger_table[k].name; ++k) {
        if (strcmp(name, carom_ledger_table[k].name) == 0) {
            *out = (signal_ref){ SIGNAL_LEDGER, 0, k, carom_ledger_table[k].dimension };
            return true;
        }
    }
    return false;
}

static void list_probes(const model_body *b, carom_text *text)
{
    int count;
    const body_probe *probes = probes_of(b, &count);
    carom_text_add(text, "%s", b->type->strain_energy ? ", energy.strain" : "");
    for (int p = 0; p < count; ++p) {
        carom_text_add(text, ", %s.displacement.x%s", probes[p].name, probes[p].gauge ? ", " : "");
        carom_text_add(text, "%s%s", probes[p].gauge ? probes[p].name : "", probes[p].gauge ? ".strain" : "");
    }
}

/* What an element of this code (see compile.h) offers, for messages. */
static void list_quantities(const carom_model *model, int code, carom_text *text)
{
    int index = element_index(code);
    switch (element_class(code)) {
    case ELEMENT_BODY:
        for (int k = 0; k < BODY_QUANTITIES; ++k) {
            carom_text_add(text, "%s%s.%c", k ? ", " : "", body_quantities[k].name, body_quantities[k].components[0]);
        }
        if (body_deforms(&model->bodies[index])) {
            carom_text_add(text, ", deformation.1, deformation.1.rate");
        }
        if (body_deforms(&model->bodies[index]) || model->bodies[index].nodal) {
            list_probes(&model->bodies[index], text);
        }
        break;
    case ELEMENT_JOINT:
        for (int k = 0; k < model->joints[index].type->coordinate_count; ++k) {
            const char *name = model->joints[index].type->coordinates[k].name;
            carom_text_add(text, "%s, %s.rate, ", name, name);
        }
        carom_text_add(text, "force, force.x, torque, torque.x");
        break;
    case ELEMENT_COUPLER:
        carom_text_add(text, "effort");
        break;
    default:
        for (int k = 0; index < model->force_count && k < model->forces[index].type->measure_count; ++k) {
            carom_text_add(text, "%s, ", model->forces[index].type->measures[k].name);
        }
        bool remembers = index < model->force_count && model->forces[index].integral >= 0;
        carom_text_add(text, "%s%sforce", remembers ? model->forces[index].type->integral_name : "",
                       remembers ? ", " : "");
    }
}

static bool match_gear(const carom_model *model, const char *rest, int coupler, signal_ref *out)
{
    const model_coupler *c = &model->couplers[coupler];
    *out = (signal_ref){ SIGNAL_GEAR_EFFORT, coupler, 0, effort_dimension(model, c->joint[1], c->coordinate[1]) };
    return strcmp(rest, "effort") == 0;
}

static bool match_element(const carom_model *model, int code, const char *rest, signal_ref *out)
{
    int index = element_index(code);
    switch (element_class(code)) {
    case ELEMENT_BODY:
        return match_body(model, rest, index, out);
    case ELEMENT_JOINT:
        return match_joint(model, rest, index, out);
    case ELEMENT_FORCE:
        return match_force(model, rest, index, out);
    case ELEMENT_COUPLER:
        return match_gear(model, rest, index, out);
    default:
        return false;
    }
}

/* The element named by the longest prefix before a dot; *rest is what follows. -1 when there is none. */
static int find_owner(const carom_model *model, const char *name, const char **rest)
{
    char prefix[256];
    size_t length = strlen(name);
    if (length >= sizeof prefix) {
        return -1;
    }
    memcpy(prefix, name, length + 1);
    for (size_t i = length; i-- > 0;) {
        if (prefix[i] != '.') {
            continue;
        }
        prefix[i] = '\0';
        int code = carom_names_find(&model->names, prefix);
        if (code >= 0) {
            *rest = name + i + 1;
            return code;
        }
    }
    return -1;
}

/* Whether the signal is one of an element that was refused. */
static bool follows(const carom_model *model, const char *name)
{
    char prefix[256];
    size_t length = strlen(name);
    if (length >= sizeof prefix) {
        return false;
    }
    memcpy(prefix, name, length + 1);
    bool found = compile_follows(model, name);
    for (size_t i = length; i-- > 0 && !found;) {
        if (prefix[i] == '.') {
            prefix[i] = '\0';
            found = compile_follows(model, prefix);
        }
    }
    return found;
}

static carom_status unknown_input(const carom_model *model, const char *name, carom_error *err)
{
    carom_text known = { 0 };
    for (int i = 0; i < model->input_count; ++i) {
        carom_text_add(&known, "%s%s", i ? ", " : "", model->inputs[i].name);
    }
    carom_fail(err, CAROM_BAD_INPUT, "there is no input '%.80s'; %s%.400s", name,
               model->input_count ? "there are: " : "the scene has no \"inputs\"", known.data ? known.data : "");
    carom_text_free(&known);
    return CAROM_BAD_INPUT;
}

static carom_status unknown_state(const carom_model *model, const char *name, carom_error *err)
{
    carom_text known = { 0 };
    for (int i = 0; i < model->integral_count && model->integrals[i].name; ++i) {
        carom_text_add(&known, "%s%s", i ? ", " : "", model->integrals[i].name);
    }
    carom_fail(err, CAROM_BAD_INPUT, "there is no state '%.80s'; %s%.400s", name,
               known.data ? "there are: " : "the scene has no \"states\"", known.data ? known.data : "");
    carom_text_free(&known);
    return CAROM_BAD_INPUT;
}

static carom_status unknown_signal(const carom_model *model, const char *name, carom_error *err)
{
    if (follows(model, name)) {
        return carom_fail(err, CAROM_BAD_INPUT, "signal '%.120s' is one of something that was refused", name);
    }
    if (strncmp(name, "input.", 6) == 0) {
        return unknown_input(model, name + 6, err);
    }
    static const char states[] = "state.";
    if (strncmp(name, states, strlen(states)) == 0 && carom_names_find(&model->names, "state") < 0) {
        return unknown_state(model, name + strlen(states), err);
    }
    char owner[256];
    const char *dot = strchr(name, '.');
    snprintf(owner, sizeof owner, "%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
    const char *nearest = carom_text_nearest(owner, model->names.keys, model->names.capacity);
    if (nearest && strcmp(nearest, owner) != 0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "no signal '%.120s': there is no body, joint or force '%.80s'; did you mean '%.80s'?", name,
                          owner, nearest);
    }
    return carom_fail(err, CAROM_BAD_INPUT,
                      "no signal '%.120s'; signals are t, BODY.position.x, JOINT.angle, FORCE.length, "
                      "energy.kinetic and the like",
                      name);
}

carom_status model_find_signal(const carom_model *model, const char *name, int force, signal_ref *out,
                               carom_error *err)
{
    if (force >= 0 && match_measure(model, name, force, out)) {
        return CAROM_OK;
    }
    if (match_global(name, out) || match_input(model, name, out) || match_state(model, name, out) ||
        match_event(model, name, out)) {
        return CAROM_OK;
    }
    const char *rest = NULL;
    int code = find_owner(model, name, &rest);
    if (code < 0) {
        return unknown_signal(model, name, err);
    }
    if (match_element(model, code, rest, out)) {
        return CAROM_OK;
    }
    carom_text offers = { 0 };
    list_quantities(model, code, &offers);
    carom_fail(err, CAROM_BAD_INPUT, "no signal '%.120s': '%.*s' has %.400s", name, (int)(rest - name - 1), name,
               offers.data ? offers.data : "none");
    carom_text_free(&offers);
    return CAROM_BAD_INPUT;
}
