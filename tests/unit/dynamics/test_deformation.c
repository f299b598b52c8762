/* Bodies that deform against the same thing made of rigid bodies: a carrier with three masses on springs as one body with
 * nine columns, and as four bodies with slides (support/carrier.h). Both obey the same equations, so that at an instant all
 * accelerations, reactions, energies and momenta agree to rounding, and along a motion to the error of the integrator. */
#include "support/carrier_world.h"
#include "support/scratch_folder.h"

#include "dynamics/integrator.h"
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
    world_add_joint(world, "hinge", "revolute", "ground", "arm", v3_make(0.0, 0.0, 0.3), v3_make(0.8, 0.6, 0.0));
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

/* A gear between a joint of the frame and one of a mass, a driver, a spring, stops and a motor, all on masses. */
static void make_driven(carrier_world *world)
{
    const v3 rod = { 0.002, 0.03, 0.03 };
    const double rates[CARRIED] = { 0.2, -0.1, 0.3 };
    world_add_carrier(world, "arm", resting_at(v3_zero()), NO_Q, rates);
    v3 first = world_place(world, "arm_mass1", v3_zero());
    v3 second = world_place(world, "arm_mass2", v3_zero());
    v3 third = world_place(world, "arm_mass3", v3_zero());
    world_add_rigid(world, "rod", 0.4, rod, resting_at(v3_add(second, v3_make(0.25, 0.0, 0.1))));
    world_add_rigid(world, "flag", 0.2, rod, resting_at(v3_add(first, v3_make(0.0, 0.2, 0.1))));
    world_add_rigid(world, "bob", 0.3, rod, resting_at(v3_add(third, v3_make(0.0, 0.0, -0.2))));
    world_add_joint(world, "hinge", "revolute", "ground", "arm", v3_make(0.0, 0.0, 0.3), v3_make(0.8, 0.6, 0.0));
    world_add_joint(world, "on_thread", "revolute", "arm_mass2", "rod", second, v3_make(0.0, 0.6, 0.8));
    const carom_joint_motion_def wave = { .value = carom_value_expression("0.3*sin(5*t)") };
    carom_joint_def def = joint_between("waved", "revolute", "arm_mass1", "flag", first, v3_make(0.6, 0.0, 0.8));
    def.motions = (carom_list){ 1, &wave };
    world_add_joint_def(world, &def);
    const carom_joint_spring_def spring = { .stiffness = 2.0, .damping = 0.05, .free = 0.3 };
    /* It rests in its stop, so that the force stays smooth. */
    const carom_joint_limit_def stop = { .min = -10.0, .max = -0.2, .stiffness = 5.0, .damping = 0.2 };
    def = joint_between("stopped", "revolute", "arm_mass3", "bob", third, v3_make(0.0, 1.0, 0.0));
    def.springs = (carom_list){ 1, &spring };
    def.limits = (carom_list){ 1, &stop };
    world_add_joint_def(world, &def);
    const carom_gear_def gear = { .joint_1 = "hinge", .joint_2 = "on_thread", .ratio = -0.5 };
    def = carom_joint_def_default();
    def.name = "gear";
    def.joint = (carom_choice){ "gear", &gear };
    world_add_joint_def(world, &def);
    carom_error err = { 0 };
    const carom_motor_def motor = { .mode = CAROM_MOTOR_SPEED, .target = carom_value_number(3.0), .gain = 0.02 };
    carom_force_def turn = carom_force_def_default();
    turn.name = "motor";
    turn.force = (carom_choice){ "motor", &motor };
    turn.joint = "on_thread";
    CHECK_OK(carom_spec_add_force(world->spec, &turn, &err), err);
}

static const mechanism mechanisms[] = {
    { "free flight with spin", make_flight, { 0.0, 0.0, 0.0 }, true, { "arm" }, { NULL } },
    { "hanging on a hinge", make_hanging, GRAVITY_INIT, true, { "arm" }, { "hinge" } },
    { "chain", make_chain, GRAVITY_INIT, true, { "first", "arm", "second", "hand" }, { "a", "b", "c", "d" } },
    { "closed loop", make_loop, GRAVITY_INIT, false, { "crank", "arm", "rocker" }, { "a", "b", "c", "d" } },
    { "joints and forces at masses", make_masses, GRAVITY_INIT, true, { "arm", "rod" }, { "hinge", "on_thread" } },
    { "gear, driver, stops and motor at masses",
      make_driven,
      GRAVITY_INIT,
      false,
      { "arm", "rod", "flag", "bob" },
      { "hinge", "on_thread", "waved", "stopped" } },
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

/* ---- columns ---- */

/* A vector with one number per column, of velocities in the columns of bodies. */
static void velocities_as_columns(const carom_scratch *w, double *u)
{
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const model_body *b = &w->model->bodies[i];
        v3_store(u + b->column, w->rate[i].v_w);
        v3_store(u + b->column + 3, w->rate[i].omega_w);
        for (int k = 0; k < body_coordinate_count(b); ++k) {
            u[b->column + FRAME_COLUMNS + k] = w->q_dot[b->first_deform + k];
        }
    }
}

static double product(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* On masses and on frames: a row times velocities is the rate of what it is a row of, a force does the power of its point. */
TEST(deformation, points_rows_and_forces_agree_on_columns)
{
    enum { MOST = 64 };
    carrier_world world;
    start_twin(&world, &mechanisms[4], &precise, true);
    carom_scratch *w = world.s.scratch;
    double u[MOST] = { 0.0 };
    const int n = w->model->column_count;
    CHECK_LE(n, MOST);
    sim_advance(&world.s, 0.05);
    integrator_load(w, world.s.state);
    work_place(w, *world.s.state->time, state_motion(world.s.state));
    work_constraints(w);
    velocities_as_columns(w, u);
    const motion_rates rates = rates_of(work_motion(w));
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int k = 0; k < 2 * joint->type->equation_count; ++k) {
            const body_place at = joint_place(joint, k % 2);
            const double *row = k % 2 ? w->rows[j].b[k / 2] : w->rows[j].a[k / 2];
            const model_body *b = &w->model->bodies[at.body];
            double columns[MOST] = { 0.0 }, added[MOST] = { 0.0 };
            double rate = work_row_rate(w, at, row, rates);
            CHECK_NEAR(work_row_times(w, at, row, u), b->slot >= 0 ? rate : 0.0, 1e-14);
            if (b->slot >= 0) {
                work_row_columns(w, at, row, columns);
                CHECK_NEAR(product(columns, u + b->column, b->width), rate, 1e-14);
                work_add_row(w, at, 2.0, row, added);
                CHECK_NEAR(product(added, u, n), 2.0 * rate, 1e-13);
            }
            const marker m = work_marker(w, at.body, at.point);
            CHECK_LE(v3_norm(v3_sub(work_point_velocity(w, at, m.r_w, rates), m.v_w)), 1e-14);
            const wrench push = { v3_make(1.0, -2.0, 3.0), v3_make(0.5, 0.4, -0.3) };
            memset(w->f, 0, (size_t)n * sizeof *w->f);
            work_apply_at(w, at, m.p_w, push, true);
            double power = v3_dot(push.force_w, m.v_w) + v3_dot(push.torque_w, m.omega_w);
            CHECK_NEAR(product(w->f, u, n), b->slot >= 0 ? power : 0.0, 1e-13);
        }
    }
    world_end(&world);
}

/* ---- other integrators ---- */

static double end_of_hanging(const integration *with, bool wide)
{
    carrier_world world;
    start_twin(&world, &mechanisms[1], with, wide);
    sim_advance(&world.s, with->end);
    double travel = world_travel(&world, 0, 0, false);
    world_end(&world);
    return travel;
}

TEST(deformation, every_integrator_converges_to_the_same_motion)
{
    static const struct {
        integration with;
        double mark;
    } ways[] = {
        { { "generalized-alpha", 0.0, 1e-9, 0.2 }, 1e-6 },
        { { "semi-implicit-euler", 1e-5, 0.0, 0.2 }, 2e-5 },
        { { "cvode", 0.0, 1e-9, 0.2 }, 1e-8 },
        { { "ida", 0.0, 1e-7, 0.2 }, 1e-6 },
    };
    const double exact = end_of_hanging(&(integration){ "runge-kutta", 0.0, 1e-12, 0.2 }, false);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        if (!integrator_find(ways[k].with.integrator)) {
            continue; /* built without SUNDIALS */
        }
        double error = fabs(end_of_hanging(&ways[k].with, true) - exact);
        printf("  %-20s travel %.6g m, error %.1e\n", ways[k].with.integrator, exact, error);
        CHECK_LE(error, ways[k].mark);
    }
}

TEST(deformation, loops_and_masses_go_with_solvers_of_sundials)
{
    for (int m = 3; m < MECHANISMS && integrator_find("ida"); ++m) {
        static const char *const solvers[] = { "cvode", "ida" };
        for (int k = 0; k < 2; ++k) {
            const integration with = { solvers[k], 0.0, 1e-7, 0.05 };
            twins t = { .what = &mechanisms[m] };
            start_twin(&t.wide, &mechanisms[m], &with, true);
            start_twin(&t.rigid, &mechanisms[m], &(integration){ "runge-kutta", 0.0, 1e-11, 0.05 }, false);
            sim_advance(&t.wide.s, with.end);
            sim_advance(&t.rigid.s, with.end);
            difference moved = compare_motion(&t);
            printf("  %-8s %-40s motion %.1e (%s)\n", solvers[k], mechanisms[m].name, moved.worst, moved.of);
            CHECK_LE(moved.worst, 1e-5);
            twins_end(&t);
        }
    }
}

/* A mass between stiff springs: Newton's method needs their tangents in the columns of its coordinate. */
static void make_stiff(carrier_world *world)
{
    const carom_bushing_def bushing = { .stiffness = { 3e3, 2e3, 4e3 }, .angular_stiffness = { 50.0, 40.0, 30.0 } };
    const carom_joint_spring_def spring = { .stiffness = 20.0 };
    world_add_carrier(world, "arm", resting_at(v3_zero()), NO_Q, Q_DOT);
    v3 first = world_place(world, "arm_mass1", v3_zero());
    v3 second = world_place(world, "arm_mass2", v3_zero());
    world_add_rigid(world, "rod", 0.4, v3_make(0.002, 0.03, 0.03),
                    resting_at(v3_add(second, v3_make(0.25, 0.0, 0.1))));
    world_add_force(world, "mount", (carom_choice){ "bushing", &bushing }, "ground", "arm_mass1", first, first);
    carom_joint_def def = joint_between("on_thread", "revolute", "arm_mass2", "rod", second, v3_make(0.0, 0.6, 0.8));
    def.springs = (carom_list){ 1, &spring };
    world_add_joint_def(world, &def);
}

/* Newton iterations of ten long steps. */
static int iterations(const mechanism *m, bool wide)
{
    carrier_world world;
    int count = 0;
    start_twin(&world, m, &(integration){ "generalized-alpha", 0.04, 0.0, 0.4 }, wide);
    while (sim_before(&world.s, 0.4)) {
        carom_error err = { 0 };
        carom_step_report report = { 0 };
        CHECK_OK(carom_step(world.s.model, world.s.state, world.s.scratch, 0.4, &report, &err), err);
        count += report.iterations;
    }
    world_end(&world);
    return count;
}

/* The tangents of bodies, and those of joints and forces at their points, are as good as those of four bodies. */
TEST(deformation, implicit_steps_take_as_many_iterations_as_with_four_bodies)
{
    for (int m = 0; m < MECHANISMS; ++m) {
        int wide = iterations(&mechanisms[m], true);
        int rigid = iterations(&mechanisms[m], false);
        printf("  %-40s %d iterations, with four bodies %d\n", mechanisms[m].name, wide, rigid);
        CHECK_LE(wide, 1.2 * rigid);
    }
    const mechanism stiff = { "stiff", make_stiff, GRAVITY_INIT, true, { "arm" }, { NULL } };
    int wide = iterations(&stiff, true);
    int rigid = iterations(&stiff, false);
    printf("  %-40s %d iterations, with four bodies %d\n", stiff.name, wide, rigid);
    CHECK_LE(wide, 1.2 * rigid);
}

TEST(deformation, error_control_takes_as_many_steps_as_with_four_bodies)
{
    const integration adaptive = { "generalized-alpha", 0.0, 1e-7, 0.3 };
    for (int m = 0; m < MECHANISMS; ++m) {
        twins t = twins_start(&mechanisms[m], &adaptive);
        sim_advance(&t.wide.s, adaptive.end);
        sim_advance(&t.rigid.s, adaptive.end);
        printf("  %-40s %ld steps, with four bodies %ld\n", mechanisms[m].name, t.wide.s.steps, t.rigid.s.steps);
        CHECK_LE((double)t.wide.s.steps, 1.2 * (double)t.rigid.s.steps);
        twins_end(&t);
    }
}

/* A drawing that does not fit is moved as little as possible in the metric of the masses, whatever they are modelled by. What
 * differs is of second order in the way. */
TEST(deformation, assembly_moves_coordinates_as_it_moves_masses)
{
    const double off[CARRIED] = { 1e-4, 0.0, 0.0 };
    twins t = { .what = &mechanisms[MECHANISMS - 1] };
    for (int k = 0; k < 2; ++k) {
        carrier_world *world = k ? &t.rigid : &t.wide;
        *world = world_create(k == 0, t.what->gravity, 1.0);
        t.what->make(world);
        memcpy(world->q[0], off, sizeof off);
        world_start(world);
    }
    difference moved = compare_motion(&t);
    CHECK_LE(moved.worst, 1e-6);
    CHECK_GE(fabs(world_travel(&t.wide, 0, 0, false) - off[0]), 1e-6);
    twins_end(&t);
}

/* ---- conservation ---- */

TEST(deformation, free_flight_keeps_momenta_and_closes_the_ledger)
{
    carrier_world world;
    start_twin(&world, &mechanisms[0], &precise, true);
    carom_ledger first = sim_ledger(&world.s);
    sim_advance(&world.s, precise.end);
    carom_ledger last = sim_ledger(&world.s);
    CHECK_LE(sim_norm(sim_difference(last.momentum, first.momentum)), 1e-12);
    CHECK_LE(sim_norm(sim_difference(last.angular_momentum, first.angular_momentum)), 1e-12);
    CHECK_LE(fabs(last.residue), 1e-11);
    CHECK_GE(last.lost_damping, 1e-3);
    world_end(&world);
}

/* ---- degrees of freedom ---- */

TEST(deformation, degrees_of_freedom_are_those_of_four_bodies)
{
    for (int m = 0; m < MECHANISMS; ++m) {
        twins t = twins_start(&mechanisms[m], &precise);
        carom_mobility wide, rigid;
        carom_error err = { 0 };
        CHECK_OK(carom_observe_mobility(t.wide.s.model, t.wide.s.state, t.wide.s.scratch, &wide, &err), err);
        CHECK_OK(carom_observe_mobility(t.rigid.s.model, t.rigid.s.state, t.rigid.s.scratch, &rigid, &err), err);
        CHECK_EQ(wide.degrees, rigid.degrees);
        CHECK_EQ(wide.redundant_count, rigid.redundant_count);
        twins_end(&t);
    }
}

/* The only freedom of a mass whose carrier is held fast is its coordinate. */
TEST(deformation, coordinates_count_as_freedoms)
{
    carrier_world world = world_create(true, v3_zero(), 1.0);
    carom_mobility mobility;
    carom_error err = { 0 };
    world_add_carrier(&world, "arm", resting_at(v3_zero()), NO_Q, NO_Q);
    v3 mass = world_place(&world, "arm_mass1", v3_zero());
    const double end[3] = { mass.x + 0.2, mass.y, mass.z };
    world_add_joint(&world, "fast", "fixed", "ground", "arm", v3_make(0.0, 0.0, 0.3), v3_make(0.0, 0.0, 1.0));
    carom_joint_def held = joint_between("held", "distance", "arm_mass1", "ground", mass, v3_make(0.0, 0.0, 1.0));
    held.attachment.at_b = (carom_reals){ 3, end };
    world_add_joint_def(&world, &held);
    world_start(&world);
    CHECK_OK(carom_observe_mobility(world.s.model, world.s.state, world.s.scratch, &mobility, &err), err);
    CHECK_EQ(mobility.redundant_count, 0);
    CHECK_EQ(mobility.degrees, CARRIED - 1);
    world_end(&world);
}

/* ---- starts of joints ---- */

/* A start carries a whole side; masses keep their places on it. */
static void make_started(carrier_world *world)
{
    const v3 rod = { 0.002, 0.03, 0.03 };
    const carom_joint_start_def starts[2] = {
        { .value = 0.4, .angle = (double)NAN, .travel = (double)NAN, .rate = 2.0 },
        { .value = -0.7, .angle = (double)NAN, .travel = (double)NAN, .rate = 1.0 },
    };
    world_add_carrier(world, "arm", resting_at(v3_zero()), NO_Q, Q_DOT);
    v3 mass = world_place(world, "arm_mass2", v3_zero());
    world_add_rigid(world, "rod", 0.4, rod, resting_at(v3_add(mass, v3_make(0.25, 0.0, 0.1))));
    carom_joint_def hinge = joint_between("hinge", "revolute", "ground", "arm", v3_make(0.0, 0.0, 0.3),
                                          v3_make(0.0, 1.0, 0.0));
    hinge.starts = (carom_list){ 1, &starts[0] };
    world_add_joint_def(world, &hinge);
    carom_joint_def on_mass = joint_between("on_mass", "revolute", "arm_mass2", "rod", mass, v3_make(0.0, 0.6, 0.8));
    on_mass.starts = (carom_list){ 1, &starts[1] };
    world_add_joint_def(world, &on_mass);
}

TEST(deformation, joints_start_as_asked_for)
{
    const mechanism started = {
        "started", make_started, GRAVITY_INIT, true, { "arm", "rod" }, { "hinge", "on_mass" },
    };
    twins t = { .what = &started };
    start_twin(&t.wide, &started, &precise, true);
    CHECK_NEAR(sim_signal(&t.wide.s, "hinge.angle"), 0.4, 1e-12);
    CHECK_NEAR(sim_signal(&t.wide.s, "hinge.angle.rate"), 2.0, 1e-12);
    CHECK_NEAR(sim_signal(&t.wide.s, "on_mass.angle"), -0.7, 1e-12);
    CHECK_NEAR(sim_signal(&t.wide.s, "on_mass.angle.rate"), 1.0, 1e-12);
    for (int k = 0; k < CARRIED; ++k) {
        CHECK_LE(fabs(world_travel(&t.wide, 0, k, false)), 1e-12);
        CHECK_NEAR(world_travel(&t.wide, 0, k, true), Q_DOT[k], 1e-12);
    }
    world_end(&t.wide);
}

/* ---- memory ---- */

TEST(deformation, a_copied_state_goes_on_with_the_same_bits)
{
    static const char *const integrators[] = { "generalized-alpha", "runge-kutta" };
    for (int k = 0; k < 2; ++k) {
        carrier_world world;
        carom_error err = { 0 };
        start_twin(&world, &mechanisms[2], &(integration){ integrators[k], 0.0, 1e-6, 0.2 }, true);
        sim_advance(&world.s, 0.07);
        sim other = { .model = world.s.model, .state = carom_state_create(world.s.model) };
        CHECK_EQ(carom_state_copy(other.state, world.s.state), CAROM_OK);
        CHECK_OK(carom_scratch_create(other.model, 1, &other.scratch, &err), err);
        sim_advance(&world.s, 0.2);
        sim_advance(&other, 0.2);
        CHECK(carom_state_hash(world.s.state) == carom_state_hash(other.state));
        carom_scratch_destroy(other.scratch);
        carom_state_destroy(other.state);
        world_end(&world);
    }
}

/* ---- results ---- */

static carrier_world recorded(bool wide)
{
    static const char *const of_wide[] = { "arm.deformation.1", "arm.deformation.3.rate", "arm.center.x",
                                           "hinge.force.z" };
    static const char *const of_rigid[] = { "arm_mass1_slide.travel", "arm_mass3_slide.travel.rate", "energy.kinetic",
                                            "hinge.force.z" };
    carrier_world world = world_create(wide, (v3)GRAVITY_INIT, 0.3);
    world.scene.time.integrator.kind = "runge-kutta";
    world.scene.time.tolerance = 1e-11;
    world.scene.record.every = 0.007;
    world.scene.record.signals = (carom_list){ 4, wide ? of_wide : of_rigid };
    start_motion at = { .position = { 0.25, 0.1, -0.3 }, .orientation = q_axis_angle(v3_make(0.0, 0.0, 1.0), 0.4) };
    world_add_carrier(&world, "arm", at, NO_Q, NO_Q);
    world_add_joint(&world, "hinge", "revolute", "ground", "arm", v3_zero(), v3_make(0.0, 1.0, 0.0));
    world_start(&world);
    return world;
}

static carom_result *run_into(const carrier_world *world, const char *name,
                              bool (*keep_going)(void *, const carom_progress *))
{
    char folder[128];
    carom_error err = { 0 };
    carom_result *result = NULL;
    snprintf(folder, sizeof folder, "%s/%s", scratch_folder, name);
    carom_run_options options = { .folder = folder, .keep_going = keep_going };
    carom_status status = carom_run_folder(world->s.model, &options, &err);
    if (keep_going) {
        CHECK_EQ(status, CAROM_INTERRUPTED);
        options.keep_going = NULL;
        status = carom_resume_folder(world->s.model, &options, &err);
    }
    CHECK_OK(status, err);
    CHECK_OK(carom_result_open(folder, &result, &err), err);
    return result;
}

/* Frames lie inside steps: dense output and projection have their share. */
TEST(deformation, recorded_frames_are_those_of_four_bodies)
{
    carrier_world wide = recorded(true);
    carrier_world rigid = recorded(false);
    carom_result *a = run_into(&wide, "wide", NULL);
    carom_result *b = run_into(&rigid, "rigid", NULL);
    carom_error err = { 0 };
    CHECK_EQ(carom_result_frame_count(a), carom_result_frame_count(b));
    carom_id arm = 1;
    CHECK_TEXT(carom_result_body_name(a, arm), "arm");
    for (size_t frame = 0; frame < carom_result_frame_count(a); ++frame) {
        carom_motion x, y;
        v3 force_a, force_b, torque_a, torque_b;
        CHECK_OK(carom_result_motion(a, arm, frame, &x, &err), err);
        CHECK_OK(carom_result_motion(b, arm, frame, &y, &err), err);
        CHECK_LE(sim_norm(sim_difference(x.pose.position, y.pose.position)), 1e-9);
        CHECK_LE(sim_norm(sim_difference(x.velocity, y.velocity)), 1e-9);
        CHECK_OK(carom_result_reaction(a, 0, frame, &force_a, &torque_a, &err), err);
        CHECK_OK(carom_result_reaction(b, carom_result_joint_count(b) - 1, frame, &force_b, &torque_b, &err), err);
        CHECK_LE(sim_norm(sim_difference(force_a, force_b)), 1e-8);
        CHECK_NEAR(carom_result_signal(a, 0)[frame], carom_result_signal(b, 0)[frame], 1e-9);
        CHECK_NEAR(carom_result_signal(a, 1)[frame], carom_result_signal(b, 1)[frame], 1e-9);
        CHECK_NEAR(carom_result_signal(a, 3)[frame], carom_result_signal(b, 3)[frame], 1e-8);
    }
    carom_result_close(a);
    carom_result_close(b);
    world_end(&wide);
    world_end(&rigid);
}

static bool until_a_tenth(void *context, const carom_progress *progress)
{
    (void)context;
    return progress->t < 0.1;
}

TEST(deformation, a_resumed_run_has_the_same_bits)
{
    carrier_world world = recorded(true);
    carom_result *whole = run_into(&world, "whole", NULL);
    carom_result *parts = run_into(&world, "parts", until_a_tenth);
    size_t frames = carom_result_frame_count(whole);
    CHECK_EQ(carom_result_frame_count(parts), frames);
    for (size_t k = 0; k < carom_result_signal_count(whole); ++k) {
        CHECK(memcmp(carom_result_signal(whole, k), carom_result_signal(parts, k), frames * sizeof(double)) == 0);
    }
    carom_result_close(whole);
    carom_result_close(parts);
    world_end(&world);
}

/* ---- what is refused ---- */

static void check_refused(carrier_world *world, const char *method, const char *sentence)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    const body_choice choice = { "arm", &carrier_type, &carrier_sample };
    world->scene.contact.method.kind = method;
    CHECK_OK(carom_spec_set_scene(world->spec, &world->scene, &err), err);
    CHECK_EQ(compile_with_bodies(world->spec, NULL, &choice, 1, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, sentence);
    carom_spec_destroy(world->spec);
}

TEST(deformation, what_does_not_go_with_it_is_refused)
{
    static const char *const methods[] = { "impact", "barrier" };
    for (int k = 0; k < 2; ++k) {
        carrier_world world = world_create(true, v3_zero(), 1.0);
        make_flight(&world);
        check_refused(&world, methods[k], "body 'arm' deforms (it is of kind 'carrier')");
    }
    const carom_gravity_field_def field = { .center = { 9.0, 9.0, 9.0 }, .mu = 1.0 };
    carrier_world world = world_create(true, v3_zero(), 1.0);
    make_flight(&world);
    world_add_force(&world, "star", (carom_choice){ "gravity-field", &field }, "arm", NULL, v3_zero(), v3_zero());
    check_refused(&world, "none", "take the scene's 'gravity', or make the body rigid");
    world = world_create(true, v3_zero(), 1.0);
    carom_error err = { 0 };
    carom_body_def def = carom_body_def_default();
    def.name = "arm";
    def.fixed = true;
    CHECK_OK(carom_spec_add_body(world.spec, &def, &err), err);
    check_refused(&world, "none", "body 'arm' cannot be of kind 'carrier', because it does not move freely");
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
        RUN_TEST(deformation, points_rows_and_forces_agree_on_columns),
        RUN_TEST(deformation, every_integrator_converges_to_the_same_motion),
        RUN_TEST(deformation, loops_and_masses_go_with_solvers_of_sundials),
        RUN_TEST(deformation, implicit_steps_take_as_many_iterations_as_with_four_bodies),
        RUN_TEST(deformation, error_control_takes_as_many_steps_as_with_four_bodies),
        RUN_TEST(deformation, assembly_moves_coordinates_as_it_moves_masses),
        RUN_TEST(deformation, coordinates_count_as_freedoms),
        RUN_TEST(deformation, free_flight_keeps_momenta_and_closes_the_ledger),
        RUN_TEST(deformation, degrees_of_freedom_are_those_of_four_bodies),
        RUN_TEST(deformation, joints_start_as_asked_for),
        RUN_TEST(deformation, a_copied_state_goes_on_with_the_same_bits),
        RUN_TEST(deformation, recorded_frames_are_those_of_four_bodies),
        RUN_TEST(deformation, a_resumed_run_has_the_same_bits),
        RUN_TEST(deformation, what_does_not_go_with_it_is_refused),
    };
    return cmocka_run_group_tests(tests, make_scratch_folder, remove_scratch_folder);
}
