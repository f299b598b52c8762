/* Barriers between near features.
 *
 * With x = gap / range < 1 a contact stores b = -kappa range^2 (x - 1)^2 ln x [Li2020], here of the gap itself, so that
 * -db/dgap is its force in newtons. The Hessian keeps b'' (J'n)(J'n)' of each contact, summed per pair of surfaces in the
 * relative twist, and the geometric stiffness of each body, made positive. */
#include "methods/barrier/barrier_work.h"

#include <string.h>

#include "base/array.h"

static void barrier_law(barrier_contact *c, double range, double kappa)
{
    double x = c->gap / range;
    double l = log(x);
    double y = x - 1.0;
    c->value = -kappa * range * range * y * y * l;
    c->first = -kappa * range * (2.0 * y * l + y * y / x);
    c->second = -kappa * (2.0 * l + 4.0 * y / x - y * y / (x * x));
}

static edge_mollifier parallel_of(const barrier_pair *p, const surface_pair *now, const feature_pair *f, m3 R_w)
{
    edge_mollifier none = { .value = 1.0 };
    if (f->kind[0] != SURFACE_EDGE || f->kind[1] != SURFACE_EDGE) {
        return none;
    }
    v3 x[2], y[2];
    for (int k = 0; k < 2; ++k) {
        x[k] = m3_mulv(now->R, now->a->vertices[now->a->edges[f->index[0]][k]]);
        y[k] = now->b->vertices[now->b->edges[f->index[1]][k]];
    }
    edge_mollifier m = edge_mollifier_of(x, y, p->range);
    m.turn = m3_mulv(R_w, m.turn);
    return m;
}

static bool add_contact(barrier_work *w, const barrier_contact *c)
{
    size_t count = (size_t)w->contact_count + 1;
    barrier_contact *larger = carom_array_grow(w->contacts, &w->contact_capacity, count, sizeof *larger);
    if (larger) {
        w->contacts = larger;
        w->contacts[w->contact_count++] = *c;
    }
    return larger != NULL;
}

/* The contact of an item of a pair's list; false when it is none. `gap` may be negative. */
static bool contact_of(const barrier_work *w, int pair, int item, const surface_pair *now, const surface_place places[2],
                       double distance, const feature_distance *d, barrier_contact *out)
{
    const barrier_pair *p = &w->pairs[pair];
    m3 R_w = places[1].R_w;
    *out = (barrier_contact){ .pair = pair, .item = item, .distance = d->distance };
    out->gap = distance - w->options->separation;
    out->normal = m3_mulv(R_w, d->normal);
    for (int side = 0; side < 2; ++side) {
        v3 point = v3_add(places[1].x_w, m3_mulv(R_w, d->point[side]));
        out->arm[side] = v3_sub(point, w->bodies[p->body[side]].at.x_w);
    }
    out->parallel = parallel_of(p, now, &p->list.items[item].pair, R_w);
    return out->parallel.value > 0.0;
}

static double evaluate_pair(barrier_work *w, int pair)
{
    barrier_pair *p = &w->pairs[pair];
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    double reach = p->range + w->options->separation;
    double energy = 0.0;
    p->contact_count = 0;
    if (!pair_follow(w, p, &now)) {
        w->failure = CAROM_NO_MEMORY;
        return HUGE_VAL;
    }
    for (size_t k = 0; k < p->list.count; ++k) {
        barrier_contact c;
        if (p->keys[k] - p->path > reach) {
            continue;
        }
        const feature_pair *f = &p->list.items[k].pair;
        feature_distance d = surface_pair_distance(&now, f);
        double distance = d.distance - feature_pair_rounding(now.a, now.b, f);
        ++w->counts.distances;
        p->keys[k] = distance + p->path;
        if (distance >= reach || !contact_of(w, pair, (int)k, &now, places, distance, &d, &c)) {
            continue;
        }
        if (!(c.gap > 0.0)) {
            return HUGE_VAL;
        }
        barrier_law(&c, p->range, p->kappa);
        energy += c.parallel.value * c.value;
        if (!add_contact(w, &c)) {
            w->failure = CAROM_NO_MEMORY;
            return HUGE_VAL;
        }
        ++p->contact_count;
    }
    return energy;
}

double contacts_evaluate(barrier_work *w)
{
    double energy = 0.0;
    w->contact_count = 0;
    if (!pairs_find(w)) {
        w->failure = CAROM_NO_MEMORY;
        return HUGE_VAL;
    }
    for (int k = 0; k < w->pair_count; ++k) {
        energy += evaluate_pair(w, k);
    }
    return energy;
}

double contacts_least_gap(const barrier_work *w)
{
    double least = HUGE_VAL;
    for (int k = 0; k < w->contact_count; ++k) {
        least = fmin(least, w->contacts[k].gap);
    }
    return least;
}

/* ---- gradient and Hessian ------------------------------------------------------------------------------------------------ */

static void add_rank_one(double *H, double factor, const double *a)
{
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            H[COLUMNS * i + k] += factor * a[i] * a[k];
        }
    }
}

static void add_to_gradient(barrier_work *w, int body, v3 force, v3 torque)
{
    double *g = gradient_of(w, body);
    if (g) {
        g[0] += force.x;
        g[1] += force.y;
        g[2] += force.z;
        g[3] += torque.x;
        g[4] += torque.y;
        g[5] += torque.z;
    }
}

/* The 2x2 matrix [[m b'', m' b'], [m' b', m'' b]] over (gradient of the gap, gradient of |a x b|^2), its positive part. */
static void add_nearly_parallel(double *H, const barrier_contact *c, const double *gap_row)
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
        if (!(values[k] > 0.0)) {
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

static void add_contact_terms(barrier_work *w, const barrier_contact *c)
{
    barrier_pair *p = &w->pairs[c->pair];
    double m = c->parallel.value;
    v3 force = v3_scale(m * c->first, c->normal);
    v3 turn = m < 1.0 ? v3_scale(c->parallel.first * c->value, c->parallel.turn) : v3_zero();
    add_to_gradient(w, p->body[0], force, v3_add(v3_cross(c->arm[0], force), turn));
    add_to_gradient(w, p->body[1], v3_neg(force), v3_neg(v3_add(v3_cross(c->arm[1], force), turn)));
    v3 lever = v3_cross(c->arm[0], c->normal);
    double row[COLUMNS] = { c->normal.x, c->normal.y, c->normal.z, lever.x, lever.y, lever.z };
    if (m < 1.0) {
        add_nearly_parallel(p->H, c, row);
    } else {
        add_rank_one(p->H, c->second, row);
    }
}

/* Twist of B at the centre of A: v + w x c = X (v, w). */
static void shifted(const double *H, v3 c, double *HX, double *XHX)
{
    double X[COLUMNS * COLUMNS] = { 0.0 };
    for (int k = 0; k < COLUMNS; ++k) {
        X[(COLUMNS + 1) * k] = 1.0;
    }
    X[4] = c.z;
    X[5] = -c.y;
    X[9] = -c.z;
    X[11] = c.x;
    X[15] = c.y;
    X[16] = -c.x;
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            double sum = 0.0;
            for (int l = 0; l < COLUMNS; ++l) {
                sum += H[COLUMNS * i + l] * X[COLUMNS * l + k];
            }
            HX[COLUMNS * i + k] = sum;
        }
    }
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            double sum = 0.0;
            for (int l = 0; l < COLUMNS; ++l) {
                sum += X[COLUMNS * l + i] * HX[COLUMNS * l + k];
            }
            XHX[COLUMNS * i + k] = sum;
        }
    }
}

static void add_block(double *to, const double *block, double factor)
{
    for (int k = 0; to && k < COLUMNS * COLUMNS; ++k) {
        to[k] += factor * block[k];
    }
}

/* A body whose twist is given adds what its motion does to the gradient of the other. */
static void add_given(barrier_work *w, int body, int given, const double *H, bool turned)
{
    double *g = gradient_of(w, body);
    const twist *d = &w->bodies[given].d;
    double x[COLUMNS] = { d->v.x, d->v.y, d->v.z, d->w.x, d->w.y, d->w.z };
    if (!g || !(w->bodies[given].way > 0.0)) {
        return;
    }
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            g[i] += (turned ? H[COLUMNS * k + i] : H[COLUMNS * i + k]) * x[k];
        }
    }
}

static void add_pair_blocks(barrier_work *w, barrier_pair *p)
{
    double HX[COLUMNS * COLUMNS], XHX[COLUMNS * COLUMNS], minus[COLUMNS * COLUMNS];
    int a = p->body[0];
    int b = p->body[1];
    shifted(p->H, v3_sub(w->bodies[a].at.x_w, w->bodies[b].at.x_w), HX, XHX);
    for (int k = 0; k < COLUMNS * COLUMNS; ++k) {
        minus[k] = -HX[k];
    }
    add_block(diagonal_of(w, a), p->H, 1.0);
    add_block(diagonal_of(w, b), XHX, 1.0);
    if (p->edge >= 0) { /* rows of the lower node */
        double *E = block_system_edge(w->system, p->edge);
        for (int i = 0; i < COLUMNS; ++i) {
            for (int k = 0; k < COLUMNS; ++k) {
                E[COLUMNS * i + k] += w->bodies[a].node < w->bodies[b].node ? minus[COLUMNS * i + k] : minus[COLUMNS * k + i];
            }
        }
    } else {
        add_given(w, a, b, minus, false);
        add_given(w, b, a, minus, true);
    }
}

/* Second order of the turns against the forces on a body: K = (sum F . r) 1 - sym(sum F r'), its positive part. */
static void add_geometric(barrier_work *w, int body, m3 virial)
{
    double *H = diagonal_of(w, body);
    double values[3];
    m3 vectors;
    m3 K;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            K.m[3 * i + k] = (i == k ? m3_trace(virial) : 0.0) - 0.5 * (virial.m[3 * i + k] + virial.m[3 * k + i]);
        }
    }
    m3_eigen_symmetric(K, values, &vectors);
    for (int n = 0; H && n < 3; ++n) {
        v3 u = m3_column(vectors, n);
        for (int i = 0; values[n] > 0.0 && i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                H[COLUMNS * (3 + i) + 3 + k] += values[n] * v3_get(u, i) * v3_get(u, k);
            }
        }
    }
}

static void add_all_geometric(barrier_work *w)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        w->virial[i] = (m3){ { 0.0 } };
    }
    for (int k = 0; k < w->contact_count; ++k) {
        const barrier_contact *c = &w->contacts[k];
        v3 force = v3_scale(-c->parallel.value * c->first, c->normal);
        for (int side = 0; side < 2; ++side) {
            m3 *virial = &w->virial[w->pairs[c->pair].body[side]];
            *virial = m3_add(*virial, m3_outer(side == 0 ? force : v3_neg(force), c->arm[side]));
        }
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        if (w->bodies[i].node >= 0) {
            add_geometric(w, i, w->virial[i]);
        }
    }
}

void contacts_add(barrier_work *w)
{
    for (int k = 0; k < w->pair_count; ++k) {
        memset(w->pairs[k].H, 0, sizeof w->pairs[k].H);
    }
    for (int k = 0; k < w->contact_count; ++k) {
        add_contact_terms(w, &w->contacts[k]);
    }
    for (int k = 0; k < w->pair_count; ++k) {
        if (w->pairs[k].contact_count > 0) {
            add_pair_blocks(w, &w->pairs[k]);
        }
    }
    add_all_geometric(w);
}
