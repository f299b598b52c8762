/* Joints: markers, equations, coordinates, springs, stops, drivers; and couplers between joints. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

#include "base/error_list.h"
#include "base/text.h"
#include "model/fields.h"
#include "model/method.h"

static v3 start_center(const model_body *body)
{
    return v3_add(body->start.position, q_rotate(body->start.orientation, body->com_b));
}

/* A world pose at the start, seen from the frame at the body's centre of mass. */
static body_point in_body(const model_body *body, carom_pose pose_w)
{
    return (body_point){
        .position = q_unrotate(body->start.orientation, v3_sub(pose_w.position, start_center(body))),
        .orientation = q_mul(q_conj(body->start.orientation), pose_w.orientation),
    };
}

static body_point from_frame(const model_body *body, const carom_frame_def *frame)
{
    return (body_point){ .position = v3_sub(frame->position, body->com_b),
                         .orientation = q_unit(frame->orientation) };
}

/* z along the axis, x along the part of x_axis across it. */
static carom_status world_axes(const carom_attachment *attachment, quat *out, carom_error *err)
{
    v3 z = v3_unit(attachment->axis);
    if (attachment->x_axis.count == 0) {
        *out = q_frame_with_z(z);
        return CAROM_OK;
    }
    v3 given = v3_load(attachment->x_axis.data);
    v3 across = v3_sub(given, v3_scale(v3_dot(given, z), z));
    if (v3_norm(across) < 1e-6 * v3_norm(given) || v3_norm(given) == 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "x_axis [%g, %g, %g] is parallel to the axis; it must point across it", given.x, given.y,
                          given.z);
    }
    v3 x = v3_unit(across);
    *out = q_from_matrix(m3_from_columns(x, v3_cross(z, x), z));
    return CAROM_OK;
}

/* How the marker follows the deformation of its body. */
static carom_status attach(carom_model *model, const model_body *body, body_point *point, carom_error *err)
{
    carom_error why = { 0 };
    carom_status status = body->type->attach(body->params, point, &model->arena, &why);
    return status == CAROM_OK ? status : carom_fail(err, status, "body '%.100s': %.500s", body->name, why.message);
}

/* On a body in nodal coordinates the body of its section takes hold. */
static carom_status find_section(const carom_model *model, const carom_frame_def *frame, v3 place_w, int *body,
                                 carom_error *err)
{
    const model_body *b = &model->bodies[*body];
    if (!b->nodal) {
        return CAROM_OK;
    }
    v3 in_frame = q_unrotate(b->start.orientation, v3_sub(place_w, b->start.position));
    return compile_find_section(model, body, frame->given ? frame->position : in_frame, err);
}

carom_status compile_markers(carom_model *model, const carom_attachment *attachment, int body[2],
                             body_point marker_c[2], carom_error *err)
{
    quat axes_w;
    carom_status status = world_axes(attachment, &axes_w, err);
    if (status != CAROM_OK) {
        return status;
    }
    v3 at_b = attachment->at_b.count == 3 ? v3_load(attachment->at_b.data) : attachment->at;
    for (int side = 0; side < 2; ++side) {
        if (body[side] < 0) {
            continue;
        }
        const carom_frame_def *frame = side == 0 ? &attachment->frame_a : &attachment->frame_b;
        carom_pose world = { side == 0 ? attachment->at : at_b, axes_w };
        bool at_center = !v3_finite(world.position); /* not given: forces act at the centre of mass */
        world.position = at_center ? start_center(&model->bodies[body[side]]) : world.position;
        status = status == CAROM_OK ? find_section(model, frame, world.position, &body[side], err) : status;
        if (status != CAROM_OK) {
            return status;
        }
        const model_body *b = &model->bodies[body[side]];
        marker_c[side] = frame->given ? from_frame(b, frame) : in_body(b, world);
        status = status == CAROM_OK ? attach(model, b, &marker_c[side], err) : status;
    }
    return status;
}

marker compile_start_marker(const carom_model *model, int body, body_point marker_c)
{
    const model_body *b = &model->bodies[body];
    marker m = { .omega_w = b->start_omega_w };
    m.r_w = q_rotate(b->start.orientation, marker_c.position);
    m.p_w = v3_add(start_center(b), m.r_w);
    m.R_w = q_matrix(q_mul(b->start.orientation, marker_c.orientation));
    m.v_w = v3_add(b->start_velocity, v3_cross(m.omega_w, v3_sub(m.p_w, b->start.position)));
    m.c_w = v3_cross(m.omega_w, v3_cross(m.omega_w, m.r_w));
    return m;
}

static carom_status no_such(const carom_model *model, const char *what, const char *name, carom_error *err)
{
    if (compile_follows(model, name)) {
        return carom_fail(err, CAROM_BAD_INPUT, "the %s '%.100s' was refused", what, name);
    }
    static const char *const classes[] = { "body", "joint", "gear", "force" };
    int code = carom_names_find(&model->names, name);
    if (code >= 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.100s' is a %s, not a %s", name, classes[element_class(code)],
                          what);
    }
    const char *nearest = carom_text_nearest(name, model->names.keys, model->names.capacity);
    return carom_fail(err, CAROM_BAD_INPUT, "there is no %s '%.100s'%s%.100s%s", what, name,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static int find_element(const carom_model *model, const char *name, element_kind kind)
{
    int code = name ? carom_names_find(&model->names, name) : -1;
    return code >= 0 && element_class(code) == kind ? element_index(code) : -1;
}

carom_status compile_find_body(const carom_model *model, const char *name, int *body, carom_error *err)
{
    *body = find_element(model, name, ELEMENT_BODY);
    return *body >= 0 ? CAROM_OK : no_such(model, "body", name ? name : "", err);
}

carom_status compile_find_joint(const carom_model *model, const char *name, int *joint, carom_error *err)
{
    *joint = find_element(model, name, ELEMENT_JOINT);
    return *joint >= 0 ? CAROM_OK : no_such(model, "joint", name ? name : "", err);
}

carom_status compile_find_coordinate(const carom_model *model, int joint, const char *name, int *coordinate,
                                     carom_error *err)
{
    const carom_joint_type *type = model->joints[joint].type;
    if (!name && (type->coordinate_count == 1 || type->has_play)) {
        *coordinate = 0;
        return CAROM_OK;
    }
    char list[128] = "";
    for (int k = 0; k < type->coordinate_count; ++k) {
        if (name && strcmp(name, type->coordinates[k].name) == 0) {
            *coordinate = k;
            return CAROM_OK;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s'%s'", k ? ", " : "", type->coordinates[k].name);
    }
    if (type->coordinate_count == 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "a %s joint ('%.100s') has no coordinate", type->kind.name,
                          model->joints[joint].name);
    }
    return carom_fail(err, CAROM_BAD_INPUT, "%s%.100s%s of %s joint '%.100s': its coordinates are %s",
                      name ? "no coordinate '" : "say which 'coordinate'", name ? name : "", name ? "'" : "",
                      type->kind.name, model->joints[joint].name, list);
}

static carom_status compile_springs(carom_model *model, int index, const carom_list *defs, carom_error *err)
{
    model_joint *joint = &model->joints[index];
    const carom_joint_spring_def *def = defs->items;
    model_joint_spring *springs = CAROM_ARENA_ARRAY(&model->arena, model_joint_spring, defs->count);
    carom_status status = springs ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    for (size_t i = 0; status == CAROM_OK && i < defs->count; ++i) {
        springs[i] = (model_joint_spring){ 0, def[i].stiffness, def[i].damping, def[i].free, def[i].preload };
        status = compile_find_coordinate(model, index, def[i].coordinate, &springs[i].coordinate, err);
    }
    joint->springs = springs;
    joint->spring_count = (int)defs->count;
    return status;
}

/* A stop on which the lighter side would vibrate at this frequency: stiff, yet resolved by steps of a millisecond. */
static const double STOP_FREQUENCY_HZ = 100.0;

static double default_stop_stiffness(const carom_model *model, const model_joint *joint, bool angle)
{
    double lightest = HUGE_VAL;
    for (int side = 0; side < 2; ++side) {
        const model_body *b = &model->bodies[joint->body[side]];
        if (b->slot >= 0) {
            double about_marker = 0.5 * m3_trace(b->inertia_b) + b->mass * v3_norm2(joint->marker_c[side].position);
            lightest = fmin(lightest, angle ? about_marker : b->mass);
        }
    }
    double omega = 2.0 * 3.14159265358979323846 * STOP_FREQUENCY_HZ;
    return lightest * omega * omega;
}

static carom_status compile_limits(carom_model *model, int index, const carom_list *defs, carom_error *err)
{
    model_joint *joint = &model->joints[index];
    const carom_joint_limit_def *def = defs->items;
    model_joint_limit *limits = CAROM_ARENA_ARRAY(&model->arena, model_joint_limit, defs->count);
    carom_status status = limits ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    for (size_t i = 0; status == CAROM_OK && i < defs->count; ++i) {
        limits[i] = (model_joint_limit){ .min = def[i].min,
                                         .max = def[i].max,
                                         .stiffness = def[i].stiffness,
                                         .damping = def[i].damping,
                                         .restitution = def[i].restitution };
        status = compile_find_coordinate(model, index, def[i].coordinate, &limits[i].coordinate, err);
        if (status == CAROM_OK && limits[i].stiffness == 0.0) {
            bool angle = joint->type->coordinates[limits[i].coordinate].angle;
            limits[i].stiffness = default_stop_stiffness(model, joint, angle);
        }
        if (status == CAROM_OK && def[i].restitution > 1.0) {
            status = carom_fail(err, CAROM_BAD_INPUT, "limits of joint '%.100s': restitution %g must not exceed 1",
                                joint->name, def[i].restitution);
        }
    }
    joint->limits = limits;
    joint->limit_count = (int)defs->count;
    return status;
}

static carom_status compile_driver(carom_model *model, int index, const carom_joint_motion_def *def, carom_error *err)
{
    model_joint *joint = &model->joints[index];
    int coordinate = 0;
    carom_status status = compile_find_coordinate(model, index, def->coordinate, &coordinate, err);
    if (status != CAROM_OK) {
        return status;
    }
    const joint_coordinate *c = &joint->type->coordinates[coordinate];
    for (int k = 0; k < joint->driver_count; ++k) {
        if (joint->drivers[k].coordinate == coordinate) {
            return carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s' has two motions of '%s'", joint->name, c->name);
        }
    }
    if (!c->drivable) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%s' of %s joint '%.100s' cannot be prescribed", c->name,
                          joint->type->kind.name, joint->name);
    }
    const char *what = carom_arena_printf(&model->arena, "motion of joint '%s'", joint->name);
    value_request request = { .value = &def->value, .force = -1, .time_only = true, .smooth = true, .what = what };
    int k = joint->driver_count++;
    joint->drivers[k].coordinate = coordinate;
    return compile_value(model, &request, &joint->drivers[k].value, err);
}

/* `angle` and `travel` name the coordinate themselves. */
static carom_joint_start_def spelled_out(const carom_joint_start_def *def)
{
    carom_joint_start_def out = *def;
    const char *name = !isnan(def->angle) ? "angle" : !isnan(def->travel) ? "travel" : NULL;
    out.coordinate = name ? name : def->coordinate;
    out.value = !isnan(def->angle) ? def->angle : !isnan(def->travel) ? def->travel : def->value;
    return out;
}

static carom_status check_spelling(const model_joint *joint, const carom_joint_start_def *def, carom_error *err)
{
    int values = !isnan(def->value) + !isnan(def->angle) + !isnan(def->travel);
    if (values == 0 && isnan(def->rate)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "start of joint '%.100s' says nothing; give the 'value' of the coordinate, its 'rate', or both",
            joint->name);
    }
    const char *name = spelled_out(def).coordinate;
    bool other = name && def->coordinate && strcmp(name, def->coordinate) != 0;
    if (values > 1 || other) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "start of joint '%.100s' speaks of several coordinates at once; write a list with one entry each",
            joint->name);
    }
    return CAROM_OK;
}

static carom_status check_start(const model_joint *joint, int coordinate, carom_error *err)
{
    const joint_coordinate *c = &joint->type->coordinates[coordinate];
    for (int k = 0; k < joint->start_count; ++k) {
        if (joint->starts[k].coordinate == coordinate) {
            return carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s' has two starts of '%s'", joint->name, c->name);
        }
    }
    for (int k = 0; k < joint->driver_count; ++k) {
        if (joint->drivers[k].coordinate == coordinate) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "'%s' of joint '%.100s' has a motion, which says where it starts and how fast; leave out "
                "its 'start'",
                c->name, joint->name);
        }
    }
    return c->drivable
               ? CAROM_OK
               : carom_fail(
                     err, CAROM_BAD_INPUT,
                     "'%s' of %s joint '%.100s' cannot be given at the start, because it does not say to which "
                     "side; give 'orientation' and 'angular_velocity' of a body instead",
                     c->name, joint->type->kind.name, joint->name);
}

static carom_status compile_start(const carom_model *model, int index, const carom_joint_start_def *given,
                                  carom_error *err)
{
    model_joint *joint = &model->joints[index];
    const carom_joint_start_def def = spelled_out(given);
    int coordinate = 0;
    carom_status status = check_spelling(joint, given, err);
    status = status == CAROM_OK ? compile_find_coordinate(model, index, def.coordinate, &coordinate, err) : status;
    status = status == CAROM_OK ? check_start(joint, coordinate, err) : status;
    if (status == CAROM_OK) {
        joint->starts[joint->start_count++] = (model_joint_start){ coordinate, def.value, def.rate };
    }
    return status;
}

/* Stops that are springs push at once where the joint starts beyond them; rigid ones refuse the start themselves. */
static void note_excluded_start(carom_model *model, const model_joint *joint)
{
    carom_joint_frames frames = { .a = compile_start_marker(model, joint->body[0], joint->marker_c[0]),
                                  .b = compile_start_marker(model, joint->body[1], joint->marker_c[1]) };
    double q[JOINT_COORDINATES] = { 0 };
    if (joint->limit_count == 0 || model->method->rigid_stops) {
        return;
    }
    joint->type->coordinate(q, &frames, joint->params);
    for (int k = 0; k < joint->start_count; ++k) {
        q[joint->starts[k].coordinate] = isnan(joint->starts[k].value) ? q[joint->starts[k].coordinate]
                                                                       : joint->starts[k].value;
    }
    for (int k = 0; k < joint->driver_count; ++k) {
        q[joint->drivers[k].coordinate] = (double)NAN; /* the motion decides */
    }
    for (int k = 0; k < joint->limit_count; ++k) {
        const model_joint_limit *limit = &joint->limits[k];
        const joint_coordinate *c = &joint->type->coordinates[limit->coordinate];
        double at = q[limit->coordinate];
        double beyond = fmax(limit->min - at, at - limit->max);
        if (beyond > 1e-6 * (c->angle ? 1.0
                                      : fmax(fabs(limit->min) < HUGE_VAL ? fabs(limit->min) : 0.0,
                                             fabs(limit->max) < HUGE_VAL ? fabs(limit->max) : 0.0))) {
            compile_note(
                model, (note_place){ .origin = &joint->origin, .inside = "limits", .warning = true },
                "joint '%.100s' starts %.3g %s beyond its stop (its %s is %.4g %s there, %s %.4g): the stop throws "
                "it back at once",
                joint->name, beyond, c->angle ? "rad" : "m", c->name, at, c->angle ? "rad" : "m",
                at > limit->max ? "the maximum is" : "the minimum is", at > limit->max ? limit->max : limit->min);
        }
    }
}

static carom_status find_bodies(const carom_model *model, model_joint *joint, const carom_joint_def *def,
                                carom_error *err)
{
    for (int side = 0; side < 2; ++side) {
        if (!def->attachment.bodies[side]) {
            return carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s' needs \"bodies\": [\"A\", \"B\"]", def->name);
        }
        carom_status status = compile_find_body(model, def->attachment.bodies[side], &joint->body[side], err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    if (joint->body[0] == joint->body[1]) {
        return carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s' joins '%.100s' with itself", def->name,
                          def->attachment.bodies[0]);
    }
    const model_body *a = &model->bodies[joint->body[0]];
    const model_body *b = &model->bodies[joint->body[1]];
    if (a->slot < 0 && b->slot < 0 && !a->nodal && !b->nodal) {
        return carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s' joins '%.80s' and '%.80s', neither of which can move",
                          def->name, def->attachment.bodies[0], def->attachment.bodies[1]);
    }
    return CAROM_OK;
}

/* Parameters in memory of the model, completed from the drawing where the type wants it. */
static carom_status prepare_params(carom_model *model, model_joint *joint, const carom_joint_def *def,
                                   carom_error *err)
{
    void *params = kind_copy(&model->arena, &joint->type->kind, def->joint.params, 0);
    joint->params = params;
    if (!params || !joint->type->prepare) {
        return compile_check_memory(model, err);
    }
    carom_joint_frames frames = { .a = compile_start_marker(model, joint->body[0], joint->marker_c[0]),
                                  .b = compile_start_marker(model, joint->body[1], joint->marker_c[1]) };
    carom_error why = { 0 };
    carom_status status = joint->type->prepare(params, &frames, &why);
    return status == CAROM_OK ? status : carom_fail(err, status, "joint '%.100s': %.500s", joint->name, why.message);
}

/* Friction is looked at where it acts: elsewhere it is data for another method. */
static carom_status check_friction(const carom_model *model, const carom_joint_def *def, const carom_joint_type *type,
                                   carom_error *err)
{
    bool acts = def->friction.given && def->friction.coefficient > 0.0 && model->method->joint_friction;
    bool loose = def->clearance.given && def->clearance.play > 0.0; /* then it is that of a contact */
    bool has_radius = def->friction.radius > 0.0 || (loose && def->clearance.radius > 0.0);
    if (!acts || (loose && !type->friction)) {
        return CAROM_OK;
    }
    if (!type->friction) {
        return carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s': a %s joint has no friction; leave it out", def->name,
                          type->kind.name);
    }
    if (type->friction_turns && !has_radius) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "friction of joint '%.100s' needs the radius at which the surfaces of the %s joint slip: \"friction\": "
            "{\"coefficient\": %g, \"radius\": ...}",
            def->name, type->kind.name, def->friction.coefficient);
    }
    return CAROM_OK;
}

/* "'a' or 'b'": the methods whose table has this flag set. Returns buffer. */
static const char *methods_with(size_t flag, char *buffer, size_t size)
{
    const carom_kind *const *kinds = carom_method_kinds();
    size_t count = 0;
    size_t used = 0;
    while (kinds[count]) {
        ++count;
    }
    buffer[0] = '\0';
    while (count-- > 0 && used < size) { /* the last of the list is the most able */
        const char *method = (const char *)carom_method_find(kinds[count]->name);
        if (*(const bool *)(method + flag)) {
            used += (size_t)snprintf(buffer + used, size - used, "%s'%s'", used ? " or " : "", kinds[count]->name);
        }
    }
    return buffer;
}

/* Dry friction acts where the method resolves it, or, in a joint with clearance, where surfaces meet. */
static void note_ignored_friction(carom_model *model, const model_joint *joint, const carom_joint_def *def)
{
    const carom_method *method = model->method;
    bool loose = joint->clearance > 0.0 && method->clearance;
    if (def->friction.given && def->friction.coefficient > 0.0 && !method->joint_friction && !loose) {
        char others[128];
        compile_note(model, (note_place){ .origin = &joint->origin, .inside = "friction" },
                     "friction of joint '%.100s' is ignored by the method '%s'; only %s has dry friction in joints",
                     joint->name, method->kind.name,
                     methods_with(offsetof(carom_method, joint_friction), others, sizeof others));
    }
}

static void note_ignored_restitution(carom_model *model, const model_joint *joint)
{
    for (int k = 0; k < joint->limit_count && !model->method->rigid_stops; ++k) {
        if (joint->limits[k].restitution > 0.0) {
            char others[128];
            compile_note(model, (note_place){ .origin = &joint->origin, .inside = "limits" },
                         "restitution %g of a stop of joint '%.100s' is ignored by the method '%s', whose stops are "
                         "springs: 'damping' takes energy there; only %s has stops that knock",
                         joint->limits[k].restitution, joint->name, model->method->kind.name,
                         methods_with(offsetof(carom_method, rigid_stops), others, sizeof others));
        }
    }
}

static double given_or(double given, double otherwise)
{
    return given > 0.0 ? given : otherwise;
}

static carom_status check_clearance(const carom_model *model, const model_joint *joint, const carom_joint_type *rigid,
                                    carom_error *err)
{
    if (!rigid->with_clearance) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "joint '%.100s': a %s joint cannot have a clearance; only revolute and prismatic joints can", joint->name,
            rigid->kind.name);
    }
    if (!model->method->clearance) {
        char others[128];
        return carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s' has a clearance, which method '%s' ignores; take %s",
                          joint->name, model->method->kind.name,
                          methods_with(offsetof(carom_method, clearance), others, sizeof others));
    }
    if (rigid->with_clearance == &carom_joint_prismatic_play && !(joint->guide_length > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "clearance of joint '%.100s' needs the \"length\" of the slider in its guide", joint->name);
    }
    return CAROM_OK;
}

/* Chooses the joint's type: with clearance that with play. */
static carom_status compile_clearance(const carom_model *model, model_joint *joint, const carom_joint_def *def,
                                      carom_error *err)
{
    const carom_joint_type *rigid = joint->type;
    if (!def->clearance.given || def->clearance.play == 0.0) {
        return CAROM_OK;
    }
    joint->clearance = def->clearance.play;
    joint->bearing_radius = given_or(def->clearance.radius, def->friction.given ? def->friction.radius : 0.0);
    if (rigid->with_clearance == &carom_joint_prismatic_play) {
        joint->guide_length = given_or(def->clearance.length, def->friction.given ? def->friction.length : 0.0);
    }
    carom_status status = check_clearance(model, joint, rigid, err);
    joint->type = status == CAROM_OK ? rigid->with_clearance : rigid;
    return status;
}

/* Assembly puts joints together, but it leaves alone what has play: a drawing that does not fit would start with the
 * surfaces deep in each other. A little is what loaded surfaces give. */
static carom_status check_play(const carom_model *model, const model_joint *joint, carom_error *err)
{
    carom_joint_frames frames = { .a = compile_start_marker(model, joint->body[0], joint->marker_c[0]),
                                  .b = compile_start_marker(model, joint->body[1], joint->marker_c[1]) };
    double q[JOINT_COORDINATES] = { 0 };
    joint->type->coordinate(q, &frames, joint->params);
    bool slider = joint->type == &carom_joint_prismatic_play;
    double offset = slider ? fabs(q[1]) + fabs(sin(q[2])) * 0.5 * joint->guide_length : hypot(q[1], q[2]);
    if (offset <= 2.0 * joint->clearance) {
        return CAROM_OK;
    }
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "joint '%.100s' starts %.3g m off its middle, outside its clearance of %.3g m; bring \"at_b\", the "
        "frames or the bodies nearer",
        joint->name, offset, joint->clearance);
}

static carom_status compile_extras(carom_model *model, int index, const carom_joint_def *def, carom_error *err)
{
    const carom_joint_motion_def *motions = def->motions.items;
    carom_status status = compile_springs(model, index, &def->springs, err);
    if (status == CAROM_OK) {
        status = compile_limits(model, index, &def->limits, err);
    }
    for (size_t i = 0; status == CAROM_OK && i < def->motions.count; ++i) {
        status = compile_driver(model, index, &motions[i], err);
    }
    const carom_joint_start_def *starts = def->starts.items;
    for (size_t i = 0; status == CAROM_OK && i < def->starts.count; ++i) {
        status = compile_start(model, index, &starts[i], err);
    }
    return status;
}

static carom_status compile_joint(carom_model *model, const carom_joint_def *def, const carom_joint_type *type,
                                  const spec_origin *origin, carom_error *err)
{
    int index = model->joint_count;
    model_joint *joint = &model->joints[index];
    *joint = (model_joint){ .name = carom_arena_text(&model->arena, def->name),
                            .type = type,
                            .first_row = model->row_count,
                            .first_coordinate = model->coordinate_count,
                            .friction = def->friction,
                            .origin = compile_origin(model, origin) };
    carom_status status = compile_check_memory(model, err);
    if (status == CAROM_OK) {
        status = check_friction(model, def, type, err);
    }
    if (status == CAROM_OK) {
        status = compile_clearance(model, joint, def, err);
    }
    if (status == CAROM_OK) {
        status = find_bodies(model, joint, def, err);
    }
    if (status == CAROM_OK) {
        status = compile_markers(model, &def->attachment, joint->body, joint->marker_c, err);
    }
    if (status == CAROM_OK) {
        status = prepare_params(model, joint, def, err);
    }
    if (status == CAROM_OK && joint->clearance > 0.0) {
        status = check_play(model, joint, err);
    }
    if (status == CAROM_OK) {
        status = compile_extras(model, index, def, err);
    }
    if (status == CAROM_OK) {
        note_ignored_friction(model, joint, def);
        note_ignored_restitution(model, joint);
        note_excluded_start(model, joint);
        carom_names_add(&model->names, joint->name, element_code(ELEMENT_JOINT, index));
        model->joint_count++;
        model->row_count += joint->type->equation_count + joint->driver_count;
        model->coordinate_count += joint->type->coordinate_count;
    }
    return status;
}

/* What a gear cannot have. */
static carom_status check_gear(const carom_model *model, const carom_joint_def *def, carom_error *err)
{
    if (def->starts.count > 0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "gear '%.100s' has no coordinate of its own; give the 'start' of its joints", def->name);
    }
    if (def->clearance.given && def->clearance.play > 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "gear '%.100s' cannot have a clearance; only revolute and prismatic joints can", def->name);
    }
    return check_friction(model, def, carom_joint_type_find(def->joint.kind), err);
}

static carom_status compile_coupler(carom_model *model, const carom_joint_def *def, const spec_origin *origin,
                                    carom_error *err)
{
    const carom_gear_def *gear = def->joint.params;
    model_coupler *coupler = &model->couplers[model->coupler_count];
    *coupler = (model_coupler){ .name = carom_arena_text(&model->arena, def->name),
                                .row = model->row_count,
                                .origin = compile_origin(model, origin) };
    if (!gear) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear '%.100s' names no joints", def->name);
    }
    if (gear->ratio == 0.0 || !isfinite(gear->ratio)) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear '%.100s' needs a ratio other than %g", def->name, gear->ratio);
    }
    coupler->ratio = gear->ratio;
    const char *joints[2] = { gear->joint_1, gear->joint_2 };
    const char *coordinates[2] = { gear->coordinate_1, gear->coordinate_2 };
    for (int k = 0; k < 2; ++k) {
        carom_status status = compile_find_joint(model, joints[k], &coupler->joint[k], err);
        if (status == CAROM_OK) {
            status = compile_find_coordinate(model, coupler->joint[k], coordinates[k], &coupler->coordinate[k], err);
        }
        if (status != CAROM_OK) {
            return status;
        }
        if (!model->joints[coupler->joint[k]].type->coordinates[coupler->coordinate[k]].drivable) {
            return carom_fail(err, CAROM_BAD_INPUT, "gear '%.100s': that coordinate of '%.100s' cannot be coupled",
                              def->name, joints[k]);
        }
    }
    if (coupler->joint[0] == coupler->joint[1] && coupler->coordinate[0] == coupler->coordinate[1]) {
        return carom_fail(err, CAROM_BAD_INPUT, "gear '%.100s' couples a coordinate with itself", def->name);
    }
    carom_status status = check_gear(model, def, err);
    status = status == CAROM_OK ? compile_check_memory(model, err) : status; /* for the name */
    if (status != CAROM_OK) {
        return status;
    }
    carom_names_add(&model->names, coupler->name, element_code(ELEMENT_COUPLER, model->coupler_count));
    model->coupler_count++;
    model->row_count++;
    return CAROM_OK;
}

/* One definition: a joint, or, among the couplers, a coupler. */
static carom_status compile_joint_def(carom_model *model, const carom_joint_def *def, const spec_origin *origin,
                                      bool couplers, carom_error *err)
{
    const carom_joint_type *type = def->joint.kind ? carom_joint_type_find(def->joint.kind) : NULL;
    if (!type) {
        return couplers ? CAROM_OK : carom_fail(err, CAROM_BAD_INPUT, "joint '%.100s' has no known type", def->name);
    }
    if (type->couples_joints != couplers) {
        return CAROM_OK;
    }
    return couplers ? compile_coupler(model, def, origin, err) : compile_joint(model, def, type, origin, err);
}

/* Couplers name joints, so they come after all of them. */
carom_status compile_joints(carom_model *model, const carom_spec *spec, carom_error *err)
{
    size_t count = carom_spec_joint_count(spec);
    model->joints = CAROM_ARENA_ARRAY(&model->arena, model_joint, count);
    model->couplers = CAROM_ARENA_ARRAY(&model->arena, model_coupler, count);
    if (model->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %zu joints", count);
    }
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < 2 * count && error_goes_on(err, status); ++k) {
        size_t i = k % count;
        const carom_joint_def *def = carom_spec_joint(spec, i);
        const spec_origin *origin = carom_spec_joint_origin(spec, i);
        carom_status one = compile_joint_def(model, def, origin, k >= count, err);
        status = one == CAROM_OK ? status : error_worse(status, compile_refuse(model, def->name, origin, one, err));
    }
    return status;
}
