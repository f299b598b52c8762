/* The augmented system of paper 1, eq. (25), in the paper's own seven coordinates per body, assembled densely:
 *
 *     [ Z      Phi_L^T  Phi_q^T ] [ q''     ]   [ z^e - 8 L'^T J L Lambda' ]
 *     [ Phi_L  0        0       ] [ sigma_L ] = [ -Lambda'^T Lambda'       ]
 *     [ Phi_q  0        0       ] [ sigma   ]   [ eta                      ]
 *
 * with q = (x, Lambda), Lambda the Euler parameters and L, R of eq. (17). carom works with six velocities per body;
 * both must give the same accelerations and multipliers. Phi_q and eta come from difference quotients of the residuals
 * alone (exact for the polynomials most rows are), forces from the scene, so that nothing is shared but C(q, t). */
#include "support/random_model.h"
#include "support/sim.h"

#include "dynamics/integrator.h"
#include "dynamics/work.h"

enum { PER_BODY = 7, LARGEST = 160 };
static const double AGREEMENT = 1e-10;

/* One system of equations, in long double because it is small and an oracle. */
typedef struct dense_system {
    int size;
    long double a[LARGEST][LARGEST];
    long double b[LARGEST];
    long double x[LARGEST];
} dense_system;

/* Gauss with complete pivoting. Unknowns that a redundant system leaves free are set to zero. */
static void dense_solve(dense_system *s)
{
    int n = s->size;
    int column[LARGEST];
    int rank = 0;
    long double largest_pivot = 0.0L;
    for (int j = 0; j < n; ++j) {
        column[j] = j;
    }
    for (int k = 0; k < n; ++k) {
        int pr = k;
        int pc = k;
        for (int i = k; i < n; ++i) {
            for (int j = k; j < n; ++j) {
                if (fabsl(s->a[i][j]) > fabsl(s->a[pr][pc])) {
                    pr = i;
                    pc = j;
                }
            }
        }
        largest_pivot = fmaxl(largest_pivot, fabsl(s->a[pr][pc]));
        if (fabsl(s->a[pr][pc]) < 1e-9L * largest_pivot) {
            break;
        }
        for (int j = 0; j < n; ++j) {
            long double swap = s->a[k][j];
            s->a[k][j] = s->a[pr][j];
            s->a[pr][j] = swap;
        }
        long double swap_b = s->b[k];
        s->b[k] = s->b[pr];
        s->b[pr] = swap_b;
        for (int i = 0; i < n; ++i) {
            long double swap = s->a[i][k];
            s->a[i][k] = s->a[i][pc];
            s->a[i][pc] = swap;
        }
        int swap_c = column[k];
        column[k] = column[pc];
        column[pc] = swap_c;
        for (int i = k + 1; i < n; ++i) {
            long double factor = s->a[i][k] / s->a[k][k];
            for (int j = k; j < n; ++j) {
                s->a[i][j] -= factor * s->a[k][j];
            }
            s->b[i] -= factor * s->b[k];
        }
        ++rank;
    }
    for (int k = 0; k < n; ++k) {
        s->x[k] = 0.0L;
    }
    for (int k = rank - 1; k >= 0; --k) {
        long double sum = s->b[k];
        for (int j = k + 1; j < rank; ++j) {
            sum -= s->a[k][j] * s->x[column[j]];
        }
        s->x[column[k]] = sum / s->a[k][k];
    }
}

/* Forces that act besides gravity: constant in world axes, the same on every body. */
static const carom_v3 push = { 0.7, -1.1, 0.4 };  /* [N] at the body's frame */
static const carom_v3 twist = { 0.2, 0.5, -0.3 }; /* [N m]                   */

static void add_loads(carom_spec *spec, int body_count)
{
    static carom_load_def load;
    const double force[3] = { push.x, push.y, push.z };
    const double torque[3] = { twist.x, twist.y, twist.z };
    for (int k = 0; k < 3; ++k) {
        load.force[k] = carom_value_number(force[k]);
        load.torque[k] = carom_value_number(torque[k]);
    }
    for (int i = 0; i < body_count; ++i) {
        char name[16];
        char body[16];
        carom_error err = { 0 };
        carom_force_def def = carom_force_def_default();
        snprintf(name, sizeof name, "load%d", i);
        snprintf(body, sizeof body, "b%d", i);
        def.name = name;
        def.force = (carom_choice){ "load", &load };
        def.attachment.bodies[0] = body;
        def.attachment.frame_a.given = true;
        CHECK_OK(carom_spec_add_force(spec, &def, &err), err);
    }
}

/* ---- the paper's matrices ---- */

typedef struct euler_matrices {
    double L[3][4];
    double R[3][4];
} euler_matrices;

static euler_matrices matrices_of(const double p[4])
{
    return (euler_matrices){
        .L = { { -p[1], p[0], p[3], -p[2] }, { -p[2], -p[3], p[0], p[1] }, { -p[3], p[2], -p[1], p[0] } },
        .R = { { -p[1], p[0], -p[3], p[2] }, { -p[2], p[3], p[0], -p[1] }, { -p[3], -p[2], p[1], p[0] } },
    };
}

/* Lambda' = L^T omega' / 2 with omega' in body axes, the inverse of eq. (16). */
static void euler_rate(double out[4], const euler_matrices *m, v3 omega_b)
{
    const double omega[3] = { omega_b.x, omega_b.y, omega_b.z };
    for (int j = 0; j < 4; ++j) {
        out[j] = 0.0;
        for (int i = 0; i < 3; ++i) {
            out[j] += 0.5 * m->L[i][j] * omega[i];
        }
    }
}

/* ---- difference quotients of the residuals, of order eight ---- */

typedef struct point {
    carom_scratch *w;
    const carom_state *state;
    double q_dot[LARGEST]; /* 7 per free body */
} point;

/* C at the state moved by s along `direction` (7 per free body) and dt in time. Lambda is not normalised: what C
 * becomes beside the unit sphere does not matter as long as Phi_q and eta mean the same function. */
static void residual_at(const point *p, const double *direction, double s, double dt, double *C)
{
    carom_scratch *w = p->w;
    body_pose pose[32];
    memcpy(pose, p->state->pose, (size_t)w->model->body_count * sizeof *pose);
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        double *q = (double *)(void *)&pose[w->model->free_bodies[slot]];
        for (int k = 0; k < PER_BODY; ++k) {
            q[k] += s * direction[PER_BODY * slot + k];
        }
    }
    work_place(w, *p->state->time + dt, (motion){ .pose = pose, .rate = p->state->rate });
    work_constraints(w);
    memcpy(C, w->C, (size_t)w->model->row_count * sizeof *C);
}

static const double STEP = 0.004;
static const double FIRST[5] = { 0.0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280 };
static const double SECOND[5] = { -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560 };

static void first_derivative(const point *p, const double *direction, double *out)
{
    int rows = p->w->model->row_count;
    memset(out, 0, (size_t)rows * sizeof *out);
    for (int k = -4; k <= 4; ++k) {
        double C[LARGEST];
        residual_at(p, direction, k * STEP, 0.0, C);
        for (int r = 0; r < rows; ++r) {
            out[r] += (k < 0 ? -FIRST[-k] : FIRST[k]) * C[r] / STEP;
        }
    }
}

/* d^2 C / ds^2 along q + s q', t + s: everything in C'' but Phi_q q''. Fast motion is looked at more closely. */
static void second_derivative(const point *p, double *out)
{
    int rows = p->w->model->row_count;
    double fastest = 1.0;
    for (int k = 0; k < PER_BODY * p->w->model->free_count; ++k) {
        fastest = fmax(fastest, fabs(p->q_dot[k]));
    }
    double step = 2.0 * STEP / fastest;
    memset(out, 0, (size_t)rows * sizeof *out);
    for (int k = -4; k <= 4; ++k) {
        double C[LARGEST];
        residual_at(p, p->q_dot, k * step, k * step, C);
        for (int r = 0; r < rows; ++r) {
            out[r] += SECOND[k < 0 ? -k : k] * C[r] / (step * step);
        }
    }
}

/* ---- assembly ---- */

static void add_body(dense_system *s, const point *p, int slot, v3 gravity)
{
    const carom_scratch *w = p->w;
    int i = w->model->free_bodies[slot];
    const model_body *body = &w->model->bodies[i];
    int at = PER_BODY * slot;
    int unit_row = PER_BODY * w->model->free_count + slot;
    const double *q = (const double *)(const void *)&p->state->pose[i];
    const double *rate = p->q_dot + at + 3;
    euler_matrices m = matrices_of(q + 3);
    euler_matrices m_dot = matrices_of(rate); /* L is linear in Lambda */
    quat q_wb = p->state->pose[i].q_wb;
    v3 arm = q_rotate(q_wb, v3_neg(body->com_b)); /* from the centre of mass to where the push acts */
    v3 torque_b = q_unrotate(q_wb, v3_add(twist, v3_cross(arm, push)));
    const double M[3] = { torque_b.x, torque_b.y, torque_b.z };
    double J_L_rate[3] = { 0 };
    for (int k = 0; k < 3; ++k) {
        s->a[at + k][at + k] = (long double)body->mass;
        s->b[at + k] = (long double)(body->mass * v3_get(gravity, k) + v3_get(push, k));
        for (int c = 0; c < 3; ++c) {
            for (int j = 0; j < 4; ++j) {
                J_L_rate[k] += body->inertia_b.m[3 * k + c] * m.L[c][j] * rate[j];
            }
        }
    }
    long double speed2 = 0.0L;
    for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) {
            long double sum = 0.0L;
            for (int k = 0; k < 9; ++k) {
                sum += 4.0L * (long double)(m.L[k / 3][r] * body->inertia_b.m[k] * m.L[k % 3][c]);
            }
            s->a[at + 3 + r][at + 3 + c] = sum;
        }
        for (int k = 0; k < 3; ++k) {
            s->b[at + 3 + r] += (long double)(2.0 * m.L[k][r] * M[k] - 8.0 * m_dot.L[k][r] * J_L_rate[k]);
        }
        s->a[at + 3 + r][unit_row] = s->a[unit_row][at + 3 + r] = (long double)q[3 + r];
        speed2 += (long double)(rate[r] * rate[r]);
    }
    s->b[unit_row] = -speed2;
}

static void add_constraints(dense_system *s, const point *p)
{
    int n = p->w->model->free_count;
    int rows = p->w->model->row_count;
    double eta[LARGEST];
    for (int k = 0; k < PER_BODY * n; ++k) {
        double direction[LARGEST] = { 0 };
        double column[LARGEST];
        direction[k] = 1.0;
        first_derivative(p, direction, column);
        for (int r = 0; r < rows; ++r) {
            s->a[(PER_BODY + 1) * n + r][k] = s->a[k][(PER_BODY + 1) * n + r] = (long double)column[r];
        }
    }
    second_derivative(p, eta);
    for (int r = 0; r < rows; ++r) {
        s->b[(PER_BODY + 1) * n + r] = -(long double)eta[r];
    }
}

static void take_rates(point *p)
{
    for (int slot = 0; slot < p->w->model->free_count; ++slot) {
        int i = p->w->model->free_bodies[slot];
        const body_pose *pose = &p->state->pose[i];
        const body_rate *rate = &p->state->rate[i];
        const double lambda[4] = { pose->q_wb.w, pose->q_wb.x, pose->q_wb.y, pose->q_wb.z };
        euler_matrices m = matrices_of(lambda);
        v3_store(p->q_dot + PER_BODY * slot, rate->v_w);
        euler_rate(p->q_dot + PER_BODY * slot + 3, &m, q_unrotate(pose->q_wb, rate->omega_w));
    }
}

typedef struct disagreement {
    double acceleration; /* relative */
    double reaction;
    double multiplier;
} disagreement;

/* Angular accelerations in world axes are 2 R Lambda'' (R' Lambda' vanishes); a generalised force along Lambda is the
 * torque R / 2 times it. */
static disagreement compare(const dense_system *s, const carom_scratch *w, bool redundant)
{
    disagreement d = { 0 };
    double a_scale = 1.0;
    double sigma_scale = 1.0;
    double r_scale = 1.0;
    int n = w->model->free_count;
    double ours[LARGEST] = { 0 };
    work_add_reactions(w, 1.0, w->sigma, ours);
    for (int slot = 0; slot < n; ++slot) {
        int i = w->model->free_bodies[slot];
        const body_rate *a = &w->acceleration[i];
        const double lambda[4] = { w->pose[i].q_wb.w, w->pose[i].q_wb.x, w->pose[i].q_wb.y, w->pose[i].q_wb.z };
        euler_matrices m = matrices_of(lambda);
        const long double *x = s->x + PER_BODY * slot;
        v3 v_dot = v3_make((double)x[0], (double)x[1], (double)x[2]);
        double alpha[3] = { 0 };
        double theirs[6] = { 0 };
        for (int r = 0; r < w->model->row_count; ++r) {
            for (int k = 0; k < 3; ++k) {
                theirs[k] += (double)(s->a[PER_BODY * slot + k][(PER_BODY + 1) * n + r] *
                                      s->x[(PER_BODY + 1) * n + r]);
            }
        }
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < 4; ++j) {
                alpha[k] += 2.0 * m.R[k][j] * (double)x[3 + j];
                double generalised = 0.0; /* along Lambda_j; the torque in world axes is R generalised / 2 */
                for (int r = 0; r < w->model->row_count; ++r) {
                    generalised += (double)(s->a[PER_BODY * slot + 3 + j][(PER_BODY + 1) * n + r] *
                                            s->x[(PER_BODY + 1) * n + r]);
                }
                theirs[3 + k] += 0.5 * m.R[k][j] * generalised;
            }
        }
        d.acceleration = fmax(d.acceleration, v3_norm(v3_sub(v_dot, a->v_w)));
        d.acceleration = fmax(d.acceleration, v3_norm(v3_sub(v3_load(alpha), a->omega_w)));
        a_scale = fmax(a_scale, fmax(v3_norm(a->v_w), v3_norm(a->omega_w)));
        for (int k = 0; k < 6; ++k) {
            d.reaction = fmax(d.reaction, fabs(theirs[k] - ours[6 * slot + k]));
            r_scale = fmax(r_scale, fabs(ours[6 * slot + k]));
        }
    }
    for (int r = 0; r < w->model->row_count && !redundant; ++r) {
        d.multiplier = fmax(d.multiplier, fabs((double)s->x[(PER_BODY + 1) * n + r] - w->sigma[r]));
        sigma_scale = fmax(sigma_scale, fabs(w->sigma[r]));
    }
    return (disagreement){ d.acceleration / a_scale, d.reaction / r_scale, d.multiplier / sigma_scale };
}

/* Moves on a little, so that joint coordinates are not zero, and compares there. */
static disagreement study(carom_spec *spec, bool redundant, v3 gravity)
{
    static dense_system s;
    static dense_system kept; /* elimination destroys the matrix the reactions need */
    carom_error err = { 0 };
    sim run = sim_start(spec, 1);
    sim_advance(&run, 0.05);
    point p = { .w = run.scratch, .state = run.state };
    int n = run.model->free_count;
    int size = (PER_BODY + 1) * n + run.model->row_count;
    CHECK(size <= LARGEST);
    memset(&s, 0, sizeof s);
    s.size = size;
    take_rates(&p);
    integrator_load(run.scratch, run.state);
    for (int slot = 0; slot < n; ++slot) {
        add_body(&s, &p, slot, gravity);
    }
    add_constraints(&s, &p);
    memcpy(&kept, &s, sizeof s);
    dense_solve(&s);
    memcpy(kept.x, s.x, sizeof s.x);
    CHECK_OK(work_evaluate(run.scratch, *run.state->time, state_motion(run.state), &err), err);
    disagreement d = compare(&kept, run.scratch, redundant);
    sim_end(&run);
    return d;
}

static void keep_worst(disagreement *worst, disagreement d)
{
    worst->acceleration = fmax(worst->acceleration, d.acceleration);
    worst->reaction = fmax(worst->reaction, d.reaction);
    worst->multiplier = fmax(worst->multiplier, d.multiplier);
}

static void judge(const char *what, disagreement worst)
{
    printf("  %-28s accelerations %.2e  reactions %.2e  multipliers %.2e\n", what, worst.acceleration, worst.reaction,
           worst.multiplier);
    fflush(stdout);
    CHECK_LE(worst.acceleration, AGREEMENT);
    CHECK_LE(worst.reaction, AGREEMENT);
    CHECK_LE(worst.multiplier, AGREEMENT);
}

TEST(euler_parameters, every_joint_agrees)
{
    printf("\npaper 1 (25) in Euler parameters against carom, relative\n");
    for (const carom_kind *const *kind = carom_joint_kinds(); *kind; ++kind) {
        const char *joints[] = { (*kind)->name, NULL };
        disagreement worst = { 0 };
        if (strcmp(joints[0], "gear") == 0) {
            continue; /* below */
        }
        FOR_EACH_SEED(rng, 10) {
            random_plan plan = random_plan_default();
            plan.body_count = 3;
            plan.joints = joints;
            carom_spec *spec = random_spec(&rng, &plan);
            add_loads(spec, plan.body_count);
            keep_worst(&worst, study(spec, false, plan.gravity));
        }
        judge(joints[0], worst);
    }
}

TEST(euler_parameters, mixed_chains_and_loops_agree)
{
    static const char *const joints[] = { "revolute", "universal",     "spherical", "cylindrical", "prismatic",
                                          "screw",    "point-on-line", "planar",    "distance",    "fixed",
                                          NULL };
    disagreement worst = { 0 };
    FOR_EACH_SEED(rng, 20) {
        const char *shuffled[8];
        random_plan plan = random_plan_default();
        int shift = (int)test_rng_uniform(&rng, 0.0, 10.0);
        for (int k = 0; k < 6; ++k) {
            shuffled[k] = joints[(shift + 3 * k) % 10];
        }
        shuffled[6] = NULL;
        plan.body_count = 6;
        plan.joints = shuffled;
        plan.loop = true;
        carom_spec *spec = random_spec(&rng, &plan);
        add_loads(spec, plan.body_count);
        keep_worst(&worst, study(spec, false, plan.gravity));
    }
    judge("mixed, closed by a rod", worst);
}

/* A driver makes Phi depend on t, a gear couples two joints. */
TEST(euler_parameters, drivers_and_gears_agree)
{
    static const char *const joints[] = { "revolute", NULL };
    disagreement worst = { 0 };
    FOR_EACH_SEED(rng, 10) {
        carom_error err = { 0 };
        random_plan plan = random_plan_default();
        plan.body_count = 4;
        plan.joints = joints;
        carom_spec *spec = random_spec(&rng, &plan);
        carom_gear_def gear = { .joint_1 = "j0", .joint_2 = "j2", .ratio = 1.5 };
        carom_joint_def def = carom_joint_def_default();
        def.name = "gear";
        def.joint = (carom_choice){ "gear", &gear };
        CHECK_OK(carom_spec_add_joint(spec, &def, &err), err);
        carom_joint_motion_def moving = { .value = carom_value_expression("0.3*sin(2*t)") };
        carom_joint_def driven = carom_joint_def_default();
        carom_body_def body = carom_body_def_default();
        double inertia[3] = { 0.05, 0.06, 0.07 };
        body.name = "b4";
        body.mass = 1.0;
        body.inertia = (carom_reals){ 3, inertia };
        body.position = v3_make(0.2, 0.5, 0.1);
        CHECK_OK(carom_spec_add_body(spec, &body, &err), err);
        driven.name = "driven";
        driven.joint.kind = "revolute";
        driven.attachment.bodies[0] = "b1";
        driven.attachment.bodies[1] = "b4";
        driven.attachment.at = v3_make(0.3, 0.2, 0.0);
        driven.attachment.axis = random_direction(&rng);
        driven.motions = (carom_list){ 1, &moving };
        CHECK_OK(carom_spec_add_joint(spec, &driven, &err), err);
        add_loads(spec, 5);
        keep_worst(&worst, study(spec, false, plan.gravity));
    }
    judge("gear and driver", worst);
}

/* A four-bar of revolutes in space: 3 of 20 rows redundant. Accelerations and reactions on the bodies are unique,
 * multipliers are not. */
TEST(euler_parameters, redundant_loops_agree)
{
    disagreement worst = { 0 };
    FOR_EACH_SEED(rng, 20) {
        carom_error err = { 0 };
        quat frame = random_rotation(&rng);
        const v3 corner[4] = { { 0, 0, 0 }, { 0.2, 0.6, 0 }, { 1.1, 0.8, 0 }, { 1.0, 0, 0 } };
        carom_spec *spec = carom_spec_create();
        carom_scene_def scene = carom_scene_def_default();
        scene.gravity = v3_make(0, 0, -9.81);
        scene.time.end = 1.0;
        scene.time.preset = CAROM_ACCURATE;
        CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
        for (int i = 0; i < 3; ++i) {
            char name[16];
            double inertia[3] = { 0.05, 0.06, 0.07 };
            carom_body_def def = carom_body_def_default();
            snprintf(name, sizeof name, "b%d", i);
            def.name = name;
            def.mass = test_rng_uniform(&rng, 0.5, 2.0);
            def.inertia = (carom_reals){ 3, inertia };
            def.orientation = frame;
            def.position = q_rotate(frame, v3_scale(0.5, v3_add(corner[i], corner[i + 1])));
            def.angular_velocity = random_v3(&rng, 2.0);
            CHECK_OK(carom_spec_add_body(spec, &def, &err), err);
        }
        static const char *const pairs[4][2] = {
            { "ground", "b0" }, { "b0", "b1" }, { "b1", "b2" }, { "b2", "ground" }
        };
        for (int i = 0; i < 4; ++i) {
            char name[16];
            carom_joint_def def = carom_joint_def_default();
            snprintf(name, sizeof name, "j%d", i);
            def.name = name;
            def.joint.kind = "revolute";
            def.attachment.bodies[0] = pairs[i][0];
            def.attachment.bodies[1] = pairs[i][1];
            def.attachment.at = q_rotate(frame, corner[i]);
            def.attachment.axis = q_rotate(frame, v3_make(0, 0, 1));
            CHECK_OK(carom_spec_add_joint(spec, &def, &err), err);
        }
        add_loads(spec, 3);
        keep_worst(&worst, study(spec, true, v3_make(0, 0, -9.81)));
    }
    judge("redundant four-bar", worst);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(euler_parameters, every_joint_agrees),
        RUN_TEST(euler_parameters, mixed_chains_and_loops_agree),
        RUN_TEST(euler_parameters, drivers_and_gears_agree),
        RUN_TEST(euler_parameters, redundant_loops_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
