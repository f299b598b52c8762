/* carom-mesh-reader: reads one mesh file by Assimp and hands the triangles over (mesh_wire.h). libcarom starts it for
 * formats other than STL, OBJ and PLY. Assimp crashes, loops or takes all memory on some files: here only this process
 * suffers, within the limits that it sets for itself first.
 *
 * Assimp reads coordinates in single precision, repeats vertices along seams of texture and normals, and keeps a tree of
 * placed parts: here flattened and triangulated. */
#include <carom/base.h>

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <unistd.h>

#include "base/hash.h"
#include "mesh_files/assimp/mesh_wire.h"
#include "mesh_files/assimp/reader_files.h"

enum { EXIT_READ = 0, EXIT_REFUSED = 2, EXIT_WRONG_CALL = 3 };

/* ---- limits -------------------------------------------------------------------------------------------------------- */

/* Never more than there was before. */
static void limit(int resource, rlim_t most, rlim_t beyond)
{
    struct rlimit r;
    if (getrlimit(resource, &r) == 0) {
        r.rlim_max = r.rlim_max == RLIM_INFINITY || r.rlim_max > most + beyond ? most + beyond : r.rlim_max;
        r.rlim_cur = r.rlim_cur == RLIM_INFINITY || r.rlim_cur > most ? most : r.rlim_cur;
        setrlimit(resource, &r);
    }
}

/* Time, memory, no files written, no processes, no core files; and an end with whoever waits for the mesh. */
static void limit_everything(char **words)
{
    unsigned wall = (unsigned)strtoul(words[MESH_READER_WALL], NULL, 10);
    limit(RLIMIT_CPU, (rlim_t)strtoull(words[MESH_READER_CPU], NULL, 10), 1);
    limit(RLIMIT_AS, (rlim_t)strtoull(words[MESH_READER_MEMORY], NULL, 10), 0);
    limit(RLIMIT_FSIZE, 0, 0);
    limit(RLIMIT_CORE, 0, 0);
#ifdef __linux__
    limit(RLIMIT_NPROC, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    alarm(wall);
}

/* The pipe moves away from standard output, where Assimp may print; what was inherited by accident is closed. */
static int take_pipe(void)
{
    enum { PIPE = 3, MOST_INHERITED = 1024 };
    for (int fd = PIPE; fd < MOST_INHERITED; ++fd) {
        close(fd);
    }
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    int pipe_end = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, PIPE);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0) {
        return -1;
    }
    return pipe_end;
}

/* ---- handing over -------------------------------------------------------------------------------------------------- */

typedef struct hand_over {
    FILE *pipe;
    uint64_t hash;
} hand_over;

static void put(hand_over *h, const void *data, size_t bytes)
{
    h->hash = carom_hash(h->hash, data, bytes);
    fwrite(data, 1, bytes, h->pipe); /* failures show at the end */
}

static int finish(hand_over *h, int code)
{
    fwrite(&h->hash, 1, sizeof h->hash, h->pipe);
    bool failed = ferror(h->pipe) != 0;
    return fclose(h->pipe) == 0 && !failed ? code : EXIT_REFUSED;
}

CAROM_PRINTF(2, 3)
static int say(hand_over *h, const char *fmt, ...)
{
    char text[MESH_WIRE_LONGEST_MESSAGE + 1];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    mesh_wire_head head = { .magic = MESH_WIRE_MAGIC, .kind = MESH_WIRE_MESSAGE, .byte_count = strlen(text) };
    put(h, &head, sizeof head);
    put(h, text, head.byte_count);
    return finish(h, EXIT_REFUSED);
}

/* ---- the mesh ------------------------------------------------------------------------------------------------------ */

/* Points and lines, which formats for drawings have, bound nothing. */
static bool is_triangle(const struct aiFace *face)
{
    return face->mNumIndices == 3;
}

static mesh_wire_head count_all(const struct aiScene *scene)
{
    mesh_wire_head head = { .magic = MESH_WIRE_MAGIC, .kind = MESH_WIRE_MESH };
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        const struct aiMesh *part = scene->mMeshes[i];
        head.vertex_count += part->mNumVertices;
        for (unsigned k = 0; k < part->mNumFaces; ++k) {
            head.triangle_count += is_triangle(&part->mFaces[k]);
        }
    }
    return head;
}

/* The first corner that refers to no vertex of its part; NULL: there is none. */
static const char *find_stray(const struct aiScene *scene, char *text, size_t size)
{
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        const struct aiMesh *part = scene->mMeshes[i];
        for (unsigned k = 0; k < 3 * part->mNumFaces; ++k) {
            const struct aiFace *face = &part->mFaces[k / 3];
            if (is_triangle(face) && face->mIndices[k % 3] >= part->mNumVertices) {
                snprintf(text, size, "a face refers to vertex %u of %u", face->mIndices[k % 3], part->mNumVertices);
                return text;
            }
        }
    }
    return NULL;
}

static void put_vertices(hand_over *h, const struct aiMesh *part)
{
    for (unsigned k = 0; k < part->mNumVertices; ++k) {
        const struct aiVector3D *at = &part->mVertices[k];
        double r[3] = { (double)at->x, (double)at->y, (double)at->z };
        put(h, r, sizeof r);
    }
}

static void put_triangles(hand_over *h, const struct aiMesh *part, uint64_t first)
{
    for (unsigned k = 0; k < part->mNumFaces; ++k) {
        const struct aiFace *face = &part->mFaces[k];
        if (is_triangle(face)) {
            int32_t corner[3];
            for (int c = 0; c < 3; ++c) {
                corner[c] = (int32_t)(first + face->mIndices[c]);
            }
            put(h, corner, sizeof corner);
        }
    }
}

static int put_scene(hand_over *h, const struct aiScene *scene)
{
    char stray[100];
    mesh_wire_head head = count_all(scene);
    if (find_stray(scene, stray, sizeof stray)) {
        return say(h, "%s", stray);
    }
    if (head.vertex_count > INT32_MAX) {
        return say(h, "it has %llu vertices, more than 2^31", (unsigned long long)head.vertex_count);
    }
    put(h, &head, sizeof head);
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        put_vertices(h, scene->mMeshes[i]);
    }
    uint64_t first = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        put_triangles(h, scene->mMeshes[i], first);
        first += scene->mMeshes[i]->mNumVertices;
    }
    return finish(h, EXIT_READ);
}

static int say_error(hand_over *h, const char *memory)
{
    const char *error = aiGetErrorString();
    if (strstr(error, "bad_alloc")) {
        return say(h, "Assimp takes more than %.3g GB of memory to read it; convert it to STL, OBJ or PLY",
                   1e-9 * strtod(memory, NULL));
    }
    return say(
        h, "this is not STL, OBJ or PLY (binary STL and OBJ need the suffix .stl or .obj), and Assimp says: %.200s",
        error);
}

/* What Assimp holds ends with the process: its destructors may crash on a broken scene. */
static int read_mesh(hand_over *h, reader_files *files, const char *memory)
{
    char path[4096]; /* some importers look for the folder before the last slash */
    if (snprintf(path, sizeof path, "./%s", files->name) >= (int)sizeof path) {
        return say(h, "its name is too long");
    }
    struct aiFileIO io = reader_files_io(files);
    const struct aiScene *scene = aiImportFileEx(path, aiProcess_Triangulate | aiProcess_PreTransformVertices, &io);
    return scene ? put_scene(h, scene) : say_error(h, memory);
}

int main(int argc, char **argv)
{
    if (argc != MESH_READER_WORDS) {
        fprintf(stderr, "carom-mesh-reader is started by libcarom, for mesh files other than STL, OBJ and PLY\n");
        return EXIT_WRONG_CALL;
    }
    limit_everything(argv);
    int pipe_end = take_pipe();
    hand_over h = { .pipe = pipe_end >= 0 ? fdopen(pipe_end, "wb") : NULL, .hash = CAROM_HASH_START };
    if (!h.pipe) {
        return EXIT_WRONG_CALL;
    }
    reader_files files;
    bool opened = reader_files_open(&files, STDIN_FILENO, argv[MESH_READER_FOLDER], argv[MESH_READER_NAME]);
    _exit(opened ? read_mesh(&h, &files, argv[MESH_READER_MEMORY]) : say(&h, "cannot be read: %s", strerror(errno)));
}
