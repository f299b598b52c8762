/* What a result knows of the model besides its motion: surfaces of shapes, markers of joints, roles and colours of
 * bodies. Written once, before the first frame, so that a result can be drawn without its scene. */
#ifndef CAROM_RESULT_RESULT_SHAPES_H
#define CAROM_RESULT_RESULT_SHAPES_H

#include <carom/result.h>

#include "base/arena.h"
#include "model/model.h"
#include "result/result_h5.h"

/* Forces that have a place: those that are recorded and drawn. */
size_t result_force_count(const carom_model *model);

carom_status result_shapes_write(hid_t file, const carom_model *model, carom_error *err);

/* Whether a quaternion read from a file has the length 1 but for rounding; *length: what it has. */
bool result_is_rotation(const double q[4], double *length);

/* The same, read back. Tables are small and read at once; surfaces when they are first asked for. */
typedef struct result_shapes {
    carom_result_body *bodies; /* as many as names */
    size_t shape_count;
    carom_result_shape *shapes;
    size_t joint_count;
    carom_result_joint *joints;
    size_t force_count;
    carom_result_force *forces;
    size_t surface_count;
    double *first_vertex;   /* surface_count + 1 */
    double *first_triangle; /* surface_count + 1 */
    double *vertices;       /* NULL until asked for */
    int32_t *triangles;
} result_shapes;

/* Files of a carom that did not write these yet are fine. False: damaged (*what names the place), or no memory (*what is
 * NULL). Names of bodies must live as long as the result. */
bool result_shapes_open(result_shapes *s, carom_arena *arena, hid_t file, char *const *body_names, size_t body_count,
                        const char **what);
void result_shapes_close(result_shapes *s);

/* Reads all surfaces, if that has not happened yet. False as above. */
bool result_shapes_load(result_shapes *s, hid_t file, const char **what);

#endif
