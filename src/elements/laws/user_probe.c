/* Trying out contact laws of a program: a grid of depths and speeds, derivatives against differences.
 *
 * At a kink (the force is cut off, a damper has reached its full size) one side of a difference differs from the other; a
 * derivative between the two passes. */
#include "elements/laws/user_probe.h"

static const double DEFAULT_DEPTH = 1e-3; /* [m] */
static const double DEFAULT_SPEED = 1.0;  /* [m/s] */
static const double STEP = 1e-5;          /* of differences, relative */
static const double SLACK = 1e-3;         /* of derivatives, relative */
static const double ROUNDING = 1e-12;     /* of what must not be negative, relative */

static const double parts[] = { 1e-6, 1e-4, 1e-2, 0.1, 0.5, 1.0 };
enum { PARTS = sizeof parts / sizeof parts[0] };

/* ---- normal laws -------------------------------------------------------------------------------------------------- */

law_force normal_probe(const carom_user_normal_law_def *def, contact_rate c, double approach, double restitution)
{
    const carom_user_normal_input in = {
        .gap = c.gap,
        .gap_rate = c.gap_rate,
        .approach = approach,
        .restitution = restitution,
        .numbers = def->numbers.data,
        .number_count = def->numbers.count,
    };
    carom_user_normal_output out = { 0 };
    def->force(&out, &in, def->context);
    return (law_force){ .force = out.force,
                        .d_gap = out.d_gap,
                        .d_gap_rate = out.d_gap_rate,
                        .elastic = out.elastic,
                        .potential = out.potential };
}

typedef struct normal_trial {
    const carom_user_normal_law_def *def;
    contact_rate c;
    double approach, restitution;
} normal_trial;

static law_force at(const normal_trial *t, double gap, double gap_rate)
{
    return normal_probe(t->def, (contact_rate){ gap, gap_rate }, t->approach, t->restitution);
}

static carom_status refuse(const normal_trial *t, const char *what, double found, const char *must, double expected,
                           carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT,
                      "the contact law '%.60s' breaks its contract at a gap of %g m, a gap rate of %g m/s and an "
                      "approach at %g m/s: %s is %g and must %s %g",
                      t->def->name, t->c.gap, t->c.gap_rate, t->approach, what, found, must, expected);
}

static carom_status refuse_not_finite(const normal_trial *t, const char *what, double found, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT,
                      "the contact law '%.60s' breaks its contract at a gap of %g m, a gap rate of %g m/s and an "
                      "approach at %g m/s: %s is %g and must be finite",
                      t->def->name, t->c.gap, t->c.gap_rate, t->approach, what, found);
}

static carom_status check_finite(const normal_trial *t, const law_force *f, carom_error *err)
{
    static const char *const names[] = { "the force", "d_gap", "d_gap_rate", "elastic", "the potential" };
    const double numbers[] = { f->force, f->d_gap, f->d_gap_rate, f->elastic, f->potential };
    for (int k = 0; k < 5; ++k) {
        bool wrong = t->c.gap >= 0.0 ? numbers[k] != 0.0 : !isfinite(numbers[k]);
        if (wrong) {
            return t->c.gap >= 0.0 ? refuse(t, names[k], numbers[k], "be", 0.0, err)
                                   : refuse_not_finite(t, names[k], numbers[k], err);
        }
    }
    return CAROM_OK;
}

static carom_status check_signs(const normal_trial *t, const law_force *f, carom_error *err)
{
    double dissipation = -(f->force - f->elastic) * t->c.gap_rate;
    double least = -ROUNDING * (fabs(f->force) + fabs(f->elastic)) * fabs(t->c.gap_rate);
    if (!(f->force >= 0.0)) {
        return refuse(t, "the force", f->force, "not be below", 0.0, err);
    }
    if (!(f->elastic >= 0.0)) {
        return refuse(t, "elastic", f->elastic, "not be below", 0.0, err);
    }
    if (!(f->d_gap_rate <= 0.0)) {
        return refuse(t, "d_gap_rate", f->d_gap_rate, "not exceed", 0.0, err);
    }
    return dissipation >= least ? CAROM_OK : refuse(t, "the dissipation", dissipation, "not be below", 0.0, err);
}

/* The difference quotients before and behind a point, and the value of the function there. */
typedef struct slopes {
    double before, behind;
    double scale; /* what the derivative is compared with where it vanishes */
} slopes;

static bool fits(double derivative, slopes s)
{
    double slack = SLACK * (fmax(fabs(s.before), fabs(s.behind)) + s.scale);
    return derivative >= fmin(s.before, s.behind) - slack && derivative <= fmax(s.before, s.behind) + slack;
}

static double nearer(double derivative, slopes s)
{
    return fabs(derivative - s.before) < fabs(derivative - s.behind) ? s.before : s.behind;
}

static slopes slopes_of(double before, double here, double behind, double h, double scale)
{
    return (slopes){ (here - before) / h, (behind - here) / h, scale };
}

static carom_status check_derivatives(const normal_trial *t, const law_force *f, carom_error *err)
{
    double h = STEP * -t->c.gap;
    double k = STEP * (fabs(t->c.gap_rate) + 1e-3 * DEFAULT_SPEED);
    const law_force deeper = at(t, t->c.gap - h, t->c.gap_rate);
    const law_force higher = at(t, t->c.gap + h, t->c.gap_rate);
    const law_force slower = at(t, t->c.gap, t->c.gap_rate - k);
    const law_force faster = at(t, t->c.gap, t->c.gap_rate + k);
    slopes by_gap = slopes_of(deeper.force, f->force, higher.force, h, f->force / -t->c.gap);
    slopes by_rate = slopes_of(slower.force, f->force, faster.force, k, f->force / (k / STEP));
    slopes stored = slopes_of(deeper.potential, f->potential, higher.potential, h, 0.0);
    if (!fits(f->d_gap, by_gap)) {
        return refuse(t, "d_gap", f->d_gap, "be", nearer(f->d_gap, by_gap), err);
    }
    if (faster.potential != f->potential || faster.elastic != f->elastic) {
        return refuse(t, "the potential of another gap rate", faster.potential, "be the same,", f->potential, err);
    }
    if (!fits(f->d_gap_rate, by_rate)) {
        return refuse(t, "d_gap_rate", f->d_gap_rate, "be", nearer(f->d_gap_rate, by_rate), err);
    }
    return fits(-f->elastic, stored)
               ? CAROM_OK
               : refuse(t, "elastic", f->elastic, "be -d(potential)/d(gap),", -nearer(-f->elastic, stored), err);
}

static carom_status try_point(const normal_trial *t, carom_error *err)
{
    const law_force f = at(t, t->c.gap, t->c.gap_rate);
    carom_status status = check_finite(t, &f, err);
    if (t->c.gap >= 0.0) {
        return status;
    }
    status = status == CAROM_OK ? check_signs(t, &f, err) : status;
    return status == CAROM_OK ? check_derivatives(t, &f, err) : status;
}

/* Approaching, at rest, leaving; at every depth, and at no depth. */
static carom_status try_speeds(normal_trial *t, double depth, double speed, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int k = 0; k < PARTS && status == CAROM_OK; ++k) {
        for (int side = -1; side <= 1 && status == CAROM_OK; ++side) {
            t->c.gap_rate = side * speed;
            t->c.gap = -depth * parts[k];
            status = try_point(t, err);
            t->c.gap = depth * (parts[k] - parts[0]); /* 0 among them */
            status = status == CAROM_OK ? try_point(t, err) : status;
        }
    }
    return status;
}

carom_status normal_try(const carom_user_normal_law_def *def, double restitution, carom_error *err)
{
    double depth = def->probe_depth > 0.0 ? def->probe_depth : DEFAULT_DEPTH;
    double fastest = def->probe_speed > 0.0 ? def->probe_speed : DEFAULT_SPEED;
    carom_status status = CAROM_OK;
    for (int k = 2; k < PARTS && status == CAROM_OK; ++k) {
        for (int j = 2; j <= (def->remembers_approach ? k : 2) && status == CAROM_OK; ++j) {
            /* no faster than it came: laws of a restitution owe nothing beyond */
            normal_trial t = { .def = def, .restitution = restitution };
            t.approach = def->remembers_approach ? fastest * parts[k] : 0.0;
            status = try_speeds(&t, depth, fastest * parts[def->remembers_approach ? j : k], err);
        }
    }
    return status;
}

/* ---- friction laws ------------------------------------------------------------------------------------------------ */

carom_user_friction_output friction_probe(const carom_user_friction_law_def *def, double speed)
{
    const carom_user_friction_input in = { speed, def->numbers.data, def->numbers.count };
    carom_user_friction_output out = { 0 };
    def->friction(&out, &in, def->context);
    return out;
}

static carom_status refuse_friction(const carom_user_friction_law_def *def, double speed, const char *what,
                                    double found, const char *must, double expected, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT,
                      "the friction law '%.60s' breaks its contract at a slip of %g m/s: %s is %g and must %s %g",
                      def->name, speed, what, found, must, expected);
}

static carom_status try_slip(const carom_user_friction_law_def *def, double speed, carom_error *err)
{
    const carom_user_friction_output here = friction_probe(def, speed);
    double h = STEP * (speed > 0.0 ? speed : def->stick);
    const carom_user_friction_output slower = friction_probe(def, speed > h ? speed - h : speed);
    const carom_user_friction_output faster = friction_probe(def, speed + h);
    if (!(isfinite(here.mu) && here.mu >= 0.0)) {
        return refuse_friction(def, speed, "mu", here.mu, "not be below", 0.0, err);
    }
    slopes s = slopes_of(slower.mu, here.mu, faster.mu, h, here.mu / (h / STEP));
    s.before = speed > h ? s.before : s.behind;
    return fits(here.slope, s) ? CAROM_OK
                               : refuse_friction(def, speed, "slope", here.slope, "be", nearer(here.slope, s), err);
}

carom_status friction_try(const carom_user_friction_law_def *def, carom_error *err)
{
    double still = friction_probe(def, 0.0).mu;
    carom_status status = still == 0.0 ? CAROM_OK : refuse_friction(def, 0.0, "mu", still, "be", 0.0, err);
    status = status == CAROM_OK ? try_slip(def, 0.0, err) : status;
    for (int k = 0; k < PARTS && status == CAROM_OK; ++k) {
        status = try_slip(def, 100.0 * def->slide * parts[k], err);
    }
    return status;
}
