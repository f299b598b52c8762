/* Paper 4: the same scene with the methods barrier, impact and compliant. They must agree within what each says of its errors: implicit
 * Euler is late by half a step, compliant contact gives way and takes a while. */
#include <math.h>
#include <stdio.h>

#include "paper_4.h"

enum { METHODS = 3, NUMBERS = 2, CHANGES = 4 };
static const char *const methods[METHODS] = { "barrier", "impact", "compliant" };

/* A scene, what must be said to each method beside its name, and signals at the end with their references. */
typedef struct shared_scene {
    const char *name, *scene;
    const char *changes[METHODS][CHANGES]; /* NULL: no more */
    const char *signals[NUMBERS];          /* NULL: none */
    const char *symbols[NUMBERS];          /* of them, with units */
    double reference[NUMBERS];
    double tolerance[METHODS][NUMBERS]; /* 0: not compared */
    const char *note;
} shared_scene;

/* Slope: a = g (sin - 0.49 cos) = 0.08764411 m/s^2; a t^2/2 at 5 s; Euler adds a h t/2 = 0.00548 m. Bounce: the apex after e = 0.5 is
 * at 0.1 + 0.25 m, 0.4515236 + 0.2257618 s after the start; a step of flight at 2.2 m/s is 0.0022 m, and gravity
 * acts during the millisecond of a compliant impact: e^2 H 2 g T/(e v) = 0.0022 m. Two balls: momentum and e. Ball: rolls
 * with 5/7 v. Cradle: all goes to the last ball, which is at sqrt(2 g L (cos a - cos 30 deg)) by then; steps of 2e-5 s. */
static const shared_scene scenes[] = {
    { .name = "slope",
      .scene = "slope.json",
      .changes = { { NULL },
                   { "bodies.cube.position=[0,0,0.5]" },
                   { "bodies.cube.position=[0,0,0.5]", "contact.friction={\"coulomb\":{\"mu\":0.49,\"v_e\":1e-5}}",
                     "contact.law={\"kelvin-voigt\":{\"k\":1e8,\"c\":1e5}}", "variables.h=5e-4" } },
      .signals = { "cube.position.x", "cube.velocity.x" },
      .symbols = { "x [m]", "v [m/s]" },
      .reference = { 1.0955514, 0.43822055 },
      .tolerance = { { 0.0066, 0.0005 }, { 1e-6, 1e-6 }, { 0.005, 0.001 } },
      .note = "a t^2/2, a t" },
    { .name = "bounce",
      .scene = "bounce.json",
      .changes = { { "variables.end=0.6773" },
                   { "variables.end=0.6773" },
                   { "variables.end=0.6773", "contact.law={\"exact-restitution\":{\"k\":1e8}}",
                     "variables.h=2e-5" } },
      .signals = { "ball.position.z" },
      .symbols = { "z [m]" },
      .reference = { 0.35 },
      .tolerance = { { 0.0033 }, { 1e-5 }, { 0.003 } },
      .note = "R + e^2 H" },
    { .name = "two-balls",
      .scene = "two-balls.json",
      .changes = { { NULL }, { NULL }, { "contact.law={\"exact-restitution\":{\"k\":1e7}}", "variables.h=1e-5" } },
      .signals = { "heavy.velocity.x", "light.velocity.x" },
      .symbols = { "3 kg [m/s]", "1 kg [m/s]" },
      .reference = { 1.25, 2.25 },
      .tolerance = { { 0.0025, 0.0045 }, { 1e-9, 1e-9 }, { 0.0025, 0.0045 } },
      .note = "momentum and e" },
    { .name = "ball",
      .scene = "ball-on-plane.json",
      .changes = { { NULL } },
      .signals = { "ball.velocity.x", "ball.angular_velocity.y" },
      .symbols = { "v [m/s]", "w [rad/s]" },
      .reference = { 10.0 / 7.0, 100.0 / 7.0 },
      .tolerance = { { 0.003, 0.03 }, { 1e-6, 1e-5 }, { 0.003, 0.03 } },
      .note = "rolls with 5/7 v" },
    { .name = "cradle",
      .scene = "newtons-cradle.json",
      .changes = { { "time.step=2e-5", "time.end=0.5", "contact.range=2e-6", "contact.restitution=1" },
                   { "time.end=0.5", "contact.restitution=1" },
                   { "time.end=0.5" } },
      .signals = { "ball[4].velocity.x" },
      .symbols = { "last [m/s]" },
      .reference = { 0.89605089 },
      .tolerance = { { 0.005 }, { 1e-6 }, { 0.005 } },
      .note = "all goes to the last" },
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static int run_shared(paper_report *r, verification *v, const shared_scene *what, int method, double values[NUMBERS])
{
    settings s = { 0 };
    barrier_run run = { 0 };
    verification others = { 0 }; /* compliant bodies do intersect */
    char name[SETTING_TEXT];
    settings_text(&s, "contact.method", methods[method]);
    for (int k = 0; k < CHANGES && what->changes[method][k]; ++k) {
        snprintf(s.text[s.count++], SETTING_TEXT, "%s", what->changes[method][k]);
    }
    snprintf(name, sizeof name, "%s-%s", what->name, methods[method]);
    int code = barrier_run_scene(r, method == 0 ? v : &others, what->scene, name, &s, &run);
    for (int k = 0; k < NUMBERS && what->signals[k] && code == EXIT_DONE; ++k) {
        values[k] = barrier_last(&run, what->signals[k]);
    }
    barrier_run_close(&run);
    return code;
}

static void compare_values(paper_report *r, const shared_scene *what, int method, const double values[NUMBERS])
{
    for (int k = 0; k < NUMBERS && what->signals[k]; ++k) {
        char label[SETTING_TEXT];
        snprintf(label, sizeof label, "%s, %s, %s", what->name, methods[method], what->symbols[k]);
        paper_row(r, label, values[k], what->reference[k], what->tolerance[method][k], what->note);
    }
}

int methods_item(paper_report *r)
{
    verification v = { 0 };
    int code = EXIT_DONE;
    for (int i = 0; i < SCENES && code == EXIT_DONE; ++i) {
        for (int m = 0; m < METHODS && code == EXIT_DONE; ++m) {
            double values[NUMBERS] = { (double)NAN, (double)NAN };
            code = run_shared(r, &v, &scenes[i], m, values);
            compare_values(r, &scenes[i], m, values);
        }
    }
    verification_rows(r, &v);
    paper_note(r, "'carom compare SCENE --methods barrier,impact,compliant' shows any of them side by side.");
    return code;
}
