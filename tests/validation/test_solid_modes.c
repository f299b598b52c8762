/* Natural frequencies of meshes of finite elements against closed forms. Each test says its mesh; tolerances are what the
 * discretisation (and, where a theory of thin bodies is the reference, that theory) leaves. */
#include "support/check.h"

#include <stdlib.h>

#include "elements/solids/solid_mesh.h"
#include "linalg/eigen.h"

static const double PI = 3.14159265358979323846;

static const double YOUNG = 7.0e10;
static const double POISSON = 0.3;
static const double DENSITY = 2700.0;

/* ---- models ---- */

typedef struct model {
    volume_mesh cells;
    solid_mesh *mesh;
    bool *held;
} model;

static solid_material aluminium(void)
{
    solid_material m = solid_material_default;
    m.young = YOUNG;
    m.poisson = POISSON;
    m.density = DENSITY;
    return m;
}

static model make(cell_kind kind, const volume_axis *axes, const char *type, solid_material material)
{
    carom_error err = { 0 };
    model m;
    solid_part part = { .type = solid_type_find(type), .material = material };
    CHECK_OK(volume_mesh_grid(&m.cells, kind, axes, &err), err);
    CHECK_OK(solid_mesh_create(&m.mesh, &m.cells, &part, 1, &err), err);
    m.held = calloc((size_t)solid_mesh_freedom_count(m.mesh), sizeof *m.held);
    CHECK(m.held != NULL);
    return m;
}

static void drop(model *m)
{
    volume_mesh_free(&m->cells);
    solid_mesh_destroy(m->mesh);
    free(m->held);
}

/* Holds freedoms of nodes whose coordinate along an axis (0, 1, 2) is `at`; axis -1: of all nodes. */
static void hold(model *m, int axis, double at, unsigned freedoms)
{
    for (int i = 0; i < solid_mesh_node_count(m->mesh); ++i) {
        v3 x = solid_mesh_node(m->mesh, i);
        double value = axis == 0 ? x.x : axis == 1 ? x.y : x.z;
        for (unsigned f = MOVE_X; (axis < 0 || fabs(value - at) < 1e-9) && f <= TURN_Z; f *= 2) {
            int k = solid_mesh_freedom(m->mesh, i, f);
            if ((freedoms & f) && k >= 0) {
                m->held[k] = true;
            }
        }
    }
}

/* Angular frequencies [rad/s], ascending. */
static void frequencies(const model *m, int count, bool is_free, bool lumped, double *omega)
{
    carom_error err = { 0 };
    sparse_matrix *K;
    sparse_matrix *M;
    eigen_modes modes;
    CHECK_OK(solid_mesh_stiffness(m->mesh, m->held, &K, &err), err);
    CHECK_OK(solid_mesh_mass(m->mesh, m->held, lumped, &M, &err), err);
    CHECK_OK(eigen_lowest(&modes, K, M, &(eigen_options){ .count = count, .free = is_free }, &err), err);
    for (int k = 0; k < count; ++k) {
        omega[k] = sqrt(fmax(modes.lambda[k], 0.0));
    }
    eigen_modes_free(&modes);
    sparse_destroy(K);
    sparse_destroy(M);
}

static void check_ratio(double value, double expected, double tolerance)
{
    CHECK_NEAR(value / expected, 1.0, tolerance);
}

/* ---- bars ---- */

/* 100 bars. Consistent masses overestimate by (k h)^2 / 24, lumped ones underestimate by as much. */
TEST(modes, bars_free_and_clamped)
{
    const int n = 100;
    const double length = 1.0;
    const double speed = sqrt(YOUNG / DENSITY);
    solid_material material = aluminium();
    material.section.area = 3e-4;
    for (int clamped = 0; clamped < 2; ++clamped) {
        for (int lumped = 0; lumped < 2; ++lumped) {
            model m = make(CELL_LINE2, &(volume_axis){ 0.0, length, n, 1.0 }, "bar", material);
            double omega[6];
            hold(&m, -1, 0.0, MOVE_Y | MOVE_Z);
            if (clamped) {
                hold(&m, 0, 0.0, MOVE_X);
            }
            frequencies(&m, 6, !clamped, lumped, omega);
            for (int k = 0; k < 6; ++k) {
                double wave = clamped ? (k + 0.5) * PI / length : k * PI / length;
                double kh = wave * length / n;
                double scheme = lumped ? 2.0 * sin(0.5 * kh) / kh
                                       : sqrt(6.0 * (1.0 - cos(kh)) / (2.0 + cos(kh))) / kh;
                if (wave > 0.0) {
                    check_ratio(omega[k], wave * speed * scheme, 1e-9);
                    check_ratio(scheme, 1.0, 1.05 * kh * kh / 24.0);
                } else {
                    CHECK_LE(omega[k], 1e-3);
                }
            }
            drop(&m);
        }
    }
}

/* ---- beams ---- */

static solid_material beam_material(void)
{
    solid_material m = aluminium();
    m.section.area = 0.02 * 0.01;
    m.section.inertia_z = 0.02 * 0.01 * 0.01 * 0.01 / 12.0;
    m.section.inertia_y = 0.01 * 0.02 * 0.02 * 0.02 / 12.0;
    m.section.torsion = 2e-8;
    return m;
}

static void check_beam(const char *type, unsigned at_start, unsigned at_end, int rigid, const double *roots,
                       int count)
{
    const double length = 0.7;
    solid_material material = beam_material();
    model m = make(CELL_LINE2, &(volume_axis){ 0.0, length, 40, 1.0 }, type, material);
    double omega[8];
    /* Bending in the xy plane alone. */
    hold(&m, -1, 0.0, MOVE_X | MOVE_Z | TURN_X | TURN_Y);
    hold(&m, 0, 0.0, at_start);
    hold(&m, 0, length, at_end);
    frequencies(&m, rigid + count, rigid > 0, false, omega);
    double unit = sqrt(YOUNG * material.section.inertia_z / (DENSITY * material.section.area)) / (length * length);
    for (int k = 0; k < count; ++k) {
        double kh = roots[k] / 40.0;
        /* Rounding: the last place of the highest mode, 1e8 times the lowest. */
        check_ratio(omega[rigid + k], roots[k] * roots[k] * unit, 1.05 * kh * kh * kh * kh / 1440.0 + 1e-7);
    }
    drop(&m);
}

/* 40 beams: cubic functions overestimate by (k h)^4 / 1440, 1e-5 in the fourth mode of the free beam. */
TEST(modes, euler_beams_clamped_free_and_supported)
{
    static const char *const types[2] = { "euler-beam-planar", "euler-beam" };
    const double clamped[4] = { 1.875104068711961, 4.694091132974174, 7.854757438237613, 10.99554073487547 };
    const double supported[4] = { PI, 2.0 * PI, 3.0 * PI, 4.0 * PI };
    const double loose[4] = { 4.730040744862704, 7.853204624095838, 10.99560783800167, 14.13716549125746 };
    for (int k = 0; k < 2; ++k) {
        check_beam(types[k], MOVE_Y | TURN_Z, 0, 0, clamped, 4);
        check_beam(types[k], MOVE_Y, MOVE_Y, 0, supported, 4);
        check_beam(types[k], 0, 0, 2, loose, 4);
    }
}

/* The lower root of A w^4 - B w^2 + C = 0: a beam or a plate on supports with shear and rotary inertia, for the wave number gamma, per
 * unit of width: mass, rotary inertia, bending stiffness, shear stiffness. */
static double sheared(double gamma, double mass, double rotary, double bending, double shear)
{
    double a = mass * rotary / shear;
    double b = mass + gamma * gamma * (rotary + bending * mass / shear);
    double c = bending * gamma * gamma * gamma * gamma;
    return sqrt(2.0 * c / (b + sqrt(b * b - 4.0 * a * c)));
}

static void thick_beam(int n, bool lumped, double error[4])
{
    const double length = 0.07;
    solid_material material = beam_material();
    model m = make(CELL_LINE2, &(volume_axis){ 0.0, length, n, 1.0 }, "timoshenko-beam-planar", material);
    double omega[4];
    hold(&m, -1, 0.0, MOVE_X);
    hold(&m, 0, 0.0, MOVE_Y);
    hold(&m, 0, length, MOVE_Y);
    frequencies(&m, 4, false, lumped, omega);
    double area = material.section.area;
    double inertia = material.section.inertia_z;
    double shear = YOUNG / (2.0 * (1.0 + POISSON)) * area * material.section.shear_y;
    for (int k = 0; k < 4; ++k) {
        error[k] = omega[k] /
                       sheared((k + 1) * PI / length, DENSITY * area, DENSITY * inertia, YOUNG * inertia, shear) -
                   1.0;
    }
    drop(&m);
}

/* Length over height is 7; 30 and 60 beams: of second order, from above with consistent masses and from below with lumped ones. */
TEST(modes, a_thick_beam_on_supports_is_timoshenkos)
{
    for (int lumped = 0; lumped < 2; ++lumped) {
        double coarse[4];
        double fine[4];
        thick_beam(30, lumped, coarse);
        thick_beam(60, lumped, fine);
        for (int k = 0; k < 4; ++k) {
            CHECK_LE(fabs(fine[k]), 5e-5 * (k + 1) * (k + 1));
            CHECK(lumped ? fine[k] < 0.0 : fine[k] > 0.0);
            CHECK_NEAR(coarse[k] / fine[k], 4.0, 0.05);
        }
    }
}

/* ---- strips ---- */

/* A slender cantilever of 40 x 2 quadrilaterals, 20 x 2 x 2 triangles: the first two modes are those of a beam with shear, which for the
 * first differ from Euler's by (h / L)^2. */
TEST(modes, cantilever_strips_are_beams)
{
    const double length = 0.5;
    const double height = 0.02;
    static const struct {
        cell_kind kind;
        const char *type;
        int along;
    } cases[2] = { { CELL_QUAD4, "quad4", 40 }, { CELL_TRIANGLE6, "triangle6", 20 } };
    solid_material material = aluminium();
    material.thickness = 0.01;
    double unit = sqrt(YOUNG * height * height / 12.0 / DENSITY) / (length * length);
    for (int c = 0; c < 2; ++c) {
        for (int lumped = 0; lumped < 2; ++lumped) {
            const volume_axis axes[2] = { { 0.0, length, cases[c].along, 1.0 }, { -0.5 * height, height, 2, 1.0 } };
            model m = make(cases[c].kind, axes, cases[c].type, material);
            double omega[2];
            hold(&m, 0, 0.0, MOVE_X | MOVE_Y);
            frequencies(&m, 2, false, lumped, omega);
            check_ratio(omega[0], 1.875104068711961 * 1.875104068711961 * unit, 4e-3);
            check_ratio(omega[1], 4.694091132974174 * 4.694091132974174 * unit, 1.2e-2);
            drop(&m);
        }
    }
}

/* The section of a slender rod, 4 x 80 quadrilaterals around the axis: Rayleigh's correction for the inertia across is
 * 1 - (nu k R)^2 / 4. */
TEST(modes, an_axisymmetric_rod_is_a_bar)
{
    const double length = 1.0;
    const double radius = 0.03;
    solid_material material = aluminium();
    material.plane = AXISYMMETRIC;
    const volume_axis axes[2] = { { 0.0, radius, 4, 1.0 }, { 0.0, length, 80, 1.0 } };
    model m = make(CELL_QUAD4, axes, "quad4", material);
    double omega[4];
    hold(&m, 0, 0.0, MOVE_X);
    frequencies(&m, 4, true, false, omega);
    for (int k = 1; k < 4; ++k) {
        double wave = k * PI / length;
        double love = 1.0 - 0.25 * POISSON * POISSON * wave * wave * radius * radius;
        check_ratio(omega[k], wave * sqrt(YOUNG / DENSITY) * love, 8e-4);
    }
    drop(&m);
}

/* ---- plates and blocks ---- */

/* Relative errors of the lowest four modes of a plate on hard supports, with 8 n x 6 n hexahedra, one across. */
static void plate(int n, double error[4])
{
    const double a = 0.4;
    const double b = 0.3;
    const double h = 0.01;
    const volume_axis axes[3] = { { 0.0, a, 8 * n, 1.0 }, { 0.0, b, 6 * n, 1.0 }, { -0.5 * h, h, 1, 1.0 } };
    static const int waves[4][2] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 1 } };
    model m = make(CELL_HEXAHEDRON8, axes, "hexahedron8", aluminium());
    double omega[4];
    for (int end = 0; end < 2; ++end) {
        hold(&m, 0, end * a, MOVE_Y | MOVE_Z);
        hold(&m, 1, end * b, MOVE_X | MOVE_Z);
    }
    frequencies(&m, 4, false, false, omega);
    double bending = YOUNG * h * h * h / (12.0 * (1.0 - POISSON * POISSON));
    double shear = 5.0 / 6.0 * YOUNG / (2.0 * (1.0 + POISSON)) * h;
    for (int k = 0; k < 4; ++k) {
        double gamma = PI * sqrt(waves[k][0] * waves[k][0] / (a * a) + waves[k][1] * waves[k][1] / (b * b));
        error[k] = omega[k] / sheared(gamma, DENSITY * h, DENSITY * h * h * h / 12.0, bending, shear) - 1.0;
    }
    drop(&m);
}

/* Of second order: what 16 x 12 and 32 x 24 hexahedra tend to is Mindlin's plate. */
TEST(modes, a_plate_on_supports_is_mindlins)
{
    double coarse[4];
    double fine[4];
    plate(2, coarse);
    plate(4, fine);
    for (int k = 0; k < 4; ++k) {
        CHECK_LE(fabs(fine[k]), 1.2e-2);
        CHECK_LE(fabs(4.0 * fine[k] - coarse[k]) / 3.0, 1e-3);
    }
}

/* Lame's modes of a free cube: in planes along its faces, every face without stress, omega = sqrt(2) pi c_s / a exactly. How many modes
 * are that near. */
static int count_lame(cell_kind kind, const char *type, int cells, double tolerance)
{
    const double a = 0.2;
    const volume_axis axes[3] = { { 0.0, a, cells, 1.0 }, { 0.0, a, cells, 1.0 }, { 0.0, a, cells, 1.0 } };
    const double shear_speed = sqrt(YOUNG / (2.0 * (1.0 + POISSON)) / DENSITY);
    model m = make(kind, axes, type, aluminium());
    double omega[30];
    int found = 0;
    frequencies(&m, 30, true, false, omega);
    for (int k = 0; k < 30; ++k) {
        CHECK(k >= 6 || omega[k] < 1e-3 * omega[6]);
        found += fabs(omega[k] * a / (sqrt(2.0) * PI * shear_speed) - 1.0) < tolerance;
    }
    CHECK(omega[6] > 1.0);
    drop(&m);
    return found;
}

/* 8 x 8 x 8 hexahedra, 4 x 4 x 4 x 6 tetrahedra with ten nodes. */
TEST(modes, a_free_cube_has_six_rigid_motions_and_lames_modes)
{
    CHECK_EQ(count_lame(CELL_HEXAHEDRON8, "hexahedron8", 8, 0.01), 3);
    CHECK_GE(count_lame(CELL_TETRAHEDRON10, "tetrahedron10", 4, 0.0025), 2);
}

/* A slender cantilever of 20 x 1 x 1 hexahedra, one of 20 x 1 x 1 x 6 tetrahedra with ten nodes: both bendings. The clamped end, which
 * keeps its shape, and shear are in the tolerance. */
TEST(modes, cantilever_blocks_are_beams)
{
    const double length = 0.6;
    const double height = 0.03;
    const double width = 0.02;
    static const struct {
        cell_kind kind;
        const char *type;
        int along;
        double tolerance;
    } cases[2] = { { CELL_HEXAHEDRON8, "hexahedron8", 20, 4e-3 }, { CELL_TETRAHEDRON10, "tetrahedron10", 20, 8e-3 } };
    double unit = 1.875104068711961 * 1.875104068711961 * sqrt(YOUNG / 12.0 / DENSITY) / (length * length);
    for (int c = 0; c < 2; ++c) {
        const volume_axis axes[3] = { { 0.0, length, cases[c].along, 1.0 },
                                      { 0.0, height, 1, 1.0 },
                                      { 0.0, width, 1, 1.0 } };
        model m = make(cases[c].kind, axes, cases[c].type, aluminium());
        double omega[2];
        hold(&m, 0, 0.0, MOVE_X | MOVE_Y | MOVE_Z);
        frequencies(&m, 2, false, true, omega);
        check_ratio(omega[0], unit * width, cases[c].tolerance);
        check_ratio(omega[1], unit * height, cases[c].tolerance);
        drop(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(modes, bars_free_and_clamped),
        RUN_TEST(modes, euler_beams_clamped_free_and_supported),
        RUN_TEST(modes, a_thick_beam_on_supports_is_timoshenkos),
        RUN_TEST(modes, cantilever_strips_are_beams),
        RUN_TEST(modes, an_axisymmetric_rod_is_a_bar),
        RUN_TEST(modes, a_plate_on_supports_is_mindlins),
        RUN_TEST(modes, a_free_cube_has_six_rigid_motions_and_lames_modes),
        RUN_TEST(modes, cantilever_blocks_are_beams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
