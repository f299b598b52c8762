/* Results have groups, and datasets in groups: two levels are looked at, because nobody looks further. */
#include "result/result_guard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "files/file.h"
#include "result/result_h5.h"
#include "result/seal.h"

carom_status guard_seal(const char *path, bool *sealed, carom_error *err)
{
    int64_t block = -1;
    seal_state seal = seal_check(path, &block);
    *sealed = seal == SEAL_SOUND;
    switch (seal) {
    case SEAL_NO_MEMORY:
        return carom_fail(err, CAROM_NO_MEMORY, "no memory to read '%.500s'", path);
    case SEAL_NO_FILE:
        return carom_fail(err, errno == EIO ? CAROM_IO_FAILED : CAROM_BAD_INPUT,
                          "cannot read the result '%.500s': %s", path, strerror(errno));
    case SEAL_BROKEN:
        return block < 0 ? carom_fail(err, CAROM_BAD_INPUT,
                                      "'%.500s' is damaged: its list of checksums is not as it was written", path)
                         : carom_fail(err, CAROM_BAD_INPUT,
                                      "'%.500s' is damaged: bytes %lld to %lld are not as they were written "
                                      "(checksum)",
                                      path, (long long)block * SEAL_BLOCK, (long long)(block + 1) * SEAL_BLOCK - 1);
    default:
        return CAROM_OK;
    }
}

typedef struct guard_walk {
    bool inside; /* a group of the root */
    char group[64];
    char found[200]; /* what is refused; empty: nothing */
} guard_walk;

static herr_t refuse(guard_walk *walk, const char *name, const char *why)
{
    snprintf(walk->found, sizeof walk->found, "'%.60s%s%.60s' %s", walk->group, walk->inside ? "/" : "", name, why);
    return 1; /* ends the walk */
}

static bool has_foreign_filter(hid_t list)
{
    int filters = H5Pget_nfilters(list);
    bool foreign = false;
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        size_t values = 0;
        H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
        foreign = foreign || filter < 0 || filter >= H5Z_FILTER_RESERVED;
    }
    return foreign;
}

/* NULL: all of it lies in the file. */
static const char *object_to_storage(hid_t list)
{
    if (H5Pget_layout(list) == H5D_VIRTUAL) {
        return "is put together from other datasets";
    }
    if (H5Pget_external_count(list) != 0) {
        return "has its data in another file";
    }
    return has_foreign_filter(list) ? "needs a filter that is not part of HDF5" : NULL;
}

static herr_t look_at_dataset(hid_t group, const char *name, guard_walk *walk)
{
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    hid_t list = set < 0 ? -1 : H5Dget_create_plist(set);
    const char *why = list < 0 ? "cannot be opened" : object_to_storage(list);
    h5_close(list);
    h5_close(set);
    return why ? refuse(walk, name, why) : 0;
}

static herr_t look_at_link(hid_t group, const char *name, const H5L_info_t *link, void *context);

static herr_t look_into(hid_t group, const char *name, guard_walk *walk)
{
    if (walk->inside) {
        return 0;
    }
    hid_t inner = H5Gopen2(group, name, H5P_DEFAULT);
    if (inner < 0) {
        return refuse(walk, name, "cannot be opened");
    }
    walk->inside = true;
    snprintf(walk->group, sizeof walk->group, "%.60s", name);
    herr_t answer = H5Literate(inner, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_link, walk);
    walk->inside = false;
    walk->group[0] = '\0';
    h5_close(inner);
    return answer;
}

static herr_t look_at_link(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
    guard_walk *walk = context;
    H5O_info_t object;
    if (link->type == H5L_TYPE_EXTERNAL) {
        return refuse(walk, name, "is a link to another file");
    }
    if (link->type != H5L_TYPE_HARD) {
        return refuse(walk, name, "is a link to somewhere else");
    }
    if (H5Oget_info_by_name(group, name, &object, H5P_DEFAULT) < 0) {
        return refuse(walk, name, "cannot be opened");
    }
    switch (object.type) {
    case H5O_TYPE_GROUP:
        return look_into(group, name, walk);
    case H5O_TYPE_DATASET:
        return look_at_dataset(group, name, walk);
    default:
        return 0;
    }
}

carom_status guard_links(hid_t file, const char *path, carom_error *err)
{
    guard_walk walk = { 0 };
    herr_t answer = H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_link, &walk);
    if (answer != 0 && h5_lacks_memory()) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory to read '%.500s'", path);
    }
    if (walk.found[0]) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is refused: %s", path, walk.found);
    }
    return answer == 0 ? CAROM_OK
                       : carom_fail(err, CAROM_BAD_INPUT, "'%.500s' is damaged: its groups cannot be listed", path);
}
