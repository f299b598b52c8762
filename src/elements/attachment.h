/* Where a joint or force sits: the lines of the field table that both have in common. */
#ifndef CAROM_ELEMENTS_ATTACHMENT_H
#define CAROM_ELEMENTS_ATTACHMENT_H

#include <carom/elements.h>

/* Of carom_frame_def. */
extern const carom_field attachment_frame_fields[];

/* Fields of a struct `type` with a member `attachment`; at_doc because the default of `at` differs. */
#define ATTACHMENT_FIELDS(type, at_doc)                                                                             \
    { .name = "bodies",                                                                                             \
      .kind = CAROM_FIELD_BODY_PAIR,                                                                                \
      .offset = offsetof(type, attachment.bodies),                                                                  \
      .doc = "The two bodies, A then B; \"ground\" is allowed." },                                                  \
        { .name = "at",                                                                                             \
          .kind = CAROM_FIELD_VECTOR,                                                                               \
          .offset = offsetof(type, attachment.at),                                                                  \
          .dimension = CAROM_DIM_LENGTH,                                                                            \
          .doc = at_doc },                                                                                          \
        { .name = "at_b",                                                                                           \
          .kind = CAROM_FIELD_REALS,                                                                                \
          .offset = offsetof(type, attachment.at_b),                                                                \
          .dimension = CAROM_DIM_LENGTH,                                                                            \
          .min_count = 3,                                                                                           \
          .max_count = 3,                                                                                           \
          .doc = "World position of marker B at the start; by default the same point as marker A." },               \
        { .name = "axis",                                                                                           \
          .kind = CAROM_FIELD_DIRECTION,                                                                            \
          .offset = offsetof(type, attachment.axis),                                                                \
          .doc = "World direction of the markers' z axis at the start; by default the world's z." },                \
        { .name = "x_axis",                                                                                         \
          .kind = CAROM_FIELD_REALS,                                                                                \
          .offset = offsetof(type, attachment.x_axis),                                                              \
          .min_count = 3,                                                                                           \
          .max_count = 3,                                                                                           \
          .doc = "World direction of the markers' x axis at the start, made perpendicular to the axis; by default " \
                 "some direction across it." },                                                                     \
        { .name = "frame_a",                                                                                        \
          .kind = CAROM_FIELD_GROUP,                                                                                \
          .offset = offsetof(type, attachment.frame_a),                                                             \
          .flags = CAROM_OPTIONAL,                                                                                  \
          .fields = attachment_frame_fields,                                                                        \
          .size = sizeof(carom_frame_def),                                                                          \
          .doc = "Marker A in the frame of body A; wins over at, axis and x_axis." },                               \
    {                                                                                                               \
        .name = "frame_b", .kind = CAROM_FIELD_GROUP, .offset = offsetof(type, attachment.frame_b),                 \
        .flags = CAROM_OPTIONAL, .fields = attachment_frame_fields, .size = sizeof(carom_frame_def),                \
        .doc = "Marker B in the frame of body B; wins over at_b, axis and x_axis."                                  \
    }

/* World origin, z up, no frames. */
#define ATTACHMENT_DEFAULT                                                               \
    {                                                                                    \
        .axis = { 0.0, 0.0, 1.0 }, .frame_a = { .orientation = { 1.0, 0.0, 0.0, 0.0 } }, \
        .frame_b = { .orientation = { 1.0, 0.0, 0.0, 0.0 } },                            \
    }

#endif
