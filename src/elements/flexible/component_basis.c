/* Shapes from sources: orthonormal, then combined so that mass and stiffness are diagonal. */
#include "elements/flexible/component_parts.h"

#include <stdlib.h>
#include <string.h>

/* Makes u orthogonal to `count` orthonormal vectors, twice for rounding, and of unit length. False: nothing is left of it. */
static bool orthonormalise(const reducer *r, double *u, const double *to, int count)
{
    const double nothing = 1e-7; /* of its length: static shapes are solved for to about this accuracy */
    double before = sqrt(motion_product(r->s, u, u));
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < count; ++i) {
            const double *v = to + (size_t)i * (size_t)r->s->freedoms;
            double part = motion_product(r->s, u, v);
            for (int f = 0; f < r->s->freedoms; ++f) {
                u[f] -= part * v[f];
            }
        }
    }
    double length = sqrt(motion_product(r->s, u, u));
    bool something = length > nothing * before && length > 0.0;
    for (int f = 0; f < r->s->freedoms; ++f) {
        u[f] = something ? u[f] / length : 0.0;
    }
    return something;
}

void component_make_rigid(reducer *r)
{
    for (int i = 0; i < r->s->count; ++i) {
        double *u = r->rigid + (size_t)i * (size_t)r->s->freedoms;
        motion_add(r->s, r->s->motions[i], r->in->centre, 1.0, NULL, 0, u);
        orthonormalise(r, u, r->rigid, i);
    }
}

/* x' K x */
static double energy_of(reducer *r, const double *u, double *Ku)
{
    double sum = 0.0;
    sparse_times(r->K, u, Ku);
    for (int f = 0; f < r->s->freedoms; ++f) {
        sum += u[f] * Ku[f];
    }
    return sum;
}

/* The sources without rigid motions, one behind the other in `basis`, orthonormal; returns how many are left. */
static int make_basis(reducer *r, double *basis)
{
    int count = 0;
    double *Ku = component_vectors(r, 1);
    for (int k = 0; Ku && k < r->raw_count; ++k) {
        component_source *source = &r->out->sources[k];
        double *u = basis + (size_t)count * (size_t)r->s->freedoms;
        memcpy(u, r->raw + (size_t)k * (size_t)r->s->freedoms, (size_t)r->s->freedoms * sizeof *u);
        bool fine = orthonormalise(r, u, r->rigid, r->s->count);
        if (source->kind == SHAPE_CONSTRAINT || source->kind == SHAPE_LOAD) {
            source->omega2 = energy_of(r, u, Ku);
        }
        fine = fine && orthonormalise(r, u, basis, count);
        count += fine;
        r->out->dropped += !fine;
    }
    return count;
}

/* Replaces the vectors by combinations of them: those of the modes of small dense K and M. */
static carom_status combine(reducer *r, double *vectors, int n, const sparse_entry *K, const sparse_entry *M,
                            size_t entries, double *omega2, carom_error *err)
{
    sparse_matrix *stiffness = NULL;
    sparse_matrix *mass = NULL;
    eigen_modes modes = { 0 };
    const eigen_options options = { .count = n, .dense = true };
    carom_status status = sparse_create(&stiffness, n, K, entries, err);
    status = status == CAROM_OK ? sparse_create(&mass, n, M, entries, err) : status;
    status = status == CAROM_OK ? eigen_lowest(&modes, stiffness, mass, &options, err) : status;
    double *row = status == CAROM_OK ? malloc((size_t)n * sizeof *row) : NULL;
    status = status == CAROM_OK && !row ? component_no_memory(err) : status;
    for (int f = 0; row && f < r->s->freedoms; ++f) {
        for (int k = 0; k < n; ++k) {
            row[k] = 0.0;
            for (int i = 0; i < n; ++i) {
                row[k] += modes.vectors[(size_t)k * (size_t)n + (size_t)i] *
                          vectors[(size_t)i * (size_t)r->s->freedoms + (size_t)f];
            }
        }
        for (int k = 0; k < n; ++k) {
            vectors[(size_t)k * (size_t)r->s->freedoms + (size_t)f] = row[k];
        }
    }
    if (row) {
        memcpy(omega2, modes.lambda, (size_t)n * sizeof *omega2);
    }
    free(row);
    eigen_modes_free(&modes);
    sparse_destroy(mass);
    sparse_destroy(stiffness);
    return status;
}

/* Lower triangles of products of the vectors: with K (or by omega2 where that is given), with M (or 1). */
static carom_status diagonalise(reducer *r, double *vectors, int n, const double *known_omega2, double *omega2,
                                carom_error *err)
{
    size_t size = (size_t)n * (size_t)(n + 1) / 2;
    sparse_entry *K = CAROM_ARENA_ARRAY(&r->room, sparse_entry, size + 1);
    sparse_entry *M = CAROM_ARENA_ARRAY(&r->room, sparse_entry, size + 1);
    double *Ku = component_vectors(r, 1);
    if (!K || !M || !Ku) {
        return component_no_memory(err);
    }
    size_t at = 0;
    for (int i = 0; i < n; ++i) {
        const double *u = vectors + (size_t)i * (size_t)r->s->freedoms;
        if (!known_omega2) {
            sparse_times(r->K, u, Ku);
        }
        for (int k = 0; k <= i; ++k, ++at) {
            const double *v = vectors + (size_t)k * (size_t)r->s->freedoms;
            double stiffness = known_omega2 && i == k ? known_omega2[i] : 0.0;
            for (int f = 0; !known_omega2 && f < r->s->freedoms; ++f) {
                stiffness += v[f] * Ku[f];
            }
            K[at] = (sparse_entry){ i, k, stiffness };
            M[at] = (sparse_entry){ i, k, known_omega2 ? motion_product(r->s, u, v) : (double)(i == k) };
        }
    }
    return combine(r, vectors, n, K, M, size, omega2, err);
}

carom_status component_make_shapes(reducer *r, carom_error *err)
{
    component_modes *out = r->out;
    out->shapes = CAROM_ARENA_ARRAY(&out->arena, double, (size_t)(r->raw_count + 1) * (size_t)r->s->freedoms);
    if (!out->shapes) {
        return component_no_memory(err);
    }
    out->count = make_basis(r, out->shapes);
    out->omega2 = CAROM_ARENA_ARRAY(&out->arena, double, out->count + 1);
    out->free_omega2 = CAROM_ARENA_ARRAY(&out->arena, double, out->count + 1);
    if (out->arena.failed || r->room.failed) {
        return component_no_memory(err);
    }
    if (out->count == 0) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "nothing of it deforms: it has no modes and not two attachments; ask for modes ({\"count\": 10}), or leave "
            "out 'flexible'");
    }
    carom_status status = diagonalise(r, out->shapes, out->count, NULL, out->omega2, err);
    memcpy(out->free_omega2, out->omega2, (size_t)out->count * sizeof *out->omega2);
    if (status == CAROM_OK && r->in->def->frame != CAROM_FRAME_MEAN) {
        for (int k = 0; k < out->count; ++k) {
            component_fit_to_frame(r, out->shapes + (size_t)k * (size_t)r->s->freedoms);
        }
        status = diagonalise(r, out->shapes, out->count, out->free_omega2, out->omega2, err);
    }
    return status;
}
