/* Samplings: what run i varies. Each is a function of the study, the run and the variable's name or place. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

#include "study/random.h"
#include "study/sobol.h"

enum { RUNS_MOST = 10000000 };

/* What draws are for, so that two purposes never share one. */
enum { DRAW_RANDOM = 1, DRAW_STRATUM, DRAW_INSIDE, DRAW_SCRAMBLE, DRAW_START };

static carom_status too_many(double runs, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "%.3g runs are more than the %d of one study; divide it", runs,
                      RUNS_MOST);
}

/* ---- grid --------------------------------------------------------------------------------------------------------- */

static size_t grid_points(const vary_def *v)
{
    return v->levels.count ? v->levels.count : (size_t)v->points;
}

static double grid_value(const vary_def *v, size_t i)
{
    if (v->levels.count) {
        return v->levels.data[i];
    }
    double low, high;
    vary_bounds(v, &low, &high);
    double part = v->points > 1 ? (double)i / (v->points - 1) : 0.5;
    return i + 1 == (size_t)v->points && v->points > 1 ? high : low + part * (high - low);
}

static carom_status prepare_grid(carom_study *s, carom_error *err)
{
    double runs = 1.0;
    for (size_t i = 0; i < s->variable_count; ++i) {
        const vary_def *v = &s->variables[i];
        if (grid_points(v) == 0) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "a grid needs numbers for '%.100s': give it 'levels', or 'uniform' with 'points'",
                              v->path);
        }
        runs *= (double)grid_points(v);
    }
    s->run_count = runs <= RUNS_MOST ? (size_t)runs : 0;
    return runs <= RUNS_MOST ? CAROM_OK : too_many(runs, err);
}

/* The last variable changes fastest. */
static void grid_inputs(const carom_study *s, size_t run, double *out)
{
    for (size_t i = s->variable_count; i-- > 0;) {
        size_t n = grid_points(&s->variables[i]);
        out[i] = grid_value(&s->variables[i], run % n);
        run /= n;
    }
}

/* ---- Latin hypercube ---------------------------------------------------------------------------------------------- */

/* A permutation of the strata for each variable, by exchanges from the end. */
static carom_status prepare_latin(carom_study *s, carom_error *err)
{
    size_t n = s->run_count;
    s->strata = CAROM_ARENA_ARRAY(&s->arena, uint32_t, n * s->variable_count + 1);
    if (!s->strata) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for %zu runs", n);
    }
    for (size_t i = 0; i < s->variable_count; ++i) {
        uint32_t *strata = s->strata + i * n;
        uint64_t name = draw_name(s->variables[i].path, DRAW_STRATUM);
        for (size_t k = 0; k < n; ++k) {
            strata[k] = (uint32_t)k;
        }
        for (size_t k = n; k-- > 1;) {
            size_t other = (size_t)draw_below((draw){ (uint64_t)s->sampled.seed, k, name }, k + 1);
            uint32_t kept = strata[k];
            strata[k] = strata[other];
            strata[other] = kept;
        }
    }
    return CAROM_OK;
}

/* ---- numbers between 0 and 1 -------------------------------------------------------------------------------------- */

static double random_share(const carom_study *s, const char *path, uint64_t of, uint64_t purpose)
{
    return draw_uniform((draw){ (uint64_t)s->sampled.seed, of, draw_name(path, purpose) });
}

static double latin_share(const carom_study *s, size_t run, size_t i)
{
    double inside = random_share(s, s->variables[i].path, run, DRAW_INSIDE);
    return (s->strata[i * s->run_count + run] + inside) / (double)s->run_count;
}

/* Within (0, 1): the middle of the cell of 2^-32. */
static double sobol_share(const carom_study *s, uint32_t point, size_t dimension, const char *path,
                          uint64_t scrambling)
{
    uint32_t x = sobol_point(point, (int)dimension);
    if (s->sampled.scrambled) {
        x = sobol_scramble(x, (uint64_t)s->sampled.seed, draw_name(path, DRAW_SCRAMBLE + (scrambling << 8)));
    }
    return ((double)x + 0.5) * 0x1p-32;
}

/* ---- indices: Saltelli's points ----------------------------------------------------------------------------------- */

void sample_group(const carom_study *s, size_t run, size_t *base, size_t *which)
{
    *base = run / (s->variable_count + 2);
    *which = run % (s->variable_count + 2);
}

/* A and B are the two halves of a Sobol' point of twice as many dimensions, or independent draws where those are too many. */
static double indices_share(const carom_study *s, size_t run, size_t i)
{
    size_t base, which;
    sample_group(s, run, &base, &which);
    bool second = which == 1 || which == 2 + i;
    size_t k = s->variable_count;
    if (2 * k <= SOBOL_DIMENSIONS) {
        return sobol_share(s, (uint32_t)base, second ? k + i : i, s->variables[i].path, second);
    }
    return random_share(s, s->variables[i].path, 2 * base + second, DRAW_RANDOM);
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

/* The first start is in the middle, the others are spread evenly. */
void sample_start(const carom_study *s, size_t start, double *shares)
{
    for (size_t i = 0; i < s->variable_count; ++i) {
        const char *path = s->variables[i].path;
        shares[i] = start == 0                              ? 0.5
                    : s->variable_count <= SOBOL_DIMENSIONS ? sobol_share(s, (uint32_t)(start - 1), i, path, 0)
                                                            : random_share(s, path, start, DRAW_START);
    }
}

size_t sample_group_size(const carom_study *s)
{
    return s->sampling == SAMPLING_INDICES    ? s->variable_count + 2
           : s->sampling == SAMPLING_MINIMIZE ? (size_t)s->sampled.starts
                                              : 1;
}

bool sample_depends(const carom_study *s)
{
    return s->sampling == SAMPLING_MINIMIZE;
}

bool sample_extends(const carom_study *s)
{
    return s->sampling != SAMPLING_GRID && s->sampling != SAMPLING_LATIN;
}

static carom_status check_sobol(const carom_study *s, carom_error *err)
{
    if (s->variable_count > SOBOL_DIMENSIONS) {
        return carom_fail(err, CAROM_BAD_INPUT, "Sobol' points have at most %d variables, not %zu; use 'random'",
                          SOBOL_DIMENSIONS, s->variable_count);
    }
    return CAROM_OK;
}

carom_status sample_prepare(carom_study *s, carom_error *err)
{
    double runs = s->sampled.runs;
    switch (s->sampling) {
    case SAMPLING_GRID:
        return prepare_grid(s, err);
    case SAMPLING_LIST:
        s->run_count = s->list_rows;
        return s->list_rows <= RUNS_MOST ? CAROM_OK : too_many((double)s->list_rows, err);
    case SAMPLING_INDICES:
        runs *= (double)s->variable_count + 2.0;
        break;
    case SAMPLING_MINIMIZE:
        runs *= (double)s->sampled.starts;
        break;
    default:
        break;
    }
    if (runs > RUNS_MOST) {
        return too_many(runs, err);
    }
    s->run_count = (size_t)runs;
    if (s->sampling == SAMPLING_LATIN) {
        return prepare_latin(s, err);
    }
    if (s->sampling == SAMPLING_MINIMIZE) {
        return search_prepare(s, err);
    }
    return s->sampling == SAMPLING_SOBOL ? check_sobol(s, err) : CAROM_OK;
}

void sample_inputs(const carom_study *s, size_t run, double *out)
{
    if (s->sampling == SAMPLING_GRID) {
        grid_inputs(s, run, out);
        return;
    }
    for (size_t i = 0; i < s->variable_count; ++i) {
        const vary_def *v = &s->variables[i];
        size_t several = (size_t)s->sampled.scramblings;
        switch (s->sampling) {
        case SAMPLING_LIST:
            out[i] = s->list[run * s->variable_count + i];
            break;
        case SAMPLING_LATIN:
            out[i] = vary_quantile(v, latin_share(s, run, i));
            break;
        case SAMPLING_SOBOL:
            out[i] = vary_quantile(v, sobol_share(s, (uint32_t)(run / several), i, v->path, run % several));
            break;
        case SAMPLING_INDICES:
            out[i] = vary_quantile(v, indices_share(s, run, i));
            break;
        case SAMPLING_MINIMIZE:
            out[i] = s->rows && s->rows[run] ? s->rows[run]->inputs[i] : (double)NAN;
            break;
        default:
            out[i] = vary_quantile(v, random_share(s, v->path, run, DRAW_RANDOM));
        }
    }
}
