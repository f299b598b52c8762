#include "elements/bodies/node_matrix.h"

#include <stdlib.h>
#include <string.h>

struct node_matrix {
    int dimension, node_count;
    int *first;     /* node_count + 1: where the blocks of a row begin */
    int *column;    /* node of each block, ascending within a row */
    double *blocks; /* dimension x dimension each, row-major */
};

static int compare_pairs(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* All pairs of nodes that share an element, each once, ascending; NULL: memory runs out. */
static uint64_t *list_pairs(const solid_mesh *mesh, size_t *count)
{
    size_t room = 1;
    for (int e = 0; e < solid_mesh_element_count(mesh); ++e) {
        size_t n = (size_t)solid_mesh_element(mesh, e).type->node_count;
        room += n * n;
    }
    uint64_t *pairs = malloc(room * sizeof *pairs);
    *count = 0;
    for (int e = 0; pairs && e < solid_mesh_element_count(mesh); ++e) {
        const solid_element element = solid_mesh_element(mesh, e);
        for (int i = 0; i < element.type->node_count; ++i) {
            for (int k = 0; k < element.type->node_count; ++k) {
                pairs[(*count)++] = (uint64_t)element.nodes[i] << 32 | (uint64_t)element.nodes[k];
            }
        }
    }
    if (pairs && *count > 0) {
        size_t kept = 1;
        qsort(pairs, *count, sizeof *pairs, compare_pairs);
        for (size_t i = 1; i < *count; ++i) {
            if (pairs[i] != pairs[kept - 1]) {
                pairs[kept++] = pairs[i];
            }
        }
        *count = kept;
    }
    return pairs;
}

static double *block_of(const node_matrix *A, int row, int column)
{
    int low = A->first[row];
    int high = A->first[row + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        *(A->column[middle] < column ? &low : &high) = A->column[middle] < column ? middle + 1 : middle;
    }
    return A->blocks + (size_t)low * (size_t)(A->dimension * A->dimension);
}

static void add_element(node_matrix *A, const solid_element *e)
{
    double K[SOLID_FREEDOMS * SOLID_FREEDOMS];
    int n = solid_freedom_count(e->type);
    int own = n / e->type->node_count; /* freedoms of a node; the first ones take part */
    int d = A->dimension;
    e->type->stiffness(e->type, e->X, e->material, K);
    for (int i = 0; i < e->type->node_count; ++i) {
        for (int k = 0; k < e->type->node_count; ++k) {
            double *block = block_of(A, e->nodes[i], e->nodes[k]);
            for (int r = 0; r < d; ++r) {
                for (int c = 0; c < d; ++c) {
                    block[r * d + c] += K[(own * i + r) * n + own * k + c];
                }
            }
        }
    }
}

carom_status node_matrix_create(node_matrix **out, const solid_mesh *mesh, int dimension, carom_error *err)
{
    size_t count = 0;
    uint64_t *pairs = list_pairs(mesh, &count);
    node_matrix *A = calloc(1, sizeof *A);
    size_t nodes = (size_t)solid_mesh_node_count(mesh);
    *out = NULL;
    if (A) {
        A->dimension = dimension;
        A->node_count = (int)nodes;
        A->first = calloc(nodes + 2, sizeof *A->first);
        A->column = malloc((count + 1) * sizeof *A->column);
        A->blocks = calloc(count * (size_t)(dimension * dimension) + 1, sizeof *A->blocks);
    }
    if (!pairs || !A || !A->first || !A->column || !A->blocks) {
        free(pairs);
        node_matrix_destroy(A);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the stiffness of a mesh");
    }
    for (size_t i = 0; i < count; ++i) {
        A->first[(pairs[i] >> 32) + 1]++;
        A->column[i] = (int)(pairs[i] & 0xffffffffu);
    }
    for (size_t i = 0; i < nodes; ++i) {
        A->first[i + 1] += A->first[i];
    }
    free(pairs);
    for (int e = 0; e < solid_mesh_element_count(mesh); ++e) {
        const solid_element element = solid_mesh_element(mesh, e);
        add_element(A, &element);
    }
    *out = A;
    return CAROM_OK;
}

void node_matrix_destroy(node_matrix *A)
{
    if (A) {
        free(A->first);
        free(A->column);
        free(A->blocks);
        free(A);
    }
}

static void times_line(const node_matrix *A, const double *x, double *y)
{
    for (int i = 0; i < A->node_count; ++i) {
        double sum = 0.0;
        for (int k = A->first[i]; k < A->first[i + 1]; ++k) {
            sum += A->blocks[k] * x[A->column[k]];
        }
        y[i] = sum;
    }
}

static void times_plane(const node_matrix *A, const double *x, double *y)
{
    for (int i = 0; i < A->node_count; ++i) {
        double sum[4] = { 0.0, 0.0, 0.0, 0.0 };
        for (int k = A->first[i]; k < A->first[i + 1]; ++k) {
            const double *b = A->blocks + 4 * (size_t)k;
            const double *v = x + 2 * (size_t)A->column[k];
            sum[0] += b[0] * v[0];
            sum[1] += b[1] * v[1];
            sum[2] += b[2] * v[0];
            sum[3] += b[3] * v[1];
        }
        y[2 * i] = sum[0] + sum[1];
        y[2 * i + 1] = sum[2] + sum[3];
    }
}

static void times_space(const node_matrix *A, const double *x, double *y)
{
    for (int i = 0; i < A->node_count; ++i) {
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int k = A->first[i]; k < A->first[i + 1]; ++k) {
            const double *b = A->blocks + 9 * (size_t)k;
            const double *v = x + 3 * (size_t)A->column[k];
            for (int r = 0; r < 3; ++r) {
                sum[r] += b[3 * r] * v[0] + b[3 * r + 1] * v[1] + b[3 * r + 2] * v[2];
            }
        }
        memcpy(y + 3 * (size_t)i, sum, sizeof sum);
    }
}

void node_matrix_times(const node_matrix *A, const double *x, double *y)
{
    (A->dimension == 1 ? times_line : A->dimension == 2 ? times_plane : times_space)(A, x, y);
}
