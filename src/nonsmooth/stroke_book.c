/* What an impact has stored, spent and seen so far [Stronge1990]. What compression leaves to be given back is one number: its
 * impulse (Poisson), its energy (energetic law). That way recompression, which friction can bring about in the midst of
 * restitution, needs no rule of its own. */
#include <string.h>

#include "nonsmooth/stroke.h"

void strike_clear(const reduced_problem *p, strike_result *out)
{
    memset(out->impulse, 0, (size_t)p->row_count * sizeof(double));
    memset(out->compression, 0, (size_t)p->contact_count * sizeof(double));
    out->work_normal = 0.0;
    out->work_friction = 0.0;
    out->steps = 0;
    out->jammed = -1;
    out->cut_short = false;
    out->held = false;
    out->accuracy = out->asked = 0.0;
    if (out->history) {
        out->history->count = 0;
    }
}

void stroke_store(stroke *s, double dP, double work)
{
    bool energetic = s->def->law == STRIKE_ENERGETIC;
    double amount = energetic ? -work : dP;
    double factor = energetic ? s->def->restitution * s->def->restitution : s->def->restitution;
    if (!s->restitution) {
        s->stored += amount;
        s->out->compression[s->contact] += dP;
    } else if (factor > 0.0) {
        s->stored -= fabs(amount) / factor;
    }
    s->P += dP;
    s->out->work_normal += work;
}

/* The newest step of the history; NULL: it is not kept. */
static strike_step *newest(strike_history *history)
{
    bool kept = history && history->count > 0 && history->count <= STRIKE_HISTORY;
    return kept ? &history->step[history->count - 1] : NULL;
}

static void record_states(stroke *s, strike_history *history)
{
    size_t count = (size_t)s->p->element_count;
    if (history->state) {
        memcpy(history->state + (size_t)(history->count - 1) * count, s->w->state, count * sizeof(friction_state));
    }
}

void stroke_record(stroke *s)
{
    strike_history *history = s->out->history;
    s->out->steps += s->going_on ? 0 : 1;
    if (history) {
        history->count += s->going_on ? 0 : 1;
    }
    strike_step *step = newest(history);
    if (step) {
        bool jam = s->going_on ? step->jam : s->jam;
        *step = (strike_step){ .contact = s->contact, .P = s->P, .jam = jam };
    }
    if (step && !s->going_on) {
        record_states(s, history);
    }
    s->jam = false;
}

void stroke_record_end_of_compression(stroke *s)
{
    strike_step *step = newest(s->out->history);
    if (step) {
        step->compression_end = true;
    }
}
