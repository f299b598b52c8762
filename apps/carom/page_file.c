#include "page_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int write_run_page(const char *folder, bool *written)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    *written = false;
    char *file = format_text("%s/report.html", folder);
    carom_status status = carom_result_open(folder, &result, &err);
    if (status == CAROM_OK) {
        status = carom_page_write((const carom_result *const *)&result, 1, NULL, file, &err);
    }
    bool serious = status == CAROM_IO_FAILED || status == CAROM_NO_MEMORY;
    if (status != CAROM_OK) {
        complain("%sno report.html: %s", serious ? "" : "warning: ", err.message);
    }
    carom_result_close(result);
    free(file);
    *written = status == CAROM_OK;
    return serious ? EXIT_GAVE_UP : EXIT_DONE;
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
