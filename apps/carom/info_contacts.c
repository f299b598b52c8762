/* Who touched whom, and how hard. */
#include "info.h"
#include "table.h"

static const char *name_of(const info *i, carom_id body)
{
    return carom_result_body_name(i->result, body);
}

static void print_overview(const info *i, const carom_contact_overview *o)
{
    if (o->most_points == 0) {
        print_line("  no recorded frame holds a contact: they are shorter than the time between frames");
        return;
    }
    print_line("  In the recorded frames:");
    print_wrapped(24, "most points at once   %zu, at t = %.6g s", o->most_points, o->most_points_at);
    if (o->penetration > 0.0) {
        print_wrapped(24, "deepest penetration   %.4g m, at t = %.6g s, '%s' and '%s'", o->penetration,
                      o->penetration_at, name_of(i, o->penetration_body[0]), name_of(i, o->penetration_body[1]));
    }
    if (o->force > 0.0) {
        print_wrapped(24, "largest point force   %.5g N, at t = %.6g s, '%s' and '%s'", o->force, o->force_at,
                      name_of(i, o->force_body[0]), name_of(i, o->force_body[1]));
    }
}

static void print_pairs(const info *i, const carom_result_pair *pairs, size_t count)
{
    enum { SOME_PAIRS = 12 };
    static const char *const titles[] = { "A", "B", "from [s]", "for [s]", "peak [N]", "impulse [Ns]", "deep [m]" };
    table t;
    size_t shown = !i->all && count > SOME_PAIRS ? SOME_PAIRS : count;
    table_init(&t, 7, titles, "llrrrrr");
    for (size_t k = 0; k < shown; ++k) {
        table_cell(&t, "%s", name_of(i, pairs[k].body[0]));
        table_cell(&t, "%s", name_of(i, pairs[k].body[1]));
        table_number(&t, pairs[k].first_touch, 5);
        table_number(&t, pairs[k].in_contact, 4);
        table_number(&t, pairs[k].peak_force, 4);
        table_number(&t, pairs[k].impulse, 4);
        table_number(&t, pairs[k].penetration, 3);
    }
    table_print(&t);
    if (shown < count) {
        print_line("  and %s%zu more pairs with smaller forces; --all shows %s",
                   count == CAROM_PAIRS_MOST ? "at least " : "", count - shown,
                   count == CAROM_PAIRS_MOST ? "some" : "them");
    } else if (count == CAROM_PAIRS_MOST) {
        print_line("  perhaps more pairs, with smaller forces");
    }
}

carom_status info_print_contacts(const info *i, carom_error *err)
{
    carom_result_pair *pairs = NULL;
    size_t count = 0;
    carom_contact_overview overview;
    if (!carom_result_has_contacts(i->result)) {
        return CAROM_OK;
    }
    carom_status status = carom_result_pairs(i->result, &pairs, &count, err);
    status = status == CAROM_OK ? carom_result_contact_overview(i->result, &overview, err) : status;
    if (status == CAROM_OK) {
        print_heading("Contacts");
    }
    if (status == CAROM_OK && count == 0) {
        bool all = carom_result_pairs_of_steps(i->result);
        print_line(all ? "  none" : "  none in the recorded frames; shorter touches are not seen");
    } else if (status == CAROM_OK) {
        print_pairs(i, pairs, count);
        if (!carom_result_pairs_of_steps(i->result)) {
            print_wrapped(2, "of recorded frames only, as there is no summary.json: shorter touches are not seen");
        }
        print_overview(i, &overview);
    }
    carom_result_pairs_destroy(pairs);
    return status;
}
