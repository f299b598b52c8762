/* state.h, step.h, trust.h, contact.h: states and scratches of other models, bodies that are not there, steps of no length. */
#include "interface.h"

/* Model, state and scratch that do not belong together, or are missing. */
typedef struct misfit {
    const carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
} misfit;

enum { MISFITS = 11 };

static void find_misfits(misfit out[MISFITS])
{
    const trio *a = &the.one;
    const trio *b = &the.other;
    const trio *c = &the.heavier;
    const misfit all[MISFITS] = {
        { NULL, NULL, NULL },
        { NULL, a->state, a->scratch },
        { a->model, NULL, a->scratch },
        { a->model, a->state, NULL },
        { a->model, b->state, a->scratch },
        { a->model, a->state, b->scratch },
        { b->model, a->state, a->scratch },
        { a->model, b->state, b->scratch },
        { a->model, c->state, a->scratch },
        { a->model, a->state, c->scratch },
        { c->model, a->state, a->scratch },
    };
    memcpy(out, all, sizeof all);
}

/* Runs `body` for every misfit m. */
#define FOR_EACH_MISFIT(m)   \
    misfit m##_all[MISFITS]; \
    find_misfits(m##_all);   \
    for (const misfit *m = m##_all; m < m##_all + MISFITS; ++m)

/* ---- states ------------------------------------------------------------------------------------------------------- */

static void create_state(void)
{
    CHECK(carom_state_create(NULL) == NULL);
}

static void destroy_state(void)
{
    carom_state_destroy(NULL);
}

static void copy_state(void)
{
    carom_state *same = carom_state_create(the.one.model);
    uint64_t before = carom_state_hash(the.one.state);
    CHECK_EQ(carom_state_copy(NULL, the.one.state), CAROM_BAD_INPUT);
    CHECK_EQ(carom_state_copy(the.one.state, NULL), CAROM_BAD_INPUT);
    CHECK_EQ(carom_state_copy(NULL, NULL), CAROM_BAD_INPUT);
    CHECK_EQ(carom_state_copy(the.one.state, the.other.state), CAROM_BAD_INPUT);
    CHECK_EQ(carom_state_copy(the.other.state, the.one.state), CAROM_BAD_INPUT);
    CHECK_EQ(carom_state_copy(the.one.state, the.heavier.state), CAROM_BAD_INPUT);
    CHECK_EQ(carom_state_copy(the.one.state, the.one.state), CAROM_OK);
    CHECK_EQ(carom_state_copy(the.one.state, same), CAROM_OK);
    CHECK(carom_state_hash(the.one.state) == before);
    carom_state_destroy(same);
}

static void hash_state(void)
{
    CHECK_EQ(carom_state_hash(NULL), 0);
}

static void time_of_state(void)
{
    CHECK_NEAR(carom_state_time(NULL), 0.0, 0.0);
}

static bool is_identity(carom_pose p)
{
    return p.position.x == 0.0 && p.position.y == 0.0 && p.position.z == 0.0 && p.orientation.w == 1.0 &&
           p.orientation.x == 0.0 && p.orientation.y == 0.0 && p.orientation.z == 0.0;
}

static bool is_zero(carom_v3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static void state_pose(void)
{
    const trio *t = &the.one;
    CHECK(is_identity(carom_state_pose(NULL, t->state, 1)));
    CHECK(is_identity(carom_state_pose(t->model, NULL, 1)));
    CHECK(is_identity(carom_state_pose(t->model, the.other.state, 1)));
    CHECK(is_identity(carom_state_pose(the.other.model, t->state, 1)));
    CHECK(is_identity(carom_state_pose(the.heavier.model, t->state, 1)));
    CHECK(is_identity(carom_state_pose(t->model, t->state, carom_model_find_body(t->model, "nobody"))));
    CHECK(is_identity(carom_state_pose(t->model, t->state, carom_model_body_count(t->model))));
    FOR_EACH(id, strange_ids)
    {
        CHECK(is_identity(carom_state_pose(t->model, t->state, ITEM(id, strange_ids))));
    }
    CHECK(!is_identity(carom_state_pose(t->model, t->state, 1)));
}

/* A vector of a body: zero for arguments that do not belong together. */
static void check_state_vector(carom_v3 (*ask)(const carom_model *, const carom_state *, carom_id))
{
    const trio *t = &the.one;
    CHECK(is_zero(ask(NULL, t->state, 1)));
    CHECK(is_zero(ask(t->model, NULL, 1)));
    CHECK(is_zero(ask(t->model, the.other.state, 1)));
    FOR_EACH(id, strange_ids)
    {
        CHECK(is_zero(ask(t->model, t->state, ITEM(id, strange_ids))));
    }
}

static void state_velocity(void)
{
    check_state_vector(carom_state_velocity);
}

static void state_angular_velocity(void)
{
    check_state_vector(carom_state_angular_velocity);
}

static void view(void)
{
    const trio *t = &the.one;
    CHECK(carom_view(NULL, t->state).poses == NULL);
    CHECK(carom_view(t->model, NULL).velocities == NULL);
    CHECK_EQ(carom_view(t->model, the.other.state).body_count, 0);
    CHECK(carom_view(the.heavier.model, t->state).time == NULL);
    CHECK_EQ(carom_view(t->model, t->state).body_count, carom_model_body_count(t->model));
}

static void poses(void)
{
    const trio *t = &the.one;
    double out[64] = { 0.0 };
    CHECK(carom_model_body_count(t->model) <= 9 && carom_model_body_count(the.other.model) <= 9);
    carom_poses(NULL, t->state, out);
    carom_poses(t->model, NULL, out);
    carom_poses(t->model, the.other.state, out);
    carom_poses(the.heavier.model, t->state, out);
    carom_poses(t->model, t->state, NULL);
    for (int i = 0; i < 64; ++i) {
        CHECK(out[i] == 0.0);
    }
}

static const double not_finite[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };

static void set_pose(void)
{
    const trio *t = &the.one;
    const carom_pose pose = { .orientation.w = 1.0 };
    const carom_pose no_rotation = { .orientation = { 0.0, 0.0, 0.0, 0.0 } };
    const carom_pose too_long = { .orientation = { 1.0, 0.1, 0.0, 0.0 } };
    uint64_t before = carom_state_hash(t->state);
    REFUSES(carom_state_set_pose, NULL, t->state, 1, pose);
    REFUSES(carom_state_set_pose, t->model, NULL, 1, pose);
    REFUSES(carom_state_set_pose, t->model, the.other.state, 1, pose);
    REFUSES(carom_state_set_pose, the.heavier.model, t->state, 1, pose);
    REFUSES(carom_state_set_pose, t->model, t->state, 0, pose); /* the ground */
    REFUSES(carom_state_set_pose, t->model, t->state, carom_model_find_body(t->model, "floor"), pose);
    REFUSES(carom_state_set_pose, t->model, t->state, carom_model_body_count(t->model), pose);
    REFUSES(carom_state_set_pose, t->model, t->state, 1, no_rotation);
    REFUSES(carom_state_set_pose, t->model, t->state, 1, too_long);
    FOR_EACH(id, strange_ids)
    {
        REFUSES(carom_state_set_pose, t->model, t->state, ITEM(id, strange_ids), pose);
    }
    FOR_EACH(number, not_finite)
    {
        carom_pose position = pose;
        carom_pose orientation = pose;
        position.position.y = ITEM(number, not_finite);
        orientation.orientation.z = ITEM(number, not_finite);
        REFUSES(carom_state_set_pose, t->model, t->state, 1, position);
        REFUSES(carom_state_set_pose, t->model, t->state, 1, orientation);
    }
    CHECK(carom_state_hash(t->state) == before);
}

static void set_velocity(void)
{
    const trio *t = &the.one;
    const carom_v3 v = { 1.0, 2.0, 3.0 };
    uint64_t before = carom_state_hash(t->state);
    REFUSES(carom_state_set_velocity, NULL, t->state, 1, v, v);
    REFUSES(carom_state_set_velocity, t->model, NULL, 1, v, v);
    REFUSES(carom_state_set_velocity, t->model, the.other.state, 1, v, v);
    REFUSES(carom_state_set_velocity, t->model, t->state, 0, v, v);
    REFUSES(carom_state_set_velocity, t->model, t->state, carom_model_find_body(t->model, "floor"), v, v);
    REFUSES(carom_state_set_velocity, t->model, t->state, carom_model_body_count(t->model), v, v);
    FOR_EACH(id, strange_ids)
    {
        REFUSES(carom_state_set_velocity, t->model, t->state, ITEM(id, strange_ids), v, v);
    }
    FOR_EACH(number, not_finite)
    {
        const carom_v3 bad = { 0.0, 0.0, ITEM(number, not_finite) };
        REFUSES(carom_state_set_velocity, t->model, t->state, 1, bad, v);
        REFUSES(carom_state_set_velocity, t->model, t->state, 1, v, bad);
    }
    CHECK(carom_state_hash(t->state) == before);
}

static void set_coordinate(void)
{
    const trio *t = &the.one;
    uint64_t before = carom_state_hash(t->state);
    REFUSES(carom_state_set_coordinate, NULL, t->state, 0, 0.1, 0.0);
    REFUSES(carom_state_set_coordinate, t->model, NULL, 0, 0.1, 0.0);
    REFUSES(carom_state_set_coordinate, t->model, the.other.state, 0, 0.1, 0.0);
    REFUSES(carom_state_set_coordinate, the.heavier.model, t->state, 0, 0.1, 0.0);
    REFUSES(carom_state_set_coordinate, t->model, t->state, carom_model_coordinate_count(t->model), 0.1, 0.0);
    FOR_EACH(id, strange_ids)
    {
        REFUSES(carom_state_set_coordinate, t->model, t->state, ITEM(id, strange_ids), 0.1, 0.0);
    }
    FOR_EACH(number, not_finite)
    {
        REFUSES(carom_state_set_coordinate, t->model, t->state, 0, ITEM(number, not_finite), 0.0);
        REFUSES(carom_state_set_coordinate, t->model, t->state, 0, 0.0, ITEM(number, not_finite));
    }
    CHECK(carom_state_hash(t->state) == before);
}

static void set_input(void)
{
    const trio *t = &the.one;
    uint64_t before = carom_state_hash(t->state);
    CHECK_EQ(carom_model_input_count(t->model), 1);
    REFUSES(carom_state_set_input, NULL, t->state, 0, 1.0);
    REFUSES(carom_state_set_input, t->model, NULL, 0, 1.0);
    REFUSES(carom_state_set_input, t->model, the.other.state, 0, 1.0);
    REFUSES(carom_state_set_input, the.other.model, the.other.state, 0, 1.0); /* it has none */
    REFUSES(carom_state_set_input, t->model, t->state, 1, 1.0);
    FOR_EACH(id, strange_ids)
    {
        REFUSES(carom_state_set_input, t->model, t->state, ITEM(id, strange_ids), 1.0);
    }
    FOR_EACH(number, not_finite)
    {
        REFUSES(carom_state_set_input, t->model, t->state, 0, ITEM(number, not_finite));
    }
    CHECK(carom_state_hash(t->state) == before);
}

static void state_input(void)
{
    const trio *t = &the.one;
    CHECK_NEAR(carom_state_input(t->model, t->state, 0), 0.5, 0.0);
    CHECK_NEAR(carom_state_input(NULL, t->state, 0), 0.0, 0.0);
    CHECK_NEAR(carom_state_input(t->model, NULL, 0), 0.0, 0.0);
    CHECK_NEAR(carom_state_input(t->model, the.heavier.state, 0), 0.0, 0.0);
    FOR_EACH(id, strange_ids)
    {
        CHECK_NEAR(carom_state_input(t->model, t->state, ITEM(id, strange_ids)), 0.0, 0.0);
    }
}

/* ---- steps -------------------------------------------------------------------------------------------------------- */

static void create_scratch(void)
{
    carom_scratch *scratch = NULL;
    REFUSES(carom_scratch_create, NULL, 1, &scratch);
    REFUSES(carom_scratch_create, the.one.model, 1, NULL);
    const int threads[] = { -1, INT_MIN, INT_MAX, 4097 };
    FOR_EACH(count, threads)
    {
        scratch = the.one.scratch;
        REFUSES(carom_scratch_create, the.one.model, ITEM(count, threads), &scratch);
        CHECK(scratch == NULL);
    }
}

static void destroy_scratch(void)
{
    carom_scratch_destroy(NULL);
}

static bool go_on(void *context)
{
    (void)context;
    return true;
}

static void watch_scratch(void)
{
    carom_scratch_watch(NULL, go_on, NULL);
    carom_scratch_watch(NULL, NULL, NULL);
}

static void integration(void)
{
    carom_integration none = carom_model_integration(NULL);
    CHECK(none.integrator == NULL && none.step == 0.0);
}

static void assemble(void)
{
    FOR_EACH_MISFIT(m)
    {
        carom_assembly report;
        REFUSES(carom_assemble, m->model, m->state, m->scratch, &report);
        REFUSES(carom_assemble, m->model, m->state, m->scratch, NULL);
    }
}

static void step(void)
{
    trio t = trio_create(scene_of_one);
    carom_step_report report;
    FOR_EACH_MISFIT(m)
    {
        REFUSES(carom_step, m->model, m->state, m->scratch, 1e-3, &report);
        REFUSES(carom_step, m->model, m->state, m->scratch, 1e-3, NULL);
    }
    for (int started = 0; started < 2; ++started) { /* before the first step and after it */
        uint64_t before = carom_state_hash(t.state);
        FOR_EACH(dt, not_positive)
        {
            REFUSES(carom_step, t.model, t.state, t.scratch, ITEM(dt, not_positive), &report);
        }
        CHECK(carom_state_hash(t.state) == before);
        CHECK_EQ(carom_step(t.model, t.state, t.scratch, 1e-3, NULL, NULL), CAROM_OK);
    }
    trio_destroy(&t);
}

static void step_findings(void)
{
    carom_findings *list = NULL;
    carom_error err = { 0 };
    REFUSES(carom_step_findings, NULL, the.one.scratch, &list);
    REFUSES(carom_step_findings, the.one.model, NULL, &list);
    REFUSES(carom_step_findings, the.one.model, the.one.scratch, NULL);
    REFUSES(carom_step_findings, the.one.model, the.other.scratch, &list);
    REFUSES(carom_step_findings, the.heavier.model, the.one.scratch, &list);
    CHECK(list == NULL);
    CHECK_OK(carom_step_findings(the.one.model, the.one.scratch, &list, &err), err);
    carom_findings_destroy(list);
}

static void step_events(void)
{
    size_t count = 7;
    CHECK(carom_step_events(NULL, &count) == NULL && count == 0);
    CHECK(carom_step_events(the.one.scratch, NULL) == NULL && carom_step_events(NULL, NULL) == NULL);
}

static void step_contacts(void)
{
    size_t count = 7;
    CHECK(carom_step_contacts(NULL, &count) == NULL && count == 0);
    CHECK(carom_step_contacts(the.one.scratch, NULL) == NULL && carom_step_contacts(NULL, NULL) == NULL);
}

static void findings_count(void)
{
    CHECK_EQ(carom_findings_count(NULL), 0);
}

static void findings_at(void)
{
    carom_findings *list = NULL;
    CHECK_EQ(carom_step_findings(the.one.model, the.one.scratch, &list, NULL), CAROM_OK);
    CHECK(carom_findings_at(NULL, 0) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_findings_at(list, ITEM(size, strange_sizes)) == NULL);
    }
    carom_findings_destroy(list);
}

static void destroy_findings(void)
{
    carom_findings_destroy(NULL);
}

static void severity_name(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_severity_name((carom_severity)ITEM(id, strange_ids)), "unknown");
    }
}

static void finding_kind_name(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_finding_kind_name((carom_finding_kind)ITEM(id, strange_ids)), "unknown");
    }
}

static void ledger(void)
{
    carom_ledger out;
    REFUSES(carom_observe_ledger, the.one.model, the.one.state, the.one.scratch, NULL);
    FOR_EACH_MISFIT(m)
    {
        REFUSES(carom_observe_ledger, m->model, m->state, m->scratch, &out);
    }
}

static void signal(void)
{
    double out;
    const trio *t = &the.one;
    const char *const names[] = { NULL, "", ".", "rod.", "nobody.position.x", "rod.position.w", overlong() };
    REFUSES(carom_observe_signal, t->model, t->state, t->scratch, "t", NULL);
    FOR_EACH(name, names)
    {
        REFUSES(carom_observe_signal, t->model, t->state, t->scratch, ITEM(name, names), &out);
    }
    FOR_EACH_MISFIT(m)
    {
        REFUSES(carom_observe_signal, m->model, m->state, m->scratch, "t", &out);
    }
}

static void coordinates(void)
{
    double values[8] = { 7.0 };
    CHECK_EQ(carom_observe_coordinates(the.one.model, the.one.state, the.one.scratch, NULL, values), CAROM_BAD_INPUT);
    FOR_EACH_MISFIT(m)
    {
        CHECK_EQ(carom_observe_coordinates(m->model, m->state, m->scratch, values, NULL), CAROM_BAD_INPUT);
    }
    CHECK_NEAR(values[0], 7.0, 0.0);
    CHECK_EQ(carom_observe_coordinates(the.one.model, the.one.state, the.one.scratch, values, NULL), CAROM_OK);
}

static void mobility(void)
{
    carom_mobility out;
    REFUSES(carom_observe_mobility, the.one.model, the.one.state, the.one.scratch, NULL);
    FOR_EACH_MISFIT(m)
    {
        REFUSES(carom_observe_mobility, m->model, m->state, m->scratch, &out);
    }
}

/* ---- contact ------------------------------------------------------------------------------------------------------ */

static void collider_count(void)
{
    CHECK_EQ(carom_model_collider_count(NULL), 0);
}

static void collider(void)
{
    CHECK_EQ(carom_model_collider(NULL, 0).body, CAROM_NONE);
    CHECK_EQ(carom_model_collider(the.one.model, carom_model_collider_count(the.one.model)).body, CAROM_NONE);
    CHECK_EQ(carom_model_collider(the.other.model, 0).body, CAROM_NONE); /* it has none */
    FOR_EACH(id, strange_ids)
    {
        carom_collider_info info = carom_model_collider(the.one.model, ITEM(id, strange_ids));
        CHECK(info.body == CAROM_NONE && info.shape == NULL && info.points == 0);
    }
}

static void contact_rules(void)
{
    carom_contact_rule rule[1];
    CHECK_EQ(carom_model_contact_rules(NULL, rule, 1), 0);
    CHECK_EQ(carom_model_contact_rules(the.one.model, NULL, 0), 1);
    CHECK_EQ(carom_model_contact_rules(the.one.model, NULL, SIZE_MAX), 1);
    CHECK_EQ(carom_model_contact_rules(the.one.model, rule, 1), 1);
}

static void clearances(void)
{
    const trio *t = &the.one;
    carom_clearance *list = NULL;
    size_t count = 0;
    REFUSES(carom_observe_clearances, t->model, t->state, t->scratch, 1.0, NULL, &count);
    REFUSES(carom_observe_clearances, t->model, t->state, t->scratch, 1.0, &list, NULL);
    FOR_EACH(reach, not_nonnegative)
    {
        REFUSES(carom_observe_clearances, t->model, t->state, t->scratch, ITEM(reach, not_nonnegative), &list,
                &count);
        CHECK(list == NULL && count == 0);
    }
    FOR_EACH_MISFIT(m)
    {
        REFUSES(carom_observe_clearances, m->model, m->state, m->scratch, 1.0, &list, &count);
    }
}

static void destroy_clearances(void)
{
    carom_clearances_destroy(NULL);
}

static void check_start(void)
{
    FOR_EACH_MISFIT(m)
    {
        REFUSES(carom_check_start, m->model, m->state, m->scratch);
    }
}

const interface_case interface_steps[] = {
    { "carom_state_create", create_state },
    { "carom_state_destroy", destroy_state },
    { "carom_state_copy", copy_state },
    { "carom_state_hash", hash_state },
    { "carom_state_time", time_of_state },
    { "carom_state_pose", state_pose },
    { "carom_state_velocity", state_velocity },
    { "carom_state_angular_velocity", state_angular_velocity },
    { "carom_view", view },
    { "carom_poses", poses },
    { "carom_state_set_pose", set_pose },
    { "carom_state_set_velocity", set_velocity },
    { "carom_state_set_coordinate", set_coordinate },
    { "carom_state_set_input", set_input },
    { "carom_state_input", state_input },
    { "carom_scratch_create", create_scratch },
    { "carom_scratch_destroy", destroy_scratch },
    { "carom_scratch_watch", watch_scratch },
    { "carom_model_integration", integration },
    { "carom_assemble", assemble },
    { "carom_step", step },
    { "carom_step_findings", step_findings },
    { "carom_step_events", step_events },
    { "carom_step_contacts", step_contacts },
    { "carom_findings_count", findings_count },
    { "carom_findings_at", findings_at },
    { "carom_findings_destroy", destroy_findings },
    { "carom_severity_name", severity_name },
    { "carom_finding_kind_name", finding_kind_name },
    { "carom_observe_ledger", ledger },
    { "carom_observe_signal", signal },
    { "carom_observe_coordinates", coordinates },
    { "carom_observe_mobility", mobility },
    { "carom_model_collider_count", collider_count },
    { "carom_model_collider", collider },
    { "carom_model_contact_rules", contact_rules },
    { "carom_observe_clearances", clearances },
    { "carom_clearances_destroy", destroy_clearances },
    { "carom_check_start", check_start },
    { NULL, NULL },
};
