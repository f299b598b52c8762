/* What a caller hands to a public function, checked in one place: a status and a sentence that names the function, the
 * argument and what it must be. Between our own functions CAROM_ASSERT says what must hold. */
#ifndef CAROM_BASE_ARGUMENTS_H
#define CAROM_BASE_ARGUMENTS_H

#include <carom/base.h>

enum { THREADS_MOST = 4096 }; /* more threads than this exist on no machine: a number that was never set */

typedef struct argument {
    const char *name;
    const void *value;
} argument;

/* CAROM_BAD_INPUT, "carom_step: 'model' must not be NULL", for the first pointer that is NULL. */
carom_status arguments_given(const char *function, const argument *arguments, size_t count, carom_error *err);
carom_status argument_given(const char *function, const char *name, const void *value, carom_error *err);

/* A text that is neither NULL nor empty. */
carom_status argument_text(const char *function, const char *name, const char *text, carom_error *err);

/* A list of pointers, none of them NULL; an empty list may be NULL. Texts may be empty. */
carom_status argument_list(const char *function, const char *name, const void *const *items, size_t count,
                           carom_error *err);
carom_status argument_texts(const char *function, const char *name, const char *const *texts, size_t count,
                            carom_error *err);

/* A finite number above zero, or not below it; the unit belongs to the sentence: "s". */
carom_status argument_positive(const char *function, const char *name, double value, const char *unit,
                               carom_error *err);
carom_status argument_nonnegative(const char *function, const char *name, double value, const char *unit,
                                  carom_error *err);

/* 0 (one thread) to THREADS_MOST. */
carom_status argument_threads(const char *function, int threads, carom_error *err);

#endif
