/* A folder for ParaView and VTK: two series, each a .pvd that lists a .vtu per frame.
 *
 *     NAME.pvd           bodies-000000.vtu, ...     triangles of all bodies where they are at that time; cells of those that deform
 *     NAME-contacts.pvd  contacts-000000.vtu, ...   a vertex per contact point
 *
 * NAME is the folder's, the number that of the frame in the result. Points are in double precision, since what makes a
 * contact interesting is often a millionth of the size of the scene; velocity and displacement, which are looked at, in
 * single. A body without shapes is a vertex at its origin, an infinite plane a square. The .pvd are written last and
 * removed first: what they list is there. A body that deforms is drawn by its finite elements, and not by its shapes, which know nothing of
 * that. */
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "files/output_folder.h"
#include "export/geometry.h"
#include "export/vtu.h"
#include "files/output.h"
#include "result/result_read.h"
#include "result/result_stress.h"

enum { NAME = 200 };

/* What stays the same in all frames, and room for what changes. */
typedef struct vtk_work {
    const export_job *job;
    export_geometry geometry;
    carom_arena arena;
    char name[NAME];
    carom_text name_codes;
    size_t point_count;
    size_t cell_count;
    size_t corner_count;
    v3 *vertices_b; /* in axes of their bodies */
    v3 *start;      /* [m] where the points are in the first frame of the result */
    size_t *first;  /* points of body b: [first[b], first[b + 1]) */
    int32_t *cell_body;
    int32_t *cell_shape;
    int32_t *connectivity;
    int32_t *offsets;
    uint8_t *types;
    double *points;      /* [m] */
    float *velocity;     /* [m/s] of the material point */
    float *displacement; /* [m] since the first frame of the result */
    bool deforms;        /* some body does; what follows is there only then */
    double *u, *rate;    /* [m], [m/s] against the body, in its axes; 0 where it is rigid */
    float *deformation;  /* [m] u in world axes */
    float *von_mises;    /* [Pa] NaN where it is not known */
    float *strain;       /* the principal strain that is largest in magnitude; likewise */
    double *turn;        /* [rad] of the nodes of one body */
    node_stress *stress; /* likewise */
    stress_room room;
    double *body[4]; /* position, orientation (w x y z), velocity, angular velocity of each but the ground */
    double *mass;    /* [kg] likewise */
} vtk_work;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for an export to vtk");
}

/* ---- what stays ---------------------------------------------------------------------------------------------------- */

static bool is_flexible(const vtk_work *w, carom_id body)
{
    return carom_result_node_count(w->job->result, body) > 0;
}

static void count_surfaces(vtk_work *w, carom_id body)
{
    const export_geometry *g = &w->geometry;
    size_t before = w->cell_count;
    for (size_t i = g->first[body]; i < g->first[body + 1]; ++i) {
        const carom_surface *surface = &g->surfaces[g->shapes[i].surface];
        w->point_count += surface->vertex_count;
        w->cell_count += surface->triangle_count;
        w->corner_count += 3 * surface->triangle_count;
    }
    bool is_point = body != CAROM_GROUND && w->cell_count == before;
    w->point_count += is_point;
    w->cell_count += is_point;
    w->corner_count += is_point;
}

static carom_status count_elements(vtk_work *w, carom_id body, carom_error *err)
{
    flexible_mesh m;
    carom_status status = result_flexible_mesh(w->job->result, body, &m, err);
    for (size_t c = 0; status == CAROM_OK && c < m.body->cells.count; ++c) {
        w->corner_count += (size_t)m.types[m.cells[FLEXIBLE_CELL * c]]->node_count;
    }
    w->point_count += status == CAROM_OK ? m.body->nodes.count : 0;
    w->cell_count += status == CAROM_OK ? m.body->cells.count : 0;
    w->deforms = true;
    return status;
}

/* Points, cells and corners; a body that is only a point counts as one of each. */
static carom_status count_parts(vtk_work *w, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (carom_id b = CAROM_GROUND; b < w->geometry.body_count && status == CAROM_OK; ++b) {
        if (is_flexible(w, b)) {
            status = count_elements(w, b, err);
        } else {
            count_surfaces(w, b);
        }
    }
    if (status == CAROM_OK && (w->corner_count > INT32_MAX || w->point_count > INT32_MAX)) {
        status = carom_fail(err, CAROM_BAD_INPUT,
                            "%zu cells are more than one file for VTK can number; export to glb instead",
                            w->cell_count);
    }
    w->job->report->without_shapes = w->job->report->without_shapes && !w->deforms;
    return status;
}

static bool make_room(vtk_work *w)
{
    carom_arena *arena = &w->arena;
    size_t bodies = (size_t)w->geometry.body_count;
    w->vertices_b = CAROM_ARENA_ARRAY(arena, v3, w->point_count + 1);
    w->start = CAROM_ARENA_ARRAY(arena, v3, w->point_count + 1);
    w->first = CAROM_ARENA_ARRAY(arena, size_t, bodies + 1);
    w->cell_body = CAROM_ARENA_ARRAY(arena, int32_t, w->cell_count + 1);
    w->cell_shape = CAROM_ARENA_ARRAY(arena, int32_t, w->cell_count + 1);
    w->connectivity = CAROM_ARENA_ARRAY(arena, int32_t, w->corner_count + 1);
    w->offsets = CAROM_ARENA_ARRAY(arena, int32_t, w->cell_count + 1);
    w->types = CAROM_ARENA_ARRAY(arena, uint8_t, w->cell_count + 1);
    w->points = CAROM_ARENA_ARRAY(arena, double, 3 * w->point_count + 1);
    w->velocity = CAROM_ARENA_ARRAY(arena, float, 3 * w->point_count + 1);
    w->displacement = CAROM_ARENA_ARRAY(arena, float, 3 * w->point_count + 1);
    w->mass = CAROM_ARENA_ARRAY(arena, double, bodies);
    for (int k = 0; k < 4; ++k) {
        w->body[k] = CAROM_ARENA_ARRAY(arena, double, 4 * bodies);
    }
    if (w->deforms) {
        w->u = CAROM_ARENA_ARRAY(arena, double, 3 * w->point_count);
        w->rate = CAROM_ARENA_ARRAY(arena, double, 3 * w->point_count);
        w->deformation = CAROM_ARENA_ARRAY(arena, float, 3 * w->point_count);
        w->von_mises = CAROM_ARENA_ARRAY(arena, float, w->point_count);
        w->strain = CAROM_ARENA_ARRAY(arena, float, w->point_count);
        w->turn = CAROM_ARENA_ARRAY(arena, double, 3 * w->point_count);
        w->stress = CAROM_ARENA_ARRAY(arena, node_stress, w->point_count);
        stress_room_make(&w->room, arena, w->point_count);
    }
    return !arena->failed;
}

/* Where the next cell, corner and point go. */
typedef struct vtk_cursor {
    size_t cell;
    size_t corner;
    size_t point;
} vtk_cursor;

static void put_cell(vtk_work *w, vtk_cursor *at, carom_id body, int shape, const int32_t *corners, cell_kind kind)
{
    for (int k = 0; k < cell_kind_nodes(kind); ++k) {
        w->connectivity[at->corner++] = (int32_t)at->point + (corners ? corners[k] : 0);
    }
    w->cell_body[at->cell] = result_body_row(body);
    w->cell_shape[at->cell] = shape;
    w->types[at->cell] = vtu_kind_of_cell(kind);
    w->offsets[at->cell++] = (int32_t)at->corner;
}

static void put_shape(vtk_work *w, vtk_cursor *at, size_t i)
{
    const export_geometry *g = &w->geometry;
    const carom_result_shape *shape = &g->shapes[i];
    const carom_surface *surface = &g->surfaces[shape->surface];
    for (size_t t = 0; t < surface->triangle_count; ++t) {
        put_cell(w, at, shape->body, (int)g->index[i], surface->triangles + 3 * t, CELL_TRIANGLE3);
    }
    for (size_t k = 0; k < surface->vertex_count; ++k) {
        w->vertices_b[at->point++] = export_place(shape->pose_b, v3_load(surface->vertices + 3 * k));
    }
}

/* The kind of cell that an element was made from. */
static cell_kind kind_of_element(const solid_type *type)
{
    int kind = 0;
    while (cell_kind_dimension((cell_kind)kind) != type->dimension ||
           cell_kind_nodes((cell_kind)kind) != type->node_count) {
        ++kind;
    }
    return (cell_kind)kind;
}

static carom_status put_elements(vtk_work *w, vtk_cursor *at, carom_id body, carom_error *err)
{
    flexible_mesh m;
    carom_status status = result_flexible_mesh(w->job->result, body, &m, err);
    for (size_t c = 0; status == CAROM_OK && c < m.body->cells.count; ++c) {
        const int32_t *cell = m.cells + FLEXIBLE_CELL * c;
        put_cell(w, at, body, -1, cell + 1, kind_of_element(m.types[cell[0]]));
    }
    for (size_t i = 0; status == CAROM_OK && i < m.body->nodes.count; ++i) {
        w->vertices_b[at->point++] = v3_load(m.nodes + 3 * i);
    }
    return status;
}

static carom_status put_bodies(vtk_work *w, carom_error *err)
{
    const export_geometry *g = &w->geometry;
    vtk_cursor at = { 0 };
    carom_status status = CAROM_OK;
    for (carom_id b = CAROM_GROUND; b < g->body_count && status == CAROM_OK; ++b) {
        size_t before = at.cell;
        bool flexible = is_flexible(w, b);
        w->first[b] = at.point;
        status = flexible ? put_elements(w, &at, b, err) : CAROM_OK;
        for (size_t i = g->first[b]; i < g->first[b + 1] && !flexible; ++i) {
            put_shape(w, &at, i);
        }
        if (b == CAROM_GROUND) {
            continue;
        }
        if (at.cell == before && !flexible) {
            put_cell(w, &at, b, -1, NULL, CELL_POINT);
            at.point += 1;
        }
        carom_result_body info = carom_result_body_info(w->job->result, b);
        w->mass[result_body_row(b)] = info.mass;
        vtu_add_codes(&w->name_codes, info.name);
    }
    w->first[g->body_count] = at.point;
    return status == CAROM_OK && w->name_codes.failed ? no_memory(err) : status;
}

/* Displacements of a body that deforms, and their rates. */
static carom_status put_deformation(vtk_work *w, carom_id body, size_t frame, carom_error *err)
{
    size_t first = 3 * w->first[body];
    return is_flexible(w, body)
               ? result_flexible_displacements(w->job->result, body, frame, w->u + first, w->rate + first, err)
               : CAROM_OK;
}

/* A point of a body, in its axes. */
static v3 point_b(const vtk_work *w, size_t i)
{
    return w->deforms ? v3_add(w->vertices_b[i], v3_load(w->u + 3 * i)) : w->vertices_b[i];
}

static carom_status put_start(vtk_work *w, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (carom_id b = CAROM_GROUND; b < w->geometry.body_count && status == CAROM_OK; ++b) {
        carom_motion motion;
        status = carom_result_motion(w->job->result, b, 0, &motion, err);
        status = status == CAROM_OK ? put_deformation(w, b, 0, err) : status;
        for (size_t i = w->first[b]; i < w->first[b + 1] && status == CAROM_OK; ++i) {
            w->start[i] = export_place(motion.pose, point_b(w, i));
        }
    }
    return status;
}

static carom_status prepare(vtk_work *w, carom_error *err)
{
    carom_status status = export_geometry_build(&w->geometry, w->job, err);
    if (status != CAROM_OK) {
        return status;
    }
    status = count_parts(w, err);
    if (status == CAROM_OK && !make_room(w)) {
        status = no_memory(err);
    }
    status = status == CAROM_OK ? put_bodies(w, err) : status;
    return status == CAROM_OK ? put_start(w, err) : status;
}

/* ---- bodies, frame by frame ---------------------------------------------------------------------------------------- */

static void put_floats(float *out, v3 r)
{
    out[0] = (float)r.x;
    out[1] = (float)r.y;
    out[2] = (float)r.z;
}

static void move_points(vtk_work *w, carom_id body, const carom_motion *motion)
{
    for (size_t i = w->first[body]; i < w->first[body + 1]; ++i) {
        v3 r_w = q_rotate(motion->pose.orientation, point_b(w, i));
        v3 p_w = v3_add(motion->pose.position, r_w);
        v3 v_w = v3_add(motion->velocity, v3_cross(motion->angular_velocity, r_w));
        if (w->deforms) {
            v_w = v3_add(v_w, q_rotate(motion->pose.orientation, v3_load(w->rate + 3 * i)));
            put_floats(w->deformation + 3 * i, q_rotate(motion->pose.orientation, v3_load(w->u + 3 * i)));
        }
        v3_store(w->points + 3 * i, p_w);
        put_floats(w->velocity + 3 * i, v_w);
        put_floats(w->displacement + 3 * i, v3_sub(p_w, w->start[i]));
    }
    if (body != CAROM_GROUND) {
        int row = result_body_row(body);
        quat q = motion->pose.orientation;
        v3_store(w->body[0] + 3 * row, motion->pose.position);
        memcpy(w->body[1] + 4 * row, (double[]){ q.w, q.x, q.y, q.z }, 4 * sizeof(double));
        v3_store(w->body[2] + 3 * row, motion->velocity);
        v3_store(w->body[3] + 3 * row, motion->angular_velocity);
    }
}

static carom_status write_grid(const vtk_work *w, vtu_grid *grid, const char *series, size_t frame, carom_error *err)
{
    char file[64];
    char path[FILE_PATH];
    snprintf(file, sizeof file, "%s-%06zu.vtu", series, frame);
    grid->time = carom_result_time(w->job->result)[frame];
    grid->name_codes = w->name_codes.data;
    grid->name_count = (size_t)w->geometry.body_count - 1;
    carom_status status = file_path(path, w->job->path, file, err);
    return status == CAROM_OK ? vtu_write(path, grid, w->job->report, err) : status;
}

/* Bodies that are rigid here have stresses that nobody knows. */
static carom_status put_stress(vtk_work *w, carom_id body, size_t frame, carom_error *err)
{
    flexible_mesh m;
    size_t first = w->first[body];
    for (size_t i = first; i < w->first[body + 1] && w->deforms; ++i) {
        w->von_mises[i] = w->strain[i] = NAN;
    }
    if (!is_flexible(w, body)) {
        return CAROM_OK;
    }
    carom_status status = result_flexible_mesh(w->job->result, body, &m, err);
    status = status == CAROM_OK ? result_flexible_turns(w->job->result, body, frame, w->turn, err) : status;
    if (status == CAROM_OK) {
        stress_at_nodes(&m, (node_motion){ w->u + 3 * first, w->turn }, NULL, &w->room, w->stress);
    }
    for (size_t i = first; i < w->first[body + 1] && status == CAROM_OK; ++i) {
        w->von_mises[i] = w->stress[i - first].von_mises;
        w->strain[i] = w->stress[i - first].principal;
    }
    return status;
}

static carom_status write_bodies(vtk_work *w, size_t frame, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (carom_id b = CAROM_GROUND; b < w->geometry.body_count && status == CAROM_OK; ++b) {
        carom_motion motion = { 0 };
        status = carom_result_motion(w->job->result, b, frame, &motion, err);
        status = status == CAROM_OK ? put_deformation(w, b, frame, err) : status;
        status = status == CAROM_OK ? put_stress(w, b, frame, err) : status;
        if (status == CAROM_OK) {
            move_points(w, b, &motion);
        }
    }
    size_t n = (size_t)w->geometry.body_count - 1; /* all but the ground */
    const vtu_array point_data[] = { { "velocity", VTU_FLOAT32, 3, w->point_count, w->velocity },
                                     { "displacement", VTU_FLOAT32, 3, w->point_count, w->displacement },
                                     { "deformation", VTU_FLOAT32, 3, w->point_count, w->deformation },
                                     { "von_mises", VTU_FLOAT32, 1, w->point_count, w->von_mises },
                                     { "principal_strain", VTU_FLOAT32, 1, w->point_count, w->strain } };
    const vtu_array cell_data[] = { { "body", VTU_INT32, 1, w->cell_count, w->cell_body },
                                    { "shape", VTU_INT32, 1, w->cell_count, w->cell_shape } };
    const vtu_array field_data[] = { { "body_mass", VTU_FLOAT64, 1, n, w->mass },
                                     { "body_position", VTU_FLOAT64, 3, n, w->body[0] },
                                     { "body_orientation", VTU_FLOAT64, 4, n, w->body[1] },
                                     { "body_velocity", VTU_FLOAT64, 3, n, w->body[2] },
                                     { "body_angular_velocity", VTU_FLOAT64, 3, n, w->body[3] } };
    vtu_grid grid = { .point_count = w->point_count,
                      .cell_count = w->cell_count,
                      .points = { "Points", VTU_FLOAT64, 3, w->point_count, w->points },
                      .connectivity = { "connectivity", VTU_INT32, 1, w->corner_count, w->connectivity },
                      .offsets = { "offsets", VTU_INT32, 1, w->cell_count, w->offsets },
                      .types = { "types", VTU_UINT8, 1, w->cell_count, w->types },
                      .point_data = { point_data, w->deforms ? 5 : 2 },
                      .cell_data = { cell_data, 2 },
                      .field_data = { field_data, n > 0 ? 5 : 0 } };
    return status == CAROM_OK ? write_grid(w, &grid, "bodies", frame, err) : status;
}

/* ---- contacts, frame by frame --------------------------------------------------------------------------------------- */

typedef struct contact_columns {
    double *position, *force, *normal, *slip, *gap, *normal_force;
    int32_t *body_a, *body_b, *index, *offset;
    uint8_t *type;
} contact_columns;

static bool make_columns(contact_columns *c, carom_arena *arena, size_t count)
{
    double **vectors[] = { &c->position, &c->force, &c->normal, &c->slip };
    double **numbers[] = { &c->gap, &c->normal_force };
    int32_t **whole[] = { &c->body_a, &c->body_b, &c->index, &c->offset };
    for (int k = 0; k < 4; ++k) {
        *vectors[k] = CAROM_ARENA_ARRAY(arena, double, 3 * count + 1);
        *whole[k] = CAROM_ARENA_ARRAY(arena, int32_t, count + 1);
    }
    for (int k = 0; k < 2; ++k) {
        *numbers[k] = CAROM_ARENA_ARRAY(arena, double, count + 1);
    }
    c->type = CAROM_ARENA_ARRAY(arena, uint8_t, count + 1);
    return !arena->failed;
}

static void fill_columns(contact_columns *c, const carom_contact_point *points, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const carom_contact_point *p = &points[i];
        v3_store(c->position + 3 * i, p->position);
        v3_store(c->force + 3 * i, p->force);
        v3_store(c->normal + 3 * i, p->normal);
        v3_store(c->slip + 3 * i, p->slip);
        c->gap[i] = p->gap;
        c->normal_force[i] = v3_dot(p->force, p->normal);
        c->body_a[i] = result_body_row(p->body[0]);
        c->body_b[i] = result_body_row(p->body[1]);
        c->index[i] = (int32_t)i;
        c->offset[i] = (int32_t)i + 1;
        c->type[i] = VTU_VERTEX;
    }
}

static carom_status write_columns(const vtk_work *w, const contact_columns *c, size_t n, size_t frame,
                                  carom_error *err)
{
    const vtu_array point_data[] = {
        { "force", VTU_FLOAT64, 3, n, c->force },
        { "normal", VTU_FLOAT64, 3, n, c->normal },
        { "slip", VTU_FLOAT64, 3, n, c->slip },
        { "gap", VTU_FLOAT64, 1, n, c->gap },
        { "body_a", VTU_INT32, 1, n, c->body_a },
        { "body_b", VTU_INT32, 1, n, c->body_b },
        { "normal_force", VTU_FLOAT64, 1, n, c->normal_force },
    };
    vtu_grid grid = { .point_count = n,
                      .cell_count = n,
                      .points = { "Points", VTU_FLOAT64, 3, n, c->position },
                      .connectivity = { "connectivity", VTU_INT32, 1, n, c->index },
                      .offsets = { "offsets", VTU_INT32, 1, n, c->offset },
                      .types = { "types", VTU_UINT8, 1, n, c->type },
                      .point_data = { point_data, sizeof point_data / sizeof point_data[0] } };
    return write_grid(w, &grid, "contacts", frame, err);
}

static carom_status write_contacts(const vtk_work *w, size_t frame, carom_error *err)
{
    const carom_contact_point *points = NULL;
    size_t count = carom_result_contact_count(w->job->result, frame);
    carom_arena arena = { 0 };
    contact_columns columns;
    carom_status status = count > 0 ? carom_result_contacts(w->job->result, frame, &points, err) : CAROM_OK;
    if (status == CAROM_OK && (count > INT32_MAX || !make_columns(&columns, &arena, count))) {
        status = no_memory(err);
    }
    if (status == CAROM_OK) {
        fill_columns(&columns, points, count);
        status = write_columns(w, &columns, count, frame, err);
    }
    carom_arena_free(&arena);
    return status;
}

/* ---- the folder ----------------------------------------------------------------------------------------------------- */

static carom_status write_index(const vtk_work *w, const char *suffix, const char *series, carom_error *err)
{
    char path[FILE_PATH];
    char file[NAME + 64];
    output_file out;
    snprintf(file, sizeof file, "%s%s.pvd", w->name, suffix);
    carom_status status = file_path(path, w->job->path, file, err);
    status = status == CAROM_OK ? output_open(&out, path, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    output_text(&out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    for (size_t k = 0; k < w->job->frames.count; ++k) {
        size_t frame = export_frame(w->job->frames, k);
        output_text(&out, "<DataSet timestep=\"");
        output_number(&out, carom_result_time(w->job->result)[frame], 0);
        output_printf(&out, "\" group=\"\" part=\"0\" file=\"%s-%06zu.vtu\"/>\n", series, frame);
    }
    output_text(&out, "</Collection>\n</VTKFile>\n");
    return output_close(&out, CAROM_OK, w->job->report, err);
}

/* The last part of the folder's path, or "result" where that is none to call a file by. */
static void name_of_folder(const char *path, char name[NAME])
{
    size_t end = strlen(path);
    while (end > 0 && path[end - 1] == '/') {
        --end;
    }
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/') {
        --begin;
    }
    size_t length = end - begin;
    bool usable = length > 0 && length < NAME && path[begin] != '.' && !memchr(path + begin, '#', length);
    snprintf(name, NAME, "%.*s", usable ? (int)length : 6, usable ? path + begin : "result");
}

static carom_status prepare_folder(vtk_work *w, carom_error *err)
{
    char index[NAME + 8];
    char contacts[NAME + 16];
    const char *const patterns[] = { index, contacts, "bodies-#.vtu", "contacts-#.vtu", NULL };
    name_of_folder(w->job->path, w->name);
    snprintf(index, sizeof index, "%s.pvd", w->name);
    snprintf(contacts, sizeof contacts, "%s-contacts.pvd", w->name);
    return output_folder_prepare(w->job->path, patterns, err);
}

static carom_status write_all(vtk_work *w, carom_error *err)
{
    bool contacts = carom_result_has_contacts(w->job->result);
    carom_status status = prepare_folder(w, err);
    for (size_t k = 0; k < w->job->frames.count && status == CAROM_OK; ++k) {
        size_t frame = export_frame(w->job->frames, k);
        status = write_bodies(w, frame, err);
        if (status == CAROM_OK && contacts) {
            status = write_contacts(w, frame, err);
        }
    }
    if (status == CAROM_OK && contacts) {
        status = write_index(w, "-contacts", "contacts", err);
    }
    return status == CAROM_OK ? write_index(w, "", "bodies", err) : status;
}

static carom_status vtk_write(const export_job *job, carom_error *err)
{
    vtk_work w = { .job = job };
    carom_status status = prepare(&w, err);
    if (status == CAROM_OK) {
        status = write_all(&w, err);
    }
    carom_text_free(&w.name_codes);
    carom_arena_free(&w.arena);
    export_geometry_free(&w.geometry);
    return status;
}

const export_writer export_vtk = {
    .format = { .name = "vtk",
                .extension = ".pvd",
                .folder = true,
                .doc = "a folder for ParaView: bodies and contact points, a .vtu per frame, a .pvd for the series" },
    .write = vtk_write,
};
