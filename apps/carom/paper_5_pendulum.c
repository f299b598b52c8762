/* Paper 5, example 2: a double pendulum with friction in its pin strikes a rough plane; table 2, as printed, replayed and
 * right. Rows 2 to 7 and 9 to 11 of the print do not solve the stated problem, so that no run of a scene gives them; what the
 * program behind the print did is replayed by a function of its own.
 *
 * Notation: rods of mass and length 1, u their absolute angular velocities, M their mass matrix, y_A' = n.u, x_A' = t.u;
 * the torque of the pin acts as (-1, +1). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_5.h"

/* ---- the model --------------------------------------------------------------------------------------------------- */

typedef struct pair {
    double x, y;
} pair;

static double dot(pair a, pair b)
{
    return a.x * b.x + a.y * b.y;
}

static pair along(pair start, pair rate, double impulse)
{
    return (pair){ start.x + impulse * rate.x, start.y + impulse * rate.y };
}

static const double THETA_1 = 0.3141592653589793, THETA_2 = 0.5235987755982988; /* of double-pendulum.json */
static const double START[] = { -0.1, -0.2 };                                   /* [rad/s] */

static pair mass_times(pair u)
{
    double c = 0.5 * cos(THETA_1 - THETA_2);
    return (pair){ 4.0 / 3.0 * u.x + c * u.y, c * u.x + u.y / 3.0 };
}

static double kinetic_of(pair u)
{
    return 0.5 * dot(u, mass_times(u));
}

static pair mass_divides(pair f)
{
    double c = 0.5 * cos(THETA_1 - THETA_2);
    double determinant = 4.0 / 9.0 - c * c;
    return (pair){ (f.x / 3.0 - c * f.y) / determinant, (4.0 / 3.0 * f.y - c * f.x) / determinant };
}

/* ---- runs ------------------------------------------------------------------------------------------------------- */

/* u1, u2, kinetic energy after / before. */
static int run_pendulum(paper_report *r, const settings *s, impact_end *out)
{
    static const char *const signals[3] = { "OB.angular_velocity.y", "BA.angular_velocity.y", NULL };
    int code = run_impact(r, "double-pendulum.json", s, signals, out);
    out->value[0] = -out->value[0]; /* angles grow about -y */
    out->value[1] = -out->value[1];
    out->value[2] = out->kinetic / kinetic_of((pair){ START[0], START[1] });
    return code;
}

static settings pendulum_settings(double mu1, double mu2, double e)
{
    settings s = { 0 };
    settings_number(&s, "variables.mu1", mu1);
    settings_number(&s, "variables.mu2", mu2);
    settings_number(&s, "variables.e", e);
    return s;
}

int pendulum_energy(paper_report *r, double mu_joint, double mu_contact, double e, double *ratio)
{
    impact_end end;
    settings s = pendulum_settings(mu_joint, mu_contact, e);
    int code = run_pendulum(r, &s, &end);
    *ratio = end.value[2];
    return code;
}

/* ---- the program behind the print ------------------------------------------------------------------------------- */

/* Its four defects, found by fitting the table:
 *  1. Total impulse Pc + e (Pc + dPt) with dPt a discarded trial step: from the event of the pin to the end of slip at A.
 *  2. The slip of A never stops nor reverses: its friction pushes on in the direction of motion.
 *  3. The friction of the pin changes its sign at 2 u2 - u1 = 0 instead of u2 - u1 = 0. With e = 0 (rows 9 to 11) the
 *     velocities of this event are printed, with the energy of the end.
 *  4. The pin's load is not |R_B|: its torque tau per unit of normal impulse is mu1 (A + B mu2 + C tau), with three fitted
 *     constants. They are established as numbers only; no formula behind them, and no radius, is. */
static const double FIT_A = 0.05572, FIT_B = 0.03442, FIT_C = 0.0728;

/* Rates per unit of normal impulse while A slips to the left and the pin's torque has the given sign. */
static pair replay_rates(double mu1, double mu2, double sign)
{
    double torque = sign * mu1 * (FIT_A + FIT_B * mu2) / (1.0 - sign * mu1 * FIT_C);
    pair force = { sin(THETA_1) + mu2 * cos(THETA_1) - torque, sin(THETA_2) + mu2 * cos(THETA_2) + torque };
    return mass_divides(force);
}

typedef struct replayed {
    double u[2];
    double ratio; /* of energies */
} replayed;

/* Replay of the program behind the print, for rows with friction in the pin. */
static replayed replay_print(double mu1, double mu2, double e)
{
    const pair start = { START[0], START[1] };
    const pair n = { sin(THETA_1), sin(THETA_2) };
    const pair t = { cos(THETA_1), cos(THETA_2) };
    const pair event = { -1.0, 2.0 };
    pair first = replay_rates(mu1, mu2, 1.0);
    pair second = replay_rates(mu1, mu2, -1.0);
    double to_event = -dot(event, start) / dot(event, first);
    pair at_event = along(start, first, to_event);
    double compression = to_event - dot(n, at_event) / dot(n, second);
    double trial = -dot(t, at_event) / dot(t, second);
    double total = compression + e * (compression + trial);
    pair end = along(at_event, second, total - to_event);
    pair shown = e > 0.0 ? end : at_event;
    double ratio = kinetic_of(end) / kinetic_of(start);
    return (replayed){ .u = { shown.x, shown.y }, .ratio = ratio };
}

/* ---- table 2 ---------------------------------------------------------------------------------------------------- */

/* Columns of papers/5/table-2.csv. */
enum { ROW, MU_1, MU_2, E, PRINTED, COMPRESSION = 7, RIGHT = 8, TABLE_2 = 11, ROWS_2 = 11 };

typedef struct table_2 {
    double replay[ROWS_2][3]; /* u1, u2, T/T0 */
    double right[ROWS_2][3];
    double replay_worst;                            /* from the print, rows with friction in the pin */
    double plain_worst;                             /* from the print, rows 1 and 8 */
    double plain_right, right_worst, right_impulse; /* from the reference: rows 1 and 8, all, all Pc */
} table_2;

static bool is_plain(const double *row)
{
    return row[MU_1] == 0.0;
}

static int run_row(paper_report *r, const double *row, table_2 *t, size_t i)
{
    impact_end end;
    settings s = pendulum_settings(row[MU_1], row[MU_2], row[E]);
    int code = run_pendulum(r, &s, &end);
    const double *right = end.value;
    replayed p = is_plain(row) ? (replayed){ { right[0], right[1] }, right[2] }
                               : replay_print(row[MU_1], row[MU_2], row[E]);
    double replay[3] = { p.u[0], p.u[1], p.ratio };
    for (int k = 0; k < 3; ++k) {
        double *from_print = is_plain(row) ? &t->plain_worst : &t->replay_worst;
        t->right[i][k] = right[k];
        t->replay[i][k] = replay[k];
        *from_print = paper_worse(*from_print, replay[k], row[PRINTED + k]);
        t->right_worst = paper_worse(t->right_worst, right[k], row[RIGHT + k]);
        t->plain_right = is_plain(row) ? paper_worse(t->plain_right, right[k], row[RIGHT + k]) : t->plain_right;
    }
    t->right_impulse = paper_worse(t->right_impulse, end.impulse / (1.0 + row[E]), row[COMPRESSION]);
    return code;
}

static const char *print_remark(const double *row)
{
    return row[ROW] == 2.0 ? "minus of u1 restored"
           : is_plain(row) ? "3 digits"
           : row[E] == 0.0 ? "u of an event inside"
                           : "";
}

static void list_table_2(paper_report *r, const double *rows, const table_2 *t)
{
    static const char *const titles[] = { "#", "mu1", "mu2", "e", "", "u1", "u2", "T/T0", "" };
    table *list = paper_table(r, "Table 2: angular velocities [rad/s] and energy after the impact", 9, titles,
                              "rrrrtrrrt");
    for (size_t i = 0; i < ROWS_2; ++i) {
        const double *row = &rows[i * TABLE_2];
        show_row(list,
                 &(shown_row){ .row = row,
                               .count = 3,
                               .printed = &row[PRINTED],
                               .replay = t->replay[i],
                               .right = t->right[i],
                               .printed_remark = print_remark(row),
                               .replay_remark = is_plain(row) ? "run of the scene" : "program behind the print" });
    }
}

static int write_table_2(paper_report *r, const double *rows, const table_2 *t)
{
    static const char *const titles[PRINTED + 3 + 3 + 3] = {
        "row",       "mu1",       "mu2",         "e",          "u1 printed", "u2 printed",  "T/T0 printed",
        "u1 replay", "u2 replay", "T/T0 replay", "u1 correct", "u2 correct", "T/T0 correct"
    };
    const row_part parts[ROW_PARTS] = { { rows, PRINTED + 3, TABLE_2 },
                                        { t->replay[0], 3, 3 },
                                        { t->right[0], 3, 3 } };
    return write_rows(r, "table-2", titles, parts, ROWS_2);
}

static void compare_table_2(paper_report *r, const table_2 *t)
{
    paper_row(r, "rows 1, 8: correct", t->plain_right, 0.0, 1e-7, "any pin radius");
    paper_row(r, "rows 1, 8: print", t->plain_worst, 0.0, 5.1e-4, "print, 3 digits");
    paper_row(r, "correct: 33 numbers", t->right_worst, 0.0, 1e-7, "r = 0.05 m");
    paper_row(r, "correct: Pc [N s]", t->right_impulse, 0.0, 1e-7, "r = 0.05 m");
    paper_row(r, "replay of the program", t->replay_worst, 0.0, 6e-5, "print, 9 rows");
}

static void explain_table_2(paper_report *r)
{
    paper_note(r, "The paper prints neither angles nor velocities at the start: theta1 = 18, theta2 = 30 degrees, u "
                  "= (-0.1, -0.2) "
                  "rad/s and equal rods were recovered from rows 1 and 8. It gives no radius of the pin; 0.05 m is "
                  "an assumption.");
    paper_note(r, "Rows 2 to 7 and 9 to 11 of the print are wrong: they do not solve the stated problem, so that "
                  "prescribing an impulse does not lead to them.");
    paper_note(r, "Replay of the program behind the print, with all four of its defects: the impulse of table 1; A "
                  "slips on in the "
                  "old direction after its slip has vanished; the pin's friction turns at 2 u2 = u1 instead of u2 = "
                  "u1; the pin's "
                  "torque is mu1 (A + B mu2 + C tau) with fitted A = 0.05572, B = 0.03442, C = 0.0728.");
    paper_note(r, "Rows 9 to 11 show the velocities of the pin's event (u1 = 2 u2) beside the energies of the end.");
}

/* ---- without friction in the pin -------------------------------------------------------------------------------- */

/* Columns of papers/5/without-pin-friction.csv: mu2, e, then u1, u2, T/T0 for each law. */
enum { PLAIN = 8 };

static int compare_plain(paper_report *r)
{
    static const char *const laws[] = { "poisson", "energetic" };
    size_t count = 0;
    double *rows = paper_numbers(r, "without-pin-friction.csv", PLAIN, &count);
    double velocity = 0.0, energy = 0.0;
    int code = rows ? EXIT_DONE : EXIT_GAVE_UP;
    for (size_t i = 0; i < 2 * count && code == EXIT_DONE; ++i) {
        const double *row = &rows[i / 2 * PLAIN];
        const double *reference = &row[2 + 3 * (i % 2)];
        settings s = pendulum_settings(0.0, row[0], row[1]);
        impact_end end;
        settings_text(&s, "contact.restitution_law", laws[i % 2]);
        code = run_pendulum(r, &s, &end);
        velocity = paper_worse(velocity, end.value[0], reference[0]);
        velocity = paper_worse(velocity, end.value[1], reference[1]);
        energy = paper_worse(energy, end.value[2], reference[2]);
    }
    paper_row(r, "mu1 = 0, two laws: u", velocity, 0.0, 1e-7, "exact stepping");
    paper_row(r, "mu1 = 0, two laws: T/T0", energy, 0.0, 6e-7, "exact stepping");
    free(rows);
    return code;
}

int double_pendulum_item(paper_report *r)
{
    size_t count = 0;
    double *rows = paper_numbers(r, "table-2.csv", TABLE_2, &count);
    table_2 *t = allocate(1, sizeof *t);
    int code = rows && count == ROWS_2 ? EXIT_DONE : EXIT_GAVE_UP;
    *t = (table_2){ 0 };
    for (size_t i = 0; i < ROWS_2 && code == EXIT_DONE; ++i) {
        code = run_row(r, &rows[i * TABLE_2], t, i);
    }
    if (code == EXIT_DONE) {
        list_table_2(r, rows, t);
        compare_table_2(r, t);
        explain_table_2(r);
        code = write_table_2(r, rows, t);
    }
    code = code == EXIT_DONE ? compare_plain(r) : code;
    free(t);
    free(rows);
    return code;
}
