/* The contacts of a model at one point of its motion: which pairs of colliders are near, which features touch, what
 * force acts there. Workspace of the method "compliant", part of the scratch.
 *
 * A feature (point, ball, edge or triangle of one side P) that is inside the field of the other side F has the gap
 * g = d(p) - radius < 0, paper 1 (27), and the gap rate g' = grad d . (v_P - v_F) at p, (39). The normal force is
 * f grad d on P and its opposite on F at the same point: with the gradient of the very function that is interpolated,
 * elastic forces derive from a potential and opposite forces are collinear, so that energy and both momenta balance
 * exactly. (Paper 1 lets the force on F act at the projection of p; it lies on the same line.) */
#ifndef CAROM_METHODS_COMPLIANT_FORCES_H
#define CAROM_METHODS_COMPLIANT_FORCES_H

#include "collision/detect.h"
#include "collision/exact_touch.h"
#include "collision/key_sort.h"
#include "collision/soft.h"
#include "contact/advancement.h"
#include "contact/points.h"
#include "contact/totals.h"
#include "model/colliders.h"
#include "model/near.h"

/* Two colliders, a before b, whose boxes overlap; or one place of a joint with clearance (clearance.h), where a is
 * collider_count + the joint's index and b the number of the place; or the surface of a body that deforms (skins.h), where a is
 * collider_count + joint_count + its number, and b a collider or, counted alike, another such surface. */
typedef struct broad_pair {
    int a, b;
    int joint; /* with clearance; -1: colliders */
    int skin;  /* the surface of a; -1: colliders or a joint */
    const model_interaction *interaction;
    double approach;     /* [m/s] speed at first touch */
    size_t first, count; /* its touches */
} broad_pair;

/* One touching feature. P is the body of the feature, F that of the field. */
typedef struct touching_point {
    int side; /* of the pair the feature belongs to: 0 for a, 1 for b */
    uint32_t feature;
    body_place p, f;
    double gap;           /* [m] < 0 */
    double gap_rate;      /* [m/s] */
    double weight;        /* 1, or [m^2] */
    v3 gradient_w;        /* of the gap */
    v3 normal_w;          /* its direction: from F to P */
    v3 p_w;               /* [m] where the force acts: in the middle of the overlap */
    v3 r_p, r_f;          /* [m] lever arms of p_w about the centres of mass */
    v3 slip_w;            /* [m/s] of P relative to F */
    v3 force_w;           /* [N] on P */
    v3 bristle_w;         /* [m] */
    double stiffness;     /* [N/m] -df/dg */
    double damping;       /* [N s/m] -df/dg' */
    double along, across; /* [N s/m] of friction */
    double lift;          /* [m] along the normal from p_w to the middle of a journal */
    double turning;       /* [N/m] the force turns with that middle; 0: it does not */

    bool exact;         /* a whole element (exact.h); what follows is zero of all others */
    v3 couple_w;        /* [m] of the gradient of the gap, about p_w */
    v3 torque_w;        /* [N m] on P about p_w, besides force_w */
    double pressing;    /* [N] what the law says, weight included */
    size_t first_place; /* where friction acts */
    int place_count;
    bool level; /* with the second derivative `bend` */
    size_t bend;
} touching_point;

/* Where friction of a whole element acts. */
typedef struct friction_place {
    v3 arm_w;             /* [m] from p_w */
    v3 slip_w;            /* [m/s] of P relative to F */
    v3 bristle_w;         /* [m] */
    double along, across; /* [N s/m] */
} friction_place;

typedef struct exact_bend {
    double b[FRAME_COLUMNS][FRAME_COLUMNS]; /* relative velocity at p_w, angular velocity */
} exact_bend;

/* What whole elements need besides their touches. */
typedef struct exact_store {
    exact_list found;
    friction_place *places;
    size_t place_count, place_capacity;
    exact_bend *bends;
    size_t bend_count, bend_capacity;
} exact_store;

/* What evaluations need to know of the moment their step began. */
typedef struct step_memory {
    double t;
    body_rate *rate; /* body_count */
    double *q_dot;   /* deform_count */
    contact_records records;
} step_memory;

typedef struct compliant_work {
    const carom_model *model;
    near_search *near;
    carom_arena arena;
    double *margin;       /* collider_count: [m] by which boxes are wider while a step is bounded */
    motion_bound *bounds; /* body_count: likewise */
    broad_pair *pairs;
    size_t pair_count, pair_capacity;
    hit_list hits;
    exact_store exact;
    struct skin_state *skins; /* one per surface of a body that deforms */
    carom_arena places;       /* of the points of these surfaces that touch, of the last evaluation */
    touching_point *contacts;
    size_t contact_count, contact_capacity;

    size_t touching; /* pairs that touch */
    keyed *order;    /* of those pairs by their bodies; value: the pair */
    size_t order_capacity;

    step_memory slots[2];
    step_memory *present;  /* of the state loaded last */
    step_memory *last;     /* of the step that led to the present state, for frames inside it */
    const step_memory *at; /* which of the two evaluations belong to */
    bool load_failed;

    /* What others ask for. */
    contact_totals totals;
    contact_points points;
    contact_tangent *tangents;
    size_t tangent_capacity;
} compliant_work;

extern const contact_forces compliant_forces;

/* Room for so many pairs, so many touches; false when memory runs out. */
bool compliant_reserve_pairs(compliant_work *t, size_t count);
bool compliant_reserve(compliant_work *t, size_t count);

/* Levers, gap rate and slip of a touch whose gap, gradient, normal and p_w are known. */
void touching_point_set_motion(touching_point *c, const carom_scratch *w);

/* The speed at first touch: remembered; for a pair that was apart when the step began, its speed then. */
double compliant_approach_speed(const compliant_work *t, const carom_scratch *w, const broad_pair *pair);

/* Pairs whose boxes overlap and that may interact; false when memory runs out. */
bool compliant_find_pairs(compliant_work *t);

/* Touching features of all pairs with their forces; false when memory runs out. */
bool compliant_find_contacts(compliant_work *t, const carom_scratch *w);

/* Tangents of the touches found last; see contact_forces. */
const contact_tangent *compliant_tangents(void *self, double stiffness, double damping, int *count);

/* A lower bound of the distance between the boxes of a pair, negative where they overlap or where asking the colliders
 * themselves is as fast. */
double broad_pair_box_gap(const compliant_work *t, const broad_pair *pair);

/* The bodies of a pair, ascending. */
void broad_pair_bodies(const compliant_work *t, const broad_pair *pair, int body[2]);

/* Whatever is loaded next, frames inside the step that has just ended are evaluated from its beginning. */
void compliant_end_step(compliant_work *t);

/* The records a state that ends here has to remember; false when memory runs out. */
bool compliant_remember(const compliant_work *t, const carom_scratch *w, contact_records *out);

#endif
