/* Paper 2: contact of flexible bodies as a constraint that comes and goes (variable topology). Its figures are lost: what is compared
 * are the numbers of its text and tables, exact solutions, and references of our own from other programs. */
#include "paper_2.h"

#include <math.h>
#include <stdlib.h>

int run_case(paper_report *r, const char *scene, const char *name, const settings *s, carom_result **result,
             carom_run_report *how)
{
    const char *overrides[SETTINGS];
    size_t count = s ? s->count : 0;
    for (size_t k = 0; k < count; ++k) {
        overrides[k] = s->text[k];
    }
    return paper_run(r, scene, name, overrides, count, result, how);
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

static const double MICROSECOND = 1e-6;

int compare_curve(paper_report *r, const force_curve *c, const char *file, curve_distance *out)
{
    size_t rows = 0;
    double *numbers = paper_numbers(r, file, 2, &rows);
    size_t steps = steps_of(c, MICROSECOND);
    double off = 0.0, size = 0.0, ours = 0.0, theirs = 0.0, worst = 0.0;
    for (size_t k = 0; numbers && k < rows && (k + 1) * steps <= c->count; ++k) {
        double mean = mean_from(c, k * steps, steps);
        off += (mean - numbers[2 * k + 1]) * (mean - numbers[2 * k + 1]);
        size += numbers[2 * k + 1] * numbers[2 * k + 1];
        ours += mean;
        theirs += numbers[2 * k + 1];
        worst = fmax(worst, fabs(ours - theirs));
    }
    *out = (curve_distance){ sqrt(off / size), worst / theirs };
    bool ok = numbers != NULL;
    free(numbers);
    return ok ? EXIT_DONE : EXIT_GAVE_UP;
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
