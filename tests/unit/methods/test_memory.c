/* Contact when memory runs out: every single allocation of compiling, of making a scratch and of a step into contact
 * fails once; the answer is CAROM_NO_MEMORY, everything is given back, and a state is as it was before the step. */
#include "support/contact_scene.h"
#include "support/failing_heap.h"
#include "support/scene_file.h"

#include "model/state.h"

static const char *const contact =
    "{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 3e6, \"n\": 1.5}}, \"restitution\": 0.7,"
    " \"friction\": {\"lugre\": {}}, \"cache\": false, \"pairs\": [{\"between\": [\"box\", \"c*\"],"
    " \"friction\": {\"coulomb\": {}}}, {\"between\": [\"pill\", \"can\"], \"restitution\": 0.5}]}";

static const char *const exact =
    "{\"method\": \"compliant\", \"features\": \"exact\", \"law\": {\"hunt-crossley\": {\"k\": 3e6, \"n\": 1.5}},"
    " \"restitution\": 0.7, \"friction\": {\"lugre\": {}}}";

/* Two of the three solids are joined with clearance, and rattle. */
static contact_scene joined_solids(const char *time)
{
    contact_scene c = three_solids(contact, time);
    c.more = ", \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"box\", \"pill\"],"
             " \"at\": [0.06, 0, 0], \"clearance\": {\"play\": 1e-4, \"radius\": 5e-3}}]";
    return c;
}

static carom_spec *spec_of(const contact_scene *c)
{
    char text[SCENE_TEXT];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    scene_write(c, text);
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    return spec;
}

static void check_outcome(long n, carom_status status, bool failed, const carom_error *err)
{
    if (status != (failed ? CAROM_NO_MEMORY : CAROM_OK)) {
        print_error("allocation %ld: %s: %s\n", n, carom_status_name(status), err->message);
    }
    CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
    CHECK(status == CAROM_OK || err->message[0]);
}

static void fail_in_compiling_spec(carom_spec *spec)
{
    carom_status status = CAROM_NO_MEMORY;
    long n = 0;
    while (status != CAROM_OK) {
        carom_model *model = NULL;
        carom_error err = { 0 };
        heap_begin(++n);
        status = carom_compile(spec, &model, &err);
        carom_model_destroy(model);
        bool failed = heap_end();
        check_outcome(n, status, failed, &err);
        CHECK_EQ(heap.live, 0);
    }
    CHECK_GE((double)n, 50.0);
    printf("  %ld allocations\n", n - 1);
    carom_spec_destroy(spec);
}

static void fail_in_compiling(const contact_scene *c)
{
    fail_in_compiling_spec(spec_of(c));
}

TEST(memory, every_allocation_of_compiling_may_fail)
{
    contact_scene c = three_solids(contact, "\"end\": 1");
    fail_in_compiling(&c);
    c = joined_solids("\"end\": 1");
    fail_in_compiling(&c);
    c = three_solids(exact, "\"end\": 1");
    fail_in_compiling(&c);
}

#define STRIP(as)                \
    "bodies.strip.flexible={" as \
    ",\"thickness\":0.01,\"mesh\":{\"strip\":{\"length\":0.1,\"height\":0.01,\"divisions\":[8,2]}}}"
#define BLOCK(as) \
    "bodies.strip.flexible={" as ",\"mesh\":{\"block\":{\"size\":[0.1,0.01,0.01],\"divisions\":[4,1,1]}}}"
#define NO_SIGNALS "record={}"
#define ZONE "\"as\":\"zone\",\"modes\":{\"count\":6},\"zone\":{\"box\":{\"low\":[0.01,-1,-1],\"high\":[1,1,1]}}"

/* Finite elements, their modes, zones of nodes and surfaces, under a method that takes nodes and one that takes surfaces. */
TEST(memory, every_allocation_of_making_bodies_that_deform_may_fail)
{
    static const char compliant[] = "contact={\"method\":\"compliant\",\"law\":{\"linear\":{\"k\":1e6}}}";
    static const char *const bodies[] = { STRIP("\"as\":\"nodes\""),
                                          BLOCK("\"as\":\"nodes\",\"rotation\":\"element\""),
                                          STRIP("\"modes\":{\"count\":6}"),
                                          BLOCK("\"modes\":{\"count\":6},\"stiffening\":true"),
                                          STRIP(ZONE),
                                          BLOCK(ZONE) };
    for (int k = 0; k < 6; ++k) {
        const char *const nodes[] = { bodies[k], "variables.deep=1", "variables.h=1e-8", NO_SIGNALS, NULL };
        const char *const surface[] = { bodies[k], "variables.deep=1", compliant, "time={\"end\":1e-3}", NO_SIGNALS,
                                        NULL };
        fail_in_compiling_spec(scene_read("constraint_zone.json", nodes));
        if (k > 1) { /* nodes go with 'constraint' only */
            fail_in_compiling_spec(scene_read("constraint_zone.json", surface));
        }
    }
}

/* The start of a body in the shape of its loads; the state is as it was. */
TEST(memory, every_allocation_of_a_start_may_fail)
{
    carom_spec *spec = scene_read("static_spin.json", NULL);
    carom_model *model = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_status status = CAROM_NO_MEMORY;
    long n = 0;
    while (status != CAROM_OK) {
        carom_state *state = carom_state_create(model);
        carom_scratch *scratch = NULL;
        const uint64_t before = carom_state_hash(state);
        CHECK_OK(carom_scratch_create(model, 1, &scratch, &err), err);
        heap_begin(++n);
        status = carom_assemble(model, state, scratch, NULL, &err);
        bool failed = heap_end();
        check_outcome(n, status, failed, &err);
        CHECK(status == CAROM_OK || carom_state_hash(state) == before);
        carom_scratch_destroy(scratch);
        carom_state_destroy(state);
    }
    printf("  %ld allocations\n", n - 1);
    CHECK_GE((double)n, 5.0);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
}

TEST(memory, every_allocation_of_a_scratch_may_fail)
{
    contact_scene c = three_solids(contact, "\"end\": 1");
    sim s = scene_start(&c, 1);
    carom_status status = CAROM_NO_MEMORY;
    long n = 0;
    while (status != CAROM_OK) {
        carom_scratch *scratch = NULL;
        carom_error err = { 0 };
        heap_begin(++n);
        status = carom_scratch_create(s.model, 1, &scratch, &err);
        carom_scratch_destroy(scratch);
        bool failed = heap_end();
        check_outcome(n, status, failed, &err);
        CHECK_EQ(heap.live, 0);
    }
    sim_end(&s);
}

/* A fresh scratch, so that every array has to be made; a failing step, then the same step again. */
static carom_status fail_and_repeat(const sim *s, uint64_t expected, long n)
{
    carom_error err = { 0 };
    carom_scratch *scratch = NULL;
    carom_state *state = carom_state_create(s->model);
    CHECK_EQ(carom_state_copy(state, s->state), CAROM_OK);
    free(state->contacts.items); /* no room left over either */
    state->contacts.items = NULL;
    state->contacts.capacity = state->contacts.count = 0;
    CHECK_EQ(carom_state_copy(state, s->state), CAROM_OK);
    uint64_t before = carom_state_hash(state);
    CHECK_OK(carom_scratch_create(s->model, 1, &scratch, &err), err);
    heap_begin(n);
    carom_status status = carom_step(s->model, state, scratch, 1.0, NULL, &err);
    bool failed = heap_end();
    check_outcome(n, status, failed, &err);
    if (failed) {
        if (carom_state_hash(state) != before) {
            print_error("allocation %ld of a step: the state has changed\n", n);
        }
        CHECK(carom_state_hash(state) == before);
        carom_scratch_destroy(scratch);
        CHECK_OK(carom_scratch_create(s->model, 1, &scratch, &err), err);
        CHECK_OK(carom_step(s->model, state, scratch, 1.0, NULL, &err), err);
    }
    CHECK(carom_state_hash(state) == expected);
    carom_state_destroy(state);
    carom_scratch_destroy(scratch);
    return status;
}

static void fail_in_steps(const char *integrator, bool joined, const char *settings)
{
    char time[128];
    snprintf(time, sizeof time, "\"end\": 1, \"integrator\": \"%s\", \"step\": 1e-4", integrator);
    contact_scene c = joined ? joined_solids(time) : three_solids(settings, time);
    sim s = scene_start(&c, 1);
    long most = 0;
    size_t remembered = 0;
    for (int k = 0; k < 600; ++k) {
        sim next = { .model = s.model, .state = carom_state_create(s.model), .scratch = s.scratch };
        CHECK_EQ(carom_state_copy(next.state, s.state), CAROM_OK);
        sim_step(&next, 1.0);
        bool more = next.state->contacts.count > s.state->contacts.count; /* a step that begins to touch */
        remembered = remembered > next.state->contacts.count ? remembered : next.state->contacts.count;
        for (long n = 1; (more || k == 0) && fail_and_repeat(&s, carom_state_hash(next.state), n) != CAROM_OK; ++n) {
            most = n > most ? n : most;
        }
        carom_state_destroy(s.state);
        s.state = next.state;
    }
    printf("  %-20s up to %ld allocations in a step, %zu records\n", integrator, most, remembered);
    CHECK_GE((double)remembered, 2.0); /* a speed and a bristle */
    CHECK_GE((double)most, 3.0);
    sim_end(&s);
}

TEST(memory, every_allocation_of_a_step_may_fail)
{
    fail_in_steps("runge-kutta", false, contact);
    fail_in_steps("generalized-alpha", false, contact);
    fail_in_steps("radau", false, contact);
    fail_in_steps("semi-implicit-euler", false, contact);
    fail_in_steps("runge-kutta", true, contact);
    fail_in_steps("generalized-alpha", false, exact);
    fail_in_steps("radau", false, exact);
    fail_in_steps("runge-kutta", false, exact);
}

/* Explicit steps of a body with a zone of nodes, from flight into contact. */
TEST(memory, every_allocation_of_an_explicit_step_may_fail)
{
    static const char *const settings[] = { "variables.deep=($L/2-$R)*cos($tilt)+$R+2e-6", NULL };
    sim s = sim_start(scene_read("constraint_zone.json", settings), 1);
    long most = 0;
    int touched = 0;
    for (int k = 0; k < 40; ++k) {
        sim next = { .model = s.model, .state = carom_state_create(s.model), .scratch = s.scratch };
        CHECK_EQ(carom_state_copy(next.state, s.state), CAROM_OK);
        sim_step(&next, 1.0);
        bool more = next.state->contacts.count > s.state->contacts.count;
        touched += more;
        for (long n = 1; (more || k == 0) && fail_and_repeat(&s, carom_state_hash(next.state), n) != CAROM_OK; ++n) {
            most = n > most ? n : most;
        }
        carom_state_destroy(s.state);
        s.state = next.state;
    }
    printf("  up to %ld allocations in a step\n", most);
    CHECK(touched > 0);
    CHECK_GE((double)most, 3.0);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(memory, every_allocation_of_compiling_may_fail),
        RUN_TEST(memory, every_allocation_of_making_bodies_that_deform_may_fail),
        RUN_TEST(memory, every_allocation_of_a_start_may_fail),
        RUN_TEST(memory, every_allocation_of_a_scratch_may_fail),
        RUN_TEST(memory, every_allocation_of_a_step_may_fail),
        RUN_TEST(memory, every_allocation_of_an_explicit_step_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
