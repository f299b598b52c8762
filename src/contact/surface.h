/* Nodes of surfaces of finite elements (model/surface.h) at the point placed in a scratch: where they are, how they move, and what a force
 * on them does to the columns of their body. Methods that let such surfaces touch share this. */
#ifndef CAROM_CONTACT_SURFACE_H
#define CAROM_CONTACT_SURFACE_H

#include "dynamics/columns.h"
#include "model/surface.h"

/* Where a node is, in two parts, so that small displacements are not lost in large coordinates. */
typedef struct surface_place {
    v3 start_w; /* of bodies in nodal coordinates: undeformed at the start; else the origin of the frame */
    v3 shift_w; /* from there */
} surface_place;

surface_place surface_node_place(const carom_scratch *w, const model_surface *s, int node);

static inline v3 surface_node(const carom_scratch *w, const model_surface *s, int node)
{
    surface_place p = surface_node_place(w, s, node);
    return v3_add(p.start_w, p.shift_w);
}

v3 surface_node_velocity(const carom_scratch *w, const model_surface *s, int node);

/* Axis k of the body, in world axes: planes lie across axis 2, rods along axis 0. */
static inline v3 surface_axis(const carom_scratch *w, const model_surface *s, int k)
{
    return m3_column(s->nodal ? s->nodal->R_start : w->R_w[s->body], k);
}

/* The box around the nodes that can touch, along the axes of the world, and wider by a margin [m] on all sides. */
typedef struct surface_box {
    v3 low, high;
} surface_box;

surface_box surface_box_of(const carom_scratch *w, const model_surface *s, double margin);

static inline bool surface_box_has(const surface_box *b, v3 p)
{
    return p.x >= b->low.x && p.x <= b->high.x && p.y >= b->low.y && p.y <= b->high.y && p.z >= b->low.z &&
           p.z <= b->high.z;
}

/* The node as a place that forces act at; of bodies with columns only. */
static inline body_place surface_node_at(const model_surface *s, int node)
{
    return (body_place){ s->body, &s->points[node] };
}

/* Adds scale times the velocity of a node along d_w to a row: its force and torque about the origin of the frame, and all its columns. Of
 * bodies with columns only. */
void surface_add_row(const carom_scratch *w, const model_surface *s, int node, v3 d_w, double scale,
                     double row[FRAME_COLUMNS], double *columns);

#endif
