/* One striking contact: exact stepping in its normal impulse P [paper 5; spec 4.4].
 *
 * While nobody begins or ends to slip and no slip turns, all velocities are linear in P, so that a step goes straight to
 * the next event: a slip vanishes, compression ends (the normal velocity vanishes), the impact ends by its law. What
 * compression leaves to be given back is kept as one number: its impulse (Poisson), its energy (energetic law). That way
 * recompression, which friction can bring about in the midst of restitution, needs no rule of its own.
 *
 * Jam [spec 4.3]: where slipping joints' loads have no solution, the joint to blame locks: an impulse along its slip
 * brings it to rest at once (kinetic energy is lost: this is a projection in the metric of the mass matrix), and it is
 * held until the impact is over. The same is done with everything that has friction where no state fits, where nothing
 * would end the approach, and, from the beginning, where the impact would not end or would make energy of nothing: that is
 * a plastic impact of the joints, which always ends and never gains energy; it is reported as a jam.
 *
 * Tolerances [spec 4.6, a little wider for mechanisms of poor condition]. Velocities are sums of a few products: they err
 * by 1e-16 to 1e-15 of the largest, and by the condition of the mechanism (1e4 and more) as much again, so that slip below
 * 1e-10 of it is none, with room for events that coincide by mechanics but not in rounding; the normal velocity, which
 * nobody divides by, is none below 1e-12. A rate below 1e-10 of what the forces could do is none (everything locked: zero
 * but for rounding, of either sign); when it is none the normal velocity cannot do work any more. */
#include "methods/impact/stroke.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/dense.h"

enum {
    STEP_LIMIT = 200,   /* impacts with one joint take up to 5; every joint may add a few */
    TURN_LIMIT = 12000, /* steps of the integration where directions turn: a few dozen mostly */
    STOPS_AGAIN = 4,    /* so often may an element begin to slip and stop before it has got anywhere; then it locks */
};

static const double still_speed = 1e-10;
static const double still_normal = 1e-12;
static const double still_rate = 1e-10;
static const double rank_tolerance = 1e-11;
/* Work that friction, or an impact with e <= 1, may seem to have done, relative to all work: rounding. */
static const double made_energy = 1e-11;
/* A slip that vanished and is below this, relative to the largest velocity, is rounding; above, an impulse takes it away. */
static const double rounding = 1e-14;

/* ---- memory ---- */

static bool has_room(const strike_work *w)
{
    return w->friction && w->normal && w->held && w->stop && w->state && w->turned && w->speed && w->before &&
           w->impulse && w->matrix && w->right && w->scratch && w->index && w->y && w->y_new && w->z[0] && w->z[1] &&
           w->slope && w->table && w->y_end && w->slope_end && w->sign && w->creeps && w->stops && w->start && w->all;
}

strike_work *strike_create(carom_arena *arena, int rows, int elements, int loads)
{
    strike_work *w = CAROM_ARENA_ARRAY(arena, strike_work, 1);
    if (!w) {
        return NULL;
    }
    size_t r = (size_t)rows + 1, e = (size_t)elements + 1;
    w->rows = rows;
    w->elements = elements;
    w->loads = loads;
    w->friction = friction_create(arena, rows, elements, loads);
    w->normal = CAROM_ARENA_ARRAY(arena, double, r);
    w->held = CAROM_ARENA_ARRAY(arena, bool, e);
    w->stop = CAROM_ARENA_ARRAY(arena, bool, e);
    w->state = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->turned = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->speed = CAROM_ARENA_ARRAY(arena, double, r);
    w->before = CAROM_ARENA_ARRAY(arena, double, r);
    w->impulse = CAROM_ARENA_ARRAY(arena, double, r);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, r *r);
    w->right = CAROM_ARENA_ARRAY(arena, double, r);
    w->scratch = CAROM_ARENA_ARRAY(arena, double, dense_scratch(rows + 1));
    w->index = CAROM_ARENA_ARRAY(arena, int, r);
    w->y = CAROM_ARENA_ARRAY(arena, double, r);
    w->y_new = CAROM_ARENA_ARRAY(arena, double, r);
    w->z[0] = CAROM_ARENA_ARRAY(arena, double, r);
    w->z[1] = CAROM_ARENA_ARRAY(arena, double, r);
    w->slope = CAROM_ARENA_ARRAY(arena, double, r);
    w->table = CAROM_ARENA_ARRAY(arena, double, r *STROKE_COLUMNS);
    w->y_end = CAROM_ARENA_ARRAY(arena, double, r);
    w->slope_end = CAROM_ARENA_ARRAY(arena, double, r);
    w->sign = CAROM_ARENA_ARRAY(arena, double, loads + 1);
    w->creeps = CAROM_ARENA_ARRAY(arena, bool, e);
    w->stops = CAROM_ARENA_ARRAY(arena, int, e);
    w->start = CAROM_ARENA_ARRAY(arena, double, r);
    w->all = strike_all_create(arena, rows, elements, loads);
    return has_room(w) ? w : NULL;
}

/* ---- where the impact stands ---- */

static double slip_speed(const stroke *s, int i)
{
    const friction_element *e = &s->p->elements[i];
    const double *slip = s->u + e->first_row;
    double square = 0.0;
    for (int d = 0; d < e->dim; ++d) {
        square += slip[d] * slip[d];
    }
    return e->dim == 1 ? fabs(slip[0]) : sqrt(square);
}

bool stroke_moves(const stroke *s, int element)
{
    return s->a.state[element].mode == FRICTION_SLIP && slip_speed(s, element) > s->still;
}

bool stroke_is_prescribed(const stroke *s)
{
    return !isnan(s->def->impulse);
}

static double normal_speed(const stroke *s)
{
    return s->u[s->contact];
}

/* How fast the present forces could change a row, rounding of whose rate is measured against that: |D_kl| is at most
 * sqrt(D_kk D_ll), and this bound serves for rows that do not feel the forces at all, too. */
static void find_strength(stroke *s)
{
    int rows = s->p->row_count;
    s->strength = 0.0;
    for (int k = 0; k < rows; ++k) {
        if (s->a.force[k] != 0.0) {
            s->strength += fabs(s->a.force[k]) * sqrt(fmax(0.0, s->p->D[k * rows + k]));
        }
    }
}

/* Rate of a row, none where it is rounding. */
static double clear_rate(const stroke *s, int k)
{
    double rate = s->a.rate[k], none = still_rate * s->strength;
    return rate * rate <= none * none * s->p->D[k * (s->p->row_count + 1)] ? 0.0 : rate;
}

static double normal_rate(const stroke *s)
{
    return clear_rate(s, s->contact);
}

double stroke_remaining_impulse(const stroke *s)
{
    if (stroke_is_prescribed(s)) {
        return fmax(0.0, s->def->impulse - s->P);
    }
    return s->restitution && s->def->law == STRIKE_POISSON ? fmax(0.0, s->def->restitution * s->stored) : HUGE_VAL;
}

double stroke_remaining_work(const stroke *s)
{
    if (stroke_is_prescribed(s) || !s->restitution || s->def->law != STRIKE_ENERGETIC) {
        return HUGE_VAL;
    }
    return fmax(0.0, s->def->restitution * s->def->restitution * s->stored);
}

/* ---- begin ---- */

static double largest_speed(const reduced_problem *p, const double *u)
{
    double most = 0.0;
    for (int k = 0; k < p->row_count; ++k) {
        most = isnan(u[k]) ? HUGE_VAL : fmax(most, fabs(u[k]));
    }
    return most;
}

static void clear_result(const reduced_problem *p, strike_result *out)
{
    memset(out->impulse, 0, (size_t)p->row_count * sizeof(double));
    memset(out->compression, 0, (size_t)p->contact_count * sizeof(double));
    out->work_normal = 0.0;
    out->work_friction = 0.0;
    out->steps = 0;
    out->jammed = -1;
    if (out->history) {
        out->history->count = 0;
    }
}

static stroke begin(strike_work *w, const reduced_problem *p, int contact, const strike_contact *def, double *u,
                    strike_result *out)
{
    stroke s = {
        .w = w, .p = p, .contact = contact, .def = def, .u = u, .out = out, .jams_next = -1, .stops_again = -1
    };
    clear_result(p, out);
    memset(w->normal, 0, (size_t)p->contact_count * sizeof(double));
    w->normal[contact] = 1.0;
    memset(w->held, 0, (size_t)p->element_count * sizeof(bool));
    memset(w->stops, 0, (size_t)p->element_count * sizeof(int));
    memset(w->creeps, 0, (size_t)p->element_count * sizeof(bool));
    s.own_answer = p->D[contact * p->row_count + contact];
    s.speed_scale = largest_speed(p, u);
    if (stroke_is_prescribed(&s)) {
        s.speed_scale = fmax(s.speed_scale, s.own_answer * fabs(def->impulse));
    }
    s.still = fmax(DBL_MIN, still_speed * s.speed_scale);
    s.target = fmax(0.0, -def->restitution * u[contact]);
    return s;
}

/* ---- locking ---- */

/* Rows of the elements to stop, and of those held: w->index; how many. */
static int rows_to_lock(stroke *s)
{
    strike_work *w = s->w;
    int count = 0;
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        for (int d = 0; (w->stop[i] || w->held[i]) && d < e->dim; ++d) {
            w->index[count++] = e->first_row + d;
        }
    }
    return count;
}

/* Impulses along those rows that bring them to rest: v := v - M^-1 A^T (A M^-1 A^T)^-1 A v in terms of rows. */
static void find_locking_impulse(stroke *s, int count)
{
    strike_work *w = s->w;
    int rows = s->p->row_count;
    for (int k = 0; k < count; ++k) {
        for (int l = 0; l < count; ++l) {
            w->matrix[k * count + l] = s->p->D[w->index[k] * rows + w->index[l]];
        }
        w->right[k] = -s->u[w->index[k]];
    }
    dense_solve(w->matrix, w->right, count, rank_tolerance, w->scratch);
    memset(w->impulse, 0, (size_t)rows * sizeof(double));
    for (int k = 0; k < count; ++k) {
        w->impulse[w->index[k]] = w->right[k];
    }
}

/* u += D w->impulse, which is booked; the work of all of it is returned. */
static double apply_impulse(stroke *s)
{
    int rows = s->p->row_count;
    const double *impulse = s->w->impulse;
    double work = 0.0;
    memcpy(s->w->before, s->u, (size_t)rows * sizeof(double));
    for (int k = 0; k < rows; ++k) {
        double change = 0.0;
        for (int l = 0; l < rows; ++l) {
            change += s->p->D[k * rows + l] * impulse[l];
        }
        s->u[k] += change;
    }
    for (int k = 0; k < rows; ++k) {
        work += 0.5 * impulse[k] * (s->w->before[k] + s->u[k]);
        s->out->impulse[k] += impulse[k];
    }
    return work;
}

/* Brings the elements in w->stop to rest: by an impulse where there is more than rounding, then exactly. */
static void lock(stroke *s)
{
    int count = rows_to_lock(s);
    double residual = 0.0;
    for (int k = 0; k < count; ++k) {
        residual = fmax(residual, fabs(s->u[s->w->index[k]]));
    }
    if (residual > rounding * s->speed_scale) {
        find_locking_impulse(s, count);
        s->out->work_friction += apply_impulse(s);
    }
    for (int k = 0; k < count; ++k) {
        s->u[s->w->index[k]] = 0.0;
    }
}

/* The joint comes to rest and is held from now on. */
static void jam(stroke *s, int culprit)
{
    memset(s->w->stop, 0, (size_t)s->p->element_count * sizeof(bool));
    s->w->held[culprit] = true;
    lock(s);
    s->jam = true;
    s->going_on = false;
    s->jams_next = -1;
    s->out->jammed = s->out->jammed < 0 ? culprit : s->out->jammed;
}

/* Everything with friction comes to rest and is held: what is left is linear, and loses energy. */
static void lock_all(stroke *s)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        s->w->held[i] = true;
    }
    if (s->p->element_count > 0) {
        jam(s, s->out->jammed >= 0 ? s->out->jammed : 0);
    }
}

static bool all_held(const stroke *s)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        if (!s->w->held[i]) {
            return false;
        }
    }
    return true;
}

/* What the last step has left to do: a joint that jams, an element that begins to slip and stops again and again. */
static void finish_last_step(stroke *s)
{
    if (s->jams_next >= 0) {
        jam(s, s->jams_next);
    }
    if (s->stops_again >= 0 && ++s->w->stops[s->stops_again] > STOPS_AGAIN) {
        jam(s, s->stops_again);
    }
    s->stops_again = -1;
}

/* States and rates at the present velocities; joints that jam lock on the way, and everything where nothing fits. */
static void choose(stroke *s)
{
    strike_work *w = s->w;
    finish_last_step(s);
    for (int k = 0; k <= s->p->element_count + 1; ++k) {
        friction_outcome outcome = friction_choose(w->friction, s->p, s->u, s->still, w->normal, w->held, &s->a);
        if (outcome == FRICTION_OK) {
            break;
        }
        int culprit = outcome == FRICTION_JAM ? s->a.jammed : -1;
        if (culprit < 0 || w->held[culprit]) {
            lock_all(s);
        } else {
            jam(s, culprit);
        }
    }
    find_strength(s);
}

/* ---- phases ---- */

/* Whether nothing is left that restitution could give back. */
static bool nothing_left(const stroke *s)
{
    if (stroke_is_prescribed(s)) {
        return s->P >= s->def->impulse;
    }
    if (s->def->law == STRIKE_NEWTON && s->P > 0.0) { /* a jam may open the contact before anything pressed it */
        return normal_speed(s) >= s->target - still_normal * s->speed_scale;
    }
    return s->def->restitution == 0.0 || !(s->stored > 0.0);
}

static void end_compression(stroke *s)
{
    s->restitution = true;
    s->going_on = false;
    strike_history *history = s->out->history;
    if (history && history->count > 0 && history->count <= STRIKE_HISTORY) {
        history->step[history->count - 1].compression_end = true;
    }
}

/* Compression is over when the contact does not approach and is not about to (an impact without collision begins with
 * u = 0 and a negative rate); restitution, when it does again. */
static void find_phase(stroke *s)
{
    double speed = normal_speed(s), none = still_normal * s->speed_scale;
    bool approaches = speed < -none || (speed <= none && normal_rate(s) < 0.0);
    if (!s->restitution && !approaches) {
        end_compression(s);
        s->finished = nothing_left(s);
    } else if (s->restitution && approaches) {
        s->restitution = false;
    }
}

/* ---- steps ---- */

/* dP until the slip of a moving element vanishes; HUGE_VAL: it does not. */
static double until_slip_ends(const stroke *s, int i)
{
    const friction_element *e = &s->p->elements[i];
    if (!stroke_moves(s, i)) {
        return HUGE_VAL;
    }
    double along = 0.0, rate_square = 0.0, speed = slip_speed(s, i);
    for (int d = 0; d < e->dim; ++d) {
        double rate = clear_rate(s, e->first_row + d);
        along += s->u[e->first_row + d] / speed * rate;
        rate_square += rate * rate;
    }
    /* Without load a slip may pass by zero: it does not turn what does not push. */
    bool straight = e->dim == 1 || along * along >= (1.0 - 1e-10) * rate_square;
    return along < 0.0 && straight ? -speed / along : HUGE_VAL;
}

/* dP until the work of the normal is `work` (vn dP + vn' dP^2 / 2 = work), in restitution. */
static double until_work(const stroke *s, double work)
{
    double speed = fmax(0.0, normal_speed(s)), rate = normal_rate(s);
    double square = speed * speed + 2.0 * rate * work;
    bool locked = rate == 0.0 && speed <= still_normal * s->speed_scale;
    if (!isfinite(work) || square < 0.0 || locked) {
        return HUGE_VAL;
    }
    double sum = speed + sqrt(square);
    return sum > 0.0 ? 2.0 * work / sum : HUGE_VAL;
}

/* dP until the impact ends by its law. */
static double until_end(const stroke *s)
{
    if (s->restitution && s->def->law == STRIKE_NEWTON && !stroke_is_prescribed(s)) {
        double rate = normal_rate(s);
        return rate > 0.0 ? fmax(0.0, (s->target - normal_speed(s)) / rate) : HUGE_VAL;
    }
    return fmin(stroke_remaining_impulse(s), until_work(s, stroke_remaining_work(s)));
}

/* dP until the normal velocity vanishes. */
static double until_phase_ends(const stroke *s)
{
    double speed = normal_speed(s), rate = normal_rate(s);
    if (s->restitution ? rate < 0.0 && speed > 0.0 : rate > 0.0 && speed < 0.0) {
        return -speed / rate;
    }
    return HUGE_VAL;
}

/* Length of the next step of constant rates; says whether it is the last. Elements that stop at its end: w->stop. */
static double next_event(stroke *s)
{
    double dP = until_phase_ends(s);
    for (int i = 0; i < s->p->element_count; ++i) {
        dP = fmin(dP, until_slip_ends(s, i));
    }
    double end = until_end(s);
    s->finished = end <= dP;
    dP = fmin(dP, end);
    for (int i = 0; i < s->p->element_count; ++i) {
        s->w->stop[i] = isfinite(dP) && until_slip_ends(s, i) <= dP * (1.0 + 1e-14);
    }
    return dP;
}

/* What compression stores and restitution gives back. */
static void store(stroke *s, double dP, double work)
{
    double amount = s->def->law == STRIKE_ENERGETIC ? -work : dP;
    double factor = s->def->law == STRIKE_ENERGETIC ? s->def->restitution * s->def->restitution : s->def->restitution;
    if (!s->restitution) {
        s->stored += amount;
        s->out->compression[s->contact] += dP;
    } else if (factor > 0.0) {
        s->stored -= fabs(amount) / factor;
    }
    s->P += dP;
    s->out->work_normal += work;
}

static void record(stroke *s)
{
    strike_history *history = s->out->history;
    s->out->steps += s->going_on ? 0 : 1;
    if (history) {
        history->count += s->going_on ? 0 : 1;
        int k = history->count - 1;
        if (k < STRIKE_HISTORY) {
            bool jam = s->going_on ? history->step[k].jam : s->jam;
            history->step[k] = (strike_step){ .contact = s->contact, .P = s->P, .jam = jam };
        }
        if (k < STRIKE_HISTORY && history->state && !s->going_on) {
            memcpy(history->state + (size_t)k * (size_t)s->p->element_count, s->w->state,
                   (size_t)s->p->element_count * sizeof(friction_state));
        }
    }
    s->jam = false;
}

/* One step with constant rates. */
static void step_straight(stroke *s, double dP)
{
    int rows = s->p->row_count;
    double work = 0.0;
    for (int k = 0; k < rows; ++k) {
        double after = s->u[k] + s->a.rate[k] * dP;
        double part = 0.5 * s->a.force[k] * dP * (s->u[k] + after);
        s->out->work_friction += k == s->contact ? 0.0 : part;
        work += k == s->contact ? part : 0.0;
        s->out->impulse[k] += s->a.force[k] * dP;
        s->u[k] = after;
    }
    store(s, dP, work);
    record(s);
    s->going_on = false;
}

/* One step in which directions turn, integrated. */
static void step_turning(stroke *s)
{
    bool was_going_on = s->going_on;
    double work = stroke_turn(s); /* sets going_on for the next */
    bool will_go_on = s->going_on;
    s->going_on = was_going_on;
    double dP = s->w->impulse[s->contact];
    s->out->work_friction += apply_impulse(s) - work;
    store(s, dP, work);
    record(s);
    s->going_on = will_go_on;
}

/* Slips that have vanished in the step (the one whose event it was, and those that did so by coincidence). */
static void stop_vanished(stroke *s)
{
    bool any = false;
    for (int i = 0; i < s->p->element_count; ++i) {
        bool slipped = s->w->state[i].mode == FRICTION_SLIP;
        double speed = slipped ? slip_speed(s, i) : 0.0;
        s->w->stop[i] = slipped && speed > 0.0 && (s->w->stop[i] || speed <= s->still);
        any = any || s->w->stop[i];
    }
    for (int i = 0; any && i < s->p->element_count; ++i) { /* what holds goes on to hold */
        s->w->stop[i] = s->w->stop[i] || s->w->state[i].mode == FRICTION_STICK;
    }
    if (any) {
        lock(s);
    }
}

/* A step to the next event. Where there is none (nothing that friction does ends the approach) everything locks; when all
 * is locked, or in restitution, nothing is left to happen. */
static void advance(stroke *s)
{
    memcpy(s->w->state, s->a.state, (size_t)s->p->element_count * sizeof(friction_state));
    if (stroke_turns(s)) {
        step_turning(s);
    } else {
        double dP = next_event(s);
        if (!isfinite(dP)) {
            s->finished = s->restitution || all_held(s) || normal_speed(s) >= -s->still;
            if (!s->finished) {
                lock_all(s);
            }
            return;
        }
        step_straight(s, dP);
    }
    stop_vanished(s);
    /* Before the next state is looked for: with nothing to give back that one must not lock joints any more. */
    if (!s->restitution && !s->finished && normal_speed(s) >= -still_normal * s->speed_scale &&
        normal_rate(s) > 0.0) {
        end_compression(s);
        s->finished = nothing_left(s);
    }
}

static void run(stroke *s)
{
    s->finished = stroke_is_prescribed(s) && !(s->def->impulse > 0.0);
    for (int k = 0; k < STEP_LIMIT && s->turn_steps < TURN_LIMIT && !s->finished; ++k) {
        choose(s);
        find_phase(s);
        if (!s->finished) {
            advance(s);
        }
    }
}

/* Whether the impact must not be left like this: it does not end, or it has made energy of nothing (beyond rounding, and
 * but for Newton's law and prescribed impulses, which may do so). */
static bool must_be_repeated(const stroke *s)
{
    double work = s->out->work_normal + s->out->work_friction;
    /* Not the work done alone: with e = 1 that of restitution takes back all that of compression. */
    double size = fabs(s->out->work_normal) + fabs(s->out->work_friction) + s->P * s->speed_scale;
    bool lossy = s->def->law != STRIKE_NEWTON && !stroke_is_prescribed(s);
    return !s->finished || !isfinite(work) || (lossy && work > made_energy * size) ||
           s->out->work_friction > made_energy * size;
}

strike_outcome strike_one(strike_work *w, const reduced_problem *p, int contact, const strike_contact *def, double *u,
                          strike_result *out)
{
    reduced_problem bare = *p;
    bare.rate = NULL;
    bare.load = NULL;
    memcpy(w->start, u, (size_t)p->row_count * sizeof(double));
    stroke s = begin(w, &bare, contact, def, u, out);
    if (!isfinite(s.speed_scale)) {
        return STRIKE_INCONSISTENT;
    }
    run(&s);
    if (must_be_repeated(&s)) {
        memcpy(u, w->start, (size_t)p->row_count * sizeof(double));
        s = begin(w, &bare, contact, def, u, out);
        lock_all(&s);
        run(&s);
    }
    return s.finished ? STRIKE_OK : STRIKE_ENDLESS;
}
