/* Meshes that are made, and the finite elements and materials of any mesh. */
#include <stdio.h>
#include <string.h>

#include "elements/flexible/flexible.h"
#include "elements/flexible/round_meshes.h"
#include "elements/flexible/struck_meshes.h"

#define PI 3.14159265358979323846

static bool is_kind(const carom_choice *choice, const char *name)
{
    return choice->kind && strcmp(choice->kind, name) == 0;
}

bool flexible_mesh_is_made(const carom_choice *mesh)
{
    return !is_kind(mesh, "file") && !is_kind(mesh, "of_shape");
}

/* ---- kinds of elements ---------------------------------------------------------------------------------------- */

/* The usual element for cells of a kind; NULL: there is none. */
static const solid_type *usual_type(cell_kind kind)
{
    static const char *const names[CELL_KINDS] = {
        [CELL_LINE2] = "timoshenko-beam",
        [CELL_TRIANGLE6] = "triangle6",
        [CELL_QUAD4] = "quad4",
        [CELL_TETRAHEDRON4] = "tetrahedron4",
        [CELL_TETRAHEDRON10] = "tetrahedron10",
        [CELL_HEXAHEDRON8] = "hexahedron8",
    };
    return names[kind] ? solid_type_find(names[kind]) : NULL;
}

static bool fits(const solid_type *type, cell_kind kind)
{
    return type->dimension == cell_kind_dimension(kind) && type->node_count == cell_kind_nodes(kind);
}

static carom_status find_element(const char *name, const solid_type **out, carom_error *err)
{
    *out = solid_type_find(name);
    if (*out) {
        return CAROM_OK;
    }
    char known[256] = "";
    for (const solid_type *const *type = solid_types(); *type; ++type) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", (*type)->kind.name);
    }
    return carom_fail(err, CAROM_BAD_INPUT, "unknown 'element' '%.60s'; there are: %s", name, known);
}

/* The element of a mesh that is made. */
static carom_status element_of_made(const carom_flexible_def *def, const solid_type **out, carom_error *err)
{
    static const char *const usual[][2] = {
        { "bar", "bar" },           { "beam", "timoshenko-beam" }, { "strip", "quad4" },  { "rod", "quad4" },
        { "block", "hexahedron8" }, { "plate", "hexahedron8" },    { "finger", "quad4" }, { "anvil", "quad4" },
        { "disc", "quad4" },        { "ball", "hexahedron8" },     { "bed", "quad4" }
    };
    const char *name = def->element;
    for (size_t i = 0; !name && i < sizeof usual / sizeof *usual; ++i) {
        name = is_kind(&def->mesh, usual[i][0]) ? usual[i][1] : NULL;
    }
    return find_element(name ? name : "", out, err);
}

/* ---- grids --------------------------------------------------------------------------------------------------- */

typedef struct grid_request {
    int dimension;
    volume_axis axes[3];
    v3 shift; /* of what lies across the axes */
} grid_request;

static carom_status take_divisions(grid_request *g, const carom_reals *divisions, const carom_reals *grading,
                                   carom_error *err)
{
    const double most = 1e6; /* cells along an axis */
    for (int a = 0; a < g->dimension; ++a) {
        double count = divisions->data[a];
        if (count != floor(count) || !(count >= 1.0 && count <= most)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "'divisions' of the mesh has %g; it must be a whole number from 1 to %g", count, most);
        }
        g->axes[a].count = (int)count;
        g->axes[a].grading = grading->count == 0                   ? 1.0
                             : grading->count == 1                 ? grading->data[0]
                             : (int)grading->count == g->dimension ? grading->data[a]
                                                                   : -1.0;
        if (!(g->axes[a].grading > 0.0)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "'grading' of the mesh has %zu numbers; it needs one, or one for each of its %d axes",
                              grading->count, g->dimension);
        }
    }
    return CAROM_OK;
}

static volume_axis centred(double at, double length)
{
    return (volume_axis){ .start = at - 0.5 * length, .length = length };
}

static carom_status ask_line(grid_request *g, const carom_line_mesh_def *line)
{
    *g = (grid_request){ .dimension = 1, .axes[0] = centred(line->at.x, line->length) };
    g->axes[0].count = line->count;
    g->axes[0].grading = line->grading;
    g->shift = v3_make(0.0, line->at.y, line->at.z);
    return CAROM_OK;
}

static carom_status ask_strip(grid_request *g, const carom_plane_mesh_def *strip, carom_error *err)
{
    *g = (grid_request){ .dimension = 2,
                         .axes = { centred(strip->at.x, strip->length), centred(strip->at.y, strip->height) },
                         .shift = v3_make(0.0, 0.0, strip->at.z) };
    return take_divisions(g, &strip->divisions, &strip->grading, err);
}

static carom_status ask_rod(grid_request *g, const carom_rod_mesh_def *rod, carom_error *err)
{
    if (rod->at.x != 0.0 || rod->at.z != 0.0) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'at' of the mesh is [%g, %g, %g]; the axis of a rod is the y axis of its body: only y may differ "
            "from 0",
            rod->at.x, rod->at.y, rod->at.z);
    }
    *g = (grid_request){ .dimension = 2, .axes = { { .length = rod->radius }, centred(rod->at.y, rod->length) } };
    return take_divisions(g, &rod->divisions, &rod->grading, err);
}

static carom_status ask_block(grid_request *g, const carom_block_mesh_def *block, carom_error *err)
{
    *g = (grid_request){ .dimension = 3,
                         .axes = { centred(block->at.x, block->size.x), centred(block->at.y, block->size.y),
                                   centred(block->at.z, block->size.z) } };
    return take_divisions(g, &block->divisions, &block->grading, err);
}

static carom_status ask(grid_request *g, const carom_choice *mesh, carom_error *err)
{
    return is_kind(mesh, "strip")                          ? ask_strip(g, mesh->params, err)
           : is_kind(mesh, "rod")                          ? ask_rod(g, mesh->params, err)
           : is_kind(mesh, "bar") || is_kind(mesh, "beam") ? ask_line(g, mesh->params)
                                                           : ask_block(g, mesh->params, err);
}

/* The cells that elements of this type are made from. */
static carom_status cells_for(const solid_type *type, int dimension, const char *mesh, cell_kind *out,
                              carom_error *err)
{
    for (int kind = 0; kind < CELL_KINDS; ++kind) {
        if (fits(type, (cell_kind)kind) && type->dimension == dimension) {
            *out = (cell_kind)kind;
            return CAROM_OK;
        }
    }
    return carom_fail(err, CAROM_BAD_INPUT, "a '%s' cannot be made of elements of the kind '%s'", mesh,
                      type->kind.name);
}

/* Nodes on the end of an axis become a group of points. */
static bool add_side(volume_mesh *mesh, int axis, double place, double room, const char *name)
{
    int group = volume_mesh_group(mesh, name, 0);
    int nodes = mesh->node_count;
    bool ok = group >= 0;
    for (int i = 0; i < nodes && ok; ++i) {
        if (fabs(v3_get(mesh->nodes[i], axis) - place) <= room) {
            ok = volume_mesh_add_cell(mesh, CELL_POINT, &i) &&
                 volume_mesh_add_to_group(mesh, group, mesh->cell_count - 1);
        }
    }
    return ok;
}

bool flexible_mesh_add_sides(volume_mesh *mesh, int dimension, double room)
{
    static const char *const names[3][2] = { { "x_min", "x_max" }, { "y_min", "y_max" }, { "z_min", "z_max" } };
    bool ok = true;
    for (int a = 0; a < dimension && ok; ++a) {
        double low = HUGE_VAL;
        double high = -HUGE_VAL;
        for (int i = 0; i < mesh->node_count; ++i) {
            low = fmin(low, v3_get(mesh->nodes[i], a));
            high = fmax(high, v3_get(mesh->nodes[i], a));
        }
        ok = add_side(mesh, a, low, room, names[a][0]) && add_side(mesh, a, high, room, names[a][1]);
    }
    return ok;
}

/* Meshes of quadrilaterals or hexahedra that are no grids. */
static bool is_struck(const carom_choice *mesh)
{
    static const char *const names[] = { "finger", "anvil", "disc", "ball", "bed" };
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        found = found || is_kind(mesh, names[i]);
    }
    return found;
}

static carom_status make_struck(volume_mesh *out, const carom_flexible_def *def, cell_kind kind, carom_error *err)
{
    const carom_choice *mesh = &def->mesh;
    bool space = is_kind(mesh, "ball");
    round_extent extent = space ? ROUND_SPACE : (int)def->plane == AXISYMMETRIC ? ROUND_HALF_SECTION : ROUND_PLANE;
    if (kind != (space ? CELL_HEXAHEDRON8 : CELL_QUAD4)) {
        return carom_fail(err, CAROM_BAD_INPUT, "a '%s' is made of %s", mesh->kind,
                          space ? "hexahedra" : "quadrilaterals");
    }
    return is_kind(mesh, "finger")  ? finger_mesh_make(out, mesh->params, err)
           : is_kind(mesh, "anvil") ? anvil_mesh_make(out, mesh->params, err)
           : is_kind(mesh, "bed")   ? bed_mesh_make(out, mesh->params, extent, err)
                                    : ball_mesh_make(out, mesh->params, extent, err);
}

carom_status flexible_mesh_make(volume_mesh *out, const carom_flexible_def *def, carom_error *err)
{
    const solid_type *type = NULL;
    grid_request g = { .dimension = is_kind(&def->mesh, "ball") ? 3 : 2 };
    cell_kind kind = CELL_POINT;
    bool struck = is_struck(&def->mesh);
    carom_status status = element_of_made(def, &type, err);
    status = status == CAROM_OK && !struck ? ask(&g, &def->mesh, err) : status;
    status = status == CAROM_OK ? cells_for(type, g.dimension, def->mesh.kind, &kind, err) : status;
    status = status != CAROM_OK ? status
             : struck           ? make_struck(out, def, kind, err)
                                : volume_mesh_grid(out, kind, g.axes, err);
    if (status != CAROM_OK) {
        return status;
    }
    for (int i = 0; i < out->node_count; ++i) {
        out->nodes[i] = v3_add(out->nodes[i], g.shift);
    }
    if (!flexible_mesh_add_sides(out, g.dimension, 0.0)) {
        volume_mesh_free(out);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a mesh");
    }
    return CAROM_OK;
}

/* ---- materials ------------------------------------------------------------------------------------------------- */

/* Shear coefficients of circles and tubes are those of [Cowper1966]. */
static solid_section round_section(const carom_round_section_def *d, double poisson)
{
    double R2 = d->radius * d->radius;
    double r2 = d->inner * d->inner;
    double second = 0.25 * PI * (R2 * R2 - r2 * r2);
    double m2 = r2 / R2;
    double around = (1.0 + m2) * (1.0 + m2);
    double shear = 6.0 * (1.0 + poisson) * around / ((7.0 + 6.0 * poisson) * around + (20.0 + 12.0 * poisson) * m2);
    return (solid_section){ .area = PI * (R2 - r2),
                            .inertia_y = second,
                            .inertia_z = second,
                            .torsion = 2.0 * second,
                            .shear_y = shear,
                            .shear_z = shear };
}

/* The torsion constant is within 0.1 % of the series [Young2002]. */
static solid_section rectangle_section(const carom_rectangle_section_def *d)
{
    double a = fmax(d->height, d->width);
    double b = fmin(d->height, d->width);
    double slender = b / a;
    return (solid_section){ .area = a * b,
                            .inertia_y = d->height * d->width * d->width * d->width / 12.0,
                            .inertia_z = d->width * d->height * d->height * d->height / 12.0,
                            .torsion = a * b * b * b *
                                       (1.0 / 3.0 -
                                        0.21 * slender * (1.0 - slender * slender * slender * slender / 12.0)),
                            .shear_y = 5.0 / 6.0,
                            .shear_z = 5.0 / 6.0 };
}

static solid_section general_section(const carom_general_section_def *d)
{
    return (solid_section){ .area = d->area,
                            .inertia_y = d->inertia_y,
                            .inertia_z = d->inertia_z,
                            .torsion = d->torsion,
                            .shear_y = d->shear_y,
                            .shear_z = d->shear_z };
}

static carom_status take_section(solid_material *m, const carom_flexible_def *def, carom_error *err)
{
    const carom_choice *section = &def->section;
    const carom_round_section_def *round = is_kind(section, "round") ? section->params : NULL;
    if (round && round->inner >= round->radius) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'section' has an inner radius of %g m, not below the outer one of %g m", round->inner,
                          round->radius);
    }
    if (!section->kind) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "bars and beams need a 'section', for example {\"round\": 0.003} or {\"rectangle\": {\"height\": "
            "0.01, \"width\": 0.02}}");
    }
    m->section = is_kind(section, "round")       ? round_section(section->params, m->poisson)
                 : is_kind(section, "rectangle") ? rectangle_section(section->params)
                                                 : general_section(section->params);
    m->section.up = def->up;
    return CAROM_OK;
}

static carom_status take_material(solid_material *out, const solid_type *type, const carom_flexible_def *def,
                                  const carom_material_def *material, carom_error *err)
{
    *out = solid_material_default;
    out->young = material->young;
    out->poisson = material->poisson;
    out->density = material->density;
    out->plane = is_kind(&def->mesh, "rod") ? (int)AXISYMMETRIC : (int)def->plane;
    bool plane = type->dimension == 2 && out->plane != AXISYMMETRIC;
    if (plane && !(def->thickness > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT, "plane elements need a 'thickness'");
    }
    out->thickness = plane ? def->thickness : 1.0;
    return type->dimension == 1 ? take_section(out, def, err) : CAROM_OK;
}

/* ---- elements -------------------------------------------------------------------------------------------------- */

/* The kinds of cells that fill the mesh: those of its highest dimension. */
static carom_status parts_of_cells(const volume_mesh *cells, solid_part *parts, int *count, carom_error *err)
{
    int dimension = 0;
    bool present[CELL_KINDS] = { false };
    for (int c = 0; c < cells->cell_count; ++c) {
        cell_kind kind = cells->cells[c].kind;
        present[kind] = true;
        dimension = cell_kind_dimension(kind) > dimension ? cell_kind_dimension(kind) : dimension;
    }
    *count = 0;
    for (int kind = 0; kind < CELL_KINDS; ++kind) {
        if (!present[kind] || cell_kind_dimension((cell_kind)kind) != dimension || dimension == 0) {
            continue;
        }
        const solid_type *type = usual_type((cell_kind)kind);
        if (!type) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "the mesh has cells of the kind '%s', of which no finite element is made; let Gmsh write "
                "another order (Mesh.ElementOrder)",
                cell_kind_name((cell_kind)kind));
        }
        parts[(*count)++] = (solid_part){ .type = type };
    }
    return *count > 0
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "the mesh has no cells that fill a line, an area or a volume");
}

static carom_status choose_parts(const volume_mesh *cells, const carom_flexible_def *def, solid_part *parts,
                                 int *count, carom_error *err)
{
    *count = 1;
    if (flexible_mesh_is_made(&def->mesh)) {
        return element_of_made(def, &parts[0].type, err);
    }
    return def->element ? find_element(def->element, &parts[0].type, err) : parts_of_cells(cells, parts, count, err);
}

carom_status flexible_solid_make(solid_mesh **out, solid_material *out_material, const volume_mesh *cells,
                                 const carom_flexible_def *def, const carom_material_def *material, carom_error *err)
{
    solid_part parts[CELL_KINDS] = { { 0 } };
    int count = 0;
    carom_status status = choose_parts(cells, def, parts, &count, err);
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        status = take_material(&parts[i].material, parts[i].type, def, material, err);
    }
    *out_material = parts[0].material;
    return status == CAROM_OK ? solid_mesh_create(out, cells, parts, count, err) : status;
}
