/* The numbers of the ledger by name: one table for signals, results and summaries. */
#ifndef CAROM_MODEL_LEDGER_H
#define CAROM_MODEL_LEDGER_H

#include <carom/step.h>

typedef struct ledger_field {
    const char *name; /* as a signal: "energy.kinetic" */
    size_t offset;    /* of a double in carom_ledger; LEDGER_TOTAL is the sum of the stored energies */
    carom_dimension dimension;
} ledger_field;

#define LEDGER_TOTAL ((size_t)-1)

/* Ended by name == NULL. */
extern const ledger_field carom_ledger_table[];

double carom_ledger_get(const carom_ledger *ledger, int field);

/* Its unit: "J" for energies and work, else that of its dimension. Returns buffer. */
const char *carom_ledger_unit(int field, char *buffer, size_t size);

/* Stored energy: kinetic + potential + elastic. */
double carom_ledger_energy(const carom_ledger *ledger);

#endif
