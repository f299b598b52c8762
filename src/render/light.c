/* From samples to colours. Each pixel asks which triangles its samples saw, lights each of them once, in the middle of its samples, and takes
 * the mean. Light: a soft sky, as the page has it, and one light with shadows. Infinite planes are met by rays and laid over what is
 * behind them, with a grid whose lines stay a pixel wide and fade with distance. */
#include "render/canvas.h"

/* Shares of the light: the sky from below and above, and the key light (viewer/src/scene/faces.ts). */
static const float SKY_BELOW[3] = { 0.268F, 0.292F, 0.321F };
static const float SKY_ABOVE = 0.668F;
static const float KEY = 0.62F;

typedef struct f3 {
    float x, y, z;
} f3;

static f3 f3_of(v3 a)
{
    return (f3){ (float)a.x, (float)a.y, (float)a.z };
}

static float f3_dot(f3 a, f3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static f3 f3_axpy(f3 a, float s, f3 b)
{
    return (f3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

enum { MOST_PLANES = 16 };

/* A plane as rays meet it: everything as seen from the camera. */
typedef struct seen_plane {
    f3 normal, ex, ey;
    float height;     /* [m] of the camera above it */
    float at_x, at_y; /* [cells] foot of the camera */
    float cells;      /* per metre */
    f3 fade;          /* [m] where it is seen best, from the camera */
    float reach;      /* [m] where it has faded away */
    float fill;
} seen_plane;

/* All that lighting a pixel needs, in single precision, places relative to the camera. */
typedef struct lighting {
    const canvas *c;
    f3 up, light, across, upwards;
    f3 right, camera_up, ahead;
    f3 from_middle; /* [m] of the camera, from the middle of the shadow map */
    float focal, half_width, half_height, texels;
    float lift; /* [m] of a place above its own surface */
    int plane_count;
    seen_plane planes[MOST_PLANES];
    tone line, fill, top, bottom;
} lighting;

/* ---- shadows -------------------------------------------------------------------------------------------------------- */

/* How much of the light reaches a place, 0..1: a square of two texels around it, over 3 x 3 of them by the parts that it holds. */
static float light_at(const lighting *l, f3 place, f3 normal)
{
    const float bias = 0.8F; /* [texels] */
    f3 r = f3_axpy(f3_axpy(l->from_middle, 1.0F, place), l->lift, normal);
    float x = 0.5F * SHADOW_SIZE + f3_dot(r, l->across) * l->texels - 1.0F;
    float y = 0.5F * SHADOW_SIZE - f3_dot(r, l->upwards) * l->texels - 1.0F;
    float own = f3_dot(r, l->light) * l->texels + bias;
    if (!(x >= 1.0F && y >= 1.0F && x < SHADOW_SIZE - 3.0F && y < SHADOW_SIZE - 3.0F)) {
        return 1.0F;
    }
    int column = (int)x, row = (int)y;
    float fx = x - (float)column, fy = y - (float)row;
    const float *at = l->c->shadow.depth + (size_t)row * SHADOW_SIZE + column;
    float lit[3];
    for (int k = 0; k < 3; ++k, at += SHADOW_SIZE) {
        lit[k] = (at[0] > own ? 0.0F : 1.0F - fx) + (at[1] > own ? 0.0F : 1.0F) + (at[2] > own ? 0.0F : fx);
    }
    return 0.25F * ((1.0F - fy) * lit[0] + lit[1] + fy * lit[2]);
}

/* ---- bodies --------------------------------------------------------------------------------------------------------- */

/* The ray through a place of the picture [pixels], one metre along the axis. */
static f3 ray_at(const lighting *l, float x, float y)
{
    float across = (x - l->half_width) / l->focal, upwards = (l->half_height - y) / l->focal;
    return f3_axpy(f3_axpy(l->ahead, across, l->right), upwards, l->camera_up);
}

static tone lit_face(const lighting *l, tone colour, f3 normal, f3 place)
{
    float half = 0.5F + 0.5F * f3_dot(normal, l->up);
    float towards = f3_dot(normal, l->light);
    float key = towards > 0.0F ? KEY * towards * light_at(l, place, normal) : 0.0F;
    return (tone){ colour.r * (SKY_BELOW[0] + (SKY_ABOVE - SKY_BELOW[0]) * half + key),
                   colour.g * (SKY_BELOW[1] + (SKY_ABOVE - SKY_BELOW[1]) * half + key),
                   colour.b * (SKY_BELOW[2] + (SKY_ABOVE - SKY_BELOW[2]) * half + key) };
}

/* A number that changes evenly over the picture: at + along (x - x0) + across (y - y0) [pixels]. */
typedef struct even {
    float at, along, across;
} even;

static float even_at(even e, float dx, float dy)
{
    return e.at + e.along * dx + e.across * dy;
}

/* A triangle as pixels light it. With perspective neither its normal nor the distance change evenly, but one over the distance does, and
 * so does the normal over the distance, whose direction is all that is asked for. */
typedef struct lit_triangle {
    uint32_t id; /* SAMPLE_NOTHING: none yet */
    float x0, y0;
    even near, normal[3];
    bool flat; /* its corners have one normal: normal[].at, unit */
    tone colour;
} lit_triangle;

/* The even number that has these values in the corners. */
static even even_between(const double x[3], const double y[3], double area, const double value[3])
{
    double ab = value[1] - value[0], ac = value[2] - value[0];
    return (even){ (float)value[0], (float)((ab * (y[2] - y[0]) - ac * (y[1] - y[0])) / area),
                   (float)((ac * (x[1] - x[0]) - ab * (x[2] - x[0])) / area) };
}

static bool same_normal(const canvas_vertex *a, const canvas_vertex *b)
{
    return a->normal[0] == b->normal[0] && a->normal[1] == b->normal[1] && a->normal[2] == b->normal[2];
}

static lit_triangle triangle_prepare(const canvas *c, uint32_t id)
{
    const canvas_triangle *t = &c->triangles[id - 1];
    const canvas_vertex *v[3] = { &c->vertices[t->vertex[0]], &c->vertices[t->vertex[1]],
                                  &c->vertices[t->vertex[2]] };
    double x[3], y[3], near[3];
    for (int k = 0; k < 3; ++k) {
        x[k] = v[k]->at.x * (1.0 / SAMPLE_GRID);
        y[k] = v[k]->at.y * (1.0 / SAMPLE_GRID);
        near[k] = (double)v[k]->at.near;
    }
    double area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]); /* not zero: it has samples */
    double side = area < 0.0 ? 1.0 : -1.0; /* a back is lit as a face would be that is turned to the camera */
    lit_triangle l = { .id = id, .x0 = (float)x[0], .y0 = (float)y[0], .colour = c->s->parts[t->part].colour };
    l.near = even_between(x, y, area, near);
    l.flat = same_normal(v[0], v[1]) && same_normal(v[0], v[2]);
    for (int i = 0; i < 3; ++i) {
        const double value[3] = { side * near[0] * (double)v[0]->normal[i], side * near[1] * (double)v[1]->normal[i],
                                  side * near[2] * (double)v[2]->normal[i] };
        l.normal[i] = l.flat ? (even){ (float)(side * (double)v[0]->normal[i]), 0.0F, 0.0F }
                             : even_between(x, y, area, value);
    }
    return l;
}

/* Its light at a place of the picture [pixels], and how near it is. */
static tone triangle_tone(const lighting *l, const lit_triangle *t, float x, float y, float *near)
{
    float dx = x - t->x0, dy = y - t->y0;
    f3 normal = { t->normal[0].at, t->normal[1].at, t->normal[2].at };
    *near = even_at(t->near, dx, dy);
    if (!t->flat) {
        normal = (f3){ even_at(t->normal[0], dx, dy), even_at(t->normal[1], dx, dy), even_at(t->normal[2], dx, dy) };
        float length = sqrtf(f3_dot(normal, normal));
        float unit = length > 0.0F ? 1.0F / length : 0.0F;
        normal = (f3){ normal.x * unit, normal.y * unit, normal.z * unit };
    }
    f3 place = f3_axpy((f3){ 0.0F, 0.0F, 0.0F }, 1.0F / *near, ray_at(l, x, y));
    return lit_face(l, t->colour, normal, place);
}

/* ---- planes --------------------------------------------------------------------------------------------------------- */

static float cell_line(float x, float width)
{
    float shifted = x - 0.5F;
    float part = shifted - floorf(shifted) - 0.5F;
    float near = (part < 0.0F ? -part : part) / width;
    return near < 1.0F ? 1.0F - near : 0.0F;
}

/* Cells smaller than a few pixels would flicker: they fade. */
static float grid_lines(float x, float y, float width_x, float width_y)
{
    float widest = width_x > width_y ? width_x : width_y;
    float visible = 1.33F - 3.33F * widest;
    visible = visible < 0.0F ? 0.0F : visible > 1.0F ? 1.0F : visible;
    float a = cell_line(x, width_x), b = cell_line(y, width_y);
    return (a > b ? a : b) * visible;
}

static float absolute(float x)
{
    return x < 0.0F ? -x : x;
}

/* [m] along a ray to the plane; not positive: it never meets it. */
static float way_to(const seen_plane *p, f3 ray)
{
    float down = -f3_dot(ray, p->normal);
    return down != 0.0F ? p->height / down : -1.0F;
}

static tone laid_over(const lighting *l, const seen_plane *p, f3 ray, float way, float x, float y, tone behind)
{
    f3 place = f3_axpy((f3){ 0.0F, 0.0F, 0.0F }, way, ray);
    f3 off = f3_axpy(place, -1.0F, p->fade);
    float left = 1.07F - 1.07F * f3_dot(off, off) / (p->reach * p->reach);
    if (!(left > 0.0F)) {
        return behind;
    }
    left = left > 1.0F ? 1.0F : left;
    f3 beside = ray_at(l, x + 1.0F, y), below = ray_at(l, x, y + 1.0F);
    float way_beside = way_to(p, beside), way_below = way_to(p, below);
    float u = f3_dot(place, p->ex) * p->cells, v = f3_dot(place, p->ey) * p->cells;
    float ux = f3_dot(beside, p->ex) * way_beside * p->cells - u,
          uy = f3_dot(below, p->ex) * way_below * p->cells - u;
    float vx = f3_dot(beside, p->ey) * way_beside * p->cells - v,
          vy = f3_dot(below, p->ey) * way_below * p->cells - v;
    float width_u = absolute(ux) + absolute(uy) + 1e-6F, width_v = absolute(vx) + absolute(vy) + 1e-6F;
    u += p->at_x;
    v += p->at_y;
    float fine = 0.2F * grid_lines(u, v, width_u, width_v);
    float coarse = 0.42F * grid_lines(0.1F * u, 0.1F * v, 0.1F * width_u, 0.1F * width_v);
    float line = fine > coarse ? fine : coarse;
    float fading = left * left;
    float alpha = (p->fill + (1.0F - p->fill) * line) * fading * (p->height > 0.0F ? 1.0F : 0.5F);
    tone laid = tone_mix(behind, tone_mix(l->fill, l->line, line), alpha);
    if (p->height > 0.0F && f3_dot(p->normal, l->light) > 0.0F) {
        float dark = 0.5F * (1.0F - light_at(l, place, p->normal)) * fading;
        laid = tone_mix(laid, (tone){ 0.06F * laid.r, 0.07F * laid.g, 0.09F * laid.b }, dark);
    }
    return laid;
}

/* Planes in front of what a pixel saw, the farthest first. */
static tone with_planes(const lighting *l, float x, float y, float near, tone behind)
{
    f3 ray = ray_at(l, x, y);
    float ways[MOST_PLANES];
    int order[MOST_PLANES], count = 0;
    for (int k = 0; k < l->plane_count; ++k) {
        float way = way_to(&l->planes[k], ray);
        if (way > 0.0F && way * near < 1.0F) {
            int at = count++;
            for (; at > 0 && ways[at - 1] < way; --at) {
                ways[at] = ways[at - 1];
                order[at] = order[at - 1];
            }
            ways[at] = way;
            order[at] = k;
        }
    }
    for (int k = 0; k < count; ++k) {
        behind = laid_over(l, &l->planes[order[k]], ray, ways[k], x, y, behind);
    }
    return behind;
}

/* ---- preparing ------------------------------------------------------------------------------------------------------ */

/* A round number of metres, about a twentieth of the scene: the power of ten nearest to it. */
static double cell_size(double size)
{
    const double root_of_ten = 3.16227766016837933200;
    double wanted = size / 20.0, cell = 1.0;
    for (; cell * root_of_ten < wanted && cell < 1e100; cell *= 10.0) {
    }
    for (; cell > root_of_ten * wanted && cell > 1e-100; cell /= 10.0) {
    }
    return cell;
}

static seen_plane plane_seen(const canvas *c, const drawn_plane *plane, carom_pose body)
{
    double size = box3_size(c->s->framed), cell = cell_size(size);
    quat turn = q_mul(body.orientation, plane->pose_b.orientation);
    v3 origin = v3_add(body.position, q_rotate(body.orientation, plane->pose_b.position));
    v3 ex = q_rotate(turn, v3_make(1.0, 0.0, 0.0)), ey = q_rotate(turn, v3_make(0.0, 1.0, 0.0));
    v3 normal = v3_cross(ex, ey), from = v3_sub(c->camera.eye, origin);
    double x = v3_dot(from, ex) / cell, y = v3_dot(from, ey) / cell;
    return (seen_plane){
        .normal = f3_of(normal),
        .ex = f3_of(ex),
        .ey = f3_of(ey),
        .height = (float)v3_dot(from, normal),
        .at_x = (float)(x - 10.0 * floor(x / 10.0)),
        .at_y = (float)(y - 10.0 * floor(y / 10.0)),
        .cells = (float)(1.0 / cell),
        .fade = f3_of(v3_sub(box3_middle(c->s->framed), c->camera.eye)),
        .reach = (float)(1.7 * size),
        .fill = plane->imagined ? 0.0F : 0.14F,
    };
}

static void see_planes(lighting *l, const moment *m)
{
    const canvas *c = l->c;
    for (size_t i = 0; i < c->s->plane_count && l->plane_count < MOST_PLANES && (c->view->show & SHOW_GRID); ++i) {
        const drawn_plane *plane = &c->s->planes[i];
        if (plane->imagined || (!c->view->hidden[plane->body] && m->there[plane->body])) {
            l->planes[l->plane_count++] = plane_seen(c, plane, m->poses[plane->body]);
        }
    }
}

static lighting lighting_of(const canvas *c, const moment *m)
{
    const render_camera *camera = &c->camera;
    const shadow_map *map = &c->shadow;
    lighting l = {
        .c = c,
        .up = f3_of(c->s->up),
        .light = f3_of(map->light),
        .across = f3_of(map->across),
        .upwards = f3_of(map->upwards),
        .right = f3_of(camera->right),
        .camera_up = f3_of(camera->up),
        .ahead = f3_of(v3_neg(camera->back)),
        .from_middle = f3_of(v3_sub(camera->eye, map->middle)),
        .focal = (float)camera->focal,
        .half_width = (float)(0.5 * camera->width),
        .half_height = (float)(0.5 * camera->height),
        .texels = (float)map->texels,
        .line = tone_hex(0x5a6776),
        .fill = tone_hex(0x6c7a8a),
        .top = tone_hex(0xf7f9fb),
        .bottom = tone_hex(0xdfe5ec),
    };
    l.lift = 1.6F / l.texels;
    see_planes(&l, m);
    return l;
}

/* ---- pixels --------------------------------------------------------------------------------------------------------- */

enum { SAMPLES = SAMPLES_ACROSS * SAMPLES_ACROSS };

static const float sample_x[SAMPLES] = { 0.25F, 0.75F, 0.25F, 0.75F };
static const float sample_y[SAMPLES] = { 0.25F, 0.25F, 0.75F, 0.75F };

/* What some samples of a pixel saw: `id`, at their middle. `last` is the triangle that was lit before: mostly the same. */
static tone seen_tone(const lighting *l, lit_triangle *last, uint32_t id, float near, float x, float y, tone ground)
{
    const canvas *c = l->c;
    size_t number = id - 1;
    if (id == SAMPLE_NOTHING) {
        return with_planes(l, x, y, 0.0F, ground);
    }
    if (number < c->triangle_count) {
        if (last->id != id) {
            *last = triangle_prepare(c, id);
        }
        tone lit = triangle_tone(l, last, x, y, &near);
        return with_planes(l, x, y, near, lit);
    }
    const canvas_flat *flat = &c->flats[number - c->triangle_count];
    bool among = (size_t)(flat - c->flats) < c->over;
    return among ? with_planes(l, x, y, near, c->tones[flat->colour]) : c->tones[flat->colour];
}

/* The mean of what its samples saw; each thing that several saw is lit once. */
static tone mixed_tone(const lighting *l, lit_triangle *last, int column, int row, const uint32_t ids[SAMPLES],
                       const float nears[SAMPLES], tone ground)
{
    tone sum = { 0.0F, 0.0F, 0.0F };
    bool done[SAMPLES] = { false };
    for (int k = 0; k < SAMPLES; ++k) {
        float x = 0.0F, y = 0.0F, count = 0.0F;
        for (int j = k; j < SAMPLES && !done[k]; ++j) {
            if (ids[j] == ids[k] && (j == k || !done[j])) {
                x += sample_x[j];
                y += sample_y[j];
                count += 1.0F;
                done[j] = j != k ? true : done[j];
            }
        }
        if (count > 0.0F) {
            tone seen = seen_tone(l, last, ids[k], nears[k], (float)column + x / count, (float)row + y / count,
                                  ground);
            sum = (tone){ sum.r + count * seen.r, sum.g + count * seen.g, sum.b + count * seen.b };
        }
    }
    const float share = 1.0F / SAMPLES;
    return (tone){ share * sum.r, share * sum.g, share * sum.b };
}

void canvas_resolve(const canvas *c, const moment *m, int first_row, int rows, unsigned char *rgb)
{
    const lighting l = lighting_of(c, m);
    lit_triangle last = { .id = SAMPLE_NOTHING };
    int width = (int)c->camera.width;
    for (int row = first_row; row < first_row + rows; ++row) {
        tone ground = tone_mix(l.top, l.bottom, ((float)row + 0.5F) / (float)c->camera.height);
        size_t upper = (size_t)(row - first_row) * SAMPLES_ACROSS * (size_t)c->band.width,
               lower = upper + (size_t)c->band.width;
        unsigned char *out = rgb + 3 * (size_t)row * (size_t)width;
        for (int column = 0; column < width; ++column, upper += SAMPLES_ACROSS, lower += SAMPLES_ACROSS, out += 3) {
            const size_t at[SAMPLES] = { upper, upper + 1, lower, lower + 1 };
            const uint32_t ids[SAMPLES] = { c->band.ids[at[0]], c->band.ids[at[1]], c->band.ids[at[2]],
                                            c->band.ids[at[3]] };
            const float nears[SAMPLES] = { c->band.near[at[0]], c->band.near[at[1]], c->band.near[at[2]],
                                           c->band.near[at[3]] };
            bool one = ids[0] == ids[1] && ids[0] == ids[2] && ids[0] == ids[3];
            tone t = one ? seen_tone(&l, &last, ids[0], nears[0], (float)column + 0.5F, (float)row + 0.5F, ground)
                         : mixed_tone(&l, &last, column, row, ids, nears, ground);
            out[0] = tone_byte(&c->table, t.r);
            out[1] = tone_byte(&c->table, t.g);
            out[2] = tone_byte(&c->table, t.b);
        }
    }
}
