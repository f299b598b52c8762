/* Shared by the files that read a scene. Reading goes in two phases: open every file of the include tree (units,
 * variables, names), then read bodies, joints and forces, so that references can be checked where they are written. */
#ifndef CAROM_SCENE_SCENE_READER_H
#define CAROM_SCENE_SCENE_READER_H

#include <sys/types.h>

#include <carom/scene.h>

#include "base/arena.h"
#include "base/error_list.h"
#include "base/text.h"
#include "files/json_document.h"
#include "model/fields.h"
#include "model/spec.h"

/* One place changed by --set: errors there say so. */
typedef struct scene_override {
    const char *source; /* "bodies.rod.mass=2"  */
    const char *path;   /* "bodies[0].mass": all that it changed or made */
} scene_override;

/* Which file it is, whatever path led to it: finds include cycles. Unknown for text from memory. */
typedef struct scene_identity {
    bool known;
    dev_t device;
    ino_t inode;
} scene_identity;

/* One file of the include tree. */
typedef struct scene_file {
    json_document document;
    scene_identity identity;
    carom_units units;
    json_t *variables;  /* values already known: name -> real                            */
    const char *prefix; /* before every name, all levels together; "" at the root        */
    carom_pose pose;    /* of this file's frame in the world                             */
    spec_names names;   /* of this file and those it includes, without `prefix`          */
    struct scene_file *parent;
    struct scene_file **children;
    size_t child_count;
    const scene_override *overrides; /* root only */
    size_t override_count;
    bool opened;       /* it is of a known version: what it holds can be read */
    bool names_unsure; /* root only: some entry has no name that could be found out, in any file */
} scene_file;

/* The variables being evaluated, innermost first. */
typedef struct scene_visit {
    const struct scene_visit *outer;
    const char *name;
} scene_visit;

/* What every read function gets. A copy with another file or index reads something else. */
typedef struct scene_reader {
    const scene_file *file;
    const spec_names *all_names; /* of the whole scene, with prefixes; NULL while opening files */
    carom_arena *arena;          /* of the definition being read                                */
    carom_error *err;            /* never NULL; its list collects the mistakes (base/error_list.h)  */
    bool in_entry;               /* inside a body, joint or force: names are expanded           */
    bool repeating;
    long index; /* $index, when repeating                                      */
    const scene_visit *visiting;
} scene_reader;

/* ---- errors (scene_error.c) ---------------------------------------------------------------------------------- */

/* Fails at this place: fills file, line and path, and notes the mistake. Loops go on after it (error_goes_on). */
carom_status scene_fail(const scene_reader *r, const json_place *at, const char *fmt, ...) CAROM_PRINTF(3, 4);

/* Adds the place to an error whose message is there already, as is its path inside the definition. */
carom_status scene_fail_inside(const scene_reader *r, const json_place *at, carom_status status);
carom_status scene_no_memory(const scene_reader *r);

/* The --set that changed the value at a path, "time.step=0"; NULL: none did. */
const char *scene_override_of(const scene_file *file, const char *path);

/* "a number", "a text", ... */
const char *scene_json_type(const json_t *json);
carom_status scene_wrong_type(const scene_reader *r, const json_place *at, const json_t *found, const char *wanted);

/* " (did you mean 'x'?)" or "". Returns buffer. */
const char *scene_hint(const char *nearest, char *buffer, size_t size);

/* The hint for a word of another program, if one of the allowed names is what it is called here; NULL: none. */
const char *scene_foreign_hint(const char *word, const char *const *allowed, size_t count, char *buffer, size_t size);

/* ---- numbers and variables (scene_variables.c) --------------------------------------------------------------- */

/* Evaluates all variables of a file; `changes` (or NULL) replaces some of them by numbers. */
carom_status scene_open_variables(scene_reader *r, scene_file *file, const json_t *changes);

/* Replaces each $name by its value. */
carom_status scene_substitute(const scene_reader *r, const json_place *at, const char *text, const char **out);

/* The value of an arithmetic text such as "2*pi*$L". */
carom_status scene_evaluate(const scene_reader *r, const json_place *at, const char *text, double *out);

/* A number, or a text that can be evaluated; in scene units. */
carom_status scene_read_number(const scene_reader *r, const json_place *at, const json_t *json, double *out);

/* ---- names and texts (scene_names.c) ------------------------------------------------------------------------- */

/* Replaces $index, and arithmetic in [...] or {...} that contains a $. */
carom_status scene_expand(const scene_reader *r, const json_place *at, const char *text, const char **out);

/* The full name of entry `json` (a body, joint or force), with index and prefix as they apply. */
carom_status scene_entry_name(const scene_reader *r, const json_place *at, const json_t *json, bool with_prefix,
                              const char **out);

/* The full name a reference means: with this file's prefix where this file defines it. */
const char *scene_resolve(const scene_reader *r, const char *name);

/* Checks that a resolved name belongs to a body ("ground" and "all" included) or joint. */
carom_status scene_check_reference(const scene_reader *r, const json_place *at, const char *name, spec_class which);

/* An expression with the prefix put before every signal of this file. */
const char *scene_resolve_expression(const scene_reader *r, const char *text);

/* ---- units (scene_units.c) ----------------------------------------------------------------------------------- */

carom_status scene_read_units(const scene_reader *r, const json_place *at, const json_t *json, carom_units *out);

/* A quantity that "units" knows. What its units are worth is in expr/units.h. */
typedef struct scene_quantity {
    const char *name;
    const char *const *units; /* names, ended by NULL; the first is that of SI */
    size_t offset;            /* in carom_units */
} scene_quantity;
const scene_quantity *scene_quantities(void); /* ended by name == NULL */

/* "lengths mm, masses kg, times s, angles rad, forces mN" */
void scene_units_text(const carom_units *units, char *out, size_t size);

/* ---- values (scene_values.c, scene_orientation.c) ------------------------------------------------------------- */

carom_status scene_read_real(const scene_reader *r, const json_place *at, const carom_field *field,
                             const json_t *json, double *out);
carom_status scene_read_int(const scene_reader *r, const json_place *at, const carom_field *field, const json_t *json,
                            int *out);
carom_status scene_read_vector(const scene_reader *r, const json_place *at, const carom_field *field,
                               const json_t *json, carom_v3 *out);
carom_status scene_read_direction(const scene_reader *r, const json_place *at, const carom_field *field,
                                  const json_t *json, carom_v3 *out);
carom_status scene_read_orientation(const scene_reader *r, const json_place *at, const json_t *json, carom_quat *out);
carom_status scene_read_reals(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_reals *out);
carom_status scene_read_curve(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_curve *out);
carom_status scene_read_value(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_value *out);

/* ---- texts (scene_texts.c) ----------------------------------------------------------------------------------- */

carom_status scene_read_text(const scene_reader *r, const json_place *at, const json_t *json, const char **out);

/* The path of a file that must exist, relative to the scene file that names it. */
carom_status scene_read_file_name(const scene_reader *r, const json_place *at, const json_t *json, const char **out);
carom_status scene_read_reference(const scene_reader *r, const json_place *at, const json_t *json, spec_class which,
                                  const char **out);
carom_status scene_read_pair(const scene_reader *r, const json_place *at, const json_t *json, const char **out);
carom_status scene_read_texts(const scene_reader *r, const json_place *at, const carom_field *field,
                              const json_t *json, carom_list *out);

/* Whether a list has as many entries (`what`: "numbers") as its field allows. */
carom_status scene_check_count(const scene_reader *r, const json_place *at, const carom_field *field, size_t count,
                               const char *what);
carom_status scene_read_enum(const scene_reader *r, const json_place *at, const carom_field *field,
                             const json_t *json, int *out);

/* ---- objects by field table (scene_fields.c) ------------------------------------------------------------------ */

/* Reads an object into `target`, which holds the defaults. Keys in `beside` (ended by NULL, or NULL) are left to the
 * caller; all others must be in the table. */
carom_status scene_read_object(const scene_reader *r, const json_place *at, const carom_field *fields,
                               const char *const *beside, const json_t *json, void *target);

/* ---- patterns and poses (scene_repeat.c, scene_transform.c, scene_coordinates.c) ------------------------------- */

typedef struct scene_line {
    bool given;
    carom_v3 step; /* [m] */
} scene_line;

typedef struct scene_circle {
    bool given;
    carom_v3 center; /* [m] */
    carom_v3 axis;
    double step;  /* [rad] between neighbours; NAN: from angle                   */
    double angle; /* [rad] divided evenly, the end excluded; a full turn if unset */
} scene_circle;

typedef struct scene_repeat {
    int count;
    scene_line line;
    scene_circle circle;
} scene_repeat;

const carom_field *scene_repeat_fields(void);

/* Reads the "repeat" of an entry; count 1 and *given false when there is none. */
carom_status scene_read_repeat(const scene_reader *r, const json_place *at, const json_t *entry, scene_repeat *out,
                               bool *given);
carom_pose scene_repeat_pose(const scene_repeat *repeat, long index);

carom_pose scene_pose_identity(void);
carom_pose scene_pose_compose(carom_pose outer, carom_pose inner);
carom_status scene_move_body(const scene_reader *r, const json_place *at, carom_pose pose, carom_body_def *def);
carom_status scene_move_joint(const scene_reader *r, const json_place *at, carom_pose pose, carom_joint_def *def);
carom_status scene_move_force(const scene_reader *r, const json_place *at, carom_pose pose, carom_force_def *def);

/* Numbers along a joint coordinate were read as they stand, because their unit depends on the coordinate: to SI. */
carom_status scene_scale_joint(const scene_reader *r, const json_place *at, carom_joint_def *def);
carom_status scene_scale_force(const scene_reader *r, const json_place *at, const carom_spec *spec,
                               carom_force_def *def);

/* ---- files (scene_include.c, scene_override.c) ------------------------------------------------------------------ */

typedef struct scene_include {
    const char *file;
    const char *prefix;
    carom_v3 position;
    carom_quat orientation;
} scene_include;

const carom_field *scene_include_fields(void);

/* The definitions there are so far, over all files: bounds what a hostile scene can ask for. */
typedef struct scene_budget {
    size_t files;
    size_t entries;
    carom_arena *arena; /* lives as long as the files */
} scene_budget;

/* `file` has its document, prefix and pose: opens its units, variables, includes and names. */
carom_status scene_open(scene_file *file, scene_budget *budget, const json_t *changes, carom_error *err);
void scene_close(scene_file *file); /* and all it includes */
scene_identity scene_identify(const char *path);

/* `folder`/`name` unless name is absolute. */
char *scene_join_path(carom_arena *arena, const char *folder, const char *name);

/* Applies "path=value" to the tree and notes where. */
carom_status scene_apply_override(json_t *root, const char *source, carom_arena *arena, scene_override *out,
                                  carom_error *err);

/* ---- entries (scene_entries.c) ------------------------------------------------------------------------------- */

/* The lists of a scene, in the order they are read. */
extern const char *const scene_list_names[3]; /* by spec_class: "bodies", "joints", "forces" */

/* Adds all bodies (or joints, or forces) of a file and of those it includes. */
carom_status scene_read_entries(const scene_file *file, const spec_names *all_names, spec_class which,
                                carom_spec *spec, carom_error *err);

/* The keys of a scene that are no fields of carom_scene_def, ended by NULL. */
extern const char *const scene_root_keys[];

#endif
