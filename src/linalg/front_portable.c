/* The product of fronts for any processor, and what is eliminated with it. */
#include "linalg/front.inc"

#include <math.h>

const front_kernels front_kernels_portable = { .update = update };

size_t front_room(int rows)
{
    const int widest = 16; /* strip */
    return 2 * (size_t)(rows + widest) * FRONT_DEPTH;
}

static bool passes(const front_panel *f, int column, double pivot)
{
    return f->floors ? pivot > f->floors[column] && pivot <= HUGE_VAL : isfinite(pivot) && pivot != 0.0;
}

/* Columns from..end one by one; returns the columns done. */
static int eliminate_base(const front_panel *f, int from, int end)
{
    for (int j = from; j < end; ++j) {
        double *own = f->values + (ptrdiff_t)j * f->step;
        if (!passes(f, j, own[j])) {
            return j;
        }
        f->pivots[j] = own[j];
        const double inverse = 1.0 / own[j];
        for (int c = j + 1; c < end; ++c) {
            double *other = f->values + (ptrdiff_t)c * f->step;
            const double times = own[c] * inverse;
            for (int i = c; i < f->rows; ++i) {
                other[i] -= times * own[i];
            }
        }
        for (int i = j + 1; i < f->rows; ++i) {
            own[i] *= inverse;
        }
    }
    return end;
}

/* Halves: the left one is eliminated, taken off the right one, and that is eliminated. */
static int eliminate(const front_kernels *kernels, const front_panel *f, int from, int end)
{
    if (end - from <= FRONT_BASE) {
        return eliminate_base(f, from, end);
    }
    int middle = from + ((end - from) / 2 + FRONT_BASE - 1) / FRONT_BASE * FRONT_BASE;
    int done = eliminate(kernels, f, from, middle);
    if (done < middle) {
        return done;
    }
    kernels->update(&(front_update){ .target = f->values + middle + (ptrdiff_t)middle * f->step,
                                     .target_step = f->step,
                                     .rows = f->rows - middle,
                                     .columns = end - middle,
                                     .source = f->values + middle + (ptrdiff_t)from * f->step,
                                     .source_step = f->step,
                                     .pivots = f->pivots + from,
                                     .depth = middle - from,
                                     .room = f->room });
    return eliminate(kernels, f, middle, end);
}

int front_eliminate(const front_kernels *kernels, const front_panel *panel)
{
    return eliminate(kernels, panel, 0, panel->columns);
}
