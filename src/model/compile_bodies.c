/* Bodies: mass properties from shapes or numbers, roles, prescribed motion. */
#include "model/compile.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error_list.h"
#include "base/hash.h"
#include "base/index.h"
#include "elements/bodies/rigid.h"
#include "mesh_files/mesh_read.h"
#include "model/fields.h"
#include "model/store.h"

static carom_pose identity_pose(void)
{
    return (carom_pose){ .orientation = q_identity() };
}

static void make_ground(model_body *ground)
{
    *ground = (model_body){
        .name = "ground", .role = BODY_FIXED, .type = &carom_body_rigid, .slot = -1, .start = identity_pose()
    };
    ground->color[0] = -1.0;
}

static bool same_mesh(const model_mesh *m, const model_shape *shape)
{
    return m->type == shape->type && m->hash == shape->hash &&
           strcmp(shape->type->mesh_name(m->params), shape->type->mesh_name(shape->params)) == 0;
}

/* Who is told what takes long, and the meshes so far by the hash of what they were asked for with. */
typedef struct mesh_loader {
    const carom_compile_options *watcher;
    carom_index meshes;
} mesh_loader;

static carom_status read_or_make(mesh **out, const model_shape *shape, const carom_compile_options *watcher,
                                 carom_error *err)
{
    const carom_shape_type *type = shape->type;
    const char *name = type->mesh_name(shape->params);
    mesh_file file;
    carom_watch watch;
    carom_watch_init(&watch, watcher->keep_going, watcher->context, name);
    return type->from_file && type->from_file(&file, shape->params)
               ? mesh_read_content(out, &file, watcher->keep_going ? &watch : NULL, err)
               : type->make(out, shape->params, err);
}

typedef struct mesh_order {
    const model_shape *shape;
    const carom_compile_options *watcher;
} mesh_order;

static carom_status make_stored_mesh(void *context, store_item *item, carom_error *err)
{
    const mesh_order *order = context;
    carom_status status = read_or_make(&item->mesh, order->shape, order->watcher, err);
    return status == CAROM_OK ? mesh_inspect(item->mesh, &item->quality, err) : status;
}

/* A file that was changed meanwhile is another mesh. */
static uint64_t hash_file(uint64_t hash, const model_shape *shape)
{
    mesh_file file;
    struct stat about;
    if (!shape->type->from_file || !shape->type->from_file(&file, shape->params) || stat(file.name, &about) != 0) {
        return hash;
    }
    const int64_t stamp[] = { (int64_t)about.st_dev, (int64_t)about.st_ino, (int64_t)about.st_size,
                              (int64_t)about.st_mtim.tv_sec, (int64_t)about.st_mtim.tv_nsec };
    return carom_hash(hash, stamp, sizeof stamp);
}

/* The mesh of a shape from the store, or into it. */
static carom_status take_mesh(model_mesh *m, const model_shape *shape, carom_store *store,
                              const carom_compile_options *watcher, carom_error *err)
{
    mesh_order order = { shape, watcher };
    const store_key key = { .type = shape->type,
                            .hash = hash_file(shape->hash, shape),
                            .name = shape->type->mesh_name(shape->params) };
    carom_status status = store_take(store, &key, make_stored_mesh, &order, &m->stored, err);
    if (status == CAROM_OK) {
        m->mesh = m->stored->mesh;
        m->quality = m->stored->quality;
    }
    return status;
}

/* The mesh of a shape, read or made unless another shape has asked for it before. */
static carom_status find_mesh(carom_model *model, const model_shape *shape, mesh_loader *loader,
                              const model_mesh **out, carom_error *err)
{
    size_t cursor = 0;
    for (int i; (i = carom_index_next(&loader->meshes, shape->hash, &cursor)) >= 0;) {
        if (same_mesh(&model->meshes[i], shape)) {
            *out = &model->meshes[i];
            return CAROM_OK;
        }
    }
    model_mesh *m = &model->meshes[model->mesh_count];
    *m = (model_mesh){ .type = shape->type, .params = shape->params, .hash = shape->hash };
    carom_status status = model->store ? take_mesh(m, shape, model->store, loader->watcher, err)
                                       : read_or_make(&m->mesh, shape, loader->watcher, err);
    if (status == CAROM_OK) {
        carom_index_add(&loader->meshes, m->hash, model->mesh_count);
        model->mesh_count++; /* owned from here on, whatever happens later */
        status = m->stored ? CAROM_OK : mesh_inspect(m->mesh, &m->quality, err);
    }
    *out = m;
    return status;
}

/* Loads the mesh of a shape that has one, and checks that it can carry mass. */
static carom_status load_mesh(carom_model *model, model_shape *shape, bool needs_volume, mesh_loader *loader,
                              carom_error *err)
{
    const model_mesh *m = NULL;
    carom_status status = find_mesh(model, shape, loader, &m, err);
    if (status != CAROM_OK) {
        return status;
    }
    const mesh_quality *quality = &m->quality;
    const char *name = shape->type->mesh_name(shape->params);
    shape->mesh = m->mesh;
    if (shape->type->thin) {
        return CAROM_OK;
    }
    shape->has_volume = !quality->open_edges && !quality->nonmanifold_edges && !quality->flipped_edges;
    if (needs_volume && !shape->has_volume) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "mesh '%.150s' is not a closed surface (%d open, %d non-manifold, %d flipped edges), so it "
                          "has no volume; close it, or give the body 'mass' and 'inertia'",
                          name, quality->open_edges, quality->nonmanifold_edges, quality->flipped_edges);
    }
    if (needs_volume && !(quality->volume > 0.0)) {
        bool flat = quality->volume == 0.0;
        return carom_fail(err, CAROM_BAD_INPUT, "mesh '%.150s' is %s (its volume is %g m^3); %s", name,
                          flat ? "flat" : "turned inside out", quality->volume,
                          flat ? "give the body 'mass' and 'inertia'" : "'carom mesh repair' turns it");
    }
    return CAROM_OK;
}

#define THIN_MASS \
    "give it 'mass_per_area' (sheet), 'mass_per_length' (wire) or 'mass_per_point' (points), or the body 'mass'"

static carom_status compile_shape(carom_model *model, model_shape *shape, const carom_shape_def *def,
                                  bool needs_volume, mesh_loader *loader, carom_error *err)
{
    const carom_shape_type *type = def->shape.kind ? carom_shape_type_find(def->shape.kind) : NULL;
    if (!type) {
        return carom_fail(err, CAROM_BAD_INPUT, "unknown shape '%s'", def->shape.kind ? def->shape.kind : "");
    }
    shape->type = type;
    shape->has_volume = type->solid || type->thin;
    shape->params = kind_copy(&model->arena, &type->kind, def->shape.params, 0);
    shape->hash = shape->params ? kind_hash(CAROM_HASH_START, &type->kind, shape->params) : 0;
    shape->pose_b = (carom_pose){ def->at, q_unit(def->orientation) };
    shape->material = carom_arena_text(&model->arena, def->material);
    shape->touches = def->touches;
    shape->spacing = def->spacing;
    shape->resolution = def->resolution;
    carom_status status = compile_check_memory(model, err);
    if (status == CAROM_OK && type->thin && def->density > 0.0) {
        status = carom_fail(err, CAROM_BAD_INPUT, "a %s has no volume and so no 'density'; %s", type->kind.name,
                            THIN_MASS);
    }
    if (status == CAROM_OK && type->check) {
        status = type->check(shape->params, err);
    }
    return status == CAROM_OK && type->mesh_name ? load_mesh(model, shape, needs_volume, loader, err) : status;
}

/* The density of a shape: its own, else the body's, else that of its material, which are not for thin ones; 0: none is given. */
static double density_of(const model_body *body, const carom_body_def *def, int shape)
{
    const carom_shape_def *shapes = def->shapes.items;
    const carom_shape_type *type = body->shapes[shape].type;
    if (type->own_density) {
        return type->own_density(body->shapes[shape].params);
    }
    return shapes[shape].density > 0.0 ? shapes[shape].density
           : def->density > 0.0        ? def->density
                                       : body->shapes[shape].material_density;
}

/* How many of the shapes that have a volume have a density as well. */
typedef struct density_count {
    int volumes;
    int known;
    int first_unknown; /* shape, or -1 */
} density_count;

static density_count count_densities(const model_body *body, const carom_body_def *def)
{
    density_count count = { .first_unknown = -1 };
    for (int i = 0; i < body->shape_count; ++i) {
        bool known = density_of(body, def, i) > 0.0;
        if (body->shapes[i].has_volume) {
            count.volumes++;
            count.known += known;
            count.first_unknown = !known && count.first_unknown < 0 ? i : count.first_unknown;
        }
    }
    return count;
}

/* Sum over the shapes; all with unit density, where only proportions matter, unless every density is known. */
static mass_properties mass_of_shapes(const model_body *body, const carom_body_def *def, bool unit_density)
{
    mass_properties total = { 0 };
    for (int i = 0; i < body->shape_count; ++i) {
        const model_shape *shape = &body->shapes[i];
        if (!shape->has_volume) {
            continue;
        }
        mass_properties m;
        shape->type->mass(&m, shape->params, shape->mesh);
        m = mass_scale(m, unit_density ? 1.0 : density_of(body, def, i));
        total = mass_add(total, mass_transform(m, shape->pose_b));
    }
    return total;
}

static m3 inertia_from_numbers(const double *I, size_t count)
{
    double xy = count == 6 ? I[3] : 0.0;
    double xz = count == 6 ? I[4] : 0.0;
    double yz = count == 6 ? I[5] : 0.0;
    return (m3){ { I[0], xy, xz, xy, I[1], yz, xz, yz, I[2] } };
}

/* What a free body must have in the end. */
static carom_status check_mass(const model_body *body, carom_error *err)
{
    bool thin = body->shape_count > 0 && body->shapes[0].type->thin;
    if (!(body->mass > 0.0) && thin) {
        return carom_fail(err, CAROM_BAD_INPUT, "body '%.100s' can move but its %s has no mass; %s", body->name,
                          body->shapes[0].type->kind.name, THIN_MASS);
    }
    if (!(body->mass > 0.0) || !isfinite(body->mass)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "body '%.100s' can move but has no mass (%g kg); give 'mass' and 'inertia', or a shape with "
            "'density', or make it 'fixed'",
            body->name, body->mass);
    }
    const char *problem = mass_inertia_problem(body->inertia_b);
    if (problem) {
        return carom_fail(err, CAROM_BAD_INPUT, "inertia of body '%.100s' %s%s", body->name, problem,
                          thin ? "; give wires and points a radius, or the body 'inertia'" : "");
    }
    double values[3];
    m3 axes;
    m3_eigen_symmetric(body->inertia_b, values, &axes);
    if (!(values[0] > 0.0)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "inertia of body '%.100s' is not positive about every axis (smallest %g kg m^2); give %s",
                          body->name, values[0],
                          thin ? "wires and points a radius, or the body 'inertia'"
                               : "all three moments, or a shape");
    }
    return CAROM_OK;
}

/* Shapes with and without a density in one body: what the latter weigh is anybody's guess. */
static carom_status refuse_mixed_densities(const model_body *body, const density_count *count, carom_error *err)
{
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "body '%.100s': %d of its %d shapes have a 'density', but shape %d (a %s) has none; give it one, "
        "or give the body a 'density' for all solids that have none of their own",
        body->name, count->known, count->volumes, count->first_unknown + 1,
        body->shapes[count->first_unknown].type->kind.name);
}

static bool shapes_decide(const carom_body_def *def)
{
    return !(def->mass > 0.0) || def->inertia.count == 0 || def->center_of_mass.count == 0;
}

/* A body that does not move freely has a centre but neither mass nor inertia. */
static carom_status compile_mass(model_body *body, const carom_body_def *def, carom_error *err)
{
    bool is_free = body->role == BODY_FREE;
    density_count count = count_densities(body, def);
    if (is_free && shapes_decide(def) && count.known > 0 && count.known < count.volumes) {
        return refuse_mixed_densities(body, &count, err);
    }
    bool unit_density = count.known < count.volumes;
    mass_properties m = mass_of_shapes(body, def, unit_density);
    body->com_b = def->center_of_mass.count == 3 ? v3_load(def->center_of_mass.data) : m.center;
    if (!is_free) {
        return CAROM_OK;
    }
    if (def->mass > 0.0 && m.mass > 0.0) {
        m = mass_scale(m, def->mass / m.mass);
    } else if (def->mass > 0.0) {
        m.mass = def->mass;
    } else if (unit_density) {
        m = (mass_properties){ 0 };
    }
    if (def->inertia.count > 0) {
        m.inertia = inertia_from_numbers(def->inertia.data, def->inertia.count);
    }
    body->mass = m.mass;
    body->inertia_b = m.inertia;
    return check_mass(body, err);
}

static bool needs_volume(const carom_body_def *def)
{
    bool numbers_given = (def->mass > 0.0 && def->inertia.count > 0) || def->flexible.given;
    return !def->fixed && !def->motion.given && !numbers_given;
}

static carom_status compile_shapes(carom_model *model, model_body *body, const carom_body_def *def,
                                   mesh_loader *loader, carom_error *err)
{
    const carom_shape_def *defs = def->shapes.items;
    model_shape *shapes = CAROM_ARENA_ARRAY(&model->arena, model_shape, def->shapes.count);
    if (!shapes) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    body->shape_count = (int)def->shapes.count;
    body->shapes = shapes;
    for (size_t i = 0; i < def->shapes.count; ++i) {
        carom_status status = compile_shape(model, &shapes[i], &defs[i], needs_volume(def), loader, err);
        shapes[i].material = shapes[i].material ? shapes[i].material : carom_arena_text(&model->arena, def->material);
        const carom_material_def *material = compile_find_material(model, shapes[i].material);
        shapes[i].material_density = material ? material->density : 0.0;
        if (status != CAROM_OK) {
            return status;
        }
        if (shape_is_half_space(shapes[i].type) && !def->fixed && !def->motion.given) {
            return carom_fail(err, CAROM_BAD_INPUT, "a %s is infinite and needs a fixed body; '%.100s' can move",
                              shapes[i].type->kind.name, def->name);
        }
    }
    return CAROM_OK;
}

static carom_status compile_motion(carom_model *model, model_body *body, const carom_motion_def *def,
                                   carom_error *err)
{
    const char *what = carom_arena_printf(&model->arena, "motion of body '%s'", body->name);
    body->motion.axis_w = v3_unit(def->axis);
    body->motion.angle = -1;
    for (int k = 0; k < 4; ++k) {
        const carom_value *value = k < 3 ? &def->position[k] : &def->angle;
        int *index = k < 3 ? &body->motion.position[k] : &body->motion.angle;
        *index = -1;
        if (value->kind == CAROM_NUMBER && isnan(value->number)) {
            continue;
        }
        value_request request = { .value = value, .force = -1, .time_only = true, .smooth = true, .what = what };
        carom_status status = compile_value(model, &request, index, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return CAROM_OK;
}

/* Every face of the box around a shape is touched by it somewhere. */
static double shape_reach(const model_shape *shape, v3 com_b)
{
    v3 low;
    v3 high;
    if (shape_is_half_space(shape->type)) {
        return 0.0; /* infinite */
    }
    shape->type->bounds(&low, &high, shape->params, shape->mesh);
    v3 c = q_unrotate(shape->pose_b.orientation, v3_sub(com_b, shape->pose_b.position));
    double reach = 0.0;
    for (int k = 0; k < 3; ++k) {
        reach = fmax(reach, fmax(v3_get(high, k) - v3_get(c, k), v3_get(c, k) - v3_get(low, k)));
    }
    return isfinite(reach) ? reach : 0.0;
}

/* By the shapes, else as far as the inertia says. */
static double find_reach(const model_body *body)
{
    double reach = body->mass > 0.0 ? sqrt(m3_trace(body->inertia_b) / (3.0 * body->mass)) : 0.0;
    for (int i = 0; i < body->shape_count; ++i) {
        reach = fmax(reach, shape_reach(&body->shapes[i], body->com_b));
    }
    return reach;
}

static carom_status check_start_speed(const model_body *body, carom_error *err)
{
    double speed = v3_norm(body->start_velocity);
    double spin = v3_norm(body->start_omega_w);
    if (speed > SPEED_OF_LIGHT) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "body '%.100s' starts at %.3g m/s, faster than light (%.4g m/s); look at 'velocity' and its "
            "unit",
            body->name, speed, SPEED_OF_LIGHT);
    }
    if (spin * body->reach > SPEED_OF_LIGHT) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "body '%.100s' starts turning at %.3g rad/s: what is %.3g m from its centre of mass would move "
            "at %.3g m/s, faster than light (%.4g m/s); look at 'angular_velocity' and its unit",
            body->name, spin, body->reach, spin * body->reach, SPEED_OF_LIGHT);
    }
    return CAROM_OK;
}

static carom_status check_color(const model_body *body, carom_error *err)
{
    const double *c = body->color;
    double largest = fmax(c[0], fmax(c[1], c[2]));
    double least = fmin(c[0], fmin(c[1], c[2]));
    if (least >= 0.0 && largest <= 1.0) {
        return CAROM_OK;
    }
    return carom_fail(err, CAROM_BAD_INPUT,
                      "color of body '%.100s' is [%g, %g, %g]; red, green and blue go from 0 to 1%s", body->name,
                      c[0], c[1], c[2], least >= 0.0 && largest <= 255.0 ? ", not to 255: divide them" : "");
}

carom_status compile_take_mass(model_body *body, carom_error *err)
{
    const body_frame frame = { .pose.q_wb = q_identity(), .R_w = q_matrix(q_identity()) };
    carom_arena room = { 0 };
    int coordinates = body->type->coordinate_count(body->params);
    int width = FRAME_COLUMNS + coordinates;
    double *M = CAROM_ARENA_ARRAY(&room, double, width *width);
    double *q = CAROM_ARENA_ARRAY(&room, double, coordinates);
    if (room.failed) {
        carom_arena_free(&room);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    body->type->mass(body->params, &frame, q, M);
    body->mass = M[0];
    for (int i = 0; i < 9; ++i) {
        body->inertia_b.m[i] = M[width * (3 + i / 3) + 3 + i % 3];
    }
    carom_arena_free(&room);
    body->reach = find_reach(body);
    return check_mass(body, err);
}

/* Every body is rigid unless it is said to be of another kind. */
static carom_status choose_type(carom_model *model, model_body *body, carom_error *err)
{
    const body_choice *choice = NULL;
    for (int i = 0; i < model->choice_count && !choice; ++i) {
        choice = strcmp(model->choices[i].body, body->name) == 0 ? &model->choices[i] : NULL;
    }
    if (choice && body->role != BODY_FREE) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "body '%.100s' cannot be of kind '%s', because it does not move freely; leave out 'fixed' and "
            "'motion', or make it rigid",
            body->name, choice->type->kind.name);
    }
    const rigid_body rigid = { body->mass, body->inertia_b };
    body->type = choice ? choice->type : &carom_body_rigid;
    body->params = choice ? kind_copy(&model->arena, &choice->type->kind, choice->params, 0)
                          : carom_arena_copy(&model->arena, &rigid, sizeof rigid);
    carom_status status = compile_check_memory(model, err);
    return status == CAROM_OK && choice ? compile_take_mass(body, err) : status;
}

static void number_columns(carom_model *model, model_body *body)
{
    int coordinates = body->type->coordinate_count(body->params);
    body->slot = model->free_count;
    body->column = model->column_count;
    body->width = FRAME_COLUMNS + coordinates;
    body->first_deform = model->deform_count;
    model->column_count += body->width;
    model->deform_count += coordinates;
    model->free_bodies[model->free_count++] = model->body_count;
}

static carom_status compile_body(carom_model *model, model_body *body, const carom_body_def *def, mesh_loader *loader,
                                 carom_error *err)
{
    *body = (model_body){
        .name = carom_arena_text(&model->arena, def->name),
        .role = def->fixed          ? BODY_FIXED
                : def->motion.given ? BODY_KINEMATIC
                                    : BODY_FREE,
        .slot = -1,
        .start = { def->position, q_unit(def->orientation) },
        .start_velocity = def->velocity,
        .start_omega_w = def->angular_velocity,
    };
    carom_status status = compile_check_memory(model, err); /* for the name */
    if (status != CAROM_OK) {
        return status;
    }
    if (def->fixed && def->motion.given) {
        return carom_fail(err, CAROM_BAD_INPUT, "body '%.100s' is 'fixed' and has a 'motion'; choose one", def->name);
    }
    body->color[0] = -1.0;
    if (def->color.count == 3) {
        memcpy(body->color, def->color.data, sizeof body->color);
        status = check_color(body, err);
    }
    if (status == CAROM_OK && def->shapes.count > 0) {
        status = compile_shapes(model, body, def, loader, err);
    }
    bool flexible = def->flexible.given;
    if (status == CAROM_OK) {
        status = flexible ? compile_flexible(model, body, def, err) : compile_mass(body, def, err);
    }
    if (status == CAROM_OK) {
        body->reach = find_reach(body);
        status = check_start_speed(body, err);
    }
    if (status == CAROM_OK && body->role == BODY_KINEMATIC) {
        status = compile_motion(model, body, &def->motion, err);
    }
    if (status == CAROM_OK && !flexible) {
        status = choose_type(model, body, err);
    }
    if (status == CAROM_OK && body->role == BODY_FREE) {
        number_columns(model, body);
    }
    return status;
}

/* Room for every mesh of the scene, so that they can be given back whatever happens later. */
static size_t count_shapes(const carom_spec *spec)
{
    size_t count = 0;
    for (size_t i = 0; i < carom_spec_body_count(spec); ++i) {
        count += carom_spec_body(spec, i)->shapes.count;
    }
    return count;
}

carom_status compile_bodies(carom_model *model, const carom_spec *spec, const carom_compile_options *watcher,
                            carom_error *err)
{
    size_t count = carom_spec_body_count(spec);
    size_t sections = compile_count_sections(spec);
    model->bodies = CAROM_ARENA_ARRAY(&model->arena, model_body, count + sections + 1);
    model->free_bodies = CAROM_ARENA_ARRAY(&model->arena, int, count + sections + 1);
    model->nodal = CAROM_ARENA_ARRAY(&model->arena, model_nodal, count + 1);
    model->surfaces = CAROM_ARENA_ARRAY(&model->arena, model_surface, count + 1);
    model->solids = CAROM_ARENA_ARRAY(&model->arena, solid_mesh *, count + 1);
    model->meshes = CAROM_ARENA_ARRAY(&model->arena, model_mesh, count_shapes(spec) + 1);
    mesh_loader loader = { .watcher = watcher };
    carom_index_prepare(&loader.meshes, count_shapes(spec), &model->arena);
    if (model->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %zu bodies", count);
    }
    make_ground(&model->bodies[0]);
    carom_names_add(&model->names, "ground", element_code(ELEMENT_BODY, 0));
    model->body_count = 1;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && error_goes_on(err, status); ++i) {
        model_body *body = &model->bodies[model->body_count];
        const carom_body_def *def = carom_spec_body(spec, i);
        carom_status one = compile_body(model, body, def, &loader, err);
        if (one != CAROM_OK) {
            status = error_worse(status, compile_refuse(model, def->name, carom_spec_body_origin(spec, i), one, err));
            continue;
        }
        body->origin = compile_origin(model, carom_spec_body_origin(spec, i));
        compile_flexible_notes(model, body, def);
        carom_names_add(&model->names, body->name, element_code(ELEMENT_BODY, model->body_count));
        model->body_count++;
    }
    return status == CAROM_OK ? compile_sections(model, err) : status;
}
