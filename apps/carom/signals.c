/* Names and patterns of signals. */
#include "signals.h"

#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* The slot of the name, or the free one where it belongs. There is a free one: at most half of them are taken. */
static size_t slot_of(const signal_list *list, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *c = name; *c; ++c) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    }
    size_t slot = (size_t)hash & (list->slot_count - 1);
    while (list->slots[slot] > 0 && strcmp(list->names[list->slots[slot] - 1], name) != 0) {
        slot = (slot + 1) & (list->slot_count - 1);
    }
    return slot;
}

static void grow(signal_list *list)
{
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    char **names = allocate(capacity, sizeof *names);
    if (list->names) {
        memcpy(names, list->names, list->count * sizeof *names);
    }
    free(list->names);
    free(list->slots);
    list->names = names;
    list->capacity = capacity;
    list->slots = allocate(2 * capacity, sizeof *list->slots);
    list->slot_count = 2 * capacity;
    for (size_t i = 0; i < list->count; ++i) {
        list->slots[slot_of(list, list->names[i])] = i + 1;
    }
}

void signal_list_add_name(signal_list *list, const char *name)
{
    if (list->count == list->capacity) {
        grow(list);
    }
    size_t slot = slot_of(list, name);
    if (list->slots[slot] == 0) {
        list->names[list->count++] = copy_text(name);
        list->slots[slot] = list->count;
    }
}

void signal_list_free(signal_list *list)
{
    for (size_t i = 0; i < list->count; ++i) {
        free(list->names[i]);
    }
    free(list->names);
    free(list->slots);
    *list = (signal_list){ 0 };
}

bool signal_find(const carom_result *result, const char *name, size_t *signal)
{
    carom_error err = { 0 };
    size_t found = 0;
    carom_status status = carom_result_find_signal(result, name, &found, NULL, &err);
    require_ok(status == CAROM_NO_MEMORY ? status : CAROM_OK, &err);
    if (status == CAROM_OK && signal) {
        *signal = found;
    }
    return status == CAROM_OK;
}

const double *signal_values(const carom_result *result, size_t signal)
{
    const double *values = carom_result_signal(result, signal);
    if (!values && carom_result_frame_count(result) > 0) {
        carom_error err = { 0 };
        require_ok(carom_result_find_signal(result, carom_result_signal_name(result, signal), &signal, &values, &err),
                   &err);
    }
    return values;
}

/* False for a pattern that matches nothing. */
static bool add_word(signal_list *list, const carom_result *result, const char *word)
{
    if (!strpbrk(word, "*?[") || signal_find(result, word, NULL)) {
        signal_list_add_name(list, word);
        return true;
    }
    bool found = false;
    for (size_t i = 0; i < carom_result_signal_count(result); ++i) {
        const char *name = carom_result_signal_name(result, i);
        if (fnmatch(word, name, 0) == 0) {
            signal_list_add_name(list, name);
            found = true;
        }
    }
    return found;
}

/* Splits what follows off at the first comma, unless all of it is the name of a signal. */
static char *split(const carom_result *result, char *words)
{
    char *comma = strchr(words, ',');
    if (!comma || signal_find(result, words, NULL)) {
        return NULL;
    }
    *comma = '\0';
    return comma + 1;
}

char *signal_list_add(signal_list *list, const carom_result *result, const char *words)
{
    char *copy = copy_text(words);
    char *without_match = NULL;
    for (char *word = copy; word && !without_match;) {
        char *next = split(result, word);
        if (!add_word(list, result, word)) {
            without_match = copy_text(word);
        }
        word = next;
    }
    free(copy);
    return without_match;
}
