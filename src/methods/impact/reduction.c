/* Building the reduced problem.
 *
 * The tangent plane of a contact needs two rows in space and one in a planar mechanism. Directions are chosen so that the
 * second one, where motion is planar, neither moves nor couples with anything: then it is left out and the contact is
 * stepped exactly, as in the papers. */
#include "methods/impact/reduction.h"

#include <stdlib.h>
#include <string.h>

#include "dynamics/contact.h"
#include "linalg/dense.h"
#include "nonsmooth/rest.h"

/* Couplings below this are rounding of the solves. */
static const double DECOUPLED = 1e-11;

/* A row whose own response is this small against the others' cannot move. */
static const double IMMOVABLE = 1e-13;

/* ---- room --------------------------------------------------------------------------------------------------------- */

static bool rubs(const model_joint *joint)
{
    return joint->friction.given && joint->friction.coefficient > 0.0 && joint->type->friction;
}

carom_status reduction_create(reduction *r, const carom_model *model, carom_error *err)
{
    *r = (reduction){ .model = model };
    r->joints = CAROM_ARENA_ARRAY(&r->arena, int, model->joint_count + 1);
    r->joint_friction = CAROM_ARENA_ARRAY(&r->arena, joint_friction, model->joint_count + 1);
    r->sigma = CAROM_ARENA_ARRAY(&r->arena, double, model->row_count + 1);
    r->joined = CAROM_ARENA_ARRAY(&r->arena, int, model->free_count + 1);
    r->island_of = CAROM_ARENA_ARRAY(&r->arena, int, model->free_count + 1);
    for (int j = 0; r->joints && j < model->joint_count; ++j) {
        if (rubs(&model->joints[j])) {
            r->joints[r->joint_count++] = j;
        }
    }
    if (r->arena.failed || !reduction_reserve(r, 4)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    return CAROM_OK;
}

void reduction_free(reduction *r)
{
    carom_arena_free(&r->sized);
    carom_arena_free(&r->arena);
}

bool reduction_reserve(reduction *r, int contacts)
{
    if (contacts <= r->contact_capacity) {
        return true;
    }
    enum { MOST_AHEAD = 256 }; /* room grows with the square */
    int capacity = contacts + (contacts / 2 < MOST_AHEAD ? contacts / 2 : MOST_AHEAD);
    size_t rows = 3 * (size_t)capacity + JOINT_SLIP * (size_t)r->joint_count + 1;
    size_t groups = JOINT_LOADS * (size_t)r->joint_count + 1;
    size_t loads = 3 * groups;
    int elements = capacity + r->joint_count;
    carom_arena arena = { 0 };
    r->values = CAROM_ARENA_ARRAY(&arena, contact_value, capacity);
    r->element = CAROM_ARENA_ARRAY(&arena, int, capacity);
    r->tangents = carom_arena_array(&arena, (size_t)capacity, sizeof *r->tangents);
    responses_create(&r->responses, &arena, r->model, rows);
    r->island = CAROM_ARENA_ARRAY(&arena, int, rows);
    r->u = CAROM_ARENA_ARRAY(&arena, double, rows);
    r->D = CAROM_ARENA_ARRAY(&arena, double, rows *rows);
    r->B = CAROM_ARENA_ARRAY(&arena, double, loads *rows);
    r->rate = CAROM_ARENA_ARRAY(&arena, double, rows);
    r->impulse = CAROM_ARENA_ARRAY(&arena, double, rows);
    r->compression = CAROM_ARENA_ARRAY(&arena, double, rows);
    r->u_before = CAROM_ARENA_ARRAY(&arena, double, rows);
    r->load = CAROM_ARENA_ARRAY(&arena, double, loads);
    r->elements = CAROM_ARENA_ARRAY(&arena, friction_element, elements);
    r->groups = CAROM_ARENA_ARRAY(&arena, load_group, groups);
    r->small = CAROM_ARENA_ARRAY(&arena, double, rows *rows + 4 * rows + dense_scratch((int)rows));
    r->few = CAROM_ARENA_ARRAY(&arena, int, rows);
    reduced_part_create(&r->part, &arena, (int)rows, elements, (int)loads);
    r->strike = strike_create(&arena, (int)rows, elements, (int)loads);
    r->rest = rest_create(&arena, (int)rows, elements, (int)loads);
    carom_arena_free(&r->sized);
    r->sized = arena;
    r->contact_capacity = arena.failed ? 0 : capacity;
    return !arena.failed;
}

/* Loads of joints with friction must be unique where constraints are redundant. */
static void find_response(reduction *r, carom_scratch *w, int row)
{
    response_find(&r->responses, w, row, r->joint_count > 0);
}

/* ---- directions of slip ------------------------------------------------------------------------------------------- */

static v3 velocity_at(const carom_scratch *w, const body_rate *rate, int body, v3 p_w)
{
    body_place at = { body, NULL };
    return work_point_velocity(w, at, v3_sub(p_w, w->pose[body].x_w), (motion_rates){ .rate = rate });
}

v3 reduction_slip(const reduction *r, const carom_scratch *w, const contact *s, int k, const body_rate *rate)
{
    const gap_value *g = &r->values[k].gap;
    v3 v = v3_sub(velocity_at(w, rate, s->body[0], g->point_w), velocity_at(w, rate, s->body[1], g->point_w));
    return s->kind == CONTACT_STOP ? v3_zero() : v3_axpy(v, -v3_dot(v, g->normal_w), g->normal_w);
}

/* Some direction across the normal, along `wish` where that has a part across it. */
static v3 across(v3 normal_w, v3 wish)
{
    v3 t = v3_axpy(wish, -v3_dot(wish, normal_w), normal_w);
    if (v3_norm(t) > 1e-9 * v3_norm(wish) && v3_norm(t) > 0.0) {
        return v3_unit(t);
    }
    v3 n = normal_w;
    v3 axis = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? v3_make(1, 0, 0)
              : fabs(n.y) <= fabs(n.z)                         ? v3_make(0, 1, 0)
                                                               : v3_make(0, 0, 1);
    return v3_unit(v3_cross(n, axis));
}

/* The angle by which rows first and first + 1 are turned so that they do not couple; 0 where they are alike. */
static double principal_angle(const row_responses *r, const carom_scratch *w, int first)
{
    double w11 = response_coupling(r, w, first, first);
    double w12 = response_coupling(r, w, first, first + 1);
    double w22 = response_coupling(r, w, first + 1, first + 1);
    double spread = hypot(0.5 * (w11 - w22), w12);
    return spread > 1e-9 * (w11 + w22) ? 0.5 * atan2(2.0 * w12, w11 - w22) : 0.0;
}

/* Rows first and first + 1 of a contact become those along the directions turned by an angle. */
static void turn_tangents(reduction *r, int k, int first, double angle)
{
    v3 *t = r->tangents[k];
    v3 along = t[0];
    t[0] = v3_axpy(v3_scale(cos(angle), along), sin(angle), t[1]);
    t[1] = v3_axpy(v3_scale(cos(angle), t[1]), -sin(angle), along);
    response_turn(&r->responses, first, angle);
}

/* Two slip rows for a contact: along the slip, else along the hint, else along principal directions. */
static void add_tangents(reduction *r, carom_scratch *w, const contact *s, int k, const v3 *hint,
                         double stick_tolerance)
{
    contact_value *value = &r->values[k];
    int first = r->problem.row_count;
    v3 slip = reduction_slip(r, w, s, k, w->rate);
    bool slips = v3_norm(slip) > stick_tolerance;
    bool hinted = hint && v3_norm2(hint[k]) > 0.0;
    v3 t = across(value->gap.normal_w, slips ? slip : hinted ? hint[k] : v3_zero());
    r->tangents[k][0] = t;
    r->tangents[k][1] = v3_cross(value->gap.normal_w, t);
    for (int i = 0; i < 2; ++i) {
        r->responses.rows[first + i] = contact_tangent_row(s, value, w, r->tangents[k][i]);
        find_response(r, w, first + i);
    }
    if (!slips && !hinted) {
        turn_tangents(r, k, first, principal_angle(&r->responses, w, first));
    }
    r->element[k] = r->problem.element_count;
    r->elements[r->problem.element_count++] = (friction_element){
        .first_row = first, .dim = 2, .mu = s->mu, .contact = k
    };
    r->problem.row_count += 2;
}

/* ---- joints with friction ----------------------------------------------------------------------------------------- */

static void add_joint(reduction *r, carom_scratch *w, int k)
{
    const model_joint *joint = &r->model->joints[r->joints[k]];
    joint_friction *f = &r->joint_friction[k];
    reduced_problem *p = &r->problem;
    joint->type->friction(f, &w->frames[r->joints[k]], &joint->friction, joint->params);
    r->elements[p->element_count++] = (friction_element){ .first_row = p->row_count,
                                                          .dim = f->dim,
                                                          .mu = joint->friction.coefficient,
                                                          .contact = -1,
                                                          .first_group = p->group_count,
                                                          .group_count = f->load_count };
    for (int i = 0; i < f->dim; ++i) {
        contact_row *row = &r->responses.rows[p->row_count];
        *row = (contact_row){ .body = { joint->body[0], joint->body[1] },
                              .point = { &joint->marker_c[0], &joint->marker_c[1] },
                              .jdot_v = f->slip_jdot_v[i] };
        memcpy(row->a, f->slip.a[i], sizeof row->a);
        memcpy(row->b, f->slip.b[i], sizeof row->b);
        find_response(r, w, p->row_count++);
    }
    for (int g = 0; g < f->load_count; ++g) {
        r->groups[p->group_count++] = (load_group){ p->load_count, f->loads[g].dim };
        p->load_count += f->loads[g].dim;
    }
}

/* The load components of all joints from multipliers, with a stride between components. */
static void loads_from(const reduction *r, const double *sigma, double *out, size_t stride)
{
    for (int k = 0; k < r->joint_count; ++k) {
        const model_joint *joint = &r->model->joints[r->joints[k]];
        const joint_friction *f = &r->joint_friction[k];
        for (int g = 0; g < f->load_count; ++g) {
            for (int c = 0; c < f->loads[g].dim; ++c, out += stride) {
                *out = 0.0;
                for (int i = 0; i < joint->type->equation_count; ++i) {
                    *out += f->loads[g].map[c][i] * sigma[joint->first_row + i];
                }
            }
        }
    }
}

/* ---- the whole ---------------------------------------------------------------------------------------------------- */

static int last_joined(const reduction *r, int component)
{
    while (r->joined[component] != component) {
        component = r->joined[component];
    }
    return component;
}

/* Contacts join mechanisms to islands, which are numbered in the order of their first rows. */
static void find_islands(reduction *r, const carom_scratch *w)
{
    int components = saddle_component_count(w->kkt);
    int count = 0;
    for (int c = 0; c < components; ++c) {
        r->joined[c] = c;
        r->island_of[c] = -1;
    }
    for (int k = 0; k < r->problem.row_count; ++k) {
        int a = response_component(w, r->responses.rows[k].body[0]);
        int b = response_component(w, r->responses.rows[k].body[1]);
        if (a >= 0 && b >= 0) {
            a = last_joined(r, a);
            b = last_joined(r, b);
            r->joined[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int k = 0; k < r->problem.row_count; ++k) {
        int a = response_component(w, r->responses.rows[k].body[0]);
        int b = response_component(w, r->responses.rows[k].body[1]);
        int *island = a >= 0 || b >= 0 ? &r->island_of[last_joined(r, a >= 0 ? a : b)] : NULL;
        if (island && *island < 0) {
            *island = count++;
        }
        r->island[k] = island ? *island : 0; /* a row that cannot move may be anywhere */
    }
    r->problem.island = r->island;
    r->problem.island_count = count > 0 ? count : 1;
}

/* The mechanisms that the bodies of a row belong to; -1: none. */
typedef struct row_mechanisms {
    int side[2];
} row_mechanisms;

static row_mechanisms mechanisms_of(const reduction *r, const carom_scratch *w, int row)
{
    const int *body = r->responses.rows[row].body;
    return (row_mechanisms){ { response_component(w, body[0]), response_component(w, body[1]) } };
}

/* Rows respond to each other through mechanisms that both have to do with. */
static bool share_mechanism(row_mechanisms a, row_mechanisms b)
{
    return (a.side[0] >= 0 && (a.side[0] == b.side[0] || a.side[0] == b.side[1])) ||
           (a.side[1] >= 0 && (a.side[1] == b.side[0] || a.side[1] == b.side[1]));
}

static void fill_matrices(reduction *r, const carom_scratch *w)
{
    int n = r->problem.row_count;
    for (int k = 0; k < n; ++k) {
        row_mechanisms own = mechanisms_of(r, w, k);
        for (int l = 0; l <= k; ++l) {
            double d = share_mechanism(own, mechanisms_of(r, w, l))
                           ? 0.5 * (response_coupling(&r->responses, w, l, k) +
                                    response_coupling(&r->responses, w, k, l))
                           : 0.0;
            r->D[k * n + l] = d;
            r->D[l * n + k] = d;
        }
        loads_from(r, r->responses.Y + (size_t)k * (size_t)r->model->row_count, r->B + k, (size_t)n);
    }
}

static void fill_rates(reduction *r, carom_scratch *w)
{
    motion_rates accelerations = { w->acceleration, w->q_ddot };
    for (int k = 0; k < r->problem.row_count; ++k) {
        r->rate[k] = contact_row_times(&r->responses.rows[k], w, accelerations) + r->responses.rows[k].jdot_v;
    }
    memcpy(r->sigma, w->sigma, (size_t)r->model->row_count * sizeof *r->sigma);
    if (r->joint_count > 0) {
        saddle_least_norm(w->kkt, r->sigma);
    }
    loads_from(r, r->sigma, r->load, 1);
    r->problem.rate = r->rate;
    r->problem.load = r->load;
}

double reduction_largest_rate(const reduction *r)
{
    double largest = 0.0;
    for (int k = 0; k < r->problem.row_count; ++k) {
        largest = fmax(largest, fabs(r->rate[k]));
    }
    return largest > 0.0 ? largest : 1.0;
}

void reduction_velocities(reduction *r, const carom_scratch *w)
{
    response_velocities(&r->responses, w, rates_of(work_motion(w)), r->u);
}

/* Whether a slip row neither moves nor is moved by anything. One along which friction may act stays, unless it cannot move
 * at all; the one across it goes as soon as nothing couples with it. */
static bool is_inactive_row(const reduction *r, int row, bool first, double stick_tolerance, double typical_rate,
                            double largest)
{
    int n = r->problem.row_count;
    double own = r->D[row * n + row];
    if (fabs(r->u[row]) > stick_tolerance) {
        return false;
    }
    if (first || own <= IMMOVABLE * largest) {
        return own <= IMMOVABLE * largest;
    }
    if (r->problem.rate && fabs(r->rate[row]) > DECOUPLED * typical_rate) {
        return false;
    }
    for (int k = 0; k < n; ++k) {
        double limit = DECOUPLED * sqrt(own * fmax(r->D[k * n + k], IMMOVABLE * largest));
        if (k != row && fabs(r->D[row * n + k]) > limit) {
            return false;
        }
    }
    return true;
}

static void move_row(reduction *r, int to, int from)
{
    response_move(&r->responses, to, from);
    r->island[to] = r->island[from];
}

/* Leaves out slip rows of contacts that are inactive. */
static bool drop_inactive_rows(reduction *r, double stick_tolerance)
{
    reduced_problem *p = &r->problem;
    int n = p->row_count;
    double largest = 0.0;
    double typical_rate = 0.0;
    for (int k = 0; k < n; ++k) {
        largest = fmax(largest, r->D[k * n + k]);
        typical_rate = p->rate ? fmax(typical_rate, fabs(r->rate[k])) : 0.0;
    }
    bool dropped = false;
    int to = p->contact_count;
    int kept = 0;
    for (int e = 0; e < p->element_count; ++e) {
        friction_element element = r->elements[e];
        int from = element.first_row;
        int dim = 0;
        for (int i = 0; i < element.dim; ++i) {
            if (element.contact >= 0 &&
                is_inactive_row(r, from + i, i == 0, stick_tolerance, typical_rate, largest)) {
                dropped = true;
                continue;
            }
            if (element.contact >= 0) {
                r->tangents[element.contact][dim] = r->tangents[element.contact][i];
            }
            move_row(r, to + dim++, from + i);
        }
        element.first_row = to;
        element.dim = dim;
        to += dim;
        if (element.contact >= 0) {
            r->element[element.contact] = dim > 0 ? kept : -1;
        }
        if (dim > 0) {
            r->elements[kept++] = element;
        }
    }
    p->element_count = kept;
    p->row_count = r->responses.count = to;
    return dropped;
}

void reduction_make(reduction *r, carom_scratch *w, const contact *contacts, int count, const v3 *hint,
                    bool accelerations, double stick_tolerance)
{
    r->problem = (reduced_problem){ .row_count = count,
                                    .contact_count = count,
                                    .D = r->D,
                                    .B = r->B,
                                    .elements = r->elements,
                                    .groups = r->groups,
                                    .stop = &w->stop };
    r->contact_count = count;
    for (int k = 0; k < count; ++k) {
        contact_evaluate(&contacts[k], w, &r->values[k]);
        r->responses.rows[k] = r->values[k].normal;
        r->element[k] = -1;
        find_response(r, w, k);
    }
    for (int k = 0; k < count; ++k) {
        if (contacts[k].mu > 0.0) {
            add_tangents(r, w, &contacts[k], k, hint, stick_tolerance);
        }
    }
    for (int k = 0; k < r->joint_count; ++k) {
        add_joint(r, w, k);
    }
    r->responses.count = r->problem.row_count;
    find_islands(r, w);
    fill_matrices(r, w);
    reduction_velocities(r, w);
    if (accelerations) {
        fill_rates(r, w);
    }
    if (drop_inactive_rows(r, stick_tolerance)) {
        fill_matrices(r, w);
        reduction_velocities(r, w);
        if (accelerations) {
            fill_rates(r, w);
        }
    }
}

v3 reduction_across(const reduction *r, int k, const double *rows)
{
    v3 sum = v3_zero();
    int element = r->element[k];
    for (int i = 0; element >= 0 && i < r->elements[element].dim; ++i) {
        sum = v3_axpy(sum, rows[r->elements[element].first_row + i], r->tangents[k][i]);
    }
    return sum;
}
