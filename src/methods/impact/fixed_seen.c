/* What the state remembers of contacts, and what others see of it. A contact is two records under one key: the force, and where it acts in the frame
 * of the first body. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/quat.h"
#include "methods/impact/fixed_work.h"

enum { STICKS = 1u, PRESSES = 2u, SLIPS = 4u };
enum { RECORD_RUBBING = 600, RECORD_CUT }; /* force along the slip rows of a joint; what is left of a whole step */

/* ---- records ------------------------------------------------------------------------------------------------------------------------ */

static int compare_records(const void *x, const void *y)
{
    return contact_record_compare(x, y);
}

static contact_record rubbing_record(const fixed_work *fw, int joint)
{
    const joint_equations *j = &fw->joints[fw->joint_place[joint]];
    carom_friction_state state = fixed_rub_state(j);
    contact_record r = { .a = (uint32_t)joint,
                         .kind = RECORD_RUBBING,
                         .state = state == CAROM_FRICTION_STICK  ? STICKS
                                  : state == CAROM_FRICTION_SLIP ? SLIPS
                                                                 : 0u };
    for (int k = 0; k < j->slip_count; ++k) {
        r.value[k] = j->r[j->count + k] / fw->force_time;
    }
    return r;
}

/* Those that press, and those that pressed in the step before: others start from nothing. */
bool fixed_remember(fixed_work *fw, const carom_scratch *w, carom_state *s)
{
    contact_records *records = &s->contacts;
    if (!contact_records_reserve(records,
                                 2 * (size_t)fw->contact_count + (size_t)fw->model->joint_count + 1 + LEAP_RECORDS)) {
        return false;
    }
    records->count = 0;
    for (int k = 0; k < fw->contact_count; ++k) {
        const fixed_contact *c = &fw->contacts[k];
        if (!(v3_dot(c->impulse_w, c->normal_w) > 0.0)) {
            continue;
        }
        contact_record r = { .a = (uint32_t)c->collider[0],
                             .b = (uint32_t)c->collider[1],
                             .kind = 2u * c->code,
                             .feature = c->feature,
                             .partner = c->partner,
                             .state = PRESSES | (c->sticks ? STICKS : 0u) };
        const body_pose *pose = &w->pose[c->body[0]];
        v3_store(r.value, v3_scale(1.0 / fw->force_time, c->impulse_w));
        records->items[records->count++] = r;
        r.kind++;
        v3_store(r.value, q_unrotate(pose->q_wb, v3_sub(c->p_w, pose->x_w)));
        records->items[records->count++] = r;
    }
    for (int j = 0; j < fw->model->joint_count; ++j) {
        if (fixed_rubs(&fw->model->joints[j])) {
            records->items[records->count++] = rubbing_record(fw, j);
        }
    }
    if (fw->left > 0.0) {
        records->items[records->count++] = (contact_record){ .kind = RECORD_CUT, .value = { fw->left } };
    }
    if (records->count > 0) {
        qsort(records->items, records->count, sizeof *records->items, compare_records);
    }
    leap_remember(s, &fw->place_in_step);
    return true;
}

bool fixed_keep_place(const fixed_work *fw, carom_state *s)
{
    contact_records *records = &s->contacts;
    size_t kept = 0;
    for (size_t k = 0; k < records->count; ++k) {
        if (records->items[k].kind != RECORD_LEAP) {
            records->items[kept++] = records->items[k];
        }
    }
    records->count = kept;
    if (!contact_records_reserve(records, kept + LEAP_RECORDS)) {
        return false;
    }
    leap_remember(s, &fw->place_in_step);
    return true;
}

/* The point of a force's record: both ascend, so that the search goes on from where the last one ended. */
static v3 point_of(const carom_state *s, const contact_record *force, size_t *from)
{
    const contact_records *records = &s->contacts;
    contact_record key = *force;
    key.kind++;
    while (*from < records->count && contact_record_compare(&records->items[*from], &key) < 0) {
        ++*from;
    }
    bool found = *from < records->count && contact_record_compare(&records->items[*from], &key) == 0;
    return found ? v3_load(records->items[*from].value) : v3_zero();
}

void fixed_load(fixed_work *fw, const carom_state *s)
{
    size_t point = 0;
    fw->memory_count = 0;
    for (int j = 0; j < fw->model->joint_count; ++j) {
        fw->rub_force[j] = v3_zero();
        fw->rub_state[j] = CAROM_FRICTION_NONE;
    }
    fw->left = 0.0;
    fw->place_in_step = (leap_place){ 0 };
    leap_find(s, &fw->place_in_step);
    fw->load_failed = !CAROM_ARRAY_RESERVE(fw->memory, fw->memory_capacity, s->contacts.count + 1);
    for (size_t k = 0; !fw->load_failed && k < s->contacts.count; ++k) {
        const contact_record *r = &s->contacts.items[k];
        if (r->kind == RECORD_RUBBING && (int)r->a < fw->model->joint_count) {
            fw->rub_force[r->a] = v3_load(r->value);
            fw->rub_state[r->a] = (r->state & STICKS) != 0u  ? CAROM_FRICTION_STICK
                                  : (r->state & SLIPS) != 0u ? CAROM_FRICTION_SLIP
                                                             : CAROM_FRICTION_NONE;
        }
        fw->left = r->kind == RECORD_CUT ? r->value[0] : fw->left;
        if (r->kind >= RECORD_RUBBING || r->kind % 2u == 1u) {
            continue;
        }
        fw->memory[fw->memory_count++] = (fixed_memory){ .collider = { (int)r->a, (int)r->b },
                                                         .code = r->kind / 2u,
                                                         .feature = r->feature,
                                                         .partner = r->partner,
                                                         .force_w = v3_load(r->value),
                                                         .point_c = point_of(s, r, &point),
                                                         .pressed = (r->state & PRESSES) != 0u,
                                                         .sticks = (r->state & STICKS) != 0u };
    }
}

/* ---- what others see ----------------------------------------------------------------------------------------------------------------- */

/* Contacts that press, with impulses of so many seconds; stops are part of their joints. */
static void show_contacts(fixed_work *fw, const carom_scratch *w, double seconds)
{
    fw->points.count = 0;
    contact_totals_clear(&fw->totals, fw->model);
    fw->load_failed = fw->load_failed || !contact_points_reserve(&fw->points, (size_t)fw->contact_count + 1);
    for (int k = 0; !fw->load_failed && k < fw->contact_count; ++k) {
        const fixed_contact *c = &fw->contacts[k];
        v3 force = v3_scale(1.0 / seconds, c->impulse_w);
        if (!(v3_dot(force, c->normal_w) > 0.0) || !c->interaction) {
            continue;
        }
        v3 u = fixed_relative_velocity(w, w->rate, c);
        contact_sight seen = { .body = c->body[0],
                               .other = c->body[1],
                               .gap = c->gap,
                               .p_w = c->p_w,
                               .normal_w = c->normal_w,
                               .force_w = force,
                               .slip_w = v3_axpy(u, -v3_dot(u, c->normal_w), c->normal_w) };
        contact_points_push(&fw->points, &seen, c->interaction);
        contact_totals_add(&fw->totals, w->pose, c->body, c->p_w, force, c->gap);
    }
}

void fixed_show_step(fixed_work *fw, const carom_scratch *w)
{
    show_contacts(fw, w, fw->force_time);
}

void fixed_make_points(fixed_work *fw, const carom_scratch *w)
{
    fw->load_failed = fw->load_failed || !fixed_find_contacts(fw, w, 0.0, 1.0);
    show_contacts(fw, w, 1.0);
}

/* ---- the workspace -------------------------------------------------------------------------------------------------------------------- */

static void allocate(fixed_work *fw, const carom_model *m)
{
    carom_arena *arena = &fw->arena;
    int n = m->free_count + 1;
    fw->placed = CAROM_ARENA_ARRAY(arena, placed_convex, m->collider_count + 1);
    fw->is_placed = CAROM_ARENA_ARRAY(arena, bool, m->collider_count + 1);
    fw->margin = CAROM_ARENA_ARRAY(arena, double, m->collider_count + 1);
    fw->parent = CAROM_ARENA_ARRAY(arena, int, n);
    fw->place = CAROM_ARENA_ARRAY(arena, int, n);
    fw->slot_at = CAROM_ARENA_ARRAY(arena, int, n);
    fw->bodies = CAROM_ARENA_ARRAY(arena, problem_body, n);
    fw->v = CAROM_ARENA_ARRAY(arena, double, BODY_COLUMNS *n);
    fw->v_free = CAROM_ARENA_ARRAY(arena, double, BODY_COLUMNS *n);
    fw->joints = CAROM_ARENA_ARRAY(arena, joint_equations, fixed_element_count(m) + 1);
    fw->joint_at = CAROM_ARENA_ARRAY(arena, int, fixed_element_count(m) + 1);
    fw->joint_place = CAROM_ARENA_ARRAY(arena, int, fixed_element_count(m) + 1);
    fw->rub_force = CAROM_ARENA_ARRAY(arena, v3, m->joint_count + 1);
    fw->rub_state = CAROM_ARENA_ARRAY(arena, carom_friction_state, m->joint_count + 1);
    fw->islands = CAROM_ARENA_ARRAY(arena, fixed_island, n);
    fw->solvers = CAROM_ARENA_ARRAY(arena, contact_solver *, n);
    fw->rate_before = CAROM_ARENA_ARRAY(arena, body_rate, m->body_count);
    fw->rate_free = CAROM_ARENA_ARRAY(arena, body_rate, m->body_count);
    contact_totals_create(&fw->totals, arena, m);
}

static void destroy(void *self)
{
    fixed_work *fw = self;
    if (!fw) {
        return;
    }
    for (int i = 0; fw->placed && i < fw->model->collider_count; ++i) {
        placed_convex_free(&fw->placed[i]);
    }
    for (int i = 0; fw->solvers && i <= fw->model->free_count; ++i) {
        contact_solver_destroy(fw->solvers[i]);
    }
    near_destroy(fw->near);
    gap_list_free(&fw->features);
    free(fw->contacts);
    free(fw->memory);
    free(fw->cones);
    free(fw->cone_source);
    contact_points_free(&fw->points);
    carom_arena_free(&fw->arena);
    free(fw);
}

static carom_status create(void **self, const carom_model *model, carom_error *err)
{
    fixed_work *fw = calloc(1, sizeof *fw);
    *self = fw;
    if (!fw) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    fw->model = model;
    fw->options = model->method_options;
    allocate(fw, model);
    if (fw->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    return near_create(&fw->near, model, err);
}

static void load(void *self, const carom_state *s)
{
    fixed_load(self, s);
}

/* Forces of contacts are impulses of the step; an evaluation shows them and adds none. */
static bool apply(void *self, carom_scratch *w)
{
    fixed_work *fw = self;
    if (!fw->stepping) {
        fixed_make_points(fw, w);
    }
    return !fw->load_failed;
}

static const carom_contact_point *points(void *self, int *count)
{
    fixed_work *fw = self;
    *count = fw->points.count;
    return fw->points.items;
}

static const model_interaction *interaction(const void *self, int point)
{
    const fixed_work *fw = self;
    return fw->points.interactions[point];
}

static contact_totals totals(const void *self)
{
    const fixed_work *fw = self;
    return fw->totals;
}

const contact_forces fixed_forces = {
    .create = create,
    .destroy = destroy,
    .load = load,
    .apply = apply,
    .points = points,
    .interaction = interaction,
    .totals = totals,
};
