/* What a kind of finite element supplies. It sees the coordinates of its nodes and a material, never a mesh or a model:
 *
 *     strain energy u' K u / 2,     kinetic energy u_dot' M u_dot / 2,
 *
 * with u for the freedoms of its nodes, node by node, in the order of the bits of `freedoms`. Displacements are small.
 *
 * Plane and axisymmetric elements lie in the xy plane; axisymmetric ones go once around the y axis and x is the radius.
 * Bars and beams run from their first node to their second. Local axes of a beam: x along it, y in the plane of x and the section's
 * `up`, z = x cross y; a planar beam bends in the xy plane and its z is that of the world. */
#ifndef CAROM_ELEMENTS_SOLIDS_SOLID_H
#define CAROM_ELEMENTS_SOLIDS_SOLID_H

#include <carom/elements.h>

#include "math/vec3.h"

enum {
    SOLID_NODES = 10,    /* most nodes of an element */
    SOLID_FREEDOMS = 30, /* most freedoms of an element */
    SOLID_STRAINS = 6,
    NODE_FREEDOMS = 6, /* most freedoms of a node */
};

/* Freedoms of a node: displacements [m] along and rotations [rad] about the axes. */
enum { MOVE_X = 1, MOVE_Y = 2, MOVE_Z = 4, TURN_X = 8, TURN_Y = 16, TURN_Z = 32 };

/* Components of strain and stress of solids; shear strains are angles (gamma, not half of it). In axisymmetry zz goes around. */
enum { STRAIN_XX, STRAIN_YY, STRAIN_ZZ, STRAIN_YZ, STRAIN_ZX, STRAIN_XY };
/* Of bars and beams, in local axes: extension, shear angles, twist and curvatures [1/m]; axial force, shear forces [N], moments
 * [N m]. A positive curvature about z turns the section from x towards y along the beam. */
enum { STRAIN_AXIAL, STRAIN_SHEAR_Y, STRAIN_SHEAR_Z, STRAIN_TWIST, STRAIN_BEND_Y, STRAIN_BEND_Z };

typedef enum solid_plane { PLANE_STRESS, PLANE_STRAIN, AXISYMMETRIC } solid_plane;

/* The cross section of a bar or a beam. */
typedef struct solid_section {
    double area;      /* [m^2] */
    double inertia_y; /* [m^4] second moment of area about the local y axis */
    double inertia_z; /* [m^4] about the local z axis */
    double torsion;   /* [m^4] torsion constant: torque = G torsion twist */
    double shear_y;   /* shear coefficient: force along local y = shear_y area G angle */
    double shear_z;
    v3 up; /* not along the beam */
} solid_section;

/* Isotropic and linear. What a kind does not use is not looked at; kind.fields lists what it uses. */
typedef struct solid_material {
    double young;     /* [Pa] */
    double poisson;   /* -1 < poisson < 0.5 */
    double density;   /* [kg/m^3] */
    double thickness; /* [m] of plane elements */
    int plane;        /* solid_plane: of plane elements */
    solid_section section;
} solid_material;

typedef struct solid_type {
    carom_kind kind; /* first; its params are a solid_material */
    int node_count;
    int dimension;            /* of the natural coordinates xi: 1 (-1..1), 2, 3; simplices: xi >= 0, their sum <= 1 */
    unsigned freedoms;        /* of each node */
    const double (*nodes)[3]; /* natural coordinates of the nodes */
    const struct continuum *continuum; /* of isoparametric elements: continuum.h */
    const struct beam *beam;           /* of beams: beam.h */

    /* Weights of the nodes in the position of the point xi of the undeformed element. */
    void (*weights)(const struct solid_type *type, const double xi[3], double *weights);

    /* Shape functions: displacement of the point xi along x, y, z per freedom; 3 x freedoms, row-major. */
    void (*interpolation)(const struct solid_type *type, const v3 *X, const solid_material *material,
                          const double xi[3], double *N);

    /* K, consistent M (freedoms x freedoms, row-major, symmetric to the last bit), lumped M (freedoms). */
    void (*stiffness)(const struct solid_type *type, const v3 *X, const solid_material *material, double *K);
    void (*mass)(const struct solid_type *type, const v3 *X, const solid_material *material, double *M);
    void (*lumped_mass)(const struct solid_type *type, const v3 *X, const solid_material *material, double *m);

    /* Strain at the point xi for the freedoms u, stress of a strain. */
    void (*strain)(const struct solid_type *type, const v3 *X, const solid_material *material, const double *u,
                   const double xi[3], double strain[SOLID_STRAINS]);
    void (*stress)(const struct solid_type *type, const solid_material *material, const double strain[SOLID_STRAINS],
                   double stress[SOLID_STRAINS]);

    /* Why this geometry is none, as the end of a sentence ("has no length"), or NULL. */
    const char *(*geometry_fault)(const struct solid_type *type, const v3 *X, const solid_material *material);
} solid_type;

/* All of them, NULL at the end; the one with this name, or NULL. */
const solid_type *const *solid_types(void);
const solid_type *solid_type_find(const char *name);

/* Freedoms of one node, of the element. */
int solid_node_freedoms(unsigned freedoms);
int solid_freedom_count(const solid_type *type);

/* Refuses a material that has not what the kind uses. */
carom_status solid_check_material(const solid_type *type, const solid_material *material, carom_error *err);

/* Refuses coordinates that are no numbers, elements that are flat, inside out, or not where their kind wants them. */
carom_status solid_check_geometry(const solid_type *type, const v3 *X, const solid_material *material,
                                  carom_error *err);

/* Field tables of the kinds. */
extern const carom_field solid_bulk_fields[];  /* solids: young, poisson, density */
extern const carom_field solid_plane_fields[]; /* and plane, thickness */
extern const carom_field solid_bar_fields[];   /* bars: young, density, area */
extern const carom_field solid_planar_beam_fields[];
extern const carom_field solid_planar_shear_fields[];
extern const carom_field solid_beam_fields[];
extern const carom_field solid_shear_fields[];
extern const solid_material solid_material_default;

#endif
