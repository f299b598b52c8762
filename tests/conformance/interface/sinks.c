/* Observers, runs as objects and their sinks. */
#include "interface.h"

/* A sink that counts how often it is destroyed. */
static int destroyed;

static void count_destroyed(void *self)
{
    (void)self;
    ++destroyed;
}

static carom_run *make_run(const carom_run_def *def)
{
    carom_run *run = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_run_create(the.one.model, def, &run, &err), err);
    return run;
}

/* ---- observers ----------------------------------------------------------------------------------------------------- */

static const char *const some_signals[] = { "hinge.angle", "ball.position.z", "hinge.force" };

static carom_observer *make_observer(const carom_model *model)
{
    carom_observer *observer = NULL;
    carom_error err = { 0 };
    const char *const any[] = { "t" };
    bool one = model == the.one.model;
    CHECK_OK(carom_observer_create(model, one ? some_signals : any, one ? 3 : 1, &observer, &err), err);
    return observer;
}

static void create_observer(void)
{
    carom_observer *observer = NULL;
    const char *const holed[] = { "hinge.angle", NULL };
    const char *const unknown[] = { "hinge.angel", "", overlong() };
    REFUSES(carom_observer_create, NULL, some_signals, 3, &observer);
    REFUSES(carom_observer_create, the.one.model, NULL, 3, &observer);
    REFUSES(carom_observer_create, the.one.model, holed, 2, &observer);
    REFUSES(carom_observer_create, the.one.model, holed, SIZE_MAX, &observer);
    REFUSES(carom_observer_create, the.one.model, some_signals, 3, NULL);
    FOR_EACH(name, unknown)
    {
        REFUSES(carom_observer_create, the.one.model, &ITEM(name, unknown), 1, &observer);
    }
    CHECK(observer == NULL);
    CHECK_EQ(carom_observer_create(the.one.model, NULL, 0, &observer, NULL), CAROM_OK);
    CHECK_EQ(carom_observe(observer, the.one.state, the.one.scratch, NULL, NULL), CAROM_OK); /* nothing */
    carom_observer_destroy(observer);
}

static void destroy_observer(void)
{
    carom_observer_destroy(NULL);
}

static void observer_count(void)
{
    CHECK_EQ(carom_observer_count(NULL), 0);
}

static void observer_unit(void)
{
    carom_observer *observer = make_observer(the.one.model);
    CHECK(carom_observer_unit(NULL, 0) == NULL);
    CHECK_TEXT(carom_observer_unit(observer, 2), "N");
    CHECK(carom_observer_unit(observer, 3) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_observer_unit(observer, ITEM(size, strange_sizes)) == NULL);
    }
    carom_observer_destroy(observer);
}

static void observe(void)
{
    double out[3] = { 0 };
    carom_observer *observer = make_observer(the.one.model);
    const trio *one = &the.one;
    REFUSES(carom_observe, NULL, one->state, one->scratch, out);
    REFUSES(carom_observe, observer, NULL, one->scratch, out);
    REFUSES(carom_observe, observer, one->state, NULL, out);
    REFUSES(carom_observe, observer, one->state, one->scratch, NULL);
    REFUSES(carom_observe, observer, the.other.state, one->scratch, out);
    REFUSES(carom_observe, observer, the.other.state, the.other.scratch, out);
    REFUSES(carom_observe, observer, the.heavier.state, the.heavier.scratch, out);
    CHECK_EQ(carom_observe(observer, one->state, one->scratch, out, NULL), CAROM_OK);
    carom_observer_destroy(observer);
}

/* ---- runs ---------------------------------------------------------------------------------------------------------- */

static carom_status misuse_frame(void *self, const carom_frame *frame, carom_error *err)
{
    double out[3];
    carom_observer *observer = self;
    carom_observer *foreign = make_observer(the.heavier.model);
    (void)err;
    REFUSES(carom_frame_observe, frame, NULL, out);
    REFUSES(carom_frame_observe, frame, observer, NULL);
    REFUSES(carom_frame_observe, frame, foreign, out);
    CHECK_EQ(carom_frame_observe(frame, observer, out, NULL), CAROM_OK);
    carom_observer_destroy(foreign);
    return CAROM_OK;
}

static void frame_observe(void)
{
    double out[3];
    carom_observer *observer = make_observer(the.one.model);
    carom_sink sink = { .self = observer, .frame = misuse_frame };
    const carom_run_def def = { .duration = 0.01, .sink = &sink };
    carom_run *run = make_run(&def);
    REFUSES(carom_frame_observe, NULL, observer, out);
    CHECK_EQ(carom_run_advance(run, 0.0, 0.0, NULL), CAROM_OK);
    carom_run_destroy(run);
    carom_observer_destroy(observer);
}

static void frame_time(void)
{
    CHECK(carom_frame_time(NULL) == 0.0);
}

static void create_run(void)
{
    carom_run *run = NULL;
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
    carom_run *run = make_run(&def);
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

/* ---- memory -------------------------------------------------------------------------------------------------------- */

static carom_memory *make_memory(carom_observer *observer)
{
    carom_memory *memory = NULL;
    CHECK_EQ(carom_memory_create(observer, 0.01, &memory, NULL), CAROM_OK);
    return memory;
}

static void create_memory(void)
{
    carom_observer *observer = make_observer(the.one.model);
    carom_memory *memory = NULL;
    REFUSES(carom_memory_create, NULL, 0.0, &memory);
    REFUSES(carom_memory_create, observer, 0.0, NULL);
    FOR_EACH(x, not_nonnegative)
    {
        REFUSES(carom_memory_create, observer, ITEM(x, not_nonnegative), &memory);
    }
    CHECK(memory == NULL);
    carom_observer_destroy(observer);
}

static void destroy_memory(void)
{
    carom_memory_destroy(NULL);
}

static void sink_memory(void)
{
    carom_observer *observer = make_observer(the.heavier.model);
    carom_memory *memory = make_memory(observer);
    carom_sink sink = carom_sink_memory(memory);
    const carom_run_def def = { .sink = &sink };
    carom_run *run = make_run(&def);
    CHECK(carom_sink_memory(NULL).frame == NULL);
    REFUSES(carom_run_advance, run, 1.0, 0.0); /* signals of another model */
    carom_run_destroy(run);
    carom_memory_destroy(memory);
    carom_observer_destroy(observer);
}

static void memory_times(void)
{
    carom_observer *observer = make_observer(the.one.model);
    carom_memory *memory = make_memory(observer);
    CHECK(carom_memory_times(NULL).values == NULL && carom_memory_times(NULL).count == 0);
    CHECK(carom_memory_times(memory).values == NULL && carom_memory_times(memory).count == 0);
    carom_memory_destroy(memory);
    carom_observer_destroy(observer);
}

static void memory_signal(void)
{
    carom_observer *observer = make_observer(the.one.model);
    carom_memory *memory = make_memory(observer);
    CHECK(carom_memory_signal(NULL, 0).values == NULL);
    CHECK(carom_memory_signal(memory, 0).values == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_memory_signal(memory, ITEM(size, strange_sizes)).values == NULL);
    }
    carom_memory_destroy(memory);
    carom_observer_destroy(observer);
}

static void memory_events(void)
{
    size_t count = 7;
    CHECK(carom_memory_events(NULL, NULL) == NULL);
    CHECK(carom_memory_events(NULL, &count) == NULL);
    CHECK_EQ(count, 0);
}

const interface_case interface_sinks[] = {
    { "carom_observer_create", create_observer },
    { "carom_observer_destroy", destroy_observer },
    { "carom_observer_count", observer_count },
    { "carom_observer_unit", observer_unit },
    { "carom_observe", observe },
    { "carom_frame_observe", frame_observe },
    { "carom_memory_create", create_memory },
    { "carom_memory_destroy", destroy_memory },
    { "carom_sink_memory", sink_memory },
    { "carom_memory_times", memory_times },
    { "carom_memory_signal", memory_signal },
    { "carom_memory_events", memory_events },
    { "carom_frame_time", frame_time },
    { "carom_run_create", create_run },
    { "carom_run_advance", advance_run },
    { "carom_run_state", run_state },
    { "carom_run_report_of", report_of_run },
    { "carom_run_destroy", destroy_run },
    { "carom_sink_folder", sink_folder },
    { NULL, NULL },
};
