/* Bodies of finite elements for tests, made without a scene. */
#ifndef CAROM_TESTS_FLEXIBLE_SAMPLE_H
#define CAROM_TESTS_FLEXIBLE_SAMPLE_H

#include "elements/bodies/modes.h"
#include "elements/flexible/flexible.h"
#include "support/check.h"

typedef struct flexible_sample {
    carom_arena arena;
    carom_flexible_def def;
    volume_mesh cells;
    solid_mesh *mesh;
    solid_material material;
    flexible_input in;
    const void *params; /* of the kind, where `make` has been asked for */
} flexible_sample;

/* Everything up to the input of a kind. */
static inline carom_status flexible_sample_prepare(flexible_sample *s, const carom_flexible_def *def,
                                                   const carom_material_def *material, carom_error *err)
{
    *s = (flexible_sample){ .def = *def };
    carom_status status = flexible_mesh_make(&s->cells, &s->def, err);
    status = status == CAROM_OK ? flexible_solid_make(&s->mesh, &s->material, &s->cells, &s->def, material, err)
                                : status;
    s->in = (flexible_input){
        .body = "sample", .def = &s->def, .cells = &s->cells, .mesh = s->mesh, .material = &s->material
    };
    return status == CAROM_OK ? flexible_input_make(&s->in, &s->arena, err) : status;
}

static inline carom_status flexible_sample_make(flexible_sample *s, const carom_body_type *type,
                                                const carom_flexible_def *def, const carom_material_def *material,
                                                carom_error *err)
{
    carom_status status = flexible_sample_prepare(s, def, material, err);
    return status == CAROM_OK ? type->make(&s->params, &s->in, &s->arena, err) : status;
}

static inline void flexible_sample_free(flexible_sample *s)
{
    solid_mesh_destroy(s->mesh);
    volume_mesh_free(&s->cells);
    carom_arena_free(&s->arena);
}

/* A soft block without symmetry, held at two faces: three modes and six static shapes. Its coordinates are of the order of metres times
 * the root of a kilogram. */
static const double soft_divisions[3] = { 3, 2, 2 };
static const double soft_grading[3] = { 1.7, 0.8, 1.3 };
static const carom_block_mesh_def soft_mesh = { .size = { 0.5, 0.4, 0.3 },
                                                .divisions = { 3, soft_divisions },
                                                .grading = { 3, soft_grading },
                                                .at = { 0.1, 0.2, -0.1 } };
static const carom_group_nodes_def soft_left = { "x_min" };
static const carom_group_nodes_def soft_right = { "x_max" };
static const carom_flexible_attachment_def soft_attachments[2] = {
    { .name = "left", .nodes = { "group", &soft_left } },
    { .name = "right", .nodes = { "group", &soft_right } },
};
static const carom_material_def soft_material = { .name = "soft", .young = 20.0, .poisson = 0.3, .density = 300.0 };

static inline carom_flexible_def soft_block(carom_flexible_frame frame, int modes)
{
    carom_flexible_def def = carom_flexible_def_default();
    def.mesh = (carom_choice){ "block", &soft_mesh };
    def.attachments = (carom_list){ 2, soft_attachments };
    def.modes.count = modes;
    def.frame = frame;
    def.damping = (carom_flexible_damping_def){ .stiffness = 1e-4, .ratio = 0.01 };
    return def;
}

/* A soft and thick beam that twists and bends, of elements whose nodes turn. */
static const carom_line_mesh_def beam_mesh = { .length = 0.6, .count = 5, .grading = 1.4, .at = { 0.05, 0.1, 0.0 } };
static const carom_rectangle_section_def beam_section = { .height = 0.3, .width = 0.4 };
static const carom_material_def beam_material = { .name = "soft", .young = 20.0, .poisson = 0.3, .density = 300.0 };

static inline carom_flexible_def soft_beam(carom_flexible_frame frame, int modes)
{
    carom_flexible_def def = soft_block(frame, modes);
    def.mesh = (carom_choice){ "beam", &beam_mesh };
    def.section = (carom_choice){ "rectangle", &beam_section };
    return def;
}

#endif
