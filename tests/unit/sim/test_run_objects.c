/* Runs as objects: pieces, forks and sinks of one's own reach the same states as steps do, and a sink hears all that happens,
 * in order, once. */
#include <unistd.h>

#include "support/check.h"
#include "support/small_run.h"

static const char scene[] = SMALL_SCENE(SMALL_BALLS ", " SMALL_FLOOR ", " SMALL_ARM, SMALL_HINGE);
static const char bouncing[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 0.5}, \"record\": {\"every\": 0.05},"
    " \"contact\": {\"method\": \"impact\", \"restitution\": 0.5}, \"bodies\": ["
    "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 0.4]}," SMALL_FLOOR "]}";

/* What a sink has heard. */
typedef struct diary {
    carom_run *run;
    int begun, frames, events, steps, ended, destroyed;
    double last; /* [s] time of the last entry */
    carom_status outcome;
    int fail_at; /* frame that is not taken; 0: all are */
} diary;

static carom_status hear_begin(void *self, carom_run *run, carom_error *err)
{
    diary *d = self;
    (void)err;
    CHECK_EQ(d->frames + d->events + d->steps, 0);
    d->run = run;
    d->begun++;
    return CAROM_OK;
}

static carom_status hear_frame(void *self, const carom_frame *frame, carom_error *err)
{
    diary *d = self;
    CHECK_GE(carom_frame_time(frame), d->last);
    d->last = carom_frame_time(frame);
    d->frames++;
    return d->frames == d->fail_at ? carom_fail(err, CAROM_IO_FAILED, "the drawer is full") : CAROM_OK;
}

static carom_status hear_event(void *self, const carom_event *event, carom_error *err)
{
    diary *d = self;
    (void)err;
    CHECK_GE(event->t, d->last);
    d->last = event->t;
    d->events++;
    return CAROM_OK;
}

static carom_status hear_step(void *self, carom_run *run, carom_error *err)
{
    diary *d = self;
    (void)err;
    CHECK(run == d->run);
    d->steps++;
    return CAROM_OK;
}

static carom_status hear_end(void *self, carom_run *run, const carom_error *outcome, carom_error *err)
{
    diary *d = self;
    (void)err;
    CHECK(run == d->run);
    d->ended++;
    d->outcome = outcome->status;
    return CAROM_OK;
}

static void hear_destroy(void *self)
{
    ((diary *)self)->destroyed++;
}

static carom_sink sink_of(diary *d)
{
    return (carom_sink){ .self = d,
                         .begin = hear_begin,
                         .frame = hear_frame,
                         .event = hear_event,
                         .step = hear_step,
                         .end = hear_end,
                         .destroy = hear_destroy };
}

static carom_run *make(const carom_model *model, const carom_run_def *def)
{
    carom_run *run = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_run_create(model, def, &run, &err), err);
    return run;
}

static void advance(carom_run *run, double until)
{
    carom_error err = { 0 };
    CHECK_OK(carom_run_advance(run, until, 0.0, &err), err);
}

static uint64_t hash_of(const carom_run *run)
{
    return carom_state_hash(carom_run_state(run));
}

/* The state at the end of a run into a folder cannot be seen: the checkpoint that it leaves is. */
static uint64_t hash_of_folder(const carom_model *model, const char *folder)
{
    const carom_run_def def = { .checkpoint = folder };
    carom_run *run = make(model, &def);
    advance(run, 0.0);
    uint64_t hash = hash_of(run);
    carom_run_destroy(run);
    return hash;
}

TEST(runs, reach_the_same_bits_whatever_the_sink)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    diary d = { 0 };
    carom_sink sink = sink_of(&d);
    const carom_run_def own = { .sink = &sink };
    carom_model *model = small_compile(scene);
    carom_run *none = make(model, &(carom_run_def){ 0 });
    carom_run *heard = make(model, &own);
    CHECK(mkdtemp(folder) != NULL);
    small_run(scene, folder);
    advance(none, HUGE_VAL);
    advance(heard, HUGE_VAL);
    CHECK(hash_of(none) == hash_of(heard));
    CHECK(hash_of(none) == hash_of_folder(model, folder));
    CHECK_EQ(carom_run_report_of(none).steps, carom_run_report_of(heard).steps);
    CHECK_EQ(carom_run_report_of(none).events, d.events);
    CHECK_EQ(d.steps, carom_run_report_of(heard).steps + 1);
    CHECK_EQ(d.frames, 7);
    CHECK_EQ(d.begun, 1);
    CHECK_EQ(d.ended, 1);
    CHECK_EQ(d.outcome, CAROM_OK);
    carom_run_destroy(none);
    carom_run_destroy(heard);
    CHECK_EQ(d.ended, 1);
    CHECK_EQ(d.destroyed, 1);
    carom_model_destroy(model);
    small_remove(folder);
}

/* Between two steps the clock may stop a run; that changes nothing. */
TEST(runs, stop_at_the_wall_limit_and_go_on)
{
    carom_model *model = small_compile(scene);
    carom_run *whole = make(model, &(carom_run_def){ 0 });
    carom_run *pieces = make(model, &(carom_run_def){ 0 });
    int calls = 0;
    carom_error err = { 0 };
    advance(whole, HUGE_VAL);
    while (carom_state_time(carom_run_state(pieces)) < 0.06) {
        CHECK_OK(carom_run_advance(pieces, HUGE_VAL, 1e-9, &err), err);
        ++calls;
    }
    CHECK_EQ(calls, carom_run_report_of(whole).steps); /* a step each */
    CHECK(hash_of(whole) == hash_of(pieces));
    carom_run_destroy(whole);
    carom_run_destroy(pieces);
    carom_model_destroy(model);
}

static void check_fork(const char *text, double at, double end)
{
    diary d = { 0 };
    carom_sink sink = sink_of(&d);
    carom_model *model = small_compile(text);
    carom_run *run = make(model, &(carom_run_def){ 0 });
    advance(run, at);
    const carom_run_def def = { .from = carom_run_state(run), .sink = &sink };
    carom_run *fork = make(model, &def);
    advance(run, HUGE_VAL); /* the fork has a copy */
    CHECK(carom_state_time(carom_run_state(fork)) == at);
    advance(fork, HUGE_VAL);
    CHECK(carom_state_time(carom_run_state(fork)) == end);
    CHECK(hash_of(run) == hash_of(fork));
    CHECK_GE(d.frames, 2);
    CHECK(d.last == end);
    carom_run_destroy(run);
    carom_run_destroy(fork);
    carom_model_destroy(model);
}

TEST(runs, fork_and_go_on_with_the_same_bits)
{
    check_fork(scene, 0.02, 0.06);
    check_fork(scene, 0.0333, 0.06);
    check_fork(bouncing, 0.1, 0.5);  /* before the first impact */
    check_fork(bouncing, 0.31, 0.5); /* in between */
}

/* 300 times 1 ms is less than three times 0.1 s by a bit: a time on the grid, but for rounding, is the first frame, and no frame
 * is looked for before the state, where nothing is known. */
TEST(runs, record_from_where_they_begin)
{
    const double at = 3.0 * 0.1;
    diary d = { 0 };
    carom_sink sink = sink_of(&d);
    carom_model *model = small_compile(bouncing);
    carom_run *run = make(model, &(carom_run_def){ 0 });
    advance(run, at);
    CHECK(300.0 * 1e-3 < at);
    sink.every = 1e-3;
    const carom_run_def def = { .from = carom_run_state(run), .duration = 0.4, .sink = &sink };
    carom_run *fork = make(model, &def);
    advance(fork, 0.0);
    CHECK_EQ(d.frames, 1);
    CHECK(d.last == at);
    advance(fork, HUGE_VAL);
    CHECK_EQ(d.frames, 101);
    CHECK(d.last == 0.4);
    carom_run_destroy(run);
    carom_run_destroy(fork);
    carom_model_destroy(model);
}

TEST(runs, end_with_the_trouble_of_their_sink)
{
    diary d = { .fail_at = 3 };
    carom_sink sink = sink_of(&d);
    const carom_run_def def = { .sink = &sink };
    carom_error err = { 0 };
    carom_model *model = small_compile(scene);
    carom_run *run = make(model, &def);
    for (int again = 0; again < 2; ++again) {
        err = (carom_error){ 0 };
        CHECK_EQ(carom_run_advance(run, HUGE_VAL, 0.0, &err), CAROM_IO_FAILED);
        CHECK_TEXT(err.message, "the drawer is full");
    }
    CHECK_EQ(d.frames, 3);
    CHECK_EQ(d.ended, 1);
    CHECK_EQ(d.outcome, CAROM_IO_FAILED);
    carom_run_destroy(run);
    CHECK_EQ(d.ended, 1);
    carom_model_destroy(model);
}

/* A sink that fails in one of its functions without a word, or advances the run that it serves. */
typedef struct mute {
    const char *where; /* function that answers */
    carom_status with;
    carom_run *run; /* to be advanced from within */
    carom_status nested;
    carom_error said;
} mute;

static carom_status answer(mute *m, const char *where, carom_run *run)
{
    if (run && m->run) {
        m->nested = carom_run_advance(run, HUGE_VAL, 0.0, &m->said);
        m->run = NULL;
    }
    return strcmp(m->where, where) == 0 ? m->with : CAROM_OK;
}

static carom_status mute_begin(void *self, carom_run *run, carom_error *err)
{
    (void)err;
    return answer(self, "begin", run);
}

static carom_status mute_frame(void *self, const carom_frame *frame, carom_error *err)
{
    (void)frame;
    (void)err;
    return answer(self, "frame", NULL);
}

static carom_status mute_step(void *self, carom_run *run, carom_error *err)
{
    (void)err;
    return answer(self, "step", run);
}

static carom_status mute_end(void *self, carom_run *run, const carom_error *outcome, carom_error *err)
{
    (void)run;
    (void)outcome;
    (void)err;
    return answer(self, "end", NULL);
}

static carom_sink sink_of_mute(mute *m)
{
    return (carom_sink){ .self = m, .begin = mute_begin, .frame = mute_frame, .step = mute_step, .end = mute_end };
}

TEST(runs, say_which_function_of_a_sink_failed_without_a_word)
{
    static const char *const functions[] = { "begin", "frame", "step", "end" };
    carom_model *model = small_compile(scene);
    for (int i = 0; i < 8; ++i) {
        bool known = i < 4;
        mute m = { .where = functions[i % 4], .with = known ? CAROM_IO_FAILED : (carom_status)77 };
        carom_sink sink = sink_of_mute(&m);
        carom_error err = { .message = "of an earlier call" };
        carom_run *run = make(model, &(carom_run_def){ .sink = &sink });
        CHECK_EQ(carom_run_advance(run, HUGE_VAL, 0.0, &err), known ? CAROM_IO_FAILED : CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, functions[i % 4]);
        CHECK_CONTAINS(err.message, known ? "gave no message" : "returned 77, which is no carom_status");
        carom_run_destroy(run);
    }
    carom_model_destroy(model);
}

TEST(runs, are_not_advanced_by_their_sink)
{
    carom_model *model = small_compile(scene);
    mute m = { .where = "" };
    carom_sink sink = sink_of_mute(&m);
    carom_run *alone = make(model, &(carom_run_def){ 0 });
    carom_run *run = make(model, &(carom_run_def){ .sink = &sink });
    m.run = run;
    advance(alone, HUGE_VAL);
    advance(run, HUGE_VAL);
    CHECK_EQ(m.nested, CAROM_BAD_INPUT);
    CHECK_CONTAINS(m.said.message, "the run is being advanced");
    CHECK_EQ(carom_state_hash(carom_run_state(run)), carom_state_hash(carom_run_state(alone)));
    carom_run_destroy(alone);
    carom_run_destroy(run);
    carom_model_destroy(model);
}

static bool never(void *context, const carom_progress *progress)
{
    (void)context;
    return progress->steps < 3;
}

TEST(runs, are_interrupted_by_their_caller_or_left)
{
    diary d[2] = { { 0 } };
    carom_sink sinks[2] = { sink_of(&d[0]), sink_of(&d[1]) };
    const carom_run_def stopped = { .sink = &sinks[0], .keep_going = never };
    const carom_run_def left = { .sink = &sinks[1] };
    carom_model *model = small_compile(scene);
    carom_run *run = make(model, &stopped);
    CHECK_EQ(carom_run_advance(run, HUGE_VAL, 0.0, NULL), CAROM_INTERRUPTED);
    CHECK_EQ(carom_run_report_of(run).steps, 3);
    carom_run_destroy(run);
    run = make(model, &left);
    advance(run, 0.01);
    carom_run_destroy(run);
    for (int i = 0; i < 2; ++i) {
        CHECK_EQ(d[i].ended, 1);
        CHECK_EQ(d[i].outcome, CAROM_INTERRUPTED);
        CHECK_EQ(d[i].destroyed, 1);
    }
    carom_model_destroy(model);
}

/* A run that is left goes on from its folder, into the same folder or without. */
TEST(runs, go_on_from_the_checkpoint_of_a_folder)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    carom_sink sink;
    carom_error err = { 0 };
    carom_model *model = small_compile(scene);
    carom_run *whole = make(model, &(carom_run_def){ 0 });
    CHECK(mkdtemp(folder) != NULL);
    const carom_folder_options options = { .folder = folder };
    CHECK_OK(carom_sink_folder(&options, &sink, &err), err);
    const carom_run_def into = { .sink = &sink };
    carom_run *run = make(model, &into);
    advance(run, 0.025);
    advance(whole, 0.025);
    carom_run_destroy(run);
    advance(whole, HUGE_VAL);

    diary d = { 0 };
    carom_sink own = sink_of(&d);
    const carom_run_def without = { .checkpoint = folder, .sink = &own };
    run = make(model, &without);
    advance(run, HUGE_VAL);
    CHECK(hash_of(run) == hash_of(whole));
    CHECK_EQ(carom_run_report_of(run).steps, carom_run_report_of(whole).steps);
    CHECK_EQ(d.frames, 4); /* 0.03 to 0.06 s */
    carom_run_destroy(run);

    const carom_run_options resumed = { .folder = folder };
    CHECK_OK(carom_resume_folder(model, &resumed, &err), err);
    CHECK(hash_of_folder(model, folder) == hash_of(whole));
    carom_result *result = small_open(folder);
    CHECK_EQ(carom_result_frame_count(result), 7);
    carom_result_close(result);
    carom_run_destroy(whole);
    carom_model_destroy(model);
    small_remove(folder);
}

/* A fork into a folder holds the run from the fork on, also when it is left and goes on from its checkpoint. */
TEST(runs, into_folders_begin_where_their_state_is)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    carom_error err = { 0 };
    carom_sink sink;
    carom_model *model = small_compile(scene);
    carom_run *whole = make(model, &(carom_run_def){ 0 });
    CHECK(mkdtemp(folder) != NULL);
    const carom_folder_options options = { .folder = folder };
    advance(whole, 0.025);
    CHECK_OK(carom_sink_folder(&options, &sink, &err), err);
    const carom_run_def def = { .from = carom_run_state(whole), .sink = &sink };
    carom_run *fork = make(model, &def);
    advance(fork, 0.045);
    carom_run_destroy(fork);
    advance(whole, 0.045);
    advance(whole, HUGE_VAL);

    const carom_run_options resumed = { .folder = folder };
    CHECK_OK(carom_resume_folder(model, &resumed, &err), err);
    CHECK(hash_of_folder(model, folder) == hash_of(whole));
    carom_result *result = small_open(folder);
    CHECK_EQ(carom_result_frame_count(result), 4);
    const double *time = carom_result_time(result);
    for (int k = 0; k < 4; ++k) {
        CHECK_NEAR(time[k], 0.03 + 0.01 * k, 1e-15);
    }
    carom_result_close(result);
    carom_run_destroy(whole);
    carom_model_destroy(model);
    small_remove(folder);
}

/* A folder does not go on from another's checkpoint. */
TEST(runs, into_folders_go_on_from_their_own_checkpoint_only)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    carom_error err = { 0 };
    carom_sink sink;
    CHECK(mkdtemp(folder) != NULL);
    small_run(scene, folder);
    carom_model *model = small_compile(scene);
    const carom_folder_options options = { .folder = "/tmp/carom-test-never-made" };
    CHECK_OK(carom_sink_folder(&options, &sink, &err), err);
    const carom_run_def def = { .checkpoint = folder, .duration = 0.1, .sink = &sink };
    carom_run *run = make(model, &def);
    CHECK_EQ(carom_run_advance(run, HUGE_VAL, 0.0, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "its own checkpoint only");
    CHECK(access(options.folder, F_OK) != 0);
    carom_run_destroy(run);
    carom_model_destroy(model);
    small_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(runs, reach_the_same_bits_whatever_the_sink),
        RUN_TEST(runs, stop_at_the_wall_limit_and_go_on),
        RUN_TEST(runs, fork_and_go_on_with_the_same_bits),
        RUN_TEST(runs, record_from_where_they_begin),
        RUN_TEST(runs, end_with_the_trouble_of_their_sink),
        RUN_TEST(runs, say_which_function_of_a_sink_failed_without_a_word),
        RUN_TEST(runs, are_not_advanced_by_their_sink),
        RUN_TEST(runs, are_interrupted_by_their_caller_or_left),
        RUN_TEST(runs, go_on_from_the_checkpoint_of_a_folder),
        RUN_TEST(runs, into_folders_begin_where_their_state_is),
        RUN_TEST(runs, into_folders_go_on_from_their_own_checkpoint_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
