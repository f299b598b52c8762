/* Colliders: shares of the surface, boxes, radii, points on the surface, what is refused. */
#include "rigs.h"

static double area_of_mesh(const mesh *m)
{
    double area = 0.0;
    for (int t = 0; t < m->triangle_count; ++t) {
        v3 a = m->vertices[m->triangles[t][0]];
        area += 0.5 * v3_norm(v3_cross(v3_sub(m->vertices[m->triangles[t][1]], a),
                                       v3_sub(m->vertices[m->triangles[t][2]], a)));
    }
    return area;
}

static double sum_of_areas(const collider *c)
{
    double area = 0.0;
    for (int i = 0; i < collider_point_count(c); ++i) {
        area += collider_point(c, i).area;
    }
    return area;
}

TEST(collider, shares_add_up_to_the_surface)
{
    mesh *m = rig_torus();
    for (int k = 0; k < RIG_SHAPES; ++k) {
        for (int features = FEATURES_POINTS; features <= FEATURES_FACES; ++features) {
            for (int fine = 0; fine < 2; ++fine) {
                collider_options o = rig_options(DETECT_DIRECT, features);
                o.spacing = fine ? 0.06 : 0.0;
                collider *c = make_collider(rig_shapes[k].kind, rig_shapes[k].params, k == RIG_MESH ? m : NULL, &o);
                const carom_shape_type *type = carom_shape_type_find(rig_shapes[k].kind);
                double area = type->area ? type->area(rig_shapes[k].params) : k == RIG_MESH ? area_of_mesh(m) : 0.0;
                CHECK_NEAR(sum_of_areas(c), area, 1e-11);
                collider_destroy(c);
            }
        }
    }
    mesh_destroy(m);
}

TEST(collider, points_lie_on_the_surface_inside_box_and_radius)
{
    mesh *m = rig_torus();
    for (int k = 0; k < RIG_SHAPES; ++k) {
        collider_options o = rig_options(DETECT_DIRECT, FEATURES_POINTS);
        collider *c = make_collider(rig_shapes[k].kind, rig_shapes[k].params, k == RIG_MESH ? m : NULL, &o);
        const obb *box = collider_box(c);
        double radius = 0.0;
        for (int i = 0; i < collider_point_count(c); ++i) {
            detection_point p = collider_point(c, i);
            v3 r = m3_tmulv(box->axes, v3_sub(p.r, box->center));
            CHECK_NEAR(collider_sample(c, p.r).distance, -p.radius, 1e-12);
            CHECK_LE(fabs(r.x) + p.radius, box->half.x + 1e-12);
            CHECK_LE(fabs(r.y) + p.radius, box->half.y + 1e-12);
            CHECK_LE(fabs(r.z) + p.radius, box->half.z + 1e-12);
            radius = fmax(radius, v3_norm(p.r) + p.radius);
        }
        if (k == RIG_PLANE) {
            CHECK_EQ(collider_point_count(c), 0);
            CHECK(box->half_space && collider_radius(c) == HUGE_VAL);
        } else {
            CHECK_NEAR(collider_radius(c), radius, 1e-14);
        }
        const carom_shape_type *type = carom_shape_type_find(rig_shapes[k].kind);
        CHECK(collider_has_balls(c) == (type->balls && type->balls(NULL, 0, rig_shapes[k].params, 0.0) > 0));
        collider_destroy(c);
    }
    mesh_destroy(m);
}

TEST(collider, points_of_a_mesh_are_its_vertices_then_those_of_the_refinement)
{
    mesh *m = rig_torus();
    collider_options o = rig_options(DETECT_DIRECT, FEATURES_POINTS);
    collider *c = make_collider("mesh", &rig_mesh, m, &o);
    CHECK_EQ(collider_point_count(c), m->vertex_count);
    o.spacing = 0.03;
    collider *fine = make_collider("mesh", &rig_mesh, m, &o);
    CHECK(collider_point_count(fine) > 2 * m->vertex_count);
    for (int i = 0; i < m->vertex_count; ++i) {
        check_v3_near(collider_point(c, i).r, m->vertices[i], 0.0);
        check_v3_near(collider_point(fine, i).r, m->vertices[i], 0.0);
    }
    collider_destroy(c);
    collider_destroy(fine);
    mesh_destroy(m);
}

/* What the grids say is what they promise. */
TEST(collider, field_of_a_mesh_is_its_distance_under_every_method)
{
    mesh *m = rig_torus();
    collider_options direct = rig_options(DETECT_DIRECT, FEATURES_POINTS);
    collider *exact = make_collider("mesh", &rig_mesh, m, &direct);
    CHECK(collider_field(exact) == NULL);
    for (int method = DETECT_SDF_OCTREE; method <= DETECT_SDF_TREE; ++method) {
        collider_options o = rig_options(method, FEATURES_POINTS);
        o.field.kind = method == DETECT_SDF ? SDF_DENSE : SDF_BRICKS;
        collider *c = make_collider("mesh", &rig_mesh, m, &o);
        const sdf_info *info = collider_field(c);
        CHECK_EQ(info->kind, method == DETECT_SDF_OCTREE ? SDF_OCTREE : o.field.kind);
        FOR_EACH_SEED(rng, 200) {
            v3 p = v3_add(m->vertices[seed_ % m->vertex_count], random_v3(&rng, 0.5 * info->spacing));
            CHECK_NEAR(collider_sample(c, p).distance, collider_sample(exact, p).distance, info->error_bound);
        }
        collider_destroy(c);
    }
    collider_destroy(exact);
    mesh_destroy(m);
}

/* The torus is a solid of revolution: its distance has a closed form, to second order in the size of the triangles. */
TEST(collider, direct_field_has_unit_gradients_and_the_right_side)
{
    mesh *m = rig_torus();
    for (int sign = SDF_SIGN_AUTO; sign <= SDF_SIGN_WINDING; ++sign) {
        collider_options o = rig_options(DETECT_DIRECT, FEATURES_POINTS);
        o.field.sign = sign;
        collider *c = make_collider("mesh", &rig_mesh, m, &o);
        FOR_EACH_SEED(rng, 200) {
            v3 p = random_v3(&rng, 0.8);
            double rho = sqrt(p.x * p.x + p.y * p.y) - 0.5;
            field_sample f = collider_sample(c, p);
            CHECK_NEAR(f.distance, sqrt(rho * rho + p.z * p.z) - 0.2, 6e-3);
            CHECK_NEAR(v3_norm(f.gradient), 1.0, 1e-12);
            if (fabs(f.distance) > 0.01) { /* along the gradient it is the distance that changes */
                v3 on = v3_axpy(p, -f.distance, f.gradient);
                CHECK_NEAR(collider_sample(c, on).distance, 0.0, 1e-12);
            }
        }
        v3 corner = m->vertices[0];
        CHECK_NEAR(collider_sample(c, corner).distance, 0.0, 1e-15);
        CHECK_NEAR(v3_norm(collider_sample(c, corner).gradient), 1.0, 1e-12);
        collider_destroy(c);
    }
    mesh_destroy(m);
}

static void check_refused(const char *kind, const void *params, const mesh *m, const collider_options *o,
                          const char *part)
{
    collider *c = NULL;
    carom_error err = { 0 };
    CHECK_EQ(collider_create(&c, carom_shape_type_find(kind), params, m, o, &err), CAROM_BAD_INPUT);
    CHECK(c == NULL);
    CHECK_CONTAINS(err.message, part);
}

/* A box has twelve edges, each open between its two faces; a capsule one, round, with nothing beside it. */
TEST(collider, edges_know_what_lies_beside_them)
{
    const carom_box_def box = { .size = { 2.0, 4.0, 6.0 } };
    const carom_capsule_def capsule = { .radius = 0.5, .length = 3.0 };
    collider_options o = rig_options(DETECT_DIRECT, FEATURES_POINTS);
    o.facets = true;
    collider *c = make_collider("box", &box, NULL, &o);
    double length = 0.0;
    CHECK_EQ(collider_edge_count(c), 12);
    for (int e = 0; e < 12; ++e) {
        collider_edge edge = collider_edge_at(c, e);
        v3 along = v3_sub(edge.ends[1], edge.ends[0]);
        v3 middle = v3_scale(0.5, v3_add(edge.ends[0], edge.ends[1]));
        v3 out = v3_make(along.x == 0.0 ? copysign(1.0, middle.x) : 0.0,
                         along.y == 0.0 ? copysign(1.0, middle.y) : 0.0,
                         along.z == 0.0 ? copysign(1.0, middle.z) : 0.0);
        length += v3_norm(along);
        CHECK(edge.radius == 0.0);
        CHECK_NEAR(collider_edge_cone(c, e, v3_unit(out)), sqrt(0.5), 1e-12);
        CHECK_NEAR(collider_edge_cone(c, e, v3_neg(v3_unit(out))), -sqrt(0.5), 1e-12);
    }
    CHECK_NEAR(length, 4.0 * (2.0 + 4.0 + 6.0), 1e-12);
    CHECK(collider_ball_radius(c) == 0.0);
    collider_destroy(c);

    c = make_collider("capsule", &capsule, NULL, &o);
    CHECK_EQ(collider_edge_count(c), 1);
    CHECK(collider_edge_at(c, 0).radius == 0.5);
    CHECK(collider_edge_cone(c, 0, v3_make(1.0, 0.0, 0.0)) == HUGE_VAL);
    CHECK(collider_ball_radius(c) == 0.5);
    collider_destroy(c);
    o.facets = false;
    c = make_collider("box", &box, NULL, &o);
    CHECK_EQ(collider_edge_count(c), 0);
    collider_destroy(c);
}

TEST(collider, refuses_what_makes_no_sense)
{
    collider_options o = collider_options_default();
    check_refused("mesh", &rig_mesh, NULL, &o, "surface");
    mesh *empty = mesh_create(0, 0);
    check_refused("mesh", &rig_mesh, empty, &o, "surface");
    mesh_destroy(empty);
    o.spacing = -1.0;
    check_refused("box", &rig_box, NULL, &o, "spacing");
    o.spacing = 1e-8;
    check_refused("box", &rig_box, NULL, &o, "or more");
    check_refused("capsule", &rig_capsule, NULL, &o, "balls");
    mesh *m = rig_torus();
    check_refused("mesh", &rig_mesh, m, &o, "or more");
    mesh_destroy(m);
    o = collider_options_default();
    o.method = 9;
    check_refused("box", &rig_box, NULL, &o, "method 9");
    o = collider_options_default();
    o.features = -1;
    check_refused("box", &rig_box, NULL, &o, "features -1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(collider, shares_add_up_to_the_surface),
        RUN_TEST(collider, points_lie_on_the_surface_inside_box_and_radius),
        RUN_TEST(collider, points_of_a_mesh_are_its_vertices_then_those_of_the_refinement),
        RUN_TEST(collider, field_of_a_mesh_is_its_distance_under_every_method),
        RUN_TEST(collider, direct_field_has_unit_gradients_and_the_right_side),
        RUN_TEST(collider, edges_know_what_lies_beside_them),
        RUN_TEST(collider, refuses_what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
