/* Results for other programs: tables, ParaView, glTF viewers, modellers, NumPy.
 *
 *     carom_export_options options = { .format = "glb", .path = "pendulum.glb", .every = 2 };
 *     carom_export_report report;
 *     status = carom_result_export(result, &options, &report, &err);
 *
 * Names of files are made of the path given and of numbers, never of what a result says; names of bodies are escaped as
 * each format asks. Every file appears whole or not at all.
 *
 * Threads: formats are constants; an export uses its result, by one thread at a time (result.h). */
#ifndef CAROM_EXPORT_H
#define CAROM_EXPORT_H

#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_export_format {
    const char *name;      /* as `carom export --to` spells it: "glb" */
    const char *extension; /* of its file; of a folder, of the file in it that is opened: ".pvd" */
    bool folder;           /* writes a folder of files, not one file */
    bool signals;          /* heeds carom_export_options.signals */
    const char *doc;       /* one line */
} carom_export_format;

/* All formats, one after the other; NULL behind the last. */
CAROM_API const carom_export_format *carom_export_format_at(size_t index);

/* The one of this name, or NULL; NULL also for a NULL name. */
CAROM_API const carom_export_format *carom_export_format_find(const char *name);

/* Zeros mean: every frame from the first to the last, all signals. */
typedef struct carom_export_options {
    const char *format;
    const char *path;           /* file or folder, as the format says; "-" is standard output, for csv and events */
    size_t every;               /* each so many frames one is taken, beginning with the first of the range */
    double from;                /* [s] frames before are left out */
    double until;               /* [s] frames after are left out; 0: none */
    double exaggeration;        /* glb: deformations are drawn so many times as large; 0: as they are */
    const char *const *signals; /* names */
    size_t signal_count;
} carom_export_options;

typedef struct carom_export_report {
    size_t frames;
    size_t events; /* written one by one: by the format events */
    size_t files;
    uint64_t bytes;
    bool without_shapes;    /* the format draws, but the result holds nothing to draw */
    size_t planes;          /* infinite planes drawn as squares */
    size_t poses_held;      /* poses that were not finite, drawn as the last one that was (glb, obj) */
    double deformation_off; /* glb: largest error of deformations, over the largest deformation of the body */
} carom_export_report;

/* A folder must be new, empty, or hold nothing but an earlier export of the format, which is replaced. `report` may be
 * NULL; of the options only signals, where there are none. from and until are numbers, until may be infinite. */
CAROM_API carom_status carom_result_export(const carom_result *result, const carom_export_options *options,
                                           carom_export_report *report, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
