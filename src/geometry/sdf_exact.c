/* Exact signed distances to a mesh, (1) and (2) of paper 1: the nearest triangle, and the side it is seen from.
 *
 * Side: the angle-weighted pseudonormal where the surface is closed and does not cut itself [Baerentzen2005],
 * turned over when the mesh is inside out; else inside where the absolute winding number exceeds one half [Jacobson
 * 2013], which needs no consistent outside. A point on the surface has distance +0, so that no tie between triangles
 * decides a bit. */
#include "geometry/sdf_impl.h"

static double side_of(const sdf_source *s, v3 p, const bvh_hit *hit)
{
    if (s->sign == SDF_SIGN_WINDING) {
        return fabs(bvh_winding(s->tree, p)) > 0.5 ? -1.0 : 1.0;
    }
    return s->orientation * bvh_side(s->tree, p, hit);
}

static double signed_distance(const sdf_source *s, v3 p, const bvh_hit *hit)
{
    return hit->dist2 > 0.0 ? side_of(s, p, hit) * sqrt(hit->dist2) : 0.0;
}

double sdf_exact(const sdf_source *s, v3 p, int *hint)
{
    bvh_hit hit = bvh_closest(s->tree, p, *hint, HUGE_VAL);
    *hint = hit.triangle;
    return signed_distance(s, p, &hit);
}

/* Two points whose balls up to the surface overlap are on the same side of it. */
static double distance_beside(const sdf_source *s, v3 p, const bvh_hit *hit, const sdf_neighbour *near)
{
    double dist = sqrt(hit->dist2);
    bool same_side = s->encloses && near->side != 0.0 && dist + near->to_surface > near->to_point * (1.0 + 1e-9);
    return same_side ? near->side * dist : signed_distance(s, p, hit);
}

double sdf_exact_beside(const sdf_source *s, v3 p, const sdf_neighbour *near, int *hint)
{
    bvh_hit hit = bvh_closest(s->tree, p, *hint, HUGE_VAL);
    *hint = hit.triangle;
    return distance_beside(s, p, &hit, near);
}

bool sdf_exact_within(const sdf_source *s, const bvh_focus *focus, v3 p, double limit2, const sdf_neighbour *near,
                      int *hint, double *distance)
{
    bvh_hit hit = bvh_closest_in_focus(focus, p, *hint, limit2);
    if (hit.triangle < 0) {
        return false;
    }
    *hint = hit.triangle;
    *distance = distance_beside(s, p, &hit, near);
    return true;
}

double sdf_exact_side(const sdf_source *s, v3 p, int hint)
{
    return sdf_exact(s, p, &hint) < 0.0 ? -1.0 : 1.0;
}
