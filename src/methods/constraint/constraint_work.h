/* The workspace of the method: contacts of an explicit step, their rows and impulses. */
#ifndef CAROM_METHODS_CONSTRAINT_CONSTRAINT_WORK_H
#define CAROM_METHODS_CONSTRAINT_CONSTRAINT_WORK_H

#include "contact/points.h"
#include "contact/response.h"
#include "contact/surface.h"
#include "contact/totals.h"
#include "dynamics/leap.h"
#include "dynamics/step.h"
#include "methods/constraint/options.h"
#include "model/near.h"

enum {
    CONTACT_ROWS = 3,                               /* normal and two tangents */
    ROW_ENTRIES = CONTACT_ROWS * (1 + FACET_NODES), /* coordinates of nodes in a row */
};

/* Who touches whom. `slave` is a surface of finite elements with its node, or a collider with one of its points; `other` is a collider,
 * or a surface of finite elements with a facet. Where edges cross `point` and `facet` are edges. */
typedef struct contact_key {
    bool edges;
    bool rigid_slave, rigid_other;
    int slave, point;
    int other, facet;
} contact_key;

/* One contact: a point against a surface. */
typedef struct node_contact {
    contact_key key;
    int body[2]; /* of the slave, of the other */
    const model_interaction *interaction;
    /* Weights of the nodes of the facet at the foot of the point, or of the other edge where they cross, and how they change with the
     * place [1/m], so that force and reaction act at one point. */
    double weight[FACET_NODES];
    v3 slope_w[FACET_NODES];
    double own_weight[2]; /* of the nodes of the slave's edge */
    v3 own_slope_w[2];    /* [1/m] */
    /* Of an edge that is not sharp, which a sharp one crosses: its surface, -1: both are sharp; its node beyond the sharp one; [m] its length; */
    int crossed, ahead;
    double length;
    bool spare;  /* others hold the nodes that it would move */
    v3 p_w;      /* where */
    v3 normal_w; /* from the other side to the slave */
    v3 tangent_w[2];
    int tangent_count; /* 0: no friction */
    double gap;        /* [m] */
    double rebound;    /* [m/s] least velocity of the normal row after an impact of rigid bodies; 0: none asked for */
    bool watched;      /* must not touch */
    bool
        beside; /* to be measured even where the point lies beside the facet, or lines cross beyond the ends of edges */
    bool presses; /* in a direct solve */
    bool sticks;  /* as the state remembers, then as it is found */
    int first_row;
    double impulse[CONTACT_ROWS]; /* [N s] on the slave along normal and tangents */
} node_contact;

/* Coefficients of a row on the coordinates of nodes. */
typedef struct node_entry {
    int coordinate; /* in q */
    double value;
    double inverse_mass;
} node_entry;

typedef struct node_row {
    int count;
    node_entry entries[ROW_ENTRIES];
    bool rigid;           /* bodies with columns take part: rows[] of the responses */
    double before, after; /* [m/s] velocity of the row at the half steps */
} node_row;

/* A pair that may touch before the list is made anew. */
typedef struct near_entry {
    contact_key key;
    bool watched; /* a node outside of the zone of its body, which must not touch */
} near_entry;

/* Impulses of a contact since the step began, by contact. */
typedef struct contact_sum {
    node_contact last;
    v3 impulse_w;        /* [N s] on the slave */
    bool pressed, stuck; /* before the explicit step that `last` is of */
    bool fresh;          /* that step has rows for it */
} contact_sum;

typedef struct constraint_work {
    const carom_model *model;
    const constraint_options *options;
    carom_arena arena;

    /* Near pairs, valid while nobody has moved further than half the margin. */
    near_entry *near;
    int near_count;
    size_t near_capacity;
    double near_margin; /* [m]; 0: no list yet */
    /* [m] edges that have crossed by more were never apart: other sides of bodies, seen through them */
    double edge_depth;
    struct edge_ends *ends[2]; /* of two bodies while the list is made */
    size_t ends_capacity[2];
    double moved; /* [m] since the list was made */

    near_search *rigid; /* boxes of rigid shapes, for overlaps that no point sees */

    node_contact *contacts;
    int contact_count;
    size_t contact_capacity;

    int row_count;
    node_row *rows;
    size_t row_capacity;
    carom_arena response_arena;
    row_responses responses;
    size_t response_capacity;
    double *columns; /* of rows on bodies that deform: two sides of `widest` numbers for each row */
    size_t columns_capacity;
    int widest; /* columns of the widest body that deforms; 0: none has any */
    double *W;  /* row_count x row_count */
    size_t W_capacity;
    double *u; /* row_count: velocities of the rows */
    size_t u_capacity;
    struct direct_unknown *unknowns; /* of the direct solve */
    size_t unknowns_capacity;
    double *direct; /* its matrix, right side and scratch */
    size_t direct_capacity;

    leap_place place;
    double work_after
        [ACCOUNT_COUNT]; /* [W] of the impulses and forces of a whole step with the velocities behind it; w->power has
                                         those with the velocities before */
    body_rate *rate_before; /* body_count: half step before */
    double *q_dot_before;   /* deform_count */
    body_rate *rate_tried;  /* body_count: of the last pass over gyroscopic torques */
    double *joint_extra;    /* row_count: impulses of joints in a pass */

    contact_sum *sums; /* of this step, ascending by key */
    int sum_count;
    size_t sum_capacity;
    double sum_time; /* [s] */

    node_contact next; /* about to touch */
    int switches;      /* contact constraints that came or went in this step */

    bool just_ended; /* a contact of the last step has ended within it */

    contact_points points;
    contact_totals totals;
    bool load_failed;
    bool stepping;   /* evaluations belong to explicit steps: nobody looks at points */
    bool by_penalty; /* normal impulses are given */
} constraint_work;

static inline carom_status contacts_no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}

/* admit.c. Refuses a start with overlaps. */
carom_status constraint_admit(const carom_state *state, carom_scratch *w, carom_error *err);

/* seen.c */
extern const struct contact_forces constraint_forces;

/* leap.c. q^{n+1} = q^n + h u^{n+1/2}; then Q(q, u), Phi and Phi_q there; */
void leap_move(carom_scratch *w, double h);
carom_status leap_evaluate(carom_scratch *w, double t, carom_error *err);
/* u^{n+1/2} from u^{n-1/2}. */
carom_status kick_velocities(constraint_work *cw, carom_scratch *w, carom_error *err);
/* The same from the velocities of a whole step, with forces over half of it. Hidden has the kinetic energy in the books so far [J], and is
 * left with what of it central differences do not count. */
carom_status start_velocities(constraint_work *cw, carom_scratch *w, double *hidden, carom_error *err);
/* Half-step velocities and positions of the state become those of w, and back. */
void take_state(constraint_work *cw, carom_scratch *w, const carom_state *s);
/* The later half step becomes the history of the state, its change its acceleration. */
void keep_half_steps(const constraint_work *cw, const carom_scratch *w, carom_state *s);
void give_state(const constraint_work *cw, carom_scratch *w, carom_state *s);

/* books.c. */
void count_start(constraint_work *cw, carom_scratch *w, carom_state *s, double hidden);
void count_kick(constraint_work *cw, carom_scratch *w);
void count_way(carom_scratch *w, carom_state *s, double h);

/* candidates.c: contacts that may close within h at the point placed in w. */
carom_status find_contacts(constraint_work *cw, carom_scratch *w, double h, carom_error *err);

/* Its parts. The list of pairs nearer than a margin [m], at the point placed in w; [m/s] nothing of the scene moves faster; */
bool list_near(constraint_work *cw, const carom_scratch *w, double margin);
double fastest_speed(const carom_scratch *w);
/* surface k gives the nodes where it meets surface l, which gives the facets; */
bool gives_nodes(const carom_model *m, int k, int l);
/* [m] edges are no deeper in each other where a gap changes by no more than reach [m] in a step; */
double edge_depth_of(const carom_model *m, double reach);
/* the next point of the list, from *at on, against the side of the surface that it is nearest to, or will be within h [s]; gap infinite: it is beside. */
void next_contact(const constraint_work *cw, const carom_scratch *w, double h, int *at, node_contact *best);
/* gaps.c. The contact with this key, whose bodies need not be known; false: the point is beside the surface. Directions of friction. */
bool measure_resolved(const carom_scratch *w, node_contact *c);
/* The contact of a point that touches within h as it moves now, with the side that it will be nearest to: of candidates first to last - 1, which are
 * its own, against a surface. */
void choose_side(const constraint_work *cw, const carom_scratch *w, int first, int last, double h, node_contact *c);
void contact_tangents(const carom_scratch *w, const contact_key *key, node_contact *c);

/* edges.c. All pairs of edges nearer than the margin; */
bool list_edges(constraint_work *cw, const carom_scratch *w);
/* the contact of two edges where they cross and both bend away from each other; false: they do not. */
bool measure_edges(const carom_scratch *w, node_contact *c);
/* [m] two edges are no nearer. */
double edges_apart(const carom_scratch *w, const contact_key *key);
/* The nodes of an edge of a surface. */
const int *edge_nodes(const carom_model *m, int surface, int edge);
bool push_near(constraint_work *cw, contact_key key, bool watched);
const model_interaction *interaction_of(const carom_model *m, const contact_key *key);
/* Where the point of the slave is; [m] the radius of the ball around it. */
v3 slave_position(const carom_scratch *w, const contact_key *key, double *radius);
/* [m/s] of the slave relative to the other side, where they touch. */
v3 node_contact_velocity(const carom_scratch *w, const node_contact *c);

/* [m] a point is no nearer to a facet. */
double facet_distance(const carom_scratch *w, const model_surface *s, const solid_facet *f, v3 p);

/* The bodies and the interaction of the contact with this key. */
void resolve_bodies(const carom_model *m, node_contact *c);

/* Measures the contact with this key, with its bodies and interaction; false: the point is beside the surface. */
bool measure_contact(const carom_scratch *w, node_contact *c);

/* rows.c: rows of all contacts, their responses and W; velocities of the rows in w. */
carom_status make_rows(constraint_work *cw, carom_scratch *w, carom_error *err);
double row_velocity(const constraint_work *cw, const carom_scratch *w, int row);
/* w's velocities += M^-1 rows^T impulses, multipliers of joints += theirs. */
void apply_impulses(constraint_work *cw, carom_scratch *w, double *joint_impulse);

/* announce.c: events. What came and went in the explicit step just made; the change of phase, with the pair that is about to touch or NULL, and
 * the energy that it takes [J]. False when memory runs out. */
bool announce_switches(constraint_work *cw, carom_scratch *w);
bool announce_phase(carom_scratch *w, const node_contact *nearest, double energy_lost);

/* flight.c: large implicit steps while nothing touches. */
bool in_flight(const carom_state *s);
/* Whether something touches within this time [s], as all moves now, and what. False, with *ok false, when memory runs out. */
bool touches_within(constraint_work *cw, carom_scratch *w, const carom_state *s, double time, bool *ok,
                    node_contact *first);
/* From whole-step velocities on; from explicit steps, whose energy the books have, or from a start. */
carom_status start_flight(constraint_work *cw, carom_step_context *c);
carom_status fly(constraint_work *cw, carom_step_context *c, double dt, carom_step_report *report);

/* solve.c: impulses of all contacts over a step of h. */
carom_status solve_impulses(constraint_work *cw, double h, double t, carom_error *err);

/* Changes impulse t of a contact and the velocities of all rows with it; returns the change of its own velocity [m/s]. */
double change_impulse(constraint_work *cw, node_contact *c, int t, double to);
/* direct.c: impulses that solve the equations of the contacts that press, velocities below `rounding` [m/s] being none. False when memory runs out. */
bool solve_directly(constraint_work *cw, double h, double rounding);

/* unseen.c: findings about rigid bodies inside each other at the end of a step that no point of contact sees. False when memory runs out. */
bool note_unseen(const constraint_work *cw, carom_scratch *w, const carom_state *s);

/* penalty.c: the comparison of the paper. Normal impulses by penetration over the kick, then friction. */
void set_penalties(constraint_work *cw, double kick);

/* remember.c. Which surfaces press each other, as a hash. */
uint64_t hash_touching(const constraint_work *cw);
bool add_to_sums(constraint_work *cw);
bool remember_contacts(constraint_work *cw, carom_state *s);
bool was_sticking(const constraint_work *cw, const contact_key *key);
void load_records(constraint_work *cw, const carom_state *s);
void make_points(constraint_work *cw, const carom_scratch *w);

#endif
