/* Arrays that grow. */
#ifndef CAROM_BASE_ARRAY_H
#define CAROM_BASE_ARRAY_H

#include <stdlib.h>

/* Room for `count` items of `size` bytes; the array, or NULL when memory runs out (the old one stays). */
static inline void *carom_array_grow(void *items, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity && items) {
        return items;
    }
    size_t wanted = count + count / 2 + 16;
    void *larger = wanted < (size_t)-1 / 2 / size ? realloc(items, wanted * size) : NULL;
    *capacity = larger ? wanted : *capacity;
    return larger;
}

#endif
