/* What points of one surface in the field of the other cannot see: faces between the points, edges that cross.
 *
 * Both questions are put to the fields around a point of contact, at its first steps and ever more rarely later. */
#include "sim/judge.h"

static const double PI = 3.141592653589793;

/* The colliders that touch at a point. */
typedef struct meeting {
    int collider[2];
    v3 p_w, n_w;
    double depth;
    double size; /* [m] of the smaller one */
} meeting;

static bool meeting_at(const contact_judge *j, const carom_scratch *w, const carom_contact_point *at, meeting *out)
{
    *out = (meeting){ .p_w = at->position, .n_w = at->normal, .depth = -at->gap, .size = HUGE_VAL };
    for (int side = 0; side < 2; ++side) {
        int c = judge_collider_at(j, w, at->body[side], at->position, -at->gap);
        out->collider[side] = c;
        out->size = c >= 0 ? fmin(out->size, model_collider_size(&j->model->colliders[c])) : out->size;
    }
    return out->collider[0] >= 0 && out->collider[1] >= 0 && out->depth > 0.0;
}

/* Balls touch where they should, at one point; so do whole corners, edges and circles. */
static bool touches_truly(const contact_judge *j, const meeting *m)
{
    const collider *a = j->model->colliders[m->collider[0]].collider;
    const collider *b = j->model->colliders[m->collider[1]].collider;
    return collider_has_balls(a) || collider_has_balls(b) ||
           model_pair_is_exact(j->model, m->collider[0], m->collider[1]);
}

/* ---- faces between points ----------------------------------------------------------------------------------------- */

/* [m] How deep both are in each other at a place: what is left between their surfaces. */
static double overlap_at(const contact_judge *j, const carom_scratch *w, const meeting *m, v3 p_w)
{
    return -judge_field(j, w, m->collider[0], p_w).distance - judge_field(j, w, m->collider[1], p_w).distance;
}

/* Whether the surfaces stay as near to each other in two directions that are not opposite, as they do between two flat
 * faces: an eighth of the size away from the point. */
static bool is_flat(const contact_judge *j, const carom_scratch *w, const meeting *m)
{
    enum { DIRECTIONS = 8 };
    v3 x = v3_across(m->n_w);
    v3 y = v3_cross(m->n_w, x);
    double depth = overlap_at(j, w, m, m->p_w);
    unsigned inside = 0;
    for (int k = 0; k < DIRECTIONS; ++k) {
        double angle = 2.0 * PI * k / DIRECTIONS;
        v3 way = v3_add(v3_scale(cos(angle), x), v3_scale(sin(angle), y));
        double there = overlap_at(j, w, m, v3_axpy(m->p_w, 0.125 * m->size, way));
        inside |= there > 0.9 * depth ? 1u << k : 0u;
    }
    unsigned lines = (inside | inside >> 4) & 0xfu; /* a direction and its opposite are one line */
    return (lines & (lines - 1)) != 0;
}

/* Points that hold a flat contact against tilting. */
enum { ENOUGH_POINTS = 3 };

static void judge_points(const contact_judge *j, carom_scratch *w, const judged_pair *p, const meeting *m)
{
    const carom_contact_point *at = p->hardest;
    if (p->count < ENOUGH_POINTS && p->now->age >= 16 && is_flat(j, w, m)) {
        finding_note(&w->findings, CAROM_FINDING_FEW_POINTS, finding_at_pair(at->body[0], at->body[1]), p->count,
                     ENOUGH_POINTS, w->t);
    }
}

/* ---- edges that cross --------------------------------------------------------------------------------------------- */

enum { FACES_MOST = 3 };

static bool is_new(const v3 *normals, int count, v3 n)
{
    for (int k = 0; k < count; ++k) {
        if (v3_dot(normals[k], n) >
            0.985) { /* within ten degrees: the same face, or one that is nearly flat with it */
            return false;
        }
    }
    return true;
}

/* The faces of a collider around a place: the gradients of its field at points inside it, FACES_MOST at most. */
static int faces_around(const contact_judge *j, const carom_scratch *w, int index, v3 p_w, double reach, v3 *out)
{
    int count = 0;
    for (int k = 0; k < 27 && count < FACES_MOST; ++k) {
        v3 step = v3_make(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        field_sample f = judge_field(j, w, index, v3_axpy(p_w, reach, step));
        if (f.distance < -1e-3 * reach && is_new(out, count, f.gradient)) {
            out[count++] = f.gradient;
        }
    }
    return count;
}

/* Faces that meet at less than this are pieces of a rounded surface, as in the mesh of one. */
static const double SHARP = 0.65; /* cosine: 49 degrees between their normals */

/* The direction of the edge of a collider at a place; false: it is a face, a corner or a rounded surface. */
static bool edge_at(const contact_judge *j, const carom_scratch *w, int index, v3 p_w, double reach, v3 *along)
{
    v3 faces[FACES_MOST];
    if (faces_around(j, w, index, p_w, reach, faces) != 2) {
        return false;
    }
    v3 cross = v3_cross(faces[0], faces[1]);
    double sine = v3_norm(cross);
    *along = sine > 0.0 ? v3_scale(1.0 / sine, cross) : cross;
    return sine > 0.0 && v3_dot(faces[0], faces[1]) < SHARP;
}

static void judge_edges(const contact_judge *j, carom_scratch *w, const judged_pair *p, const meeting *m)
{
    const carom_contact_point *at = p->hardest;
    v3 edge[2];
    double reach = fmax(2.0 * m->depth, 1e-4 * m->size);
    for (int side = 0; side < 2; ++side) {
        const sdf_info *field = collider_field(j->model->colliders[m->collider[side]].collider);
        double grain = field ? 2.0 * field->spacing : 0.0; /* nearer to an edge a stored field is rounded */
        if (!edge_at(j, w, m->collider[side], m->p_w, fmax(reach, grain), &edge[side])) {
            return;
        }
    }
    v3 across = v3_cross(edge[0], edge[1]);
    double sine = v3_norm(across);
    if (sine < 0.1) {
        return; /* along each other */
    }
    double off = acos(fmin(fabs(v3_dot(across, m->n_w)) / sine, 1.0)) * 180.0 / PI;
    const double noticeable = 5.0; /* [degrees] */
    if (off > noticeable) {
        finding_note(&w->findings, CAROM_FINDING_CROSSING_EDGES, finding_at_pair(at->body[0], at->body[1]), off,
                     noticeable, w->t);
    }
}

/* Ages 0, 1, 2, 4, 8, 16, ...: a touch is looked at often when it is new. */
static bool is_time(int age)
{
    return (age & (age - 1)) == 0 || age % 4096 == 0;
}

void judge_surfaces(const contact_judge *j, carom_scratch *w, const judged_pair *p)
{
    meeting m;
    if (p->count >= ENOUGH_POINTS || !is_time(p->now->age) || !meeting_at(j, w, p->hardest, &m) ||
        touches_truly(j, &m)) {
        return;
    }
    judge_points(j, w, p, &m);
    judge_edges(j, w, p, &m);
}
