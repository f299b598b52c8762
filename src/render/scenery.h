/* What a picture of a result shows: surfaces of bodies, planes, how large it all is, how it asks to be looked at. Read once;
 * then moments of it are read, which know nothing of files and are drawn by any number of threads. */
#ifndef CAROM_RENDER_SCENERY_H
#define CAROM_RENDER_SCENERY_H

#include <carom/result.h>

#include "base/arena.h"
#include "geometry/crease.h"
#include "math/quat.h"
#include "render/tones.h"
#include "result/flexible_skin.h"

typedef struct box3 {
    v3 low, high; /* low > high: empty */
} box3;

box3 box3_empty(void);
bool box3_is_empty(box3 b);
box3 box3_with(box3 b, v3 p); /* places that are no numbers change nothing */
box3 box3_union(box3 a, box3 b);
v3 box3_middle(box3 b);
double box3_size(box3 b);      /* diagonal; 0: empty */
v3 box3_corner(box3 b, int k); /* 0..7 */

/* ---- view.c --------------------------------------------------------------------------------------------------------- */

enum {
    SHOW_CONTACTS = 1,
    SHOW_FORCES = 2,
    SHOW_JOINTS = 4,
    SHOW_AXES = 8,
    SHOW_PATHS = 16,
    SHOW_GRID = 32,
    SHOW_SPRINGS = 64
};

/* How to look at it. */
typedef struct render_view {
    carom_id look_at; /* CAROM_NONE: all that moves */
    v3 from;          /* [m] to the camera from there; zero: so that it fills the picture */
    bool follow;
    double at;     /* [s] */
    double speed;  /* 0: not said */
    bool *hidden;  /* of each body, the ground first */
    unsigned show; /* SHOW_... */
} render_view;

/* The view with this name or number (from 1); NULL: the first one, or where there is none, all of it. */
carom_status render_view_find(render_view *out, const carom_result *result, const char *name, carom_arena *arena,
                              carom_error *err);

/* ---- scenery.c ------------------------------------------------------------------------------------------------------ */

/* A surface that moves with its body; one that deforms has vertices of its own at every moment. */
typedef struct drawn_part {
    carom_id body;
    carom_pose pose_b; /* of the surface in the body frame */
    const crease_surface *surface;
    int deforming; /* row of the bodies that deform; -1: rigid */
    size_t first_vertex, first_triangle;
    tone colour;
} drawn_part;

typedef struct drawn_plane {
    carom_id body;
    carom_pose pose_b; /* z = 0 */
    bool imagined;     /* only a grid, where a scene has no plane */
} drawn_plane;

typedef struct deforming_body {
    carom_id body;
    flexible_mesh mesh;
    flexible_skin skin;
    double *now, *next, *turn_now, *turn_next; /* three numbers of all nodes, between two frames */
} deforming_body;

/* What arrows and colours mean in all frames: as on the page (viewer/src/scene/contacts.ts). */
typedef struct contact_scale {
    double largest, reference; /* [N] */
    double gap_low, gap_high;  /* [m] */
    bool has_gap;
} contact_scale;

typedef struct scenery {
    carom_arena arena;
    const carom_result *result;
    size_t body_count, part_count, plane_count, deforming_count;
    drawn_part *parts;
    drawn_plane *planes;
    deforming_body *deforming;
    size_t vertex_count, triangle_count, edge_count; /* of all parts */
    box3 *body_box;                                  /* of shapes, in body frames */
    box3 all;                                        /* over all times */
    box3 framed;                                     /* without what left for good */
    bool has_up;
    v3 up;
    bool hanging; /* a joint far from its body explains how it moves */
    bool tiny;    /* nothing is large enough to be watched: paths show what happens */
    size_t trail_count;
    v3 *trails; /* trail_count x bodies: origins of bodies over all times */
    contact_scale contacts;
    double largest_load, largest_torque; /* [N], [N m] of loads and motors in all frames */
} scenery;

/* Free it whatever the status. */
carom_status scenery_make(scenery *s, const carom_result *result, carom_error *err);
void scenery_free(scenery *s);

/* ---- moment.c ------------------------------------------------------------------------------------------------------- */

/* What a force exerts, see carom_result_effort. */
typedef struct drawn_effort {
    v3 force, torque;
} drawn_effort;

typedef struct moment {
    double t;
    carom_pose *poses; /* of each body */
    bool *there;       /* a pose that is no number is not drawn */
    float *deformed;   /* three numbers of each skin vertex of all bodies that deform, in body frames */
    size_t contact_count;
    size_t contact_room;
    carom_contact_point *contacts; /* of the frame at or before t */
    drawn_effort *efforts;         /* of each force, likewise */
} moment;

/* Motion between frames is interpolated. A moment is used again and again; free it. */
carom_status moment_read(moment *m, const scenery *s, double t, carom_error *err);
void moment_free(moment *m);

/* The box of a body where it is; empty: it has no shapes. */
box3 moment_box(const moment *m, const scenery *s, carom_id body);

#endif
