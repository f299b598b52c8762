/* The contact section: method, interaction of surfaces, exceptions for pairs. Defaults and field tables. */
#include <assert.h>
#include <math.h>
#include <threads.h>

#include <carom/elements.h>

static_assert(sizeof(carom_contact_per) == sizeof(int) && sizeof(carom_restitution_law) == sizeof(int) &&
                  sizeof(carom_contact_points) == sizeof(int),
              "field tables read and write an int");
static const char *const per_names[] = { "default", "point", "area", NULL };
static const char *const restitution_law_names[] = { "default", "energetic", "poisson", "newton", NULL };
static const char *const points_names[] = { "default", "both", "first", "second", NULL };

/* The table of an interaction appears twice, in the section itself and in each pair, at different places of the struct.
 * Lists of kinds come from functions and are filled in once, before anyone sees the tables. */
#define INTERACTION_FIELDS(type)                                                                                     \
    [LAW_FIELD] = { .name = "law",                                                                                   \
                    .kind = CAROM_FIELD_KIND,                                                                        \
                    .offset = offsetof(type, interaction.law),                                                       \
                    .doc = "Normal force over penetration, e.g. {\"linear\": {\"k\": 1e6}}." },                      \
    [FRICTION_FIELD] = { .name = "friction",                                                                         \
                         .kind = CAROM_FIELD_KIND,                                                                   \
                         .offset = offsetof(type, interaction.friction),                                             \
                         .flags = CAROM_SHORTHAND,                                                                   \
                         .doc = "Friction law, e.g. {\"coulomb\": {\"mu\": 0.3}}; a number is the coefficient of "   \
                                "Coulomb's law: 0.3. None unless given." },                                          \
    { .name = "restitution",                                                                                         \
      .kind = CAROM_FIELD_REAL,                                                                                      \
      .offset = offsetof(type, interaction.restitution),                                                             \
      .flags = CAROM_NONNEGATIVE,                                                                                    \
      .doc = "Speed after a direct impact over speed before, 0 to 1, for laws and methods that are chosen by it; 1 " \
             "unless given, under the method barrier 0." },                                                          \
    { .name = "restitution_law",                                                                                     \
      .kind = CAROM_FIELD_ENUM,                                                                                      \
      .offset = offsetof(type, interaction.restitution_law),                                                         \
      .names = restitution_law_names,                                                                                \
      .doc =                                                                                                         \
          "What the restitution e means, for methods that resolve impacts: the work given back is e^2 of the work "  \
          "taken (energetic), the impulse given back e of the impulse taken (poisson), the speed after e of the "    \
          "speed before (newton: energy may grow where there is friction). By default energetic." },                 \
    { .name = "impulse",                                                                                             \
      .kind = CAROM_FIELD_REAL,                                                                                      \
      .offset = offsetof(type, interaction.impulse),                                                                 \
      .dimension = CAROM_DIM_MOMENTUM,                                                                               \
      .flags = CAROM_NONNEGATIVE,                                                                                    \
      .doc = "Total normal impulse of every impact, prescribed whatever the restitution, for methods that resolve "  \
             "impacts; 0, and by default: none is prescribed." },                                                    \
    { .name = "range",                                                                                               \
      .kind = CAROM_FIELD_REAL,                                                                                      \
      .offset = offsetof(type, interaction.range),                                                                   \
      .dimension = CAROM_DIM_LENGTH,                                                                                 \
      .flags = CAROM_POSITIVE,                                                                                       \
      .doc = "How near surfaces must be to push each other apart, for the method barrier. By default a thousandth "  \
             "of the diagonal of the smaller shape, and at most 1 mm." },                                            \
    { .name = "separation",                                                                                          \
      .kind = CAROM_FIELD_REAL,                                                                                      \
      .offset = offsetof(type, interaction.separation),                                                              \
      .dimension = CAROM_DIM_LENGTH,                                                                                 \
      .flags = CAROM_NONNEGATIVE,                                                                                    \
      .doc = "Distance that surfaces keep at least, for the method barrier; 0 unless given." },                      \
    { .name = "per",                                                                                                 \
      .kind = CAROM_FIELD_ENUM,                                                                                      \
      .offset = offsetof(type, interaction.per),                                                                     \
      .names = per_names,                                                                                            \
      .doc = "Stiffness of each contact point (as in paper 1), or per area, each point carrying its share of the "   \
             "surface: then refining a mesh does not stiffen it. By default per point." },                           \
    {                                                                                                                \
        .name = "points", .kind = CAROM_FIELD_ENUM, .offset = offsetof(type, interaction.points),                    \
        .names = points_names,                                                                                       \
        .doc = "Whose points are tried against the other's surface: of both bodies, or only of the first or second " \
               "as the pair names them (else in the order of the scene). By default both."                           \
    }

enum { LAW_FIELD, FRICTION_FIELD, INTERACTION_COUNT = 9, METHOD_FIELD = INTERACTION_COUNT, PAIRS_FIELD };

static carom_field pair_fields[] = {
    INTERACTION_FIELDS(carom_contact_pair_def),
    { .name = "between",
      .kind = CAROM_FIELD_TEXTS,
      .offset = offsetof(carom_contact_pair_def, between),
      .flags = CAROM_REQUIRED,
      .min_count = 2,
      .max_count = 2,
      .doc = "Two names of bodies, materials or joints with clearance; a trailing '*' stands for any ending, '*' "
             "alone for anything." },
    { .name = "ignore",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(carom_contact_pair_def, ignore),
      .doc = "True: they pass through each other." },
    { 0 },
};

static const carom_contact_pair_def pair_defaults = {
    .interaction = { .restitution = (double)NAN, .impulse = (double)NAN, .separation = (double)NAN },
};

static carom_field contact_fields[] = {
    INTERACTION_FIELDS(carom_contact_def),
    [METHOD_FIELD] = { .name = "method",
                       .kind = CAROM_FIELD_KIND,
                       .offset = offsetof(carom_contact_def, method),
                       .flags = CAROM_REQUIRED | CAROM_SHARED,
                       .doc = "How contact is treated; the method's options stand beside it. Those of other methods "
                              "may stand there too, so that one scene serves them all; they are not used." },
    [PAIRS_FIELD] = { .name = "pairs",
                      .kind = CAROM_FIELD_LIST,
                      .offset = offsetof(carom_contact_def, pairs),
                      .fields = pair_fields,
                      .item_defaults = &pair_defaults,
                      .size = sizeof(carom_contact_pair_def),
                      .doc = "Exceptions for some pairs of surfaces; the last that fits wins, and what it does not "
                             "say is as above." },
    { .name = "between_joined",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(carom_contact_def, between_joined),
      .doc = "True: also bodies that a joint connects touch each other." },
    { 0 },
};

static void fill_kinds(void)
{
    pair_fields[LAW_FIELD].kinds = contact_fields[LAW_FIELD].kinds = carom_normal_law_kinds();
    pair_fields[FRICTION_FIELD].kinds = contact_fields[FRICTION_FIELD].kinds = carom_friction_law_kinds();
    contact_fields[METHOD_FIELD].kinds = carom_method_kinds();
}

const carom_field *carom_contact_fields(void)
{
    static once_flag once = ONCE_FLAG_INIT;
    call_once(&once, fill_kinds);
    return contact_fields;
}

carom_contact_def carom_contact_def_default(void)
{
    return (carom_contact_def){ .method = { .kind = "none" },
                                .interaction = {
                                    .restitution = (double)NAN, .impulse = (double)NAN, .separation = (double)NAN } };
}
