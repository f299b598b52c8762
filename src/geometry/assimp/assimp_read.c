/* Mesh files by Assimp. It reads coordinates in single precision, repeats vertices along seams of texture and normals,
 * and keeps a tree of placed parts: here flattened, triangulated and welded. */
#include "geometry/assimp/assimp_read.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

static carom_status add_vertex(mesh_builder *b, const mesh_source *source, const struct aiVector3D *at)
{
    v3 r;
    v3 in_file = v3_make((double)at->x, (double)at->y, (double)at->z);
    const char *problem = mesh_point(&r, source, in_file);
    if (problem) {
        return mesh_fail_file(source, CAROM_BAD_INPUT, "vertex (%g, %g, %g) %s", in_file.x, in_file.y, in_file.z,
                              problem);
    }
    return mesh_builder_append(b, r) ? CAROM_OK : mesh_no_memory(source);
}

/* Points and lines, which formats for drawings have, bound nothing. */
static carom_status add_face(mesh_builder *b, const mesh_source *source, const struct aiFace *face, size_t first,
                             unsigned count)
{
    if (face->mNumIndices != 3) {
        return CAROM_OK;
    }
    int corner[3];
    for (int k = 0; k < 3; ++k) {
        if (face->mIndices[k] >= count) {
            return mesh_fail_file(source, CAROM_BAD_INPUT, "a face refers to vertex %u of %u", face->mIndices[k],
                                  count);
        }
        corner[k] = (int)(first + face->mIndices[k]);
    }
    return mesh_builder_triangle(b, corner[0], corner[1], corner[2]) ? CAROM_OK : mesh_no_memory(source);
}

static carom_status add_mesh(mesh_builder *b, const mesh_source *source, const struct aiMesh *part)
{
    size_t first = b->vertex_count;
    carom_status status = CAROM_OK;
    for (unsigned i = 0; i < part->mNumVertices && status == CAROM_OK; ++i) {
        status = add_vertex(b, source, &part->mVertices[i]);
    }
    for (unsigned i = 0; i < part->mNumFaces && status == CAROM_OK; ++i) {
        status = add_face(b, source, &part->mFaces[i], first, part->mNumVertices);
    }
    return status;
}

carom_status mesh_read_assimp(mesh_builder *b, const mesh_source *source)
{
    const struct aiScene *scene = aiImportFile(source->path, aiProcess_Triangulate | aiProcess_PreTransformVertices);
    if (!scene) {
        return mesh_fail_file(source, CAROM_BAD_INPUT,
                              "this is not STL, OBJ or PLY (binary STL and OBJ need the suffix .stl or .obj), and "
                              "Assimp says: %.300s",
                              aiGetErrorString());
    }
    carom_status status = CAROM_OK;
    for (unsigned i = 0; i < scene->mNumMeshes && status == CAROM_OK; ++i) {
        status = add_mesh(b, source, scene->mMeshes[i]);
    }
    aiReleaseImport(scene);
    if (status == CAROM_OK && !mesh_builder_weld_all(b)) {
        return mesh_no_memory(source);
    }
    return status;
}
