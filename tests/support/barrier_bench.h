/* The inside of the method "barrier" on a bench: a scene where a step begins, all its free bodies in one island, and the potentials
 * of that as functions of the poses, to be compared with their derivatives. */
#ifndef CAROM_TESTS_BARRIER_BENCH_H
#define CAROM_TESTS_BARRIER_BENCH_H

#include "methods/barrier/bodies.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/system.h"
#include "methods/barrier/barrier_work.h"

#include "dynamics/integrator.h"
#include "support/random.h"
#include "support/sim.h"

enum { BENCH_BODIES = 8, BENCH_UNKNOWNS = COLUMNS * BENCH_BODIES, BENCH_TEXT = 8192 };

typedef struct bench {
    sim s;
    barrier_work *w;
    island isle;
    body_pose home[BENCH_BODIES]; /* where the bodies of the island stand */
} bench;

/* A scene's text, printf style. */
__attribute__((format(printf, 1, 2))) static inline sim bench_parse(const char *format, ...)
{
    static char text[BENCH_TEXT];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(n > 0 && n < BENCH_TEXT);
    return sim_parse(text, NULL);
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static inline moving_body *bench_body(const bench *b, int k)
{
    return &b->w->bodies[b->isle.bodies[k]];
}

static inline void bench_place(moving_body *body, body_pose pose)
{
    body->at = pose;
    body->R = q_matrix(pose.q_wb);
}

static inline void bench_go_home(bench *b)
{
    for (int k = 0; k < b->isle.body_count; ++k) {
        bench_place(bench_body(b, k), b->home[k]);
    }
}

/* Bodies displaced from home: centres by d[0..2], turned by d[3..5], for each body in turn. */
static inline void bench_displace(bench *b, const double *d)
{
    for (int k = 0; k < b->isle.body_count; ++k) {
        body_pose to = { .x_w = v3_add(b->home[k].x_w, v3_load(d + COLUMNS * k)),
                         .q_wb = q_unit(q_mul(so3_exp(v3_load(d + COLUMNS * k + 3)), b->home[k].q_wb)) };
        bench_place(bench_body(b, k), to);
    }
}

/* ---- approach --------------------------------------------------------------------------------------------------------------- */

/* [m] The least distance of two colliders where bodies are; both must be nearer than `far`. */
static inline double bench_distance(const barrier_work *w, int a, int b, double far)
{
    surface_place places[2] = { collider_place(w, a), collider_place(w, b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    near_list list = { 0 };
    double least = HUGE_VAL;
    CHECK(surface_pair_near(&now, far, &list));
    for (size_t k = 0; k < list.count; ++k) {
        least = fmin(least, list.items[k].distance);
    }
    free(list.items);
    return least;
}

/* Moves a body of a state that has not been stepped yet along a direction until the first two colliders are `distance` apart. */
static inline void bench_approach(sim *s, int body, v3 direction, double distance)
{
    double far = 1.0; /* [m] */
    double apart = HUGE_VAL;
    for (int k = 0; k < 200; ++k) {
        bodies_begin(s->scratch->contact, s->state);
        apart = bench_distance(s->scratch->contact, 0, 1, far);
        far = 1.001 * apart;
        if (fabs(apart - distance) <= 1e-9 * distance) {
            break;
        }
        s->state->pose[body].x_w = v3_axpy(s->state->pose[body].x_w, apart - distance, v3_unit(direction));
    }
    CHECK_NEAR(apart, distance, 1e-6 * distance);
}

/* ---- begin and end ------------------------------------------------------------------------------------------------------- */

static inline void bench_fill_island(bench *b)
{
    barrier_work *w = b->w;
    island *s = &b->isle;
    int nodes = 0;
    *s = (island){ .threads = 1, .plain = !w->second_order || !w->has_history, .tolerance = 1e-6 };
    s->bodies = calloc(BENCH_BODIES, sizeof *s->bodies);
    s->pairs = calloc((size_t)w->pair_count + 1, sizeof *s->pairs);
    s->gradient = calloc(BENCH_UNKNOWNS, sizeof *s->gradient);
    s->applied = calloc(BENCH_UNKNOWNS, sizeof *s->applied);
    s->applied_from = calloc(BENCH_UNKNOWNS, sizeof *s->applied_from);
    s->edges = calloc(BENCH_BODIES * BENCH_BODIES, sizeof *s->edges);
    s->system = block_system_create();
    CHECK(s->bodies && s->pairs && s->gradient && s->applied && s->applied_from && s->edges && s->system);
    for (int i = 0; i < w->model->body_count; ++i) {
        w->bodies[i].node = -1;
        if (w->bodies[i].free) {
            CHECK(nodes < BENCH_BODIES);
            w->bodies[i].node = nodes;
            s->bodies[nodes++] = i;
        }
    }
    s->body_count = s->node_count = nodes;
    for (int k = 0; k < w->pair_count; ++k) {
        if (w->pairs[k].active) {
            s->pairs[s->pair_count++] = k;
        }
    }
    CHECK(pairs_bound(w, s));
}

/* A blank system with an edge between any two bodies. */
static inline void bench_blank_system(bench *b)
{
    static const int sizes[BENCH_BODIES] = { 6, 6, 6, 6, 6, 6, 6, 6 };
    carom_error err = { 0 };
    island *s = &b->isle;
    s->edge_count = 0;
    for (int i = 0; i < s->node_count; ++i) {
        for (int k = i + 1; k < s->node_count; ++k) {
            s->edges[s->edge_count][0] = i;
            s->edges[s->edge_count++][1] = k;
        }
    }
    block_pattern pattern = {
        .node_count = s->node_count, .sizes = sizes, .edge_count = s->edge_count, .edges = (const int(*)[2])s->edges
    };
    CHECK_OK(block_system_begin(s->system, &pattern, &err), err);
    for (int k = 0; k < s->pair_count; ++k) {
        barrier_pair *p = &b->w->pairs[s->pairs[k]];
        p->edge = edge_between(b->w, s, p->body[0], p->body[1]);
    }
    memset(s->gradient, 0, BENCH_UNKNOWNS * sizeof *s->gradient);
}

/* The step that begins where the simulation stands, as the method begins it. */
static inline bench bench_begin(sim s)
{
    bench b = { .s = s, .w = s.scratch->contact };
    barrier_work *w = b.w;
    integrator_choice choice = integrator_of(s.model);
    w->h = choice.settings.step;
    w->t_end = *s.state->time + w->h;
    w->second_order = strcmp(choice.type->kind.name, "bdf2") == 0;
    w->has_history = *s.state->step_error > 0.0;
    w->threads = 1;
    w->scratch = s.scratch;
    w->stepping = true;
    w->counts = (step_counts){ 0 };
    integrator_load(s.scratch, s.state);
    bodies_begin(w, s.state);
    pairs_make_room(w);
    CHECK(pairs_find(w));
    pairs_stiffen(w, &s.state->contacts);
    stops_begin(w, &s.state->contacts);
    bench_fill_island(&b);
    bodies_set_goals(w, s.state, &b.isle);
    for (int k = 0; k < b.isle.body_count; ++k) {
        b.home[k] = bench_body(&b, k)->at;
    }
    return b;
}

static inline void bench_end(bench *b)
{
    free(b->isle.bodies);
    free(b->isle.pairs);
    free(b->isle.bounds);
    free(b->isle.near);
    free(b->isle.swept);
    free(b->isle.gradient);
    free(b->isle.applied);
    free(b->isle.applied_from);
    free(b->isle.edges);
    block_system_destroy(b->isle.system);
    b->w->stepping = false;
    sim_end(&b->s);
}

/* ---- derivatives --------------------------------------------------------------------------------------------------------- */

typedef double (*bench_potential)(bench *b); /* [J] where the bodies are */
typedef void (*bench_terms)(bench *b);       /* adds gradient and Hessian to the blank system */

static inline int bench_unknowns(const bench *b)
{
    return COLUMNS * b->isle.node_count;
}

/* d/dt of the potential along home + t d, by central differences of fourth order. */
static inline double bench_slope(bench *b, bench_potential potential, const double *d, double t)
{
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) {
        static const double part[4] = { -2.0, -1.0, 1.0, 2.0 };
        static const double weight[4] = { 1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0 };
        double at[BENCH_UNKNOWNS];
        for (int i = 0; i < bench_unknowns(b); ++i) {
            at[i] = part[k] * t * d[i];
        }
        bench_displace(b, at);
        sum += weight[k] * potential(b);
    }
    bench_go_home(b);
    return sum / t;
}

/* The gradient at a displacement from home; *H (if not NULL) is the Hessian, dense. */
static inline void bench_gradient(bench *b, bench_terms terms, const double *d, double *gradient,
                                  double (*H)[BENCH_UNKNOWNS])
{
    int count = b->isle.node_count;
    bench_displace(b, d);
    bench_blank_system(b);
    terms(b);
    memcpy(gradient, b->isle.gradient, (size_t)bench_unknowns(b) * sizeof *gradient);
    for (int i = 0, e = 0; H && i < count; ++i) {
        for (int k = i; k < count; ++k) {
            const double *block = i == k ? block_system_node(b->isle.system, i)
                                         : block_system_edge(b->isle.system, e++);
            for (int n = 0; n < BLOCK; ++n) {
                H[COLUMNS * i + n / COLUMNS][COLUMNS * k + n % COLUMNS] = block[n];
                H[COLUMNS * k + n % COLUMNS][COLUMNS * i + n / COLUMNS] = block[n];
            }
        }
    }
    bench_go_home(b);
}

/* The largest difference between gradient and differences of the potential, over the largest entry of the gradient; lengths
 * are taken in `length` [m], so that forces and torques compare. */
static inline double bench_gradient_error(bench *b, bench_potential potential, bench_terms terms, double length,
                                          double t)
{
    double g[BENCH_UNKNOWNS];
    double zero[BENCH_UNKNOWNS] = { 0.0 };
    double most = 0.0;
    double worst = 0.0;
    bench_gradient(b, terms, zero, g, NULL);
    for (int i = 0; i < bench_unknowns(b); ++i) {
        double d[BENCH_UNKNOWNS] = { 0.0 };
        double unit = i % COLUMNS < 3 ? 1.0 : 1.0 / length;
        d[i] = unit;
        most = fmax(most, fabs(unit * g[i]));
        worst = fmax(worst, fabs(unit * g[i] - bench_slope(b, potential, d, t)));
    }
    CHECK(most > 0.0);
    return worst / most;
}

/* The largest difference between Hessian and differences of the gradient, over the largest entry. Gradients are by twists at
 * the iterate, which do not commute: of the differences the symmetric part belongs to the Hessian. */
static inline double bench_hessian_error(bench *b, bench_terms terms, double length, double t)
{
    static double H[BENCH_UNKNOWNS][BENCH_UNKNOWNS], D[BENCH_UNKNOWNS][BENCH_UNKNOWNS];
    double unit[BENCH_UNKNOWNS];
    double g[2][BENCH_UNKNOWNS];
    int n = bench_unknowns(b);
    double most = 0.0;
    double worst = 0.0;
    memset(H, 0, sizeof H);
    for (int i = 0; i < n; ++i) {
        unit[i] = i % COLUMNS < 3 ? 1.0 : 1.0 / length;
    }
    double zero[BENCH_UNKNOWNS] = { 0.0 };
    bench_gradient(b, terms, zero, g[0], H);
    for (int i = 0; i < n; ++i) {
        static const double weight[2] = { 2.0 / 3.0, -1.0 / 12.0 };
        memset(D[i], 0, sizeof D[i]);
        for (int k = 0; k < 2; ++k) {
            double d[BENCH_UNKNOWNS] = { 0.0 };
            for (int side = 0; side < 2; ++side) {
                d[i] = (side == 0 ? 1.0 : -1.0) * (k + 1) * t * unit[i];
                bench_gradient(b, terms, d, g[side], NULL);
            }
            for (int m = 0; m < n; ++m) {
                D[i][m] += weight[k] * (g[0][m] - g[1][m]) / t * unit[m];
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int m = 0; m < n; ++m) {
            double h = H[i][m] * unit[i] * unit[m];
            most = fmax(most, fabs(h));
            worst = fmax(worst, fabs(h - 0.5 * (D[i][m] + D[m][i])));
        }
    }
    CHECK(most > 0.0);
    return worst / most;
}

#endif
