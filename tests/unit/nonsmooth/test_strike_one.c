/* Impacts at one contact against the tables, paths and closed forms of papers 3 and 5 and of the classics: sleeve and link
 * (14 rows, printed and correct), double pendulum (11 rows), jamming, oblique rod, Painleve, Kane, spinning ball. */
#include "nonsmooth/strike.h"

#include "base/arena.h"
#include "support/impact_mechanisms.h"

#include "support/check.h"

static const double pi = 3.14159265358979323846;

/* An impact with all that is known of it. */
typedef struct impact {
    test_mechanism s;
    test_reduced r;
    double v0[TEST_N], v[TEST_N];
    double u[TEST_ROWS];
    double impulse[TEST_ROWS], compression[TEST_ROWS];
    strike_result out;
    strike_history history;
    friction_state states[STRIKE_HISTORY * TEST_ELEMENTS];
    double energy_ratio;
} impact;

static strike_contact law(strike_law kind, double e)
{
    return (strike_contact){ .law = kind, .restitution = e, .impulse = (double)NAN, .stiffness = 1.0 };
}

static strike_contact prescribed(double P)
{
    strike_contact def = law(STRIKE_POISSON, 0.0);
    def.impulse = P;
    return def;
}

/* What holds after every impact. */
static void check_invariants(const impact *x, const double *u0)
{
    const test_mechanism *s = &x->s;
    double T0 = test_kinetic(s, x->v0), T = test_kinetic(s, x->v), fast = 1e-300, rows[TEST_ROWS];
    for (int i = 0; i < s->n; ++i) {
        fast = fmax(fast, fabs(x->v[i]));
    }
    CHECK_LE(test_violation(s, x->v), 1e-13 * fast);
    CHECK_NEAR(x->out.work_normal + x->out.work_friction, T - T0, 1e-13 * (T0 + T));
    CHECK_LE(x->out.work_friction, 1e-15 * T0);
    test_rows(s, x->v, rows);
    double twice = 0.0;
    for (int k = 0; k < s->rows; ++k) {
        CHECK_NEAR(rows[k], x->u[k], 1e-13 * fast);
        twice += x->impulse[k] * (u0[k] + x->u[k]);
    }
    CHECK_NEAR(0.5 * twice, T - T0, 1e-13 * (T0 + T));
}

static void strike(impact *x, strike_contact def)
{
    carom_arena arena = { 0 };
    const test_mechanism *s = &x->s;
    strike_work *w = strike_create(&arena, s->rows, s->elements, s->loads);
    assert_non_null(w);
    test_reduce(s, &x->r);
    double u0[TEST_ROWS];
    test_rows(s, x->v0, u0);
    memcpy(x->u, u0, sizeof u0);
    x->out = (strike_result){ .impulse = x->impulse, .compression = x->compression, .history = &x->history };
    x->history.state = x->states;
    CHECK_EQ(strike_one(w, &x->r.p, 0, &def, x->u, &x->out), STRIKE_OK);
    memcpy(x->v, x->v0, sizeof x->v);
    test_apply(s, &x->r, x->impulse, x->v);
    x->energy_ratio = test_kinetic(s, x->v) / test_kinetic(s, x->v0);
    check_invariants(x, u0);
    carom_arena_free(&arena);
}

/* The states of all steps as the tables write them: "A+B- A+B-", elements named in their order. */
static const char *states_text(const impact *x, const char *names, char *text)
{
    char *end = text;
    *end = '\0';
    for (int k = 0; k < x->history.count && x->s.elements > 0; ++k) {
        if (k > 0) {
            *end++ = ' ';
        }
        for (int i = 0; i < x->s.elements; ++i) {
            const friction_state *state = &x->states[k * x->s.elements + i];
            *end++ = names[i];
            *end++ = state->mode != FRICTION_SLIP ? '0' : state->direction[0] > 0.0 ? '+' : '-';
        }
        *end = '\0';
    }
    return text;
}

/* ---- paper 5, example 1: sleeve and link ---- */

static impact sleeve(double mu_sleeve, double mu_ground)
{
    impact x = { .s = test_sleeve(1.0, 2.0, pi / 6.0, mu_sleeve, mu_ground) };
    memcpy(x.v0, (double[]){ 1.0, -1.0, 1.0 / sqrt(3.0) }, 3 * sizeof(double));
    return x;
}

typedef struct sleeve_row {
    double mu_sleeve, mu_ground, e;
    double Pc, dP1;    /* [N s] at the end of compression; at the end of the first slip of the sleeve */
    double printed[3]; /* the paper's velocities */
    double correct[4]; /* with Poisson's law: velocities and T/T0 */
    const char *states;
} sleeve_row;

/* Row 10 is printed with e = 1; its numbers are those of 0.5. The replay takes 0.5, the correct result 1. */
static const sleeve_row sleeve_rows[] = {
    { 0.0,
      0.0,
      1.0,
      0.34340291,
      -1.0,
      { 1.2745, -0.3132, 0.7358 },
      { 1.27451905, -0.31319419, 0.73584392, 1.0 },
      "" },
    { 0.1,
      0.4,
      1.0,
      0.45485762,
      1.410754,
      { 0.6383, 1.3305, 0.3685 },
      { 0.85117835, -0.06877832, 0.49142805, 0.43005153 },
      "A+B- A+B-" },
    { 0.2,
      0.4,
      1.0,
      0.44676125,
      1.377559,
      { 0.6439, 1.2861, 0.3718 },
      { 0.84600914, -0.06579387, 0.48844360, 0.42470311 },
      "A+B- A+B-" },
    { 0.3,
      0.4,
      1.0,
      0.43949672,
      1.348102,
      { 0.6507, 1.2422, 0.3757 },
      { 0.84137101, -0.06311605, 0.48576578, 0.41993728 },
      "A+B- A+B-" },
    { 0.6,
      0.4,
      1.0,
      0.42158334,
      1.276761,
      { 0.6779, 1.1082, 0.3914 },
      { 0.82993402, -0.05651290, 0.47916263, 0.40831908 },
      "A+B- A+B-" },
    { 0.9,
      0.4,
      1.0,
      0.40789045,
      1.223436,
      { 0.7188, 0.9564, 0.4150 },
      { 0.82119165, -0.05146549, 0.47411522, 0.39956649 },
      "A+B- A+B-" },
    { 0.4,
      0.4,
      1.0,
      0.43294208,
      1.321786,
      { 0.6585, 1.1984, 0.3802 },
      { 0.83718614, -0.06069991, 0.48334964, 0.41566402 },
      "A+B- A+B-" },
    { 0.4,
      0.5,
      1.0,
      0.47698656,
      1.254890,
      { 0.3555, 1.2044, 0.2052 },
      { 0.69359165, 0.02220440, 0.40044533, 0.28446997 },
      "A+B- A+B-" },
    { 0.4,
      0.6,
      1.0,
      0.53100752,
      1.194438,
      { 0.0337, 1.2406, 0.0194 },
      { 0.51747168, 0.12388732, 0.29876241, 0.16451058 },
      "A+B- A+B-" },
    { 0.4,
      0.7,
      1.0,
      0.59882754,
      1.139543,
      { 0.1516, 0.4989, 0.0875 },
      { 0.29885185, 0.24531926, 0.17254219, 0.07739524 },
      "A+B- A+B- A+B+" },
    { 0.4,
      0.4,
      0.9,
      0.43294208,
      1.321786,
      { 0.6773, 1.0434, 0.3911 },
      { 0.84532683, -0.10766492, 0.48804967, 0.42699238 },
      "A+B- A+B-" },
    { 0.4,
      0.4,
      0.7,
      0.43294208,
      1.321786,
      { 0.7150, 0.7336, 0.4128 },
      { 0.86160822, -0.20159492, 0.49744974, 0.45529809 },
      "A+B- A+B-" },
    { 0.4,
      0.4,
      0.5,
      0.43294208,
      1.321786,
      { 0.7536, 0.4214, 0.4351 },
      { 0.87788960, -0.29552493, 0.50684980, 0.49113577 },
      "A+B- A+B-" },
    { 0.4,
      0.4,
      0.3,
      0.43294208,
      1.321786,
      { 0.8196, 0.0407, 0.4732 },
      { 0.89417099, -0.38945494, 0.51624986, 0.53450542 },
      "A+B- A+B-" },
};
enum { SLEEVE_ROWS = sizeof sleeve_rows / sizeof sleeve_rows[0] };

TEST(sleeve, correct_columns)
{
    for (int i = 0; i < SLEEVE_ROWS; ++i) {
        const sleeve_row *row = &sleeve_rows[i];
        impact x = sleeve(row->mu_sleeve, row->mu_ground);
        strike(&x, law(STRIKE_POISSON, row->e));
        CHECK_NEAR(x.compression[0], row->Pc, 1e-8);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(x.v[k], row->correct[k], 1e-8);
        }
        CHECK_NEAR(x.energy_ratio, row->correct[3], 1e-8);
        char text[256];
        CHECK_TEXT(states_text(&x, "AB", text), row->states);
    }
}

/* The print follows Pf = Pc + e (Pc + dP1), dP1 being a trial step that should have been dropped; row 1 does not. */
TEST(sleeve, replay_of_the_print)
{
    for (int i = 0; i < SLEEVE_ROWS; ++i) {
        const sleeve_row *row = &sleeve_rows[i];
        double e = i == 9 ? 0.5 : row->e;
        double Pf = row->dP1 < 0.0 ? (1.0 + e) * row->Pc : row->Pc + e * (row->Pc + row->dP1);
        impact x = sleeve(row->mu_sleeve, row->mu_ground);
        strike(&x, prescribed(Pf));
        CHECK_NEAR(x.impulse[0], Pf, 1e-15);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(x.v[k], row->printed[k], 6e-5);
        }
    }
}

/* The first slip of the sleeve ends at dP1, which the prescribed impact passes. */
TEST(sleeve, replay_path)
{
    for (int i = 1; i < SLEEVE_ROWS; ++i) {
        const sleeve_row *row = &sleeve_rows[i];
        impact x = sleeve(row->mu_sleeve, row->mu_ground);
        strike(&x, prescribed(3.0));
        char text[256];
        states_text(&x, "AB", text);
        CHECK(strncmp(text, "A+B- A+B- A+B+", 14) == 0);
        CHECK_NEAR(x.history.step[0].P, row->Pc, 1e-8);
        CHECK(x.history.step[0].compression_end);
        CHECK_NEAR(x.history.step[1].P, row->dP1, 1e-6);
    }
}

TEST(sleeve, path_with_reversal_and_stick)
{
    impact x = sleeve(0.4, 0.9);
    strike(&x, law(STRIKE_POISSON, 1.0));
    char text[256];
    CHECK_TEXT(states_text(&x, "AB", text), "A+B- A+B- A+B+ A0B+");
    static const double P[] = { 0.804269316, 1.043616425, 1.173872274, 1.608538632 };
    for (int k = 0; k < 4; ++k) {
        CHECK_NEAR(x.history.step[k].P, P[k], 1e-9);
        CHECK_EQ(x.history.step[k].compression_end, k == 0);
    }
    CHECK_NEAR(x.v[0], 0.0, 1e-14);
    CHECK_NEAR(x.v[1], 0.56774744, 1e-8);
    CHECK_NEAR(x.v[2], 0.0, 1e-14);
    /* The end of every step, by prescribing its impulse. */
    static const double velocity[4][3] = { { 0.31328966, -0.18087787, 0.18087787 },
                                           { 0.10892760, 0.06288938, 0.06288938 },
                                           { 0.0, 0.18982416, 0.0 },
                                           { 0.0, 0.56774744, 0.0 } };
    for (int k = 0; k < 4; ++k) {
        impact part = sleeve(0.4, 0.9);
        strike(&part, prescribed(P[k]));
        for (int i = 0; i < 3; ++i) {
            CHECK_NEAR(part.v[i], velocity[k][i], 1e-8);
        }
    }
}

/* theta = atan 2, where the sleeve jams from mu = 4/3 on. */
static impact jamming_sleeve(double mu, double sleeve_speed)
{
    double th = atan(2.0), w = -1.0;
    impact x = { .s = test_sleeve(1.0, 1.0, th, mu, 0.0) };
    memcpy(x.v0, (double[]){ cos(th) * w, sleeve_speed + w * sin(th), w }, 3 * sizeof(double));
    return x;
}

TEST(sleeve, jams)
{
    static const double rows[3][6] = { { 1.2, 1.0, 0.0736068, 0.1472136, 0.1645898, 0.066338 },
                                       { 1.5, 1.0, 0.0736068, 0.1472136, 0.1645898, 0.066338 },
                                       { 1.5, -1.0, 0.3736068, 0.7472136, 0.8354102, 0.225741 } };
    for (int i = 0; i < 3; ++i) {
        impact x = jamming_sleeve(rows[i][0], rows[i][1]);
        strike(&x, law(STRIKE_POISSON, 0.5));
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(x.v[k], rows[i][2 + k], 1e-7);
        }
        CHECK_NEAR(x.energy_ratio, rows[i][5], 1e-6);
        CHECK_EQ(x.out.jammed, i == 1 ? 0 : -1);
        CHECK_EQ(x.history.step[0].jam, i == 1);
    }
}

/* ---- paper 5, example 2: double pendulum ---- */

static impact pendulum(double th1_deg, double mu_pin, double mu_ground)
{
    double th1 = th1_deg * pi / 180.0, th2 = pi / 6.0;
    impact x = { .s = test_pendulum(th1, th2, mu_pin, 0.05, mu_ground) };
    test_pendulum_velocity(th1, th2, -0.1, -0.2, x.v0);
    return x;
}

typedef struct pendulum_row {
    double mu_pin, mu_ground, e;
    double correct[4]; /* Pc, u1, u2, T/T0 */
    const char *states;
} pendulum_row;

static const pendulum_row pendulum_rows[] = {
    { 0.0, 0.0, 1.0, { 0.12553158, -0.27312088, 0.43060138, 1.0 }, "" },
    { 0.4, 0.9, 0.7, { 0.05457487, -0.18884695, 0.20738898, 0.51003434 }, "A-B- A-B+ A-B+ A0B+" },
    { 0.4, 0.7, 0.7, { 0.06252286, -0.19331512, 0.21229585, 0.53445493 }, "A-B- A-B+ A-B+ A0B+" },
    { 0.4, 0.5, 0.7, { 0.07323538, -0.20052870, 0.22693671, 0.56824081 }, "A-B- A-B+ A-B+ A+B+" },
    { 0.1, 0.3, 0.5, { 0.08760633, -0.20643881, 0.23701179, 0.59892937 }, "A-B- A-B+ A-B+ A+B+" },
    { 0.5, 0.3, 0.5, { 0.08874806, -0.20331359, 0.23273183, 0.58158343 }, "A-B- A-B+ A-B+ A+B+" },
    { 0.9, 0.3, 0.5, { 0.09007777, -0.19989602, 0.22814315, 0.56282804 }, "A-B- A-B+ A-B+ A+B+" },
    { 0.0, 0.3, 0.0, { 0.08734912, -0.17383272, 0.10743453, 0.55960407 }, "A-" },
    { 0.1, 0.3, 0.0, { 0.08760633, -0.17356768, 0.10727072, 0.55789892 }, "A-B- A-B+" },
    { 0.5, 0.3, 0.0, { 0.08874806, -0.17239119, 0.10654361, 0.55036135 }, "A-B- A-B+" },
    { 0.9, 0.3, 0.0, { 0.09007777, -0.17102099, 0.10569679, 0.54164741 }, "A-B- A-B+" },
};

TEST(pendulum, correct_columns)
{
    for (size_t i = 0; i < sizeof pendulum_rows / sizeof pendulum_rows[0]; ++i) {
        const pendulum_row *row = &pendulum_rows[i];
        impact x = pendulum(18.0, row->mu_pin, row->mu_ground);
        strike(&x, law(STRIKE_POISSON, row->e));
        CHECK_NEAR(x.compression[0], row->correct[0], 1e-8);
        CHECK_NEAR(x.v[2], row->correct[1], 1e-8);
        CHECK_NEAR(x.v[5], row->correct[2], 1e-8);
        CHECK_NEAR(x.energy_ratio, row->correct[3], 1e-8);
        char text[256];
        CHECK_TEXT(states_text(&x, "AB", text), row->states);
    }
}

static void check_path(const impact *x, const double *P, int count)
{
    CHECK_EQ(x->history.count, count);
    for (int k = 0; k < count; ++k) {
        CHECK_NEAR(x->history.step[k].P, P[k], 1e-9);
        CHECK_EQ(x->history.step[k].compression_end, k == 1);
    }
}

TEST(pendulum, paths)
{
    static const double path_5[] = { 0.022720529, 0.087606331, 0.119925616, 0.131409497 };
    static const double end_5[4][2] = { { -0.1194622, -0.1194622 },
                                        { -0.17356768, 0.10727072 },
                                        { -0.20051734, 0.22020523 },
                                        { -0.20643881, 0.23701179 } };
    impact x = pendulum(18.0, 0.1, 0.3);
    strike(&x, law(STRIKE_POISSON, 0.5));
    check_path(&x, path_5, 4);
    for (int k = 0; k < 4; ++k) {
        impact part = pendulum(18.0, 0.1, 0.3);
        strike(&part, prescribed(x.history.step[k].P));
        CHECK_NEAR(part.v[2], end_5[k][0], 5e-8); /* row 1 is given with 7 digits */
        CHECK_NEAR(part.v[5], end_5[k][1], 5e-8);
    }
    static const double path_2[] = { 0.014717213, 0.054574872, 0.073002734, 0.092777282 };
    impact y = pendulum(18.0, 0.4, 0.9);
    strike(&y, law(STRIKE_POISSON, 0.7));
    check_path(&y, path_2, 4);
}

TEST(pendulum, without_pin_friction)
{
    static const double rows[][8] = {
        { 0.9, 0.7, -0.1911700, 0.2099401, 0.522660, -0.1946995, 0.2138161, 0.542137 },
        { 0.7, 0.7, -0.1960067, 0.2152518, 0.549441, -0.1997673, 0.2193815, 0.570727 },
        { 0.5, 0.7, -0.2041527, 0.2332182, 0.586846, -0.2079059, 0.2404789, 0.605790 },
        { 0.3, 0.5, -0.2071786, 0.2380408, 0.603059, -0.2077569, 0.2396697, 0.605517 },
        { 0.3, 0.0, -0.1738327, 0.1074345, 0.559604, -0.1738327, 0.1074345, 0.559604 },
    };
    static const strike_law laws[] = { STRIKE_POISSON, STRIKE_ENERGETIC };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        for (int k = 0; k < 2; ++k) {
            impact x = pendulum(18.0, 0.0, rows[i][0]);
            strike(&x, law(laws[k], rows[i][1]));
            CHECK_NEAR(x.v[2], rows[i][2 + 3 * k], 6e-8);
            CHECK_NEAR(x.v[5], rows[i][3 + 3 * k], 6e-8);
            CHECK_NEAR(x.energy_ratio, rows[i][4 + 3 * k], 6e-7);
        }
    }
}

/* Kane's puzzle: 20 and 30 degrees. With Newton's law the energy may grow, even with the slip history right. */
TEST(pendulum, kane)
{
    static const double rows[][7] = {
        /* e, mu, Poisson: u1, u2, T/T0, energetic T/T0, Newton T/T0 */
        { 0.5, 0.25, -0.209626, 0.247956, 0.601698, 0.607369, 0.655107 },
        { 0.5, 0.5, -0.197180, 0.219607, 0.545078, 0.553188, 0.737153 },
        { 0.7, 0.25, -0.219559, 0.279054, 0.644783, 0.665865, 0.776294 },
        { 0.7, 0.5, -0.202854, 0.231036, 0.571673, 0.600092, 0.992954 },
        { 0.7, 0.7, -0.194914, 0.211494, 0.538542, 0.570783, 3.111490 },
        { 0.7, 0.9, -0.190622, 0.206837, 0.515087, 0.543981, 3.111490 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        impact x = pendulum(20.0, 0.0, rows[i][1]);
        strike(&x, law(STRIKE_POISSON, rows[i][0]));
        CHECK_NEAR(x.v[2], rows[i][2], 6e-7);
        CHECK_NEAR(x.v[5], rows[i][3], 6e-7);
        CHECK_NEAR(x.energy_ratio, rows[i][4], 6e-7);
        impact y = pendulum(20.0, 0.0, rows[i][1]);
        strike(&y, law(STRIKE_ENERGETIC, rows[i][0]));
        CHECK_NEAR(y.energy_ratio, rows[i][5], 6e-7);
        impact z = pendulum(20.0, 0.0, rows[i][1]);
        strike(&z, law(STRIKE_NEWTON, rows[i][0]));
        CHECK_NEAR(z.energy_ratio, rows[i][6], 6e-7);
        CHECK_NEAR(z.u[0], -rows[i][0] * (-0.1 * sin(pi / 9.0) - 0.2 * sin(pi / 6.0)), 1e-15);
    }
}

/* ---- rods ---- */

/* A free rod: no rotation, tip velocity (vt, vn). */
static impact rod(double th, double mu, double vt, double vn)
{
    impact x = { .s = test_rod(th, mu) };
    x.v0[0] = vt;
    x.v0[1] = vn;
    return x;
}

TEST(rod, oblique)
{
    static const double rows[][12] = {
        /* mu, vt0, vn0, e, Pc, Poisson: vt, vn, omega, T/T0, energetic: vt, vn, T/T0 */
        { 0.3, -0.5, -1, 0.5, 0.390243902, 0.272357724, 0.4, 1.152066658, 0.726723511, 0.282427911, 0.427525178,
          0.733824626 },
        { 0.3, -1, -1, 0.5, 0.338983051, 0.048022599, 0.442372881, 1.320731649, 0.803908519, 0.051120852, 0.450841440,
          0.805692021 },
        { 0.8, -0.5, -1, 0.5, 0.4375, 0, 0.35, 0.981110659, 0.73625, 0, 0.373688182, 0.744821429 },
        { 0.8, -1.3, -1, 0.8, 0.270270270, 0, 0.558378378, 1.515884051, 0.809894613, 0, 0.596881212, 0.820229364 },
        { 0.3, -3, -1, 0.5, 0.338983051, -1.855932203, 0.5, 1.402228702, 0.900502729, -1.855932203, 0.5,
          0.900502729 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const double *row = rows[i];
        impact x = rod(pi / 4.0, row[0], row[1], row[2]);
        strike(&x, law(STRIKE_POISSON, row[3]));
        CHECK_NEAR(x.compression[0], row[4], 1e-9);
        CHECK_NEAR(x.u[1], row[5], 1e-9);
        CHECK_NEAR(x.u[0], row[6], 1e-9);
        CHECK_NEAR(x.v[2], row[7], 1e-9);
        CHECK_NEAR(x.energy_ratio, row[8], 1e-9);
        impact y = rod(pi / 4.0, row[0], row[1], row[2]);
        strike(&y, law(STRIKE_ENERGETIC, row[3]));
        CHECK_NEAR(y.u[1], row[9], 1e-9);
        CHECK_NEAR(y.u[0], row[10], 1e-9);
        CHECK_NEAR(y.energy_ratio, row[11], 1e-9);
    }
}

/* Where nothing stops, the three laws agree. */
TEST(rod, laws_agree_without_events)
{
    static const strike_law laws[] = { STRIKE_POISSON, STRIKE_ENERGETIC, STRIKE_NEWTON };
    for (int k = 0; k < 3; ++k) {
        impact x = rod(pi / 4.0, 0.3, -3.0, -1.0);
        strike(&x, law(laws[k], 0.5));
        CHECK_NEAR(x.u[0], 0.5, 1e-14);
        CHECK_NEAR(x.u[1], -3.0 + 1.5 * (1.5 + 0.3 * 2.5) / 2.95, 1e-14);
    }
}

/* tan th = 1/2, mu = 1.5 > 4/3: the normal velocity falls while the tip slips. */
TEST(rod, painleve)
{
    static const double rows[][6] = {
        { 0.0, 0.6, 0.3, -0.670820393, 0.0, 0.6 },
        { 0.5, 0.547058824, 0.45, -0.611630359, 0.176470588, 0.626470588 },
        { 1.0, 0.494117647, 0.6, -0.552440324, 0.352941176, 0.705882353 },
    };
    for (int i = 0; i < 3; ++i) {
        impact x = rod(atan(0.5), 1.5, 1.0, 0.0);
        strike(&x, law(STRIKE_POISSON, rows[i][0]));
        CHECK_NEAR(x.history.step[0].P, 1.0 / 3.9, 1e-14);
        CHECK_NEAR(x.compression[0], 0.3, 1e-14);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(x.v[k], rows[i][1 + k], 1e-9);
        }
        CHECK_NEAR(x.u[0], rows[i][4], 1e-9);
        CHECK_NEAR(x.energy_ratio, rows[i][5], 1e-9);
    }
    impact y = rod(atan(0.5), 1.5, 1.0, -0.5);
    strike(&y, law(STRIKE_POISSON, 0.5));
    CHECK_NEAR(y.compression[0], 0.725, 1e-14);
    CHECK_NEAR(y.u[0], 0.426470588, 1e-9);
    CHECK_NEAR(y.u[1], 0.0, 1e-15);
}

/* ---- in space ---- */

static impact spatial_rod(double mu, double vx, double vy, double vz)
{
    double c = sqrt(0.5), axes[3][3] = { { c, 0, c }, { 0, 1, 0 }, { -c, 0, c } }; /* the first along the rod */
    impact x = { .s = test_free_body(1.0, (double[]){ 1e-3, 1.0 / 3.0, 1.0 / 3.0 }, axes, (double[]){ c, 0.0, -c },
                                     mu) };
    memcpy(x.v0, (double[]){ vx, vy, vz, 0, 0, 0 }, 6 * sizeof(double));
    return x;
}

TEST(space, rod_with_turning_slip)
{
    static const double rows[][7] = { { 0.3, 0.273571, 0.003528, 0.399592, 0.285150, 0.003302, 0.431241 },
                                      { 0.8, 0.0, 0.0, 0.35, 0.0, 0.0, 0.376026 } };
    static const strike_law laws[] = { STRIKE_POISSON, STRIKE_ENERGETIC };
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) {
            impact x = spatial_rod(rows[i][0], -0.5, 0.3, -1.0);
            strike(&x, law(laws[k], 0.5));
            CHECK_NEAR(x.u[1], rows[i][1 + 3 * k], 6e-7);
            CHECK_NEAR(x.u[2], rows[i][2 + 3 * k], 6e-7);
            CHECK_NEAR(x.u[0], rows[i][3 + 3 * k], 6e-7);
        }
    }
}

TEST(space, rod_in_a_plane)
{
    impact x = spatial_rod(0.3, -0.5, 0.0, -1.0);
    strike(&x, law(STRIKE_POISSON, 0.5));
    CHECK_NEAR(x.u[1], 0.272357724, 1e-9);
    CHECK_NEAR(x.u[2], 0.0, 1e-15);
    CHECK_NEAR(x.u[0], 0.4, 1e-14);
    CHECK_EQ(x.out.steps, 3);
}

/* A solid sphere of 0.05 m, touching at its lowest point. */
static impact sphere(double mu)
{
    double axes[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, I = 0.4 * 0.05 * 0.05;
    return (impact){ .s = test_free_body(1.0, (double[]){ I, I, I }, axes, (double[]){ 0.0, 0.0, -0.05 }, mu) };
}

TEST(space, spinning_ball)
{
    static const double rows[][8] = { { 0.2, 0.8, 3, -4, 0, 2.142857143, 3.2, -42.857142857 },
                                      { 0.1, 0.8, 3, -4, 0, 2.28, 3.2, -36 },
                                      { 0.4, 0.6, 1, -2, -60, 1.571428571, 1.2, -31.428571429 },
                                      { 0.2, 0.8, 0, -4, 100, -1.428571429, 3.2, 28.571428571 } };
    for (int i = 0; i < 4; ++i) {
        const double *row = rows[i]; /* vt = vx + R om: om is minus the rotation about y */
        impact x = sphere(row[0]);
        memcpy(x.v0, (double[]){ row[2], 0, row[3], 0, -row[4], 0 }, 6 * sizeof(double));
        strike(&x, law(STRIKE_POISSON, row[1]));
        CHECK_NEAR(x.v[0], row[5], 1e-9);
        CHECK_NEAR(x.v[2], row[6], 1e-9);
        CHECK_NEAR(-x.v[4], row[7], 1e-8);
    }
}

TEST(space, ball_slips_straight)
{
    impact x = sphere(0.05);
    memcpy(x.v0, (double[]){ 3, 1, -4, 0, 0, 0 }, 6 * sizeof(double));
    strike(&x, law(STRIKE_ENERGETIC, 0.8));
    double rest = 1.0 - 3.5 * 0.05 * 1.8 * 4.0 / sqrt(10.0);
    CHECK_NEAR(x.u[1], 3.0 * rest, 1e-13);
    CHECK_NEAR(x.u[2], rest, 1e-13);
    CHECK_NEAR(x.u[1], 1.804659044, 1e-9);
    CHECK_EQ(x.out.steps, 2);
    impact y = sphere(0.2);
    memcpy(y.v0, (double[]){ 3, 1, -4, 0, 0, 0 }, 6 * sizeof(double));
    strike(&y, law(STRIKE_ENERGETIC, 0.8));
    CHECK_NEAR(hypot(y.u[1], y.u[2]), 0.0, 1e-15);
}

/* ---- closed forms with joint friction, and odd cases ---- */

TEST(joint, pinned_rod)
{
    static const double rows[][3] = { { 0.5, 1.0, 3.081081081 }, { 0.5, 0.4, 1.255813953 }, { 0.9, 2.0 / 3.0, 2.0 } };
    for (int i = 0; i < 3; ++i) {
        impact x = { .s = test_pinned_rod(rows[i][1], rows[i][0], 0.1) };
        x.v0[0] = -0.5;
        x.v0[1] = -1.0;
        strike(&x, prescribed(1e-3)); /* omega stays negative: the rate is constant */
        CHECK_NEAR((x.v[1] + 1.0) / 1e-3, rows[i][2], 1e-9);
    }
}

/* Nothing moves, nothing is prescribed: nothing happens. */
TEST(joint, rest_stays_rest)
{
    impact x = sleeve(0.4, 0.4);
    memset(x.v0, 0, sizeof x.v0);
    carom_arena arena = { 0 };
    strike_work *w = strike_create(&arena, x.s.rows, x.s.elements, x.s.loads);
    test_reduce(&x.s, &x.r);
    strike_result out = { .impulse = x.impulse, .compression = x.compression };
    strike_contact def = law(STRIKE_ENERGETIC, 0.5);
    CHECK_EQ(strike_one(w, &x.r.p, 0, &def, x.u, &out), STRIKE_OK);
    CHECK_EQ(out.steps, 0);
    CHECK_NEAR(x.impulse[0], 0.0, 0.0);
    x.u[0] = (double)NAN;
    CHECK_EQ(strike_one(w, &x.r.p, 0, &def, x.u, &out), STRIKE_INCONSISTENT);
    carom_arena_free(&arena);
}

/* Impulses are no forces: what applied forces would do to rows and loads plays no part in an impact. */
TEST(joint, forces_play_no_part)
{
    impact x = sleeve(0.4, 0.9);
    strike(&x, law(STRIKE_POISSON, 1.0));
    double u[TEST_ROWS], impulse[TEST_ROWS], compression[1], rate[TEST_ROWS], load[TEST_LOADS];
    for (int k = 0; k < TEST_ROWS; ++k) {
        rate[k] = 3.0 + k;
        load[k % TEST_LOADS] = -7.0 * k;
    }
    reduced_problem p = x.r.p;
    p.rate = rate;
    p.load = load;
    carom_arena arena = { 0 };
    strike_work *w = strike_create(&arena, x.s.rows, x.s.elements, x.s.loads);
    strike_result out = { .impulse = impulse, .compression = compression };
    strike_contact def = law(STRIKE_POISSON, 1.0);
    test_rows(&x.s, x.v0, u);
    CHECK_EQ(strike_one(w, &p, 0, &def, u, &out), STRIKE_OK);
    for (int k = 0; k < x.s.rows; ++k) {
        CHECK_NEAR(u[k], x.u[k], 0.0);
        CHECK_NEAR(impulse[k], x.impulse[k], 0.0);
    }
    carom_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(sleeve, correct_columns),
        RUN_TEST(sleeve, replay_of_the_print),
        RUN_TEST(sleeve, replay_path),
        RUN_TEST(sleeve, path_with_reversal_and_stick),
        RUN_TEST(sleeve, jams),
        RUN_TEST(pendulum, correct_columns),
        RUN_TEST(pendulum, paths),
        RUN_TEST(pendulum, without_pin_friction),
        RUN_TEST(pendulum, kane),
        RUN_TEST(rod, oblique),
        RUN_TEST(rod, laws_agree_without_events),
        RUN_TEST(rod, painleve),
        RUN_TEST(space, rod_with_turning_slip),
        RUN_TEST(space, rod_in_a_plane),
        RUN_TEST(space, spinning_ball),
        RUN_TEST(space, ball_slips_straight),
        RUN_TEST(joint, pinned_rod),
        RUN_TEST(joint, rest_stays_rest),
        RUN_TEST(joint, forces_play_no_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
