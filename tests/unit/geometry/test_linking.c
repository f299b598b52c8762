/* Linking numbers: known for circles, torus links and separate curves, and not changed by any rigid motion of both. */
#include "geometry/linking.h"

#include "support/random.h"
#include "support/samples.h"

enum { SIDES = 24, LONG = 240 };

static void circle(v3 *out, int count, v3 middle, v3 turned, double radius)
{
    m3 R = q_matrix(so3_exp(turned));
    for (int i = 0; i < count; ++i) {
        double angle = 2.0 * TEST_PI * i / count;
        out[i] = v3_add(middle, m3_mulv(R, v3_make(radius * cos(angle), radius * sin(angle), 0.0)));
    }
}

/* Two circles are linked if one passes through the disc of the other once. */
TEST(linking, circles)
{
    v3 a[SIDES], b[SIDES];
    circle(a, SIDES, v3_zero(), v3_zero(), 1.0);
    circle(b, SIDES, v3_make(1.0, 0, 0), v3_make(0.5 * TEST_PI, 0, 0), 0.7);
    CHECK_NEAR(fabs(linking_number(a, SIDES, b, SIDES)), 1.0, 1e-12);
    CHECK_NEAR(linking_number(a, SIDES, b, SIDES), linking_number(b, SIDES, a, SIDES), 1e-12);
    circle(b, SIDES, v3_make(1.8, 0, 0), v3_make(0.5 * TEST_PI, 0, 0), 0.7); /* beside it */
    CHECK_NEAR(linking_number(a, SIDES, b, SIDES), 0.0, 1e-12);
    circle(b, SIDES, v3_make(0.1, 0, 0), v3_make(0.5 * TEST_PI, 0, 0), 0.7); /* through it and back */
    CHECK_NEAR(linking_number(a, SIDES, b, SIDES), 0.0, 1e-12);
}

/* Turned the other way around, a curve is linked with the other sign. */
TEST(linking, the_sign_is_that_of_the_direction)
{
    v3 a[SIDES], b[SIDES], back[SIDES];
    circle(a, SIDES, v3_zero(), v3_zero(), 1.0);
    circle(b, SIDES, v3_make(1.0, 0, 0), v3_make(0.5 * TEST_PI, 0, 0), 0.7);
    for (int i = 0; i < SIDES; ++i) {
        back[i] = b[SIDES - 1 - i];
    }
    CHECK_NEAR(linking_number(a, SIDES, back, SIDES), -linking_number(a, SIDES, b, SIDES), 1e-12);
}

/* A curve that winds k times around a circle while it goes around once is linked with it k times. */
TEST(linking, curves_on_a_torus)
{
    v3 core[SIDES], coil[LONG];
    circle(core, SIDES, v3_zero(), v3_zero(), 1.0);
    for (int k = 0; k <= 5; ++k) {
        for (int i = 0; i < LONG; ++i) {
            double along = 2.0 * TEST_PI * i / LONG;
            double r = 1.0 + 0.3 * cos(k * along);
            coil[i] = v3_make(r * cos(along), r * sin(along), 0.3 * sin(k * along));
        }
        CHECK_NEAR(fabs(linking_number(core, SIDES, coil, LONG)), (double)k, 1e-11);
    }
}

/* An integer for any two curves, the same wherever both are. */
TEST(linking, it_is_an_integer_that_motions_keep)
{
    FOR_EACH_SEED(rng, 200) {
        v3 a[SIDES], b[SIDES];
        v3 at = random_v3(&rng, 1.0);
        v3 turned = random_v3(&rng, 3.0);
        circle(a, SIDES, v3_zero(), random_v3(&rng, 3.0), 0.5);
        circle(b, SIDES, v3_scale(0.8, at), turned, 0.6);
        double linked = linking_number(a, SIDES, b, SIDES);
        CHECK_NEAR(linked, rint(linked), 1e-9);
        m3 R = q_matrix(so3_exp(turned));
        for (int i = 0; i < SIDES; ++i) {
            a[i] = v3_add(m3_mulv(R, a[i]), at);
            b[i] = v3_add(m3_mulv(R, b[i]), at);
        }
        CHECK_NEAR(linking_number(a, SIDES, b, SIDES), linked, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(linking, circles),
        RUN_TEST(linking, the_sign_is_that_of_the_direction),
        RUN_TEST(linking, curves_on_a_torus),
        RUN_TEST(linking, it_is_an_integer_that_motions_keep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
