/* Finite elements against closed forms: bending, beams under loads, a thick cylinder. */
#include "support/patch.h"

static const double KAPPA = 0.7;

/* Pure bending about z: exact in plane stress and in space. */
static v3 bent(const solid_type *type, const solid_material *m, v3 X)
{
    double nu = m->poisson;
    double z = type->dimension == 3 ? X.z : 0.0;
    return v3_make(KAPPA * X.x * X.y, -0.5 * KAPPA * (X.x * X.x + nu * (X.y * X.y - z * z)), -nu * KAPPA * X.y * z);
}

static void bend(const solid_type *type, const solid_material *m, const v3 *X, double *u)
{
    for (int i = 0; i < type->node_count; ++i) {
        patch_put(type, bent(type, m, X[i]), v3_zero(), u + type->dimension * i);
    }
}

static void check_bent_strain(const solid_type *type, const solid_material *m, const v3 *X, const double *u,
                              const double xi[3])
{
    double weights[SOLID_NODES];
    double strain[SOLID_STRAINS];
    double stress[SOLID_STRAINS];
    double y = 0.0;
    type->weights(type, xi, weights);
    for (int i = 0; i < type->node_count; ++i) {
        y += weights[i] * X[i].y;
    }
    type->strain(type, X, m, u, xi, strain);
    type->stress(type, m, strain, stress);
    for (int a = 0; a < SOLID_STRAINS; ++a) {
        double expected = a == STRAIN_XX ? KAPPA * y : a <= STRAIN_ZZ ? -m->poisson * KAPPA * y : 0.0;
        CHECK_NEAR(strain[a], expected, 1e-13);
        CHECK_NEAR(stress[a] / m->young, a == STRAIN_XX ? KAPPA * y : 0.0, 1e-13);
    }
}

/* One rectangular element bends without shear, whatever its shape: the incompatible modes. */
TEST(solids, a_rectangle_and_a_block_bend_exactly)
{
    static const char *const names[2] = { "quad4", "hexahedron8" };
    for (int k = 0; k < 2; ++k) {
        const solid_type *type = solid_type_find(names[k]);
        solid_material m = patch_material();
        v3 X[SOLID_NODES];
        double K[SOLID_FREEDOMS * SOLID_FREEDOMS];
        double u[SOLID_FREEDOMS];
        const double length = 3.0;
        const double height = 0.2;
        double width = type->dimension == 3 ? 0.5 : m.thickness;
        for (int i = 0; i < type->node_count; ++i) {
            const double *xi = type->nodes[i];
            X[i] = v3_make(0.5 * length * (1.0 + xi[0]), 0.5 * height * xi[1], 0.5 * width * xi[2]);
        }
        type->stiffness(type, X, &m, K);
        bend(type, &m, X, u);
        double energy = 0.5 * m.young * width * height * height * height / 12.0 * KAPPA * KAPPA * length;
        /* Rounding counts (length / height)^2 times: so much larger is the energy without the modes. */
        CHECK_NEAR(0.5 * patch_product(K, u, u, solid_freedom_count(type)) / energy, 1.0,
                   1e-12 * length * length / (height * height));
        check_bent_strain(type, &m, X, u, (const double[3]){ 0.3, -0.6, 0.2 });
    }
}

TEST(solids, quadratic_simplices_bend_exactly)
{
    static const char *const names[2] = { "triangle6", "tetrahedron10" };
    static const int edges[6][2] = { { 0, 1 }, { 1, 2 }, { 2, 0 }, { 0, 3 }, { 1, 3 }, { 2, 3 } };
    for (int k = 0; k < 2; ++k) {
        const solid_type *type = solid_type_find(names[k]);
        int corners = type->dimension + 1;
        solid_material m = patch_material();
        v3 X[SOLID_NODES] = { { 0.1, 0.2, 0 }, { 0.9, 0.1, 0 }, { 0.3, 0.8, 0 }, { 0.2, 0.4, 0.7 } };
        double u[SOLID_FREEDOMS];
        for (int e = 0; e < type->node_count - corners; ++e) {
            X[corners + e] = v3_scale(0.5, v3_add(X[edges[e][0]], X[edges[e][1]]));
        }
        bend(type, &m, X, u);
        check_bent_strain(type, &m, X, u, (const double[3]){ 0.2, 0.3, type->dimension == 3 ? 0.1 : 0.0 });
    }
}

/* ---- beams ---- */

/* The displacements of the second node under a force and a torque there, the first clamped. */
static void load_tip(const solid_type *type, const v3 *X, const solid_material *m, const double *load, double *tip)
{
    double K[SOLID_FREEDOMS * SOLID_FREEDOMS];
    double A[36];
    double scratch[64];
    int n = solid_freedom_count(type);
    int half = n / 2;
    type->stiffness(type, X, m, K);
    for (int r = 0; r < half; ++r) {
        tip[r] = load[r];
        for (int c = 0; c < half; ++c) {
            A[r * half + c] = K[(half + r) * n + half + c];
        }
    }
    CHECK_EQ(dense_solve(A, tip, half, 1e-14, scratch), half);
}

/* P L^3 / 3 E I and P L / k G A from a single element. */
TEST(solids, cantilevers_under_tip_loads_are_exact)
{
    const double length = 0.6;
    const double force = 50.0;
    solid_material m = patch_material();
    m.section.up = v3_make(0.0, 1.0, 0.0);
    v3 X[2] = { { 0.2, 0, 0 }, { 0.2 + length, 0, 0 } };
    double shear = m.young / (2.0 * (1.0 + m.poisson)) * m.section.area;
    double cubed = force * length * length * length / 3.0 / m.young;
    static const char *const names[4] = { "euler-beam-planar", "timoshenko-beam-planar", "euler-beam",
                                          "timoshenko-beam" };
    for (int k = 0; k < 4; ++k) {
        const solid_type *type = solid_type_find(names[k]);
        double tip[6];
        double sheared = k % 2 ? force * length / shear : 0.0;
        load_tip(type, X, &m, (const double[6]){ 0.0, force }, tip);
        CHECK_NEAR(tip[1] / (cubed / m.section.inertia_z + sheared / m.section.shear_y), 1.0, 1e-12);
        double slope = 1.5 * cubed / m.section.inertia_z / length;
        CHECK_NEAR(tip[k < 2 ? 2 : 5] / slope, 1.0, 1e-12);
        if (k >= 2) {
            load_tip(type, X, &m, (const double[6]){ 0.0, 0.0, force, 2.0 }, tip);
            CHECK_NEAR(tip[2] / (cubed / m.section.inertia_y + sheared / m.section.shear_z), 1.0, 1e-12);
            CHECK_NEAR(tip[3] / (2.0 * length / (shear / m.section.area * m.section.torsion)), 1.0, 1e-12);
        }
    }
}

/* A tip force makes the moment P (L - x) and the shear force P. */
TEST(solids, beams_know_their_moments_and_shear_forces)
{
    const double length = 0.6;
    const double force = 50.0;
    solid_material m = patch_material();
    v3 X[2] = { { 0, 0, 0 }, { length, 0, 0 } };
    const solid_type *type = solid_type_find("timoshenko-beam-planar");
    double u[6] = { 0 };
    double strain[SOLID_STRAINS];
    double stress[SOLID_STRAINS];
    load_tip(type, X, &m, (const double[3]){ 0.0, force, 0.0 }, u + 3);
    for (int k = 0; k <= 4; ++k) {
        double s = 0.25 * k;
        type->strain(type, X, &m, u, (const double[3]){ 2.0 * s - 1.0 }, strain);
        type->stress(type, &m, strain, stress);
        CHECK_NEAR(stress[STRAIN_BEND_Z], force * length * (1.0 - s), 1e-11 * force);
        CHECK_NEAR(stress[STRAIN_SHEAR_Y], force, 1e-11 * force);
    }
}

/* Cubic shape functions: the displacement between nodes is that of the beam. */
TEST(solids, beams_are_bent_between_their_nodes)
{
    const double length = 0.6;
    solid_material m = patch_material();
    v3 X[2] = { { 0, 0, 0 }, { length, 0, 0 } };
    const solid_type *type = solid_type_find("euler-beam-planar");
    double u[6] = { 0 };
    double N[3 * 6];
    load_tip(type, X, &m, (const double[3]){ 0.0, 1.0, 0.0 }, u + 3);
    type->interpolation(type, X, &m, (const double[3]){ 0.0 }, N);
    double middle = 0.0;
    for (int c = 0; c < 6; ++c) {
        middle += N[6 + c] * u[c];
    }
    CHECK_NEAR(middle / u[4], 5.0 / 16.0, 1e-13);
}

/* The consistent mass of Euler's beam is the one in every book. */
TEST(solids, the_cubic_beam_has_the_mass_of_the_books)
{
    const double L = 0.6;
    solid_material m = patch_material();
    v3 X[2] = { { 0, 0, 0 }, { L, 0, 0 } };
    const solid_type *type = solid_type_find("euler-beam-planar");
    double M[36];
    double lumped[6];
    double unit = m.density * m.section.area * L / 420.0;
    type->mass(type, X, &m, M);
    type->lumped_mass(type, X, &m, lumped);
    CHECK_NEAR(M[1 * 6 + 1] / unit, 156.0, 1e-11);
    CHECK_NEAR(M[1 * 6 + 2] / unit, 22.0 * L, 1e-11);
    CHECK_NEAR(M[1 * 6 + 4] / unit, 54.0, 1e-11);
    CHECK_NEAR(M[1 * 6 + 5] / unit, -13.0 * L, 1e-11);
    CHECK_NEAR(M[2 * 6 + 2] / unit, 4.0 * L * L, 1e-11);
    CHECK_NEAR(M[2 * 6 + 5] / unit, -3.0 * L * L, 1e-11);
    CHECK_NEAR(lumped[2] / (m.density * m.section.area * L), L * L / 78.0, 1e-14);
}

/* ---- axisymmetry ---- */

/* A tube under inner pressure, one row of elements, held axially: Lame's displacement. */
static double tube_error(const char *name, int cells)
{
    const solid_type *type = solid_type_find(name);
    const double a = 0.1;
    const double b = 0.3;
    const double pressure = 1e6;
    const double height = 0.01;
    solid_material m = patch_material();
    m.plane = AXISYMMETRIC;
    int n = cells + 1;
    double *A = calloc((size_t)(n * n), sizeof *A);
    double *u = calloc((size_t)n, sizeof *u);
    double *scratch = calloc(dense_scratch(n), sizeof *scratch);
    CHECK(A && u && scratch);
    for (int e = 0; e < cells; ++e) {
        double K[SOLID_FREEDOMS * SOLID_FREEDOMS];
        double r0 = a + (b - a) * e / cells;
        double r1 = a + (b - a) * (e + 1) / cells;
        v3 X[4] = { { r0, 0, 0 }, { r1, 0, 0 }, { r1, height, 0 }, { r0, height, 0 } };
        const int column[4] = { e, e + 1, e + 1, e };
        type->stiffness(type, X, &m, K);
        for (int r = 0; r < 4; ++r) {
            for (int c = 0; c < 4; ++c) {
                A[column[r] * n + column[c]] += K[16 * r + 2 * c];
            }
        }
    }
    u[0] = pressure * 2.0 * 3.14159265358979323846 * a * height;
    CHECK_EQ(dense_solve(A, u, n, 1e-14, scratch), n);
    double factor = (1.0 + m.poisson) * pressure * a * a / (m.young * (b * b - a * a));
    double exact = factor * ((1.0 - 2.0 * m.poisson) * a + b * b / a);
    double error = u[0] / exact - 1.0;
    free(A);
    free(u);
    free(scratch);
    return fabs(error);
}

TEST(solids, a_tube_under_pressure_converges_to_lame)
{
    double coarse = tube_error("quad4", 8);
    double fine = tube_error("quad4", 16);
    CHECK_LE(fine, 2e-3);
    CHECK_NEAR(coarse / fine, 4.0, 0.5);
}

TEST(solids, strain_on_the_axis_is_the_limit)
{
    const solid_type *type = solid_type_find("quad4");
    solid_material m = patch_material();
    m.plane = AXISYMMETRIC;
    v3 X[4] = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0.1, 0.1, 0 }, { 0, 0.1, 0 } };
    double u[8];
    double strain[SOLID_STRAINS];
    for (int i = 0; i < 4; ++i) {
        u[2 * i] = 0.3 * X[i].x;
        u[2 * i + 1] = -0.2 * X[i].y;
    }
    type->strain(type, X, &m, u, (const double[3]){ -1.0, 0.4 }, strain);
    CHECK_NEAR(strain[STRAIN_XX], 0.3, 1e-12);
    CHECK_NEAR(strain[STRAIN_ZZ], 0.3, 1e-12);
    CHECK_NEAR(strain[STRAIN_YY], -0.2, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(solids, a_rectangle_and_a_block_bend_exactly),
        RUN_TEST(solids, quadratic_simplices_bend_exactly),
        RUN_TEST(solids, cantilevers_under_tip_loads_are_exact),
        RUN_TEST(solids, beams_know_their_moments_and_shear_forces),
        RUN_TEST(solids, beams_are_bent_between_their_nodes),
        RUN_TEST(solids, the_cubic_beam_has_the_mass_of_the_books),
        RUN_TEST(solids, a_tube_under_pressure_converges_to_lame),
        RUN_TEST(solids, strain_on_the_axis_is_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
