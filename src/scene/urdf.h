/* Shared by the files that translate URDF. */
#ifndef CAROM_SCENE_URDF_H
#define CAROM_SCENE_URDF_H

#include "scene/robot.h"

typedef enum urdf_shapes { SHAPES_AUTO, SHAPES_COLLISION, SHAPES_VISUAL, SHAPES_BOTH } urdf_shapes;

typedef struct urdf_reading {
    robot robot;
    const xml_element *root;
    int base, shapes;
    double density; /* [kg/m^3] of links without mass; 0: none */
} urdf_reading;

/* ---- values and meshes (urdf_read.c) ------------------------------------------------------------------------------------------- */

carom_status urdf_origin(const robot *r, const xml_element *element, carom_pose *out);

/* A number that must be there. */
carom_status urdf_number(const robot *r, const xml_element *at, const char *name, double *out);
carom_status urdf_mesh(robot *r, const xml_element *at, carom_pose pose);

/* ---- links (urdf_link.c): each into the link that was added last ----------------------------------------------------------------- */

carom_status urdf_read_shapes(urdf_reading *u, const xml_element *link);
carom_status urdf_read_color(urdf_reading *u, const xml_element *element, robot_link *link);

/* After its shapes, which may have to supply it. */
carom_status urdf_read_mass(urdf_reading *u, const xml_element *element, robot_link *link);

/* ---- joints (urdf_joint.c) -------------------------------------------------------------------------------------------------------- */

/* A joint that follows another: multiplier * master + offset. */
typedef struct urdf_mimic {
    robot_axis *master; /* NULL: none */
    double multiplier, offset;
} urdf_mimic;

carom_status urdf_read_joint(urdf_reading *u, const xml_element *joint, robot_link *link);

/* One for each axis; joints that mimic start where they follow. */
carom_status urdf_read_mimics(robot *r, urdf_mimic **out);
carom_status urdf_write_mimics(robot *r, const urdf_mimic *all);

/* ---- the tree (urdf_tree.c) ------------------------------------------------------------------------------------------------------- */

/* Links of the file by their names, and the joint above each. */
typedef struct urdf_tree {
    json_t *numbers; /* name -> place; owned */
    const xml_element **links, **above;
    int *parent, *order; /* ROBOT_NONE: the root; order: parents first */
    int *first, *next;   /* children, in the order of the joints */
    int count;
} urdf_tree;

carom_status urdf_read_tree(const urdf_reading *u, urdf_tree *tree);

#endif
