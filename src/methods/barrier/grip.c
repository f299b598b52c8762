/* Friction of impulses that send a pair apart: what an impact gives back presses the surfaces together like what it takes, so that friction has as
 * much to say in it. It is found for given normal impulses, one pair at a time: impulses in the ball |J| <= mu P, by projected steps along
 * the slip. Slip that is gone stays gone; slip that is left is resisted with all of mu P. */
#include "methods/barrier/grip.h"

#include <math.h>

#include "methods/barrier/friction_slip.h"

static double normal_force(const barrier_contact *c)
{
    return -c->parallel.value * c->first;
}

static void place_grip(const barrier_work *w, const barrier_pair *p, grip *g)
{
    for (int k = 0; k < p->contact_count; ++k) {
        const barrier_contact *c = &p->contacts[k];
        double part = normal_force(c) / p->push.weight;
        g->arm[0] = v3_axpy(g->arm[0], part, friction_arm(w, p, c, 0));
        g->arm[1] = v3_axpy(g->arm[1], part, friction_arm(w, p, c, 1));
    }
    v3 n = g->axis[GRIP_ROWS - 1];
    for (int k = 0; k < p->contact_count; ++k) {
        const barrier_contact *c = &p->contacts[k];
        v3 off = v3_sub(friction_arm(w, p, c, 0), g->arm[0]);
        g->radius += normal_force(c) / p->push.weight * v3_norm(v3_axpy(off, -v3_dot(off, n), n));
    }
}

grip grip_of(const barrier_work *w, const barrier_pair *p, const body_rate *rate)
{
    grip g = { .body = { p->body[0], p->body[1] } };
    v3 n = v3_unit(p->push.impulse);
    g.axis[0] = v3_across(n);
    g.axis[1] = v3_cross(n, g.axis[0]);
    g.axis[2] = n;
    place_grip(w, p, &g);
    double speed = hypot(grip_slip(&g, 0, rate), grip_slip(&g, 1, rate));
    bool slides = speed > (1.0 + p->softness) * stick_speed_of(w, p->range);
    g.mu = slides ? p->mu : p->mu_static;
    return g;
}

double grip_slip(const grip *g, int row, const body_rate *rate)
{
    const body_rate *a = &rate[g->body[0]];
    const body_rate *b = &rate[g->body[1]];
    if (row == GRIP_ROWS - 1) {
        return g->radius * v3_dot(g->axis[row], v3_sub(a->omega_w, b->omega_w));
    }
    return v3_dot(g->axis[row], v3_sub(point_velocity(a, g->arm[0]), point_velocity(b, g->arm[1])));
}

pair_push grip_push(const grip *g, int row)
{
    pair_push push = { 0 };
    if (row == GRIP_ROWS - 1) {
        push.moment[0] = v3_scale(g->radius, g->axis[row]);
        push.moment[1] = v3_neg(push.moment[0]);
    } else {
        push.impulse = g->axis[row];
        push.moment[0] = v3_cross(g->arm[0], push.impulse);
        push.moment[1] = v3_neg(v3_cross(g->arm[1], push.impulse));
    }
    return push;
}

/* ---- maximum dissipation ---------------------------------------------------------------------------------------------------- */

/* One step along the slip, as long as the response of the grip to itself allows, and back into the ball. Returns the largest change of a slip. */
static double step_of_grip(const reduced_problem *p, int first, double step, double bound, double *J, double *u)
{
    double next[GRIP_ROWS];
    double size2 = 0.0;
    double most = 0.0;
    for (int k = 0; k < GRIP_ROWS; ++k) {
        next[k] = J[k] - step * u[first + k];
        size2 += next[k] * next[k];
    }
    double scale = size2 > bound * bound ? bound / sqrt(size2) : 1.0;
    double change[GRIP_ROWS];
    for (int k = 0; k < GRIP_ROWS; ++k) {
        change[k] = scale * next[k] - J[k];
        J[k] += change[k];
    }
    for (int row = 0; row < p->row_count; ++row) {
        double du = 0.0;
        for (int k = 0; k < GRIP_ROWS; ++k) {
            du += p->D[(size_t)row * (size_t)p->row_count + (size_t)(first + k)] * change[k];
        }
        u[row] += du;
        most = row >= first && row < first + GRIP_ROWS ? fmax(most, fabs(du)) : most;
    }
    return most;
}

/* [N s per m/s] no longer step lets the iteration grow: the inverse of a bound of the largest eigenvalue. */
static double longest_step(const reduced_problem *p, int first)
{
    double trace = 0.0;
    for (int k = first; k < first + GRIP_ROWS; ++k) {
        trace += p->D[(size_t)k * (size_t)p->row_count + (size_t)k];
    }
    return trace > 0.0 ? 1.0 / trace : 0.0;
}

double grips_hold(const grip *g, int count, const reduced_problem *p, const double *P, double *J, double *u)
{
    enum { STEPS = 20 };
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
        int first = p->contact_count + GRIP_ROWS * k;
        double step = longest_step(p, first);
        double changed = g[k].mu > 0.0 && step > 0.0 ? HUGE_VAL : 0.0;
        for (int n = 0; n < STEPS && changed > 0.0; ++n) {
            changed = step_of_grip(p, first, step, g[k].mu * P[k], J + GRIP_ROWS * k, u);
            most = fmax(most, changed);
        }
    }
    return most;
}
