/* The finite elements of a body that deforms, as its definition asks for them. */
#ifndef CAROM_MODEL_FLEXIBLE_PARTS_H
#define CAROM_MODEL_FLEXIBLE_PARTS_H

#include "elements/flexible/flexible.h"

typedef struct flexible_parts {
    volume_mesh cells;
    solid_mesh *solid;
    solid_material numbers;
    const carom_material_def *material; /* of the list */
    uint64_t hash;                      /* of all that a body is made from */
    flexible_input in;                  /* points into the others, into the definition and into the arena */
} flexible_parts;

/* Free them, also after a failure; never moved once made. Errors name the body. */
carom_status flexible_parts_make(flexible_parts *out, const carom_list *materials, const carom_body_def *def,
                                 carom_arena *arena, carom_error *err);
void flexible_parts_free(flexible_parts *parts);

/* The one shape of a body, filled with tetrahedra. Free the mesh. */
carom_status flexible_fill(volume_mesh *out, const carom_body_def *body, const carom_filled_mesh_def *def,
                           carom_error *err);

#endif
