/* The search for any processor. */
#include "geometry/bvh_search.inc"

void bvh_search_portable(bvh_search *s)
{
    search(s);
}
