/* What no motion may be: prescribed through a pole, faster than light, not a number.
 *
 * Steps look at a prescribed motion f(t) at single moments and may pass a pole between two of them. So before a step the
 * value in the middle is compared with the cubic through the values and rates at both ends: where the two differ by more than
 * a part of what the rates make in that time, the worse half is looked at in the same way. Where that leads to rates beyond
 * light there is a pole; where it ends, in a motion that is smooth but quick, or has a corner or a jump, there is none. */
#include "dynamics/limits.h"

#include "model/origin.h"

typedef struct sample {
    double t;
    double f[3]; /* value and two derivatives */
} sample;

/* One prescribed value and who it belongs to. */
typedef struct prescribed {
    carom_scratch *w;
    int value;
    double fastest; /* rate of light */
    const char *what;
    const char *name;
} prescribed;

static sample look(const prescribed *p, double t)
{
    sample s = { .t = t };
    work_time_value(p->w, p->value, t, s.f);
    return s;
}

static bool is_finite(const sample *s)
{
    return isfinite(s->f[0]) && isfinite(s->f[1]) && isfinite(s->f[2]);
}

static carom_status refuse(const prescribed *p, const sample *s, carom_error *err)
{
    if (!isfinite(s->f[0])) {
        return carom_fail(
            err, CAROM_NOT_CONVERGED,
            "the motion prescribed for %s '%.100s' has no finite value at t = %.9g s; end the run before, "
            "or prescribe another motion",
            p->what, p->name, s->t);
    }
    return carom_fail(
        err, CAROM_NOT_CONVERGED,
        "the motion prescribed for %s '%.100s' has a pole near t = %.9g s (its rate is %.3g there, beyond "
        "that of light); end the run before, or prescribe another motion",
        p->what, p->name, s->t, s->f[1]);
}

static bool beyond_light(const prescribed *p, const sample *s)
{
    return !is_finite(s) || fabs(s->f[1]) > p->fastest;
}

/* How far the value in the middle is from the cubic through both ends, in parts of what the rates make. */
static double surprise(const sample *a, const sample *m, const sample *b)
{
    double h = b->t - a->t;
    double cubic = 0.5 * (a->f[0] + b->f[0]) + 0.125 * h * (a->f[1] - b->f[1]);
    double made = h * fmax(fabs(a->f[1]), fabs(b->f[1]));
    double off = fabs(m->f[0] - cubic);
    double rounding = 1e-12 * (fabs(a->f[0]) + fabs(b->f[0]));
    return off <= rounding ? 0.0 : made > 0.0 ? off / made : HUGE_VAL;
}

static carom_status check_value(const prescribed *p, double t0, double t1, carom_error *err)
{
    enum { HALVINGS = 30 }; /* to a billionth of the step: a root has an infinite rate, but no pole, where it ends */
    const double smooth = 0.05; /* next to a pole it is an eighth at least */
    sample a = look(p, t0);
    sample b = look(p, t1);
    sample m = look(p, 0.5 * (t0 + t1));
    for (int k = 0; k < HALVINGS; ++k) {
        const sample *bad = beyond_light(p, &a) ? &a : beyond_light(p, &m) ? &m : beyond_light(p, &b) ? &b : NULL;
        if (bad) {
            return refuse(p, bad, err);
        }
        if (surprise(&a, &m, &b) <= smooth || !(a.t < m.t && m.t < b.t)) {
            return CAROM_OK;
        }
        sample left = look(p, 0.5 * (a.t + m.t));
        sample right = look(p, 0.5 * (m.t + b.t));
        bool lower = !(surprise(&m, &right, &b) > surprise(&a, &left, &m));
        b = lower ? m : b;
        a = lower ? a : m;
        m = lower ? left : right;
    }
    return CAROM_OK;
}

static double fastest_turn(const carom_scratch *w)
{
    return SPEED_OF_LIGHT / w->model->length_scale;
}

static carom_status check_body(carom_scratch *w, const model_body *body, double t0, double t1, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int k = 0; k < 4 && status == CAROM_OK; ++k) {
        int value = k < 3 ? body->motion.position[k] : body->motion.angle;
        prescribed p = { w, value, k < 3 ? SPEED_OF_LIGHT : fastest_turn(w), "body", body->name };
        status = value >= 0 ? check_value(&p, t0, t1, err) : CAROM_OK;
    }
    return status;
}

static carom_status check_joint(carom_scratch *w, const model_joint *joint, double t0, double t1, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int d = 0; d < joint->driver_count && status == CAROM_OK; ++d) {
        bool angle = joint->type->coordinates[joint->drivers[d].coordinate].angle;
        prescribed p = { w, joint->drivers[d].value, angle ? fastest_turn(w) : SPEED_OF_LIGHT, "joint", joint->name };
        status = check_value(&p, t0, t1, err);
    }
    return status;
}

carom_status limits_check_prescribed(carom_scratch *w, double t0, double t1, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int i = 0; i < w->model->body_count && status == CAROM_OK; ++i) {
        if (w->model->bodies[i].role == BODY_KINEMATIC) {
            status = check_body(w, &w->model->bodies[i], t0, t1, err);
        }
    }
    for (int j = 0; j < w->model->joint_count && status == CAROM_OK; ++j) {
        status = check_joint(w, &w->model->joints[j], t0, t1, err);
    }
    return status;
}

static carom_status no_start(const char *what, const char *name, double t, carom_error *err)
{
    return carom_fail(
        err, CAROM_IMPOSSIBLE,
        "the motion prescribed for %s '%.100s' has no finite value at the start, t = %.9g s; prescribe one "
        "that has",
        what, name, t);
}

static bool has_value(carom_scratch *w, int value, double t)
{
    const prescribed p = { .w = w, .value = value };
    return value < 0 || isfinite(look(&p, t).f[0]);
}

carom_status limits_check_start(carom_scratch *w, double t, carom_error *err)
{
    const carom_model *model = w->model;
    for (int i = 0; i < model->body_count; ++i) {
        const model_body *body = &model->bodies[i];
        bool ok = body->role != BODY_KINEMATIC || has_value(w, body->motion.angle, t);
        for (int k = 0; k < 3 && ok; ++k) {
            ok = body->role != BODY_KINEMATIC || has_value(w, body->motion.position[k], t);
        }
        if (!ok) {
            return model_blame_body(model, i, "motion", no_start("body", body->name, t, err), err);
        }
    }
    for (int j = 0; j < model->joint_count; ++j) {
        const model_joint *joint = &model->joints[j];
        for (int d = 0; d < joint->driver_count; ++d) {
            if (!has_value(w, joint->drivers[d].value, t)) {
                return model_blame_joint(model, j, "motion", no_start("joint", joint->name, t, err), err);
            }
        }
    }
    return CAROM_OK;
}

carom_status limits_check_motion(const carom_scratch *w, double t, motion at, carom_error *err)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        const model_body *body = &w->model->bodies[i];
        double speed = v3_norm(at.rate[i].v_w);
        double spin = v3_norm(at.rate[i].omega_w);
        if (!v3_finite(at.pose[i].x_w) || !isfinite(q_norm(at.pose[i].q_wb)) || !isfinite(speed) || !isfinite(spin)) {
            return carom_fail(err, CAROM_NOT_CONVERGED, "the motion of body '%.100s' at t = %.9g s is not finite",
                              body->name, t);
        }
        for (int k = 0; body_deforms(body) && k < body_coordinate_count(body); ++k) {
            int c = body->first_deform + k;
            if (!isfinite(at.q[c]) || !isfinite(at.q_dot[c])) {
                return carom_fail(err, CAROM_NOT_CONVERGED,
                                  "the deformation of body '%.100s' at t = %.9g s is not finite", body->name, t);
            }
        }
        if (speed > SPEED_OF_LIGHT || spin * body->reach > SPEED_OF_LIGHT) {
            return carom_fail(
                err, CAROM_NOT_CONVERGED,
                "body '%.100s' moves faster than light at t = %.9g s (%.3g m/s, turning at %.3g rad/s); "
                "look at forces, masses and units",
                body->name, t, speed, spin);
        }
    }
    return CAROM_OK;
}
