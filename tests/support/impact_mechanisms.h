/* Mechanisms of the classic impacts, as dense matrices for tests/support/reduced.h. All have one contact, row 0 its normal,
 * then the slip rows. Coefficients of zero leave the element out, as the method does. */
#ifndef CAROM_TESTS_IMPACT_MECHANISMS_H
#define CAROM_TESTS_IMPACT_MECHANISMS_H

#include "support/reduced.h"

/* A contact's friction in the rows that follow. */
static inline void test_add_contact_friction(test_mechanism *s, int contact, int first_row, int dim, double mu)
{
    if (mu > 0.0) {
        s->element[s->elements++] = (friction_element){
            .first_row = first_row, .dim = dim, .mu = mu, .contact = contact
        };
    }
}

/* A joint's friction: one load group of the multipliers first .. first + count - 1 of G. */
static inline void test_add_joint_friction(test_mechanism *s, int first_row, int dim, double mu, int first, int count)
{
    if (mu > 0.0) {
        s->group[s->groups] = (load_group){ .first = s->loads, .dim = count };
        for (int k = 0; k < count; ++k) {
            s->L[s->loads++][first + k] = 1.0;
        }
        s->element[s->elements++] = (friction_element){
            .first_row = first_row, .dim = dim, .mu = mu, .contact = -1, .first_group = s->groups++, .group_count = 1
        };
    }
}

/* Sleeve on a vertical guide, link of mass m and length 2 l, whose end A strikes the ground [paper 5, example 1].
 * q = (xC, yC, theta); rows: yA', xA', yB'. */
static inline test_mechanism test_sleeve(double m, double l, double theta, double mu_sleeve, double mu_ground)
{
    test_mechanism s = { .n = 3, .m = 1, .rows = 3, .contacts = 1 };
    double sn = l * sin(theta), cs = l * cos(theta);
    s.M[0][0] = s.M[1][1] = m;
    s.M[2][2] = m * l * l / 3.0;
    memcpy(s.G[0], (double[]){ 1.0, 0.0, -cs }, 3 * sizeof(double));
    memcpy(s.R[0], (double[]){ 0.0, 1.0, sn }, 3 * sizeof(double));
    memcpy(s.R[1], (double[]){ 1.0, 0.0, cs }, 3 * sizeof(double));
    memcpy(s.R[2], (double[]){ 0.0, 1.0, -sn }, 3 * sizeof(double));
    test_add_contact_friction(&s, 0, 1, 1, mu_ground);
    test_add_joint_friction(&s, 2, 1, mu_sleeve, 0, 1);
    return s;
}

/* Two uniform rods (m = L = 1) in a row, the first pinned to the ground, the tip of the second striking it [paper 5,
 * example 2; Kane]. q = (x1, y1, th1, x2, y2, th2), angles from the downward vertical; rows: yA', xA', r (th2' - th1'). */
static inline test_mechanism test_pendulum(double th1, double th2, double mu_pin, double pin_radius, double mu_ground)
{
    test_mechanism s = { .n = 6, .m = 4, .rows = 3, .contacts = 1 };
    double s1 = 0.5 * sin(th1), c1 = 0.5 * cos(th1), s2 = 0.5 * sin(th2), c2 = 0.5 * cos(th2);
    for (int i = 0; i < 6; ++i) {
        s.M[i][i] = i % 3 == 2 ? 1.0 / 12.0 : 1.0;
    }
    memcpy(s.G[0], (double[]){ 1.0, 0.0, -c1, 0.0, 0.0, 0.0 }, 6 * sizeof(double));
    memcpy(s.G[1], (double[]){ 0.0, 1.0, -s1, 0.0, 0.0, 0.0 }, 6 * sizeof(double));
    memcpy(s.G[2], (double[]){ -1.0, 0.0, -c1, 1.0, 0.0, -c2 }, 6 * sizeof(double));
    memcpy(s.G[3], (double[]){ 0.0, -1.0, -s1, 0.0, 1.0, -s2 }, 6 * sizeof(double));
    memcpy(s.R[0], (double[]){ 0.0, 0.0, 0.0, 0.0, 1.0, s2 }, 6 * sizeof(double));
    memcpy(s.R[1], (double[]){ 0.0, 0.0, 0.0, 1.0, 0.0, c2 }, 6 * sizeof(double));
    memcpy(s.R[2], (double[]){ 0.0, 0.0, -pin_radius, 0.0, 0.0, pin_radius }, 6 * sizeof(double));
    test_add_contact_friction(&s, 0, 1, 1, mu_ground);
    test_add_joint_friction(&s, 2, 1, mu_pin, 2, 2);
    return s;
}

/* Velocities of that pendulum from its angular velocities. */
static inline void test_pendulum_velocity(double th1, double th2, double u1, double u2, double *v)
{
    double s1 = 0.5 * sin(th1), c1 = 0.5 * cos(th1), s2 = 0.5 * sin(th2), c2 = 0.5 * cos(th2);
    double x1 = c1 * u1, y1 = s1 * u1;
    memcpy(v, (double[]){ x1, y1, u1, 2.0 * x1 + c2 * u2, 2.0 * y1 + s2 * u2, u2 }, 6 * sizeof(double));
}

/* A free slender rod (m = 1, half length 1), struck at the tip (sin th, -cos th) from its centre. q = (x, y, angle); rows:
 * vn, vt. */
static inline test_mechanism test_rod(double th, double mu)
{
    test_mechanism s = { .n = 3, .rows = 2, .contacts = 1 };
    s.M[0][0] = s.M[1][1] = 1.0;
    s.M[2][2] = 1.0 / 3.0;
    memcpy(s.R[0], (double[]){ 0.0, 1.0, sin(th) }, 3 * sizeof(double));
    memcpy(s.R[1], (double[]){ 1.0, 0.0, cos(th) }, 3 * sizeof(double));
    test_add_contact_friction(&s, 0, 1, 1, mu);
    return s;
}

/* A body free in space with principal inertias, axes along the columns of `axes`, struck at r from its centre; z is the
 * normal. q = (v, omega) in world axes; rows: vz, vx, vy of the point. */
static inline test_mechanism test_free_body(double m, const double inertia[3], double axes[3][3], const double r[3],
                                            double mu)
{
    static const int row_axis[3] = { 2, 0, 1 };
    test_mechanism s = { .n = 6, .rows = 3, .contacts = 1 };
    for (int i = 0; i < 3; ++i) {
        s.M[i][i] = m;
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                s.M[3 + i][3 + j] += axes[i][k] * inertia[k] * axes[j][k];
            }
        }
    }
    for (int k = 0; k < 3; ++k) {
        int a = row_axis[k], b = (a + 1) % 3, c = (a + 2) % 3;
        s.R[k][a] = 1.0; /* v + omega x r */
        s.R[k][3 + b] = r[c];
        s.R[k][3 + c] = -r[b];
    }
    test_add_contact_friction(&s, 0, 1, 2, mu);
    return s;
}

/* A rod (m = L = 1) pinned at one end, hit perpendicular at distance a; q = (y, angle) of its centre; rows: normal at a
 * (the direction of the hit), pin slip. The pin's reaction X is the multiplier. */
static inline test_mechanism test_pinned_rod(double a, double mu, double radius)
{
    test_mechanism s = { .n = 2, .m = 1, .rows = 2, .contacts = 1 };
    s.M[0][0] = 1.0;
    s.M[1][1] = 1.0 / 12.0;
    memcpy(s.G[0], (double[]){ 1.0, -0.5 }, 2 * sizeof(double));
    memcpy(s.R[0], (double[]){ 1.0, a - 0.5 }, 2 * sizeof(double));
    memcpy(s.R[1], (double[]){ 0.0, radius }, 2 * sizeof(double));
    test_add_joint_friction(&s, 1, 1, mu, 0, 1);
    return s;
}

#endif
