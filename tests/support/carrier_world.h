/* Mechanisms with carriers (carrier.h), made twice: carriers as bodies that deform, or as four rigid bodies each. A mass of a
 * carrier is named "arm_mass2": a body of its own, or a place on the body "arm". */
#ifndef CAROM_TESTS_CARRIER_WORLD_H
#define CAROM_TESTS_CARRIER_WORLD_H

#include "dynamics/columns.h"
#include "model/compile.h"
#include "support/carrier.h"
#include "support/sim.h"

enum { MOST_CARRIERS = 2, MOST_ELEMENTS = 8 };

typedef struct carrier_world {
    bool wide; /* carriers deform */
    carom_spec *spec;
    carom_scene_def scene;
    int carrier_count;
    char carriers[MOST_CARRIERS][16];
    carom_pose pose[MOST_CARRIERS]; /* at the start */
    double q[MOST_CARRIERS][CARRIED];
    double q_dot[MOST_CARRIERS][CARRIED];
    sim s;
} carrier_world;

static inline void mass_name(char out[32], const char *carrier, int k)
{
    snprintf(out, 32, "%s_mass%d", carrier, k + 1);
}

static inline carrier_world world_create(bool wide, v3 gravity, double end)
{
    carrier_world world = { .wide = wide, .spec = carom_spec_create(), .scene = carom_scene_def_default() };
    world.scene.gravity = gravity;
    world.scene.time.end = end;
    return world;
}

typedef struct start_motion {
    v3 position;
    quat orientation;
    v3 v, omega;
} start_motion;

static inline void world_add_rigid(carrier_world *world, const char *name, double mass, v3 inertia, start_motion at)
{
    carom_error err = { 0 };
    const double diagonal[3] = { inertia.x, inertia.y, inertia.z };
    carom_body_def def = carom_body_def_default();
    def.name = name;
    def.mass = mass;
    def.inertia = (carom_reals){ 3, diagonal };
    def.position = at.position;
    def.orientation = at.orientation;
    def.velocity = at.v;
    def.angular_velocity = at.omega;
    CHECK_OK(carom_spec_add_body(world->spec, &def, &err), err);
}

/* The slide of mass k: along the axis, on a thread where it has one. */
static inline void add_slide(carrier_world *world, const char *carrier, const char *mass, int k, start_motion at)
{
    carom_error err = { 0 };
    const carried_mass *c = &carrier_masses[k];
    char name[40];
    snprintf(name, sizeof name, "%s_slide", mass);
    const double per_travel = c->thread != 0.0 ? 1.0 / c->thread : 1.0; /* travel per unit of the coordinate */
    const carom_joint_spring_def spring = { .stiffness = c->stiffness * per_travel * per_travel,
                                            .damping = c->damping * per_travel * per_travel };
    const carom_screw_def screw = { .pitch = 2.0 * 3.14159265358979323846 * per_travel };
    carom_joint_def def = carom_joint_def_default();
    def.name = name;
    def.joint = c->thread != 0.0 ? (carom_choice){ "screw", &screw } : (carom_choice){ "prismatic", NULL };
    def.attachment.bodies[0] = carrier;
    def.attachment.bodies[1] = mass;
    def.attachment.at = v3_add(at.position, q_rotate(at.orientation, c->at));
    def.attachment.axis = q_rotate(at.orientation, c->axis);
    def.springs = (carom_list){ 1, &spring };
    CHECK_OK(carom_spec_add_joint(world->spec, &def, &err), err);
}

static inline void world_add_carrier(carrier_world *world, const char *name, start_motion at, const double q[CARRIED],
                                     const double q_dot[CARRIED])
{
    int i = world->carrier_count++;
    snprintf(world->carriers[i], sizeof world->carriers[i], "%s", name);
    world->pose[i] = (carom_pose){ at.position, at.orientation };
    memcpy(world->q[i], q, sizeof world->q[i]);
    memcpy(world->q_dot[i], q_dot, sizeof world->q_dot[i]);
    world_add_rigid(world, name, carrier_sample.mass, carrier_sample.inertia, at);
    for (int k = 0; k < CARRIED && !world->wide; ++k) {
        const carried_mass *c = &carrier_masses[k];
        char mass[32];
        mass_name(mass, name, k);
        v3 r = q_rotate(at.orientation, c->at);
        start_motion there = { v3_add(at.position, r), at.orientation, v3_add(at.v, v3_cross(at.omega, r)),
                               at.omega };
        world_add_rigid(world, mass, c->mass, v3_make(c->inertia, c->inertia, c->inertia), there);
        add_slide(world, name, mass, k, at);
    }
}

/* The carrier that a mass belongs to, as a body that deforms; other names as they are. */
static inline const char *world_body(const carrier_world *world, const char *name, char out[32])
{
    snprintf(out, 32, "%s", name);
    char *mass = strstr(out, "_mass");
    if (world->wide && mass) {
        *mass = '\0';
    }
    return out;
}

/* Where a place is drawn: the middle of a mass, or a point of the carrier's frame. */
static inline v3 world_place(const carrier_world *world, const char *name, v3 at_c)
{
    for (int i = 0; i < world->carrier_count; ++i) {
        size_t n = strlen(world->carriers[i]);
        if (strncmp(name, world->carriers[i], n) == 0) {
            int k = name[n] ? name[n + 5] - '1' : -1;
            v3 r = k >= 0 ? carrier_masses[k].at : at_c;
            return v3_add(world->pose[i].position, q_rotate(world->pose[i].orientation, r));
        }
    }
    return at_c;
}

/* Bodies by the names of the four-body model: world_add_joint_def puts in those of this one. */
static inline carom_joint_def joint_between(const char *name, const char *kind, const char *a, const char *b, v3 at,
                                            v3 axis)
{
    carom_joint_def def = carom_joint_def_default();
    def.name = name;
    def.joint = (carom_choice){ kind, NULL };
    def.attachment.bodies[0] = a;
    def.attachment.bodies[1] = b;
    def.attachment.at = at;
    def.attachment.axis = axis;
    return def;
}

static inline void world_add_joint_def(carrier_world *world, const carom_joint_def *def)
{
    carom_error err = { 0 };
    char names[2][32];
    carom_joint_def own = *def;
    for (int side = 0; side < 2 && own.attachment.bodies[side]; ++side) {
        own.attachment.bodies[side] = world_body(world, own.attachment.bodies[side], names[side]);
    }
    CHECK_OK(carom_spec_add_joint(world->spec, &own, &err), err);
}

static inline void world_add_joint(carrier_world *world, const char *name, const char *kind, const char *a,
                                   const char *b, v3 at, v3 axis)
{
    carom_joint_def def = joint_between(name, kind, a, b, at, axis);
    world_add_joint_def(world, &def);
}

static inline void world_add_force(carrier_world *world, const char *name, carom_choice force, const char *a,
                                   const char *b, v3 at, v3 at_b)
{
    carom_error err = { 0 };
    char first[32], second[32];
    const double second_at[3] = { at_b.x, at_b.y, at_b.z };
    carom_force_def def = carom_force_def_default();
    def.name = name;
    def.force = force;
    def.attachment.bodies[0] = world_body(world, a, first);
    if (b) {
        def.attachment.bodies[1] = world_body(world, b, second);
        def.attachment.at_b = (carom_reals){ 3, second_at };
    }
    def.attachment.at = at;
    CHECK_OK(carom_spec_add_force(world->spec, &def, &err), err);
}

/* Puts the mass bodies where the coordinates say; of carriers that deform sets the coordinates. */
static inline void place_carriers(carrier_world *world)
{
    carom_state *state = world->s.state;
    for (int i = 0; i < world->carrier_count; ++i) {
        int carrier = sim_body(&world->s, world->carriers[i]);
        if (world->wide) {
            int first = world->s.model->bodies[carrier].first_deform;
            memcpy(state->q + first, world->q[i], sizeof world->q[i]);
            memcpy(state->q_dot + first, world->q_dot[i], sizeof world->q_dot[i]);
            continue;
        }
        const body_frame frame = { state->pose[carrier], state->rate[carrier], q_matrix(state->pose[carrier].q_wb) };
        for (int k = 0; k < CARRIED; ++k) {
            char mass[32];
            mass_name(mass, world->carriers[i], k);
            int body = sim_body(&world->s, mass);
            const carried_mass *c = &carrier_masses[k];
            const carried_now now = carried_at(&carrier_sample, &frame, world->q[i], k);
            v3 turn = v3_scale(c->thread * world->q[i][k], now.n_w);
            state->pose[body] = (body_pose){ v3_add(frame.pose.x_w, now.r_w),
                                             q_unit(q_mul(so3_exp(turn), frame.pose.q_wb)) };
            v3 v = point_velocity(&frame.rate, now.r_w);
            state->rate[body] = (body_rate){ v3_axpy(v, world->q_dot[i][k], now.n_w),
                                             v3_axpy(frame.rate.omega_w, c->thread * world->q_dot[i][k], now.n_w) };
        }
    }
}

/* Compiles, places and assembles. */
static inline void world_start(carrier_world *world)
{
    carom_error err = { 0 };
    sim *s = &world->s;
    body_choice choices[MOST_CARRIERS];
    for (int i = 0; i < world->carrier_count; ++i) {
        choices[i] = (body_choice){ world->carriers[i], &carrier_type, &carrier_sample };
    }
    CHECK_OK(carom_spec_set_scene(world->spec, &world->scene, &err), err);
    CHECK_OK(compile_with_bodies(world->spec, NULL, choices, world->wide ? world->carrier_count : 0, &s->model, &err),
             err);
    s->state = carom_state_create(s->model);
    CHECK(s->state != NULL);
    CHECK_OK(carom_scratch_create(s->model, 1, &s->scratch, &err), err);
    place_carriers(world);
    CHECK_OK(carom_assemble(s->model, s->state, s->scratch, NULL, &err), err);
}

static inline void world_end(carrier_world *world)
{
    sim_end(&world->s);
    carom_spec_destroy(world->spec);
    world->spec = NULL;
}

/* Travel of mass k of a carrier, and its rate. */
static inline double world_travel(const carrier_world *world, int carrier, int k, bool rate)
{
    char name[64];
    const carried_mass *c = &carrier_masses[k];
    if (world->wide) {
        snprintf(name, sizeof name, "%s.deformation.%d%s", world->carriers[carrier], k + 1, rate ? ".rate" : "");
        return sim_signal(&world->s, name);
    }
    snprintf(name, sizeof name, "%s_mass%d_slide.%s%s", world->carriers[carrier], k + 1,
             c->thread != 0.0 ? "angle" : "travel", rate ? ".rate" : "");
    return sim_signal(&world->s, name) / (c->thread != 0.0 ? c->thread : 1.0);
}

#endif
