/* Trying out contact laws of a program. */
#ifndef CAROM_ELEMENTS_LAWS_USER_PROBE_H
#define CAROM_ELEMENTS_LAWS_USER_PROBE_H

#include <carom/user.h>

#include "elements/laws/law.h"

/* One call of the law. */
law_force normal_probe(const carom_user_normal_law_def *def, contact_rate c, double approach, double restitution);
carom_user_friction_output friction_probe(const carom_user_friction_law_def *def, double speed);

/* Refuses a law that breaks the contract of carom/user.h at one of some hundred points, with the numbers there. */
carom_status normal_try(const carom_user_normal_law_def *def, double restitution, carom_error *err);
carom_status friction_try(const carom_user_friction_law_def *def, carom_error *err);

#endif
