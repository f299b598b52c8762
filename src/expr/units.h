/* Units that people write: "kN", "N*m/rad", "m/s^2". */
#ifndef CAROM_EXPR_UNITS_H
#define CAROM_EXPR_UNITS_H

#include <carom/fields.h>

/* A product of units with * and /, each with an exponent ("^2"); "" and "1" are a plain number. factor: what one of it is worth
 * in SI. False where it is no unit. */
bool unit_parse(const char *text, carom_dimension *dimension, double *factor);

/* "m, mm, ..." for messages. */
const char *unit_list(void);

#endif
