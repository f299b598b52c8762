/* carom: contact and impact dynamics of multibody systems. Takes all public headers. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include <carom/io.h>

#endif
