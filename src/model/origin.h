/* Where the parts of a model come from, so that whoever refuses one can name file, line and place: compilation, methods,
 * assembly, runs. */
#ifndef CAROM_MODEL_ORIGIN_H
#define CAROM_MODEL_ORIGIN_H

#include <carom/model.h>

/* Where a scene reader found a definition or a setting. All empty for what a program has made. */
typedef struct spec_origin {
    const char *file;     /* or NULL */
    int line;             /* or 0 */
    const char *path;     /* or NULL */
    const char *override; /* the --set that brought the value, or NULL */
} spec_origin;

/* Each adds file, line and path to an error whose message is there already, notes it in the error's list where there is
 * one (base/error_list.h), and returns status. `inside` is the place within the definition ("limits"), or NULL. err may
 * be NULL. */
carom_status origin_blame(const spec_origin *origin, const char *inside, carom_status status, carom_error *err);
carom_status model_blame_body(const carom_model *model, int body, const char *inside, carom_status status,
                              carom_error *err);
carom_status model_blame_joint(const carom_model *model, int joint, const char *inside, carom_status status,
                               carom_error *err);

/* The joint, driver or gear that a row of the constraints belongs to; row -1: nobody. */
carom_status model_blame_row(const carom_model *model, int row, carom_status status, carom_error *err);

/* A setting, e.g. "time.step": its own line, else that of what it would stand in. */
carom_status model_blame_setting(const carom_model *model, const char *path, carom_status status, carom_error *err);

/* The origin noted for the setting, else for the nearest that contains it; NULL: none. */
const spec_origin *model_setting_origin(const carom_model *model, const char *path);

#endif
