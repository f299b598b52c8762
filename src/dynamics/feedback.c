/* Derivatives by central differences: of a value by a variable of its expression, and of the force by the value. A force on a body counts
 * with its part along the row of the coordinate, so that what is added is symmetric. */
#include "dynamics/feedback.h"

#include <math.h>

/* The coordinate of a joint that variable v of a value stands for, if it acts along it; -1: none. */
static int joint_of(const carom_model *model, const model_force *force, const signal_ref *v)
{
    if (v->source != SIGNAL_COORDINATE && v->source != SIGNAL_COORDINATE_RATE) {
        return -1;
    }
    const model_joint *joint = &model->joints[v->index];
    if (force->type->target == FORCE_ON_JOINT) {
        return force->joint == v->index && force->coordinate == v->component ? v->index : -1;
    }
    bool on_body = force->type->target == FORCE_ON_BODY &&
                   (force->body[0] == joint->body[0] || force->body[0] == joint->body[1]);
    return on_body && model->bodies[force->body[0]].slot >= 0 ? v->index : -1;
}

bool feedback_along(const carom_model *model, int joint)
{
    for (int i = 0; i < model->force_count; ++i) {
        const model_force *force = &model->forces[i];
        for (int k = 0; k < force->value_count; ++k) {
            const model_value *value = &model->values[force->values[k]];
            for (int v = 0; value->kind == CAROM_EXPRESSION && v < value->variable_count; ++v) {
                if (joint_of(model, force, &value->variables[v]) == joint) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Of a value by its variable v, in SI. */
static double value_slope(const carom_scratch *w, int value, int v)
{
    const model_value *of = &w->model->values[value];
    double variables[VALUE_VARIABLES];
    for (int k = 0; k < of->variable_count; ++k) {
        const signal_ref *ref = &of->variables[k];
        variables[k] = work_signal_kinematic(w, ref) / carom_units_factor(&of->units, ref->dimension);
    }
    const double x = variables[v];
    const double step = 1e-6 * fmax(1.0, fabs(x));
    double side[2];
    for (int k = 0; k < 2; ++k) {
        variables[v] = k == 0 ? x - step : x + step;
        side[k] = expr_eval(w->expressions[value], variables);
    }
    double slope = of->scale * (side[1] - side[0]) / (2.0 * step);
    return slope / carom_units_factor(&of->units, of->variables[v].dimension);
}

/* The wrench of an effect on its body about the origin of the frame. */
static void wrench_of(const carom_scratch *w, int i, const carom_force_effect *e, double out[FRAME_COLUMNS])
{
    v3 arm = v3_sub(w->force_frames[i].a.p_w, w->pose[w->model->forces[i].body[0]].x_w);
    v3_store(out, e->force_a);
    v3_store(out + 3, v3_add(e->torque_a, v3_cross(arm, e->force_a)));
}

static void effect_with(const carom_scratch *w, int i, int k, double change, carom_force_effect *out)
{
    const model_force *force = &w->model->forces[i];
    carom_force_frames frames = w->force_frames[i];
    frames.values[k] += change;
    *out = (carom_force_effect){ 0 };
    force->type->effect(out, &frames, force->params);
}

/* Of the force along a coordinate by value k of a force. */
static double force_slope(const carom_scratch *w, int i, int k, const model_joint *joint,
                          const carom_joint_rows *rows, int coordinate)
{
    const model_force *force = &w->model->forces[i];
    const double step = 1e-6 * fmax(1.0, fabs(w->force_frames[i].values[k]));
    carom_force_effect side[2];
    effect_with(w, i, k, -step, &side[0]);
    effect_with(w, i, k, step, &side[1]);
    if (force->type->target == FORCE_ON_JOINT) {
        return (side[1].generalised - side[0].generalised) / (2.0 * step);
    }
    double on_body[2][FRAME_COLUMNS];
    wrench_of(w, i, &side[0], on_body[0]);
    wrench_of(w, i, &side[1], on_body[1]);
    const double *row = force->body[0] == joint->body[0] ? rows->a[coordinate] : rows->b[coordinate];
    double along = 0.0;
    double square = 0.0;
    for (int c = 0; c < FRAME_COLUMNS; ++c) {
        along += row[c] * (on_body[1][c] - on_body[0][c]) / (2.0 * step);
        square += row[c] * row[c];
    }
    return square > 0.0 ? along / square : 0.0;
}

static void visit_variable(const carom_scratch *w, int i, int k, int v, double stiffness, double damping,
                           element_visitor *visit, void *context)
{
    const model_force *force = &w->model->forces[i];
    const signal_ref *ref = &w->model->values[force->values[k]].variables[v];
    const int j = joint_of(w->model, force, ref);
    if (j < 0) {
        return;
    }
    const carom_joint_rows *rows = &w->coordinate_rows[j];
    double resisting = -force_slope(w, i, k, &w->model->joints[j], rows, ref->component) *
                       value_slope(w, force->values[k], v);
    if (resisting > 0.0 && isfinite(resisting)) {
        double along = resisting * (ref->source == SIGNAL_COORDINATE ? stiffness : damping);
        element_tangent_along(w, j, ref->component, along, visit, context);
    }
}

void feedback_tangents(const carom_scratch *w, double stiffness, double damping, element_visitor *visit,
                       void *context)
{
    for (int i = 0; i < w->model->force_count; ++i) {
        const model_force *force = &w->model->forces[i];
        for (int k = 0; k < force->value_count; ++k) {
            const model_value *value = &w->model->values[force->values[k]];
            for (int v = 0; value->kind == CAROM_EXPRESSION && v < value->variable_count; ++v) {
                visit_variable(w, i, k, v, stiffness, damping, visit, context);
            }
        }
    }
}
