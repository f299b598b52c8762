/* An open result from the inside, shared by those who read it: result_read.c opens and lists, result_signals.c has the
 * columns, result_model_read.c the bodies, joints, shapes and texts. */
#ifndef CAROM_RESULT_RESULT_INSIDE_H
#define CAROM_RESULT_RESULT_INSIDE_H

#include "base/arena.h"
#include "base/names.h"
#include "files/file.h"
#include "result/result_contacts.h"
#include "result/result_events.h"
#include "result/result_flexible.h"
#include "result/result_h5.h"
#include "result/result_read.h"
#include "result/result_shapes.h"

enum { MOST_TABLES = 80, RESULT_PATH = 96 };

/* Texts that a run writes about itself, under these names in `meta`; the version is an attribute of the root. */
enum { RESULT_TEXTS = 4 };
extern const char *const result_text_names[RESULT_TEXTS];

typedef struct result_table { /* one dataset: frames x width */
    char path[RESULT_PATH];
    size_t width;
    double *columns; /* width columns of `frames` numbers; NULL until asked for */
} result_table;

typedef struct result_column {
    const char *name;
    const char *unit;
    int table;
    size_t column;
} result_column;

/* Columns by their names, made when one is first asked for. */
typedef struct column_index {
    carom_arena arena;
    carom_names names;
} column_index;

struct carom_result {
    carom_arena arena; /* names and units */
    char path[FILE_PATH];
    hid_t file;
    bool sealed; /* every byte is as carom wrote it */
    size_t frames;
    double *time;
    char **scene;
    int table_count;
    result_table *tables;
    size_t column_count;
    size_t column_capacity;
    size_t recorded;
    result_column *columns;
    column_index *index;
    const char **recorded_names; /* sorted */
    size_t body_count;
    char **body_names;
    contact_reader *contacts;
    size_t event_count;
    carom_event *events;
    size_t named_count;
    char **named; /* names of the scene's own events */
    result_shapes *shapes;
    result_flexible *flexible;
    char **texts[RESULT_TEXTS];
    char version[32];
    int motion_tables[4];     /* of bodies: position, orientation, velocity, angular velocity */
    int reaction_tables[2];   /* of joints: force, torque */
    int effort_tables[2];     /* of forces: force, torque */
    char **summary_text;      /* summary.json; NULL: there is none */
    carom_summary *summary;   /* what it says; NULL: there is none */
    carom_result_pair *pairs; /* that it lists; NULL: none, or not as carom writes them */
    size_t pair_count;
};

carom_status result_damaged(const carom_result *r, const char *what, carom_error *err);
carom_status result_no_memory(const carom_result *r, carom_error *err);

/* summary.json from the folder of the result, if it is there. */
carom_status result_read_summary(carom_result *r, carom_error *err);

/* Reads a dataset, if that has not happened yet. */
carom_status result_load_table(const carom_result *r, result_table *table, carom_error *err);

#endif
