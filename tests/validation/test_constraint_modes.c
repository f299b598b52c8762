/* Bodies that deform in shapes, under the method constraint: with all the modes that their mesh has they move as the nodes do. */
#include "support/check.h"
#include "support/scene_file.h"
#include "support/sim.h"

#include <math.h>

enum { MOST_SETTINGS = 12 };

/* A scene with settings of its own (ended by NULL), then those of one variant. */
static sim start(const char *scene, const char *const *common, const char *const *variant)
{
    const char *all[2 * MOST_SETTINGS] = { NULL };
    int n = 0;
    for (int k = 0; common && common[k]; ++k) {
        all[n++] = common[k];
    }
    for (int k = 0; variant && variant[k]; ++k) {
        all[n++] = variant[k];
    }
    return sim_start(scene_read(scene, all), 1);
}

typedef struct difference {
    double force;   /* root mean square of the difference, over that of the first */
    double impulse; /* [N s] of the first */
    double off;     /* of the impulse, relative */
} difference;

/* Both, step by step; the force is that of a signal. */
static difference follow(sim *a, sim *b, const char *signal, double end)
{
    double apart = 0.0, size = 0.0, sum[2] = { 0.0, 0.0 };
    double h = carom_model_integration(a->model).step;
    CHECK_NEAR(carom_model_integration(b->model).step, h, 1e-12 * h);
    for (int k = 1; k * h < end; ++k) {
        sim_step(a, k * h);
        sim_step(b, k * h);
        double x = sim_signal(a, signal);
        double y = sim_signal(b, signal);
        apart += (x - y) * (x - y);
        size += x * x;
        sum[0] += h * x;
        sum[1] += h * y;
    }
    return (difference){ sqrt(apart / size), sum[0], fabs(sum[1] - sum[0]) / fabs(sum[0]) };
}

/* Ends of rods: one dimension, nothing turns. */
TEST(constraint_modes, rods_with_all_modes_move_as_nodes)
{
    static const char *const common[] = { "variables.n=20", "variables.cfl=0.9", NULL };
    static const char *const modes[] = { "bodies.rod1.flexible.as=modes", "bodies.rod2.flexible.as=modes",
                                         "bodies.rod1.flexible.modes.count=20", "bodies.rod2.flexible.modes.count=20",
                                         NULL };
    sim a = start("constraint_rods.json", common, NULL);
    sim b = start("constraint_rods.json", common, modes);
    const difference d = follow(&a, &b, "rod2.contact.force.x", 6e-4);
    printf("  force apart by %.2e, impulse by %.2e of %g N s\n", d.force, d.off, d.impulse);
    CHECK(d.impulse > 0.17);
    CHECK_LE(d.force, 1e-9);
    CHECK_LE(d.off, 1e-10);
    CHECK_LE(sim_norm(sim_ledger(&b).momentum_residue), 1e-12);
    sim_end(&a);
    sim_end(&b);
}

/* A strip hinged to a bar, in a plane, on rough ground; the frame of the shapes is that of co-rotation. What differs is the half step by
 * which forces of inertia lag behind. After the first impact a sharp corner rattles, and small differences grow. */
TEST(constraint_modes, strip_on_a_hinge_moves_as_nodes_in_the_same_frame)
{
    static const char *const frames[] = { "bodies.B2.flexible.frame=attachment", "bodies.B2.flexible.frame=mean" };
    static const char *const modes[] = { "bodies.B2.flexible.as=modes", "bodies.B2.flexible.modes.count=60", NULL };
    for (int f = 0; f < 2; ++f) {
        const char *const common[] = {
            "bodies.B2.flexible.mesh={\"strip\":{\"length\":0.2,\"height\":0.01,\"divisions\":[10,2],\"at\":[0.1,0,0]}}",
            "variables.ground=$y+$L2*sin($t2)+0.005*cos($t2)-1e-6", frames[f], NULL
        };
        sim a = start("constraint_pendulum.json", common, NULL);
        sim b = start("constraint_pendulum.json", common, modes);
        const difference d = follow(&a, &b, "B2.contact.force.y", 1e-4);
        carom_ledger l = sim_ledger(&b);
        printf("  %s: force apart by %.2e, impulse by %.2e of %g N s, energy off by %.2e of %g J\n", frames[f],
               d.force, d.off, d.impulse, l.residue, l.kinetic);
        CHECK(d.impulse > 0.09);
        CHECK_LE(d.force, 1e-3);
        CHECK_LE(d.off, 1e-4);
        sim_end(&a);
        sim_end(&b);
    }
}

static const char *const blocks[] = { "bodies.upper.flexible.mesh.block.divisions=[2,2,2]",
                                      "bodies.lower.flexible.mesh.block.divisions=[3,3,2]", "time.step=4e-6",
                                      "record.every=4e-6", NULL };
static const char *const block_modes[] = { "bodies.upper.flexible.as=modes", "bodies.lower.flexible.as=modes",
                                           "bodies.upper.flexible.modes.count=75",
                                           "bodies.lower.flexible.modes.count=138", NULL };

/* Nodes against facets in space, with friction, both sides by their shapes. */
TEST(constraint_modes, blocks_with_all_modes_move_as_nodes)
{
    sim a = start("constraint_blocks.json", blocks, NULL);
    sim b = start("constraint_blocks.json", blocks, block_modes);
    const carom_ledger first = sim_ledger(&b);
    const difference d = follow(&a, &b, "upper.contact.force.z", 4e-4);
    const carom_ledger l = sim_ledger(&b);
    printf("  force apart by %.2e, impulse by %.2e of %g N s\n", d.force, d.off, d.impulse);
    CHECK(d.impulse > 0.5);
    CHECK_LE(d.force, 1e-4);
    CHECK_LE(d.off, 1e-5);
    CHECK_LE(sim_norm(sim_difference(l.momentum, first.momentum)), 1e-6 * d.impulse);
    CHECK(l.lost_friction > 0.0);
    sim_end(&a);
    sim_end(&b);
}

TEST(constraint_modes, a_copy_goes_on_alike_in_the_middle_of_an_impact)
{
    sim a = start("constraint_blocks.json", blocks, block_modes);
    carom_error err = { 0 };
    carom_step_report report;
    sim_advance(&a, 2e-4);
    CHECK(sim_signal(&a, "contact.count") > 0.0);
    carom_state *copy = carom_state_create(a.model);
    carom_scratch *fresh = NULL;
    CHECK_OK(carom_state_copy(copy, a.state), err);
    CHECK_OK(carom_scratch_create(a.model, 7, &fresh, &err), err);
    for (int k = 0; k < 5; ++k) {
        CHECK_OK(carom_step(a.model, a.state, a.scratch, 2e-5, &report, &err), err);
        CHECK_OK(carom_step(a.model, copy, fresh, 2e-5, &report, &err), err);
        CHECK(carom_state_hash(a.state) == carom_state_hash(copy));
    }
    carom_scratch_destroy(fresh);
    carom_state_destroy(copy);
    sim_end(&a);
}

/* ---- what is refused ---- */

static carom_status refused(const char *const *settings, carom_error *err)
{
    carom_model *model = NULL;
    const char *all[2 * MOST_SETTINGS] = { NULL };
    int n = 0;
    for (int k = 0; block_modes[k]; ++k) {
        all[n++] = block_modes[k];
    }
    for (int k = 0; settings[k]; ++k) {
        all[n++] = settings[k];
    }
    carom_spec *spec = scene_read("constraint_blocks.json", all);
    carom_status status = carom_compile(spec, &model, err);
    carom_spec_destroy(spec);
    carom_model_destroy(model);
    return status;
}

TEST(constraint_modes, penalties_and_steps_beyond_the_limit_are_refused)
{
    static const char *const penalty[] = { "contact.penalty=0.1", NULL };
    static const char *const step[] = { "time.step=1e-3", NULL };
    carom_error err = { 0 };
    CHECK_EQ(refused(penalty, &err), CAROM_BAD_INPUT);
    CHECK(strstr(err.message, "penalty") != NULL);
    CHECK_EQ(refused(step, &err), CAROM_BAD_INPUT);
    CHECK(strstr(err.message, "critical step") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(constraint_modes, rods_with_all_modes_move_as_nodes),
        RUN_TEST(constraint_modes, strip_on_a_hinge_moves_as_nodes_in_the_same_frame),
        RUN_TEST(constraint_modes, blocks_with_all_modes_move_as_nodes),
        RUN_TEST(constraint_modes, a_copy_goes_on_alike_in_the_middle_of_an_impact),
        RUN_TEST(constraint_modes, penalties_and_steps_beyond_the_limit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
