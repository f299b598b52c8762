/* What fixed steps do not do, refused by name; and whether a run may begin where its state stands. */
#include <math.h>

#include "base/error_list.h"
#include "dynamics/integrator.h"
#include "methods/impact/fixed_work.h"
#include "model/colliders.h"

static const double ROUNDING = 1e-6; /* of the smaller shape: overlaps of a start that count as touching */

static carom_status refuse_law(const carom_model *m, carom_error *err)
{
    carom_fail(
        err, CAROM_BAD_INPUT,
        "fixed steps know Newton's restitution only; write \"restitution_law\": \"newton\" or leave it out, or "
        "leave out \"stepping\": Poisson's and the energetic law belong to events");
    return model_blame_setting(m, "contact.restitution_law", CAROM_BAD_INPUT, err);
}

static bool law_is_known(carom_restitution_law law)
{
    return law == CAROM_RESTITUTION_DEFAULT || law == CAROM_RESTITUTION_NEWTON;
}

static carom_status check_laws(const carom_model *m, carom_error *err)
{
    const carom_contact_def *contact = &m->scene.contact;
    const carom_contact_pair_def *pairs = contact->pairs.items;
    bool known = law_is_known(contact->interaction.restitution_law);
    for (size_t k = 0; k < contact->pairs.count; ++k) {
        known = known && law_is_known(pairs[k].interaction.restitution_law);
    }
    return known ? CAROM_OK : refuse_law(m, err);
}

carom_status fixed_check(const carom_model *model, const void *options, carom_error *err)
{
    const impact_options *o = options;
    carom_status status = check_laws(model, err);
    if (o->tolerance != 0.0 && !(o->tolerance >= 1e-12 && o->tolerance <= 1e-2)) {
        carom_fail(err, CAROM_BAD_INPUT, "contact.tolerance must be between 1e-12 and 0.01, not %g", o->tolerance);
        status = error_worse(status, model_blame_setting(model, "contact.tolerance", CAROM_BAD_INPUT, err));
    }
    return error_worse(status, dynamics_check(model, err));
}

carom_status fixed_admit(const carom_state *state, carom_scratch *scratch, carom_error *err)
{
    fixed_work *fw = scratch->contact;
    const carom_model *m = fw->model;
    const box_pair *pairs = NULL;
    size_t count = 0;
    near_place(fw->near, state->pose, NULL, NULL);
    bool ok = near_find(fw->near, &pairs, &count);
    for (size_t k = 0; ok && k < count; ++k) {
        const box_pair *p = &pairs[k];
        double size = fmin(model_collider_size(&m->colliders[p->a]), model_collider_size(&m->colliders[p->b]));
        double gap = 0.0;
        if (obb_gap(&fw->near->box_w[p->a], &fw->near->box_w[p->b]) < 0.0) {
            ok = model_pair_gap(m, p->a, p->b, fw->near->pose_w, 0.0, &gap);
        }
        if (ok && -gap > ROUNDING * (isfinite(size) ? size : m->length_scale)) {
            int a = m->colliders[p->a].body;
            int b = m->colliders[p->b].body;
            carom_fail(
                err, CAROM_INTERSECTING,
                "'%.100s' and '%.100s' start %.3g m inside each other; the method 'impact' needs a start without "
                "overlap: move them apart, or let them ignore each other in contact.pairs",
                m->bodies[a].name, m->bodies[b].name, -gap);
            return model_blame_body(m, a > b ? a : b, NULL, CAROM_INTERSECTING, err);
        }
    }
    return ok ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
}
