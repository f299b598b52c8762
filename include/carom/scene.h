/* Scenes in: files and texts become a spec.
 *
 * Threads: scenes may be read by any number of threads. */
#ifndef CAROM_SCENE_H
#define CAROM_SCENE_H

#include <carom/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a scene file (JSON with comments, includes, variables, patterns). Each override is "path=value", e.g.
 * "bodies.rod.mass=2" or "variables.L=0.5"; value is JSON, or text where it is not. overrides may be NULL where there are
 * none. *out is NULL on failure. */
CAROM_API carom_status carom_scene_load(const char *file, const char *const *overrides, size_t override_count,
                                        carom_spec **out, carom_error *err);

/* The same from memory; `name` (or NULL) stands for the file in messages, includes are sought relative to `folder` (or NULL:
 * the working folder). */
CAROM_API carom_status carom_scene_parse(const char *text, size_t length, const char *name, const char *folder,
                                         const char *const *overrides, size_t override_count, carom_spec **out,
                                         carom_error *err);

/* A scene of another format (URDF, MJCF, rigid-ipc) as a carom scene: the text of it, which names files relative to to_folder (or NULL: the
 * working folder). The other arguments are those of carom_scene_parse; overrides may change the scene in both formats. Refuses a
 * scene that is carom's already. Free *out with carom_text_destroy; NULL on failure. */
CAROM_API carom_status carom_scene_import(const char *text, size_t length, const char *name, const char *folder,
                                          const char *const *overrides, size_t override_count, const char *to_folder,
                                          char **out, carom_error *err);

/* JSON Schema of the scene format, and its reference as Markdown; free with carom_text_destroy, which takes NULL. NULL when
 * memory runs out. */
CAROM_API char *carom_scene_schema(void);
CAROM_API char *carom_scene_reference(void);

#ifdef __cplusplus
}
#endif
#endif
