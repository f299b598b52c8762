/* Stiffness and frequencies of a body with a zone. In the coordinates p^ most entries of K^ = V' K V need no product: v_i of a node
 * of the zone is 1 over the root of its mass at one freedom and 0 elsewhere. */
#include "elements/flexible/zone_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"
#include "math/numbers.h"

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the zone of a mesh");
}

carom_status zone_small_modes(eigen_modes *out, const double *K, const double *M, int n, carom_error *err)
{
    size_t size = (size_t)n * (size_t)(n + 1) / 2;
    sparse_entry *a = malloc((size + 1) * sizeof *a);
    sparse_entry *b = malloc((size + 1) * sizeof *b);
    sparse_matrix *stiffness = NULL;
    sparse_matrix *mass = NULL;
    size_t at = 0;
    for (int i = 0; a && b && i < n; ++i) {
        for (int k = 0; k <= i; ++k, ++at) {
            a[at] = (sparse_entry){ i, k, K[(size_t)i * (size_t)n + (size_t)k] };
            b[at] = (sparse_entry){ i, k, M[(size_t)i * (size_t)n + (size_t)k] };
        }
    }
    const eigen_options options = { .count = n, .dense = true };
    carom_status status = a && b ? sparse_create(&stiffness, n, a, size, err) : no_memory(err);
    status = status == CAROM_OK ? sparse_create(&mass, n, b, size, err) : status;
    status = status == CAROM_OK ? eigen_lowest(out, stiffness, mass, &options, err) : status;
    sparse_destroy(mass);
    sparse_destroy(stiffness);
    free(a);
    free(b);
    return status;
}

/* K^, symmetric; n x n. */
static void fill_reference(const zone_shapes *z, double *K)
{
    const motion_space *s = &z->all.space;
    const size_t n = (size_t)z->count;
    const size_t freedoms = (size_t)s->freedoms;
    for (int i = 0; i < z->dense; ++i) {
        for (int k = 0; k < z->dense; ++k) {
            K[(size_t)i * n + (size_t)k] = i == k ? z->omega2[i] : 0.0;
        }
    }
    for (size_t f = 0; f < freedoms; ++f) {
        const int own = z->coordinate[f];
        for (size_t k = 0; own >= 0 && k < n; ++k) {
            double value = z->KV[k * freedoms + f] / sqrt(s->mass[f]);
            K[(size_t)own * n + k] = value;
            K[k * n + (size_t)own] = value;
        }
    }
}

/* Frequencies of the free body: rigid motions out of the shapes, M = 1 - a' (R'MR)^-1 a with a = R'MV. */
static carom_status find_frequencies(zone_shapes *z, const double *K, carom_arena *room, carom_error *err)
{
    const motion_space *s = &z->all.space;
    const int n = z->count;
    const int r = s->count;
    const size_t freedoms = (size_t)s->freedoms;
    double *M = CAROM_ARENA_ARRAY(room, double, (size_t)n *(size_t)n + 1);
    double *a = CAROM_ARENA_ARRAY(room, double, (size_t)n *(size_t)r + 1);
    double G[MOTIONS * MOTIONS];
    z->all.free_omega2 = CAROM_ARENA_ARRAY(&z->all.arena, double, n + 1);
    if (room->failed || z->all.arena.failed) {
        return no_memory(err);
    }
    for (int i = 0; i < r; ++i) {
        for (int k = 0; k < r; ++k) {
            G[i * r + k] = motion_product(s, z->R + (size_t)i * freedoms, z->R + (size_t)k * freedoms);
        }
    }
    if (dense_cholesky(G, r, NULL) < r) {
        return carom_fail(err, CAROM_BAD_INPUT, "its nodes lie on one line or at one place, and it cannot turn");
    }
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < r; ++i) {
            a[k * r + i] = motion_product(s, z->R + (size_t)i * freedoms, z->V + (size_t)k * freedoms);
        }
        dense_cholesky_forward(G, a + (size_t)k * (size_t)r, r);
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k <= i; ++k) {
            M[(size_t)i * (size_t)n + (size_t)k] = (double)(i == k) - numbers_dot(a + (size_t)i * (size_t)r,
                                                                                  a + (size_t)k * (size_t)r, r);
        }
    }
    eigen_modes modes = { 0 };
    carom_status status = zone_small_modes(&modes, K, M, n, err);
    for (int k = 0; status == CAROM_OK && k < n; ++k) {
        z->all.free_omega2[k] = modes.lambda[k];
    }
    eigen_modes_free(&modes);
    return status;
}

/* K = H' K^ H, H = 1 + Q T Q': rigid motions strain nothing. In place: first K^ H, then H' of that. */
static void turn_to_frame(const zone_shapes *z, double *K)
{
    const int n = z->count;
    const int rank = z->rank;
    for (int pass = 0; rank > 0 && pass < 2; ++pass) {
        for (int i = 0; i < n; ++i) { /* every row, or column, x: x += Q T' Q' x */
            const int stride = pass == 0 ? 1 : n;
            double *x = K + (pass == 0 ? (size_t)i * (size_t)n : (size_t)i);
            double along[2 * MOTIONS] = { 0.0 };
            for (int k = 0; k < n; ++k) {
                for (int j = 0; j < rank; ++j) {
                    along[j] += z->Q[k * rank + j] * x[(size_t)k * (size_t)stride];
                }
            }
            for (int k = 0; k < n; ++k) {
                for (int j = 0; j < rank; ++j) {
                    double part = 0.0;
                    for (int l = 0; l < rank; ++l) {
                        part += along[l] * z->T[l * rank + j];
                    }
                    x[(size_t)k * (size_t)stride] += part * z->Q[k * rank + j];
                }
            }
        }
    }
    for (int i = 0; i < n; ++i) { /* symmetric but for rounding */
        for (int k = 0; k < i; ++k) {
            K[k * n + i] = K[i * n + k] = 0.5 * (K[i * n + k] + K[k * n + i]);
        }
    }
}

carom_status zone_find_stiffness(zone_shapes *z, carom_arena *room, carom_error *err)
{
    z->K = CAROM_ARENA_ARRAY(&z->all.arena, double, (size_t)z->count *(size_t)z->count + 1);
    if (!z->K) {
        return no_memory(err);
    }
    fill_reference(z, z->K);
    carom_status status = find_frequencies(z, z->K, room, err);
    if (status == CAROM_OK) {
        turn_to_frame(z, z->K);
    }
    return status;
}
