/* What run measures from Python, in C: pieces of 1 ms, many states on threads, samples of a field. Prints seconds of processor time.
 *
 *     peer advance SCENE PIECES | batch SCENE STATES THREADS | sample MESH POINTS */
#include <carom/carom.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static carom_model *load(const char *file)
{
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    if (carom_scene_load(file, NULL, 0, &spec, &err) != CAROM_OK || carom_compile(spec, &model, &err) != CAROM_OK) {
        fprintf(stderr, "peer: %s\n", err.message);
        exit(1);
    }
    carom_spec_destroy(spec);
    return model;
}

static double advance(const char *file, int pieces)
{
    carom_model *model = load(file);
    carom_scratch *scratch = NULL;
    carom_scratch_create(model, 1, &scratch, NULL);
    carom_state *state = carom_state_create(model);
    carom_assemble(model, state, scratch, NULL, NULL);
    double start = clock_now();
    for (int i = 0; i < pieces; ++i) {
        carom_advance(model, state, scratch, carom_state_time(state) + 1e-3, 0.05, NULL);
    }
    double end = clock_now();
    fprintf(stderr, "%016llx\n", (unsigned long long)carom_state_hash(state));
    carom_state_destroy(state);
    carom_scratch_destroy(scratch);
    carom_model_destroy(model);
    return end - start;
}

typedef struct crowd {
    const carom_model *model;
    carom_state **states;
    int count;
    atomic_int next;
} crowd;

static void *work(void *context)
{
    crowd *c = context;
    carom_scratch *scratch = NULL;
    carom_scratch_create(c->model, 1, &scratch, NULL);
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->count;) {
        carom_advance(c->model, c->states[i], scratch, 0.5, 0.0, NULL);
    }
    carom_scratch_destroy(scratch);
    return NULL;
}

static double batch(const char *file, int count, int threads)
{
    crowd c = { .model = load(file), .states = calloc((size_t)count, sizeof *c.states), .count = count };
    for (int i = 0; i < count; ++i) {
        c.states[i] = carom_state_create(c.model);
        carom_state_set_coordinate(c.model, c.states[i], 0, 1.2 * i / (count - 1), 0.0, NULL);
    }
    pthread_t team[64];
    double start = clock_now();
    for (int k = 0; k < threads; ++k) {
        pthread_create(&team[k], NULL, work, &c);
    }
    for (int k = 0; k < threads; ++k) {
        pthread_join(team[k], NULL);
    }
    return clock_now() - start;
}

static double sample(const char *file, int count)
{
    carom_sdf *field = NULL;
    carom_sdf_open(file, NULL, &field, NULL);
    carom_sdf_info about = carom_sdf_about(field);
    carom_v3 *points = calloc((size_t)count, sizeof *points), *gradients = calloc((size_t)count, sizeof *gradients);
    double *distances = calloc((size_t)count, sizeof *distances);
    srand(1);
    for (int i = 0; i < count; ++i) {
        points[i].x = about.low.x + (about.high.x - about.low.x) * rand() / RAND_MAX;
        points[i].y = about.low.y + (about.high.y - about.low.y) * rand() / RAND_MAX;
        points[i].z = about.low.z + (about.high.z - about.low.z) * rand() / RAND_MAX;
    }
    double start = clock_now();
    for (int i = 0; i < count; ++i) {
        distances[i] = carom_sdf_sample(field, points[i], &gradients[i]);
    }
    return clock_now() - start;
}

int main(int argc, char **argv)
{
    int count = argc > 3 ? atoi(argv[3]) : 0;
    if (argc > 3 && strcmp(argv[1], "advance") == 0) {
        printf("%.9f\n", advance(argv[2], count));
    } else if (argc > 4 && strcmp(argv[1], "batch") == 0) {
        printf("%.9f\n", batch(argv[2], count, atoi(argv[4])));
    } else if (argc > 3 && strcmp(argv[1], "sample") == 0) {
        printf("%.9f\n", sample(argv[2], count));
    } else {
        return 2;
    }
    return 0;
}
