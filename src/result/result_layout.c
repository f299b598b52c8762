/* The layout of result.h5, format 1. SI units; every dataset with numbers has an attribute `unit`,
 * those that grow with the run also `axes`.
 *
 *   time                        frames                     [s]   its length is the number of valid frames
 *   bodies/name, role           bodies                     ground left out; role free, fixed, kinematic or nodes
 *   bodies/mass                 bodies                     [kg]
 *   bodies/color                bodies x 3                 red green blue, 0..1; -1: none given
 *   bodies/position             frames x bodies x 3        [m] of the body frame's origin
 *   bodies/orientation          frames x bodies x 4        quaternion w x y z, body axes to world axes
 *   bodies/velocity             frames x bodies x 3        [m/s] of the body frame's origin
 *   bodies/angular_velocity     frames x bodies x 3        [rad/s] in world axes
 *   joints/name, type           joints
 *   joints/body_a, body_b       joints                     rows of bodies/name; -1 for the ground
 *   joints/position_a, ..._b    joints x 3                 [m] marker in the body frame
 *   joints/orientation_a, ..._b joints x 4                 marker axes to body axes
 *   joints/force, torque        frames x joints x 3        [N], [N*m] reaction on body B at marker B, world axes
 *   forces/name, kind           forces                     springs, dampers, bushings, motors, loads and those of the program around
 *   forces/body_a, body_b       forces                     rows of bodies/name; -1 for the ground, -2 for none (B of a load)
 *   forces/joint, turns         forces                     row of joints/name that it drives, -1: none; 1: about its axis, 0: along it
 *   forces/position_a, ..._b, orientation_a, ..._b         markers in body frames, as of joints
 *   forces/force, torque        frames x forces x 3        [N], [N*m] exerted on A at marker A; of those that drive a joint on B, world axes
 *   coordinates/name, unit      coordinates                "hinge.angle", "rad"; rates have the unit "<unit>/s"
 *   coordinates/value, rate     frames x coordinates       joint coordinates
 *   signals/name, unit          signals                    the columns the scene asks for in "record"
 *   signals/value               frames x signals
 *   shapes/body, surface        shapes                     rows of bodies/name and of surfaces; -1: the ground, a plane
 *   shapes/kind                 shapes                     as scenes spell it
 *   shapes/position             shapes x 3                 [m] in the body frame
 *   shapes/orientation          shapes x 4                 shape axes to body axes; a plane is z = 0, solid below
 *   surfaces/first_vertex       surfaces + 1               surface k has the rows first[k] to first[k + 1] of
 *   surfaces/vertices           vertices x 3               [m] in the axes of the shape; likewise
 *   surfaces/first_triangle     surfaces + 1
 *   surfaces/triangles          triangles x 3              vertices of the same surface, counted from 0, from outside
 *                                                          counter-clockwise
 *   flexible/body               deforming bodies           rows of bodies/name
 *   flexible/kind, plane        deforming bodies           modes, nodes; of plane elements stress, strain or axisymmetric
 *   flexible/young, poisson     deforming bodies           [Pa], []
 *   flexible/thickness          deforming bodies           [m] of plane elements
 *   flexible/section            deforming bodies x 9       of bars and beams: area, second moments about y and z, torsion constant, shear
 *                                                          coefficients along y and z, x y z of the vector `up`
 *   flexible/first_node         deforming bodies + 1       body k has the rows first[k] to first[k + 1] of
 *   flexible/node               nodes x 3                  [m] undeformed, in the body frame; likewise
 *   flexible/first_cell         deforming bodies + 1
 *   flexible/cell               cells x 11                 row of flexible/element; nodes of the same body, counted from 0, -1: none
 *   flexible/element            elements                   names of finite elements
 *   flexible/first_coordinate   deforming bodies + 1       columns of flexible/coordinate
 *   flexible/frequency          coordinates                [Hz] of the free body
 *   flexible/first_shape        deforming bodies + 1
 *   flexible/shape              shapes x 2                 the shape goes with this coordinate of its body, times another one (half
 *                                                          of the square where they are the same) unless that is -1
 *   flexible/basis              displacements x 3          per body and shape those of all nodes, body axes; 32 bit
 *   flexible/first_turn         deforming bodies + 1
 *   flexible/turn               rotations x 3              the same of how nodes turn, of bodies with beams; 32 bit
 *   flexible/coordinate, rate   frames x coordinates       of shapes
 *   flexible/first_moved        deforming bodies + 1       columns of the next, of bodies whose nodes move on their own
 *   flexible/moved_every        1                          rows of the next are those of frames 0, n, 2 n, ...
 *   flexible/displacement, ..._rate  rows x columns        [m] node by node along the first one, two or three body axes, against
 *                                                          the body frame; 32 bit
 *   contacts/count, first       frames                     contact points of a frame; their first row in the tables below
 *   contacts/body_a, body_b     contacts                   rows of bodies/name; -1 for the ground
 *   contacts/position           contacts x 3               [m]
 *   contacts/normal             contacts x 3               from B to A
 *   contacts/force              contacts x 3               [N] on A, friction included
 *   contacts/slip               contacts x 3               [m/s] of A relative to B, across the normal
 *   contacts/gap                contacts                   [m] negative: penetration
 *   events/time                 events                     [s] ascending; its length is the number of valid events
 *   events/kind                 events                     codes; the attribute `names` lists what 0, 1, ... mean
 *   events/body_a, body_b       events                     rows of bodies/name; -1 for the ground
 *   events/position             events x 3                 [m]
 *   events/normal               events x 3                 from B to A
 *   events/speed                events                     [m/s] at which A leaves B along the normal
 *   events/speed_after          events                     [m/s] after an impact
 *   events/joint                events                     row of joints/name whose friction, stop or clearance it is; -1
 *   events/mode                 events                     codes of contact modes; likewise `names`
 *   events/slip, slip_after     events x 3                 [m/s] of A relative to B, across the normal
 *   events/impulse              events x 3                 [N*s] on A, friction included
 *   events/energy_lost          events                     [J]
 *   events/friction, ..._after  events                     codes: none, stick, slip
 *   events/named                events                     row of events/name, of those that are the scene's own; -1
 *   events/name                 events of the scene
 *   ledger/energy.kinetic ...   frames                     one dataset per entry of the ledger
 *   solver/step, steps          frames                     [s] last step; steps taken so far
 *   meta/scene, command, name, method, model_hash          texts: the scene as read, how it was run
 *   attributes of the root: format (1), carom (version)
 *
 * Datasets without columns (no joints, no signals) are left out; their `name` is there and empty. Names are datasets,
 * not attributes, because attributes end at 64 KiB; the values of signals are one table, because names may hold any
 * character, also '/'.
 *
 * Frames have different numbers of contact points: those of all frames lie behind each other in flat tables, and a frame
 * names its part of them. The group is there only when the scene's method finds contacts. The tables may be longer than
 * the frames in `time` say: what a killed run had begun to append. */
#include "result/result_layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/assert.h"
#include "model/ledger.h"
#include "model/method.h"
#include "result/result_events.h"
#include "result/result_flexible_write.h"
#include "result/result_read.h"
#include "result/result_shapes.h"
#include "result/result_view.h"

enum {
    CHUNK_FRAMES = 512,    /* a dataset with one number per frame then grows by pages of 4 KiB */
    CHUNK_BYTES = 1 << 20, /* a chunk that fits HDF5's default cache                           */
    CHUNK_CONTACTS = 1024, /* 120 KiB over all tables: small beside a short run, few for a long one */
    CHUNK_EVENTS = 256,    /* 52 KiB likewise */
};

static result_set *add_set(result_layout *layout, const char *group, const char *name, const char *unit,
                           const char *axes)
{
    CAROM_ASSERT(layout->set_count < RESULT_SETS);
    result_set *set = &layout->sets[layout->set_count++];
    *set = (result_set){ .group = group, .axes = axes, .rank = 1, .items = 1, .parts = 1, .width = 1, .stride = 1 };
    snprintf(set->name, sizeof set->name, "%s", name);
    snprintf(set->unit, sizeof set->unit, "%s", unit);
    set->offset = layout->row;
    layout->row += 1;
    return set;
}

/* A set of frames x items, or frames x items x parts; nothing when there are no items. */
static result_set *add_table(result_layout *layout, const char *group, const char *name, const char *unit,
                             const char *axes, size_t items, size_t parts)
{
    if (items == 0) {
        return NULL;
    }
    result_set *set = add_set(layout, group, name, unit, axes);
    set->rank = parts > 1 ? 3 : 2;
    set->items = items;
    set->parts = parts;
    set->width = items * parts;
    layout->row = set->offset + set->width;
    return set;
}

/* The next dataset of a row of tables; axes[0] for one number per entry, axes[1] for three. */
static void add_entry(result_tables *tables, const char *const axes[2], const char *name, const char *unit,
                      size_t parts, h5_number number)
{
    CAROM_ASSERT(tables->count < RESULT_TABLES_MOST);
    result_set *set = &tables->sets[tables->count++];
    *set = (result_set){ .axes = axes[parts > 1],
                         .rank = parts > 1 ? 2 : 1,
                         .items = parts,
                         .parts = 1,
                         .offset = tables->row,
                         .width = parts,
                         .number = number };
    snprintf(set->name, sizeof set->name, "%s", name);
    snprintf(set->unit, sizeof set->unit, "%s", unit);
    tables->row += parts;
}

static void finish_tables(result_tables *tables, const char *group, size_t chunk)
{
    for (int i = 0; i < tables->count; ++i) {
        tables->sets[i].group = group;
    }
    tables->chunk = chunk;
}

/* The order within a row is that of result_layout_pack_contact. */
static void add_contacts(result_layout *layout)
{
    result_set *count = add_set(layout, "contacts", "count", "", "frame");
    count->number = H5_INTEGER;
    add_set(layout, "contacts", "first", "", "frame")->number = H5_INTEGER;
    layout->has_contacts = true;
    layout->contact_count_at = count->offset;
    static const char *const axes[2] = { "contact", "contact, xyz" };
    result_tables *t = &layout->contacts;
    add_entry(t, axes, "body_a", "", 1, H5_INTEGER);
    add_entry(t, axes, "body_b", "", 1, H5_INTEGER);
    add_entry(t, axes, "position", "m", 3, H5_DOUBLE);
    add_entry(t, axes, "normal", "", 3, H5_DOUBLE);
    add_entry(t, axes, "force", "N", 3, H5_DOUBLE);
    add_entry(t, axes, "slip", "m/s", 3, H5_DOUBLE);
    add_entry(t, axes, "gap", "m", 1, H5_DOUBLE);
    CAROM_ASSERT(t->count == RESULT_CONTACT_TABLES);
    finish_tables(t, "contacts", CHUNK_CONTACTS);
}

/* The order within a row is that of result_layout_pack_event. */
static void add_events(result_layout *layout)
{
    static const char *const axes[2] = { "event", "event, xyz" };
    result_tables *t = &layout->events;
    add_entry(t, axes, "kind", "", 1, H5_INTEGER);
    add_entry(t, axes, "body_a", "", 1, H5_INTEGER);
    add_entry(t, axes, "body_b", "", 1, H5_INTEGER);
    add_entry(t, axes, "position", "m", 3, H5_DOUBLE);
    add_entry(t, axes, "normal", "", 3, H5_DOUBLE);
    add_entry(t, axes, "speed", "m/s", 1, H5_DOUBLE);
    add_entry(t, axes, "joint", "", 1, H5_INTEGER);
    add_entry(t, axes, "mode", "", 1, H5_INTEGER);
    add_entry(t, axes, "speed_after", "m/s", 1, H5_DOUBLE);
    add_entry(t, axes, "slip", "m/s", 3, H5_DOUBLE);
    add_entry(t, axes, "slip_after", "m/s", 3, H5_DOUBLE);
    add_entry(t, axes, "impulse", "N*s", 3, H5_DOUBLE);
    add_entry(t, axes, "energy_lost", "J", 1, H5_DOUBLE);
    add_entry(t, axes, "friction", "", 1, H5_INTEGER);
    add_entry(t, axes, "friction_after", "", 1, H5_INTEGER);
    add_entry(t, axes, "named", "", 1, H5_INTEGER);
    add_entry(t, axes, "time", "s", 1, H5_DOUBLE);
    CAROM_ASSERT(t->count == RESULT_EVENT_TABLES && t->row == RESULT_EVENT_FRAMES);
    t->row += 1;
    finish_tables(t, "events", CHUNK_EVENTS);
}

static void add_displacements(result_layout *layout, const char *name, const char *unit, const flexible_sizes *sizes)
{
    result_set *set = add_table(layout, "flexible", name, unit, "frame, displacement", sizes->moved, 1);
    if (set) {
        set->number = H5_SINGLE;
        set->stride = (long)sizes->moved_every;
    }
}

/* The order within a row is that of result_flexible_pack. */
static void add_flexible(result_layout *layout, const carom_model *model)
{
    flexible_sizes sizes = result_flexible_sizes(model);
    layout->has_flexible = sizes.bodies > 0;
    add_table(layout, "flexible", "coordinate", "kg^0.5*m", "frame, coordinate", sizes.coordinates, 1);
    add_table(layout, "flexible", "rate", "kg^0.5*m/s", "frame, coordinate", sizes.coordinates, 1);
    add_displacements(layout, "displacement", "m", &sizes);
    add_displacements(layout, "displacement_rate", "m/s", &sizes);
}

static bool finds_contacts(const carom_model *model)
{
    return model->method && model->method->forces;
}

static void choose_chunk(result_layout *layout)
{
    size_t widest = 1;
    for (int i = 0; i < layout->set_count; ++i) {
        widest = layout->sets[i].width > widest ? layout->sets[i].width : widest;
    }
    size_t frames = CHUNK_BYTES / (widest * sizeof(double));
    layout->chunk_frames = frames < 1 ? 1 : frames > CHUNK_FRAMES ? CHUNK_FRAMES : frames;
}

void result_layout_init(result_layout *layout, const carom_model *model)
{
    size_t bodies = (size_t)model->body_count - 1;
    size_t joints = (size_t)model->joint_count;
    size_t coordinates = (size_t)model->coordinate_count;
    size_t forces = result_force_count(model);
    *layout = (result_layout){ .has_forces = forces > 0 };
    add_table(layout, "bodies", "position", "m", "frame, body, xyz", bodies, 3);
    add_table(layout, "bodies", "orientation", "", "frame, body, wxyz", bodies, 4);
    add_table(layout, "bodies", "velocity", "m/s", "frame, body, xyz", bodies, 3);
    add_table(layout, "bodies", "angular_velocity", "rad/s", "frame, body, xyz", bodies, 3);
    add_table(layout, "joints", "force", "N", "frame, joint, xyz", joints, 3);
    add_table(layout, "joints", "torque", "N*m", "frame, joint, xyz", joints, 3);
    add_table(layout, "forces", "force", "N", "frame, force, xyz", forces, 3);
    add_table(layout, "forces", "torque", "N*m", "frame, force, xyz", forces, 3);
    add_table(layout, "coordinates", "value", "see coordinates/unit", "frame, coordinate", coordinates, 1);
    add_table(layout, "coordinates", "rate", "see coordinates/unit, per s", "frame, coordinate", coordinates, 1);
    add_table(layout, "signals", "value", "see signals/unit", "frame, signal", (size_t)model->signal_count, 1);
    add_flexible(layout, model);
    if (finds_contacts(model)) {
        add_contacts(layout);
    }
    add_events(layout);
    for (int k = 0; carom_ledger_table[k].name; ++k) {
        char unit[32];
        add_set(layout, "ledger", carom_ledger_table[k].name, carom_ledger_unit(k, unit, sizeof unit), "frame");
    }
    add_set(layout, "solver", "step", "s", "frame");
    add_set(layout, "solver", "steps", "", "frame")->number = H5_INTEGER;
    add_set(layout, NULL, "time", "s", "frame");
    choose_chunk(layout);
}

/* ---- one frame -------------------------------------------------------------------------------------------------- */

static double *put(double *to, const double *from, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        to[i] = from[i];
    }
    return to + count;
}

static double *put_v3(double *to, v3 a)
{
    v3_store(to, a);
    return to + 3;
}

static double *put_v3s(double *to, const v3 *from, int count)
{
    for (int i = 0; i < count; ++i) {
        to = put_v3(to, from[i]);
    }
    return to;
}

static double *put_bodies(double *to, const carom_model *model, const result_frame *frame)
{
    for (int i = 1; i < model->body_count; ++i) {
        to = put_v3(to, frame->pose[i].position);
    }
    for (int i = 1; i < model->body_count; ++i) {
        carom_quat q = frame->pose[i].orientation;
        to = put(to, (double[]){ q.w, q.x, q.y, q.z }, 4);
    }
    for (int i = 1; i < model->body_count; ++i) {
        to = put_v3(to, frame->rate[i].v_w);
    }
    for (int i = 1; i < model->body_count; ++i) {
        to = put_v3(to, frame->rate[i].omega_w);
    }
    return to;
}

void result_layout_pack(const result_layout *layout, const carom_model *model, const result_frame *frame,
                        long first_contact, double *row)
{
    double *to = put_bodies(row, model, frame);
    to = put_v3s(to, frame->joint_force, model->joint_count);
    to = put_v3s(to, frame->joint_torque, model->joint_count);
    to = put_v3s(to, frame->effort_force, (int)result_force_count(model));
    to = put_v3s(to, frame->effort_torque, (int)result_force_count(model));
    to = put(to, frame->coordinate, (size_t)model->coordinate_count);
    to = put(to, frame->coordinate_rate, (size_t)model->coordinate_count);
    to = put(to, frame->signals, (size_t)model->signal_count);
    to = result_flexible_pack(to, model, frame);
    if (layout->has_contacts) {
        *to++ = frame->contact_count;
        *to++ = (double)first_contact;
    }
    for (int k = 0; carom_ledger_table[k].name; ++k) {
        *to++ = carom_ledger_get(&frame->ledger, k);
    }
    *to++ = frame->step;
    *to++ = (double)frame->steps;
    *to++ = frame->t;
    CAROM_ASSERT(to == row + layout->row);
}

void result_layout_pack_contact(const carom_contact_point *contact, double *row)
{
    double *to = row;
    *to++ = result_body_row(contact->body[0]);
    *to++ = result_body_row(contact->body[1]);
    to = put_v3(to, contact->position);
    to = put_v3(to, contact->normal);
    to = put_v3(to, contact->force);
    to = put_v3(to, contact->slip);
    *to = contact->gap;
}

void result_layout_pack_event(const carom_event *event, long frames, double *row)
{
    double *to = row;
    *to++ = event->kind;
    *to++ = result_body_row(event->body[0]);
    *to++ = result_body_row(event->body[1]);
    to = put_v3(to, event->position);
    to = put_v3(to, event->normal);
    *to++ = event->speed;
    *to++ = event->joint;
    *to++ = event->mode;
    *to++ = event->speed_after;
    to = put_v3(to, event->slip);
    to = put_v3(to, event->slip_after);
    to = put_v3(to, event->impulse);
    *to++ = event->energy_lost;
    *to++ = event->friction;
    *to++ = event->friction_after;
    *to++ = event->kind == CAROM_EVENT_SCENE ? event->named : CAROM_NONE;
    *to++ = event->t;
    CAROM_ASSERT(to == row + RESULT_EVENT_FRAMES);
    *to = (double)frames;
}

/* ---- the empty file --------------------------------------------------------------------------------------------- */

/* Lists of names for the file, gathered in an arena. */
typedef struct name_lists {
    carom_arena arena;
    const char **bodies;
    const char **roles;
    double *masses;
    const char **joints;
    const char **types;
    const char **coordinates;
    const char **coordinate_units;
    const char **signals;
    const char **signal_units;
    const char **events;
} name_lists;

static void list_bodies(name_lists *lists, const carom_model *model)
{
    static const char *const roles[] = {
        [BODY_FREE] = "free", [BODY_FIXED] = "fixed", [BODY_KINEMATIC] = "kinematic", [BODY_NODES] = "nodes"
    };
    lists->bodies = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->body_count);
    lists->roles = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->body_count);
    lists->masses = CAROM_ARENA_ARRAY(&lists->arena, double, model->body_count);
    for (int i = 1; !lists->arena.failed && i < model->body_count; ++i) {
        lists->bodies[i - 1] = model->bodies[i].name;
        lists->roles[i - 1] = roles[model->bodies[i].role];
        lists->masses[i - 1] = model->bodies[i].mass;
    }
}

static void list_coordinates(name_lists *lists, const model_joint *joint)
{
    for (int k = 0; k < joint->type->coordinate_count; ++k) {
        const joint_coordinate *c = &joint->type->coordinates[k];
        int at = joint->first_coordinate + k;
        lists->coordinates[at] = carom_arena_printf(&lists->arena, "%s.%s", joint->name, c->name);
        lists->coordinate_units[at] = c->angle ? "rad" : "m";
    }
}

static void list_joints(name_lists *lists, const carom_model *model)
{
    lists->joints = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->joint_count);
    lists->types = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->joint_count);
    lists->coordinates = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->coordinate_count);
    lists->coordinate_units = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->coordinate_count);
    for (int j = 0; !lists->arena.failed && j < model->joint_count; ++j) {
        lists->joints[j] = model->joints[j].name;
        lists->types[j] = model->joints[j].type->kind.name;
        list_coordinates(lists, &model->joints[j]);
    }
}

static void list_events(name_lists *lists, const carom_model *model)
{
    lists->events = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->event_count);
    for (int e = 0; !lists->arena.failed && e < model->event_count; ++e) {
        lists->events[e] = model->events[e].name;
    }
}

static void list_signals(name_lists *lists, const carom_model *model)
{
    lists->signals = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->signal_count);
    lists->signal_units = CAROM_ARENA_ARRAY(&lists->arena, const char *, model->signal_count);
    for (int k = 0; !lists->arena.failed && k < model->signal_count; ++k) {
        const signal_ref *signal = &model->signals[k];
        char unit[32];
        if (signal->source == SIGNAL_LEDGER) {
            carom_ledger_unit(signal->component, unit, sizeof unit);
        } else {
            carom_dimension_text(signal->dimension, unit, sizeof unit);
        }
        lists->signals[k] = model->signal_names[k];
        lists->signal_units[k] = carom_arena_text(&lists->arena, unit);
    }
}

static bool write_names(hid_t file, const carom_model *model, const name_lists *lists)
{
    size_t bodies = (size_t)model->body_count - 1;
    size_t joints = (size_t)model->joint_count;
    size_t coordinates = (size_t)model->coordinate_count;
    size_t signals = (size_t)model->signal_count;
    size_t events = (size_t)model->event_count;
    return h5_write_texts(file, "bodies/name", lists->bodies, bodies) &&
           (events == 0 || h5_write_texts(file, "events/name", lists->events, events)) &&
           h5_write_texts(file, "bodies/role", lists->roles, bodies) &&
           h5_write_reals(file, "bodies/mass", "kg", lists->masses, bodies) &&
           h5_write_texts(file, "joints/name", lists->joints, joints) &&
           h5_write_texts(file, "joints/type", lists->types, joints) &&
           h5_write_texts(file, "coordinates/name", lists->coordinates, coordinates) &&
           h5_write_texts(file, "coordinates/unit", lists->coordinate_units, coordinates) &&
           h5_write_texts(file, "signals/name", lists->signals, signals) &&
           h5_write_texts(file, "signals/unit", lists->signal_units, signals);
}

static bool write_view(hid_t file, const carom_list *views)
{
    char *text = views->count > 0 ? result_view_text(views) : NULL;
    bool ok = views->count == 0 || (text && h5_write_text(file, "meta/view", text));
    free(text);
    return ok;
}

static bool write_meta(hid_t file, const carom_model *model, const char *scene_text, const char *command)
{
    char hash[32];
    snprintf(hash, sizeof hash, "%016" PRIx64, model->hash);
    return h5_write_int_attribute(file, "format", RESULT_FORMAT) &&
           h5_write_text_attribute(file, "carom", CAROM_VERSION) &&
           h5_write_text(file, "meta/name", model->scene.name ? model->scene.name : "") &&
           h5_write_text(file, "meta/method", model->method ? model->method->kind.name : "none") &&
           h5_write_text(file, "meta/model_hash", hash) &&
           h5_write_text(file, "meta/command", command ? command : "") &&
           h5_write_text(file, "meta/scene", scene_text ? scene_text : "") && write_view(file, &model->scene.view);
}

static bool create_groups(const result_layout *layout, hid_t file)
{
    const struct {
        const char *name;
        bool there;
    } groups[] = {
        { "bodies", true },
        { "joints", true },
        { "coordinates", true },
        { "signals", true },
        { "ledger", true },
        { "solver", true },
        { "meta", true },
        { "events", true },
        { "contacts", layout->has_contacts },
        { "flexible", layout->has_flexible },
        { "forces", layout->has_forces },
    };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
        if (!groups[i].there) {
            continue;
        }
        hid_t group = h5_create_group(file, groups[i].name);
        if (group < 0) {
            return false;
        }
        h5_close(group);
    }
    return true;
}

const char *result_set_path(const result_set *set, char *path)
{
    snprintf(path, 2 * RESULT_SET_NAME, "%s%s%s", set->group ? set->group : "", set->group ? "/" : "", set->name);
    return path;
}

static bool create_set(hid_t file, const result_set *set, size_t chunk_rows)
{
    char path[2 * RESULT_SET_NAME];
    hsize_t chunk[3] = { chunk_rows, set->items, set->parts };
    return h5_create_growing(file, result_set_path(set, path), set->rank, chunk, set->number, set->unit, set->axes);
}

static bool create_tables(const result_tables *tables, hid_t file)
{
    bool ok = true;
    for (int i = 0; ok && i < tables->count; ++i) {
        ok = create_set(file, &tables->sets[i], tables->chunk);
    }
    return ok;
}

static bool create_sets(const result_layout *layout, hid_t file)
{
    bool ok = true;
    for (int i = 0; ok && i < layout->set_count; ++i) {
        ok = create_set(file, &layout->sets[i], layout->chunk_frames);
    }
    return ok && create_tables(&layout->events, file) && result_events_name_codes(file) &&
           (!layout->has_contacts || create_tables(&layout->contacts, file));
}

carom_status result_layout_create(const result_layout *layout, hid_t file, const carom_model *model,
                                  const char *scene_text, const char *command, carom_error *err)
{
    name_lists lists = { 0 };
    list_bodies(&lists, model);
    list_joints(&lists, model);
    list_signals(&lists, model);
    list_events(&lists, model);
    carom_status status = CAROM_OK;
    if (lists.arena.failed) {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory for the names in result.h5");
    } else if (!create_groups(layout, file) || !create_sets(layout, file) || !write_names(file, model, &lists) ||
               !write_meta(file, model, scene_text, command)) {
        status = h5_fail(err, "write", "result.h5");
    }
    if (status == CAROM_OK) {
        status = result_shapes_write(file, model, err);
    }
    if (status == CAROM_OK && layout->has_flexible) {
        status = result_flexible_write(file, model, err);
    }
    carom_arena_free(&lists.arena);
    return status;
}
