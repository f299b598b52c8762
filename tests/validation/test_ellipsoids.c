/* Ellipsoids: a rattleback against its own equation of rolling, balls as ellipsoids against balls, impacts by forces against impacts by
 * impulses with every other shape. */
#include "support/contact_scene.h"
#include "support/samples.h"
#include "support/scene_file.h"

#include "math/mat3.h"

/* ---- a rattleback ------------------------------------------------------------------------------------------------- */

/* Rolling without slip, in body axes: angular velocity w and the upward vertical u. With r from the contact to the centre of mass,
 * v = w x r, and the force at the contact m (v' + g u), Euler's equation is
 *     (I + m (r . r - r r^T)) w' = -w x I w - m r x (w x r' + w x (w x r) + g u),   u' = u x w. */
typedef struct celt {
    v3 half, center;
    m3 inertia;
    double mass, g;
} celt;

typedef struct celt_state {
    v3 w, u;
} celt_state;

static celt_state celt_rate(const celt *c, celt_state s)
{
    v3 Q = v3_make(c->half.x * c->half.x, c->half.y * c->half.y, c->half.z * c->half.z);
    v3 Qu = v3_make(Q.x * s.u.x, Q.y * s.u.y, Q.z * s.u.z);
    double h = sqrt(v3_dot(s.u, Qu));
    v3 u_dot = v3_cross(s.u, s.w);
    v3 Qu_dot = v3_make(Q.x * u_dot.x, Q.y * u_dot.y, Q.z * u_dot.z);
    v3 r = v3_add(c->center, v3_scale(1.0 / h, Qu));
    v3 r_dot = v3_axpy(v3_scale(1.0 / h, Qu_dot), -v3_dot(s.u, Qu_dot) / (h * h * h), Qu);
    m3 A = m3_add(c->inertia,
                  m3_scale(c->mass, m3_add(m3_scale(v3_norm2(r), m3_identity()), m3_scale(-1.0, m3_outer(r, r)))));
    v3 pull = v3_axpy(v3_add(v3_cross(s.w, r_dot), v3_cross(s.w, v3_cross(s.w, r))), c->g, s.u);
    v3 right = v3_neg(v3_axpy(v3_cross(s.w, m3_mulv(c->inertia, s.w)), c->mass, v3_cross(r, pull)));
    return (celt_state){ m3_mulv(m3_inverse(A), right), u_dot };
}

static celt_state celt_moved(celt_state s, double h, celt_state rate)
{
    return (celt_state){ v3_axpy(s.w, h, rate.w), v3_axpy(s.u, h, rate.u) };
}

static celt_state celt_step(const celt *c, celt_state s, double h)
{
    celt_state a = celt_rate(c, s);
    celt_state b = celt_rate(c, celt_moved(s, 0.5 * h, a));
    celt_state d = celt_rate(c, celt_moved(s, 0.5 * h, b));
    celt_state e = celt_rate(c, celt_moved(s, h, d));
    s = celt_moved(s, h / 6.0, a);
    s = celt_moved(s, h / 3.0, b);
    s = celt_moved(s, h / 3.0, d);
    return celt_moved(s, h / 6.0, e);
}

/* The largest difference of the spin about the vertical from that of the equation, at every tenth of a second. */
typedef struct celt_run {
    double worst, first, last;
} celt_run;

static celt_run compare_celt(const char *const *overrides, double spin, double end)
{
    const celt c = { .half = { 0.2, 0.03, 0.02 },
                     .center = { 0.0, 0.0, -0.01 },
                     .inertia = { { 2e-4, -2e-5, 0.0, -2e-5, 1.6e-3, 0.0, 0.0, 0.0, 1.7e-3 } },
                     .mass = 1.0,
                     .g = 9.81 };
    double tilt = 0.5 * acos(-1.0) / 180.0;
    celt_state s = { .u = { -sin(tilt), 0.0, cos(tilt) } };
    s.w = v3_scale(spin, s.u);
    sim run = sim_parse(scene_text("../../examples/scenes/rattleback.json"), overrides);
    celt_run out = { .first = sim_signal(&run, "stone.angular_velocity.z") };
    const int parts = 1000; /* of a tenth of a second */
    for (int k = 1; k <= (int)(10.0 * end + 0.5); ++k) {
        for (int i = 0; i < parts; ++i) {
            s = celt_step(&c, s, 0.1 / parts);
        }
        sim_advance(&run, 0.1 * k);
        out.last = sim_signal(&run, "stone.angular_velocity.z");
        out.worst = fmax(out.worst, fabs(out.last - v3_dot(s.w, s.u)));
    }
    sim_end(&run);
    return out;
}

/* Spun the wrong way it turns round; the other way it goes on. Differences grow as an unstable rattle does. */
TEST(rattleback, reverses_as_its_equation_of_rolling_says)
{
    celt_run wrong = compare_celt((const char *const[]){ "time.tolerance=1e-9", NULL }, -5.0, 6.0);
    printf("  spin %.3f -> %.3f rad/s, off by %.1e at worst\n", wrong.first, wrong.last, wrong.worst);
    CHECK_LE(wrong.first, -4.99);
    CHECK_GE(wrong.last, 4.0);
    CHECK_LE(wrong.worst, 2e-5);
    celt_run right = compare_celt((const char *const[]){ "variables.spin=5", NULL }, 5.0, 3.0);
    printf("  spin %.3f -> %.3f rad/s, off by %.1e at worst\n", right.first, right.last, right.worst);
    CHECK_GE(right.last, 4.0);
    CHECK_LE(right.worst, 2e-5);
}

/* By forces: a stiff floor and friction that creeps a little. */
TEST(rattleback, reverses_under_forces_as_well)
{
    static const char *const forces[] = {
        "contact={\"method\": \"compliant\", \"features\": \"exact\", \"law\": "
        "{\"hunt-crossley\": {\"k\": 1e7, \"n\": 1}}, \"restitution\": 0.5, \"friction\": "
        "{\"coulomb\": {\"mu\": 2, \"v_e\": 1e-4}}}",
        "time.end=6", NULL
    };
    celt_run r = compare_celt(forces, -5.0, 6.0);
    printf("  spin %.3f -> %.3f rad/s, off by %.1e at worst\n", r.first, r.last, r.worst);
    CHECK_GE(r.last, 3.0);
}

/* ---- balls as ellipsoids ------------------------------------------------------------------------------------------ */

static sim start_ball(const char *contact, const char *shape, double speed)
{
    contact_scene c = { .contact = contact, .time = "\"end\": 1", .gravity = { 0, 0, -9.81 }, .body_count = 3 };
    c.bodies[0] = (scene_body){ .name = "floor", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
    c.bodies[1] = (scene_body){ .name = "block",
                                .shape = "{\"box\": [0.2, 0.3, 0.1]}",
                                .more = "\"fixed\": true,",
                                .position = { 0.55, 0.05, 0.05 } };
    c.bodies[2] = (scene_body){ .name = "ball",
                                .shape = shape,
                                .more = "\"mass\": 1,",
                                .position = { 0, 0, 0.15 },
                                .velocity = { speed, 0.1, 0 },
                                .spin = { 3, -2, 5 } };
    return scene_start(&c, 1);
}

/* [m] How far the ball's start by a few roundings of its speed moves it in one second. */
static double rounding_grown(const char *contact, v3 end)
{
    double most = 0.0;
    for (int k = 1; k <= 6; ++k) {
        sim s = start_ball(contact, "{\"sphere\": 0.1}", 1.5 * (1.0 + 2.3e-16 * k));
        sim_advance(&s, 1.0);
        most = fmax(most, sim_norm(sim_difference(sim_position(&s, "ball"), end)));
        sim_end(&s);
    }
    return most;
}

TEST(ellipsoids, with_equal_half_axes_move_like_balls)
{
    static const char *const contacts[] = {
        "{\"method\": \"impact\", \"restitution\": 0.6, \"friction\": 0.3}",
        "{\"method\": \"compliant\", \"features\": \"exact\", \"law\": {\"hunt-crossley\": {\"k\": 1e6, \"n\": 1.5}}, "
        "\"restitution\": 0.6, \"friction\": 0.3}",
        "{\"method\": \"compliant\", \"features\": \"points\", \"law\": {\"hunt-crossley\": {\"k\": 1e6, \"n\": 1.5}}, "
        "\"restitution\": 0.6, \"friction\": 0.3}",
    };
    for (int k = 0; k < 3; ++k) {
        sim a = start_ball(contacts[k], "{\"sphere\": 0.1}", 1.5);
        sim b = start_ball(contacts[k], "{\"ellipsoid\": [0.1, 0.1, 0.1]}", 1.5);
        sim_advance(&a, 1.0);
        sim_advance(&b, 1.0);
        double off = sim_norm(sim_difference(sim_position(&a, "ball"), sim_position(&b, "ball")));
        double grown = rounding_grown(contacts[k], sim_position(&a, "ball"));
        printf("  apart by %.1e m after 1 s, a start off by rounding by %.1e m\n", off, grown);
        CHECK_LE(off, 10.0 * grown);
        CHECK_LE(fabs(sim_signal(&a, "ball.position.x")), 0.5); /* it has met the block */
        sim_end(&a);
        sim_end(&b);
    }
}

/* ---- impacts ------------------------------------------------------------------------------------------------------ */

static const char *const shapes[] = { "{\"box\": [0.1, 0.08, 0.06]}",
                                      "{\"cylinder\": {\"radius\": 0.04, \"length\": 0.1}}",
                                      "{\"capsule\": {\"radius\": 0.03, \"length\": 0.08}}",
                                      "{\"ellipsoid\": [0.03, 0.07, 0.05]}", "{\"sphere\": 0.05}" };
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static sim start_pair(const char *contact, const char *other, test_rng rng)
{
    contact_scene c = { .contact = contact, .time = "\"end\": 0.2, \"preset\": \"accurate\"", .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "stone",
                                .shape = "{\"ellipsoid\": [0.08, 0.03, 0.05]}",
                                .more = "\"mass\": 1,",
                                .position = { 0.2, 0, 0 },
                                .orientation = random_turn(&rng),
                                .velocity = { -2.0, 0.1, -0.05 } };
    c.bodies[1] = (scene_body){
        .name = "other", .shape = other, .more = "\"mass\": 0.7,", .orientation = random_turn(&rng)
    };
    return scene_start(&c, 1);
}

/* Frictionless and elastic: forces keep energy and momentum, and give the velocities that impulses give. */
TEST(ellipsoids, impacts_by_forces_are_those_by_impulses)
{
    double worst = 0.0, energy = 0.0;
    for (int k = 0; k < SHAPES; ++k) {
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            sim a = start_pair(
                "{\"method\": \"compliant\", \"features\": \"exact\", \"law\": {\"hunt-crossley\": {\"k\": 1e10, "
                "\"n\": 1}}, \"restitution\": 1}",
                shapes[k], test_rng_seed(seed));
            sim b = start_pair("{\"method\": \"impact\", \"restitution\": 1}", shapes[k], test_rng_seed(seed));
            sim_advance(&a, 0.15);
            sim_advance(&b, 0.15);
            carom_ledger l = sim_ledger(&a);
            double lost = fabs(ledger_energy(&l) / 2.00625 - 1.0);
            double dv = fabs(sim_signal(&a, "stone.velocity.x") - sim_signal(&b, "stone.velocity.x"));
            CHECK_GE(fabs(sim_signal(&b, "other.velocity.x")), 0.1); /* they have met */
            CHECK_NEAR(sim_signal(&a, "stone.velocity.y") + 0.7 * sim_signal(&a, "other.velocity.y"), 0.1, 1e-12);
            worst = fmax(worst, dv);
            energy = fmax(energy, lost);
            sim_end(&a);
            sim_end(&b);
        }
    }
    printf("  velocities off by %.1e m/s, energy by %.1e\n", worst, energy);
    CHECK_LE(worst, 2e-3);
    CHECK_LE(energy, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(rattleback, reverses_as_its_equation_of_rolling_says),
        RUN_TEST(rattleback, reverses_under_forces_as_well),
        RUN_TEST(ellipsoids, with_equal_half_axes_move_like_balls),
        RUN_TEST(ellipsoids, impacts_by_forces_are_those_by_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
