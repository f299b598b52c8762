/* carom: contact and impact dynamics of multibody systems. Takes all public headers. */
#ifndef CAROM_ALL_H
#define CAROM_ALL_H

#include <carom/carom.h>

#endif
