/* Bodies of modes: mass and forces against sums over nodes, shapes against the finite elements they are made of, frequencies against
 * closed forms, and what is refused. */
#include <stdlib.h>

#include "support/check.h"
#include "support/flexible_sample.h"
#include "support/random.h"

#include "elements/flexible/component_modes.h"
#include "linalg/eigen.h"

#define PI 3.14159265358979323846
#define TWO_PI (2.0 * PI)

enum { MOST_WIDTH = 24 };

/* ---- samples --------------------------------------------------------------------------------------------------------- */

static const double strip_divisions[2] = { 4, 2 };
static const carom_plane_mesh_def strip_mesh = { .length = 0.5, .height = 0.2, .divisions = { 2, strip_divisions } };
static const carom_line_mesh_def bar_mesh = { .length = 0.5, .count = 6, .grading = 1.0 };
static const carom_round_section_def round_section = { .radius = 0.02 };

typedef struct named_sample {
    const char *name;
    carom_flexible_def def;
    const carom_material_def *material;
} named_sample;

static named_sample sample_at(int i)
{
    static const carom_flexible_frame frames[3] = { CAROM_FRAME_MEAN, CAROM_FRAME_CHORD, CAROM_FRAME_ATTACHMENT };
    named_sample s = { "block", soft_block(frames[i % 3], 4), &soft_material };
    if (i >= 3 && i < 6) {
        s = (named_sample){ "beam", soft_beam(frames[i % 3], 4), &beam_material };
    } else if (i >= 6 && i < 9) {
        s = (named_sample){ "strip", soft_block(frames[i % 3], 4), &soft_material };
        s.def.mesh = (carom_choice){ "strip", &strip_mesh };
        s.def.thickness = 0.05;
    } else if (i >= 9) {
        s = (named_sample){ "bar", soft_block(frames[i % 3], 3), &soft_material };
        s.def.mesh = (carom_choice){ "bar", &bar_mesh };
        s.def.section = (carom_choice){ "round", &round_section };
    }
    return s;
}

enum { SAMPLES = 12 };

static void make_sample(flexible_sample *out, int i)
{
    const named_sample s = sample_at(i);
    carom_error err = { 0 };
    CHECK_OK(flexible_sample_make(out, &carom_body_modes, &s.def, s.material, &err), err);
}

/* ---- sums over nodes ----------------------------------------------------------------------------------------------------- */

/* Per column of the body, what a node does: velocity, and angular velocity where nodes turn; with what accelerates them while all
 * accelerations of columns are zero. */
typedef struct node_motion {
    v3 move[MOST_WIDTH], turn[MOST_WIDTH];
    v3 bias;       /* of the velocity */
    v3 spin, gyro; /* angular velocity; omega x spin */
} node_motion;

typedef struct truth {
    double M[MOST_WIDTH * MOST_WIDTH], f[MOST_WIDTH];
} truth;

static v3 shape_of(const component_modes *c, int k, int node, int from)
{
    double x[3];
    for (int a = 0; a < 3; ++a) {
        int freedom = motion_freedom(&c->space, node, from + a);
        x[a] = freedom >= 0 ? c->shapes[(size_t)k * (size_t)c->space.freedoms + (size_t)freedom] : 0.0;
    }
    return v3_load(x);
}

/* In world axes: x + R (X + psi q) and its derivatives. */
static node_motion motion_of(const component_modes *c, const flexible_input *in, int node, const body_frame *frame,
                             const double *q, const double *q_dot)
{
    node_motion m = { 0 };
    v3 r = v3_sub(solid_mesh_node(in->mesh, node), in->centre);
    v3 flow = v3_zero(), turning = v3_zero();
    for (int k = 0; k < c->count; ++k) {
        v3 psi = shape_of(c, k, node, 0);
        v3 theta = shape_of(c, k, node, 3);
        r = v3_axpy(r, q[k], psi);
        flow = v3_axpy(flow, q_dot[k], psi);
        turning = v3_axpy(turning, q_dot[k], theta);
        m.move[FRAME_COLUMNS + k] = m3_mulv(frame->R_w, psi);
        m.turn[FRAME_COLUMNS + k] = m3_mulv(frame->R_w, theta);
    }
    const v3 r_w = m3_mulv(frame->R_w, r), omega = frame->rate.omega_w;
    for (int a = 0; a < 3; ++a) {
        const v3 axis = v3_make(a == 0, a == 1, a == 2);
        m.move[a] = axis;
        m.move[3 + a] = v3_cross(axis, r_w);
        m.turn[3 + a] = axis;
    }
    m.bias = v3_add(v3_cross(omega, v3_cross(omega, r_w)), v3_scale(2.0, v3_cross(omega, m3_mulv(frame->R_w, flow))));
    m.spin = v3_add(omega, m3_mulv(frame->R_w, turning));
    return m;
}

/* Inertia of a node that turns, in world axes; planes and bars have that of their thickness too, as the body says. */
static m3 node_inertia(const component_modes *c, int node, m3 R_w)
{
    double I[3];
    for (int a = 0; a < 3; ++a) {
        int freedom = motion_freedom(&c->space, node, 3 + a);
        I[a] = freedom >= 0 ? c->space.mass[freedom] : 0.0;
    }
    return m3_rotate_tensor(R_w, m3_diag(I[0], I[1], I[2]));
}

static void add_node(truth *t, int width, const node_motion *m, double mass, m3 I_w, v3 omega)
{
    const v3 momentum = m3_mulv(I_w, m->spin);
    for (int i = 0; i < width; ++i) {
        for (int k = 0; k < width; ++k) {
            t->M[i * width + k] += mass * v3_dot(m->move[i], m->move[k]) +
                                   v3_dot(m->turn[i], m3_mulv(I_w, m->turn[k]));
        }
        t->f[i] -= mass * v3_dot(m->move[i], m->bias);
    }
    /* The tensor is constant in body axes, so that its angular momentum turns with the frame: of the frame alone, because a
     * coordinate has no part in where the tensor is. */
    for (int a = 0; a < 3; ++a) {
        t->f[3 + a] -= v3_get(v3_cross(omega, momentum), a);
    }
}

static void sum_over_nodes(truth *t, const flexible_sample *s, const component_modes *c, const body_frame *frame,
                           const double *q, const double *q_dot)
{
    const modal_body *b = s->params;
    const int width = FRAME_COLUMNS + c->count;
    m3 lumped = { { 0.0 } };
    *t = (truth){ 0 };
    for (int i = 0; i < c->space.nodes; ++i) {
        const m3 I_w = node_inertia(c, i, frame->R_w);
        const node_motion m = motion_of(c, &s->in, i, frame, q, q_dot);
        add_node(t, width, &m, flexible_node_mass(&s->in, c->space.mass, i), I_w, frame->rate.omega_w);
        lumped = m3_add(lumped, I_w);
    }
    /* What the body has beyond its nodes: the thickness of planes, the cross section of bars. */
    node_motion still = { .spin = frame->rate.omega_w };
    for (int a = 0; a < 3; ++a) {
        still.turn[3 + a] = v3_make(a == 0, a == 1, a == 2);
    }
    add_node(t, width, &still, 0.0, m3_add(m3_rotate_tensor(frame->R_w, b->turning), m3_scale(-1.0, lumped)),
             frame->rate.omega_w);
    for (int k = 0; k < c->count; ++k) {
        t->f[FRAME_COLUMNS + k] -= b->omega2[k] * q[k] + b->damping[k] * q_dot[k];
    }
}

TEST(modes, mass_and_forces_are_sums_over_nodes)
{
    test_rng rng = test_rng_seed(11);
    double worst = 0.0;
    for (int i = 0; i < SAMPLES; ++i) {
        flexible_sample s;
        component_modes c;
        carom_error err = { 0 };
        make_sample(&s, i);
        CHECK_OK(component_modes_make(&c, &s.in, -1, &err), err);
        const int width = FRAME_COLUMNS + c.count;
        CHECK_LE(width, MOST_WIDTH);
        for (int n = 0; n < 10; ++n) {
            const quat turn = so3_exp(random_v3(&rng, 2.0));
            const body_frame frame = { { random_v3(&rng, 1.0), turn },
                                       { random_v3(&rng, 1.0), random_v3(&rng, 3.0) },
                                       q_matrix(turn) };
            double q[MOST_WIDTH], q_dot[MOST_WIDTH], M[MOST_WIDTH * MOST_WIDTH] = { 0.0 }, f[MOST_WIDTH] = { 0.0 };
            for (int k = 0; k < c.count; ++k) {
                q[k] = test_rng_uniform(&rng, -0.3, 0.3);
                q_dot[k] = test_rng_uniform(&rng, -2.0, 2.0);
            }
            truth t;
            body_energy energy = { 0 };
            sum_over_nodes(&t, &s, &c, &frame, q, q_dot);
            carom_body_modes.mass(s.params, &frame, q, M);
            carom_body_modes.forces(s.params, &frame, q, q_dot, f, &energy);
            double largest = 0.0, most = 0.0;
            for (int k = 0; k < width * width; ++k) {
                largest = fmax(largest, fabs(t.M[k]));
            }
            for (int k = 0; k < width; ++k) {
                most = fmax(most, fabs(t.f[k]));
            }
            for (int k = 0; k < width * width; ++k) {
                worst = fmax(worst, fabs(M[k] - t.M[k]) / largest);
            }
            for (int k = 0; k < width; ++k) {
                worst = fmax(worst, fabs(f[k] - t.f[k]) / most);
            }
        }
        component_modes_free(&c);
        flexible_sample_free(&s);
    }
    print_message("worst difference %.2g\n", worst);
    CHECK_LE(worst, 5e-14);
}

/* ---- shapes ---------------------------------------------------------------------------------------------------------------- */

/* shapes' M shapes = 1, shapes' K shapes = omega^2, and no momentum in the mean frame. */
TEST(modes, shapes_are_orthonormal_and_their_mean_motion_vanishes)
{
    for (int i = 0; i < SAMPLES; ++i) {
        const named_sample named = sample_at(i);
        flexible_sample s;
        component_modes c;
        carom_error err = { 0 };
        sparse_matrix *K = NULL;
        CHECK_OK(flexible_sample_prepare(&s, &named.def, named.material, &err), err);
        CHECK_OK(component_modes_make(&c, &s.in, -1, &err), err);
        CHECK_OK(solid_mesh_stiffness(s.mesh, NULL, &K, &err), err);
        const size_t freedoms = (size_t)c.space.freedoms;
        double *Ku = calloc(freedoms, sizeof *Ku);
        for (int k = 0; k < c.count; ++k) {
            const double *u = c.shapes + (size_t)k * freedoms;
            sparse_times(K, u, Ku);
            for (int l = 0; l < c.count; ++l) {
                const double *v = c.shapes + (size_t)l * freedoms;
                double stiffness = 0.0;
                for (size_t f = 0; f < freedoms; ++f) {
                    stiffness += v[f] * Ku[f];
                }
                CHECK_NEAR(motion_product(&c.space, u, v), k == l, 1e-12);
                CHECK_NEAR(stiffness / c.omega2[c.count - 1], k == l ? c.omega2[k] / c.omega2[c.count - 1] : 0.0,
                           1e-12);
            }
            for (int a = 0; a < c.space.count && named.def.frame == CAROM_FRAME_MEAN; ++a) {
                double *R = calloc(freedoms, sizeof *R);
                motion_add(&c.space, c.space.motions[a], s.in.centre, 1.0, NULL, 0, R);
                CHECK_NEAR(motion_product(&c.space, u, R), 0.0, 1e-12);
                free(R);
            }
            for (int a = 0; a < MOTIONS && named.def.frame != CAROM_FRAME_MEAN;
                 ++a) { /* the frame sits on the first attachment */
                bool sits = a < 3 || named.def.frame == CAROM_FRAME_ATTACHMENT;
                CHECK(!sits || fabs(c.places[0].psi[c.count * a + k]) < 1e-12);
            }
            for (int a = 1; a < 3 && named.def.frame == CAROM_FRAME_CHORD;
                 ++a) { /* the line to the second keeps its direction */
                CHECK_NEAR(c.places[1].psi[c.count * a + k], 0.0, 1e-12);
            }
        }
        free(Ku);
        sparse_destroy(K);
        component_modes_free(&c);
        flexible_sample_free(&s);
    }
}

/* A rigid motion of the mesh strains nothing: K R vanishes against the stiffness of a deformation of the same size. */
TEST(modes, rigid_motions_cost_no_strain_energy)
{
    for (int i = 0; i < SAMPLES; ++i) {
        flexible_sample s;
        component_modes c;
        sparse_matrix *K = NULL;
        carom_error err = { 0 };
        make_sample(&s, i);
        CHECK_OK(component_modes_make(&c, &s.in, -1, &err), err);
        CHECK_OK(solid_mesh_stiffness(s.mesh, NULL, &K, &err), err);
        const size_t freedoms = (size_t)c.space.freedoms;
        double *R = calloc(2 * freedoms, sizeof *R);
        for (int a = 0; a < c.space.count; ++a) {
            memset(R, 0, 2 * freedoms * sizeof *R);
            motion_add(&c.space, c.space.motions[a], s.in.centre, 1.0, NULL, 0, R);
            sparse_times(K, R, R + freedoms);
            double energy = 0.0;
            for (size_t f = 0; f < freedoms; ++f) {
                energy += R[f] * R[freedoms + f];
            }
            CHECK_LE(fabs(energy), 1e-12 * c.omega2[c.count - 1] * motion_product(&c.space, R, R));
        }
        free(R);
        sparse_destroy(K);
        component_modes_free(&c);
        flexible_sample_free(&s);
    }
}

/* Spaces within spaces: frequencies fall with every mode that is added and stay above those of the finite elements, whose
 * attachments are not rigid. */
TEST(modes, frequencies_fall_with_every_mode_towards_those_of_the_elements)
{
    for (int i = 0; i < SAMPLES; i += 3) {
        const named_sample named = sample_at(i);
        flexible_sample s;
        carom_error err = { 0 };
        sparse_matrix *K = NULL, *M = NULL;
        eigen_modes full = { 0 };
        component_modes few, more, all;
        CHECK_OK(flexible_sample_prepare(&s, &named.def, named.material, &err), err);
        CHECK_OK(component_modes_make(&few, &s.in, 3, &err), err);
        CHECK_OK(component_modes_make(&more, &s.in, 4, &err), err);
        CHECK_OK(component_modes_make(&all, &s.in, 10000, &err), err);
        CHECK_OK(solid_mesh_stiffness(s.mesh, all.space.absent, &K, &err), err);
        CHECK_OK(solid_mesh_mass(s.mesh, all.space.absent, true, &M, &err), err);
        const int rigid = all.space.count;
        const eigen_options options = { .count = sparse_size(K), .free = true, .dense = true };
        CHECK_OK(eigen_lowest(&full, K, M, &options, &err), err);
        CHECK(few.free_omega2[few.count - 1] > all.free_omega2[few.count - 1]);
        for (int k = 0; k < few.count; ++k) {
            CHECK(few.free_omega2[k] >= more.free_omega2[k] * (1.0 - 1e-9));
            CHECK(more.free_omega2[k] >= all.free_omega2[k] * (1.0 - 1e-9));
            CHECK(all.free_omega2[k] >= full.lambda[rigid + k] * (1.0 - 1e-9));
        }
        eigen_modes_free(&full);
        sparse_destroy(K);
        sparse_destroy(M);
        component_modes_free(&few);
        component_modes_free(&more);
        component_modes_free(&all);
        flexible_sample_free(&s);
    }
}

/* ---- frequencies ----------------------------------------------------------------------------------------------------------- */

static const carom_material_def steel = { .name = "steel", .young = 210e9, .poisson = 0.3, .density = 7850.0 };

static void make_modes(flexible_sample *s, component_modes *c, const carom_flexible_def *def)
{
    carom_error err = { 0 };
    CHECK_OK(flexible_sample_prepare(s, def, &steel, &err), err);
    CHECK_OK(component_modes_make(c, &s->in, -1, &err), err);
}

/* Lumped masses on springs, free at both ends: omega = 2 c/h sin(k pi h / (2 L)) to rounding. */
TEST(modes, frequencies_of_a_bar_are_those_of_masses_on_springs)
{
    const carom_line_mesh_def mesh = { .length = 1.0, .count = 50, .grading = 1.0 };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "bar", &mesh };
    def.section = (carom_choice){ "round", &round_section };
    def.modes.count = 8;
    flexible_sample s;
    component_modes c;
    make_modes(&s, &c, &def);
    CHECK_EQ(c.count, 8);
    const double speed = sqrt(steel.young / steel.density), h = mesh.length / mesh.count;
    for (int k = 0; k < c.count; ++k) {
        double omega = 2.0 * speed / h * sin((k + 1) * PI * h / (2.0 * mesh.length));
        CHECK_NEAR(sqrt(c.omega2[k]) / omega, 1.0, 1e-9);
        CHECK_EQ(c.sources[k].kind, SHAPE_FREE);
    }
    component_modes_free(&c);
    flexible_sample_free(&s);
}

/* Bending of a thin beam (beta L)^2 sqrt(EI/(rho A))/L^2, in two planes each; lumping costs a share below (beta h)^2/6 for
 * elements of length h, shear and rotary inertia less than 1e-4. */
TEST(modes, frequencies_of_beams_are_those_of_closed_forms)
{
    const carom_line_mesh_def mesh = { .length = 1.0, .count = 60, .grading = 1.0 };
    const carom_round_section_def section = { .radius = 0.001 };
    const double gyration = 0.0005;
    const double scale = gyration * sqrt(steel.young / steel.density);
    static const double free_free[3] = { 4.730040745, 7.853204624, 10.995607838 };
    static const double cantilever[3] = { 1.875104069, 4.694091133, 7.854757438 };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "beam", &mesh };
    def.section = (carom_choice){ "round", &section };
    def.modes.count = 12;
    for (int held = 0; held < 2; ++held) {
        flexible_sample s;
        component_modes c;
        def.attachments = (carom_list){ (size_t)held, soft_attachments };
        def.frame = held ? CAROM_FRAME_ATTACHMENT : CAROM_FRAME_MEAN;
        make_modes(&s, &c, &def);
        for (int k = 0; k < 6; ++k) {
            double beta = (held ? cantilever : free_free)[k / 2];
            CHECK_NEAR(sqrt(c.omega2[k]) / (beta * beta * scale), 1.0, beta * beta / (6.0 * 60.0 * 60.0) + 1e-4);
        }
        component_modes_free(&c);
        flexible_sample_free(&s);
    }
}

/* A cantilever shaken across: the first modes carry 61.3 and 18.8 % of its mass. */
TEST(modes, effective_masses_of_a_cantilever_are_those_of_closed_forms)
{
    const carom_line_mesh_def mesh = { .length = 1.0, .count = 60, .grading = 1.0 };
    const carom_rectangle_section_def section = { .height = 0.01, .width = 0.02 };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "beam", &mesh };
    def.section = (carom_choice){ "rectangle", &section };
    def.attachments = (carom_list){ 1, soft_attachments };
    flexible_sample s;
    component_modes c;
    make_modes(&s, &c, &def);
    CHECK_EQ(c.sources[0].kind, SHAPE_FIXED);
    CHECK_NEAR(c.sources[0].effective[1] / s.in.mass, 0.6131,
               2e-3); /* across its height first: it is the weaker way */
    CHECK_NEAR(c.sources[0].effective[2] / s.in.mass, 0.0, 1e-9);
    CHECK_NEAR(c.sources[1].effective[2] / s.in.mass, 0.6131, 2e-3);
    CHECK_NEAR(c.sources[2].effective[1] / s.in.mass, 0.1883, 2e-3);
    component_modes_free(&c);
    flexible_sample_free(&s);
}

/* A free square plate: 13.47, 19.60, 24.27 sqrt(D/(rho h))/a^2 with poisson 0.3 [Leissa1973]. */
TEST(modes, frequencies_of_a_free_plate_are_those_of_the_literature)
{
    static const double divisions[3] = { 16, 16, 1 };
    static const double known[3] = { 13.468, 19.596, 24.270 };
    const carom_block_mesh_def mesh = { .size = { 1.0, 1.0, 0.01 }, .divisions = { 3, divisions } };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "plate", &mesh };
    def.modes.count = 4;
    flexible_sample s;
    component_modes c;
    make_modes(&s, &c, &def);
    const double D = steel.young * 1e-6 / (12.0 * (1.0 - 0.09));
    const double scale = sqrt(D / (steel.density * 0.01));
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(sqrt(c.omega2[k]) / (known[k] * scale), 1.0, 0.015);
    }
    component_modes_free(&c);
    flexible_sample_free(&s);
}

/* A cube of two kinds of elements, none of which knows the other; `up_to` keeps what lies below, and nothing else. */
TEST(modes, frequencies_of_a_block_do_not_depend_on_the_element)
{
    static const double fine[3] = { 6, 6, 6 }, coarse[3] = { 3, 3, 3 };
    const carom_block_mesh_def hexahedra = { .size = { 0.1, 0.1, 0.1 }, .divisions = { 3, fine } };
    const carom_block_mesh_def tetrahedra = { .size = { 0.1, 0.1, 0.1 }, .divisions = { 3, coarse } };
    carom_flexible_def def = carom_flexible_def_default();
    double first[2];
    for (int i = 0; i < 2; ++i) {
        flexible_sample s;
        component_modes c;
        def.mesh = (carom_choice){ "block", i ? &tetrahedra : &hexahedra };
        def.element = i ? "tetrahedron10" : NULL;
        def.modes = (carom_modes_def){ .up_to = 25e3 };
        make_modes(&s, &c, &def);
        CHECK(c.count > 2 && sqrt(c.omega2[c.count - 1]) < TWO_PI * 25e3);
        first[i] = sqrt(c.omega2[0]);
        component_modes_free(&c);
        flexible_sample_free(&s);
    }
    CHECK_NEAR(first[1] / first[0], 1.0, 0.03);
}

/* ---- attachments ----------------------------------------------------------------------------------------------------------- */

/* Deflection along y of the second attachment per force on it [m/N], the first one held, by static shapes alone. */
static double compliance_of(carom_flexible_def def, carom_attachment_rule rule)
{
    carom_flexible_attachment_def attachments[2] = { soft_attachments[0], soft_attachments[1] };
    attachments[1].as = rule;
    def.attachments = (carom_list){ 2, attachments };
    def.modes = (carom_modes_def){ .count = 0, .up_to = 0.0 };
    def.frame = CAROM_FRAME_ATTACHMENT;
    flexible_sample s;
    component_modes c;
    make_modes(&s, &c, &def);
    double compliance = 0.0;
    for (int k = 0; k < c.count; ++k) {
        double psi = c.places[1].psi[c.count + k];
        compliance += psi * psi / c.omega2[k];
    }
    component_modes_free(&c);
    flexible_sample_free(&s);
    return compliance;
}

/* Of a beam 1 m long, 0.1 m high and 0.05 m wide, with shear. */
static double beam_compliance(void)
{
    const double I = 0.05 * 0.1 * 0.1 * 0.1 / 12.0;
    const double shear_stiffness = 5.0 / 6.0 * (0.1 * 0.05) * steel.young / 2.6;
    return 1.0 / (3.0 * steel.young * I) + 1.0 / shear_stiffness;
}

/* A force at an attachment bends the body as far as the finite elements: by P L^3/(3 E I) + P L/(k G A). */
static double tip_compliance(carom_attachment_rule rule)
{
    const carom_line_mesh_def mesh = { .length = 1.0, .count = 8, .grading = 1.0 };
    const carom_rectangle_section_def section = { .height = 0.1, .width = 0.05 };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "beam", &mesh };
    def.section = (carom_choice){ "rectangle", &section };
    return compliance_of(def, rule);
}

TEST(modes, static_shapes_bend_as_far_as_the_closed_form)
{
    const double known = beam_compliance();
    CHECK_NEAR(tip_compliance(CAROM_ATTACH_RIGID) / known, 1.0, 1e-9);
    CHECK_NEAR(tip_compliance(CAROM_ATTACH_AVERAGE) / known, 1.0, 1e-9);
}

/* The same of solids: a block of hexahedra or of tetrahedra with ten nodes, against the beam it nearly is. A rigid section cannot
 * contract across, which stiffens a stretch at the wall of the order of its width, a tenth of the length: by a share of about
 * poisson^2 of what it bends, a hundredth in all; as much again is allowed for two cells across. */
static double solid_compliance(const char *element, carom_attachment_rule rule)
{
    static const double divisions[3] = { 20, 2, 2 };
    const carom_block_mesh_def mesh = { .size = { 1.0, 0.1, 0.05 }, .divisions = { 3, divisions } };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "block", &mesh };
    def.element = element;
    return compliance_of(def, rule);
}

TEST(modes, static_shapes_of_solids_bend_nearly_as_beams)
{
    const double known = beam_compliance();
    static const char *const elements[] = { "hexahedron8", "tetrahedron10" };
    for (int k = 0; k < 2; ++k) {
        CHECK_NEAR(solid_compliance(elements[k], CAROM_ATTACH_RIGID) / known, 1.0, 0.02);
        CHECK_NEAR(solid_compliance(elements[k], CAROM_ATTACH_AVERAGE) / known, 1.0, 0.02);
    }
}

/* Averages alone: the free body between two loads. A bar that is pulled at both ends by unit forces grows by L/(E A). */
TEST(modes, averaging_attachments_balance_loads_of_the_free_body)
{
    const carom_line_mesh_def mesh = { .length = 1.0, .count = 10, .grading = 1.0 };
    carom_flexible_attachment_def attachments[2] = { soft_attachments[0], soft_attachments[1] };
    carom_flexible_def def = carom_flexible_def_default();
    attachments[0].as = attachments[1].as = CAROM_ATTACH_AVERAGE;
    def.mesh = (carom_choice){ "beam", &mesh };
    def.section = (carom_choice){ "round", &round_section };
    def.attachments = (carom_list){ 2, attachments };
    def.modes.count = 2;
    flexible_sample s;
    component_modes c;
    make_modes(&s, &c, &def);
    double growth = 0.0;
    for (int k = 0; k < c.count; ++k) {
        double psi = c.places[1].psi[k] - c.places[0].psi[k];
        growth += psi * psi / c.omega2[k];
    }
    CHECK_NEAR(growth * steel.young * PI * 4e-4, 1.0, 1e-9);
    /* A load at one end that inertia alone balances bends the body as far as with all modes there are; static shapes then say nothing new. */
    component_modes all;
    carom_error err = { 0 };
    CHECK_OK(component_modes_make(&all, &s.in, 10000, &err), err);
    CHECK_EQ(all.dropped, 12);
    for (int a = 0; a < MOTIONS; ++a) {
        double few = 0.0, full = 0.0;
        for (int k = 0; k < c.count; ++k) {
            few += c.places[0].psi[c.count * a + k] * c.places[0].psi[c.count * a + k] / c.omega2[k];
        }
        for (int k = 0; k < all.count; ++k) {
            full += all.places[0].psi[all.count * a + k] * all.places[0].psi[all.count * a + k] / all.omega2[k];
        }
        CHECK_NEAR(few / full, 1.0, 1e-7);
    }
    component_modes_free(&all);
    component_modes_free(&c);
    flexible_sample_free(&s);
}

/* ---- probes ---------------------------------------------------------------------------------------------------------------- */

/* Pulled beam: strain 1/(E A) per force at any fibre; bent beam: M y/(E I), tension on the side that grows longer. */
TEST(modes, gauges_on_beams_see_axial_force_and_bending)
{
    const carom_line_mesh_def mesh = { .length = 1.0, .count = 8, .grading = 1.0 };
    const carom_rectangle_section_def section = { .height = 0.1, .width = 0.05 };
    static const double along[3] = { 1.0, 0.0, 0.0 };
    const carom_probe_def probes[3] = { { .name = "top", .at = { 0.0, 0.05, 0.0 }, .along = { 3, along } },
                                        { .name = "side", .at = { 0.0, 0.0, 0.025 }, .along = { 3, along } },
                                        { .name = "end", .at = { 0.5, 0.0, 0.0 } } };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "beam", &mesh };
    def.section = (carom_choice){ "rectangle", &section };
    def.attachments = (carom_list){ 2, soft_attachments };
    def.frame = CAROM_FRAME_ATTACHMENT;
    def.probes = (carom_list){ 3, probes };
    flexible_sample s;
    carom_error err = { 0 };
    CHECK_OK(flexible_sample_make(&s, &carom_body_modes, &def, &steel, &err), err);
    const modal_body *b = s.params;
    const double A = 0.1 * 0.05, Iz = 0.05 * 1e-3 / 12.0, Iy = 0.1 * 1.25e-4 / 12.0;
    double strain[3][2] = { { 0.0 } }, moved[3] = { 0.0 };
    for (int load = 0; load < 3; ++load) { /* a force along x, y, z at the end: M = F (1/2) in the middle */
        for (int k = 0; k < b->count; ++k) {
            double q = b->places[1].psi[b->count * load + k] / b->omega2[k];
            strain[load][0] += b->probes[0].gauge[k] * q;
            strain[load][1] += b->probes[1].gauge[k] * q;
            moved[load] += b->probes[2].psi[b->count * load + k] * q;
        }
    }
    CHECK_NEAR(strain[0][0] * steel.young * A, 1.0, 1e-9);
    CHECK_NEAR(strain[0][1] * steel.young * A, 1.0, 1e-9);
    CHECK_NEAR(strain[1][0] * steel.young * Iz / (0.5 * 0.05), -1.0, 1e-9);
    CHECK_NEAR(strain[1][1] * steel.young * A, 0.0, 1e-9);
    CHECK_NEAR(strain[2][1] * steel.young * Iy / (0.5 * 0.025), -1.0, 1e-9);
    CHECK_NEAR(strain[2][0] * steel.young * A, 0.0, 1e-9);
    CHECK_NEAR(moved[0] * steel.young * A, 1.0, 1e-9);
    flexible_sample_free(&s);
}

/* A block that is pulled: strain s/E along, -nu s/E across, at any point, also on faces between elements. */
TEST(modes, gauges_in_solids_see_uniform_strain)
{
    static const double divisions[3] = { 4, 2, 2 };
    static const double along[3] = { 1.0, 0.0, 0.0 }, across[3] = { 0.0, 2.0, 0.0 };
    const carom_block_mesh_def mesh = { .size = { 0.4, 0.1, 0.1 }, .divisions = { 3, divisions } };
    const carom_probe_def probes[2] = { { .name = "a", .at = { 0.0, 0.05, 0.0 }, .along = { 3, along } },
                                        { .name = "b", .at = { 0.013, 0.011, -0.017 }, .along = { 3, across } } };
    const carom_material_def still = { .name = "still", .young = 210e9, .poisson = 0.0, .density = 7850.0 };
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "block", &mesh };
    def.attachments = (carom_list){ 2, soft_attachments };
    def.frame = CAROM_FRAME_ATTACHMENT;
    def.probes = (carom_list){ 2, probes };
    flexible_sample s;
    carom_error err = { 0 };
    CHECK_OK(flexible_sample_make(&s, &carom_body_modes, &def, &still, &err), err);
    const modal_body *b = s.params;
    double strain[2] = { 0.0 };
    for (int k = 0; k < b->count; ++k) {
        double q = b->places[1].psi[k] / b->omega2[k];
        strain[0] += b->probes[0].gauge[k] * q;
        strain[1] += b->probes[1].gauge[k] * q;
    }
    CHECK_NEAR(strain[0] * still.young * 0.01, 1.0, 1e-9);
    CHECK_NEAR(strain[1] * still.young * 0.01, 0.0, 1e-9);
    flexible_sample_free(&s);
}

/* ---- what is refused --------------------------------------------------------------------------------------------------------- */

static void refused(const carom_flexible_def *def, const char *sentence)
{
    flexible_sample s;
    carom_error err = { 0 };
    CHECK_EQ(flexible_sample_make(&s, &carom_body_modes, def, &soft_material, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, sentence);
    flexible_sample_free(&s);
}

TEST(modes, what_cannot_be_is_refused_by_name)
{
    const carom_group_nodes_def nowhere = { "left" };
    const carom_box_nodes_def empty = { { 5.0, 5.0, 5.0 }, { 6.0, 6.0, 6.0 } };
    const carom_place_nodes_def beside = { { 0.11, 0.2, -0.1 } };
    const carom_place_nodes_def corner = { { -0.15, 0.0, -0.25 } };
    const carom_probe_def outside = { .name = "gauge", .at = { 3.0, 0.0, 0.0 } };
    carom_flexible_attachment_def one = { .name = "hinge", .nodes = { "group", &nowhere } };
    carom_flexible_def def = soft_block(CAROM_FRAME_MEAN, 3);
    def.attachments = (carom_list){ 1, &one };
    refused(&def,
            "attachment 'hinge' names the group 'left', which the mesh does not have; its groups: x_min, x_max");
    one.nodes = (carom_choice){ "box", &empty };
    refused(&def, "attachment 'hinge': no node lies in the box from (5, 5, 5) to (6, 6, 6) m; the node nearest");
    one.nodes = (carom_choice){ "at", &beside };
    refused(&def, "attachment 'hinge': no node is at (0.11, 0.2, -0.1) m; the nearest one");
    one.nodes = (carom_choice){ "at", &corner };
    refused(&def, "attachment 'hinge' has 1 node, which cannot tell how the body turns there");
    def = soft_block(CAROM_FRAME_CHORD, 3);
    def.attachments.count = 1;
    refused(&def, "'frame' is 'chord' and needs two attachments; there is 1");
    carom_flexible_attachment_def twice[2] = { soft_attachments[0], soft_attachments[0] };
    twice[1].name = "again";
    def = soft_block(CAROM_FRAME_MEAN, 3);
    def.attachments = (carom_list){ 2, twice };
    refused(&def, "node 0 is in the rigid attachments 'left' and 'again'");
    def = soft_block(CAROM_FRAME_MEAN, 100000);
    refused(&def, "100000 modes are asked for; the mesh has");
    def = soft_block(CAROM_FRAME_MEAN, 0);
    def.attachments.count = 1;
    refused(&def, "nothing of it deforms");
    def = soft_block(CAROM_FRAME_MEAN, 3);
    def.probes = (carom_list){ 1, &outside };
    refused(&def, "the probe 'gauge' at (3, 0, 0) m lies in no element of the mesh");
    def = soft_block(CAROM_FRAME_MEAN, 3);
    def.element = "quad4";
    refused(&def, "a 'block' cannot be made of elements of the kind 'quad4'");
}

/* Two blocks that share no node are no body, unless a rigid attachment joins them. */
TEST(modes, meshes_that_fall_apart_are_refused)
{
    carom_flexible_def def = soft_block(CAROM_FRAME_MEAN, 3);
    carom_error err = { 0 };
    flexible_sample s;
    component_modes c;
    def.attachments.count = 0;
    CHECK_OK(flexible_sample_prepare(&s, &def, &soft_material, &err), err);
    volume_mesh two = { 0 };
    for (int copy = 0; copy < 2; ++copy) {
        int first = two.node_count;
        for (int i = 0; i < s.cells.node_count; ++i) {
            CHECK(volume_mesh_add_node(&two, v3_add(s.cells.nodes[i], v3_make(2.0 * copy, 0.0, 0.0))));
        }
        for (int k = 0; k < s.cells.cell_count; ++k) {
            volume_cell cell = s.cells.cells[k];
            for (int i = 0; i < cell_kind_nodes(cell.kind); ++i) {
                cell.nodes[i] += first;
            }
            CHECK(volume_mesh_add_cell(&two, cell.kind, cell.nodes));
        }
    }
    solid_mesh *mesh = NULL;
    CHECK_OK(flexible_solid_make(&mesh, &s.material, &two, &def, &soft_material, &err), err);
    flexible_input in = { .body = "two", .def = &def, .cells = &two, .mesh = mesh, .material = &s.material };
    CHECK_EQ(flexible_input_make(&in, &s.arena, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "the mesh falls apart: nothing connects node 0 at");
    const carom_box_nodes_def between = { { 0.34, -1.0, -1.0 }, { 1.86, 1.0, 1.0 } };
    const carom_flexible_attachment_def bridge = { .name = "bridge", .nodes = { "box", &between } };
    def.attachments = (carom_list){ 1, &bridge };
    CHECK_OK(flexible_input_make(&in, &s.arena, &err), err);
    CHECK_OK(component_modes_make(&c, &in, -1, &err), err);
    CHECK(c.omega2[0] > 1e-6 * c.omega2[c.count - 1]);
    component_modes_free(&c);
    solid_mesh_destroy(mesh);
    volume_mesh_free(&two);
    flexible_sample_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(modes, mass_and_forces_are_sums_over_nodes),
        RUN_TEST(modes, shapes_are_orthonormal_and_their_mean_motion_vanishes),
        RUN_TEST(modes, rigid_motions_cost_no_strain_energy),
        RUN_TEST(modes, frequencies_fall_with_every_mode_towards_those_of_the_elements),
        RUN_TEST(modes, frequencies_of_a_bar_are_those_of_masses_on_springs),
        RUN_TEST(modes, frequencies_of_beams_are_those_of_closed_forms),
        RUN_TEST(modes, effective_masses_of_a_cantilever_are_those_of_closed_forms),
        RUN_TEST(modes, frequencies_of_a_free_plate_are_those_of_the_literature),
        RUN_TEST(modes, frequencies_of_a_block_do_not_depend_on_the_element),
        RUN_TEST(modes, static_shapes_bend_as_far_as_the_closed_form),
        RUN_TEST(modes, static_shapes_of_solids_bend_nearly_as_beams),
        RUN_TEST(modes, averaging_attachments_balance_loads_of_the_free_body),
        RUN_TEST(modes, gauges_on_beams_see_axial_force_and_bending),
        RUN_TEST(modes, gauges_in_solids_see_uniform_strain),
        RUN_TEST(modes, what_cannot_be_is_refused_by_name),
        RUN_TEST(modes, meshes_that_fall_apart_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
