/* Questions users may ask of a model. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

#include "model/method.h"

int carom_model_body_count(const carom_model *model)
{
    return model ? model->body_count : 0;
}

int carom_model_joint_count(const carom_model *model)
{
    return model ? model->joint_count : 0;
}

int carom_model_force_count(const carom_model *model)
{
    return model ? model->force_count : 0;
}

static bool has_body(const carom_model *model, carom_id body)
{
    return model && body >= 0 && body < model->body_count;
}

static bool has_joint(const carom_model *model, carom_id joint)
{
    return model && joint >= 0 && joint < model->joint_count;
}

const char *carom_model_body_name(const carom_model *model, carom_id body)
{
    return has_body(model, body) ? model->bodies[body].name : NULL;
}

const char *carom_model_joint_name(const carom_model *model, carom_id joint)
{
    return has_joint(model, joint) ? model->joints[joint].name : NULL;
}

const char *carom_model_force_name(const carom_model *model, carom_id force)
{
    return model && force >= 0 && force < model->force_count ? model->forces[force].name : NULL;
}

static carom_id find(const carom_model *model, const char *name, element_kind kind)
{
    int code = model && name ? carom_names_find(&model->names, name) : -1;
    return code >= 0 && element_class(code) == kind ? element_index(code) : CAROM_NONE;
}

carom_id carom_model_find_body(const carom_model *model, const char *name)
{
    return find(model, name, ELEMENT_BODY);
}

carom_id carom_model_find_joint(const carom_model *model, const char *name)
{
    return find(model, name, ELEMENT_JOINT);
}

carom_body_info carom_model_body(const carom_model *model, carom_id body)
{
    if (!has_body(model, body)) {
        return (carom_body_info){ 0 };
    }
    const model_body *b = &model->bodies[body];
    const double *I = b->inertia_b.m;
    return (carom_body_info){
        .name = b->name,
        .moves_freely = b->role == BODY_FREE,
        .kinematic = b->role == BODY_KINEMATIC,
        .mass = b->mass,
        .center_of_mass = b->com_b,
        .inertia = { I[0], I[4], I[8], I[1], I[2], I[5] },
    };
}

/* In a joint with clearance it is that of a contact. */
static double acting_friction(const carom_model *model, const model_joint *j)
{
    bool between_surfaces = j->clearance > 0.0;
    bool in_joint = j->friction.given && j->type->friction && model->method->joint_friction;
    return between_surfaces ? j->interaction->mu : in_joint ? j->friction.coefficient : 0.0;
}

carom_joint_info carom_model_joint(const carom_model *model, carom_id joint)
{
    if (!has_joint(model, joint)) {
        return (carom_joint_info){ .bodies = { CAROM_NONE, CAROM_NONE } };
    }
    const model_joint *j = &model->joints[joint];
    carom_joint_info info = { .name = j->name,
                              .type = j->type->kind.name,
                              .bodies = { j->body[0], j->body[1] },
                              .first_coordinate = j->first_coordinate,
                              .coordinate_count = j->type->coordinate_count,
                              .friction = acting_friction(model, j),
                              .clearance = j->clearance };
    for (int k = 0; k < j->type->coordinate_count; ++k) {
        info.coordinates[k].name = j->type->coordinates[k].name;
        info.coordinates[k].angle = j->type->coordinates[k].angle;
    }
    return info;
}

size_t carom_model_notes(const carom_model *model, const carom_note **out)
{
    if (out) {
        *out = model ? model->notes : NULL;
    }
    return model ? model->note_count : 0;
}

int carom_model_coordinate_count(const carom_model *model)
{
    return model ? model->coordinate_count : 0;
}

int model_row_owner(const carom_model *model, int row)
{
    for (int k = 0; k < model->coupler_count; ++k) {
        if (model->couplers[k].row == row) {
            return model->joint_count + k;
        }
    }
    int low = 0;
    int high = model->joint_count;
    while (high - low > 1) { /* rows ascend with joints */
        int middle = (low + high) / 2;
        *(model->joints[middle].first_row <= row ? &low : &high) = middle;
    }
    return low;
}

const char *carom_model_equation_name(const carom_model *model, int equation, char *buffer, size_t size)
{
    if (!buffer || size == 0) {
        return "";
    }
    if (!model || equation < 0 || equation >= model->row_count) {
        buffer[0] = '\0';
        return buffer;
    }
    int owner = model_row_owner(model, equation);
    if (owner >= model->joint_count) {
        snprintf(buffer, size, "%s: ratio", model->couplers[owner - model->joint_count].name);
        return buffer;
    }
    const model_joint *joint = &model->joints[owner];
    int row = equation - joint->first_row;
    if (row < joint->type->equation_count) {
        snprintf(buffer, size, "%s: equation %d of %d (%s)", joint->name, row + 1, joint->type->equation_count,
                 joint->type->kind.name);
    } else {
        int driver = row - joint->type->equation_count;
        snprintf(buffer, size, "%s: %s of %s", joint->name, joint->drivers[driver].is_start ? "start" : "motion",
                 joint->type->coordinates[joint->drivers[driver].coordinate].name);
    }
    return buffer;
}

uint64_t carom_model_hash(const carom_model *model)
{
    return model ? model->hash : 0;
}

int carom_model_input_count(const carom_model *model)
{
    return model ? model->input_count : 0;
}

static const model_input *input_of(const carom_model *model, int input)
{
    return model && input >= 0 && input < model->input_count ? &model->inputs[input] : NULL;
}

const char *carom_model_input_name(const carom_model *model, int input)
{
    const model_input *found = input_of(model, input);
    return found ? found->name : NULL;
}

carom_dimension carom_model_input_dimension(const carom_model *model, int input)
{
    const model_input *found = input_of(model, input);
    return found ? found->dimension : (carom_dimension)CAROM_DIM_NONE;
}

int carom_model_event_count(const carom_model *model)
{
    return model ? model->event_count : 0;
}

const char *carom_model_event_name(const carom_model *model, int event)
{
    return model && event >= 0 && event < model->event_count ? model->events[event].name : NULL;
}

int carom_model_find_input(const carom_model *model, const char *name)
{
    for (int i = 0; model && name && i < model->input_count; ++i) {
        if (strcmp(model->inputs[i].name, name) == 0) {
            return i;
        }
    }
    return CAROM_NONE;
}
