/* Mistakes of a scene are found together: each once, each with its line, none that only follows from another. */
#include "scene_support.h"

#include <carom/model.h>

#include "model/compile.h"

/* Reads a scene that must be refused, with room for all mistakes. */
static carom_error_list refuse_all(const char *text, carom_error *first)
{
    carom_spec *spec = NULL;
    static carom_error_list list;
    list.count = -1;
    *first = (carom_error){ .all = &list };
    CHECK_EQ(scene_try(text, NULL, 0, &spec, first), CAROM_BAD_INPUT);
    CHECK(spec == NULL);
    CHECK(first->all == &list);
    CHECK_EQ(first->count, list.count);
    return list;
}

static void check_item(const carom_error *item, int line, const char *path, const char *part)
{
    CHECK_CONTAINS(item->message, part);
    CHECK_TEXT(item->path, path);
    CHECK_TEXT(item->file, "test.json");
    CHECK_EQ(item->line, line);
    CHECK(item->all == NULL);
}

TEST(mistakes, of_every_section_come_together)
{
    carom_error first;
    carom_error_list list = refuse_all("{\"carom\": 1,\n"
                                       "\"units\": {\"length\": \"mm\", \"tmie\": \"s\"},\n"
                                       "\"variables\": {\"L\": \"$K\"},\n"
                                       "\"gravity\": [0, 1],\n"
                                       "\"bodies\": [\n"
                                       "{\"name\": \"a\", \"shape\": {\"box\": [1, 1, \"$L\"]}, \"densty\": 3},\n"
                                       "{\"name\": \"b\", \"mass\": 1}],\n"
                                       "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\",\n"
                                       "\"bodies\": [\"ground\", \"aa\"],\n"
                                       "\"spring\": {\"stiff\": 2}}],\n"
                                       "\"record\": {\"signals\": [\"a.position.x\", \"b.position.x\",\n"
                                       "\"nobody.position.x\"]}}",
                                       &first);
    CHECK_EQ(list.count, 8);
    check_item(&list.items[0], 2, "units.tmie", "did you mean 'time'");
    check_item(&list.items[1], 3, "variables.L", "unknown variable '$K'");
    check_item(&list.items[2], 4, "gravity", "list of 2");
    check_item(&list.items[3], 6, "bodies[0].densty", "did you mean 'density'");
    check_item(&list.items[4], 7, "bodies[1]", "principal moment"); /* found by the compiler all the same */
    check_item(&list.items[5], 9, "joints[0].bodies[1]", "there is no body 'aa' (did you mean 'a'?)");
    check_item(&list.items[6], 10, "joints[0].spring.stiff", "unknown key 'stiff'");
    check_item(&list.items[7], 12, "record.signals[2]", "no signal 'nobody.position.x'");
}

/* What refers to a part that was refused is right as far as anybody knows. */
TEST(mistakes, that_follow_from_others_are_not_told)
{
    carom_error first;
    carom_error_list list = refuse_all(
        SCENE(
            "\"bodies\": [{\"name\": \"a\", \"mas\": 1}, {\"name\": \"b\", \"mass\": 1, \"shape\": {\"sphere\": 1}}],"
            "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"a\", \"b\"]},"
            " {\"name\": \"g\", \"type\": \"gear\", \"joint_1\": \"j\", \"joint_2\": \"j\", \"ratio\": 2}],"
            "\"forces\": [{\"name\": \"m\", \"type\": \"motor\", \"joint\": \"j\", \"target\": \"a.position.x\"}],"
            "\"contact\": {\"method\": \"compliant\", \"law\": {\"linear\": 1e6},"
            " \"pairs\": [{\"between\": [\"a\", \"b\"], \"ignore\": true}]},"
            "\"record\": {\"signals\": [\"a.position.x\", \"j.angle\", \"m.force\", \"g.effort\"]}"),
        &first);
    for (int i = 0; i < list.count; ++i) {
        CHECK_CONTAINS(list.items[i].path, "bodies[0]");
    }
    CHECK_EQ(list.count, 1);
}

TEST(mistakes, of_an_unknown_kind_leave_its_parameters_alone)
{
    carom_error first;
    carom_error_list list =
        refuse_all(SCENE(ONE_BODY
                         ", \"joints\": [{\"name\": \"j\", \"type\": \"scrw\", \"bodies\": [\"ground\", \"rod\"],"
                         " \"pitch\": 2, \"nonsense\": 1}]"),
                   &first);
    CHECK_EQ(list.count, 2);
    CHECK_CONTAINS(list.items[0].message, "unknown type 'scrw'");
    CHECK_CONTAINS(list.items[1].message, "unknown key 'nonsense'");
}

TEST(mistakes, of_repeated_entries_are_told_once)
{
    carom_error first;
    carom_error_list list =
        refuse_all(SCENE("\"bodies\": [{\"name\": \"l\", \"repeat\": {\"count\": 20000}, \"mas\": 1}],"
                         "\"joints\": [{\"name\": \"j\", \"repeat\": {\"count\": 19999}, \"type\": \"spherical\","
                         " \"bodies\": [\"l[$index]\", \"l[$index+1]\"]}]"),
                   &first);
    CHECK_EQ(list.count, 1);
}

TEST(mistakes, are_no_more_than_fit)
{
    carom_text text = { 0 };
    carom_error first;
    carom_text_add(&text, "{\"carom\": 1, \"bodies\": [");
    for (int i = 0; i < 500; ++i) {
        carom_text_add(&text, "%s{\"name\": \"b%d\", \"mas\": 1}", i ? ",\n" : "", i);
    }
    carom_text_add(&text, "]}");
    carom_error_list list = refuse_all(text.data, &first);
    CHECK_EQ(list.count, CAROM_ERRORS_MOST);
    for (int i = 0; i < list.count; ++i) {
        CHECK_EQ(list.items[i].line, i + 1);
    }
    carom_text_free(&text);
}

/* Without a list the first is told, and how many there are. */
TEST(mistakes, are_counted_without_a_list)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    CHECK_EQ(scene_try(SCENE("\"bodies\": [{\"name\": \"a\", \"x\": 1, \"y\": 1}], \"tme\": 1"), NULL, 0, &spec,
                       &err),
             CAROM_BAD_INPUT);
    CHECK_EQ(err.count, 3);
    CHECK_CONTAINS(err.message, "'tme'");
    CHECK_EQ(scene_try("{\"carom\": 1,,}", NULL, 0, &spec, &err), CAROM_BAD_INPUT);
    CHECK_EQ(err.count, 1);
}

TEST(mistakes, of_a_compiled_spec_come_together)
{
    carom_spec *spec =
        scene_read("{\"carom\": 1,\n\"time\": {\"end\": 1,\n\"step\": 1e-14,\n\"tolerance\": 2},\n"
                   "\"contact\": {\"method\": \"impact\",\n\"exponent\": 9},\n"
                   "\"bodies\": [{\"name\": \"a\", \"mass\": 1},\n"
                   "{\"name\": \"b\", \"mass\": 1, \"inertia\": [1, 1, 1]}],\n"
                   "\"joints\": [{\"name\": \"j\", \"type\": \"revolute\", \"bodies\": [\"a\", \"b\"]},\n"
                   "{\"name\": \"k\", \"type\": \"fixed\", \"bodies\": [\"ground\", \"b\"],"
                   " \"clearance\": 1}],\n"
                   "\"record\": {\"signals\": [\"j.angle\",\n\"b.angle\"]}}");
    static carom_error_list list;
    carom_error err = { .all = &list };
    carom_model *model = NULL;
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK(model == NULL);
    CHECK_EQ(list.count, 6);
    check_item(&list.items[0], 3, "time.step", "too short");
    check_item(&list.items[1], 4, "time.tolerance", "between");
    check_item(&list.items[2], 6, "contact.exponent", "between 1 and 3");
    check_item(&list.items[3], 7, "bodies[0]", "principal moment");
    check_item(&list.items[4], 10, "joints[1]", "cannot have a clearance");
    check_item(&list.items[5], 12, "record.signals[1]", "no signal 'b.angle'");
    carom_spec_destroy(spec);
}

/* An override that brought a value is named, also where a later stage refuses it. */
TEST(mistakes, name_the_override_that_brought_them)
{
    carom_spec *spec = scene_read_set(SCENE(ONE_BODY ", \"time\": {\"end\": 1, \"step\": 0.1}"), "time.step=1e-15");
    carom_error err = { 0 };
    carom_model *model = NULL;
    CHECK_EQ(carom_compile(spec, &model, &err), CAROM_BAD_INPUT);
    CHECK_CONTAINS(err.message, "(from --set time.step=1e-15)");
    CHECK_TEXT(err.path, "time.step");
    carom_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(mistakes, of_every_section_come_together),
        RUN_TEST(mistakes, that_follow_from_others_are_not_told),
        RUN_TEST(mistakes, of_an_unknown_kind_leave_its_parameters_alone),
        RUN_TEST(mistakes, of_repeated_entries_are_told_once),
        RUN_TEST(mistakes, are_no_more_than_fit),
        RUN_TEST(mistakes, are_counted_without_a_list),
        RUN_TEST(mistakes, of_a_compiled_spec_come_together),
        RUN_TEST(mistakes, name_the_override_that_brought_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
