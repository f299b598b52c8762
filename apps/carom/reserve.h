/* Memory for the libraries that do not survive its lack. */
#ifndef CAROM_APPS_RESERVE_H
#define CAROM_APPS_RESERVE_H

#include <stdbool.h>

/* Libraries live on the reserve, and much of it is gone: time to save what was reached and to end. */
bool reserve_is_low(void);

#endif
