/* A mesh with some of its freedoms held: its stiffness, static shapes of the rest, and the modes in which that vibrates. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_HOLDING_H
#define CAROM_ELEMENTS_FLEXIBLE_HOLDING_H

#include "elements/flexible/motions.h"
#include "linalg/eigen.h"

typedef struct holding {
    const motion_space *s;
    carom_arena *room; /* for vectors; asked later whether it has failed */
    bool *held;        /* per freedom */
    int *rows;         /* per freedom: its row among those not held, -1 */
    int row_count;
    const char *where;     /* the rows are, for messages; NULL: everywhere */
    sparse_matrix *K;      /* of the rows */
    sparse_factor *factor; /* NULL: not asked for, or there are no rows */
} holding;

/* Nothing is held yet but what takes no part. False: memory runs out. */
bool holding_begin(holding *h, const motion_space *s, carom_arena *room);

/* All freedoms of some nodes. */
void holding_add_nodes(holding *h, const int *nodes, int count);

/* The freedoms that keep a free body from moving and nothing else: one after the other those that the motions left over move most, the first
 * of equal ones. Among: per freedom, whether it may be chosen; NULL: all. Returns how many motions are held; -1: memory runs out. */
int holding_add_motions(holding *h, const bool *among);

/* Rows and stiffness, factored where something is to be solved. Refuses a mesh that is loose, by what moves. */
carom_status holding_make(holding *h, bool factored, carom_error *err);
void holding_free(holding *h);

/* K u = load on the rows; what is held stays as it is. */
void holding_solve(const holding *h, const double *load, double *u);

/* What is held moves as in u, the rest follows without a load. K: of all freedoms. */
void holding_follow(const holding *h, const sparse_matrix *K, double *u);

/* How many modes of vibration the definition asks for (asked < 0), `rigid` ones that come before them not counted. */
carom_status holding_wanted(const holding *h, int asked, int rigid, int *out, carom_error *err);

/* The lowest `count` of them, `rigid` ones before. Without rows, or where none are wanted, there are none. */
carom_status holding_modes(const holding *h, int count, int rigid, eigen_modes *out, carom_error *err);

/* A mode as a vector of all freedoms. */
void holding_spread(const holding *h, const eigen_modes *modes, int mode, double *u);

#endif
