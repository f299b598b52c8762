#include "elements/bodies/corotation.h"

#include <float.h>

v3 corotation_centre(int count, double *weight, v3 *X)
{
    double total = 0.0;
    v3 centre = v3_zero();
    for (int i = 0; i < count; ++i) {
        total += weight[i];
    }
    for (int i = 0; i < count; ++i) {
        weight[i] /= total;
        centre = v3_axpy(centre, weight[i], X[i]);
    }
    for (int i = 0; i < count; ++i) {
        X[i] = v3_sub(X[i], centre);
    }
    return centre;
}

static int node_of(const corotation_set *set, int i)
{
    return set->nodes ? set->nodes[i] : i;
}

static v3 weighted_mean(const corotation_set *set, const double *u)
{
    v3 mean = v3_zero();
    for (int i = 0; i < set->count; ++i) {
        mean = v3_axpy(mean, set->weight[i], node_load(u, set->dimension, node_of(set, i)));
    }
    return mean;
}

/* In the plane: the angle whose cosine is to its sine as sum w X . x is to sum w X x x. */
static void turn_in_plane(const corotation_set *set, const double *u, corotation_frame *f)
{
    double along = 0.0;
    double across = 0.0;
    for (int i = 0; i < set->count; ++i) {
        v3 X = set->X[i];
        const double *at = u + 2 * (size_t)node_of(set, i);
        double dx = at[0] - f->shift.x;
        double dy = at[1] - f->shift.y;
        along += set->weight[i] * (X.x * X.x + X.y * X.y + X.x * dx + X.y * dy);
        across += set->weight[i] * (X.x * dy - X.y * dx);
    }
    double r = sqrt(along * along + across * across);
    double c = r > 0.0 ? along / r : 1.0;
    double s = r > 0.0 ? across / r : 0.0;
    double c_minus_1 = c > 0.0 ? -s * s / (1.0 + c) : c - 1.0;
    f->A_minus_I = (m3){ { c_minus_1, -s, 0.0, s, c_minus_1, 0.0, 0.0, 0.0, 0.0 } };
    f->D = m3_diag(0.0, 0.0, r); /* sum w X . y in the frame of the best fit */
}

/* The orthogonal factor of F by Newton's method for the polar decomposition: it converges from any F with a positive
 * determinant. */
static m3 orthogonal_factor(m3 F)
{
    for (int k = 0; k < 100; ++k) {
        m3 inverse = m3_transpose(m3_inverse(F));
        m3 next = m3_scale(0.5, m3_add(F, inverse));
        double change = 0.0;
        for (int i = 0; i < 9; ++i) {
            change = fmax(change, fabs(next.m[i] - F.m[i]));
        }
        F = next;
        if (!(change > 4.0 * DBL_EPSILON)) {
            break;
        }
    }
    return F;
}

static void turn_in_space(const corotation_set *set, const double *u, corotation_frame *f)
{
    m3 F = m3_diag(0.0, 0.0, 0.0);
    double size = 0.0;
    for (int i = 0; i < set->count; ++i) {
        v3 x = v3_add(set->X[i], v3_sub(node_load(u, 3, node_of(set, i)), f->shift));
        F = m3_add(F, m3_scale(set->weight[i], m3_outer(x, set->X[i])));
        size += set->weight[i] * v3_norm2(set->X[i]);
    }
    m3 A = orthogonal_factor(m3_scale(3.0 / size, F));
    f->A_minus_I = m3_add(A, m3_diag(-1.0, -1.0, -1.0));
}

static v3 weighted_turning(const corotation_set *set, const double *v, const corotation_frame *f)
{
    v3 turning = v3_zero();
    for (int i = 0; i < set->count; ++i) {
        v3 local = m3_tmulv(f->A, v3_sub(node_load(v, set->dimension, node_of(set, i)), f->velocity));
        turning = v3_axpy(turning, set->weight[i], v3_cross(set->X[i], local));
    }
    return turning;
}

/* D in space. */
static void find_D(const corotation_set *set, const double *u, corotation_frame *f)
{
    m3 D = m3_diag(0.0, 0.0, 0.0);
    for (int i = 0; i < set->count; ++i) {
        v3 X = set->X[i];
        v3 y = v3_add(X, corotation_local(f, X, node_load(u, 3, node_of(set, i))));
        double along = v3_dot(X, y);
        D = m3_add(D, m3_scale(set->weight[i], m3_add(m3_diag(along, along, along), m3_scale(-1.0, m3_outer(y, X)))));
    }
    f->D = D;
}

static void find_rates(const corotation_set *set, const double *v, corotation_frame *f)
{
    f->velocity = weighted_mean(set, v);
    if (set->dimension == 1) {
        return;
    }
    v3 turning = weighted_turning(set, v, f);
    f->omega = set->dimension == 2 ? v3_make(0.0, 0.0, turning.z / f->D.m[8]) : m3_mulv(m3_inverse(f->D), turning);
}

corotation_frame corotation_fit(const corotation_set *set, const double *u, const double *v)
{
    corotation_frame f = { .shift = weighted_mean(set, u) };
    if (set->dimension == 2) {
        turn_in_plane(set, u, &f);
    } else if (set->dimension == 3) {
        turn_in_space(set, u, &f);
    }
    f.A = m3_add(f.A_minus_I, m3_identity());
    if (set->dimension == 3) {
        find_D(set, u, &f);
    }
    if (v) {
        find_rates(set, v, &f);
    }
    return f;
}

v3 corotation_local(const corotation_frame *f, v3 X, v3 u)
{
    return v3_add(m3_tmulv(f->A_minus_I, X), m3_tmulv(f->A, v3_sub(u, f->shift)));
}

v3 corotation_local_rate(const corotation_frame *f, v3 X, v3 local, v3 v)
{
    return v3_sub(m3_tmulv(f->A, v3_sub(v, f->velocity)), v3_cross(f->omega, v3_add(X, local)));
}

v3 corotation_share(const corotation_frame *f, int dimension, v3 moment)
{
    if (dimension == 3) {
        return m3_mulv(m3_inverse(m3_transpose(f->D)), moment);
    }
    return dimension == 2 ? v3_make(0.0, 0.0, moment.z / f->D.m[8]) : v3_zero();
}
