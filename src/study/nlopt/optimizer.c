/* Optimisers of NLopt: BOBYQA and COBYLA (Powell), Nelder and Mead's simplex, DIRECT-L (Gablonsky, Kelley), CRS2 (Kaelo, Ali). */
#include "study/optimizer.h"

#ifndef CAROM_HAVE_NLOPT

carom_status optimizer_run(const optimizer_def *def, double *x, bool *converged, carom_error *err)
{
    (void)def;
    (void)x;
    *converged = false;
    return carom_fail(err, CAROM_UNSUPPORTED,
                      "this carom was built without NLopt, which 'minimize' needs (Debian: libnlopt-dev)");
}

#else

#include <nlopt.h>
#include <string.h>

/* Part of the way from 0 to 1 that searches near a point try first. */
static const double FIRST_STEP = 0.15;

typedef struct caller {
    const optimizer_def *def;
    nlopt_opt opt;
    bool ended;
} caller;

static bool ask(caller *c, const double *x, double *value, double *conditions)
{
    if (!c->ended && !c->def->at(c->def->context, x, value, conditions)) {
        c->ended = true;
        nlopt_force_stop(c->opt);
    }
    return !c->ended;
}

static double value_at(unsigned n, const double *x, double *gradient, void *context)
{
    double value = 0.0;
    (void)n;
    (void)gradient; /* none of the algorithms asks for it */
    ask(context, x, &value, NULL);
    return value;
}

/* NLopt keeps numbers at or below 0. */
static void conditions_at(unsigned m, double *result, unsigned n, const double *x, double *gradient, void *context)
{
    double value;
    (void)n;
    (void)gradient;
    memset(result, 0, m * sizeof *result);
    ask(context, x, &value, result);
    for (unsigned i = 0; i < m; ++i) {
        result[i] = -result[i];
    }
}

static nlopt_result set_up(nlopt_opt opt, const optimizer_def *def, caller *c)
{
    nlopt_result code = nlopt_set_lower_bounds1(opt, 0.0);
    code = code > 0 ? nlopt_set_upper_bounds1(opt, 1.0) : code;
    code = code > 0 ? nlopt_set_min_objective(opt, value_at, c) : code;
    code = code > 0 ? nlopt_set_xtol_abs1(opt, def->tolerance) : code;
    code = code > 0 ? nlopt_set_initial_step1(opt, FIRST_STEP) : code;
    if (code > 0 && def->condition_count > 0) {
        code = nlopt_add_inequality_mconstraint(opt, (unsigned)def->condition_count, conditions_at, c, NULL);
    }
    return code;
}

carom_status optimizer_run(const optimizer_def *def, double *x, bool *converged, carom_error *err)
{
    static const nlopt_algorithm algorithms[] = { NLOPT_LN_BOBYQA, NLOPT_LN_COBYLA, NLOPT_LN_NELDERMEAD,
                                                  NLOPT_GN_DIRECT_L, NLOPT_GN_CRS2_LM };
    caller c = { def, nlopt_create(algorithms[def->algorithm], (unsigned)def->dimension), false };
    double least = 0.0;
    *converged = false;
    nlopt_result code = c.opt ? set_up(c.opt, def, &c) : NLOPT_OUT_OF_MEMORY;
    if (code > 0) {
        nlopt_srand((unsigned long)def->seed); /* of this thread */
        code = nlopt_optimize(c.opt, x, &least);
    }
    nlopt_destroy(c.opt);
    if (code == NLOPT_OUT_OF_MEMORY) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for a search");
    }
    if (code == NLOPT_INVALID_ARGS) {
        return carom_fail(err, CAROM_BAD_INPUT, "the optimiser does not take %zu variables", def->dimension);
    }
    *converged = !c.ended; /* what rounding ends has nowhere to go either */
    return CAROM_OK;
}

#endif
