/* The bodies of a model as nodes and its joints as edges: what hangs on what. */
#ifndef CAROM_DYNAMICS_START_GRAPH_H
#define CAROM_DYNAMICS_START_GRAPH_H

#include "base/arena.h"
#include "model/model.h"

/* Joints at each body: edges first[i] up to first[i + 1]. What does not move freely is one body, the ground. */
typedef struct joint_graph {
    const carom_model *model;
    int *first;
    int *edges;   /* joints */
    bool *moving; /* body_count: the side that was found last */
    int *queue;
} joint_graph;

/* False: out of memory. Everything lies in the arena. */
bool joint_graph_create(joint_graph *g, const carom_model *model, carom_arena *arena);

/* The node of a body, and of side 0 or 1 of a joint. */
int joint_graph_node(const carom_model *model, int body);
int joint_graph_end(const carom_model *model, int joint, int side);

/* Whether a gear couples a coordinate of the joint. */
bool joint_graph_geared(const carom_model *model, int joint);

/* Everything that hangs on `from` without joint `cut`, into `moving`; false when that includes `other`. */
bool joint_graph_part(joint_graph *g, int cut, int from, int other);

/* The side of the joint that it carries, as 0 or 1, with its bodies in `moving`; -1: neither, it is part of a loop. */
int joint_graph_side(joint_graph *g, int joint);

#endif
