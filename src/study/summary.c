/* What a study comes to, in lines for people. Every line says how many rows it rests on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/statistics.h"
#include "study/study.h"

/* Columns of the good rows. */
typedef struct columns {
    const carom_study *study;
    size_t needed;  /* rows that there are in the end */
    size_t count;   /* good rows */
    size_t missing; /* rows of this study that are not there, failed, doubtful, ...: nobody knows */
    size_t *runs;
    double *x, *y; /* room for two columns */
} columns;

static bool columns_begin(columns *c, const carom_study *s)
{
    *c = (columns){ .study = s };
    c->runs = calloc(s->run_count + 1, sizeof *c->runs);
    c->x = calloc(s->run_count + 1, sizeof *c->x);
    c->y = calloc(s->run_count + 1, sizeof *c->y);
    for (size_t i = 0; c->runs && i < s->run_count; ++i) {
        if (s->rows[i] && s->rows[i]->status == CAROM_ROW_DONE) {
            c->runs[c->count++] = i;
        }
    }
    for (size_t i = 0; i < s->run_count; ++i) {
        c->needed += carom_study_needs(s, i);
    }
    c->missing = c->needed - c->count;
    return c->runs && c->x && c->y;
}

static void columns_end(columns *c)
{
    free(c->runs);
    free(c->x);
    free(c->y);
}

static double value_at(const columns *c, size_t m, size_t k)
{
    return c->study->rows[c->runs[k]]->values[m];
}

/* ---- how rows went ------------------------------------------------------------------------------------------------ */

static const char *first_reason(const carom_study *s, carom_row_status status)
{
    for (size_t i = 0; i < s->run_count; ++i) {
        if (s->rows[i] && s->rows[i]->status == status) {
            return s->rows[i]->reason;
        }
    }
    return "";
}

enum { MOST_OF_REASON = 100 }; /* bytes */

/* Where a long reason is cut: at a blank, so that no number loses its exponent. */
static int last_blank(const char *why)
{
    int end = MOST_OF_REASON;
    while (end > 0 && why[end] != ' ') {
        --end;
    }
    return end > 0 ? end : MOST_OF_REASON;
}

static void add_counts(const columns *c, carom_text *out)
{
    const carom_study *s = c->study;
    size_t rows[CAROM_ROW_STATUSES] = { 0 };
    for (size_t i = 0; i < s->run_count; ++i) {
        rows[s->rows[i] ? s->rows[i]->status : CAROM_ROW_MISSING] += carom_study_needs(s, i);
    }
    carom_text_add(out, "%s: %zu runs, %zu good", rows[CAROM_ROW_MISSING] ? "so far" : "done", c->needed, c->count);
    for (int k = 0; k < CAROM_ROW_STATUSES; ++k) {
        if (k != CAROM_ROW_DONE && rows[k] > 0) {
            const char *why = first_reason(s, (carom_row_status)k);
            bool whole = strlen(why) <= MOST_OF_REASON;
            carom_text_add(out, ", %zu %s%s%.*s%s%s", rows[k], carom_row_status_name((carom_row_status)k),
                           why[0] ? " (" : "", whole ? MOST_OF_REASON : last_blank(why), why, whole ? "" : " ...",
                           why[0] ? ")" : "");
        }
    }
    carom_text_add(out, "\n");
    if (s->torn > 0) {
        carom_text_add(out, "  %zu torn %s of journals left out; these runs were done again\n", s->torn,
                       s->torn == 1 ? "line" : "lines");
    }
}

/* ---- measures ----------------------------------------------------------------------------------------------------- */

/* Means of the scramblings of a Sobol' study; their number, 0: there are not enough rows in each. */
static size_t group_means(const columns *c, size_t m, double *means)
{
    const carom_study *s = c->study;
    size_t groups = (size_t)s->sampled.scramblings;
    size_t counts[64] = { 0 };
    if (s->sampling != SAMPLING_SOBOL || groups < 2 || groups > 64) {
        return 0;
    }
    memset(means, 0, groups * sizeof *means);
    for (size_t k = 0; k < c->count; ++k) {
        means[c->runs[k] % groups] += value_at(c, m, k);
        counts[c->runs[k] % groups]++;
    }
    for (size_t g = 0; g < groups; ++g) {
        if (counts[g] == 0) {
            return 0;
        }
        means[g] /= (double)counts[g];
    }
    return groups;
}

static void add_probability(const columns *c, size_t m, carom_text *out)
{
    double means[64];
    size_t hits = 0;
    for (size_t k = 0; k < c->count; ++k) {
        hits += value_at(c, m, k) > 0.5;
    }
    bool drawn = c->study->sampling != SAMPLING_GRID && c->study->sampling != SAMPLING_LIST;
    size_t groups = group_means(c, m, means);
    estimate e = groups ? mean_of_groups(means, groups) : share_of(hits, c->count);
    carom_text_add(out, "  %s  %zu of %zu: %.3g", c->study->measures[m].name, hits, c->count,
                   (double)hits / (double)c->count);
    if (drawn) {
        carom_text_add(out, ", 95 %% between %.3g and %.3g", fmax(e.low, 0.0), fmin(e.high, 1.0));
    }
    if (c->missing > 0) {
        double all = (double)(c->count + c->missing);
        carom_text_add(out, "; whatever the other %zu did: between %.3g and %.3g", c->missing, (double)hits / all,
                       (double)(hits + c->missing) / all);
    }
    carom_text_add(out, "\n");
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_interval(carom_text *out, estimate e)
{
    carom_text_add(out, " (");
    carom_text_add(out, isfinite(e.low) ? "%.4g" : "?", e.low);
    carom_text_add(out, " to ");
    carom_text_add(out, isfinite(e.high) ? "%.4g)" : "?)", e.high);
}

static void add_quantiles(const columns *c, size_t m, carom_text *out)
{
    const measure *about = &c->study->measures[m];
    size_t count = 0;
    size_t worst = 0;
    for (size_t k = 0; k < c->count; ++k) {
        double x = value_at(c, m, k);
        if (!isnan(x)) {
            worst = count == 0 || x > c->study->rows[worst]->values[m] ? c->runs[k] : worst;
            c->x[count++] = x;
        }
    }
    if (count == 0) {
        carom_text_add(out, "  %s  no value in any row\n", about->name);
        return;
    }
    qsort(c->x, count, sizeof *c->x, ascending);
    const char *space = about->unit[0] ? " " : "";
    estimate median = quantile_of(c->x, count, 0.5);
    estimate upper = quantile_of(c->x, count, 0.95);
    carom_text_add(out, "  %s  median %.4g%s%s", about->name, median.value, space, about->unit);
    add_interval(out, median);
    carom_text_add(out, ", 95 %% below %.4g%s%s", upper.value, space, about->unit);
    add_interval(out, upper);
    carom_text_add(out, ", from %.4g to %.4g%s%s, largest in run %zu; %zu rows\n", c->x[0], c->x[count - 1], space,
                   about->unit, worst, count);
}

/* ---- what matters ------------------------------------------------------------------------------------------------- */

static const char *short_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

static bool add_correlations(const columns *c, size_t m, carom_text *out)
{
    const carom_study *s = c->study;
    carom_text line = { 0 };
    for (size_t i = 0; i < s->variable_count; ++i) {
        size_t count = 0;
        double r;
        for (size_t k = 0; k < c->count; ++k) {
            if (!isnan(value_at(c, m, k))) {
                c->x[count] = s->rows[c->runs[k]]->inputs[i];
                c->y[count++] = value_at(c, m, k);
            }
        }
        if (!rank_correlation(c->x, c->y, count, &r)) {
            return false;
        }
        if (!isnan(r) && count > 2) {
            carom_text_add(&line, "%s%s %.2f", line.length ? ", " : "", short_name(s->variables[i].path), r);
        }
    }
    if (line.length > 0) {
        carom_text_add(out, "    what matters for %s (rank correlation): %s\n", s->measures[m].name, line.data);
    }
    bool ok = !line.failed;
    carom_text_free(&line);
    return ok;
}

/* Values of a measure at A, B and A with variable i of B, of base points whose rows are all good. Returns how many. */
static size_t index_columns(const carom_study *s, size_t m, size_t i, double *a, double *b, double *ab)
{
    size_t group = s->variable_count + 2;
    size_t count = 0;
    for (size_t base = 0; base < s->run_count / group; ++base) {
        bool whole = true;
        for (size_t k = 0; k < group; ++k) {
            const carom_row *row = s->rows[base * group + k];
            whole = whole && row && row->status == CAROM_ROW_DONE && !isnan(row->values[m]);
        }
        if (whole) {
            a[count] = s->rows[base * group]->values[m];
            b[count] = s->rows[base * group + 1]->values[m];
            ab[count++] = s->rows[base * group + 2 + i]->values[m];
        }
    }
    return count;
}

static bool add_indices(const columns *c, size_t m, carom_text *out)
{
    const carom_study *s = c->study;
    size_t bases = s->run_count / (s->variable_count + 2);
    double *numbers = calloc(3 * bases + 1, sizeof *numbers);
    bool ok = numbers != NULL;
    for (size_t i = 0; ok && i < s->variable_count; ++i) {
        index_values v = { numbers, numbers + bases, numbers + 2 * bases, 0 };
        v.count = index_columns(s, m, i, numbers, numbers + bases, numbers + 2 * bases);
        if (i == 0) {
            carom_text_add(out, "  %s  indices of %zu groups of %zu rows", s->measures[m].name, v.count,
                           s->variable_count + 2);
            carom_text_add(out, v.count < bases ? "; %zu groups with rows that are not good were left out\n" : "\n",
                           bases - v.count);
        }
        if (20 * v.count < 19 * bases || v.count < 2) {
            carom_text_add(out, "    no indices: more than 5 %% of the groups are not good\n");
            break;
        }
        estimate first, total;
        ok = sobol_index(&v, (uint64_t)s->sampled.seed, &first, &total);
        carom_text_add(out, "    %s  first order %.3f (%.3f to %.3f), total %.3f (%.3f to %.3f)\n",
                       short_name(s->variables[i].path), first.value, first.low, first.high, total.value, total.low,
                       total.high);
    }
    free(numbers);
    return ok;
}

/* Means over all rows with the same level. */
static void add_main_effects(const columns *c, size_t m, carom_text *out)
{
    enum { SHOWN = 12 };
    const carom_study *s = c->study;
    for (size_t i = 0; i < s->variable_count; ++i) {
        carom_text_add(out, "    %s over %s:", s->measures[m].name, short_name(s->variables[i].path));
        double last = -HUGE_VAL;
        for (int shown = 0; shown <= SHOWN; ++shown) {
            double next = HUGE_VAL, sum = 0.0;
            size_t count = 0;
            for (size_t k = 0; k < c->count; ++k) {
                double x = s->rows[c->runs[k]]->inputs[i];
                next = x > last && x < next ? x : next;
            }
            for (size_t k = 0; k < c->count; ++k) {
                bool same = s->rows[c->runs[k]]->inputs[i] == next && !isnan(value_at(c, m, k));
                sum += same ? value_at(c, m, k) : 0.0;
                count += same;
            }
            if (next == HUGE_VAL || shown == SHOWN) {
                carom_text_add(out, next == HUGE_VAL ? "\n" : ", ...\n");
                break;
            }
            carom_text_add(out, count ? "%s %.4g at %.4g" : "%s", shown ? "," : "", sum / (double)count, next);
            last = next;
        }
    }
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static bool add_measure(const columns *c, size_t m, carom_text *out)
{
    const carom_study *s = c->study;
    if (c->count == 0) {
        return true;
    }
    if (s->measures[m].kind == MEASURE_EVENT) {
        add_probability(c, m, out);
    } else {
        add_quantiles(c, m, out);
    }
    if (s->sampling == SAMPLING_INDICES) {
        return add_indices(c, m, out);
    }
    if (s->sampling == SAMPLING_GRID) {
        add_main_effects(c, m, out);
        return true;
    }
    return add_correlations(c, m, out);
}

char *carom_study_summary(const carom_study *s)
{
    columns c;
    carom_text out = { 0 };
    if (!s) {
        return NULL;
    }
    bool ok = columns_begin(&c, s);
    if (ok) {
        add_counts(&c, &out);
    }
    if (ok && sample_depends(s)) {
        search_tell(s, &out);
    }
    for (size_t m = 0; ok && !sample_depends(s) && m < s->measure_count; ++m) {
        ok = add_measure(&c, m, &out);
    }
    columns_end(&c);
    if (!ok || out.failed) {
        carom_text_free(&out);
        return NULL;
    }
    return out.data;
}
