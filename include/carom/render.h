/* Pictures and films of results, drawn by carom itself: no display, no graphics card, no other program but for films. The same
 * result gives the same pictures on every machine and for any number of threads.
 *
 *     carom_render_options options = { .path = "docking.png", .view = "latch" };
 *     carom_render_report report;
 *     status = carom_render(result, &options, &report, &err);
 *
 * Threads: it uses its result, by one thread at a time (result.h), and threads of its own. */
#ifndef CAROM_RENDER_H
#define CAROM_RENDER_H

#include <carom/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zeros mean: 1280 x 720 pixels, 30 pictures per second, what the scene's first view says. */
typedef struct carom_render_options {
    const char *
        path; /* .png: a picture; .mp4, .webm: a film by ffmpeg; .apng: an animated PNG; with a / at its end: a folder of pictures */
    const char *view;   /* name or number of a view of the scene; NULL: the first, or all of it where there is none */
    int width, height;  /* [pixels] 16 to 16384 */
    double fps;         /* pictures per second, at most 1000 */
    double speed;       /* simulated seconds per second; 0: as the view says, else as the page chooses */
    const double *from; /* [s] of a picture, or where a film begins; NULL: as the view says */
    const double *until;  /* [s] where a film ends; NULL: at the end of the run */
    bool without_caption; /* no time, no scale of forces */
    int threads;          /* 0: as many as there are processors */
} carom_render_options;

enum { CAROM_RENDER_PATH = 4096, CAROM_RENDER_MOST_FRAMES = 100000 };

typedef struct carom_render_report {
    size_t frames;
    int width, height;
    double from, until;           /* [s] simulated */
    double speed;                 /* simulated seconds per second */
    bool instead_of_film;         /* no ffmpeg here: an animated PNG was written */
    char path[CAROM_RENDER_PATH]; /* of what was written */
} carom_render_report;

/* A file appears whole or not at all. A folder must be new, empty, or hold nothing but earlier pictures, which are replaced. report may
 * be NULL. */
CAROM_API carom_status carom_render(const carom_result *result, const carom_render_options *options,
                                    carom_render_report *report, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
