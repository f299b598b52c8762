/* Meshes of plane bodies that strike and are struck, fine where they touch.
 *
 * "finger": a strip whose one end is a half circle. Each quarter of the half disc is made of three blocks between the centre O, the
 * apex P, the side Q, the middle M of the arc, U and V halfway on the radii, and I inside:
 *
 *     [O V I U], [U I M P], [V Q M I]
 *
 * so that no block has a straight corner on the arc. Edges are divided in three families: a (P-M, U-I, O-V), b (Q-M, V-I, O-U) and
 * c (P-U, M-I, Q-V). The strip goes on from the radius Q-V-O with the same divisions across.
 *
 * "anvil": a rectangle that is fine at the middle of its upper side. */
#include "elements/flexible/struck_meshes.h"

#include <stdlib.h>

#include "base/array.h"

#define PI 3.14159265358979323846

enum { MOST_CELLS = 100000 }; /* along an edge */
static const double MOST_NODES = 4e6;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
}

/* ---- divisions of an edge ---- */

/* Places of count + 1 points from 0 to 1. */
typedef struct division {
    int count;
    double *at;
} division;

/* Cells along a length that begin with `fine` and grow by a factor up to `coarse`: the last one fits by more than its half. */
static int count_cells(double length, double fine, double coarse, double growth)
{
    double sum = 0.0;
    double size = fine;
    int count = 0;
    while ((count == 0 || sum + 0.5 * size < length) && count < MOST_CELLS) {
        sum += size;
        size = fmin(coarse, size * growth);
        count++;
    }
    return count;
}

/* Sizes that make sense and ask for no more cells than there may be: along the length and across it. */
static carom_status check_sizes(double length, double across, double size, double fine, double growth,
                                carom_error *err)
{
    double first = fine > 0.0 ? fine : size;
    if (fine > size) {
        return carom_fail(err, CAROM_BAD_INPUT, "'fine' of the mesh is %g m, larger than 'size', %g m", fine, size);
    }
    if (!(growth >= 1.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'growth' of the mesh is %g; cells grow away from where they are fine: 1 or more", growth);
    }
    int along = count_cells(length, first, size, growth);
    int deep = count_cells(across, first, size, growth);
    if (along < MOST_CELLS && deep < MOST_CELLS && (double)along * deep <= MOST_NODES) {
        return CAROM_OK;
    }
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "the mesh asks for %d%s by %d%s cells; at most %d along a side and %g in all: take a larger 'size' or "
        "'fine', or more 'growth'",
        along, along < MOST_CELLS ? "" : " or more", deep, deep < MOST_CELLS ? "" : " or more", MOST_CELLS - 1,
        MOST_NODES);
}

/* As many cells as these fill it; all are stretched to fit the length. */
static bool divide(division *d, double length, double fine, double coarse, double growth)
{
    double size = fine;
    d->count = count_cells(length, fine, coarse, growth);
    d->at = malloc(((size_t)d->count + 1) * sizeof *d->at);
    if (!d->at) {
        return false;
    }
    size = fine;
    d->at[0] = 0.0;
    for (int i = 0; i < d->count; ++i) {
        d->at[i + 1] = d->at[i] + size;
        size = fmin(coarse, size * growth);
    }
    double total = d->at[d->count];
    for (int i = 0; i <= d->count; ++i) {
        d->at[i] /= total;
    }
    return true;
}

/* As many cells, all equal. */
static bool divide_evenly(division *d, int count)
{
    d->count = count;
    d->at = malloc(((size_t)count + 1) * sizeof *d->at);
    for (int i = 0; d->at && i <= count; ++i) {
        d->at[i] = (double)i / count;
    }
    return d->at != NULL;
}

/* ---- nodes ---- */

/* Nodes at the same place are one; only nodes on borders of blocks can be. */
typedef struct builder {
    volume_mesh *mesh;
    double same; /* [m] */
    bool ok;
    int *borders; /* nodes on borders of blocks */
    size_t border_count, border_capacity;
} builder;

static int add_node(builder *b, v3 x)
{
    b->ok = b->ok && volume_mesh_add_node(b->mesh, x);
    return b->mesh->node_count - 1;
}

static int border_node(builder *b, v3 x)
{
    for (size_t k = b->border_count; k > 0; --k) {
        if (v3_norm(v3_sub(b->mesh->nodes[b->borders[k - 1]], x)) < b->same) {
            return b->borders[k - 1];
        }
    }
    int node = add_node(b, x);
    b->ok = b->ok && CAROM_ARRAY_RESERVE(b->borders, b->border_capacity, b->border_count + 1);
    if (b->ok) {
        b->borders[b->border_count++] = node;
    }
    return node;
}

/* Quadrilaterals counter-clockwise. */
static void add_quad(builder *b, int p, int q, int r, int s)
{
    const v3 *x = b->mesh->nodes;
    v3 one = v3_sub(x[r], x[p]);
    v3 two = v3_sub(x[s], x[q]);
    const int left[4] = { p, q, r, s };
    const int right[4] = { p, s, r, q };
    bool turned = one.x * two.y - one.y * two.x < 0.0;
    b->ok = b->ok && volume_mesh_add_cell(b->mesh, CELL_QUAD4, turned ? right : left);
}

/* ---- blocks ---- */

/* An edge between two corners: straight, or along the arc about the origin. */
typedef struct edge {
    v3 from, to;
    double radius; /* 0: straight */
    const division *points;
    bool backwards; /* divisions count from `to` */
} edge;

static double edge_at(const edge *e, int i)
{
    int n = e->points->count;
    return e->backwards ? 1.0 - e->points->at[n - i] : e->points->at[i];
}

static v3 edge_point(const edge *e, double s)
{
    if (e->radius == 0.0) {
        return v3_add(v3_scale(1.0 - s, e->from), v3_scale(s, e->to));
    }
    double a = atan2(e->from.y, e->from.x);
    double b = atan2(e->to.y, e->to.x);
    double angle = a + s * (b - a);
    return v3_make(e->radius * cos(angle), e->radius * sin(angle), 0.0);
}

/* Low and high go the same way, so do left and right; left begins where low does, right where low ends. */
typedef struct block {
    edge low, high, left, right;
} block;

/* Transfinite interpolation: blends the four edges [Gordon1973]. */
static v3 block_point(const block *k, int i, int j)
{
    double s0 = edge_at(&k->low, i);
    double s1 = edge_at(&k->high, i);
    double t0 = edge_at(&k->left, j);
    double t1 = edge_at(&k->right, j);
    double s = (s0 + t0 * (s1 - s0)) / (1.0 - (s1 - s0) * (t1 - t0));
    double t = t0 + s * (t1 - t0);
    v3 across = v3_add(v3_scale(1.0 - t, edge_point(&k->low, s0)), v3_scale(t, edge_point(&k->high, s1)));
    v3 along = v3_add(v3_scale(1.0 - s, edge_point(&k->left, t0)), v3_scale(s, edge_point(&k->right, t1)));
    v3 corners = v3_add(v3_scale((1.0 - s) * (1.0 - t), k->low.from), v3_scale(s * (1.0 - t), k->low.to));
    corners = v3_add(corners, v3_add(v3_scale((1.0 - s) * t, k->high.from), v3_scale(s * t, k->high.to)));
    return v3_sub(v3_add(across, along), corners);
}

/* Cells of a block, shifted and mirrored to the lower side. */
static void add_block(builder *b, const block *k, double shift, bool mirror)
{
    int columns = k->low.points->count;
    int rows = k->left.points->count;
    int *number = malloc(((size_t)columns + 1) * ((size_t)rows + 1) * sizeof *number);
    if (!number) {
        b->ok = false;
        return;
    }
    for (int j = 0; j <= rows; ++j) {
        for (int i = 0; i <= columns; ++i) {
            v3 x = block_point(k, i, j);
            bool border = i == 0 || j == 0 || i == columns || j == rows;
            v3 place = v3_make(x.x + shift, mirror ? -x.y : x.y, 0.0);
            number[j * (columns + 1) + i] = border ? border_node(b, place) : add_node(b, place);
        }
    }
    for (int j = 0; j < rows && b->ok; ++j) {
        for (int i = 0; i < columns && b->ok; ++i) {
            const int *at = number + j * (columns + 1) + i;
            add_quad(b, at[0], at[1], at[columns + 2], at[columns + 1]);
        }
    }
    free(number);
}

/* ---- the finger ---- */

/* Divisions of one quarter. */
typedef struct quarter {
    division a_arc, a_even;            /* P-M; U-I and O-V */
    division b_arc, b_even;            /* Q-M from M; V-I and O-U */
    division c_axis, c_middle, c_even; /* P-U; M-I; Q-V */
    bool fine_at_M;
} quarter;

static void free_quarter(quarter *q)
{
    division *all[7] = { &q->a_arc, &q->a_even, &q->b_arc, &q->b_even, &q->c_axis, &q->c_middle, &q->c_even };
    for (int i = 0; i < 7; ++i) {
        free(all[i]->at);
    }
}

static bool make_quarter(quarter *q, const carom_finger_mesh_def *d, bool fine_at_M, bool other_fine)
{
    double r = 0.5 * d->width;
    double arc = 0.25 * PI * r;
    double radius = 0.5 * r;
    double diagonal = r * (1.0 - 0.4 * sqrt(2.0));
    bool apex = !fine_at_M && !other_fine;
    *q = (quarter){ .fine_at_M = fine_at_M };
    if (!(d->fine > 0.0)) { /* even: as many cells across half the width as fit */
        int n = (int)fmax(1.0, floor(0.25 * d->width / d->size + 0.5));
        return divide_evenly(&q->a_arc, n) && divide_evenly(&q->a_even, n) && divide_evenly(&q->b_arc, n) &&
               divide_evenly(&q->b_even, n) && divide_evenly(&q->c_axis, n) && divide_evenly(&q->c_middle, n) &&
               divide_evenly(&q->c_even, n);
    }
    division b_fine, c_fine;
    if (!divide(&c_fine, apex ? radius : diagonal, d->fine, d->size, d->growth)) {
        return false;
    }
    if (!divide(&b_fine, arc, apex ? fmin(d->size, 0.25 * arc) : d->fine, d->size, d->growth)) {
        free(c_fine.at);
        return false;
    }
    q->c_axis = apex ? c_fine : (division){ 0 };
    q->c_middle = fine_at_M ? c_fine : (division){ 0 };
    q->b_arc = b_fine;
    int nc = c_fine.count;
    bool ok = (q->c_axis.at || divide_evenly(&q->c_axis, nc)) && (q->c_middle.at || divide_evenly(&q->c_middle, nc));
    if (!apex && !fine_at_M) {
        free(c_fine.at);
    }
    ok = ok && (apex || fine_at_M ? divide(&q->a_arc, arc, d->fine, d->size, d->growth)
                                  : divide_evenly(&q->a_arc, (int)fmax(2.0, ceil(arc / d->size))));
    ok = ok && divide_evenly(&q->a_even, q->a_arc.count) && divide_evenly(&q->b_even, q->b_arc.count) &&
         divide_evenly(&q->c_even, nc);
    return ok;
}

static void add_quarter(builder *b, const quarter *q, double r, double shift, bool mirror)
{
    v3 O = v3_zero();
    v3 P = v3_make(r, 0.0, 0.0);
    v3 Q = v3_make(0.0, r, 0.0);
    v3 M = v3_make(r * sqrt(0.5), r * sqrt(0.5), 0.0);
    v3 U = v3_make(0.5 * r, 0.0, 0.0);
    v3 V = v3_make(0.0, 0.5 * r, 0.0);
    v3 I = v3_make(0.4 * r, 0.4 * r, 0.0);
    const block inner = { { O, V, 0.0, &q->a_even, false },
                          { U, I, 0.0, &q->a_even, false },
                          { O, U, 0.0, &q->b_even, false },
                          { V, I, 0.0, &q->b_even, false } };
    const block tip = { { P, M, r, &q->a_arc, q->fine_at_M },
                        { U, I, 0.0, &q->a_even, false },
                        { P, U, 0.0, &q->c_axis, false },
                        { M, I, 0.0, &q->c_middle, false } };
    const block side = { { M, Q, r, &q->b_arc, false },
                         { I, V, 0.0, &q->b_even, false },
                         { M, I, 0.0, &q->c_middle, false },
                         { Q, V, 0.0, &q->c_even, false } };
    add_block(b, &tip, shift, mirror);
    add_block(b, &side, shift, mirror);
    add_block(b, &inner, shift, mirror);
}

/* The straight part beside a quarter: from the radius to the other end. */
static void add_straight(builder *b, const quarter *q, const division *along, double r, double length, double shift,
                         bool mirror)
{
    v3 O = v3_zero();
    v3 V = v3_make(0.0, 0.5 * r, 0.0);
    v3 Q = v3_make(0.0, r, 0.0);
    v3 back = v3_make(-length, 0.0, 0.0);
    const block inner = { { O, back, 0.0, along, false },
                          { V, v3_add(V, back), 0.0, along, false },
                          { O, V, 0.0, &q->a_even, false },
                          { back, v3_add(V, back), 0.0, &q->a_even, false } };
    const block outer = { { V, v3_add(V, back), 0.0, along, false },
                          { Q, v3_add(Q, back), 0.0, along, false },
                          { V, Q, 0.0, &q->c_even, true },
                          { v3_add(V, back), v3_add(Q, back), 0.0, &q->c_even, true } };
    add_block(b, &inner, shift, mirror);
    add_block(b, &outer, shift, mirror);
}

carom_status finger_mesh_make(volume_mesh *out, const carom_finger_mesh_def *d, carom_error *err)
{
    double r = 0.5 * d->width;
    double straight = d->length - r;
    if (!(straight > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "a finger %g m long is no longer than its half width %g m", d->length,
                          r);
    }
    carom_status status = check_sizes(d->length, d->width, d->size, d->fine, d->growth, err);
    if (status != CAROM_OK) {
        return status;
    }
    *out = (volume_mesh){ 0 };
    builder b = { .mesh = out, .same = 1e-9 * d->length, .ok = true };
    quarter upper = { 0 };
    quarter lower = { 0 };
    division along = { 0 };
    bool up = d->towards == CAROM_FINGER_UPPER;
    bool low = d->towards == CAROM_FINGER_LOWER;
    b.ok = make_quarter(&upper, d, up, low) && make_quarter(&lower, d, low, up);
    if (b.ok) {
        double first = d->fine > 0.0 ? fmin(d->size, 2.0 * 0.5 * r / upper.c_even.count) : d->size;
        b.ok = d->fine > 0.0 ? divide(&along, straight, first, d->size, d->growth)
                             : divide_evenly(&along, (int)fmax(1.0, floor(straight / d->size + 0.5)));
    }
    double shift = d->at.x + 0.5 * d->length - r;
    for (int side = 0; side < 2 && b.ok; ++side) {
        const quarter *q = side == 0 ? &upper : &lower;
        add_quarter(&b, q, r, shift, side == 1);
        add_straight(&b, q, &along, r, straight, shift, side == 1);
    }
    for (int i = 0; i < out->node_count; ++i) {
        out->nodes[i].y += d->at.y;
        out->nodes[i].z += d->at.z;
    }
    free_quarter(&upper);
    free_quarter(&lower);
    free(along.at);
    free(b.borders);
    if (!b.ok) {
        volume_mesh_free(out);
        return no_memory(err);
    }
    return CAROM_OK;
}

/* ---- the anvil ---- */

carom_status anvil_mesh_make(volume_mesh *out, const carom_anvil_mesh_def *d, carom_error *err)
{
    division across = { 0 };
    division deep = { 0 };
    double fine = d->fine > 0.0 ? d->fine : d->size;
    carom_status status = check_sizes(d->length, d->height, d->size, d->fine, d->growth, err);
    if (status != CAROM_OK) {
        return status;
    }
    *out = (volume_mesh){ 0 };
    builder b = { .mesh = out, .ok = true };
    b.ok = divide(&across, 0.5 * d->length, fine, d->size, d->growth) &&
           divide(&deep, d->height, fine, d->size, d->growth);
    int n = across.count;
    for (int j = 0; b.ok && j <= deep.count; ++j) {
        for (int i = -n; b.ok && i <= n; ++i) {
            double x = 0.5 * d->length * (i < 0 ? -across.at[-i] : across.at[i]);
            double y = d->height * (0.5 - deep.at[j]);
            b.ok = volume_mesh_add_node(out, v3_make(d->at.x + x, d->at.y + y, d->at.z));
        }
    }
    int columns = 2 * n + 1;
    for (int j = 0; b.ok && j < deep.count; ++j) {
        for (int i = 0; b.ok && i < 2 * n; ++i) {
            int p = j * columns + i;
            add_quad(&b, p + columns, p + columns + 1, p + 1, p);
        }
    }
    free(across.at);
    free(deep.at);
    if (!b.ok) {
        volume_mesh_free(out);
        return no_memory(err);
    }
    return CAROM_OK;
}
