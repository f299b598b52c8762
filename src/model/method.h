/* What a contact method supplies; it owns the step. Methods are listed in sim/method_list.c. */
#ifndef CAROM_MODEL_METHOD_H
#define CAROM_MODEL_METHOD_H

#include <carom/step.h>

/* What a method asks of the model. */
enum {
    METHOD_NEEDS_DISTANCE_FIELDS = 1,
    METHOD_NEEDS_CLOSED_SURFACES = 2,
    METHOD_NEEDS_NO_OVERLAP = 4,
};

typedef struct carom_step_context {
    const carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    const void *options;
    carom_error *err;
} carom_step_context;

typedef struct carom_method {
    carom_kind kind; /* first: name, doc, options table, defaults, size */
    uint32_t needs;
    size_t record_size; /* bytes remembered per touching pair */

    /* Refuses models or options the method cannot treat; NULL: none. */
    carom_status (*check)(const carom_model *model, const void *options, carom_error *err);

    /* Once per run, after assembly; NULL: nothing to do. */
    carom_status (*start)(carom_step_context *c);

    /* Advances the state by at most dt; on any status but CAROM_OK the state is as it was. */
    carom_status (*step)(carom_step_context *c, double dt, carom_step_report *report);
} carom_method;

/* The method with this name, or NULL. */
const carom_method *carom_method_find(const char *name);

#endif
