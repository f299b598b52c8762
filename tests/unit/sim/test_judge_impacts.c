/* Losses that impulses announce, against 1 - e^2: none in what the law says, found where it is another. */
#include "support/check.h"

#include <stdlib.h>

#include "dynamics/project.h"
#include "model/method.h"
#include "model/model.h"
#include "sim/judge.h"

/* One impact in a bearing, from `before` to `after` [m/s]; how many findings it makes. */
static size_t judged_beside(double e, double mu, double joint_mu, double before, double after, int impacts,
                            finding *out)
{
    carom_method method = { .announces = true };
    model_interaction bearing = { .restitution = e, .mu = mu, .impulse = (double)NAN };
    model_joint joint = { .name = "pin", .interaction = &bearing, .friction = { .coefficient = joint_mu } };
    model_body bodies[2] = { { .role = BODY_FREE }, { .role = BODY_FREE } };
    carom_model model = { .method = &method, .joints = &joint, .joint_count = 1, .bodies = bodies, .body_count = 2 };
    carom_event events[2];
    for (int k = 0; k < 2; ++k) {
        events[k] = (carom_event){ .kind = CAROM_EVENT_IMPACT,
                                   .t = 0.5,
                                   .body = { 0, 1 },
                                   .joint = 0,
                                   .speed = before,
                                   .speed_after = after,
                                   .friction = CAROM_FRICTION_NONE };
    }
    carom_scratch w = { .t = 0.5, .events = { .items = events, .count = (size_t)impacts } };
    contact_judge j = { .model = &model };
    judge_impacts(&j, &w);
    size_t count = w.findings.count;
    *out = count > 0 ? w.findings.items[0] : (finding){ 0 };
    free(w.findings.items);
    return count;
}

static size_t judged(double e, double mu, double before, double after, int impacts, finding *out)
{
    return judged_beside(e, mu, 0.0, before, after, impacts, out);
}

TEST(impacts, lose_what_their_restitution_says)
{
    finding f;
    for (double speed = -1e-6; speed > -1e6; speed *= 10.0) {
        for (int k = 0; k <= 10; ++k) {
            double e = 0.1 * k;
            CHECK_EQ(judged(e, 0.0, speed, -e * speed, 1, &f), 0);
            CHECK_EQ(judged(e, 0.0, speed, -(e + 1e-2) * speed, 1, &f), 1);
            CHECK_EQ(f.kind, CAROM_FINDING_IMPACT_LOSS);
            CHECK_EQ(f.place.where, FINDING_JOINT);
            CHECK_NEAR(f.limit, 1.0 - e * e, 1e-15);
            CHECK_NEAR(f.number, 1.0 - (e + 1e-2) * (e + 1e-2), 1e-12);
        }
    }
}

TEST(impacts, that_no_simple_law_holds_for_are_not_judged)
{
    finding f;
    CHECK_EQ(judged(0.5, 0.3, -1.0, 0.9, 1, &f), 0);             /* friction */
    CHECK_EQ(judged(0.5, 0.0, -1.0, 0.9, 2, &f), 0);             /* another at the same instant */
    CHECK_EQ(judged(0.5, 0.0, 0.0, 0.9, 1, &f), 0);              /* without approach */
    CHECK_EQ(judged_beside(0.5, 0.0, 0.3, -1.0, 0.9, 1, &f), 0); /* friction in a joint that it loads */
}

/* Pairs of balls that collide two by two at one instant, the last pair with a wrong loss: found however many there are. */
TEST(impacts, are_all_looked_at)
{
    enum { PAIRS = 3000, BODIES = 2 * PAIRS };
    carom_method method = { .announces = true };
    model_interaction law = { .restitution = 0.5, .impulse = (double)NAN };
    model_body *bodies = calloc(BODIES, sizeof *bodies);
    model_joint joint = { .interaction = &law };
    carom_event *events = calloc(PAIRS + 1, sizeof *events);
    int *struck = calloc(BODIES, sizeof *struck);
    CHECK(bodies && events && struck);
    for (int k = 0; k < PAIRS; ++k) {
        bodies[2 * k].role = bodies[2 * k + 1].role = BODY_FREE;
        events[k] = (carom_event){ .kind = CAROM_EVENT_IMPACT,
                                   .t = 0.5,
                                   .body = { 2 * k, 2 * k + 1 },
                                   .joint = 0, /* where the law comes from */
                                   .mode = CAROM_MODE_JOURNAL,
                                   .speed = -1.0,
                                   .speed_after = k == PAIRS - 1 ? 0.9 : 0.5,
                                   .friction = CAROM_FRICTION_NONE };
    }
    carom_model model = { .method = &method, .joints = &joint, .bodies = bodies, .body_count = BODIES };
    contact_judge j = { .model = &model, .struck = struck };
    for (int shared = 0; shared < 2; ++shared) { /* with another impact on one of its bodies it is not judged */
        carom_scratch w = { .t = 0.5, .events = { .items = events, .count = PAIRS } };
        events[0].body[1] = shared ? BODIES - 1 : 1;
        judge_impacts(&j, &w);
        CHECK_EQ(w.findings.count, shared ? 0 : 1);
        free(w.findings.items);
    }
    free(bodies);
    free(events);
    free(struck);
}

TEST(joints, closed_less_exactly_than_rounding_are_told)
{
    carom_scratch w = { .t = 0.25 };
    project_note_loose(&w, 99e-15, 1e-15);
    CHECK_EQ(w.findings.count, 0);
    project_note_loose(&w, 101e-15, 1e-15);
    CHECK_EQ(w.findings.count, 1);
    CHECK_EQ(w.findings.items[0].kind, CAROM_FINDING_PROJECTION_LOOSE);
    CHECK_NEAR(w.findings.items[0].first, 0.25, 0.0);
    free(w.findings.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(impacts, lose_what_their_restitution_says),
        RUN_TEST(impacts, that_no_simple_law_holds_for_are_not_judged),
        RUN_TEST(impacts, are_all_looked_at),
        RUN_TEST(joints, closed_less_exactly_than_rounding_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
