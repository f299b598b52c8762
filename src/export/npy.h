/* Arrays of NumPy (.npy) within an archive (.npz). */
#ifndef CAROM_EXPORT_NPY_H
#define CAROM_EXPORT_NPY_H

#include "export/zip.h"

enum { NPY_DIMENSIONS = 3 };

/* Begins the array `key`; its numbers follow with zip_write, in C order, then zip_end. kind: 'f' (double), 'i' (with
 * `size` bytes) or 'U' (texts of `size` characters of four bytes). */
typedef struct npy_array {
    char kind;
    int size;
    int rank;
    size_t shape[NPY_DIMENSIONS];
} npy_array;
void npy_begin(zip_writer *zip, const char *key, npy_array array);

/* A whole array of doubles, or of 32-bit integers, of rows x columns; 0 columns: of one dimension. */
void npy_reals(zip_writer *zip, const char *key, const double *data, size_t rows, size_t columns);
void npy_integers(zip_writer *zip, const char *key, const int32_t *data, size_t count);

/* Texts, cut off after `longest` characters. False when memory runs out. */
bool npy_texts(zip_writer *zip, const char *key, const char *const *texts, size_t count, size_t longest);

#endif
