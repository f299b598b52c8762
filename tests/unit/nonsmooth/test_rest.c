/* Lasting contact: forces and accelerations against closed forms, all conditions by an independent checker, and all
 * combinations by brute force. */
#include "support/contact_laws.h"
#include "support/reduced.h"

#include "linalg/dense.h"
#include "nonsmooth/rest.h"

static const double g = 9.81;
static const double STILL = 1e-9;

/* A mechanism in a moment of lasting contact. */
typedef struct rest_case {
    test_mechanism s;
    test_reduced r;
    double Q[TEST_N]; /* applied forces */
    double rate[TEST_ROWS];
    double load[TEST_LOADS];
    double u[TEST_ROWS];
    carom_arena arena;
    rest_work *w;
    rest_answer a;
} rest_case;

/* Accelerations and loads by applied forces, without any along the rows. */
static void prepare(rest_case *c)
{
    double x[TEST_N + TEST_M];
    memcpy(x, c->Q, sizeof c->Q);
    test_reduce(&c->s, &c->r);
    test_saddle(&c->s, x, 1);
    test_rows(&c->s, x, c->rate);
    for (int i = 0; i < c->s.loads; ++i) {
        c->load[i] = 0.0;
        for (int k = 0; k < c->s.m; ++k) {
            c->load[i] += c->s.L[i][k] * x[c->s.n + k];
        }
    }
    c->r.p.rate = c->rate;
    c->r.p.load = c->load;
    if (!c->w) {
        c->w = rest_create(&c->arena, TEST_ROWS, TEST_ELEMENTS, TEST_LOADS);
        CHECK(c->w != NULL);
    }
}

static rest_outcome choose(rest_case *c)
{
    prepare(c);
    return rest_choose(c->w, &c->r.p, c->u, STILL, &c->a);
}

static void finish(rest_case *c)
{
    carom_arena_free(&c->arena);
}

/* ---- all conditions ----------------------------------------------------------------------------------------------------- */

/* The worst violation of any law, rates and forces made comparable by the scales. */
static double worst_violation(const reduced_problem *p, const double *u, const rest_answer *a, laws_scale scale)
{
    double worst = laws_normals_missed(p, a->force, a->rate, scale);
    for (int k = 0; k < p->row_count; ++k) {
        worst = fmax(worst, fabs(laws_rate(p, p->rate, a->force, k) - a->rate[k]) / scale.rate);
    }
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        const double *motion = u + el->first_row;
        const double *slip = laws_norm(motion, el->dim) > STILL ? motion : NULL;
        if (el->contact < 0) {
            worst = fmax(worst, fabs(laws_load(p, el, a->force) - a->load[e]) / scale.force);
        }
        worst = fmax(worst, laws_friction_missed(p, el, slip, a->force, a->rate, scale));
    }
    return worst;
}

static double check_answer(const rest_case *c, double tolerance)
{
    double rate_scale = 1e-300;
    double force_scale = 1e-300;
    for (int k = 0; k < c->s.rows; ++k) {
        rate_scale = fmax(rate_scale, fabs(c->rate[k]));
        force_scale = fmax(force_scale, fabs(c->a.force[k]));
    }
    force_scale = fmax(force_scale, 1e-12);
    double worst = worst_violation(&c->r.p, c->u, &c->a, (laws_scale){ rate_scale, force_scale });
    CHECK_LE(worst, tolerance);
    return worst;
}

/* ---- bodies in the plane ------------------------------------------------------------------------------------------------ */

static void add_body(rest_case *c, double m, double J)
{
    int n = c->s.n;
    c->s.M[n][n] = c->s.M[n + 1][n + 1] = m;
    c->s.M[n + 2][n + 2] = J;
    c->s.n += 3;
}

static void set_point_row(double *row, int body, double x, double y, double dx, double dy, double sign)
{
    row[3 * body] += sign * dx;
    row[3 * body + 1] += sign * dy;
    row[3 * body + 2] += sign * (x * dy - y * dx);
}

typedef struct planar_contact {
    int a, b;              /* bodies; -1: the ground */
    double xa, ya, xb, yb; /* the point from their centres */
    double nx, ny;         /* pushes a */
    double mu;
} planar_contact;

static void set_contact_row(double *row, const planar_contact *k, double dx, double dy)
{
    set_point_row(row, k->a, k->xa, k->ya, dx, dy, 1.0);
    if (k->b >= 0) {
        set_point_row(row, k->b, k->xb, k->yb, dx, dy, -1.0);
    }
}

/* All contacts at once: normals come first. Tangent: the normal turned clockwise. */
static void add_contacts(rest_case *c, const planar_contact *list, int count)
{
    c->s.contacts = count;
    c->s.rows = count;
    for (int i = 0; i < count; ++i) {
        set_contact_row(c->s.R[i], &list[i], list[i].nx, list[i].ny);
        if (list[i].mu > 0.0) {
            int row = c->s.rows++;
            set_contact_row(c->s.R[row], &list[i], list[i].ny, -list[i].nx);
            c->s.element[c->s.elements++] = (friction_element){
                .first_row = row, .dim = 1, .mu = list[i].mu, .contact = i
            };
        }
    }
}

static void weigh(rest_case *c, int body, double gx, double gy)
{
    c->Q[3 * body] += c->s.M[3 * body][3 * body] * gx;
    c->Q[3 * body + 1] += c->s.M[3 * body][3 * body] * gy;
}

/* ---- block on a slope --------------------------------------------------------------------------------------------------- */

/* Axes along the slope; down is +x. One contact: below the centre, rotation locked by a huge moment of inertia. */
static void slope_case(rest_case *c, double angle, double mu, int corners)
{
    const double b = 0.5;
    const double h = 0.2;
    add_body(c, 2.0, corners == 1 ? 1e9 : 2.0 * (b * b + h * h) / 3.0);
    planar_contact list[4];
    for (int i = 0; i < corners; ++i) {
        double x = corners == 1 ? 0.0 : -b + 2.0 * b * i / (corners - 1);
        list[i] = (planar_contact){ .a = 0, .b = -1, .xa = x, .ya = -h, .ny = 1.0, .mu = mu };
    }
    add_contacts(c, list, corners);
    weigh(c, 0, g * sin(angle), -g * cos(angle));
}

TEST(slope, holds_if_and_only_if_mu_reaches_the_tangent)
{
    const int corners[3] = { 1, 2, 4 };
    for (int k = 0; k < 3; ++k) {
        for (double degrees = 2.0; degrees < 50.0; degrees += 3.0) {
            double angle = degrees * acos(-1.0) / 180.0;
            for (int i = -3; i <= 3; ++i) {
                double mu = tan(angle) * (1.0 + 0.1 * i + 1e-6);
                rest_case c = { 0 };
                slope_case(&c, angle, mu, corners[k]);
                CHECK_EQ(choose(&c), REST_OK);
                check_answer(&c, 1e-8);
                double expected = i >= 0 ? 0.0 : g * (sin(angle) - mu * cos(angle));
                double sum = 0.0;
                for (int row = 0; row < corners[k]; ++row) {
                    sum += c.a.force[row];
                    CHECK_NEAR(c.a.rate[corners[k] + row], expected, 1e-7);
                }
                CHECK_NEAR(sum, 2.0 * g * cos(angle), 1e-7);
                finish(&c);
            }
        }
    }
}

TEST(slope, slides_on_and_slows_down)
{
    const double mu = 0.3;
    rest_case c = { 0 };
    slope_case(&c, 0.1, mu, 2);
    c.u[2] = c.u[3] = 1.0;
    CHECK_EQ(choose(&c), REST_OK);
    check_answer(&c, 1e-10);
    CHECK_NEAR(c.a.rate[2], g * (sin(0.1) - mu * cos(0.1)), 1e-12);
    CHECK_EQ(c.a.state[0].mode, FRICTION_SLIP);
    finish(&c);
}

/* In space: four corners, six degrees of freedom, gravity in any direction along the slope. */
static void set_space_row(double *row, const double *r, const double *d)
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        row[i] = d[i];
        row[3 + i] = r[j] * d[k] - r[k] * d[j];
    }
}

static void space_box(rest_case *c, double m, const double *half, double mu)
{
    c->s.n = 6;
    for (int i = 0; i < 3; ++i) {
        double a = half[(i + 1) % 3];
        double b = half[(i + 2) % 3];
        c->s.M[i][i] = m;
        c->s.M[3 + i][3 + i] = m * (a * a + b * b) / 3.0;
    }
    c->s.contacts = 4;
    c->s.rows = 12;
    c->s.elements = 4;
    for (int i = 0; i < 4; ++i) {
        double r[3] = { i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], -half[2] };
        set_space_row(c->s.R[i], r, (double[]){ 0, 0, 1 });
        set_space_row(c->s.R[4 + 2 * i], r, (double[]){ 1, 0, 0 });
        set_space_row(c->s.R[5 + 2 * i], r, (double[]){ 0, 1, 0 });
        c->s.element[i] = (friction_element){ .first_row = 4 + 2 * i, .dim = 2, .mu = mu, .contact = i };
    }
}

TEST(slope, box_in_space_slides_down_any_way)
{
    const double half[3] = { 0.4, 0.25, 0.1 };
    for (double turn = 0.0; turn < 6.28; turn += 0.37) {
        for (int i = -2; i <= 2; ++i) {
            double angle = 0.4;
            double mu = tan(angle) * (1.0 + 0.15 * i + 1e-6);
            rest_case c = { 0 };
            space_box(&c, 3.0, half, mu);
            c.Q[0] = 3.0 * g * sin(angle) * cos(turn);
            c.Q[1] = 3.0 * g * sin(angle) * sin(turn);
            c.Q[2] = -3.0 * g * cos(angle);
            CHECK_EQ(choose(&c), REST_OK);
            check_answer(&c, 1e-7);
            double a = i >= 0 ? 0.0 : g * (sin(angle) - mu * cos(angle));
            CHECK_NEAR(c.a.rate[4], a * cos(turn), 1e-6);
            CHECK_NEAR(c.a.rate[5], a * sin(turn), 1e-6);
            finish(&c);
        }
    }
}

TEST(redundant, box_at_rest_on_four_corners_is_symmetric)
{
    const double half[3] = { 0.4, 0.25, 0.1 };
    rest_case c = { 0 };
    space_box(&c, 3.0, half, 0.5);
    c.Q[2] = -3.0 * g;
    CHECK_EQ(choose(&c), REST_OK);
    for (int i = 0; i < 4; ++i) {
        CHECK(c.a.closed[i]);
        CHECK_NEAR(c.a.force[i], 0.25 * 3.0 * g, 1e-11);
        CHECK_NEAR(c.a.force[4 + 2 * i], 0.0, 1e-11);
        CHECK_EQ(c.a.state[i].mode, FRICTION_STICK);
    }
    finish(&c);
}

/* Loaded beyond the kernel of the section but within the feet: forces of least norm pull at one corner, others do not. */
TEST(redundant, eccentric_load_within_the_feet_holds)
{
    const double half[3] = { 0.4, 0.4, 0.1 };
    for (double part = 0.0; part < 0.99; part += 0.06) {
        rest_case c = { 0 };
        space_box(&c, 1.0, half, 0.5);
        c.Q[2] = -100.0;
        c.Q[3] = -100.0 * part * half[1];
        c.Q[4] = 100.0 * part * half[0];
        CHECK_EQ(choose(&c), REST_OK);
        check_answer(&c, 1e-9);
        for (int i = 0; i < 4; ++i) {
            CHECK_NEAR(c.a.rate[i], 0.0, 1e-7);
            CHECK_GE(c.a.force[i], -1e-7);
        }
        finish(&c);
    }
}

/* f becomes the nearest forces that balance all loads: f - R (R' R)^-1 (R' f + Q). */
static void balance(const rest_case *c, double *f)
{
    double A[6 * 6];
    double b[6];
    for (int i = 0; i < 6; ++i) {
        b[i] = c->Q[i];
        for (int k = 0; k < c->s.rows; ++k) {
            b[i] += c->s.R[k][i] * f[k];
        }
        for (int j = 0; j < 6; ++j) {
            A[6 * i + j] = 0.0;
            for (int k = 0; k < c->s.rows; ++k) {
                A[6 * i + j] += c->s.R[k][i] * c->s.R[k][j];
            }
        }
    }
    CHECK(dense_eliminate(A, b, 6, 0.0, NULL));
    for (int k = 0; k < c->s.rows; ++k) {
        for (int i = 0; i < 6; ++i) {
            f[k] -= c->s.R[k][i] * b[i];
        }
    }
}

/* f becomes the nearest forces within all cones of friction. */
static void bring_into_cones(const rest_case *c, double *f)
{
    for (int k = 0; k < c->s.contacts; ++k) {
        double mu = c->s.element[k].mu;
        double *t = f + c->s.element[k].first_row;
        double size = hypot(t[0], t[1]);
        if (size <= mu * f[k]) {
            continue;
        }
        double N = fmax(0.0, (f[k] + mu * size) / (1.0 + mu * mu));
        t[0] *= size > 0.0 ? mu * N / size : 0.0;
        t[1] *= size > 0.0 ? mu * N / size : 0.0;
        f[k] = N;
    }
}

/* Forces of redundant contacts are those of least norm among all that balance the loads within the cones: against Dykstra's
 * alternating projections, which take thousands of turns for what the solver does in a few. */
TEST(redundant, forces_have_least_norm_within_the_cones)
{
    enum { TURNS = 40000, ROWS = 12 };
    const double half[3] = { 0.4, 0.3, 0.1 };
    int shared = 0;
    FOR_EACH_SEED(rng, 60) {
        rest_case c = { 0 };
        space_box(&c, 1.0, half, test_rng_uniform(&rng, 0.3, 0.9));
        c.Q[2] = -100.0;
        for (int i = 0; i < 6; ++i) {
            c.Q[i] += i == 2 ? 0.0 : test_rng_uniform(&rng, -1.0, 1.0) * (i < 2 ? 30.0 : 20.0);
        }
        bool holds = choose(&c) == REST_OK;
        for (int k = 0; holds && k < ROWS; ++k) {
            holds = fabs(c.a.rate[k]) < 1e-9 * g;
        }
        double x[ROWS] = { 0.0 };
        double least[ROWS] = { 0.0 };
        double corrected[ROWS] = { 0.0 };
        balance(&c, least);
        for (int turn = 0; holds && turn < TURNS; ++turn) {
            balance(&c, x);
            for (int k = 0; k < ROWS; ++k) {
                x[k] += corrected[k];
                corrected[k] = x[k];
            }
            bring_into_cones(&c, x);
            for (int k = 0; k < ROWS; ++k) {
                corrected[k] -= x[k];
            }
        }
        double beyond = 0.0;
        for (int k = 0; holds && k < ROWS; ++k) {
            CHECK_NEAR(c.a.force[k], x[k], 1e-5 * 100.0);
            beyond = fmax(beyond, fabs(least[k] - x[k]));
        }
        shared += beyond > 1.0;
        finish(&c);
    }
    printf("\nredundant: %d of 60 bear what least norm alone would not\n", shared);
    CHECK_GE(shared, 5);
}

/* ---- sphere ------------------------------------------------------------------------------------------------------------- */

TEST(sphere, rolls_or_slides_down_a_slope)
{
    const double R = 0.05;
    const double m = 1.3;
    for (double angle = 0.05; angle < 1.4; angle += 0.1) {
        for (int i = -2; i <= 2; ++i) {
            double mu = 2.0 / 7.0 * tan(angle) * (1.0 + 0.2 * i + 1e-6);
            rest_case c = { 0 };
            add_body(&c, m, 0.4 * m * R * R);
            add_contacts(&c, &(planar_contact){ .a = 0, .b = -1, .ya = -R, .ny = 1.0, .mu = mu }, 1);
            weigh(&c, 0, g * sin(angle), -g * cos(angle));
            CHECK_EQ(choose(&c), REST_OK);
            check_answer(&c, 1e-9);
            double ax = g * sin(angle) + c.a.force[1] / m;
            CHECK_NEAR(ax, i >= 0 ? 5.0 / 7.0 * g * sin(angle) : g * (sin(angle) - mu * cos(angle)), 1e-9);
            CHECK_EQ(c.a.state[0].mode, i >= 0 ? FRICTION_STICK : FRICTION_SLIP);
            finish(&c);
        }
    }
}

/* ---- Painleve [Genot1999] ------------------------------------------------------------------------------------------------- */

/* A rod of half length 1 and mass 1 on its tip, theta from the vertical, the tip slides with speed vt. */
static rest_outcome painleve(rest_case *c, double theta, double mu, double vt, double omega)
{
    double s = sin(theta);
    double k = cos(theta);
    add_body(c, 1.0, 1.0 / 3.0);
    add_contacts(c, &(planar_contact){ .a = 0, .b = -1, .xa = s, .ya = -k, .ny = 1.0, .mu = mu }, 1);
    weigh(c, 0, 0.0, -g);
    c->u[1] = vt;
    prepare(c);
    c->rate[0] += omega * omega * k; /* the tip's acceleration towards the centre: -omega^2 r */
    c->rate[1] -= omega * omega * s;
    return rest_choose(c->w, &c->r.p, c->u, STILL, &c->a);
}

TEST(painleve, smallest_critical_mu_is_four_thirds)
{
    double theta = atan(0.5);
    rest_case below = { 0 };
    CHECK_EQ(painleve(&below, theta, 4.0 / 3.0 - 1e-6, 1.0, 0.0), REST_OK);
    check_answer(&below, 1e-9);
    CHECK(below.a.closed[0] && !below.a.ambiguous);
    finish(&below);
    rest_case above = { 0 };
    CHECK_EQ(painleve(&above, theta, 4.0 / 3.0 + 1e-6, 1.0, 0.0), REST_INCONSISTENT);
    CHECK_EQ(above.a.culprit, 0);
    finish(&above);
    for (double angle = 0.02; angle < 1.55; angle += 0.03) {
        double critical = (1.0 + 3.0 * sin(angle) * sin(angle)) / (3.0 * sin(angle) * cos(angle));
        for (int i = -1; i <= 1; i += 2) {
            rest_case c = { 0 };
            rest_outcome outcome = painleve(&c, angle, critical * (1.0 + 1e-4 * i), 1.0, 0.0);
            CHECK_EQ(outcome, i < 0 ? REST_OK : REST_INCONSISTENT);
            finish(&c);
            rest_case other = { 0 };
            CHECK_EQ(painleve(&other, angle, critical * (1.0 + 1e-4 * i), -1.0, 0.0), REST_OK);
            check_answer(&other, 1e-9);
            finish(&other);
        }
    }
}

/* Turning fast the tip rises by itself: flying off fits, and so does a force that friction has turned around. */
TEST(painleve, indeterminate_case_is_told)
{
    rest_case c = { 0 };
    CHECK_EQ(painleve(&c, atan(0.5), 1.5, 1.0, 10.0), REST_OK);
    check_answer(&c, 1e-9);
    CHECK(!c.a.closed[0]);
    CHECK(c.a.ambiguous);
    finish(&c);
}

/* At rest the same rod has a solution whatever mu: it holds (cone: mu >= |b2|/b1), turning about its tip. */
TEST(painleve, rod_at_rest_turns_about_its_tip)
{
    rest_case c = { 0 };
    double theta = atan(0.5);
    CHECK_EQ(painleve(&c, theta, 1.5, 0.0, 0.0), REST_OK);
    check_answer(&c, 1e-9);
    CHECK_EQ(c.a.state[0].mode, FRICTION_STICK);
    /* b3 F - b2 T = g, -b2 F + b1 T = 0 with b = (3.4, -1.2, 1.6) */
    CHECK_NEAR(c.a.force[0], g * 3.4 / (3.4 * 1.6 - 1.44), 1e-11);
    CHECK_NEAR(c.a.force[1], -g * 1.2 / (3.4 * 1.6 - 1.44), 1e-11); /* the tip would slide away from the centre */
    finish(&c);
}

/* ---- classics ------------------------------------------------------------------------------------------------------------ */

/* A block pushed at its upper edge begins to rock about the far corner when the push exceeds m g b / (2 h) (and friction
 * holds it). */
TEST(classics, rocking_begins)
{
    const double b = 0.1;
    const double h = 0.4;
    for (int i = -1; i <= 1; i += 2) {
        double push = 1.0 * g * b / (2.0 * h) * (1.0 + 1e-4 * i);
        rest_case c = { 0 };
        add_body(&c, 1.0, (b * b + h * h) / 3.0);
        planar_contact list[2];
        for (int k = 0; k < 2; ++k) {
            list[k] = (planar_contact){ .a = 0, .b = -1, .xa = k == 0 ? -b : b, .ya = -h, .ny = 1.0, .mu = 0.8 };
        }
        add_contacts(&c, list, 2);
        weigh(&c, 0, 0.0, -g);
        c.Q[0] += push;
        c.Q[2] -= push * h;
        CHECK_EQ(choose(&c), REST_OK);
        check_answer(&c, 1e-9);
        CHECK(c.a.closed[1]);
        CHECK(c.a.closed[0] == (i < 0));
        /* Rotation about the far corner: J = 4/3 (b^2 + h^2). */
        double alpha = i < 0 ? 0.0 : (2.0 * h * push - g * b) / (4.0 / 3.0 * (b * b + h * h));
        CHECK_NEAR(c.a.rate[0], 2.0 * b * alpha, 1e-10);
        finish(&c);
    }
}

TEST(classics, stacked_boxes_carry_what_is_above)
{
    const double m[3] = { 1.0, 50.0, 0.2 };
    const double b = 0.3;
    const double h = 0.1;
    rest_case c = { 0 };
    planar_contact list[6];
    for (int k = 0; k < 3; ++k) {
        add_body(&c, m[k], m[k] * (b * b + h * h) / 3.0);
        for (int i = 0; i < 2; ++i) {
            double x = i == 0 ? -b : b;
            list[2 * k + i] = (planar_contact){
                .a = k, .b = k - 1, .xa = x, .ya = -h, .xb = x, .yb = h, .ny = 1.0, .mu = 0.3
            };
        }
    }
    add_contacts(&c, list, 6);
    for (int k = 0; k < 3; ++k) {
        weigh(&c, k, 0.0, -g);
    }
    CHECK_EQ(choose(&c), REST_OK);
    check_answer(&c, 1e-9);
    double above = 0.0;
    for (int k = 2; k >= 0; --k) {
        above += m[k] * g;
        CHECK_NEAR(c.a.force[2 * k], 0.5 * above, 1e-9);
        CHECK_NEAR(c.a.force[2 * k + 1], 0.5 * above, 1e-9);
    }
    finish(&c);
}

/* A uniform ladder at angle phi from the ground, wall without friction: holds iff mu >= 1/(2 tan phi). */
TEST(classics, ladder_holds_on_the_floor_alone)
{
    for (double phi = 0.3; phi < 1.5; phi += 0.1) {
        for (int i = -1; i <= 1; i += 2) {
            double mu = 0.5 / tan(phi) * (1.0 + 1e-3 * i);
            rest_case c = { 0 };
            add_body(&c, 2.0, 2.0 / 3.0);
            planar_contact list[2] = {
                { .a = 0, .b = -1, .xa = cos(phi), .ya = -sin(phi), .ny = 1.0, .mu = mu },
                { .a = 0, .b = -1, .xa = -cos(phi), .ya = sin(phi), .nx = 1.0 },
            };
            add_contacts(&c, list, 2);
            weigh(&c, 0, 0.0, -g);
            CHECK_EQ(choose(&c), REST_OK);
            check_answer(&c, 1e-9);
            CHECK_EQ(c.a.state[0].mode, i > 0 ? FRICTION_STICK : FRICTION_SLIP);
            CHECK(i > 0 ? fabs(c.a.rate[2]) < 1e-9 : c.a.rate[2] > 1e-6);
            finish(&c);
        }
    }
}

/* A box on four corners whose centre slides in a rough guide along x, pushed against the guide's side and along it: what the
 * corners cannot bear the guide does, up to mu times its own load; whatever was asked before. */
TEST(redundant, a_joint_that_holds_bears_up_to_its_own_load)
{
    const double half[3] = { 0.4, 0.25, 0.1 };
    const double mu = 0.5;
    rest_case c = { 0 };
    space_box(&c, 3.0, half, 0.3);
    c.s.m = c.s.loads = c.s.groups = 1;
    c.s.G[0][1] = c.s.L[0][0] = 1.0;
    c.s.group[0] = (load_group){ .first = 0, .dim = 1 };
    c.s.R[12][0] = 1.0;
    c.s.rows = 13;
    c.s.element[4] = (friction_element){ .first_row = 12, .dim = 1, .mu = mu, .contact = -1, .group_count = 1 };
    c.s.elements = 5;
    c.Q[0] = 12.0;
    c.Q[1] = 20.0;
    c.Q[2] = -3.0 * g;
    prepare(&c);
    const bool closed[4] = { true, true, true, true };
    friction_state state[5];
    double force[2][13];
    for (int e = 0; e < 5; ++e) {
        state[e] = (friction_state){ .mode = FRICTION_STICK };
    }
    for (int again = 0; again < 2; ++again) {
        CHECK_EQ(rest_rates(c.w, &c.r.p, closed, state, NULL, &c.a), REST_OK);
        memcpy(force[again], c.a.force, sizeof force[0]);
        CHECK_NEAR(c.a.load[4], c.Q[1], 1e-9);
        CHECK_LE(fabs(c.a.force[12]), mu * c.a.load[4] + 1e-9);
        CHECK_GE(fabs(c.a.force[12]), c.Q[0] - 0.3 * 3.0 * g - 1e-9);
        for (int i = 0; i < 4; ++i) {
            CHECK_LE(hypot(c.a.force[4 + 2 * i], c.a.force[5 + 2 * i]), 0.3 * c.a.force[i] + 1e-9);
        }
    }
    assert_memory_equal(force[0], force[1], sizeof force[0]);
    finish(&c);
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* A sleeve of length 2 a on a vertical guide carries a weight at distance d: its edges press with N = m g d / (2 a) each.
 * It holds iff 2 mu N >= m g, that is mu >= a / d, whatever the weight; else it slides at g (1 - mu d / a). */
static void sleeve(rest_case *c, double a, double d, double mu)
{
    add_body(c, 3.0, 0.5);
    c->s.m = 2;
    c->s.G[0][0] = 1.0; /* the body stands at x = d from the guide: upper and lower edge do not move sideways */
    c->s.G[0][2] = -a;
    c->s.G[1][0] = 1.0;
    c->s.G[1][2] = a;
    c->s.rows = 1;
    c->s.R[0][1] = 1.0;
    c->s.R[0][2] = -d; /* slip of the sleeve's own axis */
    c->s.loads = 2;
    c->s.L[0][0] = c->s.L[1][1] = 1.0;
    c->s.groups = 2;
    c->s.group[0] = (load_group){ .first = 0, .dim = 1 };
    c->s.group[1] = (load_group){ .first = 1, .dim = 1 };
    c->s.elements = 1;
    c->s.element[0] = (friction_element){
        .first_row = 0, .dim = 1, .mu = mu, .contact = -1, .first_group = 0, .group_count = 2
    };
    weigh(c, 0, 0.0, -g);
}

TEST(joints, sleeve_locks_itself)
{
    for (double d = 0.1; d < 2.0; d += 0.2) {
        for (int i = -2; i <= 2; ++i) {
            double a = 0.1;
            double mu = a / d * (1.0 + 0.2 * i + 1e-6);
            rest_case c = { 0 };
            sleeve(&c, a, d, mu);
            CHECK_EQ(choose(&c), REST_OK);
            check_answer(&c, 1e-10);
            /* Friction acts at the guide, d from the weight: it carries moment itself, N = |T| d / (2 a) each. */
            if (i >= 0) {
                CHECK_EQ(c.a.state[0].mode, FRICTION_STICK);
                CHECK_NEAR(c.a.force[0], 3.0 * g, 1e-9);
                CHECK_NEAR(c.a.load[0], 3.0 * g * d / a, 1e-8);
            } else {
                CHECK_NEAR(c.a.rate[0], -g, 1e-9); /* it falls freely: nothing presses without friction */
            }
            finish(&c);
        }
    }
}

/* With a moment M the sleeve is pressed with N = M/(2a) at each edge before friction. While it slides down with friction T
 * up at distance d: N1 + N2 = |M - T d| / a; T = mu (N1 + N2). */
TEST(joints, sliding_sleeve_under_a_moment)
{
    const double a = 0.1;
    const double d = 0.15;
    for (int i = 0; i < 4; ++i) {
        double moment = i < 2 ? 7.0 : -7.0;
        double slip = i % 2 ? 1.0 : -1.0;
        double mu = 0.2;
        rest_case c = { 0 };
        sleeve(&c, a, d, mu);
        c.Q[2] = moment;
        c.u[0] = slip;
        CHECK_EQ(choose(&c), REST_OK);
        check_answer(&c, 1e-10);
        /* T = -mu N slip along row (0, 1, -d): moment on the sleeve M - d T. */
        double N = 0.0;
        for (int k = -1; k <= 1; k += 2) { /* a N = k (M + d mu N slip) */
            double candidate = k * moment / (a - k * d * mu * slip);
            N = candidate > 0.0 ? candidate : N;
        }
        CHECK_NEAR(c.a.load[0], N, 1e-10);
        CHECK_NEAR(c.a.force[0], -mu * N * slip, 1e-10);
        CHECK_NEAR(c.a.rate[0], -g - mu * N * slip / 3.0, 1e-10);
        finish(&c);
    }
}

/* mu d / a > 1: friction presses itself ever harder; with the moment that feeds it the branch from mu = 0 is gone. */
TEST(joints, sliding_sleeve_jams)
{
    rest_case c = { 0 };
    sleeve(&c, 0.1, 0.5, 0.21);
    c.Q[2] = 7.0;
    c.u[0] = 1.0;
    CHECK_EQ(choose(&c), REST_JAM);
    CHECK_EQ(c.a.culprit, 0);
    finish(&c);
}

/* A pendulum at rest, horizontal or not, with a pin of radius r: it holds iff the torque m g l sin does not exceed
 * mu r |R|, R being the whole weight. Moving, the pin's load is |R| with friction's own part in it. */
static void pendulum(rest_case *c, double angle, double mu, double radius, double speed)
{
    const double l = 0.7;
    double x = l * sin(angle);
    double y = -l * cos(angle);
    add_body(c, 2.0, 0.1);
    c->s.m = 2;
    set_point_row(c->s.G[0], 0, -x, -y, 1.0, 0.0, 1.0);
    set_point_row(c->s.G[1], 0, -x, -y, 0.0, 1.0, 1.0);
    c->s.rows = 1;
    c->s.R[0][2] = radius;
    c->s.loads = 2;
    c->s.L[0][0] = c->s.L[1][1] = 1.0;
    c->s.groups = 1;
    c->s.group[0] = (load_group){ .first = 0, .dim = 2 };
    c->s.elements = 1;
    c->s.element[0] = (friction_element){
        .first_row = 0, .dim = 1, .mu = mu, .contact = -1, .first_group = 0, .group_count = 1
    };
    weigh(c, 0, 0.0, -g);
    c->u[0] = speed;
}

TEST(joints, pin_holds_within_the_friction_circle)
{
    const double radius = 0.1;
    const double l = 0.7;
    for (double mu = 0.1; mu < 2.0; mu += 0.3) {
        for (int i = -1; i <= 1; i += 2) {
            double angle = asin(mu * radius / l) * (1.0 - 1e-4 * i);
            rest_case c = { 0 };
            pendulum(&c, angle, mu, radius, 0.0);
            CHECK_EQ(choose(&c), REST_OK);
            check_answer(&c, 1e-9);
            CHECK_EQ(c.a.state[0].mode, i > 0 ? FRICTION_STICK : FRICTION_SLIP);
            finish(&c);
        }
    }
}

TEST(joints, moving_pin_turns_against_mu_r_R)
{
    const double radius = 0.1;
    const double l = 0.7;
    const double mu = 0.9;
    const double m = 2.0;
    double angle = 1.1;
    rest_case c = { 0 };
    pendulum(&c, angle, mu, radius, 1.0);
    CHECK_EQ(choose(&c), REST_OK);
    check_answer(&c, 1e-11);
    /* Reaction from the accelerations that come out, and the torque about the pin. */
    double alpha = c.a.rate[0] / radius;
    double Rx = m * alpha * l * cos(angle);
    double Ry = m * (alpha * l * sin(angle) + g);
    double R = hypot(Rx, Ry);
    CHECK_NEAR(c.a.load[0], R, 1e-10);
    CHECK_NEAR((0.1 + m * l * l) * alpha, -m * g * l * sin(angle) - mu * radius * R, 1e-10);
    finish(&c);
}

/* ---- random problems ------------------------------------------------------------------------------------------------------ */

static void random_mass(rest_case *c, test_rng *rng, int n)
{
    double A[TEST_N][TEST_N];
    c->s.n = n;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            A[i][j] = test_rng_uniform(rng, -1.0, 1.0);
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            c->s.M[i][j] = i == j ? 0.3 : 0.0;
            for (int k = 0; k < n; ++k) {
                c->s.M[i][j] += A[i][k] * A[j][k];
            }
        }
    }
}

static void random_rows(double (*rows)[TEST_N], int count, int n, test_rng *rng)
{
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < n; ++i) {
            rows[k][i] = test_rng_uniform(rng, -1.0, 1.0);
        }
    }
}

/* Contacts with slip of `dim` rows each, joints with friction. */
static void random_case(rest_case *c, test_rng *rng, int contacts, int joints, int dim, double most_mu)
{
    int n = contacts * (1 + dim) + 3 * joints + (int)test_rng_uniform(rng, 0.0, 3.0);
    random_mass(c, rng, n);
    c->s.m = joints > 0 ? 2 * joints : (int)test_rng_uniform(rng, 0.0, 1.99);
    c->s.m = c->s.m < n - 1 ? c->s.m : 0;
    random_rows(c->s.G, c->s.m, n, rng);
    c->s.contacts = contacts;
    c->s.rows = contacts;
    for (int e = 0; e < contacts + joints; ++e) {
        bool joint = e >= contacts;
        c->s.element[e] = (friction_element){ .first_row = c->s.rows,
                                              .dim = joint ? 1 : dim,
                                              .mu = test_rng_uniform(rng, 0.01, joint ? 0.3 : most_mu),
                                              .contact = joint ? -1 : e,
                                              .first_group = e - contacts,
                                              .group_count = joint ? 1 : 0 };
        c->s.rows += c->s.element[e].dim;
    }
    c->s.elements = contacts + joints;
    random_rows(c->s.R, c->s.rows, n, rng);
    c->s.loads = 2 * joints;
    c->s.groups = joints;
    for (int j = 0; j < joints; ++j) {
        c->s.L[2 * j][2 * j] = c->s.L[2 * j + 1][2 * j + 1] = 1.0;
        c->s.group[j] = (load_group){ .first = 2 * j, .dim = 2 };
    }
    for (int i = 0; i < n; ++i) {
        c->Q[i] = test_rng_uniform(rng, -3.0, 3.0);
    }
    for (int e = 0; e < c->s.elements; ++e) {
        bool moves = test_rng_uniform(rng, 0.0, 1.0) < 0.4;
        for (int d = 0; d < c->s.element[e].dim; ++d) {
            c->u[c->s.element[e].first_row + d] = moves ? test_rng_uniform(rng, -1.0, 1.0) : 0.0;
        }
    }
}

/* Plain elimination for the brute force. */
static bool plain_solve(double *A, double *b, int n)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k; i < n; ++i) {
            best = fabs(A[i * n + k]) > fabs(A[best * n + k]) ? i : best;
        }
        if (fabs(A[best * n + k]) < 1e-13) {
            return false;
        }
        for (int j = 0; j < n; ++j) {
            double kept = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int i = 0; i < n; ++i) {
            double factor = i == k ? 0.0 : A[i * n + k] / A[k * n + k];
            for (int j = 0; j < n; ++j) {
                A[i * n + j] -= factor * A[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; ++k) {
        b[k] /= A[k * n + k];
    }
    return true;
}

/* One planar combination, digit per contact: 0 open, 1 stick, 2 slips ahead, 3 slips back. All forces at once. */
static bool brute_combination(const rest_case *c, const int *digit, double *force)
{
    int n = c->s.rows;
    double A[TEST_ROWS * TEST_ROWS] = { 0.0 };
    double b[TEST_ROWS] = { 0.0 };
    for (int i = 0; i < c->s.contacts; ++i) {
        int t = c->s.element[i].first_row;
        if (digit[i] == 0) {
            A[i * n + i] = 1.0;
        } else {
            memcpy(A + i * n, c->r.D + i * n, sizeof(double) * (size_t)n);
            b[i] = -c->rate[i];
        }
        if (digit[i] == 1) {
            memcpy(A + t * n, c->r.D + t * n, sizeof(double) * (size_t)n);
            b[t] = -c->rate[t];
        } else {
            A[t * n + t] = 1.0;
            A[t * n + i] = digit[i] == 0 ? 0.0 : (digit[i] == 2 ? 1.0 : -1.0) * c->s.element[i].mu;
        }
    }
    memcpy(force, b, sizeof b);
    return plain_solve(A, force, n);
}

static int brute_force(const rest_case *c, double (*rates)[TEST_ROWS], int most)
{
    int found = 0;
    int combinations = 1 << (2 * c->s.contacts);
    for (int k = 0; k < combinations; ++k) {
        int digit[TEST_ELEMENTS];
        bool sensible = true;
        for (int i = 0; i < c->s.contacts; ++i) {
            digit[i] = (k >> (2 * i)) & 3;
            double motion = c->u[c->s.element[i].first_row];
            sensible = sensible && (motion == 0.0 || digit[i] == 0 || digit[i] == (motion > 0.0 ? 2 : 3));
        }
        double force[TEST_ROWS], rate[TEST_ROWS], load[TEST_ELEMENTS];
        if (!sensible || !brute_combination(c, digit, force)) {
            continue;
        }
        for (int i = 0; i < c->s.rows; ++i) {
            rate[i] = c->rate[i];
            for (int j = 0; j < c->s.rows; ++j) {
                rate[i] += c->r.D[i * c->s.rows + j] * force[j];
            }
        }
        rest_answer a = { .force = force, .rate = rate, .load = load };
        if (worst_violation(&c->r.p, c->u, &a, (laws_scale){ 1.0, 1.0 }) < 1e-9 && found < most) {
            memcpy(rates[found++], rate, sizeof rate);
        }
    }
    return found;
}

TEST(random, planar_contacts_agree_with_brute_force)
{
    int count[4] = { 0 };
    int several = 0;
    FOR_EACH_SEED(rng, 4000) {
        rest_case c = { 0 };
        random_case(&c, &rng, 1 + seed_ % 3, 0, 1, seed_ % 2 ? 0.8 : 3.0);
        rest_outcome outcome = choose(&c);
        double rates[64][TEST_ROWS];
        int found = brute_force(&c, rates, 64);
        ++count[outcome];
        several += found > 1;
        CHECK_EQ(outcome, found > 0 ? REST_OK : REST_INCONSISTENT);
        if (outcome == REST_OK) {
            check_answer(&c, 1e-8);
            double nearest = HUGE_VAL;
            for (int k = 0; k < found; ++k) {
                double off = 0.0;
                for (int i = 0; i < c.s.rows; ++i) {
                    off = fmax(off, fabs(rates[k][i] - c.a.rate[i]));
                }
                nearest = fmin(nearest, off);
            }
            CHECK_LE(nearest, 1e-7);
        }
        finish(&c);
    }
    printf("\nplanar: %d solved (%d with several solutions), %d without solution\n", count[REST_OK], several,
           count[REST_INCONSISTENT]);
    CHECK(count[REST_OK] > 3000);
    CHECK(count[REST_INCONSISTENT] > 0);
}

TEST(random, contacts_in_space_and_joints_fulfil_all_conditions)
{
    int count[4] = { 0 };
    double worst = 0.0;
    FOR_EACH_SEED(rng, 3000) {
        rest_case c = { 0 };
        random_case(&c, &rng, seed_ % 4, seed_ / 4 % 3, 1 + seed_ % 2, 0.6);
        rest_outcome outcome = choose(&c);
        ++count[outcome];
        if (outcome == REST_OK) {
            worst = fmax(worst, check_answer(&c, 1e-7));
        }
        finish(&c);
    }
    printf("\nspace and joints: %d solved, %d jam, %d without solution, worst %.2g\n", count[REST_OK],
           count[REST_JAM], count[REST_INCONSISTENT], worst);
    CHECK(count[REST_OK] > 2500);
}

/* ---- stacks of boxes ------------------------------------------------------------------------------------------------------ */

/* Row of the relative velocity along d of box a over box a - 1 (or the ground) at a corner. */
static void set_corner_row(double *row, int a, const double *r_a, const double *r_b, const double *d)
{
    for (int side = 0; side < 2; ++side) {
        const double *r = side == 0 ? r_a : r_b;
        double sign = side == 0 ? 1.0 : -1.0;
        for (int i = 0; i < 3 && a - side >= 0; ++i) {
            int j = (i + 1) % 3;
            int k = (i + 2) % 3;
            row[6 * (a - side) + i] += sign * d[i];
            row[6 * (a - side) + 3 + i] += sign * (r[j] * d[k] - r[k] * d[j]);
        }
    }
}

/* Cubes of 0.1 m on each other, four corners each: eight contacts of two boxes have 6^8 combinations. Masses between 0.03 and
 * 30 kg, pushed and sliding at random. */
static void random_stack(rest_case *c, test_rng *rng, int boxes)
{
    static const double axis[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    double v[TEST_N] = { 0 };
    c->s.n = 6 * boxes;
    c->s.contacts = c->s.rows = 4 * boxes;
    for (int b = 0; b < boxes; ++b) {
        double m = pow(10.0, test_rng_uniform(rng, -1.5, 1.5));
        double mu = test_rng_uniform(rng, 0.05, 0.8);
        bool slides = test_rng_uniform(rng, 0.0, 1.0) < 0.4;
        for (int i = 0; i < 3; ++i) {
            bool pushed = test_rng_uniform(rng, 0.0, 1.0) < 0.5;
            c->s.M[6 * b + i][6 * b + i] = m;
            c->s.M[6 * b + 3 + i][6 * b + 3 + i] = m * 0.01 / 6.0;
            c->Q[6 * b + i] = m * ((i == 2 ? -g : 0.0) + (pushed ? test_rng_uniform(rng, -6.0, 6.0) : 0.0));
            v[6 * b + i] = slides && i < 2 ? test_rng_uniform(rng, -1.0, 1.0) : 0.0;
        }
        for (int k = 0; k < 4; ++k) {
            double x = k & 1 ? 0.05 : -0.05;
            double y = k & 2 ? 0.05 : -0.05;
            const double r_a[3] = { x, y, -0.05 };
            const double r_b[3] = { x, y, 0.05 };
            int first = c->s.rows;
            set_corner_row(c->s.R[4 * b + k], b, r_a, r_b, axis[0]);
            for (int d = 0; d < 2; ++d) {
                set_corner_row(c->s.R[c->s.rows++], b, r_a, r_b, axis[1 + d]);
            }
            c->s.element[c->s.elements++] = (friction_element){
                .first_row = first, .dim = 2, .mu = mu, .contact = 4 * b + k
            };
        }
    }
    test_rows(&c->s, v, c->u);
}

/* Where there are too many combinations to try, what is found fits all the same, and nearly all have an answer: others are
 * Painleve's. */
TEST(random, stacks_are_held_exactly)
{
    int count[5] = { 0 };
    double worst = 0.0;
    FOR_EACH_SEED(rng, 250) {
        rest_case c = { 0 };
        random_stack(&c, &rng, 2);
        rest_outcome outcome = choose(&c);
        ++count[outcome];
        worst = fmax(worst, outcome == REST_OK ? check_answer(&c, 1e-7) : 0.0);
        finish(&c);
    }
    printf("\nstacks: %d held, %d roughly, %d without solution, worst %.1e\n", count[REST_OK], count[REST_ROUGH],
           count[REST_INCONSISTENT], worst);
    CHECK_EQ(count[REST_ROUGH], 0);
    CHECK_EQ(count[REST_INCONSISTENT], 0);
}

/* Which corners of a box carry it must not hang on the way to the answer: a corner that stays is closed, only one that parts is
 * open. */
TEST(random, corners_of_stacks_that_stay_are_closed)
{
    int closed = 0;
    int open = 0;
    FOR_EACH_SEED(rng, 250) {
        rest_case c = { 0 };
        random_stack(&c, &rng, 2);
        bool found = choose(&c) == REST_OK;
        for (int i = 0; found && i < c.s.contacts; ++i) {
            CHECK(c.a.closed[i] || c.a.rate[i] > 1e-9 * g);
            closed += c.a.closed[i];
            open += !c.a.closed[i];
        }
        finish(&c);
    }
    printf("\nstacks: %d corners closed, %d part\n", closed, open);
    CHECK_GE(closed, 100);
    CHECK_GE(open, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(slope, holds_if_and_only_if_mu_reaches_the_tangent),
        RUN_TEST(slope, slides_on_and_slows_down),
        RUN_TEST(slope, box_in_space_slides_down_any_way),
        RUN_TEST(redundant, box_at_rest_on_four_corners_is_symmetric),
        RUN_TEST(redundant, eccentric_load_within_the_feet_holds),
        RUN_TEST(redundant, forces_have_least_norm_within_the_cones),
        RUN_TEST(redundant, a_joint_that_holds_bears_up_to_its_own_load),
        RUN_TEST(sphere, rolls_or_slides_down_a_slope),
        RUN_TEST(painleve, smallest_critical_mu_is_four_thirds),
        RUN_TEST(painleve, indeterminate_case_is_told),
        RUN_TEST(painleve, rod_at_rest_turns_about_its_tip),
        RUN_TEST(classics, rocking_begins),
        RUN_TEST(classics, stacked_boxes_carry_what_is_above),
        RUN_TEST(classics, ladder_holds_on_the_floor_alone),
        RUN_TEST(joints, sleeve_locks_itself),
        RUN_TEST(joints, sliding_sleeve_under_a_moment),
        RUN_TEST(joints, sliding_sleeve_jams),
        RUN_TEST(joints, pin_holds_within_the_friction_circle),
        RUN_TEST(joints, moving_pin_turns_against_mu_r_R),
        RUN_TEST(random, stacks_are_held_exactly),
        RUN_TEST(random, corners_of_stacks_that_stay_are_closed),
        RUN_TEST(random, planar_contacts_agree_with_brute_force),
        RUN_TEST(random, contacts_in_space_and_joints_fulfil_all_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
