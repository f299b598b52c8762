/* Coulomb friction with normal forces and tangent planes of an earlier iterate [Ferguson2021]: a potential mu N f0(|u|) of the
 * slip u of two material points since the step began. f0 is |u|, smoothed below the stick speed times h.
 *
 * Each body has its own arm: within a step the two material points may slide far apart. */
#include "methods/barrier/friction.h"

#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/workspace.h"

smooth_slip smooth_slip_at(double slip, double width)
{
    if (slip >= width) {
        return (smooth_slip){ slip, 1.0 / slip, 0.0 };
    }
    double x = slip / width;
    return (smooth_slip){ slip * x * (1.0 - x / 3.0) + width / 3.0, (2.0 - x) / width, (2.0 - 2.0 * x) / width };
}

/* Slip along both tangents, and the arms in world axes. The width is for steps of h: slip is measured from the reference of the
 * velocities, over the time that belongs to it. */
typedef struct slip {
    double u[2]; /* [m] */
    double size;
    v3 arm[2];
} slip;

static slip slip_of(const barrier_work *w, const barrier_pair *p, const lagged_friction *f)
{
    slip s;
    v3 moved[2];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        bool stays = body_stays(b);
        s.arm[side] = stays ? f->began[side] : m3_mulv(b->R, f->arm_b[side]);
        moved[side] = stays ? v3_zero() : v3_add(v3_sub(b->at.x_w, b->x_ref), v3_sub(s.arm[side], f->began[side]));
    }
    v3 by = v3_sub(moved[0], moved[1]);
    s.u[0] = v3_dot(f->tangent[0], by);
    s.u[1] = v3_dot(f->tangent[1], by);
    s.size = sqrt(s.u[0] * s.u[0] + s.u[1] * s.u[1]);
    return s;
}

/* [m] below which slip is smoothed. */
static double width_of(const barrier_work *w, const barrier_pair *p)
{
    const moving_body *b = &w->bodies[p->body[w->bodies[p->body[0]].free ? 0 : 1]];
    return stick_speed_of(w, p->range) * b->h_rate;
}

/* ---- lag -------------------------------------------------------------------------------------------------------------------- */

static void lag_contact(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, lagged_friction *f)
{
    f->features = p->list.items[c->item].pair;
    f->tangent[0] = v3_across(c->normal);
    f->tangent[1] = v3_cross(c->normal, f->tangent[0]);
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        f->arm_b[side] = m3_tmulv(b->R, surface_arm(c, side));
        f->began[side] = m3_mulv(b->R_ref, f->arm_b[side]);
    }
    bool slides = p->mu_static != p->mu && slip_of(w, p, f).size > width_of(w, p);
    f->bound = (slides ? p->mu : p->mu_static) * -c->parallel.value * c->first;
}

/* [N] friction on A at the iterate. */
static v3 force_of(const barrier_work *w, const barrier_pair *p, const lagged_friction *f)
{
    slip s = slip_of(w, p, f);
    double per_slip = -f->bound * smooth_slip_at(s.size, width_of(w, p)).per_slip;
    return v3_add(v3_scale(per_slip * s.u[0], f->tangent[0]), v3_scale(per_slip * s.u[1], f->tangent[1]));
}

/* [m] by which the surfaces of a contact have slid on each other since the step began. */
static v3 slid(const barrier_work *w, const barrier_pair *p, const barrier_contact *c)
{
    v3 moved[2];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        v3 arm = surface_arm(c, side);
        v3 began = m3_mulv(b->R_ref, m3_tmulv(b->R, arm));
        moved[side] = v3_add(v3_sub(b->at.x_w, b->x_ref), v3_sub(arm, began));
    }
    v3 by = v3_sub(moved[0], moved[1]);
    return v3_axpy(by, -v3_dot(by, c->normal), c->normal);
}

contact_friction friction_at(const barrier_work *w, const barrier_pair *p, const barrier_contact *c)
{
    lagged_friction f;
    const moving_body *b = &w->bodies[p->body[w->bodies[p->body[0]].free ? 0 : 1]];
    contact_friction out = { .force = v3_zero(), .slip = v3_scale(1.0 / b->h_rate, slid(w, p, c)) };
    if (p->mu_static > 0.0) {
        lag_contact(w, p, c, &f);
        out.force = f.bound > 0.0 ? force_of(w, p, &f) : out.force;
    }
    return out;
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

/* Friction of the present contacts, behind that of the last lag. Returns how many there are. */
static int find_new(const barrier_work *w, barrier_pair *p, wrench_change *change)
{
    lagged_friction *fresh = p->frictions + p->friction_count;
    int count = 0;
    for (int k = 0; k < p->contact_count; ++k) {
        lagged_friction *f = &fresh[count];
        lag_contact(w, p, &p->contacts[k], f);
        if (f->bound > 0.0) {
            add_force(w, p, f, 1.0, change);
            ++count;
        }
    }
    return count;
}

/* The friction of the same features at about the same points of both bodies. */
static lagged_friction *find_alike(lagged_friction *list, int count, const lagged_friction *f)
{
    static const double ALIKE = 1e-2; /* of the arms */
    for (int k = 0; k < count; ++k) {
        bool alike = same_features(&list[k].features, &f->features);
        for (int side = 0; alike && side < 2; ++side) {
            double moved = v3_norm(v3_sub(list[k].arm_b[side], f->arm_b[side]));
            alike = moved <= ALIKE * v3_norm(f->arm_b[side]);
        }
        if (alike) {
            return &list[k];
        }
    }
    return NULL;
}

/* Takes over a part of the change from the last lag to the present contacts: these grow, others fade. */
static void take_over(barrier_pair *p, double part)
{
    static const double FADED = 1e-3; /* of the largest */
    lagged_friction *fresh = p->frictions + p->friction_count;
    double largest = 0.0;
    int count = 0;
    for (int k = 0; part != 1.0 && k < p->fresh_frictions; ++k) {
        lagged_friction *old = find_alike(p->frictions, p->friction_count, &fresh[k]);
        double from = old ? old->bound : 0.0;
        fresh[k].bound = from + part * (fresh[k].bound - from);
        largest = fmax(largest, fresh[k].bound);
        if (old) {
            old->bound = 0.0;
        }
    }
    for (int k = 0; part < 1.0 && k < p->friction_count; ++k) {
        lagged_friction f = p->frictions[k];
        f.bound *= 1.0 - part;
        if (f.bound > FADED * largest) {
            p->frictions[count++] = f;
        }
    }
    memmove(p->frictions + count, fresh, (size_t)p->fresh_frictions * sizeof *fresh);
    p->friction_count = count + p->fresh_frictions;
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
    static const double PART = 1e-3;
    double most = 0.0;
    for (int k = 0; k < isle->body_count; ++k) {
        const moving_body *b = &w->bodies[isle->bodies[k]];
        v3 rate = v3_scale(1.0 / b->h_rate, v3_sub(b->at.x_w, b->x_ref));
        most = b->free ? fmax(most, v3_norm(v3_sub(rate, b->rate.v_w))) : most;
    }
    return PART * most;
}

/* Finds the friction of the present contacts of a pair, and what it would change. */
static void renew_pair(const barrier_work *w, barrier_pair *p)
{
    wrench_change change = { .force = v3_zero() };
    p->fresh_frictions = 0;
    p->lag_speed = 0.0;
    p->last = p->renewed;
    p->no_memory = !CAROM_ARRAY_RESERVE(p->frictions, p->friction_capacity,
                                        (size_t)p->contact_count + (size_t)p->friction_count + 1);
    if (p->no_memory || !(p->mu_static > 0.0)) {
        return;
    }
    for (int k = 0; k < p->friction_count; ++k) {
        add_force(w, p, &p->frictions[k], -1.0, &change);
    }
    p->fresh_frictions = find_new(w, p, &change);
    p->lag_speed = speed_of(w, p, &change);
    p->renewed = change.force;
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
        renew_pair(task->w, p);
    }
}

/* Lags may swing about where they would settle. The part of a change that is taken over is then that which would have ended the last
 * one, to first order (Aitken's rule for vectors). */
typedef struct lag_memory {
    double turned,
        changed; /* sums of r_last . (r - r_last), |r - r_last|^2, r the changes of friction times mobility */
} lag_memory;

static void compare_lags(const barrier_work *w, const barrier_pair *p, lag_memory *m)
{
    v3 swing = v3_sub(p->renewed, p->last);
    double mobility = 0.0; /* [1/kg] */
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        mobility += b->free ? 1.0 / b->mass : 0.0;
    }
    double per = mobility * mobility;
    m->turned += per * v3_dot(p->last, swing);
    m->changed += per * v3_norm2(swing);
}

static double relaxation_of(double last, const lag_memory *m)
{
    static const double LEAST = 0.4;
    double part = m->changed > 0.0 ? -last * m->turned / m->changed : 1.0;
    return fmin(fmax(part, LEAST), 1.0);
}

/* Friction has settled where its change would change no velocity by more than the tolerance of the solve. */
bool friction_lag(barrier_work *w, island *isle, int lag, bool *settled)
{
    enum { GRAIN = 32, PATIENCE = 3 }; /* lags that are taken over as they are */
    double tolerance = fmax(isle->tolerance, speed_part(w, isle));
    lag_memory memory = { 0.0, 0.0 };
    lag_task task = { w, isle, lag };
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, GRAIN, renew_slice, &task);
    *settled = true;
    for (int k = 0; k < isle->near_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->near[k]];
        if (p->no_memory) {
            return false;
        }
        *settled = *settled && p->lag_speed <= tolerance;
        if (p->mu_static > 0.0) {
            compare_lags(w, p, &memory);
        }
    }
    isle->relaxation = lag < PATIENCE ? 1.0 : relaxation_of(isle->relaxation, &memory);
    for (int k = 0; k < isle->near_count; ++k) {
        take_over(&w->pairs[isle->near[k]], isle->relaxation);
    }
    joint_friction_lag(w, isle, lag, tolerance, settled);
    return true;
}

double friction_value(const barrier_work *w, const barrier_pair *p)
{
    double sum = 0.0;
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int k = 0; k < p->friction_count; ++k) {
        sum += p->frictions[k].bound * smooth_slip_at(slip_of(w, p, &p->frictions[k]).size, width).value;
    }
    return sum;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------------------ */

/* Sums over the contacts of a pair: with the 3x3 stiffness K of a contact against slip and its arms as matrices [r],
 *
 *     A, A: [K, K [a]'; [a] K, [a] K [a]'],     A, B: -[K, K [b]'; [a] K, [a] K [b]'],     B, B: [K, K [b]'; [b] K, [b] K [b]']. */
typedef struct slip_sums {
    m3 K, arm_K[2];      /* K; [a] K, [b] K */
    m3 arms_K[2], cross; /* [a] K [a]', [b] K [b]'; [a] K [b]' */
    v3 force, torque[2]; /* of the gradient, on A */
    m3 virial[2];        /* of forces on A and on B */
} slip_sums;

/* [r] M. */
static m3 arm_times(v3 r, m3 M)
{
    m3 out;
    for (int k = 0; k < 3; ++k) {
        v3 column = v3_cross(r, m3_column(M, k));
        out.m[k] = column.x;
        out.m[3 + k] = column.y;
        out.m[2 * 3 + k] = column.z;
    }
    return out;
}

/* M [r]'. */
static m3 times_arm(m3 M, v3 r)
{
    m3 out;
    for (int i = 0; i < 3; ++i) {
        v3_store(out.m + 3 * i, v3_cross(r, m3_row(M, i)));
    }
    return out;
}

static inline void add_to(m3 *sum, const m3 *a)
{
    for (int k = 0; k < 9; ++k) {
        sum->m[k] += a->m[k];
    }
}

/* What a contact does to one of its bodies. */
static void add_side(slip_sums *sums, int side, const m3 *K, v3 force, const v3 arm[2])
{
    m3 arm_K = arm_times(arm[side], *K);
    m3 arms_K = times_arm(arm_K, arm[side]);
    add_to(&sums->arm_K[side], &arm_K);
    add_to(&sums->arms_K[side], &arms_K);
    sums->torque[side] = v3_add(sums->torque[side], v3_cross(arm[side], force));
    m3 virial = m3_outer(side == 0 ? v3_neg(force) : force, arm[side]);
    add_to(&sums->virial[side], &virial);
    if (side == 0) {
        m3 cross = times_arm(arm_K, arm[1]);
        add_to(&sums->cross, &cross);
    }
}

/* Along the slip f0'', across it f0'/|u|; f0'/|u| both ways is an upper bound. */
static void add_slip(slip_sums *sums, const lagged_friction *f, const slip *s, double width, bool upper_bound,
                     const bool stays[2])
{
    smooth_slip law = smooth_slip_at(s->size, width);
    double along[2] = { s->size > 0.0 ? s->u[0] / s->size : 1.0, s->size > 0.0 ? s->u[1] / s->size : 0.0 };
    v3 direction = v3_add(v3_scale(along[0], f->tangent[0]), v3_scale(along[1], f->tangent[1]));
    v3 across = v3_sub(v3_scale(along[0], f->tangent[1]), v3_scale(along[1], f->tangent[0]));
    double stiff_along = f->bound * (upper_bound ? law.per_slip : law.curvature);
    double stiff_across = f->bound * law.per_slip;
    v3 force = v3_scale(stiff_across * s->size, direction);
    m3 K = m3_outer(v3_scale(stiff_along, direction), direction);
    K = m3_add(K, m3_outer(v3_scale(stiff_across, across), across));
    add_to(&sums->K, &K);
    sums->force = v3_add(sums->force, force);
    for (int side = 0; side < 2; ++side) {
        if (!stays[side]) {
            add_side(sums, side, &K, force, s->arm);
        }
    }
}

/* A block of twists from its four parts. */
static void add_parts(double *to, double sign, m3 K, m3 lower_left, m3 upper_right, m3 lower_right)
{
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            to[COLUMNS * i + k] += sign * K.m[3 * i + k];
            to[COLUMNS * i + 3 + k] += sign * upper_right.m[3 * i + k];
            to[COLUMNS * (3 + i) + k] += sign * lower_left.m[3 * i + k];
            to[COLUMNS * (3 + i) + 3 + k] += sign * lower_right.m[3 * i + k];
        }
    }
}

static void add_sums(pair_terms *t, const slip_sums *s, const bool stays[2])
{
    for (int side = 0; side < 2; ++side) {
        if (stays[side]) {
            continue;
        }
        double sign = side == 0 ? 1.0 : -1.0;
        double push[COLUMNS];
        v3_store(push, s->force);
        v3_store(push + 3, s->torque[side]);
        for (int k = 0; k < COLUMNS; ++k) {
            t->gradient[side][k] += sign * push[k];
        }
        t->virial[side] = m3_add(t->virial[side], s->virial[side]);
        add_parts(t->own[side], 1.0, s->K, s->arm_K[side], m3_transpose(s->arm_K[side]), s->arms_K[side]);
    }
    if (!stays[0] && !stays[1]) {
        add_parts(t->cross, -1.0, s->K, s->arm_K[0], m3_transpose(s->arm_K[1]), s->cross);
    }
}

void friction_add(const barrier_work *w, barrier_pair *p, bool upper_bound)
{
    slip_sums sums = { .K = { { 0.0 } } };
    const bool stays[2] = { body_stays(&w->bodies[p->body[0]]), body_stays(&w->bodies[p->body[1]]) };
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int n = 0; n < p->friction_count; ++n) {
        slip s = slip_of(w, p, &p->frictions[n]);
        add_slip(&sums, &p->frictions[n], &s, width, upper_bound, stays);
    }
    if (p->friction_count > 0) {
        add_sums(p->terms, &sums, stays);
    }
}
