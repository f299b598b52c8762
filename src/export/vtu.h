/* One file of VTK's XML format for unstructured grids (.vtu), numbers as raw appended data. */
#ifndef CAROM_EXPORT_VTU_H
#define CAROM_EXPORT_VTU_H

#include "base/text.h"
#include "files/output.h"
#include "geometry/volume_mesh.h"

typedef enum vtu_type { VTU_UINT8, VTU_INT32, VTU_FLOAT32, VTU_FLOAT64 } vtu_type;

enum { VTU_VERTEX = 1, VTU_TRIANGLE = 5 }; /* kinds of cells */

/* Nodes of cells stand as VTK has them. */
uint8_t vtu_kind_of_cell(cell_kind kind);

/* `count` tuples of `components` numbers, as they lie in memory. */
typedef struct vtu_array {
    const char *name;
    vtu_type type;
    int components;
    size_t count;
    const void *data;
} vtu_array;

typedef struct vtu_arrays {
    const vtu_array *list;
    size_t count;
} vtu_arrays;

typedef struct vtu_grid {
    size_t point_count;
    size_t cell_count;
    vtu_array points;       /* three components */
    vtu_array connectivity; /* points of the cells, one cell after the other */
    vtu_array offsets;      /* where the points of each cell end */
    vtu_array types;        /* VTU_TRIANGLE, ... */
    vtu_arrays point_data;
    vtu_arrays cell_data;
    vtu_arrays field_data;  /* of the grid as a whole */
    double time;            /* [s] */
    const char *name_codes; /* of the names of bodies, given as field data "body_name" */
    size_t name_count;
} vtu_grid;

/* Names as VTK has texts, once for all grids that hold them. */
void vtu_add_codes(carom_text *codes, const char *name);

carom_status vtu_write(const char *path, const vtu_grid *grid, carom_export_report *report, carom_error *err);

#endif
