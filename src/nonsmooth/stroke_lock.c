/* Jams: an impulse along the slip of an element brings it to rest at once. In terms of velocities this is the
 * projection v := v - M^-1 A^T (A M^-1 A^T)^-1 A v in the metric of the mass matrix, which loses energy. What has jammed is
 * held until the impact is over. */
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/stroke.h"

/* Rows that depend on others to this (of their scale) get no impulse of their own: D_kl err by 1e-16 times a condition of
 * 1e4 or so. */
static const double rank_tolerance = 1e-11;
/* Slip that vanished and is below this, relative to the largest velocity, is rounding; above, an impulse takes it away. */
static const double rounding = 1e-14;

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

/* Impulses along those rows that bring them to rest. */
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

double stroke_apply_impulse(stroke *s)
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

/* Brings the elements in w->stop, and those held, to rest: by an impulse where there is more than rounding, then exactly. */
static void lock(stroke *s)
{
    int count = rows_to_lock(s);
    double residual = 0.0;
    for (int k = 0; k < count; ++k) {
        residual = fmax(residual, fabs(s->u[s->w->index[k]]));
    }
    if (residual > rounding * s->speed_scale) {
        find_locking_impulse(s, count);
        s->out->work_friction += stroke_apply_impulse(s);
    }
    for (int k = 0; k < count; ++k) {
        s->u[s->w->index[k]] = 0.0;
    }
}

void stroke_jam(stroke *s, int joint)
{
    memset(s->w->stop, 0, (size_t)s->p->element_count * sizeof(bool));
    s->w->held[joint] = true;
    lock(s);
    s->jam = true;
    s->going_on = false;
    s->jams_next = -1;
    s->out->jammed = s->out->jammed < 0 ? joint : s->out->jammed;
}

static int fastest_element(const stroke *s)
{
    int fastest = 0;
    for (int i = 1; i < s->p->element_count; ++i) {
        fastest = slip_speed(s, i) > slip_speed(s, fastest) ? i : fastest;
    }
    return fastest;
}

/* What slipped fastest is said to have jammed. */
void stroke_lock_all(stroke *s)
{
    if (s->p->element_count == 0) {
        return;
    }
    int fastest = fastest_element(s);
    for (int i = 0; i < s->p->element_count; ++i) {
        s->w->held[i] = true;
    }
    stroke_jam(s, s->out->jammed >= 0 ? s->out->jammed : fastest);
}

bool stroke_all_held(const stroke *s)
{
    for (int i = 0; i < s->p->element_count; ++i) {
        if (!s->w->held[i]) {
            return false;
        }
    }
    return true;
}

/* Whether the slip of element i ended with the last step. Slip that only began with it, and is not yet above the limit, has
 * not: to stop that would undo the step, and the next one would be the same again. */
static bool has_vanished(const stroke *s, int i)
{
    if (s->w->state[i].mode != FRICTION_SLIP) {
        return false;
    }
    double speed = slip_speed(s, i);
    bool gone = speed <= s->still && slip_norm(&s->p->elements[i], s->w->before) > s->still;
    return speed > 0.0 && (s->w->stop[i] || gone);
}

void stroke_stop_vanished(stroke *s)
{
    bool any = false;
    for (int i = 0; i < s->p->element_count; ++i) {
        s->w->stop[i] = has_vanished(s, i);
        any = any || s->w->stop[i];
    }
    for (int i = 0; any && i < s->p->element_count; ++i) { /* what holds goes on to hold */
        s->w->stop[i] = s->w->stop[i] || s->w->state[i].mode == FRICTION_STICK;
    }
    if (any) {
        lock(s);
    }
}
