/* Bodies with nodes in the zone of contact and modes elsewhere, under the method constraint: against all nodes in the same frame [paper 2,
 * section 5], and what must not change them. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <carom/modes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 12, MOST_STEPS = 4096 };

/* ---- the double pendulum of the paper ---- */

static sim start_pendulum(const char *const *settings)
{
    char path[1024];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    const char *root = getenv("CAROM_SOURCE_DIR");
    size_t count = 0;
    while (settings && settings[count]) {
        ++count;
    }
    snprintf(path, sizeof path, "%s/papers/2/double-pendulum.json", root ? root : ".");
    CHECK_OK(carom_scene_load(path, settings, count, &spec, &err), err);
    return sim_start(spec, 1);
}

/* Impulses of all steps [N s]. */
static int take_impulses(sim *s, const char *signal, double end, double *out)
{
    double h = carom_model_integration(s->model).step;
    int steps = (int)lround(end / h);
    CHECK(steps <= MOST_STEPS);
    for (int k = 0; k < steps; ++k) {
        sim_step(s, (k + 1) * h);
        out[k] = h * sim_signal(s, signal);
    }
    return steps;
}

typedef struct difference {
    double force, running, total,
        peak; /* relative: of means over 5 steps; of running impulses; of the total; of the peak */
} difference;

static difference compare(const double *a, const double *b, int count)
{
    enum { WINDOW = 5 };
    double off = 0.0, size = 0.0, x = 0.0, y = 0.0, worst = 0.0, peak[2] = { 0.0, 0.0 };
    for (int k = 0; k + WINDOW <= count; k += WINDOW) {
        double mean[2] = { 0.0, 0.0 };
        for (int i = k; i < k + WINDOW; ++i) {
            mean[0] += a[i];
            mean[1] += b[i];
            peak[0] = fmax(peak[0], fabs(a[i]));
            peak[1] = fmax(peak[1], fabs(b[i]));
            x += a[i];
            y += b[i];
            worst = fmax(worst, fabs(x - y));
        }
        off += (mean[0] - mean[1]) * (mean[0] - mean[1]);
        size += mean[1] * mean[1];
    }
    return (difference){ sqrt(off / size), worst / fabs(y), fabs(x - y) / fabs(y), fabs(peak[0] / peak[1] - 1.0) };
}

/* P3b: 20 modes as in the paper (3 of the bar, 3 of the frame, 20 and 2 x 46: 118 unknowns), 40 modes for the history. */
TEST(constraint_zone, pendulum_with_a_zone_moves_as_all_nodes_in_the_same_frame)
{
    static const char *const frames[] = { "bodies.B2.flexible.frame=attachment", "bodies.B2.flexible.frame=chord" };
    static double nodes[MOST_STEPS], zone[MOST_STEPS];
    for (int f = 0; f < 2; ++f) {
        const char *const all[] = { frames[f], NULL };
        sim a = start_pendulum(all);
        int count = take_impulses(&a, "B2.contact.force.y", 8e-4, nodes);
        double w1 = sim_signal(&a, "B1.angular_velocity.z");
        for (int modes = 20; modes <= 40; modes += 20) {
            char number[60];
            snprintf(number, sizeof number, "bodies.B2.flexible.modes={\"count\":%d}", modes);
            const char *const settings[] = {
                frames[f], "bodies.B2.flexible.as=zone", number,
                "bodies.B2.flexible.zone={\"box\":{\"low\":[0.1774,-1,-1],\"high\":[1,1,1]}}", NULL
            };
            sim b = start_pendulum(settings);
            CHECK_EQ(carom_model_flexible(b.model, sim_body(&b, "B2")).coordinate_count, modes + 2 * 46);
            CHECK_EQ(take_impulses(&b, "B2.contact.force.y", 8e-4, zone), count);
            const difference d = compare(zone, nodes, count);
            carom_ledger l = sim_ledger(&b);
            printf(
                "  %s, %d modes: force off by %.3f, running impulse by %.5f, total by %.5f, peak by %.1e; energy off by %.1e J\n",
                frames[f], modes, d.force, d.running, d.total, d.peak, l.residue);
            CHECK_LE(d.total, 0.01);
            CHECK_LE(d.running, modes == 20 ? 0.03 : 0.005);
            CHECK_LE(d.peak, 0.005);
            CHECK_LE(d.force, modes == 20 ? 0.35 : 0.03);
            CHECK_NEAR(sim_signal(&b, "B1.angular_velocity.z"), w1, 0.005 * fabs(w1));
            CHECK_LE(fabs(l.residue), 1e-4 * 2.59282);
            CHECK_LE(fabs(l.angular_momentum_residue.z), 1e-5 * 1.626504);
            sim_end(&b);
        }
        sim_end(&a);
    }
}

/* More nodes in the zone than a body has room for shapes, on a hinge and with a probe. */
TEST(constraint_zone, a_large_zone_on_a_hinge_moves_as_all_nodes)
{
    static double nodes[MOST_STEPS], zone[MOST_STEPS];
    static const char fine[] = "variables.size=1.25e-3", step[] = "variables.h=1e-7";
    static const char probe[] = "bodies.B2.flexible.probes=[{\"name\":\"middle\",\"at\":[0.1,0,0]}]";
    const char *const all[] = { fine, step, probe, NULL };
    const char *const settings[] = { fine,
                                     step,
                                     probe,
                                     "bodies.B2.flexible.as=zone",
                                     "bodies.B2.flexible.modes={\"count\":40}",
                                     "bodies.B2.flexible.zone={\"box\":{\"low\":[0.1499,-1,-1],\"high\":[1,1,1]}}",
                                     NULL };
    sim a = start_pendulum(all);
    sim b = start_pendulum(settings);
    CHECK(carom_model_flexible(b.model, sim_body(&b, "B2")).coordinate_count > 600);
    int count = take_impulses(&a, "B2.contact.force.y", 4e-5, nodes);
    CHECK_EQ(take_impulses(&b, "B2.contact.force.y", 4e-5, zone), count);
    const difference d = compare(zone, nodes, count);
    const double w = sim_signal(&a, "B1.angular_velocity.z");
    printf("  force off by %.1e, impulse by %.1e; probe moves %.9g and %.9g m/s\n", d.force, d.total,
           sim_signal(&b, "B2.middle.velocity.y"), sim_signal(&a, "B2.middle.velocity.y"));
    CHECK_LE(d.force, 0.03);
    CHECK_LE(d.total, 0.005);
    CHECK_NEAR(sim_signal(&b, "B1.angular_velocity.z"), w, 1e-4 * fabs(w));
    CHECK_NEAR(sim_signal(&b, "B2.middle.velocity.y"), sim_signal(&a, "B2.middle.velocity.y"), 0.05);
    sim_end(&a);
    sim_end(&b);
}

/* ---- a free strip ---- */

static sim start_strip(const char *const *settings)
{
    return sim_start(scene_read("constraint_zone.json", settings), 1);
}

/* Turned by any angle and enlarged a tenfold or to a tenth, the same impulses over the cube of the scale. */
TEST(constraint_zone, turns_and_scales_change_nothing)
{
    static double first[MOST_STEPS], x[MOST_STEPS], y[MOST_STEPS];
    sim a = start_strip(NULL);
    int count = take_impulses(&a, "strip.contact.force.y", 1.2e-4, first);
    sim_end(&a);
    static const struct {
        const char *turn, *scale;
        double angle, s;
    } cases[] = { { "variables.turn=0.7", "variables.s=1", 0.7, 1.0 },
                  { "variables.turn=-2", "variables.s=1", -2.0, 1.0 },
                  { "variables.turn=0", "variables.s=0.1", 0.0, 0.1 },
                  { "variables.turn=1", "variables.s=10", 1.0, 10.0 } };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        const char *const settings[] = { cases[c].turn, cases[c].scale, NULL };
        const double s = cases[c].s;
        sim b = start_strip(settings);
        double h = carom_model_integration(b.model).step;
        for (int k = 0; k < count; ++k) {
            sim_step(&b, (k + 1) * h);
            x[k] = sim_signal(&b, "strip.contact.force.x");
            y[k] = sim_signal(&b, "strip.contact.force.y");
            y[k] = (cos(cases[c].angle) * y[k] - sin(cases[c].angle) * x[k]) * h / (s * s * s);
        }
        const difference d = compare(y, first, count);
        printf("  turned by %g rad, scale %g: force off by %.1e, impulse by %.1e\n", cases[c].angle, s, d.force,
               d.total);
        CHECK_LE(d.force, 1e-8); /* rounding, and what waves make of it in 800 steps: a hundred times what is found */
        CHECK_LE(d.total, 1e-9);
        sim_end(&b);
    }
}

/* Impulses of the strip as it is, and of a scene that must give the same. */
static difference compare_with_strip(sim *b, const char *const *settings)
{
    static double first[MOST_STEPS], other[MOST_STEPS];
    sim a = start_strip(settings);
    int count = take_impulses(&a, "strip.contact.force.y", 1.2e-4, first);
    CHECK_EQ(take_impulses(b, "strip.contact.force.y", 1.2e-4, other), count);
    sim_end(&a);
    sim_end(b);
    return compare(other, first, count);
}

/* Millimetres and tonnes. */
TEST(constraint_zone, units_change_nothing)
{
    static const char *const settings[] = { "units={\"length\":\"mm\",\"mass\":\"t\"}",
                                            "variables.s=1000",
                                            "variables.h=1.5e-7",
                                            "variables.end=1.2e-4",
                                            "materials.steel={\"young\":200e3,\"poisson\":0.3,\"density\":8e-9}",
                                            "bodies.strip.velocity=[500,-2000,0]",
                                            "bodies.strip.angular_velocity=[0,0,5]",
                                            "bodies.strip.flexible.damping.stiffness=1e-7",
                                            NULL };
    sim b = start_strip(settings);
    const difference d = compare_with_strip(&b, NULL);
    printf("  force off by %.1e, impulse by %.1e\n", d.force, d.total);
    CHECK_LE(d.force, 1e-8); /* as with turns and scales */
    CHECK_LE(d.total, 1e-9);
}

/* The floor behind the strip in the list. */
TEST(constraint_zone, the_order_of_bodies_changes_nothing)
{
    const char *text = scene_text("constraint_zone.json");
    const char *floor = strstr(text, "    {\"name\": \"floor\"");
    const char *strip = floor ? strstr(floor, "    {\"name\": \"strip\"") : NULL;
    const char *end = strip ? strstr(strip, " ],\n") : NULL;
    CHECK(end != NULL);
    char *turned = calloc(1, strlen(text) + 16);
    CHECK(turned != NULL);
    int floor_size = (int)(strip - floor) - 2; /* without comma and end of line */
    sprintf(turned, "%.*s%.*s,\n%.*s%s", (int)(floor - text), text, (int)(end - strip), strip, floor_size, floor,
            end);
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_parse(turned, strlen(turned), "turned", ".", NULL, 0, &spec, &err), err);
    sim b = sim_start(spec, 1);
    const difference d = compare_with_strip(&b, NULL);
    printf("  force off by %.1e, impulse by %.1e\n", d.force, d.total);
    CHECK_LE(d.force, 1e-12); /* the same sums */
    CHECK_LE(d.total, 1e-12);
    free(turned);
}

/* A strip of rectangles with its zone at the right end, or turned by half a turn with the zone at the left: all nodes, those of the
 * zone and of its border among them, are numbered the other way round. */
TEST(constraint_zone, the_order_of_nodes_changes_nothing)
{
    static const char mesh[] =
        "bodies.strip.flexible.mesh={\"strip\":{\"length\":0.1,\"height\":0.01,\"divisions\":[24,4]}}";
    static const char deep[] = "variables.deep=0.05*cos($tilt)-0.005*sin($tilt)-1e-9";
    static const char *const right[] = {
        mesh, deep, "bodies.strip.flexible.zone={\"box\":{\"low\":[0.03,-1,-1],\"high\":[1,1,1]}}", NULL
    };
    static const char *const left[] = {
        mesh,
        deep,
        "variables.a=$turn+pi/2+$tilt",
        "bodies.strip.flexible.zone={\"box\":{\"low\":[-1,-1,-1],\"high\":[-0.03,1,1]}}",
        "bodies.strip.flexible.probes=[{\"name\":\"far\",\"at\":[0.05,0,0]}]",
        NULL
    };
    sim b = start_strip(left);
    const difference d = compare_with_strip(&b, right);
    printf("  force off by %.1e, impulse by %.1e\n", d.force, d.total);
    CHECK_LE(d.force, 1e-8);
    CHECK_LE(d.total, 1e-9);
}

/* Flying in a field of gravity strains nothing, in any frame. */
TEST(constraint_zone, uniform_acceleration_strains_nothing)
{
    static const char ends[] =
        "bodies.strip.flexible.attachments=[{\"name\":\"end\",\"nodes\":{\"group\":\"x_min\"}}]";
    static const char *const frames[] = { "bodies.strip.flexible.frame=mean",
                                          "bodies.strip.flexible.frame=attachment" };
    for (int f = 0; f < 2; ++f) {
        const char *const settings[] = {
            ends, frames[f], "variables.deep=1", "gravity=[3,-1e4,0]", "bodies.strip.angular_velocity=[0,0,0]", NULL
        };
        sim s = start_strip(settings);
        sim_advance(&s, 1.2e-4);
        const carom_ledger l = sim_ledger(&s);
        printf("  %s: %.1e J of strain, %.3g J of motion\n", frames[f], l.elastic, l.kinetic);
        CHECK(l.kinetic > 0.1);
        CHECK_LE(l.elastic, 1e-12 * l.kinetic);
        sim_end(&s);
    }
}

/* The frame matters at second order only: a short strip that hardly bends knows no difference. */
TEST(constraint_zone, frames_differ_at_second_order)
{
    static double mean[MOST_STEPS], other[MOST_STEPS];
    static const char *const ends[] = {
        "bodies.strip.flexible.attachments=[{\"name\":\"end\",\"nodes\":{\"group\":\"x_min\"}}]",
        "bodies.strip.flexible.frame=mean", "variables.v=0.02", NULL
    };
    static const char *const hinge[] = {
        "bodies.strip.flexible.attachments=[{\"name\":\"end\",\"nodes\":{\"group\":\"x_min\"}}]",
        "bodies.strip.flexible.frame=attachment", "variables.v=0.02", NULL
    };
    sim a = start_strip(ends);
    sim b = start_strip(hinge);
    int count = take_impulses(&a, "strip.contact.force.y", 1.2e-4, mean);
    CHECK_EQ(take_impulses(&b, "strip.contact.force.y", 1.2e-4, other), count);
    const difference d = compare(other, mean, count);
    printf("  force off by %.1e, impulse by %.1e\n", d.force, d.total);
    CHECK_LE(d.total, 2e-3);
    sim_end(&a);
    sim_end(&b);
}

/* Copies go on alike in the middle of an impact, on any number of threads. */
TEST(constraint_zone, a_copy_goes_on_alike)
{
    static const int threads[] = { 2, 7 };
    sim a = start_strip(NULL);
    carom_error err = { 0 };
    carom_step_report report;
    sim_advance(&a, 2e-5);
    CHECK(sim_signal(&a, "contact.count") > 0.0);
    for (int t = 0; t < 2; ++t) {
        carom_state *copy = carom_state_create(a.model);
        carom_scratch *fresh = NULL;
        CHECK_OK(carom_state_copy(copy, a.state), err);
        CHECK_OK(carom_scratch_create(a.model, threads[t], &fresh, &err), err);
        for (int k = 0; k < 10; ++k) {
            CHECK_OK(carom_step(a.model, a.state, a.scratch, 1e-6, &report, &err), err);
            CHECK_OK(carom_step(a.model, copy, fresh, 1e-6, &report, &err), err);
            CHECK(carom_state_hash(a.state) == carom_state_hash(copy));
        }
        carom_scratch_destroy(fresh);
        carom_state_destroy(copy);
    }
    sim_end(&a);
}

/* Under `none`, with an implicit and an explicit integrator: a soft strip that spins and vibrates keeps its momenta. */
TEST(constraint_zone, free_strip_keeps_momenta_without_contact)
{
    static const char *const kinds[] = {
        "time={\"end\":5e-3,\"tolerance\":1e-9,\"integrator\":\"generalized-alpha\"}",
        "time={\"end\":5e-3,\"tolerance\":1e-9,\"integrator\":\"runge-kutta\"}"
    };
    for (int k = 0; k < 2; ++k) {
        const char *const settings[] = { "contact.method=none",
                                         "materials.steel.young=2e7",
                                         "materials.steel.density=800",
                                         "record.every=1e-3",
                                         "variables.deep=1",
                                         "bodies.strip.angular_velocity=[0,0,60]",
                                         kinds[k],
                                         NULL };
        sim s = start_strip(settings);
        const carom_ledger first = sim_ledger(&s);
        sim_advance(&s, 5e-3);
        const carom_ledger l = sim_ledger(&s);
        double moved = sim_norm(sim_difference(l.momentum, first.momentum)) / sim_norm(first.momentum);
        double turned = fabs(l.angular_momentum.z - first.angular_momentum.z) / fabs(first.angular_momentum.z);
        printf("  %s: momentum off by %.1e, angular momentum by %.1e, energy by %.1e J; %.2e J of strain\n", kinds[k],
               moved, turned, l.residue, l.elastic);
        CHECK(l.elastic > 0.0);
        CHECK_LE(moved, 1e-9);
        CHECK_LE(turned, 1e-9);
        sim_end(&s);
    }
}

/* Where the far end of a soft strip is that spins and vibrates, after 2 ms. */
static carom_v3 far_end(const char *as, const char *method, double step)
{
    char kind[60], contact[60], time[160];
    snprintf(kind, sizeof kind, "bodies.strip.flexible.as=%s", as);
    snprintf(contact, sizeof contact, "contact.method=%s", method);
    if (step > 0.0) {
        snprintf(time, sizeof time, "time={\"end\":2e-3,\"step\":%.17g}", step);
    } else {
        snprintf(time, sizeof time, "time={\"end\":2e-3,\"tolerance\":1e-11,\"integrator\":\"runge-kutta\"}");
    }
    const char *const settings[] = { kind,
                                     contact,
                                     time,
                                     "materials.steel.young=2e7",
                                     "materials.steel.density=800",
                                     "bodies.strip.flexible.damping.stiffness=0",
                                     "record.every=2e-3",
                                     "variables.deep=1",
                                     "bodies.strip.angular_velocity=[0,0,300]",
                                     NULL };
    sim s = start_strip(settings);
    sim_advance(&s, 2e-3);
    const carom_v3 x = { sim_signal(&s, "strip.far.position.x"), sim_signal(&s, "strip.far.position.y"), 0.0 };
    sim_end(&s);
    return x;
}

/* Forces of inertia of bodies in shapes are taken with the velocities of the half step before (docs/theory/constraint.md): what spins is
 * followed to first order, whatever its coordinates are. */
TEST(constraint_zone, inertia_is_followed_to_first_order)
{
    static const char *const kinds[] = { "zone", "modes" };
    for (int k = 0; k < 2; ++k) {
        const carom_v3 exact = far_end(kinds[k], "none", 0.0);
        double off[3];
        for (int n = 0; n < 3; ++n) {
            off[n] = sim_norm(sim_difference(far_end(kinds[k], "constraint", 4e-6 / (1 << n)), exact));
        }
        printf("  %s: off by %.2e, %.2e, %.2e m with steps of 4, 2, 1 us\n", kinds[k], off[0], off[1], off[2]);
        CHECK_NEAR(off[0] / off[1], 2.0, 0.3);
        CHECK_NEAR(off[1] / off[2], 2.0, 0.3);
    }
}

/* ---- what is refused ---- */

TEST(constraint_zone, touching_outside_of_the_zone_ends_the_run)
{
    static const char *const settings[] = {
        "bodies.strip.flexible.zone={\"box\":{\"low\":[-1,-1,-1],\"high\":[-0.02,1,1]}}", NULL
    };
    sim s = start_strip(settings);
    carom_error err = { 0 };
    carom_step_report report;
    carom_status status = CAROM_OK;
    for (int k = 0; k < 100 && status == CAROM_OK; ++k) {
        status = carom_step(s.model, s.state, s.scratch, 2e-5, &report, &err);
    }
    CHECK_EQ(status, CAROM_INTERSECTING);
    CHECK(strstr(err.message, "outside of its zone") != NULL);
    sim_end(&s);
}

TEST(constraint_zone, what_a_zone_does_not_know_is_refused)
{
    static const char *const cases[][2] = {
        { "bodies.strip.flexible.damping.ratio=0.1", "damping.ratio" },
        { "bodies.strip.flexible={\"as\":\"nodes\",\"thickness\":0.01,\"mesh\":{\"strip\":{\"length\":0.1,\"height\":0.01,"
          "\"divisions\":[24,4]}},\"initial\":\"static\"}",
          "nodal coordinates" },
        { "bodies.strip.flexible.zone={\"box\":{\"low\":[5,5,5],\"high\":[6,6,6]}}", "zone" },
        { "bodies.strip.flexible.modes.count=5000", "outside of the zone" },
        { "contact.penalty=0.1", "penalty" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const char *const settings[] = { cases[k][0], NULL };
        carom_spec *spec = scene_read("constraint_zone.json", settings);
        carom_model *model = NULL;
        carom_error err = { 0 };
        CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
        if (!strstr(err.message, cases[k][1])) {
            print_error("%s: %s\n", cases[k][0], err.message);
        }
        CHECK(strstr(err.message, cases[k][1]) != NULL);
        carom_spec_destroy(spec);
        carom_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(constraint_zone, pendulum_with_a_zone_moves_as_all_nodes_in_the_same_frame),
        RUN_TEST(constraint_zone, a_large_zone_on_a_hinge_moves_as_all_nodes),
        RUN_TEST(constraint_zone, turns_and_scales_change_nothing),
        RUN_TEST(constraint_zone, units_change_nothing),
        RUN_TEST(constraint_zone, the_order_of_bodies_changes_nothing),
        RUN_TEST(constraint_zone, the_order_of_nodes_changes_nothing),
        RUN_TEST(constraint_zone, uniform_acceleration_strains_nothing),
        RUN_TEST(constraint_zone, frames_differ_at_second_order),
        RUN_TEST(constraint_zone, a_copy_goes_on_alike),
        RUN_TEST(constraint_zone, free_strip_keeps_momenta_without_contact),
        RUN_TEST(constraint_zone, inertia_is_followed_to_first_order),
        RUN_TEST(constraint_zone, touching_outside_of_the_zone_ends_the_run),
        RUN_TEST(constraint_zone, what_a_zone_does_not_know_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
