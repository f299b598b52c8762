/* Orientation: neighbours are made to agree by a flood over edges of two triangles; then each closed patch is turned to
 * face outwards, or inwards where it lies inside an odd number of others (a cavity). */
#include <stdlib.h>

#include "geometry/mesh_repair_steps.h"

typedef struct flood {
    const mesh *m;
    const mesh_edges *edges;
    signed char *turn; /* per triangle: -1 not reached, 0 as it is, 1 turned */
    int *stack;
} flood;

/* Reaches the neighbours of t; false where one reached before disagrees. */
static bool reach_neighbours(flood *f, int t, int *top)
{
    bool agrees = true;
    for (int side = 3 * t; side < 3 * t + 3; ++side) {
        int twin = mesh_edges_twin(f->edges, side);
        if (twin < 0) {
            continue;
        }
        bool opposed = side_from(f->m, side) != side_from(f->m, twin); /* as it should be */
        signed char wanted = (signed char)(opposed ? f->turn[t] : !f->turn[t]);
        if (f->turn[twin / 3] < 0) {
            f->turn[twin / 3] = wanted;
            f->stack[(*top)++] = twin / 3;
        } else {
            agrees = agrees && f->turn[twin / 3] == wanted;
        }
    }
    return agrees;
}

static bool flood_from(flood *f, int t)
{
    bool agrees = true;
    int top = 0;
    f->turn[t] = 0;
    f->stack[top++] = t;
    while (top > 0) {
        int next = f->stack[--top];
        agrees = reach_neighbours(f, next, &top) && agrees;
    }
    return agrees;
}

static void turn_triangle(int corner[3])
{
    int first = corner[0];
    corner[0] = corner[1];
    corner[1] = first;
}

/* In each patch the side that most triangles have wins. */
static void take_majority(const int *patch, int count, int triangle_count, signed char *turn, int *votes)
{
    for (int c = 0; c < count; ++c) {
        votes[c] = 0;
    }
    for (int t = 0; t < triangle_count; ++t) {
        votes[patch[t]] += turn[t] == 1 ? 1 : -1;
    }
    for (int t = 0; t < triangle_count; ++t) {
        turn[t] = (signed char)(votes[patch[t]] > 0 ? !turn[t] : turn[t]);
    }
}

/* Which closed patches face the wrong way: wrong[c]. */
static bool find_wrong(const mesh *m, const mesh_edges *edges, const int *patch, int count, bool outwards, int *wrong,
                       orient_result *result)
{
    mesh_patch *patches = mesh_describe_patches(m, edges, patch, count, !outwards);
    if (!patches) {
        return false;
    }
    for (int c = 0; c < count; ++c) {
        bool usable = patches[c].closed && patches[c].orientable;
        bool cavity = usable && patches[c].depth % 2 == 1;
        wrong[c] = usable && (cavity ? patches[c].volume_6 > 0.0 : patches[c].volume_6 < 0.0);
        result->cavities += cavity;
        result->open += !patches[c].closed;
    }
    free(patches);
    return true;
}

/* `votes` is scratch, one per patch. */
static bool agree(mesh *m, const mesh_edges *edges, orient_result *result, flood *f, int *patch, int *votes)
{
    int count = mesh_patches(m, edges, patch);
    if (count < 0) {
        return false;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        f->turn[t] = -1;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        if (f->turn[t] < 0) {
            result->one_sided += !flood_from(f, t);
        }
    }
    take_majority(patch, count, m->triangle_count, f->turn, votes);
    for (int t = 0; t < m->triangle_count; ++t) {
        if (f->turn[t]) {
            turn_triangle(m->triangles[t]);
        }
    }
    return true;
}

/* Edges are numbered by vertices, but the sides of turned triangles have moved: they must be found anew. */
static bool face_outwards(mesh *m, bool outwards, orient_result *result, const flood *f, const int *patch, int *wrong)
{
    mesh_edges edges;
    if (mesh_edges_create(&edges, m, NULL) != CAROM_OK) {
        return false;
    }
    int count = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        count = patch[t] >= count ? patch[t] + 1 : count;
    }
    bool ok = find_wrong(m, &edges, patch, count, outwards, wrong, result);
    for (int t = 0; ok && t < m->triangle_count; ++t) {
        if (wrong[patch[t]]) {
            turn_triangle(m->triangles[t]);
        }
        result->turned += (f->turn[t] == 1) != (wrong[patch[t]] == 1);
    }
    mesh_edges_free(&edges);
    return ok;
}

bool repair_orient(mesh *m, bool everything_outwards, orient_result *result)
{
    mesh_edges edges;
    *result = (orient_result){ 0 };
    if (mesh_edges_create(&edges, m, NULL) != CAROM_OK) {
        return false;
    }
    size_t count = (size_t)m->triangle_count + 1;
    flood f = { m, &edges, malloc(count), malloc(count * sizeof(int)) };
    int *patch = malloc(count * sizeof *patch);
    int *wrong = malloc(count * sizeof *wrong);
    bool ok = f.turn && f.stack && patch && wrong;
    ok = ok && agree(m, &edges, result, &f, patch, wrong);
    ok = ok && face_outwards(m, everything_outwards, result, &f, patch, wrong);
    mesh_edges_free(&edges);
    free(f.turn);
    free(f.stack);
    free(patch);
    free(wrong);
    return ok;
}
