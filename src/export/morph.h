/* The surface of a body that deforms as a mesh with few shapes to mix (morph targets), whatever moves its nodes: vertex = base + sum of
 * weight x target at every frame.
 *
 * Targets are an orthonormal basis of displacements at some frames, found by Gram-Schmidt with pivoting: the frame that is worst represented
 * comes next, until all are within a tolerance or there are as many as viewers bear. A body of modes needs as many as it has coordinates. */
#ifndef CAROM_EXPORT_MORPH_H
#define CAROM_EXPORT_MORPH_H

#include "base/arena.h"
#include "result/flexible_skin.h"

typedef struct morph_mesh {
    carom_arena arena;
    flexible_skin skin;
    size_t vertex_count, triangle_count;
    float *positions;    /* 3 per vertex, undeformed, in the frame of the body [m] */
    uint32_t *triangles; /* 3 each */
    size_t target_count;
    float *targets; /* target by target, 3 per vertex [m]; weights lie within -1 and 1 */
    float *weights; /* frame by frame */
    double off;     /* largest displacement that no mix of targets gives, over the largest displacement */
} morph_mesh;

/* Of the frames given, enlarged by a factor, on about so many nodes at most. Free it, also after a failure. */
typedef struct morph_request {
    const carom_result *result;
    carom_id body;
    const size_t *frames;
    size_t frame_count;
    size_t most_nodes;
    double factor;
} morph_request;
carom_status morph_make(morph_mesh *out, const morph_request *request, carom_error *err);
void morph_free(morph_mesh *mesh);

#endif
