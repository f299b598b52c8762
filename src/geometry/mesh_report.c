/* Diagnosis of a mesh: every defect counted, the first few located.
 *
 * A component inside an odd number of others is a cavity and faces inwards; inside means that the winding number of
 * the other at one of its points, the sum of the solid angles of its triangles [van Oosterom, Strackee 1983], is nearer
 * to 1 than to 0. */
#include "geometry/mesh_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/union_find.h"
#include "geometry/bvh.h"
#include "geometry/shapes/shapes.h"

/* ---- places ------------------------------------------------------------------------------------------------------ */

static void note(carom_mesh_report *out, carom_mesh_defect_kind kind, v3 place)
{
    carom_mesh_defect *defect = &out->defects[kind];
    if (defect->place_count < CAROM_MESH_PLACES) {
        defect->places[defect->place_count++] = place;
    }
    ++defect->count;
}

static v3 middle_of_edge(const mesh *m, const mesh_edges *edges, int e)
{
    v3 a = m->vertices[edges->ends[e][0]];
    v3 b = m->vertices[edges->ends[e][1]];
    return v3_scale(0.5, v3_add(a, b));
}

static v3 middle_of_triangle(const mesh *m, int t)
{
    const int *corner = m->triangles[t];
    v3 sum = v3_add(m->vertices[corner[0]], v3_add(m->vertices[corner[1]], m->vertices[corner[2]]));
    return v3_scale(1.0 / 3.0, sum);
}

/* ---- edges and loops --------------------------------------------------------------------------------------------- */

static void report_edges(carom_mesh_report *out, const mesh *m, const mesh_edges *edges)
{
    for (int e = 0; e < edges->count; ++e) {
        int sides = mesh_edge_sides(edges, e);
        const int *side = edges->sides + edges->start[e];
        if (sides == 1) {
            note(out, CAROM_MESH_OPEN_EDGE, middle_of_edge(m, edges, e));
        } else if (sides > 2) {
            note(out, CAROM_MESH_NONMANIFOLD_EDGE, middle_of_edge(m, edges, e));
        } else if (side_from(m, side[0]) == side_from(m, side[1])) {
            note(out, CAROM_MESH_FLIPPED_EDGE, middle_of_edge(m, edges, e));
        }
    }
}

/* Turns about the vertex at the end of an open side, triangle by triangle, to the open side that leaves it. */
static int following_open_side(const mesh *m, const mesh_edges *edges, int side)
{
    int v = side_to(m, side);
    int at = side_next(side);
    for (int turns = 0; turns < 3 * m->triangle_count; ++turns) {
        int e = edges->edge_of[at];
        if (mesh_edge_sides(edges, e) == 1) {
            return at;
        }
        int twin = mesh_edges_twin(edges, at);
        if (twin < 0 || side_to(m, twin) != v) {
            return -1; /* more than two triangles, or neighbours that disagree */
        }
        at = side_next(twin);
    }
    return -1;
}

/* Splits the loop through `first` where it comes to a vertex again. place[v] is the position of v on the stack, or -1;
 * sides looked at are marked as done. */
static void split_loop(const mesh *m, int *next, int first, int *stack, int *place, bool *done)
{
    int top = 0;
    int side = first;
    do {
        int after = next[side];
        int v = side_from(m, side);
        done[side] = true;
        if (place[v] >= 0) {
            int begin = place[v];
            next[stack[top - 1]] = stack[begin]; /* a loop of its own */
            for (; top > begin; --top) {
                place[side_from(m, stack[top - 1])] = -1;
            }
        }
        if (top > 0) {
            next[stack[top - 1]] = side;
        }
        place[v] = top;
        stack[top++] = side;
        side = after;
    } while (side != first);
    next[stack[top - 1]] = stack[0];
    for (int i = 0; i < top; ++i) {
        place[side_from(m, stack[i])] = -1;
    }
}

/* Chains that do not close begin at sides that follow no other: they are taken out first. */
static void drop_chains(int *next, int sides, bool *followed)
{
    for (int side = 0; side < sides; ++side) {
        if (next[side] >= 0) {
            followed[next[side]] = true;
        }
    }
    for (int side = 0; side < sides; ++side) {
        for (int at = side; at >= 0 && next[at] >= 0 && !followed[at];) {
            int after = next[at];
            next[at] = -1;
            followed[after] = false;
            at = after;
        }
    }
}

static void split_loops(const mesh *m, int *next, int *stack, int *place, bool *done)
{
    int sides = 3 * m->triangle_count;
    drop_chains(next, sides, done);
    for (int side = 0; side < sides; ++side) {
        done[side] = false;
    }
    for (int v = 0; v < m->vertex_count; ++v) {
        place[v] = -1;
    }
    for (int side = 0; side < sides; ++side) {
        if (next[side] >= 0 && !done[side]) {
            split_loop(m, next, side, stack, place, done);
        }
    }
}

bool mesh_boundary_next(const mesh *m, const mesh_edges *edges, int *next)
{
    size_t sides = 3 * (size_t)m->triangle_count;
    int *stack = malloc((sides + 1) * sizeof *stack);
    int *place = malloc(((size_t)m->vertex_count + 1) * sizeof *place);
    bool *done = calloc(sides + 1, sizeof *done);
    bool ok = stack && place && done;
    for (int side = 0; ok && (size_t)side < sides; ++side) {
        int e = edges->edge_of[side];
        bool open = e >= 0 && mesh_edge_sides(edges, e) == 1;
        next[side] = open ? following_open_side(m, edges, side) : -1;
    }
    if (ok) {
        split_loops(m, next, stack, place, done);
    }
    free(stack);
    free(place);
    free(done);
    return ok;
}

/* Counts each loop once, at its smallest side. */
static void report_loop(carom_mesh_report *out, const mesh *m, int *next, int first)
{
    v3 sum = v3_zero();
    int length = 0;
    int side = first;
    while (next[side] != -2) {
        int after = next[side];
        sum = v3_add(sum, m->vertices[side_from(m, side)]);
        ++length;
        next[side] = -2; /* seen */
        side = after;
    }
    note(out, CAROM_MESH_HOLE, v3_scale(1.0 / length, sum));
}

static bool report_loops(carom_mesh_report *out, const mesh *m, const mesh_edges *edges)
{
    int *next = malloc((3 * (size_t)m->triangle_count + 1) * sizeof *next);
    if (!next || !mesh_boundary_next(m, edges, next)) {
        free(next);
        return false;
    }
    for (int side = 0; side < 3 * m->triangle_count; ++side) {
        if (next[side] >= 0) {
            report_loop(out, m, next, side);
        }
    }
    free(next);
    return true;
}

/* ---- vertices ---------------------------------------------------------------------------------------------------- */

/* Corners at a vertex hang together when their triangles share an edge there. At edges of many triangles all of them
 * do: that is reported as such already. */
static void unite_corners(const mesh *m, const mesh_edges *edges, int *parent)
{
    for (int e = 0; e < edges->count; ++e) {
        const int *side = edges->sides + edges->start[e];
        for (int i = 1; i < mesh_edge_sides(edges, e); ++i) {
            bool same = side_from(m, side[0]) == side_from(m, side[i]);
            set_unite(parent, side[0], same ? side[i] : side_next(side[i]));
            set_unite(parent, side_next(side[0]), same ? side_next(side[i]) : side[i]);
        }
    }
}

static bool report_vertices(carom_mesh_report *out, const mesh *m, const mesh_edges *edges)
{
    int sides = 3 * m->triangle_count;
    int *parent = malloc(((size_t)sides + 1) * sizeof *parent);
    int *fans = calloc((size_t)m->vertex_count + 1, sizeof *fans); /* -1: only in folded triangles */
    bool ok = parent && fans;
    for (int i = 0; ok && i < sides; ++i) {
        parent[i] = i;
        fans[m->triangles[i / 3][i % 3]] = -1;
    }
    if (ok) {
        unite_corners(m, edges, parent);
    }
    for (int i = 0; ok && i < sides; ++i) {
        int *count = &fans[m->triangles[i / 3][i % 3]];
        if (edges->edge_of[i] >= 0 && set_root(parent, i) == i) {
            *count = *count < 0 ? 1 : *count + 1;
        }
    }
    for (int v = 0; ok && v < m->vertex_count; ++v) {
        if (fans[v] == 0) {
            note(out, CAROM_MESH_UNREFERENCED, m->vertices[v]);
        } else if (fans[v] > 1) {
            note(out, CAROM_MESH_PINCHED_VERTEX, m->vertices[v]);
        }
    }
    free(parent);
    free(fans);
    return ok;
}

/* ---- triangles --------------------------------------------------------------------------------------------------- */

typedef struct sorted_corners {
    int corner[3]; /* ascending */
    int triangle;
} sorted_corners;

static sorted_corners sort_corners(const int corner[3], int triangle)
{
    int a = corner[0] < corner[1] ? corner[0] : corner[1];
    int b = corner[0] < corner[1] ? corner[1] : corner[0];
    int c = corner[2];
    int low = a < c ? a : c;
    int high = b > c ? b : c;
    return (sorted_corners){ { low, a < c ? (b < c ? b : c) : a, high }, triangle };
}

static int compare_corners(const void *a, const void *b)
{
    const sorted_corners *x = a;
    const sorted_corners *y = b;
    for (int k = 0; k < 3; ++k) {
        if (x->corner[k] != y->corner[k]) {
            return x->corner[k] < y->corner[k] ? -1 : 1;
        }
    }
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

bool mesh_find_duplicates(const mesh *m, int *first)
{
    size_t count = (size_t)m->triangle_count;
    sorted_corners *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted) {
        return false;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        sorted[t] = sort_corners(m->triangles[t], t);
    }
    qsort(sorted, count, sizeof *sorted, compare_corners);
    for (size_t i = 0; i < count; ++i) {
        bool same = i > 0 && memcmp(sorted[i].corner, sorted[i - 1].corner, sizeof sorted[i].corner) == 0;
        first[sorted[i].triangle] = same ? first[sorted[i - 1].triangle] : sorted[i].triangle;
    }
    free(sorted);
    return true;
}

static bool report_triangles(carom_mesh_report *out, const mesh *m)
{
    int *first = malloc(((size_t)m->triangle_count + 1) * sizeof *first);
    bool ok = first && mesh_find_duplicates(m, first);
    for (int t = 0; ok && t < m->triangle_count; ++t) {
        bool degenerate = mesh_triangle_degenerate(m, m->triangles[t]);
        if (degenerate) {
            note(out, CAROM_MESH_DEGENERATE, middle_of_triangle(m, t));
        }
        if (first[t] != t && !mesh_triangle_repeats(m->triangles[t])) {
            note(out, CAROM_MESH_DUPLICATE, middle_of_triangle(m, t));
        }
    }
    free(first);
    return ok;
}

/* ---- patches ----------------------------------------------------------------------------------------------------- */

void mesh_group_triangles(const int *patch, int triangle_count, int count, int *start, int *members)
{
    memset(start, 0, ((size_t)count + 1) * sizeof *start);
    for (int t = 0; t < triangle_count; ++t) {
        ++start[patch[t] + 1];
    }
    for (int c = 0; c < count; ++c) {
        start[c + 1] += start[c];
    }
    for (int t = 0; t < triangle_count; ++t) {
        members[start[patch[t]]++] = t;
    }
    for (int c = count; c > 0; --c) {
        start[c] = start[c - 1];
    }
    start[0] = 0;
}

static void widen(mesh_patch *patch, v3 r)
{
    patch->low = v3_make(fmin(patch->low.x, r.x), fmin(patch->low.y, r.y), fmin(patch->low.z, r.z));
    patch->high = v3_make(fmax(patch->high.x, r.x), fmax(patch->high.y, r.y), fmax(patch->high.z, r.z));
}

static void add_to_patch(mesh_patch *patch, const mesh *m, int t, v3 reference)
{
    v3 r[3];
    for (int k = 0; k < 3; ++k) {
        r[k] = v3_sub(m->vertices[m->triangles[t][k]], reference);
        widen(patch, m->vertices[m->triangles[t][k]]);
    }
    patch->volume_6 += v3_dot(r[0], v3_cross(r[1], r[2]));
}

/* Solid angle of a triangle seen from p: tan(Omega / 2) = det / (...). */
static double solid_angle(const mesh *m, int t, v3 p)
{
    v3 a = v3_sub(m->vertices[m->triangles[t][0]], p);
    v3 b = v3_sub(m->vertices[m->triangles[t][1]], p);
    v3 c = v3_sub(m->vertices[m->triangles[t][2]], p);
    double la = v3_norm(a);
    double lb = v3_norm(b);
    double lc = v3_norm(c);
    double below = la * lb * lc + v3_dot(a, b) * lc + v3_dot(b, c) * la + v3_dot(c, a) * lb;
    return 2.0 * atan2(v3_dot(a, v3_cross(b, c)), below);
}

/* What lies inside a patch as a whole has its box inside the patch's; solids that only overlap do not. */
static bool box_holds_box(const mesh_patch *outer, const mesh_patch *inner)
{
    return inner->low.x > outer->low.x && inner->high.x < outer->high.x && inner->low.y > outer->low.y &&
           inner->high.y < outer->high.y && inner->low.z > outer->low.z && inner->high.z < outer->high.z;
}

static bool patch_holds(const mesh *m, const int *members, int count, v3 p)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += solid_angle(m, members[i], p);
    }
    return fabs(sum) > 2.0 * PI; /* half of the 4 pi of a point inside */
}

/* In how many of the closed patches with these numbers the patch lies. */
static int count_depth(const mesh *m, const mesh_patch *patches, int own, const int *closed, int closed_count,
                       const int *start, const int *members)
{
    int depth = 0;
    for (int k = 0; k < closed_count; ++k) {
        int j = closed[k];
        if (j != own && box_holds_box(&patches[j], &patches[own])) {
            depth += patch_holds(m, members + start[j], start[j + 1] - start[j], patches[own].sample);
        }
    }
    return depth;
}

/* Only closed patches have an inside that depth could turn round. Where many edges have more than two triangles, nearly
 * every triangle is a patch: to compare all with all would take for ever. */
static bool count_depths(const mesh *m, const int *patch, int count, mesh_patch *patches)
{
    int *start = malloc(((size_t)count + 1) * sizeof *start);
    int *members = malloc(((size_t)m->triangle_count + 1) * sizeof *members);
    int *closed = malloc(((size_t)count + 1) * sizeof *closed);
    bool ok = start && members && closed;
    int closed_count = 0;
    if (ok) {
        mesh_group_triangles(patch, m->triangle_count, count, start, members);
    }
    for (int i = 0; ok && i < count; ++i) {
        if (patches[i].closed) {
            closed[closed_count++] = i;
        }
    }
    for (int k = 0; ok && k < closed_count; ++k) {
        patches[closed[k]].depth = count_depth(m, patches, closed[k], closed, closed_count, start, members);
    }
    free(start);
    free(members);
    free(closed);
    return ok;
}

static void mark_patch_edges(const mesh *m, const mesh_edges *edges, const int *patch, mesh_patch *patches)
{
    for (int e = 0; e < edges->count; ++e) {
        int sides = mesh_edge_sides(edges, e);
        const int *side = edges->sides + edges->start[e];
        for (int i = 0; sides != 2 && i < sides; ++i) {
            patches[patch[side[i] / 3]].closed = false;
        }
        if (sides == 2 && side_from(m, side[0]) == side_from(m, side[1])) {
            patches[patch[side[0] / 3]].orientable = false;
        }
    }
}

mesh_patch *mesh_describe_patches(const mesh *m, const mesh_edges *edges, const int *patch, int count, bool depths)
{
    mesh_patch *patches = calloc((size_t)count + 1, sizeof *patches);
    if (!patches) {
        return NULL;
    }
    v3 low, high;
    mesh_bounds(&low, &high, m);
    v3 reference = v3_axpy(low, 0.5, v3_sub(high, low));
    int known = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        mesh_patch *own = &patches[patch[t]];
        if (patch[t] == known) { /* patches are numbered by their first triangle */
            v3 r = m->vertices[m->triangles[t][0]];
            *own = (mesh_patch){ .closed = true, .orientable = true, .low = r, .high = r };
            own->sample = middle_of_triangle(m, t);
            ++known;
        }
        own->closed = own->closed && !mesh_triangle_repeats(m->triangles[t]);
        add_to_patch(own, m, t, reference);
    }
    mark_patch_edges(m, edges, patch, patches);
    if (depths && !count_depths(m, patch, count, patches)) {
        free(patches);
        return NULL;
    }
    return patches;
}

/* Triangles hang together over any shared edge: what people call a component. */
static bool count_components(carom_mesh_report *out, const mesh *m, const mesh_edges *edges)
{
    int *parent = malloc(((size_t)m->triangle_count + 1) * sizeof *parent);
    if (!parent) {
        return false;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        parent[t] = t;
    }
    for (int e = 0; e < edges->count; ++e) {
        for (int i = edges->start[e] + 1; i < edges->start[e + 1]; ++i) {
            set_unite(parent, edges->sides[edges->start[e]] / 3, edges->sides[i] / 3);
        }
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        out->components += parent[t] == t && !mesh_triangle_repeats(m->triangles[t]);
    }
    free(parent);
    return true;
}

static bool report_patches(carom_mesh_report *out, const mesh *m, const mesh_edges *edges)
{
    int *patch = malloc(((size_t)m->triangle_count + 1) * sizeof *patch);
    int count = patch ? mesh_patches(m, edges, patch) : -1;
    mesh_patch *patches = count >= 0 ? mesh_describe_patches(m, edges, patch, count, true) : NULL;
    for (int c = 0; patches && c < count; ++c) {
        const mesh_patch *p = &patches[c];
        if (p->closed && p->orientable) {
            bool cavity = p->depth % 2 == 1;
            out->cavities += cavity && p->volume_6 < 0.0;
            if (!cavity && p->volume_6 < 0.0) {
                note(out, CAROM_MESH_INSIDE_OUT, p->sample);
            }
        }
    }
    bool ok = patches != NULL;
    free(patches);
    free(patch);
    return ok && count_components(out, m, edges);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static carom_status report_intersections(carom_mesh_report *out, const mesh *m, carom_error *err)
{
    bvh *tree = NULL;
    int pairs[CAROM_MESH_PLACES][2];
    carom_status status = m->triangle_count > 0 ? bvh_create(&tree, m, err) : CAROM_OK;
    if (status != CAROM_OK || !tree) {
        return status;
    }
    carom_mesh_defect *defect = &out->defects[CAROM_MESH_SELF_INTERSECTION];
    defect->count = bvh_self_intersections(tree, CAROM_MESH_MOST_CUTS, pairs, CAROM_MESH_PLACES);
    while (defect->place_count < CAROM_MESH_PLACES && (size_t)defect->place_count < defect->count) {
        const int *pair = pairs[defect->place_count];
        defect->places[defect->place_count++] = v3_scale(0.5, v3_add(middle_of_triangle(m, pair[0]),
                                                                     middle_of_triangle(m, pair[1])));
    }
    bvh_destroy(tree);
    return CAROM_OK;
}

static bool nothing_wrong(const carom_mesh_report *report)
{
    for (int kind = 0; kind < CAROM_MESH_DEFECT_KINDS; ++kind) {
        if (report->defects[kind].count > 0) {
            return false;
        }
    }
    return true;
}

/* V - E + F over what belongs to proper triangles. */
static int euler_number(const carom_mesh_report *out, const mesh *m, const mesh_edges *edges)
{
    int triangles = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        triangles += !mesh_triangle_repeats(m->triangles[t]);
    }
    return m->vertex_count - (int)out->defects[CAROM_MESH_UNREFERENCED].count - edges->count + triangles;
}

carom_status mesh_report(const mesh *m, carom_mesh_report *out, carom_error *err)
{
    *out = (carom_mesh_report){ 0 };
    mesh_edges edges;
    carom_status status = mesh_edges_create(&edges, m, err);
    if (status != CAROM_OK) {
        return status;
    }
    report_edges(out, m, &edges);
    bool ok = report_loops(out, m, &edges) && report_vertices(out, m, &edges) && report_triangles(out, m) &&
              report_patches(out, m, &edges);
    out->euler = euler_number(out, m, &edges);
    out->closed = m->triangle_count > 0 && out->defects[CAROM_MESH_OPEN_EDGE].count == 0 &&
                  out->defects[CAROM_MESH_NONMANIFOLD_EDGE].count == 0;
    mesh_edges_free(&edges);
    if (!ok) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory while checking a mesh of %d triangles",
                          m->triangle_count);
    }
    status = report_intersections(out, m, err);
    out->solid = out->closed && nothing_wrong(out);
    return status;
}
