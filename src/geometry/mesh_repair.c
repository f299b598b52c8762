/* Repair, step by step on a copy: weld, drop what bounds nothing, orient, flatten, close holes, orient what that closed.
 * Everything done or assumed is written down. */
#include "geometry/mesh_repair.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "geometry/mesh_repair_steps.h"

enum { LONGEST_HOLE = 1000 }; /* edges: a thousand take a second and some ten megabytes */

static void say(carom_mesh_repair_log *log, const char *fmt, ...) CAROM_PRINTF(2, 3);

static void say(carom_mesh_repair_log *log, const char *fmt, ...)
{
    if (log->line_count == CAROM_MESH_LINES) {
        return;
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(log->lines[log->line_count++], CAROM_MESH_LINE, fmt, args);
    va_end(args);
}

static const char *plural(int count)
{
    return count == 1 ? "" : "s";
}

static void say_count(carom_mesh_repair_log *log, int count, const char *before, const char *thing, const char *after)
{
    if (count > 0) {
        say(log, "%s %d %s%s%s", before, count, thing, plural(count), after);
    }
}

carom_mesh_repair_options carom_mesh_repair_defaults(void)
{
    return (carom_mesh_repair_options){ 0 };
}

static carom_status check_options(const mesh *m, const carom_mesh_repair_options *o, carom_error *err)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    double size = v3_norm(v3_sub(high, low));
    if (!isfinite(o->weld) || o->weld < 0.0 || o->weld > 0.1 * size) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "the distance for welding is %g; it must be from 0 to %g, a tenth of the mesh", o->weld,
                          0.1 * size);
    }
    if (o->fill < 0 || o->fill > LONGEST_HOLE) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "holes of up to %d edges cannot be filled; give a number from 0 to %d", o->fill,
                          LONGEST_HOLE);
    }
    return CAROM_OK;
}

static mesh *copy_mesh(const mesh *m)
{
    mesh *copy = mesh_create(m->vertex_count, m->triangle_count);
    if (copy) {
        memcpy(copy->vertices, m->vertices, (size_t)m->vertex_count * sizeof *m->vertices);
        memcpy(copy->triangles, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);
    }
    return copy;
}

/* Smaller than rounding at this distance from the origin: nothing but equal points is that near. */
static double usable_tolerance(const mesh *m, double weld)
{
    v3 low, high;
    mesh_bounds(&low, &high, m);
    double farthest = fmax(v3_norm(low), v3_norm(high));
    return weld > 1e-15 * farthest ? weld : 0.0;
}

static bool clean(mesh *m, const carom_mesh_repair_options *o, carom_mesh_repair_log *log)
{
    int count = 0;
    bool ok = repair_weld(m, usable_tolerance(m, o->weld), &count);
    if (ok && count > 0) {
        say(log, "welded %d vert%s to others within %g", count, count == 1 ? "ex" : "ices", o->weld);
    }
    if (ok && !o->keep_degenerate) {
        repair_drop_folded(m, &count);
        say_count(log, count, "removed", "triangle", " with a corner twice");
    }
    if (ok && !o->keep_duplicates) {
        ok = repair_drop_duplicates(m, &count);
        say_count(log, count, "removed", "duplicate triangle", "");
    }
    return ok;
}

static bool flatten(mesh *m, const carom_mesh_repair_options *o, carom_mesh_repair_log *log)
{
    int helped, left;
    if (o->keep_degenerate) {
        return true;
    }
    if (!repair_flatten(m, &helped, &left)) {
        return false;
    }
    say_count(log, helped, "resolved", "triangle", " without area by flipping its longest edge");
    say_count(log, left, "left", "triangle", " without area: removing it would tear the surface");
    return true;
}

static bool fill(mesh *m, const carom_mesh_repair_options *o, carom_mesh_repair_log *log)
{
    fill_result result;
    if (o->fill == 0) {
        return true;
    }
    if (!repair_fill(m, o->fill, &result)) {
        return false;
    }
    if (result.holes > 0) {
        say(log, "closed %d hole%s with %d triangle%s; assumed: the smallest surface fits", result.holes,
            plural(result.holes), result.triangles, plural(result.triangles));
    }
    say_count(log, result.left, "left", "hole", " open: too long, or not to be closed without touching itself");
    return true;
}

static void say_orientation(carom_mesh_repair_log *log, const orient_result *first, const orient_result *last)
{
    say_count(log, first->turned + last->turned, "turned", "triangle", "");
    say_count(log, last->cavities, "assumed: ", "component", " inside another bounds a cavity and faces inwards");
    say_count(log, last->open, "assumed: ", "open piece", " faces the way most of its triangles did");
    say_count(log, last->one_sided, "left", "one-sided piece", ", which no turning can make face one way");
}

/* Twice: filling needs neighbours that agree, and what it closes must then be turned outwards. */
static bool repair(mesh *m, const carom_mesh_repair_options *o, carom_mesh_repair_log *log)
{
    orient_result first = { 0 };
    orient_result last = { 0 };
    int unused;
    bool ok = clean(m, o, log);
    ok = ok && (o->keep_orientation || repair_orient(m, o->everything_outwards, &first));
    ok = ok && flatten(m, o, log);
    ok = ok && fill(m, o, log);
    ok = ok && (o->keep_orientation || repair_orient(m, o->everything_outwards, &last));
    ok = ok && repair_drop_unused(m, &unused);
    if (ok) {
        say_orientation(log, &first, &last);
    }
    if (ok && log->line_count == 0) {
        say(log, "nothing to repair");
    }
    return ok;
}

carom_status mesh_repair(mesh **out, const mesh *m, const carom_mesh_repair_options *options,
                         carom_mesh_repair_log *log, carom_error *err)
{
    *out = NULL;
    *log = (carom_mesh_repair_log){ 0 };
    carom_status status = check_options(m, options, err);
    if (status != CAROM_OK) {
        return status;
    }
    mesh *work = copy_mesh(m);
    if (!work || !repair(work, options, log)) {
        mesh_destroy(work);
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory while repairing a mesh of %d triangles",
                          m->triangle_count);
    }
    if (work->triangle_count == 0) {
        mesh_destroy(work);
        return carom_fail(err, CAROM_BAD_INPUT, "nothing is left of the mesh: all its triangles are degenerate");
    }
    *out = work;
    return CAROM_OK;
}
