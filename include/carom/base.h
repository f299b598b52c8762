/* The words every other public header uses: export mark, status, the caller-owned error, ids, version.
 *
 * Who owns what: every create has one destroy; strings and arrays handed in are copied; pointers handed out live as
 * long as the object they came from; a list that is handed over has a destroy of its own, never free(). Nothing here prints,
 * exits or keeps global state, but for broken invariants: see carom_set_assert_handler.
 *
 * What may be NULL: `err` always, what destroy and close take, and what a comment says may be; nothing else. What cannot
 * be used is refused, not read: NULL, ids and indices out of range (CAROM_NONE of a failed look-up among them), states and
 * scratches of another model, numbers that are not finite, negative sizes, unknown enums and names. A function that
 * returns a status then answers CAROM_BAD_INPUT with a sentence, changes nothing, and makes *out NULL where it would have
 * made something; a function that returns a value answers a neutral one: zero, NULL, false, CAROM_NONE, or what its comment
 * says. Memory that was freed or never set cannot be recognised.
 *
 * Threads: different objects may be used by different threads at once. Each header says what one object bears; functions
 * without an object may be called by any thread at any time. */
#ifndef CAROM_BASE_H
#define CAROM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CAROM_API __attribute__((visibility("default")))
#define CAROM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define CAROM_API
#define CAROM_PRINTF(fmt, args)
#endif

#define CAROM_VERSION "0.1.0"
#define CAROM_SCENE_VERSION 1

/* The version of the library that runs, where CAROM_VERSION is that of the headers; a binding refuses another one. */
CAROM_API const char *carom_version(void);

/* The optional parts that it was built with, in the order of the alphabet with a space between: "assimp sundials". */
CAROM_API const char *carom_features(void);

/* Everything a call can answer. The text of an error says the rest. */
typedef enum carom_status {
    CAROM_OK = 0,
    CAROM_BAD_INPUT,     /* the caller's scene, file, definition or argument is wrong */
    CAROM_NO_MEMORY,     /* an allocation failed; nothing was changed */
    CAROM_IO_FAILED,     /* the file system or a file format library said no */
    CAROM_NOT_CONVERGED, /* an iteration ended without an answer; the state is as it was */
    CAROM_IMPOSSIBLE,    /* the constraints contradict each other: no consistent configuration */
    CAROM_INTERSECTING,  /* bodies overlap where the method needs a start without overlap */
    CAROM_INTERRUPTED,   /* the caller asked to stop */
    CAROM_UNSUPPORTED,   /* this build lacks an optional component */
} carom_status;

/* The caller owns it, usually on the stack: `carom_error err = {0};`. file, line and path are empty or 0 where an
 * error does not come from a scene file.
 *
 * Mistakes of a scene are looked for together: reading and compiling go on after the first and count what they find. Who
 * wants to see all of them gives room for a list before the call:
 *     carom_error_list list = {0};
 *     carom_error err = { .all = &list };                                                                          */
typedef struct carom_error {
    carom_status status;
    int line;                     /* 1-based line in file, 0 when unknown */
    char file[256];               /* scene file */
    char path[256];               /* place in the scene, e.g. "bodies[2].shape.box" */
    char message[1024];           /* names the thing, the amount and the remedy */
    int count;                    /* mistakes found together, this one the first; 1: it alone */
    struct carom_error_list *all; /* the caller's room for all of them; NULL: the first is enough */
} carom_error;

/* More mistakes than fit are not looked for. */
#define CAROM_ERRORS_MOST 20
typedef struct carom_error_list {
    int count;
    carom_error items[CAROM_ERRORS_MOST]; /* by file and line */
} carom_error_list;

/* Fills err (NULL: nothing) and returns status, so that `return carom_fail(...)` reads well. */
CAROM_API carom_status carom_fail(carom_error *err, carom_status status, const char *fmt, ...) CAROM_PRINTF(3, 4);

/* A short name of a status: "bad input"; "unknown status" for any other number. */
CAROM_API const char *carom_status_name(carom_status status);

/* One error as a person reads it: file:line: path: message; "" for NULL. Returns buffer, or "" where that is NULL or size
 * is 0. */
CAROM_API const char *carom_error_text(const carom_error *err, char *buffer, size_t size);

/* Texts that a function hands over are destroyed here; NULL: nothing. */
CAROM_API void carom_text_destroy(char *text);

/* How far something that may take seconds has come. */
typedef struct carom_building {
    const char *what; /* "the distance field of 'statue.stl'" */
    double part;      /* that is done: 0 to 1, never less than before */
} carom_building;

/* Called some twenty times a second at most, by one thread at a time, not always the same. False gives up: the work
 * then answers CAROM_INTERRUPTED. */
typedef bool (*carom_keep_building)(void *context, const carom_building *now);

/* A broken invariant: a mistake of carom itself, never of its caller, after which a call cannot go on. By default the place
 * is printed to standard error and the process aborted. A handler that is set instead is called on the thread that has found
 * it, with texts that never change, and does not return: if it does, the process is aborted. It may
 *   - end the process in its own way, or wait for ever;
 *   - leave the call by longjmp, where the call works on the thread that made it (scratches and options of one thread, no
 *     field being built). What the call was given and not const is then worth nothing: it is neither used nor destroyed,
 *     and its memory is lost. Everything else stays good. Exceptions of C++ cannot pass through the library: catch them in
 *     the handler, leave by longjmp and throw again there.
 * One handler for the process: set it before other threads use carom. NULL: the default. Returns the one before. */
typedef void (*carom_assert_handler)(const char *file, int line, const char *condition);
CAROM_API carom_assert_handler carom_set_assert_handler(carom_assert_handler handler);

/* Index of a body, joint or force in its model. Body 0 is always the ground; CAROM_NONE means "no such". */
typedef int32_t carom_id;
#define CAROM_NONE ((carom_id)-1)
#define CAROM_GROUND ((carom_id)0)

#ifdef __cplusplus
}
#endif
#endif
