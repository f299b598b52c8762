/* Placing colliders and asking about pairs of them. */
#include "model/colliders.h"

#include "collision/detect.h"

carom_pose model_collider_pose(const model_collider *c, const body_pose *body)
{
    return (carom_pose){ v3_add(body->x_w, q_rotate(body->q_wb, c->pose_c.position)),
                         q_mul(body->q_wb, c->pose_c.orientation) };
}

carom_pose pose_relative(const carom_pose *x, const carom_pose *y)
{
    return (carom_pose){ q_unrotate(x->orientation, v3_sub(y->position, x->position)),
                         q_mul(q_conj(x->orientation), y->orientation) };
}

void model_contact_sides(const carom_model *model, int a, int b, bool sides[2])
{
    const model_interaction *rule = model_interaction_of(model, a, b);
    const collider *x = model->colliders[a].collider;
    const collider *y = model->colliders[b].collider;
    bool has[2] = { collider_point_count(x) > 0, collider_point_count(y) > 0 };
    sides[0] = has[0] && (rule->points[0] || !has[1]);
    sides[1] = has[1] && (rule->points[1] || !has[0]);
    if (sides[0] && sides[1] && (collider_has_balls(x) || collider_has_balls(y))) {
        bool first = collider_has_balls(x);
        if (first && collider_has_balls(y)) { /* one ball is exact where a row of them is not */
            first = collider_point_count(x) <= collider_point_count(y);
        }
        sides[first ? 1 : 0] = false; /* would count twice */
    }
}

double model_pair_distance(const carom_model *model, int a, int b, const carom_pose *pose_w, double limit)
{
    bool sides[2];
    double least = limit;
    model_contact_sides(model, a, b, sides);
    for (int side = 0; side < 2; ++side) {
        int points = side == 0 ? a : b;
        int field = side == 0 ? b : a;
        if (sides[side]) {
            least = detect_distance(model->colliders[field].collider, model->colliders[points].collider,
                                    pose_relative(&pose_w[field], &pose_w[points]), least);
        }
    }
    return least;
}
