/* What the files behind rest_choose have in common: combinations of who is closed, sticks, slips, and whether they fit. */
#ifndef CAROM_NONSMOOTH_REST_PARTS_H
#define CAROM_NONSMOOTH_REST_PARTS_H

#include "nonsmooth/rest_work.h"

static const double ROUNDING = 1e-12; /* of sums that cancel, in proportion to their terms */

typedef struct fit_scale {
    double rate;  /* rates below are none */
    double force; /* forces below are none, as far as D_kk does not say otherwise */
} fit_scale;

/* One way to turn: element e, towards a unit vector across its direction. */
typedef struct turn {
    int e;
    double across[SLIP_DIM];
} turn;

enum { MOST_TURNS = 64 };

/* rest_fit.c */

double rest_slip_norm(const friction_element *el, const double *rows);
double rest_slip_along(const friction_element *el, const friction_state *state, const double *rows);
/* The unit vector of rows times sign; false when they vanish. */
bool rest_direct(const friction_element *el, const double *rows, double sign, friction_state *state);

void rest_open_contact(const reduced_problem *p, int contact, rest_answer *a);
void rest_close_contact(const rest_work *w, const reduced_problem *p, int contact, rest_answer *a);
void rest_close_all(const rest_work *w, const reduced_problem *p, rest_answer *a);
void rest_copy_answer(const reduced_problem *p, const rest_answer *from, rest_answer *to);

fit_scale rest_scale_of(const reduced_problem *p, const rest_answer *a);
/* All conditions of an answer; what is missed, in units of the tolerances, is kept for contacts and elements. */
bool rest_fits(rest_work *w, const reduced_problem *p, const rest_answer *a);

/* rest_turn.c */

bool rest_turns(const rest_work *w, const reduced_problem *p, const rest_answer *a, int e);
/* Lists the ways to turn; returns their number. */
int rest_list_turns(const rest_work *w, const reduced_problem *p, const rest_answer *a, turn *list, int most);

rest_outcome rest_try_rates(rest_work *w, const reduced_problem *p, rest_answer *a);
/* Newton's method on the directions of slip that begins, until the acceleration is along them. The answer is filled in
 * any case but REST_JAM. */
rest_outcome rest_rates_with_directions(rest_work *w, const reduced_problem *p, rest_answer *a);

bool rest_try_answer(rest_work *w, const reduced_problem *p, rest_answer *a);

/* rest_walk.c */

bool rest_try_flipping(rest_work *w, const reduced_problem *p, rest_answer *a);
bool rest_try_newton(rest_work *w, const reduced_problem *p, rest_answer *a);

/* What comes near where nothing fits; false when even that has no rates. */
bool rest_take_rough(rest_work *w, const reduced_problem *p, rest_answer *a);

/* rest_all.c */

double rest_count_combinations(const rest_work *w, const reduced_problem *p);
/* n.D.(n - mu u) in proportion to n.D.n: what a sliding contact's own force does to its normal rate. */
double rest_turned_response(const rest_work *w, const reduced_problem *p, int contact);

/* Contacts carried by a response that friction has turned around. */
int rest_count_turned(const rest_work *w, const reduced_problem *p, const bool *closed);

/* Goes through all combinations until one fits, or through `all` for the best. */
bool rest_try_all(rest_work *w, const reduced_problem *p, bool all);

#endif
