/* How far a run can be trusted: what a balance of energy cannot see, as a list of findings.
 *
 * Threads: a list is the caller's and never changes; several threads may read it. */
#ifndef CAROM_TRUST_H
#define CAROM_TRUST_H

#include <carom/step.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum carom_severity {
    CAROM_SEVERITY_NOTE,    /* worth knowing; the results hold */
    CAROM_SEVERITY_WARNING, /* the results may depend on it */
    CAROM_SEVERITY_WRONG,   /* the results are wrong where it says so */
    CAROM_SEVERITIES
} carom_severity;
CAROM_API const char *carom_severity_name(carom_severity severity); /* "note", "warning", "wrong" */

/* Fallbacks come first: a solver gave up, cut short, loosened a tolerance or took the nearest answer, and went on. */
typedef enum carom_finding_kind {
    CAROM_FINDING_IMPACTS_STOPPED,    /* contacts that still approached after many impacts were stopped */
    CAROM_FINDING_IMPACT_CUT_SHORT,   /* an impact at several contacts did not come to its end */
    CAROM_FINDING_IMPACT_LOOSENED,    /* an impact was solved with less accuracy than asked for */
    CAROM_FINDING_FORCES_ROUGH,       /* no forces of lasting contact fit; the nearest were taken */
    CAROM_FINDING_FRICTION_ROUGH,     /* no state of friction fits in an impact; all was held */
    CAROM_FINDING_EVENT_NEAREST,      /* the moment of an event was not found; the nearest was taken */
    CAROM_FINDING_SEARCH_CUT_SHORT,   /* the search for the next touch of a pair was cut short */
    CAROM_FINDING_PROJECTION_LOOSE,   /* joints were closed less exactly than asked for */
    CAROM_FINDING_SOLVE_CUT_SHORT,    /* a step of the method barrier was not solved to its tolerance */
    CAROM_FINDING_FRICTION_LAGS,      /* normal forces of friction had not settled when a step ended */
    CAROM_FINDING_RESTITUTION_SLOW,   /* an impact was too slow for the range of its barrier to rebound */
    CAROM_FINDING_NEARLY_SHUT,        /* a barrier is pressed nearly shut, and a stiffer one does not open */
    CAROM_FINDING_CONTACTS_UNSOLVED,  /* contacts of a fixed step were not solved to their tolerance */
    CAROM_FINDING_RESTITUTION_HALVED, /* restitution of a fixed step would have given energy, and was lowered */
    CAROM_FINDING_FALLBACKS,          /* how many kinds of fallback there are */

    CAROM_FINDING_NOT_FINITE = CAROM_FINDING_FALLBACKS, /* a recorded value is not a finite number */
    CAROM_FINDING_PASSED_THROUGH,                       /* two bodies passed through each other */
    CAROM_FINDING_TOUCH_MISSED,                         /* two bodies met and parted again within a fixed step */
    CAROM_FINDING_TOUCH_OVERRUN,    /* two bodies met within a fixed step in which they moved too far */
    CAROM_FINDING_WENT_ROUND,       /* a step of the method barrier has carried two bodies round each other */
    CAROM_FINDING_UNSEEN_OVERLAP,   /* two bodies are inside each other and no point of contact sees it */
    CAROM_FINDING_DEEP,             /* penetration against the smallest width of a shape */
    CAROM_FINDING_DEEP_AT_START,    /* the same where the run begins */
    CAROM_FINDING_FIELD_BOUND,      /* the error bound of a distance field against the penetration */
    CAROM_FINDING_FIELD_ERROR,      /* penetration against the error bound of a distance field */
    CAROM_FINDING_PLAY_EXCEEDED,    /* a joint with clearance opened wider than its play */
    CAROM_FINDING_IMPACT_LOSS,      /* energy lost in impacts against 1 - e^2 */
    CAROM_FINDING_ROLLING_LOSS,     /* energy lost in a contact that rolls */
    CAROM_FINDING_CROSSING_EDGES,   /* edges that cross are pushed along the normal of a face */
    CAROM_FINDING_FEW_POINTS,       /* a flat contact rests on too few points */
    CAROM_FINDING_CHATTER,          /* contacts come and go without end */
    CAROM_FINDING_STEPS_REJECTED,   /* most steps were thrown away */
    CAROM_FINDING_NUMERICAL_LOSS,   /* the time integration has taken or given much energy, and says so */
    CAROM_FINDING_ENERGY,           /* energy made or lost by numerics alone */
    CAROM_FINDING_VELOCITY_CHANGED, /* an initial velocity was changed to fit the joints */
    CAROM_FINDING_SPIN_CHANGED,     /* an initial angular velocity likewise */
    CAROM_FINDING_MOTION_WAITS,     /* a prescribed motion had no way and waited, as the scene asks */
    CAROM_FINDING_MOTION_BEHIND,    /* how far it is behind since */
    CAROM_FINDINGS
} carom_finding_kind;
CAROM_API const char *carom_finding_kind_name(carom_finding_kind kind); /* as summary.json spells it: "chatter" */

/* One finding: what, where, how much. Texts live as long as the list it is part of. */
typedef struct carom_finding {
    carom_finding_kind kind; /* CAROM_FINDINGS: one of another version of carom; the name says more */
    const char *name;
    carom_severity severity;
    const char *place; /* "'ball' and 'plate'", "joint 'pin'", "'ball'", "the run" */
    const char *text;  /* a sentence */
    const char *remedy;
    long count;       /* times it was found */
    double number;    /* the worst; NaN: it has none */
    double limit;     /* what that was compared with; NaN: nothing */
    const char *unit; /* of both; "" where they are ratios or counts */
    double first;     /* [s] when it was found first */
    double worst;     /* [s] when the number was worst */
} carom_finding;

/* Gravest first. */
typedef struct carom_findings carom_findings;
CAROM_API size_t carom_findings_count(const carom_findings *list);                      /* NULL: none */
CAROM_API const carom_finding *carom_findings_at(const carom_findings *list, size_t i); /* NULL: none */
CAROM_API void carom_findings_destroy(carom_findings *list);                            /* NULL: nothing */

/* What the last carom_step of this scratch, which belongs to the model, has found. */
CAROM_API carom_status carom_step_findings(const carom_model *model, const carom_scratch *scratch,
                                           carom_findings **out, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
