/* Every joint between two bodies of modes, and between one and the ground: rates of the equations are derivatives of the residuals over
 * frames and deformation coordinates alike, and the motion keeps the books. */
#include "support/flexible_sample.h"
#include "support/random.h"
#include "support/sim.h"

#include "dynamics/columns.h"
#include "elements/joints/joint.h"
#include "math/quat.h"

enum { MOST_ROWS = 8, SEEDS = 20 };

static carom_body_def block_at(const char *name, v3 position)
{
    carom_body_def def = carom_body_def_default();
    def.name = name;
    def.material = "soft";
    def.position = position;
    def.flexible = soft_block(CAROM_FRAME_MEAN, 3);
    def.flexible.given = true;
    return def;
}

/* Two blocks in a row, and the joint between the right face of the first and the left face of the second, or of it and the ground. */
static carom_spec *spec_with(const char *joint, bool ground)
{
    static const carom_material_def materials[] = { { "soft", 20.0, 0.3, 300.0 } };
    carom_error err = { 0 };
    carom_spec *spec = carom_spec_create();
    carom_scene_def scene = carom_scene_def_default();
    carom_joint_def def = carom_joint_def_default();
    scene.materials = (carom_list){ 1, materials };
    scene.time.integrator.kind = "runge-kutta";
    scene.time.tolerance = 1e-9;
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    carom_body_def one = block_at("one", v3_make(0.0, 0.0, 0.0));
    carom_body_def two = block_at("two", v3_make(0.5, 0.0, 0.0));
    one.angular_velocity = v3_make(0.2, -0.1, 0.3);
    CHECK_OK(carom_spec_add_body(spec, &one, &err), err);
    CHECK_OK(carom_spec_add_body(spec, &two, &err), err);
    def.name = "joint";
    static const carom_screw_def screw = { .pitch = 0.1 };
    def.joint = (carom_choice){ joint, strcmp(joint, "screw") == 0 ? &screw : NULL };
    def.attachment.bodies[0] = ground ? "ground" : "one";
    def.attachment.bodies[1] = "two";
    def.attachment.at = v3_make(0.35, 0.35, -0.2);
    def.attachment.axis = v3_make(0.6, 0.0, 0.8);
    static const double other[3] = { 0.35, 0.05, 0.0 };
    bool apart = strcmp(joint, "distance") == 0; /* has no direction where its ends meet */
    def.attachment.at_b = (carom_reals){ apart ? 3 : 0, other };
    carom_status status = carom_spec_add_joint(spec, &def, &err);
    CHECK_OK(status, err);
    return spec;
}

/* ---- rows -------------------------------------------------------------------------------------------------------------- */

static void random_motion(const carom_model *model, test_rng *rng, motion m)
{
    for (int i = 1; i < model->body_count; ++i) {
        m.pose[i].x_w = v3_add(m.pose[i].x_w, random_v3(rng, 0.05));
        m.pose[i].q_wb = q_unit(q_mul(so3_exp(random_v3(rng, 0.2)), m.pose[i].q_wb));
        m.rate[i] = (body_rate){ random_v3(rng, 1.0), random_v3(rng, 1.0) };
    }
    for (int k = 0; k < model->deform_count; ++k) {
        m.q[k] = test_rng_uniform(rng, -0.1, 0.1);
        m.q_dot[k] = test_rng_uniform(rng, -1.0, 1.0);
    }
}

/* Where everything is a time t later when nothing accelerates. */
static void coast(const carom_model *model, motion from, motion to, double t)
{
    motion_copy(model, to, from);
    for (int i = 1; i < model->body_count; ++i) {
        to.pose[i] = pose_moved(from.pose[i], v3_scale(t, from.rate[i].v_w), v3_scale(t, from.rate[i].omega_w));
    }
    for (int k = 0; k < model->deform_count; ++k) {
        to.q[k] += t * from.q_dot[k];
    }
}

static void evaluate(carom_scratch *w, motion m, double *C, double *C_dot)
{
    work_place(w, 0.0, m);
    work_constraints(w);
    memcpy(C, w->C, (size_t)w->model->row_count * sizeof *C);
    memcpy(C_dot, w->C_dot, (size_t)w->model->row_count * sizeof *C_dot);
}

static void check_rows(const char *joint, bool ground)
{
    const double h = 1e-5;
    sim s = sim_start(spec_with(joint, ground), 1);
    carom_scratch *w = s.scratch;
    test_rng rng = test_rng_seed(3);
    carom_arena room = { 0 };
    motion at = motion_create(&room, s.model), moved = motion_create(&room, s.model);
    double worst[2] = { 0.0, 0.0 };
    CHECK_LE(s.model->row_count, MOST_ROWS);
    for (int n = 0; n < SEEDS; ++n) {
        double C[3][MOST_ROWS], C_dot[3][MOST_ROWS], gamma[MOST_ROWS];
        motion_copy(s.model, at, state_motion(s.state));
        random_motion(s.model, &rng, at);
        evaluate(w, at, C[1], C_dot[1]);
        memcpy(gamma, w->gamma, sizeof(double) * (size_t)s.model->row_count);
        coast(s.model, at, moved, -h);
        evaluate(w, moved, C[0], C_dot[0]);
        coast(s.model, at, moved, h);
        evaluate(w, moved, C[2], C_dot[2]);
        for (int k = 0; k < s.model->row_count; ++k) {
            worst[0] = fmax(worst[0], fabs((C[2][k] - C[0][k]) / (2.0 * h) - C_dot[1][k]));
            worst[1] = fmax(worst[1], fabs((C_dot[2][k] - C_dot[0][k]) / (2.0 * h) - gamma[k]));
        }
    }
    if (!(worst[0] < 1e-7 && worst[1] < 1e-6)) {
        print_error("joint '%s'%s\n", joint, ground ? " with the ground" : "");
    }
    CHECK_LE(worst[0], 1e-7); /* differences: h^2 times third derivatives of the order of 100 */
    CHECK_LE(worst[1], 1e-6);
    carom_arena_free(&room);
    sim_end(&s);
}

TEST(flexible_joints, rates_are_derivatives_of_residuals)
{
    for (const carom_kind *const *kind = carom_joint_kinds(); *kind; ++kind) {
        if (!carom_joint_type_find((*kind)->name)->couples_joints) {
            check_rows((*kind)->name, false);
            check_rows((*kind)->name, true);
        }
    }
}

/* ---- books ------------------------------------------------------------------------------------------------------------- */

/* Reactions do no work and come in pairs: energy and momentum stay, joints stay closed. */
TEST(flexible_joints, motion_keeps_energy_and_momentum)
{
    for (const carom_kind *const *kind = carom_joint_kinds(); *kind; ++kind) {
        if (carom_joint_type_find((*kind)->name)->couples_joints) {
            continue;
        }
        sim s = sim_start(spec_with((*kind)->name, false), 1);
        const double start = sim_ledger(&s).kinetic;
        sim_advance(&s, 0.5);
        carom_ledger end = sim_ledger(&s);
        if (!(fabs(end.residue) < 1e-7 * start)) {
            print_error("joint '%s'\n", (*kind)->name);
        }
        CHECK(end.elastic > 1e-6 * start); /* it does deform */
        CHECK_LE(fabs(end.residue), 1e-7 * start);
        CHECK_LE(sim_norm(end.momentum_residue), 1e-8);
        CHECK_LE(sim_norm(end.angular_momentum_residue), 1e-8);
        CHECK_LE(end.position_error, 1e-9);
        sim_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(flexible_joints, rates_are_derivatives_of_residuals),
        RUN_TEST(flexible_joints, motion_keeps_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
