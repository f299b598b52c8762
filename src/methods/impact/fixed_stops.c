/* Stops and clearance of joints as contacts of a fixed step. A stop is a contact without friction along the joint's coordinate: at the marker of B
 * for a travel, as a couple for an angle. A journal may cross its play within one step, so that it has a wall on the side where it is and one on each
 * of the other three. */
#include <math.h>

#include "contact/candidate.h"
#include "contact/rows.h"
#include "methods/impact/fixed_work.h"

v3 fixed_side_velocity(const carom_scratch *w, const body_rate *rate, const fixed_contact *c, int side)
{
    const body_rate *u = &rate[c->body[side]];
    if (c->couple > 0.0) {
        return v3_scale(c->couple, u->omega_w);
    }
    return v3_add(u->v_w, v3_cross(u->omega_w, v3_sub(c->p_w, w->pose[c->body[side]].x_w)));
}

v3 fixed_relative_velocity(const carom_scratch *w, const body_rate *rate, const fixed_contact *c)
{
    return v3_sub(fixed_side_velocity(w, rate, c, 0), fixed_side_velocity(w, rate, c, 1));
}

void fixed_memory_bodies(const fixed_work *fw, const fixed_memory *m, int body[2], int *joint)
{
    int index = m->collider[0] - fw->model->collider_count;
    *joint = index >= 0 ? index : CAROM_NONE;
    for (int side = 0; side < 2; ++side) {
        body[side] = index >= 0 ? fw->model->joints[index].body[side] : fw->model->colliders[m->collider[side]].body;
    }
    if (index >= 0 && body[0] > body[1]) {
        int last = body[0];
        body[0] = body[1];
        body[1] = last;
    }
}

static fixed_contact contact_at(const fixed_work *fw, const contact *from)
{
    bool ascending = from->body[0] < from->body[1];
    return (fixed_contact){ .collider = { fw->model->collider_count + from->a, from->b },
                            .joint = from->a,
                            .body = { from->body[!ascending], from->body[ascending] },
                            .interaction = from->interaction,
                            .mu = from->mu,
                            .restitution = from->law.restitution };
}

/* The row on the second body of the joint, B, is that of the coordinate; on A it is the opposite one. */
static bool add_stop(fixed_work *fw, const carom_scratch *w, const contact *from)
{
    const model_joint *j = &fw->model->joints[from->a];
    contact_value value;
    fixed_contact c = contact_at(fw, from);
    contact_evaluate(from, w, &value);
    bool angle = j->type->coordinates[j->limits[from->b].coordinate].angle;
    v3 row = v3_load(angle ? value.normal.b + 3 : value.normal.b);
    double length = v3_norm(row);
    if (!(length > 0.0)) { /* a swing that is zero has no direction yet */
        return true;
    }
    c.code = CODE_STOP;
    c.feature = from->feature.feature[0];
    c.couple = angle ? length : 0.0;
    c.normal_w = v3_scale((c.body[0] == j->body[1] ? 1.0 : -1.0) / length, row);
    c.p_w = w->frames[from->a].b.p_w;
    c.gap = value.gap.gap;
    return fixed_add_contact(fw, &c);
}

/* The walls of a bearing around its journal: where it is nearest, opposite, and on both sides. */
static bool add_journal(fixed_work *fw, fixed_contact c, const model_joint *j, v3 axis_w, bool swapped)
{
    const v3 n = c.normal_w;
    const v3 t = v3_cross(axis_w, n);
    const double towards =
        swapped ? 1.0 : -1.0; /* the normal points to A's body: away from the journal where that is the bearing's */
    const v3 centre_w = v3_axpy(c.p_w, -towards * j->bearing_radius, n);
    const v3 sides[4] = { n, v3_neg(n), t, v3_neg(t) };
    const double off = j->clearance - c.gap;
    const double aside = sqrt(fmax(0.0, 2.0 * j->clearance * j->clearance -
                                            off * off)); /* so that corners stay where they are */
    const double gaps[4] = { c.gap, 2.0 * j->clearance - c.gap, aside, aside };
    bool ok = true;
    for (int k = 0; ok && k < 4; ++k) {
        c.feature = (uint32_t)k;
        c.normal_w = sides[k];
        c.gap = gaps[k];
        c.p_w = v3_axpy(centre_w, towards * j->bearing_radius, sides[k]);
        ok = fixed_add_contact(fw, &c);
    }
    return ok;
}

static bool add_play(fixed_work *fw, const carom_scratch *w, const contact *from)
{
    const model_joint *j = &fw->model->joints[from->a];
    contact_value value;
    fixed_contact c = contact_at(fw, from);
    contact_evaluate(from, w, &value);
    c.code = CODE_PLAY;
    c.feature = from->feature.feature[0];
    c.partner = from->feature.feature[1];
    c.normal_w = value.gap.normal_w;
    c.p_w = value.gap.point_w;
    c.gap = value.gap.gap;
    return j->guide_length > 0.0 ? fixed_add_contact(fw, &c)
                                 : add_journal(fw, c, j, marker_z(&w->frames[from->a].a), from->feature.swapped);
}

bool fixed_add_stops(fixed_work *fw, const carom_scratch *w)
{
    bool ok = true;
    for (int j = 0; ok && j < fw->model->joint_count; ++j) {
        contact contacts[CONTACT_PER_JOINT];
        int count = contact_of_joint(fw->model, j, contacts);
        for (int k = 0; ok && k < count; ++k) {
            ok = contacts[k].kind == CONTACT_STOP ? add_stop(fw, w, &contacts[k]) : add_play(fw, w, &contacts[k]);
        }
    }
    return ok;
}
