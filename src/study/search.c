/* Searches for the smallest value of a measure: several starts, each a sequence of runs that an optimiser asks for. An optimiser asks
 * for the same runs whenever it gets the same answers, so that a search goes on by asking from the first run and being answered from
 * the rows that are there. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is searched --------------------------------------------------------------------------------------------- */

static carom_status find_measure(const carom_study *s, const char *name, const char *option, size_t *out,
                                 carom_error *err)
{
    size_t i = 0;
    while (i < s->measure_count && strcmp(s->measures[i].name, name) != 0) {
        ++i;
    }
    *out = i;
    return i < s->measure_count
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT, "sampling.minimize.%s: there is no measure '%.60s'", option, name);
}

static carom_status find_conditions(carom_study *s, carom_error *err)
{
    const char *const *names = s->sampled.subject_to.items;
    size_t count = s->sampled.subject_to.count;
    size_t *found = CAROM_ARENA_ARRAY(&s->arena, size_t, count + 1);
    carom_status status = found ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a search");
    for (size_t i = 0; status == CAROM_OK && i < count; ++i) {
        status = find_measure(s, names[i], "subject_to", &found[i], err);
    }
    s->goal.condition_count = count;
    s->goal.conditions = found;
    return status;
}

static carom_status choose_algorithm(carom_study *s, carom_error *err)
{
    bool conditions = s->goal.condition_count > 0;
    int asked = s->sampled.algorithm;
    /* BOBYQA needs two variables. */
    optimizer_algorithm own = conditions               ? OPTIMIZER_COBYLA
                              : s->variable_count == 1 ? OPTIMIZER_NELDER_MEAD
                                                       : OPTIMIZER_BOBYQA;
    s->goal.algorithm = asked == 0 ? own : (optimizer_algorithm)(asked - 1);
    if (conditions && s->goal.algorithm != OPTIMIZER_COBYLA) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "sampling.minimize: of the algorithms 'cobyla' alone knows 'subject_to'");
    }
    if (s->goal.algorithm == OPTIMIZER_BOBYQA && s->variable_count == 1) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "sampling.minimize: 'bobyqa' needs two variables; take 'cobyla' or 'nelder-mead' for one");
    }
    if (s->goal.algorithm == OPTIMIZER_DIRECT_L && s->sampled.starts > 1) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "sampling.minimize: 'direct-l' begins nowhere in particular: more than one start is the same again");
    }
    return CAROM_OK;
}

static carom_status check_ranges(const carom_study *s, carom_error *err)
{
    for (size_t i = 0; i < s->variable_count; ++i) {
        const vary_def *v = &s->variables[i];
        if (v->uniform.count != 2 || v->within.count > 0) {
            return carom_fail(
                err, CAROM_BAD_INPUT,
                "a search needs bounds for '%.100s': give it 'uniform' with low and high, without 'within'", v->path);
        }
    }
    return CAROM_OK;
}

carom_status search_prepare(carom_study *s, carom_error *err)
{
    s->ends = CAROM_ARENA_ARRAY(&s->arena, search_end, (size_t)s->sampled.starts);
    carom_status status = s->ends ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a search");
    if (!s->sampled.measure) {
        return carom_fail(err, CAROM_BAD_INPUT, "sampling.minimize: say which 'measure' is to become small");
    }
    status = status == CAROM_OK ? find_measure(s, s->sampled.measure, "measure", &s->goal.measure, err) : status;
    status = status == CAROM_OK ? find_conditions(s, err) : status;
    status = status == CAROM_OK ? check_ranges(s, err) : status;
    return status == CAROM_OK ? choose_algorithm(s, err) : status;
}

/* ---- answers ------------------------------------------------------------------------------------------------------ */

/* Whether a row is good and has the numbers that the optimiser needs. */
static bool answers(const carom_study *s, const carom_row *row)
{
    bool ok = row && row->status == CAROM_ROW_DONE && isfinite(row->values[s->goal.measure]);
    for (size_t i = 0; ok && i < s->goal.condition_count; ++i) {
        ok = isfinite(row->values[s->goal.conditions[i]]);
    }
    return ok;
}

bool search_takes(const carom_study *s, const carom_row *row, double *value)
{
    bool ok = answers(s, row);
    for (size_t i = 0; ok && i < s->goal.condition_count; ++i) {
        ok = row->values[s->goal.conditions[i]] >= 0.0;
    }
    *value = ok ? row->values[s->goal.measure] : (double)NAN;
    return ok;
}

size_t search_best(const carom_study *s)
{
    size_t best = SIZE_MAX;
    double least = HUGE_VAL;
    double value;
    for (size_t i = 0; sample_depends(s) && i < s->run_count; ++i) {
        if (search_takes(s, s->rows[i], &value) && value < least) {
            best = i;
            least = value;
        }
    }
    return best;
}

/* ---- one start ---------------------------------------------------------------------------------------------------- */

typedef struct search {
    const carom_study *study;
    size_t start;
    search_row *row;
    void *context;
    const carom_row **rows; /* so far */
    size_t count;
    double *inputs;
    bool any;           /* answered so far */
    double best, worst; /* of those */
    double *far;        /* of each condition: the largest absolute value of those */
    bool out_of_runs;
    carom_status status;
    carom_error error;
} search;

/* A row with these inputs that is there already: where an optimiser asks twice, for the value and for the conditions. */
static const carom_row *asked_before(const search *w)
{
    size_t size = w->study->variable_count * sizeof *w->inputs;
    for (size_t k = w->count; k-- > 0;) {
        if (memcmp(w->rows[k]->inputs, w->inputs, size) == 0) {
            return w->rows[k];
        }
    }
    return NULL;
}

static const carom_row *next_row(search *w)
{
    const carom_study *s = w->study;
    if (w->count == (size_t)s->sampled.runs) {
        w->out_of_runs = true;
        return NULL;
    }
    const carom_row *row = NULL;
    size_t run = w->count * (size_t)s->sampled.starts + w->start;
    w->status = w->row(w->context, run, w->inputs, &row, &w->error);
    if (w->status != CAROM_OK) {
        return NULL;
    }
    w->rows[w->count++] = row;
    return row;
}

static void remember(search *w, const carom_row *row)
{
    double value = row->values[w->study->goal.measure];
    w->best = w->any ? fmin(w->best, value) : value;
    w->worst = w->any ? fmax(w->worst, value) : value;
    for (size_t i = 0; i < w->study->goal.condition_count; ++i) {
        w->far[i] = fmax(w->far[i], fabs(row->values[w->study->goal.conditions[i]]));
    }
    w->any = true;
}

/* A run without an answer is worse than all before it of this start, and keeps no condition. */
static void answer(search *w, const carom_row *row, double *value, double *conditions)
{
    const search_goal *goal = &w->study->goal;
    bool known = answers(w->study, row);
    if (known) {
        remember(w, row);
    }
    double beyond = w->worst > w->best ? w->worst - w->best : 1.0;
    *value = known ? row->values[goal->measure] : w->any ? w->worst + beyond : 1.0;
    for (size_t i = 0; conditions && i < goal->condition_count; ++i) {
        conditions[i] = known ? row->values[goal->conditions[i]] : w->far[i] > 0.0 ? -w->far[i] : -1.0;
    }
}

static bool evaluate(void *context, const double *x, double *value, double *conditions)
{
    search *w = context;
    for (size_t i = 0; i < w->study->variable_count; ++i) {
        const double *range = w->study->variables[i].uniform.data;
        w->inputs[i] = x[i] >= 1.0 ? range[1] : range[0] + x[i] * (range[1] - range[0]);
    }
    const carom_row *row = asked_before(w);
    row = row ? row : next_row(w);
    if (row) {
        answer(w, row, value, conditions);
    }
    return row != NULL;
}

static bool make_room(search *w)
{
    const carom_study *s = w->study;
    w->rows = calloc((size_t)s->sampled.runs + 1, sizeof *w->rows);
    w->inputs = calloc(s->variable_count + 1, sizeof *w->inputs);
    w->far = calloc(s->goal.condition_count + 1, sizeof *w->far);
    return w->rows && w->inputs && w->far;
}

carom_status search_run(const carom_study *s, size_t start, search_row *row, void *context, search_end *end,
                        carom_error *err)
{
    search w = { .study = s, .start = start, .row = row, .context = context };
    double *x = calloc(s->variable_count + 1, sizeof *x);
    carom_status status = make_room(&w) && x ? CAROM_OK
                                             : carom_fail(err, CAROM_NO_MEMORY, "out of memory for a search");
    if (status == CAROM_OK) {
        const optimizer_def def = { .algorithm = s->goal.algorithm,
                                    .dimension = s->variable_count,
                                    .condition_count = s->goal.condition_count,
                                    .tolerance = s->sampled.tolerance,
                                    .seed = (uint64_t)s->sampled.seed + start,
                                    .at = evaluate,
                                    .context = &w };
        sample_start(s, start, x);
        status = optimizer_run(&def, x, &end->converged, err);
    }
    if (status == CAROM_OK && w.status != CAROM_OK) {
        status = carom_fail(err, w.status, "%.900s", w.error.message);
    }
    end->used = w.count;
    end->ended = status == CAROM_OK;
    free(w.rows);
    free(w.inputs);
    free(w.far);
    free(x);
    return status;
}
