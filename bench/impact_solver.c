/* The reduced solver of impacts alone: thousands of random impacts of bodies with real inertia, without search, reduction or
 * records. Processor time per impact.
 *   one        a box strikes with a corner: no friction, friction in the plane, friction in space, a pin with friction on it
 *   2, 4, 12   contacts at once: a beam on two points, a box on four, a tower of three boxes, by each rule
 * usage: impact_solver [PART OF A LABEL] */
#include <math.h>
#include <string.h>

#include "measure.h"
#include "nonsmooth/strike.h"

enum { PROBLEMS = 1000, BODIES = 3, DOF = 6 * BODIES, CONTACTS = 12, ROWS = 3 * CONTACTS + 1, LOADS = 2 };

static const double PATIENCE = 2.0; /* [s] per line */

typedef struct impact {
    reduced_problem p;
    double R[ROWS][DOF]; /* rows, divided by the square roots of masses: D = R R^T */
    double D[ROWS * ROWS];
    double B[LOADS * ROWS];
    double u[ROWS];
    friction_element elements[CONTACTS + 1];
    load_group group;
    strike_contact defs[CONTACTS];
} impact;

static double uniform(void)
{
    static unsigned long long s = 88172645463325252ull;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return 2.0 * ((double)(s >> 11) * 0x1p-53) - 1.0;
}

/* A point of a body, as its lever, and a direction: unit mass, inertias of a box of 0.4 x 0.3 x 0.2 m. */
static void add_side(double *row, int body, const double r[3], int axis, double sign)
{
    static const double root_inertia[3] = { 0.10408, 0.12910, 0.14434 };
    double d[3] = { 0 };
    if (body < 0) {
        return;
    }
    d[axis] = sign;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        row[6 * body + i] += d[i];
        row[6 * body + 3 + i] += (r[j] * d[k] - r[k] * d[j]) / root_inertia[i];
    }
}

static void add_row(impact *p, int body, int below, double x, double y, int axis)
{
    double *row = p->R[p->p.row_count++];
    add_side(row, body, (double[]){ x, y, -0.1 }, axis, 1.0);
    add_side(row, below, (double[]){ x, y, 0.1 }, axis, -1.0);
}

static double product(const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < DOF; ++i) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* D, and velocities of all rows from one of every body: it comes down and turns a little. */
static void finish(impact *p)
{
    double v[DOF];
    int n = p->p.row_count;
    for (int i = 0; i < DOF; ++i) {
        v[i] = (i % 6 == 2 ? -1.0 : 0.0) + 0.3 * uniform();
    }
    for (int k = 0; k < n; ++k) {
        p->u[k] = product(p->R[k], v);
        for (int l = 0; l < n; ++l) {
            p->D[k * n + l] = product(p->R[k], p->R[l]);
        }
    }
    p->p.D = p->D;
    p->p.B = p->B;
    p->p.elements = p->elements;
    p->p.groups = &p->group;
    for (int k = 0; k < p->p.contact_count; ++k) {
        p->defs[k] = (strike_contact){ STRIKE_ENERGETIC, 0.5, (double)NAN, 1.0 };
    }
}

static void add_friction(impact *p, int contact, int dim, int body, int below, double x, double y)
{
    p->elements[p->p.element_count++] = (friction_element){
        .first_row = p->p.row_count, .dim = dim, .mu = 0.3, .contact = contact
    };
    for (int axis = 0; axis < dim; ++axis) {
        add_row(p, body, below, x, y, axis);
    }
}

static double near_one(void)
{
    return 1.0 + 0.2 * uniform();
}

/* A pin of two load components that any row presses on, with a slip of its own. */
static void add_pin(impact *p)
{
    double *row = p->R[p->p.row_count];
    p->elements[p->p.element_count++] = (friction_element){
        .first_row = p->p.row_count++, .dim = 1, .mu = 0.2, .contact = -1, .group_count = 1
    };
    for (int i = 0; i < 6; ++i) {
        row[i] = 0.3 * uniform();
    }
    p->p.load_count = LOADS;
    p->p.group_count = 1;
    p->group = (load_group){ 0, LOADS };
    for (int i = 0; i < LOADS * p->p.row_count; ++i) {
        p->B[i] = 0.5 * uniform();
    }
}

/* One corner: dim slip directions, 0 to 2. */
static void make_one(impact *p, int dim, bool pin)
{
    double x = 0.2 * near_one();
    double y = 0.15 * near_one();
    p->p.contact_count = 1;
    add_row(p, 0, -1, x, y, 2);
    if (dim > 0) {
        add_friction(p, 0, dim, 0, -1, x, y);
    }
    if (pin) {
        add_pin(p);
    }
    finish(p);
}

static void make_tower(impact *p, int contacts, bool friction)
{
    double x[CONTACTS], y[CONTACTS];
    p->p.contact_count = contacts;
    for (int k = 0; k < contacts; ++k) {
        x[k] = (k % 2 ? 0.2 : -0.2) * near_one();
        y[k] = contacts == 2 ? 0.0 : (k / 2 % 2 ? 0.15 : -0.15) * near_one();
        add_row(p, k / 4, k / 4 - 1, x[k], y[k], 2);
    }
    for (int k = 0; k < contacts && friction; ++k) {
        add_friction(p, k, 2, k / 4, k / 4 - 1, x[k], y[k]);
    }
    finish(p);
}

/* ---- timing -------------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static strike_outcome strike(strike_work *w, const impact *p, int rule, double *impulse, double *compression)
{
    double u[ROWS];
    strike_result out = { .impulse = impulse, .compression = compression };
    memcpy(u, p->u, sizeof u);
    if (rule < 0) {
        return strike_one(w, &p->p, 0, &p->defs[0], u, &out);
    }
    strike_options options = { .rule = (strike_rule)rule, .exponent = 1.5 };
    return strike_all(w, &p->p, p->defs, &options, u, &out);
}

/* Strikes problems until the time is up; returns the seconds of each, in order of length. */
static int strike_all_of(strike_work *w, const impact *p, int rule, double *seconds, int *failed)
{
    double impulse[ROWS], compression[ROWS];
    double begun = cpu_seconds();
    double before = begun;
    int count = 0;
    while (count < PROBLEMS && before - begun < PATIENCE) {
        *failed += strike(w, &p[count], rule, impulse, compression) != STRIKE_OK;
        double now = cpu_seconds();
        seconds[count++] = now - before;
        before = now;
    }
    qsort(seconds, (size_t)count, sizeof seconds[0], ascending);
    return count;
}

/* One line: label, microseconds (median of problems, mean, slowest), impacts per second, how many had no answer, of how
 * many. Everything is struck twice: caches are warm the second time. */
static void measure(const char *label, const impact *p, int rule, const char *wanted)
{
    if (!strstr(label, wanted)) {
        return;
    }
    double seconds[PROBLEMS];
    carom_arena arena = { 0 };
    strike_work *w = strike_create(&arena, ROWS, CONTACTS + 1, LOADS);
    int failed = 0;
    int count = 0;
    double sum = 0.0;
    if (!w) {
        stop("out of memory");
    }
    for (int run = 0; run < 2; ++run) {
        failed = 0;
        count = strike_all_of(w, p, rule, seconds, &failed);
    }
    for (int k = 0; k < count; ++k) {
        sum += seconds[k];
    }
    printf("%s %.2f %.2f %.1f %.0f %d %d\n", label, 1e6 * seconds[count / 2], 1e6 * sum / count,
           1e6 * seconds[count - 1], count / sum, failed, count);
    fflush(stdout);
    carom_arena_free(&arena);
}

static void measure_one(impact *p, const char *label, int dim, bool pin, const char *wanted)
{
    memset(p, 0, PROBLEMS * sizeof *p);
    for (int k = 0; k < PROBLEMS; ++k) {
        make_one(&p[k], dim, pin);
    }
    measure(label, p, -1, wanted);
}

static void measure_tower(impact *p, int contacts, bool friction, const char *wanted)
{
    static const char *const rules[] = { "sharing", "together", "sequential" };
    char label[64];
    memset(p, 0, PROBLEMS * sizeof *p);
    for (int k = 0; k < PROBLEMS; ++k) {
        make_tower(&p[k], contacts, friction);
    }
    for (int rule = 0; rule < 3; ++rule) {
        snprintf(label, sizeof label, "%d-contacts,%s%s", contacts, rules[rule], friction ? ",friction" : "");
        measure(label, p, rule, wanted);
    }
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "";
    impact *p = allocate(PROBLEMS, sizeof *p);
    measure_one(p, "one", 0, false, wanted);
    measure_one(p, "one,friction-in-a-plane", 1, false, wanted);
    measure_one(p, "one,friction", 2, false, wanted);
    measure_one(p, "one,friction,pin", 2, true, wanted);
    measure_one(p, "one,friction-in-a-plane,pin", 1, true, wanted);
    for (int friction = 0; friction < 2; ++friction) {
        measure_tower(p, 2, friction, wanted);
        measure_tower(p, 4, friction, wanted);
        measure_tower(p, 12, friction, wanted);
    }
    free(p);
    return 0;
}
