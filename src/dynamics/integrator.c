/* Choosing an integrator, and what all of them share. */
#include "dynamics/limits.h"
#include "dynamics/integrator.h"

#include <float.h>
#include <string.h>

#include "base/error_list.h"
#include "dynamics/contact.h"
#include "dynamics/dense.h"
#include "dynamics/step.h"
#include "model/method.h"

bool integrator_meets_reactions(const carom_model *model)
{
    return model->method->forces && model->method->forces->react;
}

/* Implicit and robust for everyday runs; high order where accuracy is asked for, and where events are located. */
static const char *default_integrator(const carom_model *model)
{
    if (model->method->minimises) {
        return "implicit-euler";
    }
    if (model->method->leaps) {
        return "central-differences";
    }
    bool precise = model->scene.time.preset == CAROM_ACCURATE || integrator_meets_reactions(model);
    return precise ? "runge-kutta" : "generalized-alpha";
}

double integrator_critical_step(const carom_model *model)
{
    double critical = HUGE_VAL;
    for (int k = 0; k < model->nodal_count; ++k) {
        critical = fmin(critical, model->nodal[k].critical);
    }
    for (int i = 0; i < model->body_count; ++i) {
        const model_body *b = &model->bodies[i];
        if (body_deforms(b) && b->type->critical_step) {
            critical = fmin(critical, b->type->critical_step(b->params));
        }
    }
    return critical;
}

/* Of explicit steps: 0.9 of the longest stable one, which is known to 1e-5 from above, rounded so that frames lie at ends of steps. */
static double leap_size(const carom_model *model, double preset)
{
    const double safety = 0.9;
    double every = model->scene.record.every;
    double critical = model->method->critical_step ? model->method->critical_step(model) : HUGE_VAL;
    double step = isfinite(critical) ? safety * critical : preset;
    return every > step ? every / ceil(every / step) : step;
}

integrator_choice integrator_of(const carom_model *model)
{
    const carom_time_def *time = &model->scene.time;
    const char *name = time->integrator.kind ? time->integrator.kind : default_integrator(model);
    const integrator_type *type = integrator_find(name);
    integrator_choice choice = { .type = type };
    choice.options = time->integrator.kind ? time->integrator.params : type->kind.defaults;
    /* A step alone asks for that step; a tolerance makes it the largest. */
    bool fixed = !type->can_adapt || (time->step > 0.0 && time->tolerance == 0.0);
    choice.settings.adaptive = !fixed;
    choice.settings.tolerance = time->tolerance > 0.0 ? time->tolerance : type->preset_tolerance[time->preset];
    double usual = type->leaps && model->method->default_step > 0.0 ? model->method->default_step
                                                                    : type->preset_step[time->preset];
    double preset = type->can_adapt ? type->preset_step[time->preset] * time->end : usual;
    preset = type->leaps ? leap_size(model, preset) : preset;
    choice.settings.step = time->step > 0.0 ? time->step : preset;
    return choice;
}

carom_integration carom_model_integration(const carom_model *model)
{
    if (!model) {
        return (carom_integration){ 0 };
    }
    integrator_choice choice = integrator_of(model);
    return (carom_integration){ .integrator = choice.type->kind.name,
                                .adaptive = choice.settings.adaptive,
                                .step = choice.settings.step,
                                .tolerance = choice.settings.tolerance };
}

/* The next point of any table over time after t. */
static double next_table_point(const carom_model *model, double t, bool *jump)
{
    double next = HUGE_VAL;
    *jump = false;
    for (int i = 0; i < model->value_count; ++i) {
        if (model->values[i].kind == CAROM_TABLE) {
            bool jumps = false;
            double at = curve_next_point(&model->values[i].table, t, &jumps);
            *jump = at < next ? jumps : *jump || (at == next && jumps);
            next = fmin(next, at);
        }
    }
    return next;
}

carom_status dynamics_start_with(const integrator_choice *with, carom_scratch *w, carom_state *s, carom_error *err)
{
    integrator_load(w, s);
    carom_status status = work_evaluate(w, *s->time, state_motion(s), err);
    if (status != CAROM_OK) {
        return status;
    }
    integrator_commit(w, s, *s->time, state_motion(s));
    *s->step_error = 0.0;
    if (with->type->start) { /* its trial motion must not look beyond the next jump */
        bool jump = false;
        double point = next_table_point(w->model, *s->time, &jump);
        w->latest = jump ? nextafter(point, -HUGE_VAL) : HUGE_VAL;
        status = with->type->start(w, s, &with->settings, with->options, err);
        w->latest = HUGE_VAL;
    }
    return status;
}

carom_status dynamics_start(carom_scratch *w, carom_state *s, carom_error *err)
{
    const integrator_choice choice = integrator_of(w->model);
    return dynamics_start_with(&choice, w, s, err);
}

static carom_status check_tolerance(const carom_model *model, const integrator_choice *choice, carom_error *err)
{
    const double least_tolerance = 1e-15; /* below this only rounding is left */
    double tolerance = choice->settings.tolerance;
    if (!choice->settings.adaptive || (tolerance >= least_tolerance && tolerance < 1.0)) {
        return CAROM_OK;
    }
    carom_fail(err, CAROM_BAD_INPUT, "time.tolerance must be between %g and 1, not %g", least_tolerance, tolerance);
    return model_blame_setting(model, "time.tolerance", CAROM_BAD_INPUT, err);
}

static carom_status check_step(const carom_model *model, const integrator_choice *choice, carom_error *err)
{
    if (choice->settings.step >= 1e-12 * model->scene.time.end) {
        return CAROM_OK;
    }
    carom_fail(err, CAROM_BAD_INPUT,
               "time.step = %g s is too short for a run of %g s: it would take more than 1e12 steps",
               choice->settings.step, model->scene.time.end);
    return model_blame_setting(model, "time.step", CAROM_BAD_INPUT, err);
}

static carom_status check_integrator(const carom_model *model, const integrator_choice *choice, carom_error *err)
{
    carom_status status = CAROM_OK;
    if (model->method->minimises != (choice->type->incremental > 0) || model->method->leaps != choice->type->leaps) {
        status =
            carom_fail(err, CAROM_BAD_INPUT,
                       "the integrator '%s' does not go with the method '%s'; take %s, or leave time.integrator out",
                       choice->type->kind.name, model->method->kind.name,
                       model->method->minimises ? "\"implicit-euler\" or \"bdf2\""
                       : model->method->leaps   ? "\"central-differences\""
                                                : "another one");
    } else if (integrator_meets_reactions(model) && !choice->type->takes_reactions) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "the integrator '%s' does not go with the method '%s', whose steps end at events; take "
                            "\"runge-kutta\", or leave time.integrator out",
                            choice->type->kind.name, model->method->kind.name);
    } else if (choice->type->check) {
        status = choice->type->check(choice->options, err);
    }
    return status == CAROM_OK ? status : model_blame_setting(model, "time.integrator", status, err);
}

/* Bodies that deform vibrate by themselves; joints only make them slower. */
static carom_status check_vibration(const carom_model *model, const integrator_choice *choice, carom_error *err)
{
    const double two_pi = 6.28318530717958647693;
    for (int i = 0; i < model->body_count && choice->type->stable > 0.0; ++i) {
        const model_body *b = &model->bodies[i];
        double omega = b->type->highest_frequency ? b->type->highest_frequency(b->params) : 0.0;
        if (omega * choice->settings.step >= choice->type->stable) {
            carom_fail(
                err, CAROM_BAD_INPUT,
                "body '%.100s' vibrates with up to %.4g Hz, and steps of %g s of '%s' are stable below %.4g s; take a step "
                "below that, fewer modes, or the integrator 'generalized-alpha'",
                b->name, omega / two_pi, choice->settings.step, choice->type->kind.name,
                choice->type->stable / omega);
            return model_blame_setting(model, "time.step", CAROM_BAD_INPUT, err);
        }
    }
    return CAROM_OK;
}

carom_status dynamics_check(const carom_model *model, carom_error *err)
{
    integrator_choice choice = integrator_of(model);
    carom_status status = check_tolerance(model, &choice, err);
    status = error_worse(status, check_step(model, &choice, err));
    status = error_worse(status, check_vibration(model, &choice, err));
    return error_worse(status, check_integrator(model, &choice, err));
}

/* No body may turn further in one step: rotation vectors and counted turns are unique below half a turn, also between
 * two bodies that turn against each other. */
static const double LARGEST_TURN = 1.5; /* [rad] */

static double longest_step(const carom_scratch *w, const carom_state *s)
{
    double omega2 = 0.0;
    double alpha2 = 0.0;
    for (int i = 0; i < w->model->body_count; ++i) {
        omega2 = fmax(omega2, v3_norm2(s->rate[i].omega_w));
        alpha2 = fmax(alpha2, v3_norm2(s->acceleration[i].omega_w));
    }
    double omega = sqrt(omega2);
    double rate = omega +
                  sqrt(omega2 + 2.0 * sqrt(alpha2) * LARGEST_TURN); /* omega h + alpha h^2 / 2 = LARGEST_TURN */
    return rate > 0.0 ? 2.0 * LARGEST_TURN / rate : HUGE_VAL;
}

/* Forces given by tables are smooth only between their points, so steps end there; at a jump they see its near side and
 * the next step starts from its far side. */
carom_status dynamics_span(carom_scratch *w, const carom_state *s, double dt, step_span *out, carom_error *err)
{
    double t = *s->time;
    out->point = next_table_point(w->model, t, &out->jump);
    dt = fmin(dt, out->point - t);
    /* A pole is seen before its turns make steps tiny. */
    double ahead = fmin(dt, integrator_of(w->model).settings.step);
    out->dt = fmin(dt, longest_step(w, s));
    w->latest = out->jump ? nextafter(out->point, -HUGE_VAL) : HUGE_VAL;
    carom_status status = limits_check_motion(w, t, state_motion(s), err);
    return status == CAROM_OK ? limits_check_prescribed(w, t, t + ahead, err) : status;
}

void dynamics_span_abort(carom_scratch *w)
{
    w->latest = HUGE_VAL;
}

void dynamics_span_end(carom_scratch *w, carom_state *s, const step_span *span, carom_step_report *report)
{
    double point = span->point;
    w->latest = HUGE_VAL;
    if (isfinite(point) && fabs(*s->time - point) <= 4.0 * DBL_EPSILON * fabs(point)) {
        *s->time = point; /* t + (point - t) may miss it by a rounding */
    }
    step_commit(w, s, report);
    if (span->jump && *s->time == point) { /* accelerations are others beyond: the next step starts anew from them */
        *s->initialised = STATE_ASSEMBLED;
    }
}

carom_status dynamics_step_with(const integrator_choice *with, carom_scratch *w, carom_state *s, double dt,
                                carom_step_report *report, carom_error *err)
{
    long evaluations = w->counters.evaluations;
    step_span span;
    step_open(w, s, report);
    carom_status status = dynamics_span(w, s, dt, &span, err);
    if (status == CAROM_OK) {
        status = with->type->step(w, s, span.dt, &with->settings, with->options, report, err);
    }
    if (status != CAROM_OK) {
        dynamics_span_abort(w);
        return status;
    }
    dynamics_span_end(w, s, &span, report);
    report->evaluations = (int)(w->counters.evaluations - evaluations);
    w->dense->smooth = true;
    return CAROM_OK;
}

carom_status dynamics_step(carom_scratch *w, carom_state *s, double dt, carom_step_report *report, carom_error *err)
{
    const integrator_choice choice = integrator_of(w->model);
    return dynamics_step_with(&choice, w, s, dt, report, err);
}

void integrator_load(carom_scratch *w, const carom_state *s)
{
    memcpy(w->near, s->near, (size_t)w->model->coordinate_count * sizeof *w->near);
    memcpy(w->coupler_offset, s->coupler_offset, (size_t)w->model->coupler_count * sizeof *w->coupler_offset);
    memcpy(w->input, s->input, (size_t)w->model->input_count * sizeof *w->input);
    memcpy(w->z, s->z, (size_t)w->model->integral_count * sizeof *w->z);
    for (int e = 0; e < w->model->event_count; ++e) {
        w->happened[e] = s->events[e].count;
    }
    w->out_of_memory = false;
    clocks_load(w, s);
    if (w->contact) {
        w->model->method->forces->load(w->contact, s);
    }
}

void integrator_forget_step(carom_state *s)
{
    *s->step = 0.0;
    *s->step_error = 0.0;
}

carom_status integrator_gives_up(const carom_scratch *w, double h, const char *advice, carom_error *err)
{
    carom_status status = integrator_check_values(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    return carom_fail(err, CAROM_NOT_CONVERGED, "the step shrank to %.3g s at t = %.6g s; %s", h, w->t, advice);
}

carom_status integrator_check_values(const carom_scratch *w, carom_error *err)
{
    const char *name = work_not_finite(w);
    return name ? carom_fail(err, CAROM_NOT_CONVERGED, "'%.100s' has no finite value at t = %.6g s", name, w->t)
                : CAROM_OK;
}

static bool acceleration_finite(const carom_scratch *w, int body)
{
    const model_body *b = &w->model->bodies[body];
    bool finite = v3_finite(w->acceleration[body].v_w) && v3_finite(w->acceleration[body].omega_w);
    for (int k = 0; body_deforms(b) && k < body_coordinate_count(b); ++k) {
        finite = finite && isfinite(w->q_ddot[b->first_deform + k]);
    }
    return finite;
}

carom_status integrator_check_finite(const carom_scratch *w, carom_error *err)
{
    const char *name = work_not_finite(w);
    for (int i = 0; i < w->model->body_count; ++i) {
        if (!acceleration_finite(w, i)) {
            return carom_fail(err, CAROM_NOT_CONVERGED,
                              "the acceleration of body '%.100s' at t = %.6g s is not finite%s%.100s%s",
                              w->model->bodies[i].name, w->t, name ? ": '" : "", name ? name : "",
                              name ? "' has no finite value there" : "");
        }
    }
    return integrator_check_values(w, err);
}

void integrator_commit(carom_scratch *w, carom_state *s, double t, motion at)
{
    size_t n = (size_t)w->model->body_count;
    work_all_coordinates(w);
    memcpy(s->near, w->coordinate, (size_t)w->model->coordinate_count * sizeof *s->near);
    *s->time = t;
    motion_copy(w->model, state_motion(s), at);
    for (int i = 0; i < w->model->body_count; ++i) { /* prescribed bodies are where their motion says */
        if (w->model->bodies[i].role == BODY_KINEMATIC) {
            s->pose[i] = w->pose[i];
            s->rate[i] = w->rate[i];
        }
    }
    memcpy(s->acceleration, w->acceleration, n * sizeof *s->acceleration);
    memcpy(s->q_ddot, w->q_ddot, (size_t)w->model->deform_count * sizeof *s->q_ddot);
    memcpy(s->z_dot, w->z_dot, (size_t)w->model->integral_count * sizeof *s->z_dot);
    memcpy(s->sigma, w->sigma, (size_t)w->model->row_count * sizeof *s->sigma);
    *s->power = w->power;
}

void integrator_add_sums(carom_state *s, const ledger_sums *before, const ledger_sums *after, double h)
{
    double *sum = (double *)(void *)s->sums;
    const double *p0 = (const double *)(const void *)before;
    const double *p1 = (const double *)(const void *)after;
    for (int k = 0; k < LEDGER_SUMS; ++k) {
        sum[k] += 0.5 * h * (p0[k] + p1[k]);
    }
}

speed_scale integrator_speed_scale(const carom_scratch *w, motion_rates of)
{
    speed_scale scale = { 0.0, 0.0 };
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        const body_rate *r = &of.rate[w->model->free_bodies[slot]];
        scale.linear = fmax(scale.linear, v3_norm(r->v_w));
        scale.angular = fmax(scale.angular, v3_norm(r->omega_w));
    }
    scale.linear = fmax(scale.linear, deformation_size(w->model, of.q_dot));
    double L = w->model->length_scale;
    scale.linear = fmax(scale.linear, L * scale.angular);
    scale.angular = fmax(scale.angular, scale.linear / L);
    /* From rest: what the accelerations of this scene reach within a thousandth of the run. */
    double least = 1e-3 * L / w->model->scene.time.end;
    scale.linear = fmax(scale.linear, least);
    scale.angular = fmax(scale.angular, least / L);
    return scale;
}

double integrator_pick_step(double wanted, double dt, bool adaptive)
{
    if (dt <= 1.001 * wanted) { /* a thousandth longer is harmless; a remainder of rounding size is not */
        return dt;
    }
    return adaptive && dt < 2.0 * wanted ? 0.5 * dt : wanted;
}

double integrator_step_factor(double error, double last_error, int order)
{
    const double safety = 0.9;
    const double smallest = 0.2;
    const double largest = 5.0;
    double k = 1.0 / (order + 1);
    if (!(error > 0.0)) {
        return isfinite(error) ? largest : smallest;
    }
    double factor = safety * pow(error, -0.7 * k) *
                    (last_error > 0.0 ? pow(last_error, 0.4 * k) : pow(error, -0.3 * k));
    return fmin(largest, fmax(smallest, factor));
}
