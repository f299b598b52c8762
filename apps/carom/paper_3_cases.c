/* Paper 3, section 1: which tip can strike depends on the lengths. The paper computes case (b), l2 >= l1 + d, only; here are
 * case (a), where only B strikes, case (c), where both do, and two tips that meet. References: papers/3/case-a.csv, case-c.csv
 * (40 digits) and tip-tip.csv (closed form). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_3.h"

enum { TEXT = 96, TIP = 0, COLUMNS = 1 + VALUES };

typedef struct rod_case {
    const char *name;      /* "(a)" */
    const char *scene;     /* of papers/3 */
    const char *reference; /* likewise */
    rod_sizes sizes;
} rod_case;

static const rod_case cases[] = {
    { "(a)", "case-a.json", "case-a.csv", { 1.7, 0.9, 0.6 } },
    { "(c)", "case-c.json", "case-c.csv", { 1.0, 1.1, 0.5 } },
};
enum { CASES = sizeof cases / sizeof *cases };
static const double G = 9.8; /* [m/s^2] */

/* ---- cases (a) and (c) ------------------------------------------------------------------------------------------- */

static double worst_of(const rods *x, const double *reference, int first, int last)
{
    double largest = 0.0;
    for (size_t i = 0; i < x->count; ++i) {
        for (int c = first; c <= last; ++c) {
            largest = paper_worse(largest, x->collisions[i].value[c], reference[i * COLUMNS + 1 + (size_t)c]);
        }
    }
    return largest;
}

/* Collisions in which another tip strikes than in the reference, or which are not of a tip and a side. */
static double wrong_tips(const rods *x, const double *reference)
{
    double wrong = 0.0;
    for (size_t i = 0; i < x->count; ++i) {
        const collision *c = &x->collisions[i];
        wrong += c->mode != CAROM_MODE_POINT_LINE || (double)c->tip != reference[i * COLUMNS + TIP];
    }
    return wrong;
}

static void list_case(paper_report *r, const rod_case *k, const rods *x, const double *reference)
{
    static const char *const titles[] = {
        "#", "t [s]", "off by", "strikes", "station [m]", "off by", "impulse [N s]"
    };
    char heading[TEXT];
    snprintf(heading, sizeof heading, "Case %s: l1 = %g, l2 = %g, d = %g m", k->name, k->sizes.l1, k->sizes.l2,
             k->sizes.d);
    table *t = paper_table(r, heading, 7, titles, "rrrtrrr");
    for (size_t i = 0; i < x->count; ++i) {
        const collision *c = &x->collisions[i];
        const double *exact = &reference[i * COLUMNS + 1];
        table_cell(t, "%zu", i + 1);
        table_cell(t, "%.9f", c->value[T]);
        table_number(t, c->value[T] - exact[T], 1);
        table_cell(t, "%s", c->tip == TIP_A ? "A on O2B" : "B on O1A");
        table_cell(t, "%.9f", c->value[STATION]);
        table_number(t, c->value[STATION] - exact[STATION], 1);
        table_cell(t, "%.8f", c->value[IMPULSE]);
    }
}

static void case_row(paper_report *r, const rod_case *k, const char *what, double computed, double reference,
                     double tolerance, const char *note)
{
    char label[TEXT];
    snprintf(label, sizeof label, "%s %s", k->name, what);
    paper_row(r, label, computed, reference, tolerance, note);
}

/* Times to 1e-9 s and all else to 1e-6 as in the paper's own case; see docs/papers.md. */
static int compare_case(paper_report *r, const rod_case *k, const rods *x)
{
    size_t rows = 0;
    double *reference = paper_numbers(r, k->reference, COLUMNS, &rows);
    if (!reference) {
        return EXIT_GAVE_UP;
    }
    case_row(r, k, "collisions", (double)x->count, (double)rows, 0.0, "40 digits");
    if (x->count == rows) {
        list_case(r, k, x, reference);
        case_row(r, k, "another tip strikes", wrong_tips(x, reference), 0.0, 0.0, "40 digits");
        case_row(r, k, "times, worst [s]", worst_of(x, reference, T, T), 0.0, 1e-9, "40 digits");
        case_row(r, k, "stations, worst [m]", worst_of(x, reference, STATION, STATION), 0.0, 1e-6, "40 digits");
        case_row(r, k, "angles, worst [rad]", worst_of(x, reference, PHI, THETA), 0.0, 1e-6, "40 digits");
        case_row(r, k, "velocities [rad/s]", worst_of(x, reference, PHI_RATE_BEFORE, THETA_RATE_AFTER), 0.0, 1e-6,
                 "40 digits");
        case_row(r, k, "impulses, worst [N s]", worst_of(x, reference, IMPULSE, IMPULSE), 0.0, 1e-6, "40 digits");
    }
    free(reference);
    return EXIT_DONE;
}

static size_t count_tips(const rods *x, rod_tip tip)
{
    size_t count = 0;
    for (size_t i = 0; i < x->count; ++i) {
        count += x->collisions[i].tip == tip;
    }
    return count;
}

/* Where each tip strikes in case (c). */
static int draw_case(paper_report *r, const rods *x)
{
    double t[2][MOST_COLLISIONS], station[2][MOST_COLLISIONS];
    size_t count[2] = { 0, 0 };
    for (size_t i = 0; i < x->count; ++i) {
        int side = x->collisions[i].tip == TIP_B;
        t[side][count[side]] = x->collisions[i].value[T];
        station[side][count[side]++] = x->collisions[i].value[STATION];
    }
    carom_series series[] = {
        { .x = t[0],
          .y = station[0],
          .count = count[0],
          .label = "A on O2B, l_{A'}",
          .line = CAROM_LINE_NONE,
          .marker = CAROM_MARKER_CIRCLE },
        { .x = t[1],
          .y = station[1],
          .count = count[1],
          .label = "B on O1A, l_{B'}",
          .line = CAROM_LINE_NONE,
          .marker = CAROM_MARKER_SQUARE },
    };
    carom_figure figure = { .title = "Case (c): which tip strikes, and where",
                            .x = { .label = "time of the collision", .unit = "s" },
                            .y = { .label = "station", .unit = "m", .min = 0.7, .max = 1.15 },
                            .series = series,
                            .series_count = 2,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "case-c", &figure);
}

static int run_cases(paper_report *r)
{
    int code = EXIT_DONE;
    for (int j = 0; j < CASES && code == EXIT_DONE; ++j) {
        rods x = { .sizes = cases[j].sizes, .g = G };
        char name[TEXT];
        snprintf(name, sizeof name, "%.*s", (int)(strlen(cases[j].scene) - strlen(".json")), cases[j].scene);
        code = rods_run(r, cases[j].scene, name, NULL, 0, &x);
        code = code == EXIT_DONE ? compare_case(r, &cases[j], &x) : code;
        if (code == EXIT_DONE && j == 0) {
            paper_row(r, "(a) A strikes", (double)count_tips(&x, TIP_A), 0.0, 0.0, "impossible");
        }
        if (code == EXIT_DONE && j == 1) {
            paper_row(r, "(c) rods that are struck", (count_tips(&x, TIP_A) > 0) + (count_tips(&x, TIP_B) > 0), 2.0,
                      0.0, "both");
            code = draw_case(r, &x);
        }
        carom_result_close(x.result);
    }
    return code;
}

/* ---- tip on tip ------------------------------------------------------------------------------------------------- */

/* Columns of papers/3/tip-tip.csv. */
enum { K, IMPACT, TIME, BEFORE, AFTER, PUSH, TIP_COLUMNS };

typedef struct tip_errors {
    double time, speed, impulse, station, symmetry;
    double others; /* collisions of another mode, or too few or too many */
} tip_errors;

/* One impact of the reference beside the two pushes of the run: A across O2B and B across O1A. */
static void compare_push(tip_errors *e, const rods *x, size_t first, const double *row)
{
    for (size_t i = first; i < first + 2; ++i) {
        const double *v = x->collisions[i].value;
        e->time = paper_worse(e->time, v[T], row[TIME]);
        e->speed = paper_worse(e->speed, v[PHI_RATE_BEFORE], row[BEFORE]);
        e->speed = paper_worse(e->speed, v[PHI_RATE_AFTER], row[AFTER]);
        e->symmetry = paper_worse(e->symmetry, v[PHI_RATE_AFTER], -v[THETA_RATE_AFTER]);
        e->impulse = paper_worse(e->impulse, v[IMPULSE], row[PUSH]);
        e->station = paper_worse(e->station, v[STATION], x->sizes.l2);
        e->others += x->collisions[i].mode != CAROM_MODE_TIP_TIP;
    }
}

static int compare_tips(paper_report *r, double k, tip_errors *e)
{
    rods x = { .sizes = { 0.8, 0.8, 0.5 }, .g = G };
    char name[TEXT], text[TEXT];
    const char *const overrides[] = { text };
    size_t rows = 0, met = 0;
    double *reference = paper_numbers(r, "tip-tip.csv", TIP_COLUMNS, &rows);
    snprintf(name, sizeof name, "tip-tip-k-%g", k);
    snprintf(text, sizeof text, "variables.k=%.17g", k);
    int code = reference ? rods_run(r, "tip-tip.json", name, overrides, 1, &x) : EXIT_GAVE_UP;
    for (size_t i = 0; i < rows && code == EXIT_DONE; ++i) {
        const double *row = &reference[i * TIP_COLUMNS];
        if (row[K] == k && 2 * met + 1 < x.count) {
            compare_push(e, &x, 2 * met, row);
        }
        met += row[K] == k;
    }
    e->others += fabs((double)x.count - 2.0 * (double)met);
    free(reference);
    carom_result_close(x.result);
    return code;
}

static int run_tips(paper_report *r)
{
    tip_errors e = { 0 };
    int code = compare_tips(r, 1.0, &e);
    code = code == EXIT_DONE ? compare_tips(r, 0.7, &e) : code;
    if (code == EXIT_DONE) {
        paper_row(r, "tips: not tip-tip", e.others, 0.0, 0.0, "10 impacts, two k");
        paper_row(r, "tips: station - l2 [m]", e.station, 0.0, 1e-9, "paper: l_A' = l2");
        paper_row(r, "tips: times, worst [s]", e.time, 0.0, 1e-9, "elliptic integrals");
        paper_row(r, "tips: velocities [rad/s]", e.speed, 0.0, 1e-6, "energy, k");
        paper_row(r, "tips: rods differ [rad/s]", e.symmetry, 0.0, 1e-6, "symmetry");
        paper_row(r, "tips: impulses [N s]", e.impulse, 0.0, 1e-6, "closed form");
    }
    return code;
}

int cases_item(paper_report *r)
{
    int code = run_cases(r);
    code = code == EXIT_DONE ? run_tips(r) : code;
    paper_note(
        r, "The paper computes case (b) only. In case (a) rod O1A is the long one and B strikes it; in case (c) the "
           "lengths are nearly equal and A strikes to the right of its pivot, B to the left of its own.");
    paper_note(r,
               "Two tips that meet push each other twice, A across rod O2B and B across rod O1A. What comes out is "
               "determined here because the two rods are alike; for rods of other lengths it is not, and depends on "
               "how the contacts share the impact.");
    return code;
}
