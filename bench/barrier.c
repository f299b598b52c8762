/* A scene under the method "barrier", step by step: processor time, Newton iterations (mean, median, largest), where the time
 * goes, and on request the poses of all bodies, for the measure that other engines are held to as well (peers/barrier_measure.cpp).
 *
 * The linker leads calls of the method's parts through clocks (--wrap), so that nothing in the library has to count:
 *   lists      which features are near
 *   distances  of those that are, and their barriers
 *   assembly   gradient and Hessian
 *   solve      factors and direction
 *   sweeps     how far the direction is free of collisions
 * Clocks cost time, so that --phases runs the scene a second time for them. Prints one line of "key value" pairs. Processor time of the one thread that works; with --threads N of the process, and parts
 * are those of the thread that leads.
 * usage: barrier SCENE [--poses FILE] [--every STEPS] [--steps MOST] [--threads N] [--phases] [PATH=VALUE...] */
#include <math.h>
#include <string.h>

#include <carom/carom.h>

#include "measure.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/barrier_work.h"

/* ---- parts ------------------------------------------------------------------------------------------------------------------ */

typedef enum part { LISTS, DISTANCES, ASSEMBLY, SOLVE, SWEEPS, PART_COUNT } part;

static const char *const part_names[PART_COUNT] = { "lists", "distances", "assembly", "solve", "sweeps" };

static _Thread_local struct {
    double seconds[PART_COUNT];
    part stack[8]; /* parts that are on their way: time belongs to the innermost */
    int depth;
    double since;
    sweep_counts swept;
} spent;

static bool clocks_on; /* reading them costs as much as a small scene */

static void switch_clock(void)
{
    double now = cpu_seconds();
    if (spent.depth > 0) {
        spent.seconds[spent.stack[spent.depth - 1]] += now - spent.since;
    }
    spent.since = now;
}

static void enter(part p)
{
    if (clocks_on) {
        switch_clock();
        spent.stack[spent.depth++] = p;
    }
}

static void leave(void)
{
    if (clocks_on) {
        switch_clock();
        --spent.depth;
    }
}

/* Declared as what they stand for, so that the compiler sees to it that they take the same. */
__typeof__(pairs_find) __real_pairs_find, __wrap_pairs_find;
__typeof__(surface_pair_near) __real_surface_pair_near, __wrap_surface_pair_near;
__typeof__(contacts_evaluate) __real_contacts_evaluate, __wrap_contacts_evaluate;
__typeof__(contacts_add) __real_contacts_add, __wrap_contacts_add;
__typeof__(block_system_begin) __real_block_system_begin, __wrap_block_system_begin;
__typeof__(block_system_factor) __real_block_system_factor, __wrap_block_system_factor;
__typeof__(block_system_solve) __real_block_system_solve, __wrap_block_system_solve;
__typeof__(pairs_sweep) __real_pairs_sweep, __wrap_pairs_sweep;

bool __wrap_pairs_find(barrier_work *w)
{
    enter(LISTS);
    bool done = __real_pairs_find(w);
    leave();
    return done;
}

bool __wrap_surface_pair_near(const surface_pair *p, double range, near_list *out)
{
    enter(LISTS);
    bool done = __real_surface_pair_near(p, range, out);
    leave();
    return done;
}

double __wrap_contacts_evaluate(barrier_work *w, island *s)
{
    enter(DISTANCES);
    double energy = __real_contacts_evaluate(w, s);
    leave();
    return energy;
}

void __wrap_contacts_add(barrier_work *w, island *s)
{
    enter(ASSEMBLY);
    __real_contacts_add(w, s);
    leave();
}

carom_status __wrap_block_system_begin(block_system *s, const block_pattern *pattern, carom_error *err)
{
    enter(SOLVE);
    carom_status status = __real_block_system_begin(s, pattern, err);
    leave();
    return status;
}

bool __wrap_block_system_factor(block_system *s, double shift)
{
    enter(SOLVE);
    bool done = __real_block_system_factor(s, shift);
    leave();
    return done;
}

void __wrap_block_system_solve(const block_system *s, double *x)
{
    enter(SOLVE);
    __real_block_system_solve(s, x);
    leave();
}

static sweep_counts swept_by(const barrier_work *w, const island *s)
{
    sweep_counts sum = { 0 };
    for (int k = 0; k < s->pair_count; ++k) {
        const sweep_counts *c = &w->pairs[s->pairs[k]].swept;
        sum.nodes += c->nodes;
        sum.queries += c->queries;
        sum.evaluations += c->evaluations;
    }
    return sum;
}

double __wrap_pairs_sweep(barrier_work *w, island *s, double until)
{
    if (!clocks_on) {
        return __real_pairs_sweep(w, s, until);
    }
    sweep_counts before = swept_by(w, s);
    enter(SWEEPS);
    double alpha = __real_pairs_sweep(w, s, until);
    leave();
    sweep_counts after = swept_by(w, s);
    spent.swept.nodes += after.nodes - before.nodes;
    spent.swept.queries += after.queries - before.queries;
    spent.swept.evaluations += after.evaluations - before.evaluations;
    return alpha;
}

/* ---- the run ---------------------------------------------------------------------------------------------------------------- */

typedef struct arguments {
    const char *scene;
    const char *poses; /* NULL: none */
    long every;        /* steps between two frames */
    long steps;        /* at most */
    int threads;
    bool phases;
    const char *overrides[32];
    size_t override_count;
} arguments;

typedef struct series {
    double *values;
    size_t count, capacity;
} series;

static void append(series *s, double value)
{
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 256;
        s->values = realloc(s->values, s->capacity * sizeof *s->values);
        if (!s->values) {
            stop("out of memory");
        }
    }
    s->values[s->count++] = value;
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x;
    double b = *(const double *)y;
    return (a > b) - (a < b);
}

static void print_series(const char *name, series *s, double scale)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->count; ++i) {
        sum += s->values[i];
    }
    qsort(s->values, s->count, sizeof *s->values, by_size);
    double n = s->count > 0 ? (double)s->count : 1.0;
    printf(" %s %.5g %s_median %.5g %s_max %.5g", name, scale * sum / n, name,
           s->count > 0 ? scale * s->values[s->count / 2] : 0.0, name,
           s->count > 0 ? scale * s->values[s->count - 1] : 0.0);
}

/* A frame: its time, then a pose and a velocity per body, in the order of the scene. The ground is left out. */
static void write_frame(FILE *out, const carom_model *model, const carom_state *state)
{
    fprintf(out, "frame %.9g\n", carom_state_time(state));
    for (carom_id i = 1; i < (carom_id)carom_model_body_count(model); ++i) {
        carom_pose p = carom_state_pose(model, state, i);
        carom_v3 v = carom_state_velocity(model, state, i);
        fprintf(out, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.6g %.6g %.6g\n", p.position.x, p.position.y,
                p.position.z, p.orientation.w, p.orientation.x, p.orientation.y, p.orientation.z, v.x, v.y, v.z);
    }
}

typedef struct clocks {
    double wall, process, lead; /* [s] */
} clocks;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reading a clock of the process asks the system: the one that counts is read next to what it measures. */
static clocks clocks_start(void)
{
    clocks c;
    c.wall = seconds_of(CLOCK_MONOTONIC);
    c.process = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    c.lead = cpu_seconds();
    return c;
}

static clocks clocks_since(const clocks *start)
{
    clocks c;
    c.lead = cpu_seconds() - start->lead;
    c.process = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start->process;
    c.wall = seconds_of(CLOCK_MONOTONIC) - start->wall;
    return c;
}

typedef struct outcome {
    series seconds, iterations;
    double wall, lead; /* [s] by the clock on the wall, and of the thread that leads */
    double gap;
    long fallbacks;
    int contacts;
    carom_status status;
    carom_error err;
    double t;
    uint64_t hash; /* of the last state */
} outcome;

static carom_model *load(const arguments *a)
{
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    stop_on(carom_scene_load(a->scene, a->overrides, a->override_count, &spec, &err), &err);
    stop_on(carom_compile(spec, &model, &err), &err);
    carom_spec_destroy(spec);
    return model;
}

static void note(outcome *o, const clocks *spent_here, bool all_threads, const carom_step_report *r)
{
    append(&o->seconds, all_threads ? spent_here->process : spent_here->lead);
    append(&o->iterations, r->iterations);
    o->wall += spent_here->wall;
    o->lead += spent_here->lead;
    o->gap = fmin(o->gap, r->distance);
    o->fallbacks += r->fallbacks;
    o->contacts = r->contacts > o->contacts ? r->contacts : o->contacts;
}

static void run(const arguments *a, const carom_model *model, carom_state *state, carom_scratch *scratch, outcome *o)
{
    FILE *poses = a->poses ? fopen(a->poses, "w") : NULL;
    double end = model->scene.time.end;
    double step = carom_model_integration(model).step;
    if (a->poses && !poses) {
        stop("the file of poses cannot be written");
    }
    for (long k = 0; o->status == CAROM_OK && k < a->steps && carom_state_time(state) < end - 1e-6 * step; ++k) {
        carom_step_report r;
        clocks start = clocks_start();
        o->status = carom_step(model, state, scratch, step, &r, &o->err);
        clocks passed = clocks_since(&start);
        if (o->status == CAROM_OK) {
            note(o, &passed, a->threads > 1, &r);
        }
        if (poses && k % a->every == 0) {
            write_frame(poses, model, state);
        }
    }
    o->t = carom_state_time(state);
    if (poses) {
        fclose(poses);
    }
}

static double sum_of(const series *s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->count; ++i) {
        sum += s->values[i];
    }
    return sum;
}

static void print(const carom_model *model, outcome *o)
{
    double steps = o->seconds.count > 0 ? (double)o->seconds.count : 1.0;
    printf("bodies %d steps %zu", carom_model_body_count(model) - 1, o->seconds.count);
    print_series("ms", &o->seconds, 1e3);
    print_series("newton", &o->iterations, 1.0);
    printf(" contacts %d gap %.3g fallbacks %ld wall_ms %.5g lead_ms %.5g t %.6g hash %016llx", o->contacts, o->gap,
           o->fallbacks, 1e3 * o->wall / steps, 1e3 * o->lead / steps, o->t, (unsigned long long)o->hash);
}

static void print_phases(const outcome *o)
{
    double all = sum_of(&o->seconds);
    double steps = o->seconds.count > 0 ? (double)o->seconds.count : 1.0;
    for (int i = 0; i < PART_COUNT; ++i) {
        printf(" %s %.1f", part_names[i], all > 0.0 ? 100.0 * spent.seconds[i] / all : 0.0);
    }
    printf(" nodes %.0f queries %.0f evaluations %.0f", (double)spent.swept.nodes / steps,
           (double)spent.swept.queries / steps, (double)spent.swept.evaluations / steps);
}

static outcome run_once(const arguments *a, const carom_model *model)
{
    outcome o = { .gap = HUGE_VAL };
    carom_state *state = carom_state_create(model);
    carom_scratch *scratch = NULL;
    if (!state) {
        stop("out of memory");
    }
    stop_on(carom_scratch_create(model, a->threads, &scratch, &o.err), &o.err);
    stop_on(carom_assemble(model, state, scratch, NULL, &o.err), &o.err);
    run(a, model, state, scratch, &o);
    o.hash = carom_state_hash(state);
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    return o;
}

static void outcome_free(outcome *o)
{
    free(o->seconds.values);
    free(o->iterations.values);
}

static arguments read_arguments(int argc, char **argv)
{
    arguments a = { .every = 1, .steps = 1000000, .threads = 1 };
    for (int i = 1; i < argc; ++i) {
        bool more = i + 1 < argc;
        if (more && strcmp(argv[i], "--poses") == 0) {
            a.poses = argv[++i];
        } else if (more && strcmp(argv[i], "--every") == 0) {
            a.every = strtol(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--steps") == 0) {
            a.steps = strtol(argv[++i], NULL, 10);
        } else if (more && strcmp(argv[i], "--threads") == 0) {
            a.threads = (int)strtol(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--phases") == 0) {
            a.phases = true;
        } else if (!a.scene) {
            a.scene = argv[i];
        } else if (a.override_count < 32) {
            a.overrides[a.override_count++] = argv[i];
        }
    }
    if (!a.scene || a.every < 1) {
        stop(
            "usage: barrier SCENE [--poses FILE] [--every STEPS] [--steps MOST] [--threads N] [--phases] [PATH=VALUE...]");
    }
    return a;
}

int main(int argc, char **argv)
{
    arguments a = read_arguments(argc, argv);
    carom_model *model = load(&a);
    outcome o = run_once(&a, model);
    print(model, &o);
    if (a.phases) {
        clocks_on = true;
        outcome again = run_once(&a, model);
        print_phases(&again);
        outcome_free(&again);
    }
    printf(" status %s\n", o.status == CAROM_OK ? "ok" : "failed");
    if (o.status != CAROM_OK) {
        fprintf(stderr, "benchmark: %s\n", o.err.message);
    }
    outcome_free(&o);
    carom_model_destroy(model);
    return o.status == CAROM_OK ? 0 : 3;
}
