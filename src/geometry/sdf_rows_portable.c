/* Nearest triangles of rows of nodes, for any processor. */
#include "geometry/sdf_rows_kernel.h"

void sdf_rows_compare_portable(sdf_rows *rows, const mesh *m, const int32_t *triangles, int count)
{
    compare_all(rows, m, triangles, count);
}
