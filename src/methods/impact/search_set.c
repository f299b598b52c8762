/* Changes of the set of lasting contacts within a step: contacts that open, stick, slip or leave their features, joints that
 * stick or slip. */
#include "methods/impact/search.h"

#include "base/array.h"
#include "dynamics/dense.h"
#include "dynamics/events.h"

typedef struct set_watch {
    impact_work *iw;
    carom_scratch *w;
    int index[EVENT_FUNCTIONS_ON_STACK]; /* of the margins that end negative */
    int count;
    double *all; /* room for all margins */
    bool failed;
} set_watch;

/* The margins of the watched ones at t, from an evaluation of the model there. */
static void margins_at(void *context, double t, double *out)
{
    set_watch *s = context;
    carom_scratch *w = s->w;
    dense_at(w->dense, t, w->trial, w->trial_rate, NULL);
    s->failed = s->failed || work_evaluate(w, t, w->trial, w->trial_rate, NULL) != CAROM_OK;
    lasting_margins(s->iw, s->all);
    for (int k = 0; k < s->count; ++k) {
        out[k] = s->failed ? 1.0 : s->all[s->index[k]];
    }
}

static void bounds_at(void *context, double t, double *out)
{
    set_watch *s = context;
    for (int k = 0; k < s->count; ++k) {
        const site *here = &s->iw->present.sites.items[s->index[k]];
        carom_pose pose_w[2];
        for (int side = 0; side < 2; ++side) {
            body_pose pose;
            body_rate rate;
            dense_body_at(s->w->dense, t, here->body[side], &pose, &rate);
            pose_w[side] = (carom_pose){ pose.x_w, pose.q_wb };
        }
        gap_pair pair = site_pair(s->iw->model, here->a, here->b);
        out[k] = gap_bounds(&here->feature, &pair, pose_w) + 1e-12 * s->iw->model->length_scale;
    }
}

static bool watch_first(set_watch *s, event_functions functions, int samples, change_kind kind, change *out)
{
    event_found found;
    double begin = s->w->dense->begin.t;
    event_search search = { .functions = functions,
                            .context = s,
                            .count = s->count,
                            .t0 = begin,
                            .t1 = s->w->dense->end.t,
                            .samples = samples,
                            .tolerance = 1e-14 * fmax(s->w->dense->end.t, 1e-3),
                            .falling_only = true };
    bool first = s->count > 0 && events_first(&search, &found) && found.t < out->t;
    if (first) {
        *out = (change){ .kind = kind, .t = found.t, .distance = out->distance };
    }
    return first;
}

/* Whether a margin was used up from the very beginning: then the set was wrong, or what is left of a slip has turned while
 * error control cut the last step short. Once at an instant, or time would not go on. */
static bool used_up(set_watch *s)
{
    double begin[EVENT_FUNCTIONS_ON_STACK];
    bool any = false;
    if (!s->iw->repeated) {
        margins_at(s, s->w->dense->begin.t, begin);
        for (int k = 0; k < s->count; ++k) {
            any = any || begin[k] < lasting_used_up(s->iw, s->index[k]);
        }
    }
    return any;
}

/* Against the friction of the present evaluation. */
static yielding yielding_site(const impact_work *iw, int k)
{
    v3 friction = reduction_across(&iw->reduced, k, iw->answer.force);
    yielding y = { .joint = -1, .site = iw->present.sites.items[k] };
    y.direction_w = v3_norm(friction) > 0.0 ? v3_scale(-1.0 / v3_norm(friction), friction) : v3_zero();
    return y;
}

static yielding yielding_joint(const impact_work *iw, int k)
{
    const reduction *r = &iw->reduced;
    const friction_element *e = &r->elements[reduction_joint_element(r, k)];
    yielding y = { .joint = k };
    double norm = 0.0;
    for (int i = 0; i < e->dim; ++i) {
        norm = hypot(norm, iw->answer.force[e->first_row + i]);
    }
    for (int i = 0; i < e->dim && norm > 0.0; ++i) {
        y.direction[i] = -iw->answer.force[e->first_row + i] / norm;
    }
    return y;
}

static bool push_yielding(impact_work *iw, yielding y)
{
    yielding *items = carom_array_grow(iw->yields, &iw->yield_capacity, iw->yield_count + 1, sizeof *items);
    if (items) {
        iw->yields = items;
        iw->yields[iw->yield_count++] = y;
    }
    return items != NULL;
}

/* A margin that has come to its end: a contact leaves, what has held yields; what slips less and less is left to the choice
 * of states. */
static bool note(impact_work *iw, int margin)
{
    int sites = (int)iw->present.sites.count;
    if (margin < sites) {
        return site_list_push(&iw->leaving, &iw->present.sites.items[margin]);
    }
    if (margin < 2 * sites) {
        bool held = iw->present.modes[margin - sites].mode == FRICTION_STICK;
        return !held || push_yielding(iw, yielding_site(iw, margin - sites));
    }
    bool held = iw->present.joints[margin - 2 * sites].mode == FRICTION_STICK;
    return !held || push_yielding(iw, yielding_joint(iw, margin - 2 * sites));
}

/* Notes what comes to its end at t. False when memory runs out. */
static bool note_ends(set_watch *s, double t)
{
    double now[EVENT_FUNCTIONS_ON_STACK];
    bool ok = true;
    margins_at(s, t, now);
    for (int k = 0; k < s->count && ok && s->iw->solved; ++k) {
        ok = now[k] > 1e-12 || note(s->iw, s->index[k]);
    }
    return ok;
}

/* Margins that end negative, or were so on the way, are looked at more closely. */
bool search_modes(impact_work *iw, carom_scratch *w, change *out)
{
    enum { SAMPLES = 12 };
    set_watch s = { .iw = iw, .w = w, .all = iw->margins };
    int n = lasting_margin_count(iw);
    const double *lowest = iw->margins + n;
    int samples = 1;
    lasting_margins(iw, iw->margins);
    for (int k = 0; k < n && s.count < EVENT_FUNCTIONS_ON_STACK; ++k) {
        if (iw->margins[k] <= 0.0 || lowest[k] < lasting_used_up(iw, k) - 1e-9) {
            s.index[s.count++] = k;
            samples = iw->margins[k] <= 0.0 ? samples : SAMPLES;
        }
    }
    if (s.count == 0) {
        return true;
    }
    bool at_once = used_up(&s);
    if (at_once) {
        *out = (change){ .kind = CHANGE_MODE, .t = w->dense->begin.t, .distance = out->distance };
    }
    bool found = at_once || watch_first(&s, margins_at, samples, CHANGE_MODE, out);
    return !found || note_ends(&s, out->t);
}

void search_bounds(impact_work *iw, carom_scratch *w, change *out)
{
    set_watch s = { .iw = iw, .w = w };
    for (size_t k = 0; k < iw->present.sites.count && s.count < EVENT_FUNCTIONS_ON_STACK; ++k) {
        if (iw->present.sites.items[k].kind != SITE_SURFACE) {
            continue;
        }
        set_watch one = { .iw = iw, .w = w, .index = { (int)k }, .count = 1 };
        double at_end = 0.0;
        bounds_at(&one, w->dense->end.t, &at_end);
        if (at_end <= 0.0) {
            s.index[s.count++] = (int)k;
        }
    }
    watch_first(&s, bounds_at, 1, CHANGE_BOUNDS, out);
}
