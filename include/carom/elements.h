/* Definitions of everything a scene is made of: plain structs with defaults, each field with its unit. SI throughout.
 * Scenes are read into these same structs through their field tables.
 *
 * Start from the _default of a struct. Texts may be NULL where the table does not require them, lists where their count is
 * 0, params for the defaults of a kind; what is wrong is refused by the spec that a definition is added to. Threads: plain
 * data, the caller's; tables and kinds are constants, shared freely. */
#ifndef CAROM_ELEMENTS_H
#define CAROM_ELEMENTS_H

#include <carom/fields.h>
#include <carom/flexible.h>

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
    const char *material;   /* for pairs of the contact section; NULL: the body's */
    bool touches;           /* takes part in contact */
    double spacing;         /* [m] of detection points; 0: the method's */
    int resolution;         /* of the distance field of a mesh; 0: the method's */
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

typedef struct carom_ellipsoid_def { /* centred on the origin */
    carom_v3 radii;                  /* [m] half axes along x, y and z */
} carom_ellipsoid_def;

typedef struct carom_torus_def { /* about z, centred on the origin */
    double ring_radius;          /* [m] of the circle in the middle of the tube */
    double tube_radius;          /* [m] smaller than the ring's */
} carom_torus_def;

typedef struct carom_plane_def { /* infinite, through the origin; solid on the side against the normal */
    carom_v3 normal;
} carom_plane_def;

typedef struct carom_rod_def { /* along z, centred on the origin, without thickness; moves in its xz plane */
    double length;             /* [m] */
    double radius;             /* [m] for mass, drawing and methods that know no lines; 0: length / 100 */
} carom_rod_def;

typedef struct carom_polygon_point {
    carom_reals at; /* [m] x and y */
} carom_polygon_point;

typedef struct carom_polygon_def { /* a plate in the xy plane, from z = -thickness / 2 to thickness / 2 */
    carom_list points;             /* of carom_polygon_point, counter-clockwise; convex or not */
    double thickness;              /* [m] */
} carom_polygon_def;

/* Shapes from a file, or from vertices and what joins them. `scale` is metres per unit of the file (or of the
 * vertices), for all axes or for x, y and z; none: one metre. */
typedef struct carom_mesh_vertex {
    carom_reals at; /* x, y and z, in units of scale */
} carom_mesh_vertex;

typedef struct carom_mesh_cell {
    carom_reals of; /* vertices, counted from 0: three of a triangle, two of an edge */
} carom_mesh_cell;

typedef struct carom_mesh_def {
    const char *file; /* STL, OBJ or PLY; NULL: vertices and triangles */
    carom_reals scale;
    carom_list vertices;  /* of carom_mesh_vertex */
    carom_list triangles; /* of carom_mesh_cell */
} carom_mesh_def;

typedef struct carom_sheet_def { /* a surface without thickness, open or closed */
    const char *file;
    carom_reals scale;
    carom_list vertices;  /* of carom_mesh_vertex */
    carom_list triangles; /* of carom_mesh_cell */
    double mass_per_area; /* [kg/m^2] 0: not given */
} carom_sheet_def;

typedef struct carom_wire_def { /* straight pieces */
    const char *file;           /* OBJ with lines */
    carom_reals scale;
    carom_list vertices;    /* of carom_mesh_vertex */
    carom_list edges;       /* of carom_mesh_cell */
    double mass_per_length; /* [kg/m] 0: not given */
    double radius;          /* [m] 0: a line */
} carom_wire_def;

typedef struct carom_points_def {
    const char *file; /* OBJ */
    carom_reals scale;
    carom_list vertices;   /* of carom_mesh_vertex */
    double mass_per_point; /* [kg] 0: not given */
    double radius;         /* [m] 0: points */
} carom_points_def;

typedef struct carom_made_def { /* a procedural mesh, see carom/mesh.h */
    carom_choice what;          /* kind "gear", ... of carom_mesh_make_kinds, and its params */
} carom_made_def;

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
    double density;             /* [kg/m^3] of shapes that give none; 0: that of their material, if it has one */
    double mass;                /* [kg]; 0: from shapes. With shapes and without inertia, shapes are scaled to it */
    carom_reals inertia;        /* [kg m^2] about the centre of mass in body axes: Ixx Iyy Izz [Ixy Ixz Iyz] */
    carom_reals center_of_mass; /* [m] in the body frame, 3 numbers; none: from shapes, else the origin */
    bool fixed;                 /* never moves */
    carom_motion_def motion;
    const char
        *material; /* for pairs of the contact section; one of the scene's table gives density and stiffness too */
    carom_reals color;           /* red green blue, 0..1, for viewers */
    carom_flexible_def flexible; /* a body that deforms */
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

/* Where a coordinate is at the start, and how fast it moves then; what is not given (NAN) is as drawn. `angle` and
 * `travel` are short for the value of the coordinate of that name. */
typedef struct carom_joint_start_def {
    const char *coordinate;
    double value;  /* [m or rad] */
    double angle;  /* [rad] */
    double travel; /* [m] */
    double rate;   /* [m/s or rad/s] */
} carom_joint_start_def;

typedef struct carom_joint_friction_def { /* used by methods that resolve joint friction */
    bool given;
    double coefficient; /* Coulomb friction */
    double radius;      /* [m] of the bearing (revolute, spherical, cylindrical), of the thread (screw) */
    double length;      /* [m] of the sleeve (revolute, prismatic, cylindrical); 0: moments do not press */
} carom_joint_friction_def;

/* Play in the joint: a journal loose in its bearing (revolute), a slider loose in its guide (prismatic). What happens
 * where the surfaces meet is said in the contact section; pairs may name the joint. */
typedef struct carom_joint_clearance_def {
    bool given;
    double play;   /* [m] how far the middles may part: radius of the bearing less that of the journal; 0: none */
    double radius; /* [m] of the journal, half the width of the slider; 0: the radius of the joint's friction */
    double length; /* [m] of the slider; 0: the length of the joint's friction */
} carom_joint_clearance_def;

typedef struct carom_joint_def {
    const char *name;
    carom_choice joint; /* kind "revolute", ... and its params */
    carom_attachment attachment;
    carom_list springs; /* of carom_joint_spring_def */
    carom_list limits;  /* of carom_joint_limit_def */
    carom_list motions; /* of carom_joint_motion_def */
    carom_list starts;  /* of carom_joint_start_def */
    carom_joint_friction_def friction;
    carom_joint_clearance_def clearance;
} carom_joint_def;

typedef struct carom_screw_def {
    double pitch; /* [m] advance per turn; right-handed when positive */
} carom_screw_def;

typedef struct carom_distance_def {
    double length; /* [m]; 0 takes the distance at the start */
    double
        min; /* [m] instead of a length: bounds of a strut, a rope, or both; 0: none. carom_spec_add_joint makes them a */
    double max; /* joint `rope` with these limits. */
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

typedef enum carom_motor_mode {
    CAROM_MOTOR_TORQUE,
    CAROM_MOTOR_SPEED,
    CAROM_MOTOR_POSITION,
    CAROM_MOTOR_PID,
} carom_motor_mode;
typedef struct carom_motor_def { /* on a joint coordinate */
    carom_motor_mode mode;
    carom_value target; /* torque or force, speed, or position of the coordinate */
    double gain;        /* speed: force per speed error; position: force per position error */
    double damping;     /* position, pid: force per speed */
    double limit;       /* largest force or torque; 0 = none */
    double integral;    /* pid: force per second and position error */
    double anti_windup; /* [s] pid: time in which the integral gives way while the limit acts; 0: gain / integral */
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

/* ---- contact laws --------------------------------------------------------------------------------------------- */

/* Normal forces. p is the penetration [m], p' its rate, v0 the speed at first touch, e the restitution asked for. None
 * ever pulls. Where forces are per area, stiffness and damping are per square metre of surface. */

typedef struct carom_linear_law_def { /* k p */
    double k;                         /* [N/m] */
} carom_linear_law_def;

/* k p^n. Where k is not given it follows from the materials and radii of two rounded surfaces, k = 4/3 E sqrt(R) with
 * 1/E the sum of (1 - poisson^2)/young and 1/R the sum of 1/radius over both sides; n is 1.5 then. */
typedef struct carom_hertz_law_def {
    double k;            /* [N/m^n]; 0: from the rest */
    double n;            /* 1 to 10 */
    carom_reals young;   /* [Pa] one number for both sides, or one each */
    carom_reals poisson; /* one number for both sides, or one each; none: 0.3 */
    carom_reals radius;  /* [m] of curvature, positive convex, negative hollow, 0 flat; one number: against a plane */
} carom_hertz_law_def;

/* The dent of two sides that touch along a line, by their materials [Johnson1985]; grows a little slower than F. */
typedef struct carom_line_law_def {
    carom_reals young;   /* [Pa] one number for both sides, or one each */
    carom_reals poisson; /* one number for both sides, or one each; none: 0.3 */
    carom_reals radius;  /* [m] positive convex, negative hollow, 0 flat; one number: against a flat side */
    carom_reals depth;   /* [m] below the surface, down to which a side gives way; 0 or none: down to the axis */
    double length;       /* [m] of the line */
    int plane;           /* carom_flexible_plane: stress or strain */
} carom_line_law_def;

typedef struct carom_power_law_def { /* k p^n + chi p^m p', (36) of paper 1 */
    double k;                        /* [N/m^n] */
    double n;                        /* 1 to 10 */
    double chi;                      /* [N s/m^(m+1)] */
    double m;                        /* 1 to 10; or 0, with a jump of the force at first touch */
} carom_power_law_def;

typedef struct carom_kelvin_voigt_law_def { /* k p + c s(p/ramp) p', s a smooth step from 0 to 1 */
    double k;                               /* [N/m] */
    double c;                               /* [N s/m] */
    double ramp;                            /* [m]; 0: s = 1, the force jumps to c v0 at first touch */
} carom_kelvin_voigt_law_def;

/* k p^n (1 + a(e) p'/v0): one family, the laws differ in a(e). */
typedef struct carom_hysteretic_law_def {
    carom_hertz_law_def elastic; /* k and n, or materials */
    double v_min;                /* [m/s] stands for v0 where that is smaller: resting contact */
} carom_hysteretic_law_def;

/* Friction. v is the slip speed, N the normal force. */

/* N mu(v), (38) of paper 1: an odd cubic through 0 that reaches mu_s at v_s, then a cubic down to mu_d at v_d. */
typedef struct carom_smooth_friction_def {
    double mu_s, mu_d;
    double v_s, v_d; /* [m/s] 0 < v_s < v_d */
} carom_smooth_friction_def;

typedef struct carom_coulomb_friction_def { /* N mu v / sqrt(v^2 + v_e^2) */
    double mu;
    double v_e; /* [m/s] regularisation */
} carom_coulomb_friction_def;

/* N (sigma_0 z + sigma_1 s(v) z' + sigma_2 v) with the bristle's deflection z' = v - sigma_0 |v| z / g(v),
 * g(v) = mu_d + (mu_s - mu_d) s(v), s(v) = exp(-(v/v_s)^2). */
typedef struct carom_lugre_friction_def {
    double mu_s, mu_d; /* > 0 */
    double v_s;        /* [m/s] Stribeck velocity */
    double sigma_0;    /* [1/m] bristle stiffness per normal force */
    double sigma_1;    /* [s/m] bristle damping per normal force, at most 9.3 min(mu_s, mu_d)/v_s to be passive */
    double sigma_2;    /* [s/m] viscous friction per normal force */
} carom_lugre_friction_def;

/* ---- contact between bodies ------------------------------------------------------------------------------------- */

typedef enum carom_contact_per { CAROM_PER_DEFAULT, CAROM_PER_POINT, CAROM_PER_AREA } carom_contact_per;

/* First and second as a pair names them, else in the order of the scene. */
typedef enum carom_contact_points {
    CAROM_POINTS_DEFAULT,
    CAROM_POINTS_BOTH,
    CAROM_POINTS_FIRST,
    CAROM_POINTS_SECOND
} carom_contact_points;

/* What restitution means in an impact: of work (Stronge), of impulse (Poisson), of speed (Newton). */
typedef enum carom_restitution_law {
    CAROM_RESTITUTION_DEFAULT,
    CAROM_RESTITUTION_ENERGETIC,
    CAROM_RESTITUTION_POISSON,
    CAROM_RESTITUTION_NEWTON
} carom_restitution_law;

/* What happens where two surfaces meet. Methods take what they need: laws for forces, restitution for impacts. */
typedef struct carom_interaction_def {
    carom_choice law;                      /* normal force; kind NULL: the scene's, else chosen by the method */
    carom_choice friction;                 /* kind NULL: the scene's, else none */
    double restitution;                    /* 0..1; NAN: the scene's, else 1 */
    carom_restitution_law restitution_law; /* the scene's, else energetic */
    double
        impulse;  /* [N s] total normal impulse of every impact, whatever the restitution; 0: by the restitution; NAN:
                       the scene's, else 0 */
    double range; /* [m] how near surfaces push each other apart, for barriers; 0: the scene's, else by their size */
    double separation;           /* [m] that surfaces keep at least, for barriers; NAN: the scene's, else 0 */
    carom_contact_per per;       /* stiffness of a point, or of its share of the surface */
    carom_contact_points points; /* whose are tried against the other's surface */
} carom_interaction_def;

/* The exception for some pairs: both names may be of a body, of a material, of a joint with clearance, or end in '*'. */
typedef struct carom_contact_pair_def {
    carom_list between; /* of const char *, two */
    bool ignore;        /* they pass through each other */
    carom_interaction_def interaction;
} carom_contact_pair_def;

typedef struct carom_contact_def {
    carom_choice method; /* "none", "compliant", ... with its options as params */
    carom_interaction_def interaction;
    carom_list pairs;    /* of carom_contact_pair_def; the last that fits a pair wins */
    bool between_joined; /* also between bodies that a joint connects */
} carom_contact_def;

/* ---- the lists: every kind there is, in one place each; ended by NULL ---------------------------------------- */

CAROM_API const carom_kind *const *carom_shape_kinds(void);
CAROM_API const carom_kind *const *carom_joint_kinds(void);
CAROM_API const carom_kind *const *carom_force_kinds(void);
CAROM_API const carom_kind *const *carom_normal_law_kinds(void);
CAROM_API const carom_kind *const *carom_friction_law_kinds(void);
CAROM_API const carom_kind *const *carom_method_kinds(void);
CAROM_API const carom_kind *const *carom_integrator_kinds(void);

/* Field tables of the common parts, ended by name == NULL. */
CAROM_API const carom_field *carom_body_fields(void);
CAROM_API const carom_field *carom_shape_fields(void);
CAROM_API const carom_field *carom_joint_fields(void);
CAROM_API const carom_field *carom_force_fields(void);

CAROM_API const carom_field *carom_contact_fields(void);

CAROM_API carom_body_def carom_body_def_default(void);
CAROM_API carom_shape_def carom_shape_def_default(void);
CAROM_API carom_joint_def carom_joint_def_default(void);
CAROM_API carom_force_def carom_force_def_default(void);
CAROM_API carom_contact_def carom_contact_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
