/* Distance fields as files: one head with all numbers, then the arrays as they lie in memory, each end guarded by a
 * checksum. A file belongs to one machine type and one version of the program; anything else is refused when loaded
 * by name, and built anew when it comes from the cache.
 *
 * The cache holds one file per hash of mesh and options. A file is written beside its place and renamed, so that
 * whoever reads finds a whole one or none, however many runs write at once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "files/fresh_file.h"
#include "files/input_file.h"
#include "geometry/sdf_impl.h"

enum { FILE_VERSION = 2, BYTE_ORDER_MARK = 0x01020304, LONGEST_PATH = 4096 };

typedef struct file_head {
    char magic[8]; /* "CAROMSDF" */
    uint32_t version;
    uint32_t byte_order;
    uint64_t head_size;
    uint64_t key; /* of mesh and options */
    sdf_info info;
    sdf_options options;
    v3 low;
    double spacing, margin, band;
    int32_t cells[4];
    int64_t index_count, node_count, coarse_count;
    uint64_t arrays_sum;
    uint64_t head_sum; /* of all before */
} file_head;

/* FNV-1a over words of 8 bytes: each step can be inverted, so any change of one word shows. */
static uint64_t add_sum(uint64_t sum, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 32;
    }
    return carom_hash(sum, p, bytes);
}

static uint64_t sum_arrays(const sdf *f)
{
    uint64_t sum = add_sum(CAROM_HASH_START, f->index, (size_t)f->index_count * sizeof *f->index);
    sum = add_sum(sum, f->nodes, (size_t)f->node_count * sizeof *f->nodes);
    return add_sum(sum, f->coarse, (size_t)f->coarse_count * sizeof *f->coarse);
}

static uint64_t sum_head(const file_head *head)
{
    return add_sum(CAROM_HASH_START, head, offsetof(file_head, head_sum));
}

static uint64_t key_of(const mesh *m, const sdf_options *o)
{
    double numbers[] = {
        FILE_VERSION, o->kind, o->sign,     o->spacing, o->spacing > 0.0 ? 0.0 : (double)o->resolution,
        o->margin,    o->band, o->tolerance
    };
    uint64_t key = add_sum(CAROM_HASH_START, CAROM_VERSION, sizeof CAROM_VERSION);
    key = add_sum(key, numbers, sizeof numbers);
    key = add_sum(key, m->vertices, (size_t)m->vertex_count * sizeof *m->vertices);
    return add_sum(key, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);
}

/* ---- writing -------------------------------------------------------------------------------------------------------- */

static void fill_head(file_head *head, const sdf *f, uint64_t key)
{
    memset(head, 0, sizeof *head); /* what lies between the fields is written too */
    memcpy(head->magic, "CAROMSDF", sizeof head->magic);
    head->version = FILE_VERSION;
    head->byte_order = BYTE_ORDER_MARK;
    head->head_size = sizeof *head;
    head->key = key;
    head->info = f->info;
    head->options = f->options;
    head->low = f->low;
    head->spacing = f->spacing;
    head->margin = f->margin;
    head->band = f->band;
    memcpy(head->cells, f->cells, sizeof f->cells);
    head->index_count = f->index_count;
    head->node_count = f->node_count;
    head->coarse_count = f->coarse_count;
    head->arrays_sum = sum_arrays(f);
    head->head_sum = sum_head(head);
}

static bool write_bytes(FILE *file, const void *data, size_t bytes)
{
    return bytes == 0 || fwrite(data, 1, bytes, file) == bytes;
}

static bool write_field(FILE *file, const sdf *f, uint64_t key)
{
    file_head head;
    fill_head(&head, f, key);
    return write_bytes(file, &head, sizeof head) &&
           write_bytes(file, f->index, (size_t)f->index_count * sizeof *f->index) &&
           write_bytes(file, f->nodes, (size_t)f->node_count * sizeof *f->nodes) &&
           write_bytes(file, f->coarse, (size_t)f->coarse_count * sizeof *f->coarse);
}

static carom_status cannot(const char *what, const char *path, carom_error *err)
{
    bool place = errno == EACCES || errno == EPERM || errno == EROFS || errno == ENOTDIR || errno == EISDIR ||
                 errno == ENOENT;
    carom_status status = errno == ENOMEM ? CAROM_NO_MEMORY : place ? CAROM_BAD_INPUT : CAROM_IO_FAILED;
    return carom_fail(err, status, "cannot %s '%.500s': %s", what, path, strerror(errno));
}

static carom_status write_to(int descriptor, const char *path, const sdf *f, uint64_t key, carom_error *err)
{
    FILE *file = fdopen(descriptor, "wb");
    if (!file) {
        close(descriptor);
        return cannot("open", path, err);
    }
    bool ok = write_field(file, f, key);
    int code = errno;
    if (fclose(file) != 0 && ok) {
        ok = false;
        code = errno;
    }
    errno = code;
    return ok ? CAROM_OK : cannot("write", path, err);
}

static carom_status save_with_key(const sdf *f, const char *path, uint64_t key, carom_error *err)
{
    carom_fresh fresh;
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) { /* a rename would put a file in the place of a device */
        return carom_fail(err, CAROM_IO_FAILED, "'%.500s' is not a regular file", path);
    }
    int descriptor = carom_fresh_open(&fresh, path);
    if (descriptor < 0) {
        return cannot("create", path, err);
    }
    carom_status status = write_to(descriptor, path, f, key, err);
    if (status == CAROM_OK && !carom_fresh_publish(&fresh, path)) {
        status = cannot("rename a file to", path, err);
    }
    carom_fresh_drop(&fresh);
    return status;
}

carom_status sdf_save(const sdf *f, const char *file, carom_error *err)
{
    return save_with_key(f, file, 0, err);
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

/* What is wrong with the head of a file of this many bytes; NULL: nothing. */
static const char *object_to_head(const file_head *head, uint64_t bytes)
{
    const int64_t most = (int64_t)SDF_MOST_NODES + 1;
    if (memcmp(head->magic, "CAROMSDF", sizeof head->magic) != 0) {
        return "is no distance field";
    }
    if (head->version != FILE_VERSION || head->byte_order != BYTE_ORDER_MARK || head->head_size != sizeof *head) {
        return "was written by another version or on another kind of machine; build the field again";
    }
    if (head->head_sum != sum_head(head) || !sdf_type_of(head->info.kind) || !(head->spacing > 0.0)) {
        return "is damaged";
    }
    for (int a = 0; a < 3; ++a) {
        if (head->cells[a] < 1 || head->cells[a] > 1 << 20) {
            return "is damaged";
        }
    }
    if (head->index_count < 0 || head->index_count > most || head->node_count < 0 || head->node_count > most ||
        head->coarse_count < 0 || head->coarse_count > most) {
        return "is damaged";
    }
    uint64_t expected = sizeof *head + (uint64_t)head->index_count * sizeof(int32_t) +
                        (uint64_t)(head->node_count + head->coarse_count) * sizeof(double);
    return bytes == expected ? NULL : "is damaged: it has not the length it was written with";
}

static void take_head(sdf *f, const file_head *head)
{
    f->type = sdf_type_of(head->info.kind);
    f->info = head->info;
    f->options = head->options;
    f->low = head->low;
    f->spacing = head->spacing;
    f->per_spacing = 1.0 / head->spacing;
    f->margin = head->margin;
    f->band = head->band;
    memcpy(f->cells, head->cells, sizeof f->cells);
}

static bool read_bytes(FILE *file, void *data, size_t bytes)
{
    return bytes == 0 || fread(data, 1, bytes, file) == bytes;
}

static const char *read_arrays(sdf *f, FILE *file, const file_head *head)
{
    if (!sdf_allocate(f, head->index_count, head->node_count, head->coarse_count)) {
        return "does not fit into memory";
    }
    bool ok = read_bytes(file, f->index, (size_t)f->index_count * sizeof *f->index) &&
              read_bytes(file, f->nodes, (size_t)f->node_count * sizeof *f->nodes) &&
              read_bytes(file, f->coarse, (size_t)f->coarse_count * sizeof *f->coarse);
    return ok && sum_arrays(f) == head->arrays_sum && f->type->is_sound(f) ? NULL : "is damaged";
}

/* What is wrong with the file; NULL: *out is the field. key 0: any. */
static const char *read_field(sdf **out, FILE *file, uint64_t key)
{
    file_head head;
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || !read_bytes(file, &head, sizeof head)) {
        return "is no distance field";
    }
    const char *problem = object_to_head(&head, (uint64_t)about.st_size);
    if (problem || (key != 0 && head.key != key)) {
        return problem ? problem : "belongs to another mesh";
    }
    sdf *f = calloc(1, sizeof *f);
    if (!f) {
        return "does not fit into memory";
    }
    take_head(f, &head);
    problem = read_arrays(f, file, &head);
    f->info.from_cache = true;
    if (problem) {
        sdf_destroy(f);
        return problem;
    }
    *out = f;
    return NULL;
}

static carom_status load_with_key(sdf **out, const char *path, uint64_t key, carom_error *err)
{
    *out = NULL;
    carom_input input;
    FILE *file = carom_input_stream(&input, path);
    if (!file) {
        return carom_fail(err, carom_input_status(&input), "'%.500s' %s", path, input.why);
    }
    const char *problem = read_field(out, file, key);
    fclose(file);
    return problem ? carom_fail(err, CAROM_BAD_INPUT, "'%.500s' %s", path, problem) : CAROM_OK;
}

carom_status sdf_load(sdf **out, const char *file, carom_error *err)
{
    return load_with_key(out, file, 0, err);
}

/* ---- the cache ------------------------------------------------------------------------------------------------------ */

void sdf_cache_prepare(const char *path)
{
    char part[LONGEST_PATH];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0755);
        *slash = '/';
    }
    mkdir(part, 0755);
}

carom_status sdf_build_cached_watched(sdf **out, const mesh *m, const sdf_options *options, const char *folder,
                                      int threads, carom_watch *watch, carom_error *err)
{
    char path[LONGEST_PATH];
    uint64_t key = key_of(m, options);
    key = key != 0 ? key : 1; /* 0 means any */
    if (!folder || !folder[0] ||
        snprintf(path, sizeof path, "%s/sdf-%016llx.bin", folder, (unsigned long long)key) >= (int)sizeof path) {
        return sdf_build_watched(out, m, options, threads, watch, err);
    }
    if (load_with_key(out, path, key, NULL) == CAROM_OK) {
        return CAROM_OK;
    }
    carom_status status = sdf_build_watched(out, m, options, threads, watch, err);
    if (status == CAROM_OK) {
        sdf_cache_prepare(folder);
        (void)save_with_key(*out, path, key, NULL); /* without a cache everything works, only slower */
    }
    return status;
}

carom_status sdf_build_cached(sdf **out, const mesh *m, const sdf_options *options, const char *folder, int threads,
                              carom_error *err)
{
    return sdf_build_cached_watched(out, m, options, folder, threads, NULL, err);
}

const char *sdf_cache_folder(char *buffer, size_t size)
{
    const char *own = getenv("CAROM_CACHE");
    const char *shared = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = -1;
    if (own) {
        length = own[0] ? snprintf(buffer, size, "%s", own) : -1;
    } else if (shared && shared[0] == '/') { /* the XDG specification ignores relative paths */
        length = snprintf(buffer, size, "%s/carom", shared);
    } else if (home && home[0]) {
        length = snprintf(buffer, size, "%s/.cache/carom", home);
    }
    return length >= 0 && (size_t)length < size ? buffer : NULL;
}
