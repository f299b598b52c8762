/* The matrix of implicit steps: M + damping D + stiffness K with the constraints' rows.
 *
 * D and K are the symmetric tangents of bodies that deform, force elements, joint springs and stops, and contacts. Elements between two free
 * bodies add blocks between them; where they close loops in the graph of bodies, the solver falls back from trees to
 * the general one by itself. Contacts come and go: the layout follows those of the present point and nothing else, so
 * that a result does not depend on what was touched before. */
#ifndef CAROM_DYNAMICS_TANGENT_H
#define CAROM_DYNAMICS_TANGENT_H

#include "dynamics/work.h"

typedef struct tangent {
    carom_arena arena;
    saddle *solver;
    int pair_count;
    int (*pairs)[2];    /* of slots, first < second */
    int *element_pair;  /* element_count: its pair, or -1 */
    bool any;           /* some element or body has a tangent */
    double *columns[2]; /* of unit rows at a point of each of two bodies, for those that deform */
    int contact_count;
    int (*contacts)[2]; /* of bodies: the contacts the layout was made for */
    int *contact_pair;  /* contact_count: its pair, or -1 */
} tangent;

carom_status tangent_create(tangent **out, const carom_scratch *w, carom_error *err);
void tangent_destroy(tangent *t);

/* Writes and factors at the point placed in w. `stiffness` multiplies K and `damping` D, both relative to M. Falls back
 * to M alone when K makes the matrix indefinite. */
carom_status tangent_factor(tangent *t, const carom_scratch *w, double stiffness, double damping, carom_error *err);

/* M + stiffness K of bodies that deform, one number for each body of the model, and nothing of elements and contacts. */
carom_status tangent_factor_bodies(tangent *t, const carom_scratch *w, const double *stiffness, carom_error *err);

#endif
