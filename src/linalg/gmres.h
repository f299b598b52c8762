/* Linear systems that are near the identity in all but a few directions, by the method of generalised minimal residuals [Saad1986]. */
#ifndef CAROM_LINALG_GMRES_H
#define CAROM_LINALG_GMRES_H

#include <stddef.h>

/* (1 + A) x = b, where A is known by what it does. */
typedef struct gmres_system {
    int n;
    const double *weights; /* n, >= 0: of the inner product in which residuals are measured */
    void (*apply)(void *context, const double *x, double *out); /* out = A x */
    void *context;
} gmres_system;

/* Doubles of scratch for n unknowns and at most `most` applications of A. */
size_t gmres_scratch(int n, int most);

/* x holds b and receives the solution. Ends where the residual is `tolerance` of b, or after `most` applications. Returns the residual
 * over that of x = 0. No allocation. */
double gmres_solve(const gmres_system *system, double *x, double tolerance, int most, double *scratch);

#endif
