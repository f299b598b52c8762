/* mesh.h and sdf.h: surfaces that refer to no vertex, fields of nothing, slices across no axis. */
#include "interface.h"

static const char *const no_files[] = { NULL, "", "/no/such/file.stl", "/dev" };

static void destroy_mesh(void)
{
    carom_mesh_destroy(NULL);
}

static void read_mesh(void)
{
    carom_mesh *mesh = the.mesh;
    REFUSES(carom_mesh_read, NULL, path_of("box.ply"), 1.0);
    FAILS(carom_mesh_read, &mesh, long_path(".stl"), 1.0);
    FOR_EACH(file, no_files)
    {
        mesh = the.mesh;
        FAILS(carom_mesh_read, &mesh, ITEM(file, no_files), 1.0);
        CHECK(mesh == NULL);
    }
    FOR_EACH(scale, not_positive)
    {
        REFUSES(carom_mesh_read, &mesh, path_of("box.ply"), ITEM(scale, not_positive));
    }
}

static void formats(void)
{
    CHECK_CONTAINS(carom_mesh_formats(), "STL");
}

static void write_mesh(void)
{
    REFUSES(carom_mesh_write, NULL, path_of("out.ply"), CAROM_MESH_BINARY);
    REFUSES(carom_mesh_write, the.mesh, NULL, CAROM_MESH_BINARY);
    REFUSES(carom_mesh_write, the.mesh, "", CAROM_MESH_BINARY);
    REFUSES(carom_mesh_write, the.mesh, "no suffix", CAROM_MESH_BINARY);
    FAILS(carom_mesh_write, the.mesh, long_path(".ply"), CAROM_MESH_BINARY);
    FOR_EACH(id, strange_ids)
    {
        REFUSES(carom_mesh_write, the.mesh, path_of("out.ply"), (carom_mesh_encoding)ITEM(id, strange_ids));
    }
}

static void create_mesh(void)
{
    carom_mesh *mesh = NULL;
    const carom_v3 vertices[3] = { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } };
    const carom_v3 endless[3] = { { 0.0, 0.0, 0.0 }, { (double)INFINITY, 0.0, 0.0 }, { 0.0, (double)NAN, 0.0 } };
    const int triangles[1][3] = { { 0, 1, 2 } };
    REFUSES(carom_mesh_create, NULL, vertices, 3, triangles, 1);
    REFUSES(carom_mesh_create, &mesh, NULL, 3, triangles, 1);
    REFUSES(carom_mesh_create, &mesh, vertices, 3, NULL, 1);
    REFUSES(carom_mesh_create, &mesh, endless, 3, triangles, 1);
    const int counts[] = { -1, 0, INT_MIN };
    FOR_EACH(count, counts)
    {
        REFUSES(carom_mesh_create, &mesh, vertices, ITEM(count, counts), triangles, 1);
        REFUSES(carom_mesh_create, &mesh, vertices, 3, triangles, ITEM(count, counts));
    }
    REFUSES(carom_mesh_create, &mesh, vertices, 3, triangles, INT_MAX);
    const int corners[] = { -1, 3, INT_MIN, INT_MAX };
    FOR_EACH(corner, corners)
    {
        const int bad[1][3] = { { 0, 1, ITEM(corner, corners) } };
        REFUSES(carom_mesh_create, &mesh, vertices, 3, bad, 1);
    }
    CHECK(mesh == NULL);
}

static void vertex_count(void)
{
    CHECK_EQ(carom_mesh_vertex_count(NULL), 0);
}

static void triangle_count(void)
{
    CHECK_EQ(carom_mesh_triangle_count(NULL), 0);
}

static void vertices(void)
{
    CHECK(carom_mesh_vertices(NULL) == NULL);
}

static void triangles(void)
{
    CHECK(carom_mesh_triangles(NULL) == NULL);
}

static void get_info(void)
{
    carom_mesh_info info = { .area = 7.0 };
    carom_mesh_get_info(NULL, &info);
    CHECK_NEAR(info.area, 0.0, 0.0);
    carom_mesh_get_info(the.mesh, NULL);
    carom_mesh_get_info(NULL, NULL);
}

static void defect_name(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_mesh_defect_name((carom_mesh_defect_kind)ITEM(id, strange_ids)), "");
    }
}

static void defect_meaning(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_mesh_defect_meaning((carom_mesh_defect_kind)ITEM(id, strange_ids)), "");
    }
}

static void check_mesh(void)
{
    carom_mesh_report report;
    REFUSES(carom_mesh_check, NULL, &report);
    REFUSES(carom_mesh_check, the.mesh, NULL);
}

static void repair_defaults(void)
{
    CHECK_GE(carom_mesh_repair_defaults().weld, 0.0);
}

static void repair(void)
{
    carom_mesh_repair_options options = carom_mesh_repair_defaults();
    carom_mesh_repair_log log;
    REFUSES(carom_mesh_repair, NULL, &options, &log);
    FOR_EACH(weld, not_nonnegative)
    {
        options.weld = ITEM(weld, not_nonnegative);
        REFUSES(carom_mesh_repair, the.mesh, &options, &log);
    }
    const int fills[] = { -1, INT_MIN, INT_MAX };
    FOR_EACH(fill, fills)
    {
        options = carom_mesh_repair_defaults();
        options.fill = ITEM(fill, fills);
        REFUSES(carom_mesh_repair, the.mesh, &options, NULL);
    }
}

static void refine(void)
{
    REFUSES(carom_mesh_refine, NULL, 100);
    const int counts[] = { -1, 0, INT_MIN, INT_MAX };
    FOR_EACH(count, counts)
    {
        REFUSES(carom_mesh_refine, the.mesh, ITEM(count, counts));
    }
}

static void refine_edges(void)
{
    REFUSES(carom_mesh_refine_edges, NULL, 0.1);
    REFUSES(carom_mesh_refine_edges, the.mesh, 1e-300);
    FOR_EACH(length, not_positive)
    {
        REFUSES(carom_mesh_refine_edges, the.mesh, ITEM(length, not_positive));
    }
}

static void make_mesh(void)
{
    carom_mesh *mesh = the.mesh;
    const char *const kinds[] = { NULL, "", "no such mesh", overlong() };
    REFUSES(carom_mesh_make, NULL, "box", NULL);
    FOR_EACH(kind, kinds)
    {
        mesh = the.mesh;
        REFUSES(carom_mesh_make, &mesh, ITEM(kind, kinds), NULL);
        CHECK(mesh == NULL);
    }
    FOR_EACH(x, not_positive)
    {
        const carom_make_sphere sphere = { .radius = ITEM(x, not_positive) };
        REFUSES(carom_mesh_make, &mesh, "sphere", &sphere);
    }
    const carom_make_sphere sphere = { .radius = 1.0, .triangles = INT_MIN };
    REFUSES(carom_mesh_make, &mesh, "sphere", &sphere);
}

static void linking_number_of_nothing(void)
{
    const carom_v3 corners[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    CHECK(isnan(carom_linking_number(NULL, 3, corners, 3)));
    CHECK(isnan(carom_linking_number(corners, 3, NULL, 3)));
    CHECK(isnan(carom_linking_number(corners, 2, corners, 3)));
    CHECK(isnan(carom_linking_number(corners, 3, corners, INT_MIN)));
}

/* ---- distance fields ---------------------------------------------------------------------------------------------- */

static void options_default(void)
{
    CHECK_GE(carom_sdf_options_default().scale, 1.0);
}

static void check_bad_options(const carom_sdf_options *options)
{
    carom_sdf *field = the.field;
    REFUSES(carom_sdf_open, path_of("box.ply"), options, &field);
    CHECK(field == NULL);
}

static void open_options(void)
{
    carom_sdf_options good = carom_sdf_options_default();
    good.cache = "";
    FOR_EACH(x, not_positive)
    {
        carom_sdf_options o = good;
        o.scale = ITEM(x, not_positive);
        check_bad_options(&o);
    }
    FOR_EACH(x, not_nonnegative)
    {
        for (int which = 0; which < 4; ++which) {
            carom_sdf_options o = good;
            double *const lengths[] = { &o.spacing, &o.margin, &o.band, &o.tolerance };
            *lengths[which] = ITEM(x, not_nonnegative);
            check_bad_options(&o);
        }
    }
    FOR_EACH(id, strange_ids)
    {
        carom_sdf_options o = good;
        o.resolution = ITEM(id, strange_ids);
        if (o.resolution != 1000000) { /* large, but a resolution */
            check_bad_options(&o);
        }
        o = good;
        o.threads = ITEM(id, strange_ids);
        check_bad_options(&o);
    }
    const char *const names[] = { NULL, "", "no such kind", overlong() };
    FOR_EACH(name, names)
    {
        carom_sdf_options o = good;
        o.kind = ITEM(name, names);
        check_bad_options(&o);
        o = good;
        o.sign = ITEM(name, names);
        check_bad_options(&o);
    }
}

static void open_field(void)
{
    carom_sdf *field = NULL;
    REFUSES(carom_sdf_open, path_of("box.ply"), NULL, NULL);
    FOR_EACH(file, no_files)
    {
        field = the.field;
        FAILS(carom_sdf_open, ITEM(file, no_files), NULL, &field);
        CHECK(field == NULL);
    }
    FAILS(carom_sdf_open, long_path(".stl"), NULL, &field);
    open_options();
    carom_sdf_options o = carom_sdf_options_default();
    o.resolution = 8;
    o.cache = long_path(""); /* a field that cannot be kept is made all the same, or refused */
    if (carom_sdf_open(path_of("box.ply"), &o, &field, NULL) == CAROM_OK) {
        carom_sdf_destroy(field);
    }
}

static void save_field(void)
{
    REFUSES(carom_sdf_save, NULL, path_of("field.sdf"));
    REFUSES(carom_sdf_save, the.field, NULL);
    REFUSES(carom_sdf_save, the.field, "");
    FAILS(carom_sdf_save, the.field, long_path(".sdf"));
}

static void destroy_field(void)
{
    carom_sdf_destroy(NULL);
}

static void about_field(void)
{
    CHECK(carom_sdf_about(NULL).kind == NULL);
}

static void remarks(void)
{
    CHECK(carom_sdf_remarks(NULL) == NULL);
}

static void sample(void)
{
    const double strange[] = { (double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1e300, 1e18 };
    carom_v3 gradient;
    const carom_v3 middle = { 0.0, 0.0, 0.0 };
    CHECK(isinf(carom_sdf_sample(NULL, middle, &gradient)));
    CHECK_NEAR(gradient.x, 0.0, 0.0);
    CHECK(carom_sdf_sample(the.field, middle, NULL) < 0.0);
    FOR_EACH(x, strange)
    {
        const carom_v3 places[] = { { ITEM(x, strange), 0.0, 0.0 }, { 0.0, ITEM(x, strange), ITEM(x, strange) } };
        FOR_EACH(place, places)
        {
            double distance = carom_sdf_sample(the.field, ITEM(place, places), &gradient);
            CHECK(isnan(distance) || distance > 0.0);
        }
    }
}

static void slice_of_box(void)
{
    CHECK_EQ(carom_sdf_slice_of_box(NULL, 0, 0.0, 10).columns, 0);
    CHECK_EQ(carom_sdf_slice_of_box(the.field, 3, 0.0, 10).columns, 0);
    CHECK_EQ(carom_sdf_slice_of_box(the.field, 0, (double)NAN, 10).columns, 0);
    CHECK_EQ(carom_sdf_slice_of_box(the.field, 0, 0.0, 0).columns, 0);
    CHECK_EQ(carom_sdf_slice_of_box(the.field, 0, 0.0, INT_MAX).columns, INT_MAX);
    FOR_EACH(id, strange_ids)
    {
        CHECK_EQ(carom_sdf_slice_of_box(the.field, ITEM(id, strange_ids), 0.0, 10).columns, 0);
    }
}

static void slice_values(void)
{
    double out[4];
    const carom_sdf_slice good = { .high = { 1.0, 1.0 }, .columns = 2, .rows = 2 };
    carom_sdf_slice slice = good;
    REFUSES(carom_sdf_slice_values, NULL, &slice, out);
    REFUSES(carom_sdf_slice_values, the.field, NULL, out);
    REFUSES(carom_sdf_slice_values, the.field, &slice, NULL);
    slice.at = (double)NAN;
    REFUSES(carom_sdf_slice_values, the.field, &slice, out);
    FOR_EACH(id, strange_ids)
    {
        slice = good;
        slice.axis = ITEM(id, strange_ids);
        REFUSES(carom_sdf_slice_values, the.field, &slice, out);
    }
    const int counts[] = { 0, -1, INT_MIN };
    FOR_EACH(count, counts)
    {
        slice = good;
        slice.columns = ITEM(count, counts);
        REFUSES(carom_sdf_slice_values, the.field, &slice, out);
        slice = good;
        slice.rows = ITEM(count, counts);
        REFUSES(carom_sdf_slice_values, the.field, &slice, out);
    }
    slice = good;
    slice.low[0] = (double)NAN;
    slice.high[1] = (double)INFINITY;
    carom_sdf_slice_values(the.field, &slice, out, NULL); /* distances that are none, nothing worse */
}

static void draw_slice(void)
{
    REFUSES(carom_sdf_draw_slice, NULL, 0, 0.0, 400, "title", path_of("slice.png"));
    REFUSES(carom_sdf_draw_slice, the.field, 0, 0.0, 400, "title", NULL);
    REFUSES(carom_sdf_draw_slice, the.field, 0, 0.0, 400, "title", "");
    FAILS(carom_sdf_draw_slice, the.field, 0, 0.0, 400, "title", long_path(".png"));
    CHECK_EQ(carom_sdf_draw_slice(the.field, 0, 0.0, 400, overlong(), path_of("slice.png"), NULL), CAROM_OK);
    REFUSES(carom_sdf_draw_slice, the.field, 0, (double)NAN, 400, NULL, path_of("slice.png"));
    FOR_EACH(id, strange_ids)
    {
        REFUSES(carom_sdf_draw_slice, the.field, ITEM(id, strange_ids), 0.0, 400, NULL, path_of("slice.png"));
        REFUSES(carom_sdf_draw_slice, the.field, 0, 0.0, ITEM(id, strange_ids), NULL, path_of("slice.png"));
    }
}

const interface_case interface_geometry[] = {
    { "carom_mesh_destroy", destroy_mesh },
    { "carom_mesh_read", read_mesh },
    { "carom_mesh_formats", formats },
    { "carom_mesh_write", write_mesh },
    { "carom_mesh_create", create_mesh },
    { "carom_mesh_vertex_count", vertex_count },
    { "carom_mesh_triangle_count", triangle_count },
    { "carom_mesh_vertices", vertices },
    { "carom_mesh_triangles", triangles },
    { "carom_mesh_get_info", get_info },
    { "carom_mesh_defect_name", defect_name },
    { "carom_mesh_defect_meaning", defect_meaning },
    { "carom_mesh_check", check_mesh },
    { "carom_mesh_repair_defaults", repair_defaults },
    { "carom_mesh_repair", repair },
    { "carom_mesh_refine", refine },
    { "carom_mesh_refine_edges", refine_edges },
    { "carom_mesh_make", make_mesh },
    { "carom_linking_number", linking_number_of_nothing },
    { "carom_sdf_options_default", options_default },
    { "carom_sdf_open", open_field },
    { "carom_sdf_save", save_field },
    { "carom_sdf_destroy", destroy_field },
    { "carom_sdf_about", about_field },
    { "carom_sdf_remarks", remarks },
    { "carom_sdf_sample", sample },
    { "carom_sdf_slice_of_box", slice_of_box },
    { "carom_sdf_slice_values", slice_values },
    { "carom_sdf_draw_slice", draw_slice },
    { NULL, NULL },
};
