/* Finite elements put together: the freedoms of all nodes are numbered, stiffness and mass are added up. Made once from a mesh of cells
 * and what its cells are to be; it keeps copies of all it needs. A node has the freedoms that its elements give it. */
#ifndef CAROM_ELEMENTS_SOLIDS_SOLID_MESH_H
#define CAROM_ELEMENTS_SOLIDS_SOLID_MESH_H

#include "elements/solids/solid.h"
#include "geometry/volume_mesh.h"
#include "linalg/sparse.h"
#include "math/mat3.h"

/* Cells of a group become elements of a kind. */
typedef struct solid_part {
    const char *group; /* NULL: all cells that the kind can be made from and no other part has */
    const solid_type *type;
    solid_material material;
} solid_part;

typedef struct solid_mesh solid_mesh;

/* Refuses parts without cells, cells in two parts, and what solid_check_material and solid_check_geometry refuse; names the cell. */
carom_status solid_mesh_create(solid_mesh **out, const volume_mesh *cells, const solid_part *parts, int part_count,
                               carom_error *err);
void solid_mesh_destroy(solid_mesh *mesh);

int solid_mesh_node_count(const solid_mesh *mesh);
int solid_mesh_element_count(const solid_mesh *mesh);
int solid_mesh_freedom_count(const solid_mesh *mesh);
v3 solid_mesh_node(const solid_mesh *mesh, int node);

/* An element as its kind wants it, with the numbers of its nodes. */
typedef struct solid_element {
    const solid_type *type;
    const solid_material *material;
    v3 X[SOLID_NODES];
    int nodes[SOLID_NODES];
} solid_element;
solid_element solid_mesh_element(const solid_mesh *mesh, int element);

/* The number of a freedom (MOVE_X, ...) of a node; -1: the node has none such. */
int solid_mesh_freedom(const solid_mesh *mesh, int node, unsigned freedom);

/* K and M of the freedoms that are not held, numbered in their order; held: one per freedom, NULL: none is held. */
carom_status solid_mesh_stiffness(const solid_mesh *mesh, const bool *held, sparse_matrix **K, carom_error *err);
carom_status solid_mesh_mass(const solid_mesh *mesh, const bool *held, bool lumped, sparse_matrix **M,
                             carom_error *err);

/* The diagonal of the lumped mass, one per freedom. */
void solid_mesh_lumped_mass(const solid_mesh *mesh, double *m);

typedef struct solid_totals {
    double mass; /* [kg] */
    v3 centre;   /* [m] */
    m3 inertia;  /* [kg m^2] about the centre */
} solid_totals;

/* Of the solid itself: thickness, sections and a whole turn of axisymmetric elements are in it. */
solid_totals solid_mesh_totals(const solid_mesh *mesh);

/* Strain and stress of an element at its natural coordinates xi, for all freedoms u. */
void solid_mesh_strain(const solid_mesh *mesh, int element, const double *u, const double xi[3],
                       double strain[SOLID_STRAINS], double stress[SOLID_STRAINS]);

/* A point of the undeformed mesh. */
typedef struct solid_spot {
    int element;
    double xi[3]; /* natural coordinates */
    v3 off;       /* [m] from there to the point: 0 but for bars and beams, whose points may lie beside them */
} solid_spot;

/* The element at a point: the first that has it inside, within rounding; of bars and beams the nearest. False: none. */
bool solid_mesh_locate(const solid_mesh *mesh, v3 point, solid_spot *out);

/* Displacement of a spot, for all freedoms u; what lies beside a beam turns with it. */
v3 solid_mesh_displacement(const solid_mesh *mesh, const solid_spot *spot, const double *u);

/* Strain of a spot along a unit vector; of bars and beams only along them, where bending counts by the distance from the axis. */
double solid_mesh_strain_along(const solid_mesh *mesh, const solid_spot *spot, const double *u, v3 along);

/* Displacements strain at second order as well, two of them together: bars and beams whose ends move across them by (a . b)/L^2, solids by
 * (A'B + B'A)/2 with the gradients of both. Adds the forces on the freedoms that make up for it. */
void solid_mesh_shortening(const solid_mesh *mesh, const double *a, const double *b, double *force);

/* The direction of a bar or a beam; 0 of other elements. */
v3 solid_mesh_axis(const solid_mesh *mesh, int element);

#endif
