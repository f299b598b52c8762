#include "dynamics/step.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/dense.h"

/* ---- to go back ---------------------------------------------------------------------------------------------------- */

carom_status step_begin(const carom_step_context *c)
{
    const carom_state *s = c->state;
    kept_step *kept = &c->scratch->kept;
    kept->findings = c->scratch->findings.count;
    kept->data = kept->data ? kept->data : malloc(s->size * sizeof *kept->data);
    if (!kept->data || !contact_records_copy(&kept->records, &s->contacts)) {
        return carom_fail(c->err, CAROM_NO_MEMORY, "out of memory for the state before the step");
    }
    memcpy(kept->data, s->data, s->size * sizeof *kept->data);
    return CAROM_OK;
}

void step_abort(const carom_step_context *c)
{
    carom_state *s = c->state;
    const kept_step *kept = &c->scratch->kept;
    c->scratch->findings.count = kept->findings;
    memcpy(s->data, kept->data, s->size * sizeof *kept->data);
    contact_records_copy(&s->contacts, &kept->records); /* there was room for them before */
}

void step_keep_findings(carom_scratch *w, size_t from)
{
    finding_list *list = &w->findings;
    for (size_t k = from; k < list->count; ++k) {
        finding kept = list->items[k];
        list->items[k] = list->items[w->kept.findings];
        list->items[w->kept.findings++] = kept;
    }
}

/* ---- from one end to the other -------------------------------------------------------------------------------------- */

void step_open(carom_scratch *w, const carom_state *s, carom_step_report *report)
{
    *report = (carom_step_report){ .distance = HUGE_VAL };
    w->dense->smooth = false;
    dense_take(&w->dense->begin, s, w->model);
}

void step_commit(carom_scratch *w, carom_state *s, carom_step_report *report)
{
    dense_take(&w->dense->end, s, w->model);
    *s->step_count += 1.0;
    *s->last_step = *s->time - w->dense->begin.t;
    report->dt = *s->last_step;
    report->next = *s->step;
}

/* ---- the ledger ------------------------------------------------------------------------------------------------------ */

void ledger_add(carom_state *s, int account, double joules)
{
    s->sums->work[account] += joules;
}

void ledger_add_sums(carom_state *s, const ledger_sums *jump)
{
    for (int k = 0; k < ACCOUNT_COUNT; ++k) {
        ledger_add(s, k, jump->work[k]);
    }
    s->sums->impulse = v3_add(s->sums->impulse, jump->impulse);
    s->sums->angular_impulse = v3_add(s->sums->angular_impulse, jump->angular_impulse);
}
