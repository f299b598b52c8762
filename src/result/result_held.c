#include "result/result_held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "result/result_h5.h"
#include "result/seal.h"

/* ---- blocks ------------------------------------------------------------------------------------------------------- */

static bool make_room(h5_held *h, size_t block)
{
    if (block < h->capacity) {
        return true;
    }
    size_t capacity = 2 * block + 64;
    if (!CAROM_ARRAY_RESIZE(h->blocks, capacity) || !CAROM_ARRAY_RESIZE(h->changed, capacity)) {
        h->code = ENOMEM;
        return false;
    }
    for (size_t i = h->capacity; i < capacity; ++i) {
        h->blocks[i] = NULL;
        h->changed[i] = false;
    }
    h->capacity = capacity;
    return true;
}

static size_t bytes_of_block(uint64_t content, size_t block)
{
    uint64_t begin = (uint64_t)block * SEAL_BLOCK;
    uint64_t rest = content > begin ? content - begin : 0;
    return rest < SEAL_BLOCK ? (size_t)rest : SEAL_BLOCK;
}

/* 0, or the errno of what failed. */
static int transfer(int fd, void *data, size_t bytes, uint64_t offset, bool write)
{
    char *at = data;
    while (bytes > 0) {
        ssize_t n = write ? pwrite(fd, at, bytes, (off_t)offset) : pread(fd, at, bytes, (off_t)offset);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return n < 0 ? errno : EIO;
        }
        at += n;
        offset += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}

static bool read_block(h5_held *h, size_t block, unsigned char *data)
{
    size_t bytes = bytes_of_block(h->size_on_disk, block);
    int code = transfer(h->fd, data, bytes, (uint64_t)block * SEAL_BLOCK, false);
    if (code == 0 && bytes > 0 && h->sums && seal_sum(data, bytes) != h->sums[block]) {
        h->damaged = true;
        code = EIO;
    }
    h->code = code != 0 ? code : h->code;
    return code == 0;
}

/* A block of the file as it is to be; NULL: the file cannot be read, or no memory. */
static unsigned char *block_at(h5_held *h, size_t block)
{
    if (!make_room(h, block)) {
        return NULL;
    }
    if (!h->blocks[block]) {
        unsigned char *data = calloc(1, SEAL_BLOCK);
        if (!data) {
            h->code = ENOMEM;
            return NULL;
        }
        if (!read_block(h, block, data)) {
            free(data);
            return NULL;
        }
        h->blocks[block] = data;
    }
    return h->blocks[block];
}

static void forget(h5_held *h)
{
    for (size_t i = 0; i < h->capacity; ++i) {
        free(h->blocks[i]);
    }
    free(h->blocks);
    free(h->changed);
    free(h->sums);
    h->blocks = NULL;
    h->changed = NULL;
    h->sums = NULL;
    h->capacity = 0;
}

/* ---- the driver --------------------------------------------------------------------------------------------------- */

typedef struct held_driver {
    H5FD_t base; /* HDF5 wants it first */
    h5_held *held;
    haddr_t end; /* of what HDF5 has allocated */
} held_driver;

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name;
    (void)flags;
    (void)most;
    h5_held *const *held = H5Pget_driver_info(access);
    held_driver *driver = held ? h5_memory(1, sizeof *driver) : NULL;
    if (!driver) {
        return NULL;
    }
    driver->held = *held;
    return &driver->base;
}

static herr_t driver_close(H5FD_t *file)
{
    free(file);
    return 0;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_ACCUMULATE_METADATA;
    return 0;
}

static haddr_t driver_get_end(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const held_driver *)file)->end;
}

static herr_t driver_set_end(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((held_driver *)file)->end = end;
    return 0;
}

static haddr_t driver_get_size(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const held_driver *)file)->held->size;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t address, size_t bytes, void *out)
{
    h5_held *h = ((held_driver *)file)->held;
    (void)type;
    (void)list;
    for (char *to = out; bytes > 0;) {
        size_t offset = (size_t)(address % SEAL_BLOCK);
        size_t part = SEAL_BLOCK - offset < bytes ? SEAL_BLOCK - offset : bytes;
        const unsigned char *block = block_at(h, (size_t)(address / SEAL_BLOCK));
        if (!block) {
            return -1;
        }
        memcpy(to, block + offset, part);
        to += part;
        address += part;
        bytes -= part;
    }
    return 0;
}

/* Never fails towards HDF5; what did fail is remembered, and the file is not written then. */
static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t address, size_t bytes, const void *data)
{
    h5_held *h = ((held_driver *)file)->held;
    (void)type;
    (void)list;
    for (const char *from = data; bytes > 0;) {
        size_t offset = (size_t)(address % SEAL_BLOCK);
        size_t part = SEAL_BLOCK - offset < bytes ? SEAL_BLOCK - offset : bytes;
        unsigned char *block = block_at(h, (size_t)(address / SEAL_BLOCK));
        if (block) {
            memcpy(block + offset, from, part);
            h->changed[address / SEAL_BLOCK] = true;
        }
        from += part;
        address += part;
        bytes -= part;
    }
    h->size = address > h->size ? address : h->size;
    return 0;
}

static herr_t driver_truncate(H5FD_t *file, hid_t list, hbool_t closing)
{
    held_driver *driver = (held_driver *)file;
    (void)list;
    (void)closing;
    driver->held->size = driver->end;
    return 0;
}

static hid_t register_driver(void)
{
    static const H5FD_class_t driver = {
        .name = "carom_held",
        .maxaddr = (haddr_t)1 << 62,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(h5_held *),
        .open = driver_open,
        .close = driver_close,
        .query = driver_query,
        .get_eoa = driver_get_end,
        .set_eoa = driver_set_end,
        .get_eof = driver_get_size,
        .read = driver_read,
        .write = driver_write,
        .truncate = driver_truncate,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    return H5FDregister(&driver);
}

static hid_t open_by_driver(h5_held *h, const char *path, bool create)
{
    hid_t driver = register_driver();
    hid_t access = h5_access_list();
    hid_t made = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = -1;
    if (driver >= 0 && access >= 0 && made >= 0 && H5Pset_driver(access, driver, &h) >= 0 &&
        H5Pset_obj_track_times(made, false) >= 0) {
        file = create ? H5Fcreate(path, H5F_ACC_TRUNC, made, access) : H5Fopen(path, H5F_ACC_RDWR, access);
    }
    h5_close(made);
    h5_close(access);
    h->driver = driver;
    return file;
}

/* ---- opening ------------------------------------------------------------------------------------------------------ */

carom_status held_fail(const h5_held *h, const char *what, carom_error *err)
{
    if (h->damaged) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is damaged (checksum)", h->path);
    }
    if (h->code == ENOMEM) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory to write '%.500s'", h->path);
    }
    return h->code != 0 ? file_failed(err, what, h->path, h->code) : h5_fail(err, what, h->path);
}

static hid_t give_up(h5_held *h, const char *what, carom_error *err)
{
    held_fail(h, what, err);
    h5_close_driver(h->driver);
    forget(h);
    if (h->fd >= 0) {
        close(h->fd);
        h->fd = -1;
    }
    return -1;
}

static void name(h5_held *h, const char *path)
{
    *h = (h5_held){ .fd = -1, .driver = -1 };
    size_t bytes = strlen(path);
    bytes = bytes < sizeof h->path ? bytes : sizeof h->path - 1;
    memcpy(h->path, path, bytes);
}

hid_t held_create(h5_held *h, const char *path, carom_error *err)
{
    name(h, path);
    h->fd = file_create_new(path);
    if (h->fd < 0) {
        h->code = errno;
        return give_up(h, "create", err);
    }
    hid_t file = open_by_driver(h, path, true);
    return file >= 0 ? file : give_up(h, "create", err);
}

hid_t held_open(h5_held *h, const char *path, carom_error *err)
{
    name(h, path);
    h->fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (h->fd < 0) {
        h->code = errno;
        return give_up(h, "open", err);
    }
    seal_state seal = seal_read(h->fd, &h->sums, &h->size_on_disk);
    h->size = h->size_on_disk;
    h->damaged = seal == SEAL_BROKEN;
    h->code = seal == SEAL_NO_MEMORY ? ENOMEM : seal == SEAL_NO_FILE ? errno : 0;
    if (h->damaged || h->code != 0) {
        return give_up(h, "open", err);
    }
    hid_t file = open_by_driver(h, path, false);
    return file >= 0 ? file : give_up(h, "open", err);
}

/* ---- closing ------------------------------------------------------------------------------------------------------ */

/* A file without seal has no checksums yet: all of it has to be looked at. */
static size_t first_unsummed(const h5_held *h)
{
    uint64_t same = h->size < h->size_on_disk ? h->size : h->size_on_disk;
    return h->sums ? (size_t)(same / SEAL_BLOCK) : 0;
}

static bool sum_blocks(h5_held *h, uint64_t *sums)
{
    size_t first = first_unsummed(h);
    size_t count = seal_blocks(h->size);
    for (size_t i = 0; i < count; ++i) {
        bool known = i < first && !(i < h->capacity && h->changed[i]);
        const unsigned char *data = known ? NULL : block_at(h, i);
        if (!known && !data) {
            return false;
        }
        sums[i] = known ? h->sums[i] : seal_sum(data, bytes_of_block(h->size, i));
    }
    return true;
}

/* What lies behind the old end and was never written to is zero, on the disk as well: the old seal stood there. */
static int write_blocks(h5_held *h)
{
    size_t count = seal_blocks(h->size);
    size_t old = (size_t)(h->size_on_disk / SEAL_BLOCK);
    int code = 0;
    for (size_t i = 0; i < count && code == 0; ++i) {
        bool beyond = i >= old && h->size > h->size_on_disk;
        if (i < h->capacity && h->blocks[i] && (h->changed[i] || beyond)) {
            code = transfer(h->fd, h->blocks[i], bytes_of_block(h->size, i), (uint64_t)i * SEAL_BLOCK, true);
        }
    }
    return code;
}

/* Takes the disk space first, so that a full disk is noticed before the file is half changed. Some file systems cannot be
 * asked: go on. */
static int take_space(const h5_held *h, size_t seal_bytes)
{
    uint64_t from = h->size_on_disk;
    uint64_t to = h->size + seal_bytes;
    int code = to > from ? posix_fallocate(h->fd, (off_t)from, (off_t)(to - from)) : 0;
    return code == EINVAL || code == EOPNOTSUPP || code == ENOSYS ? 0 : code;
}

/* What is about to be overwritten: changed blocks of the old content, and all that follows its last whole block. */
typedef struct old_bytes {
    unsigned char *data;
    size_t tail; /* [bytes] */
} old_bytes;

static size_t whole_blocks(const h5_held *h)
{
    return (size_t)(h->size_on_disk / SEAL_BLOCK);
}

static bool is_overwritten(const h5_held *h, size_t block)
{
    return block < h->capacity && h->changed[block];
}

/* Brings the old bytes from the file, or back to it. 0, or the errno of what failed. */
static int move_old(const h5_held *h, const old_bytes *old, bool back)
{
    unsigned char *at = old->data;
    size_t whole = whole_blocks(h);
    int code = 0;
    for (size_t i = 0; i < whole && code == 0; ++i) {
        if (is_overwritten(h, i)) {
            code = transfer(h->fd, at, SEAL_BLOCK, (uint64_t)i * SEAL_BLOCK, back);
            at += SEAL_BLOCK;
        }
    }
    return code == 0 ? transfer(h->fd, at, old->tail, (uint64_t)whole * SEAL_BLOCK, back) : code;
}

static int keep_old(const h5_held *h, old_bytes *old)
{
    struct stat info;
    size_t blocks = 0;
    for (size_t i = 0; i < whole_blocks(h); ++i) {
        blocks += is_overwritten(h, i);
    }
    if (fstat(h->fd, &info) != 0) {
        return errno;
    }
    old->tail = (size_t)info.st_size - whole_blocks(h) * SEAL_BLOCK;
    old->data = malloc(blocks * SEAL_BLOCK + old->tail + 1);
    return old->data ? move_old(h, old, false) : ENOMEM;
}

/* The disk has just refused a write: what it refuses now cannot be helped. */
static void put_back_old(const h5_held *h, const old_bytes *old)
{
    int ignored = move_old(h, old, true);
    ignored |= ftruncate(h->fd, (off_t)(whole_blocks(h) * SEAL_BLOCK + old->tail));
    ignored |= fsync(h->fd);
    (void)ignored;
}

/* 0, or the errno of what failed. */
static int write_file(h5_held *h, unsigned char *seal)
{
    size_t bytes = seal_size(h->size);
    int code = take_space(h, bytes);
    code = code == 0 ? write_blocks(h) : code;
    code = code == 0 ? transfer(h->fd, seal, bytes, h->size, true) : code;
    if (code == 0 && ftruncate(h->fd, (off_t)(h->size + bytes)) != 0) {
        code = errno;
    }
    if (code == 0 && fsync(h->fd) != 0 && errno != EINVAL) {
        code = errno;
    }
    return code;
}

static int write_or_undo(h5_held *h, unsigned char *seal)
{
    old_bytes old = { 0 };
    int code = keep_old(h, &old);
    if (code == 0) {
        code = write_file(h, seal);
        if (code != 0) {
            put_back_old(h, &old);
        }
    }
    free(old.data);
    return code;
}

static int write_out(h5_held *h, unsigned char *seal, uint64_t *sums)
{
    if (!sum_blocks(h, sums)) {
        return h->code;
    }
    seal_make(seal, sums, h->size);
    return h->undoes ? write_or_undo(h, seal) : write_file(h, seal);
}

static carom_status commit(h5_held *h, carom_error *err)
{
    uint64_t *sums = malloc((seal_blocks(h->size) + 1) * sizeof *sums);
    unsigned char *seal = malloc(seal_size(h->size));
    int code = h->code != 0 ? h->code : sums && seal ? write_out(h, seal, sums) : ENOMEM;
    free(sums);
    free(seal);
    if (close(h->fd) != 0 && code == 0) {
        code = errno;
    }
    h->fd = -1;
    h->code = code;
    return code == 0 ? CAROM_OK : held_fail(h, "write", err);
}

carom_status held_close(h5_held *h, hid_t file, carom_status so_far, carom_error *err)
{
    carom_status status = so_far;
    if (H5Fclose(file) < 0 && status == CAROM_OK) {
        status = held_fail(h, "write", err);
    }
    h5_close_driver(h->driver);
    if (status == CAROM_OK) {
        status = commit(h, err);
    }
    forget(h);
    if (h->fd >= 0) {
        close(h->fd);
        h->fd = -1;
    }
    return status;
}
