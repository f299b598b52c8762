/* Options of the integrator "generalized-alpha", for methods that choose them. */
#ifndef CAROM_DYNAMICS_GENERALIZED_ALPHA_H
#define CAROM_DYNAMICS_GENERALIZED_ALPHA_H

typedef enum alpha_watch { WATCH_VELOCITIES, WATCH_ENERGY, WATCH_POSITIONS } alpha_watch;

typedef struct alpha_options {
    double rho;       /* spectral radius at infinite frequency */
    int newton_limit; /* iterations per step                   */
    int watch;        /* alpha_watch: what the error of velocities is measured by */
} alpha_options;

#endif
