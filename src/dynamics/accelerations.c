/* Accelerations and multipliers: paper 1, eq. (25), with six velocities per body instead of seven Euler-parameter
 * rates: M a + J^T sigma = f, J a = -gamma. */
#include "dynamics/contact.h"
#include "dynamics/deformation.h"
#include "dynamics/nodal_forces.h"

#include <string.h>

#include "base/clock.h"
#include "elements/bodies/rigid.h"
#include "model/method.h"

/* Rows of the diagonal block have their first columns and the diagonal. The solver's place is zero at first, and so it stays. */
static void write_wide_mass(const double *M, int width, int full, double *A)
{
    memcpy(A, M, (size_t)full * (size_t)width * sizeof *A);
    for (int i = full; i < width; ++i) {
        memcpy(A + (size_t)i * (size_t)width, M + (size_t)i * (size_t)width, (size_t)full * sizeof *A);
        A[(size_t)i * ((size_t)width + 1)] = M[(size_t)i * ((size_t)width + 1)];
    }
}

void work_write_mass(const carom_scratch *w, saddle *solver)
{
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const model_body *b = &w->model->bodies[i];
        double *A = saddle_body(solver, slot);
        if (body_deforms(b)) { /* tangents fill what the solver of M never sees */
            write_wide_mass(w->mass[slot], b->width, solver == w->kkt ? b->width - body_diagonal(b) : b->width, A);
        } else {
            rigid_mass(A, b->mass, &w->J_w[i]);
        }
    }
}

static void write_wide_rows(const carom_scratch *w, body_place at, const double (*rows)[FRAME_COLUMNS], int count,
                            double *out)
{
    int width = w->model->bodies[at.body].width;
    for (int k = 0; k < count; ++k) {
        work_row_columns(w, at, rows[k], out + k * width);
    }
}

/* Rows of a joint against one of its bodies. */
static void write_side(const carom_scratch *w, const model_joint *joint, int side,
                       const double (*rows)[FRAME_COLUMNS], double *out)
{
    int count = joint->type->equation_count + joint->driver_count;
    if (body_deforms(&w->model->bodies[joint->body[side]])) {
        write_wide_rows(w, joint_place(joint, side), rows, count, out);
    } else {
        memcpy(out, rows, (size_t)count * sizeof *rows);
    }
}

static void write_joint(const carom_scratch *w, saddle *solver, int j)
{
    const model_joint *joint = &w->model->joints[j];
    int place = 0;
    if (joint->type->equation_count + joint->driver_count == 0) {
        return;
    }
    if (w->model->bodies[joint->body[0]].slot >= 0) {
        write_side(w, joint, 0, (const double(*)[FRAME_COLUMNS])w->rows[j].a, saddle_rows(solver, j, place++));
    }
    if (w->model->bodies[joint->body[1]].slot >= 0) {
        write_side(w, joint, 1, (const double(*)[FRAME_COLUMNS])w->rows[j].b, saddle_rows(solver, j, place));
    }
}

/* The distinct free bodies of a coupler, in order of appearance. */
static int coupler_bodies(const carom_model *model, int k, int slots[SADDLE_BODIES])
{
    int count = 0;
    for (int s = 0; s < 4; ++s) {
        int body = model->joints[model->couplers[k].joint[s / 2]].body[s % 2];
        int slot = model->bodies[body].slot;
        bool known = slot < 0;
        for (int i = 0; i < count; ++i) {
            known = known || slots[i] == slot;
        }
        if (!known) {
            slots[count++] = slot;
        }
    }
    return count;
}

static void write_coupler(const carom_scratch *w, saddle *solver, int k)
{
    const model_coupler *c = &w->model->couplers[k];
    int slots[SADDLE_BODIES];
    int count = coupler_bodies(w->model, k, slots);
    for (int i = 0; i < count; ++i) {
        int width = w->model->bodies[w->model->free_bodies[slots[i]]].width;
        memset(saddle_rows(solver, w->model->joint_count + k, i), 0, (size_t)width * sizeof(double));
    }
    for (int s = 0; s < 4; ++s) {
        const model_joint *joint = &w->model->joints[c->joint[s / 2]];
        int slot = w->model->bodies[joint->body[s % 2]].slot;
        double factor = s / 2 == 0 ? c->ratio : 1.0;
        const carom_joint_rows *J = &w->coordinate_rows[c->joint[s / 2]];
        const double *row = s % 2 == 0 ? J->a[c->coordinate[s / 2]] : J->b[c->coordinate[s / 2]];
        for (int i = 0; i < count; ++i) {
            if (slots[i] == slot) {
                work_add_columns(w, joint_place(joint, s % 2), factor, row,
                                 saddle_rows(solver, w->model->joint_count + k, i));
            }
        }
    }
}

void work_write_rows(const carom_scratch *w, saddle *solver)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        write_joint(w, solver, j);
    }
    for (int k = 0; k < w->model->coupler_count; ++k) {
        write_coupler(w, solver, k);
    }
}

carom_status work_layout(const carom_scratch *w, carom_arena *arena, saddle_layout *out, carom_error *err)
{
    const carom_model *model = w->model;
    saddle_block *blocks = CAROM_ARENA_ARRAY(arena, saddle_block, model->joint_count + model->coupler_count);
    int *widths = CAROM_ARENA_ARRAY(arena, int, model->free_count);
    int *diagonals = CAROM_ARENA_ARRAY(arena, int, model->free_count);
    if (!blocks || !widths || !diagonals) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    for (int slot = 0; slot < model->free_count; ++slot) {
        widths[slot] = model->bodies[model->free_bodies[slot]].width;
        diagonals[slot] = body_diagonal(&model->bodies[model->free_bodies[slot]]);
    }
    for (int j = 0; j < model->joint_count; ++j) {
        const model_joint *joint = &model->joints[j];
        saddle_block *b = &blocks[j];
        b->first_row = joint->first_row;
        b->row_count = joint->type->equation_count + joint->driver_count;
        for (int side = 0; b->row_count > 0 && side < 2; ++side) {
            int slot = model->bodies[joint->body[side]].slot;
            if (slot >= 0) {
                b->bodies[b->body_count++] = slot;
            }
        }
    }
    for (int k = 0; k < model->coupler_count; ++k) {
        saddle_block *b = &blocks[model->joint_count + k];
        b->first_row = model->couplers[k].row;
        b->row_count = 1;
        b->body_count = coupler_bodies(model, k, b->bodies);
    }
    *out = (saddle_layout){ .body_count = model->free_count,
                            .widths = widths,
                            .diagonals = diagonals,
                            .row_count = model->row_count,
                            .block_count = model->joint_count + model->coupler_count,
                            .blocks = blocks };
    return CAROM_OK;
}

/* The solver knows bodies by number only; users know them by name. */
static carom_status name_bad_body(const carom_scratch *w, carom_status status, const carom_error *why,
                                  carom_error *err)
{
    int slot = saddle_bad_body(w->kkt);
    const char *name = slot >= 0 ? w->model->bodies[w->model->free_bodies[slot]].name : NULL;
    return carom_fail(err, status, "%s%.100s%s%.500s at t = %.6g s", name ? "body '" : "", name ? name : "",
                      name ? "': " : "", why->message, w->t);
}

carom_status work_factor(carom_scratch *w, carom_error *err)
{
    double start = carom_clock_wall();
    carom_error why = { 0 };
    work_write_mass(w, w->kkt);
    work_write_rows(w, w->kkt);
    carom_status status = saddle_factor(w->kkt, &why);
    w->counters.seconds_solve += carom_clock_wall() - start;
    return status == CAROM_OK ? status : name_bad_body(w, status, &why, err);
}

static void add_coupler_reactions(const carom_scratch *w, double scale, const double *sigma, double *out)
{
    for (int k = 0; k < w->model->coupler_count; ++k) {
        const model_coupler *c = &w->model->couplers[k];
        for (int s = 0; s < 4; ++s) {
            const model_joint *joint = &w->model->joints[c->joint[s / 2]];
            double factor = scale * sigma[c->row] * (s / 2 == 0 ? c->ratio : 1.0);
            const carom_joint_rows *J = &w->coordinate_rows[c->joint[s / 2]];
            const double *row = s % 2 == 0 ? J->a[c->coordinate[s / 2]] : J->b[c->coordinate[s / 2]];
            work_add_row(w, joint_place(joint, s % 2), factor, row, out);
        }
    }
}

void work_add_reactions(const carom_scratch *w, double scale, const double *sigma, double *out)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        const carom_joint_rows *J = &w->rows[j];
        int count = joint->type->equation_count + joint->driver_count;
        work_add_rows(w, joint_place(joint, 0), scale, sigma + joint->first_row, (const double(*)[FRAME_COLUMNS])J->a,
                      count, out);
        work_add_rows(w, joint_place(joint, 1), scale, sigma + joint->first_row, (const double(*)[FRAME_COLUMNS])J->b,
                      count, out);
    }
    add_coupler_reactions(w, scale, sigma, out);
}

/* The wrench of rows times -sigma on one body about the origin of its frame. */
static body_rate reaction_on(const double (*rows)[FRAME_COLUMNS], int count, const double *sigma)
{
    double sum[FRAME_COLUMNS] = { 0.0 };
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < FRAME_COLUMNS; ++i) {
            sum[i] += -sigma[k] * rows[k][i];
        }
    }
    return (body_rate){ v3_load(sum), v3_load(sum + 3) };
}

static void count_side(carom_scratch *w, int body, body_rate reaction, bool other_is_free)
{
    v3 F = reaction.v_w;
    v3 T = reaction.omega_w;
    if (w->model->bodies[body].slot < 0) { /* what it takes to move the prescribed side */
        w->power.work[ACCOUNT_MOTION] -= v3_dot(F, w->rate[body].v_w) + v3_dot(T, w->rate[body].omega_w);
    } else if (!other_is_free) {
        w->power.impulse = v3_add(w->power.impulse, F);
        w->power.angular_impulse = v3_add(w->power.angular_impulse, v3_add(T, v3_cross(w->pose[body].x_w, F)));
    }
}

/* Reactions do work only through prescribed motion: drivers (-sigma f') and kinematic bodies. */
void work_count_reactions(carom_scratch *w)
{
    for (int j = 0; j < w->model->joint_count; ++j) {
        const model_joint *joint = &w->model->joints[j];
        int count = joint->type->equation_count + joint->driver_count;
        bool free_a = w->model->bodies[joint->body[0]].slot >= 0;
        bool free_b = w->model->bodies[joint->body[1]].slot >= 0;
        const double *sigma = w->sigma + joint->first_row;
        if (!free_a || !free_b) {
            count_side(w, joint->body[0], reaction_on((const double(*)[FRAME_COLUMNS])w->rows[j].a, count, sigma),
                       free_b);
            count_side(w, joint->body[1], reaction_on((const double(*)[FRAME_COLUMNS])w->rows[j].b, count, sigma),
                       free_a);
        }
        for (int d = 0; d < joint->driver_count; ++d) {
            int row = joint->type->equation_count + d;
            w->power.work[ACCOUNT_MOTION] -= sigma[row] * w->driver[joint->first_row + row][1];
        }
    }
    for (int k = 0; k < w->model->coupler_count; ++k) {
        const model_coupler *c = &w->model->couplers[k];
        for (int s = 0; s < 2; ++s) {
            const model_joint *joint = &w->model->joints[c->joint[s]];
            double sigma = w->sigma[c->row] * (s == 0 ? c->ratio : 1.0);
            bool free_a = w->model->bodies[joint->body[0]].slot >= 0;
            bool free_b = w->model->bodies[joint->body[1]].slot >= 0;
            if (free_a && free_b) {
                continue;
            }
            const carom_joint_rows *J = &w->coordinate_rows[c->joint[s]];
            count_side(w, joint->body[0],
                       reaction_on((const double(*)[FRAME_COLUMNS]) & J->a[c->coordinate[s]], 1, &sigma), free_b);
            count_side(w, joint->body[1],
                       reaction_on((const double(*)[FRAME_COLUMNS]) & J->b[c->coordinate[s]], 1, &sigma), free_a);
        }
    }
}

void work_settle_reactions(carom_scratch *w)
{
    saddle_least_norm(w->kkt, w->sigma);
}

void work_accelerations(carom_scratch *w)
{
    double start = carom_clock_wall();
    memcpy(w->x, w->f, (size_t)w->model->column_count * sizeof *w->x);
    for (int k = 0; k < w->model->row_count; ++k) {
        w->y[k] = -w->gamma[k];
    }
    saddle_solve(w->kkt, w->x, w->y);
    memset(w->q_ddot, 0, (size_t)w->model->deform_count * sizeof *w->q_ddot);
    memcpy(w->acceleration, w->prescribed, (size_t)w->model->body_count * sizeof *w->acceleration);
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const double *a = w->x + w->model->bodies[i].column;
        w->acceleration[i] = (body_rate){ v3_load(a), v3_load(a + 3) };
    }
    columns_to_deformation(w->model, 1.0, w->x, w->q_ddot);
    for (int k = 0; k < w->model->nodal_count; ++k) {
        nodal_accelerate(w, k);
    }
    memcpy(w->sigma, w->y, (size_t)w->model->row_count * sizeof *w->sigma);
    if (w->contact && w->model->method->forces->react) {
        w->model->method->forces->react(w->contact, w);
    }
    work_count_reactions(w);
    w->counters.evaluations++;
    w->counters.seconds_solve += carom_clock_wall() - start;
}

void work_count_assembly(carom_scratch *w, double start, double detection)
{
    work_counters *c = &w->counters;
    c->seconds_assembly += carom_clock_wall() - start - (c->seconds_detection - detection);
}

carom_status work_interrupted(const carom_scratch *w, carom_error *err)
{
    return carom_fail(err, CAROM_INTERRUPTED, "interrupted at t = %.6g s", w->t);
}

carom_status work_may_go_on(carom_scratch *w, carom_error *err)
{
    bool failed = w->out_of_memory;
    w->out_of_memory = false;
    if (failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    return carom_stop_asked(&w->stop) ? work_interrupted(w, err) : CAROM_OK;
}

carom_status work_evaluate(carom_scratch *w, double t, motion at, carom_error *err)
{
    double start = carom_clock_wall();
    double detection = w->counters.seconds_detection;
    work_place(w, t, at);
    work_constraints(w);
    work_forces(w);
    work_count_assembly(w, start, detection);
    carom_status status = work_may_go_on(w, err);
    if (status != CAROM_OK) {
        return status;
    }
    status = work_factor(w, err);
    if (status == CAROM_OK) {
        work_accelerations(w);
    }
    return status == CAROM_OK && carom_stop_seen(&w->stop) ? work_interrupted(w, err) : status; /* by contact */
}

double work_kinetic(const carom_scratch *w)
{
    double energy = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        energy += work_body_kinetic(w, w->model->free_bodies[slot]);
    }
    for (int k = 0; k < w->model->nodal_count; ++k) {
        energy += nodal_kinetic(w, k);
    }
    return energy;
}

double work_mass_product(const carom_scratch *w, motion_rates x, motion_rates y)
{
    double sum = 0.0;
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const model_body *b = &w->model->bodies[i];
        sum += body_deforms(b) ? deformation_mass_product(w, i, x, y)
                               : rigid_mass_product(b->mass, &w->J_w[i], &x.rate[i], &y.rate[i]);
    }
    for (int k = 0; k < w->model->nodal_count; ++k) {
        sum += nodal_mass_product(w, k, x.q_dot, y.q_dot);
    }
    return sum;
}

double work_body_kinetic(const carom_scratch *w, int body)
{
    const model_body *b = &w->model->bodies[body];
    return body_deforms(b) ? deformation_kinetic(w, body) : rigid_kinetic(b->mass, &w->J_w[body], &w->rate[body]);
}

v3 work_center(const carom_scratch *w, int body)
{
    return body_deforms(&w->model->bodies[body]) ? deformation_center(w, body) : w->pose[body].x_w;
}

void work_momentum(const carom_scratch *w, v3 *linear, v3 *angular)
{
    *linear = v3_zero();
    *angular = v3_zero();
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        v3 p = v3_scale(w->model->bodies[i].mass, w->rate[i].v_w);
        v3 spin = m3_mulv(w->J_w[i], w->rate[i].omega_w);
        if (body_deforms(&w->model->bodies[i])) {
            const body_rate momentum = deformation_momentum(w, i);
            p = momentum.v_w;
            spin = momentum.omega_w;
        }
        *linear = v3_add(*linear, p);
        *angular = v3_add(*angular, v3_add(spin, v3_cross(w->pose[i].x_w, p)));
    }
    for (int k = 0; k < w->model->nodal_count; ++k) {
        nodal_add_momentum(w, k, linear, angular);
    }
}
