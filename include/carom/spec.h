/* The editable description of a scene: definitions by name, run settings, contact method. Compiled into a model.
 *
 * Threads: a spec is used by one thread at a time; several may read one that nobody changes, and compile it. */
#ifndef CAROM_SPEC_H
#define CAROM_SPEC_H

#include <carom/elements.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_spec carom_spec;

typedef enum carom_preset { CAROM_FAST, CAROM_BALANCED, CAROM_ACCURATE } carom_preset;

typedef struct carom_time_def {
    double end;              /* [s] */
    carom_choice integrator; /* kind NULL: chosen by the preset */
    carom_preset preset;     /* sets step and tolerances the integrator does not give */
    double step;             /* [s] fixed step, or the largest where the integrator adapts; 0: the preset's */
    double tolerance;        /* relative local error of adaptive integrators; 0: the preset's */
} carom_time_def;

typedef struct carom_record_def {
    double every;        /* [s] between recorded frames; 0: end/1000 */
    double fields_every; /* [s] between frames that hold where nodes of bodies in nodal coordinates are; 0: all do */
    carom_list signals;  /* of const char *: columns of the signals table */
} carom_record_def;

/* A number that is set from outside between steps, and that expressions know as "input.NAME". */
typedef struct carom_input_def {
    const char *name; /* letters, digits and _, not a digit first */
    double start;     /* in `unit` */
    const char *unit; /* "N", "kN", "N*m", "m/s^2", "deg"; NULL or "": none */
} carom_input_def;

/* A number that is integrated along with the motion, and that expressions know as "state.NAME": for controls, filters, wear. */
typedef struct carom_integral_def {
    const char *name; /* letters, digits and _, not a digit first */
    carom_value
        rate; /* its change per second: an expression of t, inputs, states and what positions and velocities tell */
    double start;     /* in `unit` */
    const char *unit; /* "N", "mm", "m*s"; NULL or "": none */
    double
        size; /* in `unit`: errors count relative to its value, or to this where that is larger; 0: 1 of its unit */
} carom_integral_def;

/* Something that may happen in a run: a condition on signals, and what follows from it. Expressions know how often it has happened
 * so far as "event.NAME". */
typedef struct carom_event_def {
    const char *name;    /* letters, digits and _, not a digit first */
    carom_value when;    /* an expression of signals; the condition holds where it is not 0 */
    double hold;         /* [s] for so long without a break, then it happens */
    carom_choice action; /* "mark" (or kind NULL), "stop", "set" with carom_set_def */
} carom_event_def;

/* What the action "set" does. */
typedef struct carom_set_def {
    const char *input; /* of the scene */
    double to;         /* in the input's own unit */
} carom_set_def;

CAROM_API const carom_kind *const *carom_event_actions(void);

/* How to look at a result of the scene: pages open on the first of its views. */
typedef struct carom_view_def {
    const char *name;    /* on its button; NULL: its number */
    const char *look_at; /* body in the middle of the picture; NULL or "": everything that moves */
    carom_v3 from; /* [m] where the camera is, seen from there, world axes; (0, 0, 0): so that it fills the picture */
    bool follow;   /* the camera goes along with `look_at` */
    bool play;     /* time runs when the page opens */
    double at;     /* [s] where time begins */
    double speed;  /* simulated seconds per second; 0: the page chooses */
    carom_list hide; /* of const char *: names of bodies that are not drawn */
    carom_list
        show; /* of const char *: "contacts", "forces", "joints", "axes", "paths", "grid", "springs"; all others are off.
                            Empty: as the page chooses */
    carom_list plots; /* of const char *: signals that are plotted */
} carom_view_def;

CAROM_API const carom_field *carom_view_fields(void);

/* Settings of the whole scene. */
typedef enum carom_scene_initial { CAROM_INITIAL_DRAWN, CAROM_INITIAL_STATIC } carom_scene_initial;

typedef struct carom_scene_def {
    const char *name;
    const char *description;
    carom_v3 gravity; /* [m/s^2] uniform field; (0, 0, 0) by default */
    carom_time_def time;
    carom_record_def record;
    carom_contact_def contact;
    carom_list inputs;           /* of carom_input_def */
    carom_list states;           /* of carom_integral_def */
    carom_list events;           /* of carom_event_def */
    carom_list materials;        /* of carom_material_def */
    carom_scene_initial initial; /* as drawn, or where everything rests under its loads */
    carom_list view;             /* of carom_view_def: pages open on the first */
} carom_scene_def;

CAROM_API carom_scene_def carom_scene_def_default(void);
CAROM_API const carom_field *carom_scene_fields(void);

CAROM_API carom_spec *carom_spec_create(void);       /* NULL when memory runs out */
CAROM_API void carom_spec_destroy(carom_spec *spec); /* NULL: nothing */

/* Each copies its definition, strings and all. Names must be unique among bodies, joints and forces together, not
 * empty, and not "ground". When a definition is refused, `path` in the error is the place inside it: "shapes[0].box.size". */
CAROM_API carom_status carom_spec_set_scene(carom_spec *spec, const carom_scene_def *def, carom_error *err);
CAROM_API carom_status carom_spec_add_body(carom_spec *spec, const carom_body_def *def, carom_error *err);
CAROM_API carom_status carom_spec_add_joint(carom_spec *spec, const carom_joint_def *def, carom_error *err);
CAROM_API carom_status carom_spec_add_force(carom_spec *spec, const carom_force_def *def, carom_error *err);

/* Where the definition added last came from, so that errors found at compile name the line: file (or NULL), line (0 or
 * less: unknown), path in the scene (or NULL). Nothing happens before the first definition or where spec is NULL. */
CAROM_API void carom_spec_note_origin(carom_spec *spec, const char *file, int line, const char *path);

/* The line of a setting ("time.step", "contact.pairs[0]") in the file that the scene's settings came from; after their
 * origin has been noted. */
CAROM_API void carom_spec_note_setting(carom_spec *spec, const char *path, int line);

/* What became of what in a scene of another format, a sentence each, until the spec is destroyed. None for carom's own format.
 * spec may be NULL; out NULL: only their number. */
CAROM_API size_t carom_spec_remarks(const carom_spec *spec, const char *const **out);

/* The units of the scene file it was read from: "lengths mm, masses kg, times s, angles rad, forces N"; "" where it came from none. */
CAROM_API const char *carom_spec_units(const carom_spec *spec);

/* What the spec holds, until it is destroyed; NULL for an index out of range. */
CAROM_API const carom_scene_def *carom_spec_scene(const carom_spec *spec);
CAROM_API size_t carom_spec_body_count(const carom_spec *spec);
CAROM_API size_t carom_spec_joint_count(const carom_spec *spec);
CAROM_API size_t carom_spec_force_count(const carom_spec *spec);
CAROM_API const carom_body_def *carom_spec_body(const carom_spec *spec, size_t index);
CAROM_API const carom_joint_def *carom_spec_joint(const carom_spec *spec, size_t index);
CAROM_API const carom_force_def *carom_spec_force(const carom_spec *spec, size_t index);

#ifdef __cplusplus
}
#endif
#endif
