/* Signals as the command line names them: A,B,... with patterns such as 'rod.*'. */
#ifndef CAROM_APP_SIGNALS_H
#define CAROM_APP_SIGNALS_H

#include <carom/result.h>

typedef struct signal_list {
    char **names; /* its own copies */
    size_t count;
    size_t capacity;
    size_t *slots; /* number of a name from 1 on, found by its hash; 0: free */
    size_t slot_count;
} signal_list;

/* Adds the words, patterns replaced by the signals they match. A signal of exactly the name wins over a pattern, and one
 * with commas in its name over a list. A word that is no pattern is taken as it is: the library knows what to say about
 * one that does not exist. The answer is a pattern that matches nothing, to be freed, or NULL. */
char *signal_list_add(signal_list *list, const carom_result *result, const char *words);

/* Adds one name, unless it is there. */
void signal_list_add_name(signal_list *list, const char *name);

void signal_list_free(signal_list *list);

/* Whether there is a signal of this name, and its number (or NULL). A lack of memory ends the program with a message. */
bool signal_find(const carom_result *result, const char *name, size_t *signal);

/* The values of a signal that is there, one per frame; NULL: no frames. What cannot be read ends the program with a message. */
const double *signal_values(const carom_result *result, size_t signal);

#endif
