// The fields and queries of bench/field.c in OpenVDB, one thread: a narrow band of three voxels by meshToVolume, and value
// and gradient by BoxStencil on a grid that holds the same nodes. usage: field_openvdb FILE
#include <openvdb/math/Stencils.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static const int runs = 5;

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

static double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

template <typename T> static std::vector<T> take(FILE *file, size_t count)
{
    std::vector<T> data(count);
    if (fread(data.data(), sizeof(T), count, file) != count) {
        fprintf(stderr, "field_openvdb: the file ends early\n");
        exit(2);
    }
    return data;
}

struct Check {
    int32_t node[3];
    int32_t unused;
    double exact;
};

static openvdb::math::Transform::Ptr lattice_transform(const std::vector<double> &lattice)
{
    auto transform = openvdb::math::Transform::createLinearTransform(lattice[3]);
    transform->postTranslate(openvdb::Vec3d(lattice[0], lattice[1], lattice[2]));
    return transform;
}

static openvdb::FloatGrid::Ptr build(const std::vector<double> &vertices, const std::vector<int32_t> &triangles,
                                     const std::vector<double> &lattice)
{
    auto transform = lattice_transform(lattice);
    std::vector<openvdb::Vec3s> points(vertices.size() / 3);
    std::vector<openvdb::Vec3I> corners(triangles.size() / 3);
    for (size_t i = 0; i < points.size(); ++i) {
        const openvdb::Vec3d p(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
        points[i] = openvdb::Vec3s(transform->worldToIndex(p));
    }
    for (size_t i = 0; i < corners.size(); ++i) {
        corners[i] = openvdb::Vec3I(uint32_t(triangles[3 * i]), uint32_t(triangles[3 * i + 1]),
                                    uint32_t(triangles[3 * i + 2]));
    }
    openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> adapter(points, corners);
    return openvdb::tools::meshToVolume<openvdb::FloatGrid>(adapter, *transform, 3.0f, 3.0f);
}

static void judge(const openvdb::FloatGrid &grid, const std::vector<Check> &checks, double spacing)
{
    auto accessor = grid.getConstAccessor();
    long wrong = 0;
    double largest = 0;
    for (const Check &c : checks) {
        const double d = accessor.getValue(openvdb::Coord(c.node[0], c.node[1], c.node[2]));
        wrong += d * c.exact < 0;
        largest = std::max(largest, std::abs(d - c.exact));
    }
    printf("openvdb wrong-signs %ld of %zu nodes, largest error %.3g cells\n", wrong, checks.size(), largest / spacing);
}

static void time_queries(const openvdb::FloatGrid &grid, const double *points, size_t count, const char *order)
{
    openvdb::math::BoxStencil<openvdb::FloatGrid> stencil(grid);
    std::vector<openvdb::Vec3d> x(count);
    for (size_t i = 0; i < count; ++i) {
        x[i] = grid.transform().worldToIndex(openvdb::Vec3d(points[3 * i], points[3 * i + 1], points[3 * i + 2]));
    }
    struct Sample {
        float value;
        openvdb::Vec3f gradient;
    };
    std::vector<Sample> out(count);
    std::vector<double> spent;
    for (int r = 0; r < runs; ++r) {
        const double start = cpu_seconds();
        for (size_t i = 0; i < count; ++i) {
            stencil.moveTo(x[i]);
            out[i].value = stencil.interpolation(x[i]);
            out[i].gradient = stencil.gradient(x[i]);
        }
        spent.push_back(cpu_seconds() - start);
    }
    printf("openvdb query-dense-%s %.2f ns (%.3g)\n", order, 1e9 / double(count) * median(spent),
           double(runs) * double(out[count / 3].value));
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : nullptr;
    if (!file) {
        fprintf(stderr, "usage: field_openvdb FILE\n");
        return 2;
    }
    openvdb::initialize();
    tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const auto counts = take<int32_t>(file, 4);
    const auto vertices = take<double>(file, 3 * size_t(counts[0]));
    const auto triangles = take<int32_t>(file, 3 * size_t(counts[1]));
    const auto band_lattice = take<double>(file, 4);
    const auto checks = take<Check>(file, size_t(counts[2]));

    std::vector<double> spent;
    openvdb::FloatGrid::Ptr band;
    for (int r = 0; r < runs; ++r) {
        const double start = cpu_seconds();
        band = build(vertices, triangles, band_lattice);
        spent.push_back(cpu_seconds() - start);
    }
    printf("openvdb build-bricks-256 %.4f s, %lu nodes\n", median(spent), (unsigned long)band->activeVoxelCount());
    judge(*band, checks, band_lattice[3]);

    const auto dense_lattice = take<double>(file, 4);
    const auto size = take<int32_t>(file, 3);
    auto dense = openvdb::FloatGrid::create(0.0f);
    dense->setTransform(lattice_transform(dense_lattice));
    auto accessor = dense->getAccessor();
    for (int32_t k = 0; k < size[2]; ++k) {
        for (int32_t j = 0; j < size[1]; ++j) {
            const auto row = take<double>(file, size_t(size[0]));
            for (int32_t i = 0; i < size[0]; ++i) {
                accessor.setValue(openvdb::Coord(i, j, k), float(row[size_t(i)]));
            }
        }
    }
    const size_t points = size_t(counts[3]);
    time_queries(*dense, take<double>(file, 3 * points).data(), points, "mesh-order");
    time_queries(*dense, take<double>(file, 3 * points).data(), points, "random");
    fclose(file);
    return 0;
}
