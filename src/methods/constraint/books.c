/* The books of explicit steps. Between two whole steps velocities are constant, and the kinetic energy u M u'/2 of a whole step changes by
 * half the work of its impulses and forces with the velocities before and half of that with the velocities behind it:
 *
 *     E^{n+1} - E^n = u^{n+1/2} (h f^n + P^n + h f^{n+1} + P^{n+1})/2 + V^{n+1} - V^n.
 *
 * So every work is counted in two halves. Forces of linear springs then add nothing, and the ledger closes to rounding. */
#include <string.h>

#include "methods/constraint/constraint_work.h"

static bool moves(const carom_model *m, int body)
{
    return m->bodies[body].role == BODY_FREE || m->bodies[body].role == BODY_NODES;
}

/* Powers [W] over a step with the velocities before and behind it. */
static void count_both(constraint_work *cw, carom_scratch *w, int account, double before, double after)
{
    w->power.work[account] += before;
    cw->work_after[account] += after;
}

/* What comes from a side that is held or prescribed. */
static void count_outside(constraint_work *cw, carom_scratch *w, const node_contact *c, v3 P, double kick)
{
    bool slave = moves(w->model, c->body[0]);
    int held = slave ? c->body[1] : c->body[0];
    v3 push = v3_scale((slave ? 1.0 : -1.0) / kick, P); /* on the side that moves */
    v3 v_w = point_velocity(&w->rate[held], v3_sub(c->p_w, w->pose[held].x_w));
    double power = v3_dot(push, v_w) * kick / cw->place.h;
    w->power.impulse = v3_add(w->power.impulse, push);
    w->power.angular_impulse = v3_add(w->power.angular_impulse, v3_cross(c->p_w, push));
    count_both(cw, w, ACCOUNT_MOTION, power, power);
}

static void count_contacts(constraint_work *cw, carom_scratch *w, double kick)
{
    const double per_step = 1.0 / cw->place.h;
    for (int i = 0; i < cw->contact_count; ++i) {
        const node_contact *c = &cw->contacts[i];
        v3 P = v3_scale(c->impulse[0], c->normal_w);
        for (int t = 0; t <= c->tangent_count; ++t) {
            const node_row *row = &cw->rows[c->first_row + t];
            int account = t > 0 ? ACCOUNT_FRICTION : cw->by_penalty ? ACCOUNT_CONTACT : ACCOUNT_IMPACT;
            double taken = -c->impulse[t] * per_step; /* [N] */
            count_both(cw, w, account, taken * row->before, taken * row->after);
            P = t > 0 ? v3_axpy(P, c->impulse[t], c->tangent_w[t - 1]) : P;
        }
        if (!moves(w->model, c->body[1]) || !moves(w->model, c->body[0])) {
            count_outside(cw, w, c, P, kick);
        }
    }
}

/* Prescribed motion works through joints; and what joints work because they hold positions, not velocities, numerics does. */
static void count_joints(constraint_work *cw, carom_scratch *w, double kick)
{
    double before = w->power.work[ACCOUNT_MOTION];
    for (int k = 0; k < w->model->row_count; ++k) {
        w->sigma[k] = w->y[k] / kick;
        count_both(cw, w, ACCOUNT_NUMERICS, w->sigma[k] * w->C_dot[k], -w->sigma[k] * w->C[k] / cw->place.h);
    }
    work_count_reactions(w);
    cw->work_after[ACCOUNT_MOTION] += w->power.work[ACCOUNT_MOTION] - before;
}

/* Structural damping of a body that deforms and has columns, with the forces that were found from the velocities before. */
static void count_wide_damping(constraint_work *cw, carom_scratch *w, const model_body *b)
{
    double before = 0.0;
    double after = 0.0;
    for (int c = b->first_deform, end = c + body_coordinate_count(b); c < end; ++c) {
        before -= w->damping[c] * cw->q_dot_before[c];
        after -= w->damping[c] * w->q_dot[c];
    }
    count_both(cw, w, ACCOUNT_DAMPING, before, after);
}

/* The same of all bodies. */
static void count_damping(constraint_work *cw, carom_scratch *w)
{
    for (int k = 0; k < w->model->nodal_count; ++k) {
        const model_nodal *n = &w->model->nodal[k];
        const double *f = nodal_damping(n->nodes, w->nodal[k]);
        double before = 0.0;
        double after = 0.0;
        for (int c = 0; f && c < nodal_coordinate_count(n->nodes); ++c) {
            before -= f[c] * cw->q_dot_before[n->first_deform + c];
            after -= f[c] * w->q_dot[n->first_deform + c];
        }
        count_both(cw, w, ACCOUNT_DAMPING, before, after);
    }
    for (int slot = 0; cw->widest > 0 && slot < w->model->free_count; ++slot) {
        count_wide_damping(cw, w, &w->model->bodies[w->model->free_bodies[slot]]);
    }
}

void count_kick(constraint_work *cw, carom_scratch *w)
{
    memset(cw->work_after, 0, sizeof cw->work_after);
    count_joints(cw, w, cw->place.h);
    count_damping(cw, w);
    count_contacts(cw, w, cw->place.h);
}

/* A start is a whole step whose velocities are the means of both half steps but for contacts: half of their work is behind. */
void count_start(constraint_work *cw, carom_scratch *w, carom_state *s, double hidden)
{
    double h = cw->place.h;
    memset(cw->work_after, 0, sizeof cw->work_after);
    memset(w->power.work, 0, sizeof w->power.work); /* nothing has moved yet */
    count_contacts(cw, w, 0.5 * h);
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, 0.5 * h * w->power.work[k]);
    }
    ledger_add(s, ACCOUNT_HANDOVER, hidden);
    count_joints(cw, w, 0.5 * h);
    count_damping(cw, w);
    memcpy(w->power.work, cw->work_after, sizeof cw->work_after);
    *s->power = w->power;
}

/* Forces of elements have worked along the way just made: their powers at its end, with the velocity that led there. Structural damping
 * is counted with the kick. */
void count_way(carom_scratch *w, carom_state *s, double h)
{
    w->power.work[ACCOUNT_DAMPING] -= w->nodal_dissipation;
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, h * w->power.work[k]);
        w->power.work[k] = 0.0;
    }
}
