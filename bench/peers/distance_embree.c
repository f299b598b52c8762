/* The grid of bench/distance.c with point queries of embree 3: its tree is in float, the callback measures in double. The
 * neighbour's distance plus the spacing bounds the radius.
 * usage: distance_embree MESH N STEP OUT */
#include <embree3/rtcore.h>

#include <string.h>

#include "distance_common.h"

typedef struct Query {
    const Mesh *mesh;
    double p[3], q[3], dist2;
    int triangle, feature;
} Query;

/* The radius is given back as float: a few float steps above the distance, so that nothing nearer is left out. */
static float float_radius(double dist, double size)
{
    return (float)(dist * (1.0 + 1e-6) + 1e-6 * size);
}

static double mesh_size;

static bool consider(struct RTCPointQueryFunctionArguments *args)
{
    Query *query = (Query *)args->userPtr;
    double q[3];
    int feature;
    const double dist2 = nearest_on_triangle(query->mesh, (int)args->primID, query->p, q, &feature);
    if (!(dist2 < query->dist2)) {
        return false;
    }
    query->dist2 = dist2;
    query->triangle = (int)args->primID;
    query->feature = feature;
    memcpy(query->q, q, sizeof q);
    args->query->radius = float_radius(sqrt(dist2), mesh_size);
    return true;
}

static RTCScene make_scene(RTCDevice device, const Mesh *m)
{
    RTCScene scene = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_HIGH);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12,
                                              (size_t)m->vertex_count);
    for (int i = 0; i < 3 * m->vertex_count; ++i) {
        vertices[i] = (float)m->vertices[i];
    }
    unsigned *triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12,
                                                  (size_t)m->triangle_count);
    memcpy(triangles, m->triangles, 12 * (size_t)m->triangle_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcCommitScene(scene);
    return scene;
}

static double signed_distance(RTCScene scene, Query *query, double bound)
{
    query->dist2 = bound * bound;
    query->triangle = -1;
    struct RTCPointQuery point = { .x = (float)query->p[0], .y = (float)query->p[1], .z = (float)query->p[2] };
    point.radius = bound < 1e17 ? float_radius(bound, mesh_size) : INFINITY;
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(scene, &point, &context, consider, query);
    return sqrt(query->dist2) * side_of(query->mesh, query->triangle, query->feature, query->p, query->q);
}

static size_t fill_grid(RTCScene scene, const Mesh *m, const Grid *g, double *out)
{
    size_t count = 0;
    Query query = { .mesh = m };
    for (int z = 0; z < g->n; z += g->step) {
        for (int y = 0; y < g->n; ++y) {
            double bound = 1e18;
            for (int x = 0; x < g->n; ++x) {
                query.p[0] = g->low[0] + g->spacing * x;
                query.p[1] = g->low[1] + g->spacing * y;
                query.p[2] = g->low[2] + g->spacing * z;
                out[count] = signed_distance(scene, &query, bound);
                bound = (fabs(out[count++]) + g->spacing) * 1.00001;
            }
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: distance_embree MESH N STEP OUT\n");
        return 2;
    }
    Mesh m = read_mesh(argv[1]);
    const Grid g = make_grid(&m, atoi(argv[2]), atoi(argv[3]));
    mesh_size = g.spacing * (g.n - 1);
    double *out = (double *)allocate((size_t)g.n * (size_t)g.n * (size_t)g.n, sizeof *out);
    const double start = cpu_seconds();
    find_normals(&m);
    RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    RTCScene scene = make_scene(device, &m);
    const double built = cpu_seconds();
    const size_t count = fill_grid(scene, &m, &g, out);
    const double done = cpu_seconds();
    report("embree", &g, built - start, done - built, out, argv[4], count);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
    free(out);
    return 0;
}
