/* Joints with clearance: gaps of their features against the geometry of a pin in a hole and of a block between walls. */
#include "rigs.h"

#include "contact/clearance.h"
#include "dynamics/columns.h"

typedef struct both {
    marker a, b;
} both;

static both markers(const sim *s, const model_joint *j)
{
    return (both){ work_marker(s->scratch, j->body[0], &j->marker_c[0]),
                   work_marker(s->scratch, j->body[1], &j->marker_c[1]) };
}

static gap_value measure(const sim *s, const model_joint *j, const gap_feature *f)
{
    gap_value g;
    const carom_state *state = s->state;
    gap_motion b = contact_motion(&state->pose[j->body[1]], &state->rate[j->body[1]]);
    gap_motion a = contact_motion(&state->pose[j->body[0]], &state->rate[j->body[0]]);
    gap_measure(f, &b, &a, &g);
    return g;
}

static void check_journal(const sim *s, const model_joint *j, const gap_feature *f)
{
    both m = markers(s, j);
    v3 d = v3_sub(m.b.p_w, m.a.p_w);
    v3 across = v3_axpy(d, -v3_dot(d, marker_z(&m.a)), marker_z(&m.a));
    gap_value g = measure(s, j, f);
    CHECK_NEAR(g.gap, j->clearance - v3_norm(across), 1e-13);
    v3 out = v3_unit(across);
    CHECK_NEAR(v3_dot(g.normal_w, out), -1.0, 1e-12);
    v3 middle = v3_axpy(m.b.p_w, j->bearing_radius + 0.5 * g.gap, out); /* between pin and hole */
    CHECK_NEAR(v3_norm(v3_sub(g.point_w, middle)), 0.0, 1e-13);
}

/* Of all corners and both walls, in the order of clearance.h. */
static void check_guide(const sim *s, const model_joint *j, const gap_feature *f)
{
    both m = markers(s, j);
    double half = j->bearing_radius + j->clearance;
    for (int k = 0; k < CLEARANCE_MOST; ++k) {
        double side = k & 2 ? 1.0 : -1.0;
        double wall = k & 4 ? -side : side;
        v3 corner = v3_axpy(m.b.p_w, side * j->bearing_radius, marker_x(&m.b));
        corner = v3_axpy(corner, (k & 1 ? 0.5 : -0.5) * j->guide_length, marker_z(&m.b));
        v3 out = v3_scale(wall, marker_x(&m.a));
        gap_value g = measure(s, j, &f[k]);
        CHECK_NEAR(g.gap, half - v3_dot(out, v3_sub(corner, m.a.p_w)), 1e-13);
        CHECK_NEAR(v3_dot(g.normal_w, out), -1.0, 1e-12);
        CHECK_NEAR(v3_norm(v3_sub(g.point_w, v3_axpy(corner, 0.5 * g.gap, out))), 0.0, 1e-12);
    }
}

TEST(clearance, gaps_are_those_of_pins_and_walls)
{
    test_rng r = test_rng_seed(6);
    for (int n = 0; n < 50; ++n) {
        sim s = sim_parse(contact_rig, NULL);
        gap_feature f[CLEARANCE_MOST];
        shake(&s, &r, n < 25 ? 1e-3 : 0.5);
        place(&s);
        CHECK_EQ(clearance_features(&s.model->joints[0], f), 0);
        CHECK_EQ(clearance_features(&s.model->joints[1], f), 1);
        check_journal(&s, &s.model->joints[1], f);
        CHECK_EQ(clearance_features(&s.model->joints[2], f), CLEARANCE_MOST);
        check_guide(&s, &s.model->joints[2], f);
        sim_end(&s);
    }
}

/* Whichever body comes first, the gap is the same and the normal points from the later to the earlier one. */
TEST(clearance, contacts_have_their_bodies_in_order)
{
    test_rng r = test_rng_seed(7);
    sim s = sim_parse(contact_rig, NULL);
    shake(&s, &r, 0.1);
    place(&s);
    for (int joint = 1; joint < 3; ++joint) {
        const model_joint *j = &s.model->joints[joint];
        contact out[CONTACT_PER_JOINT];
        gap_feature f[CLEARANCE_MOST];
        int count = contact_of_joint(s.model, joint, out);
        clearance_features(j, f);
        CHECK_EQ(count, joint == 1 ? 1 : CLEARANCE_FACING); /* this slider is too long to turn around */
        for (int k = 0; k < count; ++k) {
            contact_value value;
            contact_evaluate(&out[k], s.scratch, &value);
            gap_value g = measure(&s, j, &f[k]);
            CHECK(out[k].body[0] < out[k].body[1]);
            CHECK_NEAR(value.gap.gap, g.gap, 1e-15);
            double sign = out[k].body[0] == j->body[1] ? 1.0 : -1.0;
            CHECK_NEAR(v3_dot(value.gap.normal_w, g.normal_w), sign, 1e-15);
        }
    }
    sim_end(&s);
}

TEST(clearance, short_and_loose_sliders_turn_around)
{
    model_joint j = { .bearing_radius = 0.02, .clearance = 1e-3, .guide_length = 0.1 };
    CHECK(!clearance_turns_around(&j));
    j.guide_length = 0.004;
    CHECK(clearance_turns_around(&j));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(clearance, gaps_are_those_of_pins_and_walls),
        RUN_TEST(clearance, contacts_have_their_bodies_in_order),
        RUN_TEST(clearance, short_and_loose_sliders_turn_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
