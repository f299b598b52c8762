/* Events of the method constraint: contact of two bodies begins with the first node and ends with the last; stick, slip, changes of phase. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 200 };

typedef struct events {
    carom_event items[MOST];
    int count;
    long switches;
} events;

static void advance(sim *s, double end, events *out)
{
    carom_error err = { 0 };
    carom_step_report report = { 0 };
    while (sim_before(s, end)) {
        CHECK_OK(carom_step(s->model, s->state, s->scratch, end - sim_time(s), &report, &err), err);
        size_t count = 0;
        const carom_event *e = carom_step_events(s->scratch, &count);
        for (size_t k = 0; k < count; ++k) {
            CHECK(out->count < MOST);
            out->items[out->count++] = e[k];
        }
        out->switches += report.switches;
    }
}

static int times_of(const events *all, carom_event_kind kind, double *t)
{
    int n = 0;
    for (int k = 0; k < all->count; ++k) {
        if (all->items[k].kind == kind) {
            t[n++] = all->items[k].t;
        }
    }
    return n;
}

/* The ten blows of the pendulum of paper 2, by our own reference in Python [us]. */
TEST(constraint_events, a_pendulum_strikes_ten_times)
{
    static const double on[] = { 0, 99.6, 136.2, 172.6, 239.8, 251.4, 269.8, 482.0, 495.0, 737.4 };
    static const double off[] = { 94.2, 133.4, 148.2, 181.0, 249.4, 261.4, 285.2, 491.0, 630.0, 745.0 };
    static events all;
    double t[MOST];
    char path[1024];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    const char *root = getenv("CAROM_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/papers/2/double-pendulum.json", root ? root : ".");
    CHECK_OK(carom_scene_load(path, NULL, 0, &spec, &err), err);
    sim s = sim_start(spec, 1);
    advance(&s, 8e-4, &all);
    CHECK_EQ(times_of(&all, CAROM_EVENT_CONTACT_ON, t), 10);
    for (int k = 0; k < 10; ++k) {
        CHECK_NEAR(1e6 * t[k], on[k], 0.5);
    }
    CHECK_EQ(times_of(&all, CAROM_EVENT_CONTACT_OFF, t), 10);
    for (int k = 0; k < 10; ++k) {
        CHECK_NEAR(1e6 * t[k], off[k], 0.5);
    }
    CHECK_EQ(all.switches, 20); /* one node at a time */
    int held = 0;
    for (int k = 0; k < all.count; ++k) { /* sticks and slips take turns while it touches, and it strikes sliding */
        const carom_event *e = &all.items[k];
        held += e->kind == CAROM_EVENT_STICK ? 1 : e->kind == CAROM_EVENT_SLIP ? -1 : 0;
        CHECK(held == 0 || held == 1);
        if (e->kind == CAROM_EVENT_CONTACT_ON) {
            CHECK(e->speed < 0.0 && e->normal.y == -1.0);
            CHECK_EQ(e->friction, CAROM_FRICTION_NONE);
            CHECK_EQ(e->friction_after, CAROM_FRICTION_SLIP);
        }
    }
    CHECK(times_of(&all, CAROM_EVENT_STICK, t) >= 5);
    CHECK_NEAR(all.items[0].speed, -2.129, 0.002); /* paper 2, table 4 */
    CHECK_NEAR(fabs(all.items[0].slip.x), 2.728, 0.003);
    sim_end(&s);
}

/* Landing, contact, take-off, in this order and with their energies. */
TEST(constraint_events, phases_are_told)
{
    static const carom_event_kind kinds[] = { CAROM_EVENT_TOPOLOGY, CAROM_EVENT_CONTACT_ON, CAROM_EVENT_CONTACT_OFF,
                                              CAROM_EVENT_TOPOLOGY };
    static events all;
    sim s = sim_start(scene_read("constraint_flight.json", NULL), 1);
    advance(&s, 0.012, &all);
    CHECK_EQ(all.count, 4);
    for (int k = 0; k < 4; ++k) {
        CHECK_EQ(all.items[k].kind, kinds[k]);
    }
    CHECK_NEAR(all.items[1].speed, -sqrt(1.0 + 2.0 * 9.81 * 0.01), 1e-3);
    CHECK_EQ(all.items[0].body[0], sim_body(&s, "floor"));
    CHECK_EQ(all.items[0].body[1], sim_body(&s, "strip"));
    CHECK(all.items[1].t - all.items[0].t > 0.0 && all.items[1].t - all.items[0].t < 2e-6); /* four steps */
    CHECK(all.items[3].t - all.items[2].t > 1e-4); /* a period of the strip */
    CHECK_LE(fabs(all.items[3].energy_lost), fabs(sim_ledger(&s).lost_handover));
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(constraint_events, a_pendulum_strikes_ten_times),
        RUN_TEST(constraint_events, phases_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
