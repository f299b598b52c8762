/* Words that users of other programs write (MuJoCo, URDF, Adams, Chrono), and what they are called here. */
#include "scene/scene_reader.h"

#include <stdio.h>
#include <string.h>

typedef struct foreign_word {
    const char *word;
    const char *ours;
    const char *remark; /* or NULL */
} foreign_word;

static const foreign_word words[] = {
    { "hinge", "revolute", NULL },
    { "continuous", "revolute", NULL },
    { "slide", "prismatic", NULL },
    { "slider", "prismatic", NULL },
    { "translational", "prismatic", NULL },
    { "ball", "spherical", NULL },
    { "ball_socket", "spherical", NULL },
    { "weld", "fixed", NULL },
    { "lock", "fixed", NULL },
    { "hooke", "universal", NULL },
    { "world", "ground", NULL },
    { "worldbody", "bodies", NULL },
    { "links", "bodies", NULL },
    { "geom", "shape", NULL },
    { "geoms", "shapes", NULL },
    { "geometry", "shape", NULL },
    { "collision", "shape", NULL },
    { "visual", "shape", NULL },
    { "pos", "position", NULL },
    { "xyz", "position", NULL },
    { "origin", "position", NULL },
    { "vel", "velocity", NULL },
    { "quat", "orientation", "[w, x, y, z]" },
    { "rpy", "orientation", "{\"euler\": [x, y, z]}: turns about the own axes" },
    { "euler", "orientation", "{\"euler\": [x, y, z]}: turns about the own axes" },
    { "size", "shape", "{\"box\": [x, y, z]} takes whole lengths, not half ones" },
    { "half_size", "shape", "{\"box\": [x, y, z]} takes whole lengths, not half ones" },
    { "stiffness_coefficient", "stiffness", NULL },
    { "damping_coefficient", "damping", NULL },
    { "kp", "gain", NULL },
    { "kv", "damping", NULL },
    { "kd", "damping", NULL },
    { "ki", "integral", NULL },
    { "cor", "restitution", NULL },
    { "actuator", "forces", "a force of type \"motor\"" },
    { "actuators", "forces", "forces of type \"motor\"" },
    { "range", "limits", "{\"min\": a, \"max\": b}" },
    { "parent", "bodies", "[\"parent\", \"child\"]" },
    { "child", "bodies", "[\"parent\", \"child\"]" },
    { "timestep", "time", "{\"step\": h}" },
    { "options", "contact", NULL },
};

const char *scene_foreign_hint(const char *word, const char *const *allowed, size_t count, char *buffer, size_t size)
{
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k) {
        bool there = strcmp(words[k].word, word) == 0;
        size_t length = strlen(words[k].ours);
        for (size_t i = 0; there && i < count; ++i) {
            bool plural = strncmp(allowed[i], words[k].ours, length) == 0 && strcmp(allowed[i] + length, "s") == 0;
            if (plural || strcmp(allowed[i], words[k].ours) == 0) { /* "shape" is short for "shapes" */
                snprintf(buffer, size, " (here that is '%s'%s%s)", words[k].ours, words[k].remark ? ": " : "",
                         words[k].remark ? words[k].remark : "");
                return buffer;
            }
        }
    }
    return NULL;
}
