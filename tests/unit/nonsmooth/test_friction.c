/* Who slips and who holds: loads of slipping joints against closed forms, quadratics and brute force over signs; states of
 * resting elements against Coulomb's law, and where it is a convex problem against another way to solve that. */
#include "nonsmooth/friction_work.h"

#include "base/arena.h"
#include "support/impact_mechanisms.h"

#include "support/check.h"

enum { MOST_ROWS = 24, MOST_LOADS = 12, MOST_ELEMENTS = 10 };

/* A reduced problem of random numbers: D = C C^T of a rank, B, elements added one by one. */
typedef struct problem {
    reduced_problem p;
    double D[MOST_ROWS * MOST_ROWS], B[MOST_LOADS * MOST_ROWS];
    friction_element element[MOST_ELEMENTS];
    load_group group[MOST_LOADS];
    friction_state state[MOST_ELEMENTS];
    double normal[MOST_ROWS], u[MOST_ROWS];
    carom_arena arena;
    friction_work *w;
    friction_answer a;
} problem;

static void add_contact(problem *x, int dim, double mu)
{
    int i = x->p.element_count++;
    x->element[i] = (friction_element){ .first_row = x->p.row_count, .dim = dim, .mu = mu, .contact = i };
    x->p.row_count += dim;
}

static void add_joint(problem *x, int dim, double mu, int groups, int group_dim)
{
    x->element[x->p.element_count++] = (friction_element){ .first_row = x->p.row_count,
                                                           .dim = dim,
                                                           .mu = mu,
                                                           .contact = -1,
                                                           .first_group = x->p.group_count,
                                                           .group_count = groups };
    x->p.row_count += dim;
    for (int g = 0; g < groups; ++g) {
        x->group[x->p.group_count++] = (load_group){ .first = x->p.load_count, .dim = group_dim };
        x->p.load_count += group_dim;
    }
}

/* Fills D and B when all elements are there; loads answer forces by up to `strength`. */
static void finish(problem *x, test_rng *rng, int rank, double strength)
{
    int rows = x->p.row_count;
    double C[MOST_ROWS][MOST_ROWS];
    for (int i = 0; i < rows * rank; ++i) {
        C[i / rank][i % rank] = test_rng_uniform(rng, -1.0, 1.0);
    }
    for (int i = 0; i < rows * rows; ++i) {
        x->D[i] = 0.0;
        for (int k = 0; k < rank; ++k) {
            x->D[i] += C[i / rows][k] * C[i % rows][k];
        }
    }
    for (int i = 0; i < x->p.load_count * rows; ++i) {
        x->B[i] = test_rng_uniform(rng, -strength, strength);
    }
    x->p.D = x->D;
    x->p.B = x->B;
    x->p.elements = x->element;
    x->p.groups = x->group;
    x->w = friction_create(&x->arena, rows, x->p.element_count, x->p.load_count);
    assert_non_null(x->w);
}

static void slip_along(problem *x, int i, double sign)
{
    x->state[i] = (friction_state){ .mode = FRICTION_SLIP, .direction = { sign } };
}

static double size(const double *a, int n)
{
    return sqrt(test_dot(a, a, n));
}

/* ---- loads ---- */

/* One contact with slipping friction and one slipping joint: N = |a + b N| by hand. */
TEST(loads, one_scalar)
{
    int seen[3] = { 0 };
    FOR_EACH_SEED(rng, 2000) {
        problem x = { .p = { .row_count = 1, .contact_count = 1 }, .normal = { 1.0 } };
        add_joint(&x, 1, 1.0, 1, 1);
        finish(&x, &rng, 2, 3.0);
        slip_along(&x, 0, 1.0);
        double a = x.B[0], b = -x.B[1];
        friction_outcome outcome = friction_rates(x.w, &x.p, x.state, x.normal, &x.a);
        double plus = a / (1.0 - b), minus = -a / (1.0 + b); /* lambda > 0, lambda < 0 */
        int solutions = (plus >= 0.0) + (minus >= 0.0);
        CHECK_EQ(x.a.solutions, solutions);
        CHECK_EQ(outcome, solutions > 0 ? FRICTION_OK : FRICTION_JAM);
        CHECK_EQ(x.a.jammed, solutions > 0 ? -1 : 0);
        if (solutions > 0) { /* the regular one: 1 -+ b > 0 */
            double N = plus >= 0.0 && 1.0 - b > 0.0 ? plus : minus;
            CHECK_NEAR(x.a.load[0], N, 1e-12 * N);
        }
        ++seen[solutions];
        carom_arena_free(&x.arena);
    }
    CHECK_GE(seen[0], 100);
    CHECK_GE(seen[2], 100);
}

/* The sleeve at tan theta = 2, below and beyond mu = 4/3 (k / 2), sliding up or down (k % 2). */
static friction_outcome slide_sleeve(carom_arena *arena, int k, double normal, friction_answer *a)
{
    test_mechanism s = test_sleeve(1.0, 1.0, atan(2.0), k / 2 ? 1.5 : 1.2, 0.0);
    test_reduced r;
    test_reduce(&s, &r);
    friction_work *w = friction_create(arena, s.rows, s.elements, s.loads);
    friction_state state = { .mode = FRICTION_SLIP, .direction = { k % 2 ? -1.0 : 1.0 } };
    return friction_rates(w, &r.p, &state, &normal, a);
}

/* It jams from mu = 4/3 on. */
TEST(loads, sleeve)
{
    static const int expected[2][2] = { { 1, 1 }, { 0, 2 } };
    for (int k = 0; k < 4; ++k) {
        friction_answer a;
        carom_arena arena = { 0 };
        slide_sleeve(&arena, k, 1.0, &a);
        CHECK_EQ(a.solutions, expected[k / 2][k % 2]);
        carom_arena_free(&arena);
    }
}

/* The same sleeve, sliding without any load: it goes on to do so below mu = 4/3; beyond, the least load would lock it, and
 * no solution with load grows out of mu = 0: it jams at once. */
TEST(loads, sleeve_without_load)
{
    for (int k = 0; k < 4; ++k) {
        friction_answer a;
        carom_arena arena = { 0 };
        CHECK_EQ(slide_sleeve(&arena, k, 0.0, &a), k / 2 ? FRICTION_JAM : FRICTION_OK);
        CHECK_EQ(a.jammed, k / 2 ? 0 : -1);
        CHECK_EQ(a.solutions, k / 2 ? 0 : 1);
        carom_arena_free(&arena);
    }
}

/* (1 - |b|^2) N^2 - 2 a.b N - |a|^2 = 0. */
TEST(loads, one_pin)
{
    FOR_EACH_SEED(rng, 2000) {
        problem x = { .p = { .row_count = 1, .contact_count = 1 }, .normal = { 1.0 } };
        add_joint(&x, 1, 1.0, 1, 2);
        finish(&x, &rng, 2, 1.2);
        slip_along(&x, 0, 1.0);
        double a[2] = { x.B[0], x.B[2] }, b[2] = { -x.B[1], -x.B[3] };
        double ab = test_dot(a, b, 2), aa = test_dot(a, a, 2), q = 1.0 - test_dot(b, b, 2);
        double discriminant = ab * ab + q * aa, root = sqrt(fmax(0.0, discriminant));
        friction_outcome outcome = friction_rates(x.w, &x.p, x.state, x.normal, &x.a);
        double N = q > 0.0 || ab < 0.0 ? aa / (root - ab) : -1.0; /* the smaller positive root */
        bool solved = discriminant >= 0.0 && N >= 0.0;
        CHECK_EQ(outcome, solved ? FRICTION_OK : FRICTION_JAM);
        CHECK_EQ(x.a.solutions, !solved ? 0 : q > 0.0 ? 1 : 2);
        if (solved) {
            CHECK_NEAR(x.a.load[0], N, 1e-7 * N); /* near a double root only half the digits */
        }
        carom_arena_free(&x.arena);
    }
}

/* Gaussian elimination without ceremony: det, x in b. */
static double determinant(double *A, double *b, int n)
{
    double det = 1.0;
    for (int k = 0; k < n; ++k) {
        det *= A[k * n + k];
        for (int i = k + 1; i < n; ++i) {
            double f = A[i * n + k] / A[k * n + k];
            for (int l = k; l < n; ++l) {
                A[i * n + l] -= f * A[k * n + l];
            }
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int l = k + 1; l < n; ++l) {
            b[k] -= A[k * n + l] * b[l];
        }
        b[k] /= A[k * n + k];
    }
    return det;
}

/* All solutions of N_j = |a_j + sum b_jk N_k| by trying signs; the regular ones into `found`. */
static int brute_force(const problem *x, int n, double found[8][3], int *all)
{
    int rows = x->p.row_count, regular = 0;
    *all = 0;
    for (int signs = 0; signs < 1 << n; ++signs) {
        double A[9], N[3];
        for (int j = 0; j < n; ++j) {
            double sign = signs >> j & 1 ? -1.0 : 1.0;
            N[j] = sign * x->B[j * rows];
            for (int k = 0; k < n; ++k) {
                A[j * n + k] = (j == k) + sign * x->B[j * rows + 1 + k];
            }
        }
        double det = determinant(A, N, n);
        bool fits = true;
        for (int j = 0; j < n; ++j) {
            fits = fits && N[j] >= 0.0; /* lambda_j = sign N_j */
        }
        *all += fits;
        if (fits && det > 0.0) {
            memcpy(found[regular++], N, sizeof N);
        }
    }
    return regular;
}

TEST(loads, several_scalars)
{
    int jams = 0, several = 0;
    FOR_EACH_SEED(rng, 3000) {
        problem x = { .p = { .row_count = 1, .contact_count = 1 }, .normal = { 1.0 } };
        int n = 2 + seed_ % 2;
        for (int j = 0; j < n; ++j) {
            add_joint(&x, 1, 1.0, 1, 1);
        }
        finish(&x, &rng, 4, test_rng_uniform(&rng, 0.1, 2.0));
        for (int j = 0; j < n; ++j) {
            slip_along(&x, j, 1.0);
        }
        double found[8][3];
        int all, regular = brute_force(&x, n, found, &all);
        friction_outcome outcome = friction_rates(x.w, &x.p, x.state, x.normal, &x.a);
        jams += outcome == FRICTION_JAM;
        several += regular > 1;
        if (regular == 1) {
            CHECK_EQ(outcome, FRICTION_OK);
        }
        if (regular == 0) {
            CHECK_EQ(outcome, FRICTION_JAM);
        }
        double miss = outcome == FRICTION_OK ? HUGE_VAL : 0.0;
        for (int k = 0; k < regular && outcome == FRICTION_OK; ++k) {
            double off = 0.0;
            for (int j = 0; j < n; ++j) {
                off = fmax(off, fabs(found[k][j] - x.a.load[j]) / (1.0 + found[k][j]));
            }
            miss = fmin(miss, off);
        }
        CHECK_LE(miss, 1e-10);
        if (x.a.solutions > 0 && regular == 1) {
            CHECK(x.a.solutions == 1 || x.a.solutions == all);
        }
        carom_arena_free(&x.arena);
    }
    CHECK_GE(jams, 50);
    CHECK_GE(several, 1);
}

/* Loads of any shape: N = sum |lambda| holds, the answer depends on mu continuously from mu = 0 on. */
TEST(loads, general)
{
    FOR_EACH_SEED(rng, 200) {
        problem x = { .p = { .row_count = 1, .contact_count = 1 }, .normal = { 1.0 } };
        add_joint(&x, 2, 1.0, 2, 2);
        add_joint(&x, 1, 1.0, 1, 3);
        add_joint(&x, 3, 1.0, 2, 1);
        finish(&x, &rng, 7, 1.0);
        x.state[0] = (friction_state){ .mode = FRICTION_SLIP, .direction = { 0.6, -0.8 } };
        slip_along(&x, 1, -1.0);
        x.state[2] = (friction_state){ .mode = FRICTION_SLIP, .direction = { 0.48, 0.6, 0.64 } };
        double before[3] = { 0 };
        for (int step = 0; step <= 500; ++step) {
            for (int j = 0; j < 3; ++j) {
                x.element[j].mu = 0.5 * step / 500.0;
            }
            if (friction_rates(x.w, &x.p, x.state, x.normal, &x.a) != FRICTION_OK) {
                CHECK_GE(step, 1);
                break;
            }
            for (int j = 0; j < 3; ++j) {
                double N = 0.0;
                for (int g = 0; g < x.element[j].group_count; ++g) {
                    const load_group *group = &x.group[x.element[j].first_group + g];
                    double lambda[3];
                    for (int k = 0; k < group->dim; ++k) {
                        lambda[k] = test_dot(x.B + (group->first + k) * x.p.row_count, x.a.force, x.p.row_count);
                    }
                    N += size(lambda, group->dim);
                }
                const double *force = x.a.force + x.element[j].first_row;
                CHECK_NEAR(x.a.load[j], N, 1e-12 * N);
                CHECK_NEAR(size(force, x.element[j].dim), x.element[j].mu * N, 1e-10 * (1.0 + N));
                if (step > 0) {
                    CHECK_NEAR(1.0 / (1.0 + N), 1.0 / (1.0 + before[j]), 0.25); /* poles and folds come near */
                }
                before[j] = N;
            }
        }
        carom_arena_free(&x.arena);
    }
}

/* ---- states ---- */

/* Coulomb's law for elements at rest, and rates = D force + bias. */
static void check_coulomb(const problem *x)
{
    int rows = x->p.row_count;
    for (int k = 0; k < rows; ++k) {
        double rate = test_dot(x->D + k * rows, x->a.force, rows) + (x->p.rate ? x->p.rate[k] : 0.0);
        CHECK_NEAR(x->a.rate[k], rate, 1e-8 * (1.0 + fabs(rate)));
    }
    for (int i = 0; i < x->p.element_count; ++i) {
        const friction_element *e = &x->element[i];
        const double *force = x->a.force + e->first_row, *rate = x->a.rate + e->first_row;
        double bound = e->mu * x->a.load[i];
        CHECK_LE(size(force, e->dim), bound * (1.0 + 2e-10) + 1e-11);
        if (x->a.state[i].mode == FRICTION_STICK) {
            CHECK_NEAR(size(rate, e->dim), 0.0, 1e-9);
        } else { /* force = -mu N s/|s| */
            CHECK_NEAR(test_dot(force, rate, e->dim), -bound * size(rate, e->dim), 1e-8 * (1.0 + bound));
        }
    }
}

/* Contacts with given normal forces: the rates are unique (a convex problem), so that a plain projected iteration must
 * come to the same. */
static void check_unique_rates(const problem *x)
{
    int rows = x->p.row_count;
    double f[MOST_ROWS];
    memset(f, 0, sizeof f);
    memcpy(f, x->normal, (size_t)x->p.contact_count * sizeof(double));
    for (int sweep = 0; sweep < 20000; ++sweep) {
        for (int i = 0; i < x->p.element_count; ++i) {
            const friction_element *e = &x->element[i];
            double rate[3], trace = 0.0, *force = f + e->first_row;
            for (int d = 0; d < e->dim; ++d) {
                rate[d] = test_dot(x->D + (e->first_row + d) * rows, f, rows);
                trace += x->D[(e->first_row + d) * (rows + 1)];
            }
            for (int d = 0; d < e->dim; ++d) {
                force[d] -= rate[d] / trace;
            }
            double length = size(force, e->dim), bound = e->mu * x->normal[e->contact];
            for (int d = 0; d < e->dim && length > bound; ++d) {
                force[d] *= bound / length;
            }
        }
    }
    for (int k = 0; k < rows; ++k) {
        CHECK_NEAR(test_dot(x->D + k * rows, f, rows), x->a.rate[k], 1e-5);
    }
}

TEST(states, contacts_at_rest)
{
    FOR_EACH_SEED(rng, 60) {
        int count = 1 + seed_ % 8;
        problem x = { .p = { .row_count = count, .contact_count = count } };
        for (int i = 0; i < count; ++i) {
            add_contact(&x, 1 + (seed_ + i) % 2, test_rng_uniform(&rng, 0.1, 1.0));
            x.normal[i] = test_rng_uniform(&rng, 0.1, 1.0);
        }
        finish(&x, &rng, x.p.row_count, 1.0);
        CHECK_EQ(friction_choose(x.w, &x.p, x.u, 1e-11, x.normal, NULL, &x.a), FRICTION_OK);
        check_coulomb(&x);
        check_unique_rates(&x);
        carom_arena_free(&x.arena);
    }
}

/* More rows than freedoms: forces are not unique, rates are. */
TEST(states, redundant_contacts)
{
    FOR_EACH_SEED(rng, 60) {
        int count = 2 + seed_ % 4;
        problem x = { .p = { .row_count = count, .contact_count = count } };
        for (int i = 0; i < count; ++i) {
            add_contact(&x, 1, test_rng_uniform(&rng, 0.1, 1.0));
            x.normal[i] = test_rng_uniform(&rng, 0.1, 1.0);
        }
        finish(&x, &rng, 2, 1.0);
        CHECK_EQ(friction_choose(x.w, &x.p, x.u, 1e-11, x.normal, NULL, &x.a), FRICTION_OK);
        check_coulomb(&x);
        check_unique_rates(&x);
        carom_arena_free(&x.arena);
    }
}

/* Joints at rest whose loads answer everything; the bias of lasting contact too. */
TEST(states, joints_at_rest)
{
    int held = 0, slipped = 0, jammed = 0;
    FOR_EACH_SEED(rng, 400) {
        problem x = { .p = { .row_count = 1, .contact_count = 1 }, .normal = { 1.0 } };
        double rate[MOST_ROWS], load[MOST_LOADS];
        add_contact(&x, 1 + seed_ % 2, 0.5);
        for (int j = 0; j < 1 + seed_ % 3; ++j) {
            add_joint(&x, 1 + (seed_ + j) % 3, 0.4, 1, 1 + (seed_ + j) % 2);
        }
        finish(&x, &rng, x.p.row_count, 0.7);
        for (int k = 0; k < MOST_ROWS; ++k) {
            rate[k] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        for (int k = 0; k < MOST_LOADS; ++k) {
            load[k] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        x.p.rate = seed_ % 2 ? rate : NULL;
        x.p.load = seed_ % 2 ? load : NULL;
        friction_outcome outcome = friction_choose(x.w, &x.p, x.u, 1e-11, x.normal, NULL, &x.a);
        jammed += outcome == FRICTION_JAM;
        CHECK(outcome != FRICTION_INCONSISTENT);
        if (outcome == FRICTION_OK) {
            check_coulomb(&x);
            for (int i = 1; i < x.p.element_count; ++i) {
                held += x.a.state[i].mode == FRICTION_STICK;
                slipped += x.a.state[i].mode == FRICTION_SLIP;
            }
        }
        carom_arena_free(&x.arena);
    }
    CHECK_GE(held, 50);
    CHECK_GE(slipped, 50);
    CHECK_LE(jammed, 20);
}

/* A block of 2 kg at rest, pressed on a table by 1 N with mu = 0.5 and pushed by 1 N: it begins to slip along the push, and no
 * other direction fits, though its own half of the plane is ahead of it. */
TEST(states, slip_begins_along_its_own_rate)
{
    const double push = 0.7; /* [rad] */
    double rate[3] = { 0.0, 0.5 * cos(push), 0.5 * sin(push) };
    for (int k = -3; k <= 3; ++k) {
        double angle = push + 0.2 * k;
        test_rng rng = test_rng_seed(1);
        problem x = { .p = { .row_count = 1, .contact_count = 1 }, .normal = { 1.0 } };
        add_contact(&x, 2, 0.5);
        finish(&x, &rng, 3, 1.0);
        memcpy(x.D, (double[]){ 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5 }, 9 * sizeof(double));
        x.p.rate = rate;
        x.state[0] = (friction_state){ .mode = FRICTION_SLIP, .direction = { cos(angle), sin(angle) } };
        CHECK_EQ(friction_rates(x.w, &x.p, x.state, x.normal, &x.a), FRICTION_OK);
        CHECK_GE(x.a.rate[1] * cos(angle) + x.a.rate[2] * sin(angle), 0.1);
        x.w->resting[0] = 0;
        x.w->resting_count = 1;
        CHECK_EQ(friction_fits(x.w, &x.p), k == 0);
        carom_arena_free(&x.arena);
    }
}

/* What moves slips along its velocity; what is locked holds beyond its cone; a contact without force is left alone. */
TEST(states, given_ones)
{
    test_rng rng = test_rng_seed(3);
    problem x = { .p = { .row_count = 2, .contact_count = 2 }, .normal = { 1.0, 0.0 } };
    add_contact(&x, 2, 0.3);
    add_contact(&x, 1, 0.3);
    add_joint(&x, 1, 1e-3, 1, 1);
    finish(&x, &rng, x.p.row_count, 1.0);
    x.u[2] = -3e-3;
    x.u[3] = 4e-3;
    bool held[] = { false, false, true };
    CHECK_EQ(friction_choose(x.w, &x.p, x.u, 1e-11, x.normal, held, &x.a), FRICTION_OK);
    CHECK_EQ(x.a.state[0].mode, FRICTION_SLIP);
    CHECK_NEAR(x.a.force[2], 0.18, 1e-15);
    CHECK_NEAR(x.a.force[3], -0.24, 1e-15);
    CHECK_EQ(x.a.state[1].mode, FRICTION_NONE);
    CHECK_NEAR(x.a.force[4], 0.0, 0.0);
    CHECK_EQ(x.a.state[2].mode, FRICTION_STICK);
    CHECK_GE(fabs(x.a.force[5]), 2e-3 * x.a.load[2]);
    CHECK_NEAR(x.a.rate[5], 0.0, 0.0);
    carom_arena_free(&x.arena);
}

/* A row that cannot move holds without force. */
TEST(states, immovable)
{
    problem x = { .p = { .row_count = 1, .contact_count = 1 }, .normal = { 1.0 } };
    test_rng rng = test_rng_seed(1);
    add_contact(&x, 1, 0.3);
    finish(&x, &rng, 2, 1.0);
    memcpy(x.D, (double[]){ 1.0, 0.0, 0.0, 0.0 }, 4 * sizeof(double));
    CHECK_EQ(friction_choose(x.w, &x.p, x.u, 1e-11, x.normal, NULL, &x.a), FRICTION_OK);
    CHECK_EQ(x.a.state[0].mode, FRICTION_STICK);
    CHECK_NEAR(x.a.force[1], 0.0, 0.0);
    carom_arena_free(&x.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(loads, one_scalar),
        RUN_TEST(loads, sleeve),
        RUN_TEST(loads, one_pin),
        RUN_TEST(loads, several_scalars),
        RUN_TEST(loads, general),
        RUN_TEST(states, contacts_at_rest),
        RUN_TEST(states, redundant_contacts),
        RUN_TEST(states, joints_at_rest),
        RUN_TEST(states, slip_begins_along_its_own_rate),
        RUN_TEST(states, given_ones),
        RUN_TEST(states, immovable),
        RUN_TEST(loads, sleeve_without_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
