/* Triangles by the bricks they come near: a box around the triangle, as much wider as the band, picks the bricks, and its
 * plane rules out those in the box's corners. Counted first, then placed, in the order of the triangles. */
#include "geometry/sdf_near.h"

#include <stdlib.h>

#include "geometry/bvh_tree.h"
#include "geometry/sdf_rows.h"

enum { LONGEST_LIST = 1024 }; /* beyond, a search in the tree is faster */

typedef struct brick_range {
    int first[3], last[3];
} brick_range;

typedef struct near_work {
    const sdf *f;
    const mesh *m;
    int edge;      /* cells along a brick */
    int bricks[3]; /* along the axes */
    sdf_near *out;
} near_work;

static int clamp_brick(double x, int count)
{
    return x < 0.0 ? 0 : x >= count ? count - 1 : (int)x;
}

static brick_range range_of(const near_work *w, int t)
{
    const double rounding = 1e-9; /* cells */
    brick_range range;
    double reach = w->f->band * w->f->per_spacing + rounding;
    v3 corner[3];
    for (int c = 0; c < 3; ++c) {
        corner[c] = sdf_in_cells(w->f, w->m->vertices[w->m->triangles[t][c]]);
    }
    for (int a = 0; a < 3; ++a) {
        double x[3] = { v3_get(corner[0], a), v3_get(corner[1], a), v3_get(corner[2], a) };
        range.first[a] = clamp_brick((fmin(x[0], fmin(x[1], x[2])) - reach) / w->edge, w->bricks[a]);
        range.last[a] = clamp_brick((fmax(x[0], fmax(x[1], x[2])) + reach) / w->edge, w->bricks[a]);
    }
    return range;
}

static double range_size(const brick_range *r)
{
    return (r->last[0] - r->first[0] + 1.0) * (r->last[1] - r->first[1] + 1.0) * (r->last[2] - r->first[2] + 1.0);
}

/* Normal (not of unit length), and how far from the plane a brick's centre may be, in that length. */
typedef struct near_plane {
    v3 normal;
    double offset, reach;
    bool sliver;
} near_plane;

static near_plane plane_of(const near_work *w, int t)
{
    const double smallest_sine2 = 1e-4; /* thinner ones lose digits in the comparison of rows */
    const int *corner = w->m->triangles[t];
    v3 a = w->m->vertices[corner[0]];
    v3 ab = v3_sub(w->m->vertices[corner[1]], a);
    v3 ac = v3_sub(w->m->vertices[corner[2]], a);
    v3 bc = v3_sub(ac, ab);
    near_plane p = { .normal = v3_cross(ab, ac) };
    double half = 0.5 * w->edge * w->f->spacing;
    double length2 = v3_norm2(p.normal);
    double ab2 = v3_norm2(ab);
    double ac2 = v3_norm2(ac);
    double bc2 = v3_norm2(bc);
    p.offset = v3_dot(p.normal, a);
    p.reach = w->f->band * sqrt(length2) * (1.0 + 1e-9) +
              half * (fabs(p.normal.x) + fabs(p.normal.y) + fabs(p.normal.z)) * (1.0 + 1e-9);
    p.sliver = !(length2 > smallest_sine2 * fmax(ab2 * ac2, fmax(ab2 * bc2, ac2 * bc2)));
    return p;
}

static bool plane_misses(const near_work *w, const near_plane *p, int i, int j, int k)
{
    v3 center = sdf_node_at(w->f, w->edge * (i + 0.5), w->edge * (j + 0.5), w->edge * (k + 0.5));
    double rounding = 1e-12 * (fabs(p->offset) + p->reach);
    return !p->sliver && fabs(v3_dot(p->normal, center) - p->offset) > p->reach + rounding;
}

/* Counts (place NULL) or places triangle t in the lists of the kept bricks it comes near. */
static void visit(const near_work *w, int t, size_t *place)
{
    brick_range r = range_of(w, t);
    near_plane plane = plane_of(w, t);
    for (int k = r.first[2]; k <= r.last[2]; ++k) {
        for (int j = r.first[1]; j <= r.last[1]; ++j) {
            for (int i = r.first[0]; i <= r.last[0]; ++i) {
                int32_t b =
                    w->f->index[((size_t)k * (size_t)w->bricks[1] + (size_t)j) * (size_t)w->bricks[0] + (size_t)i];
                if (b < 0 || plane_misses(w, &plane, i, j, k)) {
                    continue;
                }
                if (place) {
                    w->out->triangles[place[b]++] = t;
                } else {
                    ++w->out->start[b + 1];
                    w->out->plain[b] = w->out->plain[b] && !plane.sliver;
                }
            }
        }
    }
}

/* Triangles as long as the whole mesh, and many of them: visiting all their bricks would cost more than it saves. */
static bool lists_pay(const near_work *w)
{
    const double most = 50.0 * w->m->triangle_count + 1e6;
    double sum = 0.0;
    for (int t = 0; t < w->m->triangle_count && sum <= most; ++t) {
        brick_range r = range_of(w, t);
        sum += range_size(&r);
    }
    return sum <= most;
}

static void count_lists(const near_work *w, int brick_count)
{
    for (int b = 0; b < brick_count; ++b) {
        w->out->plain[b] = 1;
    }
    for (int t = 0; t < w->m->triangle_count; ++t) {
        visit(w, t, NULL);
    }
    for (int b = 0; b < brick_count; ++b) {
        w->out->plain[b] = w->out->plain[b] && w->out->start[b + 1] <= LONGEST_LIST;
        w->out->start[b + 1] += w->out->start[b];
    }
}

static bool place_lists(const near_work *w, int brick_count)
{
    size_t *place = malloc(((size_t)brick_count + 1) * sizeof *place);
    w->out->triangles = malloc((w->out->start[brick_count] + 1) * sizeof *w->out->triangles);
    bool ok = place && w->out->triangles;
    if (ok) {
        for (int b = 0; b < brick_count; ++b) {
            place[b] = w->out->start[b];
        }
        for (int t = 0; t < w->m->triangle_count; ++t) {
            visit(w, t, place);
        }
    }
    free(place);
    return ok;
}

bool sdf_near_create(sdf_near *out, const sdf *f, const mesh *m, int edge, int brick_count)
{
    near_work w = { .f = f, .m = m, .edge = edge, .out = out };
    for (int a = 0; a < 3; ++a) {
        w.bricks[a] = f->cells[a] / edge;
    }
    out->start = calloc((size_t)brick_count + 1, sizeof *out->start);
    out->plain = calloc((size_t)brick_count + 1, sizeof *out->plain);
    if (!out->start || !out->plain) {
        return false;
    }
    if (!lists_pay(&w)) {
        return true; /* no brick is plain */
    }
    count_lists(&w, brick_count);
    return place_lists(&w, brick_count);
}

void sdf_near_free(sdf_near *near)
{
    free(near->start);
    free(near->triangles);
    free(near->plain);
}

static void prepare_rows(sdf_rows *rows, const sdf *f, const int node[3])
{
    double band2 = f->band * f->band;
    rows->limit2 = band2;
    for (int i = 0; i < ROW; ++i) {
        v3 p = sdf_node_at(f, node[0] + i, node[1] + i, node[2] + i);
        rows->x[i] = p.x;
        rows->y[i] = p.y;
        rows->z[i] = p.z;
    }
    for (int row = 0; row < ROWS; ++row) {
        rows->farthest2[row][0] = rows->farthest2[row][1] = band2;
        for (int i = 0; i < ROW; ++i) {
            rows->dist2[row][i] = band2;
            rows->nearest[row][i] = -1.0;
        }
    }
}

void sdf_near_triangles(const sdf_near *near, const sdf *f, const sdf_source *s, int brick, const int node[3],
                        int32_t *out)
{
    sdf_rows rows;
    prepare_rows(&rows, f, node);
    const int32_t *list = near->triangles + near->start[brick];
    int count = (int)(near->start[brick + 1] - near->start[brick]);
    if (bvh_has_avx2()) {
        sdf_rows_compare_avx2(&rows, s->surface, list, count);
    } else {
        sdf_rows_compare_portable(&rows, s->surface, list, count);
    }
    for (int n = 0; n < ROWS * ROW; ++n) {
        out[n] = (int32_t)rows.nearest[n / ROW][n % ROW];
    }
}
