/* Rigid motions of a mesh and of the nodes of its attachments, as vectors of freedoms.
 *
 * A motion k moves along axis k (k < 3) or turns about axis k - 3. A mesh knows those that its freedoms can follow: all six in space,
 * three in a plane, one of a bar. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_MOTIONS_H
#define CAROM_ELEMENTS_FLEXIBLE_MOTIONS_H

#include "elements/flexible/flexible.h"

enum { MOTIONS = 6 };

typedef struct motion_space {
    const flexible_input *in;
    int freedoms, nodes;
    const double *mass; /* lumped, per freedom */
    const bool *absent; /* per freedom: it takes no part (those across a bar) */
    int count;          /* of rigid motions */
    int motions[MOTIONS];
} motion_space;

carom_status motion_space_make(motion_space *out, const flexible_input *in, carom_arena *arena, carom_error *err);

/* The freedom of a node along axis a (a < 3) or about axis a - 3; -1: it has none that takes part. */
int motion_freedom(const motion_space *s, int node, int a);

/* Adds `amount` of the rigid motion k about a point to the nodes listed (NULL: to all). */
void motion_add(const motion_space *s, int k, v3 about, double amount, const int *nodes, int node_count, double *u);

/* The mean motion of some nodes, weighted by their masses: the rigid motion about `at` that leaves the least kinetic energy. `weights` are
 * rows of count x freedoms: motion[i] = weights[i] . u. */
typedef struct motion_mean {
    v3 at; /* [m] their centre of mass */
    double *weights;
} motion_mean;

/* Refuses nodes that do not tell all rigid motions apart, by the name of the attachment. */
carom_status motion_mean_make(motion_mean *out, const motion_space *s, const flexible_attachment *a,
                              carom_arena *arena, carom_error *err);

/* Sum of mass a b. */
double motion_product(const motion_space *s, const double *a, const double *b);

#endif
