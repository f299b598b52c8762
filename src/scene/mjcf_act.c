/* What acts in MJCF: equalities, actuators, contact, key frames. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/mjcf.h"

/* ---- names ---------------------------------------------------------------------------------------------------------------------- */

static int link_named(const mjcf *m, const char *name)
{
    for (size_t i = 0; i < m->robot.link_count; ++i) {
        if (strcmp(m->robot.links[i].name, name) == 0) {
            return (int)i;
        }
    }
    return ROBOT_NONE;
}

static carom_status find_link(const mjcf *m, const xml_element *e, const char *attribute, bool needed, int *out)
{
    const char *name = xml_attribute_of(e, attribute);
    *out = name ? link_named(m, name) : 0;
    if (!name && needed) {
        return robot_fail(&m->robot, e, "the attribute '%s' is missing", attribute);
    }
    return *out == ROBOT_NONE ? robot_fail(&m->robot, e, "there is no body '%.80s'", name) : CAROM_OK;
}

/* A joint with one coordinate. */
static carom_status find_axis(const mjcf *m, const xml_element *e, const char *name, const robot_axis **out)
{
    const robot *r = &m->robot;
    *out = NULL;
    for (size_t i = 0; i < r->axis_count && name; ++i) {
        if (strcmp(r->axes[i].name, name) == 0) {
            *out = &r->axes[i];
        }
    }
    if (!*out) {
        return robot_fail(r, e, "there is no joint '%.80s'", name ? name : "");
    }
    bool one = (*out)->kind == AXIS_HINGE || (*out)->kind == AXIS_SLIDE;
    return one && (*out)->joint ? CAROM_OK : robot_fail(r, e, "'%.80s' is no hinge or slide", name);
}

/* ---- key frames ----------------------------------------------------------------------------------------------------------------- */

static const xml_element *first_key(const mjcf *m, const char *name)
{
    for (const xml_element *k = xml_child(m->root, "keyframe"); k; k = xml_next(k, "keyframe")) {
        for (const xml_element *e = xml_child(k, "key"); e; e = xml_next(e, "key")) {
            const char *own = xml_attribute_of(e, "name");
            if (!name || (own && strcmp(own, name) == 0)) {
                return e;
            }
        }
    }
    return NULL;
}

static size_t positions_of(const robot_axis *a)
{
    return a->kind == AXIS_FREE ? 7 : a->kind == AXIS_BALL ? 4 : 1;
}

static size_t rates_of(const robot_axis *a)
{
    return a->kind == AXIS_FREE ? 6 : a->kind == AXIS_BALL ? 3 : 1;
}

static bool take_positions(robot_axis *a, const double *q)
{
    const double *turn = a->kind == AXIS_FREE ? q + 3 : q;
    if (a->kind == AXIS_HINGE || a->kind == AXIS_SLIDE) {
        a->value = q[0];
        return true;
    }
    quat unit = { turn[0], turn[1], turn[2], turn[3] };
    a->pose.orientation = q_norm(unit) > 0.0 ? q_unit(unit) : unit;
    a->pose.position = a->kind == AXIS_FREE ? v3_load(q) : v3_zero();
    return q_norm(unit) > 0.0;
}

static void take_rates(robot_axis *a, const double *v)
{
    if (a->kind == AXIS_FREE) {
        a->velocity = v3_load(v);
        a->omega = v3_load(v + 3);
    } else if (a->kind == AXIS_BALL) {
        a->omega = v3_load(v);
    } else {
        a->rate = v[0];
    }
}

static carom_status read_list(const mjcf *m, const char *name, size_t count, double **out)
{
    const char *text = xml_attribute_of(m->key, name);
    *out = text ? CAROM_ARENA_ARRAY(m->robot.arena, double, count + 1) : NULL;
    if (text && !*out) {
        return robot_no_memory(&m->robot);
    }
    return text ? robot_numbers(&m->robot, m->key, name, text, count, count, *out, NULL) : CAROM_OK;
}

static carom_status read_state(mjcf *m)
{
    robot *r = &m->robot;
    double *q = NULL;
    double *v = NULL;
    size_t nq = 0;
    size_t nv = 0;
    for (size_t i = 0; i < r->axis_count; ++i) {
        nq += positions_of(&r->axes[i]);
        nv += rates_of(&r->axes[i]);
    }
    carom_status status = read_list(m, "qpos", nq, &q);
    status = status == CAROM_OK ? read_list(m, "qvel", nv, &v) : status;
    for (size_t i = 0; i < r->axis_count && status == CAROM_OK; ++i) {
        if (q && !take_positions(&r->axes[i], q)) {
            status = robot_fail(r, m->key, "qpos turns '%.80s' by a quaternion of zero", r->axes[i].name);
        }
        if (v) {
            take_rates(&r->axes[i], v);
        }
        q = q ? q + positions_of(&r->axes[i]) : NULL;
        v = v ? v + rates_of(&r->axes[i]) : NULL;
    }
    return status;
}

carom_status mjcf_read_key(mjcf *m)
{
    robot *r = &m->robot;
    const char *wanted = robot_option_text(r, "key");
    m->key = first_key(m, wanted);
    if (wanted && strcmp(wanted, "none") == 0) {
        m->key = NULL;
    } else if (wanted && !m->key) {
        return robot_fail(r, NULL, "there is no key frame '%.80s'", wanted);
    }
    if (!m->key) {
        return CAROM_OK;
    }
    robot_remark(r, REMARK_TOLD, m->key,
                 "the scene starts in this key frame; --set import.key=NAME takes another, none "
                 "none");
    return read_state(m);
}

/* ---- equalities ----------------------------------------------------------------------------------------------------------------- */

static const char *equality_name(mjcf *m, const xml_element *e)
{
    robot *r = &m->robot;
    const char *given = xml_attribute_of(e, "name");
    const char *name = given ? given : carom_arena_printf(r->arena, "%s_line_%d", e->name, e->line);
    return name ? robot_unique_name(r, e, name, "joint") : NULL;
}

/* A marker of one link as another sees it, both as drawn. */
static carom_pose seen_from(const robot *r, int link, int other, carom_pose marker)
{
    carom_pose world = scene_pose_compose(r->links[other].drawn_w, marker);
    return scene_pose_compose(pose_inverse(r->links[link].drawn_w), world);
}

static carom_status write_connect(mjcf *m, const xml_element *e)
{
    robot *r = &m->robot;
    int a = ROBOT_NONE;
    int b = ROBOT_NONE;
    carom_pose anchor = scene_pose_identity();
    if (xml_attribute_of(e, "site1")) {
        return robot_fail(r, e, "connect by sites is not read; give body1, body2 and anchor");
    }
    carom_status status = find_link(m, e, "body1", true, &a);
    status = status == CAROM_OK ? find_link(m, e, "body2", false, &b) : status;
    status = status == CAROM_OK && !xml_attribute_of(e, "anchor")
                 ? robot_fail(r, e, "the attribute 'anchor' is missing")
                 : status;
    status = status == CAROM_OK ? robot_vector(r, e, "anchor", &anchor.position) : status;
    const char *name = status == CAROM_OK ? equality_name(m, e) : NULL;
    if (status != CAROM_OK || !name) {
        return status == CAROM_OK ? robot_no_memory(r) : status;
    }
    return robot_close_loop(r, e, name, "spherical", a, anchor, b, seen_from(r, b, a, anchor));
}

/* relpose: the second body in the first; all zeros: as drawn. */
static carom_status write_weld(mjcf *m, const xml_element *e)
{
    robot *r = &m->robot;
    int a = ROBOT_NONE;
    int b = ROBOT_NONE;
    double x[7] = { 0 };
    const char *text = xml_attribute_of(e, "relpose");
    if (xml_attribute_of(e, "site1")) {
        return robot_fail(r, e, "weld by sites is not read; give body1 and body2");
    }
    carom_status status = find_link(m, e, "body1", true, &a);
    status = status == CAROM_OK ? find_link(m, e, "body2", false, &b) : status;
    status = status == CAROM_OK && text ? robot_numbers(r, e, "relpose", text, 7, 7, x, NULL) : status;
    const char *name = status == CAROM_OK ? equality_name(m, e) : NULL;
    if (status != CAROM_OK || !name) {
        return status == CAROM_OK ? robot_no_memory(r) : status;
    }
    quat turn = { x[3], x[4], x[5], x[6] };
    carom_pose marker = q_norm(turn) > 0.0 ? pose_make(v3_load(x), q_unit(turn))
                                           : seen_from(r, a, b, scene_pose_identity());
    return robot_close_loop(r, e, name, "fixed", a, marker, b, scene_pose_identity());
}

static carom_status hold_joint(mjcf *m, const xml_element *e, const robot_axis *axis, double value)
{
    robot *r = &m->robot;
    size_t i;
    json_t *joint;
    json_array_foreach(r->t->joints, i, joint)
    {
        const char *name = json_string_value(json_object_get(joint, "name"));
        if (name && strcmp(name, axis->joint) == 0) {
            json_t *motion = json_pack("{sssf}", "coordinate", axis->coordinate, "value", value);
            if (json_object_get(joint, "motion")) {
                json_decref(motion);
                return robot_fail(r, e, "'%.80s' is held already", axis->name);
            }
            translation_set(r->t, joint, "motion", motion);
        }
    }
    return CAROM_OK;
}

/* y - y0 = a0 + a1 (x - x0): a gear, where nothing of higher order is there. */
static carom_status write_joint_equality(mjcf *m, const xml_element *e)
{
    robot *r = &m->robot;
    double a[5] = { 0.0, 1.0, 0.0, 0.0, 0.0 };
    const robot_axis *y = NULL;
    const robot_axis *x = NULL;
    const char *other = xml_attribute_of(e, "joint2");
    const char *text = xml_attribute_of(e, "polycoef");
    carom_status status = find_axis(m, e, xml_attribute_of(e, "joint1"), &y);
    status = status == CAROM_OK && other ? find_axis(m, e, other, &x) : status;
    status = status == CAROM_OK && text ? robot_numbers(r, e, "polycoef", text, 1, 5, a, NULL) : status;
    if (status != CAROM_OK) {
        return status;
    }
    if (!x) {
        return hold_joint(m, e, y, y->reference + a[0]);
    }
    if (a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0) {
        return robot_fail(r, e, "polycoef goes beyond a straight line; carom's gears do not");
    }
    double start = y->reference + a[0] + a[1] * (x->value - x->reference);
    if (fabs(start - y->value) > 1e-9 * (1.0 + fabs(start))) {
        return robot_fail(
            r, e,
            "'%.80s' starts at %g, where polycoef wants %g: carom's gears keep what they start with; give "
            "the right start in a key frame",
            y->name, y->value, start);
    }
    const char *name = equality_name(m, e);
    if (!name) {
        return robot_no_memory(r);
    }
    robot_gear(r, e, name, x, y, -a[1]);
    return CAROM_OK;
}

static carom_status write_equality(mjcf *m, const xml_element *e)
{
    static const char *const words[] = { "true", "false", NULL };
    int inactive = 0;
    carom_status status = mjcf_word(m, e, "active", words, &inactive);
    if (status != CAROM_OK || inactive) {
        if (status == CAROM_OK) {
            robot_ignore(&m->robot, e);
        }
        return status;
    }
    if (strcmp(e->name, "connect") == 0) {
        return write_connect(m, e);
    }
    if (strcmp(e->name, "weld") == 0) {
        return write_weld(m, e);
    }
    if (strcmp(e->name, "joint") == 0) {
        return write_joint_equality(m, e);
    }
    return robot_fail(&m->robot, e, "equalities of the kind <%.60s> are not read; connect, weld and joint are",
                      e->name);
}

carom_status mjcf_write_equalities(mjcf *m)
{
    carom_status status = CAROM_OK;
    for (const xml_element *s = xml_child(m->root, "equality"); s; s = xml_next(s, "equality")) {
        for (const xml_element *e = xml_child(s, NULL); e && error_goes_on(m->robot.t->r->err, status); e = e->next) {
            status = error_worse(status, write_equality(m, e));
        }
    }
    return status;
}

/* ---- actuators ------------------------------------------------------------------------------------------------------------------ */

typedef enum act_kind { ACT_MOTOR, ACT_POSITION, ACT_VELOCITY, ACT_GENERAL } act_kind;

typedef struct actuator {
    act_kind kind;
    const robot_axis *axis;
    const char *input;
    double gear[6], kp, kv;
    double gain, bias; /* of a motor its force, of a servo its target: gain * control + bias */
    bool ctrl_limited, force_limited;
    double ctrl[2], force[2];
} actuator;

static carom_status refuse_attributes(const mjcf *m, const xml_element *e)
{
    static const char *const refused[] = { "tendon",       "site",    "slidersite",  "cranksite",
                                           "body",         "refsite", "dampratio",   "timeconst",
                                           "inheritrange", "actdim",  "lengthrange", NULL };
    for (const char *const *name = refused; *name; ++name) {
        if (mjcf_attribute(m, e, *name)) {
            return robot_fail(&m->robot, e, "'%s' of an actuator is not read", *name);
        }
    }
    const char *dynamics = mjcf_attribute(m, e, "dyntype");
    return dynamics && strcmp(dynamics, "none") != 0
               ? robot_fail(&m->robot, e, "'dyntype' %.40s of an actuator is not read", dynamics)
               : CAROM_OK;
}

/* Force = g u + b0 + b1 length + b2 rate: a servo of stiffness -b1 and damping -b2, or a motor where both are zero. */
static carom_status read_general(const mjcf *m, const xml_element *e, actuator *a)
{
    static const char *const gains[] = { "fixed", NULL };
    static const char *const biases[] = { "none", "affine", NULL };
    double gain[10] = { 1.0 };
    double bias[10] = { 0 };
    int kind = 0;
    carom_status status = mjcf_word(m, e, "gaintype", gains, &(int){ 0 });
    status = status == CAROM_OK ? mjcf_word(m, e, "biastype", biases, &kind) : status;
    status = status == CAROM_OK ? mjcf_reals(m, e, "gainprm", 1, 10, gain, NULL) : status;
    status = status == CAROM_OK && kind == 1 ? mjcf_reals(m, e, "biasprm", 1, 10, bias, NULL) : status;
    if (status == CAROM_OK && (bias[1] > 0.0 || bias[2] > 0.0)) {
        return robot_fail(&m->robot, e, "biasprm grows with the length or its rate (%g, %g): no servo does", bias[1],
                          bias[2]);
    }
    a->kp = -bias[1];
    a->kv = -bias[2];
    a->kind = a->kp > 0.0 ? ACT_POSITION : a->kv > 0.0 ? ACT_VELOCITY : ACT_MOTOR;
    double stiffness = a->kp > 0.0 ? a->kp : a->kv > 0.0 ? a->kv : 1.0;
    a->gain = gain[0] / stiffness;
    a->bias = bias[0] / stiffness;
    return status;
}

static carom_status read_ranges(const mjcf *m, const xml_element *e, actuator *a)
{
    size_t ctrl = 0;
    size_t force = 0;
    carom_status status = mjcf_reals(m, e, "ctrlrange", 2, 2, a->ctrl, &ctrl);
    status = status == CAROM_OK ? mjcf_reals(m, e, "forcerange", 2, 2, a->force, &force) : status;
    status = status == CAROM_OK ? mjcf_limited(m, e, "ctrllimited", ctrl == 2, &a->ctrl_limited) : status;
    status = status == CAROM_OK ? mjcf_limited(m, e, "forcelimited", force == 2, &a->force_limited) : status;
    bool servo = a->kind != ACT_MOTOR;
    if (status == CAROM_OK && a->force_limited && servo && !(a->force[0] == -a->force[1] && a->force[1] > 0.0)) {
        status = robot_fail(&m->robot, e, "a forcerange from %g to %g; that of a servo must be the same both ways",
                            a->force[0], a->force[1]);
    }
    return status;
}

static carom_status read_actuator(mjcf *m, const xml_element *e, actuator *a)
{
    static const char *const kinds[] = { "motor", "position", "velocity", "general" };
    robot *r = &m->robot;
    int kind = -1;
    for (int i = 0; i < 4; ++i) {
        kind = strcmp(e->name, kinds[i]) == 0 ? i : kind;
    }
    if (kind < 0) {
        return robot_fail(r, e,
                          "actuators of the kind <%.60s> are not read; motor, position, velocity and "
                          "general are",
                          e->name);
    }
    *a = (actuator){
        .kind = (act_kind)kind, .gear = { 1.0 }, .kp = 1.0, .kv = kind == ACT_VELOCITY ? 1.0 : 0.0, .gain = 1.0
    };
    carom_status status = mjcf_check_class(m, e);
    status = status == CAROM_OK ? refuse_attributes(m, e) : status;
    const char *joint = mjcf_attribute(m, e, "joint");
    joint = joint ? joint : mjcf_attribute(m, e, "jointinparent");
    status = status == CAROM_OK ? find_axis(m, e, joint, &a->axis) : status;
    status = status == CAROM_OK ? mjcf_reals(m, e, "gear", 1, 6, a->gear, NULL) : status;
    if (status == CAROM_OK && kind == ACT_GENERAL) {
        status = read_general(m, e, a);
    } else if (status == CAROM_OK) {
        status = mjcf_number(m, e, "kp", &a->kp);
        status = status == CAROM_OK ? mjcf_number(m, e, "kv", &a->kv) : status;
    }
    status = status == CAROM_OK ? read_ranges(m, e, a) : status;
    if (status == CAROM_OK && (a->gear[0] == 0.0 || a->kp < 0.0 || a->kv < 0.0)) {
        status = robot_fail(r, e, "a gear of %g, kp %g, kv %g: the gear must not be zero, the others not negative",
                            a->gear[0], a->kp, a->kv);
    }
    return status;
}

/* What the control, within its range, asks for. */
static const char *control_text(const mjcf *m, const actuator *a)
{
    carom_arena *arena = m->robot.arena;
    const char *u = a->ctrl_limited
                        ? carom_arena_printf(arena, "clamp(input.%s, %.17g, %.17g)", a->input, a->ctrl[0], a->ctrl[1])
                        : carom_arena_printf(arena, "input.%s", a->input);
    bool plain = a->gain == 1.0 && a->bias == 0.0;
    return plain || !u ? u : carom_arena_printf(arena, "((%.17g)*%s+(%.17g))", a->gain, u, a->bias);
}

static const char *target_text(const mjcf *m, const actuator *a)
{
    carom_arena *arena = m->robot.arena;
    const char *u = control_text(m, a);
    double g = a->gear[0];
    if (!u || a->kind != ACT_MOTOR) {
        return u ? carom_arena_printf(arena, "%s/(%.17g)", u, g) : NULL;
    }
    return a->force_limited
               ? carom_arena_printf(arena, "(%.17g)*clamp(%s, %.17g, %.17g)", g, u, a->force[0], a->force[1])
               : carom_arena_printf(arena, "(%.17g)*%s", g, u);
}

/* The length of an actuator is gear times the coordinate, its force acts with the same factor. */
static void write_motor(mjcf *m, const xml_element *e, const actuator *a, const char *name, const char *target)
{
    static const char *const modes[] = { "torque", "position", "speed" };
    robot *r = &m->robot;
    double g2 = a->gear[0] * a->gear[0];
    json_t *motor = json_pack("{ssssssssssss}", "name", name, "type", "motor", "joint", a->axis->joint, "coordinate",
                              a->axis->coordinate, "mode", modes[a->kind], "target", target);
    if (a->kind != ACT_MOTOR) {
        translation_set(r->t, motor, "gain", json_real(g2 * (a->kind == ACT_POSITION ? a->kp : a->kv)));
    }
    if (a->kind == ACT_POSITION && a->kv > 0.0) {
        translation_set(r->t, motor, "damping", json_real(g2 * a->kv));
    }
    if (a->kind != ACT_MOTOR && a->force_limited) {
        translation_set(r->t, motor, "limit", json_real(a->force[1] * fabs(a->gear[0])));
    }
    translation_add(r->t, r->t->forces, "forces", motor, e->line);
}

static carom_status write_actuator(mjcf *m, const xml_element *e, json_t *inputs, double start)
{
    robot *r = &m->robot;
    actuator a;
    carom_status status = read_actuator(m, e, &a);
    if (status != CAROM_OK) {
        return status;
    }
    const char *given = xml_attribute_of(e, "name");
    const char *wanted = given ? given : robot_name_of(r, a.axis->name, carom_arena_printf(r->arena, "_%s", e->name));
    const char *name = wanted ? robot_unique_name(r, e, wanted, "actuator") : NULL;
    a.input = name ? robot_word(r, name) : NULL;
    const char *target = a.input ? target_text(m, &a) : NULL;
    if (!target) {
        return robot_no_memory(r);
    }
    if (json_object_get(inputs, a.input)) {
        return robot_fail(r, e, "two actuators are called '%.80s' where expressions see them", a.input);
    }
    translation_set(r->t, inputs, a.input, json_pack("{sf}", "start", start));
    write_motor(m, e, &a, name, target);
    robot_remark(r, REMARK_TOLD, e, "the control of '%.80s' is the input '%.80s'", name, a.input);
    return CAROM_OK;
}

carom_status mjcf_write_actuators(mjcf *m, json_t *inputs)
{
    robot *r = &m->robot;
    size_t count = 0;
    double *ctrl = NULL;
    carom_status status = CAROM_OK;
    for (const xml_element *s = xml_child(m->root, "actuator"); s; s = xml_next(s, "actuator")) {
        for (const xml_element *e = xml_child(s, NULL); e; e = e->next) {
            ++count;
        }
    }
    status = m->key ? read_list(m, "ctrl", count, &ctrl) : CAROM_OK;
    size_t i = 0;
    for (const xml_element *s = xml_child(m->root, "actuator"); s; s = xml_next(s, "actuator")) {
        for (const xml_element *e = xml_child(s, NULL); e && error_goes_on(r->t->r->err, status); e = e->next) {
            status = error_worse(status, write_actuator(m, e, inputs, ctrl ? ctrl[i] : 0.0));
            ++i;
        }
    }
    return status;
}

/* ---- contact -------------------------------------------------------------------------------------------------------------------- */

static const char *body_of(const mjcf *m, int link)
{
    return m->robot.links[m->robot.links[link].owner].body;
}

static carom_status add_exclusions(mjcf *m, json_t *pairs)
{
    robot *r = &m->robot;
    carom_status status = CAROM_OK;
    for (const xml_element *c = xml_child(m->root, "contact"); c; c = xml_next(c, "contact")) {
        static const char *const known[] = { "exclude", NULL };
        robot_ignore_strangers(r, c, known);
        for (const xml_element *e = xml_child(c, "exclude"); e && error_goes_on(r->t->r->err, status);
             e = xml_next(e, "exclude")) {
            int a = ROBOT_NONE;
            int b = ROBOT_NONE;
            carom_status one = find_link(m, e, "body1", true, &a);
            one = one == CAROM_OK ? find_link(m, e, "body2", true, &b) : one;
            bool bare = one == CAROM_OK &&
                        (!r->links[r->links[a].owner].shaped || !r->links[r->links[b].owner].shaped);
            if (one == CAROM_OK && !bare) {
                translation_append(r->t, pairs,
                                   json_pack("{s[ss]sb}", "between", body_of(m, a), body_of(m, b), "ignore", 1));
            }
            status = error_worse(status, one);
        }
    }
    return status;
}

/* Of two coefficients the larger one holds. There is no friction where both shapes have a condim of 1. */
static double pair_friction(const json_t *a, const json_t *b)
{
    bool rubs = json_is_true(json_array_get(a, 1)) || json_is_true(json_array_get(b, 1));
    return rubs ? fmax(json_real_value(json_array_get(a, 0)), json_real_value(json_array_get(b, 0))) : 0.0;
}

static json_int_t mask(const json_t *material, size_t which)
{
    return json_integer_value(json_array_get(material, which));
}

/* One's contype and the other's conaffinity have a bit in common. */
static bool meet(const json_t *a, const json_t *b)
{
    enum { TYPE = 2, AFFINITY };
    return (mask(a, TYPE) & mask(b, AFFINITY)) != 0 || (mask(b, TYPE) & mask(a, AFFINITY)) != 0;
}

static json_t *pair_of(const char *a, const json_t *x, const char *b, const json_t *y)
{
    return meet(x, y) ? json_pack("{s[ss]sf}", "between", a, b, "friction", pair_friction(x, y))
                      : json_pack("{s[ss]sb}", "between", a, b, "ignore", 1);
}

static carom_status add_frictions(mjcf *m, json_t *pairs)
{
    enum { MOST = 30 };
    robot *r = &m->robot;
    const char *a;
    const char *b;
    json_t *x;
    json_t *y;
    if (json_object_size(m->frictions) > MOST) {
        return robot_fail(r, m->root, "more than %d different coefficients of friction and masks", (int)MOST);
    }
    json_object_foreach(m->frictions, a, x)
    {
        json_object_foreach(m->frictions, b, y)
        {
            if (strcmp(a, b) <= 0) {
                translation_append(r->t, pairs, pair_of(a, x, b, y));
            }
        }
    }
    return CAROM_OK;
}

carom_status mjcf_contact(mjcf *m, json_t *scene)
{
    robot *r = &m->robot;
    json_t *contact = json_pack("{ss}", "method", "none");
    json_t *pairs = json_array();
    carom_status status = contact && pairs ? CAROM_OK : robot_no_memory(r);
    json_t *only = json_object_size(m->frictions) == 1 ? json_object_iter_value(json_object_iter(m->frictions))
                                                       : NULL;
    if (only && meet(only, only)) {
        translation_set(r->t, contact, "friction", json_real(pair_friction(only, only)));
    } else if (status == CAROM_OK) {
        status = add_frictions(m, pairs);
    }
    status = status == CAROM_OK ? add_exclusions(m, pairs) : status;
    if (status == CAROM_OK && json_array_size(pairs) > 0) {
        translation_set(r->t, contact, "pairs", pairs);
    } else {
        json_decref(pairs);
    }
    translation_set(r->t, scene, "contact", contact);
    if (status == CAROM_OK && !r->t->chosen_method && robot_may_touch(r)) {
        robot_remark(
            r, REMARK_WARNING, m->root,
            "nothing touches until a method and a law are chosen, for solref and solimp are none: --method impact "
            "(rigid), or --method compliant with contact.law; --method none leaves it so");
    }
    return status;
}
