/* The Newton system of an island: a node for each free body and for the rows of each joint, an edge for what acts between two. */
#include "methods/barrier/system.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dynamics/element_tangents.h"
#include "methods/barrier/joints.h"

double *gradient_of(const barrier_work *w, const island *s, int body)
{
    int node = w->bodies[body].node;
    return node >= 0 ? s->gradient + COLUMNS * node : NULL;
}

double *diagonal_of(const barrier_work *w, const island *s, int body)
{
    int node = w->bodies[body].node;
    return node >= 0 ? block_system_node(s->system, node) : NULL;
}

/* ---- the pattern of the system ---------------------------------------------------------------------------------------------- */

static int by_nodes(const void *x, const void *y)
{
    const int *a = x;
    const int *b = y;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static int find_edge(const island *s, const int key[2])
{
    int low = 0;
    int high = s->edge_count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = by_nodes(s->edges[middle], key);
        if (order == 0) {
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

/* The lower node first; -1 where a body is no node. */
static void key_of(const barrier_work *w, int body_a, int body_b, int key[2])
{
    int a = w->bodies[body_a].node;
    int b = w->bodies[body_b].node;
    key[0] = a < b ? a : b;
    key[1] = a < b ? b : a;
}

int edge_between(const barrier_work *w, const island *s, int body_a, int body_b)
{
    int key[2];
    key_of(w, body_a, body_b, key);
    return key[0] >= 0 && key[0] != key[1] ? find_edge(s, key) : -1;
}

static void note_edge(const barrier_work *w, island *s, int *count, int body_a, int body_b)
{
    key_of(w, body_a, body_b, s->edges[*count]);
    *count += s->edges[*count][0] >= 0 && s->edges[*count][0] != s->edges[*count][1];
}

static int note_elements(const barrier_work *w, island *s, int count)
{
    for (int k = 0; s->mechanism && w->has_elements && k < element_count(w->model); ++k) {
        const int *bodies = element_bodies(w->model, k);
        if (element_has_tangent(w->model, k) && bodies[1] >= 0) {
            note_edge(w, s, &count, bodies[0], bodies[1]);
        }
    }
    for (int k = 0; s->mechanism && k < w->stop_count; ++k) {
        const int *bodies = w->model->joints[w->stops[k].joint].body;
        note_edge(w, s, &count, bodies[0], bodies[1]);
    }
    for (int k = 0; s->mechanism && k < w->rub_count; ++k) {
        const int *bodies = w->model->joints[w->rubs[k].joint].body;
        note_edge(w, s, &count, bodies[0], bodies[1]);
    }
    s->joined_edges = s->full;
    for (int j = 0; s->mechanism && s->full && j < w->model->joint_count; ++j) {
        const int *bodies = w->model->joints[j].body;
        note_edge(w, s, &count, bodies[0], bodies[1]);
    }
    return count;
}

/* Friction of the last lag acts for all of a solve, wherever its features have gone. Follows from poses alone: what scratch remembers
 * of features that are near would let the order of elimination, and with it the last bits, depend on the steps before. */
static bool needs_edge(const barrier_pair *p)
{
    return p->contact_count > 0 || p->friction_count > 0 || p->ahead_count > 0;
}

/* An edge for every two bodies with features within range, or with friction, a force or a stop between them; of those that were
 * within range before in this solve, too, so that the pattern does not change to and fro. */
static bool find_edges(barrier_work *w, island *s, bool anew)
{
    int most = element_count(w->model) + w->stop_count + w->rub_count + w->model->joint_count + 4 * w->row_node_count;
    size_t elements = (size_t)(s->mechanism ? most : 0);
    int count = 0;
    if (!CAROM_ARRAY_RESERVE(s->edges, s->edge_capacity, (size_t)s->pair_count + elements + 1)) {
        return false;
    }
    for (int k = 0; k < s->pair_count; ++k) {
        barrier_pair *p = &w->pairs[s->pairs[k]];
        p->edged = (p->edged && !anew) || needs_edge(p);
        if (p->edged) {
            note_edge(w, s, &count, p->body[0], p->body[1]);
        }
    }
    count = note_elements(w, s, count);
    qsort(s->edges, (size_t)count, sizeof *s->edges, by_nodes);
    s->edge_count = 0;
    for (int k = 0; k < count; ++k) {
        if (k == 0 || by_nodes(s->edges[k], s->edges[s->edge_count - 1]) != 0) {
            memmove(s->edges[s->edge_count++], s->edges[k], sizeof *s->edges);
        }
    }
    for (int k = 0; k < s->pair_count; ++k) {
        barrier_pair *p = &w->pairs[s->pairs[k]];
        p->edge = edge_between(w, s, p->body[0], p->body[1]);
    }
    return true;
}

static bool edges_fit(const barrier_work *w, const island *s)
{
    bool fit = s->joined_edges || !s->full || !s->mechanism;
    for (int k = 0; fit && k < s->near_count; ++k) {
        const barrier_pair *p = &w->pairs[s->near[k]];
        fit = p->edged || !needs_edge(p);
    }
    return fit;
}

carom_status system_begin(barrier_work *w, island *s, bool anew)
{
    if ((anew || !edges_fit(w, s)) && !find_edges(w, s, anew)) {
        return carom_fail(&s->error, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    block_pattern pattern = { .node_count = s->node_count + s->row_node_count,
                              .sizes = s->node_sizes,
                              .is_row = s->node_is_row,
                              .edge_count = joints_edges(w, s),
                              .edges = (const int(*)[2])s->edges };
    memset(s->gradient, 0, (size_t)(COLUMNS * s->node_count) * sizeof *s->gradient);
    return block_system_begin(s->system, &pattern, &s->error);
}

/* What the given twist of `given` does to the gradient of `body`, through the block between them. */
static void add_given(const barrier_work *w, const island *s, int body, int given, const double *block, bool turned)
{
    double *g = gradient_of(w, s, body);
    const moving_body *other = &w->bodies[given];
    if (!g || !other->kinematic || !(other->way > 0.0)) {
        return;
    }
    const twist *d = &other->d;
    const double x[COLUMNS] = { d->v.x, d->v.y, d->v.z, d->w.x, d->w.y, d->w.z };
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            g[i] += (turned ? block[COLUMNS * k + i] : block[COLUMNS * i + k]) * x[k];
        }
    }
}

void add_cross(const barrier_work *w, island *s, int edge, int body_a, int body_b, const double *block)
{
    if (edge < 0) {
        add_given(w, s, body_a, body_b, block, false);
        add_given(w, s, body_b, body_a, block, true);
        return;
    }
    double *E = block_system_edge(s->system, edge);
    bool straight = w->bodies[body_a].node < w->bodies[body_b].node;
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            E[COLUMNS * i + k] += straight ? block[COLUMNS * i + k] : block[COLUMNS * k + i];
        }
    }
}
