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

double fitted_order(const double *x, const double *y, int count)
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

static const paper_item items[] = {
    { .name = "two sliders",
      .compares = "4.1: velocities after an elastic impact, order of convergence; figures 8a, 8b",
      .seconds = 5,
      .run = two_sliders },
    { .name = "figure 4",
      .compares = "detection with and without the octree of points: looks at the field, time",
      .seconds = 60,
      .quick_seconds = 10,
      .run = figure_4_item },
    { .name = "efficiency",
      .compares = "4.2: four ways of detection on three pairs; equations (7) to (12); figure 10",
      .seconds = 200,
      .quick_seconds = 30,
      .run = efficiency_item },
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
