/* Collision layer of the method `barrier`: near lists, sweeps of moving trees, single queries, the exact test. Processor time of
 * the one thread that works, medians over rounds.
 * usage: sweep [SECONDS]   how long each figure is measured, 0.2 if not given */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collision/surface_pair.h"
#include "geometry/make/make.h"

#include "knot.h"
#include "measure.h"

/* ---- scenes ---------------------------------------------------------------------------------------------------------- */

typedef struct sweep_scene {
    const char *name;
    double range; /* [m] */
    surface_place place[2];
} sweep_scene;

static surface *surface_from(mesh *m)
{
    carom_error err = { 0 };
    surface *s = NULL;
    surface_part part = { .mesh = m, .pose_c.orientation = q_identity() };
    if (!m) {
        stop("no mesh");
    }
    stop_on(surface_create(&s, &part, 1, &err), &err);
    mesh_destroy(m);
    return s;
}

static surface *made(const char *kind, const void *params)
{
    carom_error err = { 0 };
    mesh *m = NULL;
    stop_on(mesh_make(&m, kind, params, &err), &err);
    return surface_from(m);
}

static surface_place standing(const surface *s, v3 at, v3 turned)
{
    return (surface_place){ .surface = s, .x_w = at, .R_w = q_matrix(so3_exp(turned)), .d_w = twist_zero() };
}

static surface_place moving(const surface *s, v3 at, v3 turned, v3 v, v3 w)
{
    surface_place p = standing(s, at, turned);
    p.d_w = (twist){ v, w };
    return p;
}

/* Moves B along a displacement until it lands on A, at 0.3 to 0.45 of the range. */
static void land(sweep_scene *s, twist way)
{
    sweep_limits limits = { .range = s->range };
    sweep_counts counts = { 0 };
    surface_place a = s->place[0];
    surface_place b = s->place[1];
    a.d_w = twist_zero();
    s->place[1].d_w = way;
    surface_pair p = surface_pair_of(&a, &s->place[1]);
    double until = surface_pair_sweep(&p, &limits, 1.0, &counts);
    b.x_w = v3_add(b.x_w, screw_displacement(&way, until));
    b.R_w = m3_mul(q_matrix(so3_exp(v3_scale(until, way.w))), b.R_w);
    s->place[1] = b;
    if (!(until > 0.0 && until < 1.0)) {
        stop("a scene does not land");
    }
}

enum { SCENES = 11 };

/* Rings that hang in each other, bolt and nut, two gears, boxes on each other, a ring around a knot: near contact, at 0.6 of
 * the range or in their clearance, sliding and turning. */
static void make_scenes(sweep_scene out[SCENES])
{
    const double pitch = 0.0015;
    surface *ring = made("torus", &(carom_make_torus){ .ring_radius = 0.02, .tube_radius = 0.004 });
    surface *bolt = made("bolt", &(carom_make_bolt){ 0.01, pitch, 0.03, 0.0, 72 });
    surface *nut = made("nut", &(carom_make_nut){ 0.01, pitch, 0.0, 0.0003, 72 });
    carom_make_gear gear_def = { .module = 0.002,
                                 .teeth = 20,
                                 .pressure_angle = PI / 9.0,
                                 .width = 0.01,
                                 .backlash = 0.0002,
                                 .flank_steps = 8,
                                 .spacing = 0.003 };
    surface *gear = made("gear", &gear_def);
    surface *box = made("box", NULL);
    surface *fine_box = made("box", &(carom_make_box){ .size = { 1.0, 1.0, 1.0 }, .spacing = 0.1 });
    surface *knot = surface_from(knot_mesh(600, 30));
    surface *hoop = made("torus", &(carom_make_torus){ .ring_radius = 0.3, .tube_radius = 0.05 });
    v3 o = v3_zero();
    v3 upright = v3_make(0.5 * PI, 0, 0);
    v3 hung = v3_make(0.032 - 0.6e-4, 0, 0);
    surface_place fixed_ring = standing(ring, o, o);
    v3 in_thread = v3_make(0, 0, -0.02);
    v3 turned_nut = v3_make(0, 0, 2.0 * PI * (fmod(-0.02 / pitch, 1.0)));
    double box_top = box->groups[0].half[2][0];
    v3 on_top = v3_make(0.1 * box_top, 0.05 * box_top, 2.0 * box_top + 0.6e-3 * box_top);
    v3 on_fine = v3_make(0.03, 0.07, 1.0 + 0.6e-3);
    double thread_turn = 0.05;
    v3 mesh_point = v3_make(0.04, 0, 0);
    v3 half_tooth = v3_make(0, 0, PI / 20.0);
    sweep_scene scenes[SCENES] = {
        { "rings, sliding", 1e-4, { fixed_ring, moving(ring, hung, upright, v3_make(0, 2e-4, 3e-4), o) } },
        { "rings, turning",
          1e-4,
          { fixed_ring, moving(ring, hung, upright, v3_make(0, 0, 2e-4), v3_make(0, 0.1, 0.05)) } },
        { "rings, falling fast", 1e-4, { fixed_ring, moving(ring, hung, upright, v3_make(-5e-3, 2e-3, 0), o) } },
        { "bolt, screwed",
          1e-5,
          { standing(nut, in_thread, turned_nut),
            moving(bolt, o, o, v3_make(0, 0, pitch * thread_turn / (2.0 * PI)), v3_make(0, 0, thread_turn)) } },
        { "bolt, dropped",
          1e-5,
          { standing(nut, in_thread, turned_nut), moving(bolt, o, o, v3_make(0, 0, -1e-3), o) } },
        { "gears, turning",
          1e-5,
          { moving(gear, o, o, o, v3_make(0, 0, 0.05)),
            moving(gear, mesh_point, half_tooth, o, v3_make(0, 0, -0.05)) } },
        { "boxes, sliding",
          1e-3 * box_top,
          { standing(box, o, o), moving(box, on_top, o, v3_make(0.01, 0.01, 0), o) } },
        { "fine boxes, sliding",
          1e-3,
          { standing(fine_box, o, o), moving(fine_box, on_fine, o, v3_make(0.01, 0.02, 0), o) } },
        { "fine boxes, turning",
          1e-3,
          { standing(fine_box, o, o), moving(fine_box, on_fine, v3_make(0, 0, 0.3), o, v3_make(0, 0, 0.1)) } },
        { "knot and hoop, sliding",
          1e-3,
          { standing(knot, o, o), moving(hoop, v3_make(1.0, 0, 0), upright, v3_make(0, 0.01, 0.01), o) } },
        { "knot and hoop, turning",
          1e-3,
          { moving(knot, o, o, o, v3_make(0, 0, 0.02)),
            moving(hoop, v3_make(1.0, 0, 0), upright, v3_make(0, 0.01, 0.01), v3_make(0, 0, 0.1)) } },
    };
    for (int k = 0; k < SCENES; ++k) {
        out[k] = scenes[k];
    }
    twist drop = { v3_make(0, 0, -1e-3), o };
    twist turn = { o, v3_make(0, 0, 0.05) };
    twist aside = { v3_make(-0.3, 0, 0), o };
    land(&out[3], drop);
    land(&out[5], turn);
    land(&out[9], aside);
    land(&out[10], aside);
}

/* ---- figures --------------------------------------------------------------------------------------------------------- */

typedef struct figures {
    const surface_pair *p;
    sweep_limits limits;
    near_list list;
    sweep_counts counts;
    double until;
    long queries;
    bool meets;
} figures;

static void run_near(figures *f)
{
    f->list.count = 0;
    if (!surface_pair_near(f->p, 3.0 * f->limits.range, &f->list)) {
        stop("out of memory");
    }
}

static void run_sweep(figures *f)
{
    f->counts = (sweep_counts){ 0 };
    f->until = surface_pair_sweep(f->p, &f->limits, 1.0, &f->counts);
}

static void run_queries(figures *f)
{
    f->counts = (sweep_counts){ 0 };
    for (size_t k = 0; k < f->list.count; ++k) {
        surface_pair_query(f->p, &f->list.items[k].pair, &f->limits, 1.0, &f->counts);
    }
}

static void run_meets(figures *f)
{
    feature_pair witness;
    f->meets = surface_pair_meets(f->p, &witness);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* [s] of one call: the median of 9 rounds of `seconds` / 9 each. */
static double time_of(void (*run)(figures *), figures *f, double seconds)
{
    enum { ROUNDS = 9 };
    double each[ROUNDS];
    for (int k = 0; k < ROUNDS; ++k) {
        long calls = 0;
        double begin = cpu_seconds();
        double now = begin;
        do {
            run(f);
            ++calls;
            now = cpu_seconds();
        } while (now - begin < seconds / ROUNDS);
        each[k] = (now - begin) / (double)calls;
    }
    qsort(each, ROUNDS, sizeof *each, ascending);
    return each[ROUNDS / 2];
}

static void measure(const sweep_scene *s, double seconds)
{
    surface_pair p = surface_pair_of(&s->place[0], &s->place[1]);
    figures f = { .p = &p, .limits = { .range = s->range } };
    double near = time_of(run_near, &f, seconds);
    double queries = time_of(run_queries, &f, seconds);
    sweep_counts asked = f.counts;
    double sweep = time_of(run_sweep, &f, seconds);
    double meets = time_of(run_meets, &f, seconds);
    printf("%-24s %7d %9.1f %7zu %9.1f %6.3f %8ld %7ld %7ld %7ld %8.0f %6.2f %9.1f%s\n", s->name,
           p.a->triangle_count + p.b->triangle_count, 1e6 * near, f.list.count, 1e6 * sweep, f.until, f.counts.nodes,
           f.counts.leaves, f.counts.queries, f.counts.evaluations,
           asked.queries > 0 ? 1e9 * queries / (double)asked.queries : 0.0,
           asked.queries > 0 ? (double)asked.evaluations / (double)asked.queries : 0.0, 1e6 * meets,
           f.meets ? " they meet" : "");
    free(f.list.items);
}

int main(int count, char **arguments)
{
    double seconds = count > 1 ? atof(arguments[1]) : 0.2;
    sweep_scene scenes[SCENES];
    make_scenes(scenes);
    printf("%-24s %7s %9s %7s %9s %6s %8s %7s %7s %7s %8s %6s %9s\n", "scene", "faces", "near us", "pairs",
           "sweep us", "until", "nodes", "leaves", "queries", "evals", "ns/query", "evals", "meets us");
    for (int k = 0; k < SCENES; ++k) {
        measure(&scenes[k], seconds);
    }
    return 0; /* the surfaces live as long as the program */
}
