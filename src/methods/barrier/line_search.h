/* Motions along a part of a twist that are free of collisions and lower the potential. */
#ifndef CAROM_METHODS_BARRIER_LINE_SEARCH_H
#define CAROM_METHODS_BARRIER_LINE_SEARCH_H

#include "methods/barrier/barrier_work.h"

typedef struct line_search {
    double potential; /* [J] of barriers, friction and stops where it begins; where it ends */
    double slope;     /* [J] of the whole potential along the direction, < 0 */
    bool decides;     /* the potential must fall */
    double alpha;     /* the part that was taken */
} line_search;

/* Moves bodies along a part of their twists, at most `alpha`, after which the potential has not risen and joints are closed.
 * False: there is none, and bodies are where they were. */
bool search_line(barrier_work *w, island *isle, line_search *s, double alpha);

/* Bodies back to where the line search began. */
void go_back(barrier_work *w, island *isle, line_search *s);

/* The whole twists, or none: false, and bodies are where they were. */
bool go_whole(barrier_work *w, island *isle, line_search *s);

/* Bodies at a part of the twists with which the line search began, and on the joints. Returns the potential there, without inertia and
 * applied forces [J]; infinite: not possible; NAN when memory runs out. */
double go_part(barrier_work *w, island *isle, double alpha);

/* The part of the twists after which all bodies are still in their rooms; and asks for more room where it is less than one. */
double room_part(const barrier_work *w, const island *isle);
void ask_for_room(barrier_work *w, const island *isle);

/* Twists from the solution: free bodies; returns the farthest way [m]. */
double aim_free(barrier_work *w, const island *isle);
double way_of(const moving_body *b);

/* [J] below which a change of the potential is rounding, of the joints, too. */
double search_noise(const barrier_work *w, const island *isle, double potential);

#endif
