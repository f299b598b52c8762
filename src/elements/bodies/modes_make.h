/* Makes the parameters of the kind `modes`. */
#ifndef CAROM_ELEMENTS_BODIES_MODES_MAKE_H
#define CAROM_ELEMENTS_BODIES_MODES_MAKE_H

#include "elements/bodies/modes.h"
#include "elements/flexible/component_modes.h"

enum {
    MODES_MOST = 512
}; /* shapes of one body: what depends on the deformation lies on the stack of an evaluation */

/* Axes about which nodes can turn the body: 3, in a plane z, of a bar none. */
static inline int modal_spins(const modal_body *b)
{
    return b->axes == 3 ? 3 : b->axes - 1;
}

/* The axes along which a body can move as a whole: those along which its nodes move. */
int modal_axes(const motion_space *space);

/* Sums over nodes, for modal_body, whose total and axes are there. Adds a node with its displacements in all shapes (3 each), and to
 * `second` of the body. */
typedef struct modal_sums {
    double *S, *Q, *P, *A, *T, *F;
} modal_sums;
bool modal_sums_create(modal_sums *s, const modal_body *of, carom_arena *arena);
void modal_sums_add(const modal_sums *s, const double *shapes, double mass, v3 X, modal_body *out);
void modal_sums_take(const modal_sums *s, modal_body *out);

/* Inertia of the thickness of planes and of the sections of bars. */
void modal_add_thickness(const flexible_input *in, const motion_space *space, modal_body *out);

/* Nodes, shapes, places and probes, where counts and mass are there already. */
carom_status modal_describe(modal_body *out, const flexible_input *in, const component_modes *r, carom_arena *arena,
                            carom_error *err);

/* What it is made from, while it is made. */
typedef struct modes_maker {
    const flexible_input *in;
    const component_modes *r;
    const motion_space *s;
    modal_body *out;
    carom_arena *arena;
} modes_maker;

/* Displacement (from 0) or rotation (from 3) of a node in a shape; those of second order are behind the others. */
v3 modes_shape_at(const modes_maker *m, int shape, int node, int from);

/* modes_surface.c: the surface, and what of it others ask for (body.h). */
carom_status modes_make_surface(const modes_maker *m, carom_error *err);
const body_surface *modes_surface(const void *body);
void modes_place_surface(const void *body, const body_frame *frame, const double *q, v3 *x_w, v3 *axis_w);
carom_status modes_carry(const void *body, body_point *point, carom_arena *arena, carom_error *err);

carom_status modes_make(const void **params, const flexible_input *in, carom_arena *arena, carom_error *err);

#endif
