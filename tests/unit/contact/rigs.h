/* A mechanism with every kind of contact, thrown about at random. */
#ifndef CAROM_TESTS_CONTACT_RIGS_H
#define CAROM_TESTS_CONTACT_RIGS_H

#include "contact/rows.h"
#include "support/random.h"
#include "support/sim.h"

/* A block, a ball and a floor may touch; a link turns between stops, a shaft rattles in its bearing, a slider in its guide. */
static const char *const contact_rig =
    "{ \"carom\": 1, \"time\": {\"end\": 1}, \"contact\": {\"method\": \"impact\"},"
    "  \"bodies\": ["
    "    {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}, \"position\": [0, 0, -9]},"
    "    {\"name\": \"block\", \"shape\": {\"box\": [0.6, 0.3, 0.1]}, \"mass\": 2},"
    "    {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 1, \"position\": [2, 0, 0]},"
    "    {\"name\": \"link\", \"mass\": 1, \"inertia\": [0.1, 0.2, 0.3], \"position\": [4, 0.2, 0]},"
    "    {\"name\": \"shaft\", \"mass\": 1, \"inertia\": [0.1, 0.2, 0.3], \"position\": [6, 0, 0]},"
    "    {\"name\": \"slider\", \"mass\": 1, \"inertia\": [0.1, 0.2, 0.3], \"position\": [8, 0, 0]}],"
    "  \"joints\": ["
    "    {\"name\": \"hinge\", \"bodies\": [\"ball\", \"link\"], \"type\": \"revolute\", \"at\": [4, 0, 0],"
    "     \"axis\": [0, 0.6, 0.8], \"limits\": {\"min\": -0.5, \"max\": 0.7}},"
    "    {\"name\": \"bearing\", \"bodies\": [\"shaft\", \"ball\"], \"type\": \"revolute\", \"at\": [6, 0.1, 0],"
    "     \"axis\": [0.6, 0, 0.8], \"clearance\": {\"play\": 1e-3, \"radius\": 0.02}},"
    "    {\"name\": \"guide\", \"bodies\": [\"block\", \"slider\"], \"type\": \"prismatic\", \"at\": [8, 0.1, 0],"
    "     \"axis\": [0, 0, 1], \"clearance\": {\"play\": 1e-3, \"radius\": 0.02, \"length\": 0.1}}] }";

/* A little out of place, at any speed. */
static inline void shake(sim *s, test_rng *r, double way)
{
    carom_state *state = s->state;
    for (int i = 1; i < s->model->body_count; ++i) {
        if (s->model->bodies[i].slot >= 0) {
            v3 turn = random_v3(r, way);
            state->pose[i] = pose_moved(state->pose[i], random_v3(r, way), turn);
            state->rate[i] = (body_rate){ random_v3(r, 2.0), random_v3(r, 3.0) };
        }
    }
}

/* The point placed in the scratch, as evaluations of contacts want it. */
static inline void place(sim *s)
{
    work_place(s->scratch, *s->state->time, state_motion(s->state));
    work_constraints(s->scratch);
    work_all_coordinates(s->scratch);
    work_all_rates(s->scratch);
}

/* Two bodies a time later, all accelerations being zero. */
static inline contact_bodies coast(const carom_state *s, const int body[2], double t)
{
    contact_bodies out;
    for (int side = 0; side < 2; ++side) {
        const body_rate *rate = &s->rate[body[side]];
        out.rate[side] = *rate;
        out.pose[side] = pose_moved(s->pose[body[side]], v3_scale(t, rate->v_w), v3_scale(t, rate->omega_w));
    }
    return out;
}

/* All contacts of the joints, and of the block and the ball with each other and with the floor. */
static inline void list_contacts(const sim *s, contact_list *out)
{
    const carom_model *m = s->model;
    contact per_joint[CONTACT_PER_JOINT];
    out->count = 0;
    for (int j = 0; j < m->joint_count; ++j) {
        int count = contact_of_joint(m, j, per_joint);
        for (int k = 0; k < count; ++k) {
            CHECK(contact_list_push(out, &per_joint[k]));
        }
    }
    gap_list gaps = { 0 };
    for (int a = 0; a < m->collider_count; ++a) {
        for (int b = a + 1; b < m->collider_count; ++b) {
            const body_pose *x = &s->state->pose[m->colliders[a].body];
            const body_pose *y = &s->state->pose[m->colliders[b].body];
            gap_pair pair = contact_colliders(m, a, b);
            gaps.count = 0;
            CHECK(gap_find(&gaps, &pair, (carom_pose[]){ { x->x_w, x->q_wb }, { y->x_w, y->q_wb } }, 20.0));
            for (size_t k = 0; k < gaps.count; ++k) {
                contact c = contact_of_surface(m, a, b, &gaps.items[k]);
                CHECK(contact_list_push(out, &c));
            }
        }
    }
    gap_list_free(&gaps);
}

#endif
