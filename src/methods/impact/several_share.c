/* Impacts at several contacts: energy sharing event by event [spec 4.5]. */
#include <math.h>

#include "methods/impact/several.h"

static const double LEFT_OVER = 1e-11; /* sharing: likewise, for velocities that the energy left could make */
enum { PIECE_LIMIT = 5000 };

/* Velocity that the energy stored could give to the lightest contact. */
static double stored_speed(const flow *f)
{
    double energy = 0.0;
    double lightest = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        double k = f->defs[c].stiffness / f->stiffest;
        energy += k * pow(flow_depth(f, f->w->y)[c], f->exponent + 1.0) / (f->exponent + 1.0);
        lightest = fmax(lightest, several_diagonal(&f->p, c));
    }
    return sqrt(2.0 * energy * lightest);
}

static bool all_off(const flow *f)
{
    for (int c = 0; c < f->p.contact_count; ++c) {
        if (f->w->phase[c] != FLOW_OFF) {
            return false;
        }
    }
    return true;
}

strike_outcome several_share_energy(flow *f)
{
    f->mode = FLOW_SHARED;
    several_set_scales(f);
    f->step = 0.05 * f->duration;
    for (int i = 0; i < PIECE_LIMIT; ++i) {
        strike_outcome outcome = flow_begin_piece(f);
        bool ended;
        if (outcome != STRIKE_OK) {
            return outcome;
        }
        double left = fmax(stored_speed(f), several_fastest_approach(f, f->w->y));
        if (all_off(f) || left <= LEFT_OVER * f->speed) {
            steps_finish(f);
            return STRIKE_OK;
        }
        outcome = flow_run(f, HUGE_VAL, &ended);
        several_record(f);
        if (outcome != STRIKE_OK) {
            return outcome;
        }
    }
    return STRIKE_ENDLESS;
}
