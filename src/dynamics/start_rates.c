#include "dynamics/start_rates.h"

#include <string.h>

#include "base/assert.h"
#include "base/union_find.h"
#include "dynamics/columns.h"
#include "dynamics/start_joint.h"
#include "linalg/dense.h"

/* ---- what hangs on what -------------------------------------------------------------------------------------------- */

static bool gives_velocity(const start_rates *r, int body)
{
    return v3_norm(r->v_given[body]) > 0.0 || v3_norm(r->omega_given[body]) > 0.0;
}

/* Mechanisms: bodies that joints or gears connect other than through the ground. A start concerns the whole of one. */
static void find_concerned(start_rates *r, int *mechanism)
{
    const carom_model *model = r->graph->model;
    for (int i = 0; i < model->body_count; ++i) {
        mechanism[i] = i;
    }
    for (int j = 0; j < model->joint_count; ++j) {
        int a = joint_graph_end(model, j, 0);
        int b = joint_graph_end(model, j, 1);
        if (a != CAROM_GROUND && b != CAROM_GROUND) {
            set_unite(mechanism, a, b);
        }
    }
    for (int k = 0; k < 4 * model->coupler_count; ++k) { /* every end of one joint with every end of the other */
        const model_coupler *c = &model->couplers[k / 4];
        int a = joint_graph_end(model, c->joint[0], k & 1);
        int b = joint_graph_end(model, c->joint[1], k >> 1 & 1);
        if (a != CAROM_GROUND && b != CAROM_GROUND) {
            set_unite(mechanism, a, b);
        }
    }
    for (int k = 0; k < 2 * model->joint_count; ++k) {
        if (model->joints[k / 2].start_count > 0) {
            r->concerned[set_root(mechanism, joint_graph_end(model, k / 2, k % 2))] = true;
        }
    }
    for (int i = 1; i < model->body_count; ++i) {
        r->concerned[i] = r->concerned[set_root(mechanism, i)];
    }
}

/* Puts `from` and everything that hangs on it behind those in order. */
static void walk_from(start_rates *r, int from)
{
    const joint_graph *g = r->graph;
    r->depth[from] = 0;
    r->order[r->order_count++] = from;
    for (int k = r->order_count - 1; k < r->order_count; ++k) {
        int body = r->order[k];
        for (int e = g->first[body]; e < g->first[body + 1]; ++e) {
            int a = joint_graph_end(g->model, g->edges[e], 0);
            int next = a == body ? joint_graph_end(g->model, g->edges[e], 1) : a;
            if (r->depth[next] < 0) {
                r->depth[next] = r->depth[body] + 1;
                r->via[next] = g->edges[e];
                r->order[r->order_count++] = next;
            }
        }
    }
}

/* The body from which a mechanism that floats is walked: one whose velocity is given; else the one on which all that
 * starts hangs: body A of a joint with a start, and not on the side of B of another. */
static int root_of(start_rates *r, int any)
{
    joint_graph *g = r->graph;
    int root = any;
    joint_graph_part(g, -1, any, any);
    for (int i = 1; i < g->model->body_count; ++i) {
        if (g->moving[i] && gives_velocity(r, i)) {
            return i;
        }
    }
    bool first = true;
    for (int j = 0; j < g->model->joint_count; ++j) {
        int a = joint_graph_end(g->model, j, 0);
        if (g->model->joints[j].start_count == 0 || joint_graph_part(g, -1, any, a)) {
            continue;
        }
        bool parts = joint_graph_part(g, j, joint_graph_end(g->model, j, 1), a);
        if (first || (parts && g->moving[root])) {
            root = a;
            first = false;
        }
    }
    return root;
}

static void order_bodies(start_rates *r)
{
    const carom_model *model = r->graph->model;
    for (int i = 0; i < model->body_count; ++i) {
        r->depth[i] = -1;
        r->via[i] = -1;
    }
    walk_from(r, CAROM_GROUND);
    for (int i = 1; i < model->body_count; ++i) {
        if (r->concerned[i] && r->depth[i] < 0 && joint_graph_node(model, i) == i) {
            walk_from(r, root_of(r, i));
        }
    }
}

static int carrier_of(const start_rates *r, int body)
{
    const carom_model *model = r->graph->model;
    int a = joint_graph_end(model, r->via[body], 0);
    return a == body ? joint_graph_end(model, r->via[body], 1) : a;
}

/* Unites all bodies on the way between two, which a joint closes to a loop. top[set]: its body next to the root. */
static void close_loop(start_rates *r, int *top, int a, int b)
{
    a = set_root(r->group, a);
    b = set_root(r->group, b);
    while (a != b) {
        int *lower = r->depth[top[a]] >= r->depth[top[b]] ? &a : &b;
        int above = set_root(r->group, carrier_of(r, top[*lower]));
        int highest = top[above];
        set_unite(r->group, *lower, above);
        int joined = set_root(r->group, above);
        top[joined] = highest;
        a = set_root(r->group, a);
        b = set_root(r->group, b);
    }
}

static void find_groups(start_rates *r, int *top)
{
    const carom_model *model = r->graph->model;
    for (int i = 0; i < model->body_count; ++i) {
        r->group[i] = i;
        top[i] = i;
    }
    for (int j = 0; j < model->joint_count; ++j) {
        int a = joint_graph_end(model, j, 0);
        int b = joint_graph_end(model, j, 1);
        bool hangs = r->via[a] == j || r->via[b] == j;
        if (r->depth[a] >= 0 && a != b && (!hangs || joint_graph_geared(model, j))) {
            close_loop(r, top, a, b);
        }
    }
    for (int i = 0; i < model->body_count; ++i) {
        r->group_size[set_root(r->group, i)]++;
    }
}

bool start_rates_create(start_rates *r, joint_graph *graph, const carom_state *s, carom_arena *arena)
{
    int count = graph->model->body_count;
    *r = (start_rates){ .graph = graph,
                        .v_given = CAROM_ARENA_ARRAY(arena, v3, count),
                        .omega_given = CAROM_ARENA_ARRAY(arena, v3, count),
                        .order = CAROM_ARENA_ARRAY(arena, int, count),
                        .via = CAROM_ARENA_ARRAY(arena, int, count),
                        .depth = CAROM_ARENA_ARRAY(arena, int, count),
                        .group = CAROM_ARENA_ARRAY(arena, int, count),
                        .group_size = CAROM_ARENA_ARRAY(arena, int, count),
                        .concerned = CAROM_ARENA_ARRAY(arena, bool, count),
                        .rate = CAROM_ARENA_ARRAY(arena, body_rate, count) };
    int *scratch = CAROM_ARENA_ARRAY(arena, int, count);
    if (arena->failed) {
        return false;
    }
    for (int i = 1; i < count; ++i) {
        r->v_given[i] = carom_state_velocity(graph->model, s, i);
        r->omega_given[i] = carom_state_angular_velocity(graph->model, s, i);
    }
    find_concerned(r, scratch);
    order_bodies(r);
    find_groups(r, scratch);
    return true;
}

/* ---- one body ------------------------------------------------------------------------------------------------------- */

/* A body and the joint that it hangs on. Velocities are [v; omega] of its centre of mass. */
typedef struct hanging {
    const model_joint *joint;
    int body;
    int side; /* of the joint that the body is on */
    double follows[FRAME_COLUMNS];
    start_rows rows;                           /* of changes against `follows` */
    bool told[JOINT_ROWS + JOINT_COORDINATES]; /* the joint says so; else: the coordinate keeps still */
} hanging;

static body_rate rigid_rate(const body_pose *pose, const body_rate *rate, int of, int with)
{
    v3 arm = v3_sub(pose[of].x_w, pose[with].x_w);
    return (body_rate){ .v_w = point_velocity(&rate[with], arm), .omega_w = rate[with].omega_w };
}

static double along(const double row[FRAME_COLUMNS], const body_rate *rate)
{
    return v3_dot(v3_load(row), rate->v_w) + v3_dot(v3_load(row + 3), rate->omega_w);
}

/* What the deformation of a body makes of the rate of a row. */
static double deformation_rate(const carom_scratch *w, body_place at, const double row[FRAME_COLUMNS])
{
    return body_deforms(&w->model->bodies[at.body]) ? work_row_deformation(w, at, row, w->q_dot) : 0.0;
}

static void tell(hanging *h, int coordinate, double rate)
{
    int k = h->joint->type->equation_count + coordinate;
    h->rows.value[k] += rate;
    h->told[k] = true;
}

/* Values: minus the rates that following makes, and what starts and motions say. */
static void tell_rates(hanging *h, carom_scratch *w, const start_rows *of_carrier, const body_rate *carrier)
{
    const model_joint *joint = h->joint;
    body_rate follows = { .v_w = v3_load(h->follows), .omega_w = v3_load(h->follows + 3) };
    for (int k = 0; k < h->rows.count; ++k) {
        h->rows.value[k] = -along(h->rows.row[k], &follows) - along(of_carrier->row[k], carrier);
        h->rows.value[k] -= deformation_rate(w, joint_place(joint, h->side), h->rows.row[k]) +
                            deformation_rate(w, joint_place(joint, !h->side), of_carrier->row[k]);
        h->told[k] = k < joint->type->equation_count;
    }
    for (int k = 0; k < joint->start_count; ++k) {
        if (!isnan(joint->starts[k].rate)) {
            tell(h, joint->starts[k].coordinate, joint->starts[k].rate);
        }
    }
    for (int k = 0; k < joint->driver_count; ++k) {
        double value[3];
        work_driver(w, (int)(joint - w->model->joints), k, w->t, value);
        tell(h, joint->drivers[k].coordinate, value[1]);
    }
}

static hanging hang(const start_rates *r, carom_scratch *w, const carom_state *s, int body)
{
    const model_joint *joint = &r->graph->model->joints[r->via[body]];
    hanging h = { .joint = joint, .body = body, .side = joint->body[1] == body };
    int carrier = joint->body[!h.side];
    body_rate follows = rigid_rate(w->pose, r->rate, body, carrier);
    v3_store(h.follows, follows.v_w);
    v3_store(h.follows + 3, follows.omega_w);
    carom_joint_frames frames = start_frames(r->graph->model, joint,
                                             (motion){ w->pose, r->rate, w->q, w->q_dot, w->z }, s->near);
    h.rows = start_conditions(joint, &frames, h.side);
    start_rows of_carrier = start_conditions(joint, &frames, !h.side);
    tell_rates(&h, w, &of_carrier, &r->rate[carrier]);
    return h;
}

/* Takes out of y what lies along the orthonormal vectors. */
static void take_out(double y[FRAME_COLUMNS], double (*basis)[FRAME_COLUMNS], int count)
{
    for (int k = 0; k < count; ++k) {
        double part = 0.0;
        for (int m = 0; m < FRAME_COLUMNS; ++m) {
            part += basis[k][m] * y[m];
        }
        for (int m = 0; m < FRAME_COLUMNS; ++m) {
            y[m] -= part * basis[k][m];
        }
    }
}

static double norm_of(const double y[FRAME_COLUMNS])
{
    return sqrt(v3_dot(v3_load(y), v3_load(y)) + v3_dot(v3_load(y + 3), v3_load(y + 3)));
}

/* Orthonormal vectors along the rows that are told, with turns as ways of `length`. */
static int told_basis(const hanging *h, double length, double (*basis)[FRAME_COLUMNS])
{
    int count = 0;
    for (int k = 0; k < h->rows.count && count < FRAME_COLUMNS; ++k) {
        double y[FRAME_COLUMNS];
        for (int m = 0; m < FRAME_COLUMNS; ++m) {
            y[m] = h->rows.row[k][m] / (m < 3 ? 1.0 : length);
        }
        double before = norm_of(y);
        take_out(y, basis, count);
        take_out(y, basis, count); /* once more: rounding */
        double left = norm_of(y);
        if (h->told[k] && left > 1e-9 * before) { /* less: it follows from the others */
            for (int m = 0; m < FRAME_COLUMNS; ++m) {
                basis[count][m] = y[m] / left;
            }
            count++;
        }
    }
    return count;
}

/* What a scene gives of a body's velocity, as a map of [v; omega]: [m/s], turns as ways of `length`. */
typedef struct given_part {
    bool v, omega; /* not given is not asked for */
    v3 com_w;      /* from the body's frame to its centre of mass [m] */
    double length; /* [m] */
} given_part;

static void part_of(const given_part *g, const double x[FRAME_COLUMNS], double out[FRAME_COLUMNS])
{
    v3 v_frame = v3_sub(v3_load(x), v3_cross(v3_load(x + 3), g->com_w));
    v3_store(out, g->v ? v_frame : v3_zero());
    v3_store(out + 3, g->omega ? v3_scale(g->length, v3_load(x + 3)) : v3_zero());
}

/* What unit changes along the axes do to the given part, after what would break the basis is taken out. */
static void allowed_effects(const given_part *g, double (*basis)[FRAME_COLUMNS], int count,
                            double effect[FRAME_COLUMNS][FRAME_COLUMNS])
{
    const double rounding = 1e-12; /* of effects, which are about 1 */
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        double y[FRAME_COLUMNS] = { 0 };
        y[i] = 1.0;
        take_out(y, basis, count);
        for (int m = 3; m < FRAME_COLUMNS; ++m) {
            y[m] /= g->length;
        }
        part_of(g, y, effect[i]);
        for (int m = 0; m < FRAME_COLUMNS; ++m) {
            effect[i][m] = fabs(effect[i][m]) > rounding ? effect[i][m] : 0.0;
        }
    }
}

/* Adds to x the change, among those that keep what is told, that brings its given part nearest to `wanted`; the smallest. */
static void approach_given(const hanging *h, const given_part *g, const double wanted[FRAME_COLUMNS],
                           double x[FRAME_COLUMNS])
{
    double basis[FRAME_COLUMNS][FRAME_COLUMNS], effect[FRAME_COLUMNS][FRAME_COLUMNS], now[FRAME_COLUMNS];
    double A[FRAME_COLUMNS * FRAME_COLUMNS] = { 0 };
    double b[FRAME_COLUMNS] = { 0 };
    double scratch[64];
    int count = told_basis(h, g->length, basis);
    allowed_effects(g, basis, count, effect);
    part_of(g, x, now);
    for (int i = 0; i < FRAME_COLUMNS; ++i) {
        for (int m = 0; m < FRAME_COLUMNS; ++m) {
            b[i] += effect[i][m] * (wanted[m] - now[m]);
            for (int k = 0; k < FRAME_COLUMNS; ++k) {
                A[FRAME_COLUMNS * i + k] += effect[i][m] * effect[k][m];
            }
        }
    }
    CAROM_ASSERT(dense_scratch(FRAME_COLUMNS) <= sizeof scratch / sizeof *scratch);
    dense_solve(A, b, FRAME_COLUMNS, 1e-10, scratch);
    take_out(b, basis, count);
    for (int m = 0; m < FRAME_COLUMNS; ++m) {
        x[m] += b[m] / (m < 3 ? 1.0 : g->length);
    }
}

static void keep_given(const start_rates *r, const hanging *h, const carom_scratch *w, double x[FRAME_COLUMNS])
{
    enum { PASSES = 3 }; /* normal equations lose half the digits: what is left is solved again */
    const carom_model *model = r->graph->model;
    v3 v = r->v_given[h->body];
    v3 omega = r->omega_given[h->body];
    given_part g = { .v = v3_norm(v) > 0.0,
                     .omega = v3_norm(omega) > 0.0,
                     .com_w = q_rotate(w->pose[h->body].q_wb, model->bodies[h->body].com_b),
                     .length = model->length_scale };
    double wanted[FRAME_COLUMNS];
    v3_store(wanted, v);
    v3_store(wanted + 3, v3_scale(g.length, omega));
    for (int k = 0; k < PASSES; ++k) {
        approach_given(h, &g, wanted, x);
    }
}

static body_rate hanging_rate(const start_rates *r, carom_scratch *w, const carom_state *s, int body)
{
    double x[FRAME_COLUMNS];
    hanging h = hang(r, w, s, body);
    start_solve(&h.rows, r->graph->model->length_scale, x);
    for (int m = 0; m < FRAME_COLUMNS; ++m) {
        x[m] += h.follows[m];
    }
    if (gives_velocity(r, body)) {
        keep_given(r, &h, w, x);
    }
    return (body_rate){ .v_w = v3_load(x), .omega_w = v3_load(x + 3) };
}

/* ---- walks ---------------------------------------------------------------------------------------------------------- */

/* The other bodies of its loops move with `body` if the scene gives them no velocity, or have changed as it has. */
static void take_group(start_rates *r, const body_pose *pose, int body, body_rate was, bool again)
{
    int set = set_root(r->group, body);
    v3 dv = v3_sub(r->rate[body].v_w, was.v_w);
    v3 domega = v3_sub(r->rate[body].omega_w, was.omega_w);
    for (int i = 1; i < r->graph->model->body_count && r->group_size[set] > 1; ++i) {
        if (i == body || set_root(r->group, i) != set || joint_graph_node(r->graph->model, i) != i) {
            continue;
        }
        if (again) {
            v3 arm = v3_sub(pose[i].x_w, pose[body].x_w);
            r->rate[i].v_w = v3_add(r->rate[i].v_w, v3_add(dv, v3_cross(domega, arm)));
            r->rate[i].omega_w = v3_add(r->rate[i].omega_w, domega);
        } else if (!gives_velocity(r, i)) {
            r->rate[i] = rigid_rate(pose, r->rate, i, body);
        }
    }
}

static void follow(start_rates *r, carom_scratch *w, carom_state *s, bool again)
{
    const carom_model *model = r->graph->model;
    work_place(w, *s->time, state_motion(s)); /* with the velocities of kinematic bodies */
    memcpy(r->rate, w->rate, (size_t)model->body_count * sizeof *r->rate);
    for (int k = 0; k < r->order_count; ++k) {
        int i = r->order[k];
        bool hangs = r->via[i] >= 0 && set_root(r->group, i) != set_root(r->group, carrier_of(r, i));
        if (r->concerned[i] && hangs) {
            body_rate was = r->rate[i];
            r->rate[i] = hanging_rate(r, w, s, i);
            take_group(r, w->pose, i, was, again);
        }
    }
    for (int slot = 0; slot < model->free_count; ++slot) {
        int i = model->free_bodies[slot];
        s->rate[i] = r->concerned[i] ? r->rate[i] : s->rate[i];
    }
}

void start_rates_follow(start_rates *r, carom_scratch *w, carom_state *s)
{
    follow(r, w, s, false);
}

void start_rates_follow_again(start_rates *r, carom_scratch *w, carom_state *s)
{
    follow(r, w, s, true);
}
