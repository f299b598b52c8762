/* Forces of lasting contact by sweeps: every contact and joint in turn corrects its own force as if the others stood
 * still and is brought back into its cone (projected Gauss-Seidel). The fixed point fulfils all conditions; the way
 * there is slow but does not mind redundant contacts, so it serves to find out who does what, which rest_rates then
 * makes exact. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/rest_work.h"

/* Changes one force and all rates with it; returns the change as a rate of the row itself. */
static double change(rest_work *w, const reduced_problem *p, int row, double by)
{
    if (by == 0.0) {
        return 0.0;
    }
    const double *D = p->D + (size_t)row * (size_t)p->row_count;
    w->sweep_force[row] += by;
    for (int i = 0; i < p->row_count; ++i) {
        w->sweep_rate[i] += D[i] * by;
    }
    return fabs(by * D[row]);
}

/* |force| of a slipping element set to mu N. */
static double set_slip(rest_work *w, const reduced_problem *p, int e, double N)
{
    const friction_element *el = &p->elements[e];
    double changed = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        int row = el->first_row + d;
        changed = fmax(changed, change(w, p, row, -el->mu * N * w->along[e].direction[d] - w->sweep_force[row]));
    }
    return changed;
}

/* What resists a force along the element's rows at most: row sums bound the largest eigenvalue. */
static double stiffest(const reduced_problem *p, const friction_element *el)
{
    double most = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        double sum = 0.0;
        for (int k = 0; k < el->dim; ++k) {
            sum += fabs(p->D[(size_t)(el->first_row + d) * (size_t)p->row_count + (size_t)(el->first_row + k)]);
        }
        most = fmax(most, sum);
    }
    return most;
}

/* An element at rest: as much force as stops it, at most mu N. */
static double set_resting(rest_work *w, const reduced_problem *p, int e, double N)
{
    const friction_element *el = &p->elements[e];
    double D = stiffest(p, el);
    double wanted[SLIP_DIM] = { 0.0 };
    double size = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        int row = el->first_row + d;
        wanted[d] = w->sweep_force[row] - (D > 0.0 ? w->sweep_rate[row] / D : 0.0);
        size = hypot(size, wanted[d]);
    }
    double scale = size > el->mu * N ? el->mu * N / size : 1.0;
    double changed = 0.0;
    for (int d = 0; d < el->dim; ++d) {
        int row = el->first_row + d;
        changed = fmax(changed, change(w, p, row, scale * wanted[d] - w->sweep_force[row]));
    }
    return changed;
}

/* What a contact's normal rate gains by its force, its slipping friction included. */
static double normal_response(const rest_work *w, const reduced_problem *p, int contact)
{
    const double *D = p->D + (size_t)contact * (size_t)p->row_count;
    double response = D[contact];
    for (int e = 0; e < p->element_count; ++e) {
        const friction_element *el = &p->elements[e];
        for (int d = 0; el->contact == contact && w->moving[e] && d < el->dim; ++d) {
            response -= el->mu * w->along[e].direction[d] * D[el->first_row + d];
        }
    }
    return response;
}

static double sweep_contact(rest_work *w, const reduced_problem *p, int contact)
{
    double response = normal_response(w, p, contact);
    double F = w->sweep_force[contact];
    double wanted = response > 0.0 ? fmax(0.0, F - w->sweep_rate[contact] / response) : 0.0;
    double changed = change(w, p, contact, wanted - F);
    for (int e = 0; e < p->element_count; ++e) {
        if (p->elements[e].contact == contact) {
            changed = fmax(changed, w->moving[e] ? set_slip(w, p, e, wanted) : set_resting(w, p, e, wanted));
        }
    }
    return changed;
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
            w->carried[l] = p->load ? p->load[l] : 0.0;
            for (int row = 0; row < p->row_count; ++row) {
                w->carried[l] += B[row] * force[row];
            }
        }
    }
    return rest_group_load(p, el, w->carried);
}

static double sweep_once(rest_work *w, const reduced_problem *p)
{
    double changed = 0.0;
    for (int c = 0; c < p->contact_count; ++c) {
        changed = fmax(changed, sweep_contact(w, p, c));
    }
    for (int e = 0; e < p->element_count; ++e) {
        if (p->elements[e].contact < 0) {
            double N = rest_load_at(w, p, e, w->sweep_force);
            changed = fmax(changed, w->moving[e] ? set_slip(w, p, e, N) : set_resting(w, p, e, N));
        }
    }
    return changed;
}

void rest_sweep_anew(rest_work *w, const reduced_problem *p)
{
    memset(w->sweep_force, 0, sizeof(double) * (size_t)p->row_count);
}

bool rest_sweep(rest_work *w, const reduced_problem *p, int sweeps)
{
    double scale = 0.0;
    for (int row = 0; row < p->row_count; ++row) {
        const double *D = p->D + (size_t)row * (size_t)p->row_count;
        w->sweep_rate[row] = p->rate ? p->rate[row] : 0.0;
        scale = fmax(scale, fabs(w->sweep_rate[row]));
        for (int i = 0; i < p->row_count; ++i) {
            w->sweep_rate[row] += D[i] * w->sweep_force[i];
        }
    }
    for (int i = 0; i < sweeps && !carom_stop_asked(p->stop); ++i) {
        double changed = sweep_once(w, p);
        if (!(changed > 1e-13 * scale) || !(changed < 1e6 * scale)) {
            return changed <= 1e-13 * scale;
        }
    }
    return false;
}
