/* Units of scene numbers, the text of a dimension, and the short ways to write a carom_value.
 * (Public functions of carom/fields.h; here because expressions are what values with units are mostly made of.) */
#include <carom/fields.h>

#include <stdio.h>

carom_units carom_units_si(void)
{
    return (carom_units){ .length = 1.0, .mass = 1.0, .time = 1.0, .angle = 1.0 };
}

/* By repeated multiplication: exact for SI, and the same bits everywhere, which pow does not promise. */
static double int_power(double base, int exponent)
{
    double result = 1.0;
    for (int i = 0; i < (exponent < 0 ? -exponent : exponent); ++i) {
        result *= base;
    }
    return exponent < 0 ? 1.0 / result : result;
}

/* A unit and its exponent in a product. */
typedef struct factor {
    const char *unit;
    int exponent;
} factor;

enum { FACTOR_COUNT = 5 };

/* Newtons are taken out where engineers would: forces, torques, stiffness, and damping, but not momentum. */
static bool reads_in_newtons(carom_dimension d)
{
    return d.mass == 1 && (d.time <= -2 || (d.time == -1 && (d.length == 0 || d.angle < 0)));
}

/* How often a force is a factor of a quantity, as engineers read it. */
static int newtons_in(carom_dimension d)
{
    const carom_dimension inverse = { (int8_t)-d.length, (int8_t)-d.mass, (int8_t)-d.time, (int8_t)-d.angle };
    return reads_in_newtons(d) ? 1 : reads_in_newtons(inverse) ? -1 : 0;
}

double carom_units_factor(const carom_units *units, carom_dimension dimension)
{
    if (!units) {
        return 1.0;
    }
    int newtons = units->force > 0.0 ? newtons_in(dimension) : 0;
    double forces = newtons != 0 ? int_power(units->force, newtons) : 1.0;
    return int_power(units->length, dimension.length - newtons) * int_power(units->mass, dimension.mass - newtons) *
           int_power(units->time, dimension.time + 2 * newtons) * int_power(units->angle, dimension.angle) * forces;
}

static void split(carom_dimension d, factor out[FACTOR_COUNT])
{
    int newtons = reads_in_newtons(d);
    out[0] = (factor){ "N", newtons };
    out[1] = (factor){ "kg", d.mass - newtons };
    out[2] = (factor){ "m", d.length - newtons };
    out[3] = (factor){ "rad", d.angle };
    out[4] = (factor){ "s", d.time + 2 * newtons };
}

typedef struct writer {
    char *buffer;
    size_t size, length;
} writer;

static void write_factor(writer *w, const char *before, const char *unit, int exponent)
{
    char power[16] = "";
    if (exponent != 1) {
        snprintf(power, sizeof power, "^%d", exponent);
    }
    if (w->length < w->size) {
        int n = snprintf(w->buffer + w->length, w->size - w->length, "%s%s%s", before, unit, power);
        w->length += n > 0 ? (size_t)n : 0;
    }
}

const char *carom_dimension_text(carom_dimension dimension, char *buffer, size_t size)
{
    factor factors[FACTOR_COUNT];
    if (!buffer || size == 0) {
        return "";
    }
    split(dimension, factors);
    writer w = { .buffer = buffer, .size = size };
    buffer[0] = '\0';
    for (int i = 0; i < FACTOR_COUNT; ++i) {
        if (factors[i].exponent > 0) {
            write_factor(&w, w.length ? "*" : "", factors[i].unit, factors[i].exponent);
        }
    }
    for (int i = 0; i < FACTOR_COUNT; ++i) {
        if (factors[i].exponent < 0) {
            write_factor(&w, w.length ? "/" : "1/", factors[i].unit, -factors[i].exponent);
        }
    }
    return buffer;
}

carom_value carom_value_number(double number)
{
    return (carom_value){ .kind = CAROM_NUMBER, .number = number, .scale = 1.0, .units = carom_units_si() };
}

carom_value carom_value_expression(const char *expression)
{
    return (carom_value){
        .kind = CAROM_EXPRESSION, .expression = expression, .scale = 1.0, .units = carom_units_si()
    };
}
