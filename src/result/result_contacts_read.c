/* Reading contact points. The numbers of points per frame are read at once; the points themselves, which may be
 * millions, in stretches of whole frames around the one that is asked for, so that walking through a result reads
 * each dataset once. The file is not trusted: offsets must follow from the counts, bodies must exist. */
#include "result/result_contacts.h"

#include <stdlib.h>

#include "result/result_read.h"

enum { STRETCH = 1 << 15 }; /* points in memory at least, 4 MiB */

static const char *const table_paths[RESULT_CONTACT_TABLES] = {
    "contacts/body_a", "contacts/body_b", "contacts/position", "contacts/normal",
    "contacts/force",  "contacts/slip",   "contacts/gap",
};

static size_t parts_of(int table)
{
    return table >= 2 && table <= 5 ? 3 : 1;
}

/* ---- the numbers of all frames ---------------------------------------------------------------------------------- */

static bool read_frames(hid_t file, const char *path, size_t frames, double *out)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t set = h5_open_dataset(file, path);
    bool ok = set >= 0 && h5_dims(set, dims) == 1 && dims[0] >= frames && h5_is_filled(set, frames) &&
              (frames == 0 || h5_read_rows(set, 0, frames, out));
    h5_close(set);
    return ok;
}

/* Counts are whole numbers, and each frame begins where the one before it ends. */
static bool is_consistent(const contact_reader *r, double *total)
{
    double next = 0.0;
    for (size_t k = 0; k < r->frames; ++k) {
        bool whole = r->count[k] >= 0.0 && r->count[k] < 1e15;
        if (!whole || r->first[k] != next) {
            return false;
        }
        next += r->count[k];
    }
    *total = next;
    return next < 1e15;
}

static bool table_holds(hid_t file, int table, double rows)
{
    hsize_t dims[3] = { 0, 1, 1 };
    size_t parts = parts_of(table);
    hid_t set = h5_open_dataset(file, table_paths[table]);
    bool ok = set >= 0 && h5_dims(set, dims) == (parts > 1 ? 2 : 1) && dims[1] == parts && (double)dims[0] >= rows &&
              h5_is_filled(set, (hsize_t)rows * parts);
    h5_close(set);
    return ok;
}

static bool tables_hold(hid_t file, double rows)
{
    bool ok = true;
    for (int i = 0; ok && i < RESULT_CONTACT_TABLES; ++i) {
        ok = table_holds(file, i, rows);
    }
    return ok;
}

bool contact_reader_open(contact_reader *r, hid_t file, size_t frames, size_t bodies, bool *out_of_memory)
{
    *r = (contact_reader){ .frames = frames, .bodies = bodies };
    if (H5Lexists(file, "contacts", H5P_DEFAULT) == 0) {
        return true;
    }
    double total = 0.0;
    r->count = malloc((frames + 1) * sizeof(double));
    r->first = malloc((frames + 1) * sizeof(double));
    *out_of_memory = !r->count || !r->first;
    return !*out_of_memory && read_frames(file, "contacts/count", frames, r->count) &&
           read_frames(file, "contacts/first", frames, r->first) && is_consistent(r, &total) &&
           tables_hold(file, total);
}

void contact_reader_close(contact_reader *r)
{
    free(r->count);
    free(r->first);
    free(r->part);
    free(r->window);
    *r = (contact_reader){ 0 };
}

/* ---- the points of a frame -------------------------------------------------------------------------------------- */

static carom_v3 vector_at(const double *part)
{
    return (carom_v3){ part[0], part[1], part[2] };
}

static bool set_body(const contact_reader *r, carom_id *body, double value)
{
    bool known = value >= -1.0 && value < (double)r->bodies;
    *body = known ? result_body_of_row((int)value) : CAROM_GROUND;
    return known;
}

/* Puts what a table says of a point where it belongs. */
static bool put_part(const contact_reader *r, carom_contact_point *c, int table, const double *part)
{
    switch (table) {
    case 0:
        return set_body(r, &c->body[0], part[0]);
    case 1:
        return set_body(r, &c->body[1], part[0]);
    case 2:
        c->position = vector_at(part);
        return true;
    case 3:
        c->normal = vector_at(part);
        return true;
    case 4:
        c->force = vector_at(part);
        return true;
    case 5:
        c->slip = vector_at(part);
        return true;
    default:
        c->gap = part[0];
        return true;
    }
}

static bool read_table(contact_reader *r, hid_t file, int table, size_t first, size_t count)
{
    hid_t set = h5_open_dataset(file, table_paths[table]);
    bool ok = set >= 0 && h5_read_rows(set, first, count, r->part);
    for (size_t i = 0; ok && i < count; ++i) {
        ok = put_part(r, &r->window[i], table, r->part + i * parts_of(table));
    }
    h5_close(set);
    return ok;
}

static bool make_room(contact_reader *r, size_t count)
{
    if (count <= r->window_capacity) {
        return true;
    }
    free(r->window);
    free(r->part);
    r->window = malloc(count * sizeof *r->window);
    r->part = malloc(3 * count * sizeof(double));
    r->window_capacity = r->window && r->part ? count : 0;
    return r->window_capacity > 0;
}

/* The frame and those after it, as many as fit the stretch. */
static size_t stretch_from(const contact_reader *r, size_t frame)
{
    size_t count = (size_t)r->count[frame];
    for (size_t k = frame + 1; k < r->frames && count + (size_t)r->count[k] <= STRETCH; ++k) {
        count += (size_t)r->count[k];
    }
    return count;
}

static bool load(contact_reader *r, hid_t file, size_t frame, bool *out_of_memory)
{
    size_t first = (size_t)r->first[frame];
    size_t count = stretch_from(r, frame);
    r->window_count = 0;
    if (!make_room(r, count)) {
        *out_of_memory = true;
        return false;
    }
    bool ok = true;
    for (int i = 0; ok && i < RESULT_CONTACT_TABLES; ++i) {
        ok = read_table(r, file, i, first, count);
    }
    r->window_first = first;
    r->window_count = ok ? count : 0;
    return ok;
}

bool contact_reader_get(contact_reader *r, hid_t file, size_t frame, const carom_contact_point **out, size_t *count,
                        bool *out_of_memory)
{
    *out = NULL;
    *count = r->count && frame < r->frames ? (size_t)r->count[frame] : 0;
    if (*count == 0) {
        return true;
    }
    size_t first = (size_t)r->first[frame];
    bool there = first >= r->window_first && first + *count <= r->window_first + r->window_count;
    if (!there && !load(r, file, frame, out_of_memory)) {
        return false;
    }
    *out = r->window + (first - r->window_first);
    return true;
}
