/* The search for processors with AVX2; the build compiles this file for them where the compiler can. */
#include "geometry/bvh_search.inc"

#ifdef __AVX2__
void bvh_search_avx2(bvh_search *s)
{
    search(s);
}

bool bvh_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
void bvh_search_avx2(bvh_search *s)
{
    bvh_search_portable(s);
}

bool bvh_has_avx2(void)
{
    return false;
}
#endif
