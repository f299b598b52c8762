/* Locating events on the dense output of a step. */
#include "methods/impact/search.h"

#include <string.h>

#include "base/array.h"
#include "dynamics/dense.h"
#include "dynamics/events.h"
#include "dynamics/project.h"

search_limits search_limits_of(const carom_scratch *w, const body_rate *rate)
{
    return (search_limits){ .gap = 1e-12 * w->model->length_scale + 4.0 * project_tolerance(w),
                            .speed = 1e-11 * lasting_speed_scale(w, rate) };
}

/* ---- how fast two bodies approach --------------------------------------------------------------------------------- */

typedef struct pace {
    double speed;        /* [m/s] of any two points along any direction */
    double acceleration; /* [m/s^2] bound on -g'' along a feature */
} pace;

static double larger(v3 x, v3 y)
{
    return fmax(v3_norm(x), v3_norm(y));
}

/* Largest values over the step, from both ends; what bends in between is covered by a share of the change. */
static body_bound bound_of(const dense_step *d, int body)
{
    double h = d->end.t - d->begin.t;
    double bend = larger(d->begin.acceleration[body].v_w, d->end.acceleration[body].v_w);
    double spin_up = larger(d->begin.acceleration[body].omega_w, d->end.acceleration[body].omega_w);
    return (body_bound){
        .speed = larger(d->begin.rate[body].v_w, d->end.rate[body].v_w) + 0.25 * h * bend,
        .spin = larger(d->begin.rate[body].omega_w, d->end.rate[body].omega_w) + 0.25 * h * spin_up,
        .acceleration = 1.5 * bend,
        .spin_up = 1.5 * spin_up,
    };
}

/* Prescribed motion obeys no error control: it is looked at often within the step. */
static body_bound bound_of_kinematic(carom_scratch *w, int body)
{
    enum { SAMPLES = 16 };
    const dense_step *d = w->dense;
    body_bound bound = { 0 };
    for (int k = 0; k <= SAMPLES; ++k) {
        body_pose pose;
        body_rate rate, acceleration;
        work_kinematic(w, d->begin.t + (d->end.t - d->begin.t) * k / SAMPLES, body, &pose, &rate, &acceleration);
        bound = (body_bound){ .speed = fmax(bound.speed, v3_norm(rate.v_w)),
                              .spin = fmax(bound.spin, v3_norm(rate.omega_w)),
                              .acceleration = fmax(bound.acceleration, 1.5 * v3_norm(acceleration.v_w)),
                              .spin_up = fmax(bound.spin_up, 1.5 * v3_norm(acceleration.omega_w)) };
    }
    return bound;
}

static void find_bounds(impact_work *iw, carom_scratch *w)
{
    for (int i = 0; i < iw->model->body_count; ++i) {
        bool kinematic = iw->model->bodies[i].role == BODY_KINEMATIC;
        iw->bounds[i] = kinematic ? bound_of_kinematic(w, i) : bound_of(w->dense, i);
    }
}

static void add_turning(pace *p, body_bound b, double lever, double speed)
{
    if (b.spin > 0.0 || b.spin_up > 0.0) { /* else the lever may be infinite */
        p->speed += b.spin * lever;
        p->acceleration += (b.spin_up + b.spin * b.spin) * lever + 2.0 * b.spin * speed;
    }
}

/* Of two bodies with the levers of what may touch: bodies that move freely are compared with each other. */
static pace pace_of(const impact_work *iw, const dense_step *d, const int body[2], const double lever[2])
{
    int a = body[0];
    int b = body[1];
    const body_bound *x = &iw->bounds[a];
    const body_bound *y = &iw->bounds[b];
    pace p = { .speed = x->speed + y->speed, .acceleration = x->acceleration + y->acceleration };
    if (iw->model->bodies[a].role != BODY_KINEMATIC && iw->model->bodies[b].role != BODY_KINEMATIC) {
        double bend = larger(v3_sub(d->begin.acceleration[a].v_w, d->begin.acceleration[b].v_w),
                             v3_sub(d->end.acceleration[a].v_w, d->end.acceleration[b].v_w));
        p.speed = larger(v3_sub(d->begin.rate[a].v_w, d->begin.rate[b].v_w),
                         v3_sub(d->end.rate[a].v_w, d->end.rate[b].v_w)) +
                  0.25 * (d->end.t - d->begin.t) * bend;
        p.acceleration = 1.5 * bend;
    }
    double total = p.speed + x->spin * lever[0] + y->spin * lever[1];
    add_turning(&p, *x, lever[0], total);
    add_turning(&p, *y, lever[1], total);
    p.speed *= 1.1;
    p.acceleration *= 1.5;
    return p;
}

/* A half-space turns about as far away as the other one is. */
static void finite_levers(const impact_work *iw, const dense_step *d, int a, int b, double lever[2])
{
    int colliders[2] = { a, b };
    for (int side = 0; side < 2; ++side) {
        lever[side] = iw->near->reach[colliders[side]];
    }
    const model_collider *c = iw->model->colliders;
    double apart = larger(v3_sub(d->begin.pose[c[a].body].x_w, d->begin.pose[c[b].body].x_w),
                          v3_sub(d->end.pose[c[a].body].x_w, d->end.pose[c[b].body].x_w));
    for (int side = 0; side < 2; ++side) {
        lever[side] = isfinite(lever[side]) ? lever[side] : apart + lever[!side];
    }
}

/* Bodies of a site at a time within the step. */
static void bodies_at(const impact_work *iw, carom_scratch *w, const int body[2], double t, site_bodies *out)
{
    for (int side = 0; side < 2; ++side) {
        body_rate acceleration;
        if (iw->model->bodies[body[side]].role == BODY_KINEMATIC) {
            work_kinematic(w, t, body[side], &out->pose[side], &out->rate[side], &acceleration);
        } else {
            dense_body_at(w->dense, t, body[side], &out->pose[side], &out->rate[side]);
        }
    }
}

/* A moment at which sites are looked at: within the step, or with all bodies at hand. */
typedef struct moment {
    const impact_work *iw;
    carom_scratch *w; /* of the step; not needed where poses are given */
    double t;         /* [s] */
    const body_pose *pose;
    const body_rate *rate;
    const double *near; /* joint coordinates nearby */
} moment;

static void bodies_of(const moment *m, const site *s, site_bodies *out)
{
    if (!m->pose) {
        bodies_at(m->iw, m->w, s->body, m->t, out);
        return;
    }
    for (int side = 0; side < 2; ++side) {
        out->pose[side] = m->pose[s->body[side]];
        out->rate[side] = m->rate[s->body[side]];
    }
}

/* ---- flush with what bodies lie on --------------------------------------------------------------------------------- */

/* What slides along a table must not stumble over the rim of the next one of equal height, whose side it meets at the very
 * rim: bounds of features are loose by gap_rounding, and surfaces that touch keep a tiny gap. Which side of the rim it is on
 * would be rounding, but a lasting contact in whose plane the rim lies says it: the bodies are held apart there, so the
 * place is outside if lifting them off what they lie on takes it out. Where both lie on that plane (the toe of a ramp
 * slides into a box on the same floor) lifting tells nothing and they meet. Without such a contact loose bounds stay: flush
 * bodies that fall on each other must not fall past each other. */

/* A lasting contact of a body of a site, as it moves A of that site relative to B when it opens. */
typedef struct lift {
    v3 way_w;
    double amount; /* [m] beyond rounding, and what the step has let the contact drift */
} lift;

/* False where the contact is none of these bodies, or its plane is not one that the place of the site lies in. */
static bool lift_of(const moment *m, const site *lasting, const site *s, const gap_value *g, double rounding,
                    lift *out)
{
    double toward = 0.0; /* sum of both bodies: between them it is the same lift */
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        toward += lasting->body[side] == s->body[0] ? sign : lasting->body[side] == s->body[1] ? -sign : 0.0;
    }
    if (toward == 0.0) {
        return false;
    }
    site_bodies bodies;
    gap_value held;
    bodies_of(m, lasting, &bodies);
    site_gap(lasting, m->iw->model, &bodies, m->near, &held);
    out->way_w = v3_scale(toward > 0.0 ? 1.0 : -1.0, held.normal_w);
    out->amount = 2.0 * rounding + fabs(held.gap);
    return fabs(v3_dot(held.normal_w, v3_sub(g->point_w, held.point_w))) <= 2.0 * out->amount;
}

/* Whether a lift, along the surfaces of the site so that its gap stays, takes it out of its bounds. */
static bool lift_takes_out(const site *s, const gap_pair *pair, const site_bodies *bodies, const gap_value *g,
                           const lift *l)
{
    static const double LEAST_SINE = 1e-3; /* less: the surfaces of the site lie in that plane themselves */
    v3 along = v3_axpy(l->way_w, -v3_dot(l->way_w, g->normal_w), g->normal_w);
    double sine = v3_norm(along);
    if (!(sine > LEAST_SINE)) {
        return false;
    }
    v3 moved = v3_axpy(bodies->pose[0].x_w, l->amount / sine, along);
    carom_pose pose_w[2] = { { moved, bodies->pose[0].q_wb }, { bodies->pose[1].x_w, bodies->pose[1].q_wb } };
    return gap_bounds(&s->feature, pair, pose_w) < 0.0;
}

/* Whether another lasting contact in the same plane is lifted the opposite way. */
static bool lift_is_undone(const moment *m, const site *s, const gap_value *g, double rounding, const lift *l)
{
    const site_list *all = &m->iw->present.sites;
    bool undone = false;
    for (size_t k = 0; k < all->count && !undone; ++k) {
        lift other;
        undone = all->items[k].kind == SITE_SURFACE && lift_of(m, &all->items[k], s, g, rounding, &other) &&
                 v3_dot(other.way_w, l->way_w) < -0.5;
    }
    return undone;
}

/* Where generator 0 is the corner that meets a face: a lasting contact holds it at the surface of the other body, so it is
 * not behind another face there, however sharp the ridge between both. */
static bool is_held_outside(const moment *m, const site *lasting, const site *s, const site_bodies *bodies,
                            const gap_value *g, double rounding)
{
    if (s->feature.mode != CAROM_MODE_VERTEX_FACE || lasting->a != s->a || lasting->b != s->b ||
        !(g->gap < -rounding)) {
        return false;
    }
    const body_pose *on = &bodies->pose[s->feature.swapped ? 1 : 0];
    v3 corner_w = v3_add(on->x_w, q_rotate(on->q_wb, s->feature.c_c[0]));
    gap_value held;
    site_gap(lasting, m->iw->model, bodies, m->near, &held);
    return v3_norm(v3_sub(corner_w, held.point_w)) <= 2.0 * rounding + fabs(held.gap);
}

/* Whether the site is met at a rim that lies in the plane of a lasting contact, from outside. */
static bool is_flush(const moment *m, const site *lasting, const site *s, const site_bodies *bodies,
                     const gap_value *g, const gap_pair *pair, double rounding)
{
    lift l;
    return lift_of(m, lasting, s, g, rounding, &l) && lift_takes_out(s, pair, bodies, g, &l) &&
           !lift_is_undone(m, s, g, rounding, &l);
}

/* Whether lasting contacts say that the site is no contact although its gap and its bounds say so. */
static bool is_kept_off(const moment *m, const site *s, const site_bodies *bodies, const gap_value *g)
{
    const site_list *all = &m->iw->present.sites;
    if (s->kind != SITE_SURFACE || all->count == 0) {
        return false;
    }
    gap_pair pair = site_pair(m->iw->model, s->a, s->b);
    double rounding = gap_rounding(&pair);
    bool off = false;
    for (size_t k = 0; k < all->count && !off; ++k) {
        const site *lasting = &all->items[k];
        off = lasting->kind == SITE_SURFACE && (is_held_outside(m, lasting, s, bodies, g, rounding) ||
                                                is_flush(m, lasting, s, bodies, g, &pair, rounding));
    }
    return off;
}

/* ---- following gaps ------------------------------------------------------------------------------------------------ */

/* Two colliders, or one site of a joint. */
typedef struct pursuit {
    impact_work *iw;
    carom_scratch *w;
    int a, b; /* colliders; -1: the site of a joint */
    site joint_site;
    int body[2];
    pace pace;
    search_limits limits;
    double least_step; /* [s] */
    bool bounded;      /* features have ends, beyond which others take over */
} pursuit;

/* The time for which a feature surely stays open: g + g' h - A h^2/2 = 0. Where it may hand over to a neighbour, which need
 * not have the same rate, not much more than surfaces need at top speed. */
static double open_for(const pursuit *p, const gap_value *g, double distance)
{
    double A = p->pace.acceleration;
    double gap = fmax(g->gap, 0.0);
    double root = sqrt(g->rate * g->rate + 2.0 * A * gap);
    double h = g->rate >= 0.0 ? (A > 0.0 ? (g->rate + root) / A : HUGE_VAL)
                              : (root - g->rate > 0.0 ? 2.0 * gap / (root - g->rate) : HUGE_VAL);
    double generous = 16.0 * distance / fmax(p->pace.speed, 1e-300);
    return p->bounded && g->rate < 0.0 ? fmin(h, generous) : h;
}

typedef struct glance {
    double open;     /* [s] for which nothing closes */
    double distance; /* [m] */
    bool closed;     /* some site has closed: */
    site site;
} glance;

/* What is kept off stays so while it moves less than bounds are loose by. */
static double kept_off_for(const pursuit *p, const site *s)
{
    gap_pair pair = site_pair(p->iw->model, s->a, s->b);
    return gap_rounding(&pair) / fmax(p->pace.speed, 1e-300);
}

static void look_at(const pursuit *p, const site *s, const site_bodies *bodies, double t, glance *out)
{
    gap_value g;
    if (p->iw->present.sites.count > 0 && contact_set_find(&p->iw->present, s)) {
        return; /* it is closed and stays so until its force says otherwise */
    }
    site_gap(s, p->iw->model, bodies, p->w->near, &g);
    out->distance = fmin(out->distance, g.gap);
    bool contact = s->feature.mode != CAROM_MODE_NONE; /* else only a bound of the distance of sharp corners */
    bool touches = g.gap <= 0.0 && g.rate < -20.0 * p->limits.speed; /* twice what is treated as approach */
    bool inside = g.gap < -1e4 * p->limits.gap && g.rate <= 0.0 && !p->iw->repeated; /* creeps in; treated once */
    if (contact && (touches || inside)) {
        moment now = { .iw = p->iw, .w = p->w, .t = t, .near = p->w->near };
        out->closed = !is_kept_off(&now, s, bodies, &g);
        out->site = *s;
        out->open = out->closed ? out->open : fmin(out->open, kept_off_for(p, s));
        return;
    }
    out->open = fmin(out->open, open_for(p, &g, fmax(g.gap, 0.0)));
}

/* What can close between t and `until`. False when memory runs out. */
static bool look(const pursuit *p, double t, double until, glance *out)
{
    impact_work *iw = p->iw;
    site_bodies bodies;
    *out = (glance){ .open = HUGE_VAL, .distance = HUGE_VAL };
    bodies_at(p->iw, p->w, p->body, t, &bodies);
    if (p->a < 0) {
        look_at(p, &p->joint_site, &bodies, t, out);
        return true;
    }
    gap_pair pair = site_pair(iw->model, p->a, p->b);
    carom_pose pose_w[2] = { { bodies.pose[0].x_w, bodies.pose[0].q_wb },
                             { bodies.pose[1].x_w, bodies.pose[1].q_wb } };
    double margin = p->pace.speed * (until - t) + 8.0 * p->limits.gap;
    iw->gaps.count = 0;
    if (!gap_find(&iw->gaps, &pair, pose_w, margin)) {
        return false;
    }
    for (size_t k = 0; k < iw->gaps.count && !out->closed; ++k) {
        site s = site_of_surface(iw->model, p->a, p->b, &iw->gaps.items[k]);
        look_at(p, &s, &bodies, t, out);
    }
    return true;
}

typedef struct one_gap {
    const pursuit *pursuit;
    const site *site;
} one_gap;

/* Positive while it is open: apart, or the place of contact outside its features, which may come into their bounds only
 * when they have passed each other by as little as bounds are loose. */
static void open_at(void *context, double t, double *g)
{
    const one_gap *one = context;
    const carom_model *model = one->pursuit->iw->model;
    const site *s = one->site;
    site_bodies bodies;
    gap_value value;
    bodies_at(one->pursuit->iw, one->pursuit->w, s->body, t, &bodies);
    site_gap(s, model, &bodies, one->pursuit->w->near, &value);
    *g = value.gap;
    if (s->kind == SITE_SURFACE) {
        gap_pair pair = site_pair(model, s->a, s->b);
        carom_pose pose_w[2] = { { bodies.pose[0].x_w, bodies.pose[0].q_wb },
                                 { bodies.pose[1].x_w, bodies.pose[1].q_wb } };
        *g = fmax(*g, -gap_bounds(&s->feature, &pair, pose_w));
    }
}

/* The moment at which a site that was open at `open` and is closed at `closed` closes. */
static double narrow(const pursuit *p, const site *s, double open, double closed)
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

/* Follows the gaps of one pair from t0 and keeps the first touch before out->t. False when memory runs out. */
static bool pursue(const pursuit *p, double t0, change *out)
{
    enum { PATIENCE = 64 };
    double t = t0;
    double open = t0;
    double least = p->least_step;
    for (int k = 0;; ++k) {
        glance now;
        if (!look(p, t, out->t, &now)) {
            return false;
        }
        out->distance = fmin(out->distance, fmax(now.distance, 0.0)); /* what is taken back does not count */
        if (now.closed) {
            double at = narrow(p, &now.site, open, t);
            if (at <= out->t) {
                *out = (change){ .kind = CHANGE_TOUCH, .t = at, .site = now.site, .distance = out->distance };
            }
            return true;
        }
        if (t >= out->t || now.open >= out->t - t + least) {
            return true;
        }
        least = k % PATIENCE == PATIENCE - 1 ? 2.0 * least : least; /* grazing for long: no use in counting atoms */
        open = t;
        t = fmin(t + fmax(now.open, least), out->t);
    }
}

static pursuit pursuit_make(impact_work *iw, carom_scratch *w, const int body[2])
{
    double h = w->dense->end.t - w->dense->begin.t;
    return (pursuit){ .iw = iw,
                      .w = w,
                      .a = -1,
                      .b = -1,
                      .body = { body[0], body[1] },
                      .limits = search_limits_of(w, w->dense->end.rate),
                      .least_step = fmax(1e-7 * h, 8.0 * 2.220446049250313e-16 * fabs(w->dense->end.t)) };
}

static bool pursue_pair(impact_work *iw, carom_scratch *w, int a, int b, change *out)
{
    int body[2] = { iw->model->colliders[a].body, iw->model->colliders[b].body };
    pursuit p = pursuit_make(iw, w, body);
    double lever[2];
    finite_levers(iw, w->dense, a, b, lever);
    p.a = a;
    p.b = b;
    p.pace = pace_of(iw, w->dense, body, lever);
    p.bounded = isfinite(iw->near->reach[a]) && isfinite(iw->near->reach[b]);
    return pursue(&p, w->dense->begin.t, out);
}

static bool pursue_joint(impact_work *iw, carom_scratch *w, const site *s, change *out)
{
    const model_joint *joint = &iw->model->joints[s->a];
    pursuit p = pursuit_make(iw, w, s->body);
    bool ascending = joint->body[0] < joint->body[1] || s->kind == SITE_STOP;
    double end = joint->guide_length;
    double lever[2] = { v3_norm(joint->marker_c[!ascending].position) + end,
                        v3_norm(joint->marker_c[ascending].position) + end };
    if (s->kind == SITE_STOP) { /* an angle counts as an arc at this arm */
        lever[0] = fmax(lever[0], iw->model->length_scale);
        lever[1] = fmax(lever[1], iw->model->length_scale);
    }
    p.joint_site = *s;
    p.pace = pace_of(iw, w->dense, s->body, lever);
    return pursue(&p, w->dense->begin.t, out);
}

/* Every box as much wider as its body may move within the step. */
static void find_margins(impact_work *iw, const dense_step *d)
{
    double h = d->end.t - d->begin.t;
    for (int i = 0; i < iw->model->collider_count; ++i) {
        const body_bound *b = &iw->bounds[iw->model->colliders[i].body];
        double reach = iw->near->reach[i];
        iw->margin[i] = 1.1 * h * (b->speed + (isfinite(reach) ? b->spin * reach : 0.0)) +
                        1e-9 * iw->model->length_scale;
    }
}

static bool search_gaps(impact_work *iw, carom_scratch *w, change *out)
{
    const box_pair *pairs = NULL;
    size_t count = 0;
    find_bounds(iw, w);
    find_margins(iw, w->dense);
    near_place(iw->near, w->dense->begin.pose, iw->margin);
    if (!near_find(iw->near, &pairs, &count)) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        if (!pursue_pair(iw, w, pairs[k].a, pairs[k].b, out)) {
            return false;
        }
    }
    site sites[SITE_PER_JOINT];
    for (int j = 0; j < iw->model->joint_count; ++j) {
        int here = site_of_joint(iw->model, j, sites);
        for (int k = 0; k < here; ++k) {
            if (!pursue_joint(iw, w, &sites[k], out)) {
                return false;
            }
        }
    }
    return true;
}

carom_status search_first(impact_work *iw, carom_scratch *w, change *out, carom_error *err)
{
    *out = (change){ .t = w->dense->end.t, .distance = HUGE_VAL };
    iw->watching = false;
    if (lasting_margin_count(iw) > 0) {
        search_modes(iw, w, out);
        search_bounds(iw, w, out);
    }
    return search_gaps(iw, w, out) ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}

/* ---- what touches -------------------------------------------------------------------------------------------------- */

/* What comes nearer touches as soon as bounds of features cannot tell: things that meet at several places at once, but for
 * rounding that an earlier impact has magnified, must not be struck one by one. */
static bool keep_near(impact_work *iw, const carom_scratch *w, const site *s, const body_pose *pose,
                      const body_rate *rate, double margin, double rounding)
{
    gap_value g;
    site_bodies bodies = { { pose[s->body[0]], pose[s->body[1]] }, { rate[s->body[0]], rate[s->body[1]] } };
    site_gap(s, iw->model, &bodies, w->near, &g);
    moment now = { .iw = iw, .pose = pose, .rate = rate, .near = w->near };
    bool comes = g.rate < -search_limits_of(w, rate).speed;
    bool touches = (g.gap <= margin || (comes && g.gap <= rounding)) &&
                   (contact_set_find(&iw->present, s) || !is_kept_off(&now, s, &bodies, &g));
    return !touches || site_list_push(&iw->found, s);
}

static bool touching_pair_sites(impact_work *iw, const carom_scratch *w, box_pair pair, const body_pose *pose,
                                const body_rate *rate, double margin)
{
    const model_collider *c = iw->model->colliders;
    gap_pair both = site_pair(iw->model, pair.a, pair.b);
    carom_pose pose_w[2] = { { pose[c[pair.a].body].x_w, pose[c[pair.a].body].q_wb },
                             { pose[c[pair.b].body].x_w, pose[c[pair.b].body].q_wb } };
    double rounding = gap_rounding(&both);
    iw->gaps.count = 0;
    if (!gap_find(&iw->gaps, &both, pose_w, fmax(margin, rounding))) {
        return false;
    }
    for (size_t k = 0; k < iw->gaps.count; ++k) {
        site s = site_of_surface(iw->model, pair.a, pair.b, &iw->gaps.items[k]);
        if (s.feature.mode != CAROM_MODE_NONE && !keep_near(iw, w, &s, pose, rate, margin, rounding)) {
            return false;
        }
    }
    return true;
}

static int compare_sites(const void *x, const void *y)
{
    return site_compare(x, y);
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
    near_place(iw->near, pose, iw->margin);
    if (!near_find(iw->near, &pairs, &count)) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        if (!touching_pair_sites(iw, w, pairs[k], pose, rate, margin)) {
            return false;
        }
    }
    site sites[SITE_PER_JOINT];
    for (int j = 0; j < iw->model->joint_count; ++j) {
        int here = site_of_joint(iw->model, j, sites);
        for (int k = 0; k < here; ++k) {
            if (!keep_near(iw, w, &sites[k], pose, rate, margin, 0.0)) {
                return false;
            }
        }
    }
    if (iw->found.count > 1) {
        qsort(iw->found.items, iw->found.count, sizeof *iw->found.items, compare_sites);
    }
    return true;
}
