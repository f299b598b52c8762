#include "contact/surface.h"

#include <math.h>

static void displaced(const carom_scratch *w, const model_surface *s, int node, v3 *u, v3 *rate)
{
    const model_body *b = &w->model->bodies[s->body];
    b->type->displace(b->params, w->q + b->first_deform, w->q_dot + b->first_deform, &s->points[node], u, rate);
}

surface_place surface_node_place(const carom_scratch *w, const model_surface *s, int node)
{
    if (s->nodal) {
        const double *q = w->q + s->nodal->first_deform;
        return (surface_place){ nodal_start_w(s->nodal, node), nodal_vector_w(s->nodal, q, node) };
    }
    v3 u, rate;
    displaced(w, s, node, &u, &rate);
    return (surface_place){ w->pose[s->body].x_w, m3_mulv(w->R_w[s->body], v3_add(s->points[node].position, u)) };
}

v3 surface_node_velocity(const carom_scratch *w, const model_surface *s, int node)
{
    if (s->nodal) {
        return nodal_vector_w(s->nodal, w->q_dot + s->nodal->first_deform, node);
    }
    v3 u, rate;
    displaced(w, s, node, &u, &rate);
    const m3 *R_w = &w->R_w[s->body];
    v3 r_w = m3_mulv(*R_w, v3_add(s->points[node].position, u));
    return v3_add(point_velocity(&w->rate[s->body], r_w), m3_mulv(*R_w, rate));
}

void surface_add_row(const carom_scratch *w, const model_surface *s, int node, v3 d_w, double scale,
                     double row[FRAME_COLUMNS], double *columns)
{
    double one[FRAME_COLUMNS];
    v3_store(one, d_w);
    v3_store(one + 3, v3_cross(surface_node_place(w, s, node).shift_w, d_w));
    for (int k = 0; k < FRAME_COLUMNS; ++k) {
        row[k] += scale * one[k];
    }
    work_add_wide_columns(w, surface_node_at(s, node), scale, one, columns);
}

surface_box surface_box_of(const carom_scratch *w, const model_surface *s, double margin)
{
    surface_box b = { v3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), v3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL) };
    for (int i = 0; i < s->node_count; ++i) {
        v3 x = surface_node(w, s, s->nodes[i]);
        b.low = v3_make(fmin(b.low.x, x.x - margin), fmin(b.low.y, x.y - margin), fmin(b.low.z, x.z - margin));
        b.high = v3_make(fmax(b.high.x, x.x + margin), fmax(b.high.y, x.y + margin), fmax(b.high.z, x.z + margin));
    }
    return b;
}
