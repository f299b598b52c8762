/* A small step of energy sharing: depths drift by half, normals and friction kick, depths drift by half [Stormer & Verlet]. */
#include <math.h>

#include "nonsmooth/steps_parts.h"

double steps_push(const flow *f, int contact, double depth)
{
    double k = f->defs[contact].stiffness / f->stiffest;
    if (!(depth > 0.0)) {
        return 0.0;
    }
    return k * (f->exponent == 1.0 ? depth : f->exponent == 1.5 ? depth * sqrt(depth) : pow(depth, f->exponent));
}

double steps_push_ahead(const flow *f, int contact, double h)
{
    double speed = flow_speed(f, f->w->y)[contact];
    return steps_push(f, contact, flow_depth(f, f->w->y)[contact] + h * fmax(0.0, -speed));
}

bool steps_can_move(const flow *f, int contact)
{
    return f->p.D[(size_t)contact * (size_t)f->p.row_count + (size_t)contact] > 1e-14 * f->lightest;
}

/* A contact that was compressed at the beginning of the step goes on smoothly beyond its end, where the step will be cut. */
static double push_on(const flow *f, int contact, double depth)
{
    bool compressed = flow_depth(f, f->w->y)[contact] > 0.0;
    return depth < 0.0 && compressed ? -steps_push(f, contact, -depth) : steps_push(f, contact, depth);
}

static void drift(const flow *f, double h, double *z)
{
    for (int c = 0; c < f->p.contact_count; ++c) {
        double speed = flow_speed(f, z)[c];
        double e = f->defs[c].restitution;
        switch (f->w->phase[c]) {
        case FLOW_LOADING:
            flow_depth(f, z)[c] -= h * speed;
            break;
        case FLOW_UNLOADING:
            flow_depth(f, z)[c] -= h * speed / (e * e);
            break;
        case FLOW_OFF:
            break;
        }
    }
}

static void push_all(const flow *f, double h, double *z, double *impulse)
{
    double *u = flow_speed(f, z);
    for (int c = 0; c < f->p.contact_count; ++c) {
        const double *D = f->p.D + (size_t)c * (size_t)f->p.row_count;
        impulse[c] = f->w->phase[c] == FLOW_OFF ? 0.0 : h * push_on(f, c, flow_depth(f, z)[c]);
        for (int k = 0; impulse[c] != 0.0 && k < f->p.row_count; ++k) {
            u[k] += D[k] * impulse[c];
        }
    }
}

void steps_small(flow *f, double h, double *z)
{
    double *impulse = f->w->step_impulse;
    double *u = flow_speed(f, z);
    for (int k = 0; k < f->p.row_count; ++k) {
        f->w->before[k] = u[k];
    }
    drift(f, 0.5 * h, z);
    push_all(f, h, z, impulse);
    rub(f->w->rub, h, f->w->before, impulse, u);
    drift(f, 0.5 * h, z);
    for (int k = 0; k < f->p.row_count; ++k) {
        flow_impulse(f, z)[k] += impulse[k];
    }
    for (int c = 0; c < f->p.contact_count; ++c) {
        double speed = 0.5 * (f->w->before[c] + u[c]);
        flow_compression(f, z)[c] += speed < 0.0 ? impulse[c] : 0.0;
        *flow_work(f, z) += impulse[c] * speed;
    }
    *flow_parameter(f, z) += h;
}
