/* Linking number of two closed curves: how often one winds around the other; an integer that no motion without crossing changes. */
#ifndef CAROM_GEOMETRY_LINKING_H
#define CAROM_GEOMETRY_LINKING_H

#include "math/vec3.h"

/* Of two closed polygons that do not touch, by Gauss' integral; an integer but for rounding. NaN where they do touch. */
double linking_number(const v3 *a, int a_count, const v3 *b, int b_count);

#endif
