/* Bodies as triangles of a canvas, and the map of their shadows. */
#include <stdlib.h>

#include "base/array.h"
#include "render/canvas.h"

/* A corner before it is projected, for triangles that reach behind the near plane. */
typedef struct clip_corner {
    v3 p_w;
    float normal[3];
} clip_corner;

static sample_corner corner_at(const render_camera *camera, v3 p_w)
{
    camera_place at = camera_project(camera, p_w);
    return (sample_corner){ sample_place(at.x), sample_place(at.y), (float)at.near };
}

static bool is_seen(const canvas_vertex *v)
{
    return v->at.near > 0.0F;
}

static uint32_t add_vertex(canvas *c, sample_corner at, const float normal[3])
{
    c->failed = c->failed || !CAROM_ARRAY_RESERVE(c->vertices, c->vertex_room, c->vertex_count + 1);
    if (c->failed) {
        return 0;
    }
    c->vertices[c->vertex_count] = (canvas_vertex){ at, { normal[0], normal[1], normal[2] } };
    return (uint32_t)c->vertex_count++;
}

static void add_triangle(canvas *c, uint32_t i, uint32_t j, uint32_t k, uint32_t part)
{
    c->failed = c->failed || !CAROM_ARRAY_RESERVE(c->triangles, c->triangle_room, c->triangle_count + 1);
    if (!c->failed) {
        c->triangles[c->triangle_count++] = (canvas_triangle){ { i, j, k }, part };
    }
}

/* ---- the near plane ------------------------------------------------------------------------------------------------- */

static clip_corner corner_between(clip_corner a, clip_corner b, double part)
{
    clip_corner c = { .p_w = v3_axpy(a.p_w, part, v3_sub(b.p_w, a.p_w)) };
    for (int k = 0; k < 3; ++k) {
        c.normal[k] = a.normal[k] + (float)part * (b.normal[k] - a.normal[k]);
    }
    return c;
}

static double beyond_near(const canvas *c, v3 p_w)
{
    return -v3_dot(v3_sub(p_w, c->camera.eye), c->camera.back) - c->camera.near * (1.0 + 1e-9);
}

static void add_clipped(canvas *c, const clip_corner corners[3], uint32_t part)
{
    uint32_t ring[4];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        clip_corner a = corners[k], b = corners[(k + 1) % 3];
        double from = beyond_near(c, a.p_w), to = beyond_near(c, b.p_w);
        if (from >= 0.0) {
            ring[count++] = add_vertex(c, corner_at(&c->camera, a.p_w), a.normal);
        }
        if ((from >= 0.0) != (to >= 0.0)) {
            clip_corner cut = corner_between(a, b, from / (from - to));
            cut.p_w = v3_axpy(cut.p_w, fmin(beyond_near(c, cut.p_w), 0.0), c->camera.back); /* rounding */
            ring[count++] = add_vertex(c, corner_at(&c->camera, cut.p_w), cut.normal);
        }
    }
    for (int k = 2; k < count; ++k) {
        add_triangle(c, ring[0], ring[k - 1], ring[k], part);
    }
}

/* ---- parts ---------------------------------------------------------------------------------------------------------- */

static v3 load3(const float *p)
{
    return v3_make((double)p[0], (double)p[1], (double)p[2]);
}

static const float *deformed_vertices(const canvas *c, const moment *m, int deforming)
{
    const float *vertices = m->deformed;
    for (int i = 0; i < deforming; ++i) {
        vertices += 3 * c->s->deforming[i].skin.vertex_count;
    }
    return vertices;
}

/* Sums of the normals of the triangles around, by their areas. */
static void deformed_normals(const crease_surface *surface, const v3 *places, canvas_vertex *vertices)
{
    for (size_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *i = surface->triangles + 3 * t;
        v3 n = v3_cross(v3_sub(places[i[1]], places[i[0]]), v3_sub(places[i[2]], places[i[0]]));
        for (int k = 0; k < 3; ++k) {
            float *normal = vertices[i[k]].normal;
            normal[0] += (float)n.x;
            normal[1] += (float)n.y;
            normal[2] += (float)n.z;
        }
    }
    for (size_t i = 0; i < surface->vertex_count; ++i) {
        v3 n = load3(vertices[i].normal);
        double length = v3_norm(n);
        n = length > 0.0 ? v3_scale(1.0 / length, n) : v3_zero();
        vertices[i] = (canvas_vertex){ vertices[i].at, { (float)n.x, (float)n.y, (float)n.z } };
    }
}

/* Where the vertices of a part are, into c->places; the turn that its normals take. */
static m3 find_places(canvas *c, const moment *m, const drawn_part *part)
{
    const crease_surface *surface = part->surface;
    const float *own = part->deforming >= 0 ? deformed_vertices(c, m, part->deforming) : NULL;
    carom_pose body = m->poses[part->body];
    m3 R = q_matrix(q_mul(body.orientation, part->pose_b.orientation));
    v3 origin = v3_add(body.position, q_rotate(body.orientation, part->pose_b.position));
    for (size_t i = 0; i < surface->vertex_count; ++i) {
        v3 r = load3(own ? own + 3 * (size_t)surface->source[i] : surface->positions + 3 * i);
        c->places[i] = v3_add(origin, m3_mulv(R, r));
    }
    return R;
}

static void place_vertices(canvas *c, const moment *m, const drawn_part *part)
{
    const crease_surface *surface = part->surface;
    bool rigid = part->deforming < 0;
    m3 R = find_places(c, m, part);
    for (size_t i = 0; i < surface->vertex_count; ++i) {
        v3 n = rigid ? m3_mulv(R, load3(surface->normals + 3 * i)) : v3_zero();
        const float normal[3] = { (float)n.x, (float)n.y, (float)n.z };
        add_vertex(c, corner_at(&c->camera, c->places[i]), normal);
    }
    if (!rigid && !c->failed) {
        deformed_normals(surface, c->places, c->vertices + c->vertex_count - surface->vertex_count);
    }
}

static void add_faces(canvas *c, const drawn_part *part, uint32_t first)
{
    const crease_surface *surface = part->surface;
    uint32_t number = (uint32_t)(part - c->s->parts);
    for (size_t t = 0; t < surface->triangle_count && !c->failed; ++t) {
        const uint32_t *i = surface->triangles + 3 * t;
        bool seen[3];
        for (int k = 0; k < 3; ++k) {
            seen[k] = is_seen(&c->vertices[first + i[k]]);
        }
        if (seen[0] && seen[1] && seen[2]) {
            add_triangle(c, first + i[0], first + i[1], first + i[2], number);
        } else if (seen[0] || seen[1] || seen[2]) {
            clip_corner corners[3];
            for (int k = 0; k < 3; ++k) {
                const float *n = c->vertices[first + i[k]].normal;
                corners[k] = (clip_corner){ c->places[i[k]], { n[0], n[1], n[2] } };
            }
            add_clipped(c, corners, number);
        }
    }
}

/* Edges are as dark as the page has them: half of the face, half of the ink. */
static void add_edges(canvas *c, const drawn_part *part)
{
    const double width = 1.1, forward = 2e-3;
    const float ink = 0.6F;
    uint32_t colour = canvas_tone(c, tone_mix(part->colour, tone_hex(0x101820), ink));
    for (size_t e = 0; e < part->surface->edge_count && !c->failed; ++e) {
        const uint32_t *ends = part->surface->edges + 2 * e;
        canvas_line(c, c->places[ends[0]], c->places[ends[1]], width, forward, colour);
    }
}

void canvas_add_bodies(canvas *c, const moment *m)
{
    for (size_t i = 0; i < c->s->part_count && !c->failed; ++i) {
        const drawn_part *part = &c->s->parts[i];
        uint32_t first = (uint32_t)c->vertex_count;
        c->failed = !CAROM_ARRAY_RESERVE(c->places, c->place_room, part->surface->vertex_count + 1);
        if (c->failed || c->view->hidden[part->body] || !m->there[part->body]) {
            continue;
        }
        place_vertices(c, m, part);
        if (!c->failed) {
            add_faces(c, part, first);
            add_edges(c, part);
        }
    }
}

/* ---- shadows -------------------------------------------------------------------------------------------------------- */

/* From above and the left of the camera, so that shadows fall beside what casts them. The map holds what the picture shows, as
 * fine as it can. */
static void aim_light(canvas *c)
{
    shadow_map *map = &c->shadow;
    const render_camera *camera = &c->camera;
    v3 back = v3_axpy(camera->back, -v3_dot(camera->back, c->s->up), c->s->up);
    map->light = v3_unit(v3_add(v3_add(v3_scale(1.1, c->s->up), v3_scale(0.5, back)),
                                v3_scale(-0.55, camera->right)));
    map->across = v3_unit(v3_cross(c->s->up, map->light));
    map->upwards = v3_cross(map->light, map->across);
    double distance = v3_norm(v3_sub(camera->target, camera->eye));
    double seen = 1.6 * distance * 0.5 * fmax(camera->width, camera->height) / camera->focal;
    double all = 0.55 * box3_size(c->s->all);
    bool whole = all <= seen;
    map->middle = whole ? box3_middle(c->s->all) : camera->target;
    map->texels = 0.5 * SHADOW_SIZE / fmax(whole ? all : seen, 1e-300);
}

static sample_corner shadow_corner(const shadow_map *map, v3 p_w)
{
    v3 r = v3_sub(p_w, map->middle);
    double x = 0.5 * SHADOW_SIZE + v3_dot(r, map->across) * map->texels;
    double y = 0.5 * SHADOW_SIZE - v3_dot(r, map->upwards) * map->texels;
    return (sample_corner){ sample_place(x / SAMPLES_ACROSS), sample_place(y / SAMPLES_ACROSS),
                            (float)(v3_dot(r, map->light) * map->texels) };
}

static void cast_part(canvas *c, const moment *m, const drawn_part *part, sample_band *band)
{
    const crease_surface *surface = part->surface;
    find_places(c, m, part);
    for (size_t t = 0; t < surface->triangle_count; ++t) {
        const uint32_t *i = surface->triangles + 3 * t;
        samples_fill(band, shadow_corner(&c->shadow, c->places[i[0]]), shadow_corner(&c->shadow, c->places[i[1]]),
                     shadow_corner(&c->shadow, c->places[i[2]]), 0, false);
    }
}

void canvas_cast_shadows(canvas *c, const moment *m)
{
    shadow_map *map = &c->shadow;
    map->depth = map->depth ? map->depth : malloc((size_t)SHADOW_SIZE * SHADOW_SIZE * sizeof *map->depth);
    c->failed = c->failed || !map->depth;
    if (c->failed) {
        return;
    }
    sample_band band = { SHADOW_SIZE, 0, SHADOW_SIZE, map->depth, NULL };
    aim_light(c);
    samples_clear(&band, -1e30F);
    for (size_t i = 0; i < c->s->part_count; ++i) {
        const drawn_part *part = &c->s->parts[i];
        if (!c->view->hidden[part->body] && m->there[part->body]) {
            cast_part(c, m, part, &band);
        }
    }
}
