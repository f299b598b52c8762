/* An ellipsoid in a convex solid: the least translation that parts them, D = -max s(n), s(n) = -h_A(-n) - h_B(n) with the supports of
 * both. Directions fall apart by what of B lies farthest along them: the normals of its faces, arcs of its edges and of its round
 * sides, the cones of its corners, balls and rims. In each s has one formula, and its largest value there is a candidate; the true s
 * of every candidate, with the support of all of B, is no larger than the largest of all, so the best of them is it, and D is
 * continuous in the pose. What is farther than D from the surface of the ellipsoid cannot be what is met in an overlap; that it is one
 * shows the ellipsoid's lowest point, which is then inside, else all of B is asked. */
#include "collision/exact_curve.h"

#include "collision/collider_parts.h"

typedef struct oval_tries {
    const oval *o;
    const collider *field;
    double best; /* [m] the largest s so far */
    v3 n;
    bool all; /* no part of B is left out */
    long looks;
} oval_tries;

/* ---- the other solid ---------------------------------------------------------------------------------------------- */

/* Pieces of rims and of round sides give way to what they stand for. */
static bool is_corner(const facets *f, int vertex)
{
    return !f->vertices[vertex].barrel && !(f->rim_count > 0 && f->rim_of[vertex] >= 0);
}

static bool is_edge(const facets *f, int edge)
{
    return f->rim_count == 0 || f->edges[edge].radius > 0.0;
}

static oval oval_of_vertex(const facet_vertex *v)
{
    return (oval){ v->r, m3_identity(), v->half };
}

static oval oval_of_rim(const shape_rim *r)
{
    v3 x = v3_across(r->axis);
    return (oval){ r->center, m3_from_columns(x, v3_cross(r->axis, x), r->axis), { r->radius, r->radius, 0.0 } };
}

static double support_of(const facets *f, v3 n)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < f->counts[FACET_VERTICES]; ++i) {
        if (is_corner(f, i)) {
            oval v = oval_of_vertex(&f->vertices[i]);
            most = fmax(most, oval_reach(&v, n) + f->vertices[i].radius);
        }
    }
    for (int k = 0; k < f->rim_count; ++k) {
        oval rim = oval_of_rim(&f->rims[k]);
        most = fmax(most, oval_reach(&rim, n));
    }
    return most;
}

/* ---- candidates --------------------------------------------------------------------------------------------------- */

static void try_direction(oval_tries *t, v3 n, double support)
{
    double s = -oval_reach(t->o, v3_neg(n)) - support;
    t->looks++;
    if (s > t->best) {
        t->best = s;
        t->n = n;
    }
}

/* All places where s is largest by the formula of a part of B alone: never less than what is true. `radius` [m] around that part. */
static void try_meetings(oval_tries *t, const oval *part, const v3 *along, double radius)
{
    oval_meeting all[OVAL_MOST];
    int count = oval_meet_all(t->o, part, along, all);
    for (int k = 0; k < count; ++k) {
        t->looks++;
        if (all[k].gap - radius > t->best) {
            try_direction(t, all[k].n, support_of(t->field->facets, all[k].n));
        }
    }
}

static void try_faces(oval_tries *t)
{
    const exact_solid *s = &t->field->elements->solid;
    for (int i = 0; i < s->plane_count; ++i) {
        try_direction(t, s->normals[i], s->offsets[i]);
    }
}

/* [m] from the surface of the ellipsoid; its sign and size are bounds, by the least and the largest half axis. */
static bool out_of_reach(const oval_tries *t, const feature_ball *ball)
{
    const oval *o = t->o;
    v3 r = m3_tmulv(o->axes, v3_sub(ball->center, o->c));
    double scale = v3_norm(v3_make(r.x / o->half.x, r.y / o->half.y, r.z / o->half.z));
    /* the distance of r from the surface, (scale - 1) h, with h between |r| / scale and the least half axis */
    double shortest = fmin(o->half.x, fmin(o->half.y, o->half.z));
    double apart = fabs(scale - 1.0) * shortest;
    return !t->all && apart > -t->best + ball->radius;
}

static void try_feature(oval_tries *t, int kind, int i)
{
    const facets *f = t->field->facets;
    if (kind == FACET_VERTICES && is_corner(f, i)) {
        oval v = oval_of_vertex(&f->vertices[i]);
        try_meetings(t, &v, NULL, f->vertices[i].radius);
    } else if (kind == FACET_EDGES && is_edge(f, i)) {
        const facet_edge *e = &f->edges[i];
        try_meetings(t, &(oval){ .c = e->r, .axes = m3_identity() }, &e->d, e->radius);
    }
}

static void try_features(oval_tries *t, int kind)
{
    const facets *f = t->field->facets;
    const feature_tree *tree = &f->trees[kind];
    for (int c = 0; c < tree->cell_count && !(t->best > 0.0);) {
        const feature_cell *cell = &tree->cells[c];
        bool near = !out_of_reach(t, &cell->ball);
        for (int place = cell->first; near && place < cell->first + cell->count; ++place) {
            int i = tree->order[place];
            if (!out_of_reach(t, &f->balls[kind][i])) {
                try_feature(t, kind, i);
            }
        }
        c = near ? c + 1 : cell->next;
    }
}

static void try_rims(oval_tries *t)
{
    const facets *f = t->field->facets;
    for (int k = 0; k < f->rim_count && !(t->best > 0.0); ++k) {
        oval rim = oval_of_rim(&f->rims[k]);
        try_meetings(t, &rim, NULL, 0.0);
    }
}

/* ---- the side of a cone ------------------------------------------------------------------------------------------- */

/* Its normals n = cosine radial + sine axis make a circle; s along it is -h_A(-n) less a constant. */
typedef struct slant {
    v3 u, v, axis, tip;
    double cosine, sine;
} slant;

static slant slant_of(const exact_solid *s)
{
    double length = sqrt(s->radius * s->radius + s->height * s->height);
    v3 u = v3_across(s->axis);
    return (slant){ u,
                    v3_cross(s->axis, u),
                    s->axis,
                    v3_axpy(s->center, s->height, s->axis),
                    s->height / length,
                    s->radius / length };
}

static v3 slant_normal(const slant *c, double angle)
{
    v3 radial = v3_axpy(v3_scale(cos(angle), c->u), sin(angle), c->v);
    return v3_axpy(v3_scale(c->cosine, radial), c->sine, c->axis);
}

static double slant_value(const oval_tries *t, const slant *c, double angle)
{
    return -oval_reach(t->o, v3_neg(slant_normal(c, angle)));
}

/* Newton's method from an angle between two that are no better, halved until s does not fall. */
static double climb_slant(const oval_tries *t, const slant *c, double angle, double most)
{
    enum { TIMES = 60, HALVINGS = 40 };
    double at = slant_value(t, c, angle);
    for (int k = 0; k < TIMES; ++k) {
        v3 n = slant_normal(c, angle);
        v3 n1 = v3_scale(c->cosine, v3_axpy(v3_scale(-sin(angle), c->u), cos(angle), c->v));
        v3 n2 = v3_neg(v3_axpy(n, -c->sine, c->axis));
        v3 p = oval_support(t->o, v3_neg(n));
        double slope = v3_dot(n1, p);
        double bend = v3_dot(n2, p) - v3_dot(n1, oval_bend(t->o, v3_neg(n), n1));
        double step = bend < 0.0 ? -slope / bend : copysign(most, slope);
        step = fmax(-most, fmin(most, step));
        double next = slant_value(t, c, angle + step);
        for (int i = 0; i < HALVINGS && fabs(step) > 1e-7 && !(next >= at); ++i) {
            step *= 0.5;
            next = slant_value(t, c, angle + step);
        }
        angle += step;
        at = next;
        if (!(fabs(step) > 1e-15)) {
            break;
        }
    }
    return angle;
}

/* From every angle of a few that is better than both beside it. */
static void try_slant(oval_tries *t)
{
    enum { STARTS = 16 };
    const double step = 2.0 * acos(-1.0) / STARTS;
    slant c = slant_of(&t->field->elements->solid);
    double s[STARTS];
    for (int k = 0; k < STARTS; ++k) {
        s[k] = slant_value(t, &c, step * k);
    }
    for (int k = 0; k < STARTS; ++k) {
        if (s[k] >= s[(k + 1) % STARTS] && s[k] >= s[(k + STARTS - 1) % STARTS]) {
            v3 n = slant_normal(&c, climb_slant(t, &c, step * k, step));
            try_direction(t, n, support_of(t->field->facets, n));
        }
    }
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static void try_parts(oval_tries *t)
{
    if (t->field->elements->solid.round == ROUND_SLANT) {
        try_slant(t);
    }
    try_rims(t);
    try_features(t, FACET_EDGES);
    try_features(t, FACET_VERTICES);
}

/* Whether the lowest point along the best direction lies in B. */
static bool is_inside(const oval_tries *t)
{
    int hint = -1;
    return field_source_sample(&t->field->elements->surface, oval_support(t->o, v3_neg(t->n)), &hint).distance <= 0.0;
}

bool exact_oval_touch(const oval *o, const collider *field, exact_touch *out, long *looks)
{
    oval_tries t = { .o = o, .field = field, .best = -HUGE_VAL };
    try_faces(&t);
    if (isfinite(field->facets->size) && !(t.best > 0.0)) {
        try_parts(&t);
        t.all = !(t.best > 0.0) && !is_inside(&t);
        if (t.all) {
            try_parts(&t);
        }
    }
    *looks += t.looks;
    if (!(t.best < 0.0)) {
        return false;
    }
    v3 p = oval_support(o, v3_neg(t.n));
    *out = (exact_touch){
        .depth = -t.best, .p_f = v3_axpy(p, -0.5 * t.best, t.n), .gradient_f = t.n, .place_count = 1
    };
    return true;
}
