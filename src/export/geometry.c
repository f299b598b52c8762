/* Shapes sorted by body, squares for infinite planes, poses that can be drawn, colours. */
#include "export/export.h"
#include "export/geometry.h"

#include <stdlib.h>
#include <string.h>

#include "result/result_flexible.h"

static carom_status no_memory(carom_error *err)
{
    return carom_fail(err, CAROM_NO_MEMORY, "no memory for the geometry of the result");
}

/* ---- poses -------------------------------------------------------------------------------------------------------- */

/* Within what single precision holds, because that is what is drawn with. */
static bool is_drawable(double x)
{
    return isfinite(x) && fabs(x) < 1e38;
}

bool export_pose_mend(carom_pose *pose)
{
    double norm = q_norm(pose->orientation);
    v3 r = pose->position;
    if (!is_drawable(r.x) || !is_drawable(r.y) || !is_drawable(r.z) || !isfinite(norm) || norm < 1e-6) {
        return false;
    }
    pose->orientation = q_unit(pose->orientation);
    return true;
}

carom_status export_next_pose(const carom_result *result, carom_id body, size_t frame, carom_pose *pose, size_t *held,
                              carom_error *err)
{
    carom_motion motion;
    carom_status status = carom_result_motion(result, body, frame, &motion, err);
    if (status != CAROM_OK) {
        return status;
    }
    if (export_pose_mend(&motion.pose)) {
        *pose = motion.pose;
    } else {
        *held += 1;
    }
    return CAROM_OK;
}

/* ---- how large the scene is ---------------------------------------------------------------------------------------- */

typedef struct bounds {
    v3 low;
    v3 high;
} bounds;

static void bounds_add(bounds *b, v3 r, double radius)
{
    b->low = v3_make(fmin(b->low.x, r.x - radius), fmin(b->low.y, r.y - radius), fmin(b->low.z, r.z - radius));
    b->high = v3_make(fmax(b->high.x, r.x + radius), fmax(b->high.y, r.y + radius), fmax(b->high.z, r.z + radius));
}

/* Radius about the body's origin of all it is made of, infinite planes apart. */
static double body_radius(const export_geometry *g, carom_id body)
{
    double radius2 = 0.0;
    for (size_t i = g->first[body]; i < g->first[body + 1]; ++i) {
        const carom_result_shape *shape = &g->shapes[i];
        carom_surface surface = { 0 };
        if (shape->surface >= 0) {
            surface = g->surfaces[shape->surface];
        }
        for (size_t k = 0; k < surface.vertex_count; ++k) {
            double r2 = v3_norm2(export_place(shape->pose_b, v3_load(surface.vertices + 3 * k)));
            radius2 = r2 > radius2 && is_drawable(sqrt(r2)) ? r2 : radius2;
        }
    }
    return sqrt(radius2);
}

/* Of its nodes, undeformed. */
static carom_status mesh_radius(const carom_result *result, carom_id body, double *radius, carom_error *err)
{
    flexible_mesh m;
    if (carom_result_node_count(result, body) == 0) {
        return CAROM_OK;
    }
    carom_status status = result_flexible_mesh(result, body, &m, err);
    for (size_t i = 0; status == CAROM_OK && i < m.body->nodes.count; ++i) {
        double r = v3_norm(v3_load(m.nodes + 3 * i));
        *radius = r > *radius && is_drawable(r) ? r : *radius;
    }
    return status;
}

/* The ground is where its shapes are, and only there. */
static carom_status add_body(bounds *b, const export_job *job, const export_geometry *g, carom_id body,
                             carom_error *err)
{
    double radius = body_radius(g, body);
    carom_pose pose = { .orientation.w = 1.0 };
    size_t held = 0;
    carom_status status = mesh_radius(job->result, body, &radius, err);
    bool is_somewhere = body != CAROM_GROUND || radius > 0.0;
    for (size_t k = 0; k < job->frames.count && status == CAROM_OK && is_somewhere; ++k) {
        size_t before = held;
        status = export_next_pose(job->result, body, export_frame(job->frames, k), &pose, &held, err);
        if (status == CAROM_OK && held == before) {
            bounds_add(b, pose.position, radius);
        }
    }
    return status;
}

static carom_status scene_bounds(bounds *b, const export_job *job, const export_geometry *g, carom_error *err)
{
    *b = (bounds){ { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
    carom_status status = CAROM_OK;
    for (carom_id body = CAROM_GROUND; body < g->body_count && status == CAROM_OK; ++body) {
        status = add_body(b, job, g, body, err);
    }
    return status;
}

/* ---- squares for planes ------------------------------------------------------------------------------------------- */

/* A square in z = 0 of the plane's own axes, below the middle of the scene as it is in the first frame, wide enough to
 * reach beyond all that moves. */
static bool make_square(carom_arena *arena, carom_surface *out, carom_pose pose_wp, bounds scene)
{
    static const int32_t triangles[] = { 0, 1, 2, 0, 2, 3 };
    bool empty = scene.low.x > scene.high.x;
    v3 middle_w = empty ? pose_wp.position : v3_scale(0.5, v3_add(scene.low, scene.high));
    v3 at_p = q_unrotate(pose_wp.orientation, v3_sub(middle_w, pose_wp.position));
    double diagonal = empty ? 0.0 : v3_norm(v3_sub(scene.high, scene.low));
    double half = diagonal > 0.0 && isfinite(diagonal) ? 0.75 * diagonal : 1.0;
    double *vertices = CAROM_ARENA_ARRAY(arena, double, 12);
    if (!vertices) {
        return false;
    }
    for (int k = 0; k < 4; ++k) {
        vertices[3 * k] = at_p.x + (k == 1 || k == 2 ? half : -half);
        vertices[3 * k + 1] = at_p.y + (k >= 2 ? half : -half);
    }
    *out = (carom_surface){ .vertex_count = 4, .triangle_count = 2, .vertices = vertices, .triangles = triangles };
    return true;
}

static carom_pose compose(carom_pose a, carom_pose b)
{
    return (carom_pose){ export_place(a, b.position), q_mul(a.orientation, b.orientation) };
}

static carom_status draw_planes(export_geometry *g, carom_result_shape *shapes, carom_surface *surfaces,
                                const export_job *job, carom_error *err)
{
    bounds scene;
    carom_status status = scene_bounds(&scene, job, g, err);
    for (size_t i = 0; i < g->shape_count && status == CAROM_OK; ++i) {
        if (shapes[i].surface >= 0) {
            continue;
        }
        carom_pose pose_wb = { .orientation.w = 1.0 };
        size_t held = 0;
        status = export_next_pose(job->result, shapes[i].body, job->frames.first, &pose_wb, &held, err);
        if (status == CAROM_OK &&
            !make_square(&g->arena, &surfaces[g->surface_count], compose(pose_wb, shapes[i].pose_b), scene)) {
            status = no_memory(err);
        }
        shapes[i].surface = (int)g->surface_count++;
    }
    return status;
}

/* ---- sorting ------------------------------------------------------------------------------------------------------ */

/* By counting, so that shapes of a body keep their order. */
static bool sort_shapes(export_geometry *g, const carom_result *result, carom_result_shape *shapes)
{
    size_t *first = CAROM_ARENA_ARRAY(&g->arena, size_t, (size_t)g->body_count + 2);
    size_t *index = CAROM_ARENA_ARRAY(&g->arena, size_t, g->shape_count + 1);
    if (!first || !index) {
        return false;
    }
    for (size_t i = 0; i < g->shape_count; ++i) {
        first[carom_result_shape_info(result, i).body + 2] += 1;
    }
    for (carom_id b = 1; b < g->body_count + 2; ++b) {
        first[b] += first[b - 1];
    }
    for (size_t i = 0; i < g->shape_count; ++i) {
        carom_result_shape shape = carom_result_shape_info(result, i);
        size_t place = first[shape.body + 1]++;
        shapes[place] = shape;
        index[place] = i;
        g->plane_count += shape.surface < 0;
    }
    g->first = first; /* each entry has moved to where the next body begins: entry b is the begin of body b */
    g->index = index;
    return true;
}

carom_status export_geometry_build(export_geometry *g, const export_job *job, carom_error *err)
{
    *g = (export_geometry){ .body_count = (carom_id)carom_result_body_count(job->result),
                            .shape_count = carom_result_shape_count(job->result) };
    size_t own_surfaces = carom_result_surface_count(job->result);
    carom_result_shape *shapes = CAROM_ARENA_ARRAY(&g->arena, carom_result_shape, g->shape_count + 1);
    if (!shapes || !sort_shapes(g, job->result, shapes)) {
        return no_memory(err);
    }
    carom_surface *surfaces = CAROM_ARENA_ARRAY(&g->arena, carom_surface, own_surfaces + g->plane_count + 1);
    if (!surfaces) {
        return no_memory(err);
    }
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < own_surfaces && status == CAROM_OK; ++i) {
        status = carom_result_surface(job->result, i, &surfaces[i], err);
    }
    g->shapes = shapes;
    g->surfaces = surfaces;
    g->surface_count = own_surfaces;
    job->report->without_shapes = g->shape_count == 0;
    job->report->planes = g->plane_count;
    return status == CAROM_OK && g->plane_count > 0 ? draw_planes(g, shapes, surfaces, job, err) : status;
}

void export_geometry_free(export_geometry *g)
{
    carom_arena_free(&g->arena);
}

/* ---- colours ------------------------------------------------------------------------------------------------------ */

/* Eight that stay apart for colour-blind eyes, after Okabe and Ito, softened; what never moves is grey. */
void export_colour(const carom_result *result, carom_id body, double colour[3])
{
    static const double still[3] = { 0.72, 0.73, 0.75 };
    static const double palette[][3] = {
        { 0.22, 0.49, 0.72 }, { 0.90, 0.57, 0.16 }, { 0.18, 0.62, 0.47 }, { 0.80, 0.36, 0.24 },
        { 0.56, 0.44, 0.70 }, { 0.42, 0.70, 0.86 }, { 0.86, 0.75, 0.30 }, { 0.62, 0.47, 0.38 },
    };
    const size_t count = sizeof palette / sizeof palette[0];
    carom_result_body info = carom_result_body_info(result, body);
    const double *chosen = strcmp(info.role, "fixed") == 0 ? still : palette[(size_t)(body - 1) % count];
    bool own = true;
    for (int k = 0; k < 3; ++k) {
        own = own && info.color[k] >= 0.0 && info.color[k] <= 1.0;
    }
    memcpy(colour, own ? info.color : chosen, 3 * sizeof *colour);
}
