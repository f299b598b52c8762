/* What lies over bodies: contact points and the forces at them, joints, axes, paths. Sizes are those of the page (viewer/src/scene). */
#include <string.h>

#include "render/canvas.h"

static const double ARROW = 90.0; /* [pixels] of the reference force */
static const double LONGEST = 3.0;
static const double SHORTEST = 3.0; /* [pixels] */

static double at_most(double a, double b)
{
    return a < b ? a : b;
}

/* ---- contacts ------------------------------------------------------------------------------------------------------- */

static tone contact_tone(const contact_scale *scale, const carom_contact_point *p, double size)
{
    double range = scale->gap_high - scale->gap_low;
    if (scale->has_gap) {
        return tone_ramp(range != 0.0 ? (p->gap - scale->gap_low) / range : 0.0);
    }
    return tone_ramp(scale->largest > 0.0 ? size / scale->largest : 0.0);
}

/* Recorded forces act on A; what a floor does to a foot is drawn, not what the foot does to the floor. */
static bool acts_on_b(const scenery *s, const carom_contact_point *p)
{
    bool free[2];
    for (int k = 0; k < 2; ++k) {
        const char *role = p->body[k] > CAROM_GROUND ? carom_result_body_info(s->result, p->body[k]).role : "fixed";
        free[k] = strcmp(role, "free") == 0;
    }
    return free[1] && !free[0];
}

/* A shaft and a head, with a light rim so that they are seen on any ground. */
void canvas_arrow(canvas *c, camera_place from, camera_place to, uint32_t colour, uint32_t rim)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy), scale = c->scale;
    if (!(length > 0.5 * scale)) {
        return;
    }
    double head = at_most(14.0 * scale, 0.6 * length), half = 0.36 * head;
    double ux = dx / length, uy = dy / length;
    camera_place neck = { to.x - ux * head, to.y - uy * head, 0.0 };
    for (int layer = 0; layer < 2; ++layer) {
        double more = layer == 0 ? 1.1 * scale : 0.0;
        double tip = 2.2 * more, base = head + more, side = half + 1.7 * more;
        const double corners[6] = { to.x + ux * tip,
                                    to.y + uy * tip,
                                    to.x - ux * base - uy * side,
                                    to.y - uy * base + ux * side,
                                    to.x - ux * base + uy * side,
                                    to.y - uy * base - ux * side };
        canvas_stroke(c, from, neck, 2.6 * scale + 2.0 * more, layer == 0 ? rim : colour);
        canvas_triangle_over(c, corners, layer == 0 ? rim : colour);
    }
}

static void add_force(canvas *c, const carom_contact_point *p, double size, uint32_t colour, uint32_t rim)
{
    double pixels = c->scale * ARROW * at_most(size / c->s->contacts.reference, LONGEST);
    if (!(pixels >= SHORTEST * c->scale) || !isfinite(size)) {
        return;
    }
    double along = (acts_on_b(c->s, p) ? -1.0 : 1.0) * pixels * camera_pixel(&c->camera, p->position) / size;
    camera_place from = camera_project(&c->camera, p->position);
    camera_place to = camera_project(&c->camera, v3_axpy(p->position, along, p->force));
    if (from.near > 0.0 && to.near > 0.0) {
        canvas_arrow(c, from, to, colour, rim);
    }
}

static bool is_drawn(const canvas *c, const carom_contact_point *p)
{
    return v3_finite(p->position) && !(c->view->hidden[p->body[0]] && c->view->hidden[p->body[1]]);
}

static void add_contacts(canvas *c, const moment *m)
{
    double radius = fmax(2.4, 4.2 - 0.006 * (double)m->contact_count) * c->scale;
    uint32_t rim = canvas_tone(c, tone_hex(0xffffff));
    for (size_t i = 0; i < m->contact_count && !c->failed; ++i) {
        const carom_contact_point *p = &m->contacts[i];
        double size = v3_norm(p->force);
        camera_place at = camera_project(&c->camera, p->position);
        if (!is_drawn(c, p) || !(at.near > 0.0)) {
            continue;
        }
        uint32_t colour = canvas_tone(c, contact_tone(&c->s->contacts, p, size));
        if (c->view->show & SHOW_FORCES) {
            add_force(c, p, size, colour, rim);
        }
        if (c->view->show & SHOW_CONTACTS) {
            canvas_dot(c, at, radius + 1.2 * c->scale, rim);
            canvas_dot(c, at, radius, colour);
        }
    }
}

/* What an arrow of the usual length means, in the lower right corner. */
static void add_scale(canvas *c)
{
    static const struct {
        double factor;
        const char *unit;
    } units[] = { { 1e9, "GN" },  { 1e6, "MN" },  { 1e3, "kN" }, { 1.0, "N" },
                  { 1e-3, "mN" }, { 1e-6, "uN" }, { 1e-9, "nN" } };
    double force = c->s->contacts.reference, scale = c->scale;
    size_t k = 0;
    while (k + 1 < sizeof units / sizeof units[0] && force < 0.999 * units[k].factor) {
        ++k;
    }
    char text[32];
    double number = force / units[k].factor;
    if (!(number < 1e6 && number >= 0.999)) {
        return;
    }
    snprintf(text, sizeof text, "%ld %s", (long)(number + 0.5), units[k].unit);
    double high = 13.0 * scale, right = c->camera.width - 22.0 * scale, y = c->camera.height - 20.0 * scale;
    uint32_t ink = canvas_tone(c, tone_hex(0x5a6776)), rim = canvas_tone(c, tone_hex(0xf2f5f8));
    double width = canvas_text_width(text, high);
    canvas_text(c, text, right - width, y, high, 4.2 * scale, rim);
    canvas_text(c, text, right - width, y, high, 1.6 * scale, ink);
    camera_place to = { right - width - 12.0 * scale, y - 0.5 * high, 0.0 };
    camera_place from = { to.x - ARROW * scale, to.y, 0.0 };
    canvas_arrow(c, from, to, ink, rim);
}

/* ---- joints, axes, paths -------------------------------------------------------------------------------------------- */

static v3 placed(const moment *m, carom_id body, v3 r_b)
{
    return v3_add(m->poses[body].position, q_rotate(m->poses[body].orientation, r_b));
}

static void stroke_between(canvas *c, v3 a_w, v3 b_w, double width, uint32_t colour)
{
    camera_place a = camera_project(&c->camera, a_w), b = camera_project(&c->camera, b_w);
    if (a.near > 0.0 && b.near > 0.0) {
        canvas_stroke(c, a, b, width * c->scale, colour);
    }
}

static void add_joints(canvas *c, const moment *m)
{
    uint32_t colour = canvas_tone(c, tone_hex(0x8b4fc4)), link = canvas_tone(c, tone_hex(0xbfa3dd));
    uint32_t rim = canvas_tone(c, tone_hex(0xffffff));
    for (size_t j = 0; j < carom_result_joint_count(c->s->result) && !c->failed; ++j) {
        carom_result_joint joint = carom_result_joint_info(c->s->result, j);
        if (!joint.has_markers || !m->there[joint.body[0]]) {
            continue;
        }
        v3 at_w = placed(m, joint.body[0], joint.marker_b[0].position);
        for (int side = 0; side < 2; ++side) {
            if (joint.body[side] > CAROM_GROUND && m->there[joint.body[side]] && !c->view->hidden[joint.body[side]]) {
                stroke_between(c, at_w, m->poses[joint.body[side]].position, 1.3, link);
            }
        }
        camera_place at = camera_project(&c->camera, at_w);
        if (at.near > 0.0) {
            canvas_dot(c, at, 4.6 * c->scale, rim);
            canvas_dot(c, at, 3.6 * c->scale, colour);
        }
    }
}

static void add_axes(canvas *c, const moment *m)
{
    static const unsigned colours[] = { 0xe0483e, 0x3fa34d, 0x3b7de0 };
    for (carom_id b = 1; b < (carom_id)c->s->body_count && !c->failed; ++b) {
        double length = m->there[b] ? 34.0 * c->scale * camera_pixel(&c->camera, m->poses[b].position) : 0.0;
        for (int k = 0; k < 3 && m->there[b] && !c->view->hidden[b]; ++k) {
            v3 axis = v3_make(k == 0 ? length : 0.0, k == 1 ? length : 0.0, k == 2 ? length : 0.0);
            stroke_between(c, m->poses[b].position, placed(m, b, axis), 2.6, canvas_tone(c, tone_hex(colours[k])));
        }
    }
}

static void add_paths(canvas *c, const moment *m)
{
    const scenery *s = c->s;
    for (carom_id b = 1; b < (carom_id)s->body_count && !c->failed; ++b) {
        uint32_t colour = canvas_tone(c, tone_of_body(s->result, b));
        for (size_t k = 0; k + 1 < s->trail_count && m->there[b] && !c->view->hidden[b]; ++k) {
            const v3 *at = &s->trails[k * s->body_count + (size_t)b];
            stroke_between(c, at[0], at[s->body_count], 1.6, colour);
        }
    }
}

/* Bodies without shapes are shown as dots, so that they can be seen. Sections of bodies that deform are drawn with them. */
static bool is_section(const scenery *s, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < s->deforming_count; ++i) {
        const char *own = carom_result_body_name(s->result, s->deforming[i].body);
        size_t length = strlen(own);
        found = found || (strncmp(name, own, length) == 0 && name[length] == '.');
    }
    return found;
}

static void add_shapeless(canvas *c, const moment *m)
{
    uint32_t rim = canvas_tone(c, tone_hex(0x101820));
    for (carom_id b = 1; b < (carom_id)c->s->body_count && !c->failed; ++b) {
        camera_place at = m->there[b] ? camera_project(&c->camera, m->poses[b].position)
                                      : (camera_place){ 0.0, 0.0, 0.0 };
        bool bare = box3_is_empty(c->s->body_box[b]) && !is_section(c->s, carom_result_body_name(c->s->result, b));
        for (size_t i = 0; i < c->s->plane_count; ++i) {
            bare = bare && c->s->planes[i].body != b;
        }
        if (bare && at.near > 0.0 && !c->view->hidden[b]) {
            canvas_dot(c, at, 6.0 * c->scale, rim);
            canvas_dot(c, at, 5.2 * c->scale, canvas_tone(c, tone_of_body(c->s->result, b)));
        }
    }
}

void canvas_add_marks(canvas *c, const moment *m)
{
    unsigned show = c->view->show;
    if ((show & SHOW_PATHS) || c->s->tiny) {
        add_paths(c, m);
    }
    if ((show & SHOW_JOINTS) || c->s->hanging) {
        add_joints(c, m);
    }
    add_shapeless(c, m);
    if (show & SHOW_AXES) {
        add_axes(c, m);
    }
    if (show & SHOW_SPRINGS) {
        canvas_add_drives(c, m);
    }
    if (show & (SHOW_CONTACTS | SHOW_FORCES)) {
        add_contacts(c, m);
    }
    if ((show & SHOW_FORCES) && c->s->contacts.largest > 0.0) {
        add_scale(c);
    }
}
