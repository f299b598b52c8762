/* Surface and instructions are written to a folder that only we can enter, Gmsh runs on them, its mesh is read and checked; the folder goes
 * away whatever happens. */
#include "mesh_files/tetrahedra.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/hash.h"
#include "files/fresh_file.h"
#include "files/input_file.h"
#include "geometry/sdf.h"
#include "mesh_files/gmsh.h"

#define GMSH_VARIABLE "CAROM_GMSH"

enum { LONGEST_PATH = 4096, LONGEST_FILE = LONGEST_PATH + 32, LONGEST_MESSAGE = 400, FILLING_VERSION = 1 };

typedef struct filling {
    const mesh *surface;
    const tetrahedra_options *options;
    double volume; /* [m^3] of the surface */
    char folder[LONGEST_PATH];
    char message[LONGEST_MESSAGE + 1]; /* the first that Gmsh said */
    carom_error *err;
} filling;

static carom_status fail(const filling *f, carom_status status, const char *what)
{
    return carom_fail(f->err, status, "filling %s with tetrahedra: %s", f->options->name, what);
}

/* ---- the surface --------------------------------------------------------------------------------------------------- */

static carom_status check_surface(filling *f)
{
    mesh_quality quality;
    carom_status status = mesh_inspect(f->surface, &quality, f->err);
    if (status != CAROM_OK) {
        return status;
    }
    f->volume = quality.volume;
    if (quality.open_edges || quality.nonmanifold_edges || quality.flipped_edges) {
        return carom_fail(
            f->err, CAROM_BAD_INPUT,
            "filling %s with tetrahedra: its surface is not closed (%d open, %d non-manifold, %d flipped "
            "edges); 'carom mesh repair' may close it",
            f->options->name, quality.open_edges, quality.nonmanifold_edges, quality.flipped_edges);
    }
    return f->volume > 0.0 && isfinite(f->volume)
               ? CAROM_OK
               : carom_fail(
                     f->err, CAROM_BAD_INPUT,
                     "filling %s with tetrahedra: its volume is %g m^3; a surface turned inside out is turned by "
                     "'carom mesh repair'",
                     f->options->name, f->volume);
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

static void path_in(const filling *f, const char *name, char *out)
{
    snprintf(out, LONGEST_FILE, "%s/%s", f->folder, name);
}

/* A new file to write to; NULL: errno. */
static FILE *open_new(const filling *f, const char *name)
{
    char path[LONGEST_FILE];
    path_in(f, name, path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !file) {
        close(fd);
    }
    return file;
}

/* Format 2.2: one discrete surface. */
static bool write_surface(const filling *f)
{
    const mesh *m = f->surface;
    FILE *file = open_new(f, "surface.msh");
    if (!file) {
        return false;
    }
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", m->vertex_count);
    for (int i = 0; i < m->vertex_count; ++i) {
        fprintf(file, "%d %.17g %.17g %.17g\n", i + 1, m->vertices[i].x, m->vertices[i].y, m->vertices[i].z);
    }
    fprintf(file, "$EndNodes\n$Elements\n%d\n", m->triangle_count);
    for (int i = 0; i < m->triangle_count; ++i) {
        const int *t = m->triangles[i];
        fprintf(file, "%d 2 2 0 1 %d %d %d\n", i + 1, t[0] + 1, t[1] + 1, t[2] + 1);
    }
    fprintf(file, "$EndElements\n");
    bool ok = !ferror(file);
    return fclose(file) == 0 && ok;
}

/* Everything that could be set otherwise by the options that users of Gmsh keep is said. */
static bool write_instructions(const filling *f)
{
    FILE *file = open_new(f, "fill.geo");
    if (!file) {
        return false;
    }
    fprintf(
        file,
        "General.NumThreads = 1;\nMesh.MaxNumThreads3D = 1;\nMesh.RandomSeed = 1;\nMesh.RandomFactor3D = 1e-12;\n"
        "Mesh.Algorithm3D = 1;\nMesh.Optimize = 1;\nMesh.OptimizeNetgen = 0;\nMesh.HighOrderOptimize = 0;\n"
        "Mesh.MeshSizeExtendFromBoundary = 1;\nMesh.MeshSizeFactor = 1;\nMesh.MeshSizeMin = 0;\n"
        "Mesh.MeshSizeMax = %.17g;\nMesh.ElementOrder = %d;\nMesh.SecondOrderLinear = 1;\nMesh.SaveAll = 0;\n"
        "Mesh.Binary = 0;\n"
        "Merge \"surface.msh\";\nSurface Loop(1) = {1};\nVolume(1) = {1};\nPhysical Volume(\"solid\", 1) = {1};\n",
        f->options->size, f->options->order);
    bool ok = !ferror(file);
    return fclose(file) == 0 && ok;
}

static bool make_folder(filling *f)
{
    const char *place = getenv("TMPDIR");
    place = place && place[0] == '/' ? place : "/tmp";
    return snprintf(f->folder, sizeof f->folder, "%s/carom-fill-XXXXXX", place) < LONGEST_PATH && mkdtemp(f->folder);
}

static void remove_folder(const filling *f)
{
    static const char *const names[] = { "surface.msh", "fill.geo", "filled.msh" };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char path[LONGEST_FILE];
        path_in(f, names[i], path);
        (void)unlink(path);
    }
    (void)rmdir(f->folder);
}

/* ---- the program --------------------------------------------------------------------------------------------------- */

static bool can_run(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

static bool find_gmsh(char *out)
{
    const char *named = getenv(GMSH_VARIABLE);
    if (named && named[0]) {
        return snprintf(out, LONGEST_PATH, "%s", named) < LONGEST_PATH && can_run(out);
    }
    const char *paths = getenv("PATH");
    for (const char *at = paths; at && *at;) {
        size_t length = strcspn(at, ":");
        if (length > 0 && at[0] == '/' && snprintf(out, LONGEST_PATH, "%.*s/gmsh", (int)length, at) < LONGEST_PATH &&
            can_run(out)) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

/* Hears it to its end. Of what it says the beginning is kept, in printable characters. */
static void listen(filling *f, carom_child *child)
{
    size_t used = 0;
    for (char c; carom_child_read(child, &c, 1);) {
        if (used < LONGEST_MESSAGE) {
            f->message[used++] = c >= ' ' && c <= '~' ? c : ' ';
        }
    }
    while (used > 0 && f->message[used - 1] == ' ') {
        --used;
    }
    f->message[used] = '\0';
}

/* Some twenty times what it takes on a quiet machine. */
static double seconds_for(const filling *f)
{
    return f->options->seconds > 0.0 ? f->options->seconds : 60.0 + 2e-3 * f->surface->triangle_count;
}

static carom_status tell_ending(const filling *f, carom_child_ending ending)
{
    char text[LONGEST_MESSAGE + 200];
    const char *said = f->message[0] ? f->message : "nothing";
    switch (ending.kind) {
    case CAROM_CHILD_LATE:
        snprintf(text, sizeof text, "Gmsh did not finish within %g s; take a larger 'size' or a simpler surface",
                 seconds_for(f));
        return fail(f, CAROM_BAD_INPUT, text);
    case CAROM_CHILD_STOPPED:
        return fail(f, CAROM_INTERRUPTED, "it was interrupted");
    case CAROM_CHILD_SIGNAL:
        snprintf(text, sizeof text, "Gmsh crashed (signal %d; it said: %s); the surface may cut itself",
                 ending.number, said);
        return fail(f, CAROM_BAD_INPUT, text);
    default:
        snprintf(text, sizeof text, "Gmsh gave no mesh (exit code %d; it said: %s); the surface may cut itself",
                 ending.number, said);
        return fail(f, CAROM_BAD_INPUT, text);
    }
}

static carom_status run_gmsh(filling *f, char *program, carom_child_ending *ending)
{
    enum { WORDS = 10 };
    char instructions[LONGEST_FILE], answer[LONGEST_FILE];
    char *rest = NULL;
    path_in(f, "fill.geo", instructions);
    path_in(f, "filled.msh", answer);
    char batch[] = "-3 -v 1 -nopopup -format msh41 -o"; /* words of one string, parted below */
    char *words[WORDS + 1] = { program };
    int count = 1;
    for (char *at = strtok_r(batch, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
        words[count++] = at;
    }
    words[count++] = answer;
    words[count] = instructions;
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    carom_child child;
    int code = nothing < 0 ? EBADF : carom_child_start(&child, words, nothing, seconds_for(f), NULL);
    if (nothing >= 0) {
        close(nothing);
    }
    if (code) {
        char text[LONGEST_PATH];
        snprintf(text, sizeof text, "the program '%.300s' cannot be started: %s", program, strerror(code));
        return fail(f, CAROM_IO_FAILED, text);
    }
    listen(f, &child);
    *ending = carom_child_finish(&child, false);
    return ending->kind == CAROM_CHILD_EXITED || ending->kind == CAROM_CHILD_NOT_KNOWN ? CAROM_OK
                                                                                       : tell_ending(f, *ending);
}

/* ---- the answer ---------------------------------------------------------------------------------------------------- */

static double cell_volume(const volume_mesh *m, const volume_cell *cell)
{
    v3 a = m->nodes[cell->nodes[0]];
    v3 u = v3_sub(m->nodes[cell->nodes[1]], a);
    v3 v = v3_sub(m->nodes[cell->nodes[2]], a);
    v3 w = v3_sub(m->nodes[cell->nodes[3]], a);
    return v3_dot(u, v3_cross(v, w)) / 6.0;
}

/* Tetrahedra of the order asked for, none inside out, that have the volume of the surface. */
static const char *fault_of(const filling *f, const volume_mesh *m)
{
    const double rounding =
        1e-6; /* of the volume: coordinates are written with 16 digits, flat cells have few of them */
    cell_kind kind = f->options->order == 2 ? CELL_TETRAHEDRON10 : CELL_TETRAHEDRON4;
    double sum = 0.0;
    for (int c = 0; c < m->cell_count; ++c) {
        if (m->cells[c].kind != kind) {
            return "Gmsh wrote other cells than tetrahedra";
        }
        double volume = cell_volume(m, &m->cells[c]);
        if (!(volume > 0.0)) {
            return "Gmsh made a tetrahedron without volume; take another 'size'";
        }
        sum += volume;
    }
    return fabs(sum - f->volume) <= rounding * f->volume
               ? NULL
               : "the tetrahedra of Gmsh do not have the volume of the surface; "
                 "it may have a cavity, several parts, or cut itself";
}

static carom_status read_filled(const filling *f, const char *path, volume_mesh *out)
{
    carom_error why = { 0 };
    carom_status status = gmsh_read(out, path, 1.0, &why);
    if (status != CAROM_OK) {
        return status == CAROM_NO_MEMORY ? carom_fail(f->err, status, "%s", why.message)
                                         : fail(f, CAROM_BAD_INPUT, why.message);
    }
    const char *fault = fault_of(f, out);
    if (fault) {
        volume_mesh_free(out);
        return fail(f, CAROM_BAD_INPUT, fault);
    }
    return CAROM_OK;
}

/* ---- keeping ------------------------------------------------------------------------------------------------------- */

static bool kept_path(const filling *f, char *path, char *folder)
{
    const double numbers[] = { FILLING_VERSION, f->options->size, (double)f->options->order };
    uint64_t key = carom_hash(CAROM_HASH_START, numbers, sizeof numbers);
    key = carom_hash(key, f->surface->vertices, (size_t)f->surface->vertex_count * sizeof *f->surface->vertices);
    key = carom_hash(key, f->surface->triangles, (size_t)f->surface->triangle_count * sizeof *f->surface->triangles);
    const char *place = sdf_cache_folder(folder, LONGEST_PATH);
    return place &&
           snprintf(path, LONGEST_PATH, "%s/filled-%016llx.msh", place, (unsigned long long)key) < LONGEST_PATH;
}

static bool copy(int from, int to)
{
    char block[1 << 16];
    for (;;) {
        ssize_t n = read(from, block, sizeof block);
        if (n <= 0) {
            return n == 0;
        }
        for (ssize_t done = 0; done < n;) {
            ssize_t w = write(to, block + done, (size_t)(n - done));
            if (w <= 0) {
                return false;
            }
            done += w;
        }
    }
}

/* What cannot be kept is no error: it is made again next time. */
static void keep(const char *from, const char *path, const char *folder)
{
    sdf_cache_prepare(folder);
    carom_fresh fresh;
    int source = open(from, O_RDONLY | O_CLOEXEC);
    int target = source >= 0 ? carom_fresh_open(&fresh, path) : -1;
    if (target >= 0) {
        bool ok = copy(source, target);
        if (close(target) == 0 && ok) {
            (void)carom_fresh_publish(&fresh, path);
        }
        carom_fresh_drop(&fresh);
    }
    if (source >= 0) {
        close(source);
    }
}

/* ---- entry --------------------------------------------------------------------------------------------------------- */

static carom_status fill_anew(filling *f, volume_mesh *out, const char *path, const char *folder)
{
    char program[LONGEST_PATH], answer[LONGEST_FILE];
    if (!find_gmsh(program)) {
        return fail(
            f, CAROM_UNSUPPORTED,
            "the program 'gmsh' is not there; install it (Debian and Ubuntu: apt install gmsh), name it in the "
            "environment variable " GMSH_VARIABLE ", or give a mesh as a file");
    }
    if (!make_folder(f)) {
        return fail(f, CAROM_IO_FAILED, "no folder for files can be made in $TMPDIR or /tmp");
    }
    carom_child_ending ending = { 0 };
    carom_status status = write_surface(f) && write_instructions(f)
                              ? run_gmsh(f, program, &ending)
                              : fail(f, CAROM_IO_FAILED, "files cannot be written to $TMPDIR or /tmp");
    path_in(f, "filled.msh", answer);
    if (status == CAROM_OK) {
        status = access(answer, R_OK) == 0 ? read_filled(f, answer, out) : tell_ending(f, ending);
    }
    if (status == CAROM_OK && path) {
        keep(answer, path, folder);
    }
    remove_folder(f);
    return status;
}

/* A file that was kept and is damaged is made again. */
static bool take_kept(const filling *f, const char *path, volume_mesh *out)
{
    filling quiet = *f;
    carom_error ignored = { 0 };
    quiet.err = &ignored;
    return access(path, R_OK) == 0 && read_filled(&quiet, path, out) == CAROM_OK;
}

carom_status tetrahedra_fill(volume_mesh *out, const mesh *surface, const tetrahedra_options *options,
                             carom_error *err)
{
    *out = (volume_mesh){ 0 };
    filling f = { .surface = surface, .options = options, .err = err };
    carom_status status = check_surface(&f);
    if (status != CAROM_OK) {
        return status;
    }
    char path[LONGEST_PATH], folder[LONGEST_PATH];
    bool kept = kept_path(&f, path, folder);
    if (kept && take_kept(&f, path, out)) {
        return CAROM_OK;
    }
    return fill_anew(&f, out, kept ? path : NULL, folder);
}
