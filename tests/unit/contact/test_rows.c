/* Rows of contacts are derivatives: of gaps, and of the slip at the place of contact. */
#include "rigs.h"

/* Gap, and the place of contact, of a contact whose bodies have coasted for t. */
static gap_value gap_after(const sim *s, const contact *c, double t)
{
    gap_value g;
    contact_bodies bodies = coast(s->state, c->body, t);
    contact_gap(c, s->model, &bodies, s->scratch->near, &g);
    return g;
}

/* Along t_w: the velocity of A's material at the place of contact, relative to B's. */
static double slip_after(const sim *s, const contact *c, v3 t_w, double t)
{
    gap_value g = gap_after(s, c, t);
    contact_bodies at = coast(s->state, c->body, t);
    v3 v[2];
    for (int side = 0; side < 2; ++side) {
        v3 r_w = v3_sub(g.point_w, at.pose[side].x_w);
        v[side] = v3_add(at.rate[side].v_w, v3_cross(at.rate[side].omega_w, r_w));
    }
    return v3_dot(t_w, v3_sub(v[0], v[1]));
}

static void check_normal(const sim *s, const contact *c)
{
    double h = 1e-3;
    contact_value value;
    contact_evaluate(c, s->scratch, &value);
    double g[5]; /* fourth order: at -2h .. 2h */
    for (int k = 0; k < 5; ++k) {
        g[k] = gap_after(s, c, (k - 2) * h).gap;
    }
    double rate = (g[0] - 8.0 * g[1] + 8.0 * g[3] - g[4]) / (12.0 * h);
    double bend = (-g[0] + 16.0 * g[1] - 30.0 * g[2] + 16.0 * g[3] - g[4]) / (12.0 * h * h);
    double along = contact_row_times(&value.normal, s->scratch, rates_of(state_motion(s->state)));
    CHECK_NEAR(value.gap.gap, g[2], 1e-13);
    CHECK_NEAR(along, value.gap.rate, 1e-12);
    if (c->feature.kind != GAP_POINT_IN_RING) { /* which bends without limit near the middle: below */
        CHECK_NEAR(along, rate, 1e-7);
        CHECK_NEAR(value.normal.jdot_v, bend, 1e-5);
    }
}

static void check_tangents(const sim *s, const contact *c, test_rng *r)
{
    double h = 1e-4;
    contact_value value;
    contact_evaluate(c, s->scratch, &value);
    v3 t_w = v3_unit(v3_cross(value.gap.normal_w, random_direction(r)));
    contact_row row = contact_tangent_row(c, &value, s->scratch, t_w);
    CHECK_NEAR(contact_row_times(&row, s->scratch, rates_of(state_motion(s->state))), slip_after(s, c, t_w, 0.0),
               1e-12);
    if (c->feature.kind != GAP_POINT_IN_RING) {
        double rate = (slip_after(s, c, t_w, h) - slip_after(s, c, t_w, -h)) / (2.0 * h);
        CHECK_NEAR(row.jdot_v, rate, 1e-4);
    }
}

TEST(rows, are_derivatives)
{
    test_rng r = test_rng_seed(5);
    contact_list contacts = { 0 };
    int seen[CONTACT_KINDS] = { 0 };
    for (int n = 0; n < 20; ++n) {
        sim s = sim_parse(contact_rig, NULL);
        shake(&s, &r, 0.2);
        place(&s);
        list_contacts(&s, &contacts);
        for (size_t k = 0; k < contacts.count; ++k) {
            const contact *c = &contacts.items[k];
            check_normal(&s, c);
            seen[c->kind]++;
            if (c->kind != CONTACT_STOP) {
                check_tangents(&s, c, &r);
            }
        }
        sim_end(&s);
    }
    free(contacts.items);
    for (int k = 0; k < CONTACT_KINDS; ++k) {
        CHECK(seen[k] > 0);
    }
}

/* A journal that goes around in its bearing at the angular velocity Omega, offset e, both bodies without turning: the gap
 * stays, and its second derivative without accelerations is that of flying off along the tangent, - Omega^2 e. */
TEST(rows, of_a_journal_know_how_it_goes_around)
{
    double e = 7e-4;
    double Omega = 40.0;
    sim s = sim_parse(contact_rig, NULL);
    contact out[CONTACT_PER_JOINT];
    CHECK_EQ(contact_of_joint(s.model, 1, out), 1);
    const model_joint *joint = &s.model->joints[1];
    v3 axis = v3_make(0.6, 0.0, 0.8);
    v3 side = v3_make(0.0, 1.0, 0.0);
    s.state->pose[joint->body[1]].x_w = v3_axpy(s.state->pose[joint->body[1]].x_w, e, side);
    s.state->rate[joint->body[1]].v_w = v3_scale(Omega * e, v3_cross(axis, side));
    place(&s);
    contact_value value;
    contact_evaluate(&out[0], s.scratch, &value);
    CHECK_NEAR(value.gap.gap, 1e-3 - e, 1e-15);
    CHECK_NEAR(value.gap.rate, 0.0, 1e-15);
    CHECK_NEAR(value.normal.jdot_v, -Omega * Omega * e, 1e-12);
    v3 t_w = v3_cross(axis, side);
    contact_row row = contact_tangent_row(&out[0], &value, s.scratch, t_w);
    double sign = joint->body[1] < joint->body[0] ? 1.0 : -1.0; /* A is the earlier body */
    CHECK_NEAR(contact_row_times(&row, s.scratch, rates_of(state_motion(s.state))), sign * Omega * e, 1e-15);
    CHECK_NEAR(row.jdot_v, 0.0, 1e-12);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(rows, are_derivatives),
        RUN_TEST(rows, of_a_journal_know_how_it_goes_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
