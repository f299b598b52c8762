/* Bodies of modes in contact with the method compliant: Timoshenko's ball on a beam, a beam on an elastic stop, Sears' rods with spherical
 * ends, and what is conserved whatever touches whatever. */
#include "support/scene_file.h"
#include "support/sim.h"

#include "math/vec3.h"

/* ---- references ---------------------------------------------------------------------------------------------------- */

/* What a force over time comes to. */
typedef struct pulse {
    double peak;
    double first, last; /* [s] where it is not zero */
    double rise;        /* [s] from a tenth to nine tenths of the peak */
    int pulses;
} pulse;

enum { FRAMES = 20000 };

typedef struct history {
    double t[FRAMES], f[FRAMES];
    int count;
} history;

static void note(history *h, double t, double f)
{
    CHECK(h->count < FRAMES);
    h->t[h->count] = t;
    h->f[h->count++] = f;
}

static double crossing(const history *h, double level)
{
    int i = 1;
    while (i < h->count - 1 && h->f[i] < level) {
        ++i;
    }
    return h->t[i - 1] + (level - h->f[i - 1]) / (h->f[i] - h->f[i - 1]) * (h->t[i] - h->t[i - 1]);
}

static pulse pulse_of(const history *h)
{
    pulse p = { .first = -1.0 };
    for (int i = 0; i < h->count; ++i) {
        p.peak = fmax(p.peak, h->f[i]);
        p.first = h->f[i] > 0.0 && p.first < 0.0 ? h->t[i] : p.first;
        p.last = h->f[i] > 0.0 ? h->t[i] : p.last;
        p.pulses += h->f[i] > 0.0 && (i == 0 || !(h->f[i - 1] > 0.0));
    }
    p.rise = crossing(h, 0.9 * p.peak) - crossing(h, 0.1 * p.peak);
    return p;
}

static double force_on(const sim *s, const char *body)
{
    char name[64];
    snprintf(name, sizeof name, "%s.contact.force", body);
    return sim_signal(s, name);
}

/* Timoshenko 1913: Euler-Bernoulli's beam in many modes with Hertz's law, by two programs: 4.977 N, 0 to 156.4 us, -0.3023 of the
 * speed, 1.1247 um. */
static void strike_beam(const char *const *settings)
{
    static history h;
    sim s = sim_parse(scene_text("../../papers/2/ball-on-beam.json"), settings);
    double deepest = 0.0;
    h.count = 0;
    while (sim_before(&s, 400e-6)) {
        sim_step(&s, 400e-6);
        note(&h, sim_time(&s), force_on(&s, "ball"));
        deepest = fmin(deepest, sim_signal(&s, "beam.middle.displacement.y"));
    }
    const pulse p = pulse_of(&h);
    const carom_ledger l = sim_ledger(&s);
    table_head("ball on a beam");
    table_row("peak [N]", p.peak, 4.977);
    table_row("end of contact [us]", 1e6 * p.last, 156.4);
    table_row("speed after over before", sim_signal(&s, "ball.velocity.y") / -0.01, -0.3023);
    table_row("deflection [um]", -1e6 * deepest, 1.1247);
    CHECK_NEAR(p.peak / 4.977, 1.0, 0.01);
    CHECK_NEAR(p.last / 156.4e-6, 1.0, 0.01);
    CHECK_NEAR(sim_signal(&s, "ball.velocity.y") / 0.003023, 1.0, 0.01);
    CHECK_NEAR(deepest / -1.1247e-6, 1.0, 0.01);
    CHECK_EQ(p.pulses, 1);
    CHECK_LE(fabs(l.residue), 1e-4 * 1.667e-6);
    sim_end(&s);
}

TEST(compliant_flexible, ball_on_a_beam_as_timoshenko_has_it)
{
    strike_beam(NULL);
}

/* The same beam as a solid: 960 freedoms of hexahedra, with shear and the twist of a rectangle in them. */
TEST(compliant_flexible, ball_on_a_beam_of_hexahedra_as_timoshenko_has_it)
{
    static const char *const solid[] = {
        "bodies.beam.flexible.mesh={\"block\":{\"size\":[0.1535,0.01,0.01],\"divisions\":[60,2,2]}}",
        "bodies.beam.flexible.element=hexahedron8", "bodies.beam.flexible.modes={\"count\":16}", NULL
    };
    strike_beam(solid);
}

/* E1: 12 modes of linear bending with a spring at the tip. */
TEST(compliant_flexible, beam_on_an_elastic_stop)
{
    static history h;
    sim s = sim_parse(scene_text("../../papers/2/beam-on-stop.json"), NULL);
    const double before = sim_ledger(&s).angular_momentum.z;
    double strain = 0.0;
    h.count = 0;
    while (sim_before(&s, 0.014)) {
        sim_step(&s, 0.014);
        note(&h, sim_time(&s), force_on(&s, "beam"));
        strain = fmax(strain, fabs(sim_signal(&s, "beam.gauge.strain")));
    }
    const pulse p = pulse_of(&h);
    const double rate = -3.8 * sim_ledger(&s).angular_momentum.z / before; /* of the rigid mode */
    table_head("beam on a stop");
    table_row("peak [N]", p.peak, 89.6);
    table_row("end of contact [ms]", 1e3 * p.last, 12.316);
    table_row("strain", strain, 7.16e-4);
    table_row("rate after [rad/s]", rate, 3.677);
    CHECK_NEAR(p.peak / 89.6, 1.0, 0.01);
    CHECK_NEAR(p.last / 12.316e-3, 1.0, 0.01);
    CHECK_NEAR(strain / 7.16e-4, 1.0, 0.01);
    CHECK_NEAR(rate / 3.677, 1.0, 0.01);
    sim_end(&s);
}

/* S1: Hertz's law between the ends, d'Alembert's waves in the rods: d' = v - 2/Z (P(t) + 2 sum P(t - 2kL/c)), Z = rho c A. */
TEST(compliant_flexible, rods_with_spherical_ends_as_sears_has_them)
{
    static const double known[3][4] = { { 0.01, 447.42, 610.18e-6, 200.2e-6 },
                                        { 0.1, 453.47, 493.78e-6, 97.1e-6 },
                                        { 1.0, 453.49, 439.67e-6, 45.07e-6 } };
    static history h;
    table_head("rods with spherical ends");
    for (int k = 0; k < 3; ++k) {
        char radius[64];
        snprintf(radius, sizeof radius, "variables.Rs=%g", known[k][0]);
        const char *overrides[] = { radius, NULL };
        sim s = sim_parse(scene_text("../../papers/2/rods-spheres.json"), overrides);
        h.count = 0;
        note(&h, 0.0, 0.0);
        while (sim_before(&s, known[k][2] + 20e-6)) {
            sim_step(&s, known[k][2] + 20e-6);
            note(&h, sim_time(&s), force_on(&s, "second"));
        }
        const pulse p = pulse_of(&h);
        table_row("peak [N]", p.peak, known[k][1]);
        table_row("duration [us]", 1e6 * p.last, 1e6 * known[k][2]);
        table_row("rise [us]", 1e6 * p.rise, 1e6 * known[k][3]);
        CHECK_NEAR(p.peak / known[k][1], 1.0, 0.01);
        CHECK_NEAR(p.last / known[k][2], 1.0, 0.01);
        CHECK_NEAR(p.rise / known[k][3], 1.0, 0.01);
        sim_end(&s);
    }
}

/* ---- what is conserved ----------------------------------------------------------------------------------------------- */

static const char *const flexible[] = {
    "{\"mesh\": {\"beam\": {\"length\": 0.4, \"count\": 12}}, \"section\": {\"rectangle\": {\"height\": 0.02, \"width\": 0.03}}, "
    "\"modes\": {\"count\": 8}}",
    "{\"mesh\": {\"beam\": {\"length\": 0.4, \"count\": 12}}, \"section\": {\"round\": 0.012}, \"modes\": {\"count\": 8}}",
    "{\"mesh\": {\"block\": {\"size\": [0.4, 0.02, 0.03], \"divisions\": [12, 1, 2]}}, \"modes\": {\"count\": 8}}",
    "{\"mesh\": {\"strip\": {\"length\": 0.4, \"height\": 0.02, \"divisions\": [12, 2]}}, \"thickness\": 0.03, "
    "\"modes\": {\"count\": 5}}",
    "{\"as\": \"zone\", \"mesh\": {\"block\": {\"size\": [0.4, 0.02, 0.03], \"divisions\": [12, 1, 2]}}, \"modes\": {\"count\": 8}, "
    "\"zone\": {\"box\": {\"low\": [0.03, -1, -1], \"high\": [0.11, 1, 1]}}}",
    "{\"as\": \"zone\", \"mesh\": {\"strip\": {\"length\": 0.4, \"height\": 0.02, \"divisions\": [12, 2]}}, \"thickness\": 0.03, "
    "\"modes\": {\"count\": 5}, \"zone\": {\"box\": {\"low\": [-0.01, -1, -1], \"high\": [1, 1, 1]}}}",
};
enum { FLEXIBLE = sizeof flexible / sizeof *flexible };
static const char *const others[] = {
    "\"shape\": {\"sphere\": 0.02}, \"mass\": 0.05, \"position\": [0.07, 0.0405, 0.004]",
    "\"shape\": {\"box\": [0.05, 0.03, 0.04]}, \"mass\": 0.05, \"position\": [0.07, 0.0305, 0.004]",
    "\"material\": \"rubber\", \"position\": [0.1, 0.0305, 0.004], \"flexible\": {\"mesh\": {\"block\": {\"size\": "
    "[0.1, 0.03, 0.03], \"divisions\": [3, 1, 1]}}, \"modes\": {\"count\": 6}}",
    "\"material\": \"rubber\", \"position\": [0.07, 0.0405, 0.004], \"shape\": {\"sphere\": 0.02, \"at\": [0, 0, 0]}, \"flexible\": "
    "{\"mesh\": {\"block\": {\"size\": [0.03, 0.03, 0.03], \"divisions\": [1, 1, 1]}}, \"modes\": {\"count\": 6}}",
};

static sim strike(int f, int o, bool swapped)
{
    char text[4096];
    char a[1024], b[1024];
    snprintf(a, sizeof a, "{\"name\": \"beam\", \"material\": \"rubber\", \"flexible\": %s}", flexible[f]);
    snprintf(b, sizeof b, "{\"name\": \"hit\", %s, \"velocity\": [0.4, -2, 0.1], \"angular_velocity\": [3, 2, 20]}",
             others[o]);
    snprintf(
        text, sizeof text,
        "{\"carom\": 1, \"materials\": {\"rubber\": {\"young\": 5e7, \"poisson\": 0.3, \"density\": 1200}}, \"time\": {\"end\": "
        "0.02, \"integrator\": \"generalized-alpha\", \"tolerance\": 1e-7}, \"contact\": {\"method\": \"compliant\", "
        "\"law\": {\"linear\": {\"k\": 2e4}}, \"friction\": {\"coulomb\": {\"mu\": 0.3, \"v_e\": 0.01}}}, \"bodies\": [%s, %s]}",
        swapped ? b : a, swapped ? a : b);
    return sim_parse(text, NULL);
}

/* Energy to the error of the integrator, momenta to rounding; and who comes first in the scene is nobody's concern. */
TEST(compliant_flexible, whatever_touches_keeps_energy_and_momenta)
{
    for (int f = 0; f < FLEXIBLE; ++f) {
        for (int o = 0; o < 4; ++o) {
            v3 velocity[2];
            for (int swapped = 0; swapped < 2; ++swapped) {
                sim s = strike(f, o, swapped);
                const carom_ledger start = sim_ledger(&s);
                double force = 0.0;
                while (sim_before(&s, 0.01)) {
                    sim_step(&s, 0.01);
                    force = fmax(force, force_on(&s, "hit"));
                }
                const carom_ledger end = sim_ledger(&s);
                velocity[swapped] = v3_make(sim_signal(&s, "hit.velocity.x"), sim_signal(&s, "hit.velocity.y"),
                                            sim_signal(&s, "hit.velocity.z"));
                CHECK(force > 1.0);
                CHECK(end.lost_friction > 0.0);
                CHECK_LE(fabs(end.residue), 1e-4 * start.kinetic);
                CHECK_LE(sim_norm(sim_difference(end.momentum, start.momentum)), 1e-9 * sim_norm(start.momentum));
                CHECK_LE(sim_norm(sim_difference(end.angular_momentum, start.angular_momentum)),
                         1e-6 * sim_norm(start.angular_momentum)); /* of the integrator */
                sim_end(&s);
            }
            CHECK_LE(v3_norm(v3_sub(velocity[0], velocity[1])), 2e-3 * v3_norm(velocity[0]));
        }
    }
}

/* Velocities of a body that strikes a strip of 78 freedoms, in some coordinates, and the largest force. */
static v3 strike_strip(const char *as, const char *other, double *force)
{
    char text[3072];
    snprintf(
        text, sizeof text,
        "{\"carom\": 1, \"materials\": {\"rubber\": {\"young\": 5e7, \"poisson\": 0.3, \"density\": 1200}}, \"time\": {\"end\": "
        "0.02, \"integrator\": \"runge-kutta\", \"tolerance\": 1e-9}, \"contact\": {\"method\": \"compliant\", "
        "\"law\": {\"linear\": {\"k\": 2e4}}, \"friction\": {\"coulomb\": {\"mu\": 0.3, \"v_e\": 0.01}}}, \"bodies\": ["
        "{\"name\": \"strip\", \"material\": \"rubber\", \"flexible\": {%s, \"mesh\": {\"strip\": {\"length\": 0.4, \"height\": "
        "0.02, \"divisions\": [12, 2]}}, \"thickness\": 0.03}}, {\"name\": \"hit\", %s, \"velocity\": [0.4, -2, 0]}]}",
        as, other);
    sim s = sim_parse(text, NULL);
    *force = 0.0;
    while (sim_before(&s, 5e-3)) {
        sim_step(&s, 5e-3);
        *force = fmax(*force, force_on(&s, "hit"));
    }
    const v3 v = v3_make(sim_signal(&s, "hit.velocity.x"), sim_signal(&s, "hit.velocity.y"),
                         sim_signal(&s, "hit.angular_velocity.z"));
    sim_end(&s);
    return v;
}

/* With nothing left out, nodes of a zone and modes elsewhere are the same body as modes alone: struck inside of the zone, at its border and
 * outside, by the surface of the strip. */
TEST(compliant_flexible, a_zone_with_all_modes_moves_as_all_modes)
{
    static const char zone[] =
        "\"as\": \"zone\", \"modes\": {\"count\": 36}, \"zone\": {\"box\": {\"low\": [-0.01, -1, -1], \"high\": [1, 1, 1]}}";
    static const double places[] = { 0.12, 0.0, -0.13 };
    for (int k = 0; k < 3; ++k) {
        char other[200];
        double force[2];
        snprintf(other, sizeof other, "\"shape\": {\"sphere\": 0.02}, \"mass\": 0.05, \"position\": [%g, 0.0305, 0]",
                 places[k]);
        const v3 a = strike_strip("\"modes\": {\"count\": 75}", other, &force[0]);
        const v3 b = strike_strip(zone, other, &force[1]);
        printf("  at %g m: forces %.9g and %.9g N, velocities (%.9g, %.9g), (%.9g, %.9g) m/s\n", places[k], force[0],
               force[1], a.x, a.y, b.x, b.y);
        CHECK(force[0] > 1.0);
        CHECK_NEAR(force[1], force[0], 1e-4 * force[0]);
        CHECK_LE(v3_norm(v3_sub(a, b)), 1e-4 * v3_norm(a));
    }
}

/* Implicit and explicit integrators agree: forces and tangents belong together. */
TEST(compliant_flexible, integrators_agree)
{
    static const char *const integrators[] = { "generalized-alpha", "runge-kutta" };
    double speed[2] = { 0.0 };
    for (int k = 0; k < 2; ++k) {
        char name[64];
        snprintf(name, sizeof name, "time.integrator=\"%s\"", integrators[k]);
        const char *overrides[] = { name, "time.tolerance=1e-7", NULL };
        sim s = sim_parse(scene_text("../../papers/2/ball-on-beam.json"), overrides);
        sim_advance(&s, 200e-6);
        speed[k] = sim_signal(&s, "ball.velocity.y");
        sim_end(&s);
    }
    CHECK_NEAR(speed[1] / speed[0], 1.0, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(compliant_flexible, ball_on_a_beam_as_timoshenko_has_it),
        RUN_TEST(compliant_flexible, ball_on_a_beam_of_hexahedra_as_timoshenko_has_it),
        RUN_TEST(compliant_flexible, beam_on_an_elastic_stop),
        RUN_TEST(compliant_flexible, rods_with_spherical_ends_as_sears_has_them),
        RUN_TEST(compliant_flexible, whatever_touches_keeps_energy_and_momenta),
        RUN_TEST(compliant_flexible, a_zone_with_all_modes_moves_as_all_modes),
        RUN_TEST(compliant_flexible, integrators_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
