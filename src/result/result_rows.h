/* Rows of tables that do not go by frames (contact points, events), gathered while a run goes on. */
#ifndef CAROM_RESULT_RESULT_ROWS_H
#define CAROM_RESULT_RESULT_ROWS_H

#include "result/result_layout.h"

/* Rows first to total of the tables, waiting to be written. */
typedef struct table_rows {
    const result_tables *tables;
    double *rows;
    size_t capacity; /* numbers, not rows */
    long first;
    long total; /* so far, written or not */
} table_rows;

/* Room for more rows behind the last one. They count when the caller adds them to `total`. NULL: no memory. */
double *table_rows_room(table_rows *t, size_t more);

double *table_rows_at(const table_rows *t, long row);

/* Forgets the rows before `keep`. */
void table_rows_drop(table_rows *t, long keep);

/* What one dataset holds of the rows [begin, end). */
void table_rows_pack(const table_rows *t, const result_set *set, long begin, long end, double *out);

#endif
