#include "dynamics/integrals.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"

/* Of what a force element remembers, with the integrals as they are in w. */
static double force_rate(carom_scratch *w, int force)
{
    const model_force *f = &w->model->forces[force];
    carom_force_effect effect = { 0 };
    w->force_frames[force].integral = w->z[f->integral];
    work_force_values(w, force);
    f->type->effect(&effect, &w->force_frames[force], f->params);
    return effect.integral_rate;
}

static double state_rate(carom_scratch *w, const model_integral *z)
{
    const model_value *v = &w->model->values[z->value];
    double out[3];
    if (v->kind == CAROM_EXPRESSION) {
        out[0] = work_expression_value(w, z->value);
    } else {
        work_time_value(w, z->value, w->t, out);
    }
    return z->rate_scale * out[0];
}

/* Rates of all as the integrals are in w, whether forces have been evaluated with them or not. */
static void find_rates(carom_scratch *w, double *out)
{
    for (int k = 0; k < w->model->integral_count; ++k) {
        const model_integral *z = &w->model->integrals[k];
        out[k] = z->force >= 0 ? force_rate(w, z->force) : state_rate(w, z);
    }
}

void integrals_evaluate(carom_scratch *w)
{
    for (int k = 0; k < w->model->integral_count; ++k) {
        const model_integral *z = &w->model->integrals[k];
        w->z_dot[k] = z->force >= 0 ? w->effects[z->force].integral_rate : state_rate(w, z);
    }
}

void integrals_linearise(carom_scratch *w)
{
    const integrals_room *n = &w->integrals;
    const int count = w->model->integral_count;
    double *shifted = n->matrix; /* its first row is room for rates */
    for (int k = 0; k < count; ++k) {
        const double z = w->z[k];
        const double step = 1e-7 * fmax(w->model->integrals[k].size, fabs(z));
        w->z[k] = z + step;
        find_rates(w, shifted);
        w->z[k] = z;
        for (int i = 0; i < count; ++i) {
            n->jacobian[i * count + k] = (shifted[i] - w->z_dot[i]) / step;
        }
    }
    if (count > 0) {
        find_rates(w, shifted); /* frames of forces as they were */
    }
}

void integrals_solve(carom_scratch *w, double c)
{
    const integrals_room *n = &w->integrals;
    const int count = w->model->integral_count;
    for (int k = 0; k < count * count; ++k) {
        n->matrix[k] = (k % (count + 1) == 0 ? 1.0 : 0.0) - c * n->jacobian[k];
    }
    if (count > 0 && !dense_eliminate(n->matrix, n->x, count, 0.0, NULL)) {
        n->x[0] = (double)NAN;
    }
}

double integrals_size(const carom_model *model, const double *z, const double *change)
{
    double largest = 0.0;
    for (int k = 0; k < model->integral_count; ++k) {
        largest = max_or_nan(largest, fabs(change[k]) / fmax(model->integrals[k].size, fabs(z[k])));
    }
    return largest;
}

/* One step of Newton's method; the size of the correction. */
static double correct(carom_scratch *w, const carom_state *s, double h)
{
    const int count = w->model->integral_count;
    double *x = w->integrals.x;
    integrals_linearise(w);
    for (int k = 0; k < count; ++k) {
        x[k] = s->z[k] + h * w->z_dot[k] - w->z[k];
    }
    integrals_solve(w, h);
    for (int k = 0; k < count; ++k) {
        w->z[k] += x[k];
    }
    find_rates(w, w->z_dot);
    return integrals_size(w->model, w->z, x);
}

void integrals_step(carom_scratch *w, const carom_state *s)
{
    enum { MOST = 30 };
    const double settled = 1e-14;
    const int count = w->model->integral_count;
    if (count == 0) {
        return;
    }
    work_place(w, w->t, work_motion(w));
    work_all_coordinates(w);
    work_all_rates(w);
    memcpy(w->z, s->z, (size_t)count * sizeof *w->z);
    work_measures(w);
    find_rates(w, w->z_dot);
    double size = HUGE_VAL;
    for (int k = 0; k < MOST && size > settled; ++k) {
        size = correct(w, s, w->t - *s->time);
    }
}
