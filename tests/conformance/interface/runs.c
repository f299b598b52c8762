/* What reads and writes files: scenes, runs, summaries, comparisons, exports, pages, plots. */
#include "interface.h"

static const char *const no_paths[] = { NULL, "", "/no/such/folder/at/all", "/dev" };

static void load_scene(void)
{
    carom_spec *spec = the.spec;
    const char *const holed[] = { "time.end=1", NULL };
    const char *const overlong_override[] = { overlong() };
    FOR_EACH(path, no_paths)
    {
        spec = the.spec;
        FAILS(carom_scene_load, ITEM(path, no_paths), NULL, 0, &spec);
        CHECK(spec == NULL);
    }
    FAILS(carom_scene_load, overlong(), NULL, 0, &spec);
    FAILS(carom_scene_load, long_path(".json"), NULL, 0, &spec);
    REFUSES(carom_scene_load, "scene.json", NULL, 0, NULL);
    REFUSES(carom_scene_load, "scene.json", NULL, 2, &spec);
    REFUSES(carom_scene_load, "scene.json", holed, 2, &spec);
    REFUSES(carom_scene_load, "scene.json", holed, SIZE_MAX, &spec);
    FAILS(carom_scene_load, "scene.json", overlong_override, 1, &spec);
}

static void parse_scene(void)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    const char *text = scene_of_one;
    size_t length = strlen(text);
    const char *const holed[] = { "time.end=1", NULL };
    REFUSES(carom_scene_parse, NULL, length, "name", ".", NULL, 0, &spec);
    REFUSES(carom_scene_parse, NULL, 0, "name", ".", NULL, 0, &spec);
    REFUSES(carom_scene_parse, text, 0, "name", ".", NULL, 0, &spec);
    REFUSES(carom_scene_parse, text, length, "name", ".", NULL, 0, NULL);
    REFUSES(carom_scene_parse, text, length, "name", ".", NULL, 1, &spec);
    REFUSES(carom_scene_parse, text, length, "name", ".", holed, 2, &spec);
    REFUSES(carom_scene_parse, overlong(), strlen(overlong()), "name", ".", NULL, 0, &spec);
    CHECK(spec == NULL);
    CHECK_OK(carom_scene_parse(text, length, NULL, NULL, NULL, 0, &spec, &err), err);
    carom_spec_destroy(spec);
    CHECK_OK(carom_scene_parse(text, length, overlong(), overlong(), NULL, 0, &spec, &err), err);
    carom_spec_destroy(spec);
}

static void import_scene(void)
{
    static const char fixture[] =
        "{\"rigid_body_problem\": {\"rigid_bodies\": [{\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}]}}";
    char *out = NULL;
    carom_error err = { 0 };
    size_t length = strlen(fixture);
    const char *const holed[] = { "time.end=1", NULL };
    REFUSES(carom_scene_import, NULL, length, "name", ".", NULL, 0, ".", &out);
    REFUSES(carom_scene_import, fixture, 0, "name", ".", NULL, 0, ".", &out);
    REFUSES(carom_scene_import, fixture, length, "name", ".", NULL, 0, ".", NULL);
    REFUSES(carom_scene_import, fixture, length, "name", ".", NULL, 1, ".", &out);
    REFUSES(carom_scene_import, fixture, length, "name", ".", holed, 2, ".", &out);
    REFUSES(carom_scene_import, scene_of_one, strlen(scene_of_one), "name", ".", NULL, 0, ".", &out);
    CHECK(out == NULL);
    CHECK_OK(carom_scene_import(fixture, length, NULL, NULL, NULL, 0, NULL, &out, &err), err);
    CHECK(out != NULL);
    carom_text_destroy(out);
    CHECK_OK(carom_scene_import(fixture, length, overlong(), overlong(), NULL, 0, overlong(), &out, &err), err);
    carom_text_destroy(out);
}

static void schema(void)
{
    char *text = carom_scene_schema();
    CHECK(text != NULL);
    carom_text_destroy(text);
}

static void reference(void)
{
    char *text = carom_scene_reference();
    CHECK(text != NULL);
    carom_text_destroy(text);
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

typedef carom_status (*run_function)(const carom_model *, const carom_run_options *, carom_error *);

static void check_run_options(run_function run)
{
    carom_run_report report = { .steps = 7 };
    const carom_run_options good = { .folder = path_of("other"), .report = &report };
    carom_run_options options = good;
    REFUSES(run, NULL, &options);
    REFUSES(run, the.one.model, NULL);
    options.folder = NULL;
    REFUSES(run, the.one.model, &options);
    CHECK_EQ(report.steps, 0); /* filled whatever the status */
    options.folder = "";
    REFUSES(run, the.one.model, &options);
    options.folder = overlong();
    FAILS(run, the.one.model, &options);
    FOR_EACH(x, not_nonnegative)
    {
        options = good;
        options.duration = ITEM(x, not_nonnegative);
        REFUSES(run, the.one.model, &options);
        options = good;
        options.checkpoint_every = ITEM(x, not_nonnegative);
        REFUSES(run, the.one.model, &options);
    }
    const int threads[] = { -1, INT_MIN, INT_MAX, 4097 };
    FOR_EACH(count, threads)
    {
        options = good;
        options.threads = ITEM(count, threads);
        REFUSES(run, the.one.model, &options);
    }
}

static void run(void)
{
    check_run_options(carom_run_folder);
}

static void resume(void)
{
    check_run_options(carom_resume_folder);
    const carom_run_options options = { .folder = path_of("run"), .duration = 0.06 };
    REFUSES(carom_resume_folder, the.other.model, &options);   /* the run of another model */
    REFUSES(carom_resume_folder, the.heavier.model, &options); /* with the same numbers of everything */
}

static void run_check(void)
{
    static const double none[] = { -1.0, (double)NAN, HUGE_VAL, -HUGE_VAL };
    carom_run_amount much = { 7.0, 7.0 };
    REFUSES(carom_run_check, NULL, 0.0, &much);
    CHECK(much.frames == 0.0 && much.bytes == 0.0);
    REFUSES(carom_run_check, NULL, 1.0, NULL);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
        REFUSES(carom_run_check, the.one.model, none[i], &much);
        CHECK(much.frames == 0.0 && much.bytes == 0.0);
    }
    CHECK(carom_run_check(the.one.model, 0.0, NULL, NULL) == CAROM_OK);
    CHECK(carom_run_check(the.one.model, 0.0, &much, NULL) == CAROM_OK);
    CHECK(much.frames > 1.0 && much.bytes > much.frames);
    REFUSES(carom_run_check, the.one.model, 1e300, &much); /* too much, and told how much */
    CHECK(much.frames > 1.0);
}

/* ---- summaries ---------------------------------------------------------------------------------------------------- */

static const char *const no_keys[] = { NULL, ".", "..", "no.such.key", "energy..kinetic" };

static void summary_number(void)
{
    const carom_summary *summary = carom_result_summary(the.run);
    double value = 7.0;
    CHECK(!carom_summary_number(NULL, "steps", &value));
    CHECK(isnan(value));
    CHECK(carom_summary_number(summary, "steps", NULL));
    CHECK(!carom_summary_number(summary, overlong(), &value));
    FOR_EACH(key, no_keys)
    {
        value = 7.0;
        CHECK(!carom_summary_number(summary, ITEM(key, no_keys), &value));
        CHECK(isnan(value));
    }
}

static void summary_text(void)
{
    const carom_summary *summary = carom_result_summary(the.run);
    CHECK(carom_summary_text(NULL, "status") == NULL);
    CHECK_TEXT(carom_summary_text(summary, "status"), "done");
    FOR_EACH(key, no_keys)
    {
        CHECK(carom_summary_text(summary, ITEM(key, no_keys)) == NULL);
    }
}

static void summary_size(void)
{
    const carom_summary *summary = carom_result_summary(the.run);
    CHECK_EQ(carom_summary_size(NULL, "phases"), 0);
    FOR_EACH(key, no_keys)
    {
        CHECK_EQ(carom_summary_size(summary, ITEM(key, no_keys)), 0);
    }
}

static void summary_name(void)
{
    const carom_summary *summary = carom_result_summary(the.run);
    CHECK(carom_summary_name(NULL, "phases", 0) == NULL);
    CHECK(carom_summary_name(summary, NULL, 0) == NULL);
    CHECK(carom_summary_name(summary, "phases", 0) != NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_summary_name(summary, "phases", ITEM(size, strange_sizes)) == NULL);
    }
}

/* ---- comparisons, pages ------------------------------------------------------------------------------------------- */

static void compare(void)
{
    const carom_result *holed[] = { the.run, NULL };
    carom_comparison *comparison = NULL;
    REFUSES(carom_compare, NULL, 2, &comparison);
    REFUSES(carom_compare, holed, 2, &comparison);
    REFUSES(carom_compare, holed, SIZE_MAX, &comparison);
    REFUSES(carom_compare, holed, 1, NULL);
    CHECK(comparison == NULL);
}

static void destroy_comparison(void)
{
    carom_comparison_destroy(NULL);
}

static void write_page(void)
{
    const carom_result *results[] = { the.run, NULL };
    const char *const labels[] = { NULL };
    const carom_page_options options = { .labels = labels };
    REFUSES(carom_page_write, NULL, 1, NULL, path_of("page.html"));
    REFUSES(carom_page_write, results, 0, NULL, path_of("page.html"));
    REFUSES(carom_page_write, results, 2, NULL, path_of("page.html"));
    REFUSES(carom_page_write, results, SIZE_MAX, NULL, path_of("page.html"));
    REFUSES(carom_page_write, results, 1, &options, path_of("page.html"));
    REFUSES(carom_page_write, results, 1, NULL, NULL);
    REFUSES(carom_page_write, results, 1, NULL, "");
    FAILS(carom_page_write, results, 1, NULL, overlong());
    FAILS(carom_page_write, results, 1, NULL, long_path(".html"));
}

/* ---- exports ------------------------------------------------------------------------------------------------------ */

static void format_at(void)
{
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_export_format_at(ITEM(size, strange_sizes)) == NULL);
    }
}

static void find_format(void)
{
    CHECK(carom_export_format_find(NULL) == NULL);
    CHECK(carom_export_format_find("") == NULL);
    CHECK(carom_export_format_find(overlong()) == NULL);
}

static void export_result(void)
{
    const char *const holed[] = { "hinge.angle", NULL };
    const char *const unknown[] = { overlong() };
    const char *const formats[] = { NULL, "", "no such format", overlong() };
    const carom_export_options good = { .format = "csv", .path = path_of("signals.csv") };
    carom_export_options options = good;
    REFUSES(carom_result_export, NULL, &options, NULL);
    REFUSES(carom_result_export, the.run, NULL, NULL);
    FOR_EACH(format, formats)
    {
        options = good;
        options.format = ITEM(format, formats);
        REFUSES(carom_result_export, the.run, &options, NULL);
    }
    options = good;
    options.path = NULL;
    REFUSES(carom_result_export, the.run, &options, NULL);
    options.path = "";
    REFUSES(carom_result_export, the.run, &options, NULL);
    for (size_t i = 0; carom_export_format_at(i); ++i) {
        options.format = carom_export_format_at(i)->name;
        options.path = long_path("");
        FAILS(carom_result_export, the.run, &options, NULL);
    }
    options = good;
    options.from = (double)NAN;
    REFUSES(carom_result_export, the.run, &options, NULL);
    options = good;
    options.until = (double)NAN;
    REFUSES(carom_result_export, the.run, &options, NULL);
    const char *const *const lists[] = { NULL, holed };
    FOR_EACH(list, lists)
    {
        options = good;
        options.signals = ITEM(list, lists);
        options.signal_count = 2;
        REFUSES(carom_result_export, the.run, &options, NULL);
        options.signal_count = SIZE_MAX;
        REFUSES(carom_result_export, the.run, &options, NULL);
    }
    options = good;
    options.signals = unknown;
    options.signal_count = 1;
    REFUSES(carom_result_export, the.run, &options, NULL);
}

static void export_csv(void)
{
    const char *const holed[] = { "hinge.angle", NULL };
    REFUSES(carom_result_export_csv, NULL, path_of("a.csv"), NULL, 0);
    REFUSES(carom_result_export_csv, the.run, NULL, NULL, 0);
    REFUSES(carom_result_export_csv, the.run, "", NULL, 0);
    FAILS(carom_result_export_csv, the.run, long_path(".csv"), NULL, 0);
    REFUSES(carom_result_export_csv, the.run, path_of("a.csv"), NULL, 1);
    REFUSES(carom_result_export_csv, the.run, path_of("a.csv"), holed, 2);
    REFUSES(carom_result_export_csv, the.run, path_of("a.csv"), holed, SIZE_MAX);
}

/* ---- pictures, co-simulation ---------------------------------------------------------------------------------------- */

static void render(void)
{
    const carom_render_options good = { .path = path_of("picture.png"), .width = 64, .height = 64 };
    carom_render_options options = good;
    REFUSES(carom_render, NULL, &options, NULL);
    REFUSES(carom_render, the.run, NULL, NULL);
    const char *const paths[] = { NULL, "", "without an ending" };
    FOR_EACH(path, paths)
    {
        options = good;
        options.path = ITEM(path, paths);
        REFUSES(carom_render, the.run, &options, NULL);
    }
    options.path = long_path(".png");
    FAILS(carom_render, the.run, &options, NULL);
    const int sizes[] = { -1, 15, 16385 };
    FOR_EACH(size, sizes)
    {
        options = good;
        options.width = ITEM(size, sizes);
        REFUSES(carom_render, the.run, &options, NULL);
    }
    options = good;
    options.fps = (double)NAN;
    REFUSES(carom_render, the.run, &options, NULL);
    options = good;
    options.speed = -1.0;
    REFUSES(carom_render, the.run, &options, NULL);
    options = good;
    options.view = overlong();
    REFUSES(carom_render, the.run, &options, NULL);
    options = good;
    options.threads = -1;
    REFUSES(carom_render, the.run, &options, NULL);
}

static void export_fmu(void)
{
    const char *const holed[] = { NULL };
    const carom_fmu_options good = { .scene = path_of("scene.json"), .path = path_of("unit.fmu") };
    carom_fmu_options options = good;
    REFUSES(carom_fmu_export, NULL, NULL);
    FOR_EACH(path, no_paths)
    {
        options = good;
        options.scene = ITEM(path, no_paths);
        FAILS(carom_fmu_export, &options, NULL);
        options = good;
        options.path = ITEM(path, no_paths);
        FAILS(carom_fmu_export, &options, NULL);
    }
    options = good;
    options.input_count = 1;
    FAILS(carom_fmu_export, &options, NULL);
    options.inputs = holed;
    FAILS(carom_fmu_export, &options, NULL);
    options = good;
    options.output_count = 1;
    FAILS(carom_fmu_export, &options, NULL);
    options.outputs = holed;
    FAILS(carom_fmu_export, &options, NULL);
}

/* ---- plots -------------------------------------------------------------------------------------------------------- */

static void check_bad_figure(const carom_figure *figure)
{
    REFUSES(carom_figure_write, figure, path_of("figure.svg"));
}

static void figure_pages(void)
{
    const double sizes[] = { (double)NAN, (double)INFINITY, -1.0, 1e-300, 1e300 };
    FOR_EACH(x, sizes)
    {
        check_bad_figure(&(carom_figure){ .width = ITEM(x, sizes) });
        check_bad_figure(&(carom_figure){ .height = ITEM(x, sizes) });
        check_bad_figure(&(carom_figure){ .dpi = ITEM(x, sizes) });
    }
    check_bad_figure(&(carom_figure){ .style = (carom_plot_style)5 });
    check_bad_figure(&(carom_figure){ .legend = (carom_legend)-1 });
    check_bad_figure(&(carom_figure){ .series_count = 2 });
    check_bad_figure(&(carom_figure){ .mark_count = 2 });
    check_bad_figure(&(carom_figure){ .panel_count = 2 });
    check_bad_figure(&(carom_figure){ .inset_count = 2 });
    check_bad_figure(&(carom_figure){ .panel_count = SIZE_MAX });
    check_bad_figure(&(carom_figure){ .x = { .min = (double)NAN, .max = 1.0 } });
    check_bad_figure(&(carom_figure){ .x = { .min = 0.0, .max = (double)INFINITY } });
}

static void figure_series(void)
{
    const double x[2] = { 0.0, 1.0 };
    const carom_series bad[] = {
        { .count = 2 },
        { .count = 2, .x = x },
        { .count = 2, .y = x },
        { .count = 2, .x = x, .y = x, .line = (carom_line)-1 },
        { .count = 2, .x = x, .y = x, .marker = (carom_marker)99 },
        { .count = 2, .x = x, .y = x, .colour = "" },
        { .count = 2, .x = x, .y = x, .colour = overlong() },
        { .count = 2, .x = x, .y = x, .panel = SIZE_MAX },
        { .count = 2, .x = x, .y = x, .width = (double)NAN },
        { .count = 2, .x = x, .y = x, .marker_spacing = (double)NAN, .marker = CAROM_MARKER_DOT },
    };
    FOR_EACH(series, bad)
    {
        check_bad_figure(&(carom_figure){ .series = &ITEM(series, bad), .series_count = 1 });
    }
    const carom_inset inset = { .panel = SIZE_MAX };
    check_bad_figure(&(carom_figure){ .insets = &inset, .inset_count = 1 });
    const carom_mark mark = { .panel = SIZE_MAX };
    check_bad_figure(&(carom_figure){ .marks = &mark, .mark_count = 1 });
}

static void write_figure(void)
{
    const carom_figure plain = { .title = "nothing" };
    REFUSES(carom_figure_write, NULL, path_of("figure.svg"));
    REFUSES(carom_figure_write, &plain, NULL);
    REFUSES(carom_figure_write, &plain, "");
    REFUSES(carom_figure_write, &plain, "without an ending");
    FAILS(carom_figure_write, &plain, overlong());
    FAILS(carom_figure_write, &plain, long_path(".svg"));
    figure_pages();
    figure_series();
}

const interface_case interface_runs[] = {
    { "carom_scene_load", load_scene },
    { "carom_scene_parse", parse_scene },
    { "carom_scene_import", import_scene },
    { "carom_scene_schema", schema },
    { "carom_scene_reference", reference },
    { "carom_run_folder", run },
    { "carom_resume_folder", resume },
    { "carom_run_check", run_check },
    { "carom_summary_number", summary_number },
    { "carom_summary_text", summary_text },
    { "carom_summary_size", summary_size },
    { "carom_summary_name", summary_name },
    { "carom_compare", compare },
    { "carom_comparison_destroy", destroy_comparison },
    { "carom_page_write", write_page },
    { "carom_export_format_at", format_at },
    { "carom_export_format_find", find_format },
    { "carom_result_export", export_result },
    { "carom_result_export_csv", export_csv },
    { "carom_render", render },
    { "carom_fmu_export", export_fmu },
    { "carom_figure_write", write_figure },
    { NULL, NULL },
};
