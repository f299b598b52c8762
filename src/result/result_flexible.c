/* Reading bodies that deform from result.h5. The file is not trusted: ranges must ascend and fit each other, indices must lie within
 * what they point into. Tables with a row per body are read at once, meshes and shapes when they are first asked for. */
#include "result/result_flexible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "elements/bodies/body.h"
#include "elements/bodies/corotation.h"
#include "math/quat.h"
#include "result/result_inside.h"

enum { SET_COORDINATE, SET_RATE, SET_DISPLACEMENT, SET_DISPLACEMENT_RATE, SETS };

/* ---- rows of bodies ----------------------------------------------------------------------------------------------- */

static bool is_whole(double value, double low, double end)
{
    return value >= low && value < end && value == floor(value);
}

typedef struct range_table {
    const char *path;
    size_t at; /* of a flexible_range in flexible_body */
} range_table;

static const range_table range_tables[] = {
    { "flexible/first_node", offsetof(flexible_body, nodes) },
    { "flexible/first_cell", offsetof(flexible_body, cells) },
    { "flexible/first_coordinate", offsetof(flexible_body, coordinates) },
    { "flexible/first_shape", offsetof(flexible_body, shapes) },
    { "flexible/first_moved", offsetof(flexible_body, moved) },
    { "flexible/first_turn", offsetof(flexible_body, turns) },
};

static bool read_ranges(result_flexible *f, hid_t file, const range_table *table)
{
    double *first = NULL;
    size_t rows = 0;
    bool ok = h5_read_table(file, table->path, 1, &first, &rows) && rows == f->count + 1 && first[0] == 0.0;
    for (size_t k = 0; ok && k < f->count; ++k) {
        ok = is_whole(first[k + 1], first[k], 2147483647.0);
        flexible_range *range = (flexible_range *)((char *)&f->bodies[k] + table->at);
        *range = ok ? (flexible_range){ (size_t)first[k], (size_t)(first[k + 1] - first[k]) } : (flexible_range){ 0 };
    }
    free(first);
    return ok;
}

/* What the tables of a body say of each other. */
static bool ranges_agree(const flexible_body *b)
{
    bool shapes = b->shapes.count >= b->coordinates.count && (b->coordinates.count > 0 || b->shapes.count == 0);
    bool moved = b->moved.count == 0;
    for (size_t axes = 1; axes <= 3; ++axes) {
        moved = moved || b->moved.count == axes * b->nodes.count;
    }
    bool turns = b->turns.count == 0 || b->turns.count == b->basis.count;
    return shapes && moved && turns;
}

static bool read_rows(hid_t file, const char *path, size_t columns, size_t rows, double **out)
{
    size_t found = 0;
    return h5_read_table(file, path, columns, out, &found) && found == rows;
}

static solid_section section_of(const double *s)
{
    return (solid_section){ .area = s[0],
                            .inertia_y = s[1],
                            .inertia_z = s[2],
                            .torsion = s[3],
                            .shear_y = s[4],
                            .shear_z = s[5],
                            .up = v3_load(s + FLEXIBLE_SECTION - 3) };
}

static bool read_numbers(result_flexible *f, hid_t file, size_t body_count)
{
    double *body = NULL, *young = NULL, *poisson = NULL, *thickness = NULL, *section = NULL;
    bool ok = read_rows(file, "flexible/body", 1, f->count, &body) &&
              read_rows(file, "flexible/young", 1, f->count, &young) &&
              read_rows(file, "flexible/poisson", 1, f->count, &poisson) &&
              read_rows(file, "flexible/thickness", 1, f->count, &thickness) &&
              read_rows(file, "flexible/section", FLEXIBLE_SECTION, f->count, &section);
    for (size_t k = 0; ok && k < f->count; ++k) {
        flexible_body *b = &f->bodies[k];
        ok = is_whole(body[k], k > 0 ? body[k - 1] + 1.0 : 0.0, (double)body_count); /* ascending */
        b->body = ok ? result_body_of_row((int)body[k]) : CAROM_NONE;
        b->material = (solid_material){ .young = young[k],
                                        .poisson = poisson[k],
                                        .density = 1.0,
                                        .thickness = thickness[k],
                                        .section = section_of(section + FLEXIBLE_SECTION * k) };
    }
    free(body);
    free(young);
    free(poisson);
    free(thickness);
    free(section);
    return ok;
}

static bool plane_of(const char *name, int *plane)
{
    for (int i = 0; i < FLEXIBLE_PLANES; ++i) {
        if (strcmp(name, flexible_plane_names[i]) == 0) {
            *plane = i;
            return true;
        }
    }
    return false;
}

static bool read_words(result_flexible *f, carom_arena *arena, hid_t file)
{
    char **kinds = NULL, **planes = NULL;
    size_t plane_count = 0;
    bool ok = h5_read_texts(file, "flexible/kind", &kinds, &f->count) &&
              h5_read_texts(file, "flexible/plane", &planes, &plane_count) && plane_count == f->count;
    f->bodies = ok ? CAROM_ARENA_ARRAY(arena, flexible_body, f->count + 1) : NULL;
    ok = ok && f->bodies;
    int *plane = ok ? CAROM_ARENA_ARRAY(arena, int, f->count + 1) : NULL;
    for (size_t k = 0; ok && plane && k < f->count; ++k) {
        f->bodies[k].kind = carom_arena_text(arena, kinds[k]);
        ok = plane_of(planes[k], &plane[k]);
    }
    f->planes = plane;
    free(kinds);
    free(planes);
    return ok && !arena->failed;
}

static bool read_types(result_flexible *f, carom_arena *arena, hid_t file)
{
    char **names = NULL;
    bool ok = h5_read_texts(file, "flexible/element", &names, &f->type_count);
    f->types = ok ? CAROM_ARENA_ARRAY(arena, const solid_type *, f->type_count + 1) : NULL;
    ok = ok && f->types;
    for (size_t i = 0; ok && i < f->type_count; ++i) {
        f->types[i] = solid_type_find(names[i]);
    }
    free(names);
    return ok;
}

/* ---- numbers of frames -------------------------------------------------------------------------------------------- */

/* The end of the rows of all bodies in a table. */
static size_t end_of(const result_flexible *f, const range_table *table)
{
    const flexible_body *last = &f->bodies[f->count - 1];
    const flexible_range *range = (const flexible_range *)((const char *)last + table->at);
    return range->first + range->count;
}

static bool open_set(result_flexible *f, hid_t file, int set, size_t frames, size_t width)
{
    static const char *const paths[SETS] = { "flexible/coordinate", "flexible/rate", "flexible/displacement",
                                             "flexible/displacement_rate" };
    hsize_t dims[3] = { 0, 1, 1 };
    if (width == 0) {
        return true;
    }
    f->sets[set] = h5_open_dataset(file, paths[set]);
    return h5_dims(f->sets[set], dims) == 2 && dims[0] >= frames && dims[1] == width &&
           (frames == 0 || width <= SIZE_MAX / sizeof(double) / frames) &&
           h5_is_filled_single(f->sets[set], frames * width);
}

static bool read_every(result_flexible *f, hid_t file)
{
    double *every = NULL;
    bool ok = read_rows(file, "flexible/moved_every", 1, 1, &every) && is_whole(every[0], 1.0, 2147483647.0);
    f->moved_every = ok ? (size_t)every[0] : 1;
    free(every);
    return ok;
}

/* Rows of displacements that so many frames have. */
static size_t moved_rows(const result_flexible *f, size_t frames)
{
    return (frames + f->moved_every - 1) / f->moved_every;
}

static bool open_sets(result_flexible *f, carom_arena *arena, hid_t file, size_t frames)
{
    size_t coordinates = end_of(f, &range_tables[2]);
    size_t moved = end_of(f, &range_tables[4]);
    f->coordinate_count = coordinates;
    bool ok = open_set(f, file, SET_COORDINATE, frames, coordinates) &&
              open_set(f, file, SET_RATE, frames, coordinates) &&
              open_set(f, file, SET_DISPLACEMENT, moved_rows(f, frames), moved) &&
              open_set(f, file, SET_DISPLACEMENT_RATE, moved_rows(f, frames), moved);
    size_t most = coordinates > moved ? coordinates : moved;
    f->row = ok && frames > 0 ? CAROM_ARENA_ARRAY(arena, double, 2 * most + 1) : NULL;
    return ok && (frames == 0 || f->row);
}

bool result_flexible_open(result_flexible *f, carom_arena *arena, hid_t file, size_t frames, size_t body_count)
{
    for (int i = 0; i < SETS; ++i) {
        f->sets[i] = -1;
    }
    if (H5Lexists(file, "flexible", H5P_DEFAULT) == 0) {
        return true;
    }
    bool ok = read_words(f, arena, file) && f->count > 0 && read_numbers(f, file, body_count) &&
              read_every(f, file) && read_types(f, arena, file);
    for (size_t i = 0; ok && i < sizeof range_tables / sizeof range_tables[0]; ++i) {
        ok = read_ranges(f, file, &range_tables[i]);
    }
    size_t basis = 0;
    for (size_t k = 0; ok && k < f->count; ++k) {
        flexible_body *b = &f->bodies[k];
        b->material.plane = f->planes[k];
        b->basis = (flexible_range){ basis, b->shapes.count * b->nodes.count }; /* both are below 2^31 */
        ok = ranges_agree(b) && b->basis.count <= INT32_MAX - basis;
        basis += ok ? b->basis.count : 0;
    }
    return ok && open_sets(f, arena, file, frames);
}

static void free_mesh(result_flexible *f)
{
    free(f->nodes);
    free(f->cells);
    free(f->shapes);
    free(f->basis);
    free(f->turn);
    f->nodes = f->shapes = f->basis = f->turn = NULL;
    f->cells = NULL;
}

void result_flexible_close(result_flexible *f)
{
    for (int i = 0; i < SETS; ++i) {
        h5_close(f->sets[i]);
    }
    free_mesh(f);
}

/* ---- meshes and shapes -------------------------------------------------------------------------------------------- */

static bool take_cell(const result_flexible *f, const flexible_body *b, const double *from, int32_t *to)
{
    bool ok = is_whole(from[0], 0.0, (double)f->type_count) && f->types[(size_t)from[0]];
    int nodes = ok ? f->types[(size_t)from[0]]->node_count : 0;
    for (int i = 0; ok && i < FLEXIBLE_CELL; ++i) {
        ok = i == 0 || (i <= nodes ? is_whole(from[i], 0.0, (double)b->nodes.count) : from[i] == -1.0);
        to[i] = ok ? (int32_t)from[i] : 0;
    }
    return ok;
}

static bool take_cells(result_flexible *f, const double *table)
{
    bool ok = true;
    for (size_t k = 0; ok && k < f->count; ++k) {
        const flexible_body *b = &f->bodies[k];
        for (size_t c = b->cells.first; ok && c < b->cells.first + b->cells.count; ++c) {
            ok = take_cell(f, b, table + FLEXIBLE_CELL * c, f->cells + FLEXIBLE_CELL * c);
        }
    }
    return ok;
}

static bool shapes_fit(const result_flexible *f)
{
    bool ok = true;
    for (size_t k = 0; ok && k < f->count; ++k) {
        const flexible_body *b = &f->bodies[k];
        double n = (double)b->coordinates.count;
        for (size_t s = b->shapes.first; ok && s < b->shapes.first + b->shapes.count; ++s) {
            ok = is_whole(f->shapes[2 * s], 0.0, n) && is_whole(f->shapes[2 * s + 1], -1.0, n);
        }
    }
    return ok;
}

static bool load(result_flexible *f, hid_t file)
{
    double *cells = NULL;
    size_t cell_count = end_of(f, &range_tables[1]);
    const flexible_body *last = &f->bodies[f->count - 1];
    bool ok = read_rows(file, "flexible/cell", FLEXIBLE_CELL, cell_count, &cells) &&
              read_rows(file, "flexible/node", 3, end_of(f, &range_tables[0]), &f->nodes) &&
              read_rows(file, "flexible/shape", 2, end_of(f, &range_tables[3]), &f->shapes) &&
              read_rows(file, "flexible/basis", 3, last->basis.first + last->basis.count, &f->basis) &&
              read_rows(file, "flexible/turn", 3, end_of(f, &range_tables[5]), &f->turn);
    f->cells = ok ? h5_memory(FLEXIBLE_CELL * cell_count + 1, sizeof *f->cells) : NULL;
    ok = ok && f->cells && take_cells(f, cells) && shapes_fit(f);
    free(cells);
    if (!ok) {
        free_mesh(f);
    }
    return ok;
}

const flexible_body *result_flexible_find(const carom_result *r, carom_id body)
{
    const result_flexible *f = r ? r->flexible : NULL;
    for (size_t k = 0; f && k < f->count; ++k) {
        if (f->bodies[k].body == body) {
            return &f->bodies[k];
        }
    }
    return NULL;
}

carom_status result_flexible_mesh(const carom_result *r, carom_id body, flexible_mesh *out, carom_error *err)
{
    const flexible_body *b = result_flexible_find(r, body);
    *out = (flexible_mesh){ 0 };
    if (!b) {
        const char *name = carom_result_body_name(r, body);
        return name ? carom_fail(err, CAROM_BAD_INPUT, "body '%.100s' of '%.500s' does not deform: it has no nodes",
                                 name, r->path)
                    : carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu bodies, body 0 being the ground: no body %d",
                                 r->path, r->body_count + 1, body);
    }
    h5_quiet quiet = h5_quiet_begin();
    bool ok = r->flexible->nodes || load(r->flexible, r->file);
    carom_status status = ok ? CAROM_OK : result_damaged(r, "flexible", err);
    h5_quiet_end(quiet);
    if (ok) {
        *out = (flexible_mesh){ b, r->flexible->nodes + 3 * b->nodes.first,
                                r->flexible->cells + FLEXIBLE_CELL * b->cells.first, r->flexible->types };
    }
    return status;
}

solid_element result_flexible_element(const flexible_mesh *of, size_t cell)
{
    const int32_t *numbers = of->cells + FLEXIBLE_CELL * cell;
    solid_element e = { .type = of->types[numbers[0]], .material = &of->body->material };
    for (int i = 0; i < e.type->node_count; ++i) {
        e.nodes[i] = numbers[1 + i];
        e.X[i] = v3_load(of->nodes + 3 * (size_t)e.nodes[i]);
    }
    return e;
}

/* ---- displacements ------------------------------------------------------------------------------------------------ */

/* u += what the shapes (their displacements or their rotations) make of their coordinates; or of the rates, where q_dot is not NULL. */
static void add_shapes(const result_flexible *f, const flexible_body *b, const double *all, const double *q,
                       const double *q_dot, double *u)
{
    size_t numbers = 3 * b->nodes.count;
    for (size_t s = 0; s < b->shapes.count; ++s) {
        const double *shape = f->shapes + 2 * (b->shapes.first + s);
        const double *basis = all + numbers * s;
        const int pair[2] = { (int)shape[0], (int)shape[1] };
        double factor = pair[1] < 0 ? (q_dot ? q_dot : q)[pair[0]]
                        : q_dot     ? body_shape_factor_rate(pair, q, q_dot)
                                    : body_shape_factor(pair, q);
        for (size_t i = 0; i < numbers; ++i) {
            u[i] += factor * basis[i];
        }
    }
}

static bool read_frame(const result_flexible *f, int set, size_t frame, double *row)
{
    return f->sets[set] < 0 || h5_read_rows(f->sets[set], frame, 1, row);
}

/* Displacements along the first axes as vectors. */
static void spread(const flexible_body *b, const double *from, double *to)
{
    int axes = (int)(b->moved.count / b->nodes.count);
    for (size_t i = 0; i < b->nodes.count; ++i) {
        v3_store(to + 3 * i, node_load(from, axes, (int)i));
    }
}

/* Where a frame lies among the rows of displacements. */
typedef struct moved_place {
    size_t row;
    double later; /* share of the next row; 0: the row is that of the frame, or the last one there is */
} moved_place;

static moved_place place_of(const carom_result *r, size_t frame)
{
    const double *time = carom_result_time(r);
    size_t every = r->flexible->moved_every;
    moved_place p = { frame / every, 0.0 };
    size_t before = p.row * every, after = before + every;
    if (frame != before && after < r->frames && time[after] > time[before]) {
        p.later = (time[frame] - time[before]) / (time[after] - time[before]);
    }
    return p;
}

/* Displacements or their rates; between rows they change evenly, behind the last one they stay. */
static bool read_moved(const result_flexible *f, const flexible_body *b, int set, moved_place p, double *out)
{
    size_t numbers = 3 * b->nodes.count;
    bool ok = read_frame(f, set, p.row, f->row);
    if (ok) {
        spread(b, f->row + b->moved.first, out);
    }
    if (!ok || !(p.later > 0.0 && p.later < 1.0)) {
        return ok;
    }
    ok = read_frame(f, set, p.row + 1, f->row);
    int axes = (int)(b->moved.count / b->nodes.count);
    for (size_t i = 0; ok && i < numbers; i += 3) {
        v3 from = v3_load(out + i), to = node_load(f->row + b->moved.first, axes, (int)(i / 3));
        v3_store(out + i, v3_add(from, v3_scale(p.later, v3_sub(to, from))));
    }
    return ok;
}

static bool read_displacements(const carom_result *r, const flexible_body *b, size_t frame, double *u, double *rate)
{
    const result_flexible *f = r->flexible;
    size_t numbers = 3 * b->nodes.count;
    double *q = f->row;
    double *q_dot = f->row + f->coordinate_count;
    memset(u, 0, numbers * sizeof *u);
    bool ok = read_frame(f, SET_COORDINATE, frame, q) && (!rate || read_frame(f, SET_RATE, frame, q_dot));
    if (ok) {
        add_shapes(f, b, f->basis + 3 * b->basis.first, q + b->coordinates.first, NULL, u);
    }
    if (ok && rate) {
        memset(rate, 0, numbers * sizeof *rate);
        add_shapes(f, b, f->basis + 3 * b->basis.first, q + b->coordinates.first, q_dot + b->coordinates.first, rate);
    }
    for (int k = 0; ok && b->moved.count > 0 && k < (rate ? 2 : 1); ++k) {
        ok = read_moved(f, b, k == 0 ? SET_DISPLACEMENT : SET_DISPLACEMENT_RATE, place_of(r, frame),
                        k == 0 ? u : rate);
    }
    return ok;
}

/* A body that is there at a frame that is there. */
static carom_status find_frame(const carom_result *r, carom_id body, size_t frame, flexible_mesh *at,
                               carom_error *err)
{
    carom_status status = result_flexible_mesh(r, body, at, err);
    return status == CAROM_OK && frame >= r->frames
               ? carom_fail(err, CAROM_BAD_INPUT, "'%.500s' has %zu frames: no frame %zu", r->path, r->frames, frame)
               : status;
}

flexible_basis result_flexible_basis(const carom_result *r, const flexible_body *b)
{
    const result_flexible *f = r->flexible;
    return (flexible_basis){ b->shapes.count, f->shapes + 2 * b->shapes.first, f->basis + 3 * b->basis.first,
                             b->turns.count > 0 ? f->turn + 3 * b->turns.first : NULL };
}

static carom_status read_coordinates(const carom_result *r, size_t frame, carom_error *err)
{
    h5_quiet quiet = h5_quiet_begin();
    bool ok = read_frame(r->flexible, SET_COORDINATE, frame, r->flexible->row);
    h5_quiet_end(quiet);
    return ok ? CAROM_OK : result_damaged(r, "flexible", err);
}

carom_status result_flexible_coordinates(const carom_result *r, carom_id body, size_t frame, double *q,
                                         carom_error *err)
{
    flexible_mesh at;
    carom_status status = find_frame(r, body, frame, &at, err);
    status = status == CAROM_OK ? read_coordinates(r, frame, err) : status;
    if (status == CAROM_OK) {
        memcpy(q, r->flexible->row + at.body->coordinates.first, at.body->coordinates.count * sizeof *q);
    }
    return status;
}

carom_status result_flexible_turns(const carom_result *r, carom_id body, size_t frame, double *turn, carom_error *err)
{
    flexible_mesh at;
    carom_status status = find_frame(r, body, frame, &at, err);
    if (status != CAROM_OK) {
        return status;
    }
    memset(turn, 0, 3 * at.body->nodes.count * sizeof *turn);
    if (at.body->turns.count == 0) {
        return CAROM_OK;
    }
    status = read_coordinates(r, frame, err);
    if (status == CAROM_OK) {
        add_shapes(r->flexible, at.body, r->flexible->turn + 3 * at.body->turns.first,
                   r->flexible->row + at.body->coordinates.first, NULL, turn);
    }
    return status;
}

carom_status result_flexible_displacements(const carom_result *r, carom_id body, size_t frame, double *u,
                                           double *rate, carom_error *err)
{
    flexible_mesh at;
    carom_status status = find_frame(r, body, frame, &at, err);
    if (status == CAROM_OK) {
        h5_quiet quiet = h5_quiet_begin();
        bool ok = read_displacements(r, at.body, frame, u, rate);
        status = ok ? CAROM_OK : result_damaged(r, "flexible", err);
        h5_quiet_end(quiet);
    }
    return status;
}

/* ---- for users ---------------------------------------------------------------------------------------------------- */

size_t carom_result_nodes_every(const carom_result *r, carom_id body)
{
    const flexible_body *b = result_flexible_find(r, body);
    return !b ? 0 : b->moved.count > 0 ? r->flexible->moved_every : 1;
}

size_t carom_result_node_count(const carom_result *r, carom_id body)
{
    const flexible_body *b = result_flexible_find(r, body);
    return b ? b->nodes.count : 0;
}

carom_status carom_result_nodes(const carom_result *r, carom_id body, size_t frame, carom_v3 *positions,
                                carom_v3 *velocities, carom_error *err)
{
    const argument needed[] = { { "result", r }, { "positions", positions } };
    flexible_mesh at;
    carom_motion moving;
    carom_status status = arguments_given("carom_result_nodes", needed, 2, err);
    status = status == CAROM_OK ? result_flexible_mesh(r, body, &at, err) : status;
    status = status == CAROM_OK ? carom_result_motion(r, body, frame, &moving, err) : status;
    if (status != CAROM_OK) {
        return status;
    }
    size_t count = at.body->nodes.count;
    size_t numbers = 3 * count;
    double *u = malloc((2 * numbers + 1) * sizeof *u);
    double *rate = u && velocities ? u + numbers : NULL;
    status = u ? result_flexible_displacements(r, body, frame, u, rate, err) : result_no_memory(r, err);
    for (size_t i = 0; status == CAROM_OK && i < count; ++i) {
        v3 r_w = q_rotate(moving.pose.orientation, v3_add(v3_load(at.nodes + 3 * i), v3_load(u + 3 * i)));
        positions[i] = v3_add(moving.pose.position, r_w);
        if (rate) {
            v3 moved_w = q_rotate(moving.pose.orientation, v3_load(rate + 3 * i));
            v3 carried_w = v3_add(moving.velocity, v3_cross(moving.angular_velocity, r_w));
            velocities[i] = v3_add(carried_w, moved_w);
        }
    }
    free(u);
    return status;
}
