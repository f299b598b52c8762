/* Contact points and events on their way to result.h5: rows of doubles that gather between flushes. */
#include "result/result_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

double *table_rows_at(const table_rows *t, long row)
{
    return t->rows + (size_t)(row - t->first) * t->tables->row;
}

double *table_rows_room(table_rows *t, size_t more)
{
    size_t needed = (size_t)(t->total - t->first) + more;
    return CAROM_ARRAY_RESERVE(t->rows, t->capacity, needed * t->tables->row) ? table_rows_at(t, t->total) : NULL;
}

void table_rows_drop(table_rows *t, long keep)
{
    CAROM_ASSERT(keep >= t->first && keep <= t->total);
    size_t rows = (size_t)(t->total - keep);
    if (rows > 0 && keep > t->first) {
        memmove(t->rows, table_rows_at(t, keep), rows * t->tables->row * sizeof(double));
    }
    t->first = keep;
}

void table_rows_pack(const table_rows *t, const result_set *set, long begin, long end, double *out)
{
    for (long row = begin; row < end; ++row) {
        memcpy(out, table_rows_at(t, row) + set->offset, set->width * sizeof(double));
        out += set->width;
    }
}
