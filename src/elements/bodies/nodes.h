/* A body in the coordinates of its nodes: full finite elements with a constant diagonal mass, no frame among the unknowns.
 *
 * Coordinates are the displacements of the nodes from their places at the start, in the axes that the body's frame had then: 1, 2
 * or 3 numbers per node. A body with one moves along its x axis only (rods), one with two in its xy plane.
 *
 * Elasticity is linear in frames that co-rotate (corotation.h), by the choice of `rotation`:
 *
 *     whole     one frame for the body, the best fit of all nodes by mass: rotations within the body are small
 *     set       one frame, the best fit of some of its nodes: a section, or the chord between two
 *     element   each element has its own: deformations may be large, strains are small
 *     none      nothing turns: rods, and solids of revolution, which move along their axis
 *
 * Damping is proportional to the stiffness and acts on rates of deformation alone. */
#ifndef CAROM_ELEMENTS_BODIES_NODES_H
#define CAROM_ELEMENTS_BODIES_NODES_H

#include "elements/bodies/corotation.h"
#include "elements/solids/solid_mesh.h"

typedef enum nodal_rotation { ROTATION_WHOLE, ROTATION_SET, ROTATION_ELEMENT, ROTATION_NONE } nodal_rotation;

typedef struct nodal_def {
    const solid_mesh *mesh; /* outlives the body; its nodes in the axes of the body's frame */
    nodal_rotation rotation;
    const int *set; /* nodes of ROTATION_SET */
    int set_count;
    double damping; /* [s] force of damping = damping K e' */
} nodal_def;

typedef struct nodal_body nodal_body;

/* Refuses elements whose nodes turn (beams), nodes without elements, and frames that the nodes cannot define. */
carom_status nodal_create(nodal_body **out, const nodal_def *def, carom_error *err);
void nodal_destroy(nodal_body *body);

int nodal_dimension(const nodal_body *body);
int nodal_node_count(const nodal_body *body);
int nodal_coordinate_count(const nodal_body *body);
bool nodal_axisymmetric(const nodal_body *body);
double nodal_total_mass(const nodal_body *body);

/* Undeformed, in the axes of the body's frame. */
v3 nodal_place(const nodal_body *body, int node);

/* Of each node [kg]; zero in the coordinates that are held. */
const double *nodal_mass(const nodal_body *body);

/* Coordinates that stay zero: radii on the axis of a solid of revolution. */
const bool *nodal_held(const nodal_body *body);

/* Room for one evaluation at a time. */
typedef struct nodal_work nodal_work;
carom_status nodal_work_create(nodal_work **out, const nodal_body *body, carom_error *err);
void nodal_work_destroy(nodal_work *work);

typedef struct nodal_energy {
    double strain;      /* [J] */
    double dissipation; /* [W] >= 0 */
} nodal_energy;

/* Writes the internal forces [N] on all coordinates for displacements u and rates v. */
nodal_energy nodal_forces(const nodal_body *body, nodal_work *work, const double *u, const double *v, double *f);

/* The share of damping in the forces written last; NULL: there is none. */
const double *nodal_damping(const nodal_body *body, const nodal_work *work);

/* Mass-weighted best fit: how the body as a whole is displaced and turned. */
corotation_frame nodal_fit(const nodal_body *body, const double *u, const double *v);

/* The fastest vibration of the undeformed body. */
typedef struct nodal_vibration {
    double omega; /* [rad/s] to 1e-6 from below */
    int element;  /* whose nodes have most of its kinetic energy; of equal ones the first */
} nodal_vibration;

/* HUGE_VAL where memory runs out. */
nodal_vibration nodal_fastest_vibration(const nodal_body *body);

/* The longest explicit step with it: 2 (sqrt(1 + xi^2) - xi) / omega, xi = damping omega / 2. */
double nodal_critical_step(const nodal_body *body, double omega);

/* Strain and stress (NULL: not asked for) at the natural coordinates xi of an element whose nodes do not turn, for displacements u of
 * its nodes; where it turns, in the axes of the frame that it co-rotates with, which are returned. */
m3 nodal_element_strain(const solid_element *element, const v3 *u, bool turns, const double xi[3],
                        double strain[SOLID_STRAINS], double stress[SOLID_STRAINS]);

/* The same of an element of the body, for all displacements u. */
void nodal_strain(const nodal_body *body, const double *u, int element, const double xi[3],
                  double strain[SOLID_STRAINS], double stress[SOLID_STRAINS]);

#endif
