/* The frame of a body with a zone. It follows the rigid motion R c p of the shapes V p, where c are six functionals at most: the mean motion
 * of the mass, that of the first attachment, or the chord. With a = R'MV and G = R'MR the mass of V - R c is
 *
 *     1 - c'a - a'c + c'G c = 1 + Q E Q',    Q: orthonormal, spans the rows of c and a,
 *
 * and with 1 + E = L L', H = 1 + Q (L^-T - 1) Q' makes it 1: the coordinates stay those of nodes but for a few numbers Q'q. */
#include "elements/flexible/zone_shapes.h"

#include <string.h>

#include "linalg/dense.h"

enum { RANK_MOST = 2 * MOTIONS };

typedef struct framer {
    zone_shapes *z;
    const flexible_input *in;
    const motion_space *s;
    const motion_mean *means;
    double G[MOTIONS * MOTIONS], L[MOTIONS * MOTIONS]; /* R'MR and its factor */
    double *rows;                                      /* 2 motions x count: c, then a */
} framer;

static double *row_of(const framer *f, int i)
{
    return f->rows + (size_t)i * (size_t)f->z->count;
}

/* ---- functionals ----------------------------------------------------------------------------------------------------- */

/* Mean displacement of the nodes of an attachment, weighted by their masses, and where they are. */
static v3 mean_place(const framer *f, int attachment, const double *u)
{
    const flexible_attachment *a = &f->in->attachments[attachment];
    v3 sum = v3_zero();
    double mass = 0.0;
    for (int i = 0; i < a->node_count; ++i) {
        double m = flexible_node_mass(f->in, f->s->mass, a->nodes[i]);
        v3 x = u ? v3_zero() : solid_mesh_node(f->in->mesh, a->nodes[i]);
        for (int k = 0; u && k < 3; ++k) {
            int freedom = motion_freedom(f->s, a->nodes[i], k);
            double moved = freedom >= 0 ? u[freedom] : 0.0;
            x = v3_axpy(x, moved, v3_make(k == 0, k == 1, k == 2));
        }
        sum = v3_axpy(sum, m, x);
        mass += m;
    }
    return v3_scale(1.0 / mass, sum);
}

static v3 mean_turn(const framer *f, int attachment, const double *u)
{
    double turn[3] = { 0.0, 0.0, 0.0 };
    for (int m = 0; m < f->s->count && !f->z->lost[attachment]; ++m) {
        const double *weights = f->means[attachment].weights + (size_t)m * (size_t)f->s->freedoms;
        for (int k = 0; f->s->motions[m] >= 3 && k < f->s->freedoms; ++k) {
            turn[f->s->motions[m] - 3] += weights[k] * u[k];
        }
    }
    return v3_load(turn);
}

/* The rigid motion of an attachment, or of the chord, as amounts of the motions about the centre of mass. */
static void follow_attachments(const framer *f, const double *u, double *c)
{
    const v3 x0 = mean_place(f, 0, NULL);
    const v3 u0 = mean_place(f, 0, u);
    v3 turn = mean_turn(f, 0, u);
    if (f->in->def->frame == CAROM_FRAME_CHORD) {
        v3 chord = v3_sub(mean_place(f, 1, NULL), x0);
        v3 apart = v3_sub(mean_place(f, 1, u), u0);
        double d2 = v3_norm2(chord);
        v3 roll = v3_scale(v3_dot(turn, chord) / d2, chord);
        turn = v3_add(roll, v3_scale(1.0 / d2, v3_cross(chord, apart)));
    }
    v3 move = v3_add(u0, v3_cross(turn, v3_sub(f->in->centre, x0)));
    for (int m = 0; m < f->s->count; ++m) {
        int motion = f->s->motions[m];
        c[m] = motion < 3 ? v3_get(move, motion) : v3_get(turn, motion - 3);
    }
}

static void find_rows(framer *f)
{
    const int r = f->s->count;
    for (int k = 0; k < f->z->count; ++k) {
        const double *u = f->z->V + (size_t)k * (size_t)f->s->freedoms;
        double a[MOTIONS], c[MOTIONS];
        for (int i = 0; i < r; ++i) {
            a[i] = motion_product(f->s, f->z->R + (size_t)i * (size_t)f->s->freedoms, u);
        }
        memcpy(c, a, sizeof c);
        if (f->in->def->frame == CAROM_FRAME_MEAN) {
            dense_cholesky_forward(f->L, c, r);
            dense_cholesky_backward(f->L, c, r);
        } else {
            follow_attachments(f, u, c);
        }
        for (int i = 0; i < r; ++i) {
            row_of(f, i)[k] = c[i];
            row_of(f, r + i)[k] = a[i];
        }
    }
}

static carom_status check_frame(const framer *f, carom_error *err)
{
    int needed = f->in->def->frame == CAROM_FRAME_CHORD ? 2 : f->in->def->frame == CAROM_FRAME_ATTACHMENT ? 1 : 0;
    if (f->in->attachment_count < needed) {
        return carom_fail(err, CAROM_BAD_INPUT, "'frame' is '%s' and needs %s; there %s %d",
                          needed == 2 ? "chord" : "attachment", needed == 2 ? "two attachments" : "an attachment",
                          f->in->attachment_count == 1 ? "is" : "are", f->in->attachment_count);
    }
    if (needed == 2 && !(v3_norm(v3_sub(mean_place(f, 1, NULL), mean_place(f, 0, NULL))) > 1e-6 * f->in->size)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'frame' is 'chord', and the attachments '%.100s' and '%.100s' are at one place",
                          f->in->attachments[0].name, f->in->attachments[1].name);
    }
    return CAROM_OK;
}

/* ---- rank ------------------------------------------------------------------------------------------------------------ */

static double along(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* Orthonormal rows that span c and a, in `basis`; how many. Where c vanishes the frame is the reference. */
static int find_basis(const framer *f, double *basis)
{
    const double nothing = 1e-9; /* of a row: rounding of static shapes */
    const int n = f->z->count;
    int rank = 0;
    double size = 0.0;
    for (int i = 0; i < f->s->count; ++i) {
        double scale = f->G[i * f->s->count + i]; /* [kg] or [kg m^2]: c'G c compares with 1 */
        size = fmax(size, scale * along(row_of(f, i), row_of(f, i), n));
    }
    for (int i = 0; size > nothing * nothing && i < 2 * f->s->count; ++i) {
        double *q = basis + (size_t)rank * (size_t)n;
        memcpy(q, row_of(f, i), (size_t)n * sizeof *q);
        double before = sqrt(along(q, q, n));
        for (int pass = 0; pass < 2; ++pass) {
            for (int j = 0; j < rank; ++j) {
                const double *other = basis + (size_t)j * (size_t)n;
                double part = along(q, other, n);
                for (int k = 0; k < n; ++k) {
                    q[k] -= part * other[k];
                }
            }
        }
        double length = sqrt(along(q, q, n));
        if (length > nothing * before && length > 0.0) {
            for (int k = 0; k < n; ++k) {
                q[k] /= length;
            }
            ++rank;
        }
    }
    return rank;
}

/* 1 + E in the basis. */
static void fill_mass(const framer *f, const double *basis, int rank, double *A)
{
    const int r = f->s->count;
    double parts[2 * MOTIONS][RANK_MOST];
    for (int i = 0; i < 2 * r; ++i) {
        for (int j = 0; j < rank; ++j) {
            parts[i][j] = along(row_of(f, i), basis + (size_t)j * (size_t)f->z->count, f->z->count);
        }
    }
    for (int i = 0; i < rank; ++i) {
        for (int j = 0; j < rank; ++j) {
            double sum = (double)(i == j);
            for (int k = 0; k < r; ++k) {
                sum -= parts[k][i] * parts[r + k][j] + parts[r + k][i] * parts[k][j];
                for (int l = 0; l < r; ++l) {
                    sum += parts[k][i] * f->G[k * r + l] * parts[l][j];
                }
            }
            A[i * rank + j] = sum;
        }
    }
}

/* L^-T, column by column. */
static void invert_factor(const double *L, int rank, double *out)
{
    for (int j = 0; j < rank; ++j) {
        double e[RANK_MOST] = { 0.0 };
        e[j] = 1.0;
        dense_cholesky_backward(L, e, rank);
        for (int i = 0; i < rank; ++i) {
            out[i * rank + j] = e[i];
        }
    }
}

/* Q, T and C from the basis. */
static carom_status take_rank(framer *f, const double *basis, int rank, carom_error *err)
{
    zone_shapes *z = f->z;
    const int r = f->s->count;
    double A[RANK_MOST * RANK_MOST], inverse[RANK_MOST * RANK_MOST];
    fill_mass(f, basis, rank, A);
    if (dense_cholesky(A, rank, NULL) < rank) {
        return carom_fail(err, CAROM_BAD_INPUT, "its shapes without what the frame follows have no mass left");
    }
    invert_factor(A, rank, inverse);
    for (int k = 0; k < z->count; ++k) {
        for (int j = 0; j < rank; ++j) {
            z->Q[k * rank + j] = basis[(size_t)j * (size_t)z->count + (size_t)k];
        }
    }
    for (int i = 0; i < rank; ++i) {
        for (int j = 0; j < rank; ++j) {
            z->T[i * rank + j] = inverse[i * rank + j] - (double)(i == j);
        }
    }
    for (int i = 0; i < r; ++i) {
        for (int j = 0; j < rank; ++j) {
            double sum = 0.0;
            for (int k = 0; k < rank; ++k) {
                sum += along(row_of(f, i), basis + (size_t)k * (size_t)z->count, z->count) * inverse[k * rank + j];
            }
            z->C[i * rank + j] = sum;
        }
    }
    z->rank = rank;
    return CAROM_OK;
}

/* ---- final shapes ---------------------------------------------------------------------------------------------------- */

/* W = V H - R C Q': with VQT and RC for each of the few directions. */
static void fill_shapes(const framer *f, double *direction)
{
    zone_shapes *z = f->z;
    const size_t freedoms = (size_t)f->s->freedoms;
    const int rank = z->rank;
    memcpy(z->all.shapes, z->V, (size_t)z->count * freedoms * sizeof *z->V);
    for (int j = 0; j < rank; ++j) {
        memset(direction, 0, freedoms * sizeof *direction);
        for (int k = 0; k < z->count; ++k) {
            double part = 0.0;
            for (int i = 0; i < rank; ++i) {
                part += z->Q[k * rank + i] * z->T[i * rank + j];
            }
            for (size_t d = 0; d < freedoms; ++d) {
                direction[d] += part * z->V[(size_t)k * freedoms + d];
            }
        }
        for (int i = 0; i < f->s->count; ++i) {
            for (size_t d = 0; d < freedoms; ++d) {
                direction[d] -= z->C[i * rank + j] * z->R[(size_t)i * freedoms + d];
            }
        }
        for (int k = 0; k < z->count; ++k) {
            for (size_t d = 0; d < freedoms; ++d) {
                z->all.shapes[(size_t)k * freedoms + d] += z->Q[k * rank + j] * direction[d];
            }
        }
    }
}

carom_status zone_follow_frame(zone_shapes *z, const flexible_input *in, const motion_mean *means, carom_error *err)
{
    framer f = { .z = z, .in = in, .s = &z->all.space, .means = means };
    const size_t n = (size_t)z->count;
    const int r = f.s->count;
    carom_arena room = { 0 };
    carom_arena *arena = &z->all.arena;
    double *basis = CAROM_ARENA_ARRAY(&room, double, 2 * MOTIONS * n + 1);
    double *direction = CAROM_ARENA_ARRAY(&room, double, f.s->freedoms + 1);
    f.rows = CAROM_ARENA_ARRAY(&room, double, 2 * MOTIONS * n + 1);
    z->Q = CAROM_ARENA_ARRAY(arena, double, n *RANK_MOST + 1);
    z->T = CAROM_ARENA_ARRAY(arena, double, RANK_MOST *RANK_MOST);
    z->C = CAROM_ARENA_ARRAY(arena, double, MOTIONS *RANK_MOST);
    z->all.shapes = CAROM_ARENA_ARRAY(arena, double, n *(size_t)f.s->freedoms + 1);
    carom_status status = room.failed || arena->failed
                              ? carom_fail(err, CAROM_NO_MEMORY, "out of memory for the zone of a mesh")
                              : check_frame(&f, err);
    for (int i = 0; status == CAROM_OK && i < r * r; ++i) {
        f.G[i] = motion_product(f.s, z->R + (size_t)(i / r) * (size_t)f.s->freedoms,
                                z->R + (size_t)(i % r) * (size_t)f.s->freedoms);
        f.L[i] = f.G[i];
    }
    if (status == CAROM_OK && dense_cholesky(f.L, r, NULL) < r) {
        status = carom_fail(err, CAROM_BAD_INPUT, "its nodes lie on one line or at one place, and it cannot turn");
    }
    if (status == CAROM_OK) {
        find_rows(&f);
        status = take_rank(&f, basis, find_basis(&f, basis), err);
    }
    if (status == CAROM_OK) {
        fill_shapes(&f, direction);
    }
    carom_arena_free(&room);
    return status;
}
