#include "contact/response.h"

#include <string.h>

#include "dynamics/columns.h"

void responses_create(row_responses *r, carom_arena *arena, const carom_model *model, size_t rows)
{
    *r = (row_responses){ .model = model };
    r->rows = CAROM_ARENA_ARRAY(arena, contact_row, rows);
    r->X = CAROM_ARENA_ARRAY(arena, double, rows *(size_t)model->column_count);
    r->Y = CAROM_ARENA_ARRAY(arena, double, rows *(size_t)model->row_count + 1);
}

static double *X_of(const row_responses *r, int row)
{
    return r->X + (size_t)row * (size_t)r->model->column_count;
}

static double *Y_of(const row_responses *r, int row)
{
    return r->Y + (size_t)row * (size_t)r->model->row_count;
}

/* ---- one row ------------------------------------------------------------------------------------------------------- */

int response_component(const carom_scratch *w, int body)
{
    int slot = w->model->bodies[body].slot;
    return slot >= 0 ? saddle_component(w->kkt, slot) : -1;
}

static void add_side(const carom_scratch *w, const contact_row *row, int side, double *x)
{
    const model_body *b = &w->model->bodies[row->body[side]];
    if (!row->columns[side]) {
        work_add_row(w, contact_row_place(row, side), 1.0, side == 0 ? row->a : row->b, x);
    }
    for (int k = 0; row->columns[side] && k < b->width; ++k) {
        x[b->column + k] += row->columns[side][k];
    }
}

static double side_times(const carom_scratch *w, const contact_row *row, int side, const double *x)
{
    const model_body *b = &w->model->bodies[row->body[side]];
    if (!row->columns[side]) {
        return work_row_times(w, contact_row_place(row, side), side == 0 ? row->a : row->b, x);
    }
    double sum = 0.0;
    for (int k = 0; k < b->width; ++k) {
        sum += row->columns[side][k] * x[b->column + k];
    }
    return sum;
}

/* Only the mechanisms of both bodies take part. */
void response_find(row_responses *r, carom_scratch *w, int k, bool unique)
{
    const contact_row *row = &r->rows[k];
    double *x = X_of(r, k);
    double *y = Y_of(r, k);
    memset(x, 0, (size_t)r->model->column_count * sizeof *x);
    memset(y, 0, (size_t)r->model->row_count * sizeof *y);
    add_side(w, row, 0, x);
    add_side(w, row, 1, x);
    int first = response_component(w, row->body[0]);
    for (int side = 0; side < 2; ++side) {
        int component = side == 0 ? first : response_component(w, row->body[1]);
        if (component < 0 || (side == 1 && component == first)) {
            continue;
        }
        saddle_solve_component(w->kkt, component, x, y);
        if (unique) {
            saddle_least_norm_component(w->kkt, component, y);
        }
    }
}

double response_coupling(const row_responses *r, const carom_scratch *w, int l, int k)
{
    const contact_row *row = &r->rows[l];
    const double *x = X_of(r, k);
    return side_times(w, row, 0, x) + side_times(w, row, 1, x);
}

static void turn(double *x, double *y, size_t count, double angle)
{
    double c = cos(angle);
    double s = sin(angle);
    for (size_t i = 0; i < count; ++i) {
        double along = x[i];
        x[i] = c * along + s * y[i];
        y[i] = c * y[i] - s * along;
    }
}

void response_turn(row_responses *r, int first, double angle)
{
    contact_row *x = &r->rows[first];
    contact_row *y = x + 1;
    turn(x->a, y->a, FRAME_COLUMNS, angle);
    turn(x->b, y->b, FRAME_COLUMNS, angle);
    turn(&x->jdot_v, &y->jdot_v, 1, angle);
    turn(X_of(r, first), X_of(r, first + 1), (size_t)r->model->column_count, angle);
    turn(Y_of(r, first), Y_of(r, first + 1), (size_t)r->model->row_count, angle);
}

void response_move(row_responses *r, int to, int from)
{
    r->rows[to] = r->rows[from];
    memcpy(X_of(r, to), X_of(r, from), (size_t)r->model->column_count * sizeof *r->X);
    memcpy(Y_of(r, to), Y_of(r, from), (size_t)r->model->row_count * sizeof *r->Y);
}

/* ---- all rows ------------------------------------------------------------------------------------------------------ */

void response_velocities(const row_responses *r, const carom_scratch *w, motion_rates of, double *u)
{
    for (int k = 0; k < r->count; ++k) {
        u[k] = contact_row_times(&r->rows[k], w, of);
    }
}

void response_apply(const row_responses *r, const double *p, changing_rates to)
{
    for (int k = 0; k < r->count; ++k) {
        const double *x = X_of(r, k);
        for (int slot = 0; p[k] != 0.0 && slot < r->model->free_count; ++slot) {
            int i = r->model->free_bodies[slot];
            const double *d = x + r->model->bodies[i].column;
            to.rate[i].v_w = v3_axpy(to.rate[i].v_w, p[k], v3_load(d));
            to.rate[i].omega_w = v3_axpy(to.rate[i].omega_w, p[k], v3_load(d + 3));
        }
        columns_to_deformation(r->model, p[k], x, to.q_dot);
    }
}

void response_add_multipliers(const row_responses *r, const double *p, double *sigma)
{
    for (int k = 0; k < r->count; ++k) {
        const double *y = Y_of(r, k);
        for (int i = 0; i < r->model->row_count; ++i) {
            sigma[i] += p[k] * y[i];
        }
    }
}

void response_displace(const row_responses *r, const double *d, motion at)
{
    for (int slot = 0; slot < r->model->free_count; ++slot) {
        int body = r->model->free_bodies[slot];
        double by[FRAME_COLUMNS] = { 0.0 };
        for (int k = 0; k < r->count; ++k) {
            const double *x = X_of(r, k) + r->model->bodies[body].column;
            for (int i = 0; d[k] != 0.0 && i < FRAME_COLUMNS; ++i) {
                by[i] += d[k] * x[i];
            }
        }
        at.pose[body] = pose_moved(at.pose[body], v3_load(by), v3_load(by + 3));
    }
    for (int k = 0; k < r->count; ++k) {
        columns_to_deformation(r->model, d[k], X_of(r, k), at.q);
    }
}

static void count_side(carom_scratch *w, int body, double force, const double row[FRAME_COLUMNS], bool external)
{
    wrench on = { v3_scale(force, v3_load(row)), v3_scale(force, v3_load(row + 3)) };
    work_count(w, body, w->pose[body].x_w, on, external);
}

void response_count(const row_responses *r, carom_scratch *w, const double *force)
{
    for (int k = 0; k < r->count; ++k) {
        const contact_row *row = &r->rows[k];
        bool external = !work_is_free(w, row->body[0]) || !work_is_free(w, row->body[1]);
        count_side(w, row->body[0], force[k], row->a, external);
        count_side(w, row->body[1], force[k], row->b, external);
    }
}
