/* Room for impacts. */
#include "methods/impact/strike_work.h"

#include "linalg/dense.h"

static bool has_room(const strike_work *w)
{
    return w->friction && w->normal && w->held && w->stop && w->state && w->turned && w->speed && w->before &&
           w->until_slip && w->impulse && w->matrix && w->right && w->scratch && w->index && w->y && w->y_new &&
           w->z[0] && w->z[1] && w->slope && w->table && w->y_end && w->slope_end && w->sign && w->creeps &&
           w->stops && w->load && w->begun && w->start && w->all;
}

strike_work *strike_create(carom_arena *arena, int rows, int elements, int loads)
{
    strike_work *w = CAROM_ARENA_ARRAY(arena, strike_work, 1);
    if (!w) {
        return NULL;
    }
    size_t r = (size_t)rows + 1, e = (size_t)elements + 1;
    w->rows = rows;
    w->elements = elements;
    w->loads = loads;
    w->friction = friction_create(arena, rows, elements, loads);
    w->normal = CAROM_ARENA_ARRAY(arena, double, r);
    w->held = CAROM_ARENA_ARRAY(arena, bool, e);
    w->stop = CAROM_ARENA_ARRAY(arena, bool, e);
    w->state = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->turned = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->speed = CAROM_ARENA_ARRAY(arena, double, r);
    w->until_slip = CAROM_ARENA_ARRAY(arena, double, e);
    w->before = CAROM_ARENA_ARRAY(arena, double, r);
    w->impulse = CAROM_ARENA_ARRAY(arena, double, r);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, r *r);
    w->right = CAROM_ARENA_ARRAY(arena, double, r);
    w->scratch = CAROM_ARENA_ARRAY(arena, double, dense_scratch(rows + 1));
    w->index = CAROM_ARENA_ARRAY(arena, int, r);
    w->y = CAROM_ARENA_ARRAY(arena, double, r);
    w->y_new = CAROM_ARENA_ARRAY(arena, double, r);
    w->z[0] = CAROM_ARENA_ARRAY(arena, double, r);
    w->z[1] = CAROM_ARENA_ARRAY(arena, double, r);
    w->slope = CAROM_ARENA_ARRAY(arena, double, r);
    w->table = CAROM_ARENA_ARRAY(arena, double, r *STROKE_COLUMNS);
    w->y_end = CAROM_ARENA_ARRAY(arena, double, r);
    w->slope_end = CAROM_ARENA_ARRAY(arena, double, r);
    w->sign = CAROM_ARENA_ARRAY(arena, double, loads + 1);
    w->creeps = CAROM_ARENA_ARRAY(arena, bool, e);
    w->stops = CAROM_ARENA_ARRAY(arena, int, e);
    w->load = CAROM_ARENA_ARRAY(arena, double, e);
    w->begun = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->start = CAROM_ARENA_ARRAY(arena, double, r);
    w->all = strike_all_create(arena, rows, elements, loads);
    return has_room(w) ? w : NULL;
}
