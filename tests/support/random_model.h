/* Random mechanisms: chains and loops of rigid bodies with joints of every kind, drawn so that they are assembled. */
#ifndef CAROM_TESTS_RANDOM_MODEL_H
#define CAROM_TESTS_RANDOM_MODEL_H

#include <carom/carom.h>

#include "math/quat.h"
#include "support/random.h"

typedef struct random_plan {
    int body_count;
    const char *const *joints; /* kinds, taken in turn; ended by NULL */
    bool grounded;             /* the first body is jointed to the ground       */
    bool loop;                 /* the last body is tied to the ground, or first */
    bool motion;               /* bodies start with random velocities           */
    carom_v3 gravity;
    double end; /* [s] */
    const char *integrator;
    double tolerance; /* 0: the preset's */
    double step;      /* 0: the preset's */
    carom_pose frame; /* everything is moved by this, gravity and velocities included */
} random_plan;

static inline random_plan random_plan_default(void)
{
    return (random_plan){ .body_count = 5,
                          .grounded = true,
                          .motion = true,
                          .gravity = { 0, 0, -9.81 },
                          .end = 1.0,
                          .integrator = "runge-kutta",
                          .frame = { .orientation = { 1, 0, 0, 0 } } };
}

static inline quat random_rotation(test_rng *rng)
{
    v3 axis = random_direction(rng);
    return q_axis_angle(axis, test_rng_uniform(rng, -3.0, 3.0));
}

static inline v3 random_plan_point(const random_plan *plan, v3 p)
{
    return v3_add(plan->frame.position, q_rotate(plan->frame.orientation, p));
}

static inline void random_add_body(carom_spec *spec, test_rng *rng, const random_plan *plan, int index, v3 near)
{
    char name[16];
    double inertia[3];
    double com[3];
    carom_error err = { 0 };
    carom_body_def def = carom_body_def_default();
    snprintf(name, sizeof name, "b%d", index);
    def.name = name;
    def.mass = test_rng_uniform(rng, 0.5, 2.0);
    for (int k = 0; k < 3; ++k) {
        inertia[k] = test_rng_uniform(rng, 0.05, 0.09);
        com[k] = test_rng_uniform(rng, -0.1, 0.1);
    }
    def.inertia = (carom_reals){ 3, inertia };
    def.center_of_mass = (carom_reals){ 3, com };
    def.position = random_plan_point(plan, v3_add(near, random_v3(rng, 0.2)));
    def.orientation = q_mul(plan->frame.orientation, random_rotation(rng));
    v3 velocity = random_v3(rng, 1.0);
    v3 spin = random_v3(rng, 1.5);
    if (plan->motion) {
        def.velocity = q_rotate(plan->frame.orientation, velocity);
        def.angular_velocity = q_rotate(plan->frame.orientation, spin);
    }
    CHECK_OK(carom_spec_add_body(spec, &def, &err), err);
}

static inline void random_add_joint(carom_spec *spec, test_rng *rng, const random_plan *plan, const char *kind,
                                    const char *name, const char *a, const char *b, v3 at)
{
    static const carom_screw_def screw = { .pitch = 0.3 };
    carom_error err = { 0 };
    carom_joint_def def = carom_joint_def_default();
    v3 z = random_direction(rng);
    v3 x = q_rotate(plan->frame.orientation, v3_across(z));
    v3 other = random_plan_point(plan, v3_add(at, v3_scale(0.9, random_direction(rng))));
    double x_axis[3];
    double at_b[3];
    v3_store(x_axis, x);
    v3_store(at_b, other);
    def.name = name;
    def.joint.kind = kind;
    def.attachment.bodies[0] = a;
    def.attachment.bodies[1] = b;
    def.attachment.at = random_plan_point(plan, at);
    def.attachment.axis = q_rotate(plan->frame.orientation, z);
    def.attachment.x_axis = (carom_reals){ 3, x_axis };
    if (strcmp(kind, "screw") == 0) {
        def.joint.params = &screw;
    }
    if (strcmp(kind, "distance") == 0) {
        def.attachment.at_b = (carom_reals){ 3, at_b };
    }
    CHECK_OK(carom_spec_add_joint(spec, &def, &err), err);
}

static inline carom_spec *random_spec(test_rng *rng, const random_plan *plan)
{
    carom_error err = { 0 };
    carom_spec *spec = carom_spec_create();
    carom_scene_def scene = carom_scene_def_default();
    int kinds = 0;
    while (plan->joints[kinds]) {
        ++kinds;
    }
    scene.gravity = q_rotate(plan->frame.orientation, plan->gravity);
    scene.time.end = plan->end;
    scene.time.preset = CAROM_ACCURATE;
    scene.time.integrator.kind = plan->integrator;
    scene.time.tolerance = plan->tolerance;
    scene.time.step = plan->step;
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    for (int i = 0; i < plan->body_count; ++i) {
        random_add_body(spec, rng, plan, i, v3_make(0.6 * i, 0.0, 0.0));
    }
    for (int i = plan->grounded ? 0 : 1; i < plan->body_count; ++i) {
        char name[16];
        char a[16];
        char b[16];
        snprintf(name, sizeof name, "j%d", i);
        snprintf(a, sizeof a, "b%d", i - 1);
        snprintf(b, sizeof b, "b%d", i);
        v3 at = v3_add(v3_make(0.6 * i - 0.3, 0.0, 0.0), random_v3(rng, 0.2));
        random_add_joint(spec, rng, plan, plan->joints[i % kinds], name, i > 0 ? a : "ground", b, at);
    }
    if (plan->loop) {
        char b[16];
        snprintf(b, sizeof b, "b%d", plan->body_count - 1);
        random_add_joint(spec, rng, plan, "distance", "closing", plan->grounded ? "ground" : "b0", b,
                         v3_make(0.6 * plan->body_count - 0.5, 0.3, 0.1));
    }
    return spec;
}

#endif
