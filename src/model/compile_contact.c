/* Contact: what happens between any two of the surfaces that touch.
 *
 * Exceptions for pairs speak of names; colliders to which the same names apply form a group, so that the table of
 * interactions is as large as the number of different roles in a scene, not of its shapes. */
#include "model/compile_contact.h"

#include <stdlib.h>
#include <string.h>

#include "base/error_list.h"
#include "base/hash.h"
#include "base/index.h"
#include "model/compile.h"
#include "model/fields.h"
#include "model/method.h"

static bool may_meet(const carom_model *model, int a, int b);

/* ---- groups ------------------------------------------------------------------------------------------------------ */

/* fits[2 * rule + side]: which sides of which rules a collider can take. */
static void find_signature(const carom_model *model, const model_collider *c, const carom_contact_def *contact,
                           bool *fits)
{
    const carom_contact_pair_def *pairs = contact->pairs.items;
    for (size_t k = 0; k < contact->pairs.count; ++k) {
        fits[2 * k] = compile_collider_fits(model, c, compile_rule_name(&pairs[k], 0));
        fits[2 * k + 1] = compile_collider_fits(model, c, compile_rule_name(&pairs[k], 1));
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

/* ---- laws of the program ----------------------------------------------------------------------------------------- */

static carom_status law_missing(const carom_model *model, int rule, const char *key, const carom_choice *choice,
                                const char *function, carom_error *err)
{
    const carom_user_law_def *reference = choice->params;
    carom_fail(err, CAROM_BAD_INPUT,
               "the law '%.60s' has to come from a program in C: it is added by %s before the scene is compiled; the "
               "command 'carom' has no such laws",
               reference ? reference->name : choice->kind, function);
    return compile_blame_rule(model, rule, key, err);
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
        return compile_blame_rule(model, i->law_rule, "law", err);
    }
    if (i->restitution < 1.0 && !i->law->uses_restitution) {
        char path[80];
        compile_rule_place(i->restitution_rule, "restitution", path, sizeof path);
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
    return status == CAROM_OK ? status : compile_blame_rule(model, i->friction_rule, "friction", err);
}

static carom_status check_interaction(carom_model *model, const model_interaction *i, carom_error *err)
{
    if (!(i->restitution >= 0.0 && i->restitution <= 1.0)) {
        carom_fail(err, CAROM_BAD_INPUT, "contact: restitution must be between 0 and 1, not %g", i->restitution);
        return compile_blame_rule(model, i->restitution_rule, "restitution", err);
    }
    if (model->method->needs_laws && !i->law) {
        carom_fail(err, CAROM_BAD_INPUT,
                   "contact.law is missing: the method '%s' needs the normal force over penetration, e.g. "
                   "\"law\": {\"linear\": {\"k\": 1e6}}",
                   model->method->kind.name);
        return compile_blame_rule(model, -1, "law", err);
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
        signatures[k] = compile_bearing_fits(model, joint, (int)(k / width),
                                             compile_rule_name(&pairs[k % width / 2], (int)(k % 2)));
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
        const char *name = compile_rule_name(&pairs[i / 2], (int)(i % 2));
        signatures[i] = compile_deforming_fits(model, one, name);
        signatures[width + i] = rigid >= 0 ? compile_collider_fits(model, &model->colliders[rigid], name)
                                           : compile_deforming_fits(model, other, name);
    }
    model_interaction *i = CAROM_ARENA_ARRAY(&model->arena, model_interaction, 1);
    if (!i) {
        return compile_check_memory(model, err);
    }
    decide(model, i, contact, signatures, signatures + width);
    *out = i->ignore ? NULL : i;
    carom_status status = compile_check_memory(model, err);
    return i->ignore || status != CAROM_OK ? status : make_context(model, i, err);
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
                 ? error_worse(status,
                               make_deforming_interactions(model, contact, model->surface_count, compile_surface,
                                                           &model->surface_interactions, err))
                 : status;
    return error_goes_on(err, status)
               ? error_worse(status, make_deforming_interactions(model, contact, model->skin_count, compile_skin,
                                                                 &model->skin_interactions, err))
               : status;
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
    status = compile_list_colliders(model, err);
    if (status == CAROM_OK) {
        status = compile_check_names(model, contact, err);
    }
    if (error_goes_on(err, status)) {
        status = error_worse(status, make_rules(model, contact, err));
    }
    if (status != CAROM_OK || !options) {
        return status;
    }
    status = compile_make_colliders(model, options, err);
    const carom_method *method = model->method;
    return status == CAROM_OK && method->check_contact ? method->check_contact(model, model->method_options, err)
                                                       : status;
}
