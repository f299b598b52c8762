/* Impacts at several contacts, together (Poisson, two phases) [Pfeiffer1996]: compression brings all contacts to rest that approach,
 * along a straight way that is cut where slip vanishes or turns; expansion gives e P back in the same proportions. */
#include <math.h>
#include <string.h>

#include "base/stop.h"
#include "nonsmooth/several.h"

static const double APPROACHES = 1e-14;  /* normal velocities beyond do, relative to the largest velocity */
static const double ENOUGH_LEFT = 1e-12; /* likewise, when many attempts have not brought them down */
static const double NO_WAY = 1e-12;      /* a piece that gets no farther has stalled; the whole way is 1 */
static const double MATTERS = 1e3; /* parting speeds beyond, relative to the fastest approach, are as good as this */
static const double FAR = 1e9;     /* typical lengths: something must have happened by then */
enum { PIECE_LIMIT = 5000 };
enum { STOP_LIMIT = 200 };
enum { HALVINGS = 30 }; /* of restitution that makes energy: to 1e-9 */

/* ---- stopping ----------------------------------------------------------------------------------------------------- */

double several_fastest_approach(const flow *f, double *y)
{
    double fastest = 0.0;
    for (int c = 0; c < f->p.contact_count; ++c) {
        fastest = fmax(fastest, -flow_speed(f, y)[c]);
    }
    return fastest;
}

int several_fastest_contact(const reduced_problem *p, const double *u, double least)
{
    int fastest = -1;
    for (int c = 0; c < p->contact_count; ++c) {
        if (-u[c] > least && (fastest < 0 || u[c] < u[fastest])) {
            fastest = c;
        }
    }
    return fastest;
}

static void set_mode(flow *f, flow_mode mode)
{
    f->mode = mode;
    f->until = -1;
    f->duration = 1.0;
    f->step = 1.0;
    *flow_parameter(f, f->w->y) = 0.0;
    memset(f->w->creeping, 0, (size_t)f->p.element_count * sizeof(bool));
}

/* Pushes one contact with its own force alone until its slip has gone, or its approach. */
static strike_outcome push_through(flow *f, int contact)
{
    bool ended;
    if (contact < 0 || contact >= f->p.contact_count || !(several_diagonal(&f->p, contact) > 0.0)) {
        return STRIKE_INCONSISTENT;
    }
    set_mode(f, FLOW_GIVEN);
    f->until = contact;
    f->duration = f->step = f->speed / several_diagonal(&f->p, contact);
    memset(f->w->normal, 0, (size_t)f->p.row_count * sizeof(double));
    f->w->normal[contact] = 1.0;
    strike_outcome outcome = flow_begin_piece(f);
    outcome = outcome == STRIKE_OK ? flow_run(f, FAR * f->duration, &ended) : outcome;
    several_record(f);
    return outcome == STRIKE_OK && ended ? STRIKE_INCONSISTENT : outcome;
}

/* What is to be taken away: approach speeds; those of parting contacts count as far as they may matter, so that tolerances
 * fit the approach. Returns whether some were cut. */
static bool set_bias(flow *f, double largest)
{
    bool cut = false;
    memset(f->w->bias, 0, (size_t)f->p.row_count * sizeof(double));
    for (int c = 0; c < f->p.contact_count; ++c) {
        double speed = flow_speed(f, f->w->y)[c];
        f->w->bias[c] = fmin(speed, largest);
        cut = cut || speed > largest;
    }
    return cut;
}

static bool cut_one_closes(const flow *f)
{
    for (int c = 0; c < f->p.contact_count; ++c) {
        if (f->w->closed[c] && flow_speed(f, f->w->y)[c] > f->w->bias[c]) {
            return true;
        }
    }
    return false;
}

/* One piece of the way on which all that approach come to rest. */
static strike_outcome stop_piece(flow *f)
{
    bool ended;
    set_mode(f, FLOW_STOPPING);
    bool cut = set_bias(f, MATTERS * several_fastest_approach(f, f->w->y));
    strike_outcome outcome = flow_begin_piece(f);
    if (cut && outcome == STRIKE_OK && cut_one_closes(f)) {
        set_bias(f, HUGE_VAL);
        outcome = flow_begin_piece(f);
    }
    if (outcome == STRIKE_INCONSISTENT) {
        return push_through(f, f->until);
    }
    outcome = flow_run(f, 1.0, &ended);
    several_record(f);
    return outcome;
}

/* Until nothing approaches. Redundant contacts may keep a little, by rounding, that no impulse takes away. Where piece after
 * piece leads nowhere, the contact that approaches fastest is pushed by itself for a while. */
static strike_outcome stop_all(flow *f)
{
    enum { ENOUGH = 20, STALLED = 3 };
    int stalls = 0;
    int all_stalls = 0;
    for (int i = 0; i < STOP_LIMIT && all_stalls < 4 * STALLED && !carom_stop_asked(f->p.stop); ++i) {
        double approach = several_fastest_approach(f, f->w->y) / f->speed;
        if (approach <= APPROACHES || (i > ENOUGH && approach <= ENOUGH_LEFT)) {
            return STRIKE_OK;
        }
        strike_outcome outcome = stalls < STALLED
                                     ? stop_piece(f)
                                     : push_through(f, several_fastest_contact(&f->p, flow_speed(f, f->w->y), 0.0));
        if (outcome != STRIKE_OK) {
            return outcome;
        }
        bool stalled = f->mode == FLOW_STOPPING && *flow_parameter(f, f->w->y) < NO_WAY;
        stalls = stalled ? stalls + 1 : 0;
        all_stalls += stalled;
    }
    return STRIKE_ENDLESS;
}

/* ---- together ----------------------------------------------------------------------------------------------------- */

/* Expansion from w->kept with all e in this proportion, and what then approaches stopped again. */
static strike_outcome expand(flow *f, double proportion)
{
    struct strike_all_work *w = f->w;
    memcpy(w->y, w->kept, (size_t)f->size * sizeof(double));
    set_mode(f, FLOW_GIVEN);
    bool ended = false;
    double any = 0.0;
    for (int i = 0; !ended && i < PIECE_LIMIT && !carom_stop_asked(f->p.stop); ++i) {
        for (int c = 0; c < f->p.contact_count; ++c) {
            w->normal[c] = proportion * f->defs[c].restitution * flow_compression(f, w->kept)[c];
            any = fmax(any, w->normal[c]);
        }
        if (any == 0.0) {
            break;
        }
        strike_outcome outcome = flow_begin_piece(f);
        outcome = outcome == STRIKE_OK ? flow_run(f, 1.0, &ended) : outcome;
        several_record(f);
        if (outcome != STRIKE_OK) {
            return outcome;
        }
    }
    return ended || any == 0.0 ? stop_all(f) : STRIKE_ENDLESS;
}

/* Energy grows with friction: the largest proportion of all e for which it does not. */
static strike_outcome expand_less(flow *f)
{
    double low = 0.0;
    double high = 1.0;
    strike_outcome outcome = STRIKE_OK;
    for (int i = 0; i < HALVINGS && outcome == STRIKE_OK; ++i) {
        double middle = 0.5 * (low + high);
        outcome = expand(f, middle);
        *(several_energy_grew(f, f->w->y) ? &high : &low) = middle;
    }
    return outcome == STRIKE_OK ? expand(f, low) : outcome;
}

strike_outcome several_stop_and_expand(flow *f)
{
    strike_outcome outcome = stop_all(f);
    if (outcome != STRIKE_OK) {
        return outcome;
    }
    several_mark_compression_end(f);
    memcpy(f->w->kept, f->w->y, (size_t)f->size * sizeof(double));
    outcome = expand(f, 1.0);
    if (outcome == STRIKE_OK && several_energy_grew(f, f->w->y)) {
        outcome = expand_less(f);
    }
    memcpy(flow_compression(f, f->w->y), flow_compression(f, f->w->kept),
           (size_t)f->p.contact_count * sizeof(double));
    return outcome;
}
