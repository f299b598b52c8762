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
    const model_surface *s = n->surface;
    double most = 0.0;
    for (int i = 0; i < s->node_count; ++i) {
        int node = s->nodes[i];
        most = fmax(most, factor * s->penalty[node] / nodal_mass(n->nodes)[d * node + d - 1]);
    }
    return most;
}

/* Penalties stiffen a pair of nodes: omega^2 grows by at most their stiffness over both masses. */
double constraint_critical_step(const carom_model *model)
{
    const constraint_options *o = model->method_options;
    double step = integrator_critical_step(model);
    for (int k = 0; o->penalty > 0.0 && k < model->nodal_count; ++k) {
        const model_nodal *n = &model->nodal[k];
        double critical = n->critical;
        step = fmin(step, 1.0 / sqrt(1.0 / (critical * critical) + 0.5 * penalty_rate(n, o->penalty)));
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

/* Penalties belong to nodes: a few shapes have no stiffness of their own where they touch. */
static carom_status check_penalty(const carom_model *model, carom_error *err)
{
    for (int k = 0; k < model->surface_count; ++k) {
        const model_surface *s = &model->surfaces[k];
        if (!s->nodal) {
            carom_fail(err, CAROM_BAD_INPUT,
                       "contact.penalty is there for bodies in nodal coordinates, and body '%.100s' is of kind '%s'; "
                       "write \"as\": \"nodes\", or leave out 'penalty'",
                       model->bodies[s->body].name, model->bodies[s->body].type->kind.name);
            return model_blame_setting(model, "contact.penalty", CAROM_BAD_INPUT, err);
        }
    }
    return CAROM_OK;
}

carom_status constraint_check(const carom_model *model, const void *options, carom_error *err)
{
    const constraint_options *o = options;
    carom_status penalty = o->penalty > 0.0 ? check_penalty(model, err) : CAROM_OK;
    if (penalty != CAROM_OK) {
        return penalty;
    }
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
