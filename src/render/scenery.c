/* Reading what is drawn, and how large it is. The rules are those of the page: viewer/src/scene/motion.ts, contacts.ts, defaults.ts. */
#include "render/scenery.h"

#include <stdlib.h>
#include <string.h>

static const double SHARP = 0.86602540378443864676; /* cosine of 30 degrees: edges beyond are drawn */

/* ---- boxes ---------------------------------------------------------------------------------------------------------- */

box3 box3_empty(void)
{
    return (box3){ { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
}

bool box3_is_empty(box3 b)
{
    return !(b.low.x <= b.high.x);
}

box3 box3_with(box3 b, v3 p)
{
    if (v3_finite(p)) {
        b.low = v3_make(fmin(b.low.x, p.x), fmin(b.low.y, p.y), fmin(b.low.z, p.z));
        b.high = v3_make(fmax(b.high.x, p.x), fmax(b.high.y, p.y), fmax(b.high.z, p.z));
    }
    return b;
}

box3 box3_union(box3 a, box3 b)
{
    return box3_is_empty(b) ? a : box3_with(box3_with(a, b.low), b.high);
}

v3 box3_middle(box3 b)
{
    return v3_scale(0.5, v3_add(b.low, b.high));
}

double box3_size(box3 b)
{
    return box3_is_empty(b) ? 0.0 : v3_norm(v3_sub(b.high, b.low));
}

v3 box3_corner(box3 b, int k)
{
    return v3_make(k & 1 ? b.high.x : b.low.x, k & 2 ? b.high.y : b.low.y, k & 4 ? b.high.z : b.low.z);
}

static box3 box3_larger(box3 b, double by)
{
    v3 air = v3_make(by, by, by);
    return (box3){ v3_sub(b.low, air), v3_add(b.high, air) };
}

static box3 box3_common(box3 a, box3 b)
{
    box3 c = { v3_make(fmax(a.low.x, b.low.x), fmax(a.low.y, b.low.y), fmax(a.low.z, b.low.z)),
               v3_make(fmin(a.high.x, b.high.x), fmin(a.high.y, b.high.y), fmin(a.high.z, b.high.z)) };
    return c.low.x <= c.high.x && c.low.y <= c.high.y && c.low.z <= c.high.z ? c : box3_empty();
}

static bool box3_holds(box3 b, v3 p)
{
    return p.x >= b.low.x && p.x <= b.high.x && p.y >= b.low.y && p.y <= b.high.y && p.z >= b.low.z &&
           p.z <= b.high.z;
}

/* ---- parts ---------------------------------------------------------------------------------------------------------- */

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for what a picture shows");
}

static void add_part(scenery *s, drawn_part part)
{
    part.first_vertex = s->vertex_count;
    part.first_triangle = s->triangle_count;
    part.colour = tone_of_body(s->result, part.body);
    s->vertex_count += part.surface->vertex_count;
    s->triangle_count += part.surface->triangle_count;
    s->edge_count += part.surface->edge_count;
    s->parts[s->part_count++] = part;
}

static void widen_body(scenery *s, const drawn_part *part)
{
    box3 *box = &s->body_box[part->body];
    for (size_t i = 0; i < part->surface->vertex_count; ++i) {
        const float *p = part->surface->positions + 3 * i;
        v3 r = v3_make((double)p[0], (double)p[1], (double)p[2]);
        *box = box3_with(*box, v3_add(part->pose_b.position, q_rotate(part->pose_b.orientation, r)));
    }
}

static carom_status make_surfaces(scenery *s, crease_surface *surfaces, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < carom_result_surface_count(s->result) && status == CAROM_OK; ++i) {
        carom_surface surface;
        status = carom_result_surface(s->result, i, &surface, err);
        if (status == CAROM_OK && !crease_split(&surface, SHARP, &s->arena, &surfaces[i])) {
            status = no_memory(err);
        }
    }
    return status;
}

static bool deforms(const scenery *s, carom_id body)
{
    return carom_result_node_count(s->result, body) > 0;
}

static void add_shapes(scenery *s, const crease_surface *surfaces)
{
    for (size_t i = 0; i < carom_result_shape_count(s->result); ++i) {
        carom_result_shape shape = carom_result_shape_info(s->result, i);
        if (shape.surface < 0) {
            s->planes[s->plane_count++] = (drawn_plane){ .body = shape.body, .pose_b = shape.pose_b };
        } else if (!deforms(s, shape.body)) {
            add_part(s, (drawn_part){ shape.body, shape.pose_b, &surfaces[shape.surface], .deforming = -1 });
            widen_body(s, &s->parts[s->part_count - 1]);
        }
    }
}

/* The surface of the finite elements, undeformed. */
static bool skin_surface(scenery *s, const deforming_body *d, crease_surface *out)
{
    const flexible_skin *skin = &d->skin;
    double *vertices = CAROM_ARENA_ARRAY(&s->arena, double, 3 * skin->vertex_count + 1);
    for (size_t i = 0; vertices && i < skin->vertex_count; ++i) {
        v3 r_b = v3_load(d->mesh.nodes + 3 * (size_t)skin->nodes[skin->vertex_node[i]]);
        v3_store(vertices + 3 * i, skin->has_offsets ? v3_add(r_b, skin->offset[i]) : r_b);
    }
    carom_surface surface = { skin->vertex_count, skin->triangle_count, vertices, skin->triangles };
    return vertices && crease_split(&surface, SHARP, &s->arena, out);
}

static carom_status add_deforming(scenery *s, carom_id body, carom_error *err)
{
    deforming_body *d = &s->deforming[s->deforming_count++];
    crease_surface *surface = CAROM_ARENA_ARRAY(&s->arena, crease_surface, 1);
    d->body = body;
    carom_status status = result_flexible_mesh(s->result, body, &d->mesh, err);
    if (status != CAROM_OK) {
        return status;
    }
    size_t numbers = 3 * d->mesh.body->nodes.count + 1;
    double **rooms[] = { &d->now, &d->next, &d->turn_now, &d->turn_next };
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; ++i) {
        *rooms[i] = CAROM_ARENA_ARRAY(&s->arena, double, numbers);
    }
    if (!surface || s->arena.failed || !flexible_skin_make(&d->skin, &d->mesh, 0) || !skin_surface(s, d, surface)) {
        return no_memory(err);
    }
    carom_pose own = { v3_zero(), q_identity() };
    add_part(s, (drawn_part){ body, own, surface, .deforming = (int)s->deforming_count - 1 });
    widen_body(s, &s->parts[s->part_count - 1]);
    return CAROM_OK;
}

static carom_status add_parts(scenery *s, carom_error *err)
{
    size_t shapes = carom_result_shape_count(s->result);
    crease_surface *surfaces = CAROM_ARENA_ARRAY(&s->arena, crease_surface,
                                                 carom_result_surface_count(s->result) + 1);
    s->body_count = carom_result_body_count(s->result);
    s->parts = CAROM_ARENA_ARRAY(&s->arena, drawn_part, shapes + s->body_count + 1);
    s->planes = CAROM_ARENA_ARRAY(&s->arena, drawn_plane, shapes + 1);
    s->deforming = CAROM_ARENA_ARRAY(&s->arena, deforming_body, s->body_count + 1);
    s->body_box = CAROM_ARENA_ARRAY(&s->arena, box3, s->body_count + 1);
    if (s->arena.failed) {
        return no_memory(err);
    }
    for (size_t b = 0; b < s->body_count; ++b) {
        s->body_box[b] = box3_empty();
    }
    carom_status status = make_surfaces(s, surfaces, err);
    if (status == CAROM_OK) {
        add_shapes(s, surfaces);
    }
    for (carom_id b = 1; b < (carom_id)s->body_count && status == CAROM_OK; ++b) {
        status = deforms(s, b) ? add_deforming(s, b, err) : CAROM_OK;
    }
    return status;
}

/* ---- extent --------------------------------------------------------------------------------------------------------- */

typedef struct travel {
    bool fixed;
    box3 start, path;
} travel;

enum { FRAMES_SEEN = 200 };

static carom_status follow_bodies(scenery *s, travel *travels, carom_error *err)
{
    moment m = { 0 };
    carom_status status = CAROM_OK;
    size_t frames = carom_result_frame_count(s->result), step = frames > FRAMES_SEEN ? frames / FRAMES_SEEN : 1;
    s->trails = CAROM_ARENA_ARRAY(&s->arena, v3, (frames / step + 1) * s->body_count);
    if (!s->trails) {
        return no_memory(err);
    }
    for (size_t k = 0; k < frames && status == CAROM_OK; k += step) {
        status = moment_read(&m, s, carom_result_time(s->result)[k], err);
        for (carom_id b = 0; b < (carom_id)s->body_count && status == CAROM_OK; ++b) {
            box3 box = moment_box(&m, s, b);
            box = box3_is_empty(box) && b > CAROM_GROUND && m.there[b] ? box3_with(box, m.poses[b].position) : box;
            travels[b].start = k == 0 ? box : travels[b].start;
            travels[b].path = box3_union(travels[b].path, box);
            s->trails[s->trail_count * s->body_count + (size_t)b] = m.poses[b].position;
        }
        s->trail_count += status == CAROM_OK;
    }
    moment_free(&m);
    return status;
}

static bool leaves(const travel *t, double reach)
{
    return !t->fixed && box3_size(t->path) - box3_size(t->start) > reach;
}

/* A few bodies that leave the scene for good must not make all others dots: they are framed for a part of their way. Where most
 * of them travel far, the travel is what there is to see. */
static box3 framed_of(const scenery *s, const travel *travels)
{
    box3 start = box3_empty(), core = box3_empty();
    size_t moving = 0, leaving = 0;
    for (size_t b = 0; b < s->body_count; ++b) {
        start = box3_union(start, travels[b].start);
    }
    double reach = 2.0 * box3_size(start);
    for (size_t b = 0; b < s->body_count; ++b) {
        bool left = leaves(&travels[b], reach);
        moving += !travels[b].fixed;
        leaving += left;
        core = left ? core : box3_union(core, travels[b].path);
    }
    if (leaving == 0 || 3 * leaving > moving) {
        return s->all;
    }
    box3 near = box3_larger(core, 0.3 * box3_size(core));
    for (size_t b = 0; b < s->body_count; ++b) {
        core = leaves(&travels[b], reach) ? box3_union(core, box3_common(travels[b].path, near)) : core;
    }
    return core;
}

/* Joints and springs on the ground belong to the picture (what a pendulum hangs from), unless they are far away. */
static box3 with_pivots(const scenery *s, box3 box)
{
    box3 near = box3_larger(box, box3_size(box)), all = box;
    for (size_t i = 0; i < carom_result_force_count(s->result) && !box3_is_empty(box); ++i) {
        carom_result_force force = carom_result_force_info(s->result, i);
        for (int side = 0; side < 2; ++side) {
            v3 p = force.marker_b[side].position;
            all = force.body[side] == CAROM_GROUND && box3_holds(near, p) ? box3_with(all, p) : all;
        }
    }
    for (size_t j = 0; j < carom_result_joint_count(s->result) && !box3_is_empty(box); ++j) {
        carom_result_joint joint = carom_result_joint_info(s->result, j);
        for (int side = 0; side < 2 && joint.has_markers; ++side) {
            v3 p = joint.marker_b[side].position;
            all = joint.body[side] == CAROM_GROUND && box3_holds(near, p) ? box3_with(all, p) : all;
        }
    }
    return all;
}

static box3 never_flat(box3 box)
{
    box = box3_is_empty(box) ? (box3){ { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } } : box;
    return box3_size(box) > 0.0 ? box : box3_larger(box, 0.5);
}

/* Few bodies, and none of them larger than a part of the scene. */
static bool are_tiny(const scenery *s, const travel *travels)
{
    const double tiny = 1.0 / 25.0;
    const size_t most = 12;
    size_t moving = 0;
    bool all = true;
    for (size_t b = 1; b < s->body_count; ++b) {
        moving += !travels[b].fixed;
        all = all && (travels[b].fixed || box3_size(s->body_box[b]) < tiny * box3_size(s->framed));
    }
    return all && moving > 0 && moving <= most;
}

static carom_status find_extent(scenery *s, carom_error *err)
{
    travel *travels = CAROM_ARENA_ARRAY(&s->arena, travel, s->body_count + 1);
    if (!travels) {
        return no_memory(err);
    }
    for (size_t b = 0; b < s->body_count; ++b) {
        const char *role = carom_result_body_info(s->result, (carom_id)b).role;
        travels[b] = (travel){ b == CAROM_GROUND || (role && strcmp(role, "fixed") == 0), box3_empty(),
                               box3_empty() };
    }
    carom_status status = follow_bodies(s, travels, err);
    s->all = box3_empty();
    for (size_t b = 0; b < s->body_count; ++b) {
        s->all = box3_union(s->all, travels[b].path);
    }
    s->framed = never_flat(with_pivots(s, framed_of(s, travels)));
    s->all = box3_union(never_flat(with_pivots(s, s->all)), s->framed);
    s->tiny = are_tiny(s, travels);
    return status;
}

/* ---- up ------------------------------------------------------------------------------------------------------------- */

/* Against gravity where the text of the scene tells it, else z. The text may hold comments and expressions, so it is searched,
 * not parsed. A slope is often written as tilted gravity: the picture stays upright along the nearest axis. */
static void find_up(scenery *s)
{
    const char *text = carom_result_scene(s->result);
    const char *at = text ? strstr(text, "\"gravity\"") : NULL;
    const char *list = at ? strchr(at, '[') : NULL;
    double g[3] = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < 3 && list; ++k) {
        char *end;
        list += 1 + strspn(list + 1, " \t\n\"$");
        g[k] = strtod(list, &end);
        list = strpbrk(end, ",]");
        list = list && *list == ',' ? list : NULL;
    }
    int axis = 2;
    for (int k = 0; k < 3; ++k) {
        axis = isfinite(g[k]) && fabs(g[k]) > fabs(g[axis]) ? k : axis;
    }
    double sign = g[axis] > 0.0 ? -1.0 : 1.0;
    s->has_up = isfinite(g[axis]) && g[axis] != 0.0;
    s->up = v3_make(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
}

/* ---- contacts ------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 1, 2 or 5 times a power of ten, not below. */
static double round_force(double force)
{
    if (!(force > 0.0) || !isfinite(force)) {
        return 1.0;
    }
    double power = 1.0;
    for (; power * 10.0 <= force && power < 1e300; power *= 10.0) {
    }
    for (; power > force && power > 1e-300; power /= 10.0) {
    }
    return power >= 0.999 * force         ? power
           : 2.0 * power >= 0.999 * force ? 2.0 * power
           : 5.0 * power >= 0.999 * force ? 5.0 * power
                                          : 10.0 * power;
}

typedef struct contact_seen {
    double largest, deepest, widest;
    size_t peak_count;
    double *peaks; /* [N] of each frame that has any */
} contact_seen;

static void see_frame(contact_seen *seen, const carom_contact_point *points, size_t count)
{
    double peak = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double size = v3_norm(points[i].force), gap = points[i].gap;
        peak = isfinite(size) ? fmax(peak, size) : peak;
        seen->deepest = gap > -HUGE_VAL ? fmin(seen->deepest, gap) : seen->deepest;
        seen->widest = gap < HUGE_VAL ? fmax(seen->widest, gap) : seen->widest;
    }
    seen->largest = fmax(seen->largest, peak);
    if (peak > 0.0) {
        seen->peaks[seen->peak_count++] = peak;
    }
}

/* Beside the peak of an impact all other forces would vanish: the measure is what nine of ten frames stay below, unless the peak
 * is not far above. */
static contact_scale scale_of(contact_seen *seen)
{
    const double rounding = 1e-9; /* [m] rigid contact has no gap to show */
    const double longest = 3.0;   /* arrows of the usual length */
    qsort(seen->peaks, seen->peak_count, sizeof *seen->peaks, compare_numbers);
    double usual = seen->peak_count > 0 ? seen->peaks[(seen->peak_count - 1) * 9 / 10] : 0.0;
    bool far = usual > 0.0 && seen->largest > 10.0 * usual;
    bool pressed = seen->deepest < -rounding || (seen->deepest < 0.0 && !(seen->widest > rounding));
    contact_scale c = { .largest = seen->largest,
                        .reference = round_force(far ? usual : fmax(usual, seen->largest / longest)) };
    c.gap_low = pressed ? 0.0 : fmax(seen->widest, 0.0);
    c.gap_high = pressed ? seen->deepest : fmin(seen->deepest, seen->widest);
    c.has_gap = fmax(fabs(seen->deepest), fabs(seen->widest)) >= rounding && isfinite(c.gap_high);
    return c;
}

static carom_status see_contacts(scenery *s, carom_error *err)
{
    size_t frames = carom_result_frame_count(s->result);
    contact_seen seen = { .deepest = HUGE_VAL,
                          .widest = -HUGE_VAL,
                          .peaks = CAROM_ARENA_ARRAY(&s->arena, double, frames + 1) };
    carom_status status = seen.peaks ? CAROM_OK : no_memory(err);
    for (size_t k = 0; k < frames && status == CAROM_OK; ++k) {
        const carom_contact_point *points = NULL;
        status = carom_result_contacts(s->result, k, &points, err);
        if (status == CAROM_OK) {
            see_frame(&seen, points, carom_result_contact_count(s->result, k));
        }
    }
    s->contacts = status == CAROM_OK ? scale_of(&seen) : s->contacts;
    return status;
}

/* ---- forces ---------------------------------------------------------------------------------------------------------- */

/* Arrows of loads and motors have the same measure in all frames: the largest of them. */
static carom_status see_efforts(scenery *s, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < carom_result_force_count(s->result); ++i) {
        carom_result_force f = carom_result_force_info(s->result, i);
        bool arrow = f.joint >= 0 || f.body[1] == CAROM_NONE;
        for (size_t k = 0; arrow && k < carom_result_frame_count(s->result) && status == CAROM_OK; ++k) {
            drawn_effort e;
            status = carom_result_effort(s->result, i, k, &e.force, &e.torque, err);
            double force = v3_norm(e.force), torque = v3_norm(e.torque);
            s->largest_load = isfinite(force) ? fmax(s->largest_load, force) : s->largest_load;
            s->largest_torque = isfinite(torque) ? fmax(s->largest_torque, torque) : s->largest_torque;
        }
    }
    return status;
}

/* ---- joints --------------------------------------------------------------------------------------------------------- */

static double distance_to(box3 b, v3 p)
{
    v3 inside = v3_make(fmin(fmax(p.x, b.low.x), b.high.x), fmin(fmax(p.y, b.low.y), b.high.y),
                        fmin(fmax(p.z, b.low.z), b.high.z));
    return v3_norm(v3_sub(p, inside));
}

static bool has_hanging_joint(const scenery *s)
{
    bool found = false;
    for (size_t j = 0; j < carom_result_joint_count(s->result) && !found; ++j) {
        carom_result_joint joint = carom_result_joint_info(s->result, j);
        for (int side = 0; side < 2 && joint.has_markers; ++side) {
            box3 box = joint.body[side] > CAROM_GROUND ? s->body_box[joint.body[side]] : box3_empty();
            found = found ||
                    (!box3_is_empty(box) && distance_to(box, joint.marker_b[side].position) > box3_size(box));
        }
    }
    return found;
}

/* ---- all ------------------------------------------------------------------------------------------------------------ */

/* Where a scene has no plane, and something is down, a grid lies below everything. */
static void imagine_floor(scenery *s)
{
    if (s->plane_count > 0 || !s->has_up) {
        return;
    }
    v3 half = v3_scale(0.5, v3_sub(s->framed.high, s->framed.low));
    double below = fabs(v3_dot(half, s->up)) + 0.02 * box3_size(s->framed);
    carom_pose pose = { v3_axpy(box3_middle(s->framed), -below, s->up), q_frame_with_z(s->up) };
    s->planes[s->plane_count++] = (drawn_plane){ CAROM_GROUND, pose, .imagined = true };
}

carom_status scenery_make(scenery *s, const carom_result *result, carom_error *err)
{
    *s = (scenery){ .result = result };
    if (carom_result_frame_count(result) == 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "the result holds no frames, so that there is nothing to draw");
    }
    find_up(s);
    carom_status status = add_parts(s, err);
    status = status == CAROM_OK ? find_extent(s, err) : status;
    status = status == CAROM_OK ? see_contacts(s, err) : status;
    status = status == CAROM_OK ? see_efforts(s, err) : status;
    if (status == CAROM_OK) {
        imagine_floor(s);
        s->hanging = has_hanging_joint(s);
    }
    return status;
}

void scenery_free(scenery *s)
{
    for (size_t i = 0; i < s->deforming_count; ++i) {
        flexible_skin_free(&s->deforming[i].skin);
    }
    carom_arena_free(&s->arena);
}
