/* Meshes of discs, balls and half balls ("bed") that are fine where they touch and grow away from there.
 *
 * All are made in a half space of points w with depth d >= 0 below the point of contact w = 0: a core of 2n x 2n x n cells, a few layers
 * that lead over to the half sphere |w| = r0, and shells of radii r0 g^k up to |w| = 1 with g = exp(pi/(4n)), so that their cells are as
 * thick as they are wide. A bed is this itself. The inversion
 *
 *     p = c + 2 (w - c)/|w - c|^2,   c at depth -1
 *
 * takes the half space to the unit ball, w = 0 to its pole, |w| = 1 to the plane of its equator, and keeps angles. The other half is made
 * in the same way and mirrored; both share the nodes on the equator. Plane bodies have one lateral axis, half sections half of it. */
#include "elements/flexible/round_meshes.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static const double CORE = 0.55;    /* half edge of the core over r0 */
static const double ROUNDING = 0.3; /* of the core: 0 is a box, 1 a ball */
static const double MOST_NODES = 4e6;

/* ---- the lattice of the core ---- */

/* Points (i, j, k): i and j across from `low` to n, k deep from 0 to n. In a plane j is 0. */
typedef struct lattice {
    int n, low_i, low_j, high_j;
    int columns, rows; /* points along i and j */
    int point_count;
    int *surface; /* of points: their number on the outside of the core; -1: inside */
    int surface_count;
} lattice;

static int point_at(const lattice *l, int i, int j, int k)
{
    return (k * l->rows + j - l->low_j) * l->columns + i - l->low_i;
}

static bool is_outside(const lattice *l, int i, int j, int k)
{
    return abs(i) == l->n || (l->high_j > 0 && abs(j) == l->n) || k == l->n;
}

static bool make_lattice(lattice *l, int n, round_extent extent)
{
    bool space = extent == ROUND_SPACE;
    *l = (lattice){
        .n = n, .low_i = extent == ROUND_HALF_SECTION ? 0 : -n, .low_j = space ? -n : 0, .high_j = space ? n : 0
    };
    l->columns = n - l->low_i + 1;
    l->rows = l->high_j - l->low_j + 1;
    l->point_count = l->columns * l->rows * (n + 1);
    l->surface = malloc((size_t)l->point_count * sizeof *l->surface);
    if (!l->surface) {
        return false;
    }
    for (int k = 0; k <= n; ++k) {
        for (int j = l->low_j; j <= l->high_j; ++j) {
            for (int i = l->low_i; i <= n; ++i) {
                l->surface[point_at(l, i, j, k)] = is_outside(l, i, j, k) ? l->surface_count++ : -1;
            }
        }
    }
    return true;
}

/* ---- one half: core, layers, shells ---- */

typedef struct half {
    const lattice *lattice;
    double radius;            /* of the whole [m] */
    double r0;                /* of the patch, the outermost shell having 1 */
    double growth;            /* of one shell to the next */
    int between, layers;      /* from the core to r0, and to 1 */
    bool ball;                /* by inversion */
    double up;                /* 1: depth points along the last axis; -1: against it */
    v3 at;                    /* middle of the ball, or of the flat side of the bed */
    int base;                 /* its first node */
    const struct half *below; /* with whom it shares the last layer; NULL: nobody */
} half;

static half make_half(const lattice *l, double radius, double patch, bool ball)
{
    double r0 = fmin(1.0, patch / (ball ? 2.0 * radius : radius));
    double step = 0.25 * PI / l->n;
    int shells = r0 < 1.0 ? (int)fmax(1.0, ceil(-log(r0) / step - 0.25)) : 0;
    int between = (int)fmax(1.0, floor(0.6 * l->n + 0.5));
    return (half){ .lattice = l,
                   .radius = radius,
                   .r0 = r0,
                   .growth = shells > 0 ? pow(1.0 / r0, 1.0 / shells) : 1.0,
                   .between = between,
                   .layers = between + shells,
                   .ball = ball,
                   .up = -1.0 };
}

/* Nodes that it adds. */
static double half_size(const half *h)
{
    int own = h->below ? h->layers - 1 : h->layers;
    return h->lattice->point_count + (double)h->lattice->surface_count * own;
}

static int node_of(const half *h, int layer, int point)
{
    if (layer == 0) {
        return h->base + point;
    }
    if (layer == h->layers && h->below) {
        return node_of(h->below, h->below->layers, point);
    }
    return h->base + h->lattice->point_count + (layer - 1) * h->lattice->surface_count + h->lattice->surface[point];
}

/* The half space: z is the depth. */
static v3 core_place(const half *h, v3 u)
{
    double longest = fmax(fmax(fabs(u.x), fabs(u.y)), fabs(u.z));
    double length = v3_norm(u);
    double bulge = length > 0.0 ? 1.0 - ROUNDING + ROUNDING * longest / length : 1.0;
    return v3_scale(CORE * h->r0 * bulge, u);
}

static v3 layer_place(const half *h, v3 u, int layer)
{
    v3 away = v3_unit(v3_make(tan(0.25 * PI * u.x), tan(0.25 * PI * u.y), tan(0.25 * PI * u.z)));
    if (layer >= h->between) {
        double r = layer == h->layers ? 1.0 : h->r0 * pow(h->growth, layer - h->between);
        return v3_scale(r, away);
    }
    double share = (double)layer / h->between;
    return v3_add(v3_scale(1.0 - share, core_place(h, u)), v3_scale(share * h->r0, away));
}

static v3 inverted(v3 w)
{
    v3 from = v3_make(w.x, w.y, w.z + 1.0);
    v3 p = v3_scale(2.0 / v3_dot(from, from), from);
    return v3_make(p.x, p.y, p.z - 1.0);
}

/* Into the axes of the body: depth lies along y in a plane and along z in space. */
static v3 body_place(const half *h, v3 w)
{
    v3 p = v3_scale(h->radius, h->ball ? inverted(w) : w);
    bool space = h->lattice->high_j > 0;
    return v3_add(h->at, space ? v3_make(p.x, p.y, h->up * p.z) : v3_make(p.x, h->up * p.z, 0.0));
}

static bool add_layer(volume_mesh *mesh, const half *h, int layer)
{
    const lattice *l = h->lattice;
    for (int k = 0; k <= l->n; ++k) {
        for (int j = l->low_j; j <= l->high_j; ++j) {
            for (int i = l->low_i; i <= l->n; ++i) {
                v3 u = v3_make((double)i / l->n, (double)j / l->n, (double)k / l->n);
                if (layer > 0 && l->surface[point_at(l, i, j, k)] < 0) {
                    continue;
                }
                v3 w = layer == 0 ? core_place(h, u) : layer_place(h, u, layer);
                if (!volume_mesh_add_node(mesh, body_place(h, w))) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool add_nodes(volume_mesh *mesh, half *h)
{
    bool ok = true;
    h->base = mesh->node_count;
    for (int layer = 0; ok && layer <= h->layers; ++layer) {
        ok = (layer == h->layers && h->below) || add_layer(mesh, h, layer);
    }
    return ok;
}

/* ---- cells ---- */

/* A quadrilateral from two edges, a hexahedron from two faces: turned around where it would be inside out. */
static bool add_quad(volume_mesh *mesh, const int inner[2], const int outer[2])
{
    const v3 *x = mesh->nodes;
    v3 one = v3_sub(x[outer[1]], x[inner[0]]);
    v3 two = v3_sub(x[outer[0]], x[inner[1]]);
    const int left[4] = { inner[0], inner[1], outer[1], outer[0] };
    const int right[4] = { inner[0], outer[0], outer[1], inner[1] };
    return volume_mesh_add_cell(mesh, CELL_QUAD4, one.x * two.y - one.y * two.x < 0.0 ? right : left);
}

static bool add_hexahedron(volume_mesh *mesh, const int inner[4], const int outer[4])
{
    const v3 *x = mesh->nodes;
    v3 one = v3_sub(x[inner[1]], x[inner[0]]);
    v3 two = v3_sub(x[inner[3]], x[inner[0]]);
    bool turned = v3_dot(v3_cross(one, two), v3_sub(x[outer[0]], x[inner[0]])) < 0.0;
    int cell[8];
    for (int i = 0; i < 4; ++i) {
        cell[i] = turned ? outer[i] : inner[i];
        cell[i + 4] = turned ? inner[i] : outer[i];
    }
    return volume_mesh_add_cell(mesh, CELL_HEXAHEDRON8, cell);
}

/* Two opposite edges or faces of points with their layers. */
static bool add_cell(volume_mesh *mesh, const half *h, const int *from, int from_layer, const int *to, int to_layer)
{
    int count = h->lattice->high_j > 0 ? 4 : 2;
    int inner[4], outer[4];
    for (int i = 0; i < count; ++i) {
        inner[i] = node_of(h, from_layer, from[i]);
        outer[i] = node_of(h, to_layer, to[i]);
    }
    return count == 2 ? add_quad(mesh, inner, outer) : add_hexahedron(mesh, inner, outer);
}

/* The points of a side of the cell that begins at (i, j, k), around it: axis 0 is i, 1 is j, 2 is k. */
static void side_points(const lattice *l, const int begin[3], int axis, int side, int *points)
{
    static const int around[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    bool space = l->high_j > 0;
    int first = axis == 0 ? (space ? 1 : 2) : 0;
    int second = axis == 2 ? 1 : 2;
    for (int c = 0; c < (space ? 4 : 2); ++c) {
        int at[3] = { begin[0], begin[1], begin[2] };
        at[axis] += side;
        at[first] += around[c][0];
        at[second] += space ? around[c][1] : 0;
        points[c] = point_at(l, at[0], at[1], at[2]);
    }
}

/* Layers and shells over a side of the core. */
static bool add_over(volume_mesh *mesh, const half *h, const int begin[3], int axis, int side)
{
    int points[4];
    bool ok = true;
    side_points(h->lattice, begin, axis, side, points);
    for (int layer = 0; ok && layer < h->layers; ++layer) {
        ok = add_cell(mesh, h, points, layer, points, layer + 1);
    }
    return ok;
}

static bool add_cells_at(volume_mesh *mesh, const half *h, const int begin[3])
{
    const lattice *l = h->lattice;
    int low[4], high[4];
    side_points(l, begin, 2, 0, low);
    side_points(l, begin, 2, 1, high);
    bool ok = add_cell(mesh, h, low, 0, high, 0);
    ok = ok && (begin[0] + 1 < l->n || add_over(mesh, h, begin, 0, 1));
    ok = ok && (begin[0] > -l->n || add_over(mesh, h, begin, 0, 0));
    ok = ok && (begin[1] + 1 < l->n || l->high_j == 0 || add_over(mesh, h, begin, 1, 1));
    ok = ok && (begin[1] > -l->n || l->high_j == 0 || add_over(mesh, h, begin, 1, 0));
    return ok && (begin[2] + 1 < l->n || add_over(mesh, h, begin, 2, 1));
}

static bool add_cells(volume_mesh *mesh, const half *h)
{
    const lattice *l = h->lattice;
    bool ok = true;
    for (int k = 0; k < l->n; ++k) {
        for (int j = l->low_j; j < (l->high_j > 0 ? l->high_j : 1); ++j) {
            for (int i = l->low_i; ok && i < l->n; ++i) {
                ok = add_cells_at(mesh, h, (const int[3]){ i, j, k });
            }
        }
    }
    return ok;
}

/* ---- the meshes ---- */

static carom_status check_patch(double radius, double patch, double fine, carom_error *err)
{
    if (patch > radius) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'patch' of the mesh is %g m and its radius %g m; fine cells must not reach further than that", patch,
            radius);
    }
    if (!(fine < patch)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'fine' of the mesh is %g m and 'patch' %g m; a patch needs cells smaller than itself",
                          fine, patch);
    }
    return CAROM_OK;
}

/* Cells of half an edge of the core; 0 and an error: too many. */
static int core_cells(double patch, double fine, round_extent extent, carom_error *err)
{
    double n = fmax(1.0, floor(CORE * patch / fine + 0.5));
    double nodes = extent == ROUND_SPACE ? 4.0 * n * n * n : n * n;
    if (nodes > MOST_NODES) {
        carom_fail(
            err, CAROM_BAD_INPUT,
            "the mesh asks for cells of %g m in a patch of %g m, more than %g nodes; take a larger 'fine' or a "
            "smaller 'patch'",
            fine, patch, MOST_NODES);
        return 0;
    }
    return (int)n;
}

static carom_status build(volume_mesh *out, half *halves, int count, carom_error *err)
{
    double nodes = 0.0;
    bool ok = true;
    for (int h = 0; h < count; ++h) {
        nodes += half_size(&halves[h]);
    }
    if (nodes > MOST_NODES) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the mesh has %.3g nodes, more than %g; take a larger 'fine' or a smaller 'patch'", nodes,
                          MOST_NODES);
    }
    for (int h = 0; ok && h < count; ++h) {
        ok = add_nodes(out, &halves[h]) && add_cells(out, &halves[h]);
    }
    if (!ok) {
        volume_mesh_free(out);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
    }
    return CAROM_OK;
}

static carom_status check_axis(v3 at, round_extent extent, carom_error *err)
{
    return extent != ROUND_HALF_SECTION || (at.x == 0.0 && at.z == 0.0)
               ? CAROM_OK
               : carom_fail(
                     err, CAROM_BAD_INPUT,
                     "'at' of the mesh is [%g, %g, %g]; the axis of a solid of revolution is the y axis of its "
                     "body: only y may differ from 0",
                     at.x, at.y, at.z);
}

/* Checks what is asked for and lays out the core; free its surface. */
static carom_status lay_out(lattice *l, const carom_round_mesh_def *d, round_extent extent, carom_error *err)
{
    carom_status status = check_patch(d->radius, d->patch, d->fine, err);
    status = status == CAROM_OK ? check_axis(d->at, extent, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    int n = core_cells(d->patch, d->fine, extent, err);
    return n == 0                       ? CAROM_BAD_INPUT
           : make_lattice(l, n, extent) ? CAROM_OK
                                        : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
}

carom_status ball_mesh_make(volume_mesh *out, const carom_round_mesh_def *d, round_extent extent, carom_error *err)
{
    lattice l = { 0 };
    *out = (volume_mesh){ 0 };
    carom_status status = lay_out(&l, d, extent, err);
    if (status != CAROM_OK) {
        return status;
    }
    const double everywhere = 2.0 * d->radius; /* no patch: cells as large as their number allows */
    bool low = d->towards != CAROM_TOWARDS_UPPER;
    bool high = d->towards != CAROM_TOWARDS_LOWER;
    half halves[2] = { make_half(&l, d->radius, low ? d->patch : everywhere, true),
                       make_half(&l, d->radius, high ? d->patch : everywhere, true) };
    halves[0].at = halves[1].at = d->at;
    halves[1].up = 1.0;
    halves[1].below = &halves[0];
    status = build(out, halves, 2, err);
    free(l.surface);
    return status;
}

carom_status bed_mesh_make(volume_mesh *out, const carom_round_mesh_def *d, round_extent extent, carom_error *err)
{
    lattice l = { 0 };
    *out = (volume_mesh){ 0 };
    carom_status status = lay_out(&l, d, extent, err);
    if (status != CAROM_OK) {
        return status;
    }
    half whole = make_half(&l, d->radius, d->patch, false);
    whole.at = d->at;
    status = build(out, &whole, 1, err);
    free(l.surface);
    return status;
}
