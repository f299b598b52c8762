/* M a - f + J^T sigma on the columns of free bodies. */
#include "dynamics/balance.h"

#include "base/clock.h"
#include "dynamics/deformation.h"

void balance_mass_times(const carom_scratch *w, motion_rates acceleration, double *out)
{
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const model_body *b = &w->model->bodies[i];
        double *r = out + b->column;
        if (body_deforms(b)) {
            deformation_mass_times(w, i, acceleration, r);
        } else {
            v3_store(r, v3_scale(b->mass, acceleration.rate[i].v_w));
            v3_store(r + 3, m3_mulv(w->J_w[i], acceleration.rate[i].omega_w));
        }
    }
}

void balance_evaluate(carom_scratch *w, double t, motion at, motion_rates acceleration, const double *sigma,
                      double *r)
{
    double start = carom_clock_wall();
    double detection = w->counters.seconds_detection;
    work_place(w, t, at);
    work_constraints(w);
    work_forces(w);
    balance_mass_times(w, acceleration, r);
    for (int k = 0; k < w->model->column_count; ++k) {
        r[k] -= w->f[k];
    }
    work_add_reactions(w, 1.0, sigma, r);
    w->counters.evaluations++;
    work_count_assembly(w, start, detection);
}
