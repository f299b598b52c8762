/* The ledger closes: energy at the end = energy at the start + work put in - energy lost, whatever pushes and brakes;
 * what is left is the integrator's error and falls with its order. One scene per force, and one with everything. */
#include "support/scene_file.h"
#include "support/sim.h"

#define BODY(name, x)                                                                                       \
    "{\"name\": \"" name "\", \"mass\": 1.5, \"inertia\": [0.05, 0.06, 0.07], \"position\": [" x ", 0, 0]," \
    " \"angular_velocity\": [0.3, -0.2, 1], \"velocity\": [0, 0.4, 0.2]}"

/* A double pendulum in space with a free body beside it. */
#define SCENE(forces)                                                                                            \
    "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"              \
    " \"bodies\": [" BODY("one", "0.5") "," BODY("two", "1.4") "," BODY(                                         \
        "loose",                                                                                                 \
        "2.5") "],"                                                                                              \
               " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"one\"],"  \
               "   \"at\": [0, 0, 0], \"axis\": [0, 1, 0]},"                                                     \
               "  {\"name\": \"ball\", \"type\": \"spherical\", \"bodies\": [\"one\", \"two\"], \"at\": [1, 0, " \
               "0]}],"                                                                                           \
               " \"forces\": [" forces "] }"

typedef struct ledger_case {
    const char *name;
    const char *scene;
} ledger_case;

#define LOAD                                                                                         \
    "{\"name\": \"push\", \"type\": \"load\", \"body\": \"two\", \"at\": [1.6, 0.1, 0], \"force\": " \
    "[\"3*sin(4*t)\", 1, 0],"                                                                        \
    " \"torque\": [0, \"0.5*t\", 0.2]}"
#define FOLLOWER                                                                                                \
    "{\"name\": \"jet\", \"type\": \"load\", \"body\": \"loose\", \"at\": [2.5, 0.2, 0], \"force\": [1, 0, 2]," \
    " \"follow\": true}"
#define SPRING                                                                                                      \
    "{\"name\": \"strut\", \"type\": \"spring\", \"bodies\": [\"two\", \"loose\"], \"at\": [1.5, 0, 0], \"at_b\": " \
    "[2.4, 0, 0],"                                                                                                  \
    " \"stiffness\": 60, \"damping\": 2, \"free_length\": 0.7}"
#define EXPRESSION                                                                                          \
    "{\"name\": \"band\", \"type\": \"spring\", \"bodies\": [\"ground\", \"loose\"], \"at\": [2.5, 0, 1], " \
    "\"at_b\": [2.5, 0, 0],"                                                                                \
    " \"stiffness\": 0, \"force\": \"20*extension^3+0.5*rate+sin(t)\", \"free_length\": 0.8}"
#define BUSHING                                                                                        \
    "{\"name\": \"bush\", \"type\": \"bushing\", \"bodies\": [\"two\", \"loose\"], \"at\": [2, 0, 0]," \
    " \"stiffness\": [80, 50, 60], \"damping\": [1, 2, 1], \"angular_stiffness\": [2, 3, 4],"          \
    " \"angular_damping\": [0.1, 0.1, 0.2]}"
#define MOTOR(mode, rest) \
    "{\"name\": \"motor\", \"type\": \"motor\", \"joint\": \"hinge\", \"mode\": \"" mode "\", " rest "}"
#define TORQUE MOTOR("torque", "\"target\": \"4*cos(3*t)\"")
#define SPEED MOTOR("speed", "\"target\": 2, \"gain\": 5")
#define POSITION MOTOR("position", "\"target\": \"sin(2*t)\", \"gain\": 40, \"damping\": 3")
#define DRAG                                                                                             \
    "{\"name\": \"air\", \"type\": \"drag\", \"body\": \"loose\", \"linear\": 0.5, \"quadratic\": 0.3, " \
    "\"angular\": 0.05}"
#define FIELD \
    "{\"name\": \"star\", \"type\": \"gravity-field\", \"body\": \"loose\", \"center\": [2.5, 3, 0], \"mu\": 20}"

/* The same pendulum with springs and stops in the hinge. */
static const char *const joint_springs =
    "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
    " \"bodies\": [" BODY(
        "one", "0.5") "],"
                      " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"one\"],"
                      "   \"at\": [0, 0, 0], \"axis\": [0, 1, 0],"
                      "   \"spring\": {\"stiffness\": 5, \"damping\": 0.3, \"free\": 0.2, \"preload\": 1}}] }";

/* A rod held on a table that shakes and turns, and a slider driven along it. */
static const char *const prescribed =
    "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
    " \"bodies\": [{\"name\": \"table\", \"motion\": {\"position\": [\"0.1*sin(5*t)\", 0, \"0.05*cos(4*t)-0.05\"],"
    "    \"axis\": [0, 0, 1], \"angle\": \"0.5*sin(3*t)\"}}," BODY("one", "0.5") "," BODY(
        "two",
        "1.4") "],"
               " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"table\", \"one\"],"
               "   \"at\": [0, 0, 0], \"axis\": [0, 1, 0]},"
               "  {\"name\": \"slide\", \"type\": \"prismatic\", \"bodies\": [\"one\", \"two\"], \"at\": [1, 0, 0],"
               "   \"axis\": [1, 0, 0], \"motion\": {\"value\": \"0.2*sin(4*t)\"}}] }";

static const ledger_case cases[] = {
    { "nothing but gravity", SCENE("") },
    { "load", SCENE(LOAD) },
    { "follower load", SCENE(FOLLOWER) },
    { "spring and damper", SCENE(SPRING) },
    { "spring by expression", SCENE(EXPRESSION) },
    { "bushing", SCENE(BUSHING) },
    { "motor: torque", SCENE(TORQUE) },
    { "motor: speed", SCENE(SPEED) },
    { "motor: position", SCENE(POSITION) },
    { "drag", SCENE(DRAG) },
    { "gravity field", SCENE(FIELD) },
    { "spring in the joint", joint_springs },
    { "kinematic body and driver", prescribed },
    { "everything", SCENE(LOAD "," FOLLOWER "," SPRING "," EXPRESSION "," BUSHING "," POSITION "," DRAG "," FIELD) },
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef struct closing {
    double residue;  /* [J] at the end         */
    double momentum; /* unexplained, linear    */
    double angular;
    double turnover; /* [J] that changed hands */
} closing;

static closing run_case(const char *scene, const char *const *overrides)
{
    sim s = sim_parse(scene, overrides);
    carom_ledger first = sim_ledger(&s);
    sim_advance(&s, 1.0);
    carom_ledger l = sim_ledger(&s);
    double moved = fabs(l.kinetic - first.kinetic) + fabs(l.potential - first.potential) +
                   fabs(l.elastic - first.elastic) + fabs(l.work_loads) + fabs(l.work_motors) + fabs(l.work_motion) +
                   l.lost_damping + l.lost_drag + l.lost_stops;
    sim_end(&s);
    return (closing){ l.residue, sim_norm(l.momentum_residue), sim_norm(l.angular_momentum_residue), moved };
}

TEST(ledger, closes_to_rounding_with_runge_kutta)
{
    static const char *const tight[] = { "time.tolerance=1e-12", NULL };
    printf("\nledger after 1 s, runge-kutta at 1e-12\n");
    for (int k = 0; k < CASES; ++k) {
        closing c = run_case(cases[k].scene, tight);
        printf("  %-28s turnover %8.3f J  residue %9.2e J  momentum %8.2e  angular %8.2e\n", cases[k].name,
               c.turnover, c.residue, c.momentum, c.angular);
        CHECK_LE(fabs(c.residue), 1e-9 * (1.0 + c.turnover));
        CHECK_LE(c.momentum, 1e-8);
        CHECK_LE(c.angular, 1e-8);
    }
}

/* Order two: half the step leaves a quarter of the residue. */
TEST(ledger, residue_of_generalized_alpha_falls_with_the_square_of_the_step)
{
    printf("\nledger after 1 s, generalized-alpha: residue [J] at steps of 2, 1 and 0.5 ms\n");
    for (int k = 0; k < CASES; ++k) {
        static const char *const steps[3] = { "time.step=2e-3", "time.step=1e-3", "time.step=5e-4" };
        closing c[3];
        for (int i = 0; i < 3; ++i) {
            const char *overrides[] = { "time.integrator=\"generalized-alpha\"", steps[i], NULL };
            c[i] = run_case(cases[k].scene, overrides);
        }
        printf("  %-28s %10.2e %10.2e %10.2e   ratios %6.2f %6.2f   momentum %8.2e, ratio %6.2f\n", cases[k].name,
               c[0].residue, c[1].residue, c[2].residue, c[0].residue / c[1].residue, c[1].residue / c[2].residue,
               c[2].momentum, c[1].momentum / c[2].momentum);
        CHECK_LE(fabs(c[2].residue), 1e-4 * (1.0 + c[2].turnover));
        /* 16 to 1 over two halvings, with room for terms of higher order; rounding level is as good */
        CHECK_LE(fabs(c[2].residue), fmax(fabs(c[0].residue) / 9.0, 1e-9));
    }
}

/* Stops act and let go inside a step: the residue is small, not of an order. */
TEST(ledger, closes_over_stops)
{
    const char *scene = scene_text("ledger/closes_over_stops.json");
    static const char *const tight[] = { "time.tolerance=1e-11", NULL };
    sim s = sim_parse(scene, tight);
    sim_advance(&s, 2.0);
    carom_ledger l = sim_ledger(&s);
    printf("\nstops: lost %.4f J, residue %.2e J\n", l.lost_stops, l.residue);
    CHECK_GE(l.lost_stops, 0.1);
    CHECK_LE(fabs(l.residue), 1e-6);
    sim_end(&s);
}

/* The hinge of a pendulum carries weight and centripetal force: m (g + v^2/l) at the lowest point. */
TEST(ledger, pendulum_reaction_and_impulse)
{
    const char *scene = scene_text("ledger/pendulum_reaction_and_impulse.json");
    sim s = sim_parse(scene, NULL);
    CHECK_NEAR(sim_signal(&s, "hinge.force.y"), 2.0 * (9.81 + 9.0), 1e-11);
    CHECK_NEAR(sim_signal(&s, "hinge.force.x"), 0.0, 1e-11);
    sim_advance(&s, 1.0);
    carom_ledger l = sim_ledger(&s);
    printf("\npendulum after 1 s: momentum (%.3f, %.3f), unexplained %.2e, angular %.2e, energy %.2e\n", l.momentum.x,
           l.momentum.y, sim_norm(l.momentum_residue), sim_norm(l.angular_momentum_residue), l.residue);
    CHECK_LE(sim_norm(l.momentum_residue), 1e-8);
    CHECK_LE(sim_norm(l.angular_momentum_residue), 1e-8);
    CHECK_LE(fabs(l.residue), 1e-8);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(ledger, closes_to_rounding_with_runge_kutta),
        RUN_TEST(ledger, residue_of_generalized_alpha_falls_with_the_square_of_the_step),
        RUN_TEST(ledger, closes_over_stops),
        RUN_TEST(ledger, pendulum_reaction_and_impulse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
