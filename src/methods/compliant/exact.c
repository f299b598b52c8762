/* Touches of exact features. */
#include "methods/compliant/exact.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- finding ------------------------------------------------------------------------------------------------------ */

static const collider *collider_of(const compliant_work *t, int index)
{
    return t->model->colliders[index].collider;
}

bool exact_pair(const compliant_work *t, const broad_pair *pair)
{
    return model_pair_is_exact(t->model, pair->a, pair->b);
}

static bool reserve(compliant_work *t, const exact_list *found)
{
    exact_store *s = &t->exact;
    return compliant_reserve(t, t->contact_count + found->count) &&
           CAROM_ARRAY_RESERVE(s->places, s->place_capacity, s->place_count + EXACT_PLACES * found->count) &&
           CAROM_ARRAY_RESERVE(s->bends, s->bend_capacity, s->bend_count + found->count);
}

static void add_places(exact_store *s, touching_point *c, const exact_touch *found, quat q_wf)
{
    c->first_place = s->place_count;
    c->place_count = found->place_count;
    for (int k = 0; k < found->place_count; ++k) {
        s->places[s->place_count++] = (friction_place){ .arm_w = q_rotate(q_wf, found->arms[k]) };
    }
}

/* R B R^T of each of the four blocks. */
static void turn_bend(double out[FRAME_COLUMNS][FRAME_COLUMNS], const double in[FRAME_COLUMNS][FRAME_COLUMNS], m3 R)
{
    for (int r = 0; r < FRAME_COLUMNS; r += 3) {
        for (int c = 0; c < FRAME_COLUMNS; c += 3) {
            m3 block;
            for (int k = 0; k < 9; ++k) {
                block.m[k] = in[r + k / 3][c + k % 3];
            }
            block = m3_mul(m3_mul(R, block), m3_transpose(R));
            for (int k = 0; k < 9; ++k) {
                out[r + k / 3][c + k % 3] = block.m[k];
            }
        }
    }
}

static void place_touch(touching_point *c, compliant_work *t, const carom_scratch *w, const exact_touch *found,
                        const carom_pose *F)
{
    double steepness = v3_norm(found->gradient_f);
    c->exact = true;
    c->feature = (uint32_t)found->element * EXACT_PLACES;
    c->gap = -found->depth;
    c->gradient_w = q_rotate(F->orientation, found->gradient_f);
    c->couple_w = q_rotate(F->orientation, found->couple_f);
    c->normal_w = steepness > 0.0 ? v3_scale(1.0 / steepness, c->gradient_w) : c->gradient_w;
    c->p_w = v3_add(F->position, q_rotate(F->orientation, found->p_f));
    add_places(&t->exact, c, found, F->orientation);
    c->level = found->level;
    if (found->level) {
        c->bend = t->exact.bend_count++;
        turn_bend(t->exact.bends[c->bend].b, found->bend, q_matrix(F->orientation));
    }
    touching_point_set_motion(c, w);
}

static body_place place_of(const model_collider *c)
{
    return (body_place){ c->body, NULL }; /* what goes with bodies that deform has points */
}

static bool find_side(compliant_work *t, const carom_scratch *w, broad_pair *pair, int side, double weight)
{
    int own = side == 0 ? pair->a : pair->b;
    int other = side == 0 ? pair->b : pair->a;
    const carom_pose *F = &t->near->pose_w[other];
    exact_list *found = &t->exact.found;
    found->count = 0;
    if (!exact_find(found, collider_of(t, other), collider_of(t, own), pose_relative(F, &t->near->pose_w[own])) ||
        !reserve(t, found)) {
        return false;
    }
    for (size_t k = 0; k < found->count; ++k) {
        touching_point *c = &t->contacts[t->contact_count++];
        *c = (touching_point){ .side = side,
                               .p = place_of(&t->model->colliders[own]),
                               .f = place_of(&t->model->colliders[other]),
                               .weight = weight * found->items[k].weight };
        place_touch(c, t, w, &found->items[k], F);
    }
    pair->count += found->count;
    return true;
}

bool exact_find_contacts(compliant_work *t, const carom_scratch *w, broad_pair *pair)
{
    bool sides[2];
    double weight = exact_sides(collider_of(t, pair->a), collider_of(t, pair->b), sides);
    for (int side = 0; side < 2; ++side) {
        if (sides[side] && !find_side(t, w, pair, side, weight)) {
            return false;
        }
    }
    return true;
}

double exact_turning_rate(const touching_point *c, const body_rate *rate)
{
    return v3_dot(c->couple_w, v3_sub(rate[c->p.body].omega_w, rate[c->f.body].omega_w));
}

bool exact_pair_distance(compliant_work *t, const broad_pair *pair, double limit, double *gap)
{
    const collider *c[2] = { collider_of(t, pair->a), collider_of(t, pair->b) };
    const carom_pose pose_w[2] = { t->near->pose_w[pair->a], t->near->pose_w[pair->b] };
    return exact_gap(&t->exact.found, c, pose_w, limit, gap);
}

/* ---- friction ----------------------------------------------------------------------------------------------------- */

/* Of P's material against F's, across the normal, at one of the places. */
static v3 slip_at(const touching_point *c, const friction_place *at, const carom_scratch *w, motion_rates of)
{
    v3 v = v3_sub(work_point_velocity(w, c->p, v3_add(c->r_p, at->arm_w), of),
                  work_point_velocity(w, c->f, v3_add(c->r_f, at->arm_w), of));
    return v3_axpy(v, -v3_dot(v, c->normal_w), c->normal_w);
}

static contact_record key_of(const broad_pair *pair, const touching_point *c, int k)
{
    return (contact_record){ .a = (uint32_t)pair->a,
                             .b = (uint32_t)pair->b,
                             .kind = (uint32_t)c->side + 1,
                             .feature = c->feature + (uint32_t)k };
}

static v3 remembered_bristle(const touching_point *c, const compliant_work *t, const carom_scratch *w,
                             const broad_pair *pair, int k)
{
    contact_record key = key_of(pair, c, k);
    const contact_record *record = pair->interaction->friction->has_bristles
                                       ? contact_records_find(&t->at->records, &key)
                                       : NULL;
    if (!record) {
        return v3_zero();
    }
    v3 bristle_w = m3_mulv(w->R_w[c->f.body], v3_load(record->value));
    return v3_axpy(bristle_w, -v3_dot(bristle_w, c->normal_w), c->normal_w);
}

double exact_friction(touching_point *c, compliant_work *t, const carom_scratch *w, const broad_pair *pair,
                      double normal)
{
    const model_interaction *law = pair->interaction;
    double power = 0.0;
    for (int k = 0; k < c->place_count; ++k) {
        friction_place *at = &t->exact.places[c->first_place + (size_t)k];
        at->slip_w = slip_at(c, at, w, rates_of(work_motion(w)));
        friction_input in = { .slip = at->slip_w,
                              .normal = normal / c->place_count,
                              .dt = w->t - t->at->t,
                              .bristle = remembered_bristle(c, t, w, pair, k),
                              .slip_begin = slip_at(c, at, w, (motion_rates){ t->at->rate, t->at->q_dot }) };
        friction_force f = law->friction->force(&in, law->friction_params);
        at->bristle_w = f.bristle;
        at->along = f.along;
        at->across = f.across;
        c->force_w = v3_add(c->force_w, f.force);
        c->torque_w = v3_add(c->torque_w, v3_cross(at->arm_w, f.force));
        power += v3_dot(f.force, at->slip_w);
    }
    return power;
}

void exact_remember(const compliant_work *t, const carom_scratch *w, const broad_pair *pair, const touching_point *c,
                    contact_records *out)
{
    for (int k = 0; k < c->place_count; ++k) {
        contact_record record = key_of(pair, c, k);
        v3_store(record.value, m3_tmulv(w->R_w[c->f.body], t->exact.places[c->first_place + (size_t)k].bristle_w));
        out->items[out->count++] = record;
    }
}

/* ---- tangents ----------------------------------------------------------------------------------------------------- */

/* How (velocity at p_w of P, its angular velocity) follows from the columns of a body at the lever r: v - r x omega, omega. */
static void lever_of(double L[FRAME_COLUMNS][FRAME_COLUMNS], v3 r, double sign)
{
    m3 X = m3_skew(r);
    memset(L, 0, FRAME_COLUMNS * FRAME_COLUMNS * sizeof(double));
    for (int i = 0; i < 3; ++i) {
        L[i][i] = L[i + 3][i + 3] = sign;
        for (int j = 0; j < 3; ++j) {
            L[i][j + 3] = -sign * X.m[3 * i + j];
        }
    }
}

/* H += T^T K T, where T takes the columns of both bodies to the relative motion at p_w. */
static void add_relative(contact_tangent *out, const touching_point *c, const exact_bend *K)
{
    double T[FRAME_COLUMNS][PAIR_COLUMNS];
    double KT[FRAME_COLUMNS][PAIR_COLUMNS] = { { 0.0 } };
    for (int side = 0; side < 2; ++side) {
        double L[FRAME_COLUMNS][FRAME_COLUMNS];
        bool first = (side == 0) == (c->p.body == out->body[0]);
        lever_of(L, side == 0 ? c->r_p : c->r_f, side == 0 ? 1.0 : -1.0);
        for (int i = 0; i < FRAME_COLUMNS; ++i) {
            memcpy(&T[i][first ? 0 : FRAME_COLUMNS], L[i], sizeof L[i]);
        }
    }
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        for (int k = 0; k < FRAME_COLUMNS; ++k) {
            for (int j = 0; j < PAIR_COLUMNS; ++j) {
                KT[i][j] += K->b[i][k] * T[k][j];
            }
        }
    }
    for (int i = 0; i < PAIR_COLUMNS; ++i) {
        for (int k = 0; k < FRAME_COLUMNS; ++k) {
            for (int j = 0; j < PAIR_COLUMNS; ++j) {
                out->H[i][j] += T[k][i] * KT[k][j];
            }
        }
    }
}

/* Damping of friction on the relative motion: at an arm from p_w the velocity is v - arm x omega. */
static void add_friction(double K[FRAME_COLUMNS][FRAME_COLUMNS], const touching_point *c, const friction_place *at,
                         double damping)
{
    double speed = v3_norm(at->slip_w);
    m3 S = m3_add(m3_identity(), m3_scale(-1.0, m3_outer(c->normal_w, c->normal_w)));
    S = m3_scale(damping * at->across, S);
    if (speed > 0.0) {
        v3 d = v3_scale(1.0 / speed, at->slip_w);
        S = m3_add(S, m3_scale(damping * (at->along - at->across), m3_outer(d, d)));
    }
    m3 X = m3_skew(at->arm_w);
    m3 SX = m3_scale(-1.0, m3_mul(S, X));
    m3 XS = m3_mul(X, S);
    m3 XSX = m3_mul(X, SX);
    for (int i = 0; i < 9; ++i) {
        K[i / 3][i % 3] += S.m[i];
        K[i / 3][3 + i % 3] += SX.m[i];
        K[3 + i / 3][i % 3] += XS.m[i];
        K[3 + i / 3][3 + i % 3] += XSX.m[i];
    }
}

void exact_add_tangent(contact_tangent *out, const compliant_work *t, const touching_point *c, double stiffness,
                       double damping)
{
    double g[FRAME_COLUMNS];
    exact_bend K;
    double along = stiffness * c->stiffness + damping * c->damping;
    v3_store(g, c->gradient_w);
    v3_store(g + 3, c->couple_w);
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        for (int j = 0; j < FRAME_COLUMNS; ++j) {
            K.b[i][j] = along * g[i] * g[j];
            K.b[i][j] += c->level ? stiffness * c->pressing * t->exact.bends[c->bend].b[i][j] : 0.0;
        }
    }
    for (int k = 0; k < c->place_count; ++k) {
        add_friction(K.b, c, &t->exact.places[c->first_place + (size_t)k], damping);
    }
    add_relative(out, c, &K);
}

void exact_destroy(compliant_work *t)
{
    exact_list_free(&t->exact.found);
    free(t->exact.places);
    free(t->exact.bends);
}
