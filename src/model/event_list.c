/* The list of events, sorted by merging: stable, and quick where it is sorted already, which it mostly is. */
#include "model/event_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool event_list_push(event_list *list, carom_event event)
{
    size_t with_spare = 2 * (list->count + 1);
    if (!CAROM_ARRAY_RESERVE(list->items, list->capacity, with_spare)) {
        return false;
    }
    list->items[list->count++] = event;
    return true;
}

static bool comes_after(const carom_event *x, const carom_event *y)
{
    return x->t > y->t;
}

/* Two sorted stretches become one in `to`. */
static void merge(const carom_event *a, size_t a_count, const carom_event *b, size_t b_count, carom_event *to)
{
    while (a_count > 0 && b_count > 0) {
        bool second = comes_after(a, b);
        *to++ = second ? *b++ : *a++;
        *(second ? &b_count : &a_count) -= 1;
    }
    memcpy(to, a_count > 0 ? a : b, (a_count > 0 ? a_count : b_count) * sizeof *to);
}

static void sort(carom_event *items, size_t count, carom_event *spare)
{
    size_t half = count / 2;
    if (half == 0) {
        return;
    }
    sort(items, half, spare);
    sort(items + half, count - half, spare);
    if (comes_after(&items[half - 1], &items[half])) {
        merge(items, half, items + half, count - half, spare);
        memcpy(items, spare, count * sizeof *items);
    }
}

void event_list_sort(event_list *list)
{
    if (list->count > 1) {
        sort(list->items, list->count, list->items + list->count);
    }
}

bool touching_pairs_reserve(touching_pairs *pairs, size_t count)
{
    return CAROM_ARRAY_RESERVE(pairs->items, pairs->capacity, count);
}

bool pair_totals_reserve(pair_totals *totals, size_t count)
{
    return CAROM_ARRAY_RESERVE(totals->items, totals->capacity, count);
}

void contact_memory_free(contact_memory *memory)
{
    free(memory->touching.items);
    free(memory->totals.items);
    free(memory->findings.items);
    *memory = (contact_memory){ 0 };
}
