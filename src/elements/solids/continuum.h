/* Isoparametric elements: geometry and displacements are interpolated by the same functions N of natural coordinates. An element
 * of this family is its shape functions, its points of integration and, where it has them, incompatible modes; the functions here do
 * the rest and fill its table.
 *
 * Incompatible modes [Taylor1976] let an element bend without shear. Their gradients are taken with the Jacobian J0 of the middle and
 * scaled by det J0 / det J, so that their integral over the element vanishes however it is distorted: a constant stress does no
 * work on them and the patch test is passed. In axisymmetry the volume has the radius in it, and the mean over the element is
 * subtracted instead [Ibrahimbegovic1991]. The modes are condensed; mass does not see them. */
#ifndef CAROM_ELEMENTS_SOLIDS_CONTINUUM_H
#define CAROM_ELEMENTS_SOLIDS_CONTINUUM_H

#include "elements/solids/solid.h"

/* A point of integration: natural coordinates and weight. */
typedef struct quadrature_point {
    double xi[3];
    double weight;
} quadrature_point;

typedef struct quadrature {
    int count;
    const quadrature_point *points;
} quadrature;

typedef struct continuum {
    /* N at xi and its derivatives by the natural coordinates. */
    void (*shape)(const double xi[3], double *N, double (*dN)[3]);
    const quadrature *stiffness, *mass;
    double middle[3]; /* natural coordinates of the middle */

    /* Incompatible modes: values and derivatives, vanishing at the nodes. */
    int mode_count;
    void (*modes)(const double xi[3], double *value, double (*derivative)[3]);

    /* Lumping by scaling the diagonal of the consistent mass [Hinton1976], where row sums would not be positive. */
    bool scaled_diagonal;
} continuum;

/* Gauss points of the square and the cube, of the triangle (degree 5) and the tetrahedron (degrees 1, 2 and 5). */
extern const quadrature quadrature_square2, quadrature_square3, quadrature_cube2, quadrature_cube3;
extern const quadrature quadrature_triangle7, quadrature_tetrahedron1, quadrature_tetrahedron4,
    quadrature_tetrahedron14;

void continuum_weights(const solid_type *type, const double xi[3], double *weights);
void continuum_interpolation(const solid_type *type, const v3 *X, const solid_material *material, const double xi[3],
                             double *N);
void continuum_stiffness(const solid_type *type, const v3 *X, const solid_material *material, double *K);
void continuum_mass(const solid_type *type, const v3 *X, const solid_material *material, double *M);
void continuum_lumped_mass(const solid_type *type, const v3 *X, const solid_material *material, double *m);
void continuum_strain(const solid_type *type, const v3 *X, const solid_material *material, const double *u,
                      const double xi[3], double strain[SOLID_STRAINS]);
void continuum_stress(const solid_type *type, const solid_material *material, const double strain[SOLID_STRAINS],
                      double stress[SOLID_STRAINS]);

/* Adds the forces on the freedoms that make up for the strain of second order, (A'B + B'A)/2 with the gradients A and B of two displacements. */
void continuum_shortening(const solid_type *type, const v3 *X, const solid_material *material, const double *a,
                          const double *b, double *force);
const char *continuum_geometry_fault(const solid_type *type, const v3 *X, const solid_material *material);

/* The functions of a table. */
#define CONTINUUM_FUNCTIONS                                                                                   \
    .weights = continuum_weights, .interpolation = continuum_interpolation, .stiffness = continuum_stiffness, \
    .mass = continuum_mass, .lumped_mass = continuum_lumped_mass, .strain = continuum_strain,                 \
    .stress = continuum_stress, .geometry_fault = continuum_geometry_fault

#endif
