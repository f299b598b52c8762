/* 64-bit FNV-1a: content hashes of states, meshes and scenes. Not for adversaries. */
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CAROM_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t carom_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; ++i) {
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

#endif
