#include "page_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

bool write_run_page(const char *folder)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    if (!carom_has_page()) {
        return false;
    }
    char *file = format_text("%s/report.html", folder);
    carom_status status = carom_result_open(folder, &result, &err);
    if (status == CAROM_OK) {
        status = carom_page_write((const carom_result *const *)&result, 1, NULL, file, &err);
    }
    if (status != CAROM_OK) {
        complain("warning: no report.html: %s", err.message);
    }
    carom_result_close(result);
    free(file);
    return status == CAROM_OK;
}

static bool has_screen(void)
{
    const char *display = getenv("DISPLAY");
    const char *wayland = getenv("WAYLAND_DISPLAY");
    return isatty(STDOUT_FILENO) && ((display && *display) || (wayland && *wayland));
}

/* The browser outlives the program: it is started by a grandchild, which nobody waits for. */
static void start_browser(const char *file)
{
    if (fork() != 0) {
        _exit(0);
    }
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execlp("xdg-open", "xdg-open", file, (char *)NULL);
    _exit(127);
}

bool open_in_browser(const char *file)
{
    if (!has_screen()) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        start_browser(file);
    }
    return child > 0 && waitpid(child, NULL, 0) == child;
}
