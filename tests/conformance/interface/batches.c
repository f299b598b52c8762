/* batch.h, states as bytes, many steps at once, observers of everything, signals that are set, summaries of runs. */
#include "interface.h"

static carom_batch *make_batch(void)
{
    carom_batch *batch = NULL;
    carom_error err = { 0 };
    CHECK_OK(carom_batch_create(the.one.model, 3, NULL, &batch, &err), err);
    return batch;
}

static void create_batch(void)
{
    carom_batch *batch = NULL;
    REFUSES(carom_batch_create, NULL, 3, NULL, &batch);
    REFUSES(carom_batch_create, the.one.model, 0, NULL, &batch);
    REFUSES(carom_batch_create, the.one.model, SIZE_MAX, NULL, &batch);
    REFUSES(carom_batch_create, the.one.model, 3, the.other.state, &batch);
    REFUSES(carom_batch_create, the.one.model, 3, the.heavier.state, &batch);
    REFUSES(carom_batch_create, the.one.model, 3, NULL, NULL);
    CHECK(batch == NULL);
}

static void destroy_batch(void)
{
    carom_batch_destroy(NULL);
}

static void batch_count(void)
{
    CHECK_EQ(carom_batch_count(NULL), 0);
}

static void batch_state(void)
{
    carom_batch *batch = make_batch();
    CHECK(carom_batch_state(NULL, 0) == NULL);
    CHECK(carom_batch_state(batch, 2) != NULL);
    CHECK(carom_batch_state(batch, 3) == NULL);
    CHECK(carom_batch_state(batch, SIZE_MAX) == NULL);
    carom_batch_destroy(batch);
}

static void batch_set(void)
{
    carom_batch *batch = make_batch();
    const double good[3] = { 0.1, 0.2, 0.3 };
    const double bad[3] = { 0.1, (double)NAN, 0.3 };
    REFUSES(carom_batch_set, NULL, "hinge.angle", good, 3);
    REFUSES(carom_batch_set, batch, NULL, good, 3);
    REFUSES(carom_batch_set, batch, "", good, 3);
    REFUSES(carom_batch_set, batch, overlong(), good, 3);
    REFUSES(carom_batch_set, batch, "hinge.angel", good, 3);
    REFUSES(carom_batch_set, batch, "energy.kinetic", good, 3);
    REFUSES(carom_batch_set, batch, "hinge.angle", NULL, 3);
    REFUSES(carom_batch_set, batch, "hinge.angle", good, 0);
    REFUSES(carom_batch_set, batch, "hinge.angle", good, 2);
    REFUSES(carom_batch_set, batch, "hinge.angle", bad, 3);
    carom_batch_destroy(batch);
}

static void batch_advance(void)
{
    size_t left = 0;
    carom_batch *batch = make_batch();
    REFUSES(carom_batch_advance, NULL, 0.1, 0.0, 1, &left);
    REFUSES(carom_batch_advance, batch, 0.1, 0.0, -1, &left);
    REFUSES(carom_batch_advance, batch, 0.1, 0.0, INT_MAX, &left);
    FOR_EACH(x, not_nonnegative)
    {
        REFUSES(carom_batch_advance, batch, ITEM(x, not_nonnegative), 0.0, 1, &left);
        REFUSES(carom_batch_advance, batch, 0.1, ITEM(x, not_nonnegative), 1, &left);
    }
    CHECK_EQ(carom_batch_advance(batch, 0.0, 0.0, 0, NULL, NULL), CAROM_OK); /* they are there */
    carom_batch_destroy(batch);
}

static void batch_failed(void)
{
    CHECK_EQ(carom_batch_failed(NULL), 0);
}

static void batch_error(void)
{
    carom_batch *batch = make_batch();
    CHECK(carom_batch_error(NULL, 0) == NULL);
    CHECK(carom_batch_error(batch, 0) == NULL);
    CHECK(carom_batch_error(batch, SIZE_MAX) == NULL);
    carom_batch_destroy(batch);
}

static void batch_forgive(void)
{
    carom_batch *batch = make_batch();
    carom_batch_forgive(NULL, 0);
    carom_batch_forgive(batch, 0);
    carom_batch_forgive(batch, SIZE_MAX);
    carom_batch_destroy(batch);
}

static carom_observer *make_observer(const carom_model *model)
{
    carom_observer *observer = NULL;
    carom_error err = { 0 };
    const char *const signals[] = { "t" };
    CHECK_OK(carom_observer_create(model, signals, 1, &observer, &err), err);
    return observer;
}

static void batch_observe(void)
{
    double out[3];
    carom_batch *batch = make_batch();
    carom_observer *mine = make_observer(the.one.model);
    carom_observer *foreign = make_observer(the.heavier.model);
    REFUSES(carom_batch_observe, NULL, mine, 1, out);
    REFUSES(carom_batch_observe, batch, NULL, 1, out);
    REFUSES(carom_batch_observe, batch, foreign, 1, out);
    REFUSES(carom_batch_observe, batch, mine, -1, out);
    REFUSES(carom_batch_observe, batch, mine, INT_MAX, out);
    REFUSES(carom_batch_observe, batch, mine, 1, NULL);
    carom_observer_destroy(mine);
    carom_observer_destroy(foreign);
    carom_batch_destroy(batch);
}

/* ---- states as bytes ----------------------------------------------------------------------------------------------- */

static void model_hash(void)
{
    CHECK_EQ(carom_model_hash(NULL), 0);
    CHECK(carom_model_hash(the.one.model) != carom_model_hash(the.heavier.model));
}

static void state_size(void)
{
    CHECK_EQ(carom_state_size(NULL), 0);
}

static void state_save(void)
{
    size_t size = carom_state_size(the.one.state);
    char *room = calloc(1, size + 1);
    REFUSES(carom_state_save, NULL, the.one.state, room, size);
    REFUSES(carom_state_save, the.one.model, NULL, room, size);
    REFUSES(carom_state_save, the.one.model, the.other.state, room, size);
    REFUSES(carom_state_save, the.one.model, the.one.state, NULL, size);
    REFUSES(carom_state_save, the.one.model, the.one.state, room, size - 1);
    REFUSES(carom_state_save, the.one.model, the.one.state, room, size + 1);
    REFUSES(carom_state_save, the.one.model, the.one.state, room, 0);
    REFUSES(carom_state_save, the.one.model, the.one.state, room, SIZE_MAX);
    free(room);
}

/* Every byte counts; of another model, too short, too long. */
static void state_restore(void)
{
    carom_error err = { 0 };
    size_t size = carom_state_size(the.one.state);
    unsigned char *bytes = calloc(1, size + 1);
    carom_state *to = carom_state_create(the.one.model);
    uint64_t before = carom_state_hash(to);
    CHECK_OK(carom_state_save(the.one.model, the.one.state, bytes, size, &err), err);
    REFUSES(carom_state_restore, NULL, to, bytes, size);
    REFUSES(carom_state_restore, the.one.model, NULL, bytes, size);
    REFUSES(carom_state_restore, the.heavier.model, the.heavier.state, bytes, size);
    REFUSES(carom_state_restore, the.other.model, the.other.state, bytes, size);
    REFUSES(carom_state_restore, the.one.model, to, NULL, size);
    REFUSES(carom_state_restore, the.one.model, to, bytes, 0);
    REFUSES(carom_state_restore, the.one.model, to, bytes, size - 1);
    REFUSES(carom_state_restore, the.one.model, to, bytes, size + 1);
    for (size_t i = 0; i < size; ++i) {
        bytes[i] ^= 0x40;
        REFUSES(carom_state_restore, the.one.model, to, bytes, size);
        bytes[i] ^= 0x40;
    }
    CHECK(carom_state_hash(to) == before);
    CHECK_OK(carom_state_restore(the.one.model, to, bytes, size, &err), err);
    CHECK(carom_state_hash(to) == carom_state_hash(the.one.state));
    carom_state_destroy(to);
    free(bytes);
}

/* ---- steps, observers, signals ------------------------------------------------------------------------------------- */

static void advance(void)
{
    const trio *one = &the.one;
    uint64_t before = carom_state_hash(one->state);
    REFUSES(carom_advance, NULL, one->state, one->scratch, 1.0, 0.0);
    REFUSES(carom_advance, one->model, NULL, one->scratch, 1.0, 0.0);
    REFUSES(carom_advance, one->model, one->state, NULL, 1.0, 0.0);
    REFUSES(carom_advance, one->model, the.other.state, one->scratch, 1.0, 0.0);
    REFUSES(carom_advance, one->model, one->state, the.heavier.scratch, 1.0, 0.0);
    FOR_EACH(x, not_nonnegative)
    {
        REFUSES(carom_advance, one->model, one->state, one->scratch, ITEM(x, not_nonnegative), 0.0);
        REFUSES(carom_advance, one->model, one->state, one->scratch, 1.0, ITEM(x, not_nonnegative));
    }
    CHECK_EQ(carom_advance(one->model, one->state, one->scratch, 0.0, 0.0, NULL), CAROM_OK); /* it is there */
    CHECK(carom_state_hash(one->state) == before);
}

static void create_all(void)
{
    carom_observer *observer = NULL;
    REFUSES(carom_observer_create_all, NULL, &observer);
    REFUSES(carom_observer_create_all, the.one.model, NULL);
    CHECK(observer == NULL);
}

static void observer_name(void)
{
    carom_observer *observer = make_observer(the.one.model);
    CHECK(carom_observer_name(NULL, 0) == NULL);
    CHECK_TEXT(carom_observer_name(observer, 0), "t");
    CHECK(carom_observer_name(observer, 1) == NULL);
    CHECK(carom_observer_name(observer, SIZE_MAX) == NULL);
    carom_observer_destroy(observer);
}

static void set_signal(void)
{
    const trio *one = &the.one;
    uint64_t before = carom_state_hash(one->state);
    static const char *const none[] = { "",
                                        "t",
                                        "energy.kinetic",
                                        "hinge.force",
                                        "hinge.angel",
                                        "ball.orientation.w",
                                        "ball.center.x",
                                        "ground.position.x" };
    REFUSES(carom_set_signal, NULL, one->state, one->scratch, "hinge.angle", 0.1);
    REFUSES(carom_set_signal, one->model, NULL, one->scratch, "hinge.angle", 0.1);
    REFUSES(carom_set_signal, one->model, one->state, NULL, "hinge.angle", 0.1);
    REFUSES(carom_set_signal, one->model, the.heavier.state, one->scratch, "hinge.angle", 0.1);
    REFUSES(carom_set_signal, one->model, one->state, one->scratch, NULL, 0.1);
    REFUSES(carom_set_signal, one->model, one->state, one->scratch, overlong(), 0.1);
    REFUSES(carom_set_signal, one->model, one->state, one->scratch, "hinge.angle", (double)NAN);
    REFUSES(carom_set_signal, one->model, one->state, one->scratch, "ball.position.x", HUGE_VAL);
    FOR_EACH(name, none)
    {
        REFUSES(carom_set_signal, one->model, one->state, one->scratch, ITEM(name, none), 0.1);
    }
    CHECK(carom_state_hash(one->state) == before);
}

/* ---- runs ---------------------------------------------------------------------------------------------------------- */

static void run_ended(void)
{
    CHECK(carom_run_ended(NULL));
}

static void run_summary(void)
{
    carom_run *run = NULL;
    char *text = NULL;
    const carom_run_def def = { .duration = 1e-3 };
    CHECK_EQ(carom_run_create(the.one.model, &def, &run, NULL), CAROM_OK);
    REFUSES(carom_run_summary, NULL, &text);
    REFUSES(carom_run_summary, run, NULL);
    REFUSES(carom_run_summary, run, &text); /* it has not begun */
    CHECK(!carom_run_ended(run) && text == NULL);
    CHECK_EQ(carom_run_advance(run, HUGE_VAL, 0.0, NULL), CAROM_OK);
    CHECK(carom_run_ended(run));
    CHECK_EQ(carom_run_summary(run, &text, NULL), CAROM_OK);
    CHECK(text != NULL && strstr(text, "\"status\": \"done\"") != NULL);
    carom_text_destroy(text);
    carom_run_destroy(run);
}

/* ---- kernels -------------------------------------------------------------------------------------------------------- */

static const double numbers[64] = { 0.1, 0.2, 0.3, 1.0 };

static void sample_many(void)
{
    double out[64];
    REFUSES(carom_sdf_sample_many, NULL, numbers, 2, out, NULL, 1);
    REFUSES(carom_sdf_sample_many, the.field, NULL, 2, out, NULL, 1);
    REFUSES(carom_sdf_sample_many, the.field, numbers, 2, NULL, NULL, 1);
    REFUSES(carom_sdf_sample_many, the.field, numbers, 2, out, NULL, -1);
    REFUSES(carom_sdf_sample_many, the.field, numbers, 2, out, NULL, INT_MAX);
    CHECK_EQ(carom_sdf_sample_many(the.field, NULL, 0, NULL, NULL, 0, NULL), CAROM_OK);
}

static void distances(void)
{
    double out[64];
    REFUSES(carom_point_triangle_distances, NULL, numbers, 2, out, NULL, 1);
    REFUSES(carom_point_triangle_distances, numbers, NULL, 2, out, NULL, 1);
    REFUSES(carom_point_triangle_distances, numbers, numbers, 2, NULL, NULL, 1);
    REFUSES(carom_point_triangle_distances, numbers, numbers, 2, out, NULL, -1);
}

static void edges(void)
{
    double out[64];
    REFUSES(carom_edge_edge_distances, NULL, numbers, 2, out, NULL, 1);
    REFUSES(carom_edge_edge_distances, numbers, NULL, 2, out, NULL, 1);
    REFUSES(carom_edge_edge_distances, numbers, numbers, 2, NULL, NULL, 1);
    REFUSES(carom_edge_edge_distances, numbers, numbers, 2, out, NULL, INT_MAX);
}

static void barriers(void)
{
    double out[64];
    REFUSES(carom_barrier_values, NULL, 2, 1.0, 1.0, out, NULL, NULL);
    REFUSES(carom_barrier_values, numbers, 2, 1.0, 1.0, NULL, NULL, NULL);
    FOR_EACH(x, not_positive)
    {
        REFUSES(carom_barrier_values, numbers, 2, ITEM(x, not_positive), 1.0, out, NULL, NULL);
        REFUSES(carom_barrier_values, numbers, 2, 1.0, ITEM(x, not_positive), out, NULL, NULL);
    }
}

static void create_pair(void)
{
    carom_mesh_pair *pair = NULL;
    REFUSES(carom_mesh_pair_create, NULL, the.mesh, &pair);
    REFUSES(carom_mesh_pair_create, the.mesh, NULL, &pair);
    REFUSES(carom_mesh_pair_create, the.mesh, the.mesh, NULL);
    CHECK(pair == NULL);
}

static void destroy_pair(void)
{
    carom_mesh_pair_destroy(NULL);
}

static void sweep(void)
{
    double parts[1];
    double poses[14] = { [3] = 1.0, [10] = 1.0 };
    const double motions[12] = { 0 };
    const double endless[12] = { [5] = (double)NAN };
    carom_mesh_pair *pair = NULL;
    CHECK_EQ(carom_mesh_pair_create(the.mesh, the.mesh, &pair, NULL), CAROM_OK);
    REFUSES(carom_mesh_pair_sweep, NULL, poses, motions, 1, 1e-3, parts, NULL, 1);
    REFUSES(carom_mesh_pair_sweep, pair, NULL, motions, 1, 1e-3, parts, NULL, 1);
    REFUSES(carom_mesh_pair_sweep, pair, poses, endless, 1, 1e-3, parts, NULL, 1);
    REFUSES(carom_mesh_pair_sweep, pair, poses, motions, 1, 1e-3, NULL, NULL, 1);
    REFUSES(carom_mesh_pair_sweep, pair, poses, motions, 1, 1e-3, parts, NULL, -1);
    FOR_EACH(x, not_positive)
    {
        REFUSES(carom_mesh_pair_sweep, pair, poses, motions, 1, ITEM(x, not_positive), parts, NULL, 1);
    }
    poses[3] = 0.5;
    REFUSES(carom_mesh_pair_sweep, pair, poses, motions, 1, 1e-3, parts, NULL, 1);
    poses[3] = (double)INFINITY;
    REFUSES(carom_mesh_pair_sweep, pair, poses, motions, 1, 1e-3, parts, NULL, 1);
    carom_mesh_pair_destroy(pair);
}

static void impacts(void)
{
    const double W[4] = { 1.0, 0.5, 0.5, 1.0 }, skew[4] = { 1.0, 0.5, 0.4, 1.0 },
                 negative[4] = { -1.0, 0.0, 0.0, 1.0 };
    const double e[2] = { 0.5, 0.5 }, large[2] = { 0.5, 1.5 }, before[2] = { -1.0, 0.0 };
    const double endless[2] = { -1.0, (double)NAN };
    double after[2];
    const carom_impact_problem good = { .contacts = 2, .W = W, .restitution = e };
    carom_impact_problem bad[] = { good, good, good, good, good, good, good, good, good, good };
    bad[0].contacts = 0, bad[1].contacts = INT_MAX, bad[2].slips = 3, bad[3].slips = -1, bad[4].W = NULL;
    bad[5].restitution = NULL, bad[6].W = skew, bad[7].W = negative, bad[8].restitution = large;
    bad[9].rule = (carom_impact_rule)7;
    FOR_EACH(problem, bad)
    {
        REFUSES(carom_impacts, &ITEM(problem, bad), before, 1, after, NULL, NULL, 1);
    }
    REFUSES(carom_impacts, NULL, before, 1, after, NULL, NULL, 1);
    REFUSES(carom_impacts, &good, NULL, 1, after, NULL, NULL, 1);
    REFUSES(carom_impacts, &good, endless, 1, after, NULL, NULL, 1);
    REFUSES(carom_impacts, &good, before, 1, NULL, NULL, NULL, 1);
    REFUSES(carom_impacts, &good, before, 1, after, NULL, NULL, -1);
}

const interface_case interface_batches[] = {
    { "carom_sdf_sample_many", sample_many },
    { "carom_point_triangle_distances", distances },
    { "carom_edge_edge_distances", edges },
    { "carom_barrier_values", barriers },
    { "carom_mesh_pair_create", create_pair },
    { "carom_mesh_pair_destroy", destroy_pair },
    { "carom_mesh_pair_sweep", sweep },
    { "carom_impacts", impacts },
    { "carom_batch_create", create_batch },
    { "carom_batch_destroy", destroy_batch },
    { "carom_batch_count", batch_count },
    { "carom_batch_state", batch_state },
    { "carom_batch_set", batch_set },
    { "carom_batch_advance", batch_advance },
    { "carom_batch_failed", batch_failed },
    { "carom_batch_error", batch_error },
    { "carom_batch_forgive", batch_forgive },
    { "carom_batch_observe", batch_observe },
    { "carom_model_hash", model_hash },
    { "carom_state_size", state_size },
    { "carom_state_save", state_save },
    { "carom_state_restore", state_restore },
    { "carom_advance", advance },
    { "carom_observer_create_all", create_all },
    { "carom_observer_name", observer_name },
    { "carom_set_signal", set_signal },
    { "carom_run_ended", run_ended },
    { "carom_run_summary", run_summary },
    { NULL, NULL },
};
