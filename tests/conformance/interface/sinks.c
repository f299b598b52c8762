/* Runs as objects and their sinks. */
#include "interface.h"

/* A sink that counts how often it is destroyed. */
static int destroyed;

static void count_destroyed(void *self)
{
    (void)self;
    ++destroyed;
}

static struct carom_run *make_run(const carom_run_def *def)
{
    struct carom_run *run = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_run_create(the.one.model, def, &run, &err), err);
    return run;
}

static void frame_time(void)
{
    CHECK(carom_frame_time(NULL) == 0.0);
}

static void create_run(void)
{
    struct carom_run *run = NULL;
    const carom_run_def good = { 0 };
    carom_run_def def = good;
    REFUSES(carom_run_create, NULL, &def, &run);
    REFUSES(carom_run_create, the.one.model, NULL, &run);
    REFUSES(carom_run_create, the.one.model, &def, NULL);
    FOR_EACH(x, not_nonnegative)
    {
        carom_sink sink = { .every = ITEM(x, not_nonnegative), .destroy = count_destroyed };
        destroyed = 0;
        def = good;
        def.sink = &sink;
        REFUSES(carom_run_create, the.one.model, &def, &run); /* calls it twice */
        CHECK_EQ(destroyed, 2);                               /* also when there is no run */
        def = good;
        def.duration = ITEM(x, not_nonnegative);
        REFUSES(carom_run_create, the.one.model, &def, &run);
    }
    const int threads[] = { -1, INT_MIN, INT_MAX, 4097 };
    FOR_EACH(count, threads)
    {
        def = good;
        def.threads = ITEM(count, threads);
        REFUSES(carom_run_create, the.one.model, &def, &run);
    }
    def = good;
    def.from = the.other.state;
    REFUSES(carom_run_create, the.one.model, &def, &run);
    def.from = the.heavier.state;
    REFUSES(carom_run_create, the.one.model, &def, &run);
    def.from = the.one.state;
    def.checkpoint = path_of("run");
    REFUSES(carom_run_create, the.one.model, &def, &run); /* both */
    def = good;
    def.checkpoint = "";
    REFUSES(carom_run_create, the.one.model, &def, &run);
    CHECK(run == NULL);
}

static void advance_run(void)
{
    const carom_run_def def = { .duration = 0.01 };
    const carom_run_def of_another = { .checkpoint = path_of("run") };
    struct carom_run *run = make_run(&def);
    REFUSES(carom_run_advance, NULL, 1.0, 0.0);
    REFUSES(carom_run_advance, run, (double)NAN, 0.0);
    FOR_EACH(x, not_nonnegative)
    {
        REFUSES(carom_run_advance, run, 1.0, ITEM(x, not_nonnegative));
    }
    CHECK_EQ(carom_run_advance(run, -HUGE_VAL, 0.0, NULL), CAROM_OK); /* only begins */
    CHECK_EQ(carom_run_advance(run, HUGE_VAL, 0.0, NULL), CAROM_OK);
    CHECK(carom_state_time(carom_run_state(run)) == 0.01);
    carom_run_destroy(run);
    CHECK_EQ(carom_run_create(the.other.model, &of_another, &run, NULL), CAROM_OK);
    REFUSES(carom_run_advance, run, 1.0, 0.0); /* the checkpoint of another model; and so ever after */
    carom_run_destroy(run);
}

static void run_state(void)
{
    CHECK(carom_run_state(NULL) == NULL);
}

static void report_of_run(void)
{
    CHECK_EQ(carom_run_report_of(NULL).steps, 0);
}

static void destroy_run(void)
{
    const carom_sink sink = { .destroy = count_destroyed };
    const carom_run_def def = { .sink = &sink };
    carom_run_destroy(NULL);
    destroyed = 0;
    carom_run_destroy(make_run(&def)); /* never advanced */
    CHECK_EQ(destroyed, 1);
}

static void sink_folder(void)
{
    carom_sink sink = { .destroy = count_destroyed };
    carom_folder_options options = { .folder = path_of("sink") };
    REFUSES(carom_sink_folder, NULL, &sink);
    CHECK(sink.destroy == NULL);
    REFUSES(carom_sink_folder, &options, NULL);
    FOR_EACH(x, not_nonnegative)
    {
        options.checkpoint_every = ITEM(x, not_nonnegative);
        REFUSES(carom_sink_folder, &options, &sink);
    }
    options = (carom_folder_options){ .folder = "" };
    REFUSES(carom_sink_folder, &options, &sink);
    options.folder = NULL;
    REFUSES(carom_sink_folder, &options, &sink);
}

const interface_case interface_sinks[] = {
    { "carom_frame_time", frame_time },       { "carom_run_create", create_run },
    { "carom_run_advance", advance_run },     { "carom_run_state", run_state },
    { "carom_run_report_of", report_of_run }, { "carom_run_destroy", destroy_run },
    { "carom_sink_folder", sink_folder },     { NULL, NULL },
};
