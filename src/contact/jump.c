#include "contact/jump.h"

#include <string.h>

#include "dynamics/step.h"

double jump_energy_lost(const row_jump *jump, int first, int count)
{
    double lost = 0.0;
    for (int k = first; k < first + count; ++k) {
        lost -= 0.5 * jump->impulse[k] * (jump->before[k] + jump->after[k]);
    }
    return lost;
}

/* Work of prescribed motion and external impulse, of the contacts themselves and of the joints that pass it on. */
static void count_impulses(const row_responses *r, const double *impulse, carom_scratch *w)
{
    memset(&w->power, 0, sizeof w->power);
    memset(w->sigma, 0, (size_t)r->model->row_count * sizeof *w->sigma);
    response_add_multipliers(r, impulse, w->sigma);
    response_count(r, w, impulse);
    work_count_reactions(w);
}

void jump_velocities(const row_responses *r, const row_jump *jump, carom_scratch *w, carom_state *s)
{
    memcpy(jump->before, jump->after, (size_t)r->count * sizeof *jump->before);
    count_impulses(r, jump->impulse, w);
    response_apply(r, jump->impulse, (changing_rates){ s->rate, s->q_dot });
    memcpy(w->rate, s->rate, (size_t)r->model->body_count * sizeof *w->rate);
    for (int i = 0; i < r->model->deform_count; ++i) {
        w->q_dot[i] = s->q_dot[i];
    }
    response_velocities(r, w, rates_of(work_motion(w)), jump->after);
    w->power.work[ACCOUNT_IMPACT] += jump_energy_lost(jump, 0, r->count);
    ledger_add_sums(s, &w->power);
}
