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

/* Balls need nothing but their centre, ellipsoids and capsules are one element or three; all else is corners and curves. */
enum { RANK_BALL, RANK_OVAL, RANK_CAPSULE, RANK_CORNERS };

static int rank_of(const collider *c)
{
    const exact_elements *e = c->elements;
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
    if (e->kind == EXACT_BALL) {
        field_sample f = field_source_sample(&s->field->field, e->r, &s->hint);
        k = (exact_look){ e->radius - f.distance, v3_neg(f.gradient), 0 };
    } else {
        k = exact_solid_look(&s->field->elements->solid, e->r);
    }
    if (k.depth > 0.0) {
        exact_touch t = { .depth = k.depth, .gradient_f = v3_neg(k.inwards), .place_count = 1 };
        t.p_f = v3_axpy(e->r, e->radius - 0.5 * k.depth, k.inwards);
        push(s, index, e->kind, &t);
    }
}

static void find_pieces(curve_job *j)
{
    if (exact_is_rounded_line(j->curve.kind)) {
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
    curve_job j = { .curve = *e, .solid = solid, .distance = &s->field->field, .room = s->out->room, .hint = -1 };
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
static bool out_of_reach(const exact_search *s, const exact_element *e)
{
    const exact_solid *solid = &s->field->elements->solid;
    double depth = solid->round == ROUND_WHOLE ? -collider_sample(s->field, e->middle).distance
                                               : exact_solid_look(solid, e->middle).depth;
    return depth + e->reach <= 0.0;
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
    } else if (!out_of_reach(s, &e)) {
        try_curve(s, index, &e);
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
    out->asked.features += e->count;
    for (int i = 0; i < e->count && !s.failed; ++i) {
        try_element(&s, i, &e->items[i]);
    }
    out->count = s.failed ? before : out->count;
    return !s.failed;
}
