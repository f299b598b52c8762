/* Fixed degrees of freedom become joints with the ground, at the centre of mass and along the world's axes. */
#include "scene/rigid_ipc_parts.h"

#include <stdio.h>

static const v3 axes[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };

int ipc_fixed_turns(const ipc_body *b)
{
    return b->fixed[3] + b->fixed[4] + b->fixed[5];
}

static void add_joint(ipc_translation *t, const ipc_body *b, v3 center_w, const char *type, int axis)
{
    json_t *joint = json_object();
    char name[160];
    snprintf(name, sizeof name, "%s %s", b->name, type);
    translation_set(&t->base, joint, "name", json_string(name));
    translation_set(&t->base, joint, "type", json_string(type));
    translation_set(&t->base, joint, "bodies", json_pack("[ss]", "ground", b->name));
    translation_set(&t->base, joint, "at", translation_vector(center_w));
    if (axis >= 0) {
        translation_set(&t->base, joint, "axis", translation_vector(axes[axis]));
    }
    const json_place from = { b->at, "is_dof_fixed", 0 };
    ipc_add(t, t->base.joints, "joints", joint, &from);
    ipc_remark(t, REMARK_TOLD, &from, "'%s' is held by a joint: %s", b->name, type);
}

/* The one of three that is (not) fixed; -1: none or several. */
static int lone(const bool fixed[3], bool wanted)
{
    int found = -1;
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        if (fixed[k] == wanted) {
            found = k;
            ++count;
        }
    }
    return count == 1 ? found : -1;
}

/* Joints that take several degrees at once; false: there is none for this combination. */
static bool hold_at_once(ipc_translation *t, const ipc_body *b, v3 center_w, int places, int turns)
{
    int free_place = lone(b->fixed, false);
    int held_place = lone(b->fixed, true);
    int free_turn = lone(b->fixed + 3, false);
    const char *type = places == 3 && turns == 3                              ? "fixed"
                       : places == 3 && turns == 2                            ? "revolute"
                       : places == 3 && turns == 0                            ? "spherical"
                       : places == 2 && turns == 3                            ? "prismatic"
                       : places == 2 && turns == 2 && free_place == free_turn ? "cylindrical"
                       : places == 1 && turns == 2 && held_place == free_turn ? "planar"
                                                                              : NULL;
    if (type) {
        add_joint(t, b, center_w, type, turns == 2 ? free_turn : turns == 3 && places == 2 ? free_place : -1);
    }
    return type != NULL;
}

carom_status ipc_hold(ipc_translation *t, const ipc_body *b, const ipc_geometry *g)
{
    const json_place place = { b->at, "is_dof_fixed", 0 };
    int places = b->fixed[0] + b->fixed[1] + b->fixed[2];
    int turns = ipc_fixed_turns(b);
    v3 center_w = ipc_center_w(b, g);
    if (turns == 1) {
        return scene_fail(
            t->base.r, &place,
            "'%s' has one fixed rotation: the format fixes a component of a rotation vector, which no joint "
            "does; fix two rotations (a hinge), three or none",
            b->name);
    }
    if (places + turns == 0 || hold_at_once(t, b, center_w, places, turns)) {
        return CAROM_OK;
    }
    if (places == 3) {
        add_joint(t, b, center_w, "spherical", -1);
    } else if (places == 2) {
        add_joint(t, b, center_w, "point-on-line", lone(b->fixed, false));
    } else if (places == 1) {
        add_joint(t, b, center_w, "point-on-plane", lone(b->fixed, true));
    }
    if (turns == 3) {
        add_joint(t, b, center_w, "orientation", -1);
    } else if (turns == 2) {
        add_joint(t, b, center_w, "parallel", lone(b->fixed + 3, false));
    }
    return CAROM_OK;
}
