/* One island of a reduced problem as a problem of its own: where many groups of contacts have nothing to do with each other,
 * solvers that grow with the cube of the rows see one after another. */
#ifndef CAROM_NONSMOOTH_REDUCED_PART_H
#define CAROM_NONSMOOTH_REDUCED_PART_H

#include "base/arena.h"
#include "nonsmooth/reduced.h"

typedef struct reduced_part {
    reduced_problem problem; /* points into what follows; its own island_count is one */
    int *row;                /* of the whole problem, for each row: contacts first, as there */
    int *element;            /* likewise for each element */
    double *D, *B, *rate, *load;
    friction_element *elements;
    load_group *groups;
    int *place; /* the inverse of row */
} reduced_part;

/* Room for any part of problems of this size; arena->failed when memory runs out. */
void reduced_part_create(reduced_part *part, carom_arena *arena, int rows, int elements, int loads);

void reduced_part_take(reduced_part *part, const reduced_problem *whole, int island);

#endif
