/* What moves: chosen frames with poses, velocities, reactions and contact points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/page.h"
#include "result/result_read.h"

enum {
    MOST_FRAMES = 2000,        /* a minute of animation at 30 frames per second */
    MOST_POSES = 200000,       /* bodies x frames: 10 MB of numbers */
    FEWEST_FRAMES = 100,       /* however many bodies there are */
    MOST_CONTACTS = 100000,    /* 6 MB of numbers */
    NUMBERS_OF_A_CONTACT = 15, /* two bodies, four vectors, a gap */
};

/* ---- choosing ----------------------------------------------------------------------------------------------------- */

static size_t frame_limit(const carom_result *result)
{
    size_t bodies = carom_result_body_count(result) +
                    (carom_result_joint_count(result) + carom_result_force_count(result)) / 2;
    size_t fitting = MOST_POSES / bodies;
    return fitting > MOST_FRAMES ? MOST_FRAMES : fitting < FEWEST_FRAMES ? FEWEST_FRAMES : fitting;
}

/* Evenly spread: frame k of n shown is the recorded one nearest to k (total - 1)/(n - 1). */
carom_status page_frames_choose(page_frames *f, const carom_result *result, carom_error *err)
{
    size_t total = carom_result_frame_count(result);
    size_t limit = frame_limit(result);
    f->count = total < limit ? total : limit;
    f->index = calloc(f->count + 1, sizeof *f->index);
    if (!f->index) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu frames of a page", f->count);
    }
    for (size_t k = 0; k < f->count; ++k) {
        f->index[k] = f->count == total ? k : (k * (total - 1) + (f->count - 1) / 2) / (f->count - 1);
    }
    return CAROM_OK;
}

void page_frames_free(page_frames *f)
{
    free(f->index);
    *f = (page_frames){ 0 };
}

/* ---- bodies and joints -------------------------------------------------------------------------------------------- */

static json_t *frame_times(page_writer *w)
{
    const double *time = carom_result_time(w->result);
    double *shown = calloc(w->frames.count + 1, sizeof *shown);
    for (size_t k = 0; shown && k < w->frames.count; ++k) {
        shown[k] = time[w->frames.index[k]];
    }
    json_t *ref = shown ? page_f64(w->arrays, shown, w->frames.count) : NULL;
    free(shown);
    return ref;
}

/* Numbers of all bodies in all chosen frames, quantity by quantity. */
typedef struct motion_arrays {
    double *position, *orientation, *velocity, *angular_velocity;
} motion_arrays;

static void store3(double *to, carom_v3 a)
{
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static void store_motion(const motion_arrays *m, size_t row, const carom_motion *motion)
{
    const carom_quat *q = &motion->pose.orientation;
    store3(m->position + 3 * row, motion->pose.position);
    memcpy(m->orientation + 4 * row, (double[]){ q->w, q->x, q->y, q->z }, 4 * sizeof(double));
    store3(m->velocity + 3 * row, motion->velocity);
    store3(m->angular_velocity + 3 * row, motion->angular_velocity);
}

/* Every body but the ground has a row. */
static size_t row_count(const page_writer *w)
{
    return carom_result_body_count(w->result) - 1;
}

static carom_status read_motion(const page_writer *w, const motion_arrays *m, carom_error *err)
{
    size_t bodies = row_count(w);
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < w->frames.count; ++k) {
        for (size_t i = 0; i < bodies && status == CAROM_OK; ++i) {
            carom_motion motion;
            status = carom_result_motion(w->result, result_body_of_row((int)i), w->frames.index[k], &motion, err);
            store_motion(m, k * bodies + i, &motion);
        }
    }
    return status;
}

static carom_status add_bodies(page_writer *w, carom_error *err)
{
    size_t rows = w->frames.count * row_count(w);
    double *block = calloc(13 * rows + 1, sizeof *block);
    if (!block) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu poses of a page", rows);
    }
    motion_arrays m = { block, block + 3 * rows, block + 7 * rows, block + 10 * rows };
    carom_status status = read_motion(w, &m, err);
    if (status == CAROM_OK) {
        page_put(w, w->run, "position", page_f32(w->arrays, m.position, 3 * rows));
        page_put(w, w->run, "orientation", page_f32(w->arrays, m.orientation, 4 * rows));
        page_put(w, w->run, "velocity", page_f32(w->arrays, m.velocity, 3 * rows));
        page_put(w, w->run, "angular_velocity", page_f32(w->arrays, m.angular_velocity, 3 * rows));
    }
    free(block);
    return status;
}

/* Force and torque of items, joints or forces, in all frames. */
typedef carom_status (*pair_reader)(const carom_result *, size_t item, size_t frame, carom_v3 *force,
                                    carom_v3 *torque, carom_error *);

static carom_status read_pairs(const page_writer *w, pair_reader read, size_t items, double *force, double *torque,
                               carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < w->frames.count * items && status == CAROM_OK; ++i) {
        carom_v3 f = { 0.0, 0.0, 0.0 };
        carom_v3 t = { 0.0, 0.0, 0.0 };
        status = read(w->result, i % items, w->frames.index[i / items], &f, &t, err);
        store3(force + 3 * i, f);
        store3(torque + 3 * i, t);
    }
    return status;
}

static carom_status add_pairs(page_writer *w, pair_reader read, size_t items, const char *const names[2],
                              carom_error *err)
{
    size_t numbers = 3 * items * w->frames.count;
    double *block = calloc(2 * numbers + 1, sizeof *block);
    if (!block) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for the reactions and forces of a page");
    }
    carom_status status = read_pairs(w, read, items, block, block + numbers, err);
    if (status == CAROM_OK) {
        page_put(w, w->run, names[0], numbers ? page_f32(w->arrays, block, numbers) : json_null());
        page_put(w, w->run, names[1], numbers ? page_f32(w->arrays, block + numbers, numbers) : json_null());
    }
    free(block);
    return status;
}

carom_status page_add_motion(page_writer *w, carom_error *err)
{
    json_t *frames = json_object();
    page_put(w, frames, "total", json_integer((json_int_t)carom_result_frame_count(w->result)));
    page_put(w, frames, "shown", json_integer((json_int_t)w->frames.count));
    page_put(w, frames, "time", frame_times(w));
    page_put(w, w->run, "frames", frames);
    static const char *const reactions[] = { "joint_force", "joint_torque" };
    static const char *const efforts[] = { "effort_force", "effort_torque" };
    carom_status status = add_bodies(w, err);
    if (status == CAROM_OK) {
        status = add_pairs(w, carom_result_reaction, carom_result_joint_count(w->result), reactions, err);
    }
    if (status == CAROM_OK) {
        status = add_pairs(w, carom_result_effort, carom_result_force_count(w->result), efforts, err);
    }
    return status;
}

/* ---- contacts ----------------------------------------------------------------------------------------------------- */

/* Columns of the contact tables, one behind the other. */
typedef struct contact_columns {
    size_t capacity;
    size_t count;
    double *first; /* frames + 1 */
    double *body[2];
    double *vector[4]; /* position, normal, force, slip: three numbers each */
    double *gap;
    const carom_contact_point **order; /* of one frame, strongest first */
    size_t order_capacity;
} contact_columns;

static bool columns_make(contact_columns *c, size_t frames, size_t points)
{
    double *block = calloc(frames + 1 + NUMBERS_OF_A_CONTACT * points + 1, sizeof *block);
    if (!block) {
        return false;
    }
    c->capacity = points;
    c->first = block;
    double *at = block + frames + 1;
    for (int i = 0; i < 4; ++i, at += 3 * points) {
        c->vector[i] = at;
    }
    c->body[0] = at;
    c->body[1] = at + points;
    c->gap = at + 2 * points;
    return true;
}

static void columns_free(contact_columns *c)
{
    free(c->first);
    free(c->order);
}

static void columns_add(contact_columns *c, const carom_contact_point *point)
{
    size_t i = c->count++;
    c->body[0][i] = result_body_row(point->body[0]);
    c->body[1][i] = result_body_row(point->body[1]);
    store3(c->vector[0] + 3 * i, point->position);
    store3(c->vector[1] + 3 * i, point->normal);
    store3(c->vector[2] + 3 * i, point->force);
    store3(c->vector[3] + 3 * i, point->slip);
    c->gap[i] = point->gap;
}

static double force2(const carom_contact_point *p)
{
    return p->force.x * p->force.x + p->force.y * p->force.y + p->force.z * p->force.z;
}

static int stronger_first(const void *a, const void *b)
{
    const carom_contact_point *p = *(const carom_contact_point *const *)a;
    const carom_contact_point *q = *(const carom_contact_point *const *)b;
    double x = force2(p);
    double y = force2(q);
    return x != y ? (x < y) - (x > y) : (p > q) - (p < q); /* both of one array */
}

static bool make_order(contact_columns *c, size_t count)
{
    if (count > c->order_capacity) {
        free(c->order);
        c->order = malloc(count * sizeof *c->order);
        c->order_capacity = c->order ? count : 0;
    }
    return count <= c->order_capacity;
}

/* At most `limit` points of a frame, the strongest. */
static bool add_points(contact_columns *c, const carom_contact_point *points, size_t count, size_t limit)
{
    if (!make_order(c, count)) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        c->order[i] = &points[i];
    }
    if (count > limit) {
        qsort(c->order, count, sizeof *c->order, stronger_first);
    }
    for (size_t i = 0; i < count && i < limit; ++i) {
        columns_add(c, c->order[i]);
    }
    return true;
}

static size_t points_in(const page_writer *w, size_t limit)
{
    size_t sum = 0;
    for (size_t k = 0; k < w->frames.count; ++k) {
        size_t count = carom_result_contact_count(w->result, w->frames.index[k]);
        sum += count < limit ? count : limit;
    }
    return sum;
}

/* The largest number of points per frame with which the page stays small; every frame may show at least one. */
static size_t point_limit(const page_writer *w)
{
    size_t low = 1;
    size_t high = MOST_CONTACTS;
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if (points_in(w, middle) <= MOST_CONTACTS) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static carom_status read_contacts(const page_writer *w, contact_columns *c, size_t limit, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < w->frames.count && status == CAROM_OK; ++k) {
        const carom_contact_point *points = NULL;
        size_t frame = w->frames.index[k];
        c->first[k] = (double)c->count;
        status = carom_result_contacts(w->result, frame, &points, err);
        if (status == CAROM_OK && !add_points(c, points, carom_result_contact_count(w->result, frame), limit)) {
            status = carom_fail(err, CAROM_NO_MEMORY, "no memory for the contact points of a page");
        }
    }
    c->first[w->frames.count] = (double)c->count;
    return status;
}

static json_t *contacts_object(page_writer *w, const contact_columns *c, size_t total)
{
    static const char *const vectors[] = { "position", "normal", "force", "slip" };
    json_t *object = json_object();
    page_put(w, object, "first", page_u32(w->arrays, c->first, w->frames.count + 1));
    page_put(w, object, "body_a", page_i32(w->arrays, c->body[0], c->count));
    page_put(w, object, "body_b", page_i32(w->arrays, c->body[1], c->count));
    for (int i = 0; i < 4; ++i) {
        page_put(w, object, vectors[i], page_f32(w->arrays, c->vector[i], 3 * c->count));
    }
    page_put(w, object, "gap", page_f32(w->arrays, c->gap, c->count));
    page_put(w, object, "total", json_integer((json_int_t)total));
    page_put(w, object, "shown", json_integer((json_int_t)c->count));
    return object;
}

carom_status page_add_contacts(page_writer *w, carom_error *err)
{
    if (!carom_result_has_contacts(w->result)) {
        page_put(w, w->run, "contacts", json_null());
        return CAROM_OK;
    }
    size_t limit = point_limit(w);
    contact_columns c = { 0 };
    carom_status status = columns_make(&c, w->frames.count, points_in(w, limit))
                              ? read_contacts(w, &c, limit, err)
                              : carom_fail(err, CAROM_NO_MEMORY, "no memory for the contact points of a page");
    if (status == CAROM_OK) {
        page_put(w, w->run, "contacts", contacts_object(w, &c, points_in(w, SIZE_MAX)));
    }
    columns_free(&c);
    return status;
}
