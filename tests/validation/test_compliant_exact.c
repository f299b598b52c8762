/* The compliant method with exact features against closed forms: wheels that roll, ridges that cross, bodies that lie flush or stand
 * level; energy, momenta, frames and order of bodies over random pairs of shapes; what is remembered; what is refused. */
#include "support/contact_scene.h"
#include "support/samples.h"

#include "math/quat.h"

#define EXACT "\"method\": \"compliant\", \"features\": \"exact\", "

static const v3 weight = { 0.0, 0.0, -9.81 };

static quat turn_about(v3 axis, double angle)
{
    return so3_exp(v3_scale(angle, axis));
}

/* ---- wheels ------------------------------------------------------------------------------------------------------- */

static const double R = 0.1; /* [m] of the wheel */

/* A wheel of 1 kg that rolls along x at 1 m/s, turned about its axis by an angle at the start. */
static sim start_wheel(const char *ground, v3 at, double angle)
{
    static char shape[] = "{\"cylinder\": {\"radius\": 0.1, \"length\": 0.08}}";
    contact_scene c = { .contact = "{" EXACT
                                   "\"law\": {\"hunt-crossley\": {\"k\": 1e7, \"n\": 1}}, \"restitution\": 0.3,"
                                   " \"friction\": 0.3}",
                        .time = "\"end\": 1",
                        .gravity = weight,
                        .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "track", .shape = ground, .more = "\"fixed\": true,", .position = at };
    c.bodies[1] = (scene_body){ .name = "wheel", .shape = shape, .more = "\"mass\": 1,", .position = { 0, 0, R } };
    c.bodies[1].orientation = q_mul(turn_about(v3_make(1, 0, 0), acos(-1.0) / 2),
                                    turn_about(v3_make(0, 0, 1), angle));
    c.bodies[1].velocity = v3_make(1, 0, 0);
    c.bodies[1].spin = v3_make(0, 1 / R, 0);
    return scene_start(&c, 1);
}

/* v and R omega stay within 3e-4, nothing hops or yaws, and the ground carries the weight. */
TEST(wheel, rolls_on_planes_boxes_and_rails)
{
    static const struct {
        const char *name, *shape;
        double z;
    } grounds[] = {
        { "plane", "{\"plane\": [0, 0, 1]}", 0.0 },
        { "wide box", "{\"box\": [4, 0.5, 0.2]}", -0.1 },
        { "rail as wide as the wheel", "{\"box\": [4, 0.08, 0.2]}", -0.1 },
        { "narrower rail", "{\"box\": [4, 0.03, 0.2]}", -0.1 },
    };
    for (int k = 0; k < 4; ++k) {
        double v[3];
        for (int turned = 0; turned < 3; ++turned) {
            sim s = start_wheel(grounds[k].shape, v3_make(0.5, 0, grounds[k].z), 1.1 * turned);
            double highest = 0.0;
            double force[2] = { HUGE_VAL, 0.0 };
            while (sim_before(&s, 1.0)) {
                sim_step(&s, 1.0);
                highest = fmax(highest, sim_signal(&s, "wheel.position.z"));
                double f = sim_signal(&s, "wheel.contact.force.z");
                force[0] = sim_time(&s) > 0.2 ? fmin(force[0], f) : force[0];
                force[1] = sim_time(&s) > 0.2 ? fmax(force[1], f) : force[1];
            }
            v[turned] = sim_signal(&s, "wheel.velocity.x");
            CHECK_NEAR(v[turned], 1.0, 3e-4);
            CHECK_NEAR(R * sim_signal(&s, "wheel.angular_velocity.y"), 1.0, 3e-4);
            CHECK_LE(fabs(sim_signal(&s, "wheel.angular_velocity.z")), 1e-9);
            CHECK_LE(highest, R + 1e-12);
            CHECK_NEAR(force[0], 9.81, 0.0981);
            CHECK_NEAR(force[1], 9.81, 0.0981);
            sim_end(&s);
        }
        printf("  %-26s v - 1 = %.1e, turned by 1.1 rad: %.1e more\n", grounds[k].name, v[0] - 1.0, v[1] - v[0]);
        CHECK_NEAR(v[1], v[0], 1e-6);
        CHECK_NEAR(v[2], v[0], 1e-6);
    }
}

/* ---- ridges ------------------------------------------------------------------------------------------------------- */

/* Velocity of the upper box after an elastic impact of two ridges at the origin, by the impulse along the common normal. */
static v3 rebound(const v3 x[2], const m3 inverse_inertia_w[2], double inverse_mass, v3 n, double speed)
{
    double w = 2.0 * inverse_mass;
    for (int k = 0; k < 2; ++k) {
        v3 rn = v3_cross(v3_neg(x[k]), n);
        w += v3_dot(rn, m3_mulv(inverse_inertia_w[k], rn));
    }
    double impulse = 2.0 * speed * n.z / w;
    return v3_add(v3_make(0, 0, -speed), v3_scale(impulse * inverse_mass, n));
}

/* Boxes of 1 kg with edges of 0.4, 0.1 and 0.1 m, along x and, turned by an angle about z, above; they cross off their middles. */
static double ridge_error(double angle, double k)
{
    char contact[160];
    quat ridge = turn_about(v3_make(1, 0, 0), acos(-1.0) / 4);
    quat q[2] = { q_mul(turn_about(v3_make(0, 0, 1), angle), ridge), ridge };
    double high = 0.1 / sqrt(2.0);
    v3 x[2] = { v3_axpy(v3_make(0, 0, high + 1e-4), 0.05, q_rotate(q[0], v3_make(1, 0, 0))), { -0.03, 0, -high } };
    snprintf(contact, sizeof contact, "{" EXACT "\"law\": {\"linear\": {\"k\": %g}}}", k);
    contact_scene c = { .contact = contact, .time = "\"end\": 1, \"preset\": \"accurate\"", .body_count = 2 };
    m3 inverse_inertia[2];
    double J[2] = { 0.02 / 12.0, 0.17 / 12.0 };
    for (int i = 0; i < 2; ++i) {
        c.bodies[i] = (scene_body){ .name = i == 0 ? "upper" : "lower",
                                    .shape = "{\"box\": [0.4, 0.1, 0.1]}",
                                    .more = "\"mass\": 1,",
                                    .position = x[i],
                                    .orientation = q[i] };
        m3 turn = q_matrix(q[i]);
        inverse_inertia[i] = m3_rotate_tensor(turn, m3_diag(1 / J[0], 1 / J[1], 1 / J[1]));
    }
    c.bodies[0].velocity = v3_make(0, 0, -1);
    sim s = scene_start(&c, 1);
    sim_advance(&s, 2e-3);
    x[0] = v3_axpy(x[0], -1e-4, v3_make(0, 0, 1));
    v3 expected = rebound(x, inverse_inertia, 1.0, v3_make(0, 0, 1), 1.0);
    v3 v = v3_make(sim_signal(&s, "upper.velocity.x"), sim_signal(&s, "upper.velocity.y"),
                   sim_signal(&s, "upper.velocity.z"));
    CHECK_LE(fabs(sim_ledger(&s).residue), 1e-6);
    sim_end(&s);
    return v3_norm(v3_sub(v, expected));
}

/* The error of velocities falls with the depth, by the square root of the stiffness. */
TEST(ridges, rebound_along_the_common_normal)
{
    static const double angles[] = { 0.35, 1.0, 1.5707963267948966 };
    for (int k = 0; k < 3; ++k) {
        double soft = ridge_error(angles[k], 1e9);
        double stiff = ridge_error(angles[k], 1e11);
        printf("  %.2f rad: error of v %.1e at k = 1e9, %.1e at 1e11\n", angles[k], soft, stiff);
        CHECK_LE(soft, 1e-2);
        CHECK_LE(stiff, 1e-3);
        CHECK_LE(stiff, 0.15 * soft); /* a tenth by theory */
    }
}

/* ---- level and flush ---------------------------------------------------------------------------------------------- */

/* A cylinder that stands and spins: two circles, of R and 0.98 R, carry it, and rub along themselves. */
TEST(level, a_standing_cylinder_is_braked_by_its_rim)
{
    contact_scene c = { .contact = "{" EXACT
                                   "\"law\": {\"hunt-crossley\": {\"k\": 1e7, \"n\": 1}}, \"restitution\": 0.3,"
                                   " \"friction\": {\"coulomb\": {\"mu\": 0.2, \"v_e\": 1e-5}}}",
                        .time = "\"end\": 1",
                        .gravity = weight,
                        .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "floor", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
    c.bodies[1] = (scene_body){ .name = "drum",
                                .shape = "{\"cylinder\": {\"radius\": 0.1, \"length\": 0.3}}",
                                .more = "\"mass\": 1,",
                                .position = { 0, 0, 0.15 - 9.81 / (2 * 1.25 * 1.25 * 1e7) },
                                .spin = { 0, 0, 10 } };
    sim s = scene_start(&c, 1);
    sim_advance(&s, 0.1);
    double braked = 0.2 * 9.81 * 0.99 * R / (0.5 * R * R);
    CHECK_NEAR(sim_signal(&s, "drum.angular_velocity.z"), 10.0 - 0.1 * braked, 0.01 * 0.1 * braked);
    sim_advance(&s, 1.0);
    CHECK_LE(fabs(sim_signal(&s, "drum.angular_velocity.z")), 1e-4);
    CHECK_LE(fabs(sim_signal(&s, "drum.angular_velocity.x")), 1e-9);
    sim_end(&s);
}

/* Boxes that lie flush on each other: feet carry them, and they stay. */
TEST(level, flush_boxes_stay)
{
    contact_scene c = { .contact = "{" EXACT
                                   "\"law\": {\"hunt-crossley\": {\"k\": 1e7, \"n\": 1}}, \"restitution\": 0.3,"
                                   " \"friction\": {\"lugre\": {}}}",
                        .time = "\"end\": 1",
                        .gravity = weight,
                        .body_count = 5 };
    static const char *const names[] = { "floor", "a", "b", "c", "d" };
    c.bodies[0] = (scene_body){ .name = names[0], .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
    for (int k = 1; k < 5; ++k) {
        c.bodies[k] = (scene_body){ .name = names[k],
                                    .shape = "{\"box\": [0.1, 0.1, 0.1]}",
                                    .more = "\"mass\": 1,",
                                    .position = { 0, 0, 0.1 * k - 0.05 } };
    }
    sim s = scene_start(&c, 1);
    sim_advance(&s, 0.5);
    v3 before = sim_position(&s, "d");
    sim_advance(&s, 1.0);
    CHECK_LE(v3_norm(v3_sub(sim_position(&s, "d"), before)), 1e-9);
    CHECK_NEAR(sim_signal(&s, "a.contact.force.z"), 9.81, 1e-4);
    sim_end(&s);
}

/* ---- all pairs ---------------------------------------------------------------------------------------------------- */

static const char *const shapes[] = {
    "{\"sphere\": 0.05}",
    "{\"capsule\": {\"radius\": 0.03, \"length\": 0.08}}",
    "{\"box\": [0.1, 0.06, 0.08]}",
    "{\"polygon\": {\"points\": [[-0.05, -0.03], [0.05, -0.04], [0.02, 0.05]], \"thickness\": 0.06}}",
    "{\"cylinder\": {\"radius\": 0.04, \"length\": 0.08}}",
    "{\"cone\": {\"radius\": 0.05, \"height\": 0.1}}",
    "{\"make\": {\"type\": \"docking-catch\", \"depth\": 0.03, \"height\": 0.12, \"width\": 0.06, \"tooth\": 0.03,"
    " \"ramp\": 0.03, \"tip\": 0.005}}", /* not convex */
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Two bodies that run into each other. */
static contact_scene random_impact(test_rng *rng, const char *contact, int a, int b)
{
    contact_scene c = { .contact = contact, .time = "\"end\": 1", .body_count = 2 };
    v3 way = random_direction(rng);
    for (int k = 0; k < 2; ++k) {
        c.bodies[k] = (scene_body){ .name = k == 0 ? "one" : "other",
                                    .shape = shapes[k == 0 ? a : b],
                                    .more = "\"density\": 1000,",
                                    .position = v3_scale(k == 0 ? 0.1 : -0.1, way),
                                    .orientation = so3_exp(random_v3(rng, 2.0)),
                                    .velocity = v3_axpy(random_v3(rng, 0.2), k == 0 ? -1.0 : 1.0, way),
                                    .spin = random_v3(rng, 3.0) };
    }
    return c;
}

static const char *const elastic = "{" EXACT "\"law\": {\"hertz\": {\"k\": 1e8, \"n\": 1.5}}}";
static const char *const rough = "{" EXACT
                                 "\"law\": {\"hunt-crossley\": {\"k\": 1e7, \"n\": 1}}, \"restitution\": 0.5,"
                                 " \"friction\": {\"lugre\": {}}}";

typedef void pair_test(test_rng *rng, int a, int b);

static void for_pairs(pair_test *test)
{
    test_rng rng = { 7 };
    for (int a = 0; a < SHAPES; ++a) {
        for (int b = a; b < SHAPES; ++b) {
            test(&rng, a, b);
        }
    }
}

static double worst_energy[2], worst_momentum;

static void check_ledger(test_rng *rng, int a, int b)
{
    contact_scene c = random_impact(rng, elastic, a, b);
    for (int k = 0; k < 2; ++k) {
        c.time = k == 0 ? "\"end\": 1" : "\"end\": 1, \"tolerance\": 1e-9";
        sim s = scene_start(&c, 1);
        carom_ledger before = sim_ledger(&s);
        sim_advance(&s, 0.3);
        carom_ledger after = sim_ledger(&s);
        worst_energy[k] = fmax(worst_energy[k], fabs(after.residue) / before.kinetic);
        double momentum = before.kinetic; /* [N s] at about 1 m/s, twice the energy */
        worst_momentum = fmax(worst_momentum, sim_norm(after.momentum_residue) / momentum);
        sim_end(&s);
    }
}

/* Forces have a potential: what is left is the error of the steps, which falls with their tolerance. */
TEST(pairs, elastic_impacts_keep_energy_and_momenta)
{
    worst_energy[0] = worst_energy[1] = worst_momentum = 0.0;
    for_pairs(check_ledger);
    printf("  energy off by %.1e of the kinetic, %.1e at a tolerance of 1e-9; momenta by %.1e\n", worst_energy[0],
           worst_energy[1], worst_momentum);
    CHECK_LE(worst_energy[0], 1e-4);
    CHECK_LE(worst_energy[1], 1e-6);
    CHECK_LE(worst_momentum, 1e-11);
}

static v3 velocity_after(const contact_scene *c)
{
    sim s = scene_start(c, 1);
    sim_advance(&s, 0.15);
    v3 v = v3_make(sim_signal(&s, "one.velocity.x"), sim_signal(&s, "one.velocity.y"),
                   sim_signal(&s, "one.velocity.z"));
    sim_end(&s);
    return v;
}

/* The same impact in another frame, and with its bodies in another order. Steps differ by rounding, and so do results by their error. */
static void check_invariance(test_rng *rng, int a, int b)
{
    contact_scene c = random_impact(rng, elastic, a, b);
    v3 v = velocity_after(&c);
    c.ordered = true;
    c.order[0] = 1;
    c.order[1] = 0;
    check_v3_near(velocity_after(&c), v, 1e-5);
    c.ordered = false;
    c.frame = (carom_pose){ random_v3(rng, 1.0), so3_exp(random_v3(rng, 2.0)) };
    check_v3_near(velocity_after(&c), q_rotate(c.frame.orientation, v), 1e-5);
}

TEST(pairs, frames_and_order_do_not_matter)
{
    for_pairs(check_invariance);
}

/* ---- what is remembered ------------------------------------------------------------------------------------------- */

/* A scratch that is dropped in the middle of a contact, and another number of threads, change no bit. */
static void check_memory(test_rng *rng, int a, int b)
{
    contact_scene c = random_impact(rng, rough, a, b);
    sim s = scene_start(&c, 1);
    sim t = scene_start(&c, 2);
    carom_error err = { 0 };
    while (sim_before(&s, 0.1)) {
        sim_step(&s, 0.1);
        sim_step(&t, 0.1);
        CHECK(carom_state_hash(s.state) == carom_state_hash(t.state));
        carom_scratch_destroy(t.scratch);
        t.scratch = NULL;
        CHECK_OK(carom_scratch_create(t.model, 2, &t.scratch, &err), err);
    }
    sim_end(&s);
    sim_end(&t);
}

TEST(pairs, states_hold_all_that_is_remembered)
{
    for_pairs(check_memory);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------- */

/* A hooked block thrown onto another, with fields of this resolution and faces cut into triangles of this size: where it is after they
 * have met. */
static v3 thrown_hook(test_rng rng, int resolution, double spacing)
{
    char contact[200], shape[200];
    snprintf(contact, sizeof contact,
             "{" EXACT "\"resolution\": %d, \"law\": {\"hertz\": {\"k\": 1e8, \"n\": 1.5}}, \"friction\": 0.2}",
             resolution);
    snprintf(
        shape, sizeof shape,
        "{\"make\": {\"type\": \"docking-catch\", \"depth\": 0.03, \"height\": 0.12, \"width\": 0.06, \"tooth\": 0.03,"
        " \"ramp\": 0.03, \"tip\": 0.005, \"spacing\": %g}}",
        spacing);
    contact_scene c = random_impact(&rng, contact, 0, 0);
    c.time = "\"end\": 1, \"tolerance\": 1e-9";
    for (int k = 0; k < 2; ++k) {
        c.bodies[k].shape = shape;
        c.bodies[k].more = "\"mass\": 0.3, \"inertia\": [4e-4, 5e-4, 3e-4], \"center_of_mass\": [0, 0, 0.05],";
    }
    sim s = scene_start(&c, 1);
    bool met = false;
    while (sim_before(&s, 0.15)) {
        sim_step(&s, 0.15);
        met = met || sim_signal(&s, "contact.count") > 0.0;
    }
    v3 at = { sim_signal(&s, "one.position.x"), sim_signal(&s, "one.position.y"), sim_signal(&s, "one.position.z") };
    CHECK(met);
    sim_end(&s);
    return at;
}

/* No force depends on a grid, nor on how flat faces are cut. */
TEST(meshes, neither_resolution_nor_triangles_matter)
{
    for (int seed = 3; seed < 6; ++seed) {
        test_rng rng = { (uint64_t)seed };
        v3 coarse = thrown_hook(rng, 64, 0.0);
        v3 fine = thrown_hook(rng, 512, 0.0);
        v3 cut = thrown_hook(rng, 64, 0.02);
        CHECK_EQ(v3_norm(v3_sub(fine, coarse)), 0.0);
        printf("  thrown hook: finer triangles move it by %.1e m\n", v3_norm(v3_sub(cut, coarse)));
        CHECK_LE(v3_norm(v3_sub(cut, coarse)), 1e-6);
    }
}

/* A tube of many flat strips falls across another: what it weighs, how deep it got, and where it is then. Edges between strips bend by
 * 7.5 degrees only. */
static v3 crossed_tubes(const char *features, int resolution, double *deepest)
{
    char contact[240];
    snprintf(contact, sizeof contact,
             "{\"method\": \"compliant\", \"features\": \"%s\", \"resolution\": %d, \"cache\": false,"
             " \"law\": {\"hertz\": {\"k\": 1e7, \"n\": 1.5}}}",
             features, resolution);
    const char *tube =
        "{\"make\": {\"type\": \"tube\", \"radius\": 0.03, \"hole\": 0.02, \"length\": 0.4, \"sectors\": 48}}";
    contact_scene c = { .contact = contact, .time = "\"end\": 1", .gravity = weight, .body_count = 2 };
    c.bodies[0] = (scene_body){ .name = "below",
                                .shape = tube,
                                .more = "\"fixed\": true,",
                                .orientation = turn_about(v3_make(0, 1, 0), acos(-1.0) / 2) };
    c.bodies[1] = (scene_body){ .name = "above",
                                .shape = tube,
                                .more = "\"density\": 1000,",
                                .position = { 0.003, 0.002, 0.065 },
                                .orientation = turn_about(v3_make(1, 0.1, 0), acos(-1.0) / 2) };
    sim s = scene_start(&c, 1);
    *deepest = 0.0;
    while (sim_before(&s, 0.06)) {
        sim_step(&s, 0.06);
        *deepest = fmax(*deepest, sim_signal(&s, "contact.penetration"));
    }
    v3 v = { sim_signal(&s, "above.velocity.x"), sim_signal(&s, "above.velocity.y"),
             sim_signal(&s, "above.velocity.z") };
    CHECK_LE(fabs(sim_ledger(&s).residue), 3e-5); /* [J] a thousandth of the energy of the impact */
    sim_end(&s);
    return v;
}

/* Stored fields only tell what is outside: with any of them, and with none ("exact": few triangles), it is the same flight. */
TEST(meshes, tubes_of_flat_strips_cross)
{
    double deepest[3];
    v3 none = crossed_tubes("exact", 64, &deepest[0]);
    v3 coarse = crossed_tubes("auto", 24, &deepest[1]);
    v3 fine = crossed_tubes("auto", 96, &deepest[2]);
    printf("\n  crossed tubes: %.2e m deep, %.4f m/s upwards afterwards\n", deepest[0], none.z);
    CHECK(deepest[0] > 0.0 && deepest[0] < 1e-3);
    CHECK(none.z > 0.0);
    CHECK_EQ(v3_norm(v3_sub(coarse, none)), 0.0);
    CHECK_EQ(v3_norm(v3_sub(fine, none)), 0.0);
    CHECK_EQ(deepest[1], deepest[0]);
    CHECK_EQ(deepest[2], deepest[0]);
}

/* A fine convex mesh asks its triangles and has its vertices as elements; whoever names a detection wants points. */
TEST(meshes, what_touches_by_what)
{
    static const char *const contacts[] = {
        "{\"method\": \"compliant\", \"law\": {\"linear\": {\"k\": 1e6}}}",
        "{\"method\": \"compliant\", \"detection\": \"sdf+octree\", \"law\": {\"linear\": {\"k\": 1e6}}}",
        "{\"method\": \"compliant\", \"spacing\": 0.1, \"law\": {\"linear\": {\"k\": 1e6}}}"
    };
    for (int k = 0; k < 3; ++k) {
        contact_scene c = { .contact = contacts[k], .time = "\"end\": 1", .body_count = 3 };
        c.bodies[0] = (scene_body){ .name = "floor", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
        c.bodies[1] = (scene_body){
            .name = "stone",
            .shape = "{\"make\": {\"type\": \"sphere\", \"radius\": 0.1, \"triangles\": 1280}}",
            .more = "\"mass\": 1,",
            .position = { 0, 0, 1 }
        };
        c.bodies[2] = (scene_body){
            .name = "block", .shape = shapes[2], .more = "\"mass\": 1,", .position = { 3, 0, 1 }
        };
        sim s = scene_start(&c, 1);
        carom_collider_info stone = carom_model_collider(s.model, 1);
        CHECK_EQ(stone.exact, k == 0);
        CHECK_EQ(carom_model_collider(s.model, 2).exact, k == 0);
        CHECK_EQ(k == 0 ? stone.points : 642, 642); /* vertices alone: nothing of it is sharp */
        sim_end(&s);
    }
}

/* ---- what is refused ---------------------------------------------------------------------------------------------- */

static void check_refused(const char *contact, const char *one, const char *other, const char *says)
{
    contact_scene c = { .contact = contact, .time = "\"end\": 1", .body_count = 2 };
    carom_model *model = NULL;
    carom_error err = { 0 };
    c.bodies[0] = (scene_body){ .name = "one", .shape = one, .more = "\"mass\": 1," };
    c.bodies[1] = (scene_body){ .name = "other", .shape = other, .more = "\"mass\": 1,", .position = { 0, 0, 1 } };
    CHECK_EQ(scene_compile(&c, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, says);
    carom_model_destroy(model);
}

TEST(refused, what_exact_features_do_not_take)
{
    check_refused(elastic, shapes[2], "{\"rod\": 0.1}", "rods");
    check_refused(elastic, shapes[6], "{\"ellipsoid\": [0.1, 0.2, 0.3]}", "'one' and 'other'");
    check_refused(elastic, shapes[2],
                  "{\"polygon\": {\"points\": [[0, 0], [1, 0], [0.1, 0.1], [0, 1]], \"thickness\": 1}}",
                  "not convex");
    check_refused("{" EXACT "\"spacing\": 0.01, \"law\": {\"linear\": {\"k\": 1e6}}}", shapes[2], shapes[2],
                  "leave it out");
    check_refused("{" EXACT "\"per\": \"area\", \"law\": {\"linear\": {\"k\": 1e6}}}", shapes[2], shapes[2],
                  "per area");
    check_refused("{" EXACT "\"points\": \"first\", \"law\": {\"linear\": {\"k\": 1e6}}}", shapes[2], shapes[2],
                  "both sides");
}

/* ---- exact where it is taken -------------------------------------------------------------------------------------- */

/* A wheel and a shape that is not convex, as body "rest" far away: the pair of the wheel and its floor goes on as if all were exact. */
TEST(automatic, pairs_of_convex_solids_are_exact_and_others_have_points)
{
    static const char *const rests[] = {
        "{\"sphere\": 0.1}", "{\"rod\": 0.2}",
        "{\"polygon\": {\"points\": [[0, 0], [1, 0], [0.1, 0.1], [0, 1]], \"thickness\": 1}}"
    };
    double v[3];
    for (int k = 0; k < 3; ++k) {
        contact_scene c = { .contact = k == 0 ? "{" EXACT "\"law\": {\"linear\": {\"k\": 1e7}}, \"friction\": 0.3}"
                                              : "{\"method\": \"compliant\", \"features\": \"auto\","
                                                " \"law\": {\"linear\": {\"k\": 1e7}}, \"friction\": 0.3}",
                            .time = "\"end\": 1",
                            .gravity = weight,
                            .body_count = 3 };
        c.bodies[0] = (scene_body){ .name = "floor", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
        c.bodies[1] = (scene_body){ .name = "wheel",
                                    .shape = "{\"cylinder\": {\"radius\": 0.1, \"length\": 0.08}}",
                                    .more = "\"mass\": 1,",
                                    .position = { 0, 0, R },
                                    .orientation = turn_about(v3_make(1, 0, 0), acos(-1.0) / 2),
                                    .velocity = { 1, 0, 0 },
                                    .spin = { 0, 1 / R, 0 } };
        c.bodies[2] = (scene_body){
            .name = "rest", .shape = rests[k], .more = "\"fixed\": true,", .position = { 0, 9, 3 }
        };
        sim s = scene_start(&c, 1);
        for (int i = 0; i < 3; ++i) {
            carom_collider_info about = carom_model_collider(s.model, i);
            CHECK_EQ(about.exact, k == 0 || i < 2);
            CHECK((about.why_points == NULL) == about.exact);
        }
        sim_advance(&s, 0.2);
        v[k] = sim_signal(&s, "wheel.velocity.x");
        sim_end(&s);
    }
    CHECK_EQ(v[1], v[0]);
    CHECK_EQ(v[2], v[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(wheel, rolls_on_planes_boxes_and_rails),
        RUN_TEST(ridges, rebound_along_the_common_normal),
        RUN_TEST(level, a_standing_cylinder_is_braked_by_its_rim),
        RUN_TEST(level, flush_boxes_stay),
        RUN_TEST(pairs, elastic_impacts_keep_energy_and_momenta),
        RUN_TEST(pairs, frames_and_order_do_not_matter),
        RUN_TEST(pairs, states_hold_all_that_is_remembered),
        RUN_TEST(meshes, neither_resolution_nor_triangles_matter),
        RUN_TEST(meshes, tubes_of_flat_strips_cross),
        RUN_TEST(meshes, what_touches_by_what),
        RUN_TEST(refused, what_exact_features_do_not_take),
        RUN_TEST(automatic, pairs_of_convex_solids_are_exact_and_others_have_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
