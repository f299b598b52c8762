/* The state: one block of doubles with named places in it. */
#include "model/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/array.h"
#include "base/hash.h"
#include "model/model.h"

_Static_assert(sizeof(body_pose) == 7 * sizeof(double), "a pose is seven doubles");
_Static_assert(sizeof(carom_pose) == 7 * sizeof(double), "a pose is seven doubles");
_Static_assert(sizeof(body_rate) == FRAME_COLUMNS * sizeof(double), "a rate is a double per column of a frame");

enum {
    POSE_DOUBLES = sizeof(body_pose) / sizeof(double),
    RATE_DOUBLES = sizeof(body_rate) / sizeof(double),
    EVENT_DOUBLES = sizeof(event_memory) / sizeof(double)
};

/* Gives out consecutive pieces; with data == NULL it only counts. */
typedef struct layout {
    double *data;
    size_t used;
} layout;

static double *take(layout *l, size_t doubles)
{
    double *piece = l->data ? l->data + l->used : NULL;
    l->used += doubles;
    return piece;
}

static size_t lay_out(carom_state *s, const carom_model *model, double *data)
{
    size_t n = (size_t)model->body_count;
    layout l = { data, 0 };
    s->time = take(&l, 1);
    s->step = take(&l, 1);
    s->last_step = take(&l, 1);
    s->step_error = take(&l, 1);
    s->initialised = take(&l, 1);
    s->step_count = take(&l, 1);
    s->pose = (body_pose *)(void *)take(&l, POSE_DOUBLES * n);
    s->rate = (body_rate *)(void *)take(&l, RATE_DOUBLES * n);
    s->acceleration = (body_rate *)(void *)take(&l, RATE_DOUBLES * n);
    s->history = (body_rate *)(void *)take(&l, RATE_DOUBLES * n);
    s->jerk = (body_rate *)(void *)take(&l, RATE_DOUBLES * n);
    s->sigma = take(&l, (size_t)model->row_count);
    s->near = take(&l, (size_t)model->coordinate_count);
    s->coupler_offset = take(&l, (size_t)model->coupler_count);
    s->sums = (ledger_sums *)(void *)take(&l, LEDGER_SUMS);
    s->power = (ledger_sums *)(void *)take(&l, LEDGER_SUMS);
    s->start = take(&l, STATE_START);
    s->input = take(&l, (size_t)model->input_count);
    s->events = (event_memory *)(void *)take(&l, EVENT_DOUBLES * (size_t)model->event_count);
    s->q = take(&l, (size_t)model->deform_count);
    s->q_dot = take(&l, (size_t)model->deform_count);
    s->q_ddot = take(&l, (size_t)model->deform_count);
    s->q_history = take(&l, (size_t)model->deform_count);
    s->q_jerk = take(&l, (size_t)model->deform_count);
    s->z = take(&l, (size_t)model->integral_count);
    s->z_dot = take(&l, (size_t)model->integral_count);
    s->z_history = take(&l, (size_t)model->integral_count);
    s->z_jerk = take(&l, (size_t)model->integral_count);
    return l.used;
}

void state_set_pose(const carom_model *model, carom_state *s, int body, carom_pose pose)
{
    v3 com_w = q_rotate(pose.orientation, model->bodies[body].com_b);
    s->pose[body] = (body_pose){ v3_add(pose.position, com_w), pose.orientation };
}

void state_set_rate(const carom_model *model, carom_state *s, int body, v3 v_w, v3 omega_w)
{
    v3 com_w = q_rotate(s->pose[body].q_wb, model->bodies[body].com_b);
    s->rate[body] = (body_rate){ v3_add(v_w, v3_cross(omega_w, com_w)), omega_w };
}

static void place_at_start(carom_state *s, const carom_model *model)
{
    for (int i = 0; i < model->body_count; ++i) {
        const model_body *b = &model->bodies[i];
        state_set_pose(model, s, i, b->start);
        state_set_rate(model, s, i, b->start_velocity, b->start_omega_w);
        if (b->role == BODY_FIXED) {
            s->rate[i] = (body_rate){ v3_zero(), v3_zero() };
        }
        if (b->nodal) {
            nodal_set_rates(b->nodal, b->start_velocity, b->start_omega_w, s->q_dot + b->first_deform);
        }
    }
}

carom_state *carom_state_create(const carom_model *model)
{
    carom_state *s = model ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        return NULL;
    }
    s->model_hash = model->hash;
    s->size = lay_out(s, model, NULL);
    s->data = calloc(s->size, sizeof *s->data);
    if (!s->data) {
        free(s);
        return NULL;
    }
    lay_out(s, model, s->data);
    place_at_start(s, model);
    for (int i = 0; i < model->input_count; ++i) {
        s->input[i] = model->inputs[i].start;
    }
    for (int i = 0; i < model->integral_count; ++i) {
        s->z[i] = model->integrals[i].start;
    }
    for (int i = 0; i < model->event_count; ++i) {
        s->events[i] = (event_memory){ .holds = (double)NAN, .due = HUGE_VAL };
    }
    return s;
}

void carom_state_destroy(carom_state *state)
{
    if (state) {
        free(state->contacts.items);
        free(state->data);
        free(state);
    }
}

bool state_fits(const carom_model *model, const carom_state *state)
{
    return state->model_hash == model->hash;
}

carom_status state_check(const char *function, const carom_model *model, const carom_state *state, carom_error *err)
{
    const argument needed[] = { { "model", model }, { "state", state } };
    carom_status status = arguments_given(function, needed, 2, err);
    return status != CAROM_OK || state_fits(model, state)
               ? status
               : carom_fail(err, CAROM_BAD_INPUT,
                            "%s: 'state' belongs to another model; make one with carom_state_create(model)",
                            function);
}

bool contact_records_reserve(contact_records *r, size_t count)
{
    return count <= r->capacity || CAROM_ARRAY_RESERVE(r->items, r->capacity, count);
}

bool contact_records_copy(contact_records *to, const contact_records *from)
{
    if (!contact_records_reserve(to, from->count)) {
        return false;
    }
    to->count = from->count;
    if (from->count > 0) {
        memcpy(to->items, from->items, from->count * sizeof *from->items);
    }
    return true;
}

static int compare(uint32_t x, uint32_t y)
{
    return (x > y) - (x < y);
}

int contact_record_compare(const contact_record *x, const contact_record *y)
{
    int order = compare(x->a, y->a);
    order = order ? order : compare(x->b, y->b);
    order = order ? order : compare(x->kind, y->kind);
    order = order ? order : compare(x->feature, y->feature);
    return order ? order : compare(x->partner, y->partner);
}

const contact_record *contact_records_find(const contact_records *r, const contact_record *key)
{
    size_t low = 0;
    size_t high = r->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = contact_record_compare(&r->items[middle], key);
        if (order == 0) {
            return &r->items[middle];
        }
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return NULL;
}

carom_status carom_state_copy(carom_state *to, const carom_state *from)
{
    if (!to || !from || to->model_hash != from->model_hash) {
        return CAROM_BAD_INPUT;
    }
    if (to == from) {
        return CAROM_OK;
    }
    if (!contact_records_copy(&to->contacts, &from->contacts)) {
        return CAROM_NO_MEMORY;
    }
    memcpy(to->data, from->data, from->size * sizeof *from->data);
    return CAROM_OK;
}

/* An account that few scenes use counts once something is in it, so that it changes no hash of the others. */
static uint64_t hash_data(const carom_state *s)
{
    const double *const rare[] = { &s->sums->work[ACCOUNT_HANDOVER], &s->power->work[ACCOUNT_HANDOVER] };
    uint64_t hash = CAROM_HASH_START;
    const double *from = s->data;
    for (int k = 0; k < 2; ++k) {
        const double *to = rare[k] + (*rare[k] != 0.0);
        hash = carom_hash(hash, from, (size_t)(to - from) * sizeof *from);
        from = rare[k] + 1;
    }
    return carom_hash(hash, from, (size_t)(s->data + s->size - from) * sizeof *from);
}

uint64_t carom_state_hash(const carom_state *state)
{
    if (!state) {
        return 0;
    }
    uint64_t hash = hash_data(state);
    return carom_hash(hash, state->contacts.items, state->contacts.count * sizeof *state->contacts.items);
}

bool state_equals(const carom_state *a, const carom_state *b)
{
    size_t records = a->contacts.count;
    return a->size == b->size && records == b->contacts.count &&
           memcmp(a->data, b->data, a->size * sizeof *a->data) == 0 &&
           (records == 0 || memcmp(a->contacts.items, b->contacts.items, records * sizeof *a->contacts.items) == 0);
}

double carom_state_time(const carom_state *state)
{
    return state ? *state->time : 0.0;
}

static bool has_body(const carom_model *model, const carom_state *state, carom_id body)
{
    return model && state && state_fits(model, state) && body >= 0 && body < model->body_count;
}

carom_pose carom_state_pose(const carom_model *model, const carom_state *state, carom_id body)
{
    if (!has_body(model, state, body)) {
        return (carom_pose){ .orientation.w = 1.0 };
    }
    const body_pose *p = &state->pose[body];
    v3 com_w = q_rotate(p->q_wb, model->bodies[body].com_b);
    return (carom_pose){ v3_sub(p->x_w, com_w), p->q_wb };
}

carom_v3 carom_state_velocity(const carom_model *model, const carom_state *state, carom_id body)
{
    if (!has_body(model, state, body)) {
        return v3_zero();
    }
    v3 com_w = q_rotate(state->pose[body].q_wb, model->bodies[body].com_b);
    return v3_sub(state->rate[body].v_w, v3_cross(state->rate[body].omega_w, com_w));
}

carom_v3 carom_state_angular_velocity(const carom_model *model, const carom_state *state, carom_id body)
{
    return has_body(model, state, body) ? state->rate[body].omega_w : v3_zero();
}

_Static_assert(offsetof(quat, w) == 0 && offsetof(quat, z) == 3 * sizeof(double),
               "views show quaternions as w, x, y, z");

carom_state_view carom_view(const carom_model *model, const carom_state *state)
{
    if (!model || !state || !state_fits(model, state)) {
        return (carom_state_view){ 0 };
    }
    return (carom_state_view){ .time = state->time,
                               .poses = (const double *)(const void *)state->pose,
                               .velocities = (const double *)(const void *)state->rate,
                               .body_count = (size_t)model->body_count,
                               .pose_stride = POSE_DOUBLES,
                               .velocity_stride = RATE_DOUBLES,
                               .inputs = model->input_count > 0 ? state->input : NULL,
                               .input_count = (size_t)model->input_count };
}

void carom_poses(const carom_model *model, const carom_state *state, double *out)
{
    if (!model || !state || !out || !state_fits(model, state)) {
        return;
    }
    for (int i = 0; i < model->body_count; ++i) {
        carom_pose pose = carom_state_pose(model, state, i);
        memcpy(out + (size_t)i * POSE_DOUBLES, &pose, sizeof pose);
    }
}

double carom_state_input(const carom_model *model, const carom_state *state, int input)
{
    bool there = model && state && state_fits(model, state) && input >= 0 && input < model->input_count;
    return there ? state->input[input] : 0.0;
}
