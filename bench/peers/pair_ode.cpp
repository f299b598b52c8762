// Contacts of a mesh with itself, turned by 0.7 rad about x and shifted by DX, by ODE's trimesh collider: a line
// "ode DX ms contacts deepest", processor time of one thread. usage: pair_ode MESH DX, MESH as written by detection.c
#include <ode/ode.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    FILE *f = argc > 2 ? std::fopen(argv[1], "rb") : nullptr;
    int counts[2];
    if (!f || std::fread(counts, sizeof counts, 1, f) != 1) {
        std::fprintf(stderr, "usage: pair_ode MESH DX\n");
        return 2;
    }
    std::vector<double> vertices(3 * (size_t)counts[0]);
    std::vector<dTriIndex> triangles(3 * (size_t)counts[1]);
    if (std::fread(vertices.data(), 8, vertices.size(), f) != vertices.size() ||
        std::fread(triangles.data(), 4, triangles.size(), f) != triangles.size()) {
        std::fprintf(stderr, "pair_ode: %s is too short\n", argv[1]);
        return 2;
    }
    std::fclose(f);
    double dx = std::atof(argv[2]);
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    dSetMessageHandler([](int, const char *, va_list) {}); // it warns of full buckets with every pair
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertices.data(), 24, counts[0], triangles.data(), 3 * counts[1], 12);
    dGeomID a = dCreateTriMesh(0, data, 0, 0, 0);
    dGeomID b = dCreateTriMesh(0, data, 0, 0, 0);
    dMatrix3 R;
    dRFromAxisAndAngle(R, 1, 0, 0, 0.7);
    dGeomSetRotation(b, R);
    dGeomSetPosition(b, dx, 0, 0);
    std::vector<dContactGeom> contacts(30000);
    double seconds[9];
    int count = 0;
    for (double &s : seconds) {
        double start = cpu_seconds();
        count = dCollide(a, b, (int)contacts.size(), contacts.data(), sizeof contacts[0]);
        s = cpu_seconds() - start;
    }
    std::sort(seconds, seconds + 9);
    double deepest = 0.0;
    for (int i = 0; i < count; ++i) {
        deepest = std::max(deepest, (double)contacts[(size_t)i].depth);
    }
    std::printf("ode %g %.3f %d %.4f\n", dx, 1e3 * seconds[4], count, deepest);
    return 0;
}
