/* Coulomb friction with normal forces and tangent planes of an earlier iterate [Ferguson2021]: a potential mu N f0(|u|) of the
 * slip u of two material points since the step began. f0 is |u|, smoothed below the stick speed times h.
 *
 * Each body has its own arm: within a step the two material points may slide far apart. */
#include "methods/barrier/barrier_work.h"

#include "base/array.h"

typedef struct smooth_slip {
    double value;     /* f0 [m] */
    double per_slip;  /* f0' / |u| [1/m] */
    double curvature; /* f0'' [1/m] */
} smooth_slip;

static smooth_slip smooth(double slip, double width)
{
    if (slip >= width) {
        return (smooth_slip){ slip, 1.0 / slip, 0.0 };
    }
    double x = slip / width;
    return (smooth_slip){ slip * x * (1.0 - x / 3.0) + width / 3.0, (2.0 - x) / width, (2.0 - 2.0 * x) / width };
}

double friction_per_speed(const barrier_work *w, double speed)
{
    return w->h * smooth(speed * w->h, w->stick_width).per_slip;
}

bool friction_lag(barrier_work *w)
{
    w->friction_count = 0;
    for (int k = 0; k < w->contact_count; ++k) {
        const barrier_contact *c = &w->contacts[k];
        const barrier_pair *p = &w->pairs[c->pair];
        double normal_force = -c->parallel.value * c->first;
        if (!(p->mu * normal_force > 0.0)) {
            continue;
        }
        size_t count = (size_t)w->friction_count + 1;
        lagged_friction *larger = carom_array_grow(w->frictions, &w->friction_capacity, count, sizeof *larger);
        if (!larger) {
            return false;
        }
        w->frictions = larger;
        lagged_friction *f = &w->frictions[w->friction_count++];
        f->pair = c->pair;
        f->bound = p->mu * normal_force;
        f->tangent[0] = v3_across(c->normal);
        f->tangent[1] = v3_cross(c->normal, f->tangent[0]);
        for (int side = 0; side < 2; ++side) {
            f->arm_b[side] = m3_tmulv(w->bodies[p->body[side]].R, c->arm[side]);
        }
    }
    return true;
}

/* Slip along both tangents, and the arms in world axes. */
static void slip_of(const barrier_work *w, const lagged_friction *f, double u[2], v3 arm[2])
{
    v3 moved[2];
    for (int side = 0; side < 2; ++side) {
        const moving_body *b = &w->bodies[w->pairs[f->pair].body[side]];
        arm[side] = m3_mulv(b->R, f->arm_b[side]);
        v3 turned = v3_sub(arm[side], m3_mulv(b->R_begin, f->arm_b[side]));
        moved[side] = v3_add(v3_sub(b->at.x_w, b->begin.x_w), turned);
    }
    v3 slip = v3_sub(moved[0], moved[1]);
    u[0] = v3_dot(f->tangent[0], slip);
    u[1] = v3_dot(f->tangent[1], slip);
}

double friction_value(const barrier_work *w)
{
    double sum = 0.0;
    for (int k = 0; k < w->friction_count; ++k) {
        double u[2];
        v3 arm[2];
        slip_of(w, &w->frictions[k], u, arm);
        sum += w->frictions[k].bound * smooth(sqrt(u[0] * u[0] + u[1] * u[1]), w->stick_width).value;
    }
    return sum;
}

/* A row along a direction for each body: B's with the opposite sign. */
static void rows_along(double row[2][COLUMNS], v3 direction, const v3 arm[2])
{
    for (int side = 0; side < 2; ++side) {
        v3 d = side == 0 ? direction : v3_neg(direction);
        v3_store(row[side], d);
        v3_store(row[side] + 3, v3_cross(arm[side], d));
    }
}

static void add_stiffness(barrier_work *w, const barrier_pair *p, double factor, double row[2][COLUMNS])
{
    double *own[2] = { diagonal_of(w, p->body[0]), diagonal_of(w, p->body[1]) };
    double *edge = p->edge >= 0 ? block_system_edge(w->system, p->edge) : NULL;
    int first = w->bodies[p->body[0]].node < w->bodies[p->body[1]].node ? 0 : 1;
    for (int i = 0; i < COLUMNS; ++i) {
        for (int k = 0; k < COLUMNS; ++k) {
            for (int side = 0; side < 2; ++side) {
                if (own[side]) {
                    own[side][COLUMNS * i + k] += factor * row[side][i] * row[side][k];
                }
            }
            if (edge) {
                edge[COLUMNS * i + k] += factor * row[first][i] * row[1 - first][k];
            }
        }
    }
}

/* What the given twist of a body does to the gradient of the other. */
static void add_given(barrier_work *w, const barrier_pair *p, double factor, double row[2][COLUMNS])
{
    for (int side = 0; side < 2; ++side) {
        const moving_body *given = &w->bodies[p->body[1 - side]];
        double *g = gradient_of(w, p->body[side]);
        if (!g || given->node >= 0 || !(given->way > 0.0)) {
            continue;
        }
        const double *r = row[1 - side];
        double rate = v3_dot(v3_load(r), given->d.v) + v3_dot(v3_load(r + 3), given->d.w);
        for (int i = 0; i < COLUMNS; ++i) {
            g[i] += factor * row[side][i] * rate;
        }
    }
}

static void add_gradient(barrier_work *w, const barrier_pair *p, double factor, double row[2][COLUMNS])
{
    for (int side = 0; side < 2; ++side) {
        double *g = gradient_of(w, p->body[side]);
        for (int i = 0; g && i < COLUMNS; ++i) {
            g[i] += factor * row[side][i];
        }
    }
}

/* Along the slip f0'', across it f0'/|u|; after a line search that had to backtrack f0'/|u| both ways, an upper bound. */
void friction_add(barrier_work *w)
{
    for (int k = 0; k < w->friction_count; ++k) {
        const lagged_friction *f = &w->frictions[k];
        const barrier_pair *p = &w->pairs[f->pair];
        double u[2];
        double row[2][COLUMNS];
        v3 arm[2];
        slip_of(w, f, u, arm);
        double slip = sqrt(u[0] * u[0] + u[1] * u[1]);
        smooth_slip s = smooth(slip, w->stick_width);
        double along[2] = { slip > 0.0 ? u[0] / slip : 1.0, slip > 0.0 ? u[1] / slip : 0.0 };
        v3 direction = v3_add(v3_scale(along[0], f->tangent[0]), v3_scale(along[1], f->tangent[1]));
        v3 across = v3_sub(v3_scale(along[0], f->tangent[1]), v3_scale(along[1], f->tangent[0]));
        double stiffness = f->bound * (w->backtracked ? s.per_slip : s.curvature);
        rows_along(row, direction, arm);
        add_gradient(w, p, f->bound * s.per_slip * slip, row);
        add_stiffness(w, p, stiffness, row);
        add_given(w, p, stiffness, row);
        rows_along(row, across, arm);
        add_stiffness(w, p, f->bound * s.per_slip, row);
        add_given(w, p, f->bound * s.per_slip, row);
    }
}
