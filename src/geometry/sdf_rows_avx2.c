/* Nearest triangles of rows of nodes, for processors with AVX2; the build compiles this file for them where the compiler
 * can. The same operations in the same order: the same bits. */
#include "geometry/sdf_rows_kernel.h"

void sdf_rows_compare_avx2(sdf_rows *rows, const mesh *m, const int32_t *triangles, int count)
{
    compare_all(rows, m, triangles, count);
}
