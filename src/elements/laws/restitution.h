/* The damping factor of F = k p^n (1 + a p'/v0) that returns exactly the restitution asked for. */
#ifndef CAROM_ELEMENTS_LAWS_RESTITUTION_H
#define CAROM_ELEMENTS_LAWS_RESTITUTION_H

/* For 0 < e <= 1. */
double damping_for_restitution(double e);

#endif
