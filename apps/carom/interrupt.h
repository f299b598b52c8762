/* What Ctrl-C (SIGINT) and SIGTERM do: the program ends within a second, wherever it is.
 *
 * Ordinarily at once: files appear whole or not at all. Between interrupt_defer and interrupt_restore work is told to end by
 * itself, so that what it has reached is saved: interrupt_wanted. It has about a second for that, all in all; then, or at
 * the second signal, the program ends where it is. What was flushed before is safe. */
#ifndef CAROM_APP_INTERRUPT_H
#define CAROM_APP_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* What the signals did before. */
typedef struct interrupt_before {
    struct sigaction on[2];
} interrupt_before;

/* For main. */
void interrupt_install(void);

void interrupt_defer(interrupt_before *before);
void interrupt_restore(const interrupt_before *before);
bool interrupt_wanted(void);

/* What is said where work has had to be left: a line, which means that there is something to save, or NULL, by default:
 * nothing is lost by leaving. It is copied. */
void interrupt_last_words(const char *line);

#endif
