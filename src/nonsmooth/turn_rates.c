/* Directions, rates and the slope of the integration at given impulses (turn.h). */
#include <string.h>

#include "nonsmooth/turn.h"

/* Slip counts as at least this, relative to what has vanished, where the pace is concerned: a part may end a little beyond
 * the event, and sigma must not vanish there. */
static const double least_slip = 0.1;

double turn_gain(const stroke *s, int i)
{
    const friction_element *e = &s->p->elements[i];
    int rows = s->p->row_count;
    double square = 0.0, own = 0.0;
    for (int k = e->first_row; k < e->first_row + e->dim; ++k) {
        const double *D_k = s->p->D + k * rows;
        square += D_k[s->contact] * D_k[s->contact];
        own += e->mu * D_k[k];
    }
    return sqrt(square) + own;
}

void turn_find_speed(stroke *s, const double *y)
{
    int rows = s->p->row_count;
    for (int k = 0; k < rows; ++k) {
        double sum = s->u[k];
        for (int l = 0; l < rows; ++l) {
            sum += s->p->D[k * rows + l] * y[l];
        }
        s->w->speed[k] = sum;
    }
}

double turn_slip(const stroke *s, int i)
{
    return slip_norm(&s->p->elements[i], s->w->speed);
}

double turn_growth(const stroke *s, int i, const double *rate)
{
    const friction_element *e = &s->p->elements[i];
    double sum = 0.0;
    for (int k = e->first_row; k < e->first_row + e->dim; ++k) {
        sum += s->w->speed[k] * rate[k];
    }
    return sum;
}

/* Direction of a slip of some speed from w->speed. */
static void set_direction(stroke *s, int i, double speed)
{
    const friction_element *e = &s->p->elements[i];
    for (int d = 0; speed > 0.0 && d < e->dim; ++d) {
        s->w->turned[i].direction[d] = s->w->speed[e->first_row + d] / speed;
    }
}

/* Directions of what slips in a plane or in space, into w->turned; returns sigma for det = HUGE. Sigma stays finite where a
 * slip is as good as gone. */
static double find_directions(stroke *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->p->element_count; ++i) {
        if (s->w->turned[i].mode != FRICTION_SLIP || s->p->elements[i].dim == 1) {
            continue;
        }
        double speed = turn_slip(s, i);
        if (!s->w->creeps[i]) {
            set_direction(s, i, speed);
        }
        double least = s->w->creeps[i] ? s->creep_limit : least_slip * turn_vanished * s->speed_scale;
        sum += turn_gain(s, i) / fmax(speed, least);
    }
    return sum > 0.0 ? 1.0 / sum : s->speed_scale / s->own_answer;
}

bool turn_rates(stroke *s, const double *y, bool smooth, friction_answer *a, double *sigma)
{
    strike_work *w = s->w;
    friction_path path = { .held = w->held, .creeping = w->creeps, .sign = smooth ? w->sign : NULL };
    turn_find_speed(s, y);
    *sigma = find_directions(s);
    if (friction_follow(w->friction, s->p, w->turned, w->normal, &path, a) != FRICTION_OK) {
        return false;
    }
    *sigma *= a->regularity / (1.0 + a->regularity);
    for (int i = 0; i < s->p->element_count; ++i) {
        w->turned[i] = w->creeps[i] ? a->state[i] : w->turned[i];
    }
    return true;
}

void turn_set_slope(const stroke *s, const friction_answer *a, double sigma, double *slope)
{
    int rows = s->p->row_count;
    for (int k = 0; k < rows; ++k) {
        slope[k] = sigma * a->force[k];
    }
    slope[rows] = sigma * s->w->speed[s->contact];
}

bool turn_find_slope(stroke *s, const double *y, double *slope)
{
    friction_answer a;
    double sigma;
    if (!turn_rates(s, y, true, &a, &sigma)) {
        return false;
    }
    turn_set_slope(s, &a, sigma, slope);
    return true;
}

void turn_remember(stroke *s, const friction_answer *a)
{
    memcpy(s->w->load, a->load, (size_t)s->p->element_count * sizeof(double));
    memcpy(s->w->begun, s->w->turned, (size_t)s->p->element_count * sizeof(friction_state));
}

void turn_go_back(stroke *s)
{
    friction_follow_from(s->w->friction, s->p, s->w->load);
    memcpy(s->w->turned, s->w->begun, (size_t)s->p->element_count * sizeof(friction_state));
}
