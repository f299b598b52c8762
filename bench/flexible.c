/* What finite elements cost against their number: cells, elements and matrices made, K factored, one right-hand side solved, the 20 lowest
 * modes found. One end of each body is held. Usage: flexible [line | plane | solid] [most elements] */
#include <math.h>
#include <string.h>
#include <sys/resource.h>

#include "elements/solids/solid_mesh.h"
#include "linalg/eigen.h"
#include "measure.h"

enum { MODES = 20 };

typedef struct row {
    int elements, unknowns;
    double make, factor, solve, modes; /* [s] */
    double factor_mb, peak_mb;
} row;

typedef struct family {
    const char *name, *element;
    cell_kind kind;
    void (*axes)(double elements, volume_axis *axes);
    double sizes[4]; /* elements, about */
} family;

static void line_axes(double elements, volume_axis *axes)
{
    axes[0] = (volume_axis){ 0.0, 1.0, (int)elements, 1.0 };
}

/* Two triangles per cell, four times as long as high. */
static void plane_axes(double elements, volume_axis *axes)
{
    int across = (int)lround(sqrt(elements / 8.0));
    axes[0] = (volume_axis){ 0.0, 0.4, 4 * across, 1.0 };
    axes[1] = (volume_axis){ 0.0, 0.1, across, 1.0 };
}

/* Six tetrahedra per cell, three times as long as wide. */
static void solid_axes(double elements, volume_axis *axes)
{
    int across = (int)lround(cbrt(elements / 18.0));
    axes[0] = (volume_axis){ 0.0, 0.3, 3 * across + 3, 1.0 };
    axes[1] = axes[2] = (volume_axis){ 0.0, 0.1, across, 1.0 };
}

static const family families[] = {
    { "line", "timoshenko-beam", CELL_LINE2, line_axes, { 1e3, 1e4, 1e5 } },
    { "plane", "triangle6", CELL_TRIANGLE6, plane_axes, { 2e3, 8e3, 3.2e4 } },
    { "solid", "tetrahedron4", CELL_TETRAHEDRON4, solid_axes, { 8e3, 4e4, 2e5 } },
};

static solid_material steel(void)
{
    solid_material m = solid_material_default;
    m.young = 200e9;
    m.poisson = 0.3;
    m.density = 7870.0;
    m.thickness = 0.01;
    m.section = (solid_section){ .area = 1e-4,
                                 .inertia_y = 8e-10,
                                 .inertia_z = 8e-10,
                                 .torsion = 1.4e-9,
                                 .shear_y = 0.83,
                                 .shear_z = 0.83,
                                 .up = { 0.0, 0.0, 1.0 } };
    return m;
}

static double peak_mb(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_maxrss / 1024.0;
}

/* Nodes at x = 0. */
static bool *hold_end(const solid_mesh *mesh)
{
    bool *held = allocate((size_t)solid_mesh_freedom_count(mesh), sizeof *held);
    for (int i = 0; i < solid_mesh_node_count(mesh); ++i) {
        for (unsigned f = MOVE_X; f <= TURN_Z; f *= 2) {
            int k = solid_mesh_freedom(mesh, i, f);
            if (k >= 0 && solid_mesh_node(mesh, i).x == 0.0) {
                held[k] = true;
            }
        }
    }
    return held;
}

static void measure_factor(const sparse_matrix *K, row *out)
{
    carom_error err = { 0 };
    sparse_factor *f;
    double *b = allocate((size_t)out->unknowns, sizeof *b);
    double start = cpu_seconds();
    stop_on(sparse_factor_create(&f, K, &err), &err);
    out->factor = cpu_seconds() - start;
    b[out->unknowns - 1] = 1.0;
    start = cpu_seconds();
    sparse_solve(f, b, 1);
    out->solve = cpu_seconds() - start;
    out->factor_mb = 1e-6 * (double)sparse_factor_bytes(f);
    sparse_factor_destroy(f);
    free(b);
}

static row measure(const family *f, double elements)
{
    carom_error err = { 0 };
    row out = { 0 };
    volume_axis axes[3];
    volume_mesh cells;
    solid_mesh *mesh;
    sparse_matrix *K;
    sparse_matrix *M;
    eigen_modes modes;
    const solid_part part = { .type = solid_type_find(f->element), .material = steel() };
    f->axes(elements, axes);
    double start = cpu_seconds();
    stop_on(volume_mesh_grid(&cells, f->kind, axes, &err), &err);
    stop_on(solid_mesh_create(&mesh, &cells, &part, 1, &err), &err);
    bool *held = hold_end(mesh);
    stop_on(solid_mesh_stiffness(mesh, held, &K, &err), &err);
    stop_on(solid_mesh_mass(mesh, held, true, &M, &err), &err);
    out.make = cpu_seconds() - start;
    out.elements = solid_mesh_element_count(mesh);
    out.unknowns = sparse_size(K);
    measure_factor(K, &out);
    start = cpu_seconds();
    stop_on(eigen_lowest(&modes, K, M, &(eigen_options){ .count = MODES }, &err), &err);
    out.modes = cpu_seconds() - start;
    out.peak_mb = peak_mb();
    eigen_modes_free(&modes);
    sparse_destroy(K);
    sparse_destroy(M);
    solid_mesh_destroy(mesh);
    volume_mesh_free(&cells);
    free(held);
    return out;
}

/* Exponent of growth between two rows. */
static double growth(const row *a, const row *b, double from, double to)
{
    return log(to / from) / log((double)b->elements / (double)a->elements);
}

static void print_family(const family *f, double most)
{
    row last = { 0 };
    row now = { 0 };
    printf("%s: %s\n  elements  unknowns  make [s]  factor [s]  solve [ms]  20 modes [s]  L [MB]  peak [MB]\n",
           f->name, f->element);
    for (int k = 0; k < 4 && f->sizes[k] > 0.0 && f->sizes[k] <= most; ++k) {
        last = now;
        now = measure(f, f->sizes[k]);
        printf("%10d %9d %9.3f %11.3f %11.2f %13.3f %7.1f %10.1f\n", now.elements, now.unknowns, now.make, now.factor,
               1e3 * now.solve, now.modes, now.factor_mb, now.peak_mb);
        fflush(stdout);
    }
    if (last.elements > 0) {
        printf("  grows as n^    %14.2f %11.2f %11.2f %13.2f\n", growth(&last, &now, last.make, now.make),
               growth(&last, &now, last.factor, now.factor), growth(&last, &now, last.solve, now.solve),
               growth(&last, &now, last.modes, now.modes));
    }
}

int main(int argc, char **argv)
{
    double most = argc > 2 ? atof(argv[2]) : HUGE_VAL;
    for (size_t k = 0; k < sizeof families / sizeof *families; ++k) {
        if (argc < 2 || strcmp(argv[1], families[k].name) == 0) {
            print_family(&families[k], most);
        }
    }
    return 0;
}
