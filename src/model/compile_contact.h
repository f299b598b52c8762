/* The parts of compile_contact: who touches, whom the rules name, what happens between them. */
#ifndef CAROM_MODEL_COMPILE_CONTACT_H
#define CAROM_MODEL_COMPILE_CONTACT_H

#include "model/model.h"

/* ---- colliders --------------------------------------------------------------------------------------------------- */

/* Who takes part; what they look like is made when all else is right, because fields of meshes take long. */
carom_status compile_list_colliders(carom_model *model, carom_error *err);
carom_status compile_make_colliders(carom_model *model, const carom_compile_options *options, carom_error *err);

const model_shape *compile_collider_shape(const carom_model *model, const model_collider *c);

/* A body that touches with its own surface: one of the model's surfaces or skins. */
typedef struct deforming {
    int body;
    const char *material; /* NULL: none */
} deforming;

deforming compile_surface(const carom_model *model, int k);
deforming compile_skin(const carom_model *model, int k);

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* The name or pattern on a side (0, 1) of a rule. */
const char *compile_rule_name(const carom_contact_pair_def *pair, int side);

bool compile_collider_fits(const carom_model *model, const model_collider *c, const char *pattern);
bool compile_deforming_fits(const carom_model *model, deforming d, const char *pattern);

/* The surfaces of a joint with clearance answer to the names of the joint and of their body, and to its materials. */
bool compile_bearing_fits(const carom_model *model, const model_joint *joint, int side, const char *pattern);

/* Names that fit nothing, and bodies beside themselves. */
carom_status compile_check_names(carom_model *model, const carom_contact_def *contact, carom_error *err);

/* The place of something in the contact section, or in one of its pairs (rule >= 0). Returns buffer. */
const char *compile_rule_place(int rule, const char *key, char *buffer, size_t size);
carom_status compile_blame_rule(const carom_model *model, int rule, const char *key, carom_error *err);

#endif
