/* Every kind of shape there is: a new one is a file in shapes/, a line in shapes.h and a line here. */
#include "geometry/shapes/shapes.h"

#include <math.h>
#include <string.h>

static const carom_shape_type *const types[] = {
    &carom_shape_box,       &carom_shape_sphere, &carom_shape_cylinder, &carom_shape_capsule, &carom_shape_cone,
    &carom_shape_ellipsoid, &carom_shape_torus,  &carom_shape_plane,    &carom_shape_rod,     &carom_shape_polygon,
    &carom_shape_mesh,      &carom_shape_make,   &carom_shape_sheet,    &carom_shape_wire,    &carom_shape_points,
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

const carom_kind *const *carom_shape_kinds(void)
{
    static const carom_kind *const kinds[TYPE_COUNT + 1] = {
        &carom_shape_box.kind,   &carom_shape_sphere.kind,    &carom_shape_cylinder.kind, &carom_shape_capsule.kind,
        &carom_shape_cone.kind,  &carom_shape_ellipsoid.kind, &carom_shape_torus.kind,    &carom_shape_plane.kind,
        &carom_shape_rod.kind,   &carom_shape_polygon.kind,   &carom_shape_mesh.kind,     &carom_shape_make.kind,
        &carom_shape_sheet.kind, &carom_shape_wire.kind,      &carom_shape_points.kind,   NULL,
    };
    carom_shape_make_prepare();
    return kinds;
}

const carom_shape_type *carom_shape_type_find(const char *name)
{
    carom_shape_make_prepare();
    for (int i = 0; i < TYPE_COUNT; ++i) {
        if (strcmp(types[i]->kind.name, name) == 0) {
            return types[i];
        }
    }
    return NULL;
}

carom_status carom_shape_check_size(const char *shape, const char *field, double size, carom_error *err)
{
    const double smallest = 1e-12;
    const double largest = 1e12;
    if (!isfinite(size) || size <= 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: %s is %g m; it must be greater than 0", shape, field, size);
    }
    if (size < smallest || size > largest) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%s: %s is %g m; sizes between %g m and %g m are possible (wrong units?)", shape, field,
                          size, smallest, largest);
    }
    return CAROM_OK;
}
