#include "result/result_stress.h"

#include <math.h>
#include <string.h>

#include "elements/bodies/nodes.h"
#include "elements/solids/beam.h"

/* Sums of a node: six components of stress, six of strain; of beams the scalars come behind. */
enum { SUM_STRESS = 0, SUM_STRAIN = SOLID_STRAINS, SUM_MISES = 2 * SOLID_STRAINS, SUM_FIBRE, SUMS };

bool stress_room_make(stress_room *room, carom_arena *arena, size_t nodes)
{
    room->sum = CAROM_ARENA_ARRAY(arena, double, SUMS *nodes + 1);
    room->count = CAROM_ARENA_ARRAY(arena, int, nodes + 1);
    return !arena->failed;
}

/* ---- solids and bars ---------------------------------------------------------------------------------------------- */

/* Bodies whose nodes move on their own turn within: their elements have frames of their own. */
static bool turns(const flexible_body *body, const solid_type *type)
{
    bool round = type->dimension == 2 && body->material.plane == AXISYMMETRIC;
    return body->moved.count > 0 && type->dimension > 1 && !round;
}

/* Shear strains are angles, twice what the tensor has. */
static m3 tensor_of(const double s[SOLID_STRAINS], double shear)
{
    double yz = shear * s[STRAIN_YZ], zx = shear * s[STRAIN_ZX], xy = shear * s[STRAIN_XY];
    return (m3){ { s[STRAIN_XX], xy, zx, xy, s[STRAIN_YY], yz, zx, yz, s[STRAIN_ZZ] } };
}

static const int places[SOLID_STRAINS] = {
    [STRAIN_XX] = 0, [STRAIN_YY] = 4, [STRAIN_ZZ] = 8, [STRAIN_YZ] = 5, [STRAIN_ZX] = 2, [STRAIN_XY] = 1
};

static void add_tensor(double *to, m3 axes, m3 tensor)
{
    const m3 s = m3_rotate_tensor(axes, tensor);
    for (int k = 0; k < SOLID_STRAINS; ++k) {
        to[k] += s.m[places[k]];
    }
}

/* A bar has its axial stress alone, and is as thin as it is stretched. */
static void add_point(const flexible_mesh *body, const solid_element *e, const v3 *own, int i, double *sum)
{
    double strain[SOLID_STRAINS], stress[SOLID_STRAINS];
    m3 axes = nodal_element_strain(e, own, turns(body->body, e->type), e->type->nodes[i], strain, stress);
    if (e->type->dimension == 1) {
        add_tensor(sum + SUM_STRESS, axes, m3_diag(e->material->young * strain[STRAIN_AXIAL], 0.0, 0.0));
        add_tensor(sum + SUM_STRAIN, axes, m3_diag(strain[STRAIN_AXIAL], 0.0, 0.0));
        return;
    }
    add_tensor(sum + SUM_STRESS, axes, tensor_of(stress, 1.0));
    add_tensor(sum + SUM_STRAIN, axes, tensor_of(strain, 0.5));
}

static void add_solid(const flexible_mesh *body, const solid_element *e, const double *u, const bool *only,
                      stress_room *room)
{
    v3 own[SOLID_NODES];
    for (int i = 0; i < e->type->node_count; ++i) {
        own[i] = v3_load(u + 3 * (size_t)e->nodes[i]);
    }
    for (int i = 0; i < e->type->node_count; ++i) {
        if (!only || only[e->nodes[i]]) {
            add_point(body, e, own, i, room->sum + SUMS * (size_t)e->nodes[i]);
            room->count[e->nodes[i]] += 1;
        }
    }
}

/* ---- beams -------------------------------------------------------------------------------------------------------- */

/* Circles and tubes resist torsion with their polar moment, and nothing else does: R^2 + r^2 = 4 I / A, R^2 - r^2 = A / pi. */
section_outline section_outline_of(const solid_section *s)
{
    const double pi = 3.14159265358979323846;
    double polar = s->inertia_y + s->inertia_z;
    bool alike = fabs(s->inertia_y - s->inertia_z) <= 1e-9 * polar;
    if (!(s->area > 0.0) || !(polar > 0.0)) { /* bars need no moments */
        double radius = s->area > 0.0 ? sqrt(s->area / pi) : 0.0;
        return (section_outline){ true, radius, radius };
    }
    if (alike && fabs(s->torsion - polar) <= 1e-9 * polar) {
        double radius = sqrt(polar / s->area + 0.5 * s->area / pi);
        return (section_outline){ true, radius, radius };
    }
    return (section_outline){ false, sqrt(3.0 * s->inertia_z / s->area), sqrt(3.0 * s->inertia_y / s->area) };
}

/* Freedoms of a node of a beam from its displacement and rotation, in the order of the bits of `freedoms`. */
static double *put_freedoms(double *to, unsigned freedoms, const double *u, const double *turn)
{
    for (int k = 0; k < NODE_FREEDOMS; ++k) {
        if (freedoms & 1u << k) {
            *to++ = k < 3 ? u[k] : turn[k - 3];
        }
    }
    return to;
}

/* Axial strain of the fibre that is stretched or pressed most. Bending alone does both alike, and counts as stretching whatever rounding
 * the extension has. */
static double outer_strain(const section_outline *s, const double strain[SOLID_STRAINS])
{
    double y = strain[STRAIN_BEND_Y] * s->half_z, z = strain[STRAIN_BEND_Z] * s->half_y;
    double bent = s->round ? hypot(y, z) : fabs(y) + fabs(z);
    double axial = strain[STRAIN_AXIAL];
    return axial < -0.01 * bent ? axial - bent : axial + bent;
}

/* The largest shear angle of torsion: at the rim of a circle; at the middle of the longer side of a rectangle, where the theory of Saint-
 * Venant has 0.675 (square) to 1 (strip) times twist times the shorter side; within 2 %. */
static double torsion_angle(const section_outline *s, double twist)
{
    double shorter = fmin(s->half_y, s->half_z), longer = fmax(s->half_y, s->half_z);
    double slender = shorter / longer;
    return fabs(twist) * (s->round ? shorter : 2.0 * shorter * (1.0 - 0.325 * slender * slender));
}

static void add_beam(const solid_element *e, node_motion motion, stress_room *room)
{
    static const double none[3];
    double freedoms[SOLID_FREEDOMS];
    double *to = freedoms;
    const section_outline outline = section_outline_of(&e->material->section);
    const double young = e->material->young;
    for (int i = 0; i < e->type->node_count; ++i) {
        size_t at = 3 * (size_t)e->nodes[i];
        to = put_freedoms(to, e->type->freedoms, motion.u + at, motion.turn ? motion.turn + at : none);
    }
    for (int i = 0; i < e->type->node_count; ++i) {
        double strain[SOLID_STRAINS];
        double *sum = room->sum + SUMS * (size_t)e->nodes[i];
        e->type->strain(e->type, e->X, e->material, freedoms, e->type->nodes[i], strain);
        double fibre = outer_strain(&outline, strain);
        double shear = young / (2.0 * (1.0 + e->material->poisson)) * torsion_angle(&outline, strain[STRAIN_TWIST]);
        sum[SUM_FIBRE] += fibre;
        sum[SUM_MISES] += sqrt(young * fibre * young * fibre + 3.0 * shear * shear);
        room->count[e->nodes[i]] += 1;
    }
}

/* ---- nodes -------------------------------------------------------------------------------------------------------- */

static double von_mises(const double *s)
{
    double xy = s[STRAIN_XX] - s[STRAIN_YY];
    double yz = s[STRAIN_YY] - s[STRAIN_ZZ];
    double zx = s[STRAIN_ZZ] - s[STRAIN_XX];
    double shear = s[STRAIN_XY] * s[STRAIN_XY] + s[STRAIN_YZ] * s[STRAIN_YZ] + s[STRAIN_ZX] * s[STRAIN_ZX];
    return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * shear);
}

static double principal(const double *s)
{
    double values[3];
    m3 axes;
    m3_eigen_symmetric(tensor_of(s, 1.0), values, &axes);
    return fabs(values[0]) > fabs(values[2]) ? values[0] : values[2];
}

static node_stress mean_of(const double *sum, int count)
{
    if (count == 0) {
        return (node_stress){ NAN, NAN };
    }
    double mises = von_mises(sum + SUM_STRESS) + sum[SUM_MISES];
    double strain = principal(sum + SUM_STRAIN) + sum[SUM_FIBRE];
    return (node_stress){ (float)(mises / count), (float)(strain / count) };
}

static bool is_asked_for(const solid_element *e, const bool *only)
{
    bool asked = !only;
    for (int i = 0; i < e->type->node_count && !asked; ++i) {
        asked = only[e->nodes[i]];
    }
    return asked;
}

void stress_at_nodes(const flexible_mesh *body, node_motion motion, const bool *only, stress_room *room,
                     node_stress *out)
{
    size_t nodes = body->body->nodes.count;
    memset(room->sum, 0, SUMS * nodes * sizeof *room->sum);
    memset(room->count, 0, nodes * sizeof *room->count);
    for (size_t c = 0; c < body->body->cells.count; ++c) {
        const solid_element e = result_flexible_element(body, c);
        if (!is_asked_for(&e, only)) {
            continue;
        }
        if (e.type->beam) {
            add_beam(&e, motion, room);
        } else {
            add_solid(body, &e, motion.u, only, room);
        }
    }
    for (size_t i = 0; i < nodes; ++i) {
        out[i] = mean_of(room->sum + SUMS * i, room->count[i]);
    }
}
