/* Units: factors to SI, and dimensions as engineers write them. */
#include <carom/fields.h>

#include "support/check.h"

TEST(units, factors)
{
    carom_units si = carom_units_si();
    carom_units mm_t = { .length = 1e-3, .mass = 1e3, .time = 1.0, .angle = 3.14159265358979323846 / 180.0 };
    CHECK_NEAR(carom_units_factor(&si, (carom_dimension)CAROM_DIM_TORQUE), 1.0, 0.0);
    CHECK_NEAR(carom_units_factor(&mm_t, (carom_dimension)CAROM_DIM_NONE), 1.0, 0.0);
    CHECK_NEAR(carom_units_factor(&mm_t, (carom_dimension)CAROM_DIM_FORCE), 1.0, 1e-15); /* t mm/s^2 is a newton */
    CHECK_NEAR(carom_units_factor(&mm_t, (carom_dimension)CAROM_DIM_DENSITY), 1e12, 1e-3);
    CHECK_NEAR(carom_units_factor(&mm_t, (carom_dimension)CAROM_DIM_ANGULAR_STIFFNESS),
               1e-3 * 180.0 / 3.14159265358979323846, 1e-15);
    carom_units ms = { .length = 1.0, .mass = 1.0, .time = 1e-3, .angle = 1.0 };
    CHECK_NEAR(carom_units_factor(&ms, (carom_dimension)CAROM_DIM_ACCELERATION), 1e6, 1e-9);
}

TEST(units, texts)
{
    const struct {
        carom_dimension dimension;
        const char *text;
    } cases[] = {
        { CAROM_DIM_NONE, "" },
        { CAROM_DIM_LENGTH, "m" },
        { CAROM_DIM_MASS, "kg" },
        { CAROM_DIM_TIME, "s" },
        { CAROM_DIM_ANGLE, "rad" },
        { CAROM_DIM_VELOCITY, "m/s" },
        { CAROM_DIM_ACCELERATION, "m/s^2" },
        { CAROM_DIM_ANGULAR_VELOCITY, "rad/s" },
        { CAROM_DIM_ANGULAR_ACCELERATION, "rad/s^2" },
        { CAROM_DIM_FORCE, "N" },
        { CAROM_DIM_TORQUE, "N*m" },
        { CAROM_DIM_POWER, "N*m/s" },
        { CAROM_DIM_MOMENTUM, "kg*m/s" },
        { CAROM_DIM_ANGULAR_MOMENTUM, "kg*m^2/s" },
        { CAROM_DIM_INERTIA, "kg*m^2" },
        { CAROM_DIM_DENSITY, "kg/m^3" },
        { CAROM_DIM_STIFFNESS, "N/m" },
        { CAROM_DIM_DAMPING, "N*s/m" },
        { CAROM_DIM_ANGULAR_STIFFNESS, "N*m/rad" },
        { CAROM_DIM_ANGULAR_DAMPING, "N*m*s/rad" },
        { { .time = -1 }, "1/s" },
        { { .length = 3, .time = -2 }, "m^3/s^2" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char buffer[40] = "not touched";
        CHECK_TEXT(carom_dimension_text(cases[i].dimension, buffer, sizeof buffer), cases[i].text);
    }
    char small[4];
    CHECK_TEXT(carom_dimension_text((carom_dimension)CAROM_DIM_ANGULAR_DAMPING, small, sizeof small), "N*m");
}

TEST(units, values)
{
    carom_value number = carom_value_number(2.5);
    CHECK(number.kind == CAROM_NUMBER && number.number == 2.5 && number.scale == 1.0 && number.units.length == 1.0);
    carom_value text = carom_value_expression("2*t");
    CHECK(text.kind == CAROM_EXPRESSION && text.scale == 1.0 && text.units.angle == 1.0);
    CHECK_TEXT(text.expression, "2*t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(units, factors),
        RUN_TEST(units, texts),
        RUN_TEST(units, values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
