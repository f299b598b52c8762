/* Tangents of forces between points: K or D of a force law, carried from the marker points to the bodies' motions. */
#ifndef CAROM_ELEMENTS_FORCES_TANGENT_H
#define CAROM_ELEMENTS_FORCES_TANGENT_H

#include "elements/forces/force.h"

/* How one scalar changes with the motion of both bodies: [v_a, omega_a, v_b, omega_b]. */
typedef struct pair_row {
    double x[PAIR_COLUMNS];
} pair_row;

/* n . (velocity of point B - velocity of point A), with the lever arm of A given: r_a for marker A itself, or
 * r_a + (p_b - p_a) for the point of A that lies under marker B. */
pair_row pair_row_of_points(v3 n_w, v3 lever_a_w, v3 lever_b_w);

/* n . (omega_b - omega_a) */
pair_row pair_row_of_spin(v3 n_w);

/* matrix = 0; matrix += weight row^T row. */
void tangent_clear(double matrix[PAIR_COLUMNS][PAIR_COLUMNS]);
void tangent_add(double matrix[PAIR_COLUMNS][PAIR_COLUMNS], double weight, const pair_row *row);

#endif
