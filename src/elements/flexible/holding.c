#include "elements/flexible/holding.h"

#include <string.h>

#define TWO_PI 6.28318530717958647693

/* ---- what is held ---------------------------------------------------------------------------------------------------- */

bool holding_begin(holding *h, const motion_space *s, carom_arena *room)
{
    *h = (holding){ .s = s,
                    .room = room,
                    .held = CAROM_ARENA_ARRAY(room, bool, s->freedoms + 1),
                    .rows = CAROM_ARENA_ARRAY(room, int, s->freedoms + 1) };
    for (int f = 0; h->held && f < s->freedoms; ++f) {
        h->held[f] = s->absent[f];
    }
    return h->held && h->rows;
}

void holding_add_nodes(holding *h, const int *nodes, int count)
{
    for (int i = 0; i < count; ++i) {
        for (int a = 0; a < MOTIONS; ++a) {
            int f = motion_freedom(h->s, nodes[i], a);
            if (f >= 0) {
                h->held[f] = true;
            }
        }
    }
}

/* Rigid motions by freedom, freedoms x count; turns against the size of the mesh. NULL: memory runs out. */
static double *motions_by_freedom(const holding *h)
{
    const motion_space *s = h->s;
    const int n = s->count;
    double *R = CAROM_ARENA_ARRAY(h->room, double, (size_t)n *(size_t)s->freedoms + 1);
    for (int i = 0; R && i < n; ++i) {
        double *u = CAROM_ARENA_ARRAY(h->room, double, s->freedoms + 1);
        if (!u) {
            return NULL;
        }
        motion_add(s, s->motions[i], s->in->centre, s->motions[i] < 3 ? 1.0 : 1.0 / s->in->size, NULL, 0, u);
        for (int f = 0; f < s->freedoms; ++f) {
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

int holding_add_motions(holding *h, const bool *among)
{
    const double nothing = 1e-6;    /* of unity: what only rounding moves holds nothing */
    const double more = 1.0 + 1e-9; /* than rounding makes of equal ones */
    const int n = h->s->count;
    double *R = motions_by_freedom(h);
    for (int step = 0; R && step < n; ++step) {
        int best = -1;
        double most = nothing;
        for (int f = 0; f < h->s->freedoms; ++f) {
            double size = h->held[f] || (among && !among[f]) ? 0.0 : row_norm2(R + f * n, n);
            best = size > most * more ? f : best;
            most = size > most * more ? size : most;
        }
        if (best < 0) {
            return step;
        }
        h->held[best] = true;
        take_out(R, h->s->freedoms, n, best);
    }
    return R ? n : -1;
}

/* ---- stiffness ------------------------------------------------------------------------------------------------------- */

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

carom_status holding_make(holding *h, bool factored, carom_error *err)
{
    h->row_count = 0;
    for (int f = 0; f < h->s->freedoms; ++f) {
        h->rows[f] = h->held[f] ? -1 : h->row_count++;
    }
    if (h->row_count == 0) {
        return CAROM_OK;
    }
    carom_error why = { 0 };
    carom_status status = solid_mesh_stiffness(h->s->in->mesh, h->held, &h->K, err);
    if (status == CAROM_OK && factored) {
        status = sparse_factor_create(&h->factor, h->K, &why);
        status = status == CAROM_OK ? status : tell_loose(&why, status, err);
    }
    return status;
}

void holding_free(holding *h)
{
    sparse_factor_destroy(h->factor);
    sparse_destroy(h->K);
    *h = (holding){ 0 };
}

/* ---- static shapes --------------------------------------------------------------------------------------------------- */

void holding_solve(const holding *h, const double *load, double *u)
{
    double *b = CAROM_ARENA_ARRAY(h->room, double, h->row_count + 1);
    for (int f = 0; b && f < h->s->freedoms; ++f) {
        if (h->rows[f] >= 0) {
            b[h->rows[f]] = load[f];
        }
    }
    if (!b || h->row_count == 0) {
        return;
    }
    sparse_solve(h->factor, b, 1);
    for (int f = 0; f < h->s->freedoms; ++f) {
        u[f] = h->rows[f] >= 0 ? b[h->rows[f]] : u[f];
    }
}

void holding_follow(const holding *h, const sparse_matrix *K, double *u)
{
    double *load = CAROM_ARENA_ARRAY(h->room, double, h->s->freedoms + 1);
    if (load) {
        sparse_times(K, u, load);
        for (int f = 0; f < h->s->freedoms; ++f) {
            load[f] = -load[f];
        }
        holding_solve(h, load, u);
    }
}

/* ---- modes ----------------------------------------------------------------------------------------------------------- */

static carom_status count_up_to(const holding *h, double frequency, int *out, carom_error *err)
{
    const double omega = TWO_PI * frequency;
    sparse_matrix *M = NULL;
    carom_status status = solid_mesh_mass(h->s->in->mesh, h->held, true, &M, err);
    status = status == CAROM_OK ? eigen_count(out, h->K, M, omega * omega, err) : status;
    sparse_destroy(M);
    return status;
}

carom_status holding_wanted(const holding *h, int asked, int rigid, int *out, carom_error *err)
{
    const carom_modes_def *def = &h->s->in->def->modes;
    const int most = h->row_count > rigid ? h->row_count - rigid : 0;
    *out = asked >= 0 ? asked : def->count;
    if (h->row_count == 0) {
        *out = 0;
        return CAROM_OK;
    }
    if (asked < 0 && def->up_to > 0.0) {
        carom_status status = count_up_to(h, def->up_to, out, err);
        *out = *out > rigid ? *out - rigid : 0; /* rounding hides rigid motions below very low frequencies */
        return status;
    }
    if (*out > most && asked < 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "%d modes are asked for; the mesh has %d freedoms that vibrate%s",
                          *out, most, h->where ? h->where : "");
    }
    *out = *out < most ? *out : most;
    return CAROM_OK;
}

carom_status holding_modes(const holding *h, int count, int rigid, eigen_modes *out, carom_error *err)
{
    sparse_matrix *M = NULL;
    carom_error why = { 0 };
    const eigen_options options = { .count = count + rigid, .free = rigid > 0, .factor = h->factor };
    *out = (eigen_modes){ 0 };
    if (h->row_count == 0 || count == 0) {
        return CAROM_OK;
    }
    carom_status status = solid_mesh_mass(h->s->in->mesh, h->held, true, &M, err);
    if (status == CAROM_OK) {
        status = eigen_lowest(out, h->K, M, &options, &why);
        status = status == CAROM_OK ? status : tell_loose(&why, status, err);
    }
    sparse_destroy(M);
    return status;
}

void holding_spread(const holding *h, const eigen_modes *modes, int mode, double *u)
{
    const double *from = modes->vectors + (size_t)mode * (size_t)modes->size;
    for (int f = 0; f < h->s->freedoms; ++f) {
        u[f] = h->rows[f] >= 0 ? from[h->rows[f]] : 0.0;
    }
}
