/* Meshes of plane bodies that strike and are struck: "finger" and "anvil" of carom/flexible.h. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_STRUCK_MESHES_H
#define CAROM_ELEMENTS_FLEXIBLE_STRUCK_MESHES_H

#include <carom/elements.h>

#include "geometry/volume_mesh.h"

/* Free the meshes. */
carom_status finger_mesh_make(volume_mesh *out, const carom_finger_mesh_def *def, carom_error *err);
carom_status anvil_mesh_make(volume_mesh *out, const carom_anvil_mesh_def *def, carom_error *err);

#endif
