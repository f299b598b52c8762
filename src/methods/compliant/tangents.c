/* Tangents of contact forces for implicit integrators: stiffness and damping of the laws along the gradient of the gap,
 * damping of friction across it, per pair of touching bodies. Journals are stiff across the normal too. What else
 * curvature of the surfaces and the change of friction with the normal force add is left out: it is small or not
 * symmetric, and Newton's method does without. */
#include "methods/compliant/exact.h"

/* Adds sign [I, -r_a x]^T K [I, -r_b x], a block of one body by another. */
static void add_block(double (*H)[PAIR_COLUMNS], int row, int column, const m3 *K, v3 r_a, v3 r_b, double sign)
{
    m3 X_a = m3_skew(r_a);
    m3 X_b = m3_skew(r_b);
    m3 lower = m3_mul(X_a, *K);                     /* (-X_a)^T K = X_a K  */
    m3 right = m3_scale(-1.0, m3_mul(*K, X_b));     /* K (-X_b)            */
    m3 corner = m3_scale(-1.0, m3_mul(lower, X_b)); /* X_a K (-X_b)        */
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            H[row + i][column + j] += sign * K->m[3 * i + j];
            H[row + i][column + 3 + j] += sign * right.m[3 * i + j];
            H[row + 3 + i][column + j] += sign * lower.m[3 * i + j];
            H[row + 3 + i][column + 3 + j] += sign * corner.m[3 * i + j];
        }
    }
}

/* Stiffness and damping of one touch as a 3x3 matrix on the relative motion of its two material points. */
static m3 local_tangent(const touching_point *c, double stiffness, double damping)
{
    m3 K = m3_outer(c->gradient_w, v3_scale(stiffness * c->stiffness + damping * c->damping, c->gradient_w));
    if (c->along == 0.0 && c->across == 0.0) {
        return K;
    }
    double speed = v3_norm(c->slip_w);
    m3 plane = m3_add(m3_identity(), m3_scale(-1.0, m3_outer(c->normal_w, c->normal_w)));
    K = m3_add(K, m3_scale(damping * c->across, plane));
    if (speed > 0.0) {
        v3 direction = v3_scale(1.0 / speed, c->slip_w);
        K = m3_add(K, m3_scale(damping * (c->along - c->across), m3_outer(direction, direction)));
    }
    return K;
}

/* S on the relative motion of two material points with the levers r_p and r_f. */
static void add_between(contact_tangent *out, const touching_point *c, const m3 *S, v3 r_p, v3 r_f)
{
    int p = c->p.body == out->body[0] ? 0 : FRAME_COLUMNS;
    int f = FRAME_COLUMNS - p;
    add_block(out->H, p, p, S, r_p, r_p, 1.0);
    add_block(out->H, p, f, S, r_p, r_f, -1.0);
    add_block(out->H, f, p, S, r_f, r_p, -1.0);
    add_block(out->H, f, f, S, r_f, r_f, 1.0);
}

/* A journal's normal follows its middle: displaced across the normal, the force turns against it. */
static void add_turning(contact_tangent *out, const touching_point *c, double stiffness)
{
    v3 lift = v3_scale(c->lift, c->normal_w);
    m3 plane = m3_add(m3_identity(), m3_scale(-1.0, m3_outer(c->normal_w, c->normal_w)));
    m3 S = m3_scale(stiffness * c->turning, plane);
    add_between(out, c, &S, v3_add(c->r_p, lift), v3_add(c->r_f, lift));
}

static void add_contact(contact_tangent *out, const compliant_work *t, const touching_point *c, double stiffness,
                        double damping)
{
    if (c->exact) {
        exact_add_tangent(out, t, c, stiffness, damping);
        return;
    }
    m3 S = local_tangent(c, stiffness, damping);
    add_between(out, c, &S, c->r_p, c->r_f);
    if (c->turning > 0.0) {
        add_turning(out, c, stiffness);
    }
}

/* A body that deforms is not told by its frame alone: what acts on one of its points. */
static bool belongs(const contact_tangent *last, const int body[2], const body_point *const point[2])
{
    return last && last->body[0] == body[0] && last->body[1] == body[1] && last->point[0] == point[0] &&
           last->point[1] == point[1];
}

const contact_tangent *compliant_tangents(void *self, double stiffness, double damping, int *count)
{
    compliant_work *t = self;
    *count = 0;
    for (size_t k = 0; k < t->touching; ++k) {
        const broad_pair *pair = &t->pairs[t->order[k].value];
        int body[2];
        broad_pair_bodies(t, pair, body);
        for (size_t i = pair->first; i < pair->first + pair->count; ++i) {
            const touching_point *c = &t->contacts[i];
            bool first = c->p.body == body[0];
            const body_point *point[2] = { first ? c->p.point : c->f.point, first ? c->f.point : c->p.point };
            contact_tangent *last = *count > 0 ? &t->tangents[*count - 1] : NULL;
            if (!belongs(last, body, point)) {
                last = &t->tangents[(*count)++];
                *last = (contact_tangent){ .body = { body[0], body[1] }, .point = { point[0], point[1] } };
            }
            add_contact(last, t, c, stiffness, damping);
        }
    }
    return t->tangents;
}
