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

/* What is no number, where a trial of a step has none, agrees: halves would not be numbers either. */
static bool agree(const moments *whole, const moments *a, const moments *b, double error, double scale)
{
    const double direction = 100.0; /* forces need not be as exact as the potential */
    double apart = v3_norm(v3_sub(v3_add(a->pressure, b->pressure), whole->pressure));
    return !(fabs(a->m1 + b->m1 - whole->m1) > error || fabs(a->m2 + b->m2 - whole->m2) > error * scale ||
             apart > direction * error);
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

/* Where the face changes between two places, as far as their tangents tell: faces to both sides of it show that they do. */
static bool guess_kink(curve_job *j, double low, const exact_look *a, double high, const exact_look *b, double *kink)
{
    const exact_element *c = &j->curve;
    v3 along_a = exact_is_circle(c->kind) ? v3_zero() : c->u;
    double up = v3_dot(a->inwards, along_a) + c->taper;
    double down = v3_dot(b->inwards, along_a) + c->taper;
    double s = (b->depth - a->depth + up * low - down * high) / (up - down);
    double step = 1e-10 * (high - low);
    if (exact_is_circle(c->kind) || !(s - step > low && s + step < high)) {
        return false;
    }
    *kink = s;
    return curve_look(j, s - step).face == a->face && curve_look(j, s + step).face == b->face;
}

/* A place of a piece and what is seen from there. */
typedef struct seen_place {
    double s;
    exact_look look;
} seen_place;

/* Where the face changes first behind `a`, and what is seen from there on: not always what is seen at b. */
static seen_place change_of_face(curve_job *j, const seen_place *a, const seen_place *b)
{
    seen_place kink = { .look = b->look };
    if (!guess_kink(j, a->s, &a->look, b->s, &b->look, &kink.s)) {
        kink.s = find_kink(j, a->s, b->s, a->look.face);
        kink.look = curve_look(j, kink.s);
    }
    return kink;
}

/* A part of a piece, and both its halves, as seen from their nodes. */
typedef struct seen_part {
    seen_place low, high;
    moments whole, half[2];
    exact_look looks[2][GAUSS];
} seen_part;

/* Whether a node of a half, or the end behind them, sees another face than the start; between which two places it changes first. */
static bool find_change(const seen_part *t, seen_place *before, seen_place *after)
{
    double width = 0.5 * (t->high.s - t->low.s);
    *after = t->low;
    for (int k = 0; k <= 2 * GAUSS && after->look.face == t->low.look.face; ++k) {
        *before = *after;
        *after = t->high;
        if (k < 2 * GAUSS) {
            int half = k / GAUSS;
            double s = t->low.s + (half + 0.5 * (1.0 + gauss_place[k % GAUSS])) * width;
            *after = (seen_place){ s, t->looks[half][k % GAUSS] };
        }
    }
    return after->look.face != t->low.look.face;
}

/* A part that sees one face from its ends and from all nodes is smooth; any other is cut where the first change is. */
static void integrate_faces(curve_job *j, const piece *p, seen_place low, seen_place high, int *changes)
{
    enum { MOST = 1000 };
    if (!(high.s > low.s) || j->failed) {
        return;
    }
    exact_look ignored[GAUSS];
    seen_part t = { .low = low, .high = high, .whole = measure(j, low.s, high.s, ignored) };
    seen_place middle = { 0.5 * (low.s + high.s), low.look };
    t.half[0] = measure(j, low.s, middle.s, t.looks[0]);
    t.half[1] = measure(j, middle.s, high.s, t.looks[1]);
    seen_place before, after;
    bool changed = find_change(&t, &before, &after);
    if (++*changes > MOST || !(high.s - low.s > 1e-12 * (p->high - p->low))) {
        integrate(j, p, low.s, high.s, &t.whole, 0);
    } else if (changed) {
        seen_place kink = change_of_face(j, &before, &after);
        integrate_faces(j, p, low, (seen_place){ kink.s, before.look }, changes);
        integrate_faces(j, p, kink, high, changes);
    } else if (agree(&t.whole, &t.half[0], &t.half[1], allowed_error(j, p) * (p->high - p->low), p->scale)) {
        add_nodes(j, low.s, middle.s, t.looks[0]);
        add_nodes(j, middle.s, high.s, t.looks[1]);
    } else {
        integrate_faces(j, p, low, middle, changes);
        integrate_faces(j, p, middle, high, changes);
    }
}

void curve_add_piece(curve_job *j, double low, double high)
{
    enum { PARTS = 4 };
    const double inside = 1e-7; /* of the length: at the very end rounding tells the face */
    piece p = { .low = low, .high = high };
    for (int k = 0; k < PARTS; ++k) {
        p.scale = fmax(p.scale, curve_look(j, low + (k + 0.5) / PARTS * (high - low)).depth);
    }
    seen_place ends[2] = { { low, curve_look(j, low + inside * (high - low)) },
                           { high, curve_look(j, high - inside * (high - low)) } };
    int changes = 0; /* of face */
    j->length += high - low;
    integrate_faces(j, &p, ends[0], ends[1], &changes);
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

typedef struct place {
    double s, depth;
} place;

static double slope(const curve_job *j, const exact_look *k)
{
    return v3_dot(k->inwards, j->curve.u) + j->curve.taper;
}

/* The deepest place is an end: it belongs to what is there, and the weight of a rounded line is zero. */
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
    bool sharp = j->curve.kind == EXACT_EDGE;
    place top = !sharp && deepest_at_end(j) ? (place){ 0.0, 0.0 } : find_inside(j);
    if (!(top.depth > 0.0)) {
        return;
    }
    double low = j->ends[0].depth >= 0.0 ? 0.0 : find_end(j, &j->ends[0], 0.0, top.s);
    double high = j->ends[1].depth >= 0.0 ? length : find_end(j, &j->ends[1], length, top.s);
    if (high > low) {
        curve_add_piece(j, low, high);
    }
}
