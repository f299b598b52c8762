/* Second derivatives of joints, drivers, couplers and stops: what their forces add to the Hessian when bodies turn.
 *
 * Along twists that do not change, a row C has C'' = jdot_v: a quadratic form of the twists of both bodies, its Hessian. So the
 * forces along the rows of a joint add the sum of force times jdot_v, found for each column and each two of them. */
#include "methods/barrier/joints.h"

#include <string.h>

#include "methods/barrier/contacts.h"
#include "methods/barrier/system.h"

/* Forces along equations and coordinates of a joint, signed like multipliers [N or N m]. */
typedef struct joint_weights {
    double equation[JOINT_ROWS];
    double coordinate[JOINT_COORDINATES];
    bool any;
} joint_weights;

static void add_weight(joint_weights *to, int coordinate, double force)
{
    to->coordinate[coordinate] += force;
    to->any = to->any || force != 0.0;
}

static joint_weights weights_of(const barrier_work *w, int index)
{
    const model_joint *joint = &w->model->joints[index];
    int equations = joint->type->equation_count;
    joint_weights out = { .any = false };
    for (int r = 0; r < equations; ++r) {
        out.equation[r] = w->lambda[joint->first_row + r];
        out.any = out.any || out.equation[r] != 0.0;
    }
    for (int d = 0; d < joint->driver_count; ++d) {
        add_weight(&out, joint->drivers[d].coordinate, w->lambda[joint->first_row + equations + d]);
    }
    for (int k = 0; k < w->model->coupler_count; ++k) {
        const model_coupler *c = &w->model->couplers[k];
        for (int i = 0; i < 2; ++i) {
            if (c->joint[i] == index) {
                add_weight(&out, c->coordinate[i], w->lambda[c->row] * (i == 0 ? c->ratio : 1.0));
            }
        }
    }
    for (int k = 0; k < w->stop_count; ++k) {
        if (w->stops[k].joint == index) {
            add_weight(&out, w->stops[k].coordinate, w->stops[k].sign * w->stops[k].first);
        }
    }
    return out;
}

static void give_twist(marker *m, const double *by)
{
    v3 turn = v3_load(by + 3);
    v3 around = v3_cross(turn, m->r_w);
    m->v_w = v3_add(v3_load(by), around);
    m->omega_w = turn;
    m->c_w = v3_cross(turn, around);
}

/* [W] sum of force times second derivative along a twist of both bodies. */
static double along(const model_joint *joint, const joint_weights *force, carom_joint_frames *frames,
                    const double twists[TWIST_PAIR])
{
    double equations[JOINT_ROWS], coordinates[JOINT_COORDINATES];
    double sum = 0.0;
    give_twist(&frames->a, twists);
    give_twist(&frames->b, twists + COLUMNS);
    joint->type->jdot_v(equations, frames, joint->params);
    for (int r = 0; r < joint->type->equation_count; ++r) {
        sum += force->equation[r] * equations[r];
    }
    if (joint->type->coordinate_count > 0) {
        joint->type->coordinate_jdot_v(coordinates, frames, joint->params);
    }
    for (int k = 0; k < joint->type->coordinate_count; ++k) {
        sum += force->coordinate[k] != 0.0 ? force->coordinate[k] * coordinates[k] : 0.0;
    }
    return sum;
}

static void find_curvature(const barrier_work *w, int index, const joint_weights *force, twist_matrix out)
{
    const model_joint *joint = &w->model->joints[index];
    carom_joint_frames frames = w->scratch->frames[index];
    double twists[TWIST_PAIR] = { 0.0 };
    for (int i = 0; i < TWIST_PAIR; ++i) {
        twists[i] = 1.0;
        out[i][i] = along(joint, force, &frames, twists);
        for (int k = 0; k < i; ++k) {
            twists[k] = 1.0;
            double both = along(joint, force, &frames, twists);
            out[i][k] = out[k][i] = 0.5 * (both - out[i][i] - out[k][k]);
            twists[k] = 0.0;
        }
        twists[i] = 0.0;
    }
}

/* [m] of the smaller of the bodies that move. */
static double size_of(const barrier_work *w, const int body[2])
{
    double size = HUGE_VAL;
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[body[side]];
        size = b->node >= 0 && b->reach > 0.0 ? fmin(size, b->reach) : size;
    }
    return isfinite(size) ? size : 1.0;
}

static void gather_joint(barrier_work *w, island *s, const int body[2], twist_matrix sum)
{
    double cross[BLOCK];
    for (int side = 0; side < 2; ++side) {
        double *H = diagonal_of(w, s, body[side]);
        for (int i = 0; H && i < BLOCK; ++i) {
            H[i] += sum[COLUMNS * side + i / COLUMNS][COLUMNS * side + i % COLUMNS];
        }
    }
    for (int i = 0; i < BLOCK; ++i) {
        cross[i] = sum[i / COLUMNS][COLUMNS + i % COLUMNS];
    }
    add_cross(w, s, edge_between(w, s, body[0], body[1]), body[0], body[1], cross);
}

void joints_add_curvature(barrier_work *w, island *s)
{
    for (int j = 0; s->mechanism && j < w->model->joint_count; ++j) {
        joint_weights force = weights_of(w, j);
        twist_matrix sum;
        if (!force.any) {
            continue;
        }
        find_curvature(w, j, &force, sum);
        if (s->curvature != CURVATURE_WHOLE) {
            positive_part(sum, size_of(w, w->model->joints[j].body));
        }
        gather_joint(w, s, w->model->joints[j].body, sum);
    }
}
