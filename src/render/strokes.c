/* Lines and symbols as triangles of one colour. */
#include "base/array.h"
#include "render/canvas.h"

uint32_t canvas_tone(canvas *c, tone t)
{
    c->failed = c->failed || !CAROM_ARRAY_RESERVE(c->tones, c->tone_room, c->tone_count + 1);
    if (c->failed) {
        return 0;
    }
    c->tones[c->tone_count] = t;
    return (uint32_t)c->tone_count++;
}

static void add_flat(canvas *c, sample_corner a, sample_corner b, sample_corner d, uint32_t colour)
{
    c->failed = c->failed || !CAROM_ARRAY_RESERVE(c->flats, c->flat_room, c->flat_count + 1);
    if (!c->failed) {
        c->flats[c->flat_count++] = (canvas_flat){ { a, b, d }, colour };
    }
}

void canvas_begin_over(canvas *c)
{
    c->over = c->flat_count;
}

/* A ribbon between two places of the picture. */
static void add_ribbon(canvas *c, camera_place a, camera_place b, double width, uint32_t colour)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    if (!(length > 0.0) || length > 1e7) {
        return;
    }
    double nx = -0.5 * width * dy / length, ny = 0.5 * width * dx / length;
    sample_corner corners[4] = {
        { sample_place(a.x + nx), sample_place(a.y + ny), (float)a.near },
        { sample_place(a.x - nx), sample_place(a.y - ny), (float)a.near },
        { sample_place(b.x - nx), sample_place(b.y - ny), (float)b.near },
        { sample_place(b.x + nx), sample_place(b.y + ny), (float)b.near },
    };
    add_flat(c, corners[0], corners[1], corners[2], colour);
    add_flat(c, corners[0], corners[2], corners[3], colour);
}

/* The part of a line that lies beyond the near plane; false: nothing. */
static bool clip_line(const render_camera *camera, v3 *a, v3 *b)
{
    const double margin = 1.0 + 1e-9;
    double from = -v3_dot(v3_sub(*a, camera->eye), camera->back) - camera->near * margin;
    double to = -v3_dot(v3_sub(*b, camera->eye), camera->back) - camera->near * margin;
    if (!(from >= 0.0) && !(to >= 0.0)) {
        return false;
    }
    if (from < 0.0 || to < 0.0) {
        v3 cut = v3_axpy(*a, from / (from - to), v3_sub(*b, *a));
        cut = v3_axpy(cut, -1e-6 * camera->near, camera->back);
        *(from < 0.0 ? a : b) = cut;
    }
    return true;
}

void canvas_line(canvas *c, v3 a_w, v3 b_w, double width, double forward, uint32_t colour)
{
    if (!clip_line(&c->camera, &a_w, &b_w)) {
        return;
    }
    camera_place a = camera_project(&c->camera, a_w), b = camera_project(&c->camera, b_w);
    a.near *= 1.0 + forward;
    b.near *= 1.0 + forward;
    if (a.near > 0.0 && b.near > 0.0) {
        add_ribbon(c, a, b, width * c->scale, colour);
    }
}

void canvas_stroke(canvas *c, camera_place a, camera_place b, double width, uint32_t colour)
{
    add_ribbon(c, a, b, width, colour);
}

void canvas_triangle_over(canvas *c, const double xy[6], uint32_t colour)
{
    sample_corner corners[3];
    for (int k = 0; k < 3; ++k) {
        corners[k] = (sample_corner){ sample_place(xy[2 * k]), sample_place(xy[2 * k + 1]), 0.0F };
    }
    add_flat(c, corners[0], corners[1], corners[2], colour);
}

/* A polygon of 24 corners. */
void canvas_dot(canvas *c, camera_place at, double radius, uint32_t colour)
{
    enum { SIDES = 24 };
    const double cosine = 0.96592582628906828675, sine = 0.25881904510252076235; /* of 15 degrees */
    double x = radius, y = 0.0;
    for (int k = 0; k < SIDES; ++k) {
        double next_x = cosine * x - sine * y, next_y = sine * x + cosine * y;
        const double corners[6] = { at.x, at.y, at.x + x, at.y + y, at.x + next_x, at.y + next_y };
        canvas_triangle_over(c, corners, colour);
        x = next_x;
        y = next_y;
    }
}
