/* The part of 'carom info' about contacts. */
#ifndef CAROM_APP_INFO_CONTACTS_H
#define CAROM_APP_INFO_CONTACTS_H

#include <carom/carom.h>

/* Prints who touched whom, when and how hard; nothing for results of runs that did not look for contacts. */
carom_status print_contacts(const carom_result *result, size_t pair_limit, carom_error *err);

#endif
