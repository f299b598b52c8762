/* Sets that grow together: parent[i] leads from i to the root of its set; at first every i is its own parent. The
 * smallest number of a set is its root, so that the outcome does not depend on the order of joining. */
#ifndef CAROM_BASE_UNION_FIND_H
#define CAROM_BASE_UNION_FIND_H

#include <stdbool.h>

static inline int set_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* False when they were together already. */
static inline bool set_unite(int *parent, int i, int j)
{
    i = set_root(parent, i);
    j = set_root(parent, j);
    if (i != j) {
        parent[i < j ? j : i] = i < j ? i : j;
    }
    return i != j;
}

#endif
