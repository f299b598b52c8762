/* An HDF5 file whose changes are held back in memory until HDF5 has closed it, and go to the disk then, with a seal.
 *
 * HDF5 does not survive a write that fails: it leaves files half open and crashes when the process ends. So it gets a driver
 * whose writes cannot fail, and everything that can fail happens here, afterwards: a failed write is then an error number
 * like any other. What is held is what one flush changes, a few megabytes. */
#ifndef CAROM_RESULT_RESULT_HELD_H
#define CAROM_RESULT_RESULT_HELD_H

#include <carom/base.h>

#include <hdf5.h>

typedef struct h5_held {
    int fd;
    hid_t driver;           /* ours as long as the file is open: HDF5 1.10 reads its own copy after it has freed it */
    uint64_t size;          /* of the content, as it is to be */
    uint64_t size_on_disk;  /* of the content, as it is; the seal follows */
    uint64_t *sums;         /* of the blocks on the disk; NULL: the file has no seal */
    unsigned char **blocks; /* those that were looked at or changed */
    bool *changed;
    size_t capacity;
    int code;     /* errno of what failed, or 0 */
    bool undoes;  /* a file that is looked at: a failed write leaves it as it was, as far as the disk lets it */
    bool damaged; /* a block is not what its checksum says */
    char path[4096];
} h5_held;

/* Makes a new file (what is there under this name, a link included, is removed first), or opens one to change it. A handle of
 * HDF5 to be closed by held_close; -1: nothing is left open, and err says why. */
hid_t held_create(h5_held *held, const char *path, carom_error *err);
hid_t held_open(h5_held *held, const char *path, carom_error *err);

/* "cannot <what> '<path>': <why>": the memory, the disk, or what HDF5 says. */
carom_status held_fail(const h5_held *held, const char *what, carom_error *err);

/* Closes the file and, when all went well so far, writes what is held, seals the file and brings it to the disk. The
 * answer is `so_far` when that is a failure. */
carom_status held_close(h5_held *held, hid_t file, carom_status so_far, carom_error *err);

#endif
