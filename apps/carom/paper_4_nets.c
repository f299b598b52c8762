/* Paper 4: nets of rings, of solid and of wire, into which a ball falls. No ring leaves another: the linking number of every pair
 * of rings stays what it was in the first frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paper_4.h"

static const double PI = 3.14159265358979323846;
enum {
    RING_SIDES = 12
}; /* of the polygons that stand for rings: those of wire themselves, middle lines of solid ones */
static const double flat_radius = 0.05, upright_radius = 0.026; /* [m] as in examples/scenes/chain-net.json */

typedef struct ring_curve {
    double radius; /* [m] */
    carom_id body;
    carom_v3 middle;
    carom_v3 corners[RING_SIDES];
} ring_curve;

typedef struct net_check {
    size_t rings;
    ring_curve *list;
    double *linked; /* of each pair in the first frame */
    double wrong;   /* pairs and frames with another number, or one that is no integer */
    double links;   /* pairs that are linked in the first frame */
} net_check;

/* ---- curves -------------------------------------------------------------------------------------------------------- */

static carom_v3 rotated(carom_quat q, carom_v3 v)
{
    carom_v3 t = { 2.0 * (q.y * v.z - q.z * v.y), 2.0 * (q.z * v.x - q.x * v.z), 2.0 * (q.x * v.y - q.y * v.x) };
    return (carom_v3){ v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                       v.z + q.w * t.z + q.x * t.y - q.y * t.x };
}

static void place_ring(const barrier_run *run, ring_curve *ring, size_t frame)
{
    carom_motion motion = { 0 };
    carom_error err = { 0 };
    require_ok(carom_result_motion(run->result, ring->body, frame, &motion, &err), &err);
    ring->middle = motion.pose.position;
    for (int i = 0; i < RING_SIDES; ++i) {
        double angle = 2.0 * PI * i / RING_SIDES;
        carom_v3 at = rotated(motion.pose.orientation,
                              (carom_v3){ ring->radius * cos(angle), ring->radius * sin(angle), 0.0 });
        ring->corners[i] = (carom_v3){ ring->middle.x + at.x, ring->middle.y + at.y, ring->middle.z + at.z };
    }
}

/* Rings are all bodies but the ball. */
static void find_rings(const barrier_run *run, net_check *check)
{
    size_t count = carom_result_body_count(run->result);
    check->list = allocate(count, sizeof *check->list);
    for (size_t i = 0; i < count; ++i) {
        const char *name = carom_result_body_name(run->result, (carom_id)i);
        if (name && strcmp(name, "ball") != 0 && strcmp(name, "ground") != 0) {
            bool upright = strncmp(name, "along", 5) == 0;
            check->list[check->rings++] = (ring_curve){ .radius = upright ? upright_radius : flat_radius,
                                                        .body = (carom_id)i };
        }
    }
    check->linked = allocate(check->rings * check->rings, sizeof *check->linked);
}

/* Curves whose circles' balls are apart are not linked. */
static double linked(const ring_curve *a, const ring_curve *b)
{
    double apart = hypot(hypot(a->middle.x - b->middle.x, a->middle.y - b->middle.y), a->middle.z - b->middle.z);
    return apart > a->radius + b->radius ? 0.0 : carom_linking_number(a->corners, RING_SIDES, b->corners, RING_SIDES);
}

/* ---- frames -------------------------------------------------------------------------------------------------------- */

static void check_pair(net_check *check, size_t i, size_t j, bool first)
{
    const double rounding = 1e-6;
    double number = linked(&check->list[i], &check->list[j]);
    double *begun = &check->linked[i * check->rings + j];
    if (first) {
        *begun = rint(number);
        check->links += *begun != 0.0;
    }
    check->wrong += !(fabs(number - *begun) <= rounding);
}

static void check_frame(const barrier_run *run, net_check *check, size_t frame)
{
    for (size_t i = 0; i < check->rings; ++i) {
        place_ring(run, &check->list[i], frame);
    }
    for (size_t i = 0; i < check->rings; ++i) {
        for (size_t j = i + 1; j < check->rings; ++j) {
            check_pair(check, i, j, frame == 0);
        }
    }
}

static double lowest_ring(const net_check *check)
{
    double lowest = (double)HUGE_VAL;
    for (size_t i = 0; i < check->rings; ++i) {
        lowest = fmin(lowest, check->list[i].middle.z);
    }
    return lowest;
}

static void label(char *out, const char *what, int n, const char *text)
{
    snprintf(out, SETTING_TEXT, "%s %d x %d: %s", what, n, n, text);
}

static void compare_net(paper_report *r, const barrier_run *run, const char *what, int n)
{
    char name[SETTING_TEXT];
    net_check check = { 0 };
    find_rings(run, &check);
    for (size_t i = 0; i < run->frames; ++i) {
        check_frame(run, &check, i);
    }
    label(name, what, n, "linked pairs at the start");
    paper_row(r, name, check.links, 4.0 * n * (n - 1), 0.0, "two per upright ring");
    label(name, what, n, "linking numbers that changed");
    paper_row(r, name, check.wrong, 0.0, 0.0, "pairs of rings, all frames");
    label(name, what, n, "ball through the net");
    paper_row(r, name, barrier_last(run, "ball.position.z") < lowest_ring(&check), 0.0, 0.0, "rings are below it");
    label(name, what, n, "ms per step");
    paper_fact(r, name, 1e3 * run->how.wall / (double)run->how.steps, "wall time");
    free(check.list);
    free(check.linked);
}

static int run_net(paper_report *r, verification *v, const char *scene, const char *what, int n)
{
    barrier_run run = { 0 };
    settings s = { 0 };
    char name[SETTING_TEXT];
    snprintf(name, sizeof name, "%s-%d", what, n);
    settings_number(&s, "variables.n", n);
    int code = barrier_run_scene(r, v, scene, name, &s, &run);
    if (code == EXIT_DONE) {
        compare_net(r, &run, what, n);
    }
    barrier_run_close(&run);
    return code;
}

int nets_item(paper_report *r)
{
    verification v = { 0 };
    int most = (int)barrier_size(r, 4, 8, 16);
    int code = EXIT_DONE;
    for (int n = 4; n <= most && code == EXIT_DONE; n *= 2) {
        code = run_net(r, &v, "chain-net.json", "rings", n);
        code = code == EXIT_DONE ? run_net(r, &v, "net-wire.json", "wire", n) : code;
    }
    verification_rows(r, &v);
    return code;
}
