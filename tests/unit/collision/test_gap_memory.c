/* Memory that runs out while facets are built or features are found: said so, nothing lost. */
#include "support/failing_heap.h"

#include "gap_rigs.h"

static const double corners[][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
static const carom_polygon_point points[] = {
    { { 2, corners[0] } }, { { 2, corners[1] } }, { { 2, corners[2] } }, { { 2, corners[3] } }
};
static const carom_polygon_def plate = { { 4, points }, 0.2 };
static const carom_rod_def rod = { .length = 1.0 };
static const rig_shape kinds[] = {
    { "box", &rig_box },
    { "sphere", &rig_sphere },
    { "cylinder", &rig_cylinder },
    { "capsule", &rig_capsule },
    { "plane", &rig_plane },
    { "mesh", &rig_mesh },
    { "rod", &rod },
    { "polygon", &plate },
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

TEST(gap_memory, colliders_say_so)
{
    mesh *m = torus(0.5, 0.2, 6, 5);
    collider_options o = rig_options(DETECT_DIRECT, FEATURES_POINTS);
    o.facets = true;
    for (int k = 0; k < KIND_COUNT; ++k) {
        const carom_shape_type *type = carom_shape_type_find(kinds[k].kind);
        long n = 0;
        for (bool failed = true; failed;) {
            collider *c = NULL;
            carom_error err = { 0 };
            heap_begin(++n);
            carom_status status = collider_create(&c, type, kinds[k].params, type->mesh_name ? m : NULL, &o, &err);
            collider_destroy(c);
            failed = heap_end();
            CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
            CHECK_LE((double)heap.live, 0.0); /* a stream of the C library gives its text away */
        }
        CHECK(n > 3);
    }
    mesh_destroy(m);
}

static void check_find(const collider *a, const collider *b, const carom_pose pose[2], size_t least)
{
    gap_pair pair = pair_of(a, b);
    long n = 0;
    for (bool failed = true; failed;) {
        gap_list list = { 0 };
        heap_begin(++n);
        bool ok = gap_find(&list, &pair, pose, 0.1);
        size_t count = list.count;
        gap_list_free(&list);
        failed = heap_end();
        CHECK(ok == !failed);
        CHECK_EQ(heap.live, 0);
        CHECK(!ok || count >= least);
    }
    CHECK(n > 2);
}

TEST(gap_memory, searches_say_so)
{
    collider *box = make_faceted("box", &rig_box, NULL);
    collider *flat = make_faceted("polygon", &plate, NULL);
    check_find(box, box, (const carom_pose[]){ { { 0, 0, 0.85 }, q_identity() }, { .orientation = q_identity() } },
               4);
    check_find(flat, flat, (const carom_pose[]){ { { 0, 1.05, 0 }, q_identity() }, { .orientation = q_identity() } },
               2);
    collider_destroy(box);
    collider_destroy(flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(gap_memory, colliders_say_so),
        RUN_TEST(gap_memory, searches_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
