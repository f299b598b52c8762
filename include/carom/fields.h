/* Field tables: what every definition and option struct is made of. The scene reader, the schema, the reference
 * documentation, the deep copy inside a spec and language bindings all work from these tables, so a new field is one
 * line here and nowhere else.
 *
 * Threads: tables and kinds are constants, shared freely. */
#ifndef CAROM_FIELDS_H
#define CAROM_FIELDS_H

#include <carom/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exponents of length, mass, time and angle; {1,1,-2,0} is a force. Angle is kept apart so that "deg" can be asked
 * for; a stiffness per angle has angle -1. */
typedef struct carom_dimension {
    int8_t length, mass, time, angle;
} carom_dimension;

/* What one scene unit is worth in SI, e.g. millimetres: length = 1e-3. */
typedef struct carom_units {
    double length, mass, time, angle;
    double force; /* of forces, torques, stiffness, damping, pressure, energy; 0: it follows from the others */
} carom_units;

/* SI: metre, kilogram, second, radian. */
CAROM_API carom_units carom_units_si(void);

/* Factor from a scene number of this dimension to SI; 1 where units is NULL. */
CAROM_API double carom_units_factor(const carom_units *units, carom_dimension dimension);

/* "N*m/rad" style text of a dimension in SI; "" when dimensionless. Returns buffer, or "" where it is NULL or size is
 * 0. */
CAROM_API const char *carom_dimension_text(carom_dimension dimension, char *buffer, size_t size);

/* A function given by points; x ascending. */
typedef enum carom_interpolation { CAROM_LINEAR, CAROM_CUBIC, CAROM_STEP, CAROM_MONOTONE } carom_interpolation;
typedef enum carom_outside { CAROM_HOLD, CAROM_REPEAT, CAROM_EXTRAPOLATE } carom_outside;
typedef struct carom_curve {
    size_t count;
    const double *x;
    const double *y;
    carom_interpolation interpolation;
    carom_outside outside;
} carom_curve;

/* A number, a table over time, or an expression of t and signals. Numbers and tables are in SI. An expression is
 * written in scene units: its variables are divided by their unit on the way in, the result times `scale` is SI. */
typedef enum carom_value_kind { CAROM_NUMBER, CAROM_TABLE, CAROM_EXPRESSION } carom_value_kind;
typedef struct carom_value {
    carom_value_kind kind;
    double number;
    carom_curve table;
    const char *expression;
    double scale;
    carom_units units;
} carom_value;

CAROM_API carom_value carom_value_number(double number);
CAROM_API carom_value carom_value_expression(const char *expression); /* in SI units; the text is not copied here */

typedef struct carom_reals {
    size_t count;
    const double *data;
} carom_reals;

/* A list of structs described by the field's sub-table. */
typedef struct carom_list {
    size_t count;
    const void *items;
} carom_list;

/* One of several kinds with its parameters: a shape, a contact law. `params` is described by the kind's own table;
 * NULL stands for the kind's defaults. */
typedef struct carom_choice {
    const char *kind;
    const void *params;
} carom_choice;

typedef enum carom_field_kind {
    CAROM_FIELD_BOOL,        /* bool */
    CAROM_FIELD_INT,         /* int */
    CAROM_FIELD_REAL,        /* double */
    CAROM_FIELD_TEXT,        /* const char * */
    CAROM_FIELD_FILE,        /* const char *: a path, relative to the scene file that names it */
    CAROM_FIELD_ENUM,        /* int: index into `names` */
    CAROM_FIELD_VECTOR,      /* carom_v3 */
    CAROM_FIELD_DIRECTION,   /* carom_v3 of unit length; refused when longer or shorter */
    CAROM_FIELD_ORIENTATION, /* carom_quat; scenes: [w,x,y,z], {"axis","angle"}, {"euler":[x,y,z]} */
    CAROM_FIELD_VALUE,       /* carom_value */
    CAROM_FIELD_VALUE3,      /* carom_value[3] */
    CAROM_FIELD_CURVE,       /* carom_curve; dimension is that of y, dimension_x that of x */
    CAROM_FIELD_REALS,       /* carom_reals with count between min_count and max_count */
    CAROM_FIELD_BODY,        /* const char *: name of a body, or "ground" */
    CAROM_FIELD_BODY_PAIR,   /* const char *[2] */
    CAROM_FIELD_JOINT,       /* const char *: name of a joint */
    CAROM_FIELD_GROUP,       /* nested struct, described by `fields` */
    CAROM_FIELD_LIST,        /* carom_list of structs described by `fields`; one object = list of one */
    CAROM_FIELD_TEXTS,       /* carom_list of const char * */
    CAROM_FIELD_KIND,        /* carom_choice; `kinds` lists the admissible kinds */
} carom_field_kind;

enum {
    CAROM_REQUIRED = 1,    /* must be given */
    CAROM_OPTIONAL = 2,    /* a GROUP whose struct starts with `bool given` */
    CAROM_POSITIVE = 4,    /* > 0 */
    CAROM_NONNEGATIVE = 8, /* >= 0 */
    CAROM_SHORTHAND = 16,  /* the field a bare value stands for: {"box": [1,1,1]}; of a KIND: a bare number stands for
                              the first of its kinds that has such a field */
    CAROM_SHARED = 32,     /* a KIND whose other choices may leave their options too: checked, not used */
    CAROM_NAMED = 64,      /* a LIST that scenes write as an object: its keys are the items' first field, a name */
    CAROM_ALONG =
        128, /* a number along a joint coordinate: `dimension` where that is a length, `dimension_x` where it is
                              an angle */
};

typedef struct carom_kind carom_kind;

typedef struct carom_field {
    const char *name; /* as scene files spell it; NULL ends a table */
    carom_field_kind kind;
    size_t offset;
    carom_dimension dimension;
    unsigned flags;
    const char *doc;                  /* one sentence for the reference and the schema */
    const char *const *names;         /* ENUM: NULL-terminated */
    const struct carom_field *fields; /* GROUP, LIST */
    const void *item_defaults;        /* LIST: defaults of one item */
    size_t size;                      /* GROUP, LIST: bytes of one struct */
    carom_dimension dimension_x;      /* CURVE; CAROM_ALONG */
    size_t min_count, max_count;      /* REALS, LIST; max_count 0 = any */
    const carom_kind *const *kinds;   /* KIND: NULL-terminated */
} carom_field;

/* The name, table and defaults of one kind of anything: a joint, a force, a shape, a law, a method. Each kind's own
 * type table starts with one. */
struct carom_kind {
    const char *name;          /* as scene files spell it */
    const char *doc;           /* one or two sentences */
    const carom_field *fields; /* parameters of this kind, ended by name == NULL */
    const void *defaults;      /* a params struct with every default in place */
    size_t size;               /* bytes of the params struct */
};

#define CAROM_DIM_NONE \
    {                  \
        0, 0, 0, 0     \
    }
#define CAROM_DIM_LENGTH \
    {                    \
        1, 0, 0, 0       \
    }
#define CAROM_DIM_MASS \
    {                  \
        0, 1, 0, 0     \
    }
#define CAROM_DIM_TIME \
    {                  \
        0, 0, 1, 0     \
    }
#define CAROM_DIM_ANGLE \
    {                   \
        0, 0, 0, 1      \
    }
#define CAROM_DIM_VELOCITY \
    {                      \
        1, 0, -1, 0        \
    }
#define CAROM_DIM_ACCELERATION \
    {                          \
        1, 0, -2, 0            \
    }
#define CAROM_DIM_ANGULAR_VELOCITY \
    {                              \
        0, 0, -1, 1                \
    }
#define CAROM_DIM_ANGULAR_ACCELERATION \
    {                                  \
        0, 0, -2, 1                    \
    }
#define CAROM_DIM_FORCE \
    {                   \
        1, 1, -2, 0     \
    }
#define CAROM_DIM_TORQUE \
    {                    \
        2, 1, -2, 0      \
    }
#define CAROM_DIM_ENERGY \
    {                    \
        2, 1, -2, 0      \
    }
#define CAROM_DIM_POWER \
    {                   \
        2, 1, -3, 0     \
    }
#define CAROM_DIM_MOMENTUM \
    {                      \
        1, 1, -1, 0        \
    }
#define CAROM_DIM_ANGULAR_MOMENTUM \
    {                              \
        2, 1, -1, 0                \
    }
#define CAROM_DIM_INERTIA \
    {                     \
        2, 1, 0, 0        \
    }
#define CAROM_DIM_DENSITY \
    {                     \
        -3, 1, 0, 0       \
    }
#define CAROM_DIM_AREA \
    {                  \
        2, 0, 0, 0     \
    }
#define CAROM_DIM_MOMENT_OF_AREA \
    {                            \
        4, 0, 0, 0               \
    }
#define CAROM_DIM_FREQUENCY \
    {                       \
        0, 0, -1, 0         \
    }
#define CAROM_DIM_PRESSURE \
    {                      \
        -1, 1, -2, 0       \
    }
#define CAROM_DIM_STIFFNESS \
    {                       \
        0, 1, -2, 0         \
    }
#define CAROM_DIM_DAMPING \
    {                     \
        0, 1, -1, 0       \
    }
#define CAROM_DIM_ANGULAR_STIFFNESS \
    {                               \
        2, 1, -2, -1                \
    }
#define CAROM_DIM_ANGULAR_DAMPING \
    {                             \
        2, 1, -1, -1              \
    }

#ifdef __cplusplus
}
#endif
#endif
