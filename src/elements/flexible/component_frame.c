/* The frame that a body in shapes follows: what of a displacement is rigid motion. */
#include "elements/flexible/component_parts.h"

/* What a mean says of a vector, as a displacement and a rotation. */
void component_mean_of(const reducer *r, const motion_mean *mean, const double *u, v3 *move, v3 *turn)
{
    double all[MOTIONS] = { 0.0 };
    for (int i = 0; i < r->s->count; ++i) {
        const double *w = mean->weights + (size_t)i * (size_t)r->s->freedoms;
        for (int f = 0; f < r->s->freedoms; ++f) {
            all[r->s->motions[i]] += w[f] * u[f];
        }
    }
    *move = v3_load(all);
    *turn = v3_load(all + 3);
}

/* Takes from a vector the rigid motion that the frame makes with it. */
static void follow_frame(const reducer *r, double *u)
{
    v3 move, turn;
    component_mean_of(r, &r->means[0], u, &move, &turn);
    if (r->in->def->frame == CAROM_FRAME_CHORD) {
        v3 chord = v3_sub(r->means[1].at, r->means[0].at);
        v3 other, unused;
        component_mean_of(r, &r->means[1], u, &other, &unused);
        double d2 = v3_norm2(chord);
        v3 roll = v3_scale(v3_dot(turn, chord) / d2, chord);
        turn = v3_add(roll, v3_scale(1.0 / d2, v3_cross(chord, v3_sub(other, move))));
    }
    for (int k = 0; k < MOTIONS; ++k) {
        double amount = k < 3 ? v3_get(move, k) : v3_get(turn, k - 3);
        motion_add(r->s, k, r->means[0].at, -amount, NULL, 0, u);
    }
}

carom_status component_check_frame(const reducer *r, carom_error *err)
{
    carom_flexible_frame frame = r->in->def->frame;
    int needed = frame == CAROM_FRAME_CHORD ? 2 : frame == CAROM_FRAME_ATTACHMENT ? 1 : 0;
    if (r->in->attachment_count < needed) {
        return carom_fail(err, CAROM_BAD_INPUT, "'frame' is '%s' and needs %s; there %s %d",
                          needed == 2 ? "chord" : "attachment", needed == 2 ? "two attachments" : "an attachment",
                          r->in->attachment_count == 1 ? "is" : "are", r->in->attachment_count);
    }
    if (needed == 2 && !(v3_norm(v3_sub(r->means[1].at, r->means[0].at)) > 1e-6 * r->in->size)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'frame' is 'chord', and the attachments '%.100s' and '%.100s' are at one place",
                          r->in->attachments[0].name, r->in->attachments[1].name);
    }
    return CAROM_OK;
}

void component_fit_to_frame(const reducer *r, double *u)
{
    if (r->in->def->frame != CAROM_FRAME_MEAN) {
        follow_frame(r, u);
        return;
    }
    for (int i = 0; i < r->s->count; ++i) {
        const double *R = r->rigid + (size_t)i * (size_t)r->s->freedoms;
        double part = motion_product(r->s, u, R);
        for (int f = 0; f < r->s->freedoms; ++f) {
            u[f] -= part * R[f];
        }
    }
}
