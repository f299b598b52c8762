/* Fuzz target: any bytes as a mesh file. The first byte chooses the suffix, the rest is the file. */
#include "mesh_files/mesh_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "a.stl", "a.obj", "a.ply", "a" };
    if (size == 0) {
        return 0;
    }
    carom_error err = { 0 };
    mesh *m;
    if (mesh_parse(&m, data + 1, size - 1, names[data[0] % 4], 1.0, &err) == CAROM_OK) {
        mesh_quality quality;
        mass_properties mass;
        mesh_inspect(m, &quality, &err);
        mesh_mass(&mass, m);
        mesh_destroy(m);
    }
    return 0;
}
