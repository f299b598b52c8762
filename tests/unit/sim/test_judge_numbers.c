/* What the numbers of a run say: each finding just beyond its limit, and none just within. */
#include "support/check.h"

#include <stdlib.h>

#include "model/model.h"
#include "sim/judge.h"

static size_t judged(long steps, long rejected, double error, double turnover, finding *first)
{
    run_progress p = { .steps = steps, .rejected = rejected, .energy_error_max = error, .turnover_max = turnover };
    finding_list list = { 0 };
    judge_numbers(&p, 0.0, 2.5, &list);
    size_t count = list.count;
    *first = count > 0 ? list.items[0] : (finding){ 0 };
    free(list.items);
    return count;
}

TEST(numbers, steps_thrown_away)
{
    finding f;
    for (long steps = 100; steps <= 1000000; steps *= 10) {
        CHECK_EQ(judged(steps, 3 * steps, 0.0, 1.0, &f), 0);
        CHECK_EQ(judged(steps, 3 * steps + 1, 0.0, 1.0, &f), 1);
        CHECK_EQ(f.kind, CAROM_FINDING_STEPS_REJECTED);
        CHECK_NEAR(f.number, 3.0 + 1.0 / (double)steps, 1e-12);
        CHECK_NEAR(f.limit, 3.0, 0.0);
    }
    CHECK_EQ(judged(99, 100000, 0.0, 1.0, &f), 0); /* too few to mean anything */
    CHECK_EQ(judged(0, 0, 0.0, 0.0, &f), 0);
}

TEST(numbers, energy_made_by_numerics)
{
    finding f;
    for (double turnover = 1e-12; turnover < 1e12; turnover *= 1e3) {
        CHECK_EQ(judged(1000, 10, 0.099 * turnover, turnover, &f), 0);
        CHECK_EQ(judged(1000, 10, 0.101 * turnover, turnover, &f), 1);
        CHECK_EQ(f.kind, CAROM_FINDING_ENERGY);
        CHECK_EQ(finding_severity(&f), CAROM_SEVERITY_WARNING);
        CHECK_EQ(judged(1000, 10, 1.01 * turnover, turnover, &f), 1);
        CHECK_EQ(finding_severity(&f), CAROM_SEVERITY_WRONG);
    }
}

TEST(numbers, energy_lost_by_numerics_that_say_so)
{
    for (double turnover = 1e-12; turnover < 1e12; turnover *= 1e3) {
        for (int sign = -1; sign <= 1; sign += 2) {
            run_progress p = { .steps = 1000, .turnover_max = turnover };
            finding_list list = { 0 };
            judge_numbers(&p, sign * 0.099 * turnover, 2.5, &list);
            CHECK_EQ(list.count, 0);
            judge_numbers(&p, sign * 0.101 * turnover, 2.5, &list);
            CHECK_EQ(list.count, 1);
            CHECK_EQ(list.items[0].kind, CAROM_FINDING_NUMERICAL_LOSS);
            CHECK_EQ(finding_severity(&list.items[0]), CAROM_SEVERITY_NOTE);
            free(list.items);
        }
    }
}

enum { BODIES = 3, SIGNALS = 2 };

typedef struct small_frame {
    carom_pose pose[BODIES];
    body_rate rate[BODIES];
    double signals[SIGNALS];
} small_frame;

/* Where a frame with one value set to `value` is found to be wrong; -2: it is not, -1: in the run. */
static int place_of(double *target, double value, const small_frame *parts)
{
    carom_model model = { .body_count = BODIES, .signal_count = SIGNALS };
    result_frame frame = { .t = 0.25, .pose = parts->pose, .rate = parts->rate, .signals = parts->signals };
    finding f;
    double kept = *target;
    *target = value;
    bool finite = judge_frame(&model, &frame, &f);
    *target = kept;
    CHECK_EQ(f.kind, CAROM_FINDING_NOT_FINITE);
    CHECK_NEAR(f.first, 0.25, 0.0);
    return finite ? -2 : f.place.where == FINDING_BODY ? f.place.a : -1;
}

TEST(numbers, values_that_are_not_finite)
{
    small_frame s = { 0 };
    const double bad[] = { (double)NAN, HUGE_VAL, -HUGE_VAL };
    for (int i = 0; i < BODIES; ++i) {
        s.pose[i].orientation.w = 1.0;
    }
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < BODIES; ++i) {
            CHECK_EQ(place_of(&s.pose[i].position.z, bad[k], &s), i);
            CHECK_EQ(place_of(&s.pose[i].orientation.x, bad[k], &s), i);
            CHECK_EQ(place_of(&s.rate[i].v_w.y, bad[k], &s), i);
            CHECK_EQ(place_of(&s.rate[i].omega_w.x, bad[k], &s), i);
        }
        CHECK_EQ(place_of(&s.signals[1], bad[k], &s), -1);
    }
    CHECK_EQ(place_of(&s.rate[1].v_w.y, 1e300, &s), -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(numbers, steps_thrown_away),
        RUN_TEST(numbers, energy_made_by_numerics),
        RUN_TEST(numbers, energy_lost_by_numerics_that_say_so),
        RUN_TEST(numbers, values_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
