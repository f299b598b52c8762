/* One solve: Newton's method on the incremental potential of an island, along screws that are free of collisions.
 *
 *     gradient and Hessian, positive definite; the twist that leads to the least of the quadratic model
 *     alpha: the part of it without collisions, halved until the potential does not rise
 *     move; stop after a twist that moves no point faster than the tolerance
 *
 * The last twist is applied, too, and one is always taken: bodies whose whole motion in a step is below the tolerance would
 * float. */
#include "methods/barrier/newton.h"

#include <string.h>

#include "methods/barrier/applied.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/foresight.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/line_search.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/quadratic.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/waits.h"

/* ---- direction -------------------------------------------------------------------------------------------------------------- */

/* The twist to the least of the quadratic model, into x; *slope is that of the potential along it [J]. */
static carom_status find_direction(barrier_work *w, island *s, bool first, double *slope)
{
    carom_status status = quadratic_assemble(w, s, first);
    status = status == CAROM_OK ? quadratic_factor(w, s) : status;
    if (status != CAROM_OK) {
        return status;
    }
    quadratic_right(w, s, s->x);
    block_system_solve(s->system, s->x);
    status = foresight_improve(w, s);
    if (status != CAROM_OK) {
        return status;
    }
    joints_take_multipliers(w, s, s->x);
    *slope = 0.0;
    for (int k = 0; k < COLUMNS * s->node_count; ++k) {
        *slope += s->gradient[k] * s->x[k];
    }
    return isfinite(*slope) ? CAROM_OK : quadratic_not_finite(w, s);
}

/* Kinematic bodies go what is left of their motion in this step. Returns the farthest way [m]. */
static double aim_given(barrier_work *w, const island *s)
{
    double most = 0.0;
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        if (b->kinematic && memcmp(&b->at, &b->end, sizeof b->end) != 0) {
            v3 turn = so3_log(q_mul(b->end.q_wb, q_conj(b->at.q_wb)));
            b->d = screw_through(turn, v3_sub(b->end.x_w, b->at.x_w));
            b->way = way_of(b);
            most = fmax(most, b->way);
        } else if (b->kinematic) {
            b->d = twist_zero();
            b->way = 0.0;
        }
    }
    return most;
}

/* Kinematic bodies that have gone all of their way are exactly where they belong. */
static void land_given(barrier_work *w, const island *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        if (b->kinematic) {
            b->at = b->end;
            b->R = q_matrix(b->at.q_wb);
        }
    }
}

/* ---- the solve -------------------------------------------------------------------------------------------------------------- */

/* A prescribed motion that makes no way is blocked. */
typedef struct progress {
    double left; /* [m] when it was last looked at */
    int since;   /* iterations */
} progress;

carom_status newton_blocked(const barrier_work *w, island *s)
{
    const char *names[2] = { "something", "something" };
    for (int k = 0; k < 2; ++k) {
        names[k] = s->blockers[k] >= 0 ? w->model->bodies[s->blockers[k]].name : names[k];
    }
    return carom_fail(
        &s->error, CAROM_NOT_CONVERGED,
        "a prescribed motion is blocked at t = %.9g s: %.3g m are left of this step, and '%.100s' and '%.100s' are "
        "in each other's way",
        w->t_end, s->left, names[0], names[1]);
}

/* A motion that may wait does so, too, where it only goes on by halving gaps that are narrow already. */
enum { NARROW = 8 }; /* iterations in a row */

/* Twists that are rounding come again and again: as good as it gets. */
enum { NOISY = 4 }; /* in a row */

static bool makes_no_way(progress *p, double left)
{
    enum { PATIENCE = 50 };
    static const double LEAST = 1e-3; /* of what is left */
    if (!(left > 0.0) || left < (1.0 - LEAST) * p->left) {
        *p = (progress){ .left = left };
        return false;
    }
    return ++p->since >= PATIENCE;
}

static double potential_now(barrier_work *w, const island *s)
{
    double sum = stops_evaluate(w, s) + joint_friction_value(w, s);
    friction_evaluate(w, s);
    for (int k = 0; k < s->near_count; ++k) {
        const barrier_pair *p = &w->pairs[s->near[k]];
        sum += p->energy + p->rubbing;
    }
    return sum;
}

static island_outcome give_up(island *s, carom_status status)
{
    s->status = status;
    return ISLAND_FAILED;
}

/* The run ends, or the motion waits. */
static island_outcome be_blocked(const barrier_work *w, island *s, double left)
{
    s->left = left;
    return w->options->blocked == BLOCKED_WAIT ? ISLAND_BLOCKED : give_up(s, newton_blocked(w, s));
}

typedef struct newton_state {
    line_search search;
    progress given;
    double way, first_way; /* [m] of the last twist, and of the first */
    double last_way;       /* [m] of the last one that was taken */
    int short_steps;       /* in a row */
    int narrow_steps;      /* of prescribed motions that press gaps shut, in a row */
    int slow_steps;        /* whole ones that were not much shorter than the one before */
    double stretch;        /* of twists that creep */
    int noisy_steps;       /* twists in a row that are rounding */
    double left;           /* [m] of prescribed motions, or of drivers */
    int taken_back;        /* twists in a row */
    int eased;             /* times in a row that the damping fell */
    bool solved;
} newton_state;

/* Twists that are cut short again and again, each time at half the gap, leave none. Inertia that is added to the Hessian keeps them
 * short, and lets contacts recover their gaps in full. */
static void adapt_damping(island *s, newton_state *n, double alpha)
{
    enum { PATIENCE = 3, MOST_EASED = 4 };        /* first touches cut steps short, too */
    static const double LEAST = 4.0, MOST = 64.0; /* growth */
    n->short_steps = alpha < 0.2 ? n->short_steps + 1 : 0;
    if (n->short_steps >= PATIENCE) {
        s->damping = fmax(1.0, s->damping) * fmin(fmax(0.5 / alpha, LEAST), MOST);
        s->full = s->full || s->damping > 4.0;
        n->short_steps = PATIENCE - 1;
        ++s->counts.damped;
        n->eased = 0;
    } else if (alpha > 0.7) { /* by 2, 4, 8, 16, 16 ... */
        n->eased = n->eased < MOST_EASED ? n->eased + 1 : MOST_EASED;
        s->damping = s->damping > 1.0 ? s->damping / (double)(1 << n->eased) : 0.0;
    } else {
        n->eased = 0;
    }
}

/* A twist that is free to first order may close a gap to second order: bodies that turn far run into what they slide along. A part
 * of it would leave half of the gap, the next one half of that, and a Newton step opens a barrier that is nearly shut to twice its gap
 * at most. So bodies stay where they are, and inertia makes the next twist about as long as the part that was free; where other stiffness
 * carries the bodies along, that takes more and more of it. */
static bool takes_back(barrier_work *w, island *s, newton_state *n)
{
    enum { MOST = 8 }; /* in a row */
    static const double SHORT = 0.95;
    if (n->search.alpha >= SHORT || n->taken_back >= MOST || !contacts_bend(w, s, n->search.alpha)) {
        n->taken_back = 0;
        return false;
    }
    s->damping = (1.0 + s->damping) / n->search.alpha * (double)(1 << n->taken_back);
    ++n->taken_back;
    n->eased = 0;
    ++s->counts.damped;
    s->full = true;
    n->last_way = HUGE_VAL;
    joints_keep_part(w, s, 0.0);
    go_back(w, s, &n->search);
    return true;
}

/* [J] that the potential falls by along the twists, to first order, where joints stay closed: the gradient has their reactions in it. */
static double slope_on_joints(const island *s)
{
    double slope = 0.0;
    for (int k = 0; k < COLUMNS * s->node_count; ++k) {
        slope += s->gradient[k] * s->x[k];
    }
    return slope;
}

/* Where energies no longer tell a decrease from rounding, a twist that shrinks is taken without asking them. Twists that no longer do,
 * and promise less than the noise of the energies, are rounding themselves. */
static bool rounding_rules(const barrier_work *w, const island *s, newton_state *n, double way, bool *trusts)
{
    static const double ROUNDING = 1e-9; /* of the energies */
    static const double CONTRACTS = 0.9; /* of the last twist */
    double slope = fabs(slope_on_joints(s));
    double scale = fabs(n->search.potential) + bodies_value(w, s);
    bool rounding = fmin(slope, fabs(n->search.slope)) <= ROUNDING * scale;
    bool shrinks = way < CONTRACTS * n->last_way;
    bool noise = !shrinks && slope <= search_noise(w, s, n->search.potential);
    n->noisy_steps = noise ? n->noisy_steps + 1 : 0;
    *trusts = rounding && shrinks;
    return rounding;
}

/* Without the curvature of surfaces Newton's method is linear where bodies roll on each other. */
static void watch_pace(island *s, newton_state *n, double way)
{
    enum { PATIENCE = 4 };
    n->slow_steps += n->search.alpha > 0.4 && way > 0.3 * n->last_way;
    s->full = s->full || n->slow_steps >= PATIENCE;
}

/* Whether the twists are nearly those of the iteration before, as the bodies' inertia weighs them. */
static bool goes_on(const barrier_work *w, const island *s)
{
    static const double PARALLEL = 0.9;
    double sums[3] = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        for (int i = 0; b->node >= 0 && i < COLUMNS; ++i) {
            double weight = b->mass * (i < 3 ? 1.0 : b->reach * b->reach);
            double now = s->x[COLUMNS * b->node + i];
            double last = s->last_x[COLUMNS * b->node + i];
            sums[0] += weight * now * now;
            sums[1] += weight * now * last;
            sums[2] += weight * last * last;
        }
    }
    return sums[1] > PARALLEL * sqrt(sums[0] * sums[2]);
}

/* Along a direction in which the potential is flat or bends down, and the Hessian has a stiffness all the same, twists creep: each is
 * nearly that of before. They become longer and longer then, as long as the potential falls, and tells so. */
static void stretch_twists(barrier_work *w, island *s, newton_state *n, bool may, double way)
{
    static const double SLOW = 0.7; /* of the twist before */
    static const double MOST = 64.0;
    size_t count = (size_t)(COLUMNS * s->node_count);
    double taken = n->stretch * n->search.alpha; /* of the last one */
    bool creeps = may && s->full && taken >= 1.0 && way > SLOW * n->last_way && goes_on(w, s);
    n->stretch = creeps ? fmin(2.0 * taken, MOST) : 1.0;
    memcpy(s->last_x, s->x, count * sizeof *s->x);
    for (size_t k = 0; creeps && k < count; ++k) {
        s->x[k] *= n->stretch;
    }
    if (creeps) {
        aim_free(w, s);
        n->search.slope *= n->stretch;
    }
}

/* A solve that ends before its tolerance is told, with the speed by which the next twist would have changed some point. */
static void note_unsolved(island *s, bool unsolved, double speed)
{
    if (unsolved) {
        ++s->counts.not_converged;
        s->counts.last_speed = speed;
        s->counts.tolerance = s->tolerance;
    }
}

/* Solves with friction that is going to change need not be exact. */
static const double HASTE = 0.1;     /* of the first twist, and of contact forces */
static const double BALANCED = 1e-2; /* of contact forces: the twist that is still to come makes it the square, */
static const double BOUNDED =
    1e-4; /* but not with friction by its upper bound, which makes twists short far from the solution */

static island_outcome iterate(barrier_work *w, island *s, newton_state *n, bool first)
{
    double left = aim_given(w, s);
    double open = joints_evaluate(w, s);
    carom_status status = find_direction(w, s, first, &n->search.slope);
    if (status != CAROM_OK) {
        return give_up(s, status);
    }
    double way = aim_free(w, s);
    s->driven = open > 16.0 * w->joint_tolerance; /* drivers have moved on */
    left = s->driven ? fmax(left, open) : left;
    n->left = left;
    if (makes_no_way(&n->given, left) || n->narrow_steps >= NARROW) {
        return be_blocked(w, s, left);
    }
    n->first_way = first ? way : n->first_way;
    bool quiet = left == 0.0 && s->damping == 0.0 && !s->shifted;
    joints_add_reactions(w, s, s->gradient);
    bool trusts = false;
    bool rounding = rounding_rules(w, s, n, way, &trusts);
    s->tight = quiet && way <= s->tolerance * w->h && quadratic_balances(w, s, s->backtracked ? BOUNDED : BALANCED);
    bool last = s->tight ||
                (quiet && !first && s->hasty && way <= HASTE * n->first_way && quadratic_balances(w, s, HASTE));
    n->search.decides = left == 0.0 && !s->tight && !trusts;
    bool tells = n->search.decides && n->noisy_steps == 0;
    stretch_twists(w, s, n, quiet && !first && !last && tells, way);
    watch_pace(s, n, way);
    n->way = n->last_way = way;
    double room = room_part(w, s);
    double alpha = pairs_sweep(w, s, room);
    if (room < 1.0 && alpha >= room) {
        ask_for_room(w, s);
        return ISLAND_CONFINED;
    }
    bodies_keep(w, s);
    contacts_keep_nearest(w, s);
    memcpy(s->applied_from, s->applied, (size_t)(COLUMNS * s->node_count) * sizeof *s->applied);
    bool found = search_line(w, s, &n->search, fmin(alpha, stops_free_part(w, s)));
    ++s->counts.iterations;
    joints_keep_part(w, s, n->search.alpha);
    if (found && left == 0.0 && takes_back(w, s, n)) {
        return ISLAND_SOLVED;
    }
    if (isnan(n->search.potential)) {
        return give_up(s, carom_fail(&s->error, CAROM_NO_MEMORY, "out of memory for contacts"));
    }
    if (!found && left > 0.0) {
        return be_blocked(w, s, left);
    }
    if (left > 0.0) {
        n->narrow_steps = waits_follow(w, s, n->search.alpha) ? 0 : n->narrow_steps + 1;
    }
    if (!found) { /* where it began: as good as rounding allows, or stuck */
        note_unsolved(s, s->shifted || (!rounding && way > s->tolerance * w->h), way / w->h);
        n->solved = true;
    } else if (left > 0.0 && alpha == 1.0 && !s->backtracked) {
        land_given(w, s);
    }
    s->tight = s->tight || (quiet && n->noisy_steps >= NOISY);
    n->solved = n->solved || last || s->tight;
    adapt_damping(s, n, left > 0.0 ? 1.0 : n->search.alpha); /* who is pushed has to follow */
    return ISLAND_SOLVED;
}

/* ---- where a solve begins --------------------------------------------------------------------------------------------------- */

static void mark_touching(barrier_work *w, const island *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        w->bodies[s->bodies[k]].touches = false;
    }
    for (int k = 0; k < s->near_count; ++k) {
        const barrier_pair *p = &w->pairs[s->near[k]];
        for (int side = 0; p->contact_count > 0 && side < 2; ++side) {
            w->bodies[p->body[side]].touches = true;
        }
    }
}

/* Whether the velocity of what touches changes so little from step to step that it will change as it has. */
static bool goes_smoothly(const barrier_work *w, const moving_body *b)
{
    static const double SMOOTH = 0.1; /* ranges */
    double by = w->h * (v3_norm(b->change.v_w) + b->reach * v3_norm(b->change.omega_w));
    return b->touches && by < SMOOTH * w->range_least;
}

/* What touches goes on as it comes; what flies falls as well, which is all that it does where no other force acts. */
static v3 way_on(const barrier_work *w, const moving_body *b)
{
    v3 fall = v3_scale(1.0 / b->inertia_per, w->model->scene.gravity);
    v3 v = goes_smoothly(w, b) ? v3_add(b->rate.v_w, b->change.v_w) : b->rate.v_w;
    return b->touches ? v3_scale(w->h, v) : v3_add(v3_sub(b->x_goal, b->at.x_w), fall);
}

static v3 turn_on(const barrier_work *w, const moving_body *b)
{
    v3 turn = so3_log(q_from_matrix(m3_mul(b->R_goal, m3_transpose(b->R))));
    return goes_smoothly(w, b) ? v3_axpy(turn, w->h, b->change.omega_w) : turn;
}

/* Whether any body moves where all go on by themselves, and prescribed ones as they have to. Sets their twists. Friction at its limit is
 * approached by halves: bodies that creep slower than the tolerance are worth a good beginning, too. */
static bool aim_on(barrier_work *w, const island *s)
{
    static const double CREEP = 1e-2; /* of the tolerance */
    double least = (s->rubs ? CREEP : 1.0) * s->tolerance * w->h;
    bool moves = false;
    mark_touching(w, s);
    aim_given(w, s);
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        if (b->free) {
            b->d = screw_through(turn_on(w, b), way_on(w, b));
            b->way = way_of(b);
        }
        moves = moves || b->way > least;
    }
    return moves;
}

void newton_begin(barrier_work *w, island *s)
{
    line_search search = { .decides = true };
    if (s->row_node_count > 0 || !aim_on(w, s) || room_part(w, s) < 1.0 || pairs_sweep(w, s, 1.0) < 1.0) {
        return;
    }
    applied_evaluate(w, s);
    joints_place(w, s);
    search.potential = potential_now(w, s);
    bodies_keep(w, s);
    memcpy(s->applied_from, s->applied, (size_t)(COLUMNS * s->node_count) * sizeof *s->applied);
    if (go_whole(w, s, &search)) {
        land_given(w, s);
    }
}

island_outcome newton_solve(barrier_work *w, island *s, int *iterations)
{
    newton_state n = { .given = { .left = HUGE_VAL }, .last_way = HUGE_VAL, .stretch = 1.0 };
    island_outcome outcome = ISLAND_SOLVED;
    applied_evaluate(w, s);
    joints_place(w, s);
    n.search.potential = potential_now(w, s);
    s->backtracked = false;
    s->damping = 0.0;
    s->full = s->blind = false;
    for (*iterations = 0; *iterations < w->options->iterations; ++*iterations) {
        outcome = iterate(w, s, &n, *iterations == 0);
        if (outcome != ISLAND_SOLVED || n.solved) {
            *iterations += n.solved;
            return outcome;
        }
        bool pressed = s->damping == 0.0 &&
                       n.search.alpha > 0.5; /* else a small gap is what a sweep has left, no load */
        if (pressed && contacts_stiffen(w, s)) {
            contacts_evaluate(w, s);
            n.search.potential = potential_now(w, s);
        }
        if (s->watched && carom_stop_asked(&w->scratch->stop)) {
            return give_up(s, work_interrupted(w->scratch, &s->error));
        }
    }
    if (n.left > 0.0) { /* prescribed motions are exactly on target, or the step is not taken */
        return be_blocked(w, s, n.left);
    }
    note_unsolved(s, s->shifted || n.way > s->tolerance * w->h, n.way / w->h);
    return outcome;
}
