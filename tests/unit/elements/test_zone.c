/* The kind `zone` against sums over all nodes with the shapes that it shows. */
#include "support/check.h"
#include "support/flexible_sample.h"
#include "support/random.h"

#include <math.h>
#include <stdlib.h>

#include "elements/bodies/zone.h"

static const double strip_divisions[2] = { 8, 2 };
static const carom_plane_mesh_def strip_mesh = { .length = 0.5, .height = 0.2, .divisions = { 2, strip_divisions } };
static const carom_box_nodes_def strip_zone = { { 0.1, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
static const double block_divisions[3] = { 4, 2, 2 };
static const carom_block_mesh_def block_mesh = { .size = { 0.5, 0.4, 0.3 },
                                                 .divisions = { 3, block_divisions },
                                                 .at = { 0.1, 0.2, -0.1 } };
static const carom_box_nodes_def block_zone = { { 0.15, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
static const carom_flexible_attachment_def right_average[2] = {
    { .name = "left", .nodes = { "group", &soft_left } },
    { .name = "right", .nodes = { "group", &soft_right }, .as = CAROM_ATTACH_AVERAGE },
};

enum { SAMPLES = 8 };

/* Three frames in the plane and in space; without attachments. */
static carom_flexible_def sample_at(int i)
{
    static const carom_flexible_frame frames[4] = { CAROM_FRAME_MEAN, CAROM_FRAME_CHORD, CAROM_FRAME_ATTACHMENT,
                                                    CAROM_FRAME_MEAN };
    carom_flexible_def def = soft_block(frames[i % 4], 5);
    bool plane = i < 4;
    def.as = CAROM_FLEXIBLE_ZONE;
    def.mesh = plane ? (carom_choice){ "strip", &strip_mesh } : (carom_choice){ "block", &block_mesh };
    def.thickness = 0.05;
    def.zone = (carom_choice){ "box", plane ? &strip_zone : &block_zone };
    def.attachments = (carom_list){ i % 4 == 3 ? 0 : 2, right_average };
    def.damping.ratio = 0.0;
    def.damping.stiffness = 0.03;
    return def;
}

static void make_sample(flexible_sample *s, int i)
{
    const carom_flexible_def def = sample_at(i);
    carom_error err = { 0 };
    CHECK_OK(flexible_sample_make(s, &carom_body_zone, &def, &soft_material, &err), err);
}

static body_frame random_frame(test_rng *rng)
{
    const quat turn = so3_exp(random_v3(rng, 2.0));
    return (body_frame){ { random_v3(rng, 1.0), turn },
                         { random_v3(rng, 1.0), random_v3(rng, 3.0) },
                         q_matrix(turn) };
}

static v3 shape_at(const zone_body *b, int node, int k)
{
    const double *u = b->all.shapes + 3 * (size_t)b->all.count * (size_t)node;
    return v3_make(u[k], u[b->all.count + k], u[2 * b->all.count + k]);
}

typedef struct truth {
    double *M, *f;
} truth;

/* Node by node, with velocities per column. */
static void sum_over_nodes(const flexible_sample *s, const body_frame *frame, const double *q, const double *q_dot,
                           truth *t)
{
    const zone_body *b = s->params;
    const int n = b->all.count;
    const int width = FRAME_COLUMNS + n;
    double *lumped = calloc((size_t)b->all.freedom_count, sizeof *lumped);
    v3 *move = calloc((size_t)width, sizeof *move);
    solid_mesh_lumped_mass(s->mesh, lumped);
    for (int i = 0; i < b->all.node_count; ++i) {
        v3 r = b->all.nodes[i], flow = v3_zero();
        double m = flexible_node_mass(&s->in, lumped, i);
        for (int k = 0; k < n; ++k) {
            r = v3_axpy(r, q[k], shape_at(b, i, k));
            flow = v3_axpy(flow, q_dot[k], shape_at(b, i, k));
            move[FRAME_COLUMNS + k] = m3_mulv(frame->R_w, shape_at(b, i, k));
        }
        const v3 r_w = m3_mulv(frame->R_w, r), omega = frame->rate.omega_w;
        const v3 bias = v3_axpy(v3_cross(omega, v3_cross(omega, r_w)), 2.0,
                                v3_cross(omega, m3_mulv(frame->R_w, flow)));
        for (int a = 0; a < 3; ++a) {
            move[a] = v3_make(a == 0, a == 1, a == 2);
            move[3 + a] = v3_cross(move[a], r_w);
        }
        for (int j = 0; j < width; ++j) {
            for (int k = 0; k < width; ++k) {
                t->M[j * width + k] += m * v3_dot(move[j], move[k]);
            }
            t->f[j] -= m * v3_dot(move[j], bias);
        }
    }
    /* thickness of planes */
    const m3 I_w = m3_rotate_tensor(frame->R_w, b->rest.turning);
    const v3 gyro = v3_cross(frame->rate.omega_w, m3_mulv(I_w, frame->rate.omega_w));
    for (int a = 0; a < 3; ++a) {
        t->f[3 + a] -= v3_get(gyro, a);
        for (int c = 0; c < 3; ++c) {
            t->M[(3 + a) * width + 3 + c] += I_w.m[3 * a + c];
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
            t->f[FRAME_COLUMNS + j] -= b->K[j * n + k] * (q[k] + b->damping * q_dot[k]);
        }
    }
    free(move);
    free(lumped);
}

static double difference(const double *a, const double *b, int count)
{
    double largest = 0.0, worst = 0.0;
    for (int k = 0; k < count; ++k) {
        largest = fmax(largest, fabs(b[k]));
        worst = fmax(worst, fabs(a[k] - b[k]));
    }
    return largest > 0.0 ? worst / largest : worst;
}

TEST(zone, mass_and_forces_are_sums_over_nodes)
{
    test_rng rng = test_rng_seed(3);
    double worst_mass = 0.0, worst_force = 0.0;
    for (int i = 0; i < SAMPLES; ++i) {
        flexible_sample s;
        make_sample(&s, i);
        const zone_body *b = s.params;
        const int n = b->all.count;
        const int width = FRAME_COLUMNS + n;
        const size_t size = (size_t)width * (size_t)width;
        CHECK(b->node_count > 3 && b->dense > 5);
        for (int round = 0; round < 4; ++round) {
            const body_frame frame = random_frame(&rng);
            double *q = calloc(2 * (size_t)n, sizeof *q);
            double *room = calloc(2 * size + 2 * (size_t)width, sizeof *room);
            double *M = room + size;
            double *f = M + size;
            truth t = { room, f + width };
            body_energy energy = { 0 };
            for (int k = 0; k < n; ++k) {
                q[k] = test_rng_uniform(&rng, -0.1, 0.1);
                q[n + k] = test_rng_uniform(&rng, -1.0, 1.0);
            }
            sum_over_nodes(&s, &frame, q, q + n, &t);
            carom_body_zone.mass(b, &frame, q, M);
            carom_body_zone.forces(b, &frame, q, q + n, f, &energy);
            worst_mass = fmax(worst_mass, difference(M, t.M, (int)size));
            worst_force = fmax(worst_force, difference(f, t.f, width));
            free(room);
            free(q);
        }
        flexible_sample_free(&s);
    }
    print_message("worst difference of mass %.2g, of forces %.2g\n", worst_mass, worst_force);
    CHECK_LE(worst_mass, 1e-12);
    CHECK_LE(worst_force, 1e-12);
}

/* The few numbers by which nodes of the zone move besides their own say what the shapes say. */
TEST(zone, nodes_move_as_their_shapes)
{
    test_rng rng = test_rng_seed(5);
    for (int i = 0; i < SAMPLES; ++i) {
        flexible_sample s;
        make_sample(&s, i);
        const zone_body *b = s.params;
        const int n = b->all.count;
        double *q = calloc(4 * (size_t)n, sizeof *q);
        const body_frame frame = random_frame(&rng);
        for (int k = 0; k < 2 * n; ++k) {
            q[k] = test_rng_uniform(&rng, -1.0, 1.0);
        }
        for (int node = 0; node < b->all.node_count; ++node) {
            body_point own = { .position = b->all.nodes[node], .orientation = q_identity() };
            body_point dense = own;
            v3 u, rate, expected = v3_zero(), expected_rate = v3_zero();
            carom_body_zone.attach_node(b, node, &own);
            dense.psi = b->all.shapes + 3 * (size_t)n * (size_t)node;
            dense.moves_only = true;
            carom_body_zone.displace(b, q, q + n, &own, &u, &rate);
            for (int k = 0; k < n; ++k) {
                expected = v3_axpy(expected, q[k], shape_at(b, node, k));
                expected_rate = v3_axpy(expected_rate, q[n + k], shape_at(b, node, k));
            }
            CHECK_LE(v3_norm(v3_sub(u, expected)), 1e-12 * v3_norm(expected) + 1e-13);
            CHECK_LE(v3_norm(v3_sub(rate, expected_rate)), 1e-12 * v3_norm(expected_rate) + 1e-13);
            const double row[FRAME_COLUMNS] = { 0.3, -0.7, 0.5, 0.1, 0.2, 0.4 };
            memset(q + 2 * n, 0, 2 * (size_t)n * sizeof *q);
            carom_body_zone.columns(b, &frame, q, &own, row, 2.0, q + 2 * n);
            carom_body_modes.columns(&b->all, &frame, q, &dense, row, 2.0, q + 3 * n);
            CHECK_LE(difference(q + 2 * n, q + 3 * n, n), 1e-12);
        }
        free(q);
        flexible_sample_free(&s);
    }
}

/* Energy of a deformation is that of the stiffness; power of f is what energies say. */
TEST(zone, books_of_forces_close)
{
    test_rng rng = test_rng_seed(7);
    for (int i = 0; i < SAMPLES; ++i) {
        flexible_sample s;
        make_sample(&s, i);
        const zone_body *b = s.params;
        const int n = b->all.count;
        const body_frame frame = { .pose.q_wb = q_identity(), .R_w = m3_identity() };
        double *q = calloc(4 * (size_t)n + FRAME_COLUMNS, sizeof *q);
        double *f = q + 2 * n;
        body_energy energy = { 0 };
        double power = 0.0, step = 1e-6;
        for (int k = 0; k < 2 * n; ++k) {
            q[k] = test_rng_uniform(&rng, -0.1, 0.1);
        }
        carom_body_zone.forces(b, &frame, q, q + n, f, &energy);
        for (int k = 0; k < n; ++k) {
            power += f[FRAME_COLUMNS + k] * q[n + k];
        }
        double before = carom_body_zone.strain_energy(b, q);
        CHECK_NEAR(before, energy.elastic, 1e-12 * before);
        for (int k = 0; k < n; ++k) {
            q[k] += 0.5 * step * q[n + k];
        }
        double high = carom_body_zone.strain_energy(b, q);
        for (int k = 0; k < n; ++k) {
            q[k] -= step * q[n + k];
        }
        double low = carom_body_zone.strain_energy(b, q);
        CHECK_NEAR(power, -(high - low) / step - energy.dissipation, 1e-6 * (fabs(power) + energy.dissipation));
        free(q);
        flexible_sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(zone, mass_and_forces_are_sums_over_nodes),
        RUN_TEST(zone, nodes_move_as_their_shapes),
        RUN_TEST(zone, books_of_forces_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
