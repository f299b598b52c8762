/* The contact problem and its solvers against an independent check of Coulomb's law, on random problems. */
#include "nonsmooth/contact_solver.h"

#include "nonsmooth/gauss_seidel.h"
#include "random_contacts.h"
#include "support/check.h"
#include "support/coulomb_check.h"

static random_contacts sample;

static const double TOLERANCE = 1e-8;

typedef struct set_of_problems {
    int count, contacts, joints;
    double spread, mu;
    uint64_t seed;
    double rubbing; /* up to this coefficient in joints */
} set_of_problems;

/* Solves them all; every answer is checked, and what is said of it. Returns how many were solved. */
static int solve_set(const set_of_problems *set)
{
    const double few = 10.0; /* the law has a few terms where the residual has one */
    contact_solver *s = contact_solver_create();
    test_rng r = test_rng_seed(set->seed);
    int solved = 0;
    for (int k = 0; k < set->count; ++k) {
        int n = (int)pow((double)set->contacts + 0.5, test_rng_uniform(&r, 0.0, 1.0));
        random_problem(&r, &sample, n, set->joints, set->spread, set->mu);
        if (set->rubbing > 0.0) {
            random_rubbing(&r, &sample, set->rubbing);
        }
        solve_report report = contact_solve_accurate(s, &sample.problem, TOLERANCE, SOLVE_BY_ALL);
        double worst = coulomb_check(&sample.problem);
        CHECK_NEAR(contact_problem_residual(&sample.problem).speed, report.residual, 1e-12 + 1e-6 * report.residual);
        CHECK(report.solved == (report.residual <= TOLERANCE));
        if (report.solved) {
            CHECK_LE(worst, few * TOLERANCE);
        } else {
            CHECK_LE(worst, few * report.residual + TOLERANCE);
        }
        solved += report.solved;
    }
    contact_solver_destroy(s);
    printf("%d of %d solved: mu up to %g, masses over %g decades, %d joints that rub with up to %g\n", solved,
           set->count, set->mu, set->spread, set->joints, set->rubbing);
    return solved;
}

TEST(contact_solver, solutions_obey_the_law)
{
    const set_of_problems sets[] = { { 300, 200, 0, 3.0, 0.3, 1, 0.0 }, { 300, 200, 0, 6.0, 0.5, 7, 0.0 },
                                     { 300, 200, 0, 1.0, 1.0, 8, 0.0 }, { 200, 60, 0, 0.0, 0.0, 2, 0.0 },
                                     { 200, 60, 6, 1.0, 0.3, 3, 0.0 },  { 200, 60, 6, 1.0, 0.3, 5, 0.5 } };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
        CHECK_GE(solve_set(&sets[k]), 0.995 * sets[k].count);
    }
}

/* Joints that rub with several times their load, which moves with the friction: their bound is part of Newton's slope. */
TEST(contact_solver, friction_in_joints_follows_its_load)
{
    const set_of_problems rubbing = { 500, 60, 6, 1.0, 0.3, 5, 5.0 };
    CHECK_GE(solve_set(&rubbing), 0.96 * rubbing.count);
}

/* Bodies of up to a million times each other's mass, jammed by friction of up to 2: not all of them, and the others say so. */
TEST(contact_solver, what_is_not_solved_says_so)
{
    for (uint64_t seed = 4; seed <= 5; ++seed) {
        const set_of_problems hard = { 1000, 200, 0, 6.0, 2.0, seed, 0.0 };
        CHECK_GE(solve_set(&hard), 0.99 * hard.count);
    }
}

/* Four corners of a square under a load in the middle: a quarter each, whatever the order, and linear off the middle. */
TEST(contact_solver, redundant_forces_are_unique)
{
    problem_body body = { .mass = 2.0, .inverse_mass = 0.5 };
    double v[6];
    double v_free[6] = { 0.0, 0.0, -0.01 };
    cone_contact c[4];
    contact_problem p = { 1, &body, v, v_free, 4, c, 0, NULL, 0.01 };
    contact_solver *s = contact_solver_create();
    for (int k = 0; k < 3; ++k) {
        body.inertia[k][k] = 0.02;
        body.inverse_inertia[k][k] = 50.0;
    }
    for (int order = 0; order < 4; ++order) {
        for (int k = 0; k < 4; ++k) {
            int corner = (k + order) % 4;
            c[k] = (cone_contact){ .body = { 0, -1 },
                                   .frame = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } },
                                   .arm = { { corner < 2 ? 0.1 : -0.1, corner % 3 == 0 ? 0.1 : -0.1, -0.05 } },
                                   .mu = 0.5,
                                   .eps = 0.5e-6 };
        }
        contact_problem_prepare(&p);
        CHECK(contact_solve_accurate(s, &p, TOLERANCE, SOLVE_BY_ALL).solved);
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR(c[k].r[0], 0.25 * 2.0 * 0.01, 1e-8);
            CHECK_NEAR(hypot(c[k].r[1], c[k].r[2]), 0.0, 1e-8);
        }
    }
    contact_solver_destroy(s);
}

TEST(contact_solver, one_contact_is_solved_exactly)
{
    test_rng r = test_rng_seed(6);
    for (int k = 0; k < 2000; ++k) {
        random_problem(&r, &sample, 1, 0, 3.0, 0.5);
        contact_problem_velocities(&sample.problem);
        gauss_seidel_sweep(&sample.problem, false);
        CHECK_LE(contact_problem_residual(&sample.problem).speed, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { RUN_TEST(contact_solver, solutions_obey_the_law),
                                        RUN_TEST(contact_solver, friction_in_joints_follows_its_load),
                                        RUN_TEST(contact_solver, what_is_not_solved_says_so),
                                        RUN_TEST(contact_solver, redundant_forces_are_unique),
                                        RUN_TEST(contact_solver, one_contact_is_solved_exactly) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
