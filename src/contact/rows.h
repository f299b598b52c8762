/* Rows of a contact: its normal and slip velocities as coefficients on the velocities of two bodies, with the rates that are
 * left when all accelerations vanish.
 *
 * A row u = a . (v, omega) of A + b . (v, omega) of B has the second derivative u' = a . acceleration of A + b . that of B +
 * jdot_v. Its transpose carries a force along the row to both bodies. */
#ifndef CAROM_CONTACT_ROWS_H
#define CAROM_CONTACT_ROWS_H

#include "contact/candidate.h"
#include "dynamics/columns.h"

typedef struct contact_row {
    int body[2];
    const body_point *point[2]; /* where it acts on each body; NULL: at what moves with the frame */
    const double *columns[2];   /* all columns of the row on a body that deforms, found already; NULL: by the point */
    double a[FRAME_COLUMNS], b[FRAME_COLUMNS];
    double jdot_v; /* [m/s^2] */
} contact_row;

static inline body_place contact_row_place(const contact_row *row, int side)
{
    return (body_place){ row->body[side], row->point[side] };
}

/* What is known of a contact at a point of the motion. */
typedef struct contact_value {
    gap_value gap; /* of a stop: normal along the joint's axis, point at the joint */
    contact_row normal;
} contact_value;

/* Gap and normal row at the point placed in w, its constraints evaluated. */
void contact_evaluate(const contact *c, const carom_scratch *w, contact_value *out);

/* The velocity of A's material point at p_w relative to B's, along d_w; jdot_v is zero. */
contact_row contact_row_at(const carom_scratch *w, const int body[2], v3 p_w, v3 d_w);

/* The row of A's velocity relative to B at the place of contact along a fixed direction across the normal. */
contact_row contact_tangent_row(const contact *c, const contact_value *value, const carom_scratch *w, v3 t_w);

/* The row's velocity [m/s] at these velocities of all bodies, at the point placed in w. */
double contact_row_times(const contact_row *row, const carom_scratch *w, motion_rates of);

/* The part of a frame in it. */
double contact_row_frame(const double row[FRAME_COLUMNS], const body_rate *rate);

#endif
