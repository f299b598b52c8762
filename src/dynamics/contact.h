/* What a contact method adds to the evaluation of a model: forces at the present point, and their tangents for implicit
 * integrators. The workspace is created with the scratch; dropping it changes no bit of a result. */
#ifndef CAROM_DYNAMICS_CONTACT_H
#define CAROM_DYNAMICS_CONTACT_H

#include "dynamics/columns.h"

/* A symmetric matrix over the frames of two bodies, [a: v, omega; b: v, omega], as elements/forces/tangent.h has it. Bodies that
 * are not free are left out by whoever assembles. */
typedef struct contact_tangent {
    int body[2];
    const body_point
        *point[2]; /* of bodies that deform: what it acts on, until the next evaluation; NULL: the frame */
    double H[PAIR_COLUMNS][PAIR_COLUMNS];
} contact_tangent;

/* Numbers about the contacts of the last evaluation. */
typedef struct contact_totals {
    int count;          /* of touching points */
    double penetration; /* [m] deepest */
    v3 *force_w;        /* body_count: [N] on each body */
    v3 *torque_w;       /* body_count: [N m] about its centre of mass */
} contact_totals;

/* An impulse that pushes two bodies apart. */
typedef struct contact_impulse {
    int body[2];   /* ascending */
    double normal; /* [N s] */
} contact_impulse;

typedef struct contact_forces {
    carom_status (*create)(void **self, const carom_model *model, carom_error *err);
    void (*destroy)(void *self);

    /* What the state remembers; evaluations until the next load belong to a step that begins there. */
    void (*load)(void *self, const carom_state *s);

    /* Evaluations until the next load are inside the step that led to the state loaded last, for frames. NULL: frames lie at ends of
     * steps, where the state holds. */
    void (*look_back)(void *self);

    /* Adds forces, energies and powers at the point placed in w. False when memory runs out. */
    bool (*apply)(void *self, carom_scratch *w);

    /* After the accelerations without it: changes w->acceleration and w->sigma by forces that depend on them (contact as
     * a constraint, friction of joints), and counts their power and impulse. NULL: forces do not depend on accelerations.
     * Only integrators that take accelerations as they are (integrator_type.takes_reactions) go with it. */
    void (*react)(void *self, carom_scratch *w);

    /* Tangents of the forces last applied, stiffness K + damping D, one entry per pair of touching bodies, of those that deform
     * one per point, ascending. NULL: no integrator
     * asks for them. */
    const contact_tangent *(*tangents)(void *self, double stiffness, double damping, int *count);

    /* The points last applied, as they are recorded. After a step of the method: those of the state it has reached. */
    const carom_contact_point *(*points)(void *self, int *count);

    /* What happens at one of the points last asked for; NULL: unknown. */
    const model_interaction *(*interaction)(const void *self, int point);
    contact_totals (*totals)(const void *self);

    /* What the last step has given two bodies at once, besides the forces of its points: the next one from *at = 0 on, false when there
     * is none left. NULL: never anything, or it is announced as an event. */
    bool (*impulse)(const void *self, int *at, contact_impulse *out);
} contact_forces;

#endif
