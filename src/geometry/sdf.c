/* Distance fields: values and gradients everywhere, what is known about a field, memory.
 *
 * Outside the box, with q the nearest point of the box and e = p - q: every point s of the surface lies in the box, so
 * e.(q - s) >= 0, and at least `margin` behind the walls that p is beyond, so e.(q - s) >= margin |e|. Hence
 *
 *     d(p)^2 = min |e + (q - s)|^2 >= d(q)^2 + 2 margin |e| + |e|^2,
 *
 * which is what is returned: continuous, growing outwards, never more than the distance. */
#include <stdlib.h>

#include "base/hash.h"
#include "geometry/sdf_impl.h"

/* ---- values --------------------------------------------------------------------------------------------------------- */

static double clamp_to(double x, double high)
{
    return x > 0.0 ? (x < high ? x : high) : 0.0; /* NaN gives 0 */
}

static v3 clamp_to_box(const sdf *f, v3 x)
{
    return v3_make(clamp_to(x.x, f->cells[0]), clamp_to(x.y, f->cells[1]), clamp_to(x.z, f->cells[2]));
}

static double extended(const sdf *f, double at_wall, double away)
{
    return sqrt(at_wall * at_wall + 2.0 * f->margin * away + away * away);
}

/* Along the axes in which p is beyond a wall the field at the wall does not change with p. */
static v3 along_wall(v3 gradient, v3 e)
{
    return v3_make(e.x == 0.0 ? gradient.x : 0.0, e.y == 0.0 ? gradient.y : 0.0, e.z == 0.0 ? gradient.z : 0.0);
}

static field_sample sample_outside(const sdf *f, v3 x)
{
    v3 q = clamp_to_box(f, x);
    v3 e = v3_scale(f->spacing, v3_sub(x, q));
    double away = v3_norm(e);
    if (!(away < HUGE_VAL)) {
        v3 none = v3_make((double)NAN, (double)NAN, (double)NAN);
        return (field_sample){ (double)NAN, none };
    }
    field_sample wall = f->type->sample(f, q);
    double distance = extended(f, wall.distance, away);
    v3 push = away > 0.0 ? v3_scale((f->margin + away) / away, e) : v3_zero();
    v3 gradient = v3_axpy(push, wall.distance, along_wall(wall.gradient, e));
    return (field_sample){ distance, v3_scale(1.0 / distance, gradient) };
}

field_sample sdf_sample(const sdf *f, v3 p)
{
    v3 x = sdf_in_cells(f, p);
    return sdf_is_inside(f, x) ? f->type->sample(f, x) : sample_outside(f, x);
}

double sdf_distance(const sdf *f, v3 p)
{
    v3 x = sdf_in_cells(f, p);
    return sdf_is_inside(f, x) ? f->type->distance(f, x) : sample_outside(f, x).distance;
}

void sdf_sample_many(const sdf *f, const v3 *p, size_t count, field_sample *out)
{
    f->type->sample_many(f, p, count, out);
}

/* ---- memory --------------------------------------------------------------------------------------------------------- */

bool sdf_allocate(sdf *f, int64_t index_count, int64_t node_count, int64_t coarse_count)
{
    f->index = malloc(((size_t)index_count + 1) * sizeof *f->index);
    f->nodes = node_count > 0 ? malloc((size_t)node_count * sizeof *f->nodes) : NULL;
    f->coarse = malloc(((size_t)coarse_count + 1) * sizeof *f->coarse);
    f->index_count = index_count;
    f->node_count = node_count;
    f->coarse_count = coarse_count;
    return f->index && f->coarse && (f->nodes || node_count == 0);
}

carom_status sdf_no_memory(const sdf *f, carom_error *err)
{
    return carom_fail(
        err, CAROM_NO_MEMORY,
        "out of memory for a distance field (%s, %d x %d x %d cells of %.3g m); make the spacing larger",
        f->type->name, f->cells[0], f->cells[1], f->cells[2], f->spacing);
}

void sdf_destroy(sdf *f)
{
    if (f) {
        free(f->index);
        free(f->nodes);
        free(f->coarse);
        free(f);
    }
}

/* ---- what is known -------------------------------------------------------------------------------------------------- */

const sdf_info *sdf_about(const sdf *f)
{
    return &f->info;
}

const sdf_type *sdf_type_of(int kind)
{
    static const sdf_type *const types[] = { &sdf_type_dense, &sdf_type_bricks, &sdf_type_octree };
    return kind >= 0 && kind < 3 ? types[kind] : NULL;
}

const char *sdf_kind_name(int kind)
{
    const sdf_type *type = sdf_type_of(kind);
    return type ? type->name : "unknown";
}

const char *sdf_sign_name(int sign)
{
    static const char *const names[] = { "auto", "pseudonormal", "winding" };
    return sign >= 0 && sign < 3 ? names[sign] : "unknown";
}

uint64_t sdf_hash(const sdf *f)
{
    uint64_t hash = carom_hash(CAROM_HASH_START, f->cells, sizeof f->cells);
    hash = carom_hash(hash, &f->low, sizeof f->low);
    hash = carom_hash(hash, &f->spacing, sizeof f->spacing);
    hash = carom_hash(hash, &f->info.error_bound, sizeof f->info.error_bound);
    hash = carom_hash(hash, &f->info.error_mean, sizeof f->info.error_mean);
    hash = carom_hash(hash, f->index, (size_t)f->index_count * sizeof *f->index);
    hash = carom_hash(hash, f->nodes, (size_t)f->node_count * sizeof *f->nodes);
    return carom_hash(hash, f->coarse, (size_t)f->coarse_count * sizeof *f->coarse);
}

static void say_sign(const sdf_info *info, carom_text *out)
{
    if (info->sign == SDF_SIGN_PSEUDONORMAL) {
        carom_text_add(out,
                       "the sign comes from pseudonormals: exact for a closed surface that does not cut itself\n");
    } else {
        carom_text_add(out, "the sign comes from winding numbers: inside is where they exceed one half\n");
    }
}

static void say_surface(const sdf_info *info, carom_text *out)
{
    if (info->open_edges > 0) {
        carom_text_add(out,
                       "warning: the surface has holes (%d open edges); inside and outside are a guess near them\n",
                       info->open_edges);
    }
    if (info->nonmanifold_edges > 0) {
        carom_text_add(out, "warning: %d edges have more than two triangles\n", info->nonmanifold_edges);
    }
    if (info->flipped_edges > 0) {
        carom_text_add(out, "warning: neighbouring triangles disagree about the outside at %d edges\n",
                       info->flipped_edges);
    }
    if (info->self_intersections > 0) {
        bool more = info->self_intersections > CAROM_MESH_MOST_CUTS;
        carom_text_add(
            out,
            "warning: the surface cuts itself (%s%zu pairs of triangles); overlapping parts are one solid, "
            "and distances inside it are to the nearest triangle, also to those within\n",
            more ? "more than " : "", info->self_intersections - more);
    }
    if (info->degenerate_triangles > 0) {
        carom_text_add(out, "warning: %d triangles have no area\n", info->degenerate_triangles);
    }
    if (info->volume < 0.0) {
        carom_text_add(out, "warning: the surface is inside out (volume %.3g m^3); its sides were exchanged\n",
                       info->volume);
    }
}

void sdf_remarks(const sdf_info *info, carom_text *out)
{
    const double noticeable = 0.01;
    say_sign(info, out);
    say_surface(info, out);
    if (info->thin_share > noticeable) {
        carom_text_add(out,
                       "warning: %.0f %% of the surface bounds walls thinner than a cell of %.3g m, which the field "
                       "does not see as solid; make the spacing smaller than the walls\n",
                       100.0 * info->thin_share, info->spacing);
    }
}
