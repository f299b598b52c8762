/* Contact by penalty forces, for comparison: the force at a point is its stiffness times its penetration, F = f K A^2 / V max(0, -g)
 * [Hallquist1985], explicit. Rigid slaves have no elements behind them: what they touch lends its own stiffness. */
#include <string.h>

#include "methods/constraint/constraint_work.h"

/* Of an edge: what its nodes have at the place. */
static double edge_stiffness(const carom_model *m, int surface, int edge, const double weight[2])
{
    const int *nodes = edge_nodes(m, surface, edge);
    return weight[0] * m->surfaces[surface].penalty[nodes[0]] + weight[1] * m->surfaces[surface].penalty[nodes[1]];
}

static double stiffness(const carom_model *m, const node_contact *c)
{
    if (c->key.edges && !(c->key.rigid_slave && c->key.rigid_other)) {
        return c->key.rigid_slave ? edge_stiffness(m, c->key.other, c->key.facet, c->weight)
                                  : edge_stiffness(m, c->key.slave, c->key.point, c->own_weight);
    }
    if (!c->key.rigid_slave) {
        return m->surfaces[c->key.slave].penalty[c->key.point];
    }
    if (c->key.rigid_other) {
        return 0.0;
    }
    const model_surface *s = &m->surfaces[c->key.other];
    return s->penalty[s->facets[c->key.facet].nodes[0]];
}

void set_penalties(constraint_work *cw, double kick)
{
    int n = cw->row_count;
    for (int i = 0; i < cw->contact_count; ++i) {
        node_contact *c = &cw->contacts[i];
        memset(c->impulse, 0, sizeof c->impulse);
        c->impulse[0] = kick * cw->options->penalty * stiffness(cw->model, c) * fmax(0.0, -c->gap);
        for (int k = 0; k < n; ++k) { /* for the friction that follows */
            cw->u[k] += cw->W[k * n + c->first_row] * c->impulse[0];
        }
    }
}
