/* Distance: a massless rod with ball joints at both ends. One row: |p_b - p_a| - length = 0. */
#include "elements/joints/rows.h"

static void distance_residual(double *C, const carom_joint_frames *f, const void *params)
{
    const carom_distance_def *def = params;
    C[0] = separation_value(f) - def->length;
}

static void distance_jacobian(carom_joint_rows *J, const carom_joint_frames *f, const void *params)
{
    (void)params;
    separation_row(J, 0, f);
}

static void distance_jdot_v(double *gamma, const carom_joint_frames *f, const void *params)
{
    (void)params;
    gamma[0] = separation_jdot_v(f);
}

static carom_status distance_prepare(void *params, const carom_joint_frames *f, carom_error *err)
{
    carom_distance_def *def = params;
    if (!(def->length >= 0.0) || isinf(def->length)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the length of a distance joint is %g m; give a positive length, or 0 for the one at the "
                          "start",
                          def->length);
    }
    if (def->length == 0.0) {
        def->length = separation_value(f);
    }
    if (def->length == 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the ends of a distance joint coincide at the start; give `at_b`, or use a spherical joint "
                          "to hold two points together");
    }
    return CAROM_OK;
}

#define BOUND(member)                                                                                        \
    .kind = CAROM_FIELD_REAL, .offset = offsetof(carom_distance_def, member), .dimension = CAROM_DIM_LENGTH, \
    .flags = CAROM_NONNEGATIVE

static const carom_field distance_fields[] = {
    { .name = "length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_distance_def, length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE | CAROM_SHORTHAND,
      .doc = "Length of the rod; 0 (the default) takes the distance of the points at the start." },
    { .name = "min",
      BOUND(min),
      .doc = "Instead of a length: least distance, as of a strut. The joint is a `rope` then." },
    { .name = "max",
      BOUND(max),
      .doc = "Instead of a length: largest distance, as of a rope. The joint is a `rope` then." },
    { 0 },
};

static const carom_distance_def distance_defaults = { .length = 0.0 };

const carom_joint_type carom_joint_distance = {
    .kind = { .name = "distance",
              .doc = "A massless rod: the points of A and B keep their distance.",
              .fields = distance_fields,
              .defaults = &distance_defaults,
              .size = sizeof(carom_distance_def) },
    .equation_count = 1,
    .residual = distance_residual,
    .jacobian = distance_jacobian,
    .jdot_v = distance_jdot_v,
    .prepare = distance_prepare,
};

bool joint_is_bounded_distance(const carom_joint_def *def, carom_joint_limit_def *limit)
{
    const carom_distance_def *own = def->joint.params;
    const char *kind = def->joint.kind;
    if (!kind || !own || carom_joint_type_find(kind) != &carom_joint_distance ||
        !(own->min > 0.0 || own->max > 0.0)) {
        return false;
    }
    *limit = (carom_joint_limit_def){ .min = own->min > 0.0 ? own->min : -HUGE_VAL,
                                      .max = own->max > 0.0 ? own->max : HUGE_VAL };
    return true;
}
