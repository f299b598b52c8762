/* One binary glTF file that plays in any glTF viewer.
 *
 * The root node turns what is up in the scene into glTF's y. Below it there is a node per body, with a child per shape;
 * shapes with the same surface and colour share a mesh. Each body that may move (its role is not "fixed") has exactly
 * two channels of the one animation, for translation and rotation, linear between frames. Times are single precision
 * from the first frame on: a frame that is not later than the one before in this precision is left out.
 *
 * A body that deforms is drawn by the surface of its finite elements, a child of its node with morph targets and a third channel for their
 * weights. It has no normals: viewers then light triangles as they lie, deformed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "export/export.h"
#include "export/geometry.h"
#include "export/gltf.h"
#include "export/morph.h"
#include "files/utf8.h"
#include "geometry/crease.h"
#include "mesh_files/mesh_text.h"

static const double CREASE = 35.0 * 3.14159265358979323846 / 180.0; /* [rad] */

enum { NOT_YET = -1, NOTHING = -2 };
enum {
    MOST_NODES = 6000,
    FEWEST_NODES = 300
}; /* of all bodies that deform; of one of them, however many there are */

typedef struct glb_surface { /* its accessors */
    int position;            /* or NOT_YET; NOTHING: no triangles */
    int normal;
    int indices;
    int mesh; /* the last one made of it; NOTHING: none yet */
} glb_surface;

typedef struct glb_mesh {
    int material;
    int before; /* the one made of the same surface before; NOTHING: none */
} glb_mesh;

typedef struct glb_work {
    const export_job *job;
    carom_arena arena;
    export_geometry geometry;
    gltf_document document;
    size_t own_surfaces; /* those of the result; squares of planes follow */
    glb_surface *surfaces;
    glb_mesh *meshes;      /* as many as the document has */
    carom_names materials; /* their numbers by what they are, as text */
    size_t key_count;      /* frames of the animation */
    size_t *keys;
    float *values;     /* room for the numbers of a channel */
    int time;          /* accessor, or NOT_YET */
    size_t most_nodes; /* of a body that deforms */
    json_t *children;  /* of the root */
} glb_work;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for an export to glb");
}

/* ---- meshes --------------------------------------------------------------------------------------------------------- */

/* glTF counts light, screens count sRGB (IEC 61966-2-1). */
static double linear_of(double srgb)
{
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

static int material_of(glb_work *w, carom_id body, bool two_sided)
{
    double colour[3];
    export_colour(w->job->result, body, colour);
    const char *key = carom_arena_printf(&w->arena, "%a %a %a %d", colour[0], colour[1], colour[2], two_sided);
    int known = key ? carom_names_find(&w->materials, key) : -1;
    if (known >= 0) {
        return known;
    }
    double factor[4] = { linear_of(colour[0]), linear_of(colour[1]), linear_of(colour[2]), 1.0 };
    json_t *material = json_pack("{s:{s:o,s:i,s:f}}", "pbrMetallicRoughness", "baseColorFactor",
                                 gltf_numbers(factor, 4), "metallicFactor", 0, "roughnessFactor", 0.6);
    if (two_sided) {
        gltf_set(&w->document, material, "doubleSided", json_true());
    }
    int number = gltf_add(&w->document, &w->document.materials, material);
    if (key) { /* else the arena has failed, and the export with it */
        carom_names_add(&w->materials, key, number);
    }
    return number;
}

static carom_status put_surface(glb_work *w, int surface, carom_error *err)
{
    carom_arena scratch = { 0 };
    crease_surface lit;
    glb_surface *out = &w->surfaces[surface];
    bool ok = crease_split(&w->geometry.surfaces[surface], cos(CREASE), &scratch, &lit);
    if (ok && lit.triangle_count == 0) {
        out->position = NOTHING;
    } else if (ok) {
        gltf_document *d = &w->document;
        out->position = gltf_floats(d, lit.positions, lit.vertex_count, GLTF_VEC3, GLTF_OF_VERTICES, true);
        out->normal = gltf_floats(d, lit.normals, lit.vertex_count, GLTF_VEC3, GLTF_OF_VERTICES, false);
        out->indices = gltf_indices(d, lit.triangles, 3 * lit.triangle_count);
    }
    carom_arena_free(&scratch);
    return ok ? CAROM_OK : no_memory(err);
}

/* Number of the mesh of a shape, or NOTHING. */
static carom_status mesh_of(glb_work *w, const carom_result_shape *shape, int *mesh, carom_error *err)
{
    glb_surface *surface = &w->surfaces[shape->surface];
    carom_status status = surface->position == NOT_YET ? put_surface(w, shape->surface, err) : CAROM_OK;
    *mesh = NOTHING;
    if (status != CAROM_OK || surface->position == NOTHING) {
        return status;
    }
    int material = material_of(w, shape->body, (size_t)shape->surface >= w->own_surfaces);
    for (*mesh = surface->mesh; *mesh != NOTHING; *mesh = w->meshes[*mesh].before) {
        if (w->meshes[*mesh].material == material) {
            return CAROM_OK;
        }
    }
    *mesh = w->document.meshes.count;
    w->meshes[*mesh] = (glb_mesh){ .material = material, .before = surface->mesh };
    surface->mesh = *mesh;
    json_t *made = json_pack("{s:[{s:{s:i,s:i},s:i,s:i}]}", "primitives", "attributes", "POSITION", surface->position,
                             "NORMAL", surface->normal, "indices", surface->indices, "material", material);
    gltf_add(&w->document, &w->document.meshes, made);
    return CAROM_OK;
}

/* ---- nodes ---------------------------------------------------------------------------------------------------------- */

static json_t *rotation(quat q)
{
    return gltf_numbers((double[]){ q.x, q.y, q.z, q.w }, 4);
}

/* Viewers show what is no UTF-8 as such, so the replacement character stands for it. */
static json_t *name_value(const char *name)
{
    carom_text text = { 0 };
    export_utf8_add(&text, name);
    json_t *value = text.failed ? NULL : json_string(text.data ? text.data : "");
    carom_text_free(&text);
    return value;
}

static json_t *node_at(const char *name, carom_pose pose)
{
    v3 r = pose.position;
    json_t *translation = gltf_numbers((double[]){ r.x, r.y, r.z }, 3);
    return json_pack("{s:o,s:o,s:o}", "name", name_value(name), "translation", translation, "rotation",
                     rotation(pose.orientation));
}

static carom_status put_shape(glb_work *w, const carom_result_shape *shape, carom_error *err)
{
    carom_pose pose = shape->pose_b;
    int mesh = NOTHING;
    carom_status status = mesh_of(w, shape, &mesh, err);
    if (!export_pose_mend(&pose)) {
        pose = (carom_pose){ .orientation.w = 1.0 };
    }
    json_t *node = node_at(shape->kind, pose);
    if (mesh >= 0) {
        gltf_set(&w->document, node, "mesh", json_integer(mesh));
    }
    gltf_add(&w->document, &w->document.nodes, node);
    return status;
}

/* Numbers of the nodes behind `node`. */
static json_t *next_nodes(gltf_document *d, int node, size_t count)
{
    json_t *numbers = json_array();
    for (size_t k = 1; k <= count; ++k) {
        gltf_append(d, numbers, json_integer(node + (json_int_t)k));
    }
    return numbers;
}

/* ---- bodies that deform ------------------------------------------------------------------------------------------- */

static bool is_flexible(const glb_work *w, carom_id body)
{
    return body != CAROM_GROUND && carom_result_node_count(w->job->result, body) > 0;
}

static json_t *put_targets(glb_work *w, const morph_mesh *m)
{
    json_t *targets = json_array();
    for (size_t t = 0; t < m->target_count; ++t) {
        int moved = gltf_floats(&w->document, m->targets + 3 * m->vertex_count * t, m->vertex_count, GLTF_VEC3,
                                GLTF_OF_VERTICES, true);
        gltf_append(&w->document, targets, json_pack("{s:i}", "POSITION", moved));
    }
    return targets;
}

static int put_morph_mesh(glb_work *w, carom_id body, const morph_mesh *m)
{
    gltf_document *d = &w->document;
    int position = gltf_floats(d, m->positions, m->vertex_count, GLTF_VEC3, GLTF_OF_VERTICES, true);
    int indices = gltf_indices(d, m->triangles, 3 * m->triangle_count);
    json_t *primitive = json_pack("{s:{s:i},s:i,s:i}", "attributes", "POSITION", position, "indices", indices,
                                  "material", material_of(w, body, true));
    json_t *mesh = json_object();
    if (m->target_count > 0) {
        double weights[64] = { 0.0 };
        for (size_t t = 0; t < m->target_count; ++t) {
            weights[t] = (double)m->weights[t];
        }
        gltf_set(d, primitive, "targets", put_targets(w, m));
        gltf_set(d, mesh, "weights", gltf_numbers(weights, (int)m->target_count));
    }
    gltf_set(d, mesh, "primitives", json_pack("[o]", primitive));
    return gltf_add(d, &d->meshes, mesh);
}

static void animate_weights(glb_work *w, int node, const morph_mesh *m)
{
    gltf_document *d = &w->document;
    if (w->key_count < 2 || m->target_count == 0) {
        return;
    }
    int output = gltf_floats(d, m->weights, w->key_count * m->target_count, GLTF_SCALAR, GLTF_OF_ANIMATION, false);
    int sampler = gltf_add(d, &d->samplers,
                           json_pack("{s:i,s:i,s:s}", "input", w->time, "output", output, "interpolation", "LINEAR"));
    gltf_add(d, &d->channels,
             json_pack("{s:i,s:{s:i,s:s}}", "sampler", sampler, "target", "node", node, "path", "weights"));
}

static carom_status put_deforming(glb_work *w, carom_id body, carom_error *err)
{
    morph_mesh m;
    const morph_request request = { .result = w->job->result,
                                    .body = body,
                                    .frames = w->keys,
                                    .frame_count = w->key_count,
                                    .most_nodes = w->most_nodes,
                                    .factor = w->job->exaggeration };
    carom_status status = morph_make(&m, &request, err);
    json_t *node = json_pack("{s:s}", "name", "finite elements");
    if (status == CAROM_OK && m.triangle_count > 0) {
        gltf_set(&w->document, node, "mesh", json_integer(put_morph_mesh(w, body, &m)));
    }
    int number = gltf_add(&w->document, &w->document.nodes, node);
    if (status == CAROM_OK && m.triangle_count > 0) {
        animate_weights(w, number, &m);
        w->job->report->deformation_off = fmax(w->job->report->deformation_off, m.off);
    }
    morph_free(&m);
    return status;
}

/* Nodes of surfaces are shared out among the bodies that deform. */
static void share_nodes(glb_work *w)
{
    size_t bodies = 0;
    for (carom_id b = 1; b < w->geometry.body_count; ++b) {
        bodies += is_flexible(w, b);
    }
    w->job->report->without_shapes = w->job->report->without_shapes && bodies == 0;
    w->most_nodes = bodies > 0 ? MOST_NODES / bodies : 0;
    w->most_nodes = w->most_nodes < FEWEST_NODES ? FEWEST_NODES : w->most_nodes;
}

/* The node, then those of its shapes, or that of its finite elements. */
static carom_status put_body(glb_work *w, carom_id body, int *node, carom_error *err)
{
    const export_geometry *g = &w->geometry;
    gltf_document *d = &w->document;
    carom_pose pose = { .orientation.w = 1.0 };
    size_t held = 0;
    bool flexible = is_flexible(w, body);
    size_t shapes = flexible ? 1 : g->first[body + 1] - g->first[body];
    carom_status status = export_next_pose(w->job->result, body, w->job->frames.first, &pose, &held, err);
    json_t *object = node_at(carom_result_body_name(w->job->result, body), pose);
    if (shapes > 0) {
        gltf_set(d, object, "children", next_nodes(d, d->nodes.count, shapes));
    }
    *node = gltf_add(d, &d->nodes, object);
    for (size_t i = g->first[body]; i < g->first[body + 1] && status == CAROM_OK && !flexible; ++i) {
        status = put_shape(w, &g->shapes[i], err);
    }
    status = status == CAROM_OK && flexible ? put_deforming(w, body, err) : status;
    gltf_append(d, w->children, json_integer(*node));
    return status;
}

/* ---- animation ------------------------------------------------------------------------------------------------------ */

/* Frames that follow each other in single precision, and their times as an accessor. One frame makes no animation. */
static void put_times(glb_work *w)
{
    const double *time = carom_result_time(w->job->result);
    double start = time[w->job->frames.first];
    for (size_t k = 0; k < w->job->frames.count; ++k) {
        size_t frame = export_frame(w->job->frames, k);
        double since = time[frame] - start;
        if (!(since >= 0.0 && since < 1e38)) {
            continue;
        }
        float t = (float)since;
        if (w->key_count == 0 || t > w->values[w->key_count - 1]) {
            w->values[w->key_count] = t;
            w->keys[w->key_count++] = frame;
        }
    }
    if (w->key_count > 1) {
        w->time = gltf_floats(&w->document, w->values, w->key_count, GLTF_SCALAR, GLTF_OF_ANIMATION, true);
    }
}

static void put_channel(glb_work *w, int node, gltf_shape shape, const char *path)
{
    gltf_document *d = &w->document;
    int output = gltf_floats(d, w->values, w->key_count, shape, GLTF_OF_ANIMATION, false);
    int sampler = gltf_add(d, &d->samplers,
                           json_pack("{s:i,s:i,s:s}", "input", w->time, "output", output, "interpolation", "LINEAR"));
    gltf_add(d, &d->channels,
             json_pack("{s:i,s:{s:i,s:s}}", "sampler", sampler, "target", "node", node, "path", path));
}

static void put_translation(float *out, carom_pose pose)
{
    out[0] = (float)pose.position.x;
    out[1] = (float)pose.position.y;
    out[2] = (float)pose.position.z;
}

/* Of the two quaternions of an orientation, the one nearer to the last: so interpolation takes the short way. */
static void put_rotation(float *out, carom_pose pose, quat *last)
{
    quat q = pose.orientation;
    double cosine = q.w * last->w + q.x * last->x + q.y * last->y + q.z * last->z;
    double sign = cosine < 0.0 ? -1.0 : 1.0;
    *last = (quat){ sign * q.w, sign * q.x, sign * q.y, sign * q.z };
    out[0] = (float)last->x;
    out[1] = (float)last->y;
    out[2] = (float)last->z;
    out[3] = (float)last->w;
}

static carom_status animate(glb_work *w, carom_id body, int node, carom_error *err)
{
    carom_status status = CAROM_OK;
    carom_pose pose = { .orientation.w = 1.0 };
    for (size_t k = 0; k < w->key_count && status == CAROM_OK; ++k) {
        status = export_next_pose(w->job->result, body, w->keys[k], &pose, &w->job->report->poses_held, err);
        put_translation(w->values + 3 * k, pose);
    }
    if (status != CAROM_OK) {
        return status;
    }
    put_channel(w, node, GLTF_VEC3, "translation");
    quat last = q_identity();
    size_t held = 0; /* counted above */
    pose = (carom_pose){ .orientation.w = 1.0 };
    for (size_t k = 0; k < w->key_count && status == CAROM_OK; ++k) {
        status = export_next_pose(w->job->result, body, w->keys[k], &pose, &held, err);
        put_rotation(w->values + 4 * k, pose, &last);
    }
    put_channel(w, node, GLTF_VEC4, "rotation");
    return status;
}

static bool may_move(const carom_result *result, carom_id body)
{
    return strcmp(carom_result_body_info(result, body).role, "fixed") != 0;
}

/* ---- the file ------------------------------------------------------------------------------------------------------- */

/* Up is against gravity, along the nearest axis; z where the scene does not say. Its text may hold comments and
 * expressions, so it is searched, not parsed: the page of a result does the same. */
static v3 up_of(const char *scene)
{
    double g[3] = { 0.0, 0.0, 0.0 };
    bool numbers = true;
    const char *at = scene ? strstr(scene, "\"gravity\"") : NULL;
    at = at ? at + strlen("\"gravity\"") : "";
    at += strspn(at, " \t\r\n:");
    for (int k = 0; k < 3 && (k == 0 ? *at == '[' : *at == ','); ++k) {
        at += 1 + strspn(at + 1, " \t\r\n");
        size_t length = strcspn(at, " \t\r\n,]");
        numbers = numbers && length < 64 && mesh_word_number((mesh_word){ at, (int)length }, &g[k]);
        at += length + strspn(at + length, " \t\r\n");
    }
    bool known = numbers && *at == ']' && v3_finite(v3_load(g)) && v3_norm2(v3_load(g)) > 0.0;
    int axis = fabs(g[0]) > fabs(g[1]) ? 0 : 1;
    axis = !known || fabs(g[2]) >= fabs(g[axis]) ? 2 : axis;
    double up[3] = { 0.0, 0.0, 0.0 };
    up[axis] = known && g[axis] > 0.0 ? -1.0 : 1.0;
    return v3_load(up);
}

/* The turn that takes `up`, an axis or its opposite, to y: about z or x, by a quarter or by half. */
static quat turn_to_y(v3 up)
{
    const double angle = 0.5 * 3.14159265358979323846;
    if (up.x != 0.0) {
        return q_axis_angle(v3_make(0, 0, 1), up.x * angle);
    }
    return q_axis_angle(v3_make(1, 0, 0), up.z != 0.0 ? -up.z * angle : up.y > 0.0 ? 0.0 : 2.0 * angle);
}

/* The root is the first node; its children are known when all others are there. */
static void put_root(glb_work *w)
{
    const char *title = carom_result_text(w->job->result, "name");
    quat q = turn_to_y(up_of(carom_result_scene(w->job->result)));
    json_t *name = name_value(title && title[0] ? title : "carom");
    w->children = json_array();
    gltf_add(&w->document, &w->document.nodes, json_pack("{s:o,s:o}", "name", name, "rotation", rotation(q)));
}

static bool make_room(glb_work *w)
{
    const export_geometry *g = &w->geometry;
    w->surfaces = CAROM_ARENA_ARRAY(&w->arena, glb_surface, g->surface_count + 1);
    w->meshes = CAROM_ARENA_ARRAY(&w->arena, glb_mesh, g->shape_count + 1);
    carom_names_prepare(&w->materials, g->shape_count + 1, &w->arena);
    w->keys = CAROM_ARENA_ARRAY(&w->arena, size_t, w->job->frames.count);
    w->values = CAROM_ARENA_ARRAY(&w->arena, float, 4 * w->job->frames.count);
    for (size_t i = 0; i < g->surface_count && w->surfaces; ++i) {
        w->surfaces[i] = (glb_surface){ .position = NOT_YET, .mesh = NOTHING };
    }
    return !w->arena.failed;
}

static carom_status put_all(glb_work *w, carom_error *err)
{
    const export_geometry *g = &w->geometry;
    carom_status status = CAROM_OK;
    put_root(w);
    put_times(w);
    share_nodes(w);
    for (carom_id b = CAROM_GROUND; b < g->body_count && status == CAROM_OK && !w->document.too_large; ++b) {
        int node = 0;
        if (b == CAROM_GROUND && g->first[0] == g->first[1]) {
            continue; /* a ground without shapes is not drawn */
        }
        status = put_body(w, b, &node, err);
        if (status == CAROM_OK && w->key_count > 1 && may_move(w->job->result, b)) {
            status = animate(w, b, node, err);
        }
    }
    return status == CAROM_OK && w->arena.failed ? no_memory(err) : status;
}

static carom_status finish(glb_work *w, carom_error *err)
{
    gltf_document *d = &w->document;
    if (json_array_size(w->children) > 0) {
        gltf_set(d, json_array_get(d->nodes.items, 0), "children", json_incref(w->children));
    }
    return gltf_write(d, w->job->path, w->job->report, err);
}

static carom_status glb_write(const export_job *job, carom_error *err)
{
    glb_work w = { .job = job, .time = NOT_YET, .own_surfaces = carom_result_surface_count(job->result) };
    carom_status status = export_geometry_build(&w.geometry, job, err);
    if (status == CAROM_OK && !make_room(&w)) {
        status = no_memory(err);
    }
    status = status == CAROM_OK ? put_all(&w, err) : status;
    status = status == CAROM_OK ? finish(&w, err) : status;
    gltf_free(&w.document);
    json_decref(w.children);
    export_geometry_free(&w.geometry);
    carom_arena_free(&w.arena);
    return status;
}

const export_writer export_glb = {
    .format = { .name = "glb", .extension = ".glb", .doc = "one animated scene for any glTF viewer" },
    .write = glb_write,
};
