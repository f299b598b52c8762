/* Joints and couplers in the contact problem of a fixed step: equations that hold at the end of the step, and dry friction along the rows where a
 * joint rubs, bounded by the loads that its equations carry. */
#include <math.h>
#include <string.h>

#include "dynamics/columns.h"
#include "methods/impact/fixed_work.h"

/* ---- elements --------------------------------------------------------------------------------------------------------------------- */

static void add_body(const carom_model *m, int body, int out[ELEMENT_ENDS], int *count)
{
    bool known = m->bodies[body].slot < 0;
    for (int i = 0; i < *count; ++i) {
        known = known || out[i] == body;
    }
    if (!known) {
        out[(*count)++] = body;
    }
}

/* In the order of the saddle-point system's rows. */
int fixed_element_bodies(const carom_model *m, int element, int body[ELEMENT_ENDS])
{
    int count = 0;
    bool coupler = element >= m->joint_count;
    for (int k = 0; k < (coupler ? 2 : 1); ++k) {
        int joint = coupler ? m->couplers[element - m->joint_count].joint[k] : element;
        add_body(m, m->joints[joint].body[0], body, &count);
        add_body(m, m->joints[joint].body[1], body, &count);
    }
    return count;
}

int fixed_element_row(const carom_model *m, int element)
{
    return element < m->joint_count ? m->joints[element].first_row : m->couplers[element - m->joint_count].row;
}

static int equations_of(const carom_model *m, int element)
{
    return element < m->joint_count ? m->joints[element].type->equation_count + m->joints[element].driver_count : 1;
}

/* ---- equations -------------------------------------------------------------------------------------------------------------------- */

static bool is_length(const joint_equations *j, int row)
{
    double sum = 0.0;
    for (int end = 0; end < j->end_count; ++end) {
        const double *J = j->J[end][row];
        sum += fabs(J[0]) + fabs(J[1]) + fabs(J[2]);
    }
    return sum > 0.0;
}

/* [1/kg, 1/(kg m^2)] how a row responds to its own impulse. */
static double response_of(const fixed_work *fw, const joint_equations *j, int first_body, int row)
{
    double sum = 0.0;
    for (int end = 0; end < j->end_count; ++end) {
        const double *J = j->J[end][row];
        const problem_body *b = &fw->bodies[first_body + j->body[end]];
        for (int k = 0; k < 3; ++k) {
            sum += b->inverse_mass * J[k] * J[k];
            for (int l = 0; l < 3; ++l) {
                sum += J[3 + k] * b->inverse_inertia[k][l] * J[3 + l];
            }
        }
    }
    return sum;
}

static void set_compliance(const fixed_work *fw, joint_equations *j, int first_body, int row)
{
    j->eps[row] = FIXED_JOINT_COMPLIANCE * response_of(fw, j, first_body, row);
    j->eps[row] = j->eps[row] > 0.0 ? j->eps[row] : 1.0;
}

/* J v + C/h + (C' - J v_before) = 0: positions hold at the end of the step. */
static void write_equations(fixed_work *fw, const carom_scratch *w, int element, const int *body, double h,
                            double kick, joint_equations *j)
{
    int first = fixed_element_row(fw->model, element);
    for (int k = 0; k < j->count; ++k) {
        j->bias[k] = w->C[first + k] / h + w->C_dot[first + k];
        for (int end = 0; end < j->end_count; ++end) {
            j->bias[k] -= row_times_frame(j->J[end][k], &w->rate[body[end]]);
        }
        j->length[k] = is_length(j, k) ? 1.0 : fw->model->length_scale;
        j->r[k] = -kick * w->sigma[first + k];
    }
}

/* ---- friction --------------------------------------------------------------------------------------------------------------------- */

bool fixed_rubs(const model_joint *joint)
{
    return joint->friction.given && joint->friction.coefficient > 0.0 && joint->type->friction;
}

carom_friction_state fixed_rub_state(const joint_equations *j)
{
    double force2 = 0.0;
    double bound = joint_friction_bound(j, NULL);
    for (int k = j->count; k < j->count + j->slip_count; ++k) {
        force2 += j->r[k] * j->r[k];
    }
    return !(bound > 0.0)                        ? CAROM_FRICTION_NONE
           : sqrt(force2) < (1.0 - 1e-9) * bound ? CAROM_FRICTION_STICK
                                                 : CAROM_FRICTION_SLIP;
}

static void write_friction(const fixed_work *fw, const carom_scratch *w, int joint, double kick, joint_equations *j)
{
    const carom_model *m = fw->model;
    const model_joint *from = &m->joints[joint];
    joint_friction f = { .dim = 0 };
    from->type->friction(&f, &w->frames[joint], &from->friction, from->params);
    j->slip_count = f.dim;
    j->mu = from->friction.coefficient;
    j->load_count = f.load_count;
    for (int g = 0; g < f.load_count; ++g) {
        j->loads[g].dim = f.loads[g].dim;
        for (int k = 0; k < f.loads[g].dim; ++k) {
            memcpy(j->loads[g].map[k], f.loads[g].map[k], (size_t)from->type->equation_count * sizeof(double));
        }
    }
    const double last[SLIP_ROWS] = { fw->rub_force[joint].x, fw->rub_force[joint].y, fw->rub_force[joint].z };
    int end = 0;
    for (int side = 0; side < 2; ++side) {
        bool moves = fixed_moves(m, from->body[side]);
        for (int k = 0; k < f.dim; ++k) {
            const double *row = side == 0 ? f.slip.a[k] : f.slip.b[k];
            if (moves) {
                memcpy(j->J[end][j->count + k], row, BODY_COLUMNS * sizeof *row);
            } else {
                j->bias[j->count + k] += row_times_frame(row, &w->rate[from->body[side]]);
            }
            j->r[j->count + k] = kick * last[k];
        }
        end += moves;
    }
}

double fixed_row_velocity(const fixed_work *fw, const joint_equations *j, int element, int row, const body_rate *rate)
{
    int body[ELEMENT_ENDS];
    double sum = j->bias[row];
    fixed_element_bodies(fw->model, element, body);
    for (int end = 0; end < j->end_count; ++end) {
        sum += row_times_frame(j->J[end][row], &rate[body[end]]);
    }
    return sum;
}

/* ---- both ------------------------------------------------------------------------------------------------------------------------- */

void fixed_make_element(fixed_work *fw, carom_scratch *w, int element, int first_body, double h, double kick)
{
    const carom_model *m = fw->model;
    joint_equations *j = &fw->joints[fw->joint_place[element]];
    int body[ELEMENT_ENDS];
    *j = (joint_equations){ .end_count = fixed_element_bodies(m, element, body), .count = equations_of(m, element) };
    for (int end = 0; end < j->end_count; ++end) {
        j->body[end] = fw->place[m->bodies[body[end]].slot] - first_body;
        if (j->count > 0) {
            memcpy(j->J[end], saddle_rows(w->kkt, element, end), (size_t)j->count * BODY_COLUMNS * sizeof(double));
        }
    }
    write_equations(fw, w, element, body, h, kick, j);
    if (element < m->joint_count && fixed_rubs(&m->joints[element])) {
        write_friction(fw, w, element, kick, j);
    }
    for (int k = 0; k < j->count + j->slip_count; ++k) {
        set_compliance(fw, j, first_body, k);
    }
}
