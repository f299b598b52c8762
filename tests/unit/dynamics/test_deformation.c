/* Bodies that deform against the same thing made of rigid bodies: a carrier with three masses on springs as one body with
 * nine columns, and as four bodies with slides (support/carrier.h). Both obey the same equations, so that at an instant all
 * accelerations, reactions, energies and momenta agree to rounding, and along a motion to the error of the integrator. */
#include "support/carrier_world.h"

#include "dynamics/project.h"
#include "model/ledger.h"

/* ---- mechanisms ------------------------------------------------------------------------------------------------------ */

#define GRAVITY_INIT     \
    {                    \
        0.3, -0.2, -9.81 \
    }
static const double Q[CARRIED] = { 0.03, -0.02, 0.04 };
static const double Q_DOT[CARRIED] = { 0.5, -0.3, 0.2 };
static const double OTHER_Q[CARRIED] = { -0.01, 0.04, 0.02 };
static const double NO_Q[CARRIED] = { 0.0, 0.0, 0.0 };

static start_motion resting_at(v3 position)
{
    return (start_motion){ .position = position, .orientation = q_identity() };
}

/* Common to both ways of modelling it; `bodies` and `joints` are compared. */
typedef struct mechanism {
    const char *name;
    void (*make)(carrier_world *world);
    v3 gravity;
    bool tree;
    const char *bodies[4];
    const char *joints[5];
} mechanism;

static start_motion turned(v3 position)
{
    return (start_motion){ position, q_axis_angle(v3_unit(v3_make(0.3, -1.0, 0.5)), 0.7), v3_make(0.2, 0.1, -0.3),
                           v3_make(1.0, -2.0, 1.5) };
}

static void make_flight(carrier_world *world)
{
    world_add_carrier(world, "arm", turned(v3_make(0.1, -0.2, 0.3)), Q, Q_DOT);
}

static void make_hanging(carrier_world *world)
{
    start_motion at = { .position = { 0.25, 0.1, -0.3 }, .orientation = q_axis_angle(v3_make(0.0, 0.0, 1.0), 0.4) };
    world_add_carrier(world, "arm", at, Q, Q_DOT);
    world_add_joint(world, "hinge", "revolute", "ground", "arm", v3_zero(), v3_make(0.0, 1.0, 0.0));
}

/* A rod, a carrier, a rod, a carrier: rigid and wide parents and children. */
static void make_chain(carrier_world *world)
{
    const v3 rod = { 0.002, 0.03, 0.03 };
    const v3 y = { 0.0, 1.0, 0.0 };
    world_add_rigid(world, "first", 0.8, rod, resting_at(v3_make(0.25, 0.0, 0.0)));
    world_add_carrier(world, "arm", resting_at(v3_make(0.75, 0.0, 0.0)), Q, Q_DOT);
    world_add_rigid(world, "second", 0.6, rod, resting_at(v3_make(1.25, 0.0, 0.0)));
    world_add_carrier(world, "hand", resting_at(v3_make(1.75, 0.0, 0.0)), OTHER_Q, Q_DOT);
    world_add_joint(world, "a", "revolute", "ground", "first", v3_zero(), y);
    world_add_joint(world, "b", "spherical", "first", "arm", v3_make(0.5, 0.0, 0.0), y);
    world_add_joint(world, "c", "universal", "second", "arm", v3_make(1.0, 0.0, 0.0), y);
    world_add_joint(world, "d", "revolute", "hand", "second", v3_make(1.5, 0.0, 0.0), v3_make(0.0, 0.6, 0.8));
}

/* A loop in space without redundant equations: hinge, ball, ball, hinge, with the carrier between the balls. */
static void make_loop(carrier_world *world)
{
    const v3 rod = { 0.002, 0.03, 0.03 };
    world_add_rigid(world, "crank", 0.5, rod, resting_at(v3_make(0.0, 0.2, 0.0)));
    world_add_carrier(world, "arm", resting_at(v3_make(0.4, 0.5, 0.1)), Q, Q_DOT);
    world_add_rigid(world, "rocker", 0.7, rod, resting_at(v3_make(0.8, 0.3, 0.1)));
    world_add_joint(world, "a", "revolute", "ground", "crank", v3_zero(), v3_make(0.0, 0.0, 1.0));
    world_add_joint(world, "b", "spherical", "crank", "arm", v3_make(0.0, 0.4, 0.0), v3_make(0.0, 0.0, 1.0));
    world_add_joint(world, "c", "spherical", "arm", "rocker", v3_make(0.8, 0.6, 0.1), v3_make(0.0, 0.0, 1.0));
    world_add_joint(world, "d", "revolute", "rocker", "ground", v3_make(0.9, 0.0, 0.1),
                    v3_unit(v3_make(0.1, 0.0, 1.0)));
}

/* What hangs on the masses: a rod on the one with a thread, a spring and a load on another, a ball to the ground. */
static void make_masses(carrier_world *world)
{
    const v3 rod = { 0.002, 0.03, 0.03 };
    const carom_spring_def spring = { .stiffness = 30.0, .damping = 0.4, .free_length = 0.2 };
    const carom_bushing_def bushing = { .stiffness = { 20.0, 10.0, 15.0 },
                                        .damping = { 0.1, 0.2, 0.3 },
                                        .angular_stiffness = { 0.5, 0.6, 0.7 },
                                        .angular_damping = { 0.01, 0.02, 0.03 } };
    const carom_load_def load = {
        .force = { carom_value_number(0.4), carom_value_number(0.0), carom_value_number(0.2) },
        .torque = { carom_value_number(0.01), carom_value_number(0.02), carom_value_number(0.0) },
        .follow = true
    };
    const double rates[CARRIED] = { 0.0, 0.4, 0.0 };
    world_add_carrier(world, "arm", resting_at(v3_zero()), NO_Q, rates);
    v3 second = world_place(world, "arm_mass2", v3_zero());
    v3 third = world_place(world, "arm_mass3", v3_zero());
    v3 first = world_place(world, "arm_mass1", v3_zero());
    world_add_rigid(world, "rod", 0.4, rod, resting_at(v3_add(second, v3_make(0.25, 0.0, 0.1))));
    world_add_joint(world, "hinge", "revolute", "ground", "arm", v3_make(0.0, 0.0, 0.3), v3_make(0.0, 1.0, 0.0));
    world_add_joint(world, "on_thread", "revolute", "arm_mass2", "rod", second, v3_make(0.0, 0.6, 0.8));
    world_add_force(world, "pull", (carom_choice){ "spring", &spring }, "arm_mass3", "rod", third,
                    v3_add(second, v3_make(0.5, 0.0, 0.2)));
    world_add_force(world, "push", (carom_choice){ "load", &load }, "arm_mass2", NULL, second, v3_zero());
    world_add_force(world, "mount", (carom_choice){ "bushing", &bushing }, "ground", "arm_mass1", first, first);
}

/* A loop through a mass: the carrier hangs on a hinge, and a rod of fixed length holds one of its masses. */
static void make_held(carrier_world *world)
{
    const v3 rod = { 0.002, 0.03, 0.03 };
    world_add_carrier(world, "arm", resting_at(v3_zero()), NO_Q, NO_Q);
    v3 mass = world_place(world, "arm_mass1", v3_zero());
    v3 end = v3_add(mass, v3_make(0.3, 0.0, 0.4));
    world_add_rigid(world, "rod", 0.4, rod, resting_at(v3_scale(0.5, v3_add(mass, end))));
    world_add_joint(world, "hinge", "revolute", "ground", "arm", v3_make(0.0, 0.0, 0.3), v3_make(0.0, 1.0, 0.0));
    world_add_joint(world, "held", "spherical", "arm_mass1", "rod", mass, v3_make(0.0, 0.0, 1.0));
    world_add_joint(world, "fast", "spherical", "rod", "ground", end, v3_make(0.0, 0.0, 1.0));
}

static const mechanism mechanisms[] = {
    { "free flight with spin", make_flight, { 0.0, 0.0, 0.0 }, true, { "arm" }, { NULL } },
    { "hanging on a hinge", make_hanging, GRAVITY_INIT, true, { "arm" }, { "hinge" } },
    { "chain", make_chain, GRAVITY_INIT, true, { "first", "arm", "second", "hand" }, { "a", "b", "c", "d" } },
    { "closed loop", make_loop, GRAVITY_INIT, false, { "crank", "arm", "rocker" }, { "a", "b", "c", "d" } },
    { "joints and forces at masses", make_masses, GRAVITY_INIT, true, { "arm", "rod" }, { "hinge", "on_thread" } },
    { "loop through a mass", make_held, GRAVITY_INIT, false, { "arm", "rod" }, { "hinge", "held", "fast" } },
};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

typedef struct twins {
    const mechanism *what;
    carrier_world wide, rigid;
} twins;

typedef struct integration {
    const char *integrator;
    double step, tolerance, end;
} integration;

static void start_twin(carrier_world *world, const mechanism *m, const integration *with, bool wide)
{
    *world = world_create(wide, m->gravity, with->end);
    world->scene.time.integrator.kind = with->integrator;
    world->scene.time.step = with->step;
    world->scene.time.tolerance = with->tolerance;
    m->make(world);
    world_start(world);
}

static twins twins_start(const mechanism *m, const integration *with)
{
    twins t = { .what = m };
    start_twin(&t.wide, m, with, true);
    start_twin(&t.rigid, m, with, false);
    CHECK_EQ(saddle_is_tree(t.wide.s.scratch->kkt), m->tree);
    return t;
}

static void twins_end(twins *t)
{
    world_end(&t->wide);
    world_end(&t->rigid);
}

/* ---- comparison ------------------------------------------------------------------------------------------------------ */

/* The worst difference so far, relative to the size of what it is of. */
typedef struct difference {
    double worst;
    char of[64];
} difference;

static void differ(difference *d, const char *what, double a, double b, double size)
{
    double relative = fabs(a - b) / size;
    if (!(relative <= d->worst)) {
        d->worst = relative;
        snprintf(d->of, sizeof d->of, "%.63s", what);
    }
}

/* A vector signal of both; sizes below `least` are not told apart from zero. */
static void differ_in(difference *d, const twins *t, const char *owner, const char *quantity, const char *components,
                      double least)
{
    char name[64];
    double size = least;
    for (const char *c = components; *c; ++c) {
        snprintf(name, sizeof name, "%s.%s.%c", owner, quantity, *c);
        size = fmax(size, fabs(sim_signal(&t->rigid.s, name)));
    }
    for (const char *c = components; *c; ++c) {
        snprintf(name, sizeof name, "%s.%s.%c", owner, quantity, *c);
        differ(d, name, sim_signal(&t->wide.s, name), sim_signal(&t->rigid.s, name), size);
    }
}

static void differ_in_ledgers(difference *d, const twins *t)
{
    carom_ledger wide = sim_ledger(&t->wide.s);
    carom_ledger rigid = sim_ledger(&t->rigid.s);
    double energy = rigid.kinetic + fabs(rigid.potential) + rigid.elastic;
    double momentum = sim_norm(rigid.momentum);
    double angular = sim_norm(rigid.angular_momentum);
    for (int k = 0; carom_ledger_table[k].name; ++k) {
        const char *name = carom_ledger_table[k].name;
        if (strncmp(name, "constraint", 10) == 0) {
            continue;
        }
        double size = strncmp(name, "momentum", 8) == 0  ? momentum
                      : strncmp(name, "angular", 7) == 0 ? angular
                                                         : energy;
        differ(d, name, carom_ledger_get(&wide, k), carom_ledger_get(&rigid, k), fmax(size, 0.1));
    }
}

static difference compare_motion(const twins *t)
{
    difference d = { 0 };
    for (int i = 0; i < 4 && t->what->bodies[i]; ++i) {
        differ_in(&d, t, t->what->bodies[i], "position", "xyz", 0.1);
        differ_in(&d, t, t->what->bodies[i], "orientation", "wxyz", 1.0);
        differ_in(&d, t, t->what->bodies[i], "velocity", "xyz", 0.1);
        differ_in(&d, t, t->what->bodies[i], "angular_velocity", "xyz", 0.1);
    }
    for (int i = 0; i < t->wide.carrier_count; ++i) {
        for (int k = 0; k < 2 * CARRIED; ++k) {
            differ(&d, "travel", world_travel(&t->wide, i, k / 2, k % 2), world_travel(&t->rigid, i, k / 2, k % 2),
                   k % 2 ? 1.0 : 0.1);
        }
    }
    return d;
}

static difference compare_forces(const twins *t)
{
    difference d = { 0 };
    for (int i = 0; i < 4 && t->what->bodies[i]; ++i) {
        differ_in(&d, t, t->what->bodies[i], "acceleration", "xyz", 1.0);
        differ_in(&d, t, t->what->bodies[i], "angular_acceleration", "xyz", 1.0);
    }
    for (int j = 0; j < 5 && t->what->joints[j]; ++j) {
        differ_in(&d, t, t->what->joints[j], "force", "xyz", 1.0);
        differ_in(&d, t, t->what->joints[j], "torque", "xyz", 1.0);
    }
    differ_in_ledgers(&d, t);
    return d;
}

/* ---- tests ----------------------------------------------------------------------------------------------------------- */

static const integration precise = { "runge-kutta", 0.0, 1e-12, 0.5 };

TEST(deformation, accelerations_reactions_and_energies_of_an_instant_are_those_of_four_bodies)
{
    for (int m = 0; m < MECHANISMS; ++m) {
        twins t = twins_start(&mechanisms[m], &precise);
        difference moved = compare_motion(&t);
        difference forces = compare_forces(&t);
        printf("  %-30s motion %.1e (%s), forces %.1e (%s)\n", mechanisms[m].name, moved.worst, moved.of,
               forces.worst, forces.of);
        CHECK_LE(moved.worst, 1e-13);
        CHECK_LE(forces.worst, 1e-11);
        twins_end(&t);
    }
}

static void compare_along(const integration *with, double mark)
{
    for (int m = 0; m < MECHANISMS; ++m) {
        twins t = twins_start(&mechanisms[m], with);
        sim_advance(&t.wide.s, with->end);
        sim_advance(&t.rigid.s, with->end);
        difference moved = compare_motion(&t);
        difference forces = compare_forces(&t);
        carom_ledger ledger = sim_ledger(&t.wide.s);
        printf("  %-20s %-30s motion %.1e (%s), forces %.1e (%s), residue %.1e J of %.1e, %ld and %ld steps\n",
               with->integrator, mechanisms[m].name, moved.worst, moved.of, forces.worst, forces.of, ledger.residue,
               ledger.kinetic, t.wide.s.steps, t.rigid.s.steps);
        CHECK_LE(moved.worst, mark);
        CHECK_LE(forces.worst, mark);
        twins_end(&t);
    }
}

TEST(deformation, runge_kutta_moves_it_like_four_bodies)
{
    compare_along(&precise, 1e-9);
}

TEST(deformation, generalized_alpha_moves_it_like_four_bodies)
{
    compare_along(&(integration){ "generalized-alpha", 1e-5, 0.0, 0.05 }, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(deformation, accelerations_reactions_and_energies_of_an_instant_are_those_of_four_bodies),
        RUN_TEST(deformation, runge_kutta_moves_it_like_four_bodies),
        RUN_TEST(deformation, generalized_alpha_moves_it_like_four_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
