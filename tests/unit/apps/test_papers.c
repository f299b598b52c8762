/* The frame of reproductions, with a paper made up here: verdicts, files, runs of embedded scenes. */
#include "support/check.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../../apps/carom/paper.h"
#include "files/file.h"
#include "support/scratch_folder.h"

/* A stone thrown upwards: v = v0 - g t, whatever the method. */
static const char stone[] =
    "{\"carom\": 1, \"gravity\": [0, -10, 0], \"time\": {\"end\": 1}, \"record\": {\"every\": 0.1},\n"
    " \"bodies\": [{\"name\": \"stone\", \"shape\": {\"sphere\": 0.1}, \"density\": 1000, \"velocity\": [0, 5, "
    "0]}]}\n";

const example_file paper_files[] = {
    { "6/stone.json", "", (const unsigned char *)"{}", 2 },
    { "7/parts/data.csv", "", (const unsigned char *)"1,2\n", 4 },
    { "7/stone.json", "", (const unsigned char *)stone, sizeof stone - 1 },
    { NULL, NULL, NULL, 0 },
};

const example_file example_files[] = { { NULL, NULL, NULL, 0 } };

/* ---- items -------------------------------------------------------------------------------------------------------- */

static int good(paper_report *report)
{
    paper_row(report, "equal \"quoted\"\n", 1.0, 1.0, 0.0, "exact");
    paper_row(report, "near", 1.05, 1.0, 0.1, NULL);
    paper_fact(report, "threads", 2.0, "a fact");
    return EXIT_DONE;
}

static int off(paper_report *report)
{
    paper_row(report, "too far", 1.2, 1.0, 0.1, "table 1");
    return EXIT_DONE;
}

static int not_a_number(paper_report *report)
{
    paper_row(report, "nothing", (double)NAN, 1.0, 1e9, "table 1");
    return EXIT_DONE;
}

static int gives_up(paper_report *report)
{
    (void)report;
    return EXIT_GAVE_UP;
}

static int throws_stone(paper_report *report)
{
    const char *const overrides[] = { "bodies.stone.velocity=[0, 7, 0]" };
    carom_result *result = NULL;
    carom_run_report how = { 0 };
    int code = paper_run(report, "stone.json", "fast", overrides, 1, &result, &how);
    if (code != EXIT_DONE) {
        return code;
    }
    const double *speed = paper_signal(result, "stone.velocity.y");
    CHECK(speed != NULL && paper_signal(result, "stone.colour") == NULL);
    paper_row(report, "speed [m/s]", speed[carom_result_frame_count(result) - 1], -3.0, 1e-9, "exact");
    CHECK_NEAR(how.t, 1.0, 1e-12);
    const char *const titles[] = { "t [s]", "v [m/s]" };
    const double *const columns[] = { carom_result_time(result), speed };
    CHECK_EQ(paper_csv(report, "speed", titles, columns, 2, 2), EXIT_DONE);
    carom_series series = { .x = carom_result_time(result), .y = speed, .count = carom_result_frame_count(result) };
    CHECK_EQ(paper_figure(report, "speed", &(carom_figure){ .series = &series, .series_count = 1 }), EXIT_DONE);
    CHECK_EQ(paper_figure(report, "no/such/folder", &(carom_figure){ .series_count = 0 }), EXIT_BAD_INPUT);
    CHECK_TEXT(paper_text(report, "parts/data.csv"), "1,2\n");
    CHECK(paper_text(report, "other.json") == NULL && paper_is_quick(report));
    CHECK_EQ(paper_run(report, "other.json", "x", NULL, 0, &result, NULL), EXIT_BAD_INPUT);
    carom_result_close(result);
    return EXIT_DONE;
}

static const paper_item all_good[] = { { "good", "1 with 1", 1.0, 0.0, 0.0, good }, { .name = NULL } };
static const paper_item some_off[] = {
    { "good", "1 with 1", 1.0, 0.0, 0.0, good },
    { "off", "1.2 with 1", 1.0, 0.0, 0.0, off },
    { "not a number", "nothing", 1.0, 0.0, 0.0, not_a_number },
    { .name = NULL },
};
static const paper_item one_gives_up[] = {
    { "gives up", "nothing", 1.0, 0.0, 0.0, gives_up },
    { "off", "1.2 with 1", 1.0, 0.0, 0.0, off },
    { .name = NULL },
};
static const paper_item stones[] = { { "stone", "speed", 1.0, 0.0, 0.0, throws_stone }, { .name = NULL } };
static const paper_item nothing[] = { { .name = NULL } };

/* ---- running them ------------------------------------------------------------------------------------------------- */

static int reproduce(const paper_item *items, const char **chosen, size_t count)
{
    const paper p = { .number = 7, .title = "A \"title\"", .source = "Somebody", .items = items };
    const paper_options options = { .folder = scratch_folder, .quick = true, .items = chosen, .item_count = count };
    return paper_reproduce(&p, &options);
}

static char *file_text(const char *name)
{
    char path[128];
    char *text = NULL;
    size_t size = 0;
    carom_error err = { 0 };
    snprintf(path, sizeof path, "%s/%s", scratch_folder, name);
    CHECK_OK(file_read_whole(path, 1 << 24, &text, &size, &err), err);
    return text;
}

static json_t *summary(void)
{
    char *text = file_text("summary.json");
    json_t *root = json_loads(text, 0, NULL);
    CHECK(json_is_object(root));
    free(text);
    return root;
}

TEST(papers, within_tolerance_are_reproduced)
{
    CHECK_EQ(reproduce(all_good, NULL, 0), EXIT_DONE);
    json_t *root = summary();
    json_t *rows = json_object_get(root, "rows");
    CHECK(json_is_true(json_object_get(root, "ok")) && json_is_true(json_object_get(root, "quick")));
    CHECK_EQ(json_integer_value(json_object_get(root, "paper")), 7);
    CHECK_TEXT(json_string_value(json_object_get(root, "title")), "A \"title\"");
    CHECK_EQ(json_array_size(rows), 3);
    CHECK_TEXT(json_string_value(json_object_get(json_array_get(rows, 0), "name")), "equal \"quoted\"\n");
    CHECK_NEAR(json_number_value(json_object_get(json_array_get(rows, 1), "difference")), 1.05 - 1.0, 0.0);
    CHECK(json_is_null(json_object_get(json_array_get(rows, 2), "ok")));
    json_decref(root);
}

TEST(papers, out_of_tolerance_fail)
{
    const char *only_good[] = { "good" };
    CHECK_EQ(reproduce(some_off, NULL, 0), EXIT_CHECK_FAILED);
    json_t *root = summary();
    json_t *rows = json_object_get(root, "rows");
    CHECK(json_is_false(json_object_get(root, "ok")));
    CHECK_EQ(json_array_size(rows), 5);
    CHECK(json_is_false(json_object_get(json_array_get(rows, 3), "ok")));
    CHECK(json_is_null(json_object_get(json_array_get(rows, 4), "computed")));
    CHECK(json_is_false(json_object_get(json_array_get(rows, 4), "ok")));
    json_decref(root);
    CHECK_EQ(reproduce(some_off, only_good, 1), EXIT_DONE);
}

TEST(papers, that_cannot_be_run_say_so)
{
    CHECK_EQ(reproduce(one_gives_up, NULL, 0), EXIT_GAVE_UP);
    json_t *root = summary();
    CHECK_EQ(json_array_size(json_object_get(root, "rows")), 1); /* the other item was run all the same */
    json_decref(root);
    CHECK_EQ(reproduce(nothing, NULL, 0), EXIT_CHECK_FAILED);
}

TEST(papers, run_their_scenes_with_overrides)
{
    CHECK_EQ(reproduce(stones, NULL, 0), EXIT_DONE);
    char *text = file_text("speed.csv");
    CHECK(strncmp(text, "t [s],v [m/s]\n0,7\n", 18) == 0);
    free(text);
    text = file_text("scenes/stone.json");
    CHECK_TEXT(text, stone);
    free(text);
    text = file_text("speed.svg");
    CHECK_CONTAINS(text, "<svg");
    free(text);
    free(file_text("speed.png"));
    free(file_text("fast/summary.json"));
    free(file_text("scenes/parts/data.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(papers, within_tolerance_are_reproduced),
        RUN_TEST(papers, out_of_tolerance_fail),
        RUN_TEST(papers, that_cannot_be_run_say_so),
        RUN_TEST(papers, run_their_scenes_with_overrides),
    };
    return cmocka_run_group_tests_name("papers", tests, make_scratch_folder, remove_scratch_folder);
}
