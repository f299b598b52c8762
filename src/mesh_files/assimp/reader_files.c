/* A mesh file may name others: buffers of glTF, materials, textures. Names that lead out of the folder of the mesh file
 * (absolute ones, "..", symbolic links) and what is not a regular file (a pipe would wait for ever) are not there for
 * Assimp. Files are held in memory: Assimp reads some formats number by number. */
#include "mesh_files/assimp/reader_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- loading ------------------------------------------------------------------------------------------------------- */

/* The content of a regular file; NULL: errno says why. One byte more is allocated, so that nothing is not NULL. */
static char *load(int fd, size_t *size)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        errno = errno ? errno : EINVAL;
        return NULL;
    }
    char *data = malloc((size_t)info.st_size + 1);
    *size = 0;
    while (data && *size < (size_t)info.st_size) {
        ssize_t n = pread(fd, data + *size, (size_t)info.st_size - *size, (off_t)*size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            break; /* shorter than it was: Assimp will say what is missing */
        }
        *size += (size_t)n;
    }
    return data;
}

/* Takes the folder, whatever happens. -1: not there, or not for us. */
static int open_below(int folder, char *path)
{
    for (;;) {
        char *end = path + strcspn(path, "/");
        bool last = *end == '\0';
        *end = '\0';
        int next = -1;
        if (strcmp(path, "..") == 0 || (last && !*path)) {
            errno = EACCES;
        } else if (!last && (!*path || strcmp(path, ".") == 0)) {
            next = dup(folder);
        } else {
            next = openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (last ? 0 : O_DIRECTORY));
        }
        close(folder);
        if (last || next < 0) {
            return next;
        }
        folder = next;
        path = end + 1;
    }
}

static int open_other(const reader_files *files, const char *path)
{
    int folder = *path && *path != '/' && files->folder >= 0 ? dup(files->folder) : -1;
    char *own = folder >= 0 ? strdup(path) : NULL;
    int fd = own ? open_below(folder, own) : -1;
    if (folder >= 0 && !own) {
        close(folder);
    }
    free(own);
    return fd;
}

/* ---- one file as Assimp sees it ------------------------------------------------------------------------------------ */

typedef struct reader_stream {
    struct aiFile file; /* first, so that the one is found from the other */
    const char *data;
    size_t size, at;
    char *owned; /* the data, unless it is the mesh file's */
} reader_stream;

static size_t stream_read(struct aiFile *file, char *to, size_t item, size_t count)
{
    reader_stream *s = (reader_stream *)(void *)file;
    size_t items = item > 0 ? (s->size - s->at) / item : 0;
    items = items < count ? items : count;
    memcpy(to, s->data + s->at, items * item);
    s->at += items * item;
    return items;
}

static size_t stream_write(struct aiFile *file, const char *from, size_t item, size_t count)
{
    (void)file;
    (void)from;
    (void)item;
    (void)count;
    return 0;
}

static size_t stream_tell(struct aiFile *file)
{
    return ((reader_stream *)(void *)file)->at;
}

static size_t stream_size(struct aiFile *file)
{
    return ((reader_stream *)(void *)file)->size;
}

/* Offsets backwards come as large numbers, which wrap as they should. */
static enum aiReturn stream_seek(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    reader_stream *s = (reader_stream *)(void *)file;
    size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? s->at : s->size;
    size_t to = from + offset;
    if (to > s->size) {
        return aiReturn_FAILURE;
    }
    s->at = to;
    return aiReturn_SUCCESS;
}

static void stream_flush(struct aiFile *file)
{
    (void)file;
}

static struct aiFile *stream_open(struct aiFileIO *io, const char *path, const char *mode)
{
    const reader_files *files = (const reader_files *)(void *)io->UserData;
    while (strncmp(path, "./", 2) == 0) {
        path += 2;
    }
    reader_stream *s = strpbrk(mode, "wa+") ? NULL : calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->file = (struct aiFile){ stream_read, stream_write, stream_tell, stream_size, stream_seek, stream_flush, NULL };
    if (strcmp(path, files->name) == 0) {
        s->data = files->data;
        s->size = files->size;
        return &s->file;
    }
    int fd = open_other(files, path);
    s->data = s->owned = fd >= 0 ? load(fd, &s->size) : NULL;
    if (fd >= 0) {
        close(fd);
    }
    if (!s->data) {
        free(s);
        return NULL;
    }
    return &s->file;
}

static void stream_close(struct aiFileIO *io, struct aiFile *file)
{
    (void)io;
    if (file) {
        reader_stream *s = (reader_stream *)(void *)file;
        free(s->owned);
        free(s);
    }
}

/* ---- all of them --------------------------------------------------------------------------------------------------- */

bool reader_files_open(reader_files *files, int mesh_file, const char *folder, const char *name)
{
    *files = (reader_files){ .folder = -1, .name = name };
    files->data = load(mesh_file, &files->size);
    files->folder = files->data ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    return files->data != NULL;
}

struct aiFileIO reader_files_io(reader_files *files)
{
    return (struct aiFileIO){ stream_open, stream_close, (char *)files };
}
