/* Barriers between near features.
 *
 * With x = gap / range < 1 a contact stores b = -kappa range^2 (x - 1)^2 ln x [Li2020], here of the gap itself, so that
 * -db/dgap is its force in newtons. The Hessian keeps b'' (J'n)(J'n)' of each contact, summed per pair of surfaces in the
 * relative twist, and the geometric stiffness of each body, made positive. */
#include "methods/barrier/barrier_work.h"

#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "elements/forces/semidefinite.h"

barrier_law barrier_at(double gap, double range, double kappa)
{
    double x = gap / range;
    double l = log(x);
    double y = x - 1.0;
    return (barrier_law){ .value = -kappa * range * range * y * y * l,
                          .first = -kappa * range * (2.0 * y * l + y * y / x),
                          .second = -kappa * (2.0 * l + 4.0 * y / x - y * y / (x * x)) };
}

/* ---- contacts of a pair ----------------------------------------------------------------------------------------------------- */

static edge_mollifier parallel_of(const barrier_pair *p, const surface_pair *now, const feature_pair *f, m3 R_w)
{
    edge_mollifier m = surface_pair_mollifier(now, f, p->range);
    if (m.value < 1.0) {
        m.turn = m3_mulv(R_w, m.turn);
        m.edge[0] = m3_mulv(R_w, m.edge[0]);
        m.edge[1] = m3_mulv(R_w, m.edge[1]);
    }
    return m;
}

/* ---- equal contacts --------------------------------------------------------------------------------------------------------- */

/* Neighbouring features share vertices and edges, and where one of those is the closest they find it again: a corner on a corner
 * comes up some twenty times. Equal contacts become one, of as many times the stiffness: the sum stays what it is.
 *
 * A contact with a vertex on one side at least is known by where the vertex is, to the last digit, as all features compute it the
 * same way; the point of an edge on the other side is the same up to rounding. */
typedef struct contact_key {
    v3 vertex; /* [m] in the axes of B */
    int side;  /* whose vertex: 0 A's, 1 B's; -1: none, there is no equal */
} contact_key;

static contact_key key_of(const feature_distance *d)
{
    contact_key none = { .side = -1 };
    if (d->slides > 1) {
        return none;
    }
    int side = d->slides == 1 && d->owner[0] == 0 ? 1 : 0;
    return (contact_key){ d->point[side], side };
}

static size_t slot_of(const contact_key *key, size_t mask)
{
    uint64_t word[3];
    memcpy(word, &key->vertex, sizeof word);
    uint64_t hash = (word[0] * 0x9e3779b97f4a7c15u) ^ (word[1] * 0xc2b2ae3d27d4eb4fu) ^
                    (word[2] * 0x165667b19e3779f9u);
    return (size_t)(hash >> 40) & mask;
}

static bool same_point(v3 a, v3 b)
{
    static const double ROUNDING = 1e-12; /* of the sizes: points of one edge by different roads */
    return v3_norm2(v3_sub(a, b)) <= ROUNDING * ROUNDING * (v3_norm2(a) + v3_norm2(b));
}

static bool same_contact(const barrier_contact *a, const barrier_contact *b)
{
    return a->key_side == b->key_side && a->slides == b->slides &&
           memcmp(&a->own[a->key_side], &b->own[a->key_side], sizeof a->own[0]) == 0 &&
           same_point(a->own[1 - a->key_side], b->own[1 - a->key_side]);
}

/* The table has room for twice the list. Entries are numbers of contacts + 1 of the present evaluation. */
static bool clear_table(barrier_pair *p)
{
    size_t size = 16;
    while (size < 2 * p->list.count) {
        size *= 2;
    }
    if (!CAROM_ARRAY_RESERVE(p->table, p->table_capacity, size)) {
        return false;
    }
    memset(p->table, 0, size * sizeof *p->table);
    p->table_mask = size - 1;
    return true;
}

/* The equal of a contact, or the free place in the table where it belongs. */
static barrier_contact *find_equal(const barrier_pair *p, const barrier_contact *c, const contact_key *key,
                                   int **place)
{
    size_t slot = slot_of(key, p->table_mask);
    for (; p->table[slot] > 0; slot = (slot + 1) & p->table_mask) {
        barrier_contact *other = &p->contacts[p->table[slot] - 1];
        if (same_contact(other, c)) {
            return other;
        }
    }
    *place = &p->table[slot];
    return NULL;
}

/* Where it is, in world axes. */
static void place_contact(const barrier_work *w, const barrier_pair *p, const surface_place *b,
                          const feature_distance *d, barrier_contact *c)
{
    c->normal = m3_mulv(b->R_w, d->normal);
    for (int side = 0; side < 2; ++side) {
        v3 point = v3_add(b->x_w, m3_mulv(b->R_w, d->point[side]));
        c->arm[side] = v3_sub(point, w->bodies[p->body[side]].at.x_w);
    }
}

v3 surface_arm(const barrier_contact *c, int side)
{
    return v3_axpy(c->arm[side], side == 0 ? -c->rounding[0] : c->rounding[1], c->normal);
}

/* Takes a contact, or counts it with its equal. */
static bool push_contact(const barrier_work *w, barrier_pair *p, const surface_place *b, const feature_distance *d,
                         barrier_contact *c)
{
    contact_key key = key_of(d);
    int *place = NULL;
    c->times = 1;
    if (key.side >= 0 && c->parallel.value == 1.0) {
        c->key_side = key.side;
        c->slides = d->slides;
        c->own[0] = d->point[0];
        c->own[1] = d->point[1];
        barrier_contact *equal = find_equal(p, c, &key, &place);
        if (equal) {
            ++equal->times;
            return true;
        }
    }
    if (!CAROM_ARRAY_RESERVE(p->contacts, p->contact_capacity, (size_t)p->contact_count + 1)) {
        return false;
    }
    place_contact(w, p, b, d, c);
    p->contacts[p->contact_count++] = *c;
    if (place) {
        *place = p->contact_count;
    }
    return true;
}

/* Which features are within range, and where. */
static void find_contacts(const barrier_work *w, barrier_pair *p)
{
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    double reach = p->range + p->separation;
    p->contact_count = 0;
    p->shut = false;
    p->no_memory = !pair_follow(p, &now) || (p->list.count > 0 && !clear_table(p));
    size_t count = p->kappa > 0.0 ? p->list.count : 0; /* two motions that are given: in nobody's balance */
    for (size_t k = 0; !p->no_memory && !p->shut && k < count; ++k) {
        const feature_pair *f = &p->list.items[k].pair;
        barrier_contact c = { .item = (int)k };
        if (p->keys[k] - p->path > reach) {
            continue;
        }
        feature_distance d = surface_pair_distance(&now, f);
        c.rounding[0] = surface_rounding(now.a, f->kind[0], f->index[0]);
        c.rounding[1] = surface_rounding(now.b, f->kind[1], f->index[1]);
        double distance = d.distance - c.rounding[0] - c.rounding[1];
        ++p->distances;
        p->keys[k] = distance + p->path;
        if (distance >= reach) {
            continue;
        }
        c.gap = distance - p->separation;
        c.parallel = parallel_of(p, &now, f, places[1].R_w);
        p->shut = !(c.gap > 0.0);
        if (!p->shut && c.parallel.value > 0.0) {
            p->no_memory = !push_contact(w, p, &places[1], &d, &c);
        }
    }
}

static bool stands_still(const barrier_work *w, barrier_pair *p)
{
    bool still = p->known;
    for (int side = 0; side < 2; ++side) {
        const body_pose *at = &w->bodies[p->body[side]].at;
        still = still && memcmp(&p->known_at[side], at, sizeof *at) == 0;
        p->known_at[side] = *at;
    }
    return still;
}

/* Contacts where bodies have not moved since the last time are the same; their forces follow the stiffness. */
void contacts_evaluate_pair(barrier_work *w, barrier_pair *p)
{
    if (!stands_still(w, p)) {
        find_contacts(w, p);
    }
    p->known = !p->no_memory && p->kappa > 0.0;
    p->energy = p->shut ? HUGE_VAL : 0.0;
    for (int k = 0; !p->shut && k < p->contact_count; ++k) {
        barrier_contact *c = &p->contacts[k];
        barrier_law law = barrier_at(c->gap, p->range, p->kappa);
        c->value = c->times * law.value;
        c->first = c->times * law.first;
        c->second = c->times * law.second;
        p->energy += c->parallel.value * c->value;
    }
}

typedef struct pair_task {
    barrier_work *w;
    const island *isle;
} pair_task;

static void evaluate_slice(void *context, size_t begin, size_t end)
{
    const pair_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->pairs[k]];
        contacts_evaluate_pair(task->w, p);
        p->rubbing = friction_value(task->w, p);
    }
}

double contacts_evaluate(barrier_work *w, island *isle)
{
    enum { GRAIN = 16 };
    pair_task task = { w, isle };
    double energy = 0.0;
    bool no_memory = false;
    carom_parallel_for(isle->threads, (size_t)isle->pair_count, GRAIN, evaluate_slice, &task);
    for (int k = 0; k < isle->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->pairs[k]];
        energy += p->energy + p->rubbing;
        no_memory = no_memory || p->no_memory;
    }
    return no_memory ? (double)NAN : energy;
}

bool contacts_stiffen(barrier_work *w, island *isle)
{
    enum { MOST = 10 };
    static const double SHUT = 0.02; /* of the range */
    bool any = false;
    for (int k = 0; k < isle->pair_count; ++k) {
        barrier_pair *p = &w->pairs[isle->pairs[k]];
        double least = HUGE_VAL;
        for (int c = 0; c < p->contact_count; ++c) {
            least = fmin(least, p->contacts[c].gap);
        }
        if (least < SHUT * p->range && p->raised < MOST) {
            p->kappa *= 2.0;
            ++p->raised;
            ++isle->counts.raised;
            any = true;
        }
    }
    return any;
}

/* ---- gaps that motions close by their curvature ----------------------------------------------------------------------------- */

static const barrier_contact *nearest_of(const barrier_pair *p)
{
    const barrier_contact *nearest = p->contact_count > 0 ? &p->contacts[0] : NULL;
    for (int k = 1; k < p->contact_count; ++k) {
        nearest = p->contacts[k].gap < nearest->gap ? &p->contacts[k] : nearest;
    }
    return nearest;
}

static double rate_of(const barrier_work *w, const barrier_pair *p, const barrier_contact *c)
{
    double rate = 0.0;
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[p->body[side]];
        v3 moved = v3_add(b->d.v, v3_cross(b->d.w, c->arm[side]));
        rate += b->way > 0.0 ? (side == 0 ? 1.0 : -1.0) * v3_dot(c->normal, moved) : 0.0;
    }
    return rate;
}

void contacts_keep_nearest(barrier_work *w, const island *isle)
{
    for (int k = 0; k < isle->pair_count; ++k) {
        barrier_pair *p = &w->pairs[isle->pairs[k]];
        const barrier_contact *c = nearest_of(p);
        p->nearest.any = c != NULL;
        if (c) {
            p->nearest = (near_contact){ true, p->list.items[c->item].pair, c->gap, rate_of(w, p, c) };
        }
    }
}

bool same_features(const feature_pair *a, const feature_pair *b)
{
    return a->kind[0] == b->kind[0] && a->kind[1] == b->kind[1] && a->index[0] == b->index[0] &&
           a->index[1] == b->index[1];
}

bool contacts_bend(const barrier_work *w, const island *isle, double alpha)
{
    static const double LOST = 0.7;     /* of the gap is left at most, */
    static const double FORESEEN = 0.9; /* and this much of it to first order */
    for (int k = 0; k < isle->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->pairs[k]];
        const barrier_contact *c = nearest_of(p);
        const near_contact *from = &p->nearest;
        if (c && from->any && c->gap < LOST * from->gap && from->gap + alpha * from->rate > FORESEEN * from->gap &&
            same_features(&p->list.items[c->item].pair, &from->features)) {
            return true;
        }
    }
    return false;
}

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

/* The 2x2 matrix [[m b'', m' b'], [m' b', m'' b]] over (gradient of the gap, gradient of |a x b|^2): all of it, or its positive
 * part. */
static void add_nearly_parallel(double *H, const barrier_contact *c, const double *gap_row, bool whole)
{
    const edge_mollifier *m = &c->parallel;
    double turn_row[COLUMNS] = { 0, 0, 0, m->turn.x, m->turn.y, m->turn.z };
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
        if (!(values[k] > 0.0) && !whole) {
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

static void add_contact(pair_terms *t, double *H, const barrier_contact *c, bool whole)
{
    double m = c->parallel.value;
    v3 force = v3_scale(m * c->first, c->normal);
    v3 turn = m < 1.0 ? v3_scale(c->parallel.first * c->value, c->parallel.turn) : v3_zero();
    v3 lever = v3_cross(c->arm[0], c->normal);
    double row[COLUMNS] = { c->normal.x, c->normal.y, c->normal.z, lever.x, lever.y, lever.z };
    t->pressed -= m * c->first;
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        add_wrench(t->gradient[side], sign, force, v3_add(v3_cross(c->arm[side], force), turn));
        t->virial[side] = m3_add(t->virial[side], m3_outer(v3_scale(-sign, force), c->arm[side]));
    }
    if (m < 1.0) {
        add_nearly_parallel(H, c, row, whole);
    } else {
        add_rank_one(H, c->second, row);
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

static void carry_to_bodies(const barrier_work *w, barrier_pair *p, const double *H)
{
    double HX[BLOCK], XHX[BLOCK];
    v3 c = v3_sub(w->bodies[p->body[0]].at.x_w, w->bodies[p->body[1]].at.x_w);
    times_shift(H, c, HX);
    shift_times(HX, c, XHX);
    for (int k = 0; k < BLOCK; ++k) {
        p->terms.own[0][k] += H[k];
        p->terms.own[1][k] += XHX[k];
        p->terms.cross[k] -= HX[k];
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

/* Adds the force times the second derivatives of the distance, and what turns of nearly parallel edges do. They hold what the geometric
 * stiffness stands for otherwise. */
static void add_curvature(twist_matrix sum, const barrier_contact *c, feature_distance d, v3 bend, m3 R_w)
{
    twist_matrix H;
    d.normal = c->normal;
    for (int k = 0; k < d.slides; ++k) {
        d.slide[k] = m3_mulv(R_w, d.slide[k]);
    }
    feature_distance_hessian(&d, c->arm, H);
    add_bend(H, m3_mulv(R_w, bend));
    add_times(sum, c->parallel.value * c->first, H);
    if (c->parallel.value < 1.0) {
        edge_mollifier_hessian(&c->parallel, H);
        add_times(sum, c->parallel.first * c->value, H);
    }
}

/* Turns are counted as the ways that they move points of the smaller body, so that eigenvalues can be compared. */
static void scale_turns(twist_matrix sum, double factor)
{
    for (int i = 0; i < TWIST_PAIR; ++i) {
        for (int k = 0; k < TWIST_PAIR; ++k) {
            sum[i][k] *= (i % COLUMNS >= 3 ? factor : 1.0) * (k % COLUMNS >= 3 ? factor : 1.0);
        }
    }
}

void positive_part(twist_matrix sum, double size)
{
    scale_turns(sum, 1.0 / size);
    semidefinite_part(&sum[0][0], TWIST_PAIR, TWIST_PAIR);
    scale_turns(sum, size);
}

/* The curvature of all contacts of a pair; only its positive part where the whole is not wanted. */
static void add_curvatures(const barrier_work *w, barrier_pair *p, bool whole)
{
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    twist_matrix sum = { { 0.0 } };
    for (int k = 0; k < p->contact_count; ++k) {
        const barrier_contact *c = &p->contacts[k];
        const feature_pair *f = &p->list.items[c->item].pair;
        add_curvature(sum, c, surface_pair_distance(&now, f), surface_pair_bend(&now, f), places[1].R_w);
    }
    if (!whole) {
        double size = now.a->half_space   ? now.b->radius
                      : now.b->half_space ? now.a->radius
                                          : fmin(now.a->radius, now.b->radius);
        positive_part(sum, size);
    }
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            p->terms.own[0][COLUMNS * i + k] += sum[i][k];
            p->terms.own[1][COLUMNS * i + k] += sum[COLUMNS + i][COLUMNS + k];
            p->terms.cross[COLUMNS * i + k] += sum[i][COLUMNS + k];
        }
    }
    p->terms.virial[0] = p->terms.virial[1] = (m3){ { 0.0 } };
}

static void find_terms(const barrier_work *w, barrier_pair *p, const island *isle)
{
    double H[BLOCK] = { 0.0 };
    memset(&p->terms, 0, sizeof p->terms);
    for (int k = 0; k < p->contact_count; ++k) {
        add_contact(&p->terms, H, &p->contacts[k], isle->curvature == CURVATURE_WHOLE);
    }
    carry_to_bodies(w, p, H);
    if (isle->curvature != CURVATURE_NONE) {
        add_curvatures(w, p, isle->curvature == CURVATURE_WHOLE);
    }
    friction_add(w, p, isle->backtracked);
}

static bool has_terms(const barrier_pair *p)
{
    return p->contact_count > 0 || p->friction_count > 0;
}

static void terms_slice(void *context, size_t begin, size_t end)
{
    const pair_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        barrier_pair *p = &task->w->pairs[task->isle->pairs[k]];
        if (has_terms(p)) {
            find_terms(task->w, p, task->isle);
        }
    }
}

/* ---- all pairs -------------------------------------------------------------------------------------------------------------- */

static void gather(barrier_work *w, island *isle, const barrier_pair *p)
{
    for (int side = 0; side < 2; ++side) {
        double *g = gradient_of(w, isle, p->body[side]);
        double *H = diagonal_of(w, isle, p->body[side]);
        if (!g) {
            continue; /* its twist is given; it may be in several islands */
        }
        for (int k = 0; k < COLUMNS; ++k) {
            g[k] += p->terms.gradient[side][k];
        }
        for (int k = 0; k < BLOCK; ++k) {
            H[k] += p->terms.own[side][k];
        }
        w->bodies[p->body[side]].pressed += p->terms.pressed;
        w->virial[p->body[side]] = m3_add(w->virial[p->body[side]], p->terms.virial[side]);
    }
    add_cross(w, isle, p->edge, p->body[0], p->body[1], p->terms.cross);
}

static double m3_size(m3 a)
{
    double sum = 0.0;
    for (int k = 0; k < 9; ++k) {
        sum += a.m[k] * a.m[k];
    }
    return sqrt(sum);
}

/* Second order of the turns against the forces on a body: K = (sum F . r) 1 - sym(sum F r'), all of it or its positive part. */
static void add_geometric(double *H, m3 virial, bool whole)
{
    static const double NEGLIGIBLE = 1e-3; /* of the least stiffness against turns: costs no iteration */
    double values[3];
    m3 vectors;
    m3 K;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            K.m[3 * i + k] = (i == k ? m3_trace(virial) : 0.0) - 0.5 * (virial.m[3 * i + k] + virial.m[3 * k + i]);
        }
    }
    if (m3_size(K) == 0.0 ||
        (!whole &&
         m3_size(K) <= NEGLIGIBLE * fmin(H[COLUMNS * 3 + 3], fmin(H[COLUMNS * 4 + 4], H[COLUMNS * 5 + 5])))) {
        return;
    }
    m3_eigen_symmetric(K, values, &vectors);
    for (int n = 0; n < 3; ++n) {
        v3 u = m3_column(vectors, n);
        for (int i = 0; (whole || values[n] > 0.0) && i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                H[COLUMNS * (3 + i) + 3 + k] += values[n] * v3_get(u, i) * v3_get(u, k);
            }
        }
    }
}

void contacts_add(barrier_work *w, island *isle)
{
    enum { GRAIN = 32 };
    pair_task task = { w, isle };
    for (int k = 0; k < isle->body_count; ++k) {
        w->virial[isle->bodies[k]] = (m3){ { 0.0 } };
        w->bodies[isle->bodies[k]].pressed = w->bodies[isle->bodies[k]].twisted = 0.0;
    }
    carom_parallel_for(isle->threads, (size_t)isle->pair_count, GRAIN, terms_slice, &task);
    for (int k = 0; k < isle->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[isle->pairs[k]];
        if (has_terms(p)) {
            gather(w, isle, p);
        }
    }
    if (isle->curvature == CURVATURE_NONE) {
        joints_add_virial(w, isle);
    } else {
        joints_add_curvature(w, isle);
    }
    for (int k = 0; k < isle->body_count; ++k) {
        double *H = diagonal_of(w, isle, isle->bodies[k]);
        if (H) {
            add_geometric(H, w->virial[isle->bodies[k]], isle->curvature == CURVATURE_WHOLE);
        }
    }
}
