/* Reading what does not move from result.h5. The file is not trusted: indices must lie within what they point into,
 * counts of surfaces must ascend. */
#include "result/result_shapes.h"

#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "result/result_read.h"

/* Tables of the file, freed together. */
typedef struct raw_table {
    double *data;
    size_t rows;
} raw_table;

/* Where HDF5 cannot say, reading it will. */
static bool exists(hid_t file, const char *path)
{
    return H5Lexists(file, path, H5P_DEFAULT) != 0;
}

static bool read_raw(raw_table *t, hid_t file, const char *path, size_t columns, size_t rows)
{
    return h5_read_table(file, path, columns, &t->data, &t->rows) && t->rows == rows;
}

static bool is_index(double value, double low, double count)
{
    return value >= low && value < count && value == floor(value);
}

bool result_is_rotation(const double q[4], double *length)
{
    const double rounding = 1e-6; /* a user may have rewritten the file in single precision, which rounds by 6e-8 */
    *length = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    return fabs(*length - 1.0) <= rounding;
}

/* False: the orientation is no rotation. */
static bool read_pose(carom_pose *pose, const double *position, const double *orientation, size_t row)
{
    const double *p = position + 3 * row;
    const double *q = orientation + 4 * row;
    double length;
    bool ok = result_is_rotation(q, &length);
    *pose = (carom_pose){ { p[0], p[1], p[2] }, ok ? q_unit((quat){ q[0], q[1], q[2], q[3] }) : q_identity() };
    return ok;
}

static const char *kept_text(carom_arena *arena, const char *text)
{
    const char *kept = carom_arena_text(arena, text);
    return kept ? kept : "";
}

/* ---- bodies ------------------------------------------------------------------------------------------------------- */

static bool read_bodies(result_shapes *s, carom_arena *arena, hid_t file, char *const *names, size_t count)
{
    char **roles = NULL;
    size_t role_count = 0;
    raw_table mass = { 0 };
    raw_table color = { 0 };
    bool has_roles = exists(file, "bodies/role");
    bool has_mass = exists(file, "bodies/mass");
    bool has_color = exists(file, "bodies/color");
    bool ok = (!has_roles || (h5_read_texts(file, "bodies/role", &roles, &role_count) && role_count == count)) &&
              (!has_mass || read_raw(&mass, file, "bodies/mass", 1, count)) &&
              (!has_color || read_raw(&color, file, "bodies/color", 3, count));
    s->bodies = CAROM_ARENA_ARRAY(arena, carom_result_body, count + 1);
    for (size_t i = 0; ok && s->bodies && i < count; ++i) {
        carom_result_body *body = &s->bodies[i];
        *body = (carom_result_body){ .name = names[i], .role = "free", .color = { -1.0, -1.0, -1.0 } };
        body->role = has_roles ? kept_text(arena, roles[i]) : body->role;
        body->mass = has_mass ? mass.data[i] : 0.0;
        for (int c = 0; has_color && c < 3; ++c) {
            body->color[c] = color.data[3 * i + (size_t)c];
        }
    }
    free(roles);
    free(mass.data);
    free(color.data);
    return ok;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

static bool set_shape(carom_result_shape *shape, double body, double surface, double bodies, double surfaces)
{
    if (!is_index(body, -1.0, bodies) || !is_index(surface, -1.0, surfaces)) {
        return false;
    }
    shape->body = result_body_of_row((int)body);
    shape->surface = (int)surface;
    return true;
}

static bool read_shape_tables(result_shapes *s, carom_arena *arena, hid_t file, size_t body_count)
{
    char **kinds = NULL;
    size_t count = 0;
    raw_table body = { 0 };
    raw_table surface = { 0 };
    raw_table position = { 0 };
    raw_table orientation = { 0 };
    bool ok = h5_read_texts(file, "shapes/kind", &kinds, &count) && read_raw(&body, file, "shapes/body", 1, count) &&
              read_raw(&surface, file, "shapes/surface", 1, count) &&
              read_raw(&position, file, "shapes/position", 3, count) &&
              read_raw(&orientation, file, "shapes/orientation", 4, count);
    s->shapes = ok ? CAROM_ARENA_ARRAY(arena, carom_result_shape, count + 1) : NULL;
    for (size_t i = 0; s->shapes && ok && i < count; ++i) {
        s->shapes[i].kind = kept_text(arena, kinds[i]);
        ok = read_pose(&s->shapes[i].pose_b, position.data, orientation.data, i) &&
             set_shape(&s->shapes[i], body.data[i], surface.data[i], (double)body_count, (double)s->surface_count);
    }
    s->shape_count = ok && s->shapes ? count : 0;
    free(kinds);
    free(body.data);
    free(surface.data);
    free(position.data);
    free(orientation.data);
    return ok;
}

static bool ascends(const double *first, size_t count)
{
    bool ok = first[0] == 0.0;
    for (size_t i = 1; ok && i < count; ++i) {
        ok = first[i] >= first[i - 1] && first[i] < 2147483647.0 && first[i] == floor(first[i]);
    }
    return ok;
}

static bool read_surface_table(result_shapes *s, hid_t file)
{
    size_t vertices = 0;
    size_t triangles = 0;
    bool ok = h5_read_table(file, "surfaces/first_vertex", 1, &s->first_vertex, &vertices) &&
              h5_read_table(file, "surfaces/first_triangle", 1, &s->first_triangle, &triangles) && vertices > 0 &&
              vertices == triangles && ascends(s->first_vertex, vertices) && ascends(s->first_triangle, triangles);
    s->surface_count = ok ? vertices - 1 : 0;
    return ok;
}

/* ---- joints ------------------------------------------------------------------------------------------------------- */

typedef struct marker_tables {
    raw_table body, position, orientation;
} marker_tables;

static bool read_markers(marker_tables *m, hid_t file, const char *const names[3], size_t count)
{
    return read_raw(&m->body, file, names[0], 1, count) && read_raw(&m->position, file, names[1], 3, count) &&
           read_raw(&m->orientation, file, names[2], 4, count);
}

static void free_markers(marker_tables *m)
{
    free(m->body.data);
    free(m->position.data);
    free(m->orientation.data);
}

/* Body and marker of row j. */
static bool set_marker(const marker_tables *m, size_t j, double least, size_t body_count, carom_id *body,
                       carom_pose *marker_b)
{
    double row = m->body.data[j];
    bool ok = is_index(row, least, (double)body_count);
    *body = ok && row > RESULT_NO_BODY ? result_body_of_row((int)row) : CAROM_NONE;
    return read_pose(marker_b, m->position.data, m->orientation.data, j) && ok;
}

static bool set_markers(result_shapes *s, const marker_tables *m, int side, size_t body_count)
{
    bool ok = true;
    for (size_t j = 0; ok && j < s->joint_count; ++j) {
        ok = set_marker(m, j, -1.0, body_count, &s->joints[j].body[side], &s->joints[j].marker_b[side]);
        s->joints[j].has_markers = true;
    }
    return ok;
}

static bool read_both_markers(result_shapes *s, hid_t file, size_t body_count)
{
    static const char *const names[2][3] = {
        { "joints/body_a", "joints/position_a", "joints/orientation_a" },
        { "joints/body_b", "joints/position_b", "joints/orientation_b" },
    };
    bool ok = true;
    for (int side = 0; ok && side < 2; ++side) {
        marker_tables m = { 0 };
        ok = read_markers(&m, file, names[side], s->joint_count) && set_markers(s, &m, side, body_count);
        free_markers(&m);
    }
    return ok;
}

static bool read_joints(result_shapes *s, carom_arena *arena, hid_t file, size_t body_count)
{
    char **names = NULL;
    char **types = NULL;
    size_t count = 0;
    size_t type_count = 0;
    bool ok = h5_read_texts(file, "joints/name", &names, &count) &&
              h5_read_texts(file, "joints/type", &types, &type_count) && count == type_count;
    s->joints = ok ? CAROM_ARENA_ARRAY(arena, carom_result_joint, count + 1) : NULL;
    s->joint_count = s->joints ? count : 0;
    for (size_t j = 0; j < s->joint_count; ++j) {
        s->joints[j] = (carom_result_joint){
            kept_text(arena, names[j]), kept_text(arena, types[j]), { CAROM_NONE, CAROM_NONE }, .has_markers = false
        };
    }
    free(names);
    free(types);
    return ok && (!exists(file, "joints/body_a") || read_both_markers(s, file, body_count));
}

/* ---- forces ------------------------------------------------------------------------------------------------------- */

static bool set_forces(result_shapes *s, const marker_tables m[2], const raw_table *joint, const raw_table *turns,
                       size_t body_count)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->force_count; ++i) {
        carom_result_force *f = &s->forces[i];
        ok = is_index(joint->data[i], -1.0, (double)s->joint_count) && is_index(turns->data[i], 0.0, 2.0) &&
             set_marker(&m[0], i, -1.0, body_count, &f->body[0], &f->marker_b[0]) &&
             set_marker(&m[1], i, RESULT_NO_BODY, body_count, &f->body[1], &f->marker_b[1]);
        f->joint = ok ? (int)joint->data[i] : -1;
        f->turns = ok && turns->data[i] != 0.0;
    }
    return ok;
}

static bool read_forces(result_shapes *s, carom_arena *arena, hid_t file, size_t body_count)
{
    static const char *const sides[2][3] = { { "forces/body_a", "forces/position_a", "forces/orientation_a" },
                                             { "forces/body_b", "forces/position_b", "forces/orientation_b" } };
    char **names = NULL, **kinds = NULL;
    size_t count = 0, kind_count = 0;
    raw_table joint = { 0 }, turns = { 0 };
    marker_tables markers[2] = { 0 };
    bool ok = h5_read_texts(file, "forces/name", &names, &count) &&
              h5_read_texts(file, "forces/kind", &kinds, &kind_count) && count == kind_count &&
              read_raw(&joint, file, "forces/joint", 1, count) && read_raw(&turns, file, "forces/turns", 1, count) &&
              read_markers(&markers[0], file, sides[0], count) && read_markers(&markers[1], file, sides[1], count);
    s->forces = ok ? CAROM_ARENA_ARRAY(arena, carom_result_force, count + 1) : NULL;
    s->force_count = s->forces ? count : 0;
    for (size_t i = 0; i < s->force_count; ++i) {
        s->forces[i] = (carom_result_force){ .name = kept_text(arena, names[i]), .kind = kept_text(arena, kinds[i]) };
    }
    ok = ok && (!s->forces || set_forces(s, markers, &joint, &turns, body_count));
    free(names);
    free(kinds);
    free(joint.data);
    free(turns.data);
    free_markers(&markers[0]);
    free_markers(&markers[1]);
    return ok;
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

bool result_shapes_open(result_shapes *s, carom_arena *arena, hid_t file, char *const *body_names, size_t body_count,
                        const char **what)
{
    *what = NULL;
    if (!read_bodies(s, arena, file, body_names, body_count)) {
        *what = "bodies";
    } else if (!read_joints(s, arena, file, body_count)) {
        *what = "joints";
    } else if (exists(file, "forces") && !read_forces(s, arena, file, body_count)) {
        *what = "forces";
    } else if (exists(file, "surfaces") && !read_surface_table(s, file)) {
        *what = "surfaces";
    } else if (exists(file, "shapes") && !read_shape_tables(s, arena, file, body_count)) {
        *what = "shapes";
    }
    *what = arena->failed ? NULL : *what;
    return !*what && !arena->failed;
}

/* Corners are numbered within their own surface. */
static bool take_triangles(result_shapes *s, const double *corners)
{
    bool ok = true;
    for (size_t k = 0; ok && k < s->surface_count; ++k) {
        double vertices = s->first_vertex[k + 1] - s->first_vertex[k];
        size_t end = 3 * (size_t)s->first_triangle[k + 1];
        for (size_t i = 3 * (size_t)s->first_triangle[k]; ok && i < end; ++i) {
            ok = is_index(corners[i], 0.0, vertices);
            s->triangles[i] = ok ? (int32_t)corners[i] : 0;
        }
    }
    return ok;
}

bool result_shapes_load(result_shapes *s, hid_t file, const char **what)
{
    raw_table vertices = { 0 };
    raw_table corners = { 0 };
    size_t n = s->surface_count;
    *what = NULL;
    if (s->vertices || n == 0) {
        return true;
    }
    bool there = read_raw(&vertices, file, "surfaces/vertices", 3, (size_t)s->first_vertex[n]) &&
                 read_raw(&corners, file, "surfaces/triangles", 3, (size_t)s->first_triangle[n]);
    s->triangles = there ? malloc((3 * corners.rows + 1) * sizeof *s->triangles) : NULL;
    bool ok = s->triangles && take_triangles(s, corners.data);
    *what = ok || (there && !s->triangles) ? NULL : "surfaces";
    if (ok) {
        s->vertices = vertices.data;
    } else {
        free(vertices.data);
        free(s->triangles);
        s->triangles = NULL;
    }
    free(corners.data);
    return ok;
}

void result_shapes_close(result_shapes *s)
{
    free(s->first_vertex);
    free(s->first_triangle);
    free(s->vertices);
    free(s->triangles);
}
