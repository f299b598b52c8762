/* The quasi-definite matrix K_e = [A J^T; J -E] of one component, E diagonal, factored by CHOLMOD. */
#ifndef CAROM_LINALG_SHIFTED_H
#define CAROM_LINALG_SHIFTED_H

#include "linalg/pattern.h"

typedef struct shifted {
    cholmod_common cm;
    cholmod_sparse *matrix; /* upper triangle in the order of elimination */
    cholmod_factor *factor;
    signed char *together; /* per column of the factor: width of the group of columns it is in */
} shifted;

void shifted_start(shifted *k);
void shifted_finish(shifted *k);

/* Once per pattern; false when memory runs out. */
bool shifted_analyse(shifted *k, carom_arena *arena, const pattern *p);

/* Takes the numbers that the tiles point at; false when memory runs out. Signs of pivots are the caller's business. */
bool shifted_factor(shifted *k, const pattern *p, const double *e); /* e: diagonal of E at its unknowns */
double shifted_pivot(const shifted *k, int unknown); /* entry of D; NaN where CHOLMOD met a zero and stopped */

/* v <- K_e^-1 v, in the order of elimination. Allocates nothing. */
void shifted_solve(const shifted *k, double *v);

#endif
