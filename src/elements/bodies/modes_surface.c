/* The surface of a body of modes: faces of solids; plane bodies with their thickness; bars and beams by their section, a rectangle by its four
 * corners at every node, a circle by the axis and its radius. A section known by its numbers alone has no surface. */
#include <string.h>

#include "elements/bodies/modes_make.h"
#include "elements/solids/beam.h"
#include "elements/solids/solid_surface.h"

/* Vertices and facets as they are found. There is room. */
typedef struct skin {
    const modes_maker *m;
    int vertex_count, facet_count;
    v3 *at;
    int *node; /* of a vertex */
    v3 *off;   /* from its node, body axes */
    v3 *axis;
    body_facet *facets;
} skin;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the surface of a body that deforms");
}

static carom_status reserve(skin *s, int vertices, int facets, carom_error *err)
{
    carom_arena *arena = s->m->arena;
    s->at = CAROM_ARENA_ARRAY(arena, v3, vertices);
    s->node = CAROM_ARENA_ARRAY(arena, int, vertices);
    s->off = CAROM_ARENA_ARRAY(arena, v3, vertices);
    s->axis = CAROM_ARENA_ARRAY(arena, v3, vertices);
    s->facets = CAROM_ARENA_ARRAY(arena, body_facet, facets);
    return arena->failed ? no_memory(err) : CAROM_OK;
}

static int add_vertex(skin *s, int node, v3 off)
{
    s->at[s->vertex_count] = v3_add(s->m->out->nodes[node], off);
    s->node[s->vertex_count] = node;
    s->off[s->vertex_count] = off;
    return s->vertex_count++;
}

static void add_triangle(skin *s, int a, int b, int c)
{
    s->facets[s->facet_count++] = (body_facet){ .count = 3, .vertices = { a, b, c } };
}

/* ---- bars and beams ------------------------------------------------------------------------------------------------ */

/* Local axes of an element: x along it, then as its section has them. */
static m3 axes_of(const solid_element *e)
{
    v3 x = v3_unit(v3_sub(e->X[1], e->X[0]));
    if (e->type->beam) {
        return beam_axes(e->type, e->X, e->material);
    }
    v3 up = v3_norm(v3_cross(x, e->material->section.up)) > 0.1 ? e->material->section.up : v3_make(x.y, x.z, x.x);
    v3 y = v3_unit(v3_axpy(up, -v3_dot(up, x), x));
    return m3_from_columns(x, y, v3_cross(x, y));
}

/* How many elements have a node; a node of one is an end. */
static int *count_elements(const modes_maker *m)
{
    int *count = CAROM_ARENA_ARRAY(m->arena, int, m->out->node_count);
    for (int e = 0; count && e < m->out->element_count; ++e) {
        const solid_element element = solid_mesh_element(m->in->mesh, e);
        count[element.nodes[0]]++;
        count[element.nodes[1]]++;
    }
    return count;
}

static carom_status make_round(skin *s, const int *count, carom_error *err)
{
    const modes_maker *m = s->m;
    carom_status status = reserve(s, m->out->node_count, m->out->element_count, err);
    for (int i = 0; status == CAROM_OK && i < m->out->node_count; ++i) {
        add_vertex(s, i, v3_zero());
    }
    for (int e = 0; status == CAROM_OK && e < m->out->element_count; ++e) {
        const solid_element element = solid_mesh_element(m->in->mesh, e);
        const v3 along = v3_unit(v3_sub(element.X[1], element.X[0]));
        body_facet f = { .count = 2, .vertices = { element.nodes[0], element.nodes[1] } };
        for (int k = 0; k < 2; ++k) {
            f.end[k] = count[element.nodes[k]] == 1;
            s->axis[element.nodes[k]] = along;
        }
        s->facets[s->facet_count++] = f;
    }
    return status;
}

enum { CORNERS = 4 };

/* The corners of the section at a node, counter-clockwise about the local x axis. */
static void add_corners(skin *s, int node, const m3 *axes, const carom_rectangle_section_def *r)
{
    static const double y[CORNERS] = { 0.5, -0.5, -0.5, 0.5 };
    static const double z[CORNERS] = { 0.5, 0.5, -0.5, -0.5 };
    for (int c = 0; c < CORNERS; ++c) {
        add_vertex(s, node, m3_mulv(*axes, v3_make(0.0, y[c] * r->height, z[c] * r->width)));
    }
}

static void add_prism(skin *s, int a, int b, const bool end[2])
{
    for (int c = 0; c < CORNERS; ++c) {
        int next = (c + 1) % CORNERS;
        add_triangle(s, a + c, a + next, b + next);
        add_triangle(s, a + c, b + next, b + c);
    }
    if (end[0]) {
        add_triangle(s, a, a + 3, a + 2);
        add_triangle(s, a, a + 2, a + 1);
    }
    if (end[1]) {
        add_triangle(s, b, b + 1, b + 2);
        add_triangle(s, b, b + 2, b + 3);
    }
}

static carom_status make_rectangle(skin *s, const int *count, const carom_rectangle_section_def *r, carom_error *err)
{
    enum { SIDES = 2 * CORNERS, ENDS = 4 };
    const modes_maker *m = s->m;
    carom_status status = reserve(s, CORNERS * m->out->node_count, (SIDES + ENDS) * m->out->element_count, err);
    int *first = CAROM_ARENA_ARRAY(m->arena, int, m->out->node_count); /* of its corners, and 1; 0: none yet */
    if (status != CAROM_OK || !first) {
        return no_memory(err);
    }
    for (int e = 0; e < m->out->element_count; ++e) {
        const solid_element element = solid_mesh_element(m->in->mesh, e);
        const m3 axes = axes_of(&element);
        bool end[2];
        for (int k = 0; k < 2; ++k) {
            int node = element.nodes[k];
            end[k] = count[node] == 1;
            if (first[node] == 0) {
                first[node] = s->vertex_count + 1;
                add_corners(s, node, &axes, r);
            }
        }
        add_prism(s, first[element.nodes[0]] - 1, first[element.nodes[1]] - 1, end);
    }
    return CAROM_OK;
}

/* The axis: what is carried by a section goes with its nodes. */
static carom_status keep_lines(const modes_maker *m, carom_error *err)
{
    modal_body *out = m->out;
    int(*lines)[2] = carom_arena_array(m->arena, (size_t)out->element_count, sizeof *lines);
    for (int e = 0; lines && e < out->element_count; ++e) {
        const solid_element element = solid_mesh_element(m->in->mesh, e);
        memcpy(lines[e], element.nodes, sizeof lines[e]);
    }
    out->line_count = out->element_count;
    out->lines = (const int(*)[2])lines;
    return m->arena->failed ? no_memory(err) : CAROM_OK;
}

static carom_status make_line(skin *s, double *radius, carom_error *err)
{
    const carom_choice *section = &s->m->in->def->section;
    const int *count = count_elements(s->m);
    carom_status status = count ? keep_lines(s->m, err) : no_memory(err);
    if (status == CAROM_OK && strcmp(section->kind, "round") == 0) {
        *radius = ((const carom_round_section_def *)section->params)->radius;
        return make_round(s, count, err);
    }
    bool rectangle = status == CAROM_OK && strcmp(section->kind, "rectangle") == 0;
    return rectangle ? make_rectangle(s, count, section->params, err) : status;
}

/* ---- plane bodies and solids --------------------------------------------------------------------------------------- */

/* Triangles of an element in the plane, counter-clockwise. */
static int cut_element(const solid_type *type, int cut[4][3])
{
    static const int quad[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
    static const int six[4][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 }, { 3, 4, 5 } };
    bool is_quad = type->node_count == 4;
    memcpy(cut, is_quad ? quad : six, is_quad ? sizeof quad : sizeof six);
    return is_quad ? 2 : 4;
}

/* Vertex 2 n is node n below, 2 n + 1 above. */
static carom_status make_plane(skin *s, const solid_facet *edges, int edge_count, carom_error *err)
{
    const modes_maker *m = s->m;
    const v3 up = v3_make(0.0, 0.0, 0.5 * m->in->material->thickness);
    carom_status status = reserve(s, 2 * m->out->node_count, 2 * edge_count + 8 * m->out->element_count, err);
    for (int i = 0; status == CAROM_OK && i < m->out->node_count; ++i) {
        add_vertex(s, i, v3_neg(up));
        add_vertex(s, i, up);
    }
    for (int f = 0; status == CAROM_OK && f < edge_count; ++f) {
        int a = 2 * edges[f].nodes[0];
        int b = 2 * edges[f].nodes[1];
        add_triangle(s, a, b, b + 1);
        add_triangle(s, a, b + 1, a + 1);
    }
    for (int e = 0; status == CAROM_OK && e < m->out->element_count; ++e) {
        const solid_element element = solid_mesh_element(m->in->mesh, e);
        int cut[4][3];
        int pieces = cut_element(element.type, cut);
        for (int p = 0; p < pieces; ++p) {
            int a = 2 * element.nodes[cut[p][0]];
            int b = 2 * element.nodes[cut[p][1]];
            int c = 2 * element.nodes[cut[p][2]];
            add_triangle(s, a + 1, b + 1, c + 1);
            add_triangle(s, a, c, b);
        }
    }
    return status;
}

static carom_status make_solid(skin *s, const solid_facet *facets, int facet_count, carom_error *err)
{
    const modes_maker *m = s->m;
    carom_status status = reserve(s, m->out->node_count, facet_count, err);
    int *vertex = CAROM_ARENA_ARRAY(m->arena, int, m->out->node_count); /* of a node, and 1; 0: none */
    if (status != CAROM_OK || !vertex) {
        return no_memory(err);
    }
    for (int f = 0; f < facet_count; ++f) {
        for (int i = 0; i < 3; ++i) {
            int node = facets[f].nodes[i];
            vertex[node] = vertex[node] > 0 ? vertex[node] : add_vertex(s, node, v3_zero()) + 1;
        }
        add_triangle(s, vertex[facets[f].nodes[0]] - 1, vertex[facets[f].nodes[1]] - 1,
                     vertex[facets[f].nodes[2]] - 1);
    }
    return CAROM_OK;
}

/* ---- how it follows ------------------------------------------------------------------------------------------------ */

/* A vertex beside its node turns with it. */
static void follow(const skin *s, int vertex, double *psi)
{
    const modes_maker *m = s->m;
    int n = m->out->total;
    for (int k = 0; k < n; ++k) {
        v3 turn = modes_shape_at(m, k, s->node[vertex], 3);
        v3 move = v3_add(modes_shape_at(m, k, s->node[vertex], 0), v3_cross(turn, s->off[vertex]));
        for (int a = 0; a < 3; ++a) {
            psi[n * a + k] = v3_get(move, a);
            psi[n * (3 + a) + k] = v3_get(turn, a);
        }
    }
}

static void share_areas(const skin *s, double radius, double *area)
{
    const double two_pi = 6.28318530717958647693;
    for (int f = 0; f < s->facet_count; ++f) {
        const body_facet *facet = &s->facets[f];
        v3 a = v3_sub(s->at[facet->vertices[1]], s->at[facet->vertices[0]]);
        double whole = facet->count == 2
                           ? two_pi * radius * v3_norm(a)
                           : 0.5 * v3_norm(v3_cross(a, v3_sub(s->at[facet->vertices[2]], s->at[facet->vertices[0]])));
        for (int i = 0; i < facet->count; ++i) {
            area[facet->vertices[i]] += whole / facet->count;
        }
    }
}

static carom_status finish(const skin *s, double radius, carom_error *err)
{
    const modes_maker *m = s->m;
    size_t stride = (size_t)FRAME_COLUMNS * (size_t)m->out->total;
    double *psi = CAROM_ARENA_ARRAY(m->arena, double, stride *(size_t)s->vertex_count);
    double *area = CAROM_ARENA_ARRAY(m->arena, double, s->vertex_count);
    if (m->arena->failed) {
        return no_memory(err);
    }
    for (int i = 0; i < s->vertex_count; ++i) {
        follow(s, i, psi + stride * (size_t)i);
    }
    share_areas(s, radius, area);
    m->out->surface = (body_surface){ .vertex_count = s->vertex_count,
                                      .facet_count = s->facet_count,
                                      .at = s->at,
                                      .psi = psi,
                                      .stride = (int)stride,
                                      .area = area,
                                      .radius = radius,
                                      .axis = radius > 0.0 ? s->axis : NULL,
                                      .facets = s->facets };
    return CAROM_OK;
}

carom_status modes_make_surface(const modes_maker *m, carom_error *err)
{
    skin s = { .m = m };
    double radius = 0.0;
    int dimension = solid_mesh_element(m->in->mesh, 0).type->dimension;
    solid_facet *facets = NULL;
    int count = 0;
    carom_status status = dimension > 1 ? solid_surface_find(m->in->mesh, m->arena, &facets, &count, err) : CAROM_OK;
    if (status != CAROM_OK) {
        return status;
    }
    status = dimension == 1   ? make_line(&s, &radius, err)
             : dimension == 2 ? make_plane(&s, facets, count, err)
                              : make_solid(&s, facets, count, err);
    return status == CAROM_OK && s.vertex_count > 0 ? finish(&s, radius, err) : status;
}

/* ---- what others ask for ------------------------------------------------------------------------------------------- */

const body_surface *modes_surface(const void *body)
{
    const modal_body *b = body;
    return b->surface.vertex_count > 0 ? &b->surface : NULL;
}

/* 3 x total rows times the factors of all shapes. */
static v3 rows_times(const double *rows, int n, const double *z)
{
    double sum[3] = { 0.0, 0.0, 0.0 };
    for (int a = 0; a < 3; ++a) {
        for (int k = 0; k < n; ++k) {
            sum[a] += rows[n * a + k] * z[k];
        }
    }
    return v3_load(sum);
}

void modes_place_surface(const void *body, const body_frame *frame, const double *q, v3 *x_w, v3 *axis_w)
{
    const modal_body *b = body;
    const body_surface *s = &b->surface;
    int n = b->total;
    double room[MODES_MOST]; /* with shapes of second order */
    const double *z = q;
    if (n > b->count) {
        memcpy(room, q, (size_t)b->count * sizeof *room);
        for (int e = b->count; e < n; ++e) {
            room[e] = body_shape_factor(b->pairs[e - b->count], q);
        }
        z = room;
    }
    for (int i = 0; i < s->vertex_count; ++i) {
        const double *psi = s->psi + (size_t)s->stride * (size_t)i;
        v3 r_b = v3_add(s->at[i], rows_times(psi, n, z));
        x_w[i] = v3_add(frame->pose.x_w, m3_mulv(frame->R_w, r_b));
        if (s->axis) {
            axis_w[i] = m3_mulv(frame->R_w, q_rotate(so3_exp(rows_times(psi + 3 * n, n, z)), s->axis[i]));
        }
    }
}

/* ---- what is carried ----------------------------------------------------------------------------------------------- */

/* out += weight (move; turn) of a node of a bar or a beam. */
static void add_node(const modal_body *b, int node, double weight, double *out)
{
    size_t per_node = 3 * (size_t)b->total;
    for (size_t i = 0; i < per_node; ++i) {
        out[i] += weight * b->shapes[per_node * (size_t)node + i];
        out[per_node + i] += b->turns ? weight * b->turns[per_node * (size_t)node + i] : 0.0;
    }
}

/* The point of the axis that is nearest. */
static v3 follow_line(const modal_body *b, v3 at, double *psi)
{
    double best = HUGE_VAL;
    double part = 0.0;
    int line = 0;
    for (int e = 0; e < b->line_count; ++e) {
        v3 from = b->nodes[b->lines[e][0]];
        v3 way = v3_sub(b->nodes[b->lines[e][1]], from);
        double t = fmin(1.0, fmax(0.0, v3_dot(v3_sub(at, from), way) / v3_norm2(way)));
        double far = v3_norm(v3_sub(at, v3_axpy(from, t, way)));
        if (far < best) {
            best = far;
            part = t;
            line = e;
        }
    }
    const int *nodes = b->lines[line];
    add_node(b, nodes[0], 1.0 - part, psi);
    add_node(b, nodes[1], part, psi);
    return v3_axpy(v3_scale(1.0 - part, b->nodes[nodes[0]]), part, b->nodes[nodes[1]]);
}

static v3 column(const double *rows, int n, int k)
{
    return v3_make(rows[k], rows[n + k], rows[2 * n + k]);
}

/* The facet whose middle is nearest moves as a rigid one: the mean of its vertices, and the rotation that fits them best. */
static v3 follow_facet(const modal_body *b, v3 at, double *psi)
{
    const body_surface *s = &b->surface;
    double best = HUGE_VAL;
    v3 middle = v3_zero();
    const body_facet *facet = NULL;
    for (int f = 0; f < s->facet_count; ++f) {
        const int *v = s->facets[f].vertices;
        v3 here = v3_scale(1.0 / 3.0, v3_add(s->at[v[0]], v3_add(s->at[v[1]], s->at[v[2]])));
        double far = v3_norm(v3_sub(at, here));
        if (far < best) {
            best = far;
            middle = here;
            facet = &s->facets[f];
        }
    }
    m3 second = { { 0.0 } };
    v3 arm[3];
    for (int i = 0; i < 3; ++i) {
        arm[i] = v3_sub(s->at[facet->vertices[i]], middle);
        second = m3_add(second, m3_outer(arm[i], arm[i]));
    }
    double trace = m3_trace(second);
    const m3 spread = m3_inverse(m3_add(m3_diag(trace, trace, trace), m3_scale(-1.0, second)));
    int n = b->total;
    for (int k = 0; k < n; ++k) {
        v3 move = v3_zero();
        v3 moment = v3_zero();
        for (int i = 0; i < 3; ++i) {
            v3 u = column(s->psi + (size_t)s->stride * (size_t)facet->vertices[i], n, k);
            move = v3_axpy(move, 1.0 / 3.0, u);
            moment = v3_add(moment, v3_cross(arm[i], u));
        }
        v3 turn = m3_mulv(spread, moment);
        for (int a = 0; a < 3; ++a) {
            psi[n * a + k] = v3_get(move, a);
            psi[n * (3 + a) + k] = v3_get(turn, a);
        }
    }
    return middle;
}

carom_status modes_carry(const void *body, body_point *point, carom_arena *arena, carom_error *err)
{
    const modal_body *b = body;
    int n = b->total;
    double *psi = CAROM_ARENA_ARRAY(arena, double, FRAME_COLUMNS *n);
    if (!psi) {
        return no_memory(err);
    }
    v3 carrier = b->line_count > 0 ? follow_line(b, point->position, psi) : follow_facet(b, point->position, psi);
    v3 arm = v3_sub(point->position, carrier);
    for (int k = 0; k < n; ++k) {
        v3 moved = v3_cross(column(psi + 3 * n, n, k), arm);
        for (int a = 0; a < 3; ++a) {
            psi[n * a + k] += v3_get(moved, a);
        }
    }
    point->psi = psi;
    return CAROM_OK;
}
