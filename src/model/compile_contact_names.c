/* Whom the rules of contact name: bodies, materials, joints with clearance; by their names or by patterns. */
#include "model/compile_contact.h"

#include <stdio.h>
#include <string.h>

#include "base/error_list.h"
#include "base/text.h"
#include "model/compile.h"

static bool name_fits(const char *pattern, const char *name)
{
    size_t n = strlen(pattern);
    if (n > 0 && pattern[n - 1] == '*') {
        return strncmp(pattern, name, n - 1) == 0;
    }
    return strcmp(pattern, name) == 0;
}

bool compile_collider_fits(const carom_model *model, const model_collider *c, const char *pattern)
{
    const char *material = compile_collider_shape(model, c)->material;
    return name_fits(pattern, model->bodies[c->body].name) || (material && name_fits(pattern, material));
}

const char *compile_rule_name(const carom_contact_pair_def *pair, int side)
{
    const char *const *names = pair->between.items;
    return names[side];
}

bool compile_bearing_fits(const carom_model *model, const model_joint *joint, int side, const char *pattern)
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
        fits = joint->clearance > 0.0 && compile_bearing_fits(model, joint, j % 2, pattern);
    }
    return fits;
}

bool compile_deforming_fits(const carom_model *model, deforming d, const char *pattern)
{
    return name_fits(pattern, model->bodies[d.body].name) || (d.material && name_fits(pattern, d.material));
}

static bool any_deforming_fits(const carom_model *model, const char *pattern)
{
    bool fits = false;
    for (int k = 0; k < model->surface_count && !fits; ++k) {
        fits = compile_deforming_fits(model, compile_surface(model, k), pattern);
    }
    for (int k = 0; k < model->skin_count && !fits; ++k) {
        fits = compile_deforming_fits(model, compile_skin(model, k), pattern);
    }
    return fits;
}

/* A name as it may have been meant, or NULL; bodies, materials and joints that take part in contact. */
static const char *nearest_name(carom_model *model, const char *name)
{
    size_t count = 0;
    int most = 2 * (model->collider_count + model->surface_count + model->skin_count) + model->joint_count;
    const char **names = CAROM_ARENA_ARRAY(&model->arena, const char *, most + 1);
    for (int i = 0; names && i < model->collider_count; ++i) {
        names[count++] = model->bodies[model->colliders[i].body].name;
        names[count++] = compile_collider_shape(model, &model->colliders[i])->material;
    }
    for (int k = 0; names && k < model->surface_count + model->skin_count; ++k) {
        const int skin = k - model->surface_count;
        const deforming d = skin < 0 ? compile_surface(model, k) : compile_skin(model, skin);
        names[count++] = model->bodies[d.body].name;
        names[count++] = d.material;
    }
    for (int j = 0; names && j < model->joint_count; ++j) {
        names[count++] = model->joints[j].clearance > 0.0 ? model->joints[j].name : NULL;
    }
    return names ? carom_text_nearest(name, names, count) : NULL;
}

const char *compile_rule_place(int rule, const char *key, char *buffer, size_t size)
{
    if (rule < 0) {
        snprintf(buffer, size, "contact.%s", key);
    } else {
        snprintf(buffer, size, "contact.pairs[%d].%s", rule, key);
    }
    return buffer;
}

carom_status compile_blame_rule(const carom_model *model, int rule, const char *key, carom_error *err)
{
    char path[80];
    return model_blame_setting(model, compile_rule_place(rule, key, path, sizeof path), CAROM_BAD_INPUT, err);
}

/* A name that fits nothing is a slip of the keyboard. */
static carom_status check_name(carom_model *model, int rule, const char *name, carom_error *err)
{
    bool found = any_bearing_fits(model, name) || any_deforming_fits(model, name);
    for (int i = 0; i < model->collider_count && !found; ++i) {
        found = compile_collider_fits(model, &model->colliders[i], name);
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
    return compile_blame_rule(model, rule, "between", err);
}

/* Shapes of one body do not touch each other: a body beside itself is a slip, too. */
static carom_status check_itself(const carom_model *model, int rule, const carom_contact_pair_def *pair,
                                 carom_error *err)
{
    const char *name = compile_rule_name(pair, 0);
    int code = carom_names_find(&model->names, name);
    bool body = code >= 0 && element_class(code) == ELEMENT_BODY;
    for (int i = 0; i < model->collider_count && body; ++i) {
        const char *material = compile_collider_shape(model, &model->colliders[i])->material;
        body = !material || strcmp(material, name) != 0;
    }
    if (!body || strcmp(name, compile_rule_name(pair, 1)) != 0) {
        return CAROM_OK;
    }
    carom_fail(err, CAROM_BAD_INPUT,
               "contact.pairs[%d].between names body '%.100s' twice, and shapes of one body do not touch each other; "
               "name two bodies",
               rule, name);
    return compile_blame_rule(model, rule, "between", err);
}

carom_status compile_check_names(carom_model *model, const carom_contact_def *contact, carom_error *err)
{
    const carom_contact_pair_def *pairs = contact->pairs.items;
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < contact->pairs.count && error_goes_on(err, status); ++k) {
        for (int side = 0; side < 2 && error_goes_on(err, status); ++side) {
            status = error_worse(status, check_name(model, (int)k, compile_rule_name(&pairs[k], side), err));
        }
        status = error_goes_on(err, status) ? error_worse(status, check_itself(model, (int)k, &pairs[k], err))
                                            : status;
    }
    return status;
}

/* ---- laws of the program ----------------------------------------------------------------------------------------- */
