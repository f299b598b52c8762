/* Steps short enough for the contacts that there are. Stiffness and masses of one pair alone count: trace(M^-1 K) is no less than the
 * square of its largest angular frequency; neighbours in a stack raise that by no more than a factor of two. */
#include "methods/compliant/substeps.h"

#include "dynamics/integrator.h"
#include "methods/compliant/approach.h"

/* trace(M^-1 H) of one body, whose columns in H begin at `first`. */
static double squared_frequency(const carom_scratch *w, const contact_tangent *K, int side)
{
    const model_body *body = &w->model->bodies[K->body[side]];
    int first = side * FRAME_COLUMNS;
    if (body->role != BODY_FREE) {
        return 0.0;
    }
    m3 R = w->R_w[K->body[side]];
    m3 inverse_w = m3_mul(m3_mul(R, m3_inverse(body->inertia_b)), m3_transpose(R));
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sum += K->H[first + i][first + i] / body->mass;
        for (int j = 0; j < 3; ++j) {
            sum += inverse_w.m[3 * i + j] * K->H[first + 3 + j][first + 3 + i];
        }
    }
    return sum;
}

static double fastest_vibration(compliant_work *t, const carom_scratch *w)
{
    int count = 0;
    const contact_tangent *K = compliant_tangents(t, 1.0, 0.0, &count);
    double most = 0.0;
    for (int k = 0; k < count; ++k) {
        most = fmax(most, squared_frequency(w, &K[k], 0) + squared_frequency(w, &K[k], 1));
    }
    return sqrt(most);
}

/* [s] in which a touch that still closes gets as deep as it will, if one point were to stop its bodies: laws whose stiffness begins at
 * zero do not say so yet. No deeper than half of the thinner one, behind which it would be pushed out. */
static double time_of_entry(const compliant_work *t, const broad_pair *pair, const touching_point *c)
{
    int body[2];
    double speed = -c->gap_rate;
    if (!(speed > 0.0)) {
        return HUGE_VAL;
    }
    broad_pair_bodies(t, pair, body);
    double energy = 0.5 * approach_reduced_mass(t->model, body) * speed * speed;
    double depth = law_depth_for_energy(pair->interaction->law, pair->interaction->law_params, energy / c->weight);
    return fmin(depth, approach_half_thickness(t, pair)) / speed;
}

carom_status substeps_bound(compliant_work *t, carom_scratch *w, const carom_state *s, double *dt, carom_error *err)
{
    integrator_load(w, s);
    work_place(w, *s->time, state_motion(s));
    work_forces(w);
    carom_status status = work_may_go_on(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    double omega = fastest_vibration(t, w);
    *dt = omega > 0.0 ? fmin(*dt, SUBSTEPS_PART / omega) : *dt;
    for (size_t k = 0; k < t->touching; ++k) {
        const broad_pair *pair = &t->pairs[t->order[k].value];
        for (size_t i = pair->first; i < pair->first + pair->count; ++i) {
            *dt = fmin(*dt, SUBSTEPS_PART * time_of_entry(t, pair, &t->contacts[i]));
        }
    }
    return CAROM_OK;
}
