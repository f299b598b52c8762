/* What takes part in contact: shapes as they are prepared, what happens between any two, how near they are. */
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include <carom/step.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A shape that takes part in contact. A model whose method knows no contact has none. */
typedef struct carom_collider_info {
    carom_id body;
    const char *shape;    /* as scenes spell it: "box" */
    const char *material; /* NULL: none */
    double size;          /* [m] longest edge of the box around it; infinite for planes */
    int points;           /* detection points (or edges, or faces) tried against the fields of others */
    const char *field;    /* how its distance field is stored; NULL: exact */
    double spacing;       /* [m] between nodes of the field */
    double error;         /* [m] bound of the field's error near the surface */
} carom_collider_info;
CAROM_API int carom_model_collider_count(const carom_model *model);
CAROM_API carom_collider_info carom_model_collider(const carom_model *model, int collider);

/* What happens between pairs of shapes to which the same exceptions apply. */
typedef struct carom_contact_rule {
    carom_id example[2];  /* bodies of the first such pair */
    size_t pairs;         /* of shapes */
    const char *law;      /* NULL: none */
    const char *friction; /* NULL: none */
    double restitution;
    bool per_area;
    bool points[2]; /* points of the first, of the second side are tried */
} carom_contact_rule;

/* Writes the rules and returns how many there are, capacity + 1 when there is no room for all. Looks at every pair of
 * shapes. */
CAROM_API size_t carom_model_contact_rules(const carom_model *model, carom_contact_rule *out, size_t capacity);

typedef struct carom_clearance {
    carom_id body[2];
    double gap;  /* [m] smallest between their shapes, as detection sees it; negative: penetration */
    double size; /* [m] of the smaller of the two shapes */
} carom_clearance;

/* Pairs of bodies that may touch and whose gap is below `reach` [m], ascending by gap; free() the list. */
CAROM_API carom_status carom_observe_clearances(const carom_model *model, const carom_state *state,
                                                carom_scratch *scratch, double reach, carom_clearance **out,
                                                size_t *count, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
