/* The progress bar on standard error, redrawn ten times a second at most. Ctrl-C once ends the run cleanly at the next
 * step; twice ends the program at once (what was flushed before is safe). */
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The one global of the program: a signal handler has nowhere else to write. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void progress_begin(progress *p, bool quiet)
{
    *p = (progress){ .shown = !quiet && isatty(STDERR_FILENO) };
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void duration_text(double seconds, char *text, size_t size)
{
    long s = seconds < 1e7 ? (long)(seconds + 0.5) : 0;
    if (seconds >= 1e7) {
        snprintf(text, size, "long");
    } else if (s >= 3600) {
        snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
    }
}

static void draw(const progress *p)
{
    enum { CELLS = 20 };
    const carom_progress *now = &p->now;
    char bar[CELLS + 1];
    char left[32] = "?";
    double part = now->end > 0.0 ? now->t / now->end : 0.0;
    part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    memset(bar, ' ', CELLS);
    memset(bar, '=', (size_t)(part * CELLS));
    bar[CELLS] = '\0';
    double wall = now->wall - p->first_wall;
    if (now->t > p->first_t) {
        duration_text(wall * (now->end - now->t) / (now->t - p->first_t), left, sizeof left);
    }
    double rate = wall > 0.0 ? (double)(now->steps - p->first_steps) / wall : 0.0;
    fprintf(stderr, "\r[%s] %3.0f%%  t %.4g / %.4g s  dt %.2g s  %.3g steps/s", bar, 100.0 * part, now->t, now->end,
            now->dt, rate);
    if (now->contacts > 0) {
        fprintf(stderr, "  %d contacts", now->contacts);
    }
    fprintf(stderr, "  %s left\x1b[K", left);
    fflush(stderr);
}

bool progress_keep_going(void *context, const carom_progress *now)
{
    progress *p = context;
    p->now = *now;
    if (!p->started) {
        p->started = true;
        p->first_t = now->t;
        p->first_wall = now->wall;
        p->first_steps = now->steps;
        p->last_drawn = now->wall;
    }
    if (p->shown && now->wall - p->last_drawn > 0.1) {
        p->last_drawn = now->wall;
        draw(p);
    }
    return interrupted == 0;
}

void progress_end(progress *p)
{
    if (p->shown && p->started) {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
    }
}
