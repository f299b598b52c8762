#!/bin/bash
# Installs the build into a staging folder, moves that folder, then compiles and runs a tiny program against it in
# both ways, and the installed command itself. Called in a scratch folder as: run.sh CMAKE CC LIBDIR
set -eu
cmake=$1
cc=$2
libdir=$3
here=$(cd "$(dirname "$0")" && pwd)

rm -rf first stage consumer consumer_build
"$cmake" --install "$CAROM_BUILD_DIR" --prefix "$PWD/first" > install.log
mv first stage # nothing inside may remember where it was installed
stage=$PWD/stage

expect() {
    [ -e "$stage/$1" ] || { echo "not installed: $1"; exit 1; }
}
expect "include/carom/carom.h"
expect "$libdir/libcarom.so.0"
expect "share/bash-completion/completions/carom"
expect "share/carom/examples"

echo "through pkg-config"
export PKG_CONFIG_PATH="$stage/$libdir/pkgconfig"
# shellcheck disable=SC2046 # the flags are words
"$cc" -std=c17 -o consumer "$here/consumer_cmake/consumer.c" $(pkg-config --cflags --libs carom)
LD_LIBRARY_PATH="$stage/$libdir" ./consumer

echo "every example, by the command in its head"
for source in "$CAROM_SOURCE_DIR"/examples/c/*.c; do
    command=$(sed -n 's/^ \*     cc \(.*\) && .*/\1/p' "$source")
    [ -n "$command" ] || { echo "no command in $source"; exit 1; }
    (cd "$CAROM_SOURCE_DIR/examples/c" && eval "$cc -std=c17 -Wall -Wextra -Werror ${command/ -o / -o $stage/../}")
done
LD_LIBRARY_PATH="$stage/$libdir" ./pendulum

echo "through find_package"
"$cmake" -S "$here/consumer_cmake" -B consumer_build -DCMAKE_PREFIX_PATH="$stage" -DCMAKE_C_COMPILER="$cc" > cmake.log
"$cmake" --build consumer_build > build.log
consumer_build/consumer

if [ -e "$CAROM_MESH_READER" ]; then
    echo "a mesh that another program reads, found from the library"
    expect "libexec/carom/carom-mesh-reader"
    printf 'OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n' > tetrahedron.off
    # shellcheck disable=SC2046
    "$cc" -std=c17 -o mesh "$here/consumer_cmake/mesh.c" $(pkg-config --cflags --libs carom)
    LD_LIBRARY_PATH="$stage/$libdir" env -u CAROM_MESH_READER ./mesh tetrahedron.off
    ln -sfn "$stage" linked
    (cd / && LD_LIBRARY_PATH="$OLDPWD/linked/$libdir" env -u CAROM_MESH_READER "$OLDPWD/mesh" "$OLDPWD/tetrahedron.off")
    if ldd "$stage/$libdir/libcarom.so.0" | grep -i assimp; then
        echo "the library needs Assimp itself"
        exit 1
    fi
fi

if [ -e "$CAROM_BIN" ]; then
    echo "the program, by its own rpath"
    expect "bin/carom"
    (cd / && env -u LD_LIBRARY_PATH -u CAROM_MESH_READER "$stage/bin/carom" --version)
    echo "a result, read by a program in C"
    rm -rf bounce
    "$stage/bin/carom" run "$CAROM_SOURCE_DIR/examples/scenes/bouncing-ball.json" --duration 1 -o bounce > run.log
    LD_LIBRARY_PATH="$stage/$libdir" ./read_result bounce | tee read.log
    for line in "^bouncing ball, method impact" "^201 frames" "impact .*ball" "^1 pairs have touched" "^0 findings"; do
        grep -q "$line" read.log || { echo "read_result does not say: $line"; exit 1; }
    done
    if LD_LIBRARY_PATH="$stage/$libdir" ./read_result nowhere; then
        echo "read_result reads what is not there"
        exit 1
    fi
    if [ -e "$CAROM_MESH_READER" ]; then
        env -u CAROM_MESH_READER "$stage/bin/carom" mesh info tetrahedron.off
    fi
fi
