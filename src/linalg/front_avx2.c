/* The product of fronts for processors with AVX2; the build compiles this file for them where the compiler can. */
#include "linalg/front.inc"

const front_kernels front_kernels_avx2 = { .update = update };

bool front_has_avx2(void)
{
#ifdef __AVX2__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}
