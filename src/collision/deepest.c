/* The deepest point of an edge or triangle in a distance field [Macklin, Erleben, Mueller, Chentanez, Jeschke, Kim,
 * Local optimization for robust signed distance field collision, 2020].
 *
 * Fields have kinks, so nothing here relies on second derivatives: along an edge, golden section in the bracket around
 * the lowest of five samples; in a triangle, projected gradient steps of shrinking length from the three lowest of seven
 * samples. What is equal to rounding goes to the middle: an edge lying on a face then pushes at its middle, and does
 * not jump from end to end. */
#include "collision/deepest.h"

static bool is_lower(double value, double than, double size)
{
    const double equal = 1e-10; /* of the size: what rounding alone may decide */
    return value < than - equal * size;
}

/* ---- edges --------------------------------------------------------------------------------------------------------- */

typedef struct edge_search {
    const collider_field_source *field;
    v3 a, ab;
    int *hint;
} edge_search;

static double edge_distance(const edge_search *s, double t)
{
    return field_source_sample(s->field, v3_axpy(s->a, t, s->ab), s->hint).distance;
}

enum { EDGE_SAMPLES = 5 };

/* Middle first: ties go there. */
static int lowest_sample(const double value[EDGE_SAMPLES], double length)
{
    static const int order[EDGE_SAMPLES] = { 2, 1, 3, 0, 4 };
    int lowest = order[0];
    for (int i = 1; i < EDGE_SAMPLES; ++i) {
        if (is_lower(value[order[i]], value[lowest], length)) {
            lowest = order[i];
        }
    }
    return lowest;
}

/* Lowest t of [low, high], to some millionths of the edge. */
static double golden_section(const edge_search *s, double low, double high, double *value)
{
    const double ratio = 0.6180339887498949;
    enum { STEPS = 24 };
    double t[2] = { high - ratio * (high - low), low + ratio * (high - low) };
    double f[2] = { edge_distance(s, t[0]), edge_distance(s, t[1]) };
    for (int k = 0; k < STEPS; ++k) {
        if (f[0] <= f[1]) {
            high = t[1];
            t[1] = t[0];
            f[1] = f[0];
            t[0] = high - ratio * (high - low);
            f[0] = edge_distance(s, t[0]);
        } else {
            low = t[0];
            t[0] = t[1];
            f[0] = f[1];
            t[1] = low + ratio * (high - low);
            f[1] = edge_distance(s, t[1]);
        }
    }
    *value = fmin(f[0], f[1]);
    return f[0] <= f[1] ? t[0] : t[1];
}

deep_point deepest_on_edge(const collider_field_source *field, v3 a, v3 b, int *hint)
{
    edge_search s = { .field = field, .a = a, .ab = v3_sub(b, a), .hint = hint };
    double length = v3_norm(s.ab);
    double value[EDGE_SAMPLES];
    for (int i = 0; i < EDGE_SAMPLES; ++i) {
        value[i] = edge_distance(&s, 0.25 * i);
    }
    int i = lowest_sample(value, length);
    double found;
    double t = golden_section(&s, 0.25 * (i > 0 ? i - 1 : 0), 0.25 * (i < EDGE_SAMPLES - 1 ? i + 1 : i), &found);
    if (!is_lower(found, value[i], length)) {
        t = 0.25 * i;
        found = value[i];
    }
    return (deep_point){ .p = v3_axpy(a, t, s.ab), .distance = found };
}

/* ---- triangles ----------------------------------------------------------------------------------------------------- */

enum { FACE_SAMPLES = 7, FACE_STARTS = 3 };

/* Centre, middles of the edges, corners: ties go to the earlier ones. */
static void sample_face(deep_point out[FACE_SAMPLES], const collider_field_source *field, const v3 c[3], int *hint)
{
    out[0].p = v3_scale(1.0 / 3.0, v3_add(c[0], v3_add(c[1], c[2])));
    for (int k = 0; k < 3; ++k) {
        out[1 + k].p = v3_scale(0.5, v3_add(c[k], c[(k + 1) % 3]));
        out[4 + k].p = c[k];
    }
    for (int i = 0; i < FACE_SAMPLES; ++i) {
        out[i].distance = field_source_sample(field, out[i].p, hint).distance;
    }
}

static void lowest_first(deep_point *samples, double size)
{
    for (int i = 1; i < FACE_SAMPLES; ++i) {
        deep_point s = samples[i];
        int j = i;
        for (; j > 0 && is_lower(s.distance, samples[j - 1].distance, size); --j) {
            samples[j] = samples[j - 1];
        }
        samples[j] = s;
    }
}

/* Down the gradient within the plane, back onto the triangle; a step that does not go down is halved. */
static deep_point descend(const collider_field_source *field, deep_point start, const v3 c[3], v3 normal, double size,
                          int *hint)
{
    const double smallest = 1e-6;
    enum { MOST_TRIES = 60 };
    deep_point at = start;
    double step = 0.25 * size;
    v3 gradient = field_source_sample(field, at.p, hint).gradient;
    for (int k = 0; k < MOST_TRIES && step > smallest * size; ++k) {
        v3 along = v3_axpy(gradient, -v3_dot(gradient, normal), normal);
        double slope = v3_norm(along);
        if (slope < 1e-9) {
            break;
        }
        deep_point next;
        int feature;
        triangle_closest(v3_axpy(at.p, -step / slope, along), c[0], c[1], c[2], &next.p, &feature);
        field_sample f = field_source_sample(field, next.p, hint);
        next.distance = f.distance;
        if (is_lower(next.distance, at.distance, size)) {
            at = next;
            gradient = f.gradient;
        } else {
            step *= 0.5;
        }
    }
    return at;
}

static deep_point deepest_on_flat_triangle(const collider_field_source *field, const v3 c[3], int *hint)
{
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
        if (v3_norm2(v3_sub(c[(k + 1) % 3], c[k])) > v3_norm2(v3_sub(c[(longest + 1) % 3], c[longest]))) {
            longest = k;
        }
    }
    return deepest_on_edge(field, c[longest], c[(longest + 1) % 3], hint);
}

deep_point deepest_on_triangle(const collider_field_source *field, const v3 c[3], int *hint)
{
    const double no_area = 1e-12; /* of the squared size */
    v3 normal = v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0]));
    double size = fmax(v3_norm(v3_sub(c[1], c[0])), fmax(v3_norm(v3_sub(c[2], c[1])), v3_norm(v3_sub(c[0], c[2]))));
    if (v3_norm(normal) <= no_area * size * size) {
        return deepest_on_flat_triangle(field, c, hint);
    }
    normal = v3_unit(normal);
    deep_point samples[FACE_SAMPLES];
    sample_face(samples, field, c, hint);
    lowest_first(samples, size);
    deep_point best = samples[0];
    for (int i = 0; i < FACE_STARTS; ++i) {
        deep_point found = descend(field, samples[i], c, normal, size, hint);
        if (is_lower(found.distance, best.distance, size)) {
            best = found;
        }
    }
    return best;
}
