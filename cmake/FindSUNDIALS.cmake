# The parts of SUNDIALS that carom uses: IDA, CVODE, serial vectors, dense matrices and their solver.
# Gives SUNDIALS::SUNDIALS and SUNDIALS_VERSION.
find_path(SUNDIALS_INCLUDE_DIR sundials/sundials_config.h)

set(SUNDIALS_LIBRARIES "")
set(parts "")
foreach(part ida cvode nvecserial sunlinsoldense sunmatrixdense)
    find_library(SUNDIALS_${part}_LIBRARY sundials_${part})
    list(APPEND SUNDIALS_LIBRARIES ${SUNDIALS_${part}_LIBRARY})
    list(APPEND parts SUNDIALS_${part}_LIBRARY)
endforeach()
mark_as_advanced(SUNDIALS_INCLUDE_DIR ${parts})

if(SUNDIALS_INCLUDE_DIR)
    file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h line REGEX "^#define SUNDIALS_VERSION ")
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" SUNDIALS_VERSION "${line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SUNDIALS REQUIRED_VARS SUNDIALS_INCLUDE_DIR ${parts} VERSION_VAR SUNDIALS_VERSION)

if(SUNDIALS_FOUND AND NOT TARGET SUNDIALS::SUNDIALS)
    add_library(SUNDIALS::SUNDIALS INTERFACE IMPORTED)
    target_include_directories(SUNDIALS::SUNDIALS INTERFACE ${SUNDIALS_INCLUDE_DIR})
    target_link_libraries(SUNDIALS::SUNDIALS INTERFACE ${SUNDIALS_LIBRARIES})
endif()
