/* The Princeton beam: a cantilever under a dead load at its tip that bends far, out of the plane of the load and with twist. It is a chain of
 * beams of modes with fixed joints, damped to rest. References are of a geometrically exact beam. A body alone knows bending in two planes and
 * twist to first order only, so that the chain converges with one over its count where both planes bend. */
#include "support/sim.h"

#include "math/vec3.h"

enum { ROOM = 1 << 16 };

typedef struct writer {
    char text[ROOM];
    int used;
} writer;

#define WRITE(w, ...) ((w)->used += snprintf((w)->text + (w)->used, (size_t)(ROOM - (w)->used), __VA_ARGS__))

static const double length = 0.508; /* [m] */

/* E 71.7 GPa, nu 0.31; EI flat 2.50585, edge 39.846, GJ 3.22107 N m^2. */
static void write_piece(writer *w, int k, int count)
{
    double l = length / count;
    WRITE(
        w,
        "%s{\"name\": \"b%d\", \"material\": \"al\", \"position\": [%.17g, 0, 0], \"flexible\": {\"mesh\": {\"beam\": {\"length\": "
        "%.17g, \"count\": 4}}, \"section\": {\"general\": {\"area\": 4.0894648e-5, \"inertia_y\": %.17g, \"inertia_z\": %.17g, "
        "\"torsion\": %.17g}}, \"attachments\": [{\"name\": \"a\", \"nodes\": {\"group\": \"x_min\"}}, {\"name\": \"b\", "
        "\"nodes\": {\"group\": \"x_max\"}}], \"frame\": \"chord\", \"modes\": {\"count\": 1}, \"stiffening\": true, "
        "\"damping\": {\"stiffness\": 0.05}, \"probes\": [{\"name\": \"tip\", \"at\": [%.17g, 0, 0]}]}}",
        k > 0 ? ", " : "", k, (k + 0.5) * l, l, 39.846 / 71.7e9, 2.50585 / 71.7e9, 3.22107 * 2.62 / 71.7e9, 0.5 * l);
}

static sim hang(int count, double load, double degrees)
{
    static writer w;
    const double angle = degrees * 0.01745329251994329577;
    w.used = 0;
    WRITE(
        &w,
        "{\"carom\": 1, \"materials\": {\"al\": {\"young\": 71.7e9, \"poisson\": 0.31, \"density\": 2700}}, \"time\": {\"end\": 3, "
        "\"integrator\": {\"generalized-alpha\": {\"watch\": \"energy\", \"rho\": 0}}, \"tolerance\": 1e-4}, \"bodies\": [");
    for (int k = 0; k < count; ++k) {
        write_piece(&w, k, count);
    }
    WRITE(&w, "], \"joints\": [");
    for (int k = 0; k < count; ++k) {
        char before[16] = "ground";
        if (k > 0) {
            snprintf(before, sizeof before, "b%d", k - 1);
        }
        WRITE(&w, "%s{\"name\": \"j%d\", \"type\": \"fixed\", \"bodies\": [\"%s\", \"b%d\"], \"at\": [%.17g, 0, 0]}",
              k > 0 ? ", " : "", k, before, k, k * length / count);
    }
    WRITE(
        &w,
        "], \"forces\": [{\"name\": \"load\", \"type\": \"load\", \"body\": \"b%d\", \"at\": [%.17g, 0, 0], \"force\": [0, "
        "%.17g, %.17g]}]}",
        count - 1, length, -load * cos(angle), load * sin(angle));
    return sim_parse(w.text, NULL);
}

/* Where the tip rests: along the thickness and along the width, positive with the load. */
static v3 tip_at_rest(int count, double load, double degrees)
{
    char y[32], z[32];
    sim s = hang(count, load, degrees);
    sim_advance(&s, 3.0);
    CHECK_LE(sim_ledger(&s).kinetic, 1e-12);
    snprintf(y, sizeof y, "b%d.tip.position.y", count - 1);
    snprintf(z, sizeof z, "b%d.tip.position.z", count - 1);
    const v3 tip = v3_make(0.0, -sim_signal(&s, y), sim_signal(&s, z));
    sim_end(&s);
    return tip;
}

TEST(princeton_beam, bends_in_a_plane_as_an_exact_beam)
{
    static const double known[3][3] = { { 4.448, 0.07579, 0.00488 },
                                        { 8.896, 0.14245, 0.00976 },
                                        { 13.345, 0.19623, 0.01463 } };
    table_head("Princeton beam, eight bodies");
    for (int k = 0; k < 3; ++k) {
        const v3 flat = tip_at_rest(8, known[k][0], 0.0);
        const v3 edge = tip_at_rest(8, known[k][0], 90.0);
        table_row("across the flat side [m]", flat.y, known[k][1]);
        table_row("across the edge [m]", edge.z, known[k][2]);
        CHECK_NEAR(flat.y / known[k][1], 1.0, 0.002);
        CHECK_NEAR(edge.z / known[k][2], 1.0, 0.002);
        CHECK_NEAR(flat.z, 0.0, 1e-12);
        CHECK_NEAR(edge.y, 0.0, 1e-12);
    }
}

/* 12 and 24 bodies, and what they tend to. */
TEST(princeton_beam, bends_out_of_the_plane_as_an_exact_beam)
{
    static const double known[3][3] = { { 4.448, 0.05436, 0.00361 },
                                        { 8.896, 0.10593, 0.00812 },
                                        { 13.345, 0.15251, 0.01406 } };
    table_head("Princeton beam at 45 degrees");
    for (int k = 0; k < 3; ++k) {
        const v3 coarse = tip_at_rest(12, known[k][0], 45.0);
        const v3 fine = tip_at_rest(24, known[k][0], 45.0);
        const v3 limit = v3_sub(v3_scale(2.0, fine), coarse);
        table_row("across the flat side [m]", limit.y, known[k][1]);
        table_row("across the edge [m]", limit.z, known[k][2]);
        CHECK_NEAR(limit.y / known[k][1], 1.0, 0.01);
        CHECK_NEAR(limit.z / known[k][2], 1.0, 0.01);
        CHECK_NEAR(fine.z / known[k][2], 1.0, 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(princeton_beam, bends_in_a_plane_as_an_exact_beam),
        RUN_TEST(princeton_beam, bends_out_of_the_plane_as_an_exact_beam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
