/* Paper 1, section 4.2: four ways of detection on three pairs of bodies, and the formulas (7) to (12) of section 2.2 beside
 * what was measured. The constants of the formulas are measured in short runs of their own, so that the long ones test
 * them. Notation of the paper: K solutions, N points, T1 one distance from the triangles, T2 one look at a field on a grid,
 * d0 t0 one at a field on an octree, T3 one walk through the octree of points, d its depth, n^3 nodes of the field. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_1.h"

enum { TEXT = 128, QUICK = 2, DIRECT = 0, FIELD_TREE, FIELD, TREE, METHODS };
static const char *const methods[METHODS] = { "direct", "sdf-octree", "sdf", "sdf+octree" };

/* ---- runs --------------------------------------------------------------------------------------------------------- */

typedef struct cost_case {
    const char *scene;
    const char *title;
    int triangles;      /* of the statue; 0: there is none */
    double calibration; /* [s] simulated for the constants */
    double paper[2];    /* [%] of the direct way: field; field and octree */
    double most;        /* [%] that field and octree may cost */
} cost_case;

static int compile_case(paper_report *r, const cost_case *c, int method, const char *name, carom_model **model)
{
    char text[4][TEXT];
    const char *const overrides[] = { text[0], text[1], text[2], text[3] };
    size_t count = 2;
    snprintf(text[0], TEXT, "contact.detection=%s", methods[method]);
    snprintf(text[1], TEXT, "contact.cache=%s", method == FIELD ? "false" : "true");
    if (c->triangles > 0) {
        snprintf(text[count++], TEXT, "variables.triangles=%d", c->triangles);
    }
    if (paper_is_quick(r)) {
        snprintf(text[count++], TEXT, "contact.resolution=40"); /* a third of the default */
    }
    return paper_compile(r, c->scene, name, overrides, count, model);
}

/* The whole run, and before it a short one of the same model where `brief` is given. Fields on a grid are built anew to see
 * how long that takes; those on octrees, which takes longer, only if the disk has none. */
static int measure(paper_report *r, const cost_case *c, int method, detection_cost *brief, detection_cost *whole)
{
    char name[TEXT];
    carom_model *model = NULL;
    snprintf(name, sizeof name, "%.*s-%s", (int)(strlen(c->scene) - strlen(".json")), c->scene, methods[method]);
    int code = compile_case(r, c, method, name, &model);
    if (code == EXIT_DONE && brief) {
        code = measure_model(r, model, c->scene, name, c->calibration, brief);
    }
    double duration = paper_is_quick(r) ? QUICK * c->calibration : 0.0; /* [s] 0: all of the scene */
    code = code == EXIT_DONE ? measure_model(r, model, c->scene, name, duration, whole) : code;
    carom_model_destroy(model);
    return code;
}

/* ---- the formulas ------------------------------------------------------------------------------------------------- */

typedef struct constants {
    double t1, t2, d0t0;   /* [s] */
    double build[METHODS]; /* [s] of the fields, measured */
} constants;

static double per_look(const detection_cost *c)
{
    double looks = (double)(c->how.searched.features + c->how.searched.cells);
    return looks > 0.0 ? c->seconds / looks : (double)NAN;
}

/* From short runs. */
static constants constants_of(const detection_cost brief[METHODS])
{
    constants k = { .t1 = per_look(&brief[DIRECT]),
                    .t2 = per_look(&brief[FIELD]),
                    .d0t0 = per_look(&brief[FIELD_TREE]) };
    for (int m = 0; m < METHODS; ++m) {
        k.build[m] = brief[m == TREE ? FIELD : m].build;
    }
    return k;
}

/* Solutions in which boxes overlapped: K. */
static double solutions(const detection_cost *c)
{
    return (double)c->how.searched.features / c->points;
}

/* What one walk through the octree costs: T3, by cells counted. */
static double walk(const detection_cost *c, const constants *k)
{
    return (double)c->how.searched.cells * k->t2;
}

/* Points in the leaves that are looked at, as counted, and as (11) has them: K N / 8^(d - 1). */
static double leaves(const detection_cost *c, const constants *k)
{
    return (double)c->how.searched.features * k->t2;
}

static double leaves_of_paper(const detection_cost *tree, const detection_cost *all, const constants *k)
{
    return solutions(all) * all->points / pow(8.0, tree->depth - 1) * k->t2;
}

static void list_symbols(paper_report *r, const cost_case *c, const detection_cost *cost, const constants *k)
{
    static const char *const titles[] = { "symbol", "is", "value", "" };
    char heading[TEXT];
    snprintf(heading, sizeof heading, "Section 2.2, %s: what the formulas need", c->title);
    table *t = paper_table(r, heading, 4, titles, "ttrt");
    struct {
        const char *symbol, *is;
        double value;
        const char *unit;
    } rows[] = {
        { "K", "solutions with boxes that overlap", solutions(&cost[FIELD]), "" },
        { "N", "points of both bodies", cost[FIELD].points, "" },
        { "n^3", "nodes of both fields", cost[FIELD].nodes, "" },
        { "N0", "nodes on octrees", cost[FIELD_TREE].nodes, "" },
        { "d", "levels of the octree of points", cost[TREE].depth, "" },
        { "T1", "a point from the triangles", 1e9 * k->t1, "ns" },
        { "T2", "a look at a field on a grid", 1e9 * k->t2, "ns" },
        { "d0 t0", "a look at a field on an octree", 1e9 * k->d0t0, "ns" },
        { "T3", "a walk through the octree", 1e9 * walk(&cost[TREE], k) / solutions(&cost[FIELD]), "ns" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        table_cell(t, "%s", rows[i].symbol);
        table_cell(t, "%s", rows[i].is);
        table_number(t, rows[i].value, 4);
        table_cell(t, "%s", rows[i].unit);
    }
}

static void formula(table *t, const char *number, const char *text, double predicted, double measured,
                    const char *why)
{
    table_cell(t, "%s", number);
    table_cell(t, "%s", text);
    table_number(t, predicted, 3);
    if (isnan(measured)) {
        table_cell(t, "%s", "-");
    } else {
        table_number(t, measured, 3);
    }
    table_cell(t, "%s", why);
}

/* Predicted and measured, the building of fields apart from the search. */
static void list_formulas(paper_report *r, const detection_cost *cost, const constants *k)
{
    static const char *const titles[] = { "eq.", "formula", "predicted [s]", "measured [s]", "" };
    table *t = paper_table(r, "Equations (7) to (12): cost", 5, titles, "ttrrt");
    double grid = cost[FIELD].nodes * k->t1;
    formula(t, "(7)", "K N T1", (double)cost[DIRECT].how.searched.features * k->t1, cost[DIRECT].seconds, "");
    formula(t, "(8)", "N0 T1", cost[FIELD_TREE].nodes * k->t1,
            k->build[FIELD_TREE] > 0.0 ? k->build[FIELD_TREE] : (double)NAN,
            k->build[FIELD_TREE] > 0.0 ? "wall time" : "read from disk");
    formula(t, "", "K N d0 t0", (double)cost[FIELD_TREE].how.searched.features * k->d0t0, cost[FIELD_TREE].seconds,
            "");
    formula(t, "(9)", "n^3 T1", grid, k->build[FIELD], "wall time");
    formula(t, "", "K N T2", (double)cost[FIELD].how.searched.features * k->t2, cost[FIELD].seconds, "");
    formula(t, "(11)", "K (T3 + n T2)", walk(&cost[TREE], k) + leaves(&cost[TREE], k), cost[TREE].seconds,
            "n as counted");
    formula(t, "", "n = N / 8^(d-1)", walk(&cost[TREE], k) + leaves_of_paper(&cost[TREE], &cost[FIELD], k),
            cost[TREE].seconds, "n of one leaf");
    formula(t, "(10)", "n^3 T1 alone", grid, k->build[FIELD] + cost[FIELD].seconds, "with the search");
    formula(t, "(12)", "n^3 T1 alone", grid, k->build[TREE] + cost[TREE].seconds, "with the search");
}

/* Constants of short runs foretell long ones. Half: what two runs on a busy machine may differ by, and what changes when
 * points come nearer. */
static void compare_formulas(paper_report *r, const cost_case *c, const detection_cost *cost, const constants *k)
{
    char label[TEXT];
    double ratio[] = { (double)cost[DIRECT].how.searched.features * k->t1 / cost[DIRECT].seconds,
                       (double)cost[FIELD_TREE].how.searched.features * k->d0t0 / cost[FIELD_TREE].seconds,
                       (double)cost[FIELD].how.searched.features * k->t2 / cost[FIELD].seconds };
    static const char *const number[] = { "(7)", "(8)", "(9)" };
    for (int i = 0; i < 3; ++i) {
        snprintf(label, sizeof label, "%s, %s / measured", c->title, number[i]);
        paper_row(r, label, ratio[i], 1.0, 0.5, "search; short run");
    }
    snprintf(label, sizeof label, "%s, looks saved by octree", c->title);
    paper_fact(r, label,
               (double)cost[FIELD].how.searched.features /
                   (double)(cost[TREE].how.searched.features + cost[TREE].how.searched.cells),
               "times; counted");
}

/* ---- one case of 4.2 ------------------------------------------------------------------------------------------------ */

/* The field alone: computed, printed, and why they differ. */
static void explain_field(paper_report *r, const cost_case *c, const detection_cost *cost, const constants *k)
{
    static const char *const titles[] = { "", "computed", "paper", "why they differ" };
    char heading[TEXT];
    snprintf(heading, sizeof heading, "Field alone, %s [%% of direct]", c->title);
    table *t = paper_table(r, heading, 4, titles, "trrt");
    table_cell(t, "%s", "measured");
    table_number(t, 100.0 * cost[FIELD].seconds / cost[DIRECT].seconds, 3);
    table_number(t, c->paper[0], 3);
    table_cell(t, "%s", "direct here walks a tree of triangles");
    table_cell(t, "%s", "T2 / T1 of the short runs");
    table_number(t, 100.0 * k->t2 / k->t1, 3);
    table_cell(t, "%s", "");
    table_cell(t, "%s", "(9) / (7) without n^3 T1: the same");
    table_cell(t, "%s", "with n^3 T1 added");
    table_number(t, 100.0 * (k->t2 / k->t1 + cost[FIELD].nodes / (double)cost[FIELD].how.searched.features), 3);
    table_number(t, c->paper[0], 3);
    table_cell(t, "%s", "(9) / (7): n^3 / (K N) more");
}

static void compare_shares(paper_report *r, const cost_case *c, const detection_cost *cost)
{
    char label[TEXT], note[TEXT];
    double share[2] = { 100.0 * cost[FIELD].seconds / cost[DIRECT].seconds,
                        100.0 * cost[TREE].seconds / cost[DIRECT].seconds };
    snprintf(label, sizeof label, "%s, sdf [%%]", c->title);
    snprintf(note, sizeof note, "of direct; figure 10: %g", c->paper[0]);
    paper_fact(r, label, share[0], note);
    snprintf(label, sizeof label, "%s, sdf+octree [%%]", c->title);
    paper_row(r, label, share[1], c->paper[1], c->most - c->paper[1], "of direct; figure 10");
}

/* All four ways, and the formulas. Field and octree may cost less than in the paper, and at most `most`: 5 % of direct with
 * the statue, twice the paper's share with boxes, whose few points leave little to save. */
static int compare_methods(paper_report *r, const cost_case *c, detection_cost *cost, constants *k)
{
    detection_cost brief[METHODS] = { { 0 } };
    int code = EXIT_DONE;
    for (int m = 0; m < METHODS && code == EXIT_DONE; ++m) {
        char label[TEXT];
        code = measure(r, c, m, m == TREE ? NULL : &brief[m], &cost[m]);
        snprintf(label, sizeof label, "%s, %s [s]", c->title, methods[m]);
        paper_fact(r, label, cost[m].seconds, "detection");
    }
    *k = constants_of(brief);
    if (code == EXIT_DONE) {
        list_symbols(r, c, cost, k);
        list_formulas(r, cost, k);
        explain_field(r, c, cost, k);
        compare_shares(r, c, cost);
        compare_formulas(r, c, cost, k);
    }
    return code;
}

/* ---- figure 10 -------------------------------------------------------------------------------------------------------- */

enum { CASES = 3, BAR = 5, LOWEST = -3 };

/* One bar of a logarithmic axis after another: its outline, then a gap. */
static void add_bar(double *x, double *y, size_t *n, double middle, double height)
{
    const double half = 0.1;
    const double outline[BAR][2] = { { middle - half, pow(10.0, LOWEST) },
                                     { middle - half, height },
                                     { middle + half, height },
                                     { middle + half, pow(10.0, LOWEST) },
                                     { (double)NAN, (double)NAN } };
    for (int i = 0; i < BAR; ++i, ++*n) {
        x[*n] = outline[i][0];
        y[*n] = outline[i][1];
    }
}

/* Bars of the cases from `first` on to `end` for one way. */
static size_t add_bars(double *x, double *y, double seconds[CASES][3], int way, int first, int end)
{
    size_t n = 0;
    for (int c = first; c < end; ++c) {
        add_bar(x, y, &n, c + 1.0 + 0.25 * (way - 1), seconds[c][way]);
    }
    return n;
}

/* The paper's shares of our direct way, and the seconds that it names for two statues in 5 s. */
static void paper_dots(double *x, double *y, double seconds[CASES][3])
{
    static const double shares[2][2] = { { 0.230, 0.142 }, { 0.039, 0.023 } };
    for (int c = 0; c < 2; ++c) {
        for (int w = 0; w < 2; ++w) {
            x[2 * c + w] = c + 1.0 + 0.25 * w;
            y[2 * c + w] = shares[c][w] * seconds[c][0];
        }
    }
    x[4] = 3.25;
    y[4] = 1007.0;
}

static int write_figure_10(paper_report *r, double seconds[CASES][3])
{
    static const char *const titles[] = { "case", "direct [s]", "sdf [s]", "sdf+octree [s]" };
    static const double numbers[CASES] = { 1.0, 2.0, 3.0 };
    double column[3][CASES];
    for (int c = 0; c < CASES; ++c) {
        for (int w = 0; w < 3; ++w) {
            column[w][c] = seconds[c][w];
        }
    }
    const double *const columns[] = { numbers, column[0], column[1], column[2] };
    return paper_csv(r, "figure-10", titles, columns, 4, CASES);
}

/* Seconds by case and way: direct, field, field and octree. Those of two statues that would take long are what (7) and (9)
 * say, dashed. */
static int draw_figure_10(paper_report *r, double seconds[CASES][3])
{
    static const char *const labels[] = { "direct", "SDF", "SDF and octree" };
    enum { SERIES = 6 };
    bool quick = paper_is_quick(r); /* then 1007 s, of a whole run, has no place in the figure */
    double x[SERIES][CASES * BAR], y[SERIES][CASES * BAR];
    carom_series series[SERIES] = { { 0 } };
    for (int w = 0; w < 3; ++w) {
        size_t n = add_bars(x[w], y[w], seconds, w, 0, w < 2 ? 2 : CASES);
        series[w] = (carom_series){ x[w], y[w], n, .label = labels[w], .width = 2.0, .hue = (unsigned)w + 1 };
    }
    for (int w = 0; w < 2; ++w) {
        size_t n = add_bars(x[3 + w], y[3 + w], seconds, w, 2, CASES);
        series[3 + w] = (carom_series){
            x[3 + w], y[3 + w], n, .line = CAROM_LINE_DASHED, .width = 1.5, .hue = (unsigned)w + 1
        };
    }
    paper_dots(x[5], y[5], seconds);
    series[5] = (carom_series){ x[5],
                                y[5],
                                quick ? 4 : 5,
                                quick ? "the paper's share of direct" : "the paper: share of direct, 1007 s",
                                CAROM_LINE_NONE,
                                CAROM_MARKER_CIRCLE,
                                .hue = 4 };
    carom_figure figure = {
        .title = quick ? "Cost of detection, beginning of the runs (dashed: by equations 7 and 9)"
                       : "Cost of detection, 5 s simulated (dashed: by equations 7 and 9)",
        .x = { .label = "1: box and box   2: statue and box   3: two statues", .min = 0.5, .max = 3.5 },
        .y = { .label = "time", .unit = "s", .log = true, .min = pow(10.0, LOWEST) },
        .series = series,
        .series_count = SERIES,
        .style = CAROM_PLOT_PAPER
    };
    figure.y.max = 10.0 * fmax(fmax(seconds[1][0], seconds[2][0]), quick ? 0.0 : 1007.0);
    int code = write_figure_10(r, seconds);
    return code == EXIT_DONE ? paper_figure(r, "figure-10", &figure) : code;
}

/* ---- the item ----------------------------------------------------------------------------------------------------------- */

static void take_seconds(double *to, const detection_cost *cost)
{
    to[0] = cost[DIRECT].seconds;
    to[1] = cost[FIELD].seconds;
    to[2] = cost[TREE].seconds;
}

/* Two statues: only field and octree are run; (7) and (9) say what the others would take. */
static int two_statues(paper_report *r, const cost_case *c, const constants *k, double *seconds)
{
    detection_cost pair;
    int code = measure(r, c, TREE, NULL, &pair);
    if (code != EXIT_DONE) {
        return code;
    }
    double looks = 0.5 * (double)pair.how.searched.searches * pair.points; /* K N: two searches for each solution */
    seconds[0] = looks * k->t1;
    seconds[1] = looks * k->t2;
    seconds[2] = pair.seconds;
    paper_row(r, "two statues [s]", pair.how.wall, 0.0, 100.0, "paper: 1007 s");
    paper_row(r, "two statues never touch", pair.how.contacts_max > 0 ? 0.0 : 1.0, 0.0, 0.0, "they do: 4.2");
    paper_fact(r, "two statues, direct [s]", seconds[0], "by (7), not run");
    paper_fact(r, "two statues, sdf [s]", seconds[1], "by (9), not run");
    return code;
}

int efficiency_item(paper_report *r)
{
    int triangles = paper_is_quick(r) ? 30000 : 231422;
    const cost_case boxes = { "box-box.json", "boxes", 0, 0.3, { 23.0, 14.2 }, 2.0 * 14.2 };
    double calibration = paper_is_quick(r) ? 0.25
                                           : 0.8; /* statue and box touch after 0.44 s, two statues after 1.19 s */
    const cost_case statue = { "statue-box.json", "statue", triangles, calibration, { 3.9, 2.3 }, 5.0 };
    const cost_case statues = { "statue-statue.json", "two statues", triangles, 0.8, { 0.0, 0.0 }, 0.0 };
    detection_cost cost[METHODS] = { { 0 } };
    constants k = { 0 };
    double seconds[CASES][3];
    int code = compare_methods(r, &boxes, cost, &k);
    take_seconds(seconds[0], cost);
    code = code == EXIT_DONE ? compare_methods(r, &statue, cost, &k) : code;
    take_seconds(seconds[1], cost);
    code = code == EXIT_DONE ? two_statues(r, &statues, &k, seconds[2]) : code;
    code = code == EXIT_DONE ? draw_figure_10(r, seconds) : code;
    paper_note(
        r, "Seconds of detection are processor time. Field alone: the paper's 3.9 % needs T1 = 26 T2 or more; its T1 "
           "asks every triangle, while direct here descends a tree of them, which makes T1 small.");
    paper_note(
        r,
        "(10) and (12) keep n^3 T1 alone. That holds for a T1 that asks every triangle; fields here are built from "
        "sorted triangles in bricks around the surface, and kept on disk.");
    return code;
}
