/* Names, places and units of the ledger's numbers. */
#include "model/ledger.h"

#include <stdio.h>
#include <string.h>

#define ENERGY(label, member)                  \
    {                                          \
        label, offsetof(carom_ledger, member), \
        {                                      \
            2, 1, -2, 0                        \
        }                                      \
    }
#define MOMENTUM(label, member)                \
    {                                          \
        label, offsetof(carom_ledger, member), \
        {                                      \
            1, 1, -1, 0                        \
        }                                      \
    }
#define ANGULAR(label, member)                 \
    {                                          \
        label, offsetof(carom_ledger, member), \
        {                                      \
            2, 1, -1, 0                        \
        }                                      \
    }

const ledger_field carom_ledger_table[] = {
    ENERGY("energy.kinetic", kinetic),
    ENERGY("energy.potential", potential),
    ENERGY("energy.elastic", elastic),
    { "energy.total", LEDGER_TOTAL, { 2, 1, -2, 0 } },
    ENERGY("energy.residue", residue),
    ENERGY("work.motors", work_motors),
    ENERGY("work.loads", work_loads),
    ENERGY("work.motion", work_motion),
    ENERGY("lost.damping", lost_damping),
    ENERGY("lost.drag", lost_drag),
    ENERGY("lost.stops", lost_stops),
    ENERGY("lost.friction", lost_friction),
    ENERGY("lost.contact", lost_contact),
    ENERGY("lost.impact", lost_impact),
    ENERGY("lost.numerics", lost_numerics),
    ENERGY("lost.handover", lost_handover),
    MOMENTUM("momentum.x", momentum.x),
    MOMENTUM("momentum.y", momentum.y),
    MOMENTUM("momentum.z", momentum.z),
    ANGULAR("angular_momentum.x", angular_momentum.x),
    ANGULAR("angular_momentum.y", angular_momentum.y),
    ANGULAR("angular_momentum.z", angular_momentum.z),
    MOMENTUM("momentum.residue.x", momentum_residue.x),
    MOMENTUM("momentum.residue.y", momentum_residue.y),
    MOMENTUM("momentum.residue.z", momentum_residue.z),
    ANGULAR("angular_momentum.residue.x", angular_momentum_residue.x),
    ANGULAR("angular_momentum.residue.y", angular_momentum_residue.y),
    ANGULAR("angular_momentum.residue.z", angular_momentum_residue.z),
    { "constraint.position", offsetof(carom_ledger, position_error), { 0, 0, 0, 0 } },
    { "constraint.velocity", offsetof(carom_ledger, velocity_error), { 0, 0, -1, 0 } },
    { NULL, 0, { 0, 0, 0, 0 } },
};

double carom_ledger_energy(const carom_ledger *ledger)
{
    return ledger->kinetic + ledger->potential + ledger->elastic;
}

double carom_ledger_get(const carom_ledger *ledger, int field)
{
    size_t offset = carom_ledger_table[field].offset;
    if (offset == LEDGER_TOTAL) {
        return carom_ledger_energy(ledger);
    }
    return *(const double *)((const char *)ledger + offset);
}

const char *carom_ledger_unit(int field, char *buffer, size_t size)
{
    static const char *const energies[] = { "energy.", "work.", "lost." };
    for (size_t i = 0; i < sizeof energies / sizeof energies[0]; ++i) {
        if (strncmp(carom_ledger_table[field].name, energies[i], strlen(energies[i])) == 0) {
            snprintf(buffer, size, "J");
            return buffer;
        }
    }
    return carom_dimension_text(carom_ledger_table[field].dimension, buffer, size);
}
