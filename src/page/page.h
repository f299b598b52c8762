/* How a page is put together: the header (JSON) and the arrays it names, packed, in the middle of the viewer. The format
 * is described in viewer/src/format.ts. */
#ifndef CAROM_PAGE_PAGE_H
#define CAROM_PAGE_PAGE_H

#include <carom/page.h>

#include "files/byte_buffer.h"
#include "files/json_value.h"

/* ---- pack.c: arrays, compression, text ---------------------------------------------------------------------------- */

/* The numbers as an array of the page; the JSON that names it, NULL when memory runs out. */
json_t *page_f64(byte_buffer *arrays, const double *values, size_t count);
json_t *page_f32(byte_buffer *arrays, const double *values, size_t count);
json_t *page_u32(byte_buffer *arrays, const double *values, size_t count);
json_t *page_i32(byte_buffer *arrays, const double *values, size_t count);
json_t *page_i16(byte_buffer *arrays, const double *values,
                 size_t count); /* rounded to the nearest, within the range */
json_t *page_u16(byte_buffer *arrays, const double *values, size_t count);

/* A zlib stream of the input, as base64. False: out of memory. */
bool page_pack(const byte_buffer *in, byte_buffer *out);

/* ---- frames.c: which frames are shown, and what moves in them ------------------------------------------------------- */

typedef struct page_frames {
    size_t count;
    size_t *index; /* recorded frames, ascending; the first and the last one are always there */
} page_frames;

carom_status page_frames_choose(page_frames *f, const carom_result *result, carom_error *err);
void page_frames_free(page_frames *f);

/* What one result adds to its part of the header. Values that could not be made are NULL, which Jansson refuses, and
 * page_put remembers. */
typedef struct page_writer {
    const carom_result *result;
    byte_buffer *arrays;
    json_t *run;
    bool failed;
    page_frames frames;
} page_writer;

void page_put(page_writer *w, json_t *object, const char *key, json_t *value);

carom_status page_add_motion(page_writer *w, carom_error *err);
carom_status page_add_contacts(page_writer *w, carom_error *err);

/* ---- the other parts of a run --------------------------------------------------------------------------------------- */

carom_status page_add_surfaces(page_writer *w, carom_error *err); /* surfaces.c */
carom_status page_add_signals(page_writer *w, carom_error *err);  /* signals.c  */
carom_status page_add_flexible(page_writer *w, carom_error *err); /* flexible.c */

/* The whole header of a page with its arrays. */
carom_status page_data(const carom_result *const *results, size_t count, const carom_page_options *options,
                       byte_buffer *out, carom_error *err);

/* The header of a page of these runs, which it takes; without a comparison. NULL: out of memory. */
json_t *page_report(const char *title, json_t *runs);

/* Header and arrays as one block of bytes; the page with it, as a file. */
carom_status page_join(json_t *report, const byte_buffer *arrays, byte_buffer *out, carom_error *err);
carom_status page_save(const byte_buffer *data, const char *file, carom_error *err);

/* The viewer, split where the data goes: viewer/dist/page.html, embedded by CMake. */
extern const unsigned char carom_viewer_page[];
extern const size_t carom_viewer_page_size;

#endif
