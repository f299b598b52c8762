/* Friction of the iterate itself: how it follows normal forces, tangent planes and points of contact, none of which lag. */
#include <string.h>

#include "methods/barrier/contacts.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/friction_slip.h"
#include "methods/barrier/pairs.h"

/* A contact whose friction follows it: its lag is that of the iterate. */
typedef struct following {
    const barrier_work *w;
    const barrier_pair *p;
    const barrier_contact *contact;
    lagged_friction f;
    slip s;
    slip_stiffness stiff;
    int columns[2];                  /* of the twists: from, up to; those of bodies that are no nodes are left out */
    double force[3][TWIST_PAIR];     /* on A, by the twists */
    double moment[2][3][TWIST_PAIR]; /* of forces whose points shift, about the points of A and of B */
} following;

static void add_rows(const following *c, double to[3][TWIST_PAIR], v3 by, const double row[TWIST_PAIR])
{
    for (int k = c->columns[0]; k < c->columns[1]; ++k) {
        to[0][k] += by.x * row[k];
        to[1][k] += by.y * row[k];
        to[2][k] += by.z * row[k];
    }
}

/* Per unit of a row of the twists: a change of the force itself, and shifts of the points of A and of B at which it acts against what
 * moves with their bodies; NULL: none. */
static void couple(following *c, const double row[TWIST_PAIR], v3 change, const v3 shift[2])
{
    for (int side = 0; shift && side < 2; ++side) {
        const moving_body *b = &c->w->bodies[c->p->body[side]];
        if (!body_stays(b) && v3_norm2(shift[side]) > 0.0) {
            v3 began = m3_mulv(b->R_ref, m3_tmulv(b->R, shift[side]));
            v3 moved = v3_sub(shift[side], began);
            change = v3_add(change, m3_mulv(c->stiff.K, side == 0 ? moved : v3_neg(moved)));
            add_rows(c, c->moment[side], v3_cross(shift[side], c->stiff.force), row);
        }
    }
    add_rows(c, c->force, change, row);
}

/* Forces on A and their moments become those on both bodies. */
static void take_rows(const following *c, friction_coupling *out)
{
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        v3 arm = c->s.arm[side];
        double(*K)[TWIST_PAIR] = out->K + COLUMNS * side;
        for (int k = c->columns[0]; out->node[side] >= 0 && k < c->columns[1]; ++k) {
            double x = c->force[0][k], y = c->force[1][k], z = c->force[2][k];
            K[0][k] += sign * x;
            K[1][k] += sign * y;
            K[2][k] += sign * z;
            K[3][k] += sign * (arm.y * z - arm.z * y + c->moment[side][0][k]);
            K[4][k] += sign * (arm.z * x - arm.x * z + c->moment[side][1][k]);
            K[5][k] += sign * (arm.x * y - arm.y * x + c->moment[side][2][k]);
        }
    }
}

/* The bound is mu m(c) N(gap). */
static void couple_load(following *c)
{
    const barrier_contact *contact = c->contact;
    const edge_mollifier *m = &contact->parallel;
    double per_gap = contact->second / contact->first;
    double per_turn = m->value < 1.0 ? m->first / m->value : 0.0;
    double row[TWIST_PAIR];
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        v3 turn = v3_scale(per_gap, v3_cross(contact->arm[side], contact->normal));
        v3 move = v3_scale(per_gap, contact->normal);
        v3_store(row + COLUMNS * side, v3_scale(sign, v3_axpy(move, per_turn, m->shift)));
        v3_store(row + COLUMNS * side + 3, v3_scale(sign, v3_axpy(turn, per_turn, contact->turn[side])));
    }
    couple(c, row, c->stiff.force, NULL);
}

/* Closest points slide along their features. */
static void couple_slides(following *c, const feature_distance *d, const feature_motion *m)
{
    for (int k = 0; k < d->slides; ++k) {
        v3 shift[2] = { v3_zero(), v3_zero() };
        shift[d->owner[k]] = d->slide[k];
        couple(c, m->slide[k], v3_zero(), shift);
    }
}

/* Where the gap changes, the point half way across it moves along the normal. */
static void couple_gap(following *c)
{
    const barrier_contact *contact = c->contact;
    double part = gap_part(c->w, c->p);
    const v3 shift[2] = { v3_scale(-part, contact->normal), v3_scale(part, contact->normal) };
    double row[TWIST_PAIR];
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        v3_store(row + COLUMNS * side, v3_scale(sign, contact->normal));
        v3_store(row + COLUMNS * side + 3, v3_scale(sign, v3_cross(contact->arm[side], contact->normal)));
    }
    couple(c, row, v3_zero(), shift);
}

/* The tangent plane turns with the normal, and so do the points of round surfaces, and those half way across gaps. */
static void couple_normal(following *c, const feature_motion *m)
{
    const barrier_contact *contact = c->contact;
    double per_slip = c->s.size > 0.0 ? v3_norm(c->stiff.force) / c->s.size : 0.0;
    double through = v3_dot(contact->normal, c->s.by);
    for (int k = 0; k < 2; ++k) {
        v3 t = c->f.tangent[k];
        v3 change = v3_axpy(v3_scale(-through, m3_mulv(c->stiff.K, t)), -per_slip * c->s.u[k], contact->normal);
        v3 shift[2] = { v3_scale(-depth_of(c->w, c->p, contact, 0), t),
                        v3_scale(depth_of(c->w, c->p, contact, 1), t) };
        double row[TWIST_PAIR];
        for (int i = 0; i < TWIST_PAIR; ++i) {
            row[i] = t.x * m->normal[0][i] + t.y * m->normal[1][i] + t.z * m->normal[2][i];
        }
        couple(c, row, change, shift);
        for (int side = 0; side < 2; ++side) {
            if (v3_norm2(shift[side]) > 0.0) {
                double turn[TWIST_PAIR] = { 0.0 };
                v3 one[2] = { v3_zero(), v3_zero() };
                one[side] = shift[side];
                v3_store(turn + COLUMNS * side + 3, v3_cross(t, contact->normal));
                couple(c, turn, v3_zero(), one);
            }
        }
    }
}

/* The lowest point of a rim goes around it when that turns against its plane, by -(n x bend) (w . bend), n from the plane to the rim and w
 * the turn of the rim less that of the plane: where the second derivative of its height is -(w . bend)^2. */
static void couple_rim(following *c, const feature_pair *f, v3 bend)
{
    int rim = f->kind[0] == SURFACE_RIM ? 0 : 1;
    v3 shift[2] = { v3_zero(), v3_zero() };
    double row[TWIST_PAIR] = { 0.0 };
    v3 around = v3_cross(c->contact->normal, bend);
    shift[rim] = rim == 0 ? v3_neg(around) : around;
    v3_store(row + COLUMNS * rim + 3, bend);
    v3_store(row + COLUMNS * (1 - rim) + 3, v3_neg(bend));
    couple(c, row, v3_zero(), shift);
}

/* The distance of a contact in world axes. */
static feature_distance distance_of(const surface_pair *now, const barrier_pair *p, const barrier_contact *c, m3 R_w)
{
    feature_distance d = surface_pair_distance(now, &p->near.list.items[c->item].pair);
    d.normal = c->normal;
    for (int k = 0; k < d.slides; ++k) {
        d.slide[k] = m3_mulv(R_w, d.slide[k]);
    }
    return d;
}

/* How the friction of a contact follows the twists. */
static void couple_contact(following *c, const surface_pair *now, m3 R_w)
{
    const feature_pair *f = &c->p->near.list.items[c->contact->item].pair;
    feature_distance d = distance_of(now, c->p, c->contact, R_w);
    v3 bend = surface_pair_bend(now, f);
    feature_motion m;
    feature_distance_motion(&d, c->contact->arm, &m);
    memset(c->force, 0, sizeof c->force);
    memset(c->moment, 0, sizeof c->moment);
    couple_load(c);
    couple_slides(c, &d, &m);
    if (gap_part(c->w, c->p) > 0.0) {
        couple_gap(c);
    }
    couple_normal(c, &m);
    if (v3_norm2(bend) > 0.0) {
        couple_rim(c, f, m3_mulv(R_w, bend));
    }
}

void friction_couple(const barrier_work *w, const barrier_pair *p, double part, friction_coupling *out)
{
    surface_place places[2] = { collider_place(w, p->a), collider_place(w, p->b) };
    surface_pair now = surface_pair_still(&places[0], &places[1]);
    following c = { .w = w, .p = p };
    double width = width_of(w, p);
    for (int side = 0; side < 2; ++side) {
        out->node[side] = w->bodies[p->body[side]].node;
    }
    memset(out->K, 0, sizeof out->K);
    c.columns[0] = out->node[0] >= 0 ? 0 : COLUMNS;
    c.columns[1] = out->node[1] >= 0 ? TWIST_PAIR : COLUMNS;
    for (int k = 0; k < p->contact_count; ++k) {
        c.contact = &p->contacts[k];
        friction_lag(w, p, c.contact, &c.f);
        c.f.bound *= part;
        if (c.f.bound > 0.0) {
            c.s = slip_of(w, p, &c.f);
            c.stiff = friction_stiffness(&c.f, &c.s, width, false);
            couple_contact(&c, &now, places[1].R_w);
            take_rows(&c, out);
        }
    }
}
