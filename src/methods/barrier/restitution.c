/* Restitution as an input [Poisson's hypothesis per pair]: while a pair is compressed its contact impulses are summed; when the
 * compression is over, a share of the sum is given back such that the normal velocity becomes e times that of the approach.
 * Poses stay as they are, so that nothing can intersect.
 *
 * Velocities of a pair are means over its contacts, weighted by their forces. */
#include "methods/barrier/barrier_work.h"

#include <string.h>

static double normal_velocity(const barrier_contact *c, const body_rate *a, const body_rate *b)
{
    return v3_dot(c->normal, v3_sub(point_velocity(a, c->arm[0]), point_velocity(b, c->arm[1])));
}

/* The velocity before the step, and what the applied acceleration would make of it. */
static body_rate free_rate(const barrier_work *w, int body)
{
    const moving_body *b = &w->bodies[body];
    body_rate rate = b->rate;
    if (b->free) {
        rate.v_w = v3_axpy(rate.v_w, w->h, w->model->scene.gravity);
    }
    return rate;
}

static void sum_pushes(const barrier_work *w, pair_push *pushes)
{
    for (int k = 0; k < w->contact_count; ++k) {
        const barrier_contact *c = &w->contacts[k];
        const int *body = w->pairs[c->pair].body;
        pair_push *p = &pushes[c->pair];
        double force = -c->parallel.value * c->first;
        v3 impulse = v3_scale(w->h * force, c->normal);
        body_rate before[2] = { free_rate(w, body[0]), free_rate(w, body[1]) };
        p->weight += force;
        p->impulse = v3_add(p->impulse, impulse);
        p->moment[0] = v3_add(p->moment[0], v3_cross(c->arm[0], impulse));
        p->moment[1] = v3_sub(p->moment[1], v3_cross(c->arm[1], impulse));
        p->approach += force * normal_velocity(c, &before[0], &before[1]);
        p->after += force * normal_velocity(c, &w->ending[body[0]], &w->ending[body[1]]);
    }
    for (int k = 0; k < w->pair_count; ++k) {
        if (pushes[k].weight > 0.0) {
            pushes[k].approach /= pushes[k].weight;
            pushes[k].after /= pushes[k].weight;
        }
    }
}

static body_rate rate_of_impulse(const barrier_work *w, int body, v3 impulse, v3 moment)
{
    const moving_body *b = &w->bodies[body];
    if (!b->free) {
        return (body_rate){ v3_zero(), v3_zero() };
    }
    m3 inertia = m3_rotate_tensor(b->R, w->model->bodies[body].inertia_b);
    return (body_rate){ v3_scale(1.0 / b->mass, impulse), m3_mulv(m3_inverse(inertia), moment) };
}

static double kinetic(const barrier_work *w, int body, const body_rate *rate)
{
    const moving_body *b = &w->bodies[body];
    m3 inertia = m3_rotate_tensor(b->R, w->model->bodies[body].inertia_b);
    return b->free ? 0.5 * b->mass * v3_norm2(rate->v_w) + 0.5 * v3_dot(rate->omega_w, m3_mulv(inertia, rate->omega_w)) : 0.0;
}

static body_rate rate_axpy(body_rate a, double s, const body_rate *b)
{
    return (body_rate){ v3_axpy(a.v_w, s, b->v_w), v3_axpy(a.omega_w, s, b->omega_w) };
}

/* The share of the impulse after which the pair has the energy that it had before it was compressed; kinetic energy is a
 * quadratic function of the share. */
static double energy_limit(const barrier_work *w, const barrier_pair *p, const body_rate change[2], double share)
{
    double before = p->energy;
    double at[3];
    for (int k = 0; k < 3; ++k) {
        at[k] = 0.0;
        for (int side = 0; side < 2; ++side) {
            body_rate rate = rate_axpy(w->ending[p->body[side]], 0.5 * k * share, &change[side]);
            at[k] += kinetic(w, p->body[side], &rate);
        }
    }
    if (at[2] <= before) {
        return share;
    }
    double c = at[0] - before; /* at(x) - before = a x^2 + b x + c, x in shares */
    double a = 2.0 * (at[2] - 2.0 * at[1] + at[0]);
    double b = at[2] - at[0] - a;
    double root = sqrt(fmax(0.0, b * b - 4.0 * a * c));
    double x = a > 0.0 ? (-b + root) / (2.0 * a) : 1.0;
    return share * fmin(fmax(x, 0.0), 1.0);
}

/* Gives back what restitution asks for. */
static void release(barrier_work *w, int pair, const pair_push *push)
{
    barrier_pair *p = &w->pairs[pair];
    body_rate change[2] = { rate_of_impulse(w, p->body[0], p->pressed, p->pressed_moment[0]),
                            rate_of_impulse(w, p->body[1], v3_neg(p->pressed), p->pressed_moment[1]) };
    double gain = 0.0; /* [m/s] of the normal velocity per whole impulse */
    for (int k = 0; k < w->contact_count; ++k) {
        const barrier_contact *c = &w->contacts[k];
        gain += c->pair == pair ? -c->parallel.value * c->first * normal_velocity(c, &change[0], &change[1]) : 0.0;
    }
    gain /= push->weight;
    double wanted = -p->interaction->restitution * p->approach - push->after;
    double share = gain > 0.0 ? fmax(0.0, wanted / gain) : 0.0;
    share = energy_limit(w, p, change, share);
    for (int side = 0; side < 2; ++side) {
        w->ending[p->body[side]] = rate_axpy(w->ending[p->body[side]], share, &change[side]);
    }
    w->counts.bounces += share > 0.0;
}

void restitution_apply(barrier_work *w)
{
    static const double OVER = 0.02; /* of the approach: compression has ended */
    double slow = 2.0 * w->h * v3_norm(w->model->scene.gravity);
    memset(w->pushes, 0, (size_t)w->pair_count * sizeof *w->pushes);
    sum_pushes(w, w->pushes);
    for (int k = 0; k < w->pair_count; ++k) {
        barrier_pair *p = &w->pairs[k];
        const pair_push *push = &w->pushes[k];
        if (!(push->weight > 0.0)) {
            p->impact = IMPACT_NONE;
            continue;
        }
        if (p->impact == IMPACT_NONE) {
            double threshold = fmax(slow, 2.0 * p->range / w->h);
            p->impact = push->approach < -threshold ? IMPACT_COMPRESSION : IMPACT_OVER;
            p->approach = push->approach;
            p->pressed = p->pressed_moment[0] = p->pressed_moment[1] = v3_zero();
            p->energy = 0.0;
            for (int side = 0; side < 2; ++side) {
                body_rate rate = free_rate(w, p->body[side]);
                p->energy += kinetic(w, p->body[side], &rate);
            }
        }
        if (p->impact != IMPACT_COMPRESSION) {
            continue;
        }
        p->pressed = v3_add(p->pressed, push->impulse);
        for (int side = 0; side < 2; ++side) {
            p->pressed_moment[side] = v3_add(p->pressed_moment[side], push->moment[side]);
        }
        if (push->after >= OVER * p->approach) {
            release(w, k, push);
            p->impact = IMPACT_OVER;
        }
    }
}
