/* Assembly of implicit tangents into the saddle-point solver. */
#include "dynamics/tangent.h"

#include <stdlib.h>
#include <string.h>

static bool has_tangent(const model_force *force)
{
    return force->type->tangent != NULL;
}

/* The index of the pair of two slots, added if new. Pairs are few and found by a table keyed on both slots. */
static int add_pair(tangent *t, int a, int b)
{
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    for (int k = t->pair_count - 1; k >= 0; --k) {
        if (t->pairs[k][0] == low && t->pairs[k][1] == high) {
            return k;
        }
    }
    t->pairs[t->pair_count][0] = low;
    t->pairs[t->pair_count][1] = high;
    return t->pair_count++;
}

static int pair_of_bodies(tangent *t, const carom_model *model, const int body[2])
{
    int a = model->bodies[body[0]].slot;
    int b = body[1] >= 0 ? model->bodies[body[1]].slot : -1;
    return a >= 0 && b >= 0 ? add_pair(t, a, b) : -1;
}

static void find_pairs(tangent *t, const carom_scratch *w)
{
    const carom_model *model = w->model;
    for (int j = 0; j < model->joint_count; ++j) {
        bool stiff = model->joints[j].spring_count > 0 || model->joints[j].limit_count > 0;
        t->joint_pair[j] = stiff ? pair_of_bodies(t, model, model->joints[j].body) : -1;
        t->any = t->any || stiff;
    }
    for (int i = 0; i < model->force_count; ++i) {
        bool stiff = has_tangent(&model->forces[i]);
        t->force_pair[i] = stiff ? pair_of_bodies(t, model, model->forces[i].body) : -1;
        t->any = t->any || stiff;
    }
}

carom_status tangent_create(tangent **out, const carom_scratch *w, carom_error *err)
{
    tangent *t = calloc(1, sizeof *t);
    if (!t) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    int most = w->model->joint_count + w->model->force_count;
    t->pairs = carom_arena_array(&t->arena, (size_t)most, sizeof *t->pairs);
    t->force_pair = CAROM_ARENA_ARRAY(&t->arena, int, w->model->force_count);
    t->joint_pair = CAROM_ARENA_ARRAY(&t->arena, int, w->model->joint_count);
    carom_status status = CAROM_OK;
    saddle_layout layout = { 0 };
    if (t->arena.failed) {
        status = carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    } else {
        find_pairs(t, w);
        status = work_layout(w, &t->arena, &layout, err);
    }
    if (status == CAROM_OK) {
        layout.pair_count = t->pair_count;
        layout.pairs = (const int(*)[2])t->pairs;
        status = saddle_create(&t->solver, &layout, err);
    }
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

static void write_mass(tangent *t, const carom_scratch *w)
{
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        double *A = saddle_body(t->solver, slot);
        double m = w->model->bodies[i].mass;
        memset(A, 0, 36 * sizeof *A);
        A[0] = A[7] = A[14] = m;
        for (int r = 0; r < 9; ++r) {
            A[6 * (3 + r / 3) + 3 + r % 3] = w->J_w[i].m[r];
        }
    }
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
    for (int k = 0; k < joint->limit_count; ++k) {
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

carom_status tangent_factor(tangent *t, const carom_scratch *w, double stiffness, double damping, carom_error *err)
{
    for (int attempt = 0; attempt < 2; ++attempt) {
        write_mass(t, w);
        work_write_rows(w, t->solver);
        for (int j = 0; attempt == 0 && j < w->model->joint_count; ++j) {
            add_joint(t, w, j, stiffness, damping);
        }
        for (int i = 0; attempt == 0 && i < w->model->force_count; ++i) {
            if (has_tangent(&w->model->forces[i])) {
                add_force(t, w, i, stiffness, damping);
            }
        }
        carom_status status = saddle_factor(t->solver, err);
        if (status == CAROM_OK || !t->any) {
            return status;
        }
    }
    return CAROM_NOT_CONVERGED;
}
