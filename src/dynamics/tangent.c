/* Assembly of implicit tangents into the saddle-point solver. */
#include "dynamics/tangent.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/contact.h"
#include "dynamics/element_tangents.h"
#include "dynamics/feedback.h"
#include "model/method.h"

/* An element that couples two slots; `place` receives the number of their pair. */
typedef struct coupling {
    int low, high;
    int *place;
} coupling;

static int compare_couplings(const void *a, const void *b)
{
    const coupling *x = a;
    const coupling *y = b;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->high > y->high) - (x->high < y->high);
}

/* Notes the coupling of two bodies when both move freely. */
static void note_coupling(const carom_model *model, const int body[2], int *place, coupling *list, int *count)
{
    int a = model->bodies[body[0]].slot;
    int b = body[1] >= 0 ? model->bodies[body[1]].slot : -1;
    *place = -1;
    if (a >= 0 && b >= 0) {
        list[(*count)++] = (coupling){ a < b ? a : b, a < b ? b : a, place };
    }
}

static int list_couplings(tangent *t, const carom_model *model, coupling *list)
{
    int count = 0;
    for (int k = 0; k < element_count(model); ++k) {
        t->element_pair[k] = -1;
        if (element_has_tangent(model, k) || (k < model->joint_count && feedback_along(model, k))) {
            note_coupling(model, element_bodies(model, k), &t->element_pair[k], list, &count);
            t->any = true;
        }
    }
    t->any = t->any || model->deform_count > 0;
    for (int k = 0; k < t->contact_count; ++k) {
        note_coupling(model, t->contacts[k], &t->contact_pair[k], list, &count);
    }
    return count;
}

static void find_pairs(tangent *t, const carom_scratch *w, coupling *list)
{
    int count = list_couplings(t, w->model, list);
    if (count > 0) {
        qsort(list, (size_t)count, sizeof *list, compare_couplings);
    }
    for (int k = 0; k < count; ++k) {
        if (k == 0 || compare_couplings(&list[k - 1], &list[k]) != 0) {
            t->pairs[t->pair_count][0] = list[k].low;
            t->pairs[t->pair_count][1] = list[k].high;
            t->pair_count++;
        }
        *list[k].place = t->pair_count - 1;
    }
}

/* Columns of the widest free body. */
static int widest(const carom_model *model)
{
    int most = 0;
    for (int slot = 0; slot < model->free_count; ++slot) {
        int width = model->bodies[model->free_bodies[slot]].width;
        most = width > most ? width : most;
    }
    return most;
}

/* The layout for the elements of the model and these contacts. */
static carom_status lay_out(tangent *t, const carom_scratch *w, const contact_tangent *contacts, int contact_count,
                            carom_error *err)
{
    saddle_destroy(t->solver);
    carom_arena_free(&t->arena);
    *t = (tangent){ .contact_count = contact_count };
    int most = element_count(w->model) + contact_count;
    t->pairs = carom_arena_array(&t->arena, (size_t)most, sizeof *t->pairs);
    t->element_pair = CAROM_ARENA_ARRAY(&t->arena, int, element_count(w->model));
    t->contacts = carom_arena_array(&t->arena, (size_t)contact_count, sizeof *t->contacts);
    t->contact_pair = CAROM_ARENA_ARRAY(&t->arena, int, contact_count);
    coupling *list = CAROM_ARENA_ARRAY(&t->arena, coupling, most);
    for (int side = 0; side < 2; ++side) {
        t->columns[side] = CAROM_ARENA_ARRAY(&t->arena, double, FRAME_COLUMNS *widest(w->model));
    }
    if (t->arena.failed) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    for (int k = 0; k < contact_count; ++k) {
        memcpy(t->contacts[k], contacts[k].body, sizeof t->contacts[k]);
    }
    find_pairs(t, w, list);
    saddle_layout layout = { 0 };
    carom_status status = work_layout(w, &t->arena, &layout, err);
    if (status != CAROM_OK) {
        return status;
    }
    layout.diagonals = NULL;
    layout.pair_count = t->pair_count;
    layout.pairs = (const int(*)[2])t->pairs;
    return saddle_create(&t->solver, &layout, err);
}

carom_status tangent_create(tangent **out, const carom_scratch *w, carom_error *err)
{
    tangent *t = calloc(1, sizeof *t);
    if (!t) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    carom_status status = lay_out(t, w, NULL, 0, err);
    if (status != CAROM_OK) {
        tangent_destroy(t);
        t = NULL;
    }
    *out = t;
    return status;
}

void tangent_destroy(tangent *t)
{
    if (t) {
        saddle_destroy(t->solver);
        carom_arena_free(&t->arena);
        free(t);
    }
}

/* Makes the layout fit the contacts of the present point. */
static carom_status follow_contacts(tangent *t, const carom_scratch *w, const contact_tangent *contacts, int count,
                                    carom_error *err)
{
    bool same = t->solver && count == t->contact_count;
    for (int k = 0; same && k < count; ++k) {
        same = memcmp(t->contacts[k], contacts[k].body, sizeof t->contacts[k]) == 0;
    }
    return same ? CAROM_OK : lay_out(t, w, contacts, count, err);
}

/* Columns of the body in a slot. */
static int width_of(const carom_model *model, int slot)
{
    return model->bodies[model->free_bodies[slot]].width;
}

static void clear_pairs(tangent *t, const carom_model *model)
{
    for (int k = 0; k < t->pair_count; ++k) {
        size_t count = (size_t)width_of(model, t->pairs[k][0]) * (size_t)width_of(model, t->pairs[k][1]);
        memset(saddle_pair(t->solver, k), 0, count * sizeof(double));
    }
}

/* A symmetric matrix over the frames of two bodies, [a: v, omega; b: v, omega], by what happens at a point of each. */
typedef struct pair_matrix {
    body_place at[2]; /* body -1: none */
    int pair;         /* block between them, or -1 */
    double (*H)[PAIR_COLUMNS];
} pair_matrix;

static int slot_of(const carom_model *model, body_place at)
{
    return at.body >= 0 ? model->bodies[at.body].slot : -1;
}

static void add_rigid(tangent *t, const int slots[2], const pair_matrix *m)
{
    for (int side = 0; side < 2; ++side) {
        if (slots[side] < 0) {
            continue;
        }
        double *A = saddle_body(t->solver, slots[side]);
        for (int r = 0; r < FRAME_COLUMNS * FRAME_COLUMNS; ++r) {
            A[r] += m->H[FRAME_COLUMNS * side + r / FRAME_COLUMNS][FRAME_COLUMNS * side + r % FRAME_COLUMNS];
        }
    }
    if (m->pair >= 0) { /* rows of the pair's first body */
        double *P = saddle_pair(t->solver, m->pair);
        bool swapped = t->pairs[m->pair][0] != slots[0];
        for (int r = 0; r < FRAME_COLUMNS; ++r) {
            for (int c = 0; c < FRAME_COLUMNS; ++c) {
                P[FRAME_COLUMNS * r + c] += swapped ? m->H[FRAME_COLUMNS + r][c] : m->H[r][FRAME_COLUMNS + c];
            }
        }
    }
}

/* out += N_a H_ab N_b^T, where column i of N has the columns of a unit row along i: block (row_side, column_side) of the matrix.
 * Both N are t->columns: the wide columns of the unit rows of side a, then those of side b. */
static void add_wide_block(const tangent *t, const int width[2], const pair_matrix *m, int row_side, int column_side,
                           double *out)
{
    const double *rows = t->columns[row_side];
    const double *columns = t->columns[column_side];
    for (int i = 0; i < PAIR_COLUMNS * PAIR_COLUMNS / 4; ++i) {
        int p = i / FRAME_COLUMNS;
        int q = i % FRAME_COLUMNS;
        double h = m->H[FRAME_COLUMNS * row_side + p][FRAME_COLUMNS * column_side + q];
        for (int r = 0; h != 0.0 && r < width[row_side]; ++r) {
            double scaled = h * rows[p * width[row_side] + r];
            for (int c = 0; scaled != 0.0 && c < width[column_side]; ++c) {
                out[r * width[column_side] + c] += scaled * columns[q * width[column_side] + c];
            }
        }
    }
}

static void add_wide(tangent *t, const carom_scratch *w, const int slots[2], const pair_matrix *m)
{
    int width[2] = { 0, 0 };
    for (int side = 0; side < 2; ++side) {
        width[side] = slots[side] >= 0 ? width_of(w->model, slots[side]) : 0;
        for (int i = 0; slots[side] >= 0 && i < FRAME_COLUMNS; ++i) {
            double unit[FRAME_COLUMNS] = { 0.0 };
            unit[i] = 1.0;
            work_row_columns(w, m->at[side], unit, t->columns[side] + i * width[side]);
        }
    }
    for (int side = 0; side < 2; ++side) {
        if (slots[side] >= 0) {
            add_wide_block(t, width, m, side, side, saddle_body(t->solver, slots[side]));
        }
    }
    if (m->pair >= 0) {
        bool swapped = t->pairs[m->pair][0] != slots[0];
        add_wide_block(t, width, m, swapped, !swapped, saddle_pair(t->solver, m->pair));
    }
}

static void add_matrix(tangent *t, const carom_scratch *w, const pair_matrix *m)
{
    const int slots[2] = { slot_of(w->model, m->at[0]), slot_of(w->model, m->at[1]) };
    bool wide = false;
    for (int side = 0; side < 2; ++side) {
        wide = wide || (slots[side] >= 0 && width_of(w->model, slots[side]) > FRAME_COLUMNS);
    }
    if (wide) {
        add_wide(t, w, slots, m);
    } else {
        add_rigid(t, slots, m);
    }
}

static void add_element(void *context, const carom_scratch *w, const element_tangent *e)
{
    tangent *t = context;
    add_matrix(t, w, &(pair_matrix){ { e->at[0], e->at[1] }, t->element_pair[e->element], e->H });
}

static void add_body(tangent *t, const carom_scratch *w, int slot, double stiffness, double damping)
{
    const model_body *b = &w->model->bodies[w->model->free_bodies[slot]];
    if (b->type->tangent) {
        b->type->tangent(b->params, w->q + b->first_deform, stiffness, damping, saddle_body(t->solver, slot));
    }
}

/* What is added to M. */
typedef struct tangent_parts {
    double stiffness, damping;
    const contact_tangent *contacts;
    int contact_count;
} tangent_parts;

static void add_contacts(tangent *t, const carom_scratch *w, const tangent_parts *parts)
{
    for (int k = 0; k < parts->contact_count; ++k) {
        contact_tangent c = parts->contacts[k];
        add_matrix(t, w,
                   &(pair_matrix){
                       { { c.body[0], c.point[0] }, { c.body[1], c.point[1] } }, t->contact_pair[k], c.H });
    }
}

carom_status tangent_factor_bodies(tangent *t, const carom_scratch *w, const double *stiffness, carom_error *err)
{
    work_write_mass(w, t->solver);
    clear_pairs(t, w->model);
    work_write_rows(w, t->solver);
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        add_body(t, w, slot, stiffness[w->model->free_bodies[slot]], 0.0);
    }
    return saddle_factor(t->solver, err);
}

/* M alone, or with the tangents of all elements. */
static carom_status factor_with(tangent *t, const carom_scratch *w, bool elements, const tangent_parts *parts,
                                carom_error *err)
{
    work_write_mass(w, t->solver);
    clear_pairs(t, w->model);
    work_write_rows(w, t->solver);
    for (int slot = 0; elements && slot < w->model->free_count; ++slot) {
        add_body(t, w, slot, parts->stiffness, parts->damping);
    }
    if (elements) {
        element_tangents(w, parts->stiffness, parts->damping, add_element, t);
        feedback_tangents(w, parts->stiffness, parts->damping, add_element, t);
        add_contacts(t, w, parts);
    }
    return saddle_factor(t->solver, err);
}

carom_status tangent_factor(tangent *t, const carom_scratch *w, double stiffness, double damping, carom_error *err)
{
    tangent_parts parts = { .stiffness = stiffness, .damping = damping };
    if (w->contact && w->model->method->forces->tangents) {
        parts.contacts = w->model->method->forces->tangents(w->contact, stiffness, damping, &parts.contact_count);
        carom_status status = follow_contacts(t, w, parts.contacts, parts.contact_count, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    bool any = t->any || parts.contact_count > 0;
    carom_error first = { 0 };
    carom_status status = factor_with(t, w, any, &parts, any ? &first : err);
    if (status == CAROM_NOT_CONVERGED && any) {
        return factor_with(t, w, false, &parts, err);
    }
    return status == CAROM_OK || !any ? status : carom_fail(err, status, "%s", first.message);
}
