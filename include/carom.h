/* carom: contact and impact dynamics of multibody systems. Takes all public headers. */
#ifndef CAROM_H
#define CAROM_H

#include <carom/carom.h>

#endif
