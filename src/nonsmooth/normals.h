/* Normal impulses that stop what approaches, friction standing still:
 *
 *     0 <= P  _|_  u_n - target >= 0,   u_n = u_n0 + D_nn P.
 *
 * Where target <= 0 there is always an answer, since the velocities are those of rigid bodies: it has the least energy of all
 * that do not approach. Redundant contacts share as a little softness would have them. */
#ifndef CAROM_NONSMOOTH_NORMALS_H
#define CAROM_NONSMOOTH_NORMALS_H

#include "base/arena.h"
#include "nonsmooth/reduced.h"

typedef struct normals_work normals_work;

normals_work *normals_create(carom_arena *arena, int rows); /* NULL when memory runs out */

/* P: contact_count, in and out: what u (row_count) has in it already. target: contact_count; NULL: zero. Velocities below
 * `least` are none. Returns the fastest approach that is left. */
double normals_stop(normals_work *w, const reduced_problem *p, const double *target, double least, double *P,
                    double *u);

#endif
