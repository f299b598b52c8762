/* The part of 'carom check' about contact. */
#ifndef CAROM_APP_CHECK_CONTACT_H
#define CAROM_APP_CHECK_CONTACT_H

#include <carom/contact.h>

/* Shapes, rules and clearances at the start; nothing when no shape takes part in contact. */
carom_status print_contact(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                           carom_error *err);

#endif
