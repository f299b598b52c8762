/* Values at the present point: numbers, tables over time, expressions of t and kinematic signals. */
#include "dynamics/work.h"

/* All variables of a time-only expression are t, in the unit of the scene that wrote it. */
static void expression_of_time(expr *e, const model_value *v, double t, double end, double out[3])
{
    double unit = v->units.time;
    expr_eval_derivatives(e, t / unit, end / unit, out);
    out[0] *= v->scale;
    out[1] *= v->scale / unit;
    out[2] *= v->scale / (unit * unit);
}

void work_time_value(carom_scratch *w, int value, double t, double out[3])
{
    const model_value *v = &w->model->values[value];
    switch (v->kind) {
    case CAROM_NUMBER:
        out[0] = v->number;
        out[1] = v->rate;
        out[2] = 0.0;
        break;
    case CAROM_TABLE:
        curve_eval(&v->table, fmin(t, w->latest), out);
        break;
    case CAROM_EXPRESSION:
        expression_of_time(w->expressions[value], v, t, w->model->scene.time.end, out);
        break;
    }
}

static double probe_signal(const carom_scratch *w, const signal_ref *ref)
{
    const model_body *b = &w->model->bodies[ref->index];
    const body_frame frame = work_frame(w, ref->index);
    probe_motion now;
    b->type->probe(b->params, &frame, w->q + b->first_deform, w->q_dot + b->first_deform, ref->component / 3, &now);
    switch (ref->source) {
    case SIGNAL_PROBE_POSITION:
        return v3_get(now.p_w, ref->component % 3);
    case SIGNAL_PROBE_VELOCITY:
        return v3_get(now.v_w, ref->component % 3);
    case SIGNAL_PROBE_DISPLACEMENT:
        return v3_get(now.displacement_b, ref->component % 3);
    default:
        return now.strain;
    }
}

static double body_signal(const carom_scratch *w, const signal_ref *ref)
{
    const body_pose *p = &w->pose[ref->index];
    const body_rate *r = &w->rate[ref->index];
    v3 com_w = m3_mulv(w->R_w[ref->index], w->model->bodies[ref->index].com_b);
    double q[4] = { p->q_wb.w, p->q_wb.x, p->q_wb.y, p->q_wb.z };
    switch (ref->source) {
    case SIGNAL_POSITION:
        return v3_get(v3_sub(p->x_w, com_w), ref->component);
    case SIGNAL_ORIENTATION:
        return q[ref->component];
    case SIGNAL_VELOCITY:
        return v3_get(v3_sub(r->v_w, v3_cross(r->omega_w, com_w)), ref->component);
    case SIGNAL_DEFORMATION:
        return w->q[w->model->bodies[ref->index].first_deform + ref->component];
    case SIGNAL_DEFORMATION_RATE:
        return w->q_dot[w->model->bodies[ref->index].first_deform + ref->component];
    case SIGNAL_PROBE_POSITION:
    case SIGNAL_PROBE_VELOCITY:
    case SIGNAL_PROBE_DISPLACEMENT:
    case SIGNAL_PROBE_STRAIN:
        return probe_signal(w, ref);
    case SIGNAL_STRAIN_ENERGY:
        return w->model->bodies[ref->index].type->strain_energy(w->model->bodies[ref->index].params,
                                                                w->q + w->model->bodies[ref->index].first_deform);
    case SIGNAL_ANGULAR_VELOCITY:
        return v3_get(r->omega_w, ref->component);
    default:
        return v3_get(work_center(w, ref->index), ref->component);
    }
}

double work_signal_kinematic(const carom_scratch *w, const signal_ref *ref)
{
    switch (ref->source) {
    case SIGNAL_TIME:
        return w->t;
    case SIGNAL_COORDINATE:
        return w->coordinate[w->model->joints[ref->index].first_coordinate + ref->component];
    case SIGNAL_COORDINATE_RATE:
        return w->coordinate_rate[w->model->joints[ref->index].first_coordinate + ref->component];
    case SIGNAL_INPUT:
        return w->input[ref->index];
    case SIGNAL_EVENT:
        return w->happened[ref->index];
    case SIGNAL_INTEGRAL:
        return w->z[ref->index];
    case SIGNAL_MEASURE:
        return w->measures[ref->index * FORCE_MEASURES + ref->component];
    default:
        return body_signal(w, ref);
    }
}

double work_expression_value(carom_scratch *w, int value)
{
    const model_value *v = &w->model->values[value];
    double variables[VALUE_VARIABLES];
    for (int k = 0; k < v->variable_count; ++k) {
        const signal_ref *ref = &v->variables[k];
        variables[k] = work_signal_kinematic(w, ref) / carom_units_factor(&v->units, ref->dimension);
    }
    return v->scale * expr_eval(w->expressions[value], variables);
}

/* Rates are given only where they follow from t alone, and of expressions only for a motor's target. */
void work_force_values(carom_scratch *w, int force)
{
    const model_force *f = &w->model->forces[force];
    carom_force_frames *frames = &w->force_frames[force];
    for (int k = 0; k < f->value_count; ++k) {
        const model_value *v = &w->model->values[f->values[k]];
        double out[3] = { 0.0, 0.0, 0.0 };
        if (v->kind == CAROM_EXPRESSION && !(v->time_only && f->type->target == FORCE_ON_JOINT)) {
            out[0] = work_expression_value(w, f->values[k]);
        } else {
            work_time_value(w, f->values[k], w->t, out);
        }
        frames->values[k] = out[0];
        frames->value_rates[k] = out[1];
    }
}
