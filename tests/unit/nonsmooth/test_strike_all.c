/* Impacts at several contacts: the cradle's tables, blocks and balls with closed forms, invariants on random problems. */
#include "support/failing_heap.h"
#include "support/reduced.h"

#include "nonsmooth/strike.h"

typedef struct strike_case {
    test_mechanism s;
    test_reduced r;
    double v[TEST_N];
    double u[TEST_ROWS];
    strike_contact defs[TEST_ROWS];
    strike_options options;
    double impulse[TEST_ROWS], compression[TEST_ROWS];
    strike_result out;
    carom_arena arena;
} strike_case;

static void set_defs(strike_case *c, double e)
{
    for (int i = 0; i < c->s.contacts; ++i) {
        c->defs[i] = (strike_contact){
            .law = STRIKE_ENERGETIC, .restitution = e, .impulse = (double)NAN, .stiffness = 1.0
        };
    }
}

/* Strikes and moves v along. */
static strike_outcome strike(strike_case *c)
{
    test_reduce(&c->s, &c->r);
    test_rows(&c->s, c->v, c->u);
    strike_work *w = strike_create(&c->arena, c->s.rows, c->s.elements, c->s.loads);
    CHECK(w != NULL);
    c->out = (strike_result){ .impulse = c->impulse, .compression = c->compression };
    strike_outcome outcome = strike_all(w, &c->r.p, c->defs, &c->options, c->u, &c->out);
    if (outcome == STRIKE_OK) {
        test_apply(&c->s, &c->r, c->impulse, c->v);
    }
    carom_arena_free(&c->arena);
    return outcome;
}

/* ---- cradle [Liu2008] ----------------------------------------------------------------------------------------------------- */

static strike_case cradle(int balls, const double *m, const double *v, double e, strike_rule rule, double exponent)
{
    strike_case c = { .options = { .rule = rule, .exponent = exponent } };
    c.s.n = balls;
    c.s.rows = c.s.contacts = balls - 1;
    for (int i = 0; i < balls; ++i) {
        c.s.M[i][i] = m ? m[i] : 1.0;
        c.v[i] = v[i];
    }
    for (int i = 0; i + 1 < balls; ++i) {
        c.s.R[i][i] = -1.0;
        c.s.R[i][i + 1] = 1.0;
    }
    set_defs(&c, e);
    return c;
}

static double check_cradle(strike_case c, const double *expected, double tolerance)
{
    double worst = 0.0;
    CHECK_EQ(strike(&c), STRIKE_OK);
    CHECK_EQ(c.out.rule_followed, c.options.rule);
    for (int i = 0; i < c.s.n; ++i) {
        CHECK_NEAR(c.v[i], expected[i], tolerance);
        worst = fmax(worst, fabs(c.v[i] - expected[i]));
    }
    return worst;
}

TEST(cradle, sequential)
{
    const double one[5] = { 1, 0, 0, 0, 0 };
    const double two[5] = { 1, 1, 0, 0, 0 };
    const double m[3] = { 1, 2, 1 };
    check_cradle(cradle(3, NULL, one, 1.0, STRIKE_SEQUENTIAL, 1.0), (double[]){ 0, 0, 1 }, 1e-14);
    check_cradle(cradle(3, NULL, one, 0.5, STRIKE_SEQUENTIAL, 1.0), (double[]){ 0.203125, 0.234375, 0.5625 }, 1e-14);
    check_cradle(cradle(5, NULL, one, 1.0, STRIKE_SEQUENTIAL, 1.0), (double[]){ 0, 0, 0, 0, 1 }, 1e-14);
    check_cradle(cradle(5, NULL, two, 1.0, STRIKE_SEQUENTIAL, 1.0), (double[]){ 0, 0, 0, 1, 1 }, 1e-14);
    check_cradle(cradle(3, m, one, 1.0, STRIKE_SEQUENTIAL, 1.0), (double[]){ -1.0 / 3, 2.0 / 9, 8.0 / 9 }, 1e-14);
}

TEST(cradle, together)
{
    const double one[5] = { 1, 0, 0, 0, 0 };
    const double two[5] = { 1, 1, 0, 0, 0 };
    const double m[3] = { 1, 2, 1 };
    check_cradle(cradle(3, NULL, one, 1.0, STRIKE_TOGETHER, 1.0), (double[]){ -1.0 / 3, 2.0 / 3, 2.0 / 3 }, 1e-14);
    check_cradle(cradle(3, NULL, one, 0.5, STRIKE_TOGETHER, 1.0), (double[]){ 0, 0.5, 0.5 }, 1e-14);
    check_cradle(cradle(5, NULL, one, 1.0, STRIKE_TOGETHER, 1.0), (double[]){ -0.6, 0.4, 0.4, 0.4, 0.4 }, 1e-14);
    check_cradle(cradle(5, NULL, two, 1.0, STRIKE_TOGETHER, 1.0), (double[]){ -0.2, -0.2, 0.8, 0.8, 0.8 }, 1e-14);
    check_cradle(cradle(3, m, one, 1.0, STRIKE_TOGETHER, 1.0), (double[]){ -0.5, 0.5, 0.5 }, 1e-14);
}

TEST(cradle, energy_sharing)
{
    const double one[5] = { 1, 0, 0, 0, 0 };
    double off = 0.0;
    off = fmax(off, check_cradle(cradle(3, NULL, one, 1.0, STRIKE_SHARING, 1.0),
                                 (double[]){ -0.130262, 0.150230, 0.980032 }, 2e-6));
    off = fmax(off, check_cradle(cradle(3, NULL, one, 0.5, STRIKE_SHARING, 1.0),
                                 (double[]){ 0.182735, 0.233984, 0.583281 }, 2e-6));
    off = fmax(off, check_cradle(cradle(5, NULL, one, 1.0, STRIKE_SHARING, 1.0),
                                 (double[]){ -0.132279, -0.075329, -0.031011, 0.296218, 0.942402 }, 2e-6));
    off = fmax(off, check_cradle(cradle(3, NULL, one, 1.0, STRIKE_SHARING, 1.5),
                                 (double[]){ -0.070952, 0.076403, 0.994549 }, 2e-6));
    off = fmax(off, check_cradle(cradle(3, NULL, one, 0.5, STRIKE_SHARING, 1.5),
                                 (double[]){ 0.209235, 0.218779, 0.571985 }, 2e-6));
    off = fmax(off, check_cradle(cradle(5, NULL, one, 1.0, STRIKE_SHARING, 1.5),
                                 (double[]){ -0.071085, -0.030274, -0.014464, 0.127045, 0.988777 }, 2e-6));
    printf("\ncradle, energy sharing: within %.2g of six digits\n", off);
}

/* Three balls, e = 1, linear springs, in closed form: both contacts loaded until contact 0 opens; the last ball may be caught
 * no more. d0'' = -2 d0 + d1, d1'' = d0 - 2 d1: modes at frequencies 1 and sqrt 3. */
TEST(cradle, three_balls_in_closed_form)
{
    double s = 2.0; /* d0 = (sin s + sin(sqrt3 s)/sqrt3)/2 vanishes between 2 and 3 */
    for (int i = 0; i < 100; ++i) {
        double d = 0.5 * (sin(s) + sin(sqrt(3.0) * s) / sqrt(3.0));
        double slope = 0.5 * (cos(s) + cos(sqrt(3.0) * s));
        s -= d / slope;
    }
    double d1 = 0.5 * (sin(s) - sin(sqrt(3.0) * s) / sqrt(3.0));
    double d0_rate = 0.5 * (cos(s) + cos(sqrt(3.0) * s));
    double d1_rate = 0.5 * (cos(s) - cos(sqrt(3.0) * s));
    /* Then balls 1 and 2 swing apart on their spring: (d1_rate)^2 + 2 d1^2 = relative speed squared. */
    double apart = sqrt(d1_rate * d1_rate + 2.0 * d1 * d1);
    /* v0 - v1 = d0', v1 - v2 = d1', sum 1. */
    double v0 = (1.0 + 2.0 * d0_rate + d1_rate) / 3.0;
    double expected[3] = { v0, 0.5 * (1.0 - v0 - apart), 0.5 * (1.0 - v0 + apart) };
    double off = check_cradle(cradle(3, NULL, (double[]){ 1, 0, 0 }, 1.0, STRIKE_SHARING, 1.0), expected, 1e-9);
    printf("\nthree balls: off by %.2g\n", off);
}

TEST(cradle, without_restitution_all_go_together)
{
    const double v[4] = { 1, 0.3, 0, -0.5 };
    const double m[4] = { 1, 2, 0.5, 3 };
    double common = (1 + 0.6 - 1.5) / 6.5;
    for (int rule = STRIKE_SHARING; rule <= STRIKE_SEQUENTIAL; ++rule) {
        strike_case c = cradle(4, m, v, 0.0, (strike_rule)rule, 1.5);
        CHECK_EQ(strike(&c), STRIKE_OK);
        for (int i = 0; i < 4; ++i) {
            CHECK_NEAR(c.v[i], common, 1e-9);
        }
    }
}

TEST(cradle, symmetric_squeeze_stays_symmetric)
{
    const double v[3] = { 1, 0, -1 };
    for (double e = 0.0; e <= 1.0; e += 0.125) {
        check_cradle(cradle(3, NULL, v, e, STRIKE_TOGETHER, 1.0), (double[]){ -e, 0, e }, 1e-13);
        check_cradle(cradle(3, NULL, v, e, STRIKE_SHARING, 1.0), (double[]){ -e, 0, e }, 1e-10);
        check_cradle(cradle(3, NULL, v, e, STRIKE_SHARING, 1.5), (double[]){ -e, 0, e }, 1e-10);
    }
}

/* A small ball on a big one, both falling at 1: one after another the small one leaves with (3 M - m)/(M + m) (e = 1). */
TEST(cradle, two_ball_drop)
{
    const double M = 3.0;
    const double m = 0.5;
    strike_case c = { .options = { .rule = STRIKE_SEQUENTIAL } };
    c.s.n = c.s.rows = c.s.contacts = 2;
    c.s.M[0][0] = M;
    c.s.M[1][1] = m;
    c.s.R[0][0] = 1.0;
    c.s.R[1][0] = -1.0;
    c.s.R[1][1] = 1.0;
    c.v[0] = c.v[1] = -1.0;
    set_defs(&c, 1.0);
    CHECK_EQ(strike(&c), STRIKE_OK);
    CHECK_NEAR(c.v[1], (3.0 * M - m) / (M + m), 1e-13);
    CHECK_NEAR(c.v[0], (M - 3.0 * m) / (M + m), 1e-13);
    /* At once, with a floor that is much harder than the balls' own contact: the same in the limit. */
    strike_case hard = c;
    hard.options = (strike_options){ .rule = STRIKE_SHARING, .exponent = 1.0 };
    hard.defs[0].stiffness = 1e6;
    hard.v[0] = hard.v[1] = -1.0;
    CHECK_EQ(strike(&hard), STRIKE_OK);
    CHECK_NEAR(hard.v[1], c.v[1], 1e-2);
}

/* ---- bodies in the plane ------------------------------------------------------------------------------------------------------ */

static void add_corner(strike_case *c, int i, double x, double y, double mu)
{
    int t = c->s.contacts + i;
    c->s.R[i][1] = 1.0;
    c->s.R[i][2] = x;
    if (mu > 0.0) {
        c->s.R[t][0] = 1.0;
        c->s.R[t][2] = -y;
        c->s.element[i] = (friction_element){ .first_row = t, .dim = 1, .mu = mu, .contact = i };
    }
}

/* A block 2b x 2h that rocks from its left corner onto the right one, omega = -1. */
static strike_case rocking(double b, double h, double mu, double e, strike_rule rule, double exponent)
{
    strike_case c = { .options = { .rule = rule, .exponent = exponent } };
    c.s.n = 3;
    c.s.M[0][0] = c.s.M[1][1] = 1.0;
    c.s.M[2][2] = (b * b + h * h) / 3.0;
    c.s.contacts = 2;
    c.s.elements = 2;
    c.s.rows = 4;
    add_corner(&c, 0, -b, -h, mu);
    add_corner(&c, 1, b, -h, mu);
    c.v[0] = h; /* the left corner stands still: v = omega x r */
    c.v[1] = -b;
    c.v[2] = -1.0;
    set_defs(&c, e);
    return c;
}

/* [Housner1963] with both corners active; the old one receives nothing. */
TEST(blocks, rocking_block_changes_corners)
{
    const double table[3][3] = { { 0.1, 0.4, 0.911764706 }, { 0.25, 0.5, 0.7 }, { 0.2, 1.0, 0.942307692 } };
    for (int i = 0; i < 3; ++i) {
        for (int rule = STRIKE_SHARING; rule <= STRIKE_TOGETHER; ++rule) {
            strike_case c = rocking(table[i][0], table[i][1], 1.0, 0.0, (strike_rule)rule, 1.0);
            CHECK_EQ(strike(&c), STRIKE_OK);
            CHECK_NEAR(-c.v[2], table[i][2], 1e-9);
            CHECK_NEAR(c.impulse[0], 0.0, 1e-12);
        }
    }
    strike_case slips = rocking(0.1, 0.4, 0.1, 0.0, STRIKE_SHARING, 1.0);
    CHECK_EQ(strike(&slips), STRIKE_OK);
    CHECK_NEAR(-slips.v[2], 0.8085, 5e-5);
}

/* A box that lands flat on four corners: straight up again, whatever the rule. */
static strike_case landing_box(const double *half, double mu, double e, strike_rule rule)
{
    strike_case c = { .options = { .rule = rule, .exponent = 1.5 } };
    c.s.n = 6;
    for (int i = 0; i < 3; ++i) {
        double a = half[(i + 1) % 3];
        double b = half[(i + 2) % 3];
        c.s.M[i][i] = 2.0;
        c.s.M[3 + i][3 + i] = 2.0 * (a * a + b * b) / 3.0;
    }
    c.s.contacts = c.s.elements = 4;
    c.s.rows = 12;
    for (int i = 0; i < 4; ++i) {
        double r[3] = { i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], -half[2] };
        for (int k = 0; k < 3; ++k) { /* rows x, y, z of the corner */
            double *row = c.s.R[k == 2 ? i : 4 + 2 * i + k];
            row[k] = 1.0;
            row[3 + (k + 1) % 3] = r[(k + 2) % 3];
            row[3 + (k + 2) % 3] = -r[(k + 1) % 3];
        }
        c.s.element[i] = (friction_element){ .first_row = 4 + 2 * i, .dim = 2, .mu = mu, .contact = i };
    }
    set_defs(&c, e);
    return c;
}

static strike_case flat_box(double mu, double e, strike_rule rule)
{
    return landing_box((double[]){ 0.4, 0.25, 0.1 }, mu, e, rule);
}

TEST(blocks, box_lands_flat_on_four_corners)
{
    for (int rule = STRIKE_SHARING; rule <= STRIKE_TOGETHER; ++rule) {
        for (double e = 0.0; e <= 1.0; e += 0.5) {
            strike_case c = flat_box(0.3, e, (strike_rule)rule);
            c.v[2] = -1.0;
            CHECK_EQ(strike(&c), STRIKE_OK);
            for (int i = 0; i < 6; ++i) {
                CHECK_NEAR(c.v[i], i == 2 ? e : 0.0, rule == STRIKE_SHARING ? 1e-8 : 1e-12);
            }
        }
    }
    strike_case last = flat_box(0.3, 0.0, STRIKE_SEQUENTIAL);
    last.v[2] = -1.0;
    CHECK_EQ(strike(&last), STRIKE_OK);
    CHECK_NEAR(last.v[2], 0.0, 1e-9);
}

/* Sliding while it lands: friction is mu times the normal impulse in all (it does not stop, no corner opens). */
TEST(blocks, box_lands_flat_and_slides)
{
    const double mu = 0.05;
    for (int rule = STRIKE_SHARING; rule <= STRIKE_TOGETHER; ++rule) {
        strike_case c = flat_box(mu, 0.0, (strike_rule)rule);
        c.v[0] = 5.0;
        c.v[2] = -1.0;
        CHECK_EQ(strike(&c), STRIKE_OK);
        double P = 0.0;
        for (int i = 0; i < 4; ++i) {
            P += c.impulse[i];
            CHECK_GE(c.u[i], -1e-12);
        }
        CHECK_NEAR((5.0 - c.v[0]) * 2.0, mu * P, 1e-10);
    }
}

/* Along the diagonal of a square: a mirror image of itself, so that nothing may turn it about the vertical or push it aside.
 * (A rectangle does turn a little under sharing: friction tips it, the corners are loaded differently, and its two inertias
 * and half widths do not balance.) */
TEST(blocks, square_box_that_slides_diagonally_does_not_turn)
{
    for (int rule = STRIKE_SHARING; rule <= STRIKE_TOGETHER; ++rule) {
        strike_case c = landing_box((double[]){ 0.3, 0.3, 0.1 }, 0.05, 0.0, (strike_rule)rule);
        c.v[0] = c.v[1] = 3.0;
        c.v[2] = -1.0;
        CHECK_EQ(strike(&c), STRIKE_OK);
        CHECK_EQ(c.out.rule_followed, c.options.rule);
        double P = c.impulse[0] + c.impulse[1] + c.impulse[2] + c.impulse[3];
        CHECK_NEAR(c.v[5], 0.0, 1e-9);
        CHECK_NEAR(c.v[0], c.v[1], 1e-9);
        CHECK_NEAR(sqrt(2.0) * (3.0 - c.v[0]) * 2.0, 0.05 * P, 1e-9);
    }
}

/* A box that slides, falls and tips in its plane of symmetry stays in it. */
TEST(blocks, mirror_image_stays_one)
{
    for (int rule = STRIKE_SHARING; rule <= STRIKE_TOGETHER; ++rule) {
        FOR_EACH_SEED(rng, 20) {
            strike_case c = flat_box(test_rng_uniform(&rng, 0.05, 0.9), test_rng_uniform(&rng, 0.0, 1.0),
                                     (strike_rule)rule);
            c.v[0] = test_rng_uniform(&rng, -2.0, 2.0);
            c.v[2] = -1.0;
            c.v[4] = test_rng_uniform(&rng, -2.0, 2.0);
            CHECK_EQ(strike(&c), STRIKE_OK);
            for (int i = 1; i < 6; i += 2) {
                CHECK_NEAR(c.v[i], 0.0, 1e-10);
            }
            for (int i = 0; i < 2; ++i) {
                CHECK_NEAR(c.impulse[i], c.impulse[i + 2],
                           rule == STRIKE_SHARING ? 1e-10 : 1e-6); /* redundant: by a little softness */
            }
        }
    }
}

/* Between two steep walls, alpha from the vertical, friction holds what compression has stored: tan alpha < mu. */
TEST(blocks, wedge_that_stays_in_its_notch)
{
    const double mu = 0.8;
    for (double alpha = 0.1; alpha < 0.6; alpha += 0.1) {
        strike_case c = { .options = { .rule = STRIKE_SHARING, .exponent = 1.5 } };
        c.s.n = c.s.contacts = c.s.elements = 2;
        c.s.rows = 4;
        c.s.M[0][0] = c.s.M[1][1] = 1.0;
        for (int i = 0; i < 2; ++i) {
            double side = i ? -1.0 : 1.0;
            c.s.R[i][0] = side * cos(alpha);
            c.s.R[i][1] = sin(alpha);
            c.s.R[2 + i][0] = -side * sin(alpha);
            c.s.R[2 + i][1] = cos(alpha);
            c.s.element[i] = (friction_element){ .first_row = 2 + i, .dim = 1, .mu = mu, .contact = i };
        }
        c.v[1] = -1.0;
        set_defs(&c, 0.9);
        CHECK_EQ(strike(&c), STRIKE_OK);
        CHECK(!c.out.cut_short && !c.out.held && c.out.accuracy == 0.0);
        CHECK_NEAR(c.v[0], 0.0, 1e-11);
        CHECK_NEAR(c.v[1], 0.0, 1e-9);
    }
}

/* Contacts that are not pressed do no harm, however redundant. */
TEST(blocks, box_at_rest_is_left_alone)
{
    for (int rule = STRIKE_SHARING; rule <= STRIKE_SEQUENTIAL; ++rule) {
        strike_case c = flat_box(0.3, 0.5, (strike_rule)rule);
        CHECK_EQ(strike(&c), STRIKE_OK);
        c = flat_box(0.3, 0.5, (strike_rule)rule);
        c.v[2] = 1.0; /* all part */
        CHECK_EQ(strike(&c), STRIKE_OK);
        CHECK_NEAR(c.v[2], 1.0, 0.0);
        for (int k = 0; k < c.s.rows; ++k) {
            CHECK_NEAR(c.impulse[k], 0.0, 0.0);
        }
    }
}

/* ---- odd problems ---------------------------------------------------------------------------------------------------------- */

/* A prescribed impulse is given whole and once, whatever the rule; what approaches then is stopped by the others' laws. */
TEST(odd, prescribed_impulses_are_given)
{
    const double v[3] = { 1, 0, 0 };
    for (int rule = STRIKE_SHARING; rule <= STRIKE_SEQUENTIAL; ++rule) {
        strike_case c = cradle(3, NULL, v, 1.0, (strike_rule)rule, 1.0);
        c.defs[0].impulse = 0.75;
        CHECK_EQ(strike(&c), STRIKE_OK);
        CHECK_NEAR(c.impulse[0], 0.75 + 0.25, 1e-14); /* ball 0 goes on at 0.25 and hits ball 1 again, by the law */
        CHECK_NEAR(c.v[0], 0.0, 1e-14);
        CHECK_NEAR(c.v[1], 0.25, 1e-14);
        CHECK_NEAR(c.v[2], 0.75, 1e-14);
    }
}

/* Two balls and a wall between walls: the middle contact has rows that nothing moves. */
static strike_case with_immovable_row(strike_rule rule, double approach)
{
    strike_case c = { .options = { .rule = rule, .exponent = 1.5 } };
    c.s.n = 2;
    c.s.M[0][0] = c.s.M[1][1] = 1.0;
    c.s.m = 1;
    c.s.G[0][1] = 1.0; /* body 1 is fixed */
    c.s.rows = c.s.contacts = 2;
    c.s.R[0][0] = 1.0;
    c.s.R[1][1] = 1.0;
    c.v[0] = -1.0;
    c.v[1] = -approach;
    set_defs(&c, 0.5);
    return c;
}

TEST(odd, rows_that_cannot_move)
{
    for (int rule = STRIKE_SHARING; rule <= STRIKE_SEQUENTIAL; ++rule) {
        strike_case c = with_immovable_row((strike_rule)rule, 0.0);
        CHECK_EQ(strike(&c), STRIKE_OK);
        CHECK_NEAR(c.v[0], 0.5, 1e-7); /* depths to the power 1.5 begin with a singularity */
        CHECK_NEAR(c.impulse[1], 0.0, 1e-12);
        c = with_immovable_row((strike_rule)rule, 1.0);
        CHECK_EQ(strike(&c), STRIKE_INCONSISTENT);
    }
}

TEST(odd, velocities_that_are_no_numbers)
{
    for (int rule = STRIKE_SHARING; rule <= STRIKE_SEQUENTIAL; ++rule) {
        for (int i = 0; i < 6; ++i) {
            strike_case c = flat_box(0.3, 0.5, (strike_rule)rule);
            c.v[2] = -1.0;
            c.v[i] = i % 2 ? (double)NAN : HUGE_VAL;
            CHECK_EQ(strike(&c), STRIKE_INCONSISTENT);
        }
    }
}

TEST(odd, memory_runs_out)
{
    bool created = false;
    for (long n = 1; !created; ++n) {
        carom_arena arena = { 0 };
        heap_begin(n);
        created = strike_create(&arena, 12, 4, 3) != NULL;
        CHECK_EQ(created, heap.calls < n);
        carom_arena_free(&arena);
        heap_end();
        CHECK(n < 1000);
    }
}

/* ---- laws of all impacts --------------------------------------------------------------------------------------------------------- */

static void random_strike(strike_case *c, test_rng *rng, int contacts, int joints, int dim)
{
    int n = 3 + contacts + 2 * joints + (int)test_rng_uniform(rng, 0.0, 4.0);
    c->s.n = n;
    for (int i = 0; i < n; ++i) {
        c->s.M[i][i] = test_rng_uniform(rng, 0.2, 2.0);
        c->v[i] = test_rng_uniform(rng, -1.0, 1.0);
    }
    c->s.m = 2 * joints;
    c->s.contacts = contacts;
    c->s.rows = contacts;
    for (int e = 0; e < contacts + joints; ++e) {
        bool joint = e >= contacts;
        c->s.element[e] = (friction_element){ .first_row = c->s.rows,
                                              .dim = joint ? 1 : dim,
                                              .mu = test_rng_uniform(rng, 0.01, joint ? 0.4 : 0.8),
                                              .contact = joint ? -1 : e,
                                              .first_group = e - contacts,
                                              .group_count = joint ? 1 : 0 };
        c->s.rows += c->s.element[e].dim;
    }
    c->s.elements = contacts + joints;
    for (int k = 0; k < c->s.rows; ++k) {
        for (int i = 0; i < n; ++i) {
            c->s.R[k][i] = test_rng_uniform(rng, -1.0, 1.0);
        }
    }
    for (int k = 0; k < c->s.m; ++k) {
        c->s.L[k][k] = 1.0;
        for (int i = 0; i < n; ++i) {
            c->s.G[k][i] = test_rng_uniform(rng, -1.0, 1.0);
        }
    }
    c->s.loads = c->s.m;
    c->s.groups = joints;
    for (int j = 0; j < joints; ++j) {
        c->s.group[j] = (load_group){ .first = 2 * j, .dim = 2 };
    }
    set_defs(c, 0.0);
    for (int i = 0; i < contacts; ++i) {
        double e = test_rng_uniform(rng, -0.2, 1.2);
        c->defs[i].restitution = fmax(0.0, fmin(1.0, e));
        c->defs[i].stiffness = test_rng_uniform(rng, 0.1, 1.0);
        c->defs[i].law = test_rng_uniform(rng, 0.0, 1.0) < 0.5 ? STRIKE_POISSON : STRIKE_ENERGETIC;
    }
    test_project(&c->s, c->v);
}

typedef struct strike_audit {
    int count, without, endless, jams, cut, loosened;
    double growth, misfit, approach, work;
} strike_audit;

static void audit(strike_case *c, strike_audit *a)
{
    double u_before[TEST_ROWS], v_before[TEST_N], u_after[TEST_ROWS];
    memcpy(v_before, c->v, sizeof v_before);
    test_rows(&c->s, c->v, u_before);
    double before = test_kinetic(&c->s, c->v);
    strike_outcome outcome = strike(c);
    ++a->count;
    a->without += outcome == STRIKE_INCONSISTENT;
    a->endless += outcome == STRIKE_ENDLESS;
    a->jams += c->out.jammed >= 0;
    a->cut += c->out.cut_short;
    a->loosened += c->out.accuracy > 0.0;
    CHECK(c->out.accuracy == 0.0 || c->out.accuracy > c->out.asked);
    CHECK_EQ(c->out.rule_followed, c->options.rule);
    if (outcome != STRIKE_OK) {
        return;
    }
    double after = test_kinetic(&c->s, c->v);
    a->growth = fmax(a->growth, after / before - 1.0);
    a->work = fmax(a->work, fabs(after - before - c->out.work_normal - c->out.work_friction) / before);
    CHECK_LE(c->out.work_friction, 1e-10 * before);
    test_rows(&c->s, c->v, u_after);
    for (int k = 0; k < c->s.rows; ++k) {
        a->misfit = fmax(a->misfit, fabs(u_after[k] - c->u[k]) / sqrt(before));
    }
    for (int i = 0; i < c->s.contacts; ++i) {
        CHECK_GE(c->impulse[i], -1e-12);
        a->approach = fmax(a->approach, -c->u[i] / sqrt(before));
    }
}

static void audit_rule(strike_rule rule, int seeds, double growth)
{
    strike_audit a = { 0 };
    FOR_EACH_SEED(rng, seeds) {
        strike_case c = { .options = { .rule = rule, .exponent = seed_ % 3 ? 1.0 : 1.5 } };
        random_strike(&c, &rng, 1 + seed_ % 4, seed_ / 4 % 3, 1 + seed_ / 12 % 2);
        audit(&c, &a);
    }
    printf(
        "\n%d impacts: growth of energy %.2g, u - u0 - D J %.2g, approach left %.2g, work %.2g; %d jam, %d without "
        "solution, %d endless, %d cut short\n",
        a.count, a.growth, a.misfit, a.approach, a.work, a.jams, a.without, a.endless, a.cut);
    CHECK_LE(a.cut, seeds / 50);
    CHECK_GE(a.cut, rule == STRIKE_TOGETHER);     /* where normals and friction do not agree, that is told */
    CHECK_GE(a.loosened, rule == STRIKE_SHARING); /* those that rattle on and on are told */
    CHECK_LE(a.loosened, seeds / 10);
    CHECK_LE(a.growth, growth);
    CHECK_LE(a.misfit, 1e-10);
    CHECK_LE(a.approach, 1e-11);
    CHECK_LE(a.work, 1e-9);
    CHECK_EQ(a.endless, 0);
    CHECK_LE(a.without, seeds / 200);
}

TEST(laws, sequential_impacts_lose_energy)
{
    audit_rule(STRIKE_SEQUENTIAL, 700, 1e-12);
}

TEST(laws, impacts_together_lose_energy)
{
    audit_rule(STRIKE_TOGETHER, 700, 1e-12);
}

TEST(laws, sharing_impacts_lose_energy)
{
    audit_rule(STRIKE_SHARING, 250, 1e-10);
}

/* How much of Poisson's expansion impulse e J_c is missing at some contact, in parts of its compression impulse J_c. */
static double missing_expansion(const strike_case *c)
{
    double missing = 0.0;
    for (int i = 0; i < c->s.contacts; ++i) {
        double expansion = c->impulse[i] - c->compression[i];
        if (c->compression[i] > 0.0) {
            missing = fmax(missing, c->defs[i].restitution - expansion / c->compression[i]);
        }
    }
    return missing;
}

/* Contacts in space, some elastic, others not at all: there Poisson's expansion may add energy. It is lessened then, but by no
 * more than it takes: the energy stays as it was. */
TEST(laws, expansion_is_lessened_until_energy_stays)
{
    int lessened = 0;
    double lost = 0.0;
    double gained = 0.0;
    FOR_EACH_SEED(rng, 6000) {
        strike_case c = { .options = { .rule = STRIKE_TOGETHER, .exponent = 1.0 } };
        random_strike(&c, &rng, 2 + seed_ % 3, 0, 2);
        for (int i = 0; i < c.s.contacts; ++i) {
            c.s.element[i].mu = test_rng_uniform(&rng, 0.2, 2.0);
            c.defs[i].law = STRIKE_POISSON;
            c.defs[i].restitution = test_rng_uniform(&rng, 0.0, 1.0) < 0.5 ? 1.0 : 0.0;
        }
        double before = test_kinetic(&c.s, c.v);
        if (strike(&c) == STRIKE_OK && missing_expansion(&c) > 1e-6) {
            double loss = 1.0 - test_kinetic(&c.s, c.v) / before;
            lost = fmax(lost, loss);
            gained = fmax(gained, -loss);
            ++lessened;
        }
    }
    printf("\n%d impacts with less restitution: %.2g of the energy lost, %.2g gained\n", lessened, lost, gained);
    CHECK_GE(lessened, 5);
    CHECK_LE(lost, 5e-3);
    CHECK_LE(gained, 1e-12);
}

/* Stacks of boxes, each with four contacts below it: redundant, with friction in planes, thrown about at random. */
enum { STACK = 3, STACK_N = 6 * STACK, STACK_ROWS = 12 * STACK, STACK_CONTACTS = 4 * STACK };

typedef struct box_stack {
    int boxes;
    double W[STACK_ROWS][STACK_N], weight[STACK_N], v[STACK_N];
    double D[STACK_ROWS * STACK_ROWS];
    friction_element element[STACK_CONTACTS];
    strike_contact defs[STACK_CONTACTS];
} box_stack;

static void add_stack_corner(box_stack *s, int contact, int box, double sign, const double *r)
{
    int contacts = 4 * s->boxes;
    for (int k = 0; box >= 0 && k < 3; ++k) {
        double *row = s->W[k == 2 ? contact : contacts + 2 * contact + k] + 6 * box;
        row[k] += sign;
        row[3 + (k + 1) % 3] += sign * r[(k + 2) % 3];
        row[3 + (k + 2) % 3] -= sign * r[(k + 1) % 3];
    }
}

static void random_stack(box_stack *s, int boxes, test_rng *rng)
{
    const double half[3] = { 0.3, 0.2, 0.1 };
    *s = (box_stack){ .boxes = boxes };
    for (int b = 0; b < boxes; ++b) {
        double m = test_rng_uniform(rng, 0.5, 2.0);
        for (int k = 0; k < 3; ++k) {
            double a = half[(k + 1) % 3];
            double c = half[(k + 2) % 3];
            s->weight[6 * b + k] = m;
            s->weight[6 * b + 3 + k] = m * (a * a + c * c) / 3.0;
        }
        for (int i = 0; i < 4; ++i) {
            int contact = 4 * b + i;
            double below[3] = { i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], -half[2] };
            double above[3] = { below[0], below[1], half[2] };
            add_stack_corner(s, contact, b, 1.0, below);
            add_stack_corner(s, contact, b - 1, -1.0, above);
            s->element[contact] = (friction_element){ .first_row = 4 * boxes + 2 * contact,
                                                      .dim = 2,
                                                      .mu = test_rng_uniform(rng, 0.05, 0.9),
                                                      .contact = contact };
            double e = test_rng_uniform(rng, -0.3, 1.2);
            s->defs[contact] = (strike_contact){ .restitution = fmax(0.0, fmin(1.0, e)),
                                                 .impulse = (double)NAN,
                                                 .stiffness = 1.0 };
        }
    }
    for (int i = 0; i < 6 * boxes; ++i) {
        s->v[i] = test_rng_uniform(rng, -1.0, 1.0);
    }
}

static double stack_rows(box_stack *s, const double *v, double *u)
{
    int rows = 12 * s->boxes;
    double speed = 0.0;
    for (int k = 0; k < rows; ++k) {
        u[k] = test_dot(s->W[k], v, 6 * s->boxes);
        speed = fmax(speed, fabs(u[k]));
        for (int l = 0; l < rows; ++l) {
            double sum = 0.0;
            for (int i = 0; i < 6 * s->boxes; ++i) {
                sum += s->W[k][i] * s->W[l][i] / s->weight[i];
            }
            s->D[k * rows + l] = sum;
        }
    }
    return speed;
}

static double stack_energy(const box_stack *s, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < 6 * s->boxes; ++i) {
        sum += 0.5 * s->weight[i] * v[i] * v[i];
    }
    return sum;
}

static void check_stack(box_stack *s, strike_rule rule, strike_audit *a)
{
    int rows = 12 * s->boxes;
    int contacts = 4 * s->boxes;
    double u[STACK_ROWS], after[STACK_ROWS], impulse[STACK_ROWS], compression[STACK_CONTACTS];
    double speed = stack_rows(s, s->v, u);
    double before = stack_energy(s, s->v);
    reduced_problem p = {
        .row_count = rows, .contact_count = contacts, .element_count = contacts, .D = s->D, .elements = s->element
    };
    strike_options options = { .rule = rule, .exponent = 1.0 };
    strike_result out = { .impulse = impulse, .compression = compression };
    carom_arena arena = { 0 };
    strike_work *w = strike_create(&arena, rows, contacts, 0);
    CHECK(w != NULL);
    CHECK_EQ(strike_all(w, &p, s->defs, &options, u, &out), STRIKE_OK);
    carom_arena_free(&arena);
    for (int k = 0; k < rows; ++k) {
        for (int i = 0; i < 6 * s->boxes; ++i) {
            s->v[i] += s->W[k][i] * impulse[k] / s->weight[i];
        }
    }
    stack_rows(s, s->v, after);
    ++a->count;
    a->cut += out.cut_short;
    a->loosened += out.accuracy > 0.0;
    CHECK(out.accuracy == 0.0 || out.accuracy > out.asked);
    a->growth = fmax(a->growth, stack_energy(s, s->v) / before - 1.0);
    for (int k = 0; k < rows; ++k) {
        a->misfit = fmax(a->misfit, fabs(after[k] - u[k]) / speed);
        a->approach = fmax(a->approach, k < contacts ? -after[k] / speed : 0.0);
    }
    for (int c = 0; c < contacts; ++c) {
        double friction = hypot(impulse[contacts + 2 * c], impulse[contacts + 2 * c + 1]);
        bool alone = rule == STRIKE_SEQUENTIAL; /* by stepping, else to 1e-6 for each slip that stops */
        CHECK_LE(friction, s->element[c].mu * impulse[c] + (alone ? 1e-8 : 1e-5) * (impulse[c] + speed));
    }
}

/* Fast along the floor, while what approaches is slow, down to what is hardly an impact. */
static void let_slide(box_stack *s, test_rng *rng)
{
    double slow = pow(10.0, test_rng_uniform(rng, -7.0, -1.0));
    for (int i = 0; i < 6 * s->boxes; ++i) {
        s->v[i] = slow * s->v[i] + (i % 6 == 0 ? 1.0 : 0.0);
    }
}

TEST(laws, stacks_of_boxes)
{
    for (int rule = STRIKE_SHARING; rule <= STRIKE_SEQUENTIAL; ++rule) {
        strike_audit a = { 0 };
        FOR_EACH_SEED(rng, rule == STRIKE_TOGETHER ? 60 : 24) {
            box_stack s;
            random_stack(&s, 1 + seed_ % STACK, &rng);
            if (seed_ % 2) {
                let_slide(&s, &rng);
            }
            check_stack(&s, (strike_rule)rule, &a);
        }
        printf("\n%d stacks: growth of energy %.2g, misfit %.2g, approach %.2g, %d cut short\n", a.count, a.growth,
               a.misfit, a.approach, a.cut);
        CHECK_EQ(a.cut, 0);
        CHECK_LE(a.growth, 1e-12);
        CHECK_LE(a.misfit, 1e-12);
        CHECK_LE(a.approach, 1e-10);
    }
}

/* ---- together, along a fine way ---------------------------------------------------------------------------------------- */

/* Increments of normal impulses and friction of two planar contacts, rows n0 n1 t0 t1, for normal velocities that change by
 * -bias ds: option 0 holds, 1 and 2 slip ahead and back. False: it does not fit. */
static bool fine_increment(const double *D, const double *bias, const double *mu, const int *option, double ds,
                           double *P)
{
    double A[16] = { 0 }, scratch[40];
    for (int i = 0; i < 2; ++i) {
        memcpy(A + 4 * i, D + 4 * i, 4 * sizeof *A);
        P[i] = -bias[i] * ds;
        P[2 + i] = 0.0;
        if (option[i] == 0) {
            memcpy(A + 4 * (2 + i), D + 4 * (2 + i), 4 * sizeof *A);
        } else {
            A[4 * (2 + i) + 2 + i] = 1.0;
            A[4 * (2 + i) + i] = option[i] == 1 ? mu[i] : -mu[i];
        }
    }
    return dense_solve(A, P, 4, 1e-12, scratch) == 4 && P[0] >= 0.0 && P[1] >= 0.0;
}

/* Compression of two contacts by tiny explicit steps, slip that changes its sign at rest in between. False: not that simple. */
static bool fine_compression(const double *D, const double *mu, double *u)
{
    enum { STEPS = 20000 };
    const double bias[2] = { u[0], u[1] };
    for (int n = 0; n < STEPS; ++n) {
        bool found = false;
        double P[4], du[4];
        for (int code = 0; code < 9 && !found; ++code) {
            const int option[2] = { code % 3, code / 3 };
            found = fine_increment(D, bias, mu, option, 1.0 / STEPS, P);
            for (int k = 0; k < 4; ++k) {
                du[k] = test_dot(D + 4 * k, P, 4);
            }
            for (int i = 0; i < 2; ++i) {
                bool rests = fabs(u[2 + i]) < 1e-3 / STEPS;
                bool fits = option[i] == 0   ? rests && fabs(P[2 + i]) <= mu[i] * P[i]
                            : option[i] == 1 ? u[2 + i] > 0.0 || (rests && du[2 + i] >= 0.0)
                                             : u[2 + i] < 0.0 || (rests && du[2 + i] <= 0.0);
                found = found && fits && (rests || option[i] == (u[2 + i] > 0.0 ? 1 : 2));
            }
        }
        for (int k = 0; found && k < 4; ++k) {
            double next = u[k] + du[k];
            u[k] = k >= 2 && next * u[k] < 0.0 ? 0.0 : next;
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

/* Without restitution, friction along lines: slips stop, stay and begin again where the way itself says so. */
TEST(together, follows_the_way_of_compression_exactly)
{
    int compared = 0;
    double worst = 0.0;
    FOR_EACH_SEED(rng, 200) {
        strike_case c = { .options = { .rule = STRIKE_TOGETHER, .exponent = 1.0 } };
        random_strike(&c, &rng, 2, 0, 1);
        double u[TEST_ROWS], mu[2] = { c.s.element[0].mu, c.s.element[1].mu };
        set_defs(&c, 0.0);
        test_reduce(&c.s, &c.r);
        test_rows(&c.s, c.v, u);
        double scale = sqrt(test_dot(u, u, 4));
        if (!(u[0] < -0.1 * scale && u[1] < -0.1 * scale) || !fine_compression(c.r.D, mu, u)) {
            continue;
        }
        CHECK_EQ(strike(&c), STRIKE_OK);
        for (int k = 0; k < 4; ++k) {
            worst = fmax(worst, fabs(c.u[k] - u[k]) / scale);
        }
        ++compared;
    }
    print_message("%d impacts along a fine way: off by %.1e\n", compared, worst);
    CHECK_GE((double)compared, 10.0);
    CHECK_LE(worst, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(cradle, sequential),
        RUN_TEST(cradle, together),
        RUN_TEST(cradle, energy_sharing),
        RUN_TEST(cradle, three_balls_in_closed_form),
        RUN_TEST(cradle, without_restitution_all_go_together),
        RUN_TEST(cradle, symmetric_squeeze_stays_symmetric),
        RUN_TEST(cradle, two_ball_drop),
        RUN_TEST(blocks, rocking_block_changes_corners),
        RUN_TEST(blocks, box_lands_flat_on_four_corners),
        RUN_TEST(blocks, box_lands_flat_and_slides),
        RUN_TEST(blocks, square_box_that_slides_diagonally_does_not_turn),
        RUN_TEST(blocks, mirror_image_stays_one),
        RUN_TEST(blocks, wedge_that_stays_in_its_notch),
        RUN_TEST(blocks, box_at_rest_is_left_alone),
        RUN_TEST(odd, prescribed_impulses_are_given),
        RUN_TEST(odd, rows_that_cannot_move),
        RUN_TEST(odd, velocities_that_are_no_numbers),
        RUN_TEST(odd, memory_runs_out),
        RUN_TEST(laws, stacks_of_boxes),
        RUN_TEST(together, follows_the_way_of_compression_exactly),
        RUN_TEST(laws, sequential_impacts_lose_energy),
        RUN_TEST(laws, impacts_together_lose_energy),
        RUN_TEST(laws, expansion_is_lessened_until_energy_stays),
        RUN_TEST(laws, sharing_impacts_lose_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
