/* Shapes: closed forms from the textbooks, agreement with finely meshed copies at second order, bounds, checks,
 * signed distances against sampled surfaces, surfaces that are closed. */
#include "geometry/shape.h"

#include "support/check.h"
#include "support/samples.h"

static const carom_box_def box = { { 1.0, 2.0, 3.0 } };
static const carom_sphere_def sphere = { 0.7 };
static const carom_cylinder_def cylinder = { 0.5, 1.6 };
static const carom_capsule_def capsule = { 0.4, 1.1 };
static const carom_cone_def cone = { 0.8, 1.5 };
static const carom_ellipsoid_def ellipsoid = { { 0.9, 0.5, 0.7 } };
static const carom_torus_def torus_shape = { 0.7, 0.25 };
static const carom_rod_def rod = { 1.7, 0.1 };

/* A rectangle with a notch in its upper side. */
static const double corners[][2] = { { -0.5, -0.3 }, { 1.0, -0.3 }, { 1.0, 0.7 },
                                     { 0.3, 0.1 },   { -0.1, 0.7 }, { -0.5, 0.7 } };
static const carom_polygon_point polygon_points[] = { { { 2, corners[0] } }, { { 2, corners[1] } },
                                                      { { 2, corners[2] } }, { { 2, corners[3] } },
                                                      { { 2, corners[4] } }, { { 2, corners[5] } } };
static const carom_polygon_def polygon = { { 6, polygon_points }, 0.4 };

typedef struct sample_shape {
    const char *kind;
    const void *params;
} sample_shape;

static mesh *surface_of(const sample_shape *s, double spacing)
{
    mesh *m = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_shape_type_find(s->kind)->tessellate(&m, s->params, (surface_grain){ .spacing = spacing }, &err),
             err);
    return m;
}

static mass_properties mass_of(const char *kind, const void *params)
{
    mass_properties m;
    carom_shape_type_find(kind)->mass(&m, params, NULL);
    return m;
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

TEST(shape, box_closed_form)
{
    mass_properties m = mass_of("box", &box);
    CHECK_NEAR(m.mass, 6.0, 1e-15);
    check_m3_near(m.inertia, m3_diag(6.0 * 13.0 / 12.0, 6.0 * 10.0 / 12.0, 6.0 * 5.0 / 12.0), 1e-14);
}

TEST(shape, sphere_closed_form)
{
    mass_properties m = mass_of("sphere", &sphere);
    double r = sphere.radius;
    double i = 8.0 / 15.0 * TEST_PI * pow(r, 5);
    CHECK_NEAR(m.mass, 4.0 / 3.0 * TEST_PI * pow(r, 3), 1e-15);
    check_m3_near(m.inertia, m3_diag(i, i, i), 1e-15);
}

TEST(shape, cylinder_closed_form)
{
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
    mass_properties m = mass_of("cone", &cone);
    double r = cone.radius;
    double h = cone.height;
    double across = 3.0 / 80.0 * m.mass * (4.0 * r * r + h * h);
    CHECK_NEAR(m.mass, TEST_PI * r * r * h / 3.0, 1e-15);
    check_v3_near(m.center, v3_make(0.0, 0.0, h / 4.0), 1e-15);
    check_m3_near(m.inertia, m3_diag(across, across, 0.3 * m.mass * r * r), 1e-15);
}

/* By Pappus, and against a ring of points: as the tube gets thin, inertia is m R^2 about the axis and half of that across. */
TEST(shape, torus_closed_form)
{
    mass_properties m = mass_of("torus", &torus_shape);
    double R = torus_shape.ring_radius, r = torus_shape.tube_radius;
    CHECK_NEAR(m.mass, 2.0 * TEST_PI * TEST_PI * R * r * r, 1e-14);
    double axial = m.mass * (R * R + 0.75 * r * r), across = m.mass * (0.5 * R * R + 0.625 * r * r);
    check_m3_near(m.inertia, m3_diag(across, across, axial), 1e-14);
    CHECK_NEAR(carom_shape_type_find("torus")->area(&torus_shape), 4.0 * TEST_PI * TEST_PI * R * r, 1e-13);
}

/* m (b^2 + c^2) / 5; a ball where all half axes are equal. */
TEST(shape, ellipsoid_closed_form)
{
    mass_properties m = mass_of("ellipsoid", &ellipsoid);
    v3 e = ellipsoid.radii;
    CHECK_NEAR(m.mass, 4.0 / 3.0 * TEST_PI * e.x * e.y * e.z, 1e-15);
    check_m3_near(m.inertia,
                  m3_scale(0.2 * m.mass,
                           m3_diag(e.y * e.y + e.z * e.z, e.x * e.x + e.z * e.z, e.x * e.x + e.y * e.y)),
                  1e-15);
    double r = sphere.radius;
    mass_properties ball = mass_of("ellipsoid", &(carom_ellipsoid_def){ { r, r, r } });
    check_m3_near(ball.inertia, mass_of("sphere", &sphere).inertia, 1e-15);
}

/* Spheroids have areas by elementary functions. */
TEST(shape, area_of_spheroids)
{
    const carom_shape_type *type = carom_shape_type_find("ellipsoid");
    double r = sphere.radius;
    CHECK_NEAR(type->area(&(carom_ellipsoid_def){ { r, r, r } }), 4.0 * TEST_PI * r * r, 1e-14);
    static const double ratios[] = { 1.0 + 1e-9, 1.001, 2.0, 30.0, 1e3, 1e6 };
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; ++i) {
        double c = ratios[i];
        double e = sqrt((c - 1.0) * (c + 1.0)) / c;
        double prolate = 2.0 * TEST_PI * (1.0 + c * asin(e) / e);
        double oblate = 2.0 * TEST_PI * (c * c + atanh(e) / e);
        CHECK_NEAR(type->area(&(carom_ellipsoid_def){ { 1.0, c, 1.0 } }) / prolate, 1.0, 1e-9);
        CHECK_NEAR(type->area(&(carom_ellipsoid_def){ { c, 1.0, c } }) / oblate, 1.0, 1e-9);
    }
}

/* A slender rod: m l^2 / 12 across whatever its radius, which counts about its own axis only. */
TEST(shape, rod_closed_form)
{
    mass_properties m = mass_of("rod", &rod);
    double l = rod.length;
    CHECK_NEAR(m.mass, TEST_PI * rod.radius * rod.radius * l, 1e-15);
    CHECK_NEAR(m.inertia.m[0] / m.mass, l * l / 12.0, 1e-15);
    CHECK_NEAR(m.inertia.m[4] / m.mass, l * l / 12.0, 1e-15);
    CHECK_NEAR(m.inertia.m[8] / m.mass, 0.5 * rod.radius * rod.radius, 1e-17);
    m = mass_of("rod", &(carom_rod_def){ .length = 2.0 });
    CHECK_NEAR(m.inertia.m[8] / m.mass, 0.5 * 0.02 * 0.02, 1e-15);
}

/* The prism as a mesh has the same volume, centre and inertia, to rounding. */
TEST(shape, polygon_is_its_prism)
{
    mass_properties exact = mass_of("polygon", &polygon);
    mass_properties meshed;
    mesh *m = surface_of(&(sample_shape){ "polygon", &polygon }, 0.0);
    mesh_mass(&meshed, m);
    mesh_quality quality;
    carom_error err = { 0 };
    CHECK_OK(mesh_inspect(m, &quality, &err), err);
    CHECK_EQ(quality.open_edges + quality.nonmanifold_edges + quality.flipped_edges, 0);
    CHECK_NEAR(exact.mass, (1.5 * 1.0 - 0.5 * 1.1 * 0.6) * 0.4, 1e-15);
    CHECK_NEAR(meshed.mass, exact.mass, 1e-15);
    check_v3_near(meshed.center, exact.center, 1e-15);
    check_m3_near(meshed.inertia, exact.inertia, 1e-15);
    mesh_destroy(m);
}

TEST(shape, plane_has_no_mass_and_no_end)
{
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
    int count = 0;
    for (const carom_kind *const *kind = carom_shape_kinds(); *kind; ++kind, ++count) {
        const carom_shape_type *type = carom_shape_type_find((*kind)->name);
        CHECK(type && &type->kind == *kind);
        CHECK((*kind)->doc && (*kind)->defaults && (*kind)->size > 0);
        CHECK(type->check && type->mass && type->bounds);
        CHECK(type->distance || type->mesh_name); /* contact has a field from somewhere */
        CHECK(!type->solid || type->mesh_name || (type->tessellate && type->area));
    }
    CHECK_EQ(count, 15);
    CHECK(carom_shape_type_find("teapot") == NULL);
}

TEST(shape, short_forms_have_one_field_each)
{
    static const char *const expected[][2] = { { "box", "size" },        { "sphere", "radius" },
                                               { "ellipsoid", "radii" }, { "plane", "normal" },
                                               { "mesh", "file" },       { "sheet", "file" },
                                               { "wire", "file" },       { "points", "file" } };
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
    check_refused("ellipsoid", &(carom_ellipsoid_def){ { 1.0, 1.0, 0.0 } }, "radii[2] is 0");
    check_refused("ellipsoid", &(carom_ellipsoid_def){ { (double)NAN, 1.0, 1.0 } }, "radii[0]");
    check_refused("torus", &(carom_torus_def){ 0.0, 0.1 }, "ring_radius is 0");
    check_refused("torus", &(carom_torus_def){ 1.0, -0.1 }, "tube_radius is -0.1");
    check_refused("torus", &(carom_torus_def){ 1.0, 1.0 }, "thinner than the ring");
    check_refused("rod", &(carom_rod_def){ .length = 0.0 }, "length is 0");
    check_refused("rod", &(carom_rod_def){ 1.0, -1.0 }, "radius is -1");
    check_refused("plane", &(carom_plane_def){ { 0.0, 0.0, 2.0 } }, "length 2");
    check_refused("plane", &(carom_plane_def){ { (double)NAN, 0.0, 1.0 } }, "unit vector");
    check_refused("mesh", &(carom_mesh_def){ .file = NULL }, "file");
    check_refused("mesh", &(carom_mesh_def){ .file = "a.stl", .scale = { 1, (double[]){ 0.0 } } }, "scale is 0");
}

static void check_outline_refused(const double (*xy)[2], size_t count, const char *part)
{
    carom_polygon_point list[8];
    for (size_t i = 0; i < count; ++i) {
        list[i].at = (carom_reals){ 2, xy[i] };
    }
    check_refused("polygon", &(carom_polygon_def){ { count, list }, 0.1 }, part);
}

TEST(shape, bad_outlines_are_refused)
{
    check_outline_refused((const double[][2]){ { 0, 0 }, { 1, 0 } }, 2, "'points' are 2");
    check_outline_refused((const double[][2]){ { 0, 0 }, { 0, 1 }, { 1, 0 } }, 3, "counter-clockwise");
    check_outline_refused((const double[][2]){ { 0, 0 }, { 1, 0 }, { 2, 0 } }, 3, "meet");
    check_outline_refused((const double[][2]){ { 0, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 } }, 4, "the same");
    check_outline_refused((const double[][2]){ { 0, 0 }, { 1, 1 }, { 1, 0 }, { 0, 1 } }, 4, "must not cross itself");
    check_outline_refused((const double[][2]){ { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 0 }, { 0, 1 } }, 5, "meet");
    check_outline_refused((const double[][2]){ { 0, 0 }, { 1, 0 }, { (double)NAN, 1 } }, 3, "point 3");
    check_refused("polygon", &(carom_polygon_def){ { 6, polygon_points }, 0.0 }, "thickness is 0");
}

TEST(shape, good_sizes_are_taken)
{
    carom_error err = { 0 };
    CHECK_OK(carom_shape_type_find("box")->check(&box, &err), err);
    CHECK_OK(carom_shape_type_find("sphere")->check(&sphere, &err), err);
    CHECK_OK(carom_shape_type_find("cylinder")->check(&cylinder, &err), err);
    CHECK_OK(carom_shape_type_find("capsule")->check(&capsule, &err), err);
    CHECK_OK(carom_shape_type_find("capsule")->check(&(carom_capsule_def){ 1.0, 0.0 }, &err), err);
    CHECK_OK(carom_shape_type_find("cone")->check(&cone, &err), err);
    CHECK_OK(carom_shape_type_find("rod")->check(&(carom_rod_def){ .length = 1.0 }, &err), err);
    CHECK_OK(carom_shape_type_find("polygon")->check(&polygon, &err), err);
    CHECK_OK(carom_shape_type_find("plane")->check(&(carom_plane_def){ { 0.6, 0.0, 0.8 } }, &err), err);
    CHECK_OK(carom_shape_type_find("mesh")->check(&(carom_mesh_def){ .file = "a.stl",
                                                                     .scale = { 1, (double[]){ 1e-3 } } },
                                                  &err),
             err);
}

/* The largest and smallest sizes allowed neither overflow nor vanish. */
TEST(shape, extreme_sizes_have_finite_inertia)
{
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

/* ---- signed distance ----------------------------------------------------------------------------------------------- */

static const carom_capsule_def ball_capsule = { 0.5, 0.0 };
static const carom_cylinder_def disc = { 0.9, 0.1 };
static const carom_cone_def needle = { 0.1, 2.0 };
static const carom_plane_def tilted = { { 0.6, 0.0, 0.8 } };
static const sample_shape solids[] = {
    { "box", &box },         { "sphere", &sphere },        { "cylinder", &cylinder },   { "cylinder", &disc },
    { "capsule", &capsule }, { "capsule", &ball_capsule }, { "cone", &cone },           { "cone", &needle },
    { "rod", &rod },         { "polygon", &polygon },      { "ellipsoid", &ellipsoid }, { "torus", &torus_shape },
};
enum { SOLID_COUNT = sizeof solids / sizeof solids[0] };

static field_sample sample_of(const sample_shape *s, v3 p)
{
    return carom_shape_type_find(s->kind)->distance(s->params, p);
}

/* Distance to a finely sampled surface: too large by at most what a point of the surface is away from a vertex. */
static double brute_force_distance(const mesh *m, v3 p)
{
    double dist2 = HUGE_VAL;
    for (int i = 0; i < m->vertex_count; ++i) {
        dist2 = fmin(dist2, v3_norm2(v3_sub(m->vertices[i], p)));
    }
    return sqrt(dist2);
}

/* Winding number by solid angles [van Oosterom, Strackee 1983]: 1 inside, 0 outside. */
static double winding(const mesh *m, v3 p)
{
    double sum = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        v3 a = v3_sub(m->vertices[m->triangles[t][0]], p);
        v3 b = v3_sub(m->vertices[m->triangles[t][1]], p);
        v3 c = v3_sub(m->vertices[m->triangles[t][2]], p);
        double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
        double below = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
        sum += atan2(v3_dot(a, v3_cross(b, c)), below);
    }
    return sum / (2.0 * TEST_PI);
}

TEST(shape, distance_is_that_of_the_sampled_surface)
{
    const double spacing = 0.03;
    for (int k = 0; k < SOLID_COUNT; ++k) {
        mesh *m = surface_of(&solids[k], spacing);
        FOR_EACH_SEED(rng, 60) {
            v3 p = random_v3(&rng, 2.0);
            double exact = sample_of(&solids[k], p).distance;
            double sampled = brute_force_distance(m, p);
            CHECK_LE(fabs(exact), sampled + 1e-14);
            /* The nearest vertex is within a spacing aside, and lower by its square over twice a radius >= 0.1. */
            CHECK_LE(sampled, sqrt(exact * exact + spacing * spacing * (1.0 + 10.0 * fabs(exact))));
            if (fabs(exact) > spacing) {
                CHECK_NEAR(winding(m, p), exact < 0.0 ? 1.0 : 0.0, 1e-9);
            }
        }
        mesh_destroy(m);
    }
}

/* The nearest point is on the surface, its normal is the gradient, and no other point is nearer: to rounding of the longest half
 * axis, from flat discs to needles. */
static void check_nearest_point(const carom_ellipsoid_def *e, v3 p)
{
    field_sample f = sample_of(&(sample_shape){ "ellipsoid", e }, p);
    v3 x = v3_axpy(p, -f.distance, f.gradient);
    double longest = fmax(e->radii.x, fmax(e->radii.y, e->radii.z)) + v3_norm(p);
    v3 w = v3_make(e->radii.x * f.gradient.x, e->radii.y * f.gradient.y, e->radii.z * f.gradient.z);
    double length = v3_norm(w); /* support along the gradient: the point of the surface with that normal */
    v3 there = v3_make(e->radii.x * w.x / length, e->radii.y * w.y / length, e->radii.z * w.z / length);
    CHECK_NEAR(v3_norm(f.gradient), 1.0, 1e-14);
    CHECK_LE(v3_norm(v3_sub(x, there)), 1e-13 * longest);
    for (int k = 0; k < 400; ++k) {
        double z = -1.0 + (k + 0.5) / 200.0, a = 2.4 * k; /* a spiral around the ball */
        v3 y = v3_make(e->radii.x * sqrt(1.0 - z * z) * cos(a), e->radii.y * sqrt(1.0 - z * z) * sin(a),
                       e->radii.z * z);
        CHECK_LE(fabs(f.distance), v3_norm(v3_sub(p, y)) + 1e-13 * longest);
    }
}

TEST(shape, nearest_points_of_ellipsoids_of_all_proportions)
{
    static const carom_ellipsoid_def all[] = { { { 1.0, 1.0, 1.0 } },   { { 1e-3, 1.0, 1e3 } },
                                               { { 1e3, 1e-3, 1.0 } },  { { 1.0, 1.0, 1e-6 } },
                                               { { 1e6, 1.0, 1.0 } },   { { 1.0, 1.0 + 1e-12, 1.0 } },
                                               { { 1e-9, 2e-9, 3e-9 } } };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k) {
        v3 e = all[k].radii;
        FOR_EACH_SEED(rng, 200) {
            v3 p = random_v3(&rng, 1.0);
            double far = pow(10.0, test_rng_uniform(&rng, -3.0, 1.0));
            p = v3_make(far * p.x * e.x, far * p.y * e.y, far * p.z * e.z);
            p = seed_ % 4 == 1 ? v3_make(p.x, p.y, 0.0) : seed_ % 4 == 2 ? v3_make(0.0, p.y, 1e-300) : p;
            check_nearest_point(&all[k], p);
        }
        check_nearest_point(&all[k], v3_zero());
        check_nearest_point(&all[k], v3_make(e.x, 0.0, 0.0));
        check_nearest_point(&all[k], v3_make(0.0, 0.0, 0.999 * e.z));
    }
}

TEST(shape, balls_as_ellipsoids_have_the_same_distances)
{
    double r = sphere.radius;
    const carom_ellipsoid_def ball = { { r, r, r } };
    FOR_EACH_SEED(rng, 200) {
        v3 p = random_v3(&rng, 2.0);
        field_sample a = sample_of(&(sample_shape){ "ellipsoid", &ball }, p);
        field_sample b = sample_of(&(sample_shape){ "sphere", &sphere }, p);
        CHECK_NEAR(a.distance, b.distance, 1e-15);
        check_v3_near(a.gradient, b.gradient, 1e-15);
    }
}

/* Central differences, where they agree with each other: kinks (medial axes, edges) are left out. */
TEST(shape, gradient_is_a_unit_vector_and_that_of_the_distance)
{
    const double h = 1e-5;
    int compared = 0;
    for (int k = 0; k <= SOLID_COUNT; ++k) {
        sample_shape s = k < SOLID_COUNT ? solids[k] : (sample_shape){ "plane", &tilted };
        FOR_EACH_SEED(rng, 400) {
            v3 p = random_v3(&rng, 1.5);
            field_sample f = sample_of(&s, p);
            CHECK_NEAR(v3_norm(f.gradient), 1.0, 1e-14);
            v3 forward = v3_zero(), backward = v3_zero();
            for (int i = 0; i < 3; ++i) {
                v3 e = v3_make(i == 0 ? h : 0.0, i == 1 ? h : 0.0, i == 2 ? h : 0.0);
                double ahead = (sample_of(&s, v3_add(p, e)).distance - f.distance) / h;
                double behind = (f.distance - sample_of(&s, v3_sub(p, e)).distance) / h;
                forward = v3_axpy(forward, ahead / h, e);
                backward = v3_axpy(backward, behind / h, e);
            }
            if (v3_norm(v3_sub(forward, backward)) < 3e-3) {
                check_v3_near(f.gradient, v3_scale(0.5, v3_add(forward, backward)), 3e-3);
                ++compared;
            }
        }
    }
    CHECK_GE(compared, 0.9 * 400 * (SOLID_COUNT + 1));
}

TEST(shape, distance_is_1_lipschitz)
{
    for (int k = 0; k < SOLID_COUNT; ++k) {
        FOR_EACH_SEED(rng, 2000) {
            v3 p = random_v3(&rng, 2.0);
            v3 q = seed_ % 2 ? random_v3(&rng, 2.0) : v3_add(p, random_v3(&rng, 0.1));
            double change = sample_of(&solids[k], p).distance - sample_of(&solids[k], q).distance;
            CHECK_LE(fabs(change), v3_norm(v3_sub(p, q)) * (1.0 + 1e-14) + 1e-14);
        }
    }
}

/* Centres, corners, tips and points on axes have no unique gradient: one of unit length comes back all the same. */
TEST(shape, distance_at_singular_points)
{
    static const v3 points[] = { { 0, 0, 0 },    { 0.5, 1, 1.5 }, { 0, 0, 1.5 }, { 0.8, 0, 0 },       { 0, 0, 0.8 },
                                 { 0, 0, -0.8 }, { 0.5, 0, 0.8 }, { 0, 0, 0.3 }, { -0.0, -0.0, -0.0 } };
    for (int k = 0; k < SOLID_COUNT; ++k) {
        for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
            field_sample f = sample_of(&solids[k], points[i]);
            CHECK(isfinite(f.distance));
            CHECK_NEAR(v3_norm(f.gradient), 1.0, 1e-14);
        }
    }
    for (int k = 0; k < SOLID_COUNT; ++k) { /* no number in, no number out */
        CHECK(isnan(sample_of(&solids[k], v3_make((double)NAN, 0.0, 0.0)).distance));
        CHECK(isnan(sample_of(&solids[k], v3_make(0.0, (double)NAN, -0.1)).distance));
        CHECK(isnan(sample_of(&solids[k], v3_make(0.1, 0.0, (double)NAN)).distance));
    }
    CHECK_NEAR(sample_of(&solids[0], v3_zero()).distance, -0.5, 0.0);
    CHECK_NEAR(sample_of(&(sample_shape){ "cone", &cone }, v3_make(0, 0, 1.5)).distance, 0.0, 0.0);
    CHECK_NEAR(sample_of(&(sample_shape){ "plane", &tilted }, v3_make(0, 0, 1)).distance, 0.8, 1e-15);
}

/* ---- surfaces ------------------------------------------------------------------------------------------------------ */

static double longest_edge(const mesh *m)
{
    double longest = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            v3 a = m->vertices[m->triangles[t][k]];
            v3 b = m->vertices[m->triangles[t][(k + 1) % 3]];
            longest = fmax(longest, v3_norm(v3_sub(a, b)));
        }
    }
    return longest;
}

static void check_surface(const sample_shape *s, double spacing)
{
    mesh *m = surface_of(s, spacing);
    mesh_quality quality;
    carom_error err = { 0 };
    CHECK_OK(mesh_inspect(m, &quality, &err), err);
    CHECK_EQ(quality.open_edges + quality.nonmanifold_edges + quality.flipped_edges + quality.degenerate, 0);
    double volume = mass_of(s->kind, s->params).mass;
    CHECK(quality.volume > 0.7 * volume && quality.volume <= volume * (1.0 + 1e-13));
    for (int i = 0; i < m->vertex_count; ++i) {
        CHECK_NEAR(sample_of(s, m->vertices[i]).distance, 0.0, 1e-15);
    }
    if (spacing > 0.0) {
        CHECK_LE(longest_edge(m), 1.5 * spacing); /* diagonals of squares, of slightly sheared ones between rings */
    }
    v3 low, high, mesh_low, mesh_high;
    carom_shape_type_find(s->kind)->bounds(&low, &high, s->params, NULL);
    mesh_bounds(&mesh_low, &mesh_high, m);
    check_v3_near(mesh_low, low, 1e-15);
    check_v3_near(mesh_high, high, 1e-15);
    mesh_destroy(m);
}

TEST(shape, surfaces_are_closed_outward_and_fine_enough)
{
    static const double spacings[] = { 0.0, 5.0, 0.71, 0.3, 0.07 };
    for (int k = 0; k < SOLID_COUNT; ++k) {
        for (size_t i = 0; i < sizeof spacings / sizeof spacings[0]; ++i) {
            check_surface(&solids[k], spacings[i]);
        }
    }
}

/* Finely sampled, the area is that of the triangles: to second order from below. */
TEST(shape, area_is_that_of_a_fine_surface)
{
    for (int k = 0; k < SOLID_COUNT; ++k) {
        mesh *m = surface_of(&solids[k], 0.02);
        double area = 0.0;
        for (int t = 0; t < m->triangle_count; ++t) {
            v3 a = m->vertices[m->triangles[t][0]];
            area += 0.5 * v3_norm(v3_cross(v3_sub(m->vertices[m->triangles[t][1]], a),
                                           v3_sub(m->vertices[m->triangles[t][2]], a)));
        }
        double exact = carom_shape_type_find(solids[k].kind)->area(solids[k].params);
        CHECK_LE(area, exact * (1.0 + 1e-12));
        CHECK_LE(0.99 * exact, area);
        mesh_destroy(m);
    }
}

TEST(shape, coarsest_box_has_eight_corners)
{
    mesh *m = surface_of(&solids[0], 0.0);
    CHECK_EQ(m->vertex_count, 8);
    CHECK_EQ(m->triangle_count, 12);
    mesh_destroy(m);
}

static mesh *surface_around(const sample_shape *s, int around)
{
    mesh *m = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_shape_type_find(s->kind)->tessellate(&m, s->params, (surface_grain){ .around = around }, &err),
             err);
    return m;
}

/* Vertices of the widest ring: all as far from the axis as any, and at one height. */
static int widest_ring(const mesh *m)
{
    double widest = 0.0;
    double height = 0.0;
    int count = 0;
    for (int i = 0; i < m->vertex_count; ++i) {
        double rho = hypot(m->vertices[i].x, m->vertices[i].y);
        if (rho > widest * (1.0 + 1e-9)) {
            widest = rho;
            height = m->vertices[i].z;
        }
    }
    for (int i = 0; i < m->vertex_count; ++i) {
        count += hypot(m->vertices[i].x, m->vertices[i].y) > widest * (1.0 - 1e-9) &&
                 fabs(m->vertices[i].z - height) < 1e-9;
    }
    return count;
}

static double mesh_volume(const mesh *m)
{
    double sum = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *c = m->triangles[t];
        sum += v3_dot(m->vertices[c[0]], v3_cross(m->vertices[c[1]], m->vertices[c[2]])) / 6.0;
    }
    return sum;
}

static bool is_flat(const sample_shape *s)
{
    return strcmp(s->kind, "box") == 0 || strcmp(s->kind, "polygon") == 0;
}

/* As many points around as asked for, all on the surface; the volume comes from below, with the square of a chord. */
TEST(shape, rings_have_as_many_points_as_asked_for)
{
    static const int around[] = { 0, 3, 16, 36, 72, 144 };
    for (int k = 0; k < SOLID_COUNT; ++k) {
        mass_properties exact;
        double missing = 0.0;
        carom_shape_type_find(solids[k].kind)->mass(&exact, solids[k].params, NULL);
        for (size_t i = 0; i < sizeof around / sizeof around[0]; ++i) {
            mesh *m = surface_around(&solids[k], around[i]);
            for (int v = 0; v < m->vertex_count; ++v) {
                CHECK_NEAR(sample_of(&solids[k], m->vertices[v]).distance, 0.0, 1e-12);
            }
            double lost = 1.0 - mesh_volume(m) / exact.mass;
            if (solids[k].params == &ellipsoid) { /* its rings are circles pressed together */
                mesh_stretch(m, v3_make(1.0 / ellipsoid.radii.x, 1.0 / ellipsoid.radii.y, 1.0 / ellipsoid.radii.z));
            }
            if (is_flat(&solids[k])) {
                CHECK_EQ(m->vertex_count, solids[k].params == &box ? 8 : 12);
                CHECK_NEAR(lost, 0.0, 1e-12);
            } else {
                CHECK_GE((double)widest_ring(m), (double)(around[i] ? around[i] : 16));
                CHECK_GE(lost, 0.0);
                CHECK_LE(lost, 40.0 / ((double)widest_ring(m) * widest_ring(m)));
                CHECK(i < 4 || lost < 0.35 * missing); /* twice as many: a quarter */
            }
            missing = lost;
            mesh_destroy(m);
        }
    }
}

TEST(shape, absurd_numbers_around_are_refused)
{
    for (int k = 1; k < SOLID_COUNT; ++k) {
        carom_error err = { 0 };
        mesh *m = NULL;
        const carom_shape_type *type = carom_shape_type_find(solids[k].kind);
        if (!is_flat(&solids[k])) {
            CHECK_EQ(type->tessellate(&m, solids[k].params, (surface_grain){ .around = INT32_MAX }, &err),
                     CAROM_BAD_INPUT);
            CHECK(m == NULL);
            CHECK_CONTAINS(err.message, solids[k].kind);
        }
    }
}

TEST(shape, absurd_spacings_are_refused_with_one_that_fits)
{
    static const double absurd[] = { 1e-9, 5e-324, -1.0, HUGE_VAL, (double)NAN };
    for (int k = 0; k < SOLID_COUNT; ++k) {
        for (int i = 0; i < 5; ++i) {
            carom_error err = { 0 };
            mesh *m = NULL;
            const carom_shape_type *type = carom_shape_type_find(solids[k].kind);
            surface_grain grain = { .spacing = absurd[i] };
            CHECK_EQ(type->tessellate(&m, solids[k].params, grain, &err), CAROM_BAD_INPUT);
            CHECK(m == NULL);
            CHECK_CONTAINS(err.message, solids[k].kind);
            CHECK_CONTAINS(err.message, i < 2 ? "or more" : "give a length");
        }
    }
}

TEST(shape, balls_fill_sphere_and_capsule)
{
    shape_ball balls[100];
    CHECK_EQ(carom_shape_type_find("sphere")->balls(balls, 1, &sphere, 0.1), 1);
    CHECK_NEAR(balls[0].radius, sphere.radius, 0.0);
    const carom_shape_type *type = carom_shape_type_find("capsule");
    CHECK_EQ(type->balls(balls, 100, &capsule, 0.25), 6);
    CHECK_NEAR(balls[0].center.z, -0.5 * capsule.length, 0.0);
    CHECK_NEAR(balls[5].center.z, 0.5 * capsule.length, 0.0);
    CHECK_LE(balls[1].center.z - balls[0].center.z, 0.25);
    double area = 0.0;
    for (int i = 0; i < 6; ++i) {
        area += balls[i].area;
    }
    CHECK_NEAR(area, type->area(&capsule), 1e-14);
    CHECK_EQ(type->balls(balls, 100, &ball_capsule, 0.25), 1);
    CHECK_NEAR(balls[0].center.z, 0.0, 0.0);
    CHECK_EQ(type->balls(NULL, 0, &capsule, 0.0), 7); /* half a radius apart */
    CHECK_EQ(type->balls(NULL, 0, &capsule, 1e-300), INT32_MAX);
    CHECK(!carom_shape_type_find("box")->balls && !carom_shape_type_find("plane")->tessellate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(shape, box_closed_form),
        RUN_TEST(shape, sphere_closed_form),
        RUN_TEST(shape, cylinder_closed_form),
        RUN_TEST(shape, capsule_is_the_sum_of_its_parts),
        RUN_TEST(shape, cone_closed_form),
        RUN_TEST(shape, torus_closed_form),
        RUN_TEST(shape, ellipsoid_closed_form),
        RUN_TEST(shape, area_of_spheroids),
        RUN_TEST(shape, nearest_points_of_ellipsoids_of_all_proportions),
        RUN_TEST(shape, balls_as_ellipsoids_have_the_same_distances),
        RUN_TEST(shape, rod_closed_form),
        RUN_TEST(shape, polygon_is_its_prism),
        RUN_TEST(shape, bad_outlines_are_refused),
        RUN_TEST(shape, plane_has_no_mass_and_no_end),
        RUN_TEST(shape, meshed_copies_converge_at_second_order),
        RUN_TEST(shape, bounds_touch_the_meshed_copy),
        RUN_TEST(shape, list_and_search_agree),
        RUN_TEST(shape, short_forms_have_one_field_each),
        RUN_TEST(shape, bad_sizes_are_refused),
        RUN_TEST(shape, good_sizes_are_taken),
        RUN_TEST(shape, extreme_sizes_have_finite_inertia),
        RUN_TEST(shape, mesh_shape_takes_the_mesh),
        RUN_TEST(shape, distance_is_that_of_the_sampled_surface),
        RUN_TEST(shape, gradient_is_a_unit_vector_and_that_of_the_distance),
        RUN_TEST(shape, distance_is_1_lipschitz),
        RUN_TEST(shape, distance_at_singular_points),
        RUN_TEST(shape, surfaces_are_closed_outward_and_fine_enough),
        RUN_TEST(shape, area_is_that_of_a_fine_surface),
        RUN_TEST(shape, coarsest_box_has_eight_corners),
        RUN_TEST(shape, rings_have_as_many_points_as_asked_for),
        RUN_TEST(shape, absurd_numbers_around_are_refused),
        RUN_TEST(shape, absurd_spacings_are_refused_with_one_that_fits),
        RUN_TEST(shape, balls_fill_sphere_and_capsule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
