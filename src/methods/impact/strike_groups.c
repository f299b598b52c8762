/* Impacts of all groups that are struck at an instant.
 *
 * A group are contacts and joints with friction that have to do with each other: a push along one moves another, or loads
 * its bearing. Groups know nothing of each other, so all that approach are struck in one round, each as a problem of its
 * own, and each has its own count of rounds: however many there are, none is cut short because of another. */
#include "methods/impact/instant.h"

#include <string.h>

#include "base/union_find.h"

/* Couplings below this part of what both rows do to themselves are rounding of the solves. */
static const double COUPLED = 1e-11;

/* ---- who has to do with whom ---------------------------------------------------------------------------------------- */

static void join_coupled(const reduction *r, int *parent)
{
    int n = r->problem.row_count;
    for (int k = 0; k < n; ++k) {
        const double *D = r->D + (size_t)k * (size_t)n;
        for (int l = 0; l < k; ++l) {
            if (D[l] != 0.0 && fabs(D[l]) > COUPLED * sqrt(D[k] * r->D[(size_t)l * (size_t)n + (size_t)l])) {
                set_unite(parent, k, l);
            }
        }
    }
}

/* Friction of a contact follows its normal impulse. */
static void join_contact(const friction_element *e, int *parent)
{
    for (int i = 0; i < e->dim; ++i) {
        set_unite(parent, e->contact, e->first_row + i);
    }
}

/* Friction of a joint follows its loads, and these what pushes. */
static void join_joint(const reduction *r, const friction_element *e, int *parent)
{
    const reduced_problem *p = &r->problem;
    int first = p->groups[e->first_group].first;
    int last = e->group_count > 0 ? first : first - 1;
    for (int g = 0; g < e->group_count; ++g) {
        const load_group *group = &p->groups[e->first_group + g];
        last = group->first + group->dim - 1;
    }
    for (int i = 1; i < e->dim; ++i) {
        set_unite(parent, e->first_row, e->first_row + i);
    }
    for (int i = first; i <= last; ++i) {
        const double *B = p->B + (size_t)i * (size_t)p->row_count;
        double most = 0.0;
        for (int k = 0; k < p->row_count; ++k) {
            most = fmax(most, fabs(B[k]));
        }
        for (int k = 0; k < p->row_count; ++k) {
            if (fabs(B[k]) > COUPLED * most) {
                set_unite(parent, e->first_row, k);
            }
        }
    }
}

/* Groups are numbered in the order of their first rows. */
static int number_groups(int *parent, int rows, int *group)
{
    int count = 0;
    for (int k = 0; k < rows; ++k) {
        int root = set_root(parent, k);
        group[k] = root == k ? count++ : group[root];
    }
    return count;
}

/* The whole problem with groups as its islands; no rates, which an impact does not know. False when memory runs out. */
static bool find_groups(const instant *now, reduced_problem *out)
{
    const reduction *r = &now->iw->reduced;
    int n = r->problem.row_count;
    int *parent = CAROM_ARENA_ARRAY(&now->iw->moment, int, n + 1);
    int *group = CAROM_ARENA_ARRAY(&now->iw->moment, int, n + 1);
    if (!parent || !group) {
        return false;
    }
    for (int k = 0; k < n; ++k) {
        parent[k] = k;
    }
    join_coupled(r, parent);
    for (int e = 0; e < r->problem.element_count; ++e) {
        if (r->elements[e].contact >= 0) {
            join_contact(&r->elements[e], parent);
        } else {
            join_joint(r, &r->elements[e], parent);
        }
    }
    *out = r->problem;
    out->rate = NULL;
    out->load = NULL;
    out->island_count = number_groups(parent, n, group);
    out->island = group;
    return true;
}

/* ---- rounds --------------------------------------------------------------------------------------------------------- */

/* Where rounds of two bodies are counted: their mechanisms; where neither moves, the last place, which such share. */
static void rounds_at(const instant *now, const int body[2], int *place[2])
{
    int component[2];
    for (int side = 0; side < 2; ++side) {
        component[side] = response_component(now->w, body[side]);
    }
    for (int side = 0; side < 2; ++side) {
        int own = component[side] >= 0 ? component[side] : component[!side];
        place[side] = &now->iw->rounds[own >= 0 ? own : now->iw->model->free_count];
    }
}

int instant_rounds(const instant *now, const int body[2])
{
    int *place[2];
    rounds_at(now, body, place);
    return *place[0] > *place[1] ? *place[0] : *place[1];
}

void instant_count_round(const instant *now, const int body[2], int round)
{
    int *place[2];
    rounds_at(now, body, place);
    for (int side = 0; side < 2; ++side) {
        *place[side] = *place[side] > round ? *place[side] : round;
    }
}

static int rounds_of_part(const instant *now, const reduced_part *part)
{
    int most = 0;
    for (int k = 0; k < part->problem.row_count; ++k) {
        int here = instant_rounds(now, now->iw->reduced.responses.rows[part->row[k]].body);
        most = here > most ? here : most;
    }
    return most;
}

static void count_part(const instant *now, const reduced_part *part, int round)
{
    for (int k = 0; k < part->problem.row_count; ++k) {
        instant_count_round(now, now->iw->reduced.responses.rows[part->row[k]].body, round);
    }
}

/* ---- striking -------------------------------------------------------------------------------------------------------- */

static carom_status strike_failed(const instant *now, const reduced_part *part, strike_outcome outcome)
{
    const contact *s = &now->iw->found.items[part->row[0]];
    bool several = part->problem.contact_count > 1; /* rules for several contacts are of no use to one alone */
    return carom_fail(
        now->c->err, CAROM_NOT_CONVERGED,
        "the impact between '%.80s' and '%.80s' at t = %.9g s has no end (%s, %d contacts); try %s%sanother "
        "contact.restitution_law",
        body_name(now, s->body[0]), body_name(now, s->body[1]), *now->s->time,
        outcome == STRIKE_ENDLESS ? "too many changes of slip" : "no state of friction fits",
        part->problem.contact_count, several ? instant_other_rule(now) : "", several ? ", or " : "");
}

/* What the solver of an impact had to be content with; the contact is its first. */
static void note_strike(const instant *now, const contact *first, const strike_result *result)
{
    if (result->cut_short) {
        instant_note(now, CAROM_FINDING_IMPACT_CUT_SHORT, first, (double)NAN, (double)NAN);
    } else if (result->accuracy > 0.0) {
        instant_note(now, CAROM_FINDING_IMPACT_LOOSENED, first, result->accuracy, result->asked);
    }
    if (result->held) {
        instant_note(now, CAROM_FINDING_FRICTION_ROUGH, first, (double)NAN, (double)NAN);
    }
}

/* Impulses of one group into r->impulse; `only`: the contact of the part that is struck alone, without collision, or -1. */
static carom_status strike_part(const instant *now, const reduced_part *part, int only, int *jammed)
{
    reduction *r = &now->iw->reduced;
    int rows = part->problem.row_count;
    int contacts = part->problem.contact_count;
    double *u = CAROM_ARENA_ARRAY(&now->iw->moment, double, 3 * rows);
    strike_contact *defs = CAROM_ARENA_ARRAY(&now->iw->moment, strike_contact, contacts + 1);
    if (!u || !defs) {
        return no_memory(now);
    }
    strike_result result = { .impulse = u + rows, .compression = u + 2 * rows, .jammed = -1 };
    for (int k = 0; k < rows; ++k) {
        u[k] = r->u[part->row[k]];
    }
    for (int c = 0; c < contacts; ++c) {
        defs[c] = now->iw->found.items[part->row[c]].law;
    }
    int one = contacts == 1 ? 0 : only;
    strike_options options = { .rule = now->options->rule, .exponent = now->options->exponent };
    strike_outcome outcome = one >= 0 ? strike_one(r->strike, &part->problem, one, &defs[one], u, &result)
                                      : strike_all(r->strike, &part->problem, defs, &options, u, &result);
    if (outcome != STRIKE_OK) {
        return carom_stop_seen(&now->w->stop) ? work_interrupted(now->w, now->c->err)
                                              : strike_failed(now, part, outcome);
    }
    if (carom_stop_seen(&now->w->stop)) {
        return work_interrupted(now->w, now->c->err);
    }
    note_strike(now, &now->iw->found.items[part->row[0]], &result);
    for (int k = 0; k < rows; ++k) {
        r->impulse[part->row[k]] = result.impulse[k];
    }
    *jammed = result.jammed >= 0 ? part->element[result.jammed] : -1;
    return CAROM_OK;
}

/* Part of a group: the whole without rates. */
static void take_part(reduction *r, const reduced_problem *whole, int group)
{
    reduced_part_take(&r->part, whole, group);
    r->part.problem.rate = NULL;
    r->part.problem.load = NULL;
}

/* Which groups approach. False when memory runs out. */
static bool *find_approaching(const instant *now, const reduced_problem *whole)
{
    bool *approaches = CAROM_ARENA_ARRAY(&now->iw->moment, bool, whole->island_count + 1);
    for (int c = 0; approaches && c < whole->contact_count; ++c) {
        approaches[whole->island[c]] = approaches[whole->island[c]] || instant_approaches(now, c);
    }
    return approaches;
}

/* Contacts that approach after some rounds although nothing can stop them are refused. */
static carom_status check_infeasible(const instant *now, const reduced_problem *whole, const bool *suspicious)
{
    reduction *r = &now->iw->reduced;
    carom_status status = CAROM_OK;
    for (int g = 0; g < whole->island_count && status == CAROM_OK; ++g) {
        if (suspicious[g]) {
            take_part(r, whole, g);
            status = instant_check_infeasible(now, &r->part);
        }
    }
    return status;
}

typedef struct struck {
    bool any;
    bool *suspicious; /* groups: struck several times by now */
    int *jammed;      /* groups: the element of a joint that has locked, or -1 */
} struck;

/* The contact of a group that still approaches fastest. */
static void note_stopped(const instant *now, const reduced_part *part)
{
    const double *u = now->iw->reduced.u;
    int fastest = part->row[0];
    for (int c = 1; c < part->problem.contact_count; ++c) {
        fastest = u[part->row[c]] < u[fastest] ? part->row[c] : fastest;
    }
    const contact *s = &now->iw->found.items[fastest];
    instant_note(now, CAROM_FINDING_IMPACTS_STOPPED, s, -u[fastest] / contact_arm(s, now->iw->model), (double)NAN);
}

static carom_status strike_group(const instant *now, const reduced_problem *whole, int g, struck *out)
{
    enum { PATIENCE = 40, SUSPICIOUS = 3 };
    reduction *r = &now->iw->reduced;
    take_part(r, whole, g);
    int round = rounds_of_part(now, &r->part);
    if (round >= PATIENCE) { /* what still approaches is stopped with what stays in touch */
        if (round == PATIENCE) {
            note_stopped(now, &r->part);
            count_part(now, &r->part, round + 1);
        }
        return CAROM_OK;
    }
    out->any = true;
    out->suspicious[g] = round + 1 == SUSPICIOUS;
    carom_status status = instant_check_driven(now, &r->part);
    if (status == CAROM_OK) {
        status = strike_part(now, &r->part, -1, &out->jammed[g]);
    }
    count_part(now, &r->part, round + 1);
    return status;
}

static carom_status announce_struck(const instant *now, const reduced_problem *whole, const struck *s)
{
    bool ok = announce_impacts(now, whole);
    for (int g = 0; g < whole->island_count && ok; ++g) {
        ok = announce_jam(now, s->jammed[g]);
    }
    return ok ? CAROM_OK : no_memory(now);
}

carom_status instant_strike(const instant *now, bool *again)
{
    reduction *r = &now->iw->reduced;
    reduced_problem whole;
    if (!find_groups(now, &whole)) {
        return no_memory(now);
    }
    size_t groups = (size_t)whole.island_count;
    const bool *approaches = find_approaching(now, &whole);
    struck s = { .suspicious = CAROM_ARENA_ARRAY(&now->iw->moment, bool, groups + 1),
                 .jammed = CAROM_ARENA_ARRAY(&now->iw->moment, int, groups + 1) };
    if (!approaches || !s.suspicious || !s.jammed) {
        return no_memory(now);
    }
    memset(r->impulse, 0, (size_t)whole.row_count * sizeof *r->impulse);
    carom_status status = CAROM_OK;
    for (int g = 0; g < whole.island_count && status == CAROM_OK; ++g) {
        s.jammed[g] = -1;
        status = approaches[g] ? strike_group(now, &whole, g, &s) : CAROM_OK;
    }
    if (status != CAROM_OK || !s.any) {
        return status;
    }
    *again = true;
    instant_jump(now);
    status = announce_struck(now, &whole, &s);
    return status == CAROM_OK ? check_infeasible(now, &whole, s.suspicious) : status;
}

static bool any_impulse(const reduction *r)
{
    for (int k = 0; k < r->problem.row_count; ++k) {
        if (r->impulse[k] != 0.0) {
            return true;
        }
    }
    return false;
}

carom_status instant_strike_alone(const instant *now, int k, bool *moved)
{
    reduction *r = &now->iw->reduced;
    reduced_problem whole;
    int jammed = -1;
    if (!find_groups(now, &whole)) {
        return no_memory(now);
    }
    take_part(r, &whole, whole.island[k]);
    memset(r->impulse, 0, (size_t)whole.row_count * sizeof *r->impulse);
    carom_status status = strike_part(now, &r->part, r->part.place[k], &jammed);
    if (status != CAROM_OK) {
        return status;
    }
    *moved = any_impulse(r);
    if (!*moved) {
        return CAROM_OK;
    }
    instant_jump(now);
    return announce_impacts(now, &whole) && announce_jam(now, jammed) ? CAROM_OK : no_memory(now);
}
