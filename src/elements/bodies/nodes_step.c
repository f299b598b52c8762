/* The highest frequency by power iteration on M^-1 K, and the step that it allows in central differences. The Rayleigh quotient grows towards the eigenvalue from below. */
#include "elements/bodies/nodes_parts.h"

#include <stdlib.h>
#include <string.h>

void nodal_stiffness_times(const nodal_body *body, const double *x, double *y)
{
    if (body->K) {
        node_matrix_times(body->K, x, y);
        return;
    }
    int d = body->dimension;
    memset(y, 0, (size_t)body->coordinate_count * sizeof *y);
    for (int k = 0; k < body->element_count; ++k) {
        const nodal_element *e = &body->elements[k];
        int n = d * e->count;
        for (int r = 0; r < n; ++r) {
            double sum = 0.0;
            for (int c = 0; c < n; ++c) {
                sum += e->K[r * n + c] * x[d * e->nodes[c / d] + c % d];
            }
            y[d * e->nodes[r / d] + r % d] += sum;
        }
    }
}

/* x becomes M^-1 K x with x' M x = 1; returns the Rayleigh quotient of the old one. */
static double iterate(const nodal_body *b, double *x, double *y)
{
    double kinetic = 0.0;
    double strain = 0.0;
    double next = 0.0;
    nodal_stiffness_times(b, x, y);
    for (int k = 0; k < b->coordinate_count; ++k) {
        strain += x[k] * y[k];
        kinetic += b->mass[k] * x[k] * x[k];
        y[k] = b->held[k] ? 0.0 : y[k] / b->mass[k];
        next += b->mass[k] * y[k] * y[k];
    }
    for (int k = 0; k < b->coordinate_count; ++k) {
        x[k] = y[k] / sqrt(next);
    }
    return strain / kinetic;
}

static double kinetic_share(const nodal_body *b, const solid_element *e, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < e->type->node_count; ++i) {
        for (int c = 0; c < b->dimension; ++c) {
            int at = b->dimension * e->nodes[i] + c;
            sum += b->mass[at] * x[at] * x[at];
        }
    }
    return sum / e->type->node_count;
}

static int busiest_element(const nodal_body *b, const double *x)
{
    const double alike = 1e-6; /* relative: shares of equal elements differ by what the iteration has left */
    int best = 0;
    double most = 0.0;
    for (int k = 0; k < solid_mesh_element_count(b->mesh); ++k) {
        solid_element e = solid_mesh_element(b->mesh, k);
        double share = kinetic_share(b, &e, x);
        if (share > (1.0 + alike) * most) {
            most = share;
            best = k;
        }
    }
    return best;
}

nodal_vibration nodal_fastest_vibration(const nodal_body *body)
{
    enum { MOST = 20000, LEAST = 50, WINDOW = 20 };
    const double settled =
        1e-7; /* relative growth over a window; the quotient is twice as exact as the frequency needs */
    int n = body->coordinate_count;
    double *x = malloc((size_t)n * sizeof *x);
    double *y = malloc((size_t)n * sizeof *y);
    double lambda = 0.0;
    double before = 0.0;
    uint32_t seed = 12345u;
    for (int k = 0; x && k < n; ++k) { /* any vector, always the same */
        seed = seed * 1664525u + 1013904223u;
        x[k] = body->held[k] ? 0.0 : (double)(seed >> 8) / 16777216.0 - 0.5;
    }
    for (int k = 0; x && y && k < MOST; ++k) {
        lambda = iterate(body, x, y);
        if (k % WINDOW == 0) {
            if (k >= LEAST && lambda - before <= settled * lambda) {
                break;
            }
            before = lambda;
        }
    }
    nodal_vibration found = { .omega = HUGE_VAL };
    if (x && y) {
        found = (nodal_vibration){ .omega = sqrt(lambda), .element = busiest_element(body, x) };
    }
    free(x);
    free(y);
    return found;
}

double nodal_critical_step(const nodal_body *body, double omega)
{
    double xi = 0.5 * body->damping * omega;
    return 2.0 / omega * (sqrt(1.0 + xi * xi) - xi);
}
