/* Sheets, wires and points: masses against closed forms, scales, what is refused, how they are drawn. */
#include "geometry/mesh.h"
#include "geometry/shape.h"

#include "support/check.h"
#include "support/samples.h"

enum { MOST = 64 };

/* Rows of numbers as a scene's lists have them. */
typedef struct rows {
    carom_mesh_vertex vertices[MOST];
    carom_mesh_cell cells[MOST];
    carom_list vertex_list, cell_list;
} rows;

static void fill(rows *r, const double (*vertices)[3], size_t vertex_count, const double *cells, size_t cell_count,
                 size_t corners)
{
    for (size_t i = 0; i < vertex_count; ++i) {
        r->vertices[i].at = (carom_reals){ 3, vertices[i] };
    }
    for (size_t i = 0; i < cell_count; ++i) {
        r->cells[i].of = (carom_reals){ corners, cells + i * corners };
    }
    r->vertex_list = (carom_list){ vertex_count, r->vertices };
    r->cell_list = (carom_list){ cell_count, r->cells };
}

static mesh *make(const char *kind, const void *params)
{
    const carom_shape_type *type = carom_shape_type_find(kind);
    carom_error err = { 0 };
    mesh *m = NULL;
    CHECK_OK(type->check(params, &err), err);
    CHECK_OK(type->make(&m, params, &err), err);
    return m;
}

static mass_properties mass_of(const char *kind, const void *params, const mesh *m)
{
    mass_properties out;
    carom_shape_type_find(kind)->mass(&out, params, m);
    return out;
}

static const double square[4][3] = { { 1, 2, 0 }, { 3, 2, 0 }, { 3, 5, 0 }, { 1, 5, 0 } }; /* 2 by 3 */
static const double square_triangles[] = { 0, 1, 2, 0, 2, 3 };
static const double square_edges[] = { 0, 1, 1, 2, 2, 3, 3, 0 };

TEST(thin_shapes, sheet_has_the_mass_of_a_plate)
{
    rows r;
    fill(&r, square, 4, square_triangles, 2, 3);
    carom_sheet_def def = { .vertices = r.vertex_list, .triangles = r.cell_list, .mass_per_area = 7.0 };
    mesh *m = make("sheet", &def);
    mass_properties mass = mass_of("sheet", &def, m);
    CHECK_NEAR(mass.mass, 6.0, 1e-15);
    check_v3_near(mass.center, v3_make(2.0, 3.5, 0.0), 1e-15);
    check_m3_near(mass.inertia, m3_diag(6.0 * 9.0 / 12.0, 6.0 * 4.0 / 12.0, 6.0 * 13.0 / 12.0), 1e-14);
    CHECK_NEAR(carom_shape_type_find("sheet")->own_density(&def), 7.0, 0.0);
    mesh_destroy(m);
}

TEST(thin_shapes, sheet_around_a_box_is_its_six_plates)
{
    const carom_box_def box = { { 2.0, 3.0, 5.0 } };
    carom_error err = { 0 };
    mesh *m = NULL;
    CHECK_OK(carom_shape_type_find("box")->tessellate(&m, &box, (surface_grain){ 0 }, &err), err);
    mass_properties mass, sum = { 0 };
    mesh_sheet_mass(&mass, m);
    for (int k = 0; k < 6; ++k) {
        double a[3] = { 2.0, 3.0, 5.0 };
        double side = k < 3 ? 0.5 : -0.5;
        int across = k % 3;
        double area = 30.0 / a[across];
        v3 center = v3_make(across == 0 ? side * a[0] : 0.0, across == 1 ? side * a[1] : 0.0,
                            across == 2 ? side * a[2] : 0.0);
        a[across] = 0.0;
        m3 inertia = m3_diag(area * (a[1] * a[1] + a[2] * a[2]) / 12.0, area * (a[0] * a[0] + a[2] * a[2]) / 12.0,
                             area * (a[0] * a[0] + a[1] * a[1]) / 12.0);
        sum = mass_add(sum, (mass_properties){ area, center, inertia });
    }
    CHECK_NEAR(mass.mass, 62.0, 1e-13);
    check_v3_near(mass.center, v3_zero(), 1e-14);
    check_m3_near(mass.inertia, sum.inertia, 1e-12);
    mesh_destroy(m);
}

TEST(thin_shapes, wire_has_the_mass_of_its_rods)
{
    rows r;
    fill(&r, square, 4, square_edges, 4, 2);
    const double radius = 0.1;
    carom_wire_def def = { .vertices = r.vertex_list, .edges = r.cell_list };
    mesh *m = make("wire", &def);
    mass_properties line = mass_of("wire", &def, m);
    def.radius = radius;
    mass_properties round = mass_of("wire", &def, m);
    double about_x = 2.0 * 27.0 / 12.0 +
                     2.0 * 2.0 * 2.25; /* two rods of 3 along y, two of 2 at 1.5 from the middle */
    double about_y = 2.0 * 8.0 / 12.0 + 2.0 * 3.0 * 1.0;
    CHECK_NEAR(line.mass, 10.0, 1e-15);
    check_v3_near(line.center, v3_make(2.0, 3.5, 0.0), 1e-15);
    check_m3_near(line.inertia, m3_diag(about_x, about_y, about_x + about_y), 1e-13);
    double r2 = radius * radius;
    check_m3_near(round.inertia,
                  m3_diag(about_x + 6.0 * r2 / 4.0 + 4.0 * r2 / 2.0, about_y + 4.0 * r2 / 4.0 + 6.0 * r2 / 2.0,
                          about_x + about_y + 10.0 * r2 / 4.0),
                  1e-13);
    mesh_destroy(m);
}

TEST(thin_shapes, points_have_the_mass_of_their_number)
{
    rows r;
    fill(&r, square, 4, NULL, 0, 0);
    carom_points_def def = { .vertices = r.vertex_list, .radius = 0.5 };
    mesh *m = make("points", &def);
    mass_properties mass = mass_of("points", &def, m);
    double ball = 4.0 * 0.4 * 0.25;
    CHECK_NEAR(mass.mass, 4.0, 0.0);
    check_v3_near(mass.center, v3_make(2.0, 3.5, 0.0), 1e-15);
    check_m3_near(mass.inertia, m3_diag(9.0 + ball, 4.0 + ball, 13.0 + ball), 1e-14);
    mesh_destroy(m);
}

/* A small part far from the origin keeps its digits. */
TEST(thin_shapes, masses_do_not_depend_on_the_place)
{
    FOR_EACH_SEED(rng, 50) {
        mesh *m = mesh_create(3, 1);
        mesh *moved = mesh_create(3, 1);
        v3 far = v3_scale(1e6, random_v3(&rng, 1.0));
        for (int k = 0; k < 3; ++k) {
            m->vertices[k] = random_v3(&rng, 1.0);
            moved->vertices[k] = v3_add(m->vertices[k], far);
            m->triangles[0][k] = moved->triangles[0][k] = k;
        }
        mass_properties a, b;
        mesh_sheet_mass(&a, m);
        mesh_sheet_mass(&b, moved);
        CHECK_NEAR(a.mass, b.mass, 1e-8);
        check_v3_near(v3_sub(b.center, far), a.center, 1e-8);
        check_m3_near(a.inertia, b.inertia, 1e-8);
        mesh_destroy(m);
        mesh_destroy(moved);
    }
}

/* A mirrored tetrahedron is still a solid. */
TEST(thin_shapes, scale_per_axis_keeps_the_outside_outside)
{
    static const double corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const double faces[] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };
    const double scale[3] = { 2.0, -3.0, 5.0 };
    rows r;
    fill(&r, corners, 4, faces, 4, 3);
    carom_mesh_def def = { .vertices = r.vertex_list, .triangles = r.cell_list, .scale = { 3, scale } };
    mesh *m = make("mesh", &def);
    mass_properties mass = mass_of("mesh", &def, m);
    CHECK_NEAR(mass.mass, 5.0, 1e-14);
    check_v3_near(mass.center, v3_make(0.5, -0.75, 1.25), 1e-14);
    mesh_destroy(m);
}

static void check_refused(const char *kind, const void *params, const char *part)
{
    carom_error err = { 0 };
    CHECK_EQ(carom_shape_type_find(kind)->check(params, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, kind);
    CHECK_CONTAINS(err.message, part);
}

TEST(thin_shapes, bad_geometry_is_refused)
{
    static const double beyond[] = { 0, 1, 4 };
    static const double broken[] = { 0, 0.5, 1 };
    static const double wild[1][3] = { { 1e300, 0, 0 } };
    rows good, far, half, huge;
    fill(&good, square, 4, square_triangles, 2, 3);
    fill(&far, square, 4, beyond, 1, 3);
    fill(&half, square, 4, broken, 1, 3);
    fill(&huge, wild, 1, NULL, 0, 0);
    check_refused("sheet", &(carom_sheet_def){ .file = NULL }, "file is missing");
    check_refused("sheet", &(carom_sheet_def){ .vertices = good.vertex_list }, "triangles");
    check_refused("sheet", &(carom_sheet_def){ .file = "a.obj", .vertices = good.vertex_list }, "both");
    check_refused("sheet", &(carom_sheet_def){ .vertices = far.vertex_list, .triangles = far.cell_list }, "entry 0");
    check_refused("mesh", &(carom_mesh_def){ .vertices = half.vertex_list, .triangles = half.cell_list }, "entry 0");
    check_refused("points", &(carom_points_def){ .vertices = huge.vertex_list }, "vertex 0");
    check_refused("points", &(carom_points_def){ .vertices = good.vertex_list, .radius = 1e-30 }, "radius");
    check_refused("wire", &(carom_wire_def){ .file = "a.obj", .radius = HUGE_VAL }, "radius");
    check_refused("wire", &(carom_wire_def){ .file = "a.obj", .scale = { 2, (double[]){ 1, 1 } } }, "2 numbers");
    check_refused("wire", &(carom_wire_def){ .file = "a.obj", .scale = { 1, (double[]){ -1 } } }, "scale");
}

/* What is drawn is closed, faces outwards, and is as thick as the wire. */
TEST(thin_shapes, wires_and_points_are_drawn_as_solids)
{
    rows r;
    fill(&r, square, 4, square_edges, 4, 2);
    carom_wire_def wire = { .vertices = r.vertex_list, .edges = r.cell_list, .radius = 0.1 };
    carom_points_def points = { .vertices = r.vertex_list, .radius = 0.1 };
    const struct {
        const char *kind;
        const void *params;
        double volume;
    } cases[] = { { "wire", &wire, 10.0 * 1.5 * sqrt(3.0) * 0.01 }, { "points", &points, 4.0 * 4.0 / 3.0 * 0.001 } };
    for (int k = 0; k < 2; ++k) {
        carom_error err = { 0 };
        mesh *m = make(cases[k].kind, cases[k].params);
        mesh *drawn = NULL;
        mesh_quality quality;
        CHECK_OK(carom_shape_type_find(cases[k].kind)->draw(&drawn, cases[k].params, m, &err), err);
        CHECK_OK(mesh_inspect(drawn, &quality, &err), err);
        CHECK_EQ(quality.open_edges + quality.nonmanifold_edges + quality.flipped_edges, 0);
        CHECK_NEAR(quality.volume, cases[k].volume, 1e-12);
        mesh_destroy(m);
        mesh_destroy(drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(thin_shapes, sheet_has_the_mass_of_a_plate),
        RUN_TEST(thin_shapes, sheet_around_a_box_is_its_six_plates),
        RUN_TEST(thin_shapes, wire_has_the_mass_of_its_rods),
        RUN_TEST(thin_shapes, points_have_the_mass_of_their_number),
        RUN_TEST(thin_shapes, masses_do_not_depend_on_the_place),
        RUN_TEST(thin_shapes, scale_per_axis_keeps_the_outside_outside),
        RUN_TEST(thin_shapes, bad_geometry_is_refused),
        RUN_TEST(thin_shapes, wires_and_points_are_drawn_as_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
