# What a person may choose. Everything else follows from the machine.
set(CAROM_WITH_SUNDIALS AUTO CACHE STRING "Reference integrators ida and cvode: ON, OFF or AUTO (when found)")
set_property(CACHE CAROM_WITH_SUNDIALS PROPERTY STRINGS AUTO ON OFF)
option(CAROM_NATIVE "Use every instruction of this machine's processor; results then differ between machines" OFF)
option(CAROM_WERROR "Warnings are errors" ON)
set(CAROM_BUILD_TESTS AUTO CACHE STRING "Tests, which need cmocka and Python: ON, OFF or AUTO (when found)")
set_property(CACHE CAROM_BUILD_TESTS PROPERTY STRINGS AUTO ON OFF)
set(CAROM_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
option(CAROM_COVERAGE "Instrument for gcov" OFF)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
