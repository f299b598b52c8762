/* Shared by the files that compile a spec into a model. */
#ifndef CAROM_MODEL_COMPILE_H
#define CAROM_MODEL_COMPILE_H

#include "model/model.h"
#include "model/spec.h"

/* Names of all elements map to a code: class and index. */
typedef enum element_kind { ELEMENT_BODY, ELEMENT_JOINT, ELEMENT_COUPLER, ELEMENT_FORCE } element_kind;

static inline int element_code(element_kind kind, int index)
{
    return 4 * index + (int)kind;
}

static inline element_kind element_class(int code)
{
    return (element_kind)(code & 3);
}

static inline int element_index(int code)
{
    return code >> 2;
}

/* Each stage appends to the model; errors carry the origin of the definition. */
carom_status compile_bodies(carom_model *model, const carom_spec *spec, const carom_compile_options *watcher,
                            carom_error *err);

/* The scene's table of materials; the one with a name, NULL: there is none. */
carom_status compile_materials(carom_model *model, const carom_list *materials, carom_error *err);
const carom_material_def *compile_find_material(const carom_model *model, const char *name);

/* The kind, the parameters and the mass of a body that deforms. */
carom_status compile_flexible(carom_model *model, model_body *body, const carom_body_def *def, carom_error *err);

/* A body in nodal coordinates, as the next one of model->nodal, which takes over the mesh. */
struct flexible_input;
carom_status compile_nodes(carom_model *model, model_body *body, const struct flexible_input *in, solid_mesh **solid,
                           carom_error *err);

/* Bodies for the rigid attachments of all bodies in nodal coordinates, after all others; how many there can be. */
carom_status compile_sections(carom_model *model, carom_error *err);
size_t compile_count_sections(const carom_spec *spec);

/* The body of the rigid attachment at a place of a body in nodal coordinates takes the place of that body. */
carom_status compile_find_section(const carom_model *model, int *body, v3 place_b, carom_error *err);

/* What deserves to be known of a body that deforms; of others nothing. */
void compile_flexible_notes(carom_model *model, const model_body *body, const carom_body_def *def);

/* Mass and inertia of the undeformed body about the origin of its frame, as its kind has them. */
carom_status compile_take_mass(model_body *body, carom_error *err);

carom_status compile_inputs(carom_model *model, const carom_list *inputs, carom_error *err);

/* Names and units of the scene's states, which forces may name; what forces remember; then, after all elements are known, the rates. */
carom_status compile_states(carom_model *model, const carom_list *states, carom_error *err);
carom_status compile_force_integral(carom_model *model, int force, carom_error *err);
carom_status compile_state_rates(carom_model *model, const carom_list *states, carom_error *err);

/* Refuses elements whose name would hide the inputs; after all elements are known. */
carom_status compile_check_inputs(const carom_model *model, carom_error *err);

/* Whether a name is one word that expressions can use behind a dot; `what` it is the name of: "input". */
carom_status compile_check_word(const char *name, const char *what, carom_error *err);

/* After all elements are known, which conditions may name. */
carom_status compile_events(carom_model *model, const carom_list *events, carom_error *err);

/* After all elements are known, which views may name. */
carom_status compile_views(carom_model *model, carom_error *err);
carom_status compile_joints(carom_model *model, const carom_spec *spec, carom_error *err);
carom_status compile_forces(carom_model *model, const carom_spec *spec, carom_error *err);

/* Laws of the program, taken over from the spec. */
carom_status compile_laws(carom_model *model, const carom_spec *spec, carom_error *err);

/* The law that a choice means: a listed one, or one of the program; NULL: there is no such. */
const carom_normal_law *compile_normal_law(carom_model *model, const carom_choice *choice, const void **params);
const carom_friction_law *compile_friction_law(carom_model *model, const carom_choice *choice, const void **params);

/* The rules of contact, and with `options` (else NULL) the colliders themselves. */
carom_status compile_contact(carom_model *model, const carom_contact_def *contact,
                             const carom_compile_options *options, carom_error *err);
carom_status compile_prepare_forces(carom_model *model, const carom_spec *spec, carom_error *err);

/* Bodies of another kind than rigid, by name. `params` are those of the type's field table, and are copied. */
typedef struct body_choice {
    const char *body;
    const carom_body_type *type;
    const void *params;
} body_choice;

/* carom_compile_with (options: may be NULL) with kinds of bodies that scenes cannot name. */
carom_status compile_with_bodies(const carom_spec *spec, const carom_compile_options *options,
                                 const body_choice *choices, int choice_count, carom_model **out, carom_error *err);

/* CAROM_NO_MEMORY when an allocation of the model has failed: asked before what was allocated is used. */
carom_status compile_check_memory(const carom_model *model, carom_error *err);

/* Of everything that decides results. */
uint64_t compile_hash(const carom_model *model);

/* What has gone wrong so far. Compilation goes on after a mistake to find the others; what names an element that was
 * refused already is not told: its own mistake follows from that. */
typedef struct compile_trouble {
    spec_names refused; /* elements without a place in the model */
    bool follows;       /* the present failure follows from another one */
    bool any;
    carom_note *notes;
    size_t note_capacity;
} compile_trouble;

/* Whether the name belongs to an element that was refused; then the failure it leads to follows from that. */
bool compile_follows(const carom_model *model, const char *name);

/* Element `name` is refused: adds the origin of its definition to the error, notes it, and returns status. */
carom_status compile_refuse(carom_model *model, const char *name, const spec_origin *origin, carom_status status,
                            carom_error *err);

/* A note for people about a definition or a setting; memory failure shows in the model's arena. */
typedef struct note_place {
    const spec_origin *origin; /* of a definition, or NULL */
    const char *inside;        /* the place inside it, or NULL */
    const char *setting;       /* instead of an origin: "contact.restitution" */
    bool warning;
} note_place;
void compile_note(carom_model *model, note_place place, const char *fmt, ...) CAROM_PRINTF(3, 4);

/* Looks for further mistakes in a spec of which some definitions were refused (spec_note_broken): nothing that takes long
 * is made. CAROM_OK when there are none. */
carom_status compile_find_mistakes(const carom_spec *spec, carom_error *err);

/* A copy whose texts live as long as the model. */
spec_origin compile_origin(carom_model *model, const spec_origin *origin);

/* Appends a value; *index receives its number. time_only refuses expressions of anything but t. */
typedef struct value_request {
    const carom_value *value;
    int force; /* whose measures may be named, or -1 */
    bool time_only;
    bool smooth;      /* refuses tables whose slope jumps */
    bool observes;    /* takes all signals: it changes no force */
    const char *what; /* for messages: "motion of 'crank'" */
} value_request;
carom_status compile_value(carom_model *model, const value_request *request, int *index, carom_error *err);

/* The markers of an attachment; bodies in nodal coordinates give way to those of their sections. In the frames at the centres of mass. */
carom_status compile_markers(carom_model *model, const carom_attachment *attachment, int body[2],
                             body_point marker_c[2], carom_error *err);

/* The body with this name (the ground included); an error with the nearest name when there is none. */
carom_status compile_find_body(const carom_model *model, const char *name, int *body, carom_error *err);
carom_status compile_find_joint(const carom_model *model, const char *name, int *joint, carom_error *err);

/* Coordinate of a joint by name, or its only one when name is NULL. */
carom_status compile_find_coordinate(const carom_model *model, int joint, const char *name, int *coordinate,
                                     carom_error *err);

/* A marker at the start, for `prepare` functions and length scales. */
marker compile_start_marker(const carom_model *model, int body, body_point marker_c);

#endif
