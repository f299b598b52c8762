/* Shared by the files that translate the rigid-ipc format. */
#ifndef CAROM_SCENE_RIGID_IPC_PARTS_H
#define CAROM_SCENE_RIGID_IPC_PARTS_H

#include "geometry/mesh.h"
#include "scene/translation.h"

#define DEGREE (3.14159265358979323846 / 180.0) /* [rad] */

/* A mesh file, read once however many bodies use it. */
typedef struct ipc_file {
    const char *path; /* as it was found */
    const char *name; /* for the translated scene */
    mesh *whole;      /* as the file has it */
    mesh *surface;    /* welded; NULL: no triangles */
    bool closed;      /* the surface */
} ipc_file;

typedef struct ipc_translation {
    translation base;
    bool quirks;

    int *body_lines; /* of each entry of rigid_bodies; NULL: the text is short */
    size_t body_line_count;
    int body_count; /* enabled ones so far */
    v3 low, high;   /* [m] box around all vertices at the start, in the world */
    double h;       /* [s] */
    double steps;
    json_t *held_groups; /* members: "group 3", of static and kinematic bodies */

    ipc_file *files;
    size_t file_count, file_capacity;
} ipc_translation;

/* ---- reading (rigid_ipc_read.c) ---------------------------------------------------------------------------------------- */

/* Each leaves *out alone where the key is not there. Nulls and other types are refused. */
carom_status ipc_number(const ipc_translation *t, const json_place *at, const json_t *object, double *out);
carom_status ipc_bool(const ipc_translation *t, const json_place *at, const json_t *object, bool *out);
carom_status ipc_text(const ipc_translation *t, const json_place *at, const json_t *object, const char **out);
carom_status ipc_vector(const ipc_translation *t, const json_place *at, const json_t *object, v3 *out);
carom_status ipc_object(const ipc_translation *t, const json_place *at, const json_t *object, json_t **out);
carom_status ipc_list(const ipc_translation *t, const json_place *at, const json_t *object, json_t **out);

/* One of `names` (ended by NULL); the first stands in for anything else, as in the format, with a warning. */
carom_status ipc_choice(ipc_translation *t, const json_place *at, const json_t *object, const char *const *names,
                        int *out);

/* Notes keys that are none of `known` and no comments. */
void ipc_note_strangers(ipc_translation *t, const json_place *at, const json_t *object, const char *const *known);

/* The same text is told once. */
void ipc_remark(ipc_translation *t, remark_kind kind, const json_place *at, const char *fmt, ...) CAROM_PRINTF(4, 5);

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

/* Adds a definition to the list "bodies", "joints" or "forces", with the line it comes from. */
void ipc_add(ipc_translation *t, json_t *list, const char *key, json_t *definition, const json_place *from);

/* The line of a place; in long texts that of the body it lies in. */
int ipc_line(const ipc_translation *t, const json_place *at);

/* ---- geometry (rigid_ipc_mesh.c) ------------------------------------------------------------------------------------------ */

typedef enum ipc_kind { IPC_SOLID, IPC_VOLUME, IPC_SHELL, IPC_WIRE, IPC_POINTS } ipc_kind;

/* What a body is made of, in its model's axes, scaled. */
typedef struct ipc_geometry {
    const ipc_file *file; /* or NULL: inline */
    v3 scale;             /* of the file */
    ipc_kind kind;
    bool closed;          /* the surface */
    mesh *whole;          /* scaled; owned */
    mesh *surface;        /* scaled, welded, facing as carom wants it; owned; NULL: none */
    mesh *wires;          /* edges of no face, beside faces; owned; NULL: none */
    mass_properties mass; /* [kg] */
} ipc_geometry;

carom_status ipc_geometry_read(ipc_translation *t, const json_place *at, const json_t *body, double density,
                               ipc_geometry *out);
void ipc_geometry_free(ipc_geometry *g);

/* Faces that hang together, in the order of the file. */
typedef struct ipc_pieces {
    int count;
    int *first; /* of each piece in `triangles`, and one more */
    int *triangles;
} ipc_pieces;
carom_status ipc_pieces_find(ipc_translation *t, const mesh *m, ipc_pieces *out);
void ipc_pieces_free(ipc_pieces *p);

/* One piece of the faces, with the mass of its own. */
carom_status ipc_geometry_piece(ipc_translation *t, const ipc_geometry *g, const ipc_pieces *pieces, int piece,
                                double density, ipc_geometry *out);

/* The shapes of a body as scenes have them, moved by `at`. */
json_t *ipc_shapes_json(ipc_translation *t, const ipc_geometry *g, double density, v3 at);

/* Whether mass, centre and inertia have to stand with the body, because its shapes do not say them. */
bool ipc_needs_numbers(const ipc_geometry *g);

/* ---- bodies (rigid_ipc_body.c, rigid_ipc_hold.c, rigid_ipc_motion.c) ----------------------------------------------------- */

typedef enum ipc_type { IPC_STATIC, IPC_KINEMATIC, IPC_DYNAMIC } ipc_type;

typedef struct ipc_body {
    const json_place *at;
    const json_t *json;
    char name[96];
    ipc_type type;
    double density;
    v3 position; /* [m] of the model's origin */
    quat turn;
    bool fixed[6];    /* x, y, z, about x, y, z */
    v3 velocity;      /* [m/s] of the centre of mass */
    v3 omega_w;       /* [rad/s] */
    v3 force;         /* [N] */
    v3 torque;        /* [N m] */
    int group;        /* or -1 */
    double moves_for; /* [s] a kinematic body; < 0: for ever */
    bool split;
} ipc_body;

void ipc_file_free(ipc_file *file);
carom_status ipc_translate_bodies(ipc_translation *t, const json_place *at, const json_t *list);

static inline v3 ipc_center_w(const ipc_body *b, const ipc_geometry *g)
{
    return v3_add(b->position, q_rotate(b->turn, g->mass.center));
}

/* Joints with the ground for what is fixed of a dynamic body. */
carom_status ipc_hold(ipc_translation *t, const ipc_body *b, const ipc_geometry *g);
int ipc_fixed_turns(const ipc_body *b);

/* The "motion" of a kinematic body whose frame is at its centre; NULL: it stands. */
carom_status ipc_motion(ipc_translation *t, const ipc_body *b, const ipc_geometry *g, json_t **out);

#endif
