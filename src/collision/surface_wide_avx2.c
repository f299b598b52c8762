/* The kernels for processors with AVX2; the build compiles this file for them where the compiler can. */
#include "collision/surface_wide.inc"

const surface_kernels surface_kernels_avx2 = {
    .near = near_boxes,
    .meeting = meeting_boxes,
    .leaves_far = leaves_far,
    .leaves_parted = leaves_parted,
};

bool surface_has_avx2(void)
{
#ifdef __AVX2__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}
