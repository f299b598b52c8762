/* Prescribed motions that are blocked and may wait (contact.blocked = "wait").
 *
 * Every prescribed motion, of a kinematic body or of a driver, has a time of its own. A motion that has no way in a step is held: its
 * own time goes on by a part of the step only, the rest is a delay that stays. So it goes on later as it would have gone on, never
 * faster than its motion says, and it is always exactly at a place of its motion.
 *
 * It is held where it had got to when the gaps of its island were last no smaller than a tenth of their range (or than they were when
 * the step began): a motion is not bounded in its force, and would press gaps to nothing. Where that cannot be solved either, it
 * goes half as far, and in the end it stands still, which is always possible. */
#include "methods/barrier/waits.h"

#include <string.h>

#include "methods/barrier/bodies.h"
#include "methods/barrier/pairs.h"

static bool may_wait(const barrier_work *w)
{
    return w->options->blocked == BLOCKED_WAIT;
}

void waits_create(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->bodies[i].kinematic) {
            w->motions[w->motion_count++] = (given_motion){ .body = i, .joint = -1, .row = -1 };
        }
    }
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int d = 0; d < joint->driver_count; ++d) {
            int row = joint->first_row + joint->type->equation_count + d;
            w->motions[w->motion_count++] = (given_motion){ .body = -1, .joint = j, .row = row };
        }
    }
}

static motion_clock *clock_of(const barrier_work *w, const given_motion *m)
{
    return m->body >= 0 ? &w->scratch->body_clock[m->body] : &w->scratch->driver_clock[m->row];
}

/* The own time at the end of the step, after a part of it. */
static void set_clock(const barrier_work *w, given_motion *m, double part)
{
    motion_clock *clock = clock_of(w, m);
    double since = clock->behind ? clock->since : w->t_end - w->h;
    m->part = part;
    *clock = (motion_clock){
        .behind = true, .own = m->begin + part * w->h, .at = w->t_end, .pace = part, .since = since
    };
}

void waits_begin(barrier_work *w)
{
    for (int k = 0; k < w->motion_count; ++k) {
        given_motion *m = &w->motions[k];
        const motion_clock *clock = clock_of(w, m);
        m->begin = clock->behind ? clock->own : w->t_end - w->h;
        m->part = m->rest = 1.0;
        m->reached = 0.0;
        m->tries = 0;
        if (clock->behind) {
            set_clock(w, m, 1.0);
        }
    }
}

/* ---- how far it has come ---------------------------------------------------------------------------------------------------- */

/* The nearest features of a pair that has no barrier, because both motions are given. */
typedef struct nearest {
    double gap; /* [m] infinite: nothing is near */
    v3 normal;  /* unit, from B to A, world axes */
    v3 point_w[2];
} nearest;

static nearest nearest_of(const barrier_work *w, const barrier_pair *p)
{
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    nearest out = { .gap = HUGE_VAL };
    for (size_t k = 0; k < p->near.list.count; ++k) {
        const feature_pair *f = &p->near.list.items[k].pair;
        feature_distance d = surface_pair_distance(&now, f);
        double gap = d.distance - surface_rounding(now.a, f->kind[0], f->index[0]) -
                     surface_rounding(now.b, f->kind[1], f->index[1]) - p->separation;
        if (gap < out.gap) {
            out.gap = gap;
            out.normal = m3_mulv(places[1].R_w, d.normal);
            for (int side = 0; side < 2; ++side) {
                out.point_w[side] = v3_add(places[1].x_w, m3_mulv(places[1].R_w, d.point[side]));
            }
        }
    }
    return out;
}

/* Least gap of a pair over its range; infinite: beyond it. */
static double gap_of(const barrier_work *w, const barrier_pair *p)
{
    double least = p->kappa > 0.0 ? HUGE_VAL : nearest_of(w, p).gap;
    for (int c = 0; c < p->contact_count; ++c) {
        least = fmin(least, p->contacts[c].gap);
    }
    return least < p->range ? least / p->range : HUGE_VAL;
}

void waits_note_gaps(const barrier_work *w, const island *s)
{
    for (int k = 0; may_wait(w) && k < s->pair_count; ++k) {
        w->pairs[s->pairs[k]].begin_gap = gap_of(w, &w->pairs[s->pairs[k]]);
    }
}

/* Whether bodies may stay where they are. */
static bool gaps_are_wide(const barrier_work *w, const island *s)
{
    static const double WIDE = 0.1; /* of the range */
    bool wide = true;
    for (int k = 0; wide && k < s->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[s->pairs[k]];
        wide = gap_of(w, p) >= fmin(WIDE, p->begin_gap);
    }
    for (int k = 0; wide && s->mechanism && k < w->stop_count; ++k) {
        const barrier_stop *stop = &w->stops[k];
        wide = stop->gap >= fmin(WIDE * stop->range, stop->begin_gap);
    }
    return wide;
}

/* What is left of the motion in this step [m or rad]; 0: it is where it belongs, or has no part in the island. */
static double left_of(const barrier_work *w, const island *s, const given_motion *m)
{
    if (m->body < 0) {
        double open = s->mechanism ? fabs(w->scratch->C[m->row]) : 0.0;
        return open > 16.0 * w->joint_tolerance ? open : 0.0;
    }
    const moving_body *b = &w->bodies[m->body];
    bool in = b->island >= 0 && &w->islands[b->island] == s;
    return in && memcmp(&b->at, &b->end, sizeof b->end) != 0 ? body_moved(b, &b->end) : 0.0;
}

bool waits_follow(barrier_work *w, const island *s, double part)
{
    bool wide = !may_wait(w) || gaps_are_wide(w, s);
    for (int k = 0; may_wait(w) && k < w->motion_count; ++k) {
        given_motion *m = &w->motions[k];
        if (left_of(w, s, m) > 0.0) {
            m->rest *= 1.0 - part;
            m->reached = wide ? 1.0 - m->rest : m->reached;
        }
    }
    return wide;
}

/* ---- who is held ------------------------------------------------------------------------------------------------------------ */

/* What is left of the motion of a kinematic body. */
static twist twist_left(const moving_body *b)
{
    v3 turn = so3_log(q_mul(b->end.q_wb, q_conj(b->at.q_wb)));
    return screw_through(turn, v3_sub(b->end.x_w, b->at.x_w));
}

/* [J] that the contacts of a body take for what is left of its motion. */
static double opposition_of_body(const barrier_work *w, const island *s, int body)
{
    twist d = twist_left(&w->bodies[body]);
    double sum = 0.0;
    for (int k = 0; k < s->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[s->pairs[k]];
        for (int side = 0; p->contact_count > 0 && side < 2; ++side) {
            const double *g = p->terms->gradient[side];
            sum += p->body[side] == body ? v3_dot(v3_load(g), d.v) + v3_dot(v3_load(g + 3), d.w) : 0.0;
        }
    }
    return sum;
}

static double opposition(const barrier_work *w, const island *s, const given_motion *m)
{
    return m->body >= 0 ? opposition_of_body(w, s, m->body) : w->lambda[m->row] * w->scratch->C[m->row];
}

/* [m] that what is left of its motion takes from the gaps to bodies whose motion is given as well, which have no barrier. */
static double closing(const barrier_work *w, const island *s, const given_motion *m)
{
    double most = 0.0;
    for (int k = 0; m->body >= 0 && k < s->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[s->pairs[k]];
        int side = p->body[0] == m->body ? 0 : 1;
        if (p->body[side] != m->body || p->kappa > 0.0) {
            continue;
        }
        const moving_body *b = &w->bodies[m->body];
        twist d = twist_left(b);
        nearest at = nearest_of(w, p);
        v3 moves = twist_velocity(&d, v3_sub(at.point_w[side], b->at.x_w));
        double opens = (side == 0 ? 1.0 : -1.0) * v3_dot(at.normal, moves);
        most = at.gap < p->range ? fmax(most, -opens) : most;
    }
    return most;
}

/* [m or rad] the whole way of the motion in this step. */
static double way_of_motion(barrier_work *w, const given_motion *m)
{
    if (m->body >= 0) {
        moving_body end = { .at = w->bodies[m->body].end, .reach = w->bodies[m->body].reach };
        return body_moved(&end, &w->bodies[m->body].begin);
    }
    const model_joint *joint = &w->model->joints[m->joint];
    double from[3], to[3];
    int value = joint->drivers[m->row - joint->first_row - joint->type->equation_count].value;
    work_time_value(w->scratch, value, m->begin, from);
    work_time_value(w->scratch, value, clock_time(clock_of(w, m), w->t_end), to);
    return fabs(to[0] - from[0]);
}

/* The part of the present way that it takes instead; 0 where it would be less than what a solve tells from nothing. */
static void hold(barrier_work *w, const island *s, given_motion *m)
{
    enum { MOST = 4 };
    double part = m->tries == 0 ? m->reached : fmin(m->reached, 0.5);
    bool stands = ++m->tries >= MOST || part * way_of_motion(w, m) <= s->tolerance * w->h;
    set_clock(w, m, stands ? 0.0 : part * m->part);
    if (m->body >= 0) {
        moving_body *b = &w->bodies[m->body];
        body_rate rate, acceleration;
        work_kinematic(w->scratch, w->t_end, m->body, &b->end, &rate, &acceleration);
    }
}

/* Everything as the step has found it. */
static void begin_again(barrier_work *w, island *s, const carom_state *state)
{
    for (int k = 0; k < s->body_count; ++k) {
        moving_body *b = &w->bodies[s->bodies[k]];
        b->at = b->begin;
        b->R = q_matrix(b->begin.q_wb);
        b->d = twist_zero();
        b->way = 0.0;
        b->upset = true; /* velocities jump */
    }
    for (int k = 0; k < s->pair_count; ++k) {
        barrier_pair *p = &w->pairs[s->pairs[k]];
        p->kappa = p->fitted;
        p->raised = 0;
    }
    for (int k = 0; k < w->motion_count; ++k) {
        given_motion *m = &w->motions[k];
        bool in = m->body < 0 ? s->mechanism : w->bodies[m->body].island == (int)(s - w->islands);
        m->rest = in ? 1.0 : m->rest;
        m->reached = in ? 0.0 : m->reached;
    }
    if (s->mechanism) {
        memcpy(w->lambda, state->sigma, (size_t)w->model->row_count * sizeof *w->lambda);
    }
    s->counts.not_converged = s->counts.lag_limits = 0; /* of a solve that does not count */
    s->counts.last_speed = 0.0;
}

/* The largest of all motions that have something left of their way. */
static double largest(const barrier_work *w, const island *s,
                      double (*of)(const barrier_work *, const island *, const given_motion *))
{
    double most = 0.0;
    for (int k = 0; k < w->motion_count; ++k) {
        const given_motion *m = &w->motions[k];
        most = m->part > 0.0 && left_of(w, s, m) > 0.0 ? fmax(most, of(w, s, m)) : most;
    }
    return most;
}

/* Those that work against contacts are held; between motions that are all given, those that come nearer; else all that have no
 * way. Those that press on the same thing are held together. */
bool waits_hold(barrier_work *w, island *s, const carom_state *state)
{
    static const double ALIKE = 0.1; /* of the largest */
    double work = largest(w, s, opposition);
    double way = largest(w, s, closing);
    bool any = false;
    for (int k = 0; k < w->motion_count; ++k) {
        given_motion *m = &w->motions[k];
        if (!(m->part > 0.0 && left_of(w, s, m) > 0.0)) {
            continue;
        }
        bool opposed = work > 0.0  ? opposition(w, s, m) >= ALIKE * work
                       : way > 0.0 ? closing(w, s, m) >= ALIKE * way
                                   : true;
        if (opposed) {
            hold(w, s, m);
            any = true;
        }
    }
    if (any) {
        begin_again(w, s, state);
    }
    return any;
}

/* ---- the end of the step ---------------------------------------------------------------------------------------------------- */

void waits_set_rates(barrier_work *w, body_rate *ending)
{
    for (int k = 0; k < w->motion_count; ++k) {
        const given_motion *m = &w->motions[k];
        if (m->body >= 0 && m->part < 1.0) {
            body_pose pose;
            body_rate acceleration;
            work_kinematic(w->scratch, w->t_end, m->body, &pose, &ending[m->body], &acceleration);
        }
    }
}

size_t waits_remember(const barrier_work *w, contact_record *out)
{
    size_t count = 0;
    for (int k = 0; k < w->motion_count; ++k) {
        const given_motion *m = &w->motions[k];
        const motion_clock *clock = clock_of(w, m);
        if (clock->behind) {
            uint32_t number = (uint32_t)(m->body >= 0 ? m->body : m->row);
            out[count] = (contact_record){ .a = number,
                                           .b = number,
                                           .kind = m->body >= 0 ? RECORD_BODY_CLOCK : RECORD_DRIVER_CLOCK };
            v3_store(out[count++].value, v3_make(clock->own, clock->pace, clock->since));
        }
    }
    return count;
}

/* [m or rad] from where the motion is to where it would be if it had never waited. */
static double behind_by(barrier_work *w, const given_motion *m)
{
    if (m->body < 0) {
        const model_joint *joint = &w->model->joints[m->joint];
        double now[3], wanted[3];
        int value = joint->drivers[m->row - joint->first_row - joint->type->equation_count].value;
        work_time_value(w->scratch, value, clock_of(w, m)->own, now);
        work_time_value(w->scratch, value, w->t_end, wanted);
        return fabs(wanted[0] - now[0]);
    }
    motion_clock *clock = clock_of(w, m);
    motion_clock kept = *clock;
    moving_body wanted = { .reach = w->bodies[m->body].reach };
    body_rate rate, acceleration;
    clock->behind = false;
    work_kinematic(w->scratch, w->t_end, m->body, &wanted.at, &rate, &acceleration);
    *clock = kept;
    return body_moved(&wanted, &w->bodies[m->body].end);
}

int waits_note(barrier_work *w)
{
    int waiting = 0;
    for (int k = 0; k < w->motion_count; ++k) {
        const given_motion *m = &w->motions[k];
        const motion_clock *clock = clock_of(w, m);
        finding_place place = m->body >= 0 ? finding_at_body(m->body) : finding_at_joint(m->joint);
        if (m->part < 1.0) {
            ++waiting;
            finding_note(&w->scratch->findings, CAROM_FINDING_MOTION_WAITS, place, w->t_end - clock->own, (double)NAN,
                         w->t_end);
        }
        if (clock->behind) {
            finding_note(&w->scratch->findings, CAROM_FINDING_MOTION_BEHIND, place, behind_by(w, m), (double)NAN,
                         w->t_end);
        }
    }
    return waiting;
}
