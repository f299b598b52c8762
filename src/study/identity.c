/* The identity of a study: its file without the number of runs where that may grow, the text of its scene, the hash of the model
 * that the scene makes as it stands (included files and meshes are part of that), and the version of carom. */
#include "study/identity.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "files/file.h"
#include "files/json_value.h"
#include "model/model.h"

#define NOTE "study.json"

/* ---- making ------------------------------------------------------------------------------------------------------- */

/* The study's tree; names of files do not matter, what they hold does. */
static json_t *study_tree(const carom_study *s)
{
    json_t *tree = json_deep_copy(s->document.root);
    json_t *sampling = json_object_get(tree, "sampling");
    if (sample_extends(s)) {
        json_t *params = json_object_get(sampling, s->def.sampling.kind);
        if (json_is_object(params)) {
            json_object_del(params, "runs");
        } else if (sampling) {
            json_object_set_new(sampling, s->def.sampling.kind, json_object());
        }
    }
    json_object_del(tree, "$schema");
    return tree;
}

/* 0 where the scene as it stands cannot be compiled: only its text speaks for it then. */
static uint64_t model_hash(const carom_study *s)
{
    carom_model *model = NULL;
    uint64_t hash = evaluate_model(s, NULL, &model, NULL) == CAROM_OK ? model->hash : 0;
    carom_model_destroy(model);
    return hash;
}

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the study");
}

carom_status identity_make(carom_study *s, carom_error *err)
{
    char model[24];
    snprintf(model, sizeof model, "%016llx", (unsigned long long)model_hash(s));
    s->identity = json_pack("{s:s, s:o, s:o, s:s}", "version", CAROM_VERSION, "study", study_tree(s), "scene",
                            json_value_text(s->scene_text), "model", model);
    char *text = s->identity ? json_write_text(s->identity, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (!text) {
        return no_memory(err);
    }
    s->hash = carom_hash(CAROM_HASH_START, text, strlen(text));
    free(text);
    return CAROM_OK;
}

/* ---- comparing ---------------------------------------------------------------------------------------------------- */

static void short_text(const json_t *json, char *out, size_t size)
{
    char *text = json ? json_write_text(json, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    snprintf(out, size, "%.60s", text ? text : "nothing");
    free(text);
}

/* The first place where two trees differ, into path (which holds where they are); false: they are equal. */
static bool first_difference(const json_t *a, const json_t *b, char *path, size_t size, const json_t **at_a,
                             const json_t **at_b)
{
    *at_a = a;
    *at_b = b;
    if (!json_is_object(a) || !json_is_object(b)) {
        return !json_equal((json_t *)(uintptr_t)a, (json_t *)(uintptr_t)b);
    }
    for (int side = 0; side < 2; ++side) {
        void *object = (json_t *)(uintptr_t)(side == 0 ? a : b);
        for (void *m = json_object_iter(object); m; m = json_object_iter_next(object, m)) {
            size_t length = strlen(path);
            const char *key = json_object_iter_key(m);
            snprintf(path + length, size - length, "%s%s", length ? "." : "", key);
            if (first_difference(json_object_get(a, key), json_object_get(b, key), path, size, at_a, at_b)) {
                return true;
            }
            path[length] = '\0';
        }
    }
    return false;
}

static int differing_line(const char *a, const char *b)
{
    int line = 1;
    for (; *a && *a == *b; ++a, ++b) {
        line += *a == '\n';
    }
    return line;
}

static carom_status refuse(const char *folder, const char *path, const json_t *there, const json_t *here,
                           carom_error *err)
{
    char a[80];
    char b[80];
    if (strcmp(path, "scene") == 0 && json_is_string(there) && json_is_string(here)) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.200s' holds a study of another scene: they differ from line %d on; take another folder with -o",
            folder, differing_line(json_string_value(there), json_string_value(here)));
    }
    short_text(there, a, sizeof a);
    short_text(here, b, sizeof b);
    const char *what = strcmp(path, "model") == 0 ? "the model (a file that the scene includes, or a mesh)" : path;
    return carom_fail(err, CAROM_BAD_INPUT,
                      "'%.200s' holds another study: %.150s is %s there and %s here; take another folder with -o",
                      folder, what, a, b);
}

/* ---- the note ----------------------------------------------------------------------------------------------------- */

static carom_status read_note(const char *folder, json_t **out, carom_error *err)
{
    char path[FILE_PATH];
    char *text = NULL;
    size_t bytes = 0;
    *out = NULL;
    carom_status status = file_path(path, folder, NOTE, err);
    status = status == CAROM_OK ? file_read_whole(path, (size_t)1 << 30, &text, &bytes, err) : status;
    if (status == CAROM_OK) {
        *out = json_loadb(text, bytes, JSON_DECODE_INT_AS_REAL, NULL);
        free(text);
        status = json_is_object(json_object_get(*out, "identity"))
                     ? CAROM_OK
                     : carom_fail(err, CAROM_BAD_INPUT, "'%.300s' is not the note of a study", path);
    }
    if (status != CAROM_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

static const char *absolute(const char *path, char buffer[PATH_MAX])
{
    char here[PATH_MAX];
    if (path[0] == '/' || !getcwd(here, sizeof here)) {
        return path;
    }
    int length = snprintf(buffer, PATH_MAX, "%s/%s", here, path);
    return length > 0 && length < PATH_MAX ? buffer : path;
}

static carom_status write_note(const carom_study *s, const char *folder, carom_error *err)
{
    char file[PATH_MAX];
    char study[PATH_MAX];
    char scene[PATH_MAX];
    json_t *note = json_pack("{s:I, s:f, s:s, s:s, s:s, s:O, s:O}", "carom-study-folder", (json_int_t)1, "runs",
                             (double)s->run_count, "folder", absolute(s->document.folder, study), "scene_name",
                             absolute(s->scene_name, file), "scene_folder", absolute(s->scene_folder, scene), "study",
                             s->document.root, "identity", s->identity);
    char *text = note ? json_write_text(note, JSON_INDENT(1)) : NULL;
    carom_status status = text ? file_write_whole(folder, NOTE, text, strlen(text), err) : no_memory(err);
    free(text);
    json_decref(note);
    return status;
}

carom_status identity_claim(const carom_study *s, const char *folder, carom_error *err)
{
    char path[FILE_PATH];
    carom_status status = file_make_folder(folder, err);
    status = status == CAROM_OK ? file_path(path, folder, NOTE, err) : status;
    if (status != CAROM_OK || !file_exists(path)) {
        return status == CAROM_OK ? write_note(s, folder, err) : status;
    }
    json_t *note = NULL;
    const json_t *there, *here;
    char place[512] = "";
    status = read_note(folder, &note, err);
    if (status == CAROM_OK &&
        first_difference(json_object_get(note, "identity"), s->identity, place, sizeof place, &there, &here)) {
        status = refuse(folder, place, there, here, err);
    }
    double runs = json_number_value(json_object_get(note, "runs"));
    json_decref(note);
    if (status == CAROM_OK && runs > (double)s->run_count) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.200s' holds this study with %.0f runs already; ask for no fewer with --runs", folder,
                          runs);
    }
    return status == CAROM_OK && runs < (double)s->run_count ? write_note(s, folder, err) : status;
}

carom_status identity_open(carom_study *s, const char *folder, size_t *runs, carom_error *err)
{
    json_t *note = NULL;
    carom_status status = read_note(folder, &note, err);
    if (status != CAROM_OK) {
        return status;
    }
    const char *scene = json_string_value(json_object_get(json_object_get(note, "identity"), "scene"));
    const char *study_folder = json_string_value(json_object_get(note, "folder"));
    char *text = json_write_text(json_object_get(note, "study"), JSON_INDENT(1));
    status = text && scene && study_folder
                 ? json_document_parse(&s->document, text, strlen(text), folder, study_folder, err)
                 : carom_fail(err, CAROM_BAD_INPUT, "'%.300s/" NOTE "' is not complete", folder);
    free(text);
    if (status == CAROM_OK) {
        s->scene_length = strlen(scene);
        s->scene_text = malloc(s->scene_length + 1);
        s->scene_name = carom_arena_text(&s->arena, json_string_value(json_object_get(note, "scene_name")));
        s->scene_folder = carom_arena_text(&s->arena, json_string_value(json_object_get(note, "scene_folder")));
        status = s->scene_text && s->scene_name && s->scene_folder ? CAROM_OK : no_memory(err);
    }
    if (status == CAROM_OK) {
        memcpy(s->scene_text, scene, s->scene_length + 1);
        *runs = (size_t)json_number_value(json_object_get(note, "runs"));
    }
    json_decref(note);
    return status;
}
