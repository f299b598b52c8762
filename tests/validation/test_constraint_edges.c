/* Method "constraint" where no node and no corner of one body meets the other: edges that cross, balls and corners between the nodes of a coarse
 * mesh. Bodies do not get into each other, momenta and the books close, and neither order, axes nor units matter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "support/check.h"
#include "support/sim.h"

/* A world that is turned, enlarged, and names its bodies the other way round. */
typedef struct variant {
    const char *label;
    v3 axis;
    double angle; /* [rad] */
    double scale; /* of lengths and times */
    bool swapped;
} variant;

typedef struct piece {
    const char *name;
    const char *made_of; /* shapes or a mesh, in millimetres times the scale */
    v3 position;         /* [mm] */
    quat turn;
    v3 velocity; /* [m/s] */
} piece;

static quat turn_about(v3 axis, double angle)
{
    v3 u = v3_scale(sin(0.5 * angle), v3_unit(axis));
    return (quat){ cos(0.5 * angle), u.x, u.y, u.z };
}

static size_t write_piece(char *out, size_t room, const piece *p, const variant *v)
{
    quat world = turn_about(v->axis, v->angle);
    v3 x = q_rotate(world, v3_scale(1e-3 * v->scale, p->position));
    v3 u = q_rotate(world, p->velocity);
    quat q = q_mul(world, p->turn);
    bool flexible = strstr(p->made_of, "divisions") != NULL;
    int n = snprintf(out, room,
                     "{\"name\": \"%s\", \"position\": [%.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g], "
                     "\"orientation\": [%.17g, %.17g, %.17g, %.17g], ",
                     p->name, x.x, x.y, x.z, u.x, u.y, u.z, q.w, q.x, q.y, q.z);
    n += snprintf(out + n, room - (size_t)n,
                  flexible ? "\"material\": \"steel\", \"flexible\": {\"as\": \"nodes\", \"mesh\": {%s}}}"
                           : "\"density\": 7800, \"shapes\": [{%s}]}",
                  p->made_of);
    return (size_t)n;
}

/* Sizes in texts are "$s*0.1" and the like. */
static sim start(const piece p[2], const variant *v, double friction, double step)
{
    char text[4096];
    char first[1536];
    char second[1536];
    write_piece(first, sizeof first, &p[v->swapped ? 1 : 0], v);
    write_piece(second, sizeof second, &p[v->swapped ? 0 : 1], v);
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"gravity\": [0, 0, 0], \"variables\": {\"s\": %.17g}, \"time\": {\"end\": 1%s%.17g}, "
             "\"materials\": {\"steel\": {\"young\": 200e9, \"poisson\": 0.3, \"density\": 7800}}, "
             "\"contact\": {\"method\": \"constraint\", \"friction\": %g}, \"bodies\": [%s, %s]}",
             v->scale, step > 0.0 ? ", \"step\": " : ", \"tolerance\": ", step > 0.0 ? step : 1e-6, friction, first,
             second);
    return sim_parse(text, NULL);
}

static const variant plain = { "as drawn", { 0.0, 0.0, 1.0 }, 0.0, 1.0, false };

/* Two square prisms of 100 mm with their edges towards each other, crossing at an angle and beside their middles. */
static void prisms(piece out[2], double angle, double beside)
{
    static const char *const prism =
        "\"block\": {\"size\": [\"$s*0.1\", \"$s*0.01\", \"$s*0.01\"], \"divisions\": [5, 1, 1]}";
    v3 x = v3_make(1.0, 0.0, 0.0);
    v3 z = v3_make(0.0, 0.0, 1.0);
    quat edge = turn_about(x, 0.25 * acos(-1.0));
    out[0] = (piece){ "a", prism, v3_zero(), edge, v3_zero() };
    out[1] = (piece){ "b", prism, v3_make(beside, 0.3 * beside, 14.5), q_mul(turn_about(z, angle), edge),
                      v3_make(0.0, 1.0, -5.0) };
}

/* To the end of a whole explicit step, about t. */
static void advance_steps(sim *s, double t)
{
    double h = carom_model_integration(s->model).step;
    sim_advance(s, round(t / h) * h);
}

/* [m] by which the middle of the second has got nearer than touching prisms allow, both hardly deformed. */
static double approach(const sim *s)
{
    return 2.0 * 0.01 / sqrt(2.0) - (sim_position(s, "b").z - sim_position(s, "a").z);
}

TEST(constraint_edges, meshes_that_cross_stay_apart_and_keep_their_momenta)
{
    static const double angles_deg[] = { 90.0, 60.0, 30.0, 20.0 };
    static const double beside_mm[] = { 13.7, 3.0, -21.0, 10.0, 0.0 }; /* the last two meet at nodes */
    for (int k = 0; k < 20; ++k) {
        piece p[2];
        prisms(p, angles_deg[k % 4] * acos(-1.0) / 180.0, beside_mm[k / 4]);
        sim s = start(p, &plain, k % 2 ? 0.3 : 0.0, 0.0);
        const carom_ledger before = sim_ledger(&s);
        double deep = -HUGE_VAL;
        for (int i = 1; i <= 50; ++i) {
            advance_steps(&s, 1e-5 * i);
            deep = fmax(deep, approach(&s));
        }
        const carom_ledger l = sim_ledger(&s);
        double linear = sim_norm(sim_difference(l.momentum, before.momentum)) / sim_norm(before.momentum);
        double angular = sim_norm(sim_difference(l.angular_momentum, before.angular_momentum)) /
                         sim_norm(before.angular_momentum);
        double stopped = sim_signal(&s, "b.velocity.z") - sim_signal(&s, "a.velocity.z");
        printf("  %3g deg, %4g mm: momenta %.1e, %.1e, residue %.1e of %.3g J, nearer by %.2e m, apart at %.3g m/s\n",
               angles_deg[k % 4], beside_mm[k / 4], linear, angular, l.residue, before.kinetic, deep, stopped);
        CHECK_LE(linear, 1e-12);
        CHECK_LE(angular, 1e-12);
        CHECK_LE(fabs(l.residue), 5e-6 * before.kinetic);
        CHECK_LE(deep, 3e-4); /* they bend and dent */
        CHECK(stopped > 0.0); /* and rebound */
        sim_end(&s);
    }
}

TEST(constraint_edges, order_axes_and_units_change_nothing)
{
    static const variant variants[] = {
        { "as drawn", { 0.0, 0.0, 1.0 }, 0.0, 1.0, false },  { "turned", { 1.0, 2.0, 3.0 }, 0.7, 1.0, false },
        { "tenfold", { 1.0, -2.0, 1.0 }, 2.0, 10.0, false }, { "a tenth", { 0.0, 1.0, 1.0 }, -1.0, 0.1, false },
        { "swapped", { 0.0, 0.0, 1.0 }, 0.0, 1.0, true },
    };
    piece p[2];
    double speed[5];
    prisms(p, 1.0, 7.3);
    for (int k = 0; k < 5; ++k) {
        const variant *v = &variants[k];
        sim s = start(p, v, 0.2, 0.0);
        sim_advance(&s, 3e-4 * v->scale);
        v3 up = q_rotate(turn_about(v->axis, v->angle), v3_make(0.0, 0.0, 1.0));
        speed[k] = up.x * sim_signal(&s, "b.velocity.x") + up.y * sim_signal(&s, "b.velocity.y") +
                   up.z * sim_signal(&s, "b.velocity.z");
        printf("  %-10s b leaves at %.15g m/s, off by %.1e\n", v->label, speed[k], speed[k] - speed[0]);
        CHECK_LE(fabs(speed[k] - speed[0]), 1e-7);
        sim_end(&s);
    }
    CHECK(speed[0] > -4.0);
}

/* Rigid: the velocities of two equal bodies after a central impact have closed forms. */
TEST(constraint_edges, rigid_bodies_that_cross_exchange_their_velocities)
{
    static const char *const capsule = "\"capsule\": {\"radius\": 0.01, \"length\": 0.2}";
    static const char *const plank = "\"box\": {\"size\": [0.2, 0.02, 0.02]}";
    static const char *const axle = "\"cylinder\": {\"radius\": 0.01, \"length\": 0.2}";
    static const struct {
        const char *label, *shape;
        v3 along, roll; /* the axis of its length, and one across it by which it is rolled by 45 degrees */
        double touch;   /* [mm] between middles */
    } cases[] = {
        { "capsules", capsule, { 0, 0, 1 }, { 0, 1, 0 }, 20.0 },
        { "planks", plank, { 1, 0, 0 }, { 1, 0, 0 }, 28.284271247461902 },
        { "axles", axle, { 0, 0, 1 }, { 0, 1, 0 }, 20.0 },
    };
    const double right = 0.5 * acos(-1.0);
    for (int k = 0; k < 3; ++k) {
        bool box = k == 1;
        quat first = box ? turn_about(cases[k].roll, 0.5 * right) : turn_about(v3_make(0, 1, 0), right);
        quat second = q_mul(turn_about(v3_make(0, 0, 1), right), first);
        const piece p[2] = { { "a", cases[k].shape, v3_zero(), first, v3_zero() },
                             { "b", cases[k].shape, v3_make(0, 0, cases[k].touch + 1.0), second,
                               v3_make(0, 0, -5) } };
        sim s = start(p, &plain, 0.0, 1e-5);
        sim_advance(&s, 1e-3);
        double a = sim_signal(&s, "a.velocity.z");
        double b = sim_signal(&s, "b.velocity.z");
        double gap = sim_position(&s, "b").z - sim_position(&s, "a").z - 1e-3 * cases[k].touch;
        printf("  %-8s %.15g and %.15g m/s, %.1e m apart\n", cases[k].label, a, b, gap);
        CHECK_NEAR(a, -2.5, 1e-12);
        CHECK_NEAR(b, -2.5, 1e-12);
        CHECK_LE(fabs(gap), 1e-12);
        sim_end(&s);
    }
}

/* A coarse block, struck where it has no node. */
TEST(constraint_edges, balls_and_corners_do_not_pass_between_nodes)
{
    static const char *const block = "\"block\": {\"size\": [0.1, 0.1, 0.03], \"divisions\": [2, 2, 1]}";
    const quat corner = q_mul(turn_about(v3_make(1, 0, 0), 0.955316618124509),
                              turn_about(v3_make(0, 0, 1), 0.785398163397448));
    static const char *const ball = "\"sphere\": 0.005";
    static const char *const box = "\"box\": {\"size\": [0.02, 0.02, 0.02]}";
    const piece strikers[] = {
        { "b", ball, { 24, 25, 20.1 }, q_identity(), { 0, 0, -10 } }, /* on a facet */
        { "b", ball, { 0, 25, 20.1 }, q_identity(), { 0, 0, -10 } },  /* on a side of two facets */
        { "b", ball, { 52, 25, 19.7 }, q_identity(), { 0, 0, -10 } }, /* on an edge of the block */
        { "b", box, { 24, 25, 32.4 }, corner, { 0, 0, -10 } },
        { "b", box, { 45, 25, 25.1 }, turn_about(v3_make(0, 0, 1), 0.7), { 0, 0, -10 } }, /* flat, over an edge */
    };
    for (int k = 0; k < 5; ++k) {
        const piece p[2] = { { "a", block, v3_zero(), q_identity(), v3_zero() }, strikers[k] };
        sim s = start(p, &plain, 0.3, 0.0);
        const carom_ledger before = sim_ledger(&s);
        double gone = 0.0;
        for (int i = 1; i <= 40; ++i) {
            advance_steps(&s, 1e-5 * i);
            gone = fmin(gone, sim_position(&s, "b").z - 1e-3 * strikers[k].position.z);
        }
        const carom_ledger l = sim_ledger(&s);
        double angular = sim_norm(sim_difference(l.angular_momentum, before.angular_momentum));
        printf("  %d: goes on by %.3e m, then %.3g m/s; angular momentum off by %.1e of %.3g, residue %.1e J\n", k,
               gone, sim_signal(&s, "b.velocity.z"), angular, sim_norm(before.angular_momentum), l.residue);
        CHECK(gone > -1.2e-3); /* of 4 mm without contact */
        CHECK(sim_signal(&s, "b.velocity.z") > -5.0);
        CHECK_LE(angular, 1e-12);
        CHECK_LE(fabs(l.residue), 1e-5 * before.kinetic);
        sim_end(&s);
    }
}

/* Corner down, of whichever mesh is the finer and whoever is named first: a block, and a plane body. */
TEST(constraint_edges, corners_of_meshes_do_not_pass_between_nodes)
{
    const quat corner = q_mul(turn_about(v3_make(1, 0, 0), 0.955316618124509),
                              turn_about(v3_make(0, 0, 1), 0.785398163397448));
    static const char *const meshes[] = { "\"block\": {\"size\": [0.1, 0.1, 0.03], \"divisions\": [2, 2, 1]}",
                                          "\"block\": {\"size\": [0.1, 0.1, 0.03], \"divisions\": [10, 10, 3]}" };
    static const char *const striker = "\"block\": {\"size\": [0.04, 0.04, 0.04], \"divisions\": [1, 1, 1]}";
    for (int k = 0; k < 4; ++k) {
        const variant order = { "", { 0.0, 0.0, 1.0 }, 0.0, 1.0, k >= 2 };
        const piece p[2] = { { "a", meshes[k % 2], v3_zero(), q_identity(), v3_zero() },
                             { "b", striker, { 22, 24, 49.7 }, corner, { 0, 0, -10 } } };
        sim s = start(p, &order, 0.3, 0.0);
        advance_steps(&s, 4e-4);
        double gone = 1e-3 * p[1].position.z - sim_position(&s, "b").z;
        printf("  mesh %d, order %d: goes on by %.3e m, then %.3g m/s\n", k % 2, k / 2, gone,
               sim_signal(&s, "b.velocity.z"));
        CHECK_LE(gone, 1.5e-3); /* of 4 mm without contact */
        CHECK(sim_signal(&s, "b.velocity.z") > -5.0);
        sim_end(&s);
    }
}

/* Eight crossings carry it, and no corner. */
TEST(constraint_edges, a_box_rests_on_another_one_that_is_turned_by_45_degrees)
{
    sim s = sim_parse(
        "{ \"carom\": 1, \"time\": {\"end\": 0.05, \"step\": 1e-4}, \"gravity\": [0, 0, -9.81], "
        "\"contact\": {\"method\": \"constraint\", \"friction\": 0.4}, \"bodies\": ["
        "{\"name\": \"a\", \"fixed\": true, \"position\": [0, 0, 0.05], \"shapes\": [{\"box\": {\"size\": [0.1, 0.1, 0.1]}}]}, "
        "{\"name\": \"b\", \"density\": 1000, \"position\": [0.003, 0.001, 0.1501], "
        "\"orientation\": {\"axis\": [0, 0, 1], \"angle\": \"45 deg\"}, \"shapes\": [{\"box\": {\"size\": [0.1, 0.1, 0.1]}}]}]}",
        NULL);
    sim_advance(&s, 0.05);
    printf("  %.3e m over it, %.1e m/s, turning by %.1e rad/s; contact force %.9g N of %.9g\n",
           sim_position(&s, "b").z - 0.15, sim_signal(&s, "b.velocity.z"), sim_signal(&s, "b.angular_velocity.x"),
           sim_signal(&s, "b.contact.force.z"), 9.81);
    CHECK_LE(fabs(sim_position(&s, "b").z - 0.15), 1e-9);
    CHECK_LE(fabs(sim_signal(&s, "b.velocity.z")), 1e-9);
    CHECK_NEAR(sim_signal(&s, "b.contact.force.z"), 9.81, 1e-6);
    sim_end(&s);
}

/* In the middle of a contact of edges: a copy of the state, without the scratch, goes on with the same bits. */
TEST(constraint_edges, the_state_alone_goes_on)
{
    piece p[2];
    prisms(p, 1.2, 0.0);
    sim s = start(p, &plain, 0.3, 0.0);
    while (sim_signal(&s, "b.contact.force.z") == 0.0) {
        sim_step(&s, 5e-4);
    }
    sim copy = { .model = s.model, .state = carom_state_create(s.model) };
    carom_error err = { 0 };
    CHECK_OK(carom_scratch_create(s.model, 1, &copy.scratch, &err), err);
    CHECK_OK(carom_state_copy(copy.state, s.state), err);
    for (int k = 1; k <= 20; ++k) {
        sim_step(&s, 5e-4 + 1e-6 * k);
        sim_step(&copy, 5e-4 + 1e-6 * k);
    }
    CHECK_EQ(carom_state_hash(s.state), carom_state_hash(copy.state));
    carom_scratch_destroy(copy.scratch);
    carom_state_destroy(copy.state);
    sim_end(&s);
}

/* A block slides down an incline of rubber into which it sinks: rigid or a mesh, in space or in a plane, over finer and coarser cells and
 * cells whose nodes lie along its rim. Nodes ahead of it stand higher than its bottom, and do not stop it: v = g (sin - mu cos) t. */
typedef struct slide {
    const char *label;
    bool rigid, plane;
    int base, block; /* cells along 0.1 m of the base, over 3; along the block */
    double slope, mu;
} slide;

static sim slide_start(const slide *c)
{
    char text[4096], bodies[2048], *at = bodies;
    double cosine = 1.0 / sqrt(1.0 + c->slope * c->slope);
    const char *up = c->plane ? "\"y_min\"" : "\"z_min\"";
    at += snprintf(
        at, 1024,
        "{\"name\": \"base\", \"material\": \"rubber\", \"position\": [0, %g, %g], \"flexible\": {\"as\": \"nodes\", "
        "\"rotation\": \"element\", \"damping\": {\"stiffness\": 1e-4}, \"attachments\": [{\"name\": \"bottom\", \"nodes\": "
        "{\"group\": %s}}], ",
        c->plane ? -0.05 : 0.0, c->plane ? 0.0 : -0.05, up);
    at +=
        c->plane
            ? snprintf(
                  at, 256,
                  "\"thickness\": 0.1, \"mesh\": {\"strip\": {\"length\": 0.6, \"height\": 0.1, \"divisions\": [%d, 2]}}}}",
                  2 * c->base)
            : snprintf(at, 256, "\"mesh\": {\"block\": {\"size\": [0.6, 0.2, 0.1], \"divisions\": [%d, %d, 2]}}}}",
                       2 * c->base, c->base);
    at += snprintf(at, 256, ", {\"name\": \"block\", \"position\": [0, %g, %g], ", c->plane ? 0.05 : 0.0,
                   c->plane ? 0.0 : 0.05);
    if (c->rigid) {
        snprintf(at, 256, "\"density\": 1000, \"shape\": {\"box\": [0.2, 0.1, 0.1]}}");
    } else {
        at += snprintf(at, 256,
                       "\"material\": \"rubber\", \"flexible\": {\"as\": \"nodes\", \"rotation\": \"element\", "
                       "\"damping\": {\"stiffness\": 1e-4}, ");
        c->plane
            ? snprintf(
                  at, 256,
                  "\"thickness\": 0.1, \"mesh\": {\"strip\": {\"length\": 0.2, \"height\": 0.1, \"divisions\": [%d, 2]}}}}",
                  c->block)
            : snprintf(at, 256, "\"mesh\": {\"block\": {\"size\": [0.2, 0.1, 0.1], \"divisions\": [%d, 2, 2]}}}}",
                       c->block);
    }
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"gravity\": [%.17g, %.17g, %.17g], \"time\": {\"end\": 1}, "
        "\"materials\": {\"rubber\": {\"young\": 1e7, \"poisson\": 0.3, \"density\": 1000}}, "
        "\"contact\": {\"method\": \"constraint\", \"friction\": %g}, \"bodies\": [%s], "
        "\"joints\": [{\"name\": \"clamp\", \"type\": \"fixed\", \"bodies\": [\"ground\", \"base\"], \"at\": [0, %g, %g]}]}",
        9.81 * c->slope * cosine, c->plane ? -9.81 * cosine : 0.0, c->plane ? 0.0 : -9.81 * cosine, c->mu, bodies,
        c->plane ? -0.1 : 0.0, c->plane ? 0.0 : -0.1);
    return sim_parse(text, NULL);
}

TEST(constraint_edges, blocks_slide_over_the_nodes_of_what_they_sink_into)
{
    static const slide cases[] = {
        { "rigid, 60 mm", true, false, 5, 0, 0.4, 0.3 },
        { "rigid, rim along nodes", true, false, 12, 0, 0.4, 0.3 },
        { "rigid, no friction", true, false, 5, 0, 0.4, 0.0 },
        { "rigid, holds", true, false, 7, 0, 0.29, 0.3 },
        { "mesh on finer mesh", false, false, 5, 4, 0.4, 0.3 },
        { "mesh on coarser mesh", false, false, 5, 6, 0.4, 0.3 },
        { "plane on finer mesh", false, true, 10, 4, 0.4, 0.3 },
        { "plane, 60 mm", false, true, 5, 4, 0.4, 0.3 },
        { "plane, no friction", false, true, 10, 4, 0.2, 0.0 },
        { "rigid on a plane", true, true, 10, 0, 0.2, 0.0 },
        { "rigid, slowly", true, false, 9, 0, 0.31, 0.3 },
    };
    const double end = 0.3;
    for (int k = 0; k < 11; ++k) {
        const slide *c = &cases[k];
        sim s = slide_start(c);
        double slowest = HUGE_VAL, before = 0.0;
        for (int i = 1; i <= 30; ++i) {
            advance_steps(&s, 0.01 * i);
            double gone = sim_position(&s, "block").x;
            slowest = i > 5 ? fmin(slowest, gone - before) : slowest;
            before = gone;
        }
        double speed = 9.81 * fmax(0.0, c->slope - c->mu) / sqrt(1.0 + c->slope * c->slope) * end;
        const carom_ledger l = sim_ledger(&s);
        printf("  %-24s %.4f m/s, without elasticity %.4f; residue %.1e J\n", c->label,
               sim_signal(&s, "block.velocity.x"), speed, l.residue);
        double room = c->mu > 0.0 ? 0.05 * speed + 0.006
                                  : 0.002 * speed; /* it rocks, and nodes that swing slip to and fro */
        CHECK_NEAR(sim_signal(&s, "block.velocity.x"), speed, room);
        CHECK(speed == 0.0 || slowest > 0.0);
        CHECK_LE(fabs(l.residue), 1e-7);
        sim_end(&s);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        RUN_TEST(constraint_edges, meshes_that_cross_stay_apart_and_keep_their_momenta),
        RUN_TEST(constraint_edges, order_axes_and_units_change_nothing),
        RUN_TEST(constraint_edges, rigid_bodies_that_cross_exchange_their_velocities),
        RUN_TEST(constraint_edges, balls_and_corners_do_not_pass_between_nodes),
        RUN_TEST(constraint_edges, corners_of_meshes_do_not_pass_between_nodes),
        RUN_TEST(constraint_edges, a_box_rests_on_another_one_that_is_turned_by_45_degrees),
        RUN_TEST(constraint_edges, the_state_alone_goes_on),
        RUN_TEST(constraint_edges, blocks_slide_over_the_nodes_of_what_they_sink_into),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
