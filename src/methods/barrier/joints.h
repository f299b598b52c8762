/* Rows of joints, drivers and couplers in the Newton system. */
#ifndef CAROM_METHODS_BARRIER_JOINTS_H
#define CAROM_METHODS_BARRIER_JOINTS_H

#include "methods/barrier/barrier_work.h"

/* A joint or coupler: its rows are a node of the system. */
typedef struct row_node {
    int joint; /* or -1: */
    int coupler;
    int first_row, row_count;
    int body_count;
    int bodies[4];
    int edges[4]; /* of the system; -1: the body is no node */
} row_node;

void joints_create(barrier_work *w);

/* The joints' part of the scratch with the bodies at the iterate. */
void joints_place(barrier_work *w, const island *isle);

/* Residuals and rows at the iterate. Returns the largest residual [m or rad]. */
double joints_evaluate(barrier_work *w, const island *isle);

/* Edges between bodies and rows, after those between bodies. Returns how many there are then. */
int joints_edges(barrier_work *w, island *isle);
void joints_add(barrier_work *w, island *isle);

/* Forces of the multipliers times arms, for the geometric stiffness. */
void joints_add_virial(barrier_work *w, const island *isle);

/* joint_curvature.c: all of the second derivatives instead, of joints, couplers and stops; or what is positive of them. */
void joints_add_curvature(barrier_work *w, island *isle);

/* Adds the reactions of the multipliers to a vector of the unknowns of the bodies. */
void joints_add_reactions(const barrier_work *w, const island *isle, double *out);

/* Puts -C into the right-hand side, and takes the multipliers out of the solution. */
void joints_set_residual(const barrier_work *w, const island *isle, double *x);
void joints_take_multipliers(barrier_work *w, const island *isle, const double *x);

/* Where only a part of the twists was gone, multipliers have changed by that part of the way only. */
void joints_keep_part(barrier_work *w, const island *isle, double alpha);

#endif
