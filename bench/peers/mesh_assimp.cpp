// The file of bench/mesh_read.c read by Assimp, with what carom does too: triangles with welded vertices.
// usage: mesh_assimp FILE [repeat]
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static double cpu_ms()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: mesh_assimp FILE [repeat]\n");
        return 2;
    }
    const int repeat = argc > 2 ? std::max(1, std::atoi(argv[2])) : 3;
    std::vector<double> time;
    unsigned triangles = 0;
    unsigned vertices = 0;
    for (int i = 0; i < repeat; ++i) {
        const double start = cpu_ms();
        // Normals and materials keep equal points apart: without them joining gives the vertices carom has.
        aiPropertyStore *options = aiCreatePropertyStore();
        aiSetImportPropertyInteger(options, AI_CONFIG_PP_RVC_FLAGS,
                                   aiComponent_NORMALS | aiComponent_TEXCOORDS | aiComponent_COLORS);
        const aiScene *scene = aiImportFileExWithProperties(argv[1],
                                                            aiProcess_RemoveComponent |
                                                                aiProcess_JoinIdenticalVertices |
                                                                aiProcess_Triangulate,
                                                            nullptr, options);
        aiReleasePropertyStore(options);
        if (!scene) {
            std::fprintf(stderr, "%s\n", aiGetErrorString());
            return 1;
        }
        time.push_back(cpu_ms() - start);
        triangles = vertices = 0;
        for (unsigned k = 0; k < scene->mNumMeshes; ++k) {
            triangles += scene->mMeshes[k]->mNumFaces;
            vertices += scene->mMeshes[k]->mNumVertices;
        }
        aiReleaseImport(scene);
    }
    std::sort(time.begin(), time.end());
    std::printf("assimp %.2f %.2f %u %u\n", time[0], time[time.size() / 2], triangles, vertices);
    return 0;
}
