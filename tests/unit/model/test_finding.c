/* Findings: noted by steps, added up by runs, told in sentences with names, numbers and units. */
#include "support/check.h"

#include <stdlib.h>

#include "model/finding.h"
#include "model/finding_kinds.h"
#include "model/model.h"

static finding some(carom_finding_kind kind, finding_place place, double number, double limit, double t)
{
    return (finding){
        .kind = (int32_t)kind, .place = place, .count = 1, .number = number, .limit = limit, .first = t, .worst = t
    };
}

TEST(finding, every_kind_has_a_name_a_sentence_and_a_remedy)
{
    for (int k = 0; k < CAROM_FINDINGS; ++k) {
        const finding_kind_entry *kind = &finding_kinds[k];
        CHECK(kind->name && *kind->name && kind->unit && kind->sentence && kind->remedy && *kind->remedy);
        CHECK_EQ(finding_kind_find(kind->name), k);
        CHECK(kind->wrong_at == 0.0 || kind->severity < CAROM_SEVERITY_WRONG);
    }
    CHECK_EQ(finding_kind_find("none of them"), CAROM_FINDINGS);
    CHECK_EQ(finding_kind_find(NULL), CAROM_FINDINGS);
}

TEST(finding, a_step_counts_its_fallbacks)
{
    finding_list list = { 0 };
    finding_note(&list, CAROM_FINDING_FORCES_ROUGH, finding_at_pair(2, 1), (double)NAN, (double)NAN, 0.5);
    finding_note(&list, CAROM_FINDING_CHATTER, finding_at_pair(1, 2), 30.0, 20.0, 0.5);
    finding_note(&list, CAROM_FINDING_PROJECTION_LOOSE, finding_in_run(), 3.0, 1.0, 0.5);
    CHECK_EQ(list.count, 3);
    CHECK_EQ(finding_count_fallbacks(&list), 2);
    CHECK_EQ(list.items[0].place.a, 1); /* a pair is the same from both sides */
    list.count = 1;                     /* a step taken back */
    CHECK_EQ(finding_count_fallbacks(&list), 1);
    CHECK(!list.lost);
    free(list.items);
}

TEST(finding, totals_merge_by_kind_and_place_and_keep_the_worst)
{
    finding_totals totals = { 0 };
    const finding all[] = { some(CAROM_FINDING_DEEP, finding_at_pair(1, 2), 0.3, 0.1, 2.0),
                            some(CAROM_FINDING_DEEP, finding_at_pair(2, 1), 0.5, 0.1, 3.0),
                            some(CAROM_FINDING_DEEP, finding_at_pair(1, 2), 0.4, 0.1, 1.0),
                            some(CAROM_FINDING_DEEP, finding_at_pair(1, 3), 0.2, 0.1, 1.0),
                            some(CAROM_FINDING_CHATTER, finding_at_pair(1, 2), 9.0, 5.0, 1.0) };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        CHECK(finding_totals_add(&totals, &all[i]));
    }
    CHECK_EQ(totals.count, 3);
    CHECK_EQ(totals.items[0].count, 3);
    CHECK_NEAR(totals.items[0].number, 0.5, 0.0);
    CHECK_NEAR(totals.items[0].first, 1.0, 0.0);
    CHECK_NEAR(totals.items[0].worst, 3.0, 0.0);
    free(totals.items);
}

TEST(finding, totals_are_bounded_however_many_places_there_are)
{
    finding_totals totals = { 0 };
    for (int i = 0; i < 10000; ++i) {
        finding f = some(CAROM_FINDING_DEEP, finding_at_pair(i, i + 1), 1.0 + i, 0.1, i);
        CHECK(finding_totals_add(&totals, &f));
        CHECK(finding_totals_add(&totals, &f));
    }
    CHECK_EQ(totals.count, FINDING_PLACES_MOST + 1);
    const finding *others = &totals.items[FINDING_PLACES_MOST];
    CHECK_EQ(others->place.where, FINDING_OTHERS);
    CHECK_EQ(others->count, 2 * (10000 - FINDING_PLACES_MOST));
    CHECK_NEAR(others->number, 10000.0, 0.0);
    free(totals.items);
}

TEST(finding, totals_keep_so_many_places_apart_and_no_more)
{
    finding_totals totals = { 0 };
    for (int i = 0; i < FINDING_PLACES_MOST; ++i) {
        finding f = some(CAROM_FINDING_DEEP, finding_at_pair(i, i + 1), 1.0, 0.1, i);
        CHECK(finding_totals_add(&totals, &f));
        CHECK_EQ(totals.count, i + 1);
        CHECK(totals.items[i].place.where == FINDING_PAIR && totals.items[i].place.a == i);
    }
    finding known = some(CAROM_FINDING_DEEP, finding_at_pair(0, 1), 2.0, 0.1, 50.0);
    CHECK(finding_totals_add(&totals, &known)); /* a place that is known stays its own */
    CHECK_EQ(totals.count, FINDING_PLACES_MOST);
    CHECK_EQ(totals.items[0].count, 2);
    finding one_more = some(CAROM_FINDING_DEEP, finding_at_pair(99, 100), 3.0, 0.1, 60.0);
    CHECK(finding_totals_add(&totals, &one_more));
    CHECK_EQ(totals.count, FINDING_PLACES_MOST + 1);
    CHECK_EQ(totals.items[FINDING_PLACES_MOST].place.where, FINDING_OTHERS);
    finding other_kind = some(CAROM_FINDING_CHATTER, finding_at_pair(99, 100), 3.0, 0.1, 60.0);
    CHECK(finding_totals_add(&totals, &other_kind)); /* places are counted for each kind */
    CHECK_EQ(totals.items[FINDING_PLACES_MOST + 1].place.where, FINDING_PAIR);
    free(totals.items);
}

TEST(finding, is_told_with_names_numbers_and_units_gravest_first)
{
    model_body bodies[3] = { { .name = "ground" }, { .name = "ball {limit} %s" }, { .name = "plate" } };
    model_joint joints[1] = { { .name = "pin" } };
    carom_model model = { .body_count = 3, .bodies = bodies, .joint_count = 1, .joints = joints };
    const finding all[] = { some(CAROM_FINDING_DEEP, finding_at_pair(2, 1), 0.15, 0.1, 0.25),
                            some(CAROM_FINDING_PASSED_THROUGH, finding_at_pair(1, 2), 5.0, 1e-3, 0.5),
                            some(CAROM_FINDING_PLAY_EXCEEDED, finding_at_joint(0), 0.3, 0.1, 0.75),
                            some(CAROM_FINDING_SPIN_CHANGED, (finding_place){ FINDING_BODY, 2, 3 }, 0.2, 2.0, 0.0) };
    carom_findings *told = findings_tell(&model, all, 4);
    CHECK_EQ(carom_findings_count(told), 4);
    const carom_finding *f = carom_findings_at(told, 0);
    CHECK_TEXT(f->name, "passed-through");
    CHECK_EQ(f->severity, CAROM_SEVERITY_WRONG);
    CHECK_TEXT(f->place, "'ball {limit} %s' and 'plate'");
    CHECK_CONTAINS(f->text, "'ball {limit} %s' and 'plate' passed through each other, by 5 m at t = 0.5 s");
    CHECK_CONTAINS(f->text, "0.001 m");
    f = carom_findings_at(told, 1); /* beyond twice its limit */
    CHECK_EQ(f->severity, CAROM_SEVERITY_WRONG);
    CHECK_TEXT(f->place, "joint 'pin'");
    f = carom_findings_at(told, 2);
    CHECK_EQ(f->severity, CAROM_SEVERITY_WARNING);
    CHECK_CONTAINS(f->text, "0.15 m");
    CHECK_CONTAINS(carom_findings_at(told, 3)->text, "'plate' along z was given as 2 rad/s and became 0.2 rad/s");
    CHECK(carom_findings_at(told, 4) == NULL);
    carom_findings_destroy(told);
    CHECK_EQ(carom_findings_count(NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(finding, every_kind_has_a_name_a_sentence_and_a_remedy),
        RUN_TEST(finding, a_step_counts_its_fallbacks),
        RUN_TEST(finding, totals_merge_by_kind_and_place_and_keep_the_worst),
        RUN_TEST(finding, totals_are_bounded_however_many_places_there_are),
        RUN_TEST(finding, totals_keep_so_many_places_apart_and_no_more),
        RUN_TEST(finding, is_told_with_names_numbers_and_units_gravest_first),
    };
    return cmocka_run_group_tests_name("finding", tests, NULL, NULL);
}
