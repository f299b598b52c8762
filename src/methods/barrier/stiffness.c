/* One rule for the stiffness of barriers, of surfaces as of stops. */
#include "methods/barrier/stiffness.h"

/* A hundred times inertia / h^2, or ten times that for each range that the bodies would come nearer in the step: loads are then
 * carried at 0.8 to 0.97 of the range. Too stiff is harmless, too soft makes Newton's method stall, and resting stacks creep the
 * more the deeper they sink. */
double stiffness_for(double h, double inertia, double way, double range)
{
    static const double FLOOR = 100.0;
    static const double PER_RANGE = 10.0;
    return inertia / (h * h) * fmax(FLOOR, PER_RANGE * way / range);
}

/* A stiffer barrier, as of a shorter step, would throw apart what it pushes. What a contact stores while it holds an impact would
 * do so, too: an impact that has ended is forgotten. */
double stiffness_kept(double loaded, bool touched, impact_phase impact, double known)
{
    bool forgets = impact == IMPACT_LEAVING || impact == IMPACT_ENDED;
    return !touched ? loaded : forgets ? fmin(loaded, known) : known;
}

/* What it lifts by that is not thrown, but moves by some ranges per second. */
double stiffness_grown(double kappa, double loaded, double h, double rate)
{
    static const double FASTER = 10.0; /* than creep */
    return fmax(kappa, fmin(loaded, exp(fmin(1.0, FASTER * h * rate)) * kappa));
}

double stiffness_carrying(double kappa, double push, double load, double inertia, double rate)
{
    double carried = push > 0.0 ? kappa * load / push : kappa;
    return fmin(kappa, fmax(carried, inertia * rate * rate));
}
