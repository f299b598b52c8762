/* Islands: bodies that may touch each other in this step or are joined. Each is solved alone, with its own step length and
 * convergence, on a thread of its own where there are several; one that is more than the share of a thread on all.
 *
 * Bodies of different islands cannot meet while they stay in their rooms. Where a solve asks for more room, pairs are looked for
 * again with more of it, islands that have become one go on from where their bodies are, and the others stay as they are. What
 * comes out depends on none of the threads. */
#include "methods/barrier/islands.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/union_find.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/implicit_friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/mechanism.h"
#include "methods/barrier/newton.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/waits.h"
#include "methods/barrier/workspace.h"

/* ---- making islands --------------------------------------------------------------------------------------------------------- */

/* A kinematic body that rests in this step parts islands, as fixed ones do. */
static bool takes_part(const moving_body *b)
{
    return b->free || (b->kinematic && memcmp(&b->begin, &b->end, sizeof b->end) != 0);
}

static void unite_bodies(barrier_work *w)
{
    int first = -1; /* of the mechanism */
    for (int i = 0; i < w->model->body_count; ++i) {
        w->parent[i] = i;
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->in_mechanism[i] && takes_part(&w->bodies[i])) {
            first = first < 0 ? i : first;
            set_unite(w->parent, first, i);
        }
    }
    for (int k = 0; k < w->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[k];
        if (p->active && takes_part(&w->bodies[p->body[0]]) && takes_part(&w->bodies[p->body[1]])) {
            set_unite(w->parent, p->body[0], p->body[1]);
        }
    }
}

static island *next_island(barrier_work *w)
{
    if (w->island_count == w->island_capacity) {
        int wanted = 2 * w->island_capacity + 4;
        if (!CAROM_ARRAY_RESIZE(w->islands, (size_t)wanted)) {
            return NULL;
        }
        memset(w->islands + w->island_capacity, 0, (size_t)(wanted - w->island_capacity) * sizeof *w->islands);
        w->island_capacity = wanted;
    }
    island *s = &w->islands[w->island_count];
    s->system = s->system ? s->system : block_system_create();
    w->island_count += s->system != NULL;
    return s->system ? s : NULL;
}

static void clear_island(island *s)
{
    s->body_count = s->pair_count = s->node_count = s->row_node_count = 0;
    s->mechanism = s->rubs = s->backtracked = false;
    s->plain = true;
    s->follows = 0.0;
    s->outcome = ISLAND_SOLVED; /* until it has a body or a pair that is not */
    s->status = CAROM_OK;
    s->counts = (step_counts){ 0 };
    s->blockers[0] = s->blockers[1] = -1;
}

static bool add_body(barrier_work *w, int body)
{
    moving_body *b = &w->bodies[body];
    int root = set_root(w->parent, body);
    if (root == body) {
        island *made = next_island(w);
        if (!made) {
            return false;
        }
        clear_island(made);
        b->island = w->island_count - 1;
    }
    b->island = w->bodies[root].island;
    island *s = &w->islands[b->island];
    if (!CAROM_ARRAY_RESERVE(s->bodies, s->body_capacity, (size_t)s->body_count + 1)) {
        return false;
    }
    s->bodies[s->body_count++] = body;
    b->node = b->free ? s->node_count++ : -1;
    s->mechanism = s->mechanism || w->in_mechanism[body];
    s->outcome = b->settled ? s->outcome : ISLAND_OPEN;
    return true;
}

static bool add_pair(barrier_work *w, int index)
{
    const barrier_pair *p = &w->pairs[index];
    int in = w->bodies[p->body[0]].island;
    in = in >= 0 ? in : w->bodies[p->body[1]].island;
    if (!p->active || in < 0) {
        return true;
    }
    island *s = &w->islands[in];
    if (!CAROM_ARRAY_RESERVE(s->pairs, s->pair_capacity, (size_t)s->pair_count + 1)) {
        return false;
    }
    s->pairs[s->pair_count++] = index;
    s->rubs = s->rubs || p->mu_static > 0.0;
    s->outcome = p->fresh ? ISLAND_OPEN : s->outcome;
    return true;
}

/* Room for the numbers of the Newton system. */
static bool has_room(const barrier_work *w, island *s)
{
    s->row_node_count = s->mechanism ? w->row_node_count : 0;
    s->rubs = s->rubs || (s->mechanism && w->rub_count > 0);
    size_t nodes = (size_t)(s->node_count + s->row_node_count) + 1;
    size_t unknowns = (size_t)(COLUMNS * s->node_count) + 1;
    size_t rows = s->mechanism ? (size_t)w->model->row_count : 0;
    return CAROM_ARRAY_RESERVE(s->node_sizes, s->node_capacity, nodes) &&
           CAROM_ARRAY_RESERVE(s->node_is_row, s->is_row_capacity, nodes) &&
           CAROM_ARRAY_RESERVE(s->gradient, s->gradient_capacity, unknowns) &&
           CAROM_ARRAY_RESERVE(s->plain_gradient, s->plain_gradient_capacity, unknowns) &&
           CAROM_ARRAY_RESERVE(s->plain_x, s->plain_x_capacity, unknowns + rows) &&
           CAROM_ARRAY_RESERVE(s->applied, s->applied_capacity, unknowns) &&
           CAROM_ARRAY_RESERVE(s->applied_from, s->applied_from_capacity, unknowns) &&
           CAROM_ARRAY_RESERVE(s->last_x, s->last_x_capacity, unknowns) &&
           CAROM_ARRAY_RESERVE(s->x, s->x_capacity, unknowns + rows);
}

static void set_nodes(const barrier_work *w, island *s)
{
    for (int k = 0; k < s->node_count; ++k) {
        s->node_sizes[k] = COLUMNS;
        s->node_is_row[k] = false;
    }
    for (int k = 0; k < s->row_node_count; ++k) {
        s->node_sizes[s->node_count + k] = w->row_nodes[k].row_count;
        s->node_is_row[s->node_count + k] = true;
    }
}

/* The tolerance of the finest of its barriers. */
static void set_tolerance(const barrier_work *w, island *s)
{
    double least = HUGE_VAL;
    for (int k = 0; k < s->pair_count; ++k) {
        least = fmin(least, w->pairs[s->pairs[k]].range);
    }
    s->tolerance = tolerance_of(w, isfinite(least) ? least : w->range_most, s->rubs);
}

/* BDF2 needs a step of the same size behind it, and nothing that has begun or ended to touch. */
static bool is_plain(const barrier_work *w, const carom_state *state, const island *s)
{
    bool plain = !w->second_order || !w->has_history;
    for (int k = 0; !plain && k < s->body_count; ++k) {
        plain = w->bodies[s->bodies[k]].upset || body_restarts(&state->contacts, s->bodies[k]);
    }
    return plain;
}

static bool make_islands(barrier_work *w, const carom_state *state)
{
    bool ok = true;
    w->island_count = 0;
    unite_bodies(w);
    for (int i = 0; i < w->model->body_count; ++i) {
        w->bodies[i].island = w->bodies[i].node = -1;
    }
    for (int i = 0; ok && i < w->model->body_count; ++i) {
        ok = !takes_part(&w->bodies[i]) || add_body(w, i);
    }
    for (int k = 0; ok && k < w->pair_count; ++k) {
        ok = add_pair(w, k);
    }
    for (int k = 0; ok && k < w->island_count; ++k) {
        island *s = &w->islands[k];
        s->plain = is_plain(w, state, s);
        if (s->outcome == ISLAND_OPEN) {
            ok = has_room(w, s) && pairs_bound(w, s);
            set_tolerance(w, s);
        }
        if (ok && s->outcome == ISLAND_OPEN) {
            set_nodes(w, s);
            bodies_set_goals(w, state, s);
        }
    }
    return ok;
}

void islands_free(barrier_work *w)
{
    for (int k = 0; k < w->island_capacity; ++k) {
        island *s = &w->islands[k];
        block_system_destroy(s->system);
        block_system_destroy(s->exact);
        free(s->couplings);
        free(s->coupled);
        free(s->bodies);
        free(s->pairs);
        free(s->bounds);
        free(s->near);
        free(s->swept);
        free(s->node_sizes);
        free(s->node_is_row);
        free(s->edges);
        free(s->gradient);
        free(s->x);
        free(s->last_x);
        free(s->plain_x);
        free(s->plain_gradient);
        free(s->applied);
        free(s->applied_from);
    }
    free(w->islands);
}

/* ---- solving ---------------------------------------------------------------------------------------------------------------- */

static void fail_memory(island *s)
{
    s->outcome = ISLAND_FAILED;
    s->status = carom_fail(&s->error, CAROM_NO_MEMORY, "out of memory for contacts");
}

static void fit_pairs(barrier_work *w, island *s)
{
    for (int k = 0; k < s->near_count; ++k) {
        barrier_pair *p = &w->pairs[s->near[k]];
        if (p->contact_count > 0) {
            p->found_gap = contacts_least_gap(p);
            pair_fit(w, p);
            contacts_evaluate_pair(w, p);
        }
    }
}

/* Solves with the friction of the last solve. Where that has not settled soon, friction follows the iterate from there on: now and again,
 * as lags swing between places from which this may converge. Returns the number of iterations. */
static int solve_lag(barrier_work *w, island *s, int lag, int soon, int *tries)
{
    enum { MOST_TRIES = 4 };
    int iterations = 0;
    bool implicit = s->rubs && lag >= soon && (lag - soon - *tries) % 2 == 0 && *tries < MOST_TRIES;
    implicit = implicit && lag + 1 < w->options->lags; /* the last solve stands: it is one that cannot fail to end */
    s->hasty = s->hasty && !implicit;                  /* it begins where the potential is least */
    int before = s->counts.iterations;
    s->outcome = newton_solve(w, s, &iterations);
    if (s->outcome != ISLAND_SOLVED || !implicit) {
        return iterations;
    }
    s->status = implicit_friction_solve(w, s, *tries > 0);
    s->outcome = s->status == CAROM_OK ? ISLAND_SOLVED : ISLAND_FAILED;
    *tries += !s->tight;
    return s->counts.iterations - before;
}

/* After how many lags friction follows the iterate: sooner where renewals do not change it by less and less. Following converges
 * quadratically, and an iteration of it costs more. Whether always two, always three, or so: public scenes of cards and stones take 3.59, 4.03, 3.57
 * and 18.4, 18.9, 18.6 iterations per step, a wall that a ball hits 9.67, 9.80, 9.47; a net of 8 by 8 rings 64.2, 59.4, 65.5. */
static int patience(int lag, double change, double *last)
{
    enum { FEWEST = 2, MOST = 3 };
    static const double CONTRACTS = 0.1; /* to this part of the change before: a digit per solve */
    bool slow = lag >= FEWEST && !(change <= CONTRACTS * *last);
    *last = change;
    return slow ? FEWEST : MOST;
}

/* Solves until renewed friction no longer changes the motion. */
static void solve_island(barrier_work *w, island *s)
{
    if (isnan(contacts_evaluate(w, s))) {
        fail_memory(s);
        return;
    }
    if (w->counts.rounds == 0) {
        fit_pairs(w, s);
        waits_note_gaps(w, s);
    }
    bool settled = false;
    int tries = 0;
    int soon = w->options->lags;
    double last = HUGE_VAL;
    for (int lag = 0; lag <= w->options->lags; ++lag) {
        /* Bodies that needed more room go on with the friction that they had: on their way forces do not balance. */
        bool kept = lag == 0 && w->counts.rounds > 0;
        s->lag_speed = HUGE_VAL;
        if (!kept && !friction_renew(w, s, lag, &settled)) {
            fail_memory(s);
            return;
        }
        if (lag > 0 && settled && s->tight) {
            return;
        }
        int wait = patience(lag, s->lag_speed, &last);
        soon = wait < soon ? wait : soon;
        s->hasty = s->rubs && !(lag > 0 && settled) && lag + 1 < w->options->lags; /* the last solve stands */
        if (lag == w->options->lags) {
            break;
        }
        if (!kept) {
            friction_take_over(w, s);
        }
        if (lag == 0) {
            newton_begin(w, s);
        }
        int iterations = solve_lag(w, s, lag, soon, &tries);
        ++s->counts.lags;
        if (s->outcome != ISLAND_SOLVED || !s->rubs || (lag > 0 && iterations <= 1 && s->tight)) {
            return;
        }
    }
    ++s->counts.lag_limits;
}

typedef struct island_task {
    barrier_work *w;
    const int *open;
} island_task;

static void solve_slice(void *context, size_t begin, size_t end)
{
    const island_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        solve_island(task->w, &task->w->islands[task->open[k]]);
    }
}

/* Roughly how many features an island has to look at in an iteration. */
static size_t weight_of(const barrier_work *w, const island *s)
{
    enum { PER_PAIR = 20 };
    size_t sum = 0;
    for (int k = 0; k < s->pair_count; ++k) {
        sum += w->pairs[s->pairs[k]].near.list.count + PER_PAIR;
    }
    return sum;
}

/* Work that is worth the meetings of threads: some tenths of a millisecond between two. */
enum { LEAST_WEIGHT = 4000 };

/* Moves islands that are more than the share of one thread to the end of `open`. Returns how many are left before them. */
static int put_large_last(barrier_work *w, int count, size_t weight)
{
    int small = 0;
    int *large = w->open + w->model->body_count; /* there is room for twice as many */
    int large_count = 0;
    for (int k = 0; k < count; ++k) {
        island *s = &w->islands[w->open[k]];
        size_t own = weight_of(w, s);
        s->threads = own >= LEAST_WEIGHT && own * (size_t)w->threads > weight ? w->threads : 1;
        if (s->threads > 1) {
            large[large_count++] = w->open[k];
        } else {
            w->open[small++] = w->open[k];
        }
    }
    memmove(w->open + small, large, (size_t)large_count * sizeof *large);
    return small;
}

/* Small islands side by side, each on one thread; then one by one those that are more than the share of a thread, on all threads.
 * The first slice of islands is that of the calling thread, which may ask its caller whether to go on. */
static void solve_open(barrier_work *w)
{
    int count = 0;
    size_t weight = 0;
    for (int k = 0; k < w->island_count; ++k) {
        if (w->islands[k].outcome == ISLAND_OPEN) {
            weight += weight_of(w, &w->islands[k]);
            w->open[count++] = k;
        }
    }
    int small = put_large_last(w, count, weight);
    int threads = weight >= LEAST_WEIGHT ? w->threads : 1;
    for (int k = 0; k < count; ++k) {
        w->islands[w->open[k]].watched = threads == 1 || small < 2 || k < small / threads || k >= small;
    }
    island_task task = { w, w->open };
    carom_parallel_for(threads, (size_t)small, 2, solve_slice, &task);
    solve_slice(&task, (size_t)small, (size_t)count);
}

static void add_counts(step_counts *to, const step_counts *from)
{
    to->iterations += from->iterations;
    to->lags += from->lags;
    to->backtracks += from->backtracks;
    to->not_converged += from->not_converged;
    to->lag_limits += from->lag_limits;
    to->shifts += from->shifts;
    to->raised += from->raised;
    to->damped += from->damped;
    if (from->last_speed > to->last_speed) {
        to->last_speed = from->last_speed;
        to->tolerance = from->tolerance;
    }
}

/* BDF2 across the beginning or the end of a contact swings back: such a step is solved again, with implicit Euler. */
static void repeat_upset(barrier_work *w, island *s)
{
    bool upset = s->mechanism && stops_upset(w);
    for (int k = 0; !upset && k < s->pair_count; ++k) {
        upset = pair_upsets(&w->pairs[s->pairs[k]]);
    }
    if (upset && !s->plain && s->outcome == ISLAND_SOLVED) {
        s->outcome = ISLAND_OPEN;
        for (int k = 0; k < s->body_count; ++k) {
            w->bodies[s->bodies[k]].upset = true;
        }
    }
}

/* What the solves have come to. Returns whether all are done. */
static bool settle(barrier_work *w, const carom_state *state, carom_status *status, carom_error *err)
{
    bool done = true;
    for (int k = 0; k < w->island_count; ++k) {
        island *s = &w->islands[k];
        if (s->outcome == ISLAND_BLOCKED && !waits_hold(w, s, state)) {
            s->outcome = ISLAND_FAILED;
            s->status = newton_blocked(w, s);
        }
        if (s->outcome == ISLAND_FAILED && *status == CAROM_OK) {
            *status = s->status;
            if (err) {
                *err = s->error;
            }
        }
        add_counts(&w->counts, &s->counts);
        repeat_upset(w, s);
        done = done && s->outcome == ISLAND_SOLVED;
        for (int i = 0; i < s->body_count; ++i) {
            w->bodies[s->bodies[i]].settled = s->outcome == ISLAND_SOLVED;
        }
        for (int i = 0; i < s->pair_count; ++i) {
            w->pairs[s->pairs[i]].fresh = s->outcome != ISLAND_SOLVED;
        }
    }
    return done;
}

carom_status islands_solve(barrier_work *w, const carom_state *state, carom_error *err)
{
    /* A round gives some body at least twice the room it had, or holds a motion, at most four times each: the first ends where
     * rooms are as large as numbers can be, if not long before. */
    enum { MOST_ROUNDS = 1000, MOST_HOLDS = 4 };
    carom_status status = CAROM_OK;
    for (int round = 0; round < MOST_ROUNDS + MOST_HOLDS * w->motion_count; ++round) {
        if (!pairs_find(w) || !make_islands(w, state)) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
        }
        mechanism_forget(w);
        solve_open(w);
        ++w->counts.rounds;
        if (settle(w, state, &status, err) || status != CAROM_OK) {
            return status;
        }
        if (carom_stop_asked(&w->scratch->stop)) {
            return work_interrupted(w->scratch, err);
        }
    }
    return carom_fail(err, CAROM_NOT_CONVERGED, "bodies fly apart without end at t = %.9g s", w->t_end);
}
