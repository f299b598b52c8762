/* Updates the active set after the impacts of an instant: contacts that do not part, or whose next flights would be
 * shorter than the rest time (infinitely many impacts come to an end there), are closed; complementarity of forces and
 * accelerations says which of them carry force, stick, slip. Where no forces fit (Painleve), an impact without collision
 * follows; where friction locks a joint, it jams. */
#include "methods/impact/instant.h"

#include <string.h>

/* Where something sticks, it would slip against the friction that holds it. */
static void turn_against_friction(impact_work *iw)
{
    for (int k = 0; iw->solved && k < iw->reduced.contact_count; ++k) {
        v3 friction = reduction_across(&iw->reduced, k, iw->answer.force);
        if (iw->present.modes[k].mode == FRICTION_STICK && v3_norm(friction) > 0.0) {
            iw->present.modes[k].direction_w = v3_scale(-1.0 / v3_norm(friction), friction);
        }
    }
}

/* Where the bodies will be a little later, with the forces of the present set. */
static carom_status look_ahead(const instant *now, motion later)
{
    carom_scratch *w = now->w;
    const carom_model *model = now->iw->model;
    double t = *now->s->time;
    carom_status status = work_evaluate(w, t, state_motion(now->s), now->c->err);
    body_pose *pose = later.pose;
    body_rate *rate = later.rate;
    motion_copy(model, later, state_motion(now->s));
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        v3 shift = v3_scale(now->ahead, v3_axpy(rate[i].v_w, 0.5 * now->ahead, w->acceleration[i].v_w));
        v3 turn = v3_scale(now->ahead, v3_axpy(rate[i].omega_w, 0.5 * now->ahead, w->acceleration[i].omega_w));
        pose[i] = pose_moved(pose[i], shift, turn);
        rate[i].v_w = v3_axpy(rate[i].v_w, now->ahead, w->acceleration[i].v_w);
        rate[i].omega_w = v3_axpy(rate[i].omega_w, now->ahead, w->acceleration[i].omega_w);
    }
    turn_against_friction(now->iw);
    return status;
}

/* Accelerations without contact and friction: now, or where a force has just come to its end so little later that there is
 * no doubt who gives way. `correction` (NULL: none) is added to the rates, here only. */
static carom_status evaluate_free(const instant *now, const changing_rates *correction)
{
    carom_scratch *w = now->w;
    carom_status status = CAROM_OK;
    if (now->ahead > 0.0) {
        status = look_ahead(now, w->trial);
    } else {
        motion_copy(now->iw->model, w->trial, state_motion(now->s));
    }
    for (int i = 0; correction && i < now->iw->model->body_count; ++i) {
        w->trial.rate[i].v_w = v3_add(w->trial.rate[i].v_w, correction->rate[i].v_w);
        w->trial.rate[i].omega_w = v3_add(w->trial.rate[i].omega_w, correction->rate[i].omega_w);
    }
    for (int i = 0; correction && i < now->iw->model->deform_count; ++i) {
        w->trial.q_dot[i] += correction->q_dot[i];
    }
    if (status == CAROM_OK) {
        now->iw->at = NULL;
        status = work_evaluate(w, *now->s->time + now->ahead, w->trial, now->c->err);
        now->iw->at = &now->iw->present;
    }
    return status;
}

static void hint_directions(const instant *now)
{
    impact_work *iw = now->iw;
    for (size_t k = 0; k < iw->found.count; ++k) {
        const active_mode *mode = active_set_find(&iw->present, &iw->found.items[k]);
        iw->hint[k] = mode ? mode->direction_w : v3_zero();
    }
}

/* How fast an element slips on in the direction in which it slipped before the instant; HUGE_VAL: it did not slip. */
static double slips_on(const instant *now, int e)
{
    const impact_work *iw = now->iw;
    const reduction *r = &iw->reduced;
    const friction_element *element = &r->elements[e];
    if (element->contact >= 0) {
        const active_mode *mode = active_set_find(&iw->present, &iw->found.items[element->contact]);
        bool slipped = mode && mode->mode == FRICTION_SLIP;
        return slipped ? v3_dot(reduction_across(r, element->contact, r->u), mode->direction_w) : HUGE_VAL;
    }
    const friction_state *state = &iw->present.joints[e - (r->problem.element_count - r->joint_count)];
    double along = 0.0;
    for (int i = 0; i < element->dim; ++i) {
        along += r->u[element->first_row + i] * state->direction[i];
    }
    return state->mode == FRICTION_SLIP ? along : HUGE_VAL;
}

/* Marks what slips on in islands in which nothing has been struck, touches anew or has used up its slip: how slowly it slips
 * does not matter there, as no error of an event is in its velocity. */
static void mark_going_on(const instant *now)
{
    impact_work *iw = now->iw;
    reduction *r = &iw->reduced;
    /* Where a body stops, its corners do so to rounding of its earlier speed, which is far below this. */
    double used_up = 1e-9 * impact_speed_scale(now->w, now->s->rate);
    bool *changed = CAROM_ARENA_ARRAY(&iw->moment, bool, r->problem.island_count + 1);
    for (int k = 0; changed && k < r->problem.row_count; ++k) {
        bool anew = k < r->contact_count && !active_set_find(&iw->present, &iw->found.items[k]);
        changed[r->island[k]] = changed[r->island[k]] || anew || instant_rounds(now, r->responses.rows[k].body) > 0;
    }
    for (int e = 0; changed && e < r->problem.element_count; ++e) {
        int island = r->island[r->elements[e].first_row];
        changed[island] = changed[island] || !(slips_on(now, e) > used_up);
    }
    for (int e = 0; changed && e < r->problem.element_count; ++e) {
        r->elements[e].goes_on = slips_on(now, e) < HUGE_VAL && !changed[r->island[r->elements[e].first_row]];
    }
}

static void reduce_accelerations(const instant *now)
{
    impact_work *iw = now->iw;
    hint_directions(now);
    reduction_make(&iw->reduced, now->w, iw->found.items, (int)iw->found.count, iw->hint, true, now->stick_tolerance);
    mark_going_on(now);
}

/* How much higher than the error of its touches a bounce must be to be seen. Those that keep a part e of their speed gain as
 * much by it as they lose where they are 1/(1 - e^2) times as high, and would go on for ever. */
static double bounce_factor(const contact *s)
{
    double lost = 1.0 - s->law.restitution * s->law.restitution;
    return lost > 0.0 ? 1.0 / fmax(lost, 0.01) : 1.0;
}

/* [m] bounces in a bearing lower than this are none where next to nothing is lost along the normal: friction takes from every
 * bounce there, the less the lower it is, so that bounces become ever faster and ever lower, but not in a geometric series.
 * With more loss they soon are in one; without friction nothing fades away. */
static double bounce_in_bearing(const instant *now, const contact *s)
{
    static const double OF_PLAY = 1e-5;
    static const double NEXT_TO_NOTHING = 0.01;
    double lost = 1.0 - s->law.restitution * s->law.restitution;
    bool fades = s->kind == CONTACT_PLAY && s->mu > 0.0 && lost <= NEXT_TO_NOTHING;
    return fades ? OF_PLAY * now->iw->model->joints[s->a].clearance : 0.0;
}

/* A flight too short, or too low, to tell: away at `speed`, with this acceleration. */
static bool is_brief(const instant *now, const contact *s, double speed, double acceleration)
{
    double falls = -acceleration;
    double touch = fmax(bounce_factor(s) * touching_gap(now->w, 0.0), bounce_in_bearing(now, s));
    return falls > 0.0 && (2.0 * speed < falls * now->rest_time || speed * speed < falls * touch);
}

static double slip_of(const reduction *r, int e, const double *rows)
{
    double sum = 0.0;
    for (int i = 0; i < r->elements[e].dim; ++i) {
        sum = hypot(sum, rows[r->elements[e].first_row + i]);
    }
    return sum;
}

static bool moves(const instant *now, int e)
{
    const reduction *r = &now->iw->reduced;
    return r->elements[e].goes_on || slip_of(r, e, r->u) > now->stick_tolerance;
}

/* What an element does as its motion has it: what rests holds. */
static friction_state state_by_motion(const instant *now, int e)
{
    const reduction *r = &now->iw->reduced;
    double slip = slip_of(r, e, r->u);
    friction_state state = { .mode = moves(now, e) ? FRICTION_SLIP : FRICTION_STICK };
    for (int i = 0; moves(now, e) && i < r->elements[e].dim; ++i) {
        state.direction[i] = r->u[r->elements[e].first_row + i] / slip;
    }
    return state;
}

/* Friction of what slips, which may bring together what flies apart. */
static void rub_as_it_moves(const instant *now)
{
    for (int e = 0; e < now->iw->reduced.problem.element_count; ++e) {
        now->iw->state[e] = state_by_motion(now, e);
    }
}

/* Closes contacts whose flights are brief while the others stay closed (what lies on them falls onto something that is
 * held) and iw->state says what friction does. */
static void close_brief(const instant *now, bool *closed)
{
    const impact_work *iw = now->iw;
    const reduction *r = &iw->reduced;
    rest_answer answer;
    bool more = true;
    while (more && rest_rates(r->rest, &r->problem, closed, iw->state, NULL, &answer) == REST_OK) {
        more = false;
        for (int k = 0; k < r->contact_count; ++k) {
            if (!closed[k] && is_brief(now, &iw->found.items[k], r->u[k], answer.rate[k])) {
                closed[k] = true;
                more = true;
            }
        }
    }
}

/* Which contacts stay closed: those that do not part, and those that fly briefly, whether friction is what brings them
 * back or would hinder them. */
static void mark_closed(const instant *now, bool *closed)
{
    const reduction *r = &now->iw->reduced;
    for (int k = 0; k < r->contact_count; ++k) {
        closed[k] = r->u[k] <= 10.0 * now->limits.speed;
    }
    memset(now->iw->state, 0, (size_t)r->problem.element_count * sizeof *now->iw->state);
    close_brief(now, closed);
    rub_as_it_moves(now);
    close_brief(now, closed);
}

/* Keeps the contacts that stay closed; announces the end of bouncing. False when memory runs out. */
static bool keep_closed(const instant *now, bool *changed)
{
    impact_work *iw = now->iw;
    size_t kept = 0;
    bool ok = true;
    mark_closed(now, iw->closed);
    for (size_t k = 0; k < iw->found.count && ok; ++k) {
        if (!iw->closed[k]) {
            continue;
        }
        bool ends = iw->reduced.u[k] > 10.0 * now->limits.speed;
        ok = !ends || announce_contact(now, &iw->found.items[k], &iw->reduced.values[k], CAROM_EVENT_REST);
        iw->found.items[kept++] = iw->found.items[k];
    }
    *changed = kept != iw->found.count;
    iw->found.count = kept;
    return ok;
}

static int list_normals(const instant *now, int *rows)
{
    int count = now->iw->reduced.contact_count;
    for (int k = 0; k < count; ++k) {
        rows[k] = k;
    }
    return count;
}

static void stop_normals(const instant *now, int *rows)
{
    int count = list_normals(now, rows);
    if (count > 0) {
        instant_stop_rows(now, rows, count);
        instant_jump(now);
    }
}

/* Rows that have no velocity: normals, and slip that counts as none. */
static int list_resting(const instant *now, int *rows)
{
    const reduction *r = &now->iw->reduced;
    int count = list_normals(now, rows);
    for (int e = 0; e < r->problem.element_count; ++e) {
        bool rests = !moves(now, e);
        for (int i = 0; rests && i < r->elements[e].dim; ++i) {
            rows[count++] = r->elements[e].first_row + i;
        }
    }
    return count;
}

/* A slipping joint whose loads have no solution locks: an internal plastic impact. */
carom_status instant_lock(const instant *now, int element)
{
    reduction *r = &now->iw->reduced;
    const friction_element *e = &r->elements[element];
    int first_joint = r->problem.element_count - r->joint_count;
    int rows[SLIP_DIM];
    if (element < first_joint) {
        return carom_fail(now->c->err, CAROM_NOT_CONVERGED, "friction at a contact jams at t = %.9g s",
                          *now->s->time);
    }
    for (int i = 0; i < e->dim; ++i) {
        rows[i] = e->first_row + i;
    }
    instant_stop_rows(now, rows, e->dim);
    instant_jump(now);
    int joint = r->joints[element - first_joint];
    return announce_joint(now, joint, CAROM_EVENT_JAM, FRICTION_SLIP, FRICTION_STICK) ? CAROM_OK : no_memory(now);
}

static int list_slip(const instant *now, int k, int *rows)
{
    const reduction *r = &now->iw->reduced;
    int e = r->element[k];
    int count = 0;
    for (int i = 0; e >= 0 && i < r->elements[e].dim; ++i) {
        rows[count++] = r->elements[e].first_row + i;
    }
    return count;
}

/* Slip of one contact, or of all contacts that feel each other, is stopped while all that are closed stay so: how a
 * paradox ends at last. */
static carom_status seize(const instant *now, int culprit, bool all)
{
    const reduction *r = &now->iw->reduced;
    const int *island = r->problem.island;
    int *rows = CAROM_ARENA_ARRAY(&now->iw->moment, int, r->problem.row_count + 1);
    if (!rows) {
        return no_memory(now);
    }
    int count = list_normals(now, rows);
    for (int k = 0; k < r->contact_count; ++k) {
        bool stops = k == culprit || (all && (!island || island[k] == island[culprit]));
        count += stops ? list_slip(now, k, rows + count) : 0;
    }
    instant_stop_rows(now, rows, count);
    instant_jump(now);
    return CAROM_OK;
}

carom_status instant_grip(const instant *now, int k)
{
    const contact *s = &now->iw->present.contacts.items[k];
    bool told = announce_contact(now, s, &now->iw->reduced.values[k], CAROM_EVENT_PARADOX);
    return told ? seize(now, k, false) : no_memory(now);
}

static carom_status paradox(const instant *now, int culprit)
{
    enum {
        PATIENCE = 10
    }; /* impacts of one contact set others in motion that stay closed, and these it again; so may */
    enum { SEIZES = 2 * PATIENCE }; /* what seizes, until all seize at once */
    impact_work *iw = now->iw;
    if (culprit < 0 || culprit >= iw->reduced.contact_count) {
        const char *names = iw->found.count > 0 ? body_name(now, iw->found.items[0].body[0]) : "joints";
        return carom_fail(now->c->err, CAROM_NOT_CONVERGED,
                          "no forces of contact and friction fit the motion of '%.100s' at t = %.9g s (%zu contacts)",
                          names, *now->s->time, iw->found.count);
    }
    if (!announce_contact(now, &iw->found.items[culprit], &iw->reduced.values[culprit], CAROM_EVENT_PARADOX)) {
        return no_memory(now);
    }
    const int *body = iw->found.items[culprit].body;
    int rounds = instant_rounds(now, body);
    instant_count_round(now, body, rounds + 1);
    if (rounds >= PATIENCE) {
        return seize(now, culprit, rounds >= SEIZES);
    }
    bool moved = false;
    carom_status status = instant_strike_alone(now, culprit, &moved);
    if (status != CAROM_OK || moved) {
        return status;
    }
    /* Several contacts contradict each other, of which none alone is pushed by its own friction: nor would it be the next
     * time. */
    instant_count_round(now, body, PATIENCE + 1);
    return seize(now, culprit, false);
}

/* Accelerations that are none: what complementarity leaves of rounding. */
static double no_rate(const reduction *r)
{
    return 1e-10 * reduction_largest_rate(r);
}

/* Whether an element that slips does not, because others hold it. */
static bool is_held(const instant *now, const rest_answer *answer, int e)
{
    const reduction *r = &now->iw->reduced;
    return answer->state[e].mode == FRICTION_SLIP && !moves(now, e) &&
           slip_of(r, e, answer->rate) <= 10.0 * no_rate(r);
}

/* What carries nothing holds nothing either: it slips as it moves, else as others accelerate it. */
static friction_state state_of_idle(const instant *now, const rest_answer *answer, int e)
{
    const reduction *r = &now->iw->reduced;
    friction_state state = state_by_motion(now, e);
    double rate = slip_of(r, e, answer->rate);
    if (state.mode == FRICTION_STICK && rate > 10.0 * no_rate(r)) {
        state.mode = FRICTION_SLIP;
        for (int i = 0; i < r->elements[e].dim; ++i) {
            state.direction[i] = answer->rate[r->elements[e].first_row + i] / rate;
        }
    }
    return state;
}

static active_mode mode_of(const instant *now, const rest_answer *answer, int k)
{
    const reduction *r = &now->iw->reduced;
    int e = r->element[k];
    active_mode mode = { .mode = FRICTION_NONE, .inactive = !answer->closed[k] };
    if (e < 0) { /* friction there may be, but nothing that could slip */
        mode.mode = now->iw->found.items[k].mu > 0.0 ? FRICTION_STICK : FRICTION_NONE;
        return mode;
    }
    friction_state state = answer->closed[k] ? answer->state[e] : state_of_idle(now, answer, e);
    mode.mode = state.mode;
    mode.at_cone = is_held(now, answer, e);
    for (int i = 0; i < r->elements[e].dim; ++i) {
        mode.direction_w = v3_axpy(mode.direction_w, state.direction[i], r->tangents[k][i]);
    }
    return mode;
}

/* A contact that carries nothing but would not part either stays: rounding must not decide. */
static bool carries_on(const reduction *r, const rest_answer *answer, int k)
{
    return answer->closed[k] || answer->rate[k] <= no_rate(r);
}

static bool make_next(const instant *now, const rest_answer *answer)
{
    impact_work *iw = now->iw;
    const reduction *r = &iw->reduced;
    active_set *next = &iw->next;
    next->contacts.count = 0;
    for (int k = 0; k < r->contact_count; ++k) {
        if (!carries_on(r, answer, k)) {
            continue;
        }
        if (!contact_list_push(&next->contacts, &iw->found.items[k]) ||
            !active_set_reserve(next, next->contacts.count)) {
            return false;
        }
        next->modes[next->contacts.count - 1] = mode_of(now, answer, k);
    }
    for (int k = 0; k < r->joint_count; ++k) {
        next->joints[k] = answer->state[reduction_joint_element(r, k)];
    }
    return true;
}

/* Contacts that stay closed, with no normal velocity left, and accelerations without forces. These are taken as if what
 * counts as no slip were none: else contacts that hold one body at several places would contradict each other by a little. */
static carom_status close_contacts(const instant *now)
{
    bool changed = false;
    carom_status status = evaluate_free(now, NULL);
    if (status != CAROM_OK) {
        return status;
    }
    reduce_accelerations(now);
    int *rows = CAROM_ARENA_ARRAY(&now->iw->moment, int, now->iw->reduced.problem.row_count + 1);
    if (!rows || !keep_closed(now, &changed)) {
        return no_memory(now);
    }
    if (changed) {
        reduce_accelerations(now);
    }
    if (!(now->ahead > 0.0)) { /* a little later nothing has happened yet */
        stop_normals(now, rows);
    }
    changing_rates correction = {
        CAROM_ARENA_ARRAY(&now->iw->moment, body_rate, now->iw->model->body_count),
        CAROM_ARENA_ARRAY(&now->iw->moment, double, now->iw->model->deform_count + 1),
    };
    if (!correction.rate || !correction.q_dot) {
        return no_memory(now);
    }
    instant_stop_rows(now, rows, list_resting(now, rows));
    response_apply(&now->iw->reduced.responses, now->iw->reduced.impulse, correction);
    status = evaluate_free(now, &correction);
    if (status == CAROM_OK) {
        reduce_accelerations(now);
    }
    return status;
}

/* A joint of the element locks, as often as its mechanism lets it. */
static carom_status jam(const instant *now, int element)
{
    const int *body = now->iw->reduced.responses.rows[now->iw->reduced.elements[element].first_row].body;
    instant_count_round(now, body, instant_rounds(now, body) + 1);
    return instant_lock(now, element);
}

/* Whether one more impact without collision may help, or no contact is to blame, which is refused. */
static bool may_strike(const instant *now, int culprit)
{
    enum { PATIENCE = 60 }; /* then on with forces that do not fit: the next step begins here and asks again */
    bool known = culprit >= 0 && culprit < now->iw->reduced.contact_count;
    return !known || instant_rounds(now, now->iw->found.items[culprit].body) < PATIENCE;
}

/* Forces that do not fit. */
static void note_forces(const instant *now, rest_outcome outcome, const rest_answer *answer)
{
    const contact *contacts = now->iw->found.items;
    if (outcome != REST_OK && now->iw->found.count > 0) {
        instant_note(now, CAROM_FINDING_FORCES_ROUGH, &contacts[answer->culprit >= 0 ? answer->culprit : 0],
                     (double)NAN, (double)NAN);
    }
}

carom_status instant_update_active_set(const instant *now, bool *again)
{
    reduction *r = &now->iw->reduced;
    rest_answer answer;
    carom_status status = close_contacts(now);
    if (status != CAROM_OK) {
        return status;
    }
    rest_outcome outcome = rest_choose(r->rest, &r->problem, r->u, now->stick_tolerance, &answer);
    if (carom_stop_seen(&now->w->stop)) {
        return work_interrupted(now->w, now->c->err);
    }
    if (outcome == REST_JAM || (outcome == REST_INCONSISTENT && may_strike(now, answer.culprit))) {
        *again = true;
        return outcome == REST_JAM ? jam(now, answer.culprit) : paradox(now, answer.culprit);
    }
    note_forces(now, outcome, &answer);
    return make_next(now, &answer) ? CAROM_OK : no_memory(now);
}
