/* Velocities of mechanisms in which joints have starts.
 *
 * From the ground outwards, or from one body of a mechanism that floats: a body moves with the one that carries it as if
 * their joint were rigid, but for what the joint's `start` or `motion` says of its coordinates, and but for a velocity of
 * its own that the scene gives, which it keeps as far as the joint lets it. Velocities of zero are not given.
 *
 * Bodies in a loop, or behind a gear, move with each other: they are found by projection between the two walks
 * (starts.c), and the second walk takes along what hangs on them. */
#ifndef CAROM_DYNAMICS_START_RATES_H
#define CAROM_DYNAMICS_START_RATES_H

#include "dynamics/start_graph.h"
#include "dynamics/work.h"

typedef struct start_rates {
    joint_graph *graph;
    v3 *v_given, *omega_given; /* per body: as the scene gives them, of the body's frame [m/s, rad/s] */
    int *order;                /* bodies from the roots outwards */
    int order_count;
    int *via;        /* per body: the joint that it hangs on; -1: none */
    int *depth;      /* joints between it and its root */
    int *group;      /* sets (base/union_find.h) of bodies in common loops */
    int *group_size; /* per root of a set */
    bool *concerned; /* per body: a joint of its mechanism has a start */
    body_rate *rate; /* the walk's */
} start_rates;

/* Keeps the velocities that the scene gives; the state must be as drawn. False: out of memory. */
bool start_rates_create(start_rates *r, joint_graph *graph, const carom_state *s, carom_arena *arena);

/* The first walk: bodies in loops that the scene gives no velocity move with the body by which their loop hangs. */
void start_rates_follow(start_rates *r, carom_scratch *w, carom_state *s);

/* The second: loops keep the motion within them. */
void start_rates_follow_again(start_rates *r, carom_scratch *w, carom_state *s);

#endif
