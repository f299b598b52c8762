/* Impacts at once by Poisson's rule in steps [Pfeiffer1996]: normal velocities that approach go to zero in proportion, in parts
 * in which friction is implicit. In every part normals (normals.h) and friction (rub.h) correct each other until both fit.
 * Whatever becomes of that, no part adds energy: the impulses do no work at the velocities after it. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/strike_steps.h"

enum { PARTS = 8, TURNS = 40 };

static const double ROUNDING = 1e-14; /* of velocities, relative to the largest */
static const double FITS = 1e-11;     /* likewise, where normals and friction agree */
static const double ALLOWED = 1e4;    /* work of a stop, as rub_effort counts it */

/* Impulses and velocities of the part become those of y. */
static void add_part(flow *f, const double *u, bool compression)
{
    double *y = f->w->y;
    for (int c = 0; c < f->p.contact_count; ++c) {
        double P = f->w->step_impulse[c];
        *flow_work(f, y) += 0.5 * P * (flow_speed(f, y)[c] + u[c]);
        flow_compression(f, y)[c] += compression ? P : 0.0;
    }
    for (int k = 0; k < f->p.row_count; ++k) {
        flow_impulse(f, y)[k] += f->w->step_impulse[k];
    }
    flow_fit_speeds(f, y);
    f->out->steps += 1;
}

/* Velocities of y with the normal impulses of the part, or with those of friction alone. */
static void apply(const flow *f, bool normals, double *u)
{
    const double *J = f->w->step_impulse;
    int first = normals ? 0 : f->p.contact_count;
    int end = normals ? f->p.contact_count : f->p.row_count;
    memcpy(u, flow_speed(f, f->w->y), (size_t)f->p.row_count * sizeof(double));
    for (int l = first; l < end; ++l) {
        const double *D = f->p.D + (size_t)l * (size_t)f->p.row_count;
        for (int k = 0; J[l] != 0.0 && k < f->p.row_count; ++k) {
            u[k] += D[k] * J[l];
        }
    }
}

/* How far the normals are from what they should be. */
static double misfit(const flow *f, const double *target, const double *u)
{
    double worst = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        double excess = u[c] - target[c];
        bool pushes = f->w->step_impulse[c] > 0.0;
        worst = fmax(worst, pushes ? fabs(excess) : -excess);
    }
    return worst;
}

/* What the parts of a stop were left with [m/s]: normals from their targets, which the next part makes up for; friction from
 * Coulomb's law, which none does. */
typedef struct part_left {
    double normals, friction;
} part_left;

/* Normals and friction in turn. u ends with the part's velocities. */
static part_left balance(flow *f, const double *target, double *u)
{
    double *J = f->w->step_impulse;
    part_left left = { HUGE_VAL, HUGE_VAL };
    memset(J, 0, (size_t)f->p.row_count * sizeof(double));
    for (int i = 0; i < TURNS && rub_effort(f->w->rub) < ALLOWED && !carom_stop_asked(f->p.stop); ++i) {
        apply(f, false, u);
        for (int c = 0; c < f->p.contact_count; ++c) {
            const double *D = f->p.D + (size_t)c * (size_t)f->p.row_count;
            for (int k = 0; J[c] != 0.0 && k < f->p.row_count; ++k) {
                u[k] += D[k] * J[c];
            }
        }
        normals_stop(f->w->normals, &f->p, target, ROUNDING * f->speed, J, u);
        apply(f, true, u);
        left.friction = rub(f->w->rub, 1.0, flow_speed(f, f->w->y), J, u);
        left.normals = misfit(f, target, u);
        if (left.normals <= FITS * f->speed) {
            break;
        }
    }
    return left;
}

static double fastest_approach(const flow *f)
{
    double fastest = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        fastest = fmax(fastest, -flow_speed(f, f->w->y)[c]);
    }
    return fastest;
}

void steps_finish(flow *f)
{
    if (fastest_approach(f) <= ROUNDING * f->speed) {
        return;
    }
    memset(f->w->step_impulse, 0, (size_t)f->p.row_count * sizeof(double));
    memcpy(f->w->before, flow_speed(f, f->w->y), (size_t)f->p.row_count * sizeof(double));
    normals_stop(f->w->normals, &f->p, NULL, ROUNDING * f->speed, f->w->step_impulse, f->w->before);
    add_part(f, f->w->before, false);
}

double steps_stop(flow *f)
{
    double *target = f->w->target;
    part_left left = { 0.0, 0.0 };
    rub_begin(f->w->rub, &f->p, f->speed, f->speed);
    for (int c = 0; c < f->p.contact_count; ++c) {
        f->w->bias[c] = fmin(0.0, flow_speed(f, f->w->y)[c]);
    }
    for (int part = 1; part <= PARTS && fastest_approach(f) > ROUNDING * f->speed; ++part) {
        for (int c = 0; c < f->p.contact_count; ++c) {
            target[c] = f->w->bias[c] * (1.0 - (double)part / PARTS);
        }
        part_left here = balance(f, target, f->w->before);
        left = (part_left){ here.normals, fmax(left.friction, here.friction) };
        add_part(f, f->w->before, true);
    }
    steps_finish(f);
    return fmax(left.normals, left.friction) / f->speed;
}

double steps_give(flow *f, const double *given)
{
    double left = 0.0;
    rub_begin(f->w->rub, &f->p, f->speed, f->speed);
    for (int part = 0; part < PARTS; ++part) {
        for (int c = 0; c < f->p.contact_count; ++c) {
            f->w->step_impulse[c] = given[c] / PARTS;
        }
        apply(f, true, f->w->before);
        left = fmax(left, rub(f->w->rub, 1.0, flow_speed(f, f->w->y), f->w->step_impulse, f->w->before));
        add_part(f, f->w->before, false);
    }
    return left / f->speed;
}
