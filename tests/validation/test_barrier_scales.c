/* Copies of scenes in other sizes move alike, and other steps are solved too.
 *
 * Lengths times L, times and steps times sqrt(L), speeds times sqrt(L), gravity and densities as they are: every force is times L^3,
 * so that the motion is the same in scaled units. It is compared after the same number of steps, within 1 % of the size of the
 * bodies, for sizes from 0.001 to 1000. Steps from a tenth to ten times are other approximations of the motion and are not
 * compared: they must be solved, without intersections.
 *
 * CAROM_BARRIER_SCALES=STEPS runs longer than by default; then the rings, which swing freely, part by their own chaos. */
#include "sim/verify.h"

#include "dynamics/work.h"
#include "math/quat.h"
#include "support/sim.h"

enum { TEXT = 8192, BODIES = 8, STEPS = 60 };

typedef struct writing {
    char text[TEXT];
    size_t n;
    double L; /* times all lengths */
} writing;

__attribute__((format(printf, 2, 3))) static void add(writing *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    w->n += (size_t)vsnprintf(w->text + w->n, TEXT - w->n, format, arguments);
    va_end(arguments);
    CHECK(w->n < TEXT);
}

static void add_place(writing *w, double x, double y, double z)
{
    add(w, ", \"position\": [%.17g, %.17g, %.17g]", w->L * x, w->L * y, w->L * z);
}

static void add_velocity(writing *w, double x, double y, double z)
{
    double s = sqrt(w->L);
    add(w, ", \"velocity\": [%.17g, %.17g, %.17g]", s * x, s * y, s * z);
}

static void add_box(writing *w, const char *name, double x, double y, double z)
{
    add(w, ", {\"name\": \"%s\", \"density\": 1000, \"shape\": {\"box\": [%.17g, %.17g, %.17g]}", name, w->L * x,
        w->L * y, w->L * z);
}

#define FLOOR "{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}}"

static void head(writing *w, double h, double mu, double e, const char *gravity)
{
    w->n = 0;
    add(w,
        "{\"carom\": 1, \"gravity\": %s, \"time\": {\"end\": 1e6, \"step\": %.17g}, \"contact\": {\"method\": \"barrier\", "
        "\"range\": %.17g, \"friction\": %.17g, \"stick_speed\": %.17g, \"restitution\": %.17g}, \"bodies\": [",
        gravity, h * sqrt(w->L), 1e-3 * w->L, mu, 1e-3 * sqrt(w->L), e);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------------- */

static void five_cubes(writing *w, double h)
{
    head(w, h, 0.1, 0.0, "[0, 0, -9.81]");
    add(w, FLOOR);
    for (int k = 0; k < 5; ++k) {
        char name[32];
        snprintf(name, sizeof name, "cube %d", k);
        add_box(w, name, 1.0, 1.0, 1.0);
        add_place(w, 0.05 * (k % 2), -0.03 * (k % 3), 0.51 + 1.02 * k);
        add(w, "}");
    }
    add(w, "]}");
}

/* A chain of three that hangs along x, the first one fixed; links have room of a tube's radius. */
static void three_rings(writing *w, double h)
{
    head(w, h, 0.0, 0.0, "[9.81, 0, 0]");
    for (int k = 0; k < 3; ++k) {
        add(w,
            "%s{\"name\": \"ring %d\", \"density\": 1000, \"fixed\": %s, \"shape\": {\"make\": {\"type\": \"torus\", "
            "\"ring_radius\": %.17g, \"tube_radius\": %.17g, \"spacing\": %.17g}}",
            k ? ", " : "", k, k ? "false" : "true", w->L, 0.2 * w->L, 0.25 * w->L);
        add_place(w, 1.4 * k, 0.0, 0.0);
        if (k == 1) {
            add(w, ", \"orientation\": {\"axis\": [1, 0, 0], \"angle\": 1.5}");
        }
        add(w, "}");
    }
    add(w, "]}");
}

static void rolling_ball(writing *w, double h)
{
    head(w, h, 0.3, 0.0, "[0, 0, -9.81]");
    add(w, FLOOR ", {\"name\": \"ball\", \"density\": 1000, \"shape\": {\"sphere\": %.17g}", 0.5 * w->L);
    add_place(w, 0.0, 0.0, 0.502);
    add_velocity(w, 1.0, 0.2, 0.0);
    add(w, "}]}");
}

static void bouncing_ball(writing *w, double h)
{
    head(w, h, 0.0, 0.6, "[0, 0, -9.81]");
    add(w, FLOOR ", {\"name\": \"ball\", \"density\": 1000, \"shape\": {\"sphere\": %.17g}", 0.5 * w->L);
    add_place(w, 0.0, 0.0, 0.7);
    add(w, "}]}");
}

/* Two cards lean against each other. */
static void card_tent(writing *w, double h)
{
    double a = 1.1; /* [rad] */
    head(w, h, 0.9, 0.0, "[0, 0, -9.81]");
    add(w, FLOOR);
    for (int side = -1; side <= 1; side += 2) {
        add_box(w, side < 0 ? "left" : "right", 1.0, 0.6, 0.02);
        add_place(w, side * (0.5 * cos(a) + 0.5 * 0.02 * sin(a) + 0.002), 0.0,
                  0.5 * sin(a) + 0.5 * 0.02 * cos(a) + 0.002);
        add(w, ", \"orientation\": {\"axis\": [0, 1, 0], \"angle\": %.17g}}", side * a);
    }
    add(w, "]}");
}

/* On a hinge, against a wall. */
static void pendulum(writing *w, double h)
{
    head(w, h, 0.2, 0.0, "[0, 0, -9.81]");
    add(w, "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"plane\": [1, 0, 0]}");
    add_place(w, -0.2, 0.0, 0.0);
    add(w, "}");
    add_box(w, "bar", 1.0, 0.1, 0.1);
    add_place(w, 0.5, 0.0, 0.0);
    add(w,
        "}], \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"bar\"], \"at\": [0, 0, 0], "
        "\"axis\": [0, 1, 0]}]}");
}

typedef struct scene {
    const char *name;
    void (*write)(writing *, double);
    double h; /* [s] */
} scene;

static const scene scenes[] = {
    { "five cubes", five_cubes, 0.01 },     { "three rings", three_rings, 0.01 },
    { "rolling ball", rolling_ball, 0.01 }, { "bouncing ball", bouncing_ball, 0.01 },
    { "card tent", card_tent, 0.01 },       { "pendulum", pendulum, 0.01 },
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* ---- runs --------------------------------------------------------------------------------------------------------------- */

typedef struct ending {
    carom_pose pose[BODIES]; /* in scaled units */
    int count;
    long cut_short, intersections;
    int contacts; /* most of all steps: a scene without any would show nothing */
    carom_status status;
    char why[1024];
} ending;

static void look(verifier *v, const sim *s)
{
    carom_error err = { 0 };
    carom_pose pose[BODIES];
    CHECK(s->model->body_count <= BODIES);
    for (int i = 0; i < s->model->body_count; ++i) {
        pose[i] = carom_state_pose(s->model, s->state, i);
    }
    CHECK_OK(verifier_frame(v, sim_time(s), pose, &err), err);
}

static void run(ending *out, const scene *scene_, double L, double h, int steps)
{
    static writing w;
    carom_error err = { 0 };
    verifier *v = NULL;
    *out = (ending){ 0 };
    w.L = L;
    scene_->write(&w, h);
    sim s = sim_parse(w.text, NULL);
    CHECK_OK(verifier_create(&v, s.model, &err), err);
    look(v, &s);
    for (int k = 0; k < steps && out->status == CAROM_OK; ++k) {
        carom_step_report report = { 0 };
        out->status = carom_step(s.model, s.state, s.scratch, 1e9, &report, &err);
        for (size_t i = 0; i < s.scratch->findings.count; ++i) {
            out->cut_short += s.scratch->findings.items[i].kind == CAROM_FINDING_SOLVE_CUT_SHORT;
        }
        out->contacts = report.contacts > out->contacts ? report.contacts : out->contacts;
        look(v, &s);
    }
    out->count = s.model->body_count;
    for (int i = 0; i < out->count; ++i) {
        out->pose[i] = carom_state_pose(s.model, s.state, i);
        out->pose[i].position = v3_scale(1.0 / L, out->pose[i].position);
    }
    out->intersections = verifier_found(v)->intersections;
    snprintf(out->why, sizeof out->why, "%s", out->status == CAROM_OK ? verifier_found(v)->first : err.message);
    verifier_destroy(v);
    sim_end(&s);
}

static bool is_sound(const scene *s, const char *what, const ending *e)
{
    bool ok = e->status == CAROM_OK && e->cut_short == 0 && e->intersections == 0 && e->contacts > 0;
    if (!ok) {
        printf("  %-14s %-10s: %ld solves cut short, %ld intersections, at most %d contacts. %s\n", s->name, what,
               e->cut_short, e->intersections, e->contacts, e->why);
    }
    return ok;
}

/* In sizes of the bodies. */
static double apart(const ending *a, const ending *b)
{
    double worst = 0.0;
    for (int i = 0; i < a->count; ++i) {
        double turn = v3_norm(so3_log(q_mul(a->pose[i].orientation, q_conj(b->pose[i].orientation))));
        worst = fmax(worst, v3_norm(v3_sub(a->pose[i].position, b->pose[i].position)) + turn);
    }
    return worst;
}

static int step_count(void)
{
    const char *asked = getenv("CAROM_BARRIER_SCALES");
    int steps = asked ? atoi(asked) : STEPS;
    CHECK(steps > 0);
    return steps;
}

TEST(barrier, copies_of_other_sizes_move_alike)
{
    static const double sizes[] = { 0.001, 0.01, 0.1, 10.0, 1000.0 };
    int wrong = 0;
    printf("\nP4.14 difference of scaled copies, in sizes, after %d steps\n  %-14s", step_count(), "");
    for (int k = 0; k < 5; ++k) {
        printf("%10gx", sizes[k]);
    }
    printf("\n");
    for (int i = 0; i < SCENES; ++i) {
        ending one, other;
        double off[5];
        run(&one, &scenes[i], 1.0, scenes[i].h, step_count());
        wrong += !is_sound(&scenes[i], "1x", &one);
        for (int k = 0; k < 5; ++k) {
            char what[24];
            snprintf(what, sizeof what, "%gx", sizes[k]);
            run(&other, &scenes[i], sizes[k], scenes[i].h, step_count());
            off[k] = apart(&one, &other);
            wrong += !is_sound(&scenes[i], what, &other) || !(off[k] <= 0.01);
        }
        printf("  %-14s", scenes[i].name);
        for (int k = 0; k < 5; ++k) {
            printf("%11.2e", off[k]);
        }
        printf("\n");
    }
    CHECK_EQ(wrong, 0);
}

TEST(barrier, other_steps_are_solved)
{
    static const double factors[] = { 0.1, 0.3, 3.0, 10.0 };
    int wrong = 0;
    printf("\n");
    for (int i = 0; i < SCENES; ++i) {
        for (int k = 0; k < 4; ++k) {
            ending e;
            char what[24];
            snprintf(what, sizeof what, "h x %g", factors[k]);
            int steps = (int)(step_count() / fmin(factors[k], 1.0)); /* as far in time, or farther */
            run(&e, &scenes[i], 1.0, scenes[i].h * factors[k], steps);
            wrong += !is_sound(&scenes[i], what, &e);
        }
    }
    CHECK_EQ(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(barrier, copies_of_other_sizes_move_alike),
        RUN_TEST(barrier, other_steps_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
