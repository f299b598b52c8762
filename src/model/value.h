/* Values in a model: numbers, tables over time, expressions of time and signals. */
#ifndef CAROM_MODEL_VALUE_H
#define CAROM_MODEL_VALUE_H

#include "expr/expr.h"

struct signal_ref;

enum { VALUE_VARIABLES = 64 }; /* most that one expression may have */

typedef struct model_value {
    carom_value_kind kind;
    double number;
    double rate; /* of a number: at which it goes through it, for starts of joints; else 0 */
    curve table;
    const char *text; /* of the expression; each scratch parses its own copy to evaluate it */
    double scale;
    carom_units units;
    int variable_count; /* of the expression; each is t or a signal */
    const char **variable_names;
    struct signal_ref *variables;
    bool time_only; /* depends on t alone */
} model_value;

#endif
