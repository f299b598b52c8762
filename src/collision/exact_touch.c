/* Elements of one collider in the exact solid of another. */
#include "collision/exact_touch.h"

#include <stdlib.h>

#include "base/array.h"
#include "collision/collider_parts.h"
#include "collision/exact_curve.h"

void exact_list_free(exact_list *list)
{
    curve_room_free(list->room);
    free(list->items);
    *list = (exact_list){ 0 };
}

/* ---- sides -------------------------------------------------------------------------------------------------------- */

/* Tori are one element that is tried in anything, balls need nothing but their centre, ellipsoids and capsules are one element or three;
 * all else is corners and curves. */
enum { RANK_HOOP, RANK_BALL, RANK_OVAL, RANK_CAPSULE, RANK_CORNERS };

static int rank_of(const collider *c)
{
    const exact_elements *e = c->elements;
    if (e->solid.round == ROUND_HOOP) {
        return RANK_HOOP;
    }
    if (e->solid.round != ROUND_WHOLE) {
        return RANK_CORNERS;
    }
    return e->items[0].kind == EXACT_OVAL ? RANK_OVAL : e->count > 1 ? RANK_CAPSULE : RANK_BALL;
}

double exact_sides(const collider *a, const collider *b, bool sides[2])
{
    int x = rank_of(a);
    int y = rank_of(b);
    bool both = x == y && x > RANK_OVAL;
    sides[0] = x <= y;
    sides[1] = y < x || both;
    return both && x == RANK_CAPSULE ? 0.5 : 1.0;
}

/* ---- one element -------------------------------------------------------------------------------------------------- */

typedef struct exact_search {
    const collider *field;
    m3 R_fe;
    v3 t_f;
    exact_list *out;
    int hint;
    bool failed;
} exact_search;

static v3 to_field(const exact_search *s, v3 r_e)
{
    return v3_add(s->t_f, m3_mulv(s->R_fe, r_e));
}

static exact_element in_field(const exact_search *s, const exact_element *x)
{
    exact_element e = *x;
    e.r = to_field(s, x->r);
    e.u = m3_mulv(s->R_fe, x->u);
    e.v = m3_mulv(s->R_fe, x->v);
    e.middle = to_field(s, x->middle);
    return e;
}

static void push(exact_search *s, int index, exact_kind kind, exact_touch *t)
{
    exact_list *out = s->out;
    if (!CAROM_ARRAY_RESERVE(out->items, out->capacity, out->count + 1)) {
        s->failed = true;
        return;
    }
    t->element = index;
    t->weight = kind == EXACT_SIDE ? 0.5 : 1.0;
    out->items[out->count++] = *t;
}

/* A point, or a ball around it: in the middle of the overlap, symmetric in both bodies. */
static void try_point(exact_search *s, int index, const exact_element *e)
{
    exact_look k;
    if (exact_solid_far(&s->field->elements->solid, e->r) >= e->radius) {
        return;
    }
    if (e->kind == EXACT_BALL) {
        field_sample f = field_source_sample(&s->field->elements->surface, e->r, &s->hint);
        k = (exact_look){ e->radius - f.distance, v3_neg(f.gradient), 0 };
    } else {
        k = exact_solid_look(&s->field->elements->solid, e->r, &s->hint);
    }
    if (k.depth > 0.0) {
        exact_touch t = { .depth = k.depth, .gradient_f = v3_neg(k.inwards), .place_count = 1 };
        t.p_f = v3_axpy(e->r, e->radius - 0.5 * k.depth, k.inwards);
        push(s, index, e->kind, &t);
    }
}

static void find_pieces(curve_job *j)
{
    if (j->curve.kind == EXACT_HOOP) {
        curve_trace_hoop(j);
    } else if (j->solid->round == ROUND_MESH) {
        curve_trace_mesh(j);
    } else if (exact_is_rounded_line(j->curve.kind)) {
        curve_search_line(j);
    } else if (j->solid->round == ROUND_NONE) {
        curve_trace_polyhedron(j);
    } else if (j->curve.kind == EXACT_CIRCLE) {
        curve_trace_ring(j);
    } else {
        curve_search_line(j);
    }
}

static void try_curve(exact_search *s, int index, const exact_element *e)
{
    const exact_solid *solid = &s->field->elements->solid;
    curve_job j = { .curve = *e,
                    .solid = solid,
                    .distance = &s->field->elements->surface,
                    .triangles = &s->field->elements->triangles,
                    .room = s->out->room,
                    .hint = s->hint };
    exact_touch t;
    j.room->count = 0;
    find_pieces(&j);
    s->failed = s->failed || j.failed;
    s->out->asked.cells += j.looks;
    if (!j.failed && j.room->count > 0 && curve_weigh(&j, &t)) {
        push(s, index, e->kind, &t);
    }
}

/* Depths are 1-Lipschitz: one look at the middle leaves out what is too far to touch. */
static bool out_of_reach(exact_search *s, v3 middle, double reach)
{
    const exact_solid *solid = &s->field->elements->solid;
    if (solid->round == ROUND_WHOLE) {
        return collider_sample(s->field, middle).distance >= reach;
    }
    return exact_solid_misses(solid, middle, reach, &s->hint);
}

static void try_oval(exact_search *s, int index, const exact_element *e)
{
    oval o = { e->r, m3_from_columns(e->u, e->v, v3_cross(e->u, e->v)), e->half };
    exact_touch t;
    if (exact_oval_touch(&o, s->field, &t, &s->out->asked.cells)) {
        push(s, index, e->kind, &t);
    }
}

static void try_element(exact_search *s, int index, const exact_element *own)
{
    if (own->kind == EXACT_SIDE && !exact_has_round_side(&s->field->elements->solid)) {
        return; /* rims and the other's edges are enough */
    }
    exact_element e = in_field(s, own);
    if (e.kind == EXACT_OVAL) {
        try_oval(s, index, &e);
    } else if (!exact_is_curve(e.kind)) {
        try_point(s, index, &e);
    } else if (!out_of_reach(s, e.middle, e.reach)) {
        try_curve(s, index, &e);
    }
}

static int by_element(const void *a, const void *b)
{
    int x = ((const exact_touch *)a)->element;
    int y = ((const exact_touch *)b)->element;
    return (x > y) - (x < y);
}

/* Cells of the tree whose ball misses the solid have nothing in it. */
static void try_tree(exact_search *s, const exact_elements *e, size_t before)
{
    for (int c = 0; c < e->tree.cell_count && !s->failed;) {
        const feature_cell *cell = &e->tree.cells[c];
        bool near = !out_of_reach(s, to_field(s, cell->ball.center), cell->ball.radius);
        for (int k = cell->first; near && k < cell->first + cell->count && !s->failed; ++k) {
            try_element(s, e->tree.order[k], &e->items[e->tree.order[k]]);
        }
        s->out->asked.features += near ? cell->count : 0;
        c = near ? c + 1 : cell->next;
    }
    if (s->out->count > before) {
        qsort(s->out->items + before, s->out->count - before, sizeof *s->out->items, by_element);
    }
}

static void try_all(exact_search *s, const exact_elements *e)
{
    s->out->asked.features += e->count;
    for (int i = 0; i < e->count && !s->failed; ++i) {
        try_element(s, i, &e->items[i]);
    }
}

bool exact_find(exact_list *out, const collider *field, const collider *elements, carom_pose pose_fe)
{
    size_t before = out->count;
    const exact_elements *e = elements->elements;
    exact_search s = {
        .field = field, .R_fe = q_matrix(pose_fe.orientation), .t_f = pose_fe.position, .out = out, .hint = -1
    };
    if (!out->room) {
        out->room = calloc(1, sizeof *out->room);
    }
    s.failed = !out->room;
    out->asked.searches += 1;
    if (!s.failed && e->tree.cell_count > 0) {
        try_tree(&s, e, before);
    } else if (!s.failed) {
        try_all(&s, e);
    }
    out->count = s.failed ? before : out->count;
    return !s.failed;
}
