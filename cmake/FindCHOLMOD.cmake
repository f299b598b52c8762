# CHOLMOD and CAMD of SuiteSparse, which Debian ships without a pkg-config file. Gives CHOLMOD::CHOLMOD and CHOLMOD_VERSION.
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(CAMD_LIBRARY camd)
find_library(SUITESPARSECONFIG_LIBRARY suitesparseconfig)

if(CHOLMOD_INCLUDE_DIR)
    file(STRINGS ${CHOLMOD_INCLUDE_DIR}/cholmod_core.h lines
         REGEX "^#define CHOLMOD_(MAIN|SUB|SUBSUB)_VERSION [0-9]+")
    string(REGEX MATCHALL "[0-9]+" numbers "${lines}")
    string(REPLACE ";" "." CHOLMOD_VERSION "${numbers}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CHOLMOD
    REQUIRED_VARS CHOLMOD_LIBRARY CAMD_LIBRARY SUITESPARSECONFIG_LIBRARY CHOLMOD_INCLUDE_DIR VERSION_VAR CHOLMOD_VERSION)

if(CHOLMOD_FOUND AND NOT TARGET CHOLMOD::CHOLMOD)
    add_library(CHOLMOD::CHOLMOD INTERFACE IMPORTED)
    target_include_directories(CHOLMOD::CHOLMOD INTERFACE ${CHOLMOD_INCLUDE_DIR})
    target_link_libraries(CHOLMOD::CHOLMOD INTERFACE ${CHOLMOD_LIBRARY} ${CAMD_LIBRARY} ${SUITESPARSECONFIG_LIBRARY})
endif()
mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY CAMD_LIBRARY SUITESPARSECONFIG_LIBRARY)
