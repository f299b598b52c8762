/* Laws that hold for contact forces wherever bodies touch, over random poses and velocities: action and reaction, their
 * tangents, elastic forces that derive from a potential, friction that never drives, indifference to the order of
 * bodies in the scene. */
#include "support/contact_scene.h"
#include "support/random.h"

#include "dynamics/contact.h"
#include "dynamics/integrator.h"
#include "model/method.h"

enum { SEEDS = 20 };

/* ---- looking at contact forces -------------------------------------------------------------------------------------- */

/* Forces and torques about the centres of mass of two bodies. */
typedef struct wrenches {
    double on[12]; /* [first: force, torque; second: force, torque] */
    int count;
    double elastic;  /* [J] */
    double friction; /* [W] lost */
} wrenches;

/* Contact at the poses and velocities in the state, where a step would begin; bodies 1 and 2 of the model. */
static wrenches contact_at(sim *s)
{
    carom_scratch *w = s->scratch;
    integrator_load(w, s->state);
    work_place(w, 0.0, state_motion(s->state));
    work_forces(w);
    contact_totals totals = s->model->method->forces->totals(w->contact);
    wrenches out = { .count = totals.count, .elastic = w->elastic, .friction = w->power.work[ACCOUNT_FRICTION] };
    for (int k = 0; k < 2; ++k) {
        v3_store(out.on + 6 * k, totals.force_w[k + 1]);
        v3_store(out.on + 6 * k + 3, totals.torque_w[k + 1]);
    }
    return out;
}

static v3 axis(int k)
{
    return v3_make(k == 0, k == 1, k == 2);
}

/* Moves body 1 + column / 6 along one of its six directions. */
static void nudge_pose(sim *s, int column, double by)
{
    body_pose *p = &s->state->pose[1 + column / 6];
    v3 d = v3_scale(by, axis(column % 3));
    *p = column % 6 < 3 ? pose_moved(*p, d, v3_zero()) : pose_moved(*p, v3_zero(), d);
}

static void nudge_rate(sim *s, int column, double by)
{
    body_rate *r = &s->state->rate[1 + column / 6];
    v3 *x = column % 6 < 3 ? &r->v_w : &r->omega_w;
    *x = v3_axpy(*x, by, axis(column % 3));
}

/* Minus the derivative of the twelve forces by one direction. */
static void slope(sim *s, void (*nudge)(sim *, int, double), int column, double h, double out[12])
{
    nudge(s, column, h);
    wrenches above = contact_at(s);
    nudge(s, column, -2.0 * h);
    wrenches below = contact_at(s);
    nudge(s, column, h);
    for (int k = 0; k < 12; ++k) {
        out[k] = -(above.on[k] - below.on[k]) / (2.0 * h);
    }
}

static const char *const steady = "\"end\": 1, \"integrator\": \"runge-kutta\"";

static quat random_turn(test_rng *rng)
{
    v3 direction = random_direction(rng);
    return q_axis_angle(direction, test_rng_uniform(rng, -3.0, 3.0));
}

/* A small box whose lowest corner is a little inside the upper face of a large one. */
static contact_scene corner_in_face(test_rng *rng, const char *contact)
{
    const double half = 0.05;
    quat q = random_turn(rng);
    double lowest = 0.0;
    for (int k = 0; k < 8; ++k) {
        v3 corner = { k & 1 ? half : -half, k & 2 ? half : -half, k & 4 ? half : -half };
        lowest = fmin(lowest, q_rotate(q, corner).z);
    }
    double depth = test_rng_uniform(rng, 5e-4, 2e-3);
    double x = test_rng_uniform(rng, -0.05, 0.05);
    double y = test_rng_uniform(rng, -0.05, 0.05);
    v3 v = random_v3(rng, 0.3);
    v3 w = random_v3(rng, 2.0);
    return (contact_scene){
        .contact = contact,
        .time = steady,
        .body_count = 2,
        .bodies = { { .name = "large", .shape = "{\"box\": [0.4, 0.4, 0.4]}", .more = "\"density\": 1000," },
                    { .name = "small",
                      .shape = "{\"box\": [0.1, 0.1, 0.1]}",
                      .more = "\"density\": 1000,",
                      .position = { x, y, 0.2 - depth - lowest },
                      .orientation = q,
                      .velocity = v,
                      .spin = w } }
    };
}

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

/* ---- tangents ------------------------------------------------------------------------------------------------------- */

static const contact_tangent *tangent_at(sim *s, double stiffness, double damping)
{
    int count = 0;
    contact_at(s);
    const contact_tangent *t = s->model->method->forces->tangents(s->scratch->contact, stiffness, damping, &count);
    CHECK_EQ(count, 1);
    CHECK_EQ(t->body[0], 1);
    CHECK_EQ(t->body[1], 2);
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < i; ++k) {
            CHECK_NEAR(t->H[i][k], t->H[k][i], 1e-9 * (fabs(t->H[i][i]) + fabs(t->H[k][k])));
        }
    }
    return t;
}

/* On a flat field the normal stays while bodies shift: columns of displacements are exact but for the arm of a force
 * that stays where it is while the field's body leaves (rows 3 to 5); columns of rotations of the pointed body are
 * exact in their forces. What is left out is the force times the change of its arm. */
TEST(tangent, stiffness_on_a_flat_face)
{
    static const char *const contact = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e8, \"n\": 1.5}},"
                                       " \"points\": \"second\"}";
    double worst = 0.0;
    FOR_EACH_SEED(rng, SEEDS) {
        contact_scene c = corner_in_face(&rng, contact);
        sim s = scene_start(&c, 1);
        contact_tangent t = *tangent_at(&s, 1.0, 0.0);
        double scale = t.H[2][2];
        CHECK_GE(scale, 1.0);
        for (int column = 0; column < 12; ++column) {
            double exact[12];
            slope(&s, nudge_pose, column, 1e-8, exact);
            for (int row = 0; row < 12; ++row) {
                bool shift = column % 6 < 3;
                bool kept = shift ? row < 3 || row >= 6 : column >= 6 && row % 6 < 3;
                if (kept) {
                    worst = fmax(worst, fabs(exact[row] - t.H[row][column]) / scale);
                }
            }
        }
        sim_end(&s);
    }
    printf("\nstiffness off by %.1e of its largest entry\n", worst);
    CHECK_LE(worst, 1e-6);
}

static double damping_off(const char *contact)
{
    double worst = 0.0;
    FOR_EACH_SEED(rng, SEEDS) {
        contact_scene c = corner_in_face(&rng, contact);
        sim s = scene_start(&c, 1);
        contact_tangent t = *tangent_at(&s, 0.0, 1.0);
        for (int column = 0; column < 12; ++column) {
            double exact[12];
            slope(&s, nudge_rate, column, 1e-6, exact);
            for (int row = 0; row < 12; ++row) {
                worst = fmax(worst, fabs(exact[row] - t.H[row][column]) / largest(&t.H[0][0], 144));
            }
        }
        sim_end(&s);
    }
    return worst;
}

/* Exact in all entries, but for what normal damping does to friction, which is not symmetric: one of both here. */
TEST(tangent, damping_of_normal_laws_and_of_friction)
{
    double normal =
        damping_off("{\"method\": \"compliant\", \"law\": {\"power\": {\"k\": 1e8, \"n\": 1.5, \"chi\": 1e5,"
                    " \"m\": 1}}}");
    double friction = damping_off("{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e8, \"n\": 1.5}},"
                                  " \"friction\": {\"coulomb\": {\"mu\": 0.3, \"v_e\": 0.1}}}");
    printf("damping of a law off by %.1e, of friction by %.1e of the largest entry\n", normal, friction);
    CHECK_LE(normal, 1e-6);
    CHECK_LE(friction, 1e-6);
}

/* ---- pairs of all shapes --------------------------------------------------------------------------------------------- */

static const char *const shapes[] = {
    "{\"sphere\": 0.05}",
    "{\"box\": [0.1, 0.08, 0.06]}",
    "{\"capsule\": {\"radius\": 0.03, \"length\": 0.08}}",
    "{\"cylinder\": {\"radius\": 0.04, \"length\": 0.08}}",
    "{\"cone\": {\"radius\": 0.05, \"height\": 0.1}}",
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const char *const rough =
    "{\"method\": \"compliant\", \"law\": {\"power\": {\"k\": 1e8, \"n\": 1.5, \"chi\": 1e5, \"m\": 1}},"
    " \"friction\": {\"coulomb\": {}}}";
static const char *const elastic = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e8, \"n\": 1.5}}}";

static scene_body random_body(test_rng *rng, const char *name, const char *shape, v3 position)
{
    scene_body b = { .name = name, .shape = shape, .more = "\"mass\": 1,", .position = position };
    b.orientation = random_turn(rng);
    b.velocity = random_v3(rng, 1.0);
    b.spin = random_v3(rng, 5.0);
    return b;
}

/* Two bodies next to each other; then the second comes nearer until they touch. */
static sim random_touch(test_rng *rng, const char *contact, int one, int other)
{
    v3 away = random_direction(rng);
    contact_scene c = { .contact = contact, .time = steady, .body_count = 2 };
    c.bodies[0] = random_body(rng, "one", shapes[one], v3_zero());
    c.bodies[1] = random_body(rng, "other", shapes[other], v3_scale(0.2, away));
    sim s = scene_start(&c, 1);
    for (int k = 0; k < 2000 && contact_at(&s).count == 0; ++k) {
        v3 *x = &s.state->pose[2].x_w;
        *x = v3_axpy(*x, -2e-4, away);
    }
    s.state->pose[2].x_w = v3_axpy(s.state->pose[2].x_w, -1e-3, away);
    CHECK_GE((double)contact_at(&s).count, 1.0);
    return s;
}

typedef void (*on_pair)(test_rng *rng, int one, int other);

static void for_each_pair(on_pair act)
{
    for (int one = 0; one < SHAPES; ++one) {
        for (int other = 0; other < SHAPES; ++other) {
            FOR_EACH_SEED(rng, 4) {
                act(&rng, one, other);
            }
        }
    }
}

/* ---- action and reaction ---------------------------------------------------------------------------------------------- */

/* Forces and moments about the origin that the recorded points add up to, on body 1. */
static void sum_points(const sim *s, v3 *force, v3 *torque)
{
    int count = 0;
    const carom_contact_point *points = s->model->method->forces->points(s->scratch->contact, &count);
    *force = *torque = v3_zero();
    for (int k = 0; k < count; ++k) {
        CHECK_EQ(points[k].body[0], 1);
        CHECK_EQ(points[k].body[1], 2);
        CHECK(points[k].gap < 0.0);
        CHECK_NEAR(v3_norm(points[k].normal), 1.0, 1e-12);
        CHECK_NEAR(v3_dot(points[k].slip, points[k].normal), 0.0, 1e-12);
        CHECK_GE(v3_dot(points[k].force, points[k].normal), 0.0); /* never pulls */
        *force = v3_add(*force, points[k].force);
        *torque = v3_add(*torque, v3_cross(v3_sub(points[k].position, s->state->pose[1].x_w), points[k].force));
    }
}

/* Recorded points of whole elements leave out the couples that totals on bodies have: their moments are compared for points only. */
static void check_reaction(test_rng *rng, const char *contact, bool of_points, int one, int other)
{
    sim s = random_touch(rng, contact, one, other);
    wrenches w = contact_at(&s);
    v3 force, torque;
    sum_points(&s, &force, &torque);
    double scale = v3_norm(force);
    v3 f[2] = { v3_load(w.on), v3_load(w.on + 6) };
    v3 m[2] = { v3_load(w.on + 3), v3_load(w.on + 9) };
    v3 arm = v3_sub(s.state->pose[2].x_w, s.state->pose[1].x_w);
    v3 moment = v3_add(v3_add(m[0], m[1]), v3_cross(arm, f[1]));
    CHECK_LE(v3_norm(v3_add(f[0], f[1])), 1e-12 * scale);
    CHECK_LE(v3_norm(moment), 1e-12 * scale);
    CHECK_LE(v3_norm(v3_sub(f[0], force)), 1e-12 * scale);
    CHECK_LE(of_points ? v3_norm(v3_sub(m[0], torque)) : 0.0, 1e-12 * scale);
    CHECK_GE(w.friction, 0.0); /* regularised friction never drives */
    sim_end(&s);
}

static void check_reaction_of_points(test_rng *rng, int one, int other)
{
    check_reaction(rng,
                   "{\"method\": \"compliant\", \"features\": \"points\","
                   " \"law\": {\"power\": {\"k\": 1e8, \"n\": 1.5, \"chi\": 1e5, \"m\": 1}},"
                   " \"friction\": {\"coulomb\": {}}}",
                   true, one, other);
}

static void check_reaction_of_elements(test_rng *rng, int one, int other)
{
    check_reaction(rng, rough, false, one, other);
}

TEST(reaction, is_opposite_and_on_the_same_line)
{
    for_each_pair(check_reaction_of_points);
    for_each_pair(check_reaction_of_elements);
}

/* ---- the order of bodies ------------------------------------------------------------------------------------------------ */

/* How much the forces of the same two bodies, named the other way round, differ. */
static double off_when_turned(sim *s, const char *contact, int one, int other)
{
    contact_scene c = { .contact = contact, .time = steady, .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "other", .shape = shapes[other], .more = "\"mass\": 1," };
    c.bodies[1] = (scene_body){ .name = "one", .shape = shapes[one], .more = "\"mass\": 1," };
    sim turned = scene_start(&c, 1);
    for (int k = 1; k <= 2; ++k) {
        turned.state->pose[k] = s->state->pose[3 - k];
        turned.state->rate[k] = s->state->rate[3 - k];
    }
    wrenches a = contact_at(s);
    wrenches b = contact_at(&turned);
    double worst = 0.0;
    for (int k = 0; k < 12; ++k) {
        worst = fmax(worst, fabs(a.on[k] - b.on[(k + 6) % 12]) / largest(a.on, 12));
    }
    if (a.count != b.count || worst > 1e-2) {
        print_error("%s and %s: %d and %d points, forces differ by %.1e\n", shapes[one], shapes[other], a.count,
                    b.count, worst);
    }
    CHECK_EQ(a.count, b.count);
    sim_end(&turned);
    return worst;
}

/* Without friction to rounding. With it, where both are balls, the force acts on the surface of the first, a depth away
 * from that of the second; the slip there is another one. Two capsules are left out: each is a row of balls, and of
 * rows as long the first one counts. */
static void check_order(test_rng *rng, int one, int other)
{
    enum { CAPSULE = 2 };
    if (one == CAPSULE && other == CAPSULE) {
        return;
    }
    test_rng again = *rng;
    sim s = random_touch(rng, elastic, one, other);
    CHECK_LE(off_when_turned(&s, elastic, one, other), 1e-11);
    sim_end(&s);
    s = random_touch(&again, rough, one, other);
    CHECK_LE(off_when_turned(&s, rough, one, other), one == 0 && other == 0 ? 1e-2 : 1e-11);
    sim_end(&s);
}

TEST(order, of_the_bodies_changes_nothing)
{
    for_each_pair(check_order);
}

/* ---- elastic forces are conservative -------------------------------------------------------------------------------------- */

typedef struct loop {
    body_pose start;
    v3 shift[2];
    v3 turn[2];
} loop;

/* Round a closed loop of poses, angle 0 to 2 pi. */
static body_pose pose_on_loop(const loop *l, double angle)
{
    double c = 1.0 - cos(angle);
    double s = sin(angle);
    return pose_moved(l->start, v3_axpy(v3_scale(c, l->shift[0]), s, l->shift[1]),
                      v3_axpy(v3_scale(c, l->turn[0]), s, l->turn[1]));
}

/* Work of the contact on body 2 along the loop; the largest energy stored on the way. */
static double work_round(sim *s, const loop *l, int parts, double *stored)
{
    double work = 0.0;
    *stored = 0.0;
    for (int k = 0; k < parts; ++k) {
        body_pose a = pose_on_loop(l, 6.283185307179586 * k / parts);
        body_pose b = pose_on_loop(l, 6.283185307179586 * (k + 1) / parts);
        v3 theta = so3_log(q_mul(b.q_wb, q_conj(a.q_wb)));
        s->state->pose[2] = (body_pose){ v3_scale(0.5, v3_add(a.x_w, b.x_w)),
                                         q_unit(q_mul(so3_exp(v3_scale(0.5, theta)), a.q_wb)) };
        wrenches w = contact_at(s);
        work += v3_dot(v3_load(w.on + 6), v3_sub(b.x_w, a.x_w)) + v3_dot(v3_load(w.on + 9), theta);
        *stored = fmax(*stored, w.elastic);
    }
    return work;
}

static double worst_work[2];

/* Poses where the gradient of a field jumps (inside, where two faces are equally near) cost the midpoint rule its
 * order; the first order is left. */
static void check_loop(test_rng *rng, int one, int other)
{
    sim s = random_touch(rng, elastic, one, other);
    loop l = { .start = s.state->pose[2],
               .shift = { random_v3(rng, 2e-3), random_v3(rng, 2e-3) },
               .turn = { random_v3(rng, 0.05), random_v3(rng, 0.05) } };
    for (int k = 0; k < 2; ++k) {
        double stored = 0.0;
        double work = work_round(&s, &l, k == 0 ? 1000 : 10000, &stored);
        CHECK(stored > 0.0);
        worst_work[k] = fmax(worst_work[k], fabs(work) / stored);
    }
    sim_end(&s);
}

TEST(elastic, work_round_any_loop_is_zero)
{
    worst_work[0] = worst_work[1] = 0.0;
    for_each_pair(check_loop);
    printf("work round loops: %.1e of the energy stored in 1000 parts, %.1e in 10000\n", worst_work[0],
           worst_work[1]);
    CHECK_LE(worst_work[1], 1e-2);
    CHECK_LE(worst_work[1], 0.4 * worst_work[0]);
}

/* A box that tumbles for many impacts in a box of six planes: nothing may be lost or won. */
TEST(elastic, many_impacts_keep_the_energy)
{
    static const char *const planes[6] = { "{\"plane\": [0, 0, 1]}", "{\"plane\": [0, 0, -1]}",
                                           "{\"plane\": [0, 1, 0]}", "{\"plane\": [0, -1, 0]}",
                                           "{\"plane\": [1, 0, 0]}", "{\"plane\": [-1, 0, 0]}" };
    static const char *const names[6] = { "floor", "lid", "left", "right", "back", "front" };
    contact_scene c = { .contact = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e7, \"n\": 1.5}}}",
                        .time = "\"end\": 2, \"integrator\": \"runge-kutta\", \"tolerance\": 1e-9",
                        .body_count = 7 };
    for (int k = 0; k < 6; ++k) {
        double side = k % 2 == 0 ? -0.2 : 0.2;
        c.bodies[k] = (scene_body){ .name = names[k],
                                    .shape = planes[k],
                                    .more = "\"fixed\": true,",
                                    .position = { k / 2 == 2 ? side : 0.0, k / 2 == 1 ? side : 0.0,
                                                  k / 2 == 0 ? side : 0.0 } };
    }
    c.bodies[6] = (scene_body){ .name = "die",
                                .shape = "{\"box\": [0.1, 0.12, 0.14]}",
                                .more = "\"mass\": 1,",
                                .velocity = { 2.0, 1.1, -1.7 },
                                .spin = { 3.0, 7.0, -5.0 } };
    sim s = scene_start(&c, 1);
    carom_ledger first = sim_ledger(&s);
    double worst = 0.0;
    int impacts = 0;
    bool touching = false;
    while (sim_before(&s, 2.0)) {
        carom_step_report report = { 0 };
        carom_error err = { 0 };
        CHECK_OK(carom_step(s.model, s.state, s.scratch, 2.0 - sim_time(&s), &report, &err), err);
        impacts += !touching && report.contacts > 0;
        touching = report.contacts > 0;
        carom_ledger l = sim_ledger(&s);
        worst = fmax(worst, fabs(ledger_energy(&l) - ledger_energy(&first)) / first.kinetic);
        CHECK_LE(sim_norm(sim_position(&s, "die")), 0.35);
    }
    printf("%d elastic impacts: energy off by %.1e of itself\n", impacts, worst);
    CHECK_GE((double)impacts, 10.0);
    CHECK_LE(worst, 1e-5);
    sim_end(&s);
}

/* ---- friction only takes --------------------------------------------------------------------------------------------------- */

TEST(friction, regularised_laws_never_give_energy)
{
    static const char *const laws[] = { "\"coulomb\": {}", "\"smooth\": {}" };
    static const char *const times[] = { "\"end\": 0.12, \"integrator\": \"runge-kutta\"",
                                         "\"end\": 0.12, \"integrator\": \"generalized-alpha\"" };
    for (int k = 0; k < 4; ++k) {
        char contact[256];
        snprintf(contact, sizeof contact,
                 "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 3e6, \"n\": 1.5}}, \"friction\": {%s}}",
                 laws[k % 2]);
        contact_scene c = k % 2 ? three_solids(contact, times[k / 2]) : three_balls(contact, times[k / 2]);
        sim s = scene_start(&c, 1);
        double before = 0.0;
        while (sim_before(&s, 0.12)) {
            sim_step(&s, 0.12);
            double lost = sim_ledger(&s).lost_friction;
            CHECK_GE(lost - before, -1e-12);
            before = lost;
        }
        CHECK_GE(before, 1e-3);
        sim_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(tangent, stiffness_on_a_flat_face),
        RUN_TEST(tangent, damping_of_normal_laws_and_of_friction),
        RUN_TEST(reaction, is_opposite_and_on_the_same_line),
        RUN_TEST(order, of_the_bodies_changes_nothing),
        RUN_TEST(elastic, work_round_any_loop_is_zero),
        RUN_TEST(elastic, many_impacts_keep_the_energy),
        RUN_TEST(friction, regularised_laws_never_give_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
