/* What a kind of body supplies. It sees its own parameters, a frame and its deformation coordinates, never the model.
 *
 * A body has the columns [v; omega; q']: the velocity of its frame's origin and its angular velocity, in world axes, then the
 * rates of its coordinates q. With a for the accelerations in the same columns, its motion is
 *
 *     M(frame, q) a = f(frame, q, q') + gravity + all that joints, forces and contacts do at its points.
 *
 * What M says needs no function of its own: kinetic energy u^T M u / 2, momentum and angular momentum about the origin (the
 * first six entries of M u), centre of mass (the block of v and omega), gravity (M times [g; 0; 0]).
 *
 * A row of velocities against a body is six numbers [F; T], a force and a torque about the frame's origin, as joints write
 * them. What it has in the columns of q follows from the point at which it acts: `twist`. */
#ifndef CAROM_ELEMENTS_BODIES_BODY_H
#define CAROM_ELEMENTS_BODIES_BODY_H

#include <carom/elements.h>

#include "base/arena.h"
#include "elements/bodies/point.h"

/* The books balance exactly: the power of f is that of inertia, minus d(elastic)/dt, minus dissipation. */
typedef struct body_energy {
    double elastic;     /* [J] of the deformation */
    double dissipation; /* [W] >= 0 */
    double *damping;    /* given: where forces of structural damping on the coordinates go; NULL: nobody asks */
} body_energy;

/* A place of a body that deforms whose motion is a signal. */
typedef struct body_probe {
    const char *name;
    bool gauge; /* it measures strain */
} body_probe;

typedef struct probe_motion {
    v3 p_w, v_w;       /* [m], [m/s] */
    v3 displacement_b; /* [m] against the frame, body axes */
    double strain;     /* 0 without a gauge */
} probe_motion;

/* The shapes that a body deforms in: a node is displaced by the sum of the shapes, each times its coordinate; those behind the first
 * `count` times the product of two coordinates, or half the square of one. */
typedef struct body_shapes {
    int count;             /* its deformation coordinates */
    int total;             /* shapes */
    const int (*pairs)[2]; /* total - count */
    const double *u;       /* nodes x 3 x total: displacement [m per unit], body axes */
    const double *turn;    /* the same of rotations [rad per unit]; NULL: nodes do not turn */
    const double *omega2;  /* count: [1/s^2] of the free body */
} body_shapes;

static inline double body_shape_factor(const int pair[2], const double *q)
{
    return (pair[0] == pair[1] ? 0.5 : 1.0) * q[pair[0]] * q[pair[1]];
}

static inline double body_shape_factor_rate(const int pair[2], const double *q, const double *q_dot)
{
    return (pair[0] == pair[1] ? 0.5 : 1.0) * (q_dot[pair[0]] * q[pair[1]] + q[pair[0]] * q_dot[pair[1]]);
}

/* A piece of the surface of a body that deforms: a triangle, counter-clockwise seen from outside; of round bars and beams a piece of
 * their axis (2 vertices). */
typedef struct body_facet {
    int count;
    int vertices[3];
    bool end[2]; /* of an axis: it ends at this vertex, with a flat face */
} body_facet;

/* The surface of a body that deforms. Its vertices follow the coordinates as markers do; round bars and beams have their axis for it. */
typedef struct body_surface {
    int vertex_count, facet_count;
    const v3 *at;      /* [m] vertices, undeformed, in the frame of the body */
    const double *psi; /* vertex_count x stride: as body_point has it */
    int stride;
    const double *area; /* [m^2] the share of each vertex */
    double radius;      /* [m] of a round bar or beam; 0: the triangles close the surface */
    const v3 *axis;     /* of a round body: unit vectors along it at the vertices, undeformed; else NULL */
    const body_facet *facets;
} body_surface;

typedef struct point_motion {
    marker marker;
    v3 alpha_w; /* [rad/s^2] angular acceleration of the marker when all accelerations are zero */
} point_motion;

struct flexible_input;
struct carom_flexible_info;

typedef struct carom_body_type {
    carom_kind kind; /* first: name, doc, fields, defaults, size */

    /* Makes parameters from finite elements (elements/flexible), in an arena that lives as long as the model; the frame of the
     * body sits in the centre of mass of the input. NULL: bodies of this kind are not made of finite elements. */
    carom_status (*make)(const void **params, const struct flexible_input *in, carom_arena *arena, carom_error *err);

    /* Number of deformation coordinates; the body has FRAME_COLUMNS more columns. */
    int (*coordinate_count)(const void *body);

    /* Completes a marker that is drawn at point->position: how it follows the deformation. Refuses places where nothing can
     * be attached. Memory that lives as long as the model comes from the arena. */
    carom_status (*attach)(const void *body, body_point *point, carom_arena *arena, carom_error *err);

    /* Completes a point that is drawn at a node of the mesh: it follows the displacement of the node and does not turn. Only points
     * of this kind are asked for by `displace`. NULL: surfaces of such bodies do not touch. */
    void (*attach_node)(const void *body, int node, body_point *point);

    /* Whether contact may happen at a node. NULL: at all of them. */
    bool (*touches)(const void *body, int node);

    /* Displacement against the frame of a point at a node, and its rate, body axes. */
    void (*displace)(const void *body, const double *q, const double *q_dot, const body_point *point, v3 *u,
                     v3 *rate);

    /* How many of the last columns have nothing in M beside their diagonal and the columns before them. There M is zero when it is
     * first written, and stays so. NULL: none. */
    int (*diagonal)(const void *body);

    /* M, symmetric and positive definite: columns x columns, row-major, written completely but for what `diagonal` says. */
    void (*mass)(const void *body, const body_frame *frame, const double *q, double *M);

    /* Adds to f (one number per column) what velocities, stiffness and damping make; energies, and the part of damping, are written. */
    void (*forces)(const void *body, const body_frame *frame, const double *q, const double *q_dot, double *f,
                   body_energy *energy);

    /* Adds to the matrix A of an implicit step (columns x columns, row-major) stiffness K + damping D, where K and D are
     * minus the derivatives of f by q and q': symmetric, and not negative. Only what helps Newton's method. NULL: none. */
    void (*tangent)(const void *body, const double *q, double stiffness, double damping, double *A);

    /* Never asked where psi is NULL: marker_on. */
    void (*point)(const void *body, const body_frame *frame, const double *q, const double *q_dot,
                  const body_point *point, point_motion *out);

    /* The motion of the marker per unit rate of a coordinate while the frame stands still, as a twist: velocity at the
     * frame's origin of what would move with the marker, then angular velocity. In the column of the coordinate a row at the
     * point has row . twist. Never asked where psi is NULL. */
    void (*twist)(const void *body, const body_frame *frame, const double *q, const body_point *point, int coordinate,
                  double out[FRAME_COLUMNS]);

    /* All of them at once: adds scale times row . twist of every coordinate to out. NULL: one after the other. */
    void (*columns)(const void *body, const body_frame *frame, const double *q, const body_point *point,
                    const double row[FRAME_COLUMNS], double scale, double *out);

    /* How far the point that moves most is displaced per unit of a coordinate [m per unit]: makes coordinates comparable with
     * lengths. Asked for each coordinate there is. */
    double (*displacement)(const void *body, int coordinate);

    /* [J] the elastic energy alone; [rad/s] the highest frequency of the body on its own. NULL: has none. */
    double (*strain_energy)(const void *body, const double *q);
    double (*highest_frequency)(const void *body);

    /* [s] the longest step of central differences that is stable for the body on its own. NULL: any is. */
    double (*critical_step)(const void *body);

    /* What the body is made of, for people; the name of the kind is filled in already. NULL: nothing. */
    void (*about)(const void *body, struct carom_flexible_info *out);

    /* The shapes it deforms in. NULL: its nodes move on their own, or it has none. */
    body_shapes (*shapes)(const void *body);

    /* The surface that touches others; NULL, or of this body NULL: it has none. */
    const body_surface *(*surface)(const void *body);

    /* Where the vertices of the surface are, and along what the axis of a round body goes there (axis_w: else not written). */
    void (*place_surface)(const void *body, const body_frame *frame, const double *q, v3 *x_w, v3 *axis_w);

    /* Completes a marker that goes with the part of the body nearest to it: the section of a bar or beam, the facet of another surface.
     * For shapes. NULL: they go with the frame. */
    carom_status (*carry)(const void *body, body_point *point, carom_arena *arena, carom_error *err);

    /* All its probes, and how one of them moves. NULL: has none. */
    const body_probe *(*probes)(const void *body, int *count);
    void (*probe)(const void *body, const body_frame *frame, const double *q, const double *q_dot, int probe,
                  probe_motion *out);
} carom_body_type;

/* All of them, NULL at the end. */
const carom_body_type *const *carom_body_types(void);

#endif
