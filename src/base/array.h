/* Arrays that grow: the owner has a pointer to the first item and a capacity. */
#ifndef CAROM_BASE_ARRAY_H
#define CAROM_BASE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `count` items, and for half as many again as there was room for, so that pushing one by one costs little.
 * items: the owner's pointer (NULL: no room yet); capacity: the owner's size_t. False when memory runs out: then both, and the
 * items, are as they were. */
#define CAROM_ARRAY_RESERVE(items, capacity, count) \
    carom_array_reserve(&(items), &(capacity), (count), sizeof *(items))

/* The same with room for exactly `count` items, for arrays that share a capacity: the owner keeps it. */
#define CAROM_ARRAY_RESIZE(items, count) carom_array_resize(&(items), (count), sizeof *(items))

/* owner: where the pointer to the first item is, whatever its type. */
static inline bool carom_array_resize(void *owner, size_t count, size_t size)
{
    void *items;
    memcpy(&items, owner, sizeof items);
    items = count <= SIZE_MAX / size ? realloc(items, (count > 0 ? count : 1) * size) : NULL;
    if (items) {
        memcpy(owner, &items, sizeof items);
    }
    return items != NULL;
}

static inline bool carom_array_reserve(void *owner, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity && *capacity > 0) {
        return true;
    }
    size_t wanted = *capacity + *capacity / 2 + 16;
    wanted = wanted < count ? count : wanted;
    bool ok = carom_array_resize(owner, wanted, size);
    *capacity = ok ? wanted : *capacity;
    return ok;
}

#endif
