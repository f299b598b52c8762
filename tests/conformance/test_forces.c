/* Laws every force keeps, over the list of forces and 1000 random states each: action equals reaction with moments, the
 * ledger balances, pairs do not notice a common rigid motion, tangents are derivatives and never indefinite. */
#include "conformance/two_bodies.h"

#include "base/arena.h"
#include "elements/forces/force.h"

enum { SEEDS = 1000, PARAMS_AT_MOST = 1024 };

/* One force on random bodies. */
typedef struct setting {
    const carom_force_type *type;
    test_pair pair;
    double coordinate;
    double coordinate_rate;
    double mass;
    double values[FORCE_VALUES];
    double value_rates[FORCE_VALUES];
    _Alignas(16) unsigned char params[PARAMS_AT_MOST];
} setting;

#define FOR_EACH_FORCE(type)                                                    \
    for (const carom_kind *const *kind_ = carom_force_kinds(); *kind_; ++kind_) \
        for (const carom_force_type *type = (const carom_force_type *)*kind_; type; type = NULL)

static bool is(const carom_force_type *type, const char *name)
{
    return strcmp(type->kind.name, name) == 0;
}

static carom_force_frames frames_of(const setting *s)
{
    carom_force_frames f = {
        .a = marker_of(&s->pair.a),
        .b = marker_of(&s->pair.b),
        .coordinate = s->coordinate,
        .coordinate_rate = s->coordinate_rate,
        .mass = s->mass,
    };
    memcpy(f.values, s->values, sizeof f.values);
    memcpy(f.value_rates, s->value_rates, sizeof f.value_rates);
    return f;
}

static carom_force_effect effect_of(const setting *s)
{
    carom_force_frames f = frames_of(s);
    carom_force_effect e;
    s->type->effect(&e, &f, s->params);
    return e;
}

/* ---- random settings ---- */

static v3 random_positive(test_rng *rng, double size)
{
    v3 v = random_v3(rng, size);
    return v3_make(fabs(v.x), fabs(v.y), fabs(v.z));
}

static const double table_x[] = { -0.5, -0.1, 0.2, 0.9 };
static const double table_y[] = { -30.0, -8.0, 5.0, 60.0 };

static void random_spring(carom_spring_def *def, test_rng *rng)
{
    bool table = test_rng_uniform(rng, 0.0, 1.0) < 0.5;
    def->damping = test_rng_uniform(rng, 0.0, 5.0);
    def->preload = test_rng_uniform(rng, -3.0, 3.0);
    if (test_rng_uniform(rng, 0.0, 1.0) < 0.5) {
        def->free_length = test_rng_uniform(rng, 0.1, 1.0);
    }
    def->stiffness = table ? 0.0 : test_rng_uniform(rng, 1.0, 100.0);
    if (table) {
        def->table = (carom_curve){ 4, table_x, table_y, CAROM_CUBIC, CAROM_EXTRAPOLATE };
    }
}

static void random_params(setting *s, test_rng *rng)
{
    void *p = s->params;
    memcpy(p, s->type->kind.defaults, s->type->kind.size);
    if (is(s->type, "spring")) {
        random_spring(p, rng);
    } else if (is(s->type, "bushing")) {
        carom_bushing_def *def = p;
        def->stiffness = random_positive(rng, 50.0);
        def->damping = random_positive(rng, 5.0);
        def->angular_stiffness = random_positive(rng, 20.0);
        def->angular_damping = random_positive(rng, 2.0);
    } else if (is(s->type, "motor")) {
        *(carom_motor_def *)p = (carom_motor_def){ .mode = (int)test_rng_uniform(rng, 0.0, 3.0),
                                                   .gain = test_rng_uniform(rng, 1.0, 10.0),
                                                   .damping = test_rng_uniform(rng, 0.0, 2.0),
                                                   .limit = fmax(0.0, test_rng_uniform(rng, -3.0, 3.0)) };
    } else if (is(s->type, "drag")) {
        *(carom_drag_def *)p = (carom_drag_def){ .linear = test_rng_uniform(rng, 0.0, 2.0),
                                                 .quadratic = test_rng_uniform(rng, 0.0, 2.0),
                                                 .angular = test_rng_uniform(rng, 0.0, 2.0) };
    } else if (is(s->type, "gravity-field")) {
        *(carom_gravity_field_def *)p = (carom_gravity_field_def){ .center = { 2.0, 2.0, 2.0 }, .mu = 3.0 };
    } else if (is(s->type, "load")) {
        ((carom_load_def *)p)->follow = test_rng_uniform(rng, 0.0, 1.0) < 0.5;
    }
}

static void prepare(setting *s, carom_arena *arena)
{
    carom_error err = { 0 };
    carom_force_frames f = frames_of(s);
    CHECK(s->type->prepared_size <= PARAMS_AT_MOST && s->type->kind.size <= PARAMS_AT_MOST);
    if (s->type->prepare) {
        CHECK_OK(s->type->prepare(s->params, &f, arena, &err), err);
    }
}

/* A relative rotation of less than half a turn, and points that are apart. */
static setting random_setting(const carom_force_type *type, test_rng *rng, carom_arena *arena)
{
    test_body a = random_body(rng);
    setting s = { .type = type, .pair = { a, random_body(rng) }, .mass = 2.5 };
    quat q_am = q_mul(s.pair.a.q_wb, s.pair.a.q_bm);
    s.pair.b.q_wb = q_mul(q_mul(so3_exp(random_v3(rng, 1.0)), q_am), q_conj(s.pair.b.q_bm));
    s.pair.b.c_w = v3_add(s.pair.b.c_w, v3_make(2.5, 0.0, 0.0));
    s.coordinate = test_rng_uniform(rng, -1.0, 1.0);
    s.coordinate_rate = test_rng_uniform(rng, -1.0, 1.0);
    random_motion(s.values, FORCE_VALUES, rng);
    random_motion(s.value_rates, FORCE_VALUES, rng);
    random_params(&s, rng);
    prepare(&s, arena);
    double motion[12]; /* off the start, where a spring without free length would be relaxed */
    random_motion(motion, 12, rng);
    s.pair = pair_displaced(s.pair, motion, 0.2);
    return s;
}

/* ---- action and reaction ---- */

TEST(forces, on_pairs_are_equal_and_opposite_with_their_moments)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    FOR_EACH_FORCE(type) {
        FOR_EACH_SEED(rng, type->target == FORCE_ON_PAIR ? SEEDS : 0) {
            setting s = random_setting(type, &rng, &arena);
            carom_force_frames f = frames_of(&s);
            carom_force_effect e = effect_of(&s);
            v3 moment = v3_add(v3_cross(v3_sub(f.a.p_w, f.b.p_w), e.force_a), v3_add(e.torque_a, e.torque_b));
            CHECK_NEAR(v3_norm(moment), 0.0, 1e-12 * (1.0 + v3_norm(e.force_a) + v3_norm(e.torque_a)));
        }
    }
    carom_arena_free(&arena);
}

/* ---- the ledger ---- */

static double power_of(const setting *s)
{
    carom_force_frames f = frames_of(s);
    carom_force_effect e = effect_of(s);
    double power = v3_dot(e.force_a, f.a.v_w) + v3_dot(e.torque_a, f.a.omega_w);
    if (s->type->target == FORCE_ON_PAIR) {
        power += v3_dot(e.torque_b, f.b.omega_w) - v3_dot(e.force_a, f.b.v_w);
    }
    return power + e.generalised * s->coordinate_rate;
}

static double potential_after(const setting *s, double t)
{
    setting later = *s;
    later.pair = pair_coasting(s->pair, t);
    later.coordinate += t * s->coordinate_rate;
    return effect_of(&later).potential;
}

/* Extrapolated central differences: h^4 truncation, so that the balance is seen to nine digits. */
static double potential_rate(const setting *s)
{
    const double h = 2e-3;
    double near = (potential_after(s, h) - potential_after(s, -h)) / (2.0 * h);
    double far = (potential_after(s, 2.0 * h) - potential_after(s, -2.0 * h)) / (4.0 * h);
    return (4.0 * near - far) / 3.0;
}

TEST(forces, power_is_paid_from_potential_and_input_less_dissipation)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    FOR_EACH_FORCE(type) {
        FOR_EACH_SEED(rng, SEEDS) {
            setting s = random_setting(type, &rng, &arena);
            carom_force_effect e = effect_of(&s);
            double power = power_of(&s);
            CHECK_GE(e.dissipation, 0.0);
            CHECK_NEAR(-potential_rate(&s) - e.dissipation + e.input, power, 1e-7 * (10.0 + fabs(power)));
        }
    }
    carom_arena_free(&arena);
}

/* ---- objectivity ---- */

/* The whole scene turned and shifted, and moving along with a rigid velocity field V + W x p. */
static test_body carried(test_body body, quat turn, v3 shift, v3 V, v3 W)
{
    body.c_w = v3_add(q_rotate(turn, body.c_w), shift);
    body.q_wb = q_mul(turn, body.q_wb);
    body.v_w = v3_add(q_rotate(turn, body.v_w), v3_add(V, v3_cross(W, body.c_w)));
    body.omega_w = v3_add(q_rotate(turn, body.omega_w), W);
    return body;
}

TEST(forces, on_pairs_do_not_notice_a_common_rigid_motion)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    FOR_EACH_FORCE(type) {
        FOR_EACH_SEED(rng, type->target == FORCE_ON_PAIR ? SEEDS : 0) {
            setting s = random_setting(type, &rng, &arena);
            setting moved = s;
            quat turn = so3_exp(random_v3(&rng, 2.0));
            v3 shift = random_v3(&rng, 3.0);
            v3 V = random_v3(&rng, 3.0);
            v3 W = random_v3(&rng, 3.0);
            moved.pair.a = carried(s.pair.a, turn, shift, V, W);
            moved.pair.b = carried(s.pair.b, turn, shift, V, W);
            carom_force_effect e = effect_of(&s);
            carom_force_effect f = effect_of(&moved);
            double size = 1.0 + v3_norm(e.force_a) + v3_norm(e.torque_a);
            CHECK_NEAR(v3_norm(v3_sub(q_rotate(turn, e.force_a), f.force_a)), 0.0, 1e-11 * size);
            CHECK_NEAR(v3_norm(v3_sub(q_rotate(turn, e.torque_a), f.torque_a)), 0.0, 1e-11 * size);
            CHECK_NEAR(v3_norm(v3_sub(q_rotate(turn, e.torque_b), f.torque_b)), 0.0, 1e-11 * size);
            CHECK_NEAR(f.potential, e.potential, 1e-11 * (1.0 + fabs(e.potential)));
            CHECK_NEAR(f.dissipation, e.dissipation, 1e-10 * (1.0 + e.dissipation));
        }
    }
    carom_arena_free(&arena);
}

/* ---- tangents ---- */

/* Generalised forces on both bodies: wrenches about the centres of mass. */
static void wrenches(double out[12], const setting *s)
{
    carom_force_frames f = frames_of(s);
    carom_force_effect e = effect_of(s);
    bool pair = s->type->target == FORCE_ON_PAIR;
    v3 force_b = pair ? v3_neg(e.force_a) : v3_zero();
    v3_store(out, e.force_a);
    v3_store(out + 3, v3_add(e.torque_a, v3_cross(f.a.r_w, e.force_a)));
    v3_store(out + 6, force_b);
    v3_store(out + 9, v3_add(pair ? e.torque_b : v3_zero(), v3_cross(f.b.r_w, force_b)));
}

static void wrenches_moved(double out[12], const setting *s, int direction, double h)
{
    setting moved = *s;
    double motion[12] = { 0 };
    motion[direction] = 1.0;
    moved.pair = pair_displaced(s->pair, motion, h);
    wrenches(out, &moved);
}

static void wrenches_faster(double out[12], const setting *s, int direction, double h)
{
    setting faster = *s;
    double v[12];
    pair_velocity(v, &s->pair);
    v[direction] += h;
    pair_set_velocity(&faster.pair, v);
    wrenches(out, &faster);
}

/* Minus the derivative of the wrenches by position or velocity. */
static void difference_matrix(double out[12][12], const setting *s,
                              void (*changed)(double *, const setting *, int, double))
{
    const double h = 1e-5;
    for (int j = 0; j < 12; ++j) {
        double ahead[12];
        double behind[12];
        changed(ahead, s, j, h);
        changed(behind, s, j, -h);
        for (int i = 0; i < 12; ++i) {
            out[i][j] = -(ahead[i] - behind[i]) / (2.0 * h);
        }
    }
}

/* What the target uses must be written, so it arrives as NAN; the rest must not be touched. */
static carom_force_tangent tangent_of(const setting *s)
{
    carom_force_frames f = frames_of(s);
    carom_force_tangent T = { 0 };
    int used = s->type->target == FORCE_ON_PAIR ? 12 : s->type->target == FORCE_ON_BODY ? 6 : 0;
    for (int i = 0; i < used; ++i) {
        for (int j = 0; j < used; ++j) {
            T.stiffness[i][j] = T.damping[i][j] = (double)NAN;
        }
    }
    if (used == 0) {
        T.coordinate_stiffness = T.coordinate_damping = (double)NAN;
    }
    s->type->tangent(&T, &f, s->params);
    return T;
}

static void check_same_matrix(double (*found)[12], double (*expected)[12], double tolerance)
{
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 12; ++j) {
            CHECK_NEAR(found[i][j], expected[i][j], tolerance);
        }
    }
}

static void check_semidefinite(double (*matrix)[12], test_rng *rng)
{
    double largest = 0.0;
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 12; ++j) {
            largest = fmax(largest, fabs(matrix[i][j]));
            CHECK_NEAR(matrix[i][j], matrix[j][i], 1e-12 * largest);
        }
    }
    for (int trial = 0; trial < 10; ++trial) {
        double x[12];
        double image[12];
        random_motion(x, 12, rng);
        for (int i = 0; i < 12; ++i) {
            image[i] = dot_n(matrix[i], x, 12);
        }
        CHECK_GE(dot_n(x, image, 12), -1e-12 * largest);
    }
}

TEST(forces, tangents_are_symmetric_and_never_indefinite)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    FOR_EACH_FORCE(type) {
        FOR_EACH_SEED(rng, type->tangent ? SEEDS : 0) {
            setting s = random_setting(type, &rng, &arena);
            carom_force_tangent T = tangent_of(&s);
            check_semidefinite(T.stiffness, &rng);
            check_semidefinite(T.damping, &rng);
            CHECK_GE(T.coordinate_stiffness, 0.0);
            CHECK_GE(T.coordinate_damping, 0.0);
        }
    }
    carom_arena_free(&arena);
}

TEST(forces, damping_tangents_are_exact)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    FOR_EACH_FORCE(type) {
        FOR_EACH_SEED(rng, type->tangent && type->target != FORCE_ON_JOINT ? SEEDS : 0) {
            setting s = random_setting(type, &rng, &arena);
            carom_force_tangent T = tangent_of(&s);
            double quotient[12][12];
            difference_matrix(quotient, &s, wrenches_faster);
            check_same_matrix(T.damping, quotient, 1e-7);
        }
    }
    carom_arena_free(&arena);
}

static void make_symmetric(double matrix[12][12])
{
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < i; ++j) {
            matrix[i][j] = matrix[j][i] = 0.5 * (matrix[i][j] + matrix[j][i]);
        }
    }
}

/* What springs leave out on purpose: a lever arm r that turns under a force F, symmetric part (F.r) I - sym(r F^T). */
static void add_lever(double matrix[12][12], int at, v3 r, v3 F)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double outer = 0.5 * (v3_get(r, i) * v3_get(F, j) + v3_get(F, i) * v3_get(r, j));
            matrix[at + i][at + j] += (i == j ? v3_dot(F, r) : 0.0) - outer;
        }
    }
}

/* B moves along the line of the markers, so that the damping force does not depend on position. */
static void draw_apart(test_pair *pair, double speed)
{
    v3 n = v3_unit(v3_sub(marker_of(&pair->b).p_w, marker_of(&pair->a).p_w));
    pair_set_velocity(pair, (const double[12]){ 0 });
    pair->b.v_w = v3_scale(speed, n);
}

TEST(forces, spring_stiffness_is_exact_in_tension_but_for_turning_levers)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    FOR_EACH_SEED(rng, SEEDS) {
        setting s = random_setting(carom_force_type_find("spring"), &rng, &arena);
        draw_apart(&s.pair, test_rng_uniform(&rng, -1.0, 1.0));
        carom_force_frames f = frames_of(&s);
        carom_force_effect e = effect_of(&s);
        double quotient[12][12];
        difference_matrix(quotient, &s, wrenches_moved);
        make_symmetric(quotient);
        carom_force_tangent T = tangent_of(&s);
        add_lever(T.stiffness, 3, f.a.r_w, e.force_a);
        add_lever(T.stiffness, 9, f.b.r_w, v3_neg(e.force_a));
        bool pulls = v3_dot(e.force_a, v3_sub(f.b.p_w, f.a.p_w)) > 0.0;
        if (pulls) {
            check_same_matrix(T.stiffness, quotient, 1e-6);
        }
    }
    carom_arena_free(&arena);
}

TEST(forces, bushing_stiffness_is_exact_where_it_is_relaxed)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    FOR_EACH_SEED(rng, SEEDS) {
        setting s = random_setting(carom_force_type_find("bushing"), &rng, &arena);
        pair_set_velocity(&s.pair, (const double[12]){ 0 });
        marker a = marker_of(&s.pair.a);
        s.pair.b.q_wb = q_mul(q_from_matrix(a.R_w), q_conj(s.pair.b.q_bm));
        s.pair.b.c_w = v3_sub(a.p_w, q_rotate(s.pair.b.q_wb, s.pair.b.at_b));
        double quotient[12][12];
        difference_matrix(quotient, &s, wrenches_moved);
        carom_force_tangent T = tangent_of(&s);
        check_same_matrix(T.stiffness, quotient, 1e-7);
    }
    carom_arena_free(&arena);
}

/* With one component y of stiffness k alone, V = k y^2 / 2, and Gauss and Newton leave k (dy)^2 = (dV)^2 / (2 V). */
TEST(forces, bushing_stiffness_is_that_of_gauss_and_newton_elsewhere)
{
    TEST_UNUSED();
    carom_arena arena = { 0 };
    const double h = 1e-5;
    FOR_EACH_SEED(rng, SEEDS) {
        setting s = random_setting(carom_force_type_find("bushing"), &rng, &arena);
        double k[6] = { 0 };
        double motion[12];
        k[seed_ % 6] = 10.0;
        random_motion(motion, 12, &rng);
        carom_bushing_def def = { .stiffness = v3_load(k), .angular_stiffness = v3_load(k + 3) };
        memcpy(s.params, &def, sizeof def);
        setting ahead = s;
        setting behind = s;
        ahead.pair = pair_displaced(s.pair, motion, h);
        behind.pair = pair_displaced(s.pair, motion, -h);
        double V = effect_of(&s).potential;
        double V_rate = (effect_of(&ahead).potential - effect_of(&behind).potential) / (2.0 * h);
        carom_force_tangent T = tangent_of(&s);
        double form = 0.0;
        for (int i = 0; i < 12; ++i) {
            form += motion[i] * dot_n(T.stiffness[i], motion, 12);
        }
        if (V > 1e-3) {
            CHECK_NEAR(form, V_rate * V_rate / (2.0 * V), 1e-6 * (1.0 + form));
        }
    }
    carom_arena_free(&arena);
}

static double generalised_at(setting s, double coordinate, double rate)
{
    s.coordinate += coordinate;
    s.coordinate_rate += rate;
    return effect_of(&s).generalised;
}

TEST(forces, tangents_along_coordinates_are_exact)
{
    TEST_UNUSED();
    const double h = 1e-7;
    carom_arena arena = { 0 };
    FOR_EACH_FORCE(type) {
        FOR_EACH_SEED(rng, type->tangent && type->target == FORCE_ON_JOINT ? SEEDS : 0) {
            setting s = random_setting(type, &rng, &arena);
            carom_force_tangent T = tangent_of(&s);
            CHECK_NEAR(-(generalised_at(s, h, 0.0) - generalised_at(s, -h, 0.0)) / (2.0 * h), T.coordinate_stiffness,
                       1e-6);
            CHECK_NEAR(-(generalised_at(s, 0.0, h) - generalised_at(s, 0.0, -h)) / (2.0 * h), T.coordinate_damping,
                       1e-6);
        }
    }
    carom_arena_free(&arena);
}

TEST(forces, are_found_by_their_names)
{
    TEST_UNUSED();
    for (const carom_kind *const *kind = carom_force_kinds(); *kind; ++kind) {
        CHECK(&carom_force_type_find((*kind)->name)->kind == *kind);
    }
    CHECK(!carom_force_type_find("push"));
    CHECK(!carom_force_type_find(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(forces, on_pairs_are_equal_and_opposite_with_their_moments),
        RUN_TEST(forces, power_is_paid_from_potential_and_input_less_dissipation),
        RUN_TEST(forces, on_pairs_do_not_notice_a_common_rigid_motion),
        RUN_TEST(forces, tangents_are_symmetric_and_never_indefinite),
        RUN_TEST(forces, damping_tangents_are_exact),
        RUN_TEST(forces, spring_stiffness_is_exact_in_tension_but_for_turning_levers),
        RUN_TEST(forces, bushing_stiffness_is_exact_where_it_is_relaxed),
        RUN_TEST(forces, bushing_stiffness_is_that_of_gauss_and_newton_elsewhere),
        RUN_TEST(forces, tangents_along_coordinates_are_exact),
        RUN_TEST(forces, are_found_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
