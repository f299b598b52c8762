#include "expr/units.h"

#include <string.h>

#define PI 3.14159265358979323846

typedef struct named_unit {
    const char *name;
    double factor; /* to SI */
    carom_dimension dimension;
} named_unit;

#define DIM_PRESSURE \
    {                \
        -1, 1, -2, 0 \
    }

static const named_unit units[] = {
    { "m", 1.0, CAROM_DIM_LENGTH },        { "mm", 1e-3, CAROM_DIM_LENGTH },
    { "cm", 1e-2, CAROM_DIM_LENGTH },      { "km", 1e3, CAROM_DIM_LENGTH },
    { "um", 1e-6, CAROM_DIM_LENGTH },      { "in", 0.0254, CAROM_DIM_LENGTH },
    { "ft", 0.3048, CAROM_DIM_LENGTH },    { "kg", 1.0, CAROM_DIM_MASS },
    { "g", 1e-3, CAROM_DIM_MASS },         { "t", 1e3, CAROM_DIM_MASS },
    { "lb", 0.45359237, CAROM_DIM_MASS },  { "s", 1.0, CAROM_DIM_TIME },
    { "ms", 1e-3, CAROM_DIM_TIME },        { "us", 1e-6, CAROM_DIM_TIME },
    { "min", 60.0, CAROM_DIM_TIME },       { "h", 3600.0, CAROM_DIM_TIME },
    { "rad", 1.0, CAROM_DIM_ANGLE },       { "deg", PI / 180.0, CAROM_DIM_ANGLE },
    { "turn", 2.0 * PI, CAROM_DIM_ANGLE }, { "rpm", 2.0 * PI / 60.0, CAROM_DIM_ANGULAR_VELOCITY },
    { "N", 1.0, CAROM_DIM_FORCE },         { "mN", 1e-3, CAROM_DIM_FORCE },
    { "kN", 1e3, CAROM_DIM_FORCE },        { "lbf", 4.4482216152605, CAROM_DIM_FORCE },
    { "kgf", 9.80665, CAROM_DIM_FORCE },   { "J", 1.0, CAROM_DIM_ENERGY },
    { "W", 1.0, CAROM_DIM_POWER },         { "kW", 1e3, CAROM_DIM_POWER },
    { "Pa", 1.0, DIM_PRESSURE },           { "kPa", 1e3, DIM_PRESSURE },
    { "MPa", 1e6, DIM_PRESSURE },          { "GPa", 1e9, DIM_PRESSURE },
    { "1", 1.0, CAROM_DIM_NONE },
};
enum { UNIT_COUNT = sizeof units / sizeof units[0], LARGEST_EXPONENT = 6 };

const char *unit_list(void)
{
    return "m mm cm km um in ft kg g t lb s ms us min h rad deg turn rpm N mN kN lbf kgf J W kW Pa kPa MPa GPa, with *, / and ^";
}

static const named_unit *find_unit(const char *name, size_t length)
{
    for (size_t i = 0; i < UNIT_COUNT; ++i) {
        if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0) {
            return &units[i];
        }
    }
    return NULL;
}

/* The number behind "^", or 1 where there is none; 0: no exponent that can be meant. */
static int take_exponent(const char **text)
{
    if (**text != '^') {
        return 1;
    }
    int exponent = (*text)[1] - '0';
    *text += exponent >= 1 && exponent <= LARGEST_EXPONENT ? 2 : 0;
    return exponent >= 1 && exponent <= LARGEST_EXPONENT ? exponent : 0;
}

static void multiply(carom_dimension *d, const named_unit *unit, int exponent, double *factor)
{
    d->length = (int8_t)(d->length + exponent * unit->dimension.length);
    d->mass = (int8_t)(d->mass + exponent * unit->dimension.mass);
    d->time = (int8_t)(d->time + exponent * unit->dimension.time);
    d->angle = (int8_t)(d->angle + exponent * unit->dimension.angle);
    for (int k = 0; k < (exponent < 0 ? -exponent : exponent); ++k) {
        *factor = exponent < 0 ? *factor / unit->factor : *factor * unit->factor;
    }
}

bool unit_parse(const char *text, carom_dimension *dimension, double *factor)
{
    enum { MOST_FACTORS = 8 }; /* more mean nothing, and exponents stay small */
    *dimension = (carom_dimension)CAROM_DIM_NONE;
    *factor = 1.0;
    int sign = 1;
    for (int k = 0; *text && k < MOST_FACTORS; ++k) {
        size_t length = strcspn(text, "*/^");
        const named_unit *unit = find_unit(text, length);
        text += length;
        int exponent = take_exponent(&text);
        if (!unit || exponent == 0) {
            return false;
        }
        multiply(dimension, unit, sign * exponent, factor);
        if (*text == '\0') {
            return true;
        }
        sign = *text == '/' ? -1 : 1;
        if ((*text != '*' && *text != '/') || text[1] == '\0') {
            return false;
        }
        ++text;
    }
    return *text == '\0';
}
