/* Solids of revolution about z: cylinder, capsule, cone, torus and the thin ring of a docking mechanism. Vertices lie on
 * the true surface, so the volume is a little too small and converges with the square of the spacing. */
#include "geometry/make/make.h"

/* One column for all: the profile does not depend on the angle. */
typedef struct profile {
    int sectors;
    int rows[3]; /* steps of the up to three parts of the profile */
    double size[3];
} profile;

static carom_status revolve(mesh **out, const profile *p, bool ring, void (*line)(make_column *, const void *, int),
                            carom_error *err)
{
    double rows = (double)p->rows[0] + p->rows[1] + p->rows[2];
    if (2.0 * rows * p->sectors > MAKE_MOST_TRIANGLES) {
        return carom_fail(err, CAROM_BAD_INPUT, "this needs %.3g triangles; at most %d are possible (wrong units?)",
                          2.0 * rows * p->sectors, MAKE_MOST_TRIANGLES);
    }
    make_surface surface = { .sectors = p->sectors, .ring = ring, .fill = line, .context = p };
    return make_columns(out, &surface, err);
}

static void set_angle(make_column *c, const profile *p, int sector)
{
    c->angle = 2.0 * PI * sector / p->sectors;
}

/* spacing, or what fits a circle of this radius. */
static double fitting(double spacing, double radius)
{
    return spacing > 0.0 ? spacing : 2.0 * PI * radius / 64.0;
}

/* ---- cylinder ---------------------------------------------------------------------------------------------------- */

static void cylinder_line(make_column *c, const void *context, int sector)
{
    const profile *p = context;
    set_angle(c, p, sector);
    double z = 0.5 * p->size[1];
    make_column_add(c, 0.0, -z);
    make_column_line(c, p->size[0], -z, p->rows[0]);
    make_column_line(c, p->size[0], z, p->rows[1]);
    make_column_line(c, 0.0, z, p->rows[0]);
}

static carom_status build_cylinder(mesh **out, const void *params, carom_error *err)
{
    const carom_make_cylinder *cylinder = params;
    double spacing = fitting(cylinder->spacing, cylinder->radius);
    profile p = { .size = { cylinder->radius, cylinder->length } };
    double flat = cylinder->spacing > 0.0 ? spacing : cylinder->radius; /* flat ends need no points inside */
    double side = cylinder->spacing > 0.0 ? spacing : cylinder->length;
    carom_status status = make_steps(&p.sectors, 2.0 * PI * cylinder->radius, spacing, 6, err);
    status = status ? status : make_steps(&p.rows[0], cylinder->radius, flat, 1, err);
    status = status ? status : make_steps(&p.rows[1], cylinder->length, side, 1, err);
    return status ? status : revolve(out, &p, false, cylinder_line, err);
}

static const carom_field cylinder_fields[] = {
    MAKE_LENGTH(carom_make_cylinder, radius, CAROM_POSITIVE, "Radius."),
    MAKE_LENGTH(carom_make_cylinder, length, CAROM_POSITIVE, "Length along z."),
    MAKE_LENGTH(carom_make_cylinder, spacing, CAROM_NONNEGATIVE, "Distance of points; 0: 64 sectors."),
    { 0 },
};

static const carom_make_cylinder cylinder_defaults = { .radius = 0.5, .length = 1.0 };

const mesh_make_type make_cylinder = {
    .kind = { .name = "cylinder",
              .doc = "A cylinder along z, centred on the origin.",
              .fields = cylinder_fields,
              .defaults = &cylinder_defaults,
              .size = sizeof(carom_make_cylinder) },
    .build = build_cylinder,
};

/* ---- capsule ----------------------------------------------------------------------------------------------------- */

static void capsule_cap(make_column *c, const profile *p, double z, double from)
{
    int n = p->rows[0];
    for (int i = 1; i <= n; ++i) {
        double angle = from + 0.5 * PI * i / n;
        bool pole = from >= 0.0 && i == n;
        make_column_add(c, pole ? 0.0 : p->size[0] * cos(angle), z + p->size[0] * sin(angle));
    }
}

static void capsule_line(make_column *c, const void *context, int sector)
{
    const profile *p = context;
    set_angle(c, p, sector);
    double z = 0.5 * p->size[1];
    make_column_add(c, 0.0, -z - p->size[0]);
    capsule_cap(c, p, -z, -0.5 * PI);
    make_column_line(c, p->size[0], z, p->rows[1]);
    capsule_cap(c, p, z, 0.0);
}

static carom_status build_capsule(mesh **out, const void *params, carom_error *err)
{
    const carom_make_capsule *capsule = params;
    double spacing = fitting(capsule->spacing, capsule->radius);
    double side = capsule->spacing > 0.0 ? spacing : capsule->length;
    profile p = { .size = { capsule->radius, capsule->length } };
    carom_status status = make_steps(&p.sectors, 2.0 * PI * capsule->radius, spacing, 6, err);
    status = status ? status : make_steps(&p.rows[0], 0.5 * PI * capsule->radius, spacing, 2, err);
    status = status ? status : make_steps(&p.rows[1], capsule->length, side, 1, err);
    return status ? status : revolve(out, &p, false, capsule_line, err);
}

static const carom_field capsule_fields[] = {
    MAKE_LENGTH(carom_make_capsule, radius, CAROM_POSITIVE, "Radius."),
    MAKE_LENGTH(carom_make_capsule, length, CAROM_POSITIVE, "Length along z, without the caps."),
    MAKE_LENGTH(carom_make_capsule, spacing, CAROM_NONNEGATIVE, "Distance of points; 0: 64 sectors."),
    { 0 },
};

static const carom_make_capsule capsule_defaults = { .radius = 0.25, .length = 1.0 };

const mesh_make_type make_capsule = {
    .kind = { .name = "capsule",
              .doc = "A cylinder with half balls on its ends, along z, centred on the origin.",
              .fields = capsule_fields,
              .defaults = &capsule_defaults,
              .size = sizeof(carom_make_capsule) },
    .build = build_capsule,
};

/* ---- cone -------------------------------------------------------------------------------------------------------- */

static void cone_line(make_column *c, const void *context, int sector)
{
    const profile *p = context;
    set_angle(c, p, sector);
    make_column_add(c, 0.0, 0.0);
    make_column_line(c, p->size[0], 0.0, p->rows[0]);
    make_column_line(c, 0.0, p->size[1], p->rows[1]);
}

static carom_status build_cone(mesh **out, const void *params, carom_error *err)
{
    const carom_make_cone *cone = params;
    double spacing = fitting(cone->spacing, cone->radius);
    double slope = sqrt(cone->radius * cone->radius + cone->height * cone->height);
    profile p = { .size = { cone->radius, cone->height } };
    carom_status status = make_steps(&p.sectors, 2.0 * PI * cone->radius, spacing, 6, err);
    status = status ? status : make_steps(&p.rows[0], cone->radius, cone->spacing > 0.0 ? spacing : slope, 1, err);
    status = status ? status : make_steps(&p.rows[1], slope, cone->spacing > 0.0 ? spacing : slope, 1, err);
    return status ? status : revolve(out, &p, false, cone_line, err);
}

static const carom_field cone_fields[] = {
    MAKE_LENGTH(carom_make_cone, radius, CAROM_POSITIVE, "Radius of the base."),
    MAKE_LENGTH(carom_make_cone, height, CAROM_POSITIVE, "Height of the tip above the base."),
    MAKE_LENGTH(carom_make_cone, spacing, CAROM_NONNEGATIVE, "Distance of points; 0: 64 sectors."),
    { 0 },
};

static const carom_make_cone cone_defaults = { .radius = 0.5, .height = 1.0 };

const mesh_make_type make_cone = {
    .kind = { .name = "cone",
              .doc = "A cone: base at z = 0, tip at z = height.",
              .fields = cone_fields,
              .defaults = &cone_defaults,
              .size = sizeof(carom_make_cone) },
    .build = build_cone,
};

/* ---- torus ------------------------------------------------------------------------------------------------------- */

static void torus_line(make_column *c, const void *context, int sector)
{
    const profile *p = context;
    set_angle(c, p, sector);
    for (int i = 0; i < p->rows[0]; ++i) {
        double angle = 2.0 * PI * i / p->rows[0];
        make_column_add(c, p->size[0] + p->size[1] * cos(angle), p->size[1] * sin(angle));
    }
}

static carom_status build_torus(mesh **out, const void *params, carom_error *err)
{
    const carom_make_torus *torus = params;
    if (torus->tube_radius >= torus->ring_radius) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "torus: tube_radius is %g and ring_radius %g; the tube must be thinner than the ring",
                          torus->tube_radius, torus->ring_radius);
    }
    double outer = torus->ring_radius + torus->tube_radius;
    double spacing = torus->spacing > 0.0 ? torus->spacing : 2.0 * PI * torus->tube_radius / 24.0;
    profile p = { .size = { torus->ring_radius, torus->tube_radius } };
    carom_status status = make_steps(&p.sectors, 2.0 * PI * outer, spacing, 8, err);
    status = status ? status : make_steps(&p.rows[0], 2.0 * PI * torus->tube_radius, spacing, 6, err);
    return status ? status : revolve(out, &p, true, torus_line, err);
}

static const carom_field torus_fields[] = {
    MAKE_LENGTH(carom_make_torus, ring_radius, CAROM_POSITIVE, "Radius of the circle in the middle of the tube."),
    MAKE_LENGTH(carom_make_torus, tube_radius, CAROM_POSITIVE, "Radius of the tube."),
    MAKE_LENGTH(carom_make_torus, spacing, CAROM_NONNEGATIVE, "Distance of points; 0: 24 around the tube."),
    { 0 },
};

static const carom_make_torus torus_defaults = { .ring_radius = 1.0, .tube_radius = 0.25 };

const mesh_make_type make_torus = {
    .kind = { .name = "torus",
              .doc = "A torus about z, centred on the origin.",
              .fields = torus_fields,
              .defaults = &torus_defaults,
              .size = sizeof(carom_make_torus) },
    .build = build_torus,
};

/* ---- docking ring ------------------------------------------------------------------------------------------------ */

static void ring_line(make_column *c, const void *context, int sector)
{
    const profile *p = context;
    set_angle(c, p, sector);
    double inner = p->size[0] - 0.5 * p->size[1];
    double outer = p->size[0] + 0.5 * p->size[1];
    double z = 0.5 * p->size[2];
    make_column_add(c, inner, -z);
    make_column_line(c, outer, -z, p->rows[0]);
    make_column_line(c, outer, z, p->rows[1]);
    make_column_line(c, inner, z, p->rows[0]);
    make_column_line(c, inner, -z, p->rows[1]);
    --c->count; /* the last point is the first */
}

static carom_status build_ring(mesh **out, const void *params, carom_error *err)
{
    const carom_make_docking_ring *ring = params;
    if (ring->thickness >= 2.0 * ring->radius) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "docking-ring: thickness is %g and radius %g; a thickness below %g leaves a hole",
                          ring->thickness, ring->radius, 2.0 * ring->radius);
    }
    double outer = ring->radius + 0.5 * ring->thickness;
    double spacing = ring->spacing > 0.0 ? ring->spacing : 2.0 * PI * outer / 180.0;
    double across = ring->spacing > 0.0 ? spacing : ring->thickness + ring->height;
    profile p = { .size = { ring->radius, ring->thickness, ring->height } };
    carom_status status = make_steps(&p.sectors, 2.0 * PI * outer, spacing, 8, err);
    status = status ? status : make_steps(&p.rows[0], ring->thickness, across, 1, err);
    status = status ? status : make_steps(&p.rows[1], ring->height, across, 1, err);
    return status ? status : revolve(out, &p, true, ring_line, err);
}

static const carom_field ring_fields[] = {
    MAKE_LENGTH(carom_make_docking_ring, radius, CAROM_POSITIVE, "Mean radius."),
    MAKE_LENGTH(carom_make_docking_ring, thickness, CAROM_POSITIVE, "Radial thickness."),
    MAKE_LENGTH(carom_make_docking_ring, height, CAROM_POSITIVE, "Height along z."),
    MAKE_LENGTH(carom_make_docking_ring, spacing, CAROM_NONNEGATIVE, "Distance of points; 0: 180 sectors."),
    { 0 },
};

static const carom_make_docking_ring ring_defaults = { .radius = 0.543, .thickness = 0.04, .height = 0.03 };

const mesh_make_type make_docking_ring = {
    .kind = { .name = "docking-ring",
              .doc = "A ring of rectangular section about z, centred on the origin.",
              .fields = ring_fields,
              .defaults = &ring_defaults,
              .size = sizeof(carom_make_docking_ring) },
    .build = build_ring,
};
