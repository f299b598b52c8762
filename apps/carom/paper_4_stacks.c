/* Paper 4: what stands or falls. An arch, a house of cards, the unit tests, degenerate cases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paper_4.h"

/* ---- P4.3 arch ----------------------------------------------------------------------------------------------------- */

static const double arch_a = 0.5, arch_length = 2.0; /* [m] of the catenary, see arch.json */

/* Where a point of a body frame is at a frame. */
static carom_v3 point_at(const barrier_run *run, const char *body, carom_v3 p, size_t frame)
{
    carom_pose pose = barrier_motion(run, body, frame).pose;
    carom_quat q = pose.orientation;
    carom_v3 u = { q.x, q.y, q.z };
    carom_v3 c = { 2.0 * (u.y * p.z - u.z * p.y), 2.0 * (u.z * p.x - u.x * p.z), 2.0 * (u.x * p.y - u.y * p.x) };
    return (carom_v3){ pose.position.x + p.x + q.w * c.x + u.y * c.z - u.z * c.y,
                       pose.position.y + p.y + q.w * c.y + u.z * c.x - u.x * c.z,
                       pose.position.z + p.z + q.w * c.z + u.x * c.y - u.y * c.x };
}

/* The middle of a stone, on the line of thrust; the frames of all stones are those of the world at the start. */
static carom_v3 middle_of(int stone, int stones)
{
    double s = arch_length * ((2.0 * stone + 1.0) / stones - 1.0);
    return (carom_v3){ arch_a * asinh(s / arch_a), hypot(arch_a, arch_length) - hypot(arch_a, s), 0.0 };
}

/* How far the middle of a stone has moved between two frames. */
static double stone_moved(const barrier_run *run, int stone, int stones, size_t first, size_t last)
{
    char name[SETTING_TEXT];
    snprintf(name, sizeof name, "stone[%d]", stone);
    carom_v3 from = point_at(run, name, middle_of(stone, stones), first);
    carom_v3 to = point_at(run, name, middle_of(stone, stones), last);
    return hypot(hypot(to.x - from.x, to.y - from.y), to.z - from.z);
}

static double farthest_stone(const barrier_run *run, int stones, size_t first)
{
    double farthest = 0.0;
    for (int i = 0; i < stones; ++i) {
        farthest = paper_worse(farthest, stone_moved(run, i, stones, first, run->frames - 1), 0.0);
    }
    return farthest;
}

int arch_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run run = { 0 };
    settings s = { 0 };
    int stones = (int)barrier_size(r, 9, 25, 101);
    double end = barrier_size(r, 6, 20, 20), stick = 1e-3;
    settings_number(&s, "variables.n", stones);
    settings_number(&s, "variables.end", end);
    int code = barrier_run_scene(r, &v, "arch.json", "arch", &s, &run);
    if (code == EXIT_DONE) {
        double allowed = stick * (end - 5.0);
        paper_fact(r, "stones", stones, "101 with --full");
        paper_row(r, "worst stone, 5 s on [m]", farthest_stone(&run, stones, barrier_frame(&run, 5.0)), 0.0, allowed,
                  "eps_v t");
        paper_row(r, "keystone moved [m]", stone_moved(&run, stones / 2, stones, 0, run.frames - 1), 0.0,
                  stick * end + 0.1 * stones * 1e-3, "eps_v t, gaps close");
    }
    verification_rows(r, &v);
    barrier_run_close(&run);
    return code;
}

/* ---- P4.4 cards ----------------------------------------------------------------------------------------------------- */

static const double strike = 2.0; /* [s] when the cubes are thrown */

typedef struct card_kind {
    const char *name; /* "left1" */
    int count;
} card_kind;
enum { LEANING = 6, FLAT = 2 };
static const card_kind leaning[LEANING] = { { "left1", 3 },  { "right1", 3 }, { "left2", 2 },
                                            { "right2", 2 }, { "left3", 1 },  { "right3", 1 } };
static const card_kind flat[FLAT] = { { "floor1", 2 }, { "floor2", 1 } };

/* The farthest that any card of some kinds has moved between two frames. */
static double cards_moved(const barrier_run *run, const card_kind *kinds, int count, size_t first, size_t last)
{
    double farthest = 0.0;
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < kinds[k].count; ++i) {
            char name[SETTING_TEXT];
            snprintf(name, sizeof name, "%s[%d]", kinds[k].name, i);
            carom_v3 a = barrier_motion(run, name, first).pose.position,
                     b = barrier_motion(run, name, last).pose.position;
            farthest = paper_worse(farthest, hypot(hypot(b.x - a.x, b.y - a.y), b.z - a.z), 0.0);
        }
    }
    return farthest;
}

/* How many cards of some kinds have sunk by more than `by` [m] since the first frame. */
static double cards_down(const barrier_run *run, const card_kind *kinds, int count, double by)
{
    double down = 0.0;
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < kinds[k].count; ++i) {
            char name[SETTING_TEXT];
            snprintf(name, sizeof name, "%s[%d]", kinds[k].name, i);
            down += barrier_motion(run, name, 0).pose.position.z -
                        barrier_motion(run, name, run->frames - 1).pose.position.z >
                    by;
        }
    }
    return down;
}

/* How many cubes lie on the lowest level, whose top is at 0.94 m, and below where the next one was. */
static double cubes_carried(const barrier_run *run)
{
    double carried = 0.0;
    for (int i = 0; i < 2; ++i) {
        double z = barrier_motion(run, i == 0 ? "cube[0]" : "cube[1]", run->frames - 1).pose.position.z;
        carried += z > 0.94 && z < 1.5;
    }
    return carried;
}

static void compare_house(paper_report *r, const barrier_run *run)
{
    size_t first = barrier_frame(run, 1.0), last = barrier_frame(run, strike);
    double allowed = 1e-3 * (run->time[last] - run->time[first]);
    double moved = paper_worse(cards_moved(run, leaning, LEANING, first, last),
                               cards_moved(run, flat, FLAT, first, last), 0.0);
    paper_row(r, "worst card, 1 s [m]", moved, 0.0, allowed, "eps_v t");
    paper_row(r, "levels 2, 3: cards fallen", cards_down(run, leaning + 2, 4, 0.15), 6.0, 0.0, "all");
    paper_row(r, "level 1: cards fallen", cards_down(run, leaning, 2, 0.06), 0.0, 0.0, "it holds");
    paper_row(r, "level 1: cubes carried", cubes_carried(run), 2.0, 0.0, "it holds");
}

int cards_item(paper_report *r)
{
    verification v = { 0 };
    barrier_run house = { 0 }, slippery = { 0 };
    settings s = { 0 };
    settings_number(&s, "variables.mu", 0.2);
    settings_number(&s, "variables.end", strike);
    int code = barrier_run_scene(r, &v, "cards.json", "cards", NULL, &house);
    code = code == EXIT_DONE ? barrier_run_scene(r, &v, "cards.json", "cards-slippery", &s, &slippery) : code;
    if (code == EXIT_DONE) {
        compare_house(r, &house);
        paper_row(r, "mu 0.2: cards fallen", cards_down(&slippery, leaning, LEANING, 0.1), 12.0, 0.0,
                  "all that lean");
    }
    verification_rows(r, &v);
    barrier_run_close(&house);
    barrier_run_close(&slippery);
    return code;
}

/* ---- P4.8 unit tests ----------------------------------------------------------------------------------------------- */

/* A scene that ends at rest. */
typedef struct resting_scene {
    const char *name;
    const char *scene;
    const char *settings[3]; /* "variables.turn=90"; NULL: none */
} resting_scene;

enum { RESTING_MOST = 10 };
static const double resting = 1e-3; /* [J] of kinetic energy: 1 mm/s of a body of some 100 kg */

static int run_resting(paper_report *r, verification *v, const resting_scene *what, table *list)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    for (int k = 0; k < 3 && what->settings[k]; ++k) {
        snprintf(s.text[s.count++], SETTING_TEXT, "%s", what->settings[k]);
    }
    int code = barrier_run_scene(r, v, what->scene, what->name, &s, &run);
    if (code == EXIT_DONE) {
        char label[SETTING_TEXT];
        snprintf(label, sizeof label, "%s [J]", what->name);
        paper_row(r, label, barrier_last(&run, "energy.kinetic"), 0.0, resting, "kinetic energy, at rest");
        table_cell(list, "%s", what->name);
        table_cell(list, "%ld", run.how.steps);
        table_cell(list, "%ld", run.how.contacts_max);
        table_cell(list, "%.3g", barrier_number(&run, "distance_min"));
        table_cell(list, "%.3g", 1e3 * run.how.wall / (double)run.how.steps);
    }
    barrier_run_close(&run);
    return code;
}

static int run_all_resting(paper_report *r, verification *v, const resting_scene *list, const char *heading)
{
    static const char *const titles[] = { "scene", "steps", "most contacts", "least gap [m]", "ms per step" };
    table *t = paper_table(r, heading, 5, titles, "lrrrr");
    int code = EXIT_DONE;
    for (; list->name && code == EXIT_DONE; ++list) {
        code = run_resting(r, v, list, t);
    }
    return code;
}

/* How far a cube of the stack has gone sideways. */
static double sideways(const barrier_run *run)
{
    double farthest = 0.0;
    for (int i = 0; i < 5; ++i) {
        char name[SETTING_TEXT];
        snprintf(name, sizeof name, "cube[%d]", i);
        carom_v3 at = barrier_motion(run, name, run->frames - 1).pose.position;
        farthest = paper_worse(farthest, hypot(at.x, at.y), 0.0);
    }
    return farthest;
}

static double top_height(const barrier_run *run)
{
    return barrier_motion(run, "cube[4]", run->frames - 1).pose.position.z;
}

static int run_cubes(paper_report *r, verification *v, double mu)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    settings_number(&s, "variables.mu", mu);
    int code = barrier_run_scene(r, v, "five-cubes.json", mu > 0.0 ? "five-cubes" : "five-cubes-smooth", &s, &run);
    if (code == EXIT_DONE && mu > 0.0) {
        paper_row(r, "mu 0.02: sideways [m]", sideways(&run), 0.0, 1e-3, "five cubes, 10 s");
    } else if (code == EXIT_DONE) {
        paper_row(r, "mu 0: top of the stack [m]", top_height(&run), 4.5055, 0.01, "five cubes, 10 s");
        paper_row(r, "mu 0: creep [m/s]", sideways(&run) / 10.0, 0.0, 0.25 * sqrt(9.81 * 1e-3), "0.25 sqrt(g dhat)");
    }
    barrier_run_close(&run);
    return code;
}

static int run_fast_cube(paper_report *r, verification *v, double tilt)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    char name[SETTING_TEXT], label[SETTING_TEXT];
    settings_number(&s, "variables.tilt", tilt);
    snprintf(name, sizeof name, "fast-cube-%g", tilt);
    snprintf(label, sizeof label, "fast, tilt %g: passes", tilt);
    int code = barrier_run_scene(r, v, "fast-cube.json", name, &s, &run);
    if (code == EXIT_DONE) {
        const double *x = barrier_signal(&run, "cube.position.x");
        double farthest = -HUGE_VAL;
        for (size_t i = 0; x && i < run.frames; ++i) {
            farthest = x[i] > farthest ? x[i] : farthest;
        }
        paper_row(r, label, x ? farthest > 0.0 : (double)NAN, 0.0, 0.0, "never");
    }
    barrier_run_close(&run);
    return code;
}

int unit_tests_item(paper_report *r)
{
    static const resting_scene scenes[] = {
        { "vertex-vertex", "tetrahedra.json", { NULL } },
        { "vertex-face", "tetrahedra.json", { "variables.below=180", "variables.height=2" } },
        { "face-vertex", "tetrahedra.json", { "variables.above=0", "variables.height=2" } },
        { "face-face", "tetrahedra.json", { "variables.above=0", "variables.below=180", "variables.height=2" } },
        { "edge-edge", "tetrahedra-on-edges.json", { NULL } },
        { "parallel-edges", "tetrahedra-on-edges.json", { "variables.turn=90" } },
        { "corner", "corner.json", { NULL } },
        /* tilted by its landing, the heavy cube creeps below the stick speed for some seconds */
        { "mass-ratio", "mass-ratio.json", { "variables.end=12" } },
        { .name = NULL },
    };
    verification v = { 0 };
    int code = run_all_resting(r, &v, scenes, "Unit tests");
    code = code == EXIT_DONE ? run_cubes(r, &v, 0.02) : code;
    code = code == EXIT_DONE ? run_cubes(r, &v, 0.0) : code;
    code = code == EXIT_DONE ? run_fast_cube(r, &v, 0.0) : code;
    code = code == EXIT_DONE ? run_fast_cube(r, &v, 1.0) : code;
    verification_rows(r, &v);
    return code;
}

/* ---- P4.9 degenerate cases ------------------------------------------------------------------------------------------ */

int degenerate_item(paper_report *r)
{
    static const resting_scene scenes[] = {
        { "spikes", "spikes.json", { NULL } },
        { "wedges", "wedges.json", { NULL } },
        { "cliff-edges", "cliff-edges.json", { NULL } },
        { "internal-edges", "internal-edges.json", { NULL } },
        { "spike-in-hole", "spike-in-hole.json", { NULL } },
        { "wedge-in-crack", "wedge-in-crack.json", { NULL } },
        { "sliding-spike", "spike-in-hole.json", { "variables.v=0.6" } },
        { "sliding-wedge", "wedge-in-crack.json", { "variables.v=0.6" } },
        { .name = NULL },
    };
    verification v = { 0 };
    int code = run_all_resting(r, &v, scenes, "Degenerate cases");
    verification_rows(r, &v);
    return code;
}
