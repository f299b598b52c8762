/* Robots of MJCF, the format of MuJoCo: what each element becomes is in docs/import.md. */
#include "scene/mjcf.h"

#include <stdlib.h>
#include <string.h>

static bool recognised(const json_document *document)
{
    return document->markup && xml_begins_with(document->text, "mujoco");
}

/* ---- settings ------------------------------------------------------------------------------------------------------------------- */

static carom_status read_turns(mjcf *m, const xml_element *e)
{
    const char *turns = xml_attribute_of(e, "eulerseq");
    bool good = !turns || (strlen(turns) == 3 && strspn(turns, "xyzXYZ") == 3);
    m->s.turns = turns && good ? turns : m->s.turns;
    return good ? CAROM_OK : robot_fail(&m->robot, e, "eulerseq is three of x, y, z, X, Y, Z, not '%.20s'", turns);
}

static carom_status read_switch(const mjcf *m, const xml_element *e, const char *name, const char *const *words,
                                bool *out)
{
    int which = *out;
    carom_status status = mjcf_word(m, e, name, words, &which);
    *out = which == 1;
    return status;
}

static carom_status read_compiler(mjcf *m, const xml_element *e)
{
    static const char *const angles[] = { "degree", "radian", NULL };
    static const char *const coordinates[] = { "local", "global", NULL };
    static const char *const no_yes[] = { "false", "true", NULL };
    static const char *const masses[] = { "auto", "true", "false", NULL };
    static const char *const noted[] = { "boundmass", "boundinertia", "balanceinertia", "inertiagrouprange", NULL };
    carom_status status = read_switch(m, e, "angle", angles, &m->s.radians);
    status = status == CAROM_OK ? read_switch(m, e, "coordinate", coordinates, &m->s.global) : status;
    status = status == CAROM_OK ? read_switch(m, e, "autolimits", no_yes, &m->s.autolimits) : status;
    status = status == CAROM_OK ? read_switch(m, e, "strippath", no_yes, &m->s.strip_path) : status;
    status = status == CAROM_OK ? mjcf_word(m, e, "inertiafromgeom", masses, &m->s.masses) : status;
    status = status == CAROM_OK ? read_turns(m, e) : status;
    status = status == CAROM_OK ? robot_number(&m->robot, e, "settotalmass", &m->s.total_mass) : status;
    const char *folder = xml_attribute_of(e, "meshdir");
    folder = folder ? folder : xml_attribute_of(e, "assetdir");
    m->s.mesh_folder = folder ? folder : m->s.mesh_folder;
    for (const char *const *name = noted; *name; ++name) {
        if (xml_attribute_of(e, *name)) {
            robot_remark(&m->robot, REMARK_WARNING, e, "%s has no effect", *name);
        }
    }
    return status;
}

static carom_status read_option(mjcf *m, const xml_element *e)
{
    static const char *const noted[] = { "wind", "density", "viscosity", "magnetic", NULL };
    static const char *const words[] = { "enable", "disable", NULL };
    static const char *const flags[] = { "contact", "constraint", "equality",  "frictionloss", "limit",
                                         "passive", "actuation",  "clampctrl", "filterparent", NULL };
    const xml_element *flag = xml_child(e, "flag");
    bool weightless = false;
    carom_status status = robot_vector(&m->robot, e, "gravity", &m->s.gravity);
    status = status == CAROM_OK && flag ? read_switch(m, flag, "gravity", words, &weightless) : status;
    m->s.gravity = weightless ? v3_zero() : m->s.gravity;
    for (const char *const *name = noted; *name; ++name) {
        if (xml_attribute_of(e, *name)) {
            robot_remark(&m->robot, REMARK_WARNING, e, "%s has no effect; carom has forces of the kind 'drag'",
                         *name);
        }
    }
    for (const char *const *name = flags; flag && *name; ++name) {
        const char *state = xml_attribute_of(flag, *name);
        if (state && strcmp(state, "disable") == 0) {
            robot_remark(&m->robot, REMARK_WARNING, flag, "%s=\"disable\" has no effect", *name);
        }
    }
    robot_remark(&m->robot, REMARK_TOLD, e, "timestep, integrator and solver are those of carom");
    return status;
}

static carom_status read_settings(mjcf *m)
{
    carom_status status = CAROM_OK;
    m->s = (mjcf_settings){ .turns = "xyz", .autolimits = true, .gravity = { 0.0, 0.0, -9.81 } };
    for (const xml_element *e = xml_child(m->root, NULL); e && error_goes_on(m->robot.t->r->err, status);
         e = e->next) {
        if (strcmp(e->name, "compiler") == 0) {
            status = error_worse(status, read_compiler(m, e));
        } else if (strcmp(e->name, "option") == 0) {
            status = error_worse(status, read_option(m, e));
        }
    }
    return status;
}

/* ---- what is refused, and what is reported ---------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *remedy;
} refused[] = {
    { "tendon", "springs between points are carom's forces of the kind 'spring'" },
    { "plugin", "it is code of MuJoCo's" },
    { "extension", "it is code of MuJoCo's" },
    { "flex", "bodies that deform are carom's 'flexible'" },
    { "flexcomp", "bodies that deform are carom's 'flexible'" },
    { "deformable", "bodies that deform are carom's 'flexible'" },
    { "skin", "take it out: it is for looks" },
    { "composite", "save the compiled model in MuJoCo and import that" },
    { "replicate", "save the compiled model in MuJoCo and import that" },
    { "attach", "save the compiled model in MuJoCo and import that" },
    { "frame", "save the compiled model in MuJoCo and import that" },
    { "include", "save the compiled model in MuJoCo and import that" },
    { "hfield", "make a mesh of it" },
};

static bool has_solver_numbers(const xml_element *e)
{
    bool found = false;
    for (size_t i = 0; i < e->attribute_count && !found; ++i) {
        const char *name = e->attributes[i].name;
        found = strncmp(name, "solref", 6) == 0 || strncmp(name, "solimp", 6) == 0 || strncmp(name, "o_sol", 5) == 0;
    }
    return found;
}

static carom_status look_through(mjcf *m)
{
    robot *r = &m->robot;
    const xml_element *first = NULL;
    int count = 0;
    carom_status status = CAROM_OK;
    for (const xml_element *e = m->root; e && error_goes_on(r->t->r->err, status); e = xml_following(e)) {
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
            if (strcmp(refused[i].name, e->name) == 0) {
                status = error_worse(status, robot_fail(r, e, "<%s> is not read: %s", e->name, refused[i].remedy));
            }
        }
        if (has_solver_numbers(e)) {
            first = first ? first : e;
            ++count;
        }
    }
    if (first) {
        robot_remark(
            r, REMARK_WARNING, first,
            "%d elements have solref or solimp, which are numbers of MuJoCo's solver and no stiffness of a material: "
            "they have no effect; choose a law of contact",
            count);
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------- */

static json_t *scene_json(mjcf *m, json_t *inputs)
{
    robot *r = &m->robot;
    const char *name = xml_attribute_of(m->root, "model");
    json_t *scene = json_object();
    translation_set(r->t, scene, "carom", json_real(CAROM_SCENE_VERSION));
    translation_set(r->t, scene, "name", name && *name ? json_string(name) : translation_name(r->t->document->file));
    translation_set(r->t, scene, "gravity", translation_vector(m->s.gravity));
    if (json_object_size(inputs) > 0) {
        translation_set(r->t, scene, "inputs", json_incref(inputs));
        translation_note_line(r->t, "inputs", m->root->line);
    }
    translation_note_line(r->t, "contact", m->root->line);
    translation_note_line(r->t, "gravity", m->root->line);
    return scene;
}

static void scale_masses(robot *r, double total)
{
    double sum = 0.0;
    for (size_t i = 0; i < r->link_count; ++i) {
        sum += r->links[i].mass.mass;
    }
    for (size_t i = 0; i < r->link_count && sum > 0.0; ++i) {
        r->links[i].mass = mass_scale(r->links[i].mass, total / sum);
    }
}

static carom_status translate_parts(mjcf *m, json_t *inputs)
{
    static const char *const options[] = { "key", NULL };
    carom_status status = robot_check_options(&m->robot, options);
    status = status == CAROM_OK ? look_through(m) : status;
    status = status == CAROM_OK ? read_settings(m) : status;
    status = status == CAROM_OK ? mjcf_read_world(m) : status;
    if (status == CAROM_OK && m->s.total_mass > 0.0) {
        scale_masses(&m->robot, m->s.total_mass);
    }
    status = status == CAROM_OK ? mjcf_read_key(m) : status;
    status = status == CAROM_OK ? robot_settle(&m->robot) : status;
    status = status == CAROM_OK ? robot_write(&m->robot) : status;
    status = status == CAROM_OK ? mjcf_write_equalities(m) : status;
    return status == CAROM_OK ? mjcf_write_actuators(m, inputs) : status;
}

static carom_status look_for_strangers(mjcf *m)
{
    static const char *const known[] = { "compiler", "option",   "default", "asset",    "worldbody",
                                         "equality", "actuator", "contact", "keyframe", NULL };
    static const char *const assets[] = { "mesh", "material", NULL };
    robot_ignore_strangers(&m->robot, m->root, known);
    for (const xml_element *e = xml_child(m->root, "asset"); e; e = xml_next(e, "asset")) {
        robot_ignore_strangers(&m->robot, e, assets);
    }
    mjcf_check_attributes(m);
    return m->robot.misspelt;
}

static carom_status translate_root(mjcf *m, json_document *document)
{
    robot *r = &m->robot;
    json_t *inputs = json_object();
    carom_status status = inputs ? look_for_strangers(m) : robot_no_memory(r);
    status = status == CAROM_OK ? translate_parts(m, inputs) : status;
    status = error_worse(status, r->misspelt);
    json_t *scene = status == CAROM_OK ? scene_json(m, inputs) : NULL;
    json_decref(inputs);
    status = status == CAROM_OK ? mjcf_contact(m, scene) : status;
    if (status != CAROM_OK) {
        json_decref(scene);
        return status;
    }
    robot_tell_ignored(r);
    return translation_finish(r->t, document, scene);
}

static carom_status translate(translation *t, json_document *document)
{
    mjcf m = { .frictions = json_object(), .taken = json_object() };
    xml_element *root = NULL;
    carom_status status = robot_begin(&m.robot, t) && m.frictions && m.taken ? CAROM_OK : scene_no_memory(t->r);
    status = status == CAROM_OK ? robot_parse(&m.robot, document, &root) : status;
    m.root = root;
    status = status == CAROM_OK ? translate_root(&m, document) : status;
    robot_free(&m.robot);
    json_decref(m.frictions);
    json_decref(m.taken);
    free(m.global);
    return status;
}

const scene_format mjcf_format = {
    .name = "MJCF",
    .recognised = recognised,
    .owns_override = robot_owns_override,
    .translate = translate,
};
