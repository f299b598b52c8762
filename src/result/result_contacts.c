/* How many contact points the frames of a result.h5 have: where its tables are cut when a run goes on. */
#include "result/result_contacts.h"

/* One number of a frame, which must be whole and not negative. */
static bool read_whole(hid_t file, const char *path, long frame, long *out)
{
    const double largest = 1e15; /* beyond it doubles and longs part */
    double value = -1.0;
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(file, path);
    bool ok = set >= 0 && h5_dims(set, dims) == 1 && dims[0] > (hsize_t)frame &&
              h5_read_rows(set, (size_t)frame, 1, &value) && value >= 0.0 && value < largest;
    h5_close(set);
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
