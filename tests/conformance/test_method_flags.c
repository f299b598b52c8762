/* What a method declares in its table is what it does: every flag, for every method of the list. A new method is held to its
 * own flags without a line here. */
#include "model/method.h"
#include "support/scene_file.h"
#include "support/sim.h"

typedef void (*on_method)(const carom_method *method);

static void for_each_method(on_method act)
{
    for (const carom_kind *const *kind = carom_method_kinds(); *kind; ++kind) {
        printf("  %s\n", (*kind)->name);
        act(carom_method_find((*kind)->name));
    }
}

/* The scene under this method; `more` is another override, or NULL. */
static carom_spec *scene_under(const char *scene, const carom_method *method, const char *more)
{
    char choice[80];
    snprintf(choice, sizeof choice, "contact.method=%s", method->kind.name);
    const char *const overrides[] = { choice, more, NULL };
    return scene_read(scene, overrides);
}

static carom_status try_compile(carom_spec *spec, carom_model **model, carom_error *err)
{
    carom_status status = carom_compile(spec, model, err);
    carom_spec_destroy(spec);
    return status;
}

/* ---- joints -------------------------------------------------------------------------------------------------------- */

/* Rigid stops are not passed and give back what their restitution says; others are springs, passed by a little, which give
 * back all. A barrier keeps a gap, at most its range of 1e-4 rad, and gives back to the accuracy of its steps: 0.1 % of the
 * speed. Central differences meet and leave the spring within a step: 1e-5 of the speed. */
static void check_stops(const carom_method *method)
{
    double furthest = 0.0;
    sim s = sim_start(scene_under("flap.json", method, NULL), 1);
    while (sim_before(&s, 0.3)) {
        sim_step(&s, 0.3);
        furthest = fmax(furthest, sim_signal(&s, "hinge.angle"));
    }
    CHECK_GE(furthest, 0.2 - (method->minimises ? 1e-4 : 1e-9));
    CHECK_LE(furthest, method->rigid_stops ? 0.2 + 1e-9 : 0.21);
    CHECK(method->rigid_stops || furthest > 0.2 + 1e-4);
    CHECK_NEAR(sim_signal(&s, "hinge.angle.rate"), method->rigid_stops ? -0.5 * 2.0 : -2.0,
               method->minimises ? 1e-3
               : method->leaps   ? 2e-5
                                 : 1e-6);
    CHECK_NEAR(sim_ledger(&s).residue, 0.0, method->leaps ? 1e-5 : 1e-8);
    CHECK(!method->rigid_stops || sim_ledger(&s).lost_impact > 0.1);
    sim_end(&s);
}

TEST(method_flags, stops_are_rigid_where_the_method_says_so)
{
    for_each_method(check_stops);
}

static bool notes_contain(const carom_model *model, const char *part)
{
    const carom_note *notes = NULL;
    size_t count = carom_model_notes(model, &notes);
    bool found = false;
    for (size_t k = 0; k < count && !found; ++k) {
        found = strstr(notes[k].message, part) != NULL;
    }
    return found;
}

/* Dry friction in joints acts, or a note says that it does not. */
static void check_joint_friction(const carom_method *method)
{
    static const char *const friction = "joints.hinge.friction={\"coefficient\": 0.3, \"radius\": 0.05}";
    sim s = sim_start(scene_under("flap.json", method, friction), 1);
    sim_advance(&s, 0.09);
    carom_ledger ledger = sim_ledger(&s);
    CHECK_EQ(ledger.lost_friction > 1e-3, method->joint_friction);
    CHECK_EQ(sim_signal(&s, "hinge.angle.rate") < 2.0 - 1e-3, method->joint_friction);
    CHECK_EQ(notes_contain(s.model, "is ignored by the method"), !method->joint_friction || !method->rigid_stops);
    CHECK_NEAR(ledger.residue, 0.0, 1e-6);
    sim_end(&s);
}

TEST(method_flags, joints_rub_where_the_method_says_so)
{
    for_each_method(check_joint_friction);
}

/* A journal stays in its bearing, or the scene is refused. */
static void check_clearance(const carom_method *method)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    carom_status status = try_compile(scene_under("loose_pendulum.json", method, NULL), &model, &err);
    carom_model_destroy(model);
    CHECK_EQ(status, method->clearance ? CAROM_OK : CAROM_BAD_INPUT);
    if (!method->clearance) {
        CHECK_CONTAINS(err.message, "has a clearance");
        return;
    }
    sim s = sim_start(scene_under("loose_pendulum.json", method, NULL), 1);
    double furthest = 0.0;
    while (sim_before(&s, 0.3)) {
        sim_step(&s, 0.3);
        furthest = fmax(furthest, hypot(sim_signal(&s, "pin.x"), sim_signal(&s, "pin.y")));
    }
    CHECK_GE(furthest, 0.99e-3);
    CHECK_LE(furthest, method->needs_laws ? 1.2e-3 : 1e-3 + 1e-9);
    CHECK_NEAR(sim_ledger(&s).residue, 0.0, 1e-3);
    sim_end(&s);
}

TEST(method_flags, journals_stay_in_their_bearings_or_are_refused)
{
    for_each_method(check_clearance);
}

/* ---- contact ------------------------------------------------------------------------------------------------------- */

static void check_laws(const carom_method *method)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    char contact[120];
    snprintf(contact, sizeof contact, "contact={\"method\": \"%s\", \"restitution\": 0.8}", method->kind.name);
    carom_status status = try_compile(scene_under("two_balls.json", method, contact), &model, &err);
    CHECK_EQ(status, method->needs_laws ? CAROM_BAD_INPUT : CAROM_OK);
    CHECK(!method->needs_laws || strcmp(err.path, "contact.law") == 0);
    carom_model_destroy(model);
}

TEST(method_flags, laws_are_asked_for_by_methods_that_need_them)
{
    for_each_method(check_laws);
}

/* Balls meet where the method has contact forces, and pass through each other where it has none. */
static void check_meeting(const carom_method *method)
{
    bool meet = method->forces != NULL;
    sim s = sim_start(scene_under("two_balls.json", method, NULL), 1);
    sim_advance(&s, 0.3);
    double v = carom_state_velocity(s.model, s.state, sim_body(&s, "left")).x;
    carom_ledger ledger = sim_ledger(&s);
    CHECK(!meet || method->colliders);
    CHECK(meet ? v < -0.6 && v > -0.9 : v == 1.0); /* laws come near the restitution of 0.8, no nearer */
    CHECK_EQ(sim_position(&s, "left").x < sim_position(&s, "right").x, meet);
    CHECK_NEAR(ledger.residue, 0.0, 1e-3);
    CHECK_EQ(ledger.lost_contact + ledger.lost_impact > 0.1, meet);
    sim_end(&s);
}

TEST(method_flags, bodies_meet_where_the_method_has_contact_forces)
{
    for_each_method(check_meeting);
}

typedef struct heard {
    int impacts, on, off, other;
    double first, last; /* [s] */
} heard;

static heard listen(sim *s)
{
    heard h = { .first = HUGE_VAL };
    while (sim_before(s, 0.3)) {
        double before = sim_time(s);
        sim_step(s, 0.3);
        size_t count = 0;
        const carom_event *events = carom_step_events(s->scratch, &count);
        for (size_t k = 0; k < count; ++k) {
            carom_event_kind kind = events[k].kind;
            int *counter = kind == CAROM_EVENT_IMPACT        ? &h.impacts
                           : kind == CAROM_EVENT_CONTACT_ON  ? &h.on
                           : kind == CAROM_EVENT_CONTACT_OFF ? &h.off
                                                             : &h.other;
            ++*counter;
            CHECK(events[k].t >= before && events[k].t <= sim_time(s) && events[k].t >= h.last);
            h.first = fmin(h.first, events[k].t);
            h.last = events[k].t;
        }
    }
    return h;
}

/* A method that announces tells the impact itself, at its moment, or with explicit steps those where a touch begins and ends; of others the
 * two ends of a touch are found. */
static void check_events(const carom_method *method)
{
    sim s = sim_start(scene_under("two_balls.json", method, NULL), 1);
    heard h = listen(&s);
    bool meet = method->forces != NULL;
    bool strikes = method->announces && !method->leaps;
    CHECK_EQ(h.impacts, meet && strikes ? 1 : 0);
    CHECK_EQ(h.on, meet && !strikes ? 1 : 0);
    CHECK_EQ(h.off, h.on);
    CHECK_EQ(h.other, 0);
    CHECK(!meet || fabs(h.first - 0.1) < (strikes ? 1e-9 : 1e-3));
    CHECK(!h.off || h.last > h.first ||
          (method->leaps && h.last == h.first)); /* impacts of rigid bodies take no time */
    sim_end(&s);
}

TEST(method_flags, events_are_announced_or_found)
{
    for_each_method(check_events);
}

/* Bodies that overlap at the start: refused, with both names, where the method admits none. */
static void check_overlap(const carom_method *method)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    CHECK_OK(try_compile(scene_under("two_balls.json", method, "bodies.left.position=[0.05, 0, 0]"), &model, &err),
             err);
    carom_state *state = carom_state_create(model);
    CHECK_OK(carom_scratch_create(model, 1, &scratch, &err), err);
    carom_status status = carom_step(model, state, scratch, 1e-4, NULL, &err);
    CHECK_EQ(status, method->admit ? CAROM_INTERSECTING : CAROM_OK);
    if (method->admit) {
        CHECK_CONTAINS(err.message, "left");
        CHECK_CONTAINS(err.message, "right");
    }
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
}

TEST(method_flags, overlap_at_the_start_is_refused_where_the_method_admits_none)
{
    for_each_method(check_overlap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(method_flags, stops_are_rigid_where_the_method_says_so),
        RUN_TEST(method_flags, joints_rub_where_the_method_says_so),
        RUN_TEST(method_flags, journals_stay_in_their_bearings_or_are_refused),
        RUN_TEST(method_flags, laws_are_asked_for_by_methods_that_need_them),
        RUN_TEST(method_flags, bodies_meet_where_the_method_has_contact_forces),
        RUN_TEST(method_flags, events_are_announced_or_found),
        RUN_TEST(method_flags, overlap_at_the_start_is_refused_where_the_method_admits_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
