/* LuGre friction [Canudas de Wit, Olsson, Astrom, Lischinsky 1995], per normal force, in the tangent plane: bristles
 * bend by z as the surfaces slip at v, and hold like springs before they give way:
 *     z' = v - lambda z,   lambda = sigma_0 |v| / g(v),   g(v) = mu_d + (mu_s - mu_d) s(v),   s(v) = exp(-(v/v_s)^2),
 *     force = -N (sigma_0 z + sigma_1 s(v) z' + sigma_2 v).
 * At steady slip sigma_0 z = g(v) along the slip; below mu_s N a contact holds, without creep.
 *
 * The damping of bristles fades with speed, as in [Olsson1998]. With V = N sigma_0 z^2/2 stored, what is lost is
 * a quadratic form in z and v that is nowhere negative if and only if sigma_1 s (sigma_1 s |v|/g - 4) <= 4 sigma_2. A
 * constant sigma_1 breaks this at speeds above 4 g/sigma_1 and makes huge forces when slip turns round. With s the
 * largest of sigma_1 s |v| is sigma_1 v_s/sqrt(2 e), so that sigma_1 <= 4 sqrt(2 e) min(mu_s, mu_d)/v_s is enough.
 *
 * Over a step z moves with the mean slip of both ends, exactly for constant slip:
 *     z_1 = exp(-x) z_0 + phi(x) h v,   x = lambda h,   phi(x) = (1 - exp(-x))/x.
 * z_1 lies between z_0 and the steady state g/sigma_0, so |sigma_0 z| never exceeds the larger of mu_s and mu_d, for any
 * step; the error is of second order. */
#include "elements/laws/friction.h"

/* Curves of the law at slip speed v, with derivatives. */
typedef struct stribeck {
    double g;
    double g_slope;       /* [s/m] */
    double damping;       /* [s/m] sigma_1 s(v) */
    double damping_slope; /* [s^2/m^2] */
    double lambda;        /* [1/s] */
    double lambda_slope;  /* [1/m] */
} stribeck;

static stribeck stribeck_at(const carom_lugre_friction_def *def, double v)
{
    double w = v / def->v_s;
    double s = exp(-w * w);
    double s_slope = -2.0 * w * s / def->v_s;
    stribeck c = {
        .g = def->mu_d + (def->mu_s - def->mu_d) * s,
        .g_slope = (def->mu_s - def->mu_d) * s_slope,
        .damping = def->sigma_1 * s,
        .damping_slope = def->sigma_1 * s_slope,
    };
    c.lambda = def->sigma_0 * v / c.g;
    c.lambda_slope = (def->sigma_0 - c.lambda * c.g_slope) / c.g;
    return c;
}

/* (1 - exp(-x))/x and its derivative; near 0 by their series. */
static double decay_mean(double x, double *slope)
{
    const double SMALL = 1e-3;
    if (x < SMALL) {
        *slope = -0.5 + x * (1.0 / 3.0 - x * (0.125 - x / 30.0));
        return 1.0 - x * (0.5 - x * (1.0 / 6.0 - x / 24.0));
    }
    double mean = -expm1(-x) / x;
    *slope = (exp(-x) - mean) / x;
    return mean;
}

/* The bristle at the end of the step, and how it changes with the mean slip v: dz = by_speed d|v| + by_slip dv. */
typedef struct bristle_step {
    v3 slip; /* [m/s] mean over the step */
    v3 z;    /* [m] */
    v3 by_speed;
    double by_slip; /* [s] */
} bristle_step;

static bristle_step bend(const friction_input *in, const carom_lugre_friction_def *def)
{
    v3 slip = v3_scale(0.5, v3_add(in->slip_begin, in->slip));
    stribeck c = stribeck_at(def, v3_norm(slip));
    double h = in->dt;
    double slope;
    double mean = decay_mean(c.lambda * h, &slope);
    double left = exp(-c.lambda * h);
    v3 by_x = v3_axpy(v3_scale(-left, in->bristle), h * slope, slip);
    return (bristle_step){
        .slip = slip,
        .z = v3_axpy(v3_scale(left, in->bristle), h * mean, slip),
        .by_speed = v3_scale(h * c.lambda_slope, by_x),
        .by_slip = h * mean,
    };
}

/* What z changes along itself per change of the end's slip in a direction, half of which goes to the mean. `part` is
 * that direction's part of the mean slip: the change of speed is part/|v|, felt along the direction by part.by_speed. */
static double bristle_slope(const bristle_step *b, v3 part)
{
    double speed = v3_norm(b->slip);
    double turned = speed > 0.0 ? v3_dot(part, b->by_speed) / speed : 0.0;
    return 0.5 * (turned + b->by_slip);
}

static void add_tangents(friction_force *f, const friction_input *in, const carom_lugre_friction_def *def,
                         const bristle_step *b, const stribeck *c)
{
    double speed = v3_norm(in->slip);
    v3 t = speed > 0.0 ? v3_scale(1.0 / speed, in->slip) : v3_zero();
    v3 mean_along = v3_scale(v3_dot(b->slip, t), t);
    double z_along = speed > 0.0 ? bristle_slope(b, mean_along) : 0.5 * b->by_slip;
    double z_across = speed > 0.0 ? bristle_slope(b, v3_sub(b->slip, mean_along)) : 0.5 * b->by_slip;
    double z_t = v3_dot(b->z, t);
    double rate_along = 1.0 - c->lambda * z_along - (speed > 0.0 ? c->lambda_slope * z_t : 0.0);
    double rate_across = 1.0 - c->lambda * z_across;
    double along = def->sigma_0 * z_along + c->damping * rate_along + def->sigma_2 +
                   c->damping_slope * (speed - c->lambda * z_t);
    double across = def->sigma_0 * z_across + c->damping * rate_across + def->sigma_2;
    f->along = in->normal * max_or_nan(along, 0.0);
    f->across = in->normal * max_or_nan(across, 0.0);
}

static friction_force lugre_force(const friction_input *in, const void *params)
{
    const carom_lugre_friction_def *def = params;
    bristle_step b = bend(in, def);
    stribeck c = stribeck_at(def, v3_norm(in->slip));
    v3 z_rate = v3_axpy(in->slip, -c.lambda, b.z);
    v3 per_normal = v3_axpy(v3_scale(def->sigma_0, b.z), c.damping, z_rate);
    per_normal = v3_axpy(per_normal, def->sigma_2, in->slip);
    friction_force f = { .force = v3_scale(-in->normal, per_normal), .bristle = b.z };
    add_tangents(&f, in, def, &b, &c);
    return f;
}

static double lugre_coefficient(const void *params)
{
    return ((const carom_lugre_friction_def *)params)->mu_d;
}

static double lugre_static_coefficient(const void *params)
{
    return ((const carom_lugre_friction_def *)params)->mu_s;
}

/* Bristles that bend and swing back move at up to about v_s; contacts that have let go are faster. */
static friction_speeds lugre_speeds(const void *params)
{
    const carom_lugre_friction_def *def = params;
    return (friction_speeds){ .stick = def->v_s, .slide = 2.0 * def->v_s };
}

/* 4 sqrt(2 e) */
static const double PASSIVE = 9.326575740;

static carom_status check_passive(const carom_lugre_friction_def *def, carom_error *err)
{
    double largest = PASSIVE * fmin(def->mu_s, def->mu_d) / def->v_s;
    return def->sigma_1 <= largest
               ? CAROM_OK
               : carom_fail(err, CAROM_BAD_INPUT,
                            "sigma_1 of the friction law 'lugre' is %g s/m, with which it could feed energy in; with "
                            "mu_s %g, mu_d %g and v_s %g m/s give at most %g, or a smaller v_s",
                            def->sigma_1, def->mu_s, def->mu_d, def->v_s, largest);
}

static carom_status lugre_check(const void *params, carom_error *err)
{
    const carom_lugre_friction_def *def = params;
    carom_status status = friction_check(def->mu_s, true, "mu_s", "lugre", err);
    status = status == CAROM_OK ? friction_check(def->mu_d, true, "mu_d", "lugre", err) : status;
    status = status == CAROM_OK ? friction_check(def->v_s, true, "v_s", "lugre", err) : status;
    status = status == CAROM_OK ? friction_check(def->sigma_0, true, "sigma_0", "lugre", err) : status;
    status = status == CAROM_OK ? friction_check(def->sigma_1, false, "sigma_1", "lugre", err) : status;
    status = status == CAROM_OK ? friction_check(def->sigma_2, false, "sigma_2", "lugre", err) : status;
    return status == CAROM_OK ? check_passive(def, err) : status;
}

static const carom_field lugre_fields[] = {
    { .name = "mu_s",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_lugre_friction_def, mu_s),
      .flags = CAROM_POSITIVE,
      .doc = "Coefficient of friction up to which the contact holds; 0.3 by default." },
    { .name = "mu_d",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_lugre_friction_def, mu_d),
      .flags = CAROM_POSITIVE,
      .doc = "Coefficient of friction of fast sliding; 0.2 by default." },
    { .name = "v_s",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_lugre_friction_def, v_s),
      .dimension = CAROM_DIM_VELOCITY,
      .flags = CAROM_POSITIVE,
      .doc = "Slip speed over which friction falls from mu_s to mu_d (Stribeck); 5 mm/s by default." },
    { .name = "sigma_0",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_lugre_friction_def, sigma_0),
      .dimension = { -1, 0, 0, 0 },
      .flags = CAROM_POSITIVE,
      .doc = "Stiffness of the bristles per normal force; mu_s/sigma_0 is how far a contact gives before it slips; "
             "30000 1/m by default, 10 micrometres at mu_s = 0.3." },
    { .name = "sigma_1",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_lugre_friction_def, sigma_1),
      .dimension = { -1, 0, 1, 0 },
      .flags = CAROM_NONNEGATIVE,
      .doc = "Damping of the bristles per normal force; a body held by friction under its own weight is damped "
             "critically by 2 sqrt(sigma_0/9.81); 100 s/m by default." },
    { .name = "sigma_2",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_lugre_friction_def, sigma_2),
      .dimension = { -1, 0, 1, 0 },
      .flags = CAROM_NONNEGATIVE,
      .doc = "Viscous friction per normal force; 0 by default." },
    { 0 },
};

static const carom_lugre_friction_def lugre_defaults = {
    .mu_s = 0.3, .mu_d = 0.2, .v_s = 5e-3, .sigma_0 = 3e4, .sigma_1 = 100.0
};

const carom_friction_law carom_friction_law_lugre = {
    .kind = { .name = "lugre",
              .doc =
                  "Bristles that bend before they slip: true sticking without creep, falling friction, a lag behind "
                  "changes of speed.",
              .fields = lugre_fields,
              .defaults = &lugre_defaults,
              .size = sizeof(carom_lugre_friction_def) },
    .check = lugre_check,
    .force = lugre_force,
    .speeds = lugre_speeds,
    .has_bristles = true,
    .coefficient = lugre_coefficient,
    .static_coefficient = lugre_static_coefficient,
};
