/* Colliders: the surfaces of all shapes that touch, one for all that are equal, and bodies that touch with a surface of their own. */
#include "model/compile_contact.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/parallel.h"
#include "model/compile.h"
#include "model/fields.h"
#include "model/method.h"
#include "model/store.h"

/* Shapes of bodies of finite elements are for looks where the surface of the mesh is what touches; some methods let them touch instead. */
static bool touches(const carom_model *model, const model_body *body, int shape)
{
    return body->shapes[shape].touches && (!body->solid || model->method->skins);
}

static int count_touching_of(const carom_model *model, const model_body *b)
{
    int count = 0;
    for (int k = 0; k < b->shape_count; ++k) {
        count += touches(model, b, k);
    }
    return count;
}

static int count_touching(const carom_model *model)
{
    int count = 0;
    for (int i = 0; i < model->body_count; ++i) {
        count += count_touching_of(model, &model->bodies[i]);
    }
    return count;
}

const model_shape *compile_collider_shape(const carom_model *model, const model_collider *c)
{
    return &model->bodies[c->body].shapes[c->shape];
}

deforming compile_surface(const carom_model *model, int k)
{
    return (deforming){ model->surfaces[k].body, model->surfaces[k].material };
}

deforming compile_skin(const carom_model *model, int k)
{
    return (deforming){ model->skins[k].body, model->skins[k].material };
}

/* Whether one collider can serve both: same geometry, prepared alike. */
static bool same_surface(const model_shape *a, const model_shape *b)
{
    return a->type == b->type && a->mesh == b->mesh && a->hash == b->hash && a->spacing == b->spacing &&
           a->resolution == b->resolution;
}

/* What same_surface compares, as one number. */
static uint64_t surface_hash(const model_shape *shape)
{
    double spacing = shape->spacing + 0.0; /* -0 equals 0 */
    uint64_t hash = carom_hash(shape->hash, &spacing, sizeof spacing);
    return carom_hash(hash, &shape->resolution, sizeof shape->resolution);
}

/* How colliders are made, and who is told. */
typedef struct collider_plan {
    collider_options options;
    const carom_compile_options *watcher;
    carom_index surfaces; /* colliders that are not shared, by surface_hash */
} collider_plan;

/* The field of a mesh may take long. */
static carom_status create_watched(collider **out, const model_shape *shape, collider_options options,
                                   const carom_compile_options *watcher, carom_error *err)
{
    char what[300] = "the distance field";
    carom_watch watch;
    if (shape->type->mesh_name) {
        const char *name = shape->type->mesh_name(shape->params);
        const char *slash = strrchr(name, '/');
        snprintf(what, sizeof what, "the distance field of %.250s", slash ? slash + 1 : name);
    }
    carom_watch_init(&watch, watcher->keep_going, watcher->context, what);
    options.watch = watcher->keep_going ? &watch : NULL;
    return collider_create(out, shape->type, shape->params, shape->mesh, &options, err);
}

/* A collider that was made for an equal surface; NULL: there is none. */
static collider *find_collider(const carom_model *model, const model_shape *shape, const collider_plan *plan)
{
    size_t cursor = 0;
    uint64_t hash = surface_hash(shape);
    for (int i; (i = carom_index_next(&plan->surfaces, hash, &cursor)) >= 0;) {
        if (same_surface(compile_collider_shape(model, &model->colliders[i]), shape)) {
            return model->colliders[i].collider;
        }
    }
    return NULL;
}

/* All that a collider depends on besides its shape; threads and folders make no difference. */
static uint64_t options_hash(uint64_t hash, const collider_options *o)
{
    const sdf_options *f = &o->field;
    const int choices[] = {
        o->method, o->features, o->whole, o->facets, o->surface, f->kind, f->sign, f->resolution
    };
    const double numbers[] = { o->spacing + 0.0, f->spacing + 0.0, f->margin + 0.0, f->band + 0.0,
                               f->tolerance + 0.0 };
    hash = carom_hash(hash, choices, sizeof choices);
    return carom_hash(hash, numbers, sizeof numbers);
}

typedef struct collider_order {
    model_shape shape; /* its params are put where they live as long as the collider */
    const collider_options *options;
    const carom_compile_options *watcher;
    store_item *of;
} collider_order;

static carom_status make_stored_collider(void *context, store_item *item, carom_error *err)
{
    collider_order *order = context;
    order->shape.params = kind_copy(&item->arena, &order->shape.type->kind, order->shape.params, 0);
    item->of = order->of;
    return order->shape.params ? create_watched(&item->collider, &order->shape, *order->options, order->watcher, err)
                               : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a collider");
}

/* The item of a mesh that the model has taken from its store. */
static store_item *stored_mesh(const carom_model *model, const mesh *m)
{
    int i = 0;
    while (m && model->meshes[i].mesh != m) {
        ++i;
    }
    return m ? model->meshes[i].stored : NULL;
}

/* The collider of a shape from the model's store, or into it. */
static carom_status take_collider(const carom_model *model, model_collider *c, const model_shape *shape,
                                  const collider_options *options, const carom_compile_options *watcher,
                                  carom_error *err)
{
    collider_order order = { *shape, options, watcher, stored_mesh(model, shape->mesh) };
    const store_key key = { .type = shape->type,
                            .hash = options_hash(surface_hash(shape), options),
                            .name = shape->type->mesh_name ? shape->type->mesh_name(shape->params) : NULL,
                            .of = order.of,
                            .prepared = true };
    carom_status status = store_take(model->store, &key, make_stored_collider, &order, &c->stored, err);
    c->collider = status == CAROM_OK ? c->stored->collider : NULL;
    return status;
}

static carom_status make_collider(carom_model *model, int index, collider_plan *plan, carom_error *err)
{
    model_collider *c = &model->colliders[index];
    const model_shape *shape = compile_collider_shape(model, c);
    c->collider = find_collider(model, shape, plan);
    if (c->collider) {
        c->shared = true;
        return CAROM_OK;
    }
    collider_options own = plan->options;
    own.spacing = shape->spacing > 0.0 ? shape->spacing : own.spacing;
    if (shape->resolution > 0) {
        own.field.resolution = shape->resolution;
        own.field.spacing = 0.0;
    }
    carom_status status = model->store ? take_collider(model, c, shape, &own, plan->watcher, err)
                                       : create_watched(&c->collider, shape, own, plan->watcher, err);
    if (status == CAROM_OK) {
        carom_index_add(&plan->surfaces, surface_hash(shape), index);
    }
    return status;
}

static carom_status add_collider(carom_model *model, int body, int shape, carom_error *err)
{
    const model_body *b = &model->bodies[body];
    const carom_pose *pose_b = &b->shapes[shape].pose_b;
    model_collider *c = &model->colliders[model->collider_count++];
    *c = (model_collider){ .body = body,
                           .shape = shape,
                           .pose_c = { v3_sub(pose_b->position, b->com_b), pose_b->orientation } };
    c->point = (body_point){ .position = c->pose_c.position, .orientation = c->pose_c.orientation };
    return body_deforms(b) && b->type->carry ? b->type->carry(b->params, &c->point, &model->arena, err) : CAROM_OK;
}

/* A body that deforms touches with its shapes where some of them do, else with its own surface. */
static carom_status list_skins(carom_model *model, carom_error *err)
{
    model->skins = CAROM_ARENA_ARRAY(&model->arena, model_skin, model->body_count);
    for (int i = 0; model->skins && model->method->skins && i < model->body_count; ++i) {
        const model_body *b = &model->bodies[i];
        const body_surface *surface = body_deforms(b) && b->type->surface ? b->type->surface(b->params) : NULL;
        if (surface && count_touching_of(model, b) == 0) {
            model->skins[model->skin_count++] = (model_skin){ i, b->material, surface };
        }
    }
    return compile_check_memory(model, err);
}

carom_status compile_list_colliders(carom_model *model, carom_error *err)
{
    carom_status status = CAROM_OK;
    model->colliders = CAROM_ARENA_ARRAY(&model->arena, model_collider, count_touching(model));
    for (int i = 0; model->colliders && i < model->body_count; ++i) {
        for (int k = 0; k < model->bodies[i].shape_count && status == CAROM_OK; ++k) {
            if (touches(model, &model->bodies[i], k)) {
                status = add_collider(model, i, k, err);
            }
        }
    }
    return status == CAROM_OK ? list_skins(model, err) : status;
}

static carom_status make_colliders(carom_model *model, collider_plan *plan, carom_error *err)
{
    carom_index_prepare(&plan->surfaces, (size_t)model->collider_count, &model->arena);
    carom_status memory = compile_check_memory(model, err);
    for (int i = 0; i < model->collider_count && memory == CAROM_OK; ++i) {
        carom_status status = make_collider(model, i, plan, err);
        if (status == CAROM_INTERRUPTED) {
            return status;
        }
        if (status != CAROM_OK) {
            int body = model->colliders[i].body;
            carom_error inner = *err;
            carom_fail(err, status, "body '%.100s': %.300s", model->bodies[body].name, inner.message);
            return model_blame_body(model, body, NULL, status, err);
        }
    }
    return memory;
}

carom_status compile_make_colliders(carom_model *model, const carom_compile_options *options, carom_error *err)
{
    collider_plan plan = { .options = collider_options_default(), .watcher = options };
    model->method->colliders(&plan.options, model->method_options);
    plan.options.threads = carom_processor_count(); /* fields do not depend on it */
    char folder[4096];
    if (plan.options.cache) {
        plan.options.cache = sdf_cache_folder(folder, sizeof folder);
    }
    return make_colliders(model, &plan, err);
}
