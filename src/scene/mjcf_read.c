/* Values of MJCF: classes of defaults, angles, orientations. */
#include <math.h>
#include <string.h>

#include "scene/mjcf.h"

#define DEGREE (3.14159265358979323846 / 180.0) /* [rad] */

/* ---- classes -------------------------------------------------------------------------------------------------------------------- */

static const xml_element *find_class(const xml_element *parent, const char *name)
{
    const xml_element *found = NULL;
    for (const xml_element *d = xml_child(parent, "default"); d && !found; d = xml_next(d, "default")) {
        const char *own = xml_attribute_of(d, "class");
        found = own && strcmp(own, name) == 0 ? d : find_class(d, name);
    }
    return found;
}

/* What an element calls its class: its own word, else the nearest body around it; NULL: none. */
static const char *class_name(const xml_element *e)
{
    const char *name = xml_attribute_of(e, "class");
    for (const xml_element *up = e; up && !name; up = up->parent) {
        name = xml_attribute_of(up, "childclass");
    }
    return name;
}

static bool is_actuator(const char *kind)
{
    static const char *const kinds[] = { "general", "motor",    "position", "velocity", "intvelocity",
                                         "damper",  "cylinder", "muscle",   "adhesion", NULL };
    const char *const *k = kinds;
    while (*k && strcmp(*k, kind) != 0) {
        ++k;
    }
    return *k != NULL;
}

/* Actuators of all kinds share their defaults; kp and kv are of one kind. */
static bool shares(const char *kind, const char *other, const char *name)
{
    return strcmp(kind, other) == 0 || (name[0] != 'k' && is_actuator(kind) && is_actuator(other));
}

static const char *in_class(const xml_element *class, const char *kind, const char *name)
{
    const char *found = NULL;
    for (const xml_element *e = xml_child(class, NULL); e; e = e->next) {
        const char *value = shares(kind, e->name, name) ? xml_attribute_of(e, name) : NULL;
        found = value ? value : found;
    }
    return found;
}

const char *mjcf_attribute(const mjcf *m, const xml_element *e, const char *name)
{
    const char *found = xml_attribute_of(e, name);
    const char *called = class_name(e);
    const xml_element *class = called ? find_class(m->root, called) : NULL;
    for (; class && class != m->root && !found; class = class->parent) {
        found = in_class(class, e->name, name);
    }
    for (class = xml_child(m->root, "default"); class && !found; class = xml_next(class, "default")) {
        found = in_class(class, e->name, name);
    }
    return found;
}

carom_status mjcf_check_class(const mjcf *m, const xml_element *e)
{
    const char *called = class_name(e);
    bool known = !called || strcmp(called, "main") == 0 || find_class(m->root, called);
    return known ? CAROM_OK : robot_fail(&m->robot, e, "there is no class '%.80s' among the defaults", called);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------------------- */

carom_status mjcf_reals(const mjcf *m, const xml_element *e, const char *name, size_t least, size_t most, double *out,
                        size_t *count)
{
    const char *text = mjcf_attribute(m, e, name);
    if (count) {
        *count = 0;
    }
    return text ? robot_numbers(&m->robot, e, name, text, least, most, out, count) : CAROM_OK;
}

carom_status mjcf_number(const mjcf *m, const xml_element *e, const char *name, double *out)
{
    return mjcf_reals(m, e, name, 1, 1, out, NULL);
}

carom_status mjcf_vector(const mjcf *m, const xml_element *e, const char *name, v3 *out)
{
    double x[3];
    size_t count = 0;
    carom_status status = mjcf_reals(m, e, name, 3, 3, x, &count);
    *out = status == CAROM_OK && count == 3 ? v3_load(x) : *out;
    return status;
}

carom_status mjcf_word(const mjcf *m, const xml_element *e, const char *name, const char *const *words, int *out)
{
    const char *text = mjcf_attribute(m, e, name);
    for (int i = 0; text && words[i]; ++i) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return CAROM_OK;
        }
    }
    return text ? robot_fail(&m->robot, e, "%s is '%.60s', which carom does not read", name, text) : CAROM_OK;
}

carom_status mjcf_limited(const mjcf *m, const xml_element *e, const char *name, bool has_range, bool *out)
{
    static const char *const words[] = { "auto", "true", "false", NULL };
    int which = 0;
    carom_status status = mjcf_word(m, e, name, words, &which);
    *out = which == 1 || (which == 0 && has_range && m->s.autolimits);
    if (status == CAROM_OK && *out && !has_range) {
        status = robot_fail(&m->robot, e, "it is limited and has no range");
    }
    return status;
}

double mjcf_angle(const mjcf *m, double given)
{
    return m->s.radians ? given : DEGREE * given;
}

/* ---- orientations --------------------------------------------------------------------------------------------------------------- */

static v3 axis_called(char c)
{
    return v3_make(c == 'x' || c == 'X', c == 'y' || c == 'Y', c == 'z' || c == 'Z');
}

/* Small letters: axes that turn along; capitals: those of the frame around. */
static quat from_euler(const mjcf *m, const double *angles)
{
    quat q = q_identity();
    for (int i = 0; i < 3; ++i) {
        char c = m->s.turns[i];
        quat turn = q_axis_angle(axis_called(c), mjcf_angle(m, angles[i]));
        q = c >= 'a' ? q_mul(q, turn) : q_mul(turn, q);
    }
    return q_unit(q);
}

static carom_status from_axis(const mjcf *m, const xml_element *e, const double *x, quat *out)
{
    v3 axis = v3_load(x);
    carom_status status = robot_unit(&m->robot, e, "axisangle", &axis);
    *out = status == CAROM_OK ? q_axis_angle(axis, mjcf_angle(m, x[3])) : *out;
    return status;
}

static carom_status from_xy(const mjcf *m, const xml_element *e, const double *x, quat *out)
{
    v3 ex = v3_load(x);
    carom_status status = robot_unit(&m->robot, e, "xyaxes", &ex);
    v3 ey = v3_load(x + 3);
    ey = v3_sub(ey, v3_scale(v3_dot(ey, ex), ex));
    status = status == CAROM_OK ? robot_unit(&m->robot, e, "xyaxes", &ey) : status;
    *out = status == CAROM_OK ? q_from_matrix(m3_from_columns(ex, ey, v3_cross(ex, ey))) : *out;
    return status;
}

/* The shortest turn that takes z there. */
static carom_status from_z(const mjcf *m, const xml_element *e, const double *x, quat *out)
{
    v3 z = v3_make(0.0, 0.0, 1.0);
    v3 to = v3_load(x);
    carom_status status = robot_unit(&m->robot, e, "zaxis", &to);
    v3 axis = v3_cross(z, to);
    double sine = v3_norm(axis);
    axis = sine > 1e-10 ? v3_scale(1.0 / sine, axis) : v3_make(1.0, 0.0, 0.0);
    *out = status == CAROM_OK ? q_axis_angle(axis, atan2(sine, to.z)) : *out;
    return status;
}

static carom_status read_turn(const mjcf *m, const xml_element *e, quat *out)
{
    static const struct {
        const char *name;
        size_t count;
    } ways[] = { { "quat", 4 }, { "axisangle", 4 }, { "xyaxes", 6 }, { "zaxis", 3 }, { "euler", 3 } };
    double x[6];
    size_t count = 0;
    *out = q_identity();
    for (int i = 0; i < 5; ++i) {
        carom_status status = mjcf_reals(m, e, ways[i].name, ways[i].count, ways[i].count, x, &count);
        if (status != CAROM_OK) {
            return status;
        }
        if (count == 0) {
            continue;
        }
        quat q = { x[0], x[1], x[2], x[3] };
        switch (i) {
        case 0:
            *out = q_norm(q) > 0.0 ? q_unit(q) : *out;
            return q_norm(q) > 0.0 ? CAROM_OK : robot_fail(&m->robot, e, "quat is zero");
        case 1:
            return from_axis(m, e, x, out);
        case 2:
            return from_xy(m, e, x, out);
        case 3:
            return from_z(m, e, x, out);
        default:
            *out = from_euler(m, x);
            return CAROM_OK;
        }
    }
    return CAROM_OK;
}

carom_status mjcf_pose(const mjcf *m, const xml_element *e, carom_pose *out)
{
    v3 position = v3_zero();
    quat turn = q_identity();
    carom_status status = mjcf_vector(m, e, "pos", &position);
    status = status == CAROM_OK ? read_turn(m, e, &turn) : status;
    *out = pose_make(position, turn);
    return status;
}
