/* A curve of one solid inside another: the pieces that are inside as nodes of a quadrature, and the self-weighted depth that
 * follows from them. Internal to collision.
 *
 * With s the arc length and delta(s) the depth of the curve's point, rounding included, where that is positive:
 *     M1 = int delta ds,  M2 = int delta^2 ds,  d_hat = M2 / M1,  D = C w d_hat,
 * Sharp lines: w^2 = 1 - 4/9 (a^2 + b^2 + (a b / (a + b))^2), a and b the depths of the ends, positive or zero, over d_hat: what is inside
 * at an end belongs to the corner there. Of a line that lies in the solid as a whole, or leaves it through one plane, nothing is left. One that
 * lies level and ends at rims keeps, together with its corners, the energy it had (exactly so for n = 1) while it is moved along itself: no valley
 * of the potential that would hold it there. Rounded lines: w = y(a) y(b), y = 1 - x^2 (3 - 2 x), x no more than 1.
 * D is continuous in the pose, and smooth where a curve lies level. C makes dD/dh = 1 for one shallow contact at depth h: 3/2 where delta is a
 * triangle (edges over ridges), 5/4 where it is a parabola (circles and rounded lines). The rounding of a line may grow along it. */
#ifndef CAROM_COLLISION_EXACT_CURVE_H
#define CAROM_COLLISION_EXACT_CURVE_H

#include "collision/collider_field.h"
#include "collision/exact_elements.h"
#include "collision/exact_touch.h"
#include "collision/oval.h"

typedef struct curve_node {
    double ds;    /* [m] length it stands for */
    double depth; /* [m] >= 0 */
    v3 p;         /* [m] on the surface of the curve's solid */
    v3 inwards;   /* gradient of the depth */
} curve_node;

/* How deep the curve is in one plane: constant + slope s of a line; constant + a cos + b sin of the angle of a circle. */
typedef struct plane_profile {
    double constant, a, b;
    double amplitude, phase; /* of a circle: constant + amplitude cos(angle - phase) */
} plane_profile;

/* Room that is kept between curves. */
typedef struct curve_room {
    curve_node *nodes;
    size_t count, capacity;
    plane_profile *planes;
    size_t plane_capacity;
    double *cuts;
    size_t cut_capacity;
} curve_room;

void curve_room_free(curve_room *room);

/* A curve in the axes of the solid it is tried in. */
typedef struct curve_job {
    exact_element curve;
    const exact_solid *solid;
    const collider_field_source *distance; /* of the same solid, for rounded lines */
    const surface_features *triangles;     /* of a mesh that is not convex */
    curve_room *room;
    double length;      /* [m] of all pieces that are inside */
    exact_look ends[2]; /* of a line */
    int hint;
    long looks;
    bool failed; /* no memory */
} curve_job;

v3 curve_point(const exact_element *c, double s);
double curve_radius(const exact_element *c, double s); /* [m] rounding at s */
exact_look curve_look(curve_job *j, double s);

/* One more node; its depth is taken for 0 where rounding makes it negative. */
void curve_add_node(curve_job *j, double s, double ds, const exact_look *k);

/* The pieces inside, as nodes: closed form for sharp curves in polyhedra; cut by closed forms for circles in solids with a round side; by
 * search for sharp lines in such solids, and for rounded ones in all. */
void curve_trace_polyhedron(curve_job *j);
void curve_trace_ring(curve_job *j);
void curve_search_line(curve_job *j);
void curve_trace_hoop(curve_job *j); /* the rounded circle of a torus, in convex solids */
void curve_trace_mesh(curve_job *j); /* all curves in meshes that are not convex */

/* Nodes of a part of a line or circle that is inside: cut where the nearest face changes. */
void curve_add_piece(curve_job *j, double low, double high);

/* Nodes of a part that is inside and smooth but for kinks nobody knows of: doubled until the moments agree. */
void curve_integrate(curve_job *j, double low, double high);

/* The touch of a curve with its nodes and ends; false: D is zero. */
bool curve_weigh(const curve_job *j, exact_touch *out);

/* An ellipsoid, in the axes of the collider, as one element (exact_oval.c); false: it does not touch. */
bool exact_oval_touch(const oval *o, const collider *field, exact_touch *out, long *looks);

enum { GAUSS = 6 };
extern const double gauss_place[GAUSS], gauss_weight[GAUSS]; /* on [-1, 1] */

#endif
