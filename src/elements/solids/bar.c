/* Bar with two nodes: it resists extension and nothing else. Its mass moves in all directions. */
#include <string.h>

#include "elements/solids/beam.h"

enum { FREEDOMS = 6 };

static v3 unit_along(const v3 *X, double *length)
{
    v3 along = v3_sub(X[1], X[0]);
    *length = v3_norm(along);
    return v3_scale(1.0 / *length, along);
}

static void interpolation(const solid_type *type, const v3 *X, const solid_material *material, const double xi[3],
                          double *N)
{
    (void)X;
    (void)material;
    double weights[2];
    beam_weights(type, xi, weights);
    memset(N, 0, 3 * FREEDOMS * sizeof *N);
    for (int i = 0; i < 2; ++i) {
        for (int a = 0; a < 3; ++a) {
            N[a * FREEDOMS + 3 * i + a] = weights[i];
        }
    }
}

static void stiffness(const solid_type *type, const v3 *X, const solid_material *material, double *K)
{
    (void)type;
    double length;
    v3 e = unit_along(X, &length);
    const double row[FREEDOMS] = { -e.x, -e.y, -e.z, e.x, e.y, e.z };
    for (int r = 0; r < FREEDOMS; ++r) {
        for (int c = 0; c < FREEDOMS; ++c) {
            K[r * FREEDOMS + c] = material->young * material->section.area / length * (row[r] * row[c]);
        }
    }
}

static void mass(const solid_type *type, const v3 *X, const solid_material *material, double *M)
{
    (void)type;
    double sixth = material->density * material->section.area * v3_norm(v3_sub(X[1], X[0])) / 6.0;
    memset(M, 0, FREEDOMS * FREEDOMS * sizeof *M);
    for (int a = 0; a < FREEDOMS; ++a) {
        M[a * FREEDOMS + a] = 2.0 * sixth;
        M[a * FREEDOMS + (a + 3) % FREEDOMS] = sixth;
    }
}

static void lumped_mass(const solid_type *type, const v3 *X, const solid_material *material, double *m)
{
    (void)type;
    for (int a = 0; a < FREEDOMS; ++a) {
        m[a] = 0.5 * material->density * material->section.area * v3_norm(v3_sub(X[1], X[0]));
    }
}

static void strain_at(const solid_type *type, const v3 *X, const solid_material *material, const double *u,
                      const double xi[3], double strain[SOLID_STRAINS])
{
    (void)type;
    (void)material;
    (void)xi;
    double length;
    v3 e = unit_along(X, &length);
    memset(strain, 0, SOLID_STRAINS * sizeof *strain);
    strain[STRAIN_AXIAL] = v3_dot(e, v3_make(u[3] - u[0], u[4] - u[1], u[5] - u[2])) / length;
}

const solid_type solid_bar = {
    .kind = { .name = "bar",
              .doc = "Bar with two nodes, in space: extension only.",
              .fields = solid_bar_fields,
              .defaults = &solid_material_default,
              .size = sizeof(solid_material) },
    .node_count = 2,
    .dimension = 1,
    .freedoms = MOVE_X | MOVE_Y | MOVE_Z,
    .nodes = beam_nodes,
    .weights = beam_weights,
    .interpolation = interpolation,
    .stiffness = stiffness,
    .mass = mass,
    .lumped_mass = lumped_mass,
    .strain = strain_at,
    .stress = beam_stress,
    .geometry_fault = beam_geometry_fault,
};
