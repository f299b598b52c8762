/* Scenes of the rigid-ipc format [Ferguson2021]: the settings, and the whole. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/rigid_ipc_parts.h"

static const char *const root_keys[] = { "scene_type",
                                         "solver",
                                         "timestep",
                                         "max_time",
                                         "max_iterations",
                                         "rigid_body_problem",
                                         "ipc_solver",
                                         "newton_solver",
                                         "distance_barrier_constraint",
                                         "friction_constraints",
                                         "homotopy_solver",
                                         "ncp_solver",
                                         "volume_constraint",
                                         "viewport_bbox",
                                         "rigid_ipc_quirks",
                                         NULL };
static const char *const problem_keys[] = { "rigid_bodies",         "gravity",
                                            "coefficient_friction", "coefficient_restitution",
                                            "time_stepper",         "do_intersection_check",
                                            "collision_eps",        NULL };
static const char *const solver_keys[] = { "max_iterations",    "convergence_criteria",
                                           "velocity_conv_tol", "is_velocity_conv_tol_abs",
                                           "energy_conv_tol",   "line_search_lower_bound",
                                           "dhat_epsilon",      "min_barrier_stiffness_scale",
                                           "linear_solver",     NULL };
static const char *const barrier_keys[] = { "initial_barrier_activation_distance",
                                            "minimum_separation_distance",
                                            "detection_method",
                                            "trajectory_type",
                                            "barrier_type",
                                            NULL };
static const char *const friction_keys[] = { "static_friction_speed_bound", "iterations", NULL };

static bool recognised(const json_document *document)
{
    const json_t *root = document->root;
    bool own = json_object_get(root, "carom") || json_object_get(root, "bodies");
    return !own && (json_object_get(root, "rigid_body_problem") || json_object_get(root, "args"));
}

static bool owns_override(const char *override)
{
    size_t length = strcspn(override, ".[=");
    for (const char *const *key = root_keys; *key; ++key) {
        if (strlen(*key) == length && strncmp(*key, override, length) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- settings ------------------------------------------------------------------------------------------------------------- */

typedef struct ipc_settings {
    json_t *problem, *solver, *barrier, *friction; /* NULL: not in the file */
    bool split;                                    /* the scene type whose restitution acts */
    v3 gravity;
    double mu, restitution;
    double range, separation, stick_speed;
    double lags;
    double tolerance, iterations;
    bool absolute;
} ipc_settings;

static carom_status positive(const ipc_translation *t, const json_place *at, double value, const char *what)
{
    return value > 0.0 ? CAROM_OK : scene_fail(t->base.r, at, "%s is %g; it must be positive", what, value);
}

static carom_status read_time(ipc_translation *t, const json_t *root)
{
    const json_place h_at = { NULL, "timestep", 0 };
    const json_place end_at = { NULL, "max_time", 0 };
    const json_place steps_at = { NULL, "max_iterations", 0 };
    double end = -1.0;
    double steps = -1.0;
    t->h = 0.01;
    carom_status status = ipc_number(t, &h_at, root, &t->h);
    status = status == CAROM_OK ? positive(t, &h_at, t->h, "the time step") : status;
    status = error_worse(status, ipc_number(t, &end_at, root, &end));
    status = error_worse(status, ipc_number(t, &steps_at, root, &steps));
    t->h = t->h > 0.0 ? t->h : 0.01; /* to look for further mistakes */
    t->steps = end >= 0.0 ? ceil(end / t->h) : steps > 0.0 ? floor(steps) : 1000.0;
    if (end < 0.0 && !(steps > 0.0)) {
        ipc_remark(t, REMARK_TOLD, NULL, "neither max_time nor max_iterations: 1000 steps, as the reference does");
    }
    if (status == CAROM_OK && !(t->steps >= 1.0 && t->steps * t->h <= 1e12)) {
        status = scene_fail(t->base.r, end >= 0.0 ? &end_at : &steps_at, "comes to %g steps of %g s", t->steps, t->h);
    }
    return status;
}

static carom_status read_problem(ipc_translation *t, ipc_settings *s)
{
    static const char *const steppers[] = { "implicit_euler", "default", "implicit_newmark", "stabilized_newmark",
                                            NULL };
    const json_place at = { NULL, "rigid_body_problem", 0 };
    const json_place gravity = { &at, "gravity", 0 };
    const json_place mu = { &at, "coefficient_friction", 0 };
    const json_place restitution = { &at, "coefficient_restitution", 0 };
    const json_place stepper_at = { &at, "time_stepper", 0 };
    int stepper = 0;
    carom_status status = ipc_vector(t, &gravity, s->problem, &s->gravity);
    status = error_worse(status, ipc_number(t, &mu, s->problem, &s->mu));
    status = error_worse(status, ipc_number(t, &restitution, s->problem, &s->restitution));
    status = error_worse(status, ipc_choice(t, &stepper_at, s->problem, steppers, &stepper));
    ipc_note_strangers(t, &at, s->problem, problem_keys);
    if (stepper >= 2) {
        ipc_remark(t, REMARK_WARNING, &stepper_at, "carom has no %s; the scene runs with implicit Euler",
                   steppers[stepper]);
    }
    if (s->restitution > 0.0 && !s->split) {
        ipc_remark(
            t, REMARK_NOTE, &restitution,
            "coefficient_restitution has no effect in this format; '--set contact.restitution=%g' makes carom use it",
            s->restitution);
    }
    if (status == CAROM_OK && !(s->mu <= 1.0)) {
        ipc_remark(t, REMARK_WARNING, &mu, "a coefficient of friction of %g", s->mu);
    }
    return status;
}

static carom_status read_barrier(ipc_translation *t, ipc_settings *s)
{
    static const char *const detection[] = { "hash_grid", "brute_force", "bvh", NULL };
    static const char *const trajectories[] = { "linear", "piecewise_linear", "rigid", "redon", NULL };
    static const char *const barriers[] = { "ipc", "poly_log", "spline", NULL };
    const json_place at = { NULL, "distance_barrier_constraint", 0 };
    const json_place range = { &at, "initial_barrier_activation_distance", 0 };
    const json_place separation = { &at, "minimum_separation_distance", 0 };
    const json_place detection_at = { &at, "detection_method", 0 };
    const json_place trajectory_at = { &at, "trajectory_type", 0 };
    const json_place barrier_at = { &at, "barrier_type", 0 };
    int unused = 0;
    carom_status status = ipc_number(t, &range, s->barrier, &s->range);
    status = status == CAROM_OK ? positive(t, &range, s->range, "the activation distance") : status;
    status = error_worse(status, ipc_number(t, &separation, s->barrier, &s->separation));
    if (status == CAROM_OK && s->separation < 0.0) {
        status = scene_fail(t->base.r, &separation, "the separation is %g m; it must not be negative", s->separation);
    }
    status = error_worse(status, ipc_choice(t, &detection_at, s->barrier, detection, &unused));
    status = error_worse(status, ipc_choice(t, &trajectory_at, s->barrier, trajectories, &unused));
    status = error_worse(status, ipc_choice(t, &barrier_at, s->barrier, barriers, &unused));
    ipc_note_strangers(t, &at, s->barrier, barrier_keys);
    if (json_object_get(s->barrier, "trajectory_type") || json_object_get(s->barrier, "detection_method")) {
        ipc_remark(t, REMARK_TOLD, &at,
                   "detection_method and trajectory_type are the reference's; carom has its own "
                   "detection, along screws");
    }
    return status;
}

static carom_status read_friction(ipc_translation *t, ipc_settings *s)
{
    const json_place at = { NULL, "friction_constraints", 0 };
    const json_place speed = { &at, "static_friction_speed_bound", 0 };
    const json_place lags = { &at, "iterations", 0 };
    carom_status status = ipc_number(t, &speed, s->friction, &s->stick_speed);
    status = status == CAROM_OK ? positive(t, &speed, s->stick_speed, "the speed bound of static friction") : status;
    status = error_worse(status, ipc_number(t, &lags, s->friction, &s->lags));
    ipc_note_strangers(t, &at, s->friction, friction_keys);
    if (s->lags < 0.0 && s->mu > 0.0) {
        ipc_remark(t, REMARK_TOLD, &lags,
                   "friction is renewed until it no longer changes, at most contact.lags times");
    }
    if (s->lags == 0.0 && s->mu > 0.0) {
        ipc_remark(t, REMARK_NOTE, &lags, "0 iterations: there is no friction");
    }
    return status;
}

static carom_status read_solver(ipc_translation *t, ipc_settings *s)
{
    static const char *const criteria[] = { "velocity", "energy", NULL };
    const json_place at = { NULL, "ipc_solver", 0 };
    const json_place tolerance = { &at, "velocity_conv_tol", 0 };
    const json_place absolute = { &at, "is_velocity_conv_tol_abs", 0 };
    const json_place iterations = { &at, "max_iterations", 0 };
    const json_place criterion_at = { &at, "convergence_criteria", 0 };
    int criterion = 0;
    carom_status status = ipc_number(t, &tolerance, s->solver, &s->tolerance);
    status = status == CAROM_OK ? positive(t, &tolerance, s->tolerance, "the tolerance") : status;
    status = error_worse(status, ipc_bool(t, &absolute, s->solver, &s->absolute));
    status = error_worse(status, ipc_number(t, &iterations, s->solver, &s->iterations));
    status = error_worse(status, ipc_choice(t, &criterion_at, s->solver, criteria, &criterion));
    ipc_note_strangers(t, &at, s->solver, solver_keys);
    if (criterion == 1) {
        ipc_remark(t, REMARK_WARNING, &criterion_at, "carom's steps end by velocities, not by energies");
    }
    return status;
}

static carom_status read_sections(ipc_translation *t, const json_t *root, ipc_settings *s)
{
    static const char *const types[] = { "distance_barrier_rb_problem", "split_distance_barrier_rb_problem", NULL };
    static const char *const solvers[] = { "ipc_solver", "homotopy_solver", "newton_solver", "ncp_solver", NULL };
    const json_place type_at = { NULL, "scene_type", 0 };
    const json_place solver_at = { NULL, "solver", 0 };
    const json_place newton_at = { NULL, "newton_solver", 0 };
    struct {
        const char *key;
        json_t **target;
    } sections[] = { { "rigid_body_problem", &s->problem },
                     { "ipc_solver", &s->solver },
                     { "distance_barrier_constraint", &s->barrier },
                     { "friction_constraints", &s->friction } };
    int type = 0;
    int solver = 0;
    carom_status status = ipc_choice(t, &type_at, root, types, &type);
    status = error_worse(status, ipc_choice(t, &solver_at, root, solvers, &solver));
    s->split = type == 1;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
        const json_place at = { NULL, sections[i].key, 0 };
        status = error_worse(status, ipc_object(t, &at, root, sections[i].target));
    }
    ipc_note_strangers(t, NULL, root, root_keys);
    if (json_object_get(root, "newton_solver")) {
        ipc_remark(t, REMARK_NOTE, &newton_at, "newton_solver has no effect in this format; ipc_solver has");
    }
    if (solver != 0) {
        ipc_remark(t, REMARK_WARNING, &solver_at,
                   "carom does not have the %s; its own solver takes the settings of ipc_solver", solvers[solver]);
    }
    if (s->split) {
        ipc_remark(
            t, REMARK_WARNING, &type_at,
            "the split scene type steps first and projects then; carom runs it like the other, with its restitution");
    }
    return status;
}

/* ---- the translated scene ---------------------------------------------------------------------------------------------------- */

static json_t *time_json(ipc_translation *t)
{
    json_t *time = json_object();
    translation_set(&t->base, time, "end", json_real(t->steps * t->h));
    translation_set(&t->base, time, "step", json_real(t->h));
    return time;
}

static json_t *record_json(const ipc_translation *t)
{
    enum { FRAMES = 1000 };
    return json_pack("{sf}", "every", t->h * ceil(t->steps / FRAMES));
}

static void set_lags(ipc_translation *t, const ipc_settings *s, json_t *contact)
{
    enum { MOST_LAGS = 1000 };
    bool rubs = s->mu > 0.0 && s->lags != 0.0;
    if (!rubs) {
        return;
    }
    translation_set(&t->base, contact, "friction", json_real(s->mu));
    translation_set(&t->base, contact, "stick_speed", json_real(s->stick_speed));
    if (s->lags > 0.0) {
        translation_set(&t->base, contact, "lags", json_real(fmin(fmax(floor(s->lags), 1.0), MOST_LAGS)));
    }
}

static void ignore_pair(ipc_translation *t, json_t *pairs, const char *a, const char *b)
{
    translation_append(&t->base, pairs, json_pack("{s[ss]sb}", "between", a, b, "ignore", 1));
}

/* Members of one group: a material each. */
static json_t *pairs_json(ipc_translation *t)
{
    json_t *pairs = json_array();
    json_t *done = json_object();
    size_t i;
    json_t *body;
    json_array_foreach(t->base.bodies, i, body)
    {
        const char *material = json_string_value(json_object_get(body, "material"));
        if (material && !json_object_get(done, material)) {
            ignore_pair(t, pairs, material, material);
            translation_set(&t->base, done, material, json_true());
        }
    }
    json_decref(done);
    return pairs;
}

static json_t *contact_json(ipc_translation *t, const ipc_settings *s)
{
    const double default_iterations = 3000.0;
    double diagonal = v3_norm(v3_sub(t->high, t->low));
    json_t *contact = json_object();
    translation_set(&t->base, contact, "method", json_string("barrier"));
    translation_set(&t->base, contact, "range", json_real(s->range));
    if (s->separation > 0.0) {
        translation_set(&t->base, contact, "separation", json_real(s->separation));
    }
    translation_set(&t->base, contact, "tolerance", json_real(s->absolute ? s->tolerance : s->tolerance * diagonal));
    if (s->iterations >= 1.0 && s->iterations < default_iterations) {
        translation_set(&t->base, contact, "iterations", json_real(floor(s->iterations)));
    }
    set_lags(t, s, contact);
    translation_set(&t->base, contact, "restitution",
                    json_real(s->split ? fmin(fmax(s->restitution, 0.0), 1.0) : 0.0));
    json_t *pairs = pairs_json(t);
    if (json_array_size(pairs) > 0) {
        translation_set(&t->base, contact, "pairs", pairs);
    } else {
        json_decref(pairs);
    }
    return contact;
}

static void note_line(ipc_translation *t, const char *key, const char *from)
{
    const json_place at = { NULL, from, 0 };
    translation_note_line(&t->base, key, json_document_line(t->base.document, &at));
}

static json_t *scene_json(ipc_translation *t, const ipc_settings *s)
{
    json_t *root = json_object();
    translation_set(&t->base, root, "carom", json_real(CAROM_SCENE_VERSION));
    translation_set(&t->base, root, "name", translation_name(t->base.document->file));
    translation_set(&t->base, root, "gravity", translation_vector(s->gravity));
    translation_set(&t->base, root, "time", time_json(t));
    translation_set(&t->base, root, "record", record_json(t));
    translation_set(&t->base, root, "contact", contact_json(t, s));
    note_line(t, "time", "timestep");
    note_line(t, "record", "max_time");
    note_line(t, "gravity", "rigid_body_problem");
    note_line(t, "contact", "distance_barrier_constraint");
    return root;
}

/* A dynamic body with the number of a static one belongs to the static ones. */
static void merge_groups(ipc_translation *t)
{
    size_t i;
    json_t *body;
    json_array_foreach(t->base.bodies, i, body)
    {
        const char *material = json_string_value(json_object_get(body, "material"));
        if (material && json_object_get(t->held_groups, material)) {
            translation_set(&t->base, body, "material", json_string("immovable"));
        }
    }
}

/* To look for each line anew takes a time that grows with the square of a long text. */
static carom_status find_lines(ipc_translation *t, const json_place *list, size_t count)
{
    enum { SHORT = 200000 };
    if (t->base.document->length < SHORT) {
        return CAROM_OK;
    }
    t->body_lines = calloc(count + 1, sizeof *t->body_lines);
    t->body_line_count = t->body_lines ? count : 0;
    if (!t->body_lines) {
        return scene_no_memory(t->base.r);
    }
    json_document_list_lines(t->base.document, list, t->body_lines, count);
    return CAROM_OK;
}

static carom_status translate(ipc_translation *t, const json_t *root, json_t **out)
{
    ipc_settings s = { .range = 1e-3, .stick_speed = 1e-3, .lags = 1.0, .tolerance = 1e-2, .restitution = 0.0 };
    const json_place problem = { NULL, "rigid_body_problem", 0 };
    const json_place list_at = { &problem, "rigid_bodies", 0 };
    const json_place quirks_at = { NULL, "rigid_ipc_quirks", 0 };
    json_t *list = NULL;
    carom_status status = ipc_bool(t, &quirks_at, root, &t->quirks);
    status = error_worse(status, read_sections(t, root, &s));
    status = error_worse(status, read_time(t, root));
    status = error_worse(status, read_problem(t, &s));
    status = error_worse(status, read_barrier(t, &s));
    status = error_worse(status, read_friction(t, &s));
    status = error_worse(status, read_solver(t, &s));
    status = error_worse(status, ipc_list(t, &list_at, s.problem, &list));
    if (error_goes_on(t->base.r->err, status)) {
        status = error_worse(status, find_lines(t, &list_at, json_array_size(list)));
        status = error_worse(status, ipc_translate_bodies(t, &list_at, list));
    }
    if (status == CAROM_OK) {
        merge_groups(t);
    }
    if (status == CAROM_OK && t->body_count == 0) {
        status = scene_fail(t->base.r, &list_at, "the scene has no bodies");
    }
    if (status == CAROM_OK) {
        *out = scene_json(t, &s);
    }
    return status == CAROM_OK && t->base.out_of_memory ? scene_no_memory(t->base.r) : status;
}

static void free_parts(ipc_translation *t)
{
    json_decref(t->held_groups);
    for (size_t i = 0; i < t->file_count; ++i) {
        ipc_file_free(&t->files[i]);
    }
    free(t->files);
    free(t->body_lines);
}

static carom_status translate_document(translation *base, json_document *document)
{
    const json_place args = { NULL, "args", 0 };
    if (!json_object_get(document->root, "rigid_body_problem")) {
        return scene_fail(
            base->r, &args,
            "this is a saved simulation of rigid-ipc: its poses are those of principal axes that the file does "
            "not hold, so that carom cannot go on from them; run the scene it was made from, which is the value "
            "of 'args'");
    }
    json_t *out = NULL;
    ipc_translation t = { .base = *base,
                          .held_groups = json_object(),
                          .low = { HUGE_VAL, HUGE_VAL, HUGE_VAL },
                          .high = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
    carom_status status = t.held_groups ? translate(&t, document->root, &out) : scene_no_memory(base->r);
    status = status == CAROM_OK ? translation_finish(&t.base, document, out) : status;
    free_parts(&t);
    return status;
}

const scene_format rigid_ipc_format = {
    .name = "rigid-ipc",
    .recognised = recognised,
    .owns_override = owns_override,
    .translate = translate_document,
};
