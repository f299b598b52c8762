/* Mesh files: every format gives back what was written, errors name place and cause, broken files never crash. */
#include "mesh_files/mesh_read.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/samples.h"

/* ---- small writers --------------------------------------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char *data;
    size_t size, capacity;
} bytes;

static void put(bytes *b, const void *data, size_t size)
{
    if (b->size + size >= b->capacity) {
        b->capacity = 2 * (b->size + size) + 1;
        b->data = realloc(b->data, b->capacity);
        assert_non_null(b->data);
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void print(bytes *b, const char *fmt, ...) CAROM_PRINTF(2, 3);
static void print(bytes *b, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    put(b, text, (size_t)length);
}

/* The machine's own number in the byte order asked for (tests run on little-endian machines). */
static void put_ordered(bytes *b, const void *value, size_t size, bool big)
{
    for (size_t i = 0; i < size; ++i) {
        put(b, (const unsigned char *)value + (big ? size - 1 - i : i), 1);
    }
}

static void put_f32(bytes *b, double value, bool big)
{
    float single = (float)value;
    put_ordered(b, &single, sizeof single, big);
}

static bytes write_stl_binary(const mesh *m)
{
    bytes b = { 0 };
    char header[80] = "solid: binary files begin like this too";
    uint32_t count = (uint32_t)m->triangle_count;
    put(&b, header, sizeof header);
    put(&b, &count, sizeof count);
    for (int t = 0; t < m->triangle_count; ++t) {
        float zero[3] = { 0 };
        put(&b, zero, sizeof zero);
        for (int k = 0; k < 3; ++k) {
            v3 r = m->vertices[m->triangles[t][k]];
            put_f32(&b, r.x, false);
            put_f32(&b, r.y, false);
            put_f32(&b, r.z, false);
        }
        put(&b, "\0", 2);
    }
    return b;
}

static bytes write_stl_ascii(const mesh *m)
{
    bytes b = { 0 };
    print(&b, "solid a name with facet and vertex in it\r\n");
    for (int t = 0; t < m->triangle_count; ++t) {
        print(&b, "  facet normal nan 0 0\r\n    outer loop\r\n");
        for (int k = 0; k < 3; ++k) {
            v3 r = m->vertices[m->triangles[t][k]];
            print(&b, "      VERTEX %.17g %.17g %.17g\r\n", r.x, r.y, r.z);
        }
        print(&b, "    endloop\r\n  endfacet\r\n");
    }
    print(&b, "endsolid a name with facet and vertex in it\r\n");
    return b;
}

/* Corners in all four ways, every other one counted backwards. */
static bytes write_obj(const mesh *m)
{
    static const char *const tails[] = { "", "/1", "//1", "/1/1" };
    bytes b = { 0 };
    print(&b, "# comment\nmtllib x.mtl\no part\nvt 0 0\nvn 0 0 1\n");
    for (int i = 0; i < m->vertex_count; ++i) {
        print(&b, "v %.17g %.17g \\\n %.17g\n", m->vertices[i].x, m->vertices[i].y, m->vertices[i].z);
    }
    print(&b, "usemtl steel\ns off\n");
    for (int t = 0; t < m->triangle_count; ++t) {
        print(&b, "f");
        for (int k = 0; k < 3; ++k) {
            int index = m->triangles[t][k] + 1;
            print(&b, " %d%s", t % 2 ? index : index - m->vertex_count - 1, tails[(t + k) % 4]);
        }
        print(&b, t % 3 ? "\n" : " # last\n");
    }
    return b;
}

static bytes write_ply_ascii(const mesh *m)
{
    bytes b = { 0 };
    print(&b, "ply\nformat ascii 1.0\ncomment by hand\nelement vertex %d\n", m->vertex_count);
    print(&b, "property uchar red\nproperty double z\nproperty double x\nproperty list uchar int extra\n");
    print(&b, "property double y\nelement face %d\nproperty list uchar int vertex_index\nend_header\n",
          m->triangle_count);
    for (int i = 0; i < m->vertex_count; ++i) {
        v3 r = m->vertices[i];
        print(&b, "255 %.17g %.17g 2 7 8 %.17g\n", r.z, r.x, r.y);
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        print(&b, "3 %d %d %d\n", m->triangles[t][0], m->triangles[t][1], m->triangles[t][2]);
    }
    return b;
}

/* Faces first, vertices later, float coordinates, an element of no interest between them. */
static bytes write_ply_binary(const mesh *m, bool big)
{
    bytes b = { 0 };
    print(&b, "ply\r\nformat binary_%s_endian 1.0\r\nobj_info none\r\n", big ? "big" : "little");
    print(&b, "element face %d\r\nproperty uint8 flags\r\nproperty list uint8 uint32 vertex_indices\r\n",
          m->triangle_count);
    print(&b, "element material 2\r\nproperty list ushort int16 ids\r\n");
    print(&b, "element vertex %d\r\nproperty float32 x\r\nproperty float64 y\r\nproperty float z\r\n",
          m->vertex_count);
    print(&b, "end_header\n");
    for (int t = 0; t < m->triangle_count; ++t) {
        put(&b, "\7\3", 2);
        for (int k = 0; k < 3; ++k) {
            uint32_t index = (uint32_t)m->triangles[t][k];
            put_ordered(&b, &index, sizeof index, big);
        }
    }
    for (int i = 0; i < 2; ++i) {
        int16_t id = -5;
        uint16_t one = 1;
        put_ordered(&b, &one, sizeof one, big);
        put_ordered(&b, &id, sizeof id, big);
    }
    for (int i = 0; i < m->vertex_count; ++i) {
        put_f32(&b, m->vertices[i].x, big);
        put_ordered(&b, &m->vertices[i].y, sizeof(double), big);
        put_f32(&b, m->vertices[i].z, big);
    }
    return b;
}

static bytes write_ply_little(const mesh *m)
{
    return write_ply_binary(m, false);
}

static bytes write_ply_big(const mesh *m)
{
    return write_ply_binary(m, true);
}

static const struct {
    const char *name;
    bytes (*write)(const mesh *m);
} formats[] = {
    { "binary.stl", write_stl_binary }, { "text.STL", write_stl_ascii },    { "part.obj", write_obj },
    { "text.ply", write_ply_ascii },    { "little.ply", write_ply_little }, { "big.ply", write_ply_big },
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

/* ---- round trips ----------------------------------------------------------------------------------------------------- */

/* A ring whose vertices are multiples of 2^-18, so that every format can hold them exactly. (A cast to float and back
 * would do, but GCC 12 drops it when it vectorises the pair x, y.) */
static mesh *float_torus(int ring_steps, int tube_steps)
{
    mesh *m = torus(2.0, 0.5, ring_steps, tube_steps);
    for (int i = 0; i < m->vertex_count; ++i) {
        v3 r = v3_scale(0x1p18, m->vertices[i]);
        m->vertices[i] = v3_scale(0x1p-18, v3_make(nearbyint(r.x), nearbyint(r.y), nearbyint(r.z)));
    }
    return m;
}

static void check_same_mesh(const mesh *a, const mesh *b)
{
    CHECK_EQ(a->vertex_count, b->vertex_count);
    CHECK_EQ(a->triangle_count, b->triangle_count);
    for (int t = 0; t < a->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            check_v3_near(a->vertices[a->triangles[t][k]], b->vertices[b->triangles[t][k]], 0.0);
        }
    }
}

TEST(mesh_file, every_format_gives_back_the_mesh)
{
    mesh *m = float_torus(17, 9);
    for (int f = 0; f < FORMAT_COUNT; ++f) {
        bytes b = formats[f].write(m);
        carom_error err = { 0 };
        mesh *back;
        CHECK_OK(mesh_parse(&back, b.data, b.size, formats[f].name, 1.0, &err), err);
        check_same_mesh(back, m);
        mesh_quality quality;
        CHECK_OK(mesh_inspect(back, &quality, &err), err);
        CHECK_EQ(quality.open_edges + quality.nonmanifold_edges + quality.flipped_edges + quality.degenerate, 0);
        mesh_destroy(back);
        free(b.data);
    }
    mesh_destroy(m);
}

TEST(mesh_file, text_formats_keep_every_bit)
{
    mesh *m = torus(1.0, 1.0 / 3.0, 11, 7);
    move_mesh(m, (carom_pose){ { 0.1, 0.2, 0.3 }, so3_exp(v3_make(0.3, 0.7, 1.1)) });
    for (int f = 1; f <= 3; ++f) {
        bytes b = formats[f].write(m);
        carom_error err = { 0 };
        mesh *back;
        CHECK_OK(mesh_parse(&back, b.data, b.size, formats[f].name, 1.0, &err), err);
        check_same_mesh(back, m);
        mesh_destroy(back);
        free(b.data);
    }
    mesh_destroy(m);
}

TEST(mesh_file, from_disk_with_scale)
{
    mesh *m = box_mesh(v3_make(0, 0, 0), v3_make(100, 200, 300));
    bytes b = write_stl_binary(m);
    FILE *file = fopen("box_mm.stl", "wb");
    assert_non_null(file);
    CHECK_EQ(fwrite(b.data, 1, b.size, file), b.size);
    fclose(file);
    carom_error err = { 0 };
    mesh *back;
    mass_properties mass;
    CHECK_OK(mesh_read(&back, "box_mm.stl", 1e-3, &err), err);
    mesh_mass(&mass, back);
    CHECK_EQ(back->vertex_count, 8);
    CHECK_NEAR(mass.mass, 0.006, 1e-16);
    remove("box_mm.stl");
    mesh_destroy(back);
    mesh_destroy(m);
    free(b.data);
}

static mesh *parse_text(const char *name, const char *content)
{
    carom_error err = { 0 };
    mesh *m;
    CHECK_OK(mesh_parse(&m, content, strlen(content), name, 1.0, &err), err);
    return m;
}

TEST(mesh_file, equal_vertices_are_welded_and_strays_dropped)
{
    mesh *m = parse_text("a.obj", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv -0.0 0 -0e9\nv 0 1 0\nv 1.0 0 0\nf 2 3 5\nf 4 5 6\n");
    CHECK_EQ(m->vertex_count, 3);
    CHECK_EQ(m->triangles[1][0], m->triangles[0][0]);
    CHECK_EQ(m->triangles[1][1], m->triangles[0][2]);
    CHECK_EQ(m->triangles[1][2], m->triangles[0][1]);
    check_v3_near(m->vertices[0], v3_zero(), 0.0);
    mesh_destroy(m);
}

static void write_text(const char *name, const char *content)
{
    FILE *file = fopen(name, "wb");
    CHECK(file && fputs(content, file) >= 0 && fclose(file) == 0);
}

static mesh *read_content(const char *name, mesh_content content, v3 scale)
{
    carom_error err = { 0 };
    mesh *m = NULL;
    CHECK_OK(mesh_read_content(&m, &(mesh_file){ name, scale, content }, NULL, &err), err);
    return m;
}

/* Lines become edges; vertices of no line are left out, equal ones stay apart. */
TEST(mesh_file, wires_and_points_of_an_obj_file)
{
    const v3 scale = { 1.0, 2.0, -3.0 };
    write_text("thin.obj", "v 9 9 9\nv 0 0 0\nv 1 1 1\nl 2 3 -1 # on\nv 0 0 0\nl 4/1 2\nf 1 2 3\n");
    mesh *wires = read_content("thin.obj", MESH_WIRES, scale);
    mesh *points = read_content("thin.obj", MESH_POINTS, scale);
    mesh *whole = read_content("thin.obj", MESH_WHOLE, v3_make(1.0, 1.0, 1.0));
    CHECK_EQ(wires->vertex_count, 3);
    CHECK_EQ(wires->edge_count, 3);
    CHECK_EQ(wires->triangle_count, 0);
    CHECK(wires->edges[0][0] == 0 && wires->edges[0][1] == 1 && wires->edges[2][0] == 2 && wires->edges[2][1] == 0);
    check_v3_near(wires->vertices[1], v3_make(1.0, 2.0, -3.0), 0.0);
    CHECK_EQ(points->vertex_count, 4);
    CHECK_EQ(points->edge_count + points->triangle_count, 0);
    check_v3_near(points->vertices[0], v3_make(9.0, 18.0, -27.0), 0.0);
    CHECK_EQ(whole->vertex_count, 4);
    CHECK_EQ(whole->triangle_count, 1);
    CHECK_EQ(whole->edge_count, 3);
    mesh_destroy(wires);
    mesh_destroy(points);
    mesh_destroy(whole);
    remove("thin.obj");
}

TEST(mesh_file, files_without_wires_are_refused)
{
    const struct {
        const char *name, *text, *part;
        mesh_content content;
    } cases[] = { { "flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "no lines", MESH_WIRES },
                  { "none.obj", "l 1 2\n", "refers to vertex 2", MESH_WIRES },
                  { "short.obj", "v 0 0 0\nl 1\n", "a line has 1 points", MESH_WIRES },
                  { "empty.obj", "# nothing\n", "no vertices", MESH_POINTS },
                  { "text.stl", "solid a\nendsolid a\n", "not OBJ", MESH_POINTS },
                  { "wire.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n", "no triangles", MESH_SURFACE } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        carom_error err = { 0 };
        mesh *m = NULL;
        write_text(cases[i].name, cases[i].text);
        mesh_file file = { cases[i].name, { 1.0, 1.0, 1.0 }, cases[i].content };
        CHECK_EQ(mesh_read_content(&m, &file, NULL, &err), CAROM_BAD_INPUT);
        CHECK(m == NULL);
        CHECK_CONTAINS(err.message, cases[i].part);
        remove(cases[i].name);
    }
}

TEST(mesh_file, polygons_become_fans)
{
    mesh *m = parse_text("a.obj", "f 1 2 3 4 5\nv 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 3 0\nv 0 1 0\n");
    CHECK_EQ(m->triangle_count, 3);
    CHECK_EQ(m->triangles[2][0], 0);
    CHECK_EQ(m->triangles[2][1], 3);
    CHECK_EQ(m->triangles[2][2], 4);
    mesh_destroy(m);
}

TEST(mesh_file, several_solids_in_one_file)
{
    const char *one = "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet";
    char content[600];
    snprintf(content, sizeof content, "solid a\n%s\nendsolid a\nsolid\n%s\nendsolid", one, one);
    mesh *m = parse_text("two.stl", content);
    CHECK_EQ(m->triangle_count, 2);
    CHECK_EQ(m->vertex_count, 3);
    mesh_destroy(m);
}

/* ---- strips ------------------------------------------------------------------------------------------------------------ */

typedef enum strip_encoding { STRIP_TEXT, STRIP_LITTLE, STRIP_BIG } strip_encoding;

static void put_strip_number(bytes *b, strip_encoding encoding, int32_t value)
{
    if (encoding == STRIP_TEXT) {
        print(b, "%d ", (int)value);
    } else {
        put_ordered(b, &value, sizeof value, encoding == STRIP_BIG);
    }
}

/* Vertices at (i, i^2, i^3), strips as one list; `type` is how the file calls its 4-byte numbers. */
static bytes write_strips(strip_encoding encoding, const char *type, int vertex_count, const int *list, int length)
{
    static const char *const names[] = { "ascii", "binary_little_endian", "binary_big_endian" };
    bytes b = { 0 };
    print(&b, "ply\nformat %s 1.0\nelement vertex %d\n", names[encoding], vertex_count);
    print(&b, "property int x\nproperty int y\nproperty int z\nelement tristrips 1\n");
    print(&b, "property list int %s vertex_indices\nend_header\n", type);
    for (int i = 0; i < vertex_count; ++i) {
        put_strip_number(&b, encoding, i);
        put_strip_number(&b, encoding, i * i);
        put_strip_number(&b, encoding, i * i * i);
    }
    put_strip_number(&b, encoding, length);
    for (int i = 0; i < length; ++i) {
        put_strip_number(&b, encoding, encoding == STRIP_TEXT && type[0] == 'u' && list[i] < 0 ? -1 : list[i]);
    }
    return b;
}

/* As the first coordinates of its corners say, from the smallest on. */
static void corners_of(const mesh *m, int triangle, int out[3])
{
    int x[3];
    int least = 0;
    for (int k = 0; k < 3; ++k) {
        x[k] = (int)m->vertices[m->triangles[triangle][k]].x;
        least = x[k] < x[least] ? k : least;
    }
    for (int k = 0; k < 3; ++k) {
        out[k] = x[(least + k) % 3];
    }
}

static void check_strips(int vertex_count, const int *list, int length, const int (*expected)[3], int expected_count)
{
    static const char *const integers[] = { "int", "uint32" };
    for (int variant = 0; variant < 6; ++variant) {
        bytes b = write_strips((strip_encoding)(variant % 3), integers[variant / 3], vertex_count, list, length);
        carom_error err = { 0 };
        mesh *m = NULL;
        CHECK_OK(mesh_parse(&m, b.data, b.size, "strips.ply", 1.0, &err), err);
        CHECK_EQ(m->triangle_count, expected_count);
        for (int t = 0; t < expected_count; ++t) {
            int corners[3];
            corners_of(m, t, corners);
            for (int k = 0; k < 3; ++k) {
                CHECK_EQ(corners[k], expected[t][k]);
            }
        }
        mesh_destroy(m);
        free(b.data);
    }
}

TEST(mesh_file, ply_strips_become_triangles_that_face_one_way)
{
    /* around a tetrahedron: every edge once in each direction */
    const int around[] = { 0, 1, 2, 3, 0, 1 };
    const int faces[][3] = { { 0, 1, 2 }, { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 } };
    check_strips(4, around, 6, faces, 4);
    /* several strips, the side turned around beginning afresh in each; ends twice, at the beginning and at the end */
    const int several[] = { -1, 0, 1, 2, 3, -1, -1, 1, 2, 3, 4, -1, 4, 5, -1, 2, 3, 5, -1 };
    const int separate[][3] = { { 0, 1, 2 }, { 1, 3, 2 }, { 1, 2, 3 }, { 2, 4, 3 }, { 2, 3, 5 } };
    check_strips(6, several, 19, separate, 5);
    /* a repeated corner turns the strip: two triangles without area, and the sides still alternate */
    const int turning[] = { 0, 1, 2, 2, 3, 4 };
    const int turned[][3] = { { 0, 1, 2 }, { 2, 4, 3 } };
    check_strips(5, turning, 6, turned, 2);
}

/* ---- bad files --------------------------------------------------------------------------------------------------------- */

#define TRIANGLE_OBJ "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define PLY_HEAD "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define PLY_POINTS "0 0 0\n1 0 0\n0 1 0\n"
#define PLY_STRIP "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
#define STL_FACET "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"

static const struct {
    const char *name, *content, *part;
} bad_texts[] = {
    { "a.stl", "", "the file is empty" },
    { "a.obj", "", "the file is empty" },
    { "a.xyz", "hello", "not STL, OBJ or PLY" },
    { "a.stl", "hello", "byte 5: the file ends within the 84 bytes" },
    { "a.stl", "solid\nendsolid\n", "no triangles" },
    { "a.stl", "solid\n", "without 'endsolid'" },
    { "a.stl", "solid\nfacet abnormal", "line 2: found 'abnormal' where 'normal' should be" },
    { "a.stl", STL_FACET, "line 6: the file ends where 'vertex' should be" },
    { "a.stl", STL_FACET "vertex 0 1 nan\n", "line 6: found 'nan'" },
    { "a.stl", STL_FACET "vertex 0 1 inf\n", "line 6: found 'inf'" },
    { "a.stl", STL_FACET "vertex 0 1 1e500\n", "is not finite" },
    { "a.stl", STL_FACET "vertex 0 1 1e13\n", "more than 1e12 m" },
    { "a.stl", STL_FACET "vertex 0 1 0\nvertex 1 1 1\n", "found 'vertex' where 'endloop' should be" },
    { "a.stl", "solid\nvertex", "where 'facet' or 'endsolid' should be" },
    { "a.obj", "# nothing\n", "no triangles" },
    { "a.obj", TRIANGLE_OBJ, "no triangles" },
    { "a.obj", "v 0 0\n", "line 1: found '' where coordinate z" },
    { "a.obj", "v 0 x 0\n", "line 1: found 'x' where coordinate y" },
    { "a.obj", "v 0 0 1e999\n", "is not finite" },
    { "a.obj", TRIANGLE_OBJ "f 1 2\n", "line 4: a face has 2 corners" },
    { "a.obj", TRIANGLE_OBJ "f 1 2 0\n", "line 4: a face refers to vertex 0" },
    { "a.obj", TRIANGLE_OBJ "f 1 2 -4\n", "line 4: a face refers to vertex -4" },
    { "a.obj", TRIANGLE_OBJ "f 1 2 4\n", "line 4: a face refers to vertex 4; the file has 3" },
    { "a.obj", TRIANGLE_OBJ "f 1 2 99999999999\n", "line 4: found '99999999999'" },
    { "a.obj", TRIANGLE_OBJ "f 1 2 3x\n", "line 4: found '3x'" },
    { "a.obj", TRIANGLE_OBJ "f 1 2 \\", "2 corners" },
    { "a.ply", "plx\n", "not STL, OBJ or PLY" },
    { "a.ply", "ply\n", "without 'end_header'" },
    { "a.ply", "ply\nformat morse 1.0\n", "line 2: found 'morse'" },
    { "a.ply", "ply\nelement vertex many\n", "found 'many'" },
    { "a.ply", "ply\nelement vertex -1\n", "found '-1'" },
    { "a.ply", "ply\nproperty float x\n", "a property before the first" },
    { "a.ply", "ply\nelement vertex 1\nproperty real x\n", "line 3: found 'real' where a type" },
    { "a.ply", "ply\nnonsense\n", "line 2: found 'nonsense'" },
    { "a.ply", "ply\nend_header\n", "no element 'vertex'" },
    { "a.ply", PLY_HEAD "end_header\n", "no element 'face'" },
    { "a.ply", PLY_HEAD PLY_FACE "0 0 0\n1 0", "announces 3 items" },
    { "a.ply", PLY_HEAD PLY_FACE PLY_POINTS, "line 13: the file ends where a number should be" },
    { "a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1", "the file ends where a number should be" },
    { "a.ply", PLY_HEAD PLY_FACE PLY_POINTS "2 0 1\n", "line 13: a face has fewer than 3 corners" },
    { "a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1 3\n", "triangle 1 refers to vertex 3" },
    { "a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1 -1\n", "refers to vertex -1" },
    { "a.ply", PLY_HEAD PLY_FACE PLY_POINTS "3 0 1 1.5\n", "refers to vertex 1.5" },
    { "a.ply", PLY_HEAD PLY_STRIP PLY_POINTS "2 0 1\n", "no triangles" },
    { "a.ply", PLY_HEAD PLY_STRIP PLY_POINTS "3 0 1 3\n", "triangle 1 refers to vertex 3" },
    { "a.ply", PLY_HEAD PLY_STRIP PLY_POINTS "3 0 1 -2\n", "refers to vertex -2" },
    { "a.ply", PLY_HEAD PLY_STRIP PLY_POINTS "4 0 1 2\n", "the file ends where a number should be" },
    { "a.ply", PLY_HEAD PLY_STRIP PLY_POINTS "400 0 1 2\n", "announces 400 items" },
    { "a.ply", PLY_HEAD PLY_FACE PLY_POINTS "1e18 0 1 2\n", "announces 1e+18 items" },
    { "a.ply", PLY_HEAD PLY_FACE "0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n", "line 10: found 'nan'" },
    { "a.ply",
      "ply\nelement vertex 999999999999999\nproperty float x\nproperty float y\nproperty float z\n" PLY_FACE "0",
      "announces 999999999999999 items" },
    { "a.ply",
      "ply\nelement nothing 999999999999999\n" /* items without properties: not a loop of centuries */
      "element vertex 0\nproperty int x\nproperty int y\nproperty int z\nelement face 0\n"
      "property list uchar int vertex_indices\nend_header\n",
      "no triangles" },
};

static void check_bad(const char *name, const void *content, size_t size, const char *part)
{
    carom_error err = { 0 };
    mesh *m = NULL;
    carom_status status = mesh_parse(&m, content, size, name, 1.0, &err);
    if (status != CAROM_BAD_INPUT || !strstr(err.message, part) || !strstr(err.message, name)) {
        print_error("expected '%s', got status %d and '%s'\n", part, status, err.message);
        fail();
    }
    CHECK(m == NULL);
}

TEST(mesh_file, bad_texts_are_refused_with_place_and_cause)
{
    for (size_t i = 0; i < sizeof bad_texts / sizeof bad_texts[0]; ++i) {
        size_t size = strlen(bad_texts[i].content);
        char *exact = malloc(size + 1); /* so that a sanitizer sees a read beyond the end */
        memcpy(exact, bad_texts[i].content, size);
        exact = realloc(exact, size ? size : 1);
        check_bad(bad_texts[i].name, exact, size, bad_texts[i].part);
        free(exact);
    }
}

TEST(mesh_file, bad_binary_stl_is_refused)
{
    mesh *m = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    bytes b = write_stl_binary(m);
    memset(b.data, 'x', 5); /* no "solid": else a wrong size would make it a text */
    check_bad("a.stl", b.data, b.size - 1, "take 684 bytes");
    uint32_t huge = UINT32_MAX;
    memcpy(b.data + 80, &huge, sizeof huge);
    check_bad("a.stl", b.data, b.size, "4294967295 triangles");
    uint32_t none = 0;
    memcpy(b.data + 80, &none, sizeof none);
    check_bad("a.stl", b.data, 84, "no triangles");
    uint32_t all = 12;
    memcpy(b.data + 80, &all, sizeof all);
    float bad[] = { NAN, INFINITY, -INFINITY, 1e30f };
    for (int i = 0; i < 4; ++i) {
        memcpy(b.data + 84 + 50 + 12 + 4, &bad[i], sizeof bad[i]);
        check_bad("a.stl", b.data, b.size, "byte 146: corner");
    }
    free(b.data);
    mesh_destroy(m);
}

TEST(mesh_file, bad_binary_ply_is_refused)
{
    mesh *m = box_mesh(v3_make(0, 0, 0), v3_make(1, 1, 1));
    bytes b = write_ply_little(m);
    check_bad("a.ply", b.data, b.size - 1, "announces 8 items");
    const char *end = "end_header\n";
    unsigned char *face = b.data;
    while (memcmp(face, end, strlen(end)) != 0) {
        ++face;
    }
    face += strlen(end);
    face[1] = 255;
    check_bad("a.ply", b.data, b.size, "announces 255 items");
    face[1] = 3;
    face[5] = 0xff;
    check_bad("a.ply", b.data, b.size, "refers to vertex 4.27");
    face[5] = 0x01;
    check_bad("a.ply", b.data, b.size, "triangle 1 refers to vertex 16777216");
    free(b.data);
    mesh_destroy(m);
}

TEST(mesh_file, bad_arguments_and_places)
{
    carom_error err = { 0 };
    mesh *m;
    CHECK_EQ(mesh_read(&m, "no/such/file.stl", 1.0, &err), CAROM_IO_FAILED);
    CHECK_CONTAINS(err.message, "no/such/file.stl");
    CHECK_EQ(mesh_read(&m, ".", 1.0, &err), CAROM_IO_FAILED);
    CHECK_CONTAINS(err.message, "not a regular file");
    CHECK_EQ(mesh_read(&m, "/dev/zero", 1.0, &err), CAROM_IO_FAILED);
    static const double scales[] = { 0.0, -1.0, (double)NAN, HUGE_VAL };
    for (int i = 0; i < 4; ++i) {
        CHECK_EQ(mesh_parse(&m, TRIANGLE_OBJ "f 1 2 3\n", 32, "a.obj", scales[i], &err), CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, "scale");
    }
    CHECK_EQ(mesh_parse(&m, "", 0, "a.obj", 1.0, NULL), CAROM_BAD_INPUT);
}

/* ---- anything at all --------------------------------------------------------------------------------------------------- */

static void check_sound(const mesh *m)
{
    for (int i = 0; i < m->vertex_count; ++i) {
        CHECK(v3_finite(m->vertices[i]));
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            CHECK(m->triangles[t][k] >= 0 && m->triangles[t][k] < m->vertex_count);
        }
    }
}

static size_t random_below(test_rng *rng, size_t limit)
{
    return (size_t)test_rng_uniform(rng, 0.0, (double)limit);
}

/* Overwrites some bytes and cuts the end off now and then. */
static bytes damaged(const bytes *good, test_rng *rng)
{
    bytes b = { 0 };
    size_t size = random_below(rng, 3) == 0 ? random_below(rng, good->size) : good->size;
    put(&b, good->data, size);
    for (size_t hits = random_below(rng, 6); hits > 0 && size > 0; --hits) {
        static const char likely[] = "0123456789-+.eE /\n\\nan#";
        size_t at = random_below(rng, 2) ? random_below(rng, size) : random_below(rng, size < 200 ? size : 200);
        b.data[at] = random_below(rng, 2) ? (unsigned char)likely[random_below(rng, sizeof likely - 1)]
                                          : (unsigned char)random_below(rng, 256);
    }
    return b;
}

TEST(mesh_file, damaged_files_are_read_or_refused)
{
    mesh *m = float_torus(4, 3);
    for (int f = 0; f < FORMAT_COUNT; ++f) {
        bytes good = formats[f].write(m);
        FOR_EACH_SEED(rng, 1500) {
            bytes b = damaged(&good, &rng);
            carom_error err = { 0 };
            mesh *back;
            carom_status status = mesh_parse(&back, b.data, b.size, formats[f].name, 1.0, &err);
            CHECK(status == CAROM_OK || status == CAROM_BAD_INPUT);
            CHECK((back != NULL) == (status == CAROM_OK));
            if (back) {
                mesh_quality quality;
                check_sound(back);
                CHECK_OK(mesh_inspect(back, &quality, &err), err);
            }
            mesh_destroy(back);
            free(b.data);
        }
        free(good.data);
    }
    mesh_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mesh_file, every_format_gives_back_the_mesh),
        RUN_TEST(mesh_file, text_formats_keep_every_bit),
        RUN_TEST(mesh_file, from_disk_with_scale),
        RUN_TEST(mesh_file, equal_vertices_are_welded_and_strays_dropped),
        RUN_TEST(mesh_file, wires_and_points_of_an_obj_file),
        RUN_TEST(mesh_file, files_without_wires_are_refused),
        RUN_TEST(mesh_file, polygons_become_fans),
        RUN_TEST(mesh_file, several_solids_in_one_file),
        RUN_TEST(mesh_file, ply_strips_become_triangles_that_face_one_way),
        RUN_TEST(mesh_file, bad_texts_are_refused_with_place_and_cause),
        RUN_TEST(mesh_file, bad_binary_stl_is_refused),
        RUN_TEST(mesh_file, bad_binary_ply_is_refused),
        RUN_TEST(mesh_file, bad_arguments_and_places),
        RUN_TEST(mesh_file, damaged_files_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
