#include "dynamics/start_joint.h"

#include <string.h>

#include "base/assert.h"
#include "dynamics/columns.h"
#include "linalg/dense.h"

carom_joint_frames start_frames(const carom_model *model, const model_joint *joint, motion at, const double *near)
{
    carom_joint_frames frames = { .a = motion_marker(model, at, joint_place(joint, 0)),
                                  .b = motion_marker(model, at, joint_place(joint, 1)) };
    memcpy(frames.near, near + joint->first_coordinate, (size_t)joint->type->coordinate_count * sizeof *near);
    return frames;
}

static void add_rows(start_rows *c, const carom_joint_rows *rows, int side, int count)
{
    for (int k = 0; k < count; ++k) {
        memcpy(c->row[c->count++], side ? rows->b[k] : rows->a[k], sizeof c->row[0]);
    }
}

start_rows start_conditions(const model_joint *joint, const carom_joint_frames *frames, int side)
{
    start_rows c = { 0 };
    carom_joint_rows rows;
    if (joint->type->equation_count > 0) {
        joint->type->jacobian(&rows, frames, joint->params);
        add_rows(&c, &rows, side, joint->type->equation_count);
    }
    if (joint->type->coordinate_count > 0) {
        joint->type->coordinate_jacobian(&rows, frames, joint->params);
        add_rows(&c, &rows, side, joint->type->coordinate_count);
    }
    return c;
}

void start_solve(const start_rows *c, double length, double out[FRAME_COLUMNS])
{
    enum { MOST = JOINT_ROWS + JOINT_COORDINATES };
    const double weight[FRAME_COLUMNS] = { 1.0, 1.0, 1.0, 1.0 / length, 1.0 / length, 1.0 / length };
    double A[MOST * MOST];
    double y[MOST];
    double scratch[8 * MOST]; /* dense_scratch asks for five numbers per row */
    for (int i = 0; i < c->count; ++i) {
        y[i] = c->value[i];
        for (int k = 0; k < c->count; ++k) {
            double sum = 0.0;
            for (int m = 0; m < FRAME_COLUMNS; ++m) {
                sum += c->row[i][m] * c->row[k][m] * weight[m] * weight[m];
            }
            A[i * c->count + k] = sum;
        }
    }
    CAROM_ASSERT(dense_scratch(c->count) <= sizeof scratch / sizeof *scratch);
    dense_solve(A, y, c->count, 1e-12, scratch);
    for (int m = 0; m < FRAME_COLUMNS; ++m) {
        out[m] = 0.0;
        for (int i = 0; i < c->count; ++i) {
            out[m] += c->row[i][m] * weight[m] * weight[m] * y[i];
        }
    }
}
