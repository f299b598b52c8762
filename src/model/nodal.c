#include "model/nodal.h"

#include "math/quat.h"

/* Components along the axes that the nodes move along. */
static v3 into_body(const model_nodal *n, v3 a_w)
{
    return m3_tmulv(n->R_start, a_w);
}

void nodal_set_rates(const model_nodal *n, v3 v_w, v3 omega_w, double *q_dot)
{
    v3 v = into_body(n, v_w);
    v3 omega = into_body(n, omega_w);
    int d = nodal_dimension(n->nodes);
    const bool *held = nodal_held(n->nodes);
    for (int i = 0; i < nodal_node_count(n->nodes); ++i) {
        node_store(q_dot, d, i, v3_add(v, v3_cross(omega, nodal_place(n->nodes, i))));
        q_dot[d * i] = held[d * i] ? 0.0 : q_dot[d * i];
    }
}

static void follow(const model_nodal *n, const model_section *s, const body_pose *pose, const body_rate *rate,
                   double *q, double *q_dot)
{
    int d = nodal_dimension(n->nodes);
    v3 start_w = v3_add(n->start.position, m3_mulv(n->R_start, s->centre));
    v3 shift = into_body(n, v3_sub(pose->x_w, start_w));
    v3 velocity = into_body(n, rate->v_w);
    v3 omega = into_body(n, rate->omega_w);
    m3 turn = m3_mul(m3_transpose(n->R_start), q_matrix(pose->q_wb));
    m3 turn_minus_I = m3_add(turn, m3_diag(-1.0, -1.0, -1.0));
    for (int k = 0; k < s->node_count; ++k) {
        v3 r = v3_sub(nodal_place(n->nodes, s->nodes[k]), s->centre);
        node_store(q, d, s->nodes[k], v3_add(shift, m3_mulv(turn_minus_I, r)));
        node_store(q_dot, d, s->nodes[k], v3_add(velocity, v3_cross(omega, m3_mulv(turn, r))));
    }
}

void nodal_follow_sections(const model_nodal *n, const body_pose *pose, const body_rate *rate, double *q,
                           double *q_dot)
{
    for (int k = 0; k < n->section_count; ++k) {
        int body = n->sections[k].body;
        follow(n, &n->sections[k], &pose[body], &rate[body], q, q_dot);
    }
}

void nodal_overall(const model_nodal *n, const double *q, const double *q_dot, v3 com_b, body_pose *pose,
                   body_rate *rate)
{
    corotation_frame frame = nodal_fit(n->nodes, q, q_dot);
    pose->x_w = v3_add(v3_add(n->start.position, m3_mulv(n->R_start, com_b)), m3_mulv(n->R_start, frame.shift));
    pose->q_wb = q_from_matrix(m3_mul(n->R_start, frame.A));
    rate->v_w = m3_mulv(n->R_start, frame.velocity);
    rate->omega_w = m3_mulv(n->R_start, m3_mulv(frame.A, frame.omega));
}
