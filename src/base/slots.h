/* A hash table that grows, over items in an array of its owner, who makes keys and compares: a slot holds the number of
 * an item and one, or 0 where it is free. Two slots per item; the next ones are tried where one is taken. */
#ifndef CAROM_BASE_SLOTS_H
#define CAROM_BASE_SLOTS_H

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"

typedef struct carom_slots {
    uint32_t *item;
    size_t count; /* a power of two */
} carom_slots;

static inline size_t carom_slots_first(const carom_slots *s, uint64_t key)
{
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(key ^ key >> 29) & (s->count - 1);
}

static inline size_t carom_slots_next(const carom_slots *s, size_t slot)
{
    return (slot + 1) & (s->count - 1);
}

/* Twice the room for items, at first for `least` (a power of two); all slots are free then, and the owner enters the items
 * again. slots, items, capacity: the owner's carom_slots, pointer and size_t. False: memory has run out, and everything is
 * as it was. */
#define CAROM_SLOTS_GROW(slots, items, capacity, least) \
    carom_slots_grow(&(slots), &(items), &(capacity), (least), sizeof *(items))

/* owner: where the pointer to the first item is, whatever its type. */
static inline bool carom_slots_grow(carom_slots *s, void *owner, size_t *capacity, size_t least, size_t size)
{
    size_t wanted = *capacity ? 2 * *capacity : least;
    uint32_t *slots = wanted <= UINT32_MAX / 2 ? calloc(2 * wanted, sizeof *slots) : NULL;
    if (!slots || !carom_array_resize(owner, wanted, size)) {
        free(slots);
        return false;
    }
    free(s->item);
    *s = (carom_slots){ .item = slots, .count = 2 * wanted };
    *capacity = wanted;
    return true;
}

#endif
