#include "elements/flexible/motions.h"

#include <string.h>

#include "linalg/dense.h"

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the motions of a mesh");
}

/* Component a (displacement along an axis, then rotation about one) of the rigid motion k, `arm` away from where it turns about. */
static double component(int k, int a, v3 arm)
{
    if (k < 3 || a >= 3) {
        return k == a ? 1.0 : 0.0;
    }
    v3 axis = v3_make(k == 3, k == 4, k == 5);
    return v3_get(v3_cross(axis, arm), a);
}

int motion_freedom(const motion_space *s, int node, int a)
{
    int freedom = solid_mesh_freedom(s->in->mesh, node, 1u << a);
    return freedom >= 0 && !s->absent[freedom] ? freedom : -1;
}

void motion_add(const motion_space *s, int k, v3 about, double amount, const int *nodes, int node_count, double *u)
{
    int count = nodes ? node_count : s->nodes;
    for (int i = 0; i < count; ++i) {
        int node = nodes ? nodes[i] : i;
        v3 arm = v3_sub(solid_mesh_node(s->in->mesh, node), about);
        for (int a = 0; a < MOTIONS; ++a) {
            int freedom = motion_freedom(s, node, a);
            if (freedom >= 0) {
                u[freedom] += amount * component(k, a, arm);
            }
        }
    }
}

double motion_product(const motion_space *s, const double *a, const double *b)
{
    double sum = 0.0;
    for (int f = 0; f < s->freedoms; ++f) {
        sum += s->mass[f] * a[f] * b[f];
    }
    return sum;
}

/* ---- those of the mesh ------------------------------------------------------------------------------------------- */

/* Whether the freedoms can follow the motion k, and move in it at all. */
static bool can_follow(const motion_space *s, int k)
{
    const double rounding = 1e-9; /* of the size: meshes in a plane may leave it by so much (solid_check_geometry) */
    double scale = k < 3 ? 1.0 : s->in->size;
    bool moves = false;
    for (int i = 0; i < s->nodes; ++i) {
        v3 arm = v3_sub(solid_mesh_node(s->in->mesh, i), s->in->centre);
        for (int a = 0; flexible_node_used(s->in, i) && a < MOTIONS; ++a) {
            bool there = fabs(component(k, a, arm)) > rounding * (a < 3 ? scale : 1.0);
            bool has = motion_freedom(s, i, a) >= 0;
            if (there && !has && a < 3) {
                return false;
            }
            moves = moves || (there && has);
        }
    }
    return moves;
}

/* A bar stretches and does nothing else: freedoms across it take no part. */
static void leave_out(motion_space *s, bool *absent)
{
    bool bar = strcmp(s->in->def->mesh.kind, "bar") == 0;
    for (int i = 0; bar && i < s->nodes; ++i) {
        for (int a = 1; a < MOTIONS; ++a) {
            int freedom = solid_mesh_freedom(s->in->mesh, i, 1u << a);
            if (freedom >= 0) {
                absent[freedom] = true;
            }
        }
    }
}

carom_status motion_space_make(motion_space *out, const flexible_input *in, carom_arena *arena, carom_error *err)
{
    int freedoms = solid_mesh_freedom_count(in->mesh);
    double *mass = CAROM_ARENA_ARRAY(arena, double, freedoms + 1);
    bool *absent = CAROM_ARENA_ARRAY(arena, bool, freedoms + 1);
    if (!mass || !absent) {
        return no_memory(err);
    }
    solid_mesh_lumped_mass(in->mesh, mass);
    *out = (motion_space){
        .in = in, .freedoms = freedoms, .nodes = solid_mesh_node_count(in->mesh), .mass = mass, .absent = absent
    };
    leave_out(out, absent);
    for (int k = 0; k < MOTIONS; ++k) {
        if (can_follow(out, k)) {
            out->motions[out->count++] = k;
        }
    }
    return CAROM_OK;
}

/* ---- means --------------------------------------------------------------------------------------------------------- */

static v3 centre_of(const motion_space *s, const flexible_attachment *a)
{
    double mass = 0.0;
    v3 moment = v3_zero();
    for (int i = 0; i < a->node_count; ++i) {
        double m = flexible_node_mass(s->in, s->mass, a->nodes[i]);
        mass += m;
        moment = v3_axpy(moment, m, solid_mesh_node(s->in->mesh, a->nodes[i]));
    }
    return v3_scale(1.0 / mass, moment);
}

/* W = (R' M R)^-1 R' M for the motions R of the nodes. Turns are scaled by the size of the mesh, so that pivots can be compared. */
static bool solve_means(const motion_space *s, const double *R, double *weights)
{
    const double least =
        1e-12; /* of the inertia of the nodes against the size of the mesh: they lie on a line, or are one */
    int n = s->count;
    double scale[MOTIONS], G[MOTIONS * MOTIONS];
    for (int i = 0; i < n; ++i) {
        scale[i] = s->motions[i] < 3 ? 1.0 : 1.0 / s->in->size;
    }
    double largest = 0.0;
    for (int i = 0; i < n * n; ++i) {
        G[i] = scale[i / n] * scale[i % n] * motion_product(s, R + (i / n) * s->freedoms, R + (i % n) * s->freedoms);
        largest = fmax(largest, G[i]);
    }
    double smallest = HUGE_VAL;
    int regular = dense_cholesky(G, n, NULL);
    for (int i = 0; i < regular; ++i) {
        smallest = fmin(smallest, G[i * n + i] * G[i * n + i]);
    }
    if (regular < n || !(smallest > least * largest)) {
        return false;
    }
    for (int f = 0; f < s->freedoms; ++f) {
        double b[MOTIONS];
        for (int i = 0; i < n; ++i) {
            b[i] = scale[i] * s->mass[f] * R[i * s->freedoms + f];
        }
        dense_cholesky_forward(G, b, n);
        dense_cholesky_backward(G, b, n);
        for (int i = 0; i < n; ++i) {
            weights[i * s->freedoms + f] = scale[i] * b[i];
        }
    }
    return true;
}

carom_status motion_mean_make(motion_mean *out, const motion_space *s, const flexible_attachment *a,
                              carom_arena *arena, carom_error *err)
{
    carom_arena room = { 0 };
    size_t size = (size_t)s->count * (size_t)s->freedoms + 1;
    double *R = CAROM_ARENA_ARRAY(&room, double, size);
    out->weights = CAROM_ARENA_ARRAY(arena, double, size);
    if (!R || !out->weights) {
        carom_arena_free(&room);
        return no_memory(err);
    }
    out->at = centre_of(s, a);
    for (int i = 0; i < s->count; ++i) {
        motion_add(s, s->motions[i], out->at, 1.0, a->nodes, a->node_count, R + i * s->freedoms);
    }
    bool fine = solve_means(s, R, out->weights);
    carom_arena_free(&room);
    return fine
               ? CAROM_OK
               : carom_fail(
                     err, CAROM_BAD_INPUT,
                     "attachment '%.100s' has %d node%s, which cannot tell how the body turns there; choose nodes that "
                     "span an area (a joint at one node of a solid is softer with every finer mesh)",
                     a->name, a->node_count, a->node_count == 1 ? "" : "s on one line");
}
