/* A picture in the making: corners and triangles of bodies as the camera sees them, lines and marks of one colour. A canvas
 * belongs to one thread and is used for one picture after the other. */
#ifndef CAROM_RENDER_CANVAS_H
#define CAROM_RENDER_CANVAS_H

#include "render/camera.h"
#include "render/samples.h"

/* A corner of a body. */
typedef struct canvas_vertex {
    sample_corner at;
    float normal[3]; /* world axes, unit but for rounding */
} canvas_vertex;

typedef struct canvas_triangle {
    uint32_t vertex[3];
    uint32_t part;
} canvas_triangle;

/* A triangle of one colour: lines and symbols. */
typedef struct canvas_flat {
    sample_corner at[3];
    uint32_t colour;
} canvas_flat;

typedef struct shadow_map {
    bool made;
    v3 light; /* unit, towards it */
    v3 across, upwards, middle;
    double texels; /* per metre */
    float *depth;
} shadow_map;

typedef struct canvas {
    const scenery *s;
    const render_view *view;
    render_camera camera;
    double scale; /* of symbols and letters: 1 at 720 rows */
    size_t vertex_count, vertex_room;
    canvas_vertex *vertices;
    size_t triangle_count, triangle_room;
    canvas_triangle *triangles;
    size_t flat_count, flat_room; /* [0, over) lie among bodies, the others over them, in order */
    size_t over;
    canvas_flat *flats;
    size_t tone_count, tone_room;
    tone *tones;
    v3 *places; /* of the vertices of a part, world axes */
    size_t place_room;
    shadow_map shadow;
    sample_band band;
    tone_table table;
    bool failed; /* out of memory */
} canvas;

void canvas_free(canvas *c);
void canvas_begin(canvas *c, const scenery *s, const render_view *view, render_camera camera);

/* The moment as the camera sees it, with its marks and a caption (NULL: none); then its colours, width x height x 3 bytes.
 * False: out of memory. */
bool canvas_draw(canvas *c, const moment *m, const char *caption, unsigned char *rgb);

/* ---- bodies.c ------------------------------------------------------------------------------------------------------- */

void canvas_add_bodies(canvas *c, const moment *m);

/* The map of what the light sees, of all triangles that were added. */
enum { SHADOW_SIZE = 2048 };
void canvas_cast_shadows(canvas *c, const moment *m);

/* ---- strokes.c ------------------------------------------------------------------------------------------------------ */

uint32_t canvas_tone(canvas *c, tone t);

/* Lines [pixels] wide between places of the world; forward: as if nearer by this share, so that edges lie over faces. */
void canvas_line(canvas *c, v3 a_w, v3 b_w, double width, double forward, uint32_t colour);

/* Over everything that was drawn: places in pixels. */
void canvas_stroke(canvas *c, camera_place a, camera_place b, double width, uint32_t colour);
void canvas_triangle_over(canvas *c, const double xy[6], uint32_t colour);
void canvas_dot(canvas *c, camera_place at, double radius, uint32_t colour);
void canvas_begin_over(canvas *c);

/* Springs, dampers, bushings among bodies; loads and motors over them. Sizes are those of viewer/src/scene/forces.ts. */
void canvas_add_springs(canvas *c, const moment *m);
void canvas_add_drives(canvas *c, const moment *m);
void canvas_arrow(canvas *c, camera_place from, camera_place to, uint32_t colour, uint32_t rim);

/* ---- marks.c, letters.c --------------------------------------------------------------------------------------------- */

void canvas_add_marks(canvas *c, const moment *m);
void canvas_add_caption(canvas *c, const char *text);

/* Text in lines, its lower left corner at (x, y) [pixels], so high; the width it takes. Letters that have no shape are left out. */
double canvas_text(canvas *c, const char *text, double x, double y, double height, double stroke, uint32_t colour);
double canvas_text_width(const char *text, double height);

/* ---- light.c -------------------------------------------------------------------------------------------------------- */

/* Colours of the pixels of rows [first, first + rows) from the samples of the band. */
void canvas_resolve(const canvas *c, const moment *m, int first_row, int rows, unsigned char *rgb);

#endif
