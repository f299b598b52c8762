/* What is told about a body in nodal coordinates before a run: its size, its fastest vibration, and the element that sets the step. */
#include <stdlib.h>

#include <carom/modes.h>
#include "model/nodal.h"

/* [m] between the two closest nodes. */
static double closest_nodes(const solid_element *e)
{
    double least = HUGE_VAL;
    for (int i = 0; i < e->type->node_count; ++i) {
        for (int j = 0; j < i; ++j) {
            least = fmin(least, v3_norm(v3_sub(e->X[i], e->X[j])));
        }
    }
    return least;
}

static v3 middle(const solid_element *e)
{
    v3 sum = v3_zero();
    for (int i = 0; i < e->type->node_count; ++i) {
        sum = v3_axpy(sum, 1.0 / e->type->node_count, e->X[i]);
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over all elements; 0 where memory runs out. */
static double usual_distance(const solid_mesh *mesh)
{
    int count = solid_mesh_element_count(mesh);
    double *all = malloc((size_t)count * sizeof *all);
    for (int k = 0; all && k < count; ++k) {
        solid_element e = solid_mesh_element(mesh, k);
        all[k] = closest_nodes(&e);
    }
    if (all) {
        qsort(all, (size_t)count, sizeof *all, compare);
    }
    double median = all ? all[count / 2] : 0.0;
    free(all);
    return median;
}

void nodal_about(const void *nodal, struct carom_flexible_info *out)
{
    const double two_pi = 6.28318530717958647693;
    const model_nodal *n = nodal;
    solid_element e = solid_mesh_element(n->mesh, n->fastest.element);
    v3 at = middle(&e);
    out->node_count = nodal_node_count(n->nodes);
    out->element_count = solid_mesh_element_count(n->mesh);
    out->freedom_count = nodal_coordinate_count(n->nodes);
    out->coordinate_count = nodal_coordinate_count(n->nodes);
    out->highest = n->fastest.omega / two_pi;
    out->critical_step = n->critical;
    out->critical_at = (carom_v3){ at.x, at.y, at.z };
    out->critical_distance = closest_nodes(&e);
    out->usual_distance = usual_distance(n->mesh);
}
