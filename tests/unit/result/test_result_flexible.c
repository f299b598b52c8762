/* Bodies that deform in result.h5: nodes come back where the motion had them, and what does not fit is refused. The truth is that of
 * probes, which sit on nodes and are recorded in double precision. */
#include "support/failing_heap.h"

#include <float.h>
#include <math.h>

#include "math/vec3.h"
#include "result/result_flexible.h"
#include "result/result_h5.h"
#include "support/small_run.h"

static const char *const folder = "flexible-run";

#define PROBE_SIGNALS(probe)                                                                 \
    "\"" probe ".position.x\", \"" probe ".position.y\", \"" probe ".position.z\", \"" probe \
    ".velocity.x\", \"" probe ".velocity.y\", \"" probe ".velocity.z\""

/* A soft block that spins and vibrates, beside a rigid body. */
static const char modes[] =
    "{\"carom\": 1, \"materials\": {\"rubber\": {\"young\": 2e4, \"poisson\": 0.3, \"density\": 1000}},"
    " \"time\": {\"end\": 0.1, \"integrator\": {\"runge-kutta\": {}}, \"tolerance\": 1e-8}, \"bodies\": ["
    "{\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"position\": [3, 0, 0]},"
    "{\"name\": \"block\", \"material\": \"rubber\", \"position\": [1000, 2, 3], \"velocity\": [1, -2, 0.5],"
    " \"angular_velocity\": [3, 20, 5], \"flexible\": {\"mesh\": {\"block\": {\"size\": [0.3, 0.2, 0.1],"
    " \"divisions\": [3, 2, 2], \"at\": [0.05, 0.02, 0]}}, \"modes\": {\"count\": 8},"
    " \"probes\": [{\"name\": \"corner\", \"at\": [0.2, 0.12, 0.05]}]}}],"
    " \"record\": {\"every\": 0.01, \"signals\": [" PROBE_SIGNALS("block.corner") "]}}";

/* A beam that bending shortens, so that products of its coordinates count; it swings from a hinge. */
static const char shortened[] =
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"materials\": {\"soft\": {\"young\": 1e8, \"poisson\": 0.3,"
    " \"density\": 2000}}, \"time\": {\"end\": 0.5, \"integrator\": \"generalized-alpha\"}, \"bodies\": ["
    "{\"name\": \"block\", \"material\": \"soft\", \"flexible\": {\"mesh\": {\"beam\": {\"length\": 1,"
    " \"count\": 10, \"at\": [0.5, 0, 0]}}, \"section\": {\"round\": 0.01}, \"stiffening\": true,"
    " \"attachments\": [{\"name\": \"left\", \"nodes\": {\"group\": \"x_min\"}}], \"frame\": \"attachment\","
    " \"modes\": {\"count\": 3}, \"probes\": [{\"name\": \"corner\", \"at\": [1, 0, 0]}]}}],"
    " \"joints\": [{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"block\"],"
    " \"axis\": [0, 0, 1]}], \"record\": {\"every\": 0.05, \"signals\": [" PROBE_SIGNALS("block.corner") "]}}";

/* Two blocks in nodal coordinates, one of which turns and strikes the other. */
static const char nodes[] =
    "{\"carom\": 1, \"materials\": {\"soft\": {\"young\": 1e7, \"poisson\": 0.3, \"density\": 1000}},"
    " \"time\": {\"end\": 2e-3}, \"contact\": {\"method\": \"constraint\"}, \"bodies\": ["
    "{\"name\": \"lower\", \"material\": \"soft\", \"flexible\": {\"as\": \"nodes\", \"mesh\": {\"block\": {"
    "\"size\": [0.08, 0.08, 0.05], \"divisions\": [3, 3, 2]}}}},"
    "{\"name\": \"block\", \"material\": \"soft\", \"position\": [0.004, 0.003, 0.051], \"velocity\": [1, 0, -5],"
    " \"angular_velocity\": [30, 20, 10], \"flexible\": {\"as\": \"nodes\", \"mesh\": {\"block\": {"
    "\"size\": [0.05, 0.05, 0.05], \"divisions\": [3, 3, 3]}},"
    " \"probes\": [{\"name\": \"corner\", \"at\": [0.025, 0.025, -0.025]}]}}],"
    " \"record\": {\"every\": 2e-4, \"signals\": [" PROBE_SIGNALS("block.corner") "]}}";

/* A plate in its plane and a rod: their nodes move along two axes and along one. */
static const char plane[] =
    "{\"carom\": 1, \"gravity\": [0, 0, 0], \"materials\": {\"soft\": {\"young\": 1e7, \"poisson\": 0.3, \"density\": 1000}},"
    " \"time\": {\"end\": 2e-3}, \"contact\": {\"method\": \"constraint\"}, \"bodies\": ["
    "{\"name\": \"rod\", \"material\": \"soft\", \"position\": [0, 1, 0], \"flexible\": {\"as\": \"nodes\", \"mesh\": "
    "{\"bar\": {\"length\": 0.1, \"count\": 12}}, \"section\": {\"round\": 0.01}}},"
    "{\"name\": \"block\", \"material\": \"soft\", \"velocity\": [1, 2, 0], \"angular_velocity\": [0, 0, 400],"
    " \"flexible\": {\"as\": \"nodes\", \"thickness\": 0.01, \"mesh\": {\"strip\": {\"length\": 0.08, \"height\": 0.04, "
    "\"divisions\": [4, 2]}}, \"probes\": [{\"name\": \"corner\", \"at\": [0.04, 0.02, 0]}]}}],"
    " \"record\": {\"every\": 2e-4, \"signals\": [" PROBE_SIGNALS("block.corner") "]}}";

static const char rod[] =
    "{\"carom\": 1, \"gravity\": [0, 0, 0], \"materials\": {\"soft\": {\"young\": 1e7, \"poisson\": 0.3, \"density\": 1000}},"
    " \"time\": {\"end\": 2e-3}, \"contact\": {\"method\": \"constraint\"}, \"bodies\": ["
    "{\"name\": \"other\", \"material\": \"soft\", \"position\": [0.101, 0, 0], \"flexible\": {\"as\": \"nodes\", \"mesh\": "
    "{\"bar\": {\"length\": 0.1, \"count\": 10}}, \"section\": {\"round\": 0.01}}},"
    "{\"name\": \"block\", \"material\": \"soft\", \"velocity\": [5, 0, 0], \"flexible\": {\"as\": \"nodes\", \"mesh\": "
    "{\"bar\": {\"length\": 0.1, \"count\": 12}}, \"section\": {\"round\": 0.01}, \"probes\": [{\"name\": \"corner\", "
    "\"at\": [0.05, 0, 0]}]}}], \"record\": {\"every\": 2e-4, \"signals\": [" PROBE_SIGNALS("block.corner") "]}}";

static carom_id find_body(const carom_result *r, const char *name)
{
    carom_id body = 1;
    while (strcmp(carom_result_body_name(r, body), name) != 0) {
        ++body;
    }
    return body;
}

static v3 signals_at(const carom_result *r, size_t first, size_t frame)
{
    return v3_make(carom_result_signal(r, first)[frame], carom_result_signal(r, first + 1)[frame],
                   carom_result_signal(r, first + 2)[frame]);
}

static size_t nearest(const carom_v3 *p, size_t count, v3 to)
{
    size_t best = 0;
    for (size_t i = 1; i < count; ++i) {
        best = v3_norm(v3_sub(p[i], to)) < v3_norm(v3_sub(p[best], to)) ? i : best;
    }
    return best;
}

/* The largest displacement of a node against its frame; rates likewise. */
static double largest(const double *u, size_t count)
{
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        most = fmax(most, v3_norm(v3_load(u + 3 * i)));
    }
    return most;
}

/* All frames of "block" against its probe. Displacements are rounded to 2^-24 of what they are sums of, which is a few times more than
 * they are: 16 times are allowed. Positions far from the origin are rounded by themselves. */
static void follows_its_probe(const char *scene, double least)
{
    small_run(scene, folder);
    carom_result *r = small_open(folder);
    carom_error err = { 0 };
    carom_id body = find_body(r, "block");
    size_t count = carom_result_node_count(r, body);
    CHECK(count > 8);
    carom_v3 *p = calloc(2 * count, sizeof *p);
    double *u = calloc(6 * count, sizeof *u);
    const double rounding = 16.0 / 16777216.0;
    double most = 0.0;
    size_t node = 0;
    for (size_t k = 0; k < carom_result_frame_count(r); ++k) {
        CHECK_OK(carom_result_nodes(r, body, k, p, p + count, &err), err);
        CHECK_OK(result_flexible_displacements(r, body, k, u, u + 3 * count, &err), err);
        v3 at = signals_at(r, 0, k), v = signals_at(r, 3, k);
        node = k == 0 ? nearest(p, count, at) : node;
        double moved = largest(u, count), fast = largest(u + 3 * count, count);
        CHECK(v3_norm(v3_sub(p[node], at)) <= rounding * moved + 8.0 * DBL_EPSILON * (1.0 + v3_norm(at)));
        CHECK(v3_norm(v3_sub(p[count + node], v)) <= rounding * fast + 64.0 * DBL_EPSILON * (1.0 + v3_norm(v)));
        most = fmax(most, moved);
    }
    CHECK(most > least); /* there was something to see */
    free(p);
    free(u);
    carom_result_close(r);
    small_remove(folder);
}

TEST(flexible, modes_follow_their_probe)
{
    follows_its_probe(modes, 1e-3);
}

TEST(flexible, products_of_coordinates_count)
{
    follows_its_probe(shortened, 1e-2);
}

TEST(flexible, nodes_follow_their_probe)
{
    follows_its_probe(nodes, 1e-4);
}

TEST(flexible, nodes_in_a_plane_follow_their_probe)
{
    follows_its_probe(plane, 1e-4);
}

TEST(flexible, nodes_of_a_rod_follow_their_probe)
{
    follows_its_probe(rod, 1e-4);
}

TEST(flexible, bodies_that_do_not_deform_have_no_nodes)
{
    small_run(modes, folder);
    carom_result *r = small_open(folder);
    carom_error err = { 0 };
    carom_v3 p[64];
    carom_id block = find_body(r, "block");
    CHECK_EQ(carom_result_node_count(r, find_body(r, "ball")), 0);
    CHECK_EQ(carom_result_node_count(r, CAROM_GROUND), 0);
    CHECK_EQ(carom_result_node_count(NULL, 1), 0);
    CHECK_EQ(carom_result_node_count(r, block), 4 * 3 * 3);
    CHECK_EQ(carom_result_nodes(r, find_body(r, "ball"), 0, p, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "does not deform");
    CHECK_EQ(carom_result_nodes(r, 77, 0, p, NULL, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "no body 77");
    CHECK_EQ(carom_result_nodes(r, block, 1000, p, NULL, &err), CAROM_BAD_INPUT);
    CHECK_EQ(carom_result_nodes(r, block, 0, NULL, NULL, &err), CAROM_BAD_INPUT);
    CHECK_OK(carom_result_nodes(r, block, 0, p, NULL, &err), err);
    carom_result_close(r);
    small_remove(folder);
}

/* ---- damage ------------------------------------------------------------------------------------------------------------- */

static void spoil(const char *path, hsize_t row, hsize_t column, double value)
{
    char name[64];
    hsize_t at[2] = { row, column }, one[2] = { 1, 1 }, dims[3] = { 0 };
    snprintf(name, sizeof name, "%s/result.h5", folder);
    hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = h5_open_dataset(file, path);
    hid_t space = H5Dget_space(set);
    hid_t memory = H5Screate_simple(1, one, NULL);
    CHECK(h5_dims(set, dims) >= 1 && row < dims[0]);
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, one, NULL) >= 0);
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* Opens the result and looks at all nodes of a frame. */
static carom_status look(const char *body, carom_error *err)
{
    carom_result *r = NULL;
    carom_v3 p[256];
    carom_status status = carom_result_open(folder, &r, err);
    if (status == CAROM_OK) {
        status = carom_result_nodes(r, find_body(r, body), 1, p, NULL, err);
    }
    carom_result_close(r);
    return status;
}

static void refused(void)
{
    carom_error err = { 0 };
    CHECK_EQ(look("block", &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "damaged");
    CHECK_CONTAINS(err.message, "flexible");
}

TEST(flexible, numbers_that_do_not_fit_are_refused)
{
    static const struct {
        const char *path;
        hsize_t row, column;
        double value;
    } wrong[] = {
        { "flexible/body", 0, 0, 2.0 },           { "flexible/body", 0, 0, -1.0 },
        { "flexible/first_node", 0, 0, 1.0 },     { "flexible/first_node", 1, 0, 35.0 },
        { "flexible/first_node", 1, 0, 1e9 },     { "flexible/first_node", 1, 0, -1.0 },
        { "flexible/first_node", 1, 0, NAN },     { "flexible/first_cell", 1, 0, 13.0 },
        { "flexible/first_cell", 1, 0, 11.5 },    { "flexible/first_coordinate", 1, 0, 9.0 },
        { "flexible/first_coordinate", 1, 0, 0 }, { "flexible/first_shape", 1, 0, 5.0 },
        { "flexible/first_shape", 1, 0, 2e9 },    { "flexible/first_moved", 1, 0, 36.0 },
        { "flexible/first_moved", 1, 0, 1.0 },    { "flexible/cell", 3, 0, 77.0 },
        { "flexible/cell", 3, 0, -1.0 },          { "flexible/cell", 3, 8, 36.0 },
        { "flexible/cell", 3, 8, -1.0 },          { "flexible/cell", 3, 9, 0.0 },
        { "flexible/shape", 2, 0, 8.0 },          { "flexible/shape", 2, 0, -1.0 },
        { "flexible/shape", 2, 1, 8.0 },          { "flexible/shape", 2, 1, -2.0 },
        { "flexible/first_turn", 1, 0, 7.0 },     { "flexible/moved_every", 0, 0, 0.0 },
        { "flexible/moved_every", 0, 0, 1.5 },    { "flexible/moved_every", 0, 0, NAN },
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        small_run(modes, folder);
        spoil(wrong[i].path, wrong[i].row, wrong[i].column, wrong[i].value);
        refused();
    }
    small_remove(folder);
}

static void lose(const char *path)
{
    char name[64];
    snprintf(name, sizeof name, "%s/result.h5", folder);
    hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
    H5Fclose(file);
}

TEST(flexible, tables_that_are_missing_are_refused)
{
    static const char *const paths[] = {
        "flexible/body",
        "flexible/thickness",
        "flexible/section",
        "flexible/first_turn",
        "flexible/turn",
        "flexible/moved_every",
        "flexible/kind",
        "flexible/plane",
        "flexible/young",
        "flexible/poisson",
        "flexible/first_node",
        "flexible/first_cell",
        "flexible/first_coordinate",
        "flexible/first_shape",
        "flexible/first_moved",
        "flexible/node",
        "flexible/cell",
        "flexible/element",
        "flexible/shape",
        "flexible/basis",
        "flexible/displacement",
        "flexible/displacement_rate",
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        small_run(nodes, folder);
        lose(paths[i]);
        refused();
    }
    small_remove(folder);
}

/* A carom that did not keep them yet. */
TEST(flexible, files_without_them_can_be_read)
{
    small_run(nodes, folder);
    lose("flexible");
    carom_error err = { 0 };
    CHECK_EQ(look("block", &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "does not deform");
    small_remove(folder);
}

/* Every third frame holds nodes: there they are those of a run that records all, in between the mean in the frame of the body,
 * behind the last one they stay. Frames lie at ends of steps and differ in time by rounding of the grid, not more. */
TEST(flexible, fields_of_some_frames_are_interpolated)
{
    enum { MOST = 128 };
    static const char *const thin = "flexible-thin";
    char *at = strstr(nodes, "\"record\": {"), scene[4000];
    snprintf(scene, sizeof scene, "%.*s\"record\": {\"fields_every\": 6e-4, %s", (int)(at - nodes), nodes,
             at + strlen("\"record\": {"));
    small_run(nodes, folder);
    small_run(scene, thin);
    carom_result *all = small_open(folder), *some = small_open(thin);
    carom_error err = { 0 };
    carom_id body = find_body(all, "block");
    size_t count = carom_result_node_count(all, body), frames = carom_result_frame_count(all);
    const double *t = carom_result_time(all);
    double u[3 * MOST], v[3 * MOST], a[3 * MOST], b[3 * MOST];
    CHECK(count <= MOST);
    CHECK_EQ(frames, carom_result_frame_count(some));
    CHECK_EQ(carom_result_nodes_every(all, body), 1);
    CHECK_EQ(carom_result_nodes_every(some, body), 3);
    CHECK_EQ(carom_result_nodes_every(some, CAROM_GROUND), 0);
    for (size_t k = 0; k < frames; ++k) {
        size_t before = k / 3 * 3, after = before + 3 < frames ? before + 3 : before;
        double share = after > before ? (t[k] - t[before]) / (t[after] - t[before]) : 0.0;
        CHECK_OK(result_flexible_displacements(some, body, k, u, v, &err), err);
        for (int rate = 0; rate < 2; ++rate) {
            CHECK_OK(result_flexible_displacements(all, body, before, rate ? b : a, rate ? a : b, &err), err);
            double first[3 * MOST];
            memcpy(first, a, sizeof first);
            CHECK_OK(result_flexible_displacements(all, body, after, rate ? b : a, rate ? a : b, &err), err);
            for (size_t i = 0; i < 3 * count; ++i) {
                double truth = first[i] + share * (a[i] - first[i]);
                CHECK_NEAR((rate ? v : u)[i], truth, 1e-12 * (fabs(first[i]) + fabs(a[i])));
            }
        }
    }
    carom_result_close(all);
    carom_result_close(some);
    small_remove(folder);
    small_remove(thin);
}

static void reading_may_fail(const char *scene)
{
    small_run(scene, folder);
    carom_status status = CAROM_NO_MEMORY;
    carom_v3 p[256];
    for (long n = 1; status != CAROM_OK; ++n) {
        carom_error err = { 0 };
        carom_result *r = NULL;
        heap_begin(n);
        status = carom_result_open(folder, &r, &err);
        status = status == CAROM_OK ? carom_result_nodes(r, find_body(r, "block"), 1, p, p + 128, &err) : status;
        carom_result_close(r);
        bool failed = heap_end();
        CHECK_EQ(status, failed ? CAROM_NO_MEMORY : CAROM_OK);
        CHECK_CONTAINS(failed ? err.message : "memory", "memory");
        CHECK_EQ(heap.live, 0);
    }
    small_remove(folder);
}

TEST(flexible, every_allocation_of_reading_may_fail)
{
    reading_may_fail(modes);
    reading_may_fail(nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(flexible, modes_follow_their_probe),
        RUN_TEST(flexible, products_of_coordinates_count),
        RUN_TEST(flexible, nodes_follow_their_probe),
        RUN_TEST(flexible, nodes_in_a_plane_follow_their_probe),
        RUN_TEST(flexible, nodes_of_a_rod_follow_their_probe),
        RUN_TEST(flexible, bodies_that_do_not_deform_have_no_nodes),
        RUN_TEST(flexible, numbers_that_do_not_fit_are_refused),
        RUN_TEST(flexible, tables_that_are_missing_are_refused),
        RUN_TEST(flexible, files_without_them_can_be_read),
        RUN_TEST(flexible, fields_of_some_frames_are_interpolated),
        RUN_TEST(flexible, every_allocation_of_reading_may_fail),
    };
    return cmocka_run_group_tests_name("flexible", tests, NULL, NULL);
}
