/* Reads a mesh file some times: processor time of the fastest and the median, as "carom <milliseconds> <median>
 * <triangles> <vertices>". With --write FILE instead, writes the statue there. usage: mesh_read FILE [repeat] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <carom/mesh.h>

enum { MOST = 100 };

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void check(carom_status status, const carom_error *err)
{
    if (status != CAROM_OK) {
        fprintf(stderr, "%s\n", err->message);
        exit(1);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static int write_statue(const char *file)
{
    carom_error err = { 0 };
    carom_mesh *mesh = NULL;
    check(carom_mesh_make(&mesh, "statue", NULL, &err), &err);
    check(carom_mesh_write(mesh, file, CAROM_MESH_BINARY, &err), &err);
    carom_mesh_destroy(mesh);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "--write") == 0) {
        return write_statue(argv[2]);
    }
    if (argc < 2) {
        fprintf(stderr, "usage: mesh_read FILE [repeat] | --write FILE\n");
        return 2;
    }
    int repeat = argc > 2 ? atoi(argv[2]) : 3;
    repeat = repeat < 1 ? 1 : repeat > MOST ? MOST : repeat;
    double time[MOST];
    int triangles = 0;
    int vertices = 0;
    for (int i = 0; i < repeat; ++i) {
        carom_error err = { 0 };
        carom_mesh *mesh = NULL;
        double start = cpu_ms();
        check(carom_mesh_read(&mesh, argv[1], 1.0, &err), &err);
        time[i] = cpu_ms() - start;
        triangles = carom_mesh_triangle_count(mesh);
        vertices = carom_mesh_vertex_count(mesh);
        carom_mesh_destroy(mesh);
    }
    qsort(time, (size_t)repeat, sizeof *time, compare);
    printf("carom %.2f %.2f %d %d\n", time[0], time[repeat / 2], triangles, vertices);
    return 0;
}
