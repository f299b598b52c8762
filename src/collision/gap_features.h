/* Two colliders placed next to each other, and how near single features of them are. Internal to collision. */
#ifndef CAROM_COLLISION_GAP_FEATURES_H
#define CAROM_COLLISION_GAP_FEATURES_H

#include "collision/collider_parts.h"
#include "collision/gap.h"

typedef struct gap_scene {
    const collider *collider[2];
    const facets *f[2];
    carom_pose pose_c[2]; /* axes of the collider in the frame of its body */
    carom_pose pose_w[2]; /* axes of the collider in the world            */
    carom_pose to[2];     /* axes of collider k to those of the other     */
    double size;          /* [m] of the smaller one  */
    double touch;         /* [m] nearer than this is touching: rounding decides the rest */
    bool searching;       /* closeness is looked into only as far as it takes to tell that a pair does not count */
    double margin;        /* [m] when searching */
} gap_scene;

gap_scene gap_scene_of(const gap_pair *pair, const carom_pose pose_w[2]);

/* How near two features are. */
typedef struct gap_closeness {
    double gap;    /* [m]; NAN: no such thing (parallel edges) */
    double inside; /* [m] how far the place of contact is inside the bounds of both */
    double cone;   /* [m] how far the direction between them is inside the cone of the feature met, of both edges or
                      corners when they are alike; infinite when it has none */
    double own;    /* [m] the same for the corner that meets a face or an edge */
    double radius; /* [m] sum of the roundings: 0 of sharp features */
    double side;   /* of lines */
} gap_closeness;

/* Feature k of collider `on` (0 or 1) against a feature of the other one. */
gap_closeness gap_vertex_face(const gap_scene *s, int on, int vertex, int face);
gap_closeness gap_vertex_edge(const gap_scene *s, int on, int vertex, int edge);
gap_closeness gap_vertex_vertex(const gap_scene *s, int vertex_a, int vertex_b);
gap_closeness gap_edge_edge(const gap_scene *s, int edge_a, int edge_b);
gap_closeness gap_rim_face(const gap_scene *s, int on, int rim, int face);

/* The disc of a rim of a cylinder against the ellipsoid of the other collider. */
gap_closeness gap_rim_oval(const gap_scene *s, int on, int rim);

/* In bounds, nearer than the margin, and not so deep that it is no contact any more. */
bool gap_in_reach(const gap_scene *s, const gap_closeness *c, double margin);

/* Sine of the angle between the axis of a rim and the normal of a face. */
double gap_rim_tilt(const gap_scene *s, int on, int rim, int face);

static inline v3 pose_point(const carom_pose *p, v3 r)
{
    return v3_add(p->position, q_rotate(p->orientation, r));
}

static inline v3 pose_turn(const carom_pose *p, v3 d)
{
    return q_rotate(p->orientation, d);
}

bool gap_push(gap_list *list, const gap_feature *feature);

#define GAP_DEPTH 1e-3 /* of the size: penetration that still counts as touching */
#define GAP_CONE 1e-6  /* [rad] by which normals may miss a cone where surfaces touch */

/* ---- planar shapes: corners against sides in their common plane ------------------------------------------------- */

#define GAP_PLANAR UINT32_C(0x80000000) /* marks the numbers of corners and sides of outlines */

bool gap_scene_planar(const gap_scene *s);
bool gap_find_planar(gap_list *out, const gap_scene *s, double margin);
double gap_bounds_planar(const gap_feature *f, const gap_scene *s);

#endif
