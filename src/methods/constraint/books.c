/* The books of an explicit step: what contacts, joints, damping and forces do between two half steps. */
#include <string.h>

#include "methods/constraint/constraint_work.h"

static bool moves(const carom_model *m, int body)
{
    return m->bodies[body].role == BODY_FREE || m->bodies[body].role == BODY_NODES;
}

/* The books: what contacts take away, and what comes from outside, as powers over the kick. The work of an impulse is that on the mean
 * of the velocities before and after. */
static void count_contacts(constraint_work *cw, carom_scratch *w, double kick)
{
    for (int i = 0; i < cw->contact_count; ++i) {
        const node_contact *c = &cw->contacts[i];
        v3 P = v3_scale(c->impulse[0], c->normal_w);
        for (int t = 0; t <= c->tangent_count; ++t) {
            const node_row *row = &cw->rows[c->first_row + t];
            double work = 0.5 * c->impulse[t] * (row->before + row->after);
            int account = t > 0 ? ACCOUNT_FRICTION : cw->by_penalty ? ACCOUNT_CONTACT : ACCOUNT_IMPACT;
            w->power.work[account] -= work / kick;
            P = t > 0 ? v3_axpy(P, c->impulse[t], c->tangent_w[t - 1]) : P;
        }
        if (!moves(w->model, c->body[1]) || !moves(w->model, c->body[0])) {
            bool slave = moves(w->model, c->body[0]);
            int held = slave ? c->body[1] : c->body[0];
            v3 push = v3_scale((slave ? 1.0 : -1.0) / kick, P); /* on the side that moves */
            v3 v_w = point_velocity(&w->rate[held], v3_sub(c->p_w, w->pose[held].x_w));
            w->power.impulse = v3_add(w->power.impulse, push);
            w->power.angular_impulse = v3_add(w->power.angular_impulse, v3_cross(c->p_w, push));
            w->power.work[ACCOUNT_MOTION] += v3_dot(push, v_w);
        }
    }
}

void count_joints(carom_scratch *w, double kick)
{
    for (int k = 0; k < w->model->row_count; ++k) {
        w->sigma[k] = w->y[k] / kick;
    }
    work_count_reactions(w);
}

/* [W] on a body that deforms and has columns. */
static double damping_work(const constraint_work *cw, const carom_scratch *w, const model_body *b)
{
    const double *before = cw->q_dot_before + b->first_deform;
    double work = 0.0;
    if (!body_deforms(b) || !b->type->damping) {
        return 0.0;
    }
    memset(cw->damping, 0, (size_t)b->width * sizeof *cw->damping);
    b->type->damping(b->params, before, cw->damping);
    for (int k = 0; k < body_coordinate_count(b); ++k) {
        work += 0.5 * cw->damping[k] * (w->q_dot[b->first_deform + k] + before[k]);
    }
    return work;
}

/* Structural damping works on the mean of both half steps, not on the earlier one with which its forces were found. */
static void count_damping(const constraint_work *cw, carom_scratch *w)
{
    for (int k = 0; k < w->model->nodal_count; ++k) {
        const model_nodal *n = &w->model->nodal[k];
        const double *f = nodal_damping(n->nodes, w->nodal[k]);
        double work = 0.0;
        for (int c = 0; f && c < nodal_coordinate_count(n->nodes); ++c) {
            int at = n->first_deform + c;
            work += 0.5 * f[c] * (w->q_dot[at] + cw->q_dot_before[at]);
        }
        w->power.work[ACCOUNT_DAMPING] -= work;
    }
    for (int slot = 0; cw->widest > 0 && slot < w->model->free_count; ++slot) {
        w->power.work[ACCOUNT_DAMPING] -= damping_work(cw, w, &w->model->bodies[w->model->free_bodies[slot]]);
    }
}

void count_kick(constraint_work *cw, carom_scratch *w, double kick)
{
    count_damping(cw, w);
    count_contacts(cw, w, kick);
}

/* Forces of elements have worked along the way just made: their powers at its end, with the velocity that led there. */
void count_way(carom_scratch *w, carom_state *s, double h)
{
    w->power.work[ACCOUNT_DAMPING] -= w->nodal_dissipation;
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, h * w->power.work[k]);
        w->power.work[k] = 0.0;
    }
}
