/* Paper 4: mechanisms whose parts hold each other by contact alone. Bolt and nut, piston, Geneva wheel, roller chain, Lewis. */
#include <math.h>
#include <stdio.h>

#include "paper_4.h"

static const double PI = 3.14159265358979323846;

/* ---- P4.5 bolt ----------------------------------------------------------------------------------------------------- */

/* As in examples/scenes/bolt.json. */
static const double bolt_lead = 0.012;     /* [m] */
static const double bolt_clearance = 3e-4; /* [m] radial */
static const double bolt_mass = 0.6;       /* [kg] */
static const double bolt_inertia = 1.2e-4; /* [kg m^2] about its axis */
static const double bolt_landed = 0.04;    /* [s] by then the bolt has fallen through the play */

static int run_bolt(paper_report *r, verification *v, const char *name, const char *integrator, double mu,
                    barrier_run *out)
{
    settings s = { 0 };
    settings_text(&s, "time.integrator", integrator);
    settings_number(&s, "variables.mu", mu);
    return barrier_run_scene(r, v, "bolt.json", name, &s, out);
}

/* How far a body has turned about z from frame to frame, added up [rad]. */
static double turned(const barrier_run *run, const char *body, size_t from, size_t to)
{
    double angle = 0.0;
    carom_quat before = barrier_motion(run, body, from).pose.orientation;
    for (size_t i = from + 1; i <= to; ++i) {
        carom_quat now = barrier_motion(run, body, i).pose.orientation;
        double w = now.w * before.w + now.x * before.x + now.y * before.y + now.z * before.z;
        double z = -now.w * before.z - now.x * before.y + now.y * before.x + now.z * before.w;
        angle += 2.0 * atan2(w < 0.0 ? -z : z, fabs(w));
        before = now;
    }
    return angle;
}

static double advance_per_turn(const barrier_run *run)
{
    size_t first = barrier_frame(run, bolt_landed);
    size_t last = run->frames - 1;
    double fallen = barrier_value(run, "bolt.position.z", last) - barrier_value(run, "bolt.position.z", first);
    return fallen / (turned(run, "bolt", first, last) / (2.0 * PI));
}

/* Along the axis, by the spin that was gained from landing to half a turn later. */
static double bolt_acceleration(const barrier_run *run)
{
    size_t first = barrier_frame(run, bolt_landed);
    size_t half = first;
    while (half + 1 < run->frames && fabs(turned(run, "bolt", first, half)) < PI) {
        ++half;
    }
    double gained = barrier_value(run, "bolt.angular_velocity.z", half) -
                    barrier_value(run, "bolt.angular_velocity.z", first);
    return -gained / (run->time[half] - run->time[first]) * bolt_lead / (2.0 * PI);
}

static void compare_bolt(paper_report *r, const barrier_run *smooth, const barrier_run *euler,
                         const barrier_run *rough)
{
    double g = 9.81;
    double ratio = 2.0 * PI / bolt_lead;
    double exact = g / (1.0 + bolt_inertia * ratio * ratio / bolt_mass);
    paper_row(r, "advance per turn, bdf2 [m]", advance_per_turn(smooth), bolt_lead, bolt_clearance, "lead");
    paper_row(r, "acceleration, bdf2 [m/s^2]", bolt_acceleration(smooth), exact, 0.05 * exact,
              "g/(1 + I (2 pi/p)^2/m)");
    paper_row(r, "advance per turn, Euler [m]", advance_per_turn(euler), bolt_lead, bolt_clearance, "lead");
    double fallen = barrier_value(euler, "bolt.position.z", 0) - barrier_last(euler, "bolt.position.z");
    double missing = bolt_mass * g * fallen - barrier_last(euler, "energy.kinetic");
    paper_row(r, "lost by Euler, in the ledger [J]", barrier_last(euler, "lost.numerics"), missing, 0.01 * missing,
              "m g drop - kinetic");
    double held = barrier_travel(rough, "bolt", barrier_frame(rough, 0.1));
    paper_row(r, "mu 0.3: moved after 0.1 s [m]", held, 0.0, 1e-4, "holds: lead angle 7 deg");
}

int bolt_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run smooth = { 0 }, euler = { 0 }, rough = { 0 };
    int code = run_bolt(r, &v, "bolt-bdf2", "bdf2", 0.0, &smooth);
    code = code == EXIT_DONE ? run_bolt(r, &v, "bolt-euler", "implicit-euler", 0.0, &euler) : code;
    code = code == EXIT_DONE ? run_bolt(r, &v, "bolt-rough", "implicit-euler", 0.3, &rough) : code;
    if (code == EXIT_DONE) {
        compare_bolt(r, &smooth, &euler, &rough);
    }
    verification_rows(r, &v);
    barrier_run_close(&smooth);
    barrier_run_close(&euler);
    barrier_run_close(&rough);
    return code;
}

/* ---- P4.6 piston --------------------------------------------------------------------------------------------------- */

static const double crank_radius = 0.04, rod_length = 0.12, piston_play = 5e-4; /* [m] as in papers/4/piston.json */

static double head_at(double t)
{
    double angle = 2.0 * PI * t;
    double across = crank_radius * sin(angle);
    return crank_radius * cos(angle) + sqrt(rod_length * rod_length - across * across);
}

/* The head's largest distance from where it should be, from one time to another [m]. */
static double head_off(const barrier_run *run, double from, double to)
{
    const double *x = barrier_signal(run, "head.position.x");
    double worst = x ? 0.0 : (double)NAN;
    for (size_t i = 0; x && i < run->frames; ++i) {
        bool within = run->time[i] >= from && run->time[i] <= to;
        worst = within ? paper_worse(worst, x[i], head_at(run->time[i])) : worst;
    }
    return worst;
}

static int draw_piston(paper_report *r, const barrier_run *loose)
{
    double exact[4096];
    size_t count = loose->frames < 4096 ? loose->frames : 4096;
    for (size_t i = 0; i < count; ++i) {
        exact[i] = head_at(loose->time[i]);
    }
    carom_series series[] = {
        { .x = loose->time,
          .y = barrier_signal(loose, "head.position.x"),
          .count = count,
          .label = "pins with play" },
        { .x = loose->time,
          .y = exact,
          .count = count,
          .label = "R cos + sqrt(L^2 - R^2 sin^2)",
          .line = CAROM_LINE_DASHED },
    };
    carom_figure figure = { .title = "Piston with 0.5 mm of play everywhere",
                            .x = { .label = "t [s]" },
                            .y = { .label = "head [m]" },
                            .series = series,
                            .series_count = 2,
                            .style = CAROM_PLOT_PAPER };
    return paper_figure(r, "piston", &figure);
}

int piston_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run loose = { 0 }, jointed = { 0 };
    settings s = { 0 };
    int turns = (int)barrier_size(r, 1, 2, 5);
    settings_number(&s, "variables.turns", turns);
    int code = barrier_run_scene(r, &v, "piston.json", "piston", &s, &loose);
    code = code == EXIT_DONE ? barrier_run_scene(r, &v, "piston-joints.json", "piston-joints", &s, &jointed) : code;
    for (int k = 0; k < turns && code == EXIT_DONE; ++k) {
        char name[SETTING_TEXT];
        snprintf(name, sizeof name, "revolution %d: head off by [m]", k + 1);
        paper_row(r, name, head_off(&loose, k, k + 1), 0.0, 3.0 * piston_play, "three clearances");
    }
    if (code == EXIT_DONE) {
        paper_row(r, "with joints: head off by [m]", head_off(&jointed, 0.0, turns), 0.0, 1e-9,
                  "R cos + sqrt(L^2-R^2 sin^2)");
        code = draw_piston(r, &loose);
    }
    verification_rows(r, &v);
    barrier_run_close(&loose);
    barrier_run_close(&jointed);
    return code;
}

/* ---- P4.7 Geneva wheel --------------------------------------------------------------------------------------------- */

/* Of a wheel with four slots: where it is when the crank has turned so often, half a turn before the pin is in the middle. */
static double geneva_angle(double turns)
{
    double whole = floor(turns);
    double crank = 2.0 * PI * (turns - whole) - PI;
    double ratio = sin(0.25 * PI);
    double quarter = crank > 0.0 ? 0.5 * PI : 0.0;
    if (fabs(crank) < 0.25 * PI) {
        quarter = 0.25 * PI + atan2(ratio * sin(crank), 1.0 - ratio * cos(crank));
    }
    return -(0.5 * PI * whole + quarter);
}

/* The wheel's largest deviation, while it rests or while it is driven [deg]. */
static double geneva_off(const barrier_run *run, bool driven)
{
    const double *angle = barrier_signal(run, "axle.angle");
    double worst = angle ? 0.0 : (double)NAN;
    for (size_t i = 0; angle && i < run->frames; ++i) {
        double crank = 2.0 * PI * (run->time[i] - floor(run->time[i])) - PI;
        bool in_slot = fabs(crank) < 0.25 * PI;
        worst = in_slot == driven ? paper_worse(worst, angle[i], geneva_angle(run->time[i])) : worst;
    }
    return worst * 180.0 / PI;
}

static int run_geneva(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    int turns = (int)barrier_size(r, 1, 2, 4);
    settings_number(&s, "variables.turns", turns);
    int code = barrier_run_scene(r, v, "geneva-wheel.json", "geneva-wheel", &s, &run);
    for (int k = 1; k <= turns && code == EXIT_DONE; ++k) {
        char name[SETTING_TEXT];
        snprintf(name, sizeof name, "wheel: after %d turn%s [deg]", k, k > 1 ? "s" : "");
        double angle = -barrier_value(&run, "axle.angle", barrier_frame(&run, k)) * 180.0 / PI;
        paper_row(r, name, angle, 90.0 * k, 0.5, "90 deg per turn");
    }
    if (code == EXIT_DONE) {
        paper_row(r, "wheel: off while it rests [deg]", geneva_off(&run, false), 0.0, 0.5, "locked");
        paper_row(r, "wheel: off while driven [deg]", geneva_off(&run, true), 0.0, 0.5,
                  "atan2(r sin a, d - r cos a)");
    }
    barrier_run_close(&run);
    return code;
}

/* ---- P4.7 roller chain --------------------------------------------------------------------------------------------- */

/* As in examples/scenes/roller-chain.json. */
enum { CHAIN_LINKS = 20, CHAIN_TEETH = 8 };

static carom_v3 link_at(const barrier_run *run, int link, size_t frame)
{
    char name[SETTING_TEXT];
    link = ((link % CHAIN_LINKS) + CHAIN_LINKS) % CHAIN_LINKS;
    snprintf(name, sizeof name, "%s[%d]", link % 2 ? "inner" : "outer", link / 2);
    return barrier_motion(run, name, frame).pose.position;
}

static double distance(carom_v3 a, carom_v3 b)
{
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

/* Whether a link is nearer to the place that another one had at the start than to that of any other link. */
static bool has_place_of(const barrier_run *run, int link, size_t frame, int other)
{
    carom_v3 now = link_at(run, link, frame);
    double own = distance(now, link_at(run, other, 0));
    bool nearest = !isnan(own);
    for (int k = 1; k < CHAIN_LINKS; ++k) {
        nearest = nearest && own < distance(now, link_at(run, other + k, 0));
    }
    return nearest;
}

/* With each tooth every link goes on to the next place: how many are elsewhere, over all teeth. */
static double links_elsewhere(const barrier_run *run, double teeth_per_second, double *looked_at)
{
    double count = 0.0;
    for (size_t i = 0; i < run->frames; ++i) {
        double teeth = run->time[i] * teeth_per_second;
        for (int k = 0; fabs(teeth - rint(teeth)) < 1e-6 && k < CHAIN_LINKS; ++k) {
            count += !has_place_of(run, k, i, k + (int)rint(teeth));
            *looked_at += 1.0;
        }
    }
    return count;
}

static int run_chain(paper_report *r, verification *v)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    double turns = barrier_size(r, 0.5, 2, 4);
    settings_number(&s, "variables.turns", turns);
    int code = barrier_run_scene(r, v, "roller-chain.json", "roller-chain", &s, &run);
    if (code == EXIT_DONE) {
        double teeth = barrier_last(&run, "axle.angle") / (2.0 * PI) * CHAIN_TEETH;
        paper_row(r, "chain: teeth passed on", teeth, turns * CHAIN_TEETH, 0.5, "half a tooth");
        double looked_at = 0.0;
        double elsewhere = links_elsewhere(&run, CHAIN_TEETH, &looked_at);
        char note[SETTING_TEXT];
        snprintf(note, sizeof note, "%.0f looked at, after each tooth", looked_at);
        paper_row(r, "chain: links not one place further", looked_at > 0.0 ? elsewhere : (double)NAN, 0.0, 0.0, note);
    }
    barrier_run_close(&run);
    return code;
}

int wheel_item(paper_report *r)
{
    verification v = { 0 };
    int code = run_geneva(r, &v);
    code = code == EXIT_DONE ? run_chain(r, &v) : code;
    verification_rows(r, &v);
    return code;
}

/* ---- P4.11 Lewis --------------------------------------------------------------------------------------------------- */

static int run_lewis(paper_report *r, verification *v, double mu, barrier_run *out)
{
    settings s = { 0 };
    char name[SETTING_TEXT];
    settings_number(&s, "variables.mu", mu);
    snprintf(name, sizeof name, "lewis-%g", mu);
    return barrier_run_scene(r, v, "lewis.json", name, &s, out);
}

/* The block's mean speed over the second half of the run [m/s]. */
static double lift_speed(const barrier_run *run)
{
    size_t last = run->frames - 1;
    size_t half = barrier_frame(run, 0.5 * run->time[last]);
    double rise = barrier_value(run, "block.position.y", last) - barrier_value(run, "block.position.y", half);
    return rise / (run->time[last] - run->time[half]);
}

static void compare_lewis(paper_report *r, const barrier_run *run, double mu, bool grips)
{
    char name[SETTING_TEXT];
    if (grips) {
        snprintf(name, sizeof name, "mu %g: block rises with [m/s]", mu);
        paper_row(r, name, lift_speed(run), 0.5, 0.005, "speed of the pyramid");
    } else {
        snprintf(name, sizeof name, "mu %g: block is raised by [m]", mu);
        paper_row(r, name, barrier_last(run, "block.position.y"), 0.0, 1e-3, "the wedges slip out");
    }
}

int lewis_item(paper_report *r)
{
    const double limit = tan(0.5 * (30.0 - 5.0) * PI / 180.0); /* wedges slip out where alpha - beta > 2 atan(mu) */
    static const double coefficients[] = { 0.3, 0.25, 0.2, 0.05 };
    verification v = { 0 };
    int code = EXIT_DONE;
    for (int i = 0; i < 4 && code == EXIT_DONE; ++i) {
        double mu = coefficients[i];
        barrier_run run = { 0 };
        code = run_lewis(r, &v, mu, &run);
        if (code == EXIT_DONE) {
            compare_lewis(r, &run, mu, mu > limit);
        }
        barrier_run_close(&run);
    }
    paper_fact(r, "mu at the limit", limit, "tan((alpha - beta)/2)");
    verification_rows(r, &v);
    return code;
}
