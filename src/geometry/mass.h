/* Mass, centre of mass and inertia tensor; adding and moving them. */
#ifndef CAROM_GEOMETRY_MASS_H
#define CAROM_GEOMETRY_MASS_H

#include "math/quat.h"

typedef struct mass_properties {
    double mass; /* [kg], or volume [m^3] for unit density */
    v3 center;   /* [m] */
    m3 inertia;  /* [kg m^2] about the centre, in the frame's axes */
} mass_properties;

/* Both in the same frame; the inertia of the sum is about the common centre (Steiner). */
mass_properties mass_add(mass_properties a, mass_properties b);

/* As seen from the frame in which the present frame has this pose. */
mass_properties mass_transform(mass_properties m, carom_pose pose);

/* Times a density or any factor. */
mass_properties mass_scale(mass_properties m, double factor);

/* NULL when a body may have this inertia tensor, else what is wrong with it ("violates the triangle inequality ..."),
 * with a relative tolerance of 1e-6 for rounded data. */
const char *mass_inertia_problem(m3 inertia);

#endif
