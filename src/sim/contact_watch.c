/* Events of contact, found by comparing the ends of steps.
 *
 * A pair of bodies is seen where it pushes hardest: the contact point with the largest force, of equal ones the
 * deepest. Steps do not end at events, so their times are interpolated inside the step:
 * - contact on: back from the end, by the depth reached there over the mean of the speeds before and after. The speed
 *   before is that of the beginning carried on by the accelerations there, because contact forces act only after the
 *   touch; at the touch it is the speed of the event.
 * - contact off: on from the beginning, by the depth left there over the mean of the speeds; the speed is that of the
 *   end.
 * - stick, slip: where the slip speed, taken as linear in time, passes the bound of the friction law.
 * What begins and ends within one step is not seen. */
#include "sim/contact_watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/contact.h"
#include "dynamics/dense.h"
#include "model/method.h"
#include "sim/judge.h"

/* ---- one pair ---------------------------------------------------------------------------------------------------- */

double contact_watch_apart(const carom_scratch *w, const touching_pair *pair, const body_rate *rate)
{
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        int body = pair->body[side];
        v3 r = v3_sub(pair->p_w, w->pose[body].x_w);
        sum += (side == 0 ? 1.0 : -1.0) * v3_dot(point_velocity(&rate[body], r), pair->normal_w);
    }
    return sum;
}

/* NULL where friction does not act. */
static const friction_speeds *speeds_of(const model_interaction *interaction, friction_speeds *room)
{
    const carom_friction_law *friction = interaction ? interaction->friction : NULL;
    if (!friction || !friction->speeds) {
        return NULL;
    }
    *room = friction->speeds(interaction->friction_params);
    return room->stick > 0.0 ? room : NULL;
}

/* A pair of bodies may have several surfaces, with and without friction: where it pushes hardest without, it goes on. */
static contact_mode mode_of(double slip, const friction_speeds *speeds, contact_mode before)
{
    if (!speeds) {
        return before;
    }
    if (slip > speeds->stick && slip <= speeds->slide && before != CONTACT_FRICTIONLESS) {
        return before;
    }
    return slip > speeds->stick ? CONTACT_SLIPS : CONTACT_STICKS;
}

static touching_pair pair_at(const carom_scratch *w, const carom_contact_point *point)
{
    touching_pair pair = { .body = { point->body[0], point->body[1] },
                           .gap = point->gap,
                           .slip = v3_norm(point->slip),
                           .p_w = point->position,
                           .normal_w = point->normal };
    pair.speed = contact_watch_apart(w, &pair, w->rate);
    return pair;
}

/* ---- its events -------------------------------------------------------------------------------------------------- */

static double within_step(const carom_scratch *w, double t)
{
    return fmin(fmax(t, w->dense->begin.t), w->t);
}

static bool push(carom_scratch *w, carom_event_kind kind, const touching_pair *pair, double t, double speed)
{
    if (w->model->method->announces) {
        return true;
    }
    return event_list_push(&w->events, (carom_event){ .t = t,
                                                      .kind = kind,
                                                      .body = { pair->body[0], pair->body[1] },
                                                      .position = pair->p_w,
                                                      .normal = pair->normal_w,
                                                      .speed = speed,
                                                      .joint = CAROM_NONE });
}

static bool push_on(carom_scratch *w, const touching_pair *pair, bool at_start)
{
    if (at_start) {
        return push(w, CAROM_EVENT_CONTACT_ON, pair, w->t, pair->speed);
    }
    const dense_end *begin = &w->dense->begin;
    double speed = contact_watch_apart(w, pair, begin->rate);
    double change = contact_watch_apart(w, pair, begin->acceleration);
    double free_end = speed + change * (w->t - begin->t);
    double mean = 0.5 * (free_end + pair->speed);
    if (!(free_end < 0.0 && mean < 0.0)) { /* they came together sideways, or are parting already */
        return push(w, CAROM_EVENT_CONTACT_ON, pair, w->t, pair->speed);
    }
    double t = within_step(w, w->t - pair->gap / mean);
    return push(w, CAROM_EVENT_CONTACT_ON, pair, t, speed + change * (t - begin->t));
}

static bool push_off(carom_scratch *w, const touching_pair *pair)
{
    double begin = w->dense->begin.t;
    double speed = contact_watch_apart(w, pair, w->rate);
    double mean = 0.5 * (pair->speed + speed);
    double t = mean > 0.0 ? within_step(w, begin - pair->gap / mean) : w->t;
    return push(w, CAROM_EVENT_CONTACT_OFF, pair, t, speed);
}

/* A pair that keeps touching and has changed between sticking and sliding. */
static bool push_change(carom_scratch *w, const touching_pair *before, const touching_pair *now,
                        const friction_speeds *speeds)
{
    bool sticks = now->mode == CONTACT_STICKS;
    double bound = sticks ? speeds->stick : speeds->slide;
    double begin = w->dense->begin.t;
    double share = (before->slip - bound) / (before->slip - now->slip);
    double t = within_step(w, begin + share * (w->t - begin));
    return push(w, sticks ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP, now, t, now->speed);
}

/* What happens at a point of the list that the method has last given. */
static const model_interaction *interaction_at(const carom_scratch *w, const carom_contact_point *points,
                                               const carom_contact_point *point)
{
    return w->model->method->forces->interaction(w->contact, (int)(point - points));
}

/* What is seen of a pair at its hardest point; `before` is NULL for one that did not touch. */
static bool see(contact_watch *watched, carom_scratch *w, const carom_contact_point *point,
                const model_interaction *interaction, const touching_pair *before, bool at_start)
{
    friction_speeds room;
    const friction_speeds *speeds = speeds_of(interaction, &room);
    touching_pair *pair = &watched->now.items[watched->now.count++];
    *pair = pair_at(w, point);
    pair->mode = mode_of(pair->slip, speeds, before ? (contact_mode)before->mode : CONTACT_FRICTIONLESS);
    if (!before) {
        return push_on(w, pair, at_start);
    }
    bool changed = pair->mode != before->mode && before->mode != CONTACT_FRICTIONLESS;
    return !changed || push_change(w, before, pair, speeds);
}

/* ---- all pairs --------------------------------------------------------------------------------------------------- */

static int compare(const touching_pair *pair, const carom_contact_point *point)
{
    int a = pair->body[0] - point->body[0];
    return a != 0 ? a : pair->body[1] - point->body[1];
}

/* The hardest of the points that share their bodies with the first one; *count is how many do. */
static const carom_contact_point *hardest(const carom_contact_point *points, int left, int *count)
{
    const carom_contact_point *best = points;
    double most = v3_norm2(best->force);
    int n = 1;
    for (; n < left && points[n].body[0] == points->body[0] && points[n].body[1] == points->body[1]; ++n) {
        double force = v3_norm2(points[n].force);
        if (force > most || (force == most && points[n].gap < best->gap)) {
            best = &points[n];
            most = force;
        }
    }
    *count = n;
    return best;
}

/* Both lists ascend by bodies. */
static bool compare_all(contact_watch *watched, carom_scratch *w, const carom_contact_point *points, int count,
                        bool at_start)
{
    const touching_pair *before = watched->memory.touching.items;
    const touching_pair *end = before + watched->memory.touching.count;
    bool ok = true;
    for (int k = 0, same = 0; ok && k < count; k += same) {
        const carom_contact_point *point = hardest(points + k, count - k, &same);
        while (ok && before < end && compare(before, point) < 0) {
            ok = push_off(w, before++);
        }
        bool known = before < end && compare(before, point) == 0;
        ok = ok && see(watched, w, point, interaction_at(w, points, point), known ? before++ : NULL, at_start);
    }
    while (ok && before < end) {
        ok = push_off(w, before++);
    }
    return ok;
}

/* ---- how hard they push -------------------------------------------------------------------------------------------- */

/* Where the total of a pair is, or belongs. */
static size_t total_place(const pair_totals *totals, const int body[2])
{
    size_t low = 0;
    size_t high = totals->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const int *other = totals->items[middle].body;
        bool before = other[0] != body[0] ? other[0] < body[0] : other[1] < body[1];
        *(before ? &low : &high) = before ? middle + 1 : middle;
    }
    return low;
}

/* The total of a pair, new if need be; there is room for it. */
static pair_total *total_of(pair_totals *totals, const int body[2], double t)
{
    size_t at = total_place(totals, body);
    pair_total *total = &totals->items[at];
    bool known = at < totals->count && total->body[0] == body[0] && total->body[1] == body[1];
    if (!known) {
        memmove(total + 1, total, (totals->count - at) * sizeof *total);
        *total = (pair_total){ .body = { body[0], body[1] }, .first_touch = t, .normal_force = -1.0 };
        totals->count += 1;
    }
    return total;
}

static void add_step(pair_total *total, double dt, double normal_force)
{
    double before = fmax(total->normal_force, 0.0);
    double ends = (total->normal_force >= 0.0 ? 0.5 : 0.0) + (normal_force >= 0.0 ? 0.5 : 0.0);
    total->in_contact += ends * dt;
    total->impulse += 0.5 * dt * (before + fmax(normal_force, 0.0));
    total->normal_force = normal_force;
}

/* The points of one pair at the end of the step; returns how many they are. */
static int add_up(pair_totals *totals, const carom_contact_point *points, int left, double t, double dt)
{
    pair_total *total = total_of(totals, points->body, t);
    v3 force_w = v3_make(0.0, 0.0, 0.0);
    v3 normal_w = force_w;
    int n = 0;
    for (; n < left && points[n].body[0] == points->body[0] && points[n].body[1] == points->body[1]; ++n) {
        const carom_contact_point *p = &points[n];
        force_w = v3_add(force_w, p->force);
        normal_w = v3_add(normal_w, v3_scale(v3_dot(p->force, p->normal), p->normal));
        total->penetration = fmax(total->penetration, -p->gap);
    }
    double force = v3_norm(force_w);
    if (force > total->peak_force) {
        total->peak_force = force;
        total->peak_at = t;
    }
    total->last_touch = t;
    add_step(total, dt, v3_norm(normal_w));
    return n;
}

/* Pairs that have parted in this step: they touched before and have not been added up. */
static void add_parted(const contact_watch *watched, pair_totals *totals, double dt)
{
    const touching_pairs *before = &watched->memory.touching;
    size_t now = 0;
    for (size_t i = 0; i < before->count; ++i) {
        const touching_pair *pair = &before->items[i];
        const touching_pair *same = watched->now.items;
        while (now < watched->now.count &&
               (same[now].body[0] < pair->body[0] ||
                (same[now].body[0] == pair->body[0] && same[now].body[1] < pair->body[1]))) {
            ++now;
        }
        bool touches = now < watched->now.count && same[now].body[0] == pair->body[0] &&
                       same[now].body[1] == pair->body[1];
        if (!touches) {
            add_step(total_of(totals, pair->body, 0.0), dt, -1.0);
        }
    }
}

static void add_up_all(contact_watch *watched, const carom_scratch *w, const carom_contact_point *points, int count,
                       bool at_start)
{
    pair_totals *totals = &watched->memory.totals;
    double dt = at_start ? 0.0 : w->t - w->dense->begin.t;
    add_parted(watched, totals, dt);
    for (int k = 0; k < count;) {
        k += add_up(totals, points + k, count - k, w->t, dt);
    }
}

/* Impulses that the step has given besides its forces. */
static void add_impulses(contact_watch *watched, const carom_scratch *w)
{
    const contact_forces *forces = w->model->method->forces;
    contact_impulse given;
    for (int at = 0; forces && forces->impulse && forces->impulse(w->contact, &at, &given);) {
        total_of(&watched->memory.totals, given.body, w->t)->impulse += given.normal;
    }
}

/* Impulses of the impacts that the step has announced. Stops are part of their joint, as they are while they last; at an
 * angle's their impulse would not even be one of a force. */
static void add_impacts(contact_watch *watched, carom_scratch *w)
{
    for (size_t k = 0; k < w->events.count; ++k) {
        const carom_event *e = &w->events.items[k];
        if (e->kind == CAROM_EVENT_IMPACT && e->mode != CAROM_MODE_STOP) {
            pair_total *total = total_of(&watched->memory.totals, e->body, e->t);
            total->impulse += fabs(v3_dot(e->impulse, e->normal));
            total->last_touch = e->t;
            if (watched->judge) {
                judge_chatter(watched->judge, w, total, e->speed);
            }
        } else if (e->kind == CAROM_EVENT_REST &&
                   e->mode != CAROM_MODE_STOP) { /* its impacts have come to their end */
            total_of(&watched->memory.totals, e->body, e->t)->touches = 0.0;
        }
    }
}

/* ---- what to think of it ------------------------------------------------------------------------------------------- */

static bool same_bodies(const touching_pair *x, const touching_pair *y)
{
    return x->body[0] == y->body[0] && x->body[1] == y->body[1];
}

static bool comes_before(const touching_pair *x, const touching_pair *y)
{
    return x->body[0] != y->body[0] ? x->body[0] < y->body[0] : x->body[1] < y->body[1];
}

/* `points` are those of all pairs. */
static bool judge_pair(contact_watch *watched, carom_scratch *w, const carom_contact_point *points, judged_pair *p)
{
    p->hardest = hardest(p->points, p->count, &p->count);
    p->interaction = interaction_at(w, points, p->hardest);
    p->now->age = p->before ? p->before->age + (p->before->age < INT32_MAX) : 0;
    p->total = total_of(&watched->memory.totals, p->points->body, w->t);
    return judge_touching(watched->judge, w, p);
}

/* Goes through the pairs that touch and those that have parted; all lists ascend by bodies. False when memory runs out. */
static bool judge_all(contact_watch *watched, carom_scratch *w, const carom_contact_point *points, int count,
                      bool at_start)
{
    const touching_pair *before = watched->memory.touching.items;
    const touching_pair *end = before + watched->memory.touching.count;
    double dt = at_start ? 0.0 : w->t - w->dense->begin.t;
    int k = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < watched->now.count; ++i) {
        touching_pair *now = &watched->now.items[i];
        for (; before < end && comes_before(before, now); ++before) {
            judge_parted(watched->judge, w, before, total_of(&watched->memory.totals, before->body, 0.0), dt);
        }
        bool known = before < end && same_bodies(before, now);
        judged_pair p = { .points = points + k,
                          .count = count - k,
                          .now = now,
                          .before = known ? before++ : NULL,
                          .dt = dt,
                          .at_start = at_start };
        ok = judge_pair(watched, w, points, &p);
        k += p.count;
    }
    for (; before < end; ++before) {
        judge_parted(watched->judge, w, before, total_of(&watched->memory.totals, before->body, 0.0), dt);
    }
    return ok;
}

/* ---- a step -------------------------------------------------------------------------------------------------------- */

static carom_status look(contact_watch *watched, carom_scratch *w, bool at_start, carom_error *err)
{
    const contact_forces *forces = w->model->method->forces;
    int count = forces ? forces->totals(w->contact).count : 0;
    size_t announced = w->events.count;
    if (count == 0 && watched->memory.touching.count == 0 && announced == 0) {
        return CAROM_OK;
    }
    const carom_contact_point *points = count > 0 ? forces->points(w->contact, &count) : NULL;
    watched->now.count = 0;
    /* Should every point and event be of a new pair, and no pair of a checkpoint have a total. */
    size_t most = watched->memory.totals.count + (size_t)count + watched->memory.touching.count + announced;
    if (!touching_pairs_reserve(&watched->now, (size_t)count) ||
        !pair_totals_reserve(&watched->memory.totals, most) || !compare_all(watched, w, points, count, at_start)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for events of contact");
    }
    add_impacts(watched, w);
    add_up_all(watched, w, points, count, at_start);
    if (!at_start && count > 0) { /* bodies that are sent apart still touch where the step ends */
        add_impulses(watched, w);
    }
    if (watched->judge) {
        judge_impacts(watched->judge, w);
        if (!judge_all(watched, w, points, count, at_start)) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory for events of contact");
        }
    }
    touching_pairs present = watched->now;
    watched->now = watched->memory.touching;
    watched->memory.touching = present;
    return CAROM_OK;
}

carom_status contact_watch_start(contact_watch *w, carom_scratch *scratch, carom_error *err)
{
    return look(w, scratch, true, err);
}

carom_status contact_watch_step(contact_watch *w, carom_scratch *scratch, carom_error *err)
{
    return look(w, scratch, false, err);
}

void contact_watch_free(contact_watch *w)
{
    contact_memory_free(&w->memory);
    free(w->now.items);
    *w = (contact_watch){ 0 };
}
