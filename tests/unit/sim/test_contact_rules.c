/* Rules of contact are counted as if every pair were looked at: same numbers, same order, same examples. */
#include <stdlib.h>

#include <carom/carom.h>

#include "base/text.h"
#include "model/colliders.h"
#include "support/check.h"
#include "support/random.h"

/* Bodies with several shapes of several materials, some fixed, some joined (twice, too), exceptions by names. */
static carom_text random_scene(test_rng *rng, int bodies)
{
    carom_text text = { 0 };
    carom_text_add(&text, "{\"carom\": 1, \"contact\": {\"method\": \"impact\", \"friction\": {\"coulomb\": 0.125}, "
                          "\"pairs\": [");
    carom_text_add(&text, "{\"between\": [\"a\", \"b\"], \"friction\": {\"coulomb\": 0.25}}, ");
    carom_text_add(&text, "{\"between\": [\"b*\", \"c\"], \"friction\": {\"coulomb\": 0.5}}, ");
    carom_text_add(&text, "{\"between\": [\"c\", \"c\"], \"ignore\": true}, ");
    carom_text_add(&text, "{\"between\": [\"b0*\", \"a\"], \"restitution\": 0.75}]}, \"bodies\": [");
    for (int i = 0; i < bodies; ++i) {
        bool fixed = i % 5 == 3;
        carom_text_add(&text,
                       "%s{\"name\": \"b%02d\", \"density\": 1000, \"fixed\": %s, \"position\": [%d, 0, 0], "
                       "\"shapes\": [",
                       i ? ", " : "", i, fixed ? "true" : "false", i);
        int shapes = 1 + (int)test_rng_uniform(rng, 0, 4);
        for (int k = 0; k < shapes; ++k) {
            carom_text_add(&text, "%s{\"sphere\": 0.1, \"material\": \"%c\"}", k ? ", " : "",
                           "abcd"[i < 4 ? i : (int)test_rng_uniform(rng, 0, 4)]);
        }
        carom_text_add(&text, "]}");
    }
    carom_text_add(&text, "], \"joints\": [");
    for (int j = 0; j < bodies / 2; ++j) {
        int a = 5 * (int)test_rng_uniform(rng, 0, (bodies + 4) / 5); /* one that moves */
        int b = (a + 1 + (int)test_rng_uniform(rng, 0, bodies - 1)) % bodies;
        for (int twice = 0; twice < 1 + (j % 5 == 0); ++twice) {
            carom_text_add(&text,
                           "%s{\"name\": \"j%d-%d\", \"type\": \"spherical\", \"bodies\": [\"b%02d\", \"b%02d\"]}",
                           j || twice ? ", " : "", j, twice, a, b);
        }
    }
    carom_text_add(&text, "]}");
    return text;
}

/* What looking at every pair finds. */
static size_t visit(const carom_model *model, carom_contact_rule *rules, size_t capacity)
{
    size_t count = 0;
    for (int a = 0; a < model->collider_count; ++a) {
        for (int b = a + 1; b < model->collider_count; ++b) {
            const model_interaction *i = model_interaction_of(model, a, b);
            if (!i) {
                continue;
            }
            size_t k = 0;
            while (k < count && !(rules[k].mu == i->mu && rules[k].restitution == i->restitution)) {
                ++k;
            }
            CHECK(k < capacity);
            if (k == count) {
                rules[count++] = (carom_contact_rule){
                    .mu = i->mu,
                    .restitution = i->restitution,
                    .example = { model->colliders[a].body, model->colliders[b].body },
                };
            }
            rules[k].pairs++;
        }
    }
    return count;
}

static void check_scene(test_rng *rng, int bodies)
{
    enum { ROOM = 32 };
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_text text = random_scene(rng, bodies);
    CHECK_OK(carom_scene_parse(text.data, text.length, "test", ".", NULL, 0, &spec, &err), err);
    CHECK_OK(carom_compile(spec, &model, &err), err);
    carom_contact_rule found[ROOM] = { 0 };
    carom_contact_rule expected[ROOM] = { 0 };
    size_t count = carom_model_contact_rules(model, found, ROOM);
    CHECK_EQ(count, visit(model, expected, ROOM));
    for (size_t k = 0; k < count; ++k) {
        CHECK_EQ(found[k].pairs, expected[k].pairs);
        CHECK_EQ(found[k].example[0], expected[k].example[0]);
        CHECK_EQ(found[k].example[1], expected[k].example[1]);
        CHECK(found[k].mu == expected[k].mu && found[k].restitution == expected[k].restitution);
    }
    if (count > 1) {
        carom_contact_rule one[1] = { 0 };
        CHECK_EQ(carom_model_contact_rules(model, one, 1), 2);
        CHECK_EQ(one[0].pairs, expected[0].pairs);
    }
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    carom_text_free(&text);
}

TEST(contact_rules, counted_as_if_every_pair_were_looked_at)
{
    test_rng rng = test_rng_seed(44);
    for (int k = 0; k < 60; ++k) {
        check_scene(&rng, 4 + k % 17);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(contact_rules, counted_as_if_every_pair_were_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
