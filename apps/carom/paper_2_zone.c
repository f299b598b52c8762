/* Paper 2, section 5: nodes in the zone of contact, modes elsewhere (multi-variable), against all nodes in the same frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paper_2.h"

enum { CASES = 5, ALL_UNKNOWNS = 798 };

/* Modes; force, running impulse [1] and w2 [rad/s] of an own reference in Python (frame at the hinge); within which they must be. */
static const struct {
    int modes;
    double force, impulse, rate;
    double force_most, impulse_most; /* 0: nothing is asked for */
    bool quick;
} cases[CASES] = { { 10, 0.95, 0.098, -15.3511, 0.0, 0.0, false },
                   { 20, 0.22, 0.017, -15.3788, 0.0, 0.03, true },
                   { 30, 0.028, 0.0020, -15.3546, 0.0, 0.0, false },
                   { 40, 0.013, 0.0010, -15.3535, 0.02, 0.005, true },
                   { 80, 0.002, 0.0001, -15.3531, 0.005, 0.001, false } };

/* The largest difference of running impulses, over the total. */
static double running_distance(const force_curve *a, const force_curve *b)
{
    double x = 0.0, y = 0.0, worst = 0.0;
    for (size_t k = 0; k < a->count && k < b->count; ++k) {
        x += a->force[k] * a->h;
        y += b->force[k] * b->h;
        worst = fmax(worst, fabs(x - y));
    }
    return worst / fabs(y);
}

static void set_zone(settings *s, int modes, char *room, size_t size)
{
    snprintf(room, size, "{\"count\":%d}", modes);
    settings_text(s, "bodies.B2.flexible.as", "zone");
    settings_text(s, "bodies.B2.flexible.modes", room);
    settings_text(s, "bodies.B2.flexible.zone", "{\"box\":{\"low\":[0.1774,-1,-1],\"high\":[1,1,1]}}");
}

/* What the paper counts: the bar, the frame, modes, and two freedoms for each of 46 nodes. */
static int unknowns(int modes)
{
    return 3 + 3 + modes + 2 * 46;
}

static void compare_case(paper_report *r, int k, const pendulum_run *zone, const pendulum_run *nodes)
{
    char label[80];
    double end = (double)zone->normal.count * zone->normal.h;
    double force = distance_of(&zone->normal, &nodes->normal, 0.999 * end);
    double running = running_distance(&zone->normal, &nodes->normal);
    int modes = cases[k].modes;
    if (cases[k].impulse_most > 0.0) {
        snprintf(label, sizeof label, "%d modes: running impulse off", modes);
        paper_row(r, label, running, 0.0, cases[k].impulse_most, "all nodes");
        snprintf(label, sizeof label, "%d modes: impulse at 0.8 ms [N s]", modes);
        paper_row(r, label, impulse_until(&zone->normal, 8e-4), impulse_until(&nodes->normal, 8e-4),
                  0.01 * impulse_until(&nodes->normal, 8e-4), "all nodes");
        snprintf(label, sizeof label, "%d modes: w2 [rad/s]", modes);
        paper_row(r, label, zone->rates[1], nodes->rates[1], 0.005 * fabs(nodes->rates[1]), "all nodes");
        snprintf(label, sizeof label, "%d modes: peak [N]", modes);
        paper_row(r, label, peak_of(&zone->normal), peak_of(&nodes->normal), 0.005 * peak_of(&nodes->normal),
                  "all nodes");
    }
    if (cases[k].force_most > 0.0) {
        snprintf(label, sizeof label, "%d modes: force curve, L2", modes);
        paper_row(r, label, force, 0.0, cases[k].force_most, "all nodes");
    }
    if (modes == 40) {
        paper_row(r, "40 modes: share of unknowns", unknowns(modes) / (double)ALL_UNKNOWNS, 0.0, 0.2,
                  "at most a fifth");
    }
}

static void list_case(table *t, int k, const pendulum_run *zone, const pendulum_run *nodes)
{
    double end = (double)zone->normal.count * zone->normal.h;
    table_cell(t, "%d", cases[k].modes);
    table_cell(t, "%d", unknowns(cases[k].modes));
    table_cell(t, "%.2g", 100.0 * distance_of(&zone->normal, &nodes->normal, 0.999 * end));
    table_cell(t, "%.2g", 100.0 * cases[k].force);
    table_cell(t, "%.2g", 100.0 * running_distance(&zone->normal, &nodes->normal));
    table_cell(t, "%.2g", 100.0 * cases[k].impulse);
    table_cell(t, "%.4f", zone->rates[1]);
    table_cell(t, "%.4f", cases[k].rate);
    table_cell(t, "%.0f", peak_of(&zone->normal));
}

/* The other frames, with the modes that the history needs. */
static int compare_frame(paper_report *r, const char *frame)
{
    settings all = { 0 }, s = { 0 };
    pendulum_run nodes, zone = { 0 };
    char room[40], name[60], label[80];
    settings_text(&all, "bodies.B2.flexible.frame", frame);
    settings_text(&s, "bodies.B2.flexible.frame", frame);
    set_zone(&s, 40, room, sizeof room);
    snprintf(name, sizeof name, "double-pendulum-nodes-%s", frame);
    int code = run_pendulum(r, name, &all, &nodes);
    snprintf(name, sizeof name, "double-pendulum-zone-%s", frame);
    code = code == EXIT_DONE ? run_pendulum(r, name, &s, &zone) : code;
    if (code == EXIT_DONE) {
        snprintf(label, sizeof label, "%s, 40 modes: impulse off", frame);
        paper_row(r, label, running_distance(&zone.normal, &nodes.normal), 0.0, 0.005, "all nodes");
        snprintf(label, sizeof label, "%s, 40 modes: w2 [rad/s]", frame);
        paper_row(r, label, zone.rates[1], nodes.rates[1], 0.005 * fabs(nodes.rates[1]), "all nodes");
    }
    close_pendulum(&nodes);
    close_pendulum(&zone);
    return code;
}

int zone_item(paper_report *r)
{
    static const char *const titles[] = { "modes",     "unknowns", "force off [%]", "reference", "impulse off [%]",
                                          "reference", "w2",       "reference",     "peak [N]" };
    table *t = paper_table(r, "Multi-variable model against all nodes (798 unknowns)", 9, titles, "rrrrrrrrr");
    pendulum_run nodes;
    int code = run_pendulum(r, "double-pendulum-nodes", NULL, &nodes);
    for (int k = 0; k < CASES && code == EXIT_DONE; ++k) {
        settings s = { 0 };
        pendulum_run zone;
        char room[40], name[60];
        if (paper_is_quick(r) && !cases[k].quick) {
            continue;
        }
        set_zone(&s, cases[k].modes, room, sizeof room);
        snprintf(name, sizeof name, "double-pendulum-zone-%d", cases[k].modes);
        code = run_pendulum(r, name, &s, &zone);
        if (code == EXIT_DONE) {
            list_case(t, k, &zone, &nodes);
            compare_case(r, k, &zone, &nodes);
            if (cases[k].modes == 20) {
                const drawn_curve curves[] = { { "all nodes (798 unknowns)", &nodes.normal, true },
                                               { "zone and 20 modes (118)", &zone.normal, false } };
                code = draw_forces(r, "double-pendulum-zone", "Nodes in the zone of contact, modes elsewhere", curves,
                                   2);
            }
        }
        close_pendulum(&zone);
    }
    close_pendulum(&nodes);
    code = code == EXIT_DONE ? compare_frame(r, "chord") : code;
    code = code == EXIT_DONE && !paper_is_quick(r) ? compare_frame(r, "mean") : code;
    paper_note(
        r,
        "The first peak needs the zone alone; impulses and rates need modes up to 40 kHz; the history needs modes up to "
        "1.3 over the width of its shortest pulse, 150 kHz here. The paper has 47 nodes in its zone, the mesh 46.");
    return code;
}
