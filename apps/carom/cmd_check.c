/* carom check: reads, compiles and assembles a scene, and says what would run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_contact.h"
#include "command.h"
#include "json_out.h"
#include "scene.h"
#include "table.h"

static const char *role(const carom_body_info *body, const carom_flexible_info *flexible)
{
    return body->kinematic ? "prescribed" : body->moves_freely ? "free" : flexible->kind ? "nodes" : "fixed";
}

static void vector_cell(table *t, const double *v, int count)
{
    char part[3][40];
    for (int i = 0; i < count; ++i) {
        number_text(v[i], 4, part[i], sizeof part[i]);
    }
    table_cell(t, "%s, %s, %s", part[0], part[1], part[2]);
}

static void print_bodies(const carom_model *model)
{
    static const char *const titles[] = { "body", "role", "mass [kg]", "inertia xx, yy, zz [kg m^2]",
                                          "centre of mass [m]" };
    table t;
    int count = carom_model_body_count(model) - 1;
    print_heading("%d %s", count, count == 1 ? "body" : "bodies");
    if (count == 0) {
        return;
    }
    table_init(&t, 5, titles, "llrtt");
    for (carom_id i = 1; i <= count; ++i) {
        carom_body_info body = carom_model_body(model, i);
        const double centre[3] = { body.center_of_mass.x, body.center_of_mass.y, body.center_of_mass.z };
        table_cell(&t, "%s", body.name);
        carom_flexible_info flexible = carom_model_flexible(model, i);
        table_cell(&t, "%s", role(&body, &flexible));
        table_number(&t, body.mass, 6);
        vector_cell(&t, body.inertia, 3);
        vector_cell(&t, centre, 3);
    }
    table_print(&t);
}

static void frequency_cell(table *t, double frequency)
{
    if (frequency > 0.0) {
        table_number(t, frequency, 5);
    } else {
        table_cell(t, "-");
    }
}

/* Of all bodies in nodal coordinates: who asks for the shortest explicit step, and where. */
static void print_shortest_step(const carom_model *model)
{
    carom_flexible_info least = { .critical_step = HUGE_VAL };
    const char *name = NULL;
    for (carom_id i = 1; i < carom_model_body_count(model); ++i) {
        carom_flexible_info info = carom_model_flexible(model, i);
        if (info.critical_step > 0.0 && info.critical_step < least.critical_step) {
            least = info;
            name = carom_model_body_name(model, i);
        }
    }
    if (name) {
        print_line("  Explicit steps may last %.4g s, by the element of '%s' around (%.4g, %.4g, %.4g) m:",
                   least.critical_step, name, least.critical_at.x, least.critical_at.y, least.critical_at.z);
        print_line("  its nodes are %.3g m apart; in the median of its elements they are %.3g m.",
                   least.critical_distance, least.usual_distance);
    }
}

/* Bodies that deform: what they are made of, and how fast they vibrate. */
static void print_flexible(const carom_model *model)
{
    static const char *const titles[] = { "body",     "as",       "nodes",       "elements",
                                          "freedoms", "unknowns", "lowest [Hz]", "highest [Hz]" };
    table t;
    int count = 0;
    table_init(&t, 8, titles, "ltrrrrrr");
    for (carom_id i = 1; i < carom_model_body_count(model); ++i) {
        carom_flexible_info info = carom_model_flexible(model, i);
        if (!info.kind) {
            continue;
        }
        ++count;
        table_cell(&t, "%s", carom_model_body_name(model, i));
        table_cell(&t, "%s", info.kind);
        table_cell(&t, "%d", info.node_count);
        table_cell(&t, "%d", info.element_count);
        table_cell(&t, "%d", info.freedom_count);
        table_cell(&t, "%d", info.coordinate_count);
        frequency_cell(&t, info.lowest);
        frequency_cell(&t, info.highest);
    }
    if (count > 0) {
        print_heading("%d of them %s", count, count == 1 ? "deforms" : "deform");
        table_print(&t);
        print_shortest_step(model);
    }
}

/* The state a run would begin with, and what computes on it. */
typedef struct start {
    carom_state *state;
    carom_scratch *scratch;
    carom_assembly assembly;
} start;

/* "angle 0.3 rad, travel 0.1 m": whatever coordinates the joint has; a gear has none. */
static char *coordinates_text(const carom_model *model, const double *values, const char *joint)
{
    char *text = copy_text("");
    carom_id id = carom_model_find_joint(model, joint);
    carom_joint_info info = id != CAROM_NONE ? carom_model_joint(model, id) : (carom_joint_info){ 0 };
    for (int k = 0; k < info.coordinate_count; ++k) {
        char number[40];
        double value = values[info.first_coordinate + k];
        value = fabs(value) < 1e-12 ? 0.0 : value;
        char *longer = format_text("%s%s%s %s %s", text, *text ? ", " : "", info.coordinates[k].name,
                                   number_text(value, 4, number, sizeof number),
                                   info.coordinates[k].angle ? "rad" : "m");
        free(text);
        text = longer;
    }
    return text;
}

/* "friction 0.1, play 0.5 mm": what surfaces of a joint do under the method; nothing of most. */
static char *surfaces_text(const carom_model *model, const char *joint)
{
    carom_id id = carom_model_find_joint(model, joint);
    carom_joint_info info = id != CAROM_NONE ? carom_model_joint(model, id) : (carom_joint_info){ 0 };
    char friction[48] = "";
    char play[48] = "";
    if (info.friction > 0.0) {
        snprintf(friction, sizeof friction, "friction %.4g", info.friction);
    }
    if (info.clearance > 0.0) {
        snprintf(play, sizeof play, "play %.4g mm", 1e3 * info.clearance);
    }
    return format_text("%s%s%s", friction, *friction && *play ? ", " : "", play);
}

static void print_joints(const scene *s, const start *at)
{
    static const char *const titles[] = { "joint", "type", "between", "coordinates", "" };
    table t;
    size_t count = carom_spec_joint_count(s->spec);
    print_heading("%zu %s", count, count == 1 ? "joint" : "joints");
    if (count == 0) {
        return;
    }
    double *values = allocate((size_t)carom_model_coordinate_count(s->model) + 1, sizeof *values);
    carom_observe_coordinates(s->model, at->state, at->scratch, values, NULL);
    table_init(&t, 5, titles, "llllt");
    for (size_t i = 0; i < count; ++i) {
        const carom_joint_def *joint = carom_spec_joint(s->spec, i);
        const carom_gear_def *gear = carom_model_find_joint(s->model, joint->name) == CAROM_NONE ? joint->joint.params
                                                                                                 : NULL;
        const char *a = gear ? gear->joint_1 : joint->attachment.bodies[0]; /* a gear couples joints, not bodies */
        const char *b = gear ? gear->joint_2 : joint->attachment.bodies[1];
        char *coordinates = coordinates_text(s->model, values, joint->name);
        char *surfaces = surfaces_text(s->model, joint->name);
        table_cell(&t, "%s", joint->name);
        table_cell(&t, "%s", joint->joint.kind ? joint->joint.kind : "");
        table_cell(&t, "%s%s%s", a ? a : "", a && b ? " - " : "", b ? b : "");
        table_cell(&t, "%s", coordinates);
        table_cell(&t, "%s", surfaces);
        free(coordinates);
        free(surfaces);
    }
    free(values);
    table_print(&t);
}

static void print_forces(const carom_spec *spec)
{
    static const char *const titles[] = { "force", "type", "on" };
    table t;
    size_t count = carom_spec_force_count(spec);
    if (count == 0) {
        return;
    }
    print_heading("%zu %s", count, count == 1 ? "force" : "forces");
    table_init(&t, 3, titles, "lll");
    for (size_t i = 0; i < count; ++i) {
        const carom_force_def *force = carom_spec_force(spec, i);
        const char *a = force->joint ? force->joint : force->attachment.bodies[0];
        const char *b = force->joint ? force->coordinate : force->attachment.bodies[1];
        table_cell(&t, "%s", force->name);
        table_cell(&t, "%s", force->force.kind ? force->force.kind : "");
        table_cell(&t, "%s%s%s", a ? a : "", a && b ? " - " : "", b ? b : "");
    }
    table_print(&t);
}

static void print_redundant(const carom_model *model, const carom_mobility *m)
{
    enum { SHOWN = 12 };
    if (m->redundant_count == 0) {
        return;
    }
    print_line("  %d redundant equation%s: what %s follows from others already", m->redundant_count,
               m->redundant_count == 1 ? "" : "s", m->redundant_count == 1 ? "it says" : "they say");
    for (int i = 0; i < m->redundant_count && i < SHOWN; ++i) {
        char name[512];
        print_line("    %s", carom_model_equation_name(model, m->redundant[i], name, sizeof name));
    }
    if (m->redundant_count > SHOWN) {
        print_line("    and %d more", m->redundant_count - SHOWN);
    }
    print_line("  They do no harm to the motion; reactions are shared in the minimum-norm way.");
}

/* " and 402 of nodes", or nothing: coordinates of nodes are no columns of the mechanism. */
static void nodes_text(const carom_model *model, char *text, size_t size)
{
    long count = 0;
    for (carom_id i = 1; i < carom_model_body_count(model); ++i) {
        carom_flexible_info info = carom_model_flexible(model, i);
        count += info.critical_step > 0.0 ? info.coordinate_count : 0;
    }
    text[0] = '\0';
    if (count > 0) {
        snprintf(text, size, " and %ld of nodes", count);
    }
}

static carom_status print_mobility(const scene *s, const start *at, carom_error *err)
{
    carom_mobility m = { 0 };
    carom_status status = carom_observe_mobility(s->model, at->state, at->scratch, &m, err);
    if (status == CAROM_OK) {
        char nodes[48];
        nodes_text(s->model, nodes, sizeof nodes);
        if (!m.rank_known) {
            print_heading("Degrees of freedom%s", nodes);
            print_line("  Gruebler counts %d (%d equations); too many in loops for their rank", m.gruebler,
                       m.equations);
            return CAROM_OK;
        }
        print_heading("%d %s of freedom%s", m.degrees, m.degrees == 1 ? "degree" : "degrees", nodes);
        print_line("  Gruebler counts %d (%d equations); their rank is %d", m.gruebler, m.equations, m.rank);
        print_redundant(s->model, &m);
    }
    return status;
}

/* In SI units, so that 9.81 in a scene of millimetres is seen to be a thousandth of the earth's. */
static void print_gravity(carom_v3 g)
{
    char part[3][40];
    const double value[3] = { g.x, g.y, g.z };
    for (int i = 0; i < 3; ++i) {
        number_text(value[i], 4, part[i], sizeof part[i]);
    }
    print_line("  gravity: %s, %s, %s m/s^2", part[0], part[1], part[2]);
}

static carom_status print_energy(const scene *s, const start *at, carom_error *err)
{
    carom_ledger ledger = { 0 };
    carom_status status = carom_observe_ledger(s->model, at->state, at->scratch, &ledger, err);
    if (status == CAROM_OK) {
        print_heading("At the start");
        print_gravity(carom_spec_scene(s->spec)->gravity);
        print_line("  energy: kinetic %.6g J, potential %.6g J, elastic %.6g J", ledger.kinetic, ledger.potential,
                   ledger.elastic);
        print_line("  assembly: off by %.3g, moved at most %.3g m, %d iterations; rates off by %.3g",
                   at->assembly.position_error, at->assembly.position_change, at->assembly.iterations,
                   at->assembly.velocity_error);
    }
    return status;
}

static carom_status print_plan(const scene *s, carom_error *err)
{
    static const char *const presets[] = { "fast", "balanced", "accurate" };
    const carom_scene_def *def = carom_spec_scene(s->spec);
    const carom_time_def *time = &def->time;
    carom_preset preset = time->preset <= CAROM_ACCURATE ? time->preset : CAROM_BALANCED;
    print_heading("What would run");
    carom_integration how = carom_model_integration(s->model);
    print_line("  method %s, integrator %s, preset %s", def->contact.method.kind ? def->contact.method.kind : "none",
               how.integrator, presets[preset]);
    char step[96];
    if (how.adaptive) {
        snprintf(step, sizeof step, "adaptive steps of at most %.4g s to a tolerance of %.3g", how.step,
                 how.tolerance);
    } else if (strcmp(how.integrator, "central-differences") == 0) {
        snprintf(step, sizeof step, "at most %.0f explicit steps of %.4g s",
                 ceil(time->end / how.step * (1.0 - 1e-9)), how.step);
    } else {
        snprintf(step, sizeof step, "steps of %.4g s", how.step);
    }
    double every = def->record.every > 0.0 ? def->record.every : time->end / 1000.0;
    carom_run_amount much = { 0 };
    char size[BYTES_TEXT];
    carom_status status = carom_run_check(s->model, 0.0, &much, err);
    print_line("  until t = %.6g s in %s, a frame every %.4g s (%.12g frames, %s), %zu signals", time->end, step,
               every, much.frames, bytes_text(much.bytes, size), def->record.signals.count);
    return status;
}

static carom_status begin(const scene *s, start *at, carom_error *err)
{
    at->state = carom_state_create(s->model);
    if (!at->state) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for the state");
    }
    carom_status status = carom_scratch_create(s->model, 1, &at->scratch, err);
    return status == CAROM_OK ? carom_assemble(s->model, at->state, at->scratch, &at->assembly, err) : status;
}

/* What assembly has changed of what the scene asks for. */
static void warn_of_changes(const scene *s, const start *at)
{
    carom_findings *found = NULL;
    carom_error err = { 0 };
    require_ok(carom_step_findings(s->model, at->scratch, &found, &err), &err);
    for (size_t i = 0; i < carom_findings_count(found); ++i) {
        const carom_finding *f = carom_findings_at(found, i);
        complain("warning: %s; %s", f->text, f->remedy);
    }
    carom_findings_destroy(found);
}

/* What became of what, where the scene is of another format. */
static void print_remarks(const carom_spec *spec)
{
    const char *const *remarks = NULL;
    size_t count = carom_spec_remarks(spec, &remarks);
    if (count > 0) {
        print_heading("Read from another format");
    }
    for (size_t i = 0; i < count; ++i) {
        print_line("  %s", remarks[i]);
    }
}

/* ---- for programs ---------------------------------------------------------------------------------------------------- */

static void json_bodies(const carom_model *model)
{
    json_open("bodies", '[');
    for (carom_id i = 1; i < carom_model_body_count(model); ++i) {
        carom_body_info body = carom_model_body(model, i);
        carom_flexible_info flexible = carom_model_flexible(model, i);
        json_open(NULL, '{');
        json_text("name", body.name);
        json_text("role", role(&body, &flexible));
        json_number("mass", body.mass);
        json_vector("inertia", (carom_v3){ body.inertia[0], body.inertia[1], body.inertia[2] });
        json_vector("center_of_mass", body.center_of_mass);
        json_close('}');
    }
    json_close(']');
}

static void json_element(const char *name, const char *type)
{
    json_open(NULL, '{');
    json_text("name", name);
    json_text("type", type);
    json_close('}');
}

static void json_elements(const carom_spec *spec)
{
    json_open("joints", '[');
    for (size_t i = 0; i < carom_spec_joint_count(spec); ++i) {
        json_element(carom_spec_joint(spec, i)->name, carom_spec_joint(spec, i)->joint.kind);
    }
    json_close(']');
    json_open("forces", '[');
    for (size_t i = 0; i < carom_spec_force_count(spec); ++i) {
        json_element(carom_spec_force(spec, i)->name, carom_spec_force(spec, i)->force.kind);
    }
    json_close(']');
}

/* Notes on the scene and what assembly has changed of what it asks for. */
static void json_notes(const scene *s, const start *at)
{
    const carom_note *notes = NULL;
    size_t count = carom_model_notes(s->model, &notes);
    json_open("notes", '[');
    for (size_t i = 0; i < count; ++i) {
        json_open(NULL, '{');
        json_bool("warning", notes[i].warning);
        json_text("file", notes[i].file);
        json_number("line", notes[i].line);
        json_text("path", notes[i].path);
        json_text("message", notes[i].message);
        json_close('}');
    }
    carom_findings *found = NULL;
    carom_error err = { 0 };
    require_ok(carom_step_findings(s->model, at->scratch, &found, &err), &err);
    for (size_t i = 0; i < carom_findings_count(found); ++i) {
        json_open(NULL, '{');
        json_bool("warning", true);
        json_text("message", carom_findings_at(found, i)->text);
        json_close('}');
    }
    carom_findings_destroy(found);
    json_close(']');
}

static carom_status json_state(const scene *s, const start *at, carom_error *err)
{
    carom_mobility m = { 0 };
    carom_ledger ledger = { 0 };
    carom_status status = carom_observe_mobility(s->model, at->state, at->scratch, &m, err);
    status = status == CAROM_OK ? carom_observe_ledger(s->model, at->state, at->scratch, &ledger, err) : status;
    if (status == CAROM_OK) {
        json_number("degrees_of_freedom", m.rank_known ? m.degrees : (double)NAN);
        json_number("gruebler", m.gruebler);
        json_number("equations", m.equations);
        json_number("redundant_equations", m.rank_known ? m.equations - m.rank : (double)NAN);
        json_open("energy", '{');
        json_number("kinetic", ledger.kinetic);
        json_number("potential", ledger.potential);
        json_number("elastic", ledger.elastic);
        json_close('}');
    }
    return status;
}

/* What would run, as one object; an object with `errors` where nothing would. */
static int check_for_programs(const scene *s)
{
    start at = { 0 };
    carom_error err = { 0 };
    carom_status status = begin(s, &at, &err);
    if (status == CAROM_OK) {
        const carom_scene_def *def = carom_spec_scene(s->spec);
        json_begin("check");
        json_text("scene", s->file);
        json_text("name", def->name);
        json_text("units", carom_spec_units(s->spec));
        json_text("method", def->contact.method.kind ? def->contact.method.kind : "none");
        json_number("end", def->time.end);
        json_bodies(s->model);
        json_elements(s->spec);
        json_notes(s, &at);
        status = json_state(s, &at, &err);
    }
    status = status == CAROM_OK ? carom_run_check(s->model, 0.0, NULL, &err) : status;
    status = status == CAROM_OK ? carom_check_start(s->model, at.state, at.scratch, &err) : status;
    carom_scratch_destroy(at.scratch);
    carom_state_destroy(at.state);
    if (status == CAROM_OK) {
        json_end();
    }
    return status == CAROM_OK ? EXIT_DONE : report_scene(status, &err, s->file);
}

static int check_scene(const scene *s)
{
    start at = { 0 };
    carom_error err = { 0 };
    carom_status status = begin(s, &at, &err);
    if (status == CAROM_OK) {
        const carom_scene_def *def = carom_spec_scene(s->spec);
        warn_of_changes(s, &at);
        print_line("%s", def->name ? def->name : "scene without a name");
        print_line("  units of the file: %s", carom_spec_units(s->spec));
        print_remarks(s->spec);
        print_bodies(s->model);
        print_flexible(s->model);
        print_joints(s, &at);
        print_forces(s->spec);
        status = print_mobility(s, &at, &err);
    }
    if (status == CAROM_OK) {
        status = print_contact(s->model, at.state, at.scratch, &err);
    }
    if (status == CAROM_OK) {
        status = print_energy(s, &at, &err);
    }
    if (status == CAROM_OK) {
        status = print_plan(s, &err);
    }
    if (status == CAROM_OK) {
        status = carom_check_start(s->model, at.state, at.scratch, &err);
    }
    carom_scratch_destroy(at.scratch);
    carom_state_destroy(at.state);
    return status == CAROM_OK ? EXIT_DONE : report_scene(status, &err, s->file);
}

static int check(const arguments *args)
{
    scene s;
    scene_source source;
    bool for_programs = arguments_have(args, "--json");
    if (for_programs) {
        json_errors();
    }
    int code = scene_source_read(&source, args) ? scene_load(&s, &source) : EXIT_BAD_INPUT;
    if (code == EXIT_DONE) {
        if (!for_programs) {
            complain_notes(s.model, false);
        }
        code = for_programs ? check_for_programs(&s) : check_scene(&s);
        scene_free(&s);
    }
    scene_source_free(&source);
    return code;
}

static const option options[] = {
    { "--method", 'm', "METHOD", "Contact method instead of the scene's" },
    { "--set", 's', "PATH=VALUE", "Change a value of the scene; may be repeated" },
    { "--duration", 'd', "SECONDS", "Simulated time instead of the scene's" },
    { "--package", 0, "NAME=FOLDER", "Where a package of a robot (package://NAME/...) is; may be repeated" },
    { "--json", 0, NULL, "One JSON object on standard output instead of text" },
    { "--rigid-ipc-quirks", 0, NULL, "Hinge inertias and torques as the rigid-ipc code has them" },
    { NULL, 0, NULL, NULL },
};

const command command_check = {
    .name = "check",
    .summary = "read and validate a scene, show what would run",
    .operands = "SCENE",
    .min_operands = 1,
    .max_operands = 1,
    .options = options,
    .notes =
        "Shows masses and inertias, joints, degrees of freedom by counting and by rank, redundant equations,\n"
        "what takes part in contact and how near it is, and the energy at the start, after the joints have been\n"
        "assembled; fails where a run would refuse to begin. SCENE may be -, for standard input.",
    .example = "  carom check fourbar.json --set variables.L=0.5",
    .run = check,
};
