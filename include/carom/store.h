/* A store: what models of one study share. Meshes, and shapes prepared for contact with their distance fields, hulls and boxes,
 * are made once for all models that are compiled with the same store, and kept while one of them lives; of what none uses any
 * more the latest are kept. A model is the same to the last bit with a store and without.
 *
 * Threads: a store is shared freely. Of threads that ask for the same thing one makes it, the others wait for it. */
#ifndef CAROM_STORE_H
#define CAROM_STORE_H

#include <carom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_store carom_store;

CAROM_API carom_store *carom_store_create(void); /* NULL when memory runs out */

/* NULL: nothing. Models made with it may live on; its memory goes with the last of them. */
CAROM_API void carom_store_destroy(carom_store *store);

/* What a store has been good for; zeros for NULL. */
typedef struct carom_store_counts {
    size_t kept;  /* meshes and prepared shapes in it */
    size_t made;  /* since it was created */
    size_t taken; /* times one was there already, or in the making */
} carom_store_counts;
CAROM_API carom_store_counts carom_store_count(const carom_store *store);

#ifdef __cplusplus
}
#endif
#endif
