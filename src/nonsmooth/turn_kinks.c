/* Scalar load components of slipping joints have a kink, |lambda|, where they change sign: within a part of the integration
 * (turn.h) |lambda| is sign lambda, which is smooth, and the sign changes at the kink. */
#include <float.h>

#include "nonsmooth/turn.h"

/* A load component this small, relative to what loads may be, is at its kink: rounding of its sum, times a condition. */
static const double on_kink = 1e-11;
/* The same for one that vanishes together with another, whose kink has been located to the tolerance of velocities. */
static const double at_kink = 1e-9;

static double load_component(const stroke *s, const double *force, int component)
{
    const double *B_i = s->p->B + component * s->p->row_count;
    double sum = 0.0;
    for (int k = 0; k < s->p->row_count; ++k) {
        sum += B_i[k] * force[k];
    }
    return sum;
}

static double largest_of(const double *a, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
        most = fmax(most, fabs(a[k]));
    }
    return most;
}

/* What rounding of load components is measured against: the largest answer of any load to any force, because a joint that
 * feels nothing of the forces has nothing else to be compared with. */
static double load_scale(const stroke *s, const double *force)
{
    double answer = largest_of(s->p->B, s->p->load_count * s->p->row_count);
    return fmax(answer * largest_of(force, s->p->row_count), DBL_MIN);
}

static bool may_kink(const stroke *s, int element, int g)
{
    const friction_element *e = &s->p->elements[element];
    return s->w->turned[element].mode == FRICTION_SLIP && e->contact < 0 && g < e->group_count &&
           s->p->groups[e->first_group + g].dim == 1;
}

void turn_find_signs(stroke *s, const friction_answer *a)
{
    double scale = load_scale(s, a->force);
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        for (int g = 0; g < e->group_count; ++g) {
            int l = s->p->groups[e->first_group + g].first;
            double value = may_kink(s, i, g) ? load_component(s, a->force, l) : 0.0;
            s->w->sign[l] = fabs(value) > on_kink * scale ? copysign(1.0, value) : s->w->sign[l];
        }
    }
}

void turn_check_signs(stroke *s, const friction_answer *a, turn_events *events)
{
    double scale = load_scale(s, a->force);
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        for (int g = 0; g < e->group_count; ++g) {
            int l = s->p->groups[e->first_group + g].first;
            if (may_kink(s, i, g) && s->w->sign[l] != 0.0) {
                turn_notice(events, -s->w->sign[l] * load_component(s, a->force, l) / scale, TURN_KINK, l);
            }
        }
    }
}

void turn_change_signs(stroke *s, int component)
{
    friction_answer a;
    double sigma;
    bool known = turn_rates(s, s->w->y, true, &a, &sigma);
    for (int l = 0; l < s->p->load_count; ++l) {
        bool vanishes = known && fabs(load_component(s, a.force, l)) <= at_kink * load_scale(s, a.force);
        s->w->sign[l] = l == component || vanishes ? -s->w->sign[l] : s->w->sign[l];
    }
}

int turn_joint_of(const stroke *s, int component)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        const friction_element *e = &s->p->elements[i];
        for (int g = 0; g < e->group_count; ++g) {
            if (s->p->groups[e->first_group + g].first == component) {
                return i;
            }
        }
    }
    return -1;
}
