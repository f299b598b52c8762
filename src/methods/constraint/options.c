#include "methods/constraint/options.h"

#include <carom/modes.h>

#include "base/error_list.h"
#include "dynamics/integrator.h"
#include "model/origin.h"

/* rho damps what steps do not resolve within a few of them [paper 2: 19 steps for the flight of its pendulum]. */
const constraint_options constraint_defaults = { .flight = {
                                                     .rho = 0.6, .newton_limit = 12, .watch = WATCH_POSITIONS } };

const carom_field constraint_fields[] = {
    { .name = "penalty",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(constraint_options, penalty),
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "For comparison: contact by forces that grow with penetration instead of constraints. The stiffness at a node "
          "is this factor times the bulk modulus times the square of its share of the surface over the volume of the "
          "element behind it (of a rod: times E A / h). 0, the default: constraints." },
    { .name = "hold",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(constraint_options, hold),
      .flags = CAROM_NONNEGATIVE,
      .dimension = CAROM_DIM_TIME,
      .doc =
          "Time without contact [s] after which large implicit steps take the place of explicit ones, until something is about to touch again. "
          "0, the default: a period of the lowest vibration of the bodies that deform; then scenes of rigid bodies "
          "alone never fly. Longer than the run: all steps are explicit." },
    { .name = "flight_step",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(constraint_options, flight_step),
      .flags = CAROM_NONNEGATIVE,
      .dimension = CAROM_DIM_TIME,
      .doc =
          "The implicit step [s] while nothing touches. 0, the default: chosen by the error of positions, to time.tolerance." },
    { .name = "flight_rho",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(constraint_options, flight.rho),
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "How much of a vibration that implicit steps do not resolve is left after one of them: 1 keeps it, 0 takes "
          "all. 0.6 by default; the nearer to 1, the more exact a given `flight_step` is, and the shorter are steps "
          "that errors choose." },
    { .name = NULL },
};

void constraint_set_colliders(collider_options *out, const void *options)
{
    (void)options;
    out->method = DETECT_DIRECT;
    out->spacing = 1e6; /* [m] none but corners and balls */
    out->facets = true; /* and edges */
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

/* [s] the period of the lowest vibration of a free body that deforms; 0: it does not. */
static double longest_period(const model_body *b)
{
    carom_flexible_info about = { 0 };
    if (body_deforms(b) && b->type->about) {
        b->type->about(b->params, &about);
    }
    return about.lowest > 0.0 ? 1.0 / about.lowest : 0.0;
}

/* Implicit steps know bodies with columns only. */
double constraint_hold(const carom_model *model)
{
    const constraint_options *o = model->method_options;
    double period = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        period = fmax(period, longest_period(&model->bodies[i]));
    }
    double hold = o->hold > 0.0 ? o->hold : period;
    bool never = model->nodal_count > 0 || hold == 0.0 || hold >= model->scene.time.end;
    return never ? HUGE_VAL : hold;
}

double constraint_step_size(const carom_model *model)
{
    return integrator_of(model).settings.step;
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

static carom_status check_hold(const carom_model *model, carom_error *err)
{
    const char *name = model->bodies[model->nodal[0].body].name;
    carom_fail(err, CAROM_BAD_INPUT,
               "contact.hold asks for implicit steps, and body '%.100s' is in nodal coordinates, which know explicit "
               "steps only; write \"as\": \"zone\", or leave out 'hold'",
               name);
    return model_blame_setting(model, "contact.hold", CAROM_BAD_INPUT, err);
}

/* Several explicit steps make one step of the method, and forces would see the integrals of its beginning. */
static carom_status check_integrals(const carom_model *model, carom_error *err)
{
    const model_integral *z = &model->integrals[0];
    const bool state = z->name != NULL;
    carom_fail(
        err, CAROM_BAD_INPUT,
        "the method 'constraint' cannot integrate %s '%.100s' along with its explicit steps; take another method, or "
        "leave it out",
        state ? "the state" : "the error of the motor", state ? z->name : model->forces[z->force].name);
    return model_blame_setting(model, state ? "states" : "contact.method", CAROM_BAD_INPUT, err);
}

carom_status constraint_check(const carom_model *model, const void *options, carom_error *err)
{
    const constraint_options *o = options;
    carom_status penalty = o->penalty > 0.0 ? check_penalty(model, err) : CAROM_OK;
    if (penalty != CAROM_OK) {
        return penalty;
    }
    if (o->hold > 0.0 && o->hold < model->scene.time.end && model->nodal_count > 0) {
        return check_hold(model, err);
    }
    if (model->integral_count > 0) {
        return check_integrals(model, err);
    }
    if (o->flight.rho > 1.0) {
        carom_fail(err, CAROM_BAD_INPUT, "contact.flight_rho = %g must be between 0 and 1", o->flight.rho);
        return model_blame_setting(model, "contact.flight_rho", CAROM_BAD_INPUT, err);
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
