/* Every public function misused, and none left out: the tables of this folder against the headers. Then random calls that
 * mix two models, a scratch that outlives its model, and models that come and go at one address. */
#include "interface.h"

#include <dirent.h>

static const interface_case *const tables[] = { interface_basics,   interface_specs,   interface_steps,
                                                interface_runs,     interface_sinks,   interface_results,
                                                interface_geometry, interface_batches, interface_studies };

/* ---- none is left out --------------------------------------------------------------------------------------------- */

enum { MOST_NAMES = 1000, LONGEST_NAME = 80 };

typedef struct name_list {
    char names[MOST_NAMES][LONGEST_NAME];
    int count;
} name_list;

/* The name in front of the first '(' of a declaration, attributes and stars left out. */
static void take_declaration(name_list *list, const char *text)
{
    const char *end = strchr(text, '(');
    while (end && strncmp(end, "(*carom_", 8) == 0) { /* a function that returns a pointer to an array */
        end = strchr(end + 1, '(');
    }
    CHECK(end != NULL && list->count < MOST_NAMES);
    const char *start = end;
    while (start > text &&
           (start[-1] == '_' || (start[-1] >= '0' && start[-1] <= '9') || (start[-1] >= 'a' && start[-1] <= 'z'))) {
        --start;
    }
    snprintf(list->names[list->count++], LONGEST_NAME, "%.*s", (int)(end - start), start);
}

static void take_header(name_list *list, const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    for (const char *at = strstr(text, "CAROM_API "); at; at = strstr(at + 1, "CAROM_API ")) {
        bool defines = at - text >= 8 && strncmp(at - 8, "#define ", 8) == 0;
        if (!defines) {
            take_declaration(list, at);
        }
    }
}

static void read_headers(name_list *list)
{
    char folder[1024], path[2048];
    const char *root = getenv("CAROM_SOURCE_DIR");
    snprintf(folder, sizeof folder, "%s/include/carom", root ? root : ".");
    DIR *headers = opendir(folder);
    CHECK(headers != NULL);
    for (struct dirent *entry; (entry = readdir(headers));) {
        size_t length = strlen(entry->d_name);
        if (length > 2 && strcmp(entry->d_name + length - 2, ".h") == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            take_header(list, path);
        }
    }
    closedir(headers);
}

static int entries_for(const char *name)
{
    int found = 0;
    FOR_EACH(table, tables)
    {
        for (const interface_case *c = ITEM(table, tables); c->function; ++c) {
            found += strcmp(c->function, name) == 0;
        }
    }
    return found;
}

static bool is_declared(const name_list *list, const char *name)
{
    for (int i = 0; i < list->count; ++i) {
        if (strcmp(list->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

TEST(interface, has_a_case_for_every_public_function)
{
    static name_list declared;
    int missing = 0;
    read_headers(&declared);
    CHECK_GE(declared.count, 160.0); /* the headers were understood */
    for (int i = 0; i < declared.count; ++i) {
        if (entries_for(declared.names[i]) != 1) {
            print_error("%s has %d entries in the tables of tests/conformance/interface, expected one\n",
                        declared.names[i], entries_for(declared.names[i]));
            ++missing;
        }
    }
    FOR_EACH(table, tables)
    {
        for (const interface_case *c = ITEM(table, tables); c->function; ++c) {
            if (!is_declared(&declared, c->function)) {
                print_error("%s is in a table, but in no header\n", c->function);
                ++missing;
            }
        }
    }
    CHECK_EQ(missing, 0);
}

TEST(interface, refuses_what_it_must_not_read)
{
    FOR_EACH(table, tables)
    {
        for (const interface_case *c = ITEM(table, tables); c->function; ++c) {
            print_message("%s\n", c->function);
            c->misuse();
        }
    }
}

TEST(interface, refuses_definitions_it_must_not_read)
{
    misuse_definitions();
}

/* ---- models that come and go -------------------------------------------------------------------------------------- */

/* A model made where another was destroyed: often at the same address, never taken for the same. */
TEST(interface, knows_models_that_come_and_go)
{
    for (int round = 0; round < 20; ++round) {
        trio old = trio_create(round % 2 ? scene_of_one : scene_of_heavier);
        carom_model_destroy(old.model);
        trio fresh = trio_create(round % 2 ? scene_of_heavier : scene_of_one);
        trio same = trio_create(round % 2 ? scene_of_one : scene_of_heavier);
        REFUSES(carom_step, fresh.model, old.state, fresh.scratch, 1e-3, NULL);
        REFUSES(carom_step, fresh.model, fresh.state, old.scratch, 1e-3, NULL);
        REFUSES(carom_step, same.model, same.state, old.scratch, 1e-3, NULL); /* it points into the first model */
        CHECK_EQ(carom_step(same.model, old.state, same.scratch, 1e-3, NULL, NULL), CAROM_OK); /* the same scene */
        carom_scratch_destroy(old.scratch);
        carom_state_destroy(old.state);
        trio_destroy(&fresh);
        trio_destroy(&same);
    }
}

/* ---- random calls ------------------------------------------------------------------------------------------------- */

static int dice(test_rng *rng, int sides)
{
    return (int)test_rng_uniform(rng, 0.0, sides);
}

/* Objects of one model, of the other, or none. */
typedef struct hand {
    const carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    bool fits;
} hand;

static hand draw(test_rng *rng, const trio t[2])
{
    int m = dice(rng, 9);
    int s = dice(rng, 9);
    int w = dice(rng, 9);
    return (hand){ .model = m < 8 ? t[m % 2].model : NULL,
                   .state = s < 8 ? t[s % 2].state : NULL,
                   .scratch = w < 8 ? t[w % 2].scratch : NULL,
                   .fits = m < 8 && s < 8 && w < 8 && m % 2 == s % 2 && s % 2 == w % 2 };
}

static double draw_number(test_rng *rng)
{
    const double numbers[] = { 1e-3, 1e-2, 0.0, -1.0, (double)NAN, (double)INFINITY, 1e-300 };
    return numbers[dice(rng, sizeof numbers / sizeof numbers[0])];
}

/* One call; whether it may succeed is known from the hand, for what also depends on its numbers only that it may. */
static void call(test_rng *rng, const hand *h)
{
    double values[16], number = draw_number(rng);
    carom_ledger ledger;
    carom_mobility mobility;
    carom_clearance *list = NULL;
    size_t count = 0;
    carom_error err = { 0 };
    carom_id body = dice(rng, 12) - 3;
    carom_status status = CAROM_OK;
    int what = dice(rng, 13);
    bool needs_scratch = what < 9;
    switch (what) {
    case 0:
        status = carom_assemble(h->model, h->state, h->scratch, NULL, &err);
        break;
    case 1:
    case 2:
        status = carom_step(h->model, h->state, h->scratch, number, NULL, &err);
        CHECK(status == CAROM_BAD_INPUT || number > 0.0);
        break;
    case 3:
        status = carom_observe_ledger(h->model, h->state, h->scratch, &ledger, &err);
        break;
    case 4:
        status = carom_observe_signal(h->model, h->state, h->scratch, dice(rng, 2) ? "t" : "rod.position.x", values,
                                      &err);
        break;
    case 5:
        status = carom_observe_coordinates(h->model, h->state, h->scratch, values, dice(rng, 2) ? values + 8 : NULL);
        break;
    case 6:
        status = carom_observe_mobility(h->model, h->state, h->scratch, &mobility, &err);
        break;
    case 7:
        status = carom_observe_clearances(h->model, h->state, h->scratch, number, &list, &count, &err);
        carom_clearances_destroy(list);
        break;
    case 8:
        status = carom_check_start(h->model, h->state, h->scratch, &err);
        break;
    case 9:
        status = carom_state_set_pose(h->model, h->state, body,
                                      (carom_pose){ { number, 0.0, 1.0 }, { 1.0, 0.0, 0.0, 0.0 } }, &err);
        break;
    case 10:
        status = carom_state_set_velocity(h->model, h->state, body, (carom_v3){ number, 0.0, 0.0 },
                                          (carom_v3){ 0.0, number, 0.0 }, &err);
        break;
    case 11:
        status = carom_state_set_coordinate(h->model, h->state, body, number, number, &err);
        break;
    default:
        CHECK(isfinite(carom_state_pose(h->model, h->state, body).position.x));
        CHECK(isfinite(carom_state_velocity(h->model, h->state, body).x));
        CHECK(isfinite(carom_state_angular_velocity(h->model, h->state, body).x));
        return;
    }
    CHECK(h->fits || status == CAROM_BAD_INPUT || !needs_scratch);
}

TEST(interface, survives_random_calls_with_two_models)
{
    FOR_EACH_SEED(rng, 20) {
        trio t[2] = { trio_create(scene_of_one), trio_create(seed_ % 2 ? scene_of_other : scene_of_heavier) };
        for (int k = 0; k < 200; ++k) {
            hand h = draw(&rng, t);
            call(&rng, &h);
            if (dice(&rng, 20) == 0) { /* work space may be thrown away at any time */
                trio *who = &t[dice(&rng, 2)];
                carom_scratch_destroy(who->scratch);
                CHECK_EQ(carom_scratch_create(who->model, dice(&rng, 3), &who->scratch, NULL), CAROM_OK);
            }
        }
        trio_destroy(&t[0]);
        trio_destroy(&t[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(interface, has_a_case_for_every_public_function),
        RUN_TEST(interface, refuses_what_it_must_not_read),
        RUN_TEST(interface, refuses_definitions_it_must_not_read),
        RUN_TEST(interface, knows_models_that_come_and_go),
        RUN_TEST(interface, survives_random_calls_with_two_models),
    };
    return cmocka_run_group_tests(tests, world_create, world_destroy);
}
