/* The line search: how far along the twists bodies go. Each trial is a leg along them and, where there are joints, further legs
 * back onto the joints; all are screws, and all are free of collisions. */
#include "methods/barrier/line_search.h"

#include <string.h>

#include "methods/barrier/applied.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/stops.h"

double way_of(const moving_body *b)
{
    double turn = v3_norm(b->d.w);
    return v3_norm(b->d.v) + (turn > 0.0 ? turn * b->reach : 0.0);
}

double aim_free(barrier_work *w, const island *s)
{
    double most = 0.0;
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        if (b->node >= 0) {
            const double *x = s->x + COLUMNS * b->node;
            b->d = (twist){ v3_load(x), v3_load(x + 3) };
            b->way = way_of(b);
            most = fmax(most, b->way);
        }
    }
    return most;
}

/* ---- how far a body may go -------------------------------------------------------------------------------------------------- */

static double room_left(const moving_body *b)
{
    return fmax(0.0, b->room - body_moved(b, &b->begin));
}

double room_part(const barrier_work *w, const island *s)
{
    double part = 1.0;
    for (int k = 0; k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        double left = b->way > 0.0 ? room_left(b) : HUGE_VAL;
        part = b->way > left ? fmin(part, left / b->way) : part;
    }
    return part;
}

void ask_for_room(barrier_work *w, const island *s)
{
    static const double MOST = 8.0; /* times what there was: a first direction may be far too long */
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        if (b->way > room_left(b)) {
            b->room = fmin(MOST * b->room, 2.0 * (b->room + b->way));
        }
    }
}

/* ---- back to the joints ----------------------------------------------------------------------------------------------------- */

/* The next leg begins where bodies are; kinematic ones stay. */
static void begin_leg(barrier_work *w, const island *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        b->leg = b->at;
        if (b->kinematic) {
            b->d = twist_zero();
            b->way = 0.0;
        }
    }
}

static bool stays_in_room(const barrier_work *w, const island *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        if (body_moved(b, &b->begin) + b->way > b->room) {
            return false;
        }
    }
    return true;
}

/* The twists of least energy that lead back to the joints, as long as each leaves less than half open of what it found: factors are those of
 * where the line search began. How many there may be decides nothing, as the last residuals are rounding, which depends on where the origin
 * is. False: something is in the way, or they lead nowhere. */
static bool return_to_joints(barrier_work *w, island *s)
{
    static const double CONTRACTS = 0.5;
    double last = HUGE_VAL;
    double open = joints_evaluate(w, s);
    while (open > w->joint_tolerance && open < CONTRACTS * last) {
        begin_leg(w, s);
        memset(s->x, 0, (size_t)(COLUMNS * s->node_count) * sizeof *s->x);
        joints_set_residual(w, s, s->x);
        block_system_solve(s->system, s->x);
        aim_free(w, s);
        if (!stays_in_room(w, s) || pairs_sweep(w, s, 1.0) < 1.0) {
            return false;
        }
        bodies_move(w, s, 1.0);
        last = open;
        open = joints_evaluate(w, s);
    }
    return open <= 16.0 * w->joint_tolerance;
}

/* ---- trials ----------------------------------------------------------------------------------------------------------------- */

/* Back to where the line search begins, with its direction. */
static void aim_again(barrier_work *w, const island *s)
{
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        b->leg = b->from;
        b->d = b->aim;
        b->way = way_of(b);
    }
}

/* Bodies at a part of their way, and on the joints. False: not possible. While drivers lead bodies on, joints are closed as far as
 * the way is free: each part of it closes its part of them, and the whole of it what large reactions have left open, where nothing
 * is in the way. */
static bool try_part(barrier_work *w, island *s, double alpha)
{
    aim_again(w, s);
    bodies_move(w, s, alpha);
    bool closed = s->row_node_count == 0 || (s->driven && alpha < 1.0) || return_to_joints(w, s);
    return closed || s->driven;
}

static double evaluate(barrier_work *w, island *s)
{
    double potential = contacts_evaluate(w, s);
    applied_evaluate(w, s);
    joints_place(w, s);
    return potential + stops_evaluate(w, s) + joint_friction_value(w, s);
}

double go_part(barrier_work *w, island *s, double alpha)
{
    return try_part(w, s, alpha) ? evaluate(w, s) : HUGE_VAL;
}

double search_noise(const barrier_work *w, const island *s, double potential)
{
    static const double PART = 1e-13;
    double noise = PART * fabs(potential);
    for (int k = 0; s->mechanism && k < w->model->row_count; ++k) {
        noise += fabs(w->lambda[k]) * 16.0 * w->joint_tolerance;
    }
    return noise;
}

void go_back(barrier_work *w, island *s, line_search *search)
{
    search->alpha = 0.0;
    aim_again(w, s);
    bodies_move(w, s, 0.0);
    search->potential = evaluate(w, s);
}

bool go_whole(barrier_work *w, island *s, line_search *search)
{
    bodies_move(w, s, 1.0);
    double potential = evaluate(w, s);
    double change = potential - search->potential + bodies_change(w, s) + applied_change(w, s);
    if (change <= 0.0) {
        return true;
    }
    go_back(w, s, search);
    return false;
}

bool search_line(barrier_work *w, island *s, line_search *search, double alpha)
{
    enum { MOST = 60 };
    static const double ARMIJO = 0.1; /* less lets twists that swing about a kink of the Hessian pass for ever */
    double noise = search_noise(w, s, search->potential);
    s->backtracked = false;
    for (int k = 0; k < MOST; ++k, alpha *= 0.5) {
        double potential = go_part(w, s, alpha);
        double change = potential - search->potential + bodies_change(w, s) + applied_change(w, s);
        bool falls = change <= ARMIJO * alpha * fmin(search->slope, 0.0) + noise;
        if (isnan(potential) || (isfinite(potential) && (!search->decides || falls))) {
            search->potential = potential;
            search->alpha = alpha;
            return true;
        }
        s->backtracked = true;
        ++s->counts.backtracks;
    }
    go_back(w, s, search);
    return false;
}
