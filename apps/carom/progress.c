/* The progress bar on standard error, redrawn ten times a second at most and no wider than the terminal. Ctrl-C:
 * interrupt.h. */
#include "progress.h"

#include <stdarg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "printable.h"

enum { LINE = 1024 };

/* Colours may be unwanted, but going back to the start of a line is no colour. */
static bool can_redraw(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) == 1 && !(term && strcmp(term, "dumb") == 0);
}

void progress_begin(progress *p, bool quiet)
{
    *p = (progress){ .shown = !quiet && can_redraw(), .last_drawn = -1e300 };
    interrupt_defer(&p->before);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The last column stays free: some terminals go to the next line when it is written. */
static int line_width(void)
{
    int width = columns_of(stderr) - 1;
    return width < LINE / 4 ? width : LINE / 4;
}

/* Text over the line that is there, blanks to its end. */
static void draw_line(progress *p, const char *head, const char *bar, const char *tail)
{
    bool colour = bar[0] && is_colourful(stderr);
    int used = text_width(head) + text_width(bar) + text_width(tail);
    int blanks = line_width() - used;
    fprintf(stderr, "\r%s%s%s%s%s%*s", head, colour ? "\x1b[36m" : "", bar, colour ? "\x1b[0m" : "", tail,
            blanks > 0 ? blanks : 0, "");
    fflush(stderr);
    p->drawn = true;
}

static void fill_bar(char *bar, int cells, double part)
{
    int full = (int)(part * cells);
    memset(bar, ' ', (size_t)cells);
    memset(bar, '=', (size_t)full);
    bar[cells] = '\0';
}

static double clamp_part(double part)
{
    return part > 0.0 ? part < 1.0 ? part : 1.0 : 0.0;
}

static bool is_due(progress *p)
{
    const double interval = 0.1; /* [s] */
    double now = seconds_now();
    if (!p->shown || now - p->last_drawn < interval) {
        return false;
    }
    p->last_drawn = now;
    return true;
}

void progress_title(progress *p, const char *fmt, ...)
{
    char text[LINE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (p->shown) {
        make_printable(text, false);
        print_clipped(stderr, text, line_width());
        fputc('\n', stderr);
        p->titled = true;
    }
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

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

/* What a run says about itself, each with the spaces before it. */
typedef struct run_words {
    char time[64], step[48], rate[48], contacts[48], left[48];
} run_words;

static void say_run(const progress *p, run_words *w)
{
    const carom_progress *now = &p->now;
    char left[32] = "?";
    double wall = now->wall - p->first_wall;
    if (now->t > p->first_t) {
        duration_text(wall * (now->end - now->t) / (now->t - p->first_t), left, sizeof left);
    }
    snprintf(w->time, sizeof w->time, "  t %.4g / %.4g s", now->t, now->end);
    snprintf(w->step, sizeof w->step, "  dt %.2g s", now->dt);
    snprintf(w->rate, sizeof w->rate, "  %.3g steps/s",
             wall > 0.0 ? (double)(now->steps - p->first_steps) / wall : 0.0);
    w->contacts[0] = '\0';
    if (now->contacts > 0) {
        snprintf(w->contacts, sizeof w->contacts, "  %d contacts", now->contacts);
    }
    snprintf(w->left, sizeof w->left, "  %s left", left);
}

/* The bar takes what the words leave; where the line is narrow, the words that matter least go first. */
static void draw_run(progress *p)
{
    enum { SHORTEST = 8, LONGEST = 30 };
    run_words w;
    say_run(p, &w);
    char *const dispensable[] = { w.step, w.rate, w.contacts, w.time, w.left };
    char bar[LONGEST + 1];
    char tail[LINE];
    double part = clamp_part(p->now.end > 0.0 ? p->now.t / p->now.end : 0.0);
    int room = 0;
    for (int i = 0; i <= 5; ++i) {
        snprintf(tail, sizeof tail, "] %3.0f%%%s%s%s%s%s", 100.0 * part, w.time, w.step, w.rate, w.contacts, w.left);
        room = line_width() - 1 - (int)strlen(tail);
        if (room >= SHORTEST || i == 5) {
            break;
        }
        dispensable[i][0] = '\0';
    }
    fill_bar(bar, room < SHORTEST ? SHORTEST : room > LONGEST ? LONGEST : room, part);
    draw_line(p, "[", bar, tail);
}

/* Looks every ten seconds: at the pace of these, does more than ten minutes lie ahead? */
static void say_if_slow(progress *p)
{
    const double window = 10.0; /* [s] */
    const double slow = 600.0;  /* [s] */
    const carom_progress *now = &p->now;
    double wall = now->wall - p->mark_wall;
    double done = now->t - p->mark_t;
    if (!p->if_slow || wall < window) {
        return;
    }
    double ahead = done > 0.0 ? wall * (now->end - now->t) / done : HUGE_VAL;
    if (ahead > slow) {
        char left[32];
        duration_text(ahead, left, sizeof left);
        complain("at this pace %s left after t = %.4g s; %s", left, now->t, p->if_slow);
        p->if_slow = NULL;
    }
    p->mark_t = now->t;
    p->mark_wall = now->wall;
}

bool progress_keep_going(void *context, const carom_progress *now)
{
    progress *p = context;
    p->now = *now;
    if (!now->begun) {
        say_if_slow(p); /* impacts at the start may have no end either */
        return !interrupt_wanted();
    }
    if (!p->started) { /* short runs show no bar at all */
        p->started = true;
        p->first_t = now->t;
        p->first_wall = now->wall;
        p->mark_t = now->t;
        p->mark_wall = now->wall;
        p->first_steps = now->steps;
        p->last_drawn = seconds_now();
        if (now->warning) {
            complain("warning: %s", now->warning);
            snprintf(p->warned, sizeof p->warned, "%s", now->warning);
        }
        interrupt_last_words(p->last_words);
    }
    if (is_due(p)) {
        draw_run(p);
    }
    say_if_slow(p);
    return !interrupt_wanted();
}

/* ---- building ----------------------------------------------------------------------------------------------------- */

/* The bar gets shorter before the name does. */
static void draw_building(progress *p, const carom_building *now)
{
    enum { SHORTEST = 8, LONGEST = 20, FRAME = 8, END = 8 }; /* " [] 100%", and room for the ends of the head */
    char bar[LONGEST + 1];
    char head[LINE];
    char tail[16];
    double part = clamp_part(now->part);
    snprintf(head, sizeof head - END, "building %s", now->what);
    make_printable(head, false);
    int room = line_width() - FRAME - text_width(head);
    if (room < SHORTEST) {
        head[text_fit(head, line_width() - FRAME - SHORTEST - 1)] = '\0';
        strcat(head, is_utf8_locale() ? "\xe2\x80\xa6" : "~");
    }
    strcat(head, " [");
    fill_bar(bar, room < SHORTEST ? SHORTEST : room > LONGEST ? LONGEST : room, part);
    snprintf(tail, sizeof tail, "] %3.0f%%", 100.0 * part);
    draw_line(p, head, bar, tail);
}

bool progress_keep_building(void *context, const carom_building *now)
{
    progress *p = context;
    if (is_due(p)) {
        draw_building(p, now);
    }
    return !interrupt_wanted();
}

void progress_end(progress *p)
{
    if (p->drawn) {
        fprintf(stderr, "\r%*s\r", line_width(), "");
    }
    if (p->titled) {
        fputs("\x1b[1A\x1b[K", stderr);
    }
    fflush(stderr);
    interrupt_restore(&p->before);
}
