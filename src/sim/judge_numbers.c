/* What numbers of a run say by themselves: values that are none, steps thrown away, energy made by numerics. */
#include "sim/judge.h"

#include <math.h>

static bool pose_is_finite(const carom_pose *p)
{
    carom_quat q = p->orientation;
    return v3_finite(p->position) && isfinite(q.w + q.x + q.y + q.z);
}

bool judge_frame(const carom_model *model, const result_frame *frame, finding *out)
{
    *out = (finding){ .kind = CAROM_FINDING_NOT_FINITE,
                      .place = finding_in_run(),
                      .count = 1,
                      .number = (double)NAN,
                      .limit = (double)NAN,
                      .first = frame->t,
                      .worst = frame->t };
    bool finite = true;
    for (int i = 0; i < model->body_count && finite; ++i) {
        finite = pose_is_finite(&frame->pose[i]) && v3_finite(frame->rate[i].v_w) &&
                 v3_finite(frame->rate[i].omega_w);
        out->place = finite ? out->place : finding_at_body(i);
    }
    for (int i = 0; i < model->signal_count && finite; ++i) {
        finite = isfinite(frame->signals[i]);
    }
    return finite;
}

/* Error control throws away less than one step for each it keeps, and events cost one or two more. */
static const double MOST_REJECTED = 3.0;

void judge_numbers(const run_progress *p, double lost, double t, finding_list *out)
{
    double share = (double)p->rejected / (double)(p->steps > 0 ? p->steps : 1);
    double much = 0.1 * p->turnover_max; /* energy of which numerics have done so much is not that of the scene */
    if (share > MOST_REJECTED && p->steps >= 100) {
        finding_note(out, CAROM_FINDING_STEPS_REJECTED, finding_in_run(), share, MOST_REJECTED, t);
    }
    if (fabs(lost) > much && fabs(lost) > 0.0) {
        finding_note(out, CAROM_FINDING_NUMERICAL_LOSS, finding_in_run(), fabs(lost), much, t);
    }
    if (p->energy_error_max > much && p->energy_error_max > 0.0) {
        finding_note(out, CAROM_FINDING_ENERGY, finding_in_run(), p->energy_error_max, much, t);
    }
}
