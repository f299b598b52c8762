/* What a run hands to its writers: one recorded frame, and the summary of the whole run. */
#ifndef CAROM_MODEL_FRAME_H
#define CAROM_MODEL_FRAME_H

#include <carom/contact.h>
#include <carom/trust.h>

#include "model/finding.h"
#include "model/model.h"
#include "model/state.h"

enum { JUDGED_TOO_DEEP = 4 };

/* Two bodies that touch where a step ends: what the end of the next one is compared with. Plain data without gaps. */
typedef struct touching_pair {
    int32_t body[2]; /* A and B */
    int32_t mode;    /* contact_mode */
    int32_t age;     /* steps since the touch */
    double gap;      /* [m] where they push hardest */
    double speed;    /* [m/s] at which A leaves B along the normal */
    double slip;     /* [m/s] across it */
    v3 p_w;          /* [m] */
    v3 normal_w;     /* from B to A */

    /* For those who judge the contact; see sim/judge.h. */
    int32_t judged;  /* bits: the planes below are known; JUDGED_TOO_DEEP */
    int32_t crowded; /* something else than this contact has acted on the bodies since the touch */
    double began;    /* [s] when it touched */
    double approach; /* [m/s] at the touch */
    double pulled;   /* [m/s^2] relative acceleration along the normal just before it */
    v3 plane_p[2];   /* [m] of the surface that touched body[side], in the axes of the other */
    v3 plane_n[2];
} touching_pair;

typedef enum contact_mode { CONTACT_FRICTIONLESS, CONTACT_STICKS, CONTACT_SLIPS } contact_mode;

typedef struct touching_pairs {
    touching_pair *items; /* ascending by bodies */
    size_t count, capacity;
} touching_pairs;

/* What a pair of bodies has been through since the start, as the ends of steps show it. */
typedef struct pair_total {
    int body[2];         /* A and B */
    double first_touch;  /* [s] end of the first step in touch */
    double last_touch;   /* [s] */
    double in_contact;   /* [s] steps in touch at both ends, and half of those at one */
    double peak_force;   /* [N] largest |sum of the forces of all points| */
    double peak_at;      /* [s] */
    double impulse;      /* [N s] trapezoidal integral of |sum of the normal forces of all points| */
    double penetration;  /* [m] deepest */
    double normal_force; /* [N] at the end of the last step; negative: apart */

    /* For those who judge the contact; see sim/judge.h. */
    double field_error;    /* [m] bound of the stored field it was deepest in; 0: an exact one */
    double field;          /* 1 + its collider; 0: an exact one */
    double field_value;    /* [m] what it said there */
    v3 field_place;        /* [m] where, in its axes */
    double touches;        /* since touches_from */
    double touches_from;   /* [s] */
    double touches_speed;  /* [m/s] of the first of them */
    double rolled;         /* [rad] by a cylinder on its side, hops from corner to corner with it */
    double rolled_until;   /* [s] end of the last step in which it rolled */
    double rolling_power;  /* [W] of normal forces on its rotation, at the end of the last step */
    double rolling_work;   /* [J] the integral of that */
    double rolling_energy; /* [J] the largest it has had */
} pair_total;

typedef struct pair_totals {
    pair_total *items; /* ascending by bodies */
    size_t count, capacity;
} pair_totals;

/* What a run remembers of contacts, and has found, besides its state, kept in its checkpoint. */
typedef struct contact_memory {
    touching_pairs touching; /* at the end of the last step */
    pair_totals totals;
    finding_totals findings;
} contact_memory;

/* A frame as users see it: poses and velocities of body frames, not of centres of mass. */
typedef struct result_frame {
    double t;                 /* [s] */
    const carom_pose *pose;   /* body_count, ground first */
    const body_rate *rate;    /* body_count: velocity of the body frame's origin, angular velocity */
    const double *coordinate; /* coordinate_count: joint coordinates */
    const double *coordinate_rate;
    const v3 *joint_force;     /* joint_count: reaction on B at marker B, world axes [N] */
    const v3 *joint_torque;    /* joint_count: [N m] */
    const v3 *effort_force;    /* of each force that is drawn: what it exerts, see carom_result_effort [N] */
    const v3 *effort_torque;   /* likewise [N m] */
    const double *signals;     /* signal_count */
    const double *deformation; /* deform_count: deformation coordinates */
    const double *deformation_rate;
    int contact_count;
    const carom_contact_point *contacts; /* ascending by bodies, then by what the method's detection found first */
    carom_ledger ledger;
    double step; /* [s] size of the step that reached this frame */
    long steps;  /* taken so far */
} result_frame;

/* Wall seconds by what they were spent on. */
typedef enum run_phase {
    PHASE_DETECTION,
    PHASE_ASSEMBLY,
    PHASE_SOLVE,
    PHASE_CCD,
    PHASE_RECORDING,
    PHASE_COUNT
} run_phase;

typedef struct result_summary {
    const char *status; /* "done", "interrupted", "failed: <why>" */
    double t;           /* [s] reached */
    long steps;
    long rejected;
    long evaluations;
    double wall; /* [s] */
    double phases[PHASE_COUNT];
    carom_ledger first; /* after assembly */
    carom_ledger last;
    double energy_error_max;   /* [J] worst |residue| where steps that reach a frame end */
    double turnover_max;       /* [J] largest energy that has changed its form, to compare it with */
    double momentum_error_max; /* [kg m/s] worst, net of external impulse */
    double angular_momentum_error_max;
    double position_error_max; /* worst constraint residual */
    double velocity_error_max;
    double penetration_max; /* [m] 0 without contact */
    double distance_min;    /* [m] NAN where not computed */
    int contacts_max;
    long switches;                  /* contact constraints that came or went */
    long events[CAROM_EVENT_KINDS]; /* how many of each kind */
    long impact_modes[CAROM_MODES]; /* how many impacts of each contact mode */
    carom_assembly assembly;
    const carom_pose *pose; /* body_count at the end */
    const body_rate *rate;
    const pair_totals *pairs; /* NULL: the method has no contacts */
    const carom_findings *findings;
    const struct carom_verification *verified; /* NULL: not asked for */
} result_summary;

/* How far a run has got besides its state: what must be restored to go on bit for bit. Plain data, no pointers. */
typedef struct run_progress {
    long steps;
    long rejected;
    long evaluations;
    long frames;  /* recorded so far */
    long skipped; /* points of the grid that have no frame of their own: several within one step of some methods */
    long first_frame;  /* number of the first one on the grid */
    double first_time; /* [s] where the run has begun: the first frame is not before */
    double wall;       /* [s] spent before */
    double phases[PHASE_COUNT];
    double energy_error_max;
    double momentum_error_max;
    double angular_momentum_error_max;
    double position_error_max;
    double velocity_error_max;
    double kinetic_max;
    double turnover_max;    /* [J] largest energy that has changed its form so far */
    double penetration_max; /* [m] */
    double distance_min;    /* [m] smallest gap any step has looked at; infinite: none */
    long contacts_max;
    long switches;                  /* contact constraints that came or went */
    long events[CAROM_EVENT_KINDS]; /* so far, of each kind */
    long impact_modes[CAROM_MODES]; /* impacts so far, of each contact mode */
    long events_recorded;           /* in result.h5: all, up to RESULT_EVENTS_MOST */
    carom_ledger first;
    carom_assembly assembly;
    double end;   /* [s] */
    double every; /* [s] */
} run_progress;

#endif
