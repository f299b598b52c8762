/* The exact test of frames, with poses made by hand: touching is meeting, one unit in the last place apart is not; what swallows and
 * what is swallowed meet; what may not touch according to the model is left alone; every kind of shape is looked at. The oracle of
 * random poses asks every triangle of one mesh about every triangle of the other. */
#include "sim/verify.h"

#include "geometry/make/make.h"
#include "geometry/triangle.h"
#include "math/quat.h"
#include "support/failing_heap.h"
#include "support/random.h"
#include "support/small_run.h"

enum { MOST_BODIES = 4, TEXT = 4096 };

typedef struct rig {
    carom_model *model;
    verifier *v;
    carom_pose pose[MOST_BODIES + 1]; /* ground first */
} rig;

/* Bodies "a" and "b", which is fixed if it is a plane, and what else is given. */
static rig rig_make(const char *a, const char *b, const char *contact, const char *more)
{
    char text[TEXT];
    rig r = { 0 };
    carom_error err = { 0 };
    int n = snprintf(text, sizeof text,
                     "{\"carom\": 1, \"time\": {\"end\": 1}, \"contact\": {\"method\": \"impact\"%s}, \"bodies\": ["
                     "{\"name\": \"a\", \"mass\": 1, \"inertia\": [1, 1, 1], \"shape\": %s},"
                     "{\"name\": \"b\", %s, \"shape\": %s}]%s}",
                     contact, a, strstr(b, "plane") ? "\"fixed\": true" : "\"mass\": 1, \"inertia\": [1, 1, 1]", b,
                     more);
    CHECK(n > 0 && n < TEXT);
    r.model = small_compile(text);
    CHECK_OK(verifier_create(&r.v, r.model, &err), err);
    for (int i = 0; i <= MOST_BODIES; ++i) {
        r.pose[i].orientation = q_identity();
    }
    return r;
}

static void rig_free(rig *r)
{
    verifier_destroy(r->v);
    carom_model_destroy(r->model);
}

/* Intersections of one more frame. */
static long found(rig *r, double t)
{
    carom_error err = { 0 };
    long before = verifier_found(r->v)->intersections;
    CHECK_OK(verifier_frame(r->v, t, r->pose, &err), err);
    return verifier_found(r->v)->intersections - before;
}

static long found_at(rig *r, double x, double y, double z)
{
    r->pose[2].position = v3_make(x, y, z);
    return found(r, 0.25);
}

#define BOX "{\"box\": [1, 1, 1]}"
#define BALL "{\"sphere\": 0.25}"
#define TORUS "{\"make\": {\"type\": \"torus\", \"ring_radius\": 1, \"tube_radius\": 0.25, \"spacing\": 0.2}}"

TEST(verify, touching_is_meeting_and_one_last_place_apart_is_not)
{
    rig r = rig_make(BOX, BOX, "", "");
    CHECK_EQ(found_at(&r, 1.0, 0.0, 0.0), 1);
    CHECK_EQ(found_at(&r, nextafter(1.0, 2.0), 0.0, 0.0), 0);
    CHECK_EQ(found_at(&r, nextafter(1.0, 0.0), 0.0, 0.0), 1);
    CHECK_EQ(found_at(&r, 1.0, 1.0, 1.0), 1);                 /* corner on corner */
    CHECK_EQ(found_at(&r, 1.0, 1.0, nextafter(1.0, 2.0)), 0); /* over it */
    CHECK_EQ(found_at(&r, 0.3, 1.0, -0.4), 1);                /* face on face, shifted */
    CHECK_EQ(found_at(&r, 0.3, nextafter(-1.0, -2.0), -0.4), 0);
    CHECK_EQ(verifier_found(r.v)->frames, 7);
    rig_free(&r);
}

TEST(verify, round_shapes_meet_by_their_radii)
{
    rig plane = rig_make(BALL, "{\"plane\": [0, 0, 1]}", "", "");
    CHECK_EQ(found_at(&plane, 0.0, 0.0, -0.25), 1);
    CHECK_EQ(found_at(&plane, 0.0, 0.0, nextafter(-0.25, -1.0)), 0);
    CHECK_EQ(found_at(&plane, 7.0, 5.0, 3.0), 1); /* deep inside the half-space */
    rig_free(&plane);
    rig balls = rig_make(BALL, "{\"sphere\": 0.5}", "", "");
    CHECK_EQ(found_at(&balls, 0.0, nextafter(0.75, 0.0), 0.0), 1);
    CHECK_EQ(found_at(&balls, 0.0, nextafter(0.75, 1.0), 0.0), 0);
    CHECK_EQ(found_at(&balls, 0.1, 0.0, 0.0), 1); /* one inside the other */
    rig_free(&balls);
    rig box = rig_make(BALL, BOX, "", "");
    CHECK_EQ(found_at(&box, nextafter(0.75, 0.0), 0.1, 0.2), 1);
    CHECK_EQ(found_at(&box, nextafter(0.75, 1.0), 0.1, 0.2), 0);
    rig_free(&box);
}

TEST(verify, what_is_swallowed_meets)
{
    rig ball = rig_make(BALL, "{\"box\": [4, 4, 4]}", "", "");
    CHECK_EQ(found_at(&ball, 0.1, -0.2, 0.3), 1);
    CHECK_CONTAINS(verifier_found(ball.v)->first, "'a' is inside 'b' at t = 0.25 s");
    CHECK_EQ(found_at(&ball, 3.0, 0.0, 0.0), 0);
    rig_free(&ball);
    rig box = rig_make("{\"box\": [4, 4, 4]}", BOX, "", "");
    CHECK_EQ(found_at(&box, 0.0, 0.0, 0.0), 1); /* rays through edges and corners are not counted */
    CHECK_CONTAINS(verifier_found(box.v)->first, "'b' is inside 'a'");
    rig_free(&box);
    rig ring = rig_make(TORUS, BALL, "", "");
    CHECK_EQ(found_at(&ring, 0.0, 0.0, 0.0), 0); /* in the hole */
    CHECK_EQ(found_at(&ring, 0.1, 0.3, 0.0), 0);
    CHECK_EQ(found_at(&ring, 0.0, 1.0, 0.0), 1); /* in the tube */
    rig_free(&ring);
    rig small = rig_make(TORUS, "{\"box\": [0.1, 0.1, 0.1]}", "", "");
    CHECK_EQ(found_at(&small, 0.0, 1.0, 0.0), 1);
    CHECK_CONTAINS(verifier_found(small.v)->first, "'b' is inside 'a'");
    CHECK_EQ(found_at(&small, 0.0, 0.0, 0.0), 0);
    rig_free(&small);
}

TEST(verify, names_bodies_time_and_features)
{
    rig r = rig_make(BOX, "{\"plane\": [0, 0, 1]}", "", "");
    r.pose[1].position = v3_make(0.0, 0.0, 0.75);
    CHECK_EQ(found(&r, 0.5), 0);
    CHECK_TEXT(verifier_found(r.v)->first, "");
    r.pose[1].position = v3_make(0.0, 0.0, 0.25);
    CHECK_EQ(found(&r, 1.5), 1);
    CHECK_CONTAINS(verifier_found(r.v)->first, "'a' and 'b' intersect at t = 1.5 s (vertex ");
    CHECK_CONTAINS(verifier_found(r.v)->first, " and plane)");
    r.pose[1].position = v3_make(0.0, 0.0, 0.125);
    CHECK_EQ(found(&r, 2.5), 1);
    CHECK_CONTAINS(verifier_found(r.v)->first, "t = 1.5 s"); /* the first one stays */
    CHECK_NEAR(verifier_found(r.v)->t, 1.5, 0.0);
    CHECK_EQ(verifier_found(r.v)->body[0], 1);
    CHECK_EQ(verifier_found(r.v)->body[1], 2);
    CHECK_EQ(verifier_found(r.v)->pairs, 3);
    rig_free(&r);
}

/* Frames in which nothing moves are decided like those before. */
TEST(verify, bodies_at_rest_keep_their_answer)
{
    rig r = rig_make(BOX, BOX, "", "");
    for (int k = 0; k < 3; ++k) {
        CHECK_EQ(found_at(&r, 0.5, 0.0, 0.0), 1);
    }
    for (int k = 0; k < 3; ++k) {
        CHECK_EQ(found_at(&r, 1.0, 1.0, 1.5), 0);
    }
    CHECK_EQ(found_at(&r, 0.5, 0.0, 0.0), 1);
    CHECK_EQ(verifier_found(r.v)->frames, 7);
    CHECK_EQ(verifier_found(r.v)->intersections, 4);
    rig_free(&r);
}

TEST(verify, what_may_not_touch_is_left_alone)
{
    static const char joint[] =
        ", \"joints\": [{\"name\": \"j\", \"type\": \"spherical\", \"bodies\": [\"a\", \"b\"], \"at\": [0, 0, 0]}]";
    rig joined = rig_make(BOX, BOX, "", joint);
    CHECK_EQ(found_at(&joined, 0.5, 0.0, 0.0), 0);
    CHECK_EQ(verifier_found(joined.v)->pairs, 0);
    rig_free(&joined);
    rig asked = rig_make(BOX, BOX, ", \"between_joined\": true", joint);
    CHECK_EQ(found_at(&asked, 0.5, 0.0, 0.0), 1);
    rig_free(&asked);
    rig ignored = rig_make(BOX, BOX, ", \"pairs\": [{\"between\": [\"a\", \"b\"], \"ignore\": true}]", "");
    CHECK_EQ(found_at(&ignored, 0.5, 0.0, 0.0), 0);
    rig_free(&ignored);
}

TEST(verify, a_body_without_a_place_is_told)
{
    rig r = rig_make(BOX, BOX, "", "");
    CHECK_EQ(found_at(&r, (double)NAN, 0.0, 0.0), 1);
    CHECK_CONTAINS(verifier_found(r.v)->first, "'b' is nowhere at t = 0.25 s");
    CHECK_EQ(found_at(&r, 3.0, 0.0, 0.0), 0);
    CHECK_EQ(found_at(&r, 0.5, 0.0, 0.0), 1);
    rig_free(&r);
}

/* Any two kinds: overlapping, one behind the other, and turned about each other wherever they are in the world. */
TEST(verify, looks_at_every_kind_of_shape)
{
    static const char *const shapes[] = {
        BOX,
        "{\"sphere\": 0.5}",
        "{\"capsule\": {\"radius\": 0.3, \"length\": 0.5}}",
        "{\"cylinder\": {\"radius\": 0.5, \"length\": 1}}",
        "{\"cone\": {\"radius\": 0.5, \"height\": 1}}",
        "{\"make\": {\"type\": \"sphere\", \"radius\": 0.5, \"spacing\": 0.3}}",
    };
    enum { KINDS = sizeof shapes / sizeof *shapes };
    test_rng rng = test_rng_seed(5);
    for (int i = 0; i < KINDS; ++i) {
        for (int k = 0; k < KINDS; ++k) {
            rig r = rig_make(shapes[i], shapes[k], "", "");
            for (int n = 0; n < 20; ++n) {
                v3 x = random_v3(&rng, 100.0);
                v3 way = random_direction(&rng);
                r.pose[1] = (carom_pose){ x, so3_exp(random_v3(&rng, 3.0)) };
                r.pose[2] = (carom_pose){ v3_axpy(x, 3.0, way), so3_exp(random_v3(&rng, 3.0)) };
                CHECK_EQ(found(&r, 0.0), 0);
                r.pose[2] = (carom_pose){ v3_add(x, q_rotate(r.pose[1].orientation, v3_make(0.0, 0.0, 0.2))),
                                          r.pose[1].orientation };
                CHECK_EQ(found(&r, 0.0), 1);
            }
            rig_free(&r);
        }
    }
}

/* ---- random poses against all triangles ------------------------------------------------------------------------------------ */

static void corners(const mesh *m, int triangle, const carom_pose *pose, v3 out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = v3_add(pose->position, q_rotate(pose->orientation, m->vertices[m->triangles[triangle][k]]));
    }
}

/* [sr] / 4 pi of all triangles seen from p: 1 inside, 0 outside. */
static double winding(const mesh *m, const carom_pose *pose, v3 p)
{
    double sum = 0.0;
    for (int i = 0; i < m->triangle_count; ++i) {
        v3 t[3];
        corners(m, i, pose, t);
        v3 a = v3_sub(t[0], p), b = v3_sub(t[1], p), c = v3_sub(t[2], p);
        double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
        double det = v3_dot(a, v3_cross(b, c));
        sum += 2.0 * atan2(det, la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb);
    }
    return sum / (4.0 * 3.14159265358979323846);
}

static bool oracle(const mesh *a, const carom_pose *pa, const mesh *b, const carom_pose *pb)
{
    v3 x[3], y[3];
    for (int i = 0; i < a->triangle_count; ++i) {
        corners(a, i, pa, x);
        for (int k = 0; k < b->triangle_count; ++k) {
            corners(b, k, pb, y);
            if (triangles_meet(x, y)) {
                return true;
            }
        }
    }
    corners(a, 0, pa, x);
    corners(b, 0, pb, y);
    return winding(b, pb, x[0]) > 0.5 || winding(a, pa, y[0]) > 0.5;
}

static const mesh *mesh_of(const rig *r, int body)
{
    return r->model->bodies[body].shapes[0].mesh;
}

TEST(verify, agrees_with_all_triangles_against_all)
{
    static const char *const others[] = {
        "{\"make\": {\"type\": \"box\", \"size\": [0.2, 0.3, 0.1]}}",
        "{\"make\": {\"type\": \"torus\", \"ring_radius\": 0.4, \"tube_radius\": 0.1, \"spacing\": 0.2}}",
        "{\"make\": {\"type\": \"sphere\", \"radius\": 0.08, \"triangles\": 20}}",
    };
    enum { POSES = 400 };
    test_rng rng = test_rng_seed(11);
    int met = 0;
    int swallowed = 0;
    for (int kind = 0; kind < 3; ++kind) {
        rig r = rig_make(TORUS, others[kind], "", "");
        for (int n = 0; n < POSES; ++n) {
            r.pose[1] = (carom_pose){ random_v3(&rng, 1.0), so3_exp(random_v3(&rng, 3.0)) };
            r.pose[2] = (carom_pose){ v3_add(r.pose[1].position, random_v3(&rng, 1.0)),
                                      so3_exp(random_v3(&rng, 3.0)) };
            bool meets = oracle(mesh_of(&r, 1), &r.pose[1], mesh_of(&r, 2), &r.pose[2]);
            bool inside = meets && winding(mesh_of(&r, 1), &r.pose[1], r.pose[2].position) > 0.5;
            CHECK_EQ(found(&r, 0.0), meets);
            met += meets;
            swallowed += inside;
        }
        rig_free(&r);
    }
    CHECK_GE((double)met, 100.0);
    CHECK_GE((double)swallowed, 20.0);
    CHECK_LE((double)met, 3.0 * POSES - 300.0);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

static carom_status try_all(const rig *r, long *intersections, carom_error *err)
{
    verifier *v = NULL;
    carom_status status = verifier_create(&v, r->model, err);
    status = status == CAROM_OK ? verifier_frame(v, 0.0, r->pose, err) : status;
    *intersections = status == CAROM_OK ? verifier_found(v)->intersections : -1;
    verifier_destroy(v);
    return status;
}

TEST(verify, survives_every_allocation_that_fails)
{
    rig r = rig_make(TORUS, BALL, "", "");
    r.pose[2].position = v3_make(1.0, 0.0, 0.0);
    bool failed = true;
    long n = 0;
    while (failed) {
        carom_error err = { 0 };
        long intersections;
        heap_begin(++n);
        carom_status status = try_all(&r, &intersections, &err);
        failed = heap_end();
        CHECK_EQ(heap.live, 0);
        CHECK(failed ? status == CAROM_NO_MEMORY && err.message[0] : status == CAROM_OK && intersections == 1);
    }
    CHECK_GE((double)n, 10.0);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(verify, touching_is_meeting_and_one_last_place_apart_is_not),
        RUN_TEST(verify, round_shapes_meet_by_their_radii),
        RUN_TEST(verify, what_is_swallowed_meets),
        RUN_TEST(verify, names_bodies_time_and_features),
        RUN_TEST(verify, bodies_at_rest_keep_their_answer),
        RUN_TEST(verify, what_may_not_touch_is_left_alone),
        RUN_TEST(verify, a_body_without_a_place_is_told),
        RUN_TEST(verify, looks_at_every_kind_of_shape),
        RUN_TEST(verify, agrees_with_all_triangles_against_all),
        RUN_TEST(verify, survives_every_allocation_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
