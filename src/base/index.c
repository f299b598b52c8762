/* Open addressing with linear probing, at most half full. */
#include "base/index.h"

void carom_index_prepare(carom_index *index, size_t count, carom_arena *arena)
{
    size_t capacity = 16;
    while (capacity < 2 * count + 2) {
        capacity *= 2;
    }
    *index = (carom_index){
        .capacity = capacity,
        .hashes = CAROM_ARENA_ARRAY(arena, uint64_t, capacity),
        .numbers = CAROM_ARENA_ARRAY(arena, int, capacity),
    };
    if (!index->hashes || !index->numbers) {
        *index = (carom_index){ 0 };
    }
}

/* FNV leaves its low bits less mixed than its high ones. */
static size_t place_of(const carom_index *index, uint64_t hash, size_t step)
{
    return ((size_t)(hash ^ hash >> 32) + step) & (index->capacity - 1);
}

void carom_index_add(carom_index *index, uint64_t hash, int number)
{
    size_t step = 0;
    while (step < index->capacity && index->numbers[place_of(index, hash, step)] != 0) {
        ++step;
    }
    if (step < index->capacity) {
        size_t place = place_of(index, hash, step);
        index->hashes[place] = hash;
        index->numbers[place] = number + 1;
    }
}

int carom_index_next(const carom_index *index, uint64_t hash, size_t *cursor)
{
    while (*cursor < index->capacity) {
        size_t place = place_of(index, hash, (*cursor)++);
        if (index->numbers[place] == 0) {
            break;
        }
        if (index->hashes[place] == hash) {
            return index->numbers[place] - 1;
        }
    }
    *cursor = index->capacity;
    return -1;
}
