/* What every normal law can be asked, from its potential alone: how deep and how long a body of given energy
 * penetrates. */
#include "elements/laws/law.h"

law_context law_context_make(const carom_normal_law *law, const void *params, double restitution)
{
    law_context context = { .restitution = restitution };
    if (law->constants) {
        context.constants = law->constants(params, restitution);
        context.constants.known = true;
    }
    return context;
}

/* The elastic part does not depend on restitution; 1 is what every law admits. */
static law_context elastic_context(const carom_normal_law *law, const void *params)
{
    return law_context_make(law, params, 1.0);
}

static double stored(const carom_normal_law *law, const law_context *context, const void *params, double p)
{
    return law->force((contact_rate){ .gap = -p }, context, params).potential;
}

/* The potential grows without bound from 0, so that doubling and halving find an octave with the depth in it, and
 * bisection the depth to the last bit. */
double law_depth_for_energy(const carom_normal_law *law, const void *params, double energy)
{
    const double DEEPEST = 1e150;
    law_context context = elastic_context(law, params);
    if (!(energy > 0.0)) {
        return 0.0;
    }
    double deep = 1.0;
    while (deep < DEEPEST && stored(law, &context, params, deep) < energy) {
        deep *= 2.0;
    }
    while (deep > 1.0 / DEEPEST && stored(law, &context, params, 0.5 * deep) >= energy) {
        deep *= 0.5;
    }
    if (deep >= DEEPEST) {
        return HUGE_VAL;
    }
    double shallow = 0.5 * deep;
    for (int k = 0; k < 52; ++k) {
        double middle = 0.5 * (shallow + deep);
        *(stored(law, &context, params, middle) < energy ? &shallow : &deep) = middle;
    }
    return deep;
}

/* 2 integral of dp / sqrt(v^2 - 2 V(p)/m) from 0 to the depth d. With p = d (1 - u^2) the integrand is smooth up to the
 * turning point u = 0, and the midpoint rule converges fast. */
double law_contact_time(const carom_normal_law *law, const void *params, double mass, double speed)
{
    enum { POINTS = 64 };
    law_context context = elastic_context(law, params);
    double energy = 0.5 * mass * speed * speed;
    double depth = law_depth_for_energy(law, params, energy);
    double sum = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        double u = (k + 0.5) / POINTS;
        double left = 1.0 - stored(law, &context, params, depth * (1.0 - u * u)) / energy;
        sum += u / sqrt(left);
    }
    return energy > 0.0 ? 4.0 * depth / speed * sum / POINTS : 0.0;
}
