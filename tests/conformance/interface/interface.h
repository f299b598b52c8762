/* The public functions called as they should not be: what the tables of this folder share.
 *
 * Every exported function has an entry in one of the tables, a function that hands it every class of bad argument it can
 * have: NULL, ids and counts out of range, objects of another model, numbers that are none, texts that are empty or far
 * too long, enums that do not exist. Sanitizers see what is read besides. */
#ifndef CAROM_TESTS_INTERFACE_H
#define CAROM_TESTS_INTERFACE_H

#include <limits.h>
#include <stdlib.h>

#include <carom/carom.h>

#include "support/check.h"

typedef struct interface_case {
    const char *function;
    void (*misuse)(void);
} interface_case;

/* Ended by an entry without a name. */
extern const interface_case interface_basics[];   /* base, fields, elements, math */
extern const interface_case interface_specs[];    /* spec, model */
extern const interface_case interface_steps[];    /* state, step, trust, contact */
extern const interface_case interface_runs[];     /* scenes, runs, summaries, comparisons, exports, pages, plots */
extern const interface_case interface_sinks[];    /* runs as objects, sinks */
extern const interface_case interface_results[];  /* what an open result answers */
extern const interface_case interface_studies[];  /* studies */
extern const interface_case interface_geometry[]; /* mesh, sdf */
extern const interface_case interface_batches[];  /* batches, states as bytes, signals that are set */

/* Every field of every definition, through the field tables. */
void misuse_definitions(void);

/* A model with what belongs to it. */
typedef struct trio {
    carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
} trio;

/* What the cases use and never change. */
typedef struct world {
    char folder[64];   /* for files */
    trio one;          /* bodies, joints, forces, contact */
    trio other;        /* another scene: other numbers of everything */
    trio heavier;      /* the scene of `one` with another mass: the same numbers of everything */
    carom_spec *spec;  /* of `one` */
    carom_result *run; /* a result of `one`, with contacts */
    carom_mesh *mesh;  /* a box */
    carom_sdf *field;  /* its distance field */
} world;
extern world the;
int world_create(void **state); /* setup and teardown of cmocka */
int world_destroy(void **state);

trio trio_create(const char *scene);
void trio_destroy(trio *t);
extern const char *const scene_of_one;
extern const char *const scene_of_other;
extern const char *const scene_of_heavier;

/* A million letters, without an end where names, paths or expressions have one. */
const char *overlong(void);

/* A path longer than file systems have, with this ending. */
const char *long_path(const char *ending);

/* A path in the folder of the tests. */
const char *path_of(const char *name);

/* The call with these arguments, and an error behind them, answers CAROM_BAD_INPUT with a sentence; without an error, the
 * same status. */
#define REFUSES(function, ...)                                                                                     \
    do {                                                                                                           \
        carom_error err_ = { 0 };                                                                                  \
        carom_status status_ = function(__VA_ARGS__, &err_);                                                       \
        check_refused_(status_, &err_, #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__);                        \
        check_eq_(function(__VA_ARGS__, NULL), status_, #function "(" #__VA_ARGS__ ", NULL)", __FILE__, __LINE__); \
    } while (0)

/* Any failure with a sentence: whether a path that cannot be read is bad input or bad luck is not told apart here. */
#define FAILS(function, ...)                                                                                       \
    do {                                                                                                           \
        carom_error err_ = { 0 };                                                                                  \
        carom_status status_ = function(__VA_ARGS__, &err_);                                                       \
        check_true_(status_ != CAROM_OK && err_.message[0], #function "(" #__VA_ARGS__ ")", __FILE__, __LINE__);   \
        check_eq_(function(__VA_ARGS__, NULL), status_, #function "(" #__VA_ARGS__ ", NULL)", __FILE__, __LINE__); \
    } while (0)

static inline void check_refused_(carom_status status, const carom_error *err, const char *what, const char *file,
                                  int line)
{
    if (status != CAROM_BAD_INPUT || err->status != status || !err->message[0]) {
        print_error("%s: %s: \"%s\", expected a refusal with a sentence\n", what, carom_status_name(status),
                    err->message);
        _fail(file, line);
    }
}

/* Numbers that are neither times, lengths nor counts. */
static const double not_positive[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, -1.0, -1e-300, 0.0 };
static const double not_nonnegative[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, -1.0, -1e-300 };
static const int strange_ids[] = { -1, -2, INT_MIN, INT_MAX, 1000000 };
static const size_t strange_sizes[] = { (size_t)-1, SIZE_MAX / 2, 1000000 };

#define FOR_EACH(item, list) for (size_t item##_at = 0; item##_at < sizeof(list) / sizeof(list)[0]; ++item##_at)
#define ITEM(item, list) ((list)[item##_at])

#endif
