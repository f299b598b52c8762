/* The kind `modes`: mass, forces and points. With u = psi z, r = X + u, omega in body axes and sums over nodes,
 *
 *     G_k = sum m r psi_k' = Q_k + sum_l z_l P_lk
 *
 * has all that depends on the deformation in it:
 *
 *     sum m r r'           = second + sum_k z_k (Q_k' + G_k),     J = trace - that, + turning
 *     sum m r x psi_k      = the antisymmetric part of G_k: the coupling of omega and z_k
 *     centrifugal on z_k   = omega^2 trace G_k - omega' G_k omega
 *     Coriolis on z_k      = -2 omega . sum_l z_l' A_lk
 *     Coriolis on omega    = -2 (omega trace E - E' omega),  E = sum_k z_k' G_k = sum m r u_dot'
 *
 * Nodes that turn with the shapes (beams) carry a constant inertia: to J, to the coupling and to -omega x (their spin). What is found for z
 * goes to the coordinates p by dz/dp, and z'' has a part without p'' (bias). */
#include "elements/bodies/modes_make.h"
#include "elements/bodies/modes_sums.h"

#include <string.h>

#include <carom/modes.h>

/* Extended coordinates z, z' and what z'' is while p'' = 0 (NULL: nothing). Without shapes of second order they are the coordinates themselves, of
 * which a body with a zone has more than there is room for. */
typedef struct extended {
    const double *z, *rate, *bias;
    double room[3][MODES_MOST];
} extended;

int modal_coordinate_count(const void *body)
{
    return ((const modal_body *)body)->count;
}

/* q_dot NULL: only z. */
static void extend(extended *out, const modal_body *b, const double *q, const double *q_dot)
{
    const size_t bytes = (size_t)b->count * sizeof *q;
    out->z = q;
    out->rate = q_dot;
    out->bias = NULL;
    if (b->total == b->count) {
        return;
    }
    memcpy(out->room[0], q, bytes);
    if (q_dot) {
        memcpy(out->room[1], q_dot, bytes);
        memset(out->room[2], 0, bytes);
    }
    for (int e = b->count; e < b->total; ++e) {
        const int *pair = b->pairs[e - b->count];
        out->room[0][e] = body_shape_factor(pair, q);
        if (q_dot) {
            out->room[1][e] = body_shape_factor_rate(pair, q, q_dot);
            out->room[2][e] = 2.0 * body_shape_factor(pair, q_dot);
        }
    }
    out->z = out->room[0];
    out->rate = q_dot ? out->room[1] : NULL;
    out->bias = q_dot ? out->room[2] : NULL;
}

/* Of a row of numbers per z those per p: dz/dp from the right. Behind the first n only products are left. */
static void contract(const modal_body *b, const double *q, const double *per_z, double *per_p)
{
    memmove(per_p, per_z, (size_t)b->count * sizeof *per_p);
    for (int e = b->count; e < b->total; ++e) {
        int i = b->pairs[e - b->count][0];
        int j = b->pairs[e - b->count][1];
        per_p[i] += per_z[e] * q[j];
        per_p[j] += i != j ? per_z[e] * q[i] : 0.0;
    }
}

/* ---- mass -------------------------------------------------------------------------------------------------------- */

/* Rows of the frame per p: velocity of the centre of mass times the mass, angular momentum about the origin; 3 x n each. */
static void frame_rows(const modal_body *b, const modal_now *now, const double *q, double *move, double *spin)
{
    for (int a = 0; a < 3; ++a) {
        double per_z[MODES_MOST];
        contract(b, q, b->S + a * b->total, move + a * b->count);
        for (int k = 0; k < b->total; ++k) {
            per_z[k] = v3_get(modal_spin(b, now, k), a);
        }
        contract(b, q, per_z, spin + a * b->count);
    }
}

/* (dz/dp)' F (dz/dp): 1 where there is nothing of second order. */
static void put_shapes(const modal_body *b, const double *q, double *M, int width)
{
    for (int k = 0; k < b->count; ++k) {
        M[(width + 1) * (FRAME_COLUMNS + k)] = 1.0;
    }
    for (int k = 0; k < b->count && b->total > b->count; ++k) {
        double per_z[MODES_MOST];
        memcpy(per_z, b->F + (size_t)k * (size_t)b->total, (size_t)b->total * sizeof *per_z);
        for (int e = b->count; e < b->total; ++e) { /* the pairs that p_k is in */
            int i = b->pairs[e - b->count][0];
            int j = b->pairs[e - b->count][1];
            if (i == k || j == k) {
                modal_add_scaled(per_z, i == k ? q[j] : q[i], b->F + (size_t)e * (size_t)b->total, b->total);
            }
        }
        double row[MODES_MOST];
        contract(b, q, per_z, row);
        for (int l = 0; l <= k; ++l) {
            M[width * (FRAME_COLUMNS + k) + FRAME_COLUMNS + l] = row[l];
            M[width * (FRAME_COLUMNS + l) + FRAME_COLUMNS + k] = row[l];
        }
    }
}

static int diagonal(const void *body)
{
    const modal_body *b = body;
    return b->total > b->count ? 0 : b->count;
}

static void mass(const void *body, const body_frame *frame, const double *q, double *M)
{
    const modal_body *b = body;
    int n = b->count;
    int width = FRAME_COLUMNS + n;
    double move[3 * MODES_MOST], spin[3 * MODES_MOST];
    extended z;
    modal_now now;
    extend(&z, b, q, NULL);
    modal_now_make(&now, b, z.z);
    frame_rows(b, &now, q, move, spin);
    if (diagonal(body) == 0) {
        memset(M, 0, (size_t)width * (size_t)width * sizeof *M);
    }
    modal_put_frame(M, width, frame, (modal_frame){ b->mass, now.mc, now.J });
    for (int k = 0; k < n; ++k) {
        v3 moved = v3_make(move[k], move[n + k], move[2 * n + k]);
        v3 spun = v3_make(spin[k], spin[n + k], spin[2 * n + k]);
        modal_put_coupling(M, width, frame, k, moved, spun);
    }
    put_shapes(b, q, M, width);
}

/* ---- forces ------------------------------------------------------------------------------------------------------- */

static void add_force(double *f, const body_frame *frame, v3 force_b)
{
    v3_store(f, v3_add(v3_load(f), m3_mulv(frame->R_w, force_b)));
}

static void forces(const void *body, const body_frame *frame, const double *q, const double *q_dot, double *f,
                   body_energy *energy)
{
    const modal_body *b = body;
    const v3 omega = m3_tmulv(frame->R_w, frame->rate.omega_w);
    double per_z[MODES_MOST], per_p[MODES_MOST];
    extended z;
    modal_now now;
    extend(&z, b, q, q_dot);
    modal_now_make(&now, b, z.z);
    const modal_load load = modal_frame_load(b, &now, omega, z.rate, z.bias);
    add_force(f, frame, load.force);
    add_force(f + 3, frame, load.torque);
    modal_shape_load(b, &now, omega, z.rate, z.bias, per_z);
    contract(b, q, per_z, per_p);
    *energy = (body_energy){ .damping = energy->damping };
    for (int k = 0; k < b->count; ++k) {
        f[FRAME_COLUMNS + k] += per_p[k] - b->omega2[k] * q[k] - b->damping[k] * q_dot[k];
        energy->elastic += 0.5 * b->omega2[k] * q[k] * q[k];
        energy->dissipation += b->damping[k] * q_dot[k] * q_dot[k];
        if (energy->damping) {
            energy->damping[k] = -b->damping[k] * q_dot[k];
        }
    }
}

static void tangent(const void *body, const double *q, double stiffness, double damping, double *A)
{
    (void)q;
    const modal_body *b = body;
    int width = FRAME_COLUMNS + b->count;
    for (int k = 0; k < b->count; ++k) {
        A[(width + 1) * (FRAME_COLUMNS + k)] += stiffness * b->omega2[k] + damping * b->damping[k];
    }
}

double modal_displacement(const void *body, int coordinate)
{
    return ((const modal_body *)body)->reach[coordinate];
}

/* ---- points -------------------------------------------------------------------------------------------------------- */

static bool place_has(const modal_place *place, v3 at, double room)
{
    return at.x >= place->low.x - room && at.x <= place->high.x + room && at.y >= place->low.y - room &&
           at.y <= place->high.y + room && at.z >= place->low.z - room && at.z <= place->high.z + room;
}

static double farthest_node(const modal_body *b)
{
    double most = 0.0;
    for (int i = 0; i < b->node_count; ++i) {
        most = fmax(most, v3_norm(b->nodes[i]));
    }
    return most;
}

/* The attachment that a marker sits on: inside the box around its nodes; of several that whose middle is nearest. */
static const modal_place *find_place(const modal_body *b, v3 at)
{
    const double room = 1e-6 * farthest_node(b); /* rounding of what scenes write */
    const modal_place *best = NULL;
    for (int i = 0; i < b->place_count; ++i) {
        const modal_place *p = &b->places[i];
        bool nearer = !best || v3_norm2(v3_sub(p->at, at)) < v3_norm2(v3_sub(best->at, at));
        best = place_has(p, at, room) && nearer ? p : best;
    }
    return best;
}

static carom_status refuse_place(const modal_body *b, v3 at, carom_error *err)
{
    const modal_place *nearest = NULL;
    for (int i = 0; i < b->place_count; ++i) {
        const modal_place *p = &b->places[i];
        bool nearer = !nearest || v3_norm2(v3_sub(p->at, at)) < v3_norm2(v3_sub(nearest->at, at));
        nearest = nearer ? p : nearest;
    }
    if (!nearest) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the body deforms and has no 'attachments'; give it one whose nodes lie around this place");
    }
    return carom_fail(
        err, CAROM_BAD_INPUT,
        "the body deforms and has no attachment here, (%g, %g, %g) m from its centre of mass; the nearest, '%.100s', "
        "has its middle at (%g, %g, %g) m",
        at.x, at.y, at.z, nearest->name, nearest->at.x, nearest->at.y, nearest->at.z);
}

/* A marker moves with its attachment as with a rigid body. */
carom_status modal_attach(const void *body, body_point *point, carom_arena *arena, carom_error *err)
{
    const modal_body *b = body;
    const modal_place *place = find_place(b, point->position);
    int n = b->total;
    if (!place) {
        return refuse_place(b, point->position, err);
    }
    bool still = true; /* the frame follows this attachment: what sits on it moves with the frame */
    for (int k = 0; k < FRAME_COLUMNS * n; ++k) {
        still = still && place->psi[k] == 0.0;
    }
    if (still) {
        return CAROM_OK;
    }
    double *psi = CAROM_ARENA_ARRAY(arena, double, FRAME_COLUMNS *n);
    if (!psi) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    const v3 arm = v3_sub(point->position, place->at);
    memcpy(psi, place->psi, (size_t)FRAME_COLUMNS * (size_t)n * sizeof *psi);
    for (int k = 0; k < n; ++k) {
        v3 turn = v3_make(psi[3 * n + k], psi[4 * n + k], psi[5 * n + k]);
        v3 moved = v3_cross(turn, arm);
        for (int i = 0; i < 3; ++i) {
            psi[n * i + k] += v3_get(moved, i);
        }
    }
    point->psi = psi;
    return CAROM_OK;
}

/* A marker against the frame, body axes: displacement, its rate and bias; rotation vector theta, and what it makes. exp(theta) turns at
 * T(theta) theta', with T = 1 + a [theta] + b [theta]^2. */
typedef struct marker_motion {
    v3 move, slide, push; /* and its second derivative while p'' = 0 */
    v3 theta;
    v3 spin;  /* angular velocity */
    v3 accel; /* its derivative while p'' = 0 */
} marker_motion;

/* Angular acceleration that theta and a constant theta' make. */
static v3 turn_bias(v3 theta, v3 rate)
{
    const double t2 = v3_norm2(theta);
    const double angle = sqrt(t2);
    /* a = (1 - cos)/t^2, b = (t - sin)/t^3, and their derivatives by t over t; series where those cancel */
    double b = (1.0 - t2 / 20.0 * (1.0 - t2 / 42.0)) / 6.0;
    double da = -(1.0 - t2 / 15.0 * (1.0 - 3.0 * t2 / 112.0)) / 12.0;
    double db = -(1.0 - t2 / 21.0 * (1.0 - t2 / 48.0)) / 60.0;
    if (angle > 0.05) {
        double s = sin(angle);
        double c = cos(angle);
        b = (angle - s) / (t2 * angle);
        da = (angle * s - 2.0 * (1.0 - c)) / (t2 * t2);
        db = (3.0 * s - angle * (2.0 + c)) / (t2 * t2 * angle);
    }
    const v3 once = v3_cross(theta, rate);
    const v3 twice = v3_cross(theta, once);
    const double along = v3_dot(theta, rate);
    return v3_add(v3_scale(da * along, once), v3_add(v3_scale(db * along, twice), v3_scale(b, v3_cross(rate, once))));
}

static marker_motion motion_of(const modal_body *b, const body_point *at, const double *q, const double *q_dot)
{
    const int n = b->total;
    const double *psi_r = at->psi + 3 * n;
    extended z;
    extend(&z, b, q, q_dot);
    marker_motion m = { .move = modal_rows_times(at->psi, n, z.z),
                        .slide = modal_rows_times(at->psi, n, z.rate),
                        .push = z.bias ? modal_rows_times(at->psi, n, z.bias) : v3_zero() };
    if (at->moves_only) {
        return m;
    }
    const v3 rate = modal_rows_times(psi_r, n, z.rate);
    m.theta = modal_rows_times(psi_r, n, z.z);
    const m3 T = so3_tangent(m.theta);
    m.spin = m3_mulv(T, rate);
    m.accel = turn_bias(m.theta, rate);
    if (z.bias) {
        m.accel = v3_add(m.accel, m3_mulv(T, modal_rows_times(psi_r, n, z.bias)));
    }
    return m;
}

static void point(const void *body, const body_frame *frame, const double *q, const double *q_dot,
                  const body_point *at, point_motion *out)
{
    const marker_motion m = motion_of(body, at, q, q_dot);
    const v3 slide = m3_mulv(frame->R_w, m.slide);
    const v3 spin = m3_mulv(frame->R_w, m.spin);
    const v3 omega = frame->rate.omega_w;
    body_point now = *at;
    now.position = v3_add(at->position, m.move);
    now.orientation = q_mul(so3_exp(m.theta), at->orientation);
    out->marker = marker_on(&frame->pose, &frame->R_w, &frame->rate, &now);
    out->marker.v_w = v3_add(out->marker.v_w, slide);
    out->marker.c_w = v3_add(v3_axpy(out->marker.c_w, 2.0, v3_cross(omega, slide)), m3_mulv(frame->R_w, m.push));
    out->marker.omega_w = v3_add(omega, spin);
    out->alpha_w = v3_add(v3_cross(omega, spin), m3_mulv(frame->R_w, m.accel));
}

/* The column of a coordinate in 3 x total rows, with what pairs of second order add to it. */
static v3 column_of(const modal_body *b, const double *rows, const double *q, int k)
{
    const int n = b->total;
    v3 sum = v3_make(rows[k], rows[n + k], rows[2 * n + k]);
    for (int e = b->count; e < n; ++e) {
        int i = b->pairs[e - b->count][0];
        int j = b->pairs[e - b->count][1];
        if (i == k || j == k) {
            sum = v3_axpy(sum, i == k ? q[j] : q[i], v3_make(rows[e], rows[n + e], rows[2 * n + e]));
        }
    }
    return sum;
}

static void twist(const void *body, const body_frame *frame, const double *q, const body_point *at, int coordinate,
                  double out[FRAME_COLUMNS])
{
    const modal_body *b = body;
    const v3 move_b = column_of(b, at->psi, q, coordinate);
    if (at->moves_only) {
        v3_store(out, m3_mulv(frame->R_w, move_b));
        v3_store(out + 3, v3_zero());
        return;
    }
    extended z;
    extend(&z, b, q, NULL);
    const v3 r_b = v3_add(at->position, modal_rows_times(at->psi, b->total, z.z));
    const m3 T = so3_tangent(modal_rows_times(at->psi + 3 * b->total, b->total, z.z));
    const v3 turn_b = m3_mulv(T, column_of(b, at->psi + 3 * b->total, q, coordinate));
    v3_store(out, m3_mulv(frame->R_w, v3_sub(move_b, v3_cross(turn_b, r_b))));
    v3_store(out + 3, m3_mulv(frame->R_w, turn_b));
}

/* Force F and torque T about the point, body axes, on z: psi' F + psi_r' T(theta)' T. */
static void columns(const void *body, const body_frame *frame, const double *q, const body_point *at,
                    const double row[FRAME_COLUMNS], double scale, double *out)
{
    const modal_body *b = body;
    const int n = b->total;
    const double *psi_r = at->psi + 3 * n;
    const v3 F = m3_tmulv(frame->R_w, v3_load(row));
    const bool second = n > b->count;
    double per_z[MODES_MOST]; /* with shapes of second order */
    v3 T = v3_zero();
    if (!at->moves_only) {
        extended z;
        extend(&z, b, q, NULL);
        const v3 r_b = v3_add(at->position, modal_rows_times(at->psi, n, z.z));
        const v3 about = v3_sub(m3_tmulv(frame->R_w, v3_load(row + 3)), v3_cross(r_b, F));
        T = m3_tmulv(so3_tangent(modal_rows_times(psi_r, n, z.z)), about);
    }
    for (int k = 0; k < n; ++k) {
        double on = at->psi[k] * F.x + at->psi[n + k] * F.y + at->psi[2 * n + k] * F.z;
        if (!at->moves_only) {
            on += psi_r[k] * T.x + psi_r[n + k] * T.y + psi_r[2 * n + k] * T.z;
        }
        if (second) {
            per_z[k] = on;
        } else {
            out[k] += scale * on;
        }
    }
    if (second) {
        double per_p[MODES_MOST];
        contract(b, q, per_z, per_p);
        modal_add_scaled(out, scale, per_p, b->count);
    }
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------- */

static void attach_node(const void *body, int node, body_point *point)
{
    const modal_body *b = body;
    point->psi = b->shapes + 3 * (size_t)b->total * (size_t)node;
    point->moves_only = true;
}

static void displace(const void *body, const double *q, const double *q_dot, const body_point *at, v3 *u, v3 *rate)
{
    const modal_body *b = body;
    extended z;
    bool second = b->total > b->count;
    if (second) {
        extend(&z, b, q, q_dot);
    }
    *u = modal_rows_times(at->psi, b->total, second ? z.z : q);
    *rate = modal_rows_times(at->psi, b->total, second ? z.rate : q_dot);
}

/* ---- signals --------------------------------------------------------------------------------------------------------- */

static double strain_energy(const void *body, const double *q)
{
    const modal_body *b = body;
    double sum = 0.0;
    for (int k = 0; k < b->count; ++k) {
        sum += 0.5 * b->omega2[k] * q[k] * q[k];
    }
    return sum;
}

/* Of the free body: joints take motions away, and so cannot make it faster; a frame is no joint. */
double modal_highest_frequency(const void *body)
{
    const modal_body *b = body;
    return sqrt(b->free_omega2[b->count - 1]);
}

/* With xi for the damping of the highest mode: (2/omega) (sqrt(1 + xi^2) - xi). */
double modal_critical_step(const void *body)
{
    const modal_body *b = body;
    double omega = modal_highest_frequency(body);
    double xi = 0.5 * b->damping_stiffness * omega + b->damping_ratio;
    return 2.0 / omega * (sqrt(1.0 + xi * xi) - xi);
}

body_shapes modal_shapes(const void *body)
{
    const modal_body *b = body;
    return (body_shapes){ b->count, b->total, b->pairs, b->shapes, b->turns, b->free_omega2 };
}

void modal_about(const void *body, struct carom_flexible_info *out)
{
    const double two_pi = 6.28318530717958647693;
    const modal_body *b = body;
    out->node_count = b->node_count;
    out->element_count = b->element_count;
    out->freedom_count = b->freedom_count;
    out->coordinate_count = b->count;
    out->lowest = sqrt(b->free_omega2[0]) / two_pi;
    out->highest = sqrt(b->free_omega2[b->count - 1]) / two_pi;
    out->dropped = b->dropped;
}

const body_probe *modal_probes(const void *body, int *count)
{
    const modal_body *b = body;
    *count = b->probe_count;
    return b->probe_names;
}

void modal_probe_motion(const void *body, const body_frame *frame, const double *q, const double *q_dot, int index,
                        probe_motion *out)
{
    const modal_body *b = body;
    const modal_probe *p = &b->probes[index];
    extended z;
    extend(&z, b, q, q_dot);
    const v3 moved = modal_rows_times(p->psi, b->total, z.z);
    const v3 r_w = m3_mulv(frame->R_w, v3_add(p->at, moved));
    const v3 slide = m3_mulv(frame->R_w, modal_rows_times(p->psi, b->total, z.rate));
    *out = (probe_motion){ .p_w = v3_add(frame->pose.x_w, r_w),
                           .v_w = v3_add(point_velocity(&frame->rate, r_w), slide),
                           .displacement_b = moved };
    for (int k = 0; p->gauge && k < b->count; ++k) {
        out->strain += p->gauge[k] * q[k];
    }
}

const carom_body_type carom_body_modes = {
    .kind = { .name = "modes", .doc = "A body of finite elements that deforms in a few shapes." },
    .make = modes_make,
    .coordinate_count = modal_coordinate_count,
    .attach = modal_attach,
    .attach_node = attach_node,
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
