/* Films by the program ffmpeg, which gets pictures through a pipe. */
#ifndef CAROM_RENDER_FILM_H
#define CAROM_RENDER_FILM_H

#include <carom/base.h>

#include "render/png.h"

#include <sys/types.h>

enum { FILM_PATH = 4096 };

typedef struct film {
    pid_t pid;
    int pipe;
    const char *path;           /* where it goes when it is whole */
    char unfinished[FILM_PATH]; /* beside it, meanwhile */
} film;

/* Whether there is an ffmpeg in the PATH. */
bool film_is_possible(void);

/* Starts a film of pictures of 3 bytes per pixel. After a failure there is nothing to end. */
carom_status film_begin(film *f, const char *path, png_size size, double fps, carom_error *err);
carom_status film_add(film *f, const unsigned char *rgb, size_t bytes, carom_error *err);

/* Gives the film its name when all went well so far; removes it otherwise. Answers `status`, or what went wrong. */
carom_status film_end(film *f, carom_status status, carom_error *err);

#endif
