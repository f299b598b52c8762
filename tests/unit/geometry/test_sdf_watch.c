/* Fields that are built before an audience: the same bits, and an end when the audience leaves. */
#include <stdlib.h>

#include <carom/sdf.h>

#include "geometry/sdf.h"
#include "support/check.h"
#include "support/samples.h"

typedef struct audience {
    long calls;
    long leaves_at; /* call, counted from 1; 0: never */
    double part;
    bool decreased;
} audience;

static bool look(void *context, const carom_building *now)
{
    audience *a = context;
    a->calls += 1;
    a->decreased = a->decreased || now->part < a->part || now->part > 1.0;
    a->part = now->part;
    return a->calls != a->leaves_at;
}

static carom_status build(sdf **out, const mesh *m, int kind, int threads, audience *a, carom_error *err)
{
    sdf_options o = sdf_options_default();
    carom_watch watch;
    o.kind = kind;
    o.resolution = 16;
    carom_watch_init(&watch, look, a, "the field");
    watch.interval = 0.0;
    return sdf_build_watched(out, m, &o, threads, a ? &watch : NULL, err);
}

TEST(sdf_watch, being_watched_changes_nothing)
{
    mesh *m = torus(1.0, 0.4, 24, 12);
    for (int kind = SDF_DENSE; kind <= SDF_OCTREE; ++kind) {
        carom_error err = { 0 };
        sdf *alone = NULL;
        CHECK_OK(build(&alone, m, kind, 1, NULL, &err), err);
        for (int threads = 1; threads <= 3; threads += 2) {
            sdf *watched = NULL;
            audience a = { 0 };
            CHECK_OK(build(&watched, m, kind, threads, &a, &err), err);
            CHECK(sdf_hash(watched) == sdf_hash(alone));
            CHECK(!a.decreased);
            CHECK_GE((double)a.calls, 20.0);
            CHECK_GE(a.part, 0.9);
            sdf_destroy(watched);
        }
        sdf_destroy(alone);
    }
    mesh_destroy(m);
}

/* All along the way, with one thread and with several. */
TEST(sdf_watch, leaving_ends_the_work_wherever_it_is)
{
    mesh *m = torus(1.0, 0.4, 12, 8);
    for (int kind = SDF_DENSE; kind <= SDF_OCTREE; ++kind) {
        carom_error err = { 0 };
        audience whole = { 0 };
        sdf *f = NULL;
        CHECK_OK(build(&f, m, kind, 1, &whole, &err), err);
        sdf_destroy(f);
        long step = whole.calls / 12 + 1;
        for (long at = 1; at <= whole.calls; at += step) {
            for (int threads = 1; threads <= 3; threads += 2) {
                audience a = { .leaves_at = at };
                carom_status status = build(&f, m, kind, threads, &a, &err);
                /* several threads may call less often: then it may be over before */
                CHECK(status == CAROM_INTERRUPTED || (threads > 1 && status == CAROM_OK && a.calls < at));
                CHECK(status == CAROM_OK || f == NULL);
                sdf_destroy(f);
            }
        }
    }
    mesh_destroy(m);
}

TEST(sdf_watch, the_public_way)
{
    carom_error err = { 0 };
    carom_sdf_options o = carom_sdf_options_default();
    audience a = { .leaves_at = 1 };
    carom_sdf *f = NULL;
    FILE *file = fopen("watched.obj", "w");
    CHECK(file != NULL);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", file);
    CHECK_EQ(fclose(file), 0);
    o.cache = "";
    o.resolution = 16;
    o.keep_going = look;
    o.context = &a;
    CHECK_EQ(carom_sdf_open("watched.obj", &o, &f, &err), CAROM_INTERRUPTED);
    CHECK(f == NULL);
    CHECK_CONTAINS(err.message, "watched.obj");
    a = (audience){ 0 };
    CHECK_OK(carom_sdf_open("watched.obj", &o, &f, &err), err);
    CHECK_GE((double)a.calls, 1.0);
    carom_sdf_destroy(f);
    remove("watched.obj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(sdf_watch, being_watched_changes_nothing),
        RUN_TEST(sdf_watch, leaving_ends_the_work_wherever_it_is),
        RUN_TEST(sdf_watch, the_public_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
