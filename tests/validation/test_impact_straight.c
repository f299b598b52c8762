/* Prisms that slide straight on several corners, back and forth: they do not turn, whatever shares their weight.
 *
 * Coulomb's oscillator: on a spring of stiffness k every half swing takes pi sqrt(m / k) and ends 2 mu m g / k nearer to the
 * middle than the one before; the prism stays where it turns within mu m g / k of it. Normal forces are those of least norm:
 * an affine function of where the corners are, so that corners that are alike carry alike. */
#include "dynamics/contact.h"
#include "math/quat.h"
#include "model/method.h"
#include "support/impact_run.h"
#include "support/scratch_folder.h"

static const double PI = 3.14159265358979323846;

typedef struct slider {
    int corners;
    double radius, height; /* [m] of the prism */
    double turned;         /* [rad] about its axis at the start */
    double mass, mu, g;
    double k;         /* [N/m] towards the origin; 0: none */
    bool spring;      /* a spring with a far end, else a load */
    double x, v;      /* [m], [m/s] at the start, along the way */
    double heading;   /* [rad] of the way */
    double low, fore; /* [m] centre of mass below the middle, and along the way */
    quat frame;       /* of the whole scene */
} slider;

/* ---- the scene ---------------------------------------------------------------------------------------------------- */

static void write_prism(const slider *s, const char *path)
{
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    for (int k = 0; k < 2 * s->corners; ++k) {
        double angle = s->turned + 2.0 * PI * (k % s->corners) / s->corners;
        fprintf(f, "v %.17g %.17g %.17g\n", s->radius * cos(angle), s->radius * sin(angle),
                (k < s->corners ? -0.5 : 0.5) * s->height);
    }
    for (int k = 0; k < s->corners; ++k) {
        int next = (k + 1) % s->corners;
        fprintf(f, "f %d %d %d\nf %d %d %d\n", 1 + k, 1 + next, 1 + s->corners + next, 1 + k, 1 + s->corners + next,
                1 + s->corners + k);
    }
    for (int k = 1; k + 1 < s->corners; ++k) {
        fprintf(f, "f 1 %d %d\nf %d %d %d\n", 2 + k, 1 + k, s->corners + 1, s->corners + 1 + k, s->corners + 2 + k);
    }
    CHECK(fclose(f) == 0);
}

static v3 in_scene(const slider *s, double x, double y, double z)
{
    return q_rotate(s->frame, (v3){ x, y, z });
}

static v3 way(const slider *s)
{
    return in_scene(s, cos(s->heading), sin(s->heading), 0.0);
}

/* At the centre of mass, along the way. The far end of a spring is behind all places that the prism comes to. */
static void write_force(const slider *s, char *out, size_t room)
{
    v3 d = way(s);
    if (s->spring) {
        v3 middle = v3_add(v3_scale(s->fore, d), in_scene(s, 0.0, 0.0, 0.5 * s->height - s->low));
        double length = 3.0 * fabs(s->x);
        v3 a = v3_axpy(middle, -length, d);
        v3 b = v3_axpy(middle, s->x, d);
        snprintf(
            out, room,
            "{\"name\": \"pull\", \"type\": \"spring\", \"bodies\": [\"floor\", \"prism\"], \"at\": [%.17g, %.17g, "
            "%.17g], \"at_b\": [%.17g, %.17g, %.17g], \"stiffness\": %.17g, \"free_length\": %.17g}",
            a.x, a.y, a.z, b.x, b.y, b.z, s->k, length);
        return;
    }
    char along[256];
    snprintf(along, sizeof along,
             "-%.17g*(prism.position.x*(%.17g)+prism.position.y*(%.17g)+prism.position.z*(%.17g))", s->k, d.x, d.y,
             d.z);
    snprintf(out, room,
             "{\"name\": \"pull\", \"type\": \"load\", \"body\": \"prism\", \"force\": [\"(%.17g)*(%s)\", "
             "\"(%.17g)*(%s)\", \"(%.17g)*(%s)\"]}",
             d.x, along, d.y, along, d.z, along);
}

static impact_run start_slider(const slider *s, double end)
{
    char path[128];
    char force[2048];
    snprintf(path, sizeof path, "%s/prism.obj", scratch_folder);
    write_prism(s, path);
    write_force(s, force, sizeof force);
    v3 n = in_scene(s, 0.0, 0.0, 1.0);
    v3 at = v3_axpy(v3_scale(0.5 * s->height, n), s->x, way(s));
    v3 v = v3_scale(s->v, way(s));
    v3 com = q_unrotate(s->frame, v3_scale(s->fore, way(s)));
    double I = s->mass * s->radius * s->radius / 4.0;
    return run_start(
        "{ \"carom\": 1, \"gravity\": [%.17g, %.17g, %.17g], \"time\": {\"end\": %.17g, \"preset\": "
        "\"accurate\"}, \"contact\": {\"method\": \"impact\", \"restitution\": 0, \"friction\": "
        "{\"coulomb\": %.17g}}, \"bodies\": [ {\"name\": \"floor\", \"fixed\": true, \"shape\": "
        "{\"plane\": [%.17g, %.17g, %.17g]}}, {\"name\": \"prism\", \"shape\": {\"mesh\": \"%s\"}, "
        "\"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], \"center_of_mass\": [%.17g, %.17g, %.17g], "
        "\"position\": [%.17g, %.17g, %.17g], \"orientation\": [%.17g, %.17g, %.17g, %.17g], "
        "\"velocity\": [%.17g, %.17g, %.17g]} ], \"forces\": [ %s ] }",
        -s->g * n.x, -s->g * n.y, -s->g * n.z, end, s->mu, n.x, n.y, n.z, path, s->mass, I, I, 2.0 * I, com.x, com.y,
        -s->low, at.x, at.y, at.z, s->frame.w, s->frame.x, s->frame.y, s->frame.z, v.x, v.y, v.z,
        s->k > 0.0 ? force : "");
}

/* ---- what must be ------------------------------------------------------------------------------------------------- */

/* Where it comes to rest, and when, from rest at x or with speed v and without a spring. */
static double rest_place(const slider *s, double *t, int *swings)
{
    if (!(s->k > 0.0)) {
        *swings = 1;
        *t = fabs(s->v) / (s->mu * s->g);
        return s->x + 0.5 * s->v * fabs(s->v) / (s->mu * s->g);
    }
    double step = s->mu * s->mass * s->g / s->k;
    double x = s->x;
    *swings = 0;
    while (fabs(x) > step) {
        x = x > 0.0 ? 2.0 * step - x : -2.0 * step - x;
        ++*swings;
    }
    *t = *swings * PI * sqrt(s->mass / s->k);
    return x;
}

typedef struct miss {
    double uneven;   /* normal forces, from an affine function of the place, of the weight */
    double friction; /* of slipping corners: from mu N against the way, of the weight */
    double yaw;      /* [rad] */
    double across;   /* [m] */
} miss;

/* The affine function with the same sum and moments, N = f[0] + f[1] x + f[2] y: least squares, by Gauss and Jordan. */
static void fit_affine(double (*row)[4], int count, double f[3])
{
    double A[3][4] = { { 0.0 } };
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 4; ++j) {
                A[i][j] += row[k][i] * row[k][j];
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double factor = j == i ? 0.0 : A[j][i] / A[i][i];
            for (int l = 0; l < 4; ++l) {
                A[j][l] -= factor * A[i][l];
            }
        }
    }
    for (int i = 0; i < 3; ++i) {
        f[i] = A[i][3] / A[i][i];
    }
}

/* How far normal forces are from that function [N]; nothing where it would pull at a corner: others share then. */
static double unevenness(const slider *s, const carom_contact_point *p, int count)
{
    double row[8][4];
    double f[3];
    double worst = 0.0;
    for (int k = 0; k < count; ++k) {
        v3 r = q_unrotate(s->frame, v3_sub(p[k].position, p[0].position));
        row[k][0] = 1.0;
        row[k][1] = r.x / s->radius;
        row[k][2] = r.y / s->radius;
        row[k][3] = v3_dot(p[k].force, p[k].normal);
    }
    fit_affine(row, count, f);
    for (int k = 0; k < count; ++k) {
        double even = f[0] + f[1] * row[k][1] + f[2] * row[k][2];
        if (even < 1e-6 * s->mass * s->g) {
            return 0.0;
        }
        worst = fmax(worst, fabs(row[k][3] - even));
    }
    return worst;
}

static void look_at_forces(const slider *s, const impact_run *r, miss *out)
{
    int count = 0;
    const carom_contact_point *p = r->s.model->method->forces->points(r->s.scratch->contact, &count);
    double weight = s->mass * s->g;
    double speed = fabs(v3_dot(run_velocity(r, "prism"), way(s)));
    CHECK(count == s->corners);
    if (!(speed > 1e-6)) {
        return; /* held: each within its own bound, which may ask for other shares */
    }
    out->uneven = fmax(out->uneven, unevenness(s, p, count) / weight);
    for (int k = 0; k < count; ++k) {
        double N = v3_dot(p[k].force, p[k].normal);
        v3 friction = v3_axpy(p[k].force, -N, p[k].normal);
        double along = v3_dot(friction, way(s));
        v3 across = v3_axpy(friction, -along, way(s));
        out->friction = fmax(out->friction, fmax(fabs(fabs(along) - s->mu * N), v3_norm(across)) / weight);
    }
}

static void look_at_motion(const slider *s, const impact_run *r, miss *out)
{
    carom_pose pose = carom_state_pose(r->s.model, r->s.state, sim_body(&r->s, "prism"));
    quat turn = q_mul(q_conj(s->frame), pose.orientation);
    v3 x = q_unrotate(s->frame, pose.position);
    double across = x.y * cos(s->heading) - x.x * sin(s->heading);
    out->yaw = fmax(out->yaw, 2.0 * fabs(turn.z));
    out->across = fmax(out->across, fabs(across));
}

static void check_slider(const slider *s)
{
    int swings = 0;
    double t = 0.0;
    double expected = rest_place(s, &t, &swings);
    impact_run r = start_slider(s, 1.1 * t);
    miss worst = { 0 };
    while (sim_before(&r.s, 1.1 * t)) {
        run_step(&r, 1.1 * t);
        look_at_forces(s, &r, &worst);
        look_at_motion(s, &r, &worst);
    }
    double x = v3_dot(carom_state_pose(r.s.model, r.s.state, sim_body(&r.s, "prism")).position, way(s));
    double size = fabs(s->x) + fabs(expected);
    char name[64];
    snprintf(name, sizeof name, "%d corners, %d swings, %ld steps", s->corners, swings, r.s.steps);
    table_row(name, x, expected);
    printf("    yaw %.1e rad, across %.1e m, uneven %.1e, friction off by %.1e\n", worst.yaw, worst.across,
           worst.uneven, worst.friction);
    fflush(stdout);
    CHECK_NEAR(x, expected, 1e-6 * size);
    CHECK_LE(worst.yaw, 1e-9);
    CHECK_LE(worst.across, 1e-9 * size);
    CHECK_LE(worst.uneven, 1e-8);
    CHECK_LE(worst.friction, 1e-8);
    CHECK_LE((double)run_count(&r, CAROM_EVENT_STICK), (double)s->corners); /* at the end, each once */
    CHECK(run_count(&r, CAROM_EVENT_CONTACT_OFF) == 0);
    CHECK_LE((double)r.s.steps, 600.0 * (swings + 1));
    run_end(&r);
}

/* ---- many of them ------------------------------------------------------------------------------------------------- */

static quat any_turn(test_rng *rng)
{
    quat q = { test_rng_uniform(rng, -1.0, 1.0), test_rng_uniform(rng, -1.0, 1.0), test_rng_uniform(rng, -1.0, 1.0),
               test_rng_uniform(rng, 0.1, 1.0) };
    return q_unit(q);
}

/* Any size, mass, coefficient, way; low enough not to tip. The centre of mass may be off along the way: that turns nothing.
 */
static slider any_slider(unsigned seed)
{
    test_rng rng = test_rng_seed(seed);
    slider s = { .corners = 3 + (int)(seed % 4), .frame = q_identity() };
    s.radius = pow(10.0, test_rng_uniform(&rng, -2.0, 0.5));
    s.height = s.radius * test_rng_uniform(&rng, 0.2, 1.2);
    s.turned = test_rng_uniform(&rng, 0.0, 6.3);
    s.mass = pow(10.0, test_rng_uniform(&rng, -3.0, 3.0));
    s.g = test_rng_uniform(&rng, 1.0, 20.0);
    s.low = s.height * test_rng_uniform(&rng, -0.3, 0.4);
    s.heading = test_rng_uniform(&rng, 0.0, 6.3);
    double inside = s.radius * cos(PI / s.corners);
    s.fore = seed % 3 == 0 ? inside * test_rng_uniform(&rng, -0.3, 0.3) : 0.0;
    double most = (0.8 * inside - fabs(s.fore)) / (0.5 * s.height - s.low);
    s.mu = fmin(most, 1.2) * test_rng_uniform(&rng, 0.05, 1.0);
    return s;
}

TEST(straight, oscillators_on_corners_lose_two_steps_a_half_swing)
{
    table_head("place of rest [m]");
    for (unsigned seed = 1; seed <= 48; ++seed) {
        test_rng rng = test_rng_seed(1000 + seed);
        slider s = any_slider(seed);
        double step = s.radius * pow(10.0, test_rng_uniform(&rng, -1.5, 0.5)); /* mu m g / k */
        s.k = s.mu * s.mass * s.g / step;
        s.x = step * test_rng_uniform(&rng, 2.2, 16.0) * (seed % 2 ? 1.0 : -1.0);
        s.frame = seed > 24 ? any_turn(&rng) : s.frame;
        s.spring = seed % 5 == 0;
        check_slider(&s);
    }
}

TEST(straight, thrown_prisms_stop_where_friction_has_taken_their_energy)
{
    table_head("place of rest [m]");
    for (unsigned seed = 101; seed <= 124; ++seed) {
        test_rng rng = test_rng_seed(1000 + seed);
        slider s = any_slider(seed);
        s.v = sqrt(s.g * s.radius) * pow(10.0, test_rng_uniform(&rng, -1.0, 1.0)) * (seed % 2 ? 1.0 : -1.0);
        s.frame = seed > 112 ? any_turn(&rng) : s.frame;
        check_slider(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(straight, oscillators_on_corners_lose_two_steps_a_half_swing),
        RUN_TEST(straight, thrown_prisms_stop_where_friction_has_taken_their_energy),
    };
    return cmocka_run_group_tests(tests, make_scratch_folder, remove_scratch_folder);
}
