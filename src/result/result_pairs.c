/* Statistics of contacts. A run that has ended left them in its summary, of all steps; else they are gathered in one
 * walk through the frames.
 *
 * A frame stands for the time halfway to its neighbours; a sum of values weighted so is the trapezoidal rule over all
 * frames. Pairs are found through a hash table, so a walk costs in proportion to the points, however many pairs there
 * are. Points are trusted to come in no particular order: those of a pair are added up until its next frame. */
#include "result/result_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/slots.h"
#include "result/result_inside.h"

/* A pair and its points of the frame that is being added up. */
typedef struct open_pair {
    carom_result_pair pair;
    size_t frame;
    carom_v3 force;  /* [N] */
    carom_v3 normal; /* [N] the part along the normals */
} open_pair;

typedef struct pair_table {
    const double *time; /* [s] of the frames */
    size_t frames;
    open_pair *pairs; /* in the order of their first touch */
    size_t count, capacity;
    carom_slots slots;
} pair_table;

static double length(carom_v3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static double dot(carom_v3 a, carom_v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void add_scaled(carom_v3 *sum, double factor, carom_v3 a)
{
    sum->x += factor * a.x;
    sum->y += factor * a.y;
    sum->z += factor * a.z;
}

/* ---- pairs -------------------------------------------------------------------------------------------------------- */

static bool are_same(const int a[2], const int b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* The slot of the pair, or the free one where it belongs. */
static size_t find_slot(const pair_table *t, const int body[2])
{
    uint64_t key = (uint64_t)(uint32_t)body[0] << 32 | (uint32_t)body[1];
    const uint32_t *item = t->slots.item;
    size_t slot = carom_slots_first(&t->slots, key);
    while (item[slot] != 0 && !are_same(t->pairs[item[slot] - 1].pair.body, body)) {
        slot = carom_slots_next(&t->slots, slot);
    }
    return slot;
}

static bool grow(pair_table *t)
{
    if (!CAROM_SLOTS_GROW(t->slots, t->pairs, t->capacity, 64)) {
        return false;
    }
    for (size_t i = 0; i < t->count; ++i) {
        t->slots.item[find_slot(t, t->pairs[i].pair.body)] = (uint32_t)i + 1;
    }
    return true;
}

/* The pair of these bodies, new in this frame if need be; NULL when memory runs out. */
static open_pair *pair_of(pair_table *t, const int body[2], size_t frame)
{
    if (t->count == t->capacity && !grow(t)) {
        return NULL;
    }
    size_t slot = find_slot(t, body);
    if (t->slots.item[slot] == 0) {
        open_pair *fresh = &t->pairs[t->count++];
        *fresh = (open_pair){ .frame = frame };
        fresh->pair.body[0] = body[0];
        fresh->pair.body[1] = body[1];
        fresh->pair.first_touch = t->time[frame];
        t->slots.item[slot] = (uint32_t)t->count;
    }
    return &t->pairs[t->slots.item[slot] - 1];
}

/* ---- the walk ----------------------------------------------------------------------------------------------------- */

/* Half of the way to the frames before and after. */
static double time_share(const pair_table *t, size_t k)
{
    double before = k > 0 ? t->time[k - 1] : t->time[k];
    double after = k + 1 < t->frames ? t->time[k + 1] : t->time[k];
    return 0.5 * (after - before);
}

/* The points of its frame are complete. */
static void close_frame(const pair_table *t, open_pair *p)
{
    carom_result_pair *pair = &p->pair;
    double force = length(p->force);
    double share = time_share(t, p->frame);
    if (force > pair->peak_force) {
        pair->peak_force = force;
        pair->peak_at = t->time[p->frame];
    }
    pair->in_contact += share;
    pair->impulse += share * length(p->normal);
    pair->last_touch = t->time[p->frame];
    p->force = p->normal = (carom_v3){ 0.0, 0.0, 0.0 };
}

static bool take_point(pair_table *t, const carom_contact_point *c, size_t frame)
{
    open_pair *p = pair_of(t, c->body, frame);
    if (!p) {
        return false;
    }
    if (p->frame != frame) {
        close_frame(t, p);
        p->frame = frame;
    }
    add_scaled(&p->force, 1.0, c->force);
    add_scaled(&p->normal, dot(c->force, c->normal), c->normal);
    p->pair.penetration = fmax(p->pair.penetration, -c->gap);
    return true;
}

static carom_status take_frames(pair_table *t, const carom_result *result, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < t->frames && status == CAROM_OK; ++k) {
        const carom_contact_point *points = NULL;
        size_t count = carom_result_contact_count(result, k);
        status = carom_result_contacts(result, k, &points, err);
        for (size_t i = 0; status == CAROM_OK && i < count; ++i) {
            if (!take_point(t, &points[i], k)) {
                status = carom_fail(err, CAROM_NO_MEMORY, "no memory for the touching pairs of a result");
            }
        }
    }
    return status;
}

/* ---- the list ----------------------------------------------------------------------------------------------------- */

static int harder_first(const void *a, const void *b)
{
    const carom_result_pair *p = a;
    const carom_result_pair *q = b;
    int by_force = (p->peak_force < q->peak_force) - (p->peak_force > q->peak_force);
    int by_a = (p->body[0] > q->body[0]) - (p->body[0] < q->body[0]);
    int by_b = (p->body[1] > q->body[1]) - (p->body[1] < q->body[1]);
    return by_force != 0 ? by_force : by_a != 0 ? by_a : by_b;
}

static carom_status make_list(pair_table *t, carom_result_pair **out, size_t *count, carom_error *err)
{
    carom_result_pair *list = malloc((t->count + 1) * sizeof *list);
    if (!list) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for the touching pairs of a result");
    }
    for (size_t i = 0; i < t->count; ++i) {
        close_frame(t, &t->pairs[i]);
        list[i] = t->pairs[i].pair;
    }
    qsort(list, t->count, sizeof *list, harder_first);
    *out = list;
    *count = t->count < CAROM_PAIRS_MOST ? t->count : CAROM_PAIRS_MOST;
    return CAROM_OK;
}

carom_status result_pairs_of_frames(const carom_result *result, carom_result_pair **out, size_t *count,
                                    carom_error *err)
{
    pair_table t = { .time = carom_result_time(result), .frames = carom_result_frame_count(result) };
    *out = NULL;
    *count = 0;
    carom_status status = take_frames(&t, result, err);
    status = status == CAROM_OK ? make_list(&t, out, count, err) : status;
    free(t.pairs);
    free(t.slots.item);
    return status;
}

carom_status carom_result_pairs(const carom_result *result, carom_result_pair **out, size_t *count, carom_error *err)
{
    const argument needed[] = { { "result", result }, { "out", out }, { "count", count } };
    carom_status status = arguments_given("carom_result_pairs", needed, 3, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (!result->pairs) {
        return result_pairs_of_frames(result, out, count, err);
    }
    carom_result_pair *pairs = malloc((result->pair_count + 1) * sizeof *pairs);
    if (!pairs) {
        return result_no_memory(result, err);
    }
    memcpy(pairs, result->pairs, result->pair_count * sizeof *pairs);
    *out = pairs;
    *count = result->pair_count;
    return CAROM_OK;
}

void carom_result_pairs_destroy(carom_result_pair *list)
{
    free(list);
}

bool carom_result_pairs_of_steps(const carom_result *result)
{
    return result && result->pairs;
}

/* ---- all pairs together ------------------------------------------------------------------------------------------- */

static void see_point(carom_contact_overview *o, const carom_contact_point *c, double t)
{
    double force = length(c->force);
    if (-c->gap > o->penetration) {
        o->penetration = -c->gap;
        o->penetration_at = t;
        o->penetration_body[0] = c->body[0];
        o->penetration_body[1] = c->body[1];
    }
    if (force > o->force) {
        o->force = force;
        o->force_at = t;
        o->force_body[0] = c->body[0];
        o->force_body[1] = c->body[1];
    }
}

carom_status carom_result_contact_overview(const carom_result *result, carom_contact_overview *out, carom_error *err)
{
    const argument needed[] = { { "result", result }, { "out", out } };
    carom_status status = arguments_given("carom_result_contact_overview", needed, 2, err);
    if (status != CAROM_OK) {
        return status;
    }
    const double *time = carom_result_time(result);
    size_t frames = carom_result_frame_count(result);
    *out = (carom_contact_overview){ .penetration_body = { CAROM_NONE, CAROM_NONE },
                                     .force_body = { CAROM_NONE, CAROM_NONE } };
    for (size_t k = 0; k < frames && status == CAROM_OK; ++k) {
        const carom_contact_point *points = NULL;
        size_t count = carom_result_contact_count(result, k);
        status = carom_result_contacts(result, k, &points, err);
        if (count > out->most_points) {
            out->most_points = count;
            out->most_points_at = time[k];
        }
        for (size_t i = 0; status == CAROM_OK && i < count; ++i) {
            see_point(out, &points[i], time[k]);
        }
    }
    return status;
}
