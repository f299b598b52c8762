/* Pages of results as files, and showing them. */
#ifndef CAROM_APP_PAGE_FILE_H
#define CAROM_APP_PAGE_FILE_H

#include "command.h"

/* report.html in the folder of a run that has just ended; *written: whether it is there now. A page that cannot be written for
 * want of memory or of disk space is told by the exit code, anything else is a warning, for the results are safe. */
int write_run_page(const char *folder, bool *written);

/* Opens a file in the browser of a person who sits in front of one; whether that was tried. */
bool open_in_browser(const char *file);

#endif
