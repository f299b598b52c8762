/* Interior point on second-order cones. With the shift s = mu |u_t| of De Saxce and Feng [DeSaxce1998] Coulomb's law is
 * complementarity between cones, K contains r perp u + s n in K*. In the coordinates of cone_point both cones are the self-dual one:
 *
 *     r o w = 0,  r, w in the second-order cone,  w = w(u),  u = H v + bias + eps r
 *
 * Scaled by the matrix T of Nesterov and Todd (T w = T^-1 r = lambda) a step is
 *
 *     dr + T^2 dw = T rc,   dw = E H dv + D dr + (w(u) - w),   M dv = H' dr
 *
 * with E = dw/du and D the compliance: dr = G (T rc - T^2 (w(u) - w)) - G T^2 E H dv, G = (1 + T^2 D)^-1. Without D the matrix
 * has no bound and the method ends at 1e-6; without the derivative of s in E it stalls at 1e-4. */
#include <math.h>
#include <string.h>

#include "nonsmooth/contact_rows.h"
#include "nonsmooth/small.h"
#include "nonsmooth/solver_work.h"

/* ---- the cone ----------------------------------------------------------------------------------------------------------------- */

/* x_0^2 - |x_1|^2 */
static double hyperbolic(const vec3 x)
{
    double length = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - length) * (x[0] + length);
}

/* The product a o b of the cone's algebra. */
static void circle(const vec3 a, const vec3 b, vec3 out)
{
    out[0] = dot3(a, b);
    out[1] = a[0] * b[1] + b[0] * a[1];
    out[2] = a[0] * b[2] + b[0] * a[2];
}

/* Solves a o x = d. */
static void divide(const vec3 a, const vec3 d, vec3 x)
{
    x[0] = (a[0] * d[0] - a[1] * d[1] - a[2] * d[2]) / hyperbolic(a);
    x[1] = (d[1] - x[0] * a[1]) / a[0];
    x[2] = (d[2] - x[0] * a[2]) / a[0];
}

/* The largest step from x along d that stays in the cone. */
static double step_to_boundary(const vec3 x, const vec3 d)
{
    double a = hyperbolic(d);
    double b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    double c = hyperbolic(x);
    double best = d[0] < 0.0 ? -x[0] / d[0] : HUGE_VAL;
    double root = b * b - a * c;
    if (root < 0.0) {
        return best;
    }
    root = sqrt(root);
    double q = b < 0.0 ? -b + root : -b - root;
    double t[2] = { a != 0.0 ? q / a : HUGE_VAL, q != 0.0 ? c / q : HUGE_VAL };
    for (int k = 0; k < 2; ++k) {
        best = t[k] > 0.0 ? fmin(best, t[k]) : best;
    }
    return best;
}

/* T z, or T^-1 z. */
static void scale(const cone_point *c, const vec3 z, bool inverse, vec3 out)
{
    double sign = inverse ? -1.0 : 1.0;
    double size = inverse ? 1.0 / c->size : c->size;
    const double *q = c->direction;
    double d = sign * (q[1] * z[1] + q[2] * z[2]);
    double along = sign * z[0] + sign * d / (1.0 + q[0]);
    out[0] = size * (q[0] * z[0] + d);
    out[1] = size * (z[1] + along * q[1]);
    out[2] = size * (z[2] + along * q[2]);
}

/* ---- the point ----------------------------------------------------------------------------------------------------------------- */

/* w(u), its slope, and how far w is from it; |u_t| is rounded off within `rounding` [m/s]. */
static void place_dual(const contact_problem *p, const cone_contact *c, double rounding, cone_point *o)
{
    double u[CONE_ROWS];
    contact_velocity(p, c, u);
    memset(o->slope, 0, sizeof o->slope);
    o->slope[0][0] = 1.0 / o->m;
    if (o->line) {
        o->infeasible[0] = u[0] - o->w[0];
        o->infeasible[1] = o->infeasible[2] = 0.0;
        return;
    }
    double length = sqrt(u[1] * u[1] + u[2] * u[2] + rounding * rounding);
    o->slope[0][1] = u[1] / length;
    o->slope[0][2] = u[2] / length;
    o->slope[1][1] = o->slope[2][2] = 1.0;
    o->infeasible[0] = (u[0] + c->mu * (length - rounding)) / o->m - o->w[0];
    o->infeasible[1] = u[1] - o->w[1];
    o->infeasible[2] = u[2] - o->w[2];
}

/* Direction and size of T, lambda, T^2. */
static void find_scaling(cone_point *o)
{
    const double tiny = 1e-300;
    double size_r = sqrt(fmax(hyperbolic(o->r), tiny));
    double size_w = sqrt(fmax(hyperbolic(o->w), tiny));
    double both = 0.0;
    for (int k = 0; k < 3; ++k) {
        both += o->r[k] / size_r * (o->w[k] / size_w);
    }
    double half = sqrt(0.5 * (1.0 + both));
    for (int k = 0; k < 3; ++k) {
        double sign = k == 0 ? 1.0 : -1.0;
        o->direction[k] = (o->r[k] / size_r + sign * o->w[k] / size_w) / (2.0 * half);
    }
    o->size = sqrt(size_r / size_w);
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            double one = k != l ? 0.0 : k == 0 ? -1.0 : 1.0;
            bool out = o->line && (k > 0 || l > 0);
            o->K[k][l] = out ? 0.0 : o->size * o->size * (2.0 * o->direction[k] * o->direction[l] + one);
        }
    }
    scale(o, o->w, false, o->scaled);
}

static void add_to_matrix(contact_solver *s, const contact_problem *p, int i)
{
    cone_point *o = &s->points[i];
    const double eps = p->contacts[i].eps;
    const double D[3] = { eps / (o->m * o->m), eps, eps };
    mat3 A;
    mat3 GK;
    mat3 S;
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            A[k][l] = (k == l ? 1.0 : 0.0) + o->K[k][l] * D[l];
        }
    }
    inverse3((const double(*)[3])A, o->G);
    product3((const double(*)[3])o->G, (const double(*)[3])o->K, GK);
    product3((const double(*)[3])GK, (const double(*)[3])o->slope, S);
    for (int l = 0; l < 3; ++l) {
        S[0][l] /= o->m;
    }
    solver_add_contact(s, p, i, (const double(*)[3])S);
}

/* The mean of r . w, and of the infeasibility in the same unit [m^2/s^2]: every contact counts per mass that it moves, so that light and heavy
 * ones go towards the solution together. */
typedef struct gap_measure {
    double complementarity, infeasibility;
} gap_measure;

static double complementarity(const contact_solver *s, const contact_problem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->contact_count; ++i) {
        sum += dot3(s->points[i].r, s->points[i].w) / p->contacts[i].rho_n;
    }
    return sum / p->contact_count;
}

static bool make_matrix(contact_solver *s, const contact_problem *p, double rounding, gap_measure *gap)
{
    gap->infeasibility = 0.0;
    solver_clear(s, p);
    for (int i = 0; i < p->contact_count; ++i) {
        cone_point *o = &s->points[i];
        place_dual(p, &p->contacts[i], rounding, o);
        find_scaling(o);
        add_to_matrix(s, p, i);
        gap->infeasibility += sqrt(dot3(o->infeasible, o->infeasible) * dot3(o->r, o->r)) /
                              (p->contacts[i].rho_n * p->contact_count);
    }
    solver_linearise_joints(s, p, rounding);
    return block_lu_factor(s->matrix);
}

/* ---- directions ------------------------------------------------------------------------------------------------------------------- */

/* dr and dw of all contacts for the right-hand sides o->rhs (rc in the head of the file); steps of joints. */
static void find_direction(contact_solver *s, const contact_problem *p)
{
    memset(s->x, 0, BODY_COLUMNS * (size_t)p->body_count * sizeof *s->x);
    for (int i = 0; i < p->contact_count; ++i) {
        cone_point *o = &s->points[i];
        vec3 e;
        vec3 Kp;
        scale(o, o->rhs, false, e);
        times3((const double(*)[3])o->K, o->infeasible, Kp);
        for (int k = 0; k < 3; ++k) {
            e[k] = o->line && k > 0 ? 0.0 : e[k] - Kp[k];
        }
        times3((const double(*)[3])o->G, e, o->dr); /* until dv is known */
        const vec3 f = { o->dr[0] / o->m, o->dr[1], o->dr[2] };
        solver_gather(s, p, i, f);
    }
    solver_gather_joints(s, p);
    block_lu_solve(s->matrix, s->x);
    for (int i = 0; i < p->contact_count; ++i) {
        cone_point *o = &s->points[i];
        const double eps = p->contacts[i].eps;
        vec3 u;
        vec3 dw;
        vec3 Ku;
        vec3 GKu;
        contact_rows_times(&p->contacts[i], s->x, u);
        times3((const double(*)[3])o->slope, u, dw);
        times3((const double(*)[3])o->K, dw, Ku);
        times3((const double(*)[3])o->G, Ku, GKu);
        for (int k = 0; k < 3; ++k) {
            o->dr[k] -= GKu[k];
            o->dw[k] = dw[k] + o->infeasible[k] + (k == 0 ? eps / (o->m * o->m) : eps) * o->dr[k];
            o->dw[k] = o->line && k > 0 ? 0.0 : o->dw[k];
        }
    }
    solver_step_joints(s, p);
}

static double longest_step(const contact_solver *s, const contact_problem *p, double part)
{
    double step = 1.0;
    for (int i = 0; i < p->contact_count; ++i) {
        const cone_point *o = &s->points[i];
        step = fmin(step, part * step_to_boundary(o->r, o->dr));
        step = fmin(step, part * step_to_boundary(o->w, o->dw));
    }
    return step;
}

/* How much is left of r . w after the predictor's step. */
static double predict(contact_solver *s, const contact_problem *p)
{
    for (int i = 0; i < p->contact_count; ++i) {
        cone_point *o = &s->points[i];
        for (int k = 0; k < 3; ++k) {
            o->rhs[k] = -o->scaled[k];
        }
    }
    find_direction(s, p);
    double step = longest_step(s, p, 1.0);
    double sum = 0.0;
    for (int i = 0; i < p->contact_count; ++i) {
        const cone_point *o = &s->points[i];
        for (int k = 0; k < 3; ++k) {
            sum += (o->r[k] + step * o->dr[k]) * (o->w[k] + step * o->dw[k]) / p->contacts[i].rho_n;
        }
    }
    return sum / p->contact_count;
}

/* Towards the central path at `target` [m^2/s^2]; with the second-order term of the predictor. */
static void correct(contact_solver *s, const contact_problem *p, double target, bool second_order)
{
    for (int i = 0; i < p->contact_count; ++i) {
        cone_point *o = &s->points[i];
        vec3 a;
        vec3 b;
        vec3 square;
        vec3 product = { 0.0, 0.0, 0.0 };
        vec3 d;
        circle(o->scaled, o->scaled, square);
        if (second_order) {
            scale(o, o->dr, true, a);
            scale(o, o->dw, false, b);
            circle(a, b, product);
        }
        for (int k = 0; k < 3; ++k) {
            d[k] = (k == 0 ? target * p->contacts[i].rho_n : 0.0) - square[k] - product[k];
        }
        divide(o->scaled, d, o->rhs);
    }
    find_direction(s, p);
}

/* ---- the iteration ----------------------------------------------------------------------------------------------------------------- */

/* Impulses of the problem follow the points. */
static void take_impulses(const contact_solver *s, contact_problem *p)
{
    for (int i = 0; i < p->contact_count; ++i) {
        const cone_point *o = &s->points[i];
        const vec3 r = { o->r[0] / o->m, o->r[1], o->r[2] };
        memcpy(p->contacts[i].r, r, sizeof r);
    }
    contact_problem_velocities(p);
}

static void start_neutral(contact_solver *s, contact_problem *p)
{
    const double part = 0.3;
    for (int i = 0; i < p->contact_count; ++i) {
        memset(p->contacts[i].r, 0, sizeof p->contacts[i].r);
    }
    contact_problem_velocities(p);
    for (int i = 0; i < p->contact_count; ++i) {
        const cone_contact *c = &p->contacts[i];
        cone_point *o = &s->points[i];
        double u[CONE_ROWS];
        contact_velocity(p, c, u);
        *o = (cone_point){ .line = c->mu == 0.0, .m = c->mu > 0.0 ? c->mu : 1.0 };
        double slip = o->line ? 0.0 : hypot(u[1], u[2]);
        o->r[0] = part * o->m * p->speed * c->rho_n;
        o->w[0] = fmax((u[0] + c->mu * slip) / o->m, slip) + part * p->speed;
        o->w[1] = o->line ? 0.0 : u[1];
        o->w[2] = o->line ? 0.0 : u[2];
    }
    take_impulses(s, p);
}

static void move_on(contact_solver *s, contact_problem *p, double step)
{
    for (int i = 0; i < p->contact_count; ++i) {
        cone_point *o = &s->points[i];
        for (int k = 0; k < 3; ++k) {
            o->r[k] += step * o->dr[k];
            o->w[k] += step * o->dw[k];
        }
    }
    for (int i = 0; i < p->joint_count; ++i) {
        for (int k = 0; k < p->joints[i].count + p->joints[i].slip_count; ++k) {
            p->joints[i].r[k] += step * s->joint_step[i][k];
        }
    }
    take_impulses(s, p);
}

/* One predictor and corrector. Returns the length of the step, 0 when the matrix cannot be factored. */
static double iterate(contact_solver *s, contact_problem *p, double last)
{
    const double short_step = 0.3;
    const double centring = 0.1; /* of the infeasibility */
    const double inside = 0.99;  /* of the way to the boundary */
    gap_measure gap = { complementarity(s, p), 0.0 };
    double rounding = fmin(0.01 * p->speed, gap.complementarity / p->speed);
    if (!make_matrix(s, p, rounding, &gap)) {
        return 0.0;
    }
    double left = fmax(0.0, predict(s, p) / gap.complementarity);
    double sigma = fmin(1.0, fmax(left * left * left, 1e-4));
    sigma = fmax(sigma, fmin(1.0, centring * gap.infeasibility / gap.complementarity));
    bool centre = last < short_step;
    sigma = !centre ? sigma : last < short_step / 3.0 ? 1.0 : 0.7;
    correct(s, p, 0.5 * sigma * gap.complementarity, !centre);
    double step = fmin(1.0, longest_step(s, p, inside));
    move_on(s, p, step);
    return step;
}

void interior_point_solve(contact_solver *s, contact_problem *p, double tolerance, int most, solve_report *report)
{
    enum { PATIENCE = 8 };
    const double near = 1e-2; /* from here on a residual that does not fall for so long will not */
    double best = HUGE_VAL;
    double last = 1.0;
    int since = 0;
    if (p->contact_count == 0) {
        return;
    }
    start_neutral(s, p);
    for (int k = 0; k < most && last > 0.0 && (since < PATIENCE || best > near); ++k) {
        last = iterate(s, p, last);
        report->factorisations++;
        contact_residual now = contact_problem_residual(p);
        ++since;
        if (now.speed < best) {
            best = now.speed;
            since = 0;
            solver_keep(p, s->start, s->joint_start);
        }
        if (best <= tolerance || !isfinite(now.speed)) {
            break;
        }
    }
    if (isfinite(best)) {
        solver_restore(p, (const vec3 *)s->start, (const element_row *)s->joint_start);
    }
    contact_residual now = contact_problem_residual(p);
    report->residual = now.speed;
    report->contact = now.contact;
    report->solved = now.speed <= tolerance;
}
