/* The same quantities of several results side by side. Bodies, joints and touching pairs are matched by the names of the
 * first result's; what another result does not have is not a number. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <carom/page.h>

#include "base/arena.h"
#include "base/arguments.h"
#include "base/array.h"
#include "model/ledger.h"
#include "result/result_read.h"

enum { MOST_BODIES = 200, MOST_JOINTS = 100, MOST_PAIRS = 50 }; /* beyond: nobody reads the table */

typedef struct comparison {
    carom_comparison shown; /* first: what the caller sees */
    carom_arena arena;
    size_t capacity;
    const carom_result *const *results;
    carom_result_pair **pairs; /* of each result */
    size_t *pair_counts;
    bool of_steps; /* the pairs are of all steps, not only of frames */
    carom_error *err;
    carom_status status;
} comparison;

/* ---- rows --------------------------------------------------------------------------------------------------------- */

static void fail_memory(comparison *c)
{
    if (c->status == CAROM_OK) {
        c->status = carom_fail(c->err, CAROM_NO_MEMORY, "no memory for a comparison");
    }
}

/* A new row, its values not known yet; NULL when something has failed. */
static double *add_row(comparison *c, const char *group, const char *name, const char *unit)
{
    carom_comparison *shown = &c->shown;
    if (!CAROM_ARRAY_RESERVE(shown->rows, c->capacity, shown->row_count + 1)) {
        fail_memory(c);
        return NULL;
    }
    double *values = CAROM_ARENA_ARRAY(&c->arena, double, shown->run_count);
    const char *kept = carom_arena_text(&c->arena, name);
    if (!values || !kept) {
        fail_memory(c);
        return NULL;
    }
    for (size_t k = 0; k < shown->run_count; ++k) {
        values[k] = (double)NAN;
    }
    shown->rows[shown->row_count++] = (carom_comparison_row){ group, kept, unit, values };
    return values;
}

/* Leaves out a row that says nothing: zero or unknown in every result. */
static void drop_if_empty(comparison *c, const double *values)
{
    for (size_t k = 0; values && k < c->shown.run_count; ++k) {
        if (values[k] != 0.0 && !isnan(values[k])) {
            return;
        }
    }
    c->shown.row_count -= values ? 1 : 0;
}

static double norm(carom_v3 a)
{
    return hypot(hypot(a.x, a.y), a.z); /* runs that blew up are compared, too: no square may overflow */
}

/* ---- final states ------------------------------------------------------------------------------------------------- */

/* The ground, which rests, is not compared. */
static carom_id find_body(const carom_result *result, const char *name)
{
    for (carom_id i = 1; i < (carom_id)carom_result_body_count(result); ++i) {
        if (strcmp(carom_result_body_name(result, i), name) == 0) {
            return i;
        }
    }
    return CAROM_NONE;
}

/* The motion of a body at the end of a result; false when it has no such body, or no frames. */
static bool final_motion(comparison *c, size_t run, const char *name, carom_motion *out)
{
    const carom_result *result = c->results[run];
    size_t frames = carom_result_frame_count(result);
    carom_id body = find_body(result, name);
    if (body == CAROM_NONE || frames == 0) {
        return false;
    }
    carom_status status = carom_result_motion(result, body, frames - 1, out, c->err);
    c->status = c->status == CAROM_OK ? status : c->status;
    return status == CAROM_OK;
}

/* [deg] between two orientations. */
static double turn_between(carom_quat a, carom_quat b)
{
    const double half_turn_deg = 360.0 / 3.14159265358979323846; /* twice the half angle, in degrees */
    double w = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    double x = a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y;
    double y = a.w * b.y - a.y * b.w - a.z * b.x + a.x * b.z;
    double z = a.w * b.z - a.z * b.w - a.x * b.y + a.y * b.x;
    return half_turn_deg * atan2(sqrt(x * x + y * y + z * z), w);
}

/* The largest position, velocity and angular velocity of all bodies at the end of one result. */
typedef struct extent {
    double position, velocity, angular_velocity; /* [m], [m/s], [rad/s] */
} extent;

static extent final_extent(comparison *c, size_t run)
{
    extent e = { 0.0, 0.0, 0.0 };
    carom_motion m;
    carom_id bodies = (carom_id)carom_result_body_count(c->results[run]);
    for (carom_id i = 1; i < bodies && i <= MOST_BODIES; ++i) {
        if (final_motion(c, run, carom_result_body_name(c->results[run], i), &m)) {
            e.position = fmax(e.position, norm(m.pose.position));
            e.velocity = fmax(e.velocity, norm(m.velocity));
            e.angular_velocity = fmax(e.angular_velocity, norm(m.angular_velocity));
        }
    }
    return e;
}

/* Components that are only rounding beside the whole vector, or beside those of other bodies (a wheel that turns about the
 * origin stays there but for rounding), are zero: their differences would say nothing. Beside a body that is far away or
 * fast beyond measure all would be rounding: 1e3 of the unit is the most that counts. */
static void put_vector(double *const rows[3], size_t run, carom_v3 a, double among)
{
    const double rounding = 1e-12;
    const double parts[] = { a.x, a.y, a.z };
    double scale = fmax(norm(a), fmin(among, 1e3));
    for (int i = 0; i < 3; ++i) {
        rows[i][run] = fabs(parts[i]) < rounding * scale ? 0.0 : parts[i];
    }
}

static void put_motion(double *const rows[10], size_t run, const carom_motion *m, const carom_motion *first,
                       extent among)
{
    put_vector(rows, run, m->pose.position, among.position);
    put_vector(rows + 3, run, m->velocity, among.velocity);
    put_vector(rows + 6, run, m->angular_velocity, among.angular_velocity);
    rows[9][run] = turn_between(first->pose.orientation, m->pose.orientation);
}

static void compare_body(comparison *c, const char *name, const extent *among)
{
    static const char *const quantities[] = { "position", "velocity", "angular_velocity" };
    static const char *const units[] = { "m", "m/s", "rad/s" };
    double *rows[10];
    carom_motion first;
    for (int i = 0; i < 10; ++i) {
        const char *label = i < 9 ? carom_arena_printf(&c->arena, "%s.%s.%c", name, quantities[i / 3], "xyz"[i % 3])
                                  : carom_arena_printf(&c->arena, "%s turned from the first", name);
        rows[i] = label ? add_row(c, "final state", label, i < 9 ? units[i / 3] : "deg") : NULL;
        if (!rows[i]) {
            fail_memory(c);
            return;
        }
    }
    if (!final_motion(c, 0, name, &first)) {
        return;
    }
    for (size_t k = 0; k < c->shown.run_count; ++k) {
        carom_motion motion;
        if (final_motion(c, k, name, &motion)) {
            put_motion(rows, k, &motion, &first, among[k]);
        }
    }
}

static void compare_states(comparison *c)
{
    double *end = add_row(c, "final state", "time at the end", "s");
    for (size_t k = 0; end && k < c->shown.run_count; ++k) {
        size_t frames = carom_result_frame_count(c->results[k]);
        end[k] = frames > 0 ? carom_result_time(c->results[k])[frames - 1] : (double)NAN;
    }
    extent *among = CAROM_ARENA_ARRAY(&c->arena, extent, c->shown.run_count);
    if (!among) {
        fail_memory(c);
        return;
    }
    for (size_t k = 0; k < c->shown.run_count; ++k) {
        among[k] = final_extent(c, k);
    }
    carom_id bodies = (carom_id)carom_result_body_count(c->results[0]);
    for (carom_id i = 1; i < bodies && i <= MOST_BODIES && c->status == CAROM_OK; ++i) {
        if (strcmp(carom_result_body_info(c->results[0], i).role, "fixed") != 0) {
            compare_body(c, carom_result_body_name(c->results[0], i), among);
        }
    }
}

/* ---- energies ----------------------------------------------------------------------------------------------------- */

/* NULL when the result has no such column, which is no failure. */
static const double *column_of(comparison *c, const carom_result *result, const char *name)
{
    size_t signal = 0;
    const double *values = NULL;
    carom_status status = carom_result_find_signal(result, name, &signal, NULL, NULL);
    if (status == CAROM_NO_MEMORY) {
        fail_memory(c);
    } else if (status == CAROM_OK) {
        status = result_load_signal(result, signal, &values, c->err);
        c->status = c->status == CAROM_OK ? status : c->status;
    }
    return values;
}

static bool is_energy(const char *name)
{
    return strncmp(name, "energy.", 7) == 0 || strncmp(name, "work.", 5) == 0 || strncmp(name, "lost.", 5) == 0;
}

static double largest(const double *values, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

static void compare_energies(comparison *c)
{
    for (int i = 0; carom_ledger_table[i].name; ++i) {
        const char *name = carom_ledger_table[i].name;
        double *row = is_energy(name) ? add_row(c, "energy at the end", name, "J") : NULL;
        for (size_t k = 0; row && k < c->shown.run_count; ++k) {
            const double *values = column_of(c, c->results[k], name);
            size_t frames = carom_result_frame_count(c->results[k]);
            row[k] = values && frames > 0 ? values[frames - 1] : (double)NAN;
        }
        drop_if_empty(c, row);
    }
    double *kinetic = add_row(c, "energy at the end", "largest energy.kinetic", "J");
    double *residue = add_row(c, "energy at the end", "largest energy.residue", "J");
    for (size_t k = 0; kinetic && residue && k < c->shown.run_count; ++k) {
        size_t frames = carom_result_frame_count(c->results[k]);
        const double *energy = column_of(c, c->results[k], "energy.kinetic");
        const double *lost = column_of(c, c->results[k], "energy.residue");
        kinetic[k] = energy ? largest(energy, frames) : (double)NAN;
        residue[k] = lost ? largest(lost, frames) : (double)NAN;
    }
}

/* ---- forces ------------------------------------------------------------------------------------------------------- */

static size_t find_joint(const carom_result *result, const char *name)
{
    size_t j = 0;
    while (j < carom_result_joint_count(result) && strcmp(carom_result_joint_info(result, j).name, name) != 0) {
        ++j;
    }
    return j;
}

static double peak_reaction(comparison *c, size_t run, const char *name)
{
    const carom_result *result = c->results[run];
    size_t joint = find_joint(result, name);
    double peak = 0.0;
    if (joint == carom_result_joint_count(result)) {
        return (double)NAN;
    }
    for (size_t k = 0; k < carom_result_frame_count(result) && c->status == CAROM_OK; ++k) {
        carom_v3 force, torque;
        c->status = carom_result_reaction(result, joint, k, &force, &torque, c->err);
        peak = fmax(peak, norm(force));
    }
    return peak;
}

static void compare_joints(comparison *c)
{
    size_t joints = carom_result_joint_count(c->results[0]);
    for (size_t j = 0; j < joints && j < MOST_JOINTS && c->status == CAROM_OK; ++j) {
        const char *name = carom_result_joint_info(c->results[0], j).name;
        double *row = add_row(c, "peak reaction of joints", name, "N");
        for (size_t k = 0; row && k < c->shown.run_count; ++k) {
            row[k] = peak_reaction(c, k, name);
        }
    }
}

/* Peaks of all steps and peaks of frames must not stand side by side. */
static bool all_know_their_steps(const comparison *c)
{
    bool all = true;
    for (size_t k = 0; k < c->shown.run_count; ++k) {
        const carom_result *result = c->results[k];
        all = all && (!carom_result_has_contacts(result) || carom_result_pairs_of_steps(result));
    }
    return all;
}

static bool read_pairs(comparison *c)
{
    c->pairs = CAROM_ARENA_ARRAY(&c->arena, carom_result_pair *, c->shown.run_count);
    c->pair_counts = CAROM_ARENA_ARRAY(&c->arena, size_t, c->shown.run_count);
    if (!c->pairs || !c->pair_counts) {
        fail_memory(c);
        return false;
    }
    c->of_steps = all_know_their_steps(c);
    for (size_t k = 0; k < c->shown.run_count && c->status == CAROM_OK; ++k) {
        c->status = (c->of_steps ? carom_result_pairs : result_pairs_of_frames)(c->results[k], &c->pairs[k],
                                                                                &c->pair_counts[k], c->err);
    }
    return c->status == CAROM_OK;
}

/* The pair of another result between bodies of the same names; NULL: they never touched. Which of them is A follows from
 * the order of bodies, which may differ. */
static const carom_result_pair *find_pair(const comparison *c, size_t run, const char *a, const char *b)
{
    for (size_t i = 0; i < c->pair_counts[run]; ++i) {
        const carom_result_pair *pair = &c->pairs[run][i];
        const char *one = carom_result_body_name(c->results[run], pair->body[0]);
        const char *two = carom_result_body_name(c->results[run], pair->body[1]);
        if ((strcmp(one, a) == 0 && strcmp(two, b) == 0) || (strcmp(one, b) == 0 && strcmp(two, a) == 0)) {
            return pair;
        }
    }
    return NULL;
}

static const struct {
    const char *name;
    const char *unit;
    size_t offset;
} pair_quantities[] = {
    { "peak force", "N", offsetof(carom_result_pair, peak_force) },
    { "impulse", "N*s", offsetof(carom_result_pair, impulse) },
    { "deepest", "m", offsetof(carom_result_pair, penetration) },
    { "first touch", "s", offsetof(carom_result_pair, first_touch) },
    { "in contact", "s", offsetof(carom_result_pair, in_contact) },
};
enum { PAIR_QUANTITIES = sizeof pair_quantities / sizeof pair_quantities[0] };

static double pair_number(const carom_result_pair *pair, int quantity)
{
    double value;
    memcpy(&value, (const char *)pair + pair_quantities[quantity].offset, sizeof value);
    return value;
}

static void compare_pair(comparison *c, const char *a, const char *b)
{
    for (int q = 0; q < PAIR_QUANTITIES; ++q) {
        const char *label = carom_arena_printf(&c->arena, "%s, %s: %s", a, b, pair_quantities[q].name);
        const char *group = c->of_steps ? "contact" : "contact in recorded frames";
        double *row = label ? add_row(c, group, label, pair_quantities[q].unit) : NULL;
        for (size_t k = 0; row && k < c->shown.run_count; ++k) {
            const carom_result_pair *pair = find_pair(c, k, a, b);
            row[k] = pair ? pair_number(pair, q) : (double)NAN;
        }
    }
}

/* Pairs in the order of the first result that has them, hardest first. */
static void compare_pairs(comparison *c)
{
    size_t shown = 0;
    for (size_t k = 0; k < c->shown.run_count; ++k) {
        for (size_t i = 0; i < c->pair_counts[k] && shown < MOST_PAIRS && c->status == CAROM_OK; ++i) {
            const char *a = carom_result_body_name(c->results[k], c->pairs[k][i].body[0]);
            const char *b = carom_result_body_name(c->results[k], c->pairs[k][i].body[1]);
            bool seen = false;
            for (size_t before = 0; before < k; ++before) {
                seen = seen || find_pair(c, before, a, b);
            }
            if (!seen) {
                compare_pair(c, a, b);
                shown += 1;
            }
        }
    }
}

/* ---- effort ------------------------------------------------------------------------------------------------------- */

static void compare_effort(comparison *c)
{
    static const struct {
        const char *path;
        const char *name;
        const char *unit;
    } numbers[] = {
        { "steps", "steps", "" },
        { "rejected", "rejected steps", "" },
        { "evaluations", "evaluations", "" },
        { "wall_s", "wall time", "s" },
        { "penetration_max", "deepest penetration of all steps", "m" },
        { "contacts_max", "most contact points at once", "" },
        { "impacts", "impacts", "" },
        { "energy.worst_balance_error", "worst energy error of all steps", "J" },
        { "momentum.worst_drift", "worst drift of momentum", "kg*m/s" },
        { "constraint_error_max.position", "worst error of joints", "m" },
    };
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
    for (int i = 0; i < NUMBERS; ++i) {
        double *row = add_row(c, "run", numbers[i].name, numbers[i].unit);
        for (size_t k = 0; row && k < c->shown.run_count; ++k) {
            carom_summary_number(carom_result_summary(c->results[k]), numbers[i].path, &row[k]);
        }
        drop_if_empty(c, row);
    }
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static void free_pairs(comparison *c)
{
    for (size_t k = 0; c->pairs && k < c->shown.run_count; ++k) {
        carom_result_pairs_destroy(c->pairs[k]);
    }
    c->pairs = NULL;
}

static carom_status check_results(const carom_result *const *results, size_t count, carom_comparison **out,
                                  carom_error *err)
{
    carom_status status = argument_given("carom_compare", "out", out, err);
    if (status == CAROM_OK) {
        *out = NULL;
        status = argument_list("carom_compare", "results", (const void *const *)results, count, err);
    }
    return status;
}

carom_status carom_compare(const carom_result *const *results, size_t count, carom_comparison **out, carom_error *err)
{
    carom_status given = check_results(results, count, out, err);
    if (given != CAROM_OK) {
        return given;
    }
    comparison *c = calloc(1, sizeof *c);
    if (!c) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for a comparison");
    }
    *c = (comparison){ .shown.run_count = count, .results = results, .err = err };
    if (count > 0 && read_pairs(c)) {
        compare_states(c);
        compare_energies(c);
        compare_pairs(c);
        compare_joints(c);
        compare_effort(c);
    }
    free_pairs(c);
    if (c->arena.failed) { /* a label may be missing */
        fail_memory(c);
    }
    carom_status status = c->status;
    if (status != CAROM_OK) {
        carom_comparison_destroy(&c->shown);
        return status;
    }
    *out = &c->shown;
    return CAROM_OK;
}

void carom_comparison_destroy(carom_comparison *shown)
{
    comparison *c = (comparison *)shown; /* shown is its first member */
    if (c) {
        carom_arena_free(&c->arena);
        free(shown->rows);
        free(c);
    }
}
