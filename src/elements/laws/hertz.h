/* Stiffness of rounded surfaces, given as a number or by materials and radii: for hertz and all laws built on it. */
#ifndef CAROM_ELEMENTS_LAWS_HERTZ_H
#define CAROM_ELEMENTS_LAWS_HERTZ_H

#include "elements/laws/law.h"

/* [N/m^n] of a definition that has passed hertz_check. */
double hertz_stiffness(const carom_hertz_law_def *def);

/* Refuses what gives no stiffness, or two; `law` names it in the sentence. */
carom_status hertz_check(const carom_hertz_law_def *def, const char *law, carom_error *err);

/* The fields of a definition whose member at `offset` is a carom_hertz_law_def. */
#define HERTZ_FIELDS(offset_)                                                                                      \
    { .name = "k",                                                                                                 \
      .kind = CAROM_FIELD_REAL,                                                                                    \
      .offset = (offset_) + offsetof(carom_hertz_law_def, k),                                                      \
      .flags = CAROM_POSITIVE | CAROM_SHORTHAND,                                                                   \
      .doc = "Force per penetration to the power n, in SI units (N/m^n) whatever the units of the scene; not "     \
             "given: from `young` and `radius`." },                                                                \
        { .name = "n",                                                                                             \
          .kind = CAROM_FIELD_REAL,                                                                                \
          .offset = (offset_) + offsetof(carom_hertz_law_def, n),                                                  \
          .flags = CAROM_POSITIVE,                                                                                 \
          .doc = "Exponent of the penetration, from 1 to 10; 1.5 by default, as between rounded surfaces." },      \
        { .name = "young",                                                                                         \
          .kind = CAROM_FIELD_REALS,                                                                               \
          .offset = (offset_) + offsetof(carom_hertz_law_def, young),                                              \
          .dimension = { -1, 1, -2, 0 },                                                                           \
          .flags = CAROM_POSITIVE,                                                                                 \
          .min_count = 1,                                                                                          \
          .max_count = 2,                                                                                          \
          .doc = "Young's moduli of both sides, or a list of one for both." },                                     \
        { .name = "poisson",                                                                                       \
          .kind = CAROM_FIELD_REALS,                                                                               \
          .offset = (offset_) + offsetof(carom_hertz_law_def, poisson),                                            \
          .min_count = 1,                                                                                          \
          .max_count = 2,                                                                                          \
          .doc = "Poisson's ratios of both sides, or a list of one for both; 0.3 by default." },                   \
    {                                                                                                              \
        .name = "radius", .kind = CAROM_FIELD_REALS, .offset = (offset_) + offsetof(carom_hertz_law_def, radius),  \
        .dimension = CAROM_DIM_LENGTH, .min_count = 1, .max_count = 2,                                             \
        .doc = "Radii of curvature of both sides: positive convex, negative hollow, 0 flat; a list of one stands " \
               "against a plane."                                                                                  \
    }

#endif
