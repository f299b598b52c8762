/* What kinds of bodies are made from: masses, and the nodes of attachments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/union_find.h"
#include "elements/flexible/flexible.h"

bool flexible_node_used(const flexible_input *in, int node)
{
    return solid_mesh_freedom(in->mesh, node, MOVE_X) >= 0;
}

double flexible_node_mass(const flexible_input *in, const double *lumped, int node)
{
    int freedom = solid_mesh_freedom(in->mesh, node, MOVE_X);
    return freedom >= 0 ? lumped[freedom] : 0.0;
}

/* ---- masses ---------------------------------------------------------------------------------------------------- */

/* What is zero but for rounding of sums over a mesh of this size. */
static double without_rounding(double x, double size)
{
    return fabs(x) < 1e-14 * size ? 0.0 : x;
}

static carom_status weigh(flexible_input *in, carom_error *err)
{
    double *lumped = malloc((size_t)(solid_mesh_freedom_count(in->mesh) + 1) * sizeof *lumped);
    if (!lumped) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the masses of a mesh");
    }
    solid_mesh_lumped_mass(in->mesh, lumped);
    v3 moment = v3_zero();
    v3 low = v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    v3 high = v3_scale(-1.0, low);
    in->mass = 0.0;
    for (int i = 0; i < solid_mesh_node_count(in->mesh); ++i) {
        if (flexible_node_used(in, i)) {
            v3 x = solid_mesh_node(in->mesh, i);
            double m = flexible_node_mass(in, lumped, i);
            in->mass += m;
            moment = v3_axpy(moment, m, x);
            low = v3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
            high = v3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        }
    }
    in->size = v3_norm(v3_sub(high, low));
    in->centre = v3_scale(1.0 / in->mass, moment);
    in->centre = v3_make(without_rounding(in->centre.x, in->size), without_rounding(in->centre.y, in->size),
                         without_rounding(in->centre.z, in->size));
    free(lumped);
    return CAROM_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------- */

/* The groups of a mesh as "a, b, c", as many as fit. */
static const char *group_list(const volume_mesh *mesh, char *buffer, size_t size)
{
    buffer[0] = '\0';
    for (int g = 0; g < mesh->group_count; ++g) {
        size_t used = strlen(buffer);
        snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", mesh->groups[g].name);
    }
    return buffer[0] ? buffer : "none";
}

static carom_status mark_group(const flexible_input *in, const char *name, const char *what, bool *marked,
                               carom_error *err)
{
    const volume_group *group = volume_mesh_find_group(in->cells, name);
    if (!group) {
        char known[256];
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%s names the group '%.100s', which the mesh does not have; its groups: %s", what, name,
                          group_list(in->cells, known, sizeof known));
    }
    for (int k = 0; k < group->cell_count; ++k) {
        const volume_cell *cell = &in->cells->cells[group->cells[k]];
        for (int i = 0; i < cell_kind_nodes(cell->kind); ++i) {
            marked[cell->nodes[i]] = true;
        }
    }
    return CAROM_OK;
}

static bool inside(v3 x, v3 low, v3 high, double room)
{
    return x.x >= low.x - room && x.x <= high.x + room && x.y >= low.y - room && x.y <= high.y + room &&
           x.z >= low.z - room && x.z <= high.z + room;
}

/* The node nearest to a place. */
static int nearest_node(const flexible_input *in, v3 place, double *distance)
{
    int best = -1;
    *distance = HUGE_VAL;
    for (int i = 0; i < solid_mesh_node_count(in->mesh); ++i) {
        double d = v3_norm(v3_sub(solid_mesh_node(in->mesh, i), place));
        if (flexible_node_used(in, i) && d < *distance) {
            best = i;
            *distance = d;
        }
    }
    return best;
}

/* Coordinates of files and of meshes that are made carry rounding: what is meant to be on a face is on it. */
#define PLACE_ROOM 1e-6 /* of the size of the mesh */

static carom_status mark_box(const flexible_input *in, const carom_box_nodes_def *box, const char *what, bool *marked,
                             carom_error *err)
{
    bool any = false;
    for (int i = 0; i < solid_mesh_node_count(in->mesh); ++i) {
        marked[i] = flexible_node_used(in, i) &&
                    inside(solid_mesh_node(in->mesh, i), box->low, box->high, PLACE_ROOM * in->size);
        any = any || marked[i];
    }
    if (any) {
        return CAROM_OK;
    }
    double distance;
    v3 x = solid_mesh_node(in->mesh, nearest_node(in, v3_scale(0.5, v3_add(box->low, box->high)), &distance));
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "%s: no node lies in the box from (%g, %g, %g) to (%g, %g, %g) m; the node nearest to its middle is "
        "at (%g, %g, %g) m",
        what, box->low.x, box->low.y, box->low.z, box->high.x, box->high.y, box->high.z, x.x, x.y, x.z);
}

static carom_status mark_place(const flexible_input *in, v3 place, const char *what, bool *marked, carom_error *err)
{
    double distance;
    int node = nearest_node(in, place, &distance);
    if (distance > PLACE_ROOM * in->size) {
        v3 x = solid_mesh_node(in->mesh, node);
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "%s: no node is at (%g, %g, %g) m; the nearest one, %d, is at (%.9g, %.9g, %.9g) m, %.3g m away", what,
            place.x, place.y, place.z, node, x.x, x.y, x.z, distance);
    }
    marked[node] = true;
    return CAROM_OK;
}

static carom_status mark(const flexible_input *in, const carom_choice *choice, const char *what, bool *marked,
                         carom_error *err)
{
    if (strcmp(choice->kind, "group") == 0) {
        return mark_group(in, ((const carom_group_nodes_def *)choice->params)->group, what, marked, err);
    }
    return strcmp(choice->kind, "box") == 0
               ? mark_box(in, choice->params, what, marked, err)
               : mark_place(in, ((const carom_place_nodes_def *)choice->params)->position, what, marked, err);
}

carom_status flexible_nodes_find(const flexible_input *in, const carom_choice *choice, const char *what,
                                 carom_arena *arena, const int **nodes, int *count, carom_error *err)
{
    int total = solid_mesh_node_count(in->mesh);
    bool *marked = calloc((size_t)total + 1, sizeof *marked);
    carom_status status = marked ? mark(in, choice, what, marked, err)
                                 : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the nodes of a mesh");
    *count = 0;
    for (int i = 0; status == CAROM_OK && i < total; ++i) {
        *count += marked[i] = marked[i] && flexible_node_used(in, i);
    }
    int *found = status == CAROM_OK ? CAROM_ARENA_ARRAY(arena, int, *count + 1) : NULL;
    for (int i = 0, k = 0; found && i < total; ++i) {
        if (marked[i]) {
            found[k++] = i;
        }
    }
    *nodes = found;
    free(marked);
    if (status == CAROM_OK && !found) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the nodes of a mesh");
    }
    return status == CAROM_OK && *count == 0
               ? carom_fail(err, CAROM_BAD_INPUT, "%s has nodes, but none of them belongs to a finite element", what)
               : status;
}

/* ---- attachments ------------------------------------------------------------------------------------------------ */

static carom_status make_attachment(const flexible_input *in, const carom_flexible_attachment_def *def,
                                    flexible_attachment *out, carom_arena *arena, carom_error *err)
{
    char what[160];
    snprintf(what, sizeof what, "attachment '%.100s'", def->name);
    *out = (flexible_attachment){ .name = carom_arena_text(arena, def->name), .as = def->as };
    if (!out->name) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for attachments");
    }
    carom_status status = flexible_nodes_find(in, &def->nodes, what, arena, &out->nodes, &out->node_count, err);
    out->low = v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    out->high = v3_scale(-1.0, out->low);
    for (int i = 0; status == CAROM_OK && i < out->node_count; ++i) {
        v3 x = solid_mesh_node(in->mesh, out->nodes[i]);
        out->low = v3_make(fmin(out->low.x, x.x), fmin(out->low.y, x.y), fmin(out->low.z, x.z));
        out->high = v3_make(fmax(out->high.x, x.x), fmax(out->high.y, x.y), fmax(out->high.z, x.z));
    }
    return status;
}

/* Names differ; a node moves with one rigid attachment at most. */
static carom_status check_apart(const flexible_attachment *a, const flexible_attachment *b, carom_error *err)
{
    if (strcmp(a->name, b->name) == 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "two attachments have the name '%.100s'", a->name);
    }
    for (int i = 0, k = 0; a->as == CAROM_ATTACH_RIGID && b->as == CAROM_ATTACH_RIGID && i < a->node_count;) {
        int other = k < b->node_count ? b->nodes[k] : -1;
        if (other == a->nodes[i]) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "node %d is in the rigid attachments '%.100s' and '%.100s'; it can move with one of them only", other,
                a->name, b->name);
        }
        bool behind = other >= 0 && other < a->nodes[i];
        k += behind;
        i += !behind;
    }
    return CAROM_OK;
}

/* ---- in one piece ------------------------------------------------------------------------------------------------ */

/* Nodes of one element, and of one rigid attachment, hang together. */
static void unite_nodes(const flexible_input *in, int *parent)
{
    for (int e = 0; e < solid_mesh_element_count(in->mesh); ++e) {
        const solid_element element = solid_mesh_element(in->mesh, e);
        for (int i = 1; i < element.type->node_count; ++i) {
            set_unite(parent, element.nodes[0], element.nodes[i]);
        }
    }
    for (int k = 0; k < in->attachment_count; ++k) {
        const flexible_attachment *a = &in->attachments[k];
        for (int i = 1; a->as == CAROM_ATTACH_RIGID && i < a->node_count; ++i) {
            set_unite(parent, a->nodes[0], a->nodes[i]);
        }
    }
}

static carom_status check_connected(const flexible_input *in, carom_error *err)
{
    int count = solid_mesh_node_count(in->mesh);
    int *parent = malloc((size_t)(count + 1) * sizeof *parent);
    int first = -1;
    int apart = -1;
    if (!parent) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the nodes of a mesh");
    }
    for (int i = 0; i < count; ++i) {
        parent[i] = i;
    }
    unite_nodes(in, parent);
    for (int i = 0; i < count && apart < 0; ++i) {
        bool used = flexible_node_used(in, i);
        first = first < 0 && used ? i : first;
        apart = used && set_root(parent, i) != set_root(parent, first) ? i : -1;
    }
    free(parent);
    if (apart < 0) {
        return CAROM_OK;
    }
    v3 a = solid_mesh_node(in->mesh, first);
    v3 b = solid_mesh_node(in->mesh, apart);
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "the mesh falls apart: nothing connects node %d at (%g, %g, %g) m with node %d at (%g, %g, %g) m; merge "
        "nodes that coincide, or put both parts into one rigid attachment",
        first, a.x, a.y, a.z, apart, b.x, b.y, b.z);
}

carom_status flexible_input_make(flexible_input *in, carom_arena *arena, carom_error *err)
{
    const carom_flexible_attachment_def *defs = in->def->attachments.items;
    int count = (int)in->def->attachments.count;
    flexible_attachment *list = CAROM_ARENA_ARRAY(arena, flexible_attachment, count + 1);
    carom_status status = list ? weigh(in, err) : carom_fail(err, CAROM_NO_MEMORY, "out of memory for attachments");
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        status = make_attachment(in, &defs[i], &list[i], arena, err);
        for (int k = 0; k < i && status == CAROM_OK; ++k) {
            status = check_apart(&list[k], &list[i], err);
        }
    }
    in->attachments = list;
    in->attachment_count = count;
    return status == CAROM_OK ? check_connected(in, err) : status;
}
