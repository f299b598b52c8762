/* The exact test of recorded frames: whether any two shapes that may touch according to the model intersect, in the poses exactly
 * as they are written. Any method, any kind of shape.
 *
 * It is independent of what it checks. Surfaces are made from the scene's shapes anew, poses are those of the frame and not those
 * of the state, boxes are its own, and the decision is left to exact predicates (surface_pair_meets) and to winding numbers
 * (surface_pair_inside), which share nothing with distances, contacts or bounds on motion.
 *
 * Shapes that touch intersect. Cylinders, cones and the like are tested as the meshes with 64 sides inside of them, which lie
 * inside by at most 0.12 % of the radius; planes, spheres, capsules and rods as what they are. */
#ifndef CAROM_SIM_VERIFY_H
#define CAROM_SIM_VERIFY_H

#include <carom/run.h>

#include "model/model.h"

typedef struct verifier verifier;

/* The model must outlive it. */
carom_status verifier_create(verifier **out, const carom_model *model, carom_error *err);
void verifier_destroy(verifier *v); /* NULL: nothing */

/* Tests a frame: poses of all body frames, ground first. Pairs whose bodies both have the bits of the frame before are not looked
 * at again. CAROM_NO_MEMORY; intersections are no failure, but are counted. */
carom_status verifier_frame(verifier *v, double t, const carom_pose *pose, carom_error *err);

/* The same for the first `frames` frames in the folder of an earlier run of the model. */
carom_status verifier_folder(verifier *v, const char *folder, long frames, carom_error *err);

const carom_verification *verifier_found(const verifier *v);

#endif
