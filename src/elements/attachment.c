/* The field table of a marker given in body axes. */
#include "elements/attachment.h"

const carom_field attachment_frame_fields[] = {
    { .name = "position",
      .kind = CAROM_FIELD_VECTOR,
      .offset = offsetof(carom_frame_def, position),
      .dimension = CAROM_DIM_LENGTH,
      .doc = "Origin of the marker in the body's frame; by default the origin of that frame." },
    { .name = "orientation",
      .kind = CAROM_FIELD_ORIENTATION,
      .offset = offsetof(carom_frame_def, orientation),
      .doc = "Turns the marker's axes to the body's axes; by default they are the same." },
    { 0 },
};
