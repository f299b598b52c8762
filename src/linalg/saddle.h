/* Symmetric saddle-point systems of bodies and constraints:
 *
 *     [ A   J^T ] [x]   [f]        A: symmetric, one block per body, blocks between stiffly coupled pairs, positive
 *     [ J    0  ] [y] = [g]           definite; J: rows in blocks, each touching a few bodies.
 *
 * A rigid body has six columns; others may have any number from one on. Where all bodies of a step of the elimination have
 * six, it runs unrolled.
 *
 * Every connected component of bodies, blocks and pairs is solved on its own. Forests (no loop of constraints, the
 * ground counted as a body) are factored by an own block LDL^T in leaf-to-root order, linear in the number of bodies;
 * components with loops likewise, with fill, the symbolic analysis done once.
 *
 * Scratch in the sense of the architecture: what saddle_factor, saddle_solve and saddle_least_norm give depends on the
 * layout and the numbers written, to the last bit, and never on what the object did before.
 *
 * Redundant rows are allowed. When g is consistent, x is unique and y is one of many solutions; saddle_least_norm makes
 * it the one of least norm, the sum of w_k y_k^2 with w_k = J_k blockdiag(A)^-1 J_k^T: a norm in which units of length
 * and of angle do not matter. It is a step of its own because it costs as much as the solve and J^T y does not change
 * by it. When g is inconsistent, x minimises the sum of squares of J x - g with weights 1/w_k (among those the energy
 * x^T A x / 2 - f^T x) and y is a solution of A x + J^T y = f; saddle_residual tells. */
#ifndef CAROM_LINALG_SADDLE_H
#define CAROM_LINALG_SADDLE_H

#include <carom/base.h>

enum { SADDLE_BODIES = 4, SADDLE_ROWS = 6 };

/* A block of up to six rows touching up to four bodies. */
typedef struct saddle_block {
    int first_row;
    int row_count;
    int body_count;
    int bodies[SADDLE_BODIES]; /* distinct */
} saddle_block;

typedef struct saddle_layout {
    int body_count;
    const int *widths; /* columns of each body, at least one; NULL: six each */
    const int *
        diagonals; /* how many of the last columns of each body have a diagonal block: the rest of it is zero and never read, and
                           * the elimination of a body at the end of a tree costs no more than its other columns. NULL: none */
    int row_count; /* sum over the blocks, rows numbered without gaps */
    int block_count;
    const saddle_block *blocks;
    int pair_count;        /* pairs of bodies with a block of A between them */
    const int (*pairs)[2]; /* first != second; no pair twice in either order */
    bool general;          /* never use the tree solver (tests compare the two) */
} saddle_layout;

typedef struct saddle saddle;

/* Copies the layout, orders and analyses it. CAROM_BAD_INPUT when it contradicts what is said above. */
carom_status saddle_create(saddle **out, const saddle_layout *layout, carom_error *err);
void saddle_destroy(saddle *s);

/* True when the layout has no loops (and does not ask for the general solver, and no body with many columns of a diagonal block stands
 * between others, where a tree would fill it in): a property of the layout, the numbers do
 * not matter. A tree in which the rows of one block depend on each other is solved by the general solver nevertheless,
 * for as long as a factorisation finds them so. */
bool saddle_is_tree(const saddle *s);

/* Places to write the numbers before factoring; all row-major, not zeroed between factorisations. */
double *saddle_body(saddle *s, int body);            /* width x width, symmetric: one triangle is read */
double *saddle_pair(saddle *s, int pair);            /* rows first body, columns second */
double *saddle_rows(saddle *s, int block, int slot); /* row_count x width: block against bodies[slot] */

/* Factors what was written, which stays as it is. CAROM_NOT_CONVERGED when a number is not finite or A not positive
 * definite; the latter is judged by pivots, so that in a tree a body whose own block is singular (but has a positive
 * diagonal) is accepted when what hangs on it makes up for it. After a failure factor again before solving.
 * Allocates when a component needs the general solver for the first time, and no more after that. */
carom_status saddle_factor(saddle *s, carom_error *err);

/* The body whose matrix made the last factorisation fail, so that the caller can name it; -1 when it succeeded or no
 * one body is to blame. Where bodies are coupled by pairs: the one at which it was noticed. */
int saddle_bad_body(const saddle *s);

/* Solves in place: x (the columns of the bodies, one after the other) holds f and receives x, y (row_count) holds g and receives y. May be called many
 * times per factorisation. Exact to rounding for forests; for general systems refined until the residual is at
 * rounding level or stops falling. */
void saddle_solve(saddle *s, double *x, double *y);

/* Takes out of y what redundant rows leave open. Uses the present factorisation. */
void saddle_least_norm(saddle *s, double *y);

/* The same for the bodies of one component alone, where f and g are zero elsewhere; x and y stay as they are there. */
int saddle_component_count(const saddle *s);
int saddle_component(const saddle *s, int body);
void saddle_solve_component(saddle *s, int component, double *x, double *y);
void saddle_least_norm_component(saddle *s, int component, double *y);

/* The largest |J x - g| over the rows of general components in the last solve: at rounding level unless g was
 * inconsistent. Forests are exact to rounding and not measured. */
double saddle_residual(const saddle *s);

#endif
