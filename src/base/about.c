/* Which library this is. */
#include <carom/base.h>

#ifdef CAROM_HAVE_ASSIMP
#define ASSIMP " assimp"
#else
#define ASSIMP ""
#endif
#ifdef CAROM_HAVE_NLOPT
#define NLOPT " nlopt"
#else
#define NLOPT ""
#endif
#ifdef CAROM_HAVE_SUNDIALS
#define SUNDIALS " sundials"
#else
#define SUNDIALS ""
#endif

const char *carom_version(void)
{
    return CAROM_VERSION;
}

const char *carom_features(void)
{
    static const char features[] = ASSIMP NLOPT SUNDIALS;
    return features[0] == ' ' ? features + 1 : features;
}
