#include "dynamics/leap.h"

#include "dynamics/step.h"

/* The second one is there between whole steps only. */
static const contact_record LEAP_KEY[LEAP_RECORDS] = {
    { .a = UINT32_MAX, .b = UINT32_MAX, .kind = RECORD_LEAP },
    { .a = UINT32_MAX, .b = UINT32_MAX, .kind = RECORD_LEAP, .feature = 1 }
};

bool leap_find(const carom_state *s, leap_place *out)
{
    const contact_record *r = contact_records_find(&s->contacts, &LEAP_KEY[0]);
    const contact_record *between = contact_records_find(&s->contacts, &LEAP_KEY[1]);
    if (r) {
        *out = (leap_place){
            .h = r->value[0], .part = r->value[1], .quiet = r->value[2], .way = between ? between->value[0] : 0.0
        };
    }
    return r != NULL;
}

void leap_remember(carom_state *s, const leap_place *place)
{
    contact_record r = LEAP_KEY[0];
    r.value[0] = place->h;
    r.value[1] = place->part;
    r.value[2] = place->quiet;
    s->contacts.items[s->contacts.count++] = r;
    if (place->part > 0.0) {
        contact_record between = LEAP_KEY[1];
        between.value[0] = place->way;
        s->contacts.items[s->contacts.count++] = between;
    }
}

/* [W] of applied forces, with these velocities. */
static double power_of_forces(const carom_scratch *w, motion_rates u)
{
    const carom_model *m = w->model;
    double power = 0.0;
    for (int slot = 0; slot < m->free_count; ++slot) {
        const model_body *b = &m->bodies[m->free_bodies[slot]];
        const double *f = w->f + b->column;
        power += row_times_frame(f, &u.rate[m->free_bodies[slot]]);
        for (int k = 0; k < b->width - FRAME_COLUMNS; ++k) {
            power += f[FRAME_COLUMNS + k] * u.q_dot[b->first_deform + k];
        }
    }
    for (int k = 0; k < m->nodal_count; ++k) {
        const model_nodal *n = &m->nodal[k];
        for (int c = 0; c < nodal_coordinate_count(n->nodes); ++c) {
            bool own = n->section_of[c / nodal_dimension(n->nodes)] < 0;
            power += own ? w->nodal_force[n->first_deform + c] * u.q_dot[n->first_deform + c] : 0.0;
        }
    }
    return power;
}

double leap_way(const carom_scratch *w, const leap_place *at)
{
    return 0.5 * at->part * at->h * power_of_forces(w, rates_of(work_motion(w)));
}

double leap_kinetic(const carom_scratch *w, const carom_state *s)
{
    leap_place at;
    if (!leap_find(s, &at)) {
        return work_kinetic(w);
    }
    const motion_rates later = { s->history, s->q_history };
    const motion_rates change = { s->acceleration, s->q_ddot };
    double kept = work_mass_product(w, later, later) - (1.0 - at.part) * at.h * work_mass_product(w, later, change);
    return 0.5 * kept + at.way;
}

void leap_add_to_ledger(const leap_place *at, const carom_scratch *w, carom_state *s, double to)
{
    bool whole = to >= 1.0;
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, 0.5 * at->h * ((to - at->part) * s->power->work[k] + (whole ? w->power.work[k] : 0.0)));
    }
    double last = at->h * (whole ? 0.5 - at->part : to - at->part);
    double now = whole ? 0.5 * at->h : 0.0;
    s->sums->impulse = v3_axpy(v3_axpy(s->sums->impulse, last, s->power->impulse), now, w->power.impulse);
    s->sums->angular_impulse = v3_axpy(v3_axpy(s->sums->angular_impulse, last, s->power->angular_impulse), now,
                                       w->power.angular_impulse);
}
