/* The kernels for any processor. */
#include "collision/surface_wide.inc"

const surface_kernels surface_kernels_portable = {
    .near = near_boxes,
    .meeting = meeting_boxes,
    .leaves_far = leaves_far,
    .leaves_parted = leaves_parted,
};
