#include "render/canvas.h"

#include <stdlib.h>

#include "base/array.h"

enum { BAND_ROWS = 48 }; /* pixels: the samples of a band of a usual picture stay in the cache */

void canvas_free(canvas *c)
{
    free(c->vertices);
    free(c->triangles);
    free(c->flats);
    free(c->tones);
    free(c->places);
    free(c->shadow.depth);
    free(c->band.near);
    free(c->band.ids);
    *c = (canvas){ 0 };
}

void canvas_begin(canvas *c, const scenery *s, const render_view *view, render_camera camera)
{
    if (!c->s) {
        tone_table_make(&c->table);
    }
    c->s = s;
    c->view = view;
    c->camera = camera;
    c->scale = camera.height / 720.0;
    c->vertex_count = c->triangle_count = c->flat_count = c->over = c->tone_count = 0;
}

static bool make_band(canvas *c)
{
    size_t samples = (size_t)c->camera.width * SAMPLES_ACROSS * BAND_ROWS * SAMPLES_ACROSS;
    c->band.width = (int)c->camera.width * SAMPLES_ACROSS;
    c->band.near = c->band.near ? c->band.near : malloc(samples * sizeof *c->band.near);
    c->band.ids = c->band.ids ? c->band.ids : malloc(samples * sizeof *c->band.ids);
    return c->band.near && c->band.ids;
}

static void fill_band(canvas *c)
{
    samples_clear(&c->band, 0.0F);
    for (size_t i = 0; i < c->triangle_count; ++i) {
        const uint32_t *v = c->triangles[i].vertex;
        samples_fill(&c->band, c->vertices[v[0]].at, c->vertices[v[1]].at, c->vertices[v[2]].at, (uint32_t)(i + 1),
                     false);
    }
    for (size_t i = 0; i < c->flat_count; ++i) {
        const canvas_flat *f = &c->flats[i];
        uint32_t id = (uint32_t)(c->triangle_count + i + 1);
        samples_fill(&c->band, f->at[0], f->at[1], f->at[2], id, i >= c->over);
    }
}

bool canvas_draw(canvas *c, const moment *m, const char *caption, unsigned char *rgb)
{
    int height = (int)c->camera.height;
    canvas_add_bodies(c, m);
    if (c->view->show & SHOW_SPRINGS) {
        canvas_add_springs(c, m);
    }
    canvas_begin_over(c);
    canvas_add_marks(c, m);
    if (caption) {
        canvas_add_caption(c, caption);
    }
    canvas_cast_shadows(c, m);
    c->failed = c->failed || !make_band(c);
    for (int row = 0; row < height && !c->failed; row += BAND_ROWS) {
        int rows = height - row < BAND_ROWS ? height - row : BAND_ROWS;
        c->band.first = row * SAMPLES_ACROSS;
        c->band.rows = rows * SAMPLES_ACROSS;
        fill_band(c);
        canvas_resolve(c, m, row, rows, rgb);
    }
    return !c->failed;
}
