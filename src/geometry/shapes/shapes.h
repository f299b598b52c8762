/* The shape kinds, and the check of a size that they share. Included by the kinds and by the list only. */
#ifndef CAROM_GEOMETRY_SHAPES_SHAPES_H
#define CAROM_GEOMETRY_SHAPES_SHAPES_H

#include "geometry/shape.h"

#define PI 3.14159265358979323846 /* <math.h> has it only beyond strict C17 */

extern const carom_shape_type carom_shape_box;
extern const carom_shape_type carom_shape_sphere;
extern const carom_shape_type carom_shape_cylinder;
extern const carom_shape_type carom_shape_capsule;
extern const carom_shape_type carom_shape_cone;
extern const carom_shape_type carom_shape_plane;
extern const carom_shape_type carom_shape_mesh;

/* CAROM_OK when size [m] is finite, positive and neither smaller than an atom nor larger than a planet's orbit (then
 * volumes and inertias neither vanish nor overflow); else an error naming shape and field. */
carom_status carom_shape_check_size(const char *shape, const char *field, double size, carom_error *err);

#endif
