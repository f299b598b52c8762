/* Parts of component_modes.c. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_COMPONENT_PARTS_H
#define CAROM_ELEMENTS_FLEXIBLE_COMPONENT_PARTS_H

#include "elements/flexible/component_modes.h"
#include "elements/flexible/holding.h"

/* While shapes are found. */
typedef struct reducer {
    component_modes *out;
    const flexible_input *in;
    const motion_space *s;
    carom_arena room;
    sparse_matrix *K; /* of all freedoms */
    holding fixed;    /* rigid attachments held, or where there are none nothing but what takes no part */
    motion_mean *means;
    int base;      /* the first rigid attachment; -1: none */
    double *rigid; /* orthonormal rigid motions: s->count x freedoms */
    double *raw;   /* sources: raw_count x freedoms */
    int raw_count;
} reducer;

carom_status component_no_memory(carom_error *err);

/* `count` vectors of all freedoms, zero, gone with the reducer; NULL: memory runs out. */
double *component_vectors(reducer *r, int count);

/* component_sources.c: the lowest modes of vibration, then static shapes of attachments. fixed: modes asked for; negative: as the definition
 * says. */
carom_status component_find_sources(reducer *r, int fixed, carom_error *err);

/* component_basis.c: orthonormal rigid motions; the sources without these, combined so that mass and stiffness are diagonal, in the frame. */
void component_make_rigid(reducer *r);
carom_status component_make_shapes(reducer *r, carom_error *err);

/* component_frame.c: whether the frame can be had; rigid motions out of a displacement as it asks; what a mean says of a vector. */
carom_status component_check_frame(const reducer *r, carom_error *err);
void component_fit_to_frame(const reducer *r, double *u);
void component_mean_of(const reducer *r, const motion_mean *mean, const double *u, v3 *move, v3 *turn);

/* component_shortening.c: where the definition asks for it, shapes of second order. */
carom_status component_find_shortening(reducer *r, carom_error *err);

#endif
