/* Who touched whom: statistics of pairs against brute force over all frames, and numbers of summary.json. */
#include "support/check.h"

#include <carom/result.h>

#include "fake_run.h"
#include "files/file.h"
#include "dynamics/contact.h"
#include "model/method.h"
#include "result/result.h"
#include "support/random.h"

enum { BODIES = 40, FRAMES = 60, POINTS = 120 };

static const contact_forces contact = { 0 }; /* declared, never called */
static const carom_method touching = { .kind = { .name = "touching" }, .forces = &contact };

typedef struct pair_run {
    fake_run fake;
    model_body bodies[BODIES];
    carom_pose pose[BODIES];
    body_rate rate[BODIES];
    double t[FRAMES];
    int count[FRAMES];
    carom_contact_point points[FRAMES][POINTS];
} pair_run;

static carom_contact_point random_point(test_rng *rng)
{
    int a = (int)test_rng_uniform(rng, 0.0, BODIES);
    return (carom_contact_point){ .body = { a, (a + 1 + (int)test_rng_uniform(rng, 0.0, 9.0)) % BODIES },
                                  .gap = test_rng_uniform(rng, -1e-3, 2e-4),
                                  .normal = random_direction(rng),
                                  .force = random_v3(rng, 100.0) };
}

/* Frames at uneven times, points in no order at all. */
static pair_run *make_run(uint64_t seed)
{
    test_rng rng = test_rng_seed(seed);
    pair_run *run = calloc(1, sizeof *run);
    CHECK(run != NULL);
    fake_run_init(&run->fake);
    run->fake.model.method = &touching;
    run->fake.model.body_count = BODIES;
    run->fake.model.bodies = run->bodies;
    for (int i = 0; i < BODIES; ++i) {
        run->bodies[i] = (model_body){ .name = i == 0 ? "ground" : "body", .role = i == 0 ? BODY_FIXED : BODY_FREE };
        run->pose[i].orientation.w = 1.0;
    }
    for (int k = 0; k < FRAMES; ++k) {
        run->t[k] = k > 0 ? run->t[k - 1] + test_rng_uniform(&rng, 0.01, 0.1) : 0.0;
        run->count[k] = k % 7 == 3 ? 0 : (int)test_rng_uniform(&rng, 0.0, POINTS);
        for (int i = 0; i < run->count[k]; ++i) {
            run->points[k][i] = random_point(&rng);
        }
    }
    CHECK(mkdtemp(run->fake.folder) != NULL);
    return run;
}

static void write_run(pair_run *run, int frames)
{
    carom_error err = { 0 };
    result_writer *writer = NULL;
    CHECK_OK(result_writer_create(&writer, run->fake.folder, &run->fake.model, "{}", NULL, &err), err);
    for (int k = 0; k < frames; ++k) {
        result_frame frame = fake_frame(&run->fake, k);
        frame.t = run->t[k];
        frame.pose = run->pose;
        frame.rate = run->rate;
        frame.contact_count = run->count[k];
        frame.contacts = run->points[k];
        CHECK_OK(result_writer_append(writer, &frame, &err), err);
    }
    CHECK_OK(result_writer_close(writer, &err), err);
}

static carom_result *open_run(const pair_run *run)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    CHECK_OK(carom_result_open(run->fake.folder, &result, &err), err);
    return result;
}

static void finish(pair_run *run)
{
    fake_run_clean(&run->fake);
    free(run);
}

/* ---- the oracle: each pair by itself, the trapezoidal rule as it is written down ----------------------------------- */

typedef struct pair_frame {
    bool touches;
    double force, normal, depth;
} pair_frame;

static pair_frame look(const pair_run *run, int k, int a, int b)
{
    v3 force = v3_zero();
    v3 normal = v3_zero();
    pair_frame f = { 0 };
    for (int i = 0; i < run->count[k]; ++i) {
        const carom_contact_point *c = &run->points[k][i];
        if (c->body[0] == a && c->body[1] == b) {
            f.touches = true;
            force = v3_add(force, c->force);
            normal = v3_axpy(normal, v3_dot(c->force, c->normal), c->normal);
            f.depth = fmax(f.depth, -c->gap);
        }
    }
    f.force = v3_norm(force);
    f.normal = v3_norm(normal);
    return f;
}

static carom_result_pair expected_pair(const pair_run *run, int a, int b, bool *touches)
{
    carom_result_pair p = { .body = { a, b } };
    pair_frame before = { 0 };
    *touches = false;
    for (int k = 0; k < FRAMES; ++k) {
        pair_frame now = look(run, k, a, b);
        double dt = k > 0 ? run->t[k] - run->t[k - 1] : 0.0;
        p.impulse += 0.5 * dt * (before.normal + now.normal);
        p.in_contact += 0.5 * dt * (before.touches + now.touches);
        if (now.touches) {
            p.first_touch = *touches ? p.first_touch : run->t[k];
            p.last_touch = run->t[k];
            p.peak_at = now.force > p.peak_force ? run->t[k] : p.peak_at;
            p.peak_force = fmax(p.peak_force, now.force);
            p.penetration = fmax(p.penetration, now.depth);
            *touches = true;
        }
        before = now;
    }
    return p;
}

static const carom_result_pair *find_pair(const carom_result_pair *pairs, size_t count, const int body[2])
{
    for (size_t i = 0; i < count; ++i) {
        if (pairs[i].body[0] == body[0] && pairs[i].body[1] == body[1]) {
            return &pairs[i];
        }
    }
    return NULL;
}

static void check_pair(const carom_result_pair *found, const carom_result_pair *expected)
{
    CHECK(found != NULL);
    CHECK_NEAR(found->first_touch, expected->first_touch, 0.0);
    CHECK_NEAR(found->last_touch, expected->last_touch, 0.0);
    CHECK_NEAR(found->in_contact, expected->in_contact, 1e-12);
    CHECK_NEAR(found->peak_force, expected->peak_force, 1e-9);
    CHECK_NEAR(found->peak_at, expected->peak_at, 0.0);
    CHECK_NEAR(found->impulse, expected->impulse, 1e-9);
    CHECK_NEAR(found->penetration, expected->penetration, 0.0);
}

TEST(pairs, agree_with_brute_force)
{
    pair_run *run = make_run(11);
    carom_error err = { 0 };
    carom_result_pair *pairs = NULL;
    size_t count = 0;
    size_t expected_count = 0;
    write_run(run, FRAMES);
    carom_result *result = open_run(run);
    CHECK_OK(carom_result_pairs(result, &pairs, &count, &err), err);
    for (int a = 0; a < BODIES; ++a) {
        for (int b = 0; b < BODIES; ++b) {
            bool touches;
            carom_result_pair expected = expected_pair(run, a, b, &touches);
            expected_count += touches;
            if (touches) {
                check_pair(find_pair(pairs, count, expected.body), &expected);
            }
        }
    }
    CHECK_EQ(count, expected_count);
    CHECK_GE((double)count, 200.0); /* more than the first table holds */
    for (size_t i = 1; i < count; ++i) {
        CHECK_LE(pairs[i].peak_force, pairs[i - 1].peak_force);
    }
    carom_result_pairs_destroy(pairs);
    carom_result_close(result);
    finish(run);
}

TEST(pairs, overview_agrees_with_brute_force)
{
    pair_run *run = make_run(12);
    carom_error err = { 0 };
    carom_contact_overview o;
    int most = 0;
    double depth = 0.0;
    double force = 0.0;
    write_run(run, FRAMES);
    carom_result *result = open_run(run);
    CHECK_OK(carom_result_contact_overview(result, &o, &err), err);
    for (int k = 0; k < FRAMES; ++k) {
        most = run->count[k] > most ? run->count[k] : most;
        for (int i = 0; i < run->count[k]; ++i) {
            depth = fmax(depth, -run->points[k][i].gap);
            force = fmax(force, v3_norm(run->points[k][i].force));
        }
    }
    CHECK_EQ(o.most_points, most);
    CHECK_NEAR(o.penetration, depth, 0.0);
    CHECK_NEAR(o.force, force, 1e-12);
    bool found = false;
    for (int k = 0; k < FRAMES; ++k) {
        for (int i = 0; i < run->count[k]; ++i) {
            const carom_contact_point *c = &run->points[k][i];
            found = found || (run->t[k] == o.penetration_at && -c->gap == depth &&
                              c->body[0] == o.penetration_body[0] && c->body[1] == o.penetration_body[1]);
        }
    }
    CHECK(found);
    carom_result_close(result);
    finish(run);
}

/* A constant push over the whole run: the impulse is force times duration, exactly. */
TEST(pairs, a_constant_push_is_force_times_time)
{
    pair_run *run = make_run(13);
    carom_error err = { 0 };
    carom_result_pair *pairs = NULL;
    size_t count = 0;
    for (int k = 0; k < FRAMES; ++k) {
        run->count[k] = 2;
        for (int i = 0; i < 2; ++i) { /* friction does not count */
            run->points[k][i] = (carom_contact_point){ .body = { 1, 0 },
                                                       .normal = { 0.0, 0.0, 1.0 },
                                                       .force = { 3.0, 0.0, 5.0 } };
        }
    }
    write_run(run, FRAMES);
    carom_result *result = open_run(run);
    CHECK_OK(carom_result_pairs(result, &pairs, &count, &err), err);
    CHECK_EQ(count, 1);
    CHECK_NEAR(pairs[0].impulse, 10.0 * run->t[FRAMES - 1], 1e-12);
    CHECK_NEAR(pairs[0].in_contact, run->t[FRAMES - 1], 1e-12);
    CHECK_NEAR(pairs[0].peak_force, sqrt(6.0 * 6.0 + 10.0 * 10.0), 1e-12);
    CHECK_TEXT(carom_result_body_name(result, pairs[0].body[1]), "ground");
    carom_result_pairs_destroy(pairs);
    carom_result_close(result);
    finish(run);
}

TEST(pairs, of_no_frame_and_of_one)
{
    for (int frames = 0; frames < 2; ++frames) {
        pair_run *run = make_run(14);
        carom_error err = { 0 };
        carom_result_pair *pairs = NULL;
        carom_contact_overview o;
        size_t count = 99;
        write_run(run, frames);
        carom_result *result = open_run(run);
        CHECK_OK(carom_result_pairs(result, &pairs, &count, &err), err);
        CHECK_OK(carom_result_contact_overview(result, &o, &err), err);
        CHECK((count > 0) == (frames > 0 && run->count[0] > 0));
        CHECK_EQ(o.most_points, frames > 0 ? run->count[0] : 0);
        for (size_t i = 0; i < count; ++i) {
            CHECK_NEAR(pairs[i].impulse, 0.0, 0.0); /* one frame stands for no time */
        }
        carom_result_pairs_destroy(pairs);
        carom_result_close(result);
        finish(run);
    }
}

/* Every pair of bodies touches once, the later ones harder: the list holds the last thousand. */
TEST(pairs, only_the_hardest_are_listed)
{
    pair_run *run = make_run(17);
    carom_error err = { 0 };
    carom_result_pair *pairs = NULL;
    size_t count = 0;
    int touched = 0;
    memset(run->count, 0, sizeof run->count);
    for (int a = 0; a < BODIES; ++a) {
        for (int b = 0; b < BODIES; ++b) {
            int k = touched / POINTS;
            if (a != b) {
                run->points[k][run->count[k]++] = (carom_contact_point){ .body = { a, b },
                                                                         .force = { 1.0 + touched++, 0.0, 0.0 } };
            }
        }
    }
    write_run(run, FRAMES);
    carom_result *result = open_run(run);
    CHECK_OK(carom_result_pairs(result, &pairs, &count, &err), err);
    CHECK(touched > CAROM_PAIRS_MOST);
    CHECK_EQ(count, CAROM_PAIRS_MOST);
    for (size_t i = 0; i < count; ++i) {
        CHECK_NEAR(pairs[i].peak_force, touched - (double)i, 0.0);
    }
    carom_result_pairs_destroy(pairs);
    carom_result_close(result);
    finish(run);
}

/* ---- summary.json -------------------------------------------------------------------------------------------------- */

static void write_summary(const pair_run *run, const char *text)
{
    carom_error err = { 0 };
    CHECK_OK(file_write_whole(run->fake.folder, "summary.json", text, strlen(text), &err), err);
}

TEST(summary, numbers_texts_and_names_by_their_place)
{
    pair_run *run = make_run(15);
    double value = 7.0;
    write_run(run, 1);
    write_summary(run,
                  "{\"status\": \"done\", \"steps\": 12, \"energy\": {\"work\": {\"motors\": -1.5e-3}, \"none\": "
                  "null}, \"phases\": {\"solve\": 1, \"a\": 2, \"detection\": 3}}");
    carom_result *result = open_run(run);
    CHECK(carom_result_number(result, "energy.work.motors", &value));
    CHECK_NEAR(value, -1.5e-3, 0.0);
    CHECK(!carom_result_number(result, "energy.none", &value) && isnan(value));
    const carom_summary *summary = carom_result_summary(result);
    CHECK(carom_summary_number(summary, "steps", &value) && value == 12.0);
    const char *const absent[] = { "step", "steps.more", "status", "energy", "energy.work.motors.x", "", ".", "..a" };
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; ++i) {
        CHECK(!carom_summary_number(summary, absent[i], &value));
    }
    CHECK_TEXT(carom_summary_text(summary, "status"), "done");
    CHECK(carom_summary_text(summary, "steps") == NULL);
    CHECK_EQ(carom_summary_size(summary, "phases"), 3);
    CHECK_TEXT(carom_summary_name(summary, "phases", 0), "solve");
    CHECK_TEXT(carom_summary_name(summary, "phases", 2), "detection");
    CHECK(carom_summary_name(summary, "phases", 3) == NULL && carom_summary_name(summary, "no", 0) == NULL);
    CHECK_EQ(carom_summary_size(summary, "status"), 0);
    carom_result_close(result);
    finish(run);
}

TEST(summary, missing_is_none)
{
    pair_run *run = make_run(16);
    double value = 7.0;
    write_run(run, 1);
    carom_result *result = open_run(run);
    CHECK(carom_result_summary(result) == NULL);
    CHECK(!carom_result_number(result, "steps", &value) && isnan(value));
    CHECK(carom_summary_text(NULL, "status") == NULL && carom_summary_size(NULL, "phases") == 0);
    carom_result_close(result);
    finish(run);
}

TEST(summary, damaged_is_refused)
{
    const char *const damaged[] = { "", "[1, 2]", "{\"steps\": ", "{\"steps\": 1} rest", "\xff\xfe" };
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; ++i) {
        pair_run *run = make_run(16);
        carom_error err = { 0 };
        carom_result *result = NULL;
        write_run(run, 1);
        write_summary(run, damaged[i]);
        CHECK_EQ(carom_result_open(run->fake.folder, &result, &err), CAROM_BAD_INPUT);
        CHECK(result == NULL && strstr(err.message, "summary.json") != NULL);
        finish(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(pairs, agree_with_brute_force),
        RUN_TEST(pairs, overview_agrees_with_brute_force),
        RUN_TEST(pairs, a_constant_push_is_force_times_time),
        RUN_TEST(pairs, of_no_frame_and_of_one),
        RUN_TEST(pairs, only_the_hardest_are_listed),
        RUN_TEST(summary, numbers_texts_and_names_by_their_place),
        RUN_TEST(summary, missing_is_none),
        RUN_TEST(summary, damaged_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
