/* Open addressing with linear probing, at most half full. */
#include "base/names.h"

#include <string.h>

#include "base/hash.h"

void carom_names_prepare(carom_names *names, size_t count, carom_arena *arena)
{
    size_t capacity = 16;
    while (capacity < 2 * count + 2) {
        capacity *= 2;
    }
    *names = (carom_names){
        .capacity = capacity,
        .keys = CAROM_ARENA_ARRAY(arena, const char *, capacity),
        .values = CAROM_ARENA_ARRAY(arena, int, capacity),
    };
    if (!names->keys || !names->values) {
        *names = (carom_names){ 0 };
    }
}

static size_t find_place(const carom_names *names, const char *name)
{
    size_t place = (size_t)carom_hash(CAROM_HASH_START, name, strlen(name)) & (names->capacity - 1);
    while (names->keys[place] && strcmp(names->keys[place], name) != 0) {
        place = (place + 1) & (names->capacity - 1);
    }
    return place;
}

bool carom_names_add(carom_names *names, const char *name, int value)
{
    size_t place = names->capacity ? find_place(names, name) : 0;
    if (!names->capacity || names->keys[place]) {
        return false;
    }
    names->keys[place] = name;
    names->values[place] = value;
    names->count++;
    return true;
}

int carom_names_find(const carom_names *names, const char *name)
{
    if (!names->capacity) {
        return -1;
    }
    size_t place = find_place(names, name);
    return names->keys[place] ? names->values[place] : -1;
}
