/* Errors: exact lines and paths, every broken scene of tests/cli/bad, hostile text. */
#include "scene_support.h"

#include <dirent.h>

TEST(errors, lines_are_exact)
{
    CHECK_REFUSED(
        "{\n\"carom\": 1,\n\"bodies\": [\n{\"name\": \"a\",\n \"mass\": 1},\n{\"name\": \"b\",\n\n\"mass\": -1}]}", 8,
        "bodies[1].mass", "must be positive");
    CHECK_REFUSED(
        "{\"carom\": 1, /* two\nlines */ \"bodies\": [ // x\n{\"name\": \"a\", \"position\": [\n1,\n\"2*\",\n3]}]}",
        5, "bodies[0].position[1]", "cannot evaluate");
    CHECK_REFUSED(
        "{\"carom\": 1,\n \"bodies\": [\n  {\"name\": \"a\", \"mass\": 1,\n   \"shape\": {\"box\": [1, 1, 1],\n"
        "     \"at\": [1, 2]}}]}",
        5, "bodies[0].shape.at", "list of 2");
    CHECK_REFUSED(
        "{\"carom\": 1,\n \"bodies\": [\n  {\"name\": \"a\", \"mass\": 1, \"shapes\": [\n   {\"sphere\": 1},\n"
        "   {\"sphere\": {\"radius\": 0}}]}]}",
        5, "bodies[0].shapes[1].sphere.radius", "must be positive");
}

/* A missing member has no line of its own: that of its object counts. */
TEST(errors, missing_members_name_their_object)
{
    CHECK_REFUSED("{\"carom\": 1,\n \"bodies\": [\n  {\"mass\": 1}]}", 3, "bodies[0]", "'name' is missing");
}

TEST(errors, keys_with_escapes_and_braces_in_texts)
{
    CHECK_REFUSED("{\"carom\": 1, \"name\": \"}]{[\\\"\",\n \"bodies\": [{\"name\": \"a\",\n \"m\\u0061ss\": -1}]}",
                  3, "bodies[0].mass", "must be positive");
}

TEST(errors, found_by_the_spec_have_lines_too)
{
    CHECK_REFUSED(
        "{\"carom\": 1,\n \"bodies\": [{\"name\": \"a\", \"mass\": 1}],\n \"joints\": [{\"name\": \"j\", \"type\": "
        "\"revolute\",\n \"bodies\": [\"ground\", \"a\"],\n \"limits\": [{\"min\": 0, \"max\": 1},\n {\"min\": 2, "
        "\"max\": 1}]}]}",
        6, "joints[0].limits[1]", "above max");
}

TEST(errors, text_for_people)
{
    char text[400];
    carom_error err = {
        .status = CAROM_BAD_INPUT, .line = 7, .file = "a.json", .path = "bodies[0].mass", .message = "is -1"
    };
    CHECK_TEXT(carom_error_text(&err, text, sizeof text), "a.json:7: bodies[0].mass: is -1");
    err.path[0] = '\0';
    CHECK_TEXT(carom_error_text(&err, text, sizeof text), "a.json:7: is -1");
    err.file[0] = '\0';
    CHECK_TEXT(carom_error_text(&err, text, sizeof text), "is -1");
    CHECK_EQ(strlen(carom_error_text(&err, text, 3)), 2);
}

/* ---- the broken scenes --------------------------------------------------------------------------------------- */

/* First line "// expect: part of the message"; a second line "// found by: ..." when the reader is not the one. */
static void check_broken_scene(const char *path)
{
    char first[400] = "", second[400] = "";
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fgets(first, sizeof first, file) != NULL);
    (void)!fgets(second, sizeof second, file);
    fclose(file);
    const char *const mark = "// expect: ";
    CHECK(strncmp(first, mark, strlen(mark)) == 0);
    first[strcspn(first, "\n")] = '\0';

    carom_spec *spec = NULL;
    carom_error err = { 0 };
    carom_status status = carom_scene_load(path, NULL, 0, &spec, &err);
    if (strncmp(second, "// found by: ", 13) == 0) {
        CHECK_OK(status, err);
    } else {
        if (status != CAROM_BAD_INPUT) {
            print_error("%s was not refused\n", path);
        }
        CHECK_EQ(status, CAROM_BAD_INPUT);
        CHECK_CONTAINS(err.message, first + strlen(mark));
        CHECK_GE(err.line, 1);
        CHECK(err.file[0] != '\0');
    }
    carom_spec_destroy(spec);
}

TEST(errors, every_broken_scene_is_refused)
{
    char folder[600], path[1000];
    const char *source = getenv("CAROM_SOURCE_DIR");
    snprintf(folder, sizeof folder, "%s/tests/cli/bad", source ? source : ".");
    DIR *entries = opendir(folder);
    CHECK(entries != NULL);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strstr(entry->d_name, ".json")) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            check_broken_scene(path);
            ++count;
        }
    }
    closedir(entries);
    CHECK_GE(count, 45);
}

/* ---- hostile text -------------------------------------------------------------------------------------------- */

static const char *const sample =
    "{ \"carom\": 1, \"name\": \"s\", // c\n \"units\": {\"length\": \"mm\", \"angle\": \"deg\"},\n"
    " \"variables\": {\"L\": 2, \"m\": \"$L*3\"}, \"gravity\": [0, 0, -9810],\n"
    " \"time\": {\"end\": 0.5, \"integrator\": {\"generalized-alpha\": {}}}, \"contact\": {\"method\": \"none\"},\n"
    " \"bodies\": [{\"name\": \"rod\", \"shape\": {\"box\": [1, 1, \"$L\"]}, \"density\": 1e-6},\n"
    "  {\"repeat\": {\"count\": 3, \"line\": [10, 0, 0]}, \"name\": \"link\", \"mass\": \"1+$index\"}],\n"
    " \"joints\": [{\"name\": \"pin\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"],\n"
    "  \"limits\": {\"min\": -30, \"max\": 30}, \"motion\": {\"value\": \"90*sin(t)\"}},\n"
    "  {\"repeat\": {\"count\": 2}, \"name\": \"j$index\", \"type\": \"spherical\", \"bodies\": [\"link[$index]\", "
    "\"link[$index+1]\"]}],\n"
    " \"forces\": [{\"name\": \"s\", \"type\": \"spring\", \"bodies\": [\"rod\", \"link[0]\"], \"stiffness\": 1e3}] "
    "}";

static void try_anything(const char *text, size_t length)
{
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    carom_status status = carom_scene_parse(text, length, "hostile", ".", NULL, 0, &spec, &err);
    CHECK(status == CAROM_OK || err.message[0] != '\0');
    CHECK((status == CAROM_OK) == (spec != NULL));
    carom_spec_destroy(spec);
}

TEST(hostile, every_prefix_of_a_scene)
{
    for (size_t length = 0; length <= strlen(sample); ++length) {
        try_anything(sample, length);
    }
}

TEST(hostile, random_bytes_in_a_scene)
{
    static const char odd[] = "{}[]\",:$0123456789.eE+-/*\\ntfu()abc\n\x80\xff";
    FOR_EACH_SEED(rng, 3000) {
        char text[2000];
        size_t length = strlen(sample);
        memcpy(text, sample, length);
        int changes = 1 + (int)test_rng_uniform(&rng, 0, 4);
        for (int i = 0; i < changes; ++i) {
            size_t place = (size_t)test_rng_uniform(&rng, 0, (double)length);
            text[place] = odd[(size_t)test_rng_uniform(&rng, 0, sizeof odd - 1)];
        }
        try_anything(text, length);
    }
}

TEST(hostile, without_an_error_struct)
{
    carom_spec *spec = NULL;
    const char *const texts[] = { "", "{", "{\"carom\": 1}", "{\"carom\": 1, \"bodies\": [{\"name\": 3}]}",
                                  "{\"carom\": 1, \"include\": \"nowhere\"}" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        CHECK(carom_scene_parse(texts[i], strlen(texts[i]), "x", ".", NULL, 0, &spec, NULL) == CAROM_BAD_INPUT);
    }
    CHECK(carom_scene_load("/nowhere/at/all.json", NULL, 0, &spec, NULL) == CAROM_BAD_INPUT);
    carom_error err = { 0 };
    CHECK(carom_scene_load("/", NULL, 0, &spec, &err) != CAROM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(errors, lines_are_exact),
        RUN_TEST(errors, missing_members_name_their_object),
        RUN_TEST(errors, keys_with_escapes_and_braces_in_texts),
        RUN_TEST(errors, found_by_the_spec_have_lines_too),
        RUN_TEST(errors, text_for_people),
        RUN_TEST(errors, every_broken_scene_is_refused),
        RUN_TEST(hostile, every_prefix_of_a_scene),
        RUN_TEST(hostile, random_bytes_in_a_scene),
        RUN_TEST(hostile, without_an_error_struct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
