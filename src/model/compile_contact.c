/* Contact: colliders of all shapes that touch, and what happens between any two of them.
 *
 * Exceptions for pairs speak of names; colliders to which the same names apply form a group, so that the table of
 * interactions is as large as the number of different roles in a scene, not of its shapes. */
#include "model/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_list.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/parallel.h"
#include "base/text.h"
#include "model/fields.h"
#include "model/method.h"

static bool may_meet(const carom_model *model, int a, int b);

/* ---- colliders --------------------------------------------------------------------------------------------------- */

/* Shapes of bodies of finite elements are for looks where the surface of the mesh is what touches; some methods let them touch instead. */
static bool touches(const carom_model *model, const model_body *body, int shape)
{
    return body->shapes[shape].touches && (!body->solid || model->method->skins);
}

static int count_touching_of(const carom_model *model, const model_body *b)
{
    int count = 0;
    for (int k = 0; k < b->shape_count; ++k) {
        count += touches(model, b, k);
    }
    return count;
}

static int count_touching(const carom_model *model)
{
    int count = 0;
    for (int i = 0; i < model->body_count; ++i) {
        count += count_touching_of(model, &model->bodies[i]);
    }
    return count;
}

static const model_shape *shape_of(const carom_model *model, const model_collider *c)
{
    return &model->bodies[c->body].shapes[c->shape];
}

/* Whether one collider can serve both: same geometry, prepared alike. */
static bool same_surface(const model_shape *a, const model_shape *b)
{
    return a->type == b->type && a->mesh == b->mesh && a->hash == b->hash && a->spacing == b->spacing &&
           a->resolution == b->resolution;
}

/* What same_surface compares, as one number. */
static uint64_t surface_hash(const model_shape *shape)
{
    double spacing = shape->spacing + 0.0; /* -0 equals 0 */
    uint64_t hash = carom_hash(shape->hash, &spacing, sizeof spacing);
    return carom_hash(hash, &shape->resolution, sizeof shape->resolution);
}

/* How colliders are made, and who is told. */
typedef struct collider_plan {
    collider_options options;
    const carom_compile_options *watcher;
    carom_index surfaces; /* colliders that are not shared, by surface_hash */
} collider_plan;

/* The field of a mesh may take long. */
static carom_status create_watched(collider **out, const model_shape *shape, collider_options options,
                                   const carom_compile_options *watcher, carom_error *err)
{
    char what[300] = "the distance field";
    carom_watch watch;
    if (shape->type->mesh_name) {
        const char *name = shape->type->mesh_name(shape->params);
        const char *slash = strrchr(name, '/');
        snprintf(what, sizeof what, "the distance field of %.250s", slash ? slash + 1 : name);
    }
    carom_watch_init(&watch, watcher->keep_going, watcher->context, what);
    options.watch = watcher->keep_going ? &watch : NULL;
    return collider_create(out, shape->type, shape->params, shape->mesh, &options, err);
}

/* A collider that was made for an equal surface; NULL: there is none. */
static collider *find_collider(const carom_model *model, const model_shape *shape, const collider_plan *plan)
{
    size_t cursor = 0;
    uint64_t hash = surface_hash(shape);
    for (int i; (i = carom_index_next(&plan->surfaces, hash, &cursor)) >= 0;) {
        if (same_surface(shape_of(model, &model->colliders[i]), shape)) {
            return model->colliders[i].collider;
        }
    }
    return NULL;
}

static carom_status make_collider(carom_model *model, int index, collider_plan *plan, carom_error *err)
{
    model_collider *c = &model->colliders[index];
    const model_shape *shape = shape_of(model, c);
    c->collider = find_collider(model, shape, plan);
    if (c->collider) {
        c->shared = true;
        return CAROM_OK;
    }
    collider_options own = plan->options;
    own.spacing = shape->spacing > 0.0 ? shape->spacing : own.spacing;
    if (shape->resolution > 0) {
        own.field.resolution = shape->resolution;
        own.field.spacing = 0.0;
    }
    carom_status status = create_watched(&c->collider, shape, own, plan->watcher, err);
    if (status == CAROM_OK) {
        carom_index_add(&plan->surfaces, surface_hash(shape), index);
    }
    return status;
}

static carom_status add_collider(carom_model *model, int body, int shape, carom_error *err)
{
    const model_body *b = &model->bodies[body];
    const carom_pose *pose_b = &b->shapes[shape].pose_b;
    model_collider *c = &model->colliders[model->collider_count++];
    *c = (model_collider){ .body = body,
                           .shape = shape,
                           .pose_c = { v3_sub(pose_b->position, b->com_b), pose_b->orientation } };
    c->point = (body_point){ .position = c->pose_c.position, .orientation = c->pose_c.orientation };
    return body_deforms(b) && b->type->carry ? b->type->carry(b->params, &c->point, &model->arena, err) : CAROM_OK;
}

/* A body that deforms touches with its shapes where some of them do, else with its own surface. */
static carom_status list_skins(carom_model *model, carom_error *err)
{
    model->skins = CAROM_ARENA_ARRAY(&model->arena, model_skin, model->body_count);
    for (int i = 0; model->skins && model->method->skins && i < model->body_count; ++i) {
        const model_body *b = &model->bodies[i];
        const body_surface *surface = body_deforms(b) && b->type->surface ? b->type->surface(b->params) : NULL;
        if (surface && count_touching_of(model, b) == 0) {
            model->skins[model->skin_count++] = (model_skin){ i, b->material, surface };
        }
    }
    return compile_check_memory(model, err);
}

/* Who takes part; what they look like is made when all else is right, because fields of meshes take long. */
static carom_status list_colliders(carom_model *model, carom_error *err)
{
    carom_status status = CAROM_OK;
    model->colliders = CAROM_ARENA_ARRAY(&model->arena, model_collider, count_touching(model));
    for (int i = 0; model->colliders && i < model->body_count; ++i) {
        for (int k = 0; k < model->bodies[i].shape_count && status == CAROM_OK; ++k) {
            if (touches(model, &model->bodies[i], k)) {
                status = add_collider(model, i, k, err);
            }
        }
    }
    return status == CAROM_OK ? list_skins(model, err) : status;
}

static carom_status make_colliders(carom_model *model, collider_plan *plan, carom_error *err)
{
    carom_index_prepare(&plan->surfaces, (size_t)model->collider_count, &model->arena);
    carom_status memory = compile_check_memory(model, err);
    for (int i = 0; i < model->collider_count && memory == CAROM_OK; ++i) {
        carom_status status = make_collider(model, i, plan, err);
        if (status == CAROM_INTERRUPTED) {
            return status;
        }
        if (status != CAROM_OK) {
            int body = model->colliders[i].body;
            carom_error inner = *err;
            carom_fail(err, status, "body '%.100s': %.300s", model->bodies[body].name, inner.message);
            return model_blame_body(model, body, NULL, status, err);
        }
    }
    return memory;
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static bool name_fits(const char *pattern, const char *name)
{
    size_t n = strlen(pattern);
    if (n > 0 && pattern[n - 1] == '*') {
        return strncmp(pattern, name, n - 1) == 0;
    }
    return strcmp(pattern, name) == 0;
}

static bool collider_fits(const carom_model *model, const model_collider *c, const char *pattern)
{
    const char *material = shape_of(model, c)->material;
    return name_fits(pattern, model->bodies[c->body].name) || (material && name_fits(pattern, material));
}

static const char *name_in(const carom_contact_pair_def *pair, int side)
{
    const char *const *names = pair->between.items;
    return names[side];
}

/* fits[2 * rule + side]: which sides of which rules a collider can take. */
static void find_signature(const carom_model *model, const model_collider *c, const carom_contact_def *contact,
                           bool *fits)
{
    const carom_contact_pair_def *pairs = contact->pairs.items;
    for (size_t k = 0; k < contact->pairs.count; ++k) {
        fits[2 * k] = collider_fits(model, c, name_in(&pairs[k], 0));
        fits[2 * k + 1] = collider_fits(model, c, name_in(&pairs[k], 1));
    }
}

/* The group with this signature, or -1. */
static int find_group(const carom_index *groups, const bool *signatures, const bool *own, size_t width, uint64_t hash)
{
    size_t cursor = 0;
    int group = carom_index_next(groups, hash, &cursor);
    while (group >= 0 && memcmp(signatures + (size_t)group * width, own, width) != 0) {
        group = carom_index_next(groups, hash, &cursor);
    }
    return group;
}

/* Groups by equal signatures; returns the signatures of the groups, 2 * rules each. */
static bool *make_groups(carom_model *model, const carom_contact_def *contact)
{
    size_t width = 2 * contact->pairs.count;
    carom_index groups;
    bool *signatures = carom_arena_array(&model->arena, (size_t)model->collider_count + 1, width ? width : 1);
    carom_index_prepare(&groups, (size_t)model->collider_count, &model->arena);
    for (int i = 0; !model->arena.failed && i < model->collider_count; ++i) {
        model_collider *c = &model->colliders[i];
        bool *own = signatures + (size_t)model->group_count * width;
        find_signature(model, c, contact, own);
        uint64_t hash = carom_hash(CAROM_HASH_START, own, width);
        c->group = find_group(&groups, signatures, own, width, hash);
        if (c->group < 0) {
            c->group = model->group_count++;
            carom_index_add(&groups, hash, c->group);
        }
    }
    return signatures;
}

/* The surfaces of a joint with clearance answer to the names of the joint and of their body, and to its materials. */
static bool bearing_fits(const carom_model *model, const model_joint *joint, int side, const char *pattern)
{
    const model_body *b = &model->bodies[joint->body[side]];
    bool fits = name_fits(pattern, joint->name) || name_fits(pattern, b->name);
    for (int k = 0; k < b->shape_count && !fits; ++k) {
        fits = b->shapes[k].material && name_fits(pattern, b->shapes[k].material);
    }
    return fits;
}

static bool any_bearing_fits(const carom_model *model, const char *pattern)
{
    bool fits = false;
    for (int j = 0; j < 2 * model->joint_count && !fits; ++j) {
        const model_joint *joint = &model->joints[j / 2];
        fits = joint->clearance > 0.0 && bearing_fits(model, joint, j % 2, pattern);
    }
    return fits;
}

/* A body that touches with its own surface. */
typedef struct deforming {
    int body;
    const char *material; /* NULL: none */
} deforming;

static deforming surface_of(const carom_model *model, int k)
{
    return (deforming){ model->surfaces[k].body, model->surfaces[k].material };
}

static deforming skin_of(const carom_model *model, int k)
{
    return (deforming){ model->skins[k].body, model->skins[k].material };
}

static bool deforming_fits(const carom_model *model, deforming d, const char *pattern)
{
    return name_fits(pattern, model->bodies[d.body].name) || (d.material && name_fits(pattern, d.material));
}

static bool any_deforming_fits(const carom_model *model, const char *pattern)
{
    bool fits = false;
    for (int k = 0; k < model->surface_count && !fits; ++k) {
        fits = deforming_fits(model, surface_of(model, k), pattern);
    }
    for (int k = 0; k < model->skin_count && !fits; ++k) {
        fits = deforming_fits(model, skin_of(model, k), pattern);
    }
    return fits;
}

/* A name as it may have been meant, or NULL; bodies, materials and joints that take part in contact. */
static const char *nearest_name(carom_model *model, const char *name)
{
    size_t count = 0;
    size_t most = 2 * (size_t)model->collider_count + (size_t)model->joint_count;
    const char **names = CAROM_ARENA_ARRAY(&model->arena, const char *, most + 1);
    for (int i = 0; names && i < model->collider_count; ++i) {
        names[count++] = model->bodies[model->colliders[i].body].name;
        names[count++] = shape_of(model, &model->colliders[i])->material;
    }
    for (int j = 0; names && j < model->joint_count; ++j) {
        names[count++] = model->joints[j].clearance > 0.0 ? model->joints[j].name : NULL;
    }
    return names ? carom_text_nearest(name, names, count) : NULL;
}

/* The place of something in the contact section, or in one of its pairs (rule >= 0). Returns buffer. */
static const char *place_text(int rule, const char *key, char *buffer, size_t size)
{
    if (rule < 0) {
        snprintf(buffer, size, "contact.%s", key);
    } else {
        snprintf(buffer, size, "contact.pairs[%d].%s", rule, key);
    }
    return buffer;
}

static carom_status blame_rule(const carom_model *model, int rule, const char *key, carom_error *err)
{
    char path[80];
    return model_blame_setting(model, place_text(rule, key, path, sizeof path), CAROM_BAD_INPUT, err);
}

/* A name that fits nothing is a slip of the keyboard. */
static carom_status check_name(carom_model *model, int rule, const char *name, carom_error *err)
{
    bool found = any_bearing_fits(model, name) || any_deforming_fits(model, name);
    for (int i = 0; i < model->collider_count && !found; ++i) {
        found = collider_fits(model, &model->colliders[i], name);
    }
    if (found) {
        return CAROM_OK;
    }
    if (compile_follows(model, name)) {
        model->trouble->follows = false;
        return CAROM_BAD_INPUT;
    }
    const char *nearest = nearest_name(model, name);
    carom_fail(err, CAROM_BAD_INPUT,
               "contact.pairs[%d].between: no body and no material that takes part in contact is called "
               "'%.100s'%s%.100s%s",
               rule, name, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return blame_rule(model, rule, "between", err);
}

/* Shapes of one body do not touch each other: a body beside itself is a slip, too. */
static carom_status check_itself(const carom_model *model, int rule, const carom_contact_pair_def *pair,
                                 carom_error *err)
{
    const char *name = name_in(pair, 0);
    int code = carom_names_find(&model->names, name);
    bool body = code >= 0 && element_class(code) == ELEMENT_BODY;
    for (int i = 0; i < model->collider_count && body; ++i) {
        const char *material = shape_of(model, &model->colliders[i])->material;
        body = !material || strcmp(material, name) != 0;
    }
    if (!body || strcmp(name, name_in(pair, 1)) != 0) {
        return CAROM_OK;
    }
    carom_fail(err, CAROM_BAD_INPUT,
               "contact.pairs[%d].between names body '%.100s' twice, and shapes of one body do not touch each other; "
               "name two bodies",
               rule, name);
    return blame_rule(model, rule, "between", err);
}

static carom_status check_names(carom_model *model, const carom_contact_def *contact, carom_error *err)
{
    const carom_contact_pair_def *pairs = contact->pairs.items;
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < contact->pairs.count && error_goes_on(err, status); ++k) {
        for (int side = 0; side < 2 && error_goes_on(err, status); ++side) {
            status = error_worse(status, check_name(model, (int)k, name_in(&pairs[k], side), err));
        }
        status = error_goes_on(err, status) ? error_worse(status, check_itself(model, (int)k, &pairs[k], err))
                                            : status;
    }
    return status;
}

/* ---- laws of the program ----------------------------------------------------------------------------------------- */

static carom_status law_missing(const carom_model *model, int rule, const char *key, const carom_choice *choice,
                                const char *function, carom_error *err)
{
    const carom_user_law_def *reference = choice->params;
    carom_fail(err, CAROM_BAD_INPUT,
               "the law '%.60s' has to come from a program in C: it is added by %s before the scene is compiled; the "
               "command 'carom' has no such laws",
               reference ? reference->name : choice->kind, function);
    return blame_rule(model, rule, key, err);
}

static carom_status check_laws_of(carom_model *model, const carom_interaction_def *def, int rule, carom_error *err)
{
    const void *params;
    if (def->law.kind && !compile_normal_law(model, &def->law, &params)) {
        return law_missing(model, rule, "law", &def->law, "carom_spec_add_normal_law", err);
    }
    if (def->friction.kind && !compile_friction_law(model, &def->friction, &params)) {
        return law_missing(model, rule, "friction", &def->friction, "carom_spec_add_friction_law", err);
    }
    return compile_check_memory(model, err);
}

/* Laws that the section and its pairs refer to by name are there. */
static carom_status check_laws(carom_model *model, const carom_contact_def *contact, carom_error *err)
{
    const carom_contact_pair_def *pairs = contact->pairs.items;
    carom_status status = check_laws_of(model, &contact->interaction, -1, err);
    for (size_t k = 0; k < contact->pairs.count && status == CAROM_OK; ++k) {
        status = check_laws_of(model, &pairs[k].interaction, (int)k, err);
    }
    return status;
}

/* ---- interactions ------------------------------------------------------------------------------------------------ */

/* Takes over what a definition says, the section itself (rule -1) or a pair; `swapped` when its first side is the second
 * of the pair. */
static void merge(carom_model *model, model_interaction *into, const carom_interaction_def *def, int rule,
                  bool swapped)
{
    if (def->law.kind) {
        into->law = compile_normal_law(model, &def->law, &into->law_params);
        into->law_rule = rule;
    }
    if (def->friction.kind) {
        into->friction = compile_friction_law(model, &def->friction, &into->friction_params);
        into->friction_rule = rule;
    }
    if (!isnan(def->restitution)) {
        into->restitution = def->restitution;
        into->restitution_rule = rule;
    }
    if (!isnan(def->impulse)) {
        into->impulse = def->impulse > 0.0 ? def->impulse : (double)NAN;
    }
    if (def->range > 0.0) {
        into->range = def->range;
    }
    if (!isnan(def->separation)) {
        into->separation = def->separation;
    }
    if (def->restitution_law != CAROM_RESTITUTION_DEFAULT) {
        into->restitution_law = def->restitution_law;
    }
    into->per_area = def->per == CAROM_PER_DEFAULT ? into->per_area : def->per == CAROM_PER_AREA;
    if (def->points != CAROM_POINTS_DEFAULT) {
        into->points[swapped] = def->points != CAROM_POINTS_SECOND;
        into->points[!swapped] = def->points != CAROM_POINTS_FIRST;
    }
}

static void decide(carom_model *model, model_interaction *out, const carom_contact_def *contact, const bool *a,
                   const bool *b)
{
    const carom_contact_pair_def *pairs = contact->pairs.items;
    *out = (model_interaction){ .law_rule = -1,
                                .friction_rule = -1,
                                .restitution_rule = -1,
                                .restitution = model->method->inelastic ? 0.0 : 1.0,
                                .restitution_law = CAROM_RESTITUTION_ENERGETIC,
                                .impulse = (double)NAN,
                                .points = { true, true } };
    merge(model, out, &contact->interaction, -1, false);
    for (size_t k = 0; k < contact->pairs.count; ++k) {
        bool straight = a[2 * k] && b[2 * k + 1];
        bool swapped = a[2 * k + 1] && b[2 * k];
        if (straight || swapped) {
            out->ignore = pairs[k].ignore;
            merge(model, out, &pairs[k].interaction, (int)k, !straight);
        }
    }
}

static carom_status check_law(carom_model *model, const model_interaction *i, carom_error *err)
{
    carom_status status = i->law->check ? i->law->check(i->law_params, i->restitution, err) : CAROM_OK;
    if (status != CAROM_OK) {
        return blame_rule(model, i->law_rule, "law", err);
    }
    if (i->restitution < 1.0 && !i->law->uses_restitution) {
        char path[80];
        place_text(i->restitution_rule, "restitution", path, sizeof path);
        compile_note(model, (note_place){ .setting = path },
                     "the law '%s' takes no notice of a restitution of %g; where it should act, take "
                     "'exact-restitution' or another law that is chosen by it",
                     i->law->kind.name, i->restitution);
    }
    return CAROM_OK;
}

static carom_status check_friction(const carom_model *model, const model_interaction *i, carom_error *err)
{
    carom_status status = i->friction && i->friction->check ? i->friction->check(i->friction_params, err) : CAROM_OK;
    return status == CAROM_OK ? status : blame_rule(model, i->friction_rule, "friction", err);
}

static carom_status check_interaction(carom_model *model, const model_interaction *i, carom_error *err)
{
    if (!(i->restitution >= 0.0 && i->restitution <= 1.0)) {
        carom_fail(err, CAROM_BAD_INPUT, "contact: restitution must be between 0 and 1, not %g", i->restitution);
        return blame_rule(model, i->restitution_rule, "restitution", err);
    }
    if (model->method->needs_laws && !i->law) {
        carom_fail(err, CAROM_BAD_INPUT,
                   "contact.law is missing: the method '%s' needs the normal force over penetration, e.g. "
                   "\"law\": {\"linear\": {\"k\": 1e6}}",
                   model->method->kind.name);
        return blame_rule(model, -1, "law", err);
    }
    carom_status status = model->method->needs_laws ? check_law(model, i, err) : CAROM_OK;
    return error_worse(status, check_friction(model, i, err));
}

/* Checks an interaction that can occur and prepares its law. */
static carom_status make_context(carom_model *model, model_interaction *i, carom_error *err)
{
    carom_status status = check_interaction(model, i, err);
    if (status == CAROM_OK && model->method->needs_laws) {
        i->context = law_context_make(i->law, i->law_params, i->restitution);
    }
    if (status == CAROM_OK && i->friction && i->friction->coefficient) {
        i->mu = i->friction->coefficient(i->friction_params);
        i->mu_static = i->friction->static_coefficient ? i->friction->static_coefficient(i->friction_params) : i->mu;
    }
    return status;
}

/* The members of each group: colliders first[g] up to first[g + 1] of `members`. */
typedef struct group_members {
    int *first;
    int *members;
} group_members;

static group_members list_members(carom_model *model)
{
    group_members m = { CAROM_ARENA_ARRAY(&model->arena, int, model->group_count + 2),
                        CAROM_ARENA_ARRAY(&model->arena, int, model->collider_count + 1) };
    for (int i = 0; m.first && i < model->collider_count; ++i) {
        m.first[model->colliders[i].group + 2]++;
    }
    for (int g = 0; m.first && g < model->group_count; ++g) {
        m.first[g + 1] += m.first[g];
    }
    for (int i = 0; m.first && m.members && i < model->collider_count; ++i) {
        m.members[m.first[model->colliders[i].group + 1]++] = i;
    }
    return m;
}

/* Whether surfaces of the two groups can meet at all: a stop alone needs no law of contact. Few pairs are looked at, for a
 * body is joined to few others. */
static bool can_meet(const carom_model *model, const group_members *m, int g, int h)
{
    for (int i = m->first[g]; i < m->first[g + 1]; ++i) {
        bool moves = model->bodies[model->colliders[m->members[i]].body].role == BODY_FREE;
        for (int k = m->first[h]; moves && k < m->first[h + 1]; ++k) {
            if (may_meet(model, m->members[i], m->members[k])) {
                return true;
            }
        }
    }
    return false;
}

static carom_status make_interactions(carom_model *model, const carom_contact_def *contact, const bool *signatures,
                                      carom_error *err)
{
    size_t n = (size_t)model->group_count;
    size_t width = 2 * contact->pairs.count;
    model->interactions = CAROM_ARENA_ARRAY(&model->arena, model_interaction, n * n);
    const group_members members = list_members(model);
    carom_status status = compile_check_memory(model, err);
    for (size_t k = 0; k < n * n && error_goes_on(err, status); ++k) {
        model_interaction *i = &model->interactions[k];
        int g = (int)(k / n);
        int h = (int)(k % n);
        decide(model, i, contact, signatures + k / n * width, signatures + k % n * width);
        status = error_worse(status, compile_check_memory(model, err));
        if (error_goes_on(err, status) && !i->ignore &&
            (can_meet(model, &members, g, h) || can_meet(model, &members, h, g))) {
            status = error_worse(status, make_context(model, i, err));
        }
    }
    return status;
}

/* ---- joints with clearance --------------------------------------------------------------------------------------- */

/* A joint's own friction takes the place of the contact section's; where that is made smooth, it stays as smooth. */
static void take_joint_friction(carom_model *model, model_interaction *i, const carom_joint_friction_def *friction)
{
    const carom_friction_law *coulomb = carom_friction_law_find("coulomb");
    const void *before = i->friction == coulomb ? i->friction_params : NULL;
    if (!friction->given) {
        return;
    }
    carom_coulomb_friction_def *params = kind_copy(&model->arena, &coulomb->kind, before, 0);
    if (params) {
        params->mu = friction->coefficient;
        i->friction = coulomb;
        i->friction_params = params;
    }
}

static carom_status make_bearing(carom_model *model, model_joint *joint, const carom_contact_def *contact,
                                 bool *signatures, carom_error *err)
{
    size_t width = 2 * contact->pairs.count;
    model_interaction *i = CAROM_ARENA_ARRAY(&model->arena, model_interaction, 1);
    for (size_t k = 0; i && k < 2 * width; ++k) {
        const carom_contact_pair_def *pairs = contact->pairs.items;
        signatures[k] = bearing_fits(model, joint, (int)(k / width), name_in(&pairs[k % width / 2], (int)(k % 2)));
    }
    if (i) {
        decide(model, i, contact, signatures, signatures + width);
        i->ignore = false; /* of the bodies' shapes: what keeps the journal in its bearing cannot be switched off */
        i->per_area = false;
        take_joint_friction(model, i, &joint->friction);
    }
    joint->interaction = i;
    carom_status status = compile_check_memory(model, err);
    return status == CAROM_OK ? make_context(model, i, err) : status;
}

static carom_status make_bearings(carom_model *model, const carom_contact_def *contact, carom_error *err)
{
    bool *signatures = CAROM_ARENA_ARRAY(&model->arena, bool, 4 * contact->pairs.count + 1);
    carom_status status = compile_check_memory(model, err);
    for (int j = 0; j < model->joint_count && error_goes_on(err, status); ++j) {
        if (model->joints[j].clearance > 0.0) {
            status = error_worse(status, make_bearing(model, &model->joints[j], contact, signatures, err));
        }
    }
    return status;
}

/* ---- joined bodies ----------------------------------------------------------------------------------------------- */

static int compare_joined(const void *a, const void *b)
{
    const int *x = a;
    const int *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Joints that hold two points together make touching there meaningless; a distance or a point on a line does not. */
static void find_joined(carom_model *model)
{
    enum { LEAST_EQUATIONS = 3 };
    model->joined = carom_arena_array(&model->arena, (size_t)model->joint_count, sizeof *model->joined);
    for (int j = 0; model->joined && j < model->joint_count; ++j) {
        const model_joint *joint = &model->joints[j];
        if (joint->type->equation_count >= LEAST_EQUATIONS) {
            int *pair = model->joined[model->joined_count++];
            bool ordered = joint->body[0] < joint->body[1];
            pair[0] = joint->body[!ordered];
            pair[1] = joint->body[ordered];
        }
    }
    if (model->joined_count > 0) {
        qsort(model->joined, (size_t)model->joined_count, sizeof *model->joined, compare_joined);
    }
}

/* A prescribed motion asks nobody, unless the method lets nothing pass. */
static bool is_moved(const carom_model *model, int body)
{
    body_role role = model->bodies[body].role;
    return role == BODY_FREE || (role == BODY_KINEMATIC && model->method->minimises);
}

/* Whether two colliders are of different bodies, of which one moves and which no joint connects. */
static bool may_meet(const carom_model *model, int a, int b)
{
    int x = model->colliders[a].body;
    int y = model->colliders[b].body;
    bool moves = is_moved(model, x) || is_moved(model, y);
    int pair[2] = { x < y ? x : y, x < y ? y : x };
    size_t joined = (size_t)model->joined_count;
    return x != y && moves && !(joined > 0 && bsearch(pair, model->joined, joined, sizeof pair, compare_joined));
}

const model_interaction *model_interaction_of(const carom_model *model, int a, int b)
{
    const model_collider *x = &model->colliders[a];
    const model_collider *y = &model->colliders[b];
    if (!may_meet(model, a, b)) {
        return NULL;
    }
    const model_interaction *i = &model->interactions[x->group * model->group_count + y->group];
    return i->ignore ? NULL : i;
}

/* ---- bodies with surfaces of their own ---------------------------------------------------------------------------- */

/* Whether a joint holds a body, or one of its sections. */
static bool holds(const carom_model *model, const model_joint *joint, int body)
{
    for (int side = 0; side < 2; ++side) {
        const model_nodal *n = model->bodies[body].nodal;
        bool held = joint->body[side] == body;
        for (int s = 0; n && s < n->section_count; ++s) {
            held = held || joint->body[side] == n->sections[s].body;
        }
        if (held) {
            return true;
        }
    }
    return false;
}

static bool are_joined(const carom_model *model, const carom_contact_def *contact, int a, int b)
{
    bool joined = false;
    for (int j = 0; j < model->joint_count && !contact->between_joined && !joined; ++j) {
        joined = holds(model, &model->joints[j], a) && holds(model, &model->joints[j], b);
    }
    return joined;
}

/* What happens between a body with a surface of its own and a collider (rigid >= 0) or another such body. */
static carom_status make_deforming_interaction(carom_model *model, const carom_contact_def *contact, deforming one,
                                               int rigid, deforming other, bool *signatures, model_interaction **out,
                                               carom_error *err)
{
    size_t width = 2 * contact->pairs.count;
    const carom_contact_pair_def *pairs = contact->pairs.items;
    if (one.body == other.body || are_joined(model, contact, one.body, other.body)) {
        return CAROM_OK;
    }
    for (size_t i = 0; i < width; ++i) {
        const char *name = name_in(&pairs[i / 2], (int)(i % 2));
        signatures[i] = deforming_fits(model, one, name);
        signatures[width + i] = rigid >= 0 ? collider_fits(model, &model->colliders[rigid], name)
                                           : deforming_fits(model, other, name);
    }
    model_interaction *i = CAROM_ARENA_ARRAY(&model->arena, model_interaction, 1);
    if (!i) {
        return compile_check_memory(model, err);
    }
    decide(model, i, contact, signatures, signatures + width);
    *out = i->ignore ? NULL : i;
    return i->ignore ? CAROM_OK : make_context(model, i, err);
}

/* Of `count` such bodies with all colliders and with each other. */
static carom_status make_deforming_interactions(carom_model *model, const carom_contact_def *contact, int count,
                                                deforming (*of)(const carom_model *, int), model_interaction ***out,
                                                carom_error *err)
{
    int others = model->collider_count + count;
    bool *signatures = CAROM_ARENA_ARRAY(&model->arena, bool, 4 * contact->pairs.count + 1);
    *out = CAROM_ARENA_ARRAY(&model->arena, model_interaction *, count * others + 1);
    carom_status status = compile_check_memory(model, err);
    for (int i = 0; i < count * others && status == CAROM_OK; ++i) {
        int k = i % others;
        bool rigid = k < model->collider_count;
        const deforming other = rigid ? (deforming){ .body = model->colliders[k].body }
                                      : of(model, k - model->collider_count);
        status = make_deforming_interaction(model, contact, of(model, i / others), rigid ? k : -1, other, signatures,
                                            &(*out)[i], err);
    }
    return status;
}

const model_interaction *model_surface_interaction(const carom_model *model, int k, int other)
{
    return model->surface_interactions[k * (model->collider_count + model->surface_count) + other];
}

const model_interaction *model_skin_interaction(const carom_model *model, int k, int other)
{
    return model->skin_interactions[k * (model->collider_count + model->skin_count) + other];
}

static carom_status make_rules(carom_model *model, const carom_contact_def *contact, carom_error *err)
{
    if (!contact->between_joined) {
        find_joined(model);
    }
    const bool *signatures = make_groups(model, contact);
    carom_status status = compile_check_memory(model, err);
    if (status == CAROM_OK) {
        status = make_interactions(model, contact, signatures, err);
    }
    status = error_goes_on(err, status) ? error_worse(status, make_bearings(model, contact, err)) : status;
    status = error_goes_on(err, status)
                 ? error_worse(status, make_deforming_interactions(model, contact, model->surface_count, surface_of,
                                                                   &model->surface_interactions, err))
                 : status;
    return error_goes_on(err, status)
               ? error_worse(status, make_deforming_interactions(model, contact, model->skin_count, skin_of,
                                                                 &model->skin_interactions, err))
               : status;
}

static carom_status make_surfaces(carom_model *model, const carom_compile_options *options, carom_error *err)
{
    collider_plan plan = { .options = collider_options_default(), .watcher = options };
    model->method->colliders(&plan.options, model->method_options);
    plan.options.threads = carom_processor_count(); /* fields do not depend on it */
    char folder[4096];
    if (plan.options.cache) {
        plan.options.cache = sdf_cache_folder(folder, sizeof folder);
    }
    return make_colliders(model, &plan, err);
}

carom_status compile_contact(carom_model *model, const carom_contact_def *contact,
                             const carom_compile_options *options, carom_error *err)
{
    if (!model->method->colliders) {
        return CAROM_OK;
    }
    carom_status status = check_laws(model, contact, err);
    if (status != CAROM_OK) {
        return status; /* without its law nothing can be said of a pair */
    }
    status = list_colliders(model, err);
    if (status == CAROM_OK) {
        status = check_names(model, contact, err);
    }
    if (error_goes_on(err, status)) {
        status = error_worse(status, make_rules(model, contact, err));
    }
    if (status != CAROM_OK || !options) {
        return status;
    }
    status = make_surfaces(model, options, err);
    const carom_method *method = model->method;
    return status == CAROM_OK && method->check_contact ? method->check_contact(model, model->method_options, err)
                                                       : status;
}
