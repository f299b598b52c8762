/* Signed distance to the surface of a solid: negative inside, in the solid's own axes. */
#ifndef CAROM_GEOMETRY_FIELD_H
#define CAROM_GEOMETRY_FIELD_H

#include "math/vec3.h"

typedef struct field_sample {
    double distance; /* [m] */
    v3 gradient;     /* of this very function; of unit length only where it is the exact distance */
} field_sample;

#endif
