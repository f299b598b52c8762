/* Mass properties: sums by Steiner's theorem, changes of frame, and what an inertia tensor may be.
 *
 * Invariant: inertia tensors handed out are symmetric to the last bit, and about the centre of mass. */
#include "geometry/mass.h"

static const double ROUNDED = 1e-6; /* relative; inertia data is often typed in with six digits */

static m3 symmetric(m3 a)
{
    return m3_scale(0.5, m3_add(a, m3_transpose(a)));
}

/* |d|^2 E - d d^T: the inertia of a unit mass at d. */
static m3 point_inertia(v3 d)
{
    double dist2 = v3_norm2(d);
    return m3_add(m3_diag(dist2, dist2, dist2), m3_scale(-1.0, m3_outer(d, d)));
}

mass_properties mass_add(mass_properties a, mass_properties b)
{
    mass_properties sum = { .mass = a.mass + b.mass, .inertia = m3_add(a.inertia, b.inertia) };
    if (sum.mass == 0.0) {
        sum.center = v3_scale(0.5, v3_add(a.center, b.center)); /* any point: there is nothing to be the centre of */
        return sum;
    }
    v3 d = v3_sub(b.center, a.center);
    double reduced_mass = a.mass * (b.mass / sum.mass);
    sum.center = v3_axpy(a.center, b.mass / sum.mass, d);
    sum.inertia = m3_add(sum.inertia, m3_scale(reduced_mass, point_inertia(d)));
    return sum;
}

mass_properties mass_transform(mass_properties m, carom_pose pose)
{
    m3 R = q_matrix(pose.orientation);
    return (mass_properties){
        .mass = m.mass,
        .center = v3_add(pose.position, m3_mulv(R, m.center)),
        .inertia = symmetric(m3_rotate_tensor(R, m.inertia)),
    };
}

mass_properties mass_scale(mass_properties m, double factor)
{
    return (mass_properties){
        .mass = factor * m.mass,
        .center = m.center,
        .inertia = m3_scale(factor, m.inertia),
    };
}

static bool all_finite(m3 a)
{
    for (int i = 0; i < 9; ++i) {
        if (!isfinite(a.m[i])) {
            return false;
        }
    }
    return true;
}

static bool is_symmetric(m3 a)
{
    double size = fabs(a.m[0]) + fabs(a.m[4]) + fabs(a.m[8]);
    return fabs(a.m[1] - a.m[3]) <= ROUNDED * size && fabs(a.m[2] - a.m[6]) <= ROUNDED * size &&
           fabs(a.m[5] - a.m[7]) <= ROUNDED * size;
}

const char *mass_inertia_problem(m3 inertia)
{
    if (!all_finite(inertia)) {
        return "has an entry that is not a finite number";
    }
    if (!is_symmetric(inertia)) {
        return "is not symmetric";
    }
    double principal[3];
    m3 axes;
    m3_eigen_symmetric(inertia, principal, &axes);
    if (principal[0] <= 0.0) {
        return "has a principal moment that is not positive";
    }
    if (principal[0] + principal[1] < principal[2] * (1.0 - ROUNDED)) {
        return "violates the triangle inequality: no distribution of mass has one principal moment larger than the "
               "sum of the other two";
    }
    return NULL;
}
