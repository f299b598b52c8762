/* Reading files that may be made to break their reader. */
#ifndef CAROM_APP_GUARD_H
#define CAROM_APP_GUARD_H

#include "command.h"

/* work(args) in a process of its own. The HDF5 library crashes on some damaged or malicious files: then the child
 * dies, and the answer is a message about the file and EXIT_BAD_INPUT. */
int run_guarded(int (*work)(const arguments *args), const arguments *args, const char *file);

#endif
