/* Pairs that are inside each other without a point of contact that sees it: where detection points lie too far apart, two
 * bodies can pass through each other as if neither were there. */
#include "methods/compliant/unseen.h"

#include "contact/unseen.h"

static bool touches_elsewhere(const compliant_work *t, const int body[2])
{
    for (size_t k = 0; k < t->pair_count; ++k) {
        int other[2];
        broad_pair_bodies(t, &t->pairs[k], other);
        if (t->pairs[k].count > 0 && other[0] == body[0] && other[1] == body[1]) {
            return true;
        }
    }
    return false;
}

void unseen_note(const compliant_work *t, carom_scratch *w)
{
    for (size_t k = 0; k < t->pair_count; ++k) {
        const broad_pair *pair = &t->pairs[k];
        if (pair->joint >= 0 || pair->skin >= 0 || pair->count > 0) {
            continue;
        }
        double depth = unseen_depth(t->near, pair->a, pair->b);
        int body[2];
        broad_pair_bodies(t, pair, body);
        double most = unseen_noticeable(t->near, pair->a, pair->b);
        if (depth > most && !touches_elsewhere(t, body)) {
            finding_note(&w->findings, CAROM_FINDING_UNSEEN_OVERLAP, finding_at_pair(body[0], body[1]), depth, most,
                         w->t);
        }
    }
}
