/* Coulomb friction with normal forces and tangent planes of an earlier iterate [Ferguson2021]: a potential mu N f0(|u|) of the
 * slip u of two material points since the step began. f0 is |u|, smoothed below the stick speed times h.
 *
 * Each body has its own arm: within a step the two material points may slide far apart. */
#include "methods/barrier/barrier_work.h"

#include "base/array.h"
#include "base/parallel.h"

typedef struct smooth_slip {
    double value;     /* f0 [m] */
    double per_slip;  /* f0' / |u| [1/m] */
    double curvature; /* f0'' [1/m] */
} smooth_slip;

static smooth_slip smooth(double slip, double width)
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
    double per_slip = -f->bound * smooth(s.size, width_of(w, p)).per_slip;
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

/* Takes over the friction of the present contacts. */
static void renew(const barrier_work *w, barrier_pair *p, wrench_change *change)
{
    p->friction_count = 0;
    for (int k = 0; k < p->contact_count; ++k) {
        lagged_friction *f = &p->frictions[p->friction_count];
        lag_contact(w, p, &p->contacts[k], f);
        if (f->bound > 0.0) {
            add_force(w, p, f, 1.0, change);
            ++p->friction_count;
        }
    }
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

/* [m/s] what renewing the friction of a pair changes velocities by. */
static double lag_pair(const barrier_work *w, barrier_pair *p)
{
    wrench_change change = { .force = v3_zero() };
    if (!(p->mu_static > 0.0)) {
        return 0.0;
    }
    for (int k = 0; k < p->friction_count; ++k) {
        add_force(w, p, &p->frictions[k], -1.0, &change);
    }
    p->no_memory = !CAROM_ARRAY_RESERVE(p->frictions, p->friction_capacity, (size_t)p->contact_count + 1);
    if (p->no_memory) {
        return HUGE_VAL;
    }
    renew(w, p, &change);
    return speed_of(w, p, &change);
}

typedef struct lag_task {
    barrier_work *w;
    const island *isle;
    int lag;
} lag_task;

static void lag_slice(void *context, size_t begin, size_t end)
{
    const lag_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->near[k]];
        p->friction_count = task->lag == 0 ? 0 : p->friction_count; /* those of an earlier step count for nothing */
        p->lag_speed = lag_pair(task->w, p);
    }
}

/* Friction has settled where its change would change no velocity by more than the tolerance of the solve. */
bool friction_lag(barrier_work *w, island *isle, int lag, bool *settled)
{
    enum { GRAIN = 32 };
    bool ok = true;
    double tolerance = fmax(isle->tolerance, speed_part(w, isle));
    lag_task task = { w, isle, lag };
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, GRAIN, lag_slice, &task);
    *settled = true;
    for (int k = 0; k < isle->near_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->near[k]];
        *settled = *settled && p->lag_speed <= tolerance;
        ok = ok && !p->no_memory;
    }
    return ok;
}

double friction_value(const barrier_work *w, const barrier_pair *p)
{
    double sum = 0.0;
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int k = 0; k < p->friction_count; ++k) {
        sum += p->frictions[k].bound * smooth(slip_of(w, p, &p->frictions[k]).size, width).value;
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
    if (side == 0) {
        m3 cross = times_arm(arm_K, arm[1]);
        add_to(&sums->cross, &cross);
    }
}

/* Along the slip f0'', across it f0'/|u|; f0'/|u| both ways is an upper bound. */
static void add_slip(slip_sums *sums, const lagged_friction *f, const slip *s, double width, bool upper_bound,
                     const bool stays[2])
{
    smooth_slip law = smooth(s->size, width);
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
