/* How long a step may be while journals and sliders with clearance touch.
 *
 * A journal that slides along its bearing goes around a circle as small as the play, fast and with accelerations that error
 * control, which looks at whole bodies, does not see. A step follows a small arc of it only, and is taken back when the gap
 * has opened or closed within it by more than what a play may be exceeded by. */
#include "methods/impact/search_parts.h"

/* Of the arc by which the place of contact goes around within one step [rad]: a turn then costs some 1e-8 of the speed. */
static const double LONGEST_ARC = 0.15;

/* By how much a closed gap may be off within a step: of the play, and [m]. */
static const double DRIFT_OF_PLAY = 1e-4;
static const double DRIFT = 2e-10;

/* The relative acceleration of the two points that c_c names, in world axes. */
static v3 acceleration_of(const contact *s, const carom_state *state)
{
    v3 a_w[2];
    for (int k = 0; k < 2; ++k) {
        int side = (k == 0) == s->feature.swapped ? 1 : 0;
        int i = s->body[side];
        v3 r_w = q_rotate(state->pose[i].q_wb, s->feature.c_c[k]);
        v3 omega_w = state->rate[i].omega_w;
        v3 turning = v3_add(v3_cross(state->acceleration[i].omega_w, r_w), v3_cross(omega_w, v3_cross(omega_w, r_w)));
        a_w[k] = v3_add(state->acceleration[i].v_w, turning);
    }
    return v3_sub(a_w[0], a_w[1]);
}

/* The longest time for which the place of contact of a journal goes around by no more than an arc: omega h + alpha h^2/2. */
static double arc_time(const impact_work *iw, const carom_scratch *w, const carom_state *state, const contact *s)
{
    gap_value g;
    contact_bodies bodies = { { state->pose[s->body[0]], state->pose[s->body[1]] },
                              { state->rate[s->body[0]], state->rate[s->body[1]] } };
    contact_gap(s, iw->model, &bodies, w->near, &g);
    v3 a_w = acceleration_of(s, state);
    v3 across_w = v3_axpy(a_w, -v3_dot(a_w, g.normal_w), g.normal_w);
    double omega = v3_norm(g.normal_dot_w);
    double alpha = v3_norm(across_w) / s->feature.radius;
    double root = omega + sqrt(omega * omega + 2.0 * alpha * LONGEST_ARC);
    return root > 0.0 ? 2.0 * LONGEST_ARC / root : HUGE_VAL;
}

static bool is_journal(const contact *s)
{
    return s->kind == CONTACT_PLAY && s->feature.kind == GAP_POINT_IN_RING;
}

double search_play_step(const impact_work *iw, const carom_scratch *w, const carom_state *state)
{
    const contact_list *all = &iw->present.contacts;
    double longest = HUGE_VAL;
    for (size_t k = 0; k < all->count; ++k) {
        const contact *s = &all->items[k];
        longest = is_journal(s) ? fmin(longest, arc_time(iw, w, state, s)) : longest;
    }
    return longest;
}

static double allowed_drift(const impact_work *iw, const contact *s)
{
    return fmin(DRIFT, DRIFT_OF_PLAY * iw->model->joints[s->a].clearance);
}

/* The worst gap of a contact within the last step, 1 being what is allowed. */
static double drift_of(const impact_work *iw, carom_scratch *w, const contact *s)
{
    enum { SAMPLES = 4 };
    const dense_step *d = w->dense;
    double allowed = allowed_drift(iw, s);
    double worst = 0.0;
    for (int k = 1; k <= SAMPLES; ++k) {
        contact_bodies bodies;
        gap_value g;
        search_bodies_at(iw, w, s->body, k == SAMPLES ? d->end.t : d->begin.t + (d->end.t - d->begin.t) * k / SAMPLES,
                         &bodies);
        contact_gap(s, iw->model, &bodies, w->near, &g);
        worst = isnan(g.gap) ? HUGE_VAL : fmax(worst, fabs(g.gap) / allowed);
    }
    return worst;
}

double search_play_drift(const impact_work *iw, carom_scratch *w)
{
    const contact_list *all = &iw->present.contacts;
    double worst = 0.0;
    for (size_t k = 0; k < all->count; ++k) {
        if (all->items[k].kind == CONTACT_PLAY) {
            worst = fmax(worst, drift_of(iw, w, &all->items[k]));
        }
    }
    return worst;
}

/* Whether a play that is open is exceeded at some of a few moments of the last step. */
static bool is_beyond(const impact_work *iw, carom_scratch *w, const contact *s)
{
    enum { SAMPLES = 8 };
    const dense_step *d = w->dense;
    bool beyond = false;
    if (s->kind != CONTACT_PLAY || active_set_find(&iw->present, s)) {
        return false;
    }
    for (int k = 1; k <= SAMPLES && !beyond; ++k) {
        contact_bodies bodies;
        gap_value g;
        search_bodies_at(iw, w, s->body, k == SAMPLES ? d->end.t : d->begin.t + (d->end.t - d->begin.t) * k / SAMPLES,
                         &bodies);
        contact_gap(s, iw->model, &bodies, w->near, &g);
        beyond = !(g.gap >= -allowed_drift(iw, s));
    }
    return beyond;
}

bool search_play_exceeded(const impact_work *iw, carom_scratch *w)
{
    contact contacts[CONTACT_PER_JOINT];
    bool any = false;
    for (int j = 0; j < iw->model->joint_count && !any; ++j) {
        int here = iw->model->joints[j].clearance > 0.0 ? contact_of_joint(iw->model, j, contacts) : 0;
        for (int k = 0; k < here && !any; ++k) {
            any = is_beyond(iw, w, &contacts[k]);
        }
    }
    return any;
}
