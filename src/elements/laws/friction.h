/* Friction of one point by a coefficient that depends on the slip speed alone. */
#ifndef CAROM_ELEMENTS_LAWS_FRICTION_H
#define CAROM_ELEMENTS_LAWS_FRICTION_H

#include "elements/laws/law.h"

typedef struct friction_curve {
    double per_speed; /* [s/m] mu(v)/v, finite at 0 */
    double slope;     /* [s/m] d mu/dv */
} friction_curve;

/* -N mu(v) t: across the slip the force turns with t, which takes N mu/v. */
static inline friction_force friction_along(const friction_input *in, friction_curve mu)
{
    return (friction_force){
        .force = v3_scale(-in->normal * mu.per_speed, in->slip),
        .along = in->normal * max_or_nan(mu.slope, 0.0),
        .across = in->normal * mu.per_speed,
    };
}

/* One number of a friction law that must not be negative, or must be positive. */
static inline carom_status friction_check(double x, bool positive, const char *name, const char *law,
                                          carom_error *err)
{
    bool good = isfinite(x) && (positive ? x > 0.0 : x >= 0.0);
    return good ? CAROM_OK
                : carom_fail(err, CAROM_BAD_INPUT, "%s of the friction law '%s' is %g; it must %s", name, law, x,
                             positive ? "be positive" : "not be negative");
}

#endif
