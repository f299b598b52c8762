/* Compiling when memory runs out: every single allocation fails once, and each time the answer is CAROM_NO_MEMORY,
 * nothing crashes and everything is given back. */
#include "rich_scene.h"

#include "support/failing_heap.h"
#include "support/scene_file.h"

/* Compiles with the n-th allocation failing. */
static carom_status compile_failing(const carom_spec *spec, long n, carom_model **model, carom_error *err)
{
    heap_begin(n);
    carom_status status = carom_compile(spec, model, err);
    if (status == CAROM_OK) {
        carom_model_destroy(*model);
    }
    heap_end();
    return status;
}

static void fail_every_allocation(const carom_spec *spec, long least)
{
    carom_status status = CAROM_NO_MEMORY;
    long n = 0;
    while (status != CAROM_OK) {
        carom_model *model = NULL;
        carom_error err = { 0 };
        status = compile_failing(spec, ++n, &model, &err);
        bool failed = heap.calls >= n; /* else there were fewer allocations: all of them have failed once */
        if (status != (failed ? CAROM_NO_MEMORY : CAROM_OK) || heap.live != 0) {
            print_error("allocation %ld: %s: %s; %ld blocks lost\n", n, carom_status_name(status), err.message,
                        heap.live);
        }
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK_EQ(heap.live, 0);
        CHECK_EQ(err.status, status);
        CHECK(status == CAROM_OK || (!model && err.message[0]));
    }
    CHECK_GE((double)n, (double)least); /* the arena was counted too */
}

TEST(compile_memory, every_allocation_may_fail)
{
    char folder[64];
    rich_scene_folder(folder, sizeof folder);
    carom_spec *spec = rich_scene_spec(folder, NULL);
    fail_every_allocation(spec, 100);
    carom_spec_destroy(spec);
    rich_scene_remove(folder);
}

static void no_force(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    (void)out, (void)in, (void)context;
}

static void linear(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    (void)context;
    double p = fmax(0.0, -in->gap);
    out->force = out->elastic = in->numbers[0] * p;
    out->d_gap = p > 0.0 ? -in->numbers[0] : 0.0;
    out->potential = 0.5 * in->numbers[0] * p * p;
}

static void viscous(carom_user_friction_output *out, const carom_user_friction_input *in, void *context)
{
    (void)context;
    out->mu = 0.1 * in->speed;
    out->slope = 0.1;
}

TEST(compile_memory, every_allocation_for_functions_of_a_program_may_fail)
{
    const double k[] = { 1e5 };
    const carom_user_measure measures[] = { { "a", CAROM_DIM_NONE }, { "b", CAROM_DIM_LENGTH } };
    const carom_user_normal_law_def law = { .name = "own", .numbers = { 1, k }, .force = linear };
    const carom_user_friction_law_def friction = { .name = "oil", .friction = viscous, .stick = 1e-3, .slide = 1 };
    const carom_user_force_def force = {
        .law = "none", .numbers = { 1, k }, .measures = { 2, measures }, .force = no_force
    };
    const char *const overrides[] = { "contact.friction={\"user\": {\"name\": \"oil\", \"numbers\": [1, 2]}}", NULL };
    carom_spec *spec = scene_read("thrown_ball.json", overrides);
    carom_error err = { 0 };
    carom_force_def def = carom_force_def_default();
    def.name = "push";
    def.attachment.bodies[0] = "ball";
    def.force = (carom_choice){ .kind = "user", .params = &force };
    CHECK_OK(carom_spec_add_normal_law(spec, &law, &err), err);
    CHECK_OK(carom_spec_add_friction_law(spec, &friction, &err), err);
    CHECK_OK(carom_spec_add_force(spec, &def, &err), err);
    fail_every_allocation(spec, 20);
    carom_spec_destroy(spec);
}

/* Bodies that deform: rigid and averaging attachments, free bodies, shortening, probes, a zone. */
TEST(compile_memory, every_allocation_for_bodies_that_deform_may_fail)
{
    static const char scene[] =
        "{\"carom\": 1, \"materials\": {\"steel\": {\"young\": 2e11, \"poisson\": 0.3, \"density\": 7800}}, \"bodies\": ["
        "{\"name\": \"a\", \"material\": \"steel\", \"flexible\": {\"mesh\": {\"beam\": {\"length\": 1, \"count\": 3}}, "
        "\"section\": {\"round\": 0.01}, \"modes\": {\"count\": 2}, \"stiffening\": true, "
        "\"attachments\": [{\"name\": \"l\", \"nodes\": {\"group\": \"x_min\"}}, "
        "{\"name\": \"r\", \"nodes\": {\"group\": \"x_max\"}, \"as\": \"average\"}], "
        "\"probes\": [{\"name\": \"p\", \"at\": [0, 0, 0], \"along\": [1, 0, 0]}]}}, "
        "{\"name\": \"b\", \"material\": \"steel\", \"flexible\": {\"mesh\": {\"strip\": {\"length\": 1, \"height\": 1, "
        "\"divisions\": [2, 1]}}, \"thickness\": 0.1, \"modes\": {\"up_to\": 2000}, "
        "\"attachments\": [{\"name\": \"l\", \"nodes\": {\"group\": \"x_min\"}, \"as\": \"average\"}]}}, "
        "{\"name\": \"c\", \"material\": \"steel\", \"flexible\": {\"as\": \"zone\", \"mesh\": {\"strip\": {\"length\": 1, "
        "\"height\": 1, \"divisions\": [4, 1]}}, \"thickness\": 0.1, \"modes\": {\"count\": 2}, "
        "\"zone\": {\"box\": {\"low\": [0, -1, -1], \"high\": [1, 1, 1]}}, "
        "\"probes\": [{\"name\": \"p\", \"at\": [0, 0, 0], \"along\": [1, 0, 0]}]}}]}";
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_scene_parse(scene, sizeof scene - 1, "scene", ".", NULL, 0, &spec, &err), err);
    fail_every_allocation(spec, 200);
    carom_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(compile_memory, every_allocation_may_fail),
        RUN_TEST(compile_memory, every_allocation_for_functions_of_a_program_may_fail),
        RUN_TEST(compile_memory, every_allocation_for_bodies_that_deform_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
