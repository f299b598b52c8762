/* Paper 1, figure 4: one detection with and without the octree of points, over the number of points. What decides are looks
 * at the distance field, which are counted; times are shown beside them: the least of several rounds in which both ways take
 * turns, with their spread. */
#include <math.h>
#include <stdio.h>

#include "paper_1.h"

enum { TEXT = 96, SIZES = 7, ROUNDS = 5, WAYS = 2 };
static const char *const ways[WAYS] = { "sdf", "sdf+octree" };
static const char SCENE[] = "figure-4.json";

/* ---- one measurement --------------------------------------------------------------------------------------------- */

static void describe_colliders(const carom_model *model, detection_cost *out)
{
    for (int i = 0; i < carom_model_collider_count(model); ++i) {
        carom_collider_info c = carom_model_collider(model, i);
        out->points += c.points;
        out->nodes += (double)c.nodes;
        out->build += c.build;
        out->depth = c.depth > out->depth ? c.depth : out->depth;
    }
}

int measure_model(paper_report *r, const carom_model *model, const char *scene, const char *name, double duration,
                  detection_cost *out)
{
    *out = (detection_cost){ 0 };
    int code = paper_run_model(r, model, scene, name, duration, NULL, &out->how);
    out->seconds = out->how.detection_processor;
    describe_colliders(model, out);
    return code;
}

/* ---- one size ----------------------------------------------------------------------------------------------------- */

typedef struct size_cost {
    double points;        /* of the ball */
    double looks[WAYS];   /* at the field in one detection */
    double least[WAYS];   /* [us] of one detection, least of all rounds */
    double most[WAYS];    /* [us] */
    double touches[WAYS]; /* points that touch */
} size_cost;

/* Both ways, made once. */
static int compile_size(paper_report *r, int points, carom_model *model[WAYS])
{
    char triangles[TEXT], steps[TEXT], way[TEXT];
    const char *const overrides[] = { triangles, steps, way };
    int code = EXIT_DONE;
    snprintf(triangles, sizeof triangles, "variables.triangles=%d", 2 * points - 4); /* closed, without handles */
    snprintf(steps, sizeof steps, "variables.steps=%d", points > 100000 ? 3 : points > 10000 ? 20 : 500);
    for (int k = 0; k < WAYS && code == EXIT_DONE; ++k) {
        snprintf(way, sizeof way, "contact.detection=%s", ways[k]);
        code = paper_compile(r, SCENE, "figure-4", overrides, 3, &model[k]);
    }
    return code;
}

static int one_round(paper_report *r, carom_model *const model[WAYS], int round, size_cost *out)
{
    int code = EXIT_DONE;
    for (int k = 0; k < WAYS && code == EXIT_DONE; ++k) {
        detection_cost cost;
        code = measure_model(r, model[k], SCENE, "figure-4", 0.0, &cost);
        const carom_search_counts *asked = &cost.how.searched;
        double searches = asked->searches > 0 ? (double)asked->searches : (double)NAN;
        double micro = 1e6 * cost.seconds / searches;
        out->looks[k] = (double)(asked->features + asked->cells) / searches;
        out->touches[k] = (double)cost.how.contacts_max;
        out->least[k] = round == 0 ? micro : fmin(out->least[k], micro);
        out->most[k] = round == 0 ? micro : fmax(out->most[k], micro);
    }
    return code;
}

static int measure_size(paper_report *r, int points, size_cost *out)
{
    carom_model *model[WAYS] = { NULL, NULL };
    int code = compile_size(r, points, model);
    for (int round = 0; round < ROUNDS && code == EXIT_DONE; ++round) {
        code = one_round(r, model, round, out);
    }
    out->points = out->looks[0];
    for (int k = 0; k < WAYS; ++k) {
        carom_model_destroy(model[k]);
    }
    return code;
}

/* ---- all sizes ---------------------------------------------------------------------------------------------------- */

static void list_sizes(paper_report *r, const size_cost *s, int count)
{
    static const char *const titles[] = { "points",    "looks at the field", "with octree", "ratio",
                                          "time [us]", "with octree",        "ratio",       "spread" };
    table *t = paper_table(r, "One detection: without octree | with it", 8, titles, "rrrrrrrr");
    for (int i = 0; i < count; ++i) {
        table_cell(t, "%.0f", s[i].points);
        table_cell(t, "%.0f", s[i].looks[0]);
        table_cell(t, "%.0f", s[i].looks[1]);
        table_cell(t, "%.1f", s[i].looks[0] / s[i].looks[1]);
        table_number(t, s[i].least[0], 3);
        table_number(t, s[i].least[1], 3);
        table_cell(t, "%.1f", s[i].least[0] / s[i].least[1]);
        table_cell(t, "%.1f, %.1f", s[i].most[0] / s[i].least[0], s[i].most[1] / s[i].least[1]);
    }
}

static int draw_sizes(paper_report *r, const double *x, double (*looks)[SIZES], double (*time)[SIZES], size_t count)
{
    carom_series series[] = {
        { .x = x, .y = looks[0], .count = count, .label = "field", .marker = CAROM_MARKER_SQUARE },
        { .x = x, .y = looks[1], .count = count, .label = "field and octree", .marker = CAROM_MARKER_CIRCLE },
        { .x = x, .y = time[0], .count = count, .marker = CAROM_MARKER_SQUARE, .panel = 1, .hue = 1 },
        { .x = x, .y = time[1], .count = count, .marker = CAROM_MARKER_CIRCLE, .panel = 1, .hue = 2 },
    };
    carom_panel panels[] = { { .y = { .label = "looks at the field", .log = true } },
                             { .y = { .label = "time", .unit = "us", .log = true } } };
    carom_figure figure = { .title = "One detection over the number of points",
                            .x = { .label = "detection points", .log = true },
                            .series = series,
                            .series_count = 4,
                            .panels = panels,
                            .panel_count = 2,
                            .style = CAROM_PLOT_PAPER };
    static const char *const titles[] = { "points", "looks without octree", "looks with octree",
                                          "without octree [us]", "with octree [us]" };
    const double *const columns[] = { x, looks[0], looks[1], time[0], time[1] };
    int code = paper_csv(r, "figure-4", titles, columns, 5, count);
    return code == EXIT_DONE ? paper_figure(r, "figure-4", &figure) : code;
}

static int compare_sizes(paper_report *r, const size_cost *s, int count)
{
    double x[SIZES], looks[WAYS][SIZES], time[WAYS][SIZES];
    double missed = 0.0, falls = 0.0;
    for (int i = 0; i < count; ++i) {
        x[i] = s[i].points;
        for (int k = 0; k < WAYS; ++k) {
            looks[k][i] = s[i].looks[k];
            time[k][i] = s[i].least[k];
        }
        missed += fabs(s[i].touches[0] - s[i].touches[1]);
        falls += i > 0 && looks[0][i] / looks[1][i] <= looks[0][i - 1] / looks[1][i - 1];
    }
    list_sizes(r, s, count);
    paper_row(r, "points found, difference", missed, 0.0, 0.0, "the octree loses none");
    paper_row(r, "gain that falls, sizes", falls, 0.0, 0.0, "paper: grows with points");
    paper_row(r, "looks grow, without", fitted_order(x, looks[0], count), 1.0, 1e-12, "exponent: every point");
    paper_row(r, "looks grow, with octree", fitted_order(x, looks[1], count), 0.5, 0.45, "exponent below 1");
    paper_fact(r, "time grows, without", fitted_order(x, time[0], count), "exponent");
    paper_fact(r, "time grows, with octree", fitted_order(x, time[1], count), "exponent");
    return draw_sizes(r, x, looks, time, (size_t)count);
}

int figure_4_item(paper_report *r)
{
    static const int points[SIZES] = { 1000, 3000, 10000, 30000, 100000, 300000, 1000000 };
    size_cost sizes[SIZES] = { { 0 } };
    int count = paper_is_quick(r) ? 4 : SIZES;
    int code = EXIT_DONE;
    for (int i = 0; i < count && code == EXIT_DONE; ++i) {
        code = measure_size(r, points[i], &sizes[i]);
    }
    code = code == EXIT_DONE ? compare_sizes(r, sizes, count) : code;
    paper_note(
        r,
        "Looks are counted and the same on every machine; rows compare them. Times are processor time, the least of "
        "5 rounds in which both ways take turns; spread is the largest of them / the least.");
    paper_note(r, "The field is the paper's, a full grid. Scenes have bricks around the surface unless they ask for "
                  "\"field\": \"dense\".");
    return code;
}
