/* Limits of joint coordinates as barriers: a coordinate that begins inside its limits stays there, however fast it comes. */
#include "methods/barrier/stops.h"

#include <string.h>

#include "dynamics/columns.h"
#include "dynamics/step.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/stiffness.h"
#include "methods/barrier/system.h"

static bool is_angle(const carom_model *model, const barrier_stop *s)
{
    return model->joints[s->joint].type->coordinates[s->coordinate].angle;
}

static void add_stop(barrier_work *w, int joint, const model_joint_limit *limit, double sign)
{
    double at = sign > 0.0 ? limit->min : limit->max;
    if (isfinite(at)) {
        static const double ANGLE = 1e-4; /* [rad] */
        static const double PART = 0.1;   /* of the range of surfaces, which have edges to round */
        barrier_stop *s = &w->stops[w->stop_count++];
        *s = (barrier_stop){ .joint = joint, .coordinate = limit->coordinate, .sign = sign, .limit = at };
        double width = limit->max - limit->min; /* barriers of both ends must not meet */
        s->range = fmin(is_angle(w->model, s) ? ANGLE : PART * w->range_most, 0.1 * width);
        s->restitution = limit->restitution;
    }
}

void stops_create(barrier_work *w)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int k = 0; k < joint->limit_count; ++k) {
            add_stop(w, j, &joint->limits[k], 1.0);
            add_stop(w, j, &joint->limits[k], -1.0);
        }
    }
}

static const double *row_of(const barrier_work *w, const barrier_stop *s, int side)
{
    const carom_joint_rows *rows = &w->scratch->coordinate_rows[s->joint];
    return side == 0 ? rows->a[s->coordinate] : rows->b[s->coordinate];
}

/* [1/kg or 1/(kg m^2)] how much a unit force along the coordinate accelerates it, both bodies alone. */
static double mobility_of(const barrier_work *w, const barrier_stop *s)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[w->model->joints[s->joint].body[side]];
        if (b->free) {
            const double *row = row_of(w, s, side);
            v3 turn_b = m3_tmulv(b->R, v3_load(row + 3));
            sum += v3_norm2(v3_load(row)) / b->mass + v3_dot(turn_b, m3_mulv(m3_inverse(b->inertia_b), turn_b));
        }
    }
    return sum;
}

/* [m or rad] to the limit; negative: beyond it. */
static double gap_of(const barrier_work *w, const barrier_stop *s)
{
    const model_joint *joint = &w->model->joints[s->joint];
    return s->sign * (w->scratch->coordinate[joint->first_coordinate + s->coordinate] - s->limit);
}

static double rate_of(const barrier_work *w, const barrier_stop *s)
{
    double rate = 0.0;
    for (int side = 0; side < 2; ++side) {
        const body_rate *r = &w->bodies[w->model->joints[s->joint].body[side]].rate;
        const double *row = row_of(w, s, side);
        rate += v3_dot(v3_load(row), r->v_w) + v3_dot(v3_load(row + 3), r->omega_w);
    }
    return rate;
}

/* [m or rad] of the coordinate in a step if nothing holds it; weights count as a fall. */
static double way_in_step(const barrier_work *w, const barrier_stop *s, double mobility)
{
    double fall = w->h * v3_norm(w->model->scene.gravity) *
                  sqrt(is_angle(w->model, s) ? mobility * w->lightest : 1.0);
    return w->h * (fabs(rate_of(w, s)) + fall);
}

/* As for surfaces (stiffness.c), with the inertia along the coordinate. */
static void stiffen(barrier_work *w, barrier_stop *s, double known)
{
    static const double RATE = 1.0; /* [1/s] ranges that coordinates may creep per second */
    double mobility = mobility_of(w, s);
    double inertia = mobility > 0.0 ? 1.0 / mobility : 0.0;
    double way = way_in_step(w, s, mobility);
    double loaded = stiffness_for(w->h, inertia, s->impact == IMPACT_LEAVING ? 0.0 : way, s->range);
    s->began = s->sign * rate_of(w, s);
    s->begin_gap = gap_of(w, s);
    s->kappa = stiffness_kept(loaded, s->touched, s->impact, known);
    if (s->touched) {
        s->kappa = stiffness_grown(s->kappa, loaded, w->h, RATE);
    } else if (s->begin_gap > 0.0 && s->begin_gap < s->range) {
        double push = -barrier_at(s->begin_gap, s->range, s->kappa).first;
        s->kappa = stiffness_carrying(s->kappa, push, inertia * way / (w->h * w->h), inertia, RATE);
    }
}

static contact_record record_of(const barrier_work *w, const barrier_stop *s)
{
    uint32_t number = (uint32_t)(s - w->stops);
    contact_record r = { .a = number, .b = number, .kind = RECORD_STOP, .state = (uint32_t)s->impact };
    r.value[0] = s->approach;
    r.value[1] = s->kappa;
    return r;
}

bool stops_upset(const barrier_work *w)
{
    bool upset = false;
    for (int k = 0; k < w->stop_count; ++k) {
        const barrier_stop *s = &w->stops[k];
        upset = upset || (s->second > 0.0) != s->touched || s->impact == IMPACT_LEAVING;
    }
    return upset;
}

size_t stops_remember(const barrier_work *w, contact_record *out)
{
    size_t count = 0;
    for (int k = 0; k < w->stop_count; ++k) {
        if (w->stops[k].impact != IMPACT_NONE) {
            out[count++] = record_of(w, &w->stops[k]);
        }
    }
    return count;
}

static void recall(barrier_work *w, const contact_records *records)
{
    for (int k = 0; k < w->stop_count; ++k) {
        barrier_stop *s = &w->stops[k];
        contact_record key = record_of(w, s);
        const contact_record *found = contact_records_find(records, &key);
        s->impact = found ? (impact_phase)found->state : IMPACT_NONE;
        s->approach = found ? found->value[0] : 0.0;
        s->touched = found != NULL;
        stiffen(w, s, found ? found->value[1] : 0.0);
        s->impact = s->impact == IMPACT_ENDED ? IMPACT_OVER : s->impact;
    }
}

void stops_begin(barrier_work *w, const contact_records *records)
{
    if (w->stop_count > 0) {
        island whole = { .mechanism = true };
        joints_place(w, &whole);
        recall(w, records);
    }
}

double stops_evaluate(barrier_work *w, const island *isle)
{
    double sum = 0.0;
    for (int k = 0; isle->mechanism && k < w->stop_count; ++k) {
        barrier_stop *s = &w->stops[k];
        s->gap = gap_of(w, s);
        s->value = s->first = s->second = 0.0;
        if (!(s->gap > 0.0)) {
            return HUGE_VAL;
        }
        if (s->gap < s->range) {
            barrier_law law = barrier_at(s->gap, s->range, s->kappa);
            s->value = law.value;
            s->first = law.first;
            s->second = law.second;
        }
        sum += s->value;
    }
    return sum;
}

static void add_own(double *H, const barrier_stop *s, const double *row)
{
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            H[COLUMNS * i + k] += s->second * row[i] * row[k];
        }
    }
}

static void add_push(const barrier_work *w, const island *isle, const barrier_stop *s)
{
    for (int side = 0; side < 2; ++side) {
        double *g = gradient_of(w, isle, w->model->joints[s->joint].body[side]);
        for (int i = 0; g && i < COLUMNS; ++i) {
            g[i] += s->sign * s->first * row_of(w, s, side)[i];
        }
    }
}

void stops_add_forces(const barrier_work *w, island *isle)
{
    for (int k = 0; isle->mechanism && k < w->stop_count; ++k) {
        add_push(w, isle, &w->stops[k]);
    }
}

void stops_add(barrier_work *w, island *isle)
{
    for (int k = 0; isle->mechanism && k < w->stop_count; ++k) {
        const barrier_stop *s = &w->stops[k];
        const int *body = w->model->joints[s->joint].body;
        double cross[BLOCK];
        if (!(s->second > 0.0)) {
            continue;
        }
        add_push(w, isle, s);
        for (int side = 0; side < 2; ++side) {
            double *H = diagonal_of(w, isle, body[side]);
            if (H) {
                const double *row = row_of(w, s, side);
                moving_body *b = &w->bodies[body[side]];
                add_own(H, s, row);
                b->pressed -= s->first * v3_norm(v3_load(row));
                b->twisted -= s->first * v3_norm(v3_load(row + 3));
            }
        }
        for (int i = 0; i < BLOCK; ++i) {
            cross[i] = s->second * row_of(w, s, 0)[i / COLUMNS] * row_of(w, s, 1)[i % COLUMNS];
        }
        add_cross(w, isle, edge_between(w, isle, body[0], body[1]), body[0], body[1], cross);
    }
}

double stops_free_part(const barrier_work *w, const island *isle)
{
    static const double KEPT = 0.5;
    double part = 1.0;
    for (int k = 0; isle->mechanism && k < w->stop_count; ++k) {
        const barrier_stop *s = &w->stops[k];
        double change = 0.0;
        for (int side = 0; side < 2; ++side) {
            const twist *d = &w->bodies[w->model->joints[s->joint].body[side]].d;
            const double *row = row_of(w, s, side);
            change += s->sign * (v3_dot(v3_load(row), d->v) + v3_dot(v3_load(row + 3), d->w));
        }
        double room = s->gap < s->range ? KEPT * s->gap : s->gap - 0.3 * s->range;
        part = -change > room ? fmin(part, room / -change) : part;
    }
    return part;
}

/* The forces of stops in an evaluation: as remembered from the last step, of which the stiffness is kept. */
void stops_apply(barrier_work *w, carom_scratch *s)
{
    island whole = { .mechanism = true };
    w->scratch = s;
    if (!w->current) {
        recall(w, &w->records);
    }
    stops_evaluate(w, &whole);
    for (int k = 0; k < w->stop_count; ++k) {
        const barrier_stop *stop = &w->stops[k];
        const model_joint *joint = &w->model->joints[stop->joint];
        bool external = !work_is_free(s, joint->body[0]) || !work_is_free(s, joint->body[1]);
        for (int side = 0; stop->second > 0.0 && side < 2; ++side) {
            const double *row = row_of(w, stop, side);
            double force = -stop->sign * stop->first;
            wrench on = { v3_scale(force, v3_load(row)), v3_scale(force, v3_load(row + 3)) };
            work_apply_at(s, joint_place(joint, side), s->pose[joint->body[side]].x_w, on, external);
        }
        s->elastic += stop->value;
    }
}

/* ---- restitution ------------------------------------------------------------------------------------------------------------ */

/* [m/s or rad/s] at which the coordinate leaves its limit, with these velocities. */
static double leaving_rate(const barrier_work *w, const barrier_stop *s, const body_rate *rate)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        const body_rate *r = &rate[w->model->joints[s->joint].body[side]];
        const double *row = row_of(w, s, side);
        sum += v3_dot(v3_load(row), r->v_w) + v3_dot(v3_load(row + 3), r->omega_w);
    }
    return s->sign * sum;
}

/* Velocities by a unit impulse along the coordinate, with the joints closed, into s->x. Returns the rate it makes. */
static double respond(const barrier_work *w, const barrier_stop *stop, carom_scratch *s)
{
    const model_joint *joint = &w->model->joints[stop->joint];
    double rate = 0.0;
    memset(s->x, 0, (size_t)w->model->column_count * sizeof *s->x);
    memset(s->y, 0, (size_t)w->model->row_count * sizeof *s->y);
    for (int side = 0; side < 2; ++side) {
        const model_body *b = &w->model->bodies[joint->body[side]];
        for (int k = 0; b->width > 0 && k < COLUMNS; ++k) {
            s->x[b->column + k] = stop->sign * row_of(w, stop, side)[k];
        }
    }
    saddle_solve(s->kkt, s->x, s->y);
    for (int side = 0; side < 2; ++side) {
        const model_body *b = &w->model->bodies[joint->body[side]];
        for (int k = 0; b->width > 0 && k < COLUMNS; ++k) {
            rate += stop->sign * row_of(w, stop, side)[k] * s->x[b->column + k];
        }
    }
    return rate;
}

static void change_rates(const barrier_work *w, const carom_scratch *s, double factor, carom_state *state)
{
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const double *d = s->x + w->model->bodies[i].column;
        state->rate[i].v_w = v3_axpy(state->rate[i].v_w, factor, v3_load(d));
        state->rate[i].omega_w = v3_axpy(state->rate[i].omega_w, factor, v3_load(d + 3));
    }
}

static void release(const barrier_work *w, barrier_stop *stop, carom_scratch *s, carom_state *state)
{
    double gain = respond(w, stop, s);
    double wanted = -stop->restitution * stop->approach - leaving_rate(w, stop, state->rate);
    stop->impact = IMPACT_ENDED;
    if (gain > 0.0 && wanted > 0.0) {
        change_rates(w, s, wanted / gain, state);
        stop->impact = IMPACT_LEAVING;
    }
}

void stops_release(barrier_work *w, carom_scratch *s, carom_state *state)
{
    static const double OVER = 0.02; /* of the approach */
    for (int k = 0; k < w->stop_count; ++k) {
        barrier_stop *stop = &w->stops[k];
        if (!(stop->second > 0.0)) {
            stop->impact = IMPACT_NONE;
            continue;
        }
        if (stop->impact == IMPACT_NONE) {
            stop->approach = stop->began;
            stop->impact = stop->began < -2.0 * stop->range / w->h ? IMPACT_COMPRESSION : IMPACT_OVER;
        }
        if (stop->impact == IMPACT_COMPRESSION) {
            double after = leaving_rate(w, stop, state->rate);
            ledger_add(state, ACCOUNT_IMPACT, 0.5 * w->h * stop->first * (stop->began + after) - stop->value);
            if (after >= OVER * stop->approach) {
                release(w, stop, s, state);
            }
        }
    }
}
