/* The pendulum at any amplitude, in closed form. */
#ifndef CAROM_TESTS_PENDULUM_H
#define CAROM_TESTS_PENDULUM_H

#include <math.h>

/* [s] 4 K(sin(amplitude/2)) / omega0, by the arithmetic-geometric mean. */
static inline double pendulum_period(double omega0, double amplitude)
{
    double a = 1.0;
    double b = cos(0.5 * amplitude);
    for (int k = 0; k < 8; ++k) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * 3.14159265358979323846 / (omega0 * a);
}

#endif
