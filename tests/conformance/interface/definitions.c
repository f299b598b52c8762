/* Every field of every definition, found through the field tables, set to what it must not be. What is accepted is compiled
 * and advanced, so that sanitizers see what a later stage would read. */
#include "interface.h"

/* A definition under test and how it gets into a spec. */
typedef struct attempt {
    enum { SCENE, BODY, JOINT, FORCE } what;
    const void *def;
    bool heavy; /* made meshes take long: added, not compiled */
    long tried, refused;
} attempt;

/* ---- trying ------------------------------------------------------------------------------------------------------- */

static carom_spec *two_bodies(void)
{
    static const double inertia[3] = { 1.0, 1.0, 1.0 };
    carom_spec *spec = carom_spec_create();
    carom_scene_def scene = carom_scene_def_default();
    carom_body_def body = carom_body_def_default();
    scene.time.end = 1.0;
    scene.time.step = 1e-3;
    body.mass = 1.0;
    body.inertia = (carom_reals){ 3, inertia };
    body.name = "one";
    CHECK_EQ(carom_spec_set_scene(spec, &scene, NULL), CAROM_OK);
    CHECK_EQ(carom_spec_add_body(spec, &body, NULL), CAROM_OK);
    body.name = "two";
    body.position.x = 1.0;
    CHECK_EQ(carom_spec_add_body(spec, &body, NULL), CAROM_OK);
    return spec;
}

static carom_status add(carom_spec *spec, const attempt *a, carom_error *err)
{
    switch (a->what) {
    case SCENE:
        return carom_spec_set_scene(spec, a->def, err);
    case BODY:
        return carom_spec_add_body(spec, a->def, err);
    case JOINT:
        return carom_spec_add_joint(spec, a->def, err);
    default:
        return carom_spec_add_force(spec, a->def, err);
    }
}

/* Whatever the answer, the next stage is tried with what the last one made. */
static carom_status compile_and_step(const carom_spec *spec, carom_error *err)
{
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    carom_status status = carom_compile(spec, &model, err);
    carom_state *state = carom_state_create(model);
    status = status == CAROM_OK ? carom_scratch_create(model, 1, &scratch, err) : status;
    status = status == CAROM_OK ? carom_step(model, state, scratch, 1e-3, NULL, err) : status;
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return status;
}

/* A value that may be accepted or not: if not, there is a sentence. */
static void try_it(attempt *a)
{
    carom_error err = { 0 };
    carom_spec *spec = two_bodies();
    carom_status status = add(spec, a, &err);
    status = status == CAROM_OK && !a->heavy ? compile_and_step(spec, &err) : status;
    CHECK(status == CAROM_OK || err.message[0]);
    carom_spec_destroy(spec);
    a->tried++;
    a->refused += status != CAROM_OK;
}

static void expect_refusal(attempt *a, const carom_field *f)
{
    carom_error err = { 0 };
    carom_spec *spec = two_bodies();
    carom_status status = add(spec, a, &err);
    if (status == CAROM_OK) {
        print_error("field '%s' was accepted\n", f->name);
    }
    CHECK(status == CAROM_BAD_INPUT && err.message[0]);
    carom_spec_destroy(spec);
    a->tried++;
    a->refused++;
}

/* What has no default gets a plain value, so that one thing at a time is wrong. */
static void fill_missing(const carom_field *fields, void *data)
{
    static const carom_sphere_def ball = { .radius = 0.1 };
    static const char *const both[] = { "one", "two" };
    for (const carom_field *f = fields; f->name; ++f) {
        void *at = (char *)data + f->offset;
        bool needed = (f->flags & (CAROM_REQUIRED | CAROM_POSITIVE)) != 0;
        if (f->kind == CAROM_FIELD_REAL && needed && *(double *)at == 0.0) {
            *(double *)at = 0.1;
        } else if (f->kind == CAROM_FIELD_VECTOR && needed && ((carom_v3 *)at)->x == 0.0) {
            *(carom_v3 *)at = (carom_v3){ 0.1, 0.1, 0.1 };
        } else if (f->kind == CAROM_FIELD_TEXTS && f->min_count == 2) {
            *(carom_list *)at = (carom_list){ 2, both };
        }
    }
    if (fields == carom_shape_fields()) {
        ((carom_shape_def *)data)->shape = (carom_choice){ "sphere", &ball };
    }
}

/* ---- one field ---------------------------------------------------------------------------------------------------- */

static void misuse_fields(attempt *a, const carom_field *fields, void *data);

static const double no_numbers[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
static const int strange_ints[] = { -1, INT_MIN, INT_MAX };

static void misuse_text(attempt *a, const char **text)
{
    const char *kept = *text;
    const char *const texts[] = { NULL, "", "no such thing", overlong() };
    FOR_EACH(t, texts)
    {
        *text = ITEM(t, texts);
        try_it(a);
    }
    *text = kept;
}

static void misuse_reals(attempt *a, const carom_field *f, double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        double kept = x[i];
        FOR_EACH(n, no_numbers)
        {
            x[i] = ITEM(n, no_numbers);
            /* A number that is none may mean: not given, or no bound. */
            bool real = f->kind == CAROM_FIELD_REAL;
            if ((isnan(x[i]) && (real || isnan(kept))) || (isinf(x[i]) && isinf(kept))) {
                try_it(a);
            } else {
                expect_refusal(a, f);
            }
        }
        x[i] = kept;
    }
}

static void misuse_curve(attempt *a, const carom_field *f, carom_curve *curve)
{
    static const double x[2] = { 0.0, 1.0 };
    static const double back[2] = { 1.0, 0.0 };
    const carom_curve kept = *curve;
    const carom_curve bad[] = { { .count = 2 },
                                { .count = 2, .x = x },
                                { .count = SIZE_MAX, .x = x, .y = x },
                                { .count = 2, .x = back, .y = x },
                                { .count = 2, .x = x, .y = x, .interpolation = (carom_interpolation)-1 },
                                { .count = 2, .x = x, .y = x, .outside = (carom_outside)99 } };
    FOR_EACH(c, bad)
    {
        *curve = ITEM(c, bad);
        expect_refusal(a, f);
    }
    *curve = kept;
}

static void misuse_value(attempt *a, const carom_field *f, carom_value *value)
{
    const carom_value kept = *value;
    const char *const expressions[] = { "((((", "1/0", "no.such.signal", "sqrt(-1)", overlong() };
    value->kind = (carom_value_kind)-1;
    expect_refusal(a, f);
    *value = (carom_value){ .kind = CAROM_EXPRESSION, .expression = "t" };
    expect_refusal(a, f);
    *value = carom_value_expression(NULL);
    expect_refusal(a, f);
    FOR_EACH(e, expressions)
    {
        *value = carom_value_expression(ITEM(e, expressions));
        try_it(a);
    }
    *value = (carom_value){ .kind = CAROM_TABLE, .scale = 1.0, .units = carom_units_si() };
    expect_refusal(a, f);
    misuse_curve(a, f, &value->table);
    *value = kept;
}

static void misuse_list(attempt *a, const carom_field *f, carom_list *list)
{
    const carom_list kept = *list;
    char *item = calloc(1, f->size);
    *list = (carom_list){ 1, NULL };
    expect_refusal(a, f);
    *list = (carom_list){ SIZE_MAX, item };
    expect_refusal(a, f);
    *list = (carom_list){ 1, item };
    try_it(a);
    if (f->item_defaults) {
        memcpy(item, f->item_defaults, f->size);
        fill_missing(f->fields, item);
        try_it(a);
        misuse_fields(a, f->fields, item);
    }
    *list = kept;
    free(item);
}

static void misuse_texts(attempt *a, const carom_field *f, carom_list *list)
{
    const carom_list kept = *list;
    const char *texts[] = { "no such thing", NULL };
    *list = (carom_list){ 2, NULL };
    expect_refusal(a, f);
    *list = (carom_list){ SIZE_MAX, texts };
    expect_refusal(a, f);
    *list = (carom_list){ 2, texts };
    expect_refusal(a, f);
    texts[1] = overlong();
    try_it(a);
    *list = kept;
}

/* Every kind with every field of its params. */
static void misuse_kind(attempt *a, const carom_kind *const *kinds, carom_choice *choice)
{
    const carom_choice kept = *choice;
    misuse_text(a, &choice->kind);
    bool heavy = a->heavy;
    for (; *kinds; ++kinds) {
        const carom_kind *kind = *kinds;
        void *params = kind->size > 0 ? calloc(1, kind->size) : NULL;
        if (params && kind->defaults) {
            memcpy(params, kind->defaults, kind->size);
        }
        if (params && kind->fields) {
            fill_missing(kind->fields, params);
        }
        *choice = (carom_choice){ kind->name, params };
        a->heavy = heavy || strcmp(kind->name, "made") == 0 || strcmp(kind->name, "make") == 0;
        try_it(a);
        if (params && kind->fields) {
            misuse_fields(a, kind->fields, params);
        }
        free(params);
    }
    a->heavy = heavy;
    *choice = kept;
}

static void misuse_int(attempt *a, const carom_field *f, int *number)
{
    int kept = *number;
    FOR_EACH(i, strange_ints)
    {
        *number = ITEM(i, strange_ints);
        if (f->kind == CAROM_FIELD_ENUM) {
            expect_refusal(a, f);
        } else if (*number < 0) { /* large ones are sizes, and may be meant */
            try_it(a);
        }
    }
    *number = kept;
}

static void misuse_group(attempt *a, const carom_field *f, void *group)
{
    bool optional = (f->flags & CAROM_OPTIONAL) != 0;
    bool kept = optional && *(bool *)group;
    if (optional) {
        *(bool *)group = true;
    }
    misuse_fields(a, f->fields, group);
    if (optional) {
        *(bool *)group = kept;
    }
}

static void misuse_numbers(attempt *a, const carom_field *f, carom_reals *reals)
{
    const carom_reals kept = *reals;
    *reals = (carom_reals){ f->min_count ? f->min_count : 1, NULL };
    expect_refusal(a, f);
    *reals = kept;
}

static void misuse_field(attempt *a, const carom_field *f, void *at)
{
    switch (f->kind) {
    case CAROM_FIELD_BOOL:
        break;
    case CAROM_FIELD_INT:
    case CAROM_FIELD_ENUM:
        misuse_int(a, f, at);
        break;
    case CAROM_FIELD_REAL:
        misuse_reals(a, f, at, 1);
        break;
    case CAROM_FIELD_VECTOR:
    case CAROM_FIELD_DIRECTION:
        misuse_reals(a, f, at, 3);
        break;
    case CAROM_FIELD_ORIENTATION:
        misuse_reals(a, f, at, 4);
        break;
    case CAROM_FIELD_TEXT:
    case CAROM_FIELD_FILE:
    case CAROM_FIELD_BODY:
    case CAROM_FIELD_JOINT:
        misuse_text(a, at);
        break;
    case CAROM_FIELD_BODY_PAIR:
        misuse_text(a, at);
        misuse_text(a, (const char **)at + 1);
        break;
    case CAROM_FIELD_VALUE:
        misuse_value(a, f, at);
        break;
    case CAROM_FIELD_VALUE3:
        misuse_value(a, f, (carom_value *)at + 1);
        break;
    case CAROM_FIELD_CURVE:
        misuse_curve(a, f, at);
        break;
    case CAROM_FIELD_REALS:
        misuse_numbers(a, f, at);
        break;
    case CAROM_FIELD_GROUP:
        misuse_group(a, f, at);
        break;
    case CAROM_FIELD_LIST:
        misuse_list(a, f, at);
        break;
    case CAROM_FIELD_TEXTS:
        misuse_texts(a, f, at);
        break;
    case CAROM_FIELD_KIND:
        misuse_kind(a, f->kinds, at);
        break;
    }
}

/* Shapes, joints and forces are one of a list of kinds that no field names. */
static void misuse_fields(attempt *a, const carom_field *fields, void *data)
{
    for (const carom_field *f = fields; f->name; ++f) {
        misuse_field(a, f, (char *)data + f->offset);
    }
    if (fields == carom_shape_fields()) {
        misuse_kind(a, carom_shape_kinds(), &((carom_shape_def *)data)->shape);
    } else if (fields == carom_joint_fields()) {
        misuse_kind(a, carom_joint_kinds(), &((carom_joint_def *)data)->joint);
    } else if (fields == carom_force_fields()) {
        misuse_kind(a, carom_force_kinds(), &((carom_force_def *)data)->force);
    }
}

/* ---- the definitions ---------------------------------------------------------------------------------------------- */

static void misuse_definition(attempt *a, const carom_field *fields, void *def)
{
    a->def = def;
    misuse_fields(a, fields, def);
    print_message("%ld definitions, %ld refused\n", a->tried, a->refused);
    CHECK_GE((double)a->refused, 100.0);
    CHECK_GE((double)(a->tried - a->refused), 1.0); /* what surrounds the fields is right */
}

void misuse_definitions(void)
{
    carom_scene_def scene = carom_scene_def_default();
    scene.time.end = 1.0;
    misuse_definition(&(attempt){ .what = SCENE }, carom_scene_fields(), &scene);

    carom_body_def body = carom_body_def_default();
    static const double inertia[3] = { 1.0, 1.0, 1.0 };
    body.name = "three";
    body.mass = 1.0;
    body.inertia = (carom_reals){ 3, inertia };
    misuse_definition(&(attempt){ .what = BODY }, carom_body_fields(), &body);

    carom_joint_def joint = carom_joint_def_default();
    joint.name = "joint";
    joint.joint.kind = "revolute";
    joint.attachment.bodies[0] = "one";
    joint.attachment.bodies[1] = "two";
    misuse_definition(&(attempt){ .what = JOINT }, carom_joint_fields(), &joint);

    carom_force_def force = carom_force_def_default();
    force.name = "force";
    force.force.kind = "spring";
    force.attachment.bodies[0] = "one";
    force.attachment.bodies[1] = "two";
    misuse_definition(&(attempt){ .what = FORCE }, carom_force_fields(), &force);
}
