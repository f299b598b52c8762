#include "elements/flexible/component_modes.h"

#include <stdlib.h>
#include <string.h>

#include "base/union_find.h"
#include "elements/flexible/component_cache.h"
#include "linalg/eigen.h"

#define TWO_PI 6.28318530717958647693

/* What is held while shapes are found: freedoms of rigid attachments, or none. */
typedef struct holding {
    bool *held; /* per freedom */
    int *rows;  /* per freedom: its row among those not held, -1 */
    int row_count;
    sparse_matrix *K; /* of the rows */
    sparse_factor *factor;
} holding;

typedef struct reducer {
    component_modes *out;
    const flexible_input *in;
    const motion_space *s;
    carom_arena room;
    sparse_matrix *K; /* of all freedoms */
    holding fixed;    /* rigid attachments held, or where there are none nothing but what takes no part */
    motion_mean *means;
    int base;      /* the first rigid attachment; -1: none */
    double *rigid; /* orthonormal rigid motions: s->count x freedoms */
    double *raw;   /* sources: raw_count x freedoms */
    int raw_count;
} reducer;

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the modes of a mesh");
}

static double *vector(reducer *r, int count)
{
    return CAROM_ARENA_ARRAY(&r->room, double, (size_t)count *(size_t)r->s->freedoms + 1);
}

/* ---- holding ------------------------------------------------------------------------------------------------------ */

static void holding_free(holding *h)
{
    sparse_factor_destroy(h->factor);
    sparse_destroy(h->K);
    *h = (holding){ 0 };
}

/* A pivot that vanishes: something moves without resistance. */
static carom_status tell_loose(const carom_error *why, carom_status status, carom_error *err)
{
    return status == CAROM_IMPOSSIBLE
               ? carom_fail(
                     err, CAROM_BAD_INPUT,
                     "parts of the mesh can move against each other without resistance (%.200s); are all cells connected, "
                     "and do bars make a stiff truss?",
                     why->message)
               : carom_fail(err, status, "%s", why->message);
}

static carom_status holding_make(const reducer *r, holding *h, bool factored, carom_error *err)
{
    h->row_count = 0;
    for (int f = 0; f < r->s->freedoms; ++f) {
        h->rows[f] = h->held[f] ? -1 : h->row_count++;
    }
    if (h->row_count == 0) {
        return CAROM_OK;
    }
    carom_error why = { 0 };
    carom_status status = solid_mesh_stiffness(r->in->mesh, h->held, &h->K, err);
    if (status == CAROM_OK && factored) {
        status = sparse_factor_create(&h->factor, h->K, &why);
        status = status == CAROM_OK ? status : tell_loose(&why, status, err);
    }
    return status;
}

/* K u = load on the rows; what is held stays 0. */
static void holding_solve(reducer *r, holding *h, const double *load, double *u)
{
    double *b = CAROM_ARENA_ARRAY(&r->room, double, h->row_count + 1);
    for (int f = 0; b && f < r->s->freedoms; ++f) {
        if (h->rows[f] >= 0) {
            b[h->rows[f]] = load[f];
        }
    }
    if (!b || h->row_count == 0) {
        return; /* a failed arena is asked for later */
    }
    sparse_solve(h->factor, b, 1);
    for (int f = 0; f < r->s->freedoms; ++f) {
        u[f] = h->rows[f] >= 0 ? b[h->rows[f]] : u[f];
    }
}

static bool holding_allocate(reducer *r, holding *h)
{
    h->held = CAROM_ARENA_ARRAY(&r->room, bool, r->s->freedoms + 1);
    h->rows = CAROM_ARENA_ARRAY(&r->room, int, r->s->freedoms + 1);
    for (int f = 0; h->held && f < r->s->freedoms; ++f) {
        h->held[f] = r->s->absent[f];
    }
    return h->held && h->rows;
}

static void hold_attachment(const reducer *r, const flexible_attachment *a, bool *held)
{
    for (int i = 0; i < a->node_count; ++i) {
        for (int c = 0; c < MOTIONS; ++c) {
            int f = motion_freedom(r->s, a->nodes[i], c);
            if (f >= 0) {
                held[f] = true;
            }
        }
    }
}

/* ---- sources ------------------------------------------------------------------------------------------------------ */

static component_source *add_source(reducer *r, shape_kind kind, int attachment)
{
    component_source *source = &r->out->sources[r->raw_count++];
    *source = (component_source){ .kind = kind, .attachment = attachment };
    r->out->source_count = r->raw_count;
    return source;
}

static double *raw_of(const reducer *r, int index)
{
    return r->raw + (size_t)index * (size_t)r->s->freedoms;
}

/* The mass that shaking along an axis moves with a mode of unit mass. */
static double effective_mass(const reducer *r, const double *mode, int axis)
{
    double sum = 0.0;
    for (int i = 0; i < r->s->nodes; ++i) {
        int f = motion_freedom(r->s, i, axis);
        sum += f >= 0 ? r->s->mass[f] * mode[f] : 0.0;
    }
    return sum * sum;
}

static void take_modes(reducer *r, const eigen_modes *modes, int skipped)
{
    for (int k = skipped; k < modes->count; ++k) {
        double *u = raw_of(r, r->raw_count);
        component_source *source = add_source(r, r->base >= 0 ? SHAPE_FIXED : SHAPE_FREE, -1);
        source->omega2 = modes->lambda[k];
        for (int f = 0; f < r->s->freedoms; ++f) {
            int row = r->fixed.rows[f];
            u[f] = row >= 0 ? modes->vectors[(size_t)k * (size_t)modes->size + (size_t)row] : 0.0;
        }
        for (int axis = 0; axis < 3 && source->kind == SHAPE_FIXED; ++axis) {
            source->effective[axis] = effective_mass(r, u, axis);
        }
    }
}

/* How many modes of vibration the definition asks for, rigid ones not counted. */
static carom_status wanted_modes(const reducer *r, int asked, const sparse_matrix *M, int *out, carom_error *err)
{
    const carom_modes_def *def = &r->in->def->modes;
    int rigid = r->base >= 0 ? 0 : r->s->count;
    int most = r->fixed.row_count - rigid;
    *out = asked >= 0 ? asked : def->count;
    if (asked < 0 && def->up_to > 0.0) {
        double omega = TWO_PI * def->up_to;
        carom_status status = eigen_count(out, r->fixed.K, M, omega * omega, err);
        *out -= rigid;
        return status;
    }
    if (*out > most && asked < 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "%d modes are asked for; the mesh has %d freedoms that vibrate", *out,
                          most);
    }
    *out = *out < most ? *out : most;
    return CAROM_OK;
}

static carom_status allocate_sources(reducer *r, int modes, carom_error *err)
{
    int most = modes + MOTIONS * r->in->attachment_count + 1;
    r->raw = CAROM_ARENA_ARRAY(&r->out->arena, double, (size_t)most *(size_t)r->s->freedoms);
    r->out->raw = r->raw;
    r->out->sources = CAROM_ARENA_ARRAY(&r->out->arena, component_source, most);
    return r->raw && r->out->sources ? CAROM_OK : no_memory(err);
}

static carom_status find_modes(reducer *r, int asked, carom_error *err)
{
    if (r->fixed.row_count == 0) {
        return allocate_sources(r, 0, err);
    }
    sparse_matrix *M = NULL;
    int wanted = 0;
    int rigid = r->base >= 0 ? 0 : r->s->count;
    carom_status status = solid_mesh_mass(r->in->mesh, r->fixed.held, true, &M, err);
    status = status == CAROM_OK ? wanted_modes(r, asked, M, &wanted, err) : status;
    status = status == CAROM_OK ? allocate_sources(r, wanted, err) : status;
    if (status == CAROM_OK && wanted > 0) {
        eigen_modes modes = { 0 };
        const eigen_options options = { .count = wanted + rigid, .free = rigid > 0 };
        carom_error why = { 0 };
        status = eigen_lowest(&modes, r->fixed.K, M, &options, &why);
        status = status == CAROM_OK ? status : tell_loose(&why, status, err);
        if (status == CAROM_OK) {
            take_modes(r, &modes, rigid);
        }
        eigen_modes_free(&modes);
    }
    sparse_destroy(M);
    return status;
}

/* Static shapes of a rigid attachment: its nodes move as a rigid body, the rest follows. */
static void add_constraint_shapes(reducer *r, int attachment)
{
    const flexible_attachment *a = &r->in->attachments[attachment];
    for (int i = 0; i < r->s->count; ++i) {
        double *u = raw_of(r, r->raw_count);
        double *load = vector(r, 1);
        add_source(r, SHAPE_CONSTRAINT, attachment);
        if (load) {
            motion_add(r->s, r->s->motions[i], r->means[attachment].at, 1.0, a->nodes, a->node_count, u);
            sparse_times(r->K, u, load);
            for (int f = 0; f < r->s->freedoms; ++f) {
                load[f] = -load[f];
            }
            holding_solve(r, &r->fixed, load, u);
        }
    }
}

/* Rigid motions by freedom, freedoms x count; turns against the size of the mesh. NULL: memory runs out. */
static double *motions_by_freedom(reducer *r)
{
    int n = r->s->count;
    double *R = CAROM_ARENA_ARRAY(&r->room, double, (size_t)n *(size_t)r->s->freedoms + 1);
    for (int i = 0; R && i < n; ++i) {
        double *u = vector(r, 1);
        if (!u) {
            return NULL;
        }
        motion_add(r->s, r->s->motions[i], r->in->centre, r->s->motions[i] < 3 ? 1.0 : 1.0 / r->in->size, NULL, 0, u);
        for (int f = 0; f < r->s->freedoms; ++f) {
            R[f * n + i] = u[f];
        }
    }
    return R;
}

static double row_norm2(const double *row, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) {
        sum += row[i] * row[i];
    }
    return sum;
}

/* Of all rows what one of them says is taken out. */
static void take_out(double *R, int rows, int n, int chosen)
{
    double row[MOTIONS];
    memcpy(row, R + chosen * n, (size_t)n * sizeof *row);
    const double size = row_norm2(row, n);
    for (int f = 0; f < rows; ++f) {
        double along = 0.0;
        for (int i = 0; i < n; ++i) {
            along += R[f * n + i] * row[i] / size;
        }
        for (int i = 0; i < n; ++i) {
            R[f * n + i] -= along * row[i];
        }
    }
}

/* The freedoms that, held, keep a free body from moving and nothing else: one after the other those that the motions left over move
 * most, the first of equal ones. False: memory runs out. */
static bool hold_rigid_motions(reducer *r, bool *held)
{
    const double more = 1.0 + 1e-9; /* than rounding makes of equal ones */
    int n = r->s->count;
    double *R = motions_by_freedom(r);
    for (int step = 0; R && step < n; ++step) {
        int best = -1;
        double most = 0.0;
        for (int f = 0; f < r->s->freedoms; ++f) {
            double size = held[f] ? 0.0 : row_norm2(R + f * n, n);
            best = size > most * more ? f : best;
            most = size > most * more ? size : most;
        }
        if (best >= 0) {
            held[best] = true;
            take_out(R, r->s->freedoms, n, best);
        }
    }
    return R != NULL;
}

/* Takes the part of a load away that moves the free body as a whole: inertia balances it. */
static void balance(const reducer *r, double *load)
{
    for (int i = 0; i < r->s->count; ++i) {
        const double *R = r->rigid + (size_t)i * (size_t)r->s->freedoms;
        double part = 0.0;
        for (int f = 0; f < r->s->freedoms; ++f) {
            part += R[f] * load[f];
        }
        for (int f = 0; f < r->s->freedoms; ++f) {
            load[f] -= part * r->s->mass[f] * R[f];
        }
    }
}

/* Static shapes of an averaging attachment, by unit loads on it. */
static void add_load_shapes(reducer *r, int attachment, holding *h)
{
    for (int i = 0; i < r->s->count; ++i) {
        double *u = raw_of(r, r->raw_count);
        double *load = vector(r, 1);
        add_source(r, SHAPE_LOAD, attachment);
        if (load) {
            memcpy(load, r->means[attachment].weights + (size_t)i * (size_t)r->s->freedoms,
                   (size_t)r->s->freedoms * sizeof *load);
            if (r->base < 0) {
                balance(r, load);
            }
            holding_solve(r, h, load, u);
        }
    }
}

static carom_status find_static_shapes(reducer *r, carom_error *err)
{
    holding light = { 0 };
    bool averages = false;
    for (int i = 0; i < r->in->attachment_count; ++i) {
        bool rigid = r->in->attachments[i].as == CAROM_ATTACH_RIGID;
        averages = averages || !rigid;
        if (rigid && i != r->base) {
            add_constraint_shapes(r, i);
        }
    }
    carom_status status = CAROM_OK;
    if (averages && r->base < 0) {
        status = holding_allocate(r, &light) ? CAROM_OK : no_memory(err);
        if (status == CAROM_OK) {
            status = hold_rigid_motions(r, light.held) ? holding_make(r, &light, true, err) : no_memory(err);
        }
    }
    for (int i = 0; i < r->in->attachment_count && status == CAROM_OK; ++i) {
        if (r->in->attachments[i].as == CAROM_ATTACH_AVERAGE) {
            add_load_shapes(r, i, r->base < 0 ? &light : &r->fixed);
        }
    }
    holding_free(&light);
    return status == CAROM_OK && r->room.failed ? no_memory(err) : status;
}

/* ---- orthonormal --------------------------------------------------------------------------------------------------- */

/* Makes u orthogonal to `count` orthonormal vectors, twice for rounding, and of unit length. False: nothing is left of it. */
static bool orthonormalise(const reducer *r, double *u, const double *to, int count)
{
    const double nothing = 1e-7; /* of its length: static shapes are solved for to about this accuracy */
    double before = sqrt(motion_product(r->s, u, u));
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < count; ++i) {
            const double *v = to + (size_t)i * (size_t)r->s->freedoms;
            double part = motion_product(r->s, u, v);
            for (int f = 0; f < r->s->freedoms; ++f) {
                u[f] -= part * v[f];
            }
        }
    }
    double length = sqrt(motion_product(r->s, u, u));
    bool something = length > nothing * before && length > 0.0;
    for (int f = 0; f < r->s->freedoms; ++f) {
        u[f] = something ? u[f] / length : 0.0;
    }
    return something;
}

static void make_rigid(reducer *r)
{
    for (int i = 0; i < r->s->count; ++i) {
        double *u = r->rigid + (size_t)i * (size_t)r->s->freedoms;
        motion_add(r->s, r->s->motions[i], r->in->centre, 1.0, NULL, 0, u);
        orthonormalise(r, u, r->rigid, i);
    }
}

/* x' K x */
static double energy_of(reducer *r, const double *u, double *Ku)
{
    double sum = 0.0;
    sparse_times(r->K, u, Ku);
    for (int f = 0; f < r->s->freedoms; ++f) {
        sum += u[f] * Ku[f];
    }
    return sum;
}

/* The sources without rigid motions, one behind the other in `basis`, orthonormal; returns how many are left. */
static int make_basis(reducer *r, double *basis)
{
    int count = 0;
    double *Ku = vector(r, 1);
    for (int k = 0; Ku && k < r->raw_count; ++k) {
        component_source *source = &r->out->sources[k];
        double *u = basis + (size_t)count * (size_t)r->s->freedoms;
        memcpy(u, raw_of(r, k), (size_t)r->s->freedoms * sizeof *u);
        bool fine = orthonormalise(r, u, r->rigid, r->s->count);
        if (source->kind == SHAPE_CONSTRAINT || source->kind == SHAPE_LOAD) {
            source->omega2 = energy_of(r, u, Ku);
        }
        fine = fine && orthonormalise(r, u, basis, count);
        count += fine;
        r->out->dropped += !fine;
    }
    return count;
}

/* Replaces the vectors by combinations of them: those of the modes of small dense K and M. */
static carom_status combine(reducer *r, double *vectors, int n, const sparse_entry *K, const sparse_entry *M,
                            size_t entries, double *omega2, carom_error *err)
{
    sparse_matrix *stiffness = NULL;
    sparse_matrix *mass = NULL;
    eigen_modes modes = { 0 };
    const eigen_options options = { .count = n, .dense = true };
    carom_status status = sparse_create(&stiffness, n, K, entries, err);
    status = status == CAROM_OK ? sparse_create(&mass, n, M, entries, err) : status;
    status = status == CAROM_OK ? eigen_lowest(&modes, stiffness, mass, &options, err) : status;
    double *row = status == CAROM_OK ? malloc((size_t)n * sizeof *row) : NULL;
    status = status == CAROM_OK && !row ? no_memory(err) : status;
    for (int f = 0; row && f < r->s->freedoms; ++f) {
        for (int k = 0; k < n; ++k) {
            row[k] = 0.0;
            for (int i = 0; i < n; ++i) {
                row[k] += modes.vectors[(size_t)k * (size_t)n + (size_t)i] *
                          vectors[(size_t)i * (size_t)r->s->freedoms + (size_t)f];
            }
        }
        for (int k = 0; k < n; ++k) {
            vectors[(size_t)k * (size_t)r->s->freedoms + (size_t)f] = row[k];
        }
    }
    if (row) {
        memcpy(omega2, modes.lambda, (size_t)n * sizeof *omega2);
    }
    free(row);
    eigen_modes_free(&modes);
    sparse_destroy(mass);
    sparse_destroy(stiffness);
    return status;
}

/* Lower triangles of products of the vectors: with K (or by omega2 where that is given), with M (or 1). */
static carom_status diagonalise(reducer *r, double *vectors, int n, const double *known_omega2, double *omega2,
                                carom_error *err)
{
    size_t size = (size_t)n * (size_t)(n + 1) / 2;
    sparse_entry *K = CAROM_ARENA_ARRAY(&r->room, sparse_entry, size + 1);
    sparse_entry *M = CAROM_ARENA_ARRAY(&r->room, sparse_entry, size + 1);
    double *Ku = vector(r, 1);
    if (!K || !M || !Ku) {
        return no_memory(err);
    }
    size_t at = 0;
    for (int i = 0; i < n; ++i) {
        const double *u = vectors + (size_t)i * (size_t)r->s->freedoms;
        if (!known_omega2) {
            sparse_times(r->K, u, Ku);
        }
        for (int k = 0; k <= i; ++k, ++at) {
            const double *v = vectors + (size_t)k * (size_t)r->s->freedoms;
            double stiffness = known_omega2 && i == k ? known_omega2[i] : 0.0;
            for (int f = 0; !known_omega2 && f < r->s->freedoms; ++f) {
                stiffness += v[f] * Ku[f];
            }
            K[at] = (sparse_entry){ i, k, stiffness };
            M[at] = (sparse_entry){ i, k, known_omega2 ? motion_product(r->s, u, v) : (double)(i == k) };
        }
    }
    return combine(r, vectors, n, K, M, size, omega2, err);
}

/* ---- frames -------------------------------------------------------------------------------------------------------- */

/* What a mean says of a vector, as a displacement and a rotation. */
static void mean_of(const reducer *r, const motion_mean *mean, const double *u, v3 *move, v3 *turn)
{
    double all[MOTIONS] = { 0.0 };
    for (int i = 0; i < r->s->count; ++i) {
        const double *w = mean->weights + (size_t)i * (size_t)r->s->freedoms;
        for (int f = 0; f < r->s->freedoms; ++f) {
            all[r->s->motions[i]] += w[f] * u[f];
        }
    }
    *move = v3_load(all);
    *turn = v3_load(all + 3);
}

/* Takes from a vector the rigid motion that the frame makes with it. */
static void follow_frame(const reducer *r, double *u)
{
    v3 move, turn;
    mean_of(r, &r->means[0], u, &move, &turn);
    if (r->in->def->frame == CAROM_FRAME_CHORD) {
        v3 chord = v3_sub(r->means[1].at, r->means[0].at);
        v3 other, unused;
        mean_of(r, &r->means[1], u, &other, &unused);
        double d2 = v3_norm2(chord);
        v3 roll = v3_scale(v3_dot(turn, chord) / d2, chord);
        turn = v3_add(roll, v3_scale(1.0 / d2, v3_cross(chord, v3_sub(other, move))));
    }
    for (int k = 0; k < MOTIONS; ++k) {
        double amount = k < 3 ? v3_get(move, k) : v3_get(turn, k - 3);
        motion_add(r->s, k, r->means[0].at, -amount, NULL, 0, u);
    }
}

static carom_status check_frame(const reducer *r, carom_error *err)
{
    carom_flexible_frame frame = r->in->def->frame;
    int needed = frame == CAROM_FRAME_CHORD ? 2 : frame == CAROM_FRAME_ATTACHMENT ? 1 : 0;
    if (r->in->attachment_count < needed) {
        return carom_fail(err, CAROM_BAD_INPUT, "'frame' is '%s' and needs %s; there %s %d",
                          needed == 2 ? "chord" : "attachment", needed == 2 ? "two attachments" : "an attachment",
                          r->in->attachment_count == 1 ? "is" : "are", r->in->attachment_count);
    }
    if (needed == 2 && !(v3_norm(v3_sub(r->means[1].at, r->means[0].at)) > 1e-6 * r->in->size)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'frame' is 'chord', and the attachments '%.100s' and '%.100s' are at one place",
                          r->in->attachments[0].name, r->in->attachments[1].name);
    }
    return CAROM_OK;
}

/* Rigid motions out of a displacement as the frame asks. */
static void fit_to_frame(const reducer *r, double *u)
{
    if (r->in->def->frame != CAROM_FRAME_MEAN) {
        follow_frame(r, u);
        return;
    }
    for (int i = 0; i < r->s->count; ++i) {
        const double *R = r->rigid + (size_t)i * (size_t)r->s->freedoms;
        double part = motion_product(r->s, u, R);
        for (int f = 0; f < r->s->freedoms; ++f) {
            u[f] -= part * R[f];
        }
    }
}

/* ---- shortening ----------------------------------------------------------------------------------------------------- */

enum { BENDING_MOST = 10 }; /* shapes of one body that shorten it: pairs of them are 55 */

/* u = -K^-1 of what a pair of shapes would strain: the ends come nearer, and nothing is strained. */
static carom_status shorten(reducer *r, holding *h, const double *a, const double *b, double *u, carom_error *err)
{
    double *load = vector(r, 1);
    if (!load) {
        return no_memory(err);
    }
    if (!solid_mesh_shortening(r->in->mesh, a, b, load)) {
        return carom_fail(err, CAROM_BAD_INPUT, "'stiffening' is there for bars and beams only; leave it out");
    }
    holding_solve(r, h, load, u);
    fit_to_frame(r, u);
    return r->room.failed ? no_memory(err) : CAROM_OK;
}

static const double *shape_of(const reducer *r, int k)
{
    return r->out->shapes + (size_t)k * (size_t)r->s->freedoms;
}

/* The shapes that shorten the body most for their energy; those that do less than a hundredth of that are left out. */
static carom_status choose_bending(reducer *r, holding *h, int *chosen, int *count, carom_error *err)
{
    const double least = 0.01;
    double *measure = CAROM_ARENA_ARRAY(&r->room, double, r->out->count + 1);
    double *u = vector(r, 1);
    double most = 0.0;
    carom_status status = measure && u ? CAROM_OK : no_memory(err);
    for (int k = 0; status == CAROM_OK && k < r->out->count; ++k) {
        memset(u, 0, (size_t)r->s->freedoms * sizeof *u);
        status = shorten(r, h, shape_of(r, k), shape_of(r, k), u, err);
        measure[k] = sqrt(motion_product(r->s, u, u)) / r->out->omega2[k];
        most = fmax(most, measure[k]);
    }
    *count = 0;
    for (int k = 0; status == CAROM_OK && k < r->out->count && *count < BENDING_MOST; ++k) {
        if (measure[k] > least * most) {
            chosen[(*count)++] = k;
        }
    }
    return status;
}

static carom_status make_pairs(reducer *r, holding *h, carom_error *err)
{
    component_modes *out = r->out;
    int chosen[BENDING_MOST];
    int count = 0;
    carom_status status = choose_bending(r, h, chosen, &count, err);
    size_t most = (size_t)count * (size_t)(count + 1) / 2 + 1;
    out->pairs = carom_arena_array(&out->arena, most, sizeof *out->pairs);
    out->second = CAROM_ARENA_ARRAY(&out->arena, double, most *(size_t)r->s->freedoms);
    status = status == CAROM_OK && out->arena.failed ? no_memory(err) : status;
    for (int i = 0; i < count; ++i) {
        for (int j = i; j < count && status == CAROM_OK; ++j) {
            int *pair = out->pairs[out->pair_count];
            double *u = out->second + (size_t)out->pair_count++ * (size_t)r->s->freedoms;
            pair[0] = chosen[i];
            pair[1] = chosen[j];
            status = shorten(r, h, shape_of(r, chosen[i]), shape_of(r, chosen[j]), u, err);
        }
    }
    return status;
}

static carom_status find_shortening(reducer *r, carom_error *err)
{
    holding light = { 0 };
    if (!r->in->def->stiffening) {
        return CAROM_OK;
    }
    carom_status status = holding_allocate(r, &light) ? CAROM_OK : no_memory(err);
    if (status == CAROM_OK) {
        status = hold_rigid_motions(r, light.held) ? holding_make(r, &light, true, err) : no_memory(err);
    }
    status = status == CAROM_OK ? make_pairs(r, &light, err) : status;
    holding_free(&light);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

/* Nodes of one element, and of one rigid attachment, hang together. */
static void unite_nodes(const reducer *r, int *parent)
{
    for (int c = 0; c < r->in->cells->cell_count; ++c) {
        const volume_cell *cell = &r->in->cells->cells[c];
        for (int i = 1; i < cell_kind_nodes(cell->kind); ++i) {
            set_unite(parent, cell->nodes[0], cell->nodes[i]);
        }
    }
    for (int k = 0; k < r->in->attachment_count; ++k) {
        const flexible_attachment *a = &r->in->attachments[k];
        for (int i = 1; a->as == CAROM_ATTACH_RIGID && i < a->node_count; ++i) {
            set_unite(parent, a->nodes[0], a->nodes[i]);
        }
    }
}

static carom_status check_connected(reducer *r, carom_error *err)
{
    int *parent = CAROM_ARENA_ARRAY(&r->room, int, r->s->nodes + 1);
    int first = -1;
    for (int i = 0; parent && i < r->s->nodes; ++i) {
        parent[i] = i;
    }
    if (!parent) {
        return no_memory(err);
    }
    unite_nodes(r, parent);
    for (int i = 0; i < r->s->nodes; ++i) {
        first = first < 0 && flexible_node_used(r->in, i) ? i : first;
        if (flexible_node_used(r->in, i) && set_root(parent, i) != set_root(parent, first)) {
            v3 a = solid_mesh_node(r->in->mesh, first);
            v3 b = solid_mesh_node(r->in->mesh, i);
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "the mesh falls apart: nothing connects node %d at (%g, %g, %g) m with node %d at (%g, %g, %g) m; merge "
                "nodes that coincide, or put both parts into one rigid attachment",
                first, a.x, a.y, a.z, i, b.x, b.y, b.z);
        }
    }
    return CAROM_OK;
}

static carom_status begin(reducer *r, carom_error *err)
{
    int count = r->in->attachment_count;
    r->means = CAROM_ARENA_ARRAY(&r->room, motion_mean, count + 1);
    r->rigid = vector(r, r->s->count);
    carom_status status = r->means && r->rigid && holding_allocate(r, &r->fixed) ? CAROM_OK : no_memory(err);
    r->base = -1;
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        const flexible_attachment *a = &r->in->attachments[i];
        status = motion_mean_make(&r->means[i], r->s, a, &r->room, err);
        if (a->as == CAROM_ATTACH_RIGID) {
            r->base = r->base < 0 ? i : r->base;
            hold_attachment(r, a, r->fixed.held);
        }
    }
    status = status == CAROM_OK ? check_connected(r, err) : status;
    status = status == CAROM_OK ? check_frame(r, err) : status;
    status = status == CAROM_OK ? solid_mesh_stiffness(r->in->mesh, NULL, &r->K, err) : status;
    status = status == CAROM_OK ? holding_make(r, &r->fixed, r->base >= 0, err) : status;
    if (status == CAROM_OK) {
        make_rigid(r);
    }
    return status;
}

static carom_status shape_body(reducer *r, carom_error *err)
{
    component_modes *out = r->out;
    out->shapes = CAROM_ARENA_ARRAY(&out->arena, double, (size_t)(r->raw_count + 1) * (size_t)r->s->freedoms);
    if (!out->shapes) {
        return no_memory(err);
    }
    out->count = make_basis(r, out->shapes);
    out->omega2 = CAROM_ARENA_ARRAY(&out->arena, double, out->count + 1);
    out->free_omega2 = CAROM_ARENA_ARRAY(&out->arena, double, out->count + 1);
    if (out->arena.failed || r->room.failed) {
        return no_memory(err);
    }
    if (out->count == 0) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "nothing of it deforms: it has no modes and not two attachments; ask for modes ({\"count\": 10}), or leave "
            "out 'flexible'");
    }
    carom_status status = diagonalise(r, out->shapes, out->count, NULL, out->omega2, err);
    memcpy(out->free_omega2, out->omega2, (size_t)out->count * sizeof *out->omega2);
    if (status == CAROM_OK && r->in->def->frame != CAROM_FRAME_MEAN) {
        for (int k = 0; k < out->count; ++k) {
            follow_frame(r, out->shapes + (size_t)k * (size_t)r->s->freedoms);
        }
        status = diagonalise(r, out->shapes, out->count, out->free_omega2, out->omega2, err);
    }
    return status;
}

/* How each attachment follows the coordinates. */
static carom_status make_places(reducer *r, carom_error *err)
{
    component_modes *out = r->out;
    int n = out->count + out->pair_count;
    out->places = CAROM_ARENA_ARRAY(&out->arena, component_place, r->in->attachment_count + 1);
    for (int i = 0; out->places && i < r->in->attachment_count; ++i) {
        component_place *place = &out->places[i];
        *place = (component_place){ r->means[i].at, CAROM_ARENA_ARRAY(&out->arena, double, MOTIONS *n) };
        for (int k = 0; place->psi && k < n; ++k) {
            v3 move, turn;
            const double *u = k < out->count ? out->shapes + (size_t)k * (size_t)r->s->freedoms
                                             : out->second + (size_t)(k - out->count) * (size_t)r->s->freedoms;
            mean_of(r, &r->means[i], u, &move, &turn);
            for (int c = 0; c < 3; ++c) {
                place->psi[n * c + k] = v3_get(move, c);
                place->psi[n * (3 + c) + k] = v3_get(turn, c);
            }
        }
    }
    return out->arena.failed ? no_memory(err) : CAROM_OK;
}

static carom_status find_all(component_modes *out, const flexible_input *in, int fixed, carom_error *err)
{
    reducer r = { .out = out, .in = in, .s = &out->space };
    carom_status status = begin(&r, err);
    status = status == CAROM_OK ? find_modes(&r, fixed, err) : status;
    status = status == CAROM_OK ? find_static_shapes(&r, err) : status;
    status = status == CAROM_OK ? shape_body(&r, err) : status;
    status = status == CAROM_OK ? find_shortening(&r, err) : status;
    status = status == CAROM_OK ? make_places(&r, err) : status;
    holding_free(&r.fixed);
    sparse_destroy(r.K);
    carom_arena_free(&r.room);
    return status;
}

carom_status component_modes_make(component_modes *out, const flexible_input *in, int fixed, carom_error *err)
{
    *out = (component_modes){ 0 };
    bool kept = fixed < 0 && component_cache_serves(in);
    carom_status status = motion_space_make(&out->space, in, &out->arena, err);
    if (status == CAROM_OK && kept && component_cache_load(out, in)) {
        return CAROM_OK;
    }
    status = status == CAROM_OK ? find_all(out, in, fixed, err) : status;
    if (status == CAROM_OK && kept) {
        component_cache_save(out, in);
    }
    return status;
}

void component_modes_free(component_modes *r)
{
    carom_arena_free(&r->arena);
    *r = (component_modes){ 0 };
}
