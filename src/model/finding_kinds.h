/* What is known of a kind of finding before it is found. Internal to the files about findings. */
#ifndef CAROM_MODEL_FINDING_KINDS_H
#define CAROM_MODEL_FINDING_KINDS_H

#include <carom/trust.h>

typedef struct finding_kind_entry {
    const char *name; /* as summary.json spells it */
    carom_severity severity;
    double wrong_at;      /* from this multiple of the limit on it is CAROM_SEVERITY_WRONG; 0: never */
    const char *unit;     /* of number and limit */
    const char *sentence; /* {place}, {number}, {limit}, {count}, {time} of the worst, {first} are filled in */
    const char *remedy;
} finding_kind_entry;

extern const finding_kind_entry finding_kinds[CAROM_FINDINGS];

#endif
