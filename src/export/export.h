/* What the formats of an export share: each is one file with one table, listed in export.c. */
#ifndef CAROM_EXPORT_EXPORT_H
#define CAROM_EXPORT_EXPORT_H

#include <carom/export.h>

/* Frames first, first + every, ...: count of them, at least one. */
typedef struct export_frames {
    size_t first;
    size_t every;
    size_t count;
} export_frames;

static inline size_t export_frame(export_frames frames, size_t k)
{
    return frames.first + k * frames.every;
}

typedef struct export_job {
    const carom_result *result;
    const char *path;
    export_frames frames;
    double from, until;         /* [s] for what is not of frames */
    double exaggeration;        /* of deformations */
    const char *const *signals; /* all when there are none */
    size_t signal_count;
    carom_export_report *report; /* to be filled in; frames is there already */
} export_job;

typedef struct export_writer {
    carom_export_format format;
    carom_status (*write)(const export_job *job, carom_error *err);
} export_writer;

extern const export_writer export_csv;
extern const export_writer export_events;
extern const export_writer export_vtk;
extern const export_writer export_glb;
extern const export_writer export_obj;
extern const export_writer export_npz;

#endif
