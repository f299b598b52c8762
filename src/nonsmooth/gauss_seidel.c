#include "nonsmooth/gauss_seidel.h"

#include <math.h>
#include <string.h>

#include "nonsmooth/contact_rows.h"
#include "nonsmooth/small.h"

/* ---- one contact ---------------------------------------------------------------------------------------------------------- */

/* A contact that slips along a unit direction d: r_t = -mu r_n d. u_n = 0 gives r_n, and the slip velocity follows. */
typedef struct slip_trial {
    double r_n, r_n_slope; /* by the angle of d */
    double u[2], slope[2];
} slip_trial;

/* False: the contact wedges, no normal impulse stops it in this direction. */
static bool try_slip(const cone_contact *c, const double q[CONE_ROWS], const double d[2], slip_trial *out)
{
    const double wedged = 1e-9;
    const double e[2] = { -d[1], d[0] };
    double along = c->W[0][1] * d[0] + c->W[0][2] * d[1];
    double across = c->W[0][1] * e[0] + c->W[0][2] * e[1];
    double normal = c->W[0][0] - c->mu * along;
    if (!(normal > wedged * c->W[0][0])) {
        return false;
    }
    out->r_n = -q[0] / normal;
    out->r_n_slope = out->r_n * c->mu * across / normal;
    for (int k = 0; k < 2; ++k) {
        const double *row = c->W[1 + k];
        double per = row[0] - c->mu * (row[1] * d[0] + row[2] * d[1]);
        double turn = -c->mu * (row[1] * e[0] + row[2] * e[1]);
        out->u[k] = q[1 + k] + out->r_n * per;
        out->slope[k] = out->r_n_slope * per + out->r_n * turn;
    }
    return true;
}

/* By the angle whose tangent this is. */
static void turn_direction(double d[2], double tangent)
{
    double x = d[0] - tangent * d[1];
    double y = d[1] + tangent * d[0];
    double length = sqrt(x * x + y * y);
    d[0] = x / length;
    d[1] = y / length;
}

/* Newton's method on the angle of slip: the component of u_t across d must vanish, that along d be positive. */
static bool solve_slip(const cone_contact *c, const double q[CONE_ROWS], double d[2], double r[CONE_ROWS])
{
    enum { MOST = 12 };
    const double solved = 1e-14; /* of the speeds */
    const double widest = 0.8;   /* tangent of the largest turn */
    for (int k = 0; k < MOST; ++k) {
        slip_trial t;
        if (!try_slip(c, q, d, &t)) {
            return false;
        }
        double across = t.u[0] * d[1] - t.u[1] * d[0];
        double along = t.u[0] * d[0] + t.u[1] * d[1];
        if (fabs(across) <= solved * (fabs(along) + fabs(q[0])) && along >= -solved * fabs(q[0])) {
            r[0] = t.r_n;
            r[1] = -c->mu * t.r_n * d[0];
            r[2] = -c->mu * t.r_n * d[1];
            return true;
        }
        double slope = t.slope[0] * d[1] - t.slope[1] * d[0] + along;
        if (along < 0.0 || !(slope > 0.0)) { /* start again from where it slips */
            double length = hypot(t.u[0], t.u[1]);
            if (!(length > 0.0)) {
                return false;
            }
            d[0] = t.u[0] / length;
            d[1] = t.u[1] / length;
        } else {
            double turn = -across / slope;
            turn_direction(d, turn > widest ? widest : turn < -widest ? -widest : turn);
        }
    }
    return false;
}

/* The component of slip across d times the response of the normal, which makes it a smooth function of the angle of d. */
static double across_at(const cone_contact *c, const double q[CONE_ROWS], double angle, double d[2])
{
    d[0] = cos(angle);
    d[1] = sin(angle);
    double normal = c->W[0][0] - c->mu * (c->W[0][1] * d[0] + c->W[0][2] * d[1]);
    double per[2];
    for (int k = 0; k < 2; ++k) {
        per[k] = c->W[1 + k][0] - c->mu * (c->W[1 + k][1] * d[0] + c->W[1 + k][2] * d[1]);
    }
    return normal * (q[1] * d[1] - q[2] * d[0]) - q[0] * (per[0] * d[1] - per[1] * d[0]);
}

/* The root between two angles, by bisection to the last bit, if it is a slip that friction opposes. */
static bool bracket_slip(const cone_contact *c, const double q[CONE_ROWS], double low, double high,
                         double r[CONE_ROWS])
{
    enum { BISECTIONS = 60 };
    double d[2];
    bool rising = across_at(c, q, low, d) <= 0.0;
    for (int i = 0; i < BISECTIONS; ++i) {
        double middle = 0.5 * (low + high);
        *((across_at(c, q, middle, d) <= 0.0) == rising ? &low : &high) = middle;
    }
    slip_trial t;
    if (!try_slip(c, q, d, &t) || t.u[0] * d[0] + t.u[1] * d[1] < 0.0) {
        return false;
    }
    r[0] = t.r_n;
    r[1] = -c->mu * t.r_n * d[0];
    r[2] = -c->mu * t.r_n * d[1];
    return true;
}

/* All around the circle, where Newton's method does not find the direction. */
static bool search_slip(const cone_contact *c, const double q[CONE_ROWS], double r[CONE_ROWS])
{
    enum { DIRECTIONS = 90 };
    const double step = 6.28318530717958647693 / DIRECTIONS;
    double d[2];
    double last = across_at(c, q, 0.0, d);
    bool found = false;
    for (int k = 1; k <= DIRECTIONS && !found; ++k) {
        double now = across_at(c, q, step * k, d);
        found = (last <= 0.0) != (now <= 0.0) && bracket_slip(c, q, step * (k - 1), step * k, r);
        last = now;
    }
    return found;
}

/* Opposite to the last friction, or else along the free slip. */
static void first_direction(const cone_contact *c, const double q[CONE_ROWS], double d[2])
{
    double last = sqrt(c->r[1] * c->r[1] + c->r[2] * c->r[2]);
    if (last > 1e-3 * c->mu * c->r[0]) {
        d[0] = -c->r[1] / last;
        d[1] = -c->r[2] / last;
        return;
    }
    double length = sqrt(q[1] * q[1] + q[2] * q[2]);
    d[0] = length > 0.0 ? q[1] / length : 1.0;
    d[1] = length > 0.0 ? q[2] / length : 0.0;
}

void solve_one_contact(const cone_contact *c, const double q[CONE_ROWS], double r[CONE_ROWS])
{
    if (q[0] >= 0.0) {
        memset(r, 0, CONE_ROWS * sizeof *r);
        return;
    }
    if (c->mu == 0.0) {
        r[0] = -q[0] / c->W[0][0];
        r[1] = r[2] = 0.0;
        return;
    }
    const double back[CONE_ROWS] = { -q[0], -q[1], -q[2] };
    times3(c->inverse, back, r);
    if (r[0] >= 0.0 && r[1] * r[1] + r[2] * r[2] <= c->mu * c->mu * r[0] * r[0]) {
        return;
    }
    double d[2];
    first_direction(c, q, d);
    if (!solve_slip(c, q, d, r) && !search_slip(c, q, r)) {
        double u[CONE_ROWS];
        double F[CONE_ROWS];
        times3((const double(*)[3])c->W, c->r, u);
        for (int k = 0; k < CONE_ROWS; ++k) {
            u[k] += q[k];
        }
        natural_map(c, u, F);
        for (int k = 0; k < CONE_ROWS; ++k) {
            r[k] = c->r[k] - F[k];
        }
    }
}

/* ---- sweeps ---------------------------------------------------------------------------------------------------------------- */

typedef struct sweep_size {
    double change2, largest; /* [(N s)^2] of a change, [N s] of a normal impulse */
} sweep_size;

static void visit_contact(contact_problem *p, cone_contact *c, sweep_size *size)
{
    double u[CONE_ROWS];
    double own[CONE_ROWS];
    double r[CONE_ROWS];
    double d[CONE_ROWS];
    bool idle = c->r[0] == 0.0 && c->r[1] == 0.0 && c->r[2] == 0.0;
    if (idle && contact_normal_velocity(p, c) >= 0.0) {
        return;
    }
    contact_velocity(p, c, u);
    times3((const double(*)[3])c->W, c->r, own);
    for (int k = 0; k < CONE_ROWS; ++k) {
        u[k] -= own[k];
    }
    solve_one_contact(c, u, r);
    for (int k = 0; k < CONE_ROWS; ++k) {
        d[k] = r[k] - c->r[k];
        c->r[k] = r[k];
    }
    double change2 = dot3(d, d);
    size->largest = r[0] > size->largest ? r[0] : size->largest;
    if (change2 > 0.0) {
        size->change2 = change2 > size->change2 ? change2 : size->change2;
        contact_push(p, c, d);
    }
}

/* Equations hold at once; friction then takes one projected step, with the loads that they have now. */
static void visit_joint(contact_problem *p, joint_equations *j)
{
    double u[ELEMENT_ROWS];
    double d[ELEMENT_ROWS] = { 0 };
    joint_velocity(p, j, u);
    for (int k = 0; k < j->count; ++k) {
        for (int l = 0; l < j->count; ++l) {
            d[k] -= j->inverse[k][l] * u[l];
        }
    }
    for (int k = 0; k < j->count; ++k) {
        j->r[k] += d[k];
    }
    joint_push(p, j, d);
    if (j->slip_count > 0) {
        double F[SLIP_ROWS];
        double back[ELEMENT_ROWS] = { 0 };
        joint_velocity(p, j, u);
        joint_friction_map(j, u, F);
        for (int k = 0; k < j->slip_count; ++k) {
            back[j->count + k] = -F[k];
            j->r[j->count + k] -= F[k];
        }
        joint_push(p, j, back);
    }
}

double gauss_seidel_sweep(contact_problem *p, bool backward)
{
    sweep_size size = { 0.0, 0.0 };
    for (int k = 0; k < p->joint_count; ++k) {
        visit_joint(p, &p->joints[backward ? p->joint_count - 1 - k : k]);
    }
    for (int k = 0; k < p->contact_count; ++k) {
        visit_contact(p, &p->contacts[backward ? p->contact_count - 1 - k : k], &size);
    }
    return size.largest > 0.0 ? sqrt(size.change2) / size.largest : 0.0;
}

sweep_report gauss_seidel(contact_problem *p, double tolerance, int most)
{
    sweep_report report = { .change = HUGE_VAL };
    while (report.sweeps < most && !(report.change <= tolerance)) {
        report.change = gauss_seidel_sweep(p, report.sweeps % 2 == 1);
        report.sweeps++;
    }
    return report;
}
