/* A sphere: an icosahedron whose edges are divided into f parts, all points pushed out to the radius: 20 f^2 triangles,
 * 10 f^2 + 2 vertices.
 *
 * A point is the sum of its face's corners times whole numbers that add up to f. Terms are added in the order of the
 * icosahedron's corners and zero terms change nothing, so faces that share a point find the same bits, and exact welding
 * closes the surface. */
#include "geometry/make/make.h"
#include "geometry/mesh_build.h"

static const double GOLDEN = 1.61803398874989484820;

static v3 icosahedron_corner(int i)
{
    double a = i & 1 ? 1.0 : -1.0;
    double b = (i & 2 ? 1.0 : -1.0) * GOLDEN;
    switch (i / 4) {
    case 0:
        return v3_make(0.0, a, b);
    case 1:
        return v3_make(a, b, 0.0);
    default:
        return v3_make(b, 0.0, a);
    }
}

static v3 face_point(const int face[3], const int weight[3])
{
    int total[12] = { 0 };
    for (int k = 0; k < 3; ++k) {
        total[face[k]] += weight[k];
    }
    v3 sum = v3_zero();
    for (int i = 0; i < 12; ++i) {
        if (total[i] > 0) {
            sum = v3_axpy(sum, total[i], icosahedron_corner(i));
        }
    }
    return sum;
}

static bool add_point(mesh_builder *b, const int face[3], int i, int j, int f, int *index)
{
    const int weight[3] = { f - i - j, i, j };
    return mesh_builder_weld(b, face_point(face, weight), index);
}

static bool add_small(mesh_builder *b, const int face[3], int f, const int at[3][2])
{
    int corner[3];
    bool ok = true;
    for (int k = 0; ok && k < 3; ++k) {
        ok = add_point(b, face, at[k][0], at[k][1], f, &corner[k]);
    }
    return ok && mesh_builder_triangle(b, corner[0], corner[1], corner[2]);
}

static bool add_face(mesh_builder *b, const int face[3], int f)
{
    bool ok = true;
    for (int i = 0; ok && i < f; ++i) {
        for (int j = 0; ok && j < f - i; ++j) {
            const int upright[3][2] = { { i, j }, { i + 1, j }, { i, j + 1 } };
            const int hanging[3][2] = { { i + 1, j }, { i + 1, j + 1 }, { i, j + 1 } };
            ok = add_small(b, face, f, upright) && (i + j + 2 > f || add_small(b, face, f, hanging));
        }
    }
    return ok;
}

/* The 20 triples of corners at the distance of an edge (2), counter-clockwise seen from outside. */
static bool next_face(int face[3])
{
    for (;;) {
        if (++face[2] == 12) {
            face[2] = 0;
            if (++face[1] == 12) {
                face[1] = 0;
                if (++face[0] == 12) {
                    return false;
                }
            }
        }
        if (face[0] > face[1] || face[0] > face[2] || face[0] == face[1] || face[1] == face[2]) {
            continue; /* the smallest first: each face once per direction */
        }
        v3 a = icosahedron_corner(face[0]);
        v3 b = icosahedron_corner(face[1]);
        v3 c = icosahedron_corner(face[2]);
        double longest2 = fmax(v3_norm2(v3_sub(b, a)), fmax(v3_norm2(v3_sub(c, b)), v3_norm2(v3_sub(a, c))));
        if (longest2 < 4.5 && v3_dot(a, v3_cross(b, c)) > 0.0) {
            return true;
        }
    }
}

static carom_status choose_frequency(int *f, const carom_make_sphere *sphere, carom_error *err)
{
    const int most = 1000; /* 2e7 triangles */
    if (sphere->triangles > 20 * most * most) {
        return carom_fail(err, CAROM_BAD_INPUT, "sphere: %d triangles are too many; at most %d are possible",
                          sphere->triangles, 20 * most * most);
    }
    if (sphere->triangles > 0) {
        *f = (int)ceil(sqrt(sphere->triangles / 20.0) * (1.0 - 1e-12));
        *f = *f > 0 ? *f : 1;
        return CAROM_OK;
    }
    double spacing = sphere->spacing > 0.0 ? sphere->spacing : sphere->radius / 8.0;
    carom_status status = make_steps(f, 1.33 * sphere->radius, spacing, 1, err); /* edges grow to 1.323 r / f */
    if (status == CAROM_OK && *f > most) {
        return carom_fail(err, CAROM_BAD_INPUT, "sphere: a spacing of %g needs %g triangles; at most %d are possible",
                          spacing, 20.0 * *f * *f, 20 * most * most);
    }
    return status;
}

static carom_status build(mesh **out, const void *params, carom_error *err)
{
    const carom_make_sphere *sphere = params;
    int f;
    carom_status status = choose_frequency(&f, sphere, err);
    if (status != CAROM_OK) {
        return status;
    }
    mesh_builder b = { 0 };
    bool ok = true;
    int face[3] = { 0, 0, 0 };
    while (ok && next_face(face)) {
        ok = add_face(&b, face, f);
    }
    *out = ok ? mesh_builder_finish(&b) : NULL;
    mesh_builder_free(&b);
    for (int i = 0; *out && i < (*out)->vertex_count; ++i) {
        (*out)->vertices[i] = v3_scale(sphere->radius, v3_unit((*out)->vertices[i]));
    }
    return *out ? CAROM_OK : make_no_memory(err);
}

static const carom_field fields[] = {
    MAKE_LENGTH(carom_make_sphere, radius, CAROM_POSITIVE | CAROM_SHORTHAND, "Radius."),
    MAKE_LENGTH(carom_make_sphere, spacing, CAROM_NONNEGATIVE, "Longest edge, about; 0: an eighth of the radius."),
    MAKE_COUNT(carom_make_sphere, triangles, CAROM_NONNEGATIVE,
               "At least so many triangles (20 f^2 are possible); 0: as spacing says."),
    { 0 },
};

static const carom_make_sphere defaults = { .radius = 1.0 };

const mesh_make_type make_sphere = {
    .kind = { .name = "sphere",
              .doc = "A sphere about the origin: a subdivided icosahedron.",
              .fields = fields,
              .defaults = &defaults,
              .size = sizeof(carom_make_sphere) },
    .build = build,
};
