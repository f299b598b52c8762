/* States set by the names of signals: which setter stands behind a name. */
#include "dynamics/set_signal.h"

#include "base/arguments.h"
#include "math/vec3.h"

static bool can_be_set(const signal_ref *ref)
{
    switch (ref->source) {
    case SIGNAL_POSITION:
    case SIGNAL_VELOCITY:
    case SIGNAL_ANGULAR_VELOCITY:
    case SIGNAL_COORDINATE:
    case SIGNAL_COORDINATE_RATE:
    case SIGNAL_INPUT:
    case SIGNAL_INTEGRAL:
        return true;
    default:
        return false;
    }
}

carom_status set_signal_find(const carom_model *model, const char *signal, signal_ref *out, carom_error *err)
{
    carom_status status = model_find_signal(model, signal, -1, out, err);
    if (status == CAROM_OK && !can_be_set(out)) {
        status = carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.200s' cannot be set; these can: input.NAME, state.NAME, JOINT.COORDINATE and JOINT.COORDINATE.rate, "
            "BODY.position.x, BODY.velocity.x, BODY.angular_velocity.x and their y and z",
            signal);
    }
    return status;
}

static double *component(v3 *a, int k)
{
    return k == 0 ? &a->x : k == 1 ? &a->y : &a->z;
}

static carom_status set_position(const carom_model *model, carom_state *s, const signal_ref *ref, double value,
                                 carom_error *err)
{
    carom_pose pose = carom_state_pose(model, s, ref->index);
    *component(&pose.position, ref->component) = value;
    return carom_state_set_pose(model, s, ref->index, pose, err);
}

static carom_status set_rate(const carom_model *model, carom_state *s, const signal_ref *ref, double value,
                             carom_error *err)
{
    v3 v = carom_state_velocity(model, s, ref->index);
    v3 omega = carom_state_angular_velocity(model, s, ref->index);
    *component(ref->source == SIGNAL_VELOCITY ? &v : &omega, ref->component) = value;
    return carom_state_set_velocity(model, s, ref->index, v, omega, err);
}

/* As an input: what follows from it begins anew. */
static carom_status set_integral(carom_state *s, const signal_ref *ref, double value, carom_error *err)
{
    if (!isfinite(value)) {
        return carom_fail(err, CAROM_BAD_INPUT, "carom_set_signal: 'value' must be finite, not %g", value);
    }
    if (s->z[ref->index] != value) {
        s->z[ref->index] = value;
        *s->initialised = *s->initialised == STATE_STARTED ? STATE_ASSEMBLED : *s->initialised;
    }
    return CAROM_OK;
}

/* The coordinate and its rate are set together: the one that is not asked for keeps its value. */
static carom_status set_coordinate(const carom_model *model, carom_state *s, carom_scratch *w, const signal_ref *ref,
                                   double value, carom_error *err)
{
    signal_ref both[2] = { *ref, *ref };
    double now[2];
    both[0].source = SIGNAL_COORDINATE;
    both[1].source = SIGNAL_COORDINATE_RATE;
    carom_status status = observe_signals(w, s, both, 2, now, err);
    now[ref->source == SIGNAL_COORDINATE_RATE] = value;
    int coordinate = model->joints[ref->index].first_coordinate + ref->component;
    return status == CAROM_OK ? carom_state_set_coordinate(model, s, coordinate, now[0], now[1], err) : status;
}

carom_status set_signal_value(const carom_model *model, carom_state *s, carom_scratch *w, const signal_ref *ref,
                              double value, carom_error *err)
{
    switch (ref->source) {
    case SIGNAL_POSITION:
        return set_position(model, s, ref, value, err);
    case SIGNAL_VELOCITY:
    case SIGNAL_ANGULAR_VELOCITY:
        return set_rate(model, s, ref, value, err);
    case SIGNAL_INPUT:
        return carom_state_set_input(model, s, ref->index, value, err);
    case SIGNAL_INTEGRAL:
        return set_integral(s, ref, value, err);
    default:
        return set_coordinate(model, s, w, ref, value, err);
    }
}

carom_status carom_set_signal(const carom_model *model, carom_state *state, carom_scratch *scratch,
                              const char *signal, double value, carom_error *err)
{
    const char *function = "carom_set_signal";
    signal_ref ref;
    carom_status status = work_check(function, model, state, scratch, err);
    status = status == CAROM_OK ? argument_text(function, "signal", signal, err) : status;
    status = status == CAROM_OK ? set_signal_find(model, signal, &ref, err) : status;
    return status == CAROM_OK ? set_signal_value(model, state, scratch, &ref, value, err) : status;
}
