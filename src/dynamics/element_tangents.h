/* Stiffness and damping of force elements, joint springs and stops, one element after the other, for whoever assembles an
 * implicit step.
 *
 * Elements are numbered: the joints with their springs and stops, then the forces. */
#ifndef CAROM_DYNAMICS_ELEMENT_TANGENTS_H
#define CAROM_DYNAMICS_ELEMENT_TANGENTS_H

#include "dynamics/columns.h"

/* A symmetric matrix over the frames of two bodies, [a: v, omega; b: v, omega], by what happens at a point of each. */
typedef struct element_tangent {
    int element;
    body_place at[2]; /* body -1: none */
    double (*H)[PAIR_COLUMNS];
} element_tangent;

int element_count(const carom_model *model);
bool element_has_tangent(const carom_model *model, int element);

/* The two bodies that it acts on; the second is -1 where there is one only. */
const int *element_bodies(const carom_model *model, int element);

/* Calls `visit` with stiffness K + damping D of each element at the point placed in w, whose forces were evaluated there. An
 * element may come more than once. */
typedef void element_visitor(void *context, const carom_scratch *w, const element_tangent *tangent);
void element_tangents(const carom_scratch *w, double stiffness, double damping, element_visitor *visit,
                      void *context);

/* The same of k along a coordinate of a joint, as a part of that joint. */
void element_tangent_along(const carom_scratch *w, int joint, int coordinate, double k, element_visitor *visit,
                           void *context);

#endif
