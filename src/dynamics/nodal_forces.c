#include "dynamics/nodal_forces.h"

/* The mass that a node brings along by itself. */
static double own_mass(const model_nodal *n, int node)
{
    int d = nodal_dimension(n->nodes);
    return n->section_of[node] < 0 ? nodal_mass(n->nodes)[d * node + d - 1] : 0.0;
}

/* Weight along the axes that the nodes move along; whatever guides them carries the rest. */
static void add_weight(carom_scratch *w, const model_nodal *n, v3 gravity_w)
{
    int d = nodal_dimension(n->nodes);
    const double *q = w->q + n->first_deform;
    v3 g = m3_tmulv(n->R_start, gravity_w);
    g = v3_make(g.x, d > 1 ? g.y : 0.0, d > 2 ? g.z : 0.0);
    v3 along_w = m3_mulv(n->R_start, g);
    for (int i = 0; i < nodal_node_count(n->nodes); ++i) {
        double m = own_mass(n, i);
        v3 x_w = nodal_position_w(n, q, i);
        v3 weight = v3_scale(m, along_w);
        node_add(w->nodal_force + n->first_deform, d, i, v3_scale(m, g));
        w->potential -= v3_dot(weight, x_w);
        w->power.impulse = v3_add(w->power.impulse, weight);
        w->power.angular_impulse = v3_add(w->power.angular_impulse, v3_cross(x_w, weight));
    }
}

static void hand_over(carom_scratch *w, const model_nodal *n, const model_section *s)
{
    const double *q = w->q + n->first_deform;
    const double *force = w->nodal_force + n->first_deform;
    const model_body *body = &w->model->bodies[s->body];
    v3 F = v3_zero();
    v3 T = v3_zero();
    for (int i = 0; i < s->node_count; ++i) {
        v3 f_w = nodal_vector_w(n, force, s->nodes[i]);
        v3 r_w = v3_sub(nodal_position_w(n, q, s->nodes[i]), w->pose[s->body].x_w);
        F = v3_add(F, f_w);
        T = v3_add(T, v3_cross(r_w, f_w));
    }
    double *f = w->f + body->column;
    v3_store(f, v3_add(v3_load(f), F));
    v3_store(f + 3, v3_add(v3_load(f + 3), T));
}

void nodal_apply(carom_scratch *w, int k, v3 gravity_w)
{
    const model_nodal *n = &w->model->nodal[k];
    int at = n->first_deform;
    nodal_energy energy = nodal_forces(n->nodes, w->nodal[k], w->q + at, w->q_dot + at, w->nodal_force + at);
    w->elastic += energy.strain;
    w->power.work[ACCOUNT_DAMPING] += energy.dissipation;
    w->nodal_dissipation += energy.dissipation;
    if (v3_norm2(gravity_w) > 0.0) {
        add_weight(w, n, gravity_w);
    }
    for (int s = 0; s < n->section_count; ++s) {
        hand_over(w, n, &n->sections[s]);
    }
}

void nodal_accelerate(carom_scratch *w, int k)
{
    const model_nodal *n = &w->model->nodal[k];
    const double *mass = nodal_mass(n->nodes);
    const bool *held = nodal_held(n->nodes);
    int d = nodal_dimension(n->nodes);
    for (int c = 0; c < nodal_coordinate_count(n->nodes); ++c) {
        bool own = n->section_of[c / d] < 0 && !held[c];
        w->q_ddot[n->first_deform + c] = own ? w->nodal_force[n->first_deform + c] / mass[c] : 0.0;
    }
}

double nodal_mass_product(const carom_scratch *w, int k, const double *x, const double *y)
{
    const model_nodal *n = &w->model->nodal[k];
    const double *mass = nodal_mass(n->nodes);
    int d = nodal_dimension(n->nodes);
    double sum = 0.0;
    for (int c = 0; c < nodal_coordinate_count(n->nodes); ++c) {
        int at = n->first_deform + c;
        sum += n->section_of[c / d] < 0 ? mass[c] * x[at] * y[at] : 0.0;
    }
    return sum;
}

double nodal_kinetic(const carom_scratch *w, int k)
{
    return 0.5 * nodal_mass_product(w, k, w->q_dot, w->q_dot);
}

/* Of a solid of revolution what moves along the radius adds up to nothing. */
void nodal_add_momentum(const carom_scratch *w, int k, v3 *linear, v3 *angular)
{
    const model_nodal *n = &w->model->nodal[k];
    const double *q = w->q + n->first_deform;
    bool round = nodal_axisymmetric(n->nodes);
    for (int i = 0; i < nodal_node_count(n->nodes); ++i) {
        v3 v_w = nodal_vector_w(n, w->q_dot + n->first_deform, i);
        v3 x_w = nodal_position_w(n, q, i);
        if (round) {
            v3 axis_w = m3_column(n->R_start, 1);
            v_w = v3_scale(v3_dot(axis_w, v_w), axis_w);
            x_w = v3_axpy(n->start.position, v3_dot(axis_w, v3_sub(x_w, n->start.position)), axis_w);
        }
        v3 p = v3_scale(own_mass(n, i), v_w);
        *linear = v3_add(*linear, p);
        *angular = v3_add(*angular, v3_cross(x_w, p));
    }
}
