/* Laws of mechanics that hold for every model: momentum of free-flying linkages, reversal of time, independence of the
 * frame of reference, momentum net of external impulse. Over random mechanisms. */
#include "support/random_model.h"
#include "support/sim.h"

#include "dynamics/work.h"

enum { SEEDS = 12 };

static const char *const mixed[] = {
    "revolute", "spherical", "universal", "prismatic", "screw", "cylindrical", NULL
};

/* ---- momentum of what nothing outside touches ---- */

typedef struct momentum_drift {
    double linear;
    double angular;
    double energy;
} momentum_drift;

static momentum_drift fly(test_rng *rng, const random_plan *plan)
{
    sim s = sim_start(random_spec(rng, plan), 1);
    carom_ledger first = sim_ledger(&s);
    momentum_drift d = { 0 };
    while (sim_before(&s, plan->end)) {
        sim_step(&s, plan->end);
        carom_ledger l = sim_ledger(&s);
        d.linear = fmax(d.linear, sim_norm(sim_difference(l.momentum, first.momentum)));
        d.angular = fmax(d.angular, sim_norm(sim_difference(l.angular_momentum, first.angular_momentum)));
        d.energy = fmax(d.energy, fabs(l.residue));
        CHECK_LE(sim_norm(sim_difference(l.momentum_residue, sim_difference(l.momentum, first.momentum))), 1e-12);
    }
    sim_end(&s);
    return d;
}

static momentum_drift fly_many(random_plan plan)
{
    momentum_drift worst = { 0 };
    FOR_EACH_SEED(rng, SEEDS) {
        plan.loop = seed_ % 2 == 0;
        momentum_drift d = fly(&rng, &plan);
        worst.linear = fmax(worst.linear, d.linear);
        worst.angular = fmax(worst.angular, d.angular);
        worst.energy = fmax(worst.energy, d.energy);
    }
    printf("\n%d free-flying linkages, %s\n", SEEDS, plan.integrator);
    printf("  linear momentum off by %.2e, angular by %.2e, energy by %.2e\n", worst.linear, worst.angular,
           worst.energy);
    return worst;
}

static random_plan flying_plan(const char *integrator)
{
    random_plan plan = random_plan_default();
    plan.body_count = 6;
    plan.joints = mixed;
    plan.grounded = false;
    plan.gravity = v3_zero();
    plan.integrator = integrator;
    return plan;
}

TEST(momentum, runge_kutta_conserves_to_its_tolerance)
{
    momentum_drift d = fly_many(flying_plan("runge-kutta"));
    CHECK_LE(d.linear, 1e-12); /* linear in the unknowns: kept to rounding */
    CHECK_LE(d.angular, 1e-8);
    CHECK_LE(d.energy, 1e-8);
}

/* Linear momentum to the accuracy of Newton's method, angular momentum to the order of the method. */
TEST(momentum, generalized_alpha_conserves_to_its_order)
{
    random_plan plan = flying_plan("generalized-alpha");
    plan.step = 2e-3;
    momentum_drift coarse = fly_many(plan);
    plan.step = 1e-3;
    momentum_drift fine = fly_many(plan);
    CHECK_LE(fine.linear, 1e-9);
    CHECK_LE(fine.angular, 0.35 * coarse.angular);
    CHECK_LE(fine.energy, 0.35 * coarse.energy);
}

/* ---- time reversal ---- */

/* Lets the motion run, turns every velocity round and lets it run back. */
static double there_and_back(test_rng *rng, const random_plan *plan)
{
    sim s = sim_start(random_spec(rng, plan), 1);
    carom_state *start = carom_state_create(s.model);
    carom_state_copy(start, s.state);
    sim_advance(&s, plan->end);
    *s.state->time = 0.0;
    for (int i = 1; i < s.model->body_count; ++i) { /* accelerations are even in time: they stay */
        body_rate *rate = &s.state->rate[i];
        *rate = (body_rate){ v3_neg(rate->v_w), v3_neg(rate->omega_w) };
    }
    sim_advance(&s, plan->end);
    double worst = 0.0;
    for (int i = 1; i < s.model->body_count; ++i) {
        const body_pose *a = &start->pose[i];
        const body_pose *b = &s.state->pose[i];
        worst = fmax(worst, v3_norm(v3_sub(a->x_w, b->x_w)));
        worst = fmax(worst, v3_norm(so3_log(q_mul(a->q_wb, q_conj(b->q_wb)))));
        worst = fmax(worst, v3_norm(v3_add(start->rate[i].v_w, s.state->rate[i].v_w)));
    }
    carom_state_destroy(start);
    sim_end(&s);
    return worst;
}

TEST(reversal, motion_runs_back_to_where_it_came_from)
{
    double worst = 0.0;
    FOR_EACH_SEED(rng, SEEDS) {
        random_plan plan = random_plan_default();
        plan.joints = mixed;
        plan.loop = seed_ % 3 == 0;
        plan.tolerance = 1e-12;
        worst = fmax(worst, there_and_back(&rng, &plan));
    }
    printf("\n%d random mechanisms for 1 s and back: off by %.2e\n", SEEDS, worst);
    CHECK_LE(worst, 1e-7);
}

/* ---- the laws do not know where we stand ---- */

static double seen_from_elsewhere(uint64_t seed, random_plan plan)
{
    test_rng rng = test_rng_seed(seed);
    sim here = sim_start(random_spec(&rng, &plan), 1);
    plan.frame.orientation = random_rotation(&rng);
    plan.frame.position = random_v3(&rng, 2.0);
    rng = test_rng_seed(seed);
    sim there = sim_start(random_spec(&rng, &plan), 1);
    sim_advance(&here, plan.end);
    sim_advance(&there, plan.end);
    double worst = 0.0;
    for (int i = 1; i < here.model->body_count; ++i) {
        const body_pose *a = &here.state->pose[i];
        const body_pose *b = &there.state->pose[i];
        v3 moved = random_plan_point(&plan, a->x_w);
        quat turned = q_mul(plan.frame.orientation, a->q_wb);
        worst = fmax(worst, v3_norm(v3_sub(moved, b->x_w)));
        worst = fmax(worst, v3_norm(so3_log(q_mul(turned, q_conj(b->q_wb)))));
    }
    sim_end(&here);
    sim_end(&there);
    return worst;
}

TEST(invariance, a_moved_scene_gives_the_moved_motion)
{
    static const char *const integrators[] = { "runge-kutta", "generalized-alpha", "radau", "semi-implicit-euler" };
    for (int k = 0; k < 4; ++k) {
        double worst = 0.0;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            random_plan plan = random_plan_default();
            plan.joints = mixed;
            plan.loop = seed % 3 == 0;
            plan.integrator = integrators[k];
            plan.step = 1e-3;
            worst = fmax(worst, seen_from_elsewhere(seed, plan));
        }
        printf("  %s: moved scenes off by %.2e\n", integrators[k], worst);
        CHECK_LE(worst, 1e-9);
    }
}

/* ---- momentum net of external impulse ---- */

TEST(impulse, ground_and_gravity_explain_every_change_of_momentum)
{
    static const char *const integrators[] = { "runge-kutta", "generalized-alpha", "radau" };
    for (int k = 0; k < 3; ++k) {
        double linear = 0.0;
        double angular = 0.0;
        double turnover = 0.0;
        FOR_EACH_SEED(rng, SEEDS) {
            random_plan plan = random_plan_default();
            plan.joints = mixed;
            plan.loop = seed_ % 3 == 0;
            plan.integrator = integrators[k];
            plan.step = k == 1 ? 5e-4 : 0.0;
            sim s = sim_start(random_spec(&rng, &plan), 1);
            carom_ledger first = sim_ledger(&s);
            sim_advance(&s, plan.end);
            carom_ledger l = sim_ledger(&s);
            linear = fmax(linear, sim_norm(l.momentum_residue));
            angular = fmax(angular, sim_norm(l.angular_momentum_residue));
            turnover = fmax(turnover, sim_norm(sim_difference(l.momentum, first.momentum)));
            sim_end(&s);
        }
        printf("  %s: momentum changed by up to %.2f; unexplained %.2e, angular %.2e\n", integrators[k], turnover,
               linear, angular);
        CHECK_GE(turnover, 0.1);
        CHECK_LE(linear, k == 0 ? 1e-7 : 1e-2);
        CHECK_LE(angular, k == 0 ? 1e-7 : 1e-2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(momentum, runge_kutta_conserves_to_its_tolerance),
        RUN_TEST(momentum, generalized_alpha_conserves_to_its_order),
        RUN_TEST(reversal, motion_runs_back_to_where_it_came_from),
        RUN_TEST(invariance, a_moved_scene_gives_the_moved_motion),
        RUN_TEST(impulse, ground_and_gravity_explain_every_change_of_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
