/* Joints with clearance under "compliant" against closed forms: restitution of the law in a bearing and in a guide,
 * momentum and energy of bodies that rattle, the friction circle of a turning journal, a slider-crank at speed. */
#include "support/sim.h"

#include "slider_crank.h"

/* ---- restitution ----------------------------------------------------------------------------------------------- */

#define EXACT "\"law\": {\"exact-restitution\": {\"k\": 1e11, \"n\": 1.5}}, \"restitution\": 0.7"

/* A journal thrown across its bearing: every knock leaves e of its speed. */
static const char *const journal =
    "{ \"carom\": 1, \"time\": {\"end\": 1, \"integrator\": \"runge-kutta\", \"tolerance\": 1e-10},"
    "  \"contact\": {\"method\": \"compliant\", " EXACT "},"
    "  \"bodies\": [{\"name\": \"shaft\", \"mass\": 2, \"inertia\": [1e-3, 1e-3, 1e-3], \"velocity\": [0.3, 0.4, "
    "0]}],"
    "  \"joints\": [{\"name\": \"bearing\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"shaft\"],"
    "      \"axis\": [0, 0, 1], \"x_axis\": [1, 0, 0], \"clearance\": {\"play\": 1e-3, \"radius\": 0.02}}] }";

/* A slider thrown across its guide: two corners at once. */
static const char *const slider =
    "{ \"carom\": 1, \"time\": {\"end\": 1, \"integrator\": \"runge-kutta\", \"tolerance\": 1e-10},"
    "  \"contact\": {\"method\": \"compliant\", " EXACT "},"
    "  \"bodies\": [{\"name\": \"shaft\", \"mass\": 2, \"inertia\": [1e-3, 1e-3, 1e-3], \"velocity\": [0.5, 0, "
    "0.1]}],"
    "  \"joints\": [{\"name\": \"bearing\", \"type\": \"prismatic\", \"bodies\": [\"ground\", \"shaft\"],"
    "      \"axis\": [0, 0, 1], \"x_axis\": [1, 0, 0],"
    "      \"clearance\": {\"play\": 1e-3, \"radius\": 0.02, \"length\": 0.1}}] }";

/* The speed across after each of some knocks, and the largest offset. */
static int follow_knocks(sim *s, double *speed, int most, double *farthest)
{
    int knocks = 0;
    bool touched = false;
    *farthest = 0.0;
    while (knocks < most) {
        sim_step(s, 1.0);
        double offset = hypot(sim_signal(s, "bearing.x"), sim_signal(s, "shaft.position.y"));
        bool touches = sim_signal(s, "contact.count") > 0.0;
        *farthest = fmax(*farthest, offset);
        if (touched && !touches) {
            speed[knocks++] = hypot(sim_signal(s, "shaft.velocity.x"), sim_signal(s, "shaft.velocity.y"));
        }
        touched = touches;
    }
    return knocks;
}

static void check_restitution(const char *title, const char *text)
{
    enum { KNOCKS = 4 };
    double speed[KNOCKS];
    double farthest;
    sim s = sim_parse(text, NULL);
    follow_knocks(&s, speed, KNOCKS, &farthest);
    table_head(title);
    double before = 0.5;
    for (int k = 0; k < KNOCKS; ++k) {
        before *= 0.7;
        CHECK_LE(table_row("speed after [m/s]", speed[k], before), 1e-4 * before);
    }
    carom_ledger ledger = sim_ledger(&s);
    table_mark("energy that is not accounted for [J]", fabs(ledger.residue), 1e-7);
    table_mark("momentum [kg m/s]", sim_norm(ledger.momentum_residue), 1e-7);
    CHECK_LE(fabs(ledger.residue), 1e-7);
    CHECK_LE(sim_norm(ledger.momentum_residue), 1e-7);
    CHECK_GE(farthest, 1e-3);
    CHECK_LE(farthest, 1.1e-3);
    sim_end(&s);
}

TEST(clearance, a_journal_knocks_with_the_restitution_of_the_law)
{
    check_restitution("journal across its bearing", journal);
}

TEST(clearance, a_slider_knocks_with_the_restitution_of_the_law)
{
    check_restitution("slider across its guide", slider);
}

/* ---- two free bodies ------------------------------------------------------------------------------------------- */

/* Bodies that rattle about each other in space, with friction: nothing from outside. */
static void check_rattling(const char *joint, const char *integrator, double angular)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"time\": {\"end\": 0.1, \"integrator\": \"%s\", \"tolerance\": 1e-8},"
        "  \"contact\": {\"method\": \"compliant\", \"law\": {\"flores\": {\"k\": 1e10, \"n\": 1.5}},"
        "      \"restitution\": 0.8, \"friction\": {\"coulomb\": {\"mu\": 0.3, \"v_e\": 1e-2}}},"
        "  \"bodies\": [{\"name\": \"one\", \"mass\": 2, \"inertia\": [4e-3, 5e-3, 6e-3],"
        "      \"position\": [-0.1, 0.02, 0.01], \"velocity\": [0.5, 0.2, -0.3], \"angular_velocity\": [1, 3, 10]},"
        "    {\"name\": \"two\", \"mass\": 1, \"inertia\": [1e-3, 2e-3, 2e-3], \"position\": [0.1, 0.02, 0],"
        "      \"velocity\": [-0.4, 0.5, 0.1], \"angular_velocity\": [1, 2, -20]}],"
        "  \"joints\": [{\"name\": \"link\", \"bodies\": [\"one\", \"two\"], \"axis\": [0, 0.6, 0.8], %s}] }",
        integrator, joint);
    sim s = sim_parse(text, NULL);
    double start = sim_ledger(&s).kinetic;
    double most = 0.0;
    double deepest = 0.0;
    while (sim_before(&s, 0.1)) {
        sim_step(&s, 0.1);
        most = fmax(most, sim_signal(&s, "contact.count"));
        deepest = fmax(deepest, sim_signal(&s, "contact.penetration"));
    }
    carom_ledger ledger = sim_ledger(&s);
    printf("\n%s, %s: %.3f J of %.3f J left, deepest %.1e m, residue %.1e J\n", joint, integrator,
           ledger_energy(&ledger), start, deepest, ledger.residue);
    CHECK_GE(most, 1.0);
    CHECK_LE(deepest, 2e-4);
    CHECK_LE(fabs(ledger.residue), 2e-5 * start);
    CHECK_LE(sim_norm(ledger.momentum_residue), 1e-11);
    CHECK_LE(sim_norm(ledger.angular_momentum_residue), angular);
    CHECK_LE(ledger_energy(&ledger), 0.99 * start);
    sim_end(&s);
}

TEST(clearance, rattling_keeps_momentum_and_accounts_for_energy)
{
    static const char *const revolute = "\"type\": \"revolute\", \"clearance\": {\"play\": 1e-3, \"radius\": 0.02}";
    static const char *const prismatic = "\"type\": \"prismatic\", \"clearance\": {\"play\": 1e-3, \"radius\": 0.02,"
                                         " \"length\": 0.05}";
    check_rattling(revolute, "runge-kutta", 1e-11);
    check_rattling(prismatic, "runge-kutta", 1e-11);
    check_rattling(revolute, "generalized-alpha", 1e-8); /* to its own accuracy */
    check_rattling(prismatic, "generalized-alpha", 1e-8);
}

/* ---- the friction circle --------------------------------------------------------------------------------------- */

/* A loaded journal that is turned climbs its bearing until the slope tan(phi) is mu; the load W = m g then acts on the
 * tangent of a circle with the radius r sin(phi), and turning takes the torque W r sin(phi). */
TEST(clearance, a_turning_journal_climbs_to_the_friction_circle)
{
    const double mu = 0.4;
    const double r = 0.02;
    const double play = 1e-3;
    sim s = sim_parse(
        "{ \"carom\": 1, \"gravity\": [0, -10, 0],"
        "  \"time\": {\"end\": 2, \"integrator\": \"generalized-alpha\", \"tolerance\": 1e-7},"
        "  \"contact\": {\"method\": \"compliant\", \"law\": {\"kelvin-voigt\": {\"k\": 1e7, \"c\": 1e3}},"
        "      \"friction\": {\"coulomb\": {\"mu\": 0.4, \"v_e\": 1e-5}}},"
        "  \"bodies\": [{\"name\": \"shaft\", \"mass\": 2, \"inertia\": [1e-3, 1e-3, 1e-3],"
        "      \"position\": [0, -1e-3, 0], \"angular_velocity\": [0, 0, 30]}],"
        "  \"joints\": [{\"name\": \"bearing\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"shaft\"],"
        "      \"at\": [0, 0, 0], \"at_b\": [0, -1e-3, 0], \"axis\": [0, 0, 1], \"x_axis\": [1, 0, 0],"
        "      \"clearance\": {\"play\": 1e-3, \"radius\": 0.02}, \"motion\": {\"value\": \"30*t\"}}],"
        "  \"forces\": [{\"name\": \"air\", \"type\": \"drag\", \"body\": \"shaft\", \"linear\": 200}] }",
        NULL);
    sim_advance(&s, 2.0);
    double x = sim_signal(&s, "bearing.x");
    double y = sim_signal(&s, "bearing.y");
    double sunk = hypot(x, y) - play;
    double load = 20.0;
    double phi = atan(mu);
    table_head("journal turned in its bearing");
    CHECK_LE(table_row("climbs by [rad]", atan2(x, -y), -phi), 1e-4);
    CHECK_LE(table_row("torque [N m]", sim_signal(&s, "bearing.angle.drive"), load * (r - 0.5 * sunk) * sin(phi)),
             1e-5);
    CHECK_LE(table_row("sunk [m]", sunk, load * cos(phi) / 1e7), 1e-9);
    sim_end(&s);
}

/* ---- slider-crank at 5000 rpm ------------------------------------------------------------------------------------ */

/* [Flores2004], see benchmarks: crank 0.05 m, rod 0.12 m, journal 9.5 mm in a bearing of 10 mm between rod and slider,
 * steel, restitution 0.9. The motion is chaotic; what is certain: the slider is never farther from that of the ideal
 * mechanism than the play and what steel gives, and energy is accounted for. */
static const char *const slider_crank =
    "{ \"carom\": 1, \"time\": {\"end\": 0.024, \"integrator\": \"runge-kutta\", \"tolerance\": 1e-8},"
    "  \"contact\": {\"method\": \"compliant\", \"law\": {\"lankarani-nikravesh\": {\"k\": 6.6101984e10, \"n\": "
    "1.5}},"
    "      \"restitution\": 0.9}," SLIDER_CRANK " }";

static double ideal_travel(double t)
{
    double angle = 523.5987755982989 * t;
    return 0.05 * cos(angle) + sqrt(0.12 * 0.12 - pow(0.05 * sin(angle), 2.0)) - 0.17;
}

static void check_slider_crank(const char *const *overrides, const char *what)
{
    const double play = 0.5e-3;
    double off = 0.0;
    double orbit = 0.0;
    double deepest = 0.0;
    double knocks = 0.0;
    bool touched = false;
    sim s = sim_parse(slider_crank, overrides);
    while (sim_before(&s, 0.024)) {
        sim_step(&s, 0.024);
        off = fmax(off, fabs(sim_signal(&s, "cylinder.travel") - ideal_travel(sim_time(&s))));
        orbit = fmax(orbit, hypot(sim_signal(&s, "small end.x"), sim_signal(&s, "small end.y")));
        deepest = fmax(deepest, sim_signal(&s, "contact.penetration"));
        bool touches = sim_signal(&s, "contact.count") > 0.0;
        knocks += touches && !touched;
        touched = touches;
    }
    carom_ledger ledger = sim_ledger(&s);
    printf("\nslider-crank, two turns at 5000 rpm, %s: %g knocks, %.3f J lost in them\n", what, knocks,
           ledger.lost_contact);
    table_mark("deepest [m]", deepest, 0.2 * play);
    table_mark("slider off the ideal mechanism's [m]", off, 1.3 * play);
    table_mark("energy that is not accounted for [J]", fabs(ledger.residue), 1e-3);
    table_cost(&s, 0.0);
    CHECK_GE(knocks, 10.0);
    CHECK_LE(deepest, 0.2 * play);
    CHECK_LE(fabs(orbit - play - deepest), 1e-12);
    CHECK_LE(off, 1.3 * play);
    CHECK_LE(fabs(ledger.residue), 1e-3);
    CHECK_GE(ledger.lost_contact, 0.1);
    sim_end(&s);
}

TEST(clearance, a_slider_crank_rattles_through_two_turns)
{
    const char *friction[] = { "contact.friction={\"coulomb\": {\"mu\": 0.1, \"v_e\": 0.05}}", NULL };
    const char *exact[] = { "contact.law={\"exact-restitution\": {\"k\": 6.6101984e10, \"n\": 1.5}}", NULL };
    check_slider_crank(NULL, "Lankarani and Nikravesh");
    check_slider_crank(exact, "exact restitution");
    check_slider_crank(friction, "with friction");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(clearance, a_journal_knocks_with_the_restitution_of_the_law),
        RUN_TEST(clearance, a_slider_knocks_with_the_restitution_of_the_law),
        RUN_TEST(clearance, rattling_keeps_momentum_and_accounts_for_energy),
        RUN_TEST(clearance, a_turning_journal_climbs_to_the_friction_circle),
        RUN_TEST(clearance, a_slider_crank_rattles_through_two_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
