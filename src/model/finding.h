/* Findings on their way from where they are noticed to the run that adds them up.
 *
 * Whoever gives up, cuts short, loosens or takes the nearest answer notes it in the list of the scratch, which is emptied
 * when the next step begins. A step that is taken back takes its notes back with it: finding_list.count is kept before
 * and restored. All kinds, with what they mean and what helps, are in one table in finding.c. */
#ifndef CAROM_MODEL_FINDING_H
#define CAROM_MODEL_FINDING_H

#include <carom/trust.h>

#include "base/arena.h"

struct finding_totals;

typedef enum finding_where {
    FINDING_RUN,
    FINDING_BODY,  /* a; b: 1 + component, or 0 */
    FINDING_PAIR,  /* bodies a and b */
    FINDING_JOINT, /* a */
    FINDING_OTHERS /* more places than are kept apart */
} finding_where;

typedef struct finding_place {
    int32_t where; /* finding_where */
    int32_t a, b;
} finding_place;

/* Plain data without gaps: totals of a run go into its checkpoint as they are. */
typedef struct finding {
    int32_t kind; /* carom_finding_kind */
    finding_place place;
    int64_t count;
    double number, limit; /* of the worst; NaN: none */
    double first, worst;  /* [s] */
} finding;

typedef struct finding_list {
    finding *items;
    size_t count, capacity;
    bool lost; /* memory ran out: a note is missing */
} finding_list;

static inline finding_place finding_in_run(void)
{
    return (finding_place){ FINDING_RUN, 0, 0 };
}

static inline finding_place finding_at_body(int body)
{
    return (finding_place){ FINDING_BODY, body, 0 };
}

static inline finding_place finding_at_pair(int a, int b)
{
    return (finding_place){ FINDING_PAIR, a < b ? a : b, a < b ? b : a };
}

static inline finding_place finding_at_joint(int joint)
{
    return (finding_place){ FINDING_JOINT, joint, 0 };
}

/* The number, in the unit of the kind's table entry, is the larger the worse; limit is what it is compared with. */
void finding_note(finding_list *list, carom_finding_kind kind, finding_place place, double number, double limit,
                  double t);

/* Whether it is a solver's fallback, not something about the result. */
static inline bool finding_is_fallback(const finding *f)
{
    return f->kind < CAROM_FINDING_FALLBACKS;
}

int finding_count_fallbacks(const finding_list *list);

/* ---- totals of a run --------------------------------------------------------------------------------------------- */

/* One entry per kind and place, ascending; of each kind so many places, and one for all others. */
enum { FINDING_PLACES_MOST = 32 };
typedef struct finding_totals {
    finding *items;
    size_t count, capacity;
} finding_totals;

/* Adds a finding to those of its kind and place. False when memory runs out. */
bool finding_totals_add(finding_totals *totals, const finding *f);
bool finding_totals_reserve(finding_totals *totals, size_t count);

/* ---- as users see them -------------------------------------------------------------------------------------------- */

struct carom_findings {
    carom_arena arena;
    size_t count;
    carom_finding *items;
};

/* With names and sentences, gravest first; NULL when memory runs out. */
carom_findings *findings_tell(const carom_model *model, const finding *items, size_t count);

/* The kind of this name, or CAROM_FINDINGS. */
carom_finding_kind finding_kind_find(const char *name);

carom_severity finding_severity(const finding *f);

#endif
