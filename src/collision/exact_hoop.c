/* A torus in a convex solid: the circle in its middle, rounded.
 *
 * The distance d from a convex solid is convex, so along a circle of radius R the depth has delta'' <= n . e / R, with n the gradient of d and e the
 * unit vector away from the middle of the circle: no more than 1/R, and of a level circle next to nothing. Where d > 0 n turns by no more than
 * the way over d. With B a bound of delta'' on an arc, depth rises above its tangent in the middle by no more than B s^2/2, and is no less than at the lower
 * end but for B s^2/2 with s half of the arc. Arcs are halved until that says that they are inside or outside. A ball is met on one arc, in closed
 * form. */
#include <math.h>

#include "collision/collider_parts.h"
#include "collision/exact_curve.h"
#include "collision/exact_gap.h"

/* Looks at both ends of an arc and in its middle, and what follows for all of it. */
typedef struct arc {
    double low, middle, high; /* [m] along the circle */
    double end[2];            /* [m] depths */
    double depth, least, most;
} arc;

static v3 tangent_at(const exact_element *e, double s)
{
    double angle = s / e->ring;
    return v3_axpy(v3_scale(-sin(angle), e->u), cos(angle), e->v);
}

static v3 away_at(const exact_element *e, double s)
{
    double angle = s / e->ring;
    return v3_axpy(v3_scale(cos(angle), e->u), sin(angle), e->v);
}

static arc look_at_arc(curve_job *j, double low, double high, double at_low, double at_high)
{
    const exact_element *e = &j->curve;
    double middle = 0.5 * (low + high);
    double h = 0.5 * (high - low);
    exact_look k = curve_look(j, middle);
    double slope = fabs(v3_dot(k.inwards, tangent_at(e, middle)));
    double nearest = e->radius - k.depth - h; /* [m] of the circle from the solid, at least */
    double away = fabs(v3_dot(k.inwards, away_at(e, middle)));
    double bend = nearest > 0.0 ? fmin(1.0, away + h * (1.0 / nearest + 1.0 / e->ring)) : 1.0;
    double bow = 0.5 * h * h * bend / e->ring;
    return (arc){ .low = low,
                  .middle = middle,
                  .high = high,
                  .end = { at_low, at_high },
                  .depth = k.depth,
                  .least = fmin(at_low, at_high) - bow,
                  .most = k.depth + fmin(h, slope * h + bow) };
}

/* ---- what is inside ------------------------------------------------------------------------------------------------ */

enum { ARCS = 6 }; /* to begin with */

/* [1] of the circle: arcs this short are inside or outside as a whole. Forces depend on where pieces end to first order, and pieces may be as
 * short as a thousandth of the circle. */
static const double SHORTEST = 1e-15;

static bool is_short(const arc *a, const curve_job *j)
{
    return a->high - a->low < 2.0 * SHORTEST * j->curve.length;
}

typedef struct inside {
    curve_job *j;
    bool open;
    double begin; /* [m] of the piece that is open */
} inside;

static void close_piece(inside *in, double at)
{
    if (in->open && at > in->begin) {
        curve_add_piece(in->j, in->begin, at);
    }
    in->open = false;
}

/* Arcs come one after the other. */
static void sort_arc(inside *in, double low, double high, double at_low, double at_high)
{
    arc a = look_at_arc(in->j, low, high, at_low, at_high);
    bool decided = a.least > 0.0 || a.most <= 0.0 || is_short(&a, in->j);
    if (!decided) {
        sort_arc(in, low, a.middle, at_low, a.depth);
        sort_arc(in, a.middle, high, a.depth, at_high);
    } else if (!(a.depth > 0.0)) {
        close_piece(in, low);
    } else if (!in->open) {
        in->open = true;
        in->begin = low;
    }
}

/* Inside where the way to the middle of the ball is shorter than both radii: sin^2 of half the angle to the ends, as a product of small
 * numbers, not as a difference of large ones. */
static void trace_in_ball(curve_job *j)
{
    const exact_element *e = &j->curve;
    v3 to = v3_sub(j->solid->center, e->r);
    double p = v3_dot(to, e->u), q = v3_dot(to, e->v);
    double m = sqrt(p * p + q * q);
    double z = v3_dot(to, v3_cross(e->u, e->v));
    double nearest = sqrt((e->ring - m) * (e->ring - m) + z * z);
    double reach = e->radius - field_source_sample(j->distance, j->solid->center, &j->hint).distance;
    double over = (reach - nearest) * (reach + nearest);
    double whole = 4.0 * e->ring * m;
    double middle = e->ring * atan2(q, p);
    double half = over >= whole ? 0.5 * e->length : 2.0 * e->ring * asin(sqrt(fmax(0.0, over) / whole));
    if (over > 0.0) {
        curve_add_piece(j, middle - half, middle + half);
    }
}

static bool is_ball(const exact_solid *s)
{
    return s->round == ROUND_WHOLE && s->ball;
}

void curve_trace_hoop(curve_job *j)
{
    inside in = { .j = j };
    double length = j->curve.length;
    if (is_ball(j->solid)) {
        trace_in_ball(j);
        return;
    }
    double before = curve_look(j, 0.0).depth;
    for (int i = 1; i <= ARCS && !j->failed; ++i) {
        double now = curve_look(j, length * i / ARCS).depth;
        sort_arc(&in, length * (i - 1) / ARCS, length * i / ARCS, before, now);
        before = now;
    }
    close_piece(&in, length);
}

/* ---- gaps ---------------------------------------------------------------------------------------------------------- */

typedef struct arc_gap {
    curve_job *j;
    double limit;
    double seen;  /* [m] the smallest gap looked at */
    double least; /* [m] no arc has a smaller one */
} arc_gap;

static void bound_arc(arc_gap *g, double low, double high)
{
    const double good = 0.9;
    arc a = look_at_arc(g->j, low, high, 0.0, 0.0);
    g->seen = fmin(g->seen, -a.depth);
    if (-a.most >= good * g->seen || -a.most >= g->limit || is_short(&a, g->j)) {
        g->least = fmin(g->least, -a.most);
        return;
    }
    bound_arc(g, low, a.middle);
    bound_arc(g, a.middle, high);
}

double exact_gap_of_hoop(exact_list *room, const collider *const c[2], const carom_pose pose_w[2], int hoop,
                         double limit)
{
    const exact_elements *other = c[1 - hoop]->elements;
    carom_pose pose = exact_relative_pose(&pose_w[1 - hoop], &pose_w[hoop]);
    exact_element e = c[hoop]->elements->items[0];
    e.r = v3_add(pose.position, q_rotate(pose.orientation, e.r));
    e.u = q_rotate(pose.orientation, e.u);
    e.v = q_rotate(pose.orientation, e.v);
    curve_job j = { .curve = e, .solid = &other->solid, .distance = &other->surface, .room = room->room, .hint = -1 };
    arc_gap g = { .j = &j, .limit = limit, .seen = HUGE_VAL, .least = limit };
    for (int i = 0; i < ARCS; ++i) {
        bound_arc(&g, e.length * i / ARCS, e.length * (i + 1) / ARCS);
    }
    return fmax(g.least, 1e-9 * fmax(g.seen, 0.0)); /* no element touches: they are apart */
}
