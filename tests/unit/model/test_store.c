/* Stores: models compiled with one are the same as without, things are made once whatever threads ask, and what nobody uses does
 * not pile up. */
#include <carom/carom.h>

#include <pthread.h>
#include <stdlib.h>

#include "model/model.h"
#include "support/check.h"

enum { THREADS = 4, ROUNDS = 3 };

/* A ball falls onto a gear beside a plate from a file; `method` decides how surfaces are prepared. */
static carom_spec *scene_of(const char *method, double radius, const char *file)
{
    char text[900];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.01},"
             " \"contact\": {\"method\": \"%s\"%s}, \"bodies\": ["
             "{\"name\": \"plate\", \"fixed\": true, \"shape\": {\"mesh\": \"%s\"}, \"position\": [0.5, 0, 0]},"
             "{\"name\": \"gear\", \"fixed\": true, \"shape\": {\"make\": {\"type\": \"gear\"}}},"
             "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": %.17g}, \"position\": [0, 0, 0.2]}]}",
             method, strcmp(method, "compliant") == 0 ? ", \"law\": {\"linear\": {\"k\": 1e5}}" : "", file, radius);
    CHECK_OK(carom_scene_parse(text, strlen(text), "store", ".", NULL, 0, &spec, &err), err);
    return spec;
}

/* A tetrahedron, its corners `size` from the origin. */
static void write_plate(const char *file, double size)
{
    FILE *f = fopen(file, "w");
    CHECK(f != NULL);
    fprintf(f, "v 0 0 0\nv %g 0 0\nv 0 %g 0\nv 0 0 %g\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", size, size, size);
    CHECK(fclose(f) == 0);
}

static carom_model *compiled(const carom_spec *spec, carom_store *store)
{
    carom_model *model = NULL;
    carom_error err = { 0 };
    const carom_compile_options options = { .store = store };
    CHECK_OK(carom_compile_with(spec, &options, &model, &err), err);
    return model;
}

static uint64_t run_hash(const carom_model *model)
{
    carom_run *run = NULL;
    carom_error err = { 0 };
    const carom_run_def def = { 0 };
    CHECK_OK(carom_run_create(model, &def, &run, &err), err);
    CHECK_OK(carom_run_advance(run, HUGE_VAL, 0.0, &err), err);
    uint64_t hash = carom_state_hash(carom_run_state(run));
    carom_run_destroy(run);
    return hash;
}

/* ---- the same model ------------------------------------------------------------------------------------------------ */

TEST(store, model_is_the_same_with_it_and_without)
{
    static const char *const methods[] = { "compliant", "impact", "barrier" };
    carom_store *store = carom_store_create();
    write_plate("plate.obj", 0.1);
    for (int i = 0; i < 3; ++i) {
        carom_spec *spec = scene_of(methods[i], 0.03, "plate.obj");
        carom_model *alone = compiled(spec, NULL);
        carom_model *first = compiled(spec, store);
        carom_model *second = compiled(spec, store);
        CHECK(alone->hash == first->hash && alone->hash == second->hash);
        uint64_t hash = run_hash(alone);
        CHECK(run_hash(first) == hash);
        carom_model_destroy(first);
        CHECK(run_hash(second) == hash);
        carom_model_destroy(second);
        carom_model_destroy(alone);
        carom_spec_destroy(spec);
    }
    carom_store_destroy(store);
}

TEST(store, makes_things_once_and_models_outlive_it)
{
    carom_store *store = carom_store_create();
    write_plate("plate.obj", 0.1);
    carom_spec *spec = scene_of("compliant", 0.03, "plate.obj");
    carom_model *first = compiled(spec, store);
    carom_store_counts once = carom_store_count(store);
    CHECK_EQ(once.made, 5); /* two meshes, three colliders */
    CHECK_EQ(once.kept, 5);
    carom_model *second = compiled(spec, store);
    CHECK_EQ(carom_store_count(store).made, 5);
    CHECK_EQ(carom_store_count(store).taken, once.taken + 5);
    CHECK(first->colliders[0].collider == second->colliders[0].collider);
    carom_store_destroy(store);
    uint64_t hash = run_hash(first);
    carom_model_destroy(first);
    CHECK(run_hash(second) == hash);
    carom_model_destroy(second);
    carom_spec_destroy(spec);
}

/* A mesh file that was changed is read again, and the model made before keeps what it has. */
TEST(store, notices_a_file_that_was_changed)
{
    carom_store *store = carom_store_create();
    write_plate("changing.obj", 0.1);
    carom_spec *spec = scene_of("compliant", 0.03, "changing.obj");
    carom_model *before = compiled(spec, store);
    write_plate("changing.obj", 0.125);
    carom_model *after = compiled(spec, store);
    carom_model *alone = compiled(spec, NULL);
    CHECK(after->hash == alone->hash && before->hash != after->hash);
    carom_model_destroy(before);
    carom_model_destroy(after);
    carom_model_destroy(alone);
    carom_spec_destroy(spec);
    carom_store_destroy(store);
}

/* ---- many ---------------------------------------------------------------------------------------------------------- */

/* Every run of a study may have its own radius. */
TEST(store, forgets_what_nobody_uses)
{
    carom_store *store = carom_store_create();
    write_plate("plate.obj", 0.1);
    for (int i = 0; i < 200; ++i) {
        carom_spec *spec = scene_of("compliant", 0.03 + 1e-5 * i, "plate.obj");
        carom_model_destroy(compiled(spec, store));
        carom_spec_destroy(spec);
    }
    carom_store_counts counts = carom_store_count(store);
    CHECK_EQ(counts.made, 204); /* the meshes and their colliders stay, because they are used all the time */
    CHECK_LE((double)counts.kept, 70.0);
    carom_store_destroy(store);
}

typedef struct crowd {
    carom_store *store;
    carom_spec *spec[ROUNDS];
    uint64_t hash[THREADS][ROUNDS];
} crowd;

typedef struct member {
    crowd *all;
    int number;
} member;

static void *compile_all(void *context)
{
    const member *m = context;
    for (int k = 0; k < ROUNDS; ++k) {
        carom_model *model = NULL;
        const carom_compile_options options = { .store = m->all->store };
        if (carom_compile_with(m->all->spec[k], &options, &model, NULL) == CAROM_OK) {
            m->all->hash[m->number][k] = model->hash;
        }
        carom_model_destroy(model);
    }
    return NULL;
}

TEST(store, threads_share_it)
{
    static crowd all;
    member members[THREADS];
    pthread_t threads[THREADS];
    write_plate("plate.obj", 0.1);
    all.store = carom_store_create();
    for (int k = 0; k < ROUNDS; ++k) {
        all.spec[k] = scene_of(k == 1 ? "barrier" : "compliant", 0.03 + 0.01 * k, "plate.obj");
    }
    for (int i = 0; i < THREADS; ++i) {
        members[i] = (member){ &all, i };
        CHECK(pthread_create(&threads[i], NULL, compile_all, &members[i]) == 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    for (int k = 0; k < ROUNDS; ++k) {
        carom_model *alone = compiled(all.spec[k], NULL);
        for (int i = 0; i < THREADS; ++i) {
            CHECK(all.hash[i][k] == alone->hash);
        }
        carom_model_destroy(alone);
        carom_spec_destroy(all.spec[k]);
    }
    CHECK_EQ(carom_store_count(all.store).made, 9); /* meshes 2; compliant 2 + 2 balls; barrier 3 */
    carom_store_destroy(all.store);
}

TEST(store, takes_nothing)
{
    carom_store_destroy(NULL);
    CHECK_EQ(carom_store_count(NULL).made, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(store, model_is_the_same_with_it_and_without),
        RUN_TEST(store, makes_things_once_and_models_outlive_it),
        RUN_TEST(store, notices_a_file_that_was_changed),
        RUN_TEST(store, forgets_what_nobody_uses),
        RUN_TEST(store, threads_share_it),
        RUN_TEST(store, takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
