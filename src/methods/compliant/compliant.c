/* Method "compliant" [Zhang2024]: contact forces from signed distance fields, integrated with the rest of the
 * model by any integrator. Steps are long while boxes are apart, end where surfaces meet, and are left to the error
 * control of the integrator through contact; there are no events. What a state remembers: the speed at first touch of
 * pairs whose law asks for it, and the bristles of friction laws that have them. */
#include "methods/compliant/compliant.h"

#include "base/clock.h"
#include "base/error_list.h"
#include "dynamics/integrator.h"
#include "dynamics/step.h"
#include "methods/compliant/approach.h"
#include "methods/compliant/touch.h"
#include "methods/compliant/unseen.h"

typedef struct compliant_options {
    int detection;   /* detection_method   */
    int features;    /* detection_features */
    double spacing;  /* [m] of detection points; 0: a default */
    int field;       /* sdf_kind */
    int sign;        /* sdf_sign */
    int resolution;  /* of distance fields */
    bool cache;      /* keep fields on disk */
    double approach; /* fraction of the expected depth by which a step may overshoot a touch */
} compliant_options;

static const compliant_options defaults = { .detection = DETECT_SDF_TREE,
                                            .features = FEATURES_POINTS,
                                            .field = SDF_BRICKS,
                                            .sign = SDF_SIGN_AUTO,
                                            .resolution = 128,
                                            .cache = true,
                                            .approach = 0.5 };

static const char *const detection_names[] = { "direct", "sdf-octree", "sdf", "sdf+octree", NULL };
static const char *const features_names[] = { "points", "edges", "faces", NULL };
static const char *const field_names[] = { "dense", "bricks", "octree", NULL };
static const char *const sign_names[] = { "auto", "pseudonormal", "winding", NULL };

static const carom_field fields[] = {
    { .name = "detection",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(compliant_options, detection),
      .names = detection_names,
      .doc = "How touching points are found, as paper 1 compares them: every point against the triangles "
             "themselves, against a field on an octree, against a field on a grid, or an octree of points pruned by "
             "the field." },
    { .name = "features",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(compliant_options, features),
      .names = features_names,
      .doc = "What is tried against the other's field: points of the surface, or the deepest point of every edge or "
             "face, which also finds edges that cross and large faces." },
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
    { .name = NULL },
};

static void set_colliders(collider_options *out, const void *options)
{
    const compliant_options *o = options;
    out->method = o->detection;
    out->features = o->features;
    out->spacing = o->spacing;
    out->field.kind = o->detection == DETECT_SDF_OCTREE ? (int)SDF_OCTREE : o->field;
    out->field.sign = o->sign;
    out->field.resolution = o->resolution;
    out->cache = o->cache ? "" : NULL; /* the usual place */
}

static carom_status compliant_check(const carom_model *model, const void *options, carom_error *err)
{
    const compliant_options *o = options;
    carom_status status = CAROM_OK;
    if (!(o->approach <= 1.0)) {
        carom_fail(err, CAROM_BAD_INPUT, "contact.approach must be between 0 and 1, not %g", o->approach);
        status = model_blame_setting(model, "contact.approach", CAROM_BAD_INPUT, err);
    }
    return error_worse(status, dynamics_check(model, err));
}

static carom_status compliant_start(carom_step_context *c)
{
    return dynamics_start(c->scratch, c->state, c->err);
}

/* At the end of the step: what touches is seen by the state that was just reached and remembered in it. */
static carom_status remember(carom_step_context *c, touch_work *t, carom_step_report *report)
{
    carom_scratch *w = c->scratch;
    double start = carom_clock_wall();
    double detection = w->counters.seconds_detection;
    work_place(w, *c->state->time, state_motion(c->state));
    work_forces(w);
    work_count_assembly(w, start, detection);
    carom_status status = work_may_go_on(w, c->err);
    if (status == CAROM_OK && !touch_remember(t, w, &c->state->contacts)) {
        status = carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    report->contacts = t->totals.count;
    report->penetration = t->totals.penetration;
    return status;
}

/* The first pair with a touch whose force is no number, and that touch; NULL: there is none. */
static const near_pair *find_not_finite(const touch_work *t, const touch **where)
{
    for (size_t k = 0; k < t->pair_count; ++k) {
        const near_pair *pair = &t->pairs[k];
        for (size_t i = pair->first; i < pair->first + pair->count; ++i) {
            if (isfinite(t->touches[i].gap) && !v3_finite(t->touches[i].force_w)) {
                *where = &t->touches[i];
                return pair;
            }
        }
    }
    return NULL;
}

/* A step that is given up while bodies touch most often fails because of how they do. */
static carom_status blame_contact(const touch_work *t, carom_status status, carom_error *err)
{
    if (status != CAROM_NOT_CONVERGED || t->totals.count == 0 || !err) {
        return status;
    }
    const touch *where = NULL;
    const near_pair *pair = find_not_finite(t, &where);
    if (pair) {
        const model_interaction *i = pair->interaction;
        return carom_fail(
            err, status,
            "the contact law '%.60s'%s%.60s%s has no finite force behind t = %.6g s, at a gap of %.6g m and "
            "a gap rate of %.6g m/s",
            i->law->kind.name, i->friction ? " (or its friction, '" : "", i->friction ? i->friction->kind.name : "",
            i->friction ? "')" : "", t->at->t, where->gap, where->gap_rate);
    }
    carom_error inner = *err;
    return carom_fail(err, status, "%.350s (%d contact points, up to %.3g m deep)", inner.message, t->totals.count,
                      t->totals.penetration);
}

static carom_status step_and_remember(carom_step_context *c, touch_work *t, double dt, carom_step_report *report)
{
    carom_status status = dynamics_step(c->scratch, c->state, dt, report, c->err);
    if (status != CAROM_OK) {
        return blame_contact(t, status, c->err);
    }
    status = remember(c, t, report);
    unseen_note(t, c->scratch);
    touch_end_step(t);
    if (status != CAROM_OK) {
        step_abort(c);
    }
    return status;
}

static carom_status compliant_step(carom_step_context *c, double dt, carom_step_report *report)
{
    const compliant_options *o = c->options;
    touch_work *t = c->scratch->contact;
    integrator_choice choice = integrator_of(c->model);
    double distance = HUGE_VAL;
    dt = fmin(dt, choice.settings.step);
    if (choice.settings.adaptive) { /* a fixed step is what somebody has asked for */
        dt = approach_step(t, c->scratch, c->state, dt, o->approach, &distance);
    }
    if (dt < 0.0) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    carom_status status = step_begin(c);
    status = status == CAROM_OK ? step_and_remember(c, t, dt, report) : status;
    report->distance = report->contacts > 0 ? fmin(distance, -report->penetration) : distance;
    return status;
}

const carom_method carom_method_compliant = {
    .kind = { .name = "compliant",
              .doc = "Contact is a force grown from penetration of signed distance fields: for mechanisms, docking "
                     "and histories of contact forces.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof defaults },
    .colliders = set_colliders,
    .needs_laws = true,
    .clearance = true,
    .forces = &compliant_forces,
    .check = compliant_check,
    .start = compliant_start,
    .step = compliant_step,
};
