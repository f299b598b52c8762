/* Coulomb friction with normal forces and tangent planes of an earlier iterate [Ferguson2021]: a potential mu N f0(|u|) of the
 * slip u of two material points since the step began. f0 is |u|, smoothed below the stick speed times h.
 *
 * Each body has its own arm: within a step the two material points may slide far apart. */
#include "methods/barrier/barrier_work.h"

#include <string.h>

#include "base/array.h"

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

static v3 moved_point(const moving_body *b, v3 arm, v3 arm_b)
{
    v3 turned = v3_sub(arm, m3_mulv(b->R_ref, arm_b));
    return v3_add(v3_sub(b->at.x_w, b->x_ref), turned);
}

static slip slip_of(const barrier_work *w, const barrier_pair *p, const lagged_friction *f)
{
    slip s;
    v3 moved[2];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        s.arm[side] = m3_mulv(b->R, f->arm_b[side]);
        moved[side] = moved_point(b, s.arm[side], f->arm_b[side]);
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
        f->arm_b[side] = m3_tmulv(w->bodies[p->body[side]].R, surface_arm(c, side));
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

contact_friction friction_at(const barrier_work *w, const barrier_pair *p, const barrier_contact *c)
{
    lagged_friction f;
    const moving_body *b = &w->bodies[p->body[w->bodies[p->body[0]].free ? 0 : 1]];
    lag_contact(w, p, c, &f);
    slip s = slip_of(w, p, &f);
    v3 moved = v3_add(v3_scale(s.u[0], f.tangent[0]), v3_scale(s.u[1], f.tangent[1]));
    return (contact_friction){ .force = f.bound > 0.0 ? force_of(w, p, &f) : v3_zero(),
                               .slip = v3_scale(1.0 / b->h_rate, moved) };
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
static void take_over(barrier_pair *p, int fresh_count, double part)
{
    static const double FADED = 1e-3; /* of the largest */
    lagged_friction *fresh = p->frictions + p->friction_count;
    double largest = 0.0;
    int count = 0;
    for (int k = 0; part != 1.0 && k < fresh_count; ++k) {
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
    memmove(p->frictions + count, fresh, (size_t)fresh_count * sizeof *fresh);
    p->friction_count = count + fresh_count;
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

/* Friction has settled where its change would change no velocity by more than the tolerance of the solve. */
static bool renew_pair(const barrier_work *w, barrier_pair *p, double tolerance, int *fresh, bool *settled)
{
    wrench_change change = { .force = v3_zero() };
    size_t most = (size_t)p->contact_count + (size_t)p->friction_count + 1;
    if (!CAROM_ARRAY_RESERVE(p->frictions, p->friction_capacity, most)) {
        return false;
    }
    for (int k = 0; k < p->friction_count; ++k) {
        add_force(w, p, &p->frictions[k], -1.0, &change);
    }
    *fresh = find_new(w, p, &change);
    *settled = *settled && speed_of(w, p, &change) <= tolerance;
    p->renewed = change.force;
    return true;
}

/* Lags may swing about where they would settle. The part of a change that is taken over is then that which would have ended the last
 * one, to first order (Aitken's rule for vectors). */
typedef struct lag_memory {
    double turned, changed; /* sums of r . (r - r_last), |r - r_last|^2, r the changes of friction times mobility */
} lag_memory;

static void compare_lags(const barrier_work *w, const barrier_pair *p, v3 last, lag_memory *m)
{
    v3 swing = v3_sub(p->renewed, last);
    double mobility = 0.0; /* [1/kg] */
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        mobility += b->free ? 1.0 / b->mass : 0.0;
    }
    double per = mobility * mobility;
    m->turned += per * v3_dot(last, swing);
    m->changed += per * v3_norm2(swing);
}

static double relaxation_of(double last, const lag_memory *m)
{
    static const double LEAST = 0.4;
    double part = m->changed > 0.0 ? -last * m->turned / m->changed : 1.0;
    return fmin(fmax(part, LEAST), 1.0);
}

bool friction_lag(barrier_work *w, island *isle, int lag, bool *settled)
{
    enum { PATIENCE = 3 }; /* lags that are taken over as they are */
    double tolerance = fmax(isle->tolerance, speed_part(w, isle));
    lag_memory memory = { 0.0, 0.0 };
    *settled = true;
    for (int k = 0; k < isle->pair_count; ++k) {
        barrier_pair *p = &w->pairs[isle->pairs[k]];
        v3 last = p->renewed;
        p->fresh_frictions = 0;
        p->friction_count = lag == 0 ? 0 : p->friction_count; /* those of an earlier step count for nothing */
        if (p->mu_static > 0.0) {
            if (!renew_pair(w, p, tolerance, &p->fresh_frictions, settled)) {
                return false;
            }
            compare_lags(w, p, last, &memory);
        }
    }
    isle->relaxation = lag < PATIENCE ? 1.0 : relaxation_of(isle->relaxation, &memory);
    for (int k = 0; k < isle->pair_count; ++k) {
        barrier_pair *p = &w->pairs[isle->pairs[k]];
        take_over(p, p->fresh_frictions, isle->relaxation);
    }
    return true;
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

/* A row along a direction for each body: B's with the opposite sign. */
static void rows_along(double row[2][COLUMNS], v3 direction, const v3 arm[2])
{
    for (int side = 0; side < 2; ++side) {
        v3 d = side == 0 ? direction : v3_neg(direction);
        v3_store(row[side], d);
        v3_store(row[side] + 3, v3_cross(arm[side], d));
    }
}

static void add_stiffness(pair_terms *t, double factor, double row[2][COLUMNS])
{
    for (int i = 0; factor > 0.0 && i < COLUMNS; ++i) {
        double a = factor * row[0][i];
        double b = factor * row[1][i];
        for (int k = 0; k < COLUMNS; ++k) {
            t->own[0][COLUMNS * i + k] += a * row[0][k];
            t->own[1][COLUMNS * i + k] += b * row[1][k];
            t->cross[COLUMNS * i + k] += a * row[1][k];
        }
    }
}

/* Along the slip f0'', across it f0'/|u|; f0'/|u| both ways is an upper bound. */
void friction_add(const barrier_work *w, barrier_pair *p, bool upper_bound)
{
    double width = p->friction_count > 0 ? width_of(w, p) : 0.0;
    for (int n = 0; n < p->friction_count; ++n) {
        const lagged_friction *f = &p->frictions[n];
        double row[2][COLUMNS];
        slip s = slip_of(w, p, f);
        smooth_slip law = smooth(s.size, width);
        double along[2] = { s.size > 0.0 ? s.u[0] / s.size : 1.0, s.size > 0.0 ? s.u[1] / s.size : 0.0 };
        v3 direction = v3_add(v3_scale(along[0], f->tangent[0]), v3_scale(along[1], f->tangent[1]));
        v3 across = v3_sub(v3_scale(along[0], f->tangent[1]), v3_scale(along[1], f->tangent[0]));
        rows_along(row, direction, s.arm);
        double force = f->bound * law.per_slip * s.size;
        for (int side = 0; side < 2; ++side) {
            v3 on = v3_scale(-force, v3_load(row[side]));
            for (int k = 0; k < COLUMNS; ++k) {
                p->terms.gradient[side][k] += force * row[side][k];
            }
            p->terms.virial[side] = m3_add(p->terms.virial[side], m3_outer(on, s.arm[side]));
        }
        add_stiffness(&p->terms, f->bound * (upper_bound ? law.per_slip : law.curvature), row);
        rows_along(row, across, s.arm);
        add_stiffness(&p->terms, f->bound * law.per_slip, row);
    }
}
