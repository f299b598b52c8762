/* The few HDF5 calls that results need, wrapped: each answers with true or a handle >= 0, and an error of the library
 * becomes a sentence. HDF5 is not thread-safe, so neither are these. */
#ifndef CAROM_RESULT_RESULT_H5_H
#define CAROM_RESULT_RESULT_H5_H

#include <carom/base.h>

#include <hdf5.h>

/* HDF5 prints errors by a process-wide setting: taken over for the length of one call and given back, because the
 * program around us may use HDF5 too. */
typedef struct h5_quiet {
    H5E_auto2_t print;
    void *data;
} h5_quiet;
h5_quiet h5_quiet_begin(void);
void h5_quiet_end(h5_quiet quiet);

/* "cannot <what> '<path>': <the deepest reason HDF5 knows>". */
bool h5_lacks_memory(void); /* the last call that failed did so for want of memory */
carom_status h5_fail(carom_error *err, const char *what, const char *path);

/* Files without locks (they fail on network file systems, and nothing published is ever written to) and without gaps
 * kept for later (so that the same frames give the same bytes whenever they were flushed). */
hid_t h5_access_list(void);

/* Closes a dataset, group, space, type, list or attribute, and what stands for a driver. HDF5 itself forgets at every call why an
 * earlier one failed; these keep it. False: closing failed, or there was nothing to close (a handle < 0, which is fine). */
bool h5_close(hid_t id);
bool h5_close_driver(hid_t driver);

/* Zeroed memory for what goes to HDF5 or comes from it: its lack is then a reason like those of HDF5 itself. */
void *h5_memory(size_t count, size_t size);

/* A file to read; to write, see result_held.h. */
hid_t h5_open_file(const char *path);

hid_t h5_create_group(hid_t parent, const char *name);

bool h5_write_text(hid_t parent, const char *name, const char *text);
bool h5_write_texts(hid_t parent, const char *name, const char *const *texts, size_t count);
bool h5_write_reals(hid_t parent, const char *name, const char *unit, const double *data, size_t count);

/* A table of rows x columns that never changes; one column: a plain list. */
bool h5_write_real_table(hid_t parent, const char *name, const char *unit, const double *data, size_t rows,
                         size_t columns);
bool h5_write_single_table(hid_t parent, const char *name, const char *unit, const float *data, size_t rows,
                           size_t columns);
bool h5_write_int_table(hid_t parent, const char *name, const int32_t *data, size_t rows, size_t columns);
bool h5_write_text_attribute(hid_t object, const char *name, const char *text);
bool h5_read_text_attribute(hid_t object, const char *name, char *out, size_t size); /* cut to fit; else empty */
bool h5_write_int_attribute(hid_t object, const char *name, int value);

/* How a growing dataset keeps its numbers in the file. */
typedef enum h5_number { H5_DOUBLE, H5_SINGLE, H5_INTEGER } h5_number;

/* A dataset of numbers (64 bit, or 32 of H5_SINGLE) whose first dimension grows: dims[0] is the chunk's length. */
bool h5_create_growing(hid_t parent, const char *name, int rank, const hsize_t *chunk, h5_number number,
                       const char *unit, const char *axes);

/* Lengths of a dataset's dimensions: rank, or -1 when it is missing or has more than 3. */
int h5_dims(hid_t dataset, hsize_t dims[3]);

/* Whether rows can be added to a dataset: in chunks, without a last row. Programs that rewrite files may have changed that. */
bool h5_can_grow(hid_t dataset);

/* A handle to a dataset, or -1 when there is none of that name. */
hid_t h5_open_dataset(hid_t parent, const char *path);

/* True when the file really holds all the numbers the extents promise: refuses absurd sizes before memory is asked
 * for. */
bool h5_is_filled(hid_t dataset, hsize_t numbers);
bool h5_is_filled_single(hid_t dataset, hsize_t numbers); /* numbers of four bytes or more */

/* Rows [begin, begin + count) of a dataset of numbers, as they lie in the file. */
bool h5_read_rows(hid_t dataset, size_t begin, size_t count, double *rows);

/* A whole table of numbers with `columns` columns (1: a plain list), one allocation: free(*out). False when it is missing,
 * of another shape, or memory runs out. */
bool h5_read_table(hid_t parent, const char *path, size_t columns, double **out, size_t *rows);

/* Texts of a dataset of fixed-length strings, one allocation for all: free(*out). A scalar counts as one. */
bool h5_read_texts(hid_t parent, const char *path, char ***out, size_t *count);

#endif
