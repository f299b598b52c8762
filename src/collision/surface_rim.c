/* A rim is a circle: centre c, unit axis a, radius R. Its lowest point above a plane with unit normal n is R |a x n| below its
 * centre. Which point that is jumps where the rim lies flat; there the vertices on it take over.
 *
 * Motion. A turn about its own axis does not move a circle. So its points may be taken as those of a disc that turns with
 * w' = w - k a only, k = w . a. Such a point c + R e has e' = w' x e, w'' = -k w' x a, and an acceleration of at most
 * |w x v_c| + R |w'| (|k| + |w'|). Its height above the plane changes at the rate n . (v_c - V(c)) + R e . (n x (w' - w_p)), with V
 * the velocity field of the plane's body. To first order the least height of all points after s is therefore that of the centre
 * less R |P (n + s n x (w' - w_p))|, P across the axis: a concave function of s, which stays one when s^2 / 2 times a
 * bound of all accelerations is taken off. It is least at an end of [0, tau], and its chords lie below it. */
#include "collision/surface_rim.h"

#include "collision/surface_round.h"

static int rim_side(const feature_pair *pair)
{
    return pair->kind[0] == SURFACE_RIM ? 0 : 1;
}

placed_rim surface_place_rim(const surface_pair *p, const feature_pair *pair)
{
    int side = rim_side(pair);
    const shape_rim *rim = &(side == 0 ? p->a : p->b)->rims[pair->index[side]];
    return (placed_rim){ .arm = side == 0 ? m3_mulv(p->R, rim->center) : rim->center,
                         .axis = side == 0 ? m3_mulv(p->R, rim->axis) : rim->axis,
                         .radius = rim->radius };
}

static v3 plane_normal(const surface_pair *p)
{
    return p->b->half_space ? p->b->normal : m3_mulv(p->R, p->a->normal);
}

v3 surface_lowest_of_rim(const surface_pair *p, const feature_pair *pair)
{
    placed_rim rim = surface_place_rim(p, pair);
    v3 n = plane_normal(p);
    v3 level = v3_axpy(n, -v3_dot(n, rim.axis), rim.axis);
    double sine = v3_norm(level);
    v3 down = sine > 0.0 ? v3_scale(-1.0 / sine, level) : v3_across(rim.axis);
    v3 center = rim_side(pair) == 0 ? v3_add(p->c, rim.arm) : rim.arm;
    return v3_axpy(center, rim.radius, down);
}

/* Its height is that of the centre less R |P n|. With the lowest point held, a turn w moves the tangent t there out of the level by
 * w . (t x n); that point then slides until it is level again, where the rim bends up with sine / R. */
v3 surface_pair_bend(const surface_pair *p, const feature_pair *pair)
{
    if (pair->kind[0] != SURFACE_RIM && pair->kind[1] != SURFACE_RIM) {
        return v3_zero();
    }
    placed_rim rim = surface_place_rim(p, pair);
    v3 n = plane_normal(p);
    v3 tangent = v3_cross(rim.axis, n);
    double sine = v3_norm(tangent);
    return sine > 0.0 ? v3_scale(sqrt(rim.radius / sine) / sine, v3_cross(tangent, n)) : v3_zero();
}

/* ---- motion ------------------------------------------------------------------------------------------------------------- */

static double least_height(const rim_sight *s, double time)
{
    v3 level = v3_axpy(s->level, time, s->turn);
    double height = s->height + time * (s->rate - 0.5 * time * s->inward) - s->radius * v3_norm(level);
    return s->other_radius > 0.0 ? height - s->other_radius * v3_norm(v3_axpy(s->other_level, time, s->other_turn))
                                 : height;
}

double surface_rim_clear_for(const rim_sight *s, double left, double wanted)
{
    enum { MOST = 40 };
    static const double ROUNDING = 1e-12;
    static const double SHORTENED = 0.99; /* of the way to the root of a chord, lest rounding leads beyond */
    static const double ENOUGH = 0.05;    /* of the height at the start */
    double size = fabs(s->height) + s->radius + s->other_radius + wanted * (fabs(s->rate) + wanted * s->inward);
    double low = 0.0; /* the root of a chord is before that of the function */
    double at_low = least_height(s, low);
    double first = at_low;
    double end = least_height(s, wanted);
    if (end > ROUNDING * size && end > ENOUGH * first) { /* below, what is found here ends: the answer is the same */
        return HUGE_VAL;
    }
    double high = left;
    double at_high = least_height(s, high);
    if (!(at_high < 0.0)) {
        return left;
    }
    for (int k = 0; k < MOST && at_low > ENOUGH * first; ++k) {
        double chord = low + SHORTENED * (high - low) * at_low / (at_low - at_high);
        double time = k % 2 == 0 ? chord : 0.5 * (low + high);
        double height = least_height(s, time);
        if (height > 0.0) {
            low = time;
            at_low = height;
        } else {
            high = time;
            at_high = height < 0.0 ? height : -ENOUGH * first;
        }
    }
    return low;
}

/* ---- factors -------------------------------------------------------------------------------------------------------------- */

/* m(c) = z (2 - z), z = c / threshold < 1, else 1, of c = |a x n|^2. Below, the polygon of the vertices is as good as the circle:
 * it lies above it by a twentieth of the reach at most. */
static edge_mollifier rim_factor(const surface_pair *p, const feature_pair *rim, int points, double reach)
{
    placed_rim r = surface_place_rim(p, rim);
    double threshold = surface_flat_sine2(r.radius, points, reach);
    v3 n = plane_normal(p);
    v3 across = v3_cross(r.axis, n);
    double c = v3_norm2(across);
    if (!(c < threshold)) {
        return (edge_mollifier){ .value = 1.0 };
    }
    double z = c / threshold;
    double own = rim_side(rim) == 0 ? -2.0 : 2.0; /* turns of A turn the axis, or the plane the other way */
    return (edge_mollifier){ .value = z * (2.0 - z),
                             .first = (2.0 - 2.0 * z) / threshold,
                             .second = -2.0 / (threshold * threshold),
                             .turn = v3_scale(own * v3_dot(r.axis, n), across),
                             .edge = { own < 0.0 ? r.axis : n, own < 0.0 ? n : r.axis } };
}

/* That of the lines they are pieces of. */
static edge_mollifier edges_factor(const surface_pair *p, const feature_pair *pair, double reach)
{
    v3 x[2], y[2];
    for (int k = 0; k < 2; ++k) {
        x[k] = m3_mulv(p->R, p->a->vertices[p->a->line_ends[pair->index[0]][k]]);
        y[k] = p->b->vertices[p->b->line_ends[pair->index[1]][k]];
    }
    return edge_mollifier_of(x, y, reach);
}

/* What a vertex of a rim has is what the rim has not. */
static edge_mollifier rest_of(edge_mollifier m)
{
    m.value = 1.0 - m.value;
    m.first = -m.first;
    m.second = -m.second;
    return m;
}

static bool has_plane(const feature_pair *pair)
{
    return pair->kind[0] == SURFACE_PLANE || pair->kind[1] == SURFACE_PLANE;
}

static bool has_round_factor(const surface_pair *p, const feature_pair *pair)
{
    return !has_plane(pair) && (p->a->round || p->b->round);
}

bool surface_pair_mollifier_hessian(const surface_pair *p, const feature_pair *pair, double reach,
                                    double out[TWIST_PAIR][TWIST_PAIR])
{
    if (!has_round_factor(p, pair)) {
        return false;
    }
    surface_round_mollifier_hessian(p, pair, reach, out);
    return true;
}

edge_mollifier surface_pair_mollifier(const surface_pair *p, const feature_pair *pair, double reach)
{
    edge_mollifier none = { .value = 1.0 };
    bool flat = has_plane(pair);
    if (has_round_factor(p, pair)) {
        return surface_round_mollifier(p, pair, reach);
    }
    if (pair->kind[0] == SURFACE_EDGE && pair->kind[1] == SURFACE_EDGE) {
        return edges_factor(p, pair, reach);
    }
    if (!flat) {
        return none;
    }
    int side = pair->kind[0] == SURFACE_PLANE ? 1 : 0;
    const surface *s = side == 0 ? p->a : p->b;
    bool whole = pair->kind[side] == SURFACE_RIM;
    int rim = whole ? pair->index[side] : s->vertex_rims ? s->vertex_rims[pair->index[side]] : -1;
    if (rim < 0) {
        return none;
    }
    feature_pair of_rim = *pair;
    of_rim.kind[side] = SURFACE_RIM;
    of_rim.index[side] = rim;
    edge_mollifier m = rim_factor(p, &of_rim, s->rim_points[rim], reach);
    return whole ? m : rest_of(m);
}
