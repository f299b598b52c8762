/* Events on their way from where they happen to the run that records them.
 *
 * A step may announce any number of them: methods push into the list of the scratch, in any order. The list is emptied
 * when the next step begins, so that who steps without asking for events pays nothing. */
#ifndef CAROM_MODEL_EVENT_LIST_H
#define CAROM_MODEL_EVENT_LIST_H

#include "model/frame.h"

typedef struct event_list {
    carom_event *items; /* with as much room again to sort in */
    size_t count, capacity;
} event_list;

/* False when memory runs out: the list is then as it was. */
bool event_list_push(event_list *list, carom_event event);

/* Ascending by time; what happens at one instant keeps its order, in which one thing leads to the next. */
void event_list_sort(event_list *list);

/* Room for so many pairs; false when memory runs out. */
bool touching_pairs_reserve(touching_pairs *pairs, size_t count);
bool pair_totals_reserve(pair_totals *totals, size_t count);
void contact_memory_free(contact_memory *memory);

#endif
