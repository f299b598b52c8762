#include "math/screw.h"

/* Below this angle series of two terms are exact to rounding: the third is smaller than angle^4 / 300. */
static const double SMALL = 1e-4;

v3 screw_displacement(const twist *d, double t)
{
    double a = v3_norm(d->w);
    double angle = a * t;
    double B = 0.0; /* (1 - cos(angle)) / a^2 */
    double C = 0.0; /* (angle - sin(angle)) / a^3 */
    if (fabs(angle) < SMALL) {
        B = 0.5 * t * t * (1.0 - angle * angle / 12.0);
        C = t * t * t / 6.0 * (1.0 - angle * angle / 20.0);
    } else {
        double half = sin(0.5 * angle);
        B = 2.0 * half * half / (a * a);
        C = (angle - sin(angle)) / (a * a * a);
    }
    v3 across = v3_cross(d->w, d->v);
    return v3_axpy(v3_axpy(v3_scale(t, d->v), B, across), C, v3_cross(d->w, across));
}

twist screw_through(v3 w, v3 displacement)
{
    double angle = v3_norm(w);
    double half = 0.5 * angle;
    double k = 1.0 / 12.0 + angle * angle / 720.0; /* (1 - half cot(half)) / angle^2; next term angle^4 / 30240 */
    if (angle > 1e-3) {
        k = (1.0 - half * cos(half) / sin(half)) / (angle * angle);
    }
    v3 across = v3_cross(w, displacement);
    return (twist){ v3_axpy(v3_axpy(displacement, -0.5, across), k, v3_cross(w, across)), w };
}
