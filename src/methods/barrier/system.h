/* The Newton system of an island: its pattern, gradient and blocks. */
#ifndef CAROM_METHODS_BARRIER_SYSTEM_H
#define CAROM_METHODS_BARRIER_SYSTEM_H

#include "methods/barrier/barrier_work.h"

/* Clears the system and the gradient, with the pattern of what is near; `anew`: find that again. */
carom_status system_begin(barrier_work *w, island *isle, bool anew);

/* The gradient and the diagonal block of a body. */
double *gradient_of(const barrier_work *w, const island *isle, int body); /* NULL: no node */
double *diagonal_of(const barrier_work *w, const island *isle, int body);

/* The edge between two bodies, whose block has the rows of the lower node; -1: none. */
int edge_between(const barrier_work *w, const island *isle, int body_a, int body_b);

/* Adds block (rows of body_a, columns of body_b) to an edge, or where one of the two has a given twist, what that does to the
 * gradient of the other. */
void add_cross(const barrier_work *w, island *isle, int edge, int body_a, int body_b, const double *block);

#endif
