/* Options of the method: what scenes write under "contact". */
#include "methods/compliant/options.h"

#include "base/error_list.h"
#include "dynamics/integrator.h"

/* The last of the names of each. Features: exact between shapes that it takes, points between all others. Detection: nobody has said how
 * points are found; who does wants points. */
enum { FEATURES_AUTO = FEATURES_EXACT + 1, DETECT_AUTO = DETECT_SDF_TREE + 1 };

const compliant_options compliant_defaults = { .detection = DETECT_AUTO,
                                               .features = FEATURES_AUTO,
                                               .field = SDF_BRICKS,
                                               .sign = SDF_SIGN_AUTO,
                                               .resolution = 128,
                                               .cache = true,
                                               .approach = 0.5 };

static const char *const detection_names[] = { "direct", "sdf-octree", "sdf", "sdf+octree", "auto", NULL };
static const char *const features_names[] = { "points", "edges", "faces", "exact", "auto", NULL };
static const char *const field_names[] = { "dense", "bricks", "octree", NULL };
static const char *const substeps_names[] = { "none", "auto", NULL };
static const char *const sign_names[] = { "auto", "pseudonormal", "winding", NULL };

const carom_field compliant_fields[] = {
    { .name = "detection",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(compliant_options, detection),
      .names = detection_names,
      .doc =
          "How touching points are found, as paper 1 compares them: every point against the triangles "
          "themselves, against a field on an octree, against a field on a grid, or an octree of points pruned by "
          "the field. auto: the last of these, where shapes touch by points at all; any other makes features auto mean points." },
    { .name = "features",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(compliant_options, features),
      .names = features_names,
      .doc =
          "What is tried against the other: points of the surface; the deepest point of every edge or face, which also finds edges "
          "that cross and large faces; exact: whole corners, edges, circles and axes of convex solids and closed meshes, so that wheels roll and "
          "crossing edges meet along their common normal; or auto: exact between shapes that it takes, points between all others." },
    { .name = "spacing",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(compliant_options, spacing),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_POSITIVE,
      .doc = "Largest distance between neighbouring detection points. By default an eighth of a shape's longest "
             "edge, for "
             "meshes at most half of their shortest; the vertices of finer meshes as they are." },
    { .name = "field",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(compliant_options, field),
      .names = field_names,
      .doc = "How the distance field of a mesh is stored: on a full grid, in bricks around the surface, or on an "
             "adaptive octree." },
    { .name = "sign",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(compliant_options, sign),
      .names = sign_names,
      .doc = "How inside and outside of a mesh are told apart; auto takes pseudonormals for sound closed surfaces "
             "and winding numbers for others." },
    { .name = "resolution",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(compliant_options, resolution),
      .flags = CAROM_POSITIVE,
      .doc = "Cells of a distance field along the longest edge of its mesh." },
    { .name = "cache",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(compliant_options, cache),
      .doc = "Keep distance fields on disk, under a hash of mesh and settings." },
    { .name = "approach",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(compliant_options, approach),
      .flags = CAROM_POSITIVE,
      .doc = "A step that ends in a new touch may overshoot it by this fraction of the depth the speed would drive "
             "one point to." },
    { .name = "substeps",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(compliant_options, substeps),
      .names = substeps_names,
      .doc =
          "What is done with a fixed step that is too long for contact. none: it is taken as it is. auto: it is cut where surfaces meet "
          "and while they touch, to a tenth of the time in which contact changes its forces. Adaptive steps are always cut where surfaces meet." },
    { .name = NULL },
};

void compliant_set_colliders(collider_options *out, const void *options)
{
    const compliant_options *o = options;
    bool any = o->detection == DETECT_AUTO;
    out->method = any ? (int)DETECT_SDF_TREE : o->detection;
    out->features = o->features == FEATURES_AUTO ? (int)FEATURES_POINTS : o->features;
    out->whole = o->features == FEATURES_AUTO && any;
    out->spacing = o->spacing;
    out->field.kind = o->detection == DETECT_SDF_OCTREE ? (int)SDF_OCTREE : o->field;
    out->field.sign = o->sign;
    out->field.resolution = o->resolution;
    out->cache = o->cache ? "" : NULL; /* the usual place */
}

/* Whether two colliders may meet that cannot be tried in each other: an ellipsoid or torus and a mesh that is not convex, two tori. */
static bool find_untried(const carom_model *model, int found[2])
{
    for (int a = 0; a < model->collider_count; ++a) {
        for (int b = a + 1; b < model->collider_count; ++b) {
            const model_interaction *rule = model_interaction_of(model, a, b);
            if (rule && !rule->ignore && model->colliders[a].body != model->colliders[b].body &&
                !collider_pair_is_exact(model->colliders[a].collider, model->colliders[b].collider)) {
                found[0] = model->colliders[a].body;
                found[1] = model->colliders[b].body;
                return true;
            }
        }
    }
    return false;
}

carom_status compliant_check_contact(const carom_model *model, const void *options, carom_error *err)
{
    if (((const compliant_options *)options)->features != FEATURES_EXACT) {
        return CAROM_OK;
    }
    carom_status status = CAROM_OK;
    bool per_area = false;
    bool one_sided = false;
    for (int i = 0; i < model->group_count * model->group_count; ++i) {
        const model_interaction *x = &model->interactions[i];
        per_area = per_area || (!x->ignore && x->per_area);
        one_sided = one_sided || (!x->ignore && !(x->points[0] && x->points[1]));
    }
    if (per_area) {
        carom_fail(err, CAROM_BAD_INPUT,
                   "contact.features is 'exact', which has laws per element only, and a law is given per area; write "
                   "\"per\": \"point\", or \"features\": \"points\"");
        status = model_blame_setting(model, "contact.features", CAROM_BAD_INPUT, err);
    }
    if (one_sided) {
        carom_fail(
            err, CAROM_BAD_INPUT,
            "contact.features is 'exact', which tries both sides of a pair, and 'points' names one; leave it out, or "
            "write \"features\": \"points\"");
        status = model_blame_setting(model, "contact.features", CAROM_BAD_INPUT, err);
    }
    int body[2];
    if (find_untried(model, body)) {
        carom_fail(
            err, CAROM_BAD_INPUT,
            "contact.features is 'exact', which does not try ellipsoids and tori in meshes that are not convex, nor tori in each other, as those of '%.60s' "
            "and '%.60s'; write \"features\": \"auto\", which takes points for such pairs",
            model->bodies[body[0]].name, model->bodies[body[1]].name);
        status = model_blame_setting(model, "contact.features", CAROM_BAD_INPUT, err);
    }
    return status;
}

carom_status compliant_check(const carom_model *model, const void *options, carom_error *err)
{
    const compliant_options *o = options;
    carom_status status = CAROM_OK;
    if (!(o->approach <= 1.0)) {
        carom_fail(err, CAROM_BAD_INPUT, "contact.approach must be between 0 and 1, not %g", o->approach);
        status = model_blame_setting(model, "contact.approach", CAROM_BAD_INPUT, err);
    }
    bool deforms = false;
    for (int i = 0; i < model->body_count; ++i) {
        deforms = deforms || body_deforms(&model->bodies[i]);
    }
    if (deforms && o->features != FEATURES_POINTS && o->features != FEATURES_AUTO) {
        carom_fail(err, CAROM_BAD_INPUT,
                   "contact.features is '%s', and surfaces of bodies that deform are met by points only; write "
                   "\"features\": \"points\", with a smaller 'spacing' where points lie too far apart",
                   features_names[o->features]);
        status = model_blame_setting(model, "contact.features", CAROM_BAD_INPUT, err);
    }
    if (deforms && o->substeps == SUBSTEPS_AUTO) {
        carom_fail(
            err, CAROM_BAD_INPUT,
            "contact.substeps is 'auto', which goes by the mass of rigid bodies, and there are bodies that deform; leave it out and take "
            "an adaptive integrator, or a smaller time.step");
        status = model_blame_setting(model, "contact.substeps", CAROM_BAD_INPUT, err);
    }
    return error_worse(status, dynamics_check(model, err));
}
