/* What a contact method supplies; it owns the step. Methods are listed in sim/method_list.inc. */
#ifndef CAROM_MODEL_METHOD_H
#define CAROM_MODEL_METHOD_H

#include <carom/step.h>

struct collider_options;

typedef struct carom_step_context {
    const carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    const void *options;
    carom_error *err;
} carom_step_context;

typedef struct carom_method {
    carom_kind kind; /* first: name, doc, options table, defaults, size */

    /* The table that these options ask for, of the same name and with the same fields; NULL: this one. */
    const struct carom_method *(*variant)(const void *options);

    /* How shapes are prepared for contact; NULL: the method needs no colliders. */
    void (*colliders)(struct collider_options *out, const void *options);

    /* Normal laws are needed wherever surfaces may meet. */
    bool needs_laws;

    /* What it does with joints besides keeping them closed; what it cannot do is refused (clearance) or ignored. */
    bool clearance;      /* surfaces of joints with clearance meet */
    bool joint_friction; /* dry friction in joints acts */
    bool rigid_stops;    /* limits are the method's own: they exert no compliant force */

    /* Its steps minimise an incremental potential: it goes with the integrators that say how, and with no others. */
    bool minimises;
    bool
        leaps; /* its steps are explicit and its own (integrator "central-differences"); bodies in nodal coordinates go with it */
    double (*critical_step)(const carom_model
                                *model); /* [s] of methods that leap: the longest stable step; infinite: any is */
    double
        default_step; /* [s] of methods that leap with steps that nothing but accuracy limits; 0: the integrator's */
    bool inelastic;   /* impacts for which the scene gives no restitution give nothing back */

    bool deformation; /* bodies that deform go with it; else they are refused */
    bool skins;       /* those without shapes touch with their own surface */

    /* It announces events of contact itself (into the scratch's list); else they are found by comparing ends of steps. */
    bool announces;

    /* By which part of the energy of approach an impact that it announces may miss its law of restitution, beyond rounding. */
    double impact_error;

    /* What contact adds to the evaluation of the model; NULL: nothing. Defined in dynamics/contact.h. */
    const struct contact_forces *forces;

    /* Refuses models or options the method cannot treat; NULL: none. */
    carom_status (*check)(const carom_model *model, const void *options, carom_error *err);

    /* The same of the rules and colliders, once they are made. NULL: all will do. */
    carom_status (*check_contact)(const carom_model *model, const void *options, carom_error *err);

    /* Refuses assembled states it cannot begin with (CAROM_INTERSECTING); NULL: none. Its start asks by itself; this is
     * for those who want to know before. */
    carom_status (*admit)(const carom_state *state, carom_scratch *scratch, carom_error *err);

    /* After assembly, and again before the step that follows a jump of a force; NULL: nothing to do. */
    carom_status (*start)(carom_step_context *c);

    /* Advances the state by at most dt, from step_begin to the last step_commit or dynamics_step (dynamics/step.h), whose
     * dense output frames are recorded from; on any status but CAROM_OK the state is as it was. */
    carom_status (*step)(carom_step_context *c, double dt, carom_step_report *report);
} carom_method;

/* The method with this name, or NULL. */
const carom_method *carom_method_find(const char *name);

#endif
