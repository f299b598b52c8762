/* Philox 4x32-10 [Salmon2011]: ten rounds of two multiplications; counter in, bits out. */
#include "study/random.h"

#include <string.h>

#include "base/hash.h"

void philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    enum { ROUNDS = 10 };
    uint32_t c[4] = { counter[0], counter[1], counter[2], counter[3] };
    uint32_t k[2] = { key[0], key[1] };
    for (int i = 0; i < ROUNDS; ++i) {
        uint64_t a = UINT64_C(0xD2511F53) * c[0];
        uint64_t b = UINT64_C(0xCD9E8D57) * c[2];
        const uint32_t next[4] = { (uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                                   (uint32_t)a };
        memcpy(c, next, sizeof c);
        k[0] += UINT32_C(0x9E3779B9);
        k[1] += UINT32_C(0xBB67AE85);
    }
    memcpy(out, c, sizeof c);
}

uint64_t draw_bits(draw d)
{
    const uint32_t counter[4] = { (uint32_t)d.of, (uint32_t)(d.of >> 32), (uint32_t)d.name,
                                  (uint32_t)(d.name >> 32) };
    const uint32_t key[2] = { (uint32_t)d.seed, (uint32_t)(d.seed >> 32) };
    uint32_t out[4];
    philox(counter, key, out);
    return (uint64_t)out[0] | (uint64_t)out[1] << 32;
}

double draw_uniform(draw d)
{
    return ((double)(draw_bits(d) >> 11) + 0.5) * 0x1p-53;
}

/* Rounds down a product: the bias is below n / 2^64. */
uint64_t draw_below(draw d, uint64_t n)
{
    uint64_t bits = draw_bits(d);
    uint64_t low = (bits & UINT32_MAX) * (n & UINT32_MAX);
    uint64_t middle = (bits >> 32) * (n & UINT32_MAX) + (low >> 32);
    uint64_t other = (bits & UINT32_MAX) * (n >> 32) + (middle & UINT32_MAX);
    return (bits >> 32) * (n >> 32) + (middle >> 32) + (other >> 32);
}

uint64_t draw_name(const char *name, uint64_t purpose)
{
    return carom_hash_mix(carom_hash(CAROM_HASH_START, name, strlen(name)), purpose);
}
