#include "dynamics/start_joint.h"

#include <string.h>

#include "base/assert.h"
#include "dynamics/work.h"
#include "linalg/dense.h"

carom_joint_frames start_frames(const model_joint *joint, const body_pose *pose, const body_rate *rate,
                                const double *near)
{
    int a = joint->body[0];
    int b = joint->body[1];
    const m3 R[2] = { q_matrix(pose[a].q_wb), q_matrix(pose[b].q_wb) };
    carom_joint_frames frames = { .a = marker_on(&pose[a], &R[0], &rate[a], &joint->marker_c[0]),
                                  .b = marker_on(&pose[b], &R[1], &rate[b], &joint->marker_c[1]) };
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

void start_solve(const start_rows *c, double length, double out[6])
{
    enum { MOST = JOINT_ROWS + JOINT_COORDINATES };
    const double weight[6] = { 1.0, 1.0, 1.0, 1.0 / length, 1.0 / length, 1.0 / length };
    double A[MOST * MOST];
    double y[MOST];
    double scratch[8 * MOST]; /* dense_scratch asks for five numbers per row */
    for (int i = 0; i < c->count; ++i) {
        y[i] = c->value[i];
        for (int k = 0; k < c->count; ++k) {
            double sum = 0.0;
            for (int m = 0; m < 6; ++m) {
                sum += c->row[i][m] * c->row[k][m] * weight[m] * weight[m];
            }
            A[i * c->count + k] = sum;
        }
    }
    CAROM_ASSERT(dense_scratch(c->count) <= sizeof scratch / sizeof *scratch);
    dense_solve(A, y, c->count, 1e-12, scratch);
    for (int m = 0; m < 6; ++m) {
        out[m] = 0.0;
        for (int i = 0; i < c->count; ++i) {
            out[m] += c->row[i][m] * weight[m] * weight[m] * y[i];
        }
    }
}
