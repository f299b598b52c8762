/* Outlines of planar shapes: what corners and sides need to be compared, and the trees they are found by. */
#include "collision/facets_build.h"

#include <stdlib.h>

static const double LEVEL = 1e-9; /* sine of the angle of sides that lie along a line */

static const v3 *place_of(const facet_outline *o, int i)
{
    return &o->corners[(i + o->count) % o->count].r;
}

static void finish_corner(facet_outline *o, int i)
{
    facet_corner *c = &o->corners[i];
    c->spokes[0] = v3_unit(v3_sub(*place_of(o, i + 1), c->r));
    c->spokes[1] = v3_unit(v3_sub(*place_of(o, i - 1), c->r));
    c->spoke_count = o->line ? 1 : 2;
    c->convex = o->line || v3_dot(v3_cross(c->spokes[0], c->spokes[1]), o->normal) > LEVEL;
    o->corner_balls[i] = (feature_ball){ .center = c->r };
}

static void finish_side(facet_outline *o, int j)
{
    v3 along = v3_sub(*place_of(o, j + 1), *place_of(o, j));
    facet_side *side = &o->sides[j];
    *side = (facet_side){ .r = *place_of(o, j), .length = v3_norm(along) };
    side->d = v3_scale(1.0 / side->length, along);
    side->normal = v3_cross(side->d, o->normal);
    o->side_balls[j] = (feature_ball){ v3_axpy(side->r, 0.5, along), 0.5 * side->length };
}

static bool allocate(facet_outline *o)
{
    size_t count = (size_t)o->count;
    o->corners = calloc(count, sizeof *o->corners);
    o->sides = calloc(count, sizeof *o->sides);
    o->corner_balls = calloc(count, sizeof *o->corner_balls);
    o->side_balls = calloc(count, sizeof *o->side_balls);
    return o->corners && o->sides && o->corner_balls && o->side_balls;
}

static bool take_places(facet_outline *o, const carom_shape_type *type, const void *params)
{
    v3 *places = malloc((size_t)o->count * sizeof *places);
    if (!places) {
        return false;
    }
    type->outline(places, o->count, params);
    for (int i = 0; i < o->count; ++i) {
        o->corners[i].r = places[i];
    }
    free(places);
    return true;
}

bool facets_take_outline(facets *f, const carom_shape_type *type, const void *params, const shape_skeleton *s)
{
    facet_outline *o = &f->outline;
    int count = type->outline(NULL, 0, params);
    *o = (facet_outline){ .count = count, .line = count == 2, .normal = s->planar_normal, .half = s->planar_half };
    o->side_count = o->line ? 1 : count;
    if (!allocate(o) || !take_places(o, type, params)) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        finish_corner(o, i);
    }
    for (int j = 0; j < o->side_count; ++j) {
        finish_side(o, j);
    }
    return feature_tree_build(&o->corner_tree, o->corner_balls, count) &&
           feature_tree_build(&o->side_tree, o->side_balls, o->side_count);
}

void facets_free_outline(facets *f)
{
    facet_outline *o = &f->outline;
    feature_tree_free(&o->corner_tree);
    feature_tree_free(&o->side_tree);
    free(o->corner_balls);
    free(o->side_balls);
    free(o->corners);
    free(o->sides);
}
