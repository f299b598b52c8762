/* Every kind of body, the listed ones (those of finite elements in several samples) and the carrier of tests: mass, forces, energies, points and twists belong together. All
 * is compared with differences along motions, so that no kind is compared with itself. */
#include "support/carrier.h"
#include "support/check.h"
#include "support/flexible_sample.h"
#include "support/random.h"

#include "elements/bodies/zone.h"
#include "linalg/dense.h"

enum { MOST_WIDTH = 80, SEEDS = 20 };

typedef struct sample_body {
    const carom_body_type *type;
    const void *params;
    body_point points[4];
    int point_count;
    carom_arena arena;
    flexible_sample flexible; /* of kinds of finite elements */
} sample_body;

static const rigid_body rigid_sample = { 2.5, { { 0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.5 } } };

/* Bodies of finite elements: solids and beams, in each of the frames, with and without shortening. */
enum { FLEXIBLE_SAMPLES = 7, SOLID_SAMPLES = 3 };

static void make_flexible(flexible_sample *out, const carom_body_type *type, int which)
{
    static const carom_flexible_frame frames[3] = { CAROM_FRAME_MEAN, CAROM_FRAME_CHORD, CAROM_FRAME_ATTACHMENT };
    const bool beam = which >= SOLID_SAMPLES;
    carom_flexible_def def = beam ? soft_beam(frames[which % 3], 4) : soft_block(frames[which % 3], 3);
    def.stiffening = which != 0 && which != SOLID_SAMPLES;
    if (type ==
        &carom_body_zone) { /* all nodes but those of both attachments; what sits on the first moves with its frame */
        static const carom_box_nodes_def middle = { { -0.14, -1.0, -1.0 }, { 0.34, 1.0, 1.0 } };
        def = soft_block(frames[which % 2], 0);
        def.zone = (carom_choice){ "box", &middle };
        def.damping.ratio = 0.0;
        def.stiffening = false;
    }
    carom_error err = { 0 };
    CHECK_OK(flexible_sample_make(out, type, &def, beam ? &beam_material : &soft_material, &err), err);
}

static int sample_count(const carom_body_type *type)
{
    return type == &carom_body_zone ? 2 : type->make ? FLEXIBLE_SAMPLES : 1;
}

/* A body of the kind with markers all over it; false: there is no sample. */
static bool sample_of(const carom_body_type *type, int which, sample_body *out)
{
    v3 places[4] = { { 0.1, 0.2, -0.3 }, carrier_masses[0].at, carrier_masses[1].at, carrier_masses[2].at };
    *out = (sample_body){ .type = type, .point_count = 4 };
    out->params = type == &carom_body_rigid ? (const void *)&rigid_sample
                  : type == &carrier_type   ? (const void *)&carrier_sample
                                            : NULL;
    if (type->make) {
        make_flexible(&out->flexible, type, which);
        out->params = out->flexible.params;
        for (int k = 0; k < 4; ++k) { /* middles and corners of both attachments */
            const flexible_attachment *a = &out->flexible.in.attachments[k % 2];
            v3 middle = v3_scale(0.5, v3_add(a->low, a->high));
            places[k] = v3_sub(k < 2 ? middle : a->high, out->flexible.in.centre);
        }
    }
    for (int k = 0; out->params && k < 4; ++k) {
        carom_error err = { 0 };
        out->points[k] = (body_point){ .position = places[k],
                                       .orientation = q_axis_angle(v3_make(0.6, 0.0, 0.8), 0.3 * k) };
        CHECK_OK(type->attach(out->params, &out->points[k], &out->arena, &err), err);
    }
    return out->params != NULL;
}

static int width_of(const sample_body *b)
{
    return FRAME_COLUMNS + b->type->coordinate_count(b->params);
}

/* A state of one body: velocities u = [v; omega; q']. */
typedef struct body_state {
    body_pose pose;
    double q[MOST_WIDTH];
    double u[MOST_WIDTH];
} body_state;

static double any(test_rng *r, double most)
{
    return test_rng_uniform(r, -most, most);
}

static body_state random_state(test_rng *r, const sample_body *b)
{
    body_state s = { .pose = { { any(r, 1.0), any(r, 1.0), any(r, 1.0) },
                               q_unit((quat){ any(r, 1.0), any(r, 1.0), any(r, 1.0), 1.1 }) } };
    for (int k = 0; k < width_of(b); ++k) {
        s.u[k] = any(r, 2.0);
        s.q[k] = any(r, 0.1);
    }
    return s;
}

static body_frame frame_of(const body_state *s)
{
    return (body_frame){ s->pose, { v3_load(s->u), v3_load(s->u + 3) }, q_matrix(s->pose.q_wb) };
}

/* A time h later with the accelerations a. */
static body_state later(const body_state *s, const sample_body *b, const double *a, double h)
{
    body_state out = *s;
    double mean[MOST_WIDTH];
    for (int k = 0; k < width_of(b); ++k) {
        out.u[k] += h * a[k];
        mean[k] = s->u[k] + 0.5 * h * a[k];
    }
    out.pose.x_w = v3_axpy(s->pose.x_w, h, v3_load(mean));
    out.pose.q_wb = q_unit(q_mul(so3_exp(v3_scale(h, v3_load(mean + 3))), s->pose.q_wb));
    for (int k = FRAME_COLUMNS; k < width_of(b); ++k) {
        out.q[k - FRAME_COLUMNS] += h * mean[k];
    }
    return out;
}

static void mass_of(const sample_body *b, const body_state *s, double *M)
{
    const body_frame frame = frame_of(s);
    memset(M, 0, (size_t)width_of(b) * (size_t)width_of(b) * sizeof *M);
    b->type->mass(b->params, &frame, s->q, M);
}

static body_energy forces_of(const sample_body *b, const body_state *s, double *f)
{
    const body_frame frame = frame_of(s);
    body_energy energy = { 0 };
    memset(f, 0, MOST_WIDTH * sizeof *f);
    b->type->forces(b->params, &frame, s->q, s->u + FRAME_COLUMNS, f, &energy);
    return energy;
}

/* Accelerations of the body on its own. */
static void accelerations_of(const sample_body *b, const body_state *s, double *a)
{
    double M[MOST_WIDTH * MOST_WIDTH];
    double scratch[8 * MOST_WIDTH];
    mass_of(b, s, M);
    forces_of(b, s, a);
    dense_solve(M, a, width_of(b), 0.0, scratch);
}

typedef struct books {
    double energy;
    v3 momentum, angular_momentum;
} books;

static books books_of(const sample_body *b, const body_state *s)
{
    int n = width_of(b);
    double M[MOST_WIDTH * MOST_WIDTH], f[MOST_WIDTH], p[MOST_WIDTH] = { 0.0 };
    books out = { .energy = forces_of(b, s, f).elastic };
    mass_of(b, s, M);
    for (int i = 0; i < n * n; ++i) {
        p[i / n] += M[i] * s->u[i % n];
        out.energy += 0.5 * M[i] * s->u[i / n] * s->u[i % n];
    }
    out.momentum = v3_load(p);
    out.angular_momentum = v3_add(v3_load(p + 3), v3_cross(s->pose.x_w, out.momentum));
    return out;
}

/* All kinds of the list, then the carrier. */
static const carom_body_type *kind_at(int i)
{
    int count = 0;
    while (carom_body_types()[count]) {
        ++count;
    }
    return i < count ? carom_body_types()[i] : i == count ? &carrier_type : NULL;
}

static void over_all(void (*check)(const sample_body *b, test_rng *r))
{
    for (int i = 0; kind_at(i); ++i) {
        for (int which = 0; which < sample_count(kind_at(i)); ++which) {
            sample_body b;
            test_rng r = test_rng_seed(7 + (uint64_t)i);
            CHECK(sample_of(kind_at(i), which, &b)); /* a new kind needs a sample above */
            CHECK_LE(width_of(&b), MOST_WIDTH);
            for (int n = 0; n < SEEDS; ++n) {
                check(&b, &r);
            }
            carom_arena_free(&b.arena);
            flexible_sample_free(&b.flexible);
        }
    }
}

/* ---- laws ------------------------------------------------------------------------------------------------------------ */

static void check_definite(const sample_body *b, test_rng *r)
{
    int n = width_of(b);
    double M[MOST_WIDTH * MOST_WIDTH];
    body_state s = random_state(r, b);
    mass_of(b, &s, M);
    for (int i = 0; i < n * n; ++i) {
        CHECK_NEAR(M[i], M[i % n * n + i / n], 1e-15);
    }
    for (int k = 0; k < n; ++k) { /* elimination: all pivots are positive */
        CHECK(M[k * n + k] > 0.0);
        for (int i = k + 1; i < n; ++i) {
            for (int j = n - 1; j >= k; --j) {
                M[i * n + j] -= M[i * n + k] / M[k * n + k] * M[k * n + j];
            }
        }
    }
}

TEST(bodies, mass_is_symmetric_and_positive_definite)
{
    over_all(check_definite);
}

/* On its own the body keeps its momenta, and its energy changes by what is dissipated. */
static void check_books(const sample_body *b, test_rng *r)
{
    const double h = 1e-5; /* errors of differences go with its square */
    double a[MOST_WIDTH], f[MOST_WIDTH];
    body_state s = random_state(r, b);
    accelerations_of(b, &s, a);
    body_state before = later(&s, b, a, -h);
    body_state after = later(&s, b, a, h);
    books one = books_of(b, &before);
    books two = books_of(b, &after);
    CHECK_NEAR((two.energy - one.energy) / (2.0 * h), -forces_of(b, &s, f).dissipation, 1e-5);
    CHECK_LE(v3_norm(v3_sub(two.momentum, one.momentum)) / (2.0 * h), 1e-5);
    CHECK_LE(v3_norm(v3_sub(two.angular_momentum, one.angular_momentum)) / (2.0 * h), 1e-5);
}

TEST(bodies, books_balance_along_the_motion)
{
    over_all(check_books);
}

/* At rest: f = -dV/dq, and the tangent is minus the derivative of f. */
static void check_stiffness(const sample_body *b, test_rng *r)
{
    const double h = 1e-6;
    int n = width_of(b);
    double f[MOST_WIDTH], one[MOST_WIDTH], two[MOST_WIDTH];
    double K[MOST_WIDTH * MOST_WIDTH] = { 0.0 }, D[MOST_WIDTH * MOST_WIDTH] = { 0.0 };
    body_state s = random_state(r, b);
    memset(s.u, 0, sizeof s.u);
    forces_of(b, &s, f);
    if (b->type->tangent) {
        b->type->tangent(b->params, s.q, 1.0, 0.0, K);
        b->type->tangent(b->params, s.q, 0.0, 1.0, D);
    }
    for (int k = FRAME_COLUMNS; k < n; ++k) {
        body_state low = s, high = s, slow = s, fast = s;
        low.q[k - FRAME_COLUMNS] -= h;
        high.q[k - FRAME_COLUMNS] += h;
        slow.u[k] -= h;
        fast.u[k] += h;
        double slope = (forces_of(b, &high, two).elastic - forces_of(b, &low, one).elastic) / (2.0 * h);
        CHECK_NEAR(f[k], -slope, 1e-7);
        for (int i = FRAME_COLUMNS; i < n; ++i) {
            CHECK_NEAR(K[n * i + k], (one[i] - two[i]) / (2.0 * h), 1e-6);
        }
        forces_of(b, &slow, one);
        forces_of(b, &fast, two);
        for (int i = FRAME_COLUMNS; i < n; ++i) {
            CHECK_NEAR(D[n * i + k], (one[i] - two[i]) / (2.0 * h), 1e-6);
        }
    }
}

TEST(bodies, forces_at_rest_are_minus_the_slope_of_the_energy)
{
    over_all(check_stiffness);
}

static point_motion point_at(const sample_body *b, const body_state *s, const body_point *p)
{
    const body_frame frame = frame_of(s);
    point_motion out = { .marker = marker_on(&frame.pose, &frame.R_w, &frame.rate, p) };
    if (p->psi) {
        b->type->point(b->params, &frame, s->q, s->u + FRAME_COLUMNS, p, &out);
    }
    return out;
}

/* The rate of change of the axes of a marker, as an angular velocity. */
static v3 spin_between(const marker *one, const marker *two, double dt)
{
    return v3_scale(1.0 / dt, so3_log(q_mul(q_from_matrix(two->R_w), q_conj(q_from_matrix(one->R_w)))));
}

/* Velocities are the derivatives of positions; c and alpha those of velocities while all accelerations are zero. */
static void check_points(const sample_body *b, test_rng *r)
{
    const double h = 1e-5;
    const double none[MOST_WIDTH] = { 0.0 };
    body_state s = random_state(r, b);
    body_state before = later(&s, b, none, -h);
    body_state after = later(&s, b, none, h);
    for (int k = 0; k < b->point_count; ++k) {
        point_motion now = point_at(b, &s, &b->points[k]);
        point_motion one = point_at(b, &before, &b->points[k]);
        point_motion two = point_at(b, &after, &b->points[k]);
        v3 v = v3_scale(0.5 / h, v3_sub(two.marker.p_w, one.marker.p_w));
        v3 c = v3_scale(0.5 / h, v3_sub(two.marker.v_w, one.marker.v_w));
        v3 alpha = v3_scale(0.5 / h, v3_sub(two.marker.omega_w, one.marker.omega_w));
        CHECK_LE(v3_norm(v3_sub(now.marker.v_w, v)), 1e-7);
        CHECK_LE(v3_norm(v3_sub(now.marker.c_w, c)), 1e-6);
        CHECK_LE(v3_norm(v3_sub(now.alpha_w, alpha)), 1e-6);
        CHECK_LE(v3_norm(v3_sub(now.marker.omega_w, spin_between(&one.marker, &two.marker, 2.0 * h))), 1e-6);
        CHECK_LE(v3_norm(v3_sub(now.marker.r_w, v3_sub(now.marker.p_w, s.pose.x_w))), 1e-15);
    }
}

TEST(bodies, velocities_of_points_are_derivatives_of_their_positions)
{
    over_all(check_points);
}

/* Velocities are linear in the rates: a twist is what a unit rate adds. */
static void check_twists(const sample_body *b, test_rng *r)
{
    body_state s = random_state(r, b);
    const body_frame frame = frame_of(&s);
    for (int k = 0; k < b->point_count; ++k) {
        const body_point *p = &b->points[k];
        point_motion now = point_at(b, &s, p);
        for (int c = FRAME_COLUMNS; p->psi && c < width_of(b); ++c) {
            double twist[FRAME_COLUMNS];
            body_state faster = s;
            faster.u[c] += 1.0;
            point_motion then = point_at(b, &faster, p);
            b->type->twist(b->params, &frame, s.q, p, c - FRAME_COLUMNS, twist);
            v3 omega = v3_load(twist + 3);
            v3 v = v3_add(v3_load(twist), v3_cross(omega, now.marker.r_w));
            const double rounding = 1e-14 * fmax(1.0, fmax(v3_norm(then.marker.v_w), v3_norm(then.marker.omega_w)));
            CHECK_LE(v3_norm(v3_sub(v, v3_sub(then.marker.v_w, now.marker.v_w))), rounding);
            CHECK_LE(v3_norm(v3_sub(omega, v3_sub(then.marker.omega_w, now.marker.omega_w))), rounding);
            /* Undeformed: shapes of second order add to it with the deformation. */
            memset(faster.q, 0, sizeof faster.q);
            const point_motion straight = point_at(b, &faster, p);
            b->type->twist(b->params, &frame, faster.q, p, c - FRAME_COLUMNS, twist);
            v = v3_add(v3_load(twist), v3_cross(v3_load(twist + 3), straight.marker.r_w));
            CHECK_LE(v3_norm(v), b->type->displacement(b->params, c - FRAME_COLUMNS) * (1.0 + 1e-14));
        }
    }
}

TEST(bodies, twists_are_the_derivatives_of_velocities_by_rates)
{
    over_all(check_twists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(bodies, mass_is_symmetric_and_positive_definite),
        RUN_TEST(bodies, books_balance_along_the_motion),
        RUN_TEST(bodies, forces_at_rest_are_minus_the_slope_of_the_energy),
        RUN_TEST(bodies, velocities_of_points_are_derivatives_of_their_positions),
        RUN_TEST(bodies, twists_are_the_derivatives_of_velocities_by_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
