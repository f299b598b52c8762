/* Assembly of implicit tangents into the saddle-point solver. */
#include "dynamics/tangent.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/contact.h"
#include "model/method.h"

static bool has_tangent(const model_force *force)
{
    return force->type->tangent != NULL;
}

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
    for (int j = 0; j < model->joint_count; ++j) {
        t->joint_pair[j] = -1;
        bool stops = model->joints[j].limit_count > 0 && !model->method->rigid_stops;
        if (model->joints[j].spring_count > 0 || stops) {
            note_coupling(model, model->joints[j].body, &t->joint_pair[j], list, &count);
            t->any = true;
        }
    }
    for (int i = 0; i < model->force_count; ++i) {
        t->force_pair[i] = -1;
        if (has_tangent(&model->forces[i])) {
            note_coupling(model, model->forces[i].body, &t->force_pair[i], list, &count);
            t->any = true;
        }
    }
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

/* The layout for the elements of the model and these contacts. */
static carom_status lay_out(tangent *t, const carom_scratch *w, const contact_tangent *contacts, int contact_count,
                            carom_error *err)
{
    saddle_destroy(t->solver);
    carom_arena_free(&t->arena);
    *t = (tangent){ .contact_count = contact_count };
    int most = w->model->joint_count + w->model->force_count + contact_count;
    t->pairs = carom_arena_array(&t->arena, (size_t)most, sizeof *t->pairs);
    t->force_pair = CAROM_ARENA_ARRAY(&t->arena, int, w->model->force_count);
    t->joint_pair = CAROM_ARENA_ARRAY(&t->arena, int, w->model->joint_count);
    t->contacts = carom_arena_array(&t->arena, (size_t)contact_count, sizeof *t->contacts);
    t->contact_pair = CAROM_ARENA_ARRAY(&t->arena, int, contact_count);
    coupling *list = CAROM_ARENA_ARRAY(&t->arena, coupling, most);
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

static void clear_pairs(tangent *t)
{
    for (int k = 0; k < t->pair_count; ++k) {
        memset(saddle_pair(t->solver, k), 0, 36 * sizeof(double));
    }
}

/* Adds a symmetric 12x12 matrix over two bodies; side 1 absent when slot_b < 0. */
static void add_matrix(tangent *t, int slot_a, int slot_b, int pair, double (*H)[12])
{
    int slots[2] = { slot_a, slot_b };
    for (int side = 0; side < 2; ++side) {
        if (slots[side] < 0) {
            continue;
        }
        double *A = saddle_body(t->solver, slots[side]);
        for (int r = 0; r < 36; ++r) {
            A[r] += H[6 * side + r / 6][6 * side + r % 6];
        }
    }
    if (pair >= 0) { /* rows of the pair's first body */
        double *P = saddle_pair(t->solver, pair);
        bool swapped = t->pairs[pair][0] != slot_a;
        for (int r = 0; r < 6; ++r) {
            for (int c = 0; c < 6; ++c) {
                P[6 * r + c] += swapped ? H[6 + r][c] : H[r][6 + c];
            }
        }
    }
}

/* k rows^T rows: stiffness along a joint coordinate. */
static void add_coordinate(tangent *t, const carom_scratch *w, int j, int coordinate, int pair, double k)
{
    const model_joint *joint = &w->model->joints[j];
    const double *a = w->coordinate_rows[j].a[coordinate];
    const double *b = w->coordinate_rows[j].b[coordinate];
    double row[12];
    double H[12][12];
    memcpy(row, a, 6 * sizeof *row);
    memcpy(row + 6, b, 6 * sizeof *row);
    for (int r = 0; r < 12; ++r) {
        for (int c = 0; c < 12; ++c) {
            H[r][c] = k * row[r] * row[c];
        }
    }
    add_matrix(t, w->model->bodies[joint->body[0]].slot, w->model->bodies[joint->body[1]].slot, pair, H);
}

static double limit_stiffness(const model_joint_limit *l, double q, double stiffness, double damping)
{
    double d = q > l->max ? q - l->max : q < l->min ? l->min - q : 0.0;
    return d > 0.0 ? l->stiffness * (stiffness + damping * l->damping * d) : 0.0;
}

static void add_joint(tangent *t, const carom_scratch *w, int j, double stiffness, double damping)
{
    const model_joint *joint = &w->model->joints[j];
    for (int k = 0; k < joint->spring_count; ++k) {
        const model_joint_spring *s = &joint->springs[k];
        add_coordinate(t, w, j, s->coordinate, t->joint_pair[j], stiffness * s->stiffness + damping * s->damping);
    }
    for (int k = 0; k < joint->limit_count && !w->model->method->rigid_stops; ++k) {
        const model_joint_limit *l = &joint->limits[k];
        double q = w->coordinate[joint->first_coordinate + l->coordinate];
        double H = limit_stiffness(l, q, stiffness, damping);
        if (H > 0.0) {
            add_coordinate(t, w, j, l->coordinate, t->joint_pair[j], H);
        }
    }
}

static void add_force(tangent *t, const carom_scratch *w, int i, double stiffness, double damping)
{
    const model_force *force = &w->model->forces[i];
    carom_force_tangent H = { 0 };
    force->type->tangent(&H, &w->force_frames[i], force->params);
    if (force->type->target == FORCE_ON_JOINT) {
        add_coordinate(t, w, force->joint, force->coordinate, t->force_pair[i],
                       stiffness * H.coordinate_stiffness + damping * H.coordinate_damping);
        return;
    }
    for (int r = 0; r < 144; ++r) {
        double *k = &H.stiffness[r / 12][r % 12];
        *k = stiffness * *k + damping * H.damping[r / 12][r % 12];
    }
    int slot_b = force->body[1] >= 0 ? w->model->bodies[force->body[1]].slot : -1;
    add_matrix(t, w->model->bodies[force->body[0]].slot, slot_b, t->force_pair[i], H.stiffness);
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
        int slot_a = w->model->bodies[c.body[0]].slot;
        int slot_b = w->model->bodies[c.body[1]].slot;
        add_matrix(t, slot_a, slot_b, t->contact_pair[k], c.H);
    }
}

/* M alone, or with the tangents of all elements. */
static carom_status factor_with(tangent *t, const carom_scratch *w, bool elements, const tangent_parts *parts,
                                carom_error *err)
{
    work_write_mass(w, t->solver);
    clear_pairs(t);
    work_write_rows(w, t->solver);
    for (int j = 0; elements && j < w->model->joint_count; ++j) {
        add_joint(t, w, j, parts->stiffness, parts->damping);
    }
    for (int i = 0; elements && i < w->model->force_count; ++i) {
        if (has_tangent(&w->model->forces[i])) {
            add_force(t, w, i, parts->stiffness, parts->damping);
        }
    }
    if (elements) {
        add_contacts(t, w, parts);
    }
    return saddle_factor(t->solver, err);
}

carom_status tangent_factor(tangent *t, const carom_scratch *w, double stiffness, double damping, carom_error *err)
{
    tangent_parts parts = { .stiffness = stiffness, .damping = damping };
    if (w->contact) {
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
