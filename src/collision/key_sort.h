/* Sorting by integer keys in linear time; equal keys keep their order. */
#ifndef CAROM_COLLISION_KEY_SORT_H
#define CAROM_COLLISION_KEY_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct keyed {
    uint64_t key;
    int64_t value;
} keyed;

/* Ascending by key. `spare` has room for as many; the result is in `items`. */
void key_sort(keyed *items, keyed *spare, size_t count);

#endif
