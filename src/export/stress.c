#include "export/stress.h"

#include <math.h>
#include <string.h>

#include "elements/bodies/nodes.h"

bool stress_room_make(stress_room *room, carom_arena *arena, size_t nodes)
{
    room->stress = CAROM_ARENA_ARRAY(arena, double, SOLID_STRAINS *nodes + 1);
    room->count = CAROM_ARENA_ARRAY(arena, int, nodes + 1);
    return !arena->failed;
}

static solid_element element_of(const flexible_mesh *body, size_t cell)
{
    const int32_t *numbers = body->cells + FLEXIBLE_CELL * cell;
    solid_element e = { .type = body->types[numbers[0]], .material = &body->body->material };
    for (int i = 0; i < e.type->node_count; ++i) {
        e.nodes[i] = numbers[1 + i];
        e.X[i] = v3_load(body->nodes + 3 * (size_t)e.nodes[i]);
    }
    return e;
}

/* Bodies whose nodes move on their own turn within: their elements have frames of their own. */
static bool turns(const flexible_body *body, const solid_type *type)
{
    bool round = type->dimension == 2 && body->material.plane == AXISYMMETRIC;
    return body->moved.count > 0 && type->dimension > 1 && !round;
}

/* A bar, whose area is 1 here, has its axial stress alone. */
static m3 tensor_of(const solid_type *type, const double s[SOLID_STRAINS])
{
    return type->dimension == 1 ? m3_diag(s[STRAIN_AXIAL], 0.0, 0.0)
                                : (m3){ { s[STRAIN_XX], s[STRAIN_XY], s[STRAIN_ZX], s[STRAIN_XY], s[STRAIN_YY],
                                          s[STRAIN_YZ], s[STRAIN_ZX], s[STRAIN_YZ], s[STRAIN_ZZ] } };
}

static void add_tensor(double *to, const m3 *s)
{
    static const int places[SOLID_STRAINS] = {
        [STRAIN_XX] = 0, [STRAIN_YY] = 4, [STRAIN_ZZ] = 8, [STRAIN_YZ] = 5, [STRAIN_ZX] = 2, [STRAIN_XY] = 1
    };
    for (int k = 0; k < SOLID_STRAINS; ++k) {
        to[k] += s->m[places[k]];
    }
}

static void add_element(const flexible_mesh *body, const solid_element *e, const double *u, stress_room *room)
{
    v3 own[SOLID_NODES];
    for (int i = 0; i < e->type->node_count; ++i) {
        own[i] = v3_load(u + 3 * (size_t)e->nodes[i]);
    }
    for (int i = 0; i < e->type->node_count; ++i) {
        double strain[SOLID_STRAINS], stress[SOLID_STRAINS];
        m3 axes = nodal_element_strain(e, own, turns(body->body, e->type), e->type->nodes[i], strain, stress);
        const m3 s = m3_rotate_tensor(axes, tensor_of(e->type, stress));
        add_tensor(room->stress + SOLID_STRAINS * (size_t)e->nodes[i], &s);
        room->count[e->nodes[i]] += 1;
    }
}

static double von_mises(const double *s)
{
    double xy = s[STRAIN_XX] - s[STRAIN_YY];
    double yz = s[STRAIN_YY] - s[STRAIN_ZZ];
    double zx = s[STRAIN_ZZ] - s[STRAIN_XX];
    double shear = s[STRAIN_XY] * s[STRAIN_XY] + s[STRAIN_YZ] * s[STRAIN_YZ] + s[STRAIN_ZX] * s[STRAIN_ZX];
    return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * shear);
}

void stress_von_mises(const flexible_mesh *body, const double *u, stress_room *room, float *out)
{
    size_t nodes = body->body->nodes.count;
    memset(room->stress, 0, SOLID_STRAINS * nodes * sizeof *room->stress);
    memset(room->count, 0, nodes * sizeof *room->count);
    for (size_t c = 0; c < body->body->cells.count; ++c) {
        const solid_element e = element_of(body, c);
        if (!e.type->beam) {
            add_element(body, &e, u, room);
        }
    }
    for (size_t i = 0; i < nodes; ++i) {
        bool known = room->count[i] > 0;
        out[i] = known ? (float)(von_mises(room->stress + SOLID_STRAINS * i) / room->count[i]) : NAN;
    }
}
