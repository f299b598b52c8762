/* Coulomb friction with normal forces and tangent planes of an earlier iterate [Ferguson2021]: a potential mu N f0(|u|) of the
 * slip u of two material points since the step began. f0 is |u|, smoothed below the stick speed times h.
 *
 * Two free bodies feel it at one point, half way across their gap: it adds no angular momentum. Against a body whose motion is given it acts
 * on the surface of the other. Each has its own arm: within a step the two material points may slide far apart. */
#include "methods/barrier/friction.h"

#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/friction_slip.h"
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/workspace.h"

smooth_slip smooth_slip_at(double size, double width)
{
    if (size >= width) {
        return (smooth_slip){ size, 1.0 / size, 0.0 };
    }
    double x = size / width;
    return (smooth_slip){ size * x * (1.0 - x / 3.0) + width / 3.0, (2.0 - x) / width, (2.0 - 2.0 * x) / width };
}

/* ---- lag -------------------------------------------------------------------------------------------------------------------- */

void friction_lag(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, lagged_friction *f)
{
    f->features = p->near.list.items[c->item].pair;
    f->tangent[0] = v3_across(c->normal);
    f->tangent[1] = v3_cross(c->normal, f->tangent[0]);
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        f->arm_b[side] = m3_tmulv(b->R, friction_arm(w, p, c, side));
        f->began[side] = m3_mulv(b->R_ref, f->arm_b[side]);
    }
    bool slides = p->mu_static != p->mu && slip_of(w, p, f).size > width_of(w, p);
    f->whole = f->bound = (slides ? p->mu : p->mu_static) * -c->parallel.value * c->first;
}

/* [N] friction on A at the iterate. */
static v3 force_at(const barrier_work *w, const barrier_pair *p, const lagged_friction *f, const slip *s)
{
    double per_slip = -f->bound * smooth_slip_at(s->size, width_of(w, p)).per_slip;
    return v3_add(v3_scale(per_slip * s->u[0], f->tangent[0]), v3_scale(per_slip * s->u[1], f->tangent[1]));
}

static v3 force_of(const barrier_work *w, const barrier_pair *p, const lagged_friction *f)
{
    slip s = slip_of(w, p, f);
    return force_at(w, p, f, &s);
}

/* [m] by which the surfaces of a contact have slid on each other since the step began. */
static v3 slid(const barrier_work *w, const barrier_pair *p, const barrier_contact *c)
{
    v3 moved[2];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        v3 arm = friction_arm(w, p, c, side);
        v3 began = m3_mulv(b->R_ref, m3_tmulv(b->R, arm));
        moved[side] = v3_add(v3_sub(b->at.x_w, b->x_ref), v3_sub(arm, began));
    }
    v3 by = v3_sub(moved[0], moved[1]);
    return v3_axpy(by, -v3_dot(by, c->normal), c->normal);
}

v3 friction_slip(const barrier_work *w, const barrier_pair *p, const barrier_contact *c)
{
    return v3_scale(1.0 / time_of(w, p), slid(w, p, c));
}

friction_push friction_push_of(const barrier_work *w, const barrier_pair *p, int k)
{
    const lagged_friction *f = &p->frictions[k];
    slip s = slip_of(w, p, f);
    v3 force = force_at(w, p, f, &s);
    return (friction_push){ .force = force,
                            .arm = { s.arm[0], s.arm[1] },
                            .loss = -v3_dot(force, s.by) / time_of(w, p) };
}

/* Contacts and their friction mostly come in the same order: the search goes on where the last one has ended. */
v3 friction_force_at(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, int *next)
{
    const feature_pair *features = &p->near.list.items[c->item].pair;
    for (int n = 0; n < p->friction_count; ++n) {
        int k = (*next + n) % p->friction_count;
        const lagged_friction *f = &p->frictions[k];
        if (f->bound > 0.0 && same_features(&f->features, features)) {
            *next = k + 1;
            return force_of(w, p, f);
        }
    }
    return v3_zero();
}

/* A change of forces on A, about both centres of mass. */
typedef struct wrench_change {
    v3 force;
    v3 moment[2];
} wrench_change;

static void add_force(const barrier_work *w, const barrier_pair *p, const lagged_friction *f, double sign,
                      wrench_change *to)
{
    v3 force = v3_scale(sign, force_of(w, p, f));
    to->force = v3_add(to->force, force);
    for (int side = 0; side < 2; ++side) {
        v3 arm = m3_mulv(w->bodies[p->body[side]].R, f->arm_b[side]);
        to->moment[side] = v3_add(to->moment[side], v3_cross(arm, force));
    }
}

/* Friction of the present contacts, behind that of the last lag. Returns how many there are. `change`: NULL where nobody asks for it. */
static int find_new(const barrier_work *w, barrier_pair *p, wrench_change *change)
{
    lagged_friction *fresh = p->frictions + p->friction_count;
    int count = 0;
    for (int k = 0; k < p->contact_count; ++k) {
        lagged_friction *f = &fresh[count];
        friction_lag(w, p, &p->contacts[k], f);
        if (f->bound > 0.0 && change) {
            add_force(w, p, f, 1.0, change);
        }
        count += f->bound > 0.0;
    }
    return count;
}

/* Friction is that of the present contacts. */
static void take_over(barrier_pair *p)
{
    memmove(p->frictions, p->frictions + p->friction_count, (size_t)p->fresh_frictions * sizeof *p->frictions);
    p->friction_count = p->fresh_frictions;
    p->fresh_frictions = 0;
}

/* [m/s] by which a change of friction changes the velocity of any point of the bodies in a step. Forces of single contacts swing
 * where there are more of them than a body needs; what counts is their sum. */
static double speed_of(const barrier_work *w, const barrier_pair *p, const wrench_change *change)
{
    double most = 0.0;
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        if (b->free) {
            v3 turn = m3_mulv(m3_inverse(b->inertia_b), m3_tmulv(b->R, change->moment[side]));
            most = fmax(most, w->h * (v3_norm(change->force) / b->mass + v3_norm(turn) * b->reach));
        }
    }
    return most;
}

/* [m/s] a part of what velocities in an island have changed by in the step: friction during impacts need not be exacter. */
static double speed_part(const barrier_work *w, const island *isle)
{
    static const double PART = 1e-6;
    double most = 0.0;
    for (int k = 0; k < isle->body_count; ++k) {
        const moving_body *b = &w->bodies[isle->bodies[k]];
        v3 rate = v3_scale(1.0 / b->h_rate, v3_sub(b->at.x_w, b->x_ref));
        most = b->free ? fmax(most, v3_norm(v3_sub(rate, b->rate.v_w))) : most;
    }
    return PART * most;
}

/* Finds the friction of the present contacts of a pair, and what it would change if it is not the first. */
static void renew_pair(const barrier_work *w, barrier_pair *p, bool first)
{
    wrench_change change = { .force = v3_zero() };
    p->fresh_frictions = 0;
    p->lag_speed = 0.0;
    p->no_memory = !CAROM_ARRAY_RESERVE(p->frictions, p->friction_capacity,
                                        (size_t)p->contact_count + (size_t)p->friction_count + 1);
    if (p->no_memory || !(p->mu_static > 0.0)) {
        return;
    }
    for (int k = 0; !first && k < p->friction_count; ++k) {
        add_force(w, p, &p->frictions[k], -1.0, &change);
    }
    p->fresh_frictions = find_new(w, p, first ? NULL : &change);
    p->lag_speed = first ? (p->fresh_frictions > 0 ? HUGE_VAL : 0.0) : speed_of(w, p, &change);
}

bool friction_find(const barrier_work *w, barrier_pair *p)
{
    p->friction_count = 0;
    renew_pair(w, p, true);
    take_over(p);
    return !p->no_memory;
}

/* A stiffness that has grown lifts a body until its load is what it was, and friction of the first solve is that of this load. */
static void keep_load(barrier_pair *p)
{
    for (int k = 0; k < p->fresh_frictions; ++k) {
        lagged_friction *f = &p->frictions[p->friction_count + k];
        f->whole = f->bound = f->bound / p->grown;
    }
}

typedef struct lag_task {
    barrier_work *w;
    const island *isle;
    int lag;
} lag_task;

static void renew_slice(void *context, size_t begin, size_t end)
{
    const lag_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->near[k]];
        p->friction_count = task->lag == 0 ? 0 : p->friction_count; /* those of an earlier step count for nothing */
        renew_pair(task->w, p, task->lag == 0);
        if (task->lag == 0) {
            keep_load(p);
        }
    }
}

enum { PAIR_GRAIN = 32 };

static bool has_memory(const barrier_work *w, const island *isle)
{
    bool ok = true;
    for (int k = 0; ok && k < isle->near_count; ++k) {
        ok = !w->pairs[isle->near[k]].no_memory;
    }
    return ok;
}

static bool renew(barrier_work *w, const island *isle, int lag)
{
    lag_task task = { w, isle, lag };
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, PAIR_GRAIN, renew_slice, &task);
    return has_memory(w, isle);
}

/* Friction has settled where its change would change no velocity by more than the tolerance of the solve. */
bool friction_renew(barrier_work *w, island *isle, int lag, bool *settled)
{
    double tolerance = fmax(isle->tolerance, speed_part(w, isle));
    if (!renew(w, isle, lag)) {
        return false;
    }
    isle->lag_speed = 0.0;
    for (int k = 0; k < isle->near_count; ++k) {
        isle->lag_speed = fmax(isle->lag_speed, w->pairs[isle->near[k]].lag_speed);
    }
    *settled = isle->lag_speed <= tolerance;
    joint_friction_renew(w, isle, lag, tolerance, settled);
    return true;
}

void friction_take_over(barrier_work *w, const island *isle)
{
    for (int k = 0; k < isle->near_count; ++k) {
        take_over(&w->pairs[isle->near[k]]);
    }
    joint_friction_take_over(w, isle);
}

void friction_soften(barrier_work *w, const island *isle, double softness)
{
    for (int k = 0; k < isle->pair_count; ++k) {
        w->pairs[isle->pairs[k]].softness = softness;
    }
}

void friction_keep_lagged(barrier_work *w, const island *isle)
{
    for (int k = 0; k < isle->pair_count; ++k) {
        barrier_pair *p = &w->pairs[isle->pairs[k]];
        p->kept_frictions = p->friction_count;
    }
}

/* Friction of the present contacts behind that which is kept. */
static void follow(const barrier_work *w, barrier_pair *p, double part)
{
    p->friction_count = p->kept_frictions;
    p->no_memory = !CAROM_ARRAY_RESERVE(p->frictions, p->friction_capacity,
                                        (size_t)p->contact_count + (size_t)p->friction_count + 1);
    if (p->no_memory || !(p->mu_static > 0.0)) {
        return;
    }
    for (int k = 0; k < p->kept_frictions; ++k) {
        p->frictions[k].bound = (1.0 - part) * p->frictions[k].whole;
    }
    p->friction_count += find_new(w, p, NULL);
    for (int k = p->kept_frictions; k < p->friction_count; ++k) {
        p->frictions[k].bound = part * p->frictions[k].whole;
    }
}

typedef struct follow_task {
    barrier_work *w;
    const island *isle;
    double part;
} follow_task;

static void follow_slice(void *context, size_t begin, size_t end)
{
    const follow_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        follow(task->w, &task->w->pairs[task->isle->near[k]], task->part);
    }
}

bool friction_follow_by(barrier_work *w, const island *isle, double part)
{
    follow_task task = { w, isle, part };
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, PAIR_GRAIN, follow_slice, &task);
    return has_memory(w, isle);
}

double friction_value(const barrier_work *w, const barrier_pair *p)
{
    double sum = 0.0;
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int k = 0; k < p->friction_count; ++k) {
        const lagged_friction *f = &p->frictions[k];
        if (f->bound > 0.0) {
            sum += f->bound * smooth_slip_at(slip_of(w, p, f).size, width).value;
        }
    }
    return sum;
}

static void value_slice(void *context, size_t begin, size_t end)
{
    const lag_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->near[k]];
        p->rubbing = friction_value(task->w, p);
    }
}

void friction_evaluate(barrier_work *w, const island *isle)
{
    lag_task task = { w, isle, 0 };
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, PAIR_GRAIN, value_slice, &task);
}
