/* Scenes nobody should make and somebody will: overlaps, coincident bodies, absurd speeds and masses, bodies without
 * shapes, open meshes. A step either succeeds with finite numbers or says what is wrong; energy is never made up. */
#include "support/contact_scene.h"
#include "support/scene_file.h"

#include <unistd.h>

#include "model/state.h"

static const char *const stiff = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e8, \"n\": 1.5}},"
                                 " \"friction\": {\"coulomb\": {}}}";
static const char *const hysteretic =
    "{\"method\": \"compliant\", \"law\": {\"hunt-crossley\": {\"k\": 1e8, \"n\": 1.5}},"
    " \"restitution\": 0.5, \"friction\": {\"lugre\": {}}}";
static const char *const times[] = { "\"end\": 0.1, \"integrator\": \"runge-kutta\"",
                                     "\"end\": 0.1, \"integrator\": \"generalized-alpha\"",
                                     "\"end\": 0.1, \"integrator\": \"semi-implicit-euler\", \"step\": 1e-4" };
enum { TIMES = 3 };

static bool state_finite(const sim *s)
{
    for (size_t k = 0; k < s->state->size; ++k) {
        if (!isfinite(s->state->data[k])) {
            return false;
        }
    }
    return true;
}

typedef struct outcome {
    carom_status status;
    int steps;
    double gained; /* [J] most the ledger could not explain */
    double energy; /* [J] of all kinds at the start */
    carom_error err;
} outcome;

/* So many steps, or until one is refused. */
static outcome run(const contact_scene *c, int steps)
{
    outcome out = { 0 };
    sim s = scene_start(c, 1);
    CHECK(state_finite(&s));
    carom_ledger first = sim_ledger(&s);
    out.energy = first.kinetic + first.elastic;
    while (out.status == CAROM_OK && out.steps < steps && sim_before(&s, 0.1)) {
        uint64_t before = carom_state_hash(s.state);
        out.status = carom_step(s.model, s.state, s.scratch, 0.1 - sim_time(&s), NULL, &out.err);
        CHECK(state_finite(&s));
        if (out.status != CAROM_OK) {
            CHECK(carom_state_hash(s.state) == before);
            CHECK(out.err.message[0]);
            break;
        }
        out.steps++;
        out.gained = fmax(out.gained, sim_ledger(&s).residue);
    }
    sim_end(&s);
    return out;
}

static void show(const char *what, const outcome *o)
{
    printf("  %-34s %-14s %5d steps, %.1e of %.1e J made up%s%s\n", what, carom_status_name(o->status), o->steps,
           o->gained, o->energy, o->status == CAROM_OK ? "" : ": ", o->status == CAROM_OK ? "" : o->err.message);
}

/* With adaptive integrators no energy is made up, but for a thousandth of what there is. */
static void check_copes(const char *what, contact_scene *c, int steps, bool must_succeed)
{
    for (int k = 0; k < TIMES; ++k) {
        c->time = times[k];
        outcome o = run(c, steps);
        show(what, &o);
        CHECK(o.status == CAROM_OK || !must_succeed);
        CHECK(o.status == CAROM_OK || o.status == CAROM_NOT_CONVERGED);
        if (k < 2) {
            CHECK_LE(o.gained, 1e-3 * o.energy + 1e-12);
        }
    }
}

static contact_scene pair(const char *contact, const char *shape_a, const char *shape_b, v3 offset, v3 velocity)
{
    contact_scene c = { .contact = contact, .time = times[0], .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "a", .shape = shape_a, .more = "\"mass\": 1," };
    c.bodies[1] = (scene_body){ .name = "b", .shape = shape_b, .more = "\"mass\": 1,", .position = offset };
    c.bodies[1].velocity = velocity;
    return c;
}

static const char *const shapes[] = { "{\"sphere\": 0.05}", "{\"box\": [0.1, 0.1, 0.1]}",
                                      "{\"capsule\": {\"radius\": 0.03, \"length\": 0.08}}",
                                      "{\"cylinder\": {\"radius\": 0.04, \"length\": 0.08}}",
                                      "{\"cone\": {\"radius\": 0.05, \"height\": 0.1}}" };

TEST(overlap, bodies_at_the_same_place)
{
    for (int k = 0; k < 5; ++k) {
        contact_scene c = pair(stiff, shapes[k], shapes[k], v3_zero(), v3_zero());
        check_copes("coincident, elastic", &c, 300, true);
        c.contact = hysteretic;
        check_copes("coincident, hysteretic", &c, 300, true);
    }
}

/* Where two faces are equally near the force jumps from one to the other: steps may shrink to nothing there. */
TEST(overlap, one_deep_inside_the_other)
{
    static const char *const large = "{\"box\": [0.3, 0.3, 0.3]}";
    for (int k = 0; k < 5; ++k) {
        contact_scene c = pair(stiff, large, shapes[k], v3_make(0.01, 0.02, 0.03), v3_zero());
        check_copes("deep inside, elastic", &c, 300, false);
        c.contact = hysteretic;
        check_copes("deep inside, hysteretic", &c, 300, false);
    }
}

TEST(overlap, at_rest_and_just_touching)
{
    contact_scene c = pair(hysteretic, shapes[0], shapes[0], v3_make(0.1, 0.0, 0.0), v3_zero());
    check_copes("touching at rest", &c, 300, true);
    c = pair(hysteretic, shapes[1], shapes[1], v3_make(0.1, 0.0, 0.0), v3_zero());
    check_copes("faces touching at rest", &c, 300, true);
}

TEST(numbers, absurd_speeds)
{
    for (int k = 0; k < 2; ++k) {
        contact_scene c = pair(k ? hysteretic : stiff, shapes[0], shapes[1], v3_make(1.0, 0.01, 0.0),
                               v3_make(-1e6, 0, 0));
        check_copes("1e6 m/s", &c, 2000, false);
    }
}

TEST(numbers, absurd_masses)
{
    static const char *const masses[] = { "\"mass\": 1e-9, \"inertia\": [1e-12, 1e-12, 1e-12],", "\"mass\": 1e12," };
    for (int k = 0; k < 2; ++k) {
        contact_scene c = pair(stiff, shapes[0], shapes[1], v3_make(0.11, 0.01, 0.0), v3_make(-1.0, 0, 0));
        c.bodies[1].more = masses[k];
        check_copes(k ? "1e12 kg" : "1e-9 kg", &c, 1000, true);
    }
}

/* ---- no shapes, planes, meshes ------------------------------------------------------------------------------------------- */

TEST(shapes, none_at_all_or_infinite_ones)
{
    carom_error err = { 0 };
    const char *bare = scene_text("broken_use/none_at_all_or_infinite_ones.json");
    sim s = sim_parse(bare, NULL);
    sim_advance(&s, 0.1);
    CHECK_NEAR(sim_position(&s, "a").x, 0.1, 1e-12);
    CHECK(sim_signal(&s, "contact.count") == 0.0);
    sim_end(&s);
    const char *planes = scene_text("broken_use/none_at_all_or_infinite_ones_2.json");
    s = sim_parse(planes, NULL);
    sim_advance(&s, 0.1);
    CHECK_NEAR(sim_position(&s, "a").z, -0.1, 1e-12); /* a body without shape passes through */
    sim_end(&s);
    contact_scene c = pair(stiff, "{\"plane\": [0, 0, 1]}", shapes[0], v3_zero(), v3_zero());
    carom_model *model = NULL;
    CHECK_EQ(scene_compile(&c, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "infinite");
}

/* A sheet of two triangles: it has no inside, so that nothing can be deep in it. */
TEST(shapes, an_open_mesh)
{
    char folder[] = "/tmp/carom-test-XXXXXX";
    char path[64];
    char shape[128];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/sheet.obj", folder);
    snprintf(shape, sizeof shape, "{\"mesh\": \"%s\"}", path);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    fputs("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n", f);
    fclose(f);
    static const char *const no_cache = "{\"method\": \"compliant\", \"law\": {\"hertz\": {\"k\": 1e6, \"n\": 1.5}},"
                                        " \"cache\": false, \"resolution\": 32}";
    contact_scene c = pair(no_cache, shape, shapes[0], v3_make(0.1, 0.2, 0.1), v3_make(0, 0, -1.0));
    c.bodies[0].more = "\"fixed\": true,";
    carom_model *model = NULL;
    carom_error err = { 0 };
    carom_status status = scene_compile(&c, &model, &err);
    printf("  an open mesh: %s %s\n", carom_status_name(status), err.message);
    CHECK(status == CAROM_OK || err.message[0]);
    carom_model_destroy(model);
    for (int k = 0; status == CAROM_OK && k < TIMES; ++k) {
        c.time = times[k];
        outcome o = run(&c, 1000);
        show("ball on an open mesh", &o);
        CHECK(o.status == CAROM_OK || o.err.message[0]);
    }
    CHECK_EQ(remove(path), 0);
    CHECK_EQ(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(overlap, bodies_at_the_same_place),
        RUN_TEST(overlap, one_deep_inside_the_other),
        RUN_TEST(overlap, at_rest_and_just_touching),
        RUN_TEST(numbers, absurd_speeds),
        RUN_TEST(numbers, absurd_masses),
        RUN_TEST(shapes, none_at_all_or_infinite_ones),
        RUN_TEST(shapes, an_open_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
