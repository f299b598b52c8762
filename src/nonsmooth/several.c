/* Impacts at several contacts: room, the beginning of a flow, and its impulses as a result. */
#include "nonsmooth/several.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linalg/dense.h"

static const double GROWTH = 1e-12;       /* of energy: rounding, relative to the work done */
static const double SLOWEST_SCALE = 1e-6; /* of approach, relative to all velocities: below, rounding is not far */

/* ---- room --------------------------------------------------------------------------------------------------------- */

static void make_room_for_flow(carom_arena *arena, struct strike_all_work *w, size_t r, size_t e)
{
    size_t size = 4 * r + 2;
    double **vectors[] = { &w->y, &w->y_new, &w->slope, &w->slope_new, &w->z[0], &w->z[1], &w->middle, &w->kept };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = CAROM_ARENA_ARRAY(arena, double, size);
    }
    w->table = CAROM_ARENA_ARRAY(arena, double, size *FLOW_TABLE);
    w->trail = CAROM_ARENA_ARRAY(arena, double, 2 * r * (FLOW_TABLE + 1));
    w->phase = CAROM_ARENA_ARRAY(arena, flow_phase, r);
    w->closed = CAROM_ARENA_ARRAY(arena, bool, r);
    w->state = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->moving = CAROM_ARENA_ARRAY(arena, bool, e);
    w->straight = CAROM_ARENA_ARRAY(arena, bool, e);
    w->watched = CAROM_ARENA_ARRAY(arena, bool, e);
    w->creeping = CAROM_ARENA_ARRAY(arena, bool, e);
    w->held = CAROM_ARENA_ARRAY(arena, bool, e);
    w->elements = CAROM_ARENA_ARRAY(arena, friction_element, e);
    w->margin_load = CAROM_ARENA_ARRAY(arena, double, e);
}

struct strike_all_work *strike_all_create(carom_arena *arena, int rows, int elements, int loads)
{
    struct strike_all_work *w = CAROM_ARENA_ARRAY(arena, struct strike_all_work, 1);
    if (!w) {
        return NULL;
    }
    size_t r = (size_t)rows + 1;
    size_t e = (size_t)elements + 1;
    make_room_for_flow(arena, w, r, e);
    double **vectors[] = { &w->normal, &w->bias,   &w->margin_force, &w->margin_rate,     &w->u0,
                           &w->shown,  &w->right,  &w->one_impulse,  &w->one_compression, &w->step_impulse,
                           &w->before, &w->target, &w->given,        &w->slip_rate };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = CAROM_ARENA_ARRAY(arena, double, r);
    }
    w->rest = rest_create(arena, rows, elements, loads);
    w->rub = rub_create(arena, rows, elements, loads);
    w->normals = normals_create(arena, rows);
    w->index = CAROM_ARENA_ARRAY(arena, int, r);
    w->one_row = CAROM_ARENA_ARRAY(arena, int, r);
    w->one_B = CAROM_ARENA_ARRAY(arena, double, ((size_t)loads + 1) * r);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, r *r);
    w->scratch = CAROM_ARENA_ARRAY(arena, double, dense_scratch(rows + 1));
    w->struck = CAROM_ARENA_ARRAY(arena, bool, r);
    w->history.state = CAROM_ARENA_ARRAY(arena, friction_state, e * STRIKE_HISTORY);
    return arena->failed ? NULL : w;
}

/* ---- begin and end ------------------------------------------------------------------------------------------------ */

double several_largest_speed(const reduced_problem *p, const double *u)
{
    double most = 0.0;
    for (int k = 0; k < p->row_count; ++k) {
        most = isnan(u[k]) ? HUGE_VAL : fmax(most, fabs(u[k]));
    }
    return most;
}

double several_diagonal(const reduced_problem *p, int row)
{
    return p->D[(size_t)row * (size_t)p->row_count + (size_t)row];
}

void several_set_scales(flow *f)
{
    double most = 0.0;
    f->stiffest = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        f->stiffest = fmax(f->stiffest, f->defs[c].stiffness);
    }
    for (int c = 0; c < f->p.contact_count; ++c) {
        most = fmax(most, several_diagonal(&f->p, c) * f->defs[c].stiffness / f->stiffest);
    }
    double rate = most > 0.0 ? most : 1.0;
    f->scale = fmax(SLOWEST_SCALE * f->speed, several_fastest_approach(f, f->w->y));
    f->duration = pow(pow(f->scale, 1.0 - f->exponent) / rate, 1.0 / (f->exponent + 1.0));
    f->depth = f->scale * f->duration;
}

flow several_begin(strike_work *work, const reduced_problem *p, const strike_contact *defs,
                   const strike_options *options, const double *u, double speed, strike_result *out)
{
    struct strike_all_work *w = work->all;
    flow f = { .w = w, .friction = work->friction, .p = *p, .defs = defs, .exponent = options->exponent, .out = out };
    memcpy(w->elements, p->elements, (size_t)p->element_count * sizeof *w->elements);
    f.p.rate = NULL;
    f.p.load = NULL;
    f.p.elements = w->elements;
    f.stopping = f.p;
    f.stopping.rate = w->bias;
    f.size = 2 * p->row_count + 2 * p->contact_count + 2;
    f.speed = fmax(speed, DBL_MIN);
    f.still = FLOW_STILL * f.speed;
    f.until = -1;
    f.jams = -1;
    memset(w->y, 0, (size_t)f.size * sizeof(double));
    memset(w->held, 0, (size_t)p->element_count * sizeof(bool));
    memset(w->creeping, 0, (size_t)p->element_count * sizeof(bool));
    memcpy(w->u0, u, (size_t)p->row_count * sizeof(double));
    memcpy(flow_speed(&f, w->y), u, (size_t)p->row_count * sizeof(double));
    for (int c = 0; c < p->contact_count; ++c) {
        w->phase[c] = FLOW_OFF;
        f.lightest = fmax(f.lightest, several_diagonal(p, c));
    }
    return f;
}

double several_energy_change(const flow *f, double *y, double *terms)
{
    double sum = 0.0;
    *terms = 0.0;
    for (int k = 0; k < f->p.row_count; ++k) {
        double part = 0.5 * flow_impulse(f, y)[k] * (f->w->u0[k] + flow_speed(f, y)[k]);
        sum += part;
        *terms += 0.5 * fabs(flow_impulse(f, y)[k]) * (fabs(f->w->u0[k]) + fabs(flow_speed(f, y)[k]));
    }
    return sum;
}

bool several_energy_grew(const flow *f, double *y)
{
    double terms;
    double change = several_energy_change(f, y, &terms);
    return change > GROWTH * terms;
}

void several_hand_out(const flow *f, double *u, strike_result *out)
{
    double *y = f->w->y;
    double terms;
    double change = several_energy_change(f, y, &terms);
    for (int k = 0; k < f->p.row_count; ++k) {
        out->impulse[k] += flow_impulse(f, y)[k];
        u[k] = flow_speed(f, y)[k];
    }
    for (int c = 0; c < f->p.contact_count; ++c) {
        out->compression[c] += flow_compression(f, y)[c];
    }
    out->work_normal += *flow_work(f, y);
    out->work_friction += change - *flow_work(f, y);
}

void several_record(flow *f)
{
    strike_history *history = f->out->history;
    f->out->steps += 1;
    if (!history) {
        return;
    }
    int k = history->count++;
    if (k >= STRIKE_HISTORY) {
        return;
    }
    double P = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        P += flow_impulse(f, f->w->y)[c];
    }
    history->step[k] = (strike_step){ .contact = -1, .P = P };
    if (history->state) {
        memcpy(history->state + (size_t)k * (size_t)f->p.element_count, f->w->state,
               (size_t)f->p.element_count * sizeof(friction_state));
    }
}

void several_mark_compression_end(flow *f)
{
    strike_history *history = f->out->history;
    if (history && history->count > 0 && history->count <= STRIKE_HISTORY) {
        history->step[history->count - 1].compression_end = true;
    }
}
