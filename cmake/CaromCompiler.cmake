# Language, warnings and code generation, as one interface target that every own target links: carom_flags. The same
# without instruments (sanitizers, coverage): carom_plain_flags.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")

# Strict C17 hides clock_gettime, strnlen and fsync; POSIX 2008 is what the code is written to.
add_compile_definitions(_POSIX_C_SOURCE=200809L)

add_library(carom_plain_flags INTERFACE)
add_library(carom_flags INTERFACE)
target_link_libraries(carom_flags INTERFACE carom_plain_flags)
target_compile_options(carom_plain_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes
    -Wold-style-definition -Wvla -Wdouble-promotion -Wformat=2 -Wundef -Wpointer-arith -Wwrite-strings
    -Wcast-qual)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(carom_plain_flags INTERFACE -Wlogical-op -Wduplicated-cond -Wjump-misses-init)
endif()
if(CAROM_WERROR)
    target_compile_options(carom_plain_flags INTERFACE -Werror)
endif()

# A fused multiply-add rounds once where the source rounds twice. Which products a compiler fuses depends on its
# version and on inlining, so the same formula in two places could differ in its last bits and a checkpoint, a thread
# count or a recompile could change a result. Hence never; and no -ffast-math, which reorders sums.
target_compile_options(carom_plain_flags INTERFACE -ffp-contract=off)

# x86-64 baseline unless asked: a binary that runs on the next machine, with the same results there.
if(CAROM_NATIVE)
    target_compile_options(carom_plain_flags INTERFACE -march=native)
endif()

if(CAROM_SANITIZE)
    set(sanitize -fsanitize=${CAROM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_compile_options(carom_flags INTERFACE ${sanitize})
    target_link_options(carom_flags INTERFACE ${sanitize})
else()
    # A shared library must resolve everything at link time; sanitizer runtimes are resolved by the program.
    set(CAROM_NO_UNDEFINED LINKER:--no-undefined)
endif()

if(CAROM_COVERAGE)
    target_compile_options(carom_flags INTERFACE --coverage)
    target_link_options(carom_flags INTERFACE --coverage)
endif()
