/* Sums over the nodes of a body in a few shapes, at a deformation z: what its mass and its forces of inertia are made of. Body axes. Shared by
 * the kinds `modes` and `zone`; the equations are in modes.c. */
#ifndef CAROM_ELEMENTS_BODIES_MODES_SUMS_H
#define CAROM_ELEMENTS_BODIES_MODES_SUMS_H

#include "elements/bodies/modes_make.h"

typedef struct modal_now {
    double G[9 * MODES_MOST]; /* axes x axes for each shape */
    m3 C;                     /* sum m r r' */
    m3 J;                     /* about the origin */
    v3 mc;                    /* sum m r */
} modal_now;

void modal_now_make(modal_now *now, const modal_body *b, const double *z);

/* sum m r x psi_k, with nodes that turn. */
v3 modal_spin(const modal_body *b, const modal_now *now, int k);

/* Forces of inertia while nothing accelerates: on the frame, and on z. bias: z'' while p'' = 0; behind the first n only. */
typedef struct modal_load {
    v3 force, torque;
} modal_load;
modal_load modal_frame_load(const modal_body *b, const modal_now *now, v3 omega, const double *rate,
                            const double *bias);
void modal_shape_load(const modal_body *b, const modal_now *now, v3 omega, const double *rate, const double *bias,
                      double *per_z);

/* The blocks of M in world axes: of the frame, and of the coordinate k against it. */
typedef struct modal_frame {
    double mass;
    v3 mc;
    m3 J;
} modal_frame;
void modal_put_frame(double *M, int width, const body_frame *frame, modal_frame of);
void modal_put_coupling(double *M, int width, const body_frame *frame, int k, v3 move, v3 spin);

/* out += s in, `count` numbers; out += x' rows, `count` rows of `width` numbers; the product of a 3 x n matrix with coordinates or rates. */
void modal_add_scaled(double *restrict out, double s, const double *restrict in, int count);
void modal_add_rows(double *restrict out, const double *x, const double *restrict rows, int count, int width);
v3 modal_rows_times(const double *rows, int n, const double *x);

#endif
