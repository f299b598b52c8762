#include "render/camera.h"

static const double TANGENT = 0.28674538575880794; /* of half the field of view, 16 degrees, from top to bottom */
static const double MARGIN = 1.12;                 /* air around what is framed */

/* From the front, the right and above: axes as the page has them, x to the right unless x is up. */
static v3 usual_direction(v3 up)
{
    v3 right = fabs(up.x) > 0.5 ? v3_make(0.0, 1.0, 0.0) : v3_make(1.0, 0.0, 0.0);
    v3 back = v3_cross(up, right);
    return v3_unit(v3_add(v3_scale(0.55, up), v3_sub(v3_scale(0.62, right), back)));
}

static void turn_to(render_camera *c, v3 direction, v3 up)
{
    v3 across = v3_cross(up, direction);
    c->back = direction;
    c->right = v3_norm(across) > 1e-6 ? v3_unit(across) : v3_unit(v3_cross(v3_across(direction), direction));
    c->up = v3_cross(c->back, c->right);
}

/* The distance from which all corners of a box around its middle are in sight. */
static double distance_for(const render_camera *c, box3 box, double least)
{
    v3 middle = box3_middle(box);
    double distance = least;
    for (int k = 0; k < 8; ++k) {
        v3 r = v3_sub(box3_corner(box, k), middle);
        double sideways = fabs(v3_dot(r, c->right)) * c->height / (TANGENT * c->width);
        double needed = fmax(sideways, fabs(v3_dot(r, c->up)) / TANGENT) * MARGIN + v3_dot(r, c->back);
        distance = fmax(distance, needed);
    }
    return distance;
}

render_camera camera_make(const scenery *s, const render_view *view, box3 box, int width, int height)
{
    render_camera c = { .width = width, .height = height, .focal = 0.5 * height / TANGENT };
    double radius = 0.5 * box3_size(s->all);
    double distance = v3_norm(view->from);
    bool given = distance > 0.0;
    turn_to(&c, given ? v3_scale(1.0 / distance, view->from) : usual_direction(s->up), s->up);
    distance = given ? distance : distance_for(&c, box, 1e-3 * radius);
    c.target = box3_middle(box);
    c.eye = v3_axpy(c.target, distance, c.back);
    c.near = fmax(0.02 * distance, 1e-4 * radius);
    return c;
}

render_camera camera_shift(render_camera c, v3 by)
{
    c.eye = v3_add(c.eye, by);
    c.target = v3_add(c.target, by);
    return c;
}

camera_place camera_project(const render_camera *c, v3 p_w)
{
    v3 r = v3_sub(p_w, c->eye);
    double depth = -v3_dot(r, c->back);
    if (!(depth >= c->near)) {
        return (camera_place){ 0.0, 0.0, 0.0 };
    }
    double scale = c->focal / depth;
    return (camera_place){ 0.5 * c->width + v3_dot(r, c->right) * scale, 0.5 * c->height - v3_dot(r, c->up) * scale,
                           1.0 / depth };
}

double camera_pixel(const render_camera *c, v3 p_w)
{
    return fmax(-v3_dot(v3_sub(p_w, c->eye), c->back), c->near) / c->focal;
}
