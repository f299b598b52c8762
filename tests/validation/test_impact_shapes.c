/* Round things on their sides, meshes, and the degenerate contacts of [Erleben2018] as far as they make sense for rigid
 * events: set-ups that are symmetric stay so (no lateral kick), energy stays finite, nothing enters anything. */
#include "support/impact_run.h"
#include "support/scene_file.h"

static const double G = 9.81;

/* ---- meshes written by hand ---------------------------------------------------------------------------------------- */

typedef struct hand_mesh {
    const char *file;
    int vertex_count;
    double vertices[8][3];
    int triangle_count;
    int triangles[12][3]; /* from 1 */
} hand_mesh;

static const hand_mesh meshes[] = {
    { "cube.obj",
      8,
      { { -.1, -.1, -.1 },
        { .1, -.1, -.1 },
        { .1, .1, -.1 },
        { -.1, .1, -.1 },
        { -.1, -.1, .1 },
        { .1, -.1, .1 },
        { .1, .1, .1 },
        { -.1, .1, .1 } },
      12,
      { { 1, 3, 2 },
        { 1, 4, 3 },
        { 5, 6, 7 },
        { 5, 7, 8 },
        { 1, 2, 6 },
        { 1, 6, 5 },
        { 2, 3, 7 },
        { 2, 7, 6 },
        { 3, 4, 8 },
        { 3, 8, 7 },
        { 4, 1, 5 },
        { 4, 5, 8 } } },
    /* A pyramid standing on its tip at z = -0.15, and the same on its base. The base is square, so that x and y mirror it. */
    { "spike_down.obj",
      5,
      { { 0, 0, -.15 }, { -.05, -.05, .05 }, { .05, -.05, .05 }, { .05, .05, .05 }, { -.05, .05, .05 } },
      6,
      { { 1, 3, 2 }, { 1, 4, 3 }, { 1, 5, 4 }, { 1, 2, 5 }, { 2, 3, 4 }, { 2, 4, 5 } } },
    { "spike_up.obj",
      5,
      { { 0, 0, .15 }, { -.05, -.05, -.05 }, { .05, -.05, -.05 }, { .05, .05, -.05 }, { -.05, .05, -.05 } },
      6,
      { { 1, 2, 3 }, { 1, 3, 4 }, { 1, 4, 5 }, { 1, 5, 2 }, { 2, 4, 3 }, { 2, 5, 4 } } },
    /* Wedges: an edge along y, below or above. */
    { "wedge_down.obj",
      6,
      { { 0, -.1, -.1 }, { 0, .1, -.1 }, { -.05, -.1, .05 }, { .05, -.1, .05 }, { .05, .1, .05 }, { -.05, .1, .05 } },
      8,
      { { 1, 4, 3 }, { 2, 6, 5 }, { 1, 2, 5 }, { 1, 5, 4 }, { 2, 1, 3 }, { 2, 3, 6 }, { 3, 4, 5 }, { 3, 5, 6 } } },
    { "wedge_up.obj",
      6,
      { { 0, -.1, .1 },
        { 0, .1, .1 },
        { -.05, -.1, -.05 },
        { .05, -.1, -.05 },
        { .05, .1, -.05 },
        { -.05, .1, -.05 } },
      8,
      { { 1, 3, 4 }, { 2, 5, 6 }, { 1, 5, 2 }, { 1, 4, 5 }, { 2, 3, 1 }, { 2, 6, 3 }, { 3, 5, 4 }, { 3, 6, 5 } } },
};

static void write_meshes(void)
{
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes; ++k) {
        FILE *f = fopen(meshes[k].file, "w");
        CHECK(f != NULL);
        for (int i = 0; i < meshes[k].vertex_count; ++i) {
            const double *v = meshes[k].vertices[i];
            fprintf(f, "v %.17g %.17g %.17g\n", v[0], v[1], v[2]);
        }
        for (int i = 0; i < meshes[k].triangle_count; ++i) {
            const int *t = meshes[k].triangles[i];
            fprintf(f, "f %d %d %d\n", t[0], t[1], t[2]);
        }
        CHECK_EQ(fclose(f), 0);
    }
}

/* ---- one thing falls on another ------------------------------------------------------------------------------------ */

typedef struct fall {
    const char *below, *above; /* shapes */
    double below_z, above_z;   /* [m] of their origins */
    double x;                  /* [m] of the upper one */
    double turn;               /* [rad] of the upper one about z */
    double speed;              /* [m/s] downwards */
    double e, mu;
} fall;

static impact_run start_fall(fall f)
{
    return run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1},"
        " \"bodies\": [ {\"name\": \"below\", \"fixed\": true, \"shape\": %s, \"position\": [0, 0, %.17g]},"
        "  {\"name\": \"above\", \"shape\": %s, \"mass\": 1, \"position\": [%.17g, 0, %.17g],"
        "   \"orientation\": {\"axis\": [0, 0, 1], \"angle\": %.17g}, \"velocity\": [0, 0, %.17g]} ],"
        " \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"friction\": {\"coulomb\": %.17g}} }",
        f.below, f.below_z, f.above, f.x, f.above_z, f.turn, -f.speed, f.e, f.mu);
}

#define CUBE "{\"mesh\": \"cube.obj\"}"
#define SPIKE_DOWN "{\"mesh\": \"spike_down.obj\"}"
#define SPIKE_UP "{\"mesh\": \"spike_up.obj\"}"
#define WEDGE_DOWN "{\"mesh\": \"wedge_down.obj\"}"
#define WEDGE_UP "{\"mesh\": \"wedge_up.obj\"}"
#define FLOOR "{\"plane\": [0, 0, 1]}"

/* All of these are mirror images of themselves about x = 0 and y = 0: up and down is all that may happen. */
TEST(shapes, what_is_symmetric_is_not_kicked_aside)
{
    static const fall falls[] = {
        { FLOOR, SPIKE_DOWN, 0, 0.16, 0, 0, 1, 0.5, 0.3 },
        { SPIKE_UP, CUBE, 0, 0.26, 0, 0, 1, 0.5, 0.3 },
        { SPIKE_UP, SPIKE_DOWN, 0, 0.31, 0, 0, 1, 0.5, 0.3 },
        { FLOOR, WEDGE_DOWN, 0, 0.11, 0, 0, 1, 0.5, 0.3 },
        { WEDGE_UP, WEDGE_DOWN, 0, 0.21, 0, 0, 1, 0.5, 0.3 },
        { WEDGE_UP, WEDGE_DOWN, 0, 0.21, 0, 1.5707963267948966, 1, 0.5, 0.3 },
        { WEDGE_UP, SPIKE_DOWN, 0, 0.26, 0, 0, 1, 0.5, 0.3 },
        { CUBE, CUBE, 0, 0.21, 0, 0, 1, 0.5, 0.3 },
        { CUBE, "{\"box\": [0.2, 0.2, 0.2]}", 0, 0.21, 0, 0, 1, 0.5, 0.3 },
        { CUBE, "{\"sphere\": 0.1}", 0, 0.21, 0, 0, 1, 0.5, 0.3 },
    };
    write_meshes();
    for (size_t k = 0; k < sizeof falls / sizeof *falls; ++k) {
        printf("%s on %s\n", falls[k].above, falls[k].below);
        fflush(stdout);
        impact_run r = start_fall(falls[k]);
        run_to(&r, 0.05);
        CHECK_GE((double)run_count(&r, CAROM_EVENT_IMPACT), 1.0);
        carom_v3 v = run_velocity(&r, "above");
        CHECK_LE(hypot(v.x, v.y), 1e-6 * falls[k].speed);
        CHECK_LE(sim_norm(run_spin(&r, "above")), 1e-5);
        run_check(&r, 1e-8);
        run_end(&r);
    }
}

/* A little aside: they slip off each other, and whatever follows keeps the laws. */
TEST(shapes, spikes_and_wedges_aside_keep_the_laws)
{
    static const fall falls[] = {
        { SPIKE_UP, SPIKE_DOWN, 0, 0.31, 0.003, 0.2, 1, 0.3, 0.3 },
        { WEDGE_UP, WEDGE_DOWN, 0, 0.21, 0.002, 0.3, 1, 0.3, 0.3 },
        { CUBE, SPIKE_DOWN, 0, 0.26, 0.0999, 0.1, 1, 0.0, 0.3 },
        { CUBE, CUBE, 0, 0.21, 0.1, 0.0, 1, 0.3, 0.3 },
        { CUBE, CUBE, 0, 0.21, 0.02, 0.7853981633974483, 1, 0.3, 0.3 },
    };
    write_meshes();
    for (size_t k = 0; k < sizeof falls / sizeof *falls; ++k) {
        printf("%s on %s aside\n", falls[k].above, falls[k].below);
        fflush(stdout);
        impact_run r = start_fall(falls[k]);
        run_to(&r, 0.4);
        run_check(&r, 1e-5);
        run_end(&r);
    }
}

/* A block slides over the seam of two tables of equal height, and over the inner edges of a mesh: it does not notice. */
TEST(shapes, inner_edges_do_not_trip)
{
    impact_run r = run_start("%s", scene_text("impact_shapes/inner_edges_do_not_trip.json"));
    double worst = 0.0;
    while (sim_before(&r.s, 0.5)) {
        run_step(&r, 0.5);
        worst = fmax(worst, fabs(sim_position(&r.s, "block").z - 0.05));
    }
    table_mark("lift over the seam [m]", worst, 1e-9);
    CHECK_LE(worst, 1e-9);
    CHECK_NEAR(run_velocity(&r, "block").x, 2.0 - 0.1 * G * 0.5, 1e-9);
    CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 0);
    run_check(&r, 1e-9);
    run_end(&r);
}

/* ---- to rest ------------------------------------------------------------------------------------------------------- */

TEST(shapes, solids_come_to_rest_on_a_mesh_cube_and_a_box)
{
    static const char *const above[] = { "{\"box\": [0.12, 0.1, 0.08]}",
                                         "{\"mesh\": {\"file\": \"cube.obj\", \"scale\": 0.5}}" };
    static const char *const below[] = { CUBE, "{\"box\": [0.2, 0.2, 0.2]}" };
    write_meshes();
    for (int k = 0; k < 4; ++k) {
        fall f = { below[k / 2], above[k % 2], 0, 0.2, 0.01, 0.3, 0, 0.2, 0.5 };
        printf("%s on %s\n", f.above, f.below);
        fflush(stdout);
        impact_run r = start_fall(f);
        run_to(&r, 1.0);
        CHECK_LE(sim_norm(run_velocity(&r, "above")), 1e-10);
        CHECK_LE(sim_norm(run_spin(&r, "above")), 1e-9);
        CHECK_NEAR(sim_position(&r.s, "above").z, k % 2 ? 0.15 : 0.14, 1e-9);
        run_check(&r, 1e-6);
        run_end(&r);
    }
}

/* A coin on its rim, rolling straight: speed and direction stay; a disc of radius R that rolls at v has spin v/R. */
TEST(shapes, a_coin_rolls_on_its_rim)
{
    const double v = 1.0;
    const double R = 0.05;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
                  " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  "  {\"name\": \"coin\", \"shape\": {\"cylinder\": {\"radius\": %.17g, \"length\": 0.01}}, "
                  "\"mass\": 0.1, \"position\": [0, 0, %.17g],"
                  "   \"orientation\": {\"axis\": [1, 0, 0], \"angle\": 1.5707963267948966}, \"velocity\": [%.17g, "
                  "0, 0], \"angular_velocity\": [0, %.17g, 0]} ],"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": 0.5}} }",
                  R, R, v, v / R);
    run_to(&r, 1.0);
    CHECK_NEAR(run_velocity(&r, "coin").x, v, 1e-9);
    CHECK_NEAR(sim_position(&r.s, "coin").x, v, 1e-8);
    CHECK_LE(fabs(sim_position(&r.s, "coin").y), 1e-8);
    CHECK_NEAR(sim_position(&r.s, "coin").z, R, 1e-10);
    run_check(&r, 1e-9);
    run_end(&r);
}

/* Tilted, it turns aside and wobbles; friction takes energy until it rolls, and gives none. */
TEST(shapes, a_tilted_coin_turns_aside)
{
    const double R = 0.05;
    const double tilt = 0.3;
    impact_run r =
        run_start("{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
                  " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
                  "  {\"name\": \"coin\", \"shape\": {\"cylinder\": {\"radius\": %.17g, \"length\": 1e-3}}, "
                  "\"mass\": 0.1, \"position\": [0, 0, %.17g],"
                  "   \"orientation\": {\"axis\": [1, 0, 0], \"angle\": %.17g}, \"velocity\": [1.5, 0, 0], "
                  "\"angular_velocity\": [0, %.17g, %.17g]} ],"
                  " \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": {\"coulomb\": 0.9}} }",
                  R, R * cos(tilt) + 5e-4 * sin(tilt), 1.5707963267948966 - tilt, 1.5 / R * cos(tilt),
                  1.5 / R * sin(tilt));
    run_to(&r, 0.05);
    carom_ledger first = sim_ledger(&r.s);
    double lost = first.lost_friction;
    run_to(&r, 0.5);
    carom_ledger last = sim_ledger(&r.s);
    printf("  lost to friction until 0.05 s %.3g J, afterwards %.3g J of %.3g J\n", lost, last.lost_friction - lost,
           first.kinetic);
    run_check(&r, 1e-8);
    CHECK_GE(last.lost_friction - lost, -1e-12);
    run_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(shapes, what_is_symmetric_is_not_kicked_aside),
        RUN_TEST(shapes, spikes_and_wedges_aside_keep_the_laws),
        RUN_TEST(shapes, inner_edges_do_not_trip),
        RUN_TEST(shapes, solids_come_to_rest_on_a_mesh_cube_and_a_box),
        RUN_TEST(shapes, a_coin_rolls_on_its_rim),
        RUN_TEST(shapes, a_tilted_coin_turns_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
