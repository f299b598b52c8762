/* Responses of a mechanism to unit forces along rows of contacts: M x + J^T y = row^T, J x = 0, with joints kept.
 *
 * x are the velocities that a unit impulse makes, or the accelerations of a unit force; y the multipliers of the joints. One
 * solve per row with the factored matrix of the mechanism; W = rows X is the Delassus matrix. */
#ifndef CAROM_CONTACT_RESPONSE_H
#define CAROM_CONTACT_RESPONSE_H

#include "contact/rows.h"

typedef struct row_responses {
    const carom_model *model;
    int count; /* rows in use */
    contact_row *rows;
    double *X; /* rows x column_count */
    double *Y; /* rows x model rows   */
} row_responses;

/* Room for so many rows from the arena, which says when memory runs out. */
void responses_create(row_responses *r, carom_arena *arena, const carom_model *model, size_t rows);

/* X and Y of row k at the point of w, whose matrix is factored. unique: multipliers of least norm where constraints are
 * redundant. */
void response_find(row_responses *r, carom_scratch *w, int k, bool unique);

/* How fast row l moves per unit force along row k: an entry of W. */
double response_coupling(const row_responses *r, const carom_scratch *w, int l, int k);

/* Rows first and first + 1 become those along their directions turned by an angle [rad]. */
void response_turn(row_responses *r, int first, double angle);

/* Row `from` with its responses becomes row `to`. */
void response_move(row_responses *r, int to, int from);

/* u = velocities of all rows at these velocities of the bodies. */
void response_velocities(const row_responses *r, const carom_scratch *w, motion_rates of, double *u);

/* Velocities (accelerations) of free bodies += X p, sigma += Y p: what impulses (forces) along the rows do. */
typedef struct changing_rates {
    body_rate *rate; /* body_count */
    double *q_dot;   /* deform_count */
} changing_rates;
void response_apply(const row_responses *r, const double *p, changing_rates to);
void response_add_multipliers(const row_responses *r, const double *p, double *sigma);

/* Free bodies displaced by X d. */
void response_displace(const row_responses *r, const double *d, motion at);

/* Adds power and external impulse of forces along rows to w->power; work_count_reactions does it for multipliers. */
void response_count(const row_responses *r, carom_scratch *w, const double *force);

/* The component of the mechanism that a body belongs to, or -1: it does not move. */
int response_component(const carom_scratch *w, int body);

#endif
