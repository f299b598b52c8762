/* How long a plane keeps two colliders apart.
 *
 * The plane is fixed to one body, as far out as its collider reaches along the normal n. A point y of the other one, at r
 * from its centre of mass, has the height g = n . (y - plane) and, as the body with the plane sees it, the rate
 * n . (v + omega x r) with relative velocities: after a time h
 *
 *     g(h) >= g + h n . v + (n + h n x omega) . r - a h^2 / 2,
 *
 * a being a bound of accelerations. The smallest of all points is the support of the collider along n + h n x omega: a
 * concave function of h, so that a chord crosses zero before it does. Neither needs to be convex for that; it is no use
 * only where the hulls of both meet. */
#include "collision/gap_features.h"
#include "math/quat.h"

enum { MANY_CORNERS = 256 }; /* more: the box around them says enough */

static const double ALIGNED = 1e-13; /* sine of the angle by which rounding may turn the normal of a half-space */
static const double IN_PLANE = 1e-9; /* the same of a face that something is held on */

/* One collider on its body, and what of it is held by the plane. */
typedef struct support {
    const collider *c;
    carom_pose pose_c;
    quat q_wb;
    int side; /* 0: A, 1: B */
    const gap_plane *plane;
    const gap_motion *plane_body; /* NULL: nothing is held */
    double plane_height;          /* [m] along its normal in the world */
} support;

/* ---- what is held ------------------------------------------------------------------------------------------------------ */

/* Whether a feature that is held closed meets the very plane. */
static bool is_held_there(const support *s, const gap_feature *f)
{
    carom_pose pose_w = s->plane_body->pose_w;
    v3 n = q_rotate(pose_w.orientation, f->d_c[1]);
    double height = v3_dot(s->plane->normal_w, pose_point(&pose_w, f->c_c[1]));
    return v3_norm(v3_sub(n, s->plane->normal_w)) <= IN_PLANE &&
           fabs(height - s->plane_height) <= IN_PLANE * s->c->facets->size;
}

static bool is_held(const support *s, gap_kind kind, int index)
{
    bool held = false;
    for (size_t i = 0; s->plane_body && i < s->plane->held_count && !held; ++i) {
        const gap_feature *f = s->plane->held[i];
        held = f->kind == kind && f->swapped == (s->side == 1) && f->feature[s->side] == (uint32_t)index &&
               is_held_there(s, f);
    }
    return held;
}

/* ---- support ------------------------------------------------------------------------------------------------------------ */

/* All in the axes of the collider: the smallest m . y over its points. */

static double lowest_of_box(const obb *b, v3 m)
{
    v3 along = m3_tmulv(b->axes, m);
    return v3_dot(m, b->center) - fabs(along.x) * b->half.x - fabs(along.y) * b->half.y - fabs(along.z) * b->half.z;
}

static double lowest_of_half_space(const facets *f, v3 m)
{
    double length = v3_norm(m);
    v3 miss = v3_axpy(m, length, f->faces[0].normal);
    return v3_norm(miss) <= ALIGNED * length ? 0.0 : -HUGE_VAL;
}

static double lowest_of_rims(const support *s, v3 m)
{
    const facets *f = s->c->facets;
    double lowest = HUGE_VAL;
    for (int k = 0; k < f->rim_count; ++k) {
        const shape_rim *r = &f->rims[k];
        v3 across = v3_axpy(m, -v3_dot(m, r->axis), r->axis);
        double here = v3_dot(m, r->center) - r->radius * v3_norm(across);
        lowest = here < lowest && !is_held(s, GAP_CIRCLE_PLANE, k) ? here : lowest;
    }
    return lowest;
}

/* Circles stand for the corners on them and for the barrel between them. */
static double lowest_of_vertices(const support *s, v3 m)
{
    const facets *f = s->c->facets;
    double lowest = HUGE_VAL;
    for (int i = 0; i < f->counts[FACET_VERTICES]; ++i) {
        const facet_vertex *v = &f->vertices[i];
        double here = v3_dot(m, v->r) - v->radius -
                      v3_norm(v3_make(v->half.x * m.x, v->half.y * m.y, v->half.z * m.z));
        bool counts = here < lowest && !v->barrel && !(f->rim_count > 0 && f->rim_of[i] >= 0);
        gap_kind kind = facet_is_oval(v) ? GAP_OVAL_PLANE : GAP_POINT_PLANE;
        lowest = counts && !is_held(s, kind, i) ? here : lowest;
    }
    return lowest;
}

/* The smallest m_w . r over the points of the collider, r from the centre of mass of its body. */
static double lowest(const support *s, v3 m_w)
{
    const facets *f = s->c->facets;
    v3 m_b = q_unrotate(s->q_wb, m_w);
    v3 m = q_unrotate(s->pose_c.orientation, m_b);
    double here;
    if (!isfinite(f->size)) {
        here = lowest_of_half_space(f, m);
    } else if (f->counts[FACET_VERTICES] > MANY_CORNERS) {
        here = lowest_of_box(&s->c->box, m);
    } else {
        here = fmin(lowest_of_vertices(s, m), lowest_of_rims(s, m));
    }
    return v3_dot(m_b, s->pose_c.position) + here;
}

/* ---- how long ------------------------------------------------------------------------------------------------------------ */

/* The height of what is lowest over the plane, as a function of time. */
typedef struct flight {
    support other;
    v3 normal_w, turn_w; /* n, n x omega */
    double height;       /* [m] of the centre of mass */
    double rate;         /* [m/s] */
    double acceleration; /* [m/s^2] */
} flight;

static double height_after(const flight *f, double h)
{
    double points = lowest(&f->other, v3_axpy(f->normal_w, h, f->turn_w));
    return f->height + h * f->rate + points - 0.5 * f->acceleration * h * h;
}

static flight flight_over(const gap_pair *pair, const gap_motion motion[2], const gap_plane *plane)
{
    const collider *c[2] = { pair->a, pair->b };
    int on = plane->on;
    const gap_motion *base = &motion[on];
    const gap_motion *other = &motion[1 - on];
    v3 n = plane->normal_w;
    v3 apart = v3_sub(other->pose_w.position, base->pose_w.position);
    support own = { .c = c[on], .pose_c = pair->pose_c[on], .q_wb = base->pose_w.orientation };
    double reach = -lowest(&own, v3_neg(n));
    v3 v = v3_sub(v3_sub(other->v_w, base->v_w), v3_cross(base->omega_w, apart));
    return (flight){
        .other = { .c = c[1 - on],
                   .pose_c = pair->pose_c[1 - on],
                   .q_wb = other->pose_w.orientation,
                   .side = 1 - on,
                   .plane = plane,
                   .plane_body = plane->held_count > 0 ? base : NULL,
                   .plane_height = v3_dot(n, base->pose_w.position) + reach },
        .normal_w = n,
        .turn_w = v3_cross(n, v3_sub(other->omega_w, base->omega_w)),
        .height = v3_dot(n, apart) - reach - plane->clearance,
        .rate = v3_dot(n, v),
    };
}

/* The chord from `low`, where it is open, to `high`, where it is not, crosses zero before the function does. */
static double chord(double low, double at_low, double high, double at_high)
{
    return isfinite(at_high) ? low + (high - low) * at_low / (at_low - at_high) : low;
}

double gap_apart_for(const gap_pair *pair, const gap_motion motion[2], const gap_plane *plane, double acceleration,
                     double until)
{
    enum { CHORDS = 5 };
    flight f = flight_over(pair, motion, plane);
    f.acceleration = acceleration;
    double low = 0.0, at_low = height_after(&f, 0.0);
    double high = until, at_high = height_after(&f, until);
    if (!(at_low > 0.0)) {
        return 0.0;
    }
    for (int k = 0; k < CHORDS && !(at_high >= 0.0); ++k) {
        double ahead = chord(low, at_low, high, at_high) - low;
        double next = fmin(low + 2.0 * ahead, 0.5 * (low + high)); /* beyond the chord: from both sides */
        double at_next = height_after(&f, next);
        bool open = at_next >= 0.0;
        *(open ? &low : &high) = next;
        *(open ? &at_low : &at_high) = at_next;
    }
    return at_high >= 0.0 ? high : chord(low, at_low, high, at_high);
}
