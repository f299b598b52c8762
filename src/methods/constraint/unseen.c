/* Rigid bodies meet by corners and balls: edges that cross pass through each other. Where two of them are inside each other at the end of a step, and
 * nothing of the two presses, the run is told so. */
#include "contact/unseen.h"

#include "methods/constraint/constraint_work.h"
#include "model/finding.h"

static bool presses(const constraint_work *cw, int a, int b)
{
    for (int k = 0; k < cw->sum_count; ++k) {
        const int *body = cw->sums[k].last.body;
        if ((body[0] == a && body[1] == b) || (body[0] == b && body[1] == a)) {
            return true;
        }
    }
    return false;
}

bool note_unseen(const constraint_work *cw, carom_scratch *w, const carom_state *s)
{
    const model_collider *c = cw->model->colliders;
    const box_pair *pairs;
    size_t count;
    near_place(cw->rigid, s->pose, s->q, NULL);
    if (!near_find(cw->rigid, &pairs, &count)) {
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        int a = pairs[k].a, b = pairs[k].b;
        double depth = presses(cw, c[a].body, c[b].body) ? 0.0 : unseen_depth(cw->rigid, a, b);
        double most = unseen_noticeable(cw->rigid, a, b);
        if (depth > most) {
            finding_note(&w->findings, CAROM_FINDING_UNSEEN_OVERLAP, finding_at_pair(c[a].body, c[b].body), depth,
                         most, *s->time);
        }
    }
    return true;
}
