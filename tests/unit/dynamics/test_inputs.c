/* Inputs: numbers set from outside between steps, in expressions, states, hashes and units. */
#include "rig.h"
#include "support/integrators.h"

static const rig_time AS_GIVEN = { 0 };

/* A block of 2 kg that a force pulls along x. */
#define PULLED(units, inputs, force)                                                                               \
    "{\"carom\": 1, " units "\"inputs\": " inputs ", \"time\": {\"end\": 1, \"step\": 1e-3},"                      \
    " \"bodies\": [{\"name\": \"block\", \"mass\": 2, \"inertia\": [1, 1, 1]}], \"forces\": [{\"name\": \"rope\"," \
    " \"type\": \"load\", \"body\": \"block\", \"force\": [\"" force "\", 0, 0]}]}"
#define IN_NEWTONS "{\"pull\": {\"start\": 3, \"unit\": \"N\"}}"

static int find(const rig *r, const char *name)
{
    int input = carom_model_find_input(r->model, name);
    CHECK(input >= 0);
    return input;
}

static void set(rig *r, const char *name, double value)
{
    CHECK_OK(carom_state_set_input(r->model, r->state, find(r, name), value, &r->err), r->err);
}

static double speed(const rig *r)
{
    return carom_state_velocity(r->model, r->state, 1).x;
}

TEST(inputs, pull_from_their_start)
{
    rig r = rig_open(PULLED("", IN_NEWTONS, "input.pull"), AS_GIVEN);
    CHECK_EQ(carom_model_input_count(r.model), 1);
    CHECK(strcmp(carom_model_input_name(r.model, 0), "pull") == 0);
    CHECK_EQ(carom_model_input_dimension(r.model, 0).mass, 1);
    CHECK_NEAR(carom_state_input(r.model, r.state, 0), 3.0, 0.0);
    rig_run(&r, 0.5);
    CHECK_NEAR(speed(&r), 0.75, 1e-12);
    CHECK_NEAR(rig_signal(&r, "input.pull"), 3.0, 0.0);
    rig_close(&r);
}

/* The block, with this integrator and a method that goes with it. */
static rig pulled_by(const char *integrator)
{
    char scene[800];
    char name[80];
    snprintf(scene, sizeof scene, PULLED("\"contact\": {\"method\": \"%s\"}, ", IN_NEWTONS, "input.pull"),
             method_for_integrator(integrator));
    snprintf(name, sizeof name, "\"%s\"", integrator);
    return rig_open(scene, (rig_time){ .integrator = name });
}

/* A force that jumps between steps, by every integrator: v = sum of F h / m, whatever was remembered of the force before,
 * and its work is what the block has gained and what the integrator says that it loses: F acts along h v at the end of a
 * step of implicit Euler, F^2 h^2 / 2m more than the block gains. Central differences keep the energy of both half steps, m v^2/2 less
 * F^2 h^2 / 8m, and tell at the start what v(0) has more. */
TEST(inputs, act_from_the_next_step_on)
{
    const carom_kind *const *kinds = carom_integrator_kinds();
    for (int k = 0; kinds[k]; ++k) {
        double sum = 0.0;
        rig r = pulled_by(kinds[k]->name);
        printf("  %s\n", kinds[k]->name);
        for (int piece = 0; piece < 10; ++piece) {
            double force = piece % 2 ? -4.0 : 10.0;
            set(&r, "pull", force);
            rig_run(&r, 0.01 * (piece + 1));
            sum += force * 0.01 / 2.0;
            CHECK_NEAR(speed(&r), sum, 1e-9);
        }
        carom_ledger ledger = rig_ledger(&r);
        const integrator_type *type = integrator_find(kinds[k]->name);
        const double half = 1e-3 / 2.0 /
                            2.0; /* [s/kg] half a step over the mass: half velocities are F half apart from v */
        double between = type->leaps ? -4.0 * half : 0.0;
        CHECK_NEAR(ledger.kinetic, sum * sum - between * between, 1e-9);
        const double lost = ledger.lost_numerics + ledger.lost_handover;
        CHECK_NEAR(ledger.work_loads, ledger.kinetic + lost, 1e-6);
        double loses = type->incremental > 0 ? 100 * 10.0 * 10.0 * 1e-6 / 4.0 : 0.0;
        loses = type->leaps ? 10.0 * half * 10.0 * half : loses;
        CHECK_LE(fabs(lost), loses);
        CHECK_NEAR(ledger.residue, 0.0, 1e-6);
        CHECK_NEAR(ledger.momentum_residue.x, 0.0, 1e-9);
        rig_close(&r);
    }
}

/* Under central differences a force that jumps within an explicit step: what was worked along its first part is of the force that was. */
TEST(inputs, jump_within_an_explicit_step)
{
    static const double parts[] = { 0.2, 0.37, 0.5, 0.81 };
    for (int k = 0; k < 4; ++k) {
        rig r = pulled_by("central-differences");
        double t = 0.0;
        for (int piece = 0; piece < 20; ++piece) {
            t += 1e-3 * (parts[k] + piece % 3);
            set(&r, "pull", piece % 2 ? -4.0 : 10.0);
            rig_run(&r, t);
            CHECK_NEAR(rig_ledger(&r).residue, 0.0, 1e-15);
            CHECK_NEAR(rig_ledger(&r).momentum_residue.x, 0.0, 1e-14);
        }
        rig_close(&r);
    }
}

/* An input that is set to what it is changes no bit; another value changes the hash at once. */
TEST(inputs, are_part_of_the_state)
{
    rig a = rig_open(PULLED("", IN_NEWTONS, "input.pull"), AS_GIVEN);
    rig b = rig_open(PULLED("", IN_NEWTONS, "input.pull"), AS_GIVEN);
    for (int k = 0; k < 20; ++k) {
        set(&b, "pull", 3.0);
        rig_step(&a, 1e-3);
        rig_step(&b, 1e-3);
        CHECK(carom_state_hash(a.state) == carom_state_hash(b.state));
    }
    set(&b, "pull", 4.0);
    CHECK(carom_state_hash(a.state) != carom_state_hash(b.state));
    CHECK_EQ(carom_state_copy(a.state, b.state), CAROM_OK);
    CHECK_NEAR(carom_state_input(a.model, a.state, 0), 4.0, 0.0);
    CHECK_NEAR(*carom_view(a.model, a.state).inputs, 4.0, 0.0);
    rig_step(&a, 1e-3);
    rig_step(&b, 1e-3);
    CHECK(carom_state_hash(a.state) == carom_state_hash(b.state));
    rig_close(&a);
    rig_close(&b);
}

/* Written in millimetres, a force is in mN; 0.003 kN are 3 N all the same, and C speaks SI. */
TEST(inputs, have_units_of_their_own)
{
    rig r = rig_open(
        PULLED("\"units\": {\"length\": \"mm\", \"angle\": \"deg\"}, ",
               "{\"pull\": {\"start\": 0.003, \"unit\": \"kN\"}, \"factor\": 2,"
               " \"lever\": {\"start\": 90, \"unit\": \"deg\"}, \"g\": {\"start\": 5, \"unit\": \"mm/s^2\"}}",
               "input.factor*input.pull*input.lever/90"),
        AS_GIVEN);
    CHECK_NEAR(carom_state_input(r.model, r.state, find(&r, "pull")), 3.0, 1e-15);
    CHECK_NEAR(carom_state_input(r.model, r.state, find(&r, "lever")), PI / 2.0, 1e-15);
    CHECK_NEAR(carom_state_input(r.model, r.state, find(&r, "g")), 5e-3, 1e-17);
    rig_run(&r, 0.5);
    CHECK_NEAR(speed(&r), 1.5, 1e-12);
    set(&r, "pull", 5.0);
    rig_run(&r, 1.0);
    CHECK_NEAR(speed(&r), 1.5 + 2.5, 1e-12);
    rig_close(&r);
}

TEST(inputs, are_refused_with_a_sentence)
{
    rig_refused(PULLED("", "{\"pull\": {\"unit\": \"newton\"}}", "input.pull + input.push"), "'newton' is no unit");
    rig_refused(PULLED("", "{\"pull\": {\"unit\": \"newton\"}}", "input.pull"), "'newton' is no unit of an input");
    rig_refused(PULLED("", "{\"pull\": {\"unit\": \"N*\"}}", "input.pull"), "is no unit of an input");
    rig_refused(PULLED("", "{\"pull\": {\"unit\": \"m^9\"}}", "input.pull"), "is no unit of an input");
    rig_refused(PULLED("", "{\"2nd\": 1}", "1"), "'2nd' cannot be the name of an input");
    rig_refused(PULLED("", "{\"pull\": {\"begin\": 1}}", "1"), "unknown key 'begin'");
    rig_refused(PULLED("", "[{\"start\": 1}]", "1"), "an object whose keys are names");
    rig_refused(PULLED("", IN_NEWTONS, "input.push"), "there is no input 'push'; there are: pull");
    rig_refused("{\"carom\": 1, \"bodies\": [{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1], \"motion\": "
                "{\"position\": [\"input.x\", 0, 0]}}], \"inputs\": {\"x\": 1}}",
                "may depend on t only");
    rig_refused("{\"carom\": 1, \"bodies\": [{\"name\": \"input\", \"mass\": 1, \"inertia\": [1, 1, 1]}], "
                "\"inputs\": {\"mass\": 1}}",
                "'input.mass' would have two meanings");
}

/* What a program defines is checked as what a file says. */
TEST(inputs, are_defined_in_c)
{
    const carom_input_def twice[] = { { "pull", 2.0, "N" }, { "pull", 2.0, NULL } };
    carom_error err = { 0 };
    carom_model *model = NULL;
    carom_spec *spec = carom_spec_create();
    carom_scene_def scene = carom_scene_def_default();
    carom_body_def body = carom_body_def_default();
    body.name = "block";
    body.mass = 1.0;
    CHECK_OK(carom_spec_add_body(spec, &body, &err), err);
    scene.inputs = (carom_list){ 2, twice };
    CHECK_OK(carom_spec_set_scene(spec, &scene, &err), err);
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK(strstr(err.message, "two inputs are named 'pull'") != NULL);
    carom_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(inputs, pull_from_their_start),
        RUN_TEST(inputs, act_from_the_next_step_on),
        RUN_TEST(inputs, jump_within_an_explicit_step),
        RUN_TEST(inputs, are_part_of_the_state),
        RUN_TEST(inputs, have_units_of_their_own),
        RUN_TEST(inputs, are_refused_with_a_sentence),
        RUN_TEST(inputs, are_defined_in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
