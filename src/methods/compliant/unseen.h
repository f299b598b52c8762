/* Overlap that no point of contact sees. */
#ifndef CAROM_METHODS_COMPLIANT_UNSEEN_H
#define CAROM_METHODS_COMPLIANT_UNSEEN_H

#include "methods/compliant/forces.h"

/* Notes pairs of the touches found last that are inside each other and do not touch. */
void unseen_note(const compliant_work *t, carom_scratch *w);

#endif
