/* Mesh formats beyond STL, OBJ and PLY: read by Assimp in the program carom-mesh-reader, because it crashes, loops or
 * takes all memory on some files. Here its answer is checked and built into a mesh; whatever happens there is a sentence
 * about the file. */
#include "mesh_files/mesh_file.h"

#include <carom/mesh.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/beside.h"
#include "base/child.h"
#include "base/hash.h"
#include "mesh_files/assimp/mesh_wire.h"

#ifdef CAROM_HAVE_ASSIMP

#define READER_PROGRAM "carom-mesh-reader"
#define READER_VARIABLE "CAROM_MESH_READER"

enum { LONGEST_PATH = 4096, LONGEST_NUMBER = 32 };

const char *carom_mesh_formats(void)
{
    char path[LONGEST_PATH];
    return carom_find_program(path, sizeof path, READER_VARIABLE, READER_PROGRAM)
               ? "STL, OBJ and PLY in double precision; others by Assimp"
               : "STL, OBJ and PLY in double precision; others not, as the program " READER_PROGRAM
                 " (which uses Assimp) is not found beside the library, nor named by " READER_VARIABLE;
}

/* ---- limits -------------------------------------------------------------------------------------------------------- */

typedef struct reader_limits {
    double cpu, wall; /* [s] */
    double memory;    /* [B] */
} reader_limits;

/* Some twenty times what Assimp takes for large files of the slowest formats (XML, compressed), and for small ones what
 * a loaded machine needs to start a program. */
static reader_limits limits_for(size_t bytes)
{
    double megabytes = ceil(1e-6 * (double)bytes);
    return (reader_limits){ .cpu = 10.0 + 2.0 * megabytes,
                            .wall = 30.0 + 6.0 * megabytes,
                            .memory = 0x1p31 + 50e6 * megabytes };
}

/* ---- what went wrong ----------------------------------------------------------------------------------------------- */

#define REMEDY "the file may be damaged; else convert it to STL, OBJ or PLY with another program"

static const char *signal_name(int number)
{
    return number == SIGSEGV  ? "segmentation fault"
           : number == SIGBUS ? "bus error"
           : number == SIGFPE ? "arithmetic error"
           : number == SIGILL ? "illegal instruction"
                              : "ended from outside";
}

static carom_status fail_signal(const mesh_source *source, const reader_limits *limits, int number)
{
    if (number == SIGXCPU || number == SIGALRM) {
        bool cpu = number == SIGXCPU;
        return mesh_fail_file(source, CAROM_BAD_INPUT, "Assimp did not finish reading it within %g s%s; " REMEDY,
                              cpu ? limits->cpu : limits->wall, cpu ? " of processor time" : "");
    }
    if (number == SIGABRT || number == SIGKILL) { /* C++ gives up by SIGABRT where memory ends */
        return mesh_fail_file(source, CAROM_BAD_INPUT,
                              "Assimp gave up while reading it (signal %d), perhaps as it takes more than %.3g GB of "
                              "memory; " REMEDY,
                              number, 1e-9 * limits->memory);
    }
    return mesh_fail_file(source, CAROM_BAD_INPUT, "Assimp crashed while reading it (signal %d, %s); " REMEDY, number,
                          signal_name(number));
}

static carom_status fail_ending(const mesh_source *source, const reader_limits *limits, carom_child_ending ending)
{
    switch (ending.kind) {
    case CAROM_CHILD_LATE:
        return fail_signal(source, limits, SIGALRM);
    case CAROM_CHILD_STOPPED:
        return mesh_fail_file(source, CAROM_INTERRUPTED, "reading was interrupted");
    case CAROM_CHILD_SIGNAL:
        return fail_signal(source, limits, ending.number);
    case CAROM_CHILD_EXITED:
        return mesh_fail_file(source, CAROM_IO_FAILED,
                              "the program " READER_PROGRAM
                              " ended without an answer (exit code %d); is it of this version of carom, and are the "
                              "libraries that it needs there?",
                              ending.number);
    default:
        return mesh_fail_file(source, CAROM_BAD_INPUT,
                              "the program " READER_PROGRAM " ended without an answer; " REMEDY);
    }
}

/* ---- the answer ---------------------------------------------------------------------------------------------------- */

/* A child that is heard, and the hash of what it said. */
typedef struct hearing {
    carom_child child;
    uint64_t hash;
    bool cut_off; /* the answer ended, or came too late */
} hearing;

static bool hear(hearing *h, void *data, size_t bytes)
{
    h->cut_off = h->cut_off || !carom_child_read(&h->child, data, bytes);
    h->hash = h->cut_off ? h->hash : carom_hash(h->hash, data, bytes);
    return !h->cut_off;
}

static bool hear_end(hearing *h)
{
    uint64_t told = 0;
    h->cut_off = h->cut_off || !carom_child_read(&h->child, &told, sizeof told) || told != h->hash;
    return !h->cut_off;
}

enum { BLOCK = 1024 };

/* Three numbers each: points as double, corners of triangles as int32_t. */
typedef union wire_block {
    double points[BLOCK][3];
    int32_t corners[BLOCK][3];
} wire_block;

typedef carom_status (*block_taker)(mesh_builder *b, const mesh_source *source, const wire_block *block,
                                    size_t count);

/* `count` items of `size` bytes, block by block; what is cut off ends it without an error of its own. */
static carom_status hear_blocks(hearing *h, mesh_builder *b, const mesh_source *source, uint64_t count, size_t size,
                                block_taker take)
{
    wire_block block;
    carom_status status = CAROM_OK;
    for (uint64_t done = 0; done < count && status == CAROM_OK;) {
        size_t n = count - done < BLOCK ? (size_t)(count - done) : BLOCK;
        if (!hear(h, &block, n * size)) {
            return CAROM_OK;
        }
        status = take(b, source, &block, n);
        done += n;
    }
    return status;
}

static carom_status take_vertices(mesh_builder *b, const mesh_source *source, const wire_block *block, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        v3 r;
        const double *p = block->points[i];
        const char *problem = mesh_point(&r, source, v3_load(p));
        if (problem) {
            return mesh_fail_file(source, CAROM_BAD_INPUT, "vertex (%g, %g, %g) %s", p[0], p[1], p[2], problem);
        }
        if (!mesh_builder_append(b, r)) {
            return mesh_no_memory(source);
        }
    }
    return CAROM_OK;
}

static carom_status take_triangles(mesh_builder *b, const mesh_source *source, const wire_block *block, size_t count)
{
    for (size_t i = 0; i < 3 * count; ++i) {
        int32_t corner = block->corners[i / 3][i % 3];
        if (corner < 0 || (size_t)corner >= b->vertex_count) {
            return mesh_fail_file(source, CAROM_BAD_INPUT, "a face refers to vertex %ld of %zu", (long)corner,
                                  b->vertex_count);
        }
    }
    for (size_t i = 0; i < count; ++i) {
        const int32_t *corner = block->corners[i];
        if (!mesh_builder_triangle(b, corner[0], corner[1], corner[2])) {
            return mesh_no_memory(source);
        }
    }
    return CAROM_OK;
}

static carom_status hear_mesh(hearing *h, mesh_builder *b, const mesh_source *source, const mesh_wire_head *head)
{
    carom_status status = hear_blocks(h, b, source, head->vertex_count, 3 * sizeof(double), take_vertices);
    if (status == CAROM_OK && !h->cut_off) {
        status = hear_blocks(h, b, source, head->triangle_count, 3 * sizeof(int32_t), take_triangles);
    }
    if (status == CAROM_OK && hear_end(h)) {
        return mesh_builder_weld_all(b) ? CAROM_OK : mesh_no_memory(source);
    }
    return status;
}

/* What Assimp says may quote the file: only printable characters are passed on. */
static carom_status hear_message(hearing *h, const mesh_source *source, const mesh_wire_head *head)
{
    char text[MESH_WIRE_LONGEST_MESSAGE + 1] = { 0 };
    if (!hear(h, text, head->byte_count) || !hear_end(h)) {
        return CAROM_OK;
    }
    for (char *c = text; *c; ++c) {
        *c = *c >= ' ' && *c <= '~' ? *c : '?';
    }
    return mesh_fail_file(source, CAROM_BAD_INPUT, "%s", text);
}

/* Where the answer is cut off, the end of the child says why. */
static carom_status hear_answer(hearing *h, mesh_builder *b, const mesh_source *source, const reader_limits *limits)
{
    mesh_wire_head head;
    if (!hear(h, &head, sizeof head)) {
        return CAROM_OK;
    }
    double bytes = 24.0 * (double)head.vertex_count + 12.0 * (double)head.triangle_count;
    if (head.magic == MESH_WIRE_MAGIC && head.kind == MESH_WIRE_MESH && bytes <= limits->memory) {
        return hear_mesh(h, b, source, &head);
    }
    if (head.magic == MESH_WIRE_MAGIC && head.kind == MESH_WIRE_MESSAGE &&
        head.byte_count <= MESH_WIRE_LONGEST_MESSAGE) {
        return hear_message(h, source, &head);
    }
    return mesh_fail_file(source, CAROM_IO_FAILED,
                          "the program " READER_PROGRAM " answers in a way not understood; it belongs to another "
                          "version of carom");
}

/* ---- asking -------------------------------------------------------------------------------------------------------- */

/* Folder and name of the mesh file, split at the last slash; path is changed. */
static void split_path(char *path, char **folder, char **name)
{
    static char here[] = ".";
    static char root[] = "/";
    char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    *folder = !slash ? here : slash == path ? root : path;
    if (slash) {
        *slash = '\0';
    }
}

static carom_status ask(const mesh_source *source, mesh_builder *b, char *program, char *path)
{
    reader_limits limits = limits_for(source->size);
    char numbers[3][LONGEST_NUMBER];
    char *words[MESH_READER_WORDS + 1] = { [MESH_READER_PROGRAM] = program,
                                           [MESH_READER_CPU] = numbers[0],
                                           [MESH_READER_WALL] = numbers[1],
                                           [MESH_READER_MEMORY] = numbers[2] };
    split_path(path, &words[MESH_READER_FOLDER], &words[MESH_READER_NAME]);
    snprintf(numbers[0], LONGEST_NUMBER, "%.0f", limits.cpu);
    snprintf(numbers[1], LONGEST_NUMBER, "%.0f", limits.wall + 1.0); /* in case nobody is left to end it */
    snprintf(numbers[2], LONGEST_NUMBER, "%.0f", limits.memory);
    hearing h = { .hash = CAROM_HASH_START };
    int code = carom_child_start(&h.child, words, source->fd, limits.wall, source->watch);
    if (code) {
        return mesh_fail_file(source, CAROM_IO_FAILED, "the program '%.300s' cannot be started: %s", program,
                              strerror(code));
    }
    carom_status status = hear_answer(&h, b, source, &limits);
    carom_child_ending ending = carom_child_finish(&h.child, status != CAROM_OK || !h.cut_off);
    return status == CAROM_OK && h.cut_off ? fail_ending(source, &limits, ending) : status;
}

carom_status mesh_read_other(mesh_builder *b, const mesh_source *source)
{
    char program[LONGEST_PATH];
    if (!carom_find_program(program, sizeof program, READER_VARIABLE, READER_PROGRAM)) {
        return mesh_fail_file(
            source, CAROM_UNSUPPORTED,
            "this is not STL, OBJ or PLY, and the program " READER_PROGRAM
            ", which reads other formats, is not where carom looks for it; install carom as a whole, "
            "or name the program in the environment variable " READER_VARIABLE);
    }
    char *path = strdup(source->path);
    carom_status status = path ? ask(source, b, program, path) : mesh_no_memory(source);
    free(path);
    return status;
}

#else

const char *carom_mesh_formats(void)
{
    return "STL, OBJ and PLY in double precision (built without Assimp)";
}

carom_status mesh_read_other(mesh_builder *b, const mesh_source *source)
{
    (void)b;
    return mesh_fail_file(source, CAROM_UNSUPPORTED,
                          "this is not STL, OBJ or PLY, which are read natively, and carom was built without Assimp, "
                          "which reads other formats (binary STL and OBJ need the suffix .stl or .obj)");
}

#endif
