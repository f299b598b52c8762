/* Scenes of bodies that run into each other, written by tests: bodies and contact in, a running scene out. The whole
 * scene can be moved rigidly, its bodies put in another order. */
#ifndef CAROM_TESTS_CONTACT_SCENE_H
#define CAROM_TESTS_CONTACT_SCENE_H

#include "math/quat.h"
#include "support/sim.h"

enum { SCENE_BODIES = 8, SCENE_TEXT = 8192 };

typedef struct scene_body {
    const char *name;
    const char *shape; /* JSON */
    const char *more;  /* further keys, ending in a comma; NULL: none */
    v3 position;
    quat orientation; /* all zero: none */
    v3 velocity;
    v3 spin; /* [rad/s] world axes */
} scene_body;

typedef struct contact_scene {
    const char *contact; /* JSON of the contact section */
    const char *time;    /* keys of the time section */
    const char *more;    /* further sections, each after a comma; NULL: none */
    v3 gravity;
    scene_body bodies[SCENE_BODIES];
    int body_count;
    int order[SCENE_BODIES]; /* of the bodies in the text; used when `ordered` */
    bool ordered;
    carom_pose frame; /* everything is moved by this; orientation all zero: not at all */
} contact_scene;

static inline quat scene_turn(const contact_scene *c)
{
    return c->frame.orientation.w == 0.0 && c->frame.orientation.x == 0.0 && c->frame.orientation.y == 0.0 &&
                   c->frame.orientation.z == 0.0
               ? q_identity()
               : c->frame.orientation;
}

static inline v3 scene_point(const contact_scene *c, v3 p)
{
    return v3_add(c->frame.position, q_rotate(scene_turn(c), p));
}

static inline size_t scene_write_body(const contact_scene *c, const scene_body *b, char *out, size_t room)
{
    bool turned = q_norm(b->orientation) > 0.0;
    v3 x = scene_point(c, b->position);
    v3 v = q_rotate(scene_turn(c), b->velocity);
    v3 w = q_rotate(scene_turn(c), b->spin);
    quat q = q_unit(q_mul(scene_turn(c), turned ? b->orientation : q_identity()));
    int n = snprintf(out, room,
                     "{\"name\": \"%s\", \"shape\": %s, %s\"position\": [%.17g, %.17g, %.17g],"
                     " \"orientation\": [%.17g, %.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g],"
                     " \"angular_velocity\": [%.17g, %.17g, %.17g]}",
                     b->name, b->shape, b->more ? b->more : "", x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x,
                     w.y, w.z);
    return (size_t)n;
}

static inline void scene_write(const contact_scene *c, char text[SCENE_TEXT])
{
    v3 g = q_rotate(scene_turn(c), c->gravity);
    size_t n = (size_t)
        snprintf(text, SCENE_TEXT,
                 "{ \"carom\": 1, \"gravity\": [%.17g, %.17g, %.17g], \"time\": {%s}, \"contact\": %s%s,"
                 " \"bodies\": [",
                 g.x, g.y, g.z, c->time, c->contact, c->more ? c->more : "");
    for (int k = 0; k < c->body_count; ++k) {
        n += (size_t)snprintf(text + n, SCENE_TEXT - n, "%s", k > 0 ? ", " : "");
        n += scene_write_body(c, &c->bodies[c->ordered ? c->order[k] : k], text + n, SCENE_TEXT - n);
    }
    n += (size_t)snprintf(text + n, SCENE_TEXT - n, "] }");
    CHECK_LE((double)n, (double)SCENE_TEXT);
}

static inline carom_status scene_compile(const contact_scene *c, carom_model **model, carom_error *err)
{
    char text[SCENE_TEXT];
    carom_spec *spec = NULL;
    scene_write(c, text);
    *model = NULL;
    carom_status status = carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec);
    return status;
}

static inline sim scene_start(const contact_scene *c, int threads)
{
    char text[SCENE_TEXT];
    carom_spec *spec = NULL;
    carom_error err = { 0 };
    scene_write(c, text);
    CHECK_OK(carom_scene_parse(text, strlen(text), "test", ".", NULL, 0, &spec, &err), err);
    return sim_start(spec, threads);
}

/* ---- three standard collisions --------------------------------------------------------------------------------- */

/* Balls that meet off their lines of centres. */
static inline contact_scene three_balls(const char *contact, const char *time)
{
    return (contact_scene){ .contact = contact,
                            .time = time,
                            .body_count = 3,
                            .bodies = { { .name = "a",
                                          .shape = "{\"sphere\": 0.05}",
                                          .more = "\"mass\": 1,",
                                          .position = { -0.08, 0.01, 0.0 },
                                          .velocity = { 1.0, 0.0, 0.1 },
                                          .spin = { 3.0, -2.0, 8.0 } },
                                        { .name = "b",
                                          .shape = "{\"sphere\": 0.04}",
                                          .more = "\"mass\": 0.6,",
                                          .position = { 0.02, -0.01, 0.01 } },
                                        { .name = "c",
                                          .shape = "{\"sphere\": 0.03}",
                                          .more = "\"mass\": 0.4,",
                                          .position = { 0.09, 0.06, 0.0 },
                                          .velocity = { -0.6, -0.8, 0.05 },
                                          .spin = { 0.0, 5.0, 1.0 } } } };
}

/* A box, a capsule and a cylinder that tumble into each other. */
static inline contact_scene three_solids(const char *contact, const char *time)
{
    return (contact_scene){ .contact = contact,
                            .time = time,
                            .body_count = 3,
                            .bodies = { { .name = "box",
                                          .shape = "{\"box\": [0.1, 0.08, 0.06]}",
                                          .more = "\"mass\": 1,",
                                          .position = { 0.0, 0.0, 0.0 },
                                          .spin = { 0.5, 1.0, -2.0 } },
                                        { .name = "pill",
                                          .shape = "{\"capsule\": {\"radius\": 0.02, \"length\": 0.08}}",
                                          .more = "\"mass\": 0.5,",
                                          .position = { 0.13, 0.015, 0.01 },
                                          .orientation = { 0.9, 0.1, 0.4, 0.1428285685708571 },
                                          .velocity = { -1.0, 0.1, 0.0 },
                                          .spin = { 2.0, 0.0, 4.0 } },
                                        { .name = "can",
                                          .shape = "{\"cylinder\": {\"radius\": 0.03, \"length\": 0.06}}",
                                          .more = "\"mass\": 0.7,",
                                          .position = { -0.12, -0.02, 0.0 },
                                          .orientation = { 0.8, 0.0, 0.6, 0.0 },
                                          .velocity = { 0.9, 0.2, 0.05 },
                                          .spin = { -1.0, 2.0, 0.0 } } } };
}

#endif
