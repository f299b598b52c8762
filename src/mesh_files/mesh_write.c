/* STL (binary, text), PLY (binary, text) and OBJ.
 *
 * PLY and OBJ keep every bit: binary doubles, or the shortest decimal text that reads back as the same number. STL
 * holds single precision; its normals are those of the triangles. */
#include "mesh_files/mesh_write.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/fresh_file.h"

typedef void (*format_writer)(FILE *file, const mesh *m);

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void put_little(FILE *file, uint64_t bits, int bytes)
{
    unsigned char buffer[8];
    for (int i = 0; i < bytes; ++i) {
        buffer[i] = (unsigned char)(bits >> 8 * i);
    }
    fwrite(buffer, 1, (size_t)bytes, file);
}

static void put_float(FILE *file, double x)
{
    float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_little(file, bits, 4);
}

static void put_double(FILE *file, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_little(file, bits, 8);
}

/* The shortest decimal text that reads back as x. */
static void put_number(FILE *file, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    fputs(text, file);
}

static void put_point(FILE *file, v3 r, char end)
{
    put_number(file, r.x);
    fputc(' ', file);
    put_number(file, r.y);
    fputc(' ', file);
    put_number(file, r.z);
    fputc(end, file);
}

/* The unit normal, or zero for a triangle without area, as the format asks. */
static v3 triangle_normal(const mesh *m, int t)
{
    const int *corner = m->triangles[t];
    v3 ab = v3_sub(m->vertices[corner[1]], m->vertices[corner[0]]);
    v3 ac = v3_sub(m->vertices[corner[2]], m->vertices[corner[0]]);
    v3 n = v3_cross(ab, ac);
    double length = v3_norm(n);
    return length > 0.0 && isfinite(length) ? v3_scale(1.0 / length, n) : v3_zero();
}

/* ---- formats ----------------------------------------------------------------------------------------------------- */

static void put_point_float(FILE *file, v3 r)
{
    put_float(file, r.x);
    put_float(file, r.y);
    put_float(file, r.z);
}

static void write_stl_binary(FILE *file, const mesh *m)
{
    char header[80] = "binary STL written by carom"; /* must not begin with "solid" */
    fwrite(header, 1, sizeof header, file);
    put_little(file, (uint64_t)m->triangle_count, 4);
    for (int t = 0; t < m->triangle_count; ++t) {
        put_point_float(file, triangle_normal(m, t));
        for (int k = 0; k < 3; ++k) {
            put_point_float(file, m->vertices[m->triangles[t][k]]);
        }
        put_little(file, 0, 2);
    }
}

static void write_stl_text(FILE *file, const mesh *m)
{
    fputs("solid carom\n", file);
    for (int t = 0; t < m->triangle_count; ++t) {
        v3 n = triangle_normal(m, t);
        fprintf(file, "facet normal %.9g %.9g %.9g\nouter loop\n", n.x, n.y, n.z);
        for (int k = 0; k < 3; ++k) {
            fputs("vertex ", file);
            put_point(file, m->vertices[m->triangles[t][k]], '\n');
        }
        fputs("endloop\nendfacet\n", file);
    }
    fputs("endsolid carom\n", file);
}

static void write_obj(FILE *file, const mesh *m)
{
    fprintf(file, "# carom: %d vertices, %d triangles\n", m->vertex_count, m->triangle_count);
    for (int i = 0; i < m->vertex_count; ++i) {
        fputs("v ", file);
        put_point(file, m->vertices[i], '\n');
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *corner = m->triangles[t];
        fprintf(file, "f %d %d %d\n", corner[0] + 1, corner[1] + 1, corner[2] + 1);
    }
}

static void write_ply_header(FILE *file, const mesh *m, const char *encoding)
{
    fprintf(file,
            "ply\nformat %s 1.0\ncomment written by carom\nelement vertex %d\nproperty double x\nproperty double y\n"
            "property double z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
            encoding, m->vertex_count, m->triangle_count);
}

static void write_ply_binary(FILE *file, const mesh *m)
{
    write_ply_header(file, m, "binary_little_endian");
    for (int i = 0; i < m->vertex_count; ++i) {
        put_double(file, m->vertices[i].x);
        put_double(file, m->vertices[i].y);
        put_double(file, m->vertices[i].z);
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        put_little(file, 3, 1);
        for (int k = 0; k < 3; ++k) {
            put_little(file, (uint64_t)m->triangles[t][k], 4);
        }
    }
}

static void write_ply_text(FILE *file, const mesh *m)
{
    write_ply_header(file, m, "ascii");
    for (int i = 0; i < m->vertex_count; ++i) {
        put_point(file, m->vertices[i], '\n');
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        const int *corner = m->triangles[t];
        fprintf(file, "3 %d %d %d\n", corner[0], corner[1], corner[2]);
    }
}

static const struct {
    const char *suffix;
    format_writer binary, text;
} formats[] = {
    { ".stl", write_stl_binary, write_stl_text },
    { ".ply", write_ply_binary, write_ply_text },
    { ".obj", write_obj, write_obj },
};

static format_writer choose_writer(const char *file, carom_mesh_encoding encoding)
{
    size_t length = strlen(file);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        size_t tail = strlen(formats[i].suffix);
        if (length > tail && strcasecmp(file + length - tail, formats[i].suffix) == 0) {
            return encoding == CAROM_MESH_TEXT ? formats[i].text : formats[i].binary;
        }
    }
    return NULL;
}

/* Single precision ends at 3e38 and, worse, a mesh small beside its distance from the origin loses its shape. */
static carom_status check_single(const mesh *m, const char *file, carom_error *err)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    v3 size = v3_sub(high, low);
    double largest = fmax(fmax(fabs(low.x), fabs(high.x)),
                          fmax(fmax(fabs(low.y), fabs(high.y)), fmax(fabs(low.z), fabs(high.z))));
    double extent = fmax(size.x, fmax(size.y, size.z));
    if (largest > 1e37 || extent < 100.0 * (double)FLT_EPSILON * largest) {
        return carom_fail(
            err, CAROM_BAD_INPUT,
            "'%.300s': binary STL holds 7 digits, too few for a mesh of size %g at a distance of %g; write PLY "
            "or OBJ, or move it to the origin",
            file, extent, largest);
    }
    return CAROM_OK;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* A full disk is not the caller's mistake, a missing folder is. */
static carom_status cannot(const char *what, const char *file, carom_error *err)
{
    int reason = errno ? errno : EIO;
    bool full = reason == ENOSPC || reason == EDQUOT || reason == EIO || reason == EFBIG;
    carom_status status = reason == ENOMEM ? CAROM_NO_MEMORY : full ? CAROM_IO_FAILED : CAROM_BAD_INPUT;
    return carom_fail(err, status, "cannot %s '%.300s': %s", what, file, strerror(reason));
}

static bool is_special(const char *file)
{
    struct stat info;
    return stat(file, &info) == 0 && !S_ISREG(info.st_mode);
}

/* Closes the descriptor, whatever happens. */
static carom_status write_to(int fd, const char *file, const mesh *m, format_writer write, carom_error *err)
{
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!stream) {
        carom_status status = cannot("create", file, err);
        if (fd >= 0) {
            close(fd);
        }
        return status;
    }
    errno = 0;
    write(stream, m);
    bool ok = fflush(stream) == 0 && !ferror(stream);
    carom_status status = ok ? CAROM_OK : cannot("write", file, err);
    if (fclose(stream) != 0 && status == CAROM_OK) {
        status = cannot("write", file, err);
    }
    return status;
}

static carom_status write_whole(const char *file, const mesh *m, format_writer write, carom_error *err)
{
    carom_fresh fresh;
    carom_status status = write_to(carom_fresh_open(&fresh, file), file, m, write, err);
    if (status == CAROM_OK && !carom_fresh_publish(&fresh, file)) {
        status = cannot("create", file, err);
    }
    carom_fresh_drop(&fresh);
    return status;
}

carom_status mesh_write(const mesh *m, const char *file, carom_mesh_encoding encoding, carom_error *err)
{
    format_writer write = choose_writer(file, encoding);
    if (!write) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "'%.300s': the suffix says the format, and meshes are written as .stl, .obj or .ply", file);
    }
    if (write == write_stl_binary) {
        carom_status status = check_single(m, file, err);
        if (status != CAROM_OK) {
            return status;
        }
    }
    return is_special(file) ? write_to(open(file, O_WRONLY | O_CLOEXEC), file, m, write, err)
                            : write_whole(file, m, write, err);
}
