/* Samples of a picture, and triangles filled into them.
 *
 * A pixel has 2 x 2 samples. Corners lie on a grid of 16 steps per sample; whether a sample is inside is decided by edge
 * functions in integers, with the rule that a sample on an edge belongs to the triangle above or left of it: triangles that
 * share an edge leave no gap and share no sample, whatever the compiler. */
#ifndef CAROM_RENDER_SAMPLES_H
#define CAROM_RENDER_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SAMPLES_ACROSS = 2,                         /* of a pixel */
    SAMPLE_STEPS = 16,                          /* of the grid per sample */
    SAMPLE_NOTHING = 0,                         /* id of the ground behind everything */
    SAMPLE_GRID = SAMPLES_ACROSS * SAMPLE_STEPS /* steps of the grid per pixel */
};

/* Rows [first, first + rows) of the samples of a picture. */
typedef struct sample_band {
    int width, first, rows;
    float *near;   /* the larger the nearer: one over the distance, or minus a distance */
    uint32_t *ids; /* NULL: not wanted */
} sample_band;

void samples_clear(sample_band *band, float far);

/* A corner on the grid of samples, with its nearness. */
typedef struct sample_corner {
    int32_t x, y;
    float near;
} sample_corner;

/* A place in pixels as the grid has it; places far outside are held at its border. */
int32_t sample_place(double pixels);

/* Fills a triangle of any orientation: where it is nearer than what was there, or everywhere (`over`). */
void samples_fill(sample_band *band, sample_corner a, sample_corner b, sample_corner c, uint32_t id, bool over);

#endif
