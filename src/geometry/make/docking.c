/* Latch and catch of a docking mechanism: prisms across y over outlines in the x-z plane. The latch slides along x; the
 * catch comes down along -z. */
#include "geometry/make/make.h"

/* x and z as the axes of the outline, so that it is drawn as seen from -y; the prism then grows along x cross z = -y. */
static carom_status build_prism(mesh **out, const double (*outline)[2], int count, double width, double spacing,
                                carom_error *err)
{
    make_prism prism = { .polygon = outline,
                         .count = count,
                         .u = v3_make(1, 0, 0),
                         .v = v3_make(0, 0, 1),
                         .low = -0.5 * width,
                         .high = 0.5 * width };
    mesh *coarse = NULL;
    carom_status status = make_extrude(&coarse, &prism, err);
    return status ? status : make_spaced(out, coarse, spacing, err);
}

#define MAKE_SLOPE(def, text)                                                                                  \
    {                                                                                                          \
        .name = "slope", .kind = CAROM_FIELD_REAL, .offset = offsetof(def, slope), .flags = CAROM_NONNEGATIVE, \
        .doc = text                                                                                            \
    }

/* ---- latch ------------------------------------------------------------------------------------------------------- */

static carom_status build_latch(mesh **out, const void *params, carom_error *err)
{
    const carom_make_docking_latch *latch = params;
    if (latch->nose >= latch->length || latch->tip >= latch->height) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "docking-latch: nose is %g of length %g and tip %g of height %g; both must be smaller than "
                          "the whole",
                          latch->nose, latch->length, latch->tip, latch->height);
    }
    double rise = latch->slope * latch->length;
    if (rise >= latch->tip) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "docking-latch: slope %g over length %g rises by %g, and tip is %g; it must be larger",
                          latch->slope, latch->length, rise, latch->tip);
    }
    const double outline[5][2] = {
        { 0.0, 0.0 },
        { latch->length, rise }, /* below: the locking face */
        { latch->length, latch->tip },
        { latch->length - latch->nose, latch->height }, /* the ramp */
        { 0.0, latch->height },
    };
    return build_prism(out, outline, 5, latch->width, latch->spacing, err);
}

static const carom_field latch_fields[] = {
    MAKE_LENGTH(carom_make_docking_latch, length, CAROM_POSITIVE, "Length along x, the slide."),
    MAKE_LENGTH(carom_make_docking_latch, height, CAROM_POSITIVE, "Height along z, the docking axis."),
    MAKE_LENGTH(carom_make_docking_latch, width, CAROM_POSITIVE, "Width along y."),
    MAKE_LENGTH(carom_make_docking_latch, nose, CAROM_POSITIVE, "Length of the ramp along x, at the +x end."),
    MAKE_LENGTH(carom_make_docking_latch, tip, CAROM_POSITIVE, "Height of the blunt end of the nose."),
    MAKE_SLOPE(carom_make_docking_latch, "Rise of the locking face over its run along x: a wedge that closes as the "
                                         "latch comes out; 0: square to the docking axis."),
    MAKE_LENGTH(carom_make_docking_latch, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as coarse as it can be."),
    { 0 },
};

static const carom_make_docking_latch latch_defaults = {
    .length = 0.083, .height = 0.060, .width = 0.051, .nose = 0.035, .tip = 0.006
};

const mesh_make_type make_docking_latch = {
    .kind = { .name = "docking-latch",
              .doc = "A sliding latch: a block whose nose has a ramp above and its locking face, z = 0, below.",
              .fields = latch_fields,
              .defaults = &latch_defaults,
              .size = sizeof(carom_make_docking_latch) },
    .build = build_latch,
};

/* ---- catch ------------------------------------------------------------------------------------------------------- */

static carom_status build_catch(mesh **out, const void *params, carom_error *err)
{
    const carom_make_docking_catch *c = params;
    double lock = c->ramp + c->tip;
    double root = lock + c->slope * c->tooth;
    if (root >= c->height) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "docking-catch: ramp + tip + slope * tooth is %g and height %g; the locking face must lie "
                          "below the top",
                          root, c->height);
    }
    const double outline[7][2] = {
        { 0.0, 0.0 },        { c->depth, 0.0 },      { c->depth, c->height },
        { 0.0, c->height },  { 0.0, root },          /* then the locking face */
        { -c->tooth, lock }, { -c->tooth, c->ramp }, /* then the ramp, back to the first point */
    };
    return build_prism(out, outline, 7, c->width, c->spacing, err);
}

static const carom_field catch_fields[] = {
    MAKE_LENGTH(carom_make_docking_catch, depth, CAROM_POSITIVE,
                "Depth of the block along x, behind its face x = 0."),
    MAKE_LENGTH(carom_make_docking_catch, height, CAROM_POSITIVE, "Height along z, from z = 0."),
    MAKE_LENGTH(carom_make_docking_catch, width, CAROM_POSITIVE, "Width along y."),
    MAKE_LENGTH(carom_make_docking_catch, tooth, CAROM_POSITIVE, "How far the tooth stands out to -x."),
    MAKE_LENGTH(carom_make_docking_catch, ramp, CAROM_POSITIVE, "Height of the ramp below the tooth."),
    MAKE_LENGTH(carom_make_docking_catch, tip, CAROM_POSITIVE,
                "Height of the blunt end of the tooth; the locking face begins at z = ramp + tip."),
    MAKE_SLOPE(carom_make_docking_catch, "Rise of the locking face over its run along x, as that of the latch; 0: "
                                         "square to the docking axis."),
    MAKE_LENGTH(carom_make_docking_catch, spacing, CAROM_NONNEGATIVE, "Longest edge; 0: as coarse as it can be."),
    { 0 },
};

static const carom_make_docking_catch catch_defaults = {
    .depth = 0.030, .height = 0.120, .width = 0.060, .tooth = 0.025, .ramp = 0.040, .tip = 0.006
};

const mesh_make_type make_docking_catch = {
    .kind = { .name = "docking-catch",
              .doc = "A block with a tooth: the ramp below pushes a latch back, the face above locks it.",
              .fields = catch_fields,
              .defaults = &catch_defaults,
              .size = sizeof(carom_make_docking_catch) },
    .build = build_catch,
};
