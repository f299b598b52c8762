/* Forces of kind "user". The function sees markers and says what acts on A; the rest is done here.
 *
 * Reaction: B gets the opposite wrench at the point of marker A, brought to marker B: -F, and -T - (p_a - p_b) x F.
 * Ledger: input = power + dV/dt + dissipation, so that the books balance whatever the function says of V and losses.
 * Tangent: matrices over the markers' motions, asked for or made of differences, are carried to the centres of mass by the
 * lever arms, v = v_c - [r]x omega: K_c = T^T K T. The turning of lever arms under the force is left out. */
#include "elements/forces/user.h"

#include <ctype.h>
#include <string.h>

#include "elements/forces/semidefinite.h"
#include "math/quat.h"

/* ---- calling ---------------------------------------------------------------------------------------------------- */

static carom_user_marker marker_seen(const marker *m)
{
    return (carom_user_marker){
        .position = m->p_w,
        .x = marker_x(m),
        .y = marker_y(m),
        .z = marker_z(m),
        .velocity = m->v_w,
        .angular_velocity = m->omega_w,
    };
}

static carom_user_force_input input_of(const carom_force_frames *f, const carom_user_force_def *def)
{
    return (carom_user_force_input){
        .t = f->t,
        .a = marker_seen(&f->a),
        .b = marker_seen(&f->b),
        .mass = f->mass,
        .coordinate = f->coordinate,
        .rate = f->coordinate_rate,
        .inputs = f->inputs,
        .input_count = f->input_count,
        .numbers = def->numbers.data,
        .number_count = def->numbers.count,
    };
}

static carom_user_force_output ask(const carom_user_force_input *in, const carom_user_force_def *def)
{
    carom_user_force_output out = { 0 };
    def->force(&out, in, def->context);
    return out;
}

static void user_measure(double *out, const carom_force_frames *f, const void *params)
{
    const carom_user_force_def *def = params;
    const carom_user_force_input in = input_of(f, def);
    const carom_user_force_output said = ask(&in, def);
    memcpy(out, said.measures, def->measures.count * sizeof *out);
}

/* ---- effects ---------------------------------------------------------------------------------------------------- */

static double booked(const carom_user_force_output *said, double power)
{
    return power + said->potential_rate + said->dissipation;
}

static void effect_on_joint(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_user_force_def *def = params;
    const carom_user_force_input in = input_of(f, def);
    const carom_user_force_output said = ask(&in, def);
    *out = (carom_force_effect){
        .generalised = said.along,
        .potential = said.potential,
        .dissipation = said.dissipation,
        .input = booked(&said, said.along * f->coordinate_rate),
    };
}

static void effect_on_body(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_user_force_def *def = params;
    const carom_user_force_input in = input_of(f, def);
    const carom_user_force_output said = ask(&in, def);
    *out = (carom_force_effect){
        .force_a = said.force,
        .torque_a = said.torque,
        .potential = said.potential,
        .dissipation = said.dissipation,
        .input = booked(&said, v3_dot(said.force, f->a.v_w) + v3_dot(said.torque, f->a.omega_w)),
    };
}

/* The torque on B about marker B that opposes force and torque on A. */
static v3 reaction(const carom_user_force_input *in, const carom_user_force_output *said)
{
    v3 arm = v3_sub(in->a.position, in->b.position);
    return v3_neg(v3_add(said->torque, v3_cross(arm, said->force)));
}

static void effect_on_pair(carom_force_effect *out, const carom_force_frames *f, const void *params)
{
    const carom_user_force_def *def = params;
    const carom_user_force_input in = input_of(f, def);
    const carom_user_force_output said = ask(&in, def);
    v3 torque_b = reaction(&in, &said);
    double power = v3_dot(said.force, v3_sub(f->a.v_w, f->b.v_w)) + v3_dot(said.torque, f->a.omega_w) +
                   v3_dot(torque_b, f->b.omega_w);
    *out = (carom_force_effect){
        .force_a = said.force,
        .torque_a = said.torque,
        .torque_b = torque_b,
        .potential = said.potential,
        .dissipation = said.dissipation,
        .input = booked(&said, power),
    };
}

/* ---- tangents by differences ------------------------------------------------------------------------------------ */

/* Steps of differences as a part of what they are added to; one thousandth of a unit is the least that counts. */
static const double RELATIVE_STEP = 1e-6;
static const double LEAST_SCALE = 1e-3;

static double step_for(double scale)
{
    return RELATIVE_STEP * (scale + LEAST_SCALE);
}

/* Force and torque on A, then on B. */
static void wrenches(const carom_user_force_input *in, const carom_user_force_def *def, double out[PAIR_COLUMNS])
{
    const carom_user_force_output said = ask(in, def);
    v3_store(out, said.force);
    v3_store(out + 3, said.torque);
    v3_store(out + FRAME_COLUMNS, v3_neg(said.force));
    v3_store(out + FRAME_COLUMNS + 3, reaction(in, &said));
}

static v3 axis(int k)
{
    return v3_make(k == 0, k == 1, k == 2);
}

static void turn(carom_user_marker *m, v3 by)
{
    quat q = so3_exp(by);
    m->x = q_rotate(q, m->x);
    m->y = q_rotate(q, m->y);
    m->z = q_rotate(q, m->z);
}

/* Moves one of the six freedoms of a marker, or changes its velocity. */
static void move(carom_user_marker *m, int freedom, bool velocity, double by)
{
    v3 d = v3_scale(by, axis(freedom % 3));
    if (velocity) {
        v3 *changed = freedom < 3 ? &m->velocity : &m->angular_velocity;
        *changed = v3_add(*changed, d);
    } else if (freedom < 3) {
        m->position = v3_add(m->position, d);
    } else {
        turn(m, d);
    }
}

static double freedom_step(const carom_user_force_input *in, const carom_user_marker *m, int freedom, bool velocity)
{
    if (velocity) {
        return step_for(v3_norm(freedom < 3 ? m->velocity : m->angular_velocity));
    }
    return step_for(freedom < 3 ? v3_norm(v3_sub(in->b.position, in->a.position)) : 1.0);
}

/* Minus the derivative of the wrenches, by columns. */
static void differences(const carom_user_force_input *in, const carom_user_force_def *def, int freedoms,
                        bool velocity, double out[PAIR_COLUMNS][PAIR_COLUMNS])
{
    double here[PAIR_COLUMNS], there[PAIR_COLUMNS];
    wrenches(in, def, here);
    for (int k = 0; k < freedoms; ++k) {
        carom_user_force_input moved = *in;
        carom_user_marker *m = k < FRAME_COLUMNS ? &moved.a : &moved.b;
        double h = freedom_step(in, m, k % FRAME_COLUMNS, velocity);
        move(m, k % FRAME_COLUMNS, velocity, h);
        wrenches(&moved, def, there);
        for (int row = 0; row < freedoms; ++row) {
            out[row][k] = -(there[row] - here[row]) / h;
        }
    }
}

/* ---- carrying to the centres of mass ---------------------------------------------------------------------------- */

static m3 block_of(double matrix[PAIR_COLUMNS][PAIR_COLUMNS], int row, int column)
{
    m3 block;
    for (int k = 0; k < 9; ++k) {
        block.m[k] = matrix[row + k / 3][column + k % 3];
    }
    return block;
}

static void add_block(double matrix[PAIR_COLUMNS][PAIR_COLUMNS], int row, int column, m3 block)
{
    for (int k = 0; k < 9; ++k) {
        matrix[row + k / 3][column + k % 3] += block.m[k];
    }
}

/* With v = v_c - S omega, S = [r]x: columns of turns get -K_v S, rows of torques + S K_v. */
static void carry(double matrix[PAIR_COLUMNS][PAIR_COLUMNS], const v3 levers[2], int sides)
{
    for (int side = 0; side < sides; ++side) {
        m3 S = m3_skew(levers[side]);
        int at = FRAME_COLUMNS * side;
        for (int row = 0; row < FRAME_COLUMNS * sides; row += 3) {
            add_block(matrix, row, at + 3, m3_scale(-1.0, m3_mul(block_of(matrix, row, at), S)));
        }
    }
    for (int side = 0; side < sides; ++side) {
        m3 S = m3_skew(levers[side]);
        int at = FRAME_COLUMNS * side;
        for (int column = 0; column < FRAME_COLUMNS * sides; column += 3) {
            add_block(matrix, at + 3, column, m3_mul(S, block_of(matrix, at, column)));
        }
    }
}

static void make_symmetric(double matrix[PAIR_COLUMNS][PAIR_COLUMNS], int n)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            matrix[i][j] = matrix[j][i] = 0.5 * (matrix[i][j] + matrix[j][i]);
        }
    }
}

static void clear(double matrix[PAIR_COLUMNS][PAIR_COLUMNS])
{
    memset(matrix, 0, sizeof(double[PAIR_COLUMNS][PAIR_COLUMNS]));
}

static void tangent_on_sides(carom_force_tangent *out, const carom_force_frames *f, const carom_user_force_def *def,
                             int sides)
{
    const carom_user_force_input in = input_of(f, def);
    const v3 levers[2] = { f->a.r_w, f->b.r_w };
    clear(out->stiffness);
    clear(out->damping);
    double(*const matrices[2])[PAIR_COLUMNS] = { out->stiffness, out->damping };
    carom_user_force_tangent said = { 0 };
    if (def->tangent) {
        def->tangent(&said, &in, def->context);
        memcpy(out->stiffness, said.stiffness, sizeof out->stiffness);
        memcpy(out->damping, said.damping, sizeof out->damping);
    }
    for (int k = 0; k < 2; ++k) {
        if (!def->tangent) {
            differences(&in, def, FRAME_COLUMNS * sides, k == 1, matrices[k]);
        }
        make_symmetric(matrices[k], FRAME_COLUMNS * sides);
        if (!def->tangent) {
            semidefinite_part(&matrices[k][0][0], FRAME_COLUMNS * sides, PAIR_COLUMNS);
        }
        carry(matrices[k], levers, sides);
    }
}

static void tangent_on_body(carom_force_tangent *out, const carom_force_frames *f, const void *params)
{
    tangent_on_sides(out, f, params, 1);
}

static void tangent_on_pair(carom_force_tangent *out, const carom_force_frames *f, const void *params)
{
    tangent_on_sides(out, f, params, 2);
}

/* Minus the derivative of the force along the coordinate; a negative one would make the matrix indefinite. */
static double along_difference(const carom_user_force_input *in, const carom_user_force_def *def, bool rate)
{
    carom_user_force_input moved = *in;
    double *number = rate ? &moved.rate : &moved.coordinate;
    double h = step_for(fabs(*number));
    *number += h;
    return fmax(0.0, -(ask(&moved, def).along - ask(in, def).along) / h);
}

static void tangent_on_joint(carom_force_tangent *out, const carom_force_frames *f, const void *params)
{
    const carom_user_force_def *def = params;
    const carom_user_force_input in = input_of(f, def);
    if (!def->tangent) {
        out->coordinate_stiffness = along_difference(&in, def, false);
        out->coordinate_damping = along_difference(&in, def, true);
        return;
    }
    carom_user_force_tangent said = { 0 };
    def->tangent(&said, &in, def->context);
    out->coordinate_stiffness = said.along_stiffness;
    out->coordinate_damping = said.along_damping;
}

/* ---- definition ------------------------------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    bool good = name && (isalpha((unsigned char)name[0]) || name[0] == '_');
    for (const char *c = name; good && *c; ++c) {
        good = isalnum((unsigned char)*c) || *c == '_';
    }
    return good;
}

static carom_status check_measure(const carom_user_force_def *def, size_t index, carom_error *err)
{
    const carom_user_measure *measures = def->measures.items;
    const char *name = measures[index].name;
    if (!is_name(name)) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "measure %zu of the force law '%.60s' is called '%.60s'; letters, digits and _ only, not a "
                          "digit first",
                          index, def->law, name ? name : "");
    }
    for (size_t k = 0; k < index; ++k) {
        if (strcmp(measures[k].name, name) == 0) {
            return carom_fail(err, CAROM_BAD_INPUT, "two measures of the force law '%.60s' are called '%.60s'",
                              def->law, name);
        }
    }
    return CAROM_OK;
}

carom_status force_user_check(const carom_user_force_def *def, carom_error *err)
{
    if (!def->law || !def->law[0]) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "a force of kind 'user' needs `law`, a name: it stands for the function in the model's hash");
    }
    if (!def->force) {
        return carom_fail(err, CAROM_BAD_INPUT, "the force law '%.60s' has no function: `force` is NULL", def->law);
    }
    if (def->measures.count > CAROM_USER_MEASURES) {
        return carom_fail(err, CAROM_BAD_INPUT, "the force law '%.60s' has %zu measures; there may be %d", def->law,
                          def->measures.count, CAROM_USER_MEASURES);
    }
    carom_status status = CAROM_OK;
    for (size_t k = 0; k < def->measures.count && def->measures.items && status == CAROM_OK; ++k) {
        status = check_measure(def, k, err);
    }
    return status;
}

static const carom_field measure_fields[] = {
    { .name = "name",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_user_measure, name),
      .flags = CAROM_REQUIRED },
    { 0 },
};

static const carom_user_measure measure_defaults = { .name = NULL };

/* What the spec copies and the model's hash knows; functions and context go along as they are. */
static const carom_field user_fields[] = {
    { .name = "law",
      .kind = CAROM_FIELD_TEXT,
      .offset = offsetof(carom_user_force_def, law),
      .flags = CAROM_REQUIRED },
    { .name = "version", .kind = CAROM_FIELD_INT, .offset = offsetof(carom_user_force_def, version) },
    { .name = "numbers", .kind = CAROM_FIELD_REALS, .offset = offsetof(carom_user_force_def, numbers) },
    { .name = "measures",
      .kind = CAROM_FIELD_LIST,
      .offset = offsetof(carom_user_force_def, measures),
      .fields = measure_fields,
      .item_defaults = &measure_defaults,
      .size = sizeof(carom_user_measure) },
    { 0 },
};

static const carom_user_force_def user_defaults = { .law = NULL };

#define USER_KIND                                                                                               \
    {                                                                                                           \
        .name = "user", .doc = "A function of the program.", .fields = user_fields, .defaults = &user_defaults, \
        .size = sizeof(carom_user_force_def)                                                                    \
    }

static const char *user_symbol(const void *params)
{
    (void)params;
    return "user";
}

static const carom_force_type user_types[] = {
    [FORCE_ON_PAIR] = { .kind = USER_KIND,
                        .target = FORCE_ON_PAIR,
                        .symbol = user_symbol,
                        .input_account = ACCOUNT_LOADS,
                        .dissipation_account = ACCOUNT_DAMPING,
                        .effect = effect_on_pair,
                        .tangent = tangent_on_pair },
    [FORCE_ON_BODY] = { .kind = USER_KIND,
                        .target = FORCE_ON_BODY,
                        .symbol = user_symbol,
                        .input_account = ACCOUNT_LOADS,
                        .dissipation_account = ACCOUNT_DAMPING,
                        .effect = effect_on_body,
                        .tangent = tangent_on_body },
    [FORCE_ON_JOINT] = { .kind = USER_KIND,
                         .target = FORCE_ON_JOINT,
                         .symbol = user_symbol,
                         .input_account = ACCOUNT_LOADS,
                         .dissipation_account = ACCOUNT_DAMPING,
                         .effect = effect_on_joint,
                         .tangent = tangent_on_joint },
};

const carom_kind *force_user_kind(void)
{
    return &user_types[0].kind;
}

_Static_assert(CAROM_USER_MEASURES == (int)FORCE_MEASURES, "a force has room for all its measures");

const carom_force_type *force_user_on(force_target target)
{
    return &user_types[target];
}

const carom_force_type *force_user_measured(carom_arena *arena, const carom_force_type *type,
                                            const carom_user_force_def *def)
{
    carom_force_type *own = carom_arena_copy(arena, type, sizeof *own);
    const carom_user_measure *measures = def->measures.items;
    for (size_t k = 0; own && k < def->measures.count; ++k) {
        own->measures[k] = (force_measure){ measures[k].name, measures[k].dimension };
        own->measure = user_measure;
        own->measure_count = (int)def->measures.count;
    }
    return own;
}
