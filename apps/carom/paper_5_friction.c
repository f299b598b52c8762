/* Paper 5, conclusion 2: friction in the joint B and at the contact A both take energy, that of A more. Looked at for
 * coefficients from 0 to 1 with the stated law, in both of its examples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paper_5.h"

enum { POINTS = 11 };

/* Energy left over one coefficient, the other held. */
typedef struct sweep {
    const char *what; /* "muB" */
    double mu[POINTS];
    double ratio[POINTS];
} sweep;

typedef int energy_run(paper_report *r, double mu_joint, double mu_contact, double e, double *ratio);

static int run_sweep(paper_report *r, energy_run *run, bool joint, double held, double e, sweep *out)
{
    int code = EXIT_DONE;
    for (int k = 0; k < POINTS && code == EXIT_DONE; ++k) {
        out->mu[k] = 0.1 * k;
        code = run(r, joint ? out->mu[k] : held, joint ? held : out->mu[k], e, &out->ratio[k]);
    }
    return code;
}

/* How often the energy grows from one coefficient to the next, up to the place `last`. */
static double growths(const sweep *s, int last)
{
    double count = 0.0;
    for (int k = 0; k < last; ++k) {
        count += s->ratio[k + 1] > s->ratio[k];
    }
    return count;
}

/* Energy taken per unit of the coefficient, between two places. */
static double influence(const double *ratio, int from, int to)
{
    return (ratio[from] - ratio[to]) / (0.1 * (to - from));
}

/* ---- example 1 -------------------------------------------------------------------------------------------------- */

/* Columns of papers/5/friction.csv: first the sweep of B, then that of A. */
enum { VARIES, MU_B, MU_A, LEFT, FRICTION_COLUMNS };

static int draw_friction(paper_report *r, const sweep *b, const sweep *a)
{
    static const double mu_b[] = { 0.1, 0.2, 0.3, 0.4, 0.6, 0.9 }; /* rows 2, 3, 4, 7, 5, 6 of table 1 */
    static const double left_b[] = { 0.9650, 0.9216, 0.8814, 0.8437, 0.7740, 0.6795 };
    static const double mu_a[] = { 0.4, 0.5, 0.6 }; /* rows 7, 8, 9 */
    static const double left_a[] = { 0.8437, 0.6681, 0.6307 };
    carom_series series[] = {
        { .x = b->mu, .y = b->ratio, .count = POINTS, .label = "over mu_{B}, mu_{A} = 0.4" },
        { .x = a->mu,
          .y = a->ratio,
          .count = POINTS,
          .label = "over mu_{A}, mu_{B} = 0.4",
          .line = CAROM_LINE_DASHED },
        { .x = mu_b,
          .y = left_b,
          .count = 6,
          .label = "printed, over mu_{B}",
          .line = CAROM_LINE_NONE,
          .marker = CAROM_MARKER_CIRCLE },
        { .x = mu_a,
          .y = left_a,
          .count = 3,
          .label = "printed, over mu_{A}",
          .line = CAROM_LINE_NONE,
          .marker = CAROM_MARKER_SQUARE },
    };
    carom_figure figure = { .title = "Sleeve and link, e = 1: energy after the impact over friction",
                            .x = { .label = "coefficient of friction" },
                            .y = { .label = "T/T_{0}", .min = 0.0, .max = 1.05 },
                            .series = series,
                            .series_count = 4,
                            .style = CAROM_PLOT_PAPER };
    static const char *const titles[] = { "mu", "T/T0 over muB", "T/T0 over muA" };
    const double *const columns[] = { b->mu, b->ratio, a->ratio };
    int code = paper_csv(r, "friction", titles, columns, 3, POINTS);
    return code == EXIT_DONE ? paper_figure(r, "friction", &figure) : code;
}

static double worst_of(const sweep *s, const double *reference)
{
    double worst = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        worst = paper_worse(worst, s->ratio[k], reference[k * FRICTION_COLUMNS + LEFT]);
    }
    return worst;
}

/* The sweep of the reference beside that of the run. */
static sweep exact_sweep(const double *reference)
{
    sweep s = { 0 };
    for (int k = 0; k < POINTS; ++k) {
        s.ratio[k] = reference[k * FRICTION_COLUMNS + LEFT];
    }
    return s;
}

static void compare_sleeve(paper_report *r, const sweep *b, const sweep *a, const double *reference)
{
    sweep exact_b = exact_sweep(reference);
    sweep exact_a = exact_sweep(reference + POINTS * FRICTION_COLUMNS);
    double ratio = influence(a->ratio, 4, 6) / influence(b->ratio, 4, 6);
    double exact = influence(exact_a.ratio, 4, 6) / influence(exact_b.ratio, 4, 6);
    double printed = (0.8437 - 0.6307) / (0.8437 - 0.7740);
    paper_row(r, "11 over muB, worst", worst_of(b, reference), 0.0, 1e-7, "exact stepping");
    paper_row(r, "11 over muA, worst", worst_of(a, reference + POINTS * FRICTION_COLUMNS), 0.0, 1e-7,
              "exact stepping");
    paper_row(r, "grows with muB, 0 to 1", growths(b, POINTS - 1), 0.0, 0.0, "conclusion 2");
    paper_row(r, "grows with muA, 0 to 0.7", growths(a, 7), 0.0, 0.0, "conclusion 2");
    paper_row(r, "grows with muA, 0 to 1", growths(a, POINTS - 1), growths(&exact_a, POINTS - 1), 0.0,
              "exact stepping");
    paper_row(r, "influence of A / of B", ratio, exact, 1e-4 * exact, "exact stepping");
    paper_fact(r, "the same in the print", printed, "rows 5, 7, 9");
}

static int sleeve_friction(paper_report *r)
{
    sweep a = { .what = "muA" }, b = { .what = "muB" };
    size_t rows = 0;
    double *reference = paper_numbers(r, "friction.csv", FRICTION_COLUMNS, &rows);
    int code = reference && rows == 2 * (size_t)POINTS ? EXIT_DONE : EXIT_GAVE_UP;
    code = code == EXIT_DONE ? run_sweep(r, sleeve_energy, true, 0.4, 1.0, &b) : code;
    code = code == EXIT_DONE ? run_sweep(r, sleeve_energy, false, 0.4, 1.0, &a) : code;
    if (code == EXIT_DONE) {
        compare_sleeve(r, &b, &a, reference);
        code = draw_friction(r, &b, &a);
    }
    free(reference);
    return code;
}

/* ---- example 2 -------------------------------------------------------------------------------------------------- */

/* With the coefficients of rows 2 to 7 of table 2: A varies with mu1 = 0.4 and e = 0.7, B with mu2 = 0.3 and e = 0.5. */
static int pendulum_friction(paper_report *r)
{
    static const double row_2 = 0.51003434, row_4 = 0.56824081; /* T/T0 for mu2 = 0.9 and 0.5, exact stepping */
    static const double row_5 = 0.59892937, row_7 = 0.56282804; /* mu1 = 0.1 and 0.9 */
    sweep a = { .what = "mu2" }, b = { .what = "mu1" };
    int code = run_sweep(r, pendulum_energy, true, 0.3, 0.5, &b);
    code = code == EXIT_DONE ? run_sweep(r, pendulum_energy, false, 0.4, 0.7, &a) : code;
    if (code != EXIT_DONE) {
        return code;
    }
    double ratio = influence(a.ratio, 5, 9) / influence(b.ratio, 1, 9);
    double exact = (row_4 - row_2) / 0.4 / ((row_5 - row_7) / 0.8);
    paper_row(r, "pendulum: grows with mu1", growths(&b, POINTS - 1), 0.0, 0.0, "conclusion 2");
    paper_row(r, "pendulum: grows with mu2", growths(&a, POINTS - 1), 0.0, 0.0, "conclusion 2");
    paper_row(r, "pendulum: influence A / B", ratio, exact, 1e-4 * exact, "exact stepping");
    return code;
}

int friction_item(paper_report *r)
{
    int code = sleeve_friction(r);
    code = code == EXIT_DONE ? pendulum_friction(r) : code;
    paper_note(r,
               "Conclusion 2 of the paper: more friction in the joint B or at the contact A leaves less energy, and "
               "that of A matters more. It holds with the stated law too, within the coefficients of its tables.");
    paper_note(r,
               "It is no general rule: with muB = 0.4 and e = 1 the energy grows again beyond muA = 0.77. Friction "
               "has taken nearly all of A's slip by then, while the impulse of compression still grows, and with "
               "it what restitution gives back.");
    paper_note(r,
               "Influence: energy taken per unit of the coefficient. For the pendulum it depends on the radius of "
               "the pin, which the paper does not give: 0.05 m is assumed, and B matters more with a thicker one.");
    return code;
}
