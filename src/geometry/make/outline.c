/* Outlines with holes, drawn point by point, and the plates over them. */
#include <stdlib.h>

#include "base/array.h"
#include "geometry/make/make.h"

void make_outline_point(make_outline *o, double x, double y)
{
    o->failed = o->failed || !CAROM_ARRAY_RESERVE(o->points, o->capacity, (size_t)o->count + 1);
    if (!o->failed) {
        o->points[o->count][0] = x;
        o->points[o->count][1] = y;
        ++o->count;
    }
}

void make_outline_arc(make_outline *o, double x, double y, double radius, double from, double to, int steps)
{
    for (int i = 0; i <= steps; ++i) {
        double angle = from + (to - from) * i / steps;
        make_outline_point(o, x + radius * cos(angle), y + radius * sin(angle));
    }
}

void make_outline_close(make_outline *o)
{
    o->failed = o->failed || o->loops == MAKE_MOST_LOOPS;
    if (!o->failed) {
        o->ends[o->loops++] = o->count;
    }
}

void make_outline_hole(make_outline *o, double x, double y, double radius, int sectors)
{
    if (radius > 0.0) {
        double step = 2.0 * PI / sectors;
        make_outline_arc(o, x, y, radius / cos(0.5 * step), 2.0 * PI, step, sectors - 1);
        make_outline_close(o);
    }
}

carom_status make_plate(mesh **out, make_outline *o, double thickness, double spacing, carom_error *err)
{
    make_prism prism = { .polygon = (const double(*)[2])o->points,
                         .count = o->count,
                         .u = v3_make(1, 0, 0),
                         .v = v3_make(0, 1, 0),
                         .low = -0.5 * thickness,
                         .high = 0.5 * thickness,
                         .ends = o->ends,
                         .loops = o->loops };
    mesh *coarse = NULL;
    carom_status status = o->failed ? make_no_memory(err) : make_extrude(&coarse, &prism, err);
    free(o->points);
    *o = (make_outline){ 0 };
    return status ? status : make_spaced(out, coarse, spacing, err);
}
