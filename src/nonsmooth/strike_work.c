/* Room for impacts. */
#include "nonsmooth/strike_work.h"

#include "linalg/dense.h"

/* Vectors of the steps in which slip turns. */
static void make_room_for_turns(carom_arena *arena, strike_work *w, size_t r, size_t e)
{
    double **vectors[] = { &w->y, &w->y_new, &w->z[0], &w->z[1], &w->slope, &w->y_end, &w->slope_end, &w->speed };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = CAROM_ARENA_ARRAY(arena, double, r);
    }
    w->table = CAROM_ARENA_ARRAY(arena, double, r *STROKE_COLUMNS);
    w->turned = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->begun = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->creeps = CAROM_ARENA_ARRAY(arena, bool, e);
    w->load = CAROM_ARENA_ARRAY(arena, double, e);
    w->sign = CAROM_ARENA_ARRAY(arena, double, w->loads + 1);
}

/* What every impact at one contact needs. */
static void make_room_for_one(carom_arena *arena, strike_work *w, size_t r, size_t e)
{
    double **vectors[] = { &w->start, &w->normal, &w->before, &w->impulse, &w->right };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        *vectors[i] = CAROM_ARENA_ARRAY(arena, double, r);
    }
    w->held = CAROM_ARENA_ARRAY(arena, bool, e);
    w->stop = CAROM_ARENA_ARRAY(arena, bool, e);
    w->stops = CAROM_ARENA_ARRAY(arena, int, e);
    w->state = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->until_slip = CAROM_ARENA_ARRAY(arena, double, e);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, r *r);
    w->scratch = CAROM_ARENA_ARRAY(arena, double, dense_scratch(w->rows + 1));
    w->index = CAROM_ARENA_ARRAY(arena, int, r);
}

strike_work *strike_create(carom_arena *arena, int rows, int elements, int loads)
{
    strike_work *w = CAROM_ARENA_ARRAY(arena, strike_work, 1);
    if (!w) {
        return NULL;
    }
    size_t r = (size_t)rows + 1;
    size_t e = (size_t)elements + 1;
    w->rows = rows;
    w->elements = elements;
    w->loads = loads;
    w->friction = friction_create(arena, rows, elements, loads);
    make_room_for_one(arena, w, r, e);
    make_room_for_turns(arena, w, r, e);
    w->all = strike_all_create(arena, rows, elements, loads);
    return arena->failed ? NULL : w;
}
