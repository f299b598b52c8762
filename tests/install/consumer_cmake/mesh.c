/* Reads a mesh file with an installed carom: formats read by another program included. */
#include <stdio.h>

#include <carom/carom.h>

int main(int argc, char **argv)
{
    carom_error err = { 0 };
    carom_mesh *mesh = NULL;
    if (argc != 2 || carom_mesh_read(&mesh, argv[1], 1.0, &err) != CAROM_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("%d triangles; %s\n", carom_mesh_triangle_count(mesh), carom_mesh_formats());
    carom_mesh_destroy(mesh);
    return 0;
}
