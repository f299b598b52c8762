/* Pages of results as files, and showing them. */
#ifndef CAROM_APP_PAGE_FILE_H
#define CAROM_APP_PAGE_FILE_H

#include "command.h"

/* report.html in the folder of a run that has just ended; whether it is there now. A page that cannot be written is a
 * warning, for the results are safe. A program without the viewer writes none and says nothing. */
bool write_run_page(const char *folder);

/* Opens a file in the browser of a person who sits in front of one; whether that was tried. */
bool open_in_browser(const char *file);

#endif
