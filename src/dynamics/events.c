/* Event location by sampling and then bracketing: the ITP method [Oliveira2020], which is never slower than
 * bisection and usually as fast as the secant method. The bracket is kept at all times, so an event is never lost. */
#include "dynamics/events.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"

static bool crosses(const event_search *s, double a, double b)
{
    bool falling = a > 0.0 && b <= 0.0;
    bool rising = a < 0.0 && b >= 0.0;
    return falling || (rising && !s->falling_only);
}

static double value_of(const event_search *s, int index, double t)
{
    double g[EVENT_FUNCTIONS_ON_STACK];
    s->functions(s->context, t, g);
    return g[index];
}

/* Narrows [a, b] around the change of sign of one function. */
static void narrow(const event_search *s, int index, double a, double ga, double b, double gb, event_found *out)
{
    const double kappa2 = 2.0; /* the authors' recommendation together with kappa1 = 0.2 / width and n0 = 1 */
    double kappa1 = 0.2 / (b - a);
    double floor_width = fmax(s->tolerance, 4.0 * DBL_EPSILON * fmax(fabs(a), fabs(b)));
    double half = 0.5 * floor_width;
    int most = (int)ceil(log2(fmax(1.0, (b - a) / floor_width))) + 1;
    for (int j = 0; b - a > floor_width && j < 2 * most + 60; ++j) {
        double middle = 0.5 * (a + b);
        double secant = gb != ga ? (gb * a - ga * b) / (gb - ga) : middle;
        double side = middle >= secant ? 1.0 : -1.0;
        double delta = kappa1 * pow(b - a, kappa2);
        double truncated = delta <= fabs(middle - secant) ? secant + side * delta : middle;
        double radius = fmax(0.0, half * ldexp(1.0, most - j) - 0.5 * (b - a));
        double x = fabs(truncated - middle) <= radius ? truncated : middle - side * radius;
        x = x > a && x < b ? x : middle;
        double gx = value_of(s, index, x);
        if (crosses(s, ga, gx)) {
            b = x;
            gb = gx;
        } else {
            a = x;
            ga = gx;
        }
    }
    *out = (event_found){ .index = index, .before = a, .t = b };
}

bool events_first(const event_search *s, event_found *out)
{
    CAROM_ASSERT(s->count <= EVENT_FUNCTIONS_ON_STACK);
    double last[EVENT_FUNCTIONS_ON_STACK];
    double now[EVENT_FUNCTIONS_ON_STACK];
    int samples = s->samples < 1 ? 1 : s->samples;
    double t = s->t0;
    s->functions(s->context, t, last);
    for (int k = 1; k <= samples; ++k) {
        double next = k == samples ? s->t1 : s->t0 + (s->t1 - s->t0) * k / samples;
        s->functions(s->context, next, now);
        bool found = false;
        for (int i = 0; i < s->count; ++i) {
            if (!crosses(s, last[i], now[i])) {
                continue;
            }
            event_found one;
            narrow(s, i, t, last[i], next, now[i], &one);
            if (!found || one.t < out->t) {
                *out = one;
            }
            found = true;
        }
        if (found) {
            return true;
        }
        memcpy(last, now, sizeof last);
        t = next;
    }
    return false;
}
