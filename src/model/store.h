/* The inside of a carom_store, for those who compile models. */
#ifndef CAROM_MODEL_STORE_H
#define CAROM_MODEL_STORE_H

#include <carom/store.h>

#include "base/arena.h"
#include "collision/collider.h"
#include "geometry/mesh.h"

/* One thing that is shared. Whoever takes it may read it until it is given back. */
typedef struct store_item {
    carom_arena arena;       /* what mesh and collider point to: params */
    mesh *mesh;              /* owned; NULL: this is a collider */
    mesh_quality quality;    /* of the mesh */
    collider *collider;      /* owned; NULL: this is a mesh */
    struct store_item *of;   /* of a collider: its mesh, taken; NULL: none */
    struct store_line *line; /* the store's own */
} store_item;

/* What tells items apart. */
typedef struct store_key {
    const void *type;     /* carom_shape_type */
    uint64_t hash;        /* of the params and all options */
    const char *name;     /* of the mesh or its file; NULL: none */
    const store_item *of; /* of a collider: its mesh */
    bool prepared;        /* a collider; else a mesh */
} store_key;

/* Fills in a new item; what it has put there is freed whatever it answers. */
typedef carom_status (*store_make)(void *context, store_item *item, carom_error *err);

/* The item with this key, made if there is none; to be given back. NULL on failure. */
carom_status store_take(carom_store *store, const store_key *key, store_make make, void *context, store_item **out,
                        carom_error *err);
void store_give_back(carom_store *store, store_item *item); /* item: NULL is fine */

void store_keep(carom_store *store); /* until carom_store_destroy */

#endif
