/* Repair of meshes that should bound a solid. */
#ifndef CAROM_GEOMETRY_MESH_REPAIR_H
#define CAROM_GEOMETRY_MESH_REPAIR_H

#include <carom/mesh.h>

#include "geometry/mesh.h"

/* *out is a new mesh; log (never NULL) says what was done and assumed. */
carom_status mesh_repair(mesh **out, const mesh *m, const carom_mesh_repair_options *options,
                         carom_mesh_repair_log *log, carom_error *err);

#endif
