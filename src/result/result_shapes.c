/* Writing what does not move into result.h5. Shapes of the same kind and size share one surface: a thousand balls cost
 * as much room as one. Round shapes are as fine as a picture needs, meshes as they are. */
#include "result/result_shapes.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/mesh.h"
#include "result/result_read.h"

enum { POINTS_AROUND = 36 }; /* of the widest ring of a round shape: chords miss the circle by 0.4 % */

/* A shape on its way to the file. */
typedef struct listed_shape {
    const model_shape *shape;
    int body;    /* of the model */
    int mesh;    /* of the model; -1: none. Shapes alike but for the file they come from have the same hash */
    int surface; /* -1: a plane */
    int order;
} listed_shape;

typedef struct shape_list {
    size_t count;
    listed_shape *items;   /* in the order of bodies */
    listed_shape **sorted; /* alike ones side by side */
    size_t surface_count;
    const mesh **surfaces;
    mesh **made; /* those that are not the model's; else NULL */
} shape_list;

/* ---- gathering ---------------------------------------------------------------------------------------------------- */

static bool has_surface(const model_shape *shape)
{
    return shape->mesh || shape->type->tessellate;
}

static size_t count_shapes(const carom_model *model)
{
    size_t count = 0;
    for (int i = 0; i < model->body_count; ++i) {
        count += (size_t)model->bodies[i].shape_count;
    }
    return count;
}

static int mesh_of(const carom_model *model, const model_shape *shape)
{
    int k = shape->mesh ? 0 : model->mesh_count;
    while (k < model->mesh_count && model->meshes[k].mesh != shape->mesh) {
        ++k;
    }
    return k < model->mesh_count ? k : -1;
}

static void list_shapes(shape_list *list, const carom_model *model)
{
    for (int i = 0; i < model->body_count; ++i) {
        for (int k = 0; k < model->bodies[i].shape_count; ++k) {
            listed_shape *item = &list->items[list->count];
            const model_shape *shape = &model->bodies[i].shapes[k];
            *item = (listed_shape){ shape, i, mesh_of(model, shape), -1, (int)list->count };
            list->sorted[list->count] = item;
            list->count += 1;
        }
    }
}

static int compare_kinds(const listed_shape *x, const listed_shape *y)
{
    if (x->shape->hash != y->shape->hash) {
        return x->shape->hash < y->shape->hash ? -1 : 1;
    }
    if (x->mesh != y->mesh) {
        return x->mesh < y->mesh ? -1 : 1;
    }
    return strcmp(x->shape->type->kind.name, y->shape->type->kind.name);
}

static int compare_listed(const void *a, const void *b)
{
    const listed_shape *x = *(listed_shape *const *)a;
    const listed_shape *y = *(listed_shape *const *)b;
    int by_kind = compare_kinds(x, y);
    return by_kind != 0 ? by_kind : (x->order > y->order) - (x->order < y->order);
}

static carom_status make_surface(shape_list *list, const model_shape *shape, carom_error *err)
{
    size_t k = list->surface_count;
    surface_grain grain = { .around = POINTS_AROUND };
    const carom_shape_type *type = shape->type;
    carom_status status = type->draw    ? type->draw(&list->made[k], shape->params, shape->mesh, err)
                          : shape->mesh ? CAROM_OK
                                        : type->tessellate(&list->made[k], shape->params, grain, err);
    list->surfaces[k] = list->made[k] ? list->made[k] : shape->mesh;
    list->surface_count += status == CAROM_OK;
    return status;
}

/* One surface for each group of shapes that are alike. */
static carom_status share_surfaces(shape_list *list, carom_error *err)
{
    carom_status status = CAROM_OK;
    qsort(list->sorted, list->count, sizeof *list->sorted, compare_listed);
    for (size_t i = 0; i < list->count && status == CAROM_OK; ++i) {
        listed_shape *item = list->sorted[i];
        if (!has_surface(item->shape)) {
            continue;
        }
        bool alike = i > 0 && compare_kinds(list->sorted[i - 1], item) == 0;
        status = alike ? CAROM_OK : make_surface(list, item->shape, err);
        item->surface = (int)list->surface_count - 1;
    }
    return status;
}

static carom_status gather(shape_list *list, const carom_model *model, carom_error *err)
{
    size_t count = count_shapes(model) + 1;
    list->items = calloc(count, sizeof *list->items);
    list->sorted = calloc(count, sizeof *list->sorted);
    list->surfaces = calloc(count, sizeof *list->surfaces);
    list->made = calloc(count, sizeof *list->made);
    if (!list->items || !list->sorted || !list->surfaces || !list->made) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for the surfaces of %zu shapes", count - 1);
    }
    list_shapes(list, model);
    return share_surfaces(list, err);
}

static void free_list(shape_list *list)
{
    for (size_t i = 0; i < list->surface_count; ++i) {
        mesh_destroy(list->made[i]);
    }
    free(list->items);
    free(list->sorted);
    free(list->surfaces);
    free(list->made);
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

/* Columns of a table on their way to the file. */
typedef struct pose_columns {
    double *position;    /* rows x 3 */
    double *orientation; /* rows x 4 */
} pose_columns;

static bool pose_columns_make(pose_columns *c, size_t rows)
{
    c->position = h5_memory(3 * rows + 1, sizeof(double));
    c->orientation = h5_memory(4 * rows + 1, sizeof(double));
    return c->position && c->orientation;
}

static void pose_columns_set(pose_columns *c, size_t row, carom_pose pose)
{
    v3_store(c->position + 3 * row, pose.position);
    memcpy(c->orientation + 4 * row, &pose.orientation, sizeof pose.orientation);
}

static void pose_columns_free(pose_columns *c)
{
    free(c->position);
    free(c->orientation);
}

static bool pose_columns_write(const pose_columns *c, hid_t group, const char *position, const char *orientation,
                               size_t rows)
{
    return h5_write_real_table(group, position, "m", c->position, rows, 3) &&
           h5_write_real_table(group, orientation, "", c->orientation, rows, 4);
}

/* The turn that takes z to the normal of a plane, which then is z = 0 in its own axes. */
static quat plane_turn(v3 normal)
{
    v3 axis = v3_cross(v3_make(0.0, 0.0, 1.0), normal);
    double sine = v3_norm(axis);
    if (sine == 0.0) {
        return normal.z < 0.0 ? (quat){ 0.0, 1.0, 0.0, 0.0 } : q_identity();
    }
    return q_axis_angle(v3_scale(1.0 / sine, axis), atan2(sine, normal.z));
}

static carom_pose drawn_pose(const listed_shape *item)
{
    carom_pose pose = item->shape->pose_b;
    if (item->surface < 0) {
        const carom_plane_def *plane = item->shape->params;
        pose.orientation = q_mul(pose.orientation, plane_turn(plane->normal));
    }
    return pose;
}

static bool write_shapes(hid_t group, const shape_list *list)
{
    pose_columns poses = { 0 };
    int32_t *body = h5_memory(list->count + 1, sizeof *body);
    int32_t *surface = h5_memory(list->count + 1, sizeof *surface);
    const char **kind = h5_memory(list->count + 1, sizeof *kind);
    bool ok = pose_columns_make(&poses, list->count) && body && surface && kind;
    for (size_t i = 0; ok && i < list->count; ++i) {
        const listed_shape *item = &list->items[i];
        body[i] = result_body_row(item->body);
        surface[i] = item->surface;
        kind[i] = item->shape->type->kind.name;
        pose_columns_set(&poses, i, drawn_pose(item));
    }
    ok = ok && h5_write_int_table(group, "body", body, list->count, 1) &&
         h5_write_int_table(group, "surface", surface, list->count, 1) &&
         h5_write_texts(group, "kind", kind, list->count) &&
         pose_columns_write(&poses, group, "position", "orientation", list->count);
    pose_columns_free(&poses);
    free(body);
    free(surface);
    free(kind);
    return ok;
}

static bool write_triangles(hid_t group, const shape_list *list, size_t vertices, size_t triangles)
{
    double *vertex = h5_memory(3 * vertices + 1, sizeof *vertex);
    int32_t *corner = h5_memory(3 * triangles + 1, sizeof *corner);
    size_t v = 0;
    size_t t = 0;
    bool ok = vertex && corner;
    for (size_t k = 0; ok && k < list->surface_count; ++k) {
        const mesh *m = list->surfaces[k];
        for (int i = 0; i < m->vertex_count; ++i, ++v) {
            v3_store(vertex + 3 * v, m->vertices[i]);
        }
        for (int i = 0; i < m->triangle_count; ++i, ++t) {
            for (int c = 0; c < 3; ++c) {
                corner[3 * t + (size_t)c] = m->triangles[i][c];
            }
        }
    }
    ok = ok && h5_write_real_table(group, "vertices", "m", vertex, vertices, 3) &&
         h5_write_int_table(group, "triangles", corner, triangles, 3);
    free(vertex);
    free(corner);
    return ok;
}

static bool write_surfaces(hid_t group, const shape_list *list)
{
    double *first_vertex = h5_memory(list->surface_count + 1, sizeof *first_vertex);
    double *first_triangle = h5_memory(list->surface_count + 1, sizeof *first_triangle);
    size_t n = list->surface_count;
    bool ok = first_vertex && first_triangle;
    for (size_t k = 0; ok && k < n; ++k) {
        first_vertex[k + 1] = first_vertex[k] + list->surfaces[k]->vertex_count;
        first_triangle[k + 1] = first_triangle[k] + list->surfaces[k]->triangle_count;
    }
    ok = ok && h5_write_reals(group, "first_vertex", "", first_vertex, n + 1) &&
         h5_write_reals(group, "first_triangle", "", first_triangle, n + 1) &&
         write_triangles(group, list, (size_t)first_vertex[n], (size_t)first_triangle[n]);
    free(first_vertex);
    free(first_triangle);
    return ok;
}

/* A marker of a joint or a force; body < 0: it has none. */
typedef struct listed_marker {
    int body;
    body_point point_c;
} listed_marker;

/* Markers as users give them: in body frames, not in those at the centres of mass. */
static bool write_markers(hid_t group, const carom_model *model, const listed_marker *markers, size_t count,
                          const char *const names[3])
{
    pose_columns poses = { 0 };
    int32_t *body = h5_memory(count + 1, sizeof *body);
    bool ok = pose_columns_make(&poses, count) && body;
    for (size_t j = 0; ok && j < count; ++j) {
        const listed_marker *m = &markers[j];
        carom_pose pose_b = { v3_zero(), q_identity() };
        if (m->body >= 0) {
            pose_b = (carom_pose){ v3_add(m->point_c.position, model->bodies[m->body].com_b),
                                   m->point_c.orientation };
        }
        body[j] = m->body >= 0 ? result_body_row(m->body) : RESULT_NO_BODY;
        pose_columns_set(&poses, j, pose_b);
    }
    ok = ok && h5_write_int_table(group, names[0], body, count, 1) &&
         pose_columns_write(&poses, group, names[1], names[2], count);
    pose_columns_free(&poses);
    free(body);
    return ok;
}

static bool write_joint_markers(hid_t file, const carom_model *model)
{
    static const char *const names[2][3] = { { "joints/body_a", "joints/position_a", "joints/orientation_a" },
                                             { "joints/body_b", "joints/position_b", "joints/orientation_b" } };
    size_t count = (size_t)model->joint_count;
    listed_marker *markers = h5_memory(count + 1, sizeof *markers);
    bool ok = markers != NULL;
    for (int side = 0; ok && side < 2; ++side) {
        for (size_t j = 0; j < count; ++j) {
            markers[j] = (listed_marker){ model->joints[j].body[side], model->joints[j].marker_c[side] };
        }
        ok = write_markers(file, model, markers, count, names[side]);
    }
    free(markers);
    return ok;
}

/* ---- forces ------------------------------------------------------------------------------------------------------- */

size_t result_force_count(const carom_model *model)
{
    size_t count = 0;
    for (int i = 0; i < model->force_count; ++i) {
        count += model_force_is_drawn(&model->forces[i]);
    }
    return count;
}

/* Those that drive a joint are where the joint is. */
static listed_marker force_marker(const carom_model *model, const model_force *f, int side)
{
    if (f->joint >= 0) {
        return (listed_marker){ model->joints[f->joint].body[side], model->joints[f->joint].marker_c[side] };
    }
    return (listed_marker){ f->body[side], f->marker_c[side] };
}

typedef struct force_columns {
    const char **name, **kind;
    int32_t *joint, *turns;
    listed_marker *marker[2];
} force_columns;

static void fill_forces(const force_columns *c, const carom_model *model)
{
    size_t row = 0;
    for (int i = 0; i < model->force_count; ++i) {
        const model_force *f = &model->forces[i];
        if (!model_force_is_drawn(f)) {
            continue;
        }
        c->name[row] = f->name ? f->name : "";
        c->kind[row] = f->type->symbol(f->params);
        c->joint[row] = f->joint;
        c->turns[row] = f->joint >= 0 && model->joints[f->joint].type->coordinates[f->coordinate].angle;
        c->marker[0][row] = force_marker(model, f, 0);
        c->marker[1][row] = force_marker(model, f, 1);
        ++row;
    }
}

static bool write_forces(hid_t file, const carom_model *model)
{
    static const char *const names[2][3] = { { "forces/body_a", "forces/position_a", "forces/orientation_a" },
                                             { "forces/body_b", "forces/position_b", "forces/orientation_b" } };
    size_t count = result_force_count(model);
    if (count == 0) {
        return true;
    }
    force_columns c = { h5_memory(count, sizeof *c.name),
                        h5_memory(count, sizeof *c.kind),
                        h5_memory(count, sizeof *c.joint),
                        h5_memory(count, sizeof *c.turns),
                        { h5_memory(count, sizeof *c.marker[0]), h5_memory(count, sizeof *c.marker[1]) } };
    bool ok = c.name && c.kind && c.joint && c.turns && c.marker[0] && c.marker[1];
    if (ok) {
        fill_forces(&c, model);
        ok = h5_write_texts(file, "forces/name", c.name, count) &&
             h5_write_texts(file, "forces/kind", c.kind, count) &&
             h5_write_int_table(file, "forces/joint", c.joint, count, 1) &&
             h5_write_int_table(file, "forces/turns", c.turns, count, 1) &&
             write_markers(file, model, c.marker[0], count, names[0]) &&
             write_markers(file, model, c.marker[1], count, names[1]);
    }
    free(c.name);
    free(c.kind);
    free(c.joint);
    free(c.turns);
    free(c.marker[0]);
    free(c.marker[1]);
    return ok;
}

static bool write_colors(hid_t file, const carom_model *model)
{
    size_t count = (size_t)model->body_count - 1;
    double *color = h5_memory(3 * count + 1, sizeof *color);
    bool ok = color != NULL;
    for (size_t i = 0; ok && i < count; ++i) {
        const double *own = model->bodies[i + 1].color;
        for (int c = 0; c < 3; ++c) {
            color[3 * i + (size_t)c] = own[0] < 0.0 ? -1.0 : own[c];
        }
    }
    ok = ok && h5_write_real_table(file, "bodies/color", "", color, count, 3);
    free(color);
    return ok;
}

static bool write_all(hid_t file, const carom_model *model, const shape_list *list)
{
    hid_t shapes = h5_create_group(file, "shapes");
    hid_t surfaces = h5_create_group(file, "surfaces");
    bool ok = shapes >= 0 && surfaces >= 0 && write_shapes(shapes, list) && write_surfaces(surfaces, list) &&
              write_joint_markers(file, model) && write_forces(file, model) && write_colors(file, model);
    h5_close(surfaces);
    h5_close(shapes);
    return ok;
}

carom_status result_shapes_write(hid_t file, const carom_model *model, carom_error *err)
{
    shape_list list = { 0 };
    carom_status status = gather(&list, model, err);
    if (status == CAROM_OK && !write_all(file, model, &list)) {
        status = h5_fail(err, "write", "result.h5");
    }
    free_list(&list);
    return status;
}
