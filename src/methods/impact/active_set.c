/* Forces of persistent contacts in every evaluation, and the memory of a state. */
#include "methods/impact/active_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "dynamics/dense.h"
#include "dynamics/integrator.h"
#include "model/method.h"

/* Slip below this share of the fastest speed is none, whatever the tolerance of the integrator. */
static const double STILL = 1e-9;

double impact_speed_scale(const carom_scratch *w, const body_rate *rate)
{
    return integrator_speed_scale(w, (motion_rates){ rate, w->q_dot }).linear;
}

static double fastest(const carom_scratch *w, const body_rate *rate)
{
    double speed = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        const body_rate *r = &rate[w->model->free_bodies[slot]];
        speed = fmax(speed, fmax(v3_norm(r->v_w), w->model->length_scale * v3_norm(r->omega_w)));
    }
    return speed;
}

double stick_tolerance_at(const carom_scratch *w, const body_rate *rate)
{
    const carom_scene_def *scene = &w->model->scene;
    double error = 10.0 * integrator_of(w->model).settings.tolerance; /* of some steps */
    return fmax(STILL, error) * impact_speed_scale(w, rate) + STILL * v3_norm(scene->gravity) * scene->time.end;
}

double stick_tolerance_given(const carom_scratch *w, const body_rate *rate)
{
    return STILL * fastest(w, rate);
}

/* ---- sets --------------------------------------------------------------------------------------------------------- */

bool active_set_reserve(active_set *set, size_t count)
{
    return CAROM_ARRAY_RESERVE(set->modes, set->mode_capacity, count);
}

bool active_set_copy(active_set *to, const active_set *from, int joint_count)
{
    if (!contact_list_copy(&to->contacts, &from->contacts) || !active_set_reserve(to, from->contacts.count)) {
        return false;
    }
    if (from->contacts.count > 0) {
        memcpy(to->modes, from->modes, from->contacts.count * sizeof *to->modes);
    }
    memcpy(to->joints, from->joints, (size_t)joint_count * sizeof *to->joints);
    return true;
}

static void active_set_free(active_set *set)
{
    free(set->contacts.items);
    free(set->modes);
}

const active_mode *active_set_find(const active_set *set, const contact *s)
{
    size_t low = 0;
    size_t high = set->contacts.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = contact_compare(&set->contacts.items[middle], s);
        if (order == 0) {
            return &set->modes[middle];
        }
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return NULL;
}

bool impact_work_reserve(impact_work *iw, size_t contacts)
{
    if (!contact_points_reserve(&iw->points, contacts) || !reduction_reserve(&iw->reduced, (int)contacts)) {
        return false;
    }
    if (contacts <= iw->room && iw->hint) {
        return true;
    }
    size_t room = contacts + contacts / 2 + 4;
    iw->hint = CAROM_ARENA_ARRAY(&iw->arena, v3, room);
    iw->state = CAROM_ARENA_ARRAY(&iw->arena, friction_state, room + (size_t)iw->reduced.joint_count);
    iw->closed = CAROM_ARENA_ARRAY(&iw->arena, bool, room);
    iw->room = iw->arena.failed ? 0 : room;
    return !iw->arena.failed;
}

static void look_back(void *self)
{
    impact_work *iw = self;
    iw->at = &iw->last;
}

/* ---- forces ------------------------------------------------------------------------------------------------------- */

void turn_slip_direction(const double *slip, int dim, double stick_tolerance, double *direction)
{
    double along = 0.0;
    double norm2 = 0.0;
    for (int i = 0; i < dim; ++i) {
        along += slip[i] * direction[i];
        norm2 += slip[i] * slip[i];
    }
    double across2 = norm2 - along * along;
    for (int i = 0; along > stick_tolerance && across2 > stick_tolerance * stick_tolerance && i < dim; ++i) {
        direction[i] = slip[i] / sqrt(norm2);
    }
}

/* Along the slip while that goes on as it began; else as it began, until the event is located. Slip across the direction
 * below all accuracy does not turn it: friction would act on it as a damper stiffer than any step. */
static void slip_direction(const impact_work *iw, int k, const active_mode *mode, friction_state *out)
{
    const reduction *r = &iw->reduced;
    const friction_element *e = &r->elements[r->element[k]];
    v3 slip = reduction_across(r, k, r->u);
    v3 u = mode->direction_w;
    turn_slip_direction(&slip.x, 3, iw->stick_tolerance, &u.x);
    double norm = 0.0;
    for (int i = 0; i < e->dim; ++i) {
        out->direction[i] = v3_dot(u, r->tangents[k][i]);
        norm = hypot(norm, out->direction[i]);
    }
    for (int i = 0; i < e->dim && norm > 0.0; ++i) {
        out->direction[i] /= norm;
    }
}

static void joint_direction(const impact_work *iw, int k, friction_state *out)
{
    const reduction *r = &iw->reduced;
    const friction_element *e = &r->elements[reduction_joint_element(r, k)];
    const friction_state *began = &iw->at->joints[k];
    memcpy(out->direction, began->direction, sizeof out->direction);
    turn_slip_direction(r->u + e->first_row, e->dim, iw->stick_tolerance, out->direction);
}

static void set_states(impact_work *iw)
{
    const reduction *r = &iw->reduced;
    for (size_t k = 0; k < iw->at->contacts.count; ++k) {
        iw->closed[k] = !iw->at->modes[k].inactive;
        if (r->element[k] >= 0) {
            friction_state *state = &iw->state[r->element[k]];
            *state = (friction_state){ .mode = iw->at->modes[k].mode };
            if (state->mode == FRICTION_SLIP) {
                slip_direction(iw, (int)k, &iw->at->modes[k], state);
            }
        }
    }
    for (int k = 0; k < r->joint_count; ++k) {
        friction_state *state = &iw->state[reduction_joint_element(r, k)];
        *state = (friction_state){ .mode = iw->at->joints[k].mode };
        if (state->mode == FRICTION_SLIP) {
            joint_direction(iw, k, state);
        }
    }
}

/* Power lost by friction; what the normal forces do is at rounding level. */
static void count_friction(const impact_work *iw, carom_scratch *w)
{
    const reduction *r = &iw->reduced;
    for (int k = r->problem.contact_count; k < r->problem.row_count; ++k) {
        w->power.work[ACCOUNT_FRICTION] -= iw->answer.force[k] * r->u[k];
    }
    response_count(&r->responses, w, iw->answer.force);
}

static void add_forces(const impact_work *iw, carom_scratch *w)
{
    response_apply(&iw->reduced.responses, iw->answer.force, (changing_rates){ w->acceleration, w->q_ddot });
    response_add_multipliers(&iw->reduced.responses, iw->answer.force, w->sigma);
}

/* The points of contact and their sums; stops are part of their joints. */
static void record_points(impact_work *iw, const carom_scratch *w)
{
    const reduction *r = &iw->reduced;
    contact_totals_clear(&iw->totals, iw->model);
    iw->points.count = 0;
    for (int k = 0; iw->solved && k < r->contact_count; ++k) {
        const contact *s = &iw->at->contacts.items[k];
        if (s->kind == CONTACT_STOP) {
            continue;
        }
        const gap_value *g = &r->values[k].gap;
        v3 force = v3_axpy(reduction_across(r, k, iw->answer.force), iw->answer.force[k], g->normal_w);
        contact_sight seen = { .body = s->body[0],
                               .other = s->body[1],
                               .gap = g->gap,
                               .p_w = g->point_w,
                               .normal_w = g->normal_w,
                               .force_w = force,
                               .slip_w = reduction_across(r, k, r->u) };
        contact_points_push(&iw->points, &seen, s->interaction);
        contact_totals_add(&iw->totals, w->pose, s->body, g->point_w, force, g->gap);
    }
}

static void keep_lowest_values(impact_work *iw)
{
    int n = event_function_count(iw);
    double *lowest = iw->event_values + n;
    event_functions_evaluate(iw, iw->event_values);
    for (int k = 0; k < n; ++k) {
        lowest[k] = fmin(lowest[k], iw->event_values[k]);
    }
}

bool active_set_watch(impact_work *iw)
{
    int n = event_function_count(iw);
    bool ok = CAROM_ARRAY_RESERVE(iw->event_values, iw->event_capacity, 2 * (size_t)n) &&
              CAROM_ARRAY_RESERVE(iw->shift, iw->shift_capacity, (size_t)n);
    iw->watching = ok && n > 0;
    for (int k = 0; k < n && ok; ++k) {
        iw->event_values[n + k] = HUGE_VAL;
    }
    return ok;
}

static void react(void *self, carom_scratch *w)
{
    impact_work *iw = self;
    iw->solved = false;
    bool any = iw->at && (iw->at->contacts.count > 0 || iw->reduced.joint_count > 0);
    if (any && !iw->load_failed) {
        iw->speed = impact_speed_scale(w, w->rate);
        iw->stick_tolerance = stick_tolerance_at(w, w->rate);
        iw->stick_tolerance_given = stick_tolerance_given(w, w->rate);
        for (size_t k = 0; k < iw->at->contacts.count; ++k) {
            iw->hint[k] = iw->at->modes[k].direction_w;
        }
        reduction_make(&iw->reduced, w, iw->at->contacts.items, (int)iw->at->contacts.count, iw->hint, true,
                       iw->stick_tolerance);
        set_states(iw);
        rest_outcome outcome = rest_rates(iw->reduced.rest, &iw->reduced.problem, iw->closed, iw->state, NULL,
                                          &iw->answer);
        iw->solved = outcome == REST_OK;
        if (outcome == REST_JAM) {
            iw->jammed = true;
            iw->culprit = iw->answer.culprit;
        }
    }
    if (iw->solved) {
        add_forces(iw, w);
        count_friction(iw, w);
    }
    if (iw->watching && iw->at == &iw->present) {
        keep_lowest_values(iw);
    }
    record_points(iw, w);
}

static bool apply(void *self, carom_scratch *w)
{
    (void)w;
    const impact_work *iw = self;
    return !iw->load_failed; /* forces come after the accelerations */
}

static const carom_contact_point *points(void *self, int *count)
{
    const impact_work *iw = self;
    *count = iw->points.count;
    return iw->points.items;
}

static const model_interaction *interaction(const void *self, int point)
{
    const impact_work *iw = self;
    return iw->points.interactions[point];
}

static contact_totals totals(const void *self)
{
    const impact_work *iw = self;
    return iw->totals;
}

/* ---- event functions --------------------------------------------------------------------------------------------------- */

int event_function_count(const impact_work *iw)
{
    return 2 * (int)iw->at->contacts.count + iw->reduced.joint_count;
}

/* The largest force there is, so that others count against it. */
static double force_scale(const impact_work *iw)
{
    double largest = 0.0;
    for (int k = 0; k < iw->reduced.problem.row_count; ++k) {
        largest = fmax(largest, fabs(iw->answer.force[k]));
    }
    for (int e = 0; e < iw->reduced.problem.element_count; ++e) {
        largest = fmax(largest, iw->answer.load[e]);
    }
    return largest > 0.0 ? largest : 1.0;
}

/* How much friction is left, or how fast it slips on in the direction in which it began. */
static double friction_event(const impact_work *iw, int element, const friction_state *state, double began,
                             double force)
{
    const friction_element *e = &iw->reduced.elements[element];
    double norm = 0.0;
    switch (state->mode) {
    case FRICTION_STICK:
        for (int i = 0; i < e->dim; ++i) {
            norm = hypot(norm, iw->answer.force[e->first_row + i]);
        }
        return (e->mu * iw->answer.load[element] - norm) / force + 1e-10;
    case FRICTION_SLIP:
        return began / iw->speed;
    default:
        return 1.0;
    }
}

bool event_function_is_slip(const impact_work *iw, int event)
{
    int contacts = (int)iw->at->contacts.count;
    return event < contacts       ? false
           : event < 2 * contacts ? iw->at->modes[event - contacts].mode == FRICTION_SLIP
                                  : iw->at->joints[event - 2 * contacts].mode == FRICTION_SLIP;
}

double event_function_used_up(const impact_work *iw, int event)
{
    return event_function_is_slip(iw, event) ? -iw->stick_tolerance / iw->speed : -0.5 * EVENT_NO_DOUBT;
}

double event_function_can_end(const impact_work *iw, int event)
{
    if (!event_function_is_slip(iw, event)) {
        return event_function_used_up(iw, event);
    }
    double begins = 1e-3 * iw->stick_tolerance;
    return (event_function_slip_left(iw, event) > 0.0 ? fmin(begins, 1e-3 * iw->stick_tolerance_given) : begins) /
           iw->speed;
}

/* Normal force relative to the largest force; of an inactive contact, how far its acceleration is from opening or closing
 * it. */
static double normal_event(const impact_work *iw, int k, double force, double rate)
{
    return iw->at->modes[k].inactive ? 1e-8 - fabs(iw->answer.rate[k]) / rate : iw->answer.force[k] / force + 1e-10;
}

/* Along the direction in which it slips: slips (the rows' velocities) or their rates. */
static double slip_along(const impact_work *iw, int k, const double *rows)
{
    return v3_dot(reduction_across(&iw->reduced, k, rows), iw->at->modes[k].direction_w);
}

static double joint_along(const impact_work *iw, int k, const double *rows)
{
    const friction_element *e = &iw->reduced.elements[reduction_joint_element(&iw->reduced, k)];
    double along = 0.0;
    for (int i = 0; i < e->dim; ++i) {
        along += rows[e->first_row + i] * iw->at->joints[k].direction[i];
    }
    return along;
}

double event_function_slip_left(const impact_work *iw, int event)
{
    int n = (int)iw->at->contacts.count;
    if (!iw->solved || !event_function_is_slip(iw, event)) {
        return 0.0;
    }
    bool joint = event >= 2 * n;
    int k = joint ? event - 2 * n : event - n;
    double slip = joint ? joint_along(iw, k, iw->reduced.u) : slip_along(iw, k, iw->reduced.u);
    double rate = joint ? joint_along(iw, k, iw->answer.rate) : slip_along(iw, k, iw->answer.rate);
    return rate < 0.0 ? slip / -rate : 0.0;
}

void event_functions_evaluate(const impact_work *iw, double *out)
{
    const reduction *r = &iw->reduced;
    int n = (int)iw->at->contacts.count;
    if (!iw->solved) {
        for (int k = 0; k < 2 * n + r->joint_count; ++k) {
            out[k] = 1.0;
        }
        return;
    }
    double force = force_scale(iw);
    double rate = reduction_largest_rate(r);
    for (int k = 0; k < n; ++k) {
        double began = slip_along(iw, k, r->u);
        int e = r->element[k];
        bool rubs = e >= 0 && !iw->at->modes[k].inactive && !iw->at->modes[k].at_cone;
        out[k] = normal_event(iw, k, force, rate);
        out[n + k] = rubs ? friction_event(iw, e, &iw->state[e], began, force) : 1.0;
    }
    for (int k = 0; k < r->joint_count; ++k) {
        int e = reduction_joint_element(r, k);
        out[2 * n + k] = friction_event(iw, e, &iw->state[e], joint_along(iw, k, r->u), force);
    }
}

/* ---- the workspace ------------------------------------------------------------------------------------------------ */

static void destroy(void *self)
{
    impact_work *iw = self;
    near_destroy(iw->near);
    reduction_free(&iw->reduced);
    active_set_free(&iw->present);
    active_set_free(&iw->last);
    active_set_free(&iw->next);
    free(iw->records.items);
    contact_points_free(&iw->points);
    free(iw->found.items);
    free(iw->event_values);
    free(iw->shift);
    gap_list_free(&iw->gaps);
    carom_arena_free(&iw->moment);
    carom_arena_free(&iw->arena);
    free(iw);
}

static carom_status create(void **self, const carom_model *model, carom_error *err)
{
    impact_work *iw = calloc(1, sizeof *iw);
    if (!iw) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    iw->model = model;
    iw->at = &iw->present;
    carom_status status = reduction_create(&iw->reduced, model, err);
    if (status == CAROM_OK) {
        status = near_create(&iw->near, model, err);
    }
    int joints = iw->reduced.joint_count + 1;
    iw->present.joints = CAROM_ARENA_ARRAY(&iw->arena, friction_state, joints);
    iw->last.joints = CAROM_ARENA_ARRAY(&iw->arena, friction_state, joints);
    iw->next.joints = CAROM_ARENA_ARRAY(&iw->arena, friction_state, joints);
    contact_totals_create(&iw->totals, &iw->arena, model);
    iw->margin = CAROM_ARENA_ARRAY(&iw->arena, double, model->collider_count + 1);
    iw->rounds = CAROM_ARENA_ARRAY(&iw->arena, int, model->free_count + 1);
    iw->rate_before = CAROM_ARENA_ARRAY(&iw->arena, body_rate, model->body_count);
    iw->bounds = CAROM_ARENA_ARRAY(&iw->arena, motion_bound, model->body_count);
    iw->in_piece = CAROM_ARENA_ARRAY(&iw->arena, motion_bound, model->body_count);
    iw->piece = dense_create(&iw->arena, model);
    if (status == CAROM_OK && (iw->arena.failed || !impact_work_reserve(iw, 4))) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    if (status != CAROM_OK) {
        destroy(iw);
        return status;
    }
    *self = iw;
    return CAROM_OK;
}

const contact_forces impact_forces = {
    .create = create,
    .destroy = destroy,
    .load = active_set_load,
    .look_back = look_back,
    .apply = apply,
    .react = react,
    .points = points,
    .interaction = interaction,
    .totals = totals,
};
