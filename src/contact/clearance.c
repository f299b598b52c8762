#include "contact/clearance.h"

static gap_feature journal(const model_joint *j)
{
    return (gap_feature){ .kind = GAP_POINT_IN_RING,
                          .mode = CAROM_MODE_JOURNAL,
                          .c_c = { j->marker_c[1].position, j->marker_c[0].position },
                          .d_c = { v3_zero(), q_rotate(j->marker_c[0].orientation, v3_make(0.0, 0.0, 1.0)) },
                          .side = 1.0,
                          .radius = j->clearance,
                          .ring = j->bearing_radius };
}

/* A corner is half the slider's width off its middle; the walls are x = +-(half width + clearance) in A's axes. */
static gap_feature corner(const model_joint *j, int which)
{
    double end = which % 2 == 0 ? -0.5 : 0.5;
    double side = which / 2 % 2 == 0 ? -1.0 : 1.0;
    double wall = which < CLEARANCE_FACING ? side : -side;
    v3 corner_b = v3_make(side * j->bearing_radius, 0.0, end * j->guide_length);
    v3 x_c = q_rotate(j->marker_c[0].orientation, v3_make(wall, 0.0, 0.0));
    return (gap_feature){
        .kind = GAP_POINT_PLANE,
        .mode = CAROM_MODE_GUIDE,
        .feature = { (uint32_t)which, 0 },
        .c_c = { v3_add(j->marker_c[1].position, q_rotate(j->marker_c[1].orientation, corner_b)),
                 v3_axpy(j->marker_c[0].position, j->bearing_radius + j->clearance, x_c) },
        .d_c = { v3_zero(), v3_neg(x_c) },
        .side = 1.0,
    };
}

int clearance_features(const model_joint *joint, gap_feature out[CLEARANCE_MOST])
{
    if (!(joint->clearance > 0.0)) {
        return 0;
    }
    if (!(joint->guide_length > 0.0)) {
        out[0] = journal(joint);
        return 1;
    }
    for (int k = 0; k < CLEARANCE_MOST; ++k) {
        out[k] = corner(joint, k);
    }
    return CLEARANCE_MOST;
}

bool clearance_turns_around(const model_joint *joint)
{
    double half_diagonal = hypot(joint->bearing_radius, 0.5 * joint->guide_length);
    return half_diagonal <= joint->bearing_radius + joint->clearance;
}

void clearance_orient(const model_joint *joint, gap_feature *f, int body[2])
{
    f->swapped = joint->body[0] < joint->body[1]; /* then generator 0, of the joint's B, sits on the later body */
    body[0] = joint->body[!f->swapped];
    body[1] = joint->body[f->swapped];
}
