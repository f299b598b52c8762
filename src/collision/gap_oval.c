/* Gap functions of ellipsoids. The normal n is found for where both bodies stand (oval.h); its derivatives by time follow from the
 * condition that it makes s(n) largest, F = t . x - (t . n)(n . x) = 0 for t across n: Newton's method with jets and the matrix of
 * values has the first derivative right after one step, the second after another. */
#include "collision/jet.h"
#include "collision/oval.h"

typedef struct oval_jet {
    jet3 c, axes[3];
    v3 half;
} oval_jet;

static oval_jet oval_moving(const gap_feature *f, int k, const gap_motion *m)
{
    oval_jet o = { .c = jet_moving(m, f->c_c[k]), .half = f->half[k] };
    for (int i = 0; i < 3; ++i) {
        v3 axis = v3_make(i == 0, i == 1, i == 2);
        o.axes[i] = jet_turning(m, q_rotate(f->axes_c[k], axis));
    }
    return o;
}

static oval oval_now(const oval_jet *o)
{
    return (oval){ o->c.v, m3_from_columns(o->axes[0].v, o->axes[1].v, o->axes[2].v), o->half };
}

/* The point that lies farthest along n. */
static jet3 support_jet(const oval_jet *o, jet3 n)
{
    jet w[3];
    jet length2 = { 0 };
    for (int i = 0; i < 3; ++i) {
        w[i] = j_scale(v3_get(o->half, i), j3_dot(o->axes[i], n));
        length2 = j_add(length2, j_mul(w[i], w[i]));
    }
    if (!(length2.v > 0.0)) {
        return o->c;
    }
    jet per_length = j_inverse(j_sqrt(length2));
    jet3 p = o->c;
    for (int i = 0; i < 3; ++i) {
        p = j3_axpy(p, j_scale(v3_get(o->half, i), j_mul(w[i], per_length)), o->axes[i]);
    }
    return p;
}

/* Directions n = m / |m|, m = start + a_0 t_0 + a_1 t_1, in motion. */
typedef struct directions {
    jet3 start, t[2];
    int count;
} directions;

static directions directions_of(const gap_feature *f, const gap_motion *m, v3 n)
{
    if (f->kind == GAP_OVAL_LINE) { /* across the line, and turning with it */
        v3 n_c = q_unrotate(m->pose_w.orientation, n);
        return (directions){ .start = jet_turning(m, n_c),
                             .t = { jet_turning(m, v3_cross(f->d_c[1], n_c)) },
                             .count = 1 };
    }
    v3 t = v3_across(n);
    return (directions){ .start = { .v = n }, .t = { { .v = t }, { .v = v3_cross(n, t) } }, .count = 2 };
}

static jet3 direction_at(const directions *d, const jet a[2])
{
    jet3 m = d->start;
    for (int k = 0; k < d->count; ++k) {
        m = j3_axpy(m, a[k], d->t[k]);
    }
    jet length;
    return j3_unit(m, &length, v3_zero());
}

/* a += M^-1 F with M_kl = t_k . K t_l + s. */
static void newton_with_jets(const directions *d, const oval now[2], jet3 n, jet3 x, jet a[2])
{
    double M[2][2] = { { 1.0, 0.0 }, { 0.0, 1.0 } };
    jet F[2] = { { 0 } };
    for (int k = 0; k < d->count; ++k) {
        jet beside = j_mul(j3_dot(d->t[k], n), j3_dot(n, x));
        F[k] = j_add(j3_dot(d->t[k], x), j_scale(-1.0, beside));
        v3 Kt = v3_add(oval_bend(&now[0], v3_neg(n.v), d->t[k].v), oval_bend(&now[1], n.v, d->t[k].v));
        for (int l = 0; l < d->count; ++l) {
            M[l][k] = v3_dot(d->t[l].v, Kt) + (k == l ? v3_dot(n.v, x.v) : 0.0);
        }
    }
    double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    jet change[2] = {
        j_scale(1.0 / det, j_add(j_scale(M[1][1], F[0]), j_scale(-M[0][1], F[1]))),
        j_scale(1.0 / det, j_add(j_scale(M[0][0], F[1]), j_scale(-M[1][0], F[0]))),
    };
    for (int k = 0; k < d->count; ++k) {
        a[k] = j_add(a[k], change[k]);
        a[k].v = 0.0; /* the value is found already */
    }
}

static gap_nearest along_normal(const oval_jet o[2], jet3 n)
{
    gap_nearest out = { .u = n, .p0 = support_jet(&o[0], j3_scale(-1.0, n)), .p1 = support_jet(&o[1], n) };
    out.distance = j3_dot(n, j3_sub(out.p0, out.p1));
    return out;
}

/* The point of a line or plane is beside that of the ellipsoid. */
static void put_beside(gap_nearest *n, const gap_feature *f)
{
    if (f->kind != GAP_OVAL_OVAL) {
        n->p1 = j3_axpy(n->p0, j_scale(-1.0, n->distance), n->u);
    }
}

gap_nearest gap_nearest_of_oval(const gap_feature *f, const gap_motion m[2])
{
    oval_jet o[2] = { oval_moving(f, 0, &m[0]), oval_moving(f, 1, &m[1]) };
    jet3 n;
    if (f->kind == GAP_OVAL_PLANE) {
        n = jet_turning(&m[1], f->d_c[1]);
    } else {
        oval now[2] = { oval_now(&o[0]), oval_now(&o[1]) };
        v3 along = q_rotate(m[1].pose_w.orientation, f->d_c[1]);
        directions d = directions_of(f, &m[1],
                                     oval_meet(&now[0], &now[1], f->kind == GAP_OVAL_LINE ? &along : NULL).n);
        jet a[2] = { { 0 } };
        for (int k = 0; k < 2; ++k) {
            jet3 here = direction_at(&d, a);
            gap_nearest there = along_normal(o, here);
            newton_with_jets(&d, now, here, j3_sub(there.p0, there.p1), a);
        }
        n = direction_at(&d, a);
    }
    gap_nearest out = along_normal(o, n);
    put_beside(&out, f);
    return out;
}

void gap_curvature(const gap_feature *f, double out[2])
{
    for (int k = 0; k < 2; ++k) {
        out[f->swapped ? 1 - k : k] = gap_is_oval(f->kind) ? oval_flattest(f->half[k]) : 0.0;
    }
}
