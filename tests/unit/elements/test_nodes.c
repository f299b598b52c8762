/* Bodies in nodal coordinates: co-rotation costs rigid motions nothing, forces are the gradient of the strain energy and keep both
 * momenta, the critical step is that of the dense eigenvalue, and waves in a bar are exact at the unit Courant number. */
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "elements/bodies/nodes.h"
#include "linalg/eigen.h"
#include "math/quat.h"

typedef struct sample {
    volume_mesh cells;
    solid_mesh *mesh;
    nodal_body *body;
    nodal_work *work;
    int n, d;
    double *u, *v, *f, *g;
} sample;

static solid_material steel(void)
{
    solid_material m = solid_material_default;
    m.young = 2.0e11;
    m.poisson = 0.3;
    m.density = 8000.0;
    m.thickness = 0.01;
    m.section.area = 1e-4;
    return m;
}

static void make(sample *s, cell_kind kind, const char *type, const volume_axis *axes, nodal_def def)
{
    carom_error err = { 0 };
    const solid_part part = { .type = solid_type_find(type), .material = steel() };
    *s = (sample){ 0 };
    CHECK_OK(volume_mesh_grid(&s->cells, kind, axes, &err), err);
    CHECK_OK(solid_mesh_create(&s->mesh, &s->cells, &part, 1, &err), err);
    def.mesh = s->mesh;
    CHECK_OK(nodal_create(&s->body, &def, &err), err);
    CHECK_OK(nodal_work_create(&s->work, s->body, &err), err);
    s->n = nodal_coordinate_count(s->body);
    s->d = nodal_dimension(s->body);
    s->u = calloc(4 * (size_t)s->n, sizeof *s->u);
    CHECK(s->u != NULL);
    s->v = s->u + s->n;
    s->f = s->v + s->n;
    s->g = s->f + s->n;
}

static void drop(sample *s)
{
    free(s->u);
    nodal_work_destroy(s->work);
    nodal_destroy(s->body);
    solid_mesh_destroy(s->mesh);
    volume_mesh_free(&s->cells);
}

static const volume_axis box[3] = { { 0.1, 0.4, 5, 2.0 }, { -0.1, 0.1, 2, 0.5 }, { 0.2, 0.05, 2, 1.0 } };
static const int chord[2] = { 0, 5 };

static void all_kinds(sample *s, int k)
{
    static const nodal_rotation rotations[5] = { ROTATION_WHOLE, ROTATION_SET, ROTATION_ELEMENT, ROTATION_WHOLE,
                                                 ROTATION_ELEMENT };
    bool solid = k > 2;
    make(s, solid ? CELL_HEXAHEDRON8 : CELL_QUAD4, solid ? "hexahedron8" : "quad4", box,
         (nodal_def){ .rotation = rotations[k], .set = chord, .set_count = 2, .damping = 1e-6 });
}

/* A large rigid motion, and on top of it a deformation of the given size. */
static void displace(sample *s, double angle, double size)
{
    v3 axis = s->d == 3 ? v3_unit(v3_make(1.0, -2.0, 0.5)) : v3_make(0.0, 0.0, 1.0);
    m3 R = q_matrix(q_axis_angle(axis, angle));
    for (int i = 0; i < nodal_node_count(s->body); ++i) {
        v3 X = nodal_place(s->body, i);
        v3 bend = v3_make(size * sin(9.0 * X.y + 3.0 * X.x), size * cos(7.0 * X.x + 5.0 * X.z),
                          s->d == 3 ? size * sin(4.0 * X.x * X.y + 20.0 * X.z) : 0.0);
        v3 x = v3_add(m3_mulv(R, v3_add(X, bend)), v3_make(3.0, -2.0, s->d == 3 ? 1.0 : 0.0));
        v3 spin = v3_scale(3.0, axis);
        v3 v = v3_add(v3_cross(spin, x), v3_scale(5.0, m3_mulv(R, bend)));
        node_store(s->u, s->d, i, v3_sub(x, X));
        node_store(s->v, s->d, i, v);
    }
}

TEST(nodes, a_rigid_motion_costs_no_strain_energy)
{
    for (int k = 0; k < 5; ++k) {
        sample s;
        all_kinds(&s, k);
        displace(&s, 0.02, 1e-4);
        nodal_energy small = nodal_forces(s.body, s.work, s.u, s.v, s.f);
        CHECK(small.strain > 0.0);
        displace(&s, 2.3, 0.0);
        nodal_energy turned = nodal_forces(s.body, s.work, s.u, s.v, s.f);
        CHECK_LE(turned.strain, 1e-12 * small.strain);
        CHECK_LE(turned.dissipation, 1e-12 * small.dissipation);
        corotation_frame frame = nodal_fit(s.body, s.u, s.v);
        CHECK_NEAR(v3_norm(frame.omega), 3.0, 1e-12);
        CHECK_NEAR(m3_trace(frame.A), 1.0 + 2.0 * cos(2.3), 1e-13);
        drop(&s);
    }
}

TEST(nodes, forces_keep_both_momenta)
{
    for (int k = 0; k < 5; ++k) {
        sample s;
        v3 force = v3_zero();
        v3 moment = v3_zero();
        double size = 0.0;
        all_kinds(&s, k);
        displace(&s, 1.1, 0.01); /* rotations within the body of more than a tenth */
        nodal_forces(s.body, s.work, s.u, s.v, s.f);
        for (int i = 0; i < nodal_node_count(s.body); ++i) {
            v3 f = node_load(s.f, s.d, i);
            v3 x = v3_add(nodal_place(s.body, i), node_load(s.u, s.d, i));
            force = v3_add(force, f);
            moment = v3_add(moment, v3_cross(x, f));
            size += v3_norm(f);
        }
        CHECK_LE(v3_norm(force), 1e-13 * size);
        CHECK_LE(v3_norm(moment), 1e-12 * size); /* lever arms of 4 m */
        drop(&s);
    }
}

/* Central differences of the energy: what is left is their truncation and rounding. */
TEST(nodes, forces_are_the_gradient_of_the_strain_energy)
{
    for (int k = 0; k < 5; ++k) {
        sample s;
        const double step = 1e-6;
        double worst = 0.0;
        double size = 0.0;
        all_kinds(&s, k);
        displace(&s, 1.1, 0.01);
        memset(s.v, 0, (size_t)s.n * sizeof *s.v);
        nodal_forces(s.body, s.work, s.u, s.v, s.f);
        for (int c = 0; c < s.n; ++c) {
            double at = s.u[c];
            s.u[c] = at + step;
            double plus = nodal_forces(s.body, s.work, s.u, s.v, s.g).strain;
            s.u[c] = at - step;
            double minus = nodal_forces(s.body, s.work, s.u, s.v, s.g).strain;
            s.u[c] = at;
            worst = fmax(worst, fabs(s.f[c] + (plus - minus) / (2.0 * step)));
            size = fmax(size, fabs(s.f[c]));
        }
        CHECK_LE(worst, 1e-6 * size);
        drop(&s);
    }
}

/* Power of the forces = -d(strain)/dt - dissipation, along a motion that deforms and turns. */
TEST(nodes, damping_takes_what_the_books_say)
{
    for (int k = 0; k < 5; ++k) {
        sample s;
        const double dt = 1e-7;
        double power = 0.0;
        all_kinds(&s, k);
        displace(&s, 0.7, 0.01);
        nodal_energy now = nodal_forces(s.body, s.work, s.u, s.v, s.f);
        for (int c = 0; c < s.n; ++c) {
            power += s.f[c] * s.v[c];
        }
        double change[2];
        for (int side = 0; side < 2; ++side) {
            for (int c = 0; c < s.n; ++c) {
                s.u[c] += (side == 0 ? -1.0 : 2.0) * dt * s.v[c];
            }
            change[side] = nodal_forces(s.body, s.work, s.u, s.v, s.g).strain;
        }
        CHECK(now.dissipation > 0.0);
        CHECK_NEAR((power + now.dissipation) * 2.0 * dt / (change[0] - change[1]), 1.0, 1e-5);
        drop(&s);
    }
}

TEST(nodes, the_critical_step_is_that_of_the_highest_mode)
{
    for (int k = 0; k < 3; k += 2) {
        sample s;
        carom_error err = { 0 };
        sparse_matrix *K, *M;
        eigen_modes modes;
        all_kinds(&s, k);
        CHECK_OK(solid_mesh_stiffness(s.mesh, NULL, &K, &err), err);
        CHECK_OK(solid_mesh_mass(s.mesh, NULL, true, &M, &err), err);
        const eigen_options options = { .count = s.n, .free = true, .dense = true };
        CHECK_OK(eigen_lowest(&modes, K, M, &options, &err), err);
        double exact = sqrt(modes.lambda[s.n - 1]);
        double omega = nodal_fastest_vibration(s.body).omega;
        CHECK_LE(omega, exact * (1.0 + 1e-12));
        CHECK_NEAR(omega / exact, 1.0, 1e-5);
        double xi = 0.5e-6 * omega;
        CHECK_NEAR(nodal_critical_step(s.body, omega), 2.0 / omega * (sqrt(1.0 + xi * xi) - xi), 1e-15);
        eigen_modes_free(&modes);
        sparse_destroy(K);
        sparse_destroy(M);
        drop(&s);
    }
}

/* Central differences at dt = h/c are exact for a lumped bar: a step of velocity runs one element per step. */
TEST(nodes, waves_in_a_bar_are_exact_at_the_unit_courant_number)
{
    enum { N = 50 };
    sample s;
    const volume_axis along = { 0.0, 1.0, N, 1.0 };
    make(&s, CELL_LINE2, "bar", &along, (nodal_def){ .rotation = ROTATION_WHOLE });
    CHECK_EQ(s.d, 1);
    const double c = sqrt(2.0e11 / 8000.0);
    const double dt = 1.0 / N / c;
    CHECK_NEAR(nodal_critical_step(s.body, nodal_fastest_vibration(s.body).omega) / dt, 1.0, 1e-5);
    const double force = 1000.0; /* at the first node from the first step on: the front jumps by F / (rho c A) */
    const double jump = force / (8000.0 * c * 1e-4);
    for (int step = 0; step < N / 2; ++step) {
        nodal_forces(s.body, s.work, s.u, s.v, s.f);
        for (int k = 0; k < s.n; ++k) {
            double push = k == 0 ? (step == 0 ? 0.5 : 1.0) * force : 0.0;
            s.v[k] += dt * (s.f[k] + push) / nodal_mass(s.body)[k];
            s.u[k] += dt * s.v[k];
        }
        for (int k = 0; k <= step + 1; ++k) {
            CHECK_NEAR(s.v[k], k <= step ? jump : 0.0, 1e-10 * jump);
        }
    }
    double strain[SOLID_STRAINS], stress[SOLID_STRAINS];
    nodal_strain(s.body, s.u, 3, (double[3]){ 0.0, 0.0, 0.0 }, strain, stress);
    CHECK_NEAR(strain[STRAIN_AXIAL] * c / jump, -1.0, 1e-9);
    CHECK_NEAR(stress[STRAIN_AXIAL] / -force, 1.0, 1e-9);
    drop(&s);
}

TEST(nodes, what_cannot_be_is_refused_by_name)
{
    carom_error err = { 0 };
    volume_mesh cells;
    solid_mesh *mesh;
    nodal_body *body;
    const volume_axis along = { 0.0, 1.0, 3, 1.0 };
    solid_part part = { .type = solid_type_find("timoshenko-beam"), .material = steel() };
    part.material.section = (solid_section){ 3e-4, 2e-8, 5e-8, 4e-8, 0.85, 0.8, { 0.0, 1.0, 0.0 } };
    CHECK_OK(volume_mesh_grid(&cells, CELL_LINE2, &along, &err), err);
    CHECK_OK(solid_mesh_create(&mesh, &cells, &part, 1, &err), err);
    CHECK_EQ(nodal_create(&body, &(nodal_def){ .mesh = mesh }, &err), CAROM_BAD_INPUT);
    CHECK(strstr(err.message, "timoshenko-beam"));
    solid_mesh_destroy(mesh);
    cells.nodes[1].y = 0.1;
    part.type = solid_type_find("bar");
    CHECK_OK(solid_mesh_create(&mesh, &cells, &part, 1, &err), err);
    CHECK_EQ(nodal_create(&body, &(nodal_def){ .mesh = mesh }, &err), CAROM_BAD_INPUT);
    CHECK(strstr(err.message, "straight"));
    solid_mesh_destroy(mesh);
    volume_mesh_free(&cells);
    static const int one[1] = { 0 };
    CHECK_OK(volume_mesh_grid(&cells, CELL_QUAD4, box, &err), err);
    part.type = solid_type_find("quad4");
    CHECK_OK(solid_mesh_create(&mesh, &cells, &part, 1, &err), err);
    CHECK_EQ(nodal_create(&body, &(nodal_def){ mesh, ROTATION_SET, one, 1, 0.0 }, &err), CAROM_BAD_INPUT);
    CHECK(strstr(err.message, "two places"));
    solid_mesh_destroy(mesh);
    volume_mesh_free(&cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(nodes, a_rigid_motion_costs_no_strain_energy),
        RUN_TEST(nodes, forces_keep_both_momenta),
        RUN_TEST(nodes, forces_are_the_gradient_of_the_strain_energy),
        RUN_TEST(nodes, damping_takes_what_the_books_say),
        RUN_TEST(nodes, the_critical_step_is_that_of_the_highest_mode),
        RUN_TEST(nodes, waves_in_a_bar_are_exact_at_the_unit_courant_number),
        RUN_TEST(nodes, what_cannot_be_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
