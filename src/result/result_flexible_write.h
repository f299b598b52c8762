/* Bodies that deform, on their way into result.h5. */
#ifndef CAROM_RESULT_RESULT_FLEXIBLE_WRITE_H
#define CAROM_RESULT_RESULT_FLEXIBLE_WRITE_H

#include "model/frame.h"
#include "result/result_h5.h"

typedef struct flexible_sizes {
    size_t bodies;      /* that deform */
    size_t coordinates; /* of shapes */
    size_t moved;       /* displacements of nodes that move on their own: along one, two or three axes each */
    size_t moved_every; /* these are recorded in each of so many frames */
} flexible_sizes;
flexible_sizes result_flexible_sizes(const carom_model *model);

carom_status result_flexible_write(hid_t file, const carom_model *model, carom_error *err);

/* Coordinates and rates of all shapes, displacements of all moved nodes and their rates. Returns the end. */
double *result_flexible_pack(double *to, const carom_model *model, const result_frame *frame);

#endif
