/* A study from the inside.
 *
 * study_read.c reads the file; sample.c says what run i varies, search.c what it varies where that depends
 * on runs before it; measure.c turns a run into numbers; evaluate.c makes one row;
 * journal.c keeps rows on disk; sweep.c makes all of them on threads; table.c writes them out; statistics.c sums them up. */
#ifndef CAROM_STUDY_STUDY_H
#define CAROM_STUDY_STUDY_H

#include <carom/study.h>

#include "base/arena.h"
#include "files/json_document.h"
#include "study/distribution.h"
#include "study/optimizer.h"

typedef enum sampling_kind {
    SAMPLING_GRID,
    SAMPLING_LIST,
    SAMPLING_RANDOM,
    SAMPLING_LATIN,
    SAMPLING_SOBOL,
    SAMPLING_INDICES,
    SAMPLING_MINIMIZE,
} sampling_kind;

/* Parameters of all samplings; each table shows those it has. */
typedef struct sampling_def {
    int runs; /* of indices: base points */
    double seed;
    bool scrambled;
    int scramblings;
    const char *file; /* of a list */

    const char *measure; /* of a search: what is to become small */
    int algorithm;       /* 0: the study chooses; else optimizer_algorithm + 1 */
    int starts;
    double tolerance;      /* of the range of each variable */
    carom_list subject_to; /* of const char *: measures that must not be negative */
} sampling_def;

typedef struct measure_def {
    const char *name;
    const char *max, *min, *mean, *final; /* a signal, or NULL */
    const char *event, *time_of;          /* an event of the study, or NULL */
    const char *expression;               /* of other measures, or NULL */
} measure_def;

typedef struct study_event_def {
    const char *name;
    const char *when; /* expression of signals */
    double hold;      /* [s] for which it must hold */
    bool stop;        /* the run ends there */
} study_event_def;

typedef struct accept_def {
    double overlap; /* [m] where the run begins; 0: any */
    double energy;  /* largest balance error against the energy that changed its form; 0: any */
    bool warnings;  /* rows with warnings are good */
} accept_def;

typedef struct limit_def {
    double cpu; /* [s]; 0: none */
    int steps;  /* 0: none */
} limit_def;

typedef struct keep_def {
    const char *measure;
    int worst; /* this many with the largest values */
    int best;  /* this many with the smallest */
    bool doubtful;
    bool failed;
} keep_def;

typedef struct study_def {
    const char *name;
    const char *scene;
    carom_list set;  /* of const char *: "path=value", in all runs */
    double every;    /* [s] between looks at signals; 0: as the scene records */
    double duration; /* [s]; 0: the scene's */
    carom_choice sampling;
    carom_list vary;     /* of vary_def */
    carom_list measures; /* of measure_def */
    carom_list events;   /* of study_event_def */
    accept_def accept;
    limit_def limit;
    keep_def keep;
} study_def;

/* A measure as it is evaluated. */
typedef enum measure_kind {
    MEASURE_MAX,
    MEASURE_MIN,
    MEASURE_MEAN,
    MEASURE_FINAL,
    MEASURE_EVENT,
    MEASURE_TIME,
    MEASURE_EXPRESSION
} measure_kind;
typedef struct measure {
    const char *name;
    measure_kind kind;
    const char *text; /* signal, or expression */
    size_t signal;    /* in the study's list of signals; of event and time_of in its list of events */
    char unit[32];
} measure;

/* What a search looks at, as indices of measures. */
typedef struct search_goal {
    size_t measure;
    size_t condition_count;
    const size_t *conditions;
    optimizer_algorithm algorithm;
} search_goal;

/* How a start of a search went. */
typedef struct search_end {
    bool ended;
    bool converged; /* by itself, not for want of runs */
    size_t used;    /* runs */
} search_end;

struct carom_study {
    carom_arena arena;
    json_document document; /* of the study */
    study_def def;
    sampling_kind sampling;
    sampling_def sampled;
    size_t run_count;
    size_t variable_count;
    vary_def *variables; /* of a list: paths only */
    size_t list_rows;
    const double *list; /* rows x variables */
    uint32_t *strata;   /* Latin hypercube: variables x runs */
    search_goal goal;   /* of a search */
    search_end *ends;   /* of a search: of each start */
    size_t measure_count;
    measure *measures;
    size_t signal_count;
    const char **signals;   /* that measures and events need, each once */
    size_t own_event_count; /* events of the study, which each scene gets beside its own */
    const study_event_def *own_events;
    size_t event_count; /* those, and events of the scene that measures look at */
    const char **events;

    char *scene_text;
    size_t scene_length;
    char *scene_name;   /* as messages name it */
    char *scene_folder; /* where files it names are looked for */
    json_t *identity;   /* what makes it this study and no other */
    uint64_t hash;      /* of the identity */

    struct carom_store *store;
    carom_row **rows; /* of the last sweep; NULL: missing */
    size_t torn;      /* lines of journals that could not be read */
    char **changes;   /* of the last call */
};

/* ---- study_read.c ------------------------------------------------------------------------------------------------- */

carom_status study_read(carom_study *s, carom_error *err);

/* Another number of runs, where the sampling allows it; 0: as it is. */
carom_status study_extend(carom_study *s, size_t runs, carom_error *err);

/* ---- sample.c ----------------------------------------------------------------------------------------------------- */

/* How many runs the sampling has; SIZE_MAX and an error where that is too many. */
carom_status sample_prepare(carom_study *s, carom_error *err);
void sample_inputs(const carom_study *s, size_t run, double *out);

/* Whether more runs leave the earlier ones as they are. */
bool sample_extends(const carom_study *s);

/* Indices: the base point of a run and which of its variables + 2 points it is: 0 A, 1 B, 2 + i A with variable i of B. */
void sample_group(const carom_study *s, size_t run, size_t *base, size_t *which);

/* Runs come in multiples of this. */
size_t sample_group_size(const carom_study *s);

/* Whether inputs of a run follow from runs before it. */
bool sample_depends(const carom_study *s);

/* Where a start of a search begins: shares between 0 and 1. */
void sample_start(const carom_study *s, size_t start, double *shares);

/* ---- search.c ----------------------------------------------------------------------------------------------------- */

/* Run k of a start is run k * starts + start of the study. */
carom_status search_prepare(carom_study *s, carom_error *err);

/* The row of a run with these inputs; anything but CAROM_OK ends the search. */
typedef carom_status search_row(void *context, size_t run, const double *inputs, const carom_row **out,
                                carom_error *err);

/* One start, from its first run on: rows that are there are answers like others. */
carom_status search_run(const carom_study *s, size_t start, search_row *row, void *context, search_end *end,
                        carom_error *err);

/* Whether a row is good, keeps all conditions and has a value; *value: it. */
bool search_takes(const carom_study *s, const carom_row *row, double *value);

/* The run that a search has found; SIZE_MAX: none, or it is no search. */
size_t search_best(const carom_study *s);

/* ---- search_summary.c --------------------------------------------------------------------------------------------- */

struct carom_text;
void search_tell(const carom_study *s, struct carom_text *out);

/* ---- measure.c ---------------------------------------------------------------------------------------------------- */

carom_status measures_prepare(carom_study *s, const json_t *scene, carom_error *err);

typedef struct measure_sums {
    double first, last, most, least, area; /* value at the first and last frame, extremes, integral over time */
    double begin, end;                     /* [s] */
    bool any;
} measure_sums;
void measure_add(measure_sums *sums, double t, double value);

/* Values of all measures from the sums of all signals and the times of events (NaN: it has not happened); the inputs may be named in
 * expressions. */
carom_status measures_finish(const carom_study *s, const measure_sums *sums, const double *event_at,
                             const double *inputs, double *values, carom_error *err);

/* ---- evaluate.c --------------------------------------------------------------------------------------------------- */

carom_row *row_create(const carom_study *s, size_t run);                   /* NULL: out of memory */
bool row_say(carom_row *row, carom_row_status status, const char *reason); /* false: out of memory */

/* stop: asked between steps; true: the row is left missing. May be NULL. */
carom_status evaluate_row(const carom_study *s, carom_row *row, bool (*stop)(void *), void *context,
                          carom_error *err);

/* Compiles the scene of a run; the reason in err. */
carom_status evaluate_model(const carom_study *s, const double *inputs, carom_model **out, carom_error *err);

/* ---- table.c ------------------------------------------------------------------------------------------------------ */

carom_status table_write(const carom_study *s, const char *folder, carom_error *err);

/* Appends a cell of CSV, quoted where it must be; new lines become spaces. */
void table_cell_text(struct carom_text *out, const char *text);
void table_cell_number(struct carom_text *out, double value);

#endif
