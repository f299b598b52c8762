/* The kind `zone`: mass, forces and nodes. Everything is found for p^ and the rigid motions s = -C sigma, with sums over the nodes outside
 * (modes_sums.h) and node by node in the zone, and then brought to q: f = f^ + Q (T' Q' f^ - C' f_s). */
#include "elements/bodies/zone.h"

#include <string.h>

#include "elements/bodies/modes_make.h"
#include "elements/bodies/modes_sums.h"
#include "elements/bodies/zone_make.h"

/* Coordinates of the shapes and of the nodes, and rigid motions behind those of the shapes. */
typedef struct hatted {
    double p[ZONE_MOST];
    double dense[MODES_MOST]; /* shapes, then s */
} hatted;

static void sigma_of(const zone_body *b, const double *q, double *sigma)
{
    memset(sigma, 0, (size_t)b->rank * sizeof *sigma);
    for (int k = 0; b->rank > 0 && k < b->all.count; ++k) {
        modal_add_scaled(sigma, q[k], b->Q + (size_t)k * (size_t)b->rank, b->rank);
    }
}

static void recover(const zone_body *b, const double *q, hatted *out)
{
    double sigma[ZONE_RANK_MOST];
    double lifted[ZONE_RANK_MOST] = { 0.0 };
    const int r = b->rank;
    sigma_of(b, q, sigma);
    for (int i = 0; i < r; ++i) {
        for (int j = 0; j < r; ++j) {
            lifted[i] += b->T[i * r + j] * sigma[j];
        }
    }
    memcpy(out->p, q, (size_t)b->all.count * sizeof *q);
    for (int k = 0; r > 0 && k < b->all.count; ++k) {
        for (int j = 0; j < r; ++j) {
            out->p[k] += b->Q[(size_t)k * (size_t)r + (size_t)j] * lifted[j];
        }
    }
    memcpy(out->dense, out->p, (size_t)b->dense * sizeof *q);
    for (int i = 0; i < b->motions; ++i) {
        double sum = 0.0;
        for (int j = 0; j < r; ++j) {
            sum -= b->C[i * r + j] * sigma[j];
        }
        out->dense[b->dense + i] = sum;
    }
}

/* Forces on p^ and s become forces on q, in place. */
static void give_back(const zone_body *b, double *f, const double *f_s)
{
    const int r = b->rank;
    double h[ZONE_RANK_MOST], w[ZONE_RANK_MOST];
    if (r == 0) {
        return;
    }
    sigma_of(b, f, h);
    for (int j = 0; j < r; ++j) {
        w[j] = 0.0;
        for (int i = 0; i < r; ++i) {
            w[j] += b->T[i * r + j] * h[i];
        }
        for (int i = 0; f_s && i < b->motions; ++i) {
            w[j] -= b->C[i * r + j] * f_s[i];
        }
    }
    for (int k = 0; k < b->all.count; ++k) {
        for (int j = 0; j < r; ++j) {
            f[k] += b->Q[(size_t)k * (size_t)r + (size_t)j] * w[j];
        }
    }
}

/* Displacement of a node of the zone, or its rate. */
static v3 node_moved(const zone_body *b, const zone_node *n, const hatted *h)
{
    double own[3] = { 0.0, 0.0, 0.0 };
    for (int a = 0; a < 3; ++a) {
        own[a] = n->at[a] >= 0 ? h->p[n->at[a]] * n->per_root : 0.0;
    }
    v3 u = v3_load(own);
    for (int i = 0; b->rank > 0 && i < b->motions; ++i) {
        u = v3_axpy(u, h->dense[b->dense + i], n->motion[i]);
    }
    return u;
}

/* ---- stiffness ----------------------------------------------------------------------------------------------------- */

/* K^ p and K^ p' at once, K^ in the coordinates p^: every entry of it is loaded for both. */
typedef struct strained {
    double p[ZONE_MOST][2], Kp[ZONE_MOST][2];
} strained;

static void add_links(const zone_body *b, strained *s)
{
    const int d = b->dense;
    for (int l = 0; l < b->link_count; ++l) {
        const double *row = b->links + (size_t)l * (size_t)d;
        const int own = b->link[l];
        const double at[2] = { s->p[own][0], s->p[own][1] };
        double sum[2] = { 0.0, 0.0 };
        for (int k = 0; k < d; ++k) {
            for (int i = 0; i < 2; ++i) {
                sum[i] += row[k] * s->p[k][i];
                s->Kp[k][i] += row[k] * at[i];
            }
        }
        for (int i = 0; i < 2; ++i) {
            s->Kp[own][i] += sum[i];
        }
    }
}

static void strain(const zone_body *b, const double *p, const double *rate, strained *s)
{
    const int d = b->dense;
    const int n = b->all.count;
    for (int k = 0; k < n; ++k) {
        s->p[k][0] = p[k];
        s->p[k][1] = rate[k];
    }
    for (int k = 0; k < d; ++k) {
        s->Kp[k][0] = b->omega2[k] * p[k];
        s->Kp[k][1] = b->omega2[k] * rate[k];
    }
    for (int k = 0; k < n - d; ++k) {
        double sum[2] = { 0.0, 0.0 };
        for (int e = b->start[k]; e < b->start[k + 1]; ++e) {
            for (int i = 0; i < 2; ++i) {
                sum[i] += b->value[e] * s->p[b->column[e]][i];
            }
        }
        s->Kp[d + k][0] = sum[0];
        s->Kp[d + k][1] = sum[1];
    }
    add_links(b, s);
}

/* p' K^ p of the first or the second. */
static double twice_energy(const zone_body *b, const strained *s, int which)
{
    double sum = 0.0;
    for (int k = 0; k < b->all.count; ++k) {
        sum += s->p[k][which] * s->Kp[k][which];
    }
    return sum;
}

static double strain_energy(const void *body, const double *q)
{
    const zone_body *b = body;
    hatted h;
    strained s;
    recover(b, q, &h);
    strain(b, h.p, h.p, &s);
    return 0.5 * twice_energy(b, &s, 0);
}

static void tangent(const void *body, const double *q, double stiffness, double damped, double *A)
{
    (void)q;
    const zone_body *b = body;
    const int n = b->all.count;
    const double factor = stiffness + damped * b->damping;
    for (int k = 0; k < n; ++k) {
        modal_add_scaled(A + (size_t)(FRAME_COLUMNS + k) * (size_t)(FRAME_COLUMNS + n) + FRAME_COLUMNS, factor,
                         b->K + (size_t)k * (size_t)n, n);
    }
}

/* ---- mass ---------------------------------------------------------------------------------------------------------- */

static int diagonal(const void *body)
{
    return ((const zone_body *)body)->all.count;
}

/* Momentum and angular momentum about the origin per rate of a coordinate: on p^, and on s; six rows. */
typedef struct frame_rows {
    double p[FRAME_COLUMNS][ZONE_MOST];
    double s[FRAME_COLUMNS][ZONE_MOTIONS];
} frame_rows;

/* Of planar bodies three rows have anything in them. */
static bool row_is_empty(const zone_body *b, int axis)
{
    return b->planar && (axis == 2 || axis == 3 || axis == 4);
}

static void add_shapes(const zone_body *b, const modal_now *now, frame_rows *rows)
{
    const int n = b->rest.total;
    for (int k = 0; k < n; ++k) {
        const v3 spin = modal_spin(&b->rest, now, k);
        for (int a = 0; a < 3; ++a) {
            const bool shape = k < b->dense;
            *(shape ? &rows->p[a][k] : &rows->s[a][k - b->dense]) = b->rest.S[n * a + k];
            *(shape ? &rows->p[3 + a][k] : &rows->s[3 + a][k - b->dense]) = v3_get(spin, a);
        }
    }
}

/* r x (its axes): of the own coordinates of a node at r; of rigid motions there. */
static void add_node_rows(const zone_body *b, const zone_node *n, v3 r, frame_rows *rows)
{
    const double spin[3][3] = { { 0.0, r.z, -r.y }, { -r.z, 0.0, r.x }, { r.y, -r.x, 0.0 } };
    for (int a = 0; a < b->all.axes; ++a) {
        const int at = n->at[a];
        for (int i = 0; at >= 0 && i < 3; ++i) {
            rows->p[i][at] = i == a ? n->root : 0.0;
            rows->p[3 + i][at] = n->root * spin[a][i];
        }
    }
    for (int j = 0; b->rank > 0 && j < b->motions; ++j) {
        const v3 move = v3_scale(n->mass, n->motion[j]);
        const v3 turn = v3_cross(r, move);
        for (int i = 0; i < 3; ++i) {
            rows->s[i][j] += v3_get(move, i);
            rows->s[3 + i][j] += v3_get(turn, i);
        }
    }
}

static void make_frame_rows(const zone_body *b, const modal_now *now, const v3 *r, frame_rows *rows)
{
    memset(rows->s, 0, sizeof rows->s);
    add_shapes(b, now, rows);
    for (int i = 0; i < b->node_count; ++i) {
        add_node_rows(b, &b->nodes[i], r[i], rows);
    }
    for (int axis = 0; axis < FRAME_COLUMNS; ++axis) {
        if (!row_is_empty(b, axis)) {
            give_back(b, rows->p[axis], rows->s[axis]);
        }
    }
}

/* Where the nodes of the zone are, and what they add to the sums. */
static void place_nodes(const zone_body *b, const hatted *h, v3 *r, modal_now *now)
{
    m3 C = m3_diag(0.0, 0.0, 0.0);
    for (int i = 0; i < b->node_count; ++i) {
        const zone_node *n = &b->nodes[i];
        r[i] = v3_add(n->X, node_moved(b, n, h));
        now->mc = v3_axpy(now->mc, n->mass, r[i]);
        C = m3_add(C, m3_scale(n->mass, m3_outer(r[i], r[i])));
    }
    double trace = m3_trace(C);
    now->J = m3_add(now->J, m3_add(m3_diag(trace, trace, trace), m3_scale(-1.0, C)));
}

static void mass(const void *body, const body_frame *frame, const double *q, double *M)
{
    const zone_body *b = body;
    const int n = b->all.count;
    const int width = FRAME_COLUMNS + n;
    hatted h;
    modal_now now;
    v3 r[ZONE_MOST];
    frame_rows rows;
    recover(b, q, &h);
    modal_now_make(&now, &b->rest, h.dense);
    place_nodes(b, &h, r, &now);
    modal_put_frame(M, width, frame, (modal_frame){ b->all.mass, now.mc, now.J });
    make_frame_rows(b, &now, r, &rows);
    for (int k = 0; k < n; ++k) {
        v3 move = v3_make(rows.p[0][k], rows.p[1][k], rows.p[2][k]);
        v3 spin = v3_make(rows.p[3][k], rows.p[4][k], rows.p[5][k]);
        modal_put_coupling(M, width, frame, k, move, spin);
        M[(size_t)(FRAME_COLUMNS + k) * ((size_t)width + 1)] = 1.0;
    }
}

/* ---- forces -------------------------------------------------------------------------------------------------------- */

/* Forces of inertia of one node: -m (omega x (omega x r) + 2 omega x rate). */
static void add_node(const zone_body *b, const zone_node *n, v3 r, v3 rate, v3 omega, modal_load *load, double *f,
                     double *f_s)
{
    v3 bias = v3_axpy(v3_cross(omega, v3_cross(omega, r)), 2.0, v3_cross(omega, rate));
    v3 on = v3_scale(-n->mass, bias);
    load->force = v3_add(load->force, on);
    load->torque = v3_add(load->torque, v3_cross(r, on));
    for (int a = 0; a < 3; ++a) {
        if (n->at[a] >= 0) {
            f[n->at[a]] += v3_get(on, a) * n->per_root;
        }
    }
    for (int j = 0; b->rank > 0 && j < b->motions; ++j) {
        f_s[j] += v3_dot(on, n->motion[j]);
    }
}

static void forces(const void *body, const body_frame *frame, const double *q, const double *q_dot, double *f,
                   body_energy *energy)
{
    const zone_body *b = body;
    const int n = b->all.count;
    const v3 omega = m3_tmulv(frame->R_w, frame->rate.omega_w);
    hatted h, rate;
    modal_now now;
    strained s;
    double per_dense[MODES_MOST], on[ZONE_MOST], damped[ZONE_MOST];
    recover(b, q, &h);
    recover(b, q_dot, &rate);
    modal_now_make(&now, &b->rest, h.dense);
    modal_load load = modal_frame_load(&b->rest, &now, omega, rate.dense, NULL);
    modal_shape_load(&b->rest, &now, omega, rate.dense, NULL, per_dense);
    memset(on, 0, (size_t)n * sizeof *on);
    memcpy(on, per_dense, (size_t)b->dense * sizeof *on);
    for (int i = 0; i < b->node_count; ++i) {
        const zone_node *node = &b->nodes[i];
        v3 r = v3_add(node->X, node_moved(b, node, &h));
        add_node(b, node, r, node_moved(b, node, &rate), omega, &load, on, per_dense + b->dense);
    }
    strain(b, h.p, rate.p, &s);
    for (int k = 0; k < n; ++k) {
        damped[k] = -b->damping * s.Kp[k][1];
        on[k] += damped[k] - s.Kp[k][0];
    }
    give_back(b, on, per_dense + b->dense);
    energy->elastic = 0.5 * twice_energy(b, &s, 0);
    energy->dissipation = b->damping * twice_energy(b, &s, 1);
    if (energy->damping) {
        give_back(b, damped, NULL);
        memcpy(energy->damping, damped, (size_t)n * sizeof *damped);
    }
    v3_store(f, v3_add(v3_load(f), m3_mulv(frame->R_w, load.force)));
    v3_store(f + 3, v3_add(v3_load(f + 3), m3_mulv(frame->R_w, load.torque)));
    modal_add_scaled(f + FRAME_COLUMNS, 1.0, on, n);
}

/* ---- nodes and points ------------------------------------------------------------------------------------------------ */

static void attach_node(const void *body, int node, body_point *point)
{
    const zone_body *b = body;
    const int own = b->zone_of[node];
    point->moves_only = true;
    point->own = own + 1;
    point->psi = own >= 0 ? b->nodes[own].lift : b->all.shapes + 3 * (size_t)b->all.count * (size_t)node;
}

static bool touches(const void *body, int node)
{
    return ((const zone_body *)body)->touches[node];
}

static void displace(const void *body, const double *q, const double *q_dot, const body_point *at, v3 *u, v3 *rate)
{
    const zone_body *b = body;
    if (at->own == 0) {
        *u = modal_rows_times(at->psi, b->all.count, q);
        *rate = modal_rows_times(at->psi, b->all.count, q_dot);
        return;
    }
    const zone_node *n = &b->nodes[at->own - 1];
    double own[3] = { 0.0, 0.0, 0.0 }, own_rate[3] = { 0.0, 0.0, 0.0 };
    for (int a = 0; a < 3; ++a) {
        own[a] = n->at[a] >= 0 ? q[n->at[a]] * n->per_root : 0.0;
        own_rate[a] = n->at[a] >= 0 ? q_dot[n->at[a]] * n->per_root : 0.0;
    }
    *u = v3_load(own);
    *rate = v3_load(own_rate);
    if (b->rank > 0) {
        double sigma[ZONE_RANK_MOST];
        sigma_of(b, q, sigma);
        *u = v3_add(*u, modal_rows_times(at->psi, b->rank, sigma));
        sigma_of(b, q_dot, sigma);
        *rate = v3_add(*rate, modal_rows_times(at->psi, b->rank, sigma));
    }
}

static void columns(const void *body, const body_frame *frame, const double *q, const body_point *at,
                    const double row[FRAME_COLUMNS], double scale, double *out)
{
    const zone_body *b = body;
    if (at->own == 0) {
        carom_body_modes.columns(&b->all, frame, q, at, row, scale, out);
        return;
    }
    const zone_node *n = &b->nodes[at->own - 1];
    const v3 F = v3_scale(scale, m3_tmulv(frame->R_w, v3_load(row)));
    for (int a = 0; a < 3; ++a) {
        if (n->at[a] >= 0) {
            out[n->at[a]] += v3_get(F, a) * n->per_root;
        }
    }
    double h[ZONE_RANK_MOST];
    for (int j = 0; j < b->rank; ++j) {
        h[j] = at->psi[j] * F.x + at->psi[b->rank + j] * F.y + at->psi[2 * b->rank + j] * F.z;
    }
    for (int k = 0; b->rank > 0 && k < b->all.count; ++k) {
        for (int j = 0; j < b->rank; ++j) {
            out[k] += b->Q[(size_t)k * (size_t)b->rank + (size_t)j] * h[j];
        }
    }
}

/* A node of the zone as any other point. */
static body_point in_shapes(const zone_body *b, const body_point *at)
{
    body_point p = *at;
    for (int i = 0; at->own > 0 && i < b->all.node_count; ++i) {
        if (b->zone_of[i] == at->own - 1) {
            p.psi = b->all.shapes + 3 * (size_t)b->all.count * (size_t)i;
            p.own = 0;
        }
    }
    return p;
}

static void point(const void *body, const body_frame *frame, const double *q, const double *q_dot,
                  const body_point *at, point_motion *out)
{
    const zone_body *b = body;
    const body_point p = in_shapes(b, at);
    carom_body_modes.point(&b->all, frame, q, q_dot, &p, out);
}

static void twist(const void *body, const body_frame *frame, const double *q, const body_point *at, int coordinate,
                  double out[FRAME_COLUMNS])
{
    const zone_body *b = body;
    const body_point p = in_shapes(b, at);
    carom_body_modes.twist(&b->all, frame, q, &p, coordinate, out);
}

/* ---- the kind: what it does not do itself modes do, with whose parameters its own begin --------------------------------- */

const carom_body_type carom_body_zone = {
    .kind = { .name = "zone",
              .doc = "A body of finite elements with nodes of its own where it touches and a few shapes elsewhere." },
    .make = zone_make,
    .coordinate_count = modal_coordinate_count,
    .attach = modal_attach,
    .attach_node = attach_node,
    .touches = touches,
    .displace = displace,
    .diagonal = diagonal,
    .mass = mass,
    .forces = forces,
    .tangent = tangent,
    .point = point,
    .twist = twist,
    .columns = columns,
    .displacement = modal_displacement,
    .strain_energy = strain_energy,
    .highest_frequency = modal_highest_frequency,
    .critical_step = modal_critical_step,
    .about = modal_about,
    .shapes = modal_shapes,
    .surface = modes_surface,
    .place_surface = modes_place_surface,
    .carry = modes_carry,
    .probes = modal_probes,
    .probe = modal_probe_motion,
};
