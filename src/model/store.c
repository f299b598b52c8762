/* Stores: items by key, each made once, counted by its users.
 *
 * The lock is held while the list is looked at, never while something is made: a line that is in the making has no item yet, and
 * who wants it waits for a signal. Making may fail, or be interrupted by its own watcher; the line then goes, and the next who
 * waits makes it. */
#include "model/store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    IDLE_MOST = 64
}; /* items that no model uses: enough for the scenes of a study, bounded where every run has its own */

typedef struct store_line {
    struct store_line *next;
    store_key key; /* its name is owned */
    store_item item;
    bool ready;
    int users;        /* models that have it, and colliders of a mesh */
    uint64_t idle_at; /* when it was given back last */
} store_line;

struct carom_store {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int owners;
    store_line *lines;
    size_t idle;
    uint64_t clock; /* counts giving back */
    carom_store_counts counts;
};

carom_store *carom_store_create(void)
{
    carom_store *store = calloc(1, sizeof *store);
    if (store) {
        pthread_mutex_init(&store->lock, NULL);
        pthread_cond_init(&store->changed, NULL);
        store->owners = 1;
    }
    return store;
}

static void empty(store_item *item)
{
    collider_destroy(item->collider);
    mesh_destroy(item->mesh);
    carom_arena_free(&item->arena);
}

static void free_line(store_line *line)
{
    empty(&line->item);
    free((char *)(uintptr_t)line->key.name);
    free(line);
}

/* ---- the list, under the lock ------------------------------------------------------------------------------------- */

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_key(const store_key *a, const store_key *b)
{
    return a->type == b->type && a->hash == b->hash && a->of == b->of && a->prepared == b->prepared &&
           same_name(a->name, b->name);
}

static store_line *find(const carom_store *store, const store_key *key)
{
    store_line *line = store->lines;
    while (line && !same_key(&line->key, key)) {
        line = line->next;
    }
    return line;
}

static void unlink_line(carom_store *store, const store_line *line)
{
    store_line **at = &store->lines;
    while (*at != line) {
        at = &(*at)->next;
    }
    *at = line->next;
}

static void use(carom_store *store, store_line *line)
{
    store->idle -= line->ready && line->users == 0;
    line->users++;
}

/* The one that has not been used for the longest time. */
static store_line *oldest_idle(const carom_store *store)
{
    store_line *oldest = NULL;
    for (store_line *line = store->lines; line; line = line->next) {
        if (line->ready && line->users == 0 && (!oldest || line->idle_at < oldest->idle_at)) {
            oldest = line;
        }
    }
    return oldest;
}

/* A collider that goes gives its mesh back. */
static void leave(carom_store *store, store_line *line)
{
    line->users--;
    line->idle_at = store->clock++;
    store->idle += line->users == 0;
    while (store->idle > IDLE_MOST) {
        store_line *gone = oldest_idle(store);
        store_item *of = gone->item.of;
        unlink_line(store, gone);
        store->idle--;
        store->counts.kept--;
        free_line(gone);
        if (of) {
            of->line->users--;
            of->line->idle_at = store->clock++;
            store->idle += of->line->users == 0;
        }
    }
}

/* A line for the key, which nobody has yet. */
static store_line *add(carom_store *store, const store_key *key)
{
    store_line *line = calloc(1, sizeof *line);
    char *name = key->name && line ? malloc(strlen(key->name) + 1) : NULL;
    if (!line || (key->name && !name)) {
        free(line);
        return NULL;
    }
    line->key = *key;
    line->key.name = name ? strcpy(name, key->name) : NULL;
    line->item.line = line;
    line->users = 1;
    line->next = store->lines;
    store->lines = line;
    return line;
}

/* ---- taking ------------------------------------------------------------------------------------------------------- */

static carom_status make_line(carom_store *store, store_line *line, store_make make, void *context, carom_error *err)
{
    pthread_mutex_unlock(&store->lock);
    carom_status status = make(context, &line->item, err);
    pthread_mutex_lock(&store->lock);
    line->ready = status == CAROM_OK;
    if (line->ready) {
        store->counts.kept++;
        store->counts.made++;
        if (line->item.of) {
            use(store, line->item.of->line);
        }
    } else {
        unlink_line(store, line);
        free_line(line);
    }
    pthread_cond_broadcast(&store->changed);
    return status;
}

static carom_status take(carom_store *store, const store_key *key, store_make make, void *context, store_item **out,
                         carom_error *err)
{
    store_line *line = find(store, key);
    while (line && !line->ready) {
        pthread_cond_wait(&store->changed, &store->lock);
        line = find(store, key);
    }
    if (line) {
        use(store, line);
        store->counts.taken++;
        *out = &line->item;
        return CAROM_OK;
    }
    line = add(store, key);
    carom_status status = line ? make_line(store, line, make, context, err)
                               : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a store");
    *out = status == CAROM_OK ? &line->item : NULL;
    return status;
}

carom_status store_take(carom_store *store, const store_key *key, store_make make, void *context, store_item **out,
                        carom_error *err)
{
    pthread_mutex_lock(&store->lock);
    carom_status status = take(store, key, make, context, out, err);
    pthread_mutex_unlock(&store->lock);
    return status;
}

void store_give_back(carom_store *store, store_item *item)
{
    if (item) {
        pthread_mutex_lock(&store->lock);
        leave(store, item->line);
        pthread_mutex_unlock(&store->lock);
    }
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

void store_keep(carom_store *store)
{
    pthread_mutex_lock(&store->lock);
    store->owners++;
    pthread_mutex_unlock(&store->lock);
}

/* Colliders before the meshes they point into. */
static void free_all(carom_store *store)
{
    for (int prepared = 1; prepared >= 0; --prepared) {
        for (store_line *line = store->lines, *next; line; line = next) {
            next = line->next;
            if (line->key.prepared == (prepared == 1)) {
                unlink_line(store, line);
                free_line(line);
            }
        }
    }
    pthread_cond_destroy(&store->changed);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

void carom_store_destroy(carom_store *store)
{
    if (!store) {
        return;
    }
    pthread_mutex_lock(&store->lock);
    bool last = --store->owners == 0;
    pthread_mutex_unlock(&store->lock);
    if (last) {
        free_all(store);
    }
}

carom_store_counts carom_store_count(const carom_store *store)
{
    carom_store_counts counts = { 0 };
    if (store) {
        /* No store is made const: the lock is no part of what it says. */
        pthread_mutex_t *lock = &((carom_store *)(uintptr_t)store)->lock;
        pthread_mutex_lock(lock);
        counts = store->counts;
        pthread_mutex_unlock(lock);
    }
    return counts;
}
