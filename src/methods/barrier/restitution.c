/* Restitution as an input: when the compression of an impact is over, impulses along the forces of its contacts send the bodies
 * apart, such that the normal velocity becomes e times that with which they met. Poses stay as they are, so that nothing can
 * intersect. While the pair leaves, its barrier is no stiffer than it must be: what it stores would add to the rebound.
 *
 * Pairs whose compression ends in the same step are released together, and what joints hold reacts at once; all of it is scaled
 * down where the bodies would have more energy than before the impact.
 *
 * Velocities of a pair are means over its contacts, weighted by their forces. */
#include "methods/barrier/restitution.h"

#include <string.h>

#include "base/arena.h"
#include "methods/barrier/grip.h"
#include "nonsmooth/normals.h"

static double normal_velocity(const barrier_contact *c, const body_rate *a, const body_rate *b)
{
    return v3_dot(c->normal, v3_sub(point_velocity(a, c->arm[0]), point_velocity(b, c->arm[1])));
}

/* The velocity before the step, and what the applied acceleration would make of it. */
static body_rate free_rate(const barrier_work *w, int body)
{
    const moving_body *b = &w->bodies[body];
    body_rate rate = b->rate;
    if (b->free) {
        rate.v_w = v3_axpy(rate.v_w, w->h, w->model->scene.gravity);
    }
    return rate;
}

/* [s] over which the forces at the end of the step have acted: two thirds of it in BDF2. */
static double step_of(const barrier_work *w, const barrier_pair *p)
{
    return w->bodies[p->body[w->bodies[p->body[0]].free ? 0 : 1]].h_rate;
}

static void add_push(const barrier_work *w, const barrier_pair *pair, pair_push *p)
{
    const int *body = pair->body;
    for (int k = 0; k < pair->contact_count; ++k) {
        const barrier_contact *c = &pair->contacts[k];
        double force = -c->parallel.value * c->first;
        v3 impulse = v3_scale(step_of(w, pair) * force, c->normal);
        body_rate before[2] = { free_rate(w, body[0]), free_rate(w, body[1]) };
        p->weight += force;
        p->impulse = v3_add(p->impulse, impulse);
        p->moment[0] = v3_add(p->moment[0], v3_cross(c->arm[0], impulse));
        p->moment[1] = v3_sub(p->moment[1], v3_cross(c->arm[1], impulse));
        p->approach += force * normal_velocity(c, &before[0], &before[1]);
        p->before += force * normal_velocity(c, &w->bodies[body[0]].rate, &w->bodies[body[1]].rate);
        p->after += force * normal_velocity(c, &w->ending[body[0]], &w->ending[body[1]]);
    }
    if (p->weight > 0.0) {
        p->approach /= p->weight;
        p->before /= p->weight;
        p->after /= p->weight;
    }
}

static body_rate rate_of_impulse(const barrier_work *w, int body, v3 impulse, v3 moment)
{
    const moving_body *b = &w->bodies[body];
    if (!b->free) {
        return (body_rate){ v3_zero(), v3_zero() };
    }
    m3 inertia = m3_rotate_tensor(b->R, w->model->bodies[body].inertia_b);
    return (body_rate){ v3_scale(1.0 / b->mass, impulse), m3_mulv(m3_inverse(inertia), moment) };
}

static double kinetic(const barrier_work *w, int body, const body_rate *rate, m3 R)
{
    const moving_body *b = &w->bodies[body];
    m3 inertia = m3_rotate_tensor(R, b->inertia_b);
    return b->free
               ? 0.5 * b->mass * v3_norm2(rate->v_w) + 0.5 * v3_dot(rate->omega_w, m3_mulv(inertia, rate->omega_w))
               : 0.0;
}

static body_rate rate_axpy(body_rate a, double s, const body_rate *b)
{
    return (body_rate){ v3_axpy(a.v_w, s, b->v_w), v3_axpy(a.omega_w, s, b->omega_w) };
}

/* ---- impacts over the step -------------------------------------------------------------------------------------------------- */

/* The speed with which the pair has met, on its way through the step: u^2 = u_0^2 + 2 a s, with the acceleration a of the applied
 * forces and the way s that it has really come nearer. So a restitution of 1 keeps the energy. */
static double meeting_speed(const barrier_work *w, const pair_push *push)
{
    double acceleration = (push->approach - push->before) / w->h;
    double way = fmin(0.0, w->h * push->after);
    return -sqrt(fmax(0.0, push->before * push->before + 2.0 * acceleration * way));
}

/* Impacts that are too slow for the range are inelastic, whatever the restitution: told where gravity alone does not explain them. */
static void note_slow(barrier_work *w, const barrier_pair *p, const pair_push *push)
{
    double falls = 4.0 * w->h * v3_norm(w->model->scene.gravity);
    if (p->impact == IMPACT_OVER && p->interaction->restitution > 0.0 && push->approach < -falls) {
        finding_note(&w->scratch->findings, CAROM_FINDING_RESTITUTION_SLOW, finding_in_run(), -push->approach,
                     2.0 * p->range / w->h, w->t_end);
    }
}

/* The energy of a body before the impact that it is in, and of all that it is joined to. */
static void hold_energy(barrier_work *w, int body)
{
    for (int i = 0; i < w->model->body_count; ++i) {
        bool concerned = i == body || (w->in_mechanism[body] && w->in_mechanism[i]);
        if (concerned && !(w->held[i] >= 0.0)) {
            body_rate rate = free_rate(w, i);
            w->held[i] = kinetic(w, i, &rate, q_matrix(w->bodies[i].begin.q_wb));
        }
    }
}

static void begin_impact(barrier_work *w, barrier_pair *p)
{
    const pair_push *push = &p->push;
    double slow = fmax(2.0 * w->h * v3_norm(w->model->scene.gravity), 2.0 * p->range / w->h);
    p->impact = push->approach < -slow ? IMPACT_COMPRESSION : IMPACT_OVER;
    note_slow(w, p, push);
    p->approach = meeting_speed(w, push);
    for (int side = 0; p->impact == IMPACT_COMPRESSION && side < 2; ++side) {
        hold_energy(w, p->body[side]);
    }
}

/* [J] An impulse takes its size times the mean of the normal velocities before and after it. The part of it that only holds what
 * the applied forces have added in the step takes nothing. */
static double loss_of(const barrier_work *w, const barrier_pair *p, const pair_push *push)
{
    double whole = push->after - push->approach;
    double part = whole > 0.0 ? (push->after - push->before) / whole : 0.0;
    part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    return -0.5 * step_of(w, p) * push->weight * part * (push->before + push->after) - p->energy;
}

/* Of a pair whose impact is over no more is asked than whether it still pushes. */
static pair_push push_of(const barrier_work *w, const barrier_pair *p)
{
    pair_push push = { 0 };
    if (p->impact == IMPACT_NONE || p->impact == IMPACT_COMPRESSION) {
        add_push(w, p, &push);
        return push;
    }
    for (int k = 0; k < p->contact_count; ++k) {
        push.weight -= p->contacts[k].parallel.value * p->contacts[k].first;
    }
    return push;
}

void restitution_judge(barrier_work *w)
{
    static const double OVER = 0.02; /* of the approach: compression has ended */
    w->impact_loss = 0.0;
    for (int k = 0; k < w->pair_count; ++k) {
        barrier_pair *p = &w->pairs[k];
        p->bounced = p->releasing = false;
        p->push = push_of(w, p);
        if (!(p->push.weight > 0.0)) {
            p->impact = IMPACT_NONE;
            continue;
        }
        bool begins = p->impact == IMPACT_NONE;
        if (begins) {
            begin_impact(w, p);
        }
        if (p->impact == IMPACT_COMPRESSION || (begins && p->push.before < 0.0)) {
            w->impact_loss += loss_of(w, p, &p->push);
        }
        p->releasing = p->impact == IMPACT_COMPRESSION && p->push.after >= OVER * p->approach;
    }
}

/* [m/s] mean normal velocity of a pair, weighted by its forces, when bodies have these velocities. */
static double mean_normal(const barrier_pair *p, const body_rate *rate)
{
    double sum = 0.0;
    for (int k = 0; k < p->contact_count; ++k) {
        const barrier_contact *c = &p->contacts[k];
        sum += -c->parallel.value * c->first * normal_velocity(c, &rate[p->body[0]], &rate[p->body[1]]);
    }
    return sum / p->push.weight;
}

/* ---- release ---------------------------------------------------------------------------------------------------------------- */

/* Velocities by impulses on two bodies, on these alone. */
static void respond_alone(const barrier_work *w, const int body[2], const pair_push *push, body_rate *out)
{
    out[body[0]] = rate_of_impulse(w, body[0], push->impulse, push->moment[0]);
    out[body[1]] = rate_of_impulse(w, body[1], v3_neg(push->impulse), push->moment[1]);
}

/* The same where joints react: the solver has the factors of the end of the step. */
static void respond_joined(const barrier_work *w, const int body[2], const pair_push *push, carom_scratch *s,
                           body_rate *out)
{
    memset(s->x, 0, (size_t)w->model->column_count * sizeof *s->x);
    memset(s->y, 0, (size_t)w->model->row_count * sizeof *s->y);
    for (int side = 0; side < 2; ++side) {
        const model_body *b = &w->model->bodies[body[side]];
        if (b->width > 0) {
            v3_store(s->x + b->column, side == 0 ? push->impulse : v3_neg(push->impulse));
            v3_store(s->x + b->column + 3, push->moment[side]);
        }
    }
    saddle_solve(s->kkt, s->x, s->y);
    for (int slot = 0; slot < w->model->free_count; ++slot) {
        int i = w->model->free_bodies[slot];
        const double *d = s->x + w->model->bodies[i].column;
        out[i] = (body_rate){ v3_load(d), v3_load(d + 3) };
    }
}

/* Adds a share of the response of two bodies to the velocities. */
static void respond(barrier_work *w, const int body[2], const pair_push *push, carom_scratch *s, double share,
                    body_rate *rate)
{
    bool joined = w->model->row_count > 0 && (w->in_mechanism[body[0]] || w->in_mechanism[body[1]]);
    memset(w->response, 0, (size_t)w->model->body_count * sizeof *w->response);
    if (joined) {
        respond_joined(w, body, push, s, w->response);
    } else {
        respond_alone(w, body, push, w->response);
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        rate[i] = rate_axpy(rate[i], share, &w->response[i]);
    }
}

/* Pairs that are released together: impulses P >= 0 along those of the step, one per pair, that leave none slower than e times its
 * approach, and act only where it is not left faster; and friction J of each, where there is any. Rows: mean normal velocities, then the
 * slips of grips. Velocities u = u_0 + D (P, J); D is symmetric, as both the impulses and the means are weighted by the forces of contacts. */
typedef struct release_problem {
    int count, rows;
    int *pairs;
    grip *grips; /* count; NULL: nothing rubs */
    double *D;
    double *u;      /* [m/s] of all rows */
    double *target; /* [m/s] of the normal ones */
    double *P, *J;  /* [N s] */
    normals_work *solver;
} release_problem;

static bool takes_part(const barrier_pair *p)
{
    return p->releasing && p->gain > 0.0;
}

/* [N s] in the direction of the pair's forces. */
static double impulse_of(const barrier_work *w, const barrier_pair *p)
{
    return step_of(w, p) * p->push.weight;
}

static bool create_problem(const barrier_work *w, carom_arena *arena, release_problem *r)
{
    bool rubs = false;
    *r = (release_problem){ .count = 0 };
    for (int k = 0; k < w->pair_count; ++k) {
        const barrier_pair *p = &w->pairs[k];
        r->count += takes_part(p);
        rubs = rubs || (takes_part(p) && p->interaction->restitution > 0.0 && p->mu_static > 0.0);
    }
    r->rows = rubs ? (1 + GRIP_ROWS) * r->count : r->count;
    size_t n = (size_t)r->count + 1;
    size_t rows = (size_t)r->rows + 1;
    r->pairs = CAROM_ARENA_ARRAY(arena, int, n);
    r->grips = rubs ? CAROM_ARENA_ARRAY(arena, grip, n) : NULL;
    r->D = CAROM_ARENA_ARRAY(arena, double, rows *rows);
    r->u = CAROM_ARENA_ARRAY(arena, double, rows);
    r->target = CAROM_ARENA_ARRAY(arena, double, n);
    r->P = CAROM_ARENA_ARRAY(arena, double, n);
    r->J = CAROM_ARENA_ARRAY(arena, double, GRIP_ROWS *n);
    r->solver = normals_create(arena, r->count);
    return !arena->failed && r->solver;
}

/* Velocities of all rows when bodies have these. */
static void rows_of(const barrier_work *w, const release_problem *r, const body_rate *rate, double *u, int stride)
{
    for (int k = 0; k < r->count; ++k) {
        u[k * stride] = mean_normal(&w->pairs[r->pairs[k]], rate);
        for (int row = 0; r->grips && row < GRIP_ROWS; ++row) {
            u[(r->count + GRIP_ROWS * k + row) * stride] = grip_slip(&r->grips[k], row, rate);
        }
    }
}

/* Adds the response to an impulse [N s] along a row. */
static void respond_to_row(barrier_work *w, const release_problem *r, int row, carom_scratch *s, double impulse,
                           body_rate *rate)
{
    if (row < r->count) {
        const barrier_pair *p = &w->pairs[r->pairs[row]];
        respond(w, p->body, &p->push, s, impulse / impulse_of(w, p), rate);
        return;
    }
    const grip *g = &r->grips[(row - r->count) / GRIP_ROWS];
    pair_push push = grip_push(g, (row - r->count) % GRIP_ROWS);
    respond(w, g->body, &push, s, impulse, rate);
}

/* Unit impulses along each row in turn; w->ending is where their velocities are. */
static void fill_problem(barrier_work *w, carom_scratch *s, const body_rate *rate, release_problem *r)
{
    int count = 0;
    for (int k = 0; k < w->pair_count; ++k) {
        if (takes_part(&w->pairs[k])) {
            r->pairs[count++] = k;
        }
    }
    for (int k = 0; k < r->count; ++k) {
        const barrier_pair *p = &w->pairs[r->pairs[k]];
        r->target[k] = -p->interaction->restitution * p->approach;
        if (r->grips) {
            r->grips[k] = grip_of(w, p, rate);
        }
    }
    for (int row = 0; row < r->rows; ++row) {
        memset(w->ending, 0, (size_t)w->model->body_count * sizeof *w->ending);
        respond_to_row(w, r, row, s, 1.0, w->ending);
        rows_of(w, r, w->ending, r->D + row, r->rows);
    }
    rows_of(w, r, rate, r->u, 1);
}

/* Normal impulses and friction in turn, until neither changes what the other has found. Returns the velocity [m/s] that is left. */
static double solve_release(release_problem *r, double none)
{
    enum { ROUNDS = 200 };
    reduced_problem problem = { .row_count = r->rows, .contact_count = r->count, .D = r->D };
    double left = normals_stop(r->solver, &problem, r->target, none, r->P, r->u);
    double moved = r->grips ? HUGE_VAL : 0.0;
    for (int k = 0; k < ROUNDS && moved > none; ++k) {
        moved = grips_hold(r->grips, r->count, &problem, r->P, r->J, r->u);
        left = normals_stop(r->solver, &problem, r->target, none, r->P, r->u);
    }
    return fmax(left, moved);
}

/* Shares of all pairs at once. False when memory runs out. */
static bool share_out(barrier_work *w, carom_scratch *s, body_rate *rate)
{
    static const double NONE = 1e-12; /* of the fastest approach */
    static const double TOLD = 1e-6;  /* likewise: what is left beyond this is told */
    carom_arena arena = { 0 };
    release_problem r;
    double fastest = 0.0;
    bool ok = create_problem(w, &arena, &r);
    if (ok) {
        fill_problem(w, s, rate, &r);
        for (int k = 0; k < r.count; ++k) {
            fastest = fmax(fastest, -w->pairs[r.pairs[k]].approach);
        }
        double left = solve_release(&r, NONE * fastest);
        for (int row = 0; row < r.rows; ++row) {
            respond_to_row(w, &r, row, s, row < r.count ? r.P[row] : r.J[row - r.count], rate);
        }
        for (int k = 0; k < r.count; ++k) {
            barrier_pair *p = &w->pairs[r.pairs[k]];
            p->share = r.P[k] / impulse_of(w, p);
        }
        if (left > TOLD * fastest) {
            ++w->counts.not_converged;
            w->counts.last_speed = fmax(w->counts.last_speed, left);
            w->counts.tolerance = TOLD * fastest;
        }
    }
    carom_arena_free(&arena);
    return ok;
}

/* The part of the changes after which the bodies of impacts have the energy that they had before: a quadratic function. */
static double energy_part(const barrier_work *w, const body_rate *from, const body_rate *to)
{
    double allowed = 0.0;
    double at[3] = { 0.0 };
    for (int i = 0; i < w->model->body_count; ++i) {
        if (!(w->held[i] >= 0.0)) {
            continue;
        }
        body_rate change = rate_axpy(to[i], -1.0, &from[i]);
        allowed += w->held[i];
        for (int k = 0; k < 3; ++k) {
            body_rate rate = rate_axpy(from[i], 0.5 * k, &change);
            at[k] += kinetic(w, i, &rate, w->bodies[i].R);
        }
    }
    for (int k = 0; k < w->pair_count; ++k) { /* what barriers still hold comes on top */
        allowed -= w->pairs[k].releasing ? w->pairs[k].energy : 0.0;
    }
    if (at[2] <= allowed) {
        return 1.0;
    }
    double c = at[0] - allowed; /* at(x) - allowed = a x^2 + b x + c */
    double a = 2.0 * (at[2] - 2.0 * at[1] + at[0]);
    double b = at[2] - at[0] - a;
    double x = a > 0.0 ? (-b + sqrt(fmax(0.0, b * b - 4.0 * a * c))) / (2.0 * a) : 1.0;
    return fmin(fmax(x, 0.0), 1.0);
}

/* Energies are held as long as a body is in an impact. */
static void forget_energies(barrier_work *w)
{
    bool joined = false;
    memset(w->struck, 0, (size_t)w->model->body_count * sizeof *w->struck);
    for (int k = 0; k < w->pair_count; ++k) {
        for (int side = 0; w->pairs[k].impact == IMPACT_COMPRESSION && side < 2; ++side) {
            w->struck[w->pairs[k].body[side]] = true;
            joined = joined || w->in_mechanism[w->pairs[k].body[side]];
        }
    }
    for (int i = 0; i < w->model->body_count; ++i) {
        bool struck = w->struck[i] || (joined && w->in_mechanism[i]);
        w->held[i] = struck ? w->held[i] : -1.0;
    }
}

bool restitution_wanted(const barrier_work *w)
{
    bool any = false;
    for (int k = 0; k < w->pair_count; ++k) {
        any = any || w->pairs[k].releasing;
    }
    return any;
}

bool restitution_release(barrier_work *w, carom_scratch *s, body_rate *rate)
{
    bool any = restitution_wanted(w);
    bool ok = true;
    for (int k = 0; k < w->pair_count; ++k) {
        barrier_pair *p = &w->pairs[k];
        p->share = 0.0;
        if (p->releasing) {
            memset(w->ending, 0, (size_t)w->model->body_count * sizeof *w->ending);
            respond(w, p->body, &p->push, s, 1.0, w->ending);
            p->gain = mean_normal(p, w->ending);
            p->impact = IMPACT_ENDED;
        }
    }
    memcpy(w->before, rate, (size_t)w->model->body_count * sizeof *rate);
    if (any) {
        ok = share_out(w, s, rate);
        double part = energy_part(w, w->before, rate);
        for (int i = 0; i < w->model->body_count; ++i) {
            body_rate change = rate_axpy(rate[i], -1.0, &w->before[i]);
            rate[i] = rate_axpy(w->before[i], part, &change);
        }
        for (int k = 0; k < w->pair_count; ++k) {
            barrier_pair *p = &w->pairs[k];
            p->bounced = p->releasing && part * p->share > 0.0;
            p->impact = p->bounced ? IMPACT_LEAVING : p->impact;
            p->returned = p->bounced ? part * p->share * v3_norm(p->push.impulse) : 0.0;
            w->counts.bounces += p->bounced;
        }
    }
    forget_energies(w);
    return ok;
}
