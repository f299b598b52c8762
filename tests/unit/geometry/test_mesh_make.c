/* Procedural meshes: all are solids, have the volume of the formula, and do what they are for: the nut turns on the
 * bolt, gears mesh, the statue has exactly the size asked for. */
#include "geometry/make/make.h"

#include <stdlib.h>

#include "geometry/bvh.h"
#include "geometry/mesh_report.h"
#include "support/samples.h"

static mesh *made(const char *kind, const void *params)
{
    carom_error err = { 0 };
    mesh *m = NULL;
    CHECK_OK(mesh_make(&m, kind, params, &err), err);
    return m;
}

static double volume(const mesh *m)
{
    mass_properties mass;
    mesh_mass(&mass, m);
    return mass.mass;
}

static void check_solid(const mesh *m, int euler)
{
    carom_mesh_report report;
    carom_error err = { 0 };
    CHECK_OK(mesh_report(m, &report, &err), err);
    for (int kind = 0; kind < CAROM_MESH_DEFECT_KINDS; ++kind) {
        if (report.defects[kind].count > 0) {
            print_error("%s:\n", carom_mesh_defect_name((carom_mesh_defect_kind)kind));
        }
        CHECK_EQ(report.defects[kind].count, 0);
    }
    CHECK(report.solid);
    CHECK_EQ(report.components, 1);
    CHECK_EQ(report.euler, euler);
}

/* A solid with the volume of the formula, off by at most `part` of it. */
static void check_made(const char *kind, const void *params, double expected, double part, int euler)
{
    mesh *m = made(kind, params);
    check_solid(m, euler);
    CHECK_NEAR(volume(m), expected, part * expected);
    mesh_destroy(m);
}

static double square(double x)
{
    return x * x;
}

TEST(make, every_kind_is_a_solid_with_its_defaults)
{
    static const char *const rings[] = { "torus",    "gear", "nut",          "chain-link",  "docking-ring",
                                         "sprocket", "tube", "geneva-wheel", "geneva-disc", NULL };
    for (const carom_kind *const *kind = carom_mesh_make_kinds(); *kind; ++kind) {
        if (strcmp((*kind)->name, "statue") == 0) {
            continue; /* below */
        }
        bool ring = false;
        for (int i = 0; rings[i]; ++i) {
            ring = ring || strcmp(rings[i], (*kind)->name) == 0;
        }
        mesh *m = made((*kind)->name, NULL);
        bool two_holes = strcmp((*kind)->name, "link-plate") == 0;
        check_solid(m, two_holes ? -2 : ring ? 0 : 2);
        CHECK_GE(volume(m), 0.0);
        mesh_destroy(m);
    }
}

TEST(make, volumes_are_those_of_the_formulas)
{
    FOR_EACH_SEED(rng, 3) {
        double r = test_rng_uniform(&rng, 0.5, 2.0);
        double l = test_rng_uniform(&rng, 0.5, 3.0);
        double s = 0.1 * r;
        check_made("box", &(carom_make_box){ { r, l, 1.5 }, 0.3 }, r * l * 1.5, 1e-12, 2);
        check_made("sphere", &(carom_make_sphere){ .radius = r, .spacing = s }, 4.0 / 3.0 * TEST_PI * r * r * r, 3e-3,
                   2);
        check_made("cylinder", &(carom_make_cylinder){ r, l, s }, TEST_PI * r * r * l, 4e-3, 2);
        check_made("capsule", &(carom_make_capsule){ r, l, s }, TEST_PI * r * r * (l + 4.0 / 3.0 * r), 6e-3, 2);
        check_made("cone", &(carom_make_cone){ r, l, s }, TEST_PI / 3.0 * r * r * l, 4e-3, 2);
        check_made("torus", &(carom_make_torus){ 2.0 * r, 0.5 * r, s },
                   2.0 * square(TEST_PI) * 2.0 * r * square(0.5 * r), 2.5e-2, 0);
        check_made("docking-ring", &(carom_make_docking_ring){ r, 0.1 * r, 0.2 * l, s },
                   2.0 * TEST_PI * r * 0.1 * r * 0.2 * l, 3e-3, 0);
        double path = 2.0 * (2.5 * r - 1.2 * r) + TEST_PI * (1.2 * r + r);
        check_made("chain-link", &(carom_make_chain_link){ r, 2.5 * r, 1.2 * r, s }, TEST_PI * square(0.5 * r) * path,
                   2e-2, 0);
    }
}

TEST(make, docking_parts_have_their_shape)
{
    carom_make_docking_latch latch = { 0.083, 0.060, 0.051, 0.03, 0.005, 0.0, 0.0 };
    double side = 0.083 * 0.060 - 0.5 * 0.03 * 0.055;
    check_made("docking-latch", &latch, side * 0.051, 1e-12, 2);
    latch.spacing = 0.01;
    check_made("docking-latch", &latch, side * 0.051, 1e-12, 2);
    v3 low, high;
    mesh *m = made("docking-latch", &latch);
    mesh_bounds(&low, &high, m);
    check_v3_near(v3_sub(high, low), v3_make(0.083, 0.051, 0.060), 1e-15);
    mesh_destroy(m);
    carom_make_docking_catch catch = { 0.03, 0.12, 0.06, 0.025, 0.04, 0.006, 0.0, 0.02 };
    check_made("docking-catch", &catch, (0.03 * 0.12 + 0.025 * 0.006 + 0.5 * 0.025 * 0.04) * 0.06, 1e-12, 2);
}

/* A slope takes a triangle off the latch and adds one to the tooth. */
TEST(make, locking_faces_slope)
{
    for (double slope = 0.01; slope < 0.08; slope += 0.02) {
        carom_make_docking_latch latch = { 0.060, 0.083, 0.051, 0.053, 0.030, slope, 0.01 };
        double side = 0.060 * 0.083 - 0.5 * 0.053 * 0.053 - 0.5 * slope * square(0.060);
        check_made("docking-latch", &latch, side * 0.051, 1e-12, 2);
        carom_make_docking_catch catch = { 0.03, 0.12, 0.06, 0.025, 0.04, 0.006, slope, 0.02 };
        double tooth = 0.025 * 0.006 + 0.5 * 0.025 * 0.04 + 0.5 * slope * square(0.025);
        check_made("docking-catch", &catch, (0.03 * 0.12 + tooth) * 0.06, 1e-12, 2);
    }
}

TEST(make, spheres_of_at_least_so_many_triangles)
{
    for (int f = 1; f <= 12; ++f) {
        carom_make_sphere sphere = { .radius = 2.0, .triangles = 20 * f * f };
        mesh *m = made("sphere", &sphere);
        CHECK_EQ(m->triangle_count, 20 * f * f);
        CHECK_EQ(m->vertex_count, 10 * f * f + 2);
        for (int i = 0; i < m->vertex_count; ++i) {
            CHECK_NEAR(v3_norm(m->vertices[i]), 2.0, 1e-15);
        }
        mesh_destroy(m);
        sphere.triangles += 1;
        m = made("sphere", &sphere);
        CHECK_EQ(m->triangle_count, 20 * (f + 1) * (f + 1));
        mesh_destroy(m);
    }
}

TEST(make, spacing_bounds_the_edges_of_a_sphere)
{
    static const double spacings[] = { 0.9, 0.3, 0.11, 0.05 };
    for (int i = 0; i < 4; ++i) {
        carom_make_sphere sphere = { .radius = 1.0, .spacing = spacings[i] };
        mesh *m = made("sphere", &sphere);
        for (int k = 0; k < 3 * m->triangle_count; ++k) {
            v3 a = m->vertices[m->triangles[k / 3][k % 3]];
            v3 b = m->vertices[m->triangles[k / 3][(k % 3 + 1) % 3]];
            CHECK_LE(v3_norm(v3_sub(a, b)), 1.02 * spacings[i]);
        }
        mesh_destroy(m);
    }
}

/* ---- bolt and nut ------------------------------------------------------------------------------------------------ */

static size_t cuts(const mesh *a, const mesh *b)
{
    carom_error err = { 0 };
    bvh *tree = NULL;
    mesh *m = together(a, b);
    CHECK_OK(bvh_create(&tree, m, &err), err);
    size_t count = bvh_self_intersections(tree, 1000, NULL, 0);
    bvh_destroy(tree);
    mesh_destroy(m);
    return count;
}

/* The smallest distance of a vertex of the nut to the bolt, among those outside; negative when one is inside. */
static double smallest_gap(const mesh *bolt, const mesh *nut)
{
    carom_error err = { 0 };
    bvh *tree = NULL;
    double gap = HUGE_VAL;
    CHECK_OK(bvh_create(&tree, bolt, &err), err);
    for (int i = 0; i < nut->vertex_count; ++i) {
        bvh_hit hit = bvh_closest(tree, nut->vertices[i], -1, HUGE_VAL);
        gap = fmin(gap, bvh_side(tree, nut->vertices[i], &hit) * sqrt(hit.dist2));
    }
    bvh_destroy(tree);
    return gap;
}

/* Anywhere along the thread the nut neither cuts nor touches the bolt, and the clearance is about what was asked for;
 * half a turn without the advance, it cuts. */
TEST(make, the_nut_turns_on_the_bolt)
{
    carom_make_bolt bolt_def = { .diameter = 0.01, .pitch = 0.0015, .length = 0.03, .sectors = 36 };
    carom_make_nut nut_def = { .diameter = 0.01, .pitch = 0.0015, .clearance = 0.0002, .sectors = 36 };
    mesh *bolt = made("bolt", &bolt_def);
    FOR_EACH_SEED(rng, 3) {
        double angle = test_rng_uniform(&rng, -90.0, -60.0);
        for (int wrong = 0; wrong < 2; ++wrong) {
            mesh *nut = made("nut", &nut_def);
            double turned = angle + (wrong ? TEST_PI : 0.0);
            move_mesh(nut, (carom_pose){ v3_make(0, 0, 0.0015 * angle / (2.0 * TEST_PI)),
                                         so3_exp(v3_make(0, 0, turned)) });
            if (wrong) {
                CHECK_GE((double)cuts(bolt, nut), 100.0);
            } else {
                CHECK_EQ(cuts(bolt, nut), 0);
                double gap = smallest_gap(bolt, nut);
                CHECK_GE(gap,
                         0.7 * 0.0001); /* across the flanks: half the radial clearance, less the chords' error */
                CHECK_LE(gap, 1.5 * 0.0001);
            }
            mesh_destroy(nut);
        }
    }
    mesh_destroy(bolt);
}

/* Volume of a thread: between its core and its crest; fine sectors converge. */
TEST(make, bolts_of_many_sizes_are_solid)
{
    FOR_EACH_SEED(rng, 6) {
        carom_make_bolt bolt = { .diameter = test_rng_uniform(&rng, 0.002, 0.1), .sectors = 12 };
        bolt.pitch = bolt.diameter * test_rng_uniform(&rng, 0.05, 0.4);
        bolt.length = bolt.diameter * test_rng_uniform(&rng, 2.0, 5.0);
        bolt.thread = seed_ % 2 ? 0.0 : 0.6 * bolt.length;
        bolt.sectors += 6 * (seed_ % 5);
        mesh *m = made("bolt", &bolt);
        check_solid(m, 2);
        double head = sqrt(3.0) / 2.0 * square(1.6 * bolt.diameter) * 0.64 * bolt.diameter;
        double crest = TEST_PI / 4.0 * square(bolt.diameter) * bolt.length;
        double core = TEST_PI / 4.0 * square(bolt.diameter - 1.0825 * bolt.pitch) * bolt.length;
        double inscribed = bolt.sectors / (2.0 * TEST_PI) * sin(2.0 * TEST_PI / bolt.sectors);
        CHECK_LE(volume(m), head + crest);
        CHECK_GE(volume(m), head + inscribed * core * 0.97); /* the end is chamfered */
        mesh_destroy(m);
        carom_make_nut nut = { .diameter = bolt.diameter, .pitch = bolt.pitch, .sectors = bolt.sectors };
        nut.clearance = 0.01 * bolt.diameter;
        m = made("nut", &nut);
        check_solid(m, 0);
        mesh_destroy(m);
    }
}

/* ---- gears ------------------------------------------------------------------------------------------------------- */

/* Two gears at the distance of their pitch circles, turned through a tooth, keep in mesh without cutting each other; the
 * play is what was asked for: turned by more than the backlash, they cut. */
TEST(make, gears_mesh)
{
    carom_make_gear small = { .module = 0.004, .teeth = 18, .pressure_angle = 20.0 * TEST_PI / 180.0, .width = 0.01 };
    small.backlash = 0.0001;
    small.flank_steps = 10;
    carom_make_gear large = small;
    large.teeth = 31;
    large.bore = 0.02;
    double distance = 0.5 * 0.004 * (18 + 31);
    double play = 0.0001 / (0.5 * 0.004 * 31); /* of the large gear: the sum of both halves */
    for (int step = 0; step < 3; ++step) {
        double angle = 2.0 * TEST_PI / 18 * step / 3;
        for (int wrong = 0; wrong < 2; ++wrong) {
            mesh *a = made("gear", &small);
            mesh *b = made("gear", &large);
            move_mesh(a, (carom_pose){ v3_zero(), so3_exp(v3_make(0, 0, angle)) });
            /* a tooth of a on the line of centres meets a gap of b */
            double other = TEST_PI + TEST_PI / 31 - angle * 18.0 / 31.0 + (wrong ? 1.5 * play : 0.0);
            for (int i = 0; i < b->vertex_count; ++i) {
                b->vertices[i].z *= 1.1; /* else their flat faces coincide */
            }
            move_mesh(b, (carom_pose){ v3_make(distance, 0, 0), so3_exp(v3_make(0, 0, other)) });
            if (wrong) {
                CHECK_GE((double)cuts(a, b), 1.0);
            } else {
                CHECK_EQ(cuts(a, b), 0);
            }
            mesh_destroy(a);
            mesh_destroy(b);
        }
    }
}

TEST(make, gears_of_many_sizes_are_solid)
{
    FOR_EACH_SEED(rng, 20) {
        carom_make_gear gear = {
            .module = 0.002, .teeth = 8 + 7 * seed_, .width = 0.01, .flank_steps = 2 + seed_ % 9
        };
        gear.pressure_angle = test_rng_uniform(&rng, 14.0, 25.0) * TEST_PI / 180.0;
        gear.bore = seed_ % 2 ? 0.005 : 0.0;
        mesh *m = made("gear", &gear);
        check_solid(m, gear.bore > 0.0 ? 0 : 2);
        double pitch = 0.001 * gear.teeth;
        double bore = TEST_PI * square(0.5 * gear.bore);
        CHECK_LE(volume(m), 0.01 * (TEST_PI * square(pitch + 0.002) - bore));
        CHECK_GE(volume(m), 0.01 * 0.95 * (TEST_PI * square(pitch - 0.0025) - bore));
        mesh_destroy(m);
    }
}

/* ---- plates ------------------------------------------------------------------------------------------------------- */

static double part_of_circle(double sectors)
{
    return sectors / (2.0 * TEST_PI) * sin(2.0 * TEST_PI / sectors);
}

/* Corners of the outside lie on the circle, sides of the hole touch it. */
TEST(make, tubes_and_pins_have_the_volume_of_their_polygons)
{
    FOR_EACH_SEED(rng, 12) {
        carom_make_tube t = { .radius = 0.02, .length = 0.05, .sectors = 3 + 5 * seed_ };
        t.hole = seed_ % 2 ? test_rng_uniform(&rng, 0.1, 0.4) * t.radius : 0.0;
        t.spacing = seed_ % 4 == 3 ? 0.01 : 0.0;
        double side = 2.0 * TEST_PI / t.sectors;
        double area = 0.5 * t.sectors * (sin(side) * square(t.radius) - 2.0 * tan(0.5 * side) * square(t.hole));
        check_made("tube", &t, area * t.length, 1e-12, t.hole > 0.0 ? 0 : 2);
    }
}

/* The hull of two circles: each circle's own part, and between them two trapezia along the common tangents. */
static double link_area(const carom_make_link_plate *l)
{
    double side = acos((l->radius_1 - l->radius_2) / l->pitch);
    double tangent = l->pitch * sin(side);
    return (TEST_PI - side) * square(l->radius_1) + side * square(l->radius_2) +
           tangent * (l->radius_1 + l->radius_2);
}

TEST(make, link_plates_of_many_sizes_have_the_volume_of_the_formula)
{
    FOR_EACH_SEED(rng, 24) {
        carom_make_link_plate l = { .pitch = 0.1, .thickness = 0.01, .sectors = 48 + 7 * seed_ };
        l.radius_1 = test_rng_uniform(&rng, 0.01, 0.06);
        l.radius_2 = test_rng_uniform(&rng, 0.01, 0.06);
        l.hole_1 = seed_ % 3 ? test_rng_uniform(&rng, 0.1, 0.7) * l.radius_1 : 0.0;
        l.hole_2 = seed_ % 4 ? test_rng_uniform(&rng, 0.1, 0.7) * l.radius_2 : 0.0;
        l.spacing = seed_ % 5 == 0 ? 0.02 : 0.0;
        double holes = TEST_PI * (square(l.hole_1) + square(l.hole_2));
        double expected = l.thickness * (link_area(&l) - holes);
        check_made("link-plate", &l, expected, 1.0 - 0.98 * part_of_circle(l.sectors),
                   2 - 2 * (l.hole_1 > 0.0) - 2 * (l.hole_2 > 0.0));
    }
}

/* Holes are round from outside: a pin of the hole's radius does not cut the plate, in whatever pose. */
TEST(make, a_pin_of_the_radius_of_the_hole_fits_into_the_link_plate)
{
    carom_make_link_plate l = { .pitch = 0.1, .radius_1 = 0.02, .radius_2 = 0.03, .hole_1 = 0.01, .hole_2 = 0.015 };
    l.thickness = 0.01;
    l.sectors = 24;
    for (int i = 0; i < 8; ++i) {
        mesh *link = made("link-plate", &l);
        mesh *pin = made("cylinder", &(carom_make_cylinder){ 0.9999 * 0.015, 0.03, 0.0 });
        move_mesh(pin, (carom_pose){ v3_make(0.1, 0, 0), so3_exp(v3_make(0, 0, 0.1 * i)) });
        CHECK_EQ(cuts(link, pin), 0);
        mesh_destroy(link);
        mesh_destroy(pin);
    }
}

TEST(make, sprockets_of_many_sizes_are_solid)
{
    FOR_EACH_SEED(rng, 16) {
        carom_make_sprocket s = { .teeth = 5 + 3 * seed_, .pitch = 0.0127, .width = 0.003, .steps = 4 + seed_ % 9 };
        s.roller = test_rng_uniform(&rng, 0.3, 0.85) * s.pitch;
        s.clearance = test_rng_uniform(&rng, 0.0, 0.01) * s.pitch;
        s.bore = seed_ % 2 ? 0.004 : 0.0;
        mesh *m = made("sprocket", &s);
        check_solid(m, s.bore > 0.0 ? 0 : 2);
        double radius = 0.5 * s.pitch / sin(TEST_PI / s.teeth);
        CHECK_LE(volume(m), s.width * TEST_PI * square(radius + 0.6 * s.pitch));
        CHECK_GE(volume(m), 0.7 * s.width * TEST_PI * square(radius - 0.5 * s.roller - s.clearance));
        mesh_destroy(m);
    }
}

/* A roller in a seat has its clearance, and keeps it while it leaves: it turns about the roller behind it. */
TEST(make, rollers_leave_their_seats_without_cutting_a_tooth)
{
    carom_make_sprocket s = {
        .teeth = 11, .pitch = 0.0127, .roller = 0.008, .clearance = 0.0001, .width = 0.003, .steps = 10
    };
    double radius = 0.5 * s.pitch / sin(TEST_PI / s.teeth);
    double behind = -2.0 * TEST_PI / s.teeth;
    v3 pivot = v3_make(radius * cos(behind), radius * sin(behind), 0);
    for (int i = 0; i <= 10; ++i) {
        double angle = behind + 0.5 * TEST_PI + TEST_PI / s.teeth - 0.08 * i;
        mesh *wheel = made("sprocket", &s);
        mesh *roller = made("cylinder", &(carom_make_cylinder){ 0.004, 0.006, 0.0 });
        v3 at = v3_axpy(pivot, s.pitch, v3_make(cos(angle), sin(angle), 0));
        CHECK_NEAR(v3_norm(at), radius, i == 0 ? 1e-15 : HUGE_VAL);
        move_mesh(roller, (carom_pose){ at, so3_exp(v3_zero()) });
        CHECK_EQ(cuts(wheel, roller), 0);
        move_mesh(roller, (carom_pose){ v3_scale(-0.0004, v3_make(cos(angle), sin(angle), 0)), so3_exp(v3_zero()) });
        CHECK_GE((double)cuts(wheel, roller), i < 5 ? 1.0 : 0.0); /* nearer to the tooth it would, while beside it */
        mesh_destroy(wheel);
        mesh_destroy(roller);
    }
}

TEST(make, geneva_drives_of_many_sizes_are_solid)
{
    FOR_EACH_SEED(rng, 16) {
        int slots = 3 + seed_ % 8;
        double d = test_rng_uniform(&rng, 0.05, 2.0);
        double crank = d * sin(TEST_PI / slots);
        double least = d * (1.0 - cos(TEST_PI / slots));
        carom_make_geneva_wheel wheel = { .slots = slots, .distance = d, .width = 0.1 * d, .steps = 6 + seed_ };
        wheel.pin = test_rng_uniform(&rng, 0.05, 0.1) * fmin(crank, d - crank);
        wheel.lock = least + test_rng_uniform(&rng, 0.3, 0.5) * (crank - least);
        wheel.clearance = 0.02 * wheel.pin;
        wheel.bore = seed_ % 2 ? 0.2 * (d - crank) : 0.0;
        mesh *m = made("geneva-wheel", &wheel);
        check_solid(m, wheel.bore > 0.0 ? 0 : 2);
        CHECK_LE(volume(m), wheel.width * TEST_PI * square(d * cos(TEST_PI / slots)));
        mesh_destroy(m);
        carom_make_geneva_disc disc = { slots, d, wheel.lock, 0.01 * d, 0.1 * d, 0.0, wheel.steps, 0.0 };
        disc.bore = seed_ % 3 ? 0.2 * least : 0.0;
        m = made("geneva-disc", &disc);
        check_solid(m, disc.bore > 0.0 ? 0 : 2);
        CHECK_LE(volume(m), disc.width * TEST_PI * square(disc.lock));
        CHECK_GE(volume(m), 0.4 * disc.width * TEST_PI * square(disc.lock));
        mesh_destroy(m);
    }
}

/* The wheel's angle while the pin is in a slot, from the middle of its turn. */
static double geneva_angle(double crank_angle, double ratio)
{
    return -atan2(ratio * sin(crank_angle), 1.0 - ratio * cos(crank_angle));
}

static mesh *geneva_crank(double angle)
{
    mesh *disc = made("geneva-disc", NULL);
    mesh *pin = made("cylinder", &(carom_make_cylinder){ 0.005, 0.02, 0.0 });
    move_mesh(pin, (carom_pose){ v3_make(0.1 * sin(TEST_PI / 4.0), 0, 0), so3_exp(v3_zero()) });
    mesh *crank = together(disc, pin);
    for (int i = 0; i < crank->vertex_count; ++i) {
        crank->vertices[i].z *= 1.1; /* else flat faces coincide */
    }
    move_mesh(crank, (carom_pose){ v3_make(0.1, 0, 0), so3_exp(v3_make(0, 0, TEST_PI + angle)) });
    mesh_destroy(disc);
    mesh_destroy(pin);
    return crank;
}

/* Through a whole turn of the crank, pin and disc never cut a wheel that moves as it should; one that is a degree off is cut,
 * in the dwell as well. */
TEST(make, a_geneva_drive_turns_and_locks)
{
    double ratio = sin(TEST_PI / 4.0);
    for (int i = -18; i <= 18; ++i) {
        double angle = (i * (i * i < 9 * 9 ? 5.0 : 10.0) + 0.3) * TEST_PI / 180.0;
        bool driven = fabs(angle) < TEST_PI / 4.0;
        double dwell = angle < 0.0 ? TEST_PI / 4.0 : -TEST_PI / 4.0;
        double psi = driven ? geneva_angle(angle, ratio) : dwell;
        for (int wrong = 0; wrong < 2; ++wrong) {
            mesh *wheel = made("geneva-wheel", NULL);
            mesh *crank = geneva_crank(angle);
            move_mesh(wheel, (carom_pose){ v3_zero(), so3_exp(v3_make(0, 0, TEST_PI / 4.0 + psi + 0.0175 * wrong)) });
            if (wrong) {
                CHECK_GE((double)cuts(wheel, crank), 1.0);
            } else {
                CHECK_EQ(cuts(wheel, crank), 0);
            }
            mesh_destroy(wheel);
            mesh_destroy(crank);
        }
    }
}

TEST(make, spirals_of_many_sizes_have_the_volume_of_the_formula)
{
    FOR_EACH_SEED(rng, 16) {
        carom_make_spiral s = { .radius = 0.05, .thickness = 0.004, .height = 0.01, .sectors = 48 + 5 * seed_ };
        s.angle = test_rng_uniform(&rng, 0.5, 12.0);
        s.end_radius = s.radius + (seed_ % 2 ? 1.0 : -1.0) * 0.008 * fmax(1.0, s.angle / 4.0);
        s.round = seed_ % 3 ? test_rng_uniform(&rng, 0.1, 3.0) : 0.0;
        double mean = 0.5 * (s.radius + s.end_radius) * s.angle + s.end_radius * s.round;
        check_made("spiral", &s, mean * s.thickness * s.height, 1.0 - 0.99 * part_of_circle(s.sectors), 2);
    }
}

/* ---- statue ------------------------------------------------------------------------------------------------------ */

TEST(make, the_statue_has_exactly_its_size)
{
    mesh *m = made("statue", NULL);
    CHECK_EQ(m->triangle_count, 231422);
    CHECK_EQ(m->vertex_count, 115713);
    check_solid(m, 2);
    v3 low, high;
    mesh_bounds(&low, &high, m);
    CHECK_NEAR(low.z, 0.0, 1e-12);
    CHECK_NEAR(high.z, 1.0, 1e-12);
    CHECK_LE(volume(m), 0.3 * (high.x - low.x) * (high.y - low.y)); /* far from convex */
    mesh_destroy(m);
}

TEST(make, statues_of_other_sizes)
{
    static const int sizes[] = { 25000, 30002 };
    double last = 0.0;
    for (int i = 0; i < 2; ++i) {
        carom_make_statue statue = { .height = 2.0, .triangles = sizes[i] };
        mesh *m = made("statue", &statue);
        CHECK_EQ(m->triangle_count, sizes[i]);
        check_solid(m, 2);
        CHECK_NEAR(volume(m), last > 0.0 ? last : volume(m), 0.03 * volume(m));
        last = volume(m);
        mesh_destroy(m);
    }
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static void check_refused(const char *kind, const void *params, const char *part)
{
    carom_error err = { 0 };
    mesh *m = NULL;
    CHECK_EQ(mesh_make(&m, kind, params, &err), CAROM_BAD_INPUT);
    CHECK(!m);
    CHECK_CONTAINS(err.message, part);
}

TEST(make, impossible_sizes_are_refused)
{
    check_refused("bxo", NULL, "did you mean 'box'");
    check_refused("sphere", &(carom_make_sphere){ .radius = -1.0 }, "radius");
    check_refused("sphere", &(carom_make_sphere){ .radius = (double)NAN }, "radius");
    check_refused("sphere", &(carom_make_sphere){ .radius = 1.0, .spacing = 1e-8 }, "spacing");
    check_refused("sphere", &(carom_make_sphere){ .radius = 1.0, .triangles = 2000000000 }, "triangles");
    check_refused("box", &(carom_make_box){ { 1.0, 0.0, 1.0 }, 0.0 }, "size");
    check_refused("cylinder", &(carom_make_cylinder){ 1.0, 1e8, 1e-3 }, "spacing");
    check_refused("torus", &(carom_make_torus){ 1.0, 1.0, 0.0 }, "thinner");
    check_refused("gear", &(carom_make_gear){ 0.001, 3, 0.35, 0.01, 0.0, 0.0, 8, 0.0 }, "teeth");
    check_refused("gear", &(carom_make_gear){ 0.001, 20, 0.35, 0.01, 0.02, 0.0, 8, 0.0 }, "bore");
    check_refused("gear", &(carom_make_gear){ 0.001, 6, 0.7, 0.01, 0.0, 0.0, 8, 0.0 }, "tip");
    check_refused("bolt", &(carom_make_bolt){ 0.01, 0.01, 0.05, 0.0, 48 }, "pitch");
    check_refused("bolt", &(carom_make_bolt){ 0.01, 0.0015, 0.05, 0.06, 48 }, "thread");
    check_refused("bolt", &(carom_make_bolt){ 0.01, 0.0015, 0.05, 0.0, 47 }, "multiple of 6");
    check_refused("nut", &(carom_make_nut){ 0.01, 0.0015, 0.001, 0.0, 48 }, "turns");
    check_refused("chain-link", &(carom_make_chain_link){ 0.01, 0.01, 0.02, 0.0 }, "longer than wide");
    check_refused("tube", &(carom_make_tube){ 0.02, 0.02, 0.1, 24, 0.0 }, "hole");
    check_refused("tube", &(carom_make_tube){ 0.02, 0.01, 0.1, 2, 0.0 }, "sectors");
    check_refused("link-plate", &(carom_make_link_plate){ 0.1, 0.02, 0.2, 0.0, 0.0, 0.01, 24, 0.0 }, "in the other");
    check_refused("link-plate", &(carom_make_link_plate){ 0.1, 0.02, 0.02, 0.02, 0.0, 0.01, 24, 0.0 }, "hole_1");
    check_refused("link-plate", &(carom_make_link_plate){ 0.1, 0.09, 0.09, 0.05, 0.05, 0.01, 24, 0.0 }, "meet");
    check_refused("link-plate", &(carom_make_link_plate){ 0.1, 0.02, 0.02, 0.0, 0.0, 0.01, 8, 0.0 }, "sectors");
    check_refused("sprocket", &(carom_make_sprocket){ 4, 0.01, 0.005, 0.0, 0.01, 0.0, 8, 0.0 }, "teeth");
    check_refused("sprocket", &(carom_make_sprocket){ 12, 0.01, 0.0095, 0.0, 0.01, 0.0, 8, 0.0 }, "seats");
    check_refused("sprocket", &(carom_make_sprocket){ 12, 0.01, 0.005, 0.0, 0.01, 0.034, 8, 0.0 }, "bore");
    check_refused("geneva-wheel", &(carom_make_geneva_wheel){ 2, 0.1, 0.005, 0.04, 0.0, 0.01, 0.0, 8, 0.0 }, "slots");
    check_refused("geneva-wheel", &(carom_make_geneva_wheel){ 4, 0.1, 0.02, 0.04, 0.0, 0.01, 0.0, 8, 0.0 }, "pin");
    check_refused("geneva-wheel", &(carom_make_geneva_wheel){ 4, 0.1, 0.005, 0.02, 0.0, 0.01, 0.0, 8, 0.0 }, "lock");
    check_refused("geneva-wheel", &(carom_make_geneva_wheel){ 4, 0.1, 0.005, 0.045, 0.0, 0.01, 0.05, 8, 0.0 },
                  "bore");
    check_refused("geneva-disc", &(carom_make_geneva_disc){ 4, 0.1, 0.02, 0.0, 0.01, 0.0, 8, 0.0 }, "lock");
    check_refused("geneva-disc", &(carom_make_geneva_disc){ 4, 0.1, 0.08, 0.0, 0.01, 0.0, 8, 0.0 }, "lock");
    check_refused("geneva-disc", &(carom_make_geneva_disc){ 4, 0.1, 0.04, 0.0, 0.01, 0.07, 8, 0.0 }, "bore");
    check_refused("spiral", &(carom_make_spiral){ 0.04, 0.03, 20.0, 0.0, 0.01, 0.01, 48, 0.0 }, "apart");
    check_refused("spiral", &(carom_make_spiral){ 0.04, 0.03, 1.0, 6.0, 0.01, 0.01, 48, 0.0 }, "apart");
    check_refused("spiral", &(carom_make_spiral){ 0.04, 0.004, 3.0, 0.0, 0.01, 0.01, 48, 0.0 }, "axis");
    check_refused("statue", &(carom_make_statue){ 1.0, 100 }, "25000");
    check_refused("statue", &(carom_make_statue){ 1.0, 50001 }, "even");
    check_refused("docking-latch", &(carom_make_docking_latch){ 0.1, 0.1, 0.1, 0.1, 0.01, 0.0, 0.0 }, "nose");
    check_refused("docking-latch", &(carom_make_docking_latch){ 0.1, 0.1, 0.1, 0.05, 0.01, 0.1, 0.0 }, "slope");
    check_refused("docking-catch", &(carom_make_docking_catch){ 0.1, 0.1, 0.1, 0.1, 0.1, 0.01, 0.0, 0.0 }, "ramp");
    check_refused("docking-catch", &(carom_make_docking_catch){ 0.1, 0.1, 0.1, 0.1, 0.05, 0.01, 0.5, 0.0 }, "slope");
    check_refused("docking-ring", &(carom_make_docking_ring){ 1.0, 2.0, 0.1, 0.0 }, "hole");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(make, every_kind_is_a_solid_with_its_defaults),
        RUN_TEST(make, volumes_are_those_of_the_formulas),
        RUN_TEST(make, docking_parts_have_their_shape),
        RUN_TEST(make, locking_faces_slope),
        RUN_TEST(make, spheres_of_at_least_so_many_triangles),
        RUN_TEST(make, spacing_bounds_the_edges_of_a_sphere),
        RUN_TEST(make, the_nut_turns_on_the_bolt),
        RUN_TEST(make, bolts_of_many_sizes_are_solid),
        RUN_TEST(make, gears_mesh),
        RUN_TEST(make, gears_of_many_sizes_are_solid),
        RUN_TEST(make, tubes_and_pins_have_the_volume_of_their_polygons),
        RUN_TEST(make, link_plates_of_many_sizes_have_the_volume_of_the_formula),
        RUN_TEST(make, a_pin_of_the_radius_of_the_hole_fits_into_the_link_plate),
        RUN_TEST(make, sprockets_of_many_sizes_are_solid),
        RUN_TEST(make, rollers_leave_their_seats_without_cutting_a_tooth),
        RUN_TEST(make, geneva_drives_of_many_sizes_are_solid),
        RUN_TEST(make, a_geneva_drive_turns_and_locks),
        RUN_TEST(make, spirals_of_many_sizes_have_the_volume_of_the_formula),
        RUN_TEST(make, the_statue_has_exactly_its_size),
        RUN_TEST(make, statues_of_other_sizes),
        RUN_TEST(make, impossible_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
