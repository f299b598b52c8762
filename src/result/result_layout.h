/* Which datasets result.h5 has and where each stands in a row of doubles that is one frame. */
#ifndef CAROM_RESULT_RESULT_LAYOUT_H
#define CAROM_RESULT_RESULT_LAYOUT_H

#include "model/frame.h"
#include "result/result_h5.h"

enum { RESULT_FORMAT = 1, RESULT_SETS = 64, RESULT_SET_NAME = 64 };
enum { RESULT_CONTACT_TABLES = 7, RESULT_EVENT_TABLES = 17, RESULT_TABLES_MOST = 17 };

/* One dataset with an entry per frame, contact point or event: frames [x items [x parts]]. */
typedef struct result_set {
    const char *group; /* "bodies"; NULL: at the root */
    char name[RESULT_SET_NAME];
    char unit[32];
    const char *axes; /* for people: "frame, body, xyz" */
    int rank;         /* 1, 2 or 3 */
    size_t items;
    size_t parts;
    size_t offset; /* in a row */
    size_t width;  /* items * parts */
    h5_number number;
    long stride; /* only each of so many frames has a row: frames 0, stride, 2 stride, ... */
} result_set;

/* Datasets that have one entry per contact point, or per event, instead of per frame. */
typedef struct result_tables {
    int count;
    result_set sets[RESULT_TABLES_MOST]; /* offsets in a row of their own */
    size_t row;                          /* doubles per entry; may be more than the sets hold */
    size_t chunk;                        /* entries per chunk */
} result_tables;

typedef struct result_layout {
    size_t row; /* doubles per frame */
    int set_count;
    result_set sets[RESULT_SETS]; /* time is the last */
    size_t chunk_frames;          /* frames per chunk, the same in all datasets */
    bool has_flexible;
    bool has_forces;         /* there are bodies that deform; otherwise there is no such group */
    bool has_contacts;       /* the method finds contacts; otherwise there are no tables of them */
    size_t contact_count_at; /* offset of contacts/count in a row; contacts/first follows */
    result_tables contacts;
    result_tables events; /* time is the last */
} result_layout;

/* Rows of a dataset of frames when so many have been recorded. */
static inline long result_set_rows(const result_set *set, long frames)
{
    return (frames + set->stride - 1) / set->stride;
}

void result_layout_init(result_layout *layout, const carom_model *model);

/* "bodies/position" into path[2 * RESULT_SET_NAME]. Returns path. */
const char *result_set_path(const result_set *set, char *path);

/* Writes a frame as a row. Its contact points begin at row first_contact of their tables. */
void result_layout_pack(const result_layout *layout, const carom_model *model, const result_frame *frame,
                        long first_contact, double *row);

/* Writes a contact point, or an event, as a row of its tables. An event's row ends with the number of frames recorded
 * before it, at RESULT_EVENT_FRAMES, which the file does not hold. */
void result_layout_pack_contact(const carom_contact_point *contact, double *row);
void result_layout_pack_event(const carom_event *event, long frames, double *row);
enum { RESULT_EVENT_FRAMES = 27 };

/* Everything but the frames: groups, empty datasets, names, units, scene, command. */
carom_status result_layout_create(const result_layout *layout, hid_t file, const carom_model *model,
                                  const char *scene_text, const char *command, carom_error *err);

#endif
