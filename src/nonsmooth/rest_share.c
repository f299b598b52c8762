/* Redundant contacts: forces that statics leaves open are shared so that all can bear them.
 *
 * The unknown forces x of least norm may pull at one corner of a box, or leave the friction cone there, while others with the
 * same accelerations, Q x = c with orthonormal rows Q of the matrix, do neither. Handed out are those of least norm among all
 * that lie in the cones K (normal forces not negative, sticking friction at most mu N):
 *
 *     minimise |x|^2 / 2   with  Q x = c,  x in K
 *
 * They are unique, alike for alike contacts, and continuous in c. The solution is the projection of Q' y onto K with the multipliers y
 * that minimise the convex function
 *
 *     phi(y) = |v|^2 / 2 - |v - P_K(v)|^2 / 2 - c y,   v = Q' y,   whose gradient is Q P_K(v) - c
 *
 * by a semismooth Newton method [Qi1993] with a line search, made strictly convex by the proximal term eps |y - y_k|^2 / 2
 * [Rockafellar1976]. There are as many unknowns as the bodies in touch can move in ways, however many contacts there are.
 *
 * Where no forces in K have these accelerations the iterates come to those in K that miss them least, and forces
 * beyond the cones, as near to them as possible, are handed out: the body gives way there, not where its first corner does. Everything is
 * in units of the largest force. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "linalg/dense.h"
#include "nonsmooth/rest_work.h"

static const double NONE = 1e-12; /* slack that is missing by rounding only; accelerations that are missed so */
static const double PROXIMAL =
    1e-7; /* eps: small beside the curvature of phi, which is 1 where no cone bounds; large beside rounding */
static const double GRADIENT = 1e-14; /* a gradient of rounding */

typedef struct sharing {
    rest_work *w;
    int n, rank; /* unknowns; rows of Q */
    int count;   /* bearings, which have every unknown among them */
    rest_bearing *list;
    struct carom_stop *stop;
    double *Q;                                          /* n x rank: its columns, one for each unknown */
    double *c;                                          /* rank */
    double *y, *anchor, *trial, *gradient, *step, *row; /* rank */
    double *v, *x;                                      /* n */
    double *hessian;                                    /* rank x rank */
} sharing;

/* ---- what bears ---------------------------------------------------------------------------------------------------- */

static void list_bearings(sharing *s, const reduced_problem *p, const rest_answer *a, double unit)
{
    const rest_work *w = s->w;
    for (int c = 0; c < p->contact_count; ++c) {
        if (w->column[c] >= 0) {
            s->list[s->count++] = (rest_bearing){ .normal = w->column[c] };
        }
    }
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        if (a->state[e].mode != FRICTION_STICK) {
            continue;
        }
        rest_bearing b = { .normal = -1, .first = w->column[el->first_row], .dim = el->dim, .mu = el->mu };
        if (el->contact >= 0) {
            b.normal = w->column[el->contact];
            s->list[b.normal] = b; /* closed contacts come first among unknowns and bearings alike */
        } else {
            b.constant = joint_loads_norm(p, el, w->loads.component) / unit;
            s->list[s->count++] = b;
        }
    }
}

static double normal_of(const rest_bearing *b, const double *x)
{
    return b->normal >= 0 ? x[b->normal] : b->constant;
}

static double friction_of(const rest_bearing *b, const double *x)
{
    double sum = 0.0;
    for (int d = 0; d < b->dim; ++d) {
        sum += x[b->first + d] * x[b->first + d];
    }
    return sqrt(sum);
}

static bool all_bear(const sharing *s, const double *x)
{
    for (int k = 0; k < s->count; ++k) {
        const rest_bearing *b = &s->list[k];
        double friction = b->dim > 0 ? friction_of(b, x) / b->mu : 0.0;
        if (normal_of(b, x) - friction < -NONE) {
            return false;
        }
    }
    return true;
}

/* ---- projection onto the cones -------------------------------------------------------------------------------------- */

/* A bearing at v: inside its cone, beyond its edge, or opposite to it, where its forces vanish. */
typedef enum bearing_place { INSIDE, EDGE, OPPOSITE } bearing_place;

static bearing_place place_of(const rest_bearing *b, const double *v, double friction)
{
    double N = normal_of(b, v);
    if (friction <= b->mu * N && N >= 0.0) {
        return INSIDE;
    }
    if (b->dim == 0 || (b->normal >= 0 && b->mu * friction <= -N)) {
        return OPPOSITE;
    }
    return EDGE;
}

/* Normal force of the projection of what lies beyond the edge. */
static double edge_normal(const rest_bearing *b, const double *v, double friction)
{
    return b->normal >= 0 ? (v[b->normal] + b->mu * friction) / (1.0 + b->mu * b->mu) : fmax(0.0, b->constant);
}

static void project(const rest_bearing *b, const double *v, double *x)
{
    double friction = friction_of(b, v);
    bearing_place place = place_of(b, v, friction);
    double N = place == EDGE ? edge_normal(b, v, friction) : place == INSIDE ? normal_of(b, v) : 0.0;
    double scale = place == EDGE ? b->mu * N / friction : place == INSIDE ? 1.0 : 0.0;
    if (b->normal >= 0) {
        x[b->normal] = N;
    }
    for (int d = 0; d < b->dim; ++d) {
        x[b->first + d] = scale * v[b->first + d];
    }
}

/* ---- phi ------------------------------------------------------------------------------------------------------------ */

static const double *column_of(const sharing *s, int unknown)
{
    return s->Q + (size_t)unknown * (size_t)s->rank;
}

/* v, x and the gradient at y; returns phi. */
static double potential(sharing *s, const double *y)
{
    for (int i = 0; i < s->n; ++i) {
        s->v[i] = dot(column_of(s, i), y, s->rank);
    }
    for (int k = 0; k < s->count; ++k) {
        project(&s->list[k], s->v, s->x);
    }
    double sum = 0.0;
    for (int j = 0; j < s->rank; ++j) {
        double off = y[j] - s->anchor[j];
        s->gradient[j] = PROXIMAL * off - s->c[j];
        sum += 0.5 * PROXIMAL * off * off - s->c[j] * y[j];
    }
    for (int i = 0; i < s->n; ++i) {
        sum += s->x[i] * (s->v[i] - 0.5 * s->x[i]);
        const double *column = column_of(s, i);
        for (int j = 0; j < s->rank; ++j) {
            s->gradient[j] += s->x[i] * column[j];
        }
    }
    return sum;
}

/* hessian -= weight r r', its lower half. */
static void take_direction(sharing *s, double weight, const double *r)
{
    for (int i = 0; i < s->rank; ++i) {
        double scaled = weight * r[i];
        for (int j = 0; j <= i; ++j) {
            s->hessian[i * s->rank + j] -= scaled * r[j];
        }
    }
}

/* Beyond the edge with t along the friction: what of a change is lost, 1 - P', has the direction (mu, -t) / sqrt(1 + mu^2), and all
 * directions across t in the part 1 - mu N / |v_t|. */
static void take_edge(sharing *s, const rest_bearing *b)
{
    double friction = friction_of(b, s->v);
    double lost = 1.0 - b->mu * edge_normal(b, s->v, friction) / friction;
    double lean = b->normal >= 0 ? b->mu : 0.0;
    double *along = s->row;
    memset(along, 0, sizeof(double) * (size_t)s->rank);
    for (int d = 0; d < b->dim; ++d) {
        const double *column = column_of(s, b->first + d);
        double t = s->v[b->first + d] / friction;
        for (int j = 0; j < s->rank; ++j) {
            along[j] += t * column[j];
        }
        take_direction(s, lost, column);
    }
    take_direction(s, -lost, along);
    for (int j = 0; lean > 0.0 && j < s->rank; ++j) {
        along[j] -= lean * column_of(s, b->normal)[j];
    }
    take_direction(s, 1.0 / (1.0 + lean * lean), along);
}

/* Q P' Q' + eps, from Q Q' = 1. */
static void differentiate(sharing *s)
{
    memset(s->hessian, 0, sizeof(double) * (size_t)s->rank * (size_t)s->rank);
    for (int j = 0; j < s->rank; ++j) {
        s->hessian[j * s->rank + j] = 1.0 + PROXIMAL;
    }
    for (int k = 0; k < s->count; ++k) {
        const rest_bearing *b = &s->list[k];
        bearing_place place = place_of(b, s->v, friction_of(b, s->v));
        if (place == EDGE) {
            take_edge(s, b);
        } else if (place == OPPOSITE) {
            if (b->normal >= 0) {
                take_direction(s, 1.0, column_of(s, b->normal));
            }
            for (int d = 0; d < b->dim; ++d) {
                take_direction(s, 1.0, column_of(s, b->first + d));
            }
        }
    }
}

/* ---- minimising ----------------------------------------------------------------------------------------------------- */

/* Newton's step at the gradient, into s->step; false where rounding has made the matrix indefinite. */
static bool find_step(sharing *s)
{
    differentiate(s);
    if (dense_cholesky(s->hessian, s->rank, NULL) < s->rank) {
        return false;
    }
    memcpy(s->step, s->gradient, sizeof(double) * (size_t)s->rank);
    dense_cholesky_forward(s->hessian, s->step, s->rank);
    dense_cholesky_backward(s->hessian, s->step, s->rank);
    return true;
}

/* As much of the step as lowers phi, or where that is rounding the gradient. False when nothing does. */
static bool take_step(sharing *s, double *phi)
{
    enum { HALVES = 30 };
    const double sufficient = 1e-4;
    double squared = dot(s->gradient, s->gradient, s->rank);
    double descent = dot(s->gradient, s->step, s->rank);
    double length = 1.0;
    for (int k = 0; k < HALVES; ++k, length *= 0.5) {
        for (int j = 0; j < s->rank; ++j) {
            s->trial[j] = s->y[j] - length * s->step[j];
        }
        double there = potential(s, s->trial);
        if (there <= *phi - sufficient * length * descent ||
            dot(s->gradient, s->gradient, s->rank) < 0.25 * squared) {
            memcpy(s->y, s->trial, sizeof(double) * (size_t)s->rank);
            *phi = there;
            return true;
        }
    }
    return false;
}

/* Minimises phi with the proximal term at the anchor. */
static void minimise(sharing *s)
{
    enum { NEWTON_LIMIT = 50 };
    double phi = potential(s, s->y);
    for (int k = 0; k < NEWTON_LIMIT && !carom_stop_asked(s->stop); ++k) {
        if (!(dot(s->gradient, s->gradient, s->rank) > GRADIENT * GRADIENT * (double)s->rank) || !find_step(s) ||
            !take_step(s, &phi)) {
            break;
        }
    }
    potential(s, s->y);
}

/* c - Q x into the gradient; returns its norm. */
static double missing(sharing *s)
{
    for (int j = 0; j < s->rank; ++j) {
        s->gradient[j] = s->c[j];
    }
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < s->rank; ++j) {
            s->gradient[j] -= s->x[i] * column_of(s, i)[j];
        }
    }
    return sqrt(dot(s->gradient, s->gradient, s->rank));
}

/* Anchors follow until the accelerations are met, or are missed by as much as ever: then nothing in the cones has them. */
static void follow_anchors(sharing *s)
{
    enum { ROUNDS = 12 };
    double before = HUGE_VAL;
    for (int k = 0; k < ROUNDS; ++k) {
        memcpy(s->anchor, s->y, sizeof(double) * (size_t)s->rank);
        minimise(s);
        double now = missing(s);
        if (now <= NONE || now > 0.5 * before) {
            return;
        }
        before = now;
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static sharing make_sharing(rest_work *w, int rank)
{
    size_t n = (size_t)w->active_count;
    sharing s = { .w = w, .n = w->active_count, .rank = rank, .list = w->bearings, .Q = w->share };
    double **vectors[] = { &s.c, &s.y, &s.anchor, &s.trial, &s.gradient, &s.step, &s.row, &s.v, &s.x };
    double *room = w->share + n * n;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k, room += n) {
        *vectors[k] = room;
    }
    s.hessian = room;
    return s;
}

size_t rest_share_room(int rows)
{
    enum { VECTORS = 9 };
    size_t n = (size_t)rows;
    return 2 * n * n + VECTORS * n;
}

static void find_rows(const sharing *s)
{
    for (int j = 0; j < s->rank; ++j) {
        const double *row = s->w->row_space + (size_t)j * (size_t)s->n;
        if (!s->w->has_row_space) {
            dense_row_vector(s->w->matrix, s->n, s->rank, j, s->w->scratch, s->x);
            row = s->x;
        }
        for (int i = 0; i < s->n; ++i) {
            s->Q[(size_t)i * (size_t)s->rank + (size_t)j] = row[i];
        }
    }
}

/* c = Q x, and y = c to start from: v is then the force of least norm. */
static void find_accelerations(const sharing *s, const double *x, double unit)
{
    for (int j = 0; j < s->rank; ++j) {
        s->c[j] = 0.0;
        for (int i = 0; i < s->n; ++i) {
            s->c[j] += s->Q[(size_t)i * (size_t)s->rank + (size_t)j] * x[i] / unit;
        }
        s->y[j] = s->c[j];
    }
}

void rest_share(rest_work *w, const reduced_problem *p, const rest_answer *a, int rank, double *x)
{
    sharing s = make_sharing(w, rank);
    s.stop = p->stop;
    double unit = 0.0;
    for (int i = 0; i < s.n; ++i) {
        unit = fmax(unit, fabs(x[i]));
    }
    if (!(unit > 0.0 && isfinite(unit))) {
        return;
    }
    for (int i = 0; i < s.n; ++i) {
        s.v[i] = x[i] / unit;
    }
    list_bearings(&s, p, a, unit);
    if (s.count == 0 || all_bear(&s, s.v)) {
        return;
    }
    find_rows(&s);
    find_accelerations(&s, x, unit);
    follow_anchors(&s);
    missing(&s);
    for (int i = 0; i < s.n; ++i) {
        x[i] = unit * (s.x[i] + dot(column_of(&s, i), s.gradient, s.rank));
    }
}
