/* Settings of the whole scene: defaults and field table. */
#include <carom/spec.h>

#include <assert.h>
#include <threads.h>

enum { INTEGRATOR_FIELD = 1 };

static_assert(sizeof(carom_preset) == sizeof(int), "field tables read and write an int");
static const char *const preset_names[] = { "fast", "balanced", "accurate", NULL };

/* Not const for one reason: their lists of kinds come from functions of higher layers, so the addresses are filled
 * in once, before anyone sees the tables. */
static carom_field time_fields[] = {
    { .name = "end",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_time_def, end),
      .dimension = { .time = 1 },
      .flags = CAROM_POSITIVE | CAROM_SHORTHAND,
      .doc = "Simulated time at which the run ends." },
    [INTEGRATOR_FIELD] = { .name = "integrator",
                           .kind = CAROM_FIELD_KIND,
                           .offset = offsetof(carom_time_def, integrator),
                           .doc = "Time integration; chosen by the preset unless given." },
    { .name = "preset",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(carom_time_def, preset),
      .names = preset_names,
      .doc = "Sets the step and tolerances that are not given." },
    { .name = "step",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_time_def, step),
      .dimension = { .time = 1 },
      .flags = CAROM_POSITIVE,
      .doc = "Fixed step, or the largest one where the integrator adapts; the preset's unless given." },
    { .name = "tolerance",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_time_def, tolerance),
      .flags = CAROM_POSITIVE,
      .doc = "Relative local error of adaptive integrators; the preset's unless given." },
    { 0 },
};

static const carom_field record_fields[] = {
    { .name = "every",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_record_def, every),
      .dimension = { .time = 1 },
      .flags = CAROM_POSITIVE,
      .doc = "Time between recorded frames; a thousandth of the run unless given." },
    { .name = "fields_every",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_record_def, fields_every),
      .dimension = { .time = 1 },
      .flags = CAROM_POSITIVE,
      .doc =
          "Time between frames that hold where the nodes of bodies in nodal coordinates are, as a multiple of `every`, which it needs; "
          "all frames do unless given." },
    { .name = "signals",
      .kind = CAROM_FIELD_TEXTS,
      .offset = offsetof(carom_record_def, signals),
      .doc = "Columns of the signals table, e.g. \"rod.position.x\", \"hinge.angle\", \"energy.kinetic\"." },
    { 0 },
};

static const carom_field input_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_input_def, name),
      .flags = CAROM_REQUIRED,
      .doc = "What expressions call it behind \"input.\"; the key of the entry." },
    { .name = "start",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_input_def, start),
      .flags = CAROM_SHORTHAND,
      .doc = "Its value until it is set, in its own `unit`." },
    { .name = "unit",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_input_def, unit),
      .doc = "Unit such as \"N\", \"kN\", \"N*m\", \"m/s^2\" or \"deg\", whatever the file's `units` are; a plain "
             "number unless "
             "given." },
    { 0 },
};

static const carom_input_def input_defaults = { 0 };

static const carom_field integral_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_integral_def, name),
      .flags = CAROM_REQUIRED,
      .doc = "What expressions and signals call it behind \"state.\"; the key of the entry." },
    { .name = "rate",
      .kind = CAROM_FIELD_VALUE,
      .offset = offsetof(carom_integral_def, rate),
      .flags = CAROM_REQUIRED,
      .doc =
          "Its change per unit of time: an expression of t, inputs, states and what positions and velocities tell, e.g. "
          "\"0.5 - hinge.angle\". The result is read in the file's `units`, as is `state.NAME` in expressions." },
    { .name = "start",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_integral_def, start),
      .doc = "Its value at the beginning, in its own `unit`." },
    { .name = "unit",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_integral_def, unit),
      .doc = "Unit such as \"N\", \"mm\" or \"deg\"; a plain number unless given." },
    { .name = "size",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_integral_def, size),
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "Size below which its errors count in full, in its own `unit`: the tolerance is relative to its value, or to "
          "this where that is larger; 1 unless given." },
    { 0 },
};

static const carom_integral_def integral_defaults = {
    .rate = { .kind = CAROM_NUMBER, .scale = 1.0, .units = { 1.0, 1.0, 1.0, 1.0, 0.0 } },
};

static const carom_field no_fields[] = { { 0 } };

static const carom_field set_fields[] = {
    { .name = "input",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_set_def, input),
      .flags = CAROM_REQUIRED,
      .doc = "Name of an input of the scene." },
    { .name = "to",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_set_def, to),
      .flags = CAROM_REQUIRED,
      .doc = "What it becomes, in the input's own `unit`." },
    { 0 },
};

static const carom_set_def set_defaults = { 0 };

static const carom_kind event_actions[] = {
    { .name = "mark", .doc = "Nothing but the event itself, in the result.", .fields = no_fields },
    { .name = "stop", .doc = "The run ends there.", .fields = no_fields },
    { .name = "set",
      .doc = "Sets an input of the scene.",
      .fields = set_fields,
      .defaults = &set_defaults,
      .size = sizeof(carom_set_def) },
};

const carom_kind *const *carom_event_actions(void)
{
    static const carom_kind *const actions[] = { &event_actions[0], &event_actions[1], &event_actions[2], NULL };
    return actions;
}

enum { DO_FIELD = 3 };

static carom_field event_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_event_def, name),
      .flags = CAROM_REQUIRED,
      .doc = "What it is called; how often it has happened is the signal `event.NAME`." },
    { .name = "when",
      .kind = CAROM_FIELD_VALUE,
      .offset = offsetof(carom_event_def, when),
      .flags = CAROM_REQUIRED,
      .doc = "Condition on signals, e.g. \"slide.travel > -1e-4 && t > 1\"." },
    { .name = "hold",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_event_def, hold),
      .dimension = { .time = 1 },
      .flags = CAROM_NONNEGATIVE,
      .doc = "How long the condition has to hold without a break before the event happens." },
    [DO_FIELD] = { .name = "do",
                   .kind = CAROM_FIELD_KIND,
                   .offset = offsetof(carom_event_def, action),
                   .doc = "What follows: \"mark\" unless given, \"stop\", or `{\"set\": {\"input\": \"pull\", "
                          "\"to\": 0}}`." },
    { 0 },
};

static const carom_event_def event_defaults = { 0 };

static const carom_view_def view_defaults = { 0 };

static const carom_field view_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_view_def, name),
      .doc = "What its button on the page says; its number unless given." },
    { .name = "look_at",
      .kind = CAROM_FIELD_BODY,
      .offset = offsetof(carom_view_def, look_at),
      .doc = "Body in the middle of the picture; everything that moves unless given." },
    { .name = "from",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_view_def, from),
      .dimension = { .length = 1 },
      .doc =
          "Place of the camera, seen from what it looks at, in world axes; where that fills the picture unless given." },
    { .name = "follow",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(carom_view_def, follow),
      .doc = "Whether the camera goes along with `look_at`." },
    { .name = "play",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(carom_view_def, play),
      .doc = "Whether time runs when the page opens, over and over." },
    { .name = "at",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_view_def, at),
      .dimension = { .time = 1 },
      .flags = CAROM_NONNEGATIVE,
      .doc = "Simulated time that is shown first." },
    { .name = "speed",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_view_def, speed),
      .flags = CAROM_POSITIVE,
      .doc = "Simulated seconds per second; chosen by the page unless given." },
    { .name = "hide",
      .kind = CAROM_FIELD_TEXTS,
      .offset = offsetof(carom_view_def, hide),
      .doc = "Names of bodies that are not drawn." },
    { .name = "show",
      .kind = CAROM_FIELD_TEXTS,
      .offset = offsetof(carom_view_def, show),
      .doc =
          "What is drawn beside bodies, and nothing else: \"contacts\", \"forces\", \"joints\", \"axes\", \"paths\", "
          "\"grid\", \"springs\"; chosen by the page unless given." },
    { .name = "plots",
      .kind = CAROM_FIELD_TEXTS,
      .offset = offsetof(carom_view_def, plots),
      .doc = "Signals that are plotted, e.g. \"rod.velocity.x\"." },
    { 0 },
};

const carom_field *carom_view_fields(void)
{
    return view_fields;
}

enum { CONTACT_FIELD = 4, MATERIALS_FIELD = 9 };

static const carom_material_def material_defaults = { 0 };

static const char *const initial_names[] = { "drawn", "static", NULL };

static carom_field scene_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_scene_def, name),
      .doc = "Title of the scene." },
    { .name = "description",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_scene_def, description),
      .doc = "What the scene shows." },
    { .name = "gravity",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_scene_def, gravity),
      .dimension = { .length = 1, .time = -2 },
      .doc = "Uniform gravitational acceleration." },
    { .name = "time",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(carom_scene_def, time),
      .fields = time_fields,
      .size = sizeof(carom_time_def),
      .doc = "How long and how accurately to simulate." },
    [CONTACT_FIELD] = { .name = "contact",
                        .kind = CAROM_FIELD_GROUP,
                        .offset = offsetof(carom_scene_def, contact),
                        .size = sizeof(carom_contact_def),
                        .doc = "The contact method, its options, and what happens where surfaces meet." },
    { .name = "record",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(carom_scene_def, record),
      .fields = record_fields,
      .size = sizeof(carom_record_def),
      .doc = "What is written while the scene runs." },
    { .name = "inputs",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_scene_def, inputs),
      .flags = CAROM_NAMED,
      .fields = input_fields,
      .item_defaults = &input_defaults,
      .size = sizeof(carom_input_def),
      .doc = "Numbers that a program sets between steps (carom_state_set_input) and that forces use as `input.NAME`: "
             "`{\"pull\": {\"start\": 0, \"unit\": \"N\"}}`." },
    { .name = "states",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_scene_def, states),
      .flags = CAROM_NAMED,
      .fields = integral_fields,
      .item_defaults = &integral_defaults,
      .size = sizeof(carom_integral_def),
      .doc =
          "Numbers that are integrated along with the motion, for controls, filters and wear, used as `state.NAME`: "
          "`{\"sum\": {\"rate\": \"0.5 - hinge.angle\"}}`." },
    { .name = "events",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_scene_def, events),
      .fields = event_fields,
      .item_defaults = &event_defaults,
      .size = sizeof(carom_event_def),
      .doc = "What may happen in a run: conditions on signals, and what follows from them." },
    [MATERIALS_FIELD] = { .name = "materials",
                          .kind = CAROM_FIELD_LIST,
                          .offset = offsetof(carom_scene_def, materials),
                          .flags = CAROM_NAMED,
                          .item_defaults = &material_defaults,
                          .size = sizeof(carom_material_def),
                          .doc = "What bodies are made of: `{\"steel\": {\"young\": 210e9, \"poisson\": 0.3, "
                                 "\"density\": 7850}}`. `material` of a body or a shape names one." },
    { .name = "initial",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(carom_scene_def, initial),
      .names = initial_names,
      .doc =
          "Whether bodies start as they are drawn, or displaced and deformed to where they rest under their loads." },
    { .name = "view",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_scene_def, view),
      .fields = view_fields,
      .item_defaults = &view_defaults,
      .size = sizeof(carom_view_def),
      .doc =
          "How to look at the results: one view, or a list of them. The page opens on the first; buttons and keys lead to the "
          "others." },
    { 0 },
};

static void fill_kinds(void)
{
    time_fields[INTEGRATOR_FIELD].kinds = carom_integrator_kinds();
    event_fields[DO_FIELD].kinds = carom_event_actions();
    scene_fields[CONTACT_FIELD].fields = carom_contact_fields();
    scene_fields[MATERIALS_FIELD].fields = carom_material_fields();
}

const carom_field *carom_scene_fields(void)
{
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, fill_kinds);
    return scene_fields;
}

carom_scene_def carom_scene_def_default(void)
{
    return (carom_scene_def){
        .time = { .end = 1.0, .preset = CAROM_BALANCED },
        .contact = carom_contact_def_default(),
    };
}
