/* Force elements: springs as coils, dampers as cylinders with a rod, bushings as short coils between their markers, loads as arrows, motors as
 * arcs about their axis. A line among bodies is hidden by them; arrows lie over everything, like those of contacts. */
#include "render/canvas.h"

static const double ARROW = 80.0; /* [pixels] of the largest load */

/* A marker in the world. */
static bool place_of(const moment *m, const carom_result_force *f, int side, v3 *at_w)
{
    carom_id body = f->body[side];
    if (body == CAROM_NONE || !m->there[body]) {
        return false;
    }
    *at_w = v3_add(m->poses[body].position, q_rotate(m->poses[body].orientation, f->marker_b[side].position));
    return v3_finite(*at_w);
}

static v3 axis_of(const moment *m, const carom_result_force *f)
{
    quat turn = q_mul(m->poses[f->body[0]].orientation, f->marker_b[0].orientation);
    return q_rotate(turn, v3_make(0.0, 0.0, 1.0));
}

/* ---- springs -------------------------------------------------------------------------------------------------------- */

/* Lines between two places, and directions across: what coils and cylinders are drawn in. */
typedef struct spring_frame {
    v3 from, along; /* along: unit */
    v3 across, other;
    double length, radius;
    double width; /* [pixels] */
} spring_frame;

static bool make_frame(const canvas *c, v3 a_w, v3 b_w, spring_frame *f)
{
    v3 way = v3_sub(b_w, a_w);
    f->length = v3_norm(way);
    f->from = a_w;
    if (!(f->length > 1e-9 * box3_size(c->s->all))) {
        return false;
    }
    f->along = v3_scale(1.0 / f->length, way);
    f->across = v3_across(f->along);
    f->other = v3_cross(f->along, f->across);
    double pixel = camera_pixel(&c->camera, v3_axpy(a_w, 0.5, way)) * c->scale;
    f->radius = fmin(fmin(0.14 * f->length, 0.03 * box3_size(c->s->framed)), 16.0 * pixel);
    f->radius = fmax(f->radius, 3.0 * pixel);
    f->width = 3.0;
    return true;
}

static v3 frame_place(const spring_frame *f, double share, double x, double y)
{
    v3 p = v3_axpy(f->from, share * f->length, f->along);
    return v3_axpy(v3_axpy(p, x * f->radius, f->across), y * f->radius, f->other);
}

/* The side of a coil that is turned to the light is brighter. */
static uint32_t wire_tone(canvas *c, const spring_frame *f, double x, double y)
{
    v3 out = v3_axpy(v3_scale(x, f->across), y, f->other);
    double towards = 0.5 + 0.5 * v3_dot(out, v3_unit(v3_add(c->camera.back, c->s->up)));
    return canvas_tone(c, tone_mix(tone_hex(0x39434f), tone_hex(0x8d9aa8), (float)towards));
}

static void add_coil(canvas *c, const spring_frame *f, int turns)
{
    enum { SIDES = 24 };
    const double cosine = 0.96592582628906828675, sine = 0.25881904510252076235; /* of 15 degrees */
    const double straight = 0.1;                                                 /* share of each end */
    int steps = turns * SIDES;
    double x = 1.0, y = 0.0;
    v3 before = frame_place(f, straight, x, y);
    canvas_line(c, f->from, frame_place(f, straight, 0.0, 0.0), f->width, 0.0, wire_tone(c, f, 0.0, 0.0));
    canvas_line(c, frame_place(f, straight, 0.0, 0.0), before, f->width, 0.0, wire_tone(c, f, x, y));
    for (int k = 1; k <= steps && !c->failed; ++k) {
        double next_x = cosine * x - sine * y, next_y = sine * x + cosine * y;
        x = next_x;
        y = next_y;
        v3 now = frame_place(f, straight + (1.0 - 2.0 * straight) * k / steps, x, y);
        canvas_line(c, before, now, f->width, 0.0, wire_tone(c, f, x, y));
        before = now;
    }
    canvas_line(c, before, frame_place(f, 1.0 - straight, 0.0, 0.0), f->width, 0.0, wire_tone(c, f, x, y));
    canvas_line(c, frame_place(f, 1.0 - straight, 0.0, 0.0), frame_place(f, 1.0, 0.0, 0.0), f->width, 0.0,
                wire_tone(c, f, 0.0, 0.0));
}

/* A cylinder, as rings and lines, and a rod that goes into it. */
static void add_damper(canvas *c, const spring_frame *f)
{
    enum { SIDES = 24 };
    const double cosine = 0.96592582628906828675, sine = 0.25881904510252076235;
    const double begin = 0.3, end = 0.68, piston = 0.52, wide = 0.8;
    uint32_t ink = canvas_tone(c, tone_hex(0x39434f));
    canvas_line(c, f->from, frame_place(f, begin, 0.0, 0.0), f->width, 0.0, ink);
    canvas_line(c, frame_place(f, piston, 0.0, 0.0), frame_place(f, 1.0, 0.0, 0.0), f->width, 0.0, ink);
    double x = wide, y = 0.0;
    for (int k = 0; k < SIDES && !c->failed; ++k) {
        double next_x = cosine * x - sine * y, next_y = sine * x + cosine * y;
        uint32_t wall = wire_tone(c, f, x, y);
        const double places[] = { begin, piston, end };
        for (int i = 0; i < 3; ++i) {
            canvas_line(c, frame_place(f, places[i], x, y), frame_place(f, places[i], next_x, next_y), f->width, 0.0,
                        wall);
        }
        canvas_line(c, frame_place(f, begin, x, y), frame_place(f, end, x, y), 1.2 * f->width, 0.0, wall);
        x = next_x;
        y = next_y;
    }
}

void canvas_add_springs(canvas *c, const moment *m)
{
    for (size_t i = 0; i < carom_result_force_count(c->s->result) && !c->failed; ++i) {
        carom_result_force f = carom_result_force_info(c->s->result, i);
        spring_frame frame;
        v3 a_w, b_w;
        bool pair = f.joint < 0 && place_of(m, &f, 0, &a_w) && place_of(m, &f, 1, &b_w);
        if (!pair || !make_frame(c, a_w, b_w, &frame)) {
            continue;
        }
        if (f.kind[0] == 'd') {
            add_damper(c, &frame);
        } else {
            add_coil(c, &frame, f.kind[0] == 'b' ? 3 : 8);
        }
    }
}

/* ---- loads and motors ----------------------------------------------------------------------------------------------- */

/* From where it begins to where it acts: loads push, as one draws them. */
static void add_load(canvas *c, v3 at_w, v3 effort, double largest, uint32_t colour, uint32_t rim)
{
    double size = v3_norm(effort), pixels = c->scale * ARROW * size / largest;
    if (!(pixels >= 3.0 * c->scale) || !isfinite(pixels)) {
        return;
    }
    v3 from_w = v3_axpy(at_w, -pixels * camera_pixel(&c->camera, at_w) / size, effort);
    camera_place from = camera_project(&c->camera, from_w), to = camera_project(&c->camera, at_w);
    if (from.near > 0.0 && to.near > 0.0) {
        canvas_arrow(c, from, to, colour, rim);
    }
}

/* Three quarters of a turn about the axis, less for smaller torques; the arrow says which way B is driven. */
static void add_arc(canvas *c, v3 at_w, v3 axis, double torque, uint32_t colour, uint32_t rim)
{
    enum { SIDES = 24, MOST = 18 };
    const double cosine = 0.96592582628906828675, sine = 0.25881904510252076235;
    double share = c->s->largest_torque > 0.0 ? fabs(torque) / c->s->largest_torque : 0.0;
    int steps = (int)(share * MOST + 0.5);
    double radius = 24.0 * c->scale * camera_pixel(&c->camera, at_w), sign = torque < 0.0 ? -1.0 : 1.0;
    v3 across = v3_scale(radius, v3_across(axis)), other = v3_cross(axis, across);
    double x = 1.0, y = 0.0;
    v3 before = v3_add(at_w, across);
    for (int k = 0; k < steps; ++k) {
        double next_x = cosine * x - sign * sine * y, next_y = sign * sine * x + cosine * y;
        x = next_x;
        y = next_y;
        v3 now = v3_axpy(v3_axpy(at_w, x, across), y, other);
        camera_place a = camera_project(&c->camera, before), b = camera_project(&c->camera, now);
        if (k == steps - 1) { /* the head is longer than a step: it goes on along the tangent */
            v3 ahead = v3_axpy(v3_axpy(now, -0.35 * sign * y, across), 0.35 * sign * x, other);
            canvas_arrow(c, a, camera_project(&c->camera, ahead), colour, rim);
        } else if (a.near > 0.0 && b.near > 0.0) {
            canvas_stroke(c, a, b, 2.6 * c->scale, colour);
        }
        before = now;
    }
}

void canvas_add_drives(canvas *c, const moment *m)
{
    uint32_t colour = canvas_tone(c, tone_hex(0xc2357f)), rim = canvas_tone(c, tone_hex(0xffffff));
    for (size_t i = 0; i < carom_result_force_count(c->s->result) && !c->failed; ++i) {
        carom_result_force f = carom_result_force_info(c->s->result, i);
        const drawn_effort *e = &m->efforts[i];
        v3 at_w;
        if ((f.joint < 0 && f.body[1] != CAROM_NONE) || !place_of(m, &f, 0, &at_w) || !v3_finite(e->force) ||
            !v3_finite(e->torque)) {
            continue;
        }
        if (f.joint >= 0 && f.turns) {
            v3 axis = axis_of(m, &f);
            add_arc(c, at_w, axis, v3_dot(e->torque, axis), colour, rim);
        } else if (c->s->largest_load > 0.0) {
            add_load(c, at_w, e->force, c->s->largest_load, colour, rim);
        }
    }
}
