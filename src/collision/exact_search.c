/* Lines in solids with a round side, and rounded lines in any solid: the piece that is inside by search, nodes by adaptive
 * quadrature. The depth along a line is concave: tangents bound it from above, and tangents from outside come nearer to an end of the
 * piece and never pass it. */
#include "collision/exact_curve.h"

/* ---- quadrature --------------------------------------------------------------------------------------------------- */

typedef struct moments {
    double m1, m2;
    v3 pressure; /* of the depth along its gradient: forces are made of both */
} moments;

typedef struct piece {
    double low, high; /* [m] */
    double scale;     /* [m] the largest depth known: what errors are measured by */
} piece;

static const double ACCURACY = 1e-11; /* of the moments of a piece */
static const double ROUNDING = 1e-14; /* of coordinates: depths are differences of them */

static exact_look node_look(curve_job *j, double low, double high, int k, double *s)
{
    *s = 0.5 * (low + high) + 0.5 * (high - low) * gauss_place[k];
    return curve_look(j, *s);
}

static moments measure(curve_job *j, double low, double high, exact_look looks[GAUSS])
{
    moments m = { 0 };
    for (int k = 0; k < GAUSS; ++k) {
        double s;
        double ds = 0.5 * (high - low) * gauss_weight[k];
        looks[k] = node_look(j, low, high, k, &s);
        m.m1 += ds * looks[k].depth;
        m.m2 += ds * looks[k].depth * looks[k].depth;
        m.pressure = v3_axpy(m.pressure, ds * looks[k].depth, looks[k].inwards);
    }
    return m;
}

static void add_nodes(curve_job *j, double low, double high, const exact_look looks[GAUSS])
{
    for (int k = 0; k < GAUSS; ++k) {
        double s = 0.5 * (low + high) + 0.5 * (high - low) * gauss_place[k];
        curve_add_node(j, s, 0.5 * (high - low) * gauss_weight[k], &looks[k]);
    }
}

/* [m] What depths may be off by. */
static double allowed_error(const curve_job *j, const piece *p)
{
    const exact_element *c = &j->curve;
    return ACCURACY * p->scale + ROUNDING * (fabs(c->r.x) + fabs(c->r.y) + fabs(c->r.z) + c->reach);
}

static bool agree(const moments *whole, const moments *a, const moments *b, double error, double scale)
{
    const double direction = 100.0; /* forces need not be as exact as the potential */
    return fabs(a->m1 + b->m1 - whole->m1) <= error && fabs(a->m2 + b->m2 - whole->m2) <= error * scale &&
           v3_norm(v3_sub(v3_add(a->pressure, b->pressure), whole->pressure)) <= direction * error;
}

/* Halves agree with the whole, or are halved again. */
static void integrate(curve_job *j, const piece *p, double low, double high, const moments *whole, int depth)
{
    enum { DEEPEST = 40 };
    double middle = 0.5 * (low + high);
    exact_look left[GAUSS], right[GAUSS];
    moments a = measure(j, low, middle, left);
    moments b = measure(j, middle, high, right);
    double error = allowed_error(j, p) * (p->high - p->low);
    if (agree(whole, &a, &b, error, p->scale) || depth >= DEEPEST || j->failed) {
        add_nodes(j, low, middle, left);
        add_nodes(j, middle, high, right);
        return;
    }
    integrate(j, p, low, middle, &a, depth + 1);
    integrate(j, p, middle, high, &b, depth + 1);
}

static void integrate_smooth(curve_job *j, const piece *p, double low, double high)
{
    exact_look looks[GAUSS];
    if (high > low && !j->failed) {
        moments whole = measure(j, low, high, looks);
        integrate(j, p, low, high, &whole, 0);
    }
}

void curve_integrate(curve_job *j, double low, double high)
{
    enum { PARTS = 4 };
    piece p = { .low = low, .high = high };
    for (int k = 0; k < PARTS; ++k) {
        p.scale = fmax(p.scale, curve_look(j, low + (k + 0.5) / PARTS * (high - low)).depth);
    }
    integrate_smooth(j, &p, low, high);
}

/* Where the face seen changes from that at `low` to another. */
static double find_kink(curve_job *j, double low, double high, int face)
{
    for (int i = 0; i < 100; ++i) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) {
            break;
        }
        *(curve_look(j, middle).face == face ? &low : &high) = middle;
    }
    return high;
}

/* A piece is cut where its nearest face changes, as seen at a few places; what lies between them is found by the quadrature. */
static void add_piece(curve_job *j, piece p)
{
    enum { PARTS = 4 };
    double length = p.high - p.low;
    double place[PARTS + 1];
    exact_look seen[PARTS + 1];
    for (int k = 0; k <= PARTS; ++k) {
        double inside = k == 0 ? 1e-12 : k == PARTS ? 1.0 - 1e-12 : (double)k / PARTS;
        place[k] = p.low + inside * length;
        seen[k] = curve_look(j, place[k]);
        p.scale = fmax(p.scale, seen[k].depth);
    }
    j->length += length;
    double from = p.low;
    for (int k = 1; k <= PARTS; ++k) {
        if (seen[k].face != seen[k - 1].face) {
            double kink = find_kink(j, place[k - 1], place[k], seen[k - 1].face);
            integrate_smooth(j, &p, from, kink);
            from = kink;
        }
    }
    integrate_smooth(j, &p, from, p.high);
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

typedef struct place {
    double s, depth;
} place;

static double slope(const curve_job *j, const exact_look *k)
{
    return v3_dot(k->inwards, j->curve.u) + j->curve.taper;
}

/* The deepest place is an end: it belongs to what is there, and its weight is zero. */
static bool deepest_at_end(const curve_job *j)
{
    return (j->ends[0].depth > 0.0 && slope(j, &j->ends[0]) <= 0.0) ||
           (j->ends[1].depth > 0.0 && slope(j, &j->ends[1]) >= 0.0);
}

/* A place inside, near the deepest one; depth 0: there is none. */
static place find_inside(curve_job *j)
{
    enum { LOOKS = 60 };
    double low = 0.0;
    double high = j->curve.length;
    exact_look at_low = j->ends[0];
    exact_look at_high = j->ends[1];
    place best = { low, fmax(at_low.depth, 0.0) };
    best = at_high.depth > best.depth ? (place){ high, at_high.depth } : best;
    for (int i = 0; i < LOOKS; ++i) {
        double up = slope(j, &at_low);
        double down = slope(j, &at_high);
        double s = (at_high.depth - at_low.depth + up * low - down * high) /
                   (up - down); /* where the tangents cross */
        double bound = at_low.depth + up * (s - low);
        if (up <= 0.0 || down >= 0.0 || bound <= 1.2 * best.depth || !(s > low && s < high)) {
            break;
        }
        exact_look k = curve_look(j, s);
        best = k.depth > best.depth ? (place){ s, k.depth } : best;
        bool rises = slope(j, &k) >= 0.0;
        *(rises ? &low : &high) = s;
        *(rises ? &at_low : &at_high) = k;
    }
    return best;
}

/* From an end that is outside to where the line goes in. */
static double find_end(curve_job *j, const exact_look *outside, double s, double inside)
{
    enum { LOOKS = 80 };
    exact_look k = *outside;
    for (int i = 0; i < LOOKS && k.depth < 0.0; ++i) {
        double next = s - k.depth / slope(j, &k);
        if (!(fabs(next - inside) < fabs(s - inside))) {
            break;
        }
        s = next;
        k = curve_look(j, s);
    }
    return s;
}

void curve_search_line(curve_job *j)
{
    double length = j->curve.length;
    j->ends[0] = curve_look(j, 0.0);
    j->ends[1] = curve_look(j, length);
    place top = deepest_at_end(j) ? (place){ 0.0, 0.0 } : find_inside(j);
    if (!(top.depth > 0.0)) {
        return;
    }
    piece p = { .low = j->ends[0].depth >= 0.0 ? 0.0 : find_end(j, &j->ends[0], 0.0, top.s),
                .high = j->ends[1].depth >= 0.0 ? length : find_end(j, &j->ends[1], length, top.s),
                .scale = top.depth };
    if (p.high > p.low) {
        add_piece(j, p);
    }
}
