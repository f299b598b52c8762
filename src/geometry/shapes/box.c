/* A box with edges along its axes, centred on its origin. */
#include "geometry/mesh.h"
#include "geometry/shapes/shapes.h"

static carom_status box_check(const void *params, carom_error *err)
{
    static const char *const fields[] = { "size[0]", "size[1]", "size[2]" };
    const carom_box_def *box = params;
    for (int i = 0; i < 3; ++i) {
        carom_status status = carom_shape_check_size("box", fields[i], v3_get(box->size, i), err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

static void box_mass(mass_properties *out, const void *params, const mesh *m)
{
    (void)m;
    const carom_box_def *box = params;
    double xx = box->size.x * box->size.x;
    double yy = box->size.y * box->size.y;
    double zz = box->size.z * box->size.z;
    double volume = box->size.x * box->size.y * box->size.z;
    *out = (mass_properties){
        .mass = volume,
        .inertia = m3_scale(volume / 12.0, m3_diag(yy + zz, xx + zz, xx + yy)),
    };
}

static void box_bounds(carom_v3 *low, carom_v3 *high, const void *params, const mesh *m)
{
    (void)m;
    const carom_box_def *box = params;
    *high = v3_scale(0.5, box->size);
    *low = v3_neg(*high);
}

static double box_area(const void *params)
{
    v3 size = ((const carom_box_def *)params)->size;
    return 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
}

/* Outside in two or three directions the nearest point is on an edge or corner; else the nearest face decides. */
static field_sample box_distance(const void *params, v3 p)
{
    const carom_box_def *box = params;
    v3 q = v3_make(fabs(p.x) - 0.5 * box->size.x, fabs(p.y) - 0.5 * box->size.y, fabs(p.z) - 0.5 * box->size.z);
    v3 beyond = v3_make(max_or_nan(q.x, 0.0), max_or_nan(q.y, 0.0), max_or_nan(q.z, 0.0));
    double distance = v3_norm(beyond);
    if (distance == 0.0) { /* inside, or on the surface */
        bool x = q.x >= q.y && q.x >= q.z;
        bool y = !x && q.y >= q.z;
        distance = x ? q.x : y ? q.y : q.z;
        beyond = v3_make(x, y, !x && !y);
    } else {
        beyond = v3_scale(1.0 / distance, beyond);
    }
    v3 gradient = v3_make(copysign(beyond.x, p.x), copysign(beyond.y, p.y), copysign(beyond.z, p.z));
    return (field_sample){ .distance = distance, .gradient = gradient };
}

/* ---- surface: the lattice points on the outside of nx x ny x nz cells, layer by layer along z -------------------- */

typedef struct box_lattice {
    int n[3]; /* cells */
    v3 half;  /* [m] */
    int full; /* points of the first and of the last layer */
    int ring; /* points of each layer between them */
} box_lattice;

/* Around the rim of the layer, counter-clockwise from the corner (0, 0). */
static int ring_index(const box_lattice *l, int i, int j)
{
    if (j == 0) {
        return i;
    }
    if (i == l->n[0]) {
        return l->n[0] + j;
    }
    return j == l->n[1] ? 2 * l->n[0] + l->n[1] - i : 2 * (l->n[0] + l->n[1]) - j;
}

static int lattice_index(const box_lattice *l, int i, int j, int k)
{
    int in_layer = j * (l->n[0] + 1) + i;
    if (k == 0) {
        return in_layer;
    }
    return k == l->n[2] ? l->full + (k - 1) * l->ring + in_layer : l->full + (k - 1) * l->ring + ring_index(l, i, j);
}

static void place_lattice(mesh *m, const box_lattice *l)
{
    for (int k = 0; k <= l->n[2]; ++k) {
        for (int j = 0; j <= l->n[1]; ++j) {
            bool inner = k > 0 && k < l->n[2] && j > 0 && j < l->n[1];
            for (int i = 0; i <= l->n[0]; i += inner ? l->n[0] : 1) {
                m->vertices[lattice_index(l, i, j, k)] = v3_make(l->half.x * (2.0 * i / l->n[0] - 1.0),
                                                                 l->half.y * (2.0 * j / l->n[1] - 1.0),
                                                                 l->half.z * (2.0 * k / l->n[2] - 1.0));
            }
        }
    }
}

/* A square with corners a b c d, counter-clockwise from outside; the diagonal turns from square to square. */
static void add_square(mesh *m, const int corner[4], bool turned)
{
    int shift = turned ? 1 : 0;
    for (int half = 0; half < 2; ++half) {
        int *t = m->triangles[m->triangle_count++];
        t[0] = corner[shift];
        t[1] = corner[(shift + 1 + half) % 4];
        t[2] = corner[(shift + 2 + half) % 4];
    }
}

/* The two faces across axis c; a, b, c in cyclic order, so that a x b points along c. */
static void add_faces(mesh *m, const box_lattice *l, int c)
{
    int a = (c + 1) % 3;
    int b = (c + 2) % 3;
    for (int high = 0; high < 2; ++high) {
        for (int u = 0; u < l->n[a]; ++u) {
            for (int v = 0; v < l->n[b]; ++v) {
                int corner[4];
                for (int k = 0; k < 4; ++k) {
                    int along_a = k == 1 || k == 2;
                    int along_b = k >= 2;
                    int at[3] = { 0 };
                    at[a] = u + (high ? along_a : along_b);
                    at[b] = v + (high ? along_b : along_a);
                    at[c] = high ? l->n[c] : 0;
                    corner[k] = lattice_index(l, at[0], at[1], at[2]);
                }
                add_square(m, corner, (u + v) % 2 != 0);
            }
        }
    }
}

static carom_status box_tessellate(mesh **out, const void *params, surface_grain grain, carom_error *err)
{
    const carom_box_def *box = params;
    double spacing = grain.spacing;
    *out = NULL;
    double cells[3];
    for (int i = 0; i < 3; ++i) {
        cells[i] = spacing > 0.0 ? fmax(1.0, ceil(v3_get(box->size, i) / spacing)) : 1.0;
    }
    double count = 2.0 * (cells[0] * cells[1] + cells[1] * cells[2] + cells[2] * cells[0]) + 2.0;
    carom_status status = carom_shape_check_spacing("box", spacing, count, err);
    if (status != CAROM_OK) {
        return status;
    }
    box_lattice l = { .n = { (int)cells[0], (int)cells[1], (int)cells[2] }, .half = v3_scale(0.5, box->size) };
    l.full = (l.n[0] + 1) * (l.n[1] + 1);
    l.ring = 2 * (l.n[0] + l.n[1]);
    mesh *m = mesh_create((int)count, 2 * (int)(count - 2.0));
    if (!m) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a box of %.0f points", count);
    }
    m->triangle_count = 0;
    place_lattice(m, &l);
    for (int c = 0; c < 3; ++c) {
        add_faces(m, &l, c);
    }
    *out = m;
    return CAROM_OK;
}

static const carom_field box_fields[] = {
    { .name = "size",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_box_def, size),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Full edge lengths along x, y and z." },
    { 0 },
};

static const carom_box_def box_defaults;

const carom_shape_type carom_shape_box = {
    .kind = { .name = "box",
              .doc = "A box with edges along its axes, centred on its origin.",
              .fields = box_fields,
              .defaults = &box_defaults,
              .size = sizeof(carom_box_def) },
    .solid = true,
    .check = box_check,
    .mass = box_mass,
    .bounds = box_bounds,
    .area = box_area,
    .distance = box_distance,
    .tessellate = box_tessellate,
};
