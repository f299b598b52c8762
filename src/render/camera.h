/* Where a picture is taken from. */
#ifndef CAROM_RENDER_CAMERA_H
#define CAROM_RENDER_CAMERA_H

#include "render/scenery.h"

typedef struct render_camera {
    v3 eye, target;
    v3 right, up, back; /* unit; it looks along -back */
    double near;        /* [m] nothing nearer is drawn */
    double focal;       /* [pixels] */
    double width, height;
} render_camera;

/* The camera of a view: at the box, from there; all of it where `from` is zero. */
render_camera camera_make(const scenery *s, const render_view *view, box3 box, int width, int height);

/* The same, moved along. */
render_camera camera_shift(render_camera c, v3 by);

typedef struct camera_place {
    double x, y; /* [pixels] from the left, from the top */
    double near; /* 1/m, one over the distance along the axis; 0: behind the near plane */
} camera_place;

camera_place camera_project(const render_camera *c, v3 p_w);

/* [m] that a pixel covers at a place. */
double camera_pixel(const render_camera *c, v3 p_w);

#endif
