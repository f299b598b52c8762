/* Rods that strike with friction, as scenes: the free rod with slip reversal, Painleve's rod, Kane's double pendulum, the
 * pinned rod with friction in its pin. The references are tables that were computed apart, and recomputed here from
 * the rates in closed form where there are such. */
#include "support/impact_run.h"

/* Tips are at C -+ l (sin th, -cos th): the angle is from the vertical; its rate is minus the angular velocity about y. */
#define ROD_BODY                                                                                   \
    "{\"name\": \"rod\", \"shape\": {\"rod\": 2}, \"mass\": 1, \"inertia\": [%.17g, %.17g, 1e-3]," \
    " \"orientation\": {\"axis\": [0, 1, 0], \"angle\": %.17g}, \"position\": [%.17g, 0, %.17g],"  \
    " \"velocity\": [%.17g, %.17g, %.17g]}"

typedef struct rod_case {
    double angle; /* [rad] from the vertical */
    double mu, e;
    double vt, vy, vn;
    double g;   /* [m/s^2] */
    double gap; /* [m] of the tip at the start */
    const char *law;
} rod_case;

static impact_run start_rod(rod_case c)
{
    double third = 1.0 / 3.0;
    return run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, %.17g], \"time\": {\"end\": 0.02, \"preset\": \"accurate\"},"
        " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}, " ROD_BODY
        " ], \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"restitution_law\": \"%s\","
        "  \"friction\": {\"coulomb\": %.17g}} }",
        -c.g, third, third, -c.angle, -sin(c.angle), cos(c.angle) + c.gap, c.vt, c.vy, c.vn, c.e, c.law, c.mu);
}

/* ---- the free rod [Stronge1990] -------------------------------------------------------------------------------------- */

typedef struct rod_row {
    double mu, vt, vn, e;
    double poisson[4]; /* vt, vn, omega, T/T0 */
    double stronge[3]; /* vt, vn, T/T0 */
} rod_row;

static const rod_row rod_rows[] = {
    { 0.3, -0.5, -1, 0.5, { 0.272357724, 0.4, 1.152066658, 0.726723511 }, { 0.282427911, 0.427525178, 0.733824626 } },
    { 0.3,
      -1,
      -1,
      0.5,
      { 0.048022599, 0.442372881, 1.320731649, 0.803908519 },
      { 0.051120852, 0.450841440, 0.805692021 } },
    { 0.8, -0.5, -1, 0.5, { 0, 0.35, 0.981110659, 0.73625 }, { 0, 0.373688182, 0.744821429 } },
    { 0.8, -1.3, -1, 0.8, { 0, 0.558378378, 1.515884051, 0.809894613 }, { 0, 0.596881212, 0.820229364 } },
    { 0.3, -3, -1, 0.5, { -1.855932203, 0.5, 1.402228702, 0.900502729 }, { -1.855932203, 0.5, 0.900502729 } },
};

static void check_rod_row(const rod_row *row, const char *law)
{
    const double pi = 3.14159265358979323846;
    bool poisson = strcmp(law, "poisson") == 0;
    impact_run r = start_rod((rod_case){
        .angle = pi / 4, .mu = row->mu, .e = row->e, .vt = row->vt, .vn = row->vn, .gap = 0.01, .law = law });
    run_to(&r, 0.011);
    const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
    CHECK(hit != NULL);
    CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 1);
    table_head(law);
    const double rounding = 2e-9; /* of the table */
    CHECK_LE(table_row("slip", hit->slip_after.x * (hit->normal.z > 0 ? 1 : -1),
                       poisson ? row->poisson[0] : row->stronge[0]),
             rounding);
    CHECK_LE(table_row("speed", hit->speed_after, poisson ? row->poisson[1] : row->stronge[1]), rounding);
    carom_ledger l = sim_ledger(&r.s);
    double before = 0.5 * (row->vt * row->vt + row->vn * row->vn);
    CHECK_LE(table_row("T/T0", l.kinetic / before, poisson ? row->poisson[3] : row->stronge[2]), rounding);
    if (poisson) {
        CHECK_LE(table_row("omega", -run_spin(&r, "rod").y, row->poisson[2]), rounding);
    }
    CHECK_NEAR(hit->energy_lost, before - l.kinetic, 1e-9); /* the integrator's, over a millisecond */
    run_check(&r, 1e-9);
    run_end(&r);
}

TEST(rods, slip_reverses_within_the_impact)
{
    for (size_t k = 0; k < sizeof rod_rows / sizeof *rod_rows; ++k) {
        check_rod_row(&rod_rows[k], "poisson");
        check_rod_row(&rod_rows[k], "energetic");
    }
}

/* Out of plane: the slip direction turns (references of six digits). */
TEST(rods, slip_turns_within_the_impact)
{
    static const double end[4][3] = {
        { 0.273571, 0.003528, 0.399592 }, { 0.285150, 0.003302, 0.431241 }, { 0, 0, 0.35 }, { 0, 0, 0.376026 }
    };
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < 4; ++k) {
        impact_run r = start_rod((rod_case){ .angle = pi / 4,
                                             .mu = k < 2 ? 0.3 : 0.8,
                                             .e = 0.5,
                                             .vt = -0.5,
                                             .vy = 0.3,
                                             .vn = -1,
                                             .gap = 0.01,
                                             .law = k % 2 ? "energetic" : "poisson" });
        run_to(&r, 0.011);
        const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
        CHECK(hit != NULL);
        double sign = hit->normal.z > 0 ? 1 : -1;
        table_head("turning slip");
        CHECK_LE(table_row("slip x", sign * hit->slip_after.x, end[k][0]), 1e-6);
        CHECK_LE(table_row("slip y", sign * hit->slip_after.y, end[k][1]), 1e-6);
        CHECK_LE(table_row("speed", hit->speed_after, end[k][2]), 1e-6);
        run_check(&r, 1e-9);
        run_end(&r);
    }
}

/* ---- Painleve's rod [Genot1999] ------------------------------------------------------------------------------------- */

static rod_case painleve(double mu, double e)
{
    return (rod_case){ .angle = atan(0.5), .mu = mu, .e = e, .vt = 1, .g = 9.81, .law = "poisson" };
}

TEST(rods, painleves_paradox_is_a_tangential_impact)
{
    static const double end[3][4] = { { 0.6, 0.3, -0.670820393, 0.6 },
                                      { 0.547058824, 0.45, -0.611630359, 0.626470588 },
                                      { 0.494117647, 0.6, -0.552440324, 0.705882353 } };
    for (int k = 0; k < 3; ++k) {
        impact_run r = start_rod(painleve(1.5, 0.5 * k));
        run_step(&r, 1e-7); /* the instant itself; a tenth of a microsecond of gravity besides */
        CHECK_EQ(run_count(&r, CAROM_EVENT_PARADOX), 1);
        CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 1);
        carom_v3 v = run_velocity(&r, "rod");
        table_head("Painleve's rod");
        CHECK_LE(table_row("vx", v.x, end[k][0]), 5e-6);
        CHECK_LE(table_row("vz", v.z, end[k][1]), 5e-6);
        CHECK_LE(table_row("omega", -run_spin(&r, "rod").y, end[k][2]), 5e-6);
        CHECK_LE(table_row("T/T0", sim_ledger(&r.s).kinetic / 0.5, end[k][3]), 5e-6);
        run_to(&r, 0.02);
        run_check(&r, 1e-9);
        run_end(&r);
    }
}

/* Just below the smallest critical value 4/3 the rod slides on: N = m g/(1.6 - 1.2 mu); just above there is the paradox. */
TEST(rods, below_the_critical_friction_painleves_rod_slides)
{
    static const double mus[] = { 0.0, 0.5, 1.0, 1.3, 4.0 / 3.0 - 1e-6 };
    for (int k = 0; k < 5; ++k) {
        impact_run r = start_rod(painleve(mus[k], 0.0));
        run_step(&r, 1e-15);
        CHECK_EQ(run_count(&r, CAROM_EVENT_PARADOX), 0);
        CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 0);
        double expected = 9.81 / (1.6 - 1.2 * mus[k]);
        CHECK_NEAR(sim_signal(&r.s, "rod.contact.force.z"), expected, 1e-6 * expected);
        CHECK_NEAR(sim_signal(&r.s, "rod.contact.force.x"), -mus[k] * expected, 1e-6 * expected);
        run_end(&r);
    }
    impact_run r = start_rod(painleve(4.0 / 3.0 + 1e-6, 0.0));
    run_step(&r, 1e-12);
    CHECK_EQ(run_count(&r, CAROM_EVENT_PARADOX), 1);
    run_end(&r);
}

TEST(rods, painleves_rod_may_also_collide)
{
    rod_case c = painleve(1.5, 0.5);
    c.vn = -0.5;
    c.g = 0.0;
    c.gap = 0.001;
    impact_run r = start_rod(c);
    run_to(&r, 0.01);
    const carom_event *hit = run_event_of(&r, CAROM_EVENT_IMPACT, 0);
    CHECK(hit != NULL);
    CHECK_NEAR(hit->speed_after, 0.426470588, 2e-9);
    CHECK_LE(v3_norm(hit->slip_after), 1e-12);
    CHECK_NEAR(fabs(hit->impulse.z), 1.5 * 0.725, 1e-12);
    run_check(&r, 1e-9);
    run_end(&r);
}

/* ---- Kane's double pendulum [Kane1985] ----------------------------------------------------------------------------- */

typedef struct kane_row {
    double e, mu;
    double poisson[3]; /* u1, u2, T/T0 */
    double stronge;    /* T/T0 */
    double newton;     /* T/T0 */
} kane_row;

static const kane_row kane_rows[] = {
    { 0.5, 0.25, { -0.209626, 0.247956, 0.601698 }, 0.607369, 0.655107 },
    { 0.5, 0.5, { -0.197180, 0.219607, 0.545078 }, 0.553188, 0.737153 },
    { 0.7, 0.25, { -0.219559, 0.279054, 0.644783 }, 0.665865, 0.776294 },
    { 0.7, 0.5, { -0.202854, 0.231036, 0.571673 }, 0.600092, 0.992954 },
    { 0.7, 0.7, { -0.194914, 0.211494, 0.538542 }, 0.570783, 3.111490 },
    { 0.7, 0.9, { -0.190622, 0.206837, 0.515087 }, 0.543981, 3.111490 },
};

static impact_run start_kane(const kane_row *row, const char *law)
{
    const double deg = 3.14159265358979323846 / 180.0;
    double t1 = 20.0 * deg, t2 = 30.0 * deg;
    double u1 = -0.1, u2 = -0.2;
    double x1 = 0.5 * sin(t1), z1 = cos(t2) + 0.5 * cos(t1);
    double xb = sin(t1), zb = cos(t2);
    double x2 = xb + 0.5 * sin(t2), z2 = 0.5 * cos(t2);
    double vbx = cos(t1) * u1, vbz = sin(t1) * u1;
    return run_start(
        "{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.01, \"preset\": \"accurate\"},"
        " \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
        " {\"name\": \"one\", \"mass\": 1, \"inertia\": [%.17g, %.17g, 1e-3], \"position\": [%.17g, 0, %.17g],"
        "  \"orientation\": {\"axis\": [0, 1, 0], \"angle\": %.17g}, \"velocity\": [%.17g, 0, %.17g], "
        "\"angular_velocity\": [0, %.17g, 0]},"
        " {\"name\": \"two\", \"shape\": {\"rod\": 1}, \"mass\": 1, \"inertia\": [%.17g, %.17g, 1e-3], \"position\": "
        "[%.17g, 0, %.17g],"
        "  \"orientation\": {\"axis\": [0, 1, 0], \"angle\": %.17g}, \"velocity\": [%.17g, 0, %.17g], "
        "\"angular_velocity\": [0, %.17g, 0]} ],"
        " \"joints\": [ {\"name\": \"O\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"one\"], \"at\": [0, 0, "
        "%.17g], \"axis\": [0, -1, 0]},"
        "  {\"name\": \"B\", \"type\": \"revolute\", \"bodies\": [\"one\", \"two\"], \"at\": [%.17g, 0, %.17g], "
        "\"axis\": [0, -1, 0]} ],"
        " \"contact\": {\"method\": \"impact\", \"restitution\": %.17g, \"restitution_law\": \"%s\", \"friction\": "
        "{\"coulomb\": %.17g}} }",
        1.0 / 12.0, 1.0 / 12.0, x1, z1, -t1, 0.5 * vbx, 0.5 * vbz, -u1, 1.0 / 12.0, 1.0 / 12.0, x2, z2, -t2,
        vbx + 0.5 * cos(t2) * u2, vbz + 0.5 * sin(t2) * u2, -u2, cos(t1) + cos(t2), xb, zb, row->e, law, row->mu);
}

static void check_kane(const kane_row *row, const char *law, double energy)
{
    impact_run r = start_kane(row, law);
    double before = sim_ledger(&r.s).kinetic;
    run_step(&r, 1e-7);
    const double digits = 1e-6; /* of the table, and a tenth of a microsecond of motion */
    CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 1);
    table_head(law);
    CHECK_LE(table_row("T/T0", sim_ledger(&r.s).kinetic / before, energy), digits);
    if (strcmp(law, "poisson") == 0) {
        CHECK_LE(table_row("u1", -run_spin(&r, "one").y, row->poisson[0]), digits);
        CHECK_LE(table_row("u2", -run_spin(&r, "two").y, row->poisson[1]), digits);
    }
    CHECK_LE(r.residue, 1e-12);
    CHECK(energy > 1.0 || r.growth <= 1e-15);
    run_end(&r);
}

TEST(rods, kanes_pendulum_gains_energy_by_newtons_law_only)
{
    for (size_t k = 0; k < sizeof kane_rows / sizeof *kane_rows; ++k) {
        check_kane(&kane_rows[k], "poisson", kane_rows[k].poisson[2]);
        check_kane(&kane_rows[k], "energetic", kane_rows[k].stronge);
        check_kane(&kane_rows[k], "newton", kane_rows[k].newton);
    }
}

/* ---- friction in the pin -------------------------------------------------------------------------------- */

/* A rod of m = L = 1 turns about a pin at its end and meets a light ball at the distance a, which is thrown back. */
static void check_struck(double mu, double a, double rate, double reaction)
{
    impact_run r = run_start("{ \"carom\": 1, \"gravity\": [0, 0, 0], \"time\": {\"end\": 0.01},"
                             " \"bodies\": [ {\"name\": \"ball\", \"shape\": {\"sphere\": 0.01}, \"mass\": 0.05, "
                             "\"position\": [%.17g, 0, -0.011], \"velocity\": [0, 0, 2]},"
                             " {\"name\": \"rod\", \"shape\": {\"capsule\": {\"radius\": 1e-3, \"length\": 1.2}}, "
                             "\"mass\": 1, \"inertia\": [%.17g, %.17g, 1e-3], \"position\": [0.5, 0, 0],"
                             "  \"orientation\": {\"axis\": [0, 1, 0], \"angle\": 1.5707963267948966}, \"velocity\": "
                             "[0, 0, -0.5], \"angular_velocity\": [0, 1, 0]} ],"
                             " \"joints\": [ {\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", "
                             "\"rod\"], \"at\": [0, 0, 0], \"axis\": [0, -1, 0],"
                             "   \"friction\": {\"coefficient\": %.17g, \"radius\": 0.1}} ],"
                             " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5} }",
                             a, 1.0 / 12.0, 1.0 / 12.0, mu);
    run_step(&r, 1e-9);
    double omega = -run_spin(&r, "rod").y;
    table_head("struck rod");
    CHECK_EQ(run_count(&r, CAROM_EVENT_IMPACT), 1);
    CHECK_LE(omega, -1e-3); /* it still turns as it did: the pin has slipped throughout */
    double P = fabs(run_event_of(&r, CAROM_EVENT_IMPACT, 0)->impulse.z);
    CHECK_NEAR(2.0 - run_velocity(&r, "ball").z, P / 0.05, 1e-10);
    CHECK_LE(table_row("d omega", (omega + 1.0) / P, rate),
             1e-7); /* a nanosecond of friction and the table's digits */
    double X = 0.5 * (omega + 1.0) / P - 1.0;
    CHECK_LE(table_row("|X|", fabs(X), reaction), 1e-7);
    CHECK_LE(r.residue, 1e-12);
    run_end(&r);
}

TEST(rods, friction_in_the_pin_takes_part_in_the_impact)
{
    check_struck(0.5, 2.0 / 3.0, 2.0, 0.0);
    check_struck(0.05, 2.0 / 3.0, 2.0, 0.0);
    check_struck(0.5, 1.0, 3.081081081, 0.540540541);
    check_struck(0.5, 0.4, 1.255813953, 0.372093023);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(rods, slip_reverses_within_the_impact),
        RUN_TEST(rods, slip_turns_within_the_impact),
        RUN_TEST(rods, painleves_paradox_is_a_tangential_impact),
        RUN_TEST(rods, below_the_critical_friction_painleves_rod_slides),
        RUN_TEST(rods, painleves_rod_may_also_collide),
        RUN_TEST(rods, kanes_pendulum_gains_energy_by_newtons_law_only),
        RUN_TEST(rods, friction_in_the_pin_takes_part_in_the_impact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
