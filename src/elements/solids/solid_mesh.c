/* Numbering and assembly. Elements stand in the order of parts, then of cells: sums do not depend on anything else. */
#include "elements/solids/solid_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "elements/solids/beam.h"
#include "elements/solids/continuum.h"

typedef struct element {
    int part;
    int nodes[SOLID_NODES];
} element;

struct solid_mesh {
    carom_arena arena;
    int node_count, element_count, part_count, freedom_count;
    v3 *nodes;
    int *first;      /* per node: its first freedom */
    unsigned *masks; /* per node: its freedoms */
    element *elements;
    solid_part *parts; /* groups are not kept */
};

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh of finite elements");
}

/* ---- parts ---- */

/* Whether cells of this kind can be elements of this type. */
static bool fits(const solid_type *type, cell_kind kind)
{
    return type->dimension == cell_kind_dimension(kind) && type->node_count == cell_kind_nodes(kind);
}

/* Gives a cell to a part: owner -1 is nobody. */
static carom_status claim(const volume_mesh *cells, const solid_part *parts, int part, int cell, int *owner,
                          carom_error *err)
{
    const solid_part *p = &parts[part];
    cell_kind kind = cells->cells[cell].kind;
    if (!fits(p->type, kind)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "cell %d of the group '%s' is a '%s', of which no element of the kind '%s' can be made",
                          cell, p->group, cell_kind_name(kind), p->type->kind.name);
    }
    if (owner[cell] >= 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "cell %d of the group '%s' is an element of the group '%s' already",
                          cell, p->group, parts[owner[cell]].group);
    }
    owner[cell] = part;
    return CAROM_OK;
}

static carom_status claim_group(const volume_mesh *cells, const solid_part *parts, int part, int *owner,
                                carom_error *err)
{
    const volume_group *group = volume_mesh_find_group(cells, parts[part].group);
    if (!group) {
        return carom_fail(err, CAROM_BAD_INPUT, "the mesh has no group '%s'", parts[part].group);
    }
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < group->cell_count; ++k) {
        status = claim(cells, parts, part, group->cells[k], owner, err);
    }
    return status;
}

/* Groups first, then parts that take what is left. */
static carom_status claim_all(const volume_mesh *cells, const solid_part *parts, int part_count, int *owner,
                              carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int c = 0; c < cells->cell_count; ++c) {
        owner[c] = -1;
    }
    for (int p = 0; status == CAROM_OK && p < part_count; ++p) {
        status = solid_check_material(parts[p].type, &parts[p].material, err);
        if (status == CAROM_OK && parts[p].group) {
            status = claim_group(cells, parts, p, owner, err);
        }
    }
    for (int p = 0; status == CAROM_OK && p < part_count; ++p) {
        for (int c = 0; !parts[p].group && c < cells->cell_count; ++c) {
            if (owner[c] < 0 && fits(parts[p].type, cells->cells[c].kind)) {
                owner[c] = p;
            }
        }
    }
    return status;
}

/* ---- create ---- */

static void take_nodes(solid_mesh *m, int e, v3 *X)
{
    for (int i = 0; i < m->parts[m->elements[e].part].type->node_count; ++i) {
        X[i] = m->nodes[m->elements[e].nodes[i]];
    }
}

static carom_status add_element(solid_mesh *m, const volume_cell *cell, int part, int number, carom_error *err)
{
    v3 X[SOLID_NODES];
    element *e = &m->elements[m->element_count++];
    const solid_part *p = &m->parts[part];
    e->part = part;
    for (int i = 0; i < p->type->node_count; ++i) {
        if (cell->nodes[i] < 0 || cell->nodes[i] >= m->node_count) {
            return carom_fail(err, CAROM_BAD_INPUT, "cell %d has the node %d of %d", number, cell->nodes[i],
                              m->node_count);
        }
        e->nodes[i] = cell->nodes[i];
        m->masks[cell->nodes[i]] |= p->type->freedoms;
    }
    take_nodes(m, m->element_count - 1, X);
    carom_error why = { 0 };
    carom_status status = solid_check_geometry(p->type, X, &p->material, &why);
    return status == CAROM_OK ? status : carom_fail(err, status, "cell %d: %s", number, why.message);
}

static carom_status add_elements(solid_mesh *m, const volume_mesh *cells, const int *owner, carom_error *err)
{
    for (int p = 0; p < m->part_count; ++p) {
        int before = m->element_count;
        for (int c = 0; c < cells->cell_count; ++c) {
            if (owner[c] == p) {
                carom_status status = add_element(m, &cells->cells[c], p, c, err);
                if (status != CAROM_OK) {
                    return status;
                }
            }
        }
        if (m->element_count == before) {
            return carom_fail(err, CAROM_BAD_INPUT, "the mesh has no cells for elements of the kind '%s'",
                              m->parts[p].type->kind.name);
        }
    }
    return CAROM_OK;
}

static void number_freedoms(solid_mesh *m)
{
    for (int i = 0; i < m->node_count; ++i) {
        m->first[i] = m->freedom_count;
        m->freedom_count += solid_node_freedoms(m->masks[i]);
    }
}

static bool allocate(solid_mesh *m, const volume_mesh *cells, const solid_part *parts, int part_count)
{
    m->node_count = cells->node_count;
    m->part_count = part_count;
    m->nodes = carom_arena_copy(&m->arena, cells->nodes, (size_t)cells->node_count * sizeof *m->nodes);
    m->parts = carom_arena_copy(&m->arena, parts, (size_t)part_count * sizeof *m->parts);
    m->first = CAROM_ARENA_ARRAY(&m->arena, int, cells->node_count);
    m->masks = CAROM_ARENA_ARRAY(&m->arena, unsigned, cells->node_count);
    m->elements = CAROM_ARENA_ARRAY(&m->arena, element, cells->cell_count);
    return !m->arena.failed;
}

carom_status solid_mesh_create(solid_mesh **out, const volume_mesh *cells, const solid_part *parts, int part_count,
                               carom_error *err)
{
    *out = NULL;
    solid_mesh *m = calloc(1, sizeof *m);
    int *owner = malloc((size_t)(cells->cell_count + 1) * sizeof *owner);
    carom_status status = m && owner && allocate(m, cells, parts, part_count) ? CAROM_OK : no_memory(err);
    if (status == CAROM_OK) {
        status = claim_all(cells, parts, part_count, owner, err);
    }
    if (status == CAROM_OK) {
        status = add_elements(m, cells, owner, err);
    }
    free(owner);
    if (status != CAROM_OK) {
        solid_mesh_destroy(m);
        return status;
    }
    number_freedoms(m);
    *out = m;
    return CAROM_OK;
}

void solid_mesh_destroy(solid_mesh *mesh)
{
    if (mesh) {
        carom_arena_free(&mesh->arena);
        free(mesh);
    }
}

/* ---- questions ---- */

int solid_mesh_node_count(const solid_mesh *mesh)
{
    return mesh->node_count;
}

int solid_mesh_element_count(const solid_mesh *mesh)
{
    return mesh->element_count;
}

int solid_mesh_freedom_count(const solid_mesh *mesh)
{
    return mesh->freedom_count;
}

v3 solid_mesh_node(const solid_mesh *mesh, int node)
{
    return mesh->nodes[node];
}

int solid_mesh_freedom(const solid_mesh *mesh, int node, unsigned freedom)
{
    unsigned mask = mesh->masks[node];
    return mask & freedom ? mesh->first[node] + solid_node_freedoms(mask & (freedom - 1)) : -1;
}

solid_element solid_mesh_element(const solid_mesh *mesh, int number)
{
    const element *e = &mesh->elements[number];
    solid_element out = { .type = mesh->parts[e->part].type, .material = &mesh->parts[e->part].material };
    memcpy(out.nodes, e->nodes, sizeof out.nodes);
    for (int i = 0; i < out.type->node_count; ++i) {
        out.X[i] = mesh->nodes[e->nodes[i]];
    }
    return out;
}

/* Coordinates, type and material of an element, and its freedoms among all; returns their number. */
typedef struct own {
    const solid_type *type;
    const solid_material *material;
    v3 X[SOLID_NODES];
    int freedoms[SOLID_FREEDOMS];
    int count;
} own;

static own own_of(const solid_mesh *m, int number)
{
    const element *e = &m->elements[number];
    own o = { .type = m->parts[e->part].type, .material = &m->parts[e->part].material };
    for (int i = 0; i < o.type->node_count; ++i) {
        o.X[i] = m->nodes[e->nodes[i]];
        for (int a = 0; a < NODE_FREEDOMS; ++a) {
            if (o.type->freedoms & (1u << a)) {
                o.freedoms[o.count++] = solid_mesh_freedom(m, e->nodes[i], 1u << a);
            }
        }
    }
    return o;
}

/* ---- matrices ---- */

typedef struct assembly {
    sparse_entry *entries;
    size_t count;
    int *number; /* per freedom: its row, -1: held */
    int rows;
} assembly;

static void free_assembly(assembly *a)
{
    free(a->entries);
    free(a->number);
}

/* Room for the lower triangles of all elements, or for their diagonals. */
static bool begin_assembly(assembly *a, const solid_mesh *m, const bool *held, bool diagonal)
{
    size_t room = 1;
    for (int e = 0; e < m->element_count; ++e) {
        size_t n = (size_t)solid_freedom_count(m->parts[m->elements[e].part].type);
        room += diagonal ? n : n * (n + 1) / 2;
    }
    a->entries = malloc(room * sizeof *a->entries);
    a->number = malloc((size_t)(m->freedom_count + 1) * sizeof *a->number);
    for (int k = 0; a->number && k < m->freedom_count; ++k) {
        a->number[k] = held && held[k] ? -1 : a->rows++;
    }
    return a->entries && a->number;
}

static void put(assembly *a, int row, int column, double value)
{
    if (a->number[row] >= 0 && a->number[column] >= 0 && value != 0.0) {
        a->entries[a->count++] = (sparse_entry){ a->number[row], a->number[column], value };
    }
}

static void put_element(assembly *a, const own *o, const double *A)
{
    for (int r = 0; r < o->count; ++r) {
        for (int c = 0; c <= r; ++c) {
            put(a, o->freedoms[r], o->freedoms[c], A[r * o->count + c]);
        }
    }
}

typedef enum which { STIFFNESS, CONSISTENT_MASS, LUMPED_MASS } which;

static carom_status assemble(const solid_mesh *m, const bool *held, which what, sparse_matrix **out, carom_error *err)
{
    assembly a = { 0 };
    *out = NULL;
    carom_status status = begin_assembly(&a, m, held, what == LUMPED_MASS) ? CAROM_OK : no_memory(err);
    for (int e = 0; status == CAROM_OK && e < m->element_count; ++e) {
        double A[SOLID_FREEDOMS * SOLID_FREEDOMS];
        own o = own_of(m, e);
        if (what == LUMPED_MASS) {
            o.type->lumped_mass(o.type, o.X, o.material, A);
            for (int k = 0; k < o.count; ++k) {
                put(&a, o.freedoms[k], o.freedoms[k], A[k]);
            }
        } else {
            (what == STIFFNESS ? o.type->stiffness : o.type->mass)(o.type, o.X, o.material, A);
            put_element(&a, &o, A);
        }
    }
    if (status == CAROM_OK) {
        status = sparse_create(out, a.rows, a.entries, a.count, err);
    }
    free_assembly(&a);
    return status;
}

carom_status solid_mesh_stiffness(const solid_mesh *mesh, const bool *held, sparse_matrix **K, carom_error *err)
{
    return assemble(mesh, held, STIFFNESS, K, err);
}

carom_status solid_mesh_mass(const solid_mesh *mesh, const bool *held, bool lumped, sparse_matrix **M,
                             carom_error *err)
{
    return assemble(mesh, held, lumped ? LUMPED_MASS : CONSISTENT_MASS, M, err);
}

void solid_mesh_lumped_mass(const solid_mesh *mesh, double *m)
{
    memset(m, 0, (size_t)mesh->freedom_count * sizeof *m);
    for (int e = 0; e < mesh->element_count; ++e) {
        double lumped[SOLID_FREEDOMS];
        own o = own_of(mesh, e);
        o.type->lumped_mass(o.type, o.X, o.material, lumped);
        for (int k = 0; k < o.count; ++k) {
            m[o.freedoms[k]] += lumped[k];
        }
    }
}

/* ---- totals ---- */

/* Integrals of density, density x and density x x'. */
typedef struct moments {
    double mass;
    v3 first;
    m3 second;
} moments;

/* A mass that couples two nodes, as N_i N_j do. */
static void add_pair(moments *s, double mass, v3 a, v3 b)
{
    s->mass += mass;
    s->first = v3_axpy(s->first, 0.5 * mass, v3_add(a, b));
    s->second = m3_add(s->second, m3_scale(0.5 * mass, m3_add(m3_outer(a, b), m3_outer(b, a))));
}

static moments continuum_moments(const own *o)
{
    moments s = { 0 };
    double M[SOLID_FREEDOMS * SOLID_FREEDOMS];
    int d = o->type->dimension;
    o->type->mass(o->type, o->X, o->material, M);
    for (int i = 0; i < o->type->node_count; ++i) {
        for (int j = 0; j < o->type->node_count; ++j) {
            add_pair(&s, M[d * i * o->count + d * j], o->X[i], o->X[j]);
        }
    }
    if (d == 2 && o->material->plane == AXISYMMETRIC) {
        double across = 0.5 * s.second.m[0]; /* a turn shares r^2 between x and z */
        s.second = m3_diag(across, s.second.m[4], across);
        s.first = v3_make(0.0, s.first.y, 0.0);
    } else if (d == 2) {
        s.second.m[8] += s.mass * o->material->thickness * o->material->thickness / 12.0;
    }
    return s;
}

static moments line_moments(const own *o)
{
    moments s = { 0 };
    const solid_section *section = &o->material->section;
    double length = v3_norm(v3_sub(o->X[1], o->X[0]));
    double mass = o->material->density * section->area * length;
    for (int k = 0; k < 4; ++k) {
        add_pair(&s, k % 3 == 0 ? mass / 3.0 : mass / 6.0, o->X[k / 2], o->X[k % 2]);
    }
    if (o->type->beam) {
        double weight = o->material->density * length;
        m3 across = m3_diag(0.0, weight * section->inertia_z, weight * section->inertia_y);
        s.second = m3_add(s.second, m3_rotate_tensor(beam_axes(o->type, o->X, o->material), across));
    }
    return s;
}

solid_totals solid_mesh_totals(const solid_mesh *mesh)
{
    moments sum = { 0 };
    for (int e = 0; e < mesh->element_count; ++e) {
        own o = own_of(mesh, e);
        moments s = o.type->continuum ? continuum_moments(&o) : line_moments(&o);
        sum.mass += s.mass;
        sum.first = v3_add(sum.first, s.first);
        sum.second = m3_add(sum.second, s.second);
    }
    solid_totals t = { .mass = sum.mass, .centre = v3_scale(1.0 / sum.mass, sum.first) };
    m3 central = m3_add(sum.second, m3_scale(-sum.mass, m3_outer(t.centre, t.centre)));
    double trace = m3_trace(central);
    t.inertia = m3_add(m3_diag(trace, trace, trace), m3_scale(-1.0, central));
    return t;
}

/* ---- strain ---- */

void solid_mesh_strain(const solid_mesh *mesh, int number, const double *u, const double xi[3],
                       double strain[SOLID_STRAINS], double stress[SOLID_STRAINS])
{
    double local[SOLID_FREEDOMS];
    own o = own_of(mesh, number);
    for (int k = 0; k < o.count; ++k) {
        local[k] = u[o.freedoms[k]];
    }
    o.type->strain(o.type, o.X, o.material, local, xi, strain);
    o.type->stress(o.type, o.material, strain, stress);
}

/* ---- spots ---- */

static const double INSIDE = 1e-6; /* of the natural coordinates: points on faces belong to both sides */

static bool is_inside(const solid_type *type, const double xi[3])
{
    bool simplex = type->node_count != 4 && type->node_count != 8;
    simplex = simplex || (type->node_count == 4 && type->dimension == 3);
    double sum = 0.0;
    bool fine = true;
    for (int a = 0; a < type->dimension; ++a) {
        sum += xi[a];
        fine = fine && (simplex ? xi[a] >= -INSIDE : fabs(xi[a]) <= 1.0 + INSIDE);
    }
    return fine && (!simplex || sum <= 1.0 + INSIDE);
}

/* Natural coordinates of a point by Newton's method; false: it is outside, or the method says so. */
static bool find_inside(const own *o, v3 point, double xi[3])
{
    const int most = 20; /* quadratic once near; points far outside need not converge */
    int d = o->type->dimension;
    memcpy(xi, o->type->continuum->middle, 3 * sizeof *xi);
    for (int k = 0; k < most; ++k) {
        double N[SOLID_NODES];
        double dN[SOLID_NODES][3];
        m3 A = m3_diag(0.0, 0.0, d == 2 ? 1.0 : 0.0);
        v3 x = v3_zero();
        o->type->continuum->shape(xi, N, dN);
        for (int i = 0; i < o->type->node_count; ++i) {
            x = v3_axpy(x, N[i], o->X[i]);
            for (int a = 0; a < d * 3; ++a) {
                A.m[3 * (a / d) + a % d] += v3_get(o->X[i], a / d) * dN[i][a % d];
            }
        }
        v3 step = m3_mulv(m3_inverse(A), v3_sub(point, x));
        for (int a = 0; a < d; ++a) {
            xi[a] += v3_get(step, a);
        }
        if (!v3_finite(step) || v3_norm(step) > 1e3) {
            return false;
        }
        if (v3_norm(step) < 1e-12) {
            break;
        }
    }
    return is_inside(o->type, xi);
}

static double beside_line(const own *o, v3 point, double xi[3], v3 *off)
{
    v3 along = v3_sub(o->X[1], o->X[0]);
    double t = v3_dot(v3_sub(point, o->X[0]), along) / v3_norm2(along);
    t = fmin(1.0, fmax(0.0, t));
    xi[0] = 2.0 * t - 1.0;
    xi[1] = xi[2] = 0.0;
    *off = v3_sub(point, v3_axpy(o->X[0], t, along));
    return v3_norm(*off);
}

bool solid_mesh_locate(const solid_mesh *mesh, v3 point, solid_spot *out)
{
    double least = HUGE_VAL;
    for (int e = 0; e < mesh->element_count; ++e) {
        own o = own_of(mesh, e);
        solid_spot spot = { .element = e };
        if (o.type->continuum && find_inside(&o, point, spot.xi)) {
            *out = spot;
            return true;
        }
        double distance = o.type->continuum ? HUGE_VAL : beside_line(&o, point, spot.xi, &spot.off);
        if (distance < least) {
            least = distance;
            *out = spot;
        }
    }
    return least < HUGE_VAL;
}

v3 solid_mesh_axis(const solid_mesh *mesh, int number)
{
    own o = own_of(mesh, number);
    return o.type->continuum ? v3_zero() : v3_unit(v3_sub(o.X[1], o.X[0]));
}

/* Rotation of a spot of a beam, between those of its nodes; 0 of elements whose nodes do not turn. */
static v3 rotation_at(const solid_mesh *mesh, const own *o, const element *e, const double xi[3], const double *u)
{
    double weights[SOLID_NODES];
    double turn[3] = { 0.0, 0.0, 0.0 };
    o->type->weights(o->type, xi, weights);
    for (int i = 0; i < o->type->node_count; ++i) {
        for (int a = 0; a < 3; ++a) {
            int freedom = solid_mesh_freedom(mesh, e->nodes[i], (unsigned)TURN_X << a);
            turn[a] += freedom >= 0 ? weights[i] * u[freedom] : 0.0;
        }
    }
    return v3_load(turn);
}

v3 solid_mesh_displacement(const solid_mesh *mesh, const solid_spot *spot, const double *u)
{
    own o = own_of(mesh, spot->element);
    double N[3 * SOLID_FREEDOMS];
    double sum[3] = { 0.0, 0.0, 0.0 };
    o.type->interpolation(o.type, o.X, o.material, spot->xi, N);
    for (int k = 0; k < 3 * o.count; ++k) {
        sum[k / o.count] += N[k] * u[o.freedoms[k % o.count]];
    }
    v3 turn = rotation_at(mesh, &o, &mesh->elements[spot->element], spot->xi, u);
    return v3_add(v3_load(sum), v3_cross(turn, spot->off));
}

double solid_mesh_strain_along(const solid_mesh *mesh, const solid_spot *spot, const double *u, v3 along)
{
    own o = own_of(mesh, spot->element);
    double strain[SOLID_STRAINS], stress[SOLID_STRAINS];
    solid_mesh_strain(mesh, spot->element, u, spot->xi, strain, stress);
    if (!o.type->continuum) {
        v3 off = o.type->beam ? m3_tmulv(beam_axes(o.type, o.X, o.material), spot->off) : v3_zero();
        return strain[STRAIN_AXIAL] - off.y * strain[STRAIN_BEND_Z] + off.z * strain[STRAIN_BEND_Y];
    }
    const v3 n = along;
    return strain[STRAIN_XX] * n.x * n.x + strain[STRAIN_YY] * n.y * n.y + strain[STRAIN_ZZ] * n.z * n.z +
           strain[STRAIN_YZ] * n.y * n.z + strain[STRAIN_ZX] * n.z * n.x + strain[STRAIN_XY] * n.x * n.y;
}

/* How the second end of a line moves across it against the first. */
static v3 across_line(const solid_mesh *mesh, const element *e, v3 axis, const double *u)
{
    double d[3];
    for (int a = 0; a < 3; ++a) {
        int first = solid_mesh_freedom(mesh, e->nodes[0], (unsigned)MOVE_X << a);
        int second = solid_mesh_freedom(mesh, e->nodes[1], (unsigned)MOVE_X << a);
        d[a] = first >= 0 && second >= 0 ? u[second] - u[first] : 0.0;
    }
    v3 moved = v3_load(d);
    return v3_axpy(moved, -v3_dot(moved, axis), axis);
}

static void shorten_line(const solid_mesh *mesh, const element *e, const double *a, const double *b, double *force)
{
    const solid_material *material = &mesh->parts[e->part].material;
    v3 line = v3_sub(mesh->nodes[e->nodes[1]], mesh->nodes[e->nodes[0]]);
    v3 axis = v3_unit(line);
    double strain = v3_dot(across_line(mesh, e, axis, a), across_line(mesh, e, axis, b)) / v3_norm2(line);
    double tension = material->young * material->section.area * strain;
    for (int k = 0; k < 2 * 3; ++k) { /* both ends, three axes */
        int freedom = solid_mesh_freedom(mesh, e->nodes[k / 3], (unsigned)MOVE_X << (k % 3));
        if (freedom >= 0) {
            force[freedom] += (k < 3 ? tension : -tension) * v3_get(axis, k % 3);
        }
    }
}

static void shorten_solid(const solid_mesh *mesh, int i, const double *a, const double *b, double *force)
{
    own o = own_of(mesh, i);
    double ua[SOLID_FREEDOMS], ub[SOLID_FREEDOMS], f[SOLID_FREEDOMS] = { 0 };
    for (int k = 0; k < o.count; ++k) {
        ua[k] = a[o.freedoms[k]];
        ub[k] = b[o.freedoms[k]];
    }
    continuum_shortening(o.type, o.X, o.material, ua, ub, f);
    for (int k = 0; k < o.count; ++k) {
        force[o.freedoms[k]] += f[k];
    }
}

void solid_mesh_shortening(const solid_mesh *mesh, const double *a, const double *b, double *force)
{
    for (int i = 0; i < mesh->element_count; ++i) {
        const element *e = &mesh->elements[i];
        if (mesh->parts[e->part].type->continuum) {
            shorten_solid(mesh, i, a, b, force);
        } else {
            shorten_line(mesh, e, a, b, force);
        }
    }
}
