/* The writer of result.h5: frames gather in memory and go to the file in batches.
 *
 * A killed run must leave a file that any HDF5 program can open, and HDF5 itself does not promise that for a file that
 * is being written. So the file under the name result.h5 is never written to. There are two files, .result-a.h5 and
 * .result-b.h5; a flush appends to the one that is not published all frames it lacks, seals it, brings it to the disk
 * and publishes it by a hard link and a rename, which is atomic. Kill -9 at any moment, and a loss of power, leave the
 * result of the last flush, and so does a write that fails, however large the file is. Price: twice the disk space and
 * twice the writing while a run lasts.
 *
 * Where hard links do not exist, the published file is appended to in place: data, then extents, `time` last. A write that
 * fails is undone then; a kill within the few milliseconds of a flush, or a disk that takes nothing any more, may leave a
 * damaged file. Between flushes it is closed and clean.
 *
 * Invariant: rows hold the frames from first_row to frames, and contacts the contact points of those; events hold those
 * that follow; each file of the two lacks at most these. */
#include "result/result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "files/file.h"
#include "result/result_contacts.h"
#include "result/result_guard.h"
#include "result/result_held.h"
#include "result/result_flexible_write.h"
#include "result/result_layout.h"
#include "result/result_rows.h"

enum { UNSAVED_BYTES = 16 << 20 }; /* of frames in memory before they are written unasked */

static const char *const TWIN_NAMES[2] = { ".result-a.h5", ".result-b.h5" };

/* How much of a run a file has. */
typedef struct result_mark {
    long frames;
    long events;
} result_mark;

struct result_writer {
    const carom_model *model;
    char folder[FILE_PATH];
    char final[FILE_PATH];   /* result.h5 */
    char twin[2][FILE_PATH]; /* the two files behind it */
    char fresh[FILE_PATH];   /* link on its way to become result.h5 */
    result_layout layout;
    double *rows;
    double *pack;           /* one dataset's part of a chunk */
    size_t number_capacity; /* of `rows` */
    table_rows contacts;
    table_rows events;
    long first_row;
    long frames;
    result_mark saved;       /* in the published file */
    result_mark twin_has[2]; /* in each of the two */
    int next;                /* the one to write next */
    bool in_place;
    bool broken; /* a write failed: HDF5 gives no way back into the file */
    int lock;    /* on the folder, see file_lock */
};

/* ---- appending rows to one file --------------------------------------------------------------------------------- */

static const double *row_of(const result_writer *w, long frame)
{
    return w->rows + (size_t)(frame - w->first_row) * w->layout.row;
}

static void pack_set(const result_writer *w, const result_set *set, long begin, long end)
{
    double *to = w->pack;
    for (long f = result_set_rows(set, begin) * set->stride; f < end; f += set->stride) {
        memcpy(to, row_of(w, f) + set->offset, set->width * sizeof(double));
        to += set->width;
    }
}

static hid_t open_set(hid_t file, const result_set *set)
{
    char path[2 * RESULT_SET_NAME];
    return h5_open_dataset(file, result_set_path(set, path));
}

static bool write_block(hid_t dataset, const result_set *set, const double *data, long begin, long end)
{
    hsize_t start[3] = { (hsize_t)begin, 0, 0 };
    hsize_t count[3] = { (hsize_t)(end - begin), set->items, set->parts };
    hsize_t dims[3] = { (hsize_t)end, set->items, set->parts };
    if (H5Dset_extent(dataset, dims) < 0) {
        return false;
    }
    hid_t memory = H5Screate_simple(set->rank, count, NULL);
    hid_t space = H5Dget_space(dataset);
    bool ok = memory >= 0 && space >= 0 &&
              H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
              H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, data) >= 0;
    h5_close(space);
    h5_close(memory);
    return ok;
}

/* Writes what lies in w->pack. */
static bool append_packed(const result_writer *w, hid_t file, const result_set *set, long begin, long end)
{
    hid_t dataset = open_set(file, set);
    if (dataset < 0) {
        return false;
    }
    bool ok = write_block(dataset, set, w->pack, begin, end);
    return h5_close(dataset) && ok; /* the last chunk is written here */
}

static bool append_set(const result_writer *w, hid_t file, int index, long begin, long end)
{
    const result_set *set = &w->layout.sets[index];
    long first = result_set_rows(set, begin), last = result_set_rows(set, end);
    if (first == last) {
        return true;
    }
    pack_set(w, set, begin, end);
    return append_packed(w, file, set, first, last);
}

/* The row of the contact tables where a frame begins, or where the next one will. */
static long first_contact_of(const result_writer *w, long frame)
{
    return frame < w->frames ? (long)row_of(w, frame)[w->layout.contact_count_at + 1] : w->contacts.total;
}

/* Rows of tables, chunk by chunk; the last table comes last on the disk, too. Datasets are closed after each chunk: HDF5
 * gives it a place in the file no earlier. */
static bool append_tables(const result_writer *w, hid_t file, const table_rows *t, long begin, long end)
{
    long chunk = (long)t->tables->chunk;
    bool ok = true;
    for (long at = begin; ok && at < end;) {
        long stop = (at / chunk + 1) * chunk;
        stop = stop < end ? stop : end;
        for (int i = 0; ok && i < t->tables->count; ++i) {
            const result_set *set = &t->tables->sets[i];
            bool last = i == t->tables->count - 1;
            table_rows_pack(t, set, at, stop, w->pack);
            ok = !(last && w->in_place) || H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
            ok = ok && append_packed(w, file, set, at, stop);
        }
        at = stop;
    }
    return ok;
}

/* Frames of one chunk: all datasets, their contact points, and last the time, which declares them valid. */
static bool append_stretch(const result_writer *w, hid_t file, long begin, long end)
{
    int time = w->layout.set_count - 1;
    bool ok = true;
    for (int i = 0; ok && i < time; ++i) {
        ok = append_set(w, file, i, begin, end);
    }
    if (ok && w->layout.has_contacts) {
        ok = append_tables(w, file, &w->contacts, first_contact_of(w, begin), first_contact_of(w, end));
    }
    bool ordered = !w->in_place || H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
    return ok && ordered && append_set(w, file, time, begin, end);
}

/* Where frames from this one on may be written to at once, as far as they themselves go. */
static long end_of_stretch(const result_writer *w, long frame)
{
    long chunk = (long)w->layout.chunk_frames;
    bool alone = w->layout.has_contacts && frame % chunk == 0;
    long stop = alone ? frame + 1 : (frame / chunk + 1) * chunk;
    return stop < w->frames ? stop : w->frames;
}

/* The next event, from this one on, that begins a chunk. */
static long next_event_chunk(const result_writer *w, long event)
{
    long chunk = (long)w->layout.events.chunk;
    long next = (event + chunk - 1) / chunk * chunk;
    return next < w->events.total ? next : w->events.total;
}

static long frames_before(const result_writer *w, long event)
{
    return event < w->events.total ? (long)table_rows_at(&w->events, event)[RESULT_EVENT_FRAMES] : w->frames;
}

/* Writes the next part of what a file lacks: events whose chunk is there; else frames, up to the event that begins the
 * next chunk; else that chunk. */
static bool append_part(const result_writer *w, hid_t file, result_mark *at)
{
    long begins = next_event_chunk(w, at->events);
    long until = end_of_stretch(w, at->frames);
    long before = frames_before(w, begins);
    until = until < before ? until : before;
    bool ok;
    if (at->events == begins && at->frames < until) {
        ok = append_stretch(w, file, at->frames, until);
        at->frames = until;
    } else {
        long end = at->events < begins ? begins : next_event_chunk(w, at->events + 1);
        ok = append_tables(w, file, &w->events, at->events, end);
        at->events = end;
    }
    return ok;
}

/* Chunk by chunk through all datasets, so that chunks lie in the file in the same order however the frames came: equal
 * runs give equal bytes. With contacts, the first frame of a chunk goes alone: then all datasets of frames have got
 * their new chunk, and those that follow come from contact points only, in their order. Events come at any time but
 * where they begin a chunk: exactly between the frames they happened between. */
static bool append_rows(const result_writer *w, hid_t file, result_mark at)
{
    bool ok = true;
    while (ok && (at.frames < w->frames || at.events < w->events.total)) {
        ok = append_part(w, file, &at);
    }
    return ok;
}

static carom_status append_to(result_writer *w, const char *path, result_mark from, carom_error *err)
{
    h5_held held;
    hid_t file = held_open(&held, path, err);
    if (file < 0) {
        return err ? err->status : CAROM_IO_FAILED;
    }
    held.undoes = w->in_place;
    carom_status status = append_rows(w, file, from) ? CAROM_OK : held_fail(&held, "write", err);
    status = held_close(&held, file, status, err);
    w->broken = status != CAROM_OK;
    return status;
}

/* ---- publishing ------------------------------------------------------------------------------------------------- */

static void drop_twins(result_writer *w)
{
    unlink(w->twin[0]);
    unlink(w->twin[1]);
    unlink(w->fresh);
}

/* A file system without hard links, as opposed to a disk that is full or broken. */
static bool knows_no_links(int code)
{
    return code == EPERM || code == EOPNOTSUPP || code == ENOSYS || code == EMLINK || code == EXDEV || code == EACCES;
}

/* Lets result.h5 be this file. Without hard links it is moved there, and written in place from then on. */
static carom_status publish(result_writer *w, const char *path, carom_error *err)
{
    unlink(w->fresh);
    bool linked = link(path, w->fresh) == 0;
    if (!linked && !knows_no_links(errno)) {
        return file_failed(err, "make a link to", path, errno);
    }
    if (rename(linked ? w->fresh : path, w->final) != 0) {
        return file_failed(err, "rename a file to", w->final, errno);
    }
    if (!linked) {
        drop_twins(w);
        w->in_place = true;
    }
    return file_sync_folder(w->folder, err);
}

static result_mark reached(const result_writer *w)
{
    return (result_mark){ w->frames, w->events.total };
}

static void drop_saved_rows(result_writer *w)
{
    result_mark keep = w->in_place ? w->saved : w->twin_has[w->next];
    size_t rows = (size_t)(w->frames - keep.frames);
    table_rows_drop(&w->events, keep.events);
    if (w->layout.has_contacts) {
        table_rows_drop(&w->contacts, first_contact_of(w, keep.frames));
    }
    if (rows > 0 && keep.frames > w->first_row) {
        memmove(w->rows, row_of(w, keep.frames), rows * w->layout.row * sizeof(double));
    }
    w->first_row = keep.frames;
}

static carom_status flush_in_place(result_writer *w, carom_error *err)
{
    return append_to(w, w->final, w->saved, err);
}

static carom_status flush_twin(result_writer *w, carom_error *err)
{
    const char *path = w->twin[w->next];
    carom_status status = append_to(w, path, w->twin_has[w->next], err);
    if (status == CAROM_OK) {
        status = publish(w, path, err);
    }
    if (status == CAROM_OK) {
        w->twin_has[w->next] = reached(w);
        w->next = 1 - w->next;
    }
    return status;
}

carom_status result_writer_flush(result_writer *w, carom_error *err)
{
    if (w->broken) {
        return carom_fail(err, CAROM_IO_FAILED, "'%.500s' could not be written before; it holds %ld frames", w->final,
                          w->saved.frames);
    }
    if (w->saved.frames == w->frames && w->saved.events == w->events.total) {
        return CAROM_OK;
    }
    h5_quiet quiet = h5_quiet_begin();
    carom_status status = w->in_place ? flush_in_place(w, err) : flush_twin(w, err);
    h5_quiet_end(quiet);
    if (status == CAROM_OK) {
        w->saved = reached(w);
        drop_saved_rows(w);
    }
    return status;
}

/* ---- frames ----------------------------------------------------------------------------------------------------- */

static carom_status make_room(result_writer *w, carom_error *err)
{
    size_t frames = (size_t)(w->frames - w->first_row) + 1;
    return CAROM_ARRAY_RESERVE(w->rows, w->number_capacity, frames * w->layout.row)
               ? CAROM_OK
               : carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu frames of %zu numbers", frames, w->layout.row);
}

static size_t unsaved_bytes(const result_writer *w)
{
    size_t numbers = (size_t)(w->frames - w->saved.frames) * w->layout.row;
    numbers += (size_t)(w->events.total - w->saved.events) * w->layout.events.row;
    if (w->layout.has_contacts) {
        numbers += (size_t)(w->contacts.total - first_contact_of(w, w->saved.frames)) * w->layout.contacts.row;
    }
    return numbers * sizeof(double);
}

static carom_status flush_when_much(result_writer *w, carom_error *err)
{
    return unsaved_bytes(w) >= UNSAVED_BYTES ? result_writer_flush(w, err) : CAROM_OK;
}

static carom_status add_contacts(result_writer *w, const carom_contact_point *contacts, int count, carom_error *err)
{
    CAROM_ASSERT(count >= 0);
    double *row = table_rows_room(&w->contacts, (size_t)count);
    if (!row) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %d contact points", count);
    }
    for (int i = 0; i < count; ++i) {
        result_layout_pack_contact(&contacts[i], row + (size_t)i * w->layout.contacts.row);
    }
    w->contacts.total += count;
    return CAROM_OK;
}

carom_status result_writer_append(result_writer *w, const result_frame *frame, carom_error *err)
{
    long first_contact = w->contacts.total;
    carom_status status = make_room(w, err);
    if (status == CAROM_OK && w->layout.has_contacts) {
        status = add_contacts(w, frame->contacts, frame->contact_count, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    double *row = w->rows + (size_t)(w->frames - w->first_row) * w->layout.row;
    result_layout_pack(&w->layout, w->model, frame, first_contact, row);
    w->frames += 1;
    return flush_when_much(w, err);
}

carom_status result_writer_add_event(result_writer *w, const carom_event *event, carom_error *err)
{
    double *row = table_rows_room(&w->events, 1);
    if (!row) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %ld events", w->events.total - w->events.first + 1);
    }
    result_layout_pack_event(event, w->frames, row);
    w->events.total += 1;
    return flush_when_much(w, err);
}

size_t result_frame_bytes(const carom_model *model)
{
    result_layout layout;
    size_t bytes = 0;
    result_layout_init(&layout, model);
    for (int i = 0; i < layout.set_count; ++i) {
        size_t each = layout.sets[i].number == H5_SINGLE ? sizeof(float) : sizeof(double);
        bytes += layout.sets[i].width * each / (size_t)layout.sets[i].stride;
    }
    return bytes;
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

static void destroy(result_writer *w)
{
    drop_twins(w);
    file_unlock(w->folder, w->lock);
    free(w->rows);
    free(w->contacts.rows);
    free(w->events.rows);
    free(w->pack);
    free(w);
}

/* Room for the widest dataset's part of a chunk: none is wider than a row. */
static size_t pack_size(const result_layout *layout)
{
    size_t frames = layout->chunk_frames * layout->row;
    size_t contacts = layout->contacts.chunk * layout->contacts.row;
    size_t events = layout->events.chunk * layout->events.row;
    size_t tables = contacts > events ? contacts : events;
    return frames > tables ? frames : tables;
}

static carom_status name_files(result_writer *w, const char *folder, carom_error *err)
{
    if (strlen(folder) >= sizeof w->folder) {
        return carom_fail(err, CAROM_BAD_INPUT, "the path '%.200s...' is too long", folder);
    }
    snprintf(w->folder, sizeof w->folder, "%s", folder);
    carom_status status = file_path(w->final, folder, "result.h5", err);
    const char *const hidden[] = { TWIN_NAMES[0], TWIN_NAMES[1], ".result-new.h5" };
    char *const paths[] = { w->twin[0], w->twin[1], w->fresh };
    for (int i = 0; i < 3 && status == CAROM_OK; ++i) {
        status = file_path(paths[i], folder, hidden[i], err);
    }
    return status;
}

static carom_status make_writer(result_writer **out, const char *folder, const carom_model *model, carom_error *err)
{
    result_writer *w = calloc(1, sizeof *w);
    if (!w) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory to write results");
    }
    w->model = model;
    result_layout_init(&w->layout, model);
    w->contacts.tables = &w->layout.contacts;
    w->events.tables = &w->layout.events;
    w->pack = malloc(pack_size(&w->layout) * sizeof(double));
    carom_status status = w->pack ? name_files(w, folder, err)
                                  : carom_fail(err, CAROM_NO_MEMORY, "no memory to write %zu numbers per frame",
                                               w->layout.row);
    status = status == CAROM_OK ? file_lock(w->folder, &w->lock, err) : status;
    if (status != CAROM_OK) { /* the files in the folder are not ours to touch */
        free(w->pack);
        free(w);
        return status;
    }
    drop_twins(w);
    *out = w;
    return CAROM_OK;
}

static carom_status remove_old(const result_writer *w, const char *name, carom_error *err)
{
    char path[FILE_PATH];
    carom_status status = file_path(path, w->folder, name, err);
    if (status == CAROM_OK && unlink(path) != 0 && errno != ENOENT) {
        status = file_failed(err, "replace", path, errno);
    }
    return status;
}

/* An older checkpoint, summary or page beside a new result would be believed. */
static carom_status remove_old_results(const result_writer *w, carom_error *err)
{
    static const char *const names[] = { "checkpoint.bin", "summary.json", "signals.csv", "report.html",
                                         "result.h5" };
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == CAROM_OK; ++i) {
        status = remove_old(w, names[i], err);
    }
    return status;
}

/* Everything but frames and events. */
static carom_status create_file(const result_writer *w, const char *scene_text, const char *command, carom_error *err)
{
    h5_held held;
    hid_t file = held_create(&held, w->twin[0], err);
    if (file < 0) {
        return err ? err->status : CAROM_IO_FAILED;
    }
    carom_status status = result_layout_create(&w->layout, file, w->model, scene_text, command, err);
    return held_close(&held, file, status, err);
}

/* The first file is complete: publish it and begin the second as its copy. */
static carom_status start_twins(result_writer *w, carom_error *err)
{
    carom_status status = publish(w, w->twin[0], err);
    if (status == CAROM_OK && !w->in_place) {
        status = file_copy(w->twin[0], w->twin[1], err);
    }
    w->next = 1;
    return status;
}

static carom_status start(result_writer *w, const char *scene_text, const char *command, carom_error *err)
{
    carom_status status = remove_old_results(w, err);
    if (status == CAROM_OK) {
        drop_twins(w);
        status = create_file(w, scene_text, command, err);
    }
    return status == CAROM_OK ? start_twins(w, err) : status;
}

carom_status result_writer_create(result_writer **out, const char *folder, const carom_model *model,
                                  const char *scene_text, const char *command, carom_error *err)
{
    result_writer *w = NULL;
    carom_status status = file_make_folder(folder, err);
    status = status == CAROM_OK ? make_writer(&w, folder, model, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    h5_quiet quiet = h5_quiet_begin();
    status = start(w, scene_text, command, err);
    h5_quiet_end(quiet);
    if (status != CAROM_OK) {
        destroy(w);
        return status;
    }
    *out = w;
    return CAROM_OK;
}

/* ---- going on --------------------------------------------------------------------------------------------------- */

/* Shortens a dataset to so many rows; its shape must be the model's, and it must be long enough. */
static carom_status truncate_set(hid_t file, const result_set *set, long rows, carom_error *err)
{
    hsize_t dims[3] = { 0, 1, 1 };
    hid_t dataset = open_set(file, set);
    int rank = h5_dims(dataset, dims);
    carom_status status = CAROM_OK;
    if (rank != set->rank || dims[1] != set->items || dims[2] != set->parts) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "result.h5 does not fit the scene: dataset %s/%s is missing or has "
                            "other columns; start anew with 'carom run'",
                            set->group ? set->group : "", set->name);
    } else if (dims[0] < (hsize_t)rows) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "result.h5 is damaged: %llu %s of %s where the checkpoint has "
                            "%ld; start anew with 'carom run'",
                            (unsigned long long)dims[0], strncmp(set->axes, "frame", 5) == 0 ? "frames" : "rows",
                            set->name, rows);
    } else if (!h5_can_grow(dataset)) {
        status = carom_fail(
            err, CAROM_BAD_INPUT,
            "result.h5 cannot be gone on with: dataset %s/%s was rewritten so that it has no room for more "
            "rows; start anew with 'carom run'",
            set->group ? set->group : "", set->name);
    } else {
        dims[0] = (hsize_t)rows;
        status = H5Dset_extent(dataset, dims) >= 0 ? CAROM_OK : h5_fail(err, "shorten", "result.h5");
    }
    if (dataset >= 0 && !h5_close(dataset) && status == CAROM_OK) {
        status = h5_fail(err, "shorten", "result.h5");
    }
    return status;
}

static carom_status truncate_tables(table_rows *t, hid_t file, long rows, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int i = t->tables->count - 1; i >= 0 && status == CAROM_OK; --i) { /* time first */
        status = truncate_set(file, &t->tables->sets[i], rows, err);
    }
    t->first = t->total = rows;
    return status;
}

/* Shortens the contact tables to what the frames that are kept have. */
static carom_status truncate_contacts(result_writer *w, hid_t file, long frames, carom_error *err)
{
    long rows = 0;
    if (!contact_rows_of_frames(file, frames, &rows)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "result.h5 does not fit the scene: contacts/first and contacts/count do not say how many "
                          "contact points %ld frames have; start anew with 'carom run'",
                          frames);
    }
    return truncate_tables(&w->contacts, file, rows, err);
}

/* Which frames have rows of nodes must not change. */
static carom_status check_stride(const result_writer *w, hid_t file, carom_error *err)
{
    double *every = NULL;
    size_t rows = 0;
    size_t wanted = result_flexible_sizes(w->model).moved_every;
    bool same = !w->layout.has_flexible || (h5_read_table(file, "flexible/moved_every", 1, &every, &rows) &&
                                            rows == 1 && every[0] == (double)wanted);
    carom_status status = same
                              ? CAROM_OK
                              : carom_fail(err, CAROM_BAD_INPUT,
                                           "result.h5 does not fit the scene: record.fields_every has changed; start "
                                           "anew with 'carom run'");
    free(every);
    return status;
}

static carom_status truncate_sets(result_writer *w, hid_t file, result_mark keep, carom_error *err)
{
    carom_status status = check_stride(w, file, err);
    for (int i = w->layout.set_count - 1; i >= 0 && status == CAROM_OK; --i) { /* time first */
        const result_set *set = &w->layout.sets[i];
        status = truncate_set(file, set, result_set_rows(set, keep.frames), err);
    }
    if (status == CAROM_OK && w->layout.has_contacts) { /* after the frames: they are known to be there */
        status = truncate_contacts(w, file, keep.frames, err);
    }
    return status == CAROM_OK ? truncate_tables(&w->events, file, keep.events, err) : status;
}

static carom_status truncate_all(result_writer *w, const char *path, result_mark keep, carom_error *err)
{
    h5_held held;
    hid_t file = held_open(&held, path, err);
    if (file < 0) { /* a copy of what was there: the file is no result, the disk is not to blame */
        return err && err->status == CAROM_NO_MEMORY
                   ? CAROM_NO_MEMORY
                   : carom_fail(err, CAROM_BAD_INPUT,
                                "'%.500s' is damaged or not a result of carom; start anew with 'carom run'",
                                w->final);
    }
    carom_status status = truncate_sets(w, file, keep, err);
    if (status != CAROM_OK && (held.code != 0 || h5_lacks_memory())) { /* not the scene is to blame, nor the file */
        status = held_fail(&held, "read", err);
    }
    return held_close(&held, file, status, err);
}

static carom_status go_on(result_writer *w, result_mark keep, carom_error *err)
{
    if (!file_exists(w->final)) {
        return carom_fail(err, CAROM_BAD_INPUT, "there is no '%.500s' to go on with; start anew with 'carom run'",
                          w->final);
    }
    bool sealed = false;
    carom_status status = guard_seal(w->final, &sealed, err);
    if (status == CAROM_OK) {
        status = file_copy(w->final, w->twin[0], err);
    }
    if (status == CAROM_OK) {
        status = truncate_all(w, w->twin[0], keep, err);
    }
    if (status == CAROM_OK) { /* they say how the run ended, and the run goes on */
        status = remove_old(w, "summary.json", err);
        status = status == CAROM_OK ? remove_old(w, "report.html", err) : status;
    }
    w->first_row = w->frames = keep.frames;
    w->saved = w->twin_has[0] = w->twin_has[1] = keep;
    return status == CAROM_OK ? start_twins(w, err) : status;
}

carom_status result_writer_reopen(result_writer **out, const char *folder, const carom_model *model, long frames,
                                  long events, carom_error *err)
{
    result_writer *w = NULL;
    CAROM_ASSERT(frames >= 0 && events >= 0);
    carom_status status = make_writer(&w, folder, model, err);
    if (status != CAROM_OK) {
        return status;
    }
    h5_quiet quiet = h5_quiet_begin();
    status = go_on(w, (result_mark){ frames, events }, err);
    h5_quiet_end(quiet);
    if (status != CAROM_OK) {
        destroy(w);
        return status;
    }
    *out = w;
    return CAROM_OK;
}

carom_status result_writer_close(result_writer *w, carom_error *err)
{
    if (!w) {
        return CAROM_OK;
    }
    carom_status status = result_writer_flush(w, err);
    destroy(w);
    return status;
}
