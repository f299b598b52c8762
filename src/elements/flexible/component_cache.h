/* Shapes of large meshes as files beside the distance fields (geometry/sdf.h), one per hash of all that they are made from. Same bits as if
 * they were found again. */
#ifndef CAROM_ELEMENTS_FLEXIBLE_COMPONENT_CACHE_H
#define CAROM_ELEMENTS_FLEXIBLE_COMPONENT_CACHE_H

#include "elements/flexible/component_modes.h"

enum { COMPONENT_CACHE_LEAST = 3000 }; /* freedoms: below, shapes are found in less than a second */

/* What shapes of this input are kept under, with `fixed` modes asked for; negative: as the definition says. 0: they are not kept. */
uint64_t component_cache_key(const flexible_input *in, int fixed);

/* Fills in all but the space, which is there already. False: there is no such file, or it is damaged; then nothing is changed. */
bool component_cache_load(component_modes *out, const flexible_input *in, uint64_t key);

/* What cannot be written is no error: everything works, only slower. */
void component_cache_save(const component_modes *c, const flexible_input *in, uint64_t key);

#endif
