/* Sums of weight * row^T row: symmetric, and positive semidefinite when the weights are not negative. */
#include "elements/forces/tangent.h"

pair_row pair_row_of_points(v3 n_w, v3 lever_a_w, v3 lever_b_w)
{
    pair_row row;
    v3_store(row.x, v3_neg(n_w));
    v3_store(row.x + 3, v3_cross(n_w, lever_a_w));
    v3_store(row.x + FRAME_COLUMNS, n_w);
    v3_store(row.x + FRAME_COLUMNS + 3, v3_cross(lever_b_w, n_w));
    return row;
}

pair_row pair_row_of_spin(v3 n_w)
{
    pair_row row;
    v3_store(row.x, v3_zero());
    v3_store(row.x + 3, v3_neg(n_w));
    v3_store(row.x + FRAME_COLUMNS, v3_zero());
    v3_store(row.x + FRAME_COLUMNS + 3, n_w);
    return row;
}

void tangent_clear(double matrix[PAIR_COLUMNS][PAIR_COLUMNS])
{
    for (int i = 0; i < PAIR_COLUMNS; ++i) {
        for (int j = 0; j < PAIR_COLUMNS; ++j) {
            matrix[i][j] = 0.0;
        }
    }
}

void tangent_add(double matrix[PAIR_COLUMNS][PAIR_COLUMNS], double weight, const pair_row *row)
{
    if (weight == 0.0) {
        return;
    }
    for (int i = 0; i < PAIR_COLUMNS; ++i) {
        double scaled = weight * row->x[i];
        for (int j = 0; j < PAIR_COLUMNS; ++j) {
            matrix[i][j] += scaled * row->x[j];
        }
    }
}
