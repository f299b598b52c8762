/* RATES [paper 5]: forces with the state of every element given.
 *
 * All forces are linear in the loads N of the slipping joints: force = column 0 (normal forces, friction of slipping
 * contacts, and what stuck elements answer to these) + sum over slipping joints of N_j column j. So are the load
 * components, lambda = a + sum b_j N_j, from which joint_loads.c finds the loads. */
#include <string.h>

#include "linalg/dense.h"
#include "nonsmooth/friction_work.h"

/* What firm rows leave of the answer of others is a difference of terms that solve systems to 1e-11: below this it is
 * rounding, and they are blocked. */
static const double blocked = 1e-9;

/* sum of a_k b_(k stride). */
static double dot_strided(const double *a, const double *b, int n, int stride)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        sum += a[k] * b[k * stride];
    }
    return sum;
}

/* ---- columns ---- */

/* Friction of a slipping element under unit load, into a column. */
void friction_add_slip(const friction_element *e, const friction_state *state, double load, double *column)
{
    for (int d = 0; d < e->dim; ++d) {
        column[e->first_row + d] = -e->mu * load * state->direction[d];
    }
}

static bool is_firm(const friction_work *w, int i)
{
    return w->firm && w->firm[i];
}

/* Rows of the stuck elements, those that hold whatever it takes first. */
static void list_stuck_rows(friction_work *w, const reduced_problem *p)
{
    w->stuck_count = 0;
    w->firm_count = 0;
    for (int pass = w->firm ? 0 : 1; pass < 2; ++pass) {
        for (int i = 0; i < p->element_count; ++i) {
            bool listed = w->state[i].mode == FRICTION_STICK && is_firm(w, i) == (pass == 0);
            for (int d = 0; listed && d < p->elements[i].dim; ++d) {
                w->stuck[w->stuck_count++] = p->elements[i].first_row + d;
            }
        }
        w->firm_count = pass == 0 ? w->stuck_count : w->firm_count;
    }
}

/* Columns without the stuck elements' forces; finds the slipping joints. */
static void begin_columns(friction_work *w, const reduced_problem *p, const double *normal)
{
    int rows = p->row_count;
    memset(w->column, 0, (size_t)rows * sizeof(double));
    memcpy(w->column, normal, (size_t)p->contact_count * sizeof(double));
    w->loads.count = 0;
    for (int i = 0; i < p->element_count; ++i) {
        const friction_element *e = &p->elements[i];
        if (slips(&w->state[i]) && e->contact >= 0) {
            friction_add_slip(e, &w->state[i], normal[e->contact], w->column);
        } else if (slips(&w->state[i])) {
            w->loads.element[w->loads.count++] = i;
            double *column = w->column + w->loads.count * rows;
            memset(column, 0, (size_t)rows * sizeof(double));
            friction_add_slip(e, &w->state[i], 1.0, column);
        }
    }
}

/* What stuck row k needs in column c. */
static double needed(const friction_work *w, const reduced_problem *p, int k, int c)
{
    int row = w->stuck[k], rows = p->row_count;
    return -dot(p->D + row * rows, w->column + c * rows, rows) - (c == 0 && p->rate ? p->rate[row] : 0.0);
}

static double stuck_answer(const friction_work *w, const reduced_problem *p, int k, int l)
{
    return p->D[w->stuck[k] * p->row_count + w->stuck[l]];
}

/* The firm rows (f of them) alone: their forces for every column, and against a unit force along each of the other m stuck
 * rows: right = D_FF^-1 (needed | -D_FO), count + m numbers per row. */
static void answer_firmly(friction_work *w, const reduced_problem *p, int f, int m, int count)
{
    for (int k = 0; k < f; ++k) {
        for (int l = 0; l < f; ++l) {
            w->matrix[k * f + l] = stuck_answer(w, p, k, l);
        }
        for (int c = 0; c < count + m; ++c) {
            w->right[k * (count + m) + c] = c < count ? needed(w, p, k, c) : -stuck_answer(w, p, k, f + c - count);
        }
    }
    dense_solve_many(w->matrix, w->right, f, count + m, friction_rank_tolerance, w->scratch);
}

/* The same with firm rows: where forces are not unique, firm rows carry what they can, because nothing bounds them, and
 * the others as little as possible. The others see what the firm rows leave of D (Schur's complement). */
static void hold_firmly(friction_work *w, const reduced_problem *p)
{
    int rows = p->row_count, f = w->firm_count, m = w->stuck_count - f, count = w->loads.count + 1, width = count + m;
    answer_firmly(w, p, f, m, count);
    double *others = w->right + f * width;
    for (int k = 0; k < m; ++k) {
        for (int c = 0; c < width; ++c) {
            double sum = c < count ? needed(w, p, f + k, c) : stuck_answer(w, p, f + k, f + c - count);
            double own = fabs(sum);
            for (int l = 0; l < f; ++l) {
                double part = stuck_answer(w, p, f + k, l) * w->right[l * width + c];
                sum += c < count ? -part : part;
                own += fabs(part);
            }
            sum = fabs(sum) <= blocked * own ? 0.0 : sum;
            *(c < count ? &others[k * count + c] : &w->matrix[k * m + c - count]) = sum;
        }
    }
    if (m > 0) {
        dense_solve_many(w->matrix, others, m, count, friction_rank_tolerance, w->scratch);
    }
    for (int c = 0; c < count; ++c) {
        for (int k = 0; k < m; ++k) {
            w->column[c * rows + w->stuck[f + k]] = others[k * count + c];
        }
        for (int l = 0; l < f; ++l) {
            w->column[c * rows + w->stuck[l]] = w->right[l * width + c] +
                                                dot_strided(w->right + l * width + count, others + c, m, count);
        }
    }
}

/* Forces of the stuck elements in all columns: rows of stuck elements keep their velocity. */
static void hold_stuck_rows(friction_work *w, const reduced_problem *p)
{
    int rows = p->row_count, n = w->stuck_count, count = w->loads.count + 1;
    if (w->firm_count > 0 && w->firm_count < n) {
        hold_firmly(w, p);
        return;
    }
    for (int k = 0; k < n; ++k) {
        const double *D_k = p->D + w->stuck[k] * rows;
        for (int l = 0; l < n; ++l) {
            w->matrix[k * n + l] = D_k[w->stuck[l]];
        }
        for (int c = 0; c < count; ++c) {
            w->right[k * count + c] = needed(w, p, k, c);
        }
    }
    if (n == 1 && count == 1) {
        dense_solve(w->matrix, w->right, 1, friction_rank_tolerance, w->scratch);
    } else if (n > 0) {
        dense_solve_many(w->matrix, w->right, n, count, friction_rank_tolerance, w->scratch);
    }
    for (int c = 0; c < count; ++c) {
        for (int k = 0; k < n; ++k) {
            w->column[c * rows + w->stuck[k]] = w->right[k * count + c];
        }
    }
}

/* ---- the answer ---- */

/* N of every element. */
void friction_find_element_loads(friction_work *w, const reduced_problem *p, const double *normal)
{
    int rows = p->row_count;
    for (int i = 0; i < p->load_count; ++i) {
        w->lambda[i] = dot(p->B + i * rows, w->force, rows) + (p->load ? p->load[i] : 0.0);
    }
    for (int i = 0; i < p->element_count; ++i) {
        const friction_element *e = &p->elements[i];
        w->load[i] = e->contact >= 0 ? normal[e->contact] : joint_loads_norm(p, e, w->lambda);
    }
}

static void add_columns(friction_work *w, const reduced_problem *p)
{
    int rows = p->row_count;
    memcpy(w->force, w->column, (size_t)rows * sizeof(double));
    for (int j = 0; j < w->loads.count; ++j) {
        const double *column = w->column + (j + 1) * rows;
        for (int k = 0; k < rows; ++k) {
            w->force[k] += w->loads.N[j] * column[k];
        }
    }
}

/* w->rate from w->force; rows of stuck elements keep their velocity exactly. */
static void find_rates(friction_work *w, const reduced_problem *p)
{
    int rows = p->row_count;
    for (int k = 0; k < rows; ++k) {
        w->rate[k] = dot(p->D + k * rows, w->force, rows) + (p->rate ? p->rate[k] : 0.0);
    }
    for (int k = 0; k < w->stuck_count; ++k) {
        w->rate[w->stuck[k]] = 0.0;
    }
}

/* How many solutions the loads of slipping joints have; 0: jam. */
static int solve_loads(friction_work *w, const reduced_problem *p, int *culprit)
{
    joint_loads_find_components(&w->loads, p, w->column);
    int solutions = joint_loads_solve(&w->loads, p, culprit);
    int unloaded = solutions > 0 ? joint_loads_unloaded_jam(&w->loads, p) : -1;
    *culprit = unloaded >= 0 ? unloaded : *culprit;
    return unloaded >= 0 ? 0 : solutions;
}

/* RATES with the states in w->state. */
friction_outcome friction_find_rates(friction_work *w, const reduced_problem *p, const double *normal,
                                     friction_answer *out)
{
    begin_columns(w, p, normal);
    list_stuck_rows(w, p);
    hold_stuck_rows(w, p);
    out->solutions = 1;
    out->jammed = -1;
    if (w->loads.count > 0) {
        int culprit;
        out->solutions = solve_loads(w, p, &culprit);
        out->regularity = w->loads.regularity;
        if (out->solutions == 0) {
            out->jammed = culprit;
            return FRICTION_JAM;
        }
    }
    add_columns(w, p);
    find_rates(w, p);
    friction_find_element_loads(w, p, normal);
    for (int j = 0; j < w->loads.count; ++j) {
        w->load[w->loads.element[j]] = w->loads.N[j];
    }
    return FRICTION_OK;
}

void friction_show(friction_work *w, friction_answer *out)
{
    out->state = w->state;
    out->force = w->force;
    out->rate = w->rate;
    out->load = w->load;
    out->solutions = 0;
    out->jammed = -1;
    out->regularity = 1.0;
}

friction_outcome friction_rates(friction_work *w, const reduced_problem *p, const friction_state *state,
                                const double *normal, friction_answer *out)
{
    friction_show(w, out);
    w->firm = NULL;
    memmove(w->state, state, (size_t)p->element_count * sizeof *state);
    return friction_find_rates(w, p, normal, out);
}

/* Elements whose directions friction_improve_start is to find. */
static void list_creeping(friction_work *w, const reduced_problem *p, const bool *creeping)
{
    w->resting_count = 0;
    for (int i = 0; creeping && i < p->element_count; ++i) {
        if (creeping[i] && slips(&w->state[i])) {
            w->resting[w->resting_count++] = i;
        }
    }
}

void friction_follow_from(friction_work *w, const reduced_problem *p, const double *load)
{
    memcpy(w->load, load, (size_t)p->element_count * sizeof(double));
}

friction_outcome friction_follow(friction_work *w, const reduced_problem *p, const friction_state *state,
                                 const double *normal, const friction_path *path, friction_answer *out)
{
    friction_show(w, out);
    w->firm = path->held;
    w->loads.sign = path->sign;
    w->loads.near = w->load;
    memmove(w->state, state, (size_t)p->element_count * sizeof *state);
    list_creeping(w, p, path->creeping);
    friction_outcome outcome = w->resting_count > 0 ? friction_improve_start(w, p, normal, out)
                                                    : friction_find_rates(w, p, normal, out);
    w->loads.near = NULL;
    w->loads.sign = NULL;
    return outcome;
}

int friction_weakest(friction_work *w, const reduced_problem *p, const double *sign)
{
    return joint_loads_weakest(&w->loads, p, sign);
}
