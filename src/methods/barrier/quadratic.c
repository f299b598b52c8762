/* The quadratic model of the incremental potential at the iterate. */
#include "methods/barrier/quadratic.h"

#include <string.h>

#include "methods/barrier/applied.h"
#include "methods/barrier/bodies.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/stops.h"
#include "methods/barrier/system.h"

carom_status quadratic_not_finite(const barrier_work *w, island *s)
{
    const char *name = s->mechanism ? work_not_finite(w->scratch) : NULL;
    return name ? carom_fail(&s->error, CAROM_NOT_CONVERGED, "'%.100s' has no finite value at t = %.6g s", name,
                             w->t_end)
                : carom_fail(&s->error, CAROM_NOT_CONVERGED, "forces are no longer finite numbers at t = %.6g s",
                             w->t_end);
}

static carom_status assemble(barrier_work *w, island *s, bool anew, hessian_curvature curvature)
{
    s->curvature = curvature;
    carom_status status = system_begin(w, s, anew);
    if (status != CAROM_OK) {
        return status;
    }
    bodies_add(w, s);
    applied_add(w, s);
    contacts_add(w, s);
    stops_add(w, s);
    joint_friction_add(w, s);
    joints_add(w, s);
    return CAROM_OK;
}

carom_status quadratic_assemble(barrier_work *w, island *s, bool anew)
{
    return assemble(w, s, anew, s->full ? CURVATURE_WHOLE : CURVATURE_NONE);
}

void quadratic_gradient(barrier_work *w, island *s)
{
    memset(s->gradient, 0, (size_t)(COLUMNS * s->node_count) * sizeof *s->gradient);
    bodies_add_forces(w, s);
    applied_add_forces(s);
    contacts_add_forces(w, s);
    stops_add_forces(w, s);
    joint_friction_add_forces(w, s);
}

/* Every part of the Hessian is positive, or made so; where masses or stiffnesses are many orders apart, their sum is not for rounding.
 * A shift shortens twists, of light bodies most: a solve that ends with one is told as not solved. */
static carom_status factor_shifted(const barrier_work *w, island *s)
{
    enum { MOST = 60 };
    double shift = 0.0;
    for (int k = 0; k < MOST; ++k) {
        if (block_system_factor(s->system, shift)) {
            s->shifted = k > 0;
            s->counts.shifts += s->shifted;
            return CAROM_OK;
        }
        shift = k == 0 ? 1e-6 * w->lightest / (w->h * w->h) : 4.0 * shift;
    }
    return quadratic_not_finite(w, s);
}

carom_status quadratic_factor_positive(barrier_work *w, island *s)
{
    carom_status status = assemble(w, s, false, CURVATURE_POSITIVE);
    return status == CAROM_OK ? factor_shifted(w, s) : status;
}

carom_status quadratic_factor(barrier_work *w, island *s)
{
    if (!s->full) {
        return factor_shifted(w, s);
    }
    s->shifted = false;
    return block_system_factor(s->system, 0.0) ? CAROM_OK : quadratic_factor_positive(w, s);
}

void quadratic_right(const barrier_work *w, const island *s, double *x)
{
    for (int k = 0; k < COLUMNS * s->node_count; ++k) {
        x[k] = -s->gradient[k];
    }
    joints_set_residual(w, s, x);
}

static bool body_balances(const moving_body *b, const double *off, double part, double acceleration)
{
    double turning = m3_trace(b->inertia_b) / (3.0 * b->reach); /* [kg m] per tangential acceleration */
    return v3_norm(v3_load(off)) <= part * b->pressed + b->mass * acceleration &&
           (!(b->reach > 0.0) ||
            v3_norm(v3_load(off + 3)) <= part * (b->pressed * b->reach + b->twisted) + turning * acceleration);
}

bool quadratic_balances(const barrier_work *w, const island *s, double part)
{
    bool all = true;
    for (int k = 0; all && k < s->body_count; ++k) {
        const moving_body *b = &w->bodies[s->bodies[k]];
        all = b->node < 0 || body_balances(b, s->gradient + COLUMNS * b->node, part, s->tolerance / w->h);
    }
    return all;
}
