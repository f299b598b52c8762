/* Contact: events and contact points, shapes as they are prepared, what happens between any two, how near they are.
 *
 * Threads: as models, states and scratches bear it (model.h, state.h, step.h). */
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include <carom/step.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What touches what. */
typedef enum carom_contact_mode {
    CAROM_MODE_NONE,
    CAROM_MODE_POINT_LINE,  /* tip of a rod or corner of a polygon on a side (paper 3: tip and plane) */
    CAROM_MODE_TIP_TIP,     /* two tips or corners of rods or polygons (paper 3: tip and tip)       */
    CAROM_MODE_VERTEX_FACE, /* corner on face */
    CAROM_MODE_EDGE_EDGE,
    CAROM_MODE_BALL_FACE,   /* rounded surface (ball, end of a capsule) on a face or half-space */
    CAROM_MODE_BALL_EDGE,   /* on an edge or along the side of a capsule */
    CAROM_MODE_BALL_VERTEX, /* on a corner */
    CAROM_MODE_BALL_BALL,
    CAROM_MODE_RIM_FACE, /* circular edge on a face or half-space */
    CAROM_MODE_STOP,     /* a joint at its limit */
    CAROM_MODE_JOURNAL,  /* journal in a bearing with clearance */
    CAROM_MODE_GUIDE,    /* slider in a guide with clearance */
    CAROM_MODES
} carom_contact_mode;
CAROM_API const char *carom_contact_mode_name(carom_contact_mode mode); /* "point-line", "tip-tip", ... */

typedef enum carom_friction_state {
    CAROM_FRICTION_NONE,
    CAROM_FRICTION_STICK,
    CAROM_FRICTION_SLIP
} carom_friction_state;
CAROM_API const char *carom_friction_state_name(carom_friction_state state); /* "none", "stick", "slip" */

/* ---- what happens, and what touches -------------------------------------------------------------------------------- */

/* Something that happened at an instant, between frames or at one. */
typedef enum carom_event_kind {
    CAROM_EVENT_CONTACT_ON,
    CAROM_EVENT_CONTACT_OFF,
    CAROM_EVENT_STICK, /* a touching pair stops sliding */
    CAROM_EVENT_SLIP,  /* a touching pair starts to slide */
    CAROM_EVENT_IMPACT,
    CAROM_EVENT_TOPOLOGY, /* constraints came or went */
    CAROM_EVENT_REST,     /* ever smaller impacts have ended in lasting contact */
    CAROM_EVENT_JAM,      /* friction locks a joint */
    CAROM_EVENT_PARADOX,  /* Painleve: no finite forces fit, an impact without collision follows */
    CAROM_EVENT_SCENE,    /* one of the scene's own (carom_event_def) */
    CAROM_EVENT_TOO_DEEP, /* beyond half of the thinner one's width: it may be pushed out on the far side */
    CAROM_EVENT_KINDS
} carom_event_kind;
CAROM_API const char *carom_event_kind_name(carom_event_kind kind); /* "contact on", "slip", ... */

typedef struct carom_event {
    double t; /* [s] */
    carom_event_kind kind;
    carom_id body[2];  /* A and B */
    carom_v3 position; /* [m] */
    carom_v3 normal;   /* from B to A */
    double speed;      /* [m/s] at which A leaves B along the normal, negative: it approaches */

    /* What methods that resolve impacts and friction exactly know besides; zeros and CAROM_NONE elsewhere. */
    carom_id joint; /* whose friction, stop or clearance it is; CAROM_NONE: surfaces of bodies */
    carom_contact_mode mode;
    double speed_after;            /* [m/s] */
    carom_v3 slip;                 /* [m/s] of A relative to B across the normal, before */
    carom_v3 slip_after;           /* [m/s] */
    carom_v3 impulse;              /* [N s] on A, friction included */
    double energy_lost;            /* [J] in this contact: - impulse . (velocity before + after) / 2 */
    carom_friction_state friction; /* before */
    carom_friction_state friction_after;
    carom_id named; /* CAROM_EVENT_SCENE: which one, in the order of the scene (carom_model_event_name) */
} carom_event;

/* [N s] What pushed A and B apart, and what friction did across; 0 for NULL. */
CAROM_API double carom_event_normal_impulse(const carom_event *event);
CAROM_API double carom_event_tangential_impulse(const carom_event *event);

/* Whether it tells more than when, who and how fast: methods without exact impacts leave the rest out. */
CAROM_API bool carom_event_has_details(const carom_event *event);

/* One place where two bodies touch, in world axes. */
typedef struct carom_contact_point {
    carom_id body[2];  /* A and B */
    double gap;        /* [m] negative: penetration */
    carom_v3 position; /* [m] */
    carom_v3 normal;   /* from B to A */
    carom_v3 force;    /* [N] on A, friction included */
    carom_v3 slip;     /* [m/s] of A relative to B, across the normal */
} carom_contact_point;

/* What the last carom_step of this scratch has found, until the next one; NULL, and *count 0, where there is nothing, no step
 * yet, or the last one has failed. Events are in the order of time, contact points (of the state it has reached) ascending by
 * bodies. Bodies that touch where a run begins are an event of its first step. count is given. */
CAROM_API const carom_event *carom_step_events(const carom_scratch *scratch, size_t *count);
CAROM_API const carom_contact_point *carom_step_contacts(const carom_scratch *scratch, size_t *count);

/* ---- what takes part ----------------------------------------------------------------------------------------------- */

/* A shape that takes part in contact. A model whose method knows no contact has none. */
typedef struct carom_collider_info {
    carom_id body;
    const char *shape;    /* as scenes spell it: "box" */
    const char *material; /* NULL: none */
    double size;          /* [m] longest edge of the box around it; infinite for planes */
    int points;           /* detection points (or edges, or faces) tried against the fields of others */
    int depth;            /* levels of the octree over them; 0: none */
    const char *field;    /* how its distance field is stored; NULL: exact */
    size_t nodes;         /* of the field */
    double build;         /* [s] that building the field took; 0: it came from the cache, or is exact */
    double spacing;       /* [m] between nodes of the field */
    double error;         /* [m] bound of the field's error near the surface */
    bool exact;           /* `points` are whole elements: corners, edges, circles, axes */
    const char
        *why_points; /* why it has no whole elements under features auto; NULL: it has, or they were not asked for */
} carom_collider_info;
/* What finding contacts by distance fields has asked of them. Unlike times it does not depend on the machine. */
typedef struct carom_search_counts {
    long searches; /* of the features of one shape in the field of another that is near */
    long features; /* points, edges or faces looked at one by one */
    long cells;    /* cells of octrees of features looked at */
} carom_search_counts;

CAROM_API int carom_model_collider_count(const carom_model *model);
CAROM_API carom_collider_info carom_model_collider(const carom_model *model,
                                                   int collider); /* no such: CAROM_NONE, zeros */

/* What happens between pairs of shapes to which the same exceptions apply. */
typedef struct carom_contact_rule {
    carom_id example[2];  /* bodies of the first such pair */
    size_t pairs;         /* of shapes */
    const char *friction; /* NULL: none */
    double restitution;   /* NaN: follows from the waves in bodies that deform */

    /* Where contact is a force: */
    const char *law; /* NULL: it is not */
    bool per_area;
    bool points[2]; /* points of the first, of the second side are tried */

    /* Where it is impulses and constraints: */
    const char
        *restitution_law; /* "energetic", "poisson", "newton"; "constraint" of bodies that deform; NULL: it is not */
    double impulse;       /* [N s] prescribed for every impact; 0: by the restitution */
    double mu;            /* Coulomb's coefficient; 0: none */
} carom_contact_rule;

/* Writes the rules and returns how many there are, capacity + 1 when there is no room for all. out may be NULL: no
 * room. */
CAROM_API size_t carom_model_contact_rules(const carom_model *model, carom_contact_rule *out, size_t capacity);

typedef struct carom_clearance {
    carom_id body[2];
    double gap;  /* [m] smallest between their shapes, as detection sees it; negative: penetration */
    double size; /* [m] of the smaller of the two shapes */
} carom_clearance;

/* Pairs of bodies that may touch and whose gap is below `reach` [m], finite and not negative, ascending by gap. */
CAROM_API carom_status carom_observe_clearances(const carom_model *model, const carom_state *state,
                                                carom_scratch *scratch, double reach, carom_clearance **out,
                                                size_t *count, carom_error *err);
CAROM_API void carom_clearances_destroy(carom_clearance *list); /* NULL: nothing */

/* Whether the method can begin a run with this assembled state: CAROM_INTERSECTING, naming them, where it needs bodies
 * that do not overlap and joints within their stops. Methods that do not need that take any. */
CAROM_API carom_status carom_check_start(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                         carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
