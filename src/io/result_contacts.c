/* Contact points on their way to result.h5: rows of doubles that gather between flushes. */
#include "io/result_contacts.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

static double *row_at(const contact_rows *c, long row)
{
    return c->rows + (size_t)(row - c->first) * RESULT_CONTACT_ROW;
}

static carom_status make_room(contact_rows *c, size_t more, carom_error *err)
{
    size_t needed = (size_t)(c->total - c->first) + more;
    if (needed <= c->capacity) {
        return CAROM_OK;
    }
    size_t capacity = c->capacity ? c->capacity : 256;
    while (capacity < needed) {
        capacity *= 2;
    }
    double *rows = realloc(c->rows, capacity * RESULT_CONTACT_ROW * sizeof(double));
    if (!rows) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu contact points", capacity);
    }
    c->rows = rows;
    c->capacity = capacity;
    return CAROM_OK;
}

carom_status contact_rows_add(contact_rows *c, const contact_point *contacts, int count, carom_error *err)
{
    CAROM_ASSERT(count >= 0);
    carom_status status = make_room(c, (size_t)count, err);
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        result_layout_pack_contact(&contacts[i], row_at(c, c->total));
        c->total += 1;
    }
    return status;
}

void contact_rows_drop(contact_rows *c, long keep)
{
    CAROM_ASSERT(keep >= c->first && keep <= c->total);
    size_t rows = (size_t)(c->total - keep);
    if (rows > 0 && keep > c->first) {
        memmove(c->rows, row_at(c, keep), rows * RESULT_CONTACT_ROW * sizeof(double));
    }
    c->first = keep;
}

void contact_rows_pack(const contact_rows *c, const result_set *set, long begin, long end, double *out)
{
    for (long row = begin; row < end; ++row) {
        memcpy(out, row_at(c, row) + set->offset, set->width * sizeof(double));
        out += set->width;
    }
}

/* One number of a frame, which must be whole and not negative. */
static bool read_whole(hid_t file, const char *path, long frame, long *out)
{
    const double largest = 1e15; /* beyond it doubles and longs part */
    double value = -1.0;
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(file, path);
    bool ok = set >= 0 && h5_dims(set, dims) == 1 && dims[0] > (hsize_t)frame &&
              h5_read_rows(set, (size_t)frame, 1, &value) && value >= 0.0 && value < largest;
    if (set >= 0) {
        H5Dclose(set);
    }
    *out = ok ? (long)value : 0;
    return ok;
}

bool contact_rows_of_frames(hid_t file, long frames, long *rows)
{
    long first = 0;
    long count = 0;
    bool ok = frames == 0 || (read_whole(file, "contacts/first", frames - 1, &first) &&
                              read_whole(file, "contacts/count", frames - 1, &count));
    *rows = first + count;
    return ok;
}
