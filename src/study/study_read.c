/* A study file becomes a study: field tables for the scene reader, then what the tables cannot say. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "base/error_list.h"
#include "base/text.h"
#include "files/file.h"
#include "model/fields.h"
#include "scene/scene_reader.h"

/* ---- tables ------------------------------------------------------------------------------------------------------- */

#define REALS(name_, member, least, most, doc_)                                                             \
    {                                                                                                       \
        .name = name_, .kind = CAROM_FIELD_REALS, .offset = offsetof(vary_def, member), .min_count = least, \
        .max_count = most, .doc = doc_                                                                      \
    }

static const carom_field vary_fields[] = {
    { .name = "path",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(vary_def, path),
      .doc = "What is varied: 'variables.offset', 'bodies.rod.mass'; any place that --set can change." },
    REALS("uniform", uniform, 2, 2, "Low and high: every number between them is as probable as another."),
    REALS("normal", normal, 2, 2, "Mean and standard deviation."),
    REALS("lognormal", lognormal, 2, 2, "Median, and standard deviation of the natural logarithm."),
    REALS("triangular", triangular, 3, 3, "Low, most probable, high."),
    REALS("levels", levels, 1, 0, "Numbers, each as probable as another; all of them on a grid."),
    REALS("within", within, 2, 2, "Low and high: the distribution is cut off there."),
    { .name = "points",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(vary_def, points),
      .flags = CAROM_NONNEGATIVE,
      .doc = "On a grid: so many numbers, evenly spaced from low to high of 'uniform'." },
    { 0 },
};
static const vary_def vary_default;

#define SIGNAL(name_, member, doc_)                                                                   \
    {                                                                                                 \
        .name = name_, .kind = CAROM_FIELD_TEXT, .offset = offsetof(measure_def, member), .doc = doc_ \
    }

static const carom_field measure_fields[] = {
    SIGNAL("name", name, "The column it becomes."),
    SIGNAL("max", max, "Largest value of this signal over the frames."),
    SIGNAL("min", min, "Smallest value of this signal over the frames."),
    SIGNAL("mean", mean, "Mean of this signal over time."),
    SIGNAL("final", final, "Value of this signal at the end."),
    SIGNAL("event", event, "1 where this event has happened, else 0."),
    SIGNAL("time_of", time_of, "When this event happened; empty where it did not."),
    { .name = "expression",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(measure_def, expression),
      .flags = CAROM_SHORTHAND,
      .doc = "An expression of measures that stand before it and of varied numbers." },
    { 0 },
};
static const measure_def measure_default;

#define EVENT(name_, kind_, member, flags_, doc_)                                                               \
    {                                                                                                           \
        .name = name_, .kind = kind_, .offset = offsetof(study_event_def, member), .flags = flags_, .doc = doc_ \
    }
static const carom_field event_fields[] = {
    EVENT("name", CAROM_FIELD_TEXT, name, 0, "What measures call it."),
    EVENT("when", CAROM_FIELD_TEXT, when, CAROM_REQUIRED | CAROM_SHORTHAND,
          "A condition on signals, in SI: 'slide.travel > -1e-4 && t > 1'. It is looked at in every frame."),
    { .name = "hold",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(study_event_def, hold),
      .dimension = CAROM_DIM_TIME,
      .flags = CAROM_NONNEGATIVE,
      .doc = "How long it must hold without a break." },
    EVENT("stop", CAROM_FIELD_BOOL, stop, 0, "Whether the run ends there."),
    { 0 },
};
static const study_event_def event_default;

static const carom_field accept_fields[] = {
    { .name = "overlap",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(accept_def, overlap),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Deepest penetration where a run begins; deeper: doubtful." },
    { .name = "energy",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(accept_def, energy),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Largest error of the energy balance, against the energy that changed its form; larger: doubtful." },
    { .name = "warnings",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(accept_def, warnings),
      .doc = "Whether runs with warnings are good all the same; what is wrong is doubtful in any case." },
    { 0 },
};

static const carom_field limit_fields[] = {
    { .name = "cpu",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(limit_def, cpu),
      .dimension = CAROM_DIM_TIME,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Processor time of a run. Which rows it cuts off depends on the machine." },
    { .name = "steps",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(limit_def, steps),
      .flags = CAROM_NONNEGATIVE,
      .doc = "Steps of a run: the same rows on every machine." },
    { 0 },
};

static const carom_field keep_fields[] = {
    { .name = "measure",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(keep_def, measure),
      .doc = "Whose largest values are the worst." },
    { .name = "worst",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(keep_def, worst),
      .flags = CAROM_NONNEGATIVE,
      .doc = "So many of the worst runs are run again with all results." },
    { .name = "best",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(keep_def, best),
      .flags = CAROM_NONNEGATIVE,
      .doc =
          "So many with the smallest values too; of a search the best run that keeps its conditions in any case." },
    { .name = "doubtful",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(keep_def, doubtful),
      .doc = "Doubtful runs too, ten at most." },
    { .name = "failed",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(keep_def, failed),
      .doc = "Runs that failed too, ten at most." },
    { 0 },
};

#define RUNS_FIELD(doc_)                                                                 \
    {                                                                                    \
        .name = "runs", .kind = CAROM_FIELD_INT, .offset = offsetof(sampling_def, runs), \
        .flags = CAROM_REQUIRED | CAROM_POSITIVE | CAROM_SHORTHAND, .doc = doc_          \
    }
#define SEED_FIELD                                                                          \
    {                                                                                       \
        .name = "seed", .kind = CAROM_FIELD_REAL, .offset = offsetof(sampling_def, seed),   \
        .flags = CAROM_NONNEGATIVE, .doc = "A whole number; another one gives other draws." \
    }

static const carom_field no_fields[] = { { 0 } };
static const carom_field list_fields[] = {
    { .name = "file",
      .kind = CAROM_FIELD_FILE,
      .offset = offsetof(sampling_def, file),
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "A CSV file: paths in its first line, then one line of numbers per run." },
    { 0 },
};
static const carom_field draws_fields[] = { RUNS_FIELD("How many."), SEED_FIELD, { 0 } };
static const carom_field sobol_fields[] = {
    RUNS_FIELD("How many; best a power of two times the scramblings."),
    SEED_FIELD,
    { .name = "scrambled",
      .kind = CAROM_FIELD_BOOL,
      .offset = offsetof(sampling_def, scrambled),
      .doc = "Whether points are scrambled; if not, there are no intervals." },
    { .name = "scramblings",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(sampling_def, scramblings),
      .flags = CAROM_POSITIVE,
      .doc = "Independent scramblings, whose spread gives intervals." },
    { 0 },
};
static const carom_field indices_fields[] = {
    RUNS_FIELD("Base points; there are (variables + 2) times as many runs."), SEED_FIELD, { 0 }
};

static const char *const algorithm_names[] = { "auto", "bobyqa", "cobyla", "nelder-mead", "direct-l", "crs2", NULL };
static const carom_field minimize_fields[] = {
    { .name = "measure",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(sampling_def, measure),
      .flags = CAROM_REQUIRED | CAROM_SHORTHAND,
      .doc = "What is to become small." },
    { .name = "subject_to",
      .kind = CAROM_FIELD_TEXTS,
      .offset = offsetof(sampling_def, subject_to),
      .doc = "Measures that must not be negative." },
    { .name = "algorithm",
      .kind = CAROM_FIELD_ENUM,
      .offset = offsetof(sampling_def, algorithm),
      .names = algorithm_names,
      .doc =
          "Of NLopt: near a start bobyqa, nelder-mead, and cobyla, which knows conditions; everywhere direct-l and crs2. auto: "
          "cobyla with conditions, else bobyqa." },
    { .name = "starts",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(sampling_def, starts),
      .flags = CAROM_POSITIVE,
      .doc = "Searches from different places, at the same time; the first begins in the middle." },
    { .name = "runs",
      .kind = CAROM_FIELD_INT,
      .offset = offsetof(sampling_def, runs),
      .flags = CAROM_POSITIVE,
      .doc = "Most runs of one start." },
    { .name = "tolerance",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(sampling_def, tolerance),
      .flags = CAROM_POSITIVE,
      .doc = "Where a start ends: this much of the range of each variable." },
    SEED_FIELD,
    { 0 },
};
static const sampling_def minimize_default = {
    .seed = 1.0, .scrambled = true, .scramblings = 1, .starts = 1, .runs = 200, .tolerance = 1e-5
};

static const sampling_def sampling_default = { .seed = 1.0, .scrambled = true, .scramblings = 8 };

#define SAMPLING(name_, fields_, doc_)                                                                             \
    {                                                                                                              \
        .name = name_, .doc = doc_, .fields = fields_, .defaults = &sampling_default, .size = sizeof(sampling_def) \
    }
static const carom_kind samplings[] = {
    SAMPLING("grid", no_fields, "All combinations of levels."),
    SAMPLING("list", list_fields, "Rows of a CSV file."),
    SAMPLING("random", draws_fields, "Independent draws. May be extended: earlier rows stay."),
    SAMPLING("latin-hypercube", draws_fields,
             "One draw in each of as many strata of each variable as there are runs."),
    SAMPLING("sobol", sobol_fields, "Scrambled Sobol' points: more even than random ones. May be extended."),
    SAMPLING("indices", indices_fields,
             "Points for sensitivity indices of Sobol' (Saltelli, Jansen). May be extended."),
    { .name = "minimize",
      .doc = "A search for the smallest value of a measure, which needs NLopt. Most runs of a start may be raised.",
      .fields = minimize_fields,
      .defaults = &minimize_default,
      .size = sizeof(sampling_def) },
};
static const carom_kind *const sampling_kinds[] = { &samplings[0], &samplings[1], &samplings[2], &samplings[3],
                                                    &samplings[4], &samplings[5], &samplings[6], NULL };

static const carom_field fields[] = {
    { .name = "name", .kind = CAROM_FIELD_TEXT, .offset = offsetof(study_def, name), .doc = "For people." },
    { .name = "scene",
      .kind = CAROM_FIELD_FILE,
      .offset = offsetof(study_def, scene),
      .flags = CAROM_REQUIRED,
      .doc = "The scene file, relative to the study." },
    { .name = "set",
      .kind = CAROM_FIELD_TEXTS,
      .offset = offsetof(study_def, set),
      .doc = "What the scene has otherwise in all runs: \"path=value\", as --set takes it." },
    { .name = "sampling",
      .kind = CAROM_FIELD_KIND,
      .offset = offsetof(study_def, sampling),
      .flags = CAROM_REQUIRED,
      .kinds = sampling_kinds,
      .doc = "How numbers are chosen." },
    { .name = "vary",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(study_def, vary),
      .flags = CAROM_NAMED,
      .fields = vary_fields,
      .item_defaults = &vary_default,
      .size = sizeof(vary_def),
      .doc = "What varies: places in the scene with their distributions." },
    { .name = "measures",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(study_def, measures),
      .flags = CAROM_NAMED | CAROM_REQUIRED,
      .fields = measure_fields,
      .item_defaults = &measure_default,
      .size = sizeof(measure_def),
      .doc = "What is wanted of each run." },
    { .name = "events",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(study_def, events),
      .flags = CAROM_NAMED,
      .fields = event_fields,
      .item_defaults = &event_default,
      .size = sizeof(study_event_def),
      .doc = "What may happen in a run." },
    { .name = "every",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(study_def, every),
      .dimension = CAROM_DIM_TIME,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Time between looks at signals; 0: as the scene records." },
    { .name = "duration",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(study_def, duration),
      .dimension = CAROM_DIM_TIME,
      .flags = CAROM_NONNEGATIVE,
      .doc = "End of every run; 0: the scene's." },
    { .name = "accept",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(study_def, accept),
      .fields = accept_fields,
      .size = sizeof(accept_def),
      .doc = "What makes a row doubtful." },
    { .name = "limit",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(study_def, limit),
      .fields = limit_fields,
      .size = sizeof(limit_def),
      .doc = "What cuts a run off." },
    { .name = "keep",
      .kind = CAROM_FIELD_GROUP,
      .offset = offsetof(study_def, keep),
      .fields = keep_fields,
      .size = sizeof(keep_def),
      .doc = "Whose whole results are kept." },
    { 0 },
};

/* ---- lists -------------------------------------------------------------------------------------------------------- */

/* One line of CSV as numbers; false where one of them is none. */
static bool read_numbers(char *line, double *out, size_t count)
{
    char *save = NULL;
    size_t i = 0;
    for (char *word = strtok_r(line, ",", &save); word; word = strtok_r(NULL, ",", &save), ++i) {
        char *end = word;
        double value = strtod(word, &end);
        while (*end == ' ' || *end == '\r' || *end == '\t') {
            ++end;
        }
        if (i >= count || end == word || *end || !isfinite(value)) {
            return false;
        }
        out[i] = value;
    }
    return i == count;
}

static char *trimmed(char *word)
{
    size_t length = strlen(word);
    while (length > 0 && strchr(" \t\r\"", word[length - 1])) {
        word[--length] = '\0';
    }
    return word + strspn(word, " \t\"");
}

static carom_status read_header(carom_study *s, char *line, carom_error *err)
{
    size_t most = 1;
    for (const char *c = line; *c; ++c) {
        most += *c == ',';
    }
    char *save = NULL;
    s->variables = CAROM_ARENA_ARRAY(&s->arena, vary_def, most);
    for (char *word = strtok_r(line, ",", &save); s->variables && word; word = strtok_r(NULL, ",", &save)) {
        s->variables[s->variable_count++].path = carom_arena_text(&s->arena, trimmed(word));
    }
    return s->arena.failed ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for a list") : CAROM_OK;
}

static carom_status read_rows(carom_study *s, char *text, carom_error *err)
{
    size_t lines = 1;
    for (const char *c = text; *c; ++c) {
        lines += *c == '\n';
    }
    double *rows = CAROM_ARENA_ARRAY(&s->arena, double, lines * s->variable_count + 1);
    s->list = rows;
    long number = 1;
    for (char *line = text, *next; rows && line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) {
            *next++ = '\0';
        }
        ++number;
        if (line[strspn(line, " \t\r")] == '\0') {
            continue;
        }
        if (!read_numbers(line, rows + s->list_rows * s->variable_count, s->variable_count)) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "'%.200s', line %ld: expected %zu finite numbers, one for each column", s->sampled.file,
                              number, s->variable_count);
        }
        s->list_rows++;
    }
    return rows ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a list");
}

static carom_status read_list_file(carom_study *s, carom_error *err)
{
    char *text = NULL;
    size_t bytes = 0;
    carom_status status = file_read_whole(s->sampled.file, (size_t)1 << 30, &text, &bytes, err);
    if (status != CAROM_OK) {
        return status;
    }
    char *rows = strchr(text, '\n');
    if (rows) {
        *rows++ = '\0';
    }
    status = read_header(s, text, err);
    status = status == CAROM_OK && rows ? read_rows(s, rows, err) : status;
    if (status == CAROM_OK && s->list_rows == 0) {
        status = carom_fail(err, CAROM_BAD_INPUT, "'%.200s' has no rows of numbers below its header",
                            s->sampled.file);
    }
    free(text);
    return status;
}

/* ---- the study ---------------------------------------------------------------------------------------------------- */

static carom_status check_version(const scene_reader *r, const json_t *root)
{
    const json_place at = { NULL, "carom-study", 0 };
    const json_t *version = json_object_get(root, "carom-study");
    if (!version) {
        return scene_fail(r, NULL, "this is no study: it has no \"carom-study\": 1");
    }
    if (!json_is_number(version) || json_number_value(version) != 1.0) {
        return scene_fail(r, &at, "this carom reads studies of version 1");
    }
    return CAROM_OK;
}

static carom_status read_tables(carom_study *s, carom_error *err)
{
    static const char *const beside[] = { "carom-study", "$schema", NULL };
    scene_file file = {
        .document = s->document, .units = carom_units_si(), .prefix = "", .variables = json_object()
    };
    scene_reader r = { .file = &file, .arena = &s->arena, .err = err };
    carom_status status = check_version(&r, s->document.root);
    if (status == CAROM_OK) {
        status = scene_read_object(&r, NULL, fields, beside, s->document.root, &s->def);
    }
    json_decref(file.variables);
    return status;
}

static carom_status read_collected(carom_study *s, carom_error *err)
{
    carom_error work;
    carom_error_list *own = calloc(1, sizeof *own);
    if (!own) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the study");
    }
    error_list_begin(&work, own, err, false);
    carom_status status = read_tables(s, &work);
    status = error_list_tell(&work, status, err);
    free(own);
    return status;
}

/* A mistake in one of the named entries of a section, with its line. */
static carom_status blame(const carom_study *s, const char *section, const char *name, carom_status status,
                          carom_error *err)
{
    const json_place list = { NULL, section, 0 };
    const json_place at = { &list, name, 0 };
    if (status != CAROM_OK && err) {
        snprintf(err->file, sizeof err->file, "%s", s->document.file);
        json_place_text(&at, err->path, sizeof err->path);
        err->line = json_document_line(&s->document, &at);
    }
    return status;
}

static carom_status take_sampling(carom_study *s, carom_error *err)
{
    size_t k = 0;
    while (sampling_kinds[k] && strcmp(sampling_kinds[k]->name, s->def.sampling.kind) != 0) {
        ++k;
    }
    s->sampling = (sampling_kind)k;
    s->sampled = s->def.sampling.params ? *(const sampling_def *)s->def.sampling.params : sampling_default;
    if (!s->sampled.scrambled) {
        s->sampled.scramblings = 1;
    }
    return s->sampled.seed == floor(s->sampled.seed) && s->sampled.seed <= 0x1p53
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "sampling.%s.seed: a seed is a whole number up to 2^53, not %g",
                            s->def.sampling.kind, s->sampled.seed);
}

static carom_status take_variables(carom_study *s, carom_error *err)
{
    if (s->sampling == SAMPLING_LIST) {
        return s->def.vary.count == 0
                   ? read_list_file(s, err)
                   : carom_fail(err, CAROM_BAD_INPUT,
                                "a list says itself what varies, in its first line; leave 'vary' out");
    }
    const vary_def *defs = s->def.vary.items;
    if (s->def.vary.count == 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "'vary' is missing: say what varies");
    }
    s->variable_count = s->def.vary.count;
    s->variables = carom_arena_copy(&s->arena, defs, s->variable_count * sizeof *defs);
    carom_status status = s->variables ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for the study");
    for (size_t i = 0; status == CAROM_OK && i < s->variable_count; ++i) {
        status = blame(s, "vary", defs[i].path, vary_check(&defs[i], err), err);
    }
    return status;
}

/* A variable that the scene does not have would be made, and change nothing. */
static carom_status check_paths(const carom_study *s, const json_t *scene, carom_error *err)
{
    enum { MOST = 256 };
    const char *names[MOST];
    size_t count = 0;
    json_t *variables = json_object_get(scene, "variables");
    for (void *m = json_object_iter(variables); m && count < MOST; m = json_object_iter_next(variables, m)) {
        names[count++] = json_object_iter_key(m);
    }
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < s->variable_count; ++i) {
        const char *path = s->variables[i].path;
        if (strncmp(path, "variables.", 10) == 0 && !json_object_get(variables, path + 10)) {
            char hint[128];
            scene_hint(carom_text_nearest(path + 10, names, count), hint, sizeof hint);
            status = carom_fail(err, CAROM_BAD_INPUT, "the scene '%.150s' has no variable '%.60s'%s", s->scene_name,
                                path + 10, hint);
            blame(s, "vary", path, status, err);
        }
    }
    return status;
}

/* What the study names in its scene must be there. */
static carom_status read_with_scene(carom_study *s, carom_error *err)
{
    json_document scene;
    carom_status status = json_document_parse(&scene, s->scene_text, s->scene_length, s->scene_name, s->scene_folder,
                                              err);
    if (status != CAROM_OK) {
        return status;
    }
    status = check_paths(s, scene.root, err);
    status = status == CAROM_OK ? measures_prepare(s, scene.root, err) : status;
    json_document_free(&scene);
    return status;
}

static carom_status check_keep(const carom_study *s, carom_error *err)
{
    const keep_def *k = &s->def.keep;
    bool known = false;
    for (size_t i = 0; i < s->measure_count; ++i) {
        known = known || (k->measure && strcmp(k->measure, s->measures[i].name) == 0);
    }
    if ((k->worst > 0 || k->best > 0) && !known) {
        return carom_fail(err, CAROM_BAD_INPUT, "keep.measure: %s%.60s%s",
                          k->measure ? "there is no measure '"
                                     : "say whose largest values are the worst, or smallest the best",
                          k->measure ? k->measure : "", k->measure ? "'" : "");
    }
    return CAROM_OK;
}

carom_status study_extend(carom_study *s, size_t runs, carom_error *err)
{
    if (runs == 0 || runs == s->run_count) {
        return CAROM_OK;
    }
    if (!sample_extends(s) || s->sampling == SAMPLING_LIST) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the number of runs of a study by '%s' cannot be changed: it would be another one",
                          s->def.sampling.kind);
    }
    size_t group = sample_group_size(s);
    if (runs % group != 0 || runs / group > 10000000) {
        return carom_fail(err, CAROM_BAD_INPUT, "%zu runs: %s %zu %s take a multiple of %zu", runs,
                          sample_depends(s) ? "a search from" : "indices of",
                          sample_depends(s) ? group : s->variable_count, sample_depends(s) ? "starts" : "variables",
                          group);
    }
    s->sampled.runs = (int)(runs / group);
    return sample_prepare(s, err);
}

carom_status study_read(carom_study *s, carom_error *err)
{
    carom_status status = read_collected(s, err);
    status = status == CAROM_OK ? take_sampling(s, err) : status;
    status = status == CAROM_OK ? take_variables(s, err) : status;
    if (status == CAROM_OK && !s->scene_text) {
        const char *slash = strrchr(s->def.scene, '/');
        s->scene_name = carom_arena_text(&s->arena, s->def.scene);
        s->scene_folder = slash ? carom_arena_printf(&s->arena, "%.*s", (int)(slash - s->def.scene), s->def.scene)
                                : carom_arena_text(&s->arena, ".");
        status = file_read_whole(s->def.scene, (size_t)1 << 30, &s->scene_text, &s->scene_length, err);
    }
    status = status == CAROM_OK ? read_with_scene(s, err) : status;
    status = status == CAROM_OK ? check_keep(s, err) : status;
    return status == CAROM_OK ? sample_prepare(s, err) : status;
}
