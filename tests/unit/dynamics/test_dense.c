/* Dense output: exact at the ends of a step, of its promised order inside, rotations included. */
#include "dynamics/dense.h"
#include "rig.h"
#include "scenes.h"
#include "support/scene_file.h"

static const rig_time TIGHT = { .integrator = "\"runge-kutta\"", .tolerance = 1e-13 };

typedef struct sampled_step {
    rig r;
    carom_arena arena;
    dense_step *dense;
} sampled_step;

/* The motion from t to t + h as one step with ends known to rounding. */
static sampled_step sample(const char *scene, double t, double h)
{
    sampled_step s = { .r = rig_start(scene, TIGHT) };
    s.dense = dense_create(&s.arena, s.r.model);
    rig_run(&s.r, t);
    dense_take(&s.dense->begin, s.r.state, s.r.model);
    rig_run(&s.r, t + h);
    dense_take(&s.dense->end, s.r.state, s.r.model);
    return s;
}

static void forget(sampled_step *s)
{
    carom_arena_free(&s->arena);
    rig_close(&s->r);
}

typedef struct errors {
    double position;
    double rotation;
    double velocity;
    double spin;
    double sums;
} errors;

static double largest_sum_error(const ledger_sums *a, const ledger_sums *b)
{
    const double *x = (const double *)(const void *)a;
    const double *y = (const double *)(const void *)b;
    double worst = 0.0;
    for (int k = 0; k < LEDGER_SUMS; ++k) {
        worst = fmax(worst, fabs(x[k] - y[k]));
    }
    return worst;
}

/* Against the motion itself, at a point that is not the middle. */
static errors error_inside(const char *scene, double t, double h)
{
    sampled_step s = sample(scene, t, h);
    double inside = t + 0.4 * h;
    rig truth = rig_start(scene, TIGHT);
    rig_run(&truth, inside);
    body_pose pose[8];
    body_rate rate[8];
    ledger_sums sums;
    dense_at(s.dense, inside, (motion){ .pose = pose, .rate = rate }, &sums);
    errors e = { .sums = largest_sum_error(&sums, truth.state->sums) };
    for (int i = 1; i < s.r.model->body_count; ++i) {
        const body_pose *p = &truth.state->pose[i];
        const body_rate *r = &truth.state->rate[i];
        e.position = fmax(e.position, v3_norm(v3_sub(pose[i].x_w, p->x_w)));
        e.rotation = fmax(e.rotation, v3_norm(so3_log(q_mul(pose[i].q_wb, q_conj(p->q_wb)))));
        e.velocity = fmax(e.velocity, v3_norm(v3_sub(rate[i].v_w, r->v_w)));
        e.spin = fmax(e.spin, v3_norm(v3_sub(rate[i].omega_w, r->omega_w)));
    }
    rig_close(&truth);
    forget(&s);
    return e;
}

TEST(dense, is_exact_at_both_ends)
{
    sampled_step s = sample(SCENE_DOUBLE_PENDULUM, 0.3, 0.1);
    body_pose pose[8];
    body_rate rate[8];
    ledger_sums sums;
    size_t n = (size_t)s.r.model->body_count;
    const dense_end *ends[] = { &s.dense->begin, &s.dense->end };
    for (int k = 0; k < 2; ++k) {
        dense_at(s.dense, ends[k]->t, (motion){ .pose = pose, .rate = rate }, &sums);
        assert_memory_equal(pose, ends[k]->pose, n * sizeof *pose);
        assert_memory_equal(rate, ends[k]->rate, n * sizeof *rate);
        assert_memory_equal(&sums, &ends[k]->sums, sizeof sums);
    }
    forget(&s);
}

/* No jump either: an ulp inside the step the motion is where the ends are. */
TEST(dense, is_continuous_at_both_ends)
{
    sampled_step s = sample(SCENE_DOUBLE_PENDULUM, 0.3, 0.1);
    body_pose pose[8];
    body_rate rate[8];
    double t[] = { nextafter(s.dense->begin.t, 1.0), nextafter(s.dense->end.t, 0.0) };
    const dense_end *ends[] = { &s.dense->begin, &s.dense->end };
    for (int k = 0; k < 2; ++k) {
        dense_at(s.dense, t[k], (motion){ .pose = pose, .rate = rate }, NULL);
        for (int i = 1; i < s.r.model->body_count; ++i) {
            CHECK_LE(v3_norm(v3_sub(pose[i].x_w, ends[k]->pose[i].x_w)), 1e-14);
            CHECK_LE(v3_norm(so3_log(q_mul(pose[i].q_wb, q_conj(ends[k]->pose[i].q_wb)))), 1e-14);
            CHECK_LE(v3_norm(v3_sub(rate[i].v_w, ends[k]->rate[i].v_w)), 1e-12);
            CHECK_LE(v3_norm(v3_sub(rate[i].omega_w, ends[k]->rate[i].omega_w)), 1e-12);
        }
    }
    forget(&s);
}

/* Order under halving; 6 is expected of poses and 5 of rates, 4 of the sums. */
TEST(dense, has_order_six_inside)
{
    errors coarse = error_inside(SCENE_DOUBLE_PENDULUM, 0.3, 0.08);
    errors fine = error_inside(SCENE_DOUBLE_PENDULUM, 0.3 + 0.4 * 0.04, 0.04); /* the same point inside */
    CHECK_GE(log2(coarse.position / fine.position), 5.5);
    CHECK_GE(log2(coarse.rotation / fine.rotation), 5.5);
    CHECK_GE(log2(coarse.velocity / fine.velocity), 4.5);
    CHECK_GE(log2(coarse.spin / fine.spin), 4.5);
    CHECK_GE(log2(coarse.sums / fine.sums), 3.5);
    CHECK_LE(fine.position, 1e-7);
    CHECK_LE(fine.rotation, 1e-7);
}

/* A free body in a tumble about its middle axis: rotation without any constraint, more than a radian per step. */
TEST(dense, follows_a_tumbling_body)
{
    const char *scene = scene_text("dense/follows_a_tumbling_body.json");
    errors coarse = error_inside(scene, 1.2, 0.2);
    errors fine = error_inside(scene, 1.2 + 0.4 * 0.1, 0.1);
    CHECK_GE(log2(coarse.rotation / fine.rotation), 5.5);
    CHECK_GE(log2(coarse.spin / fine.spin), 4.5);
}

/* Accelerations are what rates change by; a part of a step as a step of its own moves as the step does. */
TEST(dense, has_accelerations_and_parts)
{
    sampled_step s = sample(SCENE_DOUBLE_PENDULUM, 0.3, 0.1);
    dense_step *piece = dense_create(&s.arena, s.r.model);
    const double apart = 1e-5;
    for (int i = 1; i < s.r.model->body_count; ++i) {
        body_pose pose[3];
        body_rate rate[3], acceleration;
        for (int k = 0; k < 3; ++k) {
            dense_body_at(s.dense, 0.35 + (k - 1) * apart, i, &pose[k], &rate[k]);
        }
        dense_body_motion_at(s.dense, 0.35, i, &pose[0], &rate[0], &acceleration);
        CHECK_LE(v3_norm(v3_sub(rate[0].omega_w, rate[1].omega_w)), 0.0);
        dense_body_at(s.dense, 0.35 - apart, i, &pose[0], &rate[0]);
        v3 bend = v3_scale(0.5 / apart, v3_sub(rate[2].v_w, rate[0].v_w));
        v3 spin_up = v3_scale(0.5 / apart, v3_sub(rate[2].omega_w, rate[0].omega_w));
        CHECK_LE(v3_norm(v3_sub(acceleration.v_w, bend)), 1e-6 * v3_norm(bend));
        CHECK_LE(v3_norm(v3_sub(acceleration.omega_w, spin_up)), 1e-6 * v3_norm(spin_up));

        dense_body_piece(s.dense, 0.32, 0.36, i, piece);
        dense_body_at(piece, 0.35, i, &pose[0], &rate[0]);
        CHECK_LE(v3_norm(v3_sub(pose[0].x_w, pose[1].x_w)), 1e-14);
        CHECK_LE(v3_norm(v3_sub(rate[0].v_w, rate[1].v_w)), 1e-12);
        CHECK_LE(v3_norm(so3_log(q_mul(pose[0].q_wb, q_conj(pose[1].q_wb)))), 1e-9);
    }
    forget(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(dense, is_exact_at_both_ends),       RUN_TEST(dense, is_continuous_at_both_ends),
        RUN_TEST(dense, has_order_six_inside),        RUN_TEST(dense, follows_a_tumbling_body),
        RUN_TEST(dense, has_accelerations_and_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
