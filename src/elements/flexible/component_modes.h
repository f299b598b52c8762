/* A few shapes of deformation in place of all nodes [Craig1968].
 *
 * With rigid attachments held: the lowest modes of vibration, and the static shapes that a unit motion of each attachment makes
 * (the first one's are rigid motions and left out). Averaging attachments add the static shapes that unit loads on them make. Without
 * rigid attachments: the lowest modes of the free body. Shapes are then combined so that mass and stiffness become diagonal,
 *
 *     shapes' M shapes = 1,     shapes' K shapes = diag(omega^2),
 *
 * with M lumped and rigid motions taken out: in the frame `mean` they are orthogonal to rigid motions, so that deformation has neither
 * momentum nor angular momentum about the undeformed shape; in the others what is attached to the frame does not move. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_COMPONENT_MODES_H
#define CAROM_ELEMENTS_FLEXIBLE_COMPONENT_MODES_H

#include "elements/flexible/motions.h"

typedef enum shape_kind {
    SHAPE_FIXED,      /* mode of vibration with the rigid attachments held */
    SHAPE_CONSTRAINT, /* static, by a motion of a rigid attachment */
    SHAPE_LOAD,       /* static, by a load on an averaging attachment */
    SHAPE_FREE,       /* mode of vibration of the free body */
} shape_kind;

/* What the shapes were combined from. */
typedef struct component_source {
    shape_kind kind;
    int attachment;      /* of static shapes, else -1 */
    double omega2;       /* [1/s^2] of static shapes: strain energy over kinetic energy */
    double effective[3]; /* [kg] mass that shaking along x, y, z would move with it; of fixed modes, else 0 */
} component_source;

typedef struct component_place { /* how an attachment follows */
    v3 at;                       /* [m] in the frame of the body as users give it */
    double *psi;                 /* 6 x count (and pairs): displacement, rotation per coordinate */
} component_place;

typedef struct component_modes {
    carom_arena arena;
    motion_space space;
    int count;           /* shapes: the deformation coordinates */
    double *shapes;      /* count x freedoms */
    double *omega2;      /* count, ascending [1/s^2] */
    double *free_omega2; /* the same of the free body, whatever the frame is */
    int source_count;
    component_source *sources;
    double *raw;             /* the sources themselves: source_count x freedoms */
    int dropped;             /* sources that say nothing new */
    component_place *places; /* attachment_count; psi is 6 x (count + pair_count) */

    /* Where bending shortens the body: the displacement has a part of second order, the sum over pairs i < j of q_i q_j second_ij, and
     * over i of q_i^2 second_ii / 2. */
    int pair_count;
    int (*pairs)[2];
    double *second; /* pair_count x freedoms */
} component_modes;

/* fixed: modes of vibration asked for; negative: as the definition says. Free it, also after a failure. */
carom_status component_modes_make(component_modes *out, const flexible_input *in, int fixed, carom_error *err);
void component_modes_free(component_modes *r);

#endif
