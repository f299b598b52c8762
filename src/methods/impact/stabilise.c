/* Removes constraint drift of persistent contacts: gaps and velocities that a step leaves at its tolerance become zero. */
#include "methods/impact/instant.h"

/* Gaps of closed contacts become those at which surfaces touch. */
static carom_status close_gaps(const instant *now, const active_set *set)
{
    enum { PASSES = 4 };
    impact_work *iw = now->iw;
    reduction *r = &iw->reduced;
    double touch = touching_gap(now->w, 0.0);
    for (int pass = 0; pass < PASSES; ++pass) {
        carom_status status = instant_place(now);
        if (status != CAROM_OK) {
            return status;
        }
        reduction_make(r, now->w, set->contacts.items, (int)set->contacts.count, iw->hint, false,
                       0.0); /* any slip counts */
        double worst = 0.0;
        for (int k = 0; k < r->contact_count; ++k) {
            double off = r->values[k].gap.gap - touch;
            r->u[k] = off; /* the same equations serve displacements */
            worst = fmax(worst, fabs(off));
        }
        if (worst <= 0.5 * touch || pass == PASSES - 1) {
            return CAROM_OK;
        }
        int *rows = CAROM_ARENA_ARRAY(&iw->moment, int, r->contact_count);
        if (!rows) {
            return no_memory(now);
        }
        for (int k = 0; k < r->contact_count; ++k) {
            rows[k] = k;
        }
        instant_stop_rows(now, rows, r->contact_count);
        response_displace(&r->responses, r->impulse, state_motion(now->s));
    }
    return CAROM_OK;
}

/* Rows that must not move: normals, slip of what sticks. */
static int fixed_rows(const instant *now, const active_set *set, int *rows)
{
    const reduction *r = &now->iw->reduced;
    int count = 0;
    for (int k = 0; k < r->contact_count; ++k) {
        rows[count++] = k;
    }
    for (int k = 0; k < r->contact_count; ++k) {
        int e = r->element[k];
        bool sticks = e >= 0 && set->modes[k].mode == FRICTION_STICK && !set->modes[k].inactive;
        for (int i = 0; sticks && i < r->elements[e].dim; ++i) {
            rows[count++] = r->elements[e].first_row + i;
        }
    }
    for (int k = 0; k < r->joint_count; ++k) {
        const friction_element *e = &r->elements[reduction_joint_element(r, k)];
        for (int i = 0; set->joints[k].mode == FRICTION_STICK && i < e->dim; ++i) {
            rows[count++] = e->first_row + i;
        }
    }
    return count;
}

static carom_status stop_rows_that_drift(const instant *now, const active_set *set)
{
    reduction *r = &now->iw->reduced;
    int *rows = CAROM_ARENA_ARRAY(&now->iw->moment, int, r->problem.row_count + 1);
    if (!rows) {
        return no_memory(now);
    }
    reduction_velocities(r, now->w);
    int count = fixed_rows(now, set, rows);
    if (count > 0) {
        instant_stop_rows(now, rows, count);
        instant_jump(now);
    }
    return CAROM_OK;
}

/* Directions of slip as they are now, from which the next step begins. */
void instant_renew_directions(const instant *now, active_set *set)
{
    const reduction *r = &now->iw->reduced;
    for (int k = 0; k < r->contact_count; ++k) {
        v3 slip = reduction_across(r, k, r->u);
        if (set->modes[k].mode == FRICTION_SLIP) {
            turn_slip_direction(&slip.x, 3, now->stick_tolerance, &set->modes[k].direction_w.x);
        }
    }
    for (int k = 0; k < r->joint_count; ++k) {
        const friction_element *e = &r->elements[reduction_joint_element(r, k)];
        if (set->joints[k].mode == FRICTION_SLIP) {
            turn_slip_direction(r->u + e->first_row, e->dim, now->stick_tolerance, set->joints[k].direction);
        }
    }
}

/* Projects persistent contacts and sticking directions back onto their constraints. */
carom_status instant_stabilise(const instant *now)
{
    impact_work *iw = now->iw;
    if (iw->load_failed) {
        return no_memory(now);
    }
    for (size_t k = 0; k < iw->present.contacts.count; ++k) {
        iw->hint[k] = iw->present.modes[k].direction_w;
    }
    carom_status status = close_gaps(now, &iw->present);
    status = status == CAROM_OK ? stop_rows_that_drift(now, &iw->present) : status;
    carom_arena_free(&iw->moment);
    return status;
}
