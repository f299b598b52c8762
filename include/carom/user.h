/* Forces and contact laws of your own: functions in C that a spec takes along.
 *
 * Identity. A model has a hash, by which states and checkpoints know whether they fit it. Machine code cannot be hashed, so the
 * name, the version and the numbers of a definition stand for it: change the version whenever the function changes its
 * results. `context` is a pointer that carom hands back and never looks at; it is no part of the hash. What a result depends
 * on belongs into the numbers, which are copied.
 *
 * Contract of every function here: the result depends on the arguments alone, the context must not change while the model
 * lives, nothing is remembered between calls. Functions are called in any order, at trial points that are later given up, and
 * from several threads at once where several runs share the model. They must not call carom with the state, scratch or run
 * that is being advanced, and must not leave by longjmp or a C++ exception. Functions and context must stay valid until the
 * model and the last of its scratches are destroyed.
 *
 * Threads: definitions are the caller's plain data. SI and world axes throughout. */
#ifndef CAROM_USER_H
#define CAROM_USER_H

#include <carom/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- forces --------------------------------------------------------------------------------------------------- */

/* A frame fixed to a body. */
typedef struct carom_user_marker {
    carom_v3 position;         /* [m] */
    carom_v3 x, y, z;          /* its axes */
    carom_v3 velocity;         /* [m/s] of the point */
    carom_v3 angular_velocity; /* [rad/s] of the body */
} carom_user_marker;

/* What a force sees. Where it acts on a joint coordinate the markers are zero; on one body, so is B. */
typedef struct carom_user_force_input {
    double t; /* [s] */
    carom_user_marker a, b;
    double mass;          /* [kg] of the body of A; 0 where it does not move freely */
    double coordinate;    /* [m or rad] */
    double rate;          /* [m/s or rad/s] */
    const double *inputs; /* of the scene, in its order */
    size_t input_count;
    const double *numbers; /* of the definition */
    size_t number_count;
} carom_user_force_input;

enum { CAROM_USER_MEASURES = 4 };

/* What it exerts; zero at the call. Between two bodies B gets the exact opposite of force and torque, so that both momenta are
 * kept.
 *
 * Books: all its power counts as input of loads, except what the last three numbers say. With `potential` V goes its rate
 * dV/dt, which is minus the power of the part of the force that derives from V; then power = -dV/dt - dissipation + input,
 * and the input is what is left. A rate that is not that of the potential shows as a residue of the ledger. */
typedef struct carom_user_force_output {
    carom_v3 force;        /* [N] on A at marker A */
    carom_v3 torque;       /* [N m] on A about marker A */
    double along;          /* [N or N m] along the joint coordinate */
    double potential;      /* [J] stored */
    double potential_rate; /* [W] */
    double dissipation;    /* [W] lost to damping, >= 0; booked as it is: a negative one shows there as a gain */
    double measures[CAROM_USER_MEASURES];
} carom_user_force_output;

typedef void carom_user_force(carom_user_force_output *out, const carom_user_force_input *in, void *context);

/* For Newton's method of the implicit integrators; zero at the call. Minus the derivative of [force on A, torque on A about
 * marker A, force on B, torque on B about marker B] by the displacements [m] and turns [rad] of both markers (stiffness) and
 * by their velocities (damping): the leading 6 x 6 for a force on one body. Matrices should be symmetric and not negative;
 * leave out parts that are not. It decides how fast a step converges, never what it converges to. */
typedef struct carom_user_force_tangent {
    double stiffness[12][12];
    double damping[12][12];
    double along_stiffness; /* by the joint coordinate */
    double along_damping;   /* by its rate */
} carom_user_force_tangent;

typedef void carom_user_tangent(carom_user_force_tangent *out, const carom_user_force_input *in, void *context);

/* A number of the force that is recorded and known to expressions as "NAME OF FORCE.name". */
typedef struct carom_user_measure {
    const char *name; /* letters, digits and _, not a digit first */
    carom_dimension dimension;
} carom_user_measure;

/* The params of a force of kind "user":
 *
 *     carom_user_force_def magnet = { .law = "magnet", .version = 1, .force = magnet_force };
 *     carom_force_def def = carom_force_def_default();
 *     def.name = "latch";
 *     def.force = (carom_choice){ .kind = "user", .params = &magnet };
 *     def.attachment.bodies[0] = "door", def.attachment.bodies[1] = "frame";
 *     carom_spec_add_force(spec, &def, &err);
 *
 * It acts on the joint coordinate where `joint` is given, between two bodies where both are, else on one body (or on "all").
 * A scene file cannot hold one. Without a tangent, differences of the force stand for it: up to 25 calls whenever an implicit
 * integrator renews its matrix. A tangent that writes nothing saves them, for forces that hardly depend on the motion. */
typedef struct carom_user_force_def {
    const char *law;     /* name of the law, part of the identity */
    int version;         /* of the function */
    carom_reals numbers; /* copied */
    carom_list measures; /* of carom_user_measure, at most CAROM_USER_MEASURES */
    carom_user_force *force;
    carom_user_tangent *tangent; /* or NULL */
    void *context;
} carom_user_force_def;

/* ---- contact laws ------------------------------------------------------------------------------------------------- */

/* A contact law has a name. The spec takes the law; the contact section, or a pair of it, refers to it by name, in C
 *
 *     carom_spec_add_normal_law(spec, &rubber, &err);
 *     const carom_user_law_def by_name = { .name = "rubber" };
 *     scene.contact.interaction.law = (carom_choice){ .kind = "user", .params = &by_name };
 *
 * and in a scene file "law": {"user": "rubber"}, whose spec is given the law before it is compiled. */
typedef struct carom_user_law_def {
    const char *name;
    carom_reals numbers; /* instead of the law's own; none: those */
} carom_user_law_def;

/* What a normal law sees, at one point. */
typedef struct carom_user_normal_input {
    double gap;         /* [m] negative: penetration */
    double gap_rate;    /* [m/s] negative: approaching */
    double approach;    /* [m/s] >= 0: speed at first touch, for laws that remember it; else 0 */
    double restitution; /* asked for, 0 to 1 */
    const double *numbers;
    size_t number_count;
} carom_user_normal_input;

/* What it returns; zero at the call. Forces are per point, or per square metre where the contact is per area. Contract, for
 * every approach:
 *   gap >= 0: everything is 0
 *   gap < 0:  force >= 0, it never pulls; derivatives are those of the force; d_gap_rate <= 0
 *             elastic = -d(potential)/d(gap) >= 0, and neither depends on the gap rate
 *             dissipation -(force - elastic) * gap_rate >= 0
 * The potential grows with the depth without bound. It is what tells how deep a body of a given energy gets. A law is tried
 * out when a model is compiled, and refused with numbers where it breaks the contract. Deeper or faster than it was tried, a
 * force that is not finite or below zero ends the step. */
typedef struct carom_user_normal_output {
    double force;      /* [N] */
    double d_gap;      /* [N/m] */
    double d_gap_rate; /* [N s/m] */
    double elastic;    /* [N] the part that derives from the potential; the rest is damping */
    double potential;  /* [J] */
} carom_user_normal_output;

typedef void carom_user_normal_law(carom_user_normal_output *out, const carom_user_normal_input *in, void *context);

typedef struct carom_user_normal_law_def {
    const char *name; /* none of the laws that carom has */
    int version;
    carom_reals numbers; /* copied */
    carom_user_normal_law *force;
    void *context;
    bool remembers_approach; /* the law uses `approach` */
    bool uses_restitution;   /* the law uses `restitution` */
    double probe_depth;      /* [m] up to which it is tried out; 0: 1 mm */
    double probe_speed;      /* [m/s] up to which it is tried out; 0: 1 m/s */
} carom_user_normal_law_def;

/* Friction by a coefficient that depends on the slip speed: a force of mu(speed) times the normal force against the slip. */
typedef struct carom_user_friction_input {
    double speed; /* [m/s] >= 0, of slip */
    const double *numbers;
    size_t number_count;
} carom_user_friction_input;

/* Zero at the call. Contract: mu(0) = 0 (contacts that hold creep), mu >= 0, `slope` is its derivative. It is tried
 * out up to 100 times the speed `slide`; a mu that is not finite or below zero at higher speeds ends the step. */
typedef struct carom_user_friction_output {
    double mu;
    double slope; /* [s/m] */
} carom_user_friction_output;

typedef void carom_user_friction_law(carom_user_friction_output *out, const carom_user_friction_input *in,
                                     void *context);

typedef struct carom_user_friction_law_def {
    const char *name;
    int version;
    carom_reals numbers; /* copied */
    carom_user_friction_law *friction;
    void *context;
    double stick,
        slide; /* [m/s] slip speeds below which a contact is said to stick, above which to slide; stick > 0 */
    double coefficient; /* Coulomb's, for methods whose friction is exact and that do not ask for mu(speed) */
} carom_user_friction_law_def;

/* Each copies its definition. Names must be unique among normal laws, and among friction laws, those of carom included. */
CAROM_API carom_status carom_spec_add_normal_law(carom_spec *spec, const carom_user_normal_law_def *def,
                                                 carom_error *err);
CAROM_API carom_status carom_spec_add_friction_law(carom_spec *spec, const carom_user_friction_law_def *def,
                                                   carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
