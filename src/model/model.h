/* The compiled model: what dynamics, methods and writers read. Immutable after carom_compile.
 *
 * Inside, a body's frame sits in its centre of mass with the axes of the user's frame; com_b remembers the offset, and
 * only what users see (poses, velocities of the body frame) is converted back. */
#ifndef CAROM_MODEL_MODEL_H
#define CAROM_MODEL_MODEL_H

#include <carom/model.h>

#include <stdatomic.h>

#include "base/arena.h"
#include "base/names.h"
#include "collision/collider.h"
#include "elements/bodies/body.h"
#include "elements/forces/force.h"
#include "elements/joints/joint.h"
#include "elements/laws/user.h"
#include "expr/expr.h"
#include "geometry/mesh.h"
#include "geometry/shape.h"
#include "model/nodal.h"
#include "model/origin.h"
#include "model/value.h"

/* BODY_NODES: moves by the coordinates of its nodes and has no columns (nodal.h). */
typedef enum body_role { BODY_FREE, BODY_FIXED, BODY_KINEMATIC, BODY_NODES } body_role;

typedef struct model_motion { /* prescribed motion of a kinematic body */
    int position[3];          /* value index, or -1: stays */
    int angle;                /* value index, or -1 */
    v3 axis_w;
} model_motion;

typedef struct model_shape {
    const carom_shape_type *type;
    const void *params;
    uint64_t hash;           /* of the params */
    const mesh *mesh;        /* NULL but for meshes */
    bool has_volume;         /* carries mass: neither a plane nor an open mesh; thin shapes do */
    carom_pose pose_b;       /* in the user's body frame */
    const char *material;    /* its own or the body's; NULL: none */
    double material_density; /* [kg/m^3] of the material; 0: the scene's table has none */
    bool touches;
    double spacing; /* [m] of detection points; 0: the method's */
    int resolution; /* of the distance field; 0: the method's */
} model_shape;

typedef struct model_mesh { /* read or made once for all shapes that ask for the same */
    const carom_shape_type *type;
    const void *params;
    uint64_t hash;             /* of the params */
    mesh *mesh;                /* owned, unless it is in a store */
    mesh_quality quality;      /* as the boundary of a solid */
    struct store_item *stored; /* NULL: it is not */
} model_mesh;

typedef struct model_body {
    const char *name;
    body_role role;
    const carom_body_type *type;
    const void *params;     /* of its type */
    uint64_t flexible_hash; /* of what a body that deforms was made from */
    int slot;               /* index among free bodies; -1 for the others */
    int column;             /* first of its columns among those of all free bodies; 0 unless free */
    int width;              /* columns: velocity and angular velocity of its frame, then deformation; 0 unless free */
    int first_deform;       /* first of its coordinates among the deformation coordinates of all bodies */
    double mass;            /* [kg]; 0 unless free */
    m3 inertia_b;           /* [kg m^2] undeformed, about the centre of mass, body axes; 0 unless free */
    v3 com_b;               /* [m] centre of mass in the user's body frame */
    carom_pose start;       /* of the user's body frame */
    v3 start_velocity;      /* of the origin of the user's frame */
    v3 start_omega_w;
    model_motion motion;
    int shape_count;
    const model_shape *shapes;
    double color[3]; /* red green blue; negative: none given */
    spec_origin origin;
    const model_nodal *nodal; /* of BODY_NODES, else NULL */
    const char *material;     /* of a body that deforms, for pairs of the contact section; NULL: none */
    const solid_mesh *solid;  /* finite elements of a body that deforms, in the user's body frame; else NULL */
    double reach;             /* [m] some part of it is so far from its centre of mass */
    bool quasi_static;        /* it starts in the shape of its loads, not undeformed */
} model_body;

/* Whether it has more columns than those of its frame. */
static inline bool body_deforms(const model_body *body)
{
    return body->width > FRAME_COLUMNS;
}

/* Deformation coordinates of a free body. */
static inline int body_coordinate_count(const model_body *body)
{
    return body->width - FRAME_COLUMNS;
}

/* How many of its last columns have a diagonal block in M. */
static inline int body_diagonal(const model_body *body)
{
    return body_deforms(body) && body->type->diagonal ? body->type->diagonal(body->params) : 0;
}

#define SPEED_OF_LIGHT 299792458.0 /* [m/s] nothing is faster */

typedef struct model_joint_spring {
    int coordinate; /* 0..coordinate_count-1 of the joint */
    double stiffness, damping, free, preload;
} model_joint_spring;

typedef struct model_joint_limit {
    int coordinate;
    double min, max;
    double stiffness, damping; /* force k d (1 + damping d_dot) */
    double restitution;
} model_joint_limit;

typedef struct model_joint_start { /* condition on a coordinate at the start */
    int coordinate;
    double value; /* [m or rad]; NAN: none */
    double rate;  /* NAN: none */
} model_joint_start;

typedef struct model_joint {
    const char *name;
    const carom_joint_type *type; /* with clearance that with play, which has another table */
    const void *params;
    int body[2];            /* A and B; at least one is free */
    body_point marker_c[2]; /* marker in the frame at the body's centre of mass */
    int first_row;          /* of the joint's equations; its drivers' rows follow */
    int driver_count;
    struct {
        int coordinate;
        int value;     /* value index */
        bool is_start; /* only while a start is found: of a copy of the model (dynamics/starts.h) */
    } drivers[JOINT_COORDINATES];
    int start_count;
    model_joint_start starts[JOINT_COORDINATES];
    int first_coordinate;
    int spring_count;
    const model_joint_spring *springs;
    int limit_count;
    const model_joint_limit *limits;
    carom_joint_friction_def friction;

    double clearance;      /* [m] how far the middles may part; 0: none, and what follows means nothing */
    double bearing_radius; /* [m] of the journal, or half the width of the slider */
    double guide_length;   /* [m] of the slider; 0: a journal */
    const struct model_interaction *interaction; /* what happens where the surfaces meet; NULL: no clearance */
    spec_origin origin;
} model_joint;

/* coordinate_1 * ratio + coordinate_2 = offset; the offset is fixed at assembly and lives in the state. */
typedef struct model_coupler {
    const char *name;
    int joint[2];
    int coordinate[2]; /* within each joint */
    double ratio;
    int row;
    spec_origin origin;
} model_coupler;

typedef struct model_force {
    const char *name;
    const carom_force_type *type;
    const void *params;
    int body[2]; /* A and B, or A alone (B = -1) */
    body_point marker_c[2];
    int joint; /* FORCE_ON_JOINT, else -1 */
    int coordinate;
    int value_count;
    int values[FORCE_VALUES]; /* value indices */
    int spec_index;           /* definition it comes from */
    int integral;             /* what it remembers; -1: nothing */
} model_force;

/* Whether it has a place, so that results record and draw it. */
static inline bool model_force_is_drawn(const model_force *f)
{
    return f->type->symbol != NULL;
}

/* A contact law of the program around carom. */
typedef struct model_normal_law {
    const carom_user_normal_law_def *def;
    const carom_normal_law *law;
} model_normal_law;

typedef struct model_friction_law {
    const carom_user_friction_law_def *def;
    const carom_friction_law *law;
} model_friction_law;

/* What happens where two surfaces meet, everything decided. */
typedef struct model_interaction {
    bool ignore;
    const carom_normal_law *law; /* NULL: none given */
    const void *law_params;
    law_context context;                /* of the law, but for the speed at first touch */
    const carom_friction_law *friction; /* NULL: none */
    const void *friction_params;
    double restitution;
    carom_restitution_law restitution_law; /* never the default */
    double impulse;                        /* [N s] total normal impulse prescribed; NAN: by the restitution */
    double mu;                             /* Coulomb's coefficient, for methods whose friction is exact */
    double mu_static;                      /* the same of contacts that stick */
    double range;                          /* [m] of barriers; 0: by the size of the shapes */
    double separation;                     /* [m] that barriers keep at least */
    bool per_area;
    bool points[2];                                /* points of the first, of the second side are tried */
    int law_rule, friction_rule, restitution_rule; /* which pair of the contact section says so; -1: the section */
} model_interaction;

/* A shape that takes part in contact. */
typedef struct model_collider {
    int body;
    int shape;
    carom_pose pose_c; /* in the frame at the body's centre of mass, undeformed */
    body_point point;  /* the same as a marker, which goes with the part of a body that deforms nearest to it */
    collider *collider;
    bool shared;               /* the collider belongs to an earlier entry */
    struct store_item *stored; /* or to a store; NULL: it does not */
    int group;                 /* colliders of one group interact alike */
} model_collider;

/* A body that deforms and touches with its own surface. */
typedef struct model_skin {
    int body;
    const char *material; /* of pairs of the contact section; NULL: none */
    const body_surface *surface;
} model_skin;

/* What a signal name means; found once, evaluated often. */
typedef enum signal_source {
    SIGNAL_TIME,
    SIGNAL_POSITION,    /* of the user's body frame; component 0..2 */
    SIGNAL_ORIENTATION, /* quaternion w x y z */
    SIGNAL_VELOCITY,
    SIGNAL_ANGULAR_VELOCITY,
    SIGNAL_CENTER,      /* of mass */
    SIGNAL_DEFORMATION, /* component: which coordinate of a body that deforms */
    SIGNAL_DEFORMATION_RATE,
    SIGNAL_PROBE_POSITION, /* of a body; component: 3 probe + axis */
    SIGNAL_PROBE_VELOCITY,
    SIGNAL_PROBE_DISPLACEMENT,
    SIGNAL_PROBE_STRAIN,  /* component: 3 probe */
    SIGNAL_STRAIN_ENERGY, /* of a body */
    SIGNAL_COORDINATE,    /* joint; component = which coordinate */
    SIGNAL_COORDINATE_RATE,
    SIGNAL_MEASURE,      /* force; component = which measure */
    SIGNAL_ACCELERATION, /* needs the dynamics; of the body frame */
    SIGNAL_ANGULAR_ACCELERATION,
    SIGNAL_JOINT_FORCE, /* reaction on B at marker B, world axes; component 3: magnitude */
    SIGNAL_JOINT_TORQUE,
    SIGNAL_DRIVER,         /* force or torque of the driver of a coordinate */
    SIGNAL_GEAR_EFFORT,    /* what a gear exerts on its second coordinate */
    SIGNAL_CONTACT_FORCE,  /* on a body, all contacts together; component 3: magnitude */
    SIGNAL_CONTACT_TORQUE, /* about the body's centre of mass */
    SIGNAL_CONTACT,        /* component: contact_measure */
    SIGNAL_FORCE_VALUE,    /* magnitude of a force element, signed along its line or coordinate */
    SIGNAL_LEDGER,         /* component: index in the ledger's field table */
    SIGNAL_INPUT,          /* constant within a step, so that forces may depend on it */
    SIGNAL_EVENT,          /* how often an event of the scene has happened */
    SIGNAL_INTEGRAL,       /* a number that is integrated along with the motion */
} signal_source;

typedef enum contact_measure { CONTACT_COUNT, CONTACT_PENETRATION } contact_measure;

typedef struct signal_ref {
    signal_source source;
    int index; /* body, joint or force */
    int component;
    carom_dimension dimension;
} signal_ref;

typedef struct model_input {
    const char *name;
    double start;  /* in SI */
    double factor; /* of its unit */
    carom_dimension dimension;
} model_input;

/* A number that is integrated along with the motion: a state of the scene, or what a force element remembers. */
typedef struct model_integral {
    const char *name;  /* of the state; NULL: of a force */
    int force;         /* whose it is; -1: of the scene */
    int value;         /* the rate of a state; -1: not compiled yet, or of a force */
    double rate_scale; /* from the number that an expression yields to SI */
    double start;      /* in SI */
    double factor;     /* of its unit */
    double size;       /* in SI: what errors are compared with where the value is smaller */
    carom_dimension dimension;
} model_integral;

/* What an event of the scene leads to. */
typedef enum event_action { EVENT_MARKS, EVENT_STOPS, EVENT_SETS } event_action;

typedef struct model_event {
    const char *name;
    int value;        /* the condition, among model->values */
    bool needs_force; /* it depends on more than the motion: looked at where steps end */
    double hold;      /* [s] */
    event_action action;
    int input; /* EVENT_SETS */
    double to; /* EVENT_SETS: in SI */
} model_event;

struct carom_model {
    atomic_int owners; /* the caller, until carom_model_destroy, and every scratch */
    carom_arena arena;
    carom_scene_def scene; /* name, gravity, time, record; strings live in the arena */
    spec_origin scene_origin;
    size_t setting_count;
    const spec_origin *settings; /* where settings were found */
    size_t note_count;
    const carom_note *notes;           /* for people, by element and then by setting */
    struct compile_trouble *trouble;   /* while it is compiled (compile.h), then NULL */
    const struct body_choice *choices; /* likewise: choice_count kinds of bodies */
    int choice_count;
    const struct carom_method *method;
    const void *method_options;

    carom_store *store; /* kept; NULL: none */
    int mesh_count;
    model_mesh *meshes;

    int body_count; /* with the ground, body 0 */
    int free_count;
    int column_count; /* of all free bodies */
    int deform_count; /* deformation coordinates of all free bodies */
    model_body *bodies;
    int *free_bodies; /* slot -> body */
    int nodal_count;  /* bodies in nodal coordinates */
    model_nodal *nodal;
    int surface_count; /* of bodies that deform and can touch */
    model_surface *surfaces;
    int solid_count; /* finite elements of the other bodies that deform, owned */
    solid_mesh **solids;

    int joint_count; /* joints between bodies, couplers not counted */
    model_joint *joints;
    int coupler_count;
    model_coupler *couplers;
    int row_count;
    int coordinate_count;

    int force_count;
    model_force *forces;

    size_t normal_law_count, friction_law_count;
    model_normal_law *normal_laws; /* of the program */
    model_friction_law *friction_laws;

    int collider_count;
    model_collider *colliders;
    int group_count;
    model_interaction *interactions; /* group_count x group_count: [of first][of second] */
    model_interaction *
        *surface_interactions; /* surface_count x (collider_count + surface_count); NULL entries: none */
    int skin_count;            /* surfaces of bodies that deform, of methods that have them */
    model_skin *skins;
    model_interaction **skin_interactions; /* skin_count x (collider_count + skin_count); NULL entries: none */
    int joined_count;
    int (*joined)
        [2]; /* ascending pairs of bodies, lower first, that a joint connects and that therefore do not touch */

    int input_count;
    model_input *inputs;

    int integral_count; /* states of the scene, then what forces remember */
    int integral_capacity;
    model_integral *integrals;

    int event_count;
    model_event *events;

    int value_count;
    int value_capacity;
    model_value *values;

    carom_names names; /* of every element, to its code (compile.h) */

    int signal_count; /* recorded columns */
    const char **signal_names;
    signal_ref *signals;

    double length_scale; /* [m] typical lever arm: what an angle of 1 rad is compared with */

    uint64_t hash; /* of everything that decides results: a state or a checkpoint must fit its model */
};

/* One more owner; carom_model_destroy takes one away and frees the model with the last. A scratch points into its model
 * and may be destroyed after it, and no other model can appear at the same address meanwhile. */
void model_keep(const carom_model *model);

/* Resolves a signal name: global names "body.position.x", "joint.angle", "spring.length", "energy.kinetic", "t"; with
 * force >= 0 also that force's bare measures ("length"). */
carom_status model_find_signal(const carom_model *model, const char *name, int force, signal_ref *out,
                               carom_error *err);

/* The state of the scene with this name among the integrals, or CAROM_NONE. */
int model_find_state(const carom_model *model, const char *name);

/* The joint of a row, or joint_count + k for the k-th coupler. */
int model_row_owner(const carom_model *model, int row);

/* How two colliders, a before b, interact; NULL: not at all (one body, none of them moves, joined, ignored). */
const model_interaction *model_interaction_of(const carom_model *model, int a, int b);

/* How the k-th surface of finite elements interacts with a collider, or with surface l of them (other = collider_count + l); NULL: not at
 * all. */
const model_interaction *model_surface_interaction(const carom_model *model, int k, int other);

/* The same of the k-th surface of a body that deforms (other = collider_count + l: the l-th of them). */
const model_interaction *model_skin_interaction(const carom_model *model, int k, int other);

#endif
