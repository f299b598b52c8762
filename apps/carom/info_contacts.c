/* Statistics of contacts, gathered in one walk through the frames of a result. Times are as fine as the frames are:
 * each frame stands for the time halfway to its neighbours. */
#include "info_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "table.h"

typedef struct touching_pair {
    int body[2];
    double first_touch; /* [s] */
    double in_contact;  /* [s] */
    double peak_force;  /* [N] of all its points together */
    double penetration; /* [m] deepest */
} touching_pair;

typedef struct contact_statistics {
    size_t most_points;
    double most_points_at; /* [s] */
    double penetration;    /* [m] */
    double penetration_at; /* [s] */
    double force;          /* [N] of one point */
    double force_at;       /* [s] */
    size_t pair_count;
    size_t pair_capacity;
    touching_pair *pairs; /* ascending by bodies */
} contact_statistics;

/* ---- pairs -------------------------------------------------------------------------------------------------------- */

static int compare_bodies(const int a[2], const int b[2])
{
    int first = (a[0] > b[0]) - (a[0] < b[0]);
    return first != 0 ? first : (a[1] > b[1]) - (a[1] < b[1]);
}

/* Where the pair is, or belongs. */
static size_t pair_place(const contact_statistics *s, const int body[2])
{
    size_t low = 0;
    size_t high = s->pair_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_bodies(s->pairs[middle].body, body) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void make_room(contact_statistics *s)
{
    if (s->pair_count < s->pair_capacity) {
        return;
    }
    size_t capacity = s->pair_capacity ? 2 * s->pair_capacity : 64;
    touching_pair *pairs = allocate(capacity, sizeof *pairs);
    if (s->pairs) {
        memcpy(pairs, s->pairs, s->pair_count * sizeof *pairs);
    }
    free(s->pairs);
    s->pairs = pairs;
    s->pair_capacity = capacity;
}

static touching_pair *pair_of(contact_statistics *s, const int body[2], double t)
{
    size_t place = pair_place(s, body);
    if (place < s->pair_count && compare_bodies(s->pairs[place].body, body) == 0) {
        return &s->pairs[place];
    }
    make_room(s);
    memmove(s->pairs + place + 1, s->pairs + place, (s->pair_count - place) * sizeof *s->pairs);
    s->pairs[place] = (touching_pair){ .body = { body[0], body[1] }, .first_touch = t };
    s->pair_count += 1;
    return &s->pairs[place];
}

/* ---- the walk ----------------------------------------------------------------------------------------------------- */

/* Half of the way to the frames before and after. */
static double time_share(const double *time, size_t frames, size_t k)
{
    double before = k > 0 ? time[k - 1] : time[k];
    double after = k + 1 < frames ? time[k + 1] : time[k];
    return 0.5 * (after - before);
}

static double length(carom_v3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static void take_point(contact_statistics *s, const carom_contact_point *c, double t)
{
    double force = length(c->force);
    if (-c->gap > s->penetration) {
        s->penetration = -c->gap;
        s->penetration_at = t;
    }
    if (force > s->force) {
        s->force = force;
        s->force_at = t;
    }
}

/* The points of one pair, which lie behind each other; returns how many they are. */
static size_t take_pair(contact_statistics *s, const carom_contact_point *points, size_t count, double t,
                        double share)
{
    touching_pair *pair = pair_of(s, points[0].body, t);
    carom_v3 force = { 0.0, 0.0, 0.0 };
    size_t i = 0;
    for (; i < count && compare_bodies(points[i].body, pair->body) == 0; ++i) {
        force.x += points[i].force.x;
        force.y += points[i].force.y;
        force.z += points[i].force.z;
        pair->penetration = fmax(pair->penetration, -points[i].gap);
        take_point(s, &points[i], t);
    }
    pair->peak_force = fmax(pair->peak_force, length(force));
    pair->in_contact += share;
    return i;
}

static carom_status gather(contact_statistics *s, const carom_result *result, carom_error *err)
{
    size_t frames = carom_result_frame_count(result);
    const double *time = carom_result_time(result);
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < frames && status == CAROM_OK; ++k) {
        const carom_contact_point *points = NULL;
        size_t count = carom_result_contact_count(result, k);
        status = carom_result_contacts(result, k, &points, err);
        if (count > s->most_points) {
            s->most_points = count;
            s->most_points_at = time[k];
        }
        for (size_t i = 0; status == CAROM_OK && i < count;) {
            i += take_pair(s, points + i, count - i, time[k], time_share(time, frames, k));
        }
    }
    return status;
}

/* ---- printing ----------------------------------------------------------------------------------------------------- */

static int harder_first(const void *a, const void *b)
{
    const touching_pair *p = a;
    const touching_pair *q = b;
    int by_force = (p->peak_force < q->peak_force) - (p->peak_force > q->peak_force);
    return by_force != 0 ? by_force : compare_bodies(p->body, q->body);
}

static void print_pairs(contact_statistics *s, const carom_result *result, size_t limit)
{
    static const char *const titles[] = { "body",           "touches",        "first [s]",
                                          "in contact [s]", "peak force [N]", "deepest [m]" };
    table t;
    size_t shown = s->pair_count < limit ? s->pair_count : limit;
    qsort(s->pairs, s->pair_count, sizeof *s->pairs, harder_first);
    table_init(&t, 6, titles, "llrrrr");
    for (size_t i = 0; i < shown; ++i) {
        const touching_pair *pair = &s->pairs[i];
        table_cell(&t, "%s", carom_result_body_name(result, pair->body[0]));
        table_cell(&t, "%s", carom_result_body_name(result, pair->body[1]));
        table_number(&t, pair->first_touch, 5);
        table_number(&t, pair->in_contact, 4);
        table_number(&t, pair->peak_force, 5);
        table_number(&t, pair->penetration, 3);
    }
    table_print(&t);
    if (shown < s->pair_count) {
        print_line("  and %zu more pairs with smaller forces", s->pair_count - shown);
    }
}

static void print_statistics(contact_statistics *s, const carom_result *result, size_t limit)
{
    print_heading("Contacts in the recorded frames");
    if (s->pair_count == 0) {
        print_line("  none; the run's summary.json has the deepest penetration of all steps");
        return;
    }
    print_line("  most points at once   %zu (t = %.6g s)", s->most_points, s->most_points_at);
    if (s->penetration > 0.0) {
        print_line("  deepest penetration   %.4g m (t = %.6g s)", s->penetration, s->penetration_at);
    }
    print_line("  largest point force   %.5g N (t = %.6g s)", s->force, s->force_at);
    print_pairs(s, result, limit);
}

carom_status print_contacts(const carom_result *result, size_t pair_limit, carom_error *err)
{
    contact_statistics s = { 0 };
    if (!carom_result_has_contacts(result)) {
        return CAROM_OK;
    }
    carom_status status = gather(&s, result, err);
    if (status == CAROM_OK) {
        print_statistics(&s, result, pair_limit);
    }
    free(s.pairs);
    return status;
}
