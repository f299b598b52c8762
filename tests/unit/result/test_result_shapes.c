/* What a result knows of its model: surfaces, shapes, markers, roles and colours come back as the model has them, shapes
 * that are alike share a surface, and every allocation may fail. */
#include "support/failing_heap.h"

#include <carom/mesh.h>

#include "geometry/mesh.h"
#include "math/quat.h"
#include "result/result_shapes.h"
#include "support/small_run.h"
#include "support/scene_file.h"

static const char *const all = SMALL_SCENE(SMALL_FLOOR ", " SMALL_BALLS ", " SMALL_ARM, SMALL_HINGE);

/* Volume by the divergence theorem: positive for triangles counter-clockwise seen from outside. */
static double volume_of(const carom_surface *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->triangle_count; ++i) {
        v3 p[3];
        for (int c = 0; c < 3; ++c) {
            const double *at = s->vertices + 3 * s->triangles[3 * i + (size_t)c];
            p[c] = v3_make(at[0], at[1], at[2]);
        }
        sum += v3_dot(p[0], v3_cross(p[1], p[2])) / 6.0;
    }
    return sum;
}

static v3 vector(carom_v3 a)
{
    return v3_make(a.x, a.y, a.z);
}

static void check_near3(v3 a, v3 b, double tolerance)
{
    CHECK_NEAR(a.x, b.x, tolerance);
    CHECK_NEAR(a.y, b.y, tolerance);
    CHECK_NEAR(a.z, b.z, tolerance);
}

TEST(shapes, are_those_of_the_model)
{
    static const char *const kinds[] = { "plane", "sphere", "sphere", "box" };
    static const double volumes[] = { 0.0, 4.0 / 3.0 * 3.14159265358979 * 1e-3, 4.0 / 3.0 * 3.14159265358979 * 1e-3,
                                      0.4 * 0.1 * 0.05 };
    small_run(all, "shapes-run");
    carom_result *r = small_open("shapes-run");
    CHECK_EQ(carom_result_shape_count(r), 4);
    CHECK_EQ(carom_result_surface_count(r), 2);
    for (size_t i = 0; i < 4; ++i) {
        carom_error err = { 0 };
        carom_surface s;
        carom_result_shape shape = carom_result_shape_info(r, i);
        CHECK_EQ(shape.body, 1 + (carom_id)i);
        CHECK_TEXT(shape.kind, kinds[i]);
        CHECK_EQ(shape.surface < 0, i == 0);
        if (i > 0) {
            CHECK_OK(carom_result_surface(r, (size_t)shape.surface, &s, &err), err);
            CHECK_NEAR(volume_of(&s) / volumes[i], i == 3 ? 1.0 : 0.99, i == 3 ? 1e-12 : 0.01);
        }
    }
    CHECK_EQ(carom_result_shape_info(r, 1).surface, carom_result_shape_info(r, 2).surface);
    CHECK_EQ(carom_result_shape_info(r, 4).surface, -1); /* beyond the end: nothing */
    CHECK_EQ(carom_result_shape_info(r, 4).body, CAROM_NONE);
    carom_result_close(r);
    small_remove("shapes-run");
}

TEST(shapes, bodies_have_roles_masses_and_colours)
{
    small_run(all, "shapes-run");
    carom_result *r = small_open("shapes-run");
    CHECK_EQ(carom_result_body_count(r), 5); /* the ground and four of the scene */
    CHECK_TEXT(carom_result_body_info(r, CAROM_GROUND).name, "ground");
    CHECK_TEXT(carom_result_body_info(r, 1).role, "fixed");
    CHECK_TEXT(carom_result_body_info(r, 2).role, "free");
    CHECK_TEXT(carom_result_body_info(r, 2).name, "ball");
    CHECK_NEAR(carom_result_body_info(r, 3).mass, 2.0, 0.0);
    CHECK_NEAR(carom_result_body_info(r, 2).color[1], 0.5, 0.0);
    CHECK_LE(carom_result_body_info(r, 3).color[0], -1.0);
    for (carom_id i = -3; i < 9; ++i) {
        CHECK_TEXT(carom_result_body_info(r, i).name, i >= 0 && i < 5 ? carom_result_body_name(r, i) : "ground");
    }
    carom_result_close(r);
    small_remove("shapes-run");
}

/* The joint holds: in every frame both markers are at one place, and their z axes are one. */
TEST(shapes, markers_of_a_joint_stay_together)
{
    small_run(all, "shapes-run");
    carom_result *r = small_open("shapes-run");
    carom_result_joint joint = carom_result_joint_info(r, 0);
    CHECK_EQ(carom_result_joint_count(r), 1);
    CHECK(joint.has_markers);
    CHECK_EQ(joint.body[0], CAROM_GROUND);
    CHECK_EQ(joint.body[1], 4);
    for (size_t k = 0; k < carom_result_frame_count(r); ++k) {
        v3 at[2], axis[2];
        for (int side = 0; side < 2; ++side) {
            carom_error err = { 0 };
            carom_motion m;
            CHECK_OK(carom_result_motion(r, joint.body[side], k, &m, &err), err);
            quat turn = m.pose.orientation;
            at[side] = v3_add(vector(m.pose.position), q_rotate(turn, vector(joint.marker_b[side].position)));
            axis[side] = q_rotate(turn, q_rotate(joint.marker_b[side].orientation, v3_make(0.0, 0.0, 1.0)));
        }
        check_near3(at[0], v3_make(0.2, 2.1, 1.3), 1e-9);
        check_near3(at[1], at[0], 1e-6);
        check_near3(axis[0], v3_make(0.6, 0.0, 0.8), 1e-9);
        check_near3(axis[1], axis[0], 1e-6);
    }
    carom_result_close(r);
    small_remove("shapes-run");
}

/* A plane in its own axes is z = 0, solid below: z of its pose is the normal in the body frame. */
TEST(shapes, planes_are_turned_to_their_normals)
{
    const v3 normals[] = { { 0, 0, 1 },
                           { 0, 0, -1 },
                           { 1, 0, 0 },
                           { 0, -1, 0 },
                           { 0.6, 0, -0.8 },
                           { 0.48, 0.6, 0.64 },
                           { 1e-9, 0, 1 },
                           { 0, 1e-9, -1 },
                           { -0.36, 0.48, -0.8 },
                           { 0, 0.8, -0.6 },
                           { 0.707107, 0.707107, 0 } };
    for (size_t i = 0; i < sizeof normals / sizeof normals[0]; ++i) {
        char text[600];
        v3 n = normals[i];
        snprintf(text, sizeof text,
                 "{\"carom\": 1, \"time\": {\"end\": 0.001}, \"bodies\": [{\"name\": \"wall\", \"fixed\": true,"
                 " \"shape\": {\"plane\": [%.9g, %.9g, %.9g], \"at\": [1, 2, 3],"
                 " \"orientation\": [0.5, 0.5, 0.5, 0.5]}}]}",
                 n.x, n.y, n.z);
        small_run(text, "shapes-plane");
        carom_result *r = small_open("shapes-plane");
        carom_result_shape shape = carom_result_shape_info(r, 0);
        CHECK_EQ(shape.surface, -1);
        check_near3(vector(shape.pose_b.position), v3_make(1.0, 2.0, 3.0), 0.0);
        v3 z = q_rotate(shape.pose_b.orientation, v3_make(0.0, 0.0, 1.0));
        check_near3(z, q_rotate((quat){ 0.5, 0.5, 0.5, 0.5 }, v3_unit(n)), 1e-9);
        carom_result_close(r);
    }
    small_remove("shapes-plane");
}

static void write_ply(const char *file, double height)
{
    FILE *f = fopen(file, "w");
    CHECK(f != NULL);
    fprintf(f, "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
               "element face 4\nproperty list uchar int vertex_indices\nend_header\n");
    fprintf(f, "0 0 0\n1 0 0\n0 1 0\n0 0 %g\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n", height);
    fclose(f);
}

/* Files of different names and the same scale are different meshes, though nothing but the name tells them apart. */
TEST(shapes, different_meshes_have_surfaces_of_their_own)
{
    const char *text = scene_text("result_shapes/different_meshes_have_surfaces_of_their_own.json");
    const double volumes[] = { 1.0 / 6.0, 0.5, 1.0 / 6.0, 4.0 };
    write_ply("flat.ply", 1.0);
    write_ply("tall.ply", 3.0);
    small_run(text, "shapes-mesh");
    carom_result *r = small_open("shapes-mesh");
    CHECK_EQ(carom_result_surface_count(r), 3);
    for (size_t i = 0; i < 4; ++i) {
        carom_error err = { 0 };
        carom_surface s;
        CHECK_OK(carom_result_surface(r, (size_t)carom_result_shape_info(r, i).surface, &s, &err), err);
        CHECK_NEAR(volume_of(&s), volumes[i], 1e-6);
        CHECK_NEAR(carom_result_body_info(r, 1 + (carom_id)i).mass, volumes[i], 1e-6);
    }
    carom_result_close(r);
    small_remove("shapes-mesh");
    unlink("flat.ply");
    unlink("tall.ply");
}

/* ---- questions about what is not there ---------------------------------------------------------------------------- */

TEST(shapes, what_is_not_there_is_refused)
{
    small_run(all, "shapes-run");
    carom_result *r = small_open("shapes-run");
    carom_error err = { 0 };
    carom_motion motion;
    carom_surface surface;
    carom_v3 force, torque;
    size_t frames = carom_result_frame_count(r);
    CHECK_EQ(carom_result_motion(r, 5, 0, &motion, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "5 bodies");
    CHECK_EQ(carom_result_motion(r, CAROM_NONE, 0, &motion, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_result_motion(r, 1, frames, &motion, &err), CAROM_BAD_INPUT);
    CHECK_NEAR(motion.pose.orientation.w, 1.0, 0.0);
    CHECK_EQ(carom_result_motion(r, INT32_MAX, 0, &motion, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_result_surface(r, 2, &surface, &err), CAROM_BAD_INPUT);
    CHECK_EQ(surface.triangle_count, 0);
    CHECK_EQ(carom_result_reaction(r, 1, 0, &force, &torque, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_result_reaction(r, 0, frames, &force, &torque, &err), CAROM_BAD_INPUT);
    CHECK_OK(carom_result_motion(r, CAROM_GROUND, frames, &motion, &err),
             err); /* the ground is where it is, at any time */
    CHECK_TEXT(carom_result_text(r, "name"), "small");
    CHECK_TEXT(carom_result_text(r, "method"), "compliant");
    CHECK_TEXT(carom_result_text(r, "no such key"), "");
    carom_result_close(r);
    small_remove("shapes-run");
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static carom_status write_shapes(const carom_model *model, carom_error *err)
{
    hid_t file = H5Fcreate("shapes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(file >= 0);
    H5Gclose(h5_create_group(file, "bodies"));
    H5Gclose(h5_create_group(file, "joints"));
    carom_status status = result_shapes_write(file, model, err);
    H5Fclose(file);
    return status;
}

TEST(shapes, every_allocation_of_writing_may_fail)
{
    carom_model *model = small_compile(all);
    carom_status status = CAROM_NO_MEMORY;
    long n = 0;
    while (status != CAROM_OK) {
        carom_error err = { 0 };
        heap_begin(++n);
        status = write_shapes(model, &err);
        bool failed = heap_end();
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK_CONTAINS(failed ? err.message : "memory", "memory");
        CHECK_EQ(heap.live, 0);
    }
    printf("  %ld allocations\n", n - 1);
    CHECK_GE((double)n, 20.0);
    carom_model_destroy(model);
    unlink("shapes.h5");
}

TEST(shapes, every_allocation_of_reading_may_fail)
{
    small_run(all, "shapes-run");
    carom_status status = CAROM_NO_MEMORY;
    long n = 0;
    while (status != CAROM_OK) {
        carom_error err = { 0 };
        carom_result *r = NULL;
        carom_surface s = { 0 };
        heap_begin(++n);
        status = carom_result_open("shapes-run", &r, &err);
        status = status == CAROM_OK ? carom_result_surface(r, 1, &s, &err) : status;
        carom_result_close(r);
        bool failed = heap_end();
        if ((status != CAROM_OK) != failed) {
            print_error("allocation %ld: %s\n", n, carom_status_name(status));
        }
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK_CONTAINS(failed ? err.message : "memory", "memory");
        CHECK_EQ(heap.live, 0);
    }
    printf("  %ld allocations\n", n - 1);
    small_remove("shapes-run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(shapes, are_those_of_the_model),
        RUN_TEST(shapes, bodies_have_roles_masses_and_colours),
        RUN_TEST(shapes, markers_of_a_joint_stay_together),
        RUN_TEST(shapes, planes_are_turned_to_their_normals),
        RUN_TEST(shapes, different_meshes_have_surfaces_of_their_own),
        RUN_TEST(shapes, what_is_not_there_is_refused),
        RUN_TEST(shapes, every_allocation_of_writing_may_fail),
        RUN_TEST(shapes, every_allocation_of_reading_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
