/* Taking an island out of a reduced problem. */
#include "nonsmooth/reduced_part.h"

void reduced_part_create(reduced_part *part, carom_arena *arena, int rows, int elements, int loads)
{
    size_t n = (size_t)rows + 1;
    size_t m = (size_t)loads + 1;
    *part = (reduced_part){
        .row = CAROM_ARENA_ARRAY(arena, int, n),
        .element = CAROM_ARENA_ARRAY(arena, int, elements + 1),
        .D = CAROM_ARENA_ARRAY(arena, double, n *n),
        .B = CAROM_ARENA_ARRAY(arena, double, m *n),
        .rate = CAROM_ARENA_ARRAY(arena, double, n),
        .load = CAROM_ARENA_ARRAY(arena, double, m),
        .elements = CAROM_ARENA_ARRAY(arena, friction_element, elements + 1),
        .groups = CAROM_ARENA_ARRAY(arena, load_group, m),
        .place = CAROM_ARENA_ARRAY(arena, int, n),
    };
}

static void take_rows(reduced_part *part, const reduced_problem *whole, int island)
{
    reduced_problem *p = &part->problem;
    for (int k = 0; k < whole->row_count; ++k) {
        if (whole->island[k] != island) {
            continue;
        }
        part->place[k] = p->row_count;
        part->row[p->row_count++] = k;
        p->contact_count += k < whole->contact_count;
    }
    for (int k = 0; k < p->row_count; ++k) {
        const double *D = whole->D + (size_t)part->row[k] * (size_t)whole->row_count;
        for (int l = 0; l < p->row_count; ++l) {
            part->D[k * p->row_count + l] = D[part->row[l]];
        }
        part->rate[k] = whole->rate ? whole->rate[part->row[k]] : 0.0;
    }
}

/* One component of a load: what rows of the island do to it. */
static void take_load(reduced_part *part, const reduced_problem *whole, int from)
{
    reduced_problem *p = &part->problem;
    int to = p->load_count++;
    for (int k = 0; k < p->row_count; ++k) {
        part->B[to * p->row_count + k] = whole->B[(size_t)from * (size_t)whole->row_count + (size_t)part->row[k]];
    }
    part->load[to] = whole->load ? whole->load[from] : 0.0;
}

static void take_element(reduced_part *part, const reduced_problem *whole, int e)
{
    reduced_problem *p = &part->problem;
    friction_element el = whole->elements[e];
    int first_group = p->group_count;
    for (int g = 0; el.contact < 0 && g < el.group_count; ++g) {
        load_group group = whole->groups[el.first_group + g];
        part->groups[p->group_count++] = (load_group){ p->load_count, group.dim };
        for (int i = 0; i < group.dim; ++i) {
            take_load(part, whole, group.first + i);
        }
    }
    el.first_row = part->place[el.first_row];
    el.contact = el.contact >= 0 ? part->place[el.contact] : -1;
    el.first_group = first_group;
    part->element[p->element_count] = e;
    part->elements[p->element_count++] = el;
}

void reduced_part_take(reduced_part *part, const reduced_problem *whole, int island)
{
    part->problem = (reduced_problem){ .D = part->D,
                                       .B = part->B,
                                       .rate = part->rate,
                                       .load = part->load,
                                       .elements = part->elements,
                                       .groups = part->groups,
                                       .island_count = 1,
                                       .stop = whole->stop };
    take_rows(part, whole, island);
    for (int e = 0; e < whole->element_count; ++e) {
        if (whole->island[whole->elements[e].first_row] == island) {
            take_element(part, whole, e);
        }
    }
}
