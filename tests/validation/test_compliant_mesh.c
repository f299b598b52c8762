/* Impacts of meshed spheres, whose distance fields are stored on grids: the Hertz impact on the points of a flat plate,
 * closed form; two meshed spheres that meet, momentum and energy. The meshes are made here: an octahedron whose faces
 * are divided in four again and again, every vertex pushed onto the sphere, one of them on each axis. */
#include "support/contact_scene.h"
#include "support/scene_file.h"

#include <unistd.h>

static const double RADIUS = 0.01; /* [m] */

/* ---- a mesh in a file ----------------------------------------------------------------------------------------------- */

enum { LEVEL = 5 };

/* The point (i, j) of a face with corners +-x, +-y, +-z divided in n along each edge, pushed onto the sphere. */
static v3 point_of_face(int octant, int i, int j, int n)
{
    double a = (double)i / n;
    double b = (double)j / n;
    v3 p = { octant & 1 ? -a : a, octant & 2 ? -b : b, octant & 4 ? -(1.0 - a - b) : 1.0 - a - b };
    return v3_scale(RADIUS / v3_norm(p), p);
}

/* Outside stays outside: an odd number of mirrored axes turns triangles round. */
static void write_triangle(FILE *f, int octant, const v3 corner[3])
{
    bool mirrored = ((octant & 1) + (octant >> 1 & 1) + (octant >> 2 & 1)) % 2 == 1;
    for (int k = 0; k < 3; ++k) {
        v3 p = corner[mirrored ? 2 - k : k];
        fprintf(f, "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
    }
    fprintf(f, "f -3 -2 -1\n"); /* readers join equal vertices */
}

static void write_sphere(const char *path)
{
    const int n = 1 << LEVEL;
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    for (int octant = 0; octant < 8; ++octant) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; i + j < n; ++j) {
                v3 lower[3] = { point_of_face(octant, i, j, n), point_of_face(octant, i + 1, j, n),
                                point_of_face(octant, i, j + 1, n) };
                write_triangle(f, octant, lower);
                if (i + j < n - 1) {
                    v3 upper[3] = { point_of_face(octant, i + 1, j, n), point_of_face(octant, i + 1, j + 1, n),
                                    point_of_face(octant, i, j + 1, n) };
                    write_triangle(f, octant, upper);
                }
            }
        }
    }
    CHECK_EQ(fclose(f), 0);
}

typedef struct mesh_folder {
    char folder[32];
    char path[64];
    char shape[160];
} mesh_folder;

static mesh_folder make_sphere(void)
{
    mesh_folder m = { .folder = "/tmp/carom-test-XXXXXX" };
    CHECK(mkdtemp(m.folder) != NULL);
    snprintf(m.path, sizeof m.path, "%s/sphere.obj", m.folder);
    snprintf(m.shape, sizeof m.shape, "{\"mesh\": \"%s\"}", m.path);
    write_sphere(m.path);
    return m;
}

static void remove_sphere(const mesh_folder *m)
{
    CHECK_EQ(remove(m->path), 0);
    CHECK_EQ(rmdir(m->folder), 0);
}

/* ---- the Hertz impact of a sphere on a half-space ---------------------------------------------------------------------- */

/* Steel, R = 10 mm, 1 m/s, of the mass of the true sphere. One point of the plate, in the middle of its face, meets the
 * sphere: its neighbours are farther away than the contact is wide. */
TEST(mesh, hertz_impact_on_the_points_of_a_plate)
{
    const double end = 1.5e-4;
    mesh_folder m = make_sphere();
    contact_scene c = { .contact = "{\"method\": \"compliant\", \"cache\": false, \"law\": {\"hertz\": {\"young\":"
                                   " [210e9, 210e9], \"poisson\": [0.3, 0.3], \"radius\": [0.01, 0]}},"
                                   " \"pairs\": [{\"between\": [\"plate\", \"ball\"], \"points\": \"first\"}]}",
                        .time = "\"end\": 1.5e-4, \"preset\": \"accurate\", \"step\": 2e-7, \"tolerance\": 1e-8",
                        .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "plate",
                                .shape = "{\"box\": [0.02, 0.02, 0.02], \"spacing\": 0.01}",
                                .more = "\"fixed\": true,",
                                .position = { 0, 0, -0.01 } };
    c.bodies[1] = (scene_body){ .name = "ball",
                                .shape = m.shape,
                                .more = "\"mass\": 0.03288200311, \"inertia\": [1.315e-6, 1.315e-6, 1.315e-6],",
                                .position = { 0, 0, 0.01002 },
                                .velocity = { 0, 0, -1.0 } };
    sim s = scene_start(&c, 1);
    double depth = 0.0;
    double force = 0.0;
    double time = 0.0;
    while (sim_before(&s, end)) {
        double before = sim_time(&s);
        sim_step(&s, end);
        double now = sim_signal(&s, "contact.penetration");
        depth = fmax(depth, now);
        force = fmax(force, fabs(sim_signal(&s, "ball.contact.force.z")));
        time += now > 0.0 ? sim_time(&s) - before : 0.0;
        CHECK_LE(sim_signal(&s, "contact.count"), 1.0);
    }
    table_head("Hertz impact of a meshed sphere, field on a grid");
    double worst = table_row("depth [m]", depth, 23.48078729e-6) / 23.48078729e-6;
    worst = fmax(worst, table_row("force [N]", force, 1750.47384) / 1750.47384);
    worst = fmax(worst, table_row("time [s]", time, 69.11041853e-6) / 69.11041853e-6);
    table_mark("worst, relative", worst, 0.02);
    table_cost(&s, 0.0);
    CHECK_LE(worst, 0.02);
    CHECK_NEAR(sim_signal(&s, "ball.velocity.z"), 1.0, 1e-2); /* a cell beside the pole leans by spacing / radius */
    CHECK_LE(fabs(sim_ledger(&s).residue), 1e-3 * 0.5 * 0.03288200311);
    sim_end(&s);
    remove_sphere(&m);
}

/* ---- two meshed spheres ---------------------------------------------------------------------------------------------------- */

/* Off their line of centres, without friction: momenta to rounding and to the order of rotations; elastic forces of
 * interpolated fields give back what they took. */
TEST(mesh, two_spheres_keep_momenta_and_energy)
{
    const double end = 0.02;
    mesh_folder m = make_sphere();
    contact_scene c = { .contact = "{\"method\": \"compliant\", \"cache\": false, \"law\": {\"hertz\": {\"k\": 1e7,"
                                   " \"n\": 1.5}}}",
                        .time = "\"end\": 0.02, \"integrator\": \"runge-kutta\", \"tolerance\": 1e-7",
                        .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "a", .shape = m.shape, .more = "\"density\": 7850,", .spin = { 20, -10, 5 } };
    c.bodies[1] = (scene_body){ .name = "b",
                                .shape = m.shape,
                                .more = "\"density\": 7850,",
                                .position = { 0.0202, 0.006, 0.003 },
                                .orientation = q_axis_angle(v3_unit(v3_make(1, 2, 3)), 0.7),
                                .velocity = { -1, 0, 0 },
                                .spin = { 0, 30, 0 } };
    sim s = scene_start(&c, 1);
    carom_ledger first = sim_ledger(&s);
    double residue = 0.0;
    int touching = 0;
    while (sim_before(&s, end)) {
        carom_step_report report = { 0 };
        carom_error err = { 0 };
        CHECK_OK(carom_step(s.model, s.state, s.scratch, end - sim_time(&s), &report, &err), err);
        touching += report.contacts > 0;
        residue = fmax(residue, fabs(sim_ledger(&s).residue));
    }
    carom_ledger last = sim_ledger(&s);
    double mass = s.model ? carom_model_body(s.model, sim_body(&s, "b")).mass : 0.0;
    double linear = sim_norm(sim_difference(last.momentum, first.momentum)) / mass;
    double angular = sim_norm(sim_difference(last.angular_momentum, first.angular_momentum)) / (mass * RADIUS);
    double change = sim_norm(sim_difference(carom_state_velocity(s.model, s.state, sim_body(&s, "a")),
                                            (carom_v3){ 0 }));
    printf("\ntwo meshed spheres: %d steps in touch, the one at rest leaves at %.4f m/s\n", touching, change);
    table_mark("momentum [m/s of one sphere]", linear, 1e-12);
    table_mark("angular momentum, relative", angular, 1e-8);
    table_mark("energy, relative", residue / first.kinetic, 1e-3);
    CHECK_GE((double)touching, 3.0);
    CHECK_GE(change, 0.3);
    CHECK(last.elastic == 0.0);
    CHECK_LE(linear, 1e-12);
    CHECK_LE(angular, 1e-8);
    CHECK_LE(residue, 1e-3 * first.kinetic);
    sim_end(&s);
    remove_sphere(&m);
}

/* ---- coarse meshes and large balls -------------------------------------------------------------------------------- */

/* Where a body comes to rest on a block, [m] above its middle; the block is a mesh or the exact shape. */
static double rest_height(const char *block, const char *body, const char *turn)
{
    char text[1024];
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1.5},"
             "  \"contact\": {\"method\": \"compliant\", \"cache\": false, \"resolution\": 64, \"restitution\": 0.2,"
             "      \"law\": {\"hunt-crossley\": {\"k\": 1e8, \"n\": 1.5}}, \"friction\": {\"coulomb\": {}}},"
             "  \"bodies\": [{\"name\": \"block\", \"fixed\": true, \"shape\": %s},"
             "    {\"name\": \"body\", \"shape\": %s, \"mass\": 2, \"position\": [0.02, 0.01, 0.35]%s}] }",
             block, body, turn);
    sim s = sim_parse(text, NULL);
    sim_advance(&s, 1.5);
    double z = sim_position(&s, "body").z;
    sim_end(&s);
    return z;
}

/* The centre of a large ball is beyond the nodes that a field keeps around its surface. */
TEST(meshes, balls_larger_than_the_band_rest_where_they_should)
{
    double exact = rest_height("{\"box\": [1, 1, 0.2]}", "{\"sphere\": 0.2}", "");
    double meshed = rest_height("{\"make\": {\"type\": \"box\", \"size\": [1, 1, 0.2]}}", "{\"sphere\": 0.2}", "");
    table_head("rest of a ball on a block");
    CHECK_LE(table_row("height [m]", meshed, exact), 1e-6);
}

/* Two bars of twelve triangles each, crossed: no corner of one is near the other. */
TEST(meshes, crossed_bars_hold_each_other)
{
    const char *bar = "{\"make\": {\"type\": \"box\", \"size\": [1, 0.1, 0.1]}}";
    double z = rest_height(bar, bar, ", \"orientation\": {\"axis\": [0, 0, 1], \"angle\": \"pi/2\"}");
    table_head("two crossed bars");
    CHECK_LE(table_row("height [m]", z, 0.1), 8e-3); /* half a cell: fields are rounded at edges */
}

/* Error control looks at every body: a heavy one far away must not hide a small impact. */
TEST(accuracy, is_kept_beside_a_heavy_body)
{
    sim s = sim_parse(scene_text("compliant_mesh/is_kept_beside_a_heavy_body.json"), NULL);
    sim_advance(&s, 0.05);
    table_head("a small impact beside a heavy body");
    CHECK_LE(table_row("speed after [m/s]", sim_signal(&s, "ball.velocity.z"), 1.0), 1e-3);
    sim_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mesh, hertz_impact_on_the_points_of_a_plate),
        RUN_TEST(mesh, two_spheres_keep_momenta_and_energy),
        RUN_TEST(meshes, balls_larger_than_the_band_rest_where_they_should),
        RUN_TEST(meshes, crossed_bars_hold_each_other),
        RUN_TEST(accuracy, is_kept_beside_a_heavy_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
