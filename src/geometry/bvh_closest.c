/* Nearest points: the search is prepared here and done by the file for the processor's instruction set. */
#include "geometry/bvh_tree.h"

#include <float.h>

/* Rounding of p and of the corners to float, of the offsets between them and of the foot on an edge, each by half a
 * step of the coordinates: some ten of them, in one direction at worst. Turning p along the axes of a node, which are
 * rounded too, adds as many again. */
static const double SLACK = 48.0 * (0.5 * (double)FLT_EPSILON);

/* In the tree's units. Beyond, float would hardly tell the triangles apart, and squares might overflow. */
static const double FARTHEST = 1e6;

static double largest(v3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

static void consider(bvh_search *s, int k)
{
    const bvh *t = s->tree;
    bvh_consider(s, k, bvh_corner(t, k, 0), bvh_corner(t, k, 1), bvh_corner(t, k, 2));
}

/* Looks at every triangle. */
static void search_all(bvh_search *s)
{
    for (int i = 0; i < s->tree->mesh->triangle_count; ++i) {
        consider(s, i);
    }
}

bvh_hit bvh_closest_from(const bvh *t, const bvh_node *roots, int root_count, v3 p, int hint, double limit2)
{
    bvh_search s = { .tree = t,
                     .roots = roots,
                     .root_count = root_count,
                     .p = p,
                     .best = { .triangle = -1, .dist2 = limit2, .point = p } };
    if (!(limit2 > 0.0) || !v3_finite(p)) {
        return s.best;
    }
    if (hint >= 0 && hint < t->mesh->triangle_count) {
        consider(&s, hint);
    }
    v3 at = v3_scale(t->per_m, v3_sub(p, t->center));
    double size = largest(at);
    if (!(size < FARTHEST)) {
        search_all(&s);
        return s.best;
    }
    s.at[0] = (float)at.x;
    s.at[1] = (float)at.y;
    s.at[2] = (float)at.z;
    s.slack = SLACK * (size + 2.0);
    if (t->wide) {
        bvh_search_avx2(&s);
    } else {
        bvh_search_portable(&s);
    }
    return s.best;
}

bvh_hit bvh_closest(const bvh *t, v3 p, int hint, double limit2)
{
    return bvh_closest_from(t, t->nodes, 1, p, hint, limit2);
}
