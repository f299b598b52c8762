# Everything carom stands on, as one interface target: carom_dependencies. Versions are those of Debian 12 or later.
# CAROM_DEFINITIONS: what the sources learn of it: CAROM_HAVE_x for optional parts and CAROM_COMPONENTS, a text for
# `carom --version`.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(CHOLMOD REQUIRED)
pkg_check_modules(ARPACK REQUIRED IMPORTED_TARGET arpack)
pkg_check_modules(LAPACK REQUIRED IMPORTED_TARGET lapack)
pkg_check_modules(MUPARSER REQUIRED IMPORTED_TARGET muparser)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
pkg_check_modules(QHULL REQUIRED IMPORTED_TARGET qhull_r)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5) # Debian calls the build without MPI hdf5-serial

# What nothing calls is not loaded (--as-needed): SUNDIALS alone would bring MPI into the start of every run.
add_library(carom_dependencies INTERFACE)
target_link_options(carom_dependencies INTERFACE LINKER:--as-needed)
target_link_libraries(carom_dependencies INTERFACE
    CHOLMOD::CHOLMOD PkgConfig::ARPACK PkgConfig::LAPACK PkgConfig::MUPARSER PkgConfig::JANSSON PkgConfig::EXPAT
    PkgConfig::HDF5
    PkgConfig::QHULL PkgConfig::CAIRO PkgConfig::ZLIB Threads::Threads ${CMAKE_DL_LIBS} m)

set(components "CHOLMOD ${CHOLMOD_VERSION}, ARPACK ${ARPACK_VERSION}, LAPACK ${LAPACK_VERSION}, muParser ${MUPARSER_VERSION}, ")
string(APPEND components "Jansson ${JANSSON_VERSION}, Expat ${EXPAT_VERSION}, HDF5 ${HDF5_VERSION}, ")
string(APPEND components "Qhull ${QHULL_VERSION}, Cairo ${CAIRO_VERSION}, zlib ${ZLIB_VERSION}")
set(CAROM_DEFINITIONS "")

if(NOT CAROM_WITH_SUNDIALS STREQUAL "OFF")
    if(CAROM_WITH_SUNDIALS STREQUAL "ON")
        find_package(SUNDIALS REQUIRED)
    else()
        find_package(SUNDIALS)
    endif()
    if(SUNDIALS_FOUND)
        target_link_libraries(carom_dependencies INTERFACE SUNDIALS::SUNDIALS)
        list(APPEND CAROM_DEFINITIONS CAROM_HAVE_SUNDIALS=1)
        string(APPEND components ", SUNDIALS ${SUNDIALS_VERSION}")
    endif()
endif()

# A library that carom can do without, by its name for pkg-config: OFF, AUTO or ON, as CAROM_WITH_<NAME> says.
macro(carom_optional_library name shown module)
    if(CAROM_WITH_${name} STREQUAL "ON")
        pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
    elseif(CAROM_WITH_${name} STREQUAL "OFF")
        unset(${name}_FOUND CACHE) # of an earlier configuration
    else()
        pkg_check_modules(${name} IMPORTED_TARGET ${module})
    endif()
    if(${name}_FOUND)
        list(APPEND CAROM_DEFINITIONS CAROM_HAVE_${name}=1)
        string(APPEND components ", ${shown} ${${name}_VERSION}")
    endif()
endmacro()

carom_optional_library(ASSIMP Assimp assimp) # linked by carom-mesh-reader alone (src/mesh_files)
carom_optional_library(NLOPT NLopt nlopt)    # searches of studies
if(NLOPT_FOUND)
    target_link_libraries(carom_dependencies INTERFACE PkgConfig::NLOPT)
endif()

# Linked by carom-mpi alone (apps/carom-mpi).
if(NOT CAROM_WITH_MPI STREQUAL "OFF")
    if(CAROM_WITH_MPI STREQUAL "ON")
        find_package(MPI REQUIRED COMPONENTS C)
    else()
        find_package(MPI QUIET COMPONENTS C)
    endif()
endif()

list(APPEND CAROM_DEFINITIONS "CAROM_COMPONENTS=\"${components}\""
                              "CAROM_COMPILER=\"${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\"")
