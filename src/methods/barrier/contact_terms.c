/* Gradient and Hessian of barriers.
 *
 * The Hessian keeps b'' (J'n)(J'n)' of each contact, summed per pair of surfaces in the relative twist, and the geometric stiffness
 * of each body, made positive. With the curvature of surfaces it has b' times the second derivatives of distances instead of the
 * latter. */
#include <string.h>

#include "base/parallel.h"
#include "elements/forces/semidefinite.h"
#include "methods/barrier/contacts.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/joints.h"
#include "methods/barrier/pairs.h"
#include "methods/barrier/system.h"

/* ---- gradient and Hessian of a pair ----------------------------------------------------------------------------------------- */

static void add_rank_one(double *H, double factor, const double *a)
{
    for (int i = 0; i < COLUMNS; ++i) {
        double scaled = factor * a[i];
        for (int k = 0; k < COLUMNS; ++k) {
            H[COLUMNS * i + k] += scaled * a[k];
        }
    }
}

static void add_wrench(double *g, double sign, v3 force, v3 torque)
{
    g[0] += sign * force.x;
    g[1] += sign * force.y;
    g[2] += sign * force.z;
    g[3] += sign * torque.x;
    g[4] += sign * torque.y;
    g[5] += sign * torque.z;
}

/* The gradient of the gap by the twist of A against B, at the centre of A. */
static void gap_gradient(const barrier_contact *c, double row[COLUMNS])
{
    v3_store(row, c->normal);
    v3_store(row + 3, v3_cross(c->arm[0], c->normal));
}

/* The 2x2 matrix [[m b'', m' b'], [m' b', m'' b]] over (gradient of the gap, gradient of |a x b|^2): its positive part, or all
 * else. */
static void add_nearly_parallel(double *H, const barrier_contact *c, bool positive)
{
    const edge_mollifier *m = &c->parallel;
    double gap_row[COLUMNS];
    gap_gradient(c, gap_row);
    v3 turn = c->turn[0];
    double turn_row[COLUMNS] = { m->shift.x, m->shift.y, m->shift.z, turn.x, turn.y, turn.z };
    double a = m->value * c->second;
    double b = m->first * c->first;
    double d = m->second * c->value;
    double half = 0.5 * (a + d);
    double root = sqrt(fmax(0.0, half * half - (a * d - b * b)));
    double values[2] = { half + root, half - root };
    for (int k = 0; k < 2; ++k) {
        double x = b;
        double y = values[k] - a;
        if (fabs(x) + fabs(y) <= 1e-14 * (fabs(a) + fabs(d))) { /* diagonal: the first axis belongs to a */
            x = values[k] == a ? 1.0 : 0.0;
            y = 1.0 - x;
        }
        if ((values[k] > 0.0) != positive) {
            continue;
        }
        double norm = sqrt(x * x + y * y);
        double row[COLUMNS];
        for (int i = 0; i < COLUMNS; ++i) {
            row[i] = (x * gap_row[i] + y * turn_row[i]) / norm;
        }
        add_rank_one(H, values[k], row);
    }
}

/* `foreseen`: with its forces where the twists lead. Those turn with the body as they are at present. */
static void add_push(pair_terms *t, const barrier_contact *c, const bool stays[2], bool foreseen)
{
    double m = c->parallel.value;
    v3 present = v3_scale(m * c->first, c->normal);
    v3 force = foreseen ? v3_scale(m * c->foreseen[0], c->normal) : present;
    double factor = m < 1.0 ? c->parallel.first * c->value : 0.0;
    v3 push = v3_scale(factor, c->parallel.shift);
    t->pressed -= m * c->first;
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        if (stays[side]) {
            continue;
        }
        v3 turn = v3_axpy(v3_cross(c->arm[side], force), factor, c->turn[side]);
        add_wrench(t->gradient[side], sign, v3_add(force, push), turn);
        t->virial[side] = m3_add(t->virial[side], m3_outer(v3_scale(-sign, present), c->arm[side]));
    }
}

static void add_stiffness(double *H, const barrier_contact *c, bool foreseen)
{
    double m = c->parallel.value;
    if (m < 1.0 && !foreseen) {
        add_nearly_parallel(H, c, true);
    } else {
        double row[COLUMNS];
        gap_gradient(c, row);
        add_rank_one(H, foreseen ? m * c->foreseen[1] : c->second, row);
    }
}

/* H X with X (v, w) = (v - c x w, w): the twist of B, taken at the centre of A; c leads from B to A. */
static void times_shift(const double *H, v3 c, double *out)
{
    for (int i = 0; i < COLUMNS; ++i) {
        const double *h = H + COLUMNS * i;
        v3 moved = v3_cross(c, v3_make(h[0], h[1], h[2]));
        double *o = out + COLUMNS * i;
        o[0] = h[0];
        o[1] = h[1];
        o[2] = h[2];
        o[3] = h[3] + moved.x;
        o[4] = h[4] + moved.y;
        o[5] = h[5] + moved.z;
    }
}

/* X' A. */
static void shift_times(const double *A, v3 c, double *out)
{
    for (int k = 0; k < COLUMNS; ++k) {
        v3 moved = v3_cross(c, v3_make(A[k], A[COLUMNS + k], A[2 * COLUMNS + k]));
        double add[3] = { moved.x, moved.y, moved.z };
        for (int i = 0; i < 3; ++i) {
            out[COLUMNS * i + k] = A[COLUMNS * i + k];
            out[COLUMNS * (3 + i) + k] = A[COLUMNS * (3 + i) + k] + add[i];
        }
    }
}

/* A matrix of the twist of A against B as blocks of both. */
static void find_shifted(const barrier_work *w, const barrier_pair *p, const double *H, double *HX, double *XHX)
{
    v3 c = v3_sub(w->bodies[p->body[0]].at.x_w, w->bodies[p->body[1]].at.x_w);
    times_shift(H, c, HX);
    shift_times(HX, c, XHX);
}

static void carry_to_bodies(const barrier_work *w, barrier_pair *p, const double *H, const bool stays[2])
{
    double HX[BLOCK], XHX[BLOCK];
    if (stays[1]) {
        memcpy(p->terms->own[0], H, sizeof p->terms->own[0]);
        return;
    }
    find_shifted(w, p, H, HX, XHX);
    for (int k = 0; k < BLOCK; ++k) {
        p->terms->own[0][k] += H[k];
        p->terms->own[1][k] += XHX[k];
        p->terms->cross[k] -= HX[k];
    }
}

static void carry_to_curvature(const barrier_work *w, barrier_pair *p, const double *H)
{
    double HX[BLOCK], XHX[BLOCK];
    find_shifted(w, p, H, HX, XHX);
    double(*sum)[TWIST_PAIR] = p->terms->curvature;
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            sum[i][k] += H[COLUMNS * i + k];
            sum[COLUMNS + i][COLUMNS + k] += XHX[COLUMNS * i + k];
            sum[i][COLUMNS + k] -= HX[COLUMNS * i + k];
            sum[COLUMNS + k][i] -= HX[COLUMNS * i + k];
        }
    }
}

static void add_times(twist_matrix sum, double factor, twist_matrix H)
{
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = 0; k < TWIST_PAIR; ++k) {
            sum[i][k] += factor * H[i][k];
        }
    }
}

/* Adds minus the square of (w_A - w_B) . bend. */
static void add_bend(twist_matrix H, v3 bend)
{
    const double row[COLUMNS] = { bend.x, bend.y, bend.z, -bend.x, -bend.y, -bend.z };
    static const int column[COLUMNS] = { 3, 4, 5, 9, 10, 11 };
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            H[column[i]][column[k]] -= row[i] * row[k];
        }
    }
}

/* Twists about the origin of B's surface, in its axes, from one about a centre of mass, to which `arm` leads back, in world axes. */
static void twist_there(m3 R_w, v3 arm, double T[COLUMNS][COLUMNS])
{
    memset(T, 0, BLOCK * sizeof(double));
    for (int k = 0; k < 3; ++k) {
        v3 axis = m3_column(R_w, k);
        v3_store(T[k], axis);
        v3_store(T[k] + 3, v3_cross(arm, axis));
        v3_store(T[3 + k] + 3, axis);
    }
}

/* T[side]' H T[other] of one block of H. */
static void carry_block(twist_matrix H, double T[2][COLUMNS][COLUMNS], int side, int other)
{
    double HT[COLUMNS][COLUMNS] = { { 0.0 } };
    for (int i = 0; i < COLUMNS; ++i) {
        for (int n = 0; n < COLUMNS; ++n) {
            for (int k = 0; k < COLUMNS; ++k) {
                HT[i][k] += H[COLUMNS * side + i][COLUMNS * other + n] * T[other][n][k];
            }
        }
    }
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            double sum = 0.0;
            for (int n = 0; n < COLUMNS; ++n) {
                sum += T[side][n][i] * HT[n][k];
            }
            H[COLUMNS * side + i][COLUMNS * other + k] = sum;
        }
    }
}

/* Second order of the turns of a body against a shift of a point at `arm`: sym(shift arm') - (shift . arm) 1. */
static void add_turned_shift(twist_matrix H, int side, v3 shift, v3 arm)
{
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double both = v3_get(shift, i) * v3_get(arm, k) + v3_get(shift, k) * v3_get(arm, i);
            H[COLUMNS * side + 3 + i][COLUMNS * side + 3 + k] += 0.5 * both - (i == k ? v3_dot(shift, arm) : 0.0);
        }
    }
}

/* Second derivatives of the factor of a contact by the twists of both bodies: of the factor itself where a surface is round, of
 * |a x b|^2 between edges. */
static void find_factor_bend(const barrier_work *w, const barrier_pair *p, const surface_pair *now, m3 R_w,
                             const barrier_contact *c, twist_matrix H)
{
    if (!surface_pair_mollifier_hessian(now, &p->near.list.items[c->item].pair, p->range, H)) {
        edge_mollifier_hessian(&c->parallel, H);
        return;
    }
    double T[2][COLUMNS][COLUMNS];
    v3 arm[2];
    for (int side = 0; side < 2; ++side) {
        arm[side] = v3_sub(collider_place(w, p->b).x_w, w->bodies[p->body[side]].at.x_w);
        twist_there(R_w, arm[side], T[side]);
    }
    for (int k = 0; k < 4; ++k) {
        carry_block(H, T, k / 2, k % 2);
    }
    add_turned_shift(H, 0, c->parallel.shift, arm[0]);
    add_turned_shift(H, 1, v3_neg(c->parallel.shift), arm[1]);
}

/* Adds the force times the second derivatives of the distance, and what turns of nearly parallel edges do. They hold what the geometric
 * stiffness stands for otherwise. */
static void add_curvature(const barrier_work *w, const barrier_pair *p, const surface_pair *now, m3 R_w,
                          const barrier_contact *c, twist_matrix sum)
{
    const feature_pair *f = &p->near.list.items[c->item].pair;
    feature_distance d = surface_pair_distance(now, f);
    twist_matrix H;
    d.normal = c->normal;
    for (int k = 0; k < d.slides; ++k) {
        d.slide[k] = m3_mulv(R_w, d.slide[k]);
    }
    feature_distance_hessian(&d, c->arm, H);
    add_bend(H, m3_mulv(R_w, surface_pair_bend(now, f)));
    add_times(sum, c->parallel.value * c->first, H);
    if (c->parallel.value < 1.0) {
        find_factor_bend(w, p, now, R_w, c, H);
        add_times(sum, c->parallel.first * c->value, H);
    }
}

/* [m] of the smaller surface. */
static double size_of(const barrier_work *w, const barrier_pair *p)
{
    const surface *a = w->surfaces[p->a];
    const surface *b = w->surfaces[p->b];
    return a->half_space ? b->radius : b->half_space ? a->radius : fmin(a->radius, b->radius);
}

/* The part of translations that both bodies have in common is left out of the eigenvalues. */
void positive_part(twist_matrix sum, double size)
{
    enum { APART = 9 }; /* translation of A against B, turns of A, turns of B */
    static const int from[APART] = { 0, 1, 2, 3, 4, 5, 9, 10, 11 };
    double S[APART][APART], factor[APART];
    for (int i = 0; i < APART; ++i) {
        factor[i] = i < 3 ? sqrt(2.0) : 1.0 / size;
    }
    for (int i = 0; i < APART; ++i) {
        for (int k = 0; k < APART; ++k) {
            S[i][k] = factor[i] * factor[k] * sum[from[i]][from[k]];
        }
    }
    semidefinite_part(&S[0][0], APART, APART);
    for (int i = 0; i < APART; ++i) {
        for (int k = 0; k < APART; ++k) {
            double value = S[i][k] / (factor[i] * factor[k]);
            sum[from[i]][from[k]] = value;
            if (i < 3) {
                sum[COLUMNS + i][from[k]] = -value;
            }
            if (k < 3) {
                sum[from[i]][COLUMNS + k] = -value;
            }
            if (i < 3 && k < 3) {
                sum[COLUMNS + i][COLUMNS + k] = value;
            }
        }
    }
}

/* The curvature of all contacts of a pair. */
static void find_curvature(const barrier_work *w, barrier_pair *p)
{
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_still(&places[0], &places[1]);
    double H[BLOCK] = { 0.0 }; /* of nearly parallel edges: what is not positive */
    memset(p->terms->curvature, 0, sizeof p->terms->curvature);
    for (int k = 0; k < p->contact_count; ++k) {
        const barrier_contact *c = &p->contacts[k];
        add_curvature(w, p, &now, places[1].R_w, c, p->terms->curvature);
        if (c->parallel.value < 1.0) {
            add_nearly_parallel(H, c, false);
        }
    }
    carry_to_curvature(w, p, H);
    p->terms->virial[0] = p->terms->virial[1] = (m3){ { 0.0 } };
}

static void find_terms(const barrier_work *w, barrier_pair *p, const island *isle)
{
    double H[BLOCK] = { 0.0 };
    const bool stays[2] = { body_stays(&w->bodies[p->body[0]]), body_stays(&w->bodies[p->body[1]]) };
    memset(p->terms, 0, offsetof(pair_terms, curvature));
    for (int k = 0; k < p->contact_count; ++k) {
        const barrier_contact *c = &p->contacts[k];
        bool foreseen = isle->foresees && c->parallel.value == 1.0;
        add_push(p->terms, c, stays, foreseen);
        add_stiffness(H, c, foreseen);
    }
    for (int k = 0; k < p->ahead_count; ++k) {
        add_push(p->terms, &p->ahead[k], stays, true);
        add_stiffness(H, &p->ahead[k], true);
    }
    carry_to_bodies(w, p, H, stays);
    if (isle->curvature != CURVATURE_NONE) {
        find_curvature(w, p);
    }
    friction_add(w, p, isle->backtracked, isle->foresees);
}

/* Its gradient alone. */
static void find_forces(const barrier_work *w, barrier_pair *p)
{
    const bool stays[2] = { body_stays(&w->bodies[p->body[0]]), body_stays(&w->bodies[p->body[1]]) };
    memset(p->terms, 0, offsetof(pair_terms, own));
    for (int k = 0; k < p->contact_count; ++k) {
        add_push(p->terms, &p->contacts[k], stays, false);
    }
    friction_add_forces(w, p);
}

static bool has_terms(const barrier_pair *p)
{
    return p->contact_count > 0 || p->friction_count > 0 || p->ahead_count > 0;
}

enum { PAIR_GRAIN = 32 };

typedef struct pair_task {
    barrier_work *w;
    const island *isle;
} pair_task;

static void terms_slice(void *context, size_t begin, size_t end)
{
    const pair_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->near[k]];
        if (has_terms(p) && task->isle->curvature == CURVATURE_POSITIVE) {
            positive_part(p->terms->curvature,
                          size_of(task->w, p)); /* all else is known: the whole was tried before */
        } else if (has_terms(p)) {
            find_terms(task->w, p, task->isle);
        }
    }
}

/* ---- all pairs -------------------------------------------------------------------------------------------------------------- */

static void add_block(double *to, double (*from)[TWIST_PAIR], int row, int column)
{
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            to[COLUMNS * i + k] += from[row + i][column + k];
        }
    }
}

static void gather(barrier_work *w, island *isle, const barrier_pair *p)
{
    bool curved = isle->curvature != CURVATURE_NONE;
    double cross[BLOCK];
    for (int side = 0; side < 2; ++side) {
        double *g = gradient_of(w, isle, p->body[side]);
        double *H = diagonal_of(w, isle, p->body[side]);
        if (!g) {
            continue; /* its twist is given; it may be in several islands */
        }
        for (int k = 0; k < COLUMNS; ++k) {
            g[k] += p->terms->gradient[side][k];
        }
        for (int k = 0; k < BLOCK; ++k) {
            H[k] += p->terms->own[side][k];
        }
        if (curved) {
            add_block(H, p->terms->curvature, COLUMNS * side, COLUMNS * side);
        }
        w->bodies[p->body[side]].pressed += p->terms->pressed;
        w->virial[p->body[side]] = m3_add(w->virial[p->body[side]], p->terms->virial[side]);
    }
    memcpy(cross, p->terms->cross, sizeof cross);
    if (curved) {
        add_block(cross, p->terms->curvature, 0, COLUMNS);
    }
    add_cross(w, isle, p->edge, p->body[0], p->body[1], cross);
}

static void forces_slice(void *context, size_t begin, size_t end)
{
    const pair_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->near[k]];
        if (has_terms(p)) {
            find_forces(task->w, p);
        }
    }
}

void contacts_add_forces(barrier_work *w, island *isle)
{
    pair_task task = { w, isle };
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, PAIR_GRAIN, forces_slice, &task);
    for (int k = 0; k < isle->near_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->near[k]];
        for (int side = 0; has_terms(p) && side < 2; ++side) {
            double *g = gradient_of(w, isle, p->body[side]);
            for (int i = 0; g && i < COLUMNS; ++i) {
                g[i] += p->terms->gradient[side][i];
            }
        }
    }
}

static double m3_size(m3 a)
{
    double sum = 0.0;
    for (int k = 0; k < 9; ++k) {
        sum += a.m[k] * a.m[k];
    }
    return sqrt(sum);
}

/* No eigenvalue is larger: their mean, and what they can be off it. Axes do not matter. */
static double largest_bound(m3 K)
{
    double mean = m3_trace(K) / 3.0;
    m3 off = m3_add(K, m3_scale(-mean, m3_identity()));
    return mean + sqrt(2.0 / 3.0) * m3_size(off);
}

/* What is positive of K. */
static m3 positive_turns(m3 K)
{
    double values[3];
    m3 vectors;
    m3 sum = { { 0.0 } };
    m3_eigen_symmetric(K, values, &vectors);
    for (int n = 0; n < 3; ++n) {
        v3 u = m3_column(vectors, n);
        for (int i = 0; values[n] > 0.0 && i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                sum.m[3 * i + k] += values[n] * v3_get(u, i) * v3_get(u, k);
            }
        }
    }
    return sum;
}

/* Second order of the turns against the forces on a body: K = (sum F . r) 1 - sym(sum F r'), all of it or its positive part. */
static void add_geometric(const moving_body *b, double *H, m3 virial, bool whole)
{
    static const double NEGLIGIBLE = 1e-3; /* of the least inertia against turns: costs no iteration */
    m3 K;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            K.m[3 * i + k] = (i == k ? m3_trace(virial) : 0.0) - 0.5 * (virial.m[3 * i + k] + virial.m[3 * k + i]);
        }
    }
    if (m3_size(K) == 0.0 || (!whole && largest_bound(K) <= NEGLIGIBLE * b->inertia_per * b->least_moment)) {
        return;
    }
    K = whole ? K : positive_turns(K);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            H[COLUMNS * (3 + i) + 3 + k] += K.m[3 * i + k];
        }
    }
}

static void geometric_slice(void *context, size_t begin, size_t end)
{
    const pair_task *task = context;
    const island *isle = task->isle;
    for (size_t k = begin; k < end; ++k) {
        int body = isle->bodies[k];
        double *H = diagonal_of(task->w, task->isle, body);
        if (H) {
            add_geometric(&task->w->bodies[body], H, task->w->virial[body], isle->curvature == CURVATURE_WHOLE);
        }
    }
}

void contacts_add(barrier_work *w, island *isle)
{
    pair_task task = { w, isle };
    for (int k = 0; k < isle->body_count; ++k) {
        w->virial[isle->bodies[k]] = (m3){ { 0.0 } };
        w->bodies[isle->bodies[k]].pressed = w->bodies[isle->bodies[k]].twisted = 0.0;
    }
    carom_parallel_uneven(isle->threads, (size_t)isle->near_count, PAIR_GRAIN, terms_slice, &task);
    for (int k = 0; k < isle->near_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->near[k]];
        if (has_terms(p)) {
            gather(w, isle, p);
        }
    }
    if (isle->curvature == CURVATURE_NONE) {
        joints_add_virial(w, isle);
    } else {
        joints_add_curvature(w, isle);
    }
    carom_parallel_uneven(isle->threads, (size_t)isle->body_count, PAIR_GRAIN, geometric_slice, &task);
}
