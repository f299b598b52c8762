/* What the two SUNDIALS back ends share: macro steps.
 *
 * CVODE and IDA are multi-step codes: their next step depends on a history of solutions and step sizes that they do not
 * give away. carom's state must hold all that the physics remembers, and throwing scratch away must change no bit. So
 * each call of the integrator is one macro step from t to t + h that starts the solver afresh (order 1, small steps,
 * then growing) and lets it adapt inside; nothing of the solver survives the call. The cost: every macro step pays the
 * solver's start-up, some ten to thirty small steps. Long macro steps are cheap, but what is recorded between their
 * ends is interpolated: where the step adapts, its length is chosen so that the dense output agrees with the solver in
 * the middle of the step to within the tolerance.
 *
 * Unknowns: those of dynamics/unknowns.h, then what a solver adds. */
#ifndef CAROM_DYNAMICS_SUNDIALS_MACRO_H
#define CAROM_DYNAMICS_SUNDIALS_MACRO_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "dynamics/integrator.h"
#include "dynamics/unknowns.h"

typedef struct macro_work {
    carom_arena arena;
    carom_scratch *w; /* the call under way */
    SUNContext context;
    int motion;      /* numbers of the motion                              */
    int size;        /* of all unknowns                                    */
    N_Vector y;      /* solution                                           */
    N_Vector middle; /* solution in the middle of the macro step           */
    N_Vector abstol; /* absolute tolerances of this macro step             */
    double *scale;   /* size: typical magnitudes                           */
    motion at;
    char complaint[256];    /* the solver's last error message */
    const char *not_finite; /* element without a finite value in the solver's present step, or NULL */
} macro_work;

/* What a solver supplies. Functions return SUNDIALS flags: negative is failure. `self` starts with a macro_work. */
typedef struct macro_solver {
    const char *name; /* "CVODE" */
    int (*restart)(void *self, const carom_state *s, double t, double t_stop);
    int (*advance)(void *self, double t_stop, double *t); /* one internal step; y is there */
    int (*interpolate)(void *self, double t, N_Vector out);
    char *(*flag_name)(long flag); /* allocated; the caller frees it */
    void (*count)(void *self, carom_step_report *report);
} macro_solver;

/* Allocates the common part; `extra` unknowns follow the sums. */
carom_status macro_create(macro_work *m, carom_scratch *w, int extra, carom_error *err);
void macro_free(macro_work *m);

/* One macro step of at most dt, committed to the state. */
carom_status macro_step(macro_work *m, const macro_solver *solver, carom_state *s, double dt,
                        const integrator_settings *settings, carom_step_report *report, carom_error *err);

/* Poses (normalised) and rates of the free bodies from y into m->at. */
void macro_unpack(macro_work *m, const double *y);

/* Increment for the difference quotient by unknown j. */
double macro_increment(const macro_work *m, const double *y, int j);

/* Receives the solvers' messages; `data` is a macro_work. */
void macro_listen(int code, const char *module, const char *function, char *message, void *data);

#endif
