/* Pairs that met within a fixed step that is too long for them: where they have parted again neither end of it shows a touch, and where
 * they have not, what follows hangs on where in the step they met.
 *
 * Where two bodies have moved, each with its farthest point, by more than a quarter of the thinner one, the motion between both ends is
 * followed by conservative advancement: as far as the gap allows, then the gap is measured again. */
#include "sim/judge.h"

#include "dynamics/dense.h"
#include "model/method.h"

static const double PART = 0.25;     /* of the thinner one */
static const double SMALLEST = 0.01; /* of the thinner one: what meets for a shorter way has grazed */

/* [m] The longest way of any point of a collider, by the rates at both ends. */
static double way_of(const contact_judge *j, const carom_scratch *w, int index, double h)
{
    int body = j->model->colliders[index].body;
    const body_rate *begin = &w->dense->begin.rate[body];
    const body_rate *end = &w->rate[body];
    double speed = fmax(v3_norm(begin->v_w), v3_norm(end->v_w));
    double spin = fmax(v3_norm(begin->omega_w), v3_norm(end->omega_w));
    double reach = j->near->reach[index];
    return h * (speed + (spin > 0.0 && isfinite(reach) ? spin * reach : 0.0));
}

/* Whether anybody has moved so far that a touch may have been missed; then travel has the ways. */
static bool find_ways(contact_judge *j, const carom_scratch *w, double h)
{
    double most = 0.0;
    double thinnest = HUGE_VAL;
    for (int k = 0; k < j->model->collider_count; ++k) {
        j->travel[k] = way_of(j, w, k, h);
        most = fmax(most, j->travel[k]);
        thinnest = fmin(thinnest, j->thickness[k]);
    }
    return 2.0 * most > PART * thinnest;
}

/* The gap of two colliders at a time of the step; false when memory runs out. */
static bool gap_at(contact_judge *j, const carom_scratch *w, const int of[2], double t, double limit, double *gap)
{
    carom_pose *pose_w = j->near->pose_w;
    for (int side = 0; side < 2; ++side) {
        const model_collider *c = &j->model->colliders[of[side]];
        body_pose body;
        body_rate rate;
        dense_body_at(w->dense, t, c->body, &body, &rate);
        pose_w[of[side]] = model_collider_pose(j->model, c, &body, w->q);
    }
    if (!model_pair_is_exact(j->model, of[0], of[1])) {
        *gap = model_pair_distance(j->model, of[0], of[1], pose_w, limit);
        return true;
    }
    const collider *c[2] = { j->model->colliders[of[0]].collider, j->model->colliders[of[1]].collider };
    const carom_pose at[2] = { pose_w[of[0]], pose_w[of[1]] };
    return exact_gap(&j->room, c, at, limit, gap);
}

typedef enum meeting { MEET_NOT, MEET_WITHIN, MEET_AT_END } meeting;

/* Whether two colliders meet in the step that are apart where it begins, or touch there by rounding: the step before may have ended just
 * where surfaces meet. False when memory runs out. */
static bool find_meeting(contact_judge *j, const carom_scratch *w, const int of[2], double least, meeting *out)
{
    enum { MOST_LOOKS = 1000 };           /* so that a motion that has blown up ends */
    const double rounding = 1e-4 * least; /* [m] */
    double begin = w->dense->begin.t;
    double h = w->t - begin;
    double way = j->travel[of[0]] + j->travel[of[1]];
    double stride = fmax(least, way / MOST_LOOKS);
    double gap = 0.0;
    double end = 0.0;
    bool ok = gap_at(j, w, of, w->t, way, &end) && gap_at(j, w, of, begin, way, &gap);
    bool apart = ok && gap > -rounding;
    for (double part = fmax(gap, stride) / way; ok && apart && end > 0.0 && gap > -rounding && part < 1.0;
         part += fmax(gap, stride) / way) {
        ok = gap_at(j, w, of, begin + part * h, way, &gap);
    }
    bool within = end > 0.0 && gap <= -rounding;
    *out = !ok || !apart ? MEET_NOT : end < -least ? MEET_AT_END : within ? MEET_WITHIN : MEET_NOT;
    return ok;
}

static bool judge_near_pair(contact_judge *j, carom_scratch *w, const int of[2])
{
    double thickness = fmin(j->thickness[of[0]], j->thickness[of[1]]);
    double way = j->travel[of[0]] + j->travel[of[1]];
    meeting found = MEET_NOT;
    if (way <= PART * thickness || thickness <= 0.0) {
        return true;
    }
    if (!find_meeting(j, w, of, SMALLEST * thickness, &found)) {
        return false;
    }
    if (found != MEET_NOT) {
        finding_note(&w->findings, found == MEET_WITHIN ? CAROM_FINDING_TOUCH_MISSED : CAROM_FINDING_TOUCH_OVERRUN,
                     finding_at_pair(j->model->colliders[of[0]].body, j->model->colliders[of[1]].body), way,
                     PART * thickness, w->t);
    }
    return true;
}

bool judge_missed(contact_judge *j, carom_scratch *w)
{
    const box_pair *pairs = NULL;
    size_t count = 0;
    if (!j->near || !j->model->method->needs_laws || !find_ways(j, w, w->t - w->dense->begin.t)) {
        return true;
    }
    near_place(j->near, w->pose, w->q, j->travel);
    if (!near_find(j->near, &pairs, &count)) {
        return false;
    }
    bool ok = true;
    for (size_t k = 0; ok && k < count; ++k) {
        ok = judge_near_pair(j, w, (const int[2]){ pairs[k].a, pairs[k].b });
    }
    return ok;
}
