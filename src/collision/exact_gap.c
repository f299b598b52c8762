/* How far two convex solids are apart; meshes that are not convex are in exact_gap_mesh.c. A point is brought to the nearest one of the other solid and back, again and again: both come
 * nearer to the nearest points of the two. The plane across the line between them separates the solids by what their supports leave: a
 * lower bound of the distance at any time. */
#include "collision/collider_parts.h"
#include "collision/exact_gap.h"

/* D of the deepest element; 0: none touches. */
static bool find_deepest(exact_list *room, const collider *const c[2], const carom_pose pose_w[2], double *deepest)
{
    bool sides[2];
    size_t before = room->count;
    bool ok = true;
    exact_sides(c[0], c[1], sides);
    for (int side = 0; side < 2 && ok; ++side) {
        ok = !sides[side] ||
             exact_find(room, c[1 - side], c[side], exact_relative_pose(&pose_w[1 - side], &pose_w[side]));
    }
    *deepest = 0.0;
    for (size_t k = before; k < room->count; ++k) {
        *deepest = fmax(*deepest, room->items[k].depth);
    }
    room->count = before;
    return ok;
}

/* The largest n . x of an element. */
static double support_of(const exact_element *e, v3 n)
{
    double along = v3_dot(n, e->r) + e->radius;
    if (e->kind == EXACT_CIRCLE) {
        double u = v3_dot(n, e->u), v = v3_dot(n, e->v);
        return along + e->ring * sqrt(u * u + v * v);
    }
    if (e->kind == EXACT_OVAL) {
        v3 w = v3_make(e->half.x * n.x, e->half.y * n.y, e->half.z * n.z); /* u, v: axes of the collider */
        return along + v3_norm(w);
    }
    return e->kind == EXACT_POINT || e->kind == EXACT_BALL ? along : -HUGE_VAL; /* ends of lines are points */
}

/* The largest n . x of a solid, in the world; infinite for half-spaces but along their normal. */
static double support_w(const collider *c, const carom_pose *pose, v3 n_w)
{
    const exact_elements *e = c->elements;
    v3 n = q_unrotate(pose->orientation, n_w);
    double most = -HUGE_VAL;
    for (int i = 0; i < e->count; ++i) {
        most = fmax(most, support_of(&e->items[i], n));
    }
    if (e->count == 0) {
        most = e->solid.offsets[0];
    }
    return v3_dot(n_w, pose->position) + most;
}

/* The point of a solid nearest to p; p itself when it is inside. */
static v3 nearest_w(const collider *c, const carom_pose *pose, v3 p_w)
{
    v3 p = q_unrotate(pose->orientation, v3_sub(p_w, pose->position));
    int hint = -1;
    field_sample f = field_source_sample(&c->elements->surface, p, &hint);
    p = f.distance > 0.0 ? v3_axpy(p, -f.distance, f.gradient) : p;
    return v3_add(pose->position, q_rotate(pose->orientation, p));
}

/* By how much the plane with this normal, from the second solid to the first, separates both. */
static double separation(const collider *const c[2], const carom_pose pose_w[2], v3 n_w)
{
    return -support_w(c[0], &pose_w[0], v3_neg(n_w)) - support_w(c[1], &pose_w[1], n_w);
}

static double plane_gap(const collider *const c[2], const carom_pose pose_w[2], int plane)
{
    v3 n_w = q_rotate(pose_w[plane].orientation, c[plane]->elements->solid.normals[0]);
    return separation(c, pose_w, plane == 1 ? n_w : v3_neg(n_w));
}

/* A lower bound of the distance, nine tenths of it or more unless nearest points are hard to find. */
static double lower_bound(const collider *const c[2], const carom_pose pose_w[2])
{
    enum { TIMES = 60 };
    const double good = 0.9;
    const obb *box = collider_box(c[0]);
    v3 a = v3_add(pose_w[0].position, q_rotate(pose_w[0].orientation, box->center));
    double best = 0.0;
    for (int k = 0; k < TIMES; ++k) {
        v3 b = nearest_w(c[1], &pose_w[1], a);
        a = nearest_w(c[0], &pose_w[0], b);
        double upper = v3_norm(v3_sub(a, b));
        if (!(upper > 0.0)) {
            return best;
        }
        best = fmax(best, separation(c, pose_w, v3_scale(1.0 / upper, v3_sub(a, b))));
        best = fmax(best, 1e-9 * upper); /* no element touches: they are apart */
        if (best >= good * upper) {
            return best;
        }
    }
    return best;
}

static bool is_mesh(const collider *c)
{
    return c->elements->solid.round == ROUND_MESH;
}

static bool is_hoop(const collider *c)
{
    return c->elements->solid.round == ROUND_HOOP;
}

static bool is_oval(const collider *c)
{
    return c->elements->count == 1 && c->elements->items[0].kind == EXACT_OVAL;
}

bool exact_gap(exact_list *room, const collider *const c[2], const carom_pose pose_w[2], double limit, double *gap)
{
    double deepest;
    if (!find_deepest(room, c, pose_w, &deepest)) {
        return false;
    }
    if (deepest > 0.0) {
        *gap = fmin(limit, -deepest);
        return true;
    }
    if (is_hoop(c[0]) || is_hoop(c[1])) {
        *gap = exact_gap_of_hoop(room, c, pose_w, is_hoop(c[0]) ? 0 : 1, limit);
        return true;
    }
    if ((is_mesh(c[0]) || is_mesh(c[1])) && !is_oval(c[0]) &&
        !is_oval(c[1])) { /* ovals are tried in convex ones only */
        *gap = exact_gap_of_meshes(c, pose_w, limit);
        return true;
    }
    int plane = c[0]->elements->count == 0 ? 0 : c[1]->elements->count == 0 ? 1 : -1;
    *gap = fmin(limit, plane >= 0 ? plane_gap(c, pose_w, plane) : lower_bound(c, pose_w));
    return true;
}
