/* What every contact method owes the bodies that meet under it, with every integrator that can run it: momenta and the
 * energy ledger, independence of the frame of reference, the same bits for any number of threads, from a copy, from a
 * checkpoint and with a new scratch in every step; a step that fails leaves the state as it was. */
#include "support/contact_scene.h"
#include "support/integrators.h"

#include <float.h>
#include <unistd.h>

#include "model/method.h"
#include "model/state.h"
#include "result/checkpoint.h"

static const double END = 0.12; /* [s] all have met and parted */

typedef enum gathering { SOLIDS, BALLS, SETTLING, GATHERINGS } gathering;

/* The law remembers the speed at first touch, the friction law has bristles: everything a state can remember. Where impacts
 * take no time there is something to remember only of bodies that lie on others: these settle on a floor. */
typedef struct variant {
    const char *method;
    const char *integrator;
    bool fixed; /* the integrator knows fixed steps only */
    gathering who;
    int level; /* 0 coarse, 1 fine */
    char contact[400];
    char time[200];
} variant;

typedef void (*on_variant)(variant *v);

static bool adapts(const char *integrator)
{
    char time[128];
    char contact[64];
    snprintf(time, sizeof time, "\"end\": 1, \"integrator\": \"%s\"", integrator);
    snprintf(contact, sizeof contact, "{\"method\": \"%s\"}", method_for_integrator(integrator));
    contact_scene c = three_balls(contact, time);
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(scene_compile(&c, &model, &err), err);
    bool adaptive = carom_model_integration(model).adaptive;
    carom_model_destroy(model);
    return adaptive;
}

static const carom_method *table_of(const variant *v)
{
    return carom_method_find(v->method);
}

static bool makes_contact(const variant *v)
{
    return table_of(v)->forces != NULL;
}

/* Contact without laws of forces is rigid: impacts take no time, friction is Coulomb's. */
static bool is_exact(const variant *v)
{
    return makes_contact(v) && !table_of(v)->needs_laws;
}

static bool minimises(const variant *v)
{
    return table_of(v)->minimises;
}

static bool leaps(const variant *v)
{
    return table_of(v)->leaps;
}

/* [s] or relative: what the integrator is given. Those of difference formulas are of first order around impacts. */
static double accuracy_of(const variant *v)
{
    static const double tolerance[] = { 1e-6, 1e-8 };
    static const double step[] = { 2e-5, 5e-6 };
    static const double long_step[] = { 1e-4, 2.5e-5 };
    return (minimises(v) ? long_step : v->fixed ? step : tolerance)[v->level];
}

/* [m] A barrier gives back what impacts take when they are over within a step: its range is a hundredth of what bodies do in
 * one at 0.5 m/s. Other methods let surfaces touch. */
static double range_of(const variant *v)
{
    return minimises(v) ? 0.01 * 0.5 * accuracy_of(v) : 0.0;
}

/* Whether a state has something to remember of the contacts of this scene. */
static bool remembers(const variant *v)
{
    return is_exact(v) ? v->who == SETTLING : makes_contact(v);
}

/* A floor on which a box slides and turns, a ball that falls on it and rolls into the box, a capsule that drops flat. The box
 * begins as high as the method keeps surfaces apart. */
static contact_scene three_settlers(const char *contact, const char *time, double apart)
{
    return (contact_scene){
        .contact = contact,
        .time = time,
        .gravity = { 0.0, 0.0, -9.81 },
        .body_count = 4,
        .bodies = { { .name = "box",
                      .shape = "{\"box\": [0.1, 0.08, 0.06]}",
                      .more = "\"mass\": 1,",
                      .position = { 0.0, 0.0, 0.03 + apart },
                      .velocity = { 0.5, 0.1, 0.0 },
                      .spin = { 0.0, 0.0, 2.0 } },
                    { .name = "ball",
                      .shape = "{\"sphere\": 0.03}",
                      .more = "\"mass\": 0.5,",
                      .position = { 0.14, 0.01, 0.031 },
                      .velocity = { -0.7, 0.0, 0.0 },
                      .spin = { 3.0, 0.0, 4.0 } },
                    { .name = "pill",
                      .shape = "{\"capsule\": {\"radius\": 0.02, \"length\": 0.08}}",
                      .more = "\"mass\": 0.5,",
                      .position = { -0.2, 0.0, 0.022 },
                      .orientation = { 0.7071067811865476, 0.0, 0.7071067811865476, 0.0 },
                      .velocity = { 0.0, 0.4, 0.0 } },
                    { .name = "floor", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," } }
    };
}

static contact_scene scene_of(variant *v)
{
    char own[100] = "";
    if (minimises(v)) { /* solved to rounding, so that momenta are kept to it */
        snprintf(own, sizeof own, ", \"range\": %.17g, \"tolerance\": 1e-10", range_of(v));
    }
    snprintf(v->contact, sizeof v->contact,
             "{\"method\": \"%s\", \"law\": {\"hunt-crossley\": {\"k\": 3e6, \"n\": 1.5}}, \"restitution\": %g,"
             " \"friction\": {%s}%s}",
             v->method, v->who == SETTLING ? 0.2 : 0.7, is_exact(v) ? "\"coulomb\": 0.3" : "\"lugre\": {}", own);
    snprintf(v->time, sizeof v->time, "\"end\": %g, \"integrator\": \"%s\", \"%s\": %g", END, v->integrator,
             v->fixed ? "step" : "tolerance", accuracy_of(v));
    return v->who == BALLS    ? three_balls(v->contact, v->time)
           : v->who == SOLIDS ? three_solids(v->contact, v->time)
                              : three_settlers(v->contact, v->time, range_of(v));
}

/* Methods may refuse integrators, in so many words. */
static bool goes_together(variant *v)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    contact_scene c = scene_of(v);
    carom_status status = scene_compile(&c, &model, &err);
    bool refused = status == CAROM_BAD_INPUT && strstr(err.message, "does not go with the method") != NULL;
    if (!refused) {
        CHECK_OK(status, err);
    }
    carom_model_destroy(model);
    return !refused;
}

static void for_each_variant(on_variant act)
{
    for (const carom_kind *const *method = carom_method_kinds(); *method; ++method) {
        int integrators = 0;
        for (const carom_kind *const *integrator = carom_integrator_kinds(); *integrator; ++integrator) {
            for (int who = 0; who < GATHERINGS; ++who) {
                variant v = { .method = (*method)->name, .integrator = (*integrator)->name, .who = (gathering)who };
                v.fixed = !adapts(v.integrator);
                if ((who == SETTLING && !is_exact(&v)) || !goes_together(&v)) {
                    continue;
                }
                act(&v);
                integrators++;
            }
        }
        CHECK(integrators > 0);
    }
}

static void name_variant(const variant *v)
{
    static const char *const names[] = { "solids", "balls", "settle" };
    printf("  %-10s %-20s %-7s", v->method, v->integrator, names[v->who]);
}

/* ---- balances ------------------------------------------------------------------------------------------------------ */

typedef struct balance {
    double linear;   /* worst change of momentum over the run, relative to m v */
    double angular;  /* likewise */
    double energy;   /* worst residue, relative to the kinetic energy at the start */
    double numerics; /* part of the energy that the integrator says it has lost */
    double lost;     /* part of the energy that contact and friction took */
    int contacts;    /* most at once */
} balance;

/* Runs to the end; the scene that got there stays for others to look at. */
static balance run_balance(const variant *v, const contact_scene *c, sim *s)
{
    const double momentum = 1.0;
    const double moment = 0.1;
    *s = scene_start(c, 1);
    carom_ledger first = sim_ledger(s);
    balance out = { 0 };
    while (sim_before(s, END)) {
        sim_step(s, END);
        carom_ledger l = sim_ledger(s);
        bool alone = v->who != SETTLING; /* else the floor and gravity take part: the ledger knows by how much */
        carom_v3 linear = alone ? sim_difference(l.momentum, first.momentum) : l.momentum_residue;
        carom_v3 angular = alone ? sim_difference(l.angular_momentum, first.angular_momentum)
                                 : l.angular_momentum_residue;
        out.linear = fmax(out.linear, sim_norm(linear) / momentum);
        out.angular = fmax(out.angular, sim_norm(angular) / moment);
        out.energy = fmax(out.energy, fabs(l.residue) / first.kinetic);
        out.numerics = l.lost_numerics / first.kinetic;
        out.lost = (l.lost_contact + l.lost_friction + l.lost_impact) / first.kinetic;
        if (makes_contact(v)) {
            out.contacts = (int)fmax(out.contacts, sim_signal(s, "contact.count"));
        }
    }
    return out;
}

static void check_balance(const variant *v, balance coarse, balance fine)
{
    CHECK(!remembers(v) || fine.contacts > 0);
    CHECK(!makes_contact(v) || fine.lost > 0.1);
    /* Forces are opposite, and every integrator adds them alike: rounding is left. Where velocities are differences of
     * positions, it is that of 0.2 m over a step. */
    double rounding = 1e-12 + (minimises(v) ? 4.0 * DBL_EPSILON * 0.2 / accuracy_of(v) : 0.0);
    if (minimises(v) &&
        v->who == SETTLING) { /* the floor's part is as exact as friction was lagged: to a thousandth of impacts,
                                                 which are 0.1 of the momentum here */
        rounding = 1e-4;
    }
    CHECK_LE(coarse.linear, rounding);
    CHECK_LE(fine.linear, rounding);
    /* They are collinear too, but rotations are integrated to an order only: the first, where impacts are steps. */
    CHECK_LE(coarse.angular, minimises(v) ? 1e-3 : 1e-5);
    CHECK_LE(fine.angular, fmax(0.5 * coarse.angular, 2e-8));
    /* What is lost by numerics is friction in impacts that take one step: it acts on the slip at their end. In central differences it is
     * what v(0) has more than the energy they keep, of second order in the step. */
    double leaping = fmax(0.5 * fabs(coarse.numerics), 1e-13);
    CHECK_LE(fabs(fine.numerics), minimises(v) ? 0.1 : leaps(v) ? leaping : 0.0);
    CHECK_GE(fine.numerics, -1e-6);
    CHECK_LE(coarse.energy, v->fixed ? 2e-2 : 2e-3);
    CHECK_LE(fine.energy, fmax(0.5 * coarse.energy, 1e-7));
}

/* How far two runs of the same bodies have come apart, the first one seen from the frame of `c`. */
static double apart(const contact_scene *c, const sim *first, const sim *second)
{
    double worst = 0.0;
    for (int i = 0; i < c->body_count; ++i) {
        carom_id body = sim_body(first, c->bodies[i].name);
        carom_pose a = carom_state_pose(first->model, first->state, body);
        carom_pose b = carom_state_pose(second->model, second->state, body);
        quat turned = q_mul(scene_turn(c), a.orientation);
        worst = fmax(worst, v3_norm(v3_sub(scene_point(c, a.position), b.position)));
        worst = fmax(worst, v3_norm(so3_log(q_mul(turned, q_conj(b.orientation)))));
    }
    return worst;
}

/* Seen from elsewhere rounding differs. Where error control rejects a step in one frame and not in the other, or a step
 * too long for the bristles lets rounding grow, the results differ by as much as steps matter at all: by what finer
 * ones change. */
static void check_mechanics(variant *v)
{
    sim here, there, finer;
    contact_scene c = scene_of(v);
    balance coarse = run_balance(v, &c, &here);
    contact_scene moved = c;
    moved.frame = (carom_pose){ { 0.7, -0.4, 0.3 }, q_axis_angle(v3_unit(v3_make(1.0, -2.0, 0.5)), 2.1) };
    there = scene_start(&moved, 1);
    sim_advance(&there, END);
    v->level = 1;
    contact_scene better = scene_of(v);
    balance fine = run_balance(v, &better, &finer);
    double off = apart(&moved, &here, &there);
    double accuracy = apart(&better, &here, &finer);
    name_variant(v);
    printf(" momentum %.0e, angular %.0e -> %.0e, energy %.0e -> %.0e, lost %.2f, numerics %.0e -> %.0e; "
           "frame %.0e, steps %.0e\n",
           fine.linear, coarse.angular, fine.angular, coarse.energy, fine.energy, fine.lost, coarse.numerics,
           fine.numerics, off, accuracy);
    check_balance(v, coarse, fine);
    /* [m, rad] With explicit steps rounding grows in stiff bristles until error control stops it; 1e-3 was seen. */
    double chatter = table_of(v)->needs_laws && strcmp(v->integrator, "generalized-alpha") != 0 ? 3e-3 : 0.0;
    /* [m, rad] Bouncing ends where its height is that of the error of touches, some 1e-13 m: by how fast things still move
     * then, 1e-6 m/s, runs differ in which bounce was the last, and the ball has a radius of 0.03 m to roll on. */
    double last_bounce = is_exact(v) && v->who == SETTLING ? 1e-6 * END / 0.03 : 0.0;
    CHECK_LE(off, 1e-9 + chatter + last_bounce + 2.0 * accuracy);
    sim_end(&here);
    sim_end(&there);
    sim_end(&finer);
}

TEST(methods, keep_momenta_and_energy_in_any_frame)
{
    for_each_variant(check_mechanics);
}

/* ---- the same bits ------------------------------------------------------------------------------------------------- */

/* Steps until something is remembered of a contact (or long enough, for methods that remember nothing). */
static void step_into_contact(sim *s)
{
    for (int k = 0; k < 5000 && sim_time(s) < 0.7 * END && s->state->contacts.count == 0; ++k) {
        sim_step(s, END);
    }
    for (int k = 0; k < 3; ++k) {
        sim_step(s, END);
    }
}

/* How many steps two of them go on together. */
static int steps_to_compare(const variant *v)
{
    return v->fixed ? 200 : 40;
}

static void check_threads(variant *v)
{
    static const int threads[] = { 1, 2, 7 };
    uint64_t hash[3];
    contact_scene c = scene_of(v);
    for (int k = 0; k < 3; ++k) {
        sim s = scene_start(&c, threads[k]);
        step_into_contact(&s);
        hash[k] = carom_state_hash(s.state);
        sim_end(&s);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

TEST(methods, thread_count_changes_no_bit)
{
    for_each_variant(check_threads);
}

static void go_on_alike(const variant *v, sim *a, sim *b)
{
    carom_error err = { 0 };
    for (int k = 0; k < steps_to_compare(v) && sim_before(a, END); ++k) {
        sim_step(a, END);
        sim_step(b, END);
        CHECK(carom_state_hash(a->state) == carom_state_hash(b->state));
        carom_scratch_destroy(b->scratch); /* thrown away between steps, while a's is looked through */
        CHECK_OK(carom_scratch_create(b->model, 1, &b->scratch, &err), err);
        sim_ledger(a);
    }
}

/* A second state and scratch of the same model. */
static sim twin_of(const sim *s)
{
    sim twin = { .model = s->model, .state = carom_state_create(s->model) };
    carom_error err = { 0 };
    CHECK(twin.state != NULL);
    CHECK_OK(carom_scratch_create(s->model, 1, &twin.scratch, &err), err);
    return twin;
}

static void twin_end(sim *twin)
{
    twin->model = NULL;
    sim_end(twin);
}

static void check_copy(variant *v)
{
    contact_scene c = scene_of(v);
    sim s = scene_start(&c, 1);
    step_into_contact(&s);
    /* A speed and a bristle, or two places; a barrier knows pairs of bodies. */
    CHECK(!remembers(v) || s.state->contacts.count >= (minimises(v) ? 1 : 2));
    sim twin = twin_of(&s);
    CHECK_EQ(carom_state_copy(twin.state, s.state), CAROM_OK);
    CHECK(carom_state_hash(twin.state) == carom_state_hash(s.state));
    go_on_alike(v, &s, &twin);
    twin_end(&twin);
    sim_end(&s);
}

TEST(methods, a_copy_goes_on_alike_with_any_scratch)
{
    for_each_variant(check_copy);
}

static void check_checkpoint(variant *v)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    char file[64];
    carom_error err = { 0 };
    run_progress written = { 0 };
    run_progress read = { 0 };
    contact_scene c = scene_of(v);
    sim s = scene_start(&c, 1);
    step_into_contact(&s);
    sim twin = twin_of(&s);
    CHECK(mkdtemp(folder) != NULL);
    CHECK_OK(checkpoint_write(folder, s.model, s.state, &written, NULL, &err), err);
    CHECK_OK(checkpoint_read(folder, twin.model, twin.state, &read, NULL, &err), err);
    CHECK(carom_state_hash(twin.state) == carom_state_hash(s.state));
    go_on_alike(v, &s, &twin);
    snprintf(file, sizeof file, "%s/checkpoint.bin", folder);
    CHECK_EQ(remove(file), 0);
    CHECK_EQ(rmdir(folder), 0);
    twin_end(&twin);
    sim_end(&s);
}

TEST(methods, a_checkpoint_goes_on_alike)
{
    for_each_variant(check_checkpoint);
}

/* ---- failure ------------------------------------------------------------------------------------------------------- */

/* The time of a moment in contact. */
static double time_in_contact(variant *v)
{
    contact_scene c = scene_of(v);
    sim s = scene_start(&c, 1);
    step_into_contact(&s);
    double t = makes_contact(v) ? sim_time(&s) : 0.7 * END;
    sim_end(&s);
    return t;
}

/* A force far too small to matter stops being a number in the middle of a contact. */
static void check_failure(variant *v)
{
    char doom[256];
    contact_scene c = scene_of(v);
    snprintf(doom, sizeof doom,
             ", \"forces\": [{\"name\": \"doom\", \"type\": \"load\", \"body\": \"%s\","
             " \"force\": [0, 0, \"1e-20*sqrt(%.17g-t)\"]}]",
             c.bodies[0].name, time_in_contact(v));
    c.more = doom;
    sim s = scene_start(&c, 1);
    carom_status status = CAROM_OK;
    carom_error err = { 0 };
    uint64_t before = 0;
    size_t remembered = 0;
    for (int k = 0; k < 100000 && status == CAROM_OK; ++k) {
        before = carom_state_hash(s.state);
        remembered = s.state->contacts.count;
        status = carom_step(s.model, s.state, s.scratch, END - sim_time(&s), NULL, &err);
    }
    name_variant(v);
    printf(" refused with %zu records at t = %.6f: %s\n", remembered, sim_time(&s), err.message);
    CHECK_EQ(status, CAROM_NOT_CONVERGED);
    CHECK(!remembers(v) || remembered > 0);
    CHECK(carom_state_hash(s.state) == before);
    sim_end(&s);
}

TEST(methods, a_failed_step_leaves_the_state_as_it_was)
{
    for_each_variant(check_failure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(methods, keep_momenta_and_energy_in_any_frame),     RUN_TEST(methods, thread_count_changes_no_bit),
        RUN_TEST(methods, a_copy_goes_on_alike_with_any_scratch),    RUN_TEST(methods, a_checkpoint_goes_on_alike),
        RUN_TEST(methods, a_failed_step_leaves_the_state_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
