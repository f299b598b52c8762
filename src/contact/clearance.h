/* A joint with clearance as pairs of features with a gap, for every method that lets joints rattle.
 *
 * Revolute: the journal of B in the bearing of A, one pair. Prismatic: the four corners of the slider of B, each before
 * the wall of the guide of A that it faces, then the same corners before the opposite walls, which they face when a slider
 * that is short and loose has turned around. Generator 0 sits on the joint's B, generator 1 on its A (collision/gap.h). */
#ifndef CAROM_CONTACT_CLEARANCE_H
#define CAROM_CONTACT_CLEARANCE_H

#include "collision/gap.h"
#include "model/model.h"

enum { CLEARANCE_MOST = 8, CLEARANCE_FACING = 4 };

/* Returns how many: 0 where the joint has no clearance, 1, or CLEARANCE_MOST; the first CLEARANCE_FACING before opposite
 * walls. */
int clearance_features(const model_joint *joint, gap_feature out[CLEARANCE_MOST]);

/* Whether a rigid slider can turn around in its guide, so that all corners meet all walls. */
bool clearance_turns_around(const model_joint *joint);

/* Orders the two bodies of the joint ascending and says so in the feature; body[0] becomes A of the gap function. */
void clearance_orient(const model_joint *joint, gap_feature *f, int body[2]);

#endif
