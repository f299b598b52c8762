/* Forces of lasting contact by a semismooth Newton method [Alart1991], from none.
 *
 * All conditions as equations, with wanted = force - rho rate, rho the inverse of a row's own response:
 *   normal:               F = max(0, wanted)
 *   element at rest:      f = wanted, brought back into the disc of radius mu N
 *   element that moves:   f = -mu N u
 * N is the normal force of a contact, which is solved for along with the rest, or the load of a joint, which follows from
 * one step to the next.
 * The derivative of each condition is that of the piece on which the present forces lie.
 *
 * Where redundant contacts make the pieces singular it may be stuck. Then every contact is made to give a little, which
 * leaves one answer and takes it away again by and by. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "linalg/dense.h"
#include "nonsmooth/rest_work.h"

typedef struct newton {
    rest_work *w;
    const reduced_problem *p;
    double give;      /* compliance of every row, in units of its own response */
    double *force;    /* row_count */
    double *residual; /* row_count */
    double *J;        /* row_count x row_count */
    double *step, *trial;
} newton;

static double own_response(const reduced_problem *p, const friction_element *el)
{
    double most = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        int row = el->first_row + d;
        most = fmax(most, p->D[(size_t)row * (size_t)p->row_count + (size_t)row]);
    }
    return most > 0.0 ? most : 1.0;
}

static double normal_response(const reduced_problem *p, int contact)
{
    double D = p->D[(size_t)contact * (size_t)p->row_count + (size_t)contact];
    return D > 0.0 ? D : 1.0;
}

static void find_rates(const newton *n, const double *force, double *rate)
{
    for (int k = 0; k < n->p->row_count; ++k) {
        const double *D = n->p->D + (size_t)k * (size_t)n->p->row_count;
        rate[k] = n->p->rate ? n->p->rate[k] : 0.0;
        for (int l = 0; l < n->p->row_count; ++l) {
            rate[k] += D[l] * force[l];
        }
        rate[k] += n->give * D[k] * force[k];
    }
}

double rest_load_at(rest_work *w, const reduced_problem *p, int e, const double *force)
{
    const friction_element *el = &p->elements[e];
    if (el->contact >= 0) {
        return force[el->contact];
    }
    for (int g = 0; g < el->group_count; ++g) {
        const load_group *group = &p->groups[el->first_group + g];
        for (int l = group->first; l < group->first + group->dim; ++l) {
            const double *B = p->B + (size_t)l * (size_t)p->row_count;
            w->loads.lambda[l] = p->load ? p->load[l] : 0.0;
            for (int row = 0; row < p->row_count; ++row) {
                w->loads.lambda[l] += B[row] * force[row];
            }
        }
    }
    return joint_loads_norm(p, el, w->loads.lambda);
}

/* What friction can do at most. */
static double radius_of(const newton *n, int e, const double *force)
{
    return n->p->elements[e].mu * fmax(0.0, rest_load_at(n->w, n->p, e, force));
}

/* Where an element at rest would like its force to be; returns the length. */
static double find_wanted(const newton *n, int e, const double *force, const double *rate, double *wanted)
{
    const friction_element *el = &n->p->elements[e];
    double D = own_response(n->p, el);
    double size = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        wanted[d] = force[el->first_row + d] - rate[el->first_row + d] / D;
        size = hypot(size, wanted[d]);
    }
    return size;
}

static void miss_element(const newton *n, int e, const double *force, const double *rate)
{
    const friction_element *el = &n->p->elements[e];
    double radius = radius_of(n, e, force);
    double wanted[SLIP_DIM];
    double size = find_wanted(n, e, force, rate, wanted);
    double scale = n->w->moving[e] ? 1.0 : size > radius ? radius / size : 1.0;
    for (int d = 0; d < el->dim; ++d) {
        double is = force[el->first_row + d];
        double to = n->w->moving[e] ? -radius * n->w->along[e].direction[d] : scale * wanted[d];
        n->residual[el->first_row + d] = is - to;
    }
}

/* How far all conditions are missed, as forces; the sum of their squares in units of rates. */
static double miss(const newton *n, const double *force)
{
    double *rate = n->w->newton_rate;
    double sum = 0.0;
    find_rates(n, force, rate);
    for (int c = 0; c < n->p->contact_count; ++c) {
        double D = normal_response(n->p, c);
        n->residual[c] = force[c] - fmax(0.0, force[c] - rate[c] / D);
        sum += n->residual[c] * n->residual[c] * D * D;
    }
    for (int e = 0; e < n->p->element_count; ++e) {
        const friction_element *el = &n->p->elements[e];
        double D = own_response(n->p, el);
        miss_element(n, e, force, rate);
        for (int d = 0; d < el->dim; ++d) {
            double r = n->residual[el->first_row + d];
            sum += r * r * D * D;
        }
    }
    return sum;
}

static double *line_of(const newton *n, int row)
{
    return n->J + (size_t)row * (size_t)n->p->row_count;
}

/* How a row responds to a force along another. */
static double response(const newton *n, int row, int l)
{
    double D = n->p->D[(size_t)row * (size_t)n->p->row_count + (size_t)l];
    return l == row ? (1.0 + n->give) * D : D;
}

static void differentiate_contact(newton *n, int c)
{
    double D = normal_response(n->p, c);
    double *line = line_of(n, c);
    if (n->force[c] - n->w->newton_rate[c] / D > 0.0) {
        for (int l = 0; l < n->p->row_count; ++l) {
            line[l] = response(n, c, l) / D;
        }
    } else {
        line[c] = 1.0;
    }
}

/* f + mu N u, or f - radius n with n along wanted: dn = (1 - n n) d wanted / |wanted|. */
static void differentiate_slip(newton *n, int e, double radius, const double *wanted, double size)
{
    const friction_element *el = &n->p->elements[e];
    double D = own_response(n->p, el);
    for (int d = 0; d < el->dim; ++d) {
        double *line = line_of(n, el->first_row + d);
        line[el->first_row + d] += 1.0;
        double direction = n->w->moving[e] ? -n->w->along[e].direction[d] : size > 0.0 ? wanted[d] / size : 0.0;
        if (el->contact >= 0 && n->force[el->contact] > 0.0) {
            line[el->contact] -= el->mu * direction;
        }
        for (int i = 0; !n->w->moving[e] && radius > 0.0 && i < el->dim; ++i) {
            double across = ((i == d ? 1.0 : 0.0) - wanted[d] * wanted[i] / (size * size)) * radius / size;
            for (int l = 0; l < n->p->row_count; ++l) {
                double own = l == el->first_row + i ? 1.0 : 0.0;
                line[l] -= across * (own - response(n, el->first_row + i, l) / D);
            }
        }
    }
}

static void differentiate_element(newton *n, int e)
{
    const friction_element *el = &n->p->elements[e];
    double D = own_response(n->p, el);
    double wanted[SLIP_DIM];
    double radius = radius_of(n, e, n->force);
    double size = find_wanted(n, e, n->force, n->w->newton_rate, wanted);
    if (n->w->moving[e] || size > radius) {
        differentiate_slip(n, e, radius, wanted, size);
        return;
    }
    for (int d = 0; d < el->dim; ++d) {
        for (int l = 0; l < n->p->row_count; ++l) {
            line_of(n, el->first_row + d)[l] = response(n, el->first_row + d, l) / D;
        }
    }
}

/* Newton's step for the residual and rates last found. */
static void find_step(newton *n)
{
    int rows = n->p->row_count;
    memset(n->J, 0, sizeof(double) * (size_t)rows * (size_t)rows);
    for (int c = 0; c < n->p->contact_count; ++c) {
        differentiate_contact(n, c);
    }
    for (int e = 0; e < n->p->element_count; ++e) {
        differentiate_element(n, e);
    }
    memcpy(n->step, n->residual, sizeof(double) * (size_t)rows);
    dense_solve(n->J, n->step, rows, 1e-12, n->w->scratch);
}

/* As much of the step as makes the conditions better; where none does, some of it nevertheless: pieces have corners. */
static double take_step(newton *n, double before)
{
    enum { HALVES = 10 };
    double best = HUGE_VAL;
    double length = 1.0;
    double best_length = 0.0;
    for (int k = 0; k < HALVES && !(best < 0.999 * before); ++k, length *= 0.5) {
        for (int i = 0; i < n->p->row_count; ++i) {
            n->trial[i] = n->force[i] - length * n->step[i];
        }
        double now = miss(n, n->trial);
        if (now < best) {
            best = now;
            best_length = length;
        }
    }
    for (int i = 0; i < n->p->row_count; ++i) {
        n->force[i] -= best_length * n->step[i];
    }
    return best_length > 0.0 ? miss(n, n->force) : HUGE_VAL;
}

static double largest_rate(const reduced_problem *p)
{
    double largest = 0.0;
    for (int k = 0; k < p->row_count; ++k) {
        largest = fmax(largest, p->rate ? fabs(p->rate[k]) : 0.0);
    }
    return largest;
}

static newton newton_of(rest_work *w, const reduced_problem *p, double give)
{
    return (newton){ .w = w,
                     .p = p,
                     .give = give,
                     .force = w->newton_force,
                     .residual = w->turn_residual,
                     .J = w->turn_jacobian,
                     .step = w->turn_step,
                     .trial = w->newton_trial };
}

static bool solve(newton *n)
{
    enum { NEWTON_LIMIT = 60 };
    double scale = largest_rate(n->p);
    double off = miss(n, n->force);
    for (int step = 0; step < NEWTON_LIMIT && off > 1e-22 * scale * scale && !carom_stop_asked(n->p->stop); ++step) {
        find_step(n);
        off = take_step(n, off);
        if (!isfinite(off)) {
            return false;
        }
    }
    return off <= 1e-20 * scale * scale;
}

bool rest_newton(rest_work *w, const reduced_problem *p)
{
    newton n = newton_of(w, p, 0.0);
    memset(n.force, 0, sizeof(double) * (size_t)p->row_count);
    return solve(&n);
}

bool rest_newton_giving(rest_work *w, const reduced_problem *p)
{
    size_t bytes = sizeof(double) * (size_t)p->row_count;
    double give = 1e-2;
    bool any = false;
    memset(w->newton_force, 0, bytes);
    memset(w->newton_last, 0, bytes);
    for (bool found = true; found && give > 1e-11 && !carom_stop_seen(p->stop); give *= 0.1) {
        newton n = newton_of(w, p, give);
        found = solve(&n);
        any = any || found;
        memcpy(found ? w->newton_last : w->newton_force, found ? w->newton_force : w->newton_last, bytes);
    }
    return any;
}
