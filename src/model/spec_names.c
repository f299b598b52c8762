/* Names of a scene: what may be a name, and a table of them that grows by doubling. */
#include "model/spec.h"

#include <limits.h>
#include <string.h>

#include "base/text.h"

enum { LONGEST_NAME = 200, FIRST_ROOM = 32 };

const char *spec_name_problem(const char *name)
{
    if (!name || !name[0]) {
        return "a name must not be empty";
    }
    if (strcmp(name, "ground") == 0) {
        return "'ground' is the name of the world itself; choose another";
    }
    if (strlen(name) > LONGEST_NAME) {
        return "a name may have at most 200 bytes";
    }
    for (const char *c = name; *c; ++c) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            return "a name must not contain control characters";
        }
    }
    return NULL;
}

static int pack(spec_class which, size_t index)
{
    return (int)(4 * index) + (int)which;
}

/* Twice the room; the old table stays in the arena, which costs no more than the new one. */
static bool grow(spec_names *names, carom_arena *arena)
{
    size_t room = names->room ? 2 * names->room : FIRST_ROOM;
    carom_names bigger;
    carom_names_prepare(&bigger, room, arena);
    if (!bigger.capacity) {
        return false;
    }
    for (size_t i = 0; i < names->table.capacity; ++i) {
        if (names->table.keys[i]) {
            carom_names_add(&bigger, names->table.keys[i], names->table.values[i]);
        }
    }
    *names = (spec_names){ bigger, room };
    return true;
}

bool spec_names_add(spec_names *names, carom_arena *arena, const char *name, spec_class which, size_t index)
{
    if (index > INT_MAX / 4 - 1 || !name) {
        arena->failed = true;
        return false;
    }
    if (names->table.count >= names->room && !grow(names, arena)) {
        return false;
    }
    return carom_names_add(&names->table, name, pack(which, index));
}

bool spec_names_find(const spec_names *names, const char *name, spec_class *which, size_t *index)
{
    int code = names->room ? carom_names_find(&names->table, name) : -1;
    if (code < 0) {
        return false;
    }
    *which = (spec_class)(code & 3);
    *index = (size_t)(code >> 2);
    return true;
}

const char *spec_names_nearest(const spec_names *names, const char *name, spec_class which)
{
    const char *best = NULL;
    int best_distance = 0;
    for (size_t i = 0; names->room && i < names->table.capacity; ++i) {
        const char *candidate = names->table.keys[i];
        if (!candidate || (names->table.values[i] & 3) != (int)which || !carom_text_nearest(name, &candidate, 1)) {
            continue;
        }
        int distance = carom_text_distance(name, candidate);
        bool earlier = best && distance == best_distance && strcmp(candidate, best) < 0;
        if (!best || distance < best_distance || earlier) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}
