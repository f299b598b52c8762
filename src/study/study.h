/* A study from the inside.
 *
 * study_read.c reads the file; sample.c says what run i varies; measure.c turns a run into numbers; evaluate.c makes one row;
 * journal.c keeps rows on disk; sweep.c makes all of them on threads; table.c writes them out; statistics.c sums them up. */
#ifndef CAROM_STUDY_STUDY_H
#define CAROM_STUDY_STUDY_H

#include <carom/study.h>

#include "base/arena.h"
#include "files/json_document.h"
#include "study/distribution.h"

typedef enum sampling_kind {
    SAMPLING_GRID,
    SAMPLING_LIST,
    SAMPLING_RANDOM,
    SAMPLING_LATIN,
    SAMPLING_SOBOL,
    SAMPLING_INDICES,
} sampling_kind;

/* Parameters of all samplings; each table shows those it has. */
typedef struct sampling_def {
    int runs; /* of indices: base points */
    double seed;
    bool scrambled;
    int scramblings;
    const char *file; /* of a list */
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
    bool doubtful;
    bool failed;
} keep_def;

typedef struct study_def {
    const char *name;
    const char *scene;
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
    size_t measure_count;
    measure *measures;
    size_t signal_count;
    const char **signals; /* that measures and events need, each once */
    size_t event_count;
    const study_event_def *events;

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

const carom_field *study_fields(void);
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

/* ---- measure.c ---------------------------------------------------------------------------------------------------- */

carom_status measures_prepare(carom_study *s, carom_error *err);

typedef struct measure_sums {
    double first, last, most, least, area; /* value at the first and last frame, extremes, integral over time */
    double begin, end;                     /* [s] */
    bool any;
} measure_sums;
void measure_add(measure_sums *sums, double t, double value);

/* The condition of an event, over the values of the study's signals; NULL with an error. To be destroyed by expr_destroy. */
struct expr;
struct expr *event_condition(const carom_study *s, size_t event, carom_error *err);

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
struct carom_text;
void table_cell_text(struct carom_text *out, const char *text);
void table_cell_number(struct carom_text *out, double value);

#endif
