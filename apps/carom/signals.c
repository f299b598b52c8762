/* Names and patterns of signals. */
#include "signals.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static bool holds(const signal_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; ++i) {
        if (strcmp(list->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void grow(signal_list *list)
{
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    char **names = allocate(capacity, sizeof *names);
    if (list->names) {
        memcpy(names, list->names, list->count * sizeof *names);
    }
    free(list->names);
    list->names = names;
    list->capacity = capacity;
}

void signal_list_add_name(signal_list *list, const char *name)
{
    if (holds(list, name)) {
        return;
    }
    if (list->count == list->capacity) {
        grow(list);
    }
    list->names[list->count++] = copy_text(name);
}

void signal_list_free(signal_list *list)
{
    for (size_t i = 0; i < list->count; ++i) {
        free(list->names[i]);
    }
    free(list->names);
    *list = (signal_list){ 0 };
}

static bool is_signal(const carom_result *result, const char *name)
{
    for (size_t i = 0; i < carom_result_signal_count(result); ++i) {
        if (strcmp(carom_result_signal_name(result, i), name) == 0) {
            return true;
        }
    }
    return false;
}

/* False for a pattern that matches nothing. */
static bool add_word(signal_list *list, const carom_result *result, const char *word)
{
    if (!strpbrk(word, "*?[") || is_signal(result, word)) {
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
    if (!comma || is_signal(result, words)) {
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
