/* A point is beside the cylinder, above a cap, or nearest to a rim: closed forms in the half plane of its distance from the axis and
 * its height along it. The signed distance of points is convex, so that along an edge it has one minimum, at the root of its
 * derivative; along a circle it may have several, of which samples find the lowest. */
#include "geometry/cylinder_distance.h"

#include "geometry/triangle_nearest.h"

enum { NEAR_SIDE, NEAR_CAP, NEAR_RIM };

/* A point in the half plane. */
typedef struct half_plane_point {
    double rho, z; /* [m] from the axis, along it from the centre */
    v3 out;        /* unit vector away from the axis; zero on it */
    double side, cap;
    double up; /* 1 or -1: which cap is nearer */
    int region;
} half_plane_point;

static half_plane_point place(v3 x, const cylinder *c)
{
    half_plane_point p;
    v3 r = v3_sub(x, c->center);
    p.z = v3_dot(r, c->axis);
    v3 out = v3_axpy(r, -p.z, c->axis);
    p.rho = v3_norm(out);
    p.out = p.rho > 0.0 ? v3_scale(1.0 / p.rho, out) : v3_zero();
    p.side = p.rho - c->radius;
    p.cap = fabs(p.z) - c->half;
    p.up = p.z < 0.0 ? -1.0 : 1.0;
    bool disc = !(c->half > 0.0);
    p.region = p.side > 0.0 && (p.cap > 0.0 || disc) ? NEAR_RIM : p.cap > 0.0 || disc ? NEAR_CAP : NEAR_SIDE;
    return p;
}

cylinder cylinder_end(const cylinder *c, int end)
{
    double sign = end == 0 ? -1.0 : 1.0;
    return (cylinder){ .center = v3_axpy(c->center, sign * c->half, c->axis),
                       .axis = v3_scale(sign, c->axis),
                       .radius = c->radius };
}

static void add_slide(feature_distance *d, v3 direction, int owner, double curvature)
{
    d->slide[d->slides] = direction;
    d->curvature[d->slides] = curvature;
    d->owner[d->slides++] = owner;
}

/* ---- points ------------------------------------------------------------------------------------------------------------- */

static feature_distance beside(v3 x, const cylinder *c, const half_plane_point *p)
{
    feature_distance d = { .distance = p->rho,
                           .normal = p->out,
                           .point = { x, v3_axpy(c->center, p->z, c->axis) },
                           .rounding = { 0.0, c->radius } };
    add_slide(&d, c->axis, 1, 0.0);
    return d;
}

static feature_distance above(v3 x, const cylinder *c, const half_plane_point *p)
{
    feature_distance d = { .distance = p->cap, .normal = v3_scale(p->up, c->axis) };
    d.point[0] = x;
    d.point[1] = v3_axpy(x, -p->cap, d.normal);
    v3 along = v3_across(c->axis);
    add_slide(&d, along, 1, 0.0);
    add_slide(&d, v3_cross(c->axis, along), 1, 0.0);
    return d;
}

static feature_distance off_rim(v3 x, const cylinder *c, const half_plane_point *p)
{
    feature_distance d = { .distance = sqrt(p->side * p->side + p->cap * p->cap) };
    d.normal = v3_scale(1.0 / d.distance, v3_axpy(v3_scale(p->side, p->out), p->up * p->cap, c->axis));
    d.point[0] = x;
    d.point[1] = v3_axpy(v3_axpy(c->center, p->up * c->half, c->axis), c->radius, p->out);
    add_slide(&d, v3_scale(c->radius, v3_cross(c->axis, p->out)), 1, c->radius * v3_dot(d.normal, p->out));
    return d;
}

feature_distance vertex_cylinder_distance(v3 x, const cylinder *c)
{
    half_plane_point p = place(x, c);
    return p.region == NEAR_SIDE ? beside(x, c, &p) : p.region == NEAR_CAP ? above(x, c, &p) : off_rim(x, c, &p);
}

/* The signed distance of a point that moves with velocity e, and its first two derivatives. */
typedef struct slope {
    double value, first, second;
} slope;

static slope slope_at(v3 x, v3 e, const cylinder *c)
{
    half_plane_point p = place(x, c);
    double along = v3_dot(e, c->axis);
    double out = v3_dot(e, p.out);
    double around2 = v3_norm2(e) - along * along - out * out;
    double bend = p.rho > 0.0 ? fmax(around2, 0.0) / p.rho : 0.0;
    if (p.region == NEAR_CAP) {
        return (slope){ p.cap, p.up * along, 0.0 };
    }
    if (p.region == NEAR_SIDE) {
        return p.cap > p.side ? (slope){ p.cap, p.up * along, 0.0 } : (slope){ p.side, out, bend };
    }
    double d = sqrt(p.side * p.side + p.cap * p.cap);
    double first = (p.side * out + p.cap * p.up * along) / d;
    return (slope){ d, first, (out * out + along * along - first * first + p.side * bend) / d };
}

/* ---- edges -------------------------------------------------------------------------------------------------------------- */

static slope slope_along(const v3 e[2], v3 way, const cylinder *c, double t)
{
    return slope_at(v3_axpy(e[0], t, way), way, c);
}

/* Where along the edge the root of the derivative is, which is negative at 0 and positive at 1: Newton's method inside a bracket. */
static double lowest_inside(const v3 e[2], v3 way, const cylinder *c, double size)
{
    enum { MOST = 100 };
    static const double ROUNDING = 1e-16;
    double low = 0.0;
    double high = 1.0;
    v3 r = v3_sub(e[0], c->center);
    v3 flat = v3_axpy(way, -v3_dot(way, c->axis), c->axis);
    double t = v3_norm2(flat) > 0.0 ? -v3_dot(r, flat) / v3_norm2(flat) : 0.5; /* nearest to the axis */
    for (int k = 0; k < MOST && high - low > ROUNDING; ++k) {
        t = t > low && t < high ? t : 0.5 * (low + high);
        slope s = slope_along(e, way, c, t);
        if (fabs(s.first) <= ROUNDING * size) {
            break;
        }
        low = s.first < 0.0 ? t : low;
        high = s.first > 0.0 ? t : high;
        t = k % 4 < 3 && s.second > 0.0 ? t - s.first / s.second : 0.5 * (low + high);
    }
    return t;
}

feature_distance edge_cylinder_distance(const v3 e[2], const cylinder *c)
{
    static const double PARALLEL = 1e-10; /* sine^2: below, slides along edge and axis are the same */
    v3 way = v3_sub(e[1], e[0]);
    if (!(slope_along(e, way, c, 0.0).first < 0.0)) {
        return vertex_cylinder_distance(e[0], c);
    }
    if (!(slope_along(e, way, c, 1.0).first > 0.0)) {
        return vertex_cylinder_distance(e[1], c);
    }
    double size = v3_norm(way);
    feature_distance d = vertex_cylinder_distance(v3_axpy(e[0], lowest_inside(e, way, c, size), way), c);
    v3 across = v3_cross(way, d.slide[0]);
    if (d.slides == 1 && v3_norm2(across) > PARALLEL * v3_norm2(way) * v3_norm2(d.slide[0])) {
        add_slide(&d, way, 0, 0.0);
    }
    return d;
}

/* ---- a triangle and a disc ------------------------------------------------------------------------------------------------ */

static feature_distance over_face(const v3 t[3], const cylinder *disc, v3 n, double height, v3 down, double sine)
{
    static const double LEVEL = 1e-6; /* sine: below, the lowest point is anywhere */
    v3 lowest = v3_axpy(disc->center, disc->radius, down);
    feature_distance d = { .distance = height,
                           .normal = v3_neg(n),
                           .point = { v3_axpy(lowest, -height, n), lowest } };
    add_slide(&d, v3_sub(t[1], t[0]), 0, 0.0);
    add_slide(&d, v3_sub(t[2], t[0]), 0, 0.0);
    if (sine > LEVEL) {
        add_slide(&d, v3_scale(disc->radius, v3_cross(disc->axis, down)), 1, disc->radius * sine);
    }
    return d;
}

/* Nearest on the face: then at the lowest point of the disc. Else on one of the sides. */
feature_distance triangle_disc_distance(const v3 t[3], const cylinder *disc)
{
    v3 n = v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0]));
    double size = v3_norm(n);
    if (size > 0.0) {
        n = v3_scale(1.0 / size, n);
        double height = v3_dot(n, v3_sub(disc->center, t[0]));
        n = height < 0.0 ? v3_neg(n) : n;
        v3 level = v3_axpy(n, -v3_dot(n, disc->axis), disc->axis);
        double sine = v3_norm(level);
        v3 down = sine > 0.0 ? v3_scale(-1.0 / sine, level) : v3_across(disc->axis);
        v3 lowest = v3_axpy(disc->center, disc->radius, down);
        double least = fabs(height) - disc->radius * sine;
        if (least > 0.0 && triangle_nearest(lowest, t[0], t[1], t[2]).feature == FEATURE_FACE) {
            return over_face(t, disc, n, least, down, sine);
        }
    }
    feature_distance best = edge_cylinder_distance((const v3[2]){ t[0], t[1] }, disc);
    for (int k = 1; k < 3; ++k) {
        feature_distance d = edge_cylinder_distance((const v3[2]){ t[k], t[(k + 1) % 3] }, disc);
        best = d.distance < best.distance ? d : best;
    }
    return best;
}

/* ---- circles -------------------------------------------------------------------------------------------------------------- */

typedef struct circle {
    v3 center, x, y; /* x and y as long as the radius */
} circle;

static v3 circle_point(const circle *o, double angle)
{
    return v3_axpy(v3_axpy(o->center, cos(angle), o->x), sin(angle), o->y);
}

static slope slope_around(const circle *o, const cylinder *c, double angle)
{
    v3 way = v3_axpy(v3_scale(-sin(angle), o->x), cos(angle), o->y);
    return slope_at(circle_point(o, angle), way, c);
}

/* The minimum between two angles, by the sign of the derivative: bisection, and secants where they lead inside. An end that stays twice counts
 * half for the next secant [Dowell1971]: where a cap ends the second derivative jumps, and secants would come from one side for ever. */
static double lowest_between(const circle *o, const cylinder *c, double low, double high)
{
    enum { MOST = 80 };
    static const double ROUNDING = 1e-15;
    double level = ROUNDING * v3_norm(o->x);
    double at_low = slope_around(o, c, low).first;
    double at_high = slope_around(o, c, high).first;
    double angle = 0.5 * (low + high);
    bool fell = false; /* the last slope: the end below moved */
    for (int k = 0; k < MOST && high - low > ROUNDING; ++k) {
        double first = slope_around(o, c, angle).first;
        if (fabs(first) <= level) {
            break;
        }
        bool falls = first < 0.0;
        double kept = k > 0 && falls == fell ? 0.5 : 1.0; /* of the other end */
        low = falls ? angle : low;
        at_low = falls ? first : kept * at_low;
        high = falls ? high : angle;
        at_high = falls ? kept * at_high : first;
        fell = falls;
        double secant = low - at_low * (high - low) / (at_high - at_low);
        bool bracketed = at_low < 0.0 && at_high > 0.0 && secant > low && secant < high;
        angle = k % 3 < 2 && bracketed ? secant : 0.5 * (low + high);
    }
    return angle;
}

/* The signed distance of a point. */
static double value_at(v3 x, const cylinder *c)
{
    v3 r = v3_sub(x, c->center);
    double z = v3_dot(r, c->axis);
    double side = v3_norm(v3_axpy(r, -z, c->axis)) - c->radius;
    double cap = fabs(z) - c->half;
    return side > 0.0 && cap > 0.0 ? sqrt(side * side + cap * cap) : side > cap ? side : cap;
}

/* Samples of the circle, and the minimum next to each of those that are lower than both neighbours and not far above the lowest. */
static double lowest_around(const circle *o, const cylinder *c, double radius)
{
    enum { SAMPLES = 24 };
    static const double STEP = 6.283185307179586 / SAMPLES;
    static const double COSINE = 0.9659258262890683, SINE = 0.25881904510252074; /* of the step */
    double value[SAMPLES];
    double least = HUGE_VAL;
    double x = 1.0;
    double y = 0.0;
    for (int k = 0; k < SAMPLES; ++k) {
        value[k] = value_at(v3_axpy(v3_axpy(o->center, x, o->x), y, o->y), c);
        least = value[k] < least ? value[k] : least;
        double next = COSINE * x - SINE * y;
        y = SINE * x + COSINE * y;
        x = next;
    }
    double sag = radius * STEP; /* no sample is farther above its minimum */
    double best = 0.0;
    double lowest = HUGE_VAL;
    for (int k = 0; k < SAMPLES; ++k) {
        bool valley = value[k] <= value[(k + 1) % SAMPLES] && value[k] <= value[(k + SAMPLES - 1) % SAMPLES];
        if (valley && value[k] <= least + sag) {
            double angle = lowest_between(o, c, (k - 1) * STEP, (k + 1) * STEP);
            double at = slope_around(o, c, angle).value;
            best = at < lowest ? angle : best;
            lowest = at < lowest ? at : lowest;
        }
    }
    return best;
}

feature_distance rim_cylinder_distance(const cylinder *disc, const cylinder *c)
{
    v3 level = v3_axpy(c->axis, -v3_dot(c->axis, disc->axis), disc->axis);
    v3 x = v3_norm2(level) > 1e-12 ? v3_unit(level) : v3_across(disc->axis);
    v3 y = v3_cross(disc->axis, x);
    x = v3_cross(y, disc->axis); /* a short `level` is across the axis but for rounding, which is 1e-10 of it */
    circle o = { disc->center, v3_scale(disc->radius, x), v3_scale(disc->radius, y) };
    double angle = lowest_around(&o, c, disc->radius);
    v3 at = circle_point(&o, angle);
    feature_distance d = vertex_cylinder_distance(at, c);
    v3 out = v3_sub(at, disc->center);
    double curvature = -v3_dot(d.normal, out);
    if (curvature > 0.0 || d.slides < 2) {
        add_slide(&d, v3_cross(disc->axis, out), 0, curvature);
    }
    return d;
}

/* ---- two cylinders -------------------------------------------------------------------------------------------------------- */

static void ends_of(const cylinder *c, v3 out[2])
{
    out[0] = v3_axpy(c->center, -c->half, c->axis);
    out[1] = v3_axpy(c->center, c->half, c->axis);
}

/* Where the axes are nearest inside of both, the plane between them parts both solids by as much. Elsewhere a rim is nearest: a cap
 * is met by the rim of the other. */
feature_distance cylinder_cylinder_distance(const cylinder *a, const cylinder *b)
{
    v3 x[2], y[2];
    ends_of(a, x);
    ends_of(b, y);
    feature_distance best = edge_edge_distance(x, y);
    if (best.slides == 2) {
        best.rounding[0] = a->radius;
        best.rounding[1] = b->radius;
        return best;
    }
    cylinder end[4] = { cylinder_end(a, 0), cylinder_end(a, 1), cylinder_end(b, 0), cylinder_end(b, 1) };
    double bound[4]; /* no rim is nearer */
    double least = HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        bound[k] = value_at(end[k].center, k < 2 ? b : a) - end[k].radius;
    }
    for (int n = 0; n < 4; ++n) {
        int k = 0; /* that of the least bound */
        for (int i = 1; i < 4; ++i) {
            k = bound[i] < bound[k] ? i : k;
        }
        if (!(bound[k] < least)) {
            break;
        }
        feature_distance d = k < 2 ? rim_cylinder_distance(&end[k], b)
                                   : feature_distance_swap(rim_cylinder_distance(&end[k], a));
        best = feature_gap(&d) < least ? d : best;
        least = feature_gap(&d) < least ? feature_gap(&d) : least;
        bound[k] = HUGE_VAL;
    }
    return best;
}
