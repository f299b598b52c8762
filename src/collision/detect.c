/* Narrow phase: which features of one surface are inside the field of another, and how near the nearest is.
 *
 * A pose is made a matrix once. Cells of features are decided by one look at the field in their middle: it is
 * 1-Lipschitz up to the slack of stored fields, so a cell of radius r whose middle is at distance d holds nothing nearer
 * than d - r - slack. Features are met in the order of the tree and sorted by index at the end, hence the answer does
 * not depend on how they were found. */
#include "collision/detect.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "collision/collider_parts.h"
#include "collision/deepest.h"
#include "collision/key_sort.h"

typedef struct detection {
    const collider_field_source *field;
    const surface_features *features;
    m3 R_fp; /* from the axes of the points to those of the field */
    v3 t_f;
    int hint; /* triangle near the last point, for fields that search */
} detection;

static detection detection_begin(const collider *field, const collider *points, carom_pose pose_fp)
{
    return (detection){
        .field = &field->field,
        .features = &points->features,
        .R_fp = q_matrix(pose_fp.orientation),
        .t_f = pose_fp.position,
        .hint = -1,
    };
}

static inline v3 to_field(const detection *d, v3 r_p)
{
    return v3_add(d->t_f, m3_mulv(d->R_fp, r_p));
}

/* A lower bound of the gap of whatever the ball holds. */
static inline double gap_bound(detection *d, v3 center_p, double radius)
{
    return field_source_distance(d->field, to_field(d, center_p), &d->hint) - radius - d->field->slack;
}

/* ---- the list ------------------------------------------------------------------------------------------------------ */

void hit_list_free(hit_list *list)
{
    free(list->items);
    *list = (hit_list){ 0 };
}

static bool reserve(hit_list *list, size_t count)
{
    return CAROM_ARRAY_RESERVE(list->items, list->capacity, count);
}

/* Puts hits into the order of sorted keys, following each cycle of the permutation once. */
static void permute(contact_hit *hits, keyed *keys, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        size_t to = i;
        if (keys[i].value < 0) {
            continue;
        }
        contact_hit first = hits[i];
        for (;;) {
            size_t from = (size_t)keys[to].value;
            keys[to].value = -1;
            if (from == i) {
                break;
            }
            hits[to] = hits[from];
            to = from;
        }
        hits[to] = first;
    }
}

/* Sorts the hits from `first` on by feature. Keys live in the free part of the list, which stays allocated. */
static bool sort_hits(hit_list *list, size_t first)
{
    size_t count = list->count - first;
    size_t key_items = (2 * count * sizeof(keyed) + sizeof(contact_hit) - 1) / sizeof(contact_hit);
    if (count < 2) {
        return true;
    }
    if (!reserve(list, list->count + key_items)) {
        return false;
    }
    contact_hit *hits = list->items + first;
    keyed *keys = (keyed *)(void *)(list->items + list->count);
    for (size_t i = 0; i < count; ++i) {
        keys[i] = (keyed){ .key = (uint64_t)hits[i].feature, .value = (int64_t)i };
    }
    key_sort(keys, keys + count, count);
    permute(hits, keys, count);
    return true;
}

/* ---- points and balls ---------------------------------------------------------------------------------------------- */

typedef struct contact_search {
    detection d;
    double margin;
    hit_list *out;
    bool failed;
} contact_search;

static void add_hit(contact_search *s, int place, v3 p_f, const field_sample *f, double gap, double radius)
{
    if (s->out->count == s->out->capacity && !reserve(s->out, s->out->count + 1)) {
        s->failed = true;
        return;
    }
    s->out->items[s->out->count++] = (contact_hit){
        .feature = s->d.features->tree.order[place],
        .gap = gap,
        .radius = radius,
        .area = s->d.features->areas[place],
        .p_f = p_f,
        .gradient_f = f->gradient,
    };
}

enum { BATCH = 64 };

static void try_points(contact_search *s, int first, int count)
{
    const surface_features *features = s->d.features;
    v3 p_f[BATCH];
    field_sample f[BATCH];
    CAROM_ASSERT(count > 0 && count <= BATCH);
    for (int i = 0; i < count; ++i) {
        p_f[i] = to_field(&s->d, features->centers[first + i]);
    }
    field_source_sample_many(s->d.field, p_f, (size_t)count, f, &s->d.hint);
    for (int i = 0; i < count; ++i) {
        double radius = features->radii ? features->radii[first + i] : 0.0;
        if (f[i].distance - radius >= s->margin) {
            continue;
        }
        f[i] = field_source_settle(s->d.field, p_f[i], f[i], &s->d.hint);
        double gap = f[i].distance - radius;
        if (gap < s->margin) {
            add_hit(s, first + i, p_f[i], &f[i], gap, radius);
        }
    }
}

/* ---- edges and triangles ------------------------------------------------------------------------------------------- */

static deep_point deepest_of(detection *d, int place)
{
    const v3 *corner = d->features->corners;
    if (d->features->kind == FEATURES_EDGES) {
        return deepest_on_edge(d->field, to_field(d, corner[2 * (size_t)place]),
                               to_field(d, corner[2 * (size_t)place + 1]), &d->hint);
    }
    v3 corner_f[3];
    for (size_t k = 0; k < 3; ++k) {
        corner_f[k] = to_field(d, corner[3 * (size_t)place + k]);
    }
    return deepest_on_triangle(d->field, corner_f, &d->hint);
}

static void try_extended(contact_search *s, int place)
{
    detection *d = &s->d;
    if (gap_bound(d, d->features->centers[place], d->features->radii[place]) >= s->margin) {
        return;
    }
    deep_point deepest = deepest_of(d, place);
    if (deepest.distance < s->margin) {
        field_sample f = field_source_sample(d->field, deepest.p, &d->hint);
        add_hit(s, place, deepest.p, &f, f.distance, 0.0);
    }
}

static void try_features(contact_search *s, int first, int count)
{
    s->out->asked.features += count;
    for (int i = 0; s->d.features->corners && i < count && !s->failed; ++i) {
        try_extended(s, first + i);
    }
    for (int i = 0; !s->d.features->corners && i < count && !s->failed; i += BATCH) {
        try_points(s, first + i, count - i < BATCH ? count - i : BATCH);
    }
}

/* ---- contacts ------------------------------------------------------------------------------------------------------ */

static void walk_cells(contact_search *s)
{
    const feature_tree *tree = &s->d.features->tree;
    for (int i = 0; i < tree->cell_count && !s->failed;) {
        const feature_cell *cell = &tree->cells[i];
        s->out->asked.cells += 1;
        if (gap_bound(&s->d, cell->ball.center, cell->ball.radius) >= s->margin) {
            i = cell->next;
            continue;
        }
        if (cell->count > 0) {
            try_features(s, cell->first, cell->count);
        }
        ++i;
    }
}

bool detect_contacts(hit_list *out, const collider *field, const collider *points, carom_pose pose_fp, double margin)
{
    size_t before = out->count;
    contact_search s = { .d = detection_begin(field, points, pose_fp), .margin = margin, .out = out };
    out->asked.searches += 1;
    if (points->pruned) {
        walk_cells(&s);
    } else {
        try_features(&s, 0, points->features.count);
    }
    if (s.failed || !sort_hits(out, before)) {
        out->count = before;
        return false;
    }
    return true;
}

/* ---- smallest gap -------------------------------------------------------------------------------------------------- */

typedef struct near_cell {
    int cell;
    double bound;
} near_cell;

/* The bounds of the children of a cell, nearest first. */
static int nearest_children(detection *d, int cell, near_cell out[8])
{
    const feature_cell *cells = d->features->tree.cells;
    int count = 0;
    for (int child = cell + 1; child < cells[cell].next; child = cells[child].next) {
        near_cell c = { child, gap_bound(d, cells[child].ball.center, cells[child].ball.radius) };
        int j = count++;
        for (; j > 0 && out[j - 1].bound > c.bound; --j) {
            out[j] = out[j - 1];
        }
        out[j] = c;
    }
    return count;
}

/* The gap of a point or ball; no less than `best` where it is no smaller. */
static double gap_of_point(detection *d, int place, double best)
{
    v3 p_f = to_field(d, d->features->centers[place]);
    double radius = d->features->radii ? d->features->radii[place] : 0.0;
    field_sample f = { .distance = field_source_distance(d->field, p_f, &d->hint) };
    if (f.distance - radius >= best) {
        return best;
    }
    return field_source_settle(d->field, p_f, f, &d->hint).distance - radius;
}

static double smallest_of_features(detection *d, int first, int count, double best)
{
    const surface_features *f = d->features;
    for (int place = first; place < first + count; ++place) {
        if (!f->corners) {
            best = fmin(best, gap_of_point(d, place, best));
        } else if (gap_bound(d, f->centers[place], f->radii[place]) < best) {
            best = fmin(best, deepest_of(d, place).distance);
        }
    }
    return best;
}

static double smallest_in_cell(detection *d, int cell, double best)
{
    const feature_cell *c = &d->features->tree.cells[cell];
    if (c->count > 0) {
        return smallest_of_features(d, c->first, c->count, best);
    }
    near_cell children[8];
    int count = nearest_children(d, cell, children);
    for (int i = 0; i < count && children[i].bound < best; ++i) {
        best = smallest_in_cell(d, children[i].cell, best);
    }
    return best;
}

double detect_distance(const collider *field, const collider *points, carom_pose pose_fp, double limit)
{
    detection d = detection_begin(field, points, pose_fp);
    return points->features.count > 0 ? smallest_in_cell(&d, 0, limit) : limit;
}
