/* Spring: a spring and damper along the line from marker A to marker B. With n the unit vector from A to B, length |d|,
 * extension = length - free_length and rate = n . (v_b - v_a), the tension is
 *     T = preload + stiffness extension (or table(extension)) + damping rate + force,
 * A is pulled by T n, B by -T n. Ledger: the first two terms store
 *     preload extension + 1/2 stiffness extension^2 (or the integral of the table from 0),
 * damping dissipates damping rate^2, `force` feeds in -force rate. */
#include "elements/forces/tangent.h"

#include "expr/expr.h"

typedef struct spring_params {
    carom_spring_def def; /* first: as the scene gave it, free_length completed */
    curve table;          /* used when def.table has points                     */
} spring_params;

typedef struct spring_line {
    v3 n_w; /* from A to B; zero where the ends coincide, so that nothing acts and nothing is NaN */
    double length;
    double extension;
    double rate;
} spring_line;

/* Below this length [m] the direction of a spring is rounding. */
static const double SAME_POINT = 1e-12;

static spring_line line_between(const carom_force_frames *f, const carom_spring_def *def)
{
    v3 d = v3_sub(f->b.p_w, f->a.p_w);
    double length = v3_norm(d);
    v3 n = length < SAME_POINT ? v3_zero() : v3_scale(1.0 / length, d);
    return (spring_line){
        .n_w = n,
        .length = length,
        .extension = length - def->free_length,
        .rate = v3_dot(n, v3_sub(f->b.v_w, f->a.v_w)),
    };
}

/* Tension of what stores energy, and its derivative by extension. */
static double elastic_tension(const spring_params *p, double extension, double *slope)
{
    if (p->def.table.count == 0) {
        *slope = p->def.stiffness;
        return p->def.preload + p->def.stiffness * extension;
    }
    double table[3];
    curve_eval(&p->table, extension, table);
    *slope = table[1];
    return p->def.preload + table[0];
}

static double stored(const spring_params *p, double extension)
{
    double elastic = p->def.table.count == 0 ? 0.5 * p->def.stiffness * extension * extension
                                             : curve_integral(&p->table, 0.0, extension);
    return p->def.preload * extension + elastic;
}

static void spring_measure(double *out, const carom_force_frames *f, const void *params)
{
    spring_line line = line_between(f, params);
    out[0] = line.length;
    out[1] = line.extension;
    out[2] = line.rate;
}

static void spring_effect(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const spring_params *p = params;
    spring_line line = line_between(f, &p->def);
    double slope;
    double elastic = elastic_tension(p, line.extension, &slope);
    double given = f->values[0];
    *out = (carom_force_effect){
        .force_a = v3_scale(elastic + p->def.damping * line.rate + given, line.n_w),
        .potential = stored(p, line.extension),
        .dissipation = p->def.damping * line.rate * line.rate,
        .input = -given * line.rate,
    };
}

/* slope n n^T + T/length (I - n n^T) between the points. Left out: negative slopes and the geometric part under
 * compression, which are indefinite, the turning of the lever arms under the force, and how the rate depends on
 * position, which are not symmetric. Damping is exact. */
static void spring_tangent(carom_force_tangent *out, const carom_force_frames *f, const void *params)
{
    const spring_params *p = params;
    tangent_clear(out->stiffness);
    tangent_clear(out->damping);
    spring_line line = line_between(f, &p->def);
    if (line.length < SAME_POINT) {
        return;
    }
    double slope;
    double tension = elastic_tension(p, line.extension, &slope) + p->def.damping * line.rate + f->values[0];
    pair_row stretch = pair_row_of_points(line.n_w, f->a.r_w, f->b.r_w);
    tangent_add(out->stiffness, fmax(slope, 0.0), &stretch);
    tangent_add(out->damping, p->def.damping, &stretch);

    v3 across_1 = v3_across(line.n_w);
    pair_row sway_1 = pair_row_of_points(across_1, f->a.r_w, f->b.r_w);
    pair_row sway_2 = pair_row_of_points(v3_cross(line.n_w, across_1), f->a.r_w, f->b.r_w);
    double string = fmax(tension, 0.0) / line.length;
    tangent_add(out->stiffness, string, &sway_1);
    tangent_add(out->stiffness, string, &sway_2);
}

static carom_status spring_prepare(void *params, const carom_force_frames *f, struct carom_arena *arena,
                                   carom_error *err)
{
    spring_params *p = params;
    double length = v3_norm(v3_sub(f->b.p_w, f->a.p_w));
    if (length < SAME_POINT) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the ends of a spring coincide at the start, so it has no direction; move `at_b` away from "
                          "`at`, or use a bushing");
    }
    if (isnan(p->def.free_length)) {
        p->def.free_length = length;
    }
    if (p->def.table.count == 0) {
        return CAROM_OK;
    }
    if (p->def.stiffness != 0.0) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "a spring has a stiffness of %g N/m and a table, which replaces it; leave one out",
                          p->def.stiffness);
    }
    for (size_t i = 1; i < p->def.table.count; ++i) {
        if (p->def.table.x[i] == p->def.table.x[i - 1]) {
            return carom_fail(err, CAROM_BAD_INPUT,
                              "the table of a spring has two points at an extension of %g m; its force cannot jump",
                              p->def.table.x[i]);
        }
    }
    return curve_prepare(&p->table, &p->def.table, arena, err);
}

static const carom_field spring_fields[] = {
    { .name = "stiffness",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_spring_def, stiffness),
      .dimension = CAROM_DIM_STIFFNESS,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Tension per extension; 0 by default." },
    { .name = "damping",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_spring_def, damping),
      .dimension = CAROM_DIM_DAMPING,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Tension per rate of extension; 0 by default." },
    { .name = "free_length",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_spring_def, free_length),
      .dimension = CAROM_DIM_LENGTH,
      .flags = CAROM_NONNEGATIVE,
      .doc = "Length at which the extension is zero; by default the length at the start." },
    { .name = "preload",
      .kind = CAROM_FIELD_REAL,
      .offset = offsetof(carom_spring_def, preload),
      .dimension = CAROM_DIM_FORCE,
      .doc = "Tension at the free length, negative for compression; 0 by default." },
    { .name = "table",
      .kind = CAROM_FIELD_CURVE,
      .offset = offsetof(carom_spring_def, table),
      .dimension = CAROM_DIM_FORCE,
      .dimension_x = CAROM_DIM_LENGTH,
      .doc = "Tension over extension by points, instead of a stiffness." },
    { .name = "force",
      .kind = CAROM_FIELD_VALUE,
      .offset = offsetof(carom_spring_def, force),
      .dimension = CAROM_DIM_FORCE,
      .doc = "Tension as an expression of length, extension, rate and t, added to the rest and booked as "
             "input; 0 by default." },
    { 0 },
};

static const carom_spring_def spring_defaults = {
    .free_length = (double)NAN,
    .force = { .kind = CAROM_NUMBER, .scale = 1.0, .units = { 1.0, 1.0, 1.0, 1.0, 0.0 } },
};

/* One that only damps is a damper. */
static const char *spring_symbol(const void *params)
{
    const carom_spring_def *def = params;
    bool elastic = def->stiffness != 0.0 || def->table.count > 0 || def->force.kind != CAROM_NUMBER ||
                   def->force.number != 0.0;
    return def->damping != 0.0 && !elastic ? "damper" : "spring";
}

const carom_force_type carom_force_spring = {
    .kind = { .name = "spring",
              .doc = "A spring and damper along the line between two points.",
              .fields = spring_fields,
              .defaults = &spring_defaults,
              .size = sizeof(carom_spring_def) },
    .target = FORCE_ON_PAIR,
    .symbol = spring_symbol,
    .input_account = ACCOUNT_LOADS,
    .dissipation_account = ACCOUNT_DAMPING,
    .measure_count = 3,
    .measures = { { "length", CAROM_DIM_LENGTH }, { "extension", CAROM_DIM_LENGTH }, { "rate", CAROM_DIM_VELOCITY } },
    .measure = spring_measure,
    .effect = spring_effect,
    .tangent = spring_tangent,
    .prepared_size = sizeof(spring_params),
    .prepare = spring_prepare,
};
