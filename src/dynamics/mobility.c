/* Degrees of freedom by counting (Gruebler) and by rank, and the names of redundant equations.
 *
 * Columns of rotations are divided by the model's length, so that metres and radians compare. Only joints in loops can
 * be redundant, but the dense rank of everything is affordable up to a few thousand equations; beyond that the rank is
 * left unknown. */
#include "base/arguments.h"
#include "dynamics/columns.h"
#include "dynamics/integrator.h"
#include "linalg/rank.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EQUATIONS = 3000 };

/* Rows with all columns as lengths. */
static void scale_columns(const carom_model *model, double *J)
{
    for (int slot = 0; slot < model->free_count; ++slot) {
        const model_body *b = &model->bodies[model->free_bodies[slot]];
        for (int row = 0; row < model->row_count; ++row) {
            double *columns = J + (size_t)row * (size_t)model->column_count + b->column;
            for (int k = 3; k < FRAME_COLUMNS; ++k) {
                columns[k] /= model->length_scale;
            }
            for (int k = 0; k < body_coordinate_count(b); ++k) {
                columns[FRAME_COLUMNS + k] /= b->type->displacement(b->params, k);
            }
        }
    }
}

static void fill_jacobian(const carom_scratch *w, double *J, int columns)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        for (int k = 0; k < joint->type->equation_count + joint->driver_count; ++k) {
            double *row = J + (size_t)(joint->first_row + k) * (size_t)columns;
            work_add_row(w, joint_place(joint, 0), 1.0, w->rows[j].a[k], row);
            work_add_row(w, joint_place(joint, 1), 1.0, w->rows[j].b[k], row);
        }
    }
    for (int c = 0; c < w->model->coupler_count; ++c) {
        const model_coupler *coupler = &w->model->couplers[c];
        double *row = J + (size_t)coupler->row * (size_t)columns;
        for (int s = 0; s < 2; ++s) {
            int j = coupler->joint[s];
            const model_joint *joint = &w->model->joints[j];
            double factor = s == 0 ? coupler->ratio : 1.0;
            work_add_row(w, joint_place(joint, 0), factor, w->coordinate_rows[j].a[coupler->coordinate[s]], row);
            work_add_row(w, joint_place(joint, 1), factor, w->coordinate_rows[j].b[coupler->coordinate[s]], row);
        }
    }
    scale_columns(w->model, J);
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static carom_status find_rank(carom_scratch *w, carom_mobility *out, carom_error *err)
{
    const double tolerance = 1e-8; /* redundant rows of a well-drawn loop agree to rounding, independent ones differ
                                      by angles; a loop near a singular position lies between */
    int rows = w->model->row_count;
    int columns = w->model->column_count;
    double *J = calloc((size_t)rows * (size_t)columns, sizeof *J);
    int *order = w->row_order;
    if (!J) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the rank of %d equations", rows);
    }
    fill_jacobian(w, J, columns);
    carom_status status = dense_row_rank(J, rows, columns, tolerance, &out->rank, order, err);
    free(J);
    if (status == CAROM_OK) {
        out->redundant_count = rows - out->rank;
        out->redundant = order + out->rank;
        qsort(order + out->rank, (size_t)out->redundant_count, sizeof *order, compare_ints);
    }
    return status;
}

carom_status carom_observe_mobility(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                    carom_mobility *out, carom_error *err)
{
    carom_status status = work_check("carom_observe_mobility", model, state, scratch, err);
    status = status == CAROM_OK ? argument_given("carom_observe_mobility", "out", out, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    *out = (carom_mobility){ .equations = model->row_count, .rank = model->row_count };
    out->gruebler = model->column_count - model->row_count;
    integrator_load(scratch, state);
    work_place(scratch, *state->time, state_motion(state));
    work_positions(scratch);
    out->rank_known = saddle_is_tree(scratch->kkt) || model->row_count <= MOST_EQUATIONS;
    if (!saddle_is_tree(scratch->kkt) && out->rank_known) {
        status = find_rank(scratch, out, err);
    }
    out->degrees = model->column_count - out->rank;
    return status;
}
