/* Shared by the files that translate MJCF, the format of MuJoCo. */
#ifndef CAROM_SCENE_MJCF_H
#define CAROM_SCENE_MJCF_H

#include "scene/robot.h"

typedef enum mjcf_masses { MASSES_AUTO, MASSES_OF_GEOMS, MASSES_GIVEN } mjcf_masses;

/* What <compiler> and <option> say. */
typedef struct mjcf_settings {
    bool radians, global, autolimits, strip_path;
    const char *turns; /* the sequence of Euler angles: "xyz", capitals for fixed axes */
    int masses;
    double total_mass; /* [kg] to which all are scaled; 0 or less: as they are */
    const char *mesh_folder;
    v3 gravity;
} mjcf_settings;

typedef struct mjcf {
    robot robot;
    const xml_element *root;
    mjcf_settings s;
    carom_pose *global; /* of each link as drawn; grown with the links */
    size_t global_capacity;
    json_t
        *frictions; /* of shapes that touch: material -> [coefficient, whether contacts have friction at all, contype,
                          conaffinity] */
    json_t *taken;  /* names of bodies and joints: "bodies NAME" */
    const xml_element *key;
} mjcf;

/* Warns of attributes that are not read (mjcf_words.c). */
void mjcf_check_attributes(mjcf *m);

/* Refuses a second element of one kind with one name (mjcf_body.c). */
carom_status mjcf_take_name(mjcf *m, const xml_element *e, const char *kind);

/* ---- values (mjcf_read.c) ---------------------------------------------------------------------------------------------------- */

/* An attribute, by the element, its class, and the classes around that; NULL: nowhere. */
const char *mjcf_attribute(const mjcf *m, const xml_element *e, const char *name);
carom_status mjcf_check_class(const mjcf *m, const xml_element *e);

/* Each leaves *out alone where the attribute is nowhere. */
carom_status mjcf_reals(const mjcf *m, const xml_element *e, const char *name, size_t least, size_t most, double *out,
                        size_t *count);
carom_status mjcf_number(const mjcf *m, const xml_element *e, const char *name, double *out);
carom_status mjcf_vector(const mjcf *m, const xml_element *e, const char *name, v3 *out);
carom_status mjcf_word(const mjcf *m, const xml_element *e, const char *name, const char *const *words, int *out);

/* "limited" and its kin: true, false, or auto, which is whether there is a range. */
carom_status mjcf_limited(const mjcf *m, const xml_element *e, const char *name, bool has_range, bool *out);

/* pos, and one of quat, axisangle, xyaxes, zaxis, euler. */
carom_status mjcf_pose(const mjcf *m, const xml_element *e, carom_pose *out);

double mjcf_angle(const mjcf *m, double given); /* [rad] */

/* ---- the tree (mjcf_body.c, mjcf_geom.c) -------------------------------------------------------------------------------------- */

carom_status mjcf_read_world(mjcf *m);

/* A geom of the link that was added last; *mass gets its mass. */
carom_status mjcf_read_geom(mjcf *m, const xml_element *e, mass_properties *mass);

/* What is given in the axes of the world where coordinates are global, in those of the link that was added last. */
carom_pose mjcf_local(const mjcf *m, carom_pose pose);

/* ---- what acts (mjcf_act.c) ---------------------------------------------------------------------------------------------------- */

/* Positions, velocities and controls of the key frame. Before robot_settle. */
carom_status mjcf_read_key(mjcf *m);
carom_status mjcf_write_equalities(mjcf *m);

/* Motors, and the inputs that drive them. */
carom_status mjcf_write_actuators(mjcf *m, json_t *inputs);
carom_status mjcf_contact(mjcf *m, json_t *scene);

#endif
