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
#include "methods/barrier/joint_friction.h"
#include "methods/barrier/pairs.h"
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
    v3 by;       /* [m] by which A has moved against B there */
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
    s.by = v3_sub(moved[0], moved[1]);
    s.u[0] = v3_dot(f->tangent[0], s.by);
    s.u[1] = v3_dot(f->tangent[1], s.by);
    s.size = sqrt(s.u[0] * s.u[0] + s.u[1] * s.u[1]);
    return s;
}

/* [s] over which slip is measured: that of the velocities of free bodies. */
static double time_of(const barrier_work *w, const barrier_pair *p)
{
    return w->bodies[p->body[w->bodies[p->body[0]].free ? 0 : 1]].h_rate;
}

/* [m] below which slip is smoothed. */
static double width_of(const barrier_work *w, const barrier_pair *p)
{
    return (1.0 + p->softness) * stick_speed_of(w, p->range) * time_of(w, p);
}

/* ---- lag -------------------------------------------------------------------------------------------------------------------- */

/* The part of a gap from the surface of a body to where friction acts. */
static double gap_part(const barrier_work *w, const barrier_pair *p)
{
    return w->bodies[p->body[0]].free && w->bodies[p->body[1]].free ? 0.5 : 0.0;
}

/* [m] from the closest point of a skeleton along the normal to where friction acts. */
static double depth_of(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, int side)
{
    return c->rounding[side] + gap_part(w, p) * (c->gap + p->separation);
}

/* [m] to where friction acts, from a centre of mass. */
static v3 friction_arm(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, int side)
{
    return v3_axpy(c->arm[side], (side == 0 ? -1.0 : 1.0) * depth_of(w, p, c, side), c->normal);
}

static void lag_contact(const barrier_work *w, const barrier_pair *p, const barrier_contact *c, lagged_friction *f)
{
    f->features = p->list.items[c->item].pair;
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
    const feature_pair *features = &p->list.items[c->item].pair;
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

/* Finds the friction of the present contacts of a pair, and what it would change. */
static void renew_pair(const barrier_work *w, barrier_pair *p)
{
    wrench_change change = { .force = v3_zero() };
    p->fresh_frictions = 0;
    p->lag_speed = 0.0;
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
}

bool friction_find(const barrier_work *w, barrier_pair *p)
{
    p->friction_count = 0;
    renew_pair(w, p);
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
        renew_pair(task->w, p);
        if (task->lag == 0) {
            keep_load(p);
        }
    }
}

static bool renew(barrier_work *w, const island *isle, int lag)
{
    enum { GRAIN = 32 };
    lag_task task = { w, isle, lag };
    bool ok = true;
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, GRAIN, renew_slice, &task);
    for (int k = 0; ok && k < isle->near_count; ++k) {
        ok = !w->pairs[isle->near[k]].no_memory;
    }
    return ok;
}

/* Friction has settled where its change would change no velocity by more than the tolerance of the solve. */
bool friction_renew(barrier_work *w, island *isle, int lag, bool *settled)
{
    double tolerance = fmax(isle->tolerance, speed_part(w, isle));
    if (!renew(w, isle, lag)) {
        return false;
    }
    *settled = true;
    for (int k = 0; k < isle->near_count; ++k) {
        *settled = *settled && w->pairs[isle->near[k]].lag_speed <= tolerance;
    }
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
    wrench_change change = { .force = v3_zero() };
    p->friction_count = p->kept_frictions;
    p->no_memory = !CAROM_ARRAY_RESERVE(p->frictions, p->friction_capacity,
                                        (size_t)p->contact_count + (size_t)p->friction_count + 1);
    if (p->no_memory || !(p->mu_static > 0.0)) {
        return;
    }
    for (int k = 0; k < p->kept_frictions; ++k) {
        p->frictions[k].bound = (1.0 - part) * p->frictions[k].whole;
    }
    p->friction_count += find_new(w, p, &change);
    for (int k = p->kept_frictions; k < p->friction_count; ++k) {
        p->frictions[k].bound = part * p->frictions[k].whole;
    }
}

bool friction_follow_by(barrier_work *w, const island *isle, double part)
{
    bool ok = true;
    for (int k = 0; ok && k < isle->near_count; ++k) {
        barrier_pair *p = &w->pairs[isle->near[k]];
        follow(w, p, part);
        ok = !p->no_memory;
    }
    return ok;
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

/* Of friction's potential: its gradient by the slip of A, and its second derivative: along the slip f0'', across it f0'/|u|; f0'/|u| both
 * ways is an upper bound. */
typedef struct slip_stiffness {
    v3 force; /* [N] */
    m3 K;     /* [N/m] */
} slip_stiffness;

static slip_stiffness stiffness_of(const lagged_friction *f, const slip *s, double width, bool upper_bound)
{
    smooth_slip law = smooth_slip_at(s->size, width);
    double along[2] = { s->size > 0.0 ? s->u[0] / s->size : 1.0, s->size > 0.0 ? s->u[1] / s->size : 0.0 };
    v3 direction = v3_add(v3_scale(along[0], f->tangent[0]), v3_scale(along[1], f->tangent[1]));
    v3 across = v3_sub(v3_scale(along[0], f->tangent[1]), v3_scale(along[1], f->tangent[0]));
    double stiff_along = f->bound * (upper_bound ? law.per_slip : law.curvature);
    double stiff_across = f->bound * law.per_slip;
    return (slip_stiffness){ .force = v3_scale(stiff_across * s->size, direction),
                             .K = m3_add(m3_outer(v3_scale(stiff_along, direction), direction),
                                         m3_outer(v3_scale(stiff_across, across), across)) };
}

/* What a contact does to one of its bodies. */
static void add_side(slip_sums *sums, int side, const slip_stiffness *stiff, v3 pull, const v3 arm[2])
{
    m3 arm_K = arm_times(arm[side], stiff->K);
    m3 arms_K = times_arm(arm_K, arm[side]);
    add_to(&sums->arm_K[side], &arm_K);
    add_to(&sums->arms_K[side], &arms_K);
    sums->torque[side] = v3_add(sums->torque[side], v3_cross(arm[side], stiff->force));
    m3 virial = m3_outer(side == 0 ? v3_neg(pull) : pull, arm[side]);
    add_to(&sums->virial[side], &virial);
    if (side == 0) {
        m3 cross = times_arm(arm_K, arm[1]);
        add_to(&sums->cross, &cross);
    }
}

static void add_slip(slip_sums *sums, const slip_stiffness *stiff, v3 pull, const slip *s, const bool stays[2])
{
    add_to(&sums->K, &stiff->K);
    sums->force = v3_add(sums->force, stiff->force);
    for (int side = 0; side < 2; ++side) {
        if (!stays[side]) {
            add_side(sums, side, stiff, pull, s->arm);
        }
    }
}

/* The slip that is foreseen. */
static slip slip_foreseen(const lagged_friction *f, const slip *s)
{
    slip at = *s;
    at.u[0] = f->foreseen[0];
    at.u[1] = f->foreseen[1];
    at.size = sqrt(at.u[0] * at.u[0] + at.u[1] * at.u[1]);
    return at;
}

/* The force at slip `to` by the stiffness at slip `from`. */
static v3 carried(const lagged_friction *f, const slip_stiffness *stiff, const slip *from, const slip *to)
{
    v3 off = v3_add(v3_scale(to->u[0] - from->u[0], f->tangent[0]), v3_scale(to->u[1] - from->u[1], f->tangent[1]));
    return v3_add(stiff->force, m3_mulv(stiff->K, off));
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

void friction_add(const barrier_work *w, barrier_pair *p, bool upper_bound, bool foreseen)
{
    slip_sums sums = { .K = { { 0.0 } } };
    const bool stays[2] = { body_stays(&w->bodies[p->body[0]]), body_stays(&w->bodies[p->body[1]]) };
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int n = 0; n < p->friction_count; ++n) {
        const lagged_friction *f = &p->frictions[n];
        slip s = slip_of(w, p, f);
        slip_stiffness stiff = stiffness_of(f, &s, width, upper_bound);
        v3 pull = stiff.force;
        if (foreseen) {
            slip at = slip_foreseen(f, &s);
            stiff = stiffness_of(f, &at, width, upper_bound);
            stiff.force = carried(f, &stiff, &at, &s);
        }
        add_slip(&sums, &stiff, pull, &s, stays);
    }
    if (p->friction_count > 0) {
        add_sums(p->terms, &sums, stays);
    }
}

/* [m] of A against B at the points of friction, along the twists. */
static v3 slip_along(const barrier_work *w, const barrier_pair *p, const slip *s)
{
    v3 moved[2];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        moved[side] = b->way > 0.0 ? v3_add(b->d.v, v3_cross(b->d.w, s->arm[side])) : v3_zero();
    }
    return v3_sub(moved[0], moved[1]);
}

void friction_foresee(const barrier_work *w, barrier_pair *p, bool first, bool upper_bound, double sums[2])
{
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int n = 0; n < p->friction_count; ++n) {
        lagged_friction *f = &p->frictions[n];
        slip s = slip_of(w, p, f);
        v3 along = slip_along(w, p, &s);
        slip had = first ? s : slip_foreseen(f, &s);
        f->foreseen[0] = s.u[0] + v3_dot(f->tangent[0], along);
        f->foreseen[1] = s.u[1] + v3_dot(f->tangent[1], along);
        slip at = slip_foreseen(f, &s);
        slip_stiffness stiff = stiffness_of(f, &had, width, upper_bound);
        v3 force = stiffness_of(f, &at, width, upper_bound).force;
        sums[0] += v3_norm(v3_sub(carried(f, &stiff, &had, &at), force));
        sums[1] += v3_norm(force);
    }
}

/* ---- friction of the iterate itself ----------------------------------------------------------------------------------------- */

/* A contact whose friction follows it: its lag is that of the iterate. */
typedef struct following {
    const barrier_work *w;
    const barrier_pair *p;
    const barrier_contact *contact;
    lagged_friction f;
    slip s;
    slip_stiffness stiff;
    friction_coupling *out;
} following;

/* Per unit of a row of the twists: a change of the force itself, and shifts of the points of A and of B at which it acts against what
 * moves with their bodies. */
static void couple(following *c, const double row[TWIST_PAIR], v3 change, const v3 shift[2])
{
    double push[TWIST_PAIR];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &c->w->bodies[c->p->body[side]];
        v3 began = m3_mulv(b->R_ref, m3_tmulv(b->R, shift[side]));
        v3 moved = body_stays(b) ? v3_zero() : v3_sub(shift[side], began);
        change = v3_add(change, m3_mulv(c->stiff.K, side == 0 ? moved : v3_neg(moved)));
    }
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        v3 torque = v3_add(v3_cross(c->s.arm[side], change), v3_cross(shift[side], c->stiff.force));
        v3_store(push + COLUMNS * side, v3_scale(sign, change));
        v3_store(push + COLUMNS * side + 3, v3_scale(sign, torque));
    }
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = 0; k < TWIST_PAIR; ++k) {
            c->out->K[i][k] += push[i] * row[k];
        }
    }
}

static const v3 UNMOVED[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };

/* The bound is mu m(c) N(gap). */
static void couple_load(following *c)
{
    const barrier_contact *contact = c->contact;
    const edge_mollifier *m = &contact->parallel;
    double per_gap = contact->second / contact->first;
    double per_turn = m->value < 1.0 ? m->first / m->value : 0.0;
    double row[TWIST_PAIR];
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        v3 turn = v3_scale(per_gap, v3_cross(contact->arm[side], contact->normal));
        v3 move = v3_scale(per_gap, contact->normal);
        v3_store(row + COLUMNS * side, v3_scale(sign, v3_axpy(move, per_turn, m->shift)));
        v3_store(row + COLUMNS * side + 3, v3_scale(sign, v3_axpy(turn, per_turn, contact->turn[side])));
    }
    couple(c, row, c->stiff.force, UNMOVED);
}

/* Closest points slide along their features. */
static void couple_slides(following *c, const feature_distance *d, const feature_motion *m)
{
    for (int k = 0; k < d->slides; ++k) {
        v3 shift[2] = { v3_zero(), v3_zero() };
        shift[d->owner[k]] = d->slide[k];
        couple(c, m->slide[k], v3_zero(), shift);
    }
}

/* Where the gap changes, the point half way across it moves along the normal. */
static void couple_gap(following *c)
{
    const barrier_contact *contact = c->contact;
    double part = gap_part(c->w, c->p);
    const v3 shift[2] = { v3_scale(-part, contact->normal), v3_scale(part, contact->normal) };
    double row[TWIST_PAIR];
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        v3_store(row + COLUMNS * side, v3_scale(sign, contact->normal));
        v3_store(row + COLUMNS * side + 3, v3_scale(sign, v3_cross(contact->arm[side], contact->normal)));
    }
    couple(c, row, v3_zero(), shift);
}

/* The tangent plane turns with the normal, and so do the points of round surfaces, and those half way across gaps. */
static void couple_normal(following *c, const feature_motion *m)
{
    const barrier_contact *contact = c->contact;
    double per_slip = c->s.size > 0.0 ? v3_norm(c->stiff.force) / c->s.size : 0.0;
    double through = v3_dot(contact->normal, c->s.by);
    for (int k = 0; k < 2; ++k) {
        v3 t = c->f.tangent[k];
        v3 change = v3_axpy(v3_scale(-through, m3_mulv(c->stiff.K, t)), -per_slip * c->s.u[k], contact->normal);
        v3 shift[2] = { v3_scale(-depth_of(c->w, c->p, contact, 0), t),
                        v3_scale(depth_of(c->w, c->p, contact, 1), t) };
        double row[TWIST_PAIR];
        for (int i = 0; i < TWIST_PAIR; ++i) {
            row[i] = t.x * m->normal[0][i] + t.y * m->normal[1][i] + t.z * m->normal[2][i];
        }
        couple(c, row, change, shift);
        for (int side = 0; side < 2; ++side) {
            if (v3_norm2(shift[side]) > 0.0) {
                double turn[TWIST_PAIR] = { 0.0 };
                v3 one[2] = { v3_zero(), v3_zero() };
                one[side] = shift[side];
                v3_store(turn + COLUMNS * side + 3, v3_cross(t, contact->normal));
                couple(c, turn, v3_zero(), one);
            }
        }
    }
}

/* The lowest point of a rim goes around it when that turns against its plane, by -(n x bend) (w . bend), n from the plane to the rim and w
 * the turn of the rim less that of the plane: where the second derivative of its height is -(w . bend)^2. */
static void couple_rim(following *c, const feature_pair *f, v3 bend)
{
    int rim = f->kind[0] == SURFACE_RIM ? 0 : 1;
    v3 shift[2] = { v3_zero(), v3_zero() };
    double row[TWIST_PAIR] = { 0.0 };
    v3 around = v3_cross(c->contact->normal, bend);
    shift[rim] = rim == 0 ? v3_neg(around) : around;
    v3_store(row + COLUMNS * rim + 3, bend);
    v3_store(row + COLUMNS * (1 - rim) + 3, v3_neg(bend));
    couple(c, row, v3_zero(), shift);
}

/* The distance of a contact in world axes. */
static feature_distance distance_of(const surface_pair *now, const barrier_pair *p, const barrier_contact *c, m3 R_w)
{
    feature_distance d = surface_pair_distance(now, &p->list.items[c->item].pair);
    d.normal = c->normal;
    for (int k = 0; k < d.slides; ++k) {
        d.slide[k] = m3_mulv(R_w, d.slide[k]);
    }
    return d;
}

void friction_couple(const barrier_work *w, const barrier_pair *p, double part, friction_coupling *out)
{
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_still(&places[0], &places[1]);
    following c = { .w = w, .p = p, .out = out };
    double width = width_of(w, p);
    *out = (friction_coupling){ .node = { w->bodies[p->body[0]].node, w->bodies[p->body[1]].node } };
    for (int k = 0; k < p->contact_count; ++k) {
        c.contact = &p->contacts[k];
        lag_contact(w, p, c.contact, &c.f);
        c.f.bound *= part;
        if (c.f.bound > 0.0) {
            c.s = slip_of(w, p, &c.f);
            c.stiff = stiffness_of(&c.f, &c.s, width, false);
            feature_distance d = distance_of(&now, p, c.contact, places[1].R_w);
            feature_motion m;
            feature_distance_motion(&d, c.contact->arm, &m);
            couple_load(&c);
            couple_slides(&c, &d, &m);
            if (gap_part(w, p) > 0.0) {
                couple_gap(&c);
            }
            couple_normal(&c, &m);
            const feature_pair *f = &p->list.items[c.contact->item].pair;
            couple_rim(&c, f, m3_mulv(places[1].R_w, surface_pair_bend(&now, f)));
        }
    }
}
