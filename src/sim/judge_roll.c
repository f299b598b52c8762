/* What contact takes from a cylinder that rolls.
 *
 * The normal force N at a point r from the cylinder's centre drives the rotation with the power N n . (omega x r). Where a
 * cylinder rolls on its side r is along n and the power is none, wherever the body's centre of mass is; no law of contact
 * takes energy from rolling. A cylinder that is seen as a polygon of points climbs over each of its corners and loses what it gains on the other side: the integral of
 * the power over time is what such corners have taken. */
#include "sim/judge.h"

#include <string.h>

/* Where the body's cylinder is on whose side the point lies; false: there is none. */
static bool rolls_on(const contact_judge *j, const carom_scratch *w, int body, v3 p_w, v3 n_w, carom_pose *pose_w)
{
    const carom_model *m = j->model;
    for (int k = j->first[body]; j->round[body] && k < j->first[body + 1]; ++k) {
        const model_collider *c = &m->colliders[j->own[k]];
        const model_shape *shape = &m->bodies[body].shapes[c->shape];
        if (strcmp(shape->type->kind.name, "cylinder") != 0) {
            continue;
        }
        const carom_cylinder_def *def = shape->params;
        *pose_w = model_collider_pose(m, c, &w->pose[body], w->q);
        v3 p = q_unrotate(pose_w->orientation, v3_sub(p_w, pose_w->position));
        v3 axis_w = q_rotate(pose_w->orientation, v3_make(0, 0, 1));
        bool on_side = fabs(hypot(p.x, p.y) - def->radius) < 0.05 * def->radius &&
                       fabs(p.z) < 0.5 * def->length * 1.001;
        bool lies = fabs(v3_dot(axis_w, n_w)) < 0.1; /* on its side, not on a rim */
        if (on_side && lies) {
            return true;
        }
    }
    return false;
}

typedef struct rolling {
    double power; /* [W] of normal forces on the rotation */
    double spin;  /* [rad/s] about the axis, where it does not slip */
    double energy;
} rolling;

static void add_point(const contact_judge *j, const carom_scratch *w, const carom_contact_point *at, int side,
                      rolling *sum)
{
    int body = at->body[side];
    carom_pose cylinder_w;
    v3 omega = w->rate[body].omega_w;
    if (j->model->bodies[body].role != BODY_FREE || !rolls_on(j, w, body, at->position, at->normal, &cylinder_w)) {
        return;
    }
    double spin = fabs(v3_dot(omega, q_rotate(cylinder_w.orientation, v3_make(0, 0, 1))));
    v3 r = v3_sub(at->position, cylinder_w.position);
    if (spin < 0.9 * v3_norm(omega) || v3_norm(at->slip) > 0.2 * spin * v3_norm(r)) {
        return; /* tumbles, or slides */
    }
    double force = v3_dot(at->force, at->normal);
    double along = v3_dot(at->normal, v3_cross(omega, r));
    sum->power += (side == 0 ? 1.0 : -1.0) * force * along;
    sum->spin = fmax(sum->spin, spin);
    sum->energy = fmax(sum->energy, work_body_kinetic(w, body));
}

/* [rad] A polygon on a hard surface hops: what it turns between two touches belongs to its rolling, unless it flies. */
static double hop(const carom_scratch *w, const judged_pair *p, double spin)
{
    static const double FLIES = 1.0; /* [rad] polygons of seven corners and more turn less from one to the next */
    double turned = spin * (w->t - p->dt - p->total->rolled_until);
    return p->total->rolled > 0.0 && turned < FLIES ? fmax(0.0, turned) : 0.0;
}

void judge_rolling(const contact_judge *j, const carom_scratch *w, const judged_pair *p)
{
    const carom_contact_point *first = p->points;
    rolling sum = { 0 };
    if (!j->round[first->body[0]] && !j->round[first->body[1]]) {
        return;
    }
    for (int k = 0; k < p->count; ++k) {
        add_point(j, w, &p->points[k], 0, &sum);
        add_point(j, w, &p->points[k], 1, &sum);
    }
    pair_total *total = p->total;
    total->rolling_work += 0.5 * p->dt * (total->rolling_power + sum.power);
    total->rolling_power = sum.power;
    if (sum.spin > 0.0) {
        total->rolled += p->dt * sum.spin + hop(w, p, sum.spin);
        total->rolled_until = w->t;
    }
    total->rolling_energy = fmax(total->rolling_energy, sum.energy);
}
