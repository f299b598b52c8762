/* Saddle-point systems with loops, possibly with redundant rows: one connected component. */
#ifndef CAROM_LINALG_GENERAL_H
#define CAROM_LINALG_GENERAL_H

#include "linalg/parts.h"

typedef struct general general;

carom_status general_create(general **out, const saddle_parts *parts, const saddle_graph *graph, int component,
                            carom_error *err);
void general_destroy(general *g);

/* bad_body is written only where a body is to blame for the failure. */
carom_status general_factor(general *g, int *bad_body, carom_error *err);

/* Returns the largest |J x - g| of the solution, NaN when there is one. Allocates nothing. */
double general_solve(general *g, double *x, double *y);

/* Takes the null space of J^T out of y. */
void general_least_norm(general *g, double *y);

#endif
