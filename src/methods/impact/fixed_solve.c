/* Islands of a fixed step, and the contact problem of each: bodies that joints and contacts connect are solved together, others alone and by any
 * thread. Fixed and prescribed bodies connect nothing. All orders follow from the numbers of bodies and contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/parallel.h"
#include "base/union_find.h"
#include "methods/impact/fixed_work.h"
#include "model/colliders.h"
#include "nonsmooth/contact_rows.h"
#include "nonsmooth/gauss_seidel.h"

double fixed_gravity(const carom_model *model)
{
    return v3_norm(model->scene.gravity);
}

/* ---- islands --------------------------------------------------------------------------------------------------------------------- */

static void join(fixed_work *fw, const int body[2])
{
    int a = fw->model->bodies[body[0]].slot;
    int b = fw->model->bodies[body[1]].slot;
    if (a >= 0 && b >= 0) {
        set_unite(fw->parent, a, b);
    }
}

/* The island of an element: of its first body that moves. */
static int root_of(fixed_work *fw, const int body[2])
{
    int a = fw->model->bodies[body[0]].slot;
    return set_root(fw->parent, a >= 0 ? a : fw->model->bodies[body[1]].slot);
}

/* Islands numbered by their smallest body; fw->place is the island of a slot until places are given. */
static void number_islands(fixed_work *fw)
{
    const carom_model *m = fw->model;
    fw->island_count = 0;
    for (int slot = 0; slot < m->free_count; ++slot) {
        int root = set_root(fw->parent, slot);
        if (root == slot) {
            fw->place[slot] = fw->island_count;
            fw->islands[fw->island_count++] = (fixed_island){ 0 };
        } else {
            fw->place[slot] = fw->place[root];
        }
        fw->islands[fw->place[slot]].body_count++;
    }
}

/* Counts of bodies, contacts and joints become first indices; counts start again. */
static void set_firsts(fixed_work *fw)
{
    int body = 0;
    int contact = 0;
    int joint = 0;
    for (int k = 0; k < fw->island_count; ++k) {
        fixed_island *i = &fw->islands[k];
        i->first_body = body;
        i->first_contact = contact;
        i->first_joint = joint;
        body += i->body_count;
        contact += i->contact_count;
        joint += i->joint_count;
        i->body_count = i->contact_count = i->joint_count = 0;
    }
}

static int element_root(fixed_work *fw, int element)
{
    int body[ELEMENT_ENDS];
    fixed_element_bodies(fw->model, element, body);
    return set_root(fw->parent, fw->model->bodies[body[0]].slot);
}

static fixed_island *island_of(fixed_work *fw, const int body[2])
{
    return &fw->islands[fw->place[root_of(fw, body)]];
}

/* Everything in the order of islands: slot_at, cone_source, joint_place. `place` still has islands. */
static void fill_islands(fixed_work *fw)
{
    const carom_model *m = fw->model;
    for (int i = 0; i < fw->contact_count; ++i) {
        island_of(fw, fw->contacts[i].body)->contact_count++;
    }
    for (int e = 0; e < fixed_element_count(m); ++e) {
        fw->islands[fw->place[element_root(fw, e)]].joint_count++;
    }
    set_firsts(fw);
    for (int slot = 0; slot < m->free_count; ++slot) {
        fixed_island *k = &fw->islands[fw->place[slot]];
        fw->slot_at[k->first_body + k->body_count++] = slot;
    }
    for (int i = 0; i < fw->contact_count; ++i) {
        fixed_island *k = island_of(fw, fw->contacts[i].body);
        fw->cone_source[k->first_contact + k->contact_count++] = i;
    }
    for (int e = 0; e < fixed_element_count(m); ++e) {
        fixed_island *k = &fw->islands[fw->place[element_root(fw, e)]];
        fw->joint_place[e] = k->first_joint + k->joint_count++;
        fw->joint_at[fw->joint_place[e]] = e;
    }
    for (int p = 0; p < m->free_count; ++p) {
        fw->place[fw->slot_at[p]] = p;
    }
}

static void find_islands(fixed_work *fw)
{
    const carom_model *m = fw->model;
    for (int slot = 0; slot < m->free_count; ++slot) {
        fw->parent[slot] = slot;
    }
    for (int e = 0; e < fixed_element_count(m); ++e) {
        int body[ELEMENT_ENDS];
        int count = fixed_element_bodies(m, e, body);
        for (int i = 1; i < count; ++i) {
            join(fw, (const int[2]){ body[0], body[i] });
        }
    }
    for (int i = 0; i < fw->contact_count; ++i) {
        join(fw, fw->contacts[i].body);
    }
    number_islands(fw);
    fill_islands(fw);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------------------------ */

static void take_matrix(double out[3][3], m3 a)
{
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            out[r][c] = a.m[3 * r + c];
        }
    }
}

static void make_bodies(fixed_work *fw, const carom_scratch *w, const body_rate *free)
{
    const carom_model *m = fw->model;
    for (int p = 0; p < m->free_count; ++p) {
        int i = m->free_bodies[fw->slot_at[p]];
        problem_body *b = &fw->bodies[p];
        b->mass = m->bodies[i].mass;
        b->inverse_mass = 1.0 / b->mass;
        take_matrix(b->inertia, w->J_w[i]);
        take_matrix(b->inverse_inertia, m3_inverse(w->J_w[i]));
        double *v = fw->v_free + BODY_COLUMNS * p;
        v3_store(v, free ? free[i].v_w : v3_zero());
        v3_store(v + 3, free ? free[i].omega_w : v3_zero());
    }
}

/* ---- contacts ---------------------------------------------------------------------------------------------------------------------- */

/* [1/kg] of a body that a contact pushes; of one that it turns, 1/inertia at its arm. */
static double inverse_mass_of(const fixed_work *fw, const carom_scratch *w, const fixed_contact *c, int body)
{
    if (c->couple > 0.0) {
        v3 turned = m3_mulv(m3_inverse(w->J_w[body]), c->normal_w);
        return c->couple * c->couple * v3_dot(turned, c->normal_w);
    }
    return 1.0 / fw->model->bodies[body].mass;
}

/* Geometry, friction, compliance; the bias has the velocities of sides that do not move freely. */
static void make_cone(const fixed_work *fw, const carom_scratch *w, const fixed_contact *c, int first_body,
                      cone_contact *out)
{
    const carom_model *m = fw->model;
    *out = (cone_contact){ .mu = c->mu, .couple = c->couple };
    v3_store(out->frame[0], c->normal_w);
    v3_store(out->frame[1], c->tangent_w[0]);
    v3_store(out->frame[2], c->tangent_w[1]);
    for (int side = 0; side < 2; ++side) {
        int slot = m->bodies[c->body[side]].slot;
        out->body[side] = slot >= 0 ? fw->place[slot] - first_body : -1;
        v3_store(out->arm[side], v3_sub(c->p_w, w->pose[c->body[side]].x_w));
        if (slot >= 0) {
            out->eps += FIXED_COMPLIANCE * inverse_mass_of(fw, w, c, c->body[side]);
            continue;
        }
        double sign = side == 0 ? 1.0 : -1.0;
        v3 given = fixed_side_velocity(w, w->rate, c, side);
        for (int k = 0; k < CONE_ROWS; ++k) {
            out->bias[k] += sign * v3_dot(v3_load(out->frame[k]), given);
        }
    }
    for (int k = 0; k < CONE_ROWS; ++k) {
        out->r[k] = v3_dot(v3_load(out->frame[k]), c->impulse_w);
    }
    out->r[0] = fmax(0.0, out->r[0]);
}

/* A gap may close and no more; depths are lifted slowly; an impact gives back what restitution asks for. */
static double normal_bias(const fixed_work *fw, const fixed_contact *c, double h)
{
    double recovery = FIXED_RECOVERY * fixed_gravity(fw->model) * h;
    if (c->bounce > 0.0) {
        return -c->bounce;
    }
    return c->gap > 0.0 ? c->gap / h : fmax(FIXED_RELAXATION * c->gap / h, -recovery);
}

static double impact_speed(const fixed_work *fw, double h)
{
    const impact_options *o = fw->options;
    return o->impact_speed > 0.0 ? o->impact_speed : FIXED_IMPACT * fixed_gravity(fw->model) * h;
}

/* Newton's restitution where a contact closes within the step, faster than the threshold. */
static void set_bounce(const fixed_work *fw, const carom_scratch *w, fixed_contact *c, double h)
{
    double e = c->restitution;
    double free = v3_dot(c->normal_w, fixed_relative_velocity(w, fw->rate_free, c));
    bool closes = c->gap + h * free <= 0.0;
    c->bounce = e > 0.0 && closes && c->before < -impact_speed(fw, h) ? -e * c->before : 0.0;
}

/* ---- the problem of an island ------------------------------------------------------------------------------------------------------- */

static contact_problem problem_of(fixed_work *fw, const fixed_island *i)
{
    return (contact_problem){ .body_count = i->body_count,
                              .bodies = fw->bodies + i->first_body,
                              .v = fw->v + BODY_COLUMNS * i->first_body,
                              .v_free = fw->v_free + BODY_COLUMNS * i->first_body,
                              .contact_count = i->contact_count,
                              .contacts = fw->cones + i->first_contact,
                              .joint_count = i->joint_count,
                              .joints = fw->joints + i->first_joint };
}

/* The fastest approach without impulses, and at least what gravity does in a step. */
static double speed_scale_of(const fixed_work *fw, const contact_problem *p, double h)
{
    double speed = fmax(fixed_gravity(fw->model) * h, 1e-9 * fw->model->length_scale / h);
    for (int i = 0; i < p->contact_count; ++i) {
        double u[CONE_ROWS];
        contact_rows_times(&p->contacts[i], p->v_free, u);
        speed = fmax(speed, -(u[0] + p->contacts[i].bias[0]));
    }
    return speed;
}

static bool is_quiet(const fixed_work *fw, const fixed_island *island, double h)
{
    double limit = FIXED_QUIET * fixed_gravity(fw->model) * h;
    bool quiet = true;
    for (int p = island->first_body; quiet && p < island->first_body + island->body_count; ++p) {
        int i = fw->model->free_bodies[fw->slot_at[p]];
        const body_rate *u = &fw->rate_before[i];
        quiet = v3_norm(u->v_w) + fw->model->bodies[i].reach * v3_norm(u->omega_w) <= limit;
    }
    return quiet;
}

/* The last report, with the counts of all. */
static void add_counts(solve_report *sum, const solve_report *now)
{
    solve_report before = *sum;
    *sum = *now;
    sum->sweeps += before.sweeps;
    sum->factorisations += before.factorisations;
    sum->interior_points += before.interior_points;
}

/* Whether gap functions see some of the contacts: what sinks in deeper than they look is lost. */
static bool is_seen_by_features(const fixed_work *fw, const fixed_island *island)
{
    bool any = false;
    for (int i = island->first_contact; !any && i < island->first_contact + island->contact_count; ++i) {
        uint32_t code = fw->contacts[fw->cone_source[i]].code;
        any = code >= CODE_GAP && code < CODE_STOP;
    }
    return any;
}

/* What stands is cheap to solve exactly, since an exact answer is an exact start for the next step. What moves is not: there `balanced` gives up
 * after Newton's method where an island is large enough for the rest to be dear. */
static island_manner manner_of(const fixed_work *fw, const fixed_island *island, double h)
{
    const carom_preset preset = fw->model->scene.time.preset;
    const bool all = preset == CAROM_ACCURATE || island->joint_count > 0;
    if (all || preset == CAROM_FAST) {
        return (island_manner){ .exact = all, .effort = SOLVE_BY_ALL };
    }
    bool moderate = island->contact_count <= FIXED_EXACT_MOST;
    bool thorough = island->contact_count <= FIXED_SMALL || is_quiet(fw, island, h) ||
                    (moderate && is_seen_by_features(fw, island));
    return (island_manner){ .exact = thorough || moderate, .effort = thorough ? SOLVE_BY_ALL : SOLVE_BY_NEWTON };
}

static void solve_once(fixed_work *fw, fixed_island *island, contact_problem *p, contact_solver *solver)
{
    enum { SWEEPS = 300 };
    const double tolerance = fw->options->tolerance > 0.0 ? fw->options->tolerance : FIXED_TOLERANCE;
    const island_manner *manner = &island->manner;
    solve_report now = { 0 };
    if (manner->exact) {
        now = contact_solve_accurate(solver, p, tolerance, manner->effort);
        add_counts(&island->report, &now);
    }
    island->manner.swept = !manner->exact || (manner->effort != SOLVE_BY_ALL && !now.solved && !now.no_memory);
    if (manner->swept) {
        now = contact_solve_fast(p, FIXED_SWEEP_TOLERANCE, SWEEPS);
        add_counts(&island->report, &now);
    }
}

/* [J] that the contacts of an island have put into it, with the mean of both half steps' velocities. */
static double contact_work(const fixed_work *fw, const fixed_island *island, const contact_problem *p, double h)
{
    double work = 0.0;
    for (int k = 0; k < p->contact_count; ++k) {
        const cone_contact *c = &p->contacts[k];
        const fixed_contact *from = &fw->contacts[fw->cone_source[island->first_contact + k]];
        double u[CONE_ROWS];
        contact_rows_times(c, p->v, u);
        u[0] += c->bias[0] - normal_bias(fw, from, h); /* what a held side moves */
        u[1] += c->bias[1];
        u[2] += c->bias[2];
        const double before[CONE_ROWS] = { from->before, v3_dot(from->slip_before, from->tangent_w[0]),
                                           v3_dot(from->slip_before, from->tangent_w[1]) };
        for (int l = 0; l < CONE_ROWS; ++l) {
            work += 0.5 * c->r[l] * (u[l] + before[l]);
        }
    }
    return work;
}

static double island_energy(const contact_problem *p)
{
    double sum = 0.0;
    for (int i = 0; i < p->body_count; ++i) {
        const double *v = p->v_free + BODY_COLUMNS * i;
        const problem_body *b = &p->bodies[i];
        sum += 0.5 * b->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int k = 0; k < 3; ++k) {
            for (int l = 0; l < 3; ++l) {
                sum += 0.5 * v[3 + k] * b->inertia[k][l] * v[3 + l];
            }
        }
    }
    return sum;
}

/* Restitution by Newton's law may give energy where there is friction: then it is halved in the whole island, at last left out. */
static bool halve_bounces(fixed_work *fw, fixed_island *island, const contact_problem *p, double h)
{
    enum { MOST = 6 };
    const double rounding = 1e-9;
    bool any = false;
    for (int k = 0; k < p->contact_count; ++k) {
        any = any || fw->contacts[fw->cone_source[island->first_contact + k]].bounce > 0.0;
    }
    if (!any || island->halvings >= MOST || contact_work(fw, island, p, h) <= rounding * island_energy(p)) {
        return false;
    }
    island->halvings++;
    for (int k = 0; k < p->contact_count; ++k) {
        fixed_contact *c = &fw->contacts[fw->cone_source[island->first_contact + k]];
        double given = p->contacts[k].bias[0] - normal_bias(fw, c, h);
        c->bounce = island->halvings < MOST ? 0.5 * c->bounce : 0.0;
        p->contacts[k].bias[0] = given + normal_bias(fw, c, h);
    }
    return true;
}

typedef struct island_task {
    fixed_work *fw;
    double h;
} island_task;

static void solve_islands(void *context, size_t begin, size_t end)
{
    const island_task *task = context;
    for (size_t k = begin; k < end; ++k) {
        fixed_island *island = &task->fw->islands[k];
        if (island->contact_count == 0 && island->joint_count == 0) {
            memcpy(task->fw->v + BODY_COLUMNS * island->first_body,
                   task->fw->v_free + BODY_COLUMNS * island->first_body,
                   BODY_COLUMNS * (size_t)island->body_count * sizeof(double));
            island->report = (solve_report){ .solved = true, .contact = -1 };
            continue;
        }
        contact_problem p = problem_of(task->fw, island);
        contact_problem_prepare(&p);
        p.speed = speed_scale_of(task->fw, &p, task->h);
        do {
            solve_once(task->fw, island, &p, task->fw->solvers[k]);
        } while (halve_bounces(task->fw, island, &p, task->h));
    }
}

/* ---- results ------------------------------------------------------------------------------------------------------------------------- */

static void take_results(fixed_work *fw, carom_scratch *w)
{
    const carom_model *m = fw->model;
    for (int p = 0; p < m->free_count; ++p) {
        body_rate *rate = &w->rate[m->free_bodies[fw->slot_at[p]]];
        rate->v_w = v3_load(fw->v + BODY_COLUMNS * p);
        rate->omega_w = v3_load(fw->v + BODY_COLUMNS * p + 3);
    }
    for (int k = 0; k < fw->contact_count; ++k) {
        const cone_contact *from = &fw->cones[k];
        fixed_contact *c = &fw->contacts[fw->cone_source[k]];
        v3 u = fixed_relative_velocity(w, w->rate, c);
        double friction = hypot(from->r[1], from->r[2]);
        c->impulse_w = v3_scale(from->r[0], c->normal_w);
        c->impulse_w = v3_axpy(c->impulse_w, from->r[1], c->tangent_w[0]);
        c->impulse_w = v3_axpy(c->impulse_w, from->r[2], c->tangent_w[1]);
        c->after = v3_dot(u, c->normal_w);
        c->slip_after = v3_axpy(u, -c->after, c->normal_w);
        c->sticks = from->r[0] > 0.0 && friction < (1.0 - 1e-9) * from->mu * from->r[0];
    }
}

static bool is_usable(const fixed_island *i)
{
    return i->manner.swept || i->report.solved || i->report.residual <= FIXED_UNUSABLE;
}

bool fixed_is_usable(const fixed_work *fw)
{
    bool usable = true;
    for (int k = 0; k < fw->island_count; ++k) {
        usable = usable && is_usable(&fw->islands[k]);
    }
    return usable;
}

/* The pair of bodies at the worst contact of an island. False: a joint is worse. */
static bool worst_pair(const fixed_work *fw, const fixed_island *i, int body[2])
{
    if (i->report.contact < 0) {
        return false;
    }
    const fixed_contact *c = &fw->contacts[fw->cone_source[i->first_contact + i->report.contact]];
    body[0] = c->body[0];
    body[1] = c->body[1];
    return true;
}

bool fixed_worst_pair(const fixed_work *fw, int body[2], double *residual)
{
    const fixed_island *worst = NULL;
    for (int k = 0; k < fw->island_count; ++k) {
        const fixed_island *i = &fw->islands[k];
        worst = !is_usable(i) && (!worst || i->report.residual > worst->report.residual) ? i : worst;
    }
    *residual = worst ? worst->report.residual : 0.0;
    return worst && worst_pair(fw, worst, body);
}

void fixed_note_reports(const fixed_work *fw, carom_scratch *w)
{
    const double tolerance = fw->options->tolerance > 0.0 ? fw->options->tolerance : FIXED_TOLERANCE;
    for (int k = 0; k < fw->island_count; ++k) {
        const fixed_island *i = &fw->islands[k];
        if (!i->report.solved) {
            int body[2];
            finding_place place = worst_pair(fw, i, body) ? finding_at_pair(body[0], body[1]) : finding_in_run();
            finding_note(&w->findings, CAROM_FINDING_CONTACTS_UNSOLVED, place, i->report.residual,
                         i->manner.swept ? FIXED_SWEEP_TOLERANCE : tolerance, w->t);
        }
        if (i->halvings > 0) {
            finding_note(&w->findings, CAROM_FINDING_RESTITUTION_HALVED, finding_in_run(), i->halvings, (double)NAN,
                         w->t);
        }
    }
}

static bool reserve(fixed_work *fw)
{
    bool ok = CAROM_ARRAY_RESERVE(fw->cones, fw->cone_capacity, (size_t)fw->contact_count) &&
              CAROM_ARRAY_RESERVE(fw->cone_source, fw->source_capacity, (size_t)fw->contact_count);
    for (int k = 0; ok && k < fw->island_count; ++k) {
        fw->solvers[k] = fw->solvers[k] ? fw->solvers[k] : contact_solver_create();
        ok = fw->solvers[k] != NULL;
    }
    return ok;
}

/* The last step's largest normal impulse of the pair of bodies at each contact limits its compliance: contacts that carry thousands of times the weight of their
 * bodies would creep faster than they are lifted, and a column would lean ever more. The same for all contacts of a pair, so that forces stay linear over a face. */
static void limit_compliance(fixed_work *fw, double kick)
{
    const double creep = FIXED_CREEP * fixed_gravity(fw->model) * kick;
    for (int i = 0; i < fw->contact_count;) {
        double load = 0.0;
        int end = i;
        for (; end < fw->contact_count && fixed_compare_pairs(fw->contacts[end].body, fw->contacts[i].body) == 0;
             ++end) {
            const fixed_contact *c = &fw->contacts[end];
            load = fmax(load, v3_dot(c->impulse_w, c->normal_w));
        }
        for (; i < end; ++i) {
            fw->contacts[i].softest = creep > 0.0 && load > 0.0 ? creep / load : HUGE_VAL;
        }
    }
}

static void make_problems(fixed_work *fw, carom_scratch *w, double h, double kick)
{
    limit_compliance(fw, kick);
    for (int k = 0; k < fw->island_count; ++k) {
        fixed_island *island = &fw->islands[k];
        island->manner = manner_of(fw, island, h);
        for (int i = island->first_contact; i < island->first_contact + island->contact_count; ++i) {
            fixed_contact *c = &fw->contacts[fw->cone_source[i]];
            v3 u = fixed_relative_velocity(w, fw->rate_before, c);
            c->before = v3_dot(u, c->normal_w);
            c->slip_before = v3_axpy(u, -c->before, c->normal_w);
            set_bounce(fw, w, c, h);
            make_cone(fw, w, c, island->first_body, &fw->cones[i]);
            fw->cones[i].bias[0] += normal_bias(fw, c, h);
            fw->cones[i].eps = fmax(FIXED_LEAST_COMPLIANCE * fw->cones[i].eps, fmin(fw->cones[i].eps, c->softest));
        }
    }
    for (int k = 0; k < fw->island_count; ++k) {
        const fixed_island *island = &fw->islands[k];
        for (int j = island->first_joint; j < island->first_joint + island->joint_count; ++j) {
            fixed_make_element(fw, w, fw->joint_at[j], island->first_body, h, kick);
        }
    }
}

carom_status fixed_solve_impulses(fixed_work *fw, carom_scratch *w, double h, double kick, carom_error *err)
{
    island_task task = { fw, h };
    if (!CAROM_ARRAY_RESERVE(fw->cone_source, fw->source_capacity, (size_t)fw->contact_count + 1)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    find_islands(fw);
    if (!reserve(fw)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory for contacts");
    }
    make_bodies(fw, w, fw->rate_free);
    work_write_rows(w, w->kkt);
    make_problems(fw, w, h, kick);
    carom_parallel_uneven(w->threads, (size_t)fw->island_count, 2, solve_islands, &task);
    for (int k = 0; k < fw->island_count; ++k) {
        if (fw->islands[k].report.no_memory) {
            return carom_fail(err, CAROM_NO_MEMORY, "out of memory for the contacts of an island");
        }
    }
    take_results(fw, w);
    return CAROM_OK;
}

/* ---- positions ----------------------------------------------------------------------------------------------------------------------- */

static double depth_allowed(const fixed_work *fw, const fixed_contact *c, bool exact)
{
    const model_collider *colliders = fw->model->colliders;
    if (c->joint != CAROM_NONE) {
        const model_joint *j = &fw->model->joints[c->joint];
        return FIXED_DEEP * (c->interaction ? j->clearance : fw->model->length_scale);
    }
    double size = fmin(model_collider_size(&colliders[c->collider[0]]),
                       model_collider_size(&colliders[c->collider[1]]));
    return (exact ? FIXED_DEEP : FIXED_DEEP_FAST) * (isfinite(size) ? size : fw->model->length_scale);
}

/* Half of what is too deep, as velocities that would do it in a step. */
static bool make_corrections(fixed_work *fw, const carom_scratch *w, fixed_island *island, double h)
{
    bool deep = false;
    for (int i = island->first_contact; i < island->first_contact + island->contact_count; ++i) {
        const fixed_contact *c = &fw->contacts[fw->cone_source[i]];
        double allowed = depth_allowed(fw, c, island->manner.exact);
        cone_contact *out = &fw->cones[i];
        deep = deep || -c->gap > allowed;
        make_cone(fw, w, c, island->first_body, out);
        memset(out->r, 0, sizeof out->r);
        memset(out->bias, 0, sizeof out->bias);
        out->mu = 0.0;
        out->bias[0] = c->gap > 0.0 ? c->gap / h : 0.5 * fmin(0.0, c->gap + 0.5 * allowed) / h;
    }
    return deep;
}

/* Joints close in the same step, without friction. */
static void close_joints(fixed_work *fw, carom_scratch *w, const fixed_island *island, double h)
{
    for (int i = island->first_joint; i < island->first_joint + island->joint_count; ++i) {
        joint_equations *j = &fw->joints[i];
        int row = fixed_element_row(fw->model, fw->joint_at[i]);
        fixed_make_element(fw, w, fw->joint_at[i], island->first_body, h, 1.0);
        j->slip_count = 0;
        memset(j->r, 0, sizeof j->r);
        for (int k = 0; k < j->count; ++k) {
            j->bias[k] = w->C[row + k] / h;
        }
    }
}

static void move_island(fixed_work *fw, carom_scratch *w, const fixed_island *island, double h)
{
    for (int p = island->first_body; p < island->first_body + island->body_count; ++p) {
        const double *v = fw->v + BODY_COLUMNS * p;
        body_pose *pose = &w->pose[fw->model->free_bodies[fw->slot_at[p]]];
        *pose = pose_moved(*pose, v3_scale(h, v3_load(v)), v3_scale(h, v3_load(v + 3)));
    }
}

bool fixed_correct_positions(fixed_work *fw, carom_scratch *w, double h, bool *moved)
{
    enum { SWEEPS = 20 };
    const double EXACT = 1e-6; /* with joints, which sweeps would open */
    *moved = false;
    if (!(fw->deepest > 0.0)) {
        return true;
    }
    if (!CAROM_ARRAY_RESERVE(fw->cone_source, fw->source_capacity, (size_t)fw->contact_count + 1)) {
        return false;
    }
    find_islands(fw);
    if (!reserve(fw)) {
        return false;
    }
    make_bodies(fw, w, NULL);
    work_write_rows(w, w->kkt);
    for (int k = 0; k < fw->island_count; ++k) {
        fixed_island *island = &fw->islands[k];
        island->manner = manner_of(fw, island, h);
        if (island->contact_count == 0 || !make_corrections(fw, w, island, h)) {
            continue;
        }
        close_joints(fw, w, island, h);
        contact_problem p = problem_of(fw, island);
        contact_problem_prepare(&p);
        contact_problem_velocities(&p);
        if (island->joint_count > 0) {
            p.speed = speed_scale_of(fw, &p, h);
            contact_solve_accurate(fw->solvers[k], &p, EXACT, SOLVE_BY_ALL);
        } else {
            gauss_seidel(&p, 0.03, SWEEPS);
        }
        move_island(fw, w, island, h);
        *moved = true;
    }
    return true;
}
