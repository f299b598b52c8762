/* Redundant contacts: forces that statics leaves open are shared so that all can bear them.
 *
 * The unknown forces x of least norm may pull at one corner of a box, or leave the friction cone there, while others with
 * the same accelerations, x + Z z with Z the null vectors of the matrix, do neither. With the slack of a contact,
 *   slack = N - |friction| / mu  (N alone where nothing sticks),
 * the largest s is looked for such that no slack is below s: a convex problem of second-order cones, solved by following
 * its central path [Boyd & Vandenberghe, 11.3], minimising
 *   -kappa s + |z|^2 / 2 - sum log((N - s)^2 - |friction|^2 / mu^2) - log(ENOUGH - s)
 * by Newton's method for growing kappa. The forces handed out lie between those of least norm and these, only as far from
 * the former as is needed. Where s < 0, no forces can bear it: that is where a body gives way, not where its first corner
 * does. Everything in units of the largest force. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "linalg/dense.h"
#include "nonsmooth/rest_work.h"

static const double NONE = 1e-12;  /* slack that is missing by rounding only */
static const double ENOUGH = 2e-3; /* slack that is not exceeded: contacts that are wedged could press without end */

typedef struct sharing {
    rest_work *w;
    int n, free; /* unknowns; null vectors */
    int count;   /* bearings */
    rest_bearing *list;
    struct carom_stop *stop;
    const double *Z; /* n x free */
    double *least;   /* n: of least norm, in units of the largest force */
    double *x;       /* n */
    double *y;       /* free + 1: z and s */
    double *trial;
    double *gradient, *hessian, *row;
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
            b.constant = rest_group_load(p, el, w->carried) / unit;
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
        sum = hypot(sum, x[b->first + d]);
    }
    return b->dim > 0 ? sum / b->mu : 0.0;
}

static double least_slack(const sharing *s, const double *x)
{
    double least = HUGE_VAL;
    for (int k = 0; k < s->count; ++k) {
        least = fmin(least, normal_of(&s->list[k], x) - friction_of(&s->list[k], x));
    }
    return least;
}

/* x = least + Z z. */
static void move_to(const sharing *s, const double *y, double *x)
{
    for (int i = 0; i < s->n; ++i) {
        x[i] = s->least[i];
        for (int j = 0; j < s->free; ++j) {
            x[i] += s->Z[i * s->free + j] * y[j];
        }
    }
}

/* ---- the central path ---------------------------------------------------------------------------------------------- */

/* The function that is minimised; infinite outside. */
static double potential(const sharing *s, double kappa, const double *y)
{
    double level = y[s->free];
    double sum = -kappa * level;
    if (!(ENOUGH > level)) {
        return HUGE_VAL;
    }
    sum -= log(ENOUGH - level);
    for (int j = 0; j < s->free; ++j) {
        sum += 0.5 * y[j] * y[j];
    }
    move_to(s, y, s->x);
    for (int k = 0; k < s->count; ++k) {
        double above = normal_of(&s->list[k], s->x) - level;
        double friction = friction_of(&s->list[k], s->x);
        if (!(above > friction)) {
            return HUGE_VAL;
        }
        sum -= s->list[k].dim > 0 ? log((above - friction) * (above + friction)) : log(above);
    }
    return sum;
}

/* gradient += first r, hessian += second r r^T for a direction r of y. */
static void add_direction(sharing *s, double first, double second, const double *r)
{
    int m = s->free + 1;
    for (int i = 0; i < m; ++i) {
        double scaled = second * r[i];
        s->gradient[i] += first * r[i];
        for (int j = 0; j < m; ++j) {
            s->hessian[i * m + j] += scaled * r[j];
        }
    }
}

static const double *null_row(const sharing *s, int unknown)
{
    return s->Z + (size_t)unknown * (size_t)s->free;
}

/* N - s as a function of y: its gradient. */
static double *normal_row(sharing *s, const rest_bearing *b)
{
    double *row = s->row;
    for (int j = 0; j < s->free; ++j) {
        row[j] = b->normal >= 0 ? null_row(s, b->normal)[j] : 0.0;
    }
    row[s->free] = -1.0;
    return row;
}

/* -log h with h = a^2 - |b|^2: second derivatives are 4 (a, -b) (a, -b)^T / h^2 + diag(-2, 2 ..) / h. */
static void add_cone(sharing *s, const rest_bearing *b, double level)
{
    int m = s->free + 1;
    double a = normal_of(b, s->x) - level;
    double friction = friction_of(b, s->x);
    double h = (a - friction) * (a + friction);
    double *mixed = s->row + m;
    double *slip = mixed + m;
    const double *row = normal_row(s, b);
    for (int j = 0; j < m; ++j) {
        mixed[j] = a * row[j];
    }
    add_direction(s, 0.0, -2.0 / h, row);
    for (int d = 0; d < b->dim; ++d) {
        double t = s->x[b->first + d] / b->mu;
        for (int j = 0; j < s->free; ++j) {
            slip[j] = null_row(s, b->first + d)[j] / b->mu;
            mixed[j] -= t * slip[j];
        }
        slip[s->free] = 0.0;
        add_direction(s, 0.0, 2.0 / h, slip);
    }
    add_direction(s, -2.0 / h, 4.0 / (h * h), mixed);
}

static void differentiate(sharing *s, double kappa)
{
    int m = s->free + 1;
    double level = s->y[s->free];
    memset(s->gradient, 0, sizeof(double) * (size_t)m);
    memset(s->hessian, 0, sizeof(double) * (size_t)m * (size_t)m);
    move_to(s, s->y, s->x);
    for (int j = 0; j < s->free; ++j) {
        s->gradient[j] = s->y[j];
        s->hessian[j * m + j] = 1.0;
    }
    s->gradient[s->free] = -kappa + 1.0 / (ENOUGH - level);
    s->hessian[s->free * m + s->free] = 1.0 / ((ENOUGH - level) * (ENOUGH - level));
    for (int k = 0; k < s->count; ++k) {
        const rest_bearing *b = &s->list[k];
        if (b->dim > 0) {
            add_cone(s, b, level);
        } else {
            double above = normal_of(b, s->x) - level;
            add_direction(s, -1.0 / above, 1.0 / (above * above), normal_row(s, b));
        }
    }
}

/* Newton's step into s->gradient, by Cholesky's decomposition; returns the squared decrement, or -1 where rounding has made
 * the matrix indefinite: no more accuracy is to be had. */
static double newton_step(sharing *s)
{
    int m = s->free + 1;
    if (dense_cholesky(s->hessian, m, NULL) < m) {
        return -1.0;
    }
    double decrement = 0.0;
    dense_cholesky_forward(s->hessian, s->gradient, m);
    for (int i = 0; i < m; ++i) {
        decrement += s->gradient[i] * s->gradient[i];
    }
    dense_cholesky_backward(s->hessian, s->gradient, m);
    return decrement;
}

/* Minimises for one kappa; false when rounding ends it. */
static bool centre(sharing *s, double kappa)
{
    enum { NEWTON_LIMIT = 40 };
    int m = s->free + 1;
    for (int step = 0; step < NEWTON_LIMIT && !carom_stop_asked(s->stop); ++step) {
        differentiate(s, kappa);
        double decrement = newton_step(s);
        if (!(decrement > 1e-8)) { /* quadratic from here: the next step would be exact */
            return decrement >= 0.0;
        }
        double here = potential(s, kappa, s->y);
        double length = 1.0;
        double there = HUGE_VAL;
        for (int k = 0; k < 60 && !(there <= here - 0.1 * length * decrement); ++k) {
            length = k > 0 ? 0.5 * length : 1.0;
            for (int i = 0; i < m; ++i) {
                s->trial[i] = s->y[i] - length * s->gradient[i];
            }
            there = potential(s, kappa, s->trial);
        }
        if (!(there < here)) {
            return false;
        }
        memcpy(s->y, s->trial, sizeof(double) * (size_t)m);
    }
    return true;
}

/* The level at the end of the path lacks count / kappa to the best. Where it is clearly positive an earlier end will do. */
static void follow_path(sharing *s)
{
    const double clear = 1e-4;
    s->y[s->free] = least_slack(s, s->least) - 1.0;
    for (double kappa = 1.0; kappa <= 1e11; kappa *= 10.0) {
        if (carom_stop_seen(s->stop) || !centre(s, kappa) || (kappa >= 1e6 && s->y[s->free] > clear)) {
            return;
        }
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

/* From least norm towards the centre until no slack is missing. */
static void go_only_as_far(const sharing *s)
{
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 50; ++i) {
        double middle = 0.5 * (low + high);
        for (int k = 0; k <= s->free; ++k) {
            s->trial[k] = middle * s->y[k];
        }
        move_to(s, s->trial, s->x);
        *(least_slack(s, s->x) >= 0.0 ? &high : &low) = middle;
    }
    for (int k = 0; k <= s->free; ++k) {
        s->trial[k] = high * s->y[k];
    }
    move_to(s, s->trial, s->x);
}

static sharing make_sharing(rest_work *w, int rank)
{
    size_t n = (size_t)w->active_count;
    size_t m = n + 1;
    double *room = w->share;
    sharing s = { .w = w, .n = w->active_count, .free = w->active_count - rank, .list = w->bearings, .Z = room };
    s.least = room + n * n;
    s.x = s.least + n;
    s.y = s.x + n;
    s.trial = s.y + m;
    s.gradient = s.trial + m;
    s.row = s.gradient + m;
    s.hessian = s.row + 3 * m;
    memset(s.y, 0, sizeof(double) * m);
    return s;
}

size_t rest_share_room(int rows)
{
    size_t m = (size_t)rows + 1;
    return 2 * m * m + 8 * m;
}

static void find_null_vectors(const sharing *s, int rank, double *Z)
{
    for (int j = 0; j < s->free; ++j) {
        dense_null_vector(s->w->matrix, s->n, rank, j, s->w->scratch, s->x);
        for (int i = 0; i < s->n; ++i) {
            Z[i * s->free + j] = s->x[i];
        }
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
        s.least[i] = x[i] / unit;
    }
    list_bearings(&s, p, a, unit);
    if (s.count == 0 || least_slack(&s, s.least) >= -NONE) {
        return;
    }
    find_null_vectors(&s, rank, w->share);
    follow_path(&s);
    double level = s.y[s.free];
    if (level > 0.0) {
        go_only_as_far(&s);
    } else {
        move_to(&s, s.y, s.x);
    }
    for (int i = 0; i < s.n; ++i) {
        x[i] = unit * s.x[i];
    }
}
