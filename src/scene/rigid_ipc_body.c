/* Bodies of the rigid-ipc format. */
#include "scene/rigid_ipc_parts.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PIECES = 100000 };

static const char *const known_keys[] = { "enabled",
                                          "mesh",
                                          "vertices",
                                          "edges",
                                          "faces",
                                          "scale",
                                          "dimensions",
                                          "rotation",
                                          "position",
                                          "density",
                                          "type",
                                          "is_dof_fixed",
                                          "linear_velocity",
                                          "angular_velocity",
                                          "force",
                                          "torque",
                                          "group_id",
                                          "oriented",
                                          "kinematic_max_time",
                                          "kinematic_poses",
                                          "split_components",
                                          NULL };
static const char *const type_names[] = { "static", "kinematic", "dynamic", NULL };

/* ---- reading ---------------------------------------------------------------------------------------------------------------- */

static carom_status read_fixed(const ipc_translation *t, const ipc_body *b, bool fixed[6])
{
    const json_place at = { b->at, "is_dof_fixed", 0 };
    json_t *json = json_object_get(b->json, at.key);
    if (!json) {
        return CAROM_OK;
    }
    if (!json_is_boolean(json) && json_array_size(json) != 6) {
        return scene_fail(t->base.r, &at,
                          "found %s of %zu; it is true, false or a list of six: x, y, z and about x, y, z",
                          scene_json_type(json), json_array_size(json));
    }
    for (size_t i = 0; i < 6; ++i) {
        const json_place place = { &at, NULL, i };
        json_t *one = json_is_boolean(json) ? json : json_array_get(json, i);
        fixed[i] = json_is_true(one);
        if (!json_is_boolean(one)) {
            return scene_wrong_type(t->base.r, &place, one, "true or false");
        }
    }
    return CAROM_OK;
}

static carom_status read_vectors(const ipc_translation *t, ipc_body *b)
{
    v3 rotation = v3_zero();
    v3 spin = v3_zero();
    v3 torque = v3_zero();
    struct {
        const char *key;
        v3 *target;
    } vectors[] = { { "position", &b->position },  { "rotation", &rotation }, { "linear_velocity", &b->velocity },
                    { "angular_velocity", &spin }, { "force", &b->force },    { "torque", &torque } };
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0] && error_goes_on(t->base.r->err, status); ++i) {
        const json_place at = { b->at, vectors[i].key, 0 };
        status = error_worse(status, ipc_vector(t, &at, b->json, vectors[i].target));
    }
    b->turn = q_about_fixed_axes(v3_scale(DEGREE, rotation));
    b->omega_w = v3_scale(DEGREE, spin);
    b->torque = v3_scale((t->quirks ? 2.0 : 1.0) * DEGREE, torque);
    return status;
}

static carom_status read_group(const ipc_translation *t, ipc_body *b)
{
    const json_place at = { b->at, "group_id", 0 };
    double group = -1.0;
    carom_status status = ipc_number(t, &at, b->json, &group);
    if (status == CAROM_OK && (group != floor(group) || fabs(group) > INT_MAX)) {
        return scene_fail(t->base.r, &at, "%g is no number of a group", group);
    }
    b->group = group < 0.0 ? -1 : (int)group;
    return status;
}

static carom_status read_settings(ipc_translation *t, ipc_body *b)
{
    const json_place density = { b->at, "density", 0 };
    const json_place type = { b->at, "type", 0 };
    const json_place moves_for = { b->at, "kinematic_max_time", 0 };
    const json_place split = { b->at, "split_components", 0 };
    int which = IPC_DYNAMIC;
    carom_status status = ipc_number(t, &density, b->json, &b->density);
    if (status == CAROM_OK && !(b->density > 0.0)) {
        status = scene_fail(t->base.r, &density, "the density is %g; it must be positive", b->density);
    }
    status = error_worse(status, ipc_choice(t, &type, b->json, type_names, &which));
    status = error_worse(status, ipc_number(t, &moves_for, b->json, &b->moves_for));
    status = error_worse(status, ipc_bool(t, &split, b->json, &b->split));
    status = error_worse(status, read_group(t, b));
    status = error_worse(status, read_fixed(t, b, b->fixed));
    bool all = true;
    for (int i = 0; i < 6; ++i) {
        all = all && b->fixed[i];
    }
    b->type = all ? IPC_STATIC : (ipc_type)which;
    return error_worse(status, read_vectors(t, b));
}

/* "torus-3": the mesh's name and the body's number among those that are enabled. */
static void name_body(ipc_body *b, int number, int piece)
{
    const char *file = json_string_value(json_object_get(b->json, "mesh"));
    const char *slash = file ? strrchr(file, '/') : NULL;
    const char *stem = slash ? slash + 1 : file && file[0] ? file : "body";
    char clean[41];
    size_t length = 0;
    for (; stem[length] && stem[length] != '.' && length < sizeof clean - 1; ++length) {
        unsigned char c = (unsigned char)stem[length];
        clean[length] = c < 0x80 && (isalnum(c) || c == '_') ? (char)c : '-';
    }
    clean[length] = '\0';
    if (piece < 0) {
        snprintf(b->name, sizeof b->name, "%s-%d", clean, number);
    } else {
        snprintf(b->name, sizeof b->name, "%s-%d-%d", clean, number, piece);
    }
}

/* ---- writing -------------------------------------------------------------------------------------------------------------------- */

/* Nothing moves along what is fixed. */
static void drop_fixed_rates(ipc_body *b)
{
    const double keep[6] = { !b->fixed[0], !b->fixed[1], !b->fixed[2], !b->fixed[3], !b->fixed[4], !b->fixed[5] };
    b->velocity = v3_make(keep[0] * b->velocity.x, keep[1] * b->velocity.y, keep[2] * b->velocity.z);
    b->omega_w = v3_make(keep[3] * b->omega_w.x, keep[4] * b->omega_w.y, keep[5] * b->omega_w.z);
}

static void set_inertia(ipc_translation *t, json_t *body, m3 I)
{
    translation_set(&t->base, body, "inertia",
                    json_pack("[ffffff]", I.m[0], I.m[4], I.m[8], 0.5 * (I.m[1] + I.m[3]), 0.5 * (I.m[2] + I.m[6]),
                              0.5 * (I.m[5] + I.m[7])));
}

static void set_numbers(ipc_translation *t, json_t *body, const mass_properties *mass)
{
    translation_set(&t->base, body, "mass", json_real(mass->mass));
    set_inertia(t, body, mass->inertia);
    translation_set(&t->base, body, "center_of_mass", translation_vector(mass->center));
}

/* The reference gives a hinged body the sum of the other two moments, for unit density, in the world's axes. */
static void set_quirky_inertia(ipc_translation *t, const ipc_body *b, const ipc_geometry *g, json_t *body)
{
    m3 R = q_matrix(b->turn);
    m3 inertia_w = m3_mul(m3_mul(R, g->mass.inertia), m3_transpose(R));
    int axis = !b->fixed[3] ? 0 : !b->fixed[4] ? 1 : 2;
    double moment = (m3_trace(inertia_w) - inertia_w.m[4 * axis]) / b->density;
    mass_properties quirky = g->mass;
    quirky.inertia = m3_diag(moment, moment, moment);
    set_numbers(t, body, &quirky);
    ipc_remark(t, REMARK_TOLD, b->at,
               "'%s' has the reference's moment of inertia of a hinge: %g instead of %g kg m^2", b->name, moment,
               inertia_w.m[4 * axis]);
}

static void add_load(ipc_translation *t, const ipc_body *b)
{
    bool pushes = v3_norm(b->force) > 0.0;
    bool twists = v3_norm(b->torque) > 0.0;
    if (b->type != IPC_DYNAMIC || !(pushes || twists)) {
        return;
    }
    json_t *load = json_object();
    char name[160];
    snprintf(name, sizeof name, "%s load", b->name);
    translation_set(&t->base, load, "name", json_string(name));
    translation_set(&t->base, load, "type", json_string("load"));
    translation_set(&t->base, load, "body", json_string(b->name));
    if (pushes) {
        translation_set(&t->base, load, "force", translation_vector(b->force));
    }
    if (twists) {
        translation_set(&t->base, load, "torque", translation_vector(b->torque));
    }
    const json_place from = { b->at, pushes ? "force" : "torque", 0 };
    ipc_add(t, t->base.forces, "forces", load, &from);
    if (twists) {
        const json_place torque = { b->at, "torque", 0 };
        ipc_remark(t, REMARK_TOLD, &torque, "the torque on '%s' is the number in the file times pi/180%s, in N m",
                   b->name, t->quirks ? ", twice" : "");
    }
}

/* Static and kinematic bodies are one group; so is a dynamic body with the number of a static one. */
static void set_group(ipc_translation *t, const ipc_body *b, json_t *body)
{
    char group[40];
    snprintf(group, sizeof group, "group %d", b->group);
    bool held = b->type != IPC_DYNAMIC;
    if (held || b->group >= 0) {
        translation_set(&t->base, body, "material", json_string(held ? "immovable" : group));
    }
    if (held && b->group >= 0) {
        translation_set(&t->base, t->held_groups, group, json_true());
    }
}

static void tell_kind(ipc_translation *t, const ipc_body *b, const ipc_geometry *g)
{
    static const char *const kinds[] = { "a solid",
                                         "an open mesh with a volume: a sheet with the mass of that volume",
                                         "a sheet (flat, open or inside out: density per area)",
                                         "wire (density per length)", "points (the density is the mass of each)" };
    ipc_remark(t, REMARK_TOLD, b->at, "'%s' is %s, %s, %.6g kg", b->name, type_names[b->type], kinds[g->kind],
               g->mass.mass);
}

static carom_status set_kinematic(ipc_translation *t, ipc_body *b, const ipc_geometry *g, json_t *body)
{
    json_t *motion = NULL;
    carom_status status = ipc_motion(t, b, g, &motion);
    if (status == CAROM_OK && motion) {
        translation_set(&t->base, body, "center_of_mass", translation_vector(v3_zero()));
        translation_set(&t->base, body, "motion", motion);
    } else if (status == CAROM_OK) {
        translation_set(&t->base, body, "fixed", json_true());
        ipc_remark(t, REMARK_TOLD, b->at, "'%s' is kinematic without velocities and poses: it is fixed", b->name);
    }
    return status;
}

static carom_status set_dynamic(ipc_translation *t, ipc_body *b, const ipc_geometry *g, json_t *body)
{
    drop_fixed_rates(b);
    v3 arm_w = q_rotate(b->turn, g->mass.center);
    v3 velocity = v3_sub(b->velocity, v3_cross(b->omega_w, arm_w)); /* of the model's origin */
    if (v3_norm(velocity) > 0.0) {
        translation_set(&t->base, body, "velocity", translation_vector(velocity));
    }
    if (v3_norm(b->omega_w) > 0.0) {
        translation_set(&t->base, body, "angular_velocity", translation_vector(b->omega_w));
    }
    if (t->quirks && ipc_fixed_turns(b) == 2) {
        set_quirky_inertia(t, b, g, body);
    } else if (ipc_needs_numbers(g)) {
        set_numbers(t, body, &g->mass);
    }
    return ipc_hold(t, b, g);
}

/* The frame is the model's; that of a kinematic body is at its centre, about which it turns. */
static carom_status write_body(ipc_translation *t, ipc_body *b, const ipc_geometry *g)
{
    bool centered = b->type == IPC_KINEMATIC;
    v3 at = centered ? v3_scale(-1.0, g->mass.center) : v3_zero();
    json_t *body = json_object();
    translation_set(&t->base, body, "name", json_string(b->name));
    translation_set(&t->base, body, "shapes", ipc_shapes_json(t, g, b->density, at));
    translation_set(&t->base, body, "position", translation_vector(centered ? ipc_center_w(b, g) : b->position));
    if (b->turn.w != 1.0) {
        translation_set(&t->base, body, "orientation", translation_turn(b->turn));
    }
    set_group(t, b, body);
    tell_kind(t, b, g);
    carom_status status = CAROM_OK;
    if (b->type == IPC_STATIC) {
        translation_set(&t->base, body, "fixed", json_true());
    } else {
        status = centered ? set_kinematic(t, b, g, body) : set_dynamic(t, b, g, body);
    }
    ipc_add(t, t->base.bodies, "bodies", body, b->at);
    add_load(t, b);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------------- */

static void widen_box(ipc_translation *t, const ipc_body *b, const mesh *m)
{
    for (int i = 0; i < m->vertex_count; ++i) {
        v3 r = v3_add(b->position, q_rotate(b->turn, m->vertices[i]));
        t->low = v3_make(fmin(t->low.x, r.x), fmin(t->low.y, r.y), fmin(t->low.z, r.z));
        t->high = v3_make(fmax(t->high.x, r.x), fmax(t->high.y, r.y), fmax(t->high.z, r.z));
    }
}

static carom_status write_piece(ipc_translation *t, const ipc_body *b, const ipc_geometry *g,
                                const ipc_pieces *pieces, int piece)
{
    ipc_geometry part;
    ipc_body copy = *b;
    carom_status status = ipc_geometry_piece(t, g, pieces, piece, b->density, &part);
    name_body(&copy, t->body_count, pieces->count > 1 ? piece : -1);
    status = status == CAROM_OK ? write_body(t, &copy, &part) : status;
    ipc_geometry_free(&part);
    return status;
}

static carom_status write_pieces(ipc_translation *t, const ipc_body *b, const ipc_geometry *g)
{
    const json_place place = { b->at, "split_components", 0 };
    ipc_pieces pieces;
    carom_status status = ipc_pieces_find(t, g->whole, &pieces);
    if (status == CAROM_OK && pieces.count > MOST_PIECES) {
        status = scene_fail(t->base.r, &place, "the mesh has %d pieces; at most %d are possible", pieces.count,
                            MOST_PIECES);
    }
    for (int piece = 0; piece < pieces.count && status == CAROM_OK; ++piece) {
        status = write_piece(t, b, g, &pieces, piece);
    }
    if (status == CAROM_OK) {
        ipc_remark(t, REMARK_TOLD, &place, "the mesh has %d pieces, a body each", pieces.count);
    }
    ipc_pieces_free(&pieces);
    return status;
}

static carom_status translate_body(ipc_translation *t, const json_place *at, const json_t *json)
{
    const json_place enabled_at = { at, "enabled", 0 };
    bool enabled = true;
    ipc_body b = { .at = at,
                   .json = json,
                   .density = 1000.0,
                   .type = IPC_DYNAMIC,
                   .turn = q_identity(),
                   .group = -1,
                   .moves_for = -1.0 };
    if (!json_is_object(json)) {
        return scene_wrong_type(t->base.r, at, json, "a body: an object");
    }
    carom_status status = ipc_bool(t, &enabled_at, json, &enabled);
    if (status != CAROM_OK || !enabled) {
        if (!enabled) {
            ipc_remark(t, REMARK_TOLD, &enabled_at, "not enabled: left out");
        }
        return status;
    }
    ipc_note_strangers(t, at, json, known_keys);
    ipc_geometry g = { 0 };
    status = read_settings(t, &b);
    status = status == CAROM_OK ? ipc_geometry_read(t, at, json, b.density, &g) : status;
    if (status == CAROM_OK) {
        name_body(&b, t->body_count, -1);
        widen_box(t, &b, g.whole);
        status = b.split && g.surface ? write_pieces(t, &b, &g) : write_body(t, &b, &g);
    }
    ipc_geometry_free(&g);
    t->body_count++;
    return t->base.out_of_memory ? scene_no_memory(t->base.r) : status;
}

carom_status ipc_translate_bodies(ipc_translation *t, const json_place *at, const json_t *list)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < json_array_size(list) && error_goes_on(t->base.r->err, status); ++i) {
        const json_place place = { at, NULL, i };
        status = error_worse(status, translate_body(t, &place, json_array_get(list, i)));
    }
    return status;
}
