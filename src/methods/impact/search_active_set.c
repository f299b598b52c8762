/* Changes of the set of persistent contacts within a step: contacts that open, stick, slip or leave their features, joints
 * that stick or slip. */
#include "methods/impact/search.h"

#include "dynamics/dense.h"
#include "dynamics/events.h"

/* Margins that are looked at together: the lowest of those that were not used up when the step began. */
typedef struct set_watch {
    impact_work *iw;
    carom_scratch *w;
    double *values; /* of event functions: room for all */
    double *shift;  /* what is added to each; HUGE_VAL: it does not count */
    int count;
    bool failed;
} set_watch;

/* The event functions at t, from an evaluation of the model there. */
static void evaluate_functions(set_watch *s, double t)
{
    carom_scratch *w = s->w;
    dense_at(w->dense, t, w->trial, NULL);
    s->failed = s->failed || work_evaluate(w, t, w->trial, NULL) != CAROM_OK;
    event_functions_evaluate(s->iw, s->values);
}

static void lowest_function_at(void *context, double t, double *out)
{
    set_watch *s = context;
    evaluate_functions(s, t);
    *out = 1.0;
    for (int k = 0; !s->failed && k < s->count; ++k) {
        *out = fmin(*out, s->values[k] + s->shift[k]);
    }
}

static void poses_at(const set_watch *s, const contact *here, double t, carom_pose pose_w[2])
{
    for (int side = 0; side < 2; ++side) {
        body_pose pose;
        body_rate rate;
        dense_body_at(s->w->dense, t, here->body[side], &pose, &rate);
        pose_w[side] = (carom_pose){ pose.x_w, pose.q_wb };
    }
}

/* Uphill in the disc of a circle that touches a plane; its length is the sine of the tilt. */
static v3 uphill(const gap_feature *f, const carom_pose pose_w[2])
{
    int on = f->swapped ? 1 : 0;
    v3 axis_w = q_rotate(pose_w[on].orientation, f->d_c[0]);
    v3 n_w = q_rotate(pose_w[1 - on].orientation, f->d_c[1]);
    return v3_axpy(n_w, -v3_dot(axis_w, n_w), axis_w);
}

/* [m] A circle falls level when what was uphill at the beginning of the step is no longer: then it does not touch at its lowest
 * point any more but all around, and is struck there. */
static double level_at(const set_watch *s, const contact *here, const carom_pose now_w[2])
{
    if (here->feature.kind != GAP_CIRCLE_PLANE) {
        return HUGE_VAL;
    }
    carom_pose begin_w[2];
    poses_at(s, here, s->w->dense->begin.t, begin_w);
    v3 up = uphill(&here->feature, begin_w);
    double tilt = v3_norm(up);
    return tilt > 0.0 ? here->feature.ring * v3_dot(uphill(&here->feature, now_w), up) / tilt : HUGE_VAL;
}

/* How far the place of contact of a contact is inside its features at t; joints have no bounds. */
static double bound_at(const set_watch *s, int k, double t)
{
    const contact *here = &s->iw->present.contacts.items[k];
    if (here->kind != CONTACT_SURFACE) {
        return HUGE_VAL;
    }
    carom_pose pose_w[2];
    poses_at(s, here, t, pose_w);
    gap_pair pair = contact_colliders(s->iw->model, here->a, here->b);
    double inside = gap_bounds(&here->feature, &pair, pose_w) + 1e-12 * s->iw->model->length_scale;
    return fmin(inside, level_at(s, here, pose_w));
}

static void lowest_bound_at(void *context, double t, double *out)
{
    const set_watch *s = context;
    *out = HUGE_VAL;
    for (int k = 0; k < s->count; ++k) {
        *out = isfinite(s->shift[k]) ? fmin(*out, bound_at(s, k, t)) : *out;
    }
}

static bool watch_first(set_watch *s, event_functions function, int samples, event_kind kind, impact_event *out)
{
    event_found found;
    event_search search = { .functions = function,
                            .context = s,
                            .count = 1,
                            .t0 = s->w->dense->begin.t,
                            .t1 = s->w->dense->end.t,
                            .samples = samples,
                            .tolerance = 1e-14 * fmax(s->w->dense->end.t, 1e-3),
                            .falling_only = true };
    bool first = events_first(&search, &found) && found.t < out->t;
    if (first) {
        *out = (impact_event){ .kind = kind, .t = found.t, .slip = -1, .distance = out->distance };
    }
    return first;
}

/* True if an event function is used up at the start of the step: then the set was wrong, or what is left of a slip has
 * turned while error control cut the last step short. Once at an instant, or time would not go on. Those and no others are
 * watched then; else those that had something left, and forces that have hovered at their ends until they are clearly
 * beyond. */
static bool used_up(set_watch *s)
{
    bool any = false;
    evaluate_functions(s, s->w->dense->begin.t);
    for (int k = 0; !s->iw->repeated && !s->failed && k < s->count; ++k) {
        any = any || (isfinite(s->shift[k]) && s->values[k] < event_function_used_up(s->iw, k));
    }
    for (int k = 0; k < s->count; ++k) {
        double limit = event_function_used_up(s->iw, k);
        bool out = any ? s->values[k] >= limit : s->values[k] <= event_function_can_end(s->iw, k);
        double shift = any || s->values[k] > 0.0 ? 0.0 : -limit;
        s->shift[k] = out ? HUGE_VAL : s->shift[k] + shift;
    }
    return any;
}

/* The slip that is watched of which least is left at t, -1: none. */
static int lowest_slip(set_watch *s, double t)
{
    int lowest = -1;
    evaluate_functions(s, t);
    for (int k = 0; k < s->count; ++k) {
        bool watched = isfinite(s->shift[k]) && event_function_is_slip(s->iw, k);
        lowest = watched && (lowest < 0 || s->values[k] < s->values[lowest]) ? k : lowest;
    }
    return lowest;
}

/* Of what is watched, forces that have come to their end at t; false when there are none, but slips that have. */
static bool watch_forces(set_watch *s, double t)
{
    bool any = false;
    evaluate_functions(s, t);
    for (int k = 0; k < s->count; ++k) {
        bool ends = isfinite(s->shift[k]) && !event_function_is_slip(s->iw, k) && s->values[k] + s->shift[k] <= 1e-12;
        s->shift[k] = ends ? 0.0 : HUGE_VAL;
        any = any || ends;
    }
    return any;
}

/* At the event itself forces are exactly at their ends and every choice fits. How long after it they are beyond by so much
 * that there is no doubt: from the event function at the end of the step, then in powers of ten. */
static double time_beyond(set_watch *s, double t)
{
    double left = s->w->dense->end.t - t;
    double lowest = 0.0;
    if (!watch_forces(s, t)) {
        return 0.0;
    }
    lowest_function_at(s, s->w->dense->end.t, &lowest);
    double ahead = left * EVENT_NO_DOUBT / fmax(-lowest, EVENT_NO_DOUBT);
    for (lowest_function_at(s, t + ahead, &lowest); ahead < left && lowest > -0.5 * EVENT_NO_DOUBT;
         lowest_function_at(s, t + ahead, &lowest)) {
        ahead = fmin(left, 10.0 * ahead);
    }
    return ahead;
}

/* Which event functions end negative, forces without doubt, or were so on the way; returns their number, and how closely
 * one has to look. */
static int watch_functions(set_watch *s, int *samples)
{
    enum { SAMPLES = 12 };
    const double *lowest = s->values + s->count;
    int watched = 0;
    *samples = 1;
    event_functions_evaluate(s->iw, s->values);
    for (int k = 0; k < s->count; ++k) {
        double limit = event_function_used_up(s->iw, k);
        bool ends = s->values[k] <= (event_function_is_slip(s->iw, k) ? 0.0 : limit);
        bool counts = ends || lowest[k] < limit - 1e-9;
        s->shift[k] = counts ? 0.0 : HUGE_VAL;
        *samples = counts && !ends ? SAMPLES : *samples;
        watched += counts;
    }
    return watched;
}

void search_modes(impact_work *iw, carom_scratch *w, impact_event *out)
{
    set_watch s = {
        .iw = iw, .w = w, .values = iw->event_values, .shift = iw->shift, .count = event_function_count(iw)
    };
    int samples = 1;
    if (watch_functions(&s, &samples) == 0) {
        return;
    }
    bool at_once = used_up(&s);
    if (at_once) {
        *out = (impact_event){ .kind = EVENT_MODE, .t = w->dense->begin.t, .slip = -1, .distance = out->distance };
    }
    if (at_once || watch_first(&s, lowest_function_at, samples, EVENT_MODE, out)) {
        int slip = at_once ? -1 : lowest_slip(&s, out->t);
        out->ahead = time_beyond(&s, out->t);
        out->slip = out->ahead > 0.0 ? -1 : slip;
    }
}

void search_bounds(impact_work *iw, carom_scratch *w, impact_event *out)
{
    set_watch s = { .iw = iw, .w = w, .shift = iw->shift, .count = (int)iw->present.contacts.count };
    bool any = false;
    for (int k = 0; k < s.count; ++k) {
        bool leaves = bound_at(&s, k, w->dense->end.t) <= 0.0 && bound_at(&s, k, w->dense->begin.t) > 0.0;
        s.shift[k] = leaves ? 0.0 : HUGE_VAL;
        any = any || leaves;
    }
    if (any) {
        watch_first(&s, lowest_bound_at, 1, EVENT_BOUNDS, out);
    }
}
