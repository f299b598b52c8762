# How a test is added. Both functions give the test CAROM_SOURCE_DIR (the repository), CAROM_BIN (build/bin/carom) and
# the like in its environment and a scratch folder of its own as working directory, so that tests may run side by side.
#
#   carom_test(NAME source... [LABELS label...] [TIMEOUT seconds] [LIBS library...])
#       a cmocka program linked with carom_internal
#   carom_command_test(NAME command argument... [LABELS label...] [TIMEOUT seconds])
#       any command: succeeds when it exits with 0. Write $<TARGET_FILE:...> for built programs; ${CAROM_PYTHON} for
#       Python.
#
# TIMEOUT is in seconds of a machine with nothing else to do, 60 where none is given. A test is ended only after
# CAROM_TEST_PATIENCE times as long, because a limit in wall time says more about a busy machine than about the test.
#
# Without LABELS a test is labelled with its first folder under tests/: unit, conformance, cli, ...
set(CAROM_TEST_PATIENCE 5 CACHE STRING "How many times longer than on an idle machine a test may take")
set(CAROM_TESTS_FOUND FALSE)
if(NOT CAROM_BUILD_TESTS STREQUAL "OFF")
    pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
    find_program(CAROM_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH) # the one that sees Debian's h5py
    find_program(CAROM_PYTHON python3)
    if(CMOCKA_FOUND AND CAROM_PYTHON)
        set(CAROM_TESTS_FOUND TRUE)
    elseif(CAROM_BUILD_TESTS STREQUAL "AUTO")
        message(STATUS "No tests: they need cmocka and python3 (tools/setup test)")
    else()
        message(FATAL_ERROR "Tests were asked for, but cmocka or python3 is missing (tools/setup test)")
    endif()
endif()

# The Python package is tried with a Python that has NumPy and pytest (tools/setup test). A sanitizer's library cannot be
# loaded into a plain Python.
set(CAROM_PYTHON_PACKAGE FALSE)
if(CAROM_TESTS_FOUND AND NOT CAROM_SANITIZE AND NOT CAROM_COVERAGE)
    execute_process(COMMAND ${CAROM_PYTHON} -c "import numpy, pytest" RESULT_VARIABLE lacking OUTPUT_QUIET ERROR_QUIET)
    if(lacking)
        message(STATUS "No tests of the Python package: ${CAROM_PYTHON} lacks NumPy or pytest (tools/setup test)")
    else()
        set(CAROM_PYTHON_PACKAGE TRUE)
    endif()
endif()

# Adds `name` to CTest: labels and timeout as given, environment and working directory as promised above.
function(carom_register_test name labels timeout)
    if(NOT labels)
        file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
        string(REGEX REPLACE "/.*" "" labels "${folder}")
    endif()
    if(NOT timeout)
        set(timeout 60)
    endif()
    math(EXPR timeout "${CAROM_TEST_PATIENCE} * ${timeout}")
    if(CAROM_SANITIZE)
        math(EXPR timeout "5 * ${timeout}")
    endif()
    set(scratch ${PROJECT_BINARY_DIR}/tests/scratch/${name})
    file(MAKE_DIRECTORY ${scratch})
    add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${scratch})
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout}
        ENVIRONMENT "${CAROM_TEST_ENVIRONMENT}")
endfunction()

function(carom_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;LIBS")
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/bin)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE carom_internal carom_flags PkgConfig::CMOCKA ${arg_LIBS})
    carom_register_test(${name} "${arg_LABELS}" "${arg_TIMEOUT}" $<TARGET_FILE:${name}>)
endfunction()

# A test in which any allocation may be made to fail (support/failing_heap.h).
function(carom_test_wraps_heap name)
    foreach(function malloc calloc realloc free carom_arena_alloc carom_arena_array carom_arena_copy carom_arena_text
            carom_arena_printf)
        target_link_options(${name} PRIVATE LINKER:--wrap=${function})
    endforeach()
endfunction()

function(carom_command_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
    carom_register_test(${name} "${arg_LABELS}" "${arg_TIMEOUT}" ${arg_UNPARSED_ARGUMENTS})
endfunction()

set(CAROM_TEST_ENVIRONMENT
    CAROM_SOURCE_DIR=${PROJECT_SOURCE_DIR}
    CAROM_BUILD_DIR=${PROJECT_BINARY_DIR}
    CAROM_BIN=${PROJECT_BINARY_DIR}/bin/carom
    CAROM_MESH_READER=${PROJECT_BINARY_DIR}/libexec/carom/carom-mesh-reader) # for programs linked with carom_internal
if(CAROM_SANITIZE)
    list(APPEND CAROM_TEST_ENVIRONMENT
        ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1:strict_string_checks=1
        UBSAN_OPTIONS=print_stacktrace=1
        LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0)
endif()

if(CAROM_SANITIZE MATCHES "thread")
    set(tsan allocator_may_return_null=1:ignore_noninstrumented_modules=1:halt_on_error=1:die_after_fork=0)
    list(APPEND CAROM_TEST_ENVIRONMENT
        TSAN_OPTIONS=${tsan}:suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp)
endif()
