/* HDF5 wrapped for results. File format: that of HDF5 1.8, because its headers carry checksums, so that damage is
 * noticed, and because it has no "still open for writing" mark yet that a killed process would leave behind. */
#include "result/result_h5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

h5_quiet h5_quiet_begin(void)
{
    h5_quiet quiet = { 0 };
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void h5_quiet_end(h5_quiet quiet)
{
    H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.data);
}

typedef struct h5_reason {
    char words[200];
    bool memory; /* was asked for and not given */
} h5_reason;

/* The first entry of a walk upwards is the deepest cause. A failed system call hides behind many words there. */
static herr_t take_deepest(unsigned n, const H5E_error2_t *entry, void *context)
{
    h5_reason *reason = context;
    if (n == 0 && entry->desc) {
        const char *words = strstr(entry->desc, "error message = '");
        words = words ? words + strlen("error message = '") : entry->desc;
        snprintf(reason->words, sizeof reason->words, "%.*s", (int)strcspn(words, "'"), words);
    }
    reason->memory = reason->memory || (entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE);
    return 0;
}

static h5_reason find_reason(void)
{
    h5_reason reason = { .words = "no reason given by HDF5" };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_deepest, &reason);
    return reason;
}

/* Memory that we ourselves did not get, told like HDF5 tells of its own. */
static void note_no_memory(void)
{
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_RESOURCE, H5E_NOSPACE, "no memory");
}

bool h5_lacks_memory(void)
{
    return find_reason().memory;
}

carom_status h5_fail(carom_error *err, const char *what, const char *path)
{
    h5_reason reason = find_reason();
    return reason.memory ? carom_fail(err, CAROM_NO_MEMORY, "no memory to %s '%.500s'", what, path)
                         : carom_fail(err, CAROM_IO_FAILED, "cannot %s '%.500s': %s", what, path, reason.words);
}

static herr_t close_any(hid_t id)
{
    switch (H5Iget_type(id)) {
    case H5I_DATASET:
        return H5Dclose(id);
    case H5I_GROUP:
        return H5Gclose(id);
    case H5I_DATASPACE:
        return H5Sclose(id);
    case H5I_DATATYPE:
        return H5Tclose(id);
    case H5I_ATTR:
        return H5Aclose(id);
    default:
        return H5Pclose(id);
    }
}

static bool close_keeping_reasons(hid_t id, herr_t (*close)(hid_t))
{
    if (id < 0) {
        return false;
    }
    hid_t reasons = H5Eget_num(H5E_DEFAULT) > 0 ? H5Eget_current_stack() : -1;
    bool ok = close(id) >= 0;
    if (reasons >= 0) {
        H5Eset_current_stack(reasons); /* and closes it */
    }
    return ok;
}

bool h5_close(hid_t id)
{
    return close_keeping_reasons(id, close_any);
}

bool h5_close_driver(hid_t driver)
{
    return close_keeping_reasons(driver, H5FDunregister);
}

void *h5_memory(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        note_no_memory();
    }
    return p;
}

hid_t h5_access_list(void)
{
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0) {
        H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
        H5Pset_file_locking(list, false, true);
        H5Pset_meta_block_size(list, 0);
        H5Pset_small_data_block_size(list, 0);
        H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
    }
    return list;
}

hid_t h5_open_file(const char *path)
{
    hid_t access = h5_access_list();
    hid_t file = access < 0 ? -1 : H5Fopen(path, H5F_ACC_RDONLY, access);
    h5_close(access);
    return file;
}

hid_t h5_create_group(hid_t parent, const char *name)
{
    hid_t create = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(create, false);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, create, H5P_DEFAULT);
    h5_close(create);
    return group;
}

/* UTF-8 text of a fixed length, zero padded. */
static hid_t text_type(size_t length)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* Without modification times: the same run gives the same bytes. */
static hid_t create_timeless(hid_t parent, const char *name, hid_t type, hid_t space, hid_t list)
{
    H5Pset_obj_track_times(list, false);
    return H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
}

/* Small data lies in the dataset's header, which HDF5 gives a checksum; larger data in chunks that have one each. A single
 * large text can be neither: the file's seal speaks for it. */
static void choose_layout(hid_t list, hid_t type, hid_t space)
{
    enum { SMALL = 4096, CHUNK = 1 << 18 }; /* [bytes] */
    hsize_t dims[2] = { 1, 1 };
    int rank = H5Sget_simple_extent_ndims(space);
    size_t each = H5Tget_size(type);
    H5Sget_simple_extent_dims(space, dims, NULL);
    hsize_t bytes = dims[0] * dims[1] * each;
    if (bytes <= SMALL) {
        H5Pset_layout(list, H5D_COMPACT);
    } else if (rank > 0 && each * dims[1] < UINT32_MAX) {
        hsize_t rows = CHUNK / (each * dims[1]) + 1;
        hsize_t chunk[2] = { rows < dims[0] ? rows : dims[0], dims[1] };
        H5Pset_chunk(list, rank, chunk);
        H5Pset_fletcher32(list);
    }
}

/* Creates a dataset that never changes, writes it whole and closes the space. */
static bool write_fixed(hid_t parent, const char *name, hid_t type, hid_t space, const char *unit, const void *data)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    choose_layout(list, type, space);
    hid_t set = create_timeless(parent, name, type, space, list);
    bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    ok = ok && (!unit || h5_write_text_attribute(set, "unit", unit));
    ok = h5_close(set) && ok;
    h5_close(list);
    h5_close(space);
    return ok;
}

bool h5_write_text(hid_t parent, const char *name, const char *text)
{
    hid_t type = text_type(strlen(text));
    bool ok = write_fixed(parent, name, type, H5Screate(H5S_SCALAR), NULL, text);
    h5_close(type);
    return ok;
}

bool h5_write_texts(hid_t parent, const char *name, const char *const *texts, size_t count)
{
    size_t longest = 1;
    for (size_t i = 0; i < count; ++i) {
        size_t length = strlen(texts[i]);
        longest = length > longest ? length : longest;
    }
    char *block = h5_memory(count + 1, longest);
    if (!block) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        memcpy(block + i * longest, texts[i], strlen(texts[i]));
    }
    hsize_t dims[1] = { count };
    hid_t type = text_type(longest);
    bool ok = write_fixed(parent, name, type, H5Screate_simple(1, dims, NULL), NULL, block);
    h5_close(type);
    free(block);
    return ok;
}

static bool write_table(hid_t parent, const char *name, hid_t type, const char *unit, const void *data, size_t rows,
                        size_t columns)
{
    hsize_t dims[2] = { rows, columns };
    return write_fixed(parent, name, type, H5Screate_simple(columns > 1 ? 2 : 1, dims, NULL), unit, data);
}

bool h5_write_real_table(hid_t parent, const char *name, const char *unit, const double *data, size_t rows,
                         size_t columns)
{
    return write_table(parent, name, H5T_IEEE_F64LE, unit, data, rows, columns);
}

bool h5_write_single_table(hid_t parent, const char *name, const char *unit, const float *data, size_t rows,
                           size_t columns)
{
    return write_table(parent, name, H5T_IEEE_F32LE, unit, data, rows, columns);
}

bool h5_write_int_table(hid_t parent, const char *name, const int32_t *data, size_t rows, size_t columns)
{
    return write_table(parent, name, H5T_STD_I32LE, "", data, rows, columns);
}

bool h5_write_reals(hid_t parent, const char *name, const char *unit, const double *data, size_t count)
{
    return h5_write_real_table(parent, name, unit, data, count, 1);
}

static bool write_attribute(hid_t object, const char *name, hid_t type, const void *data)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = attribute >= 0 && H5Awrite(attribute, type, data) >= 0;
    ok = h5_close(attribute) && ok;
    h5_close(space);
    return ok;
}

bool h5_write_text_attribute(hid_t object, const char *name, const char *text)
{
    hid_t type = text_type(strlen(text));
    bool ok = write_attribute(object, name, type, text);
    h5_close(type);
    return ok;
}

bool h5_read_text_attribute(hid_t object, const char *name, char *out, size_t size)
{
    hid_t type = text_type(size - 1);
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    memset(out, 0, size);
    bool ok = attribute >= 0 && H5Aread(attribute, type, out) >= 0;
    h5_close(attribute);
    h5_close(type);
    return ok;
}

bool h5_write_int_attribute(hid_t object, const char *name, int value)
{
    return write_attribute(object, name, H5T_NATIVE_INT, &value);
}

static hid_t type_of(h5_number number)
{
    return number == H5_INTEGER ? H5T_STD_I64LE : number == H5_SINGLE ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

bool h5_create_growing(hid_t parent, const char *name, int rank, const hsize_t *chunk, h5_number number,
                       const char *unit, const char *axes)
{
    hsize_t dims[3] = { 0, rank > 1 ? chunk[1] : 0, rank > 2 ? chunk[2] : 0 };
    hsize_t limits[3] = { H5S_UNLIMITED, dims[1], dims[2] };
    hid_t space = H5Screate_simple(rank, dims, limits);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, rank, chunk);
    H5Pset_fletcher32(list);
    hid_t set = create_timeless(parent, name, type_of(number), space, list);
    bool ok = set >= 0 && h5_write_text_attribute(set, "unit", unit) && h5_write_text_attribute(set, "axes", axes);
    ok = h5_close(set) && ok;
    h5_close(list);
    h5_close(space);
    return ok;
}

int h5_dims(hid_t dataset, hsize_t dims[3])
{
    hid_t space = dataset < 0 ? -1 : H5Dget_space(dataset);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    rank = rank > 3 ? -1 : rank;
    if (rank > 0 && H5Sget_simple_extent_dims(space, dims, NULL) < 0) {
        rank = -1;
    }
    h5_close(space);
    return rank;
}

bool h5_can_grow(hid_t dataset)
{
    hsize_t most[3] = { 0, 0, 0 };
    hid_t space = dataset < 0 ? -1 : H5Dget_space(dataset);
    hid_t list = dataset < 0 ? -1 : H5Dget_create_plist(dataset);
    int rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    bool endless = rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space, NULL, most) >= 0 &&
                   most[0] == H5S_UNLIMITED;
    bool chunked = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED;
    h5_close(space);
    h5_close(list);
    return endless && chunked;
}

hid_t h5_open_dataset(hid_t parent, const char *path)
{
    return H5Dopen2(parent, path, H5P_DEFAULT);
}

/* By a filter other than a checksum. */
static bool is_compressed(hid_t dataset)
{
    hid_t list = H5Dget_create_plist(dataset);
    int filters = list < 0 ? 0 : H5Pget_nfilters(list);
    bool compressed = false;
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        size_t values = 0;
        H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        compressed = compressed || (filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SHUFFLE);
    }
    h5_close(list);
    return compressed;
}

bool h5_is_filled(hid_t dataset, hsize_t numbers)
{
    enum { BEST_COMPRESSION = 2000 }; /* of deflate, should a user have repacked the file */
    bool compressed = is_compressed(dataset);
    hsize_t stored = H5Dget_storage_size(dataset) / sizeof(double) + 1;
    return numbers / (compressed ? BEST_COMPRESSION : 1) <= stored;
}

bool h5_read_rows(hid_t dataset, size_t begin, size_t count, double *rows)
{
    hsize_t dims[3] = { 0, 1, 1 };
    int rank = h5_dims(dataset, dims);
    if (rank < 1) {
        return false;
    }
    hsize_t start[3] = { begin, 0, 0 };
    dims[0] = count;
    hid_t space = H5Dget_space(dataset);
    hid_t memory = H5Screate_simple(rank, dims, NULL);
    bool ok = space >= 0 && memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, dims, NULL) >= 0 &&
              H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, rows) >= 0;
    h5_close(memory);
    h5_close(space);
    return ok;
}

bool h5_is_filled_single(hid_t dataset, hsize_t numbers)
{
    return h5_is_filled(dataset, numbers / 2);
}

bool h5_read_table(hid_t parent, const char *path, size_t columns, double **out, size_t *rows)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(parent, path);
    bool fits = h5_dims(set, dims) == (columns > 1 ? 2 : 1) && dims[1] == columns &&
                dims[0] < SIZE_MAX / sizeof(double) / columns && h5_is_filled_single(set, dims[0] * columns);
    *rows = fits ? (size_t)dims[0] : 0;
    *out = fits ? h5_memory(*rows * columns + 1, sizeof(double)) : NULL;
    bool ok = *out && (*rows == 0 || h5_read_rows(set, 0, *rows, *out));
    h5_close(set);
    if (!ok) {
        free(*out);
        *out = NULL;
    }
    return ok;
}

/* Cuts a block of fixed-length strings into terminated ones behind a table of pointers. */
static char **split_texts(const char *block, size_t length, size_t count)
{
    if (length >= (SIZE_MAX / 2 - sizeof(char *)) / (count + 1)) {
        return NULL;
    }
    char **table = h5_memory(count + 1, sizeof(char *) + length + 1);
    if (!table) {
        return NULL;
    }
    char *next = (char *)(table + count + 1);
    for (size_t i = 0; i < count; ++i) {
        table[i] = next;
        memcpy(next, block + i * length, length);
        next[length] = '\0';
        next += length + 1;
    }
    table[count] = NULL;
    return table;
}

/* The number of texts and the length of each; false for anything but one row of fixed-length strings of a sane size. */
static bool texts_shape(hid_t set, hid_t type, size_t *count, size_t *length)
{
    hsize_t dims[3] = { 1, 1, 1 };
    int rank = h5_dims(set, dims);
    bool fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    if (!fixed || rank < 0 || rank > 1) {
        return false;
    }
    *length = H5Tget_size(type);
    *count = rank == 0 ? 1 : (size_t)dims[0];
    return *length > 0 && *count <= H5Dget_storage_size(set) / *length;
}

bool h5_read_texts(hid_t parent, const char *path, char ***out, size_t *count)
{
    size_t length = 0;
    char *block = NULL;
    hid_t set = h5_open_dataset(parent, path);
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    *out = NULL;
    if (set >= 0 && texts_shape(set, type, count, &length)) {
        block = h5_memory(*count * length + 1, 1);
        bool ok = block && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0;
        *out = ok ? split_texts(block, length, *count) : NULL;
    }
    free(block);
    h5_close(type);
    h5_close(set);
    return *out != NULL;
}
