/* Paper 1: contact of rigid bodies by signed distance fields, with compliant normal and friction forces. Its items are
 * section 4 (two sliders, cost of detection, docking) and figure 4. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_1.h"

enum { TEXT = 96 };

/* ---- 4.1: two sliders ------------------------------------------------------------------------------------------- */

typedef struct slider_error {
    double step;     /* [s] */
    double velocity; /* [m/s] of slider 1 */
} slider_error;

/* The error of slider 1 with a fixed step. */
static int slider_run(paper_report *r, double step, slider_error *out)
{
    char text[TEXT], name[TEXT];
    const char *overrides[] = { text };
    carom_result *result = NULL;
    snprintf(text, sizeof text, "time.step=%.17g", step);
    snprintf(name, sizeof name, "sliders-%.3g", step);
    int code = paper_run(r, "sliders.json", name, overrides, 1, &result, NULL);
    const double *v = code == EXIT_DONE ? paper_signal(result, "slider 1.velocity.x") : NULL;
    if (v) {
        *out = (slider_error){ step, fabs(v[carom_result_frame_count(result) - 1] - 3.0) };
    }
    carom_result_close(result);
    return code == EXIT_DONE && !v ? EXIT_GAVE_UP : code;
}

/* The slope of a straight line through logarithms: where a step meets the touch makes single errors scatter. */
static double fitted_order(const double *x, const double *y, int count)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int k = 0; k < count; ++k) {
        double a = log(x[k]);
        double b = log(fmax(y[k], 1e-13));
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

static int slider_convergence(paper_report *r)
{
    enum { RUNS = 7 };
    double steps[RUNS], errors[RUNS];
    for (int k = 0; k < RUNS; ++k) {
        slider_error e;
        char label[TEXT];
        int code = slider_run(r, 2e-4 * pow(0.5, k), &e);
        if (code != EXIT_DONE) {
            return code;
        }
        steps[k] = e.step;
        errors[k] = e.velocity;
        snprintf(label, sizeof label, "step %.3g s", e.step);
        paper_fact(r, label, e.velocity, "error of v1 [m/s]");
    }
    double order = fitted_order(steps, errors, RUNS);
    paper_fact(r, "order of convergence", order, "fitted; figure 8a has no numbers");
    paper_row(r, "order short of 2 by", fmax(0.0, 2.0 - order), 0.0, 0.05, "at least 2");
    carom_series series[] = {
        { .x = steps, .y = errors, .count = RUNS, .label = "error of slider 1", .marker = CAROM_MARKER_CIRCLE }
    };
    carom_figure figure = { .title = "Two sliders: error of the velocity after impact",
                            .x = { .label = "step", .unit = "s", .log = true },
                            .y = { .label = "error of v_{1}", .unit = "m/s", .log = true },
                            .series = series,
                            .series_count = 1,
                            .style = CAROM_PLOT_PAPER };
    static const char *const titles[] = { "step [s]", "error of v1 [m/s]" };
    const double *const columns[] = { steps, errors };
    int code = paper_csv(r, "figure-8a", titles, columns, 2, RUNS);
    return code == EXIT_DONE ? paper_figure(r, "figure-8a", &figure) : code;
}

static int slider_history(paper_report *r, const carom_result *result)
{
    const double *v1 = paper_signal(result, "slider 1.velocity.x");
    const double *v2 = paper_signal(result, "slider 2.velocity.x");
    if (!v1 || !v2) {
        return EXIT_GAVE_UP;
    }
    size_t n = carom_result_frame_count(result);
    paper_row(r, "v1 after impact [m/s]", v1[n - 1], 3.0, 1e-4, "exact");
    paper_row(r, "v2 after impact [m/s]", v2[n - 1], -2.0, 1e-4, "exact");
    carom_series series[] = {
        { .x = carom_result_time(result), .y = v1, .count = n, .label = "slider 1" },
        { .x = carom_result_time(result), .y = v2, .count = n, .label = "slider 2", .line = CAROM_LINE_DASHED },
    };
    carom_figure figure = { .title = "Two sliders",
                            .x = { .label = "time", .unit = "s" },
                            .y = { .label = "velocity", .unit = "m/s" },
                            .series = series,
                            .series_count = 2,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "figure-8b", &figure);
}

static int two_sliders(paper_report *r)
{
    carom_result *result = NULL;
    carom_run_report how = { 0 };
    int code = paper_run(r, "sliders.json", "sliders", NULL, 0, &result, &how);
    if (code == EXIT_DONE) {
        paper_row(r, "energy error / energy", how.energy_error_max / 12500.0, 0.0, 2e-4, "exact; default accuracy");
        code = slider_history(r, result);
    }
    carom_result_close(result);
    return code == EXIT_DONE ? slider_convergence(r) : code;
}

/* ---- figure 4 and 4.2: cost of detection -------------------------------------------------------------------------- */

typedef struct detection_cost {
    double total;      /* [s] of detection */
    double evaluation; /* [s] per evaluation of the model */
    double wall;       /* [s] of the run */
    carom_run_report how;
} detection_cost;

static int measure(paper_report *r, const char *scene, const char *method, int triangles, detection_cost *out)
{
    char method_text[TEXT], triangles_text[TEXT], name[TEXT];
    const char *overrides[2] = { method_text };
    size_t count = 1;
    snprintf(method_text, sizeof method_text, "contact.detection=%s", method);
    snprintf(name, sizeof name, "%.*s-%s-%d", (int)(strlen(scene) - 5), scene, method, triangles);
    if (triangles > 0) {
        snprintf(triangles_text, sizeof triangles_text, "variables.triangles=%d", triangles);
        overrides[count++] = triangles_text;
    }
    carom_result *result = NULL;
    carom_run_report how = { 0 };
    int code = paper_run(r, scene, name, overrides, count, &result, &how);
    carom_result_close(result);
    long evaluations = how.evaluations > 0 ? how.evaluations : 1;
    *out = (detection_cost){ how.detection, how.detection / (double)evaluations, how.wall, how };
    return code;
}

static int figure_4(paper_report *r)
{
    enum { MOST = 7 };
    static const int points[MOST] = { 1000, 3000, 10000, 30000, 100000, 300000, 1000000 };
    int count = paper_is_quick(r) ? 4 : MOST;
    double x[MOST], with[MOST], without[MOST];
    double missed = 0.0;
    for (int k = 0; k < count; ++k) {
        int triangles = 2 * points[k] - 4; /* of a closed surface without handles */
        detection_cost tree, all;
        int code = measure(r, "figure-4.json", "sdf+octree", triangles, &tree);
        code = code == EXIT_DONE ? measure(r, "figure-4.json", "sdf", triangles, &all) : code;
        if (code != EXIT_DONE) {
            return code;
        }
        char label[TEXT];
        missed += fabs((double)(tree.how.contacts_max - all.how.contacts_max));
        x[k] = points[k];
        with[k] = 1e6 * tree.evaluation;
        without[k] = 1e6 * all.evaluation;
        snprintf(label, sizeof label, "%d points", points[k]);
        paper_fact(r, label, without[k] / with[k], "time without octree / with");
    }
    paper_fact(r, "growth without octree", fitted_order(x, without, count), "exponent");
    paper_fact(r, "growth with octree", fitted_order(x, with, count), "exponent");
    paper_row(r, "points found, difference", missed, 0.0, 0.0, "the octree loses none");
    static const char *const titles[] = { "points", "without octree [us]", "with octree [us]" };
    const double *const columns[] = { x, without, with };
    carom_series series[] = {
        { .x = x, .y = without, .count = (size_t)count, .label = "field", .marker = CAROM_MARKER_SQUARE },
        { .x = x, .y = with, .count = (size_t)count, .label = "field and octree", .marker = CAROM_MARKER_CIRCLE },
    };
    carom_figure figure = { .title = "Detection: time of one evaluation",
                            .x = { .label = "detection points", .log = true },
                            .y = { .label = "time", .unit = "us", .log = true },
                            .series = series,
                            .series_count = 2,
                            .style = CAROM_PLOT_PAPER };
    int code = paper_csv(r, "figure-4", titles, columns, 3, (size_t)count);
    return code == EXIT_DONE ? paper_figure(r, "figure-4", &figure) : code;
}

/* One case of 4.2 with all four methods; percentages of the direct one beside the paper's. The direct search here is
 * itself one in a tree of triangles, so the field alone gains less than in the paper; field and octree may cost less
 * than there, and at most `most`: 5 % of direct with the statue, twice the paper's share with boxes, whose few points
 * leave little to save. */
static int compare_methods(paper_report *r, const char *scene, const char *title, int triangles,
                           const double paper_percent[2], double most)
{
    static const char *const methods[] = { "direct", "sdf-octree", "sdf", "sdf+octree" };
    detection_cost cost[4];
    for (int k = 0; k < 4; ++k) {
        char label[TEXT];
        int code = measure(r, scene, methods[k], triangles, &cost[k]);
        if (code != EXIT_DONE) {
            return code;
        }
        snprintf(label, sizeof label, "%s, %s [s]", title, methods[k]);
        paper_fact(r, label, cost[k].total, "detection");
    }
    char label[TEXT], note[TEXT];
    double share[2] = { 100.0 * cost[2].total / cost[0].total, 100.0 * cost[3].total / cost[0].total };
    snprintf(label, sizeof label, "%s, sdf [%%]", title);
    snprintf(note, sizeof note, "of direct; figure 10: %g", paper_percent[0]);
    paper_fact(r, label, share[0], note);
    snprintf(label, sizeof label, "%s, sdf+octree [%%]", title);
    snprintf(note, sizeof note, "of direct; figure 10");
    paper_row(r, label, share[1], paper_percent[1], most - paper_percent[1], note);
    return EXIT_DONE;
}

static int efficiency(paper_report *r)
{
    static const double boxes[] = { 23.0, 14.2 };
    static const double statue[] = { 3.9, 2.3 };
    int triangles = paper_is_quick(r) ? 30000 : 231422;
    int code = compare_methods(r, "box-box.json", "boxes", 0, boxes, 2.0 * boxes[1]);
    code = code == EXIT_DONE ? compare_methods(r, "statue-box.json", "statue", triangles, statue, 5.0) : code;
    detection_cost pair;
    code = code == EXIT_DONE ? measure(r, "statue-statue.json", "sdf+octree", triangles, &pair) : code;
    if (code == EXIT_DONE) {
        paper_row(r, "two statues [s]", pair.wall, 0.0, 100.0, "paper: 1007 s");
    }
    return code;
}

static const paper_item items[] = {
    { .name = "two sliders",
      .compares = "4.1: velocities after an elastic impact, order of convergence; figures 8a, 8b",
      .seconds = 5,
      .run = two_sliders },
    { .name = "figure 4",
      .compares = "detection with and without the octree of points",
      .seconds = 60,
      .quick_seconds = 10,
      .run = figure_4 },
    { .name = "efficiency",
      .compares = "4.2: four ways of detection on three pairs; figure 10",
      .seconds = 400,
      .quick_seconds = 30,
      .run = efficiency },
    { .name = "docking",
      .compares = "4.3: capture, velocities, contact points; figures 12, 13, 14",
      .seconds = 40,
      .run = docking_item },
    { .name = NULL },
};

const paper paper_1 = {
    .number = 1,
    .title = "Study of multibody system contact dynamics based on signed distance field",
    .source = "Zhang, You, Liu: Chinese Journal of Theoretical and Applied Mechanics 56(9), 2703-2712, 2024",
    .items = items,
};
