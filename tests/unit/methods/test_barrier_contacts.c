/* Method "barrier", contacts.c: the barrier and its derivatives, energy of near surfaces with gradient and Hessian, equal
 * contacts that are counted once, contacts of bodies that stand still. */
#include "methods/barrier/contacts.h"
#include "methods/barrier/friction.h"
#include "methods/barrier/pairs.h"
#include "support/barrier_bench.h"

static const double RANGE = 2e-3; /* [m] */

/* ---- the law ---------------------------------------------------------------------------------------------------------------- */

TEST(law, derivatives_and_signs)
{
    const double kappa = 3e5;
    for (double x = 0.02; x < 0.995; x += 0.013) {
        double gap = x * RANGE;
        double t = 1e-3 * fmin(x, 1.0 - x) * RANGE;
        barrier_law at = barrier_at(gap, RANGE, kappa);
        barrier_law p = barrier_at(gap + t, RANGE, kappa), pp = barrier_at(gap + 2.0 * t, RANGE, kappa);
        barrier_law m = barrier_at(gap - t, RANGE, kappa), mm = barrier_at(gap - 2.0 * t, RANGE, kappa);
        double first = (8.0 * (p.value - m.value) - (pp.value - mm.value)) / (12.0 * t);
        double second = (8.0 * (p.first - m.first) - (pp.first - mm.first)) / (12.0 * t);
        CHECK(at.value > 0.0 && at.first < 0.0 && at.second > 0.0);
        CHECK_NEAR(at.first, first, 1e-7 * fabs(at.first));
        CHECK_NEAR(at.second, second, 1e-7 * at.second);
    }
    barrier_law end = barrier_at(RANGE, RANGE, kappa);
    CHECK_NEAR(end.value, 0.0, 0.0);
    CHECK_NEAR(end.first, 0.0, 0.0);
    CHECK_NEAR(end.second, 0.0, 0.0);
    CHECK_GE(-barrier_at(1e-9 * RANGE, RANGE, kappa).first, 1e8 * kappa * RANGE); /* no load closes it */
}

/* ---- pairs of surfaces ------------------------------------------------------------------------------------------------------ */

typedef struct pair_case {
    const char *name;
    const char *shapes[2];
    const char *fixed; /* further keys of the first body */
    v3 position;       /* of the second, whence it approaches */
    v3 turn;           /* [rad] of the second */
    v3 way;            /* direction in which it approaches */
    double off;        /* the whole Hessian, at most; infinite: closest points jump */
} pair_case;

#define BOX "{\"box\": [0.3, 0.2, 0.1]}"
#define CYLINDER "{\"cylinder\": {\"radius\": 0.05, \"length\": 0.2}}"
#define COIN "{\"cylinder\": {\"radius\": 0.08, \"length\": 0.02}}"
#define RING "{\"make\": {\"type\": \"torus\", \"ring_radius\": 0.1, \"tube_radius\": 0.02, \"spacing\": 0.02}}"

static const pair_case CASES[] = {
    { "corner on face", { BOX, BOX }, "", { 0.02, 0.01, 0.4 }, { 0.7, 0.5, 0.3 }, { 0, 0, -1 }, 1e-5 },
    { "edge on edge", { BOX, BOX }, "", { 0.14, 0.02, 0.4 }, { 0.0, 0.8, 0.9 }, { 0.1, 0, -1 }, 1e-5 },
    { "corner beside corner", { BOX, BOX }, "", { 0.35, 0.27, 0.16 }, { 0.4, 0.5, 0.6 }, { -1, -1, -0.4 }, 1e-5 },
    { "corner on corner", { BOX, BOX }, "", { 0.4, 0.3, 0.2 }, { 0.0, 0.0, 0.0 }, { -1.001, -1.0003, -1 }, HUGE_VAL },
    { "nearly parallel edges",
      { BOX, BOX },
      "",
      { 0.3, 0.0, 0.16 },
      { 0.007, 0.0, 0.011 },
      { -0.1, 0, -0.98 },
      1e-5 },
    { "face on face", { BOX, BOX }, "", { 0.05, 0.03, 0.4 }, { 0.002, 0.003, 0.2 }, { 0, 0, -1 }, 1e-5 },
    { "ball on ball",
      { "{\"sphere\": 0.1}", "{\"sphere\": 0.07}" },
      "",
      { 0.1, 0.1, 0.4 },
      { 0, 0, 0 },
      { -1, -1, -4 },
      1e-5 },
    { "ball on box", { BOX, "{\"sphere\": 0.07}" }, "", { 0.17, 0.11, 0.2 }, { 0, 0, 0 }, { -1, -1, -2 }, 1e-5 },
    { "ball on plane",
      { "{\"plane\": [0, 0, 1]}", "{\"sphere\": 0.07}" },
      "\"fixed\": true,",
      { 0, 0, 0.4 },
      { 0.3, 0, 0 },
      { 0.5, 0, -1 },
      1e-5 },
    { "capsule on plane",
      { "{\"plane\": [0, 0, 1]}", "{\"capsule\": {\"radius\": 0.03, \"length\": 0.2}}" },
      "\"fixed\": true,",
      { 0, 0, 0.4 },
      { 0.0, 1.568, 0 },
      { 0, 0, -1 },
      1e-5 },
    { "box on plane",
      { "{\"plane\": [0, 0, 1]}", BOX },
      "\"fixed\": true,",
      { 0, 0, 0.4 },
      { 0.003, 0.002, 0.3 },
      { 0, 0, -1 },
      1e-5 },
    { "capsules across",
      { "{\"capsule\": {\"radius\": 0.03, \"length\": 0.2}}", "{\"capsule\": {\"radius\": 0.02, \"length\": 0.3}}" },
      "",
      { 0.3, 0.02, 0.01 },
      { 1.2, 0.3, 0.2 },
      { -1, 0, 0 },
      1e-5 },
    { "capsule on box",
      { BOX, "{\"capsule\": {\"radius\": 0.03, \"length\": 0.2}}" },
      "",
      { 0.14, 0.0, 0.3 },
      { 1.1, 0.3, 0.2 },
      { 0, 0, -1 },
      1e-5 },
    { "rim on plane",
      { "{\"plane\": [0, 0, 1]}", "{\"cylinder\": {\"radius\": 0.1, \"length\": 0.05}}" },
      "\"fixed\": true,",
      { 0, 0, 0.4 },
      { 0.4, 0.3, 0 },
      { 0, 0, -1 },
      1e-5 },
    { "rim nearly flat on plane",
      { "{\"plane\": [0, 0, 1]}", "{\"cylinder\": {\"radius\": 0.1, \"length\": 0.05}}" },
      "\"fixed\": true,",
      { 0, 0, 0.4 },
      { 0.008, 0.003, 0 },
      { 0, 0, -1 },
      1e-5 },
    { "cylinder on its side", { BOX, CYLINDER }, "", { 0.01, 0.02, 0.3 }, { 0.0, 1.565, 0.4 }, { 0, 0, -1 }, 1e-5 },
    { "rim on a face", { BOX, CYLINDER }, "", { 0.01, 0.02, 0.4 }, { 0.4, 0.3, 0.4 }, { 0, 0, -1 }, 1e-5 },
    { "rim on an edge", { BOX, CYLINDER }, "", { 0.18, 0.02, 0.4 }, { 0.4, 0.7, 0.4 }, { 0, 0, -1 }, 1e-5 },
    { "side on an edge", { BOX, CYLINDER }, "", { 0.2, 0.02, 0.4 }, { 0.9, 0.7, 0.4 }, { -0.1, 0, -1 }, 1e-5 },
    { "corner on the side", { CYLINDER, BOX }, "", { 0.4, 0.02, 0.03 }, { 0.6, 0.7, 0.4 }, { -1, 0, 0 }, 1e-5 },
    { "corner on the cap", { CYLINDER, BOX }, "", { 0.01, 0.02, 0.5 }, { 0.6, 0.7, 0.4 }, { 0, 0, -1 }, 1e-5 },
    { "standing, tilted", { BOX, COIN }, "", { 0.01, 0.02, 0.4 }, { 0.04, 0.02, 0.4 }, { 0, 0, -1 }, 2e-4 },
    { "standing across an edge", { BOX, COIN }, "", { 0.14, 0.02, 0.4 }, { 0.03, 0.04, 0.4 }, { 0, 0, -1 }, 2e-4 },
    { "level with an edge", { BOX, CYLINDER }, "", { 0.17, 0.0, 0.4 }, { 1.57, 0.006, 0.0 }, { 0, 0, -1 }, 1e-5 },
    { "ball on a cylinder",
      { CYLINDER, "{\"sphere\": 0.03}" },
      "",
      { 0.4, 0.02, 0.06 },
      { 0, 0, 0 },
      { -1, 0, 0 },
      1e-5 },
    { "capsule on a rim",
      { CYLINDER, "{\"capsule\": {\"radius\": 0.03, \"length\": 0.2}}" },
      "",
      { 0.06, 0.02, 0.4 },
      { 1.1, 0.9, 0.2 },
      { 0, 0, -1 },
      1e-5 },
    { "cylinders across", { CYLINDER, CYLINDER }, "", { 0.4, 0.02, 0.03 }, { 1.1, 0.9, 0.2 }, { -1, 0, 0 }, 1e-5 },
    { "rim on a cylinder", { CYLINDER, CYLINDER }, "", { 0.4, 0.02, 0.03 }, { 0.1, 0.9, 0.2 }, { -1, 0, 0.3 }, 1e-5 },
    { "rim on a rim", { CYLINDER, CYLINDER }, "", { 0.08, 0.02, 0.5 }, { 0.8, 0.5, 0.2 }, { 0, 0, -1 }, 1e-5 },
    { "cylinders level", { CYLINDER, CYLINDER }, "", { 0.4, 0.02, 0.03 }, { 0.007, 0.004, 0.2 }, { -1, 0, 0 }, 1e-5 },
    { "cap on cap", { COIN, COIN }, "", { 0.03, 0.02, 0.5 }, { 0.03, 0.02, 0.2 }, { 0, 0, -1 }, 2e-4 },
    { "rings", { RING, RING }, "", { 0.1, 0.003, 0.002 }, { 1.6, 0.3, 0.04 }, { 1, 0.1, 0.2 }, 1e-5 },
    { "faces cut finely",
      { "{\"make\": {\"type\": \"box\", \"size\": [0.06, 0.05, 0.02], \"spacing\": 0.004}}",
        "{\"make\": {\"type\": \"box\", \"size\": [0.04, 0.03, 0.02], \"spacing\": 0.01}}" },
      "",
      { 0.005, 0.003, 0.1 },
      { 0.002, 0.003, 0.2 },
      { 0, 0, -1 },
      1e-5 },
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

/* The pair 0.4 of the range apart. */
static bench bench_of(const pair_case *c, const char *contact)
{
    double angle = v3_norm(c->turn);
    v3 axis = angle > 0.0 ? v3_scale(1.0 / angle, c->turn) : v3_make(0, 0, 1);
    sim s = bench_parse(
        "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": "
        "{\"method\": \"barrier\", \"range\": %.17g%s}, \"bodies\": [{\"name\": \"one\", %s \"shape\": %s, "
        "\"density\": 1000}, {\"name\": \"two\", \"shape\": %s, \"density\": 2000, \"position\": [%.17g, "
        "%.17g, %.17g], \"orientation\": {\"axis\": [%.17g, %.17g, %.17g], \"angle\": %.17g}}]}",
        RANGE, contact, c->fixed, c->shapes[0], c->shapes[1], c->position.x, c->position.y, c->position.z, axis.x,
        axis.y, axis.z, angle);
    bench_approach(&s, 2, c->way, 0.4 * RANGE);
    bench b = bench_begin(s);
    CHECK_EQ(b.isle.pair_count, 1);
    return b;
}

static barrier_pair *pair_of(const bench *b)
{
    return &b->w->pairs[b->isle.pairs[0]];
}

static double energy(bench *b)
{
    double sum = contacts_evaluate(b->w, &b->isle);
    CHECK(isfinite(sum));
    return sum;
}

static void terms(bench *b)
{
    energy(b);
    contacts_add(b->w, &b->isle);
}

TEST(surfaces, gradient_is_that_of_the_energy)
{
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b = bench_of(&CASES[k], "");
        double error = bench_gradient_error(&b, energy, terms, 0.1, 2e-6);
        printf("%-22s %4d contacts, gradient off by %.2e\n", CASES[k].name, pair_of(&b)->contact_count, error);
        CHECK_GE(pair_of(&b)->contact_count, 1);
        CHECK_LE(error, 1e-6);
        bench_end(&b);
    }
}

/* Factors of normals that are nearly those of a cap lack what is small of second order. */
TEST(surfaces, whole_hessian_is_that_of_the_energy)
{
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b = bench_of(&CASES[k], "");
        b.isle.curvature = CURVATURE_WHOLE;
        double error = bench_hessian_error(&b, terms, 0.1, 2e-6);
        printf("%-22s Hessian off by %.2e\n", CASES[k].name, error);
        CHECK_LE(error, CASES[k].off);
        bench_end(&b);
    }
}

/* Without the curvature of the surfaces, or with its positive part, it can be factored as it is. */
TEST(surfaces, short_hessian_is_not_negative)
{
    static const hessian_curvature kinds[] = { CURVATURE_NONE, CURVATURE_POSITIVE };
    for (int k = 0; k < 2 * CASE_COUNT; ++k) {
        bench b = bench_of(&CASES[k / 2], "");
        b.isle.curvature = kinds[k % 2] == CURVATURE_NONE ? CURVATURE_NONE : CURVATURE_WHOLE;
        bench_blank_system(&b);
        terms(&b);
        if (kinds[k % 2] == CURVATURE_POSITIVE) {
            b.isle.curvature = CURVATURE_POSITIVE;
            bench_blank_system(&b);
            contacts_add(b.w, &b.isle);
        }
        CHECK(block_system_factor(b.isle.system, 1e-10 * pair_of(&b)->kappa));
        bench_end(&b);
    }
}

/* A ring that hangs in another: what its contacts do when it turns is a stiffness, (sum F . r) 1 - sym(sum F r'), of which the positive
 * part is in the Hessian. */
TEST(surfaces, short_hessian_has_the_geometric_stiffness)
{
    static double H[BENCH_UNKNOWNS][BENCH_UNKNOWNS];
    double g[BENCH_UNKNOWNS], zero[BENCH_UNKNOWNS] = { 0.0 };
    bench b = bench_of(&CASES[CASE_COUNT - 1], "");
    bench_gradient(&b, terms, zero, g, H);
    const barrier_pair *p = pair_of(&b);
    double most = 0.0;
    for (int side = 0; side < 2; ++side) {
        double values[3], trace = 0.0;
        m3 K = { { 0.0 } }, rest, axes;
        for (int k = 0; k < p->contact_count; ++k) {
            const barrier_contact *c = &p->contacts[k];
            v3 force = v3_scale(side == 0 ? -c->first : c->first, c->normal);
            m3 moment = m3_scale(-0.5, m3_add(m3_outer(force, c->arm[side]), m3_outer(c->arm[side], force)));
            trace += v3_dot(force, c->arm[side]);
            K = m3_add(K, moment);
        }
        K = m3_add(K, m3_scale(trace, m3_identity()));
        for (int i = 0; i < 9; ++i) {
            rest.m[i] = H[COLUMNS * side + 3 + i / 3][COLUMNS * side + 3 + i % 3];
        }
        for (int k = 0; k < p->contact_count; ++k) {
            v3 lever = v3_cross(p->contacts[k].arm[side], p->contacts[k].normal);
            rest = m3_add(rest, m3_scale(-p->contacts[k].second, m3_outer(lever, lever)));
        }
        m3_eigen_symmetric(K, values, &axes);
        for (int n = 0; n < 3; ++n) {
            v3 u = m3_column(axes, n);
            CHECK_NEAR(v3_dot(u, m3_mulv(rest, u)), fmax(0.0, values[n]), 1e-6 * (fabs(values[0]) + fabs(values[2])));
            most = fmax(most, values[n]);
        }
    }
    CHECK(most > 0.0);
    bench_end(&b);
}

TEST(surfaces, nearly_parallel_edges_are_taken_out_smoothly)
{
    bench b = bench_of(&CASES[4], "");
    int partly = 0;
    energy(&b);
    for (int k = 0; k < pair_of(&b)->contact_count; ++k) {
        double m = pair_of(&b)->contacts[k].parallel.value;
        CHECK(m > 0.0 && m <= 1.0);
        partly += m < 1.0;
    }
    CHECK_GE(partly, 1);
    bench_end(&b);
}

/* ---- equal contacts --------------------------------------------------------------------------------------------------------- */

static const double SAME = 1e-12; /* [m] */

/* Whether a closest point of one pair of features lies on a feature of another, too. */
static bool holds(const surface_pair *now, const feature_pair *f, int side, v3 point)
{
    const surface *s = side == 0 ? now->a : now->b;
    int corner[3];
    v3 x[3];
    int count = surface_corners(s, f->kind[side], f->index[side], corner);
    for (int c = 0; c < count; ++c) {
        x[c] = surface_pair_vertex(now, side, corner[c]);
    }
    double apart = count == 1   ? v3_norm(v3_sub(point, x[0]))
                   : count == 2 ? vertex_edge_distance(point, x).distance
                                : vertex_triangle_apart(point, x);
    return apart <= SAME;
}

/* Whether a distance within a group is least where it is: unless another pair of the group holds its closest points and is nearer; or
 * holds them, too, and comes first. */
static bool is_least(const surface_pair *now, const near_list *list, size_t k)
{
    piece_group group = surface_piece_group(now, &list->items[k].pair);
    feature_distance d = surface_pair_distance(now, &list->items[k].pair);
    for (size_t i = 0; group.kind != NO_PIECES && i < list->count; ++i) {
        const feature_pair *f = &list->items[i].pair;
        piece_group other = surface_piece_group(now, f);
        if (i != k && piece_group_same(&group, &other) && holds(now, f, 0, d.point[0]) &&
            holds(now, f, 1, d.point[1])) {
            double closer = d.distance - surface_pair_distance(now, f).distance;
            if (closer > SAME || (closer >= -SAME && i < k)) {
                return false;
            }
        }
    }
    return true;
}

/* The energy and the force on A, feature by feature: of flat faces, of their outlines and where they are nearest. */
static double plain_sum(const bench *b, const barrier_pair *p, v3 *force, int *count)
{
    surface_place places[2] = { collider_place(b->w, p->a), collider_place(b->w, p->b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    near_list list = { 0 };
    double sum = 0.0;
    *force = v3_zero();
    *count = 0;
    CHECK(surface_pair_near(&now, p->range + p->separation, &list));
    for (size_t k = 0; k < list.count; ++k) {
        edge_mollifier factor = surface_pair_mollifier(&now, &list.items[k].pair, p->range);
        double m = factor.value;
        if (surface_pair_inner(&now, &list.items[k].pair) || !is_least(&now, &list, k)) {
            continue;
        }
        feature_distance d = surface_pair_distance(&now, &list.items[k].pair);
        barrier_law law = barrier_at(list.items[k].distance - p->separation, p->range, p->kappa);
        sum += m * law.value;
        *count += m > 0.0;
        *force = v3_axpy(*force, -m * law.first, m3_mulv(places[1].R_w, d.normal));
        *force = v3_axpy(*force, m < 1.0 ? -factor.first * law.value : 0.0, m3_mulv(places[1].R_w, factor.shift));
    }
    free(list.items);
    return sum;
}

TEST(equals, are_counted_and_change_no_sum)
{
    int most = 0;
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b = bench_of(&CASES[k], "");
        const barrier_pair *p = pair_of(&b);
        double g[BENCH_UNKNOWNS];
        double zero[BENCH_UNKNOWNS] = { 0.0 };
        v3 force;
        int features = 0;
        int times = 0;
        double expected = plain_sum(&b, p, &force, &features);
        CHECK_NEAR(energy(&b), expected, 1e-11 * expected);
        for (int c = 0; c < p->contact_count; ++c) {
            times += p->contacts[c].times;
            most = p->contacts[c].times > most ? p->contacts[c].times : most;
        }
        CHECK_EQ(times, features);
        bench_gradient(&b, terms, zero, g, NULL);
        v3 on_b = v3_load(g + COLUMNS * b.w->bodies[p->body[1]].node); /* gradient of B: force on A */
        CHECK_LE(v3_norm(v3_sub(on_b, force)), 1e-10 * v3_norm(force));
        bench_end(&b);
    }
    CHECK_GE(most, 10); /* a corner on a corner */
}

/* ---- flat faces ------------------------------------------------------------------------------------------------------------- */

#define BALL "{\"sphere\": 0.01}"
#define CUT_BOX "{\"make\": {\"type\": \"box\", \"size\": [0.3, 0.2, 0.1], \"spacing\": %g}}"

/* The second body moved to `at` from where it began. */
static double energy_at(bench *b, v3 at)
{
    double d[BENCH_UNKNOWNS] = { 0.0 };
    v3_store(d + COLUMNS, at);
    bench_displace(b, d);
    return energy(b);
}

/* A ball or a box beside faces, edges and corners of boxes that are cut into more and more triangles: the same energy. */
TEST(faces, tessellation_changes_nothing)
{
    static const pair_case at[] = {
        { "", { BOX, BALL }, "", { 0.02, 0.01, 0.4 }, { 0, 0, 0 }, { 0, 0, -1 }, 0.0 },
        { "", { BOX, BALL }, "", { 0.149, 0.098, 0.4 }, { 0, 0, 0 }, { 0, 0, -1 }, 0.0 },
        { "", { BOX, BOX }, "", { 0.02, 0.01, 0.4 }, { 0.7, 0.5, 0.3 }, { 0, 0, -1 }, 0.0 },
        { "", { BOX, BOX }, "", { 0.05, 0.03, 0.4 }, { 0.002, 0.003, 0.2 }, { 0, 0, -1 }, 0.0 },
        { "", { BOX, BOX }, "", { 0.14, 0.02, 0.4 }, { 0.0, 0.8, 0.9 }, { 0.1, 0, -1 }, 0.0 },
        { "",
          { BOX, BOX },
          "",
          { 0.3, 0.0, 0.16 },
          { 0.007, 0.0, 0.011 },
          { -0.1, 0, -0.98 },
          0.0 } /* nearly parallel edges */
    };
    enum { PLACES = sizeof at / sizeof *at };
    static const double spacings[] = { 0.1, 0.05, 0.013 };
    for (int k = 0; k < PLACES; ++k) {
        for (int i = 0; i < 3; ++i) {
            char box[128];
            snprintf(box, sizeof box, CUT_BOX, spacings[i]);
            pair_case cut = at[k];
            cut.shapes[0] = box;
            bench whole = bench_of(&at[k], "");
            bench pieces = bench_of(&cut, "");
            test_rng rng = test_rng_seed(7);
            for (int n = 0; n < 200; ++n) {
                v3 way = { test_rng_uniform(&rng, -2e-2, 2e-2), test_rng_uniform(&rng, -2e-2, 2e-2),
                           test_rng_uniform(&rng, -0.3, 0.3) * RANGE };
                double expected = energy_at(&whole, way);
                CHECK_NEAR(energy_at(&pieces, way), expected, 1e-9 * (expected + energy_at(&whole, v3_zero())));
            }
            bench_end(&whole);
            bench_end(&pieces);
        }
    }
}

/* How often a ball counts that hangs above the middle of a pyramid's base of 0.2 m, whose middle stands out by so much. */
static int times_above(double height, double range)
{
    sim s = bench_parse(
        "{\"carom\": 1, \"time\": {\"end\": 1, \"step\": 0.01}, \"contact\": {\"method\": \"barrier\", \"range\": %.17g}, \"bodies\": "
        "[{\"name\": \"pyramid\", \"density\": 1000, \"shape\": {\"mesh\": {\"vertices\": [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, "
        "0], [-0.1, 0.1, 0], [0, 0, %.17g], [0, 0, -0.1]], \"triangles\": [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], "
        "[3, 2, 5], [0, 3, 5]]}}}, {\"name\": \"ball\", \"density\": 1000, \"shape\": " BALL
        ", \"position\": [0, 0, %.17g]}]}",
        range, height, 0.01 + 0.5 * range);
    bench b = bench_begin(s);
    energy(&b);
    int times = 0;
    for (int k = 0; k < pair_of(&b)->contact_count; ++k) {
        times += pair_of(&b)->contacts[k].times;
    }
    bench_end(&b);
    return times;
}

/* A face is flat up to 1e-7 of the size, and up to a thousandth of the range; else its triangles count one by one. */
TEST(faces, are_flat_to_a_limit)
{
    CHECK_EQ(times_above(0.0, 1e-3), 1);
    CHECK_EQ(times_above(5e-9, 1e-3), 1);
    CHECK_EQ(times_above(5e-9, 1e-5), 1);
    CHECK_EQ(times_above(5e-9, 1e-6), 4);
    CHECK_EQ(times_above(5e-7, 1e-3), 4);
}

/* Across a corner of a face that is not convex, and back over its outline: the largest step of the energy falls as the path is cut
 * finer. */
TEST(faces, energy_is_continuous)
{
    static const pair_case over = {
        "",
        { "{\"polygon\": {\"points\": [[-0.15, -0.15], [0.15, -0.15], [0.15, 0.001], [0, 0], [0.002, 0.15], [-0.15, 0.15]], "
          "\"thickness\": 0.1}}",
          BALL },
        "",
        { -0.01, -0.01, 0.4 },
        { 0, 0, 0 },
        { 0, 0, -1 },
        0.0
    };
    bench b = bench_of(&over, "");
    test_rng rng = test_rng_seed(8);
    for (int n = 0; n < 30; ++n) {
        v3 ends[2];
        for (int k = 0; k < 2; ++k) { /* in the plane of the face or a little above */
            ends[k] = v3_make(test_rng_uniform(&rng, 0.0, 0.02), test_rng_uniform(&rng, 0.0, 0.02),
                              test_rng_uniform(&rng, -0.3, 0.3) * RANGE);
        }
        double largest[2] = { 0.0, 0.0 };
        for (int fine = 0; fine < 2; ++fine) {
            int count = fine ? 20000 : 2000;
            double before = energy_at(&b, ends[0]);
            for (int k = 1; k <= count; ++k) {
                double now = energy_at(&b, v3_axpy(ends[0], (double)k / count, v3_sub(ends[1], ends[0])));
                largest[fine] = fmax(largest[fine], fabs(now - before));
                before = now;
            }
        }
        CHECK_LE(largest[1], 0.15 * largest[0] + 1e-12 * energy_at(&b, v3_zero()));
    }
    bench_end(&b);
}

/* A separation takes itself off every gap, and nothing else. */
/* ---- friction that follows the contacts -------------------------------------------------------------------------------------- */

/* What friction of the contacts at hand adds to the gradient of both bodies. */
static void follow(bench *b, double out[TWIST_PAIR])
{
    barrier_pair *p = pair_of(b);
    energy(b);
    CHECK(friction_follow_by(b->w, &b->isle, 1.0));
    memset(p->terms, 0, sizeof *p->terms);
    friction_add(b->w, p, false, false);
    memcpy(out, p->terms->gradient, sizeof p->terms->gradient);
}

/* Its derivative: that of the potential with material points that turn with their bodies, and what friction_couple adds. */
static void follow_derivative(bench *b, double out[TWIST_PAIR][TWIST_PAIR])
{
    double gradient[TWIST_PAIR];
    friction_coupling coupling;
    follow(b, gradient);
    const pair_terms *t = pair_of(b)->terms;
    friction_couple(b->w, pair_of(b), 1.0, &coupling);
    memcpy(out, coupling.K, sizeof coupling.K);
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            out[i][k] += t->own[0][COLUMNS * i + k];
            out[COLUMNS + i][COLUMNS + k] += t->own[1][COLUMNS * i + k];
            out[i][COLUMNS + k] += t->cross[COLUMNS * i + k];
            out[COLUMNS + k][i] += t->cross[COLUMNS * i + k];
        }
    }
    for (int side = 0; side < 2; ++side) { /* (w x arm) x force */
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) {
                out[COLUMNS * side + 3 + i][COLUMNS * side + 3 + k] += (i == k ? m3_trace(t->virial[side]) : 0.0) -
                                                                       t->virial[side].m[3 * k + i];
            }
        }
    }
}

/* Both bodies a little on: they slip, come nearer and turn. */
static void slip_on(bench *b, double slip)
{
    double d[BENCH_UNKNOWNS] = { 0.0 };
    for (int k = 0; k < COLUMNS * b->isle.body_count; ++k) {
        d[k] = slip * (k % 2 == 0 ? 1.0 : -0.6) * (1.0 + 0.1 * k);
    }
    bench_displace(b, d);
    for (int k = 0; k < b->isle.body_count; ++k) {
        b->home[k] = bench_body(b, k)->at;
    }
}

static double size_of_row(const bench *b, int i)
{
    return i % COLUMNS < 3 ? 1.0 : 1.0 / b->w->bodies[pair_of(b)->body[i / COLUMNS]].reach;
}

/* The largest error of a column, over the largest number of any. */
static double follow_error(bench *b)
{
    const double h = 2e-9;
    double K[TWIST_PAIR][TWIST_PAIR];
    double most = 0.0, error = 0.0;
    follow_derivative(b, K);
    for (int n = 0; n < COLUMNS * b->isle.body_count; ++n) {
        const moving_body *body = bench_body(b, n / COLUMNS);
        int side = pair_of(b)->body[0] == b->isle.bodies[n / COLUMNS] ? 0 : 1;
        int column = COLUMNS * side + n % COLUMNS;
        double step = n % COLUMNS < 3 ? h : h / body->reach;
        double up[TWIST_PAIR], down[TWIST_PAIR], d[BENCH_UNKNOWNS] = { 0.0 };
        d[n] = step;
        bench_displace(b, d);
        follow(b, up);
        d[n] = -step;
        bench_displace(b, d);
        follow(b, down);
        for (int i = 0; i < TWIST_PAIR; ++i) {
            if (b->w->bodies[pair_of(b)->body[i / COLUMNS]].free) {
                double scale = size_of_row(b, i) * step / h;
                most = fmax(most, scale * fabs(K[i][column]));
                error = fmax(error, scale * fabs((up[i] - down[i]) / (2.0 * step) - K[i][column]));
            }
        }
    }
    bench_go_home(b);
    return error / most;
}

TEST(friction, derivative_where_it_follows_the_contacts)
{
    static const double slips[] = { 3e-6, 1e-4 }; /* [m]; the stick speed makes 2e-5 of a step */
    for (int k = 0; k < 2 * CASE_COUNT; ++k) {
        const pair_case *c = &CASES[k / 2];
        bench b = bench_of(c, ", \"friction\": 0.6");
        slip_on(&b, slips[k % 2]);
        double error = follow_error(&b);
        printf("%-24s slip %.0e m: derivative off by %.2e\n", c->name, slips[k % 2], error);
        if (isfinite(c->off)) {
            CHECK_LE(error, 1e-6); /* the square of 2e-9 m in a stick width of 2e-5 m, and rounding of 1e-17 m */
        }
        bench_end(&b);
    }
}

/* The gradient alone is that which comes with the Hessian; of friction a part lags and a part follows. */
TEST(friction, gradient_alone_is_that_of_the_whole)
{
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b = bench_of(&CASES[k], ", \"friction\": 0.6");
        size_t n = (size_t)bench_unknowns(&b);
        double whole[BENCH_UNKNOWNS], most = 0.0, error = 0.0;
        energy(&b);
        CHECK(friction_find(b.w, pair_of(&b)));
        slip_on(&b, 1e-5);
        energy(&b);
        friction_keep_lagged(b.w, &b.isle);
        CHECK(friction_follow_by(b.w, &b.isle, 0.25 * (double)(k % 5)));
        bench_blank_system(&b);
        memset(b.isle.gradient, 0, n * sizeof *whole);
        contacts_add(b.w, &b.isle);
        memcpy(whole, b.isle.gradient, n * sizeof *whole);
        memset(b.isle.gradient, 0, n * sizeof *whole);
        contacts_add_forces(b.w, &b.isle);
        for (size_t i = 0; i < n; ++i) {
            most = fmax(most, fabs(whole[i]));
            error = fmax(error, fabs(b.isle.gradient[i] - whole[i]));
        }
        CHECK(most > 0.0);
        CHECK_LE(error, 1e-14 * most); /* rounding of sums in another order */
        bench_end(&b);
    }
}

TEST(surfaces, separation_shifts_the_gap)
{
    bench b = bench_of(&CASES[0], ", \"separation\": 0.0003");
    energy(&b);
    double least = HUGE_VAL;
    for (int k = 0; k < pair_of(&b)->contact_count; ++k) {
        least = fmin(least, pair_of(&b)->contacts[k].gap);
    }
    CHECK_NEAR(least, 0.4 * RANGE - 3e-4, 1e-11);
    CHECK_LE(bench_gradient_error(&b, energy, terms, 0.1, 2e-6), 1e-6);
    bench_end(&b);
}

/* ---- bodies that stand still ------------------------------------------------------------------------------------------------ */

TEST(still, contacts_are_kept_until_a_body_moves)
{
    bench b = bench_of(&CASES[5], "");
    barrier_pair *p = pair_of(&b);
    double before = energy(&b);
    long distances = p->distances;
    int count = p->contact_count;
    CHECK_NEAR(energy(&b), before, 0.0);
    CHECK_EQ(p->distances, distances); /* nothing was computed again */
    p->kappa *= 2.0;
    CHECK_NEAR(energy(&b), 2.0 * before, 1e-15 * before);
    CHECK_EQ(p->distances, distances);
    CHECK_EQ(p->contact_count, count);
    p->kappa *= 0.5;
    double d[BENCH_UNKNOWNS] = { 0.0, 0.0, -1e-5 };
    bench_displace(&b, d);
    CHECK(energy(&b) < before); /* the lower one goes down */
    CHECK(p->distances > distances);
    bench_go_home(&b);
    CHECK_NEAR(energy(&b), before, 1e-12 * before);
    bench_end(&b);
}

static bool intersect(const bench *b)
{
    surface_place places[2] = { collider_place(b->w, pair_of(b)->a), collider_place(b->w, pair_of(b)->b) };
    surface_pair now = surface_pair_of(&places[0], &places[1]);
    feature_pair at;
    return surface_pair_meets(&now, &at);
}

/* However far and however often the pair has moved or turned, the energy is that of the place. */
TEST(still, energy_depends_on_the_place_alone)
{
    test_rng rng = test_rng_seed(5);
    for (int k = 0; k < CASE_COUNT; ++k) {
        bench b = bench_of(&CASES[k], "");
        double before = energy(&b);
        for (int n = 0; n < 60; ++n) {
            double d[BENCH_UNKNOWNS];
            double size = n % 15 == 0 ? 0.05 : 1e-4;
            double turn = n % 3 == 0 ? size : n % 3 == 1 ? 0.01 : 0.1;
            for (int i = 0; i < bench_unknowns(&b); ++i) {
                d[i] = test_rng_uniform(&rng, -1.0, 1.0) * (i % COLUMNS < 3 ? size : turn);
            }
            bench_displace(&b, d);
            double there = contacts_evaluate(b.w, &b.isle);
            if (isfinite(there) && !intersect(&b)) {
                v3 force;
                int count;
                CHECK_NEAR(there, plain_sum(&b, pair_of(&b), &force, &count), 1e-9 * there + 1e-15);
            }
        }
        bench_go_home(&b);
        CHECK_NEAR(energy(&b), before, 1e-11 * before);
        bench_end(&b);
    }
}

/* Two bodies in each other have no finite energy. */
TEST(surfaces, gap_that_is_not_positive_is_infinite)
{
    bench b = bench_of(&CASES[6], "");
    double d[BENCH_UNKNOWNS] = { 0.0 };
    v3_store(d, v3_scale(0.5 * RANGE, v3_unit(v3_make(1, 1, 4))));
    bench_displace(&b, d);
    CHECK(contacts_evaluate(b.w, &b.isle) == HUGE_VAL);
    bench_end(&b);
}

/* What is pressed nearly shut is made stiffer, ten times at most. */
TEST(stiffen, doubles_where_a_gap_is_nearly_shut)
{
    bench b = bench_of(&CASES[6], "");
    barrier_pair *p = pair_of(&b);
    double kappa = p->kappa;
    energy(&b);
    CHECK(!contacts_stiffen(b.w, &b.isle));
    CHECK_NEAR(p->kappa, kappa, 0.0);
    p->contacts[0].gap = 0.019 * RANGE;
    for (int k = 0; k < 10; ++k) {
        CHECK(contacts_stiffen(b.w, &b.isle));
    }
    CHECK(!contacts_stiffen(b.w, &b.isle));
    CHECK_NEAR(p->kappa, 1024.0 * kappa, 0.0);
    bench_end(&b);
}

/* Where that changes nothing, it is not done again: not before the gap is another. */
TEST(stiffen, ends_where_a_gap_stays_as_it_is)
{
    bench b = bench_of(&CASES[6], "");
    barrier_pair *p = pair_of(&b);
    energy(&b);
    p->contacts[0].gap = p->found_gap = 0.01 * RANGE;
    contacts_note_squeezed(b.w);
    CHECK(!p->squeezed); /* it was not made stiffer */
    CHECK(contacts_stiffen(b.w, &b.isle));
    contacts_note_squeezed(b.w);
    CHECK(p->squeezed);
    CHECK_NEAR(p->unraised, p->fitted, 0.0);
    CHECK(!contacts_stiffen(b.w, &b.isle));
    p->raised = 0;
    contacts_note_squeezed(b.w);
    CHECK(p->squeezed);
    p->contacts[0].gap = 0.009 * RANGE - 1e-9;
    contacts_note_squeezed(b.w);
    CHECK(!p->squeezed);
    CHECK(contacts_stiffen(b.w, &b.isle));
    bench_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(law, derivatives_and_signs),
        RUN_TEST(surfaces, gradient_is_that_of_the_energy),
        RUN_TEST(surfaces, whole_hessian_is_that_of_the_energy),
        RUN_TEST(surfaces, short_hessian_is_not_negative),
        RUN_TEST(surfaces, short_hessian_has_the_geometric_stiffness),
        RUN_TEST(surfaces, nearly_parallel_edges_are_taken_out_smoothly),
        RUN_TEST(equals, are_counted_and_change_no_sum),
        RUN_TEST(faces, tessellation_changes_nothing),
        RUN_TEST(faces, are_flat_to_a_limit),
        RUN_TEST(faces, energy_is_continuous),
        RUN_TEST(friction, derivative_where_it_follows_the_contacts),
        RUN_TEST(friction, gradient_alone_is_that_of_the_whole),
        RUN_TEST(surfaces, separation_shifts_the_gap),
        RUN_TEST(still, contacts_are_kept_until_a_body_moves),
        RUN_TEST(still, energy_depends_on_the_place_alone),
        RUN_TEST(surfaces, gap_that_is_not_positive_is_infinite),
        RUN_TEST(stiffen, doubles_where_a_gap_is_nearly_shut),
        RUN_TEST(stiffen, ends_where_a_gap_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
