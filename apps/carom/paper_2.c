/* Paper 2: contact of flexible bodies as a constraint that comes and goes (variable topology). Its figures are lost: what is compared
 * are the numbers of its text and tables, exact solutions, and references of our own from other programs. */
#include "paper_2.h"

#include <math.h>
#include <stdlib.h>

int compile_case(paper_report *r, const char *scene, const char *name, const settings *s, carom_model **model)
{
    const char *overrides[SETTINGS];
    size_t count = s ? s->count : 0;
    for (size_t k = 0; k < count; ++k) {
        overrides[k] = s->text[k];
    }
    return paper_compile(r, scene, name, overrides, count, model);
}

int run_case(paper_report *r, const char *scene, const char *name, const settings *s, carom_result **result,
             carom_run_report *how)
{
    carom_model *model = NULL;
    int code = compile_case(r, scene, name, s, &model);
    code = code == EXIT_DONE ? paper_run_model(r, model, scene, name, 0.0, result, how) : code;
    carom_model_destroy(model);
    return code;
}

/* ---- curves ---- */

int take_curve(const carom_result *result, const char *signal, force_curve *out)
{
    const double *t = carom_result_time(result);
    const double *force = paper_signal(result, signal);
    size_t count = carom_result_frame_count(result);
    *out = (force_curve){ 0 };
    if (!force || count < 2) {
        return EXIT_GAVE_UP;
    }
    out->h = t[1] - t[0];
    out->count = count;
    out->force = allocate(count, sizeof *out->force);
    for (size_t k = 0; k < count; ++k) {
        out->force[k] = k == 0 ? 0.5 * force[0] : force[k];
    }
    return EXIT_DONE;
}

void free_curve(force_curve *c)
{
    free(c->force);
    *c = (force_curve){ 0 };
}

/* Mean of the window that begins with a step. */
static double mean_from(const force_curve *c, size_t first, size_t steps)
{
    double sum = 0.0;
    for (size_t k = first; k < first + steps && k < c->count; ++k) {
        sum += c->force[k];
    }
    return sum / (double)steps;
}

static size_t steps_of(const force_curve *c, double window)
{
    long steps = lround(window / c->h);
    return steps > 1 ? (size_t)steps : 1;
}

size_t find_sub_impacts(const force_curve *c, double window, sub_impact *out, size_t most)
{
    size_t found = 0;
    size_t steps = steps_of(c, window);
    for (size_t k = 0; k < c->count && found < most;) {
        if (!(c->force[k] > 0.0)) {
            ++k;
            continue;
        }
        sub_impact s = { .start = (double)k * c->h };
        for (; k < c->count && c->force[k] > 0.0; ++k) {
            double mean = mean_from(c, k, steps);
            s.impulse += c->force[k] * c->h;
            s.at = mean > s.peak ? ((double)k + 0.5 * (double)(steps - 1)) * c->h : s.at;
            s.peak = fmax(s.peak, mean);
        }
        s.end = (double)k * c->h;
        out[found++] = s;
    }
    return found;
}

double impulse_until(const force_curve *c, double t)
{
    double sum = 0.0;
    for (size_t k = 0; k < c->count && ((double)k + 0.5) * c->h <= t; ++k) {
        sum += c->force[k] * c->h;
    }
    return sum;
}

double peak_of(const force_curve *c)
{
    double peak = 0.0;
    for (size_t k = 0; k < c->count; ++k) {
        peak = fmax(peak, c->force[k]);
    }
    return peak;
}

static const double MICROSECOND = 1e-6;

int read_curve(paper_report *r, const char *file, force_curve *out)
{
    size_t rows = 0;
    double *numbers = paper_numbers(r, file, 2, &rows);
    *out = (force_curve){ .h = MICROSECOND, .count = rows };
    if (!numbers) {
        return EXIT_GAVE_UP;
    }
    out->force = allocate(rows, sizeof *out->force);
    for (size_t k = 0; k < rows; ++k) {
        out->force[k] = numbers[2 * k + 1];
    }
    free(numbers);
    return EXIT_DONE;
}

int compare_curve(paper_report *r, const force_curve *c, const char *file, curve_distance *out)
{
    force_curve expected = { 0 };
    int code = read_curve(r, file, &expected);
    size_t steps = steps_of(c, MICROSECOND);
    double off = 0.0, size = 0.0, ours = 0.0, theirs = 0.0, worst = 0.0;
    for (size_t k = 0; k < expected.count && (k + 1) * steps <= c->count; ++k) {
        double mean = mean_from(c, k * steps, steps);
        off += (mean - expected.force[k]) * (mean - expected.force[k]);
        size += expected.force[k] * expected.force[k];
        ours += mean;
        theirs += expected.force[k];
        worst = fmax(worst, fabs(ours - theirs));
    }
    *out = (curve_distance){ sqrt(off / size), worst / theirs };
    free_curve(&expected);
    return code;
}

double distance_of(const force_curve *a, const force_curve *b, double until)
{
    double off = 0.0, size = 0.0;
    for (size_t k = 0; (double)(k + 1) * MICROSECOND <= until; ++k) {
        double x = mean_from(a, k * steps_of(a, MICROSECOND), steps_of(a, MICROSECOND));
        double y = mean_from(b, k * steps_of(b, MICROSECOND), steps_of(b, MICROSECOND));
        off += (x - y) * (x - y);
        size += y * y;
    }
    return sqrt(off / size);
}

/* ---- figures ---- */

enum { DRAWN = 6 }; /* curves of one figure at most */

static double *times_of(const force_curve *c)
{
    double *t = allocate(c->count, sizeof *t);
    for (size_t k = 0; k < c->count; ++k) {
        t[k] = 1e6 * ((double)k + 0.5) * c->h;
    }
    return t;
}

/* [mN s] from the start to the end of each step. */
static double *running_impulse(const force_curve *c)
{
    double *sums = allocate(c->count, sizeof *sums);
    double sum = 0.0;
    for (size_t k = 0; k < c->count; ++k) {
        sum += 1e3 * c->force[k] * c->h;
        sums[k] = sum;
    }
    return sums;
}

static int draw_curves(paper_report *r, const char *name, const char *title, bool impulses, const drawn_curve *curves,
                       size_t count)
{
    carom_series series[DRAWN];
    double *times[DRAWN], *sums[DRAWN] = { NULL };
    for (size_t i = 0; i < count; ++i) {
        const force_curve *c = curves[i].curve;
        times[i] = times_of(c);
        sums[i] = impulses ? running_impulse(c) : NULL;
        series[i] = (carom_series){ .x = times[i],
                                    .y = impulses ? sums[i] : c->force,
                                    .count = c->count,
                                    .label = curves[i].label,
                                    .line = curves[i].reference ? CAROM_LINE_DASHED : CAROM_LINE_SOLID };
    }
    carom_figure figure = { .title = title,
                            .x = { .label = "t", .unit = "us" },
                            .y = { .label = impulses ? "impulse" : "force", .unit = impulses ? "mN s" : "N" },
                            .series = series,
                            .series_count = count,
                            .style = CAROM_PLOT_PAPER };
    int code = paper_figure(r, name, &figure);
    for (size_t i = 0; i < count; ++i) {
        free(times[i]);
        free(sums[i]);
    }
    return code;
}

int draw_forces(paper_report *r, const char *name, const char *title, const drawn_curve *curves, size_t count)
{
    return draw_curves(r, name, title, false, curves, count);
}

int draw_impulses(paper_report *r, const char *name, const char *title, const drawn_curve *curves, size_t count)
{
    return draw_curves(r, name, title, true, curves, count);
}

static const paper_item items[] = {
    { .name = "rods",
      .compares = "section 4: force, velocities and strain with the exact waves",
      .seconds = 2,
      .run = rods_item },
    { .name = "rods by penalty",
      .compares = "duration and peak for four penalty factors",
      .seconds = 2,
      .run = penalty_rods_item },
    { .name = "round rods",
      .compares = "solids of revolution: dispersion, apparent wave speed",
      .seconds = 3,
      .run = round_rod_item },
    { .name = "hertz",
      .compares = "balls of finite elements: peak and duration of impacts with Hertz's closed form",
      .seconds = 8,
      .run = hertz_item },
    { .name = "rods with springs",
      .compares = "section 4: contact by forces; spherical ends after Sears, a spring with a damper",
      .seconds = 15,
      .run = spheres_item },
    { .name = "waves",
      .compares = "a bar on a wall, a striker on a rod with a fixed end (St Venant)",
      .seconds = 10,
      .run = waves_item },
    { .name = "beams",
      .compares = "beams that turn and bend far, with geometrically exact ones",
      .seconds = 8,
      .run = beams_item },
    { .name = "struck beams",
      .compares = "modes and contact forces: Timoshenko's ball on a beam, a beam on an elastic stop",
      .seconds = 5,
      .run = struck_beams_item },
    { .name = "bar on bar",
      .compares = "section 3: four sub-impacts, energy, force curve",
      .seconds = 15,
      .quick_seconds = 5,
      .run = bars_item },
    { .name = "bar on bar by beam theory",
      .compares = "section 3 without plane elements: rod, Timoshenko beam, law of line contact",
      .seconds = 20,
      .quick_seconds = 10,
      .run = beam_bars_item },
    { .name = "bar on bar by penalty",
      .compares = "table 2: penalty factors against the constraint",
      .seconds = 25,
      .quick_seconds = 10,
      .run = penalty_bars_item },
    { .name = "double pendulum",
      .compares = "section 5: ten sub-impacts with friction, audits",
      .seconds = 4,
      .run = flexible_pendulum_item },
    { .name = "frames", .compares = "the frame in which elasticity is linear", .seconds = 6, .run = frames_item },
    { .name = "zone",
      .compares = "section 5: nodes in the zone of contact and modes elsewhere, against all nodes",
      .seconds = 12,
      .quick_seconds = 6,
      .run = zone_item },
    { .name = "flight",
      .compares = "section 5: 19 implicit steps up to the contact; joints by multipliers and eliminated",
      .seconds = 3,
      .run = flight_item },
    { .name = NULL },
};

const paper paper_2 = {
    .number = 2,
    .title = "Contact/impact dynamics study of flexible multibody systems with variable topology",
    .source = "Hong, Liu: additional contact constraints, tables 1 to 4",
    .items = items,
};
