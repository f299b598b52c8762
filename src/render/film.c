#include "render/film.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/output.h"

extern char **environ;

bool film_is_possible(void)
{
    const char *path = getenv("PATH");
    for (const char *at = path; at && *at;) {
        size_t length = strcspn(at, ":");
        char file[FILM_PATH];
        int written = snprintf(file, sizeof file, "%.*s/ffmpeg", (int)length, at);
        if (length > 0 && written > 0 && (size_t)written < sizeof file && access(file, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

static bool is_webm(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".webm") == 0;
}

/* The reader's end becomes its standard input; what it says goes nowhere, errors come as its exit code. */
static int start(film *f, int input, char *const *words)
{
    posix_spawn_file_actions_t actions;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) {
        return code;
    }
    code = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    code = code ? code : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    code = code ? code : posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    code = code ? code : posix_spawnp(&f->pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Quality that one would show to others, in colours that every player has; an odd row or column is doubled. */
static int start_ffmpeg(film *f, int input, png_size size, double fps)
{
    bool webm = is_webm(f->path);
    char pixels[40], rate[40];
    snprintf(pixels, sizeof pixels, "%dx%d", size.width, size.height);
    snprintf(rate, sizeof rate, "%ld/1000", (long)(1000.0 * fps + 0.5));
    const char *words[] = { "ffmpeg",
                            "-nostdin",
                            "-v",
                            "error",
                            "-y",
                            "-f",
                            "rawvideo",
                            "-pix_fmt",
                            "rgb24",
                            "-s",
                            pixels,
                            "-r",
                            rate,
                            "-i",
                            "pipe:0",
                            "-vf",
                            "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                            "-c:v",
                            webm ? "libvpx-vp9" : "libx264",
                            "-pix_fmt",
                            "yuv420p",
                            "-crf",
                            webm ? "30" : "18",
                            webm ? "-b:v" : "-movflags",
                            webm ? "0" : "+faststart",
                            "-f",
                            webm ? "webm" : "mp4",
                            f->unfinished,
                            NULL };
    char *given[sizeof words / sizeof words[0]];
    memcpy(given, words, sizeof words);
    return start(f, input, given);
}

carom_status film_begin(film *f, const char *path, png_size size, double fps, carom_error *err)
{
    int ends[2];
    *f = (film){ .pid = -1, .pipe = -1, .path = path };
    int length = snprintf(f->unfinished, sizeof f->unfinished, "%s.%ld.part", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof f->unfinished) {
        return carom_fail(err, CAROM_BAD_INPUT, "'%.200s...': the path is too long", path);
    }
    /* A socket and not a pipe: writing to a program that has ended is an error there, and no signal. */
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        return output_failed(err, "start", "ffmpeg", errno);
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int code = start_ffmpeg(f, ends[1], size, fps);
    close(ends[1]);
    f->pipe = ends[0];
    if (code != 0) {
        close(ends[0]);
        return output_failed(err, "start", "ffmpeg", code);
    }
    return CAROM_OK;
}

carom_status film_add(film *f, const unsigned char *rgb, size_t bytes, carom_error *err)
{
    while (bytes > 0) {
        ssize_t sent = send(f->pipe, rgb, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return carom_fail(err, CAROM_IO_FAILED,
                              "ffmpeg has ended before the film was complete: '%.300s' cannot be written, or "
                              "this ffmpeg lacks the codec (libx264 for .mp4, libvpx-vp9 for .webm)",
                              f->path);
        }
        rgb += sent > 0 ? sent : 0;
        bytes -= sent > 0 ? (size_t)sent : 0;
    }
    return CAROM_OK;
}

carom_status film_end(film *f, carom_status status, carom_error *err)
{
    int how = 0;
    close(f->pipe);
    pid_t done;
    do {
        done = waitpid(f->pid, &how, 0);
    } while (done < 0 && errno == EINTR);
    bool well = done == f->pid && WIFEXITED(how) && WEXITSTATUS(how) == 0;
    if (status == CAROM_OK && !well) {
        status = carom_fail(err, CAROM_IO_FAILED,
                            "ffmpeg did not write '%.300s': it ended with %d; try an animated PNG (.apng)", f->path,
                            WIFEXITED(how) ? WEXITSTATUS(how) : -1);
    }
    if (status == CAROM_OK && rename(f->unfinished, f->path) != 0) {
        status = output_failed(err, "write", f->path, errno);
    }
    if (status != CAROM_OK) {
        unlink(f->unfinished);
    }
    return status;
}
