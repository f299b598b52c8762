/* The compiled model: validated, immutable.
 *
 * Threads: a model is shared freely between threads, states and scratches, until it is destroyed. */
#ifndef CAROM_MODEL_H
#define CAROM_MODEL_H

#include <carom/spec.h>
#include <carom/store.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_model carom_model;

/* Validates and compiles. The spec may be destroyed afterwards. Errors carry the origin noted in the spec; *out is NULL
 * then. */
CAROM_API carom_status carom_compile(const carom_spec *spec, carom_model **out, carom_error *err);

/* The same, telling what takes long: meshes that another program reads, distance fields that are not in the cache. options
 * may be NULL. */
typedef struct carom_compile_options {
    carom_keep_building keep_going; /* or NULL */
    void *context;                  /* for keep_going */
    carom_store *store;             /* shared with other models; NULL: the model has all for itself */
} carom_compile_options;
CAROM_API carom_status carom_compile_with(const carom_spec *spec, const carom_compile_options *options,
                                          carom_model **out, carom_error *err);

/* NULL: nothing. Scratches of the model may be destroyed before it or after; its memory goes with the last of them. */
CAROM_API void carom_model_destroy(carom_model *model);

/* Body 0 is the ground; bodies of the scene follow in order. For a NULL model counts are 0; names are NULL for ids out of
 * range; what is not found, or asked for by a NULL name, is CAROM_NONE. */
CAROM_API int carom_model_body_count(const carom_model *model);
CAROM_API int carom_model_joint_count(const carom_model *model);
CAROM_API int carom_model_force_count(const carom_model *model);
CAROM_API const char *carom_model_body_name(const carom_model *model, carom_id body);
CAROM_API const char *carom_model_joint_name(const carom_model *model, carom_id joint);
CAROM_API const char *carom_model_force_name(const carom_model *model, carom_id force);
CAROM_API carom_id carom_model_find_body(const carom_model *model, const char *name);
CAROM_API carom_id carom_model_find_joint(const carom_model *model, const char *name);

typedef struct carom_body_info {
    const char *name;
    bool moves_freely;       /* neither fixed nor kinematic */
    bool kinematic;          /* prescribed motion */
    double mass;             /* [kg]; 0, and so the inertia, unless it moves freely */
    carom_v3 center_of_mass; /* [m] in the body frame */
    double inertia[6];       /* [kg m^2] Ixx Iyy Izz Ixy Ixz Iyz about the centre */
} carom_body_info;
CAROM_API carom_body_info carom_model_body(const carom_model *model, carom_id body); /* no such: zeros, name NULL */

/* A joint as compiled. Gears are not among them: they couple coordinates of others. */
typedef struct carom_joint_info {
    const char *name;
    const char *type; /* as scenes spell it */
    carom_id bodies[2];
    int first_coordinate; /* place of its first coordinate among all */
    int coordinate_count;
    struct {
        const char *name;
        bool angle; /* radians, else metres */
    } coordinates[3];
    double friction;  /* Coulomb's coefficient, where the method resolves dry friction in joints; 0: none */
    double clearance; /* [m] how far its middles may part; 0: none */
} carom_joint_info;
CAROM_API carom_joint_info carom_model_joint(const carom_model *model,
                                             carom_id joint); /* no such: zeros, CAROM_NONE */
CAROM_API int carom_model_coordinate_count(const carom_model *model);

/* Inputs in the order of the scene: numbers that carom_state_set_input sets. The dimension is that of the input's unit; none
 * for what is not there. */
CAROM_API int carom_model_input_count(const carom_model *model);
CAROM_API const char *carom_model_input_name(const carom_model *model, int input);
CAROM_API carom_dimension carom_model_input_dimension(const carom_model *model, int input);
CAROM_API int carom_model_find_input(const carom_model *model, const char *name);

/* Events of the scene in their order; NULL where there is none with this number. */
CAROM_API int carom_model_event_count(const carom_model *model);
CAROM_API const char *carom_model_event_name(const carom_model *model, int event);

/* Something that a scene says and that does not act, or acts otherwise than one may think. */
typedef struct carom_note {
    bool warning;     /* something is probably wrong; else it only deserves to be known */
    const char *file; /* where it is said; NULL, 0 and NULL where a program has made it */
    int line;
    const char *path;
    const char *message;
} carom_note;

/* All notes on a model; *out lives as long as the model. model NULL: none; out NULL: only their number. */
CAROM_API size_t carom_model_notes(const carom_model *model, const carom_note **out);

/* Of everything that decides results: states, checkpoints and observers of one model fit others with the same hash. 0 for
 * NULL. */
CAROM_API uint64_t carom_model_hash(const carom_model *model);

/* What counting and linear algebra say about the constraints at a configuration. */
typedef struct carom_mobility {
    int gruebler; /* 6 per free body minus all equations */
    int degrees;  /* 6 per free body minus the rank: the true degrees of freedom */
    int equations;
    int rank;        /* when rank_known, else the number of equations */
    bool rank_known; /* false for loops of too many equations */
    int redundant_count;
    const int *redundant; /* equation numbers; name them with carom_model_equation_name */
} carom_mobility;

/* Text such as "hinge: equation 2 of 5 (revolute)", "crank: motion of angle" or "stage 1: ratio"; "" for an equation that
 * is not there. Returns buffer, or "" where that is NULL or size is 0. */
CAROM_API const char *carom_model_equation_name(const carom_model *model, int equation, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
