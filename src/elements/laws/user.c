/* Contact laws of a program: functions behind the table that every law has. Their `check` tries them out (user_probe.c). */
#include "elements/laws/user.h"

#include "elements/laws/friction.h"
#include "elements/laws/user_probe.h"

/* The numbers of whoever refers to a law take the place of its own. */
static void take_numbers(carom_arena *arena, carom_reals *numbers, const carom_user_law_def *reference)
{
    size_t count = reference->numbers.count;
    if (count > 0) {
        *numbers = (carom_reals){ count, carom_arena_copy(arena, reference->numbers.data, count * sizeof(double)) };
    }
}

/* ---- normal laws -------------------------------------------------------------------------------------------------- */

/* Beyond what was tried out a law may pull: no number is what it then gives, which ends the step. */
static law_force user_force(contact_rate c, const law_context *context, const void *params)
{
    law_force f = normal_probe(params, c, context->approach, context->restitution);
    f.force = f.force < 0.0 ? (double)NAN : f.force;
    return f;
}

static carom_status user_check(const void *params, double restitution, carom_error *err)
{
    return normal_try(params, restitution, err);
}

const void *normal_user_params(carom_arena *arena, const carom_user_normal_law_def *def,
                               const carom_user_law_def *reference)
{
    carom_user_normal_law_def *copy = carom_arena_copy(arena, def, sizeof *copy);
    if (copy) {
        take_numbers(arena, &copy->numbers, reference);
    }
    return copy;
}

const carom_normal_law *normal_user_law(carom_arena *arena, const carom_user_normal_law_def *def)
{
    const carom_normal_law law = {
        .kind = { .name = def->name, .fields = normal_user_fields(), .size = sizeof *def },
        .check = user_check,
        .force = user_force,
        .remembers_approach = def->remembers_approach,
        .uses_restitution = def->uses_restitution,
    };
    return carom_arena_copy(arena, &law, sizeof law);
}

/* ---- friction laws ------------------------------------------------------------------------------------------------ */

/* Likewise for friction that drives. */
static friction_force user_friction(const friction_input *in, const void *params)
{
    double speed = v3_norm(in->slip);
    carom_user_friction_output said = friction_probe(params, speed);
    said.mu = said.mu < 0.0 ? (double)NAN : said.mu;
    return friction_along(in, (friction_curve){ .per_speed = speed > 0.0 ? said.mu / speed : said.slope,
                                                .slope = said.slope });
}

static carom_status user_friction_check(const void *params, carom_error *err)
{
    return friction_try(params, err);
}

static friction_speeds user_speeds(const void *params)
{
    const carom_user_friction_law_def *def = params;
    return (friction_speeds){ .stick = def->stick, .slide = def->slide };
}

static double user_coefficient(const void *params)
{
    return ((const carom_user_friction_law_def *)params)->coefficient;
}

const void *friction_user_params(carom_arena *arena, const carom_user_friction_law_def *def,
                                 const carom_user_law_def *reference)
{
    carom_user_friction_law_def *copy = carom_arena_copy(arena, def, sizeof *copy);
    if (copy) {
        take_numbers(arena, &copy->numbers, reference);
    }
    return copy;
}

const carom_friction_law *friction_user_law(carom_arena *arena, const carom_user_friction_law_def *def)
{
    const carom_friction_law law = {
        .kind = { .name = def->name, .fields = friction_user_fields(), .size = sizeof *def },
        .check = user_friction_check,
        .force = user_friction,
        .speeds = user_speeds,
        .coefficient = user_coefficient,
    };
    return carom_arena_copy(arena, &law, sizeof law);
}

/* ---- definitions -------------------------------------------------------------------------------------------------- */

static carom_status name_taken(const char *name, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "'%.60s' is a law that carom has itself; give yours another name", name);
}

static carom_status no_function(const char *name, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "the law '%.60s' has no function (NULL)", name);
}

carom_status normal_user_check(const carom_user_normal_law_def *def, carom_error *err)
{
    if (carom_normal_law_find(def->name)) {
        return name_taken(def->name, err);
    }
    return def->force ? CAROM_OK : no_function(def->name, err);
}

carom_status friction_user_check(const carom_user_friction_law_def *def, carom_error *err)
{
    if (carom_friction_law_find(def->name)) {
        return name_taken(def->name, err);
    }
    if (!def->friction) {
        return no_function(def->name, err);
    }
    if (!(def->slide >= def->stick)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the friction law '%.60s' sticks below %g m/s and slides above %g m/s; the second must not "
                          "be the smaller",
                          def->name, def->stick, def->slide);
    }
    return CAROM_OK;
}

#define IDENTITY_FIELDS(type)                                                                              \
    { .name = "name", .kind = CAROM_FIELD_TEXT, .offset = offsetof(type, name), .flags = CAROM_REQUIRED }, \
        { .name = "version", .kind = CAROM_FIELD_INT, .offset = offsetof(type, version) },                 \
    {                                                                                                      \
        .name = "numbers", .kind = CAROM_FIELD_REALS, .offset = offsetof(type, numbers)                    \
    }

#define NUMBER_FIELD(type, member, flags_)                                                             \
    {                                                                                                  \
        .name = #member, .kind = CAROM_FIELD_REAL, .offset = offsetof(type, member), .flags = (flags_) \
    }

#define FLAG_FIELD(type, member)                                                    \
    {                                                                               \
        .name = #member, .kind = CAROM_FIELD_BOOL, .offset = offsetof(type, member) \
    }

static const carom_field normal_fields[] = {
    IDENTITY_FIELDS(carom_user_normal_law_def),
    FLAG_FIELD(carom_user_normal_law_def, remembers_approach),
    FLAG_FIELD(carom_user_normal_law_def, uses_restitution),
    NUMBER_FIELD(carom_user_normal_law_def, probe_depth, CAROM_NONNEGATIVE),
    NUMBER_FIELD(carom_user_normal_law_def, probe_speed, CAROM_NONNEGATIVE),
    { 0 },
};

static const carom_field friction_fields[] = {
    IDENTITY_FIELDS(carom_user_friction_law_def),
    NUMBER_FIELD(carom_user_friction_law_def, stick, CAROM_POSITIVE),
    NUMBER_FIELD(carom_user_friction_law_def, slide, CAROM_POSITIVE),
    NUMBER_FIELD(carom_user_friction_law_def, coefficient, CAROM_NONNEGATIVE),
    { 0 },
};

const carom_field *normal_user_fields(void)
{
    return normal_fields;
}

const carom_field *friction_user_fields(void)
{
    return friction_fields;
}

static const carom_field reference_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_user_law_def, name),
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "Name that the program has given its law." },
    { .name = "numbers",
      .kind = CAROM_FIELD_REALS,
      .offset = offsetof(carom_user_law_def, numbers),
      .doc = "Numbers for the law, in SI, instead of those that the program gives." },
    { 0 },
};

static const carom_user_law_def reference_defaults = { .name = NULL };

static const carom_kind normal_kind = {
    .name = "user",
    .doc = "A law of a C program, by its name (`carom_spec_add_normal_law`); the program `carom` has none.",
    .fields = reference_fields,
    .defaults = &reference_defaults,
    .size = sizeof(carom_user_law_def),
};

static const carom_kind friction_kind = {
    .name = "user",
    .doc = "A law of a C program, by its name (`carom_spec_add_friction_law`); the program `carom` has none.",
    .fields = reference_fields,
    .defaults = &reference_defaults,
    .size = sizeof(carom_user_law_def),
};

const carom_kind *normal_user_kind(void)
{
    return &normal_kind;
}

const carom_kind *friction_user_kind(void)
{
    return &friction_kind;
}
