/* Gradient and Hessian of lagged friction, at the slip of the iterate or at that to which the twists lead. */
#include <math.h>

#include "methods/barrier/friction.h"
#include "methods/barrier/friction_slip.h"

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

slip_stiffness friction_stiffness(const lagged_friction *f, const slip *s, double width, bool upper_bound)
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
        if (!(f->bound > 0.0)) {
            continue; /* all of it follows the iterate: it is further on */
        }
        slip s = slip_of(w, p, f);
        slip_stiffness stiff = friction_stiffness(f, &s, width, upper_bound);
        v3 pull = stiff.force;
        if (foreseen) {
            slip at = slip_foreseen(f, &s);
            stiff = friction_stiffness(f, &at, width, upper_bound);
            stiff.force = carried(f, &stiff, &at, &s);
        }
        add_slip(&sums, &stiff, pull, &s, stays);
    }
    if (p->friction_count > 0) {
        add_sums(p->terms, &sums, stays);
    }
}

void friction_add_forces(const barrier_work *w, barrier_pair *p)
{
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int n = 0; n < p->friction_count; ++n) {
        const lagged_friction *f = &p->frictions[n];
        if (!(f->bound > 0.0)) {
            continue;
        }
        slip s = slip_of(w, p, f);
        double per_slip = f->bound * smooth_slip_at(s.size, width).per_slip;
        v3 force = v3_add(v3_scale(per_slip * s.u[0], f->tangent[0]), v3_scale(per_slip * s.u[1], f->tangent[1]));
        for (int side = 0; side < 2; ++side) {
            double sign = side == 0 ? 1.0 : -1.0;
            v3 torque = v3_cross(s.arm[side], force);
            const double push[COLUMNS] = { force.x, force.y, force.z, torque.x, torque.y, torque.z };
            for (int k = 0; k < COLUMNS; ++k) {
                p->terms->gradient[side][k] += sign * push[k];
            }
        }
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
        slip_stiffness stiff = friction_stiffness(f, &had, width, upper_bound);
        v3 force = friction_stiffness(f, &at, width, upper_bound).force;
        sums[0] += v3_norm(v3_sub(carried(f, &stiff, &had, &at), force));
        sums[1] += v3_norm(force);
    }
}
