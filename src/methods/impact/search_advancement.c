/* Following gaps over the last step so that no touch is passed.
 *
 * Two rules say how long nothing closes, each safe on its own, so the longer time counts. A plane fixed to one body keeps
 * both apart (gap_apart_for), all features at once whichever becomes the nearest: it needs no list, and mostly lasts for the
 * whole step. Where hulls meet, or persistent contacts leave no room for a plane, every listed feature is followed by
 * g(t + h) >= g + g' h - A h^2/2 while its place of contact stays within its bounds. A journal in its bearing is followed
 * along its chord. */
#include "methods/impact/search_parts.h"

#include <float.h>

#include "dynamics/events.h"

enum {
    MOST_HELD = 16
}; /* persistent contacts of one pair that are left to their forces: more are rare, and then followed */

/* A plane between two bodies, fixed to one of them. */
typedef struct divide {
    bool known;
    int on; /* 0: A, 1: B */
    v3 n_c; /* its normal in the frame of that body, towards the other */
} divide;

/* Two colliders, or one contact of a joint. */
typedef struct advancement {
    impact_work *iw;
    carom_scratch *w;
    int a, b; /* colliders; -1: the contact of a joint */
    contact joint_contact;
    int body[2];
    gap_pair pair;
    double lever[2];       /* [m] of what may touch in a joint */
    span span;             /* what is looked at: the step, or a part of it */
    gap_approach approach; /* within that */
    search_limits limits;
    double least_step; /* [s] */
    double rounding;   /* [m] of bounds */
    bool bounded;      /* features have ends, beyond which others take over */
    const gap_feature *held[MOST_HELD];
    size_t held_count;
} advancement;

/* ---- a plane between them -------------------------------------------------------------------------------------------- */

/* How long the plane keeps both apart by more than the clearance, at most `until`. */
static double divided_for(const advancement *p, const divide *d, const contact_bodies *bodies, double clearance,
                          double until)
{
    if (!d->known) {
        return 0.0;
    }
    gap_motion moving[2] = { contact_motion(&bodies->pose[0], &bodies->rate[0]),
                             contact_motion(&bodies->pose[1], &bodies->rate[1]) };
    v3 n_w = q_rotate(bodies->pose[d->on].q_wb, d->n_c);
    gap_plane plane = {
        .on = d->on, .normal_w = n_w, .clearance = clearance, .held = p->held, .held_count = p->held_count
    };
    double acceleration = search_approach_onto(p->iw, &p->span, &p->approach, p->body, d->on, n_w);
    return gap_apart_for(&p->pair, moving, &plane, acceleration, until);
}

/* n_w: from B to A. */
static divide divide_along(int on, v3 n_w, const contact_bodies *bodies)
{
    v3 n = on == 1 ? n_w : v3_neg(n_w);
    return (divide){ .known = true, .on = on, .n_c = q_unrotate(bodies->pose[on].q_wb, n) };
}

static double half_width(const obb *b, v3 n)
{
    v3 along = m3_tmulv(b->axes, n);
    return fabs(along.x) * b->half.x + fabs(along.y) * b->half.y + fabs(along.z) * b->half.z;
}

/* Along an axis of either box or the line between their middles, whichever leaves most room. */
static v3 axis_between(const obb *a, const obb *b)
{
    v3 apart = v3_sub(a->center, b->center);
    v3 best = v3_unit(apart);
    double room = -HUGE_VAL;
    for (int k = 0; k < 7; ++k) {
        v3 n = k == 6 ? v3_unit(apart) : m3_column(k < 3 ? a->axes : b->axes, k % 3);
        n = v3_dot(n, apart) < 0.0 ? v3_neg(n) : n;
        double here = v3_dot(n, apart) - half_width(a, n) - half_width(b, n);
        best = here > room ? n : best;
        room = fmax(room, here);
    }
    return best;
}

/* A first guess: a half-space is a plane by itself, what lies on a face is on its plane, and boxes around both are known at
 * the beginning of the step. */
static divide first_divide(const advancement *p, const contact_bodies *bodies)
{
    const obb *a = &p->iw->near->box_w[p->a];
    const obb *b = &p->iw->near->box_w[p->b];
    for (size_t k = 0; k < p->held_count; ++k) {
        const gap_feature *f = p->held[k];
        if (f->kind == GAP_POINT_PLANE || f->kind == GAP_CIRCLE_PLANE || f->kind == GAP_OVAL_PLANE) {
            return (divide){ .known = true, .on = f->swapped ? 0 : 1, .n_c = f->d_c[1] };
        }
    }
    if (a->half_space || b->half_space) {
        int on = b->half_space ? 1 : 0;
        v3 n = m3_column(on == 1 ? b->axes : a->axes, 2);
        return divide_along(on, on == 1 ? n : v3_neg(n), bodies);
    }
    bool balls = collider_has_balls(p->pair.a) && collider_has_balls(p->pair.b);
    v3 apart = v3_sub(a->center, b->center);
    return divide_along(1, balls ? v3_unit(apart) : axis_between(a, b), bodies);
}

/* ---- features --------------------------------------------------------------------------------------------------------- */

/* How long the place of contact surely stays within the bounds of its feature: a corner over a face moves no faster than
 * the bodies; where edges cross it does. */
static double stays_for(const advancement *p, const contact *s, const contact_bodies *bodies)
{
    carom_pose pose_w[2] = { { bodies->pose[0].x_w, bodies->pose[0].q_wb },
                             { bodies->pose[1].x_w, bodies->pose[1].q_wb } };
    double inside = gap_bounds(&s->feature, &p->pair, pose_w);
    bool follows = s->feature.kind == GAP_POINT_PLANE || !isfinite(inside);
    return follows ? fmax(inside, 0.0) / fmax(p->approach.speed, 1e-300) : 0.0;
}

/* [m/s^2] what rolling ellipsoids add: their lowest point is not the same one a little later. */
static double bend_of(const advancement *p, const contact *s)
{
    double curvature[2];
    double sum = 0.0;
    gap_curvature(&s->feature, curvature);
    for (int k = 0; k < 2 && gap_is_oval(s->feature.kind); ++k) {
        double spin = p->span.bounds[p->body[0]].spin + p->span.bounds[p->body[1]].spin;
        sum += curvature[k] * spin * spin;
    }
    return sum;
}

/* [m/s^2] the A of what follows: over a face it is that of heights over its plane. */
static double acceleration_of(const advancement *p, const contact *s, const gap_value *g)
{
    bool face = s->kind == CONTACT_SURFACE &&
                (s->feature.kind == GAP_POINT_PLANE || s->feature.kind == GAP_CIRCLE_PLANE);
    int on = s->feature.swapped ? 0 : 1;
    v3 n_w = on == 1 ? g->normal_w : v3_neg(g->normal_w);
    return face ? search_approach_onto(p->iw, &p->span, &p->approach, p->body, on, n_w)
                : p->approach.acceleration + bend_of(p, s);
}

/* The time for which a feature surely stays open while it is what is nearest: g + g' h - A h^2/2 = 0, but for what is
 * rounding. */
static double own_open_for(const advancement *p, const contact *s, const gap_value *g)
{
    return open_time(fmax(g->gap, 0.0) + p->limits.gap, g->rate, acceleration_of(p, s, g));
}

/* No surface is faster than the bodies: where an ellipsoid is very flat that says more than how its gap may bend. */
static double surely_open_for(const advancement *p, const contact *s, const gap_value *g)
{
    double open = own_open_for(p, s, g);
    double at_top_speed = (fmax(g->gap, 0.0) + p->limits.gap) / fmax(p->approach.speed, 1e-300);
    return gap_is_oval(s->feature.kind) ? fmax(open, at_top_speed) : open;
}

/* ---- a journal in its bearing -------------------------------------------------------------------------------------------- */

/* Where the middle of a journal is in its bearing and how fast it moves there, across the bearing's axis. */
typedef struct flight {
    v3 d_w; /* [m] */
    v3 v_w; /* [m/s] */
} flight;

static flight flight_of(const contact *s, const contact_bodies *bodies)
{
    int on = s->feature.swapped ? 0 : 1; /* the bearing */
    v3 x_w[2], v_w[2];
    for (int k = 0; k < 2; ++k) {
        int side = k == 0 ? !on : on;
        const body_pose *pose = &bodies->pose[side];
        const body_rate *rate = &bodies->rate[side];
        v3 r_w = q_rotate(pose->q_wb, s->feature.c_c[k]);
        x_w[k] = v3_add(pose->x_w, r_w);
        v_w[k] = point_velocity(rate, r_w);
    }
    v3 axis_w = q_rotate(bodies->pose[on].q_wb, s->feature.d_c[1]);
    v3 d_w = v3_sub(x_w[0], x_w[1]);
    v3 u_w = v3_sub(v_w[0], v_w[1]);
    return (flight){ v3_axpy(d_w, -v3_dot(d_w, axis_w), axis_w), v3_axpy(u_w, -v3_dot(u_w, axis_w), axis_w) };
}

/* The time for which a journal surely does not reach the wall. */
static double flight_open_for(const advancement *p, const contact *s, const contact_bodies *bodies)
{
    flight f = flight_of(s, bodies);
    return open_time_in_ring(f.d_w, f.v_w, p->approach.acceleration, s->feature.radius + p->limits.gap);
}

/* Where it may hand over to a neighbour, which need not have the same rate, not much more than surfaces need at top speed,
 * or than they need for what rounding is. */
static double open_for(const advancement *p, const contact *s, const contact_bodies *bodies, const gap_value *g,
                       double own)
{
    static const double GENEROUS = 16.0;
    double generous = GENEROUS * fmax(g->gap, p->rounding) / fmax(p->approach.speed, 1e-300);
    if (!p->bounded || g->rate >= 0.0 || own <= generous) {
        return own;
    }
    return fmin(own, fmax(generous, stays_for(p, s, bodies)));
}

typedef struct glance {
    double open;     /* [s] for which nothing closes */
    double own;      /* [s] for which nothing that is listed closes */
    double distance; /* [m] of what is nearest */
    v3 normal_w;     /* at what is nearest, from B to A */
    bool closed;     /* some contact has closed: */
    contact contact;
} glance;

/* What is kept off stays so while it moves less than bounds are loose by. */
static double kept_off_for(const advancement *p)
{
    return p->rounding / fmax(p->approach.speed, 1e-300);
}

static void look_at(const advancement *p, const contact *s, const contact_bodies *bodies, double t, glance *out)
{
    gap_value g;
    if (p->iw->present.contacts.count > 0 && active_set_find(&p->iw->present, s)) {
        return; /* it is closed and stays so until its force says otherwise */
    }
    contact_gap(s, p->iw->model, bodies, p->w->near, &g);
    out->normal_w = g.gap < out->distance ? g.normal_w : out->normal_w;
    out->distance = fmin(out->distance, g.gap);
    bool touchable = s->feature.mode != CAROM_MODE_NONE; /* else only a bound of the distance of sharp corners */
    bool touches = g.gap <= 0.0 && g.rate < -20.0 * p->limits.speed; /* twice what is treated as approach */
    bool inside = g.gap < -1e4 * p->limits.gap && g.rate <= 0.0 && !p->iw->repeated; /* creeps in; treated once */
    if (touchable && (touches || inside)) {
        moment now = { .iw = p->iw, .w = p->w, .t = t, .near = p->w->near };
        out->closed = !search_is_kept_off(&now, s, bodies, &g);
        out->contact = *s;
        out->open = out->closed ? out->open : fmin(out->open, kept_off_for(p));
        out->own = fmin(out->own, out->open);
        return;
    }
    bool journal = s->feature.kind == GAP_POINT_IN_RING;
    double own = journal ? flight_open_for(p, s, bodies) : surely_open_for(p, s, &g);
    out->own = fmin(out->own, own);
    out->open = fmin(out->open, open_for(p, s, bodies, &g, own));
}

/* What can close between t and `until`. False when memory runs out. */
static bool look(const advancement *p, const contact_bodies *bodies, double t, double until, glance *out)
{
    impact_work *iw = p->iw;
    *out = (glance){ .open = HUGE_VAL, .own = HUGE_VAL, .distance = HUGE_VAL };
    if (p->a < 0) {
        look_at(p, &p->joint_contact, bodies, t, out);
        return true;
    }
    carom_pose pose_w[2] = { { bodies->pose[0].x_w, bodies->pose[0].q_wb },
                             { bodies->pose[1].x_w, bodies->pose[1].q_wb } };
    double margin = p->approach.speed * (until - t) + 8.0 * p->limits.gap;
    iw->gaps.count = 0;
    if (!gap_find(&iw->gaps, &p->pair, pose_w, margin)) {
        return false;
    }
    for (size_t k = 0; k < iw->gaps.count && !out->closed; ++k) {
        contact s = contact_of_surface(iw->model, p->a, p->b, &iw->gaps.items[k]);
        look_at(p, &s, bodies, t, out);
    }
    return true;
}

/* ---- the moment of touch ----------------------------------------------------------------------------------------------- */

typedef struct one_gap {
    const advancement *advancement;
    const contact *contact;
} one_gap;

/* Positive while it is open: apart, or the place of contact outside its features, which may come into their bounds only
 * when they have passed each other by as little as bounds are loose. */
static void open_at(void *context, double t, double *g)
{
    const one_gap *one = context;
    const advancement *p = one->advancement;
    const contact *s = one->contact;
    contact_bodies bodies;
    gap_value value;
    search_bodies_at(p->iw, p->w, s->body, t, &bodies);
    contact_gap(s, p->iw->model, &bodies, p->w->near, &value);
    *g = value.gap;
    if (s->kind == CONTACT_SURFACE) {
        carom_pose pose_w[2] = { { bodies.pose[0].x_w, bodies.pose[0].q_wb },
                                 { bodies.pose[1].x_w, bodies.pose[1].q_wb } };
        *g = fmax(*g, -gap_bounds(&s->feature, &p->pair, pose_w));
    }
}

/* The moment at which a contact that was open at `open` and is closed at `closed` closes. */
static double narrow(const advancement *p, const contact *s, double open, double closed)
{
    one_gap context = { p, s };
    double at_open = 0.0;
    event_found found;
    open_at(&context, open, &at_open);
    event_search search = { .functions = open_at,
                            .context = &context,
                            .count = 1,
                            .t0 = open,
                            .t1 = closed,
                            .samples = 1,
                            .falling_only = true };
    if (!(at_open > 0.0) || !(closed > open) || !events_first(&search, &found)) {
        return closed;
    }
    return found.t;
}

/* ---- advancement ----------------------------------------------------------------------------------------------------------- */

static void keep_touch(const advancement *p, const glance *now, double open, double t, impact_event *out)
{
    double at = narrow(p, &now->contact, open, t);
    if (at <= out->t) {
        *out = (impact_event){ .kind = EVENT_TOUCH, .t = at, .contact = now->contact };
    }
}

/* What a plane at the nearest feature adds to a look at all: fixed to the one or the other body, as an edge that lies in it
 * is to be followed where it turns. Bounds are loose, so a plane that leaves less room than that counts only while nothing
 * that is listed closes. */
static void divide_at_nearest(const advancement *p, const contact_bodies *bodies, double rest, divide *d, glance *out)
{
    double longest = -1.0;
    for (int on = 0; on < 2; ++on) {
        divide here = divide_along(on, out->normal_w, bodies);
        double clear = divided_for(p, &here, bodies, 2.0 * p->rounding, rest);
        double barely = clear > 0.0 ? 0.0 : fmin(out->own, divided_for(p, &here, bodies, 0.0, rest));
        double open = fmax(clear, barely);
        *d = open > longest ? here : *d;
        longest = fmax(longest, open);
    }
    out->open = fmax(out->open, longest);
}

/* Looks at all features unless the plane known so far does well without. False when memory runs out. */
static bool glance_at(const advancement *p, double t, double until, divide *d, glance *out)
{
    static const double WELL = 0.125; /* of the time that is left */
    contact_bodies bodies;
    double rest = until - t + p->least_step;
    search_bodies_at(p->iw, p->w, p->body, t, &bodies);
    *d = d->known || p->a < 0 ? *d : first_divide(p, &bodies);
    double divided = divided_for(p, d, &bodies, 2.0 * p->rounding, rest);
    if (divided >= WELL * rest) {
        *out = (glance){ .open = divided < rest ? divided : HUGE_VAL, .distance = HUGE_VAL };
        return true;
    }
    bool ok = look(p, &bodies, t, until, out);
    if (ok && p->a >= 0 && !out->closed && out->open < rest) {
        divide_at_nearest(p, &bodies, rest, d, out);
    }
    return ok;
}

enum { PATIENCE = 64 }; /* looks, before they get farther apart */

/* Looks that are a hundredth of the step apart may miss a touch: told once, when they get so. */
static void note_cut_short(const advancement *p, int k, double t, double least)
{
    double coarse = 0.01 * (p->w->dense->end.t - p->w->dense->begin.t);
    if (k % PATIENCE == PATIENCE - 1 && least > coarse && 0.5 * least <= coarse) {
        finding_place place = p->a >= 0 ? finding_at_pair(p->body[0], p->body[1])
                                        : finding_at_joint(p->joint_contact.a);
        finding_note(&p->w->findings, CAROM_FINDING_SEARCH_CUT_SHORT, place, k + 1, (double)NAN, t);
    }
}

static gap_approach approach_within(const advancement *p)
{
    return p->a >= 0 ? search_approach_of_colliders(p->iw, &p->span, p->a, p->b)
                     : search_approach_of(p->iw, &p->span, p->body, p->lever);
}

/* Looks from t no farther than `until`, a part of the step: bounds of all of it say little there where it ends in
 * accelerations of which there are none as yet. */
static void narrow_down(advancement *p, double t, double until)
{
    if (until > t) {
        p->span = search_piece(p->iw, p->w, p->body, t, until);
        p->approach = approach_within(p);
    }
}

/* Follows the gaps of one pair through the step and keeps the first touch before out->t: first over all of it, where that
 * does not do over parts, each a few times as long as what the last look was good for. False when memory runs out. */
static bool advance_along(advancement *p, impact_event *out)
{
    static const double LONGER = 4.0;
    double t = p->w->dense->begin.t;
    double until = out->t;
    double open = t;
    double least = p->least_step;
    divide d = { .known = false };
    for (int k = 0;; ++k) {
        glance now;
        if (carom_stop_asked(&p->w->stop)) {
            return true; /* the step is thrown away */
        }
        if (!glance_at(p, t, until, &d, &now)) {
            return false;
        }
        if (now.closed) {
            keep_touch(p, &now, open, t, out);
            return true;
        }
        if (t >= out->t || (until == out->t && now.open >= until - t + least)) {
            return true;
        }
        least = k % PATIENCE == PATIENCE - 1 ? 2.0 * least
                                             : least; /* long grazing motion: double the minimum time step */
        note_cut_short(p, k, t, least);
        open = t;
        t = fmin(t + fmax(now.open, least), until);
        until = fmin(t + LONGER * (t - open), out->t);
        narrow_down(p, t, until);
    }
}

static advancement advancement_make(impact_work *iw, carom_scratch *w, search_limits limits, const int body[2])
{
    double h = w->dense->end.t - w->dense->begin.t;
    return (advancement){ .iw = iw,
                          .w = w,
                          .a = -1,
                          .b = -1,
                          .body = { body[0], body[1] },
                          .span = search_whole(iw, w),
                          .limits = limits,
                          .least_step = fmax(1e-7 * h, 8.0 * DBL_EPSILON * fabs(w->dense->end.t)) };
}

/* The persistent contacts of the pair. */
static void take_held(advancement *p)
{
    const contact_list *all = &p->iw->present.contacts;
    for (size_t k = 0; k < all->count && p->held_count < MOST_HELD; ++k) {
        const contact *s = &all->items[k];
        if (s->kind == CONTACT_SURFACE && s->a == p->a && s->b == p->b) {
            p->held[p->held_count++] = &s->feature;
        }
    }
}

bool search_advance_pair(impact_work *iw, carom_scratch *w, search_limits limits, int a, int b, impact_event *out)
{
    moment begin = { .iw = iw, .w = w, .t = w->dense->begin.t, .near = w->near };
    if (search_is_face_to_face(&begin, a, b)) {
        return true;
    }
    int body[2] = { iw->model->colliders[a].body, iw->model->colliders[b].body };
    advancement p = advancement_make(iw, w, limits, body);
    p.a = a;
    p.b = b;
    p.pair = contact_colliders(iw->model, a, b);
    p.rounding = gap_rounding(&p.pair);
    p.approach = approach_within(&p);
    p.bounded = isfinite(iw->near->reach[a]) && isfinite(iw->near->reach[b]);
    take_held(&p);
    return advance_along(&p, out);
}

/* [m] how far along its guide a slider is at most within the step. */
static double slider_travel(const impact_work *iw, const dense_step *d, const model_joint *joint)
{
    const dense_end *ends[2] = { &d->begin, &d->end };
    double most = 0.0;
    for (int k = 0; k < 2; ++k) {
        v3 x_w[2];
        for (int side = 0; side < 2; ++side) {
            const body_pose *pose = &ends[k]->pose[joint->body[side]];
            x_w[side] = v3_add(pose->x_w, q_rotate(pose->q_wb, joint->marker_c[side].position));
        }
        most = fmax(most, v3_norm(v3_sub(x_w[1], x_w[0])));
    }
    return most + (d->end.t - d->begin.t) * (iw->bounds[joint->body[0]].speed + iw->bounds[joint->body[1]].speed);
}

bool search_advance_joint(impact_work *iw, carom_scratch *w, search_limits limits, const contact *s,
                          impact_event *out)
{
    const model_joint *joint = &iw->model->joints[s->a];
    advancement p = advancement_make(iw, w, limits, s->body);
    bool ascending = joint->body[0] < joint->body[1] || s->kind == CONTACT_STOP;
    double end = joint->guide_length + joint->bearing_radius + joint->clearance;
    p.lever[0] = v3_norm(joint->marker_c[!ascending].position) + end;
    p.lever[1] = v3_norm(joint->marker_c[ascending].position) + end;
    if (joint->guide_length > 0.0) { /* the guide is touched where the slider is */
        p.lever[!ascending] += slider_travel(iw, w->dense, joint);
    }
    if (s->kind == CONTACT_STOP) { /* an angle counts as an arc at this arm */
        p.lever[0] = fmax(p.lever[0], iw->model->length_scale);
        p.lever[1] = fmax(p.lever[1], iw->model->length_scale);
    }
    p.joint_contact = *s;
    p.approach = approach_within(&p);
    return advance_along(&p, out);
}
