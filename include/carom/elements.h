/* Definitions of everything a scene is made of: plain structs with defaults, each field with its unit. SI throughout.
 * Scenes are read into these same structs through their field tables. */
#ifndef CAROM_ELEMENTS_H
#define CAROM_ELEMENTS_H

#include <carom/fields.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes ------------------------------------------------------------------------------------------------- */

/* One piece of a body's geometry. `shape.kind` is "box", "sphere", ...; its params are one of the structs below. */
typedef struct carom_shape_def {
    carom_choice shape;
    carom_v3 at;            /* [m] origin of the shape in the body's frame */
    carom_quat orientation; /* shape axes to body axes */
    double density;         /* [kg/m^3]; 0 takes the body's */
} carom_shape_def;

typedef struct carom_box_def {
    carom_v3 size; /* [m] full edge lengths, centred on the origin */
} carom_box_def;

typedef struct carom_sphere_def {
    double radius; /* [m] */
} carom_sphere_def;

typedef struct carom_cylinder_def { /* along z, centred on the origin */
    double radius;                  /* [m] */
    double length;                  /* [m] */
} carom_cylinder_def;

typedef struct carom_capsule_def { /* along z, centred on the origin */
    double radius;                 /* [m] */
    double length;                 /* [m] of the straight part, without the caps */
} carom_capsule_def;

typedef struct carom_cone_def { /* base at z = 0, tip at z = height */
    double radius;              /* [m] of the base */
    double height;              /* [m] */
} carom_cone_def;

typedef struct carom_plane_def { /* infinite, through the origin; solid on the side against the normal */
    carom_v3 normal;
} carom_plane_def;

typedef struct carom_mesh_def {
    const char *file; /* STL, OBJ or PLY */
    double scale;     /* metres per file unit */
} carom_mesh_def;

/* ---- bodies ------------------------------------------------------------------------------------------------- */

/* Prescribed motion: makes the body kinematic. Position of the body frame in the world; the body turns by `angle`
 * about the world direction `axis` from its initial orientation. A component that is not given keeps its initial
 * value (an unset carom_value: kind CAROM_NUMBER, number NAN). */
typedef struct carom_motion_def {
    bool given;
    carom_value position[3]; /* [m] */
    carom_v3 axis;
    carom_value angle; /* [rad] */
} carom_motion_def;

typedef struct carom_body_def {
    const char *name;
    carom_list shapes;          /* of carom_shape_def */
    carom_v3 position;          /* [m] of the body frame in the world */
    carom_quat orientation;     /* body axes to world axes */
    carom_v3 velocity;          /* [m/s] of the origin of the body frame */
    carom_v3 angular_velocity;  /* [rad/s] in world axes */
    double density;             /* [kg/m^3] of shapes that give none */
    double mass;                /* [kg]; 0: from shapes. With shapes and without inertia, shapes are scaled to it */
    carom_reals inertia;        /* [kg m^2] about the centre of mass in body axes: Ixx Iyy Izz [Ixy Ixz Iyz] */
    carom_reals center_of_mass; /* [m] in the body frame, 3 numbers; none: from shapes, else the origin */
    bool fixed;                 /* never moves */
    carom_motion_def motion;
    carom_reals color; /* red green blue, 0..1, for viewers */
} carom_body_def;

/* ---- attachment: where a joint or force sits ----------------------------------------------------------------- */

/* A marker fixed to a body, in that body's frame. */
typedef struct carom_frame_def {
    bool given;
    carom_v3 position; /* [m] */
    carom_quat orientation;
} carom_frame_def;

/* Two markers, A on bodies[0] and B on bodies[1]. Either by world data at the start (`at`, `axis`, ...), or by frames
 * in body axes, which win. z of a marker is the joint's axis. */
typedef struct carom_attachment {
    const char *bodies[2]; /* "ground" allowed */
    carom_v3 at;           /* [m] world position of marker A */
    carom_reals at_b;      /* [m] world position of marker B; none: the same point */
    carom_v3 axis;         /* world direction of z */
    carom_reals x_axis;    /* world direction of x, made perpendicular to the axis; none: some direction across */
    carom_frame_def frame_a;
    carom_frame_def frame_b;
} carom_attachment;

/* ---- joints ------------------------------------------------------------------------------------------------- */

/* Which coordinate of a joint: its name ("angle"), or NULL where the joint has only one. Dimensions follow the
 * coordinate: metres and newtons, or radians and newton metres. */
typedef struct carom_joint_spring_def {
    const char *coordinate;
    double stiffness;
    double damping;
    double free;    /* coordinate at which the spring is relaxed */
    double preload; /* force at the relaxed coordinate */
} carom_joint_spring_def;

typedef struct carom_joint_limit_def {
    const char *coordinate;
    double min;
    double max;
    double stiffness;   /* k of a compliant stop: force k d (1 + damping * d_dot) at overshoot d, never pulling */
    double damping;     /* [s per coordinate unit] */
    double restitution; /* where the contact method treats stops as impacts: 1 gives back everything */
} carom_joint_limit_def;

typedef struct carom_joint_motion_def { /* prescribed motion of a coordinate: a driver */
    const char *coordinate;
    carom_value value; /* the coordinate over time; of t only */
} carom_joint_motion_def;

typedef struct carom_joint_friction_def { /* used by methods that resolve joint friction */
    bool given;
    double coefficient; /* Coulomb friction */
    double radius;      /* [m] of the bearing (revolute, spherical, cylindrical) */
} carom_joint_friction_def;

typedef struct carom_joint_def {
    const char *name;
    carom_choice joint; /* kind "revolute", ... and its params */
    carom_attachment attachment;
    carom_list springs; /* of carom_joint_spring_def */
    carom_list limits;  /* of carom_joint_limit_def */
    carom_list motions; /* of carom_joint_motion_def */
    carom_joint_friction_def friction;
} carom_joint_def;

typedef struct carom_screw_def {
    double pitch; /* [m] advance per turn; right-handed when positive */
} carom_screw_def;

typedef struct carom_distance_def {
    double length; /* [m]; 0 takes the distance at the start */
} carom_distance_def;

/* Couples coordinates of two other joints: coordinate_1 * ratio + coordinate_2 = constant (its value at the start).
 * A pair of external gears has ratio = + teeth_1 / teeth_2 when both axes point the same way. */
typedef struct carom_gear_def {
    const char *joint_1;
    const char *joint_2;
    const char *coordinate_1; /* NULL: the only one */
    const char *coordinate_2;
    double ratio;
} carom_gear_def;

/* ---- forces ------------------------------------------------------------------------------------------------- */

typedef struct carom_force_def {
    const char *name;
    carom_choice force;          /* kind "spring", ... and its params */
    carom_attachment attachment; /* one-body forces use marker A only */
    const char *joint;           /* forces on a joint coordinate */
    const char *coordinate;      /* which one; NULL: the only one */
} carom_force_def;

typedef struct carom_load_def { /* force and torque on marker A */
    carom_value force[3];       /* [N] */
    carom_value torque[3];      /* [N m] */
    bool follow;                /* components along marker A's axes instead of the world's */
} carom_load_def;

typedef struct carom_spring_def { /* between markers A and B, along the line joining them */
    double stiffness;             /* [N/m] */
    double damping;               /* [N s/m] */
    double free_length;           /* [m]; NAN takes the length at the start */
    double preload;               /* [N] tension at the free length */
    carom_curve table;            /* [m] -> [N]: tension over extension, instead of stiffness */
    carom_value force;            /* [N] tension as an expression of length, extension, rate, t; adds to the rest */
} carom_spring_def;

typedef struct carom_bushing_def { /* six components in marker A's axes */
    carom_v3 stiffness;            /* [N/m] */
    carom_v3 damping;              /* [N s/m] */
    carom_v3 angular_stiffness;    /* [N m/rad] */
    carom_v3 angular_damping;      /* [N m s/rad] */
} carom_bushing_def;

typedef enum carom_motor_mode { CAROM_MOTOR_TORQUE, CAROM_MOTOR_SPEED, CAROM_MOTOR_POSITION } carom_motor_mode;
typedef struct carom_motor_def { /* on a joint coordinate */
    int mode;                    /* carom_motor_mode */
    carom_value target;          /* torque or force, speed, or position of the coordinate */
    double gain;                 /* speed: force per speed error; position: force per position error */
    double damping;              /* position: force per speed */
    double limit;                /* largest force or torque; 0 = none */
} carom_motor_def;

typedef struct carom_drag_def { /* on one body, opposing the motion of marker A against still air */
    double linear;              /* [N s/m] */
    double quadratic;           /* [N s^2/m^2] */
    double angular;             /* [N m s] */
} carom_drag_def;

typedef struct carom_gravity_field_def { /* attraction by a point: acceleration mu / r^2 */
    carom_v3 center;                     /* [m] */
    double mu;                           /* [m^3/s^2] */
} carom_gravity_field_def;

/* ---- the lists: every kind there is, in one place each; ended by NULL ---------------------------------------- */

CAROM_API const carom_kind *const *carom_shape_kinds(void);
CAROM_API const carom_kind *const *carom_joint_kinds(void);
CAROM_API const carom_kind *const *carom_force_kinds(void);
CAROM_API const carom_kind *const *carom_method_kinds(void);
CAROM_API const carom_kind *const *carom_integrator_kinds(void);

/* Field tables of the common parts, ended by name == NULL. */
CAROM_API const carom_field *carom_body_fields(void);
CAROM_API const carom_field *carom_shape_fields(void);
CAROM_API const carom_field *carom_joint_fields(void);
CAROM_API const carom_field *carom_force_fields(void);

CAROM_API carom_body_def carom_body_def_default(void);
CAROM_API carom_shape_def carom_shape_def_default(void);
CAROM_API carom_joint_def carom_joint_def_default(void);
CAROM_API carom_force_def carom_force_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
