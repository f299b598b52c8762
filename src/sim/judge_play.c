/* Joints with clearance: how far their surfaces have got into each other. */
#include "sim/judge.h"

#include "dynamics/columns.h"
#include "model/method.h"

/* [m] How far the journal's middle is off the bearing's axis. */
static double journal_offset(const marker *a, const marker *b)
{
    v3 d = v3_sub(b->p_w, a->p_w);
    v3 z = marker_z(a);
    return v3_norm(v3_axpy(d, -v3_dot(d, z), z));
}

/* [m] How far the farthest corner of a slider is beyond where it is in the middle of its guide. */
static double slider_offset(const model_joint *joint, const marker *a, const marker *b)
{
    double most = 0.0;
    for (int k = 0; k < 4; ++k) {
        double side = k & 1 ? 1.0 : -1.0;
        double end = k & 2 ? 0.5 : -0.5;
        v3 corner = v3_axpy(b->p_w, side * joint->bearing_radius, marker_x(b));
        corner = v3_axpy(corner, end * joint->guide_length, marker_z(b));
        double out = side * v3_dot(marker_x(a), v3_sub(corner, a->p_w)) - joint->bearing_radius;
        most = fmax(most, out);
    }
    return most;
}

/* Rigid surfaces may miss their play by what events are located with; those of forces give way by their law, and by more
 * than a tenth of the play the joint is no longer the one of the scene. */
static double allowed(const carom_model *model, double play)
{
    return model->method->announces ? 1e-9 + 1e-6 * play : 0.1 * play;
}

void judge_play(const contact_judge *j, carom_scratch *w)
{
    const carom_model *m = j->model;
    for (int k = 0; k < m->joint_count; ++k) {
        const model_joint *joint = &m->joints[k];
        if (!(joint->clearance > 0.0)) {
            continue;
        }
        marker a = work_marker(w, joint->body[0], &joint->marker_c[0]);
        marker b = work_marker(w, joint->body[1], &joint->marker_c[1]);
        bool slides = joint->type == &carom_joint_prismatic_play;
        double offset = slides ? slider_offset(joint, &a, &b) : journal_offset(&a, &b);
        if (offset > joint->clearance + allowed(m, joint->clearance)) {
            finding_note(&w->findings, CAROM_FINDING_PLAY_EXCEEDED, finding_at_joint(k), offset, joint->clearance,
                         w->t);
        }
    }
}
