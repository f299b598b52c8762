/* result.h: what an open result answers to frames, bodies, joints, shapes, signals and names it does not have. */
#include "interface.h"

static void open_result(void)
{
    carom_result *result = the.run;
    const char *const paths[] = { NULL, "", "/no/such/folder", "/dev/null", overlong() };
    REFUSES(carom_result_open, path_of("run"), NULL);
    FOR_EACH(path, paths)
    {
        result = the.run;
        FAILS(carom_result_open, ITEM(path, paths), &result);
        CHECK(result == NULL);
    }
}

static void close_result(void)
{
    carom_result_close(NULL);
}

static void frame_count(void)
{
    CHECK_EQ(carom_result_frame_count(NULL), 0);
}

static void signal_count(void)
{
    CHECK_EQ(carom_result_signal_count(NULL), 0);
}

static void recorded_count(void)
{
    CHECK_EQ(carom_result_recorded_count(NULL), 0);
}

static void signal_name(void)
{
    CHECK(carom_result_signal_name(NULL, 0) == NULL);
    CHECK(carom_result_signal_name(the.run, carom_result_signal_count(the.run)) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_result_signal_name(the.run, ITEM(size, strange_sizes)) == NULL);
    }
}

static void signal_unit(void)
{
    CHECK(carom_result_signal_unit(NULL, 0) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_result_signal_unit(the.run, ITEM(size, strange_sizes)) == NULL);
    }
}

static void times(void)
{
    CHECK(carom_result_time(NULL) == NULL);
}

static void signal_values(void)
{
    CHECK(carom_result_signal(NULL, 0) == NULL);
    FOR_EACH(size, strange_sizes)
    {
        CHECK(carom_result_signal(the.run, ITEM(size, strange_sizes)) == NULL);
    }
}

static void scene_text(void)
{
    CHECK(carom_result_scene(NULL) == NULL);
}

static void find_signal(void)
{
    size_t signal = 0;
    const double *values = NULL;
    carom_error err = { 0 };
    const char *const names[] = { NULL, "", ".", "no such signal", overlong() };
    REFUSES(carom_result_find_signal, NULL, "hinge.angle", &signal, &values);
    REFUSES(carom_result_find_signal, the.run, "hinge.angle", NULL, &values);
    FOR_EACH(name, names)
    {
        REFUSES(carom_result_find_signal, the.run, ITEM(name, names), &signal, &values);
    }
    CHECK_OK(carom_result_find_signal(the.run, "hinge.angle", &signal, NULL, &err), err);
}

static void text(void)
{
    CHECK_TEXT(carom_result_text(NULL, "name"), "");
    CHECK_TEXT(carom_result_text(the.run, NULL), "");
    CHECK_TEXT(carom_result_text(the.run, ""), "");
    CHECK_TEXT(carom_result_text(the.run, overlong()), "");
}

static void summary(void)
{
    CHECK(carom_result_summary(NULL) == NULL);
}

static void summary_text(void)
{
    CHECK(carom_result_summary_text(NULL) == NULL);
    CHECK(carom_result_summary_text(the.run) != NULL);
}

static void findings(void)
{
    carom_findings *found = NULL;
    REFUSES(carom_result_findings, NULL, &found);
    REFUSES(carom_result_findings, the.run, NULL);
    CHECK(found == NULL);
}

static void number(void)
{
    double value = 7.0;
    CHECK(!carom_result_number(NULL, "steps", &value));
    CHECK(isnan(value));
    CHECK(!carom_result_number(the.run, NULL, &value));
    CHECK(carom_result_number(the.run, "steps", NULL));
}

/* Results number bodies as models do. */
static void body_count(void)
{
    CHECK_EQ(carom_result_body_count(NULL), 0);
    CHECK_EQ(carom_result_body_count(the.run), (size_t)carom_model_body_count(the.one.model));
}

static void body_name(void)
{
    for (carom_id id = 0; id < carom_model_body_count(the.one.model); ++id) {
        CHECK_TEXT(carom_result_body_name(the.run, id), carom_model_body_name(the.one.model, id));
    }
    CHECK(carom_result_body_name(NULL, CAROM_GROUND) == NULL && carom_result_body_name(NULL, 1) == NULL);
    FOR_EACH(body, strange_ids)
    {
        CHECK(carom_result_body_name(the.run, ITEM(body, strange_ids)) == NULL);
    }
}

static void body_info(void)
{
    CHECK_TEXT(carom_result_body_info(NULL, 0).name, "ground");
    FOR_EACH(body, strange_ids)
    {
        CHECK_TEXT(carom_result_body_info(the.run, ITEM(body, strange_ids)).name, "ground");
    }
}

static void motion(void)
{
    carom_motion out;
    REFUSES(carom_result_motion, NULL, 0, 0, &out);
    REFUSES(carom_result_motion, the.run, 1, 0, NULL);
    REFUSES(carom_result_motion, the.run, 1, carom_result_frame_count(the.run), &out);
    FOR_EACH(body, strange_ids)
    {
        REFUSES(carom_result_motion, the.run, ITEM(body, strange_ids), 0, &out);
    }
    FOR_EACH(frame, strange_sizes)
    {
        REFUSES(carom_result_motion, the.run, 1, ITEM(frame, strange_sizes), &out);
    }
}

static void node_count(void)
{
    CHECK_EQ(carom_result_node_count(NULL, 1), 0);
    CHECK_EQ(carom_result_node_count(the.run, 1), 0); /* a rigid body */
    FOR_EACH(body, strange_ids)
    {
        CHECK_EQ(carom_result_node_count(the.run, ITEM(body, strange_ids)), 0);
    }
}

static void nodes_every(void)
{
    CHECK_EQ(carom_result_nodes_every(NULL, 1), 0);
    CHECK_EQ(carom_result_nodes_every(the.run, 1), 0); /* a rigid body */
    FOR_EACH(body, strange_ids)
    {
        CHECK_EQ(carom_result_nodes_every(the.run, ITEM(body, strange_ids)), 0);
    }
}

static void nodes(void)
{
    carom_v3 at[1], moving[1];
    REFUSES(carom_result_nodes, NULL, 1, 0, at, moving);
    REFUSES(carom_result_nodes, the.run, 1, 0, NULL, moving);
    REFUSES(carom_result_nodes, the.run, 1, 0, at, NULL); /* a rigid body */
    FOR_EACH(body, strange_ids)
    {
        REFUSES(carom_result_nodes, the.run, ITEM(body, strange_ids), 0, at, moving);
    }
}

static void shape_count(void)
{
    CHECK_EQ(carom_result_shape_count(NULL), 0);
}

static void shape_info(void)
{
    CHECK_EQ(carom_result_shape_info(NULL, 0).surface, -1);
    FOR_EACH(size, strange_sizes)
    {
        CHECK_EQ(carom_result_shape_info(the.run, ITEM(size, strange_sizes)).surface, -1);
    }
}

static void surface_count(void)
{
    CHECK_EQ(carom_result_surface_count(NULL), 0);
}

static void surface(void)
{
    carom_surface out;
    REFUSES(carom_result_surface, NULL, 0, &out);
    REFUSES(carom_result_surface, the.run, 0, NULL);
    REFUSES(carom_result_surface, the.run, carom_result_surface_count(the.run), &out);
    FOR_EACH(size, strange_sizes)
    {
        REFUSES(carom_result_surface, the.run, ITEM(size, strange_sizes), &out);
    }
}

static void joint_count(void)
{
    CHECK_EQ(carom_result_joint_count(NULL), 0);
}

static void joint_info(void)
{
    CHECK_TEXT(carom_result_joint_info(NULL, 0).name, "");
    FOR_EACH(size, strange_sizes)
    {
        CHECK_TEXT(carom_result_joint_info(the.run, ITEM(size, strange_sizes)).name, "");
    }
}

static void reaction(void)
{
    carom_v3 force, torque;
    REFUSES(carom_result_reaction, NULL, 0, 0, &force, &torque);
    REFUSES(carom_result_reaction, the.run, 0, 0, NULL, &torque);
    REFUSES(carom_result_reaction, the.run, 0, 0, &force, NULL);
    FOR_EACH(size, strange_sizes)
    {
        REFUSES(carom_result_reaction, the.run, ITEM(size, strange_sizes), 0, &force, &torque);
        REFUSES(carom_result_reaction, the.run, 0, ITEM(size, strange_sizes), &force, &torque);
    }
}

static void force_count(void)
{
    CHECK_EQ(carom_result_force_count(NULL), 0);
}

static void force_info(void)
{
    CHECK_TEXT(carom_result_force_info(NULL, 0).name, "");
    FOR_EACH(size, strange_sizes)
    {
        CHECK_TEXT(carom_result_force_info(the.run, ITEM(size, strange_sizes)).name, "");
    }
}

static void effort(void)
{
    carom_v3 force, torque;
    REFUSES(carom_result_effort, NULL, 0, 0, &force, &torque);
    REFUSES(carom_result_effort, the.run, 0, 0, NULL, &torque);
    REFUSES(carom_result_effort, the.run, 0, 0, &force, NULL);
    FOR_EACH(size, strange_sizes)
    {
        REFUSES(carom_result_effort, the.run, ITEM(size, strange_sizes), 0, &force, &torque);
        REFUSES(carom_result_effort, the.run, 0, ITEM(size, strange_sizes), &force, &torque);
    }
}

/* ---- events, contacts --------------------------------------------------------------------------------------------- */

static void event_kind_name(void)
{
    FOR_EACH(id, strange_ids)
    {
        CHECK_TEXT(carom_event_kind_name((carom_event_kind)ITEM(id, strange_ids)), "unknown");
    }
    CHECK_TEXT(carom_event_kind_name(CAROM_EVENT_KINDS), "unknown");
}

static void normal_impulse(void)
{
    CHECK_NEAR(carom_event_normal_impulse(NULL), 0.0, 0.0);
}

static void tangential_impulse(void)
{
    CHECK_NEAR(carom_event_tangential_impulse(NULL), 0.0, 0.0);
}

static void has_details(void)
{
    CHECK(!carom_event_has_details(NULL));
}

static void event_count(void)
{
    CHECK_EQ(carom_result_event_count(NULL), 0);
}

static void events(void)
{
    CHECK(carom_result_events(NULL) == NULL);
}

static void event_name(void)
{
    const carom_event touch = { .kind = CAROM_EVENT_IMPACT };
    CHECK_TEXT(carom_result_event_name(NULL, &touch), "");
    CHECK_TEXT(carom_result_event_name(NULL, NULL), "");
}

static void has_contacts(void)
{
    CHECK(!carom_result_has_contacts(NULL));
}

static void contact_count(void)
{
    CHECK_EQ(carom_result_contact_count(NULL, 0), 0);
    FOR_EACH(size, strange_sizes)
    {
        CHECK_EQ(carom_result_contact_count(the.run, ITEM(size, strange_sizes)), 0);
    }
}

static void contacts(void)
{
    const carom_contact_point *points = NULL;
    REFUSES(carom_result_contacts, NULL, 0, &points);
    REFUSES(carom_result_contacts, the.run, 0, NULL);
    REFUSES(carom_result_contacts, the.run, carom_result_frame_count(the.run), &points);
    FOR_EACH(size, strange_sizes)
    {
        REFUSES(carom_result_contacts, the.run, ITEM(size, strange_sizes), &points);
    }
}

static void pairs(void)
{
    carom_result_pair *list = NULL;
    size_t count = 0;
    REFUSES(carom_result_pairs, NULL, &list, &count);
    REFUSES(carom_result_pairs, the.run, NULL, &count);
    REFUSES(carom_result_pairs, the.run, &list, NULL);
}

static void destroy_pairs(void)
{
    carom_result_pairs_destroy(NULL);
}

static void pairs_of_steps(void)
{
    CHECK(!carom_result_pairs_of_steps(NULL));
}

static void contact_overview(void)
{
    carom_contact_overview out;
    REFUSES(carom_result_contact_overview, NULL, &out);
    REFUSES(carom_result_contact_overview, the.run, NULL);
}

const interface_case interface_results[] = {
    { "carom_result_open", open_result },
    { "carom_result_close", close_result },
    { "carom_result_frame_count", frame_count },
    { "carom_result_signal_count", signal_count },
    { "carom_result_recorded_count", recorded_count },
    { "carom_result_signal_name", signal_name },
    { "carom_result_signal_unit", signal_unit },
    { "carom_result_time", times },
    { "carom_result_signal", signal_values },
    { "carom_result_scene", scene_text },
    { "carom_result_find_signal", find_signal },
    { "carom_result_text", text },
    { "carom_result_summary", summary },
    { "carom_result_summary_text", summary_text },
    { "carom_result_findings", findings },
    { "carom_result_number", number },
    { "carom_result_body_count", body_count },
    { "carom_result_body_name", body_name },
    { "carom_result_body_info", body_info },
    { "carom_result_motion", motion },
    { "carom_result_node_count", node_count },
    { "carom_result_nodes", nodes },
    { "carom_result_nodes_every", nodes_every },
    { "carom_result_shape_count", shape_count },
    { "carom_result_shape_info", shape_info },
    { "carom_result_surface_count", surface_count },
    { "carom_result_surface", surface },
    { "carom_result_joint_count", joint_count },
    { "carom_result_joint_info", joint_info },
    { "carom_result_reaction", reaction },
    { "carom_event_kind_name", event_kind_name },
    { "carom_event_normal_impulse", normal_impulse },
    { "carom_event_tangential_impulse", tangential_impulse },
    { "carom_event_has_details", has_details },
    { "carom_result_force_count", force_count },
    { "carom_result_force_info", force_info },
    { "carom_result_effort", effort },
    { "carom_result_event_count", event_count },
    { "carom_result_events", events },
    { "carom_result_event_name", event_name },
    { "carom_result_has_contacts", has_contacts },
    { "carom_result_contact_count", contact_count },
    { "carom_result_contacts", contacts },
    { "carom_result_pairs", pairs },
    { "carom_result_pairs_destroy", destroy_pairs },
    { "carom_result_pairs_of_steps", pairs_of_steps },
    { "carom_result_contact_overview", contact_overview },
    { NULL, NULL },
};
