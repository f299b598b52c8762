/* Radix sort from the least significant byte; bytes in which all keys agree cost one look. */
#include "collision/key_sort.h"

#include <string.h>

enum { FEW = 48, RADIX = 256 };

static void insertion_sort(keyed *items, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        keyed item = items[i];
        size_t j = i;
        for (; j > 0 && items[j - 1].key > item.key; --j) {
            items[j] = items[j - 1];
        }
        items[j] = item;
    }
}

/* Bits in which any two keys differ. */
static uint64_t differing_bits(const keyed *items, size_t count)
{
    uint64_t differ = 0;
    for (size_t i = 1; i < count; ++i) {
        differ |= items[i].key ^ items[0].key;
    }
    return differ;
}

static void sort_by_byte(const keyed *from, keyed *to, size_t count, int shift)
{
    size_t start[RADIX + 1] = { 0 };
    for (size_t i = 0; i < count; ++i) {
        ++start[(from[i].key >> shift & 255) + 1];
    }
    for (int b = 0; b < RADIX; ++b) {
        start[b + 1] += start[b];
    }
    for (size_t i = 0; i < count; ++i) {
        to[start[from[i].key >> shift & 255]++] = from[i];
    }
}

void key_sort(keyed *items, keyed *spare, size_t count)
{
    if (count <= FEW) {
        insertion_sort(items, count);
        return;
    }
    keyed *from = items;
    keyed *to = spare;
    uint64_t differ = differing_bits(items, count);
    for (int shift = 0; shift < 64; shift += 8) {
        if (differ >> shift & 255) {
            sort_by_byte(from, to, count, shift);
            keyed *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != items) {
        memcpy(items, from, count * sizeof *items);
    }
}
