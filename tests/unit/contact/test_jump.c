/* Responses and jumps: what impulses along rows of contacts do to velocities, energy, momentum and the ledger. */
#include "contact/jump.h"

#include "rigs.h"

enum { ROWS = 5 };

typedef struct struck {
    sim s;
    carom_arena arena;
    row_responses r;
    double u[ROWS], before[ROWS], impulse[ROWS];
} struck;

static bool is_held(const carom_model *m)
{
    bool held = false;
    for (int j = 0; j < m->joint_count; ++j) {
        held = held || m->bodies[m->joints[j].body[0]].slot < 0;
    }
    return held;
}

/* Rows between random bodies at random points; a joint of the rig holds two of them together, or one to the ground. */
static void draw(struck *x, test_rng *r, const char *const *overrides)
{
    carom_error err = { 0 };
    *x = (struck){ .s = sim_parse(contact_rig, overrides) };
    for (int i = 1; i < x->s.model->body_count; ++i) { /* the joint closed, velocities that it allows: see below */
        if (x->s.model->bodies[i].slot >= 0) {
            v3 all = is_held(x->s.model) ? v3_zero() : v3_make(1.0, 2.0, 3.0);
            x->s.state->rate[i] = (body_rate){ all, v3_zero() };
        }
    }
    place(&x->s);
    CHECK_OK(work_factor(x->s.scratch, &err), err);
    responses_create(&x->r, &x->arena, x->s.model, ROWS);
    x->r.count = ROWS;
    for (int k = 0; k < ROWS; ++k) {
        int a = (int)(test_rng_uniform(r, 0.0, 1.0) * (x->s.model->body_count - 1));
        int body[2] = { a, a + 1 };
        v3 p_w = random_v3(r, 3.0);
        x->r.rows[k] = contact_row_at(x->s.scratch, body, p_w, random_direction(r));
        response_find(&x->r, x->s.scratch, k, false);
        x->impulse[k] = test_rng_uniform(r, -1.0, 1.0);
    }
    response_velocities(&x->r, x->s.scratch, rates_of(state_motion(x->s.state)), x->u);
}

static void done(struck *x)
{
    carom_arena_free(&x->arena);
    sim_end(&x->s);
}

/* Columns of W from jumps of single rows; W is symmetric. */
TEST(response, couplings_are_what_unit_impulses_do)
{
    test_rng r = test_rng_seed(8);
    for (int n = 0; n < 20; ++n) {
        struck x;
        draw(&x, &r, NULL);
        body_rate *rate = calloc((size_t)x.s.model->body_count, sizeof *rate);
        for (int k = 0; k < ROWS; ++k) {
            double unit[ROWS] = { 0.0 };
            double u[ROWS];
            unit[k] = 1.0;
            memcpy(rate, x.s.state->rate, (size_t)x.s.model->body_count * sizeof *rate);
            response_apply(&x.r, unit, (changing_rates){ rate, NULL });
            response_velocities(&x.r, x.s.scratch, (motion_rates){ .rate = rate }, u);
            for (int l = 0; l < ROWS; ++l) {
                CHECK_NEAR(u[l] - x.u[l], response_coupling(&x.r, x.s.scratch, l, k), 1e-11);
                CHECK_NEAR(response_coupling(&x.r, x.s.scratch, k, l), response_coupling(&x.r, x.s.scratch, l, k),
                           1e-11);
            }
        }
        free(rate);
        done(&x);
    }
}

/* Turned rows are those of turned directions, responses included. */
TEST(response, turns_with_its_rows)
{
    test_rng r = test_rng_seed(9);
    struck x;
    draw(&x, &r, NULL);
    const carom_scratch *w = x.s.scratch;
    int body[2] = { x.r.rows[0].body[0], x.r.rows[0].body[1] };
    v3 p_w = random_v3(&r, 1.0);
    v3 e = random_direction(&r);
    v3 f = v3_unit(v3_cross(e, random_direction(&r)));
    double angle = 0.7;
    v3 turned[2] = { v3_axpy(v3_scale(cos(angle), e), sin(angle), f),
                     v3_axpy(v3_scale(cos(angle), f), -sin(angle), e) };
    for (int pass = 0; pass < 2; ++pass) {
        x.r.rows[2 * pass] = contact_row_at(w, body, p_w, pass == 0 ? e : turned[0]);
        x.r.rows[2 * pass + 1] = contact_row_at(w, body, p_w, pass == 0 ? f : turned[1]);
        response_find(&x.r, x.s.scratch, 2 * pass, false);
        response_find(&x.r, x.s.scratch, 2 * pass + 1, false);
    }
    response_turn(&x.r, 0, angle);
    for (int k = 0; k < 2; ++k) {
        for (int l = 0; l < 4; ++l) {
            CHECK_NEAR(response_coupling(&x.r, x.s.scratch, l, k), response_coupling(&x.r, x.s.scratch, l, k + 2),
                       1e-12);
            CHECK_NEAR(response_coupling(&x.r, x.s.scratch, k, l), response_coupling(&x.r, x.s.scratch, k + 2, l),
                       1e-12);
        }
    }
    done(&x);
}

/* Where a point of a body, at p_w before, has got to. */
static v3 carried(const body_pose *before, const body_pose *after, v3 p_w)
{
    return v3_add(after->x_w, q_rotate(after->q_wb, q_unrotate(before->q_wb, v3_sub(p_w, before->x_w))));
}

/* Bodies displaced by X d: points part along every row by W d, to first order in d, and joints stay as closed as that. */
TEST(response, displaces_rows_by_W_d)
{
    test_rng r = test_rng_seed(11);
    const double little = 1e-6;
    for (int n = 0; n < 20; ++n) {
        struck x;
        v3 p_w[ROWS], d_w[ROWS];
        draw(&x, &r, NULL);
        carom_state *before = carom_state_create(x.s.model);
        CHECK_EQ(carom_state_copy(before, x.s.state), CAROM_OK);
        double d[ROWS];
        for (int k = 0; k < ROWS; ++k) {
            int body[2] = { x.r.rows[k].body[0], x.r.rows[k].body[1] };
            p_w[k] = random_v3(&r, 3.0);
            d_w[k] = random_direction(&r);
            x.r.rows[k] = contact_row_at(x.s.scratch, body, p_w[k], d_w[k]);
            response_find(&x.r, x.s.scratch, k, false);
            d[k] = little * x.impulse[k];
        }
        response_displace(&x.r, d, state_motion(x.s.state));
        double farthest = 0.0;
        for (int k = 0; k < ROWS; ++k) {
            const int *body = x.r.rows[k].body;
            v3 at[2];
            for (int side = 0; side < 2; ++side) {
                at[side] = carried(&before->pose[body[side]], &x.s.state->pose[body[side]], p_w[k]);
            }
            double expected = 0.0;
            for (int l = 0; l < ROWS; ++l) {
                expected += response_coupling(&x.r, x.s.scratch, k, l) * d[l];
            }
            CHECK_NEAR(v3_dot(d_w[k], v3_sub(at[0], at[1])), expected, 1e4 * little * little);
            farthest = fmax(farthest, fabs(expected));
        }
        CHECK_GE(farthest, 0.1 * little);
        place(&x.s);
        CHECK_LE(work_position_error(x.s.scratch, NULL), 1e4 * little * little);
        carom_state_destroy(before);
        done(&x);
    }
}

static double kinetic(sim *s)
{
    place(s);
    return work_kinetic(s->scratch);
}

/* Energy lost is the difference of kinetic energies, external impulse that of momenta; joints stay closed. */
static void check_balance(test_rng *r, const char *const *overrides)
{
    struck x;
    v3 linear[2], angular[2];
    draw(&x, r, overrides);
    double before = kinetic(&x.s);
    double closed = work_velocity_error(x.s.scratch, NULL);
    work_momentum(x.s.scratch, &linear[0], &angular[0]);
    carom_error err = { 0 };
    CHECK_OK(work_factor(x.s.scratch, &err), err);
    ledger_sums sums = *x.s.state->sums;
    row_jump jump = { .impulse = x.impulse, .before = x.before, .after = x.u };
    jump_velocities(&x.r, &jump, x.s.scratch, x.s.state);
    double after = kinetic(&x.s);
    work_momentum(x.s.scratch, &linear[1], &angular[1]);
    const ledger_sums *now = x.s.state->sums;
    double lost = now->work[ACCOUNT_IMPACT] - sums.work[ACCOUNT_IMPACT];
    double driven = now->work[ACCOUNT_MOTION] - sums.work[ACCOUNT_MOTION];
    CHECK_NEAR(lost, jump_energy_lost(&jump, 0, ROWS), 1e-12);
    CHECK_NEAR(after - before, driven - lost, 1e-11 * (1.0 + before));
    v3 impulse = v3_sub(now->impulse, sums.impulse);
    v3 moment = v3_sub(now->angular_impulse, sums.angular_impulse);
    CHECK_NEAR(v3_norm(v3_sub(v3_sub(linear[1], linear[0]), impulse)), 0.0, 1e-11);
    CHECK_NEAR(v3_norm(v3_sub(v3_sub(angular[1], angular[0]), moment)), 0.0, 1e-10);
    CHECK_LE(work_velocity_error(x.s.scratch, NULL), closed + 1e-11);
    for (int k = 0; k < ROWS; ++k) {
        CHECK_NEAR(x.u[k], contact_row_times(&x.r.rows[k], x.s.scratch, rates_of(state_motion(x.s.state))), 1e-15);
    }
    done(&x);
}

TEST(jump, balances_energy_and_momentum)
{
    static const char *const moved[] = { "bodies[0]={\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]},"
                                         " \"motion\": {\"position\": [\"sin(3*t)\", \"2*t\", -9]}}",
                                         NULL };
    static const char *const grounded[] = { "joints[0].bodies=[\"ground\", \"ball\"]",
                                            NULL }; /* the hinge passes impulses on */
    static const char *const *const rigs[] = { NULL, moved, grounded };
    test_rng r = test_rng_seed(10);
    for (int n = 0; n < 60; ++n) {
        check_balance(&r, rigs[n % 3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(response, couplings_are_what_unit_impulses_do),
        RUN_TEST(response, turns_with_its_rows),
        RUN_TEST(response, displaces_rows_by_W_d),
        RUN_TEST(jump, balances_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
