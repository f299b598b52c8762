/* Meshes of round bodies that touch, fine where they do: "disc", "ball" and "bed" of carom/flexible.h. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_ROUND_MESHES_H
#define CAROM_ELEMENTS_FLEXIBLE_ROUND_MESHES_H

#include <carom/elements.h>

#include "geometry/volume_mesh.h"

typedef enum round_extent { ROUND_HALF_SECTION, ROUND_PLANE, ROUND_SPACE } round_extent; /* x >= 0; xy; xyz */

/* A ball or disc; its lower half. Free the meshes. */
carom_status ball_mesh_make(volume_mesh *out, const carom_round_mesh_def *def, round_extent extent, carom_error *err);
carom_status bed_mesh_make(volume_mesh *out, const carom_round_mesh_def *def, round_extent extent, carom_error *err);

#endif
