/* What a force type supplies. It sees one or two markers, or one joint coordinate, its own parameters and the present
 * numbers of its values; never the model. */
#ifndef CAROM_ELEMENTS_FORCES_FORCE_H
#define CAROM_ELEMENTS_FORCES_FORCE_H

#include <carom/elements.h>

#include "base/arena.h"
#include "elements/bodies/frame.h"
#include "elements/marker.h"

typedef enum force_target {
    FORCE_ON_PAIR,  /* markers A and B, equal and opposite */
    FORCE_ON_BODY,  /* marker A only; "all" makes one per body */
    FORCE_ON_JOINT, /* a joint coordinate */
} force_target;

/* Under which heading of the ledger the power of a force goes. */
typedef enum ledger_account {
    ACCOUNT_MOTORS,   /* input */
    ACCOUNT_LOADS,    /* input */
    ACCOUNT_MOTION,   /* input: prescribed motion of bodies and joint coordinates */
    ACCOUNT_DAMPING,  /* dissipation */
    ACCOUNT_DRAG,     /* dissipation */
    ACCOUNT_STOPS,    /* dissipation: joint limits */
    ACCOUNT_FRICTION, /* dissipation */
    ACCOUNT_CONTACT,  /* dissipation: damping of contact laws */
    ACCOUNT_IMPACT,   /* dissipation at events */
    ACCOUNT_NUMERICS, /* dissipation by the time integration, of methods that can tell */
    ACCOUNT_HANDOVER, /* dissipation where explicit and implicit steps take turns, and by implicit steps between */
    ACCOUNT_COUNT,
} ledger_account;

enum { FORCE_MEASURES = 4, FORCE_VALUES = 8 };

typedef struct carom_force_frames {
    marker a;
    marker b;                         /* FORCE_ON_PAIR only */
    double coordinate;                /* FORCE_ON_JOINT */
    double coordinate_rate;           /* FORCE_ON_JOINT */
    double mass;                      /* [kg] FORCE_ON_BODY: of the body */
    double t;                         /* [s] */
    double values[FORCE_VALUES];      /* the VALUE and VALUE3 fields of the params in table order; rate of the k-th */
    double value_rates[FORCE_VALUES]; /* d/dt of a value that depends on t alone, else 0 */
    const double *inputs;             /* input_count: of the scene */
    size_t input_count;
    double integral; /* what the element remembers: see carom_force_type */
} carom_force_frames;

/* The books balance exactly: power of the force and torques below = -d(potential)/dt - dissipation + input. */
typedef struct carom_force_effect {
    v3 force_a;           /* [N] on A at marker A; B gets the opposite */
    v3 torque_a;          /* [N m] on A about marker A */
    v3 torque_b;          /* [N m] on B about marker B (for a pair: angular momentum must balance) */
    double generalised;   /* FORCE_ON_JOINT: force or torque along the coordinate */
    double potential;     /* [J] stored */
    double dissipation;   /* [W] >= 0, to dissipation_account */
    double input;         /* [W] fed in, to input_account */
    double integral_rate; /* of what the element remembers */
} carom_force_effect;

/* Symmetric matrices over [a: v, omega; b: v, omega]: minus the derivative of the generalised forces on both
 * bodies (wrench about each centre of mass) by position (world displacement of the centre, world rotation vector) and
 * by velocity. FORCE_ON_JOINT: one number each, by coordinate and by rate. Only what helps Newton's method: leaving out
 * small or unsymmetric parts is allowed, adding indefinite ones is not. What the target of the type uses is written
 * completely (ON_PAIR both matrices, ON_BODY their leading blocks of A, ON_JOINT the two numbers), the rest is left
 * untouched. */
typedef struct carom_force_tangent {
    double stiffness[PAIR_COLUMNS][PAIR_COLUMNS];
    double damping[PAIR_COLUMNS][PAIR_COLUMNS];
    double coordinate_stiffness;
    double coordinate_damping;
} carom_force_tangent;

typedef struct force_measure {
    const char *name; /* as expressions and signals spell it: "length" */
    carom_dimension dimension;
} force_measure;

typedef struct carom_force_type {
    carom_kind kind; /* first: name, doc, fields, defaults, size */
    force_target target;
    bool gravitational; /* its potential counts as gravity's, else as elastic */

    /* How it is drawn, as results spell it: "spring", "damper", "bushing", "motor", "load", "user". NULL: it has no place (a field), and
     * results do not record what it exerts. */
    const char *(*symbol)(const void *params);
    ledger_account input_account;
    ledger_account dissipation_account;

    /* Kinematic numbers of the element (length, rate), available to its own expressions and as signals. */
    int measure_count;
    force_measure measures[FORCE_MEASURES];
    void (*measure)(double *out, const carom_force_frames *frames, const void *params);

    void (*effect)(carom_force_effect *out, const carom_force_frames *frames, const void *params);
    void (*tangent)(carom_force_tangent *out, const carom_force_frames *frames, const void *params); /* or NULL */

    /* Optional: a number that the element integrates along with the motion, from 0 on. Its typical size, which errors are compared
     * with; 0: elements with these params remember nothing. `integral_name` is what signals call it; it is in the unit of the force. */
    const char *integral_name;
    double (*integral_size)(const void *params);

    /* Optional: completes params from the frames at the start (free length); refuses bad ones. Memory that must live
     * as long as the model comes from the arena. A type that needs room of its own for what it prepares (a spline)
     * declares a struct that begins with its def and gives its size here; it arrives zeroed behind the def. */
    size_t prepared_size; /* 0: kind.size */
    carom_status (*prepare)(void *params, const carom_force_frames *frames, carom_arena *arena, carom_error *err);
} carom_force_type;

/* The type with this name, or NULL. */
const carom_force_type *carom_force_type_find(const char *name);

#endif
