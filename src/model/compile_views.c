/* Views: what they name must be there. They change how results are shown and nothing else, so the model's hash knows
 * nothing of them. */
#include "model/compile.h"

#include <stdio.h>
#include <string.h>

#include "base/error_list.h"
#include "model/fields.h"

static carom_status check_bodies(const carom_model *model, const carom_list *names, carom_error *err)
{
    const char *const *name = names->items;
    for (size_t i = 0; i < names->count; ++i) {
        if (strcmp(name[i], "ground") != 0 && carom_model_find_body(model, name[i]) < 0) {
            return carom_fail(err, CAROM_BAD_INPUT, "'hide' names '%.100s', which is no body of the scene", name[i]);
        }
    }
    return CAROM_OK;
}

static bool is_shown(const char *word)
{
    static const char *const words[] = { "contacts", "forces", "joints", "axes", "paths", "grid", "springs" };
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        found = found || strcmp(words[i], word) == 0;
    }
    return found;
}

static carom_status check_shows(const carom_list *words, carom_error *err)
{
    const char *const *word = words->items;
    for (size_t i = 0; i < words->count; ++i) {
        if (!is_shown(word[i])) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "'show' has '%.60s'; it knows contacts, forces, joints, axes, paths, grid, springs",
                              word[i]);
        }
    }
    return CAROM_OK;
}

static carom_status check_plots(carom_model *model, const carom_list *signals, carom_error *err)
{
    signal_ref unused;
    const char *const *name = signals->items;
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < signals->count && status == CAROM_OK; ++i) {
        status = model_find_signal(model, name[i], -1, &unused, err);
    }
    return status;
}

static carom_status check_view(carom_model *model, size_t index, const carom_view_def *view, carom_error *err)
{
    carom_status status = CAROM_OK;
    if (view->follow && !(view->look_at && view->look_at[0])) {
        status = carom_fail(err, CAROM_BAD_INPUT, "'follow' needs a body to follow: give 'look_at'");
    }
    status = status == CAROM_OK ? check_bodies(model, &view->hide, err) : status;
    status = status == CAROM_OK ? check_shows(&view->show, err) : status;
    status = status == CAROM_OK ? check_plots(model, &view->plots, err) : status;
    if (status == CAROM_OK) {
        return status;
    }
    if (model->trouble->follows) { /* of another mistake, which has been told */
        model->trouble->follows = false;
        return status;
    }
    char path[32];
    snprintf(path, sizeof path, "view[%zu]", index);
    return model_blame_setting(model, path, status, err);
}

carom_status compile_views(carom_model *model, carom_error *err)
{
    carom_view_def *views = carom_arena_copy(&model->arena, model->scene.view.items,
                                             model->scene.view.count * sizeof *views);
    for (size_t i = 0; views && i < model->scene.view.count; ++i) {
        fields_copy(&model->arena, carom_view_fields(), &views[i]);
    }
    model->scene.view.items = views;
    carom_status status = compile_check_memory(model, err);
    if (status != CAROM_OK) {
        model->scene.view.count = 0;
    }
    for (size_t i = 0; i < model->scene.view.count && error_goes_on(err, status); ++i) {
        status = error_worse(status, check_view(model, i, &views[i], err));
    }
    return status;
}
