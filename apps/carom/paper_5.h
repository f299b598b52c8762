/* Paper 5, between paper_5.c (example 1, sleeve and link) and paper_5_pendulum.c (example 2, double pendulum): the rows of
 * its tables are runs of one scene each, with variables set. A run begins with the impact and ends 1 ns later. */
#ifndef CAROM_APP_PAPER_5_H
#define CAROM_APP_PAPER_5_H

#include "paper.h"

/* How the impact of a run ended. */
typedef struct impact_end {
    double value[3]; /* of signals at the end */
    double kinetic;  /* [J] at the end */
    double impulse;  /* [N s] normal, of all impacts */
    int jams;        /* events */
    char jammed[40]; /* the joint of the last one */
} impact_end;

/* Runs a scene and reads up to three signals (NULL: none) at its end. */
int run_impact(paper_report *r, const char *scene, const settings *s, const char *const signals[3], impact_end *out);

/* A row of one of the paper's tables, which is shown three times. */
typedef struct shown_row {
    const double *row; /* its number, two coefficients of friction, e */
    int count;         /* of numbers: */
    const double *printed, *replay, *right;
    const char *printed_remark, *replay_remark;
} shown_row;

void show_row(table *t, const shown_row *s);

/* Columns of a CSV file: of every row `count` numbers, those of the next row `stride` further on. */
typedef struct row_part {
    const double *first;
    size_t count, stride;
} row_part;

enum { ROW_PARTS = 3 }; /* as printed, replayed, correct */

/* Writes <name>.csv: the columns of all parts side by side, with as many titles. */
int write_rows(paper_report *r, const char *name, const char *const *titles, const row_part parts[ROW_PARTS],
               size_t rows);

/* Kinetic energy after / before, for coefficients in the joint B and at the contact A: sleeve and link, double pendulum. */
int sleeve_energy(paper_report *r, double mu_joint, double mu_contact, double e, double *ratio);
int pendulum_energy(paper_report *r, double mu_joint, double mu_contact, double e, double *ratio);

/* Items of paper_5_friction.c and paper_5_pendulum.c. */
int friction_item(paper_report *r);
int double_pendulum_item(paper_report *r);

#endif
