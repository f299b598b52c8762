/* A connected component with loops: block LDL^T (quasi.h) of the saddle-point matrix itself, with rows that depend on others left out by their
 * pivots. Pivots of independent rows are compared with the compliance w_k of their row. Where all are a good part of
 * it, a substitution is the answer, and rows that were left out are looked at: they hold, unless g is inconsistent. Where some are small, the
 * answer is refined until it is exact to rounding.
 *
 * Where g is inconsistent, or nobody can tell a redundant row from one that is nearly so (next to a singular
 * position), and for the solution of least norm, there is the quasi-definite matrix
 *
 *     K_e = [ A   J^T ]     E = EPSILON * diagonal of J blockdiag(A)^-1 J^T,
 *           [ J   -E  ]
 *
 * which has a factorisation for every symmetric order of elimination [Vanderbei1995], followed by the method of multipliers: solve
 * with K_e for the residual of the true system (E = 0) and add. In terms of S = J A^-1 J^T an iteration multiplies the
 * error of y by P = (S + E)^-1 E, so what redundant rows leave undetermined (the null space of J^T) is never touched:
 * from y = 0 the limit is the solution of least norm, y^T E y. A shift in proportion to each row's own compliance
 * treats rows of metres and of radians alike; one number for all would swamp the stiffer ones. In floating point each
 * solve leaks rounding / EPSILON into the null space; but P, applied until it changes nothing, is the projector onto it
 * (orthogonal with the weights E), and so takes it out again. Its transpose applied to g, E P E^-1 g, finds what no x
 * can satisfy: without it the system is consistent, and x the least-squares answer with weights E^-1. */
#include "linalg/general.h"

#include "linalg/arrow.h"
#include "linalg/block.h"
#include "linalg/quasi.h"
#include "linalg/wide.h"
#include "math/vec3.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Small: three iterations reach rounding. Large: a redundant row's pivot e stands far above rounding. */
static const double EPSILON = 1e-9;
/* Row pivots below this many e may mean redundant rows; a false alarm costs a few solves. */
static const double SUSPICIOUS_PIVOT = 1e5;
/* Go on refining while an iteration takes at least this away. */
static const double WORTHWHILE = 0.7;
/* A backward error so large that it does not tell better from worse. */
static const double SATURATED = 1e-2;
/* A backward error that cannot be improved: sums of some ten products in double precision. */
static const double ROUNDING = 8.0 * DBL_EPSILON;
/* The same for the first answer of a factorisation without shift. */
static const double ROUNDING_EXACT = 512.0 * DBL_EPSILON;
/* Pivots of rows above this part of their compliance lose so few digits that there is nothing to refine. */
static const double FIRM = 1e-5;
/* Part of a row's compliance. Pivots of rows that depend on others are rounding, up to 6e-16 of it in forty four-bars in a row: rows with
 * pivots below this are left out. */
static const double REDUNDANT = 1e-13;
/* Times that: up to here nobody can tell a redundant row from a position that is nearly singular. */
static const double DOUBTFUL = 30.0;
/* A backward error that rounding alone does not leave: g asks for what no x can do. */
static const double INCONSISTENT = 1e-12;
enum { REFINEMENT_LIMIT = 30, PROJECTION_LIMIT = 30, PROJECTION_PASSES = 4 };

struct general {
    const saddle_parts *parts;
    carom_arena arena;
    pattern pattern;
    cholmod_common cm; /* for the order of elimination */
    quasi structure;
    quasi_factor exact;   /* E = 0, redundant rows left out */
    quasi_factor shifted; /* K_e */
    bool is_exact;        /* the present factorisation may be solved with without a shift, */
    bool is_firm;         /* and needs no refinement */
    bool has_shifted;     /* K_e has been factored since numbers were written */
    double *drop;         /* pivots of rows that are left out, likewise */
    bool *is_row;         /* per unknown */
    double *diagonal;     /* of A */

    double *e; /* diagonal of E at rows, 0 at bodies */
    bool maybe_redundant;
    size_t *factor_at;   /* per body: where body_factor has its part */
    double *body_factor; /* per body L (width x width, or as arrow.h has it) and 1/D (width) of its own block */

    double *wanted;     /* right-hand side, without what no x can satisfy */
    double *residual;   /* wanted - K z_next */
    double *bound;      /* |wanted| + |K| |z_next|: what rounding is relative to */
    double *z;          /* x and y in the order of elimination */
    double *z_residual; /* its residual */
    double *z_next;     /* the next candidate for z */
    double *step;       /* in and out of a solve */
    double *probe;      /* a null part */
    double *given;      /* right-hand side as it came */
    double *row;        /* room for a row of one body */
};

static carom_status no_memory(const general *g, carom_error *err)
{
    return saddle_no_memory(&g->parts->layout, err);
}

/* ---- create ---- */

static int width_of(const general *g, int i)
{
    return g->parts->width[g->pattern.bodies[i]];
}

static int head_of(const general *g, int i)
{
    return width_of(g, i) - g->pattern.tail[i];
}

/* Numbers of L of a body's own block. */
static size_t factor_size(const general *g, int i)
{
    return arrow_size(head_of(g, i), g->pattern.tail[i]);
}

/* How many numbers the factors of the bodies need. */
static size_t lay_factors(general *g)
{
    size_t size = 0;
    for (int i = 0; g->factor_at && i < g->pattern.body_count; ++i) {
        g->factor_at[i] = size;
        size += factor_size(g, i) + (size_t)width_of(g, i);
    }
    return size;
}

static bool allocate_vectors(general *g)
{
    int n = g->pattern.unknown_count;
    g->is_row = CAROM_ARENA_ARRAY(&g->arena, bool, n);
    g->diagonal = CAROM_ARENA_ARRAY(&g->arena, double, n);
    g->factor_at = CAROM_ARENA_ARRAY(&g->arena, size_t, g->pattern.body_count);
    g->body_factor = CAROM_ARENA_ARRAY(&g->arena, double, lay_factors(g));
    double **vectors[] = { &g->drop,       &g->e,      &g->wanted, &g->residual, &g->bound, &g->z,
                           &g->z_residual, &g->z_next, &g->step,   &g->probe,    &g->given, &g->row };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = CAROM_ARENA_ARRAY(&g->arena, double, n);
    }
    return !g->arena.failed;
}

static bool allocate_factors(general *g)
{
    return quasi_analyse(&g->structure, &g->arena, &g->pattern) &&
           quasi_allocate(&g->exact, &g->arena, &g->structure) &&
           quasi_allocate(&g->shifted, &g->arena, &g->structure);
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
    cholmod_start(&g->cm);
    g->cm.print = 0;
    carom_status status = pattern_build(&g->pattern, &g->arena, parts, graph, component, &g->cm, err);
    if (status == CAROM_OK && !(allocate_vectors(g) && allocate_factors(g))) {
        status = no_memory(g, err);
    }
    if (status != CAROM_OK) {
        general_destroy(g);
        return status;
    }
    mark_rows(g);
    *out = g;
    return CAROM_OK;
}

void general_destroy(general *g)
{
    if (!g) {
        return;
    }
    cholmod_finish(&g->cm);
    carom_arena_free(&g->arena);
    free(g);
}

/* ---- factor ---- */

/* The first of the columns from `head` on whose number on the diagonal is not positive and finite, or width. */
static int bad_tail(const double *a, int head, int width)
{
    for (int k = head; k < width; ++k) {
        const double d = a[(size_t)k * (size_t)(width + 1)];
        if (!(d > 0.0 && d <= DBL_MAX)) {
            return k;
        }
    }
    return width;
}

/* A = L D L^T; width when A is positive definite, else the first column whose pivot is not. */
static int factor_body(const general *g, int i)
{
    const double *a = g->parts->body[g->pattern.bodies[i]];
    const int width = width_of(g, i);
    const int head = head_of(g, i);
    double *l = g->body_factor + g->factor_at[i];
    double *d_inv = l + factor_size(g, i);
    if (head < width) {
        const int bad = bad_tail(a, head, width);
        const int axis = bad < width ? head : arrow_ldl(l, d_inv, a, head, width - head, BLOCK_PIVOT_FLOOR);
        return axis < head ? axis : bad;
    }
    if (width == BLOCK_WIDTH) {
        return block_factor6(l, d_inv, a);
    }
    memcpy(l, a, factor_size(g, i) * sizeof(double));
    return wide_ldl(l, d_inv, width, BLOCK_PIVOT_FLOOR);
}

/* v^T A^-1 v of a factored body. */
static double inverse_form(const general *g, int i, const double *v)
{
    int width = width_of(g, i);
    const double *l = g->body_factor + g->factor_at[i];
    if (width == BLOCK_WIDTH && g->pattern.tail[i] == 0) {
        return block_inverse_form6(l, l + BLOCK_WIDTH * BLOCK_WIDTH, v);
    }
    const double *d_inv = l + factor_size(g, i);
    memcpy(g->row, v, (size_t)width * sizeof(double));
    return head_of(g, i) < width ? arrow_inverse_form(l, d_inv, g->row, head_of(g, i), g->pattern.tail[i])
                                 : wide_inverse_form(l, d_inv, g->row, width);
}

static carom_status factor_bodies(general *g, int *bad_body, carom_error *err)
{
    for (int i = 0; i < g->pattern.body_count; ++i) {
        int body = g->pattern.bodies[i];
        const double *a = g->parts->body[body];
        int width = width_of(g, i);
        int axis = factor_body(g, i);
        if (axis < width) {
            *bad_body = body;
            return saddle_not_definite(g->parts, body, axis, err);
        }
        const int head = head_of(g, i);
        for (int k = 0; k < head; ++k) {
            g->diagonal[g->pattern.body_at[i] + k] = a[(width + 1) * k];
        }
        for (int k = head; k < width; ++k) {
            g->diagonal[g->pattern.tail_at[i] + k - head] = a[(width + 1) * k];
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
        int body = g->pattern.block_bodies[k][slot];
        sum += inverse_form(g, body, saddle_parts_rows(g->parts, index, slot) + width_of(g, body) * row);
    }
    return sum;
}

static carom_status choose_shift(general *g, carom_error *err)
{
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
            g->e[g->pattern.block_at[k] + i] = compliance > 0.0 ? EPSILON * compliance : 1.0;
            g->drop[g->pattern.block_at[k] + i] = compliance > 0.0 ? REDUNDANT * compliance : 1.0;
        }
    }
    return CAROM_OK;
}

static int body_of_unknown(const pattern *p, const int *widths, int unknown)
{
    for (int i = 0; i < p->body_count; ++i) {
        const int head = widths[p->bodies[i]] - p->tail[i];
        if ((unknown >= p->body_at[i] && unknown < p->body_at[i] + head) ||
            (unknown >= p->tail_at[i] && unknown < p->tail_at[i] + p->tail[i])) {
            return p->bodies[i];
        }
    }
    return -1;
}

/* Bodies must have positive pivots and rows negative ones: anything else means that A was not positive definite. */
static carom_status check_pivots(general *g, const quasi_factor *f, int *bad_body, carom_error *err)
{
    g->maybe_redundant = false;
    g->is_exact = true;
    g->is_firm = true;
    for (int j = 0; j < g->pattern.unknown_count; ++j) {
        double pivot = f->d[j];
        bool out = g->is_row[j] && f->inverse[j] == 0.0;
        bool good = g->is_row[j] ? pivot < 0.0 : pivot > BLOCK_PIVOT_FLOOR * g->diagonal[j];
        if ((!good && !out) || !(fabs(pivot) <= DBL_MAX)) {
            *bad_body = body_of_unknown(&g->pattern, g->parts->width, j);
            return carom_fail(err, CAROM_NOT_CONVERGED,
                              "the matrix of the bodies is not positive definite: pivot %.3g where %s was expected; "
                              "check masses, inertias and the stiffness between bodies",
                              pivot, g->is_row[j] ? "a negative one" : "a positive one");
        }
        g->maybe_redundant |= g->is_row[j] && -pivot < SUSPICIOUS_PIVOT * g->e[j];
        g->is_firm &= !g->is_row[j] || out || -pivot > FIRM / REDUNDANT * g->drop[j];
        g->is_exact &= !g->is_row[j] || (out ? fabs(pivot) < g->drop[j] : -pivot > DOUBTFUL * g->drop[j]);
    }
    return CAROM_OK;
}

static void need_shifted(general *g)
{
    if (!g->has_shifted) {
        quasi_factorise(&g->structure, &g->pattern, g->e, NULL, &g->shifted);
        g->has_shifted = true;
    }
}

carom_status general_factor(general *g, int *bad_body, carom_error *err)
{
    carom_status status = factor_bodies(g, bad_body, err);
    if (status == CAROM_OK) {
        status = choose_shift(g, err);
    }
    if (status != CAROM_OK) {
        return status;
    }
    g->has_shifted = false;
    quasi_factorise(&g->structure, &g->pattern, NULL, g->drop, &g->exact);
    status = check_pivots(g, &g->exact, bad_body, err);
    if (status == CAROM_OK && g->is_exact) {
        return CAROM_OK;
    }
    need_shifted(g);
    *bad_body = -1;
    status = check_pivots(g, &g->shifted, bad_body, err);
    g->is_exact = false;
    return status;
}

/* ---- solve ---- */

/* NaN when there is one. */
static double largest_entry(const general *g, const double *v, bool of_rows)
{
    double largest = 0.0;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        if (g->is_row[i] == of_rows) {
            largest = max_or_nan(largest, fabs(v[i]));
        }
    }
    return largest;
}

/* residual -= T z and bound += |T| |z| for a row of numbers, which stands between unknown a and those from b on. */
BLOCK_INLINE void subtract_row(general *g, const double *row, int a, int b, int width)
{
    const double *z_b = g->z_next + b;
    double *residual_b = g->residual + b;
    double *bound_b = g->bound + b;
    double z_a = g->z_next[a];
    double sum = 0.0;
    double abs_sum = 0.0;
    for (int j = 0; j < width; ++j) {
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
BLOCK_INLINE void subtract_body(general *g, const double *from, int step, int at, int width)
{
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) {
            double product = from[i <= j ? step * i + j : step * j + i] * g->z_next[at + j];
            g->residual[at + i] -= product;
            g->bound[at + i] += fabs(product);
        }
    }
}

static void subtract_diagonal(general *g, const double *from, int step, int at, int width)
{
    for (int i = 0; i < width; ++i) {
        double product = from[(size_t)i * (size_t)(step + 1)] * g->z_next[at + i];
        g->residual[at + i] -= product;
        g->bound[at + i] += fabs(product);
    }
}

/* The number of columns becomes a constant where it is six, so that the loops are unrolled. */
BLOCK_INLINE void subtract_tile(general *g, const tile *t, int width, int step)
{
    bool upright = t->column_step == 1;
    if (t->diagonal) {
        subtract_diagonal(g, t->from, step, t->row, width);
        return;
    }
    if (t->row == t->column) {
        subtract_body(g, t->from, step, t->row, width);
        return;
    }
    int a = upright ? t->row : t->column;
    int b = upright ? t->column : t->row;
    for (int i = 0; i < (upright ? t->row_count : t->column_count); ++i) {
        subtract_row(g, t->from + step * i, a + i, b, width);
    }
}

/* The backward error of z_next: largest |residual| against the terms it is made of, entry by entry, so that units do
 * not matter. Entries that are themselves only rounding of their neighbours are measured against those. NaN when there
 * is one. */
static double backward_error(general *g)
{
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        g->residual[i] = g->wanted[i];
        g->bound[i] = fabs(g->wanted[i]);
    }
    for (int i = 0; i < g->pattern.tile_count; ++i) {
        const tile *t = &g->pattern.tiles[i];
        int width = t->column_step == 1 ? t->column_count : t->row_count;
        int step = t->column_step == 1 ? t->row_step : t->column_step;
        if (t->from && width == BLOCK_WIDTH && step == BLOCK_WIDTH) {
            subtract_tile(g, t, BLOCK_WIDTH, BLOCK_WIDTH);
        } else if (t->from) {
            subtract_tile(g, t, width, step);
        }
    }
    double floor[2] = { 1e-10 * largest_entry(g, g->bound, false), 1e-10 * largest_entry(g, g->bound, true) };
    double worst = 0.0;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        double bound = g->bound[i] + floor[g->is_row[i]];
        if (!(fabs(g->residual[i]) <= worst * bound)) { /* never where the bound is zero: nor is there a residual */
            worst = max_or_nan(worst, fabs(g->residual[i]) / bound);
        }
    }
    return worst;
}

/* part <- P part for P = (S + E)^-1 E; returns the largest change, NaN when there is one. */
static double apply_projector(general *g, double *part)
{
    double *next = g->step;
    double change = 0.0;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        next[i] = -g->e[i] * part[i];
    }
    quasi_solve(&g->structure, &g->shifted, next);
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        if (g->is_row[i]) {
            change = max_or_nan(change, fabs(next[i] - part[i]));
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

/* Rows of v divided by E, or multiplied back. */
static void weigh_rows(const general *g, double *v, bool divide)
{
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        if (g->is_row[i]) {
            v[i] = divide ? v[i] / g->e[i] : v[i] * g->e[i];
        }
    }
}

/* Sum of the squares of J x - g with weights 1/E: each iteration takes from it what P leaves. */
static double row_misfit(const general *g)
{
    double sum = 0.0;
    for (int i = 0; i < g->pattern.unknown_count; ++i) {
        if (g->is_row[i]) {
            sum += g->residual[i] * g->residual[i] / g->e[i];
        }
    }
    return sum;
}

/* z from zero by repeated correction until its residual is at rounding level or stops falling. The backward error alone
 * does not tell: it stays near 1 as long as a row is missed by all it is made of, however fast that becomes less. */
static double refine(general *g, const quasi_factor *f, double rounding)
{
    size_t bytes = (size_t)g->pattern.unknown_count * sizeof(double);
    double best = HUGE_VAL;
    double best_misfit = HUGE_VAL;
    memset(g->z, 0, bytes);
    memcpy(g->residual, g->wanted, bytes);
    for (int k = 0; k < REFINEMENT_LIMIT; ++k) {
        memcpy(g->step, g->residual, bytes);
        quasi_solve(&g->structure, f, g->step);
        for (int i = 0; i < g->pattern.unknown_count; ++i) {
            g->z_next[i] = g->z[i] + g->step[i];
        }
        double now = backward_error(g);
        double misfit = now < SATURATED ? 0.0 : row_misfit(g);
        bool worthwhile = now < WORTHWHILE * best || misfit < WORTHWHILE * WORTHWHILE * best_misfit;
        if (k == 0 || now < best || worthwhile) {
            memcpy(g->z, g->z_next, bytes);
            memcpy(g->z_residual, g->residual, bytes);
            best = now;
            best_misfit = misfit;
        }
        if (!worthwhile || now <= rounding) {
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
        const double *from = x + g->parts->column[p->bodies[i]];
        memcpy(g->wanted + p->body_at[i], from, (size_t)head_of(g, i) * sizeof(double));
        if (p->tail[i] > 0) {
            memcpy(g->wanted + p->tail_at[i], from + head_of(g, i), (size_t)p->tail[i] * sizeof(double));
        }
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
        double *to = x + g->parts->column[p->bodies[i]];
        memcpy(to, g->z + p->body_at[i], (size_t)head_of(g, i) * sizeof(double));
        if (p->tail[i] > 0) {
            memcpy(to + head_of(g, i), g->z + p->tail_at[i], (size_t)p->tail[i] * sizeof(double));
        }
    }
    for (int k = 0; k < p->block_count; ++k) {
        const saddle_block *block = &g->parts->layout.blocks[p->blocks[k]];
        memcpy(y + block->first_row, g->z + p->block_at[k], (size_t)block->row_count * sizeof(double));
    }
}

void general_least_norm(general *g, double *y)
{
    const pattern *p = &g->pattern;
    if (!g->maybe_redundant) {
        return;
    }
    need_shifted(g);
    memset(g->z, 0, (size_t)p->unknown_count * sizeof(double));
    for (int k = 0; k < p->block_count; ++k) {
        const saddle_block *block = &g->parts->layout.blocks[p->blocks[k]];
        memcpy(g->z + p->block_at[k], y + block->first_row, (size_t)block->row_count * sizeof(double));
    }
    remove_null_part(g, g->z);
    for (int k = 0; k < p->block_count; ++k) {
        const saddle_block *block = &g->parts->layout.blocks[p->blocks[k]];
        memcpy(y + block->first_row, g->z + p->block_at[k], (size_t)block->row_count * sizeof(double));
    }
}

/* What is left of an equation of a row: residual, against the terms it is made of. */
static double row_error(general *g, int k, int row)
{
    const saddle_block *block = &g->parts->layout.blocks[g->pattern.blocks[k]];
    const int at = g->pattern.block_at[k] + row;
    double residual = g->wanted[at];
    double bound = fabs(residual);
    for (int slot = 0; slot < block->body_count; ++slot) {
        const int body = g->pattern.block_bodies[k][slot];
        const int width = width_of(g, body);
        const int head = head_of(g, body);
        const double *J = saddle_parts_rows(g->parts, g->pattern.blocks[k], slot) + width * row;
        const double *z = g->z + g->pattern.body_at[body];
        const double *z_tail = g->z + g->pattern.tail_at[body];
        for (int i = 0; i < width; ++i) {
            double term = J[i] * (i < head ? z[i] : z_tail[i - head]);
            residual -= term;
            bound += fabs(term);
        }
    }
    g->z_residual[at] = residual;
    return bound > 0.0 ? fabs(residual) / bound : fabs(residual);
}

/* One substitution, and a look at rows that were left out: whether they hold. */
static bool solve_firmly(general *g)
{
    const size_t bytes = (size_t)g->pattern.unknown_count * sizeof(double);
    double worst = 0.0;
    memcpy(g->z, g->wanted, bytes);
    memset(g->z_residual, 0, bytes);
    quasi_solve(&g->structure, &g->exact, g->z);
    for (int k = 0; k < g->pattern.block_count; ++k) {
        for (int i = 0; i < g->parts->layout.blocks[g->pattern.blocks[k]].row_count; ++i) {
            if (g->exact.inverse[g->pattern.block_at[k] + i] == 0.0) {
                worst = max_or_nan(worst, row_error(g, k, i));
            }
        }
    }
    return worst < INCONSISTENT;
}

double general_solve(general *g, double *x, double *y)
{
    int n = g->pattern.unknown_count;
    gather(g, x, y);
    if (g->is_firm && g->is_exact && solve_firmly(g)) {
        scatter(g, x, y);
        return largest_entry(g, g->z_residual, true);
    }
    memcpy(g->given, g->wanted, (size_t)n * sizeof(double));
    double error = g->is_exact ? refine(g, &g->exact, ROUNDING_EXACT) : HUGE_VAL;
    if (!(error < INCONSISTENT)) {
        need_shifted(g);
        error = refine(g, &g->shifted, ROUNDING);
    }
    if (g->maybe_redundant && !(error < INCONSISTENT)) {
        weigh_rows(g, g->wanted, true);
        remove_null_part(g, g->wanted);
        weigh_rows(g, g->wanted, false);
        refine(g, &g->shifted, ROUNDING);
    }
    scatter(g, x, y);
    for (int i = 0; i < n; ++i) {
        g->z_residual[i] += g->given[i] - g->wanted[i];
    }
    return largest_entry(g, g->z_residual, true);
}
