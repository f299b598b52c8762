/* Blame: from a body, a joint, an equation or a setting to its place in the scene. */
#include "model/origin.h"

#include <stdio.h>
#include <string.h>

#include "base/error_list.h"
#include "model/model.h"

static void mention_override(const char *override, carom_error *err)
{
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, " (from --set %s)", override);
}

carom_status origin_blame(const spec_origin *origin, const char *inside, carom_status status, carom_error *err)
{
    if (!err) {
        return status;
    }
    if (origin) {
        const char *path = origin->path ? origin->path : "";
        snprintf(err->file, sizeof err->file, "%s", origin->file ? origin->file : "");
        snprintf(err->path, sizeof err->path, "%s%s%s", path, *path && inside ? "." : "", inside ? inside : "");
        err->line = origin->line;
        if (origin->override) {
            mention_override(origin->override, err);
        }
    }
    error_note(err);
    return status;
}

carom_status model_blame_body(const carom_model *model, int body, const char *inside, carom_status status,
                              carom_error *err)
{
    return origin_blame(&model->bodies[body].origin, inside, status, err);
}

carom_status model_blame_joint(const carom_model *model, int joint, const char *inside, carom_status status,
                               carom_error *err)
{
    return origin_blame(&model->joints[joint].origin, inside, status, err);
}

carom_status model_blame_row(const carom_model *model, int row, carom_status status, carom_error *err)
{
    if (row < 0) {
        return status;
    }
    int owner = model_row_owner(model, row);
    return owner < model->joint_count
               ? model_blame_joint(model, owner, NULL, status, err)
               : origin_blame(&model->couplers[owner - model->joint_count].origin, NULL, status, err);
}

/* Whether `path` lies inside `whole` or is it; the length of `whole`, else 0. */
static size_t inside_by(const char *path, const char *whole)
{
    size_t n = strlen(whole);
    bool inside = strncmp(path, whole, n) == 0 && (path[n] == '\0' || path[n] == '.' || path[n] == '[');
    return inside ? n : 0;
}

const spec_origin *model_setting_origin(const carom_model *model, const char *path)
{
    const spec_origin *best = model->scene_origin.file ? &model->scene_origin : NULL;
    size_t longest = 0;
    for (size_t i = 0; i < model->setting_count; ++i) {
        const char *noted = model->settings[i].path;
        size_t length = noted ? inside_by(path, noted) : 0;
        if (length > longest) {
            longest = length;
            best = &model->settings[i];
        }
    }
    return best;
}

carom_status model_blame_setting(const carom_model *model, const char *path, carom_status status, carom_error *err)
{
    const spec_origin *nearest = model_setting_origin(model, path);
    spec_origin origin = nearest ? *nearest : (spec_origin){ 0 };
    bool exact = origin.path && strcmp(origin.path, path) == 0;
    origin.override = exact ? origin.override : NULL;
    origin.path = path;
    return origin_blame(&origin, NULL, status, err);
}
