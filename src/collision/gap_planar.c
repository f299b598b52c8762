/* Rods and polygons that share a plane touch in it: corners against sides, both ways [papers/3].
 *
 * A polygon's side has an outside. A rod is a line that is met from both sides: a corner touches it from where the rest
 * of its shape is, unless that rest passes beyond the rod's end. Two rods never cross but by a tip going over a side. */
#include "collision/gap_features.h"

#include "collision/feature_walk.h"
#include "math/quat.h"

static const double COPLANAR = 1e-6; /* sine of the angle between planes that are taken for one */
static const double TIP = 1e-9;      /* of a side's length: contact this near to its end is with the tip */
static const double LEVEL = 1e-9;    /* sine of the angle of shapes that lie along a line */

bool gap_scene_planar(const gap_scene *s)
{
    const facet_outline *a = &s->f[0]->outline;
    const facet_outline *b = &s->f[1]->outline;
    if (a->count == 0 || b->count == 0) {
        return false;
    }
    v3 normal = pose_turn(&s->to[0], a->normal);
    double offset = fabs(v3_dot(s->to[0].position, b->normal));
    return v3_norm(v3_cross(normal, b->normal)) <= COPLANAR && offset <= (a->half + b->half) * (1.0 + COPLANAR);
}

/* ---- corner against side ------------------------------------------------------------------------------------------- */

/* Corner i of shape `on` in the axes of the other one, with its spokes. */
typedef struct planar_corner {
    v3 r;
    v3 spoke[2];
    int count;
} planar_corner;

static planar_corner corner_seen(const gap_scene *s, int on, int i)
{
    const facet_corner *corner = &s->f[on]->outline.corners[i];
    planar_corner c = { .r = pose_point(&s->to[on], corner->r), .count = corner->spoke_count };
    for (int k = 0; k < c.count; ++k) {
        c.spoke[k] = pose_turn(&s->to[on], corner->spokes[k]);
    }
    return c;
}

/* Whether an edge that leaves the corner goes through the line between its ends. */
static bool passes_through(const planar_corner *c, const facet_side *side, double along, double height)
{
    bool through = false;
    for (int k = 0; k < c->count; ++k) {
        double fall = -v3_dot(c->spoke[k], side->normal);
        double at = along + height / fall * v3_dot(c->spoke[k], side->d);
        through = through || (fall * height > 0.0 && at >= 0.0 && at <= side->length);
    }
    return through;
}

/* From which side of a line the corner comes. */
static double side_met(const gap_scene *s, const planar_corner *c, const facet_side *side, double along,
                       double height)
{
    double rest = 0.0;
    for (int k = 0; k < c->count; ++k) {
        rest += v3_dot(c->spoke[k], side->normal);
    }
    bool undecided = fabs(rest) <= LEVEL;
    bool by_rest = fabs(height) <= s->touch || passes_through(c, side, along, height);
    double decisive = by_rest && !undecided ? rest : height;
    return decisive < 0.0 ? -1.0 : 1.0;
}

/* Outlines may lie beside each other by their thickness: nearness is what is seen along the normal. */
static v3 into_plane(const facet_outline *o, v3 r)
{
    return v3_axpy(r, -v3_dot(v3_sub(r, o->corners[0].r), o->normal), o->normal);
}

/* How far [m] the point p, `depth` behind side j, is behind all other sides that a way straight in from there would come
 * out through: negative, it is outside, beside a corner so sharp that it is behind the side beyond. */
static double buried(const facet_outline *o, int j, v3 p, double depth, double touch)
{
    v3 in = v3_neg(o->sides[j].normal);
    double least = HUGE_VAL;
    v3 middle = into_plane(o, v3_axpy(p, -0.5 * depth, in));
    feature_walk w = feature_walk_near(&o->side_tree, o->side_balls, middle, 0.5 * depth + touch);
    for (int k = feature_walk_next(&w); k >= 0; k = feature_walk_next(&w)) {
        const facet_side *side = &o->sides[k];
        double outside = v3_dot(side->normal, v3_sub(p, side->r));
        double climb = v3_dot(side->normal, in);
        if (k != j && outside > 0.0 && outside < climb * depth) {
            double along = v3_dot(side->d, v3_sub(v3_axpy(p, -outside / climb, in), side->r));
            least = along >= -touch && along <= side->length + touch ? fmin(least, -outside) : least;
        }
    }
    return least;
}

static gap_closeness corner_side(const gap_scene *s, const planar_corner *c, const facet_outline *other, int j)
{
    const facet_side *side = &other->sides[j];
    v3 from = v3_sub(c->r, side->r);
    double along = v3_dot(from, side->d);
    double height = v3_dot(from, side->normal);
    gap_closeness out = { .inside = fmin(along, side->length - along), .own = HUGE_VAL, .side = 1.0 };
    if (other->line) {
        out.side = side_met(s, c, side, along, height);
    }
    out.gap = out.side * height;
    for (int k = 0; k < c->count; ++k) {
        out.own = fmin(out.own, s->size * out.side * v3_dot(c->spoke[k], side->normal));
    }
    if (!other->line && out.gap < -s->touch && out.inside >= -s->touch && out.gap >= -GAP_DEPTH * s->size) {
        out.inside = fmin(out.inside, buried(other, j, c->r, -out.gap, s->touch));
    }
    return out;
}

/* ---- corner and corner: a distance ---------------------------------------------------------------------------------- */

static gap_closeness corner_corner(const planar_corner *a, const facet_corner *b)
{
    v3 away = v3_sub(a->r, b->r);
    gap_closeness out = { .gap = v3_norm(away), .inside = HUGE_VAL, .cone = HUGE_VAL };
    for (int k = 0; k < a->count; ++k) {
        out.cone = fmin(out.cone, v3_dot(a->spoke[k], away));
    }
    for (int k = 0; k < b->spoke_count; ++k) {
        out.cone = fmin(out.cone, -v3_dot(b->spokes[k], away));
    }
    return out;
}

/* ---- search ---------------------------------------------------------------------------------------------------------- */

static const double ROUNDING = 1e-12; /* of all lengths that come in */

typedef struct planar_search {
    const gap_scene *scene;
    double margin; /* [m] */
    double reach;  /* [m] farther from each other within the plane are no features that count */
    gap_list *out;
} planar_search;

static bool counts(const planar_search *p, const gap_closeness *c)
{
    const gap_scene *s = p->scene;
    return gap_in_reach(s, c, p->margin) && (c->gap > s->touch || c->own >= -GAP_CONE * s->size);
}

static gap_feature feature_of(gap_kind kind, int on, int i, int j)
{
    gap_feature f = { .kind = kind, .swapped = on == 1, .side = 1.0 };
    f.feature[on] = GAP_PLANAR | (uint32_t)i;
    f.feature[1 - on] = GAP_PLANAR | (uint32_t)j;
    return f;
}

static bool try_corner_side(planar_search *p, int on, int i, const planar_corner *corner, int j)
{
    const gap_scene *s = p->scene;
    gap_closeness c = corner_side(s, corner, &s->f[1 - on]->outline, j);
    if (!counts(p, &c)) {
        return true;
    }
    const facet_side *side = &s->f[1 - on]->outline.sides[j];
    gap_feature f = feature_of(GAP_POINT_PLANE, on, i, j);
    f.mode = fabs(c.inside) <= TIP * side->length ? CAROM_MODE_TIP_TIP : CAROM_MODE_POINT_LINE;
    f.side = c.side;
    f.c_c[0] = pose_point(&s->pose_c[on], s->f[on]->outline.corners[i].r);
    f.c_c[1] = pose_point(&s->pose_c[1 - on], side->r);
    f.d_c[1] = pose_turn(&s->pose_c[1 - on], v3_scale(c.side, side->normal));
    return gap_push(p->out, &f);
}

static bool try_corner_corner(planar_search *p, int i, const planar_corner *corner, int j)
{
    const gap_scene *s = p->scene;
    const facet_corner *other = &s->f[1]->outline.corners[j];
    gap_closeness c = corner_corner(corner, other);
    double touch = s->touch;
    if (!(c.gap > touch && c.gap <= p->margin && c.cone >= -touch * c.gap)) {
        return true;
    }
    gap_feature f = feature_of(GAP_POINT_POINT, 0, i, j);
    f.mode = CAROM_MODE_NONE;
    f.c_c[0] = pose_point(&s->pose_c[0], s->f[0]->outline.corners[i].r);
    f.c_c[1] = pose_point(&s->pose_c[1], other->r);
    return gap_push(p->out, &f);
}

static bool try_corner(planar_search *p, int on, int i)
{
    const facet_outline *other = &p->scene->f[1 - on]->outline;
    planar_corner c = corner_seen(p->scene, on, i);
    v3 at = into_plane(other, c.r);
    bool ok = true;
    feature_walk w = feature_walk_near(&other->side_tree, other->side_balls, at, p->reach);
    for (int j = feature_walk_next(&w); ok && j >= 0; j = feature_walk_next(&w)) {
        ok = try_corner_side(p, on, i, &c, j);
    }
    if (on == 1) {
        return ok;
    }
    w = feature_walk_near(&other->corner_tree, other->corner_balls, at, p->reach);
    for (int j = feature_walk_next(&w); ok && j >= 0; j = feature_walk_next(&w)) {
        ok = !other->corners[j].convex || try_corner_corner(p, i, &c, j);
    }
    return ok;
}

/* Whether any side of the other outline is near a cell of corners. Its corners are the ends of its sides. */
static bool cell_is_near(const planar_search *p, int on, const feature_ball *ball)
{
    const facet_outline *other = &p->scene->f[1 - on]->outline;
    v3 center = into_plane(other, pose_point(&p->scene->to[on], ball->center));
    feature_walk w = feature_walk_near(&other->side_tree, other->side_balls, center, p->reach + ball->radius);
    return feature_walk_next(&w) >= 0;
}

static bool try_corners(planar_search *p, int on)
{
    const facet_outline *o = &p->scene->f[on]->outline;
    const feature_tree *tree = &o->corner_tree;
    bool ok = true;
    for (int k = 0; k < tree->cell_count;) {
        const feature_cell *cell = &tree->cells[k];
        bool near = cell_is_near(p, on, &cell->ball);
        for (int place = cell->first; ok && near && place < cell->first + cell->count; ++place) {
            int i = tree->order[place];
            ok = !o->corners[i].convex || try_corner(p, on, i);
        }
        k = near ? k + 1 : cell->next;
    }
    return ok;
}

bool gap_find_planar(gap_list *out, const gap_scene *s, double margin)
{
    planar_search p = { .scene = s, .margin = margin, .out = out };
    double lengths = v3_norm(s->to[0].position) + s->f[0]->size + s->f[1]->size;
    p.reach = fmax(margin, GAP_DEPTH * s->size) + s->touch + ROUNDING * lengths;
    return try_corners(&p, 0) && try_corners(&p, 1);
}

double gap_bounds_planar(const gap_feature *f, const gap_scene *s)
{
    int on = f->swapped ? 1 : 0;
    int i = (int)(f->feature[on] & ~GAP_PLANAR);
    int j = (int)(f->feature[1 - on] & ~GAP_PLANAR);
    const facet_outline *other = &s->f[1 - on]->outline;
    planar_corner corner = corner_seen(s, on, i);
    if (f->kind == GAP_POINT_POINT) {
        gap_closeness c = corner_corner(&corner, &other->corners[j]);
        return s->touch + c.cone / fmax(c.gap, s->touch);
    }
    return s->touch + corner_side(s, &corner, other, j).inside;
}
