/* Beams with two nodes, in the plane and in space. With s = x / L along the beam, the mean curvature and the angle
 *
 *     kappa = (theta2 - theta1) / L,     g = (v2 - v1) / L - (theta1 + theta2) / 2,     phi = 12 E I / (k G A L^2),
 *
 * a beam that is loaded at its ends only has the shear angle g phi / (1 + phi) and the curvature kappa - 6 (2 s - 1) g / (L (1 + phi)): the
 * stiffness made of these is exact for such loads. phi = 0 is a beam without shear (Euler-Bernoulli, with cubic shape functions);
 * otherwise it is Timoshenko's. The same stiffness comes from linear functions, reduced integration and the residual bending
 * flexibility of [MacNeal1978]. */
#ifndef CAROM_ELEMENTS_SOLIDS_BEAM_H
#define CAROM_ELEMENTS_SOLIDS_BEAM_H

#include "elements/solids/solid.h"
#include "math/mat3.h"

typedef struct beam {
    bool shear; /* shear and rotary inertia of bending: Timoshenko */
} beam;

extern const double beam_nodes[2][3]; /* natural coordinates: -1 and 1 */

/* Local axes of a beam, as columns. */
m3 beam_axes(const solid_type *type, const v3 *X, const solid_material *material);

/* Of bars and beams. */
void beam_weights(const solid_type *type, const double xi[3], double *weights);
const char *beam_geometry_fault(const solid_type *type, const v3 *X, const solid_material *material);
/* N = E A e, V = k G A gamma, T = G J twist, M = E I curvature, of the components that the kind has. */
void beam_stress(const solid_type *type, const solid_material *material, const double strain[SOLID_STRAINS],
                 double stress[SOLID_STRAINS]);

void beam_interpolation(const solid_type *type, const v3 *X, const solid_material *material, const double xi[3],
                        double *N);
void beam_stiffness(const solid_type *type, const v3 *X, const solid_material *material, double *K);
void beam_mass(const solid_type *type, const v3 *X, const solid_material *material, double *M);
/* Half the mass at each node. Rotations: what scaling the diagonal of the consistent mass leaves [Hinton1976] (m L^2 / 78), or
 * half the rotary inertia where the beam has it. Of a tensor in local axes the diagonal in world axes is taken. */
void beam_lumped_mass(const solid_type *type, const v3 *X, const solid_material *material, double *m);
void beam_strain(const solid_type *type, const v3 *X, const solid_material *material, const double *u,
                 const double xi[3], double strain[SOLID_STRAINS]);

/* The functions of a table. */
#define BEAM_FUNCTIONS                                                                                            \
    .weights = beam_weights, .interpolation = beam_interpolation, .stiffness = beam_stiffness, .mass = beam_mass, \
    .lumped_mass = beam_lumped_mass, .strain = beam_strain, .stress = beam_stress,                                \
    .geometry_fault = beam_geometry_fault

#endif
