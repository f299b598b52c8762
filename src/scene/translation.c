#include "scene/translation.h"

#include <string.h>

#include "base/array.h"

static const scene_format *const formats[] = { &rigid_ipc_format, &urdf_format, &mjcf_format };

const scene_format *scene_format_of(const json_document *document)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        if (formats[i]->recognised(document)) {
            return formats[i];
        }
    }
    return NULL;
}

bool translation_begin(translation *t)
{
    t->bodies = json_array();
    t->joints = json_array();
    t->forces = json_array();
    t->lines = json_object();
    return t->bodies && t->joints && t->forces && t->lines;
}

void translation_free(translation *t)
{
    json_decref(t->bodies);
    json_decref(t->joints);
    json_decref(t->forces);
    json_decref(t->lines);
}

static void set_list(translation *t, json_t *root, const char *key, json_t *list)
{
    if (json_array_size(list) > 0) {
        translation_set(t, root, key, json_incref(list));
    }
}

carom_status translation_finish(translation *t, json_document *document, json_t *root)
{
    translation_set(t, root, "bodies", json_incref(t->bodies));
    set_list(t, root, "joints", t->joints);
    set_list(t, root, "forces", t->forces);
    if (t->out_of_memory) {
        json_decref(root);
        return scene_no_memory(t->r);
    }
    json_decref(document->root);
    document->root = root;
    document->lines = json_incref(t->lines);
    return CAROM_OK;
}

/* ---- remarks ------------------------------------------------------------------------------------------------------------- */

static bool is_told(const scene_remarks *remarks, const char *text)
{
    bool found = false;
    for (size_t i = 0; i < remarks->count && !found; ++i) {
        found = strcmp(remarks->items[i].text, text) == 0;
    }
    return found;
}

void translation_remark(translation *t, remark_kind kind, int line, const char *path, const char *text)
{
    enum { MOST = 1000 }; /* beyond these nobody reads on */
    scene_remarks *all = t->remarks;
    if (all->count >= MOST || (kind != REMARK_TOLD && is_told(all, text))) {
        return;
    }
    if (!CAROM_ARRAY_RESERVE(all->items, all->capacity, all->count + 1)) {
        t->out_of_memory = true;
        return;
    }
    scene_remark remark = { .kind = kind,
                            .line = line,
                            .path = carom_arena_text(t->r->arena, path),
                            .text = carom_arena_text(t->r->arena, text) };
    t->out_of_memory = t->out_of_memory || !remark.path || !remark.text;
    all->items[all->count] = remark;
    all->count += remark.path && remark.text;
}

/* ---- writing ----------------------------------------------------------------------------------------------------------------- */

json_t *translation_vector(v3 r)
{
    return json_pack("[fff]", r.x, r.y, r.z);
}

json_t *translation_turn(quat q)
{
    return json_pack("[ffff]", q.w, q.x, q.y, q.z);
}

quat q_about_fixed_axes(v3 angles)
{
    quat x = q_axis_angle(v3_make(1.0, 0.0, 0.0), angles.x);
    quat y = q_axis_angle(v3_make(0.0, 1.0, 0.0), angles.y);
    quat z = q_axis_angle(v3_make(0.0, 0.0, 1.0), angles.z);
    return q_unit(q_mul(z, q_mul(y, x)));
}

json_t *translation_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    return json_stringn(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

void translation_set(translation *t, json_t *object, const char *key, json_t *value)
{
    t->out_of_memory = json_object_set_new(object, key, value) != 0 || t->out_of_memory;
}

void translation_append(translation *t, json_t *list, json_t *value)
{
    t->out_of_memory = json_array_append_new(list, value) != 0 || t->out_of_memory;
}

void translation_add(translation *t, json_t *list, const char *key, json_t *definition, int line)
{
    json_t *lines = json_object_get(t->lines, key);
    if (!lines) {
        translation_set(t, t->lines, key, json_array());
        lines = json_object_get(t->lines, key);
    }
    translation_append(t, list, definition);
    translation_append(t, lines, json_integer(line));
}

void translation_note_line(translation *t, const char *key, int line)
{
    translation_set(t, t->lines, key, json_integer(line));
}
