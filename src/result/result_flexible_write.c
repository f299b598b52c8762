/* Writing bodies that deform into result.h5. */
#include "result/result_flexible_write.h"

#include <string.h>

#include "base/arena.h"
#include "elements/solids/solid_mesh.h"
#include "result/result_flexible.h"
#include "result/result_read.h"

const char *const flexible_plane_names[FLEXIBLE_PLANES] = {
    [PLANE_STRESS] = "stress", [PLANE_STRAIN] = "strain", [AXISYMMETRIC] = "axisymmetric"
};

static body_shapes shapes_of(const model_body *body)
{
    return body->type->shapes ? body->type->shapes(body->params) : (body_shapes){ 0 };
}

/* Displacements of nodes that move on their own, along the axes that they can move along. */
static size_t moved_count(const model_body *body)
{
    return body->nodal ? (size_t)nodal_coordinate_count(body->nodal->nodes) : 0;
}

flexible_sizes result_flexible_sizes(const carom_model *model)
{
    const carom_record_def *record = &model->scene.record;
    flexible_sizes sizes = { .moved_every = 1 };
    if (record->fields_every > record->every && record->every > 0.0) {
        sizes.moved_every = (size_t)(record->fields_every / record->every + 0.5);
    }
    for (int i = 1; i < model->body_count; ++i) {
        const model_body *body = &model->bodies[i];
        if (body->solid) {
            sizes.bodies += 1;
            sizes.coordinates += (size_t)shapes_of(body).count;
            sizes.moved += moved_count(body);
        }
    }
    return sizes;
}

/* ---- one frame ---------------------------------------------------------------------------------------------------- */

static double *put_coordinates(double *to, const carom_model *model, const double *deformation)
{
    for (int i = 1; i < model->body_count; ++i) {
        const model_body *body = &model->bodies[i];
        int count = body->solid ? shapes_of(body).count : 0;
        for (int k = 0; k < count; ++k) {
            *to++ = deformation[body->first_deform + k];
        }
    }
    return to;
}

/* Displacement of a node against the frame of its body, and its rate. */
static void relative(const model_nodal *n, const result_frame *frame, int node, v3 *u, v3 *rate)
{
    const carom_pose *pose = &frame->pose[n->body];
    const body_rate *moving = &frame->rate[n->body];
    const double *q = frame->deformation + n->first_deform;
    const double *q_dot = frame->deformation_rate + n->first_deform;
    v3 r_w = v3_sub(nodal_position_w(n, q, node), pose->position);
    v3 v_w = v3_sub(nodal_vector_w(n, q_dot, node), point_velocity(moving, r_w));
    *u = v3_sub(q_unrotate(pose->orientation, r_w), nodal_place(n->nodes, node));
    *rate = q_unrotate(pose->orientation, v_w);
}

double *result_flexible_pack(double *to, const carom_model *model, const result_frame *frame)
{
    to = put_coordinates(to, model, frame->deformation);
    to = put_coordinates(to, model, frame->deformation_rate);
    double *rates = to + result_flexible_sizes(model).moved;
    for (int i = 1; i < model->body_count; ++i) {
        const model_nodal *n = model->bodies[i].nodal;
        for (int k = 0; n && k < nodal_node_count(n->nodes); ++k) {
            v3 u, rate;
            relative(n, frame, k, &u, &rate);
            node_store(to, nodal_dimension(n->nodes), k, u);
            node_store(rates, nodal_dimension(n->nodes), k, rate);
        }
        to += moved_count(&model->bodies[i]);
        rates += moved_count(&model->bodies[i]);
    }
    return rates;
}

/* ---- what stays --------------------------------------------------------------------------------------------------- */

/* Tables with a row per body, and where the rows of its other tables begin. */
typedef struct flexible_tables {
    carom_arena arena;
    size_t count;
    const model_body **bodies;
    int32_t *body;
    const char **kind, **plane;
    double *young, *poisson, *thickness;
    double moved_every;
    double *section; /* FLEXIBLE_SECTION numbers each */
    double *first_node, *first_cell, *first_coordinate, *first_shape, *first_turn, *first_moved;
    size_t basis_rows;
} flexible_tables;

static bool make_tables(flexible_tables *t, size_t count)
{
    t->bodies = CAROM_ARENA_ARRAY(&t->arena, const model_body *, count);
    t->body = CAROM_ARENA_ARRAY(&t->arena, int32_t, count);
    t->kind = CAROM_ARENA_ARRAY(&t->arena, const char *, count);
    t->plane = CAROM_ARENA_ARRAY(&t->arena, const char *, count);
    t->young = CAROM_ARENA_ARRAY(&t->arena, double, count);
    t->poisson = CAROM_ARENA_ARRAY(&t->arena, double, count);
    t->thickness = CAROM_ARENA_ARRAY(&t->arena, double, count);
    t->section = CAROM_ARENA_ARRAY(&t->arena, double, FLEXIBLE_SECTION *count);
    double **firsts[] = { &t->first_node,  &t->first_cell, &t->first_coordinate,
                          &t->first_shape, &t->first_turn, &t->first_moved };
    for (size_t k = 0; k < sizeof firsts / sizeof firsts[0]; ++k) {
        *firsts[k] = CAROM_ARENA_ARRAY(&t->arena, double, count + 1);
    }
    return !t->arena.failed;
}

static void put_section(double *to, const solid_section *s)
{
    const double numbers[] = { s->area,    s->inertia_y, s->inertia_z, s->torsion, s->shear_y,
                               s->shear_z, s->up.x,      s->up.y,      s->up.z };
    memcpy(to, numbers, sizeof numbers);
}

static void add_body(flexible_tables *t, const model_body *body, int index)
{
    size_t k = t->count++;
    const solid_material *material = solid_mesh_element(body->solid, 0).material;
    body_shapes shapes = shapes_of(body);
    int nodes = solid_mesh_node_count(body->solid);
    t->bodies[k] = body;
    t->body[k] = result_body_row(index);
    t->kind[k] = body->type->kind.name;
    t->plane[k] = flexible_plane_names[material->plane];
    t->young[k] = material->young;
    t->poisson[k] = material->poisson;
    t->thickness[k] = material->thickness;
    put_section(t->section + FLEXIBLE_SECTION * k, &material->section);
    t->first_node[k + 1] = t->first_node[k] + nodes;
    t->first_cell[k + 1] = t->first_cell[k] + solid_mesh_element_count(body->solid);
    t->first_coordinate[k + 1] = t->first_coordinate[k] + shapes.count;
    t->first_shape[k + 1] = t->first_shape[k] + shapes.total;
    t->first_turn[k + 1] = t->first_turn[k] + (shapes.turn ? (double)nodes * shapes.total : 0.0);
    t->first_moved[k + 1] = t->first_moved[k] + (double)moved_count(body);
    t->basis_rows += (size_t)nodes * (size_t)shapes.total;
}

static bool write_tables(hid_t file, const flexible_tables *t)
{
    size_t n = t->count;
    return h5_write_int_table(file, "flexible/body", t->body, n, 1) &&
           h5_write_texts(file, "flexible/kind", t->kind, n) && h5_write_texts(file, "flexible/plane", t->plane, n) &&
           h5_write_reals(file, "flexible/young", "Pa", t->young, n) &&
           h5_write_reals(file, "flexible/poisson", "", t->poisson, n) &&
           h5_write_reals(file, "flexible/thickness", "m", t->thickness, n) &&
           h5_write_real_table(file, "flexible/section", "SI", t->section, n, FLEXIBLE_SECTION) &&
           h5_write_reals(file, "flexible/moved_every", "", &t->moved_every, 1) &&
           h5_write_reals(file, "flexible/first_node", "", t->first_node, n + 1) &&
           h5_write_reals(file, "flexible/first_cell", "", t->first_cell, n + 1) &&
           h5_write_reals(file, "flexible/first_coordinate", "", t->first_coordinate, n + 1) &&
           h5_write_reals(file, "flexible/first_shape", "", t->first_shape, n + 1) &&
           h5_write_reals(file, "flexible/first_turn", "", t->first_turn, n + 1) &&
           h5_write_reals(file, "flexible/first_moved", "", t->first_moved, n + 1);
}

static bool write_nodes(hid_t file, flexible_tables *t)
{
    size_t rows = (size_t)t->first_node[t->count];
    double *table = CAROM_ARENA_ARRAY(&t->arena, double, 3 * rows + 1);
    double *to = table;
    for (size_t k = 0; table && k < t->count; ++k) {
        for (int i = 0; i < solid_mesh_node_count(t->bodies[k]->solid); ++i, to += 3) {
            v3_store(to, solid_mesh_node(t->bodies[k]->solid, i));
        }
    }
    return table && h5_write_real_table(file, "flexible/node", "m", table, rows, 3);
}

static int32_t row_of_type(const solid_type *type)
{
    int32_t row = 0;
    while (solid_types()[row] != type) {
        ++row;
    }
    return row;
}

static void put_cell(int32_t *to, const solid_element *e)
{
    to[0] = row_of_type(e->type);
    for (int i = 0; i < SOLID_NODES; ++i) {
        to[1 + i] = i < e->type->node_count ? e->nodes[i] : -1;
    }
}

static bool write_cells(hid_t file, flexible_tables *t)
{
    size_t rows = (size_t)t->first_cell[t->count];
    int32_t *table = CAROM_ARENA_ARRAY(&t->arena, int32_t, FLEXIBLE_CELL * rows + 1);
    int32_t *to = table;
    for (size_t k = 0; table && k < t->count; ++k) {
        for (int e = 0; e < solid_mesh_element_count(t->bodies[k]->solid); ++e, to += FLEXIBLE_CELL) {
            const solid_element element = solid_mesh_element(t->bodies[k]->solid, e);
            put_cell(to, &element);
        }
    }
    return table && h5_write_int_table(file, "flexible/cell", table, rows, FLEXIBLE_CELL);
}

static bool write_elements(hid_t file, flexible_tables *t)
{
    size_t count = 0;
    while (solid_types()[count]) {
        ++count;
    }
    const char **names = CAROM_ARENA_ARRAY(&t->arena, const char *, count);
    for (size_t i = 0; names && i < count; ++i) {
        names[i] = solid_types()[i]->kind.name;
    }
    return names && h5_write_texts(file, "flexible/element", names, count);
}

/* What each shape goes with, and the frequencies. */
static bool write_shapes(hid_t file, flexible_tables *t)
{
    const double two_pi = 6.28318530717958647693;
    size_t rows = (size_t)t->first_shape[t->count];
    size_t coordinates = (size_t)t->first_coordinate[t->count];
    int32_t *table = CAROM_ARENA_ARRAY(&t->arena, int32_t, 2 * rows + 1);
    double *frequency = CAROM_ARENA_ARRAY(&t->arena, double, coordinates + 1);
    int32_t *to = table;
    double *hertz = frequency;
    for (size_t k = 0; table && frequency && k < t->count; ++k) {
        body_shapes s = shapes_of(t->bodies[k]);
        for (int i = 0; i < s.total; ++i, to += 2) {
            to[0] = i < s.count ? i : s.pairs[i - s.count][0];
            to[1] = i < s.count ? -1 : s.pairs[i - s.count][1];
        }
        for (int i = 0; i < s.count; ++i) {
            *hertz++ = sqrt(s.omega2[i]) / two_pi;
        }
    }
    return table && frequency && h5_write_int_table(file, "flexible/shape", table, rows, 2) &&
           h5_write_reals(file, "flexible/frequency", "Hz", frequency, coordinates);
}

/* Shape by shape what `from` has by axes: nodes x 3 x total. */
static float *put_shapes(float *to, const double *from, size_t nodes, size_t total)
{
    for (size_t shape = 0; from && shape < total; ++shape) {
        for (size_t i = 0; i < 3 * nodes; ++i) {
            *to++ = (float)from[total * i + shape];
        }
    }
    return to;
}

static bool write_basis(hid_t file, flexible_tables *t)
{
    size_t turn_rows = (size_t)t->first_turn[t->count];
    float *moves = CAROM_ARENA_ARRAY(&t->arena, float, 3 * t->basis_rows + 1);
    float *turns = CAROM_ARENA_ARRAY(&t->arena, float, 3 * turn_rows + 1);
    float *move = moves, *turn = turns;
    for (size_t k = 0; moves && turns && k < t->count; ++k) {
        body_shapes s = shapes_of(t->bodies[k]);
        size_t nodes = (size_t)solid_mesh_node_count(t->bodies[k]->solid);
        move = put_shapes(move, s.u, nodes, (size_t)s.total);
        turn = put_shapes(turn, s.turn, nodes, (size_t)s.total);
    }
    return moves && turns && h5_write_single_table(file, "flexible/basis", "kg^-0.5", moves, t->basis_rows, 3) &&
           h5_write_single_table(file, "flexible/turn", "rad*kg^-0.5/m", turns, turn_rows, 3);
}

carom_status result_flexible_write(hid_t file, const carom_model *model, carom_error *err)
{
    flexible_tables t = { .moved_every = (double)result_flexible_sizes(model).moved_every };
    carom_status status = CAROM_OK;
    bool made = make_tables(&t, result_flexible_sizes(model).bodies);
    for (int i = 1; made && i < model->body_count; ++i) {
        if (model->bodies[i].solid) {
            add_body(&t, &model->bodies[i], i);
        }
    }
    bool ok = made && write_tables(file, &t) && write_nodes(file, &t) && write_cells(file, &t) &&
              write_elements(file, &t) && write_shapes(file, &t) && write_basis(file, &t);
    if (t.arena.failed) {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for the meshes of bodies that deform");
    } else if (!ok) {
        status = h5_fail(err, "write", "result.h5");
    }
    carom_arena_free(&t.arena);
    return status;
}
