/* Content hashes of states, meshes and scenes. Not for adversaries. */
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CAROM_HASH_START UINT64_C(0xcbf29ce484222325)

/* 64-bit FNV-1a. */
static inline uint64_t carom_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; ++i) {
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static inline uint64_t carom_hash_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 32);
}

/* Word by word, four sums side by side: some fifteen times as fast as FNV-1a, for what is hashed in every step and kept nowhere.
 * `data` need not be aligned. */
static inline uint64_t carom_hash_words(uint64_t hash, const void *data, size_t words)
{
    enum { LANES = 4 };
    const unsigned char *p = data;
    uint64_t sums[LANES] = { hash, hash + 1, hash + 2, hash + 3 };
    uint64_t word[LANES];
    size_t k = 0;
    for (; k + LANES <= words; k += LANES) {
        memcpy(word, p + k * sizeof *word, sizeof word);
        for (int i = 0; i < LANES; ++i) {
            sums[i] = carom_hash_mix(sums[i], word[i]);
        }
    }
    for (; k < words; ++k) {
        memcpy(word, p + k * sizeof *word, sizeof *word);
        sums[0] = carom_hash_mix(sums[0], word[0]);
    }
    hash = carom_hash_mix(hash, words);
    for (int i = 0; i < LANES; ++i) {
        hash = carom_hash_mix(hash, sums[i]);
    }
    return hash;
}

#endif
