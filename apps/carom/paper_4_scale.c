/* Paper 4: the same scene at other sizes. Units of length s, of time sqrt(s) and of mass s^3 leave gravity and densities as they are and
 * scale all else, so that the motion in these units must be the same. */
#include <math.h>
#include <stdio.h>

#include "paper_4.h"

typedef struct scaled_scene {
    const char *name, *scene;
    double end; /* [s] at size 1 */
} scaled_scene;

static const scaled_scene scenes[] = {
    { "tetrahedra", "tetrahedra.json", 2.0 },       { "five-cubes", "five-cubes.json", 1.0 },
    { "mass-ratio", "mass-ratio.json", 1.0 },       { "corner", "corner.json", 2.0 },
    { "spike-in-hole", "spike-in-hole.json", 2.0 }, { "three-rings", "three-rings.json", 1.0 },
};
enum { SCENES = sizeof scenes / sizeof *scenes, SIZES = 5, STEPS = 3 };
static const double sizes[SIZES] = { 0.001, 0.01, 0.1, 10.0, 1000.0 };

static int run_scaled(paper_report *r, verification *v, const scaled_scene *what, double size, double step,
                      barrier_run *out)
{
    settings s = { 0 };
    char name[SETTING_TEXT];
    settings_number(&s, "units.length", size);
    settings_number(&s, "units.time", sqrt(size));
    settings_number(&s, "units.mass", size * size * size);
    settings_number(&s, "variables.h", 0.01 * step);
    settings_number(&s, "variables.end", what->end);
    settings_text(&s, "record.every", "$h");
    snprintf(name, sizeof name, "scale-%s-%g-%g", what->name, size, step);
    return barrier_run_scene(r, v, what->scene, name, &s, out);
}

/* The farthest that a body is from where it is in the other run [m at size 1] at a frame of each. */
static double difference_at(const barrier_run *one, size_t i, const barrier_run *scaled, size_t k, double size)
{
    double worst = 0.0;
    for (size_t body = 1; body < carom_result_body_count(one->result); ++body) {
        const char *name = carom_result_body_name(one->result, (carom_id)body);
        carom_v3 a = barrier_motion(one, name, i).pose.position, b = barrier_motion(scaled, name, k).pose.position;
        worst = paper_worse(worst, hypot(hypot(b.x / size - a.x, b.y / size - a.y), b.z / size - a.z), 0.0);
    }
    return worst;
}

/* The same over all frames that lie at the same time, which must be most. Frames lie at the ends of steps, and rounding decides which one
 * is the first behind a point of the grid. */
static double worst_difference(const barrier_run *one, const barrier_run *scaled, double size)
{
    double worst = 0.0;
    size_t paired = 0;
    for (size_t i = 0, k = 0; i < one->frames && k < scaled->frames;) {
        double later = scaled->time[k] / sqrt(size) - one->time[i];
        if (fabs(later) < 1e-9) {
            worst = paper_worse(worst, difference_at(one, i, scaled, k, size), 0.0);
            ++paired;
        }
        i += later > -1e-9;
        k += later < 1e-9;
    }
    return 2 * paired > one->frames ? worst : (double)NAN;
}

/* A scene with one step at all sizes: differences from size 1. */
static int compare_sizes(paper_report *r, verification *v, const scaled_scene *what, double step, table *list,
                         double differences[SIZES])
{
    barrier_run one = { 0 };
    char label[SETTING_TEXT];
    double worst = 0.0;
    int code = run_scaled(r, v, what, 1.0, step, &one);
    table_cell(list, "%s", what->name);
    table_cell(list, "%g", 0.01 * step);
    for (int k = 0; k < SIZES && code == EXIT_DONE; ++k) {
        barrier_run scaled = { 0 };
        code = run_scaled(r, v, what, sizes[k], step, &scaled);
        if (code == EXIT_DONE) {
            differences[k] = worst_difference(&one, &scaled, sizes[k]);
            worst = paper_worse(worst, differences[k], 0.0);
            table_cell(list, "%.1e", differences[k]);
        }
        barrier_run_close(&scaled);
    }
    snprintf(label, sizeof label, "%s, h %g s", what->name, 0.01 * step);
    paper_row(r, label, code == EXIT_DONE ? worst : (double)NAN, 0.0, 0.01, "[m at size 1]");
    barrier_run_close(&one);
    return code;
}

static int draw_scale(paper_report *r, double differences[][SIZES], int count)
{
    carom_series series[SCENES];
    for (int i = 0; i < count; ++i) {
        series[i] = (carom_series){
            .x = sizes, .y = differences[i], .count = SIZES, .label = scenes[i].name, .marker = CAROM_MARKER_CIRCLE
        };
    }
    carom_figure figure = { .title = "The same motion at other sizes, h = 0.01 s at size 1",
                            .x = { .label = "size", .log = true },
                            .y = { .label = "farthest from size 1 [m at size 1]", .log = true },
                            .series = series,
                            .series_count = (size_t)count,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "scale", &figure);
}

int scale_item(paper_report *r)
{
    double differences[STEPS][SCENES][SIZES];
    static const double steps[STEPS] = { 1.0, 10.0, 0.1 };
    static const char *const titles[] = { "scene", "h [s]", "0.001x", "0.01x", "0.1x", "10x", "1000x" };
    table *list = paper_table(r, "Farthest from the run of size 1 [m at size 1]", 7, titles, "lrrrrrr");
    verification v = { 0 };
    int code = EXIT_DONE;
    int count = (int)barrier_size(r, 2, SCENES, SCENES);
    for (int k = 0; k < STEPS && code == EXIT_DONE; ++k) {
        for (int i = 0; i < count && code == EXIT_DONE; ++i) {
            code = compare_sizes(r, &v, &scenes[i], steps[k], list, differences[k][i]);
        }
    }
    code = code == EXIT_DONE ? draw_scale(r, differences[0], count) : code;
    verification_rows(r, &v);
    paper_note(r, "Steps are those at size 1; they scale with the square root of the size, as times do.");
    return code;
}
