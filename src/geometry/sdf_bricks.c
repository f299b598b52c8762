/* A distance field kept near the surface only: bricks of 8^3 cells where the surface may be within the band, a dense
 * index of all bricks, and one exact distance at every corner of every brick.
 *
 * Every brick holds 9^3 nodes, the shared faces in both neighbours, so that the corners of a cell lie together. Nodes
 * nearer than the band are exact. The others, and all of space between the bricks, get a lower bound: the squared
 * distance to a set is the smallest of |x - s|^2, so |x|^2 - d^2 = max(2 x.s - s.s) is convex and lies below its own
 * multilinear interpolant. With exact distances at the corners of a cube of edge H this says
 *
 *     d^2(x) >= trilinear(d^2)(x) - H^2 sum t_i (1 - t_i),                                        (bound)
 *
 * exact at the corners, continuous, and tight far away. It costs no search. A brick is filled from coarse to fine, nodes
 * 8, 4, 2 and 1 cells apart: by (bound) from the next coarser nodes where it is tight, or beyond the band and the nodes
 * are odd; else by a search in the tree, which for nodes near the surface starts at the few parts of it that come near
 * the brick (bvh_focus.h). */
#include <stdlib.h>

#include "base/parallel.h"
#include "geometry/sdf_impl.h"

enum { BRICK = 8, SIDE = BRICK + 1, BRICK_NODES = SIDE * SIDE * SIDE };
enum { EVEN_SIDE = BRICK / 2 + 1, EVEN_NODES = EVEN_SIDE * EVEN_SIDE * EVEN_SIDE };

#define BRICK_HALF_DIAGONAL (0.5 * BRICK * 1.7320508075688773) /* in cells */

static void bricks_round_cells(int cells[3])
{
    for (int a = 0; a < 3; ++a) {
        cells[a] = (cells[a] + BRICK - 1) / BRICK * BRICK;
    }
}

typedef struct brick_work {
    sdf *f;
    const sdf_source *source;
    int bricks[3];       /* along the axes */
    int brick_count;     /* kept */
    int32_t *place;      /* brick -> its place in the index */
    int32_t *corner_hit; /* triangle nearest to each corner of the coarse lattice */
    int32_t *even_hit;   /* triangle nearest to each even node of each brick, or near it */
    int stride;          /* cells between the nodes of this pass */
} brick_work;

static void split_place(const int count[3], size_t place, int at[3])
{
    at[0] = (int)(place % (size_t)count[0]);
    at[1] = (int)(place / (size_t)count[0] % (size_t)count[1]);
    at[2] = (int)(place / ((size_t)count[0] * (size_t)count[1]));
}

static size_t join_place(const int count[3], int i, int j, int k)
{
    return ((size_t)k * (size_t)count[1] + (size_t)j) * (size_t)count[0] + (size_t)i;
}

/* ---- which bricks are kept -------------------------------------------------------------------------------------- */

static void corner_counts(const brick_work *w, int count[3])
{
    for (int a = 0; a < 3; ++a) {
        count[a] = w->bricks[a] + 1;
    }
}

static void measure_corners(void *context, size_t begin, size_t end)
{
    brick_work *w = context;
    int count[3];
    corner_counts(w, count);
    int hint = -1;
    for (size_t c = begin; c < end && carom_watch_pass(w->source->watch, c); ++c) {
        int at[3];
        split_place(count, c, at);
        if (at[0] == 0 && c >= begin + (size_t)count[0]) {
            hint = w->corner_hit[c - (size_t)count[0]]; /* the row before is nearer than the end of the last one */
        }
        v3 p = sdf_node_at(w->f, BRICK * at[0], BRICK * at[1], BRICK * at[2]);
        w->f->coarse[c] = sdf_exact(w->source, p, &hint);
        w->corner_hit[c] = hint;
    }
}

/* The corner of a brick that is nearest to the surface: its distance and its triangle. */
static double nearest_corner(const brick_work *w, const int at[3], int *hint)
{
    int count[3];
    corner_counts(w, count);
    double nearest = HUGE_VAL;
    for (int c = 0; c < 8; ++c) {
        size_t corner = join_place(count, at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2));
        if (fabs(w->f->coarse[corner]) < nearest) {
            nearest = fabs(w->f->coarse[corner]);
            *hint = w->corner_hit[corner];
        }
    }
    return nearest;
}

/* Whether one of the eighths may be within the band: none of its points is farther from its centre than half its
 * diagonal. */
static bool eighth_is_near(const brick_work *w, const int at[3], int hint)
{
    const sdf *f = w->f;
    double reach = f->band + 0.5 * BRICK_HALF_DIAGONAL * f->spacing;
    for (int c = 0; c < 8; ++c) {
        v3 center = sdf_node_at(f, BRICK * (at[0] + 0.25 + 0.5 * (c & 1)),
                                BRICK * (at[1] + 0.25 + 0.5 * (c >> 1 & 1)), BRICK * (at[2] + 0.25 + 0.5 * (c >> 2)));
        if (bvh_closest(w->source->tree, center, hint, reach * reach).triangle >= 0) {
            return true;
        }
    }
    return false;
}

/* Searches only where the corners of the brick do not decide it, and looks at its eighths only where the ball around it
 * reaches the surface and the ball within it does not. */
static bool may_be_near(const brick_work *w, const int at[3])
{
    const sdf *f = w->f;
    double reach = f->band + BRICK_HALF_DIAGONAL * f->spacing;
    double sure = f->band + 0.5 * BRICK * f->spacing;
    int hint = -1;
    double nearest = nearest_corner(w, at, &hint);
    if (nearest <= f->band || nearest > reach + BRICK_HALF_DIAGONAL * f->spacing) {
        return nearest <= f->band;
    }
    v3 center = sdf_node_at(f, BRICK * (at[0] + 0.5), BRICK * (at[1] + 0.5), BRICK * (at[2] + 0.5));
    bvh_hit hit = bvh_closest(w->source->tree, center, hint, reach * reach);
    return hit.triangle >= 0 && (hit.dist2 <= sure * sure || eighth_is_near(w, at, hit.triangle));
}

static void choose_bricks(void *context, size_t begin, size_t end)
{
    brick_work *w = context;
    for (size_t b = begin; b < end && carom_watch_pass(w->source->watch, b); ++b) {
        int at[3];
        split_place(w->bricks, b, at);
        w->f->index[b] = may_be_near(w, at) ? 0 : -1;
    }
}

static void number_bricks(brick_work *w)
{
    for (int64_t b = 0; b < w->f->index_count; ++b) {
        if (w->f->index[b] >= 0) {
            w->f->index[b] = w->brick_count++;
        }
    }
}

/* ---- nodes ------------------------------------------------------------------------------------------------------ */

/* One brick being filled. */
typedef struct brick {
    const brick_work *work;
    int number;
    int at[3];
    double *nodes;
    int32_t *even_hit;
} brick;

static brick take_brick(const brick_work *w, size_t b)
{
    brick k = {
        .work = w, .number = (int)b, .nodes = w->f->nodes + b * BRICK_NODES, .even_hit = w->even_hit + b * EVEN_NODES
    };
    split_place(w->bricks, (size_t)w->place[b], k.at);
    return k;
}

static inline int node_index(int i, int j, int k)
{
    return (k * SIDE + j) * SIDE + i;
}

static inline int even_index(int i, int j, int k)
{
    return (k / 2 * EVEN_SIDE + j / 2) * EVEN_SIDE + i / 2;
}

static bool is_even(int i, int j, int k)
{
    return ((i | j | k) & 1) == 0;
}

/* Belongs to the nodes `stride` apart and not to the coarser ones. */
static bool is_of_stride(int stride, int i, int j, int k)
{
    int bits = i | j | k;
    return (bits & (stride - 1)) == 0 && (bits & stride) != 0;
}

static v3 node_position(const brick *b, int i, int j, int k)
{
    return sdf_node_at(b->work->f, BRICK * b->at[0] + i, BRICK * b->at[1] + j, BRICK * b->at[2] + k);
}

static void set_node(const brick *b, int i, int j, int k, double distance, int hit)
{
    b->nodes[node_index(i, j, k)] = distance;
    if (is_even(i, j, k)) {
        b->even_hit[even_index(i, j, k)] = hit;
    }
}

/* ---- the first nodes: corners --------------------------------------------------------------------------------------- */

static void take_corners(const brick *b)
{
    int count[3];
    corner_counts(b->work, count);
    for (int c = 0; c < 8; ++c) {
        int i = c & 1;
        int j = c >> 1 & 1;
        int k = c >> 2;
        size_t corner = join_place(count, b->at[0] + i, b->at[1] + j, b->at[2] + k);
        set_node(b, BRICK * i, BRICK * j, BRICK * k, b->work->f->coarse[corner], b->work->corner_hit[corner]);
    }
}

static void begin_bricks(void *context, size_t begin, size_t end)
{
    const brick_work *w = context;
    for (size_t n = begin; n < end; ++n) {
        brick b = take_brick(w, n);
        take_corners(&b);
    }
}

/* ---- the others, from coarse to fine ------------------------------------------------------------------------------ */

/* What the next coarser nodes say: (bound) with t = 1/2 along the axes in which the node lies between them. */
typedef struct coarse_bound {
    double dist2;       /* [m^2] no more than the squared distance; may be negative */
    double slack;       /* [m^2] what was taken off for safety */
    sdf_neighbour near; /* the nearest to the surface; no side: they disagree */
    int hint;
} coarse_bound;

static coarse_bound bound_by_coarser(const brick *b, int s, int i, int j, int k)
{
    int step[3] = { i & s, j & s, k & s };
    int axes = (step[0] != 0) + (step[1] != 0) + (step[2] != 0);
    int corners = 1 << axes;
    int negative = 0;
    double sum = 0.0;
    double nearest = HUGE_VAL;
    coarse_bound bound = { .hint = -1 };
    for (int dz = -step[2]; dz <= step[2]; dz += 2 * s) {
        for (int dy = -step[1]; dy <= step[1]; dy += 2 * s) {
            for (int dx = -step[0]; dx <= step[0]; dx += 2 * s) {
                double d = b->nodes[node_index(i + dx, j + dy, k + dz)];
                sum += d * d;
                negative += d < 0.0;
                if (fabs(d) < nearest) {
                    nearest = fabs(d);
                    bound.hint = b->even_hit[even_index(i + dx, j + dy, k + dz)];
                }
            }
        }
    }
    double h = s * b->work->f->spacing;
    bound.slack = axes * h * h;
    bound.dist2 = sum / corners - bound.slack;
    bound.near = (sdf_neighbour){ .side = negative == 0         ? 1.0
                                          : negative == corners ? -1.0
                                                                : 0.0,
                                  .to_surface = nearest,
                                  .to_point = sqrt(bound.slack) };
    return bound;
}

static void take_bound(const brick *b, const coarse_bound *bound, int i, int j, int k)
{
    const sdf *f = b->work->f;
    double side = bound->near.side != 0.0 ? bound->near.side
                                          : sdf_exact_side(b->work->source, node_position(b, i, j, k), bound->hint);
    set_node(b, i, j, k, side * sqrt(fmax(bound->dist2, f->band * f->band)), bound->hint);
}

/* Nodes that finer ones depend on are searched for however far they are unless the bound is tight: within a quarter of
 * the distance. */
static bool needs_far_search(int stride, const coarse_bound *bound)
{
    const double tight = 0.6;
    return stride > 1 && bound->slack > tight * bound->dist2;
}

/* focus NULL: the node is known to lie beyond the band.
 * What is not searched for is farther from the surface than the coarser nodes are from it, so it is on the same side as
 * they are. Only winding numbers may disagree, inside holes of the surface. */
static void measure_node(const brick *b, const bvh_focus *focus, int stride, int i, int j, int k)
{
    const brick_work *w = b->work;
    double band2 = w->f->band * w->f->band;
    coarse_bound bound = bound_by_coarser(b, stride, i, j, k);
    v3 p = node_position(b, i, j, k);
    int hit = bound.hint;
    double distance;
    if (focus && bound.dist2 <= band2 && sdf_exact_within(w->source, focus, p, band2, &bound.near, &hit, &distance)) {
        set_node(b, i, j, k, distance, hit);
    } else if (needs_far_search(stride, &bound)) {
        distance = sdf_exact_beside(w->source, p, &bound.near, &hit);
        set_node(b, i, j, k, distance, hit);
    } else {
        take_bound(b, &bound, i, j, k);
    }
}

/* On all of the brick, and what is within the band of it. */
static void focus_on_brick(bvh_focus *focus, const brick *b)
{
    bvh_focus_on(focus, b->work->source->tree, node_position(b, 0, 0, 0), node_position(b, BRICK, BRICK, BRICK),
                 b->work->f->band);
}

static void fill_own(void *context, size_t begin, size_t end)
{
    const brick_work *w = context;
    int s = w->stride;
    bvh_focus focus;
    for (size_t n = begin; n < end && carom_watch_count(w->source->watch, 1); ++n) {
        brick b = take_brick(w, n);
        focus_on_brick(&focus, &b);
        for (int k = 0; k < BRICK; k += s) {
            for (int j = 0; j < BRICK; j += s) {
                for (int i = 0; i < BRICK; i += s) {
                    if (is_of_stride(s, i, j, k)) {
                        measure_node(&b, &focus, s, i, j, k);
                    }
                }
            }
        }
    }
}

/* The brick that owns a node of a high face. */
enum { NOT_KEPT = -1, OUTSIDE_THE_BOX = -2 };

static int owner_of(const brick *b, const int node[3])
{
    int at[3];
    for (int a = 0; a < 3; ++a) {
        at[a] = b->at[a] + node[a] / BRICK;
        if (at[a] >= b->work->bricks[a]) {
            return OUTSIDE_THE_BOX;
        }
    }
    return b->work->f->index[join_place(b->work->bricks, at[0], at[1], at[2])];
}

static void share_node(const brick *b, const bvh_focus *focus, int stride, int i, int j, int k)
{
    int owner = owner_of(b, (int[3]){ i, j, k });
    if (owner < 0) { /* nothing in a brick that is not kept is within the band; the margin may be narrower than it */
        measure_node(b, owner == NOT_KEPT ? NULL : focus, stride, i, j, k);
        return;
    }
    brick o = take_brick(b->work, (size_t)owner);
    int hit = is_even(i, j, k) ? o.even_hit[even_index(i % BRICK, j % BRICK, k % BRICK)] : -1;
    set_node(b, i, j, k, o.nodes[node_index(i % BRICK, j % BRICK, k % BRICK)], hit);
}

/* Only there are nodes of high faces measured that may be within the band. */
static bool touches_wall(const brick *b)
{
    const int *count = b->work->bricks;
    return b->at[0] == count[0] - 1 || b->at[1] == count[1] - 1 || b->at[2] == count[2] - 1;
}

static void share_faces(void *context, size_t begin, size_t end)
{
    const brick_work *w = context;
    int s = w->stride;
    bvh_focus focus;
    for (size_t n = begin; n < end; ++n) {
        brick b = take_brick(w, n);
        if (touches_wall(&b)) {
            focus_on_brick(&focus, &b);
        }
        for (int k = 0; k <= BRICK; k += s) {
            for (int j = 0; j <= BRICK; j += s) {
                for (int i = j == BRICK || k == BRICK ? 0 : BRICK; i <= BRICK; i += s) {
                    if (is_of_stride(s, i, j, k)) {
                        share_node(&b, &focus, s, i, j, k);
                    }
                }
            }
        }
    }
}

/* ---- building --------------------------------------------------------------------------------------------------- */

static carom_status check_size(const sdf *f, double bricks, double most, carom_error *err)
{
    double factor = 1.05 * cbrt(bricks / most); /* larger cells that would fit */
    if (bricks > most) {
        double longest = fmax(f->cells[0], fmax(f->cells[1], f->cells[2]));
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a distance field of %.3g bricks is too large; a spacing of %.3g m (resolution %d) fits",
                          bricks, f->spacing * factor, (int)(longest / factor));
    }
    return CAROM_OK;
}

static carom_status bricks_check(const sdf *f, carom_error *err)
{
    const double most_in_index = 2.0e8;
    double bricks = (double)f->cells[0] * f->cells[1] * f->cells[2] / (BRICK * BRICK * BRICK);
    if (f->options.band > 0.0 && f->options.band < 3.0 * f->spacing * (1.0 - 1e-12)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "the band of %.3g m is narrower than three cells of %.3g m; widen it or make the spacing finer",
            f->options.band, f->spacing);
    }
    return check_size(f, bricks, most_in_index, err);
}

static carom_status find_bricks(brick_work *w, carom_error *err)
{
    sdf *f = w->f;
    size_t corners = (size_t)f->coarse_count;
    w->corner_hit = malloc(corners * sizeof *w->corner_hit);
    if (!w->corner_hit) {
        return sdf_no_memory(f, err);
    }
    carom_watch *watch = w->source->watch;
    carom_watch_stage(watch, 0.1 * SDF_SHARE_NODES, corners);
    carom_parallel_for(w->source->threads, corners, 2, measure_corners, w);
    if (carom_watch_stopped(watch)) { /* before anyone asks for corners that were not measured */
        return carom_watch_status(watch, err);
    }
    carom_watch_stage(watch, 0.1 * SDF_SHARE_NODES, (size_t)f->index_count);
    carom_parallel_for(w->source->threads, (size_t)f->index_count, 2, choose_bricks, w);
    if (carom_watch_stopped(watch)) {
        return carom_watch_status(watch, err);
    }
    number_bricks(w);
    return check_size(f, w->brick_count, SDF_MOST_NODES / BRICK_NODES, err);
}

static carom_status make_room(brick_work *w, carom_error *err)
{
    sdf *f = w->f;
    size_t count = (size_t)w->brick_count;
    w->place = malloc((count + 1) * sizeof *w->place);
    w->even_hit = malloc((count * EVEN_NODES + 1) * sizeof *w->even_hit);
    f->nodes = malloc((count * BRICK_NODES + 1) * sizeof *f->nodes);
    if (!w->place || !w->even_hit || !f->nodes) {
        return sdf_no_memory(f, err);
    }
    f->node_count = (int64_t)(count * BRICK_NODES);
    for (int64_t b = 0; b < f->index_count; ++b) {
        if (f->index[b] >= 0) {
            w->place[f->index[b]] = (int32_t)b;
        }
    }
    return CAROM_OK;
}

/* Part of the work on nodes that those of a stride are, about. */
static double share_of_stride(int stride)
{
    return stride == 4 ? 0.1 : stride == 2 ? 0.2 : 0.5;
}

/* Nodes of the high faces come from the neighbours, and finer nodes need them. */
static carom_status fill_bricks(brick_work *w, carom_error *err)
{
    int threads = w->source->threads;
    size_t count = (size_t)w->brick_count;
    carom_parallel_for(threads, count, 2, begin_bricks, w);
    for (w->stride = BRICK / 2; w->stride >= 1; w->stride /= 2) {
        carom_watch_stage(w->source->watch, share_of_stride(w->stride) * SDF_SHARE_NODES, count);
        carom_parallel_for(threads, count, 2, fill_own, w);
        if (carom_watch_stopped(w->source->watch)) {
            return carom_watch_status(w->source->watch, err);
        }
        carom_parallel_for(threads, count, 2, share_faces, w);
    }
    return CAROM_OK;
}

static carom_status build_in(brick_work *w, carom_error *err)
{
    carom_status status = find_bricks(w, err);
    status = status == CAROM_OK ? make_room(w, err) : status;
    return status == CAROM_OK ? fill_bricks(w, err) : status;
}

static carom_status bricks_build(sdf *f, const sdf_source *s, carom_error *err)
{
    const double way_to_corners = 1.7320508075688773; /* cells */
    brick_work w = { .f = f, .source = s };
    int64_t bricks = 1;
    int64_t corners = 1;
    for (int a = 0; a < 3; ++a) {
        w.bricks[a] = f->cells[a] / BRICK;
        bricks *= w.bricks[a];
        corners *= w.bricks[a] + 1;
    }
    f->band = f->options.band > 0.0 ? f->options.band : 3.0 * f->spacing;
    f->info.band = f->band - way_to_corners * f->spacing;
    carom_status status = sdf_allocate(f, bricks, 0, corners) ? build_in(&w, err) : sdf_no_memory(f, err);
    f->info.node_count = (size_t)(f->node_count + f->coarse_count);
    free(w.corner_hit);
    free(w.place);
    free(w.even_hit);
    return status;
}

static bool bricks_is_sound(const sdf *f)
{
    int64_t all = 1;
    int64_t corners = 1;
    for (int a = 0; a < 3; ++a) {
        all *= f->cells[a] / BRICK;
        corners *= f->cells[a] / BRICK + 1;
        if (f->cells[a] % BRICK != 0) {
            return false;
        }
    }
    if (f->index_count != all || f->coarse_count != corners || f->node_count % BRICK_NODES != 0) {
        return false;
    }
    for (int64_t b = 0; b < all; ++b) {
        if (f->index[b] < -1 || f->index[b] >= f->node_count / BRICK_NODES) {
            return false;
        }
    }
    return true;
}

/* ---- lookup --------------------------------------------------------------------------------------------------------- */

/* Far from the surface: (bound) over the whole brick, and never below the band, which no point here is nearer than. */
static field_sample sample_far(const sdf *f, v3 x)
{
    int i = sdf_cell(x.x / BRICK, f->cells[0] / BRICK);
    int j = sdf_cell(x.y / BRICK, f->cells[1] / BRICK);
    int k = sdf_cell(x.z / BRICK, f->cells[2] / BRICK);
    size_t row = (size_t)(f->cells[0] / BRICK) + 1;
    size_t layer = row * ((size_t)(f->cells[1] / BRICK) + 1);
    v3 t = v3_make(x.x / BRICK - i, x.y / BRICK - j, x.z / BRICK - k);
    sdf_corners c = sdf_gather(f->coarse + (size_t)k * layer + (size_t)j * row + (size_t)i, row, layer);
    double edge = BRICK * f->spacing;
    double side = sdf_trilinear(&c, t, 1.0).distance < 0.0 ? -1.0 : 1.0;
    for (int n = 0; n < 8; ++n) {
        c.d[n] *= c.d[n];
    }
    field_sample square = sdf_trilinear(&c, t, f->per_spacing / BRICK);
    double parabola = t.x * (1.0 - t.x) + t.y * (1.0 - t.y) + t.z * (1.0 - t.z);
    double bound = sqrt(fmax(square.distance - edge * edge * parabola, f->band * f->band));
    v3 slope = v3_make(1.0 - 2.0 * t.x, 1.0 - 2.0 * t.y, 1.0 - 2.0 * t.z);
    return (field_sample){ side * bound, v3_scale(0.5 * side / bound, v3_axpy(square.gradient, -edge, slope)) };
}

typedef struct brick_place {
    const double *first; /* NULL: far */
    v3 t;
} brick_place;

static inline brick_place find_cell(const sdf *f, v3 x)
{
    int i = sdf_cell(x.x, f->cells[0]);
    int j = sdf_cell(x.y, f->cells[1]);
    int k = sdf_cell(x.z, f->cells[2]);
    size_t row = (size_t)f->cells[0] / BRICK;
    size_t layer = row * ((size_t)f->cells[1] / BRICK);
    int32_t b = f->index[(size_t)(k / BRICK) * layer + (size_t)(j / BRICK) * row + (size_t)(i / BRICK)];
    if (b < 0) {
        return (brick_place){ 0 };
    }
    const double *nodes = f->nodes + (size_t)b * BRICK_NODES;
    return (brick_place){ nodes + node_index(i % BRICK, j % BRICK, k % BRICK), { x.x - i, x.y - j, x.z - k } };
}

static inline field_sample sample_place(const sdf *f, brick_place place)
{
    sdf_corners c = sdf_gather(place.first, SIDE, (size_t)SIDE * SIDE);
    return sdf_trilinear(&c, place.t, f->per_spacing);
}

static field_sample bricks_sample(const sdf *f, v3 x)
{
    brick_place place = find_cell(f, x);
    return place.first ? sample_place(f, place) : sample_far(f, x);
}

static double bricks_distance(const sdf *f, v3 x)
{
    brick_place place = find_cell(f, x);
    return place.first ? sample_place(f, place).distance : sample_far(f, x).distance;
}

static void bricks_sample_many(const sdf *f, const v3 *p, size_t count, field_sample *out)
{
    enum { BATCH = 32 };
    brick_place place[BATCH];
    for (size_t start = 0; start < count; start += BATCH) {
        size_t n = count - start < BATCH ? count - start : BATCH;
        for (size_t i = 0; i < n; ++i) {
            v3 x = sdf_in_cells(f, p[start + i]);
            place[i] = sdf_is_inside(f, x) ? find_cell(f, x) : (brick_place){ 0 };
            const double *first = place[i].first ? place[i].first : f->coarse;
            __builtin_prefetch(first);
            __builtin_prefetch(first + SIDE);
            __builtin_prefetch(first + (size_t)SIDE * SIDE);
            __builtin_prefetch(first + (size_t)SIDE * SIDE + SIDE);
        }
        for (size_t i = 0; i < n; ++i) {
            out[start + i] = place[i].first ? sample_place(f, place[i]) : sdf_sample(f, p[start + i]);
        }
    }
}

const sdf_type sdf_type_bricks = {
    .name = "bricks",
    .round_cells = bricks_round_cells,
    .check = bricks_check,
    .build = bricks_build,
    .is_sound = bricks_is_sound,
    .sample = bricks_sample,
    .distance = bricks_distance,
    .sample_many = bricks_sample_many,
};
