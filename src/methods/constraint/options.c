#include "methods/constraint/options.h"

#include "base/error_list.h"
#include "dynamics/integrator.h"
#include "model/origin.h"

const constraint_options constraint_defaults = { .penalty = 0.0 };

const carom_field constraint_fields[] = {
    { .name = "penalty",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(constraint_options, penalty),
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "For comparison: contact by forces that grow with penetration instead of constraints. The stiffness at a node "
          "is this factor times the bulk modulus times the square of its share of the surface over the volume of the "
          "element behind it (of a rod: times E A / h). 0, the default: constraints." },
    { .name = NULL },
};

void constraint_set_colliders(collider_options *out, const void *options)
{
    (void)options;
    out->method = DETECT_DIRECT;
    out->spacing = 1e6; /* [m] none but corners and balls */
    out->cache = NULL;
}

/* [1/s^2] largest stiffness of a penalty over the mass of its node. */
static double penalty_rate(const model_nodal *n, double factor)
{
    int d = nodal_dimension(n->nodes);
    double most = 0.0;
    for (int i = 0; i < n->surface_count; ++i) {
        int node = n->surface[i];
        most = fmax(most, factor * n->penalty[node] / nodal_mass(n->nodes)[d * node + d - 1]);
    }
    return most;
}

/* Penalties stiffen a pair of nodes: omega^2 grows by at most their stiffness over both masses. */
double constraint_critical_step(const carom_model *model)
{
    const constraint_options *o = model->method_options;
    double step = HUGE_VAL;
    for (int k = 0; k < model->nodal_count; ++k) {
        const model_nodal *n = &model->nodal[k];
        double critical = n->critical;
        if (o->penalty > 0.0) {
            critical = 1.0 / sqrt(1.0 / (critical * critical) + 0.5 * penalty_rate(n, o->penalty));
        }
        step = fmin(step, critical);
    }
    return step;
}

double constraint_step_size(const carom_model *model)
{
    const double safety = 0.9; /* as without penalties */
    double every = model->scene.record.every;
    if (model->scene.time.step > 0.0) {
        return model->scene.time.step;
    }
    double step = fmin(integrator_of(model).settings.step, safety * constraint_critical_step(model));
    return every > step ? every / ceil(every / step) : step; /* frames at ends of steps */
}

carom_status constraint_check(const carom_model *model, const void *options, carom_error *err)
{
    (void)options;
    const double rounding = 1.0 +
                            1e-4; /* the critical step is known to 1e-5; a step at the limit itself is allowed */
    double critical = constraint_critical_step(model);
    if (model->scene.time.step > rounding * critical) {
        carom_fail(
            err, CAROM_BAD_INPUT,
            "time.step = %g s is longer than the critical step %.4g s of the finite elements; leave it out (0.9 of "
            "the critical step) or make it shorter",
            model->scene.time.step, critical);
        return model_blame_setting(model, "time.step", CAROM_BAD_INPUT, err);
    }
    return dynamics_check(model, err);
}
