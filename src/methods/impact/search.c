/* Locating events on the dense output of a step; what touches at a moment. */
#include "methods/impact/search_parts.h"

#include <stdlib.h>

#include "dynamics/project.h"

search_limits search_limits_of(const carom_scratch *w, const body_rate *rate)
{
    return (search_limits){ .gap = 1e-12 * w->model->length_scale + 4.0 * project_tolerance(w),
                            .speed = 1e-11 * impact_speed_scale(w, rate) };
}

/* ---- the first change ----------------------------------------------------------------------------------------------- */

static bool search_joints(impact_work *iw, carom_scratch *w, search_limits limits, impact_event *out)
{
    contact contacts[CONTACT_PER_JOINT];
    for (int j = 0; j < iw->model->joint_count; ++j) {
        int here = contact_of_joint(iw->model, j, contacts);
        for (int k = 0; k < here; ++k) {
            if (!search_advance_joint(iw, w, limits, &contacts[k], out)) {
                return false;
            }
        }
    }
    return true;
}

/* Joints come first, as they cost little: surfaces are followed no farther than to the first touch that is known. */
static bool search_gaps(impact_work *iw, carom_scratch *w, impact_event *out)
{
    const box_pair *pairs = NULL;
    size_t count = 0;
    search_limits limits = search_limits_of(w, w->dense->end.rate);
    bool touched = iw->present.contacts.count > 0; /* else somebody may want to know how near they come */
    search_find_bounds(iw, w);
    search_find_margins(iw, w->dense, touched ? 0.0 : SEARCH_NEAR * iw->model->length_scale);
    near_place(iw->near, w->dense->begin.pose, NULL, iw->margin);
    if (!search_joints(iw, w, limits, out) || !near_find(iw->near, &pairs, &count)) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        if (!search_advance_pair(iw, w, limits, pairs[k].a, pairs[k].b, out)) {
            return false;
        }
    }
    touched = touched || out->kind == EVENT_TOUCH;
    out->distance = 0.0;
    return touched || search_distance(iw, w, pairs, count, &out->distance);
}

carom_status search_first(impact_work *iw, carom_scratch *w, impact_event *out, carom_error *err)
{
    *out = (impact_event){ .t = w->dense->end.t, .distance = HUGE_VAL };
    iw->watching = false;
    if (event_function_count(iw) > 0) {
        search_modes(iw, w, out);
        search_bounds(iw, w, out);
    }
    return search_gaps(iw, w, out) ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}

/* ---- what touches -------------------------------------------------------------------------------------------------- */

/* What comes nearer touches as soon as bounds of features cannot tell: things that meet at several places at once, but for
 * rounding that an earlier impact has magnified, must not be struck one by one. */
static bool keep_near(impact_work *iw, const carom_scratch *w, const contact *s, const body_pose *pose,
                      const body_rate *rate, double margin, double rounding)
{
    gap_value g;
    contact_bodies bodies = { { pose[s->body[0]], pose[s->body[1]] }, { rate[s->body[0]], rate[s->body[1]] } };
    contact_gap(s, iw->model, &bodies, w->near, &g);
    moment now = { .iw = iw, .pose = pose, .rate = rate, .near = w->near };
    bool comes = g.rate < -search_limits_of(w, rate).speed;
    bool touches = (g.gap <= margin || (comes && g.gap <= rounding)) &&
                   (active_set_find(&iw->present, s) || !search_is_kept_off(&now, s, &bodies, &g));
    return !touches || contact_list_push(&iw->found, s);
}

static bool touching_contacts_of_pair(impact_work *iw, const carom_scratch *w, box_pair pair, const body_pose *pose,
                                      const body_rate *rate, double margin)
{
    const model_collider *c = iw->model->colliders;
    gap_pair both = contact_colliders(iw->model, pair.a, pair.b);
    carom_pose pose_w[2] = { { pose[c[pair.a].body].x_w, pose[c[pair.a].body].q_wb },
                             { pose[c[pair.b].body].x_w, pose[c[pair.b].body].q_wb } };
    double rounding = gap_rounding(&both);
    iw->gaps.count = 0;
    if (!gap_find(&iw->gaps, &both, pose_w, fmax(margin, rounding))) {
        return false;
    }
    for (size_t k = 0; k < iw->gaps.count; ++k) {
        contact s = contact_of_surface(iw->model, pair.a, pair.b, &iw->gaps.items[k]);
        if (s.feature.mode != CAROM_MODE_NONE && !keep_near(iw, w, &s, pose, rate, margin, rounding)) {
            return false;
        }
    }
    return true;
}

static int compare_contacts(const void *x, const void *y)
{
    return contact_compare(x, y);
}

bool search_touching(impact_work *iw, const carom_scratch *w, const body_pose *pose, const body_rate *rate,
                     double margin)
{
    const box_pair *pairs = NULL;
    size_t count = 0;
    iw->found.count = 0;
    for (int i = 0; i < iw->model->collider_count; ++i) {
        iw->margin[i] = margin + 1e-8 * iw->model->length_scale; /* features have looser bounds than boxes */
    }
    near_place(iw->near, pose, NULL, iw->margin);
    if (!near_find(iw->near, &pairs, &count)) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        if (!touching_contacts_of_pair(iw, w, pairs[k], pose, rate, margin)) {
            return false;
        }
    }
    contact contacts[CONTACT_PER_JOINT];
    for (int j = 0; j < iw->model->joint_count; ++j) {
        int here = contact_of_joint(iw->model, j, contacts);
        for (int k = 0; k < here; ++k) {
            if (!keep_near(iw, w, &contacts[k], pose, rate, margin, 0.0)) {
                return false;
            }
        }
    }
    if (iw->found.count > 1) {
        qsort(iw->found.items, iw->found.count, sizeof *iw->found.items, compare_contacts);
    }
    return true;
}
