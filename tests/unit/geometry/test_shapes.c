/* Shapes: closed forms from the textbooks, agreement with finely meshed copies at second order, bounds, checks. */
#include "geometry/shape.h"

#include "samples.h"
#include "support/check.h"

static const carom_box_def box = { { 1.0, 2.0, 3.0 } };
static const carom_sphere_def sphere = { 0.7 };
static const carom_cylinder_def cylinder = { 0.5, 1.6 };
static const carom_capsule_def capsule = { 0.4, 1.1 };
static const carom_cone_def cone = { 0.8, 1.5 };

static mass_properties mass_of(const char *kind, const void *params)
{
    mass_properties m;
    carom_shape_type_find(kind)->mass(&m, params, NULL);
    return m;
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

TEST(shape, box_closed_form)
{
    TEST_UNUSED();
    mass_properties m = mass_of("box", &box);
    CHECK_NEAR(m.mass, 6.0, 1e-15);
    check_m3_near(m.inertia, m3_diag(6.0 * 13.0 / 12.0, 6.0 * 10.0 / 12.0, 6.0 * 5.0 / 12.0), 1e-14);
}

TEST(shape, sphere_closed_form)
{
    TEST_UNUSED();
    mass_properties m = mass_of("sphere", &sphere);
    double r = sphere.radius;
    double i = 8.0 / 15.0 * TEST_PI * pow(r, 5);
    CHECK_NEAR(m.mass, 4.0 / 3.0 * TEST_PI * pow(r, 3), 1e-15);
    check_m3_near(m.inertia, m3_diag(i, i, i), 1e-15);
}

TEST(shape, cylinder_closed_form)
{
    TEST_UNUSED();
    mass_properties m = mass_of("cylinder", &cylinder);
    double r = cylinder.radius;
    double l = cylinder.length;
    double across = m.mass * (r * r / 4.0 + l * l / 12.0);
    CHECK_NEAR(m.mass, TEST_PI * r * r * l, 1e-15);
    check_m3_near(m.inertia, m3_diag(across, across, m.mass * r * r / 2.0), 1e-15);
}

/* From its parts: a cylinder and two half balls put together by Steiner's theorem. */
TEST(shape, capsule_is_the_sum_of_its_parts)
{
    TEST_UNUSED();
    double r = capsule.radius;
    double half = 0.5 * capsule.length;
    double cap = 2.0 / 3.0 * TEST_PI * pow(r, 3);
    double across = cap * r * r * (2.0 / 5.0 - 9.0 / 64.0); /* of half a ball about its own centroid */
    mass_properties sum = mass_of("cylinder", &(carom_cylinder_def){ r, capsule.length });
    for (int side = -1; side <= 1; side += 2) {
        mass_properties half_ball = { cap,
                                      { 0.0, 0.0, side * (half + 0.375 * r) },
                                      m3_diag(across, across, 0.4 * cap * r * r) };
        sum = mass_add(sum, half_ball);
    }
    mass_properties m = mass_of("capsule", &capsule);
    CHECK_NEAR(m.mass, sum.mass, 1e-15);
    check_v3_near(m.center, sum.center, 1e-15);
    check_m3_near(m.inertia, sum.inertia, 1e-15);
    mass_properties ball = mass_of("capsule", &(carom_capsule_def){ sphere.radius, 0.0 });
    check_m3_near(ball.inertia, mass_of("sphere", &sphere).inertia, 1e-15);
}

TEST(shape, cone_closed_form)
{
    TEST_UNUSED();
    mass_properties m = mass_of("cone", &cone);
    double r = cone.radius;
    double h = cone.height;
    double across = 3.0 / 80.0 * m.mass * (4.0 * r * r + h * h);
    CHECK_NEAR(m.mass, TEST_PI * r * r * h / 3.0, 1e-15);
    check_v3_near(m.center, v3_make(0.0, 0.0, h / 4.0), 1e-15);
    check_m3_near(m.inertia, m3_diag(across, across, 0.3 * m.mass * r * r), 1e-15);
}

TEST(shape, plane_has_no_mass_and_no_end)
{
    TEST_UNUSED();
    const carom_shape_type *plane = carom_shape_type_find("plane");
    v3 low, high;
    CHECK(!plane->solid);
    CHECK_NEAR(mass_of("plane", plane->kind.defaults).mass, 0.0, 0.0);
    plane->bounds(&low, &high, plane->kind.defaults, NULL);
    CHECK(isinf(low.x) && low.x < 0.0 && isinf(high.z) && high.z > 0.0);
}

/* ---- against meshes ------------------------------------------------------------------------------------------------ */

static mesh *mesh_sphere(int n)
{
    profile p = { 0 };
    profile_arc(&p, 0.0, 0.0, sphere.radius, -TEST_PI / 2.0, TEST_PI / 2.0, n / 2);
    return revolve(&p, n);
}

static mesh *mesh_cylinder(int n)
{
    profile p = { 0 };
    profile_add(&p, 0.0, -0.5 * cylinder.length);
    profile_add(&p, cylinder.radius, -0.5 * cylinder.length);
    profile_add(&p, cylinder.radius, 0.5 * cylinder.length);
    profile_add(&p, 0.0, 0.5 * cylinder.length);
    return revolve(&p, n);
}

static mesh *mesh_capsule(int n)
{
    profile p = { 0 };
    profile_arc(&p, 0.0, -0.5 * capsule.length, capsule.radius, -TEST_PI / 2.0, 0.0, n / 4);
    profile_arc(&p, 0.0, 0.5 * capsule.length, capsule.radius, 0.0, TEST_PI / 2.0, n / 4);
    return revolve(&p, n);
}

static mesh *mesh_cone(int n)
{
    profile p = { 0 };
    profile_add(&p, 0.0, 0.0);
    profile_add(&p, cone.radius, 0.0);
    profile_add(&p, 0.0, cone.height);
    return revolve(&p, n);
}

/* volume, centre z, moment across, moment along */
static void four_numbers(const mass_properties *m, double out[4])
{
    out[0] = m->mass;
    out[1] = m->center.z;
    out[2] = m->inertia.m[0];
    out[3] = m->inertia.m[8];
}

static void errors_at(const char *kind, const void *params, mesh *(*make)(int), int n, double error[4])
{
    mass_properties exact = mass_of(kind, params);
    mass_properties meshed;
    double expected[4], computed[4];
    mesh *m = make(n);
    mesh_mass(&meshed, m);
    mesh_destroy(m);
    four_numbers(&exact, expected);
    four_numbers(&meshed, computed);
    for (int i = 0; i < 4; ++i) {
        error[i] = computed[i] - expected[i];
    }
}

static void check_second_order(const char *kind, const void *params, mesh *(*make)(int))
{
    double coarse[4], fine[4];
    errors_at(kind, params, make, 64, coarse);
    errors_at(kind, params, make, 128, fine);
    for (int i = 0; i < 4; ++i) {
        CHECK_LE(fabs(fine[i]), 2e-3);
        if (fabs(coarse[i]) > 1e-12) { /* else there is nothing to converge: a centre kept by symmetry */
            CHECK_NEAR(coarse[i] / fine[i], 4.0, 0.05);
        }
    }
}

TEST(shape, meshed_copies_converge_at_second_order)
{
    TEST_UNUSED();
    check_second_order("sphere", &sphere, mesh_sphere);
    check_second_order("cylinder", &cylinder, mesh_cylinder);
    check_second_order("capsule", &capsule, mesh_capsule);
    check_second_order("cone", &cone, mesh_cone);
}

/* Bounds hold every vertex of the meshed copy, and touch it. */
static void check_bounds(const char *kind, const void *params, mesh *(*make)(int))
{
    v3 low, high, mesh_low, mesh_high;
    mesh *m = make(64);
    carom_shape_type_find(kind)->bounds(&low, &high, params, NULL);
    mesh_bounds(&mesh_low, &mesh_high, m);
    check_v3_near(low, mesh_low, 1e-14);
    check_v3_near(high, mesh_high, 1e-14);
    mesh_destroy(m);
}

TEST(shape, bounds_touch_the_meshed_copy)
{
    TEST_UNUSED();
    check_bounds("sphere", &sphere, mesh_sphere);
    check_bounds("cylinder", &cylinder, mesh_cylinder);
    check_bounds("capsule", &capsule, mesh_capsule);
    check_bounds("cone", &cone, mesh_cone);
    v3 low, high;
    carom_shape_type_find("box")->bounds(&low, &high, &box, NULL);
    check_v3_near(low, v3_make(-0.5, -1.0, -1.5), 0.0);
    check_v3_near(high, v3_make(0.5, 1.0, 1.5), 0.0);
}

/* ---- tables and checks --------------------------------------------------------------------------------------------- */

TEST(shape, list_and_search_agree)
{
    TEST_UNUSED();
    int count = 0;
    for (const carom_kind *const *kind = carom_shape_kinds(); *kind; ++kind, ++count) {
        const carom_shape_type *type = carom_shape_type_find((*kind)->name);
        CHECK(type && &type->kind == *kind);
        CHECK((*kind)->doc && (*kind)->defaults && (*kind)->size > 0);
        CHECK(type->check && type->mass && type->bounds);
    }
    CHECK_EQ(count, 7);
    CHECK(carom_shape_type_find("teapot") == NULL);
}

TEST(shape, short_forms_have_one_field_each)
{
    TEST_UNUSED();
    static const char *const expected[][2] = {
        { "box", "size" }, { "sphere", "radius" }, { "plane", "normal" }, { "mesh", "file" }
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        const carom_field *field = carom_shape_type_find(expected[i][0])->kind.fields;
        int count = 0;
        for (; field->name; ++field) {
            if (field->flags & CAROM_SHORTHAND) {
                CHECK_TEXT(field->name, expected[i][1]);
                ++count;
            }
        }
        CHECK_EQ(count, 1);
    }
}

static void check_refused(const char *kind, const void *params, const char *part)
{
    carom_error err = { 0 };
    CHECK_EQ(carom_shape_type_find(kind)->check(params, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, kind);
    CHECK_CONTAINS(err.message, part);
}

TEST(shape, bad_sizes_are_refused)
{
    TEST_UNUSED();
    check_refused("box", &(carom_box_def){ { 1.0, 0.0, 1.0 } }, "size[1] is 0");
    check_refused("box", &(carom_box_def){ { 1.0, 1.0, (double)NAN } }, "size[2]");
    check_refused("box", &(carom_box_def){ { 1e13, 1.0, 1.0 } }, "1e+13");
    check_refused("sphere", &(carom_sphere_def){ -1.0 }, "radius is -1");
    check_refused("sphere", &(carom_sphere_def){ HUGE_VAL }, "radius");
    check_refused("sphere", &(carom_sphere_def){ 1e-30 }, "radius");
    check_refused("cylinder", &(carom_cylinder_def){ 1.0, 0.0 }, "length is 0");
    check_refused("capsule", &(carom_capsule_def){ 0.0, 1.0 }, "radius is 0");
    check_refused("capsule", &(carom_capsule_def){ 1.0, -1.0 }, "length is -1");
    check_refused("cone", &(carom_cone_def){ 1.0, -2.0 }, "height is -2");
    check_refused("plane", &(carom_plane_def){ { 0.0, 0.0, 2.0 } }, "length 2");
    check_refused("plane", &(carom_plane_def){ { (double)NAN, 0.0, 1.0 } }, "unit vector");
    check_refused("mesh", &(carom_mesh_def){ NULL, 1.0 }, "file");
    check_refused("mesh", &(carom_mesh_def){ "a.stl", 0.0 }, "scale is 0");
}

TEST(shape, good_sizes_are_taken)
{
    TEST_UNUSED();
    carom_error err = { 0 };
    CHECK_OK(carom_shape_type_find("box")->check(&box, &err), err);
    CHECK_OK(carom_shape_type_find("sphere")->check(&sphere, &err), err);
    CHECK_OK(carom_shape_type_find("cylinder")->check(&cylinder, &err), err);
    CHECK_OK(carom_shape_type_find("capsule")->check(&capsule, &err), err);
    CHECK_OK(carom_shape_type_find("capsule")->check(&(carom_capsule_def){ 1.0, 0.0 }, &err), err);
    CHECK_OK(carom_shape_type_find("cone")->check(&cone, &err), err);
    CHECK_OK(carom_shape_type_find("plane")->check(&(carom_plane_def){ { 0.6, 0.0, 0.8 } }, &err), err);
    CHECK_OK(carom_shape_type_find("mesh")->check(&(carom_mesh_def){ "a.stl", 1e-3 }, &err), err);
}

/* The largest and smallest sizes allowed neither overflow nor vanish. */
TEST(shape, extreme_sizes_have_finite_inertia)
{
    TEST_UNUSED();
    static const double sizes[] = { 1e-12, 1e12 };
    for (int i = 0; i < 2; ++i) {
        double s = sizes[i];
        mass_properties m = mass_of("box", &(carom_box_def){ { s, s, s } });
        CHECK(m.mass > 0.0 && isfinite(m.mass));
        CHECK(m.inertia.m[0] > 0.0 && isfinite(m.inertia.m[0]));
    }
}

TEST(shape, mesh_shape_takes_the_mesh)
{
    TEST_UNUSED();
    const carom_shape_type *type = carom_shape_type_find("mesh");
    mesh *m = box_mesh(v3_make(0, 0, 0), v3_make(1, 2, 3));
    mass_properties mass;
    v3 low, high;
    type->mass(&mass, type->kind.defaults, m);
    type->bounds(&low, &high, type->kind.defaults, m);
    CHECK_NEAR(mass.mass, 6.0, 1e-14);
    check_v3_near(high, v3_make(1, 2, 3), 0.0);
    mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(shape, box_closed_form),
        RUN_TEST(shape, sphere_closed_form),
        RUN_TEST(shape, cylinder_closed_form),
        RUN_TEST(shape, capsule_is_the_sum_of_its_parts),
        RUN_TEST(shape, cone_closed_form),
        RUN_TEST(shape, plane_has_no_mass_and_no_end),
        RUN_TEST(shape, meshed_copies_converge_at_second_order),
        RUN_TEST(shape, bounds_touch_the_meshed_copy),
        RUN_TEST(shape, list_and_search_agree),
        RUN_TEST(shape, short_forms_have_one_field_each),
        RUN_TEST(shape, bad_sizes_are_refused),
        RUN_TEST(shape, good_sizes_are_taken),
        RUN_TEST(shape, extreme_sizes_have_finite_inertia),
        RUN_TEST(shape, mesh_shape_takes_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
