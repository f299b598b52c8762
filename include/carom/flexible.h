/* Bodies that deform: the material, the mesh of finite elements, and what a body is made of it. Plain structs with defaults as in
 * carom/elements.h, which includes this header.
 *
 * A body with `flexible` takes its mass, centre of mass and inertia from its mesh; its shapes are for looks and contact. */
#ifndef CAROM_FLEXIBLE_H
#define CAROM_FLEXIBLE_H

#include <carom/fields.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A linear elastic material, which `material` of a body or a shape names. Names that are not in the table stay what they are without
 * one: names for the pairs of the contact section. */
typedef struct carom_material_def {
    const char *name;
    double young;   /* [Pa]; 0: not given, then nothing that deforms can be made of it */
    double poisson; /* above -1 and below 0.5 */
    double density; /* [kg/m^3]; 0: not given. Of shapes that have none of their own, nor their body */
} carom_material_def;

/* ---- meshes -------------------------------------------------------------------------------------------------- */

/* Kinds of carom_flexible_def.mesh. Those that are made lie with their middle at `at`, edges along the axes of the body; their
 * nodes on the ends and sides form the groups x_min, x_max, y_min, y_max, z_min, z_max. `grading` is the length of the last cell along an
 * axis over that of the first. */

typedef struct carom_mesh_from_file_def { /* "file" */
    const char *file;                     /* Gmsh, .msh */
    double scale;                         /* metres per unit of the file */
} carom_mesh_from_file_def;

typedef struct carom_line_mesh_def { /* "bar", "beam": along x */
    double length;                   /* [m] */
    int count;                       /* elements */
    double grading;
    carom_v3 at; /* [m] */
} carom_line_mesh_def;

typedef struct carom_plane_mesh_def { /* "strip": length along x, height along y, in the xy plane */
    double length, height;            /* [m] */
    carom_reals divisions;            /* cells along x and y */
    carom_reals grading;              /* along x and y; none: 1 */
    carom_v3 at;                      /* [m] */
} carom_plane_mesh_def;

typedef struct carom_rod_mesh_def { /* "rod": round, its axis along y, x is the radius: axisymmetric */
    double radius, length;          /* [m] */
    carom_reals divisions;          /* cells along the radius and the axis */
    carom_reals grading;
    carom_v3 at; /* [m]; along y only */
} carom_rod_mesh_def;

typedef struct carom_block_mesh_def { /* "block", "plate" */
    carom_v3 size;                    /* [m] full edge lengths */
    carom_reals divisions;            /* cells along x, y and z */
    carom_reals grading;
    carom_v3 at; /* [m] */
} carom_block_mesh_def;

typedef enum carom_finger_side { CAROM_FINGER_APEX, CAROM_FINGER_UPPER, CAROM_FINGER_LOWER } carom_finger_side;

typedef struct carom_finger_mesh_def { /* "finger": a strip along x whose end at +x is a half circle */
    double length, width;              /* [m] from the flat end to the apex; along y */
    double size;                       /* [m] of cells */
    double fine;                       /* [m] of cells where it touches; 0: `size` everywhere */
    double growth;                     /* of cells next to each other */
    carom_finger_side towards;         /* where it is fine: at the apex, or 45 degrees above or below it */
    carom_v3 at;                       /* [m] */
} carom_finger_mesh_def;

typedef struct carom_anvil_mesh_def { /* "anvil": a rectangle that is fine at the middle of its upper side */
    double length, height;            /* [m] along x, along y */
    double size, fine;                /* [m] of cells, and of those in the middle; 0: `size` */
    double growth;
    carom_v3 at; /* [m] */
} carom_anvil_mesh_def;

typedef enum carom_round_side { CAROM_TOWARDS_LOWER, CAROM_TOWARDS_UPPER, CAROM_TOWARDS_BOTH } carom_round_side;

/* "disc", "ball": fine at the lowest or highest point, along y of a disc and z of a ball. "bed": the lower half of a disc or ball, fine
 * in the middle of its flat side. Discs and beds that are axisymmetric are balls and half balls: the half section x >= 0. */
typedef struct carom_round_mesh_def {
    double radius;            /* [m] */
    double patch;             /* [m] radius of the fine region */
    double fine;              /* [m] of cells in it; they grow away from it */
    carom_round_side towards; /* where it is fine; a bed is fine in the middle */
    carom_v3 at;              /* [m] the middle, of a bed that of its flat side */
} carom_round_mesh_def;

typedef struct carom_filled_mesh_def { /* "of_shape": the body's one shape, filled with tetrahedra by Gmsh */
    double size;                       /* [m] of the edges of tetrahedra, about */
    int order;                         /* 1: four nodes each, 2: ten */
} carom_filled_mesh_def;

/* ---- cross sections ------------------------------------------------------------------------------------------ */

typedef struct carom_round_section_def { /* "round" */
    double radius;                       /* [m] */
    double inner;                        /* [m] radius of the bore; 0: none */
} carom_round_section_def;

typedef struct carom_rectangle_section_def { /* "rectangle" */
    double height;                           /* [m] along the local y axis */
    double width;                            /* [m] along the local z axis */
} carom_rectangle_section_def;

typedef struct carom_general_section_def { /* "general" */
    double area;                           /* [m^2] */
    double inertia_y, inertia_z;           /* [m^4] second moments of area about the local axes */
    double torsion;                        /* [m^4] torque = G torsion twist */
    double shear_y, shear_z;               /* share of the area that carries shear along y, z */
} carom_general_section_def;

/* ---- where something is attached ------------------------------------------------------------------------------ */

/* Kinds that choose nodes. */

typedef struct carom_group_nodes_def { /* "group": the nodes of a group of the mesh */
    const char *group;
} carom_group_nodes_def;

typedef struct carom_box_nodes_def { /* "box": the nodes inside a box in the frame of the body */
    carom_v3 low, high;              /* [m] */
} carom_box_nodes_def;

typedef struct carom_place_nodes_def { /* "at": the node at a place of the body */
    carom_v3 position;                 /* [m] */
} carom_place_nodes_def;

typedef enum carom_attachment_rule { CAROM_ATTACH_RIGID, CAROM_ATTACH_AVERAGE } carom_attachment_rule;

/* Nodes that a joint or a force acts on. rigid: they move together as a rigid body; average: the joint follows the mean of their
 * motion, and loads are spread over them. */
typedef struct carom_flexible_attachment_def {
    const char *name;
    carom_choice nodes; /* kind "group", "box" or "at" and its params */
    carom_attachment_rule as;
} carom_flexible_attachment_def;

/* ---- the body ------------------------------------------------------------------------------------------------ */

/* What of the mesh takes part in the dynamics. */
typedef enum carom_flexible_as {
    CAROM_FLEXIBLE_MODES, /* a frame and a few shapes of deformation */
    CAROM_FLEXIBLE_NODES, /* every node */
    CAROM_FLEXIBLE_ZONE,  /* modes, and nodes in the zone of contact */
} carom_flexible_as;

/* What the frame follows, from which deformation is measured. */
typedef enum carom_flexible_frame {
    CAROM_FRAME_MEAN,       /* the mean motion of the mass: deformation carries no momentum of its own */
    CAROM_FRAME_CHORD,      /* its origin the first attachment, and the line to the second keeps its direction */
    CAROM_FRAME_ATTACHMENT, /* the first attachment */
} carom_flexible_frame;

typedef enum carom_flexible_plane { CAROM_PLANE_STRESS, CAROM_PLANE_STRAIN, CAROM_AXISYMMETRIC } carom_flexible_plane;
typedef enum carom_flexible_rotation { CAROM_ROTATION_BODY, CAROM_ROTATION_ELEMENT } carom_flexible_rotation;
typedef enum carom_flexible_initial { CAROM_UNDEFORMED, CAROM_STATIC } carom_flexible_initial;

typedef struct carom_modes_def {
    int count;    /* modes of vibration with all rigid attachments held; 0: by up_to */
    double up_to; /* [Hz] all below this frequency; 0: by count */
} carom_modes_def;

typedef struct carom_flexible_damping_def {
    double stiffness; /* [s] D = stiffness K */
    double ratio;     /* of critical damping, the same for every mode */
} carom_flexible_damping_def;

/* A place whose motion is a signal, and a strain gauge where `along` is given. */
typedef struct carom_probe_def {
    const char *name;
    carom_v3 at;       /* [m] in the frame of the body */
    carom_reals along; /* direction of the strain, 3 numbers; none: no gauge */
} carom_probe_def;

typedef struct carom_flexible_def {
    bool given;
    carom_choice mesh;    /* kind "file", "bar", "beam", "strip", "rod", "block", "plate" and its params */
    const char *element;  /* kind of finite element; NULL: the usual one for the cells of the mesh */
    carom_choice section; /* of bars and beams: "round", "rectangle", "general" */
    carom_v3 up;          /* a direction across beams: their local y axis lies in its plane with the beam */
    double thickness;     /* [m] of plane elements */
    carom_flexible_plane plane;
    carom_flexible_as as;
    carom_modes_def modes;
    carom_flexible_frame frame;
    carom_list attachments; /* of carom_flexible_attachment_def */
    carom_choice zone;      /* nodes of the zone: kind "group", "box" or "at"; kind NULL: none */
    carom_flexible_damping_def damping;
    carom_list probes; /* of carom_probe_def */
    carom_flexible_rotation rotation;
    carom_flexible_initial initial;
    bool stiffening; /* bending shortens the body, so that tension stiffens it; bars and beams */
} carom_flexible_def;

CAROM_API const carom_kind *const *carom_volume_mesh_kinds(void);
CAROM_API const carom_kind *const *carom_section_kinds(void);
CAROM_API const carom_kind *const *carom_node_choice_kinds(void);

/* Field tables, ended by name == NULL. */
CAROM_API const carom_field *carom_flexible_fields(void);
CAROM_API const carom_field *carom_material_fields(void);

CAROM_API carom_flexible_def carom_flexible_def_default(void);
CAROM_API carom_material_def carom_material_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
