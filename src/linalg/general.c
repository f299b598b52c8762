/* A connected component with loops: CHOLMOD's simplicial LDL^T of the quasi-definite matrix
 *
 *     K_e = [ A   J^T ]     e = EPSILON * largest diagonal entry of J blockdiag(A)^-1 J^T,
 *           [ J  -e I ]
 *
 * which exists for every symmetric order of elimination [Vanderbei1995], followed by the method of multipliers: solve
 * with K_e for the residual of the true system (e = 0) and add. In terms of S = J A^-1 J^T an iteration multiplies the
 * error of y by P = e (S + e)^-1, so what redundant rows leave undetermined (the null space of J^T) is never touched:
 * from y = 0 the limit is the solution of least Euclidean norm. In floating point each solve leaks rounding / e into
 * that null space; but P, applied until it changes nothing, is the projector onto it, and so takes it out again.
 * Applied to g it finds what no x can satisfy: without it the system is consistent, and x the least-squares answer. */
#include "linalg/general.h"

#include "linalg/block.h"
#include "linalg/pattern.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Small: two or three iterations reach rounding. Large: a redundant row's pivot e stands far above rounding. */
static const double EPSILON = 1e-10;
/* Row pivots below this many e may mean redundant rows; a false alarm costs a few solves. */
static const double SUSPICIOUS_PIVOT = 1e5;
/* Go on refining while an iteration takes at least this away. */
static const double WORTHWHILE = 0.7;
/* A backward error that rounding alone does not leave: g asks for what no x can do. */
static const double INCONSISTENT = 1e-12;
enum { REFINEMENT_LIMIT = 30, PROJECTION_LIMIT = 30, PROJECTION_PASSES = 4 };

struct general {
    const saddle_parts *parts;
    carom_arena arena;
    pattern pattern;
    bool *is_row; /* per unknown                                                */
    double *diagonal;

    double e;
    bool maybe_redundant;
    double *body_factor; /* per body L (36) and 1/D (6) of its own block        */

    double *wanted;   /* right-hand side, without what no x can satisfy         */
    double *residual; /* wanted - K z_next                                      */
    double *bound;    /* |wanted| + |K| |z_next|: what rounding is relative to       */
    double *z;        /* x and y in the order of elimination                    */
    double *z_residual; /* its residual                                         */
    double *z_next;     /* the next candidate for z                             */
    double *probe;
    double *given; /* right-hand side as it came                                */

    cholmod_common cm;
    cholmod_sparse *matrix; /* upper triangle of K_e in the order of elimination */
    cholmod_factor *factor;
    cholmod_dense *b; /* in and out of CHOLMOD, and its work space              */
    cholmod_dense *solution;
    cholmod_dense *work_y;
    cholmod_dense *work_e;
};

static carom_status no_memory(const general *g, carom_error *err)
{
    return saddle_no_memory(&g->parts->layout, err);
}

/* ---- create ---- */

static void start_cholmod(cholmod_common *cm)
{
    cholmod_start(cm);
    cm->print = 0;
    cm->supernodal = CHOLMOD_SIMPLICIAL; /* the supernodal part is GPL, and threaded BLAS would not be reproducible */
    cm->final_ll = 0;
    cm->nmethods = 1;
    cm->method[0].ordering = CHOLMOD_NATURAL; /* pattern.c ordered it */
    cm->postorder = 0;
}

static size_t tile_entries(const tile *t)
{
    if (t->row != t->column) {
        return (size_t)t->row_count * (size_t)t->column_count;
    }
    return (size_t)(t->from ? t->column_count * (t->column_count + 1) / 2 : t->column_count);
}

static bool allocate_matrix(general *g)
{
    const pattern *p = &g->pattern;
    size_t n = (size_t)p->unknown_count;
    size_t entries = 0;
    for (int i = 0; i < p->tile_count; ++i) {
        entries += tile_entries(&p->tiles[i]);
    }
    if (entries > INT_MAX) {
        return false;
    }
    g->matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, 1, CHOLMOD_REAL, &g->cm);
    g->b = cholmod_zeros(n, 1, CHOLMOD_REAL, &g->cm);
    return g->matrix && g->b;
}

/* Rows of tile t that column j (of the tile) holds: from *first, as many as returned. */
static int tile_column(const tile *t, int j, int *first)
{
    *first = t->row != t->column || t->from ? 0 : j;
    return t->row != t->column ? t->row_count : j + 1 - *first;
}

/* Tiles of one column of tiles stand side by side; this finds the end of the run that starts at i. */
static int run_end(const pattern *p, int i)
{
    int end = i;
    while (end < p->tile_count && p->tiles[end].column == p->tiles[i].column) {
        ++end;
    }
    return end;
}

static void lay_columns(general *g)
{
    const pattern *p = &g->pattern;
    int *start = g->matrix->p;
    int *row = g->matrix->i;
    int at = 0;
    for (int i = 0, end; i < p->tile_count; i = end) {
        end = run_end(p, i);
        for (int j = 0; j < p->tiles[i].column_count; ++j) {
            start[p->tiles[i].column + j] = at;
            for (int t = i; t < end; ++t) {
                int first;
                int count = tile_column(&p->tiles[t], j, &first);
                for (int k = 0; k < count; ++k) {
                    row[at++] = p->tiles[t].row + first + k;
                }
            }
        }
    }
    start[p->unknown_count] = at;
}

static bool allocate_vectors(general *g)
{
    int n = g->pattern.unknown_count;
    g->is_row = CAROM_ARENA_ARRAY(&g->arena, bool, n);
    g->diagonal = CAROM_ARENA_ARRAY(&g->arena, double, n);
    g->body_factor = CAROM_ARENA_ARRAY(&g->arena, double, 42 * (size_t)g->pattern.body_count);
    double **vectors[] = { &g->wanted, &g->residual, &g->bound, &g->z,
                            &g->z_residual, &g->z_next, &g->probe, &g->given };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = CAROM_ARENA_ARRAY(&g->arena, double, n);
    }
    return !g->arena.failed;
}

static void mark_rows(general *g)
{
    for (int k = 0; k < g->pattern.block_count; ++k) {
        int rows = g->parts->layout.blocks[g->pattern.blocks[k]].row_count;
        memset(g->is_row + g->pattern.block_at[k], true, (size_t)rows);
    }
}

carom_status general_create(general **out, const saddle_parts *parts, const saddle_graph *graph, int component,
                            carom_error *err)
{
    *out = NULL;
    general *g = calloc(1, sizeof *g);
    if (!g) {
        return saddle_no_memory(&parts->layout, err);
    }
    g->parts = parts;
    start_cholmod(&g->cm);
    carom_status status = pattern_build(&g->pattern, &g->arena, parts, graph, component, &g->cm, err);
    if (status == CAROM_OK && (!allocate_matrix(g) || !allocate_vectors(g))) {
        status = no_memory(g, err);
    }
    if (status == CAROM_OK) {
        mark_rows(g);
        lay_columns(g);
        g->factor = cholmod_analyze(g->matrix, &g->cm);
        status = g->factor ? CAROM_OK : no_memory(g, err);
    }
    if (status != CAROM_OK) {
        general_destroy(g);
        return status;
    }
    *out = g;
    return CAROM_OK;
}

void general_destroy(general *g)
{
    if (!g) {
        return;
    }
    cholmod_free_dense(&g->b, &g->cm);
    cholmod_free_dense(&g->solution, &g->cm);
    cholmod_free_dense(&g->work_y, &g->cm);
    cholmod_free_dense(&g->work_e, &g->cm);
    cholmod_free_factor(&g->factor, &g->cm);
    cholmod_free_sparse(&g->matrix, &g->cm);
    cholmod_finish(&g->cm);
    carom_arena_free(&g->arena);
    free(g);
}

/* ---- factor ---- */

static carom_status factor_bodies(general *g, carom_error *err)
{
    for (int i = 0; i < g->pattern.body_count; ++i) {
        int body = g->pattern.bodies[i];
        const double *a = g->parts->body[body];
        double *l = g->body_factor + 42 * (size_t)i;
        int axis = block_factor6(l, l + 36, a);
        if (axis < 6) {
            return carom_fail(err, CAROM_NOT_CONVERGED,
                              "the matrix of body %d is not positive definite (axis %d, diagonal entry %.3g); check "
                              "its mass and inertia",
                              body, axis, a[7 * axis]);
        }
        for (int k = 0; k < 6; ++k) {
            g->diagonal[g->pattern.body_at[i] + k] = a[7 * k];
        }
    }
    return CAROM_OK;
}

/* J_k blockdiag(A)^-1 J_k^T. */
static double row_compliance(const general *g, int k, int row)
{
    int index = g->pattern.blocks[k];
    double sum = 0.0;
    for (int slot = 0; slot < g->parts->layout.blocks[index].body_count; ++slot) {
        const double *l = g->body_factor + 42 * (size_t)g->pattern.block_bodies[k][slot];
        sum += block_inverse_form6(l, l + 36, saddle_parts_rows(g->parts, index, slot) + 6 * row);
    }
    return sum;
}

static carom_status choose_shift(general *g, carom_error *err)
{
    double largest = 0.0;
    for (int k = 0; k < g->pattern.block_count; ++k) {
        int index = g->pattern.blocks[k];
        const saddle_block *block = &g->parts->layout.blocks[index];
        for (int i = 0; i < block->row_count; ++i) {
            double compliance = row_compliance(g, k, i);
            if (!(compliance <= DBL_MAX)) {
                return carom_fail(err, CAROM_NOT_CONVERGED,
                                  "row %d (block %d) of the constraints holds a number that is not finite",
                                  block->first_row + i, index);
            }
            largest = compliance > largest ? compliance : largest;
        }
    }
    g->e = largest > 0.0 ? EPSILON * largest : 1.0;
    return CAROM_OK;
}

/* Column j of a tile, written to value; returns the place after it. */
static double *fill_column(double *value, const tile *t, int j, double e)
{
    if (!t->from) {
        *value = -e;
        return value + 1;
    }
    int first;
    int count = tile_column(t, j, &first);
    const double *from = t->from + j * t->column_step;
    for (int k = 0; k < count; ++k) {
        value[k] = from[k * t->row_step];
    }
    return value + count;
}

static void fill_matrix(general *g)
{
    const pattern *p = &g->pattern;
    double *value = g->matrix->x;
    for (int i = 0, end; i < p->tile_count; i = end) {
        end = run_end(p, i);
        for (int j = 0; j < p->tiles[i].column_count; ++j) {
            for (int t = i; t < end; ++t) {
                value = fill_column(value, &p->tiles[t], j, g->e);
            }
        }
    }
}

/* Bodies must have positive pivots and rows negative ones: anything else means that A was not positive definite. */
static carom_status check_pivots(general *g, carom_error *err)
{
    const int *start = g->factor->p;
    const double *value = g->factor->x;
    g->maybe_redundant = false;
    for (int j = 0; j < g->pattern.unknown_count; ++j) {
        double pivot = (size_t)j < g->factor->minor ? value[start[j]] : (double)NAN;
        bool good = g->is_row[j] ? pivot < 0.0 : pivot > BLOCK_PIVOT_FLOOR * g->diagonal[j];
        if (!good || !(fabs(pivot) <= DBL_MAX)) {
            return carom_fail(err, CAROM_NOT_CONVERGED,
                              "the matrix of the bodies is not positive definite: pivot %.3g where %s was expected; "
                              "check masses, inertias and the stiffness between bodies",
                              pivot, g->is_row[j] ? "a negative one" : "a positive one");
        }
        g->maybe_redundant |= g->is_row[j] && -pivot < SUSPICIOUS_PIVOT * g->e;
    }
    return CAROM_OK;
}

static bool solve_shifted(general *g)
{
    return cholmod_solve2(CHOLMOD_A, g->factor, g->b, NULL, &g->solution, NULL, &g->work_y, &g->work_e, &g->cm);
}

carom_status general_factor(general *g, carom_error *err)
{
    carom_status status = factor_bodies(g, err);
    if (status == CAROM_OK) {
        status = choose_shift(g, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    fill_matrix(g);
    cholmod_factorize(g->matrix, g->factor, &g->cm);
    if (g->cm.status == CHOLMOD_OUT_OF_MEMORY || g->cm.status == CHOLMOD_TOO_LARGE) {
        return no_memory(g, err);
    }
    status = check_pivots(g, err);
    if (status == CAROM_OK && !g->solution && !solve_shifted(g)) { /* solves must not allocate: they cannot fail */
        return no_memory(g, err);
    }
    return status;
}

/* ---- solve ---- */

/* NaN when there is one. */
static double largest_entry(const general *g, const double *v, bool of_rows)
{
    double largest = 0.0;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        if (g->is_row[i] == of_rows && !(fabs(v[i]) <= largest) && !isnan(largest)) {
            largest = fabs(v[i]);
        }
    }
    return largest;
}

/* residual -= T z and bound += |T| |z| for a row of six numbers, which stands between unknown a and six from b on. */
static void subtract_row(general *g, const double *row, int a, int b)
{
    const double *z_b = g->z_next + b;
    double *residual_b = g->residual + b;
    double *bound_b = g->bound + b;
    double z_a = g->z_next[a];
    double sum = 0.0;
    double abs_sum = 0.0;
    for (int j = 0; j < 6; ++j) {
        double there = row[j] * z_b[j];
        double back = row[j] * z_a;
        sum += there;
        abs_sum += fabs(there);
        residual_b[j] -= back;
        bound_b[j] += fabs(back);
    }
    g->residual[a] -= sum;
    g->bound[a] += abs_sum;
}

/* The same for a body's own block, of which the upper triangle counts. */
static void subtract_body(general *g, const double *from, int at)
{
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double product = from[i <= j ? 6 * i + j : 6 * j + i] * g->z_next[at + j];
            g->residual[at + i] -= product;
            g->bound[at + i] += fabs(product);
        }
    }
}

static void subtract_tile(general *g, const tile *t)
{
    if (t->row == t->column) {
        subtract_body(g, t->from, t->row);
        return;
    }
    bool upright = t->column_step == 1;
    int a = upright ? t->row : t->column;
    int b = upright ? t->column : t->row;
    for (int i = 0; i < (upright ? t->row_count : t->column_count); ++i) {
        subtract_row(g, t->from + 6 * i, a + i, b);
    }
}

/* The backward error of z_next: largest |residual| against the terms it is made of, entry by entry, so that units do
 * not matter. Entries that are themselves only rounding of their neighbours are measured against those. */
static double backward_error(general *g)
{
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        g->residual[i] = g->wanted[i];
        g->bound[i] = fabs(g->wanted[i]);
    }
    for (int i = 0; i < g->pattern.tile_count; ++i) {
        if (g->pattern.tiles[i].from) {
            subtract_tile(g, &g->pattern.tiles[i]);
        }
    }
    double floor[2] = { 1e-10 * largest_entry(g, g->bound, false), 1e-10 * largest_entry(g, g->bound, true) };
    double worst = 0.0;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        double bound = g->bound[i] + floor[g->is_row[i]];
        if (bound > 0.0 && !(fabs(g->residual[i]) <= worst * bound)) {
            worst = fabs(g->residual[i]) / bound;
        }
    }
    return worst;
}

/* part <- P part for P = e (S + e)^-1; returns the largest change. */
static double apply_projector(general *g, double *part)
{
    double *b = g->b->x;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        b[i] = -g->e * part[i];
    }
    solve_shifted(g);
    const double *next = g->solution->x;
    double change = 0.0;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        if (g->is_row[i]) {
            change = fmax(change, fabs(next[i] - part[i]));
            part[i] = next[i];
        }
    }
    return change;
}

/* The part of v (rows only) in the null space of J^T: P again and again until the rest of v is gone. Rounding makes P
 * move the null space itself by rounding / EPSILON, so the change never vanishes: stop when it no longer falls. */
static void null_part(general *g, const double *v, double *part)
{
    double negligible = 4.0 * DBL_EPSILON * largest_entry(g, v, true);
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        part[i] = g->is_row[i] ? v[i] : 0.0;
    }
    double before = HUGE_VAL;
    for (int k = 0; k < PROJECTION_LIMIT; ++k) {
        double change = apply_projector(g, part);
        if (!(change > negligible && change < WORTHWHILE * before)) {
            return;
        }
        before = change;
    }
}

static void add(double *v, double factor, const double *part, int n)
{
    for (int i = 0; i < n; ++i) {
        v[i] += factor * part[i];
    }
}

/* Takes the null space of J^T out of v. A pass leaves about rounding / EPSILON of what it found. */
static void remove_null_part(general *g, double *v)
{
    for (int k = 0; k < PROJECTION_PASSES; ++k) {
        null_part(g, v, g->probe);
        add(v, -1.0, g->probe, g->pattern.unknown_count);
        if (!(largest_entry(g, g->probe, true) > EPSILON * largest_entry(g, v, true))) {
            return;
        }
    }
}

/* z from zero by repeated correction until its residual is at rounding level or stops falling. */
static double refine(general *g)
{
    size_t bytes = (size_t)g->pattern.unknown_count * sizeof(double);
    double best = HUGE_VAL;
    memset(g->z, 0, bytes);
    memcpy(g->residual, g->wanted, bytes);
    for (int k = 0; k < REFINEMENT_LIMIT; ++k) {
        memcpy(g->b->x, g->residual, bytes);
        solve_shifted(g);
        const double *step = g->solution->x;
        for (int i = 0; i < g->pattern.unknown_count; ++i) {
            g->z_next[i] = g->z[i] + step[i];
        }
        double now = backward_error(g);
        bool worthwhile = now < WORTHWHILE * best;
        if (k == 0 || now < best) {
            memcpy(g->z, g->z_next, bytes);
            memcpy(g->z_residual, g->residual, bytes);
            best = now;
        }
        if (!worthwhile || now <= 2.0 * DBL_EPSILON) {
            break;
        }
    }
    return best;
}

/* Copies between the caller's numbering and the order of elimination. */
static void gather(general *g, const double *x, const double *y)
{
    const pattern *p = &g->pattern;
    for (int i = 0; i < p->body_count; ++i) {
        memcpy(g->wanted + p->body_at[i], x + 6 * (size_t)p->bodies[i], 6 * sizeof(double));
    }
    for (int k = 0; k < p->block_count; ++k) {
        const saddle_block *block = &g->parts->layout.blocks[p->blocks[k]];
        memcpy(g->wanted + p->block_at[k], y + block->first_row, (size_t)block->row_count * sizeof(double));
    }
}

static void scatter(const general *g, double *x, double *y)
{
    const pattern *p = &g->pattern;
    for (int i = 0; i < p->body_count; ++i) {
        memcpy(x + 6 * (size_t)p->bodies[i], g->z + p->body_at[i], 6 * sizeof(double));
    }
    for (int k = 0; k < p->block_count; ++k) {
        const saddle_block *block = &g->parts->layout.blocks[p->blocks[k]];
        memcpy(y + block->first_row, g->z + p->block_at[k], (size_t)block->row_count * sizeof(double));
    }
}

double general_solve(general *g, double *x, double *y)
{
    int n = g->pattern.unknown_count;
    gather(g, x, y);
    memcpy(g->given, g->wanted, (size_t)n * sizeof(double));
    double error = refine(g);
    if (g->maybe_redundant && !(error < INCONSISTENT)) {
        remove_null_part(g, g->wanted);
        refine(g);
    }
    if (g->maybe_redundant) {
        remove_null_part(g, g->z);
    }
    scatter(g, x, y);
    for (int i = 0; i < n; ++i) {
        g->z_residual[i] += g->given[i] - g->wanted[i];
    }
    return largest_entry(g, g->z_residual, true);
}
