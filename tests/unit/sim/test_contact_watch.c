/* The watch over contacts, on contacts made up: who comes and goes, sticks and slides, and what happens when memory runs
 * out. */
#include "support/failing_heap.h"

#include <stdlib.h>

#include "dynamics/contact.h"
#include "dynamics/dense.h"
#include "model/method.h"
#include "sim/contact_watch.h"

enum { BODIES = 8, POINTS = 64 };

static const double STICK = 1e-3;
static const double SLIDE = 2e-3;

/* ---- a scratch with contacts made up ----------------------------------------------------------------------------- */

typedef struct stage {
    carom_model model;
    carom_method method;
    contact_forces forces;
    carom_friction_law friction;
    model_interaction rough, smooth;
    carom_scratch scratch;
    dense_step dense;
    body_pose pose[BODIES];
    body_rate rate[BODIES];
    body_rate rate_begin[BODIES];
    body_rate acceleration[BODIES];
    carom_contact_point points[POINTS];
    const model_interaction *interactions[POINTS];
    int count;
    contact_watch watched;
} stage;

static const carom_contact_point *stage_points(void *self, int *count)
{
    const stage *s = self;
    *count = s->count;
    return s->points;
}

static const model_interaction *stage_interaction(const void *self, int point)
{
    const stage *s = self;
    return s->interactions[point];
}

static contact_totals stage_totals(const void *self)
{
    const stage *s = self;
    return (contact_totals){ .count = s->count };
}

static friction_speeds stage_speeds(const void *params)
{
    (void)params;
    return (friction_speeds){ STICK, SLIDE };
}

static stage *set_up(void)
{
    stage *s = calloc(1, sizeof *s);
    CHECK(s != NULL);
    s->friction.speeds = stage_speeds;
    s->rough.friction = &s->friction;
    s->forces = (contact_forces){ .points = stage_points, .interaction = stage_interaction, .totals = stage_totals };
    s->method.forces = &s->forces;
    s->model.method = &s->method;
    s->model.body_count = BODIES;
    s->dense.begin = (dense_end){ .rate = s->rate_begin, .acceleration = s->acceleration };
    s->scratch = (carom_scratch){
        .model = &s->model, .contact = s, .dense = &s->dense, .pose = s->pose, .rate = s->rate
    };
    return s;
}

static void take_down(stage *s)
{
    contact_watch_free(&s->watched);
    free(s->scratch.events.items);
    free(s);
}

static void put_point(stage *s, int a, int b, double force, double slip, const model_interaction *interaction)
{
    s->interactions[s->count] = interaction;
    s->points[s->count++] = (carom_contact_point){ .body = { a, b },
                                                   .gap = -1e-6,
                                                   .normal = { 0.0, 0.0, 1.0 },
                                                   .force = { 0.0, 0.0, force },
                                                   .slip = { slip, 0.0, 0.0 } };
}

static carom_status step(stage *s, carom_error *err)
{
    s->scratch.events.count = 0;
    s->dense.begin.t = s->scratch.t;
    s->scratch.t += 0.125;
    return contact_watch_step(&s->watched, &s->scratch, err);
}

/* A step at whose end two bodies touch with this slip; the event it makes, or NULL. */
static const carom_event *slide(stage *s, double slip, const model_interaction *interaction)
{
    carom_error err = { 0 };
    s->count = 0;
    put_point(s, 1, 2, 3.0, slip, interaction);
    put_point(s, 1, 2, 2.0, 7.0, interaction); /* pushes less: nobody asks it */
    CHECK_OK(step(s, &err), err);
    CHECK(s->scratch.events.count <= 1);
    return s->scratch.events.count == 1 ? s->scratch.events.items : NULL;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

TEST(contact_watch, changes_its_mind_only_beyond_the_bounds)
{
    stage *s = set_up();
    CHECK_EQ(slide(s, 0.0, &s->rough)->kind, CAROM_EVENT_CONTACT_ON);
    CHECK(slide(s, 1.5e-3, &s->rough) == NULL); /* between the bounds: still sticks */
    CHECK(slide(s, SLIDE, &s->rough) == NULL);
    const carom_event *e = slide(s, 4e-3, &s->rough);
    CHECK(e && e->kind == CAROM_EVENT_SLIP);
    CHECK_NEAR(e->t, s->dense.begin.t, 1e-15);  /* it began exactly at the bound */
    CHECK(slide(s, 1.5e-3, &s->rough) == NULL); /* between the bounds: still slides */
    e = slide(s, 0.5e-3, &s->rough);
    CHECK(e && e->kind == CAROM_EVENT_STICK);
    CHECK_NEAR(e->t, s->dense.begin.t + 0.5 * 0.125, 1e-12);
    e = slide(s, 4.5e-3, &s->rough);
    CHECK(e && e->kind == CAROM_EVENT_SLIP);
    CHECK_NEAR(e->t, s->dense.begin.t + 0.375 * 0.125, 1e-12);
    take_down(s);
}

TEST(contact_watch, knows_no_sliding_without_friction)
{
    stage *s = set_up();
    CHECK_EQ(slide(s, 0.0, &s->smooth)->kind, CAROM_EVENT_CONTACT_ON);
    CHECK(slide(s, 1.0, &s->smooth) == NULL);
    CHECK(slide(s, 0.0, NULL) == NULL);
    CHECK(slide(s, 1.0, &s->rough) == NULL); /* the first time that friction acts is no change */
    CHECK(slide(s, 0.0, &s->smooth) == NULL);
    CHECK_EQ(slide(s, 0.0, &s->rough)->kind, CAROM_EVENT_STICK); /* slid when friction acted last */
    take_down(s);
}

/* A ball that flies at -2 m/s, slowed down by nothing before the touch, is 1 mm deep at the end and still as fast: it
 * has touched 0.5 ms before. Then it leaves likewise. */
TEST(contact_watch, finds_the_instant_of_a_touch)
{
    stage *s = set_up();
    carom_error err = { 0 };
    s->rate_begin[1].v_w.z = s->rate[1].v_w.z = -2.0;
    put_point(s, 1, 2, 1.0, 0.0, &s->rough);
    s->points[0].gap = -1e-3;
    CHECK_OK(step(s, &err), err);
    CHECK_EQ(s->scratch.events.count, 1);
    CHECK_NEAR(s->scratch.events.items[0].t, s->scratch.t - 0.5e-3, 1e-12);
    CHECK_NEAR(s->scratch.events.items[0].speed, -2.0, 1e-12);
    s->rate[1].v_w.z = 2.0;
    CHECK_OK(step(s, &err), err);
    s->count = 0;
    CHECK_OK(step(s, &err), err);
    CHECK_EQ(s->scratch.events.items[0].kind, CAROM_EVENT_CONTACT_OFF);
    CHECK_NEAR(s->scratch.events.items[0].t, s->dense.begin.t + 0.5e-3, 1e-12);
    CHECK_NEAR(s->scratch.events.items[0].speed, 2.0, 1e-12);
    take_down(s);
}

static int touches_of(const bool (*touching)[BODIES], stage *s)
{
    int pairs = 0;
    s->count = 0;
    for (int a = 0; a < BODIES; ++a) {
        for (int b = a + 1; b < BODIES; ++b) {
            for (int k = 0; touching[a][b] && k < 1 + (a + b) % 2; ++k) {
                put_point(s, a, b, 1.0, 0.0, &s->rough);
            }
            pairs += touching[a][b];
        }
    }
    return pairs;
}

/* Any pairs at the end of each step: what is reported is the difference, each once. */
TEST(contact_watch, reports_every_change_once)
{
    stage *s = set_up();
    carom_error err = { 0 };
    bool before[BODIES][BODIES] = { { false } };
    test_rng rng = test_rng_seed(3);
    for (int round = 0; round < 300; ++round) {
        bool now[BODIES][BODIES] = { { false } };
        double share = test_rng_uniform(&rng, -0.2, 1.0);
        for (int i = 0; i < BODIES * BODIES; ++i) {
            now[i / BODIES][i % BODIES] = i / BODIES < i % BODIES && test_rng_uniform(&rng, 0.0, 1.0) < share;
        }
        int pairs = touches_of((const bool(*)[BODIES])now, s);
        CHECK_OK(step(s, &err), err);
        CHECK_EQ(s->watched.memory.touching.count, pairs);
        for (size_t i = 0; i < s->scratch.events.count; ++i) {
            const carom_event *e = &s->scratch.events.items[i];
            bool *was = &before[e->body[0]][e->body[1]];
            CHECK_EQ(e->kind, *was ? CAROM_EVENT_CONTACT_OFF : CAROM_EVENT_CONTACT_ON);
            *was = !*was;
        }
        CHECK(memcmp(before, now, sizeof now) == 0);
    }
    take_down(s);
}

/* A checkpoint that somebody has tampered with may know pairs that touch but nothing of what they have been through. */
TEST(contact_watch, has_room_for_pairs_it_knows_nothing_of)
{
    stage *s = set_up();
    carom_error err = { 0 };
    touching_pairs *before = &s->watched.memory.touching;
    CHECK(touching_pairs_reserve(before, BODIES * BODIES));
    for (int i = 0; i < BODIES * BODIES; ++i) {
        if (i / BODIES < i % BODIES) {
            before->items[before->count++] = (touching_pair){ .body = { i / BODIES, i % BODIES }, .gap = -1e-6 };
        }
    }
    size_t pairs = before->count;
    CHECK_OK(step(s, &err), err);
    CHECK_EQ(s->watched.memory.totals.count, pairs);
    CHECK_EQ(s->watched.memory.touching.count, 0);
    take_down(s);
}

TEST(contact_watch, says_when_memory_runs_out)
{
    for (long fails_at = 1; fails_at <= 2; ++fails_at) { /* room for pairs, room for events */
        stage *s = set_up();
        carom_error err = { 0 };
        put_point(s, 1, 2, 1.0, 0.0, &s->rough);
        heap_begin(fails_at);
        carom_status status = step(s, &err);
        CHECK(heap_end());
        CHECK_EQ(status, CAROM_NO_MEMORY);
        CHECK_EQ(s->watched.memory.touching.count, 0); /* as it was: the same step can be looked at again */
        CHECK_OK(step(s, &err), err);
        CHECK_EQ(s->scratch.events.count, 1);
        take_down(s);
    }
}

static void announce(stage *s, carom_contact_mode mode, int a, int b, double impulse)
{
    CHECK(event_list_push(&s->scratch.events, (carom_event){ .t = 0.0625,
                                                             .kind = CAROM_EVENT_IMPACT,
                                                             .body = { a, b },
                                                             .mode = mode,
                                                             .normal = { 0.0, 0.0, 1.0 },
                                                             .joint = CAROM_NONE,
                                                             .impulse = { 5.0, 0.0, impulse } }));
}

/* Normal impulses of bodies that strike; a stop is not theirs but its joint's. Failing and trying again counts nothing
 * twice. */
TEST(contact_watch, adds_up_the_impulses_of_impacts)
{
    for (long fails_at = 0; fails_at <= 1; ++fails_at) {
        stage *s = set_up();
        carom_error err = { 0 };
        s->method.announces = true;
        announce(s, CAROM_MODE_BALL_BALL, 1, 2, 3.0);
        announce(s, CAROM_MODE_STOP, 4, 3, 7.0);
        announce(s, CAROM_MODE_JOURNAL, 0, 3, 2.0);
        announce(s, CAROM_MODE_BALL_BALL, 1, 2, 1.5);
        put_point(s, 1, 2, 0.0, 0.0, &s->rough);
        s->scratch.t = 0.125;
        if (fails_at > 0) {
            heap_begin(fails_at);
            CHECK_EQ(contact_watch_step(&s->watched, &s->scratch, &err), CAROM_NO_MEMORY);
            CHECK(heap_end());
        }
        CHECK_OK(contact_watch_step(&s->watched, &s->scratch, &err), err);
        const pair_totals *totals = &s->watched.memory.totals;
        CHECK_EQ(totals->count, 2);
        CHECK(totals->items[0].body[0] == 0 && totals->items[0].body[1] == 3);
        CHECK_NEAR(totals->items[0].impulse, 2.0, 0.0);
        CHECK_NEAR(totals->items[1].impulse, 4.5, 0.0);
        CHECK_NEAR(totals->items[1].first_touch, 0.0625, 0.0);
        CHECK_NEAR(totals->items[1].last_touch, 0.125, 0.0);
        take_down(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(contact_watch, changes_its_mind_only_beyond_the_bounds),
        RUN_TEST(contact_watch, knows_no_sliding_without_friction),
        RUN_TEST(contact_watch, finds_the_instant_of_a_touch),
        RUN_TEST(contact_watch, reports_every_change_once),
        RUN_TEST(contact_watch, has_room_for_pairs_it_knows_nothing_of),
        RUN_TEST(contact_watch, says_when_memory_runs_out),
        RUN_TEST(contact_watch, adds_up_the_impulses_of_impacts),
    };
    return cmocka_run_group_tests_name("contact_watch", tests, NULL, NULL);
}
