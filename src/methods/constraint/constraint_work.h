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
 * or a surface of finite elements with a facet. */
typedef struct contact_key {
    bool rigid_slave, rigid_other;
    int slave, point;
    int other, facet;
} contact_key;

/* One contact: a point against a surface. */
typedef struct node_contact {
    contact_key key;
    int body[2]; /* of the slave, of the other */
    const model_interaction *interaction;
    double weight[FACET_NODES]; /* of the nodes of the facet at the foot of the point */
    v3 slope_w[FACET_NODES];    /* [1/m] gradients of these weights along the facet */
    v3 p_w;                     /* where */
    v3 normal_w;                /* from the other side to the slave */
    v3 tangent_w[2];
    int tangent_count; /* 0: no friction */
    double gap;        /* [m] */
    double rebound;    /* [m/s] least velocity of the normal row after an impact of rigid bodies; 0: none asked for */
    bool watched;      /* must not touch */
    bool sticks;       /* as the state remembers, then as it is found */
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
    double moved;       /* [m] since the list was made */

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

int contact_key_compare(const contact_key *a, const contact_key *b);

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
/* the next point of the list, from *at on, against the surface it is nearest to; gap infinite: it is beside. */
void next_contact(const constraint_work *cw, const carom_scratch *w, int *at, node_contact *best);
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
