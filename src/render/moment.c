#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "render/scenery.h"

/* The last frame at or before t, and how far t is on the way to the next one. */
typedef struct frame_place {
    size_t frame;
    double part; /* 0: at the frame */
} frame_place;

static frame_place place_of(const carom_result *result, double t)
{
    const double *time = carom_result_time(result);
    size_t low = 0, high = carom_result_frame_count(result);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (time[middle] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    bool between = low + 1 < carom_result_frame_count(result) && t > time[low] && time[low + 1] > time[low];
    return (frame_place){ low, between ? fmin((t - time[low]) / (time[low + 1] - time[low]), 1.0) : 0.0 };
}

static v3 between(v3 a, v3 b, double part)
{
    return v3_axpy(a, part, v3_sub(b, a));
}

/* The shorter way, along the chord: frames are near each other, and no sine is needed. */
static quat turned(quat a, quat b, double part)
{
    double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double to = cosine < 0.0 ? -part : part, from = 1.0 - part;
    return q_unit((quat){ from * a.w + to * b.w, from * a.x + to * b.x, from * a.y + to * b.y,
                          from * a.z + to * b.z });
}

static bool is_pose(carom_pose p)
{
    double length = q_norm(p.orientation);
    return v3_finite(p.position) && isfinite(length) && length > 0.0;
}

static carom_status read_pose(moment *m, const scenery *s, frame_place at, carom_id body, carom_error *err)
{
    carom_motion now, next;
    carom_status status = carom_result_motion(s->result, body, at.frame, &now, err);
    if (status != CAROM_OK) {
        return status;
    }
    m->there[body] = is_pose(now.pose);
    m->poses[body] = m->there[body] ? (carom_pose){ now.pose.position, q_unit(now.pose.orientation) } : now.pose;
    if (m->there[body] && at.part > 0.0) {
        status = carom_result_motion(s->result, body, at.frame + 1, &next, err);
        if (status == CAROM_OK && is_pose(next.pose)) {
            m->poses[body] = (carom_pose){ between(now.pose.position, next.pose.position, at.part),
                                           turned(m->poses[body].orientation, q_unit(next.pose.orientation),
                                                  at.part) };
        }
    }
    return status;
}

static carom_status read_displacements(const scenery *s, deforming_body *d, frame_place at, carom_error *err)
{
    carom_status status = result_flexible_displacements(s->result, d->body, at.frame, d->now, NULL, err);
    status = status == CAROM_OK ? result_flexible_turns(s->result, d->body, at.frame, d->turn_now, err) : status;
    if (status == CAROM_OK && at.part > 0.0) {
        status = result_flexible_displacements(s->result, d->body, at.frame + 1, d->next, NULL, err);
        status = status == CAROM_OK ? result_flexible_turns(s->result, d->body, at.frame + 1, d->turn_next, err)
                                    : status;
        size_t numbers = 3 * d->mesh.body->nodes.count;
        for (size_t i = 0; i < numbers && status == CAROM_OK; ++i) {
            d->now[i] += (d->next[i] - d->now[i]) * at.part;
            d->turn_now[i] += (d->turn_next[i] - d->turn_now[i]) * at.part;
        }
    }
    return status;
}

/* X + offset + u + turn x offset. */
static void place_vertices(const deforming_body *d, float *out)
{
    const flexible_skin *skin = &d->skin;
    for (size_t i = 0; i < skin->vertex_count; ++i) {
        size_t node = (size_t)skin->nodes[skin->vertex_node[i]];
        v3 r_b = v3_add(v3_load(d->mesh.nodes + 3 * node), v3_load(d->now + 3 * node));
        v3 offset = skin->has_offsets ? skin->offset[i] : v3_zero();
        r_b = v3_add(r_b, v3_add(offset, v3_cross(v3_load(d->turn_now + 3 * node), offset)));
        out[3 * i] = (float)r_b.x;
        out[3 * i + 1] = (float)r_b.y;
        out[3 * i + 2] = (float)r_b.z;
    }
}

static carom_status read_contacts(moment *m, const scenery *s, size_t frame, carom_error *err)
{
    const carom_contact_point *points = NULL;
    carom_status status = carom_result_contacts(s->result, frame, &points, err);
    m->contact_count = status == CAROM_OK ? carom_result_contact_count(s->result, frame) : 0;
    if (!CAROM_ARRAY_RESERVE(m->contacts, m->contact_room, m->contact_count + 1)) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for %zu contact points of a picture", m->contact_count);
    }
    if (m->contact_count > 0) {
        memcpy(m->contacts, points, m->contact_count * sizeof *points);
    }
    return status;
}

static carom_status read_efforts(moment *m, const scenery *s, size_t frame, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < carom_result_force_count(s->result) && status == CAROM_OK; ++i) {
        status = carom_result_effort(s->result, i, frame, &m->efforts[i].force, &m->efforts[i].torque, err);
    }
    return status;
}

static bool make_room(moment *m, const scenery *s)
{
    size_t vertices = 0;
    for (size_t i = 0; i < s->deforming_count; ++i) {
        vertices += s->deforming[i].skin.vertex_count;
    }
    m->poses = m->poses ? m->poses : calloc(s->body_count + 1, sizeof *m->poses);
    m->there = m->there ? m->there : calloc(s->body_count + 1, sizeof *m->there);
    m->deformed = m->deformed ? m->deformed : calloc(3 * vertices + 1, sizeof *m->deformed);
    m->efforts = m->efforts ? m->efforts : calloc(carom_result_force_count(s->result) + 1, sizeof *m->efforts);
    return m->poses && m->there && m->deformed && m->efforts;
}

carom_status moment_read(moment *m, const scenery *s, double t, carom_error *err)
{
    frame_place at = place_of(s->result, t);
    m->t = t;
    if (!make_room(m, s)) {
        return carom_fail(err, CAROM_NO_MEMORY, "no memory for the bodies of a picture");
    }
    m->poses[CAROM_GROUND] = (carom_pose){ v3_zero(), q_identity() };
    m->there[CAROM_GROUND] = true;
    carom_status status = CAROM_OK;
    for (carom_id b = 1; b < (carom_id)s->body_count && status == CAROM_OK; ++b) {
        status = read_pose(m, s, at, b, err);
    }
    float *vertices = m->deformed;
    for (size_t i = 0; i < s->deforming_count && status == CAROM_OK; ++i) {
        status = read_displacements(s, &s->deforming[i], at, err);
        place_vertices(&s->deforming[i], vertices);
        vertices += 3 * s->deforming[i].skin.vertex_count;
    }
    status = status == CAROM_OK ? read_efforts(m, s, at.frame, err) : status;
    return status == CAROM_OK ? read_contacts(m, s, at.frame, err) : status;
}

void moment_free(moment *m)
{
    free(m->poses);
    free(m->there);
    free(m->deformed);
    free(m->contacts);
    free(m->efforts);
    *m = (moment){ 0 };
}

box3 moment_box(const moment *m, const scenery *s, carom_id body)
{
    box3 box = box3_empty(), own = s->body_box[body];
    for (int k = 0; k < 8 && !box3_is_empty(own) && m->there[body]; ++k) {
        v3 r_w = q_rotate(m->poses[body].orientation, box3_corner(own, k));
        box = box3_with(box, v3_add(m->poses[body].position, r_w));
    }
    return box;
}
