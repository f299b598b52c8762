/* What a search has found, in lines for people: the best run, how the starts went, and where the measure jumps. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"

/* A start that comes this near to the best, against the range of all values, found it too. */
static const double SAME = 1e-3;

/* Two runs this near to each other, against the ranges of their variables, whose values differ by this much of the range of all values:
 * no optimiser sees where it goes there. */
static const double NEIGHBOUR = 1e-3;
static const double JUMP = 0.1;

typedef struct found {
    size_t best;   /* run; SIZE_MAX: none */
    double least;  /* its value */
    double lowest; /* of all good rows, whether they keep the conditions or not */
    double highest;
} found;

static found look(const carom_study *s, size_t first, size_t stride)
{
    found f = { SIZE_MAX, HUGE_VAL, HUGE_VAL, -HUGE_VAL };
    for (size_t i = first; i < s->run_count; i += stride) {
        const carom_row *row = s->rows[i];
        double value;
        if (search_takes(s, row, &value) && value < f.least) {
            f.best = i;
            f.least = value;
        }
        if (row && row->status == CAROM_ROW_DONE && isfinite(row->values[s->goal.measure])) {
            f.lowest = fmin(f.lowest, row->values[s->goal.measure]);
            f.highest = fmax(f.highest, row->values[s->goal.measure]);
        }
    }
    return f;
}

static double range_of(const found *f)
{
    return f->highest > f->lowest ? f->highest - f->lowest : 0.0;
}

/* ---- jumps -------------------------------------------------------------------------------------------------------- */

/* Of the largest variable, against its range. */
static double distance(const carom_study *s, const carom_row *a, const carom_row *b)
{
    double most = 0.0;
    for (size_t i = 0; i < s->variable_count; ++i) {
        const double *range = s->variables[i].uniform.data;
        most = fmax(most, fabs(a->inputs[i] - b->inputs[i]) / (range[1] - range[0]));
    }
    return most;
}

static bool is_good(const carom_study *s, const carom_row *row)
{
    return row && row->status == CAROM_ROW_DONE && isfinite(row->values[s->goal.measure]);
}

/* The pair of neighbours of one start whose values differ most; false: none that counts. */
static bool find_jump(const carom_study *s, double range, size_t pair[2])
{
    size_t starts = (size_t)s->sampled.starts;
    double most = JUMP * range;
    bool any = false;
    for (size_t i = 0; i < s->run_count; ++i) {
        for (size_t k = i + starts; is_good(s, s->rows[i]) && k < s->run_count; k += starts) {
            if (!is_good(s, s->rows[k]) || distance(s, s->rows[i], s->rows[k]) > NEIGHBOUR) {
                continue;
            }
            double step = fabs(s->rows[i]->values[s->goal.measure] - s->rows[k]->values[s->goal.measure]);
            if (step > most) {
                most = step;
                pair[0] = i;
                pair[1] = k;
                any = true;
            }
        }
    }
    return any;
}

static void tell_jump(const carom_study *s, const found *all, carom_text *out)
{
    size_t pair[2];
    if (range_of(all) > 0.0 && find_jump(s, range_of(all), pair)) {
        const measure *m = &s->measures[s->goal.measure];
        carom_text_add(
            out,
            "    %s jumps: %.4g and %.4g%s%s in the runs %zu and %zu, %.1g of the ranges apart; what was found may "
            "not be the least\n",
            m->name, s->rows[pair[0]]->values[s->goal.measure], s->rows[pair[1]]->values[s->goal.measure],
            m->unit[0] ? " " : "", m->unit, pair[0], pair[1], distance(s, s->rows[pair[0]], s->rows[pair[1]]));
    }
}

/* ---- starts ------------------------------------------------------------------------------------------------------- */

static void tell_start(const carom_study *s, size_t start, carom_text *out)
{
    const search_end *end = &s->ends[start];
    const measure *m = &s->measures[s->goal.measure];
    found f = look(s, start, (size_t)s->sampled.starts);
    carom_text_add(out, "    start %zu: ", start + 1);
    if (f.best == SIZE_MAX) {
        carom_text_add(out, "no good run%s", s->goal.condition_count ? " that keeps the conditions" : "");
    } else {
        carom_text_add(out, "%.6g%s%s in run %zu", f.least, m->unit[0] ? " " : "", m->unit, f.best);
    }
    if (end->ended) {
        carom_text_add(out, "; %zu runs%s\n", end->used, end->converged ? "" : ", all it may have: not converged");
    } else {
        carom_text_add(out, "; not at its end\n");
    }
}

static size_t starts_at_best(const carom_study *s, const found *all)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)s->sampled.starts; ++i) {
        found own = look(s, i, (size_t)s->sampled.starts);
        count += own.best != SIZE_MAX && own.least - all->least <= SAME * range_of(all);
    }
    return count;
}

static void tell_best(const carom_study *s, const found *all, carom_text *out)
{
    const measure *m = &s->measures[s->goal.measure];
    if (all->best == SIZE_MAX) {
        carom_text_add(out, "  least %s  none: no good run%s\n", m->name,
                       s->goal.condition_count ? " keeps the conditions" : "");
        return;
    }
    carom_text_add(out, "  least %s  %.6g%s%s in run %zu; %zu of %d starts came to it\n", m->name, all->least,
                   m->unit[0] ? " " : "", m->unit, all->best, starts_at_best(s, all), s->sampled.starts);
    for (size_t i = 0; i < s->variable_count; ++i) {
        carom_text_add(out, "    %s = %.6g\n", s->variables[i].path, s->rows[all->best]->inputs[i]);
    }
}

void search_tell(const carom_study *s, carom_text *out)
{
    enum { SHOWN = 12 };
    found all = look(s, 0, 1);
    tell_best(s, &all, out);
    for (size_t i = 0; i < (size_t)s->sampled.starts && i < SHOWN; ++i) {
        tell_start(s, i, out);
    }
    tell_jump(s, &all, out);
}
