/* Round on round with exact features against closed forms: cylinders that roll off and rebound from each other, Euler's disk, a cone that
 * rolls about its tip. Variants of size, mass, stiffness and frame. */
#include "support/contact_scene.h"
#include "support/samples.h"

static const double PI = 3.14159265358979323846;

static quat turn_about(v3 axis, double angle)
{
    return so3_exp(v3_scale(angle, axis));
}

static const v3 X = { 1, 0, 0 }, Y = { 0, 1, 0 }, Z = { 0, 0, 1 };

/* ---- a cylinder on a cylinder ------------------------------------------------------------------------------------- */

/* The angle of the line of centres after a time, rolling without slip: (R + r) theta'' = 2/3 g sin theta. */
static double rolled_angle(double start, double rate, double centres, double time)
{
    enum { STEPS = 2000 };
    double h = time / STEPS;
    double a = start, w = rate;
    for (int i = 0; i < STEPS; ++i) {
        double c = 2.0 / 3.0 * 9.81 / centres;
        double k1 = c * sin(a), a2 = a + 0.5 * h * w;
        double k2 = c * sin(a2), w2 = w + 0.5 * h * k1, a3 = a + 0.5 * h * w2;
        double k3 = c * sin(a3), w3 = w + 0.5 * h * k2, a4 = a + h * w3;
        double k4 = c * sin(a4), w4 = w + h * k3;
        a += h / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        w += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return a;
}

typedef struct roll_off {
    double below, above; /* [m] radii */
    double length;       /* [m] of the upper one; the lower one has 0.2 m */
    double mass;
    quat turned; /* of the whole world */
} roll_off;

static double roll_error(const roll_off *r)
{
    char shapes[2][100], mass[40], contact[200];
    const double start = 0.15, time = 0.35;
    double centres = r->below + r->above;
    snprintf(shapes[0], sizeof shapes[0], "{\"cylinder\": {\"radius\": %.17g, \"length\": 0.2}}", r->below);
    snprintf(shapes[1], sizeof shapes[1], "{\"cylinder\": {\"radius\": %.17g, \"length\": %.17g}}", r->above,
             r->length);
    snprintf(mass, sizeof mass, "\"mass\": %.17g,", r->mass);
    snprintf(
        contact, sizeof contact,
        "{\"method\": \"compliant\", \"features\": \"exact\", \"law\": {\"hunt-crossley\": {\"k\": %.17g, \"n\": 1}},"
        " \"restitution\": 0.3, \"friction\": {\"coulomb\": {\"mu\": 0.5, \"v_e\": 1e-4}}}",
        1e9 * r->mass);
    contact_scene c = { .contact = contact, .time = "\"end\": 1", .gravity = { 0, 0, -9.81 }, .body_count = 2 };
    quat lying = turn_about(X, PI / 2);
    c.bodies[0] = (scene_body){ .name = "log", .shape = shapes[0], .more = "\"fixed\": true,", .orientation = lying };
    c.bodies[1] = (scene_body){ .name = "roller",
                                .shape = shapes[1],
                                .more = mass,
                                .position = v3_scale(centres, v3_make(sin(start), 0, cos(start))),
                                .orientation = lying };
    c.frame.orientation = r->turned;
    sim s = scene_start(&c, 1);
    sim_advance(&s, time);
    v3 x = q_unrotate(r->turned, sim_position(&s, "roller"));
    CHECK_LE(fabs(x.y), 1e-9); /* no way along the axis */
    CHECK_NEAR(sqrt(x.x * x.x + x.z * x.z), centres, 1e-6);
    sim_end(&s);
    return atan2(x.x, x.z) - rolled_angle(start, 0.0, centres, time);
}

TEST(cylinders, roll_off_each_other)
{
    static const roll_off cases[] = {
        { 0.1, 0.05, 0.1, 1.0, { 1, 0, 0, 0 } },
        { 0.1, 0.05, 0.2, 1.0, { 1, 0, 0, 0 } },
        { 0.1, 0.05, 0.3, 1.0, { 1, 0, 0, 0 } },
        { 0.07, 0.13, 0.15, 20.0, { 0.8, 0, 0.6, 0 } },
        { 0.2, 0.02, 0.25, 0.05, { 0.5, 0.5, -0.5, 0.5 } },
    };
    for (int k = 0; k < 5; ++k) {
        double error = roll_error(&cases[k]);
        printf("  %.2f m on %.2f m, length %.2f m on 0.2 m: angle off by %.1e\n", cases[k].above, cases[k].below,
               cases[k].length, error);
        CHECK_LE(fabs(error), 1e-3);
    }
}

/* Velocity of body 0 after an elastic impact of two bodies of 1 kg at a place, along n. */
static v3 rebound(const v3 arm[2], const m3 inverse_inertia_w[2], v3 n, v3 v)
{
    double w = 2.0;
    for (int k = 0; k < 2; ++k) {
        v3 rn = v3_cross(arm[k], n);
        w += v3_dot(rn, m3_mulv(inverse_inertia_w[k], rn));
    }
    return v3_axpy(v, -2.0 * v3_dot(v, n) / w, n);
}

/* Cylinders that cross at an angle, off their middles, by a Hertzian law: the error of velocities. */
static double crossed_error(double angle, double radius, double k)
{
    char shape[100], contact[160];
    const double other = 0.05, length = 0.4;
    snprintf(shape, sizeof shape, "{\"cylinder\": {\"radius\": %.17g, \"length\": 0.4}}", radius);
    snprintf(contact, sizeof contact,
             "{\"method\": \"compliant\", \"features\": \"exact\", \"law\": {\"hertz\": {\"k\": %.17g, \"n\": 1.5}}}",
             k);
    contact_scene c = { .contact = contact, .time = "\"end\": 1, \"tolerance\": 1e-10", .body_count = 2 };
    quat q[2] = { q_mul(turn_about(Z, angle), turn_about(Y, PI / 2)), turn_about(Y, PI / 2) };
    double radii[2] = { radius, other };
    v3 arm[2] = { v3_axpy(v3_make(0, 0, -radius), -0.06, q_rotate(q[0], Z)), v3_make(0.05, 0, other) };
    m3 inverse_inertia[2];
    for (int i = 0; i < 2; ++i) {
        double across = (3.0 * radii[i] * radii[i] + length * length) / 12.0;
        inverse_inertia[i] = m3_rotate_tensor(q_matrix(q[i]),
                                              m3_diag(1 / across, 1 / across, 2 / (radii[i] * radii[i])));
        c.bodies[i] = (scene_body){ .name = i == 0 ? "upper" : "lower",
                                    .shape = i == 0 ? shape : "{\"cylinder\": {\"radius\": 0.05, \"length\": 0.4}}",
                                    .more = "\"mass\": 1,",
                                    .position = v3_axpy(v3_neg(arm[i]), i == 0 ? 1e-4 : 0.0, Z),
                                    .orientation = q[i] };
    }
    c.bodies[0].velocity = v3_make(0, 0, -1);
    sim s = scene_start(&c, 1);
    sim_advance(&s, 2e-4 + 12.0 * pow(k, -0.4)); /* an impact lasts 3.2 (m / k)^0.4 at 1 m/s */
    v3 v = v3_make(sim_signal(&s, "upper.velocity.x"), sim_signal(&s, "upper.velocity.y"),
                   sim_signal(&s, "upper.velocity.z"));
    CHECK_EQ(sim_signal(&s, "contact.count"), 0.0);
    sim_end(&s);
    return v3_norm(v3_sub(v, rebound(arm, inverse_inertia, Z, v3_make(0, 0, -1))));
}

/* The error falls with the depth, k^-0.4. */
TEST(cylinders, rebound_crossed)
{
    static const struct {
        double angle, radius;
    } cases[] = { { PI / 2, 0.05 }, { 1.0, 0.08 }, { 0.5, 0.03 } };
    for (int i = 0; i < 3; ++i) {
        double soft = crossed_error(cases[i].angle, cases[i].radius, 1e9);
        double stiff = crossed_error(cases[i].angle, cases[i].radius, 1e11);
        printf("  crossed at %.2f: error of v %.2e at k = 1e9, %.2e at 1e11, ratio %.2f\n", cases[i].angle, soft,
               stiff, soft / stiff);
        CHECK_NEAR(soft / stiff, 6.3, 0.6);
        CHECK_LE(stiff, 5e-4);
    }
}

/* ---- Euler's disk ------------------------------------------------------------------------------------------------- */

/* Precession [rad/s] of a disk that rolls on its rim at a tilt with its middle at rest. About the middle the contact is at
 * R d - h n, and so is the angular velocity, w (R d - h n) with w R = -Omega sin(tilt). */
static double disk_precession(double R, double h, double tilt)
{
    double I3 = 0.5 * R * R, I1 = 0.25 * R * R + h * h / 3.0;
    double arm = R * cos(tilt) - h * sin(tilt);
    return sqrt(9.81 * arm / (sin(tilt) * (I1 * cos(tilt) - I3 * h / R * sin(tilt))));
}

static void check_disk(double R, double h, double tilt, double k)
{
    char shape[100], contact[200];
    snprintf(shape, sizeof shape, "{\"cylinder\": {\"radius\": %.17g, \"length\": %.17g}}", R, 2.0 * h);
    snprintf(
        contact, sizeof contact,
        "{\"method\": \"compliant\", \"features\": \"exact\", \"law\": {\"hunt-crossley\": {\"k\": %.17g, \"n\": 1}},"
        " \"restitution\": 0.5, \"friction\": 0.3}",
        k);
    contact_scene c = { .contact = contact, .time = "\"end\": 1", .gravity = { 0, 0, -9.81 }, .body_count = 2 };
    double omega = disk_precession(R, h, tilt);
    v3 n = v3_make(sin(tilt), 0, cos(tilt)), d = v3_make(cos(tilt), 0, -sin(tilt));
    double high = R * sin(tilt) + h * cos(tilt);
    c.bodies[0] = (scene_body){ .name = "table", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
    c.bodies[1] = (scene_body){ .name = "disk",
                                .shape = shape,
                                .more = "\"mass\": 0.4,",
                                .position = { 0, 0, high - 0.4 * 9.81 / k },
                                .orientation = turn_about(Y, tilt),
                                .spin = v3_scale(-omega * sin(tilt) / R, v3_axpy(v3_scale(R, d), -h, n)) };
    sim s = scene_start(&c, 1);
    double before = sim_ledger(&s).kinetic, turned = 0.0, last = 0.0, wander = 0.0;
    while (sim_before(&s, 1.0)) {
        sim_step(&s, 1.0);
        carom_pose pose = carom_state_pose(s.model, s.state, sim_body(&s, "disk"));
        v3 up = q_rotate(pose.orientation, Z);
        double angle = atan2(up.y, up.x);
        turned += remainder(angle - last, 2 * PI);
        last = angle;
        v3 x = pose.position;
        wander = fmax(wander, v3_norm(v3_sub(x, v3_make(0, 0, high))));
    }
    double lost = sim_signal(&s, "lost.friction") + sim_signal(&s, "lost.contact");
    printf("  R %.3f, h %.3f, tilt %.2f: %.1f turns, off by %.1e; middle within %.1e m, lost %.1e of the energy\n", R,
           h, tilt, turned / (2 * PI), turned / omega - 1.0, wander, lost / before);
    CHECK_NEAR(turned / omega, 1.0, 1e-4);
    CHECK_LE(wander, 2e-5);
    CHECK_LE(lost, 1e-5 * before);
    sim_end(&s);
}

TEST(disk, keeps_its_middle_and_precesses)
{
    check_disk(0.0375, 0.0065, 0.25, 1e8);
    check_disk(0.1, 0.002, 0.1, 1e8);
    check_disk(0.05, 0.02, 0.7, 1e9);
}

/* ---- a cone about its tip ----------------------------------------------------------------------------------------- */

/* Lying on a plane, it rolls about its tip: angular velocity along the line of contact. */
static void check_cone(double radius, double height, double omega, quat turned)
{
    char shape[100];
    double slant = sqrt(radius * radius + height * height);
    double half = atan2(radius, height);
    snprintf(shape, sizeof shape, "{\"cone\": {\"radius\": %.17g, \"height\": %.17g}}", radius, height);
    contact_scene c = {
        .contact =
            "{\"method\": \"compliant\", \"features\": \"exact\", \"law\": {\"hunt-crossley\": {\"k\": 1e8, \"n\": 1}},"
            " \"restitution\": 0.3, \"friction\": {\"coulomb\": {\"mu\": 0.8, \"v_e\": 1e-4}}}",
        .time = "\"end\": 1",
        .gravity = { 0, 0, -9.81 },
        .body_count = 2,
        .frame = { .orientation = turned }
    };
    /* tip at the origin, line of contact along x: the axis goes up from the tip to the base by half the angle of the tip */
    v3 to_base = v3_make(cos(half), 0, sin(half));
    quat q = turn_about(Y, -PI / 2 - half); /* takes z to the direction from the base to the tip */
    v3 base = v3_scale(height, to_base);
    /* precession about z and turning about the axis make the line of contact rest: omega along x */
    v3 spin = v3_scale(-omega / tan(half), X);
    c.bodies[0] = (scene_body){ .name = "table", .shape = "{\"plane\": [0, 0, 1]}", .more = "\"fixed\": true," };
    c.bodies[1] = (scene_body){
        .name = "cone", .shape = shape, .more = "\"mass\": 1,", .orientation = q, .position = base
    };
    c.bodies[1].spin = spin;
    check_v3_near(q_rotate(q, Z), v3_neg(to_base), 1e-14);
    c.bodies[1].velocity = v3_cross(spin, base);
    sim s = scene_start(&c, 1);
    double way = 0.0, last = 0.0, wander = 0.0;
    while (sim_before(&s, 1.0)) {
        sim_step(&s, 1.0);
        carom_pose pose = carom_state_pose(s.model, s.state, sim_body(&s, "cone"));
        v3 at = q_unrotate(turned, pose.position);
        v3 tip = q_unrotate(turned, v3_axpy(pose.position, height, q_rotate(pose.orientation, Z)));
        double angle = atan2(at.y - tip.y, at.x - tip.x);
        way += remainder(angle - last, 2 * PI);
        last = angle;
        wander = fmax(wander, v3_norm(tip));
    }
    printf("  cone %.2f x %.2f m (side %.2f): turned by %.5f of %.5f; its tip stayed within %.1e m\n", radius, height,
           slant, way, omega, wander);
    CHECK_NEAR(way / omega, 1.0, 2e-3);
    CHECK_LE(fabs(sim_ledger(&s).residue), 1e-5 * sim_ledger(&s).kinetic);
    sim_end(&s);
}

TEST(cone, rolls_about_its_tip)
{
    check_cone(0.05, 0.1, 3.0, (quat){ 1, 0, 0, 0 });
    check_cone(0.1, 0.1, 2.0, (quat){ 0.6, 0, 0.8, 0 });
    check_cone(0.03, 0.15, -1.5, (quat){ 0.5, 0.5, 0.5, 0.5 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(cylinders, roll_off_each_other),
        RUN_TEST(cylinders, rebound_crossed),
        RUN_TEST(disk, keeps_its_middle_and_precesses),
        RUN_TEST(cone, rolls_about_its_tip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
