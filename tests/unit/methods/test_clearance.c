/* Joints with clearance under "compliant", seen from inside: where they touch, what tangents and records they have. */
#include "support/sim.h"

#include "methods/compliant/clearance.h"
#include "model/method.h"

static const char *const scene =
    "{ \"carom\": 1, \"time\": {\"end\": 1, \"integrator\": \"runge-kutta\", \"tolerance\": 1e-8},"
    "  \"contact\": {\"method\": \"compliant\", \"law\": {\"flores\": {\"k\": 1e9, \"n\": 1.5}}, \"restitution\": "
    "0.8},"
    "  \"bodies\": [{\"name\": \"shaft\", \"mass\": 2, \"inertia\": [1e-3, 1e-3, 1e-3], \"position\": [0.1, 0.2, "
    "0.3],"
    "      \"velocity\": [0.3, 0.4, 0], \"angular_velocity\": [0, 0, 5]}],"
    "  \"joints\": [{\"name\": \"bearing\", \"bodies\": [\"ground\", \"shaft\"], \"type\": \"revolute\","
    "      \"at\": [0.1, 0.2, 0.3], \"axis\": [0, 0, 1], \"x_axis\": [1, 0, 0],"
    "      \"clearance\": {\"play\": 1e-3, \"radius\": 0.02}}] }";

static const char *const as_slider[] = {
    "joints[0].type=\"prismatic\"",
    "joints[0].clearance={\"play\": 1e-3, \"radius\": 0.02, \"length\": 0.1}",
    NULL,
};

/* B displaced from where it starts, at rest there. */
static void place(sim *s, v3 dx, v3 theta)
{
    carom_scratch *w = s->scratch;
    body_pose pose[2] = { s->state->pose[0], pose_moved(s->state->pose[1], dx, theta) };
    body_rate rate[2] = { 0 };
    work_place(w, 0.0, (motion){ .pose = pose, .rate = rate });
    work_forces(w);
}

static const carom_contact_point *points_of(const sim *s, int *count)
{
    return s->model->method->forces->points(s->scratch->contact, count);
}

TEST(journal, touches_at_its_surface_and_is_pushed_back)
{
    sim s = sim_parse(scene, NULL);
    int count = 0;
    place(&s, v3_make(0.6e-3, 0.7e-3, 0.0), v3_zero());
    points_of(&s, &count);
    CHECK_EQ(count, 0);
    place(&s, v3_make(0.6 * 1.1e-3, 0.8 * 1.1e-3, 0.0), v3_make(0, 0, 1.0));
    const carom_contact_point *p = points_of(&s, &count);
    CHECK_EQ(count, 1);
    CHECK_EQ(s.model->method->forces->totals(s.scratch->contact).count, 1);
    CHECK_NEAR(p->gap, -1e-4, 1e-15);
    CHECK_NEAR(p->position.x, 0.1 + 0.6 * (0.02 + 1.05e-3), 1e-15);
    CHECK_NEAR(p->position.y, 0.2 + 0.8 * (0.02 + 1.05e-3), 1e-15);
    double force = 1e9 * pow(1e-4, 1.5); /* on the ground, which comes first: outwards */
    CHECK_NEAR(p->force.x, 0.6 * force, 1e-9);
    CHECK_NEAR(p->force.y, 0.8 * force, 1e-9);
    CHECK_NEAR(v3_dot(p->normal, p->force), force, 1e-9);
    sim_end(&s);
}

TEST(slider, touches_with_its_corners)
{
    sim s = sim_parse(scene, as_slider);
    int count = 0;
    place(&s, v3_make(0.9e-3, 0.0, 0.0), v3_zero());
    points_of(&s, &count);
    CHECK_EQ(count, 0);
    place(&s, v3_make(1.1e-3, 0.0, 0.05), v3_zero());
    const carom_contact_point *p = points_of(&s, &count);
    CHECK_EQ(count, 2);
    for (int i = 0; i < 2; ++i) {
        CHECK_NEAR(p[i].gap, -1e-4, 1e-15);
        CHECK_NEAR(p[i].position.x, 0.1 + 0.02 + 1.05e-3, 1e-15);
        CHECK_NEAR(p[i].position.z, 0.3 + 0.05 + (i == 0 ? -0.05 : 0.05), 1e-15);
    }
    place(&s, v3_zero(), v3_make(0.0, 0.03, 0.0)); /* jammed across: opposite corners */
    p = points_of(&s, &count);
    CHECK_EQ(count, 2);
    double gap = 0.02 + 1e-3 - (0.02 * cos(0.03) + 0.05 * sin(0.03));
    CHECK_NEAR(p[0].gap, gap, 1e-15);
    CHECK_NEAR(p[1].gap, gap, 1e-15);
    CHECK_NEAR(p[0].force.x + p[1].force.x, 0.0, 1e-9);
    sim_end(&s);
}

static const char *const as_short_slider[] = {
    "joints[0].type=\"prismatic\"",
    "joints[0].clearance={\"play\": 1e-3, \"radius\": 0.02, \"length\": 0.004}",
    "bodies[0].velocity=[0.05, 0, 0]",
    "bodies[0].angular_velocity=[0, 40, 0]",
    NULL,
};

/* How far a corner of the short slider is beyond a wall at most [m], and how many are, at an offset x and a tilt. */
static double beyond_walls(double x, double tilt, int *count)
{
    double most = -HUGE_VAL;
    *count = 0;
    for (int k = 0; k < 8; ++k) {
        double along_x = (k & 1 ? 0.02 : -0.02) * cos(tilt) + (k & 2 ? 0.002 : -0.002) * sin(tilt);
        double beyond = (k & 4 ? 1.0 : -1.0) * (x + along_x) - (0.02 + 1e-3);
        *count += beyond > 0.0;
        most = fmax(most, beyond);
    }
    return most;
}

/* A slider that can turn round within its guide meets both walls at every tilt. */
TEST(slider, turned_round_touches_the_walls_as_before)
{
    sim s = sim_parse(scene, as_short_slider);
    for (int k = 0; k < 80; ++k) {
        double tilt = 0.4 * (k / 2);
        double x = (k % 2 ? 1.0 : -1.0) * 1.1e-3;
        int count = 0, expected = 0;
        double deepest = beyond_walls(x, tilt, &expected);
        place(&s, v3_make(x, 0.0, 0.0), v3_make(0.0, tilt, 0.0));
        const carom_contact_point *p = points_of(&s, &count);
        double found = -HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            found = fmax(found, -p[i].gap);
        }
        CHECK_EQ(count, expected);
        if (count > 0) {
            CHECK_NEAR(found, deepest, 1e-14);
        }
    }
    sim_end(&s);
}

/* Spinning and knocking, it stays within its guide. */
TEST(slider, that_turns_round_stays_in_its_guide)
{
    sim s = sim_parse(scene, as_short_slider);
    double furthest = -HUGE_VAL;
    for (int k = 0; k < 20000 && sim_time(&s) < 0.4; ++k) {
        int count = 0;
        sim_step(&s, 0.4);
        double tilt = sim_signal(&s, "bearing.tilt");
        furthest = fmax(furthest, beyond_walls(sim_signal(&s, "bearing.x"), tilt, &count));
    }
    CHECK_GE(sim_signal(&s, "bearing.tilt"), acos(-1.0));
    CHECK_GE(furthest, 0.0);
    CHECK_LE(furthest, pow(0.8025 / (0.4 * 1e9), 0.4)); /* the elastic energy is that of the motion */
    sim_end(&s);
}

/* A journal thrown from one side of its play at the other: a step that begins in touch does not overrun the far side. */
TEST(journal, is_caught_on_the_other_side)
{
    static const char *const thrown[] = { "bodies[0].velocity=[-50, 0, 0]", "bodies[0].angular_velocity=[0, 0, 0]",
                                          "bodies[0].position=[0.10100001, 0.2, 0.3]",
                                          "joints[0].at_b=[0.10100001, 0.2, 0.3]", NULL };
    sim s = sim_parse(scene, thrown);
    double farthest = 0.0;
    for (int k = 0; k < 2000 && sim_time(&s) < 2e-4; ++k) {
        sim_step(&s, 2e-4);
        farthest = fmin(farthest, sim_signal(&s, "shaft.position.x") - 0.1);
    }
    print_message("farthest: %.3e m beyond the play\n", -farthest - 1e-3);
    CHECK_GE(farthest,
             -1e-3 - pow(0.5 * 2.0 * 50.0 * 50.0 / (0.4 * 1e9), 0.4)); /* the energy of its flight, stored */
    CHECK_LE(farthest, -1e-3);
    sim_end(&s);
}

/* The same on a law a hundred times as stiff, elastic, when the error of a step hardly counts: a step that begins in touch and
 * ends deep beyond the other side would multiply the energy. */
static void check_energy_of_throw(const char *start)
{
    char position[64];
    char at_b[64];
    snprintf(position, sizeof position, "bodies[0].position=[%s, 0.2, 0.3]", start);
    snprintf(at_b, sizeof at_b, "joints[0].at_b=[%s, 0.2, 0.3]", start);
    const char *const thrown[] = { position,
                                   at_b,
                                   "bodies[0].velocity=[-50, 0, 0]",
                                   "bodies[0].angular_velocity=[0, 0, 0]",
                                   "contact.law={\"hunt-crossley\": {\"k\": 1e11, \"n\": 1.5}}",
                                   "contact.restitution=1",
                                   "time.tolerance=0.1",
                                   NULL };
    sim s = sim_parse(scene, thrown);
    double most = 0.0;
    for (int k = 0; k < 2000 && sim_time(&s) < 5e-4; ++k) {
        sim_step(&s, 5e-4);
        carom_ledger now = sim_ledger(&s);
        most = fmax(most, ledger_energy(&now));
    }
    print_message("at most %.4g J of 2500 J\n", most);
    CHECK_NEAR(most, 0.5 * 2.0 * 50.0 * 50.0, 500.0);
    sim_end(&s);
}

TEST(journal, is_caught_with_the_energy_it_has)
{
    check_energy_of_throw("0.10100001");
    check_energy_of_throw("0.1011");
}

/* Minus the change of the force on B with B's place is the tangent, also across the normal. */
static void check_tangent(const char *const *overrides, v3 dx)
{
    const double h = 1e-9;
    sim s = sim_parse(scene, overrides);
    int count = 0;
    place(&s, dx, v3_zero());
    const contact_tangent *H = s.model->method->forces->tangents(s.scratch->contact, 1.0, 0.0, &count);
    CHECK_EQ(count, 1);
    contact_tangent kept = *H;
    for (int k = 0; k < 2; ++k) { /* along z the joint holds */
        v3 step = k == 0 ? v3_make(h, 0, 0) : v3_make(0, h, 0);
        place(&s, v3_add(dx, step), v3_zero());
        v3 ahead = v3_load(s.scratch->f);
        place(&s, v3_sub(dx, step), v3_zero());
        v3 quotient = v3_scale(-0.5 / h, v3_sub(ahead, v3_load(s.scratch->f)));
        CHECK_NEAR(kept.H[6][6 + k], quotient.x, 10.0);
        CHECK_NEAR(kept.H[7][6 + k], quotient.y, 10.0);
    }
    CHECK_GE(kept.H[6][6], 1e6);
    sim_end(&s);
}

TEST(clearance, tangents_are_derivatives)
{
    check_tangent(NULL, v3_make(0.6 * 1.1e-3, 0.8 * 1.1e-3, 0.0));
    check_tangent(as_slider, v3_make(1.1e-3, 0.0, 0.0));
}

/* A copy made while the surfaces touch goes on with the same bits: the speed at first touch is state. */
static void check_memory(const char *const *overrides)
{
    carom_error err = { 0 };
    sim s = sim_parse(scene, overrides);
    while (sim_signal(&s, "contact.count") == 0.0) {
        sim_step(&s, 1.0);
    }
    sim_step(&s, 1.0);
    CHECK_GE((double)s.state->contacts.count, 1.0);
    CHECK_GE(s.state->contacts.items[0].value[0], 0.25); /* [m/s] */
    CHECK_EQ(s.state->contacts.items[0].a, s.model->collider_count);
    sim other = { .model = s.model, .state = carom_state_create(s.model) };
    CHECK_OK(carom_scratch_create(s.model, 1, &other.scratch, &err), err);
    CHECK_EQ(carom_state_copy(other.state, s.state), CAROM_OK);
    for (int k = 0; k < 50; ++k) {
        sim_step(&s, 1.0);
        sim_step(&other, 1.0);
        CHECK(carom_state_hash(s.state) == carom_state_hash(other.state));
    }
    carom_scratch_destroy(other.scratch);
    carom_state_destroy(other.state);
    sim_end(&s);
}

TEST(clearance, what_touches_is_remembered)
{
    check_memory(NULL);
    check_memory(as_slider);
}

/* However long a step may be, it ends before the journal is deeper than it gets by itself. */
TEST(clearance, steps_end_where_surfaces_meet)
{
    const char *fast[] = { "bodies[0].velocity=[300, 0, 0]", "time.step=1", NULL };
    sim s = sim_parse(scene, fast);
    double deepest = 0.0;
    for (int k = 0; k < 200; ++k) {
        sim_step(&s, 1.0);
        deepest = fmax(deepest, sim_signal(&s, "contact.penetration"));
    }
    double most = pow(0.5 * 2.0 * 300.0 * 300.0 / (0.4 * 1e9), 0.4); /* the elastic energy is that of the motion */
    CHECK_GE(deepest, 0.5 * most);
    CHECK_LE(deepest, most);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(journal, touches_at_its_surface_and_is_pushed_back),
        RUN_TEST(journal, is_caught_on_the_other_side),
        RUN_TEST(journal, is_caught_with_the_energy_it_has),
        RUN_TEST(slider, touches_with_its_corners),
        RUN_TEST(slider, turned_round_touches_the_walls_as_before),
        RUN_TEST(slider, that_turns_round_stays_in_its_guide),
        RUN_TEST(clearance, tangents_are_derivatives),
        RUN_TEST(clearance, what_touches_is_remembered),
        RUN_TEST(clearance, steps_end_where_surfaces_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
