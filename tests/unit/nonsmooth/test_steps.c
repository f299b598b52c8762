/* The two solvers that steps of an impact consist of, on random problems and redundant ones: normal impulses that stop what
 * approaches (normals.h) and friction for given normal impulses (rub.h), by a checker that shares no code with them. */
#include "nonsmooth/normals.h"
#include "nonsmooth/rub.h"

#include "support/contact_laws.h"
#include "support/reduced.h"

typedef struct steps_case {
    test_mechanism s;
    test_reduced r;
    double u[TEST_ROWS];
    carom_arena arena;
} steps_case;

/* `freedom`: coordinates; fewer than rows make contacts and friction redundant. */
static void draw(steps_case *c, test_rng *rng, int freedom, int contacts, int joints, int dim)
{
    memset(c, 0, sizeof *c);
    c->s.n = freedom;
    c->s.m = joints;
    for (int i = 0; i < freedom; ++i) {
        c->s.M[i][i] = test_rng_uniform(rng, 0.2, 2.0);
    }
    c->s.contacts = c->s.rows = contacts;
    for (int e = 0; e < contacts + joints; ++e) {
        bool joint = e >= contacts;
        c->s.element[c->s.elements++] = (friction_element){ .first_row = c->s.rows,
                                                            .dim = joint ? 1 : dim,
                                                            .mu = test_rng_uniform(rng, 0.1, joint ? 0.3 : 0.9),
                                                            .contact = joint ? -1 : e,
                                                            .first_group = e - contacts,
                                                            .group_count = joint };
        c->s.rows += joint ? 1 : dim;
    }
    for (int j = 0; j < joints; ++j) {
        c->s.group[c->s.groups++] = (load_group){ .first = j, .dim = 1 };
        c->s.L[c->s.loads++][j] = 1.0;
    }
    for (int i = 0; i < freedom; ++i) {
        for (int k = 0; k < c->s.rows; ++k) {
            c->s.R[k][i] = test_rng_uniform(rng, -1.0, 1.0);
        }
        for (int k = 0; k < joints; ++k) {
            c->s.G[k][i] = test_rng_uniform(rng, -1.0, 1.0);
        }
    }
    double v[TEST_N];
    for (int i = 0; i < freedom; ++i) {
        v[i] = test_rng_uniform(rng, -1.0, 1.0);
    }
    test_project(&c->s, v);
    test_reduce(&c->s, &c->r);
    test_rows(&c->s, v, c->u); /* velocities that the bodies can have */
}

/* ---- normals --------------------------------------------------------------------------------------------------------- */

/* Least energy of all P >= 0 with no approach: by enumeration of who pushes. The velocities are unique; those of the first
 * combination that fits. */
static bool enumerate(const steps_case *c, double *u_n)
{
    int n = c->s.contacts;
    for (int code = 0; code < 1 << n; ++code) {
        double A[TEST_ROWS * TEST_ROWS], x[TEST_ROWS], scratch[8 * TEST_ROWS], P[TEST_ROWS] = { 0 };
        int index[TEST_ROWS], count = 0;
        for (int k = 0; k < n; ++k) {
            index[count] = k;
            count += code >> k & 1;
        }
        for (int i = 0; i < count; ++i) {
            x[i] = -c->u[index[i]];
            for (int k = 0; k < count; ++k) {
                A[i * count + k] = c->r.D[index[i] * c->s.rows + index[k]];
            }
        }
        if (count > 0 && dense_solve(A, x, count, 1e-10, scratch) < count) {
            continue; /* a smaller combination has the same velocities */
        }
        bool fits = true;
        for (int i = 0; i < count; ++i) {
            P[index[i]] = x[i];
            fits = fits && x[i] >= -1e-12;
        }
        for (int k = 0; k < n; ++k) {
            u_n[k] = laws_rate(&c->r.p, c->u, P, k);
            fits = fits && u_n[k] >= -1e-10;
        }
        if (fits) {
            return true;
        }
    }
    return false;
}

TEST(normals, stop_what_approaches)
{
    int compared = 0;
    FOR_EACH_SEED(rng, 400) {
        steps_case c;
        int contacts = 1 + seed_ % 6;
        int freedom = seed_ % 2 ? contacts + 2 : 2 + seed_ % 3; /* every other one redundant */
        draw(&c, &rng, freedom, contacts, 0, 1);
        double P[TEST_ROWS] = { 0 }, u[TEST_ROWS], all[TEST_ROWS] = { 0 }, expected[TEST_ROWS];
        memcpy(u, c.u, sizeof u);
        normals_work *w = normals_create(&c.arena, c.s.rows);
        CHECK(w != NULL);
        double left = normals_stop(w, &c.r.p, NULL, 1e-14, P, u);
        CHECK_LE(left, 1e-11);
        memcpy(all, P, (size_t)contacts * sizeof *P);
        for (int k = 0; k < c.s.rows; ++k) { /* friction stands still, but its rows feel the normals */
            CHECK_NEAR(u[k], laws_rate(&c.r.p, c.u, all, k), 1e-11);
        }
        CHECK_LE(laws_normals_missed(&c.r.p, all, u, (laws_scale){ 1.0, 1.0 }), 1e-10);
        bool found = enumerate(&c, expected);
        for (int k = 0; found && k < contacts; ++k) {
            CHECK_NEAR(u[k], expected[k], 1e-8);
        }
        compared += found;
        carom_arena_free(&c.arena);
    }
    CHECK_GE((double)compared, 390.0);
}

/* On from impulses that are there already, towards approaches that are left: as parts of a stop do. */
TEST(normals, go_part_of_the_way)
{
    FOR_EACH_SEED(rng, 200) {
        steps_case c;
        int contacts = 2 + seed_ % 5;
        draw(&c, &rng, seed_ % 2 ? contacts + 1 : 3, contacts, 0, 1);
        double P[TEST_ROWS] = { 0 }, u[TEST_ROWS], target[TEST_ROWS], shifted[TEST_ROWS];
        memcpy(u, c.u, sizeof u);
        normals_work *w = normals_create(&c.arena, c.s.rows);
        CHECK(w != NULL);
        for (int part = 1; part <= 4; ++part) {
            for (int k = 0; k < contacts; ++k) {
                target[k] = fmin(0.0, c.u[k]) * (1.0 - 0.25 * part);
            }
            CHECK_LE(normals_stop(w, &c.r.p, target, 1e-14, P, u), 1e-11);
            for (int k = 0; k < contacts; ++k) {
                shifted[k] = u[k] - target[k];
            }
            CHECK_LE(laws_normals_missed(&c.r.p, P, shifted, (laws_scale){ 1.0, 1.0 }), 1e-10);
        }
        carom_arena_free(&c.arena);
    }
}

/* Mirror images get the same: four corners of a square that fall flat. */
TEST(normals, share_alike_among_contacts_alike)
{
    steps_case c = { .s = { .n = 3, .rows = 4, .contacts = 4 } };
    const double x[4] = { 1, -1, -1, 1 }, y[4] = { 1, 1, -1, -1 };
    double P[TEST_ROWS] = { 0 };
    c.s.M[0][0] = 2.0;
    c.s.M[1][1] = c.s.M[2][2] = 0.7;
    for (int k = 0; k < 4; ++k) {
        c.s.R[k][0] = 1.0;
        c.s.R[k][1] = x[k];
        c.s.R[k][2] = y[k];
        c.u[k] = -3.0;
    }
    test_reduce(&c.s, &c.r);
    CHECK_LE(normals_stop(normals_create(&c.arena, 4), &c.r.p, NULL, 1e-14, P, c.u), 1e-11);
    for (int k = 0; k < 4; ++k) {
        CHECK_NEAR(P[k], 6.0 / 4.0, 1e-7); /* a softness of 1e-8 shares */
        CHECK_NEAR(c.u[k], 0.0, 1e-12);
    }
    carom_arena_free(&c.arena);
}

/* ---- friction -------------------------------------------------------------------------------------------------------- */

typedef struct rubbed {
    double impulse[TEST_ROWS], u[TEST_ROWS], with_normals[TEST_ROWS];
} rubbed;

static rubbed rub_once(steps_case *c, rub_work *w, const double *normal, double length)
{
    rubbed x = { 0 };
    memcpy(x.impulse, normal, (size_t)c->s.contacts * sizeof *normal);
    for (int k = 0; k < c->s.rows; ++k) {
        x.u[k] = x.with_normals[k] = laws_rate(&c->r.p, c->u, x.impulse, k);
    }
    CHECK_LE(rub(w, length, c->u, x.impulse, x.u), 1e-9);
    return x;
}

/* Backward Euler for Coulomb's law: at the velocities after the step. */
static void check_rubbed(const steps_case *c, const rubbed *x)
{
    for (int k = 0; k < c->s.rows; ++k) {
        CHECK_NEAR(x->u[k], laws_rate(&c->r.p, c->u, x->impulse, k), 1e-11);
    }
    for (int e = 0; e < c->s.elements; ++e) {
        CHECK_LE(laws_friction_missed(&c->r.p, &c->s.element[e], NULL, x->impulse, x->u, (laws_scale){ 1.0, 1.0 }),
                 1e-8);
    }
}

static void draw_normals(const steps_case *c, test_rng *rng, double *normal)
{
    for (int k = 0; k < c->s.contacts; ++k) {
        normal[k] = test_rng_uniform(rng, 0.0, 1.0) < 0.2 ? 0.0 : test_rng_uniform(rng, 0.0, 1.0);
    }
}

TEST(rub, dissipates_most)
{
    int holds = 0, slips = 0;
    FOR_EACH_SEED(rng, 600) {
        steps_case c;
        int contacts = 1 + seed_ % 4, dim = 1 + seed_ % 2;
        draw(&c, &rng, seed_ % 3 ? contacts * (1 + dim) + 1 : 2 + contacts, contacts, 0, dim);
        double normal[TEST_ROWS] = { 0 };
        draw_normals(&c, &rng, normal);
        rub_work *w = rub_create(&c.arena, c.s.rows, c.s.elements, c.s.loads);
        CHECK(w != NULL);
        rub_begin(w, &c.r.p, 1.0, 1.0);
        rubbed x = rub_once(&c, w, normal, 1.0);
        check_rubbed(&c, &x);
        double best = 0.0; /* p.D.p/2 + p.c of the answer is least of all in the discs: random ones */
        for (int k = c.s.contacts; k < c.s.rows; ++k) {
            best += 0.5 * x.impulse[k] * (x.with_normals[k] + x.u[k]);
        }
        for (int trial = 0; trial < 20; ++trial) {
            double other[TEST_ROWS] = { 0 }, value = 0.0;
            for (int e = 0; e < c.s.elements; ++e) {
                const friction_element *el = &c.s.element[e];
                double angle = test_rng_uniform(&rng, 0.0, 7.0);
                double size = el->mu * normal[el->contact] * test_rng_uniform(&rng, 0.0, 1.0);
                other[el->first_row] = size * (dim == 1 ? (angle < 3.5 ? 1.0 : -1.0) : cos(angle));
                other[el->first_row + dim - 1] = dim == 1 ? other[el->first_row] : size * sin(angle);
            }
            for (int k = c.s.contacts; k < c.s.rows; ++k) {
                value += other[k] * 0.5 * (x.with_normals[k] + laws_rate(&c.r.p, x.with_normals, other, k));
            }
            CHECK_LE(best, value + 1e-10);
        }
        for (int e = 0; e < c.s.elements; ++e) {
            bool still = laws_norm(x.u + c.s.element[e].first_row, dim) < 1e-9;
            holds += still && normal[c.s.element[e].contact] > 0.0;
            slips += !still;
        }
        carom_arena_free(&c.arena);
    }
    CHECK_GE((double)holds, 100.0);
    CHECK_GE((double)slips, 100.0);
}

/* Loads of joints are those of all impulses, friction's among them. */
TEST(rub, loads_joints_by_what_acts)
{
    int jams = 0;
    FOR_EACH_SEED(rng, 300) {
        steps_case c;
        draw(&c, &rng, 9, 1 + seed_ % 3, 1 + seed_ % 2, 1);
        double normal[TEST_ROWS] = { 0 };
        draw_normals(&c, &rng, normal);
        rub_work *w = rub_create(&c.arena, c.s.rows, c.s.elements, c.s.loads);
        CHECK(w != NULL);
        rub_begin(w, &c.r.p, 1.0, 1.0);
        rubbed x = rub_once(&c, w, normal, 1.0);
        if (rub_jammed(w) < 0) {
            check_rubbed(&c, &x);
        }
        jams += rub_jammed(w) >= 0;
        carom_arena_free(&c.arena);
    }
    CHECK_LE((double)jams, 30.0);
}

/* Fast slip is rubbed against the mean of the slips before and after; the guess of the last step changes nothing. */
TEST(rub, fast_slip_against_its_mean)
{
    FOR_EACH_SEED(rng, 200) {
        steps_case c;
        int contacts = 1 + seed_ % 3, dim = 1 + seed_ % 2;
        draw(&c, &rng, contacts * (1 + dim) + 1, contacts, 0, dim);
        double normal[TEST_ROWS] = { 0 };
        for (int k = 0; k < contacts; ++k) {
            normal[k] = 0.01 * test_rng_uniform(&rng, 0.1, 1.0);
        }
        rub_work *w = rub_create(&c.arena, c.s.rows, c.s.elements, c.s.loads);
        CHECK(w != NULL);
        rub_begin(w, &c.r.p, 1.0, 1.0);
        bool fast[TEST_ELEMENTS];
        for (int e = 0; e < c.s.elements; ++e) {
            fast[e] = laws_norm(c.u + c.s.element[e].first_row, dim) > 0.2;
            rub_expect(w, e, fast[e]);
        }
        rub_once(&c, w, normal, 0.5); /* a first guess */
        rubbed x = rub_once(&c, w, normal, 1.0);
        for (int e = 0; e < c.s.elements; ++e) {
            const friction_element *el = &c.s.element[e];
            double mean[SLIP_DIM];
            for (int d = 0; d < dim; ++d) {
                mean[d] = 0.5 * (c.u[el->first_row + d] + x.u[el->first_row + d]);
            }
            CHECK_LE(laws_friction_missed(&c.r.p, el, fast[e] ? mean : NULL, x.impulse, x.u,
                                          (laws_scale){ 1.0, 0.01 }),
                     1e-6);
        }
        carom_arena_free(&c.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(normals, stop_what_approaches),
        RUN_TEST(normals, go_part_of_the_way),
        RUN_TEST(normals, share_alike_among_contacts_alike),
        RUN_TEST(rub, dissipates_most),
        RUN_TEST(rub, loads_joints_by_what_acts),
        RUN_TEST(rub, fast_slip_against_its_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
