/* A chain link: a round wire along a stadium, two straight pieces along x joined by half circles. */
#include "geometry/make/make.h"
#include "geometry/mesh_build.h"

typedef struct stadium {
    double straight; /* [m] half the length of the straight pieces */
    double bend;     /* [m] radius of the wire's middle line in the half circles */
    double wire;     /* [m] radius of the wire */
    int line_steps, bend_steps, wire_steps;
} stadium;

/* The middle line at step i, and the direction in the plane across it, outwards. */
static void path_point(const stadium *s, int i, v3 *middle, v3 *out)
{
    int half = s->line_steps + s->bend_steps;
    bool second = i >= half;
    int k = i % half; /* the second half is the first, turned by 180 degrees about z */
    double angle = k < s->line_steps ? -0.5 * PI : -0.5 * PI + PI * (k - s->line_steps) / s->bend_steps;
    double x = k < s->line_steps ? -s->straight + 2.0 * s->straight * k / s->line_steps : s->straight;
    double sign = second ? -1.0 : 1.0;
    *out = v3_make(sign * cos(angle), sign * sin(angle), 0.0);
    *middle = v3_axpy(v3_make(sign * x, 0.0, 0.0), s->bend, *out);
}

static bool add_points(mesh_builder *b, const stadium *s)
{
    bool ok = true;
    for (int i = 0; i < 2 * (s->line_steps + s->bend_steps); ++i) {
        v3 middle, out;
        path_point(s, i, &middle, &out);
        for (int j = 0; ok && j < s->wire_steps; ++j) {
            double angle = 2.0 * PI * j / s->wire_steps;
            v3 r = v3_axpy(middle, s->wire * cos(angle), out);
            ok = mesh_builder_append(b, v3_axpy(r, s->wire * sin(angle), v3_make(0, 0, 1)));
        }
    }
    return ok;
}

static bool add_triangles(mesh_builder *b, const stadium *s)
{
    int rings = 2 * (s->line_steps + s->bend_steps);
    int n = s->wire_steps;
    bool ok = true;
    for (int i = 0; ok && i < rings; ++i) {
        int near = n * i;
        int far = n * ((i + 1) % rings);
        for (int j = 0; ok && j < n; ++j) {
            int k = (j + 1) % n;
            ok = mesh_builder_triangle(b, near + j, far + j, far + k) &&
                 mesh_builder_triangle(b, near + j, far + k, near + k);
        }
    }
    return ok;
}

static carom_status describe(stadium *s, const carom_make_chain_link *link, carom_error *err)
{
    if (link->pitch < link->width) {
        return carom_fail(err, CAROM_BAD_INPUT, "chain-link: pitch is %g and width %g; a link is longer than wide",
                          link->pitch, link->width);
    }
    double spacing = link->spacing > 0.0 ? link->spacing : PI * link->diameter / 24.0;
    *s = (stadium){ .straight = 0.5 * (link->pitch - link->width),
                    .bend = 0.5 * (link->width + link->diameter),
                    .wire = 0.5 * link->diameter };
    double outer = PI * (s->bend + s->wire);
    carom_status status = make_steps(&s->bend_steps, outer, spacing, 6, err);
    status = status ? status : make_steps(&s->wire_steps, 2.0 * PI * s->wire, spacing, 6, err);
    status = status ? status : make_steps(&s->line_steps, 2.0 * s->straight, spacing, 1, err);
    if (s->straight == 0.0) {
        s->line_steps = 0; /* round: no straight pieces */
    }
    double triangles = 4.0 * (s->line_steps + s->bend_steps) * s->wire_steps;
    if (status == CAROM_OK && triangles > MAKE_MOST_TRIANGLES) {
        return carom_fail(err, CAROM_BAD_INPUT, "chain-link: this needs %.3g triangles; at most %d are possible",
                          triangles, MAKE_MOST_TRIANGLES);
    }
    return status;
}

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    stadium s;
    carom_status status = describe(&s, params, err);
    if (status != CAROM_OK) {
        return status;
    }
    mesh_builder b = { 0 };
    bool ok = add_points(&b, &s) && add_triangles(&b, &s);
    *out = ok ? mesh_builder_finish(&b) : NULL;
    mesh_builder_free(&b);
    return *out ? CAROM_OK : make_no_memory(err);
}

static const carom_field fields[] = {
    MAKE_LENGTH(carom_make_chain_link, diameter, CAROM_POSITIVE, "Diameter of the wire."),
    MAKE_LENGTH(carom_make_chain_link, pitch, CAROM_POSITIVE, "Inner length."),
    MAKE_LENGTH(carom_make_chain_link, width, CAROM_POSITIVE, "Inner width."),
    MAKE_LENGTH(carom_make_chain_link, spacing, CAROM_NONNEGATIVE, "Distance of points; 0: 24 around the wire."),
    { 0 },
};

static const carom_make_chain_link defaults = { .diameter = 0.01, .pitch = 0.03, .width = 0.014 };

const mesh_make_type make_chain_link = {
    .kind = { .name = "chain-link",
              .doc = "A link of round wire in the x-y plane, long along x, centred on the origin.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_chain_link) },
    .build = build,
};
