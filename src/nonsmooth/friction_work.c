/* Room for friction. */
#include "nonsmooth/friction_work.h"

#include "linalg/dense.h"

static bool has_room(const friction_work *w)
{
    return w->state && w->force && w->rate && w->load && w->stuck && w->column && w->lambda && w->matrix &&
           w->right && w->scratch && w->resting && w->trial && w->begin && w->at && w->turning && w->turn &&
           w->turning_row && w->own && w->residual && w->last_residual && w->sweep;
}

friction_work *friction_create(carom_arena *arena, int rows, int elements, int loads)
{
    friction_work *w = CAROM_ARENA_ARRAY(arena, friction_work, 1);
    if (!w) {
        return NULL;
    }
    size_t r = (size_t)rows + 1, e = (size_t)elements + 1, l = (size_t)loads + 1;
    w->state = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->force = CAROM_ARENA_ARRAY(arena, double, r);
    w->rate = CAROM_ARENA_ARRAY(arena, double, r);
    w->load = CAROM_ARENA_ARRAY(arena, double, e);
    w->stuck = CAROM_ARENA_ARRAY(arena, int, r);
    w->column = CAROM_ARENA_ARRAY(arena, double, e *r);
    w->lambda = CAROM_ARENA_ARRAY(arena, double, l);
    w->matrix = CAROM_ARENA_ARRAY(arena, double, r *r);
    w->right = CAROM_ARENA_ARRAY(arena, double, r *(r + e + SLIP_DIM));
    w->scratch = CAROM_ARENA_ARRAY(arena, double, dense_scratch(rows + 1));
    w->resting = CAROM_ARENA_ARRAY(arena, int, e);
    w->trial = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->begin = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->at = CAROM_ARENA_ARRAY(arena, friction_state, e);
    w->turning = CAROM_ARENA_ARRAY(arena, double, r *r);
    w->turn = CAROM_ARENA_ARRAY(arena, double, r);
    w->turning_row = CAROM_ARENA_ARRAY(arena, int, r);
    w->own = CAROM_ARENA_ARRAY(arena, double, e *SLIP_DIM *SLIP_DIM);
    w->residual = CAROM_ARENA_ARRAY(arena, double, r);
    w->last_residual = CAROM_ARENA_ARRAY(arena, double, r);
    w->sweep = CAROM_ARENA_ARRAY(arena, double, r);
    return joint_loads_create(&w->loads, arena, elements, loads) && has_room(w) ? w : NULL;
}
